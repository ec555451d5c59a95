/* SPDX-License-Identifier: Apache-2.0 */
/* test_scaled.c: a robot whose lengths are multiplied by k, in the same gravity, moves the same way
   with times and speeds multiplied by sqrt(k) (Froude). Its contact events do so too, because their
   tolerances follow the size of the robot. Between events the motion is a parabola, which the
   integrator follows exactly: all numbers agree up to round-off. */
#include "near.h"

#include "system/system_impl.h"
#include "systems.h"

#include <appell/appell.h>

#include <math.h>
#include <stdio.h>

enum { MOST = 32 };

typedef struct story {
  apl_impact hit[MOST];
  int n;
  double x, z; /* place at the end */
} story;

static void note(const apl_impact* impact, apl_system* system, void* user) {
  story* all = user;
  (void)system;

  assert_true(all->n < MOST);
  all->hit[all->n++] = *impact;
}

/* A mass on a leg of 0.8 m that is thrown onto a rough floor: it bounces, slides and sticks. */
static story thrown(double k, const char* method) {
  const double T = sqrt(k);
  char text[900];
  story all = {.n = 0};
  apl_error err;

  snprintf(text, sizeof text,
           "appell: 1\n"
           "name: thrown\n"
           "gravity: [0, 0, -9.81]\n"
           "links:\n"
           "  - {name: x, joint: {type: prismatic, axis: x}, body: {mass: 0}}\n"
           "  - {name: b, on: x, joint: {type: prismatic, axis: z}, body: {mass: 2},\n"
           "     ports: {foot: {at: [0, 0, %.17g]}}}\n"
           "grounds: {floor: {law: {normal: restitution, restitution: 0.5, rest-speed: %.17g},\n"
           "                  friction: {law: coulomb-stiction, coefficient: 0.3,\n"
           "                             stiction: 0.4}}}\n"
           "contacts: [{on: b.foot, with: floor}]\n"
           "start: {b.joint.position: %.17g}\n",
           -0.8 * k, 1e-3 * T, 1.3 * k);
  rig r = rig_text(text, APL_READY);
  apl_state* state = apl_system_state(r.system);
  apl_v(state)[0] = 4.0 * T;
  apl_run_options o = apl_run_options_default();
  o.method = method;
  o.tolerance = 1e-10;
  o.to = 3.0 * T;
  o.impact = note;
  o.user = &all;
  if (apl_run(r.system, &o, NULL, &err) != APL_OK) fail_msg("%s", err.text);
  assert_true(apl_contact_sticks(apl_state_contact(r.system->state, 0)));
  all.x = apl_q(state)[0];
  all.z = apl_q(state)[1];
  rig_close(&r);
  return all;
}

static void events_are_scaled(void** unused) {
  static const double factor[] = {1e-3, 1e3};
  /* events are located to some 1e-13 s, and each bounce doubles what is left of the errors before:
     speeds are halved and errors are not */
  const double round_off = 1e-10;
  static const char* const method[] = {"dop853", "rkf78"};
  (void)unused;

  for (int i = 0; i < 4; ++i) {
    const double k = factor[i / 2], T = sqrt(k);
    const story one = thrown(1.0, method[i % 2]), other = thrown(k, method[i % 2]);

    near_context("%s, %g times as large", method[i % 2], k);
    assert_int_equal(one.n, other.n);
    assert_true(one.n >= 10);
    for (int j = 0; j < one.n; ++j) {
      const apl_impact *a = &one.hit[j], *b = &other.hit[j];
      CHECK_NEAR(b->start / T, a->start, round_off);
      CHECK_NEAR(b->speed_in / T, a->speed_in, round_off);
      CHECK_NEAR(b->speed_out / T, a->speed_out, round_off);
      CHECK_NEAR(b->slip_in[0] / T, a->slip_in[0], round_off);
      CHECK_NEAR(b->slip_out[0] / T, a->slip_out[0], round_off);
      CHECK_NEAR(b->impulse / T, a->impulse, round_off);
    }
    /* where it sticks depends on the speed below which it does: 1e-6 m/s of 1 m, and 3e-8 of 1 mm
     */
    CHECK_NEAR(other.x / k, one.x, round_off);
    CHECK_NEAR(other.z / k, one.z, round_off);
  }
}

/* The scales themselves: powers of ten nearest to 0.8 m, 0.8 mm and 800 m; nothing known: 1 m. */
static void sizes(void** unused) {
  static const struct {
    double leg, length;
  } list[] = {{0.8, 1.0}, {0.8e-3, 1e-3}, {800.0, 1e3}, {0.2, 0.1}, {0.0, 1.0}};
  (void)unused;

  for (size_t i = 0; i < sizeof list / sizeof *list; ++i) {
    apl_spec* spec;
    CHECK_OK(apl_spec_new(&spec));
    const int link = apl_spec_link(spec, "b", "world", "prismatic", "rigid");
    apl_spec_vec3(spec, link, "joint.axis", 0, 0, 1);
    apl_spec_number(spec, link, "body.mass", 1.0);
    apl_spec_port(spec, link, "foot", 0, apl_pose_at(0.0, 0.0, -list[i].leg));
    apl_model* model = systems_model(spec);
    apl_system* system = systems_new(model);
    near_context("a leg of %g m", list[i].leg);
    CHECK_NEAR(system->scale.length / list[i].length, 1.0, 1e-15);
    CHECK_NEAR(system->scale.speed * system->scale.time, system->scale.length,
               1e-15 * list[i].length);
    apl_system_free(system);
    apl_model_free(model);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(events_are_scaled), cmocka_unit_test(sizes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
