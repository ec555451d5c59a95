/* SPDX-License-Identifier: Apache-2.0 */
/* checks_rows.c: factors, solutions and rows, against dense algebra with the mass matrix and port
   Jacobians; stiffness and damping against derivatives of the efforts that keep a robot at rest. */
#include "checks.h"

#include "dynamics/factor.h"
#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* G against dense algebra: both solve the same system, by different orders of elimination, and
   differ by round-off times the condition of A. */
#define ROWS_SAME 1e-11

/* Residual of a solution in A a = b + effort: round-off of the added terms, for any condition
   number. */
#define ROWS_RESIDUAL 1e-12

enum { ROWS = 11 };

/* The rows of a check, dense. */
typedef struct dense_rows {
  apl_row row[ROWS];
  double* J;   /* [ROWS*nv]                                                                    */
  double* A;   /* [nv*nv]                                                                      */
  bool* given; /* [nv]                                                                         */
} dense_rows;

/* On one port, on two, on a velocity; some neighbours share their ports. */
static void random_rows(const subject* sub, rng* r, apl_row* row) {
  for (int i = 0; i < ROWS; i++) {
    row[i] = (apl_row){{-1, -1}, rng_below(r, 2) ? APL_WORLD_AXES : APL_PORT_AXES, {{0}}, -1, 0};
    if (i % 4 == 3 && sub->nv > 0) {
      row[i].velocity = rng_below(r, sub->nv);
      row[i].effort = rng_between(r, 0.5, 2);
      continue;
    }
    row[i].port[0] = rng_below(r, sub->nport);
    if (i >= ROWS / 2) row[i].port[1] = rng_below(r, sub->nport);
    if (i % 4 == 1 || i % 4 == 2) memcpy(row[i].port, row[i - 1].port, sizeof row[i].port);
    rng_fill(r, row[i].wrench[0], 12, 1);
  }
}

static void row_jacobians(subject* sub, apl_state* s, const apl_row* row, double* J) {
  const int n = sub->nv;
  double* port = subject_take(sub, 6 * n);

  for (int i = 0; i < ROWS; i++) {
    memset(J + i * n, 0, sizeof *J * (size_t)n);
    for (int e = 0; e < 2; e++) {
      if (row[i].port[e] < 0) continue;
      CHECK_OK(apl_jacobian(sub->model, s, row[i].port[e], row[i].axes, port));
      for (int k = 0; k < 6 * n; k++)
        J[i * n + k % n] += row[i].wrench[e][k / n] * port[k];
    }
    if (row[i].velocity >= 0) J[i * n + row[i].velocity] += row[i].effort;
  }
}

/* The motion for b when prescribed freedoms keep theirs. */
static void dense_motion(subject* sub, const dense_rows* d, const double* b, double* a) {
  const int n = sub->nv;
  double* F = subject_take(sub, n * n);

  for (int i = 0; i < n; i++) {
    a[i] = d->given[i] ? 0 : b[i];
    for (int j = 0; j < n; j++)
      F[i * n + j] = d->given[i] || d->given[j] ? i == j : d->A[i * n + j];
  }
  CHECK_TRUE(dense_solve(F, n, a), "the dense matrix is not positive definite");
}

/* A a = b + effort; effort is there only where motion is given, and that is kept. */
static void check_solution(subject* sub, const dense_rows* d, const double* b, const double* start,
                           const double* a, const double* effort) {
  const int n = sub->nv;
  double* got = subject_take(sub, n);
  double* sizes = subject_take(sub, n);
  double* want = subject_take(sub, n);

  for (int k = 0; k < n; k++) {
    want[k] = b[k] + effort[k];
    if (d->given[k]) {
      CHECK_NEAR(a[k], start[k], 0);
    } else {
      CHECK_NEAR(effort[k], 0, 0);
    }
  }
  dense_times(d->A, a, n, n, got);
  dense_sizes(d->A, a, n, n, sizes);
  CHECK_ARRAY(got, want, n, ROWS_RESIDUAL, near_max(sizes, n) + near_max(b, n));
}

/* Accuracy of the dense solution itself: round-off times the condition number, which reaches 1.4e6
   among the random trees, so at most 6e-10 is allowed. */
static double dense_knowledge(subject* sub, const dense_rows* d) {
  const int n = sub->nv;
  double* unit = subject_take(sub, n * n);
  double* lambda = subject_take(sub, n);

  for (int i = 0; i < n * n; i++)
    unit[i] = i % (n + 1) == 0;
  if (!dense_eigenvalues(d->A, unit, n, lambda)) return ROWS_SAME;
  double least = lambda[0], most = lambda[0];
  for (int i = 1; i < n; i++) {
    least = lambda[i] < least ? lambda[i] : least;
    most = lambda[i] > most ? lambda[i] : most;
  }
  if (!(least > 0)) return ROWS_SAME;
  const double error = 2 * 2.2e-16 * most / least;
  return error > ROWS_SAME ? error : ROWS_SAME;
}

/* G and its halves for the factors in the scalar state. */
static void compare_inertia(subject* sub, const dense_rows* d, double* z) {
  const int n = sub->nv;
  double* a = subject_take(sub, n);
  double G[ROWS * ROWS];
  double want[ROWS * ROWS];

  CHECK_OK(apl_row_half(sub->model, sub->s, d->row, ROWS, z));
  CHECK_OK(apl_row_inertia(sub->model, sub->s, d->row, ROWS, z, G));
  for (int i = 0; i < ROWS; i++) {
    dense_motion(sub, d, d->J + i * n, a);
    dense_times(d->J, a, ROWS, n, want + i * ROWS);
    for (int j = 0; j < ROWS; j++)
      CHECK_NEAR(G[i * ROWS + j], G[j * ROWS + i], 0);
  }
  CHECK_ARRAY(G, want, ROWS * ROWS, dense_knowledge(sub, d), near_max(want, ROWS * ROWS));
}

/* G, and solutions for the forces p of the rows, for the factors in the scalar state. */
static void compare_halves(subject* sub, const dense_rows* d, const double* p) {
  const int n = sub->nv;
  double* z = subject_take(sub, ROWS * n);
  double* sum = subject_take(sub, n);
  double* a = subject_take(sub, n);
  double* still = subject_take(sub, n);
  double* effort = subject_take(sub, n);
  double* b = subject_take(sub, n);

  compare_inertia(sub, d, z);
  for (int i = 0; i < ROWS * n; i++)
    sum[i % n] += p[i / n] * z[i];
  dense_times_transposed(d->J, p, ROWS, n, b);
  CHECK_OK(apl_spread(sub->model, sub->s, sum, a, effort));
  check_solution(sub, d, b, still, a, effort);
  bool free = true;
  for (int k = 0; k < n; k++)
    free = free && !d->given[k];
  if (free) CHECK_ALIVE(a, n, 1e-6);

  /* the same by rows alone: only their ways are touched */
  memset(a, 0, sizeof *a * (size_t)n);
  CHECK_OK(apl_solve(sub->model, sub->s, NULL, d->row, p, ROWS, a, effort));
  check_solution(sub, d, b, still, a, effort);

  /* efforts in addition, and given motion of prescribed freedoms */
  for (int k = 0; k < n; k++) {
    b[k] += sub->tau[k];
    a[k] = d->given[k] ? sub->a[k] : 0;
  }
  CHECK_OK(apl_solve(sub->model, sub->s, sub->tau, d->row, p, ROWS, a, effort));
  check_solution(sub, d, b, sub->a, a, effort);
}

/* Rows move as their Jacobian says; their acceleration is the derivative along the motion. */
static void compare_motion(subject* sub, const dense_rows* d) {
  const int n = sub->nv;
  double* qdot = subject_take(sub, sub->nq);
  double* v = subject_take(sub, ROWS);
  double* a = subject_take(sub, ROWS);
  double* want = subject_take(sub, ROWS);
  double* wide = subject_take(sub, 2 * ROWS);

  CHECK_OK(apl_row_motion(sub->model, sub->s, d->row, ROWS, v, a));
  dense_times(d->J, sub->v, ROWS, n, want);
  CHECK_ARRAY(v, want, ROWS, 1e-12, 1 + near_max(want, ROWS));
  CHECK_OK(apl_rates(sub->model, sub->s, qdot));
  subject_complex(sub, qdot, sub->a, NULL, NULL);
  CHECK_OK(apl_row_motion(sub->model, sub->z, d->row, ROWS, wide, NULL));
  subject_derivative(wide, ROWS, want);
  CHECK_ARRAY(a, want, ROWS, 1e-12, 1 + near_max(want, ROWS));
}

static dense_rows rows_of(subject* sub, rng* r, bool* given) {
  dense_rows d = {.J = subject_take(sub, ROWS * sub->nv),
                  .A = subject_take(sub, sub->nv * sub->nv),
                  .given = given};

  check_mark_given(sub, given);
  random_rows(sub, r, d.row);
  row_jacobians(sub, sub->s, d.row, d.J);
  return d;
}

void check_rows(subject* sub, rng* r) {
  const int n = sub->nv;
  bool* given = calloc((size_t)n + 1, sizeof *given);
  double* z = subject_take(sub, ROWS * n + 1);
  double* again = subject_take(sub, ROWS * n + 1);
  double p[ROWS];

  assert_non_null(given);
  if (n == 0) {
    free(given);
    return;
  }
  rng_fill(r, p, ROWS, 1);
  subject_point(sub);
  dense_rows d = rows_of(sub, r, given);
  compare_motion(sub, &d);

  /* the mass matrix overwrites the factors: stale factors are never used */
  CHECK_OK(apl_factor(sub->model, sub->s, 0));
  CHECK_OK(apl_mass_matrix(sub->model, sub->s, d.A));
  assert_int_equal(apl_row_half(sub->model, sub->s, d.row, ROWS, z), APL_ERR_ARGUMENT);
  CHECK_OK(apl_factor(sub->model, sub->s, 0));
  compare_halves(sub, &d, p);

  /* forward dynamics leaves the same factors */
  CHECK_OK(apl_row_half(sub->model, sub->s, d.row, ROWS, z));
  CHECK_OK(apl_forward(sub->model, sub->s));
  CHECK_OK(apl_factor_last(sub->model, sub->s));
  CHECK_OK(apl_row_half(sub->model, sub->s, d.row, ROWS, again));
  CHECK_ARRAY(again, z, ROWS * n, 1e-13, near_max(z, ROWS * n));
  free(given);
}

/* ------------------------------------------------------------------- stiffness and damping ---- */

/* Columns of C and K: the complex step of the efforts that keep the robot at rest, along each
   velocity and along the motion of coordinates that it makes. At rest no velocity products are
   left; weight and air are taken out beforehand. */
static void rest_derivatives(subject* sub, double* C, double* K) {
  const int n = sub->nv;
  double* unit = subject_take(sub, n);
  double* qdot = subject_take(sub, sub->nq);
  double* wide = subject_take(sub, 2 * n);
  double* column = subject_take(sub, n);

  for (int k = 0; k < n; k++) {
    unit[k] = 1;
    memcpy(apl_v(sub->s), unit, sizeof *unit * (size_t)n);
    CHECK_OK(apl_rates(sub->model, sub->s, qdot));
    for (int which = 0; which < 2; which++) {
      subject_complex(sub, which ? qdot : NULL, which ? NULL : unit, NULL, NULL);
      CHECK_OK(apl_bias(sub->model, sub->z, wide));
      subject_derivative(wide, n, column);
      for (int i = 0; i < n; i++)
        (which ? K : C)[i * n + k] = column[i];
    }
    unit[k] = 0;
  }
}

/* Joints at the rest position of their springs: the change of a spring's row with q is neglected in
   K, and is zero there. */
static void put_at_rest(subject* sub) {
  memset(sub->v, 0, sizeof *sub->v * (size_t)sub->nv);
  memset(sub->u, 0, sizeof *sub->u * (size_t)sub->nu);
  memset(sub->load, 0, sizeof *sub->load * (size_t)(6 * sub->nport));
  for (int i = 0; i < sub->nlink; i++) {
    const apl_link_info info = apl_model_link_info(sub->model, i);
    const plan_field* rest = plan_find(&sub->plan->link[i], "joint.rest");
    if (rest != NULL) memcpy(sub->q + info.q0, rest->value, sizeof(double) * (size_t)rest->n);
  }
}

void check_stiffness(const plan* from, rng* r) {
  static const double step[] = {1e-3, 0.1};
  plan* p = plan_copy(from);

  p->gravity = (apl_vec3){0, 0, 0};
  for (int i = 0; i < p->nlink; i++) {
    if (plan_find(&p->link[i], "body.air-drag")) plan_number(&p->link[i], "body.air-drag", 0);
  }
  subject* sub = subject_open(p);
  const int n = sub->nv;
  bool* given = calloc((size_t)n + 1, sizeof *given);
  double* C = subject_take(sub, n * n);
  double* K = subject_take(sub, n * n);
  double* Cv = subject_take(sub, n);
  double* Kv = subject_take(sub, n);
  double* want = subject_take(sub, n);
  double row_forces[ROWS];

  assert_non_null(given);
  rng_fill(r, row_forces, ROWS, 1);
  subject_randomise(sub, r);
  put_at_rest(sub);
  rest_derivatives(sub, C, K);
  subject_point(sub);
  CHECK_OK(apl_stiffness(sub->model, sub->s, sub->a, Kv, Cv));
  dense_times(C, sub->a, n, n, want);
  CHECK_ARRAY(Cv, want, n, 1e-12, 1 + near_max(C, n * n));
  dense_times(K, sub->a, n, n, want);
  CHECK_ARRAY(Kv, want, n, 1e-12, 1 + near_max(K, n * n));
  for (int i = 0; n > 0 && i < 2; i++) {
    const double g = step[i];
    dense_rows d = rows_of(sub, r, given);
    CHECK_OK(apl_mass_matrix(sub->model, sub->s, d.A));
    for (int k = 0; k < n * n; k++)
      d.A[k] += g * C[k] + g * g * K[k];
    CHECK_OK(apl_factor(sub->model, sub->s, g));
    compare_halves(sub, &d, row_forces);
  }
  subject_close(sub);
  free(given);
  free(p);
}

/* --------------------------------------------------------------------------------- jumps ---- */

void check_jump(subject* sub, rng* r) {
  const int n = sub->nv;
  const int port = rng_below(r, sub->nport);
  apl_row row = {{port, -1}, APL_WORLD_AXES, {{0}}, -1, 0};
  const double impulse = rng_between(r, 0.5, 2);
  double* jump = subject_take(sub, n);
  double before[6];
  double after[6];
  double want[6];
  double X[12];

  rng_fill(r, row.wrench[0], 6, 1);
  subject_point(sub);
  CHECK_OK(apl_momentum(sub->model, sub->s, before));
  CHECK_OK(apl_port_pose(sub->model, sub->s, port, X));
  CHECK_OK(apl_factor(sub->model, sub->s, 0));
  CHECK_OK(apl_solve(sub->model, sub->s, NULL, &row, &impulse, 1, jump, NULL));
  for (int k = 0; k < n; k++)
    apl_v(sub->s)[k] += jump[k];
  CHECK_OK(apl_momentum(sub->model, sub->s, after));

  /* all that the robot has gained is the impulse, about the world's origin */
  dense_cross(X + 9, row.wrench[0] + 3, want);
  for (int k = 0; k < 3; k++) {
    want[k] = impulse * (want[k] + row.wrench[0][k]);
    want[3 + k] = impulse * row.wrench[0][3 + k];
  }
  for (int k = 0; k < 6; k++)
    after[k] -= before[k];
  CHECK_ARRAY(after, want, 6, ROWS_SAME, 1 + near_max(before, 6));
}
