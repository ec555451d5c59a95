/* SPDX-License-Identifier: Apache-2.0 */
/* test_rolling.c: knife edge, cars, mecanum, disc and sphere against closed forms: spec/mobile.md
   section 8, items 1, 3, 4, 5, 7, and section 7.5. */
#include "integrate.h"
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

/* One link on the world, alone. */
typedef struct rolling {
  plan* p;
  plan_link* link;
  apl_model* model;
  apl_state* s;
} rolling;

static rolling rolling_new(const char* joint) {
  plan* p = plan_new();
  p->gravity = (apl_vec3){0, 0, -g};
  return (rolling){.p = p, .link = plan_add(p, "base", "world", joint, "rigid")};
}

static void rolling_build(rolling* r) {
  r->model = plan_model(r->p);
  CHECK_OK(apl_state_new(r->model, APL_SCALAR, &r->s));
}

static void rolling_free(rolling* r) {
  apl_state_free(r->s);
  apl_model_free(r->model);
  free(r->p);
}

/* gd(x) = 2 atan tanh(x/2) */
static double gudermann(double x) {
  return 2 * atan(tanh(x / 2));
}

/* Item 1: v = V tanh k(t+ts), w = Om sech k(t+ts); a wheel adds J/r^2 to the mass felt forward. */
static void sleigh_case(double radius, double wheel) {
  const double m = 2.0, I = 0.5, a = 0.4, v0 = -0.8, w0 = 0.6;
  const double Me = m + (radius > 0 ? wheel / (radius * radius) : 0);
  const double Je = I + m * a * a;
  const double V = sqrt(v0 * v0 + Je / Me * w0 * w0);
  const double k = m * a * V / Je, Om = V * sqrt(Me / Je), ts = atanh(v0 / V) / k;
  rolling r = rolling_new("knife-edge");

  plan_mass(r.link, m, (apl_vec3){a, 0, 0}, 0, 0, I);
  if (radius > 0) {
    plan_number(r.link, "joint.wheel-radius", radius);
    plan_number(r.link, "joint.wheel-inertia", wheel);
  } else {
    /* the spec's own digits */
    CHECK_NEAR(V, 0.887468309293, 1e-12);
    CHECK_NEAR(Om, 1.385992644193, 1e-12);
    CHECK_NEAR(k, 0.865822740774, 1e-12);
  }
  rolling_build(&r);
  apl_v(r.s)[0] = v0;
  apl_v(r.s)[1] = w0;
  for (int i = 1; i <= 20; i++) {
    const double t = 0.25 * i;
    near_context("sleigh, wheel %g, at %g s", wheel, t);
    integrate(r.model, r.s, 0.25, 10);
    CHECK_NEAR(apl_v(r.s)[0], V * tanh(k * (t + ts)), 1e-12);
    CHECK_NEAR(apl_v(r.s)[1], Om / cosh(k * (t + ts)), 1e-12);
    CHECK_NEAR(apl_q(r.s)[2], Om / k * (gudermann(k * (t + ts)) - gudermann(k * ts)), 1e-12);
  }
  rolling_free(&r);
}

static void chaplygin_sleigh(void** state) {
  (void)state;
  sleigh_case(0, 0);
  sleigh_case(0.1, 0.02);
}

/* Item 3: a cycloid across the slope. */
static void knife_edge_on_an_incline(void** state) {
  (void)state;
  const double slope = 0.35, w = 2.5, gs = g * sin(slope);
  rolling r = rolling_new("knife-edge");

  r.link->at.rotation = apl_quat_axis((apl_vec3){0, 1, 0}, slope);
  plan_mass(r.link, 1.7, (apl_vec3){0, 0, 0}, 0, 0, 0.2);
  rolling_build(&r);
  apl_v(r.s)[1] = w;
  near_context("knife edge on an incline");
  for (int i = 1; i <= 8; i++) {
    const double t = 0.5 * i;
    integrate(r.model, r.s, 0.5, 25);
    CHECK_NEAR(apl_q(r.s)[0], gs / (2 * w * w) * sin(w * t) * sin(w * t), 1e-12);
    CHECK_NEAR(apl_q(r.s)[1], gs / (2 * w * w) * (w * t - sin(2 * w * t) / 2), 1e-12);
  }
  rolling_free(&r);
}

/* The disc of item 4. In the spec theta is the angle from the normal to the axis e3 = -y, so lean =
   theta - 90 deg, and (w1, w2, w3) = (lean', turn cos, -(roll' + turn sin)). */
typedef struct disc {
  double m, r, A, C;
} disc;

static disc spec_disc(void) {
  const double m = 1.5, r = 0.3;
  return (disc){m, r, 0.275 * m * r * r, 0.525 * m * r * r};
}

static rolling disc_new(disc d) {
  rolling r = rolling_new("rolling-disc");
  plan_number(r.link, "joint.radius", d.r);
  plan_mass(r.link, d.m, (apl_vec3){0, 0, 0}, d.A, d.C, d.A);
  rolling_build(&r);
  return r;
}

static void disc_set(rolling* r, double theta, const double w[3]) {
  const double lean = theta - acos(-1.0) / 2;
  apl_q(r->s)[3] = lean;
  apl_v(r->s)[0] = w[1] / cos(lean);
  apl_v(r->s)[1] = w[0];
  apl_v(r->s)[2] = -w[2] - sin(lean) * apl_v(r->s)[0];
}

/* Item 4: w3 = (A w2^2 cot - m g r cos)/((C + m r^2) w2): the centre moves along a circle. */
static void disc_steady(void** state) {
  (void)state;
  const disc d = spec_disc();
  const double theta = 1, w2 = 1.9, mrr = d.m * d.r * d.r;
  const double w3 = (d.A * w2 * w2 / tan(theta) - d.m * g * d.r * cos(theta)) / ((d.C + mrr) * w2);
  const double rate = w2 / sin(theta), radius = fabs(d.r * w3 * sin(theta) / w2);
  rolling r = disc_new(d);
  double pose[12];

  near_context("steady disc");
  CHECK_NEAR(w3, -5.877635188065, 1e-12);
  CHECK_NEAR(rate, 2.257950700978, 1e-12);
  CHECK_NEAR(radius, 0.780925179480, 1e-12);
  disc_set(&r, theta, (const double[3]){0, w2, w3});
  const double roll = apl_v(r.s)[2];
  const int port = apl_model_find(r.model, APL_PORTS, "base.root");

  /* the centre moves along x at first, turning left: the circle's middle is one radius to the left
   */
  CHECK_OK(apl_port_pose(r.model, r.s, port, pose));
  const double x0 = pose[9], y0 = pose[10] + radius;
  for (int i = 1; i <= 12; i++) {
    const double angle = rate * 0.5 * i;
    near_context("steady disc at %g s", 0.5 * i);
    integrate(r.model, r.s, 0.5, 20);
    CHECK_NEAR(apl_q(r.s)[3], theta - acos(-1.0) / 2, 1e-12);
    CHECK_NEAR(apl_v(r.s)[0], rate, 1e-12 * 10);
    CHECK_NEAR(apl_v(r.s)[2], roll, 1e-12 * 10);
    CHECK_OK(apl_port_pose(r.model, r.s, port, pose));
    CHECK_NEAR(pose[9], x0 + radius * sin(angle), 1e-11);
    CHECK_NEAR(pose[10], y0 - radius * cos(angle), 1e-11);
    CHECK_NEAR(pose[11], d.r * sin(theta), 1e-12);
  }
  rolling_free(&r);
}

/* Item 4: upright, lean'' = -f^2 lean when w2 = (C w3/A) lean; f^2 = 0 at the critical spin. */
static void disc_wobble(void** state) {
  (void)state;
  const disc d = spec_disc();
  const double mrr = d.m * d.r * d.r, small = 1e-5;
  const double critical = sqrt(d.A * d.m * g * d.r / (d.C * (d.C + mrr)));
  const double spin[3] = {6, critical, 0.9 * critical};
  rolling r = disc_new(d);

  CHECK_NEAR(critical, 3.351395249, 1e-9);
  for (int i = 0; i < 3; i++) {
    const double ff = (d.C * (d.C + mrr) * spin[i] * spin[i] / d.A - d.m * g * d.r) / (d.A + mrr);
    near_context("disc, spin %g", spin[i]);
    apl_state_reset(r.s);
    disc_set(&r, acos(-1.0) / 2 + small,
             (const double[3]){0, d.C * spin[i] / d.A * small, spin[i]});
    CHECK_OK(apl_forward(r.model, r.s));
    /* the next term of the series is small^2 of the first */
    CHECK_NEAR(apl_a(r.s)[1] / small, -ff, 100 * 100 * small * small);
    if (i == 0) {
      CHECK_NEAR(sqrt(ff), 7.520382286335, 1e-12);
      integrate(r.model, r.s, 1.0, 40);
      CHECK_NEAR(apl_q(r.s)[3] / small, cos(sqrt(ff)), 1e-8);
    }
  }
  rolling_free(&r);
}

/* Item 5: a homogeneous ball rolls down at 5/7 g sin, for any spin about the normal. */
static void ball_on_an_incline(void** state) {
  (void)state;
  const double m = 1.3, radius = 0.2, J = 0.4 * m * radius * radius, slope = 0.3;
  const double a = 5.0 / 7 * g * sin(slope);
  rolling r = rolling_new("rolling-sphere");
  double pose[12];

  plan_number(r.link, "joint.radius", radius);
  plan_mass(r.link, m, (apl_vec3){0, 0, 0}, J, J, J);
  r.link->at.rotation = apl_quat_axis((apl_vec3){0, 1, 0}, slope);
  rolling_build(&r);
  apl_v(r.s)[0] = -0.5; /* starts at r 0.5 m/s across the slope */
  apl_v(r.s)[2] = 2;
  for (int i = 1; i <= 8; i++) {
    const double t = 0.25 * i;
    near_context("ball on an incline at %g s", t);
    integrate(r.model, r.s, 0.25, 20);
    CHECK_NEAR(apl_q(r.s)[0], a * t * t / 2, 1e-12 * 10);
    CHECK_NEAR(apl_q(r.s)[1], 0.5 * radius * t, 1e-12);
    CHECK_OK(apl_port_pose(r.model, r.s, apl_model_find(r.model, APL_PORTS, "base.root"), pose));
    CHECK_NEAR(pose[9] * sin(slope) + pose[11] * cos(slope), radius, 1e-13);
  }
  rolling_free(&r);
}

/* Item 5: on a turntable at rate Om the ball moves along a circle at 2/7 Om. The table is a
   prescribed link that carries the plane: the constraint is relative to the link that carries the
   joint. */
static void ball_on_a_turntable(void** state) {
  (void)state;
  const double m = 0.9, radius = 0.15, J = 0.4 * m * radius * radius, Om = 1.7, k = 2.0 / 7 * Om;
  plan* p = plan_new();
  plan_link* table = plan_add(p, "table", "world", "revolute", "rigid");
  plan_mass(table, 5, (apl_vec3){0, 0, 0}, 1, 1, 1);
  table->prescribe_joint = true;
  plan_link* ball = plan_add(p, "ball", "table", "rolling-sphere", "rigid");
  plan_number(ball, "joint.radius", radius);
  plan_mass(ball, m, (apl_vec3){0, 0, 0}, J, J, J);
  apl_model* model = plan_model(p);
  apl_state* s;
  double V[6], A[6], pose[12];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_v(s)[0] = Om;
  const double start[3] = {0.7, -1.1, 0.4};
  memcpy(apl_v(s) + apl_model_find(model, APL_VELOCITIES, "ball.joint.wx"), start, sizeof start);
  apl_q(s)[apl_model_find(model, APL_COORDINATES, "ball.joint.x")] = 0.5;
  apl_q(s)[apl_model_find(model, APL_COORDINATES, "ball.joint.y")] = -0.2;
  const int port = apl_model_find(model, APL_PORTS, "ball.root");
  CHECK_OK(apl_port_pose(model, s, port, pose));
  CHECK_OK(apl_port_motion(model, s, port, APL_WORLD_AXES, V, A));

  /* v = k z x u with u from the middle of the circle, so u = -z x v / k */
  const double u[2] = {V[4] / k, -V[3] / k};
  const double middle[2] = {pose[9] - u[0], pose[10] - u[1]};
  for (int i = 1; i <= 10; i++) {
    const double angle = k * 0.6 * i;
    near_context("ball on a turntable at %g s", 0.6 * i);
    integrate(model, s, 0.6, 25);
    CHECK_OK(apl_port_pose(model, s, port, pose));
    CHECK_NEAR(pose[9], middle[0] + cos(angle) * u[0] - sin(angle) * u[1], 1e-12);
    CHECK_NEAR(pose[10], middle[1] + sin(angle) * u[0] + cos(angle) * u[1], 1e-12);
    CHECK_NEAR(pose[11], radius, 1e-14);
  }
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

/* Item 7: steering held at an angle, M_vv v' = torque/r, with M_vv the sum of m |dv_COM/dv|^2,
   I (tan/L)^2 and the spins, for one wheel per axle and for Ackermann's pairs. The data: */
static const double car_mass = 12, car_I = 1.6, base = 1.1, ahead = 0.45, aside = 0.05;
static const double rear_r = 0.22, front_r = 0.17, rear_J = 0.031, front_J = 0.017, fork_J = 0.12;

static rolling car_new(const char* joint, double half_track) {
  rolling r = rolling_new(joint);
  plan_number(r.link, "joint.wheelbase", base);
  plan_number(r.link, "joint.rear-radius", rear_r);
  plan_number(r.link, "joint.front-radius", front_r);
  plan_number(r.link, "joint.half-track", half_track);
  plan_number(r.link, "joint.rear-inertia", rear_J);
  plan_number(r.link, "joint.front-inertia", front_J);
  plan_number(r.link, "joint.steering-inertia", fork_J);
  plan_mass(r.link, car_mass, (apl_vec3){ahead, aside, 0}, 0, 0, car_I);
  r.p->ninput = 1;
  r.p->input[0] = (plan_input){.name = "motor", .target = "base.rear", .gain = 1};
  rolling_build(&r);
  return r;
}

/* Spec 7.3, per unit of the rear axle's speed. */
static double car_inertia(double delta, double half_track) {
  const double T = tan(delta), k = T / base, h = half_track * k;
  const double chassis = car_mass * ((1 - aside * k) * (1 - aside * k) + ahead * k * ahead * k) +
                         (car_I + fork_J) * k * k;
  if (half_track == 0) {
    return chassis + rear_J / (rear_r * rear_r) + front_J * (1 + T * T) / (front_r * front_r);
  }
  const double rear = (1 - h) * (1 - h) + (1 + h) * (1 + h);
  const double front = (1 - h) * (1 - h) + T * T + (1 + h) * (1 + h) + T * T;
  return chassis + rear_J * rear / (rear_r * rear_r) + front_J * front / (front_r * front_r);
}

static void car_held(void** state) {
  (void)state;
  static const double angle[] = {0, 0.3, -0.7, 1.4};
  const double torque = 2.5, speed = 1.3;

  for (int i = 0; i < 16; i++) {
    const bool front = i % 2, pairs = i / 2 % 2;
    const double delta = angle[i / 4], track = pairs ? 0.4 : 0;
    const double scale = front ? cos(delta) : 1; /* rear speed per quasi-velocity */
    const double M = car_inertia(delta, track);
    rolling r = car_new(front ? "car-front" : "car-rear", track);
    double rate[4];

    near_context("%s steered by %g, half track %g", r.link->joint, delta, track);
    apl_q(r.s)[3] = delta;
    apl_v(r.s)[0] = speed / scale;

    /* hold the steering: the moment for v' as expected and no turn of the fork ... */
    const double a = torque / rear_r / M;
    apl_a(r.s)[0] = a / scale;
    CHECK_OK(apl_inverse(r.model, r.s));
    CHECK_NEAR(apl_tau(r.s)[0], torque / rear_r * scale, 1e-12 * M);

    /* ... then the motor on the rear wheel gives it */
    apl_tau(r.s)[0] = 0;
    apl_u(r.s)[0] = torque;
    CHECK_OK(apl_forward(r.model, r.s));
    CHECK_NEAR(apl_a(r.s)[0], a / scale, 1e-12);
    CHECK_NEAR(apl_a(r.s)[1], 0, 1e-11);

    CHECK_OK(apl_rates(r.model, r.s, rate));
    CHECK_NEAR(rate[0], speed, 1e-14);
    CHECK_NEAR(rate[2], speed * tan(delta) / base, 1e-14);
    rolling_free(&r);
  }
}

/* Both forms are one car: the same motion, steered by the same moment. */
static void car_forms_agree(void** state) {
  (void)state;
  rolling rear = car_new("car-rear", 0.4), front = car_new("car-front", 0.4);
  rolling* const both[2] = {&rear, &front};
  const double delta = 0.4;

  for (int i = 0; i < 2; i++) {
    apl_state* s = both[i]->s;
    apl_q(s)[3] = delta;
    apl_v(s)[0] = i == 0 ? 1.2 : 1.2 / cos(delta);
    apl_v(s)[1] = 0.3;
    apl_tau(s)[1] = -0.02;
    apl_u(s)[0] = 0.4;
    integrate(both[i]->model, s, 2.0, 60);
  }
  near_context("car, both forms");
  CHECK_ARRAY(apl_q(rear.s), apl_q(front.s), 4, 1e-12, 3);
  CHECK_NEAR(apl_v(rear.s)[0], apl_v(front.s)[0] * cos(apl_q(front.s)[3]), 1e-12);
  CHECK_NEAR(apl_v(rear.s)[1], apl_v(front.s)[1], 1e-12);
  rolling_free(&front);
  rolling_free(&rear);
}

/* The wheels of an Ackermann car go where their axles go: spin r = speed of the ground below. */
static void ackermann_wheels(void** state) {
  (void)state;
  const double t = 0.4, delta = 0.6;
  static const char* const name[4] = {"rear-right", "rear-left", "front-right", "front-left"};
  rolling r = car_new("car-front", t);
  double rate[4];

  apl_q(r.s)[3] = delta;
  apl_v(r.s)[0] = 1.7;
  CHECK_OK(apl_rates(r.model, r.s, rate));
  const double w = rate[2], v = rate[0];
  for (int k = 0; k < 4; k++) {
    char full[40] = "base.";
    near_context("ackermann, wheel %s", strcat(full, name[k]));
    const double x = k < 2 ? 0 : base, y = k % 2 == 0 ? -t : t;
    const double vx = v - w * y, vy = w * x;
    const double spin = apl_spin(r.s)[apl_model_find(r.model, APL_SATELLITES, full)];
    CHECK_NEAR(spin * (k < 2 ? rear_r : front_r), k < 2 ? vx : hypot(vx, vy), 1e-14 * 10);

    /* tan delta_i = L tan/(L -+ t tan), half track t; minus on the left */
    const double T = tan(delta);
    if (k >= 2) CHECK_NEAR(vy / vx, base * T / (base - (y > 0 ? t : -t) * T), 1e-13);
  }
  rolling_free(&r);
}

/* Section 7.5, centre of mass in the middle: (m + 4J/r^2) v_x' - m w v_y = F_x and so on. The
   wheels are in the inertia, not in the Coriolis terms. */
static void mecanum_free(void** state) {
  (void)state;
  const double m = 9, I = 0.8, J = 0.02, r0 = 0.1, lx = 0.3, ly = 0.25;
  const double torque[4] = {0.3, -0.2, 0.5, 0.1};
  static const char* const wheel[4] = {"base.front-left", "base.front-right", "base.rear-left",
                                       "base.rear-right"};
  static const double slant[4] = {-1, 1, 1, -1}, px[4] = {1, 1, -1, -1}, py[4] = {1, -1, 1, -1};
  rolling r = rolling_new("mecanum");
  double F[3] = {0};

  plan_number(r.link, "joint.wheel-radius", r0);
  plan_number(r.link, "joint.half-length", lx);
  plan_number(r.link, "joint.half-track", ly);
  plan_number(r.link, "joint.wheel-inertia", J);
  plan_mass(r.link, m, (apl_vec3){0, 0, 0}, 0, 0, I);
  r.p->ninput = 4;
  for (int k = 0; k < 4; k++) {
    const double row[3] = {1, slant[k], -ly * py[k] + slant[k] * lx * px[k]};
    r.p->input[k] = (plan_input){.gain = 1};
    strcpy(r.p->input[k].name, wheel[k] + 5);
    strcpy(r.p->input[k].target, wheel[k]);
    for (int i = 0; i < 3; i++)
      F[i] += row[i] * torque[k] / r0;
  }
  rolling_build(&r);
  const double v[3] = {0.8, -0.5, 1.1};
  memcpy(apl_v(r.s), v, sizeof v);
  apl_q(r.s)[2] = 0.7;
  for (int k = 0; k < 4; k++)
    apl_u(r.s)[k] = torque[k];
  near_context("mecanum");
  CHECK_OK(apl_forward(r.model, r.s));
  const double mt = m + 4 * J / (r0 * r0);
  CHECK_NEAR(apl_a(r.s)[0], (F[0] + m * v[2] * v[1]) / mt, 1e-13);
  CHECK_NEAR(apl_a(r.s)[1], (F[1] - m * v[2] * v[0]) / mt, 1e-13);
  CHECK_NEAR(apl_a(r.s)[2], F[2] / (I + 4 * J * (lx + ly) * (lx + ly) / (r0 * r0)), 1e-13);
  rolling_free(&r);
}

/* Spec 7.4: P has entries bounded for every angle and det P = -h/l: a trailer folds through 90 deg,
   and comes to lie over the tractor when pushed back, without anything being singular. */
static void trailer_folds(void** state) {
  (void)state;
  const double l = 0.8, v = -1.5;
  plan* p = plan_new();
  plan_link* tractor = plan_add(p, "tractor", "world", "knife-edge", "rigid");
  plan_mass(tractor, 3, (apl_vec3){0, 0, 0}, 0, 0, 0.4);
  tractor->prescribe_joint = true;
  plan_link* cart = plan_add(p, "cart", "tractor", "trailer", "rigid");
  plan_number(cart, "joint.length", l);
  plan_mass(cart, 1.2, (apl_vec3){0.1, 0, 0}, 0, 0, 0.3);
  apl_model* model = plan_model(p);
  apl_state* s;
  const double beta0 = 0.05;

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  const int angle = apl_model_find(model, APL_COORDINATES, "cart.joint.angle");
  apl_q(s)[angle] = beta0;
  apl_v(s)[0] = v;
  for (int i = 1; i <= 16; i++) {
    const double t = 0.25 * i;
    near_context("trailer pushed back for %g s", t);
    integrate(model, s, 0.25, 20);
    const double beta = apl_q(s)[angle];
    CHECK_NEAR(beta, 2 * atan(tan(beta0 / 2) * exp(-v * t / l)), 1e-12 * 10);
    CHECK_OK(apl_forward(model, s));
    CHECK_TRUE(fabs(apl_tau(s)[0]) < 10, "the push grows to %g N", apl_tau(s)[0]);
  }
  CHECK_TRUE(apl_q(s)[angle] > 3.0, "the trailer did not fold: %g rad", apl_q(s)[angle]);
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(chaplygin_sleigh),   cmocka_unit_test(knife_edge_on_an_incline),
      cmocka_unit_test(disc_steady),        cmocka_unit_test(disc_wobble),
      cmocka_unit_test(ball_on_an_incline), cmocka_unit_test(ball_on_a_turntable),
      cmocka_unit_test(car_held),           cmocka_unit_test(car_forms_agree),
      cmocka_unit_test(ackermann_wheels),   cmocka_unit_test(mecanum_free),
      cmocka_unit_test(trailer_folds),
  };
  return cmocka_run_group_tests_name("rolling", tests, NULL, NULL);
}
