/* SPDX-License-Identifier: Apache-2.0 */
/* test_multipliers.c: every vehicle, with a three-link arm on it, on an incline, against another
   description of itself: a body free in space, real wheels with mass and all their inertia on
   revolute joints, and Lagrange multipliers that keep the contact points from slipping:

     M a + h = tau + J^T lambda        J a + gamma = 0

   J is made of apl_jacobian() at the hubs. Nothing of a rolling joint (S, c, satellites, rates) is
   used on this side; the wheels' masses are lumped by hand on the other. */
#include "dense.h"

#include "math/pose.h"
#include "lump.h"
#include "multipliers.h"
#include "near.h"
#include "plan.h"
#include "random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHEELS = 4, ARM = 3, MOST = GRIP_VELOCITIES };

/* A wheel: its hub on the base, turned by `heading` so that y is its axle; the directions, in the
   axes of the hub, in which its contact must not slip. */
typedef struct wheel {
  const char* name; /* of the satellite */
  double x, y, heading, radius, axial, diametral, mass;
  bool steered; /* on the fork                                                              */
  int nslip;
  double slip[2][2];
  double knuckle; /* half track / wheelbase of an Ackermann wheel, negative on the left, else 0   */
} wheel;

typedef struct vehicle {
  const char* joint;
  double fork; /* wheelbase of a car whose fork is between its front wheels, else 0               */
  int nwheel;
  wheel wheel[WHEELS];
  int nfield;
  struct {
    const char* path;
    double value;
  } field[8];
} vehicle;

static const double fork_mass = 0.7, fork_inertia = 0.05, fork_height = 0.2;

/* clang-format off */
#define GRIP {{1, 0}, {0, 1}}
#define DRIVEN {{1, 0}}
static const vehicle vehicles[] = {
  {"knife-edge", 0, 1, {{"wheel", 0, 0, 0, 0.12, 0.02, 0.013, 0.8, false, 2, GRIP, 0}},
   2, {{"wheel-radius", 0.12}, {"wheel-inertia", 0.02}}},
  {"differential-drive", 0, 2,
   {{"right", 0, -0.3, 0, 0.1, 0.02, 0.012, 0.9, false, 2, GRIP, 0},
    {"left", 0, 0.3, 0, 0.1, 0.02, 0.012, 0.9, false, 1, DRIVEN, 0}},
   3, {{"wheel-radius", 0.1}, {"half-track", 0.3}, {"wheel-inertia", 0.02}}},
  {"car-rear", 0, 2,
   {{"rear", 0, 0, 0, 0.2, 0.03, 0.017, 1.1, false, 2, GRIP, 0},
    {"front", 1.1, 0, 0, 0.15, 0.02, 0.011, 0.9, true, 2, GRIP, 0}},
   6, {{"wheelbase", 1.1}, {"rear-radius", 0.2}, {"front-radius", 0.15}, {"rear-inertia", 0.03},
       {"front-inertia", 0.02}, {"steering-inertia", 0.05 + 0.011}}},
  {"car-front", 0, 2,
   {{"rear", 0, 0, 0, 0.2, 0.03, 0.017, 1.1, false, 2, GRIP, 0},
    {"front", 1.1, 0, 0, 0.15, 0.02, 0.011, 0.9, true, 2, GRIP, 0}},
   6, {{"wheelbase", 1.1}, {"rear-radius", 0.2}, {"front-radius", 0.15}, {"rear-inertia", 0.03},
       {"front-inertia", 0.02}, {"steering-inertia", 0.05 + 0.011}}},
  {"car-rear", 1.1, 4,
   {{"rear-right", 0, -0.4, 0, 0.2, 0.03, 0.017, 1.1, false, 2, GRIP, 0},
    {"rear-left", 0, 0.4, 0, 0.2, 0.03, 0.017, 1.1, false, 1, DRIVEN, 0},
    {"front-right", 1.1, -0.4, 0, 0.15, 0.02, 0.011, 0.9, false, 0, DRIVEN, 0.4 / 1.1},
    {"front-left", 1.1, 0.4, 0, 0.15, 0.02, 0.011, 0.9, false, 0, DRIVEN, -0.4 / 1.1}},
   7, {{"wheelbase", 1.1}, {"rear-radius", 0.2}, {"front-radius", 0.15}, {"rear-inertia", 0.03},
       {"front-inertia", 0.02}, {"steering-inertia", 0.05}, {"half-track", 0.4}}},
  {"car-front", 1.1, 4,
   {{"rear-right", 0, -0.4, 0, 0.2, 0.03, 0.017, 1.1, false, 2, GRIP, 0},
    {"rear-left", 0, 0.4, 0, 0.2, 0.03, 0.017, 1.1, false, 1, DRIVEN, 0},
    {"front-right", 1.1, -0.4, 0, 0.15, 0.02, 0.011, 0.9, false, 0, DRIVEN, 0.4 / 1.1},
    {"front-left", 1.1, 0.4, 0, 0.15, 0.02, 0.011, 0.9, false, 0, DRIVEN, -0.4 / 1.1}},
   7, {{"wheelbase", 1.1}, {"rear-radius", 0.2}, {"front-radius", 0.15}, {"rear-inertia", 0.03},
       {"front-inertia", 0.02}, {"steering-inertia", 0.05}, {"half-track", 0.4}}},
  {"mecanum", 0, 4,
   {{"front-left", 0.4, 0.3, 0, 0.1, 0.02, 0.012, 0.6, false, 1, {{1, -1}}, 0},
    {"front-right", 0.4, -0.3, 0, 0.1, 0.02, 0.012, 0.6, false, 1, {{1, 1}}, 0},
    {"rear-left", -0.4, 0.3, 0, 0.1, 0.02, 0.012, 0.6, false, 1, {{1, 1}}, 0},
    {"rear-right", -0.4, -0.3, 0, 0.1, 0.02, 0.012, 0.6, false, 1, {{1, -1}}, 0}},
   4, {{"wheel-radius", 0.1}, {"half-length", 0.4}, {"half-track", 0.3}, {"wheel-inertia", 0.02}}},
};
/* clang-format on */

/* Omnidirectional wheels at angle + k 360/n deg on a circle, driving along it. */
static vehicle omni(const char* joint, int n) {
  const double circle = 2 * acos(-1.0), rho = 0.35, angle = 0.4;
  static const char* const name[4] = {"wheel0", "wheel1", "wheel2", "wheel3"};
  vehicle v = {joint, 0, n, {{0}}, 4, {{"wheel-radius", 0.1}, {"distance", rho}, {"angle", angle}}};

  v.field[3].path = "wheel-inertia";
  v.field[3].value = 0.02;
  for (int k = 0; k < n; k++) {
    const double at = angle + circle * k / n;
    v.wheel[k] = (wheel){name[k],       rho * cos(at),
                         rho * sin(at), at + circle / 4,
                         0.1,           0.02,
                         0.012,         0.6,
                         false,         1,
                         DRIVEN,        0};
  }
  return v;
}

/* ------------------------------------------------------------------------------- robots ---- */

/* Three links in general position with unequal moments. */
static void add_arm(plan* p, rng* r) {
  static const char* const name[ARM] = {"a1", "a2", "a3"};
  static const char* const on[ARM] = {"base.mount", "a1", "a2"};

  for (int i = 0; i < ARM; i++) {
    double x[6];
    plan_link* link = plan_add(p, name[i], on[i], i == 1 ? "prismatic" : "revolute", "rigid");
    const apl_vec3 axis = rng_direction(r);
    plan_vec3(link, "joint.axis", axis.x, axis.y, axis.z);
    link->at = rng_pose(r, 0.4);
    plan_number(link, "body.mass", 1.5);
    rng_inertia(r, 1.5, 0.5, x);
    plan_put(link, "body.inertia", x, 6);
    rng_fill(r, x, 3, 0.2);
    plan_put(link, "body.com", x, 3);
  }
}

/* The chassis alone. */
typedef struct chassis {
  double mass, com[3], inertia[6];
  apl_pose mount;
} chassis;

static chassis draw_chassis(rng* r) {
  chassis c = {.mass = 8, .mount = rng_pose(r, 0.3)};
  rng_fill(r, c.com, 3, 0.2);
  rng_inertia(r, c.mass, 0.8, c.inertia);
  return c;
}

/* Chassis, forks and wheels as one body; left out is what the satellites have: the axial spins, and
   what the steering turns about the normal. */
static plan* rolling_plan(const vehicle* v, const chassis* c, apl_pose at, const rng* arm) {
  static const double none[6] = {0};
  plan* p = plan_new();
  plan_link* base = plan_add(p, "base", "world", v->joint, "rigid");
  lump l = {0};

  lump_add(&l, c->mass, c->com, c->inertia);
  for (int k = 0; k < v->nwheel; k++) {
    const wheel* w = &v->wheel[k];
    const double hub[3] = {w->x, w->y, 0}, fork[3] = {w->x, w->y, fork_height};
    const double upright[6] = {0, 0, w->steered ? 0 : w->diametral};
    lump_add(&l, w->mass, hub, upright);
    if (w->steered) lump_add(&l, fork_mass, fork, none);

    plan_input* input = &p->input[p->ninput++];
    input->gain = 1;
    snprintf(input->name, sizeof input->name, "m%d", k);
    snprintf(input->target, sizeof input->target, "base.%s", w->name);
  }
  if (v->fork > 0) lump_add(&l, fork_mass, (const double[3]){v->fork, 0, fork_height}, none);
  lump_put(&l, base);
  for (int k = 0; k < v->nfield; k++) {
    char path[40];
    snprintf(path, sizeof path, "joint.%s", v->field[k].path);
    plan_number(base, path, v->field[k].value);
  }
  base->at = at;
  plan_at_port(base, "mount", 0, c->mount);
  rng r = *arm;
  add_arm(p, &r);
  return p;
}

static void add_fork(plan* p, const char* on) {
  plan_link* fork = plan_add(p, "fork", on, "revolute", "rigid");
  plan_vec3(fork, "joint.axis", 0, 0, 1);
  plan_mass(fork, fork_mass, (apl_vec3){0, 0, fork_height}, fork_inertia, fork_inertia,
            fork_inertia);
  plan_at_port(fork, "hub", 0, apl_pose_identity());
}

static plan* free_plan(const vehicle* v, const chassis* c, const rng* arm) {
  plan* p = plan_new();
  plan_link* base = plan_add(p, "base", "world", "floating", "rigid");
  const apl_vec3 z = {0, 0, 1};

  plan_number(base, "body.mass", c->mass);
  plan_put(base, "body.com", c->com, 3);
  plan_put(base, "body.inertia", c->inertia, 6);
  plan_at_port(base, "mount", 0, c->mount);
  for (int k = 0; k < v->nwheel; k++) {
    const wheel* w = &v->wheel[k];
    char name[16];
    char hub[32];

    snprintf(name, sizeof name, "h%d", k);
    snprintf(hub, sizeof hub, "base.h%d", k);
    plan_at_port(&p->link[0], name, 0, (apl_pose){{w->x, w->y, 0}, apl_quat_axis(z, w->heading)});
    if (w->steered) {
      add_fork(p, hub);
      snprintf(hub, sizeof hub, "fork.hub");
    }
    snprintf(name, sizeof name, "w%d", k);
    plan_link* link = plan_add(p, name, hub, "revolute", "rigid");
    plan_vec3(link, "joint.axis", 0, 1, 0);
    plan_mass(link, w->mass, (apl_vec3){0, 0, 0}, w->diametral, w->axial, w->diametral);
  }
  if (v->fork > 0) {
    plan_at_port(&p->link[0], "king", 0, apl_pose_at(v->fork, 0, 0));
    add_fork(p, "base.king");
  }
  rng r = *arm;
  add_arm(p, &r);
  return p;
}

/* ---------------------------------------------------------------------------- constraints ---- */

/* A wheel on a knuckle that the fork turns as Ackermann says, tan = s/(c + h s), but whose spin is
   kept on an axle along y: in a plane both have the same energy. Its hub moves along its heading e:
     e . v = r spin      e' = knuckle' (z x e)      knuckle' = steering'/(s^2 + (c + h s)^2) */
static void knuckle_row(grip* c, const wheel* w, const grip_port* hub, int spin) {
  const double d = apl_q(c->s)[apl_model_find(c->model, APL_COORDINATES, "fork.joint.angle")];
  const double rate = apl_v(c->s)[apl_model_find(c->model, APL_VELOCITIES, "fork.joint.angle")];
  const double x = cos(d) + w->knuckle * sin(d), y = sin(d), length = hypot(x, y);
  const double e[2] = {x / length, y / length}, turn = rate / (length * length);

  grip_row(c, hub, (const double[6]){0, 0, 0, e[0], e[1], 0})[spin] -= w->radius;
  c->gamma[c->n - 1] += turn * (e[0] * hub->V[4] - e[1] * hub->V[3]);
}

/* The plane carries the base: no tilt, no lift. The contact of a wheel, r below its hub, moves at
   (v_x - r (w_y + spin), v_y + r w_x) in the axes of the hub. */
static void wheel_rows(grip* c, const vehicle* v) {
  static const double carried[3][6] = {{1}, {0, 1}, {0, 0, 0, 0, 0, 1}};
  const grip_port root = grip_at(c, "base.root", APL_PORT_AXES);

  for (int i = 0; i < 3; i++)
    grip_row(c, &root, carried[i]);
  if (v->fork > 0) {
    const grip_port hub = grip_at(c, "fork.hub", APL_PORT_AXES);
    grip_row(c, &hub, (const double[6]){0, 0, 0, 0, 1, 0});
  }
  for (int k = 0; k < v->nwheel; k++) {
    const wheel* w = &v->wheel[k];
    char name[32];
    char spin[32];

    snprintf(name, sizeof name, "base.h%d", k);
    snprintf(spin, sizeof spin, "w%d.joint.angle", k);
    const grip_port hub = grip_at(c, w->steered ? "fork.hub" : name, APL_PORT_AXES);
    if (w->knuckle != 0) knuckle_row(c, w, &hub, apl_model_find(c->model, APL_VELOCITIES, spin));
    for (int i = 0; i < w->nslip; i++) {
      const double* d = w->slip[i];
      const double weight[6] = {d[1] * w->radius, -d[0] * w->radius, 0, d[0], d[1], 0};
      grip_row(c, &hub, weight)[apl_model_find(c->model, APL_VELOCITIES, spin)] -= d[0] * w->radius;
    }
  }
}

/* v = r w x u in world axes, u from the contact to the centre, and its rate */
static void contact_rows(grip* c, double r, const double u[3], const double u_rate[3]) {
  const grip_port root = grip_at(c, "base.root", APL_WORLD_AXES);
  double wu[3];

  dense_cross(root.V, u_rate, wu);
  for (int i = 0; i < 3; i++) {
    double weight[6] = {0};
    weight[3 + i] = 1;

    /* -r (w x u)_i = -r (w_j u_k - w_k u_j) */
    weight[(i + 1) % 3] = -r * u[(i + 2) % 3];
    weight[(i + 2) % 3] = r * u[(i + 1) % 3];
    grip_row(c, &root, weight);
    c->gamma[c->n - 1] -= r * wu[i];
  }
}

/* --------------------------------------------------------------------------- comparisons ---- */

static int velocity(const apl_model* m, const char* name) {
  const int i = apl_model_find(m, APL_VELOCITIES, name);
  CHECK_TRUE(i >= 0, "no velocity %s", name);
  return i;
}

/* w x y z of a rotation whose trace is not near -1. */
static void quaternion_of(const double* R, double q[4]) {
  q[0] = 0.5 * sqrt(fmax(1 + R[0] + R[4] + R[8], 1e-3));
  q[1] = (R[7] - R[5]) / (4 * q[0]);
  q[2] = (R[2] - R[6]) / (4 * q[0]);
  q[3] = (R[3] - R[1]) / (4 * q[0]);
}

/* Both robots, one state. */
typedef struct twins {
  apl_model* rolling;
  apl_model* loose;
  apl_state* s;
  apl_state* f;
  double tau[MOST]; /* on the free one */
} twins;

static twins twins_new(plan* rolling, plan* loose) {
  twins t = {0};
  rolling->gravity = loose->gravity = (apl_vec3){1, -2, -9};
  t.rolling = plan_model(rolling);
  t.loose = plan_model(loose);
  CHECK_OK(apl_state_new(t.rolling, APL_SCALAR, &t.s));
  CHECK_OK(apl_state_new(t.loose, APL_SCALAR, &t.f));
  free(rolling);
  free(loose);
  return t;
}

static void twins_free(twins* t) {
  apl_state_free(t->s);
  apl_state_free(t->f);
  apl_model_free(t->rolling);
  apl_model_free(t->loose);
}

/* One number of the arm, in both. */
static void twins_arm(twins* t, const char* joint, double q, double v, double tau) {
  const int i = velocity(t->rolling, joint), k = velocity(t->loose, joint);
  apl_q(t->s)[apl_model_find(t->rolling, APL_COORDINATES, joint)] = q;
  apl_q(t->f)[apl_model_find(t->loose, APL_COORDINATES, joint)] = q;
  apl_v(t->s)[i] = apl_v(t->f)[k] = v;
  apl_tau(t->s)[i] = t->tau[k] = tau;
}

static const char* const arm_joint[ARM] = {"a1.joint.angle", "a2.joint.position", "a3.joint.angle"};

/* A random motion of the rolling robot; its base's pose and twist on the free one. */
static void twins_move(twins* t, rng* r) {
  double x[4], pose[12], V[6], A[6];
  const int port = apl_model_find(t->rolling, APL_PORTS, "base.root");
  const apl_link_info base =
      apl_model_link_info(t->rolling, apl_model_find(t->rolling, APL_LINKS, "base"));

  /* coordinates of the base by a random walk on its tangent, then its velocities */
  double delta[16] = {0};
  double q[16];
  rng_fill(r, delta + base.t0, base.nt, 0.8);
  memcpy(q, apl_q(t->s), sizeof *q * (size_t)apl_model_nq(t->rolling));
  CHECK_OK(apl_add(t->rolling, t->s, q, delta, apl_q(t->s)));
  rng_fill(r, apl_v(t->s) + base.v0, base.nv, 1.5);
  for (int i = 0; i < ARM; i++) {
    rng_fill(r, x, 3, 1.0);
    twins_arm(t, arm_joint[i], x[0], x[1], 3 * x[2]);
  }
  CHECK_OK(apl_port_pose(t->rolling, t->s, port, pose));
  CHECK_OK(apl_port_motion(t->rolling, t->s, port, APL_PORT_AXES, V, A));
  memcpy(apl_q(t->f), pose + 9, 3 * sizeof(double));
  quaternion_of(pose, apl_q(t->f) + 3);
  memcpy(apl_v(t->f), V, sizeof V);
}

/* J v = 0, and the accelerations of both. */
static void twins_compare(twins* t, const grip* c) {
  double a[MOST], V[6], want[6], got[6];
  const int there = apl_model_find(t->loose, APL_PORTS, "base.root");

  grip_check(c);
  grip_solve(c, t->tau, a);
  memcpy(apl_a(t->f), a, sizeof *a * (size_t)c->nv);
  CHECK_OK(apl_forward(t->rolling, t->s));
  const double size = 1 + near_max(a, c->nv);
  CHECK_ALIVE(a, c->nv, 0.1);

  CHECK_OK(apl_port_motion(t->loose, t->f, there, APL_WORLD_AXES, V, want));
  CHECK_OK(apl_port_motion(t->rolling, t->s, apl_model_find(t->rolling, APL_PORTS, "base.root"),
                           APL_WORLD_AXES, V, got));

  /* the dense solution loses the condition of G and M, some hundreds */
  CHECK_ARRAY(got, want, 6, 1e-12, size);
  for (int i = 0; i < ARM; i++) {
    CHECK_NEAR(apl_a(t->s)[velocity(t->rolling, arm_joint[i])], a[velocity(t->loose, arm_joint[i])],
               1e-12 * size);
  }
  if (apl_model_find(t->loose, APL_LINKS, "fork") >= 0) {
    CHECK_NEAR(apl_a(t->s)[velocity(t->rolling, "base.joint.steering")],
               a[velocity(t->loose, "fork.joint.angle")], 1e-12 * size);
  }
}

/* The wrench that multipliers give on the free body, at its origin: moving it moves all. */
static void ground_wrench(twins* t, double G[6]) {
  CHECK_OK(apl_inverse(t->loose, t->f));
  memcpy(G, apl_tau(t->f), 6 * sizeof *G);
}

/* Forces and moments of the ground, then each wheel: radius traction = torque - what its spin
   takes. The wheels of an Ackermann pair have their axles along y on the other side: their
   gyroscopic moments, which tilt, are not the same. */
static void compare_ground(twins* t, const vehicle* v) {
  apl_footing_forces g;
  double G[6], sum[3] = {0}, load = 0;

  assert_int_equal(apl_model_count(t->rolling, APL_FOOTINGS), 1);
  CHECK_OK(apl_footing_reactions(t->rolling, t->s, &g));
  ground_wrench(t, G);
  const double size = 1e-11 * (1 + near_max(G, 6));
  CHECK_NEAR(g.forward, G[3], size);
  CHECK_NEAR(g.lateral, G[4], size);
  CHECK_NEAR(g.normal, G[5], size);
  assert_int_equal(g.ncontact, v->nwheel);
  for (int k = 0; k < g.ncontact; k++) {
    const apl_foothold_force* c = &g.contact[k];
    const wheel* w = &v->wheel[k];
    const double d = atan2(w->slip[0][1], w->slip[0][0]);
    char name[32];

    snprintf(name, sizeof name, "w%d.joint.angle", k);
    const int i = velocity(t->loose, name);
    const double along = (t->tau[i] - apl_tau(t->f)[i]) / w->radius;
    CHECK_NEAR(c->x, w->x, 1e-14);
    CHECK_NEAR(c->y, w->y, 1e-14);
    CHECK_NEAR(c->torque, t->tau[i], 1e-10);
    CHECK_NEAR(c->traction * (w->nslip == 1 && w->knuckle == 0.0 ? cos(d) : 1), along, size);

    /* what the contacts give together, in the plane */
    double head = w->heading;
    if (w->steered || w->knuckle != 0) {
      const double q =
          apl_q(t->s)[apl_model_find(t->rolling, APL_COORDINATES, "base.joint.steering")];
      head = atan2(sin(q), cos(q) + w->knuckle * sin(q));
    }
    const double push = head + (w->nslip == 1 && w->knuckle == 0.0 ? d : 0);
    const double x = c->traction * cos(push) - c->lateral * sin(head);
    const double y = c->traction * sin(push) + c->lateral * cos(head);
    sum[0] += x;
    sum[1] += y;
    sum[2] += w->x * y - w->y * x;
    load += c->normal;
  }
  const double plane[3] = {G[3], G[4], G[2]};
  CHECK_ARRAY(sum, plane, 3, 1e-11, 1 + near_max(G, 6));
  CHECK_NEAR(load, g.normal, size);
  if (v->fork > 0 || !(g.normal > 1)) return;

  /* moments about the body's origin, the ground being a radius below */
  const double h = v->wheel[0].radius;
  CHECK_NEAR(g.pressure[1] * g.normal, G[0] - h * G[4], size);
  CHECK_NEAR(-g.pressure[0] * g.normal, G[1] + h * G[3], size);
}

static void wheeled_case(const vehicle* v, unsigned seed) {
  rng r = rng_seed(seed);
  const chassis c = draw_chassis(&r);
  const apl_pose at = {{0.3, -0.2, 0.5}, rng_rotation(&r, 0.6)};
  rng arm = rng_seed(seed + 1000);
  twins t = twins_new(rolling_plan(v, &c, at, &arm), free_plan(v, &c, &arm));
  double rate[16];

  near_context("%s %u by multipliers", v->joint, seed);
  twins_move(&t, &r);
  CHECK_OK(apl_rates(t.rolling, t.s, rate));
  for (int k = 0; k < v->nwheel; k++) {
    char name[32];
    snprintf(name, sizeof name, "base.%s", v->wheel[k].name);
    const double spin = apl_spin(t.s)[apl_model_find(t.rolling, APL_SATELLITES, name)];
    snprintf(name, sizeof name, "w%d.joint.angle", k);
    const int i = velocity(t.loose, name);
    apl_v(t.f)[i] = spin;
    apl_q(t.f)[apl_model_find(t.loose, APL_COORDINATES, name)] = rng_between(&r, -3, 3);
    apl_u(t.s)[k] = t.tau[i] = rng_between(&r, -1, 1);
  }
  if (apl_model_find(t.loose, APL_LINKS, "fork") >= 0) {
    const int i = velocity(t.loose, "fork.joint.angle");
    const int k = velocity(t.rolling, "base.joint.steering");
    apl_v(t.f)[i] = apl_v(t.s)[k];
    apl_q(t.f)[apl_model_find(t.loose, APL_COORDINATES, "fork.joint.angle")] =
        apl_q(t.s)[apl_model_find(t.rolling, APL_COORDINATES, "base.joint.steering")];
    t.tau[i] = apl_tau(t.s)[k] = 0.7;
  }
  grip hold = grip_new(t.loose, t.f);
  wheel_rows(&hold, v);
  twins_compare(&t, &hold);
  compare_ground(&t, v);
  twins_free(&t);
}

static void wheeled(void** state) {
  (void)state;
  const vehicle three = omni("omni3", 3), four = omni("omni4", 4);

  for (unsigned seed = 1; seed <= 8; seed++) {
    for (size_t k = 0; k < sizeof vehicles / sizeof *vehicles; k++)
      wheeled_case(&vehicles[k], seed);
    wheeled_case(&three, seed);
    wheeled_case(&four, seed);
  }
}

/* A disc or a sphere, not balanced, with an arm. */
static void round_case(const char* joint, unsigned seed) {
  const double radius = 0.4;
  const bool disc = strcmp(joint, "rolling-disc") == 0;
  const vehicle v = {.joint = joint, .nfield = 1, .field = {{"radius", radius}}};
  rng r = rng_seed(seed);
  const chassis c = draw_chassis(&r);
  const apl_pose at = {{0.3, -0.2, 0.5}, rng_rotation(&r, 0.6)};
  const apl_vec3 normal = apl_quat_rotate(at.rotation, (apl_vec3){0, 0, 1});
  const double n[3] = {normal.x, normal.y, normal.z};
  rng arm = rng_seed(seed + 1000);
  plan* p = rolling_plan(&v, &c, at, &arm);
  double pose[12], V[6], A[6], y_rate[3], u[3], u_rate[3] = {0};

  /* the body turns in all directions: its whole inertia counts */
  plan_put(&p->link[0], "body.com", c.com, 3);
  plan_put(&p->link[0], "body.inertia", c.inertia, 6);
  twins t = twins_new(p, free_plan(&v, &c, &arm));
  near_context("%s %u by multipliers", joint, seed);
  twins_move(&t, &r);
  memcpy(u, n, sizeof u);
  if (disc) {
    const int port = apl_model_find(t.loose, APL_PORTS, "base.root");
    CHECK_OK(apl_port_pose(t.loose, t.f, port, pose));
    CHECK_OK(apl_port_motion(t.loose, t.f, port, APL_WORLD_AXES, V, A));

    /* u = n - (n.y) y made a unit, y the axle, y' = w x y */
    const double y[3] = {pose[1], pose[4], pose[7]};
    dense_cross(V, y, y_rate);
    const double ny = dense_dot(n, y, 3), ny_rate = dense_dot(n, y_rate, 3);
    const double length = sqrt(1 - ny * ny);
    for (int i = 0; i < 3; i++) {
      u[i] = (n[i] - ny * y[i]) / length;
      u_rate[i] = (-ny_rate * y[i] - ny * y_rate[i]) / length;
    }
    const double along = dense_dot(u, u_rate, 3);
    for (int i = 0; i < 3; i++)
      u_rate[i] -= along * u[i];

    /* the centre is above the plane by what the disc's lean leaves of the radius */
    const double above = n[0] * (pose[9] - at.position.x) + n[1] * (pose[10] - at.position.y) +
                         n[2] * (pose[11] - at.position.z);
    CHECK_NEAR(above, radius * length, 1e-14);
  }
  grip hold = grip_new(t.loose, t.f);
  contact_rows(&hold, radius, u, u_rate);
  twins_compare(&t, &hold);

  /* all of it at the contact: the multipliers' force, and no moment there */
  apl_footing_forces g;
  double G[6], N = 0;
  CHECK_OK(apl_footing_reactions(t.rolling, t.s, &g));
  ground_wrench(&t, G);
  CHECK_OK(apl_port_pose(t.loose, t.f, apl_model_find(t.loose, APL_PORTS, "base.root"), pose));
  for (int i = 0; i < 3; i++)
    N += n[i] * (pose[3 * i] * G[3] + pose[3 * i + 1] * G[4] + pose[3 * i + 2] * G[5]);
  const double total = sqrt(dense_dot(G + 3, G + 3, 3)), small = 1e-11 * (1 + total);
  CHECK_NEAR(g.normal, N, small);
  CHECK_NEAR(hypot(g.forward, g.lateral), sqrt(fmax(total * total - N * N, 0)), 1e-9 * total);
  CHECK_NEAR(g.contact[0].traction, g.forward, small);
  CHECK_NEAR(g.contact[0].lateral, g.lateral, small);
  if (g.normal > 0) {
    CHECK_NEAR(g.pressure[0] * g.normal, g.contact[0].x * g.normal, small);
    CHECK_NEAR(g.pressure[1] * g.normal, g.contact[0].y * g.normal, small);
  }
  twins_free(&t);
}

static void discs_and_spheres(void** state) {
  (void)state;
  for (unsigned seed = 1; seed <= 8; seed++) {
    round_case("rolling-disc", seed);
    round_case("rolling-sphere", seed);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wheeled),
      cmocka_unit_test(discs_and_spheres),
  };
  return cmocka_run_group_tests_name("multipliers", tests, NULL, NULL);
}
