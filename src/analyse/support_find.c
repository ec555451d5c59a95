/* SPDX-License-Identifier: Apache-2.0 */
/* support_find.c: the plane in which a body crawls, its base, and the parts that may touch. */
#include "analyse/support_impl.h"

#include "model/info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double dot3(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross3(const double* a, const double* b, double* out) {
  out[0] = a[1] * b[2] - a[2] * b[1];
  out[1] = a[2] * b[0] - a[0] * b[2];
  out[2] = a[0] * b[1] - a[1] * b[0];
}

/* The link that is connected to the world, by a planar joint. */
static apl_status find_base(apl_support* s, apl_error* err) {
  s->base = -1;
  if (apl_model_count(s->m, APL_LINKS) < 2) {
    return apl_fail(err, APL_ERR_MODEL, "a body that crawls needs at least 2 links, got %d",
                    apl_model_count(s->m, APL_LINKS));
  }
  for (int i = 0; i < apl_model_count(s->m, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(s->m, i);
    if (l.parent >= 0) continue;
    if (s->base >= 0 || strcmp(l.joint, "planar") != 0 || l.joint_prescribed) {
      return apl_fail(err, APL_ERR_MODEL,
                      "a support analysis needs one link on the world, by a planar joint that is "
                      "not prescribed; '%s' is on the world by a %s joint",
                      apl_model_name(s->m, APL_LINKS, i), l.joint);
    }
    s->base = i;
    s->q0 = l.q0;
    s->v0 = l.v0;
  }
  for (int v = 0; v < s->nv; ++v) {
    bool driven = v >= s->v0 && v < s->v0 + 3;
    for (int i = 0; i < s->system->drives.naim; ++i)
      driven = driven || s->system->drives.aim[i].velocity == v;
    for (int i = 0; i < s->system->drives.nmotion; ++i)
      driven = driven || (s->system->drives.motion[i].velocity == v &&
                          s->system->drives.motion[i].coordinate >= 0);
    if (!driven) {
      return apl_fail(
          err, APL_ERR_MODEL,
          "'%s' has no motion: a support analysis needs a `motion` or a gait for every joint",
          apl_model_name(s->m, APL_VELOCITIES, v));
    }
  }
  return APL_OK;
}

/* Directions: up is the ground's normal, axis the rotation axis of the base, along = up x axis, so
   that rotations go from along to up. */
static apl_status find_plane(apl_support* s, apl_error* err) {
  const apl_contact_info c = apl_model_contact_info(s->m, 0);
  const double point[3] = {c.point.x, c.point.y, c.point.z};
  const apl_vec3 g = apl_model_gravity(s->m);
  const double gravity[3] = {g.x, g.y, g.z};

  s->up[0] = c.normal.x, s->up[1] = c.normal.y, s->up[2] = c.normal.z;
  s->level = dot3(s->up, point);
  if (apl_jacobian(s->m, s->s, apl_model_link_info(s->m, s->base).port, APL_WORLD_AXES, s->J) !=
      APL_OK) {
    return apl_fail(err, APL_ERR_NOT_FINITE, "the Jacobian of the base cannot be computed");
  }
  for (int k = 0; k < 3; ++k)
    s->axis[k] = s->J[k * s->nv + s->v0 + 2];
  cross3(s->up, s->axis, s->along);
  if (fabs(dot3(s->up, s->axis)) > 1e-9 || fabs(dot3(s->axis, gravity)) > 1e-9 * (1 + fabs(g.z))) {
    return apl_fail(err, APL_ERR_MODEL,
                    "the plane of the planar joint must be vertical and perpendicular to the "
                    "ground, and contain gravity");
  }
  for (int j = 0; j < 2; ++j) {
    double e[3];
    for (int k = 0; k < 3; ++k)
      e[k] = s->J[(3 + k) * s->nv + s->v0 + j];
    s->frame[j][0] = dot3(e, s->along);
    s->frame[j][1] = dot3(e, s->up);
  }
  s->mass = apl_model_mass(s->m);
  s->gravity[0] = s->stated[0] = dot3(gravity, s->along);
  s->gravity[1] = s->stated[1] = dot3(gravity, s->up);
  if (!isnan(s->o.slope)) {
    const double size = sqrt(dot3(gravity, gravity));
    s->gravity[0] = -size * sin(s->o.slope);
    s->gravity[1] = -size * cos(s->o.slope);
  }
  return APL_OK;
}

/* Points are used directly. A round part with ends also touches with its first end, and the last
   part with its other end too. */
static apl_status find_parts(apl_support* s, apl_error* err) {
  const int n = apl_model_count(s->m, APL_CONTACTS);
  int balls = 0;

  if (n < 2) {
    return apl_fail(err, APL_ERR_MODEL, "a support analysis needs at least two contacts, got %d",
                    n);
  }
  s->point.part = calloc((size_t)n + 1, sizeof *s->point.part);
  s->arc.part = calloc((size_t)n + 1, sizeof *s->arc.part);
  if (s->point.part == NULL || s->arc.part == NULL) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the supports");
  }
  for (int i = 0; i < n; ++i) {
    const apl_contact_info c = apl_model_contact_info(s->m, i);
    const bool ends = c.arc > 0.0;
    if (c.port < 0) {
      return apl_fail(
          err, APL_ERR_MODEL,
          "a support analysis works with grounds only, not with shapes of `collide` ('%s')",
          c.ground);
    }
    if (strcmp(c.ground, apl_model_contact_info(s->m, 0).ground) != 0) {
      return apl_fail(err, APL_ERR_MODEL, "a support analysis works with one ground only");
    }
    if (c.radius == 0.0) {
      s->point.part[s->point.n++] = (support_part){.port = c.port};
      continue;
    }
    balls += !ends;
    s->arc.part[s->arc.n++] =
        (support_part){.port = c.port, .radius = c.radius, .half = ends ? c.arc : HUGE_VAL};
    if (ends) {
      const double x = c.radius * sin(c.arc), z = -c.radius * cos(c.arc);
      s->point.part[s->point.n++] = (support_part){.port = c.port, .offset = {-x, 0, z}};
      if (i == n - 1)
        s->point.part[s->point.n++] = (support_part){.port = c.port, .offset = {x, 0, z}};
    }
  }
  if (s->arc.n > 0 && (balls > 0 ? s->point.n > 0 : s->point.n != s->arc.n + 1)) {
    return apl_fail(err, APL_ERR_MODEL, "the contacts must be all points, all balls or all arcs");
  }
  return APL_OK;
}

/* If the number of links is a multiple of the number of waves, parts one wave apart are
   collinear. */
static apl_status find_period(apl_support* s, apl_error* err) {
  const int links = (s->arc.n > 0 && s->point.n == 0 ? s->arc.n : s->point.n) - 1;
  const double waves = s->o.waves, apart = links / waves;

  if (waves != 0.0 && waves < 2.0) {
    return apl_fail(err, APL_ERR_MODEL,
                    "%g waves on the body give fewer than two supports at times: at least 2 waves "
                    "are needed",
                    waves);
  }
  if (waves > 0.5 * links) {
    return apl_fail(err, APL_ERR_MODEL,
                    "%g waves do not fit on %d links: a wave takes two links at least", waves,
                    links);
  }
  s->period = waves > 0.0 && fabs(apart - round(apart)) < 1e-9 ? (int)round(apart) : 0;
  if (s->period == 0 && s->arc.n > 0) {
    return apl_fail(err, APL_ERR_MODEL,
                    "arcs need a whole number of links per wave, got %d links and %g waves", links,
                    waves);
  }
  return APL_OK;
}

apl_status apl_support_find(apl_support* s, apl_error* err) {
  apl_status st = find_base(s, err);

  if (st == APL_OK) st = find_parts(s, err);
  if (st == APL_OK) st = find_plane(s, err);
  if (st == APL_OK) st = find_period(s, err);
  if (st != APL_OK) return st;
  s->coefficient =
      s->o.coefficient < 0.0 ? apl_model_contact_info(s->m, 0).coefficient : s->o.coefficient;
  return APL_OK;
}
