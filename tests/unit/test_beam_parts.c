/* SPDX-License-Identifier: Apache-2.0 */
/* test_beam_parts.c: what beams are made of: element/beam_modes.h, beam_ritz.h, beam_polynomial.h,
   beam_table.h, beam_shapes.h, beam_param.h and beam_par.h, against frequencies of textbooks, the
   differential equations and the orthogonality of modes. */
#include "dense.h"
#include "near.h"

#include "element/beam_modes.h"
#include "element/beam_par.h"
#include "element/beam_param.h"
#include "element/beam_polynomial.h"
#include "element/beam_ritz.h"
#include "element/beam_shapes.h"
#include "element/beam_table.h"

#include "element/registry.c" /* the files of the beam are parts of it */

#define PI 3.14159265358979323846

/* ----------------------------------------------------------------------------------- modes ---- */

/* Euler and Bernoulli: lambda = k^4, with cos k cosh k = -1 (clamped-free), k = n pi
   (pinned-pinned), cos k cosh k = 1 (clamped-clamped), tan k = tanh k (clamped-pinned). */
static void frequencies(void** state) {
  static const struct {
    beam_end root, tip;
    double k[3];
  } cases[] = {
      {BEAM_CLAMPED, BEAM_FREE, {1.8751040687119611, 4.6940911329741745, 7.8547574382376126}},
      {BEAM_PINNED, BEAM_PINNED, {PI, 2 * PI, 3 * PI}},
      {BEAM_CLAMPED, BEAM_CLAMPED, {4.7300407448627040, 7.8532046240958376, 10.995607838001671}},
      {BEAM_CLAMPED, BEAM_PINNED, {3.9266023120479188, 7.0685827456287321, 10.210176122813031}}};
  apl_error err;

  (void)state;
  for (int i = 0; i < 4; ++i) {
    const beam_basis basis = {.root = cases[i].root, .tip = cases[i].tip};
    beam_mode mode[3];
    double ritz[3];
    CHECK_OK(apl_beam_modes(&basis, 3, mode, &err));
    CHECK_OK(apl_beam_ritz(&basis, 3, ritz, &err));
    for (int k = 0; k < 3; ++k) {
      const double want = pow(cases[i].k[k], 4);
      CHECK_NEAR(mode[k].lambda, want, 1e-10 * want);
      CHECK_NEAR(ritz[k], want, 1e-6 * want); /* polynomials come from above, nearly there */
    }
  }
}

/* Timoshenko with a body at the tip: the equations of motion at points inside, by the derivatives
   of the shape, and modes orthogonal in the inertia of sections and tip:
     (W1 - T)'/s2 = -lambda W,    T'' + (W1 - T)/s2 = -lambda r2 T */
static void equations_of_modes(void** state) {
  const beam_basis basis = {
      .s2 = 0.02, .r2 = 0.008, .tip = BEAM_FREE, .mass = 0.5, .inertia = 0.02, .offset = 0.1};
  enum { N = 4, POINTS = 24 };
  const double h = 1e-4;
  beam_mode mode[N];
  double x[POINTS], w[POINTS], ritz[N];
  apl_error err;

  (void)state;
  CHECK_OK(apl_beam_modes(&basis, N, mode, &err));
  CHECK_OK(apl_beam_ritz(&basis, N, ritz, &err));
  apl_gauss(POINTS, x, w);
  for (int k = 0; k < N; ++k) {
    CHECK_NEAR(mode[k].lambda, ritz[k], 1e-5 * ritz[k]);
    double most = 0;
    for (int i = 1; i < 10; ++i) {
      const double z = i / 10.0;
      const beam_shape a = apl_beam_mode_at(&mode[k], z), up = apl_beam_mode_at(&mode[k], z + h);
      const beam_shape down = apl_beam_mode_at(&mode[k], z - h);
      const double size = mode[k].lambda;
      CHECK_NEAR((up.shear - down.shear) / (2 * h) / basis.s2, -size * a.W, 2e-4 * size);
      CHECK_NEAR((up.T1 - down.T1) / (2 * h) + a.shear / basis.s2, -size * basis.r2 * a.T,
                 2e-4 * size);
      CHECK_NEAR(a.W1 - a.T, a.shear, 1e-9 * (1 + fabs(a.W1)));
      CHECK_NEAR((up.W - down.W) / (2 * h), a.W1, 1e-4 * (1 + fabs(a.W1)));
    }
    for (int i = 0; i <= 1000; ++i)
      most = fmax(most, fabs(apl_beam_mode_at(&mode[k], i / 1000.0).W));
    CHECK_NEAR(most, 1, 1e-4); /* largest |W| one */
    assert_true(apl_beam_mode_at(&mode[k], 0.01).W > 0);
    const beam_shape root = apl_beam_mode_at(&mode[k], 0);
    CHECK_NEAR(root.W, 0, 1e-12);
    CHECK_NEAR(root.T, 0, 1e-12);
    for (int j = 0; j < k; ++j) {
      const beam_shape a = apl_beam_mode_at(&mode[k], 1), b = apl_beam_mode_at(&mode[j], 1);
      const double va = a.W + basis.offset * a.T, vb = b.W + basis.offset * b.T;
      double sum = basis.mass * va * vb + basis.inertia * a.T * b.T;
      for (int i = 0; i < POINTS; ++i) {
        const beam_shape p = apl_beam_mode_at(&mode[k], x[i]), q = apl_beam_mode_at(&mode[j], x[i]);
        sum += w[i] * (p.W * q.W + basis.r2 * p.T * q.T);
      }
      CHECK_NEAR(sum, 0, 1e-9);
    }
  }
}

static void gauss(void** state) {
  double x[40], w[40];

  (void)state;
  for (int n = 1; n <= 40; n += 3) {
    apl_gauss(n, x, w);
    for (int k = 0; k < 2 * n && k < 60; ++k) {
      double sum = 0;
      for (int i = 0; i < n; ++i)
        sum += w[i] * pow(x[i], k);
      CHECK_NEAR(sum, 1.0 / (k + 1), 1e-14);
    }
  }
}

/* ---------------------------------------------------------------------- polynomials, tables ----
 */

static void polynomials(void** state) {
  static beam_polynomial p[BEAM_MOST_MODES];
  apl_error err = {0};
  double y[3];

  (void)state;
  assert_int_equal(apl_polynomials_read("0 0 3 -1; 0 0 1", "shape", p, &err), 2);
  apl_polynomial_at(&p[0], 0.5, y); /* 3 x^2 - x^3 */
  CHECK_NEAR(y[0], 0.625, 1e-16);
  CHECK_NEAR(y[1], 2.25, 1e-15);
  CHECK_NEAR(y[2], 3, 1e-15);
  apl_polynomial_at(&p[1], -2, y);
  assert_true(y[0] == 4 && y[1] == -4 && y[2] == 2);
  assert_int_equal(apl_polynomials_read("", "shape", p, &err), 0);
  static const char* const bad[] = {"0 x", "1;;2", "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
                                    "1e999"};
  for (int i = 0; i < 4; ++i) {
    near_context("'%s'", bad[i]);
    err = (apl_error){0};
    CHECK_TRUE(apl_polynomials_read(bad[i], "shape", p, &err) == -1, "accepted");
    CHECK_TRUE(strstr(err.text, "shape") != NULL, "%s", err.text);
  }
  near_context(" ");
}

/* A spline without knots next to its ends is the cubic itself; one that is held has no slope at the
   root; both go through every number, with continuous second derivatives. */
static void tables(void** state) {
  static const char* const name[] = {"station", "cubic", "held"};
  static const double at[] = {0, 0.1, 0.3, 0.6, 0.8, 1}, held[] = {0, 0.01, 0.1, 0.5, 0.7, 1};
  double cubic[6], y[3], l[3], r[3];
  const double* const value[] = {at, cubic, held};
  const apl_columns columns = {6, 3, name, value};
  const bool hold[] = {false, false, true};
  beam_table table;
  apl_error err;

  (void)state;
  for (int i = 0; i < 6; ++i)
    cubic[i] = 1 + at[i] * (2 + at[i] * (-3 + 4 * at[i]));
  CHECK_OK(apl_beam_table_new(&columns, hold, &table, &err));
  assert_int_equal(apl_beam_table_find(&table, "cubic"), 1);
  assert_int_equal(apl_beam_table_find(&table, "nothing"), -1);
  for (double x = 0; x <= 1; x += 0.05) {
    apl_beam_table_at(&table, 1, x, y);
    CHECK_NEAR(y[0], 1 + x * (2 + x * (-3 + 4 * x)), 1e-13);
    CHECK_NEAR(y[1], 2 - 6 * x + 12 * x * x, 1e-12);
    CHECK_NEAR(y[2], -6 + 24 * x, 1e-11);
  }
  apl_beam_table_at(&table, 2, 0, y);
  CHECK_NEAR(y[1], 0, 1e-15);
  for (int i = 1; i < 4; ++i) {
    apl_beam_table_at(&table, 2, at[i] - 1e-9, l);
    apl_beam_table_at(&table, 2, at[i] + 1e-9, r);
    CHECK_NEAR(l[0], held[i], 1e-8);
    CHECK_NEAR(l[1], r[1], 1e-6);
    CHECK_NEAR(l[2], r[2], 1e-5);
  }
  apl_beam_table_free(&table);
  const apl_columns few = {3, 3, name, value}, anonymous = {6, 2, name + 1, value + 1};
  assert_int_equal(apl_beam_table_new(&few, hold, &table, &err), APL_ERR_MODEL);
  assert_non_null(strstr(err.text, "at least 4 stations"));
  apl_beam_table_free(&table);
  assert_int_equal(apl_beam_table_new(&anonymous, hold, &table, &err), APL_ERR_MODEL);
  assert_non_null(strstr(err.text, "station"));
  apl_beam_table_free(&table);
}

/* ----------------------------------------------------------------------------------- shapes ----
 */

/* Parameters by default, from the table of fields. */
static beam_param defaults(void) {
  beam_param p = {0};
  for (const apl_field* f = beam_fields; f->name != NULL; ++f) {
    const size_t one = f->form == APL_FORM_NUMBERS  ? sizeof(double)
                       : f->form == APL_FORM_COUNTS ? sizeof(int)
                       : f->form == APL_FORM_SET    ? sizeof(unsigned)
                                                    : sizeof(void*);
    const size_t n =
        f->form == APL_FORM_NUMBERS || f->form == APL_FORM_COUNTS ? (size_t)f->count : 1;
    if (f->fallback != NULL) memcpy((char*)&p + f->offset, f->fallback, n * one);
  }
  return p;
}

static void shapes(void** state) {
  static beam_shapes b;
  beam_param p = defaults();
  apl_error err;
  int nth;

  (void)state;
  p.length = 2;
  p.section = (section_param){.diameter = 0.02, .density = 7800, .young = 2e11, .poisson = 0.3};
  p.theory = beam_theories[1];
  p.directions = 1u << BEAM_BEND_X | 1u << BEAM_TORSION | 1u << BEAM_AXIAL;
  p.modes[BEAM_BEND_X] = 2, p.modes[BEAM_BEND_Y] = 0;
  assert_true(beam_has(&p, BEAM_BEND_X) && !beam_has(&p, BEAM_BEND_Y));
  assert_int_equal(beam_count(&p), 4);
  assert_int_equal(beam_modes(&p, BEAM_BEND_X), 2);
  assert_int_equal(beam_most_modes(&p), 2);
  assert_int_equal(beam_direction(&p, 1, &nth), BEAM_BEND_X);
  assert_int_equal(nth, 1);
  assert_int_equal(beam_direction(&p, 3, &nth), BEAM_AXIAL);
  assert_int_equal(nth, 0);
  CHECK_OK(beam_check(&p, &err));
  CHECK_OK(beam_find_shapes(&p, &b, &err));
  const beam_basis basis = {.root = BEAM_CLAMPED, .tip = BEAM_FREE};
  beam_mode mode[2];
  CHECK_OK(apl_beam_modes(&basis, 2, mode, &err));
  for (double x = 0; x <= 1; x += 0.1) {
    CHECK_NEAR(beam_shape_at(&b, 1, x).W, apl_beam_mode_at(&mode[1], x).W, 1e-12);
    /* torsion and axial: the first mode of a rod with one end held */
    CHECK_NEAR(beam_shape_at(&b, 2, x).T, sin(PI * x / 2), 1e-14);
    CHECK_NEAR(beam_shape_at(&b, 3, x).W1, PI / 4 * cos(PI * x / 2), 1e-14); /* per m of 2 m */
  }
  apl_beam_table_free(&b.table);
  assert_int_equal(beam_end_of("pinned"), BEAM_PINNED);
  assert_int_equal(beam_end_of("free"), BEAM_FREE);
  p.modes[BEAM_BEND_X] = 0;
  assert_int_equal(beam_check(&p, &err), APL_ERR_MODEL);
  assert_true(strlen(err.text) > 10);
}

/* The constants: mass and moments of the whole bar, the modal mass, and K = lambda EI / L^3 M. */
static void constants(void** state) {
  beam_param p = defaults();
  apl_error err;
  double memory[64], mass;

  (void)state;
  p.length = 2;
  p.section = (section_param){.mass_per_length = 3, .bending = 50, .poisson = 0.3};
  p.theory = beam_theories[1];
  assert_int_equal(beam_npar(1), APL_NPAR(beam_par) + APL_NPAR(beam_own_par) + 4);
  assert_int_equal(beam_npar(0), 6);
  assert_true(beam_npar(1) <= 64);
  CHECK_OK(beam_compile(&p, memory, &mass, &err));
  const beam_par* par = (const beam_par*)(const void*)memory;
  CHECK_NEAR(mass, 6, 1e-14);
  CHECK_NEAR(par->m, 6, 1e-14);
  CHECK_NEAR(par->S1, 6, 1e-13); /* mu L^2 / 2 */
  CHECK_NEAR(par->I2, 8, 1e-13); /* mu L^3 / 3 */
  const double* M = memory + APL_NPAR(beam_par) + APL_NPAR(beam_own_par);
  CHECK_NEAR(M[BEAM_D], 6 * 0.25, 1e-9); /* the mode of a cantilever has mean square 1/4 at tip 1 */
  CHECK_NEAR(M[BEAM_K] / M[BEAM_D], pow(1.8751040687119611, 4) * 50 / (3 * 16), 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frequencies), cmocka_unit_test(equations_of_modes),
      cmocka_unit_test(gauss),       cmocka_unit_test(polynomials),
      cmocka_unit_test(tables),      cmocka_unit_test(shapes),
      cmocka_unit_test(constants),
  };
  return cmocka_run_group_tests_name("beam_parts", tests, NULL, NULL);
}
