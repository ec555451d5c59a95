/* SPDX-License-Identifier: Apache-2.0 */
/* test_gait.c: signals that gaits are made of, gaits against reference/snake (an independent
   derivation), and what files with gaits and servos are refused for. */
#include "table.h"

#include "signal/gait.h"
#include "signal/signals.h"
#include "spec/parts.h"
#include "system/system.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---------------------------------------------------------------------------------- rates ---- */

/* Rates against central differences of fourth order; h = 1e-3 leaves h^4/30 of a fifth derivative
   that is below (2 pi)^5, about 4e-10, and round-off of 1e-12. Times keep away from breaks. */
static void check_rates(const apl_signal* s, double t) {
  const double h = 1e-3;
  double y[3], at[5][3];

  apl_signal_eval(s, t, y);
  for (int k = 0; k < 5; ++k)
    apl_signal_eval(s, t + (k - 2) * h, at[k]);
  for (int d = 0; d < 2; ++d) {
    const double rate =
        (at[0][d] - 8 * at[1][d] + 8 * at[3][d] - at[4][d]) / (12 * h); /* Fornberg */
    CHECK_NEAR(y[d + 1], rate, 2e-8 * (1 + fabs(rate)));
  }
}

static apl_signal* smooth_travel(void) {
  apl_signal* s;
  CHECK_OK(apl_signal_travel(0.3, 0.5, 3.5, 0.7, true, &s, NULL));
  return s;
}

static void rates_are_exact(void** state) {
  (void)state;
  apl_signal *s[5], *sine;

  s[0] = smooth_travel();
  CHECK_OK(apl_signal_travel(-0.2, 0, 4, 0.4, false, &s[1], NULL));
  CHECK_OK(apl_signal_wave(0.4, 7.0, smooth_travel(), 0.3, &s[2], NULL));
  CHECK_OK(apl_signal_sine(0.1, 0.5, 0.8, 0.2, &sine, NULL));
  CHECK_OK(apl_signal_product(sine, smooth_travel(), &s[3], NULL));
  CHECK_OK(apl_signal_sine(0.1, 0.5, 1.0 / 1.3, 0.2, &sine, NULL));
  CHECK_OK(apl_signal_cycle(sine, 1.3, &s[4], NULL));
  for (int i = 0; i < 5; ++i) {
    near_context("signal %d", i);
    for (int k = 0; k < 40; ++k) {
      const double t = 0.043 + 0.1 * k, next = apl_signal_break(s[i], t - 3e-3);
      if (next > t + 3e-3) check_rates(s[i], t);
    }
    apl_signal_free(s[i]);
  }
}

/* Value and rate do not jump at breaks; of smooth travels neither does the second rate. */
static void travels_join(void** state) {
  (void)state;

  for (int smooth = 0; smooth < 2; ++smooth) {
    apl_signal* s;
    double t = -1.0, before[3], after[3];
    int breaks = 0;
    CHECK_OK(apl_signal_travel(0.3, 0.5, 3.5, 0.7, smooth == 1, &s, NULL));
    assert_int_equal(apl_signal_smoothness(s), smooth == 1 ? 2 : 1);
    for (; isfinite(apl_signal_break(s, t)); ++breaks) {
      t = apl_signal_break(s, t);
      apl_signal_eval(s, t - 1e-9, before);
      apl_signal_eval(s, t, after);
      for (int k = 0; k <= 1 + smooth; ++k)
        CHECK_NEAR(after[k], before[k], 1e-8); /* rates are below 1, times 1e-9 */
    }
    assert_int_equal(breaks, 4);
    CHECK_NEAR(after[0], 0.3 * (3.0 - 0.7), 1e-15); /* speed times (time - ramp)                 */
    apl_signal_free(s);
  }
}

static void cycles_repeat(void** state) {
  (void)state;
  const double t[] = {0, 0.5, 1.5, 2}, y[] = {1, 3, -2, 1};
  apl_signal *once, *s;
  double a[3], b[3], at = 0;

  CHECK_OK(apl_signal_points("blend", 4, t, y, &once, NULL));
  CHECK_OK(apl_signal_cycle(once, 2, &s, NULL));
  assert_int_equal(apl_signal_smoothness(s), 2);
  apl_signal_eval(s, 0.7, a);
  apl_signal_eval(s, 0.7 + 2 * 37, b);
  CHECK_ARRAY(b, a, 3, 1e-12, 20); /* 74 is rounded to 1e-14 */
  for (int k = 0; k < 300; ++k) {
    const double next = apl_signal_break(s, at);
    CHECK_TRUE(next > at && next < at + 1.0 + 1e-9, "the break after %.17g is %.17g", at, next);
    at = next;
  }
  CHECK_NEAR(at, 200, 1e-9); /* three breaks to a cycle of 2 s */
  apl_signal_free(s);

  /* an end that does not meet the beginning is a jump */
  CHECK_OK(apl_signal_points("blend", 2, t, y, &once, NULL));
  CHECK_OK(apl_signal_cycle(once, 1, &s, NULL));
  assert_int_equal(apl_signal_smoothness(s), -1);
  apl_signal_free(s);
}

/* ---------------------------------------------------------------------------------- gaits ---- */

/* reference/snake/paper_kinematics: 16 links, a = 0.2 m/s^2, T = 10 s; printed with 12 digits. */
static void serpenoid_of_the_paper(void** state) {
  (void)state;
  table ref = table_read(APPELL_TEST_DATA, "snake/paper_kinematics.csv");
  apl_gait g = apl_gait_default();

  g.type = "serpenoid";
  g.winding = pi / 6;
  g.waves = 2;
  g.length = 1.6;
  CHECK_OK(apl_signal_travel(-0.2, 0, 10, 1, false, &g.travel, NULL));
  for (int j = 1; j <= 15; ++j) {
    apl_signal* s;
    CHECK_OK(apl_gait_signal(&g, j, 15, &s, NULL));
    for (int r = 0; r < ref.rows; ++r) {
      static const char* const prefix[] = {"theta", "thetad", "thetadd"};
      double y[3];
      apl_signal_eval(s, table_at(&ref, r, "t"), y);
      for (int d = 0; d < 3; ++d) {
        char name[24];
        snprintf(name, sizeof name, "%s_%d", prefix[d], j);
        CHECK_NEAR(y[d], table_at(&ref, r, name), 1e-11);
      }
    }
    CHECK_NEAR(apl_gait_reach(&g, j, 15), 0.400745, 1e-6); /* spec, fact 1 */
    apl_signal_free(s);
  }
  apl_signal_free(g.travel);
  table_free(&ref);
}

/* reference/snake/lateral_viscous: a wave with a C2 ramp over the first second. */
static void lateral_wave(void** state) {
  (void)state;
  table ref = table_read(APPELL_TEST_DATA, "snake/lateral_viscous.csv");
  apl_gait g = apl_gait_default();

  g.pitch = (apl_gait_wave){pi / 6, 0.5, 2 * pi / 9, 0, 0};
  g.ramp_up = 1;
  for (int j = 1; j <= 9; ++j) {
    apl_signal* s;
    char name[24];
    CHECK_OK(apl_gait_signal(&g, j, 9, &s, NULL));
    snprintf(name, sizeof name, "theta_%d", j);
    for (int r = 0; r < ref.rows; ++r) {
      double y[3];
      apl_signal_eval(s, table_at(&ref, r, "t"), y);
      CHECK_NEAR(y[0], table_at(&ref, r, name), 1e-11);
    }
    apl_signal_free(s);
  }
  table_free(&ref);
}

/* The gait equation, term by term as it is written in spec/snake.md, 5. */
static void alternating_axes(void** state) {
  (void)state;
  const int n = 7;
  apl_gait g = apl_gait_default();

  g.type = "alternating";
  g.pitch = (apl_gait_wave){0.3, 0.7, 0.4, pi / 2, 0.05};
  g.yaw = (apl_gait_wave){0.5, 0.35, 0.9, 0, -0.1};
  g.envelope = 0.6;
  for (int j = 1; j <= n; ++j) {
    const apl_gait_wave w = j % 2 == 1 ? g.pitch : g.yaw;
    const double A = w.amplitude * (1 - 0.6 + 0.6 * j / n), t = 1.37;
    apl_signal* s;
    double y[3];
    CHECK_OK(apl_gait_signal(&g, j, n, &s, NULL));
    apl_signal_eval(s, t, y);
    CHECK_NEAR(y[0], A * sin(2 * pi * w.frequency * t + j * w.step + w.phase) + w.offset, 1e-14);
    CHECK_NEAR(apl_gait_reach(&g, j, n), A + fabs(w.offset), 1e-15);
    apl_signal_free(s);
  }
}

/* One anchor holds (does not move) at any time, and the body comes back after a cycle. */
static void concertina_holds_on(void** state) {
  (void)state;
  const int n = 12;
  apl_gait g = apl_gait_default();
  apl_signal* s[12];

  g.type = "concertina";
  g.pitch = (apl_gait_wave){0.8, 0, pi / 2, pi / 4, 0};
  g.period = 4;
  for (int j = 1; j <= n; ++j) {
    CHECK_OK(apl_gait_signal(&g, j, n, &s[j - 1], NULL));
    assert_int_equal(apl_signal_smoothness(s[j - 1]), 2);
  }
  for (int k = 0; k < 80; ++k) {
    const double t = 0.02 + 0.051 * k; /* off the quarters, where all rests */
    double head = 0, middle = 0, tail = 0, y[3];
    for (int j = 1; j <= n; ++j) {
      apl_signal_eval(s[j - 1], t, y);
      *(j <= 4 ? &head : j <= 8 ? &middle : &tail) += fabs(y[1]);
    }
    const int quarter = (int)fmod(t, 4.0);
    if (quarter % 2 == 0) CHECK_TRUE(head + tail == 0 && middle > 0, "t = %g: anchors move", t);
    if (quarter % 2 == 1) CHECK_TRUE(middle == 0 && head > 0, "t = %g: the middle moves", t);
  }
  for (int j = 0; j < n; ++j)
    apl_signal_free(s[j]);
}

/* ---------------------------------------------------------------------------------- files ---- */

/* A base and three links; `joint` and `rest` of the file differ. */
static void write_chain(char* out, size_t size, const char* joint, const char* rest) {
  int n = snprintf(out, size,
                   "appell: 1\nlinks:\n"
                   "  - {name: a, joint: {type: planar}, body: {mass: 1, inertia: {zz: 0.1}}}\n");
  for (int k = 0; k < 3; ++k) {
    n += snprintf(out + n, size - (size_t)n,
                  "  - {name: %c, on: %c, at: [1, 0, 0], joint: {type: revolute, axis: z%s},\n"
                  "     body: {mass: 1, com: [0.5, 0, 0], inertia: {zz: 0.1}}}\n",
                  'b' + k, 'a' + k, joint);
  }
  snprintf(out + n, size - (size_t)n, "%s", rest);
}

static void gaits_drive_joints(void** state) {
  (void)state;
  static const char* const joints[] = {", prescribed: true", ", servo: {stiffness: 5, damping: 1}"};
  char text[2000];

  for (int servo = 0; servo < 2; ++servo) {
    apl_file* file;
    apl_model* model;
    apl_system* system;
    apl_report report = {0};
    write_chain(text, sizeof text, joints[servo],
                "gaits: [{type: wave, chain: [a, d], amplitude: 10 deg, frequency: 0.5, step: "
                "30 deg, offset: 0.1}]\n");
    text_load(text, &file, &model);
    CHECK_OK(apl_file_system(file, model, 0, &system, &report));
    double* y = calloc((size_t)apl_system_size(system), sizeof *y);
    apl_system_pack(system, y);
    apl_system_unpack(system, 0.3, y);
    for (int j = 0; j < 3; ++j) {
      const double phase = pi * 0.3 + j * pi / 6, A = pi / 18;
      const apl_state* const s = apl_system_state(system);
      const double* x = servo == 1 ? apl_aim((apl_state*)(size_t)s) : apl_q((apl_state*)(size_t)s);
      CHECK_NEAR(x[3 + j], A * sin(phase) + 0.1, 1e-15);
      if (servo == 1) CHECK_NEAR(x[6 + 3 + j], A * pi * cos(phase), 1e-15);
    }
    free(y);
    apl_system_free(system);
    apl_model_free(model);
    apl_file_free(file);
  }
}

/* A written servo reads back: the efforts of both robots agree. */
static void servos_are_written(void** state) {
  (void)state;
  char text[2000];
  apl_file* file[2];
  apl_model* model[2];
  double tau[2][6];

  write_chain(text, sizeof text, ", servo: {stiffness: 5, damping: 1, effort: 2, speed: 7}", "");
  text_load(text, &file[0], &model[0]);
  char* again = apl_spec_write(apl_file_spec(file[0]));
  text_load(again, &file[1], &model[1]);
  apl_text_free(again);
  for (int i = 0; i < 2; ++i) {
    apl_state* s;
    CHECK_OK(apl_state_new(model[i], APL_SCALAR, &s));
    for (int k = 0; k < 6; ++k) {
      apl_q(s)[k] = 0.3 - 0.2 * k;
      apl_v(s)[k] = 0.1 * k;
    }
    CHECK_OK(apl_inverse(model[i], s));
    for (int k = 0; k < 6; ++k)
      tau[i][k] = apl_tau(s)[k];
    apl_state_free(s);
    apl_model_free(model[i]);
    apl_file_free(file[i]);
  }
  CHECK_ALIVE(tau[0] + 3, 3, 1);
  CHECK_ARRAY(tau[1], tau[0], 6, 0, 1);
}

/* The drives of a text are refused, by the load or when they drive a system, with a sentence that
   has `word`. */
static void expect(const char* joint, const char* rest, const char* word) {
  char text[2000];
  apl_file* file;
  apl_model* model = NULL;
  apl_system* system = NULL;
  apl_report report = {0};

  write_chain(text, sizeof text, joint, rest);
  apl_status st = apl_file_parse(text, strlen(text), NULL, &file, &report);
  if (st == APL_OK) st = apl_file_model(file, &model, &report);
  if (st == APL_OK) st = apl_file_system(file, model, 0, &system, &report);
  CHECK_TRUE(st != APL_OK, "accepted: %s", rest);
  CHECK_TRUE(strstr(report.item[0].text, word) != NULL && report.item[0].line > 0,
             "'%s' is not in: %s", word, report.item[0].text);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

static void refusals(void** state) {
  (void)state;
  static const char p[] = ", prescribed: true";
  char text[2000];

  expect(p, "gaits: [{type: wave, joints: [], amplitude: 1, frequency: 1, step: 1}]\n",
         "at least 2 links");
  expect(p, "gaits: [{type: wave, chain: [a, a], amplitude: 1, frequency: 1, step: 1}]\n",
         "at least 2 links");
  expect(p, "gaits: [{type: waves, joints: [b], amplitude: 1, frequency: 1, step: 1}]\n",
         "there is no gait 'waves'");
  expect(p, "gaits: [{type: wave, joints: [b, q], amplitude: 1, frequency: 1, step: 1}]\n",
         "there is no link 'q'");
  expect(p, "gaits: [{type: wave, joints: [a], amplitude: 1, frequency: 1, step: 1}]\n",
         "exactly one freedom");
  expect(p, "gaits: [{type: wave, joints: [b, b], amplitude: 1, frequency: 1, step: 1}]\n",
         "twice");
  expect(p, "gaits: [{type: wave, chain: [d, b], amplitude: 1, frequency: 1, step: 1}]\n",
         "is not carried by");
  expect(p, "gaits: [{type: wave, joints: [b], amplitude: 1 m, frequency: 1, step: 1}]\n",
         "expected an angle");
  expect("", "gaits: [{type: wave, joints: [b], amplitude: 1, frequency: 1, step: 1}]\n",
         "needs `prescribed: true` or a `servo`");
  expect(", prescribed: true, limits: {lower: -30 deg, upper: 30 deg}",
         "gaits: [{type: wave, joints: [b, c, d], amplitude: 0.6, frequency: 1, step: 1}]\n",
         "its limits are");
  expect(", prescribed: true, limits: {lower: -30 deg, upper: 30 deg}",
         "gaits: [{type: wave, joints: [b], amplitude: 0.4, frequency: 1, step: 1, offset: 0.2}]\n",
         "its limits are");
  /* three links: 1.6 waves on them look like 1.4 that run the other way */
  expect(p,
         "gaits: [{type: serpenoid, joints: [b, c], winding: 1, waves: 1.6, length: 1, travel: {"
         "sine: {amplitude: 1, frequency: 1}}}]\n",
         "1.6 waves do not fit on 3 links");
  expect(p,
         "gaits: [{type: serpenoid, joints: [b, c], winding: 1, waves: 0, length: 1, travel: {"
         "travel: {speed: 1, to: 1}}}]\n",
         "waves");

  write_chain(text, sizeof text, ", servo: {}", "");
  text_expect(text, 0, 0, "needs gains");
  write_chain(text, sizeof text, ", prescribed: true, servo: {stiffness: 1}", "");
  text_expect(text, 0, 0, "prescribed");
  write_chain(text, sizeof text, ", servo: {stiffness: 1, speed: 1}", "");
  text_expect(text, 0, 0, "largest effort");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates_are_exact),     cmocka_unit_test(travels_join),
      cmocka_unit_test(cycles_repeat),       cmocka_unit_test(serpenoid_of_the_paper),
      cmocka_unit_test(lateral_wave),        cmocka_unit_test(alternating_axes),
      cmocka_unit_test(concertina_holds_on), cmocka_unit_test(gaits_drive_joints),
      cmocka_unit_test(servos_are_written),  cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
