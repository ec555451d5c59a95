/* SPDX-License-Identifier: Apache-2.0 */
/* loops.c: see loops.h. */
#include "system/system_impl.h"

#include "base/arena.h"
#include "base/error.h"
#include "base/nearest.h"
#include "couple/search.h"
#include "dynamics/passes.h"
#include "system/system.h"
#include "dynamics/loops.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lagrange multipliers, with projection of the drift; independent coordinates, chosen again where
   they become ill-conditioned; springs between the two frames of each loop. */
static const char* const methods[LOOP_METHODS] = {"multipliers", "reduced", "springs"};

const char* apl_loop_method_word(int i) {
  return i >= 0 && i < LOOP_METHODS ? methods[i] : NULL;
}

apl_loop_options apl_loop_options_default(void) {
  return (apl_loop_options){.method = "multipliers", .frequency = 1000.0, .ratio = 1.0};
}

static apl_status open_loops(apl_system* s, apl_error* err) {
  system_loops* l = &s->loops;

  if (l->open) return APL_OK;
  apl_status st = apl_closing_open(&l->closing, s->model);
  if (st == APL_OK) st = apl_reduced_open(&l->reduced, &l->closing);
  l->open = st == APL_OK;
  if (l->open) return st;
  apl_system_free_loops(s);
  return apl_fail(err, st, "out of memory for loops");
}

void apl_system_free_loops(apl_system* s) {
  apl_reduced_close(&s->loops.reduced);
  apl_closing_close(&s->loops.closing);
}

/* -------------------------------------------------------------------------------- springs ---- */

/* Stiffness and damping are chosen separately. A row without a given stiffness k has the frequency
   w of the options, one with a given k has its own, and a row without a given damping d has the
   ratio z of the options: k = w^2 / G_kk,    w^2 = k G_kk,    d = 2 z w / G_kk. A row that no mass
   resists, G_kk = 0, gets nothing. The row is APL_LOOP numbers of the state. */
static void choose_spring(const apl_loop_options* o, const double* par, double G, double* row) {
  const bool stiff = par[PART_STIFFNESS] > 0.0, damped = par[PART_DAMPING] > 0.0;
  const double w = stiff ? sqrt(par[PART_STIFFNESS] * fmax(G, 0.0)) : o->frequency;

  row[APL_LOOP_STIFFNESS] = stiff ? par[PART_STIFFNESS] : G > 0.0 ? w * w / G : 0.0;
  row[APL_LOOP_DAMPING] = damped ? par[PART_DAMPING] : G > 0.0 ? 2.0 * o->ratio * w / G : 0.0;
}

static apl_status choose_springs(apl_system* s, const apl_loop_options* o, apl_error* err) {
  apl_closing* w = &s->loops.closing;
  apl_status st = apl_loops(s->model, s->state);

  if (st == APL_OK) st = apl_factor(s->model, s->state, 0.0);
  if (st == APL_OK) st = apl_closing_factor(w, s->state);
  if (st != APL_OK) return apl_fail(err, st, "%s while choosing springs", apl_status_text(st));
  for (int k = 0; k < w->n; ++k) {
    const double* par = s->model->par + s->model->part[k].par;
    double* row = s->state->row + APL_LOOP * k;
    choose_spring(o, par, w->G[k * w->n + k], row);
    if (o->stiffness > 0.0) {
      row[APL_LOOP_STIFFNESS] = o->stiffness;
      row[APL_LOOP_DAMPING] = o->damping;
    }
  }
  return APL_OK;
}

/* Forces that would keep the loops closed at time t + h, from the present motion. */
static apl_status forces_near(apl_system* s, double t, double h, const double* q, const double* v,
                              const double* a, double* out) {
  const apl_model* m = s->model;
  apl_closing* w = &s->loops.closing;
  apl_drift unused;

  memcpy(s->state->q, q, sizeof *q * (size_t)m->nq);
  for (int i = 0; i < m->nv; ++i)
    w->change[i] = h * v[i] + 0.5 * h * h * a[i];
  apl_status st = apl_closing_displace(w, s->state);
  for (int i = 0; i < m->nv; ++i)
    s->state->v[i] = v[i] + h * a[i];
  apl_system_drive(s, t + h);
  if (st == APL_OK) st = apl_closing_project(w, s->state, &(apl_norm){0}, NULL, NULL, &unused);
  if (st == APL_OK) st = apl_closing_forward(w, s->state, 0.0);
  for (int k = 0; k < w->n; ++k)
    out[k] = s->state->row[APL_LOOP * k + APL_LOOP_FORCE];
  return st;
}

/* What start_slowly() needs: the motion at the start, and forces of rows then, h before, h after.
 */
typedef struct slow_start {
  double *q, *v, *a;
  double *p, *before, *after;
} slow_start;

static void layout_start(slow_start* w, const apl_model* m, apl_arena* a) {
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, n = (size_t)m->npart;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(w->q, nq);
  TAKE(w->v, nv);
  TAKE(w->a, nv);
  TAKE(w->p, n);
  TAKE(w->before, n);
  TAKE(w->after, n);
#undef TAKE
}

/* The forces p that keep the loops closed now, and at times t - h and t + h. The state is as it was
   afterwards. */
static apl_status find_forces(apl_system* s, double t, double h, slow_start* x) {
  apl_closing* w = &s->loops.closing;
  const size_t nq = (size_t)s->nq, nv = (size_t)s->nv;

  memcpy(x->q, s->state->q, sizeof *x->q * nq);
  memcpy(x->v, s->state->v, sizeof *x->v * nv);
  apl_status st = apl_closing_forward(w, s->state, 0.0);
  memcpy(x->a, s->state->a, sizeof *x->a * nv);
  for (int k = 0; k < w->n; ++k)
    x->p[k] = s->state->row[APL_LOOP * k + APL_LOOP_FORCE];
  if (st == APL_OK) st = forces_near(s, t, -h, x->q, x->v, x->a, x->before);
  if (st == APL_OK) st = forces_near(s, t, h, x->q, x->v, x->a, x->after);
  memcpy(s->state->q, x->q, sizeof *x->q * nq);
  memcpy(s->state->v, x->v, sizeof *x->v * nv);
  apl_system_drive(s, t);
  return st;
}

/* Start on the slow manifold: c = -p / k, c' = -p' / k, where the forces p would keep the loops
   closed. From c = 0, undamped springs would oscillate about their loads for ever. */
static apl_status start_slowly(apl_system* s, double t, apl_error* err) {
  apl_closing* w = &s->loops.closing;
  double *gap = s->loops.want, *rate = gap + w->n;
  const double h = 1e-4; /* differences of second order: 1e-8 of the third rate */
  slow_start x = {0};
  apl_arena arena = {0};

  layout_start(&x, s->model, &arena);
  void* memory = apl_arena_open(&arena);
  if (memory == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for loops");
  layout_start(&x, s->model, &arena);
  apl_loops_springs(s->state, false);
  apl_status st = find_forces(s, t, h, &x);
  for (int k = 0; k < w->n; ++k) {
    const double stiffness = s->state->row[APL_LOOP * k + APL_LOOP_STIFFNESS];
    if (!(stiffness > 0.0)) continue;
    gap[k] = -x.p[k] / stiffness;
    rate[k] = -(x.after[k] - x.before[k]) / (2.0 * h * stiffness);
  }
  for (int round = 0; round < 4 && st == APL_OK; ++round) {
    apl_drift unused;
    st = apl_closing_project(w, s->state, &(apl_norm){0}, gap, rate, &unused);
  }
  apl_loops_springs(s->state, true);
  free(memory);
  return st == APL_OK ? st
                      : apl_fail(err, st, "%s while loading the springs for a slow start",
                                 apl_status_text(st));
}

/* ------------------------------------------------------------------------------- the method ----
 */

bool apl_system_loops_are_rows(const apl_system* s) {
  return s->model->npart > 0 && s->loops.method != LOOPS_SPRINGS;
}

bool apl_system_loops_go_on(const apl_system* s, const apl_loop_options* o) {
  const bool springs = o->method != NULL && strcmp(o->method, methods[LOOPS_SPRINGS]) == 0;
  return springs && o->go_on && s->loops.sprung;
}

apl_status apl_system_loops(apl_system* s, double t, const apl_loop_options* options,
                            apl_error* err) {
  const apl_loop_options o = options != NULL ? *options : apl_loop_options_default();
  const char* word = o.method == NULL ? methods[0] : o.method;
  system_loops* l = &s->loops;
  apl_nearest near = {.word = word};
  char hint[96];
  int method = 0;

  while (method < LOOP_METHODS && strcmp(methods[method], word) != 0)
    apl_nearest_offer(&near, methods[method++]);
  if (method == LOOP_METHODS) {
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no method '%.40s' for loops%s", word,
                    apl_nearest_text(&near, hint));
  }
  if (!(o.stabilise >= 0.0) || !(o.frequency > 0.0) || !(o.ratio >= 0.0) || !(o.stiffness >= 0.0) ||
      !(o.damping >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "numbers for loops must not be negative, and their frequency positive");
  }
  s->revision += 1;
  if (s->model->npart == 0) return APL_OK;
  apl_status st = open_loops(s, err);
  l->method = (loop_method)method;
  l->stabilise = o.stabilise;
  l->reduced.chosen = false;
  l->reduced.choices = 0;
  l->worst = (apl_drift){0.0, 0.0}; /* reports are about one run */
  l->widest = 0;
  l->judged = false;
  memset(l->asleep, 0, sizeof *l->asleep * (size_t)s->model->npart);
  if (!o.go_on) l->stubborn = 0;
  apl_loops_springs(s->state, false);
  if (st != APL_OK || l->method != LOOPS_SPRINGS) return st;
  if (!apl_system_loops_go_on(s, &o)) st = choose_springs(s, &o, err);
  l->sprung = st == APL_OK;
  if (st == APL_OK && o.slow) return start_slowly(s, t, err);
  apl_loops_springs(s->state, true);
  return st;
}

/* Are loops closed within the tolerance of an assembly? Then the given q and v are not changed. */
static bool are_closed(apl_system* s) {
  double speed = 1.0;

  for (int i = 0; i < s->nv; ++i)
    speed = fmax(speed, fabs(s->state->v[i]));
  if (apl_loops(s->model, s->state) != APL_OK) return false;
  for (int k = 0; k < s->model->npart; ++k) {
    const double* row = s->state->row + APL_LOOP * k;
    if (!(fabs(row[APL_LOOP_GAP]) <= APL_CLOSED && fabs(row[APL_LOOP_RATE]) <= APL_CLOSED * speed))
      return false;
  }
  return true;
}

apl_status apl_system_assemble(apl_system* s, const int* keep, const int* keep_rates,
                               apl_assembly* report, apl_error* err) {
  if (s->model->npart == 0) return APL_OK;
  const apl_status st = open_loops(s, err);
  if (st == APL_OK && keep == NULL && keep_rates == NULL && report == NULL && are_closed(s))
    return APL_OK;
  if (st != APL_OK) return st;
  apl_assembly mine = {0}, *found = report != NULL ? report : &mine;
  const apl_status closed =
      apl_closing_assemble(&s->loops.closing, s->state, keep, keep_rates, found, err);
  s->loops.assembly = *found;
  s->loops.assembly.redundant = NULL;
  return closed;
}

apl_assembly apl_system_assembly(const apl_system* s) {
  return s->loops.assembly;
}

apl_status apl_system_inverse(apl_system* s, bool joints, apl_actuation* report, apl_error* err) {
  if (s == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_system_inverse() needs a system");
  }
  const apl_status st = open_loops(s, err);
  return st == APL_OK ? apl_closing_inverse(&s->loops.closing, s->state, joints, report, err) : st;
}

apl_status apl_system_accelerate(apl_system* s, const int* keep, apl_error* err) {
  const apl_status st = open_loops(s, err);
  return st == APL_OK ? apl_closing_accelerate(&s->loops.closing, s->state, keep, err) : st;
}

apl_drift_report apl_system_drift(const apl_system* s) {
  return (apl_drift_report){s->loops.worst.gap, s->loops.worst.rate, s->loops.reduced.choices};
}

/* ------------------------------------------------------------------------------ checkpoints ----
 */

/* Numbers of a checkpoint: stiffness and damping of each row, which rows are asleep, then this
   record, then the choice of the method `reduced`. */
typedef struct drift_record {
  double gap, rate, widest, stubborn, judged; /* of system_loops                                  */
} drift_record;
enum { DRIFT = 5 };
APL_STORED(drift_record, DRIFT);

int apl_system_loops_size(const apl_system* s) {
  const apl_model* m = s->model;
  return m->npart == 0 ? 0 : 3 * m->npart + DRIFT + apl_reduced_memory_size(m->npart, m->nv);
}

void apl_system_loops_memory(apl_system* s, apl_store* m) {
  system_loops* l = &s->loops;
  const int n = s->model->npart;
  if (!l->open) {
    apl_store_skip(m, apl_system_loops_size(s));
    return;
  }
  for (int k = 0; k < n; ++k)
    apl_store_numbers(m, s->state->row + APL_LOOP * k + APL_LOOP_STIFFNESS, 2,
                      "a spring of a loop");
  for (int k = 0; k < n; ++k)
    apl_store_whole(m, &l->asleep[k], 0.0, 1.0, "whether a loop row has a force");
  drift_record r = {l->worst.gap, l->worst.rate, l->widest, l->stubborn, l->judged ? 1.0 : 0.0};
  apl_store_number(m, &r.gap, "the drift of a loop");
  apl_store_number(m, &r.rate, "the drift of a loop");
  apl_store_whole(m, &r.widest, 0.0, n - 1, "the row of the widest gap");
  apl_store_whole(m, &r.stubborn, 0.0, 1e6, "the number of steps with open loops");
  apl_store_whole(m, &r.judged, 0.0, 1.0, "whether loop rows have been judged");
  l->worst = (apl_drift){r.gap, r.rate};
  l->judged = r.judged > 0.5;
  l->widest = (int)r.widest;
  l->stubborn = (int)r.stubborn;
  apl_reduced_memory(&l->reduced, m);
}

/* --------------------------------------------------------------------------------- motion ---- */

apl_status apl_system_close_forward(apl_system* s) {
  system_loops* l = &s->loops;

  if (l->method == LOOPS_SPRINGS) return apl_forward(s->model, s->state);
  if (l->method == LOOPS_MULTIPLIERS)
    return apl_closing_forward(&l->closing, s->state, l->stabilise);
  apl_status st = l->reduced.chosen ? APL_OK : apl_reduced_choose(&l->reduced, s->state);
  if (st == APL_OK) st = apl_reduced_complete(&l->reduced, s->state);
  return st == APL_OK ? apl_reduced_forward(&l->reduced, s->state) : st;
}

/* All gaps are below `leave`. Rates may be ten times larger, because they change gaps in one step
   by much less than their own size. */
static bool closed_but_for(apl_system* s, double leave) {
  if (!(leave > 0.0) || apl_loops(s->model, s->state) != APL_OK) return false;
  for (int k = 0; k < s->model->npart; ++k) {
    const double* row = s->state->row + APL_LOOP * k;
    if (!(fabs(row[APL_LOOP_GAP]) < leave && fabs(row[APL_LOOP_RATE]) < 10.0 * leave)) return false;
  }
  return true;
}

apl_status apl_system_close_loops(apl_system* s) {
  system_loops* l = &s->loops;
  apl_drift unused;

  if (l->method == LOOPS_MULTIPLIERS)
    return apl_closing_project(&l->closing, s->state, &(apl_norm){0}, NULL, NULL, &unused);
  return l->method == LOOPS_REDUCED && l->reduced.chosen
             ? apl_reduced_complete(&l->reduced, s->state)
             : APL_OK;
}

/* Implicit steps: which rows can be moved by a force is decided once per step, where it ends, from
   the factors of its projection. At a singular position J A^-1 J^T of a row is zero; as the robot
   leaves it, the row wakes, and the projection changes velocities by a finite amount, however small
   its rate. Inside of a step this would look like an error that no step length removes. */
static bool judge(system_loops* l) {
  bool woke = false;

  for (int k = 0; k < l->closing.n; ++k) {
    const bool idle = !(l->closing.equal.d[k] > 0.0);
    woke = woke || (l->judged && l->asleep[k] > 0.5 && !idle);
    l->asleep[k] = idle ? 1.0 : 0.0;
  }
  l->judged = true;
  return woke;
}

apl_status apl_system_project(apl_system* s, coupling_drift* how, bool* changed) {
  system_loops* l = &s->loops;
  apl_drift drift = {0, 0};
  apl_status st = APL_OK;

  *changed = l->method != LOOPS_SPRINGS;
  if (l->method == LOOPS_MULTIPLIERS && closed_but_for(s, how->leave)) {
    *changed = false;
  } else if (l->method == LOOPS_MULTIPLIERS) {
    st = apl_closing_project(&l->closing, s->state, &(apl_norm){how->norm, how->leave}, NULL, NULL,
                             &drift);
    if (st == APL_OK && how->norm > 0.0) how->jumped = judge(l);
    if (st == APL_OK) st = apl_system_check_closed(s, drift.gap);
  } else if (l->method == LOOPS_REDUCED) {
    st = apl_reduced_choose(&l->reduced, s->state);
    if (st == APL_OK) st = apl_reduced_complete(&l->reduced, s->state);
  }
  l->worst.gap = fmax(l->worst.gap, drift.gap);
  l->worst.rate = fmax(l->worst.rate, drift.rate);
  return st;
}
