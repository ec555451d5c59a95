/* SPDX-License-Identifier: Apache-2.0 */
/* test_footing.c: what the ground gives, against closed forms: spec/mobile.md section 3, statics on
   level and inclined ground, tipping, and the torques of prescribed wheels. The comparison with
   multipliers is in test_multipliers.c and test_train.c. */
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double r_a = 0.08, b = 0.145, wheel = 0.001, M = 6.64, gx = 0.2, gy = -0.07, h = 0.3;

static plan_link* base_of(plan* p) {
  plan_link* link = plan_add(p, "base", "world", "differential-drive", "rigid");
  plan_number(link, "joint.wheel-radius", r_a);
  plan_number(link, "joint.half-track", b);
  plan_number(link, "joint.wheel-inertia", wheel);
  plan_mass(link, M, (apl_vec3){gx, gy, h}, 0.1, 0.1, 0.06363);
  return link;
}

static void drive_input(plan* p, const char* name, const char* target) {
  plan_input* in = &p->input[p->ninput++];
  in->gain = 1;
  strcpy(in->name, name);
  strcpy(in->target, target);
}

/* lateral -M (v w + g_x w' + g_z w^2) along z0 = -y, traction (tau - I_w theta'')/r, normal M g,
   moments from the height of the centre of mass */
static void formulas(void** state) {
  (void)state;
  plan* p = plan_new();
  base_of(p);
  drive_input(p, "right", "base.right");
  drive_input(p, "left", "base.left");
  apl_model* m = plan_model(p);
  apl_state* s;
  apl_footing_forces g;
  const double v = 0.7, w = -1.3, gz = -gy;

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  apl_v(s)[0] = v, apl_v(s)[1] = w;
  apl_u(s)[0] = 0.3, apl_u(s)[1] = -0.2;
  CHECK_OK(apl_forward(m, s));
  CHECK_OK(apl_footing_reactions(m, s, &g));
  const double vd = apl_a(s)[0], wd = apl_a(s)[1], gravity = -apl_model_gravity(m).z;

  CHECK_NEAR(-g.lateral, -M * (v * w + gx * wd + gz * w * w), 1e-12);
  CHECK_NEAR(g.normal, M * gravity, 1e-12);
  for (int k = 0; k < 2; k++) {
    const double side = k == 0 ? 1 : -1, spin = (vd + side * b * wd) / r_a;
    CHECK_NEAR(g.contact[k].traction, (apl_u(s)[k] - wheel * spin) / r_a, 1e-12);
    CHECK_NEAR(g.contact[k].torque, apl_u(s)[k], 1e-12);
  }
  CHECK_NEAR(g.forward, g.contact[0].traction + g.contact[1].traction, 1e-12);

  /* forces act h + r_a below the centre of mass; the wheels' momentum is 2 I_w v/r about the axle
   */
  const double ax = vd + gz * wd - gx * w * w, ay = v * w + gx * wd + gz * w * w;
  const double up = h + r_a, spin = 2 * wheel / r_a;
  CHECK_NEAR(g.pressure[0], gx - (up * M * ax + spin * vd) / g.normal, 1e-12);
  CHECK_NEAR(g.pressure[1], gy - (up * M * ay + spin * v * w) / g.normal, 1e-12);
  CHECK_NEAR(g.margin, b - fabs(g.pressure[1]), 1e-12);
  CHECK_NEAR(g.contact[0].normal + g.contact[1].normal, g.normal, 1e-12);
  CHECK_NEAR(b * (g.contact[1].normal - g.contact[0].normal), g.pressure[1] * g.normal, 1e-12);
  apl_state_free(s);
  apl_model_free(m);
  free(p);
}

/* At rest on three points: weights by the lever, margin to the nearest edge. */
static void castors(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* base = base_of(p);
  plan_number(base, "joint.castor-ahead", 0.5);
  plan_number(base, "joint.ground-friction", 0.8);
  apl_model* m = plan_model(p);
  apl_state* s;
  apl_footing_forces g;

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  CHECK_OK(apl_footing_reactions(m, s, &g));
  const double weight = -M * apl_model_gravity(m).z;
  assert_int_equal(g.ncontact, 3);
  assert_int_equal(g.contact[2].satellite, -1);
  CHECK_NEAR(g.limit, 0.8, 0);
  CHECK_NEAR(g.pressure[0], gx, 1e-14);
  CHECK_NEAR(g.pressure[1], gy, 1e-14);
  CHECK_NEAR(g.contact[2].normal, weight * gx / 0.5, 1e-12);
  CHECK_NEAR(g.contact[0].normal + g.contact[1].normal, weight * (1 - gx / 0.5), 1e-12);

  /* the edge from the right wheel (0, -b) to the castor (0.5, 0) is the nearest */
  CHECK_NEAR(g.margin, (0.5 * (gy + b) - b * gx) / hypot(0.5, b), 1e-14);
  CHECK_NEAR(g.friction, 0, 1e-14);
  apl_state_free(s);
  apl_model_free(m);
  free(p);
}

/* Held on a slope across its heading: sideways force and friction are those of a block; it tips
   when the slope reaches (half track)/(height). */
static void slopes(void** state) {
  (void)state;
  for (int steep = 0; steep < 2; steep++) {
    const double tip = atan((b + gy) / (h + r_a)), angle = tip + (steep ? 0.01 : -0.01);
    plan* p = plan_new();
    plan_mass(base_of(p), M, (apl_vec3){0, gy, h}, 0.1, 0.1, 0.06363); /* above the axle */
    p->gravity = (apl_vec3){0, -9.81 * sin(angle), -9.81 * cos(angle)};
    apl_model* m = plan_model(p);
    apl_state* s;
    apl_footing_forces g;

    near_context("slope %d", steep);
    CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
    CHECK_OK(apl_footing_reactions(m, s, &g));
    CHECK_NEAR(g.lateral, M * 9.81 * sin(angle), 1e-12);
    CHECK_NEAR(g.normal, M * 9.81 * cos(angle), 1e-12);
    CHECK_NEAR(g.pressure[1], gy - (h + r_a) * tan(angle), 1e-13);
    assert_true(steep ? g.margin < 0 : g.margin > 0);
    if (!steep) CHECK_NEAR(g.friction, tan(angle), 1e-12);
    apl_state_free(s);
    apl_model_free(m);
    free(p);
  }
}

/* Prescribed speed and turn: tau_R + tau_L = r F1, tau_R - tau_L = (r/b) F2, equations (42'),
 * (43').
 */
static void prescribed(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* base = base_of(p);
  apl_model* m = plan_model(p);
  apl_state* s;
  apl_footing_forces g;
  const double v = 0.7, w = -1.3, vd = 0.4, wd = 0.9, gz = -gy;
  (void)base;

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  apl_v(s)[0] = v, apl_v(s)[1] = w;
  apl_a(s)[0] = vd, apl_a(s)[1] = wd;
  CHECK_OK(apl_footing_reactions(m, s, &g));
  const double k = wheel / (r_a * r_a);
  const double F1 = (M + 2 * k) * vd + M * (gz * wd - gx * w * w);
  const double F2 =
      M * (gz * vd + (gx * gx + gz * gz) * wd + gx * v * w) + (0.06363 + 2 * k * b * b) * wd;
  CHECK_NEAR(g.contact[0].torque + g.contact[1].torque, r_a * F1, 1e-12);
  CHECK_NEAR(g.contact[0].torque - g.contact[1].torque, r_a / b * F2, 1e-12);
  apl_state_free(s);
  apl_model_free(m);
  free(p);
}

/* A trailer at rest: forces of wheels and hitch by the lever rule. */
static void trailer(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* base = base_of(p);
  plan_at_port(base, "hitch", 0, apl_pose_at(-0.3, 0, 0));
  plan_link* cart = plan_add(p, "cart", "base.hitch", "trailer", "rigid");
  plan_number(cart, "joint.length", 0.9);
  plan_number(cart, "joint.wheel-radius", 0.1);
  plan_number(cart, "joint.half-track", 0.2);
  plan_mass(cart, 3, (apl_vec3){0.1, 0.05, 0.2}, 0.1, 0.1, 0.1);
  plan_number(cart, "joint.stiffness", 4);
  apl_model* m = plan_model(p);
  apl_state* s;
  apl_footing_forces g[2];

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  apl_q(s)[apl_model_find(m, APL_COORDINATES, "cart.joint.angle")] = 0.5;
  CHECK_OK(apl_footing_reactions(m, s, g));
  const double weight = -apl_model_gravity(m).z, load = 3 * weight * 0.1 / 0.9;
  CHECK_NEAR(g[1].hitch[2], load, 1e-12);
  CHECK_NEAR(g[1].normal, 3 * weight - load, 1e-12);
  CHECK_NEAR(g[1].pressure[0], 0, 1e-13);
  CHECK_NEAR(g[0].normal, M * weight + load, 1e-12);

  /* the hitch is 0.3 m behind the axle of the base; at its height, so that the side force of the
     spring turns the base over its axle by 0.08 m of it */
  const double side = 4 * 0.5 / 0.9;
  CHECK_NEAR(g[0].pressure[0] * g[0].normal, M * weight * gx - load * 0.3 - r_a * g[0].forward,
             1e-12);
  CHECK_NEAR(g[1].hitch[0], 0, 1e-12);
  CHECK_NEAR(g[1].hitch[1], side, 1e-12);

  /* a = 0: the ground holds the cart against its spring of 4 N m/rad by a pair of side forces, one
     on the ground, one through the hitch, 0.9 m apart and a radius above it */
  CHECK_NEAR(g[1].lateral, -4 * 0.5 / 0.9, 1e-12);
  CHECK_NEAR(g[1].forward, 0, 1e-12);
  CHECK_NEAR(g[1].pressure[1] * g[1].normal, 3 * weight * 0.05 - 0.1 * g[1].lateral, 1e-12);
  apl_state_free(s);
  apl_model_free(m);
  free(p);
}

/* It leans as much on something that does not roll. */
static void trailer_of_a_slide(void** state) {
  (void)state;
  plan* p = plan_new();
  plan_link* slide = plan_add(p, "slide", "world", "prismatic", "rigid");
  plan_mass(slide, 1, (apl_vec3){0, 0, 0}, 0.1, 0.1, 0.1);
  plan_link* cart = plan_add(p, "cart", "slide", "trailer", "rigid");
  plan_number(cart, "joint.length", 0.9);
  plan_number(cart, "joint.wheel-radius", 0.1);
  plan_number(cart, "joint.half-track", 0.2);
  plan_mass(cart, 3, (apl_vec3){0.1, 0, 0.2}, 0.1, 0.1, 0.1);
  apl_model* m = plan_model(p);
  apl_state* s;
  apl_footing_forces g;

  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  CHECK_OK(apl_footing_reactions(m, s, &g));
  const double weight = -apl_model_gravity(m).z, load = 3 * weight * 0.1 / 0.9;
  CHECK_NEAR(g.hitch[2], load, 1e-12);
  CHECK_NEAR(g.normal, 3 * weight - load, 1e-12);
  CHECK_NEAR(g.pressure[0], 0, 1e-13);
  apl_state_free(s);
  apl_model_free(m);
  free(p);
}

/* ------------------------------------------------------------------- every vehicle, driven ---- */

enum { FIELDS = 7, WHEELS = 4 };

typedef struct vehicle {
  const char* joint;
  int nwheel, other; /* other: a velocity that no wheel drives, -1 */
  const char* wheel[WHEELS];
  struct {
    const char* path;
    double value;
  } field[FIELDS];
} vehicle;

/* clang-format off */
static const vehicle vehicles[] = {
  {"differential-drive", 2, -1, {"right", "left"},
   {{"wheel-radius", 0.1}, {"half-track", 0.2}, {"wheel-inertia", 0.02}}},
  {"knife-edge", 1, 1, {"wheel"}, {{"wheel-radius", 0.1}, {"wheel-inertia", 0.02}}},
  {"car-rear", 2, 1, {"rear", "front"},
   {{"wheelbase", 0.8}, {"rear-radius", 0.1}, {"front-radius", 0.12}, {"rear-inertia", 0.02},
    {"front-inertia", 0.03}, {"steering-inertia", 0.05}}},
  {"car-front", 4, 1, {"rear-right", "rear-left", "front-right", "front-left"},
   {{"wheelbase", 0.8}, {"rear-radius", 0.1}, {"front-radius", 0.12}, {"rear-inertia", 0.02},
    {"front-inertia", 0.03}, {"steering-inertia", 0.05}, {"half-track", 0.3}}},
  {"mecanum", 4, -1, {"front-left", "front-right", "rear-left", "rear-right"},
   {{"wheel-radius", 0.1}, {"half-length", 0.3}, {"half-track", 0.2}, {"wheel-inertia", 0.02}}},
  {"omni3", 3, -1, {"wheel0", "wheel1", "wheel2"},
   {{"wheel-radius", 0.1}, {"distance", 0.3}, {"angle", 0.4}, {"wheel-inertia", 0.02}}},
  {"omni4", 4, -1, {"wheel0", "wheel1", "wheel2", "wheel3"},
   {{"wheel-radius", 0.1}, {"distance", 0.3}, {"angle", 0.4}, {"wheel-inertia", 0.02}}},
};
/* clang-format on */

static plan* vehicle_plan(const vehicle* v) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "base", "world", v->joint, "rigid");

  for (int k = 0; k < FIELDS && v->field[k].path != NULL; k++) {
    char path[32];
    snprintf(path, sizeof path, "joint.%s", v->field[k].path);
    plan_number(link, path, v->field[k].value);
  }
  plan_mass(link, 9, (apl_vec3){0.1, -0.05, 0.2}, 0.3, 0.4, 0.5);
  link = plan_add(p, "arm", "base", "revolute", "rigid");
  plan_vec3(link, "joint.axis", 1, 1, 0);
  plan_mass(link, 2, (apl_vec3){0.3, 0, 0.2}, 0.1, 0.1, 0.1);
  return p;
}

/* Torques that a prescribed motion is said to take, put on the wheels of the same robot let go,
   give that motion. */
static void torques_drive(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof vehicles / sizeof *vehicles; i++) {
    const vehicle* v = &vehicles[i];
    plan *given = vehicle_plan(v), *loose = vehicle_plan(v);
    apl_state *a, *b_state;
    apl_footing_forces g;

    near_context("%s", v->joint);
    given->link[0].prescribe_joint = true;
    for (int k = 0; k < v->nwheel; k++) {
      char target[40];
      snprintf(target, sizeof target, "base.%s", v->wheel[k]);
      drive_input(loose, v->wheel[k], target);
    }
    apl_model *m = plan_model(given), *l = plan_model(loose);
    CHECK_OK(apl_state_new(m, APL_SCALAR, &a));
    CHECK_OK(apl_state_new(l, APL_SCALAR, &b_state));
    const int nv = apl_model_nv(m);
    for (int k = 0; k < apl_model_nq(m); k++)
      apl_q(a)[k] = apl_q(b_state)[k] = 0.3 + 0.1 * k;
    for (int k = 0; k < nv; k++)
      apl_v(a)[k] = apl_v(b_state)[k] = 0.5 - 0.2 * k, apl_a(a)[k] = 0.7 - 0.3 * k;
    CHECK_OK(apl_forward(m, a));
    CHECK_OK(apl_footing_reactions(m, a, &g));

    if (v->other >= 0) apl_tau(b_state)[v->other] = apl_tau(a)[v->other];
    for (int k = 0; k < g.ncontact; k++) {
      char target[40];
      snprintf(target, sizeof target, "base.%s", v->wheel[k]);
      assert_int_equal(g.contact[k].satellite, apl_model_find(m, APL_SATELLITES, target));
      apl_u(b_state)[k] = g.contact[k].torque;
    }
    CHECK_OK(apl_forward(l, b_state));
    CHECK_ARRAY(apl_a(b_state), apl_a(a), nv, 1e-12, 1 + near_max(apl_a(a), nv));
    apl_state_free(a);
    apl_state_free(b_state);
    apl_model_free(m);
    apl_model_free(l);
    free(given);
    free(loose);
  }
}

/* A fleet: as many joints that roll as there are, each carries its own weight. */
static void fleet(void** state) {
  enum { MANY = 40 };
  plan* p = plan_new();
  apl_footing_forces g[MANY];
  apl_state* s;

  (void)state;
  for (int k = 0; k < MANY; ++k) {
    plan_link* link = base_of(p);
    snprintf(link->name, sizeof link->name, "base%d", k);
    plan_number(link, "body.mass", M + k);
  }
  apl_model* m = plan_model(p);
  CHECK_OK(apl_state_new(m, APL_SCALAR, &s));
  CHECK_TRUE(apl_model_count(m, APL_FOOTINGS) == MANY, "%d footings",
             apl_model_count(m, APL_FOOTINGS));
  CHECK_OK(apl_forward(m, s));
  CHECK_OK(apl_footing_reactions(m, s, g));
  for (int k = 0; k < MANY; ++k)
    CHECK_NEAR(g[k].normal, -(M + k) * apl_model_gravity(m).z, 1e-11);
  apl_state_free(s);
  apl_model_free(m);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formulas),      cmocka_unit_test(castors),
      cmocka_unit_test(slopes),        cmocka_unit_test(prescribed),
      cmocka_unit_test(trailer),       cmocka_unit_test(trailer_of_a_slide),
      cmocka_unit_test(torques_drive), cmocka_unit_test(fleet),
  };
  return cmocka_run_group_tests_name("ground", tests, NULL, NULL);
}
