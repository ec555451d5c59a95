/* path.c: a base that rolls along a path given by points. Natural cubic splines go through x, y and
   heading; in the axes of the body they give

     forward = x' cos + y' sin      left = y' cos - x' sin      turn = heading'

   which are the velocities of a mecanum or omni base. A base that cannot go sideways has speed =
   forward and must find left = 0; a car steers by tan(steering) = wheelbase turn / speed. */
#include "appell/run.h"

#include "model/model_impl.h"
#include "system/system_impl.h"
#include "text/quantity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double quarter = 1.5707963267948966192313216916398, degrees = 57.295779513082321;

/* What the velocities of a joint mean. */
typedef enum gait { GAIT_NONE, GAIT_ROLLS, GAIT_GLIDES, GAIT_STEERS } gait;

typedef struct road {
  apl_system* system;
  int number; /* of the link */
  apl_link_info link;
  gait gait;
  double wheelbase;
  const apl_table* table;
  int n;
  double *t, *x, *y, *heading, *steering; /* [n]                                                  */
  apl_signal *sx, *sy, *sh;               /* splines through them                                 */
  apl_error* err;
} road;

/* By the names of coordinates and velocities, so that new kinds need nothing here. */
static gait gait_of(const apl_model* m, const apl_link_info* l) {
  static const struct {
    gait gait;
    int nq, nv;
    const char *q[4], *v[3];
  } known[] = {
      {GAIT_ROLLS, 3, 2, {"x", "y", "heading"}, {"speed", "turn"}},
      {GAIT_GLIDES, 3, 3, {"x", "y", "heading"}, {"forward", "left", "turn"}},
      {GAIT_STEERS, 4, 2, {"x", "y", "heading", "steering"}, {"speed", "steering"}},
  };

  for (int i = 0; i < 3; ++i) {
    bool same = l->nq == known[i].nq && l->nv == known[i].nv;
    for (int k = 0; same && k < l->nq; ++k) {
      const char* dot = strrchr(apl_model_coordinate_name(m, l->q0 + k), '.');
      same = dot != NULL && strcmp(dot + 1, known[i].q[k]) == 0;
    }
    for (int k = 0; same && k < l->nv; ++k) {
      const char* dot = strrchr(apl_model_velocity_name(m, l->v0 + k), '.');
      same = dot != NULL && strcmp(dot + 1, known[i].v[k]) == 0;
    }
    if (same) return known[i].gait;
  }
  return GAIT_NONE;
}

/* ----------------------------------------------------------------------------------- points ----
 */

static int find_column(const apl_table* table, const char* name) {
  int c = table->ncolumn - 1;

  while (c >= 0 && strcmp(table->name[c], name) != 0)
    --c;
  return c;
}

/* A column in SI; false when it is not there, with a sentence when it must be. */
static bool read_column(const road* r, const char* name, const char* si, bool must, double* out) {
  const int c = find_column(r->table, name);
  double scale = 1.0;
  char one[64];

  if (c < 0) {
    if (must) apl_fail(r->err, APL_ERR_MODEL, "the path has no column '%s'", name);
    return false;
  }
  if (r->table->unit[c][0] != '\0' && strcmp(r->table->unit[c], si) != 0) {
    snprintf(one, sizeof one, "1 %.50s", r->table->unit[c]);
    if (apl_quantity_read(one, si, &scale, r->err) != APL_OK) return false;
  }
  for (int i = 0; i < r->n; ++i)
    out[i] = scale * r->table->value[(size_t)i * (size_t)r->table->ncolumn + (size_t)c];
  return true;
}

static apl_signal* spline(const road* r, const double* y) {
  apl_signal* s = NULL;
  apl_signal_points("spline", r->n, r->t, y, &s, r->err);
  return s;
}

/* Fill what is not known (NaN) from the nearest that is, first forwards, then back. */
static void fill(double* a, int n, double none) {
  for (int i = 1; i < n; ++i)
    if (isnan(a[i])) a[i] = a[i - 1];
  for (int i = n - 2; i >= 0; --i)
    if (isnan(a[i])) a[i] = a[i + 1];
  for (int i = 0; i < n; ++i)
    if (isnan(a[i])) a[i] = none;
}

static double velocity_at(const road* r, double t, double* direction) {
  double x[3], y[3];

  apl_signal_eval(r->sx, t, x);
  apl_signal_eval(r->sy, t, y);
  *direction = atan2(y[1], x[1]);
  return hypot(x[1], y[1]);
}

static double fastest(const road* r) {
  double most = 0.0, direction;

  for (int i = 0; i < r->n; ++i)
    most = fmax(most, velocity_at(r, r->t[i], &direction));
  return most;
}

/* Headings of a path without them: where it goes; where it stands, as before. */
static bool find_headings(road* r) {
  const double least = 1e-3 * fastest(r), now = apl_q(apl_system_state(r->system))[r->link.q0 + 2];
  double last = now;

  for (int i = 0; i < r->n; ++i) {
    double direction = now;
    r->heading[i] = (double)NAN;
    if (r->gait != GAIT_GLIDES && !(velocity_at(r, r->t[i], &direction) > least)) continue;
    direction += 4.0 * quarter * round((last - direction) / (4.0 * quarter));
    if (i > 0 && !isnan(r->heading[i - 1]) && fabs(direction - last) > quarter) {
      apl_fail(r->err, APL_ERR_MODEL,
               "the path turns by %.3g deg between t = %.6g and %.6g s: too sharp to roll along; "
               "give more points there, or a column 'heading' where it goes backwards",
               degrees * fabs(direction - last), r->t[i - 1], r->t[i]);
      return false;
    }
    r->heading[i] = last = direction;
  }
  fill(r->heading, r->n, now);
  return true;
}

/* Headings of a table may jump by a full turn; those of a path do not. */
static void unwrap(double* a, int n) {
  for (int i = 1; i < n; ++i)
    a[i] += 4.0 * quarter * round((a[i - 1] - a[i]) / (4.0 * quarter));
}

/* Does it go where it heads? At the points and between them, to 5 % of the largest speed. */
static bool is_drivable(const road* r) {
  const double least = 0.05 * fastest(r);

  for (int i = 0; i < 2 * r->n - 1; ++i) {
    const double t = i % 2 == 0 ? r->t[i / 2] : 0.5 * (r->t[i / 2] + r->t[i / 2 + 1]);
    double direction, h[3];
    const double speed = velocity_at(r, t, &direction);

    apl_signal_eval(r->sh, t, h);
    if (fabs(speed * sin(direction - h[0])) <= least) continue;
    apl_fail(
        r->err, APL_ERR_MODEL,
        "the path goes sideways at t = %.6g s: it moves along %.4g deg and heads for %.4g deg, "
        "which a %s cannot do",
        t, degrees * direction, degrees * h[0], r->link.joint);
    return false;
  }
  return true;
}

/* tan(steering) = wheelbase turn / speed, where it moves */
static void find_steering(road* r) {
  const double least = 1e-3 * fastest(r);

  for (int i = 0; i < r->n; ++i) {
    double direction, h[3];
    const double speed = velocity_at(r, r->t[i], &direction);

    apl_signal_eval(r->sh, r->t[i], h);
    r->steering[i] = (double)NAN;
    if (speed > least) r->steering[i] = atan(r->wheelbase * h[1] / (speed * cos(direction - h[0])));
  }
  fill(r->steering, r->n, 0.0);
}

/* ----------------------------------------------------------------------------------- drives ----
 */

/* Speed along heading + turn, of splines of its own. */
static apl_status drive_ahead(const road* r, int velocity, double turn) {
  apl_signal *x = spline(r, r->x), *y = spline(r, r->y), *h = spline(r, r->heading), *s = NULL;

  if (x == NULL || y == NULL || h == NULL ||
      apl_signal_ahead(x, y, h, turn, &s, r->err) != APL_OK) {
    apl_signal_free(x);
    apl_signal_free(y);
    apl_signal_free(h);
    return APL_ERR_MEMORY;
  }
  return apl_system_velocity(r->system, r->link.v0 + velocity, s, r->err);
}

static apl_status drive_rate(const road* r, int velocity, const double* of) {
  apl_signal *a = spline(r, of), *s = NULL;

  if (a == NULL || apl_signal_rate(a, &s, r->err) != APL_OK) {
    apl_signal_free(a);
    return APL_ERR_MEMORY;
  }
  return apl_system_velocity(r->system, r->link.v0 + velocity, s, r->err);
}

static apl_status drive_all(const road* r) {
  apl_status st = drive_ahead(r, 0, 0.0);

  if (st == APL_OK && r->gait == GAIT_GLIDES) st = drive_ahead(r, 1, quarter);
  if (st == APL_OK && r->gait == GAIT_STEERS) return drive_rate(r, 1, r->steering);
  return st == APL_OK ? drive_rate(r, r->link.nv - 1, r->heading) : st;
}

/* The state goes to where the path is at time 0. */
static void start(const road* r) {
  double* q = apl_q(apl_system_state(r->system)) + r->link.q0;
  double y[3];

  apl_signal_eval(r->sx, 0.0, y), q[0] = y[0];
  apl_signal_eval(r->sy, 0.0, y), q[1] = y[0];
  apl_signal_eval(r->sh, 0.0, y), q[2] = y[0];
  if (r->gait == GAIT_STEERS) q[3] = r->steering[0];
}

/* ------------------------------------------------------------------------------- the whole ---- */

static bool know_joint(road* r, int link) {
  const apl_model* m = apl_system_model(r->system);

  r->link = apl_model_link_info(m, link);
  r->gait = gait_of(m, &r->link);
  if (r->gait == GAIT_STEERS && strcmp(r->link.joint, "car-rear") != 0) r->gait = GAIT_NONE;
  for (int i = 0; i < m->nnode && r->gait == GAIT_STEERS; ++i) {
    if (m->node[i].link == link) r->wheelbase = 1.0 / m->par[m->node[i].jpar]; /* car_compile() */
  }
  if (r->gait == GAIT_NONE) {
    apl_fail(r->err, APL_ERR_MODEL,
             "a %s cannot follow a path; a differential-drive, knife-edge, car-rear, mecanum or "
             "omni base can",
             link < 0 ? "link" : r->link.joint);
  } else if (!r->link.joint_prescribed) {
    apl_fail(r->err, APL_ERR_MODEL, "to follow a path the joint must say 'prescribed: true'");
    r->gait = GAIT_NONE;
  }
  return r->gait != GAIT_NONE;
}

static apl_status follow(road* r) {
  if (!read_column(r, "time", "s", true, r->t) || !read_column(r, "x", "m", true, r->x) ||
      !read_column(r, "y", "m", true, r->y))
    return APL_ERR_MODEL;
  if (r->n < 3) return apl_fail(r->err, APL_ERR_MODEL, "a path needs at least three points");

  r->sx = spline(r, r->x);
  r->sy = spline(r, r->y);
  if (r->sx == NULL || r->sy == NULL) return APL_ERR_MODEL;
  if (find_column(r->table, "heading") >= 0) {
    if (!read_column(r, "heading", "rad", true, r->heading)) return APL_ERR_MODEL;
    unwrap(r->heading, r->n);
  } else if (!find_headings(r)) {
    return APL_ERR_MODEL;
  }
  r->sh = spline(r, r->heading);
  if (r->sh == NULL) return APL_ERR_MODEL;
  if (r->gait != GAIT_GLIDES && !is_drivable(r)) return APL_ERR_MODEL;
  if (r->gait == GAIT_STEERS) find_steering(r);
  start(r);
  if (r->t[r->n - 1] < r->system->path_end) {
    r->system->path_end = r->t[r->n - 1];
    r->system->path_link = r->number;
  }
  return drive_all(r);
}

apl_status apl_system_path(apl_system* system, int link, const apl_table* table, apl_error* err) {
  apl_error mine;
  road r = {.system = system,
            .number = link,
            .table = table,
            .n = table->nrow,
            .err = err == NULL ? &mine : err};

  if (!know_joint(&r, link)) return APL_ERR_MODEL;
  r.t = calloc(5 * (size_t)r.n + 5, sizeof *r.t);
  if (r.t == NULL) return apl_fail(r.err, APL_ERR_MEMORY, "out of memory for a path");
  r.x = r.t + r.n;
  r.y = r.x + r.n;
  r.heading = r.y + r.n;
  r.steering = r.heading + r.n;

  const apl_status st = follow(&r);
  apl_signal_free(r.sx);
  apl_signal_free(r.sy);
  apl_signal_free(r.sh);
  free(r.t);
  return st;
}
