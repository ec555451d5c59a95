/* SPDX-License-Identifier: Apache-2.0 */
/* test_rows.c: factors and rows where robots of checks_rows.c do not go: stops that are pressed and
   dry friction in motion, many rows at once, rows of trees that do not meet, and what is refused.
   All kinds of joints and bodies: check_rows() in checks_rows.c, by test_joints, test_bodies,
   test_trees and test_flat; all builds: test_builds. */
#include "checks.h"

#include "dynamics/factor.h"
#include "dense.h"
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ slopes of efforts ----
 */

static plan* sliding(const char* joint) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "link", "world", joint, "rigid");
  plan_mass(link, 2, (apl_vec3){0, 0, 0}, 0.3, 0.4, 0.5);
  plan_number(link, "joint.stiffness", 30);
  plan_number(link, "joint.rest", 0.2);
  plan_number(link, "joint.damping", 0.7);
  plan_number(link, "joint.friction", 1.5);
  plan_number(link, "joint.friction-speed", 0.05);
  plan_number(link, "joint.lower", -0.5);
  plan_number(link, "joint.upper", 0.5);
  plan_number(link, "joint.stop-stiffness", 400);
  plan_number(link, "joint.stop-damping", 0.6);
  return p;
}

/* One joint about or along a fixed axis has no velocity products: the complex step of its effort is
   K and C wherever it stands and however it moves. Free, pressed from both sides coming and going,
   and torn off its stop, where a stop does not pull (1 + 0.6 * -2 < 0). */
static void slopes(void** state) {
  static const double at[][2] = {{0.1, 0.3},   {0.1, 0.01}, {0.6, 0.4},    {0.7, -0.5},
                                 {-0.6, -0.3}, {-0.7, 0.5}, {0.6, -2.000}, {-0.55, 2.2}};
  (void)state;
  for (int which = 0; which < 2; which++) {
    plan* p = sliding(which ? "revolute" : "prismatic");
    p->gravity = (apl_vec3){0, 0, 0};
    subject* sub = subject_open(p);

    for (int i = 0; i < (int)(sizeof at / sizeof *at); i++) {
      const double one = 1;
      double wide[2];
      double K;
      double C;
      double Kv;
      double Cv;

      near_context("%s at %g, %g", p->link[0].joint, at[i][0], at[i][1]);
      sub->q[0] = at[i][0];
      sub->v[0] = at[i][1];
      subject_complex(sub, &one, NULL, NULL, NULL);
      CHECK_OK(apl_bias(sub->model, sub->z, wide));
      subject_derivative(wide, 1, &K);
      subject_complex(sub, NULL, &one, NULL, NULL);
      CHECK_OK(apl_bias(sub->model, sub->z, wide));
      subject_derivative(wide, 1, &C);
      subject_point(sub);
      CHECK_OK(apl_stiffness(sub->model, sub->s, &one, &Kv, &Cv));
      CHECK_NEAR(Kv, K, 1e-13 * fabs(K));
      CHECK_NEAR(Cv, C, 1e-13 * fabs(C));

      /* 1 / (M + g C + g^2 K) */
      const apl_row row = {{-1, -1}, APL_PORT_AXES, {{0}}, 0, 1};
      double z;
      double G;
      CHECK_OK(apl_factor(sub->model, sub->s, 0.01));
      CHECK_OK(apl_row_half(sub->model, sub->s, &row, 1, &z));
      CHECK_OK(apl_row_inertia(sub->model, sub->s, &row, 1, &z, &G));
      const double A = (which ? 0.5 : 2.0) + 0.01 * C + 1e-4 * K;
      CHECK_NEAR(G * A, 1, 1e-14);
    }
    subject_close(sub);
    free(p);
  }
}

/* -------------------------------------------------------------------------------- many rows ----
 */

/* Six rows on each port of a robot: more than are treated at a time, against dense algebra. */
static void many_rows(void** state) {
  (void)state;
  rng r = rng_seed(11);
  plan* p = tree_random(&r, 25, TREE_ANY);
  near_context("tree with %d links", p->nlink);
  subject* sub = subject_open(p);
  const int n = 6 * sub->nport;
  const int nv = sub->nv;
  double* J = subject_take(sub, n * nv);
  double* M = subject_take(sub, nv * nv);
  double* F = subject_take(sub, nv * nv);
  double* z = subject_take(sub, n * nv);
  double* G = subject_take(sub, n * n);
  double* want = subject_take(sub, n * n);
  double* a = subject_take(sub, nv);
  apl_row* row = calloc((size_t)n, sizeof *row);

  assert_non_null(row);
  CHECK_TRUE(n > 40, "only %d rows", n);
  subject_randomise(sub, &r);
  subject_point(sub);
  CHECK_OK(apl_mass_matrix(sub->model, sub->s, M));
  for (int i = 0; i < n; i++) {
    row[i] = (apl_row){{i / 6, -1}, APL_WORLD_AXES, {{0}}, -1, 0};
    row[i].wrench[0][i % 6] = 1;
    if (i % 6 == 0) {
      CHECK_OK(apl_jacobian(sub->model, sub->s, i / 6, APL_WORLD_AXES, J + i * nv));
    }
  }
  CHECK_OK(apl_factor(sub->model, sub->s, 0));
  CHECK_OK(apl_row_half(sub->model, sub->s, row, n, z));
  CHECK_OK(apl_row_inertia(sub->model, sub->s, row, n, z, G));
  for (int i = 0; i < n; i++) {
    memcpy(a, J + i * nv, sizeof *a * (size_t)nv);
    memcpy(F, M, sizeof *F * (size_t)(nv * nv));
    CHECK_TRUE(dense_solve(F, nv, a), "M is not positive definite");
    dense_times(J, a, n, nv, want + i * n);
  }
  CHECK_ARRAY(G, want, n * n, 1e-11, near_max(want, n * n)); /* as in checks_rows.c */
  free(row);
  subject_close(sub);
  free(p);
}

/* Two trees side by side are not coupled: exact zeros. */
static void strangers(void** state) {
  (void)state;
  plan* p = plan_new();
  for (int i = 0; i < 2; i++) {
    plan_link* root = plan_add(p, i ? "b" : "a", "world", "floating", "rigid");
    plan_mass(root, 1, (apl_vec3){0.1, 0.2, 0}, 0.1, 0.2, 0.25);
    plan_link* arm = plan_add(p, i ? "b2" : "a2", i ? "b" : "a", "revolute", "rigid");
    plan_mass(arm, 1, (apl_vec3){0.3, 0, 0}, 0.1, 0.1, 0.1);
  }
  subject* sub = subject_open(p);
  rng r = rng_seed(3);
  double* z = subject_take(sub, 3 * sub->nv);
  double G[9];
  int port[4];
  for (int i = 0; i < 4; i++)
    port[i] = apl_model_link_info(sub->model, i).port;
  const apl_row row[3] = {
      {{port[1], -1}, APL_PORT_AXES, {{1, 2, 3, 4, 5, 6}}, -1, 0},
      {{port[3], -1}, APL_PORT_AXES, {{1, 2, 3, 4, 5, 6}}, -1, 0},
      {{port[0], port[2]}, APL_WORLD_AXES, {{0, 0, 0, 1, 0, 0}, {0, 0, 0, -1, 0, 0}}, -1, 0}};

  subject_randomise(sub, &r);
  subject_point(sub);
  CHECK_OK(apl_factor(sub->model, sub->s, 0));
  CHECK_OK(apl_row_half(sub->model, sub->s, row, 3, z));
  CHECK_OK(apl_row_inertia(sub->model, sub->s, row, 3, z, G));
  CHECK_NEAR(G[1], 0, 0);
  CHECK_ALIVE(G + 2, 1, 1e-3); /* the third row holds one by the other */
  CHECK_ALIVE(G + 5, 1, 1e-3);
  subject_close(sub);
  free(p);
}

/* ---------------------------------------------------------------------------------- refusals ----
 */

static void refusals(void** state) {
  (void)state;
  plan* p = sliding("revolute");
  subject* sub = subject_open(p);
  const apl_model* m = sub->model;
  apl_row row = {{0, -1}, APL_PORT_AXES, {{0, 0, 1}}, -1, 0};
  const double one = 1;
  double z = 0;
  double out = 0;

  near_context("refusals");
  subject_point(sub);
  assert_int_equal(apl_row_half(m, sub->s, &row, 1, &z), APL_ERR_ARGUMENT); /* no factors yet */
  assert_int_equal(apl_solve(m, sub->s, &one, NULL, NULL, 0, &out, NULL), APL_ERR_ARGUMENT);
  assert_int_equal(apl_spread(m, sub->s, &one, &out, NULL), APL_ERR_ARGUMENT);
  assert_int_equal(apl_factor(m, sub->s, -0.1), APL_ERR_ARGUMENT);
  assert_int_equal(apl_factor(m, sub->s, NEAR_NAN), APL_ERR_ARGUMENT);
  assert_int_equal(apl_factor(m, sub->s, NEAR_INFINITY), APL_ERR_ARGUMENT);
  CHECK_OK(apl_factor_last(m, sub->s)); /* nothing was left behind: it factors */
  CHECK_OK(apl_row_half(m, sub->s, &row, 1, &z));
  row.port[1] = apl_model_count(m, APL_PORTS);
  assert_int_equal(apl_row_half(m, sub->s, &row, 1, &z), APL_ERR_ARGUMENT);
  row.port[1] = -1;
  row.velocity = 1;
  assert_int_equal(apl_row_inertia(m, sub->s, &row, 1, &z, &out), APL_ERR_ARGUMENT);
  assert_int_equal(apl_row_motion(m, sub->s, &row, 1, &out, NULL), APL_ERR_ARGUMENT);

  apl_q(sub->s)[0] = NEAR_NAN;
  assert_int_equal(apl_factor(m, sub->s, 0.1), APL_ERR_NOT_FINITE);
  assert_int_equal(apl_row_half(m, sub->s, &row, 1, &z), APL_ERR_ARGUMENT);
  subject_close(sub);
  free(p);
}

/* A wrist of three axes z, y, z at one place, mass on the last link only: straight, the first and
   the last turn about the same line, and the first is named. A spring holds it: g > 0. */
static void straight_wrist(void** state) {
  static const char* const name[] = {"first", "middle", "last"};
  (void)state;
  plan* p = plan_new();
  for (int i = 0; i < 3; i++) {
    plan_link* link = plan_add(p, name[i], i == 0 ? "world" : name[i - 1], "revolute", "rigid");
    plan_vec3(link, "joint.axis", 0, i == 1, i != 1);
    plan_number(link, "body.mass", 0);
  }
  plan_mass(&p->link[2], 1, (apl_vec3){0, 0, 0}, 0.1, 0.2, 0.3);
  plan_number(&p->link[0], "joint.stiffness", 5);
  apl_model* model = plan_model(p);
  apl_state* s;

  near_context("wrist");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  assert_int_equal(apl_factor(model, s, 0), APL_ERR_SINGULAR);
  assert_int_equal(apl_state_trouble(s), apl_model_find(model, APL_LINKS, "first"));
  CHECK_OK(apl_factor(model, s, 0.1));
  assert_int_equal(apl_state_trouble(s), -1);
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slopes),   cmocka_unit_test(many_rows),      cmocka_unit_test(strangers),
      cmocka_unit_test(refusals), cmocka_unit_test(straight_wrist),
  };
  return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
