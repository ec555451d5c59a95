/* SPDX-License-Identifier: Apache-2.0 */
/* test_peak.c: the peak force of an impact whose depth is a given function of time: a prescribed
   joint moves a point into a ground and out again. Between the ends of a step its position depends
   on time only. */
#include "near.h"

#include <appell/appell.h>

#include <math.h>
#include <string.h>

/* z = 0.05 + 0.06 sin(2 pi t): 1 cm deep at t = 0.75 s */
static const char text[] =
    "appell: 1\n"
    "links:\n"
    "  - name: dip\n"
    "    joint: {type: prismatic, axis: z, prescribed: true}\n"
    "    body: {mass: 1 kg}\n"
    "grounds: {floor: {law: {normal: hertz, stiffness: 1e4, exponent: 1.5}}}\n"
    "contacts: [{on: dip.root}]\n"
    "motion: {dip.joint.position: {sine: {mean: 5 cm, amplitude: 6 cm, frequency: 1 Hz}}}\n"
    "run: {to: 1 s, output-every: 41 ms}\n"; /* the deepest place is inside a step */

static void keep(const apl_impact* impact, apl_system* system, void* user) {
  (void)system;
  *(apl_impact*)user = *impact;
}

static void peak_of_a_given_motion(void** unused) {
  apl_file* file;
  apl_model* model;
  apl_system* system;
  apl_report report = {0};
  apl_impact hit = {.contact = -1};
  apl_error err = {0};
  (void)unused;

  CHECK_OK(apl_file_parse(text, strlen(text), NULL, &file, &report));
  CHECK_OK(apl_file_model(file, &model, &report));
  CHECK_OK(apl_file_system(file, model, APL_READY, &system, &report));
  apl_run_options o = apl_file_options(file);
  o.impact = keep;
  o.user = &hit;
  CHECK_OK(apl_run(system, &o, NULL, &err));
  assert_int_equal(hit.contact, 0);
  /* K D^n = 1e4 0.01^1.5 = 10 N. Samples are a quarter of a step apart, h = 10 ms at most; the
     parabola through them has an error of about h^4/24 of the fourth derivative, 1.4e6 N/s^4 at the
     top: 6e-4 N. The ends of steps alone would give 0.02 N less. */
  CHECK_NEAR(hit.peak, 10.0, 2e-3);
  /* in where sin = -5/6, at the speed 0.06 2 pi cos; out at the same */
  const double w = 2.0 * acos(-1.0), in = 0.06 * w * sqrt(1.0 - 25.0 / 36.0);
  CHECK_NEAR(hit.speed_in, in, 1e-9);
  CHECK_NEAR(hit.speed_out, in, 1e-9);
  CHECK_NEAR(hit.start, 0.5 + asin(5.0 / 6.0) / w, 1e-9);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(peak_of_a_given_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
