/* SPDX-License-Identifier: Apache-2.0 */
/* test_beam_modes.c: mode shapes of beams against published coefficients, closed forms and the
   orthogonality that only true modes have; integrals against spec/flexible.md, 3. */
#include "beams.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

static apl_model* fixed_beam(plan* p) {
  p->gravity = (apl_vec3){0, 0, 0};
  apl_model* model = plan_model(p);
  free(p);
  return model;
}

/* --------------------------------------------------------------------------------- table 2 ---- */

/* W and Theta as the paper prints them: coefficients of cosh, cos, sinh, sin */
typedef struct printed {
  const char* ends;
  double q, p;
  double W[4], T[4];
} printed;

static const printed table2[] = {
    {"ss", 1, 3.141592653589793, {0, 0, 0, 1}, {0, 3.140333690109594, 0, 0}},
    {"cc",
     4.72606095063675,
     4.728894916196515,
     {0.6292076184824934, -0.6292076184824934, -0.6181543604098716, 0.6189067368941716},
     {-2.924089234018893, 2.924089234018893, 2.976375062609595, 2.97275682019588}},
    {"sc",
     3.924559038288969,
     3.926181400745614,
     {0, 0, 0.02617115567137916, 0.937356072626805},
     {0.1027745658114473, 3.677927210568842, 0, 0}},
    {"cs",
     3.924559038288969,
     3.926181400745614,
     {0.6622741284223433, -0.6622741284223433, -0.6627910308436212, 0.6633471080156852},
     {-2.602791457664547, 2.602791457664548, 2.600761573215394, 2.598581381090682}},
};

static double evaluate(const double c[4], double q, double p, double x) {
  return c[0] * cosh(q * x) + c[1] * cos(p * x) + c[2] * sinh(q * x) + c[3] * sin(p * x);
}

/* Shapes at five stations: an amplitude of 0.1 moves and turns a section by 0.1 W, 0.1 Theta. */
static void table_two(void** state) {
  (void)state;
  static const double station[5] = {0.11, 0.37, 0.5, 0.83, 1};
  for (size_t i = 0; i < sizeof table2 / sizeof *table2; i++) {
    const printed* t = &table2[i];
    plan* p = plan_new();
    plan_link* link = plan_add(p, "beam", "world", "fixed", "beam");

    near_context("Table 2, %s", t->ends);
    beams_paper(link, t->ends);
    for (int k = 0; k < 5; k++) {
      char name[24];
      snprintf(name, sizeof name, "p%d", k);
      plan_at_port(link, name, station[k], apl_pose_identity());
    }
    apl_model* model = fixed_beam(p);
    for (int k = 0; k < 5; k++) {
      const double x = 0.1, at = station[k];
      char name[24];
      snprintf(name, sizeof name, "beam.p%d", k);
      const beams_place b = beams_port(model, name, &x);
      CHECK_NEAR(b.x, x * evaluate(t->W, t->q, t->p, at), 1e-13);
      CHECK_NEAR(b.about_y, x * evaluate(t->T, t->q, t->p, at), 1e-12);
      CHECK_NEAR(b.z, at, 1e-16);
      CHECK_NEAR(b.y, 0, 0);
    }
    apl_model_free(model);
  }
}

/* ------------------------------------------------------------------------------- integrals ---- */

typedef struct constants {
  const char* ends;
  double a, b, M, jt, JJ, K, D, slope, turn;
} constants;

static const constants table3[] = {
    {"ss", 0.6366197723676, 0.3183098861838, 0.5, 0, 1.453268784655e-4, 47545.81385695,
     0.01252972803697, -3.14159265359, -3.14033369011},
    {"cc", 0.5233492362535, 0.2616746181267, 0.3966157843392, 0, 1.432334366717e-4, 193497.3023221,
     0.01003620831239, -0.005309737499682, 0},
    {"sc", 0.5699141221277, 0.2518756921854, 0.4390920028688, 2.4437e-8, 1.486940728712e-4,
     101826.3526988, 0.01104093064124, -0.003258547135378, 0},
    {"cs", 0.5699141221277, 0.3180384299422, 0.4390920028688, -2.4437e-8, 1.486940728712e-4,
     101826.3526988, 0.01104093064124, -3.782940223756, -3.78070177638},
};

/* Integrals of a mode from the mass matrix of a link that slides along X2 and rotates: vertical
   force and moment per mode, modal mass; at amplitude one also the second moment of the mode. */
typedef struct observed {
  double a, b, own, second;
  double K, D, turn;
} observed;

/* The same link twice: by the builder, in stiffnesses, and from a file, in the paper's words. */
static apl_model* built(const char* ends, const char* rotary, const char* attach) {
  plan* p = plan_new();
  plan_link* slide = plan_add(p, "slide", "world", "prismatic", "rigid");
  slide->at.rotation = beams_plane();
  plan_vec3(slide, "joint.axis", 1, 0, 0);
  plan_number(slide, "body.mass", 0);
  plan_link* link = plan_add(p, "beam", "slide", "revolute", "beam");
  plan_vec3(link, "joint.axis", 0, 1, 0);
  beams_paper(link, ends);
  plan_words(link, "body.rotary", rotary);
  plan_words(link, "body.attach", attach);
  return fixed_beam(p);
}

static apl_model* written(const char* ends, const char* rotary, const char* attach) {
  char text[1400];
  apl_file* file;
  apl_model* model;

  snprintf(
      text, sizeof text,
      "appell: 1\n"
      "gravity: [0, 0, 0]\n"
      "links:\n"
      "  - name: slide\n"
      "    at: {rotation: {axis: [1, 0, 1], angle: 180 deg}}\n"
      "    joint: {type: prismatic, axis: x}\n"
      "    body: {mass: 0}\n"
      "  - name: beam\n"
      "    on: slide\n"
      "    joint: {type: revolute, axis: y}\n"
      "    body: {type: beam, length: 1 m, mass-per-length: 1 kg/m, rotary-inertia: 2.9473e-5 kg "
      "m,\n"
      "      area: 3.75 cm^2, second-moment: 4.883e-9 m^4, young-modulus: 200 GPa,\n"
      "      shear-modulus: 77 GPa, shear-factor: 0.83333333333333333,\n"
      "      mode-bending-stiffness: 976.5625 N m^2, mode-rotary-inertia: 1.3020833333333333e-5 kg "
      "m,\n"
      "      mode-shear-stiffness: 24.038461538461538 MN, elastic-drag: 0.025 kg/(m s),\n"
      "      kelvin-voigt-time: 0.625 ns, root-end: %s, tip-end: %s, rotary: %s, attach: %s}\n",
      beams_end(ends[0]), beams_end(ends[1]), rotary, attach);
  text_load(text, &file, &model);
  apl_file_free(file);
  return model;
}

static observed observe(apl_model* model) {
  apl_state* s;
  double M0[9];
  double M1[9];
  double energy[2];
  double bias[3];
  double pose[12];

  assert_int_equal(apl_model_nv(model), 3);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  CHECK_OK(apl_mass_matrix(model, s, M0));
  apl_v(s)[2] = 1;
  CHECK_OK(apl_bias(model, s, bias));
  apl_q(s)[2] = 1;
  CHECK_OK(apl_mass_matrix(model, s, M1));
  CHECK_OK(apl_energy(model, s, energy));
  apl_q(s)[2] = 0.1;
  CHECK_OK(apl_port_pose(model, s, apl_model_find(model, APL_PORTS, "beam.tip"), pose));
  const double x = pose[2], z = pose[8]; /* the section's z in the world: (cos, 0, sin) */
  apl_state_free(s);
  apl_model_free(model);
  return (observed){M0[2], M0[5], M0[8], M1[4] - M0[4], 2 * energy[1], bias[2], 10 * atan2(z, x)};
}

static void integrals(bool file) {
  for (size_t i = 0; i < sizeof table3 / sizeof *table3; i++) {
    const constants* t = &table3[i];
    near_context("integrals of %s, %s", t->ends, file ? "from a file" : "built");
    const observed full = observe((file ? written : built)(t->ends, "full", "section"));
    const observed link = observe((file ? written : built)(t->ends, "link", "tangent"));

    /* half a unit of the last printed digit */
    CHECK_NEAR(link.a, t->a, 6e-14);
    CHECK_NEAR(full.a, t->a, 6e-14);
    CHECK_NEAR(link.b, t->b, 6e-14);
    CHECK_NEAR(link.own, t->M, 6e-14);
    CHECK_NEAR(link.second, t->M, 6e-14);
    CHECK_NEAR(full.b - link.b, t->jt, 6e-13);
    CHECK_NEAR(full.own - link.own, t->JJ, 6e-16);
    CHECK_NEAR(full.K, t->K, 6e-8);
    CHECK_NEAR(link.K, t->K, 6e-8);
    CHECK_NEAR(full.D, t->D, 6e-15);
    CHECK_NEAR(link.turn, t->slope, 6e-12);
    CHECK_NEAR(full.turn, t->turn, 6e-12);
  }
}

static void integrals_built(void** state) {
  (void)state;
  integrals(false);
}

static void integrals_written(void** state) {
  (void)state;
  integrals(true);
}

/* ----------------------------------------------------------------------------- frequencies ---- */

/* L = 1, mu = 1, EI = 1: s2 = 1/kAG, r2 = J */
static plan* unit_beam(const char* ends, double s2, double r2, int modes) {
  plan* p = plan_new();
  plan_link* link = plan_add(p, "beam", "world", "fixed", "beam");

  plan_number(link, "body.modes", modes);
  plan_number(link, "body.length", 1);
  plan_number(link, "body.mass-per-length", 1);
  plan_number(link, "body.bending-stiffness", 1);
  if (s2 > 0) {
    plan_number(link, "body.shear-stiffness", 1 / s2);
    plan_number(link, "body.rotary-inertia", r2);
  } else {
    plan_words(link, "body.theory", "euler-bernoulli");
  }
  beams_ends(link, ends);
  return p;
}

/* Squares of frequencies; modes are orthogonal in mass and stiffness to `tolerance`. */
static void frequencies(const apl_model* model, int n, double tolerance, double* lambda) {
  double D[BEAMS_MOST * BEAMS_MOST];
  double K[BEAMS_MOST * BEAMS_MOST];

  assert_int_equal(apl_model_nv(model), n);
  beams_matrices(model, D, K);
  for (int i = 0; i < n; i++) {
    lambda[i] = K[i * n + i] / D[i * n + i];
    for (int j = 0; j < i; j++) {
      CHECK_NEAR(D[i * n + j] / sqrt(D[i * n + i] * D[j * n + j]), 0, tolerance);
      CHECK_NEAR(K[i * n + j] / sqrt(K[i * n + i] * K[j * n + j]), 0, tolerance);
    }
    if (i > 0) CHECK_TRUE(lambda[i] > lambda[i - 1], "mode %d is not above the last", i + 1);
  }
}

/* Euler-Bernoulli: the roots b of the well-known equations, all of them */
static void slender(void** state) {
  (void)state;
  enum { N = 10 };
  static const char* const ends[] = {"cf", "cc", "cs", "sc", "ss", "sf"};
  static const double first[] = {1.8751040687119611, 4.7300407448627040, 3.9266023120479188,
                                 3.9266023120479188, 3.1415926535897931, 3.9266023120479188};
  for (int e = 0; e < 6; e++) {
    double lambda[N];
    near_context("Euler-Bernoulli %s", ends[e]);
    apl_model* model = fixed_beam(unit_beam(ends[e], 0, 0, N));
    frequencies(model, N, 1e-10, lambda);
    for (int i = 0; i < N; i++) {
      const double b = pow(lambda[i], 0.25);

      /* residues divided by cosh b */
      const double residue[6] = {cos(b) + 1 / cosh(b),
                                 cos(b) - 1 / cosh(b),
                                 sin(b) - cos(b) * tanh(b),
                                 sin(b) - cos(b) * tanh(b),
                                 sin(b),
                                 sin(b) - cos(b) * tanh(b)};
      if (i == 0) CHECK_NEAR(b, first[e], 2e-13);
      CHECK_NEAR(residue[e], 0, 1e-11);
      if (i > 0) CHECK_NEAR((b - pow(lambda[i - 1], 0.25)) / pi, 1, 0.11);
    }
    apl_model_free(model);
  }
}

static int by_size(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

/* Pinned-pinned Timoshenko: W = sin(k x), k = n pi, and two frequencies for each n:
     r2 s2 l^2 - (1 + k^2 (r2 + s2)) l + k^4 = 0
   The second family starts above the cut-off 1/(r2 s2); the pure shear there is left out. */
static void thick_pinned(void** state) {
  (void)state;
  enum { N = 14 };
  const double s2 = 0.02, r2 = 0.008;
  double want[60];
  double got[N];

  near_context("thick pinned-pinned");
  for (int i = 0; i < 30; i++) {
    const double kk = pow((i + 1) * pi, 2), h = 0.5 * (1 + kk * (r2 + s2));
    const double big = h + sqrt(h * h - r2 * s2 * kk * kk);
    want[2 * i] = kk * kk / big;
    want[2 * i + 1] = big / (r2 * s2);
  }
  qsort(want, 60, sizeof *want, by_size);
  CHECK_TRUE(want[4] > 1 / (r2 * s2) && want[3] < 1 / (r2 * s2), "modes lie on one side only");
  apl_model* model = fixed_beam(unit_beam("ss", s2, r2, N));
  frequencies(model, N, 1e-10, got);
  for (int i = 0; i < N; i++)
    CHECK_NEAR(got[i] / want[i], 1, 1e-12);
  apl_model_free(model);
}

/* All pairs of ends, from slender to stout: orthogonal to round-off, hence modes. */
static void thick(void** state) {
  (void)state;
  enum { N = 12 };
  static const char* const ends[] = {"cf", "cc", "cs", "sc", "sf", "ss"};
  static const double s2[] = {1e-6, 1e-3, 0.02, 0.1};
  for (int e = 0; e < 6; e++) {
    for (int k = 0; k < 4; k++) {
      double lambda[N];
      near_context("Timoshenko %s, s2 = %g", ends[e], s2[k]);
      apl_model* model = fixed_beam(unit_beam(ends[e], s2[k], 0.3 * s2[k], N));
      frequencies(model, N, 1e-9, lambda);
      apl_model_free(model);
    }
  }
}

/* Deflection (0) or turn (1) at x of a clamped-free beam under a unit force or couple at y. */
static double flexibility(int at_x, int at_y, double s2, double x, double y) {
  const double a = fmin(x, y), b = fmax(x, y);

  if (at_x == 0 && at_y == 0) return a * a * (3 * b - a) / 6 + s2 * a;
  if (at_x == 1 && at_y == 1) return a;

  /* the turn where the couple or the force's deflection is looked at */
  const double couple = at_x == 1 ? x : y, force = at_x == 1 ? y : x;
  return couple < force ? couple * force - couple * couple / 2 : force * force / 2;
}

/* No mode is missing: sum 1/lambda^2 is the double integral of the squared flexibility, of which 32
   modes leave less than one of the first twelve would. */
static void none_missing(void** state) {
  (void)state;
  enum { N = 32 };
  static const double gauss[5] = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831,
                                  0.9061798459386640};
  static const double weight[5] = {0.2369268850561891, 0.4786286704993665, 0.5688888888888889,
                                   0.4786286704993665, 0.2369268850561891};
  static const double s2[] = {1e-3, 0.02, 0.1};
  for (int k = 0; k < 3; k++) {
    const double r2 = 0.3 * s2[k];
    double lambda[N];
    double sum = 0;
    double all = 0;

    near_context("sum rule, s2 = %g", s2[k]);
    apl_model* model = fixed_beam(unit_beam("cf", s2[k], r2, N));
    frequencies(model, N, 1e-8, lambda);
    for (int i = 0; i < N; i++)
      sum += 1 / (lambda[i] * lambda[i]);

    /* twice the triangle x < y, x = u y: polynomials there, for which five points suffice */
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 5; j++) {
        const double y = 0.5 + 0.5 * gauss[i], x = (0.5 + 0.5 * gauss[j]) * y;
        all += 2 * y * 0.25 * weight[i] * weight[j] *
               (pow(flexibility(0, 0, s2[k], x, y), 2) + r2 * pow(flexibility(0, 1, 0, x, y), 2) +
                r2 * pow(flexibility(1, 0, 0, x, y), 2) +
                r2 * r2 * pow(flexibility(1, 1, 0, x, y), 2));
      }
    }
    const double left = all - sum, least = 1 / (lambda[11] * lambda[11]);
    CHECK_TRUE(left > -1e-13 * all && left < 0.5 * least, "modes leave %g of %g; the twelfth is %g",
               left, all, least);
    apl_model_free(model);
  }
}

/* A body at the tip: the modes of beam and body together, which the mass matrix of beam and child
   confirms. */
static void tip_body(void** state) {
  (void)state;
  enum { N = 9 };
  for (int k = 0; k < 2; k++) {
    const double mass = 0.5, inertia = 0.02, offset = 0.1;
    double lambda[N];
    plan* p = unit_beam("cf", k ? 0.02 : 0, 0.008, N);

    near_context("tip body, %s", k ? "Timoshenko" : "Euler-Bernoulli");
    plan_number(&p->link[0], "body.mode-tip-mass", mass);
    plan_number(&p->link[0], "body.mode-tip-inertia", inertia);
    plan_number(&p->link[0], "body.mode-tip-offset", offset);
    if (k == 0) plan_words(&p->link[0], "body.rotary", "link");
    plan_link* load = plan_add(p, "load", "beam.tip", "fixed", "rigid");
    plan_mass(load, mass, (apl_vec3){0, 0, offset}, inertia, inertia, inertia);
    apl_model* model = fixed_beam(p);
    frequencies(model, N, 1e-10, lambda);
    apl_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(table_two),         cmocka_unit_test(integrals_built),
      cmocka_unit_test(integrals_written), cmocka_unit_test(slender),
      cmocka_unit_test(thick_pinned),      cmocka_unit_test(thick),
      cmocka_unit_test(tip_body),          cmocka_unit_test(none_missing),
  };
  return cmocka_run_group_tests_name("beam modes", tests, NULL, NULL);
}
