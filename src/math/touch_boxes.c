/* SPDX-License-Identifier: Apache-2.0 */
/* touch_boxes.c: two boxes. Of the fifteen separating axes (face normals of both, and normals of
   two edges) the one with the largest gap gives the normal. For a face of one box the nearest face
   of the other is clipped at the sides of that face: up to eight corners, each with its own depth.
   For two edges there is one contact point.

   For separated boxes the gap along an axis is a lower bound of the distance, exact if a face or
   two edges are nearest. */
#include "math/touch_impl.h"

#include <math.h>

/* A box in the frame of the other: its centre, its axes and its half edges. */
typedef struct turned_box {
  vec3 c, axis[3];
  double e[3];
} turned_box;

static real reach(const turned_box* b, vec3 m) {
  return b->e[0] * real_abs(dot(b->axis[0], m)) + b->e[1] * real_abs(dot(b->axis[1], m)) +
         b->e[2] * real_abs(dot(b->axis[2], m));
}

/* The axis with the largest gap: 0 to 2 of b, 3 to 5 of a, then pairs of edges 3 i + j. n points
   into a. A face is preferred to two edges whose normal differs by round-off only. */
static int widest_gap(const turned_box* a, const turned_box* b, vec3* n) {
  const vec3 apart = sub(a->c, b->c);
  const double size = a->e[0] + a->e[1] + a->e[2] + b->e[0] + b->e[1] + b->e[2];
  double best = -HUGE_VAL;
  int which = 0;

  for (int k = 0; k < 15; ++k) {
    vec3 m = k < 3   ? b->axis[k]
             : k < 6 ? a->axis[k - 3]
                     : cross(b->axis[(k - 6) / 3], a->axis[(k - 6) % 3]);
    const real length = length_of(m);
    if (real_part(length) < 1e-6) continue; /* parallel edges: a face normal covers this case */
    m = scale(real_over(real_of(side_of(dot(apart, m))), length), m);
    const double gap = real_part(dot(apart, m) - reach(a, m) - reach(b, m));
    if (gap > best + (k < 6 ? 0.0 : 1e-6 * size)) best = gap, which = k, *n = m;
  }
  return which;
}

/* The middle of the edge along axis k that is farthest along m. */
static vec3 edge_middle(const turned_box* b, int k, vec3 m) {
  vec3 x = b->c;

  for (int i = 0; i < 3; ++i) {
    if (i != k) x = add(x, scale(b->e[i] * side_of(dot(b->axis[i], m)), b->axis[i]));
  }
  return x;
}

/* Nearest points of two edges: one contact point half way. */
static void meet_edges(const turned_box* a, int i, const turned_box* b, int j, vec3 n,
                       touch_point* out) {
  const vec3 p = edge_middle(a, i, neg(n)), q = edge_middle(b, j, n), r = sub(p, q);
  const real turn = dot(a->axis[i], b->axis[j]), ra = dot(a->axis[i], r), rb = dot(b->axis[j], r);
  const real s = clamp_to(real_over(turn * rb - ra, 1.0 - turn * turn), a->e[i]);
  const real t = clamp_to(turn * s + rb, b->e[j]);
  const vec3 x = add(p, scale(s, a->axis[i])), y = add(q, scale(t, b->axis[j]));

  out[0] = (touch_point){n, scale(real_of(0.5), add(x, y)), dot(n, sub(y, x))};
}

/* Clip a polygon at one side of axis i of the box; returns the number of remaining corners, at most
   one more. */
static int cut(const turned_box* b, int i, double side, const vec3* in, int n, vec3* out) {
  int left = 0;

  for (int k = 0; k < n; ++k) {
    const vec3 p = in[k], q = in[(k + 1) % n];
    const real hp = side * dot(b->axis[i], sub(p, b->c)) - b->e[i],
               hq = side * dot(b->axis[i], sub(q, b->c)) - b->e[i];
    const double dp = real_part(hp), dq = real_part(hq);
    if (dp <= 0.0 && left < TOUCH_MOST) out[left++] = p;
    if ((dp < 0.0) != (dq < 0.0) && dp != 0.0 && dq != 0.0 && left < TOUCH_MOST)
      out[left++] = add(p, scale(real_over(hp, hp - hq), sub(q, p)));
  }
  return left;
}

/* The face of `other` that is most opposed to m, its corners in order. */
static void nearest_face(const turned_box* other, vec3 m, vec3 corner[4]) {
  int k = 0;

  for (int i = 1; i < 3; ++i) {
    if (is_less(real_abs(dot(other->axis[k], m)), real_abs(dot(other->axis[i], m)))) k = i;
  }
  const int u = (k + 1) % 3, v = (k + 2) % 3;
  const vec3 middle =
      sub(other->c, scale(other->e[k] * side_of(dot(other->axis[k], m)), other->axis[k]));
  for (int i = 0; i < 4; ++i) {
    const double su = i == 0 || i == 3 ? 1.0 : -1.0, sv = i < 2 ? 1.0 : -1.0;
    corner[i] = add(middle, add(scale(su * other->e[u], other->axis[u]),
                                scale(sv * other->e[v], other->axis[v])));
  }
}

/* Corners of the other box's face over face `axis` of the box, whose outward normal is m. */
static void meet_face(const turned_box* box, int axis, vec3 m, const turned_box* other, vec3 n,
                      touch_point* out) {
  vec3 room[2][TOUCH_MOST];
  int count = 4, from = 0;

  nearest_face(other, m, room[0]);
  for (int i = 0; i < 3; ++i) {
    for (int side = -1; side < 2 && i != axis; side += 2) {
      count = cut(box, i, side, room[from], count, room[1 - from]);
      from = 1 - from;
    }
  }
  for (int k = 0; k < count; ++k) {
    const vec3 p = room[from][k];
    const real depth = box->e[axis] - dot(m, sub(p, box->c));
    out[k] = (touch_point){n, add(p, scale(0.5 * depth, m)), depth};
  }
}

void apl_touch_boxes(const pose* A, const double a[3], const double b[3], touch_point* out) {
  const mat3 R = A->R;
  const turned_box one = {
      A->p, {{R.xx, R.yx, R.zx}, {R.xy, R.yy, R.zy}, {R.xz, R.yz, R.zz}}, {a[0], a[1], a[2]}};
  const turned_box two = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {b[0], b[1], b[2]}};
  vec3 n = {0, 0, 1};
  const int axis = widest_gap(&one, &two, &n);

  for (int k = 0; k < TOUCH_MOST; ++k)
    out[k] = touch_none();
  if (axis < 3) {
    meet_face(&two, axis, n, &one, n, out);
  } else if (axis < 6) {
    meet_face(&one, axis - 3, neg(n), &two, n, out);
  } else {
    meet_edges(&one, (axis - 6) % 3, &two, (axis - 6) / 3, n, out);
  }
}
