/* SPDX-License-Identifier: Apache-2.0 */
/* test_step_loads.c: apl_step() continues if nothing has changed, and detects changes. */
#include "near.h"

#include <string.h>

static const char text[] =
    "appell: 1\nlinks:\n"
    "  - {name: arm, joint: {type: revolute, axis: y, damping: 0.1}, body: {mass: 1 kg, com: [0, "
    "0, "
    "-0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}}\n";

/* 1 s in periods of 10 ms, while a load at the tip changes its sign every 30 ms. For comparison
   each period is a run of its own, which has no memory of earlier loads. */
static double swing(bool anew) {
  apl_file* file;
  apl_model* m;
  apl_system* s;
  apl_report report = {0};
  apl_error err = {0};
  apl_run_options o = apl_run_options_default();

  CHECK_OK(apl_file_parse(text, strlen(text), NULL, &file, &report));
  CHECK_OK(apl_file_model(file, &m, &report));
  CHECK_OK(apl_file_system(file, m, 0, &s, &report));
  for (int i = 0; i < 100; ++i) {
    const apl_wrench load = {.force = {i / 3 % 2 == 0 ? -50 : 50, 0, 0}};
    const double t = 0.01 * i;
    CHECK_OK(apl_load(m, apl_system_state(s), apl_model_find(m, APL_PORTS, "arm.tip"),
                      APL_WORLD_AXES, load));
    o.from = t;
    o.to = t + 0.01;
    CHECK_OK(anew ? apl_run(s, &o, NULL, &err) : apl_step(s, t, 0.01, &o, &err));
  }
  const double q = apl_q(apl_system_state(s))[0];
  apl_system_free(s);
  apl_model_free(m);
  apl_file_free(file);
  return q;
}

/* Steps of both are within 1e-8 of the motion, and 100 periods add up. */
static void loads_are_noticed(void** state) {
  (void)state;
  near_context("loads between steps");
  CHECK_NEAR(swing(false), swing(true), 3e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(loads_are_noticed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
