/* SPDX-License-Identifier: Apache-2.0 */
/* targets_arcs.c: what strains cost. One arm of ten elements with a load at its tip, standing
   upright and bent by 0.3 rad per element; only its strains differ. Then one of ten beams of one
   mode in each of their directions. Forward dynamics, in turn, so that a slow second hits all
   alike. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum arm {
  BEND_Y,
  BEND_X,
  TWO_BENDINGS,
  SIX_STRAINS,
  BEAM_Y,
  BEAM_BENDINGS,
  BEAM_ALL,
  ARMS
} arm;

static const char* const arm_strains[ARMS] = {"bend-y",
                                              "bend-x",
                                              "bend-x bend-y",
                                              "bend-x bend-y torsion shear-x shear-y elongation",
                                              "bend-y",
                                              "bend-x bend-y",
                                              "bend-x bend-y torsion axial"};

static void put_wire(apl_spec* spec, int link) {
  apl_spec_number(spec, link, "body.diameter", 2e-3);
  apl_spec_number(spec, link, "body.density", 6450);
  apl_spec_number(spec, link, "body.young-modulus", 67.5e9);
  apl_spec_number(spec, link, "body.shear-modulus", 26e9);
}

static void add_arcs(apl_spec* spec, arm kind) {
  const int rod = apl_spec_link(spec, "rod", "world", "fixed", "arc");
  apl_spec_number(spec, rod, "body.length", 0.6);
  apl_spec_number(spec, rod, "body.elements", 10);
  apl_spec_word(spec, rod, "body.strains", arm_strains[kind]);
  put_wire(spec, rod);
}

static void add_beams(apl_spec* spec, arm kind) {
  char name[16] = "", on[24] = "world";

  for (int i = 0; i < 10; ++i) {
    if (i < 9) {
      (void)snprintf(name, sizeof name, "rod%d", i + 1);
    } else {
      (void)snprintf(name, sizeof name, "rod");
    }
    const int rod = apl_spec_link(spec, name, on, "fixed", "beam");
    apl_spec_number(spec, rod, "body.length", 0.06);
    apl_spec_word(spec, rod, "body.directions", arm_strains[kind]);
    put_wire(spec, rod);
    (void)snprintf(on, sizeof on, "%s.tip", name);
  }
}

static apl_model* arm_of(arm kind) {
  static const double load[6] = {1e-6, 1e-6, 1e-6, 0, 0, 0};
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  if (kind < BEAM_Y) {
    add_arcs(spec, kind);
  } else {
    add_beams(spec, kind);
  }
  const int tip = apl_spec_link(spec, "tip", "rod.tip", "fixed", "rigid");
  apl_spec_number(spec, tip, "body.mass", 0.02);
  apl_spec_put(spec, tip, "body.inertia", load, 6);
  return target_model(spec);
}

/* Bent by 0.3 rad per element, other strains small; beams by 1 mm. */
static void bend(const apl_model* m, apl_state* s, arm kind) {
  const int n = apl_model_nv(m), per = n / 10;

  for (int i = 0; i < n; ++i) {
    const int strain = i % per;
    apl_q(s)[i] = strain < 2 ? (per == 1 ? 0.3 : 0.2) : strain == 2 ? 0.05 : 1e-3;
    apl_v(s)[i] = strain < 3 ? 0.3 : 1e-3;
    if (kind >= BEAM_Y) apl_q(s)[i] = apl_v(s)[i] = 1e-3;
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
    if (ok) bend(m[k], s[k], (arm)k);
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
  return time_arms(ns) ? ns[kind] / ns[kind < BEAM_Y ? BEND_Y : BEAM_Y] : (double)NAN;
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
double target_beam(void) {
  double ns[ARMS];
  return time_arms(ns) ? ns[BEAM_Y] / 10.0 : (double)NAN;
}
double target_beam_bendings(void) {
  return against_plane(BEAM_BENDINGS);
}
double target_beam_all(void) {
  return against_plane(BEAM_ALL);
}
