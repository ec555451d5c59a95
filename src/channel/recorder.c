/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.c: see appell/recorder.h. Rows come from the table of channels (channels.h) and go to
   all files that are open (recorder_files.c) and, if asked for, to memory (recorder_keep.c). The
   callbacks of the caller are called as well. */
#include "channel/recorder_impl.h"

#include "base/error.h"
#include "channel/recorder.h"
#include "dynamics/extra.h"
#include "spec/spec_impl.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

apl_recorder_options apl_recorder_options_default(void) {
  return (apl_recorder_options){.checkpoint_every = 100};
}

/* ----------------------------------------------------------------------------------- life ---- */

static bool allocate(apl_recorder* r) {
  const apl_model* m = apl_system_model(r->system);
  const int ny = apl_system_size(r->system);

  r->row = calloc((size_t)r->channels->n, sizeof *r->row);
  r->metrics = apl_metrics_new(r->channels);
  if (r->metrics == NULL) return false;
  r->nmemory = apl_run_memory_size(r->system, &r->run);
  r->footing = apl_footing_watch_new(m);
  if (r->file != NULL) r->beams = apl_beam_watch_new(apl_file_spec(r->file), m);
  if (r->footing == NULL) return false;
  for (int i = 0; i < 2; ++i)
    r->place[i].y = calloc((size_t)(ny + apl_recorder_memory_size(r)), sizeof(double));
  if (r->row == NULL || (r->file != NULL && r->beams == NULL) || r->place[0].y == NULL ||
      r->place[1].y == NULL)
    return false;
  for (int i = 0; i < 2; ++i)
    r->place[i].memory = r->place[i].y + ny;
  return true;
}

/* Channels that the model file asks for, then those that the caller asks for. */
static apl_status make_channels(apl_recorder* r, apl_error* err) {
  const apl_spec* spec = r->file == NULL ? NULL : apl_file_spec(r->file);
  const int nfile = spec == NULL ? 0 : spec->nrecord, n = nfile + r->o.nrecord;
  const char** word = calloc((size_t)n + 1, sizeof *word);

  if (word == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a recorder");
  for (int i = 0; i < n; ++i)
    word[i] = i < nfile ? spec->record[i].text : r->o.record[i - nfile];
  const apl_status st = apl_channels_new(
      r->system, &(channel_wish){.word = word, .nword = n, .controlled = r->run.control != NULL},
      &r->channels, err);
  free(word);
  return st;
}

/* False if there are fewer names than the options count. */
static bool names_fit(const apl_recorder_options* o) {
  bool fit = o->nrecord >= 0 && (o->nrecord == 0 || o->record != NULL);

  for (int i = 0; fit && i < o->nrecord; ++i)
    fit = o->record[i] != NULL;
  return fit;
}

apl_status apl_recorder_new(const apl_file* file, apl_system* system, const apl_run_options* run,
                            const apl_recorder_options* options, apl_recorder** out,
                            apl_error* err) {
  if (out != NULL) *out = NULL;
  if (system == NULL || run == NULL || run->method == NULL || options == NULL || out == NULL ||
      !names_fit(options)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_recorder_new() needs a system, options of run and recorder, and names of "
                    "what to record");
  }
  apl_recorder* r = calloc(1, sizeof *r);

  *out = NULL;
  if (r == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a recorder");
  r->file = file;
  r->system = system;
  r->run = *run;
  r->o = *options;
  if (run->control != NULL) r->o.checkpoint_every = 0;
  apl_status st = make_channels(r, err);
  r->o.record = NULL; /* the words belong to the caller and are no longer needed */
  if (st == APL_OK && !allocate(r))
    st = apl_fail(err, APL_ERR_MEMORY, "out of memory for a recorder");
  if (st == APL_OK) st = apl_recorder_open(r, err);
  if (st != APL_OK) {
    apl_recorder_free(r);
    return st;
  }
  *out = r;
  return APL_OK;
}

void apl_recorder_free(apl_recorder* r) {
  if (r == NULL) return;
  apl_record_abandon(r->record);
  apl_csv_abandon(r->csv);
  apl_replay_free(r->replay);
  apl_result_free(r->earlier);
  apl_metrics_free(r->metrics);
  apl_pool_free(&r->words);
  apl_footing_watch_free(r->footing);
  apl_beam_watch_free(r->beams);
  apl_channels_free(r->channels);
  free(r->place[0].y);
  free(r->place[1].y);
  free(r->impact);
  free(r->rows);
  free(r->row);
  free(r);
}

/* ----------------------------------------------------------------------------- callbacks ---- */

static apl_status output(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                         void* user) {
  apl_recorder* r = user;
  apl_state* state = apl_system_state(system);

  if (!r->started) r->channels->from.first = ledger->sum;
  r->started = true;
  apl_status st = apl_channels_row(r->channels, t, y, ledger, r->row);
  if (st != APL_OK) return st;
  st = apl_metrics_look(r->metrics);
  if (st != APL_OK) return st;
  apl_footing_watch_look(r->footing, t, r->channels->from.footing, r->channels->from.nfooting);
  if (r->beams != NULL) apl_beam_watch_look(r->beams, t, state);

  if (r->record != NULL) st = apl_record_row(r->record, r->row, &r->err);
  if (st == APL_OK && r->csv != NULL) st = apl_csv_row(r->csv, r->row, &r->err);
  if (st == APL_OK && r->replay != NULL) st = apl_replay_add(r->replay, t, r->row, state);
  if (st == APL_OK && r->o.keep) st = apl_recorder_keep_row(r);
  if (st == APL_OK) r->nrow += 1;
  if (st == APL_OK && r->run.output != NULL) st = r->run.output(t, y, ledger, system, r->run.user);
  return st;
}

static void impact(const apl_impact* hit, apl_system* system, void* user) {
  apl_recorder* r = user;

  apl_recorder_keep_impact(r, hit);
  if (r->record != NULL && r->err.status == APL_OK) {
    impact_words words;
    const apl_occurrence what = apl_impact_event(hit, apl_system_model(system), &words);
    apl_record_occurrence(r->record, &what, &r->err);
  }
  if (r->run.impact != NULL) r->run.impact(hit, system, r->run.user);
}

static apl_status checkpoint(double t, const double* y, const double* memory, void* user) {
  apl_recorder* r = user;

  apl_recorder_keep_place(r, t, y, memory);
  const apl_record_array extra = {apl_recorder_memory_name, apl_recorder_memory_size(r),
                                  r->place[(r->nplace - 1) % 2].memory};
  return r->record == NULL ? APL_OK : apl_record_checkpoint(r->record, t, y, &extra, &r->err);
}

static apl_status poll(const apl_progress* progress, void* user) {
  const apl_recorder* r = user;
  return r->run.poll(progress, r->run.user);
}

static void control(double t, apl_system* system, void* user) {
  const apl_recorder* r = user;
  r->run.control(t, system, r->run.user);
}

/* -------------------------------------------------------------------------------- running ---- */

/* Warn of an energy or momentum error above its limit: how large it is, when it grew most, and
   which account of the energy changed most at that time. */
static void warn_of_ledgers(apl_recorder* r) {
  const apl_run_report* p = &r->report;

  if (p->audited && p->relative > p->promise) {
    watch_warning* w = &r->warning[r->nwarning++];
    *w = (watch_warning){.key = "warning.ledger", .worst = p->relative};
    snprintf(
        w->text, sizeof w->text,
        "the energy error is %.1e, above its limit %.0e; it grew most from t = %.6g to %.6g s%s%s; "
        "use a smaller tolerance or step",
        p->relative, p->promise, p->opened_from, p->opened_to,
        p->opened_account < 0 ? "" : ", with the account ",
        p->opened_account < 0 ? "" : apl_account_word(p->opened_account));
  }
  if (p->has_momentum && p->momentum > p->promise) {
    watch_warning* w = &r->warning[r->nwarning++];
    *w = (watch_warning){.key = "warning.momentum", .worst = p->momentum};
    snprintf(w->text, sizeof w->text,
             "the momentum error is %.1e, above its limit %.0e; use a smaller tolerance or step",
             p->momentum, p->promise);
  }
  r->nledger = r->nwarning;
}

apl_status apl_recorder_run(apl_recorder* r, apl_run_report* report, apl_error* err) {
  if (r == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_recorder_run() needs a recorder");
  }
  apl_run_options o = r->run;
  apl_error mine = {0};

  if (r->done) return apl_fail(err, APL_ERR_ARGUMENT, "a recorder can record one run only");
  r->done = true;
  o.output = output;
  o.impact = impact;
  if (o.control != NULL) o.control = control;
  if (o.poll != NULL) o.poll = poll;
  if (r->o.checkpoint_every > 0) {
    o.checkpoint = checkpoint;
    o.checkpoint_every = r->o.checkpoint_every;
  }
  if (r->earlier != NULL) o.resume = &r->at;
  o.user = r;
  apl_status st = apl_run(r->system, &o, &r->report, &mine);

  /* a row or event could not be recorded, which usually has ended the run */
  if (r->err.status != APL_OK) mine = r->err;
  if (st == APL_OK) st = r->err.status;
  if (st != APL_OK && !(r->report.error > 0.0)) r->report.audited = r->report.has_momentum = false;
  warn_of_ledgers(r);
  if (st == APL_OK && r->o.strict && r->nledger > 0)
    st = apl_fail(&mine, APL_ERR_LEDGER, "%.220s", r->warning[0].text);
  /* The run was stopped by a callback on request of the user, unless the callback gave a reason:
     then the run has failed. */
  const bool stopped = st == APL_ERR_STOPPED && r->system->complaint.status == APL_OK;
  snprintf(r->status, sizeof r->status, "%s%s",
           st == APL_OK ? "finished"
           : stopped    ? "stopped"
                        : "failed: ",
           st == APL_OK || stopped ? "" : mine.text);
  if (!apl_recorder_summarise(r) && st == APL_OK)
    st = apl_fail(&mine, APL_ERR_MEMORY, "out of memory for the summary of a run");
  const apl_status closed = apl_recorder_close(r);
  if (st == APL_OK && closed != APL_OK) mine = r->err;
  if (report != NULL) *report = r->report;
  if (err != NULL) *err = mine;
  return st != APL_OK ? st : closed;
}
