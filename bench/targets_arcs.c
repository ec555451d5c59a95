/* targets_arcs.c: what strains cost. One arm of ten elements with a load at its tip, standing
   upright and bent by 0.3 rad per element; only its strains differ. Forward dynamics, in turn, so
   that a slow second hits all alike. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include "targets.h"

#include <math.h>
#include <string.h>

typedef enum arm { BEND_Y, BEND_X, TWO_BENDINGS, SIX_STRAINS, ARMS } arm;

static const char* const arm_strains[ARMS] = {"bend-y", "bend-x", "bend-x bend-y",
                                              "bend-x bend-y torsion shear-x shear-y elongation"};

static apl_model* arm_of(arm kind) {
  static const double load[6] = {1e-6, 1e-6, 1e-6, 0, 0, 0};
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  const int rod = apl_spec_link(spec, "rod", "world", "fixed", "arc");
  apl_spec_number(spec, rod, "body.length", 0.6);
  apl_spec_number(spec, rod, "body.elements", 10);
  apl_spec_word(spec, rod, "body.strains", arm_strains[kind]);
  apl_spec_number(spec, rod, "body.diameter", 2e-3);
  apl_spec_number(spec, rod, "body.density", 6450);
  apl_spec_number(spec, rod, "body.young-modulus", 67.5e9);
  apl_spec_number(spec, rod, "body.shear-modulus", 26e9);
  const int tip = apl_spec_link(spec, "tip", "rod.tip", "fixed", "rigid");
  apl_spec_number(spec, tip, "body.mass", 0.02);
  apl_spec_put(spec, tip, "body.inertia", load, 6);
  return target_model(spec);
}

/* Bent by 0.3 rad per element, other strains small. */
static void bend(const apl_model* m, apl_state* s) {
  const int n = apl_model_nv(m), per = n / 10;

  for (int i = 0; i < n; ++i) {
    const int strain = i % per;
    apl_q(s)[i] = strain < 2 ? (per == 1 ? 0.3 : 0.2) : strain == 2 ? 0.05 : 1e-3;
    apl_v(s)[i] = strain < 3 ? 0.3 : 1e-3;
  }
}

/* Nanoseconds of a forward pass of every arm. */
static bool time_arms(double* ns) {
  enum { CALLS = 400, ROUNDS = 60 };
  apl_model* m[ARMS] = {NULL};
  apl_state* s[ARMS] = {NULL};
  bool ok = true;

  for (int k = 0; k < ARMS; ++k) {
    ns[k] = HUGE_VAL;
    m[k] = arm_of((arm)k);
    ok = ok && m[k] != NULL && apl_state_new(m[k], APL_SCALAR, &s[k]) == APL_OK;
    if (ok) bend(m[k], s[k]);
  }
  for (int round = 0; ok && round < ROUNDS; ++round) {
    for (int k = 0; k < ARMS; ++k) {
      const double start = cpu_seconds();
      for (int i = 0; i < CALLS; ++i)
        ok = apl_forward(m[k], s[k]) == APL_OK && ok;
      ns[k] = fmin(ns[k], 1e9 * (cpu_seconds() - start) / CALLS);
    }
  }
  for (int k = 0; k < ARMS; ++k) {
    apl_state_free(s[k]);
    apl_model_free(m[k]);
  }
  return ok;
}

static double against_plane(arm kind) {
  double ns[ARMS];
  return time_arms(ns) ? ns[kind] / ns[BEND_Y] : (double)NAN;
}

double target_arc_element(void) {
  double ns[ARMS];
  return time_arms(ns) ? ns[BEND_Y] / 10.0 : (double)NAN;
}
double target_arc_bend_x(void) {
  return against_plane(BEND_X);
}
double target_arc_bendings(void) {
  return against_plane(TWO_BENDINGS);
}
double target_arc_strains(void) {
  return against_plane(SIX_STRAINS);
}
