/* SPDX-License-Identifier: Apache-2.0 */
/* robot_double_pendulum.c: the shortest robot with something to say: two rods, two hinges. */
#include "robot.h"

/* A uniform rod of 1 m and 1 kg along x, hinged about y. A positive angle turns x towards -z. */
static int rod(apl_spec* spec, const char* name, const char* on) {
  const int link = apl_spec_link(spec, name, on, "revolute", "rigid");

  apl_spec_vec3(spec, link, "joint.axis", 0, 1, 0);
  apl_spec_number(spec, link, "body.mass", 1.0);
  apl_spec_vec3(spec, link, "body.com", 0.5, 0, 0);
  apl_spec_put(spec, link, "body.inertia", (const double[]){0, 1.0 / 12, 1.0 / 12, 0, 0, 0}, 6);
  apl_spec_port(spec, link, "end", 0, apl_pose_at(1, 0, 0));
  return link;
}

static void describe(apl_spec* spec) {
  rod(spec, "upper", "world");
  rod(spec, "lower", "upper.end");
}

/* Both rods horizontal, at rest: coordinates are zero from the start, so there is nothing to set.
 */

static const char* const lines[] = {"upper.root", "upper.end", "lower.end", NULL, NULL};

const robot robot_double_pendulum = {
    .name = "double pendulum",
    .about = "Two uniform rods of 1 m and 1 kg, released from horizontal. Chaotic after a few "
             "seconds, so the energy ledger is the only witness.",
    .seconds = 10.0,
    .step = 2.5e-4,
    .every = 100,
    .bound = 1e-9,
    .describe = describe,
    .view = {.right = {1, 0, 0},
             .up = {0, 0, 1},
             .right_label = "x [m]",
             .up_label = "z [m]",
             .lines = lines,
             .trace = "lower.end",
             .seconds = 1.5,
             .poses = 13},
    .plot = {.label = "angle [rad]",
             .n = 2,
             .name = {"upper.joint.angle", "lower.joint.angle"},
             .title = {"upper", "lower"}},
};
