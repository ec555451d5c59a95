/* touch_cylinder.c: a segment with a radius against a cylinder of radius R and half length H along
   z. With rho the distance from the axis, the squared distance of the segment's points,

     F(s) = max(rho(s) - R, 0)^2 + max(|z(s)| - H, 0)^2

   is convex and F' continuous: its zero is where the segment is nearest. On the side and on a cap
   that has a closed form; on a rim it is a root of a quartic, found by a bracket that shrinks to
   round-off. Where the segment itself goes into the cylinder, the way out is an upper bound: the
   shortest of a few directions. */
#include "math/touch_impl.h"

#include <math.h>

typedef struct round_can {
  double R, H;
} round_can;

/* from the nearest point of the cylinder to p, zero inside */
static vec3 beyond(vec3 p, round_can b) {
  const double rho = hypot(p.x, p.y), out = rho > b.R ? 1.0 - b.R / rho : 0.0;
  return (vec3){out * p.x, out * p.y, p.z - clamp_to(p.z, b.H)};
}

/* F'(s) / 2 */
static double slope(const segment* a, round_can b, double s) {
  return dot(beyond(along_segment(a, s), b), a->d);
}

/* The zero of the slope between low, where it is negative, and high, where it is positive: false
   position, with the end that stays weighed half (Illinois), and halving as a last resort. */
static double find_zero(const segment* a, round_can b, double low, double high) {
  double f0 = slope(a, b, low), f1 = slope(a, b, high), s = low;

  for (int k = 0, side = 0; k < 80 && high - low > 1e-15 * a->h; ++k) {
    s = k < 60 ? low + (high - low) * f0 / (f0 - f1) : 0.5 * (low + high);
    const double f = slope(a, b, s);
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
  return s;
}

static double nearest(const segment* a, round_can b) {
  const double across = a->d.x * a->d.x + a->d.y * a->d.y;
  /* the side: where the segment passes the axis */
  if (across > 1e-12) {
    const double s = clamp_to(-(a->c.x * a->d.x + a->c.y * a->d.y) / across, a->h);
    const vec3 p = along_segment(a, s);
    if (fabs(p.z) <= b.H && hypot(p.x, p.y) > b.R && fabs(s) < a->h) return s;
  }
  if (slope(a, b, -a->h) >= 0.0) return -a->h;
  if (slope(a, b, a->h) <= 0.0) return a->h;
  return find_zero(a, b, -a->h, a->h);
}

/* Part of the segment over the cap: rho <= R. */
static void clip_cap(const segment* a, round_can b, double range[2]) {
  const double A = a->d.x * a->d.x + a->d.y * a->d.y, B = a->c.x * a->d.x + a->c.y * a->d.y,
               C = a->c.x * a->c.x + a->c.y * a->c.y - b.R * b.R;
  const double root = sqrt(fmax(B * B - A * C, 0.0));

  range[0] = fmax(-a->h, (-B - root) / A);
  range[1] = fmin(a->h, (-B + root) / A);
}

/* Part of the segment beside the side: |z| <= H. */
static void clip_side(const segment* a, round_can b, double range[2]) {
  const double end = copysign(b.H, a->d.z);

  range[0] = fmax(-a->h, (-end - a->c.z) / a->d.z);
  range[1] = fmin(a->h, (end - a->c.z) / a->d.z);
}

/* The ends of the line along which the segment lies on the side or on a cap, if it does. */
static void add_ends(const segment* a, round_can b, double s, const touch_point* at,
                     touch_point out[ROUND_PLACES]) {
  const vec3 over = beyond(along_segment(a, s), b);
  const bool side = over.z == 0.0, cap = over.x == 0.0 && over.y == 0.0;
  const double lean = side ? hypot(a->d.x, a->d.y) : fabs(a->d.z);
  double range[2], end[2];

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
    const double rho = hypot(p.x, p.y);
    out[1 + k] = side ? touch_at(a, end[k], (vec3){p.x / rho, p.y / rho, 0.0}, rho - b.R)
                      : touch_at(a, end[k], at->n, fabs(p.z) - b.H);
  }
}

/* The segment is in the cylinder. Along the unit vector m the way out is
     R |m across z| + H |m_z| + h |d . m| - c . m  */
static touch_point way_out(const segment* a, round_can b) {
  const vec3 low = along_segment(a, -a->h), high = along_segment(a, a->h);
  const vec3 try[] = {{0.0, 0.0, 1.0},       {low.x, low.y, 0.0},    {high.x, high.y, 0.0},
                      {a->c.x, a->c.y, 0.0}, {-a->d.y, a->d.x, 0.0}, {1.0, 0.0, 0.0}};
  double least = HUGE_VAL;
  vec3 n = try[0];

  for (size_t k = 0; k < sizeof try / sizeof *try; ++k) {
    const double size = sqrt(dot(try[k], try[k]));
    if (size < 1e-9 * b.R) continue;
    const vec3 m = scale(copysign(1.0, dot(a->c, try[k])) / size, try[k]);
    const double way =
        b.R * hypot(m.x, m.y) + b.H * fabs(m.z) + a->h * fabs(dot(a->d, m)) - dot(a->c, m);
    if (way < least) least = way, n = m;
  }
  /* where it is deepest; all along it is, where it passes the axis */
  const double lean = dot(a->d, n), across = a->d.x * a->d.x + a->d.y * a->d.y;
  const double pass =
      across > 1e-12 ? clamp_to(-(a->c.x * a->d.x + a->c.y * a->d.y) / across, a->h) : 0.0;
  return touch_at(a, fabs(lean) < 1e-9 ? pass : lean > 0.0 ? -a->h : a->h, n, -least);
}

void apl_touch_cylinder(const segment* a, double radius, double half,
                        touch_point out[ROUND_PLACES]) {
  const round_can b = {radius, half};
  const double s = nearest(a, b);
  const vec3 over = beyond(along_segment(a, s), b);
  const double distance = sqrt(dot(over, over));

  if (distance < 1e-9 * (radius + half)) {
    touch_only(way_out(a, b), out);
    return;
  }
  const touch_point at = touch_at(a, s, scale(1.0 / distance, over), distance);
  add_ends(a, b, s, &at, out);
}
