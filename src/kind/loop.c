/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c: loops and gears: constraint rows between two frames, or two velocities. If no other
   coupling is active, system/loops.c closes them alone; here their forces are solved together with
   those of the other kinds. Loop springs are forces of the passes, except in time steps, where they
   are rows too. Theory: docs/theory/loops.md, 6 and 7. */
#include "kind/kinds.h"

#include "dynamics/passes.h"
#include "dynamics/loops.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Data of a row in one time step. */
typedef struct loop_step {
  double before, after;   /* rates at the start and at the end                                   */
  double shift, softness; /* springs: u + shift + softness P = 0                                 */
} loop_step;

static loop_step* steps_of(const apl_system* s) {
  return s->kinds.own[KIND_loop];
}

static double* row_of(const apl_system* s, int k) {
  return s->state->row + APL_LOOP * k;
}

static bool are_springs(const apl_system* s) {
  return s->loops.method == LOOPS_SPRINGS;
}

static bool loop_has(const apl_model* m) {
  return m->npart > 0;
}

static int loop_most(const apl_system* s) {
  return s->model->npart;
}

static void loop_room(apl_system* s, apl_arena* arena) {
  s->kinds.own[KIND_loop] = apl_arena_take(arena, sizeof(loop_step) * (size_t)s->model->npart);
}

static void loop_needs(const apl_system* s, const apl_run_options* o, unsigned can,
                       coupling_need* need) {
  const char* word = apl_loop_method_word(LOOPS_REDUCED);
  if ((can & NEED_REDUCED) != 0 || o->loops.method == NULL || strcmp(o->loops.method, word) != 0)
    return;

  need->ability = NEED_REDUCED;
  need->instead = "the method multipliers or springs";
  need->line = s->model->loop_mark[0].line;
  need->column = s->model->loop_mark[0].column;
  snprintf(need->what, sizeof need->what, "loops are closed by the method '%s'", word);
}

static int loop_count(apl_system* s, const coupling_pass* p) {
  (void)p;
  return s->model->npart;
}

/* Springs are forces of the passes. */
static bool loop_solved(const apl_system* s) {
  return !s->state->springs;
}

/* A loop may be closed to the world. */
static bool loop_unbooked(const apl_system* s) {
  (void)s;
  return true;
}

static apl_status loop_alone(apl_system* s, const coupling_pass* p) {
  return p->exact ? apl_closing_forward(&s->loops.closing, s->state, s->loops.stabilise)
                  : apl_system_close_forward(s);
}

/* ------------------------------------------------------------------------------------- cut ---- */

static void forget_forces(apl_system* s) {
  for (int k = 0; k < s->model->npart; ++k)
    row_of(s, k)[APL_LOOP_FORCE] = 0.0;
}

/* Set loop forces to zero. With the method `reduced`, compute the dependent coordinates from the
   independent ones. */
static apl_status cut(apl_system* s) {
  system_loops* l = &s->loops;

  forget_forces(s);
  if (l->method != LOOPS_REDUCED) return APL_OK;
  const apl_status st = l->reduced.chosen ? APL_OK : apl_reduced_choose(&l->reduced, s->state);
  return st == APL_OK ? apl_reduced_complete(&l->reduced, s->state) : st;
}

static apl_status loop_begin(apl_system* s, coupling_pass* p) {
  const bool rows = apl_system_loops_are_rows(s) || p->exact;

  switch (p->level) {
  case LEVEL_ACCELERATION:
    return rows && !p->alone ? cut(s) : APL_OK;
  case LEVEL_JUMP:
    return rows ? cut(s) : APL_OK;
  case LEVEL_STEP:
    apl_loops_springs(s->state, false);
    forget_forces(s);
    return APL_OK;
  case LEVEL_IMPLICIT: /* a step must not depend on forces left by an earlier evaluation */
    if (rows) forget_forces(s);
    return APL_OK;
  case LEVEL_END:
    apl_loops_springs(s->state, false);
    return APL_OK;
  }
  return APL_OK;
}

/* ------------------------------------------------------------------------------------ rows ---- */

/* Add equality rows after all other rows, for the poses of the last pass. Returns the first
   index. */
static int add_rows(apl_system* s) {
  apl_rows* r = &s->rows;
  apl_closing* w = &s->loops.closing;
  const int first = r->n;

  s->state->passes->loop_numbers(s->model, s->state, w->number);
  for (int k = 0; k < w->n; ++k) {
    const int i = apl_rows_add(r, APL_SET_FREE, 1);
    r->way[i] = w->way[k];
    memcpy(r->number + i * ROW_NUMBERS, w->number + k * ROW_NUMBERS, sizeof(double) * ROW_NUMBERS);
  }
  apl_rows_equate(r, w->n);
  return first;
}

/* Right-hand side: accelerations of the rows, or their velocities extrapolated by h. */
static apl_status list_now(apl_system* s, const coupling_pass* p) {
  const double w = s->loops.stabilise;
  if (!apl_system_loops_are_rows(s) && !p->exact) return APL_OK;

  const apl_status st = apl_loops(s->model, s->state);
  const int first = add_rows(s);
  for (int k = 0; k < s->model->npart; ++k) {
    const double* row = row_of(s, k);
    s->rows.q[first + k] =
        p->level == LEVEL_ACCELERATION
            ? row[APL_LOOP_ACCEL] + w * (2.0 * row[APL_LOOP_RATE] + w * row[APL_LOOP_GAP])
            : row[APL_LOOP_RATE] + p->h * row[APL_LOOP_ACCEL];
  }
  return st;
}

/* Rates at the start of the step, then those without constraint impulses; the latter velocities
   stay in the state. */
static apl_status list_step(apl_system* s, const coupling_pass* p) {
  double* v = apl_v(s->state);

  memcpy(v, p->v, sizeof *v * (size_t)s->nv);
  apl_status st = apl_loops(s->model, s->state);
  for (int k = 0; k < s->model->npart; ++k)
    steps_of(s)[k].before = row_of(s, k)[APL_LOOP_RATE];
  for (int j = 0; j < s->nv; ++j)
    v[j] = p->v[j] + p->free[j];
  if (st == APL_OK) st = apl_loops(s->model, s->state);
  const int first = add_rows(s);
  for (int k = 0; k < s->model->npart; ++k)
    s->rows.q[first + k] = row_of(s, k)[APL_LOOP_RATE];
  return st;
}

/* Rows without compliance, or springs with stiffness s = c d + c^2 k. Rows that sleep, and springs
   without stiffness, have an infinite compliance: no force. */
static apl_status list_implicit(apl_system* s, double c) {
  system_implicit* w = &s->implicit;
  const int first = w->n;

  for (int k = 0; k < s->model->npart; ++k) {
    const double* row = row_of(s, k);
    const double stiff = c * (row[APL_LOOP_DAMPING] + c * row[APL_LOOP_STIFFNESS]);
    const bool springs = are_springs(s), none = springs ? !(stiff > 0.0) : s->loops.asleep[k] > 0.5;
    apl_implicit_add(w, none ? HUGE_VAL : springs ? 1.0 / stiff : 0.0);
  }
  return apl_loops_jacobian(s->model, s->state, w->J + first * s->nv);
}

/* Compliance of a row: 1/k for springs, else 0. */
static double softness_of(const apl_system* s, const double* row) {
  const double k = row[APL_LOOP_STIFFNESS];
  return are_springs(s) && k > 0.0 ? 1.0 / k : 0.0;
}

/* Row residual c + (d/k) c' + p/k = 0; its change is  dc + (d/k) dc' = (x + (d/k) y) J dv'. */
static apl_status list_end(apl_system* s, coupling_pass* p) {
  const int first = add_rows(s);

  for (int k = 0; k < s->model->npart; ++k) {
    const double *row = row_of(s, k), softness = softness_of(s, row);
    p->end[first + k] =
        (coupling_end){.weight = softness > 0.0 ? p->by_q + p->by_v * row[APL_LOOP_DAMPING] /
                                                                row[APL_LOOP_STIFFNESS]
                                                : p->by_q,
                       .softness = softness};
  }
  return APL_OK;
}

static apl_status loop_list(apl_system* s, coupling_pass* p) {
  switch (p->level) {
  case LEVEL_STEP:
    return list_step(s, p);
  case LEVEL_IMPLICIT:
    return list_implicit(s, p->h);
  case LEVEL_END:
    return list_end(s, p);
  case LEVEL_ACCELERATION:
  case LEVEL_JUMP:
    break;
  }
  return list_now(s, p);
}

/* Springs with gap and rate at the end of the step:
     P = -h (k (c + h u) + d u)   =>   u + P / (h^2 k + h d) = -h k c / (h^2 k + h d) */
static void loop_soften(apl_system* s, coupling_pass* p) {
  apl_rows* r = &s->rows;
  if (!are_springs(s)) return;

  for (int k = 0; k < s->model->npart; ++k) {
    const double* row = row_of(s, k);
    loop_step* l = &steps_of(s)[k];
    const int i = s->kinds.span[KIND_loop].first + k;
    const double stiff = row[APL_LOOP_STIFFNESS],
                 sum = p->h * (p->h * stiff + row[APL_LOOP_DAMPING]);
    double* W = &r->W[i * r->n + i];

    /* no stiffness and damping: a very large compliance makes the force negligible */
    l->softness = sum > 0.0 ? 1.0 / sum : *W / DBL_EPSILON;
    l->shift = sum > 0.0 ? p->h * stiff * row[APL_LOOP_GAP] / sum : 0.0;
    *W += l->softness;
    r->q[i] += l->shift;
  }
}

/* Implicit steps: loops are closed at the start of each step, and the rate k reduces remaining
   gaps. Springs have no residual. */
static void lack_rates(const apl_system* s, double c, double* u) {
  const double k = s->loops.stabilise;

  for (int i = 0; i < s->model->npart && !are_springs(s); ++i) {
    const double* row = row_of(s, i);
    u[i] = (row[APL_LOOP_RATE] + k * row[APL_LOOP_GAP]) / (1.0 + c * k);
  }
}

static void loop_lack(const apl_system* s, const coupling_pass* p, double* u) {
  if (p->level == LEVEL_IMPLICIT) {
    lack_rates(s, p->h, u + s->implicit.span[KIND_loop].first);
    return;
  }
  for (int k = 0; k < s->model->npart; ++k) {
    const double *row = row_of(s, k), late = row[APL_LOOP_DAMPING] * softness_of(s, row);
    u[s->kinds.span[KIND_loop].first + k] = row[APL_LOOP_GAP] + late * row[APL_LOOP_RATE];
  }
}

/* ---------------------------------------------------------------------------------- forces ---- */

static void loop_forces(const apl_system* s, double* out) {
  for (int k = 0; k < s->model->npart; ++k)
    out[k] = row_of(s, k)[APL_LOOP_FORCE];
}

static void take_step(apl_system* s) {
  const apl_rows* r = &s->rows;

  for (int k = 0; k < s->model->npart; ++k) {
    loop_step* l = &steps_of(s)[k];
    const int i = s->kinds.span[KIND_loop].first + k;
    s->loops.last[k] = r->r[i];
    l->after = r->u[i] - l->shift - l->softness * r->r[i];
  }
}

/* Add the force to the row, so that the next residual contains it. */
static void take_implicit(apl_system* s, double c) {
  const double* force = s->implicit.p + s->implicit.span[KIND_loop].first;

  for (int k = 0; k < s->model->npart && !are_springs(s); ++k)
    row_of(s, k)[APL_LOOP_FORCE] += force[k] / c;
}

static apl_status loop_take(apl_system* s, coupling_pass* p) {
  const coupling_span* span = &s->kinds.span[KIND_loop];

  if (p->level == LEVEL_STEP) {
    take_step(s);
  } else if (p->level == LEVEL_IMPLICIT) {
    take_implicit(s, p->h);
  } else if (p->level != LEVEL_JUMP) {
    for (int k = 0; k < span->n; ++k)
      row_of(s, k)[APL_LOOP_FORCE] = s->rows.r[span->first + k];
  }
  return APL_OK;
}

static bool loop_drifts(const apl_system* s) {
  return apl_system_loops_are_rows(s);
}

/* Position correction: close the gaps of exact rows; springs keep theirs. */
static void loop_lift(apl_system* s, const coupling_pass* p) {
  for (int k = 0; k < s->model->npart; ++k) {
    const int i = s->kinds.span[KIND_loop].first + k;
    s->rows.block[s->rows.nblock++] = (apl_cone_block){.set = APL_SET_FREE, .row = i};
    s->rows.q[i] = are_springs(s) ? 0.0 : row_of(s, k)[APL_LOOP_GAP] / p->h;
  }
}

/* Work of the impulses. An exact row cancels the rate left by the last step; dampers dissipate -h d
   u+. Afterwards the forces in the rows are the mean forces of the step. */
static apl_status loop_book(apl_system* s, coupling_pass* p) {
  const bool springs = are_springs(s);

  for (int k = 0; k < s->model->npart; ++k) {
    const loop_step* l = &steps_of(s)[k];
    const double mean = 0.5 * (l->before + l->after);
    double* row = row_of(s, k);
    if (springs) {
      s->ledger.account[APL_ACCOUNT_LOOP] -= p->h * row[APL_LOOP_DAMPING] * l->after * mean;
    } else {
      s->ledger.account[APL_ACCOUNT_PROJECTION] += s->loops.last[k] * mean;
    }
    s->loops.worst.gap = fmax(s->loops.worst.gap, springs ? 0.0 : fabs(row[APL_LOOP_GAP]));
    s->loops.worst.rate = fmax(s->loops.worst.rate, springs ? 0.0 : fabs(l->before));
    row[APL_LOOP_FORCE] = s->loops.last[k] / p->h;
  }
  apl_loops_springs(s->state, springs);
  return APL_OK;
}

static bool loop_explain(apl_system* s, apl_status st, double t, const double* y, char* text,
                         size_t size) {
  (void)st;
  text[0] = ':';
  text[1] = ' ';
  return apl_system_explain_loops(s, t, y, text + 2, size - 2);
}

/* ------------------------------------------------------------------------------------- run ---- */

/* Springs that continue from an earlier run may be stretched: the state is not moved. */
static apl_status run_assemble(apl_system* s, const apl_run_options* o, apl_error* err) {
  return apl_system_loops_go_on(s, &o->loops) ? APL_OK
                                              : apl_system_assemble(s, NULL, NULL, NULL, err);
}

/* The slow start of springs belongs to the beginning of a motion: a resumed run, and one that
   continues with springs of the run before, do not repeat it. */
static apl_status run_open(apl_system* s, double t, const apl_run_options* o, apl_error* err) {
  apl_loop_options loops = o->loops;

  if (o->resume != NULL || (loops.go_on && s->loops.sprung)) loops.slow = false;
  return apl_system_loops(s, t, &loops, err);
}

static const coupling_run loop_run = {.assemble = run_assemble,
                                      .open = run_open,
                                      .close = apl_system_close_loops,
                                      .project = apl_system_project,
                                      .explain = loop_explain,
                                      .may_damp = true};

const coupling_kind apl_kind_loop = {.word = "loop",
                                     .has = loop_has,
                                     .most = loop_most,
                                     .room = loop_room,
                                     .needs = loop_needs,
                                     .count = loop_count,
                                     .solved = loop_solved,
                                     .unbooked = loop_unbooked,
                                     .begin = loop_begin,
                                     .alone = loop_alone,
                                     .list = loop_list,
                                     .soften = loop_soften,
                                     .lack = loop_lack,
                                     .forces = loop_forces,
                                     .take = loop_take,
                                     .drifts = loop_drifts,
                                     .lift = loop_lift,
                                     .book = loop_book,
                                     .check = apl_system_check_steps,
                                     .memory_size = apl_system_loops_size,
                                     .run = &loop_run,
                                     .memory = apl_system_loops_memory};
