/* recorder.c: see appell/recorder.h. Rows come from the one table of channels (channels.h) and go
   to whatever is open; the caller's own callbacks are called besides. */
#include "channel/recorder_impl.h"

#include "base/error.h"
#include "channel/recorder.h"
#include "dynamics/extra.h"
#include "spec/spec_impl.h"
#include "step/methods.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

apl_recorder_options apl_recorder_options_default(void) {
  return (apl_recorder_options){.checkpoint_every = 100};
}

/* ------------------------------------------------------------------------------- keeping ---- */

/* The list with room for one more item behind n; NULL without memory, the list is then as before.
 */
static void* grown(void* list, int n, int* room, size_t item) {
  if (n < *room) return list;

  const int more = *room > 0 ? 2 * *room : 64;
  void* memory = realloc(list, item * (size_t)more);
  if (memory != NULL) *room = more;
  return memory;
}

static apl_status keep_row(apl_recorder* r) {
  const size_t n = (size_t)r->channels->n;
  double* rows = grown(r->rows, r->nrow, &r->row_room, sizeof *rows * n);

  if (rows == NULL) return apl_fail(&r->err, APL_ERR_MEMORY, "out of memory for the rows of a run");
  r->rows = rows;
  memcpy(rows + (size_t)r->nrow * n, r->row, sizeof *r->row * n);
  return APL_OK;
}

/* Impacts are always kept; without memory for them the run has failed. */
static void keep_impact(apl_recorder* r, const apl_impact* impact) {
  kept_impact* list = grown(r->impact, r->nimpact, &r->impact_room, sizeof *list);

  if (list == NULL) {
    if (r->err.status == APL_OK) apl_fail(&r->err, APL_ERR_MEMORY, "out of memory for impacts");
    return;
  }
  r->impact = list;
  list[r->nimpact++] = (kept_impact){*impact, r->nrow};
}

static void keep_place(apl_recorder* r, double t, const double* y, const double* memory) {
  kept_place* p = &r->place[r->nplace++ % 2];

  p->t = t;
  p->rows = r->nrow;
  p->events = r->nimpact;
  memcpy(p->y, y, sizeof *y * (size_t)apl_system_size(r->system));
  memcpy(p->memory, memory, sizeof *memory * (size_t)r->nmemory);
  double* seen = p->memory + r->nmemory;
  apl_metrics_remember(r->metrics, seen);
  apl_footing_watch_remember(r->footing, seen += apl_metrics_size(r->metrics));
  apl_beam_watch_remember(r->beams, seen + apl_footing_watch_size(r->footing));
}

int apl_recorder_memory_size(const apl_recorder* r) {
  return r->nmemory + apl_metrics_size(r->metrics) + apl_footing_watch_size(r->footing) +
         apl_beam_watch_size(r->beams);
}

/* What a checkpoint has beside y is named by its version: "run" was that of results before format
   version 3, when integrators started afresh. */
const char apl_recorder_memory_name[] = "run-3";

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
  if (st == APL_OK && r->o.keep) st = keep_row(r);
  if (st == APL_OK) r->nrow += 1;
  if (st == APL_OK && r->run.output != NULL) st = r->run.output(t, y, ledger, system, r->run.user);
  return st;
}

static void impact(const apl_impact* hit, apl_system* system, void* user) {
  apl_recorder* r = user;

  keep_impact(r, hit);
  if (r->record != NULL && r->err.status == APL_OK) {
    impact_words words;
    const apl_occurrence what = apl_impact_event(hit, apl_system_model(system), &words);
    apl_record_occurrence(r->record, &what, &r->err);
  }
  if (r->run.impact != NULL) r->run.impact(hit, system, r->run.user);
}

static apl_status checkpoint(double t, const double* y, const double* memory, void* user) {
  apl_recorder* r = user;

  keep_place(r, t, y, memory);
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

/* -------------------------------------------------------------------------------- opening ---- */

/* How loops are closed, where there are any. */
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

apl_status apl_recorder_head(const apl_recorder* r, recorder_head* h, apl_error* err) {
  const bool places = r->o.checkpoint_every > 0;
  const bool alpha = apl_method_can(r->run.method, METHOD_RADIUS);
  char closing[260], radius[48] = "";

  loop_words(r, closing, sizeof closing);
  if (alpha) snprintf(radius, sizeof radius, ", spectral-radius %.17g", r->run.spectral_radius);
  apl_number_write(r->run.tolerance, h->tolerance); /* every digit: a resumed run compares them */
  snprintf(h->program, sizeof h->program, "appell %s", apl_version());
  snprintf(h->options, sizeof h->options,
           "from %.17g, output-every %.17g, step %.17g, max-step %.17g, absolute %.17g, "
           "checkpoint-every %d%s%s",
           r->run.from, r->run.output_every, r->run.step, r->run.max_step, r->run.absolute,
           r->o.checkpoint_every, radius, closing);
  h->pictures = apl_file_pictures(r->file, r->channels->from.model);
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

static apl_status open_record(apl_recorder* r, apl_error* err) {
  recorder_head h;

  apl_status st = apl_recorder_head(r, &h, err);
  if (st == APL_OK) st = apl_record_open(r->o.result, &h.head, &r->record, err);
  apl_recorder_head_free(&h);
  return st;
}

/* A resumed run ends with the bytes of one that never stopped only if all of this is the same. The
   end may be another one: a run goes on as far as it is told. */
static apl_status compare_options(apl_recorder* r, const char* path, apl_error* err) {
  recorder_head h;
  apl_status st = apl_recorder_head(r, &h, err);
  const struct {
    const char* what;
    apl_result_word word;
    const char* mine;
  } list[] = {{"program", APL_RESULT_PROGRAM, h.program},
              {"integrator", APL_RESULT_INTEGRATOR, r->run.method},
              {"tolerance", APL_RESULT_TOLERANCE, h.tolerance},
              {"options", APL_RESULT_OPTIONS, h.options}};

  for (size_t i = 0; i < sizeof list / sizeof *list && st == APL_OK; ++i) {
    const char *was = apl_result_text(r->earlier, list[i].word), *is = list[i].mine;
    if (strcmp(was, is) == 0) continue;
    size_t k = 0; /* options: the first of them that differs */
    for (size_t at = 0; was[at] != '\0' && was[at] == is[at]; ++at) {
      if (was[at] == ',') k = at + 2;
    }
    st = apl_fail(err, APL_ERR_ARGUMENT,
                  "%.80s cannot be resumed: its %s is '%.*s', that of this run is '%.*s'", path,
                  list[i].what, (int)strcspn(was + k, ","), was + k, (int)strcspn(is + k, ","),
                  is + k);
  }
  apl_recorder_head_free(&h);
  return st;
}

/* Impacts before the place to resume from belong to the run. */
static void take_impacts(apl_recorder* r, int n) {
  for (int i = 0; i < n; ++i) {
    apl_impact hit;
    if (apl_impact_read(apl_result_event(r->earlier, i), apl_system_model(r->system), &hit))
      keep_impact(r, &hit);
  }
}

/* Open the run to resume and look whether it fits. */
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
  if (c != NULL && c->nextra == 1 && strcmp(c->extra[0].name, apl_recorder_memory_name) != 0) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "%.150s: its checkpoint was written by another version of appell: "
                    "run it from the beginning",
                    path);
  }
  /* what is remembered depends on the options: they come first */
  const apl_status same = c == NULL ? APL_OK : compare_options(r, path, err);
  if (same != APL_OK) return same;
  if (c == NULL || c->n != apl_system_size(r->system) || c->nextra != 1 ||
      c->extra[0].count != apl_recorder_memory_size(r)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "%.150s: it has no checkpoint to resume from", path);
  }
  r->at = (apl_resume){c->t, c->y, c->extra[0].value};
  const double* seen = r->at.memory + r->nmemory;
  apl_metrics_recall(r->metrics, seen);
  apl_footing_watch_recall(r->footing, seen += apl_metrics_size(r->metrics));
  apl_beam_watch_recall(r->beams, seen + apl_footing_watch_size(r->footing));
  r->channels->from.first = r->at.memory[0];
  r->started = true;
  take_impacts(r, c->events);
  return r->err.status == APL_OK ? APL_OK : apl_fail(err, r->err.status, "%s", r->err.text);
}

static apl_status open_outputs(apl_recorder* r, apl_error* err) {
  const char* const in[] = {r->o.resume};
  const char* const out[] = {r->o.result, r->o.csv, r->o.page};
  apl_status st = apl_outputs_check(in, 1, out, 3, err);

  if (st == APL_OK && r->o.resume != NULL) st = open_earlier(r, err);
  if (st == APL_OK && r->o.result != NULL) st = open_record(r, err);
  if (st == APL_OK && r->earlier != NULL) st = apl_record_resume(r->record, r->earlier, err);
  if (st == APL_OK && r->o.page != NULL) {
    st = apl_replay_new(r->channels->from.model, r->channels->channel, r->channels->n, &r->replay);
    if (st != APL_OK) apl_fail(err, st, "out of memory for the page");
  }
  if (st == APL_OK && r->o.csv != NULL)
    st = apl_csv_open(r->o.csv, r->channels->channel, r->channels->n, &r->csv, err);
  return st;
}

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

/* What the file asks for, then what the caller does. */
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

apl_status apl_recorder_new(const apl_file* file, apl_system* system, const apl_run_options* run,
                            const apl_recorder_options* options, apl_recorder** out,
                            apl_error* err) {
  apl_recorder* r = calloc(1, sizeof *r);

  *out = NULL;
  if (r == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a recorder");
  r->file = file;
  r->system = system;
  r->run = *run;
  r->o = *options;
  if (run->control != NULL) r->o.checkpoint_every = 0;
  apl_status st = make_channels(r, err);
  r->o.record = NULL; /* its words are the caller's, and not needed any more */
  if (st == APL_OK && !allocate(r))
    st = apl_fail(err, APL_ERR_MEMORY, "out of memory for a recorder");
  if (st == APL_OK) st = open_outputs(r, err);
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

/* -------------------------------------------------------------------------------- running ---- */

/* A ledger above its promise: by how much, where, and what moved there. */
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

/* The page; beside an older one when the run did not finish. */
static apl_status write_page(apl_recorder* r, const char* aside) {
  char* other = aside == NULL ? NULL : apl_output_beside(r->o.page, aside);
  FILE* older = other == NULL ? NULL : fopen(r->o.page, "rb");

  if (aside != NULL && other == NULL) return apl_fail(&r->err, APL_ERR_MEMORY, "out of memory");
  if (older != NULL) fclose(older);
  const apl_status st = apl_recorder_page(r, r->replay, older == NULL ? r->o.page : other, &r->err);
  apl_text_free(other);
  return st;
}

/* Results are kept whatever became of the run; one that did not finish replaces none that did. */
static apl_status close_outputs(apl_recorder* r) {
  apl_status st = APL_OK, csv = APL_OK, page = APL_OK;
  const char* aside = strncmp(r->status, "finished", 8) == 0 ? NULL
                      : strncmp(r->status, "failed", 6) == 0 ? "failed"
                                                             : "stopped";

  if (r->record != NULL) {
    const char* place = apl_record_place(r->record, r->status);
    snprintf(r->where, sizeof r->where, "%s", place == NULL ? "" : place);
    st = apl_record_close(r->record, r->status, r->summary, r->nsummary, &r->err);
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

apl_status apl_recorder_run(apl_recorder* r, apl_run_report* report, apl_error* err) {
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

  /* something that was to be recorded is lost: usually that has ended the run */
  if (r->err.status != APL_OK) mine = r->err;
  if (st == APL_OK) st = r->err.status;
  if (st != APL_OK && !(r->report.error > 0.0)) r->report.audited = r->report.has_momentum = false;
  warn_of_ledgers(r);
  if (st == APL_OK && r->o.strict && r->nledger > 0)
    st = apl_fail(&mine, APL_ERR_LEDGER, "%.220s", r->warning[0].text);
  /* whoever waits may end a run; a callback that ends it with a sentence could not go on */
  const bool stopped = st == APL_ERR_STOPPED && r->system->complaint.status == APL_OK;
  snprintf(r->status, sizeof r->status, "%s%s",
           st == APL_OK ? "finished"
           : stopped    ? "stopped"
                        : "failed: ",
           st == APL_OK || stopped ? "" : mine.text);
  if (!apl_recorder_summarise(r) && st == APL_OK)
    st = apl_fail(&mine, APL_ERR_MEMORY, "out of memory for the summary of a run");
  const apl_status closed = close_outputs(r);
  if (st == APL_OK && closed != APL_OK) mine = r->err;
  if (report != NULL) *report = r->report;
  if (err != NULL) *err = mine;
  return st != APL_OK ? st : closed;
}

/* ---------------------------------------------------------------------------- what was kept ----
 */

const double* apl_recorder_row(const apl_recorder* r) {
  return r->row;
}
int apl_recorder_channels(const apl_recorder* r) {
  return r->channels->n;
}
const apl_channel* apl_recorder_channel(const apl_recorder* r, int i) {
  return i >= 0 && i < r->channels->n ? &r->channels->channel[i] : NULL;
}
int apl_recorder_nrow(const apl_recorder* r) {
  return r->o.keep ? r->nrow : 0;
}
const double* apl_recorder_rows(const apl_recorder* r) {
  return r->rows;
}
int apl_recorder_nimpact(const apl_recorder* r) {
  return r->nimpact;
}
const apl_impact* apl_recorder_impact(const apl_recorder* r, int i) {
  return i >= 0 && i < r->nimpact ? &r->impact[i].hit : NULL;
}
int apl_recorder_nsummary(const apl_recorder* r) {
  return r->nsummary;
}
const apl_summary* apl_recorder_summary(const apl_recorder* r, int i) {
  return i >= 0 && i < r->nsummary ? &r->summary[i] : NULL;
}
apl_metrics apl_recorder_metrics(const apl_recorder* r) {
  return apl_metrics_get(r->metrics);
}
apl_effort_metrics apl_recorder_effort(const apl_recorder* r, int i) {
  if (i < 0 || i >= apl_metrics_get(r->metrics).nefforts)
    return (apl_effort_metrics){.velocity = -1};
  return apl_metrics_effort(r->metrics, i);
}
int apl_recorder_nwarning(const apl_recorder* r) {
  return r->nwarning;
}
const char* apl_recorder_warning(const apl_recorder* r, int i) {
  return i >= 0 && i < r->nwarning ? r->warning[i].text : NULL;
}
const char* apl_recorder_assembly(const apl_recorder* r) {
  return r->assembly;
}

const char* apl_recorder_note(const apl_recorder* r) {
  return r->note;
}
const char* apl_recorder_status(const apl_recorder* r) {
  return r->status;
}
const char* apl_recorder_place(const apl_recorder* r) {
  return r->where;
}
