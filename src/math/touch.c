/* SPDX-License-Identifier: Apache-2.0 */
/* touch.c: the table of pairs of solids, and the short ones. See solid.h. */
#include "math/touch_impl.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- pairs ---- */

static vec3 z_of(mat3 R) {
  return (vec3){R.xz, R.yz, R.zz};
}

/* The core segment of a sphere or a capsule, in the world. */
static segment core(const solid* a, const pose* A) {
  return (segment){A->p, z_of(A->R), a->kind == SOLID_CAPSULE ? a->size[1] : 0.0, a->size[0]};
}

/* The same in the frame of another solid. */
static segment core_in(const solid* a, const pose* A, const pose* B) {
  segment g = core(a, A);
  g.c = mul_t(B->R, sub(g.c, B->p));
  g.d = mul_t(B->R, g.d);
  return g;
}

static void to_world(const pose* B, touch_point* t, int n) {
  for (int i = 0; i < n; ++i) {
    t[i].n = mul(B->R, t[i].n);
    t[i].x = add(mul(B->R, t[i].x), B->p);
  }
}

/* A unit vector normal to d. */
static vec3 any_across(vec3 d) {
  const vec3 e = fabs(real_part(d.x)) < 0.7 ? (vec3){1.0, 0.0, 0.0} : (vec3){0.0, 1.0, 0.0};
  const vec3 a = cross(d, e);
  return scale(real_over(real_of(1.0), length_of(a)), a);
}

/* Contact point of two round solids at the parameters s and t of their cores. */
static touch_point round_at(const segment* a, real s, const segment* b, real t) {
  const vec3 q = along_segment(b, t), apart = sub(along_segment(a, s), q);
  const real distance = length_of(apart);
  vec3 n;

  if (real_part(distance) > 1e-12 * (a->r + b->r)) {
    n = scale(real_over(real_of(1.0), distance), apart);
  } else {
    /* the cores intersect: the normal is normal to both */
    const vec3 both = cross(a->d, b->d);
    const real size = length_of(both);
    n = real_part(size) > 1e-6 ? scale(real_over(real_of(1.0), size), both) : any_across(a->d);
  }
  const real depth = a->r + b->r - distance;
  return (touch_point){n, add(q, scale(b->r - 0.5 * depth, n)), depth};
}

/* Nearest points of two segments, inside or at an end: with r = c_a - c_b,
     s = ((d_a . d_b) (d_b . r) - d_a . r) / (1 - (d_a . d_b)^2),   t = d_b . (r + s d_a) */
static void round_round(const solid* a, const pose* A, const solid* b, const pose* B,
                        touch_point* out) {
  const segment g = core(a, A), k = core(b, B);
  const vec3 r = sub(g.c, k.c);
  const real turn = dot(g.d, k.d), ra = dot(g.d, r), rb = dot(k.d, r), square = 1.0 - turn * turn;
  const double sine = real_part(square); /* squared */
  /* exactly parallel: all points of the common line are nearest; take its end */
  real s = sine > 1e-14 ? clamp_to(real_over(turn * rb - ra, square), g.h) : real_of(-g.h);
  const real t = clamp_to(turn * s + rb, k.h);

  s = clamp_to(turn * t - ra, g.h);
  touch_only(round_at(&g, s, &k, t), out);
  if (!(sine < TOUCH_PARALLEL * TOUCH_PARALLEL) || g.h == 0.0 || k.h == 0.0) return;
  /* nearly parallel: the part of a beside b */
  const real line[2] = {real_max(real_of(-g.h), -ra - real_abs(turn) * k.h),
                        real_min(real_of(g.h), -ra + real_abs(turn) * k.h)};
  real end[2];
  const int n = touch_ends(line, s, g.r + k.r, end);
  for (int i = 0; i < n; ++i)
    out[1 + i] = round_at(&g, end[i], &k, clamp_to(turn * end[i] + rb, k.h));
}

static void round_cylinder(const solid* a, const pose* A, const solid* b, const pose* B,
                           touch_point* out) {
  const segment g = core_in(a, A, B);

  apl_touch_cylinder(&g, b->size[0], b->size[1], out);
  to_world(B, out, ROUND_PLACES);
}

static void round_box(const solid* a, const pose* A, const solid* b, const pose* B,
                      touch_point* out) {
  const segment g = core_in(a, A, B);

  apl_touch_box(&g, b->size, out);
  to_world(B, out, ROUND_PLACES);
}

static void box_box(const solid* a, const pose* A, const solid* b, const pose* B,
                    touch_point* out) {
  const mat3 T = {B->R.xx, B->R.yx, B->R.zx, B->R.xy, B->R.yy, B->R.zy, B->R.xz, B->R.yz, B->R.zz};
  const pose in = {mat3_mul(T, A->R), mul_t(B->R, sub(A->p, B->p))};

  apl_touch_boxes(&in, a->size, b->size, out);
  to_world(B, out, TOUCH_MOST);
}

/* A ball inside a pipe: n points towards the axis, depth = rho + r - R. There is no contact beyond
   the ends of the pipe, and none for a point that is entirely outside: a ball deeper than its
   diameter, a corner farther out than the wall is from the axis. */
static touch_point in_pipe(vec3 p, double r, const solid* pipe) {
  const double R = pipe->size[0];
  const real rho = real_hypot(p.x, p.y), depth = rho + r - R;
  const bool outside = real_part(depth) > (r > 0.0 ? 2.0 * r : R);
  if (fabs(real_part(p.z)) > pipe->size[1] * (1.0 + 1e-12) || outside) return touch_none();

  const vec3 n = real_part(rho) > 1e-12 * R
                     ? (vec3){real_over(-p.x, rho), real_over(-p.y, rho), 0.0}
                     : (vec3){1.0, 0.0, 0.0};
  return (touch_point){n, sub(p, scale(r - 0.5 * depth, n)), depth};
}

/* The distance of a segment's points from the axis is convex, so it is largest at an end. The mouth
   of a pipe has no edge: an end outside of the pipe does not touch. */
static void round_pipe(const solid* a, const pose* A, const solid* b, const pose* B,
                       touch_point* out) {
  const segment g = core_in(a, A, B);

  out[0] = in_pipe(along_segment(&g, real_of(-g.h)), g.r, b);
  out[1] = g.h > 0.0 ? in_pipe(along_segment(&g, real_of(g.h)), g.r, b) : touch_none();
  to_world(B, out, 2);
}

/* Corners of a box. Its edges are chords between them, so they do not touch a round pipe. */
static void box_pipe(const solid* a, const pose* A, const solid* b, const pose* B,
                     touch_point* out) {
  for (int k = 0; k < 8; ++k) {
    const vec3 corner = {k & 1 ? a->size[0] : -a->size[0], k & 2 ? a->size[1] : -a->size[1],
                         k & 4 ? a->size[2] : -a->size[2]};
    const vec3 x = add(mul(A->R, corner), A->p);
    out[k] = in_pipe(mul_t(B->R, sub(x, B->p)), 0.0, b);
  }
  to_world(B, out, 8);
}

/* ----------------------------------------------------------------------------------- table ---- */

typedef struct touch_row {
  void (*measure)(const solid*, const pose*, const solid*, const pose*, touch_point*);
  int count;
} touch_row;

/* By the kinds of both solids; an entry is used for both orders. */
static const touch_row table[SOLIDS][SOLIDS] = {
    [SOLID_SPHERE] = {[SOLID_SPHERE] = {round_round, 1},
                      [SOLID_CAPSULE] = {round_round, 1},
                      [SOLID_CYLINDER] = {round_cylinder, 1},
                      [SOLID_BOX] = {round_box, 1},
                      [SOLID_PIPE] = {round_pipe, 1}},
    [SOLID_CAPSULE] = {[SOLID_CAPSULE] = {round_round, ROUND_PLACES},
                       [SOLID_CYLINDER] = {round_cylinder, ROUND_PLACES},
                       [SOLID_BOX] = {round_box, ROUND_PLACES},
                       [SOLID_PIPE] = {round_pipe, 2}},
    [SOLID_BOX] = {[SOLID_BOX] = {box_box, TOUCH_MOST}, [SOLID_PIPE] = {box_pipe, 8}},
};

int apl_touch_count(solid_kind a, solid_kind b) {
  if (a >= SOLIDS || b >= SOLIDS) return 0;
  return table[a][b].count > 0 ? table[a][b].count : table[b][a].count;
}

void apl_touch_measure(const solid* a, const pose* A, const solid* b, const pose* B,
                       touch_point* out) {
  const touch_row* row = &table[a->kind][b->kind];
  touch_point found[TOUCH_MOST];

  if (row->measure != NULL) {
    row->measure(a, A, b, B, found);
  } else {
    row = &table[b->kind][a->kind];
    row->measure(b, B, a, A, found);
    for (int k = 0; k < row->count; ++k)
      found[k].n = neg(found[k].n);
  }
  memcpy(out, found, sizeof *out * (size_t)row->count);
}

/* Frisvad 2012, mirrored if n points down:
     e1 = (1 - x^2/(1+z), -x y/(1+z), -x),   e2 = (-x y/(1+z), 1 - y^2/(1+z), -y) */
void apl_touch_axes(vec3 e[3]) {
  const bool down = real_part(e[0].z) < -0.9;
  const vec3 n = down ? (vec3){-e[0].x, e[0].y, -e[0].z} : e[0];
  const real w = real_over(real_of(1.0), 1.0 + n.z);
  const vec3 a = {1.0 - n.x * n.x * w, -n.x * n.y * w, -n.x};

  /* a half turn about y takes the mirrored frame back */
  e[1] = down ? (vec3){-a.x, a.y, -a.z} : a;
  e[2] = cross(e[0], e[1]);
}

int apl_touch_places(const solid* a, const double* A, const solid* b, const double* B,
                     double* out) {
  const int n = apl_touch_count(a->kind, b->kind);
  touch_point found[TOUCH_MOST];
  pose XA, XB;

  memcpy(&XA, A, sizeof XA);
  memcpy(&XB, B, sizeof XB);
  apl_touch_measure(a, &XA, b, &XB, found);
  for (int k = 0; k < n; ++k) {
    touch_place place = {.axis = {found[k].n}, .x = found[k].x, .depth = found[k].depth};
    apl_touch_axes(place.axis);
    memcpy(out + k * (int)(sizeof place / sizeof *out), &place, sizeof place);
  }
  return n;
}
