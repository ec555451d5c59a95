/* SPDX-License-Identifier: Apache-2.0 */
/* convention.h: libraries order coordinates differently and write the velocity of a floating base
   in different axes. A convention says how a peer does it and translates states to it and results
   back, so that every peer is checked and timed on the same motion. */
#pragma once

#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The floating base, if any, must be the first joint: its coordinates are the first seven in
   Appell's order (x y z qw qx qy qz), its velocities the first six (angular, linear, in body axes).
 */
typedef struct convention {
  bool floating;
  bool angular_world, linear_world; /* peer writes this part of the base twist in world axes      */
  int nq, nv, nstate;
  int* q; /* [nq] the peer's index of each of our coordinates */
  int* v; /* [nv] the peer's index of each of our velocities */

  /* states as the peer reads them: [nstate][nq or nv] */
  double *peer_q, *peer_v, *peer_a, *peer_tau;
  double *own_q, *own_v; /* the same as we read them, to translate results back                   */
} convention;

/* Identity maps and room for the states; false when the robot's floating joint is not its first, or
   without memory. */
bool convention_new(const robot* r, int nstate, convention* out);
void convention_free(convention* c);

/* Translate and store state k. */
void convention_put(convention* c, int k, const double* q, const double* v, const double* a,
                    const double* tau);

/* Results of state k back to Appell's order. */
void convention_effort(const convention* c, int k, const double* peer, double* out);
void convention_acceleration(const convention* c, int k, const double* peer, double* out);

/* M[nv*nv], symmetric; only the upper triangle (in the peer's order) of `peer` is read. */
void convention_mass(const convention* c, int k, const double* peer, double* out);

#ifdef __cplusplus
}
#endif
