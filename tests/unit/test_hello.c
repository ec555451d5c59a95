/* SPDX-License-Identifier: Apache-2.0 */
/* test_hello.c: the example of appell.h, word for word where it matters, and what surrounds it. */
#include "near.h"

#include <string.h>

static void example(void** unused) {
  (void)unused;
  apl_spec* spec;
  apl_model* model;
  apl_state* state;
  apl_error err;

  apl_spec_new(&spec);
  int arm = apl_spec_link(spec, "arm", "world", "revolute", "rigid");
  apl_spec_vec3(spec, arm, "joint.axis", 0, 1, 0);
  apl_spec_number(spec, arm, "body.mass", 1.0);
  apl_spec_vec3(spec, arm, "body.com", 0.5, 0, 0);
  assert_int_equal(apl_model_new(spec, &model, &err), APL_OK);
  apl_spec_free(spec);
  apl_state_new(model, APL_SCALAR, &state);
  apl_forward(model, state);

  /* m g l / (m l^2); about +y a body ahead falls with a positive angle */
  CHECK_NEAR(apl_a(state)[0], 19.62, 1e-14 * 20);
  apl_state_free(state);
  apl_model_free(model);
}

static void version_and_texts(void** unused) {
  (void)unused;
  int dots = 0;
  for (const char* c = apl_version(); *c; c++) {
    if (*c == '.') dots++;
    assert_true(*c == '.' || (*c >= '0' && *c <= '9'));
  }
  assert_int_equal(dots, 2);
#define X(name, text) assert_string_equal(apl_status_text(name), text);
  APL_STATUS_LIST(X)
#undef X
  assert_non_null(apl_status_text((apl_status)-1));
  assert_non_null(apl_status_text((apl_status)1000));
}

static void free_accepts_nothing(void** unused) {
  (void)unused;
  apl_spec_free(NULL);
  apl_model_free(NULL);
  apl_state_free(NULL);
}

/* A robot without links is no mistake: it has nothing to compute. */
static void empty_robot(void** unused) {
  (void)unused;
  apl_spec* spec;
  apl_model* model;
  apl_state* state;
  apl_error err;
  double energy[2] = {1, 1};

  CHECK_OK(apl_spec_new(&spec));
  if (apl_model_new(spec, &model, &err) == APL_OK) {
    assert_int_equal(apl_model_nv(model), 0);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &state));
    CHECK_OK(apl_forward(model, state));
    CHECK_OK(apl_energy(model, state, energy));
    CHECK_NEAR(energy[0], 0, 0);
    apl_state_free(state);
    apl_model_free(model);
  } else {
    assert_true(strlen(err.text) > 10);
  }
  apl_spec_free(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(example),
      cmocka_unit_test(version_and_texts),
      cmocka_unit_test(free_accepts_nothing),
      cmocka_unit_test(empty_robot),
  };
  return cmocka_run_group_tests_name("hello", tests, NULL, NULL);
}
