/* SPDX-License-Identifier: Apache-2.0 */
/* test_quantity.c: numbers with units, through the fields that take them. */
#include "text.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

/* a robot with one field of each dimension; @ is the value of one of them */
static const char mass[] = "appell: 1\nlinks: [{name: a, body: {mass: @}}]";
static const char angle[] =
    "appell: 1\nlinks: [{name: a, joint: revolute, body: {mass: 1, com: [1, 0, "
    "0]}}]\nstart: {a.joint.angle: @}";
static const char rate[] =
    "appell: 1\nlinks: [{name: a, joint: revolute, body: {mass: 1, com: [1, 0, "
    "0]}}]\nstart: {a.joint.angle.rate: @}";
static const char length[] =
    "appell: 1\nlinks: [{name: a, joint: prismatic, body: {mass: 1}}]\nstart: "
    "{a.joint.position: @}";
static const char inertia[] = "appell: 1\nlinks: [{name: a, body: {mass: 1, inertia: {zz: @}}}]";
static const char gravity[] = "appell: 1\ngravity: [@, 0, 0]\nlinks: []";
static const char damping[] =
    "appell: 1\nlinks: [{name: a, joint: {type: revolute, damping: @}, body: "
    "{mass: 1, com: [1, 0, 0]}}]";

/* The frame with the quantity in the place of '@'. */
static void compose(const char* frame, const char* quantity, char text[512]) {
  const char* at = strchr(frame, '@');

  near_context("%s", quantity);
  snprintf(text, 512, "%.*s%s%s", (int)(at - frame), frame, quantity, at + 1);
}

/* The value that comes out of the field. */
static double value(const char* frame, const char* quantity) {
  char text[512];
  apl_file* file;
  apl_model* model;
  double q[1] = {0}, v[1] = {0}, p[10], out;

  compose(frame, quantity, text);
  text_load(text, &file, &model);
  if (frame == mass || frame == inertia) {
    apl_model_inertial(model, p);
    out = frame == mass ? p[0] : p[6];
  } else if (frame == gravity) {
    out = apl_model_gravity(model).x;
  } else {
    CHECK_OK(apl_file_start(file, model, q, v, NULL));
    out = frame == rate ? v[0] : q[0];
  }
  apl_model_free(model);
  apl_file_free(file);
  return out;
}

static void refuse(const char* frame, const char* quantity, const char* word) {
  char text[512];

  compose(frame, quantity, text);
  text_expect(text, 0, 0, word);
}

/* exact: what one writes is what one means */
#define SAME(frame, quantity, want) CHECK_NEAR(value(frame, quantity), want, 0.0)

static void units(void** state) {
  (void)state;
  SAME(length, "5 mm", 0.005);
  SAME(length, "5mm", 0.005);
  SAME(length, "-2.5e-1 km", -250.0);
  SAME(length, "3 um", 3e-6);
  SAME(length, "7", 7.0);
  SAME(length, "+.5", 0.5);
  SAME(length, "5.", 5.0);
  SAME(mass, "1.2kg", 1.2);
  SAME(mass, "250 g", 0.25);
  SAME(mass, "3 N s^2/m", 3.0);
  SAME(inertia, "3 g cm^2", 3e-7);
  SAME(inertia, "2 kg m^2", 2.0);
  SAME(inertia, "2 kg*m^2", 2.0);
  SAME(gravity, "9.81 m/s^2", 9.81);
  SAME(gravity, "9.81 m/s/s", 9.81);
  SAME(gravity, "9.81 N/kg", 9.81);
  SAME(gravity, "9.81 m s^-2", 9.81);
  SAME(gravity, "3 (m/s)/(s)", 3.0);
  CHECK_NEAR(value(angle, "180 deg"), acos(-1.0), 1e-15);
  CHECK_NEAR(value(angle, "0.5 turn"), acos(-1.0), 1e-15);
  CHECK_NEAR(value(angle, "250 mrad"), 0.25, 0.0);
  CHECK_NEAR(value(rate, "60 rpm"), 2 * acos(-1.0), 1e-15);
  CHECK_NEAR(value(rate, "90 deg/s"), acos(-1.0) / 2, 1e-15);
  CHECK_NEAR(value(rate, "2 1/s"), 2.0, 0.0);
  CHECK_NEAR(value(rate, "2/s"), 2.0, 0.0);
  CHECK_NEAR(value(length, "1e-400"), 0.0, 0.0);
  CHECK_NEAR(value(damping, "0.1 N m s"), 0.0, 0.0);
}

/* as people write them */
static void signs(void** state) {
  (void)state;
  SAME(inertia, "300 g cm2", 3e-5);
  SAME(inertia, "3 g·cm²", 3e-7);
  SAME(inertia, "2 kg⋅m²", 2.0);
  SAME(inertia, "2 Nms2", 2.0);
  SAME(inertia, "2 mNm s2", 0.002);
  SAME(gravity, "9.81 m/s²", 9.81);
  SAME(gravity, "9.81 m s⁻²", 9.81);
  SAME(gravity, "−9.81 m/s2", -9.81);
  SAME(length, "3 µm", 3e-6);
  SAME(length, "3 μm", 3e-6);
  CHECK_NEAR(value(angle, "30°"), acos(-1.0) / 6, 1e-16);
  CHECK_NEAR(value(angle, "30 °"), acos(-1.0) / 6, 1e-16);
}

static void suggestions(void** state) {
  (void)state;
  refuse(mass, "1 Kg", "write kg");
  refuse(mass, "2 lb", "1 lb is 0.45359237 kg");
  refuse(length, "2 inch", "1 inch is 25.4 mm");
  refuse(angle, "30 degrees", "write deg");
  refuse(angle, "30 dge", "did you mean 'deg'");
  refuse(gravity, "1 m/sec", "write s");
  refuse(mass, "1 Nmx", "not a known unit");
}

static void nonsense(void** state) {
  (void)state;
  refuse(length, "5 kg", "expected a length such as '5 mm', got '5 kg'");
  refuse(angle, "5 m", "expected an angle such as '30 deg'");
  refuse(length, "5 deg", "expected a length");
  refuse(rate, "1 Hz", "expected an angular velocity");
  refuse(mass, "'1,2'", "comma");
  refuse(mass, "1.2.3", "not a known unit");
  refuse(mass, "1 kgg", "not a known unit");
  refuse(mass, "1 kg !", "not a known unit");
  refuse(mass, "0x10", "not a known unit");
  refuse(mass, "1e", "not a known unit");
  refuse(mass, "nan", "expected a mass");
  refuse(mass, ".nan", "expected a mass");
  refuse(mass, "inf", "expected a mass");
  refuse(mass, "-", "expected a mass");
  refuse(mass, "heavy", "expected a mass");
  refuse(mass, "''", "expected a mass");
  refuse(mass, "[1]", "a list");
  refuse(mass, "{}", "a map");
  refuse(mass, "~", "nothing");
  refuse(mass, "1e999", "too large");
  refuse(mass, "1e308 Mg", "too large");
  refuse(mass, "2 kg/m s", "ambiguous");
  refuse(mass, "2 kg/(m", "bracket");
  refuse(mass, "2 kg)", "bracket");
  refuse(mass, "2 ((((((kg))))))", "bracket");
  refuse(mass, "2 kg^1.5", "unit");
  refuse(mass, "2 kg^99", "power");
  refuse(mass, "2 kg^", "power");
  refuse(mass, "2 /", "unit");
  refuse(damping, "1 N s/m", "torsional damping");
}

/* a program that has called setlocale() reads the same numbers */
static void locale(void** state) {
  (void)state;
  static const char* const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C"};

  for (int i = 0; i < 4; i++) {
    if (setlocale(LC_NUMERIC, names[i]) != NULL) SAME(mass, "1.25", 1.25);
  }
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(units),    cmocka_unit_test(signs),  cmocka_unit_test(suggestions),
      cmocka_unit_test(nonsense), cmocka_unit_test(locale),
  };
  return cmocka_run_group_tests_name("quantity", tests, NULL, NULL);
}
