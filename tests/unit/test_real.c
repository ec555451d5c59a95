/* SPDX-License-Identifier: Apache-2.0 */
/* test_real.c: math/real.h for doubles; test_real_lanes.c and test_real_complex.c have the other
   numbers. */
#include "near.h"

#include "math/real.h"

static void primitives(void** state) {
  (void)state;
  assert_int_equal(REAL_WIDTH, 1);
  assert_true(real_of(-2.5) == -2.5);
  assert_true(real_abs(-2.0) == 2 && real_abs(2.0) == 2 && !signbit(real_abs(-0.0)));
  assert_true(real_sqrt(9.0) == 3 && real_root(16.0) == 4);
  CHECK_NEAR(real_atan2(1.0, -1.0), 0.75 * acos(-1), 1e-15);
  CHECK_NEAR(real_atan2(0.0, 0.0), 0, 0);
  CHECK_NEAR(log(real_exp(1.5)), 1.5, 1e-15);
  CHECK_NEAR(real_pow(2.0, 0.5) * real_pow(2.0, 0.5), 2, 1e-15);
  CHECK_NEAR(real_hypot(3e200, 4e200), 5e200, 1e185); /* without overflow */
  assert_true(real_over(1.0, 4.0) == 0.25 && real_part(7.0) == 7);
}

static void choices(void** state) {
  (void)state;
  assert_true(real_less(1.0, 2.0));
  assert_false(real_less(2.0, 2.0));
  assert_false(real_less(NEAR_NAN, 2.0));
  assert_false(real_less(2.0, NEAR_NAN));
  assert_true(real_select(real_less(1.0, 2.0), 3.0, 4.0) == 3);
  assert_true(real_select(mask_not(real_less(1.0, 2.0)), 3.0, 4.0) == 4);
  assert_true(mask_any(mask_or(false, true)));
  assert_false(mask_any(mask_or(false, false)));
  assert_true(real_max(1.0, 2.0) == 2 && real_max(2.0, 1.0) == 2);
  assert_true(real_min(1.0, 2.0) == 1 && real_min(2.0, 1.0) == 1);
  assert_true(isnan(real_max(NEAR_NAN, 1.0))); /* the first of two that cannot be compared */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(primitives), cmocka_unit_test(choices)};
  return cmocka_run_group_tests_name("real", tests, NULL, NULL);
}
