/* SPDX-License-Identifier: Apache-2.0 */
/* test_loop_bodies.c: loops with bending bodies, and loops on a rolling base. There are no
   published numbers for these robots: the ledgers close, exact methods agree, and the forces of
   springs approach those of multipliers with the square of their frequency, as p/k predicts. */
#include "near.h"

#include "dynamics/loops.h"

#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

enum { ROWS = 6 };

/* Forces of the loops at the end of a run by a method; also coordinates. */
static void run(const char* path, const char* method, double frequency, double to,
                double force[ROWS], double* q) {
  apl_report report = {0};
  apl_file* file;
  apl_model* m;
  apl_system* system;
  apl_error err = {0};
  apl_run_report told;

  near_context("%s by %s", path, method);
  CHECK_OK(apl_file_load(path, NULL, &file, &report));
  CHECK_OK(apl_file_model(file, &m, &report));
  CHECK_OK(apl_file_system(file, m, APL_READY, &system, &report));
  apl_run_options o = apl_file_options(file);
  o.to = to;
  o.tolerance = 1e-10;
  o.loops.method = method;
  o.loops.frequency = frequency;
  o.loops.slow = true;
  if (apl_run(system, &o, &told, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  CHECK_TRUE(told.relative < 1e-8, "the ledger is off by %.3g", told.relative);
  for (int k = 0; k < ROWS && k < apl_model_count(m, APL_LOOP_ROWS); k++)
    force[k] = apl_loop_row(apl_system_state(system))[APL_LOOP * k + APL_LOOP_FORCE];
  memcpy(q, apl_q(apl_system_state(system)), sizeof *q * (size_t)apl_model_nq(m));
  apl_system_free(system);
  apl_model_free(m);
  apl_file_free(file);
}

static double distance(const double* a, const double* b, int n) {
  double most = 0;
  for (int i = 0; i < n; i++)
    most = fmax(most, fabs(a[i] - b[i]));
  return most;
}

static void compare(const char* path, double to, int nrow, int nq) {
  double exact[ROWS], other[ROWS], soft[ROWS], stiff[ROWS], q[64], q1[64], unused[64];

  run(path, "multipliers", 1, to, exact, q);
  run(path, "reduced", 1, to, other, q1);
  CHECK_ARRAY(q1, q, nq, 1e-7, 1); /* runs at 1e-10 */
  CHECK_ARRAY(other, exact, nrow, 1e-6, 1 + near_max(exact, nrow));
  run(path, "springs", 4e3, to, soft, unused);
  run(path, "springs", 12e3, to, stiff, unused);
  const double a = distance(soft, exact, nrow), b = distance(stiff, exact, nrow);
  CHECK_TRUE(b < 0.2 * a, "forces are off by %.3g, and with stiffer springs by %.3g", a, b);
  CHECK_TRUE(b < 1e-2 * near_max(exact, nrow), "forces are off by %.3g of %.3g", b,
             near_max(exact, nrow));
}

static void flexible(void** state) {
  (void)state;
  compare(MODELS "flexible-3rrr.yaml", 0.02, 6, 9);
}

static void continuum(void** state) {
  (void)state;
  compare(MODELS "soft-linkage.yaml", 0.05, 2, 5);
}

static void wheeled(void** state) {
  (void)state;
  compare(MODELS "lifting-rover.yaml", 0.1, 2, 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flexible),
      cmocka_unit_test(continuum),
      cmocka_unit_test(wheeled),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
