/* SPDX-License-Identifier: Apache-2.0 */
/* info.h: properties of a model for the command, the channels and the pictures. */
#pragma once

#include "appell/model.h"

typedef struct apl_loop_info {
  const char* type; /* a word of apl_closure_word(), or "coupling"                               */
  int port[2];      /* from, to; -1: the world, or a coupling                                    */
  int velocity[2];  /* couplings: of, to; -1: a loop                                             */
  int row0, nrow;   /* its rows                                                                  */
} apl_loop_info;
apl_loop_info apl_model_loop_info(const apl_model* model, int loop);

/* Doubtful values that a lenient spec has accepted (an impossible inertia, a joint that moves no
   mass): sentences with their positions in the file, in the order of the links. apl_forward()
   refuses a model with a joint that moves no mass; apl_inverse() does not. */
int apl_model_ndoubt(const apl_model* model);
const apl_error* apl_model_doubt(const apl_model* model, int i); /* NULL beyond the last */

/* The velocity that the input drives with an effort; -1: a wheel, a rotor, a tendon or a port. */
int apl_model_input_velocity(const apl_model* model, int input);

/* Number of points of apl_tendon_points(). */
int apl_model_tendon_npoint(const apl_model* model, int tendon);

/* A contact: a point (radius 0) or ball about a port, and the ground that it can touch; or, with
   port -1, a contact point for two shapes of the entry `ground` of `collide`. apl_contact_get()
   tells which shapes use it at present. */
typedef struct apl_contact_info {
  int port;
  double radius;          /* [m]                                                                 */
  double arc;             /* half the angle of an arc [rad]; 0: a ball                           */
  double coefficient;     /* of friction                                                         */
  const char* ground;     /* its name                                                            */
  const char* law;        /* words of its laws                                                   */
  const char* friction;   /* "none" without                                                      */
  apl_vec3 point, normal; /* of its plane, in the world; the normal has length 1                 */
  apl_vec3 along, across; /* directions of friction in it                                        */
  bool first;             /* it is the first contact of its ground                               */
} apl_contact_info;

apl_contact_info apl_model_contact_info(const apl_model* model, int contact);

/* Name of the entry of `collide` that lets two shapes touch; NULL: none. */
const char* apl_model_touches(const apl_model* model, int shape, int other);
