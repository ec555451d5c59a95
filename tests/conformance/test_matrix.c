/* SPDX-License-Identifier: Apache-2.0 */
/* test_matrix.c: every kind of coupling under every integrator, and some couplings two at a time.

   A pair (robot, integrator) either agrees with its reference, or is refused by a sentence before
   it moves, or fails. Most robots have a closed form; the others are compared with a run by rkf78
   at 1e-12 (rkf78 itself with dop853). Three lists say what is expected:
     - pairs in no list agree with the reference;
     - refused[]: pairs that a sentence refuses. A pair that runs may not become refused;
     - known[]: pairs that fail today. This list only shrinks: a pair in it that agrees or is
       refused fails this test until its line is moved or removed.
   `test_matrix --table` prints the errors of all pairs. */
#include "elliptic.h"

#include "step/steppers.h"
#include "near.h"

#include <stdio.h>
#include <string.h>

#define MATRIX APPELL_TEST_DATA "/matrix/"

enum { MOST_Q = 16 };

static const double G = 9.81;
static const double PI = 3.14159265358979323846;

/* ----------------------------------------------------------------------------- closed forms ----
 */

/* theta'' = -w2 sin theta, from rest at theta0: sin(theta/2) = k cd(w t), k = sin(theta0/2). */
static double pendulum(double t, double theta0, double w2) {
  const double k = sin(theta0 / 2);
  double sn, cn, dn;

  elliptic_functions(sqrt(w2) * t, k * k, &sn, &cn, &dn);
  return 2 * asin(k * cn / dn);
}

/* Height above a one-sided spring of frequency w at 0, from height x0 > 0 with speed v0, under g;
   the first contact and the flight after it. */
static double spring_bounce(double t, double x0, double v0, double g, double w) {
  const double v1 = sqrt(v0 * v0 + 2 * g * x0); /* into the spring */
  const double t1 = g > 0 ? (v0 + v1) / g : -x0 / v0;
  const double lasts = 2 / w * (PI - atan2(v1 * w, g)); /* tan(w lasts/2) = -v1 w/g */

  if (t < t1) return x0 + v0 * t - g * t * t / 2;
  const double s = t - t1;
  if (s < lasts) return -g / (w * w) * (1 - cos(w * s)) - v1 / w * sin(w * s);
  return v1 * (s - lasts) - g * (s - lasts) * (s - lasts) / 2;
}

/* Height of a point that falls from x0 and bounces with e = 1/2, until the third impact. */
static double rigid_bounce(double t, double x0) {
  double v = sqrt(2 * G * x0);
  double s = t - v / G;

  if (s < 0) return x0 - G * t * t / 2;
  for (v /= 2; s > 2 * v / G; v /= 2)
    s -= 2 * v / G;
  return v * s - G * s * s / 2;
}

static void hold_form(double t, double* q) {
  q[0] = PI / 6; /* the lower rod: m g l / (I + m l^2) */
  q[1] = pendulum(t, PI / 3, 2 * G * 0.2 / (0.03 + 2 * 0.04)) - PI / 6;
}

static void stop_form(double t, double* q) {
  q[0] = 0.1 - spring_bounce(t, 0.1, -1, 0, 10);
}

static void tendon_form(double t, double* q) {
  q[0] = 0.7 + spring_bounce(t, 0.2, 0, G, sqrt(200.0));
}

/* Cranks at phi = theta - 90 deg: I = 2 (0.01 + 0.15^2) + 2 * 0.3^2, m l = 2 * 0.15 + 2 * 0.3. */
static void loop_form(double t, double* q) {
  q[0] = pendulum(t, 50 * PI / 180, 0.9 * G / 0.245) - PI / 2;
  q[1] = -q[0];
  q[2] = q[0];
}

/* Three cranks: I = 3 (0.01 + 0.15^2) + 2 * 0.3^2, m l = 3 * 0.15 + 2 * 0.3. */
static void redundant_form(double t, double* q) {
  q[0] = pendulum(t, 50 * PI / 180, 1.05 * G / 0.2775) - PI / 2;
  q[1] = -q[0];
  q[2] = q[3] = q[0];
}

static void held_loop_form(double t, double* q) {
  q[0] = 0;
  loop_form(t, q + 1);
}

/* I = 0.02 + 0.25^2 + 3^2 * 0.004 */
static void gear_form(double t, double* q) {
  q[0] = pendulum(t, 50 * PI / 180, 0.25 * G / 0.1185);
  q[1] = -3 * q[0];
}

static void soft_form(double t, double* q) {
  q[0] = spring_bounce(t, 0.3, 0, G, 20);
}

static void rigid_form(double t, double* q) {
  q[0] = rigid_bounce(t, 0.3);
}

static void stick_form(double t, double* q) {
  const double a = 0.4 * G, s = fmin(t, 1 / a);
  q[0] = s - a * s * s / 2;
  q[1] = 0;
}

static void held_soft_form(double t, double* q) {
  q[0] = 0;
  soft_form(t, q + 1);
}

/* ------------------------------------------------------------------------------------ robots ----
 */

typedef struct matrix_case {
  const char* name;
  const char* file;
  const char* set;  /* a setting of the file, or NULL                                            */
  const char* hold; /* velocity that is held, or NULL                                            */
  void (*form)(double t, double* q); /* NULL: compared with another method                       */
  double slack; /* added to all tolerances: what the model itself is off its reference           */
} matrix_case;

static const matrix_case cases[] = {
    {"hold", "hold.yaml", NULL, "upper.joint.angle", hold_form, 0},
    {"stop", "stop.yaml", NULL, NULL, stop_form, 0},
    {"tendon", "tendon.yaml", NULL, NULL, tendon_form, 0},
    {"loop", "loop.yaml", NULL, NULL, loop_form, 0},
    {"loop-reduced", "loop.yaml", "run.loops=reduced", NULL, loop_form, 0},
    /* springs of 1000 rad/s give way by g / w^2 = 1e-5 m on cranks of 0.3 m */
    {"loop-springs", "loop.yaml", "run.loops=springs", NULL, loop_form, 2e-4},
    {"loop-redundant", "loop-redundant.yaml", NULL, NULL, redundant_form, 0},
    {"gear", "gear.yaml", NULL, NULL, gear_form, 0},
    {"ground-soft", "ground-soft.yaml", NULL, NULL, soft_form, 0},
    {"ground-rigid", "ground-rigid.yaml", NULL, NULL, rigid_form, 0},
    {"ground-stick", "ground-stick.yaml", NULL, NULL, stick_form, 0},
    {"shape-soft", "shape-soft.yaml", NULL, NULL, soft_form, 0},
    {"shape-rigid", "shape-rigid.yaml", NULL, NULL, rigid_form, 0},
    {"shape-thin", "shape-thin.yaml", NULL, NULL, rigid_form, 0},
    {"loop+ground", "loop-ground.yaml", NULL, NULL, NULL, 0},
    {"loop+ground-rigid", "loop-ground-rigid.yaml", NULL, NULL, NULL, 0},
    {"tendon+stop", "tendon-stop.yaml", NULL, NULL, NULL, 0},
    {"hold+ground", "hold-ground.yaml", NULL, "x.joint.position", held_soft_form, 0},
    {"hold+loop", "hold-loop.yaml", NULL, "x.joint.position", held_loop_form, 0},
    {"tendon+arc", "tendon-arc.yaml", NULL, NULL, NULL, 0},
    {"loop+beam", "loop-beam.yaml", NULL, NULL, NULL, 0},
    {"loop+beam+ground", "loop-beam-ground.yaml", NULL, NULL, NULL, 0},
};
enum { NCASE = sizeof cases / sizeof *cases };

/* Largest error of a coordinate of size 1. Methods with error control run at a tolerance of 1e-9
   per step and may be 100 tolerances off at the end; the errors of multistep methods add up more,
   1000. Fixed steps: a constant times h^order. The constant of moreau is larger because its steps
   change contacts at their ends. A step of rk4 across such a change errs by h^2 at most;
   loop+ground has 1.08e-6, 1.14e-6 and 1.3e-7 at 4e-4, 2e-4 and 1e-4 s, which is no clean order. */
typedef struct matrix_method {
  const char* name;
  double step;
  double tolerance;
} matrix_method;

/* clang-format off */
static const matrix_method methods[] = {
    {"auto", 0, 1e-6}, /* it may choose stiff */
    {"rkf45", 0, 1e-7},
    {"rkf78", 0, 1e-7},
    {"dop853", 0, 1e-7},
    {"adams", 0, 1e-6},
    {"stiff", 0, 1e-6},
    {"bdf", 0, 1e-6},
    {"rk4", 2e-4, 100 * 2e-4 * 2e-4},
    {"semi-implicit", 1e-4, 10 * 1e-4},
    {"moreau", 1e-4, 30 * 1e-4},
    {"gen-alpha", 2e-4, 50 * 2e-4 * 2e-4},
};
/* clang-format on */
enum { NMETHOD = sizeof methods / sizeof *methods };

typedef struct matrix_pair {
  const char *robot, *method;
} matrix_pair;

static const matrix_pair refused[] = {
    {"loop-reduced", "moreau"},
    {"loop-reduced", "gen-alpha"},
    {"ground-soft", "gen-alpha"},
    {"ground-rigid", "rk4"},
    {"ground-rigid", "semi-implicit"},
    {"ground-rigid", "gen-alpha"},
    {"ground-stick", "rk4"},
    {"ground-stick", "semi-implicit"},
    {"ground-stick", "gen-alpha"},
    {"shape-soft", "gen-alpha"},
    {"shape-rigid", "rk4"},
    {"shape-rigid", "semi-implicit"},
    {"shape-rigid", "gen-alpha"},
    {"shape-thin", "rk4"},
    {"shape-thin", "semi-implicit"},
    {"shape-thin", "gen-alpha"},
    {"loop+ground", "gen-alpha"},
    {"loop+ground-rigid", "rk4"},
    {"loop+ground-rigid", "semi-implicit"},
    {"loop+ground-rigid", "gen-alpha"},
    {"hold+ground", "gen-alpha"},
    {"loop+beam+ground", "gen-alpha"},
    {NULL, NULL},
};

/* Issue Hold empties this list. */
static const matrix_pair known[] = {
    /* steps of 1e-8 s */
    {"loop-reduced", "adams"},
    {"loop-reduced", "bdf"},
    /* a long step ends nearer to another face of the box: the impact is missed without a word */
    {"shape-thin", "auto"},
    {"shape-thin", "rkf45"},
    {"shape-thin", "rkf78"},
    {"shape-thin", "dop853"},
    {"shape-thin", "adams"},
    {NULL, NULL},
};

static bool listed(const matrix_pair* list, const char* robot, const char* method) {
  for (; list->robot != NULL; list++) {
    if (strcmp(list->robot, robot) == 0 && strcmp(list->method, method) == 0) return true;
  }
  return false;
}

/* -------------------------------------------------------------------------------------- runs ----
 */

typedef enum matrix_outcome { AGREES, REFUSED, FAILS } matrix_outcome;
static const char* const outcome_word[] = {"agrees", "is refused", "fails"};

typedef struct matrix_run {
  apl_status status;
  apl_error err;
  double t;
  double to;
  int nq;
  double q[MOST_Q];
  long evaluations;
} matrix_run;

/* A run that needs more evaluations than this does not end. Fixed steps need 24000 at most. */
static const long most_evaluations = 30000, most_of_references = 1000000;

static apl_status enough(const apl_progress* progress, void* user) {
  return progress->evaluations > *(const long*)user ? APL_ERR_STOPPED : APL_OK;
}

static void run(const matrix_case* c, const char* method, double tolerance, double step,
                matrix_run* out) {
  apl_file* file = NULL;
  apl_model* model = NULL;
  apl_system* system = NULL;
  apl_load_options load = apl_load_options_default();
  apl_report report = {0};
  char path[4096];

  memset(out, 0, sizeof *out);
  load.set = &c->set;
  load.nset = c->set != NULL;
  snprintf(path, sizeof path, MATRIX "%s", c->file);
  if (apl_file_load(path, &load, &file, &report) != APL_OK ||
      apl_file_model(file, &model, &report) != APL_OK ||
      apl_file_system(file, model, APL_READY, &system, &report) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s: %s", c->file, report.item[0].text);
  if (c->hold != NULL)
    CHECK_OK(
        apl_system_hold(system, apl_model_find(model, APL_VELOCITIES, c->hold), true, &out->err));

  apl_run_options o = apl_file_options(file);
  apl_run_report told = {0};
  o.method = method;
  o.tolerance = tolerance;
  o.step = step;
  o.output_every = 0;
  o.poll = enough;
  o.poll_every = 100;
  long most = tolerance < 1e-11 ? most_of_references : most_evaluations;
  o.user = &most;
  out->status = apl_run(system, &o, &told, &out->err);
  out->t = told.t;
  out->to = o.to;
  out->evaluations = told.evaluations;
  out->nq = apl_model_nq(model);
  CHECK_TRUE(out->nq <= MOST_Q, "%s has more coordinates than the test has room for", c->file);
  memcpy(out->q, apl_q(apl_system_state(system)), (size_t)out->nq * sizeof *out->q);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

/* The reference of a robot for a method: never by that method itself. Runs are made once. */
static const double* reference(const matrix_case* c, const char* method, double to) {
  static double want[NCASE][2][MOST_Q];
  static bool made[NCASE][2];
  const int other = strcmp(method, "rkf78") == 0;
  const ptrdiff_t i = c - cases;

  if (!made[i][other] && c->form != NULL) {
    c->form(to, want[i][other]);
  } else if (!made[i][other]) {
    matrix_run r;
    run(c, other ? "dop853" : "rkf78", 1e-12, 0, &r);
    CHECK_TRUE(r.status == APL_OK, "%s, the reference: %s", c->name, r.err.text);
    memcpy(want[i][other], r.q, sizeof r.q);
  }
  made[i][other] = true;
  return want[i][other];
}

/* Refused means: with a sentence of its own that names the integrator, before anything moved. */
static bool is_refusal(const matrix_run* r, const char* method) {
  return (r->status == APL_ERR_ARGUMENT || r->status == APL_ERR_MODEL) && !(r->t > 0) &&
         strstr(r->err.text, method) != NULL;
}

static matrix_outcome judge(const matrix_case* c, const matrix_method* m, double* error,
                            matrix_run* got) {
  *error = NEAR_NAN;
  run(c, m->name, 1e-9, m->step, got);
  if (is_refusal(got, m->name)) return REFUSED;
  if (got->status != APL_OK) return FAILS;
  const double* want = reference(c, m->name, got->to);
  *error = 0;
  for (int i = 0; i < got->nq; i++) {
    const double e = fabs(got->q[i] - want[i]);
    if (!(e <= *error)) *error = e; /* NaN stays */
  }
  return *error <= m->tolerance + c->slack ? AGREES : FAILS;
}

static bool print_table;

/* What to do about an outcome that was not expected. */
static const char* advice(matrix_outcome expected, matrix_outcome got) {
  if (expected == FAILS && got == AGREES) return "take it out of known[]: the list only shrinks";
  if (expected == FAILS) return "move it from known[] to refused[]";
  if (expected == REFUSED && got == AGREES) return "take it out of refused[]";
  if (got == REFUSED) return "a pair that runs may not become refused";
  return "mend it; known[] takes no new pairs";
}

static void every_pair(void** state) {
  (void)state;
  int wrong = 0;

  for (int i = 0; i < NCASE; i++) {
    for (int k = 0; k < NMETHOD; k++) {
      const matrix_case* c = &cases[i];
      const matrix_method* m = &methods[k];
      const matrix_outcome expected = listed(known, c->name, m->name)     ? FAILS
                                      : listed(refused, c->name, m->name) ? REFUSED
                                                                          : AGREES;
      matrix_run r;
      double error;
      near_context("%s, %s", c->name, m->name);
      const matrix_outcome got = judge(c, m, &error, &r);
      if (print_table)
        printf("%-18s %-14s %-10s error %-9.2g evaluations %-7ld %s\n", c->name, m->name,
               outcome_word[got], error, r.evaluations, r.status == APL_OK ? "" : r.err.text);
      if (got == expected) continue;
      wrong++;
      fprintf(stderr, "%s by %s %s (error %.3g, t = %g s: %s), expected that it %s: %s\n", c->name,
              m->name, outcome_word[got], error, r.t,
              r.status == APL_OK ? "ran to its end" : r.err.text, outcome_word[expected],
              advice(expected, got));
    }
  }
  CHECK_TRUE(wrong == 0, "%d pairs are not as expected", wrong);
}

/* An integrator that the library has and this table has not would escape. */
static void every_method(void** state) {
  (void)state;
  int n = 0;

  for (; apl_method_word(n) != NULL; n++) {
    bool found = false;
    for (int k = 0; k < NMETHOD; k++)
      found = found || strcmp(methods[k].name, apl_method_word(n)) == 0;
    CHECK_TRUE(found, "the integrator %s has no line in methods[]", apl_method_word(n));
  }
  assert_int_equal(n, NMETHOD);
}

/* A line of a list that names no pair would be forgotten there. */
static void every_line(void** state) {
  (void)state;
  const matrix_pair* const list[] = {refused, known};

  for (int i = 0; i < 2; i++) {
    for (const matrix_pair* p = list[i]; p->robot != NULL; p++) {
      bool robot = false, method = false;
      for (int k = 0; k < NCASE; k++)
        robot = robot || strcmp(cases[k].name, p->robot) == 0;
      for (int k = 0; k < NMETHOD; k++)
        method = method || strcmp(methods[k].name, p->method) == 0;
      CHECK_TRUE(robot && method, "there is no pair %s, %s", p->robot, p->method);
      CHECK_TRUE(!(i == 0 && listed(known, p->robot, p->method)), "%s, %s is in both lists",
                 p->robot, p->method);
    }
  }
}

int main(int argc, char** argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_method),
      cmocka_unit_test(every_line),
      cmocka_unit_test(every_pair),
  };
  print_table = argc > 1 && strcmp(argv[1], "--table") == 0;
  return cmocka_run_group_tests(tests, NULL, NULL);
}
