/* SPDX-License-Identifier: Apache-2.0 */
/* test_support.c: the rigid support analysis of crawling snakes against reference/snake, an
   independent derivation (spec/snake.md), and against balances that hold for every one. */
#include "snake.h"

#include "analyse/support.h"
#include "file/asks.h"
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
  if (apl_file_system(c.file, c.model, 0, &c.system, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", report.item[0].text);
  o->to = s->time;
  o->waves = apl_file_waves(c.file);
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
    for (int k = 0; k < 3; ++k) /* the base needs no effort */
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

/* --------------------------------------------------------------------- statements of the spec ----
 */

/* Steps and speeds: 53.90 and 59.28 mm per cycle; V = |s'| (1 - J0(alpha)) = 0.067373 |s'| for 30
   deg (spec, facts 10 and 3.7), and the jump 0.4112 |s'| (fact 8). */
static void steps(void** state) {
  (void)state;
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();

  for (int curved = 0; curved < 2; ++curved) {
    s.radius = curved == 1 ? snake_radius(&s) : 0;
    s.time = 12;
    crawl c = crawl_open(&s, &o);
    const apl_support_summary a = apl_support_summarise(c.support);
    CHECK_NEAR(a.step, curved == 1 ? 0.05928 : 0.05390, 5e-6); /* digits of the spec */
    if (curved == 0) {
      CHECK_NEAR(a.step / a.cycle, 0.067373 * 0.2 * 1.2, 1e-6);
      CHECK_NEAR(apl_support_switch_at(c.support, 4)->lift, 0.4112 * 0.24, 1e-5);
    } else {
      CHECK_NEAR(a.impulse, 0, 1e-8); /* r_c* removes them; switches are located to 1e-15 s */
    }
    crawl_close(&c);
  }
}

/* Statics: the largest torque at P_9 is W d/4 = 2.928 N m with two contacts, 1.667 with three,
   where P_8 and P_10 carry 2.268 (spec, facts 5, 9 and 3.5). A slow snake is nearly static. */
static void statics(void** state) {
  (void)state;
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();
  const double two[] = {2.928, 0.0}, three[] = {1.667, 0.0};

  s.acceleration = 2e-5;
  s.time = 1000;
  o.every = 1;
  for (int stiff = 0; stiff < 2; ++stiff) {
    o.stiff = stiff == 1;
    crawl c = crawl_open(&s, &o);
    const apl_support_joint j = apl_support_joint_at(c.support, 1 + 9);
    /* rows are 1/400 of a phase apart: the maximum is a corner, missed by as much */
    CHECK_NEAR(j.most, stiff == 1 ? three[0] : two[0], 0.01);
    CHECK_NEAR(apl_support_joint_at(c.support, 1 + 8).most, 2.268, 0.01);
    crawl_close(&c);
  }
}

/* Where contacts stick the coefficient does not matter; slope by gravity and by option agree. */
static void friction_that_holds(void** state) {
  (void)state;
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();

  s.slope = five;
  crawl a = crawl_open(&s, &o);
  s.friction = 0.5;
  s.slope = 0;
  o.slope = five;
  crawl b = crawl_open(&s, &o);
  assert_int_equal(apl_support_nrow(a.support), apl_support_nrow(b.support));
  for (int i = 0; i < apl_support_nrow(a.support); i += 7) {
    CHECK_ARRAY(apl_support_effort(b.support, i), apl_support_effort(a.support, i), 18, 1e-11, 1);
    CHECK_NEAR(row_of(&a, i)->use * 0.3, row_of(&b, i)->use * 0.5, 1e-12);
  }
  CHECK_NEAR(apl_support_summarise(a.support).use, 0.31, 0.02); /* spec, fact 4 */
  crawl_close(&a);
  crawl_close(&b);
}

/* Any number of links and waves: the base needs no effort, contacts carry the weight. If links are
   not a multiple of the waves, the supports come from the hull. */
static void other_snakes(void** state) {
  (void)state;
  static const struct {
    int links;
    double waves, winding, slope;
  } cases[] = {{12, 3, 0.7, 0.1},
               {9, 3, 0.4, 0},
               {20, 2.5, 0.5, 0.05},
               {15, 2.2, 0.6, 0.02},
               {24, 2, 0.9, -0.05}};

  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    snake s = snake_paper();
    apl_support_options o = apl_support_options_default();
    const bool hull =
        fabs(cases[k].links / cases[k].waves - round(cases[k].links / cases[k].waves)) > 1e-9;
    s.links = cases[k].links;
    s.waves = cases[k].waves;
    s.winding = cases[k].winding;
    s.slope = cases[k].slope;
    o.every = 0.05;
    o.friction = hull ? APL_SUPPORT_SLIDES : APL_SUPPORT_STICKS;
    crawl c = crawl_open(&s, &o);
    const double W = s.links * 0.1 * 9.81 * cos(s.slope);
    for (int i = 0; i < apl_support_nrow(c.support); ++i) {
      const apl_support_row* row = row_of(&c, i);
      near_context("%d links, %g waves, row %d", s.links, s.waves, i);
      for (int v = 0; v < 3; ++v)
        CHECK_NEAR(apl_support_effort(c.support, i)[v], 0, 1e-10);
      CHECK_NEAR(row->normal[0] + row->normal[1], W + s.links * 0.1 * row->rate[1], 1e-9);
    }
    assert_true(apl_support_nswitch(c.support) > 3);
    CHECK_TRUE(apl_support_summarise(c.support).distance > 0.01, "it does not advance");
    crawl_close(&c);
  }
}

/* Seventeen supports in line: the two on either side of the centre of mass carry, both of them. A
   wave of three links is bent little, so that supports are equally spaced to a thousandth. */
static void many_waves(void** state) {
  (void)state;
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();
  s.links = 48;
  s.waves = 16;
  s.winding = 0.1;
  o.every = 0.1;
  crawl c = crawl_open(&s, &o);
  for (int i = 0; i < apl_support_nrow(c.support); ++i) {
    const apl_support_row* row = row_of(&c, i);
    near_context("row %d", i);
    for (int k = 0; k < 2; ++k)
      CHECK_TRUE(row->normal[k] > -1e-3 * 48 * 0.1 * 9.81, "support %d pulls with %g N",
                 row->support[k], -row->normal[k]);
    CHECK_TRUE(row->support[0] > 49 / 2 - 4 && row->support[1] < 49 / 2 + 6, "on %d and %d",
               row->support[0], row->support[1]);
  }
  crawl_close(&c);
}

/* Beyond the cone it slides down, with (sin - mu cos) g: 20 deg and mu = 0.3. */
static void slides_down(void** state) {
  (void)state;
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();
  const double psi = 20 * five / 5, a = 9.81 * (sin(psi) - 0.3 * cos(psi));

  s.acceleration = 1e-6; /* hardly a gait */
  s.slope = psi;
  o.friction = APL_SUPPORT_SLIDES;
  crawl c = crawl_open(&s, &o);
  const apl_support_row *first = row_of(&c, 0), *last = row_of(&c, 100);
  /* implicit steps of 10 ms: the first one late by half of one, h a t/2 */
  CHECK_NEAR(last->center[0] - first->center[0], -0.5 * a, 0.006 * a);
  CHECK_NEAR(last->slip, -a, 1e-3);
  CHECK_NEAR(last->use, 1, 1e-9);
  crawl_close(&c);
}

static void expect_refusal_of(const snake* s, const apl_support_options* o, const char* word) {
  static char text[40000];
  apl_file* file;
  apl_model* model;
  apl_system* system;
  apl_support* support;
  apl_error err = {0};

  snake_write(s, text, sizeof text);
  text_load(text, &file, &model);
  CHECK_OK(apl_file_system(file, model, 0, &system, NULL));
  CHECK_TRUE(apl_support_new(system, o, &support, &err) != APL_OK, "accepted");
  CHECK_TRUE(strstr(err.text, word) != NULL, "'%s' is not in: %s", word, err.text);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

/* ... with as many waves as the gait says */
static void expect_refusal(const snake* s, const char* word) {
  apl_support_options o = apl_support_options_default();
  o.waves = s->waves;
  expect_refusal_of(s, &o, word);
}

static void refusals(void** state) {
  (void)state;
  snake s = snake_paper();
  apl_support_options o = apl_support_options_default();

  s.waves = 1;
  expect_refusal(&s, "fewer than two supports");
  s.waves = 1.9;
  expect_refusal(&s, "fewer than two supports");
  s.waves = 2.3;
  s.radius = 0.3;
  expect_refusal(&s, "whole number of links");
  o.waves = 9;
  s = snake_paper();
  expect_refusal_of(&s, &o, "9 waves do not fit on 16 links");
  s.waves = o.waves = 8;
  o.stiff = true;
  expect_refusal_of(&s, &o, "9 supports are in line, and with `stiff` at most 8");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_level),      cmocka_unit_test(exact_slope),
      cmocka_unit_test(simplified_level), cmocka_unit_test(simplified_slope),
      cmocka_unit_test(switches),         cmocka_unit_test(three_contacts),
      cmocka_unit_test(curved_links),     cmocka_unit_test(steps),
      cmocka_unit_test(statics),          cmocka_unit_test(friction_that_holds),
      cmocka_unit_test(other_snakes),     cmocka_unit_test(many_waves),
      cmocka_unit_test(slides_down),      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
