/* SPDX-License-Identifier: Apache-2.0 */
/* test_tendons.c: tendons against closed forms (spec/continuum.md, 7.5) and against lengths that
   the tests find themselves, from positions of ports (tests/support/route.c). */
#include "dense.h"

#include "dynamics/denoc.h"
#include "dynamics/extra.h"
#include "model/info.h"
#include "spec/build.h"
#include "system/system.h"
#include "integrate.h"
#include "random.h"
#include "route.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

/* ------------------------------------------------------------------------------- robots ---- */

static apl_spec* new_spec(void) {
  apl_spec* spec;

  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){0, 0, 0});
  return spec;
}

static apl_model* model_of(apl_spec* spec) {
  apl_model* model = NULL;
  apl_error err = {0};

  if (apl_model_new(spec, &model, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_spec_free(spec);
  return model;
}

static apl_state* state_of(const apl_model* model) {
  apl_state* s;

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  return s;
}

static const char all_strains[] = "bend-x bend-y torsion shear-x shear-y elongation";

/* length 0.4 m, soft, of all stiffnesses */
static int add_arc(apl_spec* spec, const char* name, const char* on, const char* strains,
                   int elements) {
  const int arc = apl_spec_link(spec, name, on, "fixed", "arc");

  apl_spec_number(spec, arc, "body.length", 0.4);
  apl_spec_number(spec, arc, "body.elements", elements);
  apl_spec_word(spec, arc, "body.strains", strains);
  apl_spec_number(spec, arc, "body.mass-per-length", 0.3);
  apl_spec_number(spec, arc, "body.rotary-inertia", 2e-5);
  apl_spec_number(spec, arc, "body.bending-stiffness", 0.05);
  apl_spec_number(spec, arc, "body.torsion-stiffness", 0.04);
  apl_spec_number(spec, arc, "body.shear-stiffness", 40);
  apl_spec_number(spec, arc, "body.axial-stiffness", 60);
  return arc;
}

static int add_box(apl_spec* spec, const char* name, const char* on, const char* joint) {
  const int box = apl_spec_link(spec, name, on, joint, "rigid");

  apl_spec_number(spec, box, "body.mass", 0.4);
  apl_spec_vec3(spec, box, "body.com", 0.02, -0.01, 0.03);
  apl_spec_put(spec, box, "body.inertia", (const double[]){3e-3, 4e-3, 2e-3, 1e-4, 0, 0}, 6);
  return box;
}

static apl_pose at(double x, double y, double z) {
  apl_pose p = apl_pose_identity();
  p.position = (apl_vec3){x, y, z};
  return p;
}

/* --------------------------------------------------------------------------- one check ---- */

static double tendon_length(const apl_model* model, apl_state* s) {
  double l[4];

  CHECK_OK(apl_tendons(model, s, l, NULL));
  return l[0];
}

/* At random points: the length is that of the route, and efforts with and without a tension differ
   by T dl/dq, whether they are asked of inverse or of forward dynamics. */
static void check_route(const apl_model* model, const route* r, double size, double tolerance) {
  apl_state* s = state_of(model);
  const int nq = apl_model_nq(model), nv = apl_model_nv(model);
  const double T = 3.7;
  rng d = rng_seed(11);
  double slope[MOST], slack[MOST], pulled[MOST], delta[MOST], a[MOST], q[MOST];

  assert_in_range(nv, 1, MOST);
  for (int round = 0; round < 6; round++) {
    near_context("%s, point %d", r->part[0].name, round);
    apl_state_reset(s);
    rng_fill(&d, delta, nv, size);
    memcpy(q, apl_q(s), sizeof *q * (size_t)nq);
    CHECK_OK(apl_add(model, s, q, delta, apl_q(s)));
    rng_fill(&d, apl_v(s), nv, 1);
    rng_fill(&d, apl_a(s), nv, 1);
    memcpy(a, apl_a(s), sizeof *a * (size_t)nv);

    CHECK_NEAR(tendon_length(model, s), route_length(model, s, r), tolerance);
    route_slope(model, s, r, slope);
    CHECK_ALIVE(slope, nv, 1e-3);
    for (int k = 0; k < nv; k++)
      slope[k] *= T;

    CHECK_OK(apl_inverse(model, s));
    memcpy(slack, apl_tau(s), sizeof *slack * (size_t)nv);
    apl_u(s)[0] = T;
    CHECK_OK(apl_inverse(model, s));
    for (int k = 0; k < nv; k++)
      pulled[k] = apl_tau(s)[k] - slack[k];
    CHECK_ARRAY(pulled, slope, nv, 20 * tolerance, 1);

    /* forward dynamics of these efforts gives back the motion */
    CHECK_OK(apl_forward(model, s));
    CHECK_ARRAY(apl_a(s), a, nv, 1e-8, 1 + near_max(a, nv));

    /* a tendon cannot push */
    apl_u(s)[0] = -T;
    memcpy(apl_a(s), a, sizeof *a * (size_t)nv);
    CHECK_OK(apl_inverse(model, s));
    CHECK_ARRAY(apl_tau(s), slack, nv, 0, 1);
  }
  apl_state_free(s);
}

/* ------------------------------------------------------------------------ along bodies ---- */

/* All six strains, guided all along: one element, and part of two, whose border is a mark. */
static void six_strains(void** state) {
  (void)state;
  for (int elements = 1; elements <= 2; elements++) {
    const double from = elements == 1 ? 0 : 0.1, to = 1 - from;
    apl_spec* spec = new_spec();
    const int arm = add_arc(spec, "arm", "world", all_strains, elements);
    const int t = apl_spec_tendon(spec, "left");
    const route r = {1, {{"arm", -1}}};

    route_mark(spec, arm, 0.03, -0.02, from, to);
    apl_spec_tendon_along(spec, t, "arm", 0.03, -0.02, from, to, 0);
    apl_spec_input(spec, "pull", "left", 1);
    apl_model* model = model_of(spec);
    check_route(model, &r, 0.2 / elements, 1e-10);
    apl_model_free(model);
  }
}

/* The other hot halves of arcs, and parts of an element. */
static void other_arcs(void** state) {
  (void)state;
  static const struct {
    const char* strains;
    const char* evaluation;
    double from, to, tolerance, size;
  } arc[] = {
      {"bend-y", "exact", 0, 1, 1e-10, 0.8},
      {"bend-y", "exact", 0.3, 0.9, 1e-10, 0.8},
      {"bend-x bend-y", "exact", 0, 0.7, 1e-10, 0.8},
      {"bend-y", "p5", 0, 1, 1e-8, 0.15},
      {"bend-y", "t5", 0, 1, 1e-8, 0.15},
  };

  for (int i = 0; i < (int)(sizeof arc / sizeof *arc); i++) {
    apl_spec* spec = new_spec();
    const int arm = add_arc(spec, "arm", "world", arc[i].strains, 1);
    const int t = apl_spec_tendon(spec, "left");
    const route r = {1, {{"arm", -1}}};

    apl_spec_word(spec, arm, "body.evaluation", arc[i].evaluation);
    route_mark(spec, arm, 0.03, 0.01, arc[i].from, arc[i].to);
    apl_spec_tendon_along(spec, t, "arm", 0.03, 0.01, arc[i].from, arc[i].to, 0);
    apl_spec_input(spec, "pull", "left", 1);
    apl_model* model = model_of(spec);
    check_route(model, &r, arc[i].size, arc[i].tolerance);
    apl_model_free(model);
  }
}

/* Chords between discs: marks at the discs are exact. The truncated arcs have gaps that are not
   alike. */
static void discs(void** state) {
  (void)state;
  static const struct {
    const char *strains, *evaluation;
    int elements, discs;
    double from, to;
  } way[] = {{all_strains, "exact", 1, 1, 0, 1},     {all_strains, "exact", 1, 4, 0, 1},
             {all_strains, "exact", 2, 4, 0, 1},     {all_strains, "exact", 4, 2, 0.25, 0.75},
             {all_strains, "exact", 1, 4, 0.2, 0.6}, {"bend-y", "exact", 2, 4, 0, 1},
             {"bend-y", "p5", 1, 4, 0.2, 0.6},       {"bend-y", "t5", 2, 2, 0, 1}};

  for (int i = 0; i < (int)(sizeof way / sizeof *way); i++) {
    apl_spec* spec = new_spec();
    const int arm = add_arc(spec, "arm", "world", way[i].strains, way[i].elements);
    const int t = apl_spec_tendon(spec, "left");
    const double crossed = way[i].elements * (way[i].to - way[i].from);
    const int sides = way[i].discs * (way[i].elements == 1 ? 1 : (int)round(crossed));
    const route r = {1, {{"arm", sides}}};

    apl_spec_word(spec, arm, "body.evaluation", way[i].evaluation);
    route_mark(spec, arm, -0.02, 0.03, way[i].from, way[i].to);
    apl_spec_tendon_along(spec, t, "arm", -0.02, 0.03, way[i].from, way[i].to, way[i].discs);
    apl_spec_input(spec, "pull", "left", 1);
    apl_model* model = model_of(spec);
    check_route(model, &r, (way[i].strains == all_strains ? 0.2 : 1.5) / way[i].elements, 1e-11);
    apl_model_free(model);
  }
}

/* Bending only: l = L + theta_x dy - theta_y dx, exactly; and in the plane between discs
   l = (L - theta d) sin(phi/2)/(phi/2), phi = theta/m. */
static void closed_lengths(void** state) {
  (void)state;
  const double L = 0.4, dx = 0.03, dy = -0.02;
  apl_spec* spec = new_spec();
  rng d = rng_seed(5);
  double l[4];

  add_arc(spec, "space", "world", "bend-x bend-y", 3);
  add_arc(spec, "plane", "world", "bend-y", 1);
  apl_spec_tendon_along(spec, apl_spec_tendon(spec, "a"), "space", dx, dy, 0, 1, 0);
  apl_spec_tendon_along(spec, apl_spec_tendon(spec, "b"), "plane", dx, dy, 0, 1, 0);
  apl_spec_tendon_along(spec, apl_spec_tendon(spec, "c"), "plane", dx, 0, 0, 1, 5);
  apl_spec_tendon_along(spec, apl_spec_tendon(spec, "d"), "space", dx, dy, 0, 0.5, 0);
  apl_model* model = model_of(spec);
  apl_state* s = state_of(model);
  assert_int_equal(apl_model_count(model, APL_TENDONS), 4);
  assert_int_equal(apl_model_find(model, APL_TENDONS, "c"), 2);
  assert_string_equal(apl_model_name(model, APL_TENDONS, 3), "d");
  assert_string_equal(apl_model_unit(model, APL_TENDONS, 3), "N");
  for (int round = 0; round < 20; round++) {
    near_context("point %d", round);
    rng_fill(&d, apl_q(s), 7, 1.5);
    const double* q = apl_q(s); /* three times theta_x, theta_y, then theta */
    CHECK_OK(apl_tendons(model, s, l, NULL));
    CHECK_NEAR(l[0], L + (q[0] + q[2] + q[4]) * dy - (q[1] + q[3] + q[5]) * dx, 1e-14);
    CHECK_NEAR(l[1], L - q[6] * dx, 1e-15);
    const double phi = q[6] / 5;
    CHECK_NEAR(l[2], (L - q[6] * dx) * sin(phi / 2) / (phi / 2), 1e-14);
    CHECK_NEAR(l[3], L / 2 + (q[0] + 0.5 * q[2]) * dy - (q[1] + 0.5 * q[3]) * dx, 1e-14);
  }
  apl_state_free(s);
  apl_model_free(model);
}

/* Equilibrium under a constant tension, by Newton on the bias: theta = T d L/EI for every element
   the tendon crosses, for any bending, and zero beyond. */
static void equilibrium(void** state) {
  (void)state;
  const double T = 2.5, dx = 0.02, dy = 0.01, EI = 0.05, L = 0.4 / 4;
  apl_spec* spec = new_spec();
  double J[MOST * MOST], h[MOST], moved[MOST];

  add_arc(spec, "arm", "world", "bend-x bend-y", 4);
  apl_spec_tendon_along(spec, apl_spec_tendon(spec, "left"), "arm", dx, dy, 0, 0.75, 0);
  apl_spec_input(spec, "pull", "left", 1);
  apl_model* model = model_of(spec);
  apl_state* s = state_of(model);
  const int n = apl_model_nv(model);
  double* q = apl_q(s);

  near_context("equilibrium");
  apl_u(s)[0] = T;
  for (int round = 0; round < 4; round++) {
    CHECK_OK(apl_bias(model, s, h));
    for (int k = 0; k < n; k++) {
      const double here = q[k];
      q[k] = here + 1e-6;
      CHECK_OK(apl_bias(model, s, moved));
      q[k] = here;
      for (int i = 0; i < n; i++)
        J[i * n + k] = (moved[i] - h[i]) / 1e-6;
    }
    assert_true(dense_solve(J, n, h));
    for (int k = 0; k < n; k++)
      q[k] -= h[k];
  }
  for (int e = 0; e < 4; e++) {
    CHECK_NEAR(q[2 * e], e < 3 ? -T * dy * L / EI : 0, 1e-12);
    CHECK_NEAR(q[2 * e + 1], e < 3 ? T * dx * L / EI : 0, 1e-12);
  }
  apl_state_free(s);
  apl_model_free(model);
}

/* ----------------------------------------------------------------------- straight spans ---- */

/* Ports of a rigid chain: from the ground over an eye to a hook, two links apart. */
static apl_model* chain(bool spring) {
  apl_spec* spec = new_spec();
  const int base = add_box(spec, "base", "world", "fixed");
  const int a = add_box(spec, "a", "base", "revolute");
  const int b = add_box(spec, "b", "a.end", "prismatic");
  const int c = add_box(spec, "c", "b.end", "revolute");
  const int t = apl_spec_tendon(spec, "rope");

  apl_spec_vec3(spec, a, "joint.axis", 0.2, 1, 0.1);
  apl_spec_vec3(spec, b, "joint.axis", 1, 0.2, 0.5);
  apl_spec_vec3(spec, c, "joint.axis", 1, -0.5, 0.3);
  apl_spec_port(spec, base, "hole", 0, at(0.2, 0.1, -0.1));
  apl_spec_port(spec, a, "end", 0, at(0, 0.05, 0.3));
  apl_spec_port(spec, a, "eye", 0, at(0.06, 0, 0.2));
  apl_spec_port(spec, b, "end", 0, at(0.05, 0, 0.25));
  apl_spec_port(spec, c, "hook", 0, at(0.05, -0.04, 0.2));
  apl_spec_tendon_port(spec, t, "base.hole");
  apl_spec_tendon_port(spec, t, "a.eye");
  apl_spec_tendon_port(spec, t, "c.hook");
  if (spring) apl_spec_tendon_spring(spec, t, 50, 3);
  apl_spec_input(spec, "pull", "rope", 1);
  return model_of(spec);
}

static const route chain_route = {3, {{"base.hole", 0}, {"a.eye", 0}, {"c.hook", 0}}};

static void straight(void** state) {
  (void)state;
  apl_model* model = chain(false);

  check_route(model, &chain_route, 0.7, 1e-12);
  apl_model_free(model);
}

/* T = max(0, k (l - l0 + u) + c l'), l0 the length at rest, l' by differences along the motion.
   DeNOC, an independent algorithm, agrees. */
static void spring(void** state) {
  (void)state;
  apl_model* model = chain(true);
  apl_state* s = state_of(model);
  const double rest = route_length(model, s, &chain_route), h = 1e-3;
  rng d = rng_seed(17);
  double q[3], v[3], tau[3], a[3], T;
  int slack = 0;

  assert_string_equal(apl_model_unit(model, APL_TENDONS, 0), "m");
  CHECK_OK(apl_tendons(model, s, NULL, &T));
  CHECK_NEAR(T, 0, 1e-13);
  for (int round = 0; round < 20; round++) {
    near_context("point %d", round);
    rng_fill(&d, q, 3, 0.8);
    rng_fill(&d, v, 3, 1);
    apl_u(s)[0] = rng_between(&d, -0.1, 0.1);
    double l[5];
    for (int k = 0; k < 5; k++) {
      for (int i = 0; i < 3; i++)
        apl_q(s)[i] = q[i] + (k - 2) * h * v[i];
      l[k] = route_length(model, s, &chain_route);
    }
    const double rate = (8 * (l[3] - l[1]) - (l[4] - l[0])) / (12 * h);
    memcpy(apl_q(s), q, sizeof q);
    memcpy(apl_v(s), v, sizeof v);
    const double want = fmax(0, 50 * (l[2] - rest + apl_u(s)[0]) + 3 * rate);
    CHECK_OK(apl_tendons(model, s, NULL, &T));
    CHECK_NEAR(T, want, 1e-9);
    slack += T == 0;

    double P[APL_NACCOUNT];
    CHECK_OK(apl_accounts(model, s, P));
    CHECK_NEAR(P[APL_ACCOUNT_TENDON], -want * rate, 1e-9);
    CHECK_NEAR(P[APL_ACCOUNT_INPUT], 0, 0);

    rng_fill(&d, apl_a(s), 3, 1);
    memcpy(a, apl_a(s), sizeof a);
    CHECK_OK(apl_inverse(model, s));
    memcpy(tau, apl_tau(s), sizeof tau);
    CHECK_OK(apl_denoc_inverse(model, s));
    CHECK_ARRAY(apl_tau(s), tau, 3, 1e-12, 1 + near_max(tau, 3));
    CHECK_OK(apl_denoc_forward(model, s));
    CHECK_ARRAY(apl_a(s), a, 3, 1e-11, 1 + near_max(a, 3));
  }
  CHECK_TRUE(slack > 0 && slack < 20, "%d of 20 slack", slack);
  apl_state_free(s);
  apl_model_free(model);
}

/* ------------------------------------------------------------------------- all together ---- */

/* A floating hub, a segment, a rigid hub at its tip, a revolute joint, a second segment: one tendon
   through all of it. The first segment ends in the hub's own hole: there is no straight span. */
static apl_spec* two_segments(int discs, double stop) {
  apl_spec* spec = new_spec();
  const int base = add_box(spec, "base", "world", "floating");
  const int lower = add_arc(spec, "lower", "base", all_strains, 1);
  const int hub = add_box(spec, "hub", "lower.tip", "fixed");
  const int wrist = add_box(spec, "wrist", "hub.axle", "revolute");
  const int upper = add_arc(spec, "upper", "wrist.out", "bend-x bend-y", 1);
  const int t = apl_spec_tendon(spec, "long");

  apl_spec_vec3(spec, wrist, "joint.axis", 0.3, 1, 0.2);
  apl_spec_port(spec, base, "motor", 0, at(-0.1, 0.02, 0.01));
  apl_spec_port(spec, hub, "hole", 0, at(0.02, 0.01, 0));
  apl_spec_port(spec, hub, "exit", 0, at(0.05, 0.01, 0.04));
  apl_spec_port(spec, hub, "axle", 0, at(0, 0.01, 0.06));
  apl_spec_port(spec, wrist, "out", 0, at(0, 0.02, 0.05));
  route_mark(spec, lower, 0.02, 0.01, 0, 1);
  route_mark(spec, upper, 0.03, 0.01, 0.2, stop);
  apl_spec_tendon_port(spec, t, "base.motor");
  apl_spec_tendon_along(spec, t, "lower", 0.02, 0.01, 0, 1, discs);
  apl_spec_tendon_port(spec, t, "hub.hole");
  apl_spec_tendon_port(spec, t, "hub.exit");
  apl_spec_tendon_along(spec, t, "upper", 0.03, 0.01, 0.2, stop, discs);
  apl_spec_input(spec, "pull", "long", 1);
  return spec;
}

static void hub_and_joint(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    const int sides = k == 0 ? -1 : 4;
    const route r = {
        5,
        {{"base.motor", 0}, {"lower", sides}, {"hub.hole", 0}, {"hub.exit", 0}, {"upper", sides}}};
    apl_model* model = model_of(two_segments(k == 0 ? 0 : 4, 0.9));
    check_route(model, &r, 0.2, 1e-10);
    apl_model_free(model);
  }
}

/* The points to draw it by: from the motor to the end, as long as the tendon between discs, a
   little shorter where it is guided all along. */
static void points(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    apl_model* model = model_of(two_segments(k == 0 ? 0 : 4, 0.9));
    apl_state* s = state_of(model);
    const int n = apl_model_tendon_npoint(model, 0);
    rng d = rng_seed(37);
    double P[3 * MOST], X[12], sum = 0;

    near_context("points, %s", k == 0 ? "all along" : "discs");
    assert_int_equal(n, k == 0 ? 1 + 1 + 8 + 1 + 1 + 8 : 1 + 1 + 4 + 1 + 1 + 4);
    rng_fill(&d, apl_q(s) + 7, apl_model_nq(model) - 7, 0.2);
    CHECK_OK(apl_tendon_points(model, s, 0, P));
    for (int i = 1; i < n; i++) {
      const double r[3] = {P[3 * i] - P[3 * i - 3], P[3 * i + 1] - P[3 * i - 2],
                           P[3 * i + 2] - P[3 * i - 1]};
      sum += sqrt(dense_dot(r, r, 3));
    }
    CHECK_NEAR(sum, tendon_length(model, s), k == 0 ? 1e-3 : 1e-14);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "base.motor"), X));
    CHECK_ARRAY(P, X + 9, 3, 1e-15, 1);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "upper.m64"), X));
    CHECK_ARRAY(P + 3 * (n - 1), X + 9, 3, 1e-14, 1);
    apl_state_free(s);
    apl_model_free(model);
  }
}

/* The forces are internal: there is no external wrench, momentum is constant. */
static void momentum(void** state) {
  (void)state;
  apl_model* model = model_of(two_segments(0, 1));
  apl_state* s = state_of(model);
  rng d = rng_seed(23);
  double before[6], after[6], outside[6];

  near_context("floating robot");
  rng_fill(&d, apl_v(s), apl_model_nv(model), 0.3);
  apl_u(s)[0] = 2;
  CHECK_OK(apl_momentum(model, s, before));
  CHECK_ALIVE(before, 6, 1e-2);
  CHECK_OK(apl_forward(model, s));
  CHECK_OK(apl_external(model, s, outside));
  for (int i = 0; i < 6; i++)
    CHECK_NEAR(outside[i], 0, 1e-11);
  integrate(model, s, 0.05, 60);
  CHECK_OK(apl_momentum(model, s, after));
  CHECK_ARRAY(after, before, 6, 1e-10, 1);
  CHECK_ALIVE(apl_q(s) + 7, 6, 1e-3);
  apl_state_free(s);
  apl_model_free(model);
}

/* Four lanes are four robots, and complex numbers without imaginary part are scalars. */
static void builds(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    apl_model* model = model_of(two_segments(k == 0 ? 0 : 4, 0.9));
    const int nq = apl_model_nq(model), nv = apl_model_nv(model);
    apl_state *one, *lanes, *complex;
    rng d = rng_seed(29);
    double a[4][MOST], l[4], T[4], delta[MOST], q[MOST], wide_l[4], wide_T[4];

    near_context("builds");
    one = state_of(model);
    CHECK_OK(apl_state_new(model, APL_LANES, &lanes));
    CHECK_OK(apl_state_new(model, APL_COMPLEX, &complex));
    for (int i = 0; i < 4; i++) {
      apl_state_reset(one);
      memcpy(q, apl_q(one), sizeof *q * (size_t)nq);
      rng_fill(&d, delta, nv, 0.3);
      CHECK_OK(apl_add(model, one, q, delta, apl_q(one)));
      rng_fill(&d, apl_v(one), nv, 1);
      apl_u(one)[0] = rng_between(&d, -1, 3);
      for (int j = 0; j < nq; j++)
        apl_q(lanes)[4 * j + i] = apl_q(complex)[2 * j] = apl_q(one)[j];
      for (int j = 0; j < nv; j++)
        apl_v(lanes)[4 * j + i] = apl_v(complex)[2 * j] = apl_v(one)[j];
      apl_u(lanes)[i] = apl_u(complex)[0] = apl_u(one)[0];
      CHECK_OK(apl_tendons(model, one, &l[i], &T[i]));
      CHECK_OK(apl_forward(model, one));
      memcpy(a[i], apl_a(one), sizeof *a[i] * (size_t)nv);

      CHECK_OK(apl_tendons(model, complex, wide_l, wide_T));
      CHECK_NEAR(wide_l[0], l[i], 1e-14);
      CHECK_NEAR(wide_T[0], T[i], 0);
      CHECK_OK(apl_forward(model, complex));
      for (int j = 0; j < nv; j++)
        CHECK_NEAR(apl_a(complex)[2 * j], a[i][j], 1e-10 * (1 + near_max(a[i], nv)));
    }
    CHECK_OK(apl_tendons(model, lanes, wide_l, wide_T));
    CHECK_ARRAY(wide_l, l, 4, 1e-14, 1);
    CHECK_ARRAY(wide_T, T, 4, 0, 1);
    CHECK_OK(apl_forward(model, lanes));
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < nv; j++)
        CHECK_NEAR(apl_a(lanes)[4 * j + i], a[i][j], 1e-10 * (1 + near_max(a[i], nv)));
    }
    apl_state_free(one);
    apl_state_free(lanes);
    apl_state_free(complex);
    apl_model_free(model);
  }
}

/* Lanes may have springs of their own; the lengths at rest go with them. */
static void lane_springs(void** state) {
  (void)state;
  apl_model* model[4];
  apl_state *one, *lanes;
  double want[4], T[4];

  near_context("springs of lanes");
  for (int i = 0; i < 4; i++) {
    apl_spec* spec = two_segments(0, 0.9);
    apl_spec_tendon_spring(spec, 0, 100 + 50 * i, 1);
    if (i == 3) apl_spec_tendon_rest(spec, 0, 0.5);
    model[i] = model_of(spec);
  }
  CHECK_OK(apl_state_new(model[0], APL_LANES, &lanes));
  for (int i = 0; i < 4; i++) {
    CHECK_OK(apl_lane_parameters(model[0], lanes, i, model[i]));
    one = state_of(model[i]);
    apl_u(one)[0] = apl_u(lanes)[i] = 0.01;
    CHECK_OK(apl_tendons(model[i], one, NULL, &want[i]));
    apl_state_free(one);
  }
  CHECK_OK(apl_tendons(model[0], lanes, NULL, T));
  CHECK_ARRAY(T, want, 4, 1e-12, 1);
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(T[i], (100 + 50 * i) * 0.01, 1e-12);
  CHECK_TRUE(T[3] > 50, "the short tendon is taut: %g N", T[3]);
  apl_state_free(lanes);
  for (int i = 0; i < 4; i++)
    apl_model_free(model[i]);
}

/* A complex step through the length is its derivative: the tension's effort, once more. */
static void complex_step(void** state) {
  (void)state;
  apl_model* model = model_of(two_segments(4, 0.9));
  const int nq = apl_model_nq(model), nv = apl_model_nv(model), q0 = 7, v0 = 6;
  apl_state *one = state_of(model), *c;
  rng d = rng_seed(31);
  double slack[MOST], pulled[MOST], l[2];

  near_context("complex step");
  CHECK_OK(apl_state_new(model, APL_COMPLEX, &c));
  rng_fill(&d, apl_q(one) + q0, nq - q0, 0.3);
  CHECK_OK(apl_bias(model, one, slack));
  apl_u(one)[0] = 1;
  CHECK_OK(apl_bias(model, one, pulled));
  for (int k = 0; k < nq - q0; k++) {
    for (int j = 0; j < nq; j++) {
      apl_q(c)[2 * j] = apl_q(one)[j];
      apl_q(c)[2 * j + 1] = j == q0 + k ? 1e-30 : 0;
    }
    CHECK_OK(apl_tendons(model, c, l, NULL));
    CHECK_NEAR(pulled[v0 + k] - slack[v0 + k], l[1] / 1e-30, 1e-13);
  }
  CHECK_TRUE(nv - v0 == nq - q0, "plain coordinates behind the floating base");
  apl_state_free(one);
  apl_state_free(c);
  apl_model_free(model);
}

/* -------------------------------------------------------------------------------- energy ---- */

/* Kinetic and potential energy less the accounts stay, with a tension over time, and with a spring
   whose motor winds. */
static void ledger(void** state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    apl_spec* spec = two_segments(k == 0 ? 0 : 4, 1);
    apl_spec_gravity(spec, (apl_vec3){0, 0, -9.81});
    if (k == 1) apl_spec_tendon_spring(spec, 0, 400, 1);
    apl_model* model = model_of(spec);
    apl_system* system;
    apl_run_options o = apl_run_options_default();
    apl_run_report report;
    apl_signal* pull;
    apl_ledger l;
    apl_error err = {0};
    double y[256];

    near_context("ledger, %s", k == 0 ? "tension" : "spring and motor");
    CHECK_OK(apl_system_new(model, &system, &err));
    CHECK_OK(apl_signal_sine(k == 0 ? 1 : 0.01, k == 0 ? 2 : 0.02, 3, 0.2, &pull, &err));
    CHECK_OK(apl_system_input(system, 0, pull, &err));
    o.to = 0.3;
    o.tolerance = 1e-9;
    if (apl_run(system, &o, &report, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
    CHECK_TRUE(report.relative < 1e-7, "ledger error %g", report.relative);
    CHECK_TRUE(report.momentum < 1e-7, "momentum error %g", report.momentum);
    apl_system_pack(system, y);
    CHECK_OK(apl_system_audit(system, o.to, y, &l));
    CHECK_TRUE(fabs(l.account[APL_ACCOUNT_TENDON]) > 1e-4, "the tendon did %g J",
               l.account[APL_ACCOUNT_TENDON]);
    CHECK_NEAR(l.account[APL_ACCOUNT_INPUT], 0, 0);
    apl_system_free(system);
    apl_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(six_strains),  cmocka_unit_test(other_arcs),
      cmocka_unit_test(discs),        cmocka_unit_test(closed_lengths),
      cmocka_unit_test(equilibrium),  cmocka_unit_test(straight),
      cmocka_unit_test(spring),       cmocka_unit_test(hub_and_joint),
      cmocka_unit_test(momentum),     cmocka_unit_test(points),
      cmocka_unit_test(builds),       cmocka_unit_test(lane_springs),
      cmocka_unit_test(complex_step), cmocka_unit_test(ledger),
  };
  return cmocka_run_group_tests_name("tendons", tests, NULL, NULL);
}
