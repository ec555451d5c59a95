/* test_arc.c: the planar arc of spec/continuum.md: mass matrix against the closed forms of 1.3,
   which are evaluated here by their power series in 80-bit numbers; frequencies of section 5.

   Axes: X of the spec is -x, Y is z, its turning direction is +y. */
#include "dense.h"
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Stumpff function c_k(x) = sum (-x)^i/(k+2i)!; for x up to 25 no term exceeds 100. */
static long double stumpff(int k, long double x) {
  long double term = 1;
  for (int i = 2; i <= k; i++)
    term /= i;
  long double sum = 0;
  for (int i = 0; i < 40; i++) {
    sum += term;
    term *= -x / ((k + 2 * i + 1) * (long double)(k + 2 * i + 2));
  }
  return sum;
}

/* An arc whose root slides along x and z and turns about y: q = x, z, angle, bending. */
static apl_model* element(double L, double rhoA, double rhoI) {
  plan* p = plan_new();
  plan_link* sx = plan_add(p, "sx", "world", "prismatic", "rigid");
  plan_link* sz = plan_add(p, "sz", "sx", "prismatic", "rigid");
  plan_vec3(sx, "joint.axis", 1, 0, 0);
  plan_vec3(sz, "joint.axis", 0, 0, 1);
  plan_number(sx, "body.mass", 0);
  plan_number(sz, "body.mass", 0);
  plan_link* arc = plan_add(p, "arc", "sz", "revolute", "arc");
  plan_vec3(arc, "joint.axis", 0, 1, 0);
  plan_number(arc, "body.length", L);
  plan_number(arc, "body.mass-per-length", rhoA);
  plan_number(arc, "body.rotary-inertia", rhoI);
  plan_number(arc, "body.bending-stiffness", 1);
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

/* M of eq. (21), in our axes, root along the axes. */
static void closed_form(double theta, double length, double rhoA, double rhoI, double* M) {
  const long double t = (long double)theta;
  const long double L = (long double)length;
  const long double x = t * t;
  const long double c2 = stumpff(2, x);
  const long double c3 = stumpff(3, x);
  const long double c4 = stumpff(4, x);
  const long double c5 = stumpff(5, x);
  const long double m = (long double)rhoA * L;
  const long double J = (long double)rhoI * L;

  /* r_G = L (-theta c3, c2), its derivative by d c_k/dtheta = theta (k c_{k+2} - c_{k+1}) */
  const long double GX = -L * t * c3;
  const long double GY = L * c2;
  const long double GX1 = -L * (c3 + x * (3 * c5 - c4));
  const long double GY1 = L * t * (2 * c4 - c3);
  const long double row[4][4] = {
      {m, 0, m * GY, -m * GX1},
      {0, m, m * GX, m * GY1},
      {m * GY, m * GX, m * L * L * 2 * c3 + J, m * L * L * (c3 - c4) + J / 2},
      {-m * GX1, m * GY1, m * L * L * (c3 - c4) + J / 2, m * L * L * (2 * c4 - 4 * c5) + J / 3}};
  for (int i = 0; i < 16; i++)
    M[i] = (double)row[i / 4][i % 4];
}

static void mass_matrix(void** state) {
  (void)state;
  const double theta[] = {0,    1e-8, 1e-4, 1e-2, 0.1, 1,    3,    3.141592653589793,
                          3.19, 3.2,  3.21, 5,    -1,  -3.2, -1e-4};
  const double L = 0.7;
  const double rhoA = 1.3;
  const double rhoI = 0.02;
  apl_model* model = element(L, rhoA, rhoI);
  apl_state* s;
  double M[16];
  double want[16];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  assert_int_equal(apl_model_nv(model), 4);
  for (int i = 0; i < (int)(sizeof theta / sizeof *theta); i++) {
    near_context("bending angle %.17g", theta[i]);
    apl_q(s)[3] = theta[i];
    CHECK_OK(apl_mass_matrix(model, s, M));
    closed_form(theta[i], L, rhoA, rhoI, want);

    /* the functions are good to 5e-16 and are multiplied a few times by numbers below one */
    CHECK_ARRAY(M, want, 16, 2e-15, 1.0);
  }

  /* turned by the root: the same seen from there */
  near_context("turned root");
  apl_q(s)[2] = 0.8;
  apl_q(s)[3] = 1.4;
  CHECK_OK(apl_mass_matrix(model, s, M));
  closed_form(1.4, L, rhoA, rhoI, want);
  CHECK_NEAR(M[2], cos(0.8) * want[2] + sin(0.8) * want[6], 3e-15);
  CHECK_NEAR(M[6], -sin(0.8) * want[2] + cos(0.8) * want[6], 3e-15);
  CHECK_NEAR(M[7], -sin(0.8) * want[3] + cos(0.8) * want[7], 3e-15);
  CHECK_NEAR(M[15], want[15], 3e-15);
  apl_state_free(s);
  apl_model_free(model);
}

/* The tip stands where the arc ends: L (theta c2, c1) in (x, z), turned by theta about y. */
static void tip(void** state) {
  (void)state;
  const double theta[] = {0, 1e-8, 1e-3, 0.5, 2, 3.2, 5, -2};
  apl_model* model = element(0.7, 1, 0);
  apl_state* s;
  double pose[12];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int i = 0; i < 8; i++) {
    const long double t = (long double)theta[i];
    near_context("tip at %g rad", theta[i]);
    apl_q(s)[3] = theta[i];
    CHECK_OK(apl_port_pose(model, s, apl_model_port(model, "arc.tip"), pose));
    const double want[12] = {cos(theta[i]),
                             0,
                             sin(theta[i]),
                             0,
                             1,
                             0,
                             -sin(theta[i]),
                             0,
                             cos(theta[i]),
                             (double)(0.7L * t * stumpff(2, t * t)),
                             0,
                             (double)(0.7L * stumpff(1, t * t))};
    CHECK_ARRAY(pose, want, 12, 1e-15, 1);
  }
  apl_state_free(s);
  apl_model_free(model);
}

/* A straight cantilever of n arcs, stiffness and mass per length 1, length 1, tip mass mu. */
static apl_model* cantilever(int n, double mu) {
  plan* p = plan_new();
  char on[32] = "world";
  for (int i = 0; i < n; i++) {
    char name[16];
    snprintf(name, sizeof name, "e%d", i);
    plan_link* arc = plan_add(p, name, on, "fixed", "arc");
    plan_number(arc, "body.length", 1.0 / n);
    plan_number(arc, "body.mass-per-length", 1);
    plan_number(arc, "body.bending-stiffness", 1);
    snprintf(on, sizeof on, "e%d.tip", i);
  }
  if (mu > 0) plan_number(plan_add(p, "weight", on, "fixed", "rigid"), "body.mass", mu);
  p->gravity = (apl_vec3){0, 0, 0};
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

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

/* Squares of the natural frequencies; stiffness is n on each diagonal place. */
static void frequencies(int n, double mu, double* square) {
  apl_model* model = cantilever(n, mu);
  apl_state* s;
  double M[64];
  double K[64] = {0};

  assert_int_equal(apl_model_nv(model), n);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_mass_matrix(model, s, M));
  for (int i = 0; i < n; i++)
    K[i * n + i] = n;

  /* what the library says about stiffness: the effort at a small angle, which is exact for the
   * linear law */
  apl_q(s)[0] = 1e-3;
  CHECK_OK(apl_inverse(model, s));
  CHECK_NEAR(apl_tau(s)[0], 1e-3 * n, 1e-17 * n);
  assert_true(dense_eigenvalues(K, M, n, square));
  apl_state_free(s);
  apl_model_free(model);
}

/* Table of section 5: relative errors of the first modes in percent, to all printed digits; but
   where it prints 1.53 (three arcs, tip mass 1), exact rational arithmetic gives 1.52498. */
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
      {8, 3, 0, {0.303, 2.16, 5.30}, {0.0005, 0.005, 0.005}},
      {1, 1, 1, {17.2}, {0.05}},
      {2, 2, 1, {3.54, 44.0}, {0.005, 0.05}},
      {3, 3, 1, {1.52498, 15.1, 45.9}, {0.000005, 0.05, 0.05}},
      {4, 3, 1, {0.85, 7.9, 23.1}, {0.005, 0.05, 0.05}},
      {8, 3, 1, {0.210, 1.83, 4.88}, {0.0005, 0.005, 0.005}},
  };

  CHECK_NEAR(beam_root(0, 0), 1.8751040687, 1e-10);
  CHECK_NEAR(beam_root(1, 0), 1.2479174096, 1e-10);
  for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
    double square[8];
    near_context("cantilever of %d arcs, tip mass %g", row[i].n, row[i].mu);
    frequencies(row[i].n, row[i].mu, square);
    for (int k = 0; k < row[i].modes; k++) {
      const double b = beam_root(row[i].mu, k);
      const double error = 100 * (sqrt(square[k]) / (b * b) - 1);
      CHECK_NEAR(error, row[i].percent[k], 1.0001 * row[i].digit[k]);
    }
    if (row[i].n == 1 && row[i].mu == 0) CHECK_NEAR(sqrt(square[0]), sqrt(20.0), 1e-14 * 5);
    if (row[i].n == 2 && row[i].mu == 0) CHECK_NEAR(sqrt(square[0]), 3.694819168, 5e-10);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_matrix),
      cmocka_unit_test(tip),
      cmocka_unit_test(cantilever_frequencies),
  };
  return cmocka_run_group_tests_name("arc", tests, NULL, NULL);
}
