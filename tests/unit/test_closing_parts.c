/* SPDX-License-Identifier: Apache-2.0 */
/* test_closing_parts.c: couple/closing.h, reduced.h, search.h, given.h and rows.h on a spatial
   loop, and dynamics/tree_factor.h, derive.h and widen.h, against dense algebra with the mass
   matrix. */
#include "near.h"

#include "base/arena.h"
#include "couple/closing.h"
#include "couple/given.h"
#include "couple/reduced.h"
#include "couple/rows.h"
#include "couple/search.h"
#include "dynamics/derive.h"
#include "dynamics/factor.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"
#include "dynamics/rows.h"
#include "dynamics/tree_factor.h"
#include "dynamics/widen.h"
#include "model/model_impl.h"

#include "dense.h"
#include "subject.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_V = 16, MOST_ROWS = 6 };

typedef struct trial {
  plan* p;
  subject* sub;
  const apl_model* m;
  apl_state* s;
  int nv, n;
  double M[MOST_V * MOST_V], J[MOST_ROWS * MOST_V];
} trial;

/* Two arms of universal and spherical joints whose hands meet in a point, nearly closed: the second
   arm is the mirror of the first. */
static trial open_trial(void) {
  trial t = {.p = plan_new()};
  rng r = rng_seed(4);
  static const char* const name[] = {"a", "b", "c", "d"};
  static const char* const on[] = {"world", "a", "world", "c"};

  for (int i = 0; i < 4; ++i) {
    plan_link* l = plan_add(t.p, name[i], on[i], i % 2 ? "spherical" : "universal", "rigid");
    plan_mass(l, 1 + 0.1 * i, (apl_vec3){0.1, 0.02, 0.3}, 0.1, 0.2, 0.15);
    if (i % 2) l->at = apl_pose_at(0, 0, 0.5);
    if (i == 2) l->at = apl_pose_at(0.05, 0.03, 0);
    plan_at_port(l, "end", 0, apl_pose_at(0, 0, 0.4));
  }
  plan_join(t.p, "b.end", "d.end", "point");
  t.p->gravity = (apl_vec3){0, 0, -9.81};
  t.sub = subject_open(t.p);
  t.m = t.sub->model, t.s = t.sub->s;
  t.nv = t.m->nv, t.n = 3;
  rng_fill(&r, t.s->v, t.nv, 0.5);
  rng_fill(&r, t.s->tau, t.nv, 1);
  t.s->q[0] = 0.2, t.s->q[1] = 0.3; /* away from what is singular */
  assert_int_equal(t.m->npart, 3);
  assert_true(t.nv <= MOST_V);
  return t;
}

/* M and J at the present q. */
static void matrices(trial* t) {
  CHECK_OK(apl_loops_jacobian(t->m, t->s, t->J));
  CHECK_OK(apl_mass_matrix(t->m, t->s, t->M));
}

/* x = M^-1 b */
static void solve_mass(const trial* t, double* b) {
  double M[MOST_V * MOST_V];
  memcpy(M, t->M, sizeof M);
  assert_true(dense_solve(M, t->nv, b));
}

static void close_trial(trial* t) {
  subject_close(t->sub);
  free(t->p);
}

static double row_of(const trial* t, int k, int what) {
  return t->s->row[APL_LOOP * k + what];
}

/* G = J M^-1 J^T; forces p with J change = -b, change = M^-1 J^T p. */
static void closing(void** state) {
  trial t = open_trial();
  apl_closing w = {0};
  double G[9];

  (void)state;
  CHECK_OK(apl_closing_open(&w, t.m));
  matrices(&t);
  CHECK_OK(apl_loops(t.m, t.s));
  CHECK_OK(apl_factor(t.m, t.s, 0));
  CHECK_OK(apl_closing_factor(&w, t.s));
  assert_int_equal(w.n, 3);
  for (int i = 0; i < 3; ++i) {
    double x[MOST_V];
    memcpy(x, t.J + i * t.nv, sizeof(double) * (size_t)t.nv);
    solve_mass(&t, x);
    for (int j = 0; j < 3; ++j)
      G[3 * j + i] = dense_dot(t.J + j * t.nv, x, t.nv);
  }
  CHECK_ARRAY(w.G, G, 9, 1e-11, near_max(G, 9));
  assert_int_equal(apl_closing_redundant(&w, NULL), 0);

  const double b[3] = {0.3, -0.2, 0.1};
  double moved[3], want[MOST_V];
  memcpy(w.b, b, sizeof b);
  CHECK_OK(apl_closing_answer(&w, t.s));
  dense_times(t.J, w.change, 3, t.nv, moved);
  for (int i = 0; i < 3; ++i)
    CHECK_NEAR(moved[i], -b[i], 1e-11);
  dense_times_transposed(t.J, w.p, 3, t.nv, want);
  solve_mass(&t, want);
  CHECK_ARRAY(w.change, want, t.nv, 1e-10, 1);
  CHECK_NEAR(w.unmet, 0, 1e-12);

  /* a few projections close gaps and rates */
  apl_drift drift;
  for (int i = 0; i < 8; ++i)
    CHECK_OK(apl_closing_project(&w, t.s, &(apl_norm){0}, NULL, NULL, &drift));
  CHECK_OK(apl_loops(t.m, t.s));
  for (int k = 0; k < 3; ++k) {
    CHECK_NEAR(row_of(&t, k, APL_LOOP_GAP), 0, 1e-10);
    CHECK_NEAR(row_of(&t, k, APL_LOOP_RATE), 0, 1e-9);
  }
  apl_closing_close(&w);
  close_trial(&t);
}

/* Independent coordinates give the accelerations of multipliers: M a = tau - h + J^T p, J a = -c.
 */
static void reduced(void** state) {
  trial t = open_trial();
  apl_closing w = {0};
  apl_reduced r = {0};
  apl_drift drift;

  (void)state;
  CHECK_OK(apl_closing_open(&w, t.m));
  for (int i = 0; i < 8; ++i)
    CHECK_OK(apl_closing_project(&w, t.s, &(apl_norm){0}, NULL, NULL, &drift));
  CHECK_OK(apl_reduced_open(&r, &w));
  CHECK_OK(apl_reduced_choose(&r, t.s));
  assert_int_equal(r.rank, 3);
  assert_int_equal(r.nfree, t.nv - 3);
  CHECK_OK(apl_reduced_forward(&r, t.s));
  double a[MOST_V], bias[MOST_V], rest[MOST_V];
  memcpy(a, t.s->a, sizeof(double) * (size_t)t.nv);
  double p[3];
  for (int k = 0; k < 3; ++k)
    p[k] = row_of(&t, k, APL_LOOP_FORCE);
  matrices(&t);
  for (int k = 0; k < 3; ++k)
    t.s->row[APL_LOOP * k + APL_LOOP_FORCE] = 0;
  CHECK_OK(apl_bias(t.m, t.s, bias));
  dense_times(t.M, a, t.nv, t.nv, rest);
  for (int i = 0; i < t.nv; ++i) {
    rest[i] += bias[i] - t.s->tau[i];
    for (int k = 0; k < 3; ++k)
      rest[i] -= t.J[k * t.nv + i] * p[k];
  }
  CHECK_NEAR(near_max(rest, t.nv), 0, 1e-9);
  memcpy(t.s->a, a, sizeof(double) * (size_t)t.nv);
  CHECK_OK(apl_loops(t.m, t.s));
  for (int k = 0; k < 3; ++k)
    CHECK_NEAR(row_of(&t, k, APL_LOOP_ACCEL), 0, 1e-8);

  /* the choice survives a checkpoint; velocities that depend are found again */
  double memory[256];
  const int nmemory = apl_reduced_memory_size(r.n, r.nv);
  assert_true(nmemory <= 256);
  apl_store writer = apl_store_writer(memory, nmemory), reader = apl_store_reader(memory, nmemory);
  apl_reduced_memory(&r, &writer);
  assert_int_equal(writer.used, nmemory);
  apl_reduced other = {0};
  CHECK_OK(apl_reduced_open(&other, &w));
  apl_reduced_memory(&other, &reader);
  CHECK_OK(apl_store_status(&reader));
  assert_int_equal(other.rank, r.rank);
  for (int i = 0; i < r.rank; ++i)
    assert_int_equal(other.dependent[i], r.dependent[i]);
  const double v0 = t.s->v[r.dependent[0]];
  t.s->v[r.dependent[0]] += 1;
  CHECK_OK(apl_reduced_choose(&r, t.s));
  CHECK_OK(apl_reduced_complete(&r, t.s));
  CHECK_NEAR(t.s->v[r.dependent[0]], v0, 1e-9);
  apl_reduced_close(&other);
  apl_reduced_close(&r);
  apl_closing_close(&w);
  close_trial(&t);
}

/* Gaps, their derivative along the free directions, one step and the whole way. */
static void searching(void** state) {
  trial t = open_trial();
  apl_closing w = {0};
  apl_search a = {0};
  double size, c0[3];
  const double h = 1e-6;

  (void)state;
  CHECK_OK(apl_closing_open(&w, t.m));
  CHECK_OK(apl_search_open(&a, &w, t.s));
  apl_given_hold(&a.given, NULL, 0, t.s->q);
  apl_given_directions(&a.given, t.s->q, 1);
  CHECK_OK(apl_search_measure(&a, &size));
  CHECK_NEAR(size, sqrt(dense_dot(a.c, a.c, 3)), 1e-15);
  CHECK_NEAR(a.gap, near_max(a.c, 3), 1e-15);
  assert_false(apl_search_closed(&a));
  memcpy(c0, a.c, sizeof c0);
  CHECK_OK(apl_search_differentiate(&a));
  const int wide = a.given.ndirection;
  assert_int_equal(wide, t.m->nt);
  /* the first direction is a plain angle: differences of the gaps */
  const double q0 = t.s->q[0];
  double J0[3];
  for (int k = 0; k < 3; ++k)
    J0[k] = a.J[k * wide];
  t.s->q[0] = q0 + h;
  CHECK_OK(apl_search_measure(&a, &size));
  for (int k = 0; k < 3; ++k)
    CHECK_NEAR((a.c[k] - c0[k]) / h, J0[k], 1e-5);
  t.s->q[0] = q0;
  CHECK_OK(apl_search_measure(&a, &size));
  CHECK_OK(apl_search_differentiate(&a));
  apl_search_step(&a, wide, 0);
  double moved[3];
  dense_times(a.J, a.step, 3, wide, moved); /* J step = -c */
  for (int k = 0; k < 3; ++k)
    CHECK_NEAR(moved[k], -a.c[k], 1e-12);
  CHECK_OK(apl_search_close_from_here(&a, 50));
  assert_true(apl_search_closed(&a) && a.gap <= APL_CLOSED);
  apl_search_close(&a);
  apl_closing_close(&w);
  close_trial(&t);
}

/* What is held stays, the rest may move; a quaternion with one number given has two directions. */
static void givens(void** state) {
  trial t = open_trial();
  apl_given g;
  apl_arena arena = {0};
  const apl_link_info* b = &t.m->link[1];
  int keep[64] = {0};
  double x[MOST_V], delta[MOST_V], back[MOST_V], q[64];

  (void)state;
  apl_given_place(&g, t.m, &arena);
  void* memory = apl_arena_open(&arena);
  apl_given_place(&g, t.m, &arena);
  assert_int_equal(b->nq, 4);
  keep[0] = 1;         /* an angle, at any level */
  keep[b->q0 + 1] = 2; /* qx of a quaternion, from level 2 on */
  apl_given_hold(&g, keep, 1, t.s->q);
  apl_given_directions(&g, t.s->q, 2);
  assert_true(g.held[0] && !g.held[b->q0 + 1]);
  assert_int_equal(g.ndirection, t.m->nt - 1);
  apl_given_hold(&g, keep, 2, t.s->q);
  apl_given_directions(&g, t.s->q, 2);
  assert_int_equal(g.ndirection, t.m->nt - 2);
  rng r = rng_seed(3);
  rng_fill(&r, x, g.ndirection, 1);
  apl_given_spread(&g, x, delta);
  CHECK_NEAR(delta[0], 0, 0);
  apl_given_gather(&g, delta, back);
  CHECK_ARRAY(back, x, g.ndirection, 1e-14, 1); /* the directions are orthonormal */

  memcpy(q, t.s->q, sizeof(double) * (size_t)t.m->nq);
  q[0] += 1, q[b->q0] += 0.3, q[b->q0 + 1] += 0.2;
  apl_given_restore(&g, q);
  CHECK_NEAR(q[0], t.s->q[0], 0); /* bit for bit */
  CHECK_NEAR(q[b->q0 + 1], t.s->q[b->q0 + 1], 0);
  CHECK_NEAR(dense_dot(q + b->q0, q + b->q0, 4), 1, 1e-14);

  for (int k = 1; k < 4; ++k)
    keep[b->q0 + k] = 1;
  q[b->q0] = sqrt(1 - 0.25), q[b->q0 + 1] = 0.5, q[b->q0 + 2] = q[b->q0 + 3] = 0;
  apl_given_hold(&g, keep, 1, q);
  const double w = q[b->q0];
  apl_given_signs(&g, 0, q);
  CHECK_NEAR(q[b->q0], w, 0);
  apl_given_signs(&g, 1, q);
  CHECK_NEAR(q[b->q0], -w, 0);
  free(memory);
  close_trial(&t);
}

/* A row on one velocity that may not move, one that may only be pushed, and a broad row. */
static void rows(void** state) {
  trial t = open_trial();
  apl_rows list = {0};
  double *J, x[MOST_V] = {0}, a[MOST_V], z[MOST_V], want[MOST_V] = {0};

  (void)state;
  matrices(&t);
  CHECK_OK(apl_rows_reserve(&list, t.m, 4, 1));
  assert_true(list.most >= 4);
  apl_rows_clear(&list);
  const int free_row = apl_rows_add(&list, APL_SET_FREE, 1);
  list.way[free_row] = (apl_way){{0, 0}, {2, -1}};
  memset(list.number + ROW_NUMBERS * free_row, 0, sizeof(double) * ROW_NUMBERS);
  list.number[ROW_NUMBERS * free_row + ROW_EFFORT] = 1;
  const int broad = apl_rows_add_broad(&list, APL_SET_HALF_LINE, &J);
  for (int i = 0; i < t.nv; ++i)
    J[i] = i == 0 ? 1 : i == 4 ? -2 : 0;
  assert_int_equal(list.n, 2);
  assert_int_equal(list.nblock, 2);
  list.q[free_row] = 0.5, list.q[broad] = -0.25;
  CHECK_OK(apl_factor(t.m, t.s, 0));
  CHECK_OK(apl_rows_inertia(&list, t.m, t.s, false));
  x[2] = 1;
  solve_mass(&t, x);
  CHECK_NEAR(list.W[0], x[2], 1e-11 * x[2]);
  CHECK_NEAR(list.W[1], x[0] - 2 * x[4], 1e-10);
  const apl_cone_result result = apl_rows_solve(&list, true, false, false);
  assert_int_equal(result.status, APL_CONE_SOLVED);
  CHECK_NEAR(list.u[free_row], 0, 1e-10);
  assert_true(list.r[broad] >= 0 && list.u[broad] > -1e-10);
  CHECK_NEAR(list.r[broad] * list.u[broad], 0, 1e-10);
  CHECK_OK(apl_rows_spread(&list, t.m, t.s, z, a, NULL)); /* a = M^-1 J^T r */
  want[2] = list.r[free_row], want[0] += list.r[broad], want[4] -= 2 * list.r[broad];
  solve_mass(&t, want);
  CHECK_ARRAY(a, want, t.nv, 1e-9, 1 + near_max(want, t.nv));
  apl_rows_clear(&list);
  assert_true(list.n == 0 && list.nblock == 0 && list.nbroad == 0);
  apl_rows_free(&list);
  close_trial(&t);
}

/* ------------------------------------------------------------------------- derivatives' tools ----
 */

/* A forest of random parents: the factors solve as Cholesky does, also where some do not move. */
static void tree_factors(void** state) {
  enum { N = 11, WIDE = 8 };
  rng r = rng_seed(7);

  (void)state;
  for (int trial_of = 0; trial_of < 20; ++trial_of) {
    int velocity[N], up[N], run[N], given[N] = {0};
    double L[N * N], C[N * N] = {0}, M[N * N] = {0}, B[N * WIDE], want[N];
    for (int i = 0; i < N; ++i) {
      velocity[i] = (i * 4 + 3) % N; /* another order of velocities */
      up[i] = i == 0 ? -1 : rng_below(&r, i + 1) - 1;
      if (trial_of % 3 == 0) up[i] = i - 1; /* a chain */
      run[i] = i > 0 && up[i] == i - 1 ? run[i - 1] : i;
      for (int j = i; j >= 0; j = up[j]) /* C: one row per freedom, nonzero on its way */
        C[i * N + j] = rng_between(&r, 0.5, 1.5);
      given[velocity[i]] = trial_of % 2 == 1 && i % 4 == 1;
    }
    for (int k = 0; k < N; ++k) /* M = C^T C has the pattern of the tree */
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
          M[velocity[i] * N + velocity[j]] += C[k * N + i] * C[k * N + j];
    tree_factor f = {N, velocity, up, run, L};
    assert_int_equal(apl_tree_factor(&f, M, given), -1);
    rng_fill(&r, B, N * WIDE, 1);
    double A[N * N], b[N];
    for (int i = 0; i < N; ++i) {
      for (int j = 0; j < N; ++j) {
        const bool fixed = given[velocity[i]] || given[velocity[j]];
        A[i * N + j] = fixed ? (i == j ? 1 : 0) : M[velocity[i] * N + velocity[j]];
      }
      b[i] = B[i * WIDE + 5];
    }
    memcpy(want, b, sizeof want);
    assert_true(dense_solve(A, N, want));
    apl_tree_solve(&f, B, WIDE);
    for (int i = 0; i < N; ++i)
      CHECK_NEAR(B[i * WIDE + 5], want[i], 1e-8 * (1 + near_max(want, N)));
    memset(M, 0, sizeof M);
    assert_true(apl_tree_factor(&f, M, given) >= 0); /* nothing has inertia */
  }
  assert_true(tree_padded(1) == TREE_STRIP && tree_padded(8) == 8 && tree_padded(0) == 0);

  /* numbers of a joint follow each other: per direction T, dS, dc, then per velocity dc */
  assert_int_equal(local_direction(3, 0), 0);
  assert_int_equal(local_direction(3, 1), 6 + 18 + 6);
  assert_int_equal(local_velocity(3, 4, 0), 4 * 30);
  assert_int_equal(local_velocity(3, 4, 2), 4 * 30 + 12);
}

/* A complex copy moves as the state itself does. */
static void widened(void** state) {
  trial t = open_trial();

  (void)state;
  const apl_wrench W = {{0.1, 0.2, 0.3}, {1, 2, 3}};
  CHECK_OK(apl_load(t.m, t.s, 2, APL_WORLD_AXES, W));
  apl_state_widen(t.m, t.s, t.sub->z);
  CHECK_OK(apl_forward(t.m, t.s));
  CHECK_OK(apl_forward(t.m, t.sub->z));
  CHECK_ALIVE(t.s->a, t.nv, 0.1);
  for (int i = 0; i < t.nv; ++i) {
    CHECK_NEAR(t.sub->z->a[2 * i], t.s->a[i], 1e-10 * (1 + fabs(t.s->a[i])));
    CHECK_NEAR(t.sub->z->a[2 * i + 1], 0, 0);
  }
  close_trial(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(closing), cmocka_unit_test(reduced), cmocka_unit_test(searching),
      cmocka_unit_test(givens),  cmocka_unit_test(rows),    cmocka_unit_test(tree_factors),
      cmocka_unit_test(widened),
  };
  return cmocka_run_group_tests_name("closing_parts", tests, NULL, NULL);
}
