/* SPDX-License-Identifier: Apache-2.0 */
/* beams.c: see beams.h. */
#include "beams.h"

#include <math.h>
#include <string.h>

const char* beams_end(char letter) {
  return letter == 'c' ? "clamped" : letter == 's' ? "pinned" : "free";
}

void beams_ends(plan_link* link, const char* ends) {
  plan_words(link, "body.root-end", beams_end(ends[0]));
  plan_words(link, "body.tip-end", beams_end(ends[1]));
}

void beams_paper(plan_link* link, const char* ends) {
  const double E = 2e11, I = 4.883e-9, A = 3.75e-4, k = 5.0 / 6;

  plan_number(link, "body.length", 1);
  plan_number(link, "body.mass-per-length", 1);
  plan_number(link, "body.bending-stiffness", E * I);
  plan_number(link, "body.shear-stiffness", k * 7.7e10 * A);
  plan_number(link, "body.rotary-inertia", 2.9473e-5);

  /* rectangle of 30 x 12.5 mm, G = E/2.6, rho I */
  plan_number(link, "body.mode-bending-stiffness", E * 4.8828125e-9);
  plan_number(link, "body.mode-shear-stiffness", k * E / 2.6 * A);
  plan_number(link, "body.mode-rotary-inertia", 4.8828125e-9 / A);

  /* gamma = 0.025, K_v = 125 */
  plan_number(link, "body.elastic-drag", 0.025);
  plan_number(link, "body.kelvin-voigt-time", 125 / E);
  beams_ends(link, ends);
}

/* z to the world's x, x to its z */
apl_quat beams_plane(void) {
  return apl_quat_axis((apl_vec3){sqrt(0.5), 0, sqrt(0.5)}, acos(-1.0));
}

void beams_matrices(const apl_model* model, double* D, double* K) {
  const int n = apl_model_nv(model);
  apl_state* s;
  double tau[BEAMS_MOST];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_mass_matrix(model, s, D));
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++)
      apl_q(s)[i] = i == j;
    CHECK_OK(apl_bias(model, s, tau));
    for (int i = 0; i < n; i++)
      K[i * n + j] = tau[i];
  }
  apl_state_free(s);
}

beams_place beams_port(const apl_model* model, const char* port, const double* x) {
  apl_state* s;
  double p[12];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  memcpy(apl_q(s), x, sizeof *x * (size_t)apl_model_nq(model));
  CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, port), p));
  apl_state_free(s);
  return (beams_place){p[9],
                       p[10],
                       p[11],
                       atan2(p[7] - p[5], p[4] + p[8]),
                       atan2(p[2] - p[6], p[0] + p[8]),
                       atan2(p[3] - p[1], p[0] + p[4])};
}
