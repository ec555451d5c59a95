/* test_parallel.c: the planar 3RRR robot of the paper against numbers of an independent derivation
   (tests/data/parallel: maximal coordinates, multipliers, order 8; docs/theory/loops.md). */
#include "near.h"
#include "table.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

static const char* const limb[] = {"I", "II", "III"};

typedef struct robot {
  apl_file* file;
  apl_model* model;
  apl_state* s;
  apl_closing* closing;
} robot;

static robot open_robot(const char* path) {
  robot r;
  apl_report report = {0};

  if (apl_file_load(path, NULL, &r.file, &report) != APL_OK ||
      apl_file_model(r.file, &r.model, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s: %s", path, report.item[0].text);
  CHECK_OK(apl_state_new(r.model, APL_SCALAR, &r.s));
  CHECK_OK(apl_closing_new(r.model, &r.closing));
  return r;
}

static void close_robot(robot* r) {
  apl_closing_free(r->closing);
  apl_state_free(r->s);
  apl_model_free(r->model);
  apl_file_free(r->file);
}

static double column(const table* t, int row, const char* first, const char* name,
                     const char* last) {
  char text[32];
  (void)snprintf(text, sizeof text, "%s%s%s", first, name, last);
  return table_at(t, row, text);
}

/* One state of the rose: q, v, and torques by the inputs; accelerations and pin forces to compare
   with. */
static void rose_state(const table* t, int row, apl_state* s, double a[9], double lam[6]) {
  static const char* const free[] = {"x", "y", "phi"};
  double *q = apl_q(s), *v = apl_v(s);

  for (int j = 0; j < 3; j++) {
    q[2 * j] = column(t, row, "th1_", limb[j], "");
    q[2 * j + 1] = column(t, row, "th2_", limb[j], "");
    v[2 * j] = column(t, row, "dth1_", limb[j], "");
    v[2 * j + 1] = column(t, row, "dth2_", limb[j], "");
    a[2 * j] = column(t, row, "ddth1_", limb[j], "");
    a[2 * j + 1] = column(t, row, "ddth2_", limb[j], "");
    apl_u(s)[j] = column(t, row, "tau_", limb[j], "");
    lam[2 * j] = column(t, row, "lam_", limb[j], "_x");
    lam[2 * j + 1] = column(t, row, "lam_", limb[j], "_y");
    q[6 + j] = column(t, row, "", free[j], "");
    v[6 + j] = column(t, row, "d", free[j], "");
    a[6 + j] = column(t, row, "dd", free[j], "");
  }
}

/* Accelerations and reactions at 41 states, to 1e-9 of the largest: the file has 12 digits. */
static void rose_states(void** state) {
  (void)state;
  robot r = open_robot(MODELS "paper-3rrr.yaml");
  table t = table_read(APPELL_TEST_DATA, "parallel/ref_rose_r005.csv");

  assert_int_equal(t.rows, 41);
  for (int i = 0; i < t.rows; i++) {
    double a[9], lam[6], got[6];
    near_context("rose state %d", i);
    rose_state(&t, i, r.s, a, lam);
    CHECK_OK(apl_closing_forward(r.closing, r.s, 0));
    CHECK_ARRAY(apl_a(r.s), a, 9, 1e-9, near_max(a, 9));
    for (int k = 0; k < 6; k++)
      got[k] = apl_loop_row(r.s)[APL_LOOP * k + APL_LOOP_FORCE];
    CHECK_ARRAY(got, lam, 6, 1e-9, near_max(lam, 6));
  }
  table_free(&t);
  close_robot(&r);
}

/* The start is found again from a guess that is off by a tenth of a radian. */
static void assembly(void** state) {
  (void)state;
  robot r = open_robot(MODELS "paper-3rrr.yaml");
  table t = table_read(APPELL_TEST_DATA, "parallel/ref_rose_r005.csv");
  double a[9], lam[6], q[9], v[9];
  bool keep[9] = {false};
  apl_assembly report = {0};
  apl_error err = {0};

  rose_state(&t, 7, r.s, a, lam);
  memcpy(q, apl_q(r.s), sizeof q);
  memcpy(v, apl_v(r.s), sizeof v);
  for (int i = 0; i < 6; i++) {
    apl_q(r.s)[i] += 0.1 * (i % 2 ? 1 : -1);
    apl_v(r.s)[i] = 0;
  }
  for (int i = 6; i < 9; i++)
    keep[i] = true;
  if (apl_closing_assemble(r.closing, r.s, keep, keep, &report, &err) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", err.text);
  CHECK_TRUE(!report.released, "the platform was moved");
  assert_int_equal(report.nredundant, 0);
  CHECK_ARRAY(apl_q(r.s), q, 9, 1e-11, 1); /* the file has 12 digits */
  CHECK_ARRAY(apl_v(r.s), v, 9, 1e-11, 1);

  /* out of reach: what is left is the distance from the reach of 1 m, along x */
  apl_q(r.s)[6] = 2;
  apl_q(r.s)[7] = apl_q(r.s)[8] = 0;
  assert_int_equal(apl_closing_assemble(r.closing, r.s, keep, NULL, &report, &err), APL_OK);
  CHECK_TRUE(report.released, "the platform was not moved");
  table_free(&t);
  close_robot(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rose_states),
      cmocka_unit_test(assembly),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
