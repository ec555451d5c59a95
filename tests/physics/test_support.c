/* test_support.c: the rigid support analysis of crawling snakes against reference/snake, an
   independent derivation (spec/snake.md), and against balances that hold for every one. */
#include "snake.h"
#include "table.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------- robots ---- */

typedef struct crawl {
  apl_file* file;
  apl_model* model;
  apl_system* system;
  apl_support* support;
} crawl;

static crawl crawl_open(const snake* s, apl_support_options* o) {
  static char text[40000];
  crawl c = {0};
  apl_report report = {0};
  apl_error err = {0};

  snake_write(s, text, sizeof text);
  text_load(text, &c.file, &c.model);
  CHECK_OK(apl_system_new(c.model, &c.system, NULL));
  if (apl_file_drive(c.file, c.system, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", report.item[0].text);
  o->to = s->time;
  o->waves = apl_file_waves(c.file, c.model);
  if (apl_support_new(c.system, o, &c.support, &err) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", err.text);
  return c;
}

static void crawl_close(crawl* c) {
  apl_support_free(c->support);
  apl_system_free(c->system);
  apl_model_free(c->model);
  apl_file_free(c->file);
}

/* Rows at the times of a reference file. */
static crawl crawl_at(const snake* s, const table* ref, apl_support_options* o) {
  double* t = malloc(sizeof *t * (size_t)ref->rows);

  for (int r = 0; r < ref->rows; ++r)
    t[r] = table_at(ref, r, "t");
  o->time = t;
  o->ntime = ref->rows;
  const crawl c = crawl_open(s, o);
  free(t);
  assert_int_equal(apl_support_nrow(c.support), ref->rows);
  return c;
}

static const apl_support_row* row_of(const crawl* c, int i) {
  return apl_support_row_at(c->support, i);
}

static double effort(const crawl* c, int row, int point) {
  return apl_support_effort(c->support, row)[1 + point]; /* base has 3, P_2 is the first joint */
}

/* tau_P2 .. of a row */
static void check_efforts(const crawl* c, const table* ref, int row, int links, double tolerance) {
  for (int p = 2; p <= links; ++p) {
    char name[24];
    snprintf(name, sizeof name, "tau_P%d", p);
    near_context("row %d, P%d", row, p);
    CHECK_NEAR(effort(c, row, p), table_at(ref, row, name), tolerance);
  }
  near_context("row %d", row);
}

/* ------------------------------------------------------------------------------- reference ---- */

static void check_case(const char* file, double slope, apl_support_variant variant) {
  table ref = table_read(APPELL_TEST_DATA, file);
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();

  s.slope = slope;
  o.variant = variant;
  crawl c = crawl_at(&s, &ref, &o);
  for (int r = 0; r < ref.rows; ++r) {
    const apl_support_row* row = row_of(&c, r);
    near_context("%s, row %d", file, r);
    assert_int_equal(row->support[0], (int)table_at(&ref, r, "cp1"));
    assert_int_equal(row->support[1], (int)table_at(&ref, r, "cp2"));
    CHECK_NEAR(row->normal[0], table_at(&ref, r, "N1"), 1e-9);
    CHECK_NEAR(row->normal[1], table_at(&ref, r, "N2"), 1e-9);
    CHECK_NEAR(row->friction[0], table_at(&ref, r, "F1"), 1e-9);
    CHECK_NEAR(row->friction[1], table_at(&ref, r, "F2"), 1e-9);
    CHECK_NEAR(row->center[1], table_at(&ref, r, "zG"), 1e-11);
    CHECK_NEAR(row->speed[1], table_at(&ref, r, "zGd"), 1e-11);
    CHECK_NEAR(row->angle[0], table_at(&ref, r, "phi1"), 1e-11);
    CHECK_NEAR(row->angle[1], table_at(&ref, r, "phi1d"), 1e-11);
    if (variant == APL_SUPPORT_EXACT) {
      CHECK_NEAR(row->angle[2], table_at(&ref, r, "phi1dd"), 1e-10);
      CHECK_NEAR(row->rate[0], table_at(&ref, r, "xGdd_rel"), 1e-10);
      CHECK_NEAR(row->rate[1], table_at(&ref, r, "zGdd"), 1e-10);
    }
    check_efforts(&c, &ref, r, 16, 1e-9);
    for (int k = 0; k < 3; ++k) /* the base needs nothing */
      CHECK_NEAR(apl_support_effort(c.support, r)[k], 0, 1e-12);
  }
  crawl_close(&c);
  table_free(&ref);
}

static const double five = 5 * 3.14159265358979323846 / 180;

static void exact_level(void** state) {
  (void)state;
  check_case("snake/paper_psi0_mu03_exact.csv", 0, APL_SUPPORT_EXACT);
}
static void exact_slope(void** state) {
  (void)state;
  check_case("snake/paper_psi5_mu03_exact.csv", five, APL_SUPPORT_EXACT);
}
static void simplified_level(void** state) {
  (void)state;
  check_case("snake/paper_psi0_mu03_simplified.csv", 0, APL_SUPPORT_SIMPLIFIED);
}
static void simplified_slope(void** state) {
  (void)state;
  check_case("snake/paper_psi5_mu03_simplified.csv", five, APL_SUPPORT_SIMPLIFIED);
}

static void check_switches(const char* file, double slope) {
  table ref = table_read(APPELL_TEST_DATA, file);
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();

  s.slope = slope;
  o.from = 1e-3; /* at s = 0 two pairs are alike */
  crawl c = crawl_open(&s, &o);
  assert_int_equal(apl_support_nswitch(c.support), ref.rows);
  for (int r = 0; r < ref.rows; ++r) {
    const apl_support_switch* w = apl_support_switch_at(c.support, r);
    near_context("%s, row %d", file, r);
    CHECK_NEAR(w->t, table_at(&ref, r, "t"), 1e-8);
    assert_int_equal(w->before[0], (int)table_at(&ref, r, "old1"));
    assert_int_equal(w->before[1], (int)table_at(&ref, r, "old2"));
    assert_int_equal(w->after[0], (int)table_at(&ref, r, "new1"));
    assert_int_equal(w->after[1], (int)table_at(&ref, r, "new2"));
    CHECK_NEAR(w->lift, table_at(&ref, r, "dVz"), 1e-9);
    CHECK_NEAR(w->turn, table_at(&ref, r, "dphi1d"), 1e-9);
    CHECK_NEAR(w->impulse[0], table_at(&ref, r, "P1"), 1e-9);
    CHECK_NEAR(w->impulse[1], table_at(&ref, r, "P2"), 1e-9);
    for (int p = 2; p <= 16; ++p) {
      char name[24];
      snprintf(name, sizeof name, "Ptau_P%d", p);
      CHECK_NEAR(apl_support_impulse(c.support, r)[1 + p], table_at(&ref, r, name), 1e-9);
    }
  }
  crawl_close(&c);
  table_free(&ref);
}

static void switches(void** state) {
  (void)state;
  check_switches("snake/paper_psi0_mu03_switches.csv", 0);
  check_switches("snake/paper_psi5_mu03_switches.csv", five);
}

static void three_contacts(void** state) {
  (void)state;
  table ref = table_read(APPELL_TEST_DATA, "snake/paper_threecontact.csv");
  const snake s = snake_paper();
  apl_support_options o = apl_support_options_default();
  int three = 0;

  o.stiff = true;
  crawl c = crawl_at(&s, &ref, &o);
  for (int r = 0; r < ref.rows; ++r) {
    const apl_support_row* row = row_of(&c, r);
    near_context("row %d", r);
    if (ref.value[r * ref.columns + 6] >= 0) {
      assert_int_equal(row->nsupport, 3);
      for (int k = 0; k < 3; ++k)
        CHECK_NEAR(row->normal[k], ref.value[r * ref.columns + 6 + k], 1e-8);
      ++three;
    }
    check_efforts(&c, &ref, r, 16, 1e-8);
  }
  assert_true(three > 3);
  crawl_close(&c);
  table_free(&ref);
}

static void curved_links(void** state) {
  (void)state;
  table ref = table_read(APPELL_TEST_DATA, "snake/paper_arc_exact.csv");
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();
  int compared = 0;

  s.acceleration = 2;
  s.time = 2;
  s.radius = snake_radius(&s);
  CHECK_NEAR(s.radius, 0.25121, 1e-5); /* spec, fact 10 */
  crawl c = crawl_at(&s, &ref, &o);
  for (int r = 0; r < ref.rows; ++r) {
    const apl_support_row* row = row_of(&c, r);
    bool change = false;
    for (int k = 0; k < apl_support_nswitch(c.support); ++k)
      change = change || fabs(apl_support_switch_at(c.support, k)->t - row->t) < 1e-3 * s.time;
    near_context("row %d", r);
    if (change) continue;
    ++compared;
    assert_int_equal(row->arc, (int)table_at(&ref, r, "is_arc"));
    assert_int_equal(row->support[0], (int)table_at(&ref, r, "link"));
    CHECK_NEAR(row->center[1], table_at(&ref, r, "zG"), 1e-8);
    CHECK_NEAR(row->speed[0], table_at(&ref, r, "vGx"), 1e-8);
    CHECK_NEAR(row->speed[1], table_at(&ref, r, "vGz"), 1e-8);
    CHECK_NEAR(row->rate[1], table_at(&ref, r, "zGdd"), 1e-8);
    CHECK_NEAR(row->normal[0], table_at(&ref, r, "N1"), 1e-8);
    CHECK_NEAR(row->normal[1], table_at(&ref, r, "N2"), 1e-8);
    CHECK_NEAR(row->friction[0], table_at(&ref, r, "F1"), 1e-8);
    CHECK_NEAR(row->friction[1], table_at(&ref, r, "F2"), 1e-8);
    check_efforts(&c, &ref, r, 16, 1e-8);
  }
  assert_true(compared > ref.rows / 2);
  crawl_close(&c);
  table_free(&ref);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_level),      cmocka_unit_test(exact_slope),
      cmocka_unit_test(simplified_level), cmocka_unit_test(simplified_slope),
      cmocka_unit_test(switches),         cmocka_unit_test(three_contacts),
      cmocka_unit_test(curved_links),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
