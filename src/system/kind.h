/* SPDX-License-Identifier: Apache-2.0 */
/* kind.h: the contract between kinds of couplings and drivers. A coupling acts on a robot beside
   its tree of joints: a held velocity, a contact, a stop, a tendon, a loop. Each kind provides rows
   (scalar constraints or force laws). Drivers (forward dynamics, impacts, time steps, implicit
   steps, generalised alpha) call the kinds through a list and know none by name. A kind is a file
   in src/kind with a table at its end, and one word in APL_KINDS. Functions that a kind does not
   need are NULL.
   How to add one: docs/extend/new-coupling.md. Theory: docs/theory/rows.md. */
#pragma once

#include "appell/run.h"

#include "base/arena.h"
#include "base/store.h"
#include "system/event_side.h"

#include <stdbool.h>

/* The list, in the order of rows. Loops are last: their rows are equalities, and the solver of
   couple/rows.h eliminates equalities at the end of the list. */
#define APL_KINDS(X) X(hold) X(contact) X(stop) X(tendon) X(loop)

#define APL_KIND_NUMBER(word) KIND_##word,
enum { APL_KINDS(APL_KIND_NUMBER) NKIND };
#undef APL_KIND_NUMBER

/* What the rows are for. */
typedef enum coupling_level {
  LEVEL_ACCELERATION, /* forces for the state as it is; q: accelerations                         */
  LEVEL_JUMP,         /* impulses that act at once; q: velocities                                */
  LEVEL_STEP,         /* impulses of one time step (moreau); q: velocities of the free motion    */
  LEVEL_IMPLICIT,     /* rows beside the Newton matrix of implicit steps (stiff)                 */
  LEVEL_END           /* forces where a time step ends, in compliance form (gen-alpha)           */
} coupling_level;

/* LEVEL_END: a row asks for  error + softness p = 0,  and  d error = weight (J dv'+). */
typedef struct coupling_end {
  double weight, softness;
} coupling_end;

/* Report of what happened to couplings in a time step or at an event. */
typedef struct coupling_news {
  void (*impact)(const apl_impact* impact, apl_system* system, void* user);
  void* user;
  long impacts; /* counted up                                                                    */
  bool jumped;  /* velocities jumped: energy and momentum must be booked                         */
  apl_status st;
} coupling_news;

/* Arguments and results of one call of all kinds. Members that a level does not use are zero. */
typedef struct coupling_pass {
  coupling_level level;
  double h; /* STEP: its length [s]; IMPLICIT: c of y = psi + c y'; JUMP: how far ahead [s]       */
  double t; /* STEP: time at its start                                                           */
  const double *q, *v; /* STEP: coordinates and velocities at its start ...                      */
  const double* free;  /* ... and the change of v without rows                                   */
  const bool* hit;     /* JUMP: [npair] contacts that are hit                                    */
  double* impulse;     /* JUMP: [3 * npair] what the ground gave                                 */
  const double* psi;   /* IMPLICIT: numbers of y behind q and v                                  */
  double by_q, by_v;   /* END: dq+/dv'+ and dv+/dv'+                                             */
  coupling_end* end;   /* END: [rows]                                                            */
  bool exact;  /* ACCELERATION: loops are closed exactly, also those of springs                   */
  bool alone;  /* ACCELERATION: no other kind acts, and this one closes itself: see `alone`       */
  bool skewed; /* out: forces of some rows act along other directions than their rates            */
  double stiffest; /* STEP, out: largest h sqrt(k W) of rows that give way ...                    */
  int stiffest_of; /* ... of this contact, or -1 - coordinate of a stop                           */
  double gain;     /* STEP, out: work of contacts that were hit [J]                               */
  coupling_news* news; /* STEP */
} coupling_pass;

/* A row gives way in this step like a spring of h sqrt(k W) = stiff. */
static inline void apl_pass_stiff(coupling_pass* p, double stiff, int of) {
  if (!(stiff > p->stiffest)) return;
  p->stiffest = stiff;
  p->stiffest_of = of;
}

/* Abilities of methods that couplings may need. */
enum {
  NEED_CONTACT = 1 << 0,  /* rows that push one way only                                          */
  NEED_SUPPORT = 1 << 1,  /* contacts that rest or stick exactly                                  */
  NEED_SLIP_LAW = 1 << 2, /* friction as a function of the slip speed                             */
  NEED_BOXES = 1 << 3,    /* contacts that come and go without an event                           */
  NEED_REDUCED = 1 << 4   /* loops closed by independent coordinates                              */
};

/* A need in words, such as "contact 'foot' is rigid". */
typedef struct coupling_need {
  unsigned ability;
  char what[160];
  const char* instead; /* what else would do, or NULL                                             */
  int line, column;    /* of the file, 0: not known                                               */
} coupling_need;

/* What an event of a kind watches; the event has it as its `user`. */
typedef struct coupling_watch {
  const struct coupling_kind* kind;
  int of, what; /* meaning chosen by the kind                                                    */
  double bound;
} coupling_watch;

/* How the drift of constraints is corrected at the end of a step. */
typedef struct coupling_drift {
  double leave; /* errors below this stay [m or rad]; 0: none                                    */
  double norm;  /* c: the change is the smallest one in the norm of M + c C + c^2 K [s]          */
  bool jumped;  /* result: velocities have jumped, so that methods with a past must restart      */
} coupling_drift;

/* What a run asks of a kind in addition to rows and events. Most kinds need few of these, or none.
   Functions that are NULL are not called. */
typedef struct coupling_run {
  /* What the caller has set for this kind (held velocities): how many numbers it is in a
     checkpoint; then they are written or read. A resumed run reads them before anything else,
     because the order of the accounts in y depends on them. */
  int (*settings_size)(const apl_system* s);
  void (*settings)(apl_system* s, apl_store* memory);

  /* A run begins that is not resumed: move the state to one that satisfies the constraints. */
  apl_status (*assemble)(apl_system* s, const apl_run_options* o, apl_error* err);

  /* Choose the method of this kind by the options, for the present state at time t. All kinds are
     asked, also those that the robot does not have: wrong options are refused for every robot. */
  apl_status (*open)(apl_system* s, double t, const apl_run_options* o, apl_error* err);

  /* Refuse a state from which a run cannot begin, with a sentence in err. */
  apl_status (*check_start)(apl_system* s, apl_error* err);

  /* The method acts by impulses of time steps: forces of this kind are switched off in passes. */
  void (*use_impulses)(apl_system* s);

  /* Couplings that come and go (contacts between pairs of solids) share a list of slots.
     `has_slots`: is there such a list? `assign_slots`: give slots to the pairs that may meet within
     *horizon [s], which becomes shorter if there are too few slots; `fresh`: forget earlier owners;
     *changed: some slots have a new owner.
     `slot_is_new`: does the slot of this event have a new owner? `slots_seen`: the run has treated
     all new owners. */
  bool (*has_slots)(const apl_system* s);
  apl_status (*assign_slots)(apl_system* s, double* horizon, bool fresh, bool* changed);
  bool (*slot_is_new)(const apl_event* event, const apl_system* s);
  void (*slots_seen)(apl_system* s);

  /* Forces whose largest value during an impact is reported. `npeak`: their number; `in_impact`: is
     there an impact at present; `peak_forces`: their values in the present state; `keep_peaks`: the
     largest values within the last step, which the kind compares with earlier ones. */
  int (*npeak)(const apl_system* s);
  bool (*in_impact)(apl_system* s);
  void (*peak_forces)(apl_system* s, double* now);
  void (*keep_peaks)(apl_system* s, const double* largest);

  /* Correct the drift of constraints, so that they hold exactly. `close`: in a state between the
     ends of a step, for an output. `project`: at the end of a step; *changed: the state was
     changed. */
  apl_status (*close)(apl_system* s);
  apl_status (*project)(apl_system* s, coupling_drift* how, bool* changed);

  /* Are there forces of this kind in the last solution of the rows that may be one choice among
     several, because the rows depend on each other? */
  bool (*may_share)(const apl_system* s);

  /* The name of an event at which velocities jump because no forces exist (`jams`). */
  const char* jam;

  /* Steps are very short: fill in the members of `out` that name a coupling as a possible cause. */
  void (*name_cause)(const apl_system* s, apl_progress* out);

  /* Why a run has failed with `st` at (t, y), as the text after "at t = 1 s"; false: not because of
     this kind. */
  bool (*explain)(apl_system* s, apl_status st, double t, const double* y, char* text, size_t size);

  /* Its springs may have damping. The integrator `auto` then accepts implicit steps, which add
     numerical damping. */
  bool may_damp;

  /* The absolute errors of coordinates and of velocities that its forces allow, divided by the
     tolerance; 0: no limit. */
  double absolute_error[2];
} coupling_run;

typedef struct coupling_kind {
  const char* word;

  /* Does a robot of this model ever have rows of this kind? How many at most, at any level? */
  bool (*has)(const apl_model* model);
  int (*most)(const apl_system* s);

  /* Take memory for time steps and store it in s->kinds.own[KIND_word]; then fill what stays
     constant. */
  void (*room)(apl_system* s, apl_arena* arena);
  void (*open)(apl_system* s);

  /* Describe in `need` an ability that couplings of this kind need and that is not in `can`, the
     abilities of a method. If there is none, `need` is not changed. */
  void (*needs)(const apl_system* s, const apl_run_options* o, unsigned can, coupling_need* need);

  /* Has it no rows until the program asks for them by a call, which calls apl_couplings_wake()?
     NULL: rows may come at any state. */
  bool (*asleep)(const apl_system* s);

  /* How many rows may act now. Of those, how many have forces with limits: forward dynamics has to
     find these before an implicit step can use them. */
  int (*count)(apl_system* s, const coupling_pass* p);
  int (*limited)(const apl_system* s);

  /* Can the solver of rows find forces of this kind in some state of the run? The complex pass of
     jacobian.c does not know such forces. NULL: never. */
  bool (*solved)(const apl_system* s);

  /* The numbers of this kind that stand in y behind q and v (bristles of friction): how many there
     are, and the solution of z = psi + c z' for them at the present q and v. NULL: none. */
  int (*numbers)(const apl_system* s);
  apl_status (*advance)(apl_system* s, double c, const double* psi, double* z);

  /* Before all other functions of a pass: remove the forces of the previous pass from the state. */
  apl_status (*begin)(apl_system* s, coupling_pass* p);

  /* ACCELERATION: forward dynamics where no other kind acts; NULL: by rows, as all others. */
  apl_status (*alone)(apl_system* s, const coupling_pass* p);

  /* STEP, JUMP: evaluate what depends on positions, before the motion without rows is computed. */
  apl_status (*look)(apl_system* s, coupling_pass* p);

  /* Append rows to s->rows, or to s->implicit (LEVEL_IMPLICIT). The caller stores their position in
     s->kinds.span[KIND_word]. */
  apl_status (*list)(apl_system* s, coupling_pass* p);

  /* STEP: softness and shift of laws, once W is known. */
  void (*soften)(apl_system* s, coupling_pass* p);

  /* Write the residuals of its rows into u, which has a zero for each row of all kinds. IMPLICIT:
     residual rates; END: errors. */
  void (*lack)(const apl_system* s, const coupling_pass* p, double* u);

  /* END: initial guess for the forces of its rows, from the state. NULL: zero. */
  void (*forces)(const apl_system* s, double* out);

  /* Apply the forces or impulses that were found to the state; after the motion has been computed
     with them, clean up. STEP: `end` is called after each `begin`, also after a failure. */
  apl_status (*take)(apl_system* s, coupling_pass* p);
  void (*end)(apl_system* s, coupling_pass* p);

  /* STEP: is there drift to correct? Then `lift` fills blocks and q of the same rows for the
     displacement that corrects it. */
  bool (*drifts)(const apl_system* s);
  void (*lift)(apl_system* s, const coupling_pass* p);

  /* STEP: are some of its forces computed by the passes at the start of the step, and not rows?
     Can its impulses come from outside the robot without being added by `outside`? Then the
     balance of momentum is not checked. */
  bool (*by_passes)(const apl_system* s);
  bool (*unbooked)(const apl_system* s);

  /* STEP: add the impulses from outside the robot, about the world's origin; book work by account.
   */
  void (*outside)(const apl_system* s, double impulse[6]);
  apl_status (*book)(apl_system* s, coupling_pass* p);

  /* STEP: the step is complete. Fail with a sentence if constraints stay violated for many steps.
   */
  apl_status (*check)(apl_system* s);

  /* Events that a driver must locate in time, each with its element of watch[] as `user`; the
     driver fills watch[].kind. Only counts them when both are NULL. */
  int (*events)(apl_system* s, apl_event* list, coupling_watch* watch);

  /* An event of this kind happened (NULL: check all): update the memory of the kind. Events of a
     kind without this function are corners of force laws: a step must end there, and nothing
     changes. */
  void (*happens)(const apl_event* event, double t, apl_system* s, coupling_news* news);

  /* Kinds with `happens`. The side of the event after it happened, never SIDE_ZERO. `decides`: the
     memory of the kind defines that side, even where the sign of g differs by round-off. */
  event_place (*side)(const apl_event* event, apl_system* s, double g);
  bool (*decides)(const apl_event* event);

  /* No forces can satisfy the rows: velocities must jump instead. Largest length of the first step
     after an event at t [s]; HUGE_VAL: no limit. */
  void (*jams)(double t, apl_system* s, coupling_news* news);
  double (*first_step)(apl_system* s, double t, double tolerance);

  /* What a run asks in addition; NULL: nothing. */
  const coupling_run* run;

  /* What is remembered beside y, for checkpoints: how many numbers; then they are written or read
     (base/store.h). */
  int (*memory_size)(const apl_system* s);
  void (*memory)(apl_system* s, apl_store* memory);
} coupling_kind;

/* kind/kinds.c: all kinds, indexed by KIND_word. */
extern const coupling_kind* const apl_kinds[NKIND];

/* Position of the rows of a kind in the list of all rows. */
typedef struct coupling_span {
  int first, n;
} coupling_span;

/* couplings.c: fill s->kinds.list[0 .. s->kinds.n) with the kinds that this system has. */
void apl_couplings_find(apl_system* s);

/* couplings.c: a call of the program has changed which rows there are: find out whether all kinds
   are asleep. Forward dynamics of such a system is that of its tree. */
void apl_couplings_wake(apl_system* s);

/* couplings.c: memory for time steps. `close` may be called without `open`. */
apl_status apl_couplings_open(apl_system* s);
void apl_couplings_close(apl_system* s);

/* couplings.c: call the function of this name of all kinds, in the order of the list (`book` in
   reverse order), until one fails. `count`, `most` and `limited` return sums; `list` clears the
   list of rows first. */
int apl_couplings_most(const apl_system* s);
int apl_couplings_count(apl_system* s, const coupling_pass* p);
int apl_couplings_span(apl_system* s, const coupling_pass* p); /* `count`, and kinds.span from it */
int apl_couplings_limited(const apl_system* s);
apl_status apl_couplings_advance(apl_system* s, double c, const double* psi, double* z);
apl_status apl_couplings_begin(apl_system* s, coupling_pass* p);
apl_status apl_couplings_look(apl_system* s, coupling_pass* p);
apl_status apl_couplings_list(apl_system* s, coupling_pass* p);
void apl_couplings_soften(apl_system* s, coupling_pass* p);
void apl_couplings_lack(const apl_system* s, const coupling_pass* p, double* u);
apl_status apl_couplings_take(apl_system* s, coupling_pass* p);
void apl_couplings_end(apl_system* s, coupling_pass* p);
bool apl_couplings_drift(const apl_system* s); /* this and the next three: true of any kind */
bool apl_couplings_solved(const apl_system* s);
bool apl_couplings_by_passes(const apl_system* s);
bool apl_couplings_unbooked(const apl_system* s);
void apl_couplings_lift(apl_system* s, const coupling_pass* p);
void apl_couplings_outside(const apl_system* s, double impulse[6]);
apl_status apl_couplings_book(apl_system* s, coupling_pass* p);
apl_status apl_couplings_check(apl_system* s);

/* couplings.c: to += (x x p; p), an impulse p at x about the world's origin. */
void apl_add_moment(const double x[3], const double p[3], double to[6]);

/* supports.c: forward dynamics with the rows of all kinds, as apl_system_forward(). */
apl_status apl_couplings_forward(apl_system* s, coupling_pass* p);
