/* SPDX-License-Identifier: Apache-2.0 */
/* test_arc_points.c: arcs against clouds of mass points (support/points.h): positions of material
   points are all that is assumed, derivatives are those of dual numbers in 80 bits. Efforts, mass
   matrix, accelerations, energies and the wrench at the base, at random points. */
#include "near.h"

#include "dynamics/extra.h"
#include "random.h"
#include "rod.h"

#include <stdlib.h>
#include <string.h>

static const rod soft = {.length = 0.7,
                         .elements = 1,
                         .strains = "bend-x bend-y",
                         .mass = 0.9,
                         .jx = 2e-2,
                         .jy = 1e-2,
                         .stiffness = {0.8, 1.3, 0.5, 30, 30, 60},
                         .time = 0.02};

/* One robot, told twice. */
typedef struct twin {
  plan* p;
  points* c;
  bool floating; /* the first six coordinates are those of a floating base, at zero             */
  const char* load_port;
  apl_axes load_axes;
  apl_wrench load;
} twin;

static twin open(const char* what) {
  near_context("%s", what);
  twin t = {.p = plan_new(), .c = calloc(1, sizeof(points))};
  assert_non_null(t.c);
  t.p->gravity = (apl_vec3){2, -3, -9};
  t.c->gravity[0] = 2;
  t.c->gravity[1] = -3;
  t.c->gravity[2] = -9;
  return t;
}

/* A pose at which both descriptions are compared. */
static apl_pose stand(twin* t) {
  const apl_pose at = {{0.2, -0.1, 0.3}, apl_quat_rpy(0.4, -0.7, 1.1)};
  points_add(t->c, POINTS_PLACE)->at = at;
  return at;
}

/* A rigid body of known points on the library's side: mass, com, arms. */
static void solid(plan_link* link, points_step* s) {
  s->body = 0.3;
  s->com = (apl_vec3){0.05, -0.02, 0.04};
  s->arm = (apl_vec3){0.1, 0.15, 0.07};
  const double x = s->arm.x * s->arm.x;
  const double y = s->arm.y * s->arm.y;
  const double z = s->arm.z * s->arm.z;
  plan_mass(link, s->body, s->com, s->body / 3 * (y + z), s->body / 3 * (x + z),
            s->body / 3 * (x + y));
}

static void to_double(const long double* x, int n, double* out) {
  for (int i = 0; i < n; i++)
    out[i] = (double)x[i];
}

/* All that can be compared, at random points with angles up to `size` per coordinate. */
static void compare(twin* t, double size, unsigned seed) {
  static points_result want;
  apl_model* model = plan_model(t->p);
  apl_state* s;
  const int n = t->c->nv;
  rng r = rng_seed(seed);
  double M[POINTS_NV * POINTS_NV];
  double got[POINTS_NV * POINTS_NV];
  double x[POINTS_NV];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  assert_int_equal(apl_model_nv(model), n);
  for (int round = 0; round < 4; round++) {
    double q[POINTS_NV] = {0};
    double v[POINTS_NV];
    double a[POINTS_NV];
    const int skip = t->floating ? 6 : 0;

    /* round 0: the straight rod, where closed forms would be singular */
    if (round > 0) rng_fill(&r, q + skip, n - skip, size);
    rng_fill(&r, v, n, 2);
    rng_fill(&r, a, n, 3);
    for (int i = 0; i < n; i++) {
      const int at = i + (t->floating ? 1 : 0);
      const bool metre = at < apl_model_nq(model) && i >= skip &&
                         strcmp(apl_model_unit(model, APL_COORDINATES, at), "m") == 0;
      if (metre) q[i] *= 0.1;
      if (i >= skip) apl_q(s)[at] = q[i];
    }
    memcpy(apl_v(s), v, sizeof(double) * (size_t)n);
    memcpy(apl_a(s), a, sizeof(double) * (size_t)n);
    if (t->load_port != NULL) {
      CHECK_OK(apl_load(model, s, apl_model_find(model, APL_PORTS, t->load_port), t->load_axes,
                        t->load));
    }
    points_solve(t->c, q, v, a, &want);

    /* both sides round at 1e-16 of the largest terms; 100 roundings and the quadratures, which are
       exact to 1e-15 at these angles, remain below 1e-13 */
    to_double(want.M, n * n, M);
    CHECK_OK(apl_mass_matrix(model, s, got));
    CHECK_ALIVE(M, n * n, 1e-3);
    CHECK_ARRAY(got, M, n * n, 2e-14, near_max(M, n * n));
    CHECK_OK(apl_inverse(model, s));
    to_double(want.tau, n, x);
    CHECK_ALIVE(x, n, 1e-2);
    CHECK_ARRAY(apl_tau(s), x, n, 5e-14, near_max(x, n));

    /* reactions of the world, weight, loads and drag are the rate of momentum of the points */
    double external[6];
    CHECK_OK(apl_external(model, s, external));
    to_double(want.moment, 3, x);
    to_double(want.force, 3, x + 3);
    CHECK_ARRAY(external, x, 6, 5e-14, 10 + near_max(x, 6)); /* 1 kg: weights of 10 N cancel */

    to_double(want.energy, 2, x);
    CHECK_OK(apl_energy(model, s, got));
    CHECK_ARRAY(got, x, 2, 2e-14, 1 + near_max(x, 2));

    /* accelerations: the condition of M, up to 1e4 here, times round-off */
    memset(apl_tau(s), 0, sizeof(double) * (size_t)n);
    CHECK_OK(apl_forward(model, s));
    to_double(want.a, n, x);
    CHECK_ARRAY(apl_a(s), x, n, 1e-12, near_max(x, n));
  }
  apl_state_free(s);
  apl_model_free(model);
  free(t->p);
  free(t->c);
}

static void two_bendings(void** state) {
  (void)state;
  twin t = open("two bendings");
  rod r = soft;
  r.curvature[0] = 0.4;
  r.curvature[1] = -0.3;
  rod_link(t.p, &r, "rod", "world", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  compare(&t, 1.2, 1);
}

/* every evaluation of the plane, bent in the plane but turned in space by a spherical joint */
static void plane_in_space(void** state) {
  (void)state;
  static const char* const evaluation[3] = {"exact", "p5", "exact"};
  for (int k = 0; k < 3; k++) {
    twin t = open(evaluation[k]);
    rod r = soft;
    r.elements = 2;
    r.strains = "bend-y";
    r.evaluation = evaluation[k];
    r.drag = 0.3;
    r.curvature[1] = -0.5;
    plan_link* hub = plan_add(t.p, "hub", "world", "revolute", "rigid");
    hub->at = stand(&t);
    plan_vec3(hub, "joint.axis", 0.6, 0, 0.8);
    points_step* turn = points_add(t.c, POINTS_MOVE);
    turn->n = 1;
    turn->row[0] = -1;
    turn->axis = (apl_vec3){0.6, 0, 0.8};
    t.c->nv = 1;
    solid(hub, points_add(t.c, POINTS_BODY));
    rod_link(t.p, &r, "rod", "hub", "fixed")->at = stand(&t);
    rod_steps(t.c, &r, k == 2);
    compare(&t, 1.2, 2 + (unsigned)k);
  }
}

static void bending_torsion_elongation(void** state) {
  (void)state;
  twin t = open("bending, torsion, elongation, two elements");
  rod r = soft;
  r.elements = 2;
  r.strains = "bend-y torsion elongation";
  r.curvature[2] = 0.5;
  rod_link(t.p, &r, "rod", "world", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  compare(&t, 1.0, 5);
}

static void six_strains(void** state) {
  (void)state;
  twin t = open("six strains");
  rod r = soft;
  r.strains = "bend-x bend-y torsion shear-x shear-y elongation";
  r.drag = 0.3;
  rod_link(t.p, &r, "rod", "world", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  compare(&t, 0.9, 6);
}

/* each strain alone: no column may be mixed up with another */
static void single_strains(void** state) {
  (void)state;
  static const char* const word[5] = {"bend-x", "torsion", "shear-x", "shear-y", "elongation"};
  for (int k = 0; k < 5; k++) {
    twin t = open(word[k]);
    rod r = soft;
    r.elements = 2;
    r.strains = word[k];
    rod_link(t.p, &r, "rod", "world", "fixed")->at = stand(&t);
    rod_steps(t.c, &r, false);
    points_step* s = points_add(t.c, POINTS_BODY);
    solid(plan_add(t.p, "weight", "rod.tip", "fixed", "rigid"), s);
    compare(&t, 1.2, 7 + (unsigned)k);
  }
}

static void hub_and_two_elements(void** state) {
  (void)state;
  twin t = open("hub on a hinge, two elements, tip body");
  rod r = soft;
  r.elements = 2;
  r.drag = 0.2;
  plan_link* hub = plan_add(t.p, "hub", "world", "revolute", "rigid");
  hub->at = stand(&t);
  plan_vec3(hub, "joint.axis", 0, 0.6, 0.8);
  points_step* turn = points_add(t.c, POINTS_MOVE);
  turn->n = 1;
  turn->row[0] = -1;
  turn->axis = (apl_vec3){0, 0.6, 0.8};
  t.c->nv = 1;
  solid(hub, points_add(t.c, POINTS_BODY));
  rod_link(t.p, &r, "rod", "hub", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  points_step* tip = points_add(t.c, POINTS_BODY);
  solid(plan_add(t.p, "weight", "rod.tip", "fixed", "rigid"), tip);
  compare(&t, 1.2, 12);
}

static void floating_base(void** state) {
  (void)state;
  twin t = open("floating base");
  rod r = soft;
  r.elements = 2;
  r.strains = "bend-x bend-y torsion";
  plan_link* base = plan_add(t.p, "base", "world", "floating", "rigid");
  base->at = stand(&t);
  points_step* move = points_add(t.c, POINTS_MOVE);
  move->n = 6;
  for (int k = 0; k < 6; k++)
    move->row[k] = k;
  t.c->nv = 6;
  t.floating = true;
  solid(base, points_add(t.c, POINTS_BODY));
  rod_link(t.p, &r, "rod", "base", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  compare(&t, 1.0, 13);
}

/* A child on a hinge and a load at stations inside elements, a body at `end1`. */
static void stations(apl_axes axes) {
  twin t = open(axes == APL_WORLD_AXES ? "children and a dead load inside elements"
                                       : "children and a follower load inside elements");
  rod r = soft;
  r.elements = 3;
  r.time = 0;
  plan_link* link = rod_link(t.p, &r, "rod", "world", "fixed");
  link->at = stand(&t);
  const apl_pose off = {{0.03, -0.04, 0.05}, apl_quat_rpy(0.3, 0.2, -0.5)};
  plan_at_port(link, "child", 0.5, off);  /* half of element 2 */
  plan_at_port(link, "hook", 0.9, off);   /* 0.7 of element 3  */
  plan_at_port(link, "again", 0.45, off); /* another one before "child" in the same element */
  plan_link* knob = plan_add(t.p, "knob", "rod.end1", "fixed", "rigid");
  plan_link* arm = plan_add(t.p, "arm", "rod.child", "revolute", "rigid");
  plan_link* lump = plan_add(t.p, "lump", "rod.again", "fixed", "rigid");
  plan_vec3(arm, "joint.axis", 0, 0.6, 0.8);
  t.load_port = "rod.hook";
  t.load_axes = axes;
  t.load = (apl_wrench){{0, 0, 0}, {1, 2, -3}};

  /* the points: elements as they come, branches at stations of the next one */
  rod_steps(t.c, &r, false);
  points chain = *t.c;
  t.c->nstep = 1;
  for (int e = 0; e < 3; e++) {
    const points_step* s = &chain.step[1 + e];
    if (e > 0) {
      static const double station[2][2] = {{0.5, 0.35}, {0.7, 0}};
      for (int k = 0; k < (e == 1 ? 2 : 1); k++) {
        points_add(t.c, POINTS_SAVE);
        points_step* at = points_add(t.c, POINTS_STATION);
        *at = *s;
        at->kind = POINTS_STATION;
        at->station = station[e - 1][k];
        points_add(t.c, POINTS_PLACE)->at = off;
        if (e == 1 && k == 0) {
          points_step* turn = points_add(t.c, POINTS_MOVE);
          turn->n = 1;
          turn->q0 = chain.nv;
          turn->row[0] = -1;
          turn->axis = (apl_vec3){0, 0.6, 0.8};
          solid(arm, points_add(t.c, POINTS_BODY));
        } else if (e == 1) {
          solid(lump, points_add(t.c, POINTS_BODY));
        } else {
          points_step* force = points_add(t.c, POINTS_FORCE);
          force->force = t.load.force;
          force->world = axes == APL_WORLD_AXES;
        }
        points_add(t.c, POINTS_BACK);
      }
    }
    *points_add(t.c, POINTS_ELEMENT) = *s;
    if (e == 0) solid(knob, points_add(t.c, POINTS_BODY));
  }
  t.c->nv = chain.nv + 1;
  compare(&t, 1.0, 14);
}

static void stations_inside(void** state) {
  (void)state;
  stations(APL_WORLD_AXES);
  stations(APL_PORT_AXES);
}

/* Angles up to a turn, where sine and cosine take over from the series. The plane element is a
   closed form at any angle. */
static void wound_in_the_plane(void** state) {
  (void)state;
  twin t = open("wound in the plane");
  rod r = soft;
  r.elements = 2;
  r.strains = "bend-y";
  r.drag = 0.3;
  rod_link(t.p, &r, "rod", "world", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  points_step* s = points_add(t.c, POINTS_BODY);
  solid(plan_add(t.p, "weight", "rod.tip", "fixed", "rigid"), s);
  compare(&t, 6.2, 20);
}

/* So are two bendings: up to 1.4 turns of k. */
static void wound_both_ways(void** state) {
  (void)state;
  twin t = open("wound both ways");
  rod r = soft;
  r.elements = 2;
  r.drag = 0.3;
  rod_link(t.p, &r, "rod", "world", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  points_step* s = points_add(t.c, POINTS_BODY);
  solid(plan_add(t.p, "weight", "rod.tip", "fixed", "rigid"), s);
  compare(&t, 6.2, 22);
}

/* In space the quadrature has errors of 1e-9 there, so the rod is light: the test compares how its
   tip moves a rigid body, up to 5.9 rad. */
static void wound_in_space(void** state) {
  (void)state;
  twin t = open("wound in space");
  rod r = soft;
  r.mass = 1e-7;
  r.jx = 2e-9;
  r.jy = 1e-9;
  r.strains = "bend-x bend-y torsion shear-x shear-y elongation";
  rod_link(t.p, &r, "rod", "world", "fixed")->at = stand(&t);
  rod_steps(t.c, &r, false);
  points_step* s = points_add(t.c, POINTS_BODY);
  solid(plan_add(t.p, "weight", "rod.tip", "fixed", "rigid"), s);
  compare(&t, 3.4, 21);
}

/* Section 10, item 2: accelerations of the planar rod at any state, n <= 4 to 1e-13, n = 8 to
   2e-12: the condition of M grows as n^4. The other side is the quadrature of the unit tangent, and
   for p5 the truncated position. */
static void planar_accelerations(void** state) {
  (void)state;
  static const int count[5] = {1, 2, 3, 4, 8};
  static points_result want;
  static points c;

  for (int i = 0; i < 10; i++) {
    const int n = count[i / 2];
    const rod r = {.length = 0.6,
                   .elements = n,
                   .strains = "bend-y",
                   .evaluation = i % 2 ? "p5" : "exact",
                   .mass = 0.02,
                   .jx = 5e-9,
                   .jy = 5e-9,
                   .stiffness = {0.05, 0.05}};
    plan* p = plan_new();
    apl_state* s;
    rng random = rng_seed(90 + (unsigned)i);
    double a[8] = {0};
    double x[8];

    near_context("%d planar arcs, %s", n, r.evaluation);
    c = (points){.gravity = {0, 0, -9.81}};
    const apl_pose level = {{0, 0, 0}, apl_quat_axis((apl_vec3){0, 1, 0}, -1.5707963267948966)};
    points_add(&c, POINTS_PLACE)->at = level;
    rod_link(p, &r, "rod", "world", "fixed")->at = level;
    rod_steps(&c, &r, i % 2 == 0);
    points_step* weight = points_add(&c, POINTS_BODY);
    weight->body = 0.02;
    weight->arm = (apl_vec3){0.02, 0.03, 0.01};
    plan_mass(plan_add(p, "weight", "rod.tip", "fixed", "rigid"), 0.02, (apl_vec3){0, 0, 0},
              0.02 / 3 * 1e-3, 0.02 / 3 * 5e-4, 0.02 / 3 * 1.3e-3);
    apl_model* model = plan_model(p);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    for (int round = 0; round < 5; round++) {
      rng_fill(&random, apl_q(s), n, 0.4 * round);
      rng_fill(&random, apl_v(s), n, 5);
      points_solve(&c, apl_q(s), apl_v(s), a, &want);
      CHECK_OK(apl_forward(model, s));
      to_double(want.a, n, x);
      CHECK_ALIVE(x, n, 1e-2);

      /* relative, but not to less than gravity over length, which may nearly cancel elasticity */
      CHECK_ARRAY(apl_a(s), x, n, n <= 4 ? 1e-13 : 2e-12, fmax(9.81 / 0.6, near_max(x, n)));
    }
    apl_state_free(s);
    apl_model_free(model);
    free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_bendings),
      cmocka_unit_test(plane_in_space),
      cmocka_unit_test(bending_torsion_elongation),
      cmocka_unit_test(six_strains),
      cmocka_unit_test(single_strains),
      cmocka_unit_test(hub_and_two_elements),
      cmocka_unit_test(floating_base),
      cmocka_unit_test(stations_inside),
      cmocka_unit_test(wound_in_the_plane),
      cmocka_unit_test(wound_both_ways),
      cmocka_unit_test(wound_in_space),
      cmocka_unit_test(planar_accelerations),
  };
  return cmocka_run_group_tests_name("arc points", tests, NULL, NULL);
}
