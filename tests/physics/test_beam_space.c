/* SPDX-License-Identifier: Apache-2.0 */
/* test_beam_space.c: beams in space: loads at the tip against closed forms, free flight, and motion
   in a plane against the planar beam. */
#include "beams.h"

#include "dynamics/extra.h"
#include "integrate.h"
#include "random.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

typedef struct stuff {
  double L, mu, EIx, EIy, GJ, EA, kAG, J;
} stuff;

static const stuff bar = {1.3, 0.8, 30, 50, 20, 4e3, 900, 2e-3};

static plan_link* add_beam(plan* p, const char* name, const char* on, const char* joint, int modes,
                           const char* directions) {
  plan_link* link = plan_add(p, name, on, joint, "beam");

  plan_number(link, "body.modes", modes);
  plan_number(link, "body.length", bar.L);
  plan_number(link, "body.mass-per-length", bar.mu);
  plan_number(link, "body.bending-stiffness", bar.EIy);
  plan_number(link, "body.bending-stiffness-x", bar.EIx);
  plan_number(link, "body.torsion-stiffness", bar.GJ);
  plan_number(link, "body.axial-stiffness", bar.EA);
  plan_number(link, "body.shear-stiffness", bar.kAG);
  plan_number(link, "body.rotary-inertia", bar.J);
  plan_words(link, "body.directions", directions);
  return link;
}

/* Solve K x = f for a symmetric positive definite K, which is destroyed. */
static void solve(double* K, double* f, int n) {
  for (int k = 0; k < n; k++) {
    for (int i = k + 1; i < n; i++) {
      const double l = K[i * n + k] / K[k * n + k];
      for (int j = k; j < n; j++)
        K[i * n + j] -= l * K[k * n + j];
      f[i] -= l * f[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++)
      f[i] -= K[i * n + j] * f[j];
    f[i] /= K[i * n + i];
  }
}

/* How the tip of a clamped beam answers a small wrench (moment, force) there. */
static beams_place answer(int modes, bool statics, const char* direction, const double wrench[6]) {
  plan* p = plan_new();
  double D[BEAMS_MOST * BEAMS_MOST];
  double K[BEAMS_MOST * BEAMS_MOST];
  double f[BEAMS_MOST];
  double J[6 * BEAMS_MOST];
  apl_state* s;

  p->gravity = (apl_vec3){0, 0, 0};
  plan_link* beam = add_beam(p, "beam", "world", "fixed", modes, direction);
  if (statics) plan_words(beam, "body.static-shapes", "tip");
  apl_model* model = plan_model(p);
  const int n = apl_model_nv(model);
  beams_matrices(model, D, K);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_jacobian(model, s, apl_model_find(model, APL_PORTS, "beam.tip"), APL_WORLD_AXES, J));
  for (int k = 0; k < n; k++) {
    f[k] = 0;
    for (int i = 0; i < 6; i++)
      f[k] += J[i * n + k] * wrench[i];
  }
  solve(K, f, n);
  const beams_place place = beams_port(model, "beam.tip", f);
  apl_state_free(s);
  apl_model_free(model);
  free(p);
  return place;
}

/* A load of 1 mN or 1 mN m, the coordinate that responds, and its expected value. */
typedef struct load {
  const char* direction;
  double wrench[6];
  double want[6]; /* about x, y, z, along x, y, z                                              */
} load;

/* Forces along x and y, moments about x, y and z, a pull along z: F L^3/(3 EI) + F L/kAG and so on.
   Static shapes give it to round-off, n modes up to a share that falls as 1/n. */
static void tip_loads(void** state) {
  (void)state;
  const double L = bar.L, F = 1e-3;
  const double bx = F * L * L / (2 * bar.EIx), by = F * L * L / (2 * bar.EIy), s = F * L / bar.kAG;
  const load all[] = {
      {"bend-y", {0, 0, 0, F, 0, 0}, {0, by, 0, by * L / 1.5 + s, 0, 0}},
      {"bend-x", {0, 0, 0, 0, F, 0}, {-bx, 0, 0, 0, bx * L / 1.5 + s, 0}},
      {"bend-y", {0, F, 0, 0, 0, 0}, {0, F * L / bar.EIy, 0, by, 0, 0}},
      {"bend-x", {F, 0, 0, 0, 0, 0}, {F * L / bar.EIx, 0, 0, 0, -bx, 0}},
      {"torsion", {0, 0, F, 0, 0, 0}, {0, 0, F * L / bar.GJ, 0, 0, 0}},
      {"axial", {0, 0, 0, 0, 0, F}, {0, 0, 0, 0, 0, F * L / bar.EA}},
  };
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    const load* l = &all[i];
    double off[3] = {0};

    near_context("load %d at the tip, %s", (int)i, l->direction);
    for (int k = 0; k < 3; k++) {
      const beams_place b = answer(k == 2 ? 3 : 10 + 20 * k, k == 2, l->direction, l->wrench);
      const double got[6] = {b.about_x, b.about_y, b.about_z, b.x, b.y, b.z - L};

      /* the largest answer is a hundredth of a millimetre: angles and sines are the same */
      CHECK_ARRAY(got, l->want, 6, k == 2 ? 1e-9 : 0.2, near_max(l->want, 6));
      for (int c = 0; c < 6; c++)
        off[k] = fmax(off[k], fabs(got[c] - l->want[c]) / near_max(l->want, 6));
    }
    CHECK_TRUE(off[1] < 0.5 * off[0], "%g of 10 modes falls only to %g of 30", off[0], off[1]);
  }
}

/* The static shapes once more, written down by the user: x^2 and x^3 span them without shear. */
static void polynomials(void** state) {
  (void)state;
  static const char text[] = "appell: 1\n"
                             "gravity: [0, 0, 0]\n"
                             "links:\n"
                             "  - name: %s\n"
                             "    body: {type: beam, length: 1.3 m, mass-per-length: 0.8 kg/m, "
                             "bending-stiffness: 50 N m^2, rotary-inertia: 2 g m, "
                             "shear-stiffness: 900 N, %s}\n";
  static const char* const way[2] = {
      "modes: 0, static-shapes: tip",
      "modes: 2, polynomials: 0 0.03287310979618672 0.5 "
      "-0.166666666666666667; 0 0 1, turn-polynomials: 0 1 -0.5; 0 2"};
  double D[2][4];
  double K[2][4];

  near_context("polynomials");
  for (int k = 0; k < 2; k++) {
    char full[1024];
    apl_file* file;
    apl_model* model;
    snprintf(full, sizeof full, text, "beam", way[k]);
    text_load(full, &file, &model);
    beams_matrices(model, D[k], K[k]);
    apl_model_free(model);
    apl_file_free(file);
  }

  /* the force's shape is scaled to one at the tip: 1/3 + s2 there, s2 = 50 / (900 * 1.69) */
  const double tip = 1.0 / 3 + 50 / (900 * 1.69), scale[4] = {tip * tip, tip, tip, 1};
  for (int i = 0; i < 4; i++) {
    CHECK_NEAR(D[1][i], D[0][i] * scale[i], 1e-12);
    CHECK_NEAR(K[1][i], K[0][i] * scale[i], 1e-9);
  }
  CHECK_ALIVE(D[0], 4, 0.1);
}

/* Rods: (k - 1/2) pi sqrt(GJ / J) / L, and EA / mu */
static void rod_frequencies(void** state) {
  (void)state;
  enum { N = 4 };
  static const char* const direction[2] = {"torsion", "axial"};
  const double speed[2] = {sqrt(bar.GJ / (2 * bar.J)), sqrt(bar.EA / bar.mu)};
  for (int d = 0; d < 2; d++) {
    plan* p = plan_new();
    double D[N * N];
    double K[N * N];

    near_context("%s", direction[d]);
    p->gravity = (apl_vec3){0, 0, 0};
    add_beam(p, "beam", "world", "fixed", N, direction[d]);
    apl_model* model = plan_model(p);
    beams_matrices(model, D, K);
    for (int k = 0; k < N; k++)
      CHECK_NEAR(sqrt(K[k * N + k] / D[k * N + k]) / ((k + 0.5) * pi * speed[d] / bar.L), 1, 1e-13);
    apl_model_free(model);
    free(p);
  }
}

/* Two beams tumble freely in space: momentum and energy stay. */
static void free_flight(void** state) {
  (void)state;
  plan* p = plan_new();
  rng r = rng_seed(3);
  apl_state* s;
  double E0[2];
  double E[2];
  double P0[6];
  double P[6];
  double moved = 0;

  near_context("free flight");
  p->gravity = (apl_vec3){0, 0, 0};
  plan_link* hub = plan_add(p, "hub", "world", "floating", "rigid");
  plan_mass(hub, 0.5, (apl_vec3){0.02, 0, 0.01}, 0.01, 0.012, 0.009);
  add_beam(p, "one", "hub", "universal", 1, "bend-x bend-y torsion axial");
  add_beam(p, "two", "one.tip", "revolute", 2, "bend-x bend-y");
  apl_model* model = plan_model(p);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  rng_fill(&r, apl_v(s), apl_model_nv(model), 1);
  for (int i = 8; i < 12; i++)
    apl_v(s)[i] *= 0.3;
  CHECK_OK(apl_energy(model, s, E0));
  CHECK_OK(apl_momentum(model, s, P0));
  for (int k = 0; k < 5; k++) {
    integrate(model, s, 0.05, 400);
    CHECK_OK(apl_energy(model, s, E));
    CHECK_OK(apl_momentum(model, s, P));
    CHECK_NEAR(E[0] + E[1], E0[0] + E0[1], 1e-11 * E0[0]);
    CHECK_ARRAY(P, P0, 6, 1e-12, near_max(P0, 6));
    moved = fmax(moved, E[1]);
  }
  CHECK_TRUE(moved > 1e-3 * E0[0], "the beams hardly bend: %g J of %g J", moved, E0[0]);
  apl_state_free(s);
  apl_model_free(model);
  free(p);
}

/* A chain in space that moves in a plane is the planar chain. */
static void in_a_plane(void** state) {
  (void)state;
  static const char* const direction[2] = {"bend-y", "bend-x bend-y"};
  const int width[2] = {6, 10}, second[2] = {3, 5}, bend[2] = {1, 3};
  double tip[2][12];
  double x[2][6];

  near_context("spatial against planar");
  for (int k = 0; k < 2; k++) {
    plan* p = plan_new();
    apl_state* s;
    plan_link* one = add_beam(p, "one", "world", "revolute", 2, direction[k]);
    plan_link* two = add_beam(p, "two", "one.tip", "revolute", 2, direction[k]);
    plan_vec3(one, "joint.axis", 0, 1, 0);
    plan_vec3(two, "joint.axis", 0, 1, 0);
    apl_model* model = plan_model(p);
    assert_int_equal(apl_model_nv(model), width[k]);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    apl_q(s)[0] = 0.7;
    apl_v(s)[second[k]] = -3;
    integrate(model, s, 0.2, 400);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "two.tip"), tip[k]));
    for (int i = 0; i < 2; i++) {
      const int at = i * second[k];
      x[k][3 * i] = apl_q(s)[at];
      x[k][3 * i + 1] = apl_q(s)[at + bend[k]];
      x[k][3 * i + 2] = apl_q(s)[at + bend[k] + 1];
      for (int j = 1; k == 1 && j < 3; j++)
        CHECK_NEAR(apl_q(s)[at + j], 0, 1e-13);
    }
    apl_state_free(s);
    apl_model_free(model);
    free(p);
  }
  CHECK_ALIVE(x[0] + 1, 1, 1e-3);
  CHECK_ARRAY(x[1], x[0], 6, 1e-10, 1);
  CHECK_ARRAY(tip[1], tip[0], 12, 1e-10, 1);
}

/* Bending about x and about y are the same thing, seen from a quarter turn away. */
static void both_planes(void** state) {
  (void)state;
  double tip[2][12];

  for (int k = 0; k < 2; k++) {
    plan* p = plan_new();
    apl_state* s;
    plan_link* link = add_beam(p, "beam", "world", "revolute", 2, k ? "bend-x" : "bend-y");
    near_context("bending about %s", k ? "x" : "y");
    plan_number(link, "body.bending-stiffness-x", bar.EIy);
    plan_vec3(link, "joint.axis", k, !k, 0);

    /* z stays; y, for the second beam x, points along the world's y */
    link->at.rotation = apl_quat_axis((apl_vec3){0, 0, 1}, k ? pi / 2 : 0);
    apl_model* model = plan_model(p);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    apl_q(s)[0] = 0.7;
    apl_v(s)[2] = 0.5;
    integrate(model, s, 0.2, 200);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "beam.tip"), tip[k]));
    apl_state_free(s);
    apl_model_free(model);
    free(p);
  }
  CHECK_ALIVE(tip[0] + 9, 1, 0.1);
  CHECK_ARRAY(tip[1] + 9, tip[0] + 9, 3, 1e-11, 1);
}

/* A number of modes for each direction: rows and columns of the beam that has three of all, whose
   coordinate of the same name they are. Stretch couples with bending through the deflection. */
static void counts(void** state) {
  (void)state;
  enum { ALL = 12, SOME = 7 };
  static const double modes[4] = {2, 3, 1, 1};
  static const char directions[] = "bend-x bend-y torsion axial";
  static const char* const name[SOME] = {"bend-x.1", "bend-x.2", "bend-y.1", "bend-y.2",
                                         "bend-y.3", "torsion",  "axial"};
  static const int place[SOME] = {0, 1, 3, 4, 5, 6, 9};
  apl_model* model[2];
  double M[2][(6 + ALL) * (6 + ALL)];

  near_context("modes of each direction");
  for (int k = 0; k < 2; k++) {
    plan* p = plan_new();
    plan_link* link = add_beam(p, "beam", "world", "floating", 3, directions);
    apl_state* s;
    if (k == 1) plan_put(link, "body.modes", modes, 4);
    model[k] = plan_model(p);
    CHECK_OK(apl_state_new(model[k], APL_SCALAR, &s));
    for (int i = 0; i < SOME; i++)
      apl_q(s)[7 + (k == 1 ? i : place[i])] = 0.01 * (i + 1);
    CHECK_OK(apl_mass_matrix(model[k], s, M[k]));
    apl_state_free(s);
    free(p);
  }
  assert_int_equal(apl_model_nv(model[0]), 6 + ALL);
  assert_int_equal(apl_model_nv(model[1]), 6 + SOME);
  for (int i = 0; i < 6 + SOME; i++) {
    const int at = i < 6 ? i : 6 + place[i - 6];
    if (i >= 6) {
      char full[32];
      snprintf(full, sizeof full, "beam.%s", name[i - 6]);
      assert_string_equal(apl_model_name(model[1], APL_VELOCITIES, i), full);
    }
    for (int j = 0; j < 6 + SOME; j++) {
      const int to = j < 6 ? j : 6 + place[j - 6];
      CHECK_NEAR(M[1][i * (6 + SOME) + j], M[0][at * (6 + ALL) + to], 1e-14);
    }
  }
  apl_model_free(model[0]);
  apl_model_free(model[1]);
}

/* Sections for drawing have the poses of ports at their stations; the first one of a chord is
   rotated like the root. */
static void drawn(void** state) {
  (void)state;
  static const char* const root[2] = {"clamped", "pinned"};
  for (int k = 0; k < 2; k++) {
    plan* p = plan_new();
    plan_link* link = add_beam(p, "beam", "world", "spherical", 2, "bend-x bend-y torsion");
    apl_state* s;
    double X[12 * BEAMS_MOST];
    double P[12];

    near_context("sections of a beam, root %s", root[k]);
    plan_words(link, "body.root-end", root[k]);
    plan_at_port(link, "third", 1.0 / 3, apl_pose_identity());
    apl_model* model = plan_model(p);
    const apl_link_info info = apl_model_link_info(model, 0);
    assert_int_equal(info.sections, 13);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    for (int i = 0; i < 6; i++)
      apl_q(s)[4 + i] = 0.02 * (i + 1);
    apl_q(s)[2] = 0.3;
    CHECK_OK(apl_sections(model, s, 0, X));
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "beam.third"), P));
    CHECK_ARRAY(X + 12 * 4, P, 12, 1e-15, 1);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "beam.tip"), P));
    CHECK_ARRAY(X + 12 * 12, P, 12, 1e-15, 1);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "beam.root"), P));
    CHECK_ARRAY(X + 9, P + 9, 3, 1e-15, 1);
    double turned = 0;
    for (int i = 0; i < 9; i++)
      turned = fmax(turned, fabs(X[i] - P[i]));
    CHECK_TRUE(k == 1 ? turned > 0.01 : turned < 1e-15, "its root is turned by %g", turned);
    assert_int_equal(apl_sections(model, s, 1, X), APL_ERR_ARGUMENT);
    apl_state_free(s);
    apl_model_free(model);
    free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tip_loads),       cmocka_unit_test(polynomials),
      cmocka_unit_test(rod_frequencies), cmocka_unit_test(free_flight),
      cmocka_unit_test(in_a_plane),      cmocka_unit_test(both_planes),
      cmocka_unit_test(counts),          cmocka_unit_test(drawn),
  };
  return cmocka_run_group_tests_name("beams in space", tests, NULL, NULL);
}
