/* SPDX-License-Identifier: Apache-2.0 */
/* test_real_lanes.c: math/real.h and what is written over it, for four robots at once: each lane
   gives what its number gives alone, whatever the other lanes hold. */
#define APL_REAL_LANES 1

#include "near.h"
#include "random.h"

#include "math/ldl.h"
#include "math/real.h"
#include "math/rotvec.h"
#include "math/stumpff.h"

#include <string.h>

static const real four = {-2.0, 0.25, 4.0, 9.0};

static void primitives(void** state) {
  const real x = real_abs(four), root = real_sqrt(x), e = real_exp(four);
  const real p = real_pow(x, real_of(1.5)), a = real_atan2(four, real_of(-1.0));

  (void)state;
  assert_int_equal(REAL_WIDTH, 4);
  for (int k = 0; k < 4; ++k) {
    CHECK_NEAR(x[k], fabs(four[k]), 0);
    CHECK_NEAR(root[k], sqrt(fabs(four[k])), 0);
    CHECK_NEAR(e[k], exp(four[k]), 0);
    CHECK_NEAR(p[k], pow(fabs(four[k]), 1.5), 0);
    CHECK_NEAR(a[k], atan2(four[k], -1), 0);
  }
}

static void choices(void** state) {
  const real b = {-1.0, 0.25, 5.0, NEAR_NAN};
  const mask less = real_less(four, b);
  const real chosen = real_select(less, four, real_of(7.0)), most = real_max(four, b);
  const real least = real_min(four, b);

  (void)state;
  const double want[] = {-2, 7, 4, 7}, high[] = {-1, 0.25, 5, 9}, low[] = {-2, 0.25, 4, 9};
  for (int k = 0; k < 4; ++k) {
    CHECK_NEAR(chosen[k], want[k], 0);
    CHECK_NEAR(most[k], high[k], 0);
    CHECK_NEAR(least[k], low[k], 0);
  }
  assert_true(mask_any(less));
  assert_true(mask_any(mask_not(less)));
  const mask none = real_less(four, four);
  assert_false(mask_any(none));
  assert_true(mask_any(mask_or(none, less)));
  assert_false(mask_any(mask_not(mask_or(less, mask_not(less)))));
}

/* A lane beside others and the same number in all lanes give the same bytes. */
static void lanes_do_not_disturb(void** state) {
  const real x = {0.5, 10.2400001, 1e-20, 300.0};
  real all[STUMPFF_N], alone[STUMPFF_N], s, c, s1, c1;

  (void)state;
  stumpff(x, all);
  sinc_cos(x, &s, &c);
  for (int k = 0; k < 4; ++k) {
    stumpff(real_of(x[k]), alone);
    sinc_cos(real_of(x[k]), &s1, &c1);
    for (int i = 0; i < STUMPFF_N; ++i)
      assert_true(all[i][k] == alone[i][0]);
    assert_true(s[k] == s1[0] && c[k] == c1[0]);
    CHECK_NEAR(c[k], cos(sqrt(x[k])), 1e-15);
  }
}

/* One bad robot among four is seen; the others are solved. */
static void one_bad_matrix(void** state) {
  real M[4] = {real_of(2.0), real_of(0.0), {1, 1, 2, 1}, real_of(2.0)};
  real b[2] = {real_of(1.0), real_of(0.0)};

  (void)state;
  const mask bad = ldl_factor(M, 2, 2);
  assert_true(bad[2] != 0);
  assert_true(bad[0] == 0 && bad[1] == 0 && bad[3] == 0);
  ldl_solve(M, 2, 2, b); /* (2 1; 1 2)^-1 (1, 0) = (2, -1)/3 */
  CHECK_NEAR(b[0][3], 2.0 / 3, 1e-15);
  CHECK_NEAR(b[1][0], -1.0 / 3, 1e-15);
}

/* exp and log in four sizes at once: small ones by series, large ones by sine. */
static void rotations(void** state) {
  const real size = {1e-9, 0.01, 1.0, 3.0};
  const vec3 d = {size * (2.0 / 3), size * (-1.0 / 3), size * (2.0 / 3)};
  real q[4];

  (void)state;
  quat_exp(d, q);
  const vec3 back = quat_log(q);
  for (int k = 0; k < 4; ++k) {
    CHECK_NEAR(back.x[k], d.x[k], 1e-15 * (1 + size[k]));
    CHECK_NEAR(q[0][k], cos(size[k] / 2), 1e-15);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(primitives),
      cmocka_unit_test(choices),
      cmocka_unit_test(lanes_do_not_disturb),
      cmocka_unit_test(one_bad_matrix),
      cmocka_unit_test(rotations),
  };
  return cmocka_run_group_tests_name("real_lanes", tests, NULL, NULL);
}
