/* SPDX-License-Identifier: Apache-2.0 */
/* touch_cylinder.c: a segment with a radius against a cylinder of radius R and half length H along
   z. With rho the distance from the axis, the squared distance of the segment's points,

     F(s) = max(rho(s) - R, 0)^2 + max(|z(s)| - H, 0)^2

   is convex with continuous F': its zero is the nearest point. On the side and on a cap it has a
   closed form; on a rim it is a root of a quartic, bracketed to round-off. If the segment itself
   enters the cylinder, the penetration is an upper bound: the shortest of a few directions. */
#include "math/touch_impl.h"

#include <math.h>

typedef struct round_can {
  double R, H;
} round_can;

/* from the nearest point of the cylinder to p, zero inside */
static vec3 beyond(vec3 p, round_can b) {
  const real rho = real_hypot(p.x, p.y);
  const real out = real_part(rho) > b.R ? 1.0 - real_over(real_of(b.R), rho) : real_of(0.0);
  return (vec3){out * p.x, out * p.y, p.z - clamp_to(p.z, b.H)};
}

/* F'(s) / 2 */
static real slope(const segment* a, round_can b, real s) {
  return dot(beyond(along_segment(a, s), b), a->d);
}

/* F''(s) / 2: (1 - R/rho) |d_xy|^2 + R/rho^3 (p . d_xy)^2 of the round part and d_z^2 of the caps,
   each if the point is beyond it. Real parts only. */
static double bend(const segment* a, round_can b, double s) {
  const vec3 p = along_segment(a, real_of(s));
  const double x = real_part(p.x), y = real_part(p.y), rho = hypot(x, y);
  const double dx = real_part(a->d.x), dy = real_part(a->d.y), dz = real_part(a->d.z);
  double sum = fabs(real_part(p.z)) > b.H ? dz * dz : 0.0;

  if (rho > b.R) {
    const double in = b.R / rho, along = (x * dx + y * dy) / rho;
    sum += (1.0 - in) * (dx * dx + dy * dy) + in * along * along;
  }
  return sum;
}

/* The zero of the slope between low (negative) and high (positive): false position with the
   Illinois modification, and bisection as a last resort. The search uses real parts; the derivative
   of the zero, s' = -f' / (df/ds), is added afterwards. */
static real find_zero(const segment* a, round_can b, double low, double high) {
  double f0 = real_part(slope(a, b, real_of(low))), f1 = real_part(slope(a, b, real_of(high)));
  double s = low;

  for (int k = 0, side = 0; k < 80 && high - low > 1e-15 * a->h; ++k) {
    s = k < 60 ? low + (high - low) * f0 / (f0 - f1) : 0.5 * (low + high);
    const double f = real_part(slope(a, b, real_of(s)));
    if (f == 0.0) break;
    if (f < 0.0) {
      low = s;
      f0 = f;
      if (side == -1) f1 *= 0.5;
      side = -1;
    } else {
      high = s;
      f1 = f;
      if (side == 1) f0 *= 0.5;
      side = 1;
    }
  }
  const real f = slope(a, b, real_of(s));
  const double steep = bend(a, b, s);
  return steep > 0.0 ? s - (f - real_part(f)) / steep : real_of(s);
}

static real nearest(const segment* a, round_can b) {
  const real across = a->d.x * a->d.x + a->d.y * a->d.y;
  /* the side: the point nearest to the axis */
  if (real_part(across) > 1e-12) {
    const real s = clamp_to(real_over(-(a->c.x * a->d.x + a->c.y * a->d.y), across), a->h);
    const vec3 p = along_segment(a, s);
    const bool beside = fabs(real_part(p.z)) <= b.H && fabs(real_part(s)) < a->h;
    if (beside && real_part(real_hypot(p.x, p.y)) > b.R) return s;
  }
  if (real_part(slope(a, b, real_of(-a->h))) >= 0.0) return real_of(-a->h);
  if (real_part(slope(a, b, real_of(a->h))) <= 0.0) return real_of(a->h);
  return find_zero(a, b, -a->h, a->h);
}

/* The part of the segment over the cap: rho <= R. */
static void clip_cap(const segment* a, round_can b, real range[2]) {
  const real A = a->d.x * a->d.x + a->d.y * a->d.y, B = a->c.x * a->d.x + a->c.y * a->d.y,
             C = a->c.x * a->c.x + a->c.y * a->c.y - b.R * b.R;
  const real root = real_root(real_max(B * B - A * C, real_of(0.0)));

  range[0] = real_max(real_of(-a->h), real_over(-B - root, A));
  range[1] = real_min(real_of(a->h), real_over(-B + root, A));
}

/* The part of the segment beside the side: |z| <= H. */
static void clip_side(const segment* a, round_can b, real range[2]) {
  const double end = b.H * side_of(a->d.z);

  range[0] = real_max(real_of(-a->h), real_over(-end - a->c.z, a->d.z));
  range[1] = real_min(real_of(a->h), real_over(end - a->c.z, a->d.z));
}

/* If the segment lies along the side or a cap, add the ends of that line as contact points. */
static void add_ends(const segment* a, round_can b, real s, const touch_point* at,
                     touch_point out[ROUND_PLACES]) {
  const vec3 over = beyond(along_segment(a, s), b);
  const bool side = real_part(over.z) == 0.0;
  const bool cap = real_part(over.x) == 0.0 && real_part(over.y) == 0.0;
  const double lean = real_part(side ? real_hypot(a->d.x, a->d.y) : real_abs(a->d.z));
  real range[2], end[2];

  touch_only(*at, out);
  if (!(side || cap) || !(lean < TOUCH_PARALLEL) || a->h == 0.0) return;
  if (side) {
    clip_side(a, b, range);
  } else {
    clip_cap(a, b, range);
  }
  const int n = touch_ends(range, s, a->r, end);
  for (int k = 0; k < n; ++k) {
    const vec3 p = along_segment(a, end[k]);
    const real rho = real_hypot(p.x, p.y);
    out[1 + k] =
        side ? touch_at(a, end[k], (vec3){real_over(p.x, rho), real_over(p.y, rho), 0.0}, rho - b.R)
             : touch_at(a, end[k], at->n, real_abs(p.z) - b.H);
  }
}

/* The segment is inside the cylinder. The way out along the unit vector m is
     R |m normal to z| + H |m_z| + h |d . m| - c . m */
static touch_point way_out(const segment* a, round_can b) {
  const vec3 low = along_segment(a, real_of(-a->h)), high = along_segment(a, real_of(a->h));
  const vec3 try[] = {{0.0, 0.0, 1.0},       {low.x, low.y, 0.0},    {high.x, high.y, 0.0},
                      {a->c.x, a->c.y, 0.0}, {-a->d.y, a->d.x, 0.0}, {1.0, 0.0, 0.0}};
  real least = real_of(HUGE_VAL);
  vec3 n = try[0];

  for (size_t k = 0; k < sizeof try / sizeof *try; ++k) {
    const real size = length_of(try[k]);
    if (real_part(size) < 1e-9 * b.R) continue;
    const vec3 m = scale(real_over(real_of(side_of(dot(a->c, try[k]))), size), try[k]);
    const real way = b.R * real_hypot(m.x, m.y) + b.H * real_abs(m.z) +
                     a->h * real_abs(dot(a->d, m)) - dot(a->c, m);
    if (is_less(way, least)) least = way, n = m;
  }
  /* the deepest point; if all are equally deep, the one nearest to the axis */
  const double lean = real_part(dot(a->d, n));
  const real across = a->d.x * a->d.x + a->d.y * a->d.y;
  const real pass = real_part(across) > 1e-12
                        ? clamp_to(real_over(-(a->c.x * a->d.x + a->c.y * a->d.y), across), a->h)
                        : real_of(0.0);
  const real end = real_of(lean > 0.0 ? -a->h : a->h);
  return touch_at(a, fabs(lean) < 1e-9 ? pass : end, n, -least);
}

void apl_touch_cylinder(const segment* a, double radius, double half,
                        touch_point out[ROUND_PLACES]) {
  const round_can b = {radius, half};
  const real s = nearest(a, b);
  const vec3 over = beyond(along_segment(a, s), b);
  const real distance = length_of(over);

  if (real_part(distance) < 1e-9 * (radius + half)) {
    touch_only(way_out(a, b), out);
    return;
  }
  const touch_point at = touch_at(a, s, scale(real_over(real_of(1.0), distance), over), distance);
  add_ends(a, b, s, &at, out);
}
