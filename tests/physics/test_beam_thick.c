/* SPDX-License-Identifier: Apache-2.0 */
/* test_beam_thick.c: stout beams, whose modes lie on both sides of the cut-off, against the
   determinant of their ends: eleven pairs, with and without a body at the tip. The determinant
   comes from the solution of the differential equations stepped along the beam in long double,
   which knows neither a cut-off nor a basis of exponentials. */
#include "beams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 9, STEPS = 64, TERMS = 48 };

/* Length, mass and bending stiffness are one. A body at the tip: mass, inertia, offset. */
typedef struct stout {
  double s2, r2;
  const char* ends;
  double mass, inertia, offset;
} stout;

/* h/L to s2 and r2 of a rectangle, E/G = 2.6, k = 5/6 */
static stout of_height(double h, const stout* ends) {
  stout b = *ends;
  b.r2 = h * h / 12;
  b.s2 = b.r2 * 2.6 * 1.2;
  return b;
}

static const stout pairs[] = {
    {0, 0, "cf", 0, 0, 0},        {0, 0, "cc", 0, 0, 0},        {0, 0, "cs", 0, 0, 0},
    {0, 0, "sc", 0, 0, 0},        {0, 0, "ss", 0, 0, 0},        {0, 0, "sf", 0, 0, 0},
    {0, 0, "cf", 0.7, 0, 0},      {0, 0, "cf", 0, 0.05, 0},     {0, 0, "cf", 2, 0.03, 0.2},
    {0, 0, "cf", 0.5, 0.1, -0.1}, {0, 0, "sf", 0.4, 0.02, 0.1},
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* ---------------------------------------------------------------------------------- oracle ---- */

/* exp(A/STEPS) of y' = A y, y = (W, T, M, v), with the shear force V = l v:
     W' = T + l s2 v      T' = M      M' = -l v - l r2 T      v' = -W */
static void step_matrix(const stout* b, long double l, long double E[4][4]) {
  const long double h = 1.0L / STEPS;
  const long double A[4][4] = {{0, h, 0, h * l * (long double)b->s2},
                               {0, 0, h, 0},
                               {0, -h * l * (long double)b->r2, 0, -h * l},
                               {-h, 0, 0, 0}};
  long double term[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};

  memcpy(E, term, sizeof term);
  for (int k = 1; k < TERMS; k++) {
    long double next[4][4] = {{0}};
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        for (int m = 0; m < 4; m++)
          next[i][j] += term[i][m] * A[m][j] / k;
      }
    }
    memcpy(term, next, sizeof term);
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++)
        E[i][j] += term[i][j];
    }
  }
}

/* The two solutions that the root allows, at the tip, put into the two conditions there. It is
   smooth in l and vanishes at the modes, and at the pure shear of pinned-pinned. */
static double determinant(const stout* b, double lambda) {
  const long double l = (long double)lambda, m = (long double)b->mass, d = (long double)b->offset;
  const long double J = (long double)b->inertia + m * d * d;
  long double E[4][4];
  long double row[2][2];

  step_matrix(b, l, E);
  for (int k = 0; k < 2; k++) {
    long double y[4] = {0};
    y[k == 0 ? 3 : b->ends[0] == 'c' ? 2 : 1] = 1;
    for (int i = 0; i < STEPS; i++) {
      long double z[4] = {0};
      for (int r = 0; r < 4; r++) {
        for (int c = 0; c < 4; c++)
          z[r] += E[r][c] * y[c];
      }
      memcpy(y, z, sizeof y);
    }
    row[0][k] = b->ends[1] == 'f' ? y[3] - m * (y[0] + d * y[1]) : y[0];
    row[1][k] = b->ends[1] == 'c'   ? y[1]
                : b->ends[1] == 's' ? y[2]
                                    : y[2] - l * (m * d * y[0] + J * y[1]);
  }
  return (double)(row[0][0] * row[1][1] - row[0][1] * row[1][0]);
}

/* How often it changes its sign from a to b, seen from so many points. */
static int changes(const stout* s, double a, double b, int points) {
  double before = determinant(s, a);
  int n = 0;

  for (int i = 1; i <= points; i++) {
    const double now = determinant(s, a + (b - a) * i / points);
    n += (now > 0) != (before > 0);
    before = now;
  }
  return n;
}

/* ----------------------------------------------------------------------------------- modes ---- */

static apl_model* model_of(const stout* b, int modes, apl_error* err) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "beam", "world", "fixed", "beam");
  apl_model* model = NULL;

  p->gravity = (apl_vec3){0, 0, 0};
  plan_number(link, "body.modes", modes);
  plan_number(link, "body.length", 1);
  plan_number(link, "body.mass-per-length", 1);
  plan_number(link, "body.bending-stiffness", 1);
  plan_number(link, "body.shear-stiffness", 1 / b->s2);
  plan_number(link, "body.rotary-inertia", b->r2);
  plan_number(link, "body.mode-tip-mass", b->mass);
  plan_number(link, "body.mode-tip-inertia", b->inertia);
  plan_number(link, "body.mode-tip-offset", b->offset);
  beams_ends(link, b->ends);
  if (b->mass > 0 || b->inertia > 0) {
    plan_link* load = plan_add(p, "load", "beam.tip", "fixed", "rigid");
    plan_mass(load, b->mass, (apl_vec3){0, 0, b->offset}, b->inertia, b->inertia, b->inertia);
  }
  plan_build(p, NULL, &model, err);
  free(p);
  return model;
}

/* Squares of frequencies; where they are modes, mass and stiffness are diagonal to `tolerance`. */
static void frequencies(const apl_model* model, int n, double tolerance, double* lambda) {
  double D[BEAMS_MOST * BEAMS_MOST];
  double K[BEAMS_MOST * BEAMS_MOST];

  beams_matrices(model, D, K);
  for (int i = 0; i < n; i++) {
    lambda[i] = K[i * n + i] / D[i * n + i];
    for (int j = 0; j < i; j++) {
      CHECK_NEAR(D[i * n + j] / sqrt(D[i * n + i] * D[j * n + j]), 0, tolerance);
      CHECK_NEAR(K[i * n + j] / sqrt(K[i * n + i] * K[j * n + j]), 0, tolerance);
    }
  }
}

/* Each mode is a root of the determinant, and there are no others: none is missed, on either side
   of the cut-off l = 1/(r2 s2). */
static void roots(void** state) {
  (void)state;
  static const double height[] = {0.1, 0.3, 0.6};
  for (int h = 0; h < 3; h++) {
    int above = 0;
    for (int k = 0; k < PAIRS; k++) {
      const stout b = of_height(height[h], &pairs[k]);
      const double cutoff = 1 / (b.r2 * b.s2), near = 1e-11;
      double lambda[N];
      double from = 0.01;
      apl_error err = {0};

      near_context("%s, h/L = %g, tip body %g %g %g", b.ends, height[h], b.mass, b.inertia,
                   b.offset);
      apl_model* model = model_of(&b, N, &err);
      if (model == NULL) near_fail(__FILE__, __LINE__, "%s", err.text);
      frequencies(model, N, 1e-9, lambda);
      apl_model_free(model);
      for (int i = 0; i < N; i++) {
        const double lo = lambda[i] * (1 - near), hi = lambda[i] * (1 + near);
        const bool shear = strcmp(b.ends, "ss") == 0 && from < cutoff && cutoff < lo;
        CHECK_TRUE(changes(&b, lo, hi, 1) == 1, "mode %d, %.17g, is none", i + 1, lambda[i]);
        CHECK_TRUE(changes(&b, from, lo, 60) == shear, "%d modes before number %d are missed",
                   changes(&b, from, lo, 60) - shear, i + 1);
        above += lambda[i] > cutoff;
        from = hi;
      }
    }

    /* the stout ones have many above, the slenderest none */
    CHECK_TRUE(h == 0 ? above == 0 : above > 2 * PAIRS, "%d modes are above the cut-off", above);
  }
}

/* As many modes as a body may have. */
static void most(void** state) {
  (void)state;
  for (int k = 0; k < PAIRS; k++) {
    const stout b = of_height(0.6, &pairs[k]);
    double lambda[BEAMS_MOST];
    apl_error err = {0};

    near_context("%s with %d modes, tip body %g", b.ends, BEAMS_MOST, b.mass);
    apl_model* model = model_of(&b, BEAMS_MOST, &err);
    if (model == NULL) near_fail(__FILE__, __LINE__, "%s", err.text);
    frequencies(model, BEAMS_MOST, 1e-7, lambda);
    for (int i = 1; i < BEAMS_MOST; i++)
      CHECK_TRUE(lambda[i] > lambda[i - 1], "mode %d is not above the last", i + 1);
    apl_model_free(model);
  }
}

/* Pinned-pinned: the two frequencies of W = sin(n pi x), r2 s2 l^2 - (1 + k^2 (r2 + s2)) l + k^4 =
 * 0
 */
static double family(double s2, double r2, int n, bool second) {
  const double kk = pow(n * acos(-1.0), 2), h = 0.5 * (1 + kk * (r2 + s2));
  const double big = h + sqrt(h * h - r2 * s2 * kk * kk);
  return second ? big / (r2 * s2) : kk * kk / big;
}

/* Where the second of one half wave meets the first of five, two modes are one: they cannot be told
   apart, and the sentence says how many can. A little beside it they can. */
static void crossing(void** state) {
  (void)state;
  const double ratio = 0.4;
  double lo = 1e-3, hi = 1;
  apl_error err = {0};

  near_context("two families that cross");
  for (int i = 0; i < 100; i++) {
    const double mid = 0.5 * (lo + hi);
    if (family(mid, ratio * mid, 1, true) > family(mid, ratio * mid, 5, false))
      lo = mid;
    else
      hi = mid;
  }
  stout b = {.s2 = lo, .r2 = ratio * lo, .ends = "ss"};
  int below = 0;
  for (int n = 1; n < 5; n++)
    below += family(b.s2, b.r2, n, false) < family(b.s2, b.r2, 5, false);
  assert_int_equal(below, 4);

  apl_model* model = model_of(&b, 4, &err);
  if (model == NULL) near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_model_free(model);
  assert_null(model_of(&b, 5, &err));
  assert_int_equal(err.status, APL_ERR_MODEL);
  CHECK_TRUE(strstr(err.text, "modes of this beam can be computed up to number 4") != NULL, "%s",
             err.text);

  double lambda[6];
  b.s2 *= 1 + 1e-7;
  b.r2 = ratio * b.s2;
  model = model_of(&b, 6, &err);
  if (model == NULL) near_fail(__FILE__, __LINE__, "%s", err.text);
  frequencies(model, 6, 1e-6, lambda);
  CHECK_NEAR(lambda[4] / family(b.s2, b.r2, 1, true), 1, 1e-12);
  CHECK_NEAR(lambda[5] / family(b.s2, b.r2, 5, false), 1, 1e-12);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(roots),
      cmocka_unit_test(most),
      cmocka_unit_test(crossing),
  };
  return cmocka_run_group_tests_name("thick beams", tests, NULL, NULL);
}
