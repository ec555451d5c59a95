/* assemble.c: a start at which all loops are closed. Gauss-Newton on the tangent of q with the
   least step that closes the gaps, each step halved until the gaps shrink; then velocities the same
   way, which is linear. Gaps are differentiated by the complex step, so that coordinates which
   follow wheels and no velocity can be moved too. Theory: docs/theory/loops.md, 5. */
#include "couple/closing.h"

#include "base/error.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 100, MOST_HALVINGS = 30 };

/* Gaps below this [m or rad] are closed; the iteration goes on while it still helps. */
static const double closed = 1e-10, settled = 1e-14;

/* No step turns or moves anything by more than this. */
static const double longest_step = 0.5;

static const double tiny_step = 1e-100;

typedef struct search {
  apl_closing* w;
  apl_state *s, *z; /* scalar, complex                                                            */
  int n, nt;
  bool* fixed;           /* [nt + nv]                                                             */
  double *J, *W;         /* [n * max(nt, nv)], [n * n]                                            */
  double *c, *p;         /* [n]                                                                   */
  double *step, *q, *zt; /* [max(nt, nv)], [nq], complex [2 nt + 2 nq]                            */
  void* memory;
} search;

/* -------------------------------------------------------------------------------- set up ---- */

static void layout(search* a, apl_arena* arena) {
  const apl_model* m = a->w->model;
  const size_t n = (size_t)a->n, nt = (size_t)m->nt, nv = (size_t)m->nv, nq = (size_t)m->nq;
  const size_t wide = nt > nv ? nt : nv;

#define TAKE(p, count) ((p) = apl_arena_take(arena, sizeof *(p) * (count)))
  TAKE(a->fixed, nt + nv);
  TAKE(a->J, n * wide);
  TAKE(a->W, n * n);
  TAKE(a->c, n);
  TAKE(a->p, n);
  TAKE(a->step, wide);
  TAKE(a->q, nq);
  TAKE(a->zt, 2 * (nt + nq));
#undef TAKE
}

static apl_status open_search(search* a, apl_closing* w, apl_state* s) {
  apl_arena arena = {0};

  *a = (search){.w = w, .s = s, .n = w->n, .nt = w->model->nt};
  layout(a, &arena);
  a->memory = apl_arena_open(&arena);
  const apl_status st =
      a->memory == NULL ? APL_ERR_MEMORY : apl_state_new(w->model, APL_COMPLEX, &a->z);
  if (st == APL_OK) layout(a, &arena);
  return st;
}

static void close_search(search* a) {
  apl_state_free(a->z);
  free(a->memory);
}

/* What is prescribed stays, and what is to be kept up to a level: later ones give way first. */
static void fix(search* a, const int* keep, int level, const int* keep_rates, int level_rates) {
  const apl_model* m = a->w->model;

  for (int i = 0; i < m->nt; ++i)
    a->fixed[i] = keep != NULL && keep[i] > 0 && keep[i] <= level;
  for (int i = 0; i < m->nv; ++i)
    a->fixed[m->nt + i] = keep_rates != NULL && keep_rates[i] > 0 && keep_rates[i] <= level_rates;
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    for (int k = 0; k < n->nt && n->joint_prescribed; ++k)
      a->fixed[n->t0 + k] = true;
    for (int k = 0; k < n->nv && n->joint_prescribed; ++k)
      a->fixed[m->nt + n->v0 + k] = true;
    for (int k = 0; k < n->nx && n->body_prescribed; ++k)
      a->fixed[n->xt0 + k] = a->fixed[m->nt + n->xv0 + k] = true;
  }
}

/* ------------------------------------------------------------------------------- positions ---- */

/* Gaps into c; the largest, and its row. */
static apl_status measure(search* a, double* largest, int* row) {
  const apl_status st = apl_loops(a->w->model, a->s);

  *largest = 0.0;
  for (int k = 0; k < a->n; ++k) {
    a->c[k] = a->s->row[APL_LOOP * k + APL_LOOP_GAP];
    if (fabs(a->c[k]) > *largest || isnan(a->c[k])) *largest = fabs(a->c[k]), *row = k;
  }
  return st;
}

static double size_of(const double* x, int n) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  return sqrt(sum);
}

/* J[n * nt]: gaps along each direction of the tangent, by the complex step. */
static apl_status differentiate(search* a) {
  const apl_model* m = a->w->model;
  double *delta = a->zt, *q = a->zt + 2 * m->nt;
  apl_status st = APL_OK;

  for (int i = 0; i < m->nq; ++i)
    q[2 * i] = a->s->q[i], q[2 * i + 1] = 0.0;
  memset(delta, 0, 2 * sizeof *delta * (size_t)m->nt);
  for (int i = 0; i < m->nt && st == APL_OK; ++i) {
    for (int k = 0; k < a->n; ++k)
      a->J[k * m->nt + i] = 0.0;
    if (a->fixed[i]) continue;
    delta[2 * i + 1] = tiny_step;
    st = apl_add(m, a->z, q, delta, a->z->q);
    if (st == APL_OK) st = apl_loops(m, a->z);
    delta[2 * i + 1] = 0.0;
    for (int k = 0; k < a->n; ++k)
      a->J[k * m->nt + i] = a->z->row[2 * (APL_LOOP * k + APL_LOOP_GAP) + 1] / tiny_step;
  }
  return st;
}

/* step[wide] = -J^T (J J^T)^+ c. Returns the share of c that it cannot remove. */
static double least_step(search* a, int wide) {
  double* W = a->W;

  for (int i = 0; i < a->n; ++i) {
    for (int j = 0; j < a->n; ++j) {
      double sum = 0.0;
      for (int k = 0; k < wide; ++k)
        sum += a->J[i * wide + k] * a->J[j * wide + k];
      W[i * a->n + j] = sum;
    }
  }
  apl_equal_factor(&a->w->equal, a->n, W, true);
  const double unmet = apl_equal_solve(&a->w->equal, a->c, a->p);
  for (int k = 0; k < wide; ++k) {
    a->step[k] = 0.0;
    for (int i = 0; i < a->n; ++i)
      a->step[k] += a->J[i * wide + k] * a->p[i];
  }
  return unmet;
}

/* One step, as long as it makes the gaps smaller; false when none does. */
static bool descend(search* a, double* largest, int* row) {
  const apl_model* m = a->w->model;
  const double before = size_of(a->c, a->n);
  double share = 1.0, far = 0.0;

  for (int i = 0; i < m->nt; ++i)
    far = fmax(far, fabs(a->step[i]));
  if (far > longest_step) share = longest_step / far;
  memcpy(a->q, a->s->q, sizeof *a->q * (size_t)m->nq);
  for (int k = 0; k < MOST_HALVINGS; ++k, share *= 0.5) {
    for (int i = 0; i < m->nt; ++i)
      a->zt[i] = share * a->step[i];
    if (apl_add(m, a->s, a->q, a->zt, a->s->q) == APL_OK && measure(a, largest, row) == APL_OK &&
        size_of(a->c, a->n) < before)
      return true;
  }
  memcpy(a->s->q, a->q, sizeof *a->q * (size_t)m->nq);
  measure(a, largest, row);
  return false;
}

static apl_status close_positions(search* a, apl_assembly* out) {
  apl_status st = measure(a, &out->gap, &out->row);

  for (int k = 0; k < MOST_STEPS && st == APL_OK && out->gap > settled; ++k) {
    st = differentiate(a);
    if (st != APL_OK) return st;
    least_step(a, a->nt);
    if (!descend(a, &out->gap, &out->row)) break;
    out->iterations += 1;
  }
  return st;
}

/* ------------------------------------------------------------------------------ velocities ---- */

static apl_status close_velocities(search* a, apl_assembly* out) {
  const apl_model* m = a->w->model;
  apl_status st = apl_loops_jacobian(m, a->s, a->J);

  /* twice: the second time removes round-off */
  for (int round = 0; round < 2 && st == APL_OK; ++round) {
    for (int k = 0; k < a->n; ++k) {
      a->c[k] = 0.0;
      for (int i = 0; i < m->nv; ++i)
        a->c[k] += a->J[k * m->nv + i] * a->s->v[i];
    }
    if (round == 0) {
      for (int i = 0; i < m->nv; ++i)
        for (int k = 0; k < a->n && a->fixed[m->nt + i]; ++k)
          a->J[k * m->nv + i] = 0.0;
    }
    least_step(a, m->nv);
    for (int i = 0; i < m->nv; ++i)
      a->s->v[i] += a->step[i];
    st = apl_loops_jacobian(m, a->s, a->J);
  }
  if (st == APL_OK) st = apl_loops(m, a->s);
  out->rate = 0.0;
  for (int k = 0; k < a->n; ++k)
    out->rate = fmax(out->rate, fabs(a->s->row[APL_LOOP * k + APL_LOOP_RATE]));
  return st;
}

/* --------------------------------------------------------------------------------- the whole ----
 */

/* "loop 'pin' stays 0.12 m open: x 0.1 m, y -0.07 m" */
static apl_status refuse(search* a, const apl_assembly* out, apl_error* err) {
  const apl_model* m = a->w->model;
  const apl_loop* l = &m->loop[m->part[out->row].loop];
  char part[160] = "";
  size_t used = 0;

  for (int k = l->row0; k < l->row0 + l->nrow && used < sizeof part - 40; ++k) {
    const char* name = strrchr(m->row_name[k], '.') + 1;
    const int n =
        snprintf(part + used, sizeof part - used, "%s%s %.3g %s", used > 0 ? ", " : "", name,
                 a->s->row[APL_LOOP * k + APL_LOOP_GAP], apl_model_unit(m, APL_LOOP_ROWS, k));
    used += n > 0 ? (size_t)n : 0;
  }
  apl_fail(err, APL_ERR_MODEL, "loop '%s' cannot be closed from this start; remaining gap: %s",
           m->loop_name[m->part[out->row].loop], part);
  if (err != NULL) {
    err->line = m->loop_mark[m->part[out->row].loop].line;
    err->column = m->loop_mark[m->part[out->row].loop].column;
  }
  return APL_ERR_MODEL;
}

static int highest(const int* keep, int n) {
  int most = 0;
  for (int i = 0; keep != NULL && i < n; ++i)
    most = keep[i] > most ? keep[i] : most;
  return most;
}

/* Rank of J, or of its columns that are not fixed. */
static int rank_of(search* a, int wide, const bool* fixed) {
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

/* The highest level at which what may move still moves all rows that can be moved. */
static apl_status find_level(search* a, const int* keep, int* level) {
  apl_status st = APL_OK;

  fix(a, NULL, 0, NULL, 0);
  *level = highest(keep, a->nt);
  if (*level == 0) return APL_OK;
  st = differentiate(a);
  const int all = st == APL_OK ? rank_of(a, a->nt, NULL) : 0;
  for (; *level > 0 && st == APL_OK; --*level) {
    fix(a, keep, *level, NULL, 0);
    if (rank_of(a, a->nt, a->fixed) == all) break;
  }
  return st;
}

static apl_status find_level_rates(search* a, const int* keep_rates, int* level) {
  const apl_model* m = a->w->model;
  apl_status st = APL_OK;

  *level = highest(keep_rates, m->nv);
  if (*level == 0) return APL_OK;
  fix(a, NULL, 0, NULL, 0);
  st = apl_loops_jacobian(m, a->s, a->J);
  const int all = st == APL_OK ? rank_of(a, m->nv, a->fixed + m->nt) : 0;
  for (; *level > 0 && st == APL_OK; --*level) {
    fix(a, NULL, 0, keep_rates, *level);
    if (rank_of(a, m->nv, a->fixed + m->nt) == all) break;
  }
  return st;
}

/* With as much as possible of what is to be kept; if that does not do, with all that may move. */
static apl_status assemble(search* a, const int* keep, const int* keep_rates, apl_assembly* out,
                           apl_error* err) {
  const apl_model* m = a->w->model;
  int level = 0, level_rates = 0;
  apl_status st = measure(a, &out->gap, &out->row);

  /* what is closed already stays as it is */
  if (st == APL_OK && out->gap > closed) {
    st = find_level(a, keep, &level);
    out->released = level < highest(keep, m->nt);
  }
  fix(a, keep, level, NULL, 0);
  if (st == APL_OK) st = close_positions(a, out);
  if (st == APL_OK && !(out->gap <= closed) && level > 0) {
    out->released = true;
    fix(a, NULL, 0, NULL, 0);
    st = close_positions(a, out);
  }
  if (st != APL_OK) return apl_fail(err, st, "%s while closing loops", apl_status_text(st));
  if (!(out->gap <= closed)) return refuse(a, out, err);

  st = find_level_rates(a, keep_rates, &level_rates);
  fix(a, NULL, 0, keep_rates, level_rates);
  if (st == APL_OK) st = close_velocities(a, out);
  double speed = 0.0;
  for (int i = 0; i < m->nv; ++i)
    speed = fmax(speed, fabs(a->s->v[i]));
  if (st != APL_OK) return apl_fail(err, st, "%s while closing loops", apl_status_text(st));
  if (out->rate > 1e-8 * (1.0 + speed)) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "no start velocities keep the loops closed: a gap rate of %.3g m/s or rad/s remains",
        out->rate);
  }
  /* a robot whose inertia is not positive cannot be accelerated, but it can be closed */
  out->nredundant = 0;
  if (apl_factor(m, a->s, 0.0) == APL_OK && apl_closing_factor(a->w, a->s) == APL_OK)
    out->nredundant = apl_closing_redundant(a->w, out->redundant);
  return APL_OK;
}

apl_status apl_closing_assemble(apl_closing* w, apl_state* s, const int* keep,
                                const int* keep_rates, apl_assembly* report, apl_error* err) {
  apl_assembly mine = {0}, *out = report != NULL ? report : &mine;
  int* redundant = out->redundant;
  search a;

  *out = (apl_assembly){.redundant = redundant};
  if (w->n == 0) return APL_OK;
  apl_status st = open_search(&a, w, s);
  if (st == APL_OK) {
    st = assemble(&a, keep, keep_rates, out, err);
  } else {
    apl_fail(err, st, "out of memory while closing loops");
  }
  close_search(&a);
  return st;
}
