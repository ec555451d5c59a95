/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: the parts of which a system consists (system_impl.h lists them). Each part is a value
   inside the system, so that it costs no pointer to reach; its arrays come from the one block of
   memory that system.c measures and carves. Loops (loops.h), implicit steps (implicit.h), rows
   (couple/rows.h) are parts with headers of their own. */
#pragma once

#include "appell/run.h"

#include "couple/near.h"
#include "couple/rows.h"
#include "dynamics/contact_state.h"
#include "dynamics/passes.h"
#include "system/kind.h"

#include <stdbool.h>

/* ---------------------------------------------------------------------------------- drives ---- */

/* A coordinate (or -1) and a velocity that follow a signal: a prescribed motion, or the aim of a
   servo. */
typedef struct drive {
  int coordinate, velocity;
  apl_signal* signal;
} drive;

/* Values of signals at one time. Drivers evaluate the same time repeatedly (the stages of a method,
   the checks at the end of a step); signals are evaluated once. */
typedef struct heard {
  double t;  /* NAN: nothing was evaluated yet                                                    */
  double* x; /* [3 * signals] value, rate and second rate of each                                 */
} heard;

/* The integral part of a servo, which sums the error e = aim - q over time. */
typedef struct integral {
  int coordinate, velocity;
  double gain, most; /* gain of the sum; largest effort that it may give                          */
} integral;

/* What the user prescribes as functions of time: inputs, motions, aims of servos (drive.c). */
typedef struct system_drives {
  apl_signal** input;       /* [nu] signal of each input; NULL: the caller sets it                */
  double *least, *greatest; /* [nu] limits of the inputs                                          */
  double* slow; /* [nu] signed 1/speed at which the limits of an input reach zero; 0: constant    */
  int* slow_by; /* [nu] the velocity on which these limits depend                                */
  drive* motion; /* [nv] prescribed motions, at most one per velocity                             */
  int nmotion;
  drive* aim; /* [nv] aims of servos, at most one per velocity                                    */
  int naim;
  heard heard_input, heard_motion, heard_aim;
  integral* integral; /* [nintegral] their sums follow the bristles in y                          */
  int nintegral;
  double left_of;  /* signals are evaluated before this time only. A step that ends at a jump of a
                      signal uses the limit from the left.                                        */
  double path_end; /* the earliest end of a path that a link follows [s]; infinite: no path       */
  int path_link;   /* the link that follows it                                                    */
} system_drives;

/* Orders of magnitude of the robot, for tolerances of contacts (scale.c). A robot of about 1 m has
   1, 1, 1. With a = 1 m/s^2, which is below the accelerations of most robots: */
typedef struct system_scale {
  double
      length;   /* L: power of ten nearest to the reach of the robot [m]; 1 where it is not known */
  double time;  /* sqrt(L/a) [s]                                                                 */
  double speed; /* sqrt(L a) [m/s]                                                               */
} system_scale;

/* Velocities that the caller holds at zero (apl_system_hold()). */
typedef struct system_holds {
  int* velocity;  /* [nv] their numbers ...                                                       */
  double* effort; /* [nv] ... and the efforts that hold them                                      */
  int n;
} system_holds;

/* ---------------------------------------------------------------------------------- ledger ---- */

/* Numbers of the ledger: the accounts of energy, and an impulse with its moment. */
enum { NLEDGER = APL_NACCOUNT + 6 };

/* Work by account, impulse from outside, and the energies with which an audit compares them
   (ledger.c). */
typedef struct system_ledger {
  double* account;    /* [APL_NACCOUNT] work since the start, then the impulse [6]                */
  int order[NLEDGER]; /* the account of each place in y: those that can change come first         */
  int nactive;        /* how many can change                                                      */
  bool momentum;      /* can the balance of momentum be checked for this model?                   */
  bool impulses;      /* is it checked, so that the impulse is integrated?                        */
  double tally[TALLY_NUMBERS]; /* energies, momentum and reach of the last audit                  */
  double left[TALLY_NUMBERS];  /* the same numbers at the end of the last step ...                */
  double left_t, *left_at;     /* ... with its time, and its q and v [nq + nv]                    */
  bool has_left;               /* `left` is filled                                                */
} system_ledger;

/* Numbers of y that are integrated with the motion but have no influence on it. The two arrays
   follow each other in memory, as in y. */
typedef struct system_along {
  double* angle;   /* [nsat] angles of satellites (wheels and rollers)                            */
  double* impulse; /* [npair] time integral of the normal force of each contact                   */
} system_along;

/* -------------------------------------------------------------------------------- contacts ---- */

/* History of a contact, for the table of impacts and for time steps. */
typedef struct contact_note {
  double start;   /* time at which it closed [s]                                                  */
  double impulse; /* of the contact since the start of the run, at that time [N s]                */
  double peak;    /* largest normal force since then [N]                                          */
  double slip[2]; /* slip velocity along the ground when it closed [m/s]                          */
  double rest;    /* depth at which it closed: rigid contacts stay there [m]                      */
  double last[3]; /* impulses of the last time step along normal and directions [N s] ...         */
  double period;  /* ... and its length [s]                                                       */
  double out[3];  /* velocities at the end of the last time step in which it pressed [m/s]        */
  bool closed;    /* time stepping: it pressed in that step ...                                   */
  bool stuck;     /* ... and did not slip                                                         */
  bool given;     /* the place was just given to two solids: events must evaluate it anew         */
} contact_note;

/* What is known of each contact beside its state, and arrays for impacts. */
typedef struct system_contacts {
  contact_note* note; /* [npair]                                                                  */
  double* pull;       /* [npair] force that would keep a rigid contact, which lifts off, at rest  */
  int* first_row;     /* [npair] first row of each contact in `rows`                              */
  bool may_hold;      /* some contact can rest or stick: it is rigid, or its friction law sticks  */
  int nsupport;       /* contacts that have rows                                                  */
  bool* down;         /* [npair] impacts: is the contact on the ground?                           */
  contact_state* before; /* [npair] impacts: contacts before the impact                           */
  double* meeting;       /* [3 * npair] impacts: impulses                                         */
} system_contacts;

/* The search for solids that may touch, which gives them places among the contacts
   (touching.c). */
typedef struct system_touch {
  apl_near near;      /* places of pairs of solids that may touch soon                            */
  double horizon;     /* the last search is valid for this time [s]                               */
  int nkey;           /* a hash table of these places                                             */
  unsigned long* key; /* [nkey] number of pair and place, plus 1; 0: empty                        */
  int* key_place;     /* [nkey] index in near.list; -1: the place has a contact                   */
} system_touch;

/* What was computed for one state, so that events which ask again get the same answer without
   another pass (look.c). */
typedef struct system_look {
  double* q;           /* [nq] the state for which contacts were evaluated ...                  */
  double* v;           /* [nv]                                                                  */
  contact_state* seen; /* [npair] ... and the contacts that were found                          */
  bool fresh;          /* `seen` is valid as long as the state equals q and v                   */
  bool settled;        /* the driver promises that the state does not change ...                */
  bool viewed;         /* ... since then contacts were evaluated ...                            */
  bool held;           /* ... the forces that hold rows were found, with this status ...        */
  apl_status forces;   /*                                                                       */
  bool pulled;         /* ... and the tensions of tendons                                       */
  double* uncut;       /* [ntendon] tensions if tendons could push                              */
  apl_status failed;   /* failure while an event evaluated; the driver reads and clears it      */
} system_look;

/* ---------------------------------------------------------------------------------- couplings --
 */

/* The kinds of couplings (kind.h) that this system has. */
typedef struct system_kinds {
  int list[NKIND], n;        /* their numbers                                                     */
  bool asleep;               /* none of them has rows, or will have before apl_couplings_wake()   */
  void* own[NKIND];          /* by number: what a kind stores during time steps ...               */
  void* memory;              /* ... in this block                                                 */
  coupling_span span[NKIND]; /* by number: where its rows stand in `rows`                         */
  long switched; /* counts how often the caller has added or removed rows (apl_system_hold())     */
} system_kinds;

/* The solution for the forces of all rows. */
typedef struct system_solve {
  int warm; /* number of rows whose last forces are the initial guess of the next solution; 0:
               the guess is zero                                                                  */
  apl_cone_result last; /* accuracy of the last solution                                          */
  double tolerance; /* of the solver in time steps, 0: its default. Tests make it fail with this. */
} system_solve;

/* ---------------------------------------------------------------------------------- stepping -- */

/* How the system is driven. */
typedef struct system_stepping {
  void* kept; /* apl_step(): its memory between calls, ...                           */
  void (*stop)(void* kept); /* ... and the function that frees it                                 */
  bool impulsive;     /* by time steps with impulses: contact forces are means over the last step */
  bool books_outside; /* ... and these steps book every impulse from outside                      */
} system_stepping;

/* Arrays for intermediate results, valid within one function only. */
typedef struct system_room {
  double* rate;       /* [nq]                                                                     */
  double* innovation; /* [nv]                                                                     */
  double* jump;       /* [nv]                                                                     */
  double* kept;       /* [nv]                                                                     */
} system_room;
