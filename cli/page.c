/* page.c: docs/formats/page.md as JSON around the numbers of a run. Long runs are thinned to MOST
   frames, so that a page can be mailed. */
#include "cli/page.h"

#include "cli/pictures.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2000, POSE = 7 };

struct cli_page {
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

cli_page* cli_page_new(const apl_model* model, const apl_channel* channel, int nchannel) {
  cli_page* p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;

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
    cli_page_free(p);
    return NULL;
  }
  return p;
}

void cli_page_free(cli_page* p) {
  if (p == NULL) return;
  free(p->time);
  free(p->row);
  free(p->pose);
  free(p->X);
  free(p);
}

/* ---------------------------------------------------------------------------------- frames ---- */

/* Quaternion of a rotation matrix, by its largest component. */
static void quaternion(const double* R, float* q) {
  const double t[4] = {R[0] + R[4] + R[8], R[0] - R[4] - R[8], R[4] - R[0] - R[8],
                       R[8] - R[0] - R[4]};
  double w[4];
  int k = 0;

  for (int i = 1; i < 4; ++i) {
    if (t[i] > t[k]) k = i;
  }
  const double s = sqrt(1.0 + t[k]), r = 0.5 / s;
  w[k] = 0.5 * s;
  const double a = (R[7] - R[5]) * r, b = (R[2] - R[6]) * r, c = (R[3] - R[1]) * r;
  const double xy = (R[1] + R[3]) * r, xz = (R[2] + R[6]) * r, yz = (R[5] + R[7]) * r;
  if (k == 0) w[1] = a, w[2] = b, w[3] = c;
  if (k == 1) w[0] = a, w[2] = xy, w[3] = xz;
  if (k == 2) w[0] = b, w[1] = xy, w[3] = yz;
  if (k == 3) w[0] = c, w[1] = xz, w[2] = yz;
  for (int i = 0; i < 4; ++i)
    q[i] = (float)w[i];
}

/* n poses of p->X */
static float* put_poses(const cli_page* p, int n, float* out) {
  for (int i = 0; i < n; ++i, out += POSE) {
    const double* X = p->X + 12 * i;
    for (int k = 0; k < 3; ++k)
      out[k] = (float)X[9 + k];
    quaternion(X, out + 3);
  }
  return out;
}

/* Ports, sections, points of tendons, which have no axes of their own. */
static bool add_places(cli_page* p, apl_state* state, float* out) {
  if (apl_poses(p->model, state, p->X) != APL_OK) return false;
  out = put_poses(p, p->nport, out);
  for (int i = 0; i < apl_model_nlink(p->model); ++i) {
    if (apl_sections(p->model, state, i, p->X) != APL_OK) return false;
    out = put_poses(p, apl_model_link_info(p->model, i).sections, out);
  }
  for (int i = 0; i < apl_model_ntendon(p->model); ++i) {
    const int n = apl_model_tendon_npoint(p->model, i);
    if (apl_tendon_points(p->model, state, i, p->X) != APL_OK) return false;
    for (int k = 0; k < n; ++k, out += POSE) {
      const float pose[POSE] = {(float)p->X[3 * k], (float)p->X[3 * k + 1], (float)p->X[3 * k + 2],
                                1.0f};
      memcpy(out, pose, sizeof pose);
    }
  }
  return true;
}

/* Keep every other frame. */
static void thin(cli_page* p) {
  const size_t nrow = (size_t)p->nchannel, npose = (size_t)(p->nplace * POSE);

  for (int i = 0; 2 * i < p->n; ++i) {
    p->time[i] = p->time[2 * i];
    memmove(p->row + (size_t)i * nrow, p->row + 2 * (size_t)i * nrow, sizeof *p->row * nrow);
    memmove(p->pose + (size_t)i * npose, p->pose + 2 * (size_t)i * npose, sizeof *p->pose * npose);
  }
  p->n = (p->n + 1) / 2;
  p->stride *= 2;
}

bool cli_page_add(cli_page* p, double t, const double* row, apl_state* state) {
  if (p->skip++ % p->stride != 0) return true;
  if (p->n == MOST) {
    thin(p);
    if ((p->skip - 1) % p->stride != 0) return true;
  }
  if (!add_places(p, state, p->pose + (size_t)(p->n * p->nplace * POSE))) return false;

  p->time[p->n] = t;
  memcpy(p->row + (size_t)(p->n * p->nchannel), row, sizeof *row * (size_t)p->nchannel);
  p->n += 1;
  return true;
}

/* ------------------------------------------------------------------------------------ JSON ---- */

/* little-endian bytes as base64; this program runs on little-endian machines (checked below) */
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

static json_t* channels(const cli_page* p) {
  json_t* list = json_array();
  double* column = malloc(sizeof *column * (size_t)(p->n + 1));

  for (int c = 1; column != NULL && c < p->nchannel; ++c) {
    for (int i = 0; i < p->n; ++i)
      column[i] = p->row[i * p->nchannel + c];
    json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", p->channel[c].name, "unit",
                                          p->channel[c].unit, "values",
                                          base64(column, sizeof *column * (size_t)p->n)));
  }
  free(column);
  return list;
}

json_t* cli_page_summary(const apl_run_report* r) {
  return json_pack("[{s:s, s:f, s:s}, {s:s, s:I, s:s}, {s:s, s:I, s:s}, {s:s, s:f, s:s}]", "label",
                   "simulated time", "value", r->t, "unit", "s", "label", "steps", "value",
                   (json_int_t)r->steps, "unit", "", "label", "evaluations", "value",
                   (json_int_t)r->evaluations, "unit", "", "label", "ledger error (relative)",
                   "value", r->relative, "unit", "");
}

json_t* cli_page_impacts(const apl_model* m, const cli_impacts* impacts) {
  json_t* list = json_array();
  char text[200];

  for (int i = 0; i < impacts->n; ++i) {
    cli_impact_text(&impacts->list[i], text, sizeof text);
    json_array_append_new(list, json_pack("{s:f, s:s, s:s}", "t", impacts->list[i].start, "name",
                                          apl_model_contact_name(m, impacts->list[i].contact),
                                          "text", text));
  }
  return list;
}

bool cli_page_write(const cli_page* p, const char* path, const apl_file* file,
                    cli_page_words words) {
  const uint16_t one = 1;
  if (*(const unsigned char*)&one != 1) {
    fprintf(stderr, "appell: pages are written on little-endian machines only\n");
    return false;
  }
  const size_t n = (size_t)p->n;
  json_t* times = base64(p->time, sizeof *p->time * n);
  json_t* page =
      json_pack("{s:i, s:s, s:s, s:o, s:o, s:o, s:o, s:O, s:o}", "format", 1, "name", words.name,
                "description", words.description, "summary", words.summary, "times", times, "poses",
                base64(p->pose, sizeof *p->pose * n * (size_t)(p->nplace * POSE)), "channels",
                channels(p), "rows", times, "events", words.events);
  json_t* pictures = cli_pictures(p->model, file);
  if (json_object_update(page, pictures) != 0) {
    json_decref(page);
    page = NULL;
  }
  json_decref(pictures);
  char* text = page == NULL ? NULL : json_dumps(page, JSON_COMPACT);
  apl_error err = {0};
  bool ok = false;

  if (text == NULL) {
    fprintf(stderr,
            "appell: the page cannot be made: out of memory, or names that are not UTF-8\n");
  } else {
    ok = apl_page_write(path, text, strlen(text), &err) == APL_OK;
    if (!ok) cli_complain(&err);
  }
  free(text);
  json_decref(page);
  return ok;
}
