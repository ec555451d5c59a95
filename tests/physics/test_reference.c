/* SPDX-License-Identifier: Apache-2.0 */
/* test_reference.c: six robots on which Pinocchio, RBDL and MuJoCo agree (tests/data/rigid).
   Inverse and forward dynamics, mass matrix and M a, by the recursions and by DeNOC, in plain, lane
   and complex numbers, must give the reference to 1e-10 of each row's largest entry: the three
   libraries agree among themselves to about 1e-9, of which most is their worst entry, and an error
   of method would show at 1e-3 or more. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "appell/appell.h"

#include "dynamics/denoc.h"
#include "robot.h"
#include "urdf.h"

enum { LANES = 4 };

static const double tolerance = 1e-10;

typedef struct reference {
  const char* name;
  bool floating;
  int ninput, nq, nv;
  double *q, *v, *a, *tau; /* [ninput][nq or nv] inputs, in Appell's order         */
  double *inverse, *forward, *Ma, *matrix; /* [ninput][nv, matrix: nv*nv] agreed outputs */
  apl_model* model;
} reference;

/* --- reading ------------------------------------------------------------------------------ */

static double* numbers(size_t n) {
  double* p = calloc(n, sizeof *p);
  assert_non_null(p);
  return p;
}

static FILE* open_data(const char* name, const char* suffix) {
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/rigid/%s.%s", APPELL_TEST_DATA, name, suffix);
  FILE* f = fopen(path, "r");
  if (f == NULL) fail_msg("%s cannot be read", path);
  return f;
}

static void read_row(FILE* f, int n, double* out) {
  for (int i = 0; i < n; i++) {
    if (fscanf(f, "%lf", &out[i]) != 1) fail_msg("reference data ends early");
  }
}

/* The files put the linear part of the floating base first and the quaternion's scalar last. */
static void reorder_velocity(double* v) {
  for (int k = 0; k < 3; k++) {
    const double linear = v[k];
    v[k] = v[3 + k];
    v[3 + k] = linear;
  }
}

static void reorder_position(double* q) {
  const double w = q[6];
  for (int k = 6; k > 3; k--)
    q[k] = q[k - 1];
  q[3] = w;
}

static void read_velocity(const reference* r, FILE* f, double* out) {
  read_row(f, r->nv, out);
  if (r->floating) reorder_velocity(out);
}

static void read_inputs(reference* r) {
  FILE* f = open_data(r->name, "in");
  assert_int_equal(fscanf(f, "ninputs %d nq %d nv %d", &r->ninput, &r->nq, &r->nv), 3);
  assert_int_equal(r->ninput % LANES, 0);

  const size_t K = (size_t)r->ninput, nq = (size_t)r->nq, nv = (size_t)r->nv;
  r->q = numbers(K * nq);
  r->v = numbers(K * nv);
  r->a = numbers(K * nv);
  r->tau = numbers(K * nv);
  for (size_t k = 0; k < K; k++) {
    read_row(f, r->nq, r->q + k * nq);
    if (r->floating) reorder_position(r->q + k * nq);
    read_velocity(r, f, r->v + k * nv);
    read_velocity(r, f, r->a + k * nv);
    read_velocity(r, f, r->tau + k * nv);
  }
  (void)fclose(f);
}

static void read_matrix(const reference* r, FILE* f, double* M) {
  const int n = r->nv;
  for (int i = 0; i < n; i++) {
    const int row = r->floating && i < 6 ? (i + 3) % 6 : i;
    read_velocity(r, f, M + row * n);
  }
}

static void read_outputs(reference* r) {
  FILE* f = open_data(r->name, "ref");
  int ninput = 0, nv = 0, has_matrix = 0;
  assert_int_equal(fscanf(f, "nref %d nv %d hasM %d", &ninput, &nv, &has_matrix), 3);
  assert_int_equal(ninput, r->ninput);
  assert_int_equal(nv, r->nv);
  assert_int_equal(has_matrix, 1);

  const size_t K = (size_t)ninput, n = (size_t)nv;
  r->inverse = numbers(K * n);
  r->forward = numbers(K * n);
  r->Ma = numbers(K * n);
  r->matrix = numbers(K * n * n);
  for (size_t k = 0; k < K; k++) {
    read_velocity(r, f, r->inverse + k * n);
    read_velocity(r, f, r->forward + k * n);
    read_velocity(r, f, r->Ma + k * n);
    read_matrix(r, f, r->matrix + k * n * n);
  }
  (void)fclose(f);
}

/* `bare`: without the massless link that holds the fixed robots, so that both ways are covered. */
static void read_model(reference* r, bool bare) {
  char path[1024], message[ROBOT_MESSAGE];
  (void)snprintf(path, sizeof path, "%s/rigid/%s.urdf", APPELL_TEST_DATA, r->name);
  robot tree;
  if (!robot_read_urdf(path, r->floating, &tree, message)) fail_msg("%s: %s", path, message);
  if (bare) robot_drop_fixed_root(&tree);

  apl_spec* spec = NULL;
  apl_error err;
  assert_int_equal(apl_spec_new(&spec), APL_OK);
  (void)robot_to_spec(&tree, spec);
  if (apl_model_new(spec, &r->model, &err) != APL_OK) fail_msg("%s: %s", r->name, err.text);
  apl_spec_free(spec);
  robot_free(&tree);

  assert_int_equal(apl_model_nq(r->model), r->nq);
  assert_int_equal(apl_model_nv(r->model), r->nv);
}

static void close_reference(reference* r) {
  free(r->q);
  free(r->v);
  free(r->a);
  free(r->tau);
  free(r->inverse);
  free(r->forward);
  free(r->Ma);
  free(r->matrix);
  apl_model_free(r->model);
}

/* --- comparing ---------------------------------------------------------------------------- */

static const char* const number_word[] = {
    [APL_SCALAR] = "scalar", [APL_LANES] = "lanes", [APL_COMPLEX] = "complex"};

/* One run of the passes: a state that carries inputs `first` and, in lanes, those after it. */
typedef struct session {
  const reference* r;
  apl_number number;
  int width, nrobot;
  int first;
  apl_state* state;
} session;

/* Number i of robot j (a lane) in a wide array; the imaginary part of complex numbers is not ours.
 */
static double pick(const session* s, const double* wide, int i, int j) {
  return wide[i * s->width + j];
}

/* Compare a row of n wide numbers with rows of the reference, one per robot. */
static void compare(const session* s, const char* what, int row, int n, const double* got,
                    const double* want, int stride) {
  for (int j = 0; j < s->nrobot; j++) {
    const double* w = want + (s->first + j) * stride;
    double largest = 0.0;
    for (int i = 0; i < n; i++)
      largest = fmax(largest, fabs(w[i]));
    for (int i = 0; i < n; i++) {
      const double g = pick(s, got, i, j);
      if (fabs(g - w[i]) <= tolerance * largest) continue;
      fail_msg("%s (%s), input %d, %s[%d][%d]: got %.17g, reference %.17g, error %.2e of the row's "
               "largest entry %.3g",
               s->r->name, number_word[s->number], s->first + j, what, row, i, g, w[i],
               fabs(g - w[i]) / largest, largest);
    }
  }
}

static void expect_ok(const session* s, const char* what, apl_status status) {
  if (status == APL_OK) return;
  fail_msg("%s (%s), input %d, %s: %s", s->r->name, number_word[s->number], s->first, what,
           apl_status_text(status));
}

/* Spread inputs over the robots of the state; imaginary parts are zero. */
static void put(const session* s, double* wide, const double* rows, int n) {
  memset(wide, 0, sizeof *wide * (size_t)(n * s->width));
  for (int j = 0; j < s->nrobot; j++) {
    for (int i = 0; i < n; i++)
      wide[i * s->width + j] = rows[(s->first + j) * n + i];
  }
}

static void put_motion(const session* s) {
  put(s, apl_q(s->state), s->r->q, s->r->nq);
  put(s, apl_v(s->state), s->r->v, s->r->nv);
}

static void check_inverse(const session* s, const char* what,
                          apl_status (*pass)(const apl_model*, apl_state*)) {
  put_motion(s);
  put(s, apl_a(s->state), s->r->a, s->r->nv);
  expect_ok(s, what, pass(s->r->model, s->state));
  compare(s, what, 0, s->r->nv, apl_tau(s->state), s->r->inverse, s->r->nv);
}

static void check_forward(const session* s, const char* what,
                          apl_status (*pass)(const apl_model*, apl_state*)) {
  put_motion(s);
  put(s, apl_tau(s->state), s->r->tau, s->r->nv);
  expect_ok(s, what, pass(s->r->model, s->state));
  compare(s, what, 0, s->r->nv, apl_a(s->state), s->r->forward, s->r->nv);
}

static void check_matrix(const session* s) {
  const int n = s->r->nv, w = s->width;
  double* M = numbers((size_t)(n * n * w));
  double* Ma = numbers((size_t)(n * w));
  put_motion(s);
  expect_ok(s, "mass matrix", apl_mass_matrix(s->r->model, s->state, M));

  for (int i = 0; i < n; i++) {
    compare(s, "mass matrix", i, n, M + i * n * w, s->r->matrix + i * n, n * n);
    for (int j = 0; j < s->nrobot; j++) {
      const double* a = s->r->a + (s->first + j) * n;
      for (int k = 0; k < n; k++)
        Ma[i * w + j] += pick(s, M, i * n + k, j) * a[k];
    }
  }
  compare(s, "M a", 0, n, Ma, s->r->Ma, n);
  free(M);
  free(Ma);
}

static void check_all(reference* r, apl_number number) {
  session s = {.r = r, .number = number};
  assert_int_equal(apl_state_new(r->model, number, &s.state), APL_OK);
  s.width = apl_state_width(s.state);
  s.nrobot = number == APL_LANES ? s.width : 1;

  for (s.first = 0; s.first < r->ninput; s.first += s.nrobot) {
    check_inverse(&s, "inverse", apl_inverse);
    check_forward(&s, "forward", apl_forward);
    check_matrix(&s);
    check_inverse(&s, "DeNOC inverse", apl_denoc_inverse);
    check_forward(&s, "DeNOC forward", apl_denoc_forward);
  }
  apl_state_free(s.state);
}

static void check_robot(const char* name, bool floating) {
  for (int bare = 0; bare <= 1; bare++) {
    reference r = {.name = name, .floating = floating};
    read_inputs(&r);
    read_outputs(&r);
    read_model(&r, bare != 0);
    check_all(&r, APL_SCALAR);
    check_all(&r, APL_LANES);
    check_all(&r, APL_COMPLEX);
    close_reference(&r);
  }
}

/* --- tests -------------------------------------------------------------------------------- */

static void test_chain2(void** unused) {
  (void)unused;
  check_robot("chain2", false);
}

static void test_arm7(void** unused) {
  (void)unused;
  check_robot("arm7", false);
}

static void test_chain12(void** unused) {
  (void)unused;
  check_robot("chain12", false);
}

static void test_chain30(void** unused) {
  (void)unused;
  check_robot("chain30", false);
}

static void test_tree31(void** unused) {
  (void)unused;
  check_robot("tree31", false);
}

static void test_humanoid36(void** unused) {
  (void)unused;
  check_robot("humanoid36", true);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_chain2),  cmocka_unit_test(test_arm7),
      cmocka_unit_test(test_chain12), cmocka_unit_test(test_chain30),
      cmocka_unit_test(test_tree31),  cmocka_unit_test(test_humanoid36),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
