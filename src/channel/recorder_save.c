/* SPDX-License-Identifier: Apache-2.0 */
/* recorder_save.c: write a run that was kept in memory to a file. The calls and their order are
   the same as for a file that is written during the run, so the bytes are the same. */
#include "channel/recorder_impl.h"

#include "base/error.h"
#include "channel/recorder.h"
#include "spec/parts.h"
#include "system/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* apl_impact_name(const apl_impact* i, const apl_model* m, char* text, size_t size) {
  if (i->shape[0] < 0) {
    snprintf(text, size, "%s", apl_model_name(m, APL_CONTACTS, i->contact));
  } else {
    snprintf(text, size, "%s, %s", apl_model_name(m, APL_SHAPES, i->shape[0]),
             apl_model_name(m, APL_SHAPES, i->shape[1]));
  }
  return text;
}

void apl_impact_text(const apl_impact* i, char* text, size_t size) {
  const bool lasts = i->end > i->start;

  (void)snprintf(text, size,
                 "in %.6g m/s, out %.6g m/s (%.6f), slip %.6g to %.6g m/s, impulse %.6g N s, "
                 "%s %.6g %s",
                 i->speed_in, i->speed_out, i->speed_out / i->speed_in,
                 hypot(i->slip_in[0], i->slip_in[1]), hypot(i->slip_out[0], i->slip_out[1]),
                 i->impulse, lasts ? "peak" : "at once,", lasts ? i->peak : 0.0, lasts ? "N" : "s");
}

/* The first number, 1, marks an impact. Its start and speed_in are the time and the value of the
   event. */
apl_occurrence apl_impact_event(const apl_impact* i, const apl_model* m, impact_words* words) {
  apl_impact_text(i, words->text, sizeof words->text);
  return (apl_occurrence){.t = i->start,
                          .name = apl_impact_name(i, m, words->name, sizeof words->name),
                          .text = words->text,
                          .value = i->speed_in,
                          .number = {1.0, i->contact, i->shape[0], i->shape[1], i->end,
                                     i->speed_out, i->slip_in[0], i->slip_in[1], i->slip_out[0],
                                     i->slip_out[1], i->impulse, i->peak}};
}

/* Check the numbers of the file, because they are used as indices of names. */
bool apl_impact_read(const apl_occurrence* e, const apl_model* m, apl_impact* out) {
  const double* x = e->number;
  const int ncontact = apl_model_count(m, APL_CONTACTS), nshape = apl_model_count(m, APL_SHAPES);

  if (x[0] != 1.0 || !(x[1] >= 0.0 && x[1] < ncontact) || !(x[2] >= -1.0 && x[2] < nshape) ||
      !(x[3] >= -1.0 && x[3] < nshape))
    return false;
  *out = (apl_impact){.contact = (int)x[1],
                      .shape = {(int)x[2], (int)x[3]},
                      .start = e->t,
                      .end = x[4],
                      .speed_in = e->value,
                      .speed_out = x[5],
                      .slip_in = {x[6], x[7]},
                      .slip_out = {x[8], x[9]},
                      .impulse = x[10],
                      .peak = x[11]};
  return true;
}

static const double* row_of(const apl_recorder* r, int i) {
  return r->rows + (size_t)i * (size_t)r->channels->n;
}

/* ---------------------------------------------------------------------------------- HDF5 ---- */

static apl_status put_place(const apl_recorder* r, apl_record* rec, int k, apl_error* err) {
  const kept_place* p = &r->place[k % 2];
  const apl_record_array extra = {apl_recorder_memory_name, apl_recorder_memory_size(r), p->memory};

  return apl_record_checkpoint(rec, p->t, p->y, &extra, err);
}

static apl_status put_event(const apl_recorder* r, apl_record* rec, int i, apl_error* err) {
  impact_words words;
  const apl_occurrence what =
      apl_impact_event(&r->impact[i].hit, apl_system_model(r->system), &words);

  return apl_record_occurrence(rec, &what, err);
}

/* Write rows, impacts and the last two checkpoints in the order in which they were recorded. A
   file has two slots for checkpoints, which are used in turn, so of older ones only the number
   matters. */
static apl_status put_all(const apl_recorder* r, apl_record* rec, apl_error* err) {
  apl_status st = APL_OK;
  int place = 0, event = 0;

  for (; place < r->nplace - 2 && st == APL_OK; ++place)
    st = put_place(r, rec, place, err);
  for (int row = 0; row <= r->nrow && st == APL_OK; ++row) {
    for (;;) {
      const kept_place* p = place < r->nplace ? &r->place[place % 2] : NULL;
      if (st == APL_OK && p != NULL && p->rows == row && p->events == event) {
        st = put_place(r, rec, place++, err);
      } else if (st == APL_OK && event < r->nimpact && r->impact[event].row == row) {
        st = put_event(r, rec, event++, err);
      } else {
        break;
      }
    }
    if (st == APL_OK && row < r->nrow) st = apl_record_row(rec, row_of(r, row), err);
  }
  return st;
}

static apl_status save_result(const apl_recorder* r, const char* path, apl_error* err) {
  recorder_head h;
  apl_record* rec = NULL;

  apl_status st = apl_recorder_head(r, &h, NULL, err);
  if (st == APL_OK) st = apl_record_open(path, &h.head, &rec, err);
  apl_recorder_head_free(&h);
  if (st == APL_OK) st = put_all(r, rec, err);
  if (st != APL_OK) {
    apl_record_abandon(rec);
    return st;
  }
  return apl_record_close(rec, r->status, r->summary, r->nsummary, err);
}

/* ------------------------------------------------------------------------------ CSV, page ---- */

static apl_status save_csv(const apl_recorder* r, const char* path, apl_error* err) {
  apl_csv* csv = NULL;
  apl_status st = apl_csv_open(path, r->channels->channel, r->channels->n, &csv, err);

  for (int i = 0; i < r->nrow && st == APL_OK; ++i)
    st = apl_csv_row(csv, row_of(r, i), err);
  if (st == APL_OK) return apl_csv_close(csv, err);
  apl_csv_abandon(csv);
  return st;
}

/* Poses follow from the coordinates, which are the columns after the time. */
static apl_status save_page(const apl_recorder* r, const char* path, apl_error* err) {
  const apl_model* m = apl_system_model(r->system);
  apl_replay* replay = NULL;
  apl_state* state = NULL;
  apl_status st = apl_replay_new(m, r->channels->channel, r->channels->n, &replay);

  if (st == APL_OK) st = apl_state_new(m, APL_SCALAR, &state);
  for (int i = 0; i < r->nrow && st == APL_OK; ++i) {
    memcpy(apl_q(state), row_of(r, i) + 1, sizeof(double) * (size_t)apl_model_nq(m));
    st = apl_replay_add(replay, row_of(r, i)[0], row_of(r, i), state);
  }
  if (st == APL_OK) {
    st = apl_recorder_page(r, replay, path, err);
  } else {
    apl_fail(err, st, "the page cannot be made: %s", apl_status_text(st));
  }
  apl_state_free(state);
  apl_replay_free(replay);
  return st;
}

/* Impacts as marks on the time bar; NULL without memory. */
static apl_occurrence* marks(const apl_recorder* r) {
  const size_t n = (size_t)r->nimpact + 1;
  apl_occurrence* list = calloc(n, sizeof *list + sizeof(impact_words));
  impact_words* words = (impact_words*)(void*)(list + n);

  for (int i = 0; list != NULL && i < r->nimpact; ++i)
    list[i] = apl_impact_event(&r->impact[i].hit, apl_system_model(r->system), &words[i]);
  return list;
}

apl_status apl_recorder_page(const apl_recorder* r, const apl_replay* replay, const char* path,
                             apl_error* err) {
  const apl_run_report* p = &r->report;
  const apl_replay_line line[] = {
      {"simulated time", NULL, p->t, "s"},
      {"steps", NULL, (double)p->steps, ""},
      {"evaluations", NULL, (double)p->evaluations, ""},
      {"energy error (relative)", p->audited ? NULL : "not checked", p->relative, ""},
      {"integrator", r->note, 0.0, ""},
  };
  apl_occurrence* mark = marks(r);
  if (mark == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the page");
  const char* warning[APL_MOST_WARNINGS];
  int nwarning = 0;
  while (nwarning < APL_MOST_WARNINGS && nwarning < apl_recorder_nwarning(r)) {
    warning[nwarning] = apl_recorder_warning(r, nwarning);
    ++nwarning;
  }
  const apl_replay_words words = {
      .name = r->file == NULL ? "" : apl_file_name(r->file),
      .description = r->file == NULL ? "" : apl_file_description(r->file),
      .status = r->status,
      .model = r->file == NULL ? "" : apl_file_text(r->file),
      .warning = warning,
      .nwarning = nwarning,
      .line = line,
      .nline = (int)(sizeof line / sizeof *line) - (r->note[0] == '\0'),
      .event = mark,
      .nevent = r->nimpact,
  };
  const apl_status st = apl_replay_write(replay, path, r->file, &words, err);
  free(mark);
  return st;
}

apl_status apl_recorder_save(const apl_recorder* r, const char* path, apl_error* err) {
  if (r == NULL || path == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_recorder_save() needs a recorder and a path");
  }
  static const struct {
    const char* ending;
    apl_status (*save)(const apl_recorder* r, const char* path, apl_error* err);
  } form[] = {{".h5", save_result}, {".csv", save_csv}, {".html", save_page}};
  const char* dot = strrchr(path, '.');

  if (!r->done || !r->o.keep) {
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no run in memory that could be saved");
  }
  for (size_t i = 0; dot != NULL && i < sizeof form / sizeof *form; ++i) {
    if (strcmp(dot, form[i].ending) == 0) return form[i].save(r, path, err);
  }
  return apl_fail(err, APL_ERR_ARGUMENT, "results are saved as .h5, .csv or .html, not as '%.120s'",
                  path);
}
