/* SPDX-License-Identifier: Apache-2.0 */
/* test_settle.c: friction that acts far faster than a robot moves is found and named, so that a run
   that crawls can say so. */
#include "near.h"
#include "plan.h"

#include "run/parts.h"
#include "run/progress.h"

#include <stdlib.h>
#include <string.h>

/* A finger of inertia I = 2e-5 kg m^2 about its joint on an arm; friction F = 0.3 N m over
   u = 1e-3 rad/s and damping c = 0.01 N m s/rad: it settles within I / (c + F/u). */
static void finger(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* arm = plan_add(p, "arm", "world", "revolute", "rigid");
  plan_mass(arm, 2, (apl_vec3){0.3, 0, 0}, 0.1, 0.1, 0.1);
  plan_number(arm, "joint.damping", 0.5);
  plan_at_port(arm, "tip", 0, apl_pose_at(0.6, 0, 0));
  plan_link* link = plan_add(p, "finger", "arm.tip", "revolute", "rigid");
  plan_mass(link, 0.01, (apl_vec3){0, 0, 0}, 2e-5, 2e-5, 2e-5);
  plan_number(link, "joint.friction", 0.3);
  plan_number(link, "joint.friction-speed", 1e-3);
  plan_number(link, "joint.damping", 0.01);
  apl_model* m = plan_model(p);
  apl_system* system;
  apl_error err = {0};
  double time;

  CHECK_OK(apl_system_new(m, &system, &err));
  const char* name = apl_settling_joint(system, &time);
  CHECK_TRUE(name != NULL && strcmp(name, "finger.joint.angle") == 0, "got %s", name ? name : "");
  CHECK_NEAR(time, 2e-5 / (0.01 + 0.3 / 1e-3), 1e-18);

  /* the sentence names it and the method that does not mind */
  char text[240];
  const apl_progress now = {.method = "rkf45",
                            .step = 1e-9,
                            .left = 1e9,
                            .limit = "x",
                            .settling = name,
                            .settles = time};
  apl_progress_text(&now, text, sizeof text);
  CHECK_TRUE(strstr(text, "friction at 'finger.joint.angle' has a time constant of 6.7e-08 s") !=
                 NULL,
             "%s", text);
  CHECK_TRUE(strstr(text, "try integrator stiff") != NULL, "%s", text);
  apl_system_free(system);
  apl_model_free(m);
  free(p);
}

/* Joints with a time constant as long as their motion are not reported. */
static void calm(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* arm = plan_add(p, "arm", "world", "revolute", "rigid");
  plan_mass(arm, 2, (apl_vec3){0.3, 0, 0}, 0.1, 0.1, 0.1);
  plan_number(arm, "joint.damping", 5);
  apl_model* m = plan_model(p);
  apl_system* system;
  apl_error err = {0};
  double time;

  CHECK_OK(apl_system_new(m, &system, &err));
  assert_null(apl_settling_joint(system, &time));
  apl_system_free(system);
  apl_model_free(m);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finger),
      cmocka_unit_test(calm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
