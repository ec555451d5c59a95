/* SPDX-License-Identifier: Apache-2.0 */
/* recorder_files.c: the files of a recorder: the result, which may continue an earlier one, the CSV
   file and the page. They are opened before the run and closed after it. */
#include "channel/recorder_impl.h"

#include "base/error.h"
#include "spec/parts.h"
#include "step/methods.h"
#include "system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------ head of a result ---- */

/* How loops are closed; "" for robots without loops. */
static void loop_words(const apl_recorder* r, char* text, size_t size) {
  const apl_loop_options* l = &r->run.loops;

  text[0] = '\0';
  if (apl_model_count(apl_system_model(r->system), APL_LOOPS) == 0) return;
  snprintf(text, size,
           ", loops %s, stabilise %.17g, frequency %.17g, ratio %.17g, stiffness %.17g, "
           "damping %.17g, slow %d",
           l->method == NULL ? "multipliers" : l->method, l->stabilise, l->frequency, l->ratio,
           l->stiffness, l->damping, l->slow);
}

/* The texts of a head that a resumed run compares. */
static void head_words(const apl_recorder* r, recorder_head* h) {
  const bool alpha = apl_method_can(r->run.method, METHOD_RADIUS);
  char closing[260], radius[48] = "";

  loop_words(r, closing, sizeof closing);
  if (alpha) snprintf(radius, sizeof radius, ", spectral-radius %.17g", r->run.spectral_radius);
  apl_number_write(r->run.tolerance,
                   h->tolerance); /* all digits, because a resumed run compares them */
  snprintf(h->program, sizeof h->program, "appell %s", apl_version());
  snprintf(h->options, sizeof h->options,
           "from %.17g, output-every %.17g, step %.17g, max-step %.17g, absolute %.17g, "
           "checkpoint-every %d%s%s",
           r->run.from, r->run.output_every, r->run.step, r->run.max_step, r->run.absolute,
           r->o.checkpoint_every, radius, closing);
}

apl_status apl_recorder_head(const apl_recorder* r, recorder_head* h, apl_report* report,
                             apl_error* err) {
  const bool places = r->o.checkpoint_every > 0;

  head_words(r, h);
  h->pictures = r->replay != NULL ? apl_replay_pictures(r->replay)
                                  : apl_file_pictures(r->file, r->channels->from.model, report);
  if (h->pictures == NULL) {
    return apl_fail(err, APL_ERR_MEMORY,
                    "its pictures cannot be made: out of memory, or names that are not UTF-8");
  }
  h->carry = (apl_record_array){apl_recorder_memory_name, apl_recorder_memory_size(r), NULL};
  h->head = (apl_record_head){.name = r->file == NULL ? "" : apl_file_name(r->file),
                              .model = r->file == NULL ? "" : apl_file_text(r->file),
                              .program = h->program,
                              .integrator = r->run.method,
                              .tolerance = h->tolerance,
                              .options = h->options,
                              .pictures = h->pictures,
                              .channel = r->channels->channel,
                              .nchannel = r->channels->n,
                              .nstate = places ? apl_system_size(r->system) : 0,
                              .extra = &h->carry,
                              .nextra = places ? 1 : 0};
  return APL_OK;
}

void apl_recorder_head_free(recorder_head* h) {
  apl_text_free(h->pictures);
}

/* Keep what is said about meshes and images for the end of the run, where warnings are told. */
static void keep_faults(apl_recorder* r, const apl_report* report) {
  const int most = (int)(sizeof r->drawn / sizeof *r->drawn);

  for (int i = 0; i < report->warnings && i < APL_REPORT_WARNINGS && r->ndrawn < most; ++i) {
    const char* text = apl_pool_text(&r->words, report->warning[i].text);
    if (text != NULL) r->drawn[r->ndrawn++] = text;
  }
}

static apl_status open_record(apl_recorder* r, apl_error* err) {
  recorder_head h;
  apl_report report = {0};

  apl_status st = apl_recorder_head(r, &h, &report, err);
  keep_faults(r, &report);
  if (st == APL_OK) st = apl_record_open(r->o.result, &h.head, &r->record, err);
  apl_recorder_head_free(&h);
  return st;
}

/* -------------------------------------------------------------------------------- resuming ---- */

/* A resumed run gives the same bytes as one that was never stopped only if the program is the same
   and its checkpoint has the present format. */
static apl_status compare_program(apl_recorder* r, const char* path, const apl_checkpoint* c,
                                  apl_error* err) {
  const char* was = apl_result_text(r->earlier, APL_RESULT_PROGRAM);
  recorder_head h;

  head_words(r, &h);
  if (strcmp(was, h.program) != 0) {
    return apl_fail(
        err, APL_ERR_ARGUMENT,
        "%.80s cannot be resumed: %.40s wrote it, and %.40s may not give the same bytes; "
        "`start: {from: RESULT}` in the model begins a new run from its last state",
        path, was, h.program);
  }
  if (c->nextra != 1 || strcmp(c->extra[0].name, apl_recorder_memory_name) == 0) return APL_OK;
  return apl_fail(err, APL_ERR_ARGUMENT,
                  "%.150s: its checkpoint was written by another version of appell: "
                  "run it from the beginning",
                  path);
}

/* ... and only if all of these options are the same. The end time may differ. */
static apl_status compare_options(apl_recorder* r, const char* path, apl_error* err) {
  recorder_head h;
  apl_status st = APL_OK;

  head_words(r, &h);
  const struct {
    const char* what;
    apl_result_word word;
    const char* mine;
  } list[] = {{"integrator is", APL_RESULT_INTEGRATOR, r->run.method},
              {"tolerance is", APL_RESULT_TOLERANCE, h.tolerance},
              {"options have", APL_RESULT_OPTIONS, h.options}};

  for (size_t i = 0; i < sizeof list / sizeof *list && st == APL_OK; ++i) {
    const char *was = apl_result_text(r->earlier, list[i].word), *is = list[i].mine;
    if (strcmp(was, is) == 0) continue;
    const bool many = list[i].word == APL_RESULT_OPTIONS;
    size_t k = 0; /* for options: where the first one begins that differs */
    for (size_t at = 0; was[at] != '\0' && was[at] == is[at]; ++at) {
      if (was[at] == ',') k = at + 2;
    }
    st = apl_fail(err, APL_ERR_ARGUMENT,
                  "%.80s cannot be resumed: its %s '%.*s', %s of this run %s '%.*s'", path,
                  list[i].what, (int)strcspn(was + k, ","), was + k, many ? "those" : "that",
                  many ? "have" : "is", (int)strcspn(is + k, ","), is + k);
  }
  return st;
}

/* Take over the impacts that happened before the checkpoint. */
static void take_impacts(apl_recorder* r, int n) {
  for (int i = 0; i < n; ++i) {
    apl_impact hit;
    if (apl_impact_read(apl_result_event(r->earlier, i), apl_system_model(r->system), &hit))
      apl_recorder_keep_impact(r, &hit);
  }
}

/* Continue with the numbers of a checkpoint. */
static apl_status take_checkpoint(apl_recorder* r, const apl_checkpoint* c, apl_error* err) {
  const double* memory = c->extra[0].value;

  r->at = (apl_resume){c->t, c->y, memory};
  apl_store seen = apl_store_reader(memory + r->nmemory, apl_recorder_memory_size(r) - r->nmemory);
  apl_recorder_memory(r, &seen);
  if (seen.bad != NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "the checkpoint is damaged: %s is %g", seen.bad,
                    seen.value);
  }
  r->channels->from.first = memory[0];
  r->started = true;
  take_impacts(r, c->events);
  return r->err.status == APL_OK ? APL_OK : apl_fail(err, r->err.status, "%s", r->err.text);
}

/* A run with checkpoints that ended before its first one is computed again from the beginning,
   which gives the same bytes as well. False: it is not such a run. */
static bool begins_anew(apl_recorder* r, const char* path) {
  if (r->o.checkpoint_every <= 0 || compare_options(r, path, NULL) != APL_OK) return false;
  apl_result_free(r->earlier);
  r->earlier = NULL;
  return true;
}

/* Open the result to resume, and check that model and options are the same. */
static apl_status open_earlier(apl_recorder* r, apl_error* err) {
  const char *path = r->o.resume, *out = r->o.result;

  if (out == NULL || r->o.csv != NULL || r->o.page != NULL || r->o.keep) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a run can be resumed into an HDF5 result only");
  }
  const apl_status st = apl_result_open(path, &r->earlier, err);
  if (st != APL_OK) return st;
  const apl_checkpoint* c = apl_result_checkpoint(r->earlier);
  const char* text = r->file == NULL ? "" : apl_file_text(r->file);
  if (strcmp(apl_result_text(r->earlier, APL_RESULT_MODEL), text) != 0) {
    return apl_fail(err, APL_ERR_ARGUMENT, "%.150s: the model file has changed since this run",
                    path);
  }
  if (c == NULL && begins_anew(r, path)) return APL_OK;
  /* the size of the memory of a run depends on its options: compare these first */
  apl_status same = c == NULL ? APL_OK : compare_program(r, path, c, err);
  if (same == APL_OK && c != NULL) same = compare_options(r, path, err);
  if (same != APL_OK) return same;
  if (c == NULL || c->n != apl_system_size(r->system) || c->nextra != 1 ||
      c->extra[0].count != apl_recorder_memory_size(r)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "%.150s: it has no checkpoint to resume from", path);
  }
  return take_checkpoint(r, c, err);
}

/* ------------------------------------------------------------------------ opening, closing ---- */

/* A result beside the page gets its pictures from here: they are made once, because meshes and
   images are read for them. */
static apl_status open_page(apl_recorder* r) {
  apl_status st =
      apl_replay_new(r->channels->from.model, r->channels->channel, r->channels->n, &r->replay);
  apl_report report = {0};

  if (st != APL_OK) return st;
  st = apl_replay_dress(r->replay, r->file, &report);
  keep_faults(r, &report);
  return st;
}

apl_status apl_recorder_open(apl_recorder* r, apl_error* err) {
  const char* const in[] = {r->o.resume};
  const char* const out[] = {r->o.result, r->o.csv, r->o.page};
  apl_status st = apl_outputs_check(in, 1, out, 3, err);

  if (st == APL_OK && r->o.resume != NULL) st = open_earlier(r, err);
  if (st == APL_OK && r->o.page != NULL) {
    st = open_page(r);
    if (st != APL_OK) apl_fail(err, st, "out of memory for the page");
  }
  if (st == APL_OK && r->o.result != NULL) st = open_record(r, err);
  if (st == APL_OK && r->earlier != NULL) st = apl_record_resume(r->record, r->earlier, err);
  if (st == APL_OK && r->o.csv != NULL)
    st = apl_csv_open(r->o.csv, r->channels->channel, r->channels->n, &r->csv, err);
  return st;
}

/* Write the page. If the run did not finish, an older page is not replaced: the new one gets
   another name. */
static apl_status write_page(apl_recorder* r, const char* aside) {
  char* other = aside == NULL ? NULL : apl_output_beside(r->o.page, aside);
  FILE* older = other == NULL ? NULL : fopen(r->o.page, "rb");

  if (aside != NULL && other == NULL) return apl_fail(&r->err, APL_ERR_MEMORY, "out of memory");
  if (older != NULL) fclose(older);
  const apl_status st = apl_recorder_page(r, r->replay, older == NULL ? r->o.page : other, &r->err);
  apl_text_free(other);
  return st;
}

apl_status apl_recorder_close(apl_recorder* r) {
  apl_status st = APL_OK, csv = APL_OK, page = APL_OK;
  const char* aside = strncmp(r->status, "finished", 8) == 0 ? NULL
                      : strncmp(r->status, "failed", 6) == 0 ? "failed"
                                                             : "stopped";

  if (r->record != NULL) {
    st = apl_record_close_at(r->record, r->status, r->summary, r->nsummary, r->where,
                             sizeof r->where, &r->err);
  }
  r->record = NULL;
  if (r->csv != NULL) {
    csv = aside == NULL ? apl_csv_close(r->csv, &r->err)
                        : apl_csv_close_aside(r->csv, aside, &r->err);
  }
  r->csv = NULL;
  if (r->replay != NULL) page = write_page(r, aside);
  return st != APL_OK ? st : csv != APL_OK ? csv : page;
}
