/* SPDX-License-Identifier: Apache-2.0 */
/* touch_box.c: a segment with a radius against a box. The squared distance of its points from the
   box is convex and piecewise quadratic,

     F(s) = sum_i max(|p_i(s)| - e_i, 0)^2,    p(s) = c + s d

   so F'(s) is piecewise linear and increasing, and its zero is exact. If the segment itself enters
   the box, the normal is the shortest way out along one of six directions (separating axes). */
#include "math/touch_impl.h"

#include <math.h>

static real part(vec3 a, int i) {
  return i == 0 ? a.x : i == 1 ? a.y : a.z;
}

static vec3 unit(int i, double sign) {
  return (vec3){i == 0 ? sign : 0.0, i == 1 ? sign : 0.0, i == 2 ? sign : 0.0};
}

/* from the nearest point of the box to p, zero inside */
static vec3 beyond(vec3 p, const double e[3]) {
  const vec3 q = {clamp_to(p.x, e[0]), clamp_to(p.y, e[1]), clamp_to(p.z, e[2])};
  return sub(p, q);
}

/* F'(s) / 2 */
static real slope(const segment* a, const double e[3], real s) {
  return dot(beyond(along_segment(a, s), e), a->d);
}

/* Parameters inside the segment where a component enters or leaves its range, ascending. */
static int find_breaks(const segment* a, const double e[3], real* out) {
  int n = 0;

  for (int i = 0; i < 6; ++i) {
    const double side = i % 2 == 0 ? -e[i / 2] : e[i / 2];
    const real d = part(a->d, i / 2);
    const real s = real_part(d) == 0.0 ? real_of(a->h) : real_over(side - part(a->c, i / 2), d);
    int k = n;
    if (!(real_part(s) > -a->h && real_part(s) < a->h)) continue;
    for (; k > 0 && is_less(s, out[k - 1]); --k)
      out[k] = out[k - 1];
    out[k] = s;
    ++n;
  }
  return n;
}

/* The first parameter of smallest distance. */
static real nearest(const segment* a, const double e[3]) {
  real at[7], s = real_of(-a->h), f = slope(a, e, s);
  const int n = find_breaks(a, e, at);

  at[n] = real_of(a->h);
  for (int k = 0; k <= n && real_part(f) < 0.0; ++k) {
    const real s1 = at[k], f1 = slope(a, e, s1);
    if (real_part(f1) > 0.0) {
      const real zero = s + real_over((s1 - s) * f, f - f1);
      /* the segment is parallel to the box within round-off: the zero has no useful derivative */
      const bool flat = real_part(f1 - f) < 1e-12 * real_part(s1 - s);
      return flat ? real_of(real_part(zero)) : zero;
    }
    s = s1;
    f = f1;
  }
  return s;
}

/* The part of the segment whose components are within the ranges of the axes in `within`. */
static void clip(const segment* a, const double e[3], const bool within[3], real range[2]) {
  range[0] = real_of(-a->h);
  range[1] = real_of(a->h);
  for (int i = 0; i < 3; ++i) {
    const real d = part(a->d, i), c = part(a->c, i);
    const double end = e[i] * side_of(d);
    if (!within[i] || fabs(real_part(d)) < 1e-12) continue;
    range[0] = real_max(range[0], real_over(-end - c, d));
    range[1] = real_min(range[1], real_over(end - c, d));
  }
}

/* If the segment lies along a face or an edge, add the ends of that line as contact points. */
static void add_ends(const segment* a, const double e[3], real s, const touch_point* at,
                     touch_point out[ROUND_PLACES]) {
  const vec3 over = beyond(along_segment(a, s), e);
  const bool within[3] = {real_part(over.x) == 0.0, real_part(over.y) == 0.0,
                          real_part(over.z) == 0.0};
  const int inside = within[0] + within[1] + within[2];
  const int axis = inside == 1 ? within[1] + 2 * within[2] : 0;
  const double turn = real_part(part(a->d, axis)), lean = real_part(dot(a->d, at->n));
  const bool on_face = inside == 2 && fabs(lean) < TOUCH_PARALLEL;
  const bool on_edge = inside == 1 && 1.0 - turn * turn < TOUCH_PARALLEL * TOUCH_PARALLEL;
  real range[2], end[2];

  touch_only(*at, out);
  if (!on_face && !on_edge) return;
  clip(a, e, within, range);
  const int n = touch_ends(range, s, a->r, end);
  for (int k = 0; k < n; ++k) {
    const vec3 p = along_segment(a, end[k]), q = beyond(p, e);
    const real size = length_of(q);
    /* on a face the height counts, so that an end may penetrate; on an edge the distance from it */
    out[1 + k] =
        on_edge && real_part(size) > 0.0
            ? touch_at(a, end[k], scale(real_over(real_of(1.0), size), q), size)
            : touch_at(a, end[k], at->n, a->r - at->depth + (end[k] - s) * dot(a->d, at->n));
  }
}

/* The segment is inside the box. The way out along the unit vector m is
     sum_i e_i |m_i| + h |d . m| - c . m */
static real find_way_out(const segment* a, const double e[3], vec3* n, int* axis) {
  real least = real_of(HUGE_VAL);

  for (int k = 0; k < 6; ++k) {
    vec3 m = k < 3 ? unit(k, 1.0) : cross(a->d, unit(k - 3, 1.0));
    const real size = length_of(m);
    if (real_part(size) < 1e-6) continue;
    m = scale(real_over(real_of(side_of(dot(a->c, m))), size), m);
    const real way = e[0] * real_abs(m.x) + e[1] * real_abs(m.y) + e[2] * real_abs(m.z) +
                     a->h * real_abs(dot(a->d, m)) - dot(a->c, m);
    if (is_less(way, least)) least = way, *n = m, *axis = k;
  }
  return least;
}

/* Parameter at which the segment passes the edge along axis k that is farthest along n: nearest
   points of two lines, with r = c - q, q the middle of the edge. */
static real pass_edge(const segment* a, const double e[3], vec3 n, int k) {
  const vec3 q = {k == 0 ? 0.0 : e[0] * side_of(n.x), k == 1 ? 0.0 : e[1] * side_of(n.y),
                  k == 2 ? 0.0 : e[2] * side_of(n.z)};
  const vec3 r = sub(a->c, q);
  const real turn = part(a->d, k);
  return clamp_to(real_over(turn * part(r, k) - dot(a->d, r), 1.0 - turn * turn), a->h);
}

static void leave(const segment* a, const double e[3], touch_point out[ROUND_PLACES]) {
  vec3 n = {0.0, 0.0, 1.0};
  int axis = 0;
  const real way = find_way_out(a, e, &n, &axis), lean = dot(a->d, n);
  const real deep = axis > 2                ? pass_edge(a, e, n, axis - 3)
                    : real_part(lean) > 0.0 ? real_of(-a->h)
                                            : real_of(a->h);
  const bool within[3] = {axis != 0, axis != 1, axis != 2};
  real range[2], end[2];

  touch_only(touch_at(a, deep, n, -way), out);
  if (axis > 2 || !(fabs(real_part(lean)) < TOUCH_PARALLEL)) return;
  /* the segment lies along a face: use the part over the face, as from outside */
  clip(a, e, within, range);
  if (!is_less(range[0], range[1])) return;
  const real s = real_part(lean) > 0.0 ? range[0] : range[1];
  const real height = dot(along_segment(a, s), n) - e[axis];
  out[0] = touch_at(a, s, n, height);
  if (touch_ends(range, s, a->r, end) > 0)
    out[1] = touch_at(a, end[0], n, height + (end[0] - s) * lean);
}

void apl_touch_box(const segment* a, const double half[3], touch_point out[ROUND_PLACES]) {
  const real s = nearest(a, half);
  const vec3 over = beyond(along_segment(a, s), half);
  const real distance = length_of(over);

  if (real_part(distance) < 1e-9 * (half[0] + half[1] + half[2])) {
    leave(a, half, out);
    return;
  }
  const touch_point at = touch_at(a, s, scale(real_over(real_of(1.0), distance), over), distance);
  add_ends(a, half, s, &at, out);
}
