/* SPDX-License-Identifier: Apache-2.0 */
/* assemble.c: finds a start at which all loops are closed: first positions with the given values
   (search.c, starts.c), then velocities, which are a linear problem. Given values stay bit for bit.
   If there are so many of them that their last digits contradict each other, the later ones are
   changed, by less than `rounding`; larger contradictions are an error. Theory:
   docs/theory/loops.md, 5. */
#include "couple/search.h"

#include "base/error.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 100 };

/* Largest change of a given value [m, rad, per s], and gaps that such changes may explain. */
static const double rounding = 1e-6, rounded_gap = 1e-5;

typedef struct assembly {
  apl_search search;
  const int *keep, *keep_rates;
  bool* fixed; /* [nv] velocities that must not change */
  double* v;   /* [nv] initial velocities */
  apl_assembly* out;
  apl_error* err;
} assembly;

static int highest(const int* keep, int n) {
  int most = 0;
  for (int i = 0; keep != NULL && i < n; ++i)
    most = keep[i] > most ? keep[i] : most;
  return most;
}

/* Rank of J, or of its columns that are not fixed. */
static int rank_of(apl_search* a, int wide, const bool* fixed) {
  for (int i = 0; i < a->n; ++i) {
    for (int j = 0; j < a->n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < wide; ++k) {
        if (fixed == NULL || !fixed[k]) sum += a->J[i * wide + k] * a->J[j * wide + k];
      }
      a->W[i * a->n + j] = sum;
    }
  }
  apl_equal_factor(&a->w->equal, a->n, a->W, true);
  return a->w->equal.lu.rank;
}

/* ------------------------------------------------------------------------------- positions ---- */

/* Largest change of a given coordinate (or of one that is not given), its index, and how many
   changed by more than `rounding`. */
static double largest_change(const assembly* a, bool given, int* which, int* count) {
  const apl_search* s = &a->search;
  double most = 0.0;

  *count = 0;
  for (int i = 0; i < s->nq; ++i) {
    if ((a->keep != NULL && a->keep[i] > 0) != given) continue;
    const double change = fabs(s->s->q[i] - s->home[i]);
    *count += change > rounding;
    if (change > most) most = change, *which = i;
  }
  return most;
}

/* The highest level of given values at which the remaining coordinates can still close all rows
   that can be closed. */
static apl_status find_level(assembly* a, int* level) {
  apl_search* s = &a->search;

  apl_given_hold(&s->given, NULL, 0, s->home);
  apl_status st = apl_search_differentiate(s);
  const int all = st == APL_OK ? rank_of(s, s->given.ndirection, NULL) : 0;
  for (; *level > 0 && st == APL_OK; --*level) {
    apl_given_hold(&s->given, a->keep, *level, s->home);
    st = apl_search_differentiate(s);
    if (st == APL_OK && rank_of(s, s->given.ndirection, NULL) == all) break;
  }
  return st;
}

/* More values are given than the loops leave free, in too few digits: release the later ones. *done
   is false if that does not close the loops. */
static apl_status round_given(assembly* a, bool* done) {
  apl_search* s = &a->search;
  int level = highest(a->keep, s->nq), which, count;

  *done = false;
  if (level == 0 || !(s->gap <= rounded_gap)) return APL_OK;
  const double best = s->best_size;
  s->best_size = -1.0; /* `best` is for the given values only; gaps after releasing some do not
                          count */
  memcpy(s->from, s->s->q, sizeof *s->from * (size_t)s->nq);
  apl_status st = find_level(a, &level);
  apl_given_hold(&s->given, a->keep, level, s->home);
  if (st == APL_OK) st = apl_search_close_from_here(s, MOST_STEPS);
  s->best_size = best;
  *done = apl_search_closed(s) && largest_change(a, true, &which, &count) <= rounding;
  if (*done || st != APL_OK) return st;
  double size;
  memcpy(s->s->q, s->from, sizeof *s->from * (size_t)s->nq);
  apl_given_hold(&s->given, a->keep, highest(a->keep, s->nq), s->home);
  return apl_search_measure(s, &size);
}

/* Close the loops from the guess, then from other starts. Without `keep` only the guess is used. */
static apl_status close_positions(assembly* a, bool* done) {
  apl_search* s = &a->search;
  const int level = highest(a->keep, s->nq);
  double size;
  apl_status st = apl_search_measure(s, &size);

  *done = apl_search_closed(s);
  if (*done || st != APL_OK) return st; /* loops that are closed are not changed */
  apl_given_hold(&s->given, a->keep, level, s->home);
  st = apl_search_close_from_here(s, MOST_STEPS);
  *done = apl_search_closed(s);
  if (st == APL_OK && !*done) st = round_given(a, done);
  if (st != APL_OK || *done || a->keep == NULL) return st;
  st = apl_search_elsewhere(s, a->keep, level);
  *done = apl_search_closed(s);
  return st == APL_OK && !*done ? round_given(a, done) : st;
}

/* "loop 'pin' cannot be closed with the given values: it stays open by 0.12 m (x 0.1, y -0.07)" */
static apl_status refuse(assembly* a) {
  const apl_model* m = a->search.w->model;
  const int loop = m->part[a->search.row].loop;
  const apl_loop* l = &m->loop[loop];
  char part[120] = "", open[60] = "";
  double along = 0.0, about = 0.0;
  size_t used = 0;

  for (int k = l->row0; k < l->row0 + l->nrow; ++k) {
    const double gap = a->search.s->row[APL_LOOP * k + APL_LOOP_GAP];
    const char* name = strrchr(m->row_name[k], '.');
    double* sum = strcmp(apl_model_unit(m, APL_LOOP_ROWS, k), "m") == 0 ? &along : &about;
    *sum += gap * gap;
    if (used >= sizeof part - 30) continue;
    const int n = snprintf(part + used, sizeof part - used, "%s%s %.3g %s", used > 0 ? ", " : "",
                           name == NULL ? m->row_name[k] : name + 1, gap,
                           apl_model_unit(m, APL_LOOP_ROWS, k));
    used += n > 0 ? (size_t)n : 0;
  }
  a->out->open = sqrt(along + about);
  if (along > 0.0) snprintf(open, sizeof open, "%.6g m", sqrt(along));
  if (about > 1e-9 || !(along > 0.0)) {
    const size_t n = strlen(open);
    snprintf(open + n, sizeof open - n, "%s%.6g rad", n > 0 ? " and " : "", sqrt(about));
  }
  apl_fail(a->err, APL_ERR_MODEL, "loop '%.40s' cannot be closed %s: it stays open by %s (%s)",
           m->loop_name[loop],
           highest(a->keep, a->search.nq) > 0 ? "with the given values" : "from this start", open,
           part);
  if (a->err != NULL) {
    a->err->line = m->loop_mark[loop].line;
    a->err->column = m->loop_mark[loop].column;
  }
  return APL_ERR_MODEL;
}

/* ------------------------------------------------------------------------------ velocities ---- */

static void fix_rates(assembly* a, int level) {
  const apl_model* m = a->search.w->model;

  for (int i = 0; i < m->nv; ++i)
    a->fixed[i] = a->keep_rates != NULL && a->keep_rates[i] > 0 && a->keep_rates[i] <= level;
  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    for (int k = 0; k < l->nv && l->joint_prescribed; ++k)
      a->fixed[l->v0 + k] = true;
    for (int k = 0; k < l->nx && l->body_prescribed; ++k)
      a->fixed[l->xv0 + k] = true;
  }
}

/* J v = 0 by the smallest change of the velocities that are not fixed. */
static apl_status solve_rates(assembly* a) {
  apl_search* s = &a->search;
  const apl_model* m = s->w->model;
  apl_status st = APL_OK;

  /* the second round removes round-off */
  for (int round = 0; round < 2 && st == APL_OK; ++round) {
    st = apl_loops_jacobian(m, s->s, s->J);
    for (int k = 0; k < s->n; ++k) {
      s->c[k] = 0.0;
      for (int i = 0; i < m->nv; ++i) {
        s->c[k] += s->J[k * m->nv + i] * s->s->v[i];
        if (a->fixed[i]) s->J[k * m->nv + i] = 0.0;
      }
    }
    apl_search_step(s, m->nv, 0.0);
    for (int i = 0; i < m->nv; ++i)
      if (!a->fixed[i]) s->s->v[i] += s->step[i];
  }
  if (st == APL_OK) st = apl_loops(m, s->s);
  a->out->rate = 0.0;
  for (int k = 0; k < s->n; ++k) {
    const double rate = fabs(s->s->row[APL_LOOP * k + APL_LOOP_RATE]);
    if (rate > a->out->rate) a->out->rate = rate, s->row = k;
  }
  return st;
}

static double fastest(const double* v, int n) {
  double most = 0.0;
  for (int i = 0; i < n; ++i)
    most = fmax(most, fabs(v[i]));
  return most;
}

/* The highest level of given velocities at which the others can still satisfy all rows. */
static apl_status find_level_rates(assembly* a, int* level) {
  apl_search* s = &a->search;
  const int nv = s->w->model->nv;

  fix_rates(a, 0);
  const apl_status st = apl_loops_jacobian(s->w->model, s->s, s->J);
  const int all = st == APL_OK ? rank_of(s, nv, a->fixed) : 0;
  for (; *level > 0 && st == APL_OK; --*level) {
    fix_rates(a, *level);
    if (rank_of(s, nv, a->fixed) == all) break;
  }
  fix_rates(a, *level);
  return st;
}

static apl_status close_velocities(assembly* a, bool* done) {
  apl_search* s = &a->search;
  const int nv = s->w->model->nv;
  const double speed = 1.0 + fastest(a->v, nv);
  int level = highest(a->keep_rates, nv);

  fix_rates(a, level);
  apl_status st = solve_rates(a);
  *done = a->out->rate <= 1e-8 * speed;
  if (st != APL_OK || *done || level == 0 || a->out->rate > rounded_gap * speed) return st;

  st = find_level_rates(a, &level);
  if (st == APL_OK) st = solve_rates(a);
  *done = a->out->rate <= 1e-8 * speed;
  for (int i = 0; i < nv; ++i)
    if (a->keep_rates[i] > 0 && fabs(s->s->v[i] - a->v[i]) > rounding * speed) *done = false;
  a->out->released = a->out->released || *done;
  return st;
}

static apl_status refuse_rates(assembly* a) {
  const char* row = apl_model_name(a->search.w->model, APL_LOOP_ROWS, a->search.row);

  return apl_fail(a->err, APL_ERR_MODEL,
                  "no start velocities keep the loops closed%s: '%.60s' opens by %.6g m/s or rad/s",
                  highest(a->keep_rates, a->search.w->model->nv) > 0 ? " with the given ones" : "",
                  row, a->out->rate);
}

/* --------------------------------------------------------------------------------- the whole ----
 */

static void tell(assembly* a) {
  apl_assembly* out = a->out;
  const apl_search* s = &a->search;
  int count;

  out->iterations = s->iterations;
  out->starts = s->starts;
  out->gap = s->gap;
  out->row = s->row;
  out->open = 0.0;
  out->rounded = largest_change(a, true, &out->rounded_coordinate, &count);
  out->moved = largest_change(a, false, &out->moved_coordinate, &out->nmoved);
  out->released = out->rounded > 0.0;
}

static apl_status assemble(assembly* a) {
  apl_search* s = &a->search;
  const apl_model* m = s->w->model;
  bool done;
  apl_status st = close_positions(a, &done);

  tell(a);
  if (st != APL_OK) return apl_fail(a->err, st, "%s while closing loops", apl_status_text(st));
  if (!done) return refuse(a);
  st = close_velocities(a, &done);
  if (st != APL_OK) return apl_fail(a->err, st, "%s while closing loops", apl_status_text(st));
  if (!done) return refuse_rates(a);
  /* loops of a robot without positive inertia can be closed, though it cannot be accelerated */
  a->out->nredundant = 0;
  if (apl_factor(m, s->s, 0.0) == APL_OK && apl_closing_factor(s->w, s->s) == APL_OK)
    a->out->nredundant = apl_closing_redundant(s->w, a->out->redundant);
  return APL_OK;
}

apl_status apl_closing_assemble(apl_closing* w, apl_state* s, const int* keep,
                                const int* keep_rates, apl_assembly* report, apl_error* err) {
  if (w == NULL || s == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_closing_assemble() needs memory for closing and a state");
  }
  apl_assembly mine = {0};
  assembly a = {.keep = keep, .keep_rates = keep_rates, .out = report, .err = err};
  const size_t nv = (size_t)w->model->nv;

  if (report == NULL) a.out = &mine;
  *a.out = (apl_assembly){.redundant = a.out->redundant};
  if (w->n == 0) return APL_OK;
  apl_status st = apl_search_open(&a.search, w, s);
  if (st == APL_OK) {
    a.v = a.search.rates;
    a.fixed = a.search.fixed;
    memcpy(a.v, s->v, sizeof *a.v * nv);
    st = assemble(&a);
    if (st != APL_OK) { /* on an error the state is restored */
      memcpy(s->q, a.search.home, sizeof *s->q * (size_t)w->model->nq);
      memcpy(s->v, a.v, sizeof *s->v * nv);
    }
  } else {
    apl_fail(err, st, "out of memory while closing loops");
  }
  apl_search_close(&a.search);
  return st;
}
