/* SPDX-License-Identifier: Apache-2.0 */
/* channels.h: the channels that a run can record. One table has name, unit, sentence and getter
   of every channel. The list that is made of it is used by all outputs and by the readers of
   tables. */
#pragma once

#include "appell/footing.h"
#include "appell/result.h"
#include "appell/run.h"

#include "base/pool.h"

/* The numbers of a contact. */
typedef struct contact_numbers {
  double place[3], world[3]; /* its place, and its force in world axes */
  double shape[2];           /* counted from 1; 0: none                                         */
  double depth;    /* in the ground [m]                                                           */
  double force[3]; /* of the ground on the robot: along its normal and its two directions [N]     */
  double slip[2];  /* along these [m/s]                                                           */
} contact_numbers;

/* A wheel: the joint that rolls, and which of its contacts. */
typedef struct wheel_place {
  int footing, contact;
} wheel_place;

/* Of a port: position 3, rotation w x y z, velocity 3, spin 3, acceleration 3. */
enum {
  MOTION_POSITION = 0,
  MOTION_ROTATION = 3,
  MOTION_VELOCITY = 7,
  MOTION_SPIN = 10,
  MOTION_ACCELERATION = 13,
  MOTION_NUMBERS = 16
};

/* What the getters read: the model, what was asked for, and the numbers of one output. */
typedef struct channel_source {
  const apl_model* model;
  apl_system* system;
  apl_state* state; /* of the system                                                              */
  int nfooting;     /* joints that roll                                                           */
  int* given;       /* [ngiven] velocities whose effort is recorded                  */
  int* port;        /* [nport] ports that were asked for                                          */
  int* held;        /* [nheld] links whose reaction was asked for                                 */
  wheel_place* wheel;
  int ngiven, nport, nheld, nwheel;
  bool accelerations, reactions;
  bool controlled;        /* as channel_wish                                                      */
  const char** rate_unit; /* [nv] of accelerations                                                */

  double t, first; /* first: the ledger's sum at the start of the run                             */
  const double* y;
  const apl_ledger* ledger;
  double *length, *tension; /* [ntendon]                                                          */
  contact_numbers* contact; /* [ncontact]                                                         */
  apl_footing_forces* footing; /* [nfooting] */
  double* motion; /* [nport * MOTION_NUMBERS] in world axes                             */
  double* wrench; /* [6 * (nlink + 1)] as apl_reactions() has them                      */
  double* rate;   /* y'                                                                 */
} channel_source;

typedef struct channel_slot {
  const struct channel_row* row;
  int item;
  bool ground; /* ground forces of rolling joints, which follow from the present motion */
} channel_slot;

typedef struct channel_list {
  int n;
  apl_channel* channel; /* [n] */
  channel_slot* slot;   /* [n] */
  unsigned needs;
  channel_source from;
  apl_pool pool;
} channel_list;

/* Channels of a system: those that every run has, and those asked for by word: the name of a port
   (its pose and velocity), `accelerations`, `reactions`. With `every` all that a run or an inverse
   could ever record. An unknown word is APL_ERR_ARGUMENT. The system must outlive the list. */
typedef struct channel_wish {
  const char* const* word;
  int nword;
  bool every;
  bool controlled; /* a control program writes efforts: record those of all joints */
} channel_wish;
apl_status apl_channels_new(apl_system* system, const channel_wish* wish, channel_list** out,
                            apl_error* err);
void apl_channels_free(channel_list* list); /* accepts NULL */

/* Fill number[i] for the channels with slot[i].ground, from the present q, v, a, u; other
   numbers do not change. */
apl_status apl_channels_ground(channel_list* list, double* number);

/* Fill row[n]. The state of the system must be that of (t, y). */
apl_status apl_channels_row(channel_list* list, double t, const double* y, const apl_ledger* ledger,
                            double* row);
