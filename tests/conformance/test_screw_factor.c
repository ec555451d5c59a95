/* SPDX-License-Identifier: Apache-2.0 */
/* test_screw_factor.c: factors of M + g C + g^2 K of arms whose arcs have all six strains, which
   are eliminated by a way of their own (dynamics/screw.h), against the dense matrix: M of the
   composite recursion, C and K by complex steps of inverse dynamics. At rest and without weight
   nothing but elasticity and damping has derivatives, and both are linear. Round-off, which a wire
   with stiff stretch and soft bending amplifies by their ratio. */
#include "near.h"
#include "text.h"

#include "appell/derivatives.h"

#include "dynamics/factor.h"

#include <math.h>

enum { MOST = 32 };

static const char text[] =
    "appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
    "  - {name: a, joint: {type: revolute, axis: y, stiffness: 3, damping: 0.2}, body: {type: arc, "
    "elements: 3, strains: [bend-x, bend-y, torsion, shear-x, shear-y, elongation], diameter: 20 "
    "mm, length: 0.6, density: 1200, young-modulus: 1e6, poisson-ratio: 0.4, kelvin-voigt-time: 5 "
    "ms}}\n"
    "  - {name: b, on: a.tip, joint: {type: revolute, axis: x}, body: {mass: 0.3 kg, com: [0, 0.1, "
    "0.05], inertia: {xx: 2e-3, yy: 1e-3, zz: 2e-3}}}\n";

static void against_dense(void** state) {
  (void)state;
  static const double step[] = {0, 1e-4, 1e-2, 1};
  apl_file* file;
  apl_model* model;
  apl_state* s;
  apl_derivatives* room;
  double M[MOST * MOST], K[MOST * MOST], C[MOST * MOST], tau[MOST], a[MOST];

  text_load(text, &file, &model);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_derivatives_new(model, &room));
  const int nv = apl_model_nv(model);
  assert_true(nv == 20 && nv <= MOST);
  for (int i = 0; i < nv; ++i)
    apl_q(s)[i] = 0.1 * sin(1.0 + 2.3 * i);
  CHECK_OK(apl_mass_matrix(model, s, M));
  CHECK_OK(apl_inverse_derivatives(model, s, room, K, C, NULL));
  for (int k = 0; k < 4; ++k) {
    const double g = step[k];
    near_context("g = %g", g);
    for (int i = 0; i < nv; ++i)
      tau[i] = cos(0.4 + 1.9 * i);
    CHECK_OK(apl_factor(model, s, g));
    CHECK_OK(apl_solve(model, s, tau, NULL, NULL, 0, a, NULL));
    for (int i = 0; i < nv; ++i) {
      double sum = 0, size = 1;
      for (int j = 0; j < nv; ++j) {
        const double x = (M[i * nv + j] + g * C[i * nv + j] + g * g * K[i * nv + j]) * a[j];
        sum += x;
        size = fmax(size, fabs(x));
      }
      CHECK_NEAR(sum, tau[i], 1e-11 * size);
    }
  }
  apl_derivatives_free(room);
  apl_state_free(s);
  apl_model_free(model);
  apl_file_free(file);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(against_dense)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
