/* SPDX-License-Identifier: Apache-2.0 */
/* rig.c: see rig.h. */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "papers/rig.h"

#include "appell/analyse.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_SETTINGS = 12 };

/* ------------------------------------------------------------------------------- loading ---- */

static const rig_text* find_text(const char* name) {
  for (const rig_text* m = apl_rig_models; m->name != NULL; ++m) {
    if (strcmp(m->name, name) == 0) return m;
  }
  return NULL;
}

/* "a=1; b=2" in place into its parts. */
static int split(char* text, const char** part) {
  int n = 0;

  for (char* at = text; at != NULL && n < MOST_SETTINGS;) {
    char* end = strchr(at, ';');
    if (end != NULL) *end++ = '\0';
    at += strspn(at, " ");
    if (*at != '\0') part[n++] = at;
    at = end;
  }
  return n;
}

static apl_status load(rig* r, const rig_text* m, const char* const* set, int nset,
                       apl_report* report) {
  apl_load_options o = apl_load_options_default();

  o.set = set;
  o.nset = nset;
  apl_status st = apl_file_parse((const char*)m->text, m->size, &o, &r->file, report);
  if (st == APL_OK) st = apl_file_model(r->file, &r->model, report);
  return st;
}

apl_status apl_rig_open(rig* r, apl_error* err, const char* name, const char* format, ...) {
  const rig_text* m = find_text(name);
  const char* set[MOST_SETTINGS];
  apl_report report = {0};
  char text[500];
  va_list args;

  *r = (rig){0};
  if (m == NULL) return apl_fail(err, APL_ERR_ARGUMENT, "there is no model '%s' inside", name);
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);

  apl_status st = load(r, m, set, split(text, set), &report);
  if (st != APL_OK) {
    apl_rig_close(r);
    return apl_fail(err, st, "%s: %s", name, report.item[0].text);
  }
  r->tip = apl_model_find(r->model, APL_PORTS, "rod.tip");
  st = apl_system_new(r->model, &r->system, err);
  if (st != APL_OK) apl_rig_close(r);
  return st;
}

void apl_rig_close(rig* r) {
  apl_system_free(r->system);
  apl_model_free(r->model);
  apl_file_free(r->file);
  *r = (rig){0};
}

/* ------------------------------------------------------------------------------- running ---- */

apl_status apl_rig_start(rig* r, apl_run_options* o, apl_error* err) {
  apl_report report = {0};

  apl_system_free(r->system);
  const apl_status st = apl_file_system(r->file, r->model, APL_READY, &r->system, &report);
  *o = apl_file_options(r->file);
  return st == APL_OK ? st : apl_fail(err, st, "%s", report.item[0].text);
}

typedef struct watcher {
  const rig* rig;
  rig_path* path;
  int room;
  double first; /* energy at the start */
} watcher;

static apl_status watch(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                        void* user) {
  watcher* w = user;
  rig_path* p = w->path;
  double pose[12];
  (void)y;

  if (p->n == w->room) return APL_OK;
  apl_state* s = apl_system_state(system);
  const apl_status st = apl_port_pose(w->rig->model, s, w->rig->tip, pose);
  if (p->n == 0) w->first = ledger->kinetic + ledger->potential;
  p->t[p->n] = t;
  p->x[p->n] = pose[9];
  p->y[p->n] = pose[10];
  p->z[p->n] = pose[11];
  memcpy(p->q + p->n * p->nq, apl_q(s), sizeof *p->q * (size_t)p->nq);
  memcpy(p->v + p->n * p->nv, apl_v(s), sizeof *p->v * (size_t)p->nv);
  p->kinetic = fmax(p->kinetic, ledger->kinetic);
  p->drift = fmax(p->drift, fabs(ledger->kinetic + ledger->potential - w->first));
  ++p->n;
  return st;
}

apl_status apl_rig_run(rig* r, rig_path* out, apl_error* err) {
  apl_run_options o;
  apl_run_report report;

  *out = (rig_path){.nq = apl_model_nq(r->model), .nv = apl_model_nv(r->model)};
  const apl_status st = apl_rig_start(r, &o, err);
  if (st != APL_OK) return st;
  watcher w = {.rig = r, .path = out, .room = (int)lround(o.to / o.output_every) + 2};
  out->t = calloc((size_t)w.room * (size_t)(4 + out->nq + out->nv), sizeof *out->t);
  if (out->t == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a path");
  out->x = out->t + w.room;
  out->y = out->x + w.room;
  out->z = out->y + w.room;
  out->q = out->z + w.room;
  out->v = out->q + w.room * out->nq;
  o.output = watch;
  o.user = &w;
  return apl_run(r->system, &o, &report, err);
}

void apl_rig_path_free(rig_path* path) {
  free(path->t);
  *path = (rig_path){0};
}

double apl_rig_distance(const rig_path* a, const rig_path* b) {
  double most = 0.0;

  for (int i = 0; i < a->n && i < b->n; ++i)
    most = fmax(most, hypot(a->x[i] - b->x[i], a->z[i] - b->z[i]));
  return most;
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

apl_status apl_rig_time(rig* r, double* wall, long* steps, apl_error* err) {
  const double began = seconds();

  /* the shortest of several, to reduce the influence of other load on the machine */
  *wall = HUGE_VAL;
  for (int i = 0; i < 8 || (i < 100 && seconds() - began < 0.05); ++i) {
    apl_run_options o;
    apl_run_report report;
    apl_status st = apl_rig_start(r, &o, err);
    o.output_every = 0.0;
    const double t = seconds();
    if (st == APL_OK) st = apl_run(r->system, &o, &report, err);
    if (st != APL_OK) return st;
    *wall = fmin(*wall, seconds() - t);
    if (steps != NULL) *steps = report.steps;
  }
  return APL_OK;
}

/* ------------------------------------------------------------------------------ crossing ---- */

typedef struct crossing {
  int coordinate;
  double t;
} crossing;

static double coordinate_value(double t, apl_system* system, void* user) {
  (void)t;
  return apl_q(apl_system_state(system))[((crossing*)user)->coordinate];
}

static apl_action take_time(double t, apl_system* system, void* user) {
  (void)system;
  ((crossing*)user)->t = t;
  return APL_STOP_HERE;
}

apl_status apl_rig_crossing(rig* r, int coordinate, double* t, apl_error* err) {
  crossing c = {coordinate, nan("")};
  const apl_event event = {
      .name = "crossing", .g = coordinate_value, .action = take_time, .direction = -1, .user = &c};
  apl_run_options o;
  apl_run_report report;

  apl_status st = apl_rig_start(r, &o, err);
  o.event = &event;
  o.nevent = 1;
  o.output_every = 0.0;
  if (st == APL_OK) st = apl_run(r->system, &o, &report, err);
  *t = c.t;
  if (st == APL_OK && isnan(c.t)) {
    st = apl_fail(err, APL_ERR_INTEGRATOR, "the coordinate does not fall through zero");
  }
  return st;
}
