/* SPDX-License-Identifier: Apache-2.0 */
/* test_channel_parts.c: channel/channels.h, channel_table.h, metrics.h, metric_types.h, recorder.h,
   recorder_impl.h and watch.h on a driven arm and on forces that are written by hand. */
#include "near.h"
#include "systems.h"

#include "channel/channel_table.h"
#include "channel/channels.h"
#include "channel/metric_types.h"
#include "channel/metrics.h"
#include "channel/recorder.h"
#include "channel/recorder_impl.h"
#include "channel/watch.h"
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

/* An arm of I = 0.5 kg m^2 that follows q = 0.2 t^2: its motor gives I q'' = 0.2 N m. */
static const char ARM[] =
    "appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
    "  - name: arm\n    joint: {type: revolute, axis: z, prescribed: true}\n"
    "    body: {mass: 1, com: [0, 0, 0], inertia: {xx: 0.5, yy: 0.5, zz: 0.5}}\n"
    "    ports: {tip: {at: [2, 0, 0]}}\n"
    "motion: {arm.joint.angle: {expression: '0.2 * t^2'}}\n";

static int find(const channel_list* list, const char* name) {
  for (int i = 0; i < list->n; ++i)
    if (strcmp(list->channel[i].name, name) == 0) return i;
  near_fail(__FILE__, __LINE__, "there is no channel %s", name);
  return -1;
}

/* The row of a list at time t. */
static void row_at(channel_list* list, apl_system* s, double t, double* row) {
  double y[32] = {0};
  apl_ledger ledger;
  assert_true(apl_system_size(s) <= 32);
  apl_system_pack(s, y);
  CHECK_OK(apl_system_audit(s, t, y, &ledger));
  CHECK_OK(apl_channels_row(list, t, y, &ledger, row));
}

static void channels(void** state) {
  (void)state;
  rig g = rig_text(ARM, APL_READY);
  static const char* const word[] = {"arm.tip", "accelerations"};
  const channel_wish wish = {.word = word, .nword = 2};
  channel_list *plain, *list;
  apl_error err = {0};
  double row[64];

  CHECK_OK(apl_channels_new(g.system, &(channel_wish){0}, &plain, &err));
  CHECK_OK(apl_channels_new(g.system, &wish, &list, &err));
  assert_true(list->n > plain->n && list->n <= 64);
  assert_true((list->needs & NEED_PORTS) != 0 && (plain->needs & NEED_PORTS) == 0);
  for (int i = 0; i < list->n; ++i) { /* each name once, all with a unit and a sentence */
    assert_true(list->channel[i].unit[0] != '\0' && list->channel[i].sentence[0] != '\0');
    for (int k = 0; k < i; ++k)
      assert_string_not_equal(list->channel[i].name, list->channel[k].name);
  }

  /* at t = 2: q = 0.8, q' = 0.8, q'' = 0.4; the tip moves by 2 q' across the arm */
  row_at(list, g.system, 2, row);
  CHECK_NEAR(row[find(list, "time")], 2, 0);
  CHECK_NEAR(row[find(list, "arm.joint.angle")], 0.8, 1e-14);
  CHECK_NEAR(row[find(list, "arm.joint.angle.rate")], 0.8, 1e-14);
  CHECK_NEAR(row[find(list, "arm.joint.angle.effort")], 0.2, 1e-13);
  int position = -1;
  for (int i = 0; i < list->n; ++i)
    if (strncmp(list->channel[i].name, "arm.tip.", 8) == 0 && position < 0) position = i;
  assert_true(position >= 0);
  CHECK_NEAR(row[position], 2 * cos(0.8), 1e-14);
  CHECK_NEAR(row[position + 1], 2 * sin(0.8), 1e-14);
  CHECK_NEAR(apl_channel_effort(&list->from, 0, 0), 0.2, 1e-13);

  /* no wheels: numbers of the ground do not change anything */
  row[0] = 77;
  CHECK_OK(apl_channels_ground(list, row));
  CHECK_NEAR(row[0], 77, 0);

  static const char* const bad[] = {"arm.tap"};
  channel_list* none = NULL;
  assert_int_equal(
      apl_channels_new(g.system, &(channel_wish){.word = bad, .nword = 1}, &none, &err),
      APL_ERR_ARGUMENT);
  assert_non_null(strstr(err.text, "arm.tap"));

  /* the table itself: every set counts and names, every row has a sentence */
  int sets = 0;
  for (const channel_set* s = apl_channel_sets; s->row != NULL; ++s, ++sets) {
    assert_non_null(s->count);
    for (const channel_row* r = s->row; r->get != NULL; ++r)
      assert_non_null(r->sentence);
  }
  assert_true(sets > 5);
  apl_channels_free(list);
  apl_channels_free(plain);
  apl_channels_free(NULL);
  rig_close(&g);
}

/* Metrics of a constant effort M = 0.2 N m from 0 to 2 s in 20 outputs: mean, rms and peak are M;
   the work is that of M over 0.8 rad, for which the trapezoid rule is exact. */
static void metrics(void** state) {
  (void)state;
  rig g = rig_text(ARM, APL_READY);
  channel_list* list;
  apl_error err = {0};
  double row[64];

  CHECK_OK(apl_channels_new(g.system, &(channel_wish){0}, &list, &err));
  run_metrics* m = apl_metrics_new(list);
  for (int i = 0; i <= 20; ++i) {
    row_at(list, g.system, 0.1 * i, row);
    CHECK_OK(apl_metrics_look(m));
  }
  const apl_metrics all = apl_metrics_get(m);
  assert_int_equal(all.samples, 21);
  CHECK_NEAR(all.from, 0, 0);
  CHECK_NEAR(all.to, 2, 1e-15);
  CHECK_NEAR(all.filter, APL_METRICS_FILTER, 0);
  assert_int_equal(all.nefforts, 1);
  CHECK_NEAR(all.positive_work, 0.2 * 0.8, 1e-13);
  assert_false(all.moves);
  assert_false(all.has_transport);
  const apl_effort_metrics effort = apl_metrics_effort(m, 0);
  assert_int_equal(effort.velocity, 0);
  CHECK_NEAR(effort.mean, 0.2, 1e-13);
  CHECK_NEAR(effort.rms, 0.2, 1e-13);
  CHECK_NEAR(effort.peak, 0.2, 1e-13);
  apl_metrics_free(m);
  apl_channels_free(list);
  rig_close(&g);
}

/* Impacts as texts and events, and back. */
static void impacts(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\nlinks:\n  - name: ball\n    joint: {type: prismatic, axis: z}\n"
      "    body: {mass: 1}\n    ports: {foot: {at: [0, 0, -1]}}\n"
      "grounds: {floor: {law: {normal: restitution, restitution: 0.5}}}\n"
      "contacts: [{on: ball.foot, radius: 0.1}]\n"
      "start: {ball.joint.position: 3}\n";
  rig g = rig_text(text, 0);
  const apl_impact hit = {.contact = 0,
                          .shape = {-1, -1},
                          .start = 1.5,
                          .end = 1.75,
                          .speed_in = 2,
                          .speed_out = 1,
                          .slip_in = {3, 4},
                          .slip_out = {0, 0.5},
                          .impulse = 6,
                          .peak = 7};
  impact_words words;
  apl_impact back;
  char out[300], name[300];

  apl_impact_text(&hit, out, sizeof out);
  assert_string_equal(out, "in 2 m/s, out 1 m/s (0.500000), slip 5 to 0.5 m/s, impulse 6 N s, "
                           "peak 7 N");
  assert_string_equal(apl_impact_name(&hit, g.model, name, sizeof name),
                      apl_model_name(g.model, APL_CONTACTS, 0));
  apl_occurrence e = apl_impact_event(&hit, g.model, &words);
  CHECK_NEAR(e.t, 1.5, 0);
  CHECK_NEAR(e.value, 2, 0);
  assert_true(apl_impact_read(&e, g.model, &back));
  assert_int_equal(back.contact, 0);
  CHECK_NEAR(back.end, 1.75, 0);
  CHECK_NEAR(back.slip_in[1], 4, 0);
  CHECK_NEAR(back.peak, 7, 0);
  /* numbers of a damaged file are no indices */
  e.number[1] = 1;
  assert_false(apl_impact_read(&e, g.model, &back));
  e.number[1] = NEAR_NAN;
  assert_false(apl_impact_read(&e, g.model, &back));
  e.number[1] = 0, e.number[0] = 0;
  assert_false(apl_impact_read(&e, g.model, &back));

  apl_switching_text(&(apl_switching){0}, out, sizeof out);
  assert_string_equal(out, "");
  apl_switching_text(&(apl_switching){.changes = 1, .first = 0.25, .held = 1e-5}, out, sizeof out);
  assert_string_equal(out, "integrator auto changed from dop853 to stiff at t = 0.25 s: stability "
                           "limited explicit steps to 1e-05 s");
  rig_close(&g);
}

/* A run in memory: rows and metrics are those of the motion. */
static void recorder(void** state) {
  (void)state;
  rig g = rig_text(ARM, APL_READY);
  apl_run_options run = apl_run_options_default();
  apl_recorder_options o = apl_recorder_options_default();
  apl_run_report report;
  apl_recorder* r;
  apl_error err = {0};

  run.to = 2, run.output_every = 0.1;
  o.keep = true;
  CHECK_OK(apl_recorder_new(g.file, g.system, &run, &o, &r, &err));
  CHECK_OK(apl_recorder_run(r, &report, &err));
  assert_int_equal(r->nrow, 21);
  CHECK_NEAR(apl_recorder_row(r)[0], 2, 1e-15);
  CHECK_NEAR(r->rows[5 * r->channels->n], 0.5, 1e-15);
  CHECK_NEAR(apl_recorder_metrics(r).positive_work, 0.16, 1e-12);
  CHECK_NEAR(apl_recorder_effort(r, 0).rms, 0.2, 1e-12);
  assert_string_equal(apl_recorder_place(r), "");
  assert_string_equal(apl_recorder_assembly(r), "");
  assert_string_equal(r->status, "finished");
  assert_true(r->started && r->done);

  recorder_head head;
  CHECK_OK(apl_recorder_head(r, &head, NULL, &err));
  assert_int_equal(head.head.nchannel, r->channels->n);
  CHECK_NEAR(strtod(head.tolerance, NULL), run.tolerance, 0); /* all digits */
  apl_recorder_head_free(&head);

  /* an impact is kept with the number of rows before it */
  const apl_impact hit = {.start = 2.5, .shape = {-1, -1}};
  apl_recorder_keep_impact(r, &hit);
  assert_int_equal(r->nimpact, 1);
  assert_int_equal(r->impact[0].row, 21);
  CHECK_OK(apl_recorder_keep_row(r));
  assert_int_equal(r->nrow, 21); /* the caller counts it, when it has reached all outputs */
  CHECK_NEAR(r->rows[21 * r->channels->n], 2, 1e-15);
  apl_recorder_free(r);
  rig_close(&g);
}

/* A base on wheels: warnings name the first time and the worst value; nothing is said of a ground
   that carries. */
static void watches(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\nlinks:\n  - name: base\n"
      "    joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm}\n"
      "    body: {mass: 6, inertia: {zz: 0.06}}\n";
  rig g = rig_text(text, 0);
  footing_watch* w = apl_footing_watch_new(g.model);
  watch_warning out[APL_MOST_WARNINGS];
  apl_footing_forces f = {.normal = 60, .friction = 10, .limit = 30, .margin = 0.1, .ncontact = 2};

  apl_footing_watch_look(w, 0, &f, 1);
  assert_int_equal(apl_footing_watch_warnings(w, out, APL_MOST_WARNINGS), 0);
  f.friction = 40;
  apl_footing_watch_look(w, 1, &f, 1);
  f.friction = 50;
  apl_footing_watch_look(w, 2, &f, 1);
  f.friction = 35;
  apl_footing_watch_look(w, 3, &f, 1);
  assert_int_equal(apl_footing_watch_warnings(w, out, APL_MOST_WARNINGS), 1);
  CHECK_NEAR(out[0].worst, 50, 0);
  assert_non_null(strstr(out[0].key, "warning.base."));
  CHECK_TRUE(strstr(out[0].text, "1 s") != NULL && strstr(out[0].text, "2 s") != NULL, "%s",
             out[0].text);
  f.normal = -5;
  apl_footing_watch_look(w, 4, &f, 1);
  assert_int_equal(apl_footing_watch_warnings(w, out, APL_MOST_WARNINGS), 2);
  assert_int_equal(apl_footing_watch_warnings(w, out, 1), 1); /* no more than there is room for */
  assert_int_equal(apl_path_warnings(g.system, 5, out, 1), 0);
  assert_int_equal(apl_law_warnings(g.system, out, 1), 0);
  assert_int_equal(apl_loop_warnings(g.system, out, 1), 0);
  apl_footing_watch_free(w);
  apl_footing_watch_free(NULL);
  apl_beam_watch_free(NULL);
  rig_close(&g);
}

/* An input that does not exist has no ending, and no model has no inputs. */
static void input_endings(void** state) {
  (void)state;
  rig g = rig_text(ARM, APL_READY);
  assert_string_equal(apl_input_ending(g.model, 0), "");
  assert_string_equal(apl_input_ending(g.model, -1), "");
  assert_string_equal(apl_input_ending(NULL, 0), "");
  rig_close(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(channels), cmocka_unit_test(metrics), cmocka_unit_test(impacts),
      cmocka_unit_test(recorder), cmocka_unit_test(watches), cmocka_unit_test(input_endings),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
