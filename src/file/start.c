/* SPDX-License-Identifier: Apache-2.0 */
/* start.c: the initial state, from the block `start`: coordinates and velocities by name,
   {arm.joint.angle: 10 deg, arm.joint.angle.rate: 1 rad/s}. With {from: earlier.h5} it is the
   last row of an earlier result, in which the other keys replace values. Values in {near: ..}
   are guesses, which closing the loops may change (file/loops.c). With {equilibrium: true} the
   coordinates are a first guess for analyse/settle.c. */
#include "file/drive.h"

#include "appell/dynamics.h"
#include "appell/result.h"

#include "base/nearest.h"
#include "couple/near.h"
#include "dynamics/contact_state.h"
#include "model/model_impl.h"
#include "model/info.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rate[] = ".rate";

/* ----------------------------------------------------------------------- earlier results ---- */

/* Access to an earlier result. */
typedef struct earlier {
  const apl_model* model;
  const spec_start* start;
  form_reader* form;
  apl_result* result;
  double* row; /* the last one                                                                   */
} earlier;

/* The value or guess that the block gives for a name; NULL if there is none. */
static const spec_value* value_of(const spec_start* start, const char* name) {
  for (int i = 0; i < start->nvalue; ++i) {
    if (strcmp(start->value[i].name, name) == 0) return &start->value[i];
  }
  for (int i = 0; i < start->nnear; ++i) {
    if (strcmp(start->near[i].name, name) == 0) return &start->near[i];
  }
  return NULL;
}

/* Does the block itself give this value? */
static bool overridden(const earlier* e, const char* name, bool velocity) {
  char key[160];

  if (value_of(e->start, name) != NULL &&
      (!velocity || apl_model_find(e->model, APL_COORDINATES, name) < 0))
    return true;
  snprintf(key, sizeof key, "%.150s%s", name, rate);
  return velocity && value_of(e->start, key) != NULL;
}

/* One number of the last row, by the name of its channel. */
static void take(const earlier* e, const char* name, bool velocity, const char* unit, double* out) {
  char channel[160];

  snprintf(channel, sizeof channel, "%.150s%s", name, velocity ? rate : "");
  const int k = apl_result_find(e->result, channel);
  const char* its_unit = k < 0 ? unit : apl_result_channel(e->result, k)->unit;
  if (k < 0 && overridden(e, name, velocity)) return;
  if (k < 0) {
    apl_form_refuse(e->form, e->start->from_at, "from",
                    "the result has no channel '%.80s': it belongs to another robot, or `start` "
                    "must give this value",
                    channel);
  } else if (strcmp(its_unit, unit) != 0) {
    apl_form_refuse(e->form, e->start->from_at, "from",
                    "channel '%.80s' of the result is in %s, not %s", channel, its_unit, unit);
  } else {
    *out = e->row[k];
  }
}

static void read_last_row(earlier* e, double* q, double* v) {
  const apl_model* m = e->model;
  const int rows = apl_result_rows(e->result);
  apl_error err = {0};

  e->row = calloc((size_t)apl_result_channels(e->result) + 1, sizeof *e->row);
  if (e->row == NULL) {
    apl_form_refuse(e->form, e->start->from_at, "from", "out of memory");
  } else if (rows < 1) {
    apl_form_refuse(e->form, e->start->from_at, "from", "the result has no rows yet");
  } else if (apl_result_read(e->result, rows - 1, 1, e->row, &err) != APL_OK) {
    apl_form_refuse(e->form, e->start->from_at, "from", "%.180s", err.text);
  } else {
    for (int i = 0; i < m->nq; ++i)
      take(e, m->q_name[i], false, m->q_unit[i], &q[i]);
    for (int i = 0; i < m->nv; ++i)
      take(e, m->v_name[i], true, m->v_unit[i], &v[i]);
  }
  free(e->row);
}

static void start_from(const apl_file* file, earlier* e, double* q, double* v) {
  char path[APL_REACH_PATH];
  apl_error err = {0};

  if (apl_reach_file(&file->reach, e->start->from, path, &err) != APL_OK ||
      apl_result_open(path, &e->result, &err) != APL_OK) {
    apl_form_refuse(e->form, e->start->from_at, "from", "%.180s", err.text);
  } else {
    read_last_row(e, q, v);
    apl_result_free(e->result);
  }
}

/* -------------------------------------------------------------------------------- values ---- */

static void unknown_name(const apl_model* m, const spec_value* entry, form_reader* r) {
  apl_nearest near = {.word = entry->name};
  char hint[96];

  apl_nearest_offer(&near, "from");
  apl_nearest_offer(&near, "equilibrium");
  apl_nearest_offer(&near, "near");
  for (int i = 0; i < m->nq; ++i)
    apl_nearest_offer(&near, m->q_name[i]);
  for (int i = 0; i < m->nv; ++i)
    apl_nearest_offer(&near, m->v_name[i]);
  apl_form_refuse(r, entry->at, entry->name, "the robot has no such coordinate or velocity%s",
                  apl_nearest_text(&near, hint));
}

int apl_file_velocity(const apl_model* m, const char* key) {
  const size_t n = strlen(key), k = sizeof rate - 1;
  const bool marked = n > k && strcmp(key + n - k, rate) == 0;
  char name[256];

  snprintf(name, sizeof name, "%.*s", (int)(marked ? n - k : n), key);
  return apl_model_find(m, APL_VELOCITIES, name);
}

/* Refuse deformations above the largest meaningful magnitude, one turn of an element. `at` is
   the place of the number in the file. */
static void check_most(const apl_model* m, form_reader* r, apl_mark at, int i, double value) {
  if (fabs(value) <= m->most[i]) return;
  apl_form_refuse(
      r, at, m->q_name[i],
      "%.6g %s is too large for one element, which may have at most %.6g %s: use more elements",
      value, m->q_unit[i], m->most[i], m->q_unit[i]);
}

/* The place in the file that a coordinate has its value from: its key, `from`, or `rest` of the
   link. */
static apl_mark place_of(const apl_model* m, const spec_start* start, int coordinate) {
  const spec_value* given = value_of(start, m->q_name[coordinate]);

  if (given != NULL) return given->value.at;
  if (start->from != NULL) return start->from_at;
  for (int i = 0; i < m->nlink; ++i) {
    const int k = coordinate - m->link[i].q0;
    if (k >= 0 && k < m->link[i].nq) return m->link_mark[i];
  }
  return (apl_mark){0};
}

/* Refuse a start at a singular position of a joint, at the place of the value that causes it. */
static void refuse_singular(const apl_model* m, const spec_start* start, const double* q,
                            form_reader* r) {
  apl_error err = {0};
  const int i = apl_model_singular(m, q, &err);

  if (i >= 0) apl_form_refuse(r, place_of(m, start, i), m->q_name[i], "%.200s", err.text);
}

/* The place to report: the block `start`, or the entry of `collide` if there is none. */
static void refuse_overlap(const apl_model* m, const spec_start* start, const near_place* deep,
                           form_reader* r) {
  const apl_touch_group* g = &m->group[deep->group];

  apl_form_refuse(r, start->at.line == 0 ? (apl_mark){g->line, g->column} : start->at, g->name,
                  "shapes '%s' and '%s' overlap by %.4g m, more than its start-depth %g m",
                  m->solid_name[deep->solid[0]], m->solid_name[deep->solid[1]], deep->depth,
                  m->par[m->pair[g->slot0].par + PAIR_DEPTH]);
}

/* Index of the coordinate z of the floating base that carries a link; -1 if there is none. */
static int height_of(const apl_model* m, int link) {
  while (link >= 0 && m->link[link].parent >= 0)
    link = m->link[link].parent;
  return link >= 0 && strcmp(m->link[link].joint, "floating") == 0 ? m->link[link].q0 + 2 : -1;
}

/* The value of z at which a contact just touches its ground, z + depth / n_z; false if there is
   none. */
static bool clearing(const apl_model* m, int pair, const double* q, double depth, int* z,
                     double* value) {
  const apl_contact_info c = apl_model_contact_info(m, pair);
  *z = c.port < 0 ? -1 : height_of(m, m->port[c.port].link);
  if (*z < 0 || !(fabs(c.normal.z) > 0.1)) return false;

  *value = q[*z] + depth / c.normal.z;
  return true;
}

/* {settle: true}: floating bases are moved up or down until their deepest contact just touches. */
static void settle_on_ground(const apl_model* m, const spec_start* start, double* q,
                             form_reader* r) {
  apl_state* s;
  if (!start->settle) return;
  if (apl_state_new(m, APL_SCALAR, &s) != APL_OK) {
    apl_form_refuse(r, start->settle_at, "settle", "out of memory");
    return;
  }
  double *best = calloc((size_t)m->nq + 1, sizeof *best), top = -HUGE_VAL;
  bool any = false;
  memcpy(apl_q(s), q, sizeof *q * (size_t)m->nq);
  const bool ok = best != NULL && apl_contacts(m, s) == APL_OK;
  for (int i = 0; i < m->nq && ok; ++i)
    best[i] = top;
  for (int i = 0; i < m->npair && ok; ++i) {
    int z;
    double value;
    if (m->pair[i].pressed || !clearing(m, i, q, apl_state_contact(s, i)->depth, &z, &value))
      continue;
    best[z] = fmax(best[z], value);
    any = true;
  }
  for (int i = 0; i < m->nq && ok; ++i) {
    if (best[i] > top) q[i] = best[i];
  }
  free(best);
  apl_state_free(s);
  if (!any)
    apl_form_refuse(r, start->settle_at, "settle",
                    "there is no floating base with contacts above a ground; a URDF needs "
                    "--base floating and --floor LAW, or `base: floating` and `floor: LAW` where "
                    "it is included");
}

/* Report the deepest point, the number of other points that are too deep, and a value that
   clears all of them. */
static void refuse_point(const apl_model* m, const spec_start* start, const double* q, int pair,
                         double depth, int others, form_reader* r) {
  char help[200] = "", more[48] = "";
  int z;
  double value;

  if (clearing(m, pair, q, depth, &z, &value)) {
    snprintf(help, sizeof help,
             "; %.80s = %.6g m clears it (now %.6g m), and so does start.settle (--settle)",
             m->q_name[z], ceil(1e4 * value) / 1e4, q[z]);
  }
  if (others > 0)
    snprintf(more, sizeof more, " (and %d other point%s)", others, others == 1 ? "" : "s");
  apl_form_refuse(r, start->at.line == 0 ? (apl_mark){1, 1} : start->at, m->pair_name[pair],
                  "starts %.4g m deep in the ground, deeper than its start-depth %g m%s%s", depth,
                  m->par[m->pair[pair].par + PAIR_DEPTH], more, help);
}

/* Refuse a start with contacts deeper in the ground than its `start-depth`. */
static void refuse_deep(const apl_model* m, const spec_start* start, const double* q,
                        form_reader* r) {
  apl_state* s;
  int deepest = -1, count = 0;
  double most = 0.0;
  if (m->npair == 0 || apl_state_new(m, APL_SCALAR, &s) != APL_OK) return;

  memcpy(apl_q(s), q, sizeof *q * (size_t)m->nq);
  const apl_status st = apl_contacts(m, s);
  for (int i = 0; i < m->npair && st == APL_OK; ++i) {
    const double depth = apl_state_contact(s, i)->depth;
    if (m->pair[i].pressed || !(depth > m->par[m->pair[i].par + PAIR_DEPTH])) continue;
    if (deepest < 0 || depth > most) deepest = i, most = depth;
    ++count;
  }
  if (deepest >= 0) refuse_point(m, start, q, deepest, most, count - 1, r);
  apl_near near;
  near_place deep;
  if (m->nslot > 0 && apl_near_new(m, &near) == APL_OK) {
    if (apl_near_overlap(&near, m, s, &deep)) refuse_overlap(m, start, &deep, r);
    apl_near_free(&near);
  }
  apl_state_free(s);
}

/* One entry of the block. */
static void start_value(const apl_model* m, const spec_value* entry, double* q, double* v,
                        form_reader* r) {
  const int i = apl_model_find(m, APL_COORDINATES, entry->name);
  const int j = i >= 0 ? -1 : apl_file_velocity(m, entry->name);

  if (i >= 0) {
    if (apl_quantity_form(r, entry->name, &entry->value, m->q_unit[i], &q[i]))
      check_most(m, r, entry->value.at, i, q[i]);
  } else if (j >= 0) {
    apl_quantity_form(r, entry->name, &entry->value, m->v_unit[j], &v[j]);
  } else {
    unknown_name(m, entry, r);
  }
}

apl_status apl_file_guess(const apl_file* file, const apl_model* m, double* q, double* v,
                          apl_report* report) {
  const spec_start* start = &file->spec->start;
  form_reader r = {.report = report, .where = "start."};
  const int before = report->count;

  memcpy(q, m->neutral, sizeof *q * (size_t)m->nq);
  memset(v, 0, sizeof *v * (size_t)m->nv);
  /* first the earlier result, then the values that replace it */
  if (start->from != NULL) {
    earlier e = {.model = m, .start = start, .form = &r};
    start_from(file, &e, q, v);
    for (int i = 0; i < m->nq; ++i) {
      if (value_of(start, m->q_name[i]) == NULL) check_most(m, &r, start->from_at, i, q[i]);
    }
  }
  /* an equilibrium does not take velocities from the earlier result */
  if (start->balance != BALANCE_NONE) memset(v, 0, sizeof *v * (size_t)m->nv);
  /* guesses first: a value for the same name replaces them */
  for (int i = 0; i < start->nnear; ++i)
    start_value(m, &start->near[i], q, v, &r);
  for (int i = 0; i < start->nvalue; ++i)
    start_value(m, &start->value[i], q, v, &r);
  if (report->count == before) refuse_singular(m, start, q, &r);
  if (report->count == before) settle_on_ground(m, start, q, &r);
  return report->count == before ? APL_OK : APL_ERR_MODEL;
}

apl_status apl_file_start(const apl_file* file, const apl_model* m, double* q, double* v,
                          apl_report* report) {
  if (file == NULL || m == NULL || q == NULL || v == NULL) {
    return apl_report_add(report, APL_ERR_ARGUMENT, (apl_mark){0, 0},
                          "apl_file_start() needs a file, a model and memory for q and v");
  }
  const spec_start* start = &file->spec->start;
  apl_report mine = {0};
  if (report == NULL) report = &mine;
  form_reader r = {.report = report, .where = "start."};
  const int before = report->count;
  const apl_status st = apl_file_guess(file, m, q, v, report);

  if (st == APL_OK && start->balance == BALANCE_NONE) refuse_deep(m, start, q, &r);
  return report->count == before ? APL_OK : APL_ERR_MODEL;
}
