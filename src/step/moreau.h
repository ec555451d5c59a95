/* SPDX-License-Identifier: Apache-2.0 */
/* moreau.h: one time step of a system with any number of contacts, with set-valued laws at velocity
   level: no event is located. run/run_moreau.c makes such steps in sequence. Theory:
   docs/theory/time-stepping.md.

     A (v+ - v) = h (f - h K v) + J^T P      A = M + h C + h^2 K      q+ = q + h N v+

   f are all forces at (q, v) except those of rows (contacts, stops, elastic tendons, loops), K and
   C the stiffness and damping of joints and deformations, P the impulses of rows: with W = J A^-1
   J^T and the velocities u of rows,

     u+ = u_free + W P,     P in the set of each row; friction by maximum dissipation */
#pragma once

#include "step/methods.h"
#include "system/system_impl.h"

typedef struct apl_moreau {
  apl_time_steps base; /* first */
  apl_system* system;
  double *q, *v;         /* [nq], [nv] at the start of the step                                */
  double *free, *jump;   /* [nv] change of v without contact impulses, and by them */
  double *effort, *Kv;   /* [nv] room                                                          */
  double *need, *borne;  /* [nv] impulses on prescribed freedoms without and with the motion of the
                            others */
  double* servo;         /* [nv] efforts of servos at the start                                */
  double* delta;         /* [nt] step on the tangent of q                                      */
  bool trails;           /* some slaved joint has a damper, which acts on rates of coordinates:
                            ... */
  double *rate0, *rate1; /* [nt] ... at the start, and with the velocities of the end          */
  double centre[3]; /* of mass, at the start                                                    */
  double power[APL_NACCOUNT]; /* power of forces that are evaluated at the start of the step */
  void* memory;
} apl_moreau;

/* moreau_ledger.c: powers of explicit forces at the start of a step; then all accounts at its end.
 */
apl_status apl_moreau_open(apl_moreau* m);
apl_status apl_moreau_book(apl_moreau* m, coupling_pass* p);

/* moreau_momentum.c. stands_free: true if only weight and contacts act on the robot from outside.
   weigh: the centre of mass at the start of a step. book_momentum: the external impulse of the
   step. */
bool apl_moreau_stands_free(const apl_system* system);
apl_status apl_moreau_weigh(apl_moreau* m);
void apl_moreau_book_momentum(apl_moreau* m, double h);
