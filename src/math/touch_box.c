/* touch_box.c: a segment with a radius against a box. The squared distance of its points from the
   box is convex and made of pieces of parabolas,

     F(s) = sum_i max(|p_i(s)| - e_i, 0)^2,    p(s) = c + s d

   so that F'(s) is a broken line that rises: its zero is exact. Where the segment itself goes into
   the box, the way out is the shortest along one of six directions (separating axes). */
#include "math/touch_impl.h"

#include <math.h>

static double part(vec3 a, int i) {
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
static double slope(const segment* a, const double e[3], double s) {
  return dot(beyond(along_segment(a, s), e), a->d);
}

/* Places inside the segment where a component enters or leaves its range, in rising order. */
static int find_breaks(const segment* a, const double e[3], double* out) {
  int n = 0;

  for (int i = 0; i < 6; ++i) {
    const double d = part(a->d, i / 2), side = i % 2 == 0 ? -e[i / 2] : e[i / 2];
    const double s = d == 0.0 ? a->h : (side - part(a->c, i / 2)) / d;
    int k = n;
    if (!(s > -a->h && s < a->h)) continue;
    for (; k > 0 && out[k - 1] > s; --k)
      out[k] = out[k - 1];
    out[k] = s;
    ++n;
  }
  return n;
}

/* The first place of least distance. */
static double nearest(const segment* a, const double e[3]) {
  double at[7], s = -a->h, f = slope(a, e, s);
  const int n = find_breaks(a, e, at);

  at[n] = a->h;
  for (int k = 0; k <= n && f < 0.0; ++k) {
    const double s1 = at[k], f1 = slope(a, e, s1);
    if (f1 > 0.0) return s + (s1 - s) * f / (f - f1);
    s = s1;
    f = f1;
  }
  return s;
}

/* The part of the segment whose components stay in the ranges of the axes in `within`. */
static void clip(const segment* a, const double e[3], const bool within[3], double range[2]) {
  range[0] = -a->h;
  range[1] = a->h;
  for (int i = 0; i < 3; ++i) {
    const double d = part(a->d, i), c = part(a->c, i);
    if (!within[i] || fabs(d) < 1e-12) continue;
    range[0] = fmax(range[0], (-copysign(e[i], d) - c) / d);
    range[1] = fmin(range[1], (copysign(e[i], d) - c) / d);
  }
}

/* The ends of the line along which the segment lies on a face or an edge, if it does. */
static void add_ends(const segment* a, const double e[3], double s, const touch_point* at,
                     touch_point out[ROUND_PLACES]) {
  const vec3 over = beyond(along_segment(a, s), e);
  const bool within[3] = {over.x == 0.0, over.y == 0.0, over.z == 0.0};
  const int inside = within[0] + within[1] + within[2];
  const int axis = inside == 1 ? within[1] + 2 * within[2] : 0;
  const double turn = part(a->d, axis);
  const bool on_face = inside == 2 && fabs(dot(a->d, at->n)) < TOUCH_PARALLEL;
  const bool on_edge = inside == 1 && 1.0 - turn * turn < TOUCH_PARALLEL * TOUCH_PARALLEL;
  double range[2], end[2];

  touch_only(*at, out);
  if (!on_face && !on_edge) return;
  clip(a, e, within, range);
  const int n = touch_ends(range, s, a->r, end);
  for (int k = 0; k < n; ++k) {
    const vec3 p = along_segment(a, end[k]), q = beyond(p, e);
    const double size = sqrt(dot(q, q));
    /* on a face heights count, so that an end may go in; on an edge the distance from it */
    out[1 + k] =
        on_edge && size > 0.0
            ? touch_at(a, end[k], scale(1.0 / size, q), size)
            : touch_at(a, end[k], at->n, a->r - at->depth + (end[k] - s) * dot(a->d, at->n));
  }
}

/* The segment is in the box. Along the unit vector m the way out is
     sum_i e_i |m_i| + h |d . m| - c . m  */
static double find_way_out(const segment* a, const double e[3], vec3* n, int* axis) {
  double least = HUGE_VAL;

  for (int k = 0; k < 6; ++k) {
    vec3 m = k < 3 ? unit(k, 1.0) : cross(a->d, unit(k - 3, 1.0));
    const double size = sqrt(dot(m, m));
    if (size < 1e-6) continue;
    m = scale(copysign(1.0, dot(a->c, m)) / size, m);
    const double way = e[0] * fabs(m.x) + e[1] * fabs(m.y) + e[2] * fabs(m.z) +
                       a->h * fabs(dot(a->d, m)) - dot(a->c, m);
    if (way < least) least = way, *n = m, *axis = k;
  }
  return least;
}

/* Where the segment passes the edge along axis k that lies farthest along n: nearest points of two
   lines, with r = c - q, q the middle of the edge. */
static double pass_edge(const segment* a, const double e[3], vec3 n, int k) {
  const vec3 q = {k == 0 ? 0.0 : copysign(e[0], n.x), k == 1 ? 0.0 : copysign(e[1], n.y),
                  k == 2 ? 0.0 : copysign(e[2], n.z)};
  const vec3 r = sub(a->c, q);
  const double turn = part(a->d, k);
  return clamp_to((turn * part(r, k) - dot(a->d, r)) / (1.0 - turn * turn), a->h);
}

static void leave(const segment* a, const double e[3], touch_point out[ROUND_PLACES]) {
  vec3 n = {0.0, 0.0, 1.0};
  int axis = 0;
  const double way = find_way_out(a, e, &n, &axis), lean = dot(a->d, n);
  const double deep = axis > 2 ? pass_edge(a, e, n, axis - 3) : lean > 0.0 ? -a->h : a->h;
  const bool within[3] = {axis != 0, axis != 1, axis != 2};
  double range[2], end[2];

  touch_only(touch_at(a, deep, n, -way), out);
  if (axis > 2 || !(fabs(lean) < TOUCH_PARALLEL)) return;
  /* it lies along a face: the part over the face, as from outside */
  clip(a, e, within, range);
  if (!(range[1] > range[0])) return;
  const double s = lean > 0.0 ? range[0] : range[1];
  const double height = dot(along_segment(a, s), n) - e[axis];
  out[0] = touch_at(a, s, n, height);
  if (touch_ends(range, s, a->r, end) > 0)
    out[1] = touch_at(a, end[0], n, height + (end[0] - s) * lean);
}

void apl_touch_box(const segment* a, const double half[3], touch_point out[ROUND_PLACES]) {
  const double s = nearest(a, half);
  const vec3 over = beyond(along_segment(a, s), half);
  const double distance = sqrt(dot(over, over));

  if (distance < 1e-9 * (half[0] + half[1] + half[2])) {
    leave(a, half, out);
    return;
  }
  const touch_point at = touch_at(a, s, scale(1.0 / distance, over), distance);
  add_ends(a, half, s, &at, out);
}
