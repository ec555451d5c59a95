/* moreau.h: one time step of a system with contacts of any number, set-valued on the level of
   velocities: no event is located. A driver (run/run_moreau.c) makes such steps one after the
   other. Theory: docs/theory/time-stepping.md.

     A (v+ - v) = h (f - h K v) + J^T P      A = M + h C + h^2 K      q+ = q + h N v+

   f are all forces at (q, v) but those of rows (contacts, stops, elastic tendons, loops), K and C
   stiffness and damping of joints and deformations, P impulses of rows: with W = J A^-1 J^T and the
   velocities u of rows,

     u+ = u_free + W P,     P in the set of each row; friction: most dissipation */
#pragma once

#include "law/contact_law.h"
#include "system/system_impl.h"

/* What a contact does in one step. */
typedef struct moreau_contact {
  int row;          /* its normal among the rows, -1 when it is too far away                     */
  int rows;         /* how many: the normal, and directions along the ground, of which ...       */
  int along;        /* ... the first is this one, 1 or 2                                         */
  double before[3]; /* velocities at the start of the step: away from the ground, along it       */
  double depth;     /* at the start                                                              */
  bool hit;         /* comes in fast enough for restitution                                      */
  double shift;     /* of its normal velocity in the law of the row: u + shift + softness P      */
  double softness;
  double after[3]; /* velocities at the end                                                     */
  apl_way way[3];  /* along its axes ...                                                         */
  double number[3 * ROW_NUMBERS];
  double velocity[3]; /* ... and the velocities of the free motion                               */
} moreau_contact;

/* A stop of a joint, or an elastic tendon, and what it does in one step. */
typedef struct moreau_part {
  int tendon;               /* -1: a stop of ...                                                 */
  int coordinate, velocity; /* ... this coordinate, ...                                          */
  double sign, bound;       /* ... which is below (-1) or above (1) it; a tendon's length at rest */
  double k, d;              /* stiffness and damping of its law                                  */
  int row;                  /* among the rows, -1 when it is too far away                        */
  double depth;             /* at the start                                                      */
  double before, after;     /* velocities out of it                                              */
  double shift, softness;
  double last; /* impulse                                                           */
} moreau_part;

/* What a row of a loop does in one step. */
typedef struct moreau_loop {
  double before, after;   /* rates at the start and at the end                                   */
  double shift, softness; /* springs: u + shift + softness P = 0                                 */
} moreau_loop;

/* What is worth telling when the run is over; doubles only, a checkpoint carries them. */
typedef struct moreau_worst {
  double gain;     /* largest energy that restitution gave instead of taking it [J] ...          */
  double gain_at;  /* ... when                                                                   */
  double residual; /* largest of the solver                                                      */
  double rough;    /* steps whose forces are less exact than the solver's tolerance              */
  double stiffest; /* largest h sqrt(k W) of compliant contacts: steps per period are 2 pi over it
                    */
  double stiffest_of; /* ... of this contact, or -1 - coordinate of a stop                       */
} moreau_worst;
enum { MOREAU_NUMBERS = sizeof(moreau_worst) / sizeof(double) };

/* A step was taken over a spring: h sqrt(k W), of contact `of` or of a stop at coordinate -1 - of.
 */
static inline void apl_moreau_stiff(moreau_worst* worst, double stiff, int of) {
  if (!(stiff > worst->stiffest)) return;
  worst->stiffest = stiff;
  worst->stiffest_of = of;
}

typedef struct apl_moreau {
  apl_system* system;
  moreau_contact* contact; /* [npair]                                                            */
  moreau_loop* loop;       /* [npart]                                                            */
  moreau_part* part;       /* [nparts] stops, then elastic tendons ...                           */
  int nparts, ntendons;    /* ... of which these are the tendons                                 */
  double *length, *pull;   /* [ntendon], [ntendon * nv] of tendons at the start                  */
  double *q, *v;           /* [nq], [nv] at the start of the step                                */
  double *free, *jump;     /* [nv] change of v without contacts, and by them                     */
  double *effort, *Kv;     /* [nv] room                                                          */
  double *need, *borne;    /* [nv] efforts of prescribed freedoms without and with the motion of the
                              others                                                             */
  double* servo;           /* [nv] efforts of servos at the start                                */
  double* delta;           /* [nt] step on the tangent of q                                      */
  bool trails;             /* dampers of slaved joints feel rates of coordinates: ...            */
  double *rate0, *rate1;   /* [nt] ... at the start, and with the velocities of the end          */
  double centre[3]; /* of mass, at the start                                                    */
  double power[APL_NACCOUNT]; /* of forces that are taken as they are at the start               */
  void* memory;
  bool asks; /* whether this step finds out if its forces are unique, which is not free  */
  moreau_worst worst;
} apl_moreau;

/* What happened to contacts in a step, told at its end. */
typedef struct moreau_news {
  void (*impact)(const apl_impact* impact, apl_system* system, void* user);
  void* user;
  long impacts;
} moreau_news;

/* Refuses models with laws that have no set-valued form. */
apl_status apl_moreau_new(apl_system* system, apl_moreau** out, apl_error* err);
void apl_moreau_free(apl_moreau* m); /* accepts NULL */

/* From the state of the system at time t to t + h. */
apl_status apl_moreau_step(apl_moreau* m, double t, double h, moreau_news* news);

/* moreau_contacts.c: contacts at the start of a step; places frames. */
apl_status apl_moreau_look(apl_moreau* m);

/* moreau_contacts.c: all rows that may act in this step, with the free motion. */
apl_status apl_moreau_rows(apl_moreau* m, double h);

/* moreau_contacts.c: a compliant law P = h F(D - h u, -u) as the row u + shift + softness P = 0,
   made linear where it would be by itself; a depth below `touch` is not yet one. */
typedef struct soft_step {
  double h, W, free, depth; /* A^-1 along the row, its free velocity, its depth at the start     */
} soft_step;
typedef struct soft_row {
  double shift, softness, k; /* and the stiffness that was met                                  */
} soft_row;
soft_row apl_moreau_soft_row(const normal_numbers* N, double speed_in, const soft_step* step,
                             double touch);

/* moreau_parts.c: how many there may be, and the list of them; what they are at the start of a
   step; their rows, made soft once W is known, idle while contacts are lifted; impulses; their
   accounts.
 */
int apl_moreau_count_parts(const apl_system* system);
void apl_moreau_list_parts(apl_moreau* m);
apl_status apl_moreau_look_at_parts(apl_moreau* m);
void apl_moreau_add_parts(apl_moreau* m, double h);
void apl_moreau_soften_parts(apl_moreau* m, double h);
void apl_moreau_idle_parts(apl_moreau* m);
void apl_moreau_take_parts(apl_moreau* m);
void apl_moreau_book_parts(apl_moreau* m, double h);

/* moreau_contacts.c: impulses and velocities of contacts from the rows that have been solved. */
void apl_moreau_take(apl_moreau* m, double h);

/* moreau_contacts.c: take rigid contacts out of the ground: a displacement dq/h [nv], zero unless
   `any`. */
apl_status apl_moreau_lift(apl_moreau* m, double h, double* lift, bool* any);

/* moreau_ledger.c: powers of explicit forces at the start of a step; then all accounts at its end.
 */
apl_status apl_moreau_open(apl_moreau* m);
apl_status apl_moreau_book(apl_moreau* m, double t, double h, moreau_news* news);

/* loop_rows.c: loops of a step: cut them, list their rows for the free motion, make those of
   springs soft once W is known, take impulses and rates, close gaps by a displacement, book the
   work. */
void apl_moreau_cut_loops(apl_moreau* m);
apl_status apl_moreau_list_loops(apl_moreau* m);
void apl_moreau_soften_loops(apl_moreau* m, double h);
void apl_moreau_take_loops(apl_moreau* m);
void apl_moreau_lift_loops(apl_moreau* m, double h);
void apl_moreau_book_loops(apl_moreau* m, double h);

/* moreau_momentum.c: does nothing but weight and contacts push the robot from outside? Then the
   centre of mass at the start of a step, and what its impulses were at its end. */
bool apl_moreau_stands_free(const apl_system* system);
apl_status apl_moreau_weigh(apl_moreau* m);
void apl_moreau_book_momentum(apl_moreau* m, double h);
