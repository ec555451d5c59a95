/* SPDX-License-Identifier: Apache-2.0 */
/* robot_tractor_trailers.c: a tractor on two driven wheels draws two trailers. A trailer has a
   coordinate, its angle against what draws it, but no velocity of its own: it follows. The whole
   train therefore has two freedoms, speed and turn. */
#include "march.h"

#include <math.h>
#include <stdio.h>

/* Inputs are numbered in the order in which they are described. */
enum { RIGHT, LEFT };

/* Mass spread over a box of length a and width b: inertia about the vertical. */
static void box(apl_spec* spec, int link, double mass, double a, double b, double ahead) {
  apl_spec_number(spec, link, "body.mass", mass);
  apl_spec_vec3(spec, link, "body.com", ahead, 0, 0);
  apl_spec_put(spec, link, "body.inertia",
               (const double[]){0, 0, mass * (a * a + b * b) / 12, 0, 0, 0}, 6);

  /* corners for the picture */
  apl_spec_port(spec, link, "c1", 0, apl_pose_at(ahead + a / 2, b / 2, 0));
  apl_spec_port(spec, link, "c2", 0, apl_pose_at(ahead - a / 2, b / 2, 0));
  apl_spec_port(spec, link, "c3", 0, apl_pose_at(ahead - a / 2, -b / 2, 0));
  apl_spec_port(spec, link, "c4", 0, apl_pose_at(ahead + a / 2, -b / 2, 0));
}

/* x forward, the joint sits at the hitch, the body frame at the middle of the trailer's axle. */
static void trailer(apl_spec* spec, const char* name, const char* hitch) {
  const int link = apl_spec_link(spec, name, hitch, "trailer", "rigid");

  apl_spec_number(spec, link, "joint.length", 0.7);
  apl_spec_number(spec, link, "joint.wheel-radius", 0.1);
  apl_spec_number(spec, link, "joint.half-track", 0.2);
  apl_spec_number(spec, link, "joint.wheel-inertia", 0.004);
  box(spec, link, 12.0, 0.6, 0.4, 0.05);
  apl_spec_port(spec, link, "hitch", 0, apl_pose_at(-0.35, 0, 0));
  apl_spec_port(spec, link, "front", 0, apl_pose_at(0.7, 0, 0));
  apl_spec_port(spec, link, "bar", 0, apl_pose_at(0.35, 0, 0));
}

static void describe(apl_spec* spec) {
  const int tractor = apl_spec_link(spec, "tractor", "world", "differential-drive", "rigid");

  apl_spec_number(spec, tractor, "joint.wheel-radius", 0.12);
  apl_spec_number(spec, tractor, "joint.half-track", 0.22);
  apl_spec_number(spec, tractor, "joint.wheel-inertia", 0.008);
  box(spec, tractor, 20.0, 0.5, 0.36, 0.12);
  apl_spec_port(spec, tractor, "hitch", 0, apl_pose_at(-0.25, 0, 0));

  trailer(spec, "first", "tractor.hitch");
  trailer(spec, "second", "first.hitch");
  apl_spec_input(spec, "right-motor", "tractor.right", 1.0);
  apl_spec_input(spec, "left-motor", "tractor.left", 1.0);
}

/* Push off and brake again, steer left and right by the difference of the torques. */
static void drive(const apl_model* model, apl_state* state, double t) {
  const double slow = acos(-1.0) / 12;
  const double push = 1.2 * sin(2 * slow * t), steer = 0.7 * sin(4 * slow * t) * sin(slow * t);
  (void)model;

  apl_u(state)[RIGHT] = push + steer;
  apl_u(state)[LEFT] = push - steer;
}

/* Velocity of a port from its recorded places alone, by a formula of fourth order. */
static apl_vec3 velocity(const record* run, int i, int port) {
  const apl_vec3 a = record_place(run, i - 2, port), b = record_place(run, i - 1, port);
  const apl_vec3 c = record_place(run, i + 1, port), d = record_place(run, i + 2, port);
  const double k = 1.0 / (12.0 * (run->t[1] - run->t[0]));

  return (apl_vec3){k * (a.x - 8 * b.x + 8 * c.x - d.x), k * (a.y - 8 * b.y + 8 * c.y - d.y), 0};
}

/* Wheels roll and do not slide: every axle moves along its own heading. */
static bool verdict(const apl_model* model, apl_state* state, const record* run, char* text,
                    size_t size) {
  static const char* const axle[3] = {"tractor.root", "first.root", "second.root"};
  static const char* const behind[3] = {"tractor.hitch", "first.hitch", "second.hitch"};
  double sideways = 0.0, most = 0.0;
  (void)state;

  for (int k = 0; k < 3; ++k) {
    const int root = apl_model_find(model, APL_PORTS, axle[k]),
              hitch = apl_model_find(model, APL_PORTS, behind[k]);
    for (int i = 2; i < run->samples - 2; ++i) {
      const apl_vec3 v = velocity(run, i, root);
      const apl_vec3 at = record_place(run, i, root), back = record_place(run, i, hitch);
      const double x = at.x - back.x, y = at.y - back.y;
      sideways = fmax(sideways, fabs(x * v.y - y * v.x) / hypot(x, y));
      most = fmax(most, hypot(v.x, v.y));
    }
  }
  snprintf(text, size,
           "differentiating the recorded places, no axle moves sideways faster than %.1e m/s while "
           "the train reaches %.2f m/s",
           sideways, most);
  return sideways < 1e-5;
}

static const char* const lines[] = {
    "tractor.c1", "tractor.c2", "tractor.c3",   "tractor.c4", "tractor.c1",
    NULL,         "first.c1",   "first.c2",     "first.c3",   "first.c4",
    "first.c1",   NULL,         "second.c1",    "second.c2",  "second.c3",
    "second.c4",  "second.c1",  NULL,           "first.bar",  "first.front",
    NULL,         "second.bar", "second.front", NULL,         NULL};

const robot robot_tractor_trailers = {
    .name = "tractor with two trailers",
    .about = "A tractor on two driven wheels draws two trailers that can only roll. The train has "
             "five coordinates and two freedoms; the wheels' torques push, steer left and right, "
             "and brake.",
    .seconds = 9.0,
    .step = 1e-3,
    .every = 25,
    .bound = 1e-9,
    .describe = describe,
    .drive = drive,
    .verdict = verdict,
    .view = {.right = {1, 0, 0},
             .up = {0, 1, 0},
             .right_label = "x [m]",
             .up_label = "y [m]",
             .lines = lines,
             .trace = "tractor.root",
             .poses = 7},
    .plot = {.label = "angle [rad]",
             .n = 3,
             .name = {"tractor.joint.heading", "first.joint.angle", "second.joint.angle"},
             .title = {"heading", "first hitch", "second hitch"}},
};
