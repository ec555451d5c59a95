/* SPDX-License-Identifier: Apache-2.0 */
/* test_train.c: a tractor with two trailers, hitches off the axles, an arm on each of the three, on
   an incline, against multipliers: bodies on real hitches (revolute joints), real wheels, and rows
   that keep every contact from slipping. */
#include "dense.h"
#include "lump.h"
#include "multipliers.h"
#include "near.h"
#include "plan.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 3 };

static const char* const name[BODIES] = {"tractor", "cart", "tail"};
static const char* const arm[BODIES] = {"arm0", "arm1", "arm2"};

/* A body by its axle: centre of mass and mount of its arm from there, hitch behind. */
typedef struct wagon {
  double mass, com[3], inertia[6], length, hitch;
  apl_pose mount;
} wagon;

typedef struct train {
  wagon wagon[BODIES];
  plan_link arm[BODIES];
  double radius, half_track, axial, diametral, wheel_mass;
} train;

static train draw_train(rng* r) {
  train t = {.radius = 0.2, .half_track = 0.4, .axial = 0.05, .diametral = 0.03, .wheel_mass = 1.5};
  plan* p = plan_new();

  for (int i = 0; i < BODIES; i++) {
    wagon* w = &t.wagon[i];
    double x[6];
    w->mass = rng_between(r, 5, 10);
    rng_fill(r, w->com, 3, 0.3);
    rng_inertia(r, w->mass, 0.9, w->inertia);
    w->length = rng_between(r, 0.6, 1.2);
    w->hitch = rng_between(r, -0.2, 0.5);
    w->mount = rng_pose(r, 0.3);

    plan_link* link = plan_add(p, arm[i], "world", "revolute", "rigid");
    const apl_vec3 axis = rng_direction(r);
    plan_vec3(link, "joint.axis", axis.x, axis.y, axis.z);
    plan_number(link, "body.mass", 1.2);
    rng_inertia(r, 1.2, 0.5, x);
    plan_put(link, "body.inertia", x, 6);
    rng_fill(r, x, 3, 0.3);
    plan_put(link, "body.com", x, 3);
    t.arm[i] = *link;
  }
  free(p);
  return t;
}

/* The arm on the mount of body i, which stands `back` behind the frame of its link. */
static void add_arm(plan* p, const train* t, int i, double back) {
  plan_link* body = &p->link[p->nlink - 1];
  apl_pose mount = t->wagon[i].mount;

  mount.position.x -= back;
  plan_at_port(body, "mount", 0, mount);
  plan_link* link = &p->link[p->nlink++];
  *link = t->arm[i];
  snprintf(link->on, sizeof link->on, "%s.mount", name[i]);
}

/* Rolling joints; the wheels' masses and transverse inertia are in the trailers' bodies. */
static plan* rolling_plan(const train* t, apl_pose at) {
  plan* p = plan_new();

  for (int i = 0; i < BODIES; i++) {
    const wagon* w = &t->wagon[i];
    char on[32] = "world";
    if (i > 0) snprintf(on, sizeof on, "%s.hitch", name[i - 1]);
    plan_link* link = plan_add(p, name[i], on, i == 0 ? "knife-edge" : "trailer", "rigid");
    lump l = {0};

    lump_add(&l, w->mass, w->com, w->inertia);
    for (int side = -1; side <= 1 && i > 0; side += 2) {
      lump_add(&l, t->wheel_mass, (const double[3]){0, side * t->half_track, 0},
               (const double[6]){0, 0, t->diametral});
    }
    lump_put(&l, link);
    plan_at_port(link, "hitch", 0, apl_pose_at(-w->hitch, 0, 0));
    if (i == 0) {
      link->at = at;
    } else {
      plan_number(link, "joint.length", w->length);
      plan_number(link, "joint.wheel-radius", t->radius);
      plan_number(link, "joint.half-track", t->half_track);
      plan_number(link, "joint.wheel-inertia", t->axial);
    }
    add_arm(p, t, i, 0);
  }
  return p;
}

/* A body free in space and two on hitches; their frames are there, not on their axles. */
static plan* free_plan(const train* t) {
  plan* p = plan_new();

  for (int i = 0; i < BODIES; i++) {
    const wagon* w = &t->wagon[i];
    const double back = i == 0 ? 0 : w->length;
    char on[32] = "world";
    if (i > 0) snprintf(on, sizeof on, "%s.hitch", name[i - 1]);
    plan_link* link = plan_add(p, name[i], on, i == 0 ? "floating" : "revolute", "rigid");
    if (i > 0) plan_vec3(link, "joint.axis", 0, 0, 1);
    plan_number(link, "body.mass", w->mass);
    plan_vec3(link, "body.com", w->com[0] - back, w->com[1], w->com[2]);
    plan_put(link, "body.inertia", w->inertia, 6);
    plan_at_port(link, "hitch", 0, apl_pose_at(-w->hitch - back, 0, 0));
    plan_at_port(link, "axle", 0, apl_pose_at(-back, 0, 0));
    plan_at_port(link, "h0", 0, apl_pose_at(-back, -t->half_track, 0));
    plan_at_port(link, "h1", 0, apl_pose_at(-back, t->half_track, 0));
    add_arm(p, t, i, back);
    for (int side = 0; side < 2 && i > 0; side++) {
      char wheel[40];
      snprintf(wheel, sizeof wheel, "%s%d", name[i], side);
      snprintf(on, sizeof on, "%s.h%d", name[i], side);
      plan_link* round = plan_add(p, wheel, on, "revolute", "rigid");
      plan_vec3(round, "joint.axis", 0, 1, 0);
      plan_mass(round, t->wheel_mass, (apl_vec3){0, 0, 0}, t->diametral, t->axial, t->diametral);
    }
  }
  return p;
}

static int coordinate(const apl_model* m, const char* link, const char* what) {
  char full[48];
  snprintf(full, sizeof full, "%s.joint.%s", link, what);
  const int i = apl_model_find(m, APL_COORDINATES, full);
  CHECK_TRUE(i >= 0, "no coordinate %s", full);
  return i;
}

static int velocity(const apl_model* m, const char* link, const char* what) {
  char full[48];
  snprintf(full, sizeof full, "%s.joint.%s", link, what);
  const int i = apl_model_find(m, APL_VELOCITIES, full);
  CHECK_TRUE(i >= 0, "no velocity %s", full);
  return i;
}

/* The plane carries the tractor; no axle slips sideways, no wheel along its heading. */
static void hold(grip* g, const train* t) {
  static const double carried[4][6] = {{1}, {0, 1}, {0, 0, 0, 0, 0, 1}, {0, 0, 0, 0, 1}};
  const grip_port root = grip_at(g, "tractor.root", APL_PORT_AXES);

  for (int i = 0; i < 4; i++)
    grip_row(g, &root, carried[i]);
  for (int i = 1; i < BODIES; i++) {
    char at[32];
    char wheel[16];
    snprintf(at, sizeof at, "%s.axle", name[i]);
    const grip_port axle = grip_at(g, at, APL_PORT_AXES);
    grip_row(g, &axle, carried[3]);
    for (int side = 0; side < 2; side++) {
      snprintf(at, sizeof at, "%s.h%d", name[i], side);
      snprintf(wheel, sizeof wheel, "%s%d", name[i], side);
      const grip_port hub = grip_at(g, at, APL_PORT_AXES);
      grip_row(g, &hub, (const double[6]){0, 0, 0, 1})[velocity(g->model, wheel, "angle")] -=
          t->radius;
    }
  }
}

static void compare_ports(const apl_model* m, apl_state* s, const char* port,
                          const apl_model* loose, apl_state* f, const char* there, double size) {
  double V[6], got[6], want[6];
  CHECK_OK(apl_port_motion(m, s, apl_model_find(m, APL_PORTS, port), APL_WORLD_AXES, V, got));
  CHECK_OK(
      apl_port_motion(loose, f, apl_model_find(loose, APL_PORTS, there), APL_WORLD_AXES, V, want));
  CHECK_ARRAY(got, want, 6, 1e-12, size);
}

/* Each axle's side force and tractions are multipliers; and the three grounds together give what
   multipliers give on the whole, moments included. */
static void compare_ground(const apl_model* m, apl_state* s, const apl_model* loose, apl_state* f,
                           const double* lambda) {
  apl_footing_forces g[BODIES];
  double sum[6] = {0}, front[12];

  assert_int_equal(apl_model_count(m, APL_FOOTINGS), BODIES);
  CHECK_OK(apl_footing_reactions(m, s, g));
  CHECK_OK(apl_inverse(loose, f));
  const double size = 1 + near_max(apl_tau(f), 6);
  CHECK_OK(apl_port_pose(m, s, apl_model_find(m, APL_PORTS, "tractor.root"), front));
  CHECK_NEAR(g[0].lateral, lambda[3], 1e-11 * size);
  for (int i = 0; i < BODIES; i++) {
    char port[32];
    double X[12], p[3], force[3], moment[3], arm_moment[3];
    const double h = i == 0 ? 0 : 0.2;

    snprintf(port, sizeof port, "%s.root", name[i]);
    CHECK_OK(apl_port_pose(m, s, apl_model_find(m, APL_PORTS, port), X));
    if (i > 0) {
      CHECK_NEAR(g[i].lateral, lambda[1 + 3 * i], 1e-11 * size);
      CHECK_NEAR(g[i].contact[0].traction, lambda[2 + 3 * i], 1e-11 * size);
      CHECK_NEAR(g[i].contact[1].traction, lambda[3 + 3 * i], 1e-11 * size);
      CHECK_NEAR(g[i].contact[0].lateral + g[i].contact[1].lateral, g[i].lateral, 1e-11 * size);
    }
    if (!(g[i].normal > 0)) return; /* no centre of pressure to compare */

    /* to the tractor's frame: moments at the body, then the arm */
    const double F[3] = {g[i].forward, g[i].lateral, g[i].normal};
    const double N[3] = {
        g[i].pressure[1] * F[2] + h * F[1], -g[i].pressure[0] * F[2] - h * F[0],
        i == 0 ? 0 : g[i].contact[1].y * (g[i].contact[0].traction - g[i].contact[1].traction)};
    for (int k = 0; k < 3; k++) {
      force[k] = dense_dot(X + 3 * k, F, 3);
      moment[k] = dense_dot(X + 3 * k, N, 3);
      p[k] = X[9 + k] - front[9 + k];
    }
    dense_cross(p, force, arm_moment);
    for (int k = 0; k < 3; k++) {
      for (int j = 0; j < 3; j++) {
        sum[k] += front[3 * j + k] * (moment[j] + arm_moment[j]);
        sum[3 + k] += front[3 * j + k] * force[j];
      }
    }
  }
  CHECK_ARRAY(sum, apl_tau(f), 6, 1e-11, size);
}

static void train_case(unsigned seed) {
  rng r = rng_seed(seed);
  const train t = draw_train(&r);
  plan* rolling = rolling_plan(&t, (apl_pose){{0.1, 0.2, 0.3}, rng_rotation(&r, 0.7)});
  plan* loose = free_plan(&t);
  rolling->gravity = loose->gravity = (apl_vec3){1, -2, -9};
  apl_model* m = plan_model(rolling);
  apl_model* l = plan_model(loose);
  apl_state *s, *f;
  double rate[16], pose[12], V[6], A[6], tau[GRIP_VELOCITIES] = {0}, a[GRIP_VELOCITIES],
                                         lambda[GRIP_ROWS];

  near_context("train %u", seed);
  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  CHECK_OK(apl_state_new(l, APL_SCALAR, &f));
  rng_fill(&r, apl_q(s), apl_model_nq(m), 2.0);
  rng_fill(&r, apl_v(s), apl_model_nv(m), 1.5);
  CHECK_OK(apl_rates(m, s, rate));
  CHECK_OK(apl_port_pose(m, s, apl_model_find(m, APL_PORTS, "tractor.root"), pose));
  CHECK_OK(
      apl_port_motion(m, s, apl_model_find(m, APL_PORTS, "tractor.root"), APL_PORT_AXES, V, A));

  /* the tractor's pose and twist, the angles at the hitches, the spins */
  memcpy(apl_q(f), pose + 9, 3 * sizeof(double));
  const double w = 0.5 * sqrt(fmax(1 + pose[0] + pose[4] + pose[8], 1e-3));
  apl_q(f)[3] = w;
  apl_q(f)[4] = (pose[7] - pose[5]) / (4 * w);
  apl_q(f)[5] = (pose[2] - pose[6]) / (4 * w);
  apl_q(f)[6] = (pose[3] - pose[1]) / (4 * w);
  memcpy(apl_v(f), V, sizeof V);
  for (int i = 0; i < BODIES; i++) {
    const int va = velocity(m, arm[i], "angle"), vb = velocity(l, arm[i], "angle");
    apl_q(f)[coordinate(l, arm[i], "angle")] = apl_q(s)[coordinate(m, arm[i], "angle")];
    apl_v(f)[vb] = apl_v(s)[va];
    apl_tau(s)[va] = tau[vb] = rng_between(&r, -3, 3);
    if (i == 0) continue;
    const int q = coordinate(m, name[i], "angle");
    apl_q(f)[coordinate(l, name[i], "angle")] = apl_q(s)[q];
    apl_v(f)[velocity(l, name[i], "angle")] = rate[q];
    for (int side = 0; side < 2; side++) {
      char full[32];
      snprintf(full, sizeof full, "%s.%s", name[i], side == 0 ? "right" : "left");
      const double spin = apl_spin(s)[apl_model_find(m, APL_SATELLITES, full)];
      snprintf(full, sizeof full, "%s%d", name[i], side);
      apl_v(f)[velocity(l, full, "angle")] = spin;
    }
  }
  grip g = grip_new(l, f);
  hold(&g, &t);
  grip_check(&g);
  grip_forces(&g, tau, a, lambda);
  memcpy(apl_a(f), a, sizeof *a * (size_t)g.nv);
  CHECK_OK(apl_forward(m, s));
  const double size = 1 + near_max(a, g.nv);
  CHECK_ALIVE(a, g.nv, 0.1);

  /* the dense solution loses the condition of M and of its rows */
  compare_ports(m, s, "tractor.root", l, f, "tractor.axle", size);
  compare_ports(m, s, "cart.root", l, f, "cart.axle", size);
  compare_ports(m, s, "tail.root", l, f, "tail.axle", size);
  for (int i = 0; i < BODIES; i++) {
    CHECK_NEAR(apl_a(s)[velocity(m, arm[i], "angle")], a[velocity(l, arm[i], "angle")],
               1e-12 * size);
  }
  compare_ground(m, s, l, f, lambda);
  apl_state_free(s);
  apl_state_free(f);
  apl_model_free(m);
  apl_model_free(l);
  free(rolling);
  free(loose);
}

static void trains(void** state) {
  (void)state;
  for (unsigned seed = 1; seed <= 10; seed++)
    train_case(seed);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trains),
  };
  return cmocka_run_group_tests_name("train", tests, NULL, NULL);
}
