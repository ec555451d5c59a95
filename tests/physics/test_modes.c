/* SPDX-License-Identifier: Apache-2.0 */
/* test_modes.c: modes of robots against closed forms: pendulums, oscillators, cantilevers; robots
   that float, roll, fall; beams by themselves. */
#include "text.h"

#include "analyse/modes.h"
#include "spec/parts.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81, pi = 3.14159265358979323846;

enum { MOST = 64 };

/* A robot from a text and its modes. */
typedef struct trial {
  apl_file* file;
  apl_model* model;
  apl_state* state;
  apl_modes* modes;
  apl_error err;
} trial;

static trial load(const char* text) {
  trial t = {0};
  text_load(text, &t.file, &t.model);
  assert_true(apl_model_nv(t.model) <= MOST);
  CHECK_OK(apl_state_new(t.model, APL_SCALAR, &t.state));
  return t;
}

static void find(trial* t, const apl_modes_options* o) {
  const apl_status st = apl_modes_new(t->model, t->state, o, &t->modes, &t->err);
  CHECK_TRUE(st == APL_OK, "%s", t->err.text);
}

/* The state that the text starts with is a balance: its modes. */
static trial modes_of(const char* text) {
  trial t = load(text);
  find(&t, NULL);
  return t;
}

static void done(trial* t) {
  apl_modes_free(t->modes);
  apl_state_free(t->state);
  apl_model_free(t->model);
  apl_file_free(t->file);
}

static int count(const trial* t) {
  return apl_modes_count(t->modes);
}

static apl_mode at(const trial* t, int i) {
  return apl_modes_at(t->modes, i);
}

static void expect_kind(const trial* t, int i, apl_mode_kind kind) {
  CHECK_TRUE(at(t, i).kind == kind, "mode %d: %s, not %s", i, apl_mode_word(at(t, i).kind),
             apl_mode_word(kind));
}

/* An undamped swing; a few round-offs. */
static void expect_swing(const trial* t, int i, double omega, double tolerance) {
  expect_kind(t, i, APL_MODE_SWINGS);
  CHECK_NEAR(at(t, i).omega / omega, 1.0, tolerance);
  CHECK_NEAR(at(t, i).damping, 0.0, 0.0);
}

/* --------------------------------------------------------------------------------- pendulums ----
 */

/* omega^2 = m g l / (I + m l^2); upside down lambda = +- the same */
static void compound_pendulum(void** state) {
  (void)state;
  const double omega = sqrt(2.0 * g * 0.5 / (0.2 + 2.0 * 0.25));
  trial t =
      modes_of("appell: 1\nlinks: [{name: arm, joint: {type: revolute, axis: y}, body: {mass: 2, "
               "com: [0, 0, -0.5], inertia: {xx: 0.1, yy: 0.2, zz: 0.1}}}]\n");
  double share[MOST], re[MOST], im[MOST];

  assert_int_equal(count(&t), 1);
  expect_swing(&t, 0, omega, 1e-14);
  apl_modes_share(t.modes, 0, share);
  CHECK_NEAR(share[0], 1.0, 1e-15);

  /* unit inertia: 0.7 x^2 = 1 */
  apl_modes_shape(t.modes, 0, re, im);
  CHECK_NEAR(re[0], 1.0 / sqrt(0.7), 1e-15);
  CHECK_NEAR(im[0], 0.0, 0.0);
  CHECK_OK(apl_modes_place(t.modes, 0, 0.1, pi / 3, t.state));
  CHECK_NEAR(apl_q(t.state)[0], 0.05 / sqrt(0.7), 1e-16);

  apl_q(t.state)[0] = pi;
  apl_modes_free(t.modes);
  find(&t, NULL);
  assert_int_equal(count(&t), 2);
  for (int i = 0; i < 2; i++) {
    const bool falls = at(&t, i).kind == APL_MODE_FALLS;
    expect_kind(&t, i, falls ? APL_MODE_FALLS : APL_MODE_CREEPS);
    CHECK_NEAR(at(&t, i).real / omega, falls ? 1.0 : -1.0, 1e-14);
    CHECK_NEAR(at(&t, i).imag, 0.0, 0.0);
  }
  assert_true(at(&t, 0).kind != at(&t, 1).kind);
  done(&t);
}

/* two equal point masses on equal strings: omega^2 = (2 -+ sqrt 2) g / l, relative angles 1 to
   +-sqrt 2 - 1 */
static void double_pendulum(void** state) {
  (void)state;
  trial t = modes_of(
      "appell: 1\nlinks:\n"
      "  - {name: a, joint: {type: revolute, axis: y}, body: {mass: 1, com: [0, 0, -0.8]}, "
      "ports: {end: {at: [0, 0, -0.8]}}}\n"
      "  - {name: b, on: a.end, joint: {type: revolute, axis: y}, "
      "body: {mass: 1, com: [0, 0, -0.8]}}\n");
  double re[MOST];

  assert_int_equal(count(&t), 2);
  for (int i = 0; i < 2; i++) {
    const double root = i == 0 ? sqrt(2.0) : -sqrt(2.0);
    expect_swing(&t, i, sqrt((2.0 - root) * g / 0.8), 1e-14);
    apl_modes_shape(t.modes, i, re, NULL);
    CHECK_NEAR(re[1] / re[0], root - 1.0, 1e-13);
  }
  done(&t);
}

/* A point mass on a universal joint and one on a ball joint: two modes of one frequency; the ball
   also turns about the vertical, which nothing resists. The shapes must be independent. */
static void equal_frequencies(void** state) {
  (void)state;
  static const char* const joint[] = {"universal", "spherical"};

  for (int k = 0; k < 2; k++) {
    char text[400];
    near_context("%s", joint[k]);
    snprintf(
        text, sizeof text,
        "appell: 1\nlinks: [{name: bob, joint: %s, body: {mass: 3, com: [0, 0, -0.7], inertia: "
        "{xx: 0.02, yy: 0.02, zz: 0.01}}}]\n",
        joint[k]);
    trial t = modes_of(text);
    double x[2][MOST];

    assert_int_equal(count(&t), 2 + k);
    if (k == 1) expect_kind(&t, 0, APL_MODE_RIGID);
    for (int i = 0; i < 2; i++) {
      expect_swing(&t, k + i, sqrt(3.0 * g * 0.7 / (0.02 + 3.0 * 0.49)), 1e-13);
      apl_modes_shape(t.modes, k + i, x[i], NULL);
    }
    double dot = 0.0, square[2] = {0, 0};
    for (int i = 0; i < apl_model_nv(t.model); i++) {
      dot += x[0][i] * x[1][i];
      square[0] += x[0][i] * x[0][i];
      square[1] += x[1][i] * x[1][i];
    }
    CHECK_NEAR(dot / sqrt(square[0] * square[1]), 0.0, 1e-12);
    done(&t);
  }
}

/* ------------------------------------------------------------------------------- oscillators ----
 */

/* m x'' + c x' + k x = 0: ratio c / 2 sqrt(km); above one two real lambda with product k/m and sum
   -c/m. Dry friction is left out: its slope of 300 is taken off the damping of 0.02, which leaves
   it a round-off of 300, 1e-12 of the decay. */
static void damped(void** state) {
  (void)state;
  static const double c[] = {0.02, 3.0, 19.0, 50.0};
  const double m = 2.0, k = 50.0;

  for (int i = 0; i < 4; i++) {
    char text[300];
    near_context("damping %g", c[i]);
    snprintf(text, sizeof text,
             "appell: 1\ngravity: [0, 0, 0]\nlinks: [{name: box, joint: {type: prismatic, axis: x, "
             "stiffness: %g, damping: %g, friction: 0.3}, body: {mass: %g}}]\n",
             k, c[i], m);
    trial t = modes_of(text);
    const double ratio = c[i] / (2.0 * sqrt(k * m));
    if (ratio < 1.0) {
      assert_int_equal(count(&t), 1);
      expect_kind(&t, 0, APL_MODE_SWINGS);
      CHECK_NEAR(at(&t, 0).omega, 5.0, 1e-14 * 5.0);
      CHECK_NEAR(at(&t, 0).damping, ratio, 1e-14);
      CHECK_NEAR(at(&t, 0).time * c[i] / (2.0 * m), 1.0, 2e-11);
    } else {
      assert_int_equal(count(&t), 2);
      expect_kind(&t, 0, APL_MODE_CREEPS);
      expect_kind(&t, 1, APL_MODE_CREEPS);
      CHECK_NEAR(at(&t, 0).real * at(&t, 1).real, k / m, 1e-13 * k / m);
      CHECK_NEAR(at(&t, 0).real + at(&t, 1).real, -c[i] / m, 1e-13 * c[i] / m);
    }
    done(&t);
  }
}

/* A turret about the vertical has no stiffness but a damper: one mode keeps its position, the other
   decays as e^(-c t / I). Without the damper only the first remains. */
static void turret(void** state) {
  (void)state;

  for (int k = 0; k < 2; k++) {
    char text[300];
    snprintf(text, sizeof text,
             "appell: 1\nlinks: [{name: top, joint: {type: revolute, axis: z, damping: %g}, body: "
             "{mass: 2, com: [0.3, 0, 0], inertia: {xx: 1, yy: 1, zz: 0.32}}}]\n",
             k * 0.7);
    trial t = modes_of(text);
    assert_int_equal(count(&t), 1 + k);
    expect_kind(&t, 0, APL_MODE_RIGID);
    CHECK_NEAR(at(&t, 0).omega, 0.0, 0.0);
    if (k == 1) expect_kind(&t, 1, APL_MODE_CREEPS);
    if (k == 1) CHECK_NEAR(at(&t, 1).real, -0.7 / 0.5, 1e-14);
    done(&t);
  }
}

/* Ziegler's column: two links of 1 m, 2 kg and 1 kg at their ends, springs of 1 N m/rad, a load P
   along the second link that turns with it. lambda^2 = -W, 2 W^2 - (7 - 2 P) W + 1 = 0: it swings
   up to P = 7/2 - sqrt 2, then flutters. No potential, so K is not symmetric. */
static void flutter(void** state) {
  (void)state;
  trial t = load(
      "appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
      "  - {name: a, joint: {type: revolute, axis: y, stiffness: 1}, body: {mass: 2, com: [0, 0, "
      "1]}, "
      "ports: {end: {at: [0, 0, 1]}}}\n"
      "  - {name: b, on: a.end, joint: {type: revolute, axis: y, stiffness: 1}, body: {mass: 1, "
      "com: [0, 0, 1]}, ports: {tip: {at: [0, 0, 1]}}}\n"
      "inputs: {load: {on: b.tip, force: [0, 0, -1], axes: port}}\n");

  for (int k = 0; k < 2; k++) {
    const double P = k == 0 ? 2.0 : 2.2, b = 7.0 - 2.0 * P;
    const double complex root = csqrt(b * b - 8.0);
    near_context("P = %g", P);
    apl_u(t.state)[0] = P;
    find(&t, NULL);
    assert_int_equal(count(&t), 2);
    for (int i = 0; i < 2; i++) {
      /* at 2.2 the two W are conjugate: one lambda of each pair grows, the other dies */
      const double complex lambda = csqrt(-(b + (i == 0 ? -1.0 : 1.0) * root) / 4.0);
      double nearest = 1.0;
      for (int j = 0; j < 2; j++) {
        const double re = fabs(at(&t, j).real) - fabs(creal(lambda));
        nearest = fmin(nearest, hypot(re, at(&t, j).imag - fabs(cimag(lambda))));
      }
      CHECK_NEAR(nearest, 0.0, 1e-13);
      if (k == 0) expect_kind(&t, i, APL_MODE_SWINGS);
      if (k == 0) CHECK_NEAR(at(&t, i).damping, 0.0, 0.0);
    }
    if (k == 1) assert_true(at(&t, 0).kind + at(&t, 1).kind == APL_MODE_FLUTTERS + APL_MODE_SWINGS);
    apl_modes_free(t.modes);
    t.modes = NULL;
  }
  done(&t);
}

/* A cart on wheels with a mast on a spring. If the cart rolls, with M the moving mass (wheels
   included), omega^2 = k' / (I - (m l)^2 / M), k' = k - m g l; with brakes k' / I. */
static void wheels(void** state) {
  (void)state;
  const double mb = 4.0, m = 0.6, l = 0.2, yy = 0.008 + m * l * l, k = 40.0;
  const double M = mb + m + 2.0 * 0.001 / (0.08 * 0.08);
  trial t = load(
      "appell: 1\nlinks:\n"
      "  - {name: base, joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm, "
      "wheel-inertia: 0.001}, body: {mass: 4, inertia: {zz: 0.06}}}\n"
      "  - {name: mast, on: base.root, joint: {type: revolute, axis: y, stiffness: 40}, "
      "body: {mass: 0.6, com: [0, 0, 0.2], inertia: {xx: 0.008, yy: 0.008, zz: 0.0002}}}\n");
  apl_modes_options o = apl_modes_options_default();
  const double soft = k - m * g * l;

  find(&t, &o);
  assert_int_equal(count(&t), 3);
  expect_kind(&t, 0, APL_MODE_RIGID);
  expect_kind(&t, 1, APL_MODE_RIGID);
  expect_swing(&t, 2, sqrt(soft / (yy - m * m * l * l / M)), 1e-13);
  apl_modes_free(t.modes);

  o.brakes = true;
  find(&t, &o);
  assert_int_equal(count(&t), 1);
  expect_swing(&t, 0, sqrt(soft / yy), 1e-13);
  done(&t);
}

/* -------------------------------------------------------------------------------------- beams ----
 */

static const char cantilever[] =
    "appell: 1\ngravity: [0, 0, 0]\nlinks: [{name: rod, joint: fixed, body: {type: beam, length: "
    "2, modes: 4, "
    "theory: euler-bernoulli, bending-stiffness: 12, mass-per-length: 0.3}}]\n";

/* Roots of cos b cosh b = -1: 1.875104068711961, 4.694091132974175, 7.854757438237613,
   10.995540734875467; omega = b^2 sqrt(EI / mu) / L^2. Modes are orthogonal, so each coordinate is
   a mode of the robot; quadrature leaves 1e-12. */
static void euler_bernoulli(void** state) {
  (void)state;
  static const double root[] = {1.875104068711961, 4.694091132974175, 7.854757438237613,
                                10.995540734875467};
  trial t = modes_of(cantilever);

  assert_int_equal(count(&t), 4);
  for (int i = 0; i < 4; i++) {
    const double omega = root[i] * root[i] * sqrt(12.0 / 0.3) / 4.0, tip = 1.0;
    apl_beam_shape s;
    apl_beam_section end;

    near_context("mode %d", i + 1);
    expect_swing(&t, i, omega, 1e-11);
    CHECK_OK(apl_spec_beam_shape(apl_file_spec(t.file), 0, i, &s, &tip, 1, &end, &t.err));
    assert_string_equal(s.direction, "bend-y");
    assert_string_equal(s.kind, "mode");
    assert_string_equal(s.root_end, "clamped");
    assert_string_equal(s.tip_end, "free");
    assert_int_equal(s.number, i + 1);
    CHECK_NEAR(s.omega / omega, 1.0, 1e-13);
    CHECK_NEAR(s.largest, 1.0, 0.0);
    CHECK_NEAR(s.length, 2.0, 0.0);

    /* the tip moves most; sections follow the tangent: the slope of the first is 1.3765/L */
    CHECK_NEAR(fabs(end.deflection), 1.0, 1e-12);
    CHECK_NEAR(end.turn, end.slope, 1e-12);
    if (i == 0) CHECK_NEAR(end.slope * 2.0, 1.376505, 1e-6);
  }
  done(&t);
}

/* Pinned at both ends Timoshenko's beam has sines, and with K = n pi, l = mu omega^2 L^4 / EI:
   r2 s2 l^2 - (1 + (r2 + s2) K^2) l + K^4 = 0. The chord is fixed. */
static void timoshenko(void** state) {
  (void)state;
  const double L = 0.5, EI = 3.0, GA = 400.0, mu = 0.5, J = 1e-3;
  const double s2 = EI / (GA * L * L), r2 = J / (mu * L * L);
  trial t = modes_of(
      "appell: 1\ngravity: [0, 0, 0]\nlinks: [{name: rod, joint: fixed, body: {type: beam, "
      "length: 0.5, modes: 3, root-end: pinned, tip-end: pinned, bending-stiffness: 3, "
      "shear-stiffness: 400, mass-per-length: 0.5, rotary-inertia: 1e-3}}]\n");

  assert_int_equal(count(&t), 3);
  for (int i = 0; i < 3; i++) {
    const double K2 = (i + 1) * pi * (i + 1) * pi, b = 1.0 + (r2 + s2) * K2;
    const double lambda = 2.0 * K2 * K2 / (b + sqrt(b * b - 4.0 * r2 * s2 * K2 * K2));
    const double omega = sqrt(lambda * EI / mu) / (L * L);
    apl_beam_shape s;

    near_context("mode %d", i + 1);
    expect_swing(&t, i, omega, 1e-11); /* quadrature */
    CHECK_OK(apl_spec_beam_shape(apl_file_spec(t.file), 0, i, &s, NULL, 0, NULL, &t.err));
    CHECK_NEAR(s.omega / omega, 1.0, 1e-12);
  }
  done(&t);
}

/* Torsion and stretch of a fixed rod: (n - 1/2) pi c / L; and shapes that are no modes. */
static void rods_and_others(void** state) {
  (void)state;
  const double half = 0.5;
  trial t = load("appell: 1\nlinks:\n"
                 "  - {name: rod, joint: fixed, body: {type: beam, length: 2, modes: 2, "
                 "directions: [torsion, axial], "
                 "static-shapes: tip, torsion-stiffness: 8, axial-stiffness: 900, mass-per-length: "
                 "1, rotary-inertia: 1e-2, "
                 "bending-stiffness: 1, shear-stiffness: 100}}\n"
                 "  - {name: own, joint: fixed, body: {type: beam, length: 2, modes: 2, theory: "
                 "euler-bernoulli, "
                 "polynomials: \"0 0 1; 0 0 3 -4\", mass-per-length: 1, bending-stiffness: 1}}\n");
  const apl_spec* spec = apl_file_spec(t.file);
  apl_beam_shape s;
  apl_beam_section mid;

  for (int k = 0; k < 6; k++) {
    const int nth = k % 3;
    const double speed = k < 3 ? sqrt(8.0 / 2e-2) : sqrt(900.0);
    CHECK_OK(apl_spec_beam_shape(spec, 0, k, &s, &half, 1, &mid, &t.err));
    assert_string_equal(s.direction, k < 3 ? "torsion" : "axial");
    assert_string_equal(s.kind, nth < 2 ? "mode" : "static");
    CHECK_NEAR(s.omega, nth < 2 ? (nth + 0.5) * pi * speed / 2.0 : 0.0, 1e-13 * s.omega);
    const double value = nth < 2 ? sin((nth + 0.5) * pi / 2.0) : 0.5;
    CHECK_NEAR(k < 3 ? mid.turn : mid.deflection, value, 1e-15);
  }
  /* 3 x^2 - 4 x^3 is largest inside at x = 1/2, where it is 1/4, and at the tip, -1 */
  CHECK_OK(apl_spec_beam_shape(spec, 1, 1, &s, &half, 1, &mid, &t.err));
  assert_string_equal(s.kind, "polynomial");
  CHECK_NEAR(s.omega, 0.0, 0.0);
  CHECK_NEAR(s.largest, 1.0, 1e-15);
  CHECK_NEAR(mid.deflection, 0.25, 1e-15);
  CHECK_NEAR(mid.slope, 0.0, 1e-15);
  assert_int_equal(apl_spec_beam_shape(spec, 1, 2, &s, NULL, 0, NULL, &t.err), APL_ERR_ARGUMENT);
  assert_int_equal(apl_spec_beam_shape(spec, 2, 0, &s, NULL, 0, NULL, NULL), APL_ERR_ARGUMENT);
  done(&t);
}

/* A beam that floats in its plane: three rigid motions, then cos b cosh b = 1, b = 4.730040745,
   7.853204624. Shapes clamped at the root span those of a free beam, since the frame moves, but the
   root has no moment or force then: from above, and slowly. */
static void floating_beam(void** state) {
  (void)state;
  static const double root[] = {4.730040744862704, 7.853204624095838};
  double before = 1.0;

  for (int n = 4; n <= 16; n *= 2) {
    char text[400];
    near_context("%d modes", n);
    snprintf(text, sizeof text,
             "appell: 1\ngravity: [0, 0, 0]\nlinks: [{name: rod, joint: {type: planar, normal: y}, "
             "body: {type: beam, "
             "length: 2, modes: %d, theory: euler-bernoulli, bending-stiffness: 12, "
             "mass-per-length: 0.3}}]\n",
             n);
    trial t = modes_of(text);
    assert_int_equal(count(&t), 3 + n);
    for (int i = 0; i < 3; i++)
      expect_kind(&t, i, APL_MODE_RIGID);
    for (int i = 0; i < 2; i++) {
      const double omega = root[i] * root[i] * sqrt(12.0 / 0.3) / 4.0;
      expect_kind(&t, 3 + i, APL_MODE_SWINGS);
      CHECK_TRUE(at(&t, 3 + i).omega > omega, "Ritz is from above");
    }
    const double error = at(&t, 3).omega * 4.0 / (root[0] * root[0] * sqrt(12.0 / 0.3)) - 1.0;
    CHECK_TRUE(error < 0.7 * before, "%g after %g", error, before);
    before = error;
    done(&t);
  }
  CHECK_NEAR(before, 0.0, 0.02);
}

/* A pendulum below a slider on a spring 1e10 times as stiff as it: the slow mode keeps its digits
   and is not taken for a rigid one. With a damper c in the hinge lambda is a root of
   ((M + m) y^2 + k)(m l^2 y^2 + c y + m g l) - m^2 l^2 y^4, found by Newton's method. */
static void stiff(void** state) {
  (void)state;
  const double M = 3.0, m = 0.5, l = 0.4, k = 2e10;

  for (int i = 0; i < 2; i++) {
    const double c = i * 1e-3;
    double complex y = -c / (2.0 * m * l * l) + sqrt(g / l) * (double complex)_Complex_I;
    char text[500];

    for (int n = 0; n < 20; n++) {
      const double complex a = (M + m) * y * y + k, b = m * l * l * y * y + c * y + m * g * l;
      const double complex f = a * b - m * m * l * l * y * y * y * y;
      const double complex f1 =
          2.0 * (M + m) * y * b + a * (2.0 * m * l * l * y + c) - 4.0 * m * m * l * l * y * y * y;
      y -= f / f1;
    }
    snprintf(
        text, sizeof text,
        "appell: 1\nlinks:\n  - {name: cart, joint: {type: prismatic, axis: x, stiffness: %g}, "
        "body: {mass: %g}}\n  - {name: arm, on: cart.root, joint: {type: revolute, axis: y, "
        "damping: %g}, body: {mass: %g, com: [0, 0, %g]}}\n",
        k, M, c, m, -l);
    trial t = modes_of(text);
    near_context("damping %g", c);
    assert_int_equal(count(&t), 2);
    expect_kind(&t, 0, APL_MODE_SWINGS);
    CHECK_NEAR(at(&t, 0).imag / cimag(y), 1.0, 1e-13);
    CHECK_NEAR(at(&t, 0).real, creal(y), 1e-13 * cimag(y));
    CHECK_NEAR(at(&t, 1).omega / sqrt(k * m * l * l / (M * m * l * l)), 1.0, 1e-8);
    done(&t);
  }
}

/* ------------------------------------------------------------------------------------- others ----
 */

/* Six rigid motions, each of one freedom; nothing else. */
static void floating_body(void** state) {
  (void)state;
  trial t = modes_of(
      "appell: 1\ngravity: [0, 0, 0]\nlinks: [{name: ball, joint: floating, body: {mass: 1, "
      "inertia: {xx: 1, yy: 2, zz: 2.5}}}]\n");
  double share[MOST], sum[6] = {0};

  assert_int_equal(count(&t), 6);
  for (int i = 0; i < 6; i++) {
    expect_kind(&t, i, APL_MODE_RIGID);
    apl_modes_share(t.modes, i, share);
    for (int k = 0; k < 6; k++)
      sum[k] += share[k] > 0.99;
  }
  for (int k = 0; k < 6; k++)
    CHECK_NEAR(sum[k], 1.0, 0.0);
  done(&t);
}

static void refusals(void** state) {
  (void)state;
  trial t = load("appell: 1\nlinks: [{name: arm, joint: {type: revolute, axis: y}, body: {mass: 2, "
                 "com: [0.5, 0, 0]}}]\n");

  assert_int_equal(apl_modes_new(t.model, t.state, NULL, &t.modes, &t.err), APL_ERR_EQUILIBRIUM);
  assert_null(t.modes);
  assert_non_null(strstr(t.err.text, "not in equilibrium"));
  assert_non_null(strstr(t.err.text, "arm.joint.angle"));

  /* a state of another kind */
  apl_state* wide;
  CHECK_OK(apl_state_new(t.model, APL_COMPLEX, &wide));
  assert_int_equal(apl_modes_new(t.model, wide, NULL, &t.modes, &t.err), APL_ERR_ARGUMENT);
  assert_null(t.modes);
  apl_state_free(wide);
  done(&t);

  /* nothing moves: no modes */
  t = modes_of("appell: 1\nlinks: [{name: wall, joint: fixed, body: {mass: 2}}]\n");
  assert_int_equal(count(&t), 0);
  done(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compound_pendulum),
      cmocka_unit_test(double_pendulum),
      cmocka_unit_test(equal_frequencies),
      cmocka_unit_test(damped),
      cmocka_unit_test(turret),
      cmocka_unit_test(flutter),
      cmocka_unit_test(wheels),
      cmocka_unit_test(euler_bernoulli),
      cmocka_unit_test(timoshenko),
      cmocka_unit_test(rods_and_others),
      cmocka_unit_test(floating_beam),
      cmocka_unit_test(stiff),
      cmocka_unit_test(floating_body),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
