/* SPDX-License-Identifier: Apache-2.0 */
/* test_contact_parts.c: functions of the coupling kind `contact`, each on its own: modes and limits
   (kind/contact_mode.h), events and what changes at them (kind/contact_events.h), and what runs ask
   of contacts (kind/contact.h). A mass of 2 kg stands on a ground or falls on it. */
#include "near.h"
#include "systems.h"

#include "kind/contact.h"
#include "kind/contact_events.h"
#include "kind/contact_mode.h"
#include "system/system.h"

#include <string.h>

#define MODEL(law)                                                                                 \
  "appell: 1\n"                                                                                    \
  "links:\n"                                                                                       \
  "  - name: x\n"                                                                                  \
  "    joint: {type: prismatic, axis: x}\n"                                                        \
  "    body: {mass: 0}\n"                                                                          \
  "  - name: b\n"                                                                                  \
  "    on: x\n"                                                                                    \
  "    joint: {type: prismatic, axis: z}\n"                                                        \
  "    body: {mass: 2}\n"                                                                          \
  "grounds: {floor: {" law "}}\n"                                                                  \
  "contacts: [{on: b.root, with: floor}]\n"

static const char rigid[] = MODEL("law: {normal: restitution, restitution: 0.5}");
static const char dry[] = MODEL("law: {normal: restitution, restitution: 0}, friction: {law: "
                                "coulomb-stiction, coefficient: 0.4}");
static const char soft[] = MODEL("law: {normal: hertz, stiffness: 1e6}");
static const double MASS = 2.0, G = 9.81;

/* Along x at the speed vx, at the height z, moving down at the speed `down`. */
static void put(apl_system* s, double vx, double z, double down) {
  apl_q(s->state)[1] = z;
  apl_v(s->state)[0] = vx;
  apl_v(s->state)[1] = -down;
}

static void limits_have_a_scale(void** state) {
  rig r = rig_text(rigid, APL_READY);
  apl_system* s = r.system;
  const contact_state c = {.slip = {3.0, -4.0}};
  (void)state;

  CHECK_NEAR(apl_contact_slip(&c), 5.0, 1e-15);
  CHECK_NEAR(apl_contact_small_force(s), 1e-9 * MASS * G, 1e-20);
  CHECK_NEAR(apl_contact_depth_error(s), fmax(1e-11 * s->scale.length, 1e-13), 0.0);
  CHECK_NEAR(apl_contact_still(s), 1e-6 * s->scale.speed, 0.0);
  CHECK_NEAR(apl_contact_standing(s, 0), 1e-6 * apl_contact_number(s, 0, PAIR_REST), 0.0);
  assert_true(apl_contact_number(s, 0, PAIR_REST) > 0.0);
  assert_true(apl_contact_pair(s, 0)->rigid);
  rig_close(&r);
}

static void count_impact(const apl_impact* impact, apl_system* s, void* user) {
  (void)s;
  *(apl_impact*)user = *impact;
}

/* e = 1/2: 2 m/s in, 1 m/s out, impulse m (1 + e) v. */
static void rigid_contact_bounces_and_rests(void** state) {
  rig r = rig_text(rigid, APL_READY);
  apl_system* s = r.system;
  apl_impact hit = {0};
  coupling_news news = {.impact = count_impact, .user = &hit};
  (void)state;

  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_FRESH);
  put(s, 0.0, 0.0, 2.0);
  apl_contact_happens(NULL, 0.7, s, &news);
  CHECK_OK(news.st);
  assert_true(news.jumped);
  assert_int_equal(news.impacts, 1);
  CHECK_NEAR(apl_v(s->state)[1], 1.0, 1e-12);
  CHECK_NEAR(hit.start, 0.7, 0.0);
  CHECK_NEAR(hit.speed_in, 2.0, 1e-12);
  CHECK_NEAR(hit.speed_out, 1.0, 1e-12);
  CHECK_NEAR(hit.impulse, MASS * 1.5 * 2.0, 1e-11);
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_OPEN);
  assert_int_equal(apl_contact_supports(s), 0);

  /* without a velocity it rests, and its support carries the weight */
  news = (coupling_news){0};
  put(s, 0.0, 0.0, 0.0);
  apl_contact_happens(NULL, 0.8, s, &news);
  CHECK_OK(news.st);
  assert_false(news.jumped);
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_RESTING);
  assert_int_equal(apl_contact_supports(s), 1);
  CHECK_OK(apl_system_forward(s));
  CHECK_NEAR(apl_a(s->state)[1], 0.0, 1e-12);
  CHECK_NEAR(apl_state_contact(s->state, 0)->push[0], MASS * G, 1e-10);
  assert_true(apl_contact_may_share(s));
  rig_close(&r);
}

/* A rigid contact without friction has two events. The memory of the contact decides on the side of
   the first, its depth. */
static void events_have_sides(void** state) {
  enum { N = 2 };
  rig r = rig_text(rigid, APL_READY);
  apl_system* s = r.system;
  coupling_news news = {0};
  apl_event list[N];
  coupling_watch watch[N];
  (void)state;

  assert_int_equal(apl_contact_events(s, NULL, NULL), N);
  assert_int_equal(apl_contact_events(s, list, watch), N);
  assert_int_equal(watch[0].what, EVENT_DEPTH);
  assert_int_equal(watch[1].what, EVENT_LEAVE);
  assert_true(apl_contact_decides(&list[0]) && !apl_contact_decides(&list[1]));
  assert_string_equal(list[0].name, apl_model_name(r.model, APL_CONTACTS, 0));

  put(s, 0.0, 0.25, 1.0);
  apl_contact_happens(NULL, 0.0, s, &news); /* above the ground: open */
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_OPEN);
  CHECK_NEAR(list[0].g(0.0, s, list[0].user), -0.25, 1e-15);
  event_place side = apl_contact_side(&list[0], s, -0.25);
  assert_true(side.side == SIDE_BELOW && side.by == SIDE_BY_VALUE);
  side = apl_contact_side(&list[0], s, 1e-17); /* round-off of one that is open */
  assert_true(side.side == SIDE_BELOW && side.by == SIDE_BY_MEMORY);

  put(s, 0.0, 0.0, 0.0);
  apl_contact_happens(&list[0], 0.1, s, &news);
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_RESTING);
  side = apl_contact_side(&list[0], s, -1e-17);
  assert_true(side.side == SIDE_ABOVE && side.by == SIDE_BY_MEMORY);
  /* the margin before it leaves is its weight */
  CHECK_NEAR(list[1].g(0.1, s, list[1].user), MASS * G, 1e-6);
  /* an acceleration upwards by the joint takes it off the ground */
  apl_tau(s->state)[1] = 2.0 * MASS * G;
  s->revision += 1;
  assert_true(list[1].g(0.1, s, list[1].user) < 0.0);
  apl_contact_happens(&list[1], 0.1, s, &news);
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_OPEN);
  rig_close(&r);
}

/* With stiction a contact slides at 1 m/s and sticks at zero; its band is round-off. */
static void sliding_contact_sticks(void** state) {
  rig r = rig_text(dry, APL_READY);
  apl_system* s = r.system;
  coupling_news news = {0};
  apl_progress now = {0};
  (void)state;

  put(s, 1.0, 0.0, 0.0);
  apl_contact_happens(NULL, 0.0, s, &news);
  CHECK_OK(news.st);
  assert_false(apl_contact_stuck(s, 0));
  CHECK_NEAR(apl_contact_stick_band(s, 0), apl_contact_still(s), 0.0);
  /* the sentence on short steps names it with its coefficient */
  apl_contact_shortens(s, &now);
  assert_string_equal(now.contact, apl_model_name(r.model, APL_CONTACTS, 0));
  assert_true(now.rigid);
  CHECK_NEAR(now.slides, 0.4, 1e-15);
  CHECK_OK(apl_system_forward(s));
  CHECK_NEAR(apl_a(s->state)[0], -0.4 * G, 1e-9);

  put(s, 0.0, 0.0, 0.0);
  apl_contact_happens(NULL, 0.1, s, &news);
  assert_true(apl_contact_stuck(s, 0));
  rig_close(&r);
}

/* K (v h)^n h / M = 10 tolerance v with Hertz's n = 3/2. */
static void first_step_follows_the_force(void** state) {
  rig r = rig_text(soft, APL_READY);
  apl_system* s = r.system;
  coupling_news news = {0};
  (void)state;

  put(s, 0.0, 0.0, 1.0);
  assert_true(isinf(apl_contact_first_step(s, 0.3, 1e-8)));
  apl_contact_happens(NULL, 0.3, s, &news);
  CHECK_OK(news.st);
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_CLOSED);
  assert_true(apl_contact_hits(s));
  CHECK_NEAR(apl_contact_first_step(s, 0.3, 1e-8), pow(1e-7 * MASS / 1e6, 1.0 / 2.5), 1e-12);
  assert_true(isinf(apl_contact_first_step(s, 0.4, 1e-8)));

  /* peaks keep the largest force; K D^n at the depth 1 mm without a rate */
  double force;
  put(s, 0.0, -1e-3, 0.0);
  assert_int_equal(apl_contact_npeak(s), 1);
  apl_contact_pushes(s, &force);
  CHECK_NEAR(force, 1e6 * pow(1e-3, 1.5), 1e-9);
  apl_contact_peaks(s, &(double){5.0});
  apl_contact_peaks(s, &(double){4.0});
  CHECK_NEAR(s->contacts.note[0].peak, 5.0, 0.0);
  rig_close(&r);
}

static void deep_start_is_refused(void** state) {
  rig r = rig_text(soft, APL_READY);
  apl_system* s = r.system;
  apl_error err = {0};
  double depth, most;
  (void)state;

  CHECK_OK(apl_contact_start(s, &err));
  put(s, 0.0, -0.5, 0.0);
  assert_int_equal(apl_contact_too_deep(s, &depth, &most), 0);
  CHECK_NEAR(depth, 0.5, 1e-15);
  assert_true(most < 0.5);
  assert_int_equal(apl_contact_start(s, &err), APL_ERR_MODEL);
  assert_non_null(strstr(err.text, "starts 0.5 m deep in the ground"));
  rig_close(&r);
}

/* What a contact remembers goes through a checkpoint; a ground has no slots for solids. */
static void memory_comes_back(void** state) {
  enum { N = 18 };
  rig r = rig_text(rigid, APL_READY);
  apl_system* s = r.system;
  double number[N];
  (void)state;

  assert_false(apl_contact_gathers(s));
  assert_int_equal(apl_contact_notes_size(s), N);
  contact_state* c = apl_system_memory(s, 0);
  apl_contact_set_mode(c, APL_CONTACT_RESTING);
  apl_contact_set_sticks(c, true);
  s->contacts.note[0] =
      (contact_note){.start = 0.25, .out = {1, 2, 3}, .stuck = true, .given = true};
  apl_store out = apl_store_writer(number, N), in = apl_store_reader(number, N);
  apl_contact_notes(s, &out);
  assert_int_equal(out.used, N);
  apl_contact_impulses(s); /* open, and not stuck */
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_OPEN);
  s->contacts.note[0] = (contact_note){.given = true};
  apl_contact_notes(s, &in);
  CHECK_OK(apl_store_status(&in));
  assert_int_equal(apl_contact_mode_at(s, 0), APL_CONTACT_RESTING);
  assert_true(apl_contact_stuck(s, 0));
  const contact_note* n = &s->contacts.note[0];
  assert_true(n->stuck && !n->closed && !n->given);
  CHECK_NEAR(n->start, 0.25, 0.0);
  CHECK_NEAR(n->out[2], 3.0, 0.0);

  number[0] = 4.0; /* no such mode */
  in = apl_store_reader(number, N);
  apl_contact_notes(s, &in);
  assert_string_equal(in.bad, "the mode of a contact");
  CHECK_NEAR(in.value, 4.0, 0.0);
  rig_close(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(limits_have_a_scale),
      cmocka_unit_test(rigid_contact_bounces_and_rests),
      cmocka_unit_test(events_have_sides),
      cmocka_unit_test(sliding_contact_sticks),
      cmocka_unit_test(first_step_follows_the_force),
      cmocka_unit_test(deep_start_is_refused),
      cmocka_unit_test(memory_comes_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
