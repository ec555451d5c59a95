/* SPDX-License-Identifier: Apache-2.0 */
/* trajectory_rates.c: rates that the table leaves out. Where velocities are the rates of
   coordinates, velocity and acceleration come from the cubic spline ("not a knot") through the
   coordinates. If the table has velocities, the acceleration comes from the spline through these.
   For other joints (bases on wheels, discs, floating bodies) roll.h computes velocities from
   coordinates. A table with one row or without times gives poses at rest: rates that it leaves out
   are zero. */
#include "file/trajectory_impl.h"

#include "file/attitude.h"

#include <stdlib.h>

static const apl_mark nowhere = {0, 0};

/* The spline through a column, for velocity v. */
static void add_spline(apl_trajectory* t, int v, int column, apl_report* report) {
  const int n = t->table->nrow;
  double* x = calloc(2 * (size_t)n + 1, sizeof *x);
  apl_error err = {.status = APL_ERR_MEMORY, .text = "out of memory for a spline"};

  for (int i = 0; x != NULL && i < n; ++i) {
    x[i] = apl_trajectory_time(t, i);
    x[n + i] = apl_trajectory_value(t, i, column);
  }
  if (x == NULL || apl_signal_points("not-a-knot", n, x, x + n, &t->through[v], &err) != APL_OK)
    apl_report_error(report, &err, nowhere);
  free(x);
}

/* A freedom whose velocity is the rate of a coordinate. */
static void settle_plain(apl_trajectory* t, int v, int q, apl_report* report) {
  const char* name = apl_model_name(t->model, APL_VELOCITIES, v);

  if (t->q[q] < 0 && (t->v[v] >= 0 || t->a[v] >= 0)) {
    apl_report_add(report, APL_ERR_MODEL, nowhere,
                   "the table has rates of '%.60s' but not the coordinate itself", name);
  }
  if (t->q[q] < 0 || (t->v[v] >= 0 && t->a[v] >= 0)) return;
  t->still[v] = t->rest;
  if (t->rest) return;
  t->by_velocity[v] = t->v[v] >= 0;
  add_spline(t, v, t->by_velocity[v] ? t->v[v] : t->q[q], report);
}

/* Make the signs of a quaternion continuous. It is the last four coordinates of the link; each has
   n rows in x. */
static void smooth_quaternion(const apl_link_info* l, int n, double* x) {
  double* e[4];

  for (int k = 0; k < 4; ++k)
    e[k] = x + (size_t)(l->nq - 4 + k) * (size_t)n;
  apl_attitude_smooth(n, e);
}

/* Velocities from the coordinates alone. */
static void settle_roll(apl_trajectory* t, int link, const apl_link_info* l, apl_report* report) {
  const int n = t->table->nrow;
  double* x = calloc((APL_MAX_NQ + 1) * (size_t)n + 1, sizeof *x);
  apl_error err = {.status = APL_ERR_MEMORY, .text = "out of memory for a motion"};
  roll_table table = {.n = n, .t = x};
  const double standing = t->y[l->q0 + (l->nq > 2 ? 2 : 0)]; /* heading of a base */

  for (int i = 0; x != NULL && i < n; ++i)
    x[i] = apl_trajectory_time(t, i);
  for (int k = 0; x != NULL && k < l->nq; ++k) {
    double* to = x + (size_t)(k + 1) * (size_t)n;
    if (!apl_trajectory_has(t, l->q0 + k)) continue;
    for (int i = 0; i < n; ++i)
      to[i] = apl_trajectory_coordinate(t, i, l->q0 + k);
    table.value[k] = to;
  }
  if (x != NULL && l->nq > l->nt) smooth_quaternion(l, n, x + n);
  if (x == NULL || apl_roll_new(t->model, link, &table, standing, &t->roll[link], &err) != APL_OK)
    apl_report_error(report, &err, nowhere);
  for (int k = 0; k < l->nq; ++k)
    t->follows[l->q0 + k] = true;
  free(x);
}

/* A joint whose velocities are not the rates of its coordinates: the table gives all of its
   coordinates or none. */
static void settle_joint(apl_trajectory* t, int link, const apl_link_info* l, apl_report* report) {
  const apl_model* m = t->model;
  const int before = report->count;
  bool given = false, rates = false;

  for (int k = 0; k < l->nq; ++k)
    given = given || apl_trajectory_has(t, l->q0 + k);
  for (int k = 0; k < l->nv; ++k)
    rates = rates || t->v[l->v0 + k] >= 0 || t->a[l->v0 + k] >= 0;
  if (!given && !rates) return;

  const bool rolls = !rates && apl_roll_can(m, link);
  for (int k = 0; k < l->nq; ++k) {
    if (apl_trajectory_has(t, l->q0 + k) || (rolls && !apl_roll_needs(m, link, k))) continue;
    apl_report_add(
        report, APL_ERR_MODEL, nowhere,
        "the table has only a part of the coordinates of a %s joint: column '%.60s' is missing",
        l->joint, apl_model_name(m, APL_COORDINATES, l->q0 + k));
  }
  for (int v = l->v0; t->rest && v < l->v0 + l->nv; ++v)
    t->still[v] = true;
  if (t->rest) return;
  if (rolls) {
    if (report->count == before) settle_roll(t, link, l, report);
    return;
  }
  for (int v = l->v0; v < l->v0 + l->nv; ++v) {
    t->by_velocity[v] = true;
    if (t->v[v] < 0) {
      apl_report_add(report, APL_ERR_MODEL, nowhere,
                     "velocities of a %s joint are not the derivatives of its coordinates and "
                     "cannot be computed from them: column '%.60s.rate' is missing",
                     l->joint, apl_model_name(m, APL_VELOCITIES, v));
    } else if (t->a[v] < 0) {
      add_spline(t, v, t->v[v], report);
    }
  }
}

/* Poses at rest: all velocities are zero, except those that signals of the system prescribe. */
static void settle_rest(apl_trajectory* t) {
  t->rest = t->time < 0 || t->table->nrow == 1;
  for (int i = 0; t->rest && i < t->nv; ++i)
    t->y[t->nq + i] = 0.0;
}

void apl_trajectory_rates(apl_trajectory* t, apl_report* report) {
  settle_rest(t);
  for (int i = 0; i < apl_model_count(t->model, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(t->model, i);

    for (int k = 0; l.plain && k < l.nv; ++k)
      settle_plain(t, l.v0 + k, l.q0 + k, report);
    if (!l.plain) settle_joint(t, i, &l, report);
    for (int k = 0; k < l.nx; ++k)
      settle_plain(t, l.xv0 + k, l.xq0 + k, report);
  }
}
