/* replay.c: docs/formats/page.md as JSON around the numbers of a run. Long runs are thinned to MOST
   frames, so that a page can be mailed. */
#include "appell/replay.h"

#include "appell/dynamics.h"
#include "base/assert.h"
#include "base/error.h"
#include "record/pictures.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, POSE = 7 };

struct apl_replay {
  const apl_model* model;
  const apl_channel* channel;
  int nchannel, nport;
  int nplace;          /* ports, then sections of bodies, then points of tendons */
  int n, stride, skip; /* frames kept; every stride-th output is kept; outputs since the last */
  double* time; /* [MOST]                                                                    */
  double* row;  /* [MOST * nchannel]                                                         */
  float* pose;  /* [MOST * nplace * POSE]                                                    */
  double* X;    /* [nplace * 12] scratch                                                     */
};

apl_status apl_replay_new(const apl_model* model, const apl_channel* channel, int nchannel,
                          apl_replay** out) {
  apl_replay* p = calloc(1, sizeof *p);

  *out = NULL;
  if (p == NULL) return APL_ERR_MEMORY;
  p->model = model;
  p->channel = channel;
  p->nchannel = nchannel;
  p->nport = apl_model_nport(model);
  p->nplace = p->nport;
  for (int i = 0; i < apl_model_nlink(model); ++i)
    p->nplace += apl_model_link_info(model, i).sections;
  for (int i = 0; i < apl_model_ntendon(model); ++i)
    p->nplace += apl_model_tendon_npoint(model, i);
  p->stride = 1;
  p->time = malloc(sizeof *p->time * MOST);
  p->row = malloc(sizeof *p->row * MOST * (size_t)nchannel);
  p->pose = malloc(sizeof *p->pose * MOST * POSE * (size_t)(p->nplace + 1));
  p->X = malloc(sizeof *p->X * 12 * (size_t)(p->nplace + 1));
  if (p->time == NULL || p->row == NULL || p->pose == NULL || p->X == NULL) {
    apl_replay_free(p);
    return APL_ERR_MEMORY;
  }
  *out = p;
  return APL_OK;
}

void apl_replay_free(apl_replay* p) {
  if (p == NULL) return;
  free(p->time);
  free(p->row);
  free(p->pose);
  free(p->X);
  free(p);
}

/* ---------------------------------------------------------------------------------- frames ---- */

/* n poses of p->X */
static float* put_poses(const apl_replay* p, int n, float* out) {
  for (int i = 0; i < n; ++i, out += POSE) {
    const double* X = p->X + 12 * i;
    for (int k = 0; k < 3; ++k)
      out[k] = (float)X[9 + k];
    const apl_quat q = apl_quat_of_matrix(X);
    out[3] = (float)q.w, out[4] = (float)q.x, out[5] = (float)q.y, out[6] = (float)q.z;
  }
  return out;
}

/* Ports, sections, points of tendons, which have no axes of their own. */
static apl_status add_places(apl_replay* p, apl_state* state, float* out) {
  apl_status st = apl_poses(p->model, state, p->X);

  if (st == APL_OK) out = put_poses(p, p->nport, out);
  for (int i = 0; i < apl_model_nlink(p->model) && st == APL_OK; ++i) {
    st = apl_sections(p->model, state, i, p->X);
    if (st == APL_OK) out = put_poses(p, apl_model_link_info(p->model, i).sections, out);
  }
  for (int i = 0; i < apl_model_ntendon(p->model) && st == APL_OK; ++i) {
    const int n = apl_model_tendon_npoint(p->model, i);
    st = apl_tendon_points(p->model, state, i, p->X);
    for (int k = 0; k < n && st == APL_OK; ++k, out += POSE) {
      const float pose[POSE] = {(float)p->X[3 * k], (float)p->X[3 * k + 1], (float)p->X[3 * k + 2],
                                1.0f};
      memcpy(out, pose, sizeof pose);
    }
  }
  return st;
}

/* Keep every other frame. */
static void thin(apl_replay* p) {
  const size_t nrow = (size_t)p->nchannel, npose = (size_t)(p->nplace * POSE);

  for (int i = 0; 2 * i < p->n; ++i) {
    p->time[i] = p->time[2 * i];
    memmove(p->row + (size_t)i * nrow, p->row + 2 * (size_t)i * nrow, sizeof *p->row * nrow);
    memmove(p->pose + (size_t)i * npose, p->pose + 2 * (size_t)i * npose, sizeof *p->pose * npose);
  }
  p->n = (p->n + 1) / 2;
  p->stride *= 2;
}

apl_status apl_replay_add(apl_replay* p, double t, const double* row, apl_state* state) {
  if (p->skip++ % p->stride != 0) return APL_OK;
  if (p->n == MOST) {
    thin(p);
    if ((p->skip - 1) % p->stride != 0) return APL_OK;
  }
  APL_ASSERT(p->n < MOST);
  const apl_status st =
      add_places(p, state, p->pose + (size_t)p->n * (size_t)p->nplace * (size_t)POSE);
  if (st != APL_OK) return st;

  p->time[p->n] = t;
  memcpy(p->row + (size_t)p->n * (size_t)p->nchannel, row, sizeof *row * (size_t)p->nchannel);
  ++p->n;
  return APL_OK;
}

/* ------------------------------------------------------------------------------------ JSON ---- */

/* little-endian bytes as base64; this program runs on little-endian machines (apl_replay_write()
 * checks it) */
static json_t* base64(const void* data, size_t n) {
  static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned char* in = data;
  char* text = malloc((n + 2) / 3 * 4 + 1);
  size_t k = 0;
  if (text == NULL) return NULL;

  for (size_t i = 0; i < n; i += 3) {
    const unsigned left = n - i > 2 ? 3u : (unsigned)(n - i);
    const uint32_t b = (uint32_t)in[i] << 16 | (left > 1 ? (uint32_t)in[i + 1] << 8 : 0) |
                       (left > 2 ? (uint32_t)in[i + 2] : 0);
    text[k++] = digit[b >> 18];
    text[k++] = digit[b >> 12 & 63];
    text[k++] = left > 1 ? digit[b >> 6 & 63] : '=';
    text[k++] = left > 2 ? digit[b & 63] : '=';
  }
  text[k] = '\0';
  json_t* out = json_string(text);
  free(text);
  return out;
}

static json_t* channels(const apl_replay* p) {
  json_t* list = json_array();
  double* column = malloc(sizeof *column * (size_t)(p->n + 1));
  bool ok = column != NULL;

  for (int c = 1; ok && c < p->nchannel; ++c) {
    for (int i = 0; i < p->n; ++i)
      column[i] = p->row[i * p->nchannel + c];
    ok = json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", p->channel[c].name,
                                               "unit", p->channel[c].unit, "values",
                                               base64(column, sizeof *column * (size_t)p->n))) == 0;
  }
  free(column);
  if (ok) return list;
  json_decref(list); /* a page lacks nothing, or there is none */
  return NULL;
}

static json_t* lines(const apl_replay_words* w) {
  json_t* list = json_array();

  for (int i = 0; i < w->nline; ++i) {
    const apl_replay_line* l = &w->line[i];
    json_array_append_new(list,
                          json_pack("{s:s, s:o, s:s}", "label", l->label, "value",
                                    l->text != NULL ? json_string(l->text) : json_real(l->value),
                                    "unit", l->unit));
  }
  return list;
}

static json_t* events(const apl_replay_words* w) {
  json_t* list = json_array();

  for (int i = 0; i < w->nevent; ++i) {
    json_array_append_new(list, json_pack("{s:f, s:s, s:s}", "t", w->event[i].t, "name",
                                          w->event[i].name, "text", w->event[i].text));
  }
  return list;
}

/* All of it; NULL without memory, or for names that are not UTF-8. */
static char* dump(const apl_replay* p, const apl_file* file, const apl_replay_words* words) {
  const size_t n = (size_t)p->n;
  json_t* times = base64(p->time, sizeof *p->time * n);
  json_t* page =
      json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:O, s:o}", "format", 1, "name", words->name,
                "description", words->description, "summary", lines(words), "times", times, "poses",
                base64(p->pose, sizeof *p->pose * n * (size_t)(p->nplace * POSE)), "channels",
                channels(p), "rows", times, "events", events(words));
  json_t* pictures = apl_pictures(p->model, file);
  char* text = json_object_update(page, pictures) == 0 ? json_dumps(page, JSON_COMPACT) : NULL;

  json_decref(pictures);
  json_decref(page);
  return text;
}

apl_status apl_replay_write(const apl_replay* p, const char* path, const apl_file* file,
                            const apl_replay_words* words, apl_error* err) {
  const uint16_t one = 1;
  if (*(const unsigned char*)&one != 1) {
    return apl_fail(err, APL_ERR_ARGUMENT, "pages are written on little-endian machines only");
  }
  char* text = dump(p, file, words);
  if (text == NULL) {
    return apl_fail(err, APL_ERR_MEMORY,
                    "the page cannot be made: out of memory, or names that are not UTF-8");
  }
  const apl_status st = apl_page_write(path, text, strlen(text), err);
  free(text);
  return st;
}
