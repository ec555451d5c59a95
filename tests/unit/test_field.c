/* SPDX-License-Identifier: Apache-2.0 */
/* test_field.c: base/field.h: rows of parameter tables say where a member is, how long and what it
   holds by default. A reader that knows nothing of the struct fills it from its table. */
#include "near.h"

#include "base/field.h"

#include <string.h>

typedef struct param {
  double before;
  double mass;
  double place[3];
  double axis[3];
  double inertia[6];
} param;

static const apl_field fields[] = {
    APL_FIELD_REQUIRED(param, mass, "mass", "kg", "how heavy"),
    APL_FIELD(param, place, "place", "m", "where", 1, 2),
    APL_FIELD_AXIS(param, axis, "axis", "which way", 0, 0, 1),
    APL_FIELD_INERTIA(param, inertia, "inertia", "about the centre"),
    APL_FIELD_END,
};

/* Write the defaults as a reader does, by offset and count only. */
static void defaults(void** state) {
  param p;
  int rows = 0;

  (void)state;
  memset(&p, 0x7f, sizeof p);
  for (const apl_field* f = fields; f->name != NULL; ++f, ++rows) {
    double* member = (double*)(void*)((char*)&p + f->offset);
    if (f->fallback != NULL) memcpy(member, f->fallback, (size_t)f->count * sizeof(double));
  }
  assert_int_equal(rows, 4);
  const double place[] = {1, 2, 0}, axis[] = {0, 0, 1}, zero[6] = {0};
  CHECK_ARRAY(p.place, place, 3, 0, 1); /* a number that is not written is 0 */
  CHECK_ARRAY(p.axis, axis, 3, 0, 1);
  CHECK_ARRAY(p.inertia, zero, 6, 0, 1);
  assert_memory_equal(&p.before, &p.mass, sizeof(double)); /* neither was touched */
}

static void rows(void** state) {
  (void)state;
  assert_null(fields[0].fallback);
  assert_int_equal(fields[0].count, 1);
  assert_int_equal(fields[0].form, APL_FORM_NUMBERS);
  assert_int_equal(fields[0].offset, sizeof(double)); /* behind `before` */
  assert_int_equal(fields[1].count, 3);
  assert_string_equal(fields[1].unit, "m");
  assert_int_equal(fields[2].form, APL_FORM_AXIS);
  assert_int_equal(fields[2].count, 3);
  assert_int_equal(fields[3].form, APL_FORM_INERTIA);
  assert_int_equal(fields[3].count, 6);
  assert_string_equal(fields[3].unit, "kg m^2");
  assert_string_equal(fields[3].sentence, "about the centre");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(rows)};
  return cmocka_run_group_tests_name("field", tests, NULL, NULL);
}
