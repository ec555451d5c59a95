/* SPDX-License-Identifier: Apache-2.0 */
/* road.c: see road.h. In the axes of the body the splines give

     forward = x' cos + y' sin      left = y' cos - x' sin      turn = heading'

   A base that cannot go sideways must find left = 0; a car steers by
   tan(steering) = wheelbase turn / forward. */
#include "file/road.h"

#include "model/model_impl.h"

#include <math.h>
#include <stdlib.h>

static const double quarter = 1.5707963267948966192313216916398, degrees = 57.295779513082321;

/* Recognized by the names of coordinates and velocities, so that new kinds of joints need no
   change here. */
static road_gait gait_of(const apl_model* m, const apl_link_info* l) {
  static const struct {
    road_gait gait;
    int nq, nv;
    const char *q[4], *v[3];
  } known[] = {
      {ROAD_ROLLS, 3, 2, {"x", "y", "heading"}, {"speed", "turn"}},
      {ROAD_GLIDES, 3, 3, {"x", "y", "heading"}, {"forward", "left", "turn"}},
      {ROAD_STEERS, 4, 2, {"x", "y", "heading", "steering"}, {"speed", "steering"}},
  };

  for (int i = 0; i < 3; ++i) {
    bool same = l->nq == known[i].nq && l->nv == known[i].nv;
    for (int k = 0; same && k < l->nq; ++k) {
      const char* dot = strrchr(apl_model_name(m, APL_COORDINATES, l->q0 + k), '.');
      same = dot != NULL && strcmp(dot + 1, known[i].q[k]) == 0;
    }
    for (int k = 0; same && k < l->nv; ++k) {
      const char* dot = strrchr(apl_model_name(m, APL_VELOCITIES, l->v0 + k), '.');
      same = dot != NULL && strcmp(dot + 1, known[i].v[k]) == 0;
    }
    if (same) return known[i].gait;
  }
  return ROAD_NONE;
}

void apl_road_know(road* r, const apl_model* m, int link) {
  const apl_link_info l = apl_model_link_info(m, link);

  r->gait = gait_of(m, &l);
  r->joint = l.joint;
  for (int i = 0; i < m->nnode && r->gait == ROAD_STEERS; ++i) {
    if (m->node[i].link == link) r->wheelbase = 1.0 / m->par[m->node[i].jpar]; /* car_compile() */
  }
}

/* Replace unknown values (NaN) by the nearest known value before them, or after them at the
   beginning. */
static void fill(double* a, int n, double none) {
  for (int i = 1; i < n; ++i)
    if (isnan(a[i])) a[i] = a[i - 1];
  for (int i = n - 2; i >= 0; --i)
    if (isnan(a[i])) a[i] = a[i + 1];
  for (int i = 0; i < n; ++i)
    if (isnan(a[i])) a[i] = none;
}

/* A spline through one value per point. */
static apl_signal* spline(const road* r, const double* y) {
  apl_signal* s = NULL;
  apl_signal_points(r->shape, r->n, r->t, y, &s, r->err);
  return s;
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

/* Headings of a path that has none: the direction of motion, and at rest the heading before. */
static bool find_headings(road* r) {
  const double least = 1e-3 * fastest(r), now = r->standing;
  double last = now;

  for (int i = 0; i < r->n; ++i) {
    double direction = now;
    r->heading[i] = (double)NAN;
    if (r->gait != ROAD_GLIDES && !(velocity_at(r, r->t[i], &direction) > least)) continue;
    direction += 4.0 * quarter * round((last - direction) / (4.0 * quarter));
    if (i > 0 && !isnan(r->heading[i - 1]) && fabs(direction - last) > quarter) {
      apl_fail(r->err, APL_ERR_MODEL,
               "the path turns by %.3g deg between t = %.6g and %.6g s, which is too sharp to "
               "follow: give more points there, or a column 'heading' if it goes backwards",
               degrees * fabs(direction - last), r->t[i - 1], r->t[i]);
      return false;
    }
    r->heading[i] = last = direction;
  }
  fill(r->heading, r->n, now);
  return true;
}

/* Remove jumps of headings by full turns. */
static void unwrap(double* a, int n) {
  for (int i = 1; i < n; ++i)
    a[i] += 4.0 * quarter * round((a[i - 1] - a[i]) / (4.0 * quarter));
}

/* Is the velocity along the heading? Checked at the points and between them, to 5 % of the
   largest speed. */
static bool is_drivable(const road* r) {
  const double least = 0.05 * fastest(r);

  for (int i = 0; i < 2 * r->n - 1; ++i) {
    const double t = i % 2 == 0 ? r->t[i / 2] : 0.5 * (r->t[i / 2] + r->t[i / 2 + 1]);
    double direction, h[3];
    const double speed = velocity_at(r, t, &direction);

    apl_signal_eval(r->sh, t, h);
    if (fabs(speed * sin(direction - h[0])) <= least) continue;
    apl_fail(r->err, APL_ERR_MODEL,
             "the path goes sideways at t = %.6g s: it moves in the direction %.4g deg with the "
             "heading %.4g deg, which a %s cannot do",
             t, degrees * direction, degrees * h[0], r->joint);
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

/* ------------------------------------------------------------------------------- the whole ---- */

apl_status apl_road_allocate(road* r, int n) {
  r->n = n;
  r->t = calloc(5 * (size_t)n + 5, sizeof *r->t);
  if (r->t == NULL) return apl_fail(r->err, APL_ERR_MEMORY, "out of memory for a path");
  r->x = r->t + n;
  r->y = r->x + n;
  r->heading = r->y + n;
  r->steering = r->heading + n;
  return APL_OK;
}

apl_status apl_road_find(road* r, bool has_heading, bool has_steering) {
  if (r->n < 3) return apl_fail(r->err, APL_ERR_MODEL, "a path needs at least three points");

  r->sx = spline(r, r->x);
  r->sy = spline(r, r->y);
  if (r->sx == NULL || r->sy == NULL) return APL_ERR_MODEL;
  if (has_heading) {
    unwrap(r->heading, r->n);
  } else if (!find_headings(r)) {
    return APL_ERR_MODEL;
  }
  r->sh = spline(r, r->heading);
  if (r->sh == NULL) return APL_ERR_MODEL;
  if (r->gait != ROAD_GLIDES && !is_drivable(r)) return APL_ERR_MODEL;
  if (r->gait != ROAD_STEERS) return APL_OK;
  if (!has_steering) find_steering(r);
  r->ss = spline(r, r->steering);
  return r->ss == NULL ? APL_ERR_MODEL : APL_OK;
}

void apl_road_free(road* r) {
  apl_signal_free(r->sx);
  apl_signal_free(r->sy);
  apl_signal_free(r->sh);
  apl_signal_free(r->ss);
  free(r->t);
}
