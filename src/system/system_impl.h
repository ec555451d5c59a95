/* system_impl.h: a system, shared by the files of this folder, kinds of couplings and
   drivers.

   y = [q, v, bristles, angles of satellites, impulses of contacts, ledger]. The ledger ends with
   the accounts through which nothing flows; integrators do not see those. What contacts remember is
   not in y: it is in the state (contact_state.h) and in contact_note, changes at events only, and
   checkpoints copy it (apl_system_remember()). */
#pragma once

#include "appell/loop.h"
#include "appell/run.h"

#include "couple/near.h"
#include "couple/rows.h"
#include "dynamics/contact_state.h"
#include "dynamics/passes.h"
#include "model/model_impl.h"
#include "system/equations.h"
#include "system/implicit.h"
#include "system/kind.h"
#include "system/loops.h"

#include <stdbool.h>

/* Numbers that are integrated along but do not count in the error norm: accounts and impulse. */
enum { NLEDGER = APL_NACCOUNT + 6 };

/* What a contact in progress has been so far, for the table of impacts. */
typedef struct contact_note {
  double start;   /* time at which it closed [s]                                                  */
  double impulse; /* of the contact since the start of the run, at that time [N s]                */
  double peak;    /* largest normal force since then [N]                                          */
  double slip[2]; /* along the ground when it closed [m/s]                                        */
  double rest;    /* depth at which it closed: rigid contacts stay there [m]                      */
  double last[3]; /* impulses of the last time step along normal and directions [N s] ...         */
  double period;  /* ... and its length [s]                                                       */
  double out[3];  /* velocities at the end of the last time step in which it pressed [m/s]       */
  bool closed;    /* time stepping: it pressed in that step ...                                   */
  bool stuck;     /* ... and did not slip                                                         */
  bool given;     /* solids have just got this place: events look at it anew                      */
} contact_note;

/* A prescribed freedom: coordinate (or -1) and velocity that follow the signal; or the aim of a
   servo. */
typedef struct drive {
  int coordinate, velocity;
  apl_signal* signal;
} drive;

/* What signals say at one time. Drivers ask for a time again and again: each stage of a method, and
   each look at its end. */
typedef struct heard {
  double t;  /* NAN: nothing was asked for yet                                                    */
  double* x; /* [3 * signals] value, rate and second rate of each                                 */
} heard;

/* The integral part of a servo: its error e = aim - q summed over time. */
typedef struct integral {
  int coordinate, velocity;
  double gain, most; /* of the sum; of the effort that it gives */
} integral;

struct apl_system {
  apl_error complaint; /* why the run cannot go on; its status is APL_OK while it can             */
  const apl_model* model;
  apl_state* state;
  int nq, nv, nu, nsat, npair, nz;
  apl_signal** input; /* [nu] or NULL                                                            */
  double *least, *greatest;
  double* slow; /* [nu] signed 1/speed at which an input can drive no further; 0: at any     */
  int* slow_by; /* [nu] the velocity that is meant                                            */
  drive* drive; /* [nv] one at most per velocity                                            */
  int ndrive;
  drive* aim; /* [nv] those of servos                                                       */
  int naim;
  heard heard_input, heard_drive, heard_aim;
  int nintegral; /* servos that sum their errors over time ...                         */
  struct integral* integral; /* ... [nintegral], behind the bristles in y */
  double left_of;  /* drives are looked at before this time only: a step that ends where a signal
                      breaks sees it from the left                                              */
  double path_end; /* where the first path to end ends, and whose it is; infinite: none          */
  int path_link;
  bool momentum; /* can it be audited?                                                        */
  bool impulses; /* ... and is it?                                                            */
  double tally[TALLY_NUMBERS]; /* energies, momentum and reach, as an audit last found them      */
  double left[TALLY_NUMBERS];  /* ... and as the last step left them behind ...                  */
  double left_t, *left_at;     /* ... at this time and first numbers of y [nq + nv]              */
  bool has_tally;              /* it did                                                         */
  int *held, nheld; /* [nv] velocities kept at zero ...                                          */
  double* push;     /* [nv] ... and the efforts that do it                                       */
  long switched;    /* grows with each coupling that is taken on or off                          */
  double* angle;    /* [nsat], then without a gap ...                                           */
  double* impulse;  /* [npair] of normal forces                                                 */
  contact_note* note; /* [npair]                                                                  */
  double* ledger;     /* [APL_NACCOUNT], impulse [6]                                              */
  int order[NLEDGER]; /* how they stand in y: those through which something can flow first ...  */
  int nactive;        /* ... and how many those are                                             */
  double* seen; /* [nq + nv + npair * CONTACT_NUMBERS] what apl_contacts() was last asked for */
  bool fresh;   /* ... and its answers still stand                                          */
  bool settled, viewed, held_once; /* nothing changes: was looked at, forces were found         */
  bool pulled;                     /* ... tensions were found                                   */
  apl_status forces;               /* ... what came of it                                       */
  apl_status looked; /* what failed while an event looked; the driver asks and clears it        */
  double* kept;      /* [nv] room for velocities                                                 */
  double* pull;      /* [npair] what it would take to hold rigid contacts at rest that rise      */
  int kind[NKIND], nkind;    /* kinds of couplings that this system has: kind.h            */
  void* own[NKIND];          /* what each keeps during time steps ...                      */
  void* own_memory;          /* ... in here                                                */
  coupling_span span[NKIND]; /* where its rows stand among ...                             */
  apl_rows rows;             /* ... those of all kinds                                     */
  int* first_row;         /* [npair] where a contact stands among them                          */
  int nsupport;           /* contacts among them                                                */
  int warm;               /* rows whose forces the next solution starts from, 0: from none */
  apl_cone_result solved; /* how well the last forces were found                                */
  double tolerance;       /* of the solver in time steps, 0: its own; tests let it fail so      */
  bool steps;             /* driven by time steps: contact forces are those of the last one */
  bool free_steps;        /* ... and they book all impulses from outside                     */
  double* rate;           /* [nq] room                                                       */
  double *innovation, *jump; /* [nv] room                                                       */
  bool* down;                /* [npair] room: who is on the ground                              */
  contact_state* before;     /* [npair] room: contacts before an impact */
  double* meeting;           /* [3 * npair] room: impulses */
  double* uncut;             /* [ntendon] tensions as if tendons could push                     */
  void* stepping; /* apl_step(): what it keeps from one call to the next, ...            */
  void (*stop_stepping)(void* stepping); /* ... and how that is freed                             */
  long revision;                         /* grows with each change of drives, holds and memories  */
  system_loops loops;
  system_implicit implicit;
  apl_near near;  /* which solids may touch                                                      */
  double horizon; /* for so long the last search holds [s]                                       */
  int nkey;       /* a table of places that are near ...                                         */
  unsigned long* key; /* [nkey] pair and place + 1, 0: empty                                     */
  int* key_place;     /* [nkey] ... and where in the list they stand, -1: has a contact         */
};

/* touching.c: shapes that have contact i just now, -1: none, or a ground. Is it a place for solids
   that none have? */
void apl_system_shapes(const apl_system* s, int i, int shape[2]);
bool apl_system_is_free(const apl_system* s, int i);

/* touching.c: does contact i push two links apart, so that nothing comes from outside? */
bool apl_system_is_inner(const apl_system* s, int i);

/* touching.c: may contact i stand for these? What a file of checkpoints says is not trusted. */
bool apl_system_has_touch(const apl_system* s, int i, const contact_touch* touch);

/* touching.c: give the free places of contacts to solids that may touch within `horizon` [s], fewer
   where too many are near: s->horizon. `fresh`: what overlaps is there from the start. */
apl_status apl_system_touch(apl_system* s, double horizon, bool fresh, bool* changed);

/* What apl_step() keeps is freed: the next call begins anew. */
void apl_system_end_steps(apl_system* s);

/* Prescribed freedoms, held velocities and inputs at time t. */
void apl_system_drive(apl_system* s, double t);

/* ... of which the aims of servos alone. */
void apl_system_aims(apl_system* s, double t);

/* The integral part of a servo: its error summed over time, as the state has it; the rate of that
   sum; all sums over a time step of length h; and sums z = psi + c z' of an implicit step, both of
   which stand among the nz numbers behind q and v. */
double* apl_system_sum(apl_system* s, int i);
double apl_system_sum_rate(apl_system* s, int i);
void apl_system_sum_errors(apl_system* s, double h);
void apl_system_implicit_sums(apl_system* s, double c, const double* psi, double* z);

/* loops.c */
void apl_system_free_loops(apl_system* s);

/* Book what a jump did: energy to this account, momentum to the impulse. */
void apl_system_book(apl_system* s, apl_account account, double energy, const double* impulse);

/* Depths, slips and forces of contact i for the present state; a failure is left in `looked`. */
const contact_state* apl_system_look(apl_system* s, int i);

/* While it is settled q, v and the memory of contacts stay as they are: contacts are looked at, and
   the forces that hold them are found, once. */
void apl_system_settle(apl_system* s, bool settled);
apl_status apl_system_hold_forces(apl_system* s); /* apl_system_forward() */
const double* apl_system_uncut(apl_system* s);    /* apl_tendons_uncut(); a failure as above */

/* The memory of contact i, to be changed. */
contact_state* apl_system_memory(apl_system* s, int i);

/* apl_system_rate() without what is only integrated along: angles, impulses, ledger. */
apl_status apl_system_rate_motion(double t, const double* y, double* rate, void* system);

/* apl_system_rate() where a step has ended: the tally comes with it. */
apl_status apl_system_rate_landed(double t, const double* y, double* rate, void* system);

/* apl_system_audit() where nothing has happened since the last step: what it left is taken, and the
   state may stand elsewhere. Behind both, tally[TALLY_REACH] is that of y. */
apl_status apl_system_audit_last(apl_system* s, double t, const double* y, apl_ledger* out);

/* All rates for the q, v and a of the state, which are those of y at t, where a is all that moves
   it: no loops, nothing held. The tally comes with them. */
apl_status apl_system_rate_given(apl_system* s, double t, const double* y, double* rate);

/* implicit.c: does anything in the model take energy out of every motion: dampers, friction,
   materials, air, contacts? */
bool apl_system_damped(apl_system* s);

/* jacobian.c: J[n*n], d y'_i / d y_k at J[k*n + i], at the state y; and the room it wants. */
apl_status apl_system_open_jacobian(void* context, apl_error* err);
apl_status apl_system_jacobian(double t, const double* y, int n, double* J, void* context);

/* jacobian.c: inputs of a complex state whose effort is cut by limits, which may fall with speed:
   their imaginary parts follow the limits. */
void apl_system_cut_inputs(const apl_system* s, apl_state* wide);

/* jacobian.c: the imaginary part of the rate of sum i of servos. */
double apl_system_sum_slope(apl_system* s, int i, const apl_state* wide);

/* implicit.c: one implicit step; the context is the system. */
extern const apl_implicit apl_system_implicit;

/* supports.c: forward dynamics with what holds velocities and contacts at rest. */
apl_status apl_system_forward(apl_system* s);

/* kind/contact_support.c: whether the last forward dynamics held contact i along an axis, rather
   than let it rise or slip. */
bool apl_system_holds(const apl_system* s, int i, int axis);

/* kind/contact_support.c: how fast what has drifted at contacts comes back [1/s]: x'' + 2 k x' +
 * k^2 x = 0. */
double apl_system_settling(void);

/* kind/contact_step.c: does contact i have rows, in the last time step or as it is now? */
bool apl_system_contact_acts(const apl_system* s, int i);

/* kind/contact_support.c: nothing pushes contacts until the next forward dynamics. */
void apl_system_clear_push(apl_system* s);

/* kind/contact_support.c: of the rows just solved, `row` is the normal of rigid contact i: fails
   with a sentence where it still goes into the ground, which only prescribed motion does. */
apl_status apl_system_check_stopped(apl_system* s, int i, int row);

/* supports.c: velocities jump so that rigid contacts with `hit` set leave as restitution and
   friction say, those at rest stay. impulse[3 * npair] is what the ground gave. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double ahead, double* impulse);

/* The first velocity from `from` on that is prescribed but has no motion, -1 when all have. */
int apl_system_undriven(const apl_system* s, int from);
