/* SPDX-License-Identifier: Apache-2.0 */
/* robot_snake.c: nine links with the size and mass of FUM-Snake 3 (760 mm, 1.4 kg) undulate on a
   plane without friction. The eight joints are prescribed: they follow a serpenoid wave, and
   forward dynamics returns their efforts; the three freedoms of the head are free. Nothing holds
   the snake, so it cannot go anywhere: its momentum stays zero and its centre of mass stays where
   it is. With friction it will crawl; that is a later chapter. */
#include "march.h"

#include <math.h>
#include <stdio.h>

enum { LINKS = 9 };
static const char* const link_name[LINKS] = {"l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9"};
static const char* const link_end[LINKS] = {"l1.end", "l2.end", "l3.end", "l4.end", "l5.end",
                                            "l6.end", "l7.end", "l8.end", "l9.end"};
static const double length = 0.76 / LINKS, mass = 1.4 / LINKS;

static void describe(apl_spec* spec) {
  for (int i = 0; i < LINKS; ++i) {
    const int link = apl_spec_link(spec, link_name[i], i == 0 ? "world" : link_end[i - 1],
                                   i == 0 ? "planar" : "revolute", "rigid");
    apl_spec_number(spec, link, "body.mass", mass);
    apl_spec_vec3(spec, link, "body.com", length / 2, 0, 0);
    apl_spec_put(spec, link, "body.inertia",
                 (const double[]){0, 0, mass * length * length / 12, 0, 0, 0}, 6);
    apl_spec_port(spec, link, "end", 0, apl_pose_at(length, 0, 0));
    if (i > 0) apl_spec_prescribe(spec, link, true, false);
  }
}

/* r(x) = x^3 (10 - 15 x + 6 x^2) from 0 to 1 with its first and second derivative: a soft start */
static void ramp(double x, double r[3]) {
  if (x >= 1.0) {
    r[0] = 1.0, r[1] = r[2] = 0.0;
    return;
  }
  r[0] = x * x * x * (10.0 + x * (-15.0 + 6.0 * x));
  r[1] = 30.0 * x * x * (1.0 + x * (-2.0 + x));
  r[2] = 60.0 * x * (1.0 + x * (-3.0 + 2.0 * x));
}

/* Joint j follows r(t) A sin(w t + (j - 1) b), the difference of two neighbours of a serpenoid
   curve of amplitude alpha with one wave along the body. */
static void drive(const apl_model* model, apl_state* state, double t) {
  const double pi = acos(-1.0), alpha = pi / 3;
  const double A = 2.0 * alpha * sin(pi / LINKS), b = 2.0 * pi / LINKS, w = pi;
  double r[3];

  ramp(t, r);
  for (int i = 1; i < LINKS; ++i) {
    const apl_link_info link = apl_model_link_info(model, i); /* links keep their order */
    const double s = A * sin(w * t + (i - 1) * b), c = A * cos(w * t + (i - 1) * b);
    apl_q(state)[link.q0] = r[0] * s;
    apl_v(state)[link.v0] = r[1] * s + r[0] * w * c;
    apl_a(state)[link.v0] = r[2] * s + 2.0 * r[1] * w * c - r[0] * w * w * s;
  }
}

/* Momentum against what the links carry one by one: sum of m |v|, and its moment. */
static bool verdict(const apl_model* model, apl_state* state, const record* run, char* text,
                    size_t size) {
  double momentum[6], center[3], first[3], twist[6];
  double p = 0.0, L = 0.0, carried = 0.0, moved = 0.0;

  for (int i = 0; i < run->samples; ++i) {
    double sum = 0.0;
    record_restore(run, i, state);
    if (apl_momentum(model, state, momentum) != APL_OK) return false;
    if (apl_center(model, state, i == 0 ? first : center) != APL_OK) return false;
    for (int k = 0; k < LINKS; ++k) {
      const int port = apl_model_find(model, APL_PORTS, link_end[k]);
      if (apl_port_motion(model, state, port, APL_WORLD_AXES, twist, NULL) != APL_OK) return false;
      sum += mass * hypot(twist[3], twist[4]);
    }
    p = fmax(p, hypot(momentum[3], momentum[4]));
    L = fmax(L, fabs(momentum[2]));
    carried = fmax(carried, sum);
    if (i > 0) moved = fmax(moved, hypot(center[0] - first[0], center[1] - first[1]));
  }
  snprintf(text, size,
           "momentum stays zero, linear to %.1e and angular to %.1e of what the links carry; the "
           "centre of mass moved by %.1e m",
           p / carried, L / (carried * length * LINKS), moved);
  return p < 1e-9 * carried && L < 1e-9 * carried * length * LINKS && moved < 1e-9;
}

static const char* const lines[] = {"l1.root", "l1.end", "l2.end", "l3.end", "l4.end", "l5.end",
                                    "l6.end",  "l7.end", "l8.end", "l9.end", NULL,     NULL};

const robot robot_snake = {
    .name = "snake",
    .about = "Nine links of the size of FUM-Snake 3, eight prescribed joints in a serpenoid wave, "
             "floating on a plane without friction. Without anything to push against the snake "
             "undulates on the spot.",
    .seconds = 6.0,
    .step = 1e-3,
    .every = 20,
    .bound = 1e-9,
    .describe = describe,
    .drive = drive,
    .verdict = verdict,
    .view = {.right = {1, 0, 0},
             .up = {0, 1, 0},
             .right_label = "x [m]",
             .up_label = "y [m]",
             .lines = lines,
             .trace = "l1.root",
             .seconds = 2.4,
             .poses = 9},
    .plot = {.label = "angle [rad]",
             .n = 4,
             .name = {"l1.joint.angle", "l2.joint.angle", "l5.joint.angle", "l9.joint.angle"},
             .title = {"first link", "joint 1", "joint 4", "joint 8"}},
};
