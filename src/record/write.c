/* SPDX-License-Identifier: Apache-2.0 */
/* write.c: rows, events and the end of a result file.

   The same calls give the same bytes: addresses in the file depend on the order in which chunks are
   allocated. So the first record of a chunk is written when it is recorded, not when the buffer is
   flushed, and flushes (which may depend on the clock) change nothing. */
#include "record/write_impl.h"

#include "record/sum.h"
#include "text/csv.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------- errors ----- */

apl_status apl_record_broken(apl_record* rec) {
  if (rec->error.status == APL_OK && (rec->pool.failed || rec->disk.error == ENOMEM)) {
    apl_fail(&rec->error, APL_ERR_MEMORY, "out of memory for '%s'", rec->part.path);
  } else if (rec->error.status == APL_OK) {
    apl_fail(&rec->error, APL_ERR_IO, "'%s' cannot be written: %s", rec->part.path,
             rec->disk.error != 0 ? strerror(rec->disk.error) : "the HDF5 library failed");
  }
  return rec->error.status;
}

static apl_status tell(const apl_record* rec, apl_error* err) {
  if (err != NULL) *err = rec->error;
  return rec->error.status;
}

static apl_status check_head(const apl_record_head* head, apl_error* err) {
  if (head == NULL || head->channel == NULL || head->nchannel < 1 || head->nchannel > 1 << 20) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a result needs between 1 and %d channels", 1 << 20);
  }
  for (int k = 0; k < head->nchannel; k++) {
    const char* name = head->channel[k].name;
    if (!apl_column_name_ok(name)) {
      return apl_fail(err, APL_ERR_ARGUMENT, "channel %d cannot be named '%s'", k,
                      name == NULL ? "" : name);
    }
  }
  if (head->nstate < 0 || head->nextra < 0 || (head->nstate == 0 && head->nextra > 0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a checkpoint cannot have %d states and %d arrays",
                    head->nstate, head->nextra);
  }
  for (int k = 0; k < head->nextra; k++) {
    const char* name = head->extra[k].name;
    bool ok = apl_column_name_ok(name) && head->extra[k].count > 0 && strcmp(name, "y") != 0 &&
              strcmp(name, "at") != 0;
    for (int j = 0; j < k && ok; j++)
      ok = strcmp(name, head->extra[j].name) != 0;
    if (!ok) {
      return apl_fail(err, APL_ERR_ARGUMENT, "a checkpoint cannot have an array '%s' of length %d",
                      name == NULL ? "" : name, head->extra[k].count);
    }
  }
  return APL_OK;
}

static int by_name(const void* a, const void* b) {
  return strcmp(*(const char* const*)a, *(const char* const*)b);
}

/* Names must differ; found by sorting a copy. */
static apl_status keep_names(apl_record* rec, const apl_record_head* head, apl_error* err) {
  const size_t n = (size_t)head->nchannel;
  const char** sorted = malloc(n * sizeof *sorted);
  apl_status st = APL_OK;

  rec->channel = apl_pool_take(&rec->pool, n * sizeof *rec->channel);
  if (sorted == NULL || rec->channel == NULL) {
    free(sorted);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a result of %d channels", (int)n);
  }
  for (size_t k = 0; k < n; k++) {
    rec->channel[k] = apl_pool_text(&rec->pool, head->channel[k].name);
    if (rec->channel[k] == NULL) {
      free(sorted);
      return apl_fail(err, APL_ERR_MEMORY, "out of memory for a result of %d channels", (int)n);
    }
    sorted[k] = rec->channel[k];
  }
  qsort(sorted, n, sizeof *sorted, by_name);
  for (size_t k = 1; k < n && st == APL_OK; k++) {
    if (strcmp(sorted[k - 1], sorted[k]) == 0) {
      st = apl_fail(err, APL_ERR_ARGUMENT, "two channels are named '%s'", sorted[k]);
    }
  }
  free(sorted);
  return st;
}

/* ------------------------------------------------------------------------------- growing ---- */

/* Hand the buffered records of a table to HDF5. */
static bool spill(growing* g) {
  if (g->held == 0) return true;

  const hsize_t first[2] = {(hsize_t)(g->n - g->held), 0};
  const hsize_t count[2] = {(hsize_t)g->held, g->width};
  const hsize_t total[2] = {(hsize_t)g->n, g->width};
  if (H5Dset_extent(g->set, total) < 0) return false;

  const hid_t memory = H5Screate_simple(g->rank, count, NULL);
  const hid_t place = H5Dget_space(g->set);
  const bool ok = memory >= 0 && place >= 0 &&
                  H5Sselect_hyperslab(place, H5S_SELECT_SET, first, NULL, count, NULL) >= 0 &&
                  H5Dwrite(g->set, g->type, memory, place, H5P_DEFAULT, g->buffer) >= 0;
  if (place >= 0) H5Sclose(place);
  if (memory >= 0) H5Sclose(memory);
  g->held = 0;
  return ok;
}

/* Append a record; the buffer and the chunks of the file begin and end at the same records. */
static apl_status append(apl_record* rec, growing* g, const void* record) {
  if (g->n == INT_MAX) {
    apl_fail(&rec->error, APL_ERR_IO, "'%s' cannot hold more than %d rows", rec->part.path,
             INT_MAX);
    return rec->error.status;
  }
  memcpy(g->buffer + (size_t)g->held * g->bytes, record, g->bytes);
  g->held++;
  g->n++;

  const int in_chunk = (g->n - 1) % g->block;
  if (in_chunk != 0 && in_chunk != g->block - 1) return APL_OK;
  return spill(g) && rec->disk.error == 0 ? APL_OK : apl_record_broken(rec);
}

/* Copy text into a field of a table, padded with zeros; a longer text ends in "...". */
static void fit(char* field, size_t size, const char* text) {
  const char* from = text == NULL ? "" : text;
  size_t n = strlen(from);

  memset(field, 0, size);
  if (n < size) {
    memcpy(field, from, n);
    return;
  }
  /* not in the middle of a character: continuation bytes of UTF-8 are 10xxxxxx */
  for (n = size - 4; n > 0 && ((unsigned char)from[n] & 0xc0) == 0x80;)
    n--;
  memcpy(field, from, n);
  memcpy(field + n, "...", 3);
}

/* ------------------------------------------------------------------------------- calls ------ */

apl_status apl_record_open(const char* path, const apl_record_head* head, apl_record** out,
                           apl_error* err) {
  *out = NULL;
  const apl_status checked = check_head(head, err);
  if (checked != APL_OK) return checked;

  apl_record* rec = calloc(1, sizeof *rec);
  if (rec == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  rec->driver = rec->file = rec->status = rec->count = rec->at_type = -1;
  growing* const table[] = {&rec->rows, &rec->sums, &rec->events, &rec->summary};
  for (size_t k = 0; k < sizeof table / sizeof *table; k++)
    table[k]->set = table[k]->type = -1;
  rec->part.fd = -1;
  rec->nchannel = head->nchannel;
  rec->nstate = head->nstate;
  rec->nextra = head->nextra;

  apl_status st = keep_names(rec, head, err);
  if (st == APL_OK) st = apl_part_open(&rec->part, path, false, err);
  if (st == APL_OK) {
    const layout_quiet quiet = apl_layout_hush();
    rec->disk.fd = rec->part.fd;
    if (apl_record_create(rec, head) != APL_OK) st = tell(rec, err);
    apl_layout_speak(quiet);
  }
  if (st == APL_OK) {
    *out = rec;
    return APL_OK;
  }

  /* nothing has been recorded: remove the file */
  apl_part part = rec->part;
  rec->part = (apl_part){.fd = -1};
  apl_record_abandon(rec);
  apl_part_drop(&part, true);
  return st;
}

apl_status apl_record_row(apl_record* rec, const double* values, apl_error* err) {
  if (rec->error.status != APL_OK) return tell(rec, err);
  for (int k = 0; k < rec->nchannel; k++) {
    if (!isfinite(values[k])) {
      return apl_fail(err, APL_ERR_NOT_FINITE, "channel '%s' is %g in row %d", rec->channel[k],
                      values[k], rec->rows.n);
    }
  }

  const layout_quiet quiet = apl_layout_hush();
  const uint64_t sum = apl_sum_numbers((uint64_t)rec->rows.n, values, (size_t)rec->nchannel);
  apl_status st = append(rec, &rec->rows, values);
  if (st == APL_OK) st = append(rec, &rec->sums, &sum);
  apl_layout_speak(quiet);
  return st == APL_OK ? APL_OK : tell(rec, err);
}

apl_status apl_record_event(apl_record* rec, double t, const char* name, const char* text,
                            double value, apl_error* err) {
  const apl_occurrence what = {.t = t, .name = name, .text = text, .value = value};
  return apl_record_occurrence(rec, &what, err);
}

apl_status apl_record_occurrence(apl_record* rec, const apl_occurrence* what, apl_error* err) {
  if (rec->error.status != APL_OK) return tell(rec, err);
  if (what->name == NULL || !isfinite(what->t) || !isfinite(what->value)) {
    return apl_fail(err, what->name == NULL ? APL_ERR_ARGUMENT : APL_ERR_NOT_FINITE,
                    "event '%s' has time %g and value %g", what->name == NULL ? "" : what->name,
                    what->t, what->value);
  }

  layout_event e = {.t = what->t, .value = what->value, .row = rec->rows.n};
  fit(e.name, sizeof e.name, what->name);
  fit(e.text, sizeof e.text, what->text);
  memcpy(e.number, what->number, sizeof e.number);
  e.sum = apl_layout_event_sum(&e, LAYOUT_VERSION);
  const layout_quiet quiet = apl_layout_hush();
  const apl_status st = append(rec, &rec->events, &e);
  apl_layout_speak(quiet);
  return st == APL_OK ? APL_OK : tell(rec, err);
}

apl_status apl_record_flush(apl_record* rec, apl_error* err) {
  if (rec->error.status != APL_OK) return tell(rec, err);

  /* events count the rows before them: rows first */
  const layout_quiet quiet = apl_layout_hush();
  if (!spill(&rec->rows) || !spill(&rec->sums) || !spill(&rec->events) || !spill(&rec->summary) ||
      H5Fflush(rec->file, H5F_SCOPE_LOCAL) < 0 || rec->disk.error != 0) {
    apl_record_broken(rec);
  }
  apl_layout_speak(quiet);
  return tell(rec, err);
}

static apl_status put_end(apl_record* rec, const char* status, const apl_summary* summary, int n) {
  for (int k = 0; k < n; k++) {
    layout_summary line = {.value = summary[k].value};
    if (!isfinite(summary[k].value)) {
      return apl_fail(&rec->error, APL_ERR_NOT_FINITE, "'%s' of the summary is %g", summary[k].key,
                      summary[k].value);
    }
    fit(line.key, sizeof line.key, summary[k].key);
    fit(line.text, sizeof line.text, summary[k].text);
    line.sum = apl_layout_summary_sum(&line);
    if (append(rec, &rec->summary, &line) != APL_OK) return rec->error.status;
  }
  if (apl_record_flush(rec, NULL) != APL_OK) return rec->error.status;

  /* the status is written last: a file that says "finished" is complete */
  char text[LAYOUT_TEXT];
  fit(text, sizeof text, status);
  const hid_t type = apl_layout_string(sizeof text);
  const bool ok = type >= 0 && H5Awrite(rec->status, type, text) >= 0 &&
                  H5Fflush(rec->file, H5F_SCOPE_LOCAL) >= 0 && rec->disk.error == 0;
  if (type >= 0) H5Tclose(type);
  return ok ? APL_OK : apl_record_broken(rec);
}

/* Close everything that belongs to HDF5. */
static bool shut(apl_record* rec) {
  growing* const table[] = {&rec->rows, &rec->sums, &rec->events, &rec->summary};

  for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
    if (table[k]->set >= 0) H5Dclose(table[k]->set);
    if (table[k]->type >= 0) H5Tclose(table[k]->type);
  }
  for (int s = 0; s < 2 && rec->slot[s] != NULL; s++) {
    for (int k = 0; k < 2 + rec->nextra; k++) {
      if (rec->slot[s][k] > 0) H5Dclose(rec->slot[s][k]);
    }
  }
  if (rec->count >= 0) H5Dclose(rec->count);
  if (rec->at_type >= 0) H5Tclose(rec->at_type);
  if (rec->status >= 0) H5Aclose(rec->status);
  const bool ok = rec->file < 0 || H5Fclose(rec->file) >= 0;
  if (rec->driver >= 0) H5FDunregister(rec->driver);
  rec->file = -1;
  return ok && rec->disk.error == 0;
}

/* True if the file at path is an unfinished result, which may be replaced. */
static bool is_unfinished(const char* path) {
  apl_result* older = NULL;
  const bool is = apl_result_open(path, &older, NULL) == APL_OK &&
                  strcmp(apl_result_text(older, APL_RESULT_STATUS), "finished") != 0;

  apl_result_free(older);
  return is;
}

/* Copy a name; one that does not fit is left out. */
static void put_word(char* to, size_t room, const char* name) {
  const size_t n = strlen(name) + 1;

  to[0] = '\0';
  if (n <= room) memcpy(to, name, n);
}

const char* apl_record_place(apl_record* rec, const char* status) {
  if (!rec->placed && strcmp(status, "finished") != 0 && !is_unfinished(rec->part.path) &&
      !apl_part_step_aside(&rec->part, strncmp(status, "failed", 6) == 0 ? "failed" : "stopped"))
    return NULL;
  rec->placed = true;
  return rec->part.path;
}

apl_status apl_record_close(apl_record* rec, const char* status, const apl_summary* summary,
                            int nsummary, apl_error* err) {
  char where[1];
  return apl_record_close_at(rec, status, summary, nsummary, where, sizeof where, err);
}

apl_status apl_record_close_at(apl_record* rec, const char* status, const apl_summary* summary,
                               int nsummary, char* where, size_t room, apl_error* err) {
  const layout_quiet quiet = apl_layout_hush();

  if (rec->error.status == APL_OK) put_end(rec, status, summary, nsummary);
  if (!shut(rec)) apl_record_broken(rec);
  if (rec->error.status == APL_OK && apl_record_place(rec, status) == NULL)
    apl_fail(&rec->error, APL_ERR_MEMORY, "out of memory");
  put_word(where, room, rec->part.path);
  if (rec->error.status == APL_OK) apl_part_keep(&rec->part, &rec->error);
  if (rec->part.part != NULL) put_word(where, room, rec->part.part);
  apl_layout_speak(quiet);

  const apl_status st = rec->error.status == APL_OK ? APL_OK : tell(rec, err);
  apl_part_drop(&rec->part, false);
  apl_pool_free(&rec->pool);
  free(rec);
  return st;
}

void apl_record_abandon(apl_record* rec) {
  if (rec == NULL) return;

  const layout_quiet quiet = apl_layout_hush();
  if (rec->file >= 0 && rec->error.status == APL_OK) apl_record_flush(rec, NULL);
  shut(rec);
  apl_layout_speak(quiet);
  apl_part_drop(&rec->part, false);
  apl_pool_free(&rec->pool);
  free(rec);
}
