/* SPDX-License-Identifier: Apache-2.0 */
#include "sample.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const apl_channel channels[SAMPLE_CHANNELS] = {
    {"time", "s", "time"},
    {"arm.joint.angle", "rad", "angle of the arm"},
    {"arm.joint.rate", "rad/s", "its rate"},
    {"forearm.joint.angle", "rad", "angle of the forearm, \xc3\xa4 as an umlaut"},
};
static const apl_record_array extras[SAMPLE_EXTRA] = {{"modes", 5, NULL}, {"ledger", 2, NULL}};

apl_record_head sample_head(void) {
  return (apl_record_head){
      .name = "double pendulum",
      .model = "appell: 1\nname: double pendulum\n",
      .program = "appell 0.1.0",
      .integrator = "rkf45",
      .tolerance = "1e-8",
      .pictures = "{\"ports\": []}",
      .channel = channels,
      .nchannel = SAMPLE_CHANNELS,
      .nstate = SAMPLE_STATE,
      .extra = extras,
      .nextra = SAMPLE_EXTRA,
  };
}

void sample_row(int i, double row[SAMPLE_CHANNELS]) {
  const double t = 0.01 * i;

  row[0] = t;
  row[1] = cos(3.0 * t) * exp(-0.1 * t);
  row[2] = -3.0 * sin(3.0 * t);
  row[3] = 0.5 * sin(5.0 * t);
}

/* The numbers of the checkpoint before row i. */
static void state_of(int i, double y[SAMPLE_STATE], double modes[5], double ledger[2]) {
  for (int k = 0; k < SAMPLE_STATE; k++)
    y[k] = 1000.0 * k + i;
  for (int k = 0; k < 5; k++)
    modes[k] = 10.0 * k - i;
  for (int k = 0; k < 2; k++)
    ledger[k] = 0.125 * i + k;
}

static int due(int i, int every) {
  return every > 0 && i > 0 && i % every == 0;
}

apl_status sample_fill(apl_record* rec, const sample_plan* plan, int from, int to, apl_error* err) {
  apl_status st = APL_OK;

  for (int i = from; i < to && st == APL_OK; i++) {
    double row[SAMPLE_CHANNELS];
    if (due(i, plan->checkpoint_every) && i > from) {
      double y[SAMPLE_STATE];
      double modes[5];
      double ledger[2];
      state_of(i, y, modes, ledger);
      const apl_record_array extra[SAMPLE_EXTRA] = {{"modes", 5, modes}, {"ledger", 2, ledger}};
      st = apl_record_checkpoint(rec, 0.01 * i, y, extra, err);
    }
    if (st == APL_OK && due(i, plan->event_every)) {
      st = apl_record_event(rec, 0.01 * i, "arm.limit", "the arm reaches its limit", i, err);
    }
    sample_row(i, row);
    if (st == APL_OK) st = apl_record_row(rec, row, err);
    if (st == APL_OK && due(i, plan->flush_every)) st = apl_record_flush(rec, err);
  }
  return st;
}

apl_status sample_close(apl_record* rec, apl_error* err) {
  const apl_summary summary[2] = {{"energy.error", 1.25e-9, "relative"}, {"steps", 4321.0, NULL}};

  return apl_record_close(rec, "finished", summary, 2, err);
}

static const char* check_checkpoint(const apl_result* res, const sample_plan* plan) {
  const apl_checkpoint* cp = apl_result_checkpoint(res);
  double y[SAMPLE_STATE];
  double modes[5];
  double ledger[2];

  if (cp == NULL) return NULL;
  if (plan->checkpoint_every == 0 || cp->rows % plan->checkpoint_every != 0 || cp->rows == 0) {
    return "the checkpoint is at a wrong row";
  }
  if (cp->rows > apl_result_rows(res) || cp->events > apl_result_events(res)) {
    return "the checkpoint is ahead of the rows";
  }
  state_of(cp->rows, y, modes, ledger);
  if (cp->n != SAMPLE_STATE || cp->nextra != SAMPLE_EXTRA) return "the checkpoint has wrong sizes";
  if (memcmp(cp->y, y, sizeof y) != 0) return "the checkpoint has a wrong state";
  for (int k = 0; k < cp->nextra; k++) {
    const int is_modes = strcmp(cp->extra[k].name, "modes") == 0;
    if (cp->extra[k].count != (is_modes ? 5 : 2)) return "an array has a wrong length";
    if (memcmp(cp->extra[k].value, is_modes ? modes : ledger,
               sizeof(double) * (size_t)cp->extra[k].count) != 0) {
      return "an array of the checkpoint is wrong";
    }
  }
  return NULL;
}

const char* sample_check(apl_result* res, const sample_plan* plan) {
  if (apl_result_rows(res) > plan->rows) return "there are too many rows";
  for (int i = 0; i < apl_result_rows(res); i++) {
    double want[SAMPLE_CHANNELS];
    double got[SAMPLE_CHANNELS];
    sample_row(i, want);
    if (apl_result_read(res, i, 1, got, NULL) != APL_OK) return "a row cannot be read";
    if (memcmp(got, want, sizeof got) != 0) return "a row is not the one recorded";
  }
  for (int k = 0; k < apl_result_events(res); k++) {
    const apl_occurrence* e = apl_result_event(res, k);
    if (e->row != (k + 1) * plan->event_every || strcmp(e->name, "arm.limit") != 0 ||
        e->value != (double)e->row || strcmp(e->text, "the arm reaches its limit") != 0) {
      return "an event is not the one recorded";
    }
  }
  return check_checkpoint(res, plan);
}
