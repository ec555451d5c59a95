/* SPDX-License-Identifier: Apache-2.0 */
/* test_golden.c: golden runs. A short run of every model in models/, whose numbers are compared
   with those in tests/data/golden/runs.txt.

   Where compiler, flags, libraries and processor are those of the record, the numbers must be the
   same to the last bit: times, coordinates, velocities and energies of nine rows are hashed. (The
   HDF5 file is not looked at.) Where only the compiler is another one, they must be the same too,
   except for the models in `by_complex_steps`. Elsewhere the final state must agree to 1e-9 of its
   size.

   Runs are so short that 1e-15 at the start moves the end by less than 1e-10. Commands:
     test_golden             compare
     test_golden --record    write the record anew, with the horizons that it has; new models get
   one test_golden --horizons  choose all horizons anew, and write the record test_golden --measure
   print sensitivity and time of every run A change of these numbers is a decision: docs/decisions
   says why. */
#define _POSIX_C_SOURCE 200809L /* opendir */

#include "near.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#define MODELS APPELL_TEST_DATA "/../../models/"
#define RECORD APPELL_TEST_DATA "/golden/runs.txt"

enum { MOST_MODELS = 256, NAME = 128, ROWS = 8, LINE = 1 << 16, FINGERPRINT = 512 };

static const double START = 1e-15;   /* change of the start ...                    */
static const double MOVED = 1e-10;   /* ... and its largest effect at the end */
static const double AGREE = 1e-9;    /* between processors, compilers, libraries   */
static const double MOST_TIME = 0.5; /* of one run when its horizon is chosen [s] */

/* ---------------------------------------------------------------------------- fingerprint ---- */

/* What the last bits of numbers depend on. libm takes other code where there are AVX2 and FMA. */
static void fingerprint(char* text) {
#if defined(__clang__)
  const char* compiler = "clang " __clang_version__;
#elif defined(__GNUC__)
  const char* compiler = "gcc " __VERSION__;
#else
  const char* compiler = "another compiler";
#endif
#if defined(__GLIBC__)
  const char* libc = gnu_get_libc_version();
#else
  const char* libc = "another";
#endif
#if defined(__x86_64__) && defined(__GNUC__)
  const char* avx2 = __builtin_cpu_supports("avx2") ? "avx2" : "no avx2";
  const char* fma = __builtin_cpu_supports("fma") ? "fma" : "no fma";
  const char* machine = "x86-64";
#else
  const char *avx2 = "", *fma = "", *machine = "another machine";
#endif
  snprintf(text, FINGERPRINT, "%s, %s, glibc %s, %s %s %s, %s", compiler, GOLDEN_FLAGS, libc,
           machine, avx2, fma, GOLDEN_LIBRARIES);
}

/* ------------------------------------------------------------------------------------ runs ---- */

typedef struct golden {
  char name[NAME];
  double horizon;
  double tolerance;        /* of its integrator; 0: the file's */
  uint64_t motion, energy; /* hashes */
  int nq, nv;
  double* end; /* [nq + nv] */
} golden;

/* FNV-1a, 64 bits, over the bytes of numbers; minus zero counts as zero. */
static void hash(uint64_t* h, const double* x, int n) {
  for (int i = 0; i < n; i++) {
    const double number = x[i] + 0.0;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    for (int k = 0; k < 64; k += 8)
      *h = (*h ^ (bits >> k & 0xff)) * UINT64_C(0x100000001b3);
  }
}

static apl_status take_row(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                           void* user) {
  golden* g = user;
  const double energies[] = {ledger->kinetic, ledger->potential, ledger->sum};
  (void)y;

  hash(&g->motion, &t, 1);
  hash(&g->motion, apl_q(apl_system_state(system)), g->nq);
  hash(&g->motion, apl_v(apl_system_state(system)), g->nv);
  hash(&g->energy, energies, 3);
  return APL_OK;
}

/* The time that a run may take, while horizons are chosen. */
static double deadline = 1e300;

static double now(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static apl_status in_time(const apl_progress* progress, void* user) {
  (void)progress, (void)user;
  return now() > deadline ? APL_ERR_STOPPED : APL_OK;
}

/* Coordinates and velocities move by +-START, with signs of a small generator. */
static void disturb(apl_system* system, const apl_model* model, unsigned seed) {
  double* const x[] = {apl_q(apl_system_state(system)), apl_v(apl_system_state(system))};
  const int n[] = {apl_model_nq(model), apl_model_nv(model)};

  for (int part = 0; part < 2; part++) {
    for (int i = 0; i < n[part]; i++) {
      seed = seed * 1664525u + 1013904223u;
      x[part][i] += seed >> 31 ? START : -START;
    }
  }
}

/* Run a model over g->horizon (the file's, if 0), seed 0: from its own start. Fills in the results;
   the caller frees g->end. */
static apl_status run(golden* g, unsigned seed, apl_error* err) {
  apl_file* file = NULL;
  apl_model* model = NULL;
  apl_system* system = NULL;
  apl_report report = {0};
  char path[4096];

  snprintf(path, sizeof path, MODELS "%s.yaml", g->name);
  if (apl_file_load(path, NULL, &file, &report) != APL_OK ||
      apl_file_model(file, &model, &report) != APL_OK ||
      apl_file_system(file, model, APL_READY, &system, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s: %s", path, report.item[0].text);
  g->nq = apl_model_nq(model);
  g->nv = apl_model_nv(model);
  g->motion = g->energy = UINT64_C(0xcbf29ce484222325);
  if (seed != 0) disturb(system, model, seed);

  apl_run_options o = apl_file_options(file);
  if (!(g->horizon > 0)) g->horizon = o.to;
  if (g->tolerance > 0) o.tolerance = g->tolerance;
  o.to = g->horizon;
  o.output_every = g->horizon / ROWS;
  o.output = take_row;
  o.poll = in_time;
  o.poll_every = 100;
  o.user = g;
  const apl_status st = apl_run(system, &o, NULL, err);
  g->end = malloc((size_t)(g->nq + g->nv) * sizeof *g->end);
  assert_non_null(g->end);
  memcpy(g->end, apl_q(apl_system_state(system)), (size_t)g->nq * sizeof *g->end);
  memcpy(g->end + g->nq, apl_v(apl_system_state(system)), (size_t)g->nv * sizeof *g->end);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
  return st;
}

/* Largest difference of two final states; numbers above 1 count relative to themselves. */
static double difference(const golden* a, const golden* b) {
  double worst = 0;

  if (a->nq != b->nq || a->nv != b->nv) return HUGE_VAL;
  for (int i = 0; i < a->nq + a->nv; i++) {
    const double e = fabs(a->end[i] - b->end[i]) / fmax(1, fabs(b->end[i]));
    if (!(e <= worst)) worst = e;
  }
  return worst;
}

/* Effect of 1e-15 at the start on the end: the largest over some directions; infinite for a run
   that fails or takes too long. Leaves the undisturbed run in g. */
static double sensitivity(golden* g, double most_time, double* took) {
  enum { DIRECTIONS = 4 };
  apl_error err = {0};
  double worst = 0;
  const double begun = now();

  deadline = begun + most_time;
  const apl_status st = run(g, 0, &err);
  *took = now() - begun;
  deadline = 1e300;
  for (unsigned k = 1; k <= DIRECTIONS && st == APL_OK && worst < MOVED; k++) {
    golden other = *g;
    const apl_status moved = run(&other, k, &err);
    worst = moved == APL_OK ? fmax(worst, difference(&other, g)) : HUGE_VAL;
    free(other.end);
  }
  return st == APL_OK ? worst : HUGE_VAL;
}

/* The file's end time, or half of it, a quarter, ..; false if even short runs are sensitive. */
static bool choose_horizon(golden* g, double tolerance) {
  double took;

  g->horizon = 0;
  g->tolerance = tolerance;
  for (int halves = 0; halves < 8; halves++) {
    if (sensitivity(g, MOST_TIME, &took) < MOVED) return true;
    free(g->end);
    g->end = NULL;
    g->horizon /= 2;
  }
  return false;
}

/* Decisions about steps and Newton iterations depend on the last bit, and change a motion by a
   fraction of the tolerance at once: where that is too much, the golden run has a tolerance of
   1e-12. */
static void choose(golden* g) {
  if (!choose_horizon(g, 0) && !choose_horizon(g, 1e-12))
    near_fail(__FILE__, __LINE__, "%s: no horizon is short enough", g->name);
}

/* ---------------------------------------------------------------------------------- record ---- */

static int by_name(const void* a, const void* b) {
  return strcmp(((const golden*)a)->name, ((const golden*)b)->name);
}

/* All model files, by name. */
static int list_models(golden* list) {
  DIR* dir = opendir(MODELS);
  int n = 0;

  assert_non_null(dir);
  for (const struct dirent* d = readdir(dir); d != NULL; d = readdir(dir)) {
    const size_t length = strlen(d->d_name);
    if (length < 6 || length > NAME || strcmp(d->d_name + length - 5, ".yaml") != 0) continue;
    assert_true(n < MOST_MODELS);
    list[n] = (golden){0};
    memcpy(list[n].name, d->d_name, length - 5);
    n++;
  }
  closedir(dir);
  qsort(list, (size_t)n, sizeof *list, by_name);
  return n;
}

static bool read_line(FILE* f, char* line) {
  return fgets(line, LINE, f) != NULL;
}

/* Fingerprint and lines of the record; returns their number, 0 when there is none. */
static int read_record(char* print, golden* list) {
  static char line[LINE];
  FILE* f = fopen(RECORD, "r");
  int n = 0;

  print[0] = '\0';
  if (f == NULL) return 0;
  while (read_line(f, line)) {
    golden g = {0};
    int used = 0;

    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0') continue;
    if (strncmp(line, "fingerprint: ", 13) == 0) {
      snprintf(print, FINGERPRINT, "%.*s", FINGERPRINT - 1, line + 13);
      continue;
    }
    if (sscanf(line, "%127s %lf %lf %" SCNx64 " %" SCNx64 " %d %d%n", g.name, &g.horizon,
               &g.tolerance, &g.motion, &g.energy, &g.nq, &g.nv, &used) != 7)
      near_fail(__FILE__, __LINE__, "%s: a line is not well formed: %.60s", RECORD, line);
    g.end = malloc((size_t)(g.nq + g.nv) * sizeof *g.end);
    assert_non_null(g.end);
    char* at = line + used;
    for (int i = 0; i < g.nq + g.nv; i++)
      g.end[i] = strtod(at, &at);
    assert_true(n < MOST_MODELS);
    list[n++] = g;
  }
  fclose(f);
  return n;
}

static void write_record(const golden* list, int n) {
  char print[FINGERPRINT];
  FILE* f = fopen(RECORD, "w");

  if (f == NULL) near_fail(__FILE__, __LINE__, "%s: %s", RECORD, strerror(errno));
  fingerprint(print);
  fprintf(f,
          "# Golden runs of models/, written by `test_golden --record`; test_golden.c says how "
          "they are\n"
          "# compared. A change is a decision: docs/decisions says why.\n"
          "# model, horizon [s], tolerance (0: the file's), hash of the motion, hash of the "
          "energies, nq, nv, final q and v\n"
          "fingerprint: %s\n",
          print);
  for (int i = 0; i < n; i++) {
    const golden* g = &list[i];
    fprintf(f, "%s %.17g %g %016" PRIx64 " %016" PRIx64 " %d %d", g->name, g->horizon, g->tolerance,
            g->motion, g->energy, g->nq, g->nv);
    for (int k = 0; k < g->nq + g->nv; k++)
      fprintf(f, " %.12g", g->end[k]);
    fprintf(f, "\n");
  }
  assert_int_equal(fclose(f), 0);
}

static const golden* find(const golden* list, int n, const char* name) {
  for (int i = 0; i < n; i++) {
    if (strcmp(list[i].name, name) == 0) return &list[i];
  }
  return NULL;
}

/* ---------------------------------------------------------------------------------- modes ---- */

/* True if two fingerprints differ in the compiler alone, which is what stands before the comma. */
static bool other_compiler(const char* a, const char* b) {
  const char *rest_a = strchr(a, ','), *rest_b = strchr(b, ',');
  const bool measured = strncmp(a, "clang 14.", 9) == 0 && strncmp(b, "gcc 12.", 7) == 0;
  return measured && rest_a != NULL && rest_b != NULL && strcmp(rest_a, rest_b) == 0;
}

/* Models with other bits by clang 14. Their implicit integrator takes Jacobians by complex steps.
   The likely cause, which is not proven: gcc divides complex numbers by a formula
   (-fcx-limited-range), clang 14 by a library function that scales (__divdc3). */
static const char* const by_complex_steps[] = {
    "arc", "mecanum-soft-arm", "paper-continuum-elastica", "soft-arm", "soft-rover", "tendon-arm"};

static bool compilers_agree(const char* name) {
  for (size_t i = 0; i < sizeof by_complex_steps / sizeof *by_complex_steps; i++) {
    if (strcmp(by_complex_steps[i], name) == 0) return false;
  }
  return true;
}

static void compare(void** state) {
  (void)state;
  static golden model[MOST_MODELS], record[MOST_MODELS];
  char here[FINGERPRINT], there[FINGERPRINT];
  const int n = list_models(model), nrecord = read_record(there, record);
  int wrong = 0;

  fingerprint(here);
  const bool same = strcmp(here, there) == 0, source = other_compiler(here, there);
  printf("here:   %s\nrecord: %s\n%s\n", here, there,
         same     ? "numbers must be equal"
         : source ? "another compiler: numbers must be equal, but for Jacobians by complex steps"
                  : "final states must agree to 1e-9");
  for (int i = 0; i < nrecord; i++) {
    if (find(model, n, record[i].name) == NULL)
      near_fail(__FILE__, __LINE__, "%s is in %s, but models/ does not have it: record anew",
                record[i].name, RECORD);
  }
  for (int i = 0; i < n; i++) {
    golden* g = &model[i];
    const golden* want = find(record, nrecord, g->name);
    apl_error err = {0};

    if (want == NULL)
      near_fail(__FILE__, __LINE__, "models/%s.yaml has no golden run: `test_golden --record`",
                g->name);
    g->horizon = want->horizon;
    g->tolerance = want->tolerance;
    if (run(g, 0, &err) != APL_OK)
      near_fail(__FILE__, __LINE__, "models/%s.yaml: %s", g->name, err.text);
    const double e = difference(g, want);
    const bool motion = g->motion == want->motion, energy = g->energy == want->energy;
    if (same || (source && compilers_agree(g->name)) ? !motion || !energy : !(e <= AGREE)) {
      wrong++;
      fprintf(stderr, "models/%s.yaml: %s, the end by %.2g\n", g->name,
              motion   ? "its energies have changed"
              : energy ? "its motion has changed"
                       : "its motion and energies have changed",
              e);
    }
    free(g->end);
  }
  for (int i = 0; i < nrecord; i++)
    free(record[i].end);
  CHECK_TRUE(wrong == 0,
             "the numbers of %d golden runs have changed. If that is meant: `test_golden --record` "
             "with the gcc release build, and say why in docs/decisions and CHANGELOG.md",
             wrong);
}

static bool all_horizons;

static void record_all(void** state) {
  (void)state;
  static golden model[MOST_MODELS], old[MOST_MODELS];
  char print[FINGERPRINT];
  const int n = list_models(model), nold = read_record(print, old);

#if defined(__clang__) || !defined(__OPTIMIZE__)
  near_fail(__FILE__, __LINE__, "golden runs are recorded with the gcc release build");
#endif
  for (int i = 0; i < n; i++) {
    const golden* was = find(old, nold, model[i].name);
    apl_error err = {0};

    if (was == NULL || all_horizons) {
      choose(&model[i]);
    } else {
      model[i].horizon = was->horizon;
      model[i].tolerance = was->tolerance;
      if (run(&model[i], 0, &err) != APL_OK)
        near_fail(__FILE__, __LINE__, "models/%s.yaml: %s", model[i].name, err.text);
    }
    printf("%-26s %g s%s\n", model[i].name, model[i].horizon,
           was != NULL && was->motion == model[i].motion && was->energy == model[i].energy
               ? ", as before"
               : "");
  }
  write_record(model, n);
}

static void measure(void** state) {
  (void)state;
  static golden record[MOST_MODELS];
  char print[FINGERPRINT];
  const int n = read_record(print, record);

  for (int i = 0; i < n; i++) {
    double took;
    const double s = sensitivity(&record[i], 1e300, &took);
    printf("%-26s %8g s, 1e-15 becomes %.1e, takes %.3f s\n", record[i].name, record[i].horizon, s,
           took);
    CHECK_TRUE(s < MOVED, "%s: the horizon is too long: `test_golden --horizons`", record[i].name);
  }
}

int main(int argc, char** argv) {
  const char* mode = argc > 1 ? argv[1] : "";
  const struct CMUnitTest tests[] = {cmocka_unit_test(compare)};
  const struct CMUnitTest records[] = {cmocka_unit_test(record_all)};
  const struct CMUnitTest measures[] = {cmocka_unit_test(measure)};

  all_horizons = strcmp(mode, "--horizons") == 0;
  if (all_horizons || strcmp(mode, "--record") == 0)
    return cmocka_run_group_tests(records, NULL, NULL);
  if (strcmp(mode, "--measure") == 0) return cmocka_run_group_tests(measures, NULL, NULL);
  if (argc > 1) {
    fprintf(stderr, "usage: test_golden [--record | --horizons | --measure]\n");
    return 2;
  }
  return cmocka_run_group_tests(tests, NULL, NULL);
}
