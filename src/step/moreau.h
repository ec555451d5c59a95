/* moreau.h: one time step of a system with contacts of any number, set-valued on the level of
   velocities: no event is located. A driver (run/run_moreau.c) makes such steps one after the
   other. Theory: docs/theory/time-stepping.md.

     A (v+ - v) = h (f - h K v) + J^T P      A = M + h C + h^2 K      q+ = q + h N v+

   f are all forces at (q, v) but those of rows (contacts, stops, elastic tendons, loops), K and C
   stiffness and damping of joints and deformations, P impulses of rows: with W = J A^-1 J^T and the
   velocities u of rows,

     u+ = u_free + W P,     P in the set of each row; friction: most dissipation */
#pragma once

#include "step/methods.h"
#include "system/system_impl.h"

typedef struct apl_moreau {
  apl_time_steps base; /* first */
  apl_system* system;
  double *q, *v;         /* [nq], [nv] at the start of the step                                */
  double *free, *jump;   /* [nv] change of v without contacts, and by them                     */
  double *effort, *Kv;   /* [nv] room                                                          */
  double *need, *borne;  /* [nv] efforts of prescribed freedoms without and with the motion of the
                            others                                                             */
  double* servo;         /* [nv] efforts of servos at the start                                */
  double* delta;         /* [nt] step on the tangent of q                                      */
  bool trails;           /* dampers of slaved joints feel rates of coordinates: ...            */
  double *rate0, *rate1; /* [nt] ... at the start, and with the velocities of the end          */
  double centre[3]; /* of mass, at the start                                                    */
  double power[APL_NACCOUNT]; /* of forces that are taken as they are at the start               */
  void* memory;
} apl_moreau;

/* moreau_ledger.c: powers of explicit forces at the start of a step; then all accounts at its end.
 */
apl_status apl_moreau_open(apl_moreau* m);
apl_status apl_moreau_book(apl_moreau* m, coupling_pass* p);

/* moreau_momentum.c: does nothing but weight and contacts push the robot from outside? Then the
   centre of mass at the start of a step, and what its impulses were at its end. */
bool apl_moreau_stands_free(const apl_system* system);
apl_status apl_moreau_weigh(apl_moreau* m);
void apl_moreau_book_momentum(apl_moreau* m, double h);
