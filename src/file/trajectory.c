/* SPDX-License-Identifier: Apache-2.0 */
/* trajectory.c: a motion that is given by a table, row by row: see trajectory.h. */
#include "file/trajectory_impl.h"

#include "couple/close.h"
#include "dynamics/loops.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const apl_mark nowhere = {0, 0};

int apl_trajectory_rows(const apl_trajectory* t) {
  return t->table->nrow;
}

double apl_trajectory_time(const apl_trajectory* t, int row) {
  return t->time < 0 ? 0.0 : apl_trajectory_value(t, row, t->time);
}

/* ----------------------------------------------------------------------------------- life ---- */

/* Find the coordinates that signals of the system move: the system replaces these if it is given
   NAN for all coordinates. */
static void find_followers(apl_trajectory* t) {
  const double* q = apl_q(apl_system_state(t->system));

  memcpy(t->qdot, t->y, sizeof *t->y * (size_t)t->nq);
  for (int i = 0; i < t->nq; ++i)
    t->y[i] = (double)NAN;
  apl_system_unpack(t->system, 0.0, t->y);
  for (int i = 0; i < t->nq; ++i)
    t->follows[i] = !isnan(q[i]);
  memcpy(t->y, t->qdot, sizeof *t->y * (size_t)t->nq);
  apl_system_unpack(t->system, 0.0, t->y);
}

static int* no_columns(apl_pool* pool, int n) {
  int* list = apl_pool_take(pool, sizeof *list * (size_t)(n + 1));

  for (int i = 0; list != NULL && i < n; ++i)
    list[i] = -1;
  return list;
}

/* Find the channels of ground forces. */
static bool find_ground(apl_trajectory* t) {
  t->ground = no_columns(&t->pool, t->known->n);
  t->number = apl_pool_take(&t->pool, sizeof *t->number * (size_t)(t->known->n + 1));
  if (t->ground == NULL || t->number == NULL) return false;
  for (int i = 0; i < t->known->n; ++i)
    if (t->known->slot[i].ground) t->ground[t->nground++] = i;
  return true;
}

int apl_trajectory_nground(const apl_trajectory* t) {
  return t->nground;
}

const apl_channel* apl_trajectory_ground(const apl_trajectory* t, int i) {
  return i >= 0 && i < t->nground ? &t->known->channel[t->ground[i]] : NULL;
}

apl_status apl_trajectory_ground_row(apl_trajectory* t, double* row) {
  const apl_status st = t->nground > 0 ? apl_channels_ground(t->known, t->number) : APL_OK;

  for (int i = 0; st == APL_OK && i < t->nground; ++i)
    row[i] = t->number[t->ground[i]];
  return st;
}

static apl_trajectory* make(apl_system* system, const apl_table* table) {
  apl_trajectory* t = calloc(1, sizeof *t);
  if (t == NULL) return NULL;

  t->system = system;
  t->model = apl_system_model(system);
  t->table = table;
  t->nq = apl_model_nq(t->model);
  t->nv = apl_model_nv(t->model);
  t->nu = apl_model_nu(t->model);
  t->time = -1;
  t->q = no_columns(&t->pool, t->nq);
  t->v = no_columns(&t->pool, t->nv);
  t->a = no_columns(&t->pool, t->nv);
  t->u = no_columns(&t->pool, t->nu);
  t->angle = no_columns(&t->pool, t->nq);
  t->turned = apl_pool_take(&t->pool, sizeof *t->turned * (size_t)(t->nq + 1));
  t->scale = apl_pool_take(&t->pool, sizeof *t->scale * (size_t)(table->ncolumn + 1));
  t->follows = apl_pool_take(&t->pool, sizeof *t->follows * (size_t)(t->nq + 1));
  t->through = apl_pool_take(&t->pool, sizeof(apl_signal*) * (size_t)(t->nv + 1));
  t->by_velocity = apl_pool_take(&t->pool, sizeof *t->by_velocity * (size_t)(t->nv + 1));
  t->still = apl_pool_take(&t->pool, sizeof *t->still * (size_t)(t->nv + 1));
  t->roll =
      apl_pool_take(&t->pool, sizeof(roll*) * (size_t)(apl_model_count(t->model, APL_LINKS) + 1));
  t->y = apl_pool_take(&t->pool, sizeof *t->y * (size_t)(apl_system_size(system) + 1));
  t->qdot = apl_pool_take(&t->pool, sizeof *t->qdot * (size_t)(t->nq + 1));
  t->keep = apl_pool_take(&t->pool, sizeof *t->keep * (size_t)(t->nq + t->nv + 1));
  t->keep_v = t->keep == NULL ? NULL : t->keep + t->nq;
  apl_channels_new(system, &(channel_wish){.every = true}, &t->known, NULL);
  if (t->known != NULL && t->q != NULL && t->v != NULL && t->a != NULL && t->u != NULL &&
      t->angle != NULL && t->turned != NULL && t->scale != NULL && t->follows != NULL &&
      t->through != NULL && t->by_velocity != NULL && t->still != NULL && t->roll != NULL &&
      t->y != NULL && t->qdot != NULL && t->keep != NULL)
    return t;
  apl_trajectory_free(t);
  return NULL;
}

apl_status apl_trajectory_new(apl_system* system, const apl_table* table, apl_trajectory** out,
                              apl_report* report) {
  apl_report mine = {0};
  if (report == NULL) report = &mine;
  const int before = report->count;
  apl_trajectory* t = make(system, table);

  *out = NULL;
  if (t == NULL || !find_ground(t)) {
    apl_trajectory_free(t);
    return apl_report_add(report, APL_ERR_MEMORY, nowhere, "out of memory for a trajectory");
  }
  apl_system_pack(system, t->y);
  find_followers(t);
  apl_trajectory_columns(t, report);
  if (report->count == before) apl_trajectory_rates(t, report);
  if (report->count > before) {
    apl_trajectory_free(t);
    return APL_ERR_MODEL;
  }
  *out = t;
  return APL_OK;
}

void apl_trajectory_free(apl_trajectory* t) {
  if (t == NULL) return;
  for (int i = 0; t->through != NULL && i < t->nv; ++i)
    apl_signal_free(t->through[i]);
  for (int i = 0; t->roll != NULL && i < apl_model_count(t->model, APL_LINKS); ++i)
    apl_roll_free(t->roll[i]);
  apl_channels_free(t->known);
  apl_pool_free(&t->pool);
  free(t);
}

/* ---------------------------------------------------------------------------------- loops ---- */

/* Coordinates and velocities that columns or signals give. */
static void find_given(apl_trajectory* t) {
  for (int i = 0; i < t->nq; ++i)
    t->keep[i] = apl_trajectory_has(t, i) || t->follows[i];
  for (int i = 0; i < apl_model_count(t->model, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(t->model, i);
    bool given = false;

    for (int k = 0; k < l.nq; ++k)
      given = given || t->keep[l.q0 + k];
    for (int k = 0; k < l.nv; ++k)
      t->keep_v[l.v0 + k] = l.plain ? t->keep[l.q0 + k] : given;
    for (int k = 0; k < l.nx; ++k)
      t->keep_v[l.xv0 + k] = t->keep[l.xq0 + k];
  }
}

/* Are the loops closed within 1e-5 m or rad, and 1e-5 per s? A table with few digits leaves gaps of
   this size, which inverse dynamics accepts (couple/loop_inverse.c). */
static bool nearly_closed(apl_trajectory* t) {
  apl_state* s = apl_system_state(t->system);
  if (apl_loops(t->model, s) != APL_OK) return false;

  for (int k = 0; k < apl_model_count(t->model, APL_LOOP_ROWS); ++k) {
    const double* row = apl_loop_row(s) + APL_LOOP * k;
    if (!(fabs(row[APL_LOOP_GAP]) < 1e-5 && fabs(row[APL_LOOP_RATE]) < 1e-5)) return false;
  }
  return true;
}

/* Close the loops: find the coordinates that the table does not give, beginning with their values
   in the row before. */
static apl_status close_row(apl_trajectory* t, double time, apl_error* err) {
  apl_error why = {0};
  apl_status st = APL_OK;

  find_given(t);
  if (!nearly_closed(t)) st = apl_system_assemble(t->system, t->keep, t->keep_v, NULL, &why);
  if (st == APL_OK) st = apl_system_accelerate(t->system, t->keep_v, &why);
  if (st != APL_OK) return apl_fail(err, st, "at t = %.9g s: %.200s", time, why.text);
  memcpy(t->y, apl_q(apl_system_state(t->system)), sizeof *t->y * (size_t)t->nq);
  return APL_OK;
}

/* ----------------------------------------------------------------------------------- rows ---- */

/* A coordinate without a column must not move, because its value would be unknown. */
static apl_status check_rest(apl_trajectory* t, double time, apl_error* err) {
  const apl_status st = apl_rates(t->model, apl_system_state(t->system), t->qdot);

  if (st != APL_OK) return apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), time);
  for (int i = 0; i < t->nq; ++i) {
    if (apl_trajectory_has(t, i) || t->follows[i] || t->qdot[i] == 0.0) continue;
    return apl_fail(
        err, APL_ERR_MODEL,
        "'%.60s' moves (%g per second at t = %.9g s), but the table has no column for it",
        apl_model_name(t->model, APL_COORDINATES, i), t->qdot[i], time);
  }
  return APL_OK;
}

/* Refuse coordinates that are invalid: a quaternion of zeros, an angle at a singularity. */
static apl_status check_place(const apl_trajectory* t, double time, apl_error* err) {
  apl_error place = {0};
  const int at = apl_model_singular(t->model, apl_q(apl_system_state(t->system)), &place);

  if (at < 0) return APL_OK;
  return apl_fail(err, place.status, "at t = %.9g s, %.40s: %.160s", time,
                  apl_model_name(t->model, APL_COORDINATES, at), place.text);
}

apl_status apl_trajectory_set(apl_trajectory* t, int row, apl_error* err) {
  apl_state* state = apl_system_state(t->system);
  double *q = apl_q(state), *v = apl_v(state), *a = apl_a(state), *u = apl_u(state);

  if (row < 0 || row >= t->table->nrow) {
    return apl_fail(err, APL_ERR_ARGUMENT, "the trajectory has no row %d", row);
  }
  const double time = apl_trajectory_time(t, row);

  memset(a, 0, sizeof *a * (size_t)t->nv);
  apl_system_unpack(t->system, time, t->y);
  for (int i = 0; i < t->nq; ++i) {
    if (apl_trajectory_has(t, i)) q[i] = apl_trajectory_coordinate(t, row, i);
  }
  apl_status st = check_place(t, time, err);
  if (st != APL_OK) return st;
  for (int i = 0; i < t->nv; ++i) {
    if (t->through[i] != NULL) {
      double x[3];
      apl_signal_eval(t->through[i], time, x);
      v[i] = x[1];
      a[i] = t->by_velocity[i] ? x[1] : x[2];
    }
    if (t->still[i]) v[i] = a[i] = 0.0;
    if (t->v[i] >= 0) v[i] = apl_trajectory_value(t, row, t->v[i]);
    if (t->a[i] >= 0) a[i] = apl_trajectory_value(t, row, t->a[i]);
  }
  for (int i = 0; i < apl_model_count(t->model, APL_LINKS); ++i) {
    if (t->roll[i] != NULL) st = apl_roll_set(t->roll[i], state, time, err);
    if (st != APL_OK) return st;
  }
  for (int i = 0; i < t->nu; ++i) {
    if (t->u[i] >= 0) u[i] = apl_trajectory_value(t, row, t->u[i]);
  }
  const bool loops = apl_model_count(t->model, APL_LOOPS) > 0;
  st = loops ? close_row(t, time, err) : check_rest(t, time, err);
  return st == APL_OK ? check_place(t, time, err) : st;
}
