/* SPDX-License-Identifier: Apache-2.0 */
/* modes_replay.c: the modes as motions, slowed down or sped up and with visible amplitudes, on a
   replay page. */
#include "cli/modes.h"

#include "analyse/modes.h"
#include "dynamics/extra.h"
#include "show/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Two swings of 1.6 s for each mode. */
enum { SWINGS = 2, FRAMES = 40 };
static const double PERIOD = 1.6, PI = 3.14159265358979323846;

typedef struct stage {
  const modes_found* f;
  apl_replay* replay;
  apl_channel* channel; /* time, then coordinates                                                */
  double *row, *X, *X0; /* poses of ports and sections: now, and in balance                       */
  int nport, nplace;
  double size; /* of the robot [m]                                                                */
  double t;
} stage;

static apl_status see(stage* s, double* X) {
  apl_status st = apl_poses(s->f->rest->model, s->f->state, X);

  X += 12 * s->nport;
  for (int i = 0; i < apl_model_count(s->f->rest->model, APL_LINKS) && st == APL_OK; ++i) {
    st = apl_sections(s->f->rest->model, s->f->state, i, X);
    X += 12 * apl_model_link_info(s->f->rest->model, i).sections;
  }
  return st;
}

/* The diagonal of the box around all places; 1 m for robots without extent. */
static double box(const stage* s) {
  double square = 0.0;

  for (int k = 9; k < 12; ++k) {
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    for (int i = 0; i < s->nplace; ++i) {
      least = fmin(least, s->X0[12 * i + k]);
      greatest = fmax(greatest, s->X0[12 * i + k]);
    }
    if (s->nplace > 0) square += (greatest - least) * (greatest - least);
  }
  return square > 1e-12 ? sqrt(square) : 1.0;
}

/* Displacement and rotation [rad] of the most moved place per unit of the shape. */
static apl_status reach(stage* s, int mode, double* far, double* turn) {
  const double h = 1e-5;

  *far = *turn = 0.0;
  for (int phase = 0; phase < 2; ++phase) {
    apl_status st = apl_modes_place(s->f->modes, mode, h, 0.5 * PI * phase, s->f->state);
    if (st == APL_OK) st = see(s, s->X);
    if (st != APL_OK) return st;
    for (int i = 0; i < s->nplace; ++i) {
      double moved = 0.0, turned = 0.0;
      for (int k = 0; k < 12; ++k) {
        const double d = s->X[12 * i + k] - s->X0[12 * i + k];
        *(k < 9 ? &turned : &moved) += d * d;
      }
      /* |R - 1|^2 = 4 (1 - cos a) = 2 a^2 */
      *far = fmax(*far, sqrt(moved) / h);
      *turn = fmax(*turn, sqrt(0.5 * turned) / h);
    }
  }
  return APL_OK;
}

/* Amplitude: the fraction `scale` of the robot's size, but no place rotates by more than 2.5 times
   that [rad], because small motions must look small. */
static apl_status amplitude(stage* s, int mode, double* size) {
  double far, turn;
  const apl_status st = reach(s, mode, &far, &turn);
  if (st != APL_OK) return st;

  const double scale = s->f->scale;
  const double a = far > 0.0 ? scale * s->size / far : HUGE_VAL;
  const double b = turn > 0.0 ? 2.5 * scale / turn : HUGE_VAL;
  *size = fmin(a, b);
  if (!isfinite(*size)) *size = 0.0; /* nothing is visible */
  return APL_OK;
}

/* Factor and phase of a motion of this kind at the fraction s of its time. */
static void pose_at(apl_mode_kind kind, double s, double* factor, double* phase) {
  const double swing = 2.0 * PI * SWINGS * s;

  *factor = 1.0;
  *phase = 0.0;
  if (kind == APL_MODE_RIGID) *factor = sin(swing);
  /* start at zero displacement, so that modes do not jump into each other */
  if (kind == APL_MODE_SWINGS || kind == APL_MODE_FLUTTERS) *phase = swing - 0.5 * PI;
  if (kind == APL_MODE_CREEPS) *factor = exp(-4.0 * s);
  if (kind == APL_MODE_FALLS) *factor = exp(4.0 * (s - 1.0));
}

/* What is said of one mode, on the time bar and beside the picture. */
typedef struct caption {
  char label[40], what[100], line[310], who[200];
} caption;

static apl_status add_mode(stage* s, int mode, caption* c) {
  const apl_mode m = apl_modes_at(s->f->modes, mode);
  const int nq = apl_model_nq(s->f->rest->model), n = SWINGS * FRAMES;
  double size;
  apl_status st = amplitude(s, mode, &size);
  if (st != APL_OK) return st;

  snprintf(c->label, sizeof c->label, "mode %d, %s", mode + 1, apl_mode_word(m.kind));
  modes_describe(&m, c->what, sizeof c->what);
  modes_who(s->f, mode, 4, c->who, sizeof c->who);
  snprintf(c->line, sizeof c->line, "%s%s%s", c->what, c->what[0] != '\0' ? "; " : "", c->who);
  for (int i = 0; i < n && st == APL_OK; ++i, s->t += PERIOD / FRAMES) {
    double factor, phase;
    pose_at(m.kind, (double)i / n, &factor, &phase);
    st = apl_modes_place(s->f->modes, mode, size * factor, phase, s->f->state);
    s->row[0] = s->t;
    memcpy(s->row + 1, apl_q(s->f->state), sizeof *s->row * (size_t)nq);
    if (st == APL_OK) st = apl_replay_add(s->replay, s->t, s->row, s->f->state);
  }
  return st;
}

static apl_status open_stage(stage* s) {
  const apl_model* m = s->f->rest->model;
  const int nq = apl_model_nq(m);

  s->nport = apl_model_count(m, APL_PORTS);
  s->nplace = s->nport;
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i)
    s->nplace += apl_model_link_info(m, i).sections;
  s->channel = calloc((size_t)nq + 1, sizeof *s->channel);
  s->row = calloc((size_t)nq + 1, sizeof *s->row);
  s->X = calloc(12 * (size_t)s->nplace + 1, sizeof *s->X);
  s->X0 = calloc(12 * (size_t)s->nplace + 1, sizeof *s->X0);
  if (s->channel == NULL || s->row == NULL || s->X == NULL || s->X0 == NULL) return APL_ERR_MEMORY;

  s->channel[0] = (apl_channel){"time", "s", "time"};
  for (int i = 0; i < nq; ++i) {
    s->channel[1 + i] = (apl_channel){apl_model_name(m, APL_COORDINATES, i),
                                      apl_model_unit(m, APL_COORDINATES, i), "coordinate"};
  }
  apl_status st = apl_replay_new(m, s->channel, nq + 1, &s->replay);
  if (st == APL_OK) st = see(s, s->X0);
  if (st == APL_OK) s->size = box(s);
  return st;
}

/* The page, once all modes stand on the stage. */
static bool write_page(const stage* s, const char* path, const caption* c, const double* begins,
                       int n) {
  apl_replay_line* line = calloc((size_t)n + 1, sizeof *line);
  apl_occurrence* event = calloc((size_t)n + 1, sizeof *event);
  apl_error err = {.text = "out of memory for the page"};
  char name[200];
  bool ok = line != NULL && event != NULL;

  snprintf(name, sizeof name, "%.150s: modes", apl_file_name(s->f->rest->file));
  for (int i = 0; i < n && ok; ++i) {
    const char* text = c[i].what[0] != '\0' ? c[i].what : c[i].who;
    line[i] = (apl_replay_line){.label = c[i].label, .text = c[i].line, .unit = ""};
    event[i] = (apl_occurrence){.t = begins[i], .name = c[i].label, .text = text};
  }
  const apl_replay_words words = {.name = name,
                                  .description =
                                      "small vibrations about an equilibrium, one mode after the "
                                      "other; speed and amplitude are chosen for display",
                                  .line = line,
                                  .nline = n,
                                  .event = event,
                                  .nevent = n};
  if (ok) {
    apl_report report = {0};
    ok = apl_replay_dress(s->replay, s->f->rest->file, &report) == APL_OK;
    cli_print_report("appell modes", &report);
  }
  ok = ok && apl_replay_write(s->replay, path, s->f->rest->file, &words, &err) == APL_OK;
  if (!ok) cli_complain(&err);
  free(line);
  free(event);
  return ok;
}

bool modes_replay(const modes_found* f, const char* path) {
  stage s = {.f = f};
  const int first = f->only < 0 ? 0 : f->only, end = f->only < 0 ? f->count : f->only + 1;
  caption* c = calloc((size_t)(end - first) + 1, sizeof *c);
  double* begins = calloc((size_t)(end - first) + 1, sizeof *begins);

  apl_status st = c != NULL && begins != NULL ? open_stage(&s) : APL_ERR_MEMORY;
  for (int i = first; i < end && st == APL_OK; ++i) {
    begins[i - first] = s.t;
    st = add_mode(&s, i, &c[i - first]);
  }
  if (st != APL_OK) fprintf(stderr, "appell: the page cannot be made: %s\n", apl_status_text(st));
  const bool ok = st == APL_OK && write_page(&s, path, c, begins, end - first);
  apl_replay_free(s.replay);
  free(c);
  free(begins);
  free(s.channel);
  free(s.row);
  free(s.X);
  free(s.X0);
  return ok;
}
