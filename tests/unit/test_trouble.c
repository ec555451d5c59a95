/* SPDX-License-Identifier: Apache-2.0 */
/* test_trouble.c: a pass that cannot be done says so and names the link; it never pretends. */
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A wrist of three revolute joints z, y, z at one place, mass on the last link only: with the
   middle one straight the first and the last turn about the same line. */
static apl_model* wrist(void) {
  static const char* const name[] = {"first", "middle", "last"};
  plan* p = plan_new();
  for (int i = 0; i < 3; i++) {
    plan_link* link = plan_add(p, name[i], i == 0 ? "world" : name[i - 1], "revolute", "rigid");
    plan_vec3(link, "joint.axis", 0, i == 1, i != 1);
    plan_number(link, "body.mass", 0);
  }
  plan_mass(&p->link[2], 1, (apl_vec3){0, 0, 0}, 0.1, 0.2, 0.3);
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

static void singular_configuration(void** unused) {
  (void)unused;
  apl_model* model = wrist();
  apl_state* s;

  near_context("wrist");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  assert_int_equal(apl_forward(model, s), APL_ERR_SINGULAR);
  assert_int_equal(apl_state_trouble(s), apl_model_find(model, APL_LINKS, "first"));

  /* inverse dynamics has nothing to invert */
  apl_a(s)[1] = 1;
  CHECK_OK(apl_inverse(model, s));
  CHECK_NEAR(apl_tau(s)[1], 0.2, 1e-15);

  /* a bent wrist is fine, and the trouble is forgotten */
  apl_q(s)[1] = 0.5;
  CHECK_OK(apl_forward(model, s));
  assert_int_equal(apl_state_trouble(s), -1);
  apl_state_free(s);
  apl_model_free(model);
}

/* One bad lane of four is enough. */
static void singular_lane(void** unused) {
  (void)unused;
  apl_model* model = wrist();
  apl_state* s;

  near_context("wrist in lanes");
  CHECK_OK(apl_state_new(model, APL_LANES, &s));
  for (int k = 0; k < 4; k++)
    apl_q(s)[4 + k] = 0.5;
  CHECK_OK(apl_forward(model, s));
  apl_q(s)[4 + 2] = 0;
  assert_int_equal(apl_forward(model, s), APL_ERR_SINGULAR);
  assert_int_equal(apl_state_trouble(s), apl_model_find(model, APL_LINKS, "first"));
  apl_state_free(s);
  apl_model_free(model);
}

/* NaN anywhere in the state gives a status, never a NaN that pretends to be a result; reset helps.
 */
static void not_finite(void** unused) {
  (void)unused;
  static const char* const what[] = {"q", "v", "tau"};
  apl_model* model = wrist();
  apl_state* s;

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int i = 0; i < 3; i++) {
    double* where[3] = {apl_q(s), apl_v(s), apl_tau(s)};
    near_context("NaN in %s", what[i]);
    apl_q(s)[1] = 0.5;
    where[i][0] = NEAR_NAN;
    CHECK_TRUE(apl_forward(model, s) != APL_OK, "forward dynamics is done");
    apl_state_reset(s);
    apl_q(s)[1] = 0.5;
    CHECK_OK(apl_forward(model, s));
    CHECK_TRUE(isfinite(apl_a(s)[0]), "reset leaves a NaN behind");
  }
  apl_state_free(s);
  apl_model_free(model);
}

/* Sentences are cut, not overrun, when names are endless. */
static void endless_names(void** unused) {
  (void)unused;
  static char name[5000];
  apl_spec* spec;
  apl_model* model;
  apl_error err;

  near_context("a name of %d letters", (int)sizeof name - 1);
  memset(name, 'x', sizeof name - 1);
  for (int i = 0; i < 4; i++) {
    CHECK_OK(apl_spec_new(&spec));
    const int base = apl_spec_link(spec, i == 0 ? name : "base", i == 1 ? name : "world",
                                   i == 2 ? name : "revolute", "rigid");
    apl_spec_number(spec, base, i == 3 ? name : "body.mass", -1);
    assert_int_not_equal(apl_model_new(spec, &model, &err), APL_OK);
    assert_non_null(memchr(err.text, 0, sizeof err.text));
    assert_true(strlen(err.text) > 15);
    apl_spec_free(spec);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(singular_configuration),
      cmocka_unit_test(singular_lane),
      cmocka_unit_test(not_finite),
      cmocka_unit_test(endless_names),
  };
  return cmocka_run_group_tests_name("trouble", tests, NULL, NULL);
}
