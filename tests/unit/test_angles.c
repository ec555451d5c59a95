/* SPDX-License-Identifier: Apache-2.0 */
/* test_angles.c: sine and cosine are the library's own, so a turning joint shows how good they are:
   against libm, in all three builds, near multiples of pi/2, and on both sides of 1e5, where the
   method changes. */
#include "near.h"
#include "plan.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

/* One ulp of the scale, which is 1, on top of libm's own half. */
#define TOLERANCE 3e-16

enum { ANGLES = 4000 };

static void fill(double* angle) {
  static const double size[] = {1e-3, 1, 10, 1e3, 9.9e4, 1.01e5, 1e6, 1e12};
  const double quarter = acos(-1.0) / 2;
  rng r = rng_seed(17);

  for (int i = 0; i < ANGLES; i++) {
    angle[i] = rng_between(&r, -1, 1) * size[i % 8];

    /* every third one close to a multiple of a quarter turn */
    if (i % 3 == 0) {
      angle[i] = quarter * floor(angle[i] / quarter) + rng_between(&r, -1, 1) * pow(10, -(i % 17));
    }
  }
  angle[0] = 0;
  angle[1] = 1e5;
  angle[2] = nextafter(1e5, 2e5);
  angle[3] = -1e5;
}

static void against_libm(void** state) {
  (void)state;
  static double angle[ANGLES];
  plan* p = plan_new();
  plan_link* link = plan_add(p, "arm", "world", "revolute", "rigid");
  plan_vec3(link, "joint.axis", 0, 0, 1);
  plan_mass(link, 1, (apl_vec3){1, 0, 0}, 0, 0, 1);
  apl_model* model = plan_model(p);

  fill(angle);
  for (int number = APL_SCALAR; number <= APL_COMPLEX; number++) {
    apl_state* s;
    double pose[48];
    CHECK_OK(apl_state_new(model, (apl_number)number, &s));
    const int width = apl_state_width(s);
    const int step = number == APL_LANES ? 4 : 1;
    for (int i = 0; i < ANGLES; i += step) {
      for (int k = 0; k < step; k++)
        apl_q(s)[k] = angle[i + k];
      CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "arm.root"), pose));
      for (int k = 0; k < step; k++) {
        near_context("angle %.17g in build %d", angle[i + k], number);
        CHECK_NEAR(pose[k], cos(angle[i + k]), TOLERANCE);
        CHECK_NEAR(pose[3 * width + k], sin(angle[i + k]), TOLERANCE);
      }
    }
    apl_state_free(s);
  }
  apl_model_free(model);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(against_libm),
  };
  return cmocka_run_group_tests_name("angles", tests, NULL, NULL);
}
