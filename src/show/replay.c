/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c: the JSON of docs/formats/page.md for a run. Long runs are thinned, so that a page can
   be mailed; trails use all outputs. */
#include "base/assert.h"
#include "base/error.h"
#include "show/json.h"
#include "show/page.h"
#include "show/pictures.h"
#include "show/places.h"
#include "show/replay_impl.h"
#include "show/trails.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 200, MOST = 2000, POSE = PLACE_POSE };
static const double BUDGET = 6e6; /* bytes of a page that frames may take */

struct apl_replay {
  const apl_model* model;
  const apl_channel* channel;
  apl_places* places;
  apl_trails* trails;
  int nchannel, nplace;
  int most;            /* frames that a page takes                                             */
  int n, stride, skip; /* frames kept; every stride-th output is kept; outputs so far          */
  double* time;        /* [most]                                                               */
  double* row;         /* [most * nchannel]                                                    */
  float* pose;         /* [(most + 1) * nplace * POSE], the last one as scratch                */
  json_t* pictures;    /* those of apl_replay_dress(), or NULL                                 */
};

/* Number of frames that keeps the page below 10 MB: base64 takes 4/3 of the bytes. */
static int most_frames(int nplace, int nchannel) {
  const double each = (double)nplace * POSE * sizeof(float) + (double)nchannel * sizeof(double);
  const double most = BUDGET / (4.0 / 3.0 * each);

  return most > MOST ? MOST : most < LEAST ? LEAST : (int)most;
}

apl_status apl_replay_new(const apl_model* model, const apl_channel* channel, int nchannel,
                          apl_replay** out) {
  apl_replay* p = calloc(1, sizeof *p);

  *out = NULL;
  if (p == NULL) return APL_ERR_MEMORY;
  p->model = model;
  p->channel = channel;
  p->nchannel = nchannel;
  p->places = apl_places_new(model);
  p->trails = apl_trails_new(apl_model_count(model, APL_PORTS));
  p->stride = 1;
  if (p->places != NULL && p->trails != NULL) {
    p->nplace = apl_places_count(p->places);
    p->most = most_frames(p->nplace, nchannel);
    p->time = malloc(sizeof *p->time * (size_t)p->most);
    p->row = malloc(sizeof *p->row * (size_t)p->most * (size_t)nchannel);
    p->pose = malloc(sizeof *p->pose * (size_t)(p->most + 1) * POSE * (size_t)p->nplace);
  }
  if (p->time == NULL || p->row == NULL || p->pose == NULL) {
    apl_replay_free(p);
    return APL_ERR_MEMORY;
  }
  *out = p;
  return APL_OK;
}

void apl_replay_free(apl_replay* p) {
  if (p == NULL) return;
  apl_places_free(p->places);
  apl_trails_free(p->trails);
  json_decref(p->pictures);
  free(p->time);
  free(p->row);
  free(p->pose);
  free(p);
}

/* ---------------------------------------------------------------------------------- frames ---- */

/* Keep every other frame. */
static void thin(apl_replay* p) {
  const size_t nrow = (size_t)p->nchannel, npose = (size_t)p->nplace * POSE;

  for (int i = 0; 2 * i < p->n; ++i) {
    p->time[i] = p->time[2 * i];
    memmove(p->row + (size_t)i * nrow, p->row + 2 * (size_t)i * nrow, sizeof *p->row * nrow);
    memmove(p->pose + (size_t)i * npose, p->pose + 2 * (size_t)i * npose, sizeof *p->pose * npose);
  }
  p->n = (p->n + 1) / 2;
  p->stride *= 2;
}

/* Every output goes into the trails, every stride-th one becomes a frame. */
apl_status apl_replay_add(apl_replay* p, double t, const double* row, apl_state* state) {
  const size_t npose = (size_t)p->nplace * POSE;
  float* now = p->pose + (size_t)p->most * npose;
  const apl_status st = apl_places_look(p->places, state, now);

  if (st != APL_OK) return st;
  if (!apl_trails_add(p->trails, t, now)) return APL_ERR_MEMORY;
  if (p->skip++ % p->stride != 0) return APL_OK;
  if (p->n == p->most) {
    thin(p);
    if ((p->skip - 1) % p->stride != 0) return APL_OK;
  }
  APL_ASSERT(p->n < p->most);
  p->time[p->n] = t;
  memcpy(p->pose + (size_t)p->n * npose, now, sizeof *now * npose);
  memcpy(p->row + (size_t)p->n * (size_t)p->nchannel, row, sizeof *row * (size_t)p->nchannel);
  ++p->n;
  return APL_OK;
}

/* ------------------------------------------------------------------------------------ JSON ---- */

static const char* word(const char* text) {
  return text == NULL ? "" : text;
}

static json_t* channels(const apl_replay* p) {
  json_t* list = json_array();
  double* column = malloc(sizeof *column * (size_t)(p->n + 1));

  for (int c = 1; column != NULL && c < p->nchannel; ++c) {
    for (int i = 0; i < p->n; ++i)
      column[i] = p->row[i * p->nchannel + c];
    apl_json_add(&list, json_pack("{s:s, s:s, s:s, s:o}", "name", p->channel[c].name, "unit",
                                  p->channel[c].unit, "text", word(p->channel[c].sentence),
                                  "values", apl_base64(column, sizeof *column * (size_t)p->n)));
  }
  if (column == NULL) apl_json_add(&list, NULL); /* a page is complete or not written at all */
  free(column);
  return list;
}

static json_t* lines(const apl_replay_words* w) {
  json_t* list = json_array();

  for (int i = 0; i < w->nline; ++i) {
    const apl_replay_line* l = &w->line[i];
    apl_json_add(&list, json_pack("{s:s, s:o, s:s}", "label", l->label, "value",
                                  l->text != NULL ? json_string(l->text) : json_real(l->value),
                                  "unit", l->unit));
  }
  return list;
}

static json_t* events(const apl_replay_words* w) {
  json_t* list = json_array();

  for (int i = 0; i < w->nevent; ++i) {
    apl_json_add(&list, json_pack("{s:f, s:s, s:s}", "t", w->event[i].t, "name", w->event[i].name,
                                  "text", w->event[i].text));
  }
  return list;
}

static json_t* warnings(const apl_replay_words* w) {
  json_t* list = json_array();

  for (int i = 0; i < w->nwarning; ++i)
    apl_json_add(&list, json_string(w->warning[i]));
  return list;
}

/* What could not be drawn is said among the warnings, once. */
static void add_faults(json_t* page) {
  json_t *warnings = json_object_get(page, "warnings"), *fault, *known;
  size_t i, k;

  json_array_foreach(json_object_get(page, "faults"), i, fault) {
    bool said = false;
    json_array_foreach(warnings, k, known) said = said || json_equal(known, fault);
    if (!said) json_array_append(warnings, fault);
  }
  json_object_del(page, "faults");
}

json_t* apl_replay_json(const apl_replay* p, json_t* pictures, const apl_replay_words* w) {
  const size_t n = (size_t)p->n;
  json_t* times = apl_base64(p->time, sizeof *p->time * n);
  json_t* page = json_pack(
      "{s:i, s:s, s:s, s:s, s:s, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:O, s:o}", "format", 1, "name",
      word(w->name), "description", word(w->description), "status", word(w->status), "model",
      word(w->model), "warnings", warnings(w), "outputs", p->skip, "summary", lines(w), "times",
      times, "poses", apl_base64(p->pose, sizeof *p->pose * n * (size_t)p->nplace * POSE),
      "channels", channels(p), "trails", p->stride > 1 ? apl_trails_json(p->trails) : json_array(),
      "rows", times, "events", events(w));

  if (json_object_update(page, pictures) != 0) {
    json_decref(page);
    page = NULL;
  }
  json_decref(pictures);
  add_faults(page);
  return page;
}

/* The JSON as text; takes ownership of it, and it may be NULL. */
static char* dump(json_t* page, apl_error* err) {
  const uint16_t one = 1;
  char* text = NULL;

  if (*(const unsigned char*)&one != 1) {
    apl_fail(err, APL_ERR_ARGUMENT, "pages are written on little-endian machines only");
  } else {
    text = page == NULL ? NULL : json_dumps(page, JSON_COMPACT);
    if (text == NULL)
      apl_fail(err, APL_ERR_MEMORY,
               "the page cannot be made: out of memory, or names that are not UTF-8");
  }
  json_decref(page);
  return text;
}

apl_status apl_replay_put(json_t* page, const char* path, apl_error* err) {
  apl_error mine = {0};
  char* text = dump(page, &mine);
  const apl_status st =
      text == NULL ? mine.status : apl_page_write(path, text, strlen(text), &mine);

  if (st != APL_OK && err != NULL) *err = mine;
  free(text);
  return st;
}

apl_status apl_replay_dress(apl_replay* p, const apl_file* file, apl_report* report) {
  json_decref(p->pictures);
  p->pictures = apl_pictures(p->model, file, report);
  return p->pictures == NULL ? APL_ERR_MEMORY : APL_OK;
}

char* apl_replay_pictures(const apl_replay* p) {
  return p->pictures == NULL ? NULL : json_dumps(p->pictures, JSON_COMPACT);
}

/* A reference of the caller; NULL without memory. */
static json_t* pictures(const apl_replay* p, const apl_file* file) {
  return p->pictures != NULL ? json_incref(p->pictures) : apl_pictures(p->model, file, NULL);
}

apl_status apl_replay_write(const apl_replay* p, const char* path, const apl_file* file,
                            const apl_replay_words* words, apl_error* err) {
  return apl_replay_put(apl_replay_json(p, pictures(p, file), words), path, err);
}

apl_status apl_replay_text(const apl_replay* p, const apl_file* file, const apl_replay_words* words,
                           const char* live, char** text, size_t* size, apl_error* err) {
  json_t* page = apl_replay_json(p, pictures(p, file), words);
  json_t* member = live == NULL ? json_null() : json_loads(live, 0, NULL);
  apl_error mine = {0};

  *text = NULL;
  apl_json_set(&page, "live", member);
  char* json = dump(page, &mine);
  const apl_status st =
      json == NULL ? mine.status : apl_page_text(json, strlen(json), text, size, &mine);
  if (st != APL_OK && err != NULL) *err = mine;
  free(json);
  return st;
}

char* apl_replay_frame(apl_replay* p, double t, const double* row, apl_state* state) {
  const size_t npose = (size_t)p->nplace * POSE;
  float* now = p->pose + (size_t)p->most * npose;
  if (apl_places_look(p->places, state, now) != APL_OK) return NULL;

  json_t* frame =
      json_pack("{s:f, s:o, s:o}", "t", t, "poses", apl_base64(now, sizeof *now * npose), "row",
                apl_base64(row, sizeof *row * (size_t)p->nchannel));
  char* text = frame == NULL ? NULL : json_dumps(frame, JSON_COMPACT);
  json_decref(frame);
  return text;
}
