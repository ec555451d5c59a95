/* SPDX-License-Identifier: Apache-2.0 */
/* test_arc.c: one element of spec/continuum.md: mass matrix against the closed forms of 1.3 and
   7.3, which are evaluated here by their power series in 80-bit numbers; the fifth-order forms;
   straight, planar and turned limits.

   Axes: X of the spec is -x, Y is z, its turning direction is +y. */
#include "dense.h"
#include "near.h"
#include "plan.h"
#include "random.h"
#include "rod.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static apl_model* element(double L, double rhoA, double rhoI, const char* evaluation) {
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
  plan_words(arc, "body.evaluation", evaluation);
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
  apl_model* model = element(L, rhoA, rhoI, "exact");
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

/* The tip is at L (theta c2, c1) in (x, z), rotated by theta about y. */
static void tip(void** state) {
  (void)state;
  const double theta[] = {0, 1e-8, 1e-3, 0.5, 2, 3.2, 5, -2};
  apl_model* model = element(0.7, 1, 0, "exact");
  apl_state* s;
  double pose[12];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int i = 0; i < 8; i++) {
    const long double t = (long double)theta[i];
    near_context("tip at %g rad", theta[i]);
    apl_q(s)[3] = theta[i];
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "arc.tip"), pose));
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

/* The switch between series and sine lies at 3.2 rad: a step over it does not show. */
static void no_branch(void** state) {
  (void)state;
  apl_model* model = element(1, 1, 0.1, "exact");
  apl_state* s;
  double M[2][16];
  double bias[2][4];

  near_context("the two sides of 3.2 rad");
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  for (int k = 0; k < 2; k++) {
    apl_q(s)[3] = k == 0 ? 3.2 : nextafter(3.2, 4); /* squared 10.24 and more */
    apl_v(s)[3] = 1;
    apl_v(s)[2] = 0.5;
    CHECK_OK(apl_mass_matrix(model, s, M[k]));
    CHECK_OK(apl_bias(model, s, bias[k]));
  }
  CHECK_ARRAY(M[1], M[0], 16, 1e-15, 1);

  /* second derivatives: the errors 5e-16 of c_k times small numbers, and the stiffness 1 * 3.2 */
  CHECK_ARRAY(bias[1], bias[0], 4, 4e-15, 1);
  apl_state_free(s);
  apl_model_free(model);
}

/* ------------------------------------------------------------------------- fifth-order forms ----
 */

/* The planar numbers a, b, c of 1.3 that the mass matrix contains. */
static void planar_numbers(const char* evaluation, double theta, double abc[3]) {
  apl_model* model = element(1, 1, 0, evaluation);
  apl_state* s;
  double M[16];

  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_q(s)[3] = theta;
  CHECK_OK(apl_mass_matrix(model, s, M));
  abc[0] = M[10];
  abc[1] = M[11];
  abc[2] = M[15];
  apl_state_free(s);
  apl_model_free(model);
}

static void taylor_tables(void** state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    const double theta = (k == 0 ? 0.3 : k == 1 ? -1.1 : 2.4);
    const double x = theta * theta;
    const double x3 = x * x * x;
    const double t5[3] = {1.0 / 3 - x / 60 + x * x / 2520, 1.0 / 8 - x / 144 + x * x / 5760,
                          1.0 / 20 - x / 504 + x * x / 25920};
    const double p5[3] = {t5[0] + x3 / 25920 - x3 * x / 237600 + x3 * x * x / 6739200,
                          t5[1] - x3 / 28800 + x3 * x / 1036800,
                          t5[2] - x3 / 17600 + x3 * x / 269568};
    double got[3];
    near_context("fifth order at %g rad", theta);
    planar_numbers("t5", theta, got);
    CHECK_ARRAY(got, t5, 3, 3e-16, 1);
    planar_numbers("p5", theta, got);
    CHECK_ARRAY(got, p5, 3, 3e-16, 1);
  }
}

/* Errors of section 4 against the exact numbers, to all printed digits. */
static void taylor_errors(void** state) {
  (void)state;
  static const struct {
    double theta;
    double p5[3], t5[3]; /* relative errors of a, b, c                                           */
  } row[] = {
      {0.5, {2.0e-6, -4.1e-6, -1.7e-5}, {2.6e-7, 3.1e-7, 1.4e-7}},
      {1.0, {1.3e-4, -2.6e-4, -1.1e-3}, {1.7e-5, 2.1e-5, 9.3e-6}},
      {1.5, {1.3e-3, -3.1e-3, -1.2e-2}, {2.1e-4, 2.5e-4, 1.1e-4}},
      {2.0, {6.9e-3, -1.8e-2, -6.2e-2}, {1.2e-3, 1.5e-3, 6.6e-4}},
      {3.0, {6.1e-2, -2.3e-1, -4.8e-1}, {1.8e-2, 2.2e-2, 8.8e-3}},
  };

  for (int i = 0; i < (int)(sizeof row / sizeof *row); i++) {
    double exact[3];
    double p5[3];
    double t5[3];
    near_context("errors of the fifth order at %g rad", row[i].theta);
    planar_numbers("exact", row[i].theta, exact);
    planar_numbers("p5", row[i].theta, p5);
    planar_numbers("t5", row[i].theta, t5);
    for (int k = 0; k < 3; k++) {
      const double digit = pow(10, floor(log10(fabs(row[i].p5[k]))) - 1);
      const double other = pow(10, floor(log10(fabs(row[i].t5[k]))) - 1);
      CHECK_NEAR(p5[k] / exact[k] - 1, row[i].p5[k], 0.5001 * digit);
      CHECK_NEAR(t5[k] / exact[k] - 1, row[i].t5[k], 0.5001 * other);
    }
  }
}

/* Exact and p5 are Gram matrices; t5 loses definiteness at 2.727686 rad. */
static void definite(void** state) {
  (void)state;
  static const char* const evaluation[3] = {"exact", "p5", "t5"};
  for (int k = 0; k < 3; k++) {
    apl_model* model = element(1, 1, 0, evaluation[k]);
    apl_state* s;
    double lost = 0;

    near_context("definiteness of %s", evaluation[k]);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    for (double theta = 0; theta < 6.28 && lost == 0; theta += 1e-4) {
      double M[16];
      apl_q(s)[3] = theta;
      CHECK_OK(apl_mass_matrix(model, s, M));
      if (!dense_cholesky(M, 4)) lost = theta;
    }
    CHECK_NEAR(lost, k < 2 ? 0 : 2.727686, k < 2 ? 0 : 1.01e-4);
    apl_state_free(s);
    apl_model_free(model);
  }
}

/* ------------------------------------------------------------------------------- in space ---- */

static const rod thin = {.length = 0.7,
                         .elements = 1,
                         .strains = "bend-x bend-y",
                         .mass = 0.9,
                         .stiffness = {1.3, 1.3, 0.5, 30, 30, 60}};

/* A clamped rod with a weight that is no point at its tip; freed with both. */
static apl_model* clamped(const rod* r, double mass, double gy, apl_state** s) {
  plan* p = plan_new();
  p->gravity = (apl_vec3){4, gy, -9};
  rod_link(p, r, "rod", "world", "fixed");
  if (mass > 0) {
    plan_link* weight = plan_add(p, "weight", "rod.tip", "fixed", "rigid");
    plan_mass(weight, mass, (apl_vec3){0, 0, 0.1}, 0.01, 0.01, 0.01);
  }
  apl_model* model = plan_model(p);
  CHECK_OK(apl_state_new(model, APL_SCALAR, s));
  free(p);
  return model;
}

/* 7.3: M_qq = m L^2 (c n n^T + d (1 - n n^T)), c = 2 c4 - 4 c5, d = 8 c5(4 x) - 2 c5(x), in 80
   bits. The element is a closed form, so a few roundings are all that is left at any angle. */
static void bending_block(void** state) {
  (void)state;
  static const double at[] = {0, 1e-6, 0.4, 1.5, 2, 3.141592653589793, 3.3, 6.28, -1.2};
  apl_state* s;
  apl_model* model = clamped(&thin, 0, 0, &s);
  const double m = 0.9 * 0.7;

  for (int i = 0; i < (int)(sizeof at / sizeof *at); i++) {
    const long double t = (long double)at[i];
    const long double x = t * t;
    const double c = (double)(2 * stumpff(4, x) - 4 * stumpff(5, x));
    const double d = (double)(8 * stumpff(5, 4 * x) - 2 * stumpff(5, x));
    const double n[2] = {0.6, -0.8};
    double M[4];
    double want[4];

    near_context("two bendings, %g rad", at[i]);
    apl_q(s)[0] = at[i] * n[0];
    apl_q(s)[1] = at[i] * n[1];
    CHECK_OK(apl_mass_matrix(model, s, M));
    for (int k = 0; k < 4; k++) {
      const double nn = n[k / 2] * n[k % 2];
      want[k] = m * 0.7 * 0.7 * (c * nn + d * ((k % 3 == 0 ? 1 : 0) - nn));
    }
    CHECK_ARRAY(M, want, 4, 1e-15, m * 0.49);
  }
  apl_state_free(s);
  apl_model_free(model);
}

/* A rod that bends about x and carries a body in its plane; the same told as bend-y in a frame
   turned by a quarter about its line; and the first beside a hinge that keeps it from being flat.
 */
static apl_model* quarter_turned(bool about_x, bool hinge, apl_state** s) {
  const double quarter = about_x ? 0 : -1.5707963267948966;
  rod r = {.length = 0.7, .elements = 3, .mass = 0.9, .drag = 0.3, .time = 0.01};
  plan* p = plan_new();

  p->gravity = (apl_vec3){3, 4, -8};
  r.strains = about_x ? "bend-x" : "bend-y";
  r.stiffness[about_x ? 0 : 1] = 0.8;
  r.curvature[about_x ? 0 : 1] = 0.4;
  r.jx = about_x ? 0.01 : 0.03;
  r.jy = about_x ? 0.03 : 0.01;
  plan_link* hub = plan_add(p, "hub", "world", "fixed", "rigid");
  plan_mass(hub, 1, (apl_vec3){0, 0, 0}, 0.1, 0.1, 0.1);
  hub->at = (apl_pose){{0.1, 0.2, -0.1}, apl_quat_rpy(0.3, -0.4, 0.9)};
  rod_link(p, &r, "rod", "hub", "fixed")->at.rotation = apl_quat_axis((apl_vec3){0, 0, 1}, quarter);
  plan_link* weight = plan_add(p, "weight", "rod.tip", "fixed", "rigid");
  plan_mass(weight, 0.3, about_x ? (apl_vec3){0, 0.05, 0.1} : (apl_vec3){-0.05, 0, 0.1},
            about_x ? 0.02 : 0.01, about_x ? 0.01 : 0.02, 0.015);
  if (hinge) {
    plan_link* away = plan_add(p, "away", "world", "revolute", "rigid");
    plan_vec3(away, "joint.axis", 1, 0, 0);
    plan_mass(away, 1, (apl_vec3){0, 0.1, 0.2}, 0.1, 0.1, 0.1);
  }
  apl_model* model = plan_model(p);
  CHECK_OK(apl_state_new(model, APL_SCALAR, s));
  free(p);
  return model;
}

static void bends_about_x(void** state) {
  (void)state;
  static const double q[3] = {0.7, -1.1, 0.4};
  static const double v[3] = {1.5, 0.8, -2.1};
  double a[3][3];
  double energy[3][2];
  double tip[3][12];

  near_context("bend-x as bend-y turned by a quarter");
  for (int k = 0; k < 3; k++) {
    apl_state* s;
    apl_model* model = quarter_turned(k != 1, k == 2, &s);

    memcpy(apl_q(s), q, sizeof q);
    memcpy(apl_v(s), v, sizeof v);
    CHECK_OK(apl_forward(model, s));
    memcpy(a[k], apl_a(s), sizeof a[k]);
    CHECK_OK(apl_energy(model, s, energy[k]));
    CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "rod.tip"), tip[k]));
    apl_state_free(s);
    apl_model_free(model);
  }
  CHECK_ALIVE(a[0], 3, 0.1);

  /* in the plane both are the same numbers, but for the rounding of the turned frame; in space the
     condition of M, 1e3, is lost on top */
  CHECK_ARRAY(a[0], a[1], 3, 1e-13, near_max(a[0], 3));
  CHECK_ARRAY(a[0], a[2], 3, 1e-12, near_max(a[0], 3));
  CHECK_ARRAY(energy[0], energy[1], 2, 1e-14, 1 + near_max(energy[0], 2));
  CHECK_ARRAY(tip[0] + 9, tip[1] + 9, 3, 1e-15, 1); /* its place */
}

/* Strains along a direction of the section, turned by an angle: the same motion, turned. */
static void bending_plane(void** state) {
  (void)state;
  const double angle = 0.7;
  const double c = cos(angle);
  const double w = sin(angle);
  const double q[2] = {0.9, -1.3};
  const double v[2] = {1.1, 2.3};
  double a[2][2];
  rod r = thin;
  r.jx = r.jy = 0.02;

  near_context("bending plane turned by %g rad", angle);
  for (int k = 0; k < 2; k++) {
    plan* p = plan_new();
    apl_state* s;

    /* once the rod, once the rod turned about its own line with the gravity it then feels */
    p->gravity = k == 0 ? (apl_vec3){3, 4, -9} : (apl_vec3){3 * c - 4 * w, 3 * w + 4 * c, -9};
    rod_link(p, &r, "rod", "world", "fixed");
    apl_model* model = plan_model(p);
    CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
    apl_q(s)[0] = k == 0 ? q[0] : c * q[0] - w * q[1];
    apl_q(s)[1] = k == 0 ? q[1] : w * q[0] + c * q[1];
    apl_v(s)[0] = k == 0 ? v[0] : c * v[0] - w * v[1];
    apl_v(s)[1] = k == 0 ? v[1] : w * v[0] + c * v[1];
    CHECK_OK(apl_forward(model, s));
    memcpy(a[k], apl_a(s), sizeof a[k]);
    apl_state_free(s);
    apl_model_free(model);
    free(p);
  }
  const double want[2] = {c * a[0][0] - w * a[0][1], w * a[0][0] + c * a[0][1]};
  CHECK_ALIVE(want, 2, 1);
  CHECK_ARRAY(a[1], want, 2, 1e-13, near_max(want, 2));
}

/* Bent about y only, the elements in space are the planar ones. */
static void planar_limit(void** state) {
  (void)state;
  static const char* const strains[3] = {"bend-y", "bend-x bend-y",
                                         "bend-x bend-y torsion shear-x shear-y elongation"};
  static const int place[3] = {0, 1, 1};
  static const int nx[3] = {1, 2, 6};
  double a[3][2];

  near_context("planar limit");
  for (int k = 0; k < 2; k++) {
    rod r = thin;
    apl_state* s;
    r.elements = 2;
    r.jx = r.jy = 0.02;
    r.strains = strains[k];
    apl_model* model = clamped(&r, 0.3, 0, &s);
    for (int e = 0; e < 2; e++) {
      apl_q(s)[e * nx[k] + place[k]] = e == 0 ? 1.1 : -0.7;
      apl_v(s)[e * nx[k] + place[k]] = e == 0 ? 2.2 : 3.1;
    }
    CHECK_OK(apl_forward(model, s));
    for (int e = 0; e < 2; e++)
      a[k][e] = apl_a(s)[e * nx[k] + place[k]];
    if (k == 1) {
      CHECK_NEAR(apl_a(s)[0], 0, 1e-13 * fabs(a[1][0]));
      CHECK_NEAR(apl_a(s)[2], 0, 1e-13 * fabs(a[1][0]));
    }
    apl_state_free(s);
    apl_model_free(model);
  }
  CHECK_ALIVE(a[0], 2, 1);
  CHECK_ARRAY(a[1], a[0], 2, 1e-13, near_max(a[0], 2));

  /* with six strains others move too: efforts of the bendings for the same motion */
  double tau[2][2];
  for (int k = 0; k < 3; k += 2) {
    rod r = thin;
    apl_state* s;
    r.elements = 2;
    r.jx = r.jy = 0.02;
    r.strains = strains[k];
    apl_model* model = clamped(&r, 0.3, 0, &s);
    for (int e = 0; e < 2; e++) {
      apl_q(s)[e * nx[k] + place[k]] = e == 0 ? 1.1 : -0.7;
      apl_v(s)[e * nx[k] + place[k]] = e == 0 ? 2.2 : 3.1;
      apl_a(s)[e * nx[k] + place[k]] = e == 0 ? 5.0 : -4.0;
    }
    CHECK_OK(apl_inverse(model, s));
    for (int e = 0; e < 2; e++)
      tau[k / 2][e] = apl_tau(s)[e * nx[k] + place[k]];
    apl_state_free(s);
    apl_model_free(model);
  }
  CHECK_ARRAY(tau[1], tau[0], 2, 1e-13, near_max(tau[0], 2));
}

/* Straight means straight in every mode: 0 and 1e-12 give the same to 1e-12 or so, finite. */
static void straight(void** state) {
  (void)state;
  static const struct {
    const char* strains;
    const char* evaluation;
  } mode[] = {{"bend-y", "exact"},
              {"bend-y", "p5"},
              {"bend-y", "t5"},
              {"bend-x bend-y", "exact"},
              {"bend-x torsion", "exact"},
              {"bend-x bend-y torsion shear-x shear-y elongation", "exact"}};

  for (int i = 0; i < (int)(sizeof mode / sizeof *mode); i++) {
    rod r = thin;
    apl_state* s;
    double a[2][12];
    r.elements = 2;
    r.jx = r.jy = 0.02;
    r.strains = mode[i].strains;
    r.evaluation = mode[i].evaluation;
    near_context("straight: %s, %s", r.strains, r.evaluation);
    apl_model* model = clamped(&r, 0.3, 3, &s);
    const int n = apl_model_nv(model);
    for (int k = 0; k < 2; k++) {
      for (int j = 0; j < n; j++) {
        apl_q(s)[j] = k * 1e-12;
        apl_v(s)[j] = 0.3 + 0.1 * j;
      }
      CHECK_OK(apl_forward(model, s));
      memcpy(a[k], apl_a(s), sizeof(double) * (size_t)n);
    }
    CHECK_ALIVE(a[0], n, 0.1);

    /* derivatives by q are up to 1e4: stiffness 60 over 0.35 m over masses of 0.1 kg */
    CHECK_ARRAY(a[1], a[0], n, 1e-8, 1 + near_max(a[0], n));
    CHECK_TRUE(memcmp(a[1], a[0], sizeof(double) * (size_t)n) != 0, "1e-12 rad is not seen");
    apl_state_free(s);
    apl_model_free(model);
  }
}

/* Lanes with angles on both sides of 3.2 rad give the bits of scalar states, and the complex step
   is exact on both sides. */
static void builds_beyond_the_switch(void** state) {
  (void)state;
  static const char* const strains[2] = {"bend-y", "bend-x bend-y torsion"};
  const double angle[4] = {1e-9, 3.4, -0.7, 5.1};

  for (int i = 0; i < 2; i++) {
    rod r = thin;
    apl_state* s;
    apl_state* lanes;
    apl_state* z;
    double alone[4][3];
    double wide[12];
    r.jx = r.jy = 0.02;
    r.strains = strains[i];
    near_context("builds beyond the switch, %s", r.strains);
    apl_model* model = clamped(&r, 0.3, 3, &s);
    const int n = apl_model_nv(model);
    CHECK_OK(apl_state_new(model, APL_LANES, &lanes));
    CHECK_OK(apl_state_new(model, APL_COMPLEX, &z));
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < n; j++) {
        apl_q(s)[j] = apl_q(lanes)[4 * j + k] = angle[k] * (j == 0 ? 1 : 0.1);
        apl_v(s)[j] = apl_v(lanes)[4 * j + k] = 1 + j;
      }
      CHECK_OK(apl_bias(model, s, alone[k]));
    }
    CHECK_OK(apl_bias(model, lanes, wide));
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < n; j++)
        CHECK_NEAR(wide[4 * j + k], alone[k][j], 2e-15 * near_max(alone[k], n));
    }

    /* derivative by the first coordinate; differences are good to 1e-9 */
    for (int k = 0; k < 4; k++) {
      const double h = 6e-6;
      double out[6];
      double side[2][3];
      for (int j = 0; j < n; j++) {
        apl_q(s)[j] = apl_q(z)[2 * j] = angle[k] * (j == 0 ? 1 : 0.1);
        apl_v(s)[j] = apl_v(z)[2 * j] = 1 + j;
      }
      apl_q(z)[1] = 1e-100;
      CHECK_OK(apl_bias(model, z, out));
      for (int d = 0; d < 2; d++) {
        apl_q(s)[0] = angle[k] + (d == 0 ? h : -h);
        CHECK_OK(apl_bias(model, s, side[d]));
      }
      for (int j = 0; j < n; j++) {
        const double rough = (side[0][j] - side[1][j]) / (2 * h);
        CHECK_NEAR(out[2 * j + 1] / 1e-100, rough, 1e-8 * (1 + near_max(alone[k], n)));
      }
    }
    apl_state_free(z);
    apl_state_free(lanes);
    apl_state_free(s);
    apl_model_free(model);
  }
}

/* n elements of one link are n links in a chain. */
static void one_link_or_many(void** state) {
  (void)state;
  static const char* const strains[3] = {"bend-y", "bend-x bend-y", "bend-y torsion elongation"};
  enum { N = 4 };

  for (int i = 0; i < 3; i++) {
    rod whole = thin;
    rod part = thin;
    double tau[2][3 * N + 1];
    double a[2][3 * N + 1];
    double v[3 * N + 1];
    double q[3 * N + 1];
    rng r = rng_seed(40 + (unsigned)i);
    whole.strains = part.strains = strains[i];
    whole.jx = whole.jy = part.jx = part.jy = 0.02;
    whole.drag = part.drag = 0.3;
    whole.elements = N;
    part.length = whole.length / N;
    near_context("one link or many, %s", strains[i]);
    for (int k = 0; k < 2; k++) {
      plan* p = plan_new();
      apl_state* s;
      char on[24] = "world";
      for (int e = 0; e < (k == 0 ? 1 : N); e++) {
        char name[16];
        snprintf(name, sizeof name, "e%d", e);
        rod_link(p, k == 0 ? &whole : &part, name, on, "fixed");
        snprintf(on, sizeof on, "e%d.tip", e);
      }
      plan_link* weight = plan_add(p, "weight", on, "revolute", "rigid");
      plan_mass(weight, 0.3, (apl_vec3){0.1, 0, 0.1}, 0.01, 0.01, 0.01);
      apl_model* model = plan_model(p);
      const int n = apl_model_nv(model);
      CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
      if (k == 0) {
        rng_fill(&r, q, n, 0.2);
        rng_fill(&r, v, n, 1);
      }
      memcpy(apl_q(s), q, sizeof(double) * (size_t)n);
      memcpy(apl_v(s), v, sizeof(double) * (size_t)n);
      memcpy(apl_a(s), v, sizeof(double) * (size_t)n);
      CHECK_OK(apl_inverse(model, s));
      memcpy(tau[k], apl_tau(s), sizeof(double) * (size_t)n);
      memset(apl_tau(s), 0, sizeof(double) * (size_t)n);
      CHECK_OK(apl_forward(model, s));
      memcpy(a[k], apl_a(s), sizeof(double) * (size_t)n);
      if (k == 1) {
        CHECK_ARRAY(tau[1], tau[0], n, 1e-14, near_max(tau[0], n));

        /* accelerations times the condition of M, 1e3 */
        CHECK_ARRAY(a[1], a[0], n, 1e-12, near_max(a[0], n));
      }
      apl_state_free(s);
      apl_model_free(model);
      free(p);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mass_matrix),      cmocka_unit_test(tip),
      cmocka_unit_test(no_branch),        cmocka_unit_test(taylor_tables),
      cmocka_unit_test(taylor_errors),    cmocka_unit_test(definite),
      cmocka_unit_test(bending_block),    cmocka_unit_test(bends_about_x),
      cmocka_unit_test(bending_plane),    cmocka_unit_test(planar_limit),
      cmocka_unit_test(straight),         cmocka_unit_test(builds_beyond_the_switch),
      cmocka_unit_test(one_link_or_many),
  };
  return cmocka_run_group_tests_name("arc", tests, NULL, NULL);
}
