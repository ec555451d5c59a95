/* page.c: docs/formats/page.md as JSON around the numbers of a run. Long runs are thinned to MOST
   frames, so that a page can be mailed. */
#include "cli/page.h"

#include "cli/pictures.h"

#include "record/places.h"
#include "record/trails.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST = 200, MOST = 2000, POSE = PLACE_POSE };
static const double BUDGET = 7e6; /* bytes of a page that frames may take */

struct cli_page {
  const apl_model* model;
  const apl_channel* channel;
  apl_places* places;
  apl_trails* trails;
  int nchannel;
  int nplace;
  int most;            /* frames that a page takes                                             */
  int n, stride, skip; /* frames kept; every stride-th output is kept; outputs so far          */
  double* time; /* [most]                                                                    */
  double* row;  /* [most * nchannel]                                                         */
  float* pose;  /* [(most + 1) * nplace * POSE], the last one as scratch                     */
};

/* So many that the page stays below 10 MB: numbers take 4/3 of their bytes there. */
static int most_frames(int nplace, int nchannel) {
  const double each = (double)nplace * POSE * sizeof(float) + (double)nchannel * sizeof(double);
  const double most = BUDGET / (4.0 / 3.0 * each);

  return most > MOST ? MOST : most < LEAST ? LEAST : (int)most;
}

cli_page* cli_page_new(const apl_model* model, const apl_channel* channel, int nchannel) {
  cli_page* p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;

  p->model = model;
  p->channel = channel;
  p->nchannel = nchannel;
  p->places = apl_places_new(model);
  p->trails = apl_trails_new(apl_model_nport(model));
  if (p->places == NULL || p->trails == NULL) {
    cli_page_free(p);
    return NULL;
  }
  p->nplace = apl_places_count(p->places);
  p->most = most_frames(p->nplace, nchannel);
  p->stride = 1;
  p->time = malloc(sizeof *p->time * (size_t)p->most);
  p->row = malloc(sizeof *p->row * (size_t)p->most * (size_t)nchannel);
  p->pose = malloc(sizeof *p->pose * (size_t)(p->most + 1) * POSE * (size_t)p->nplace);
  if (p->time == NULL || p->row == NULL || p->pose == NULL) {
    cli_page_free(p);
    return NULL;
  }
  return p;
}

void cli_page_free(cli_page* p) {
  if (p == NULL) return;
  apl_places_free(p->places);
  apl_trails_free(p->trails);
  free(p->time);
  free(p->row);
  free(p->pose);
  free(p);
}

/* ---------------------------------------------------------------------------------- frames ---- */

/* Keep every other frame. */
static void thin(cli_page* p) {
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
bool cli_page_add(cli_page* p, double t, const double* row, apl_state* state) {
  const size_t npose = (size_t)p->nplace * POSE;
  float* now = p->pose + (size_t)p->most * npose;

  if (apl_places_look(p->places, state, now) != APL_OK || !apl_trails_add(p->trails, t, now))
    return false;
  if (p->skip++ % p->stride != 0) return true;
  if (p->n == p->most) {
    thin(p);
    if ((p->skip - 1) % p->stride != 0) return true;
  }
  p->time[p->n] = t;
  memcpy(p->pose + (size_t)p->n * npose, now, sizeof *now * npose);
  memcpy(p->row + (size_t)p->n * (size_t)p->nchannel, row, sizeof *row * (size_t)p->nchannel);
  p->n += 1;
  return true;
}

/* ------------------------------------------------------------------------------------ JSON ---- */

static json_t* channels(const cli_page* p) {
  json_t* list = json_array();
  double* column = malloc(sizeof *column * (size_t)(p->n + 1));

  for (int c = 1; column != NULL && c < p->nchannel; ++c) {
    for (int i = 0; i < p->n; ++i)
      column[i] = p->row[i * p->nchannel + c];
    json_array_append_new(list,
                          json_pack("{s:s, s:s, s:s, s:o}", "name", p->channel[c].name, "unit",
                                    p->channel[c].unit, "text", p->channel[c].sentence, "values",
                                    apl_base64(column, sizeof *column * (size_t)p->n)));
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
  json_t* times = apl_base64(p->time, sizeof *p->time * n);
  json_t* page =
      json_pack("{s:i, s:s, s:s, s:s, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:O, s:o}", "format", 1,
                "name", words.name, "description", words.description, "status",
                words.status == NULL ? "" : words.status, "model", apl_file_text(file), "outputs",
                p->skip, "summary", words.summary, "times", times, "poses",
                apl_base64(p->pose, sizeof *p->pose * n * (size_t)(p->nplace * POSE)), "channels",
                channels(p), "trails", p->stride > 1 ? apl_trails_json(p->trails) : json_array(),
                "rows", times, "events", words.events);
  if (words.warnings != NULL) json_object_set_new(page, "warnings", words.warnings);
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
