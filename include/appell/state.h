/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: everything that changes during a simulation, in one allocation.

   A state holds numbers of one of three kinds, and every pass works with all three:
     APL_SCALAR   one robot, plain doubles
     APL_LANES    four robots of one topology at once; number i of lane k is at [4*i + k]
     APL_COMPLEX  real and imaginary part at [2*i], [2*i + 1]: the complex step gives derivatives
                  exact to round-off, imag(f(x + i h)) / h with h = 1e-100 */
#pragma once

#include "appell/model.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The state of one robot (or of four, APL_LANES). */
typedef struct apl_state apl_state;

/* The kind of its numbers. */
typedef enum apl_number { APL_SCALAR, APL_LANES, APL_COMPLEX } apl_number;

/* A state at the rest configuration (joint.rest); everything else is zero. */
APL_API apl_status apl_state_new(const apl_model* model, apl_number number, apl_state** out);
APL_API void apl_state_free(apl_state* state); /* accepts NULL; only for apl_state_new() */

/* The same in the caller's memory, which must be aligned to 64 bytes and stay in place. */
APL_API size_t apl_state_size(const apl_model* model, apl_number number);
APL_API apl_status apl_state_place(const apl_model* model, apl_number number, void* memory,
                                   size_t size, apl_state** out);

/* Back to the rest configuration, loads removed. */
APL_API void apl_state_reset(apl_state* state);

/* Doubles per number: 1, 4 or 2. All arrays below are that many times as long as their count. */
APL_API int apl_state_width(const apl_state* state);

/* The arrays of a state, which callers read and write. */
APL_API double* apl_q(apl_state* state);   /* [nq] coordinates                                  */
APL_API double* apl_v(apl_state* state);   /* [nv] quasi-velocities                             */
APL_API double* apl_a(apl_state* state);   /* [nv] v': input of inverse, output of forward      */
APL_API double* apl_tau(apl_state* state); /* [nv] efforts: output of inverse, input of forward */
APL_API double* apl_u(apl_state* state);   /* [nu] inputs                                       */

/* [3*nv] aims of servos, by velocity: coordinate, its rate, and the integral of the control error
   (which runs integrate). Initially rest, 0 and 0. Where an input is the aim of a servo,
   passes take the aim from apl_u() and overwrite it here. */
APL_API double* apl_aim(apl_state* state);

/* An effort is conjugate to its velocity: their product is power. The body frame of a beam with
   root-end pinned is its chord, and the root section rotates relative to it. So the effort on the
   rotation of its joint acts on the chord, like a pair of forces at its ends, and is not the moment
   of a motor at the root. Models with a motor there (springs, dampers, inputs, rotors, prescribed
   motion) are refused. apl_tau() is not checked, because it also holds the result of
   apl_inverse(). */

/* [nsatellite] spin rates, written by apl_rates(). */
APL_API const double* apl_spin(const apl_state* state);

/* State and forces of a contact. Passes read its discrete state (mode, sticks, speed_in, bristle)
   and do not change it; runs change it at located events. */
typedef enum apl_contact_mode {
  APL_CONTACT_OPEN,
  APL_CONTACT_CLOSED,  /* closed since a located event                                           */
  APL_CONTACT_RESTING, /* closed and slow: it does not rebound                                   */
  APL_CONTACT_FRESH    /* not yet examined by a run: it acts if its depth is positive            */
} apl_contact_mode;
typedef struct apl_contact {
  apl_contact_mode mode;
  bool sticks;            /* a constraint force holds it (stiction)                              */
  double speed_in;        /* rate of the depth when it closed [m/s]                              */
  double bristle[2];      /* of the friction law lugre [m]                                       */
  double depth, rate;     /* in the ground [m], [m/s]                                            */
  double slip[2];         /* velocity along the two directions of the ground [m/s]               */
  double force[3];        /* on the robot, along the normal and the two directions [N]           */
  double bristle_rate[2]; /* [m/s]                                                               */
  apl_vec3 axis[3];       /* normal and directions in the world, ...                             */
  apl_vec3 place;         /* ... and where it touches [m]                                        */
  int shape[2];           /* the two shapes (APL_SHAPES) in contact at present; -1: none */
} apl_contact;

/* Contact number `contact` after the last pass (apl_contacts() computes all of them).
   lane: 0 in scalar states, 0 to 3 in lanes; complex: 0 real, 1 imaginary parts. */
APL_API apl_status apl_contact_get(const apl_state* state, int contact, int lane, apl_contact* out);

/* External wrench on a port, at the port's origin, in its own or in world axes; all lanes get it.
   It stays until changed. */
APL_API apl_status apl_load(const apl_model* model, apl_state* state, int port, apl_axes axes,
                            apl_wrench wrench);

/* The same for numbers of the state's own width: wrench[6 * width], moment then force. */
APL_API apl_status apl_load_wide(const apl_model* model, apl_state* state, int port, apl_axes axes,
                                 const double* wrench);

/* Lanes only: lane `lane` takes the parameters (masses, lengths, springs, gravity ...) of
   `variant`, which must have the same topology as the model of the state: the same links, joints,
   bodies, ports, rotors and inputs, and springs, dampers, friction and stops on the same joints. */
APL_API apl_status apl_lane_parameters(const apl_model* model, apl_state* state, int lane,
                                       const apl_model* variant);

/* The link whose joint or body made the last pass fail with APL_ERR_SINGULAR, else -1. */
APL_API int apl_state_trouble(const apl_state* state);

#ifdef __cplusplus
}
#endif
