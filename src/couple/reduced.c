/* SPDX-License-Identifier: Apache-2.0 */
/* reduced.c: see reduced.h. Dense matrices: for robots of up to some hundred freedoms. */
#include "couple/reduced.h"

#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The choice is renewed when the largest entry of L has grown by this factor. Most steps of
   Newton's method. */
static const double most_growth = 10.0;
enum { MOST_STEPS = 12 };

/* Rows with pivots below this, after scaling of columns to 1, are dependent. */
static const double tiny = 1e-11;

/* -------------------------------------------------------------------------------- set up ---- */

static void layout(apl_reduced* r, apl_arena* a) {
  const size_t n = (size_t)r->n, nv = (size_t)r->nv;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(r->row, n);
  TAKE(r->dependent, nv);
  TAKE(r->independent, nv);
  TAKE(r->given, nv);
  TAKE(r->J, n * nv);
  TAKE(r->M, nv * nv);
  TAKE(r->L, nv * nv);
  TAKE(r->R, nv * nv + n * nv);
  TAKE(r->f, nv);
  TAKE(r->g, nv);
  TAKE(r->x, nv + n + 8);
#undef TAKE
  apl_lu_place(&r->lu, r->n < r->nv ? r->nv : r->n, a);
}

static void find_given(const apl_model* m, bool* given) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    for (int k = 0; k < n->nv; ++k)
      given[n->v0 + k] = n->joint_prescribed;
    for (int k = 0; k < n->nx; ++k)
      given[n->xv0 + k] = n->body_prescribed;
  }
}

apl_status apl_reduced_open(apl_reduced* r, apl_closing* w) {
  apl_arena arena = {0};

  *r = (apl_reduced){.w = w, .n = w->n, .nv = w->model->nv};
  layout(r, &arena);
  r->memory = apl_arena_open(&arena);
  if (r->memory == NULL) return APL_ERR_MEMORY;
  layout(r, &arena);
  find_given(w->model, r->given);
  return APL_OK;
}

void apl_reduced_close(apl_reduced* r) {
  free(r->memory);
  *r = (apl_reduced){0};
}

/* --------------------------------------------------------------------------------- choice ---- */

static double scale_of(const apl_reduced* r, int velocity) {
  const double m = r->M[velocity * r->nv + velocity];
  return m > 0.0 ? 1.0 / sqrt(m) : 1.0;
}

/* J_d and its factors, and L = -J_d^-1 J_i. Returns the largest scaled entry of L. */
static double factor_choice(apl_reduced* r) {
  const int k = r->rank, nv = r->nv;
  double most = 0.0;

  apl_lu_begin(&r->lu, k, 0);
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j)
      r->lu.A[(long)i * r->lu.ld + j] = r->J[r->row[i] * nv + r->dependent[j]];
  }
  apl_lu_factor(&r->lu);
  if (r->lu.rank < k) return HUGE_VAL;
  for (int j = 0; j < r->nfree; ++j) {
    double* x = r->x;
    for (int i = 0; i < k; ++i)
      r->f[i] = -r->J[r->row[i] * nv + r->independent[j]];
    apl_lu_solve(&r->lu, r->f, x);
    for (int i = 0; i < k; ++i) {
      r->L[i * r->nfree + j] = x[i];
      most = fmax(most, fabs(x[i]) * scale_of(r, r->independent[j]) / scale_of(r, r->dependent[i]));
    }
  }
  return most;
}

/* All velocities that are neither dependent nor prescribed, in their own order. */
static void find_independent(apl_reduced* r) {
  const int nv = r->nv;
  bool* is_dependent = (bool*)(void*)r->x;
  for (int i = 0; i < nv; ++i)
    is_dependent[i] = false;
  for (int k = 0; k < r->rank; ++k)
    is_dependent[r->dependent[k]] = true;
  r->nfree = 0;
  for (int j = 0; j < nv; ++j) {
    if (!is_dependent[j] && !r->given[j]) r->independent[r->nfree++] = j;
  }
}

/* Complete pivoting of J with scaled columns, without the prescribed ones. */
static void choose(apl_reduced* r) {
  const int n = r->n, nv = r->nv;
  double* A = r->R;
  double first = 0.0;

  for (int i = 0; i < n; ++i) {
    r->row[i] = i;
    for (int j = 0; j < nv; ++j)
      A[i * nv + j] = r->given[j] ? 0.0 : r->J[i * nv + j] * scale_of(r, j);
  }
  for (int j = 0; j < nv; ++j)
    r->dependent[j] = j;
  for (r->rank = 0; r->rank < n && r->rank < nv; ++r->rank) {
    const int k = r->rank;
    int pi = k, pj = k;
    for (int i = k; i < n; ++i) {
      for (int j = k; j < nv; ++j) {
        const double a = fabs(A[r->row[i] * nv + r->dependent[j]]);
        if (a > fabs(A[r->row[pi] * nv + r->dependent[pj]])) pi = i, pj = j;
      }
    }
    const int row = r->row[pi], column = r->dependent[pj];
    const double pivot = A[row * nv + column];
    if (k == 0) first = fabs(pivot);
    if (!(fabs(pivot) > tiny * first)) break;
    r->row[pi] = r->row[k], r->row[k] = row;
    r->dependent[pj] = r->dependent[k], r->dependent[k] = column;
    for (int i = k + 1; i < n; ++i) {
      double* to = A + r->row[i] * nv;
      const double l = to[column] / pivot;
      for (int j = k + 1; j < nv; ++j)
        to[r->dependent[j]] -= l * A[row * nv + r->dependent[j]];
    }
  }
  find_independent(r);
  r->growth = fmax(factor_choice(r), 1.0);
  r->choices += 1;
  r->chosen = true;
}

apl_status apl_reduced_choose(apl_reduced* r, apl_state* s) {
  const apl_model* m = r->w->model;
  apl_status st = apl_loops_jacobian(m, s, r->J);

  if (st == APL_OK) st = apl_mass_matrix(m, s, r->M);
  if (st != APL_OK) return st;
  if (!r->chosen || factor_choice(r) > most_growth * r->growth) choose(r);
  return r->lu.rank == r->rank ? APL_OK : APL_ERR_SINGULAR;
}

/* Memory: chosen, rank, growth, choices; then rows and dependent velocities. */
enum { CHOICE = 4 };

int apl_reduced_memory_size(int rows, int nv) {
  return CHOICE + rows + nv;
}

/* The first of these whole numbers from 0 to n - 1 that occurs twice; -1: none does. marks[n] is
   room. */
static int find_twice(const int* x, int n, bool* marks) {
  memset(marks, 0, sizeof *marks * (size_t)n);
  for (int i = 0; i < n; ++i) {
    if (marks[x[i]]) return x[i];
    marks[x[i]] = true;
  }
  return -1;
}

void apl_reduced_memory(apl_reduced* r, apl_store* m) {
  const int least = r->n < r->nv ? r->n : r->nv;
  bool* marks = (bool*)(void*)r->x;

  apl_store_flag(m, &r->chosen, "whether velocities are chosen");
  if (!r->chosen) {
    apl_store_skip(m, apl_reduced_memory_size(r->n, r->nv) - 1);
    return;
  }
  apl_store_int(m, &r->rank, 0, least, "the rank of loops");
  apl_store_number(m, &r->growth, "the growth of a choice");
  if (m->out == NULL && !(r->growth >= 1.0))
    apl_store_refuse(m, "the growth of a choice", r->growth);
  apl_store_long(m, &r->choices, 0.0, 9e15, "the number of choices");
  for (int i = 0; i < r->n; ++i)
    apl_store_int(m, &r->row[i], 0, r->n - 1, "a row of a choice");
  for (int i = 0; i < r->nv; ++i)
    apl_store_int(m, &r->dependent[i], 0, r->nv - 1, "a velocity of a choice");
  if (m->out != NULL) return;
  int twice = m->bad == NULL ? find_twice(r->row, r->n, marks) : -1;
  if (m->bad == NULL && twice < 0) twice = find_twice(r->dependent, r->nv, marks);
  if (twice >= 0) apl_store_refuse(m, "a choice of velocities", twice);
  if (m->bad == NULL) {
    find_independent(r);
  } else {
    r->chosen = false;
  }
}

/* -------------------------------------------------------------------------------- motion ---- */

/* v_d = L v_i plus the effect of prescribed velocities: J_d v_d = -J_i v_i - J_p v_p */
static void complete_rates(apl_reduced* r, const double* b, double* v) {
  for (int i = 0; i < r->rank; ++i)
    r->f[i] = b[r->row[i]];
  apl_lu_solve(&r->lu, r->f, r->x);
  for (int i = 0; i < r->rank; ++i)
    v[r->dependent[i]] += r->x[i];
}

/* Newton's method for the dependent coordinates, moved along the dependent velocities. */
static apl_status complete_positions(apl_reduced* r, apl_state* s) {
  const apl_model* m = r->w->model;
  double *v = r->g, last = HUGE_VAL;
  apl_status st = APL_OK;

  for (int step = 0; step < MOST_STEPS; ++step) {
    double largest = 0.0;
    st = apl_loops(m, s);
    for (int k = 0; k < r->n; ++k) {
      r->w->b[k] = -s->row[APL_LOOP * k + APL_LOOP_GAP];
      largest = fmax(largest, fabs(r->w->b[k]));
    }
    if (st != APL_OK || largest == 0.0 || (largest < 1e-13 && !(largest < 0.5 * last))) return st;
    last = largest;
    memset(r->w->change, 0, sizeof *v * (size_t)r->nv);
    complete_rates(r, r->w->b, r->w->change);
    st = apl_closing_displace(r->w, s);
    if (st == APL_OK && step % 3 == 2) {
      /* slow convergence: update the Jacobian */
      st = apl_loops_jacobian(m, s, r->J);
      factor_choice(r);
    }
    if (st != APL_OK) return st;
  }
  return last < 1e-9 ? APL_OK : APL_ERR_SINGULAR;
}

apl_status apl_reduced_complete(apl_reduced* r, apl_state* s) {
  const apl_model* m = r->w->model;
  apl_status st = apl_loops_jacobian(m, s, r->J);
  if (st != APL_OK) return st;

  factor_choice(r);
  st = complete_positions(r, s);
  if (st == APL_OK) st = apl_loops_jacobian(m, s, r->J);
  if (st != APL_OK) return st;
  if (factor_choice(r) == HUGE_VAL) return APL_ERR_SINGULAR;
  for (int k = 0; k < r->n; ++k) {
    r->w->b[k] = 0.0;
    for (int j = 0; j < r->nv; ++j)
      r->w->b[k] -= r->J[k * r->nv + j] * s->v[j];
  }
  complete_rates(r, r->w->b, s->v);
  return APL_OK;
}

/* Solve the dense positive definite A x = b by Cholesky, in place. */
static bool cholesky(double* A, int n, double* b) {
  for (int j = 0; j < n; ++j) {
    for (int i = j; i < n; ++i) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; ++k)
        sum -= A[i * n + k] * A[j * n + k];
      if (i == j && !(sum > 0.0)) return false;
      A[i * n + j] = i == j ? sqrt(sum) : sum / A[j * n + j];
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k)
      b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int k = i + 1; k < n; ++k)
      b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
  return true;
}

/* Column j of [L; 1] applied to the rows of x: L^T x */
static double pull_back(const apl_reduced* r, int j, const double* x) {
  double sum = x[r->independent[j]];
  for (int i = 0; i < r->rank; ++i)
    sum += r->L[i * r->nfree + j] * x[r->dependent[i]];
  return sum;
}

/* a_i of L^T M L a_i = L^T (f - M g), then a = L a_i + g. */
static bool accelerate(apl_reduced* r, apl_state* s) {
  const int nv = r->nv, nf = r->nfree;
  double *R = r->R, *y = r->x, *b = r->w->change;

  /* f -= M g */
  for (int i = 0; i < nv; ++i) {
    for (int j = 0; j < nv; ++j)
      r->f[i] -= r->M[i * nv + j] * r->g[j];
  }
  for (int j = 0; j < nf; ++j) {
    /* y = M times column j of [L; 1] */
    for (int i = 0; i < nv; ++i) {
      y[i] = r->M[i * nv + r->independent[j]];
      for (int k = 0; k < r->rank; ++k)
        y[i] += r->M[i * nv + r->dependent[k]] * r->L[k * nf + j];
    }
    for (int k = 0; k < nf; ++k)
      R[k * nf + j] = pull_back(r, k, y);
    b[j] = pull_back(r, j, r->f);
  }
  if (!cholesky(R, nf, b)) return false;
  for (int i = 0; i < nv; ++i)
    s->a[i] = r->g[i];
  for (int j = 0; j < nf; ++j) {
    s->a[r->independent[j]] += b[j];
    for (int i = 0; i < r->rank; ++i)
      s->a[r->dependent[i]] += r->L[i * nf + j] * b[j];
  }
  return true;
}

/* Forces of the rows from J_d^T p = (M a - f)_d. Redundant rows get none. */
static void find_forces(apl_reduced* r, apl_state* s, const double* net) {
  const int k = r->rank;
  apl_lu* lu = &r->lu;

  apl_lu_begin(lu, k, 0);
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j)
      lu->A[(long)j * lu->ld + i] = r->J[r->row[i] * r->nv + r->dependent[j]];
    r->f[i] = net[r->dependent[i]];
  }
  apl_lu_factor(lu);
  apl_lu_solve(lu, r->f, r->x);
  for (int i = 0; i < r->n; ++i)
    s->row[APL_LOOP * i + APL_LOOP_FORCE] = 0.0;
  for (int i = 0; i < k; ++i)
    s->row[APL_LOOP * r->row[i] + APL_LOOP_FORCE] = r->x[i];
}

apl_status apl_reduced_forward(apl_reduced* r, apl_state* s) {
  const apl_model* m = r->w->model;
  const int nv = r->nv;
  double *bias = r->w->innovation, *net = r->w->innovation;

  /* without row forces: bias = efforts for a = 0, and (dJ/dt) v = c'' for a = 0 except given
     values */
  for (int k = 0; k < r->n; ++k)
    s->row[APL_LOOP * k + APL_LOOP_FORCE] = 0.0;
  for (int i = 0; i < nv; ++i) {
    if (!r->given[i]) s->a[i] = 0.0;
    r->g[i] = r->given[i] ? s->a[i] : 0.0;
  }
  apl_status st = apl_loops(m, s);
  if (st == APL_OK) st = apl_mass_matrix(m, s, r->M);
  if (st == APL_OK) st = apl_bias(m, s, bias);
  if (st != APL_OK) return st;
  for (int k = 0; k < r->n; ++k)
    r->w->b[k] = -s->row[APL_LOOP * k + APL_LOOP_ACCEL];
  complete_rates(r, r->w->b, r->g);
  for (int i = 0; i < nv; ++i)
    r->f[i] = s->tau[i] - bias[i];
  if (!accelerate(r, s)) return APL_ERR_SINGULAR;

  /* M a - f with the original f */
  for (int i = 0; i < nv; ++i) {
    double sum = bias[i] - s->tau[i];
    for (int j = 0; j < nv; ++j)
      sum += r->M[i * nv + j] * s->a[j];
    net[i] = sum;
  }
  find_forces(r, s, net);
  return apl_forward(m, s);
}
