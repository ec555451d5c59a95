/* SPDX-License-Identifier: Apache-2.0 */
/* robot_tumbling_body.c: a book thrown with a spin about its middle axis, without gravity. That
   spin is unstable: the book turns over and over again. The floating joint keeps its orientation as
   a quaternion, and its velocities are the twist in body axes. */
#include "march.h"

#include <math.h>
#include <stdio.h>

static const double a = 0.24, b = 0.16, c = 0.04, mass = 0.5;

static void describe(apl_spec* spec) {
  static const char* const corner[8] = {"c1", "c2", "c3", "c4", "d1", "d2", "d3", "d4"};
  static const double x[4] = {0.5, -0.5, -0.5, 0.5}, y[4] = {0.5, 0.5, -0.5, -0.5};
  const double k = mass / 12;

  apl_spec_gravity(spec, (apl_vec3){0, 0, 0});
  const int book = apl_spec_link(spec, "book", "world", "floating", "rigid");
  apl_spec_number(spec, book, "body.mass", mass);
  apl_spec_put(
      spec, book, "body.inertia",
      (const double[]){k * (b * b + c * c), k * (a * a + c * c), k * (a * a + b * b), 0, 0, 0}, 6);
  for (int i = 0; i < 8; ++i) {
    const double z = i < 4 ? -0.5 : 0.5;
    apl_spec_port(spec, book, corner[i], 0, apl_pose_at(a * x[i % 4], b * y[i % 4], c * z));
  }
}

static void start(const apl_model* model, apl_state* state) {
  double* v = apl_v(state);

  v[apl_model_find(model, APL_VELOCITIES, "book.joint.wx")] = 0.05;
  v[apl_model_find(model, APL_VELOCITIES, "book.joint.wy")] = 6.0;
  v[apl_model_find(model, APL_VELOCITIES, "book.joint.vx")] = 0.25;
}

/* Angular momentum about the centre of mass keeps its direction in the world. */
static bool verdict(const apl_model* model, apl_state* state, const record* run, char* text,
                    size_t size) {
  double P[6], G[3], first[3] = {0}, off = 0.0, most = 0.0;

  for (int i = 0; i < run->samples; ++i) {
    record_restore(run, i, state);
    if (apl_momentum(model, state, P) != APL_OK) return false;
    if (apl_center(model, state, G) != APL_OK) return false;
    const double L[3] = {P[0] - (G[1] * P[5] - G[2] * P[4]), P[1] - (G[2] * P[3] - G[0] * P[5]),
                         P[2] - (G[0] * P[4] - G[1] * P[3])};
    for (int k = 0; k < 3; ++k) {
      if (i == 0) first[k] = L[k];
      off = fmax(off, fabs(L[k] - first[k]));
      most = fmax(most, fabs(first[k]));
    }
  }
  snprintf(text, size, "angular momentum keeps its direction and size in the world to %.1e",
           off / most);
  return off < 1e-9 * most;
}

static const char* const lines[] = {
    "book.c1", "book.c2", "book.c3", "book.c4", "book.c1", NULL, "book.d1", "book.d2", "book.d3",
    "book.d4", "book.d1", NULL,      "book.c1", "book.d1", NULL, "book.c2", "book.d2", NULL,
    "book.c3", "book.d3", NULL,      "book.c4", "book.d4", NULL, NULL};

const robot robot_tumbling_body = {
    .name = "tumbling body",
    .about = "A floating box of 0.5 kg, 24 by 16 by 4 cm, spun about its middle axis and left "
             "alone. It turns over again and again, with constant energy and angular momentum.",
    .seconds = 10.0,
    .step = 1e-3,
    .every = 40,
    .bound = 1e-9,
    .describe = describe,
    .start = start,
    .verdict = verdict,
    .view = {.right = {0.939692620785908, 0.342020143325669, 0},
             .up = {-0.144543958452199, 0.397131262034889, 0.906307787036650},
             .lines = lines,
             .trace = "book.c1",
             .poses = 9},
    .plot = {.label = "angular velocity in body axes [rad/s]",
             .velocities = true,
             .n = 3,
             .name = {"book.joint.wx", "book.joint.wy", "book.joint.wz"},
             .title = {"wx", "wy", "wz"}},
};
