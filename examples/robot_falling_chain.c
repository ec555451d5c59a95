/* SPDX-License-Identifier: Apache-2.0 */
/* robot_falling_chain.c: the chain of the flexible-arm paper (Yousefzadeh and Shafei), with rigid
   links: three of 1 m and 1 kg fall from 0.9 m. With flexible ones, and on through its bounces:
   models/paper-flexible-ss.yaml and `appell paper flexible`. The planar joint gives the chain its
   place in the vertical plane; its normal is -y, so that its axes are the world's x and z and
   angles turn x towards z, as in the paper. The run ends just before the ends touch the ground. */
#include "march.h"

#include <math.h>
#include <stdio.h>

static const char* const link_name[3] = {"link1", "link2", "link3"};
static const char* const link_end[3] = {"link1.end", "link2.end", "link3.end"};

static void describe(apl_spec* spec) {
  const double across = 1.0 / 12 + 2.9473e-5; /* and the rotary inertia of the sections */

  for (int i = 0; i < 3; ++i) {
    const int link = apl_spec_link(spec, link_name[i], i == 0 ? "world" : link_end[i - 1],
                                   i == 0 ? "planar" : "revolute", "rigid");
    apl_spec_vec3(spec, link, i == 0 ? "joint.normal" : "joint.axis", 0, -1, 0);
    apl_spec_number(spec, link, "body.mass", 1.0);
    apl_spec_vec3(spec, link, "body.com", 0.5, 0, 0);
    apl_spec_put(spec, link, "body.inertia", (const double[]){0, across, across, 0, 0, 0}, 6);
    apl_spec_port(spec, link, "end", 0, apl_pose_at(1, 0, 0));
  }
}

static void start(const apl_model* model, apl_state* state) {
  const double angle = acos(-1.0) / 6;
  double* q = apl_q(state);

  q[apl_model_find(model, APL_COORDINATES, "link1.joint.x")] = -0.5 - cos(angle);
  q[apl_model_find(model, APL_COORDINATES, "link1.joint.y")] = 0.9;
  q[apl_model_find(model, APL_COORDINATES, "link1.joint.angle")] = angle;
  q[apl_model_find(model, APL_COORDINATES, "link2.joint.angle")] = -angle;
  q[apl_model_find(model, APL_COORDINATES, "link3.joint.angle")] = -angle;
}

/* Nothing but weight acts, so every point falls by g t^2 / 2 and the shape stays. */
static bool verdict(const apl_model* model, apl_state* state, const record* run, char* text,
                    size_t size) {
  const int end = run->samples - 1;
  const double fall = 0.5 * 9.81 * run->t[end] * run->t[end];
  double off = 0.0, energy[2];

  for (int p = 0; p < run->nport; ++p) {
    const apl_vec3 a = record_place(run, 0, p), b = record_place(run, end, p);
    off = fmax(off, fabs(b.x - a.x) + fabs(b.z - a.z + fall));
  }
  record_restore(run, 0, state);
  if (apl_energy(model, state, energy) != APL_OK) return false;
  snprintf(text, size,
           "every joint fell by g t^2/2 = %.6f m to %.1e m and the shape stayed; energy at the "
           "start %.3f J (the paper's 36.297 J); touch-down would be at %.6f s",
           fall, off, energy[0] + energy[1], sqrt(1.8 / 9.81));
  return off < 1e-12 && fabs(energy[0] + energy[1] - 36.297) < 1e-9;
}

static const char* const lines[] = {"link1.root", "link1.end", "link2.end",
                                    "link3.end",  NULL,        NULL};
static const double ground = 0.0;

const robot robot_falling_chain = {
    .name = "falling chain",
    .about = "The three-link chain of the flexible-arm paper with rigid links, dropped from 0.9 m "
             "and followed until just before its ends touch the ground at 0.428353 s. In free fall "
             "the shape must not change. How it bends and bounces: the paper \"flexible\" above.",
    .seconds = 0.428,
    .step = 1e-3,
    .every = 4,
    .bound = 1e-12,
    .describe = describe,
    .start = start,
    .verdict = verdict,
    .view = {.right = {1, 0, 0},
             .up = {0, 0, 1},
             .right_label = "x [m]",
             .up_label = "z [m]",
             .lines = lines,
             .trace = "link1.end",
             .ground = &ground,
             .poses = 7},
    .plot = {.label = "position of the left end [m]",
             .n = 2,
             .name = {"link1.joint.x", "link1.joint.y"},
             .title = {"x", "height"}},
};
