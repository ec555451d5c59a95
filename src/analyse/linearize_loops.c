/* SPDX-License-Identifier: Apache-2.0 */
/* linearize_loops.c: states of a robot whose loops are closed exactly. Its motions satisfy

     c(q) = 0:   c_q dq = 0,          c'(q, v) = 0:   c'_q dq + J dv = 0

   so some states depend on the others, dx = E dx_i, and

     dx_i' = (A E)_i dx_i + B_i du,   dy = C E dx_i + D du

   The dependent states are chosen by complete pivoting of J M_jj^-1/2 and of c_q. Velocities on
   which inputs act are kept independent if possible, and directions are chosen like their
   velocities: the states of a parallel robot are then the coordinates of its motors and their
   rates. */
#include "analyse/linearize.h"

#include "appell/dynamics.h"

#include "base/error.h"
#include "couple/solve/lu.h"
#include "dynamics/loops.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Pivots below this belong to redundant rows, as in the method `reduced`. */
static const double tiny = 1e-11;

/* Distance of the neighbouring state used to detect singularities [m or rad], and the smallest
   pivot there. */
static const double beside = 1e-2, small = 1e-5;

/* Factor by which pivots must be larger before a driven state becomes dependent, or a direction
   whose velocity is independent. */
static const double preferred = 100.0;

/* Columns of one kind (directions or velocities), and the dependent ones among them. */
typedef struct follow {
  linear_kind kind;
  const double* R; /* [rows*n] the constraint matrix */
  int* at;         /* [columns] states                                                            */
  double* scale;   /* [columns]                                                                   */
  int columns, rows;
  apl_lu lu; /* of R with scaled columns: the first `rank` columns are dependent */
} follow;

typedef struct reduction {
  linear_work* w;
  int n, rows;
  int dependent; /* a redundant row */
  follow velocity, direction;
  bool* follows; /* [n]                                                                           */
  double* E;     /* [n*n] one column for each independent state */
  double* x;     /* [n + rows + 8]                                                                */
  double* row;   /* [rows]                                                                        */
  double* mass;  /* [nv*nv], then [rows*nv] J                                                     */
  double* kept;  /* [nq + nv]                                                                     */
} reduction;

static void list_columns(reduction* r, follow* f, linear_kind kind, const double* R) {
  f->kind = kind;
  f->R = R;
  f->rows = r->rows;
  for (int i = 0; i < r->n; ++i) {
    if (r->w->x.part[i].kind != kind) continue;
    f->scale[f->columns] = 1.0;
    f->at[f->columns++] = i;
  }
}

/* The state that is the velocity along a direction: the one that moves it most. -1: none. */
static int partner(const reduction* r, int direction) {
  const double* row = r->w->A + direction * r->n;
  double most = 0.0;
  int found = -1;

  for (int k = 0; k < r->velocity.columns; ++k) {
    const int at = r->velocity.at[k];
    if (fabs(row[at]) > most) most = fabs(row[at]), found = at;
  }
  return found;
}

static bool is_driven(const apl_model* m, int velocity) {
  int i = 0;

  while (i < m->ninput && !(m->input[i].kind == INPUT_VELOCITY && m->input[i].target == velocity))
    ++i;
  return i < m->ninput;
}

/* Scales of columns: large for states that should be dependent. */
static void find_scales(reduction* r, follow* f) {
  const apl_model* m = r->w->system->model;

  for (int k = 0; k < f->columns; ++k) {
    const int at = f->kind == LINEAR_VELOCITY ? f->at[k] : partner(r, f->at[k]);
    if (at < 0) continue;
    const int velocity = r->w->x.part[at].of;
    const double mass = r->mass[velocity * m->nv + velocity];
    f->scale[k] =
        (mass > 0.0 ? 1.0 / sqrt(mass) : 1.0) * (is_driven(m, velocity) ? 1.0 : preferred);
    if (f->kind == LINEAR_DIRECTION && r->follows[at]) f->scale[k] *= preferred;
  }
}

/* The rank of R; its first columns then are dependent. R is padded with zeros to a square
   matrix. */
static int factor(const reduction* r, follow* f, double smallest) {
  const int size = f->columns > f->rows ? f->columns : f->rows;
  double most = 0.0;

  apl_lu_begin(&f->lu, size, 0);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < size; ++k) {
      const bool inside = i < f->rows && k < f->columns;
      const double a = inside ? f->R[i * r->n + f->at[k]] * f->scale[k] : 0.0;
      f->lu.A[(ptrdiff_t)i * f->lu.ld + k] = a;
      most = fmax(most, fabs(a));
    }
  }
  apl_lu_reveal(&f->lu, APL_LU_COMPLETE, smallest * most);
  return f->lu.rank;
}

static void choose(reduction* r, follow* f) {
  find_scales(r, f);
  factor(r, f, tiny);
  for (int k = 0; k < f->lu.rank; ++k)
    r->follows[f->at[f->lu.column[k]]] = true;
}

/* Add the dependent states that satisfy R_f x_f + row = 0 to column j of E. */
static void complete(reduction* r, const follow* f, int j) {
  memset(r->x, 0, sizeof *r->x * (size_t)(f->lu.ld + 1));
  for (int k = 0; k < f->lu.rank; ++k)
    r->x[k] = r->row[f->lu.row[k]];
  apl_lu_solve_lead(&f->lu, r->x);
  for (int k = 0; k < f->lu.rank; ++k) {
    const int column = f->lu.column[k];
    r->E[f->at[column] * r->n + j] -= r->x[k] * f->scale[column];
  }
}

/* row = R E_j over all columns of one kind */
static void apply(reduction* r, const follow* f, const double* R, int j) {
  for (int i = 0; i < r->rows; ++i) {
    for (int k = 0; k < f->columns; ++k)
      r->row[i] += R[i * r->n + f->at[k]] * r->E[f->at[k] * r->n + j];
  }
}

/* Column j: a unit of state j, and all dependent states. */
static void extend(reduction* r, int j) {
  const size_t row = sizeof *r->row * (size_t)r->rows;

  r->E[j * r->n + j] = 1.0;
  memset(r->row, 0, row);
  apply(r, &r->direction, r->w->gap, j);
  complete(r, &r->direction, j);
  memset(r->row, 0, row);
  apply(r, &r->direction, r->w->gap_rate, j);
  apply(r, &r->velocity, r->w->gap_rate, j);
  complete(r, &r->velocity, j);
}

/* Multiply the rows of A [n*n] or C [p*n] by E, without dependent states; in place. */
static void reduce_rows(reduction* r, double* M, int rows, bool states) {
  double* to = M;

  for (int i = 0; i < rows; ++i) {
    const double* from = M + i * r->n;
    if (states && r->follows[i]) continue;
    for (int j = 0; j < r->n; ++j) {
      r->x[j] = 0.0;
      for (int k = 0; k < r->n && !r->follows[j]; ++k)
        r->x[j] += from[k] * r->E[k * r->n + j];
    }
    for (int j = 0; j < r->n; ++j)
      if (!r->follows[j]) *to++ = r->x[j];
  }
}

static void reduce_list(reduction* r) {
  linear_work* w = r->w;
  linear_list* x = &w->x;
  int n = 0;

  for (int i = 0; i < r->n; ++i) {
    if (r->follows[i]) continue;
    memmove(w->B + n * w->u.n, w->B + i * w->u.n, sizeof *w->B * (size_t)w->u.n);
    w->rate[n] = w->rate[i];
    x->part[n] = x->part[i];
    x->name[n] = x->name[i];
    x->unit[n++] = x->unit[i];
  }
  x->n = n;
}

static void layout(reduction* r, apl_arena* a) {
  const size_t n = (size_t)r->n, rows = (size_t)r->rows, nv = (size_t)r->w->system->model->nv;
  follow* const both[] = {&r->velocity, &r->direction};

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  for (int i = 0; i < 2; ++i) {
    TAKE(both[i]->at, n);
    TAKE(both[i]->scale, n);
    apl_lu_place(&both[i]->lu, r->n > r->rows ? r->n : r->rows, a);
  }
  TAKE(r->follows, n);
  TAKE(r->E, n * n);
  TAKE(r->x, n + rows + 16);
  TAKE(r->row, rows);
  TAKE(r->mass, (nv > rows ? nv : rows) * nv);
  TAKE(r->kept, (size_t)r->w->system->model->nq + nv);
#undef TAKE
}

/* ----------------------------------------------------------------------- singular places ---- */

/* A motion [nv] that the linearised loops allow, at most `beside` for each velocity. */
static void make_motion(const reduction* r, double* motion) {
  const follow* f = &r->velocity;
  double most = 0.0;

  memset(motion, 0, sizeof *motion * (size_t)r->w->system->model->nv);
  for (int k = 0; k < f->columns; ++k) {
    double* to = &motion[r->w->x.part[f->at[k]].of];
    for (int j = 0; j < f->columns; ++j)
      *to += r->E[f->at[k] * r->n + f->at[j]] * sin(1.0 + 2.3 * j); /* arbitrary generic numbers */
    most = fmax(most, fabs(*to));
  }
  for (int i = 0; i < r->w->system->model->nv && most > 0.0; ++i)
    motion[i] *= beside / most;
}

/* Rank of J at the present state; R of the velocities is overwritten. */
static apl_status rank_here(reduction* r, int* rank) {
  const apl_system* s = r->w->system;
  const int nv = s->model->nv;
  follow* f = &r->velocity;
  const apl_status st = apl_loops_jacobian(s->model, s->state, r->mass);

  for (int i = 0; i < r->rows; ++i) {
    for (int k = 0; k < f->columns; ++k)
      r->w->gap_rate[i * r->n + f->at[k]] = r->mass[i * nv + r->w->x.part[f->at[k]].of];
  }
  *rank = st == APL_OK ? factor(r, f, small) : 0;
  return st;
}

/* True if rows are redundant here but not at a neighbouring state. Then the linearised loops allow
   motions that do not exist, or there are branches. */
static bool is_singular(reduction* r) {
  apl_system* s = r->w->system;
  apl_closing* w = &s->loops.closing;
  const size_t nq = sizeof(double) * (size_t)s->model->nq,
               nv = sizeof(double) * (size_t)s->model->nv;
  const int rank = r->velocity.lu.rank;
  int other = 0;
  apl_error err;
  if (rank == r->rows) return false;

  r->dependent = r->velocity.lu.row[rank];
  memcpy(r->kept, s->state->q, nq);
  memcpy(r->kept + s->model->nq, s->state->v, nv);
  make_motion(r, w->change);
  const bool found = apl_closing_displace(w, s->state) == APL_OK &&
                     apl_closing_assemble(w, s->state, NULL, NULL, NULL, &err) == APL_OK &&
                     rank_here(r, &other) == APL_OK;
  memcpy(s->state->q, r->kept, nq);
  memcpy(s->state->v, r->kept + s->model->nq, nv);
  return !found || other > rank;
}

static void find_independent(reduction* r) {
  list_columns(r, &r->velocity, LINEAR_VELOCITY, r->w->gap_rate);
  list_columns(r, &r->direction, LINEAR_DIRECTION, r->w->gap);
  choose(r, &r->velocity);
  choose(r, &r->direction);
  for (int j = 0; j < r->n; ++j)
    if (!r->follows[j]) extend(r, j);
}

static void reduce(reduction* r) {
  linear_work* w = r->w;

  reduce_rows(r, w->A, r->n, true);
  reduce_rows(r, w->C, w->y.n, false);
  reduce_list(r);
}

apl_status apl_linear_reduce(linear_work* w, apl_error* err) {
  apl_system* s = w->system;
  reduction r = {.w = w, .n = w->x.n, .rows = s->model->npart};
  apl_arena arena = {0};

  layout(&r, &arena);
  void* memory = apl_arena_open(&arena);
  if (memory == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a linear system");
  layout(&r, &arena);
  apl_status st = apl_mass_matrix(s->model, s->state, r.mass);
  if (st == APL_OK) find_independent(&r);
  if (st == APL_OK && is_singular(&r)) {
    st = apl_fail(err, APL_ERR_SINGULAR,
                  "loop '%s' is at a singular configuration with fewer independent "
                  "coordinates, so that A is not defined",
                  s->model->loop_name[s->model->part[r.dependent].loop]);
  }
  if (st == APL_OK) reduce(&r);
  free(memory);
  return st;
}
