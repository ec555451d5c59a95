/* SPDX-License-Identifier: Apache-2.0 */
/* support_choose.c: which two parts carry the body.

   With a whole number of links per wave, parts one wave apart are collinear and equally spaced for
   every shape, so the lowest part of the first wave and those behind it touch together; of these
   the two on either side of the moment point carry. A convex hull would be ambiguous: at each
   change four parts are collinear to round-off. Otherwise the body stands on the edge of its hull
   that contains the foot of the centre of mass, along gravity. */
#include "analyse/support_impl.h"

#include <math.h>

static planar turned(planar p, double angle) {
  const double c = cos(angle), s = sin(angle);
  return (planar){c * p.x - s * p.z, s * p.x + c * p.z};
}

/* ----------------------------------------------------------------------------- a wave apart ----
 */

/* The lowest part of the first wave, with the base turned by `angle`. */
static support_pair lowest(apl_support* s, double angle) {
  support_pair best = {false, 0, s->period};
  double low = HUGE_VAL;

  for (int i = 0; i < s->period && i < s->point.n; ++i) {
    const double z = turned(apl_support_at(s, &s->point.part[i]), angle).z;
    if (z < low) low = z, best = (support_pair){false, i, i + s->period};
  }
  for (int i = 0; i < s->period && i < s->arc.n; ++i) {
    const support_part* part = &s->arc.part[i];
    const double z = turned(apl_support_at(s, part), angle).z - part->radius;
    if (fabs(apl_support_lean(s, part) + angle) > part->half) continue;
    if (z < low) low = z, best = (support_pair){true, i, i + s->period};
  }
  return best;
}

int apl_support_list(const apl_support* s, support_pair p, int* list) {
  const int n = p.arc ? s->arc.n : s->point.n;
  int count = 0;

  if (s->period == 0) {
    list[0] = p.a, list[1] = p.b;
    return 2;
  }
  for (int i = p.a % s->period; i < n; i += s->period, ++count) {
    if (count < APL_SUPPORT_MOST) list[count] = i;
  }
  return count;
}

static apl_status choose_in_line(apl_support* s, double t, support_pair* out, apl_error* err) {
  const support_parts* parts = s->point.n > 0 ? &s->point : &s->arc;
  int list[APL_SUPPORT_MOST];

  apl_support_shape(s, t);
  const apl_status looked = apl_support_look(s);
  if (looked != APL_OK)
    return apl_fail(err, looked, "the shape of the body cannot be computed at t = %.9g s", t);
  const planar a = apl_support_at(s, &parts->part[0]);
  const planar b = apl_support_at(s, &parts->part[s->period]);
  support_pair p = lowest(s, -atan2(b.z - a.z, b.x - a.x));
  const int n = apl_support_list(s, p, list);
  if (n < 2) {
    return apl_fail(err, APL_ERR_MODEL, "at t = %.9g s only one support touches the ground", t);
  }
  const apl_status st = apl_support_place(s, t, p, 0.0, 0.0, 0.0);
  if (st != APL_OK) return apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), t);

  /* equally spaced, the first one at 0 */
  const double apart = apl_support_motion_of(s, apl_support_part(s, p, p.b)).at.x;
  int k = (int)floor(apl_support_moment_point(s) / apart);
  k = k < 0 ? 0 : k > n - 2 ? n - 2 : k;
  *out = (support_pair){p.arc, list[0] + k * s->period, list[0] + (k + 1) * s->period};
  return APL_OK;
}

/* ---------------------------------------------------------------------------------- on a hull ----
 */

/* True if the body stands on points i and j: no point is below them, and the foot of the centre of
   mass is between them. */
static bool stands_on(const planar* at, int n, planar center, const double* gravity, int i, int j) {
  const planar D = {at[j].x - at[i].x, at[j].z - at[i].z};
  const double angle = -atan2(D.z, D.x), d = hypot(D.x, D.z);
  const planar c = turned((planar){center.x - at[i].x, center.z - at[i].z}, angle);

  for (int k = 0; k < n; ++k) {
    if (k == i || k == j) continue;
    if (turned((planar){at[k].x - at[i].x, at[k].z - at[i].z}, angle).z < -1e-12 * d) return false;
  }
  const double foot = c.x - c.z * gravity[0] / gravity[1];
  return foot >= 0.0 && foot <= d;
}

static apl_status choose_on_hull(apl_support* s, double t, support_pair* out, apl_error* err) {
  enum { MOST = 512 };
  planar at[MOST];
  const int n = s->point.n;

  if (n > MOST)
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "the body has more than %d contact points, which is too many", MOST);
  apl_support_shape(s, t);
  const apl_status looked = apl_support_look(s);
  if (looked != APL_OK)
    return apl_fail(err, looked, "the shape of the body cannot be computed at t = %.9g s", t);
  for (int i = 0; i < n; ++i)
    at[i] = apl_support_at(s, &s->point.part[i]);
  const planar center = apl_support_center(s);
  for (int i = 0; i < n; ++i) {
    for (int j = i + 1; j < n; ++j) {
      if (!stands_on(at, n, center, s->gravity, i, j)) continue;
      *out = (support_pair){false, i, j};
      const apl_status st = apl_support_place(s, t, *out, 0.0, 0.0, 0.0);
      return st == APL_OK ? APL_OK : apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), t);
    }
  }
  return apl_fail(
      err, APL_ERR_MODEL,
      "at t = %.9g s the centre of mass is not between two supports: the body tips over", t);
}

apl_status apl_support_choose(apl_support* s, double t, support_pair* out, apl_error* err) {
  return s->period > 0 ? choose_in_line(s, t, out, err) : choose_on_hull(s, t, out, err);
}
