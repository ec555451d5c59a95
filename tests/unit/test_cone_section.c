/* SPDX-License-Identifier: Apache-2.0 */
/* test_cone_section.c: sections of friction cones: nearest points against a search over the edge,
   derivatives against differences, half-axes without friction. */
#include "near.h"
#include "random.h"

#include "couple/solve/section.h"

#define TURN 6.283185307179586
enum { EDGE = 4000, TRIES = 400 };

/* The edge of C at an angle of the ellipse of its quadrant. */
static void edge_at(const apl_section* c, double angle, double p[2]) {
  const double e[2] = {cos(angle), sin(angle)};
  for (int i = 0; i < 2; ++i)
    p[i] = e[i] * (e[i] >= 0 ? c->plus[i] : c->minus[i]);
}

static apl_section any_section(rng* r, int k) {
  apl_section c;
  for (int i = 0; i < 2; ++i) {
    c.plus[i] = rng_between(r, 0.05, 1.5);
    c.minus[i] = rng_between(r, 0.05, 1.5);
  }
  if (k % 4 == 1) c.plus[k / 4 % 2] = 0;
  if (k % 4 == 2) c.plus[0] = c.minus[1] = 0;
  if (k % 4 == 3) c = apl_section_circle(c.plus[0]);
  return c;
}

static void test_nearest(void** state) {
  rng r = rng_seed(11);
  int outside = 0;

  (void)state;
  for (int k = 0; k < TRIES; ++k) {
    const apl_section c = any_section(&r, k);
    const double load = exp(rng_between(&r, -3, 3));
    const double z[2] = {load * rng_between(&r, -2, 2), load * rng_between(&r, -2, 2)};
    apl_section_point at;
    double least = HUGE_VAL;
    near_context("section %d", k);
    apl_section_project(&c, load, z, &at);
    const double far = hypot(at.p[0] - z[0], at.p[1] - z[1]);
    if (at.place == APL_SECTION_INSIDE) {
      CHECK_TRUE(apl_section_holds(&c, load, z), "inside, yet not held");
      CHECK_TRUE(far == 0, "an inside point moved");
      continue;
    }
    ++outside;
    for (int j = 0; j < EDGE; ++j) {
      double p[2];
      edge_at(&c, TURN * j / EDGE, p);
      least = fmin(least, hypot(load * p[0] - z[0], load * p[1] - z[1]));
    }
    /* flat edges, where the section ends on an axis: points between the corners */
    for (int j = 0; j <= EDGE; ++j) {
      const double s = (double)j / EDGE;
      for (int i = 0; i < 2; ++i) {
        double p[2] = {0, 0};
        p[i] = load * (s * c.plus[i] - (1 - s) * c.minus[i]);
        least = fmin(least, hypot(p[0] - z[0], p[1] - z[1]));
      }
    }
    /* the search is never nearer than the projection, and as near as its grid: 2 pi/4000, squared
       because distance is flat at its minimum; on flat edges and corners the grid itself */
    CHECK_TRUE(far <= least + 1e-12 * load, "%g is further than %g", far, least);
    CHECK_TRUE(far >= least - 1e-3 * load, "%g is nearer than the set, %g", far, least);
    const double in[2] = {at.p[0] * (1 - 1e-12), at.p[1] * (1 - 1e-12)};
    CHECK_TRUE(apl_section_holds(&c, load, in), "the projection is outside");
  }
  assert_true(outside > TRIES / 4);
}

/* dp_i/dz_j, and dp_i/dload for j = 2 */
static double slope(const apl_section_point* at, int i, int j) {
  const double t[2] = {-at->n[1], at->n[0]};
  if (at->place == APL_SECTION_INSIDE) return i == j;
  return j == 2 ? at->g[i] : at->shrink * t[i] * t[j];
}

static void test_derivatives(void** state) {
  rng r = rng_seed(12);

  (void)state;
  for (int k = 0; k < TRIES; ++k) {
    const apl_section c = any_section(&r, k);
    const double load = rng_between(&r, 0.5, 2), h = 1e-6;
    const double z[2] = {rng_between(&r, -3, 3), rng_between(&r, -3, 3)};
    apl_section_point at, a, b;
    near_context("section %d", k);
    apl_section_project(&c, load, z, &at);
    for (int j = 0; j < 3; ++j) {
      const double dz[2] = {j == 0 ? h : 0, j == 1 ? h : 0}, dl = j == 2 ? h : 0;
      apl_section_project(&c, load + dl, (double[]){z[0] + dz[0], z[1] + dz[1]}, &a);
      apl_section_project(&c, load - dl, (double[]){z[0] - dz[0], z[1] - dz[1]}, &b);
      if (a.place != at.place || b.place != at.place) continue;
      /* second-order differences: h^2 of curvatures up to 1/0.05^2, and 1e-15/h of round-off */
      for (int i = 0; i < 2; ++i)
        CHECK_NEAR(slope(&at, i, j), (a.p[i] - b.p[i]) / (2 * h), 2e-7);
    }
  }
}

static void test_support(void** state) {
  rng r = rng_seed(13);

  (void)state;
  for (int k = 0; k < TRIES; ++k) {
    const apl_section c = any_section(&r, k);
    const double x[2] = {rng_between(&r, -1, 1), rng_between(&r, -1, 1)};
    double most = 0;
    for (int j = 0; j < EDGE; ++j) {
      double p[2];
      edge_at(&c, TURN * j / EDGE, p);
      most = fmax(most, p[0] * x[0] + p[1] * x[1]);
    }
    CHECK_NEAR(apl_section_support(&c, x), most, 1e-5); /* the grid's (2 pi/4000)^2/2 of 1.5 */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_nearest),
      cmocka_unit_test(test_derivatives),
      cmocka_unit_test(test_support),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
