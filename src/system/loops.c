/* loops.c: see loops.h. */
#include "system/system_impl.h"

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

/* exact by Lagrange multipliers, with projection of the drift; exact by independent coordinates,
   chosen again where they become ill-conditioned; virtual springs between the frames of each loop
 */
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
  l->want = calloc(3 * (size_t)s->model->npart + 1, sizeof *l->want);
  l->last = l->want + 2 * s->model->npart;
  if (l->want == NULL) st = APL_ERR_MEMORY;
  l->open = true;
  return st == APL_OK ? st : apl_fail(err, st, "out of memory for loops");
}

void apl_system_free_loops(apl_system* s) {
  apl_reduced_close(&s->loops.reduced);
  apl_closing_close(&s->loops.closing);
  free(s->loops.want);
}

/* -------------------------------------------------------------------------------- springs ---- */

/* Rows without a stiffness get one frequency each: k = w^2 / G_kk, d = 2 ratio w / G_kk. */
static apl_status choose_springs(apl_system* s, const apl_loop_options* o, apl_error* err) {
  apl_closing* w = &s->loops.closing;
  apl_status st = apl_loops(s->model, s->state);

  if (st == APL_OK) st = apl_factor(s->model, s->state, 0.0);
  if (st == APL_OK) st = apl_closing_factor(w, s->state);
  if (st != APL_OK) return apl_fail(err, st, "%s while choosing springs", apl_status_text(st));
  for (int k = 0; k < w->n; ++k) {
    const double* par = s->model->par + s->model->part[k].par;
    double *row = s->state->row + APL_LOOP * k, G = w->G[k * w->n + k];
    const bool own = par[PART_STIFFNESS] > 0.0;
    row[APL_LOOP_STIFFNESS] = own       ? par[PART_STIFFNESS]
                              : G > 0.0 ? o->frequency * o->frequency / G
                                        : 0.0;
    row[APL_LOOP_DAMPING] = own       ? par[PART_DAMPING]
                            : G > 0.0 ? 2.0 * o->ratio * o->frequency / G
                                      : 0.0;
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
  if (st == APL_OK) st = apl_closing_project(w, s->state, NULL, NULL, &unused);
  if (st == APL_OK) st = apl_closing_forward(w, s->state, 0.0);
  for (int k = 0; k < w->n; ++k)
    out[k] = s->state->row[APL_LOOP * k + APL_LOOP_FORCE];
  return st;
}

/* Start on the slow manifold: c = -p / k, c' = -p' / k, p what would keep the loops closed. Without
   it undamped springs ring for ever about their loads. */
static apl_status start_slowly(apl_system* s, double t, apl_error* err) {
  const apl_model* m = s->model;
  apl_closing* w = &s->loops.closing;
  const double h = 1e-4; /* differences of second order: 1e-8 of the third rate */
  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, n = (size_t)w->n;
  double* q = calloc(nq + 2 * nv + 3 * n + 1, sizeof *q);
  if (q == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for loops");
  double *v = q + nq, *a = v + nv, *p = a + nv, *before = p + n, *after = before + n;

  apl_loops_springs(s->state, false);
  memcpy(q, s->state->q, sizeof *q * nq);
  memcpy(v, s->state->v, sizeof *q * nv);
  apl_status st = apl_closing_forward(w, s->state, 0.0);
  memcpy(a, s->state->a, sizeof *q * nv);
  for (size_t k = 0; k < n; ++k)
    p[k] = s->state->row[APL_LOOP * k + APL_LOOP_FORCE];
  if (st == APL_OK) st = forces_near(s, t, -h, q, v, a, before);
  if (st == APL_OK) st = forces_near(s, t, h, q, v, a, after);
  memcpy(s->state->q, q, sizeof *q * nq);
  memcpy(s->state->v, v, sizeof *q * nv);
  apl_system_drive(s, t);
  for (size_t k = 0; k < n; ++k) {
    const double stiffness = s->state->row[APL_LOOP * k + APL_LOOP_STIFFNESS];
    if (!(stiffness > 0.0)) continue;
    s->loops.want[k] = -p[k] / stiffness;
    s->loops.want[n + k] = -(after[k] - before[k]) / (2.0 * h * stiffness);
  }
  for (int round = 0; round < 4 && st == APL_OK; ++round) {
    apl_drift unused;
    st = apl_closing_project(w, s->state, s->loops.want, s->loops.want + n, &unused);
  }
  apl_loops_springs(s->state, true);
  free(q);
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
  l->worst = (apl_drift){0.0, 0.0}; /* what is told is told of this run */
  l->widest = 0;
  if (!o.go_on) l->stubborn = 0;
  apl_loops_springs(s->state, false);
  if (st != APL_OK || l->method != LOOPS_SPRINGS) return st;
  if (!apl_system_loops_go_on(s, &o)) st = choose_springs(s, &o, err);
  l->sprung = st == APL_OK;
  if (st == APL_OK && o.slow) return start_slowly(s, t, err);
  apl_loops_springs(s->state, true);
  return st;
}

/* To what an assembly closes: then there is nothing to do, and given values stay. */
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

/* stiffness and damping of each row; drift, widest row, steps that left gaps; the reduced choice */
enum { DRIFT = 4 };

int apl_system_loops_size(const apl_system* s) {
  const apl_model* m = s->model;
  return m->npart == 0 ? 0 : 2 * m->npart + DRIFT + apl_reduced_memory_size(m->npart, m->nv);
}

void apl_system_loops_remember(apl_system* s, double* out) {
  const system_loops* l = &s->loops;
  const int n = s->model->npart;
  if (!l->open) return;

  for (int k = 0; k < n; ++k)
    memcpy(out + 2 * k, s->state->row + APL_LOOP * k + APL_LOOP_STIFFNESS, 2 * sizeof *out);
  const double drift[DRIFT] = {l->worst.gap, l->worst.rate, l->widest, l->stubborn};
  memcpy(out + 2 * n, drift, sizeof drift);
  apl_reduced_remember(&l->reduced, out + 2 * n + DRIFT);
}

void apl_system_loops_recall(apl_system* s, const double* in) {
  system_loops* l = &s->loops;
  const int n = s->model->npart;
  if (!l->open) return;

  for (int k = 0; k < n; ++k)
    memcpy(s->state->row + APL_LOOP * k + APL_LOOP_STIFFNESS, in + 2 * k, 2 * sizeof *in);
  const double* drift = in + 2 * n;
  l->worst = (apl_drift){drift[0], drift[1]};
  /* what a file says is not trusted: the row is looked up by its number */
  l->widest = drift[2] > 0.0 && drift[2] < n ? (int)drift[2] : 0;
  l->stubborn = drift[3] > 0.0 && drift[3] < 1e6 ? (int)drift[3] : 0;
  apl_reduced_recall(&l->reduced, drift + DRIFT);
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

/* Rates count for less: what they do to gaps in a step is far below them. */
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
    return apl_closing_project(&l->closing, s->state, NULL, NULL, &unused);
  return l->method == LOOPS_REDUCED && l->reduced.chosen
             ? apl_reduced_complete(&l->reduced, s->state)
             : APL_OK;
}

apl_status apl_system_project(apl_system* s, double leave, bool* changed) {
  system_loops* l = &s->loops;
  apl_drift drift = {0, 0};
  apl_status st = APL_OK;

  *changed = l->method != LOOPS_SPRINGS;
  if (l->method == LOOPS_MULTIPLIERS && closed_but_for(s, leave)) {
    *changed = false;
  } else if (l->method == LOOPS_MULTIPLIERS) {
    st = apl_closing_project(&l->closing, s->state, NULL, NULL, &drift);
    if (st == APL_OK) st = apl_system_check_closed(s, drift.gap);
  } else if (l->method == LOOPS_REDUCED) {
    st = apl_reduced_choose(&l->reduced, s->state);
    if (st == APL_OK) st = apl_reduced_complete(&l->reduced, s->state);
  }
  l->worst.gap = fmax(l->worst.gap, drift.gap);
  l->worst.rate = fmax(l->worst.rate, drift.rate);
  return st;
}
