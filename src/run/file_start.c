/* file_start.c: the `start` block: coordinates by name, velocities by name, with .rate behind where
   a coordinate has the same name: {arm.joint.angle: 10 deg, arm.joint.angle.rate: 1 rad/s}; or the
   last row of an earlier result, {from: earlier.h5}, which the other keys then change. With
   {equilibrium: true} the coordinates are a first guess (analyse/settle.c goes on from it). */
#include "appell/record.h"
#include "appell/dynamics.h"

#include "base/nearest.h"
#include "dynamics/contact_state.h"
#include "model/model_impl.h"
#include "spec/file_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char rate[] = ".rate";

/* ----------------------------------------------------------------------- earlier results ---- */

/* One look into a result. */
typedef struct earlier {
  const apl_model* model;
  const text_node* start; /* the block                                                           */
  const text_node* node;  /* its `from`                                                          */
  form_reader* form;
  apl_result* result;
  double* row; /* the last one                                                                   */
} earlier;

/* Does the block give this number itself? */
static bool overridden(const earlier* e, const char* name, bool velocity) {
  char key[160];

  if (apl_node_get(e->start, name) != NULL &&
      (!velocity || apl_model_coordinate(e->model, name) < 0))
    return true;
  snprintf(key, sizeof key, "%.150s%s", name, rate);
  return velocity && apl_node_get(e->start, key) != NULL;
}

/* One number of the last row by the name of its channel. */
static void take(const earlier* e, const char* name, bool velocity, const char* unit, double* out) {
  char channel[160];

  snprintf(channel, sizeof channel, "%.150s%s", name, velocity ? rate : "");
  const int k = apl_result_find(e->result, channel);
  const char* its_unit = k < 0 ? unit : apl_result_channel(e->result, k)->unit;
  if (k < 0 && overridden(e, name, velocity)) return;
  if (k < 0) {
    apl_form_refuse(e->form, e->node->at, "from",
                    "the result has no channel '%.80s'; it is of another robot, or this one needs "
                    "a value in `start`",
                    channel);
  } else if (strcmp(its_unit, unit) != 0) {
    apl_form_refuse(e->form, e->node->at, "from", "channel '%.80s' of the result is in %s, not %s",
                    channel, its_unit, unit);
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
    apl_form_refuse(e->form, e->node->at, "from", "out of memory");
  } else if (rows < 1) {
    apl_form_refuse(e->form, e->node->at, "from", "the result has no rows yet");
  } else if (apl_result_read(e->result, rows - 1, 1, e->row, &err) != APL_OK) {
    apl_form_refuse(e->form, e->node->at, "from", "%.180s", err.text);
  } else {
    for (int i = 0; i < m->nq; ++i)
      take(e, m->q_name[i], false, m->q_unit[i], &q[i]);
    for (int i = 0; i < m->nv; ++i)
      take(e, m->v_name[i], true, m->v_unit[i], &v[i]);
  }
  free(e->row);
}

static void start_from(const apl_file* file, const text_node* node, earlier* e, double* q,
                       double* v) {
  apl_error err = {0};
  char shown[64];

  if (node->kind != TEXT_SCALAR || apl_node_empty(node)) {
    apl_form_refuse(e->form, node->at, "from", "expected the name of a result file, got %s",
                    apl_node_show(node, shown));
    return;
  }
  char path[APL_REACH_PATH];
  if (apl_reach_file(&file->reach, node->text, path, &err) != APL_OK ||
      apl_result_open(path, &e->result, &err) != APL_OK) {
    apl_form_refuse(e->form, node->at, "from", "%.180s", err.text);
  } else {
    read_last_row(e, q, v);
    apl_result_free(e->result);
  }
}

/* -------------------------------------------------------------------------------- values ---- */

static void unknown_name(const apl_model* m, const text_node* entry, form_reader* r) {
  apl_nearest near = {.word = entry->key};
  char hint[96];

  apl_nearest_offer(&near, "from");
  apl_nearest_offer(&near, "equilibrium");
  for (int i = 0; i < m->nq; ++i)
    apl_nearest_offer(&near, m->q_name[i]);
  for (int i = 0; i < m->nv; ++i)
    apl_nearest_offer(&near, m->v_name[i]);
  apl_form_refuse(r, entry->key_at, entry->key, "the robot has no such coordinate or velocity%s",
                  apl_nearest_text(&near, hint));
}

/* {equilibrium: true}: velocities of an earlier result are then none of ours. */
static void read_equilibrium(const apl_model* m, const text_node* node, double* v, form_reader* r) {
  char shown[64];
  const bool scalar = node->kind == TEXT_SCALAR;

  if (scalar && (strcmp(node->text, "true") == 0 || strcmp(node->text, "stable") == 0)) {
    memset(v, 0, sizeof *v * (size_t)m->nv);
  } else if (!scalar || strcmp(node->text, "false") != 0) {
    apl_form_refuse(r, node->at, "equilibrium", "expected true, stable or false, got %s",
                    apl_node_show(node, shown));
  }
}

/* The velocity a key speaks of, -1 when none. */
static int find_velocity(const apl_model* m, const char* key) {
  const size_t n = strlen(key), k = sizeof rate - 1;
  const bool marked = n > k && strcmp(key + n - k, rate) == 0;

  for (int i = 0; i < m->nv; ++i) {
    const size_t length = strlen(m->v_name[i]);
    if (strncmp(m->v_name[i], key, length) == 0 && length == (marked ? n - k : n)) return i;
  }
  return -1;
}

/* Deformations have a largest magnitude that makes sense: one turn of an element. `at` is where the
   number stands. */
static void check_most(const apl_model* m, form_reader* r, apl_mark at, int i, double value) {
  if (fabs(value) <= m->most[i]) return;
  apl_form_refuse(r, at, m->q_name[i],
                  "%.6g %s is more than one element can take, %.6g %s: use more elements", value,
                  m->q_unit[i], m->most[i], m->q_unit[i]);
}

/* Where a coordinate got its value: from its key, an earlier result, or the link's `rest`. */
static apl_mark place_of(const apl_model* m, const text_node* start, int coordinate) {
  const text_node* given = start == NULL ? NULL : apl_node_get(start, m->q_name[coordinate]);

  if (given == NULL && start != NULL) given = apl_node_get(start, "from");
  if (given != NULL) return given->at;
  for (int i = 0; i < m->nlink; ++i) {
    const int k = coordinate - m->link[i].q0;
    if (k >= 0 && k < m->link[i].nq) return m->link_mark[i];
  }
  return (apl_mark){0};
}

/* A start where a joint is singular is refused at the number that puts it there. */
static void refuse_singular(const apl_model* m, const text_node* start, const double* q,
                            form_reader* r) {
  apl_error err = {0};
  const int i = apl_model_singular(m, q, &err);

  if (i >= 0) apl_form_refuse(r, place_of(m, start, i), m->q_name[i], "%.200s", err.text);
}

/* A start deeper in the ground than the ground allows is refused: which point, how deep. */
static void refuse_deep(const apl_model* m, const text_node* start, const double* q,
                        form_reader* r) {
  apl_state* s;
  if (m->npair == 0 || apl_state_new(m, APL_SCALAR, &s) != APL_OK) return;

  memcpy(apl_q(s), q, sizeof *q * (size_t)m->nq);
  const apl_status st = apl_contacts(m, s);
  for (int i = 0; i < m->npair && st == APL_OK; ++i) {
    const double depth = apl_state_contact(s, i)->depth;
    const double most = m->par[m->pair[i].par + PAIR_DEPTH];
    if (!(depth > most)) continue;
    apl_form_refuse(r, start == NULL ? (apl_mark){1, 1} : start->key_at, m->pair_name[i],
                    "starts %.4g m deep in the ground, deeper than its start-depth %g m", depth,
                    most);
  }
  apl_state_free(s);
}

apl_status apl_file_start(const apl_file* file, const apl_model* m, double* q, double* v,
                          apl_report* report) {
  const text_node* start = file->top.start;
  apl_report mine = {0};
  if (report == NULL) report = &mine;
  form_reader r = {.report = report, .where = "start."};
  const int before = report->count;

  memcpy(q, m->neutral, sizeof *q * (size_t)m->nq);
  memset(v, 0, sizeof *v * (size_t)m->nv);
  if (start == NULL) {
    refuse_singular(m, NULL, q, &r);
    refuse_deep(m, NULL, q, &r);
    return report->count == before ? APL_OK : APL_ERR_MODEL;
  }
  if (start->kind != TEXT_MAP) {
    return apl_report_add(report, APL_ERR_SYNTAX, start->at,
                          "start: expected a map from names to values");
  }
  /* first the earlier result, wherever it stands, then what differs from it */
  const text_node* from = apl_node_get(start, "from");
  if (from != NULL) {
    earlier e = {.model = m, .start = start, .node = from, .form = &r};
    start_from(file, from, &e, q, v);
    for (int i = 0; i < m->nq; ++i) {
      if (apl_node_get(start, m->q_name[i]) == NULL) check_most(m, &r, from->at, i, q[i]);
    }
  }
  const text_node* equilibrium = apl_node_get(start, "equilibrium");
  if (equilibrium != NULL) read_equilibrium(m, equilibrium, v, &r);
  for (const text_node* entry = start->first; entry != NULL; entry = entry->next) {
    const int i = apl_model_coordinate(m, entry->key);
    const int j = i >= 0 ? -1 : find_velocity(m, entry->key);
    if (entry == from || entry == equilibrium) continue;
    if (i >= 0) {
      apl_numbers_read(&r, entry->key, entry, &m->q_unit[i], 1, &q[i]);
      check_most(m, &r, entry->at, i, q[i]);
    } else if (j >= 0) {
      apl_numbers_read(&r, entry->key, entry, &m->v_unit[j], 1, &v[j]);
    } else {
      unknown_name(m, entry, &r);
    }
  }
  if (report->count == before) refuse_singular(m, start, q, &r);
  if (report->count == before && equilibrium == NULL) refuse_deep(m, start, q, &r);
  return report->count == before ? APL_OK : APL_ERR_SYNTAX;
}
