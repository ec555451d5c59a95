/* SPDX-License-Identifier: Apache-2.0 */
/* robot_mobile_manipulator.c: the mobile manipulator of Korayem and Shafei: a base on two driven
   wheels, which cannot slip sideways, carries five links of 1 m and 1 kg. Three coordinates of the
   base, two quasi-velocities: no multipliers, no drift.

   The layout of the joint axes was in a figure that is lost. Here all of them are horizontal, along
   the axle: layout H of the specification. */
#include "march.h"

#include <math.h>
#include <stdio.h>

enum { LINKS = 5 };
static const char* const link_name[LINKS] = {"link1", "link2", "link3", "link4", "link5"};
static const char* const link_end[LINKS] = {"link1.end", "link2.end", "link3.end", "link4.end",
                                            "link5.end"};

/* Inputs are numbered in the order in which they are described. */
enum { RIGHT, LEFT };

static void describe(apl_spec* spec) {
  const double axial = 0.0008, across = 0.0008 + 1.0 / 12;

  apl_spec_gravity(spec, (apl_vec3){0, 0, -10});
  const int base = apl_spec_link(spec, "base", "world", "differential-drive", "rigid");
  apl_spec_number(spec, base, "joint.wheel-radius", 0.08);
  apl_spec_number(spec, base, "joint.half-track", 0.145);
  apl_spec_number(spec, base, "joint.wheel-inertia", 0.001);
  apl_spec_number(spec, base, "body.mass", 6.64);
  apl_spec_vec3(spec, base, "body.com", 0.2, 0, 0);

  /* the base only yaws, so the inertia about the vertical is all that is ever felt */
  apl_spec_put(spec, base, "body.inertia", (const double[]){0, 0, 0.06363, 0, 0, 0}, 6);
  apl_spec_port(spec, base, "mount", 0, apl_pose_at(0.2, 0, 0));
  apl_spec_port(spec, base, "rear", 0, apl_pose_at(-0.1, 0, 0));

  /* axes to the right (-y): a positive angle lifts the link in front of the base */
  for (int i = 0; i < LINKS; ++i) {
    const int link = apl_spec_link(spec, link_name[i], i == 0 ? "base.mount" : link_end[i - 1],
                                   "revolute", "rigid");
    apl_spec_vec3(spec, link, "joint.axis", 0, -1, 0);
    apl_spec_number(spec, link, "body.mass", 1.0);
    apl_spec_vec3(spec, link, "body.com", 0.5, 0, 0);
    apl_spec_put(spec, link, "body.inertia", (const double[]){axial, across, across, 0, 0, 0}, 6);
    apl_spec_port(spec, link, "end", 0, apl_pose_at(1, 0, 0));
  }
  apl_spec_input(spec, "right-motor", "base.right", 1.0);
  apl_spec_input(spec, "left-motor", "base.left", 1.0);
}

/* Constant torques, everything at rest. */
static void start(const apl_model* model, apl_state* state) {
  apl_u(state)[RIGHT] = 0.1;
  apl_u(state)[LEFT] = 0.2;
  for (int i = 0; i < LINKS; ++i) {
    const apl_link_info link =
        apl_model_link_info(model, apl_model_find(model, APL_LINKS, link_name[i]));
    apl_tau(state)[link.v0] = 1.0;
  }
}

/* x, y, heading, five angles at 0.5, 1 and 1.5 s, as the specification prints them: six decimals */
static bool verdict(const apl_model* model, apl_state* state, const record* run, char* text,
                    size_t size) {
  static const double want[3][8] = {
      {0.236168, -0.000069, -0.000537, -0.944043, 0.444259, 0.493961, -0.087429, 0.582784},
      {1.256163, -0.003269, -0.013139, -1.701551, 0.141572, -0.068401, 0.190211, -0.426600},
      {2.284077, -0.025667, -0.024462, -2.249612, -0.642513, -0.035018, -0.472084, 0.590453}};
  double off = 0.0;
  (void)model, (void)state;

  for (int k = 0; k < 3; ++k) {
    const double* q = run->q + record_at(run, 0.5 * (k + 1)) * run->nq;
    for (int i = 0; i < 8; ++i)
      off = fmax(off, fabs(q[i] - want[k][i]));
  }
  const double* end = run->q + (run->samples - 1) * run->nq;
  snprintf(text, size,
           "at 1.5 s x = %.6f m, heading = %.6f rad, angles %.6f %.6f %.6f %.6f %.6f rad; at 0.5, "
           "1 and 1.5 s all eight coordinates agree with the reference table (layout H) to its six "
           "decimals (largest difference %.1e)",
           end[0], end[2], end[3], end[4], end[5], end[6], end[7], off);
  return off < 6e-7;
}

static const char* const lines[] = {"base.rear", "base.mount", NULL,        "base.mount",
                                    "link1.end", "link2.end",  "link3.end", "link4.end",
                                    "link5.end", NULL,         NULL};
static const double floor_height = -0.08;

const robot robot_mobile_manipulator = {
    .name = "mobile manipulator",
    .about = "The wheeled base with five links of the mobile-manipulator paper, all joint axes "
             "along the axle, constant torques, from rest. As in the paper nothing stops the arm "
             "at the floor. Its computing time, derivation included, was 477.66 s on a computer of "
             "its day.",
    .seconds = 1.5,
    .step = 1e-4,
    .every = 50,
    .bound = 1e-9,
    .describe = describe,
    .start = start,
    .verdict = verdict,
    .view = {.right = {1, 0, 0},
             .up = {0, 0, 1},
             .right_label = "x [m]",
             .up_label = "z [m]",
             .lines = lines,
             .trace = "link5.end",
             .ground = &floor_height,
             .poses = 11},
    .plot = {.label = "angle [rad]",
             .n = LINKS,
             .name = {"link1.joint.angle", "link2.joint.angle", "link3.joint.angle",
                      "link4.joint.angle", "link5.joint.angle"},
             .title = {"link 1", "link 2", "link 3", "link 4", "link 5"}},
};
