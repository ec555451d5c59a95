/* SPDX-License-Identifier: Apache-2.0 */
/* test_contact_law.c: law/contact_law.h: the formulas of contact against impacts integrated in
   small steps, limits of the laws, and maximum dissipation searched by brute force. */
#include "near.h"
#include "random.h"

#include "law/contact_law.h"

#include <string.h>

static friction_numbers numbers(void) {
  return (friction_numbers){.m = 0.3,
                            .ms = 0.5,
                            .back = 1,
                            .left = 1,
                            .right = 1,
                            .v0 = 0.1,
                            .v1 = 0.4,
                            .viscous = 0,
                            .vs = 0.05,
                            .d = 2,
                            .xi = 7,
                            .sigma0 = 1e3,
                            .sigma1 = 10};
}

/* ---------------------------------------------------------------------------------- normal ---- */

/* Every law has a word of its own, a sentence, and a loss that vanishes for e = 1 and falls with
   e; elastic laws have none at all. Gharib and Hurmuzlu's c = 1/e does not vanish, by design. */
static void losses(void** state) {
  (void)state;
  for (int i = 0; i < NORMAL_LAWS; ++i) {
    const normal_law law = (normal_law)i;
    for (int j = 0; j < i; ++j)
      assert_string_not_equal(normal_table[i].word, normal_table[j].word);
    assert_true(strlen(normal_table[i].title) > 5);
    if ((normal_table[i].needs & NEEDS_RESTITUTION) == 0) {
      CHECK_NEAR(normal_loss(law, 0.5), 0, 0);
      continue;
    }
    CHECK_NEAR(normal_loss(law, 1), law == NORMAL_GHARIB_HURMUZLU ? 1 : 0, 0);
    for (double e = 0.3; e < 1; e += 0.1)
      assert_true(normal_loss(law, e) > normal_loss(law, e + 0.05));
  }
}

/* A body of 1 kg at 1 m/s hits and leaves: rebound speed by a fine midpoint rule. */
static double rebound(normal_law law, double e) {
  const normal_numbers p = {1e4, 1.5, normal_loss(law, e), 0};
  double x = 0, v = 1;
  const double h = 2e-6;

  for (int i = 0; i < 100000 && (x >= 0); ++i) {
    const double xm = x + 0.5 * h * v, vm = v - 0.5 * h * normal_force(x, v, 1.0, &p, false);
    x += h * vm;
    v -= h * normal_force(xm, vm, 1.0, &p, false);
  }
  return -v;
}

/* Near e = 1 the laws of Hunt and Crossley and of Lankarani and Nikravesh are derived to first
   order in 1 - e: their rebound is e up to (1 - e)^2. Flores and Hu and Guo hold for all e within
   a few percent, as their papers claim. Hertz loses nothing. */
static void restitution(void** state) {
  (void)state;
  CHECK_NEAR(rebound(NORMAL_HERTZ, 0.5), 1, 1e-5);
  CHECK_NEAR(rebound(NORMAL_LANKARANI_NIKRAVESH, 0.95), 0.95, 0.03);
  for (double e = 0.3; e < 1; e += 0.2) {
    CHECK_NEAR(rebound(NORMAL_FLORES, e), e, 0.06);
    CHECK_NEAR(rebound(NORMAL_HU_GUO, e), e, 0.06);
  }
}

static void normal_forces(void** state) {
  const normal_numbers p = {2e3, 1.5, 0, 40};

  (void)state;
  CHECK_NEAR(normal_elastic(0.01, &p), 2.0, 1e-14); /* 2000 (0.01)^1.5 */
  CHECK_NEAR(normal_elastic(0, &p), 0, 0);
  CHECK_NEAR(normal_elastic(-0.5, &p), 0, 0);
  CHECK_NEAR(normal_force(0.01, 0.1, 1, &p, false), 6, 1e-14);
  CHECK_NEAR(normal_force(0.01, -0.1, 1, &p, true), -2, 1e-14);
  CHECK_NEAR(normal_force(0.01, -0.1, 1, &p, false), 0, 0); /* it does not pull */
}

/* -------------------------------------------------------------------------------- friction ---- */

/* What each law tends to: rest, far away, and on both sides of its corners. */
static void coefficients(void** state) {
  const friction_numbers p = numbers();

  (void)state;
  for (int i = 0; i < FRICTION_LAWS; ++i) {
    const friction_law law = (friction_law)i;
    const double far = friction_coefficient(law, 100, &p);
    near_context("%s", friction_table[i].word);
    for (int j = 0; j < i; ++j)
      assert_string_not_equal(friction_table[i].word, friction_table[j].word);
    if (law == FRICTION_NONE || law == FRICTION_COUPLED || law == FRICTION_DECOUPLED ||
        law == FRICTION_LUGRE) { /* no coefficient of the slip speed alone */
      CHECK_NEAR(far, 0, 0);
    } else {
      const bool sticks = law == FRICTION_KARNOPP || law == FRICTION_COULOMB_STICTION;
      CHECK_NEAR(far, 0.3, 1e-6); /* sliding */
      CHECK_NEAR(friction_coefficient(law, 0, &p), sticks ? 0.3 : 0, 1e-16);
    }
    /* continuous where the table says that there is a corner */
    if (friction_table[i].corners & 1)
      CHECK_NEAR(friction_coefficient(law, p.v0 * (1 - 1e-9), &p),
                 friction_coefficient(law, p.v0 * (1 + 1e-9), &p), 1e-8);
    if (friction_table[i].corners & 2)
      CHECK_NEAR(friction_coefficient(law, p.v1 * (1 - 1e-9), &p),
                 friction_coefficient(law, p.v1 * (1 + 1e-9), &p), 1e-8);
  }
  near_context(" ");
  CHECK_NEAR(friction_coefficient(FRICTION_BENGISU_AKAY, 0.1, &p), 0.5, 1e-15);
  CHECK_NEAR(friction_coefficient(FRICTION_AMBROSIO, 0.25, &p), 0.15, 1e-15);
  CHECK_NEAR(friction_coefficient(FRICTION_AMBROSIO, 0.05, &p), 0, 0);
  CHECK_NEAR(friction_coefficient(FRICTION_THRELFALL, 0.1, &p), 0.3, 1e-15);
}

static void viscous_part(void** state) {
  friction_numbers p = numbers();

  (void)state;
  const double dry = friction_coefficient(FRICTION_STRIBECK, 2, &p);
  p.viscous = 0.25;
  CHECK_NEAR(friction_coefficient(FRICTION_STRIBECK, 2, &p), dry + 0.5, 1e-15);
  CHECK_NEAR(friction_coefficient(FRICTION_VISCOUS, 2, &p) - 0.5,
             friction_coefficient(FRICTION_COULOMB, 2, &p), 1e-15);
  CHECK_NEAR(friction_stribeck(0, &p), 0.5, 0);
  CHECK_NEAR(friction_stribeck(0.05, &p), 0.3 + 0.2 * exp(-1), 1e-15);
  CHECK_NEAR(friction_stribeck(1e3, &p), 0.3, 0);
}

/* The slip on each half-axis meets its own coefficient. */
static void half_axes(void** state) {
  friction_numbers p = numbers();
  double a[2];

  (void)state;
  p.back = 2, p.left = 3, p.right = 4;
  friction_ratios((double[]){1, 1}, &p, a);
  assert_true(a[0] == 1 && a[1] == 3);
  friction_ratios((double[]){-1, -1}, &p, a);
  assert_true(a[0] == 2 && a[1] == 4);
}

/* Of all forces on the ellipse with the semi-axes m a_i, none takes more power: 3600 tried. */
static void most_dissipation(void** state) {
  const friction_numbers p = numbers();
  rng r = rng_seed(8);

  (void)state;
  for (int t = 0; t < 30; ++t) {
    const double a[2] = {rng_between(&r, 0.1, 2), rng_between(&r, 0.1, 2)};
    double v[2], force[2], best = 0;
    rng_fill(&r, v, 2, 1);
    friction_most(FRICTION_KARNOPP, v, a, &p, force); /* m(s) = m */
    const double x = force[0] / (p.m * a[0]), y = force[1] / (p.m * a[1]);
    CHECK_NEAR(x * x + y * y, 1, 1e-14); /* on the edge of the section */
    for (int k = 0; k < 3600; ++k) {
      const double angle = k * 1.7453292519943e-3;
      const double power = -p.m * (a[0] * cos(angle) * v[0] + a[1] * sin(angle) * v[1]);
      if (power > best) best = power;
    }
    const double got = -(force[0] * v[0] + force[1] * v[1]);
    assert_true(got >= best * (1 - 1e-15));
    CHECK_NEAR(got, best, 2e-6 * best); /* half a step of the search, squared */
  }
}

static void forces(void** state) {
  friction_numbers p = numbers();
  const double v[2] = {0.3, -0.4}, still[2] = {0, 0};
  double f[2], one[2];

  (void)state;
  /* equal coefficients: m(s) against the slip, s = 0.5 */
  friction_force(FRICTION_COULOMB, v, &p, f);
  const double m = 0.3 * 0.5 / sqrt(0.25 + 0.01);
  CHECK_NEAR(f[0], -m * 0.6, 1e-16);
  CHECK_NEAR(f[1], m * 0.8, 1e-16);
  friction_force(FRICTION_COUPLED, v, &p, f);
  CHECK_NEAR(f[0], -m * 0.6, 1e-16); /* the same without directions of its own */
  CHECK_NEAR(f[1], m * 0.8, 1e-16);
  friction_force(FRICTION_DECOUPLED, v, &p, f);
  CHECK_NEAR(f[0], -0.3 * 0.3 / sqrt(0.09 + 0.01), 1e-16); /* slip along y does not matter */
  for (int law = 0; law < FRICTION_LAWS; ++law) {
    friction_force((friction_law)law, still, &p, f);
    assert_true(f[0] == 0 && f[1] == 0);
    friction_force((friction_law)law, v, &p, f);
    assert_true(f[0] * v[0] + f[1] * v[1] <= 0); /* friction never drives */
  }
  /* an axis without friction takes none, and does not count in the slip speed */
  p.left = p.right = 0;
  friction_force(FRICTION_COULOMB, v, &p, f);
  friction_force(FRICTION_COULOMB, (double[]){0.3, 0}, &p, one);
  assert_true(f[1] == 0);
  CHECK_NEAR(f[0], one[0], 1e-16);
}

/* LuGre: the bristles that stay as they are, z = g v/|v| / sigma0, give Stribeck's force; a small
   deflection at rest is a spring. */
static void bristles(void** state) {
  friction_numbers p = numbers();
  const double v[2] = {0.03, 0.04}, still[2] = {0, 0}, s = 0.05;
  double force[2], rate[2];

  (void)state;
  p.viscous = 0.2;
  const double g = friction_stribeck(s, &p);
  const double steady[2] = {g * 0.6 / p.sigma0, g * 0.8 / p.sigma0};
  friction_bristles(v, steady, &p, force, rate);
  CHECK_NEAR(rate[0], 0, 1e-17);
  CHECK_NEAR(rate[1], 0, 1e-17);
  CHECK_NEAR(force[0], -(g * 0.6 + 0.2 * 0.03), 1e-16);
  CHECK_NEAR(force[1], -(g * 0.8 + 0.2 * 0.04), 1e-16);
  const double z[2] = {1e-4, -2e-4};
  friction_bristles(still, z, &p, force, rate);
  assert_true(rate[0] == 0 && rate[1] == 0);
  CHECK_NEAR(force[0], -0.1, 1e-16);
  CHECK_NEAR(force[1], 0.2, 1e-16);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(losses),           cmocka_unit_test(restitution),
      cmocka_unit_test(normal_forces),    cmocka_unit_test(coefficients),
      cmocka_unit_test(viscous_part),     cmocka_unit_test(half_axes),
      cmocka_unit_test(most_dissipation), cmocka_unit_test(forces),
      cmocka_unit_test(bristles),
  };
  return cmocka_run_group_tests_name("contact_law", tests, NULL, NULL);
}
