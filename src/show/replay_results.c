/* SPDX-License-Identifier: Apache-2.0 */
/* replay_results.c: pages of existing results. A result has its model file and the coordinates of
   every row, from which all poses follow. Its pictures are the recorded ones, so that mesh files
   are not needed again. */
#include "show/replay_impl.h"

#include "appell/recorder.h"

#include "base/error.h"
#include "show/pictures.h"
#include "show/places.h"
#include "spec/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, MOST_SETS = 256, MOST_WARNINGS = 16 };

typedef struct view {
  const char* path;
  apl_result* result;
  apl_file* file;
  apl_model* model;
  apl_state* state;
  apl_replay* replay;
  int* column; /* [nq] where the coordinates stand                                               */
} view;

static void view_free(view* v) {
  apl_replay_free(v->replay);
  apl_state_free(v->state);
  apl_model_free(v->model);
  apl_file_free(v->file);
  apl_result_free(v->result);
  free(v->column);
}

/* ---------------------------------------------------------------------------------- model ---- */

/* Settings are the last lines of the text, each a comment; set[i] points into `text`, which is cut
   there. Similar comments further up belong to the author. */
static int settings(char* text, const char** set) {
  static const char head[] = "# --set ";
  int n = 0;

  while (n < MOST_SETS) {
    char* end = text + strlen(text);
    if (end > text && end[-1] == '\n') *--end = '\0';
    char* line = end;
    while (line > text && line[-1] != '\n')
      --line;
    if (strncmp(line, head, sizeof head - 1) != 0) break;
    set[n++] = line + sizeof head - 1;
    line[line > text ? -1 : 0] = '\0';
  }
  /* they were found from last to first; later settings win */
  for (int a = 0, b = n - 1; a < b; ++a, --b) {
    const char* kept = set[a];
    set[a] = set[b];
    set[b] = kept;
  }
  return n;
}

/* True if the coordinates of this model are in the result. */
static bool fits(view* v) {
  const int nq = apl_model_nq(v->model);

  free(v->column);
  v->column = malloc(sizeof *v->column * (size_t)(nq + 1));
  for (int i = 0; v->column != NULL && i < nq; ++i) {
    v->column[i] = apl_result_find(v->result, apl_model_name(v->model, APL_COORDINATES, i));
    if (v->column[i] < 0) return false;
  }
  return v->column != NULL;
}

/* The model of the result; whether the root of a URDF floated follows from its coordinates. */
static apl_status load_model(view* v, apl_error* err) {
  const char* stored = apl_result_text(v->result, APL_RESULT_MODEL);
  char* text = malloc(strlen(stored) + 1);
  const char* set[MOST_SETS];
  bool found = false;
  apl_report report = {0};
  if (text == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");

  strcpy(text, stored);
  apl_load_options o = apl_load_options_default();
  o.set = set;
  o.nset = settings(text, set);
  o.max_bytes *= 16;
  for (int base = 0; base < 2 && !found && report.count == 0; ++base) {
    apl_model_free(v->model);
    apl_file_free(v->file);
    v->model = NULL, v->file = NULL;
    o.base = base == 0 ? APL_BASE_FIXED : APL_BASE_FLOATING;
    found = apl_file_parse(text, strlen(text), &o, &v->file, &report) == APL_OK &&
            apl_file_model(v->file, &v->model, &report) == APL_OK && fits(v);
  }
  free(text);
  if (found) return APL_OK;
  if (stored[0] == '\0')
    return apl_fail(err, APL_ERR_MODEL,
                    "%.200s: it has no model file in it, so there is nothing to draw", v->path);
  if (report.count > 0)
    return apl_fail(err, APL_ERR_MODEL,
                    "%.120s: its model file cannot be read by this appell: %.300s", v->path,
                    report.item[0].text);
  return apl_fail(
      err, APL_ERR_MODEL,
      "%.120s: it lacks coordinates of its own model; was it recorded by another version?",
      v->path);
}

/* ----------------------------------------------------------------------------------- rows ---- */

static apl_status add_rows(view* v, apl_error* err) {
  const int n = apl_result_channels(v->result), nrow = apl_result_rows(v->result);
  double* rows = malloc(sizeof *rows * BLOCK * (size_t)n);
  apl_status st = rows == NULL ? apl_fail(err, APL_ERR_MEMORY, "out of memory") : APL_OK;

  for (int r = 0; r < nrow && st == APL_OK; r += BLOCK) {
    const int count = nrow - r < BLOCK ? nrow - r : BLOCK;
    st = apl_result_read(v->result, r, count, rows, err);
    for (int i = 0; i < count && st == APL_OK; ++i) {
      const double* row = rows + (size_t)i * (size_t)n;
      for (int k = 0; k < apl_model_nq(v->model); ++k)
        apl_q(v->state)[k] = row[v->column[k]];
      st = apl_replay_add(v->replay, row[0], row, v->state);
      if (st != APL_OK)
        apl_fail(err, st, "%.200s: the page cannot be made: %s", v->path, apl_status_text(st));
    }
  }
  free(rows);
  return st;
}

/* The recorded pictures; made again if an older version recorded other places. */
static json_t* pictures(const view* v) {
  json_t* stored = json_loads(apl_result_text(v->result, APL_RESULT_PICTURES), 0, NULL);
  apl_places* places = apl_places_new(v->model);
  const size_t n = places == NULL ? 0 : (size_t)apl_places_count(places);

  apl_places_free(places);
  if (json_array_size(json_object_get(stored, "ports")) == n) return stored;
  json_decref(stored);
  return apl_pictures(v->model, v->file, NULL);
}

/* Warnings are the lines of the summary whose keys say so. */
static json_t* page_of(view* v) {
  const int nsummary = apl_result_summaries(v->result), nevent = apl_result_events(v->result);
  apl_replay_line* line = calloc((size_t)nsummary + 1, sizeof *line);
  apl_occurrence* event = calloc((size_t)nevent + 1, sizeof *event);
  const char* warning[MOST_WARNINGS];
  int nline = 0, nwarning = 0;
  json_t* page = NULL;

  for (int i = 0; line != NULL && i < nsummary; ++i) {
    const apl_summary* s = apl_result_summary(v->result, i);
    if (strncmp(s->key, "warning", 7) == 0) {
      if (nwarning < MOST_WARNINGS) warning[nwarning++] = s->text;
    } else {
      line[nline++] = (apl_replay_line){s->key, NULL, s->value, s->text};
    }
  }
  for (int i = 0; event != NULL && i < nevent; ++i)
    event[i] = *apl_result_event(v->result, i);
  if (line != NULL && event != NULL) {
    const apl_replay_words words = {
        .name = apl_result_text(v->result, APL_RESULT_NAME),
        .description = apl_file_description(v->file),
        .status = apl_result_text(v->result, APL_RESULT_STATUS),
        .model = apl_result_text(v->result, APL_RESULT_MODEL),
        .warning = warning,
        .nwarning = nwarning,
        .line = line,
        .nline = nline,
        .event = event,
        .nevent = nevent,
    };
    page = apl_replay_json(v->replay, pictures(v), &words);
  }
  free(line);
  free(event);
  return page;
}

/* The name of a file without its folders. */
static const char* plain_name(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

static apl_status view_result(const char* path, json_t** page, apl_error* err) {
  view v = {.path = path};
  apl_status st = apl_result_open(path, &v.result, err);

  if (st == APL_OK && apl_result_rows(v.result) == 0)
    st = apl_fail(err, APL_ERR_MODEL, "%.200s: it has no rows, so there is nothing to show", path);
  if (st == APL_OK) st = load_model(&v, err);
  if (st == APL_OK) {
    const int n = apl_result_channels(v.result);
    st = apl_state_new(v.model, APL_SCALAR, &v.state);
    if (st == APL_OK) st = apl_replay_new(v.model, apl_result_channel(v.result, 0), n, &v.replay);
    if (st != APL_OK) apl_fail(err, st, "out of memory");
  }
  if (st == APL_OK) st = add_rows(&v, err);
  if (st == APL_OK) {
    *page = page_of(&v);
    json_object_set_new(*page, "label", json_string(plain_name(path)));
  }
  view_free(&v);
  return st;
}

apl_status apl_results_page(const char* const* result, int n, const char* path, apl_error* err) {
  if (result == NULL || n < 1 || path == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "apl_results_page() needs results and a path");
  }
  json_t *page = NULL, *also = json_array();
  apl_status st = APL_OK;

  for (int i = 0; i < n && st == APL_OK; ++i) {
    json_t* one = NULL;
    st = view_result(result[i], &one, err);
    if (i == 0) {
      page = one;
    } else {
      json_array_append_new(also, one);
    }
  }
  if (st != APL_OK || page == NULL) {
    json_decref(page);
    json_decref(also);
    return st != APL_OK ? st : apl_fail(err, APL_ERR_MEMORY, "out of memory for the page");
  }
  json_object_set_new(page, "also", also);
  return apl_replay_put(page, path, err);
}
