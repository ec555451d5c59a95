/* SPDX-License-Identifier: Apache-2.0 */
/* refusal.c: see refusal.h. */
#include "refusal.h"

#include <string.h>

static apl_spec* good(int* base) {
  apl_spec* spec;
  CHECK_OK(apl_spec_new(&spec));
  *base = apl_spec_link(spec, "base", "world", "revolute", "rigid");
  apl_spec_number(spec, *base, "body.mass", 2);
  apl_spec_vec3(spec, *base, "body.com", 0.1, 0, 0);
  return spec;
}

int refusal_point(apl_spec* spec, const char* name, const char* on, const char* joint) {
  const int i = apl_spec_link(spec, name, on, joint, "rigid");
  apl_spec_number(spec, i, "body.mass", 1);
  apl_spec_vec3(spec, i, "body.com", 0.3, 0.2, 0.1);
  return i;
}

int refusal_box(apl_spec* spec, const char* name, const char* on, const char* joint) {
  const double inertia[6] = {0.2, 0.3, 0.25, 0.01, 0.02, -0.01};
  const int i = refusal_point(spec, name, on, joint);
  apl_spec_put(spec, i, "body.inertia", inertia, 6);
  return i;
}

void refusal_expect(const char* what, refusal_change change, const char* part, const char* word) {
  int base;
  apl_spec* spec = good(&base);
  apl_model* model = (apl_model*)(void*)&base; /* must be set to NULL */
  apl_error err;

  near_context("%s", what);
  memset(&err, 0, sizeof err);
  change(spec, base);
  const apl_status status = apl_model_new(spec, &model, &err);
  CHECK_TRUE(status != APL_OK, "is accepted");
  assert_null(model);
  assert_int_equal(err.status, status);
  CHECK_TRUE(strlen(err.text) >= 15, "the sentence is too short: \"%s\"", err.text);
  CHECK_TRUE(strstr(err.text, part) != NULL, "the sentence does not name \"%s\": \"%s\"", part,
             err.text);
  CHECK_TRUE(strstr(err.text, word) != NULL, "the sentence does not say \"%s\": \"%s\"", word,
             err.text);

  /* without a place for the sentence the status is the same */
  assert_int_equal(apl_model_new(spec, &model, NULL), status);
  apl_spec_free(spec);
}

void refusal_deny(const char* what, refusal_change change) {
  int base;
  apl_spec* spec = good(&base);
  apl_model* model;
  apl_error err;

  near_context("%s", what);
  change(spec, base);
  if (apl_model_new(spec, &model, &err) != APL_OK) {
    near_fail(__FILE__, __LINE__, "is refused: %s", err.text);
  }
  apl_model_free(model);
  apl_spec_free(spec);
}
