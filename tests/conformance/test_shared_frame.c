/* SPDX-License-Identifier: Apache-2.0 */
/* test_shared_frame.c: bodies that deform and are fixed to one frame, each with an inertia of its
   own. Kinetic energy is v^T M v / 2 with M of another algorithm; a robot that falls has the
   momentum m v. Round-off of some hundred operations. */
#include "near.h"
#include "systems.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "appell: 1\nlinks:\n"
    "  - {name: a, joint: floating, body: {type: arc, elements: 1, strains: [bend-x, bend-y], "
    "diameter: 9 mm, length: 0.6, density: 7600, young-modulus: 1.7e6}}\n"
    "  - {name: b, on: a, joint: fixed, body: {type: beam, directions: [bend-x], modes: 2, width: "
    "30 "
    "mm, height: 14 mm, length: 0.45, density: 1000, young-modulus: 3.5e8}}\n"
    "  - {name: c, on: a, joint: fixed, body: {type: arc, elements: 2, strains: [bend-y], "
    "diameter: "
    "20 mm, length: 0.2, density: 1200, young-modulus: 1e6}}\n"
    "run: {to: 0.5, integrator: INTEGRATOR, tolerance: 1e-8}\n";

static rig rig_by(const char* integrator) {
  char buffer[1200];
  const char* at = strstr(text, "INTEGRATOR");

  (void)snprintf(buffer, sizeof buffer, "%.*s%s%s", (int)(at - text), text, integrator, at + 10);
  return rig_text(buffer, APL_SETTLED);
}

static void energy_and_momentum(void** state) {
  (void)state;
  rig r = rig_by("dop853");
  apl_state* s = apl_system_state(r.system);
  const int nq = apl_model_nq(r.model), nv = apl_model_nv(r.model);
  double M[256], E[2], P[6], sum = 0.0;

  near_context("energy and momentum");
  assert_true(nv <= 16);
  for (int i = 7; i < nq; ++i)
    apl_q(s)[i] = 0.02 * sin(1.0 + 2.3 * i);
  for (int i = 0; i < nv; ++i)
    apl_v(s)[i] = sin(2.0 + 1.7 * i);
  CHECK_OK(apl_energy(r.model, s, E));
  CHECK_OK(apl_mass_matrix(r.model, s, M));
  for (int i = 0; i < nv * nv; ++i)
    sum += 0.5 * M[i] * apl_v(s)[i / nv] * apl_v(s)[i % nv];
  CHECK_NEAR(E[0], sum, 1e-13 * sum);

  /* all bodies move with (0, 0, 2) m/s */
  for (int i = 0; i < nv; ++i)
    apl_v(s)[i] = i == 5 ? 2.0 : 0.0;
  const double pi = acos(-1.0), mass = pi / 4 * (9e-3 * 9e-3 * 0.6 * 7600 + 4e-4 * 0.2 * 1200) +
                                       30e-3 * 14e-3 * 0.45 * 1000;
  CHECK_OK(apl_energy(r.model, s, E));
  CHECK_OK(apl_momentum(r.model, s, P));
  CHECK_NEAR(E[0], 2.0 * mass, 1e-13);
  CHECK_NEAR(P[5], 2.0 * mass, 1e-13);
  rig_close(&r);
}

/* It falls, and every verdict on energy and momentum is round-off: both ways in which one is
   found, after explicit and after implicit steps. */
static void verdicts(void** state) {
  (void)state;
  static const char* const method[] = {"dop853", "stiff"};

  for (int i = 0; i < 2; ++i) {
    rig r = rig_by(method[i]);
    apl_run_options o = apl_file_options(r.file);
    apl_run_report report = {0};
    apl_error err = {0};
    near_context("verdict after %s", method[i]);
    const apl_status st = apl_run(r.system, &o, &report, &err);
    CHECK_TRUE(st == APL_OK, "%s", err.text);
    CHECK_NEAR(report.relative, 0.0, 1e-8);
    CHECK_NEAR(report.momentum, 0.0, 1e-8);
    rig_close(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(energy_and_momentum),
                                     cmocka_unit_test(verdicts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
