/* SPDX-License-Identifier: Apache-2.0 */
/* test_derivatives.c: derivatives where the random robots of checks_derivatives.c do not go:
   shipped models with tendons, contacts, loops closed by springs, servos and air, against
   differences, which share no arithmetic with complex steps; and what is refused. All kinds of
   joints and bodies: check_derivatives(), by test_joints, test_bodies and test_trees. */
#include "checks.h"
#include "tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

typedef struct robot_file {
  apl_model* model;
  apl_state *s, *z;
  int nq, nt, nv, nu;
  double *q, *v, *tau, *u;
} robot_file;

static double* numbers(int n) {
  double* x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

/* The start of a model, from which coordinates are a little off and everything moves. */
static robot_file open_file(const char* name, rng* r) {
  char path[400];
  robot_file f = {0};
  apl_file* file;
  apl_report report;

  (void)snprintf(path, sizeof path, MODELS "%s.yaml", name);
  near_context("%s", name);
  CHECK_OK(apl_file_load(path, NULL, &file, &report));
  CHECK_OK(apl_file_model(file, &f.model, &report));
  CHECK_OK(apl_state_new(f.model, APL_SCALAR, &f.s));
  CHECK_OK(apl_state_new(f.model, APL_COMPLEX, &f.z));
  f.nq = apl_model_nq(f.model), f.nt = apl_model_nt(f.model);
  f.nv = apl_model_nv(f.model), f.nu = apl_model_nu(f.model);
  f.q = numbers(f.nq), f.v = numbers(f.nv), f.tau = numbers(f.nv), f.u = numbers(f.nu);
  double *start = numbers(f.nq), *delta = numbers(f.nt);
  CHECK_OK(apl_file_start(file, f.model, start, f.v, &report));
  rng_fill(r, delta, f.nt, 0.02);
  CHECK_OK(apl_add(f.model, f.s, start, delta, f.q));
  rng_fill(r, f.v, f.nv, 0.5);
  rng_fill(r, f.tau, f.nv, 0.5);
  for (int i = 0; i < f.nu; i++)
    f.u[i] = rng_between(r, 0.5, 1.5);
  free(start);
  free(delta);
  apl_file_free(file);
  return f;
}

static void close_file(robot_file* f) {
  free(f->q);
  free(f->v);
  free(f->tau);
  free(f->u);
  apl_state_free(f->z);
  apl_state_free(f->s);
  apl_model_free(f->model);
}

/* a(q + x dq, v + x dv, u + x du) along direction k */
static void motion(robot_file* f, char of, int k, double x, double* a) {
  double* delta = numbers(f->nt);
  if (of == 'q') delta[k] = x;
  CHECK_OK(apl_add(f->model, f->s, f->q, delta, apl_q(f->s)));
  memcpy(apl_v(f->s), f->v, sizeof *f->v * (size_t)f->nv);
  memcpy(apl_tau(f->s), f->tau, sizeof *f->v * (size_t)f->nv);
  memcpy(apl_u(f->s), f->u, sizeof *f->u * (size_t)f->nu);
  if (of == 'v') apl_v(f->s)[k] += x;
  if (of == 'u') apl_u(f->s)[k] += x;
  CHECK_OK(apl_forward(f->model, f->s));
  memcpy(a, apl_a(f->s), sizeof *a * (size_t)f->nv);
  free(delta);
}

/* Central differences of h and h/2 give the fourth order, (4 D(h/2) - D(h)) / 3, and their distance
   says how much of that is left: a derivative must be within it, or within round-off over h. */
static void compare(robot_file* f, char of, int n, const double* D) {
  const double h = 1e-4;
  double *a = numbers(4 * f->nv), *mid = numbers(f->nv);

  motion(f, of, 0, 0, mid);
  const double size = near_max(mid, f->nv);
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < 4; i++)
      motion(f, of, k, (double[]){h, -h, h / 2, -h / 2}[i], a + i * f->nv);
    for (int i = 0; i < f->nv; i++) {
      const double wide = (a[i] - a[f->nv + i]) / (2 * h);
      const double narrow = (a[2 * f->nv + i] - a[3 * f->nv + i]) / h;
      const double most = fabs(wide - narrow) + 1e-9 * (size + fabs(narrow)) / h * 1e-3;
      CHECK_NEAR(D[i * n + k], (4 * narrow - wide) / 3, most + 1e-6 * fabs(narrow));
    }
  }
  free(a);
  free(mid);
}

static void shipped(void** state) {
  static const char* const name[] = {"tendon-arm",       "quadruped",    "soft-rover",
                                     "hybrid-arm",       "tractor",      "soft-snake",
                                     "mecanum-soft-arm", "worm-incline", "rolling-helix"};
  (void)state;
  for (int i = 0; i < (int)(sizeof name / sizeof *name); i++) {
    rng r = rng_seed(900 + (unsigned)i);
    robot_file f = open_file(name[i], &r);
    double *dq = numbers(f.nv * f.nt), *dv = numbers(f.nv * f.nv), *du = numbers(f.nv * f.nu);
    double* a = numbers(f.nv);
    apl_derivatives* room;

    CHECK_OK(apl_derivatives_new(f.model, &room));
    motion(&f, '-', 0, 0, a);
    CHECK_OK(apl_forward_derivatives(f.model, f.s, room, dq, dv, NULL, du));
    CHECK_ARRAY(apl_a(f.s), a, f.nv, 0, 0); /* it leaves what forward dynamics leaves */
    CHECK_ALIVE(dq, f.nv * f.nt, 1e-3);
    CHECK_ALIVE(dv, f.nv * f.nv, 1e-6);
    compare(&f, 'q', f.nt, dq);
    compare(&f, 'v', f.nv, dv);
    compare(&f, 'u', f.nu, du);
    apl_derivatives_free(room);
    free(dq);
    free(dv);
    free(du);
    free(a);
    close_file(&f);
  }
}

/* Rigid trees of up to 60 freedoms: rows and columns of freedoms that do not see each other are
   exactly zero, and results may be left out without changing the others. */
static void parts_of_results(void** state) {
  (void)state;
  rng r = rng_seed(31);
  plan* p = tree_random(&r, 40, TREE_RIGID | TREE_BARE);
  subject* sub = subject_open(p);
  const int n = sub->nv * sub->nt, m = sub->nv * sub->nv;
  double *dq = subject_take(sub, n), *dv = subject_take(sub, m), *one = subject_take(sub, n + m);
  apl_derivatives* room;

  near_context("results left out");
  CHECK_OK(apl_derivatives_new(sub->model, &room));
  subject_randomise(sub, &r);
  subject_point(sub);
  subject_no_loads(sub, sub->s);
  CHECK_OK(apl_inverse_derivatives(sub->model, sub->s, room, dq, dv, NULL));
  CHECK_ALIVE(dq, n, 1.0);
  CHECK_ALIVE(dv, m, 1e-1);
  CHECK_OK(apl_inverse_derivatives(sub->model, sub->s, room, one, NULL, NULL));
  CHECK_ARRAY(one, dq, n, 0, 0);
  CHECK_OK(apl_inverse_derivatives(sub->model, sub->s, room, NULL, one, NULL));
  CHECK_ARRAY(one, dv, m, 0, 0);
  CHECK_ARRAY(apl_q(sub->s), sub->q, sub->nq, 0, 0);
  CHECK_ARRAY(apl_a(sub->s), sub->a, sub->nv, 0, 0);
  CHECK_ARRAY(apl_tau(sub->s), sub->tau, sub->nv, 0, 0);
  CHECK_OK(apl_forward_derivatives(sub->model, sub->s, room, dq, dv, NULL, NULL));
  CHECK_OK(apl_forward_derivatives(sub->model, sub->s, room, NULL, one, NULL, NULL));
  CHECK_ARRAY(one, dv, m, 0, 0);
  CHECK_OK(apl_forward_derivatives(sub->model, sub->s, room, NULL, NULL, NULL, NULL));
  apl_derivatives_free(room);
  subject_close(sub);
  free(p);
}

static void refusals(void** state) {
  (void)state;
  rng r = rng_seed(5);
  plan *p = tree_random(&r, 6, TREE_RIGID), *other = tree_random(&r, 6, TREE_ANY);
  subject *sub = subject_open(p), *else_where = subject_open(other);
  double* dq = subject_take(sub, sub->nv * sub->nt);
  apl_derivatives* room;

  near_context("refusals");
  CHECK_OK(apl_derivatives_new(sub->model, &room));
  subject_randomise(sub, &r);
  subject_point(sub);

  /* a state that is not scalar, and one of another model */
  assert_int_equal(apl_inverse_derivatives(sub->model, sub->z, room, dq, NULL, NULL),
                   APL_ERR_ARGUMENT);
  assert_int_equal(apl_inverse_derivatives(sub->model, else_where->s, room, dq, NULL, NULL),
                   APL_ERR_ARGUMENT);
  assert_int_equal(
      apl_forward_derivatives(else_where->model, else_where->s, room, dq, NULL, NULL, NULL),
      APL_ERR_ARGUMENT);
  apl_q(sub->s)[sub->nq - 1] = (double)NAN;
  assert_int_equal(apl_inverse_derivatives(sub->model, sub->s, room, dq, NULL, NULL),
                   APL_ERR_NOT_FINITE);
  assert_int_equal(apl_forward_derivatives(sub->model, sub->s, room, dq, NULL, NULL, NULL),
                   APL_ERR_NOT_FINITE);
  apl_derivatives_free(room);
  apl_derivatives_free(NULL);
  subject_close(else_where);
  subject_close(sub);
  free(other);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped),
      cmocka_unit_test(parts_of_results),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
