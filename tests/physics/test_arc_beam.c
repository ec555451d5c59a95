/* SPDX-License-Identifier: Apache-2.0 */
/* test_arc_beam.c: clamped rods of n arcs, and of n modes, against beams: the frequencies of
   spec/continuum.md, section 5, to all printed digits, the tip moment, which is exact for every n,
   small deflections, and the order with which they converge. Length, mass and stiffness are 1. The
   elastica is in test_elastica.c. */
#include "dense.h"
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* n elements, n modes, or n modes and the two static shapes of a tip. */
typedef enum rod_kind { ARCS, MODES, MODES_AND_STATICS } rod_kind;

/* A straight cantilever along z with tip mass mu and weight along x; the input "force" pushes its
   tip along x and keeps that direction, "moment" turns it about y. */
static apl_model* cantilever_of(rod_kind kind, int n, double mu, double weight) {
  plan* p = plan_new();
  plan_link* rod = plan_add(p, "rod", "world", "fixed", kind == ARCS ? "arc" : "beam");

  plan_number(rod, kind == ARCS ? "body.elements" : "body.modes", n);
  if (kind != ARCS) plan_words(rod, "body.theory", "euler-bernoulli");
  if (kind == MODES_AND_STATICS) plan_words(rod, "body.static-shapes", "tip");
  plan_number(rod, "body.length", 1);
  plan_number(rod, "body.mass-per-length", 1);
  plan_number(rod, "body.bending-stiffness", 1);
  if (mu > 0) plan_number(plan_add(p, "weight", "rod.tip", "fixed", "rigid"), "body.mass", mu);
  p->gravity = (apl_vec3){weight, 0, 0};
  p->ninput = 2;
  p->input[0] = (plan_input){.name = "force",
                             .target = "rod.tip",
                             .gain = 1,
                             .push = true,
                             .wrench = {0, 0, 0, 1, 0, 0},
                             .axes = APL_WORLD_AXES};
  p->input[1] = p->input[0];
  strcpy(p->input[1].name, "moment");
  p->input[1].wrench[3] = 0;
  p->input[1].wrench[1] = 1;
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

static apl_model* cantilever(int n, double mu, double weight) {
  return cantilever_of(ARCS, n, mu, weight);
}

/* ---------------------------------------------------------------------------- frequencies ---- */

/* 1 + cos b cosh b + mu b (cos b sinh b - sin b cosh b) = 0, root number k by bisection. */
static double beam_root(double mu, int k) {
  double b = 0.1;
  for (;; b += 0.01) {
    const double f0 = 1 / cosh(b) + cos(b) + mu * b * (cos(b) * tanh(b) - sin(b));
    const double c = b + 0.01;
    const double f1 = 1 / cosh(c) + cos(c) + mu * c * (cos(c) * tanh(c) - sin(c));
    if ((f0 < 0) != (f1 < 0) && k-- == 0) break;
  }
  double lo = b;
  double hi = b + 0.01;
  const double sign = 1 / cosh(lo) + cos(lo) + mu * lo * (cos(lo) * tanh(lo) - sin(lo));
  for (int i = 0; i < 60; i++) {
    const double mid = 0.5 * (lo + hi);
    const double f = 1 / cosh(mid) + cos(mid) + mu * mid * (cos(mid) * tanh(mid) - sin(mid));
    if ((f < 0) == (sign < 0)) {
      lo = mid;
    } else {
      hi = mid;
    }
  }
  return lo;
}

/* Squares of the natural frequencies: K is the complex-step derivative of the static efforts. */
static void frequencies(apl_model* model, double* square) {
  const int n = apl_model_nv(model);
  apl_state* s;
  apl_state* z;
  double* M = calloc((size_t)(4 * n * n), sizeof *M);
  double* K = calloc((size_t)(n * n), sizeof *K);
  double* bias = calloc((size_t)(2 * n), sizeof *bias);

  assert_true(M != NULL && K != NULL && bias != NULL);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_state_new(model, APL_COMPLEX, &z));
  CHECK_OK(apl_mass_matrix(model, s, M));
  for (int i = 0; i < n; i++) {
    apl_q(z)[2 * i + 1] = 1e-100;
    CHECK_OK(apl_bias(model, z, bias));
    apl_q(z)[2 * i + 1] = 0;
    for (int k = 0; k < n; k++)
      K[k * n + i] = bias[2 * k + 1] / 1e-100;
  }
  assert_true(dense_eigenvalues(K, M, n, square));
  free(bias);
  free(K);
  free(M);
  apl_state_free(z);
  apl_state_free(s);
  apl_model_free(model);
}

/* Relative errors of the first modes in percent (6 and 12 arcs are ours); but where the table
   prints 1.53 (three arcs, tip mass 1), exact rational arithmetic gives 1.52498. */
static void cantilever_frequencies(void** state) {
  (void)state;
  static const struct {
    int n, modes;
    double mu;
    double percent[3];
    double digit[3]; /* half a unit of the last printed digit */
  } row[] = {
      {1, 1, 0, {27.2}, {0.05}},
      {2, 2, 0, {5.09, 70.6}, {0.005, 0.05}},
      {3, 3, 0, {2.20, 18.2, 73.3}, {0.005, 0.05, 0.05}},
      {4, 3, 0, {1.22, 9.3, 25.9}, {0.005, 0.05, 0.05}},
      {6, 3, 0, {0.541, 3.912, 9.860}, {0.0005, 0.0005, 0.0005}},
      {12, 3, 0, {0.135, 0.948, 2.288}, {0.0005, 0.0005, 0.0005}},
      {8, 3, 0, {0.303, 2.16, 5.30}, {0.0005, 0.005, 0.005}},
      {16, 3, 0, {0.0757, 0.531, 1.27}, {0.00005, 0.0005, 0.005}},
      {64, 3, 0, {0.0047, 0.033, 0.079}, {0.00005, 0.0005, 0.0005}},
      {1, 1, 1, {17.2}, {0.05}},
      {2, 2, 1, {3.54, 44.0}, {0.005, 0.05}},
      {3, 3, 1, {1.52498, 15.1, 45.9}, {0.000005, 0.05, 0.05}},
      {4, 3, 1, {0.85, 7.9, 23.1}, {0.005, 0.05, 0.05}},
      {8, 3, 1, {0.210, 1.83, 4.88}, {0.0005, 0.005, 0.005}},
      {16, 3, 1, {0.0524, 0.450, 1.17}, {0.00005, 0.0005, 0.005}},
      {64, 3, 1, {0.0033, 0.028, 0.072}, {0.00005, 0.0005, 0.0005}},
  };

  CHECK_NEAR(beam_root(0, 0), 1.8751040687, 1e-10);
  CHECK_NEAR(beam_root(0.5, 0), 1.4199644298, 1e-10);
  CHECK_NEAR(beam_root(1, 0), 1.2479174096, 1e-10);
  CHECK_NEAR(beam_root(5, 0), 0.8700214589, 1e-10);
  for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
    double square[64];
    near_context("cantilever of %d arcs, tip mass %g", row[i].n, row[i].mu);
    frequencies(cantilever(row[i].n, row[i].mu, 0), square);
    for (int k = 0; k < row[i].modes; k++) {
      const double b = beam_root(row[i].mu, k);
      const double error = 100 * (sqrt(square[k]) / (b * b) - 1);
      CHECK_NEAR(error, row[i].percent[k], 1.0001 * row[i].digit[k]);
    }
    if (row[i].n == 1 && row[i].mu == 0) CHECK_NEAR(sqrt(square[0]), sqrt(20.0), 1e-14 * 5);
    if (row[i].n == 2 && row[i].mu == 0) CHECK_NEAR(sqrt(square[0]), 3.694819168, 5e-10);
  }
}

/* ---------------------------------------------------------------------------- static shapes ----
 */

/* Newton's method on the static efforts from the present shape, with complex-step derivatives. */
static void settle(const apl_model* model, apl_state* s) {
  const int n = apl_model_nv(model);
  apl_state* z;
  double J[32 * 32];
  double bias[64];
  double last = 1;

  CHECK_OK(apl_state_new(model, APL_COMPLEX, &z));
  for (int i = 0; i < apl_model_nu(model); i++)
    apl_u(z)[2 * i] = apl_u(s)[i];
  for (int round = 0; round < 30 && last > 1e-14; round++) {
    double f[32];
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < n; k++) {
        apl_q(z)[2 * k] = apl_q(s)[k];
        apl_q(z)[2 * k + 1] = k == i ? 1e-100 : 0;
      }
      CHECK_OK(apl_bias(model, z, bias));
      for (int k = 0; k < n; k++)
        J[k * n + i] = bias[2 * k + 1] / 1e-100;
    }
    CHECK_OK(apl_bias(model, s, f));

    /* a potential has a symmetric second derivative: dead loads and elasticity have one */
    for (int k = 0; k < n * n; k++)
      CHECK_NEAR(J[k], J[(k % n) * n + k / n], 1e-12 * n);
    assert_true(dense_solve(J, n, f));
    for (int i = 0; i < n; i++)
      apl_q(s)[i] -= f[i];
    last = near_max(f, n);
  }
  CHECK_TRUE(last <= 1e-14, "Newton's method does not settle: %g", last);
  apl_state_free(z);
}

/* Error of the transverse tip deflection of n arcs under the dead load alpha. */
static double deflection(int n, double alpha, double pose[12]) {
  apl_model* model = cantilever(n, 0, 0);
  apl_state* s;

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int k = 1; k <= 10; k++) {
    apl_u(s)[0] = alpha * k / 10;
    settle(model, s);
  }
  CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "rod.tip"), pose));
  apl_state_free(s);
  apl_model_free(model);
  return pose[9];
}

/* Small loads have closed forms for every n: the tip of n arcs moves by 1 - 1/(4 n^2) of 1/3 under
   a force, by 1 - 1/(3 n^2) of 1/8 under the weight of the rod. */
static void small_deflections(void** state) {
  (void)state;
  const double load = 1e-6; /* nonlinear terms are of the order load^2 */

  for (int n = 1; n <= 16; n++) {
    double pose[12];
    apl_model* model = cantilever(n, 0, load);
    apl_state* s;

    near_context("small loads on %d arcs", n);
    CHECK_NEAR(deflection(n, load, pose), load / 3 * (1 - 0.25 / (n * n)), 1e-11 * load);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    settle(model, s);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "rod.tip"), pose));
    CHECK_NEAR(pose[9], load / 8 * (1 - 1.0 / (3 * n * n)), 1e-11 * load);
    apl_state_free(s);
    apl_model_free(model);
  }
}

/* The tables of docs/clamped-rod.md for beams: n modes of the bare rod, with and without the two
   static shapes, under a tip mass of 1 (errors of the first three frequencies in percent), and
   under a small force at the tip and a small weight (errors of the deflection in percent). */
static void modes_of_a_beam(void** state) {
  (void)state;
  static const struct {
    rod_kind kind;
    int n;
    double frequency[3];
    double force, weight;
  } row[] = {
      {MODES, 1, {0.970}, -2.931, 1.339},
      {MODES, 2, {0.150, 1.895}, -0.460, -0.091},
      {MODES, 3, {0.047, 0.576, 2.291}, -0.144, 0.016},
      {MODES, 4, {0.020, 0.247, 0.931}, -0.062, -0.004},
      {MODES, 8, {0.003, 0.032, 0.117}, -0.008, 0.000},
      {MODES_AND_STATICS, 1, {0.000, 1.052, 91.39}, 0.000, 0.000},
      {MODES_AND_STATICS, 2, {0.000, 0.001, 3.293}, 0.000, 0.000},
      {MODES_AND_STATICS, 4, {0.000, 0.000, 0.000}, 0.000, 0.000},
  };
  const double load = 1e-6;

  for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
    double square[16], pose[12];
    apl_state* s;
    near_context("%d modes%s", row[i].n, row[i].kind == MODES ? "" : " and static shapes");
    frequencies(cantilever_of(row[i].kind, row[i].n, 0, 0), square);
    const double b0 = beam_root(0, 0);
    CHECK_NEAR(sqrt(square[0]), b0 * b0, 1e-9); /* the modes of the bare rod are its own */
    apl_model* loaded = cantilever_of(row[i].kind, row[i].n, 1, 0);
    const int nv = apl_model_nv(loaded);
    frequencies(loaded, square);
    for (int k = 0; k < 3 && k < nv; k++) {
      const double b = beam_root(1, k), error = 100 * (sqrt(square[k]) / (b * b) - 1);
      CHECK_NEAR(error, row[i].frequency[k], error > 10 ? 0.005 : 0.0005);
    }
    for (int weight = 0; weight < 2; weight++) {
      apl_model* model = cantilever_of(row[i].kind, row[i].n, 0, weight ? load : 0);
      CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
      apl_u(s)[0] = weight ? 0 : load;
      settle(model, s);
      CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "rod.tip"), pose));
      const double error = 100 * (pose[9] / (load / (weight ? 8 : 3)) - 1);
      CHECK_NEAR(error, weight ? row[i].weight : row[i].force, 0.0005);
      apl_state_free(s);
      apl_model_free(model);
    }
  }
}

/* The wire of docs/clamped-rod.md, level: how far it sags, in mm, with 1, 2, 3, 4, 8, 16 arcs. */
static void sag(void** state) {
  (void)state;
  static const int count[6] = {1, 2, 3, 4, 8, 16};
  static const double mm[6] = {40.3, 55.3, 58.0, 59.0, 59.9, 60.2};
  const double pi = acos(-1.0);
  const double EI = 67.5e9 * pi * pow(2e-3, 4) / 64;
  const double w = 6450 * pi * 1e-6 * 9.81;

  for (int k = 0; k < 6; k++) {
    apl_model* model = cantilever(count[k], 0, w * pow(0.6, 3) / EI);
    apl_state* s;
    double pose[12];
    near_context("sag of %d arcs", count[k]);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    settle(model, s);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "rod.tip"), pose));
    CHECK_NEAR(600 * pose[9], mm[k], 0.05);
    apl_state_free(s);
    apl_model_free(model);
  }
}

/* A moment bends a rod to an arc, which arcs are: exact for every n. */
static void tip_moment(void** state) {
  (void)state;
  for (int n = 1; n <= 32; n *= 2) {
    const double moment = 2.5;
    apl_model* model = cantilever(n, 0, 0);
    apl_state* s;
    double pose[12];

    near_context("tip moment on %d arcs", n);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    apl_u(s)[1] = moment;
    settle(model, s);
    for (int i = 0; i < n; i++)
      CHECK_NEAR(apl_q(s)[i], moment / n, 1e-14);
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "rod.tip"), pose));
    CHECK_NEAR(pose[9], (1 - cos(moment)) / moment, 1e-14);
    CHECK_NEAR(pose[11], sin(moment) / moment, 1e-14);
    apl_state_free(s);
    apl_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cantilever_frequencies),
      cmocka_unit_test(small_deflections),
      cmocka_unit_test(modes_of_a_beam),
      cmocka_unit_test(sag),
      cmocka_unit_test(tip_moment),
  };
  return cmocka_run_group_tests_name("arc beam", tests, NULL, NULL);
}
