/* kind.h: a coupling is a kind. What holds a robot (held velocities, contacts, stops, tendons,
   loops) provides rows; drivers (forward dynamics, impacts, time steps, implicit steps, generalised
   alpha) ask the list of kinds and know none by name. A kind is a file in src/kind with a table at
   its foot, and one word in APL_KINDS. Functions that a kind does not need are NULL.
   How to add one: docs/extend/new-coupling.md. Theory: docs/theory/rows.md. */
#pragma once

#include "appell/run.h"

#include "base/arena.h"

#include <stdbool.h>

/* The list, in the order of rows. Loops stand last: their rows are equalities, which the solver of
   couple/rows.h eliminates from the end of the list. */
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

/* What happened to couplings in a time step, or at an event. */
typedef struct coupling_news {
  void (*impact)(const apl_impact* impact, apl_system* system, void* user);
  void* user;
  long impacts; /* counted up                                                                    */
  bool jumped;  /* velocities did: energy and momentum must be booked                            */
  apl_status st;
} coupling_news;

/* One question to all kinds. What a level does not use is zero. */
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

/* Who needs what: "contact 'foot' is rigid". */
typedef struct coupling_need {
  unsigned ability;
  char what[160];
  const char* instead; /* what else would do, or NULL                                             */
  int line, column;    /* of the file, 0: not known                                               */
} coupling_need;

/* What an event of a kind looks at: the event's user. */
typedef struct coupling_watch {
  const struct coupling_kind* kind;
  int of, what; /* for the kind                                                                  */
  double bound;
} coupling_watch;

typedef struct coupling_kind {
  const char* word;

  /* Does a robot of this model ever have rows of this kind? How many at most, at any level? */
  bool (*has)(const apl_model* model);
  int (*most)(const apl_system* s);

  /* Memory for time steps, which is s->own[KIND_word]; then what stands there from the start. */
  void (*room)(apl_system* s, apl_arena* arena);
  void (*open)(apl_system* s);

  /* What couplings of this kind need and a method with the abilities `can` does not have; need is
     left as it is where that is nothing. */
  void (*needs)(const apl_system* s, const apl_run_options* o, unsigned can, coupling_need* need);

  /* How many rows may act now. Of those, how many have forces with limits: forward dynamics has to
     find these before an implicit step can use them. */
  int (*count)(apl_system* s, const coupling_pass* p);
  int (*limited)(const apl_system* s);

  /* Forces of before are taken off; a time step begins. */
  apl_status (*begin)(apl_system* s, coupling_pass* p);

  /* ACCELERATION: forward dynamics where no other kind acts; NULL: by rows, as all others. */
  apl_status (*alone)(apl_system* s, const coupling_pass* p);

  /* What is to be known of the place before the free motion is found. STEP, JUMP */
  apl_status (*look)(apl_system* s, coupling_pass* p);

  /* Rows behind those in s->rows, or in s->implicit (LEVEL_IMPLICIT). s->span[KIND_word] will say
     where they stand. */
  apl_status (*list)(apl_system* s, coupling_pass* p);

  /* STEP: softness and shift of laws, once W is known. */
  void (*soften)(apl_system* s, coupling_pass* p);

  /* What its rows lack, into u of all rows, which is zero. IMPLICIT: rates; END: errors */
  void (*lack)(const apl_system* s, const coupling_pass* p, double* u);

  /* END: the forces of its rows as the state has them; a kind that cannot tell begins at zero. */
  void (*forces)(const apl_system* s, double* out);

  /* Forces or impulses back; then, after the motion has been found with them, the rest. STEP: `end`
     is always called where `begin` was. */
  apl_status (*take)(apl_system* s, coupling_pass* p);
  void (*end)(apl_system* s, coupling_pass* p);

  /* STEP: has anything drifted? Then blocks and q of the same rows for a displacement that brings
     it back. */
  bool (*drifts)(const apl_system* s);
  void (*lift)(apl_system* s, const coupling_pass* p);

  /* STEP: impulses from outside, about the world's origin; work by account. */
  void (*outside)(const apl_system* s, double impulse[6]);
  apl_status (*book)(apl_system* s, coupling_pass* p);

  /* What a driver with located events must watch: events, each with its place in watch[] as user,
     of which the driver fills `kind`. Counts them when both are NULL. */
  int (*events)(apl_system* s, apl_event* list, coupling_watch* watch);

  /* An event of this kind happened, or (NULL) everything is to be looked at: what it remembers
     changes. A kind without this function has corners of forces, where steps have only to land. */
  void (*happens)(const apl_event* event, double t, apl_system* s, coupling_news* news);

  /* With `happens`. The side on which an event stands after that, never zero; is it one that stands
     by what is remembered, whatever g says? */
  double (*side)(const apl_event* event, apl_system* s, double g);
  bool (*decides)(const apl_event* event);

  /* No forces hold the rows: velocities jump instead. How long may the first step after an event at
     t be [s]? HUGE_VAL: any length */
  void (*jams)(double t, apl_system* s, coupling_news* news);
  double (*first_step)(apl_system* s, double t, double tolerance);

  /* What is remembered beside y, for checkpoints. */
  int (*memory_size)(const apl_system* s);
  void (*remember)(apl_system* s, double* out);
  void (*recall)(apl_system* s, const double* in);
} coupling_kind;

/* kind/kinds.c: by number. */
extern const coupling_kind* const apl_kinds[NKIND];

/* Where the rows of a kind stand. */
typedef struct coupling_span {
  int first, n;
} coupling_span;

/* couplings.c: the kinds that this system has, for loops over s->kind[0 .. s->nkind). */
void apl_couplings_find(apl_system* s);

/* couplings.c: memory for time steps; `close` accepts what was never opened. */
apl_status apl_couplings_open(apl_system* s);
void apl_couplings_close(apl_system* s);

/* couplings.c: the question to all kinds, in the order of the list (`book` from its end); ends
   where one fails. `count` and `most` are sums, `list` begins with an empty list. */
int apl_couplings_most(const apl_system* s);
int apl_couplings_count(apl_system* s, const coupling_pass* p);
int apl_couplings_span(apl_system* s, const coupling_pass* p); /* `count`, and s->span from it */
int apl_couplings_limited(const apl_system* s);
apl_status apl_couplings_begin(apl_system* s, coupling_pass* p);
apl_status apl_couplings_look(apl_system* s, coupling_pass* p);
apl_status apl_couplings_list(apl_system* s, coupling_pass* p);
void apl_couplings_soften(apl_system* s, coupling_pass* p);
void apl_couplings_lack(const apl_system* s, const coupling_pass* p, double* u);
apl_status apl_couplings_take(apl_system* s, coupling_pass* p);
void apl_couplings_end(apl_system* s, coupling_pass* p);
bool apl_couplings_drift(const apl_system* s);
void apl_couplings_lift(apl_system* s, const coupling_pass* p);
void apl_couplings_outside(const apl_system* s, double impulse[6]);
apl_status apl_couplings_book(apl_system* s, coupling_pass* p);

/* couplings.c: to += (x x p; p), an impulse p at x about the world's origin. */
void apl_add_moment(const double x[3], const double p[3], double to[6]);

/* supports.c: forward dynamics with the rows of all kinds, as apl_system_forward(). */
apl_status apl_couplings_forward(apl_system* s, coupling_pass* p);
