/* SPDX-License-Identifier: Apache-2.0 */
/* test_no_slip.c: contacts do not slip, seen from outside: velocities are differences of positions
   that the integrated motion passes through, so nothing is believed but apl_port_pose() along a
   trajectory. And a minute of driving leaves the one holonomic relation of two wheels intact. */
#include "dense.h"

#include "math/pose.h"
#include "integrate.h"
#include "near.h"
#include "plan.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

/* A robot with a base, a pendulum on it for unrest, and a state to return to. */
typedef struct traveller {
  plan* p;
  plan_link* base;
  apl_model* model;
  apl_state* s;
  double q[MOST], v[MOST];
} traveller;

static traveller traveller_new(const char* joint, apl_vec3 gravity) {
  plan* p = plan_new();
  p->gravity = gravity;
  plan_link* base = plan_add(p, "base", "world", joint, "rigid");
  plan_mass(base, 6, (apl_vec3){0.1, 0.05, 0.02}, 0.4, 0.5, 0.6);
  return (traveller){.p = p, .base = base};
}

static void traveller_build(traveller* t) {
  plan_link* arm = plan_add(t->p, "arm", "base", "revolute", "rigid");
  plan_vec3(arm, "joint.axis", 0.2, 1, 0.3);
  plan_mass(arm, 1, (apl_vec3){0.1, 0, -0.3}, 0.02, 0.03, 0.02);
  t->model = plan_model(t->p);
  CHECK_OK(apl_state_new(t->model, APL_SCALAR, &t->s));
}

static void traveller_free(traveller* t) {
  apl_state_free(t->s);
  apl_model_free(t->model);
  free(t->p);
}

static void keep(traveller* t) {
  memcpy(t->q, apl_q(t->s), sizeof(double) * (size_t)apl_model_nq(t->model));
  memcpy(t->v, apl_v(t->s), sizeof(double) * (size_t)apl_model_nv(t->model));
}

static void go_back(traveller* t) {
  memcpy(apl_q(t->s), t->q, sizeof(double) * (size_t)apl_model_nq(t->model));
  memcpy(apl_v(t->s), t->v, sizeof(double) * (size_t)apl_model_nv(t->model));
}

/* Velocity of a point that a body carries, by differences of order eight of its places. */
static void velocity_of(traveller* t, const char* port, const double point[3], double velocity[3]) {
  static const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
  const double h = 2e-3;
  double pose[12], place[3];

  keep(t);
  memset(velocity, 0, 3 * sizeof *velocity);
  for (int k = -4; k <= 4; k++) {
    if (k == 0) continue;
    go_back(t);
    integrate(t->model, t->s, k * h, 1);
    CHECK_OK(apl_port_pose(t->model, t->s, apl_model_find(t->model, APL_PORTS, port), pose));
    dense_times(pose, point, 3, 3, place);
    const double w = (k > 0 ? 1 : -1) * weight[abs(k) - 1] / h;
    for (int i = 0; i < 3; i++)
      velocity[i] += w * (place[i] + pose[9 + i]);
  }
  go_back(t);
}

/* Differences of places of some metres, each to 1e-15, over 2 ms: measured 3e-13 m/s. */
static const double slip = 5e-12;

/* The ground: normal n in the world, and the rotation of the joint's frame that makes it so. */
static const apl_vec3 tilt = {0.2, -0.3, 0.9};

static double along(const double a[3], apl_vec3 b) {
  return a[0] * b.x + a[1] * b.y + a[2] * b.z;
}

/* z to the direction of `tilt` by the shortest way, as `normal` asks for. */
static apl_quat tilted(void) {
  const double level = hypot(tilt.x, tilt.y);
  return apl_quat_axis((apl_vec3){-tilt.y, tilt.x, 0}, atan2(level, tilt.z));
}

/* An axle keeps to its own line, and the base to the plane with this normal. */
static void axle_keeps_to_its_line(traveller* t, const char* port, const double hub[3],
                                   double steered) {
  const apl_quat turn = tilted();
  const apl_vec3 n = apl_quat_rotate(turn, (apl_vec3){0, 0, 1});
  const apl_vec3 side = apl_quat_rotate(turn, (apl_vec3){-sin(steered), cos(steered), 0});
  const double side_in_body[3] = {side.x, side.y, side.z};
  double pose[12], velocity[3], across[3];

  CHECK_OK(apl_port_pose(t->model, t->s, apl_model_find(t->model, APL_PORTS, port), pose));
  CHECK_NEAR(along(pose + 9, n), 0, 1e-13);
  dense_times(pose, side_in_body, 3, 3, across);
  velocity_of(t, port, hub, velocity);
  CHECK_ALIVE(velocity, 3, 0.05);
  CHECK_NEAR(dense_dot(velocity, across, 3), 0, slip);
  CHECK_NEAR(along(velocity, n), 0, slip);
}

static void axles(void** state) {
  (void)state;
  const double middle[3] = {0, 0, 0};
  traveller t = traveller_new("knife-edge", (apl_vec3){0, 0, -9.81});

  plan_vec3(t.base, "joint.normal", tilt.x, tilt.y, tilt.z);
  traveller_build(&t);
  apl_v(t.s)[0] = 0.7;
  apl_v(t.s)[1] = 1.5;
  for (int i = 0; i < 4; i++) {
    near_context("knife edge at %d s", i);
    axle_keeps_to_its_line(&t, "base.root", middle, 0);
    integrate(t.model, t.s, 1.0, 100);
  }
  traveller_free(&t);
}

static void cars(void** state) {
  (void)state;
  const double base = 1.1, middle[3] = {0, 0, 0};
  const apl_vec3 ahead = apl_quat_rotate(tilted(), (apl_vec3){base, 0, 0});
  const double hub[3] = {ahead.x, ahead.y, ahead.z};

  for (int front = 0; front < 2; front++) {
    traveller t = traveller_new(front ? "car-front" : "car-rear", (apl_vec3){0, 0, -9.81});
    plan_vec3(t.base, "joint.normal", tilt.x, tilt.y, tilt.z);
    plan_number(t.base, "joint.wheelbase", base);
    plan_number(t.base, "joint.rear-radius", 0.2);
    plan_number(t.base, "joint.front-radius", 0.2);
    plan_number(t.base, "joint.front-inertia", 0.05);
    plan_number(t.base, "joint.steering-inertia", 0.3);
    traveller_build(&t);
    apl_q(t.s)[3] = 0.5;
    apl_v(t.s)[0] = 0.8;
    apl_v(t.s)[1] = -0.6;
    for (int i = 0; i < 4; i++) {
      near_context("%s at %g s", t.base->joint, 0.3 * i);
      axle_keeps_to_its_line(&t, "base.root", middle, 0);
      axle_keeps_to_its_line(&t, "base.root", hub, apl_q(t.s)[3]);
      integrate(t.model, t.s, 0.3, 60);
    }
    traveller_free(&t);
  }
}

/* The point of the body that touches the ground stands still; n in the world, u the direction from
   the contact to the centre. */
static void contact_stands_still(traveller* t, double radius, bool disc) {
  const apl_quat turn = tilted();
  const apl_vec3 n = apl_quat_rotate(turn, (apl_vec3){0, 0, 1});
  const apl_vec3 y = apl_quat_rotate(turn, (apl_vec3){0, 1, 0}); /* the axle, in the body */
  const double y_in_body[3] = {y.x, y.y, y.z};
  double pose[12], axle[3], u[3] = {n.x, n.y, n.z}, point[3], velocity[3];

  CHECK_OK(apl_port_pose(t->model, t->s, apl_model_find(t->model, APL_PORTS, "base.root"), pose));
  dense_times(pose, y_in_body, 3, 3, axle);
  const double ny = disc ? along(axle, n) : 0;
  for (int i = 0; i < 3; i++)
    u[i] = -radius * (u[i] - ny * axle[i]) / sqrt(1 - ny * ny);
  CHECK_NEAR(along(pose + 9, n) + along(u, n), 0, 1e-13); /* it is on the ground */
  dense_times_transposed(pose, u, 3, 3, point);
  velocity_of(t, "base.root", point, velocity);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(velocity[i], 0, slip);
  memset(point, 0, sizeof point);
  velocity_of(t, "base.root", point, velocity);
  CHECK_ALIVE(velocity, 3, 0.05);
}

static void contacts(void** state) {
  (void)state;
  for (int disc = 0; disc < 2; disc++) {
    traveller t = traveller_new(disc ? "rolling-disc" : "rolling-sphere", (apl_vec3){0, 0, -9.81});
    plan_vec3(t.base, "joint.normal", tilt.x, tilt.y, tilt.z);
    plan_number(t.base, "joint.radius", 0.4);
    traveller_build(&t);
    apl_v(t.s)[0] = 1.5;
    apl_v(t.s)[1] = 0.4;
    apl_v(t.s)[2] = disc ? 6 : 2;
    for (int i = 0; i < 4; i++) {
      near_context("%s at %g s", t.base->joint, 0.2 * i);
      contact_stands_still(&t, 0.4, disc);
      integrate(t.model, t.s, 0.2, 40);
    }
    traveller_free(&t);
  }
}

/* A minute with an arm on top: the wheels' angles, by Gauss's five points in each step, keep
   r (right - left) = 2 b heading, and the axle its line to the end. */
static void a_minute(void** state) {
  (void)state;
  static const double node[5] = {0.04691007703066800, 0.23076534494715845, 0.5, 0.76923465505284155,
                                 0.95308992296933200};
  static const double weight[5] = {0.11846344252809454, 0.23931433524968324, 0.28444444444444444,
                                   0.23931433524968324, 0.11846344252809454};
  const double r = 0.08, b = 0.145, step = 0.05, middle[3] = {0, 0, 0};
  traveller t = traveller_new("differential-drive", (apl_vec3){0, 0, -9.81});
  double angle[2] = {0, 0}, rate[MOST], pose[12], velocity[3], worst = 0;

  plan_number(t.base, "joint.wheel-radius", r);
  plan_number(t.base, "joint.half-track", b);
  plan_number(t.base, "joint.wheel-inertia", 0.001);
  plan_number(t.base, "joint.damping", 0.5);
  t.p->ninput = 2;
  t.p->input[0] = (plan_input){.name = "right", .target = "base.right", .gain = 1};
  t.p->input[1] = (plan_input){.name = "left", .target = "base.left", .gain = 1};
  traveller_build(&t);
  apl_u(t.s)[apl_model_find(t.model, APL_INPUTS, "right")] = 0.05;
  apl_u(t.s)[apl_model_find(t.model, APL_INPUTS, "left")] = -0.02;
  apl_v(t.s)[2] = 3;
  const int wheel[2] = {apl_model_find(t.model, APL_SATELLITES, "base.right"),
                        apl_model_find(t.model, APL_SATELLITES, "base.left")};

  near_context("a minute of driving");
  for (int i = 0; i < 1200; i++) {
    double at = 0;
    for (int k = 0; k <= 5; k++) {
      const double next = k < 5 ? node[k] : 1;
      integrate(t.model, t.s, (next - at) * step, 1);
      at = next;
      if (k == 5) break;
      CHECK_OK(apl_rates(t.model, t.s, rate));
      for (int side = 0; side < 2; side++)
        angle[side] += step * weight[k] * apl_spin(t.s)[wheel[side]];
    }
    worst = fmax(worst, fabs(r * (angle[0] - angle[1]) - 2 * b * apl_q(t.s)[2]));
  }
  CHECK_TRUE(fabs(apl_q(t.s)[2]) > 5, "the base hardly turned: %g rad", apl_q(t.s)[2]);

  /* twelve hundred steps, each rounding angles of some hundred radians */
  CHECK_NEAR(worst, 0, 5e-13);
  velocity_of(&t, "base.root", middle, velocity);
  CHECK_OK(apl_port_pose(t.model, t.s, apl_model_find(t.model, APL_PORTS, "base.root"), pose));
  const double across[3] = {pose[1], pose[4], pose[7]};
  CHECK_NEAR(dense_dot(velocity, across, 3), 0, slip);
  CHECK_NEAR(pose[11], 0, 0);
  traveller_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(axles),
      cmocka_unit_test(cars),
      cmocka_unit_test(contacts),
      cmocka_unit_test(a_minute),
  };
  return cmocka_run_group_tests_name("no slip", tests, NULL, NULL);
}
