/* SPDX-License-Identifier: Apache-2.0 */
/* subject.h: a robot under test: its model, a scalar and a complex state, and one random point (q,
   v, a, tau, u, loads) to which every check returns. */
#pragma once

#include "near.h"
#include "plan.h"
#include "random.h"

typedef struct subject {
  const plan* plan; /* what it was built from; kept by the caller                              */
  apl_model* model;
  apl_state* s; /* scalar                                                                  */
  apl_state* z; /* complex                                                                 */
  int nq, nt, nv, nu, nlink, nport, nsatellite;

  /* the point */
  double* q;
  double* v;
  double* a;
  double* tau;
  double* u;
  double* load;   /* [6*nport] moment, force                                                 */
  apl_axes* axes; /* [nport]                                                                 */

  struct subject_block* blocks; /* memory handed out by subject_take                        */
} subject;

/* The step of the complex step; the derivative is imag / SUBJECT_STEP, without truncation error. */
#define SUBJECT_STEP 1e-100

/* Step of central differences: (machine epsilon)^(1/3), where truncation and round-off balance,
   both about 1e-10 of the third derivative and of the value. */
#define SUBJECT_DIFFERENCE 6e-6

subject* subject_open(const plan* p);
void subject_close(subject* sub);

/* n doubles, zero, until subject_close(). */
double* subject_take(subject* sub, int n);

/* A new random point: coordinates within about a radian of neutral, all else of order one. */
void subject_randomise(subject* sub, rng* r);

/* Write the point into the scalar state: q, v, a, tau, u and loads. */
void subject_point(subject* sub);

/* The loads alone, on any state of the model. */
void subject_loads(subject* sub, apl_state* state);
void subject_no_loads(subject* sub, apl_state* state);

/* Write the point into the complex state with imaginary parts STEP * (dq, dv, da, dtau); NULL is 0.
 */
void subject_complex(subject* sub, const double* dq, const double* dv, const double* da,
                     const double* dtau);

/* out[i] = imaginary part of z[i] / STEP; the same for real parts. */
void subject_derivative(const double* z, int n, double* out);
void subject_real(const double* z, int n, double* out);

/* Whether the coordinate is the scalar part of a quaternion. */
bool subject_is_quaternion(const subject* sub, int i);
