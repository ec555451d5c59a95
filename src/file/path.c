/* SPDX-License-Identifier: Apache-2.0 */
/* path.c: motion of a base on wheels along a path given by points. road.h has the splines. Their
   rates in the axes of the body (forward, left, turn) are the velocities of a mecanum or omni
   base. The speed of a base that cannot move sideways is `forward`; a car also gets its steering
   angle. */
#include "appell/run.h"

#include "file/road.h"
#include "file/trajectory.h"
#include "signal/signals.h"
#include "system/system.h"
#include "system/system_impl.h"
#include "text/quantity.h"

#include <stdio.h>

static const double quarter = 1.5707963267948966192313216916398;

typedef struct path {
  apl_system* system;
  int number; /* of the link */
  apl_link_info link;
  const apl_table* table;
  road road;
  apl_error* err;
} path;

/* ----------------------------------------------------------------------------------- points ----
 */

static int find_column(const apl_table* table, const char* name) {
  int c = table->ncolumn - 1;

  while (c >= 0 && strcmp(table->name[c], name) != 0)
    --c;
  return c;
}

/* A column in SI units. */
static bool read_column(const path* p, const char* name, const char* si, double* out) {
  const int c = find_column(p->table, name);
  double scale = 1.0;
  char one[64];

  if (c < 0) {
    apl_fail(p->err, APL_ERR_MODEL, "the path has no column '%s'", name);
    return false;
  }
  if (p->table->unit[c][0] != '\0' && strcmp(p->table->unit[c], si) != 0) {
    snprintf(one, sizeof one, "1 %.50s", p->table->unit[c]);
    if (apl_quantity_read(one, si, &scale, p->err) != APL_OK) return false;
  }
  for (int i = 0; i < p->table->nrow; ++i)
    out[i] = scale * p->table->value[(size_t)i * (size_t)p->table->ncolumn + (size_t)c];
  return true;
}

/* ----------------------------------------------------------------------------------- drives ----
 */

/* Speed along heading + turn. */
static apl_status drive_ahead(const path* p, int velocity, double turn) {
  apl_signal *x = apl_signal_share(p->road.sx), *y = apl_signal_share(p->road.sy);
  apl_signal *h = apl_signal_share(p->road.sh), *s = NULL;

  if (apl_signal_ahead(x, y, h, turn, &s, p->err) != APL_OK) {
    apl_signal_free(x);
    apl_signal_free(y);
    apl_signal_free(h);
    return APL_ERR_MEMORY;
  }
  return apl_system_velocity(p->system, p->link.v0 + velocity, s, p->err);
}

static apl_status drive_rate(const path* p, int velocity, apl_signal* of) {
  apl_signal *a = apl_signal_share(of), *s = NULL;

  if (apl_signal_rate(a, &s, p->err) != APL_OK) {
    apl_signal_free(a);
    return APL_ERR_MEMORY;
  }
  return apl_system_velocity(p->system, p->link.v0 + velocity, s, p->err);
}

static apl_status drive_all(const path* p) {
  const road* r = &p->road;
  apl_status st = drive_ahead(p, 0, 0.0);

  if (st == APL_OK && r->gait == ROAD_GLIDES) st = drive_ahead(p, 1, quarter);
  if (st == APL_OK && r->gait == ROAD_STEERS) return drive_rate(p, 1, r->ss);
  return st == APL_OK ? drive_rate(p, p->link.nv - 1, r->sh) : st;
}

/* Set the state to the place of the path at time 0. */
static void start(const path* p) {
  const road* r = &p->road;
  double* q = apl_q(apl_system_state(p->system)) + p->link.q0;
  double y[3];

  apl_signal_eval(r->sx, 0.0, y), q[0] = y[0];
  apl_signal_eval(r->sy, 0.0, y), q[1] = y[0];
  apl_signal_eval(r->sh, 0.0, y), q[2] = y[0];
  if (r->gait == ROAD_STEERS) q[3] = r->steering[0];
}

/* ------------------------------------------------------------------------------- the whole ---- */

static bool know_joint(path* p) {
  road* r = &p->road;

  if (p->number >= 0) apl_road_know(r, apl_system_model(p->system), p->number);
  p->link = apl_model_link_info(apl_system_model(p->system), p->number);
  if (r->gait == ROAD_STEERS && strcmp(p->link.joint, "car-rear") != 0) r->gait = ROAD_NONE;
  if (r->gait == ROAD_NONE) {
    apl_fail(p->err, APL_ERR_MODEL,
             "a %s cannot follow a path; a differential-drive, knife-edge, car-rear, mecanum or "
             "omni base can",
             p->number < 0 ? "link" : p->link.joint);
  } else if (!p->link.joint_prescribed) {
    apl_fail(p->err, APL_ERR_MODEL, "to follow a path the joint needs `prescribed: true`");
    return false;
  }
  return r->gait != ROAD_NONE;
}

static apl_status follow(path* p) {
  road* r = &p->road;
  const bool headings = find_column(p->table, "heading") >= 0;

  if (!read_column(p, "time", "s", r->t) || !read_column(p, "x", "m", r->x) ||
      !read_column(p, "y", "m", r->y) ||
      (headings && !read_column(p, "heading", "rad", r->heading)))
    return APL_ERR_MODEL;
  r->standing = apl_q(apl_system_state(p->system))[p->link.q0 + 2];
  const apl_status st = apl_road_find(r, headings, false);
  if (st != APL_OK) return st;

  start(p);
  if (r->t[r->n - 1] < p->system->drives.path_end) {
    p->system->drives.path_end = r->t[r->n - 1];
    p->system->drives.path_link = p->number;
  }
  return drive_all(p);
}

apl_status apl_system_path(apl_system* system, int link, const apl_table* table, apl_error* err) {
  apl_error mine;
  path p = {.system = system, .number = link, .table = table, .err = err == NULL ? &mine : err};

  p.road.shape = "spline";
  p.road.err = p.err;
  if (!know_joint(&p)) return APL_ERR_MODEL;
  apl_status st = apl_road_allocate(&p.road, table->nrow);
  if (st == APL_OK) st = follow(&p);
  apl_road_free(&p.road);
  return st;
}
