/* SPDX-License-Identifier: Apache-2.0 */
/* test_flexible_paper.c: the bouncing chains of the flexible paper, models/paper-flexible-*.yaml,
   against trajectories and impacts in quadruple precision (spec/flexible.md, 7 and 8). The motion
   is chaotic: column err_double of the reference tells what a run in doubles can know at a time. */
#include "near.h"
#include "table.h"

#include <appell/appell.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 4, FREEDOMS = 8, MOST = 64 };

static const struct {
  const char *word, *model;
  int count[NODES]; /* with rotary: link                                                         */
} cases[] = {{"ss-ss-ss", "ss", {7, 4, 4, 7}},
             {"cc-cc-cc", "cc", {7, 4, 4, 7}},
             {"sc-cc-cs", "sc-cc-cs", {10, 4, 4, 10}},
             {"cs-ss-sc", "cs-ss-sc", {4, 6, 6, 4}}};
enum { CASES = sizeof cases / sizeof *cases };

/* ------------------------------------------------------------------------------------ runs ---- */

typedef struct chain {
  apl_file* file;
  apl_model* model;
  apl_system* system;
} chain;

static chain chain_new(const char* word, const char* rotary) {
  const char* set[3];
  char text[3][32];
  char path[512];
  apl_load_options o = apl_load_options_default();
  apl_report report = {0};
  apl_error err;
  chain c = {0};

  for (int i = 0; i < 3; i++) {
    snprintf(text[i], sizeof text[i], "link%d.body.rotary=%s", i + 1, rotary);
    set[i] = text[i];
  }
  o.set = set;
  o.nset = 3;
  snprintf(path, sizeof path, "%s/../../models/paper-flexible-%s.yaml", APPELL_TEST_DATA, word);
  CHECK_TRUE(apl_file_load(path, &o, &c.file, &report) == APL_OK, "%s", report.item[0].text);
  CHECK_TRUE(apl_file_model(c.file, &c.model, &report) == APL_OK, "%s", report.item[0].text);
  CHECK_TRUE(apl_system_new(c.model, &c.system, &err) == APL_OK, "%s", err.text);
  return c;
}

static void chain_free(chain* c) {
  apl_system_free(c->system);
  apl_model_free(c->model);
  apl_file_free(c->file);
}

typedef struct witness {
  table states;
  int row; /* the next one to come                                                              */
  int nimpact;
  apl_impact impact[MOST];
} witness;

static void note(const apl_impact* impact, apl_system* system, void* user) {
  witness* w = user;
  (void)system;

  assert_true(w->nimpact < MOST);
  w->impact[w->nimpact++] = *impact;
}

/* Tolerance of the spec: 1e-6 until 0.70 s, then a hundred times the error of doubles. */
static double bound(const table* t, int row) {
  const double known = 100.0 * table_at(t, row, "err_double");
  return table_at(t, row, "t") < 0.7001 ? 1e-6 : known;
}

static apl_status compare(double time, const double* y, const apl_ledger* ledger,
                          apl_system* system, void* user) {
  witness* w = user;
  const table* t = &w->states;
  apl_state* s = apl_system_state(system);
  (void)y;

  /* the reference may end early */
  if (w->row == t->rows || time < table_at(t, w->row, "t") - 1e-9) return APL_OK;
  const double* want = t->value + w->row * t->columns;
  const double most = bound(t, w->row);

  CHECK_NEAR(time, want[0], 1e-12);
  /* ours: X1 X2 q1 d1 q2 d2 q3 d3; the file: q1 d1 q2 d2 q3 d3 X1 X2 */
  for (int k = 0; k < FREEDOMS; k++) {
    CHECK_NEAR(apl_q(s)[(k + 2) % FREEDOMS], want[1 + k], most);
    CHECK_NEAR(apl_v(s)[(k + 2) % FREEDOMS], want[1 + FREEDOMS + k], most);
  }

  /* (31): energies and works */
  const double* account = ledger->account;
  const double damped = account[APL_ACCOUNT_DRAG] + account[APL_ACCOUNT_STRUCTURE];
  const double V = table_at(t, w->row, "Vg") + table_at(t, w->row, "Ve");
  CHECK_NEAR(ledger->kinetic, table_at(t, w->row, "T"), 10 * most);
  CHECK_NEAR(ledger->potential, V, 10 * most);
  CHECK_NEAR(damped, table_at(t, w->row, "W_D"), 10 * most);
  CHECK_NEAR(account[APL_ACCOUNT_CONTACT], table_at(t, w->row, "W_FN"), 10 * most);
  CHECK_NEAR(account[APL_ACCOUNT_CONTACT_FRICTION], table_at(t, w->row, "W_FT"), 10 * most);
  w->row++;
  return APL_OK;
}

static apl_run_report run(chain* c, double to, double tolerance, witness* w) {
  apl_state* s = apl_system_state(c->system);
  apl_run_options o = apl_file_options(c->file);
  apl_run_report report;
  apl_report starting = {0};
  apl_error err;

  CHECK_OK(apl_file_start(c->file, c->model, apl_q(s), apl_v(s), &starting));
  o.to = to;
  if (tolerance > 0) o.tolerance = tolerance;
  o.output_every = 0.05;
  o.impact = note;
  o.user = w;
  if (w->states.rows > 0) o.output = compare;
  CHECK_TRUE(apl_run(c->system, &o, &report, &err) == APL_OK, "%s", err.text);
  return report;
}

/* --------------------------------------------------------------------------------- impacts ---- */

static const apl_impact* impact_of(const witness* w, int node, int k) {
  for (int i = 0; i < w->nimpact; i++) {
    if (w->impact[i].contact == node && k-- == 0) return &w->impact[i];
  }
  return NULL;
}

static int count_of(const witness* w, int node) {
  int n = 0;
  while (impact_of(w, node, n) != NULL)
    n++;
  return n;
}

/* Error of doubles just after t; negative after the end of the reference. */
static double known_at(const table* states, double t) {
  for (int row = 0; row < states->rows; row++) {
    if (table_at(states, row, "t") >= t) return table_at(states, row, "err_double");
  }
  return -1;
}

/* Every contact of the reference that can be known; the file has ten digits. */
static int compare_impacts(const witness* w, const char* file, double until) {
  table t = table_read(APPELL_TEST_DATA, file);
  int seen[NODES] = {0};
  int compared = 0;

  for (int row = 0; row < t.rows; row++) {
    const int node = (int)table_at(&t, row, "node") - 1, k = seen[node]++;
    const double end = table_at(&t, row, "t_off"), known = known_at(&w->states, end);
    const double more = end < 0.53 ? 0 : known;
    if (known < 0 || end > until) continue;
    const apl_impact* x = impact_of(w, node, k);
    CHECK_TRUE(x != NULL, "%s: O%d has no contact number %d", file, node + 1, k + 1);

    /* err_double is mostly that of rates: places, and so times, are known better */
    CHECK_NEAR(x->start, table_at(&t, row, "t_on"), 1e-8 + more);
    CHECK_NEAR(x->end, end, 1e-8 + more);
    CHECK_NEAR(x->speed_in, table_at(&t, row, "v_in"), 1e-7 + 100 * more);
    CHECK_NEAR(x->speed_out, table_at(&t, row, "v_out"), 1e-7 + 100 * more);
    /* theirs is the largest at their steps, up to 1 % below */
    CHECK_NEAR(x->peak / table_at(&t, row, "Fmax_approx"), 1, 0.01);
    compared++;
  }
  table_free(&t);
  return compared;
}

/* ----------------------------------------------------------------------------------- tests ---- */

static void follow(int i, const char* rotary, double to, int least, witness* w) {
  char file[80];

  *w = (witness){0};
  near_context("%s, rotary %s", cases[i].word, rotary);
  snprintf(file, sizeof file, "flexible/paper_%s_rotary-%s.csv", cases[i].word, rotary);
  w->states = table_read(APPELL_TEST_DATA, file);
  chain c = chain_new(cases[i].model, rotary);
  const apl_run_report report = run(&c, to, 0, w);
  CHECK_TRUE(w->row >= 14, "only %d moments were compared", w->row);
  CHECK_TRUE(report.relative < 1e-9, "the ledger closes: %g", report.relative);
  snprintf(file, sizeof file, "flexible/impacts_%s_rotary-%s.csv", cases[i].word, rotary);
  const int n = compare_impacts(w, file, to);
  CHECK_TRUE(n >= least, "only %d impacts were compared", n);
  chain_free(&c);
  table_free(&w->states);
}

/* (7) as printed, to the end */
static void as_printed(void** state) {
  (void)state;
  for (int i = 0; i < CASES; i++) {
    int all = 0;
    witness w;
    for (int k = 0; k < NODES; k++)
      all += cases[i].count[k];
    follow(i, "link", 1.5, all, &w);
    for (int k = 0; k < NODES; k++)
      assert_int_equal(count_of(&w, k), cases[i].count[k]);
    /* the fall from 0.9 m, and both sides at once */
    CHECK_NEAR(impact_of(&w, 0, 0)->start, sqrt(1.8 / 9.81), 1e-12);
    CHECK_NEAR(impact_of(&w, 3, 0)->start, sqrt(1.8 / 9.81), 1e-12);
  }
}

/* the complete Timoshenko beam; counts are beyond its horizon */
static void complete(void** state) {
  (void)state;
  for (int i = 0; i < CASES; i++) {
    witness w;
    follow(i, "full", 0.75, 8, &w);
  }
}

/* 1e-6 % of the energy at 1e-10 */
static void ledger(void** state) {
  (void)state;
  for (int i = 0; i < CASES; i++) {
    static witness none;
    near_context("%s at 1e-10", cases[i].word);
    none.nimpact = 0;
    chain c = chain_new(cases[i].model, "link");
    const apl_run_report report = run(&c, 0.75, 1e-10, &none);
    CHECK_TRUE(report.error < 1e-8 * 36.297, "%g J are missing", report.error);
    CHECK_TRUE(none.nimpact >= 8, "there were %d impacts", none.nimpact);
    chain_free(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(as_printed), cmocka_unit_test(complete),
                                     cmocka_unit_test(ledger)};

  return cmocka_run_group_tests_name("flexible paper", tests, NULL, NULL);
}
