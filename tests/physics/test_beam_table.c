/* SPDX-License-Identifier: Apache-2.0 */
/* test_beam_table.c: beams whose shapes are given at stations. Splines reproduce cubics, and what
   they leave of other shapes falls with the distance of the stations as splines must. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "beams.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 65 };

/* Stations that lie closer towards the root, as users place them where shapes are steep. */
static void stations(int n, double* x) {
  for (int i = 0; i < n; i++) {
    const double t = (double)i / (n - 1);
    x[i] = i == n - 1 ? 1 : t * (0.7 + 0.3 * t);
  }
}

static apl_spec* unit_spec(const char* theory, int modes, double s2, double r2) {
  apl_spec* spec;

  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){0, 0, 0});
  apl_spec_link(spec, "beam", "world", "fixed", "beam");
  apl_spec_word(spec, 0, "body.theory", theory);
  apl_spec_number(spec, 0, "body.length", 1);
  apl_spec_number(spec, 0, "body.modes", modes);
  apl_spec_number(spec, 0, "body.mass-per-length", 1);
  apl_spec_number(spec, 0, "body.bending-stiffness", 1);
  if (s2 > 0) apl_spec_number(spec, 0, "body.shear-stiffness", 1 / s2);
  apl_spec_number(spec, 0, "body.rotary-inertia", r2);
  return spec;
}

static apl_model* compiled(apl_spec* spec) {
  apl_model* model;
  apl_error err = {0};

  if (apl_model_new(spec, &model, &err) != APL_OK) near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_spec_free(spec);
  return model;
}

/* ----------------------------------------------------------------------------- convergence ---- */

/* The clamped-free mode of Euler and Bernoulli, cosh bx - cos bx - c (sinh bx - sin bx): without a
   column of turns the slope is one, and omega^2 = b^4. */
static double slender_error(int n) {
  const double b = 1.8751040687119611, c = (cosh(b) + cos(b)) / (sinh(b) + sin(b));
  double x[MOST];
  double W[MOST];
  double D;
  double K;
  apl_spec* spec = unit_spec("euler-bernoulli", 1, 0, 0);

  stations(n, x);
  for (int i = 0; i < n; i++)
    W[i] = cosh(b * x[i]) - cos(b * x[i]) - c * (sinh(b * x[i]) - sin(b * x[i]));
  apl_spec_put(spec, 0, "body.shape-table.station", x, n);
  apl_spec_put(spec, 0, "body.shape-table.bend-y.1", W, n);
  apl_model* model = compiled(spec);
  beams_matrices(model, &D, &K);
  apl_model_free(model);
  return K / D / pow(b, 4) - 1;
}

/* The quotient of energies is least at a mode, so that its error is the square of the strain's:
   W'' is known to h^2, omega^2 to h^4. The first and last pieces, which have no knot beside them,
   err most; their share falls as h^5. */
static void slender(void** state) {
  (void)state;
  near_context("clamped-free by a table");
  double before = slender_error(9);
  for (int n = 17; n <= 65; n = 2 * n - 1) {
    const double error = slender_error(n);
    CHECK_TRUE(error > 0, "%d stations are %g below the least", n, error);
    CHECK_TRUE(log2(before / error) > 4 && log2(before / error) < 5.2,
               "the error %g of %d stations was %g", error, n, before);
    before = error;
  }
  CHECK_TRUE(before < 2e-8, "65 stations leave %g", before);
}

/* Pinned-pinned of Timoshenko, W = sin pi x and T = c cos pi x with c of the lower root l of
     r2 s2 l^2 - (1 + k^2 (r2 + s2)) l + k^4 = 0,   c = k - l s2/k,   k = pi
   With turns of its own the strains T' and W' - T are known to h^3, omega^2 to h^6; at the ends to
   h^7. */
static double thick_error(int n) {
  const double s2 = 0.02, r2 = 0.008, k = acos(-1.0), kk = k * k;
  const double h = 0.5 * (1 + kk * (r2 + s2)),
               lambda = kk * kk / (h + sqrt(h * h - r2 * s2 * kk * kk));
  double x[MOST];
  double W[MOST];
  double T[MOST];
  double D;
  double K;
  apl_spec* spec = unit_spec("timoshenko", 1, s2, r2);

  stations(n, x);
  for (int i = 0; i < n; i++) {
    W[i] = i == 0 ? 0 : sin(k * x[i]);
    T[i] = (k - lambda * s2 / k) * cos(k * x[i]);
  }
  apl_spec_word(spec, 0, "body.root-end", "pinned");
  apl_spec_word(spec, 0, "body.tip-end", "pinned");
  apl_spec_put(spec, 0, "body.shape-table.station", x, n);
  apl_spec_put(spec, 0, "body.shape-table.bend-y.1", W, n);
  apl_spec_put(spec, 0, "body.shape-table.bend-y.1.turn", T, n);
  apl_model* model = compiled(spec);
  beams_matrices(model, &D, &K);
  apl_model_free(model);
  return K / D / lambda - 1;
}

static void thick(void** state) {
  (void)state;
  near_context("thick pinned-pinned by a table");
  double before = thick_error(9);
  for (int n = 17; n <= 65; n = 2 * n - 1) {
    const double error = thick_error(n);
    CHECK_TRUE(error > 0, "%d stations are %g below the least", n, error);
    CHECK_TRUE(log2(before / error) > 6 && log2(before / error) < 7.6,
               "the error %g of %d stations was %g", error, n, before);
    before = error;
  }
  CHECK_TRUE(before < 2e-11, "65 stations leave %g", before);
}

/* ------------------------------------------------------------------------------ exactness ---- */

/* The same cubics as a table and as polynomials, with and without turns of their own. */
static void cubics(void** state) {
  (void)state;
  enum { N = 6 };
  double x[N];
  double f[2][N];
  double g[2][N];
  double D[2][4];
  double K[2][4];

  stations(N, x);
  for (int i = 0; i < N; i++) {
    const double y = x[i];
    f[0][i] = y * y * (0.5 - y / 6);
    f[1][i] = y * y * (1 - 2 * y);
    g[0][i] = y * (1.1 - 0.5 * y);
    g[1][i] = y * (2 - 5 * y + y * y);
  }
  for (int turned = 0; turned < 2; turned++) {
    near_context("cubics %s", turned ? "with turns" : "without turns");
    for (int table = 0; table < 2; table++) {
      apl_spec* spec = unit_spec("timoshenko", 2, 0.03, 0.01);
      if (table) {
        apl_spec_put(spec, 0, "body.shape-table.bend-y.2", f[1], N);
        apl_spec_put(spec, 0, "body.shape-table.bend-y.1", f[0], N);
        apl_spec_put(spec, 0, "body.shape-table.station", x, N);
        if (turned) apl_spec_put(spec, 0, "body.shape-table.bend-y.1.turn", g[0], N);
        if (turned) apl_spec_put(spec, 0, "body.shape-table.bend-y.2.turn", g[1], N);
      } else {
        apl_spec_word(spec, 0, "body.polynomials", "0 0 0.5 -0.16666666666666667; 0 0 1 -2");
        if (turned) apl_spec_word(spec, 0, "body.turn-polynomials", "0 1.1 -0.5; 0 2 -5 1");
      }
      apl_spec_number(spec, 0, "body.kelvin-voigt-time", 0.1);
      apl_model* model = compiled(spec);
      beams_matrices(model, D[table], K[table]);
      apl_model_free(model);
    }
    CHECK_ARRAY(D[1], D[0], 4, 1e-14, near_max(D[0], 4));
    CHECK_ARRAY(K[1], K[0], 4, 1e-13, near_max(K[0], 4));
    CHECK_ALIVE(K[0], 4, 0.1);
  }
}

/* Torsion and stretch: the straight line is the static shape. Bending beside them keeps its modes.
 */
static void rods(void** state) {
  (void)state;
  static const double x[4] = {0, 0.2, 0.7, 1};
  static const char* const directions[2] = {"torsion", "axial"};
  for (int d = 0; d < 2; d++) {
    double D[2];
    double K[2];
    near_context("%s by a table", directions[d]);
    for (int table = 0; table < 2; table++) {
      apl_spec* spec = unit_spec("timoshenko", table ? 1 : 0, 0.03, 0.01);
      char column[64];
      snprintf(column, sizeof column, "body.shape-table.%s.1", directions[d]);
      apl_spec_word(spec, 0, "body.directions", directions[d]);
      apl_spec_number(spec, 0, "body.torsion-stiffness", 7);
      apl_spec_number(spec, 0, "body.axial-stiffness", 9);
      if (table) {
        apl_spec_put(spec, 0, "body.shape-table.station", x, 4);
        apl_spec_put(spec, 0, column, x, 4);
      } else {
        apl_spec_word(spec, 0, "body.static-shapes", "tip");
      }
      apl_model* model = compiled(spec);
      beams_matrices(model, &D[table], &K[table]);
      apl_model_free(model);
    }
    CHECK_NEAR(D[1], D[0], 1e-15);
    CHECK_NEAR(K[1], K[0], 1e-14);
    CHECK_NEAR(K[1], d ? 9 : 7, 1e-13);
  }
}

/* The tip of a table's shape is where the table says, in space too, and in the other direction the
   beam bends as before. */
static void sections(void** state) {
  (void)state;
  static const double x[5] = {0, 0.25, 0.5, 0.75, 1}, W[5] = {0, 0.1, 0.3, 0.6, 1};
  const double q[2] = {0.01, 0.02};
  apl_spec* spec = unit_spec("timoshenko", 1, 0.03, 0.01);

  near_context("sections of a table");
  apl_spec_word(spec, 0, "body.directions", "bend-x bend-y");
  apl_spec_put(spec, 0, "body.shape-table.station", x, 5);
  apl_spec_put(spec, 0, "body.shape-table.bend-y.1", W, 5);
  apl_spec_port(spec, 0, "half", 0.5, apl_pose_identity());
  apl_model* model = compiled(spec);
  CHECK_NEAR(beams_port(model, "beam.half", q).x, 0.02 * 0.3, 1e-17);
  CHECK_NEAR(beams_port(model, "beam.tip", q).x, 0.02, 1e-17);
  CHECK_NEAR(beams_port(model, "beam.tip", q).y, -0.01, 1e-14);
  apl_model_free(model);
}

/* ----------------------------------------------------------------------------------- files ---- */

static void put_file(const char* path, const char* text) {
  FILE* f = fopen(path, "wb");
  CHECK_TRUE(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0, "%s cannot be written", path);
}

/* A CSV file stands beside the model file and says the same as lists in it; what is wrong with it
   is told with its line. */
static void files(void** state) {
  (void)state;
  static const char head[] =
      "appell: 1\n"
      "gravity: [0, 0, 0]\n"
      "links:\n"
      "  - name: beam\n"
      "    body: {type: beam, length: 2 m, mass-per-length: 1 kg/m, bending-stiffness: 3 N m^2,\n"
      "      shear-stiffness: 50 N, rotary-inertia: 0.1 kg m,\n"
      "      shape-table: ";
  static const char* const table[2] = {"modes.csv}\n",
                                       "{station: [0, 0.25, 0.5, 1], bend-y.1.turn: [0, 0.6, 1.1, "
                                       "2], bend-y.1: [0, 0.1, 0.3, 1]}}\n"};
  char folder[] = "/tmp/appell-table-XXXXXX";
  char csv[64];
  char yaml[64];
  double D[2];
  double K[2];

  assert_non_null(mkdtemp(folder));
  snprintf(csv, sizeof csv, "%s/modes.csv", folder);
  snprintf(yaml, sizeof yaml, "%s/beam.yaml", folder);
  put_file(csv, "# of a test\nstation, bend-y.1, bend-y.1.turn\n0, 0, 0\n0.25, 0.1, 0.6\n"
                "0.5, 0.3, 1.1\n1, 1, 2\n");
  near_context("a table in a file");
  for (int k = 0; k < 2; k++) {
    char text[1024];
    apl_file* file;
    apl_model* model;
    apl_report report = {0};
    snprintf(text, sizeof text, "%s%s", head, table[k]);
    put_file(yaml, text);
    if (apl_file_load(yaml, NULL, &file, &report) != APL_OK)
      near_fail(__FILE__, __LINE__, "%s", report.item[0].text);
    CHECK_OK(apl_file_model(file, &model, &report));
    beams_matrices(model, &D[k], &K[k]);
    apl_model_free(model);
    apl_file_free(file);
  }
  CHECK_NEAR(D[1], D[0], 0);
  CHECK_NEAR(K[1], K[0], 0);

  static const struct {
    const char *csv, *word;
  } bad[] = {
      {"station, bend-y.1\n0, 0\n0.5, a\n", "modes.csv, line 3, column 6: 'a' is not a number"},
      {"station, bend-y.1\n0, 0\n0.5\n1, 1\n", "line 3"},
      {"# units: mm, m\nstation, bend-y.1\n0, 0\n0.5, 1\n", "'station' has the unit mm"},
      {"station, bend-y.1\n0, 0\n0.5, 1\n0.2, 1\n1, 1\n", "increasing stations, got 0.2 after 0.5"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    char text[1024];
    apl_file* file;
    apl_report report = {0};
    snprintf(text, sizeof text, "%s%s", head, table[0]);
    put_file(yaml, text);
    put_file(csv, bad[i].csv);
    near_context("%s", bad[i].word);
    CHECK_TRUE(apl_file_load(yaml, NULL, &file, &report) != APL_OK, "it was not refused");
    CHECK_TRUE(strstr(report.item[0].text, bad[i].word) != NULL, "%s", report.item[0].text);
    assert_int_equal(report.item[0].line, 7);
    assert_int_equal(report.item[0].column, 20);
  }
  unlink(csv);
  apl_file* file;
  apl_report report = {0};
  CHECK_TRUE(apl_file_load(yaml, NULL, &file, &report) == APL_ERR_SYNTAX, "no file, no mistake");
  unlink(yaml);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slender), cmocka_unit_test(thick),    cmocka_unit_test(cubics),
      cmocka_unit_test(rods),    cmocka_unit_test(sections), cmocka_unit_test(files),
  };
  return cmocka_run_group_tests_name("beam tables", tests, NULL, NULL);
}
