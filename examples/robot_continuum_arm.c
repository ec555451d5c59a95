/* SPDX-License-Identifier: Apache-2.0 */
/* robot_continuum_arm.c: the clamped rod of the continuum paper (Dehghani and Moosavian): 0.6 m,
   cut into four planar arcs of constant curvature, with 10 g at the tip. Each arc is a body that
   deforms, fixed to the tip of the one before; its bending angle is a coordinate of its own. */
#include "march.h"

#include <math.h>
#include <stdio.h>

enum { ARCS = 4 };
static const char* const arc_name[ARCS] = {"arc1", "arc2", "arc3", "arc4"};
static const char* const arc_tip[ARCS] = {"arc1.tip", "arc2.tip", "arc3.tip", "arc4.tip"};

static void describe(apl_spec* spec) {
  const double quarter = acos(-1.0) / 2;

  for (int i = 0; i < ARCS; ++i) {
    const int arc =
        apl_spec_link(spec, arc_name[i], i == 0 ? "world" : arc_tip[i - 1], "fixed", "arc");
    apl_spec_number(spec, arc, "body.length", 0.6 / ARCS);
    apl_spec_number(spec, arc, "body.mass-per-length", 0.02);
    apl_spec_number(spec, arc, "body.bending-stiffness", 0.05);
    apl_spec_number(spec, arc, "body.rotary-inertia", 5e-9);

    /* sections in between, for the picture only */
    apl_spec_port(spec, arc, "third", 1.0 / 3, apl_pose_identity());
    apl_spec_port(spec, arc, "two-thirds", 2.0 / 3, apl_pose_identity());

    /* an arc runs along its own z: a quarter turn about y lays it along the world's x */
    if (i == 0) {
      apl_spec_place(spec, arc, (apl_pose){{0, 0, 0}, apl_quat_axis((apl_vec3){0, 1, 0}, quarter)});
    }
  }
  const int weight = apl_spec_link(spec, "weight", arc_tip[ARCS - 1], "fixed", "rigid");
  apl_spec_number(spec, weight, "body.mass", 0.01);
}

/* The reference is an independent derivation in 80-bit numbers, half a second after the release
   (tests/data/continuum/planar_n4_straight_m10.csv). Our x is its X, our z its Y. */
static bool verdict(const apl_model* model, apl_state* state, const record* run, char* text,
                    size_t size) {
  static const double want[2] = {0.5114054476494, -0.2854680538826};
  const apl_vec3 tip =
      record_place(run, record_at(run, 0.5), apl_model_find(model, APL_PORTS, "weight.root"));
  const double off = hypot(tip.x - want[0], tip.z - want[1]);
  (void)state;

  snprintf(text, size,
           "tip at 0.5 s is (%.9f, %.9f) m, within %.1e m of the reference in 80-bit numbers",
           tip.x, tip.z, off);
  return off < 1e-8;
}

static const char* const lines[] = {
    "arc1.root", "arc1.third", "arc1.two-thirds", "arc2.root", "arc2.third", "arc2.two-thirds",
    "arc3.root", "arc3.third", "arc3.two-thirds", "arc4.root", "arc4.third", "arc4.two-thirds",
    "arc4.tip",  NULL,         "weight.root",     NULL,        NULL};

const robot robot_continuum_arm = {
    .name = "continuum arm",
    .about = "The rod of the continuum paper: 0.6 m, clamped horizontally, four arcs of constant "
             "curvature, 10 g at the tip, released straight. An angle above zero bends downwards.",
    .seconds = 1.0,
    .step = 1.25e-4,
    .every = 20,
    .bound = 1e-9,
    .describe = describe,
    .verdict = verdict,
    .view = {.right = {1, 0, 0},
             .up = {0, 0, 1},
             .right_label = "x [m]",
             .up_label = "z [m]",
             .lines = lines,
             .trace = "weight.root",
             .seconds = 0.4,
             .poses = 9},
    .plot = {.label = "bending angle [rad]",
             .n = ARCS,
             .name = {"arc1.bend-y", "arc2.bend-y", "arc3.bend-y", "arc4.bend-y"},
             .title = {"arc 1", "arc 2", "arc 3", "arc 4"}},
};
