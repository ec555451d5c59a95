/* SPDX-License-Identifier: Apache-2.0 */
/* test_touch.c: distances, normals and points of all pairs of solids. For convex solids the signed
   distance has a second definition that knows only how far a solid reaches along a direction m:

     depth = min over unit m of  sup {b . m : b in B} - inf {a . m : a in A}

   a search over the sphere of directions finds it for solids apart and in each other. The inside of
   a pipe is searched with points of the other solid. Rates are compared with differences of depths
   of moving solids. */
#include "near.h"
#include "random.h"

#include "math/solid.h"

#include <string.h>

enum { DIRECTIONS = 150, SEEDS = 3, TRIES = 10, CLOUD = 4000 };

typedef struct pair {
  solid a, b;
  pose A, B;
} pair;

/* ------------------------------------------------------------------------------ brute force ----
 */

/* sup of x . m over the solid */
static double reach_along(const solid* s, const pose* X, vec3 m) {
  const vec3 u = mul_t(X->R, m);
  const double *e = s->size, at = dot(X->p, m);

  switch (s->kind) {
  case SOLID_SPHERE:
    return at + e[0] * sqrt(dot(m, m));
  case SOLID_CAPSULE:
    return at + e[0] * sqrt(dot(m, m)) + e[1] * fabs(u.z);
  case SOLID_CYLINDER:
    return at + e[0] * hypot(u.x, u.y) + e[1] * fabs(u.z);
  case SOLID_BOX:
    return at + e[0] * fabs(u.x) + e[1] * fabs(u.y) + e[2] * fabs(u.z);
  case SOLID_PIPE:
  case SOLIDS:
    break;
  }
  return NEAR_NAN;
}

/* how far b must go along m to be rid of a */
static double way_along(const pair* p, vec3 m) {
  return reach_along(&p->b, &p->B, m) + reach_along(&p->a, &p->A, neg(m));
}

static vec3 unit_of(vec3 a) {
  return scale(1.0 / sqrt(dot(a, a)), a);
}

/* Down from m by steps that shrink: over the sphere, or along the circle across `pole`. */
static double refine(const pair* p, vec3 m, const vec3* pole) {
  double best = way_along(p, m);

  for (double step = 0.1; step > 1e-11;) {
    const vec3 a = unit_of(fabs(m.x) < 0.7 ? cross(m, (vec3){1, 0, 0}) : cross(m, (vec3){0, 1, 0}));
    const vec3 b = cross(m, a);
    bool better = false;
    for (int k = 0; k < (pole == NULL ? 16 : 2); ++k) {
      const double angle = 0.39269908169872414 * k;
      const vec3 side = pole == NULL ? add(scale(cos(angle), a), scale(sin(angle), b))
                                     : scale(k == 0 ? 1 : -1, cross(*pole, m));
      const vec3 next = unit_of(add(m, scale(step, side)));
      const double way = way_along(p, next);
      if (way < best) best = way, m = next, better = true;
    }
    if (!better) step *= 0.25;
  }
  return best;
}

static int axes_of(const pose* X, const solid* s, vec3* out) {
  const mat3 R = X->R;
  out[0] = (vec3){R.xz, R.yz, R.zz};
  out[1] = (vec3){R.xx, R.yx, R.zx};
  out[2] = (vec3){R.xy, R.yy, R.zy};
  return s->kind == SOLID_BOX ? 3 : 1;
}

/* The minimised function has edges at the axes of solids and is smooth between them: search the
   faces from a spiral of seeds, each edge, and each corner. */
static double brute_depth(const pair* p) {
  vec3 axis[6];
  const int na = axes_of(&p->A, &p->a, axis), n = na + axes_of(&p->B, &p->b, axis + na);
  double best = HUGE_VAL;

  vec3 seed[DIRECTIONS];
  for (int k = 0; k < DIRECTIONS; ++k) {
    const double z = 1.0 - 2.0 * (k + 0.5) / DIRECTIONS, r = sqrt(1.0 - z * z), f = 2.399963 * k;
    seed[k] = (vec3){r * cos(f), r * sin(f), z};
  }
  for (int k = 0; k < SEEDS; ++k) { /* the best go first, and are refined */
    for (int i = k + 1; i < DIRECTIONS; ++i) {
      const vec3 m = seed[i];
      if (way_along(p, m) < way_along(p, seed[k])) seed[i] = seed[k], seed[k] = m;
    }
    best = fmin(best, refine(p, seed[k], NULL));
  }
  for (int i = 0; i < n; ++i) {
    const vec3 a = unit_of(fabs(axis[i].x) < 0.7 ? cross(axis[i], (vec3){1, 0, 0})
                                                 : cross(axis[i], (vec3){0, 1, 0})),
               b = cross(axis[i], a);
    for (int k = 0; k < 24; ++k)
      best = fmin(best,
                  refine(p, add(scale(cos(0.2618 * k), a), scale(sin(0.2618 * k), b)), &axis[i]));
    best = fmin(best, fmin(way_along(p, axis[i]), way_along(p, neg(axis[i]))));
    for (int j = 0; j < i; ++j) {
      const vec3 m = cross(axis[i], axis[j]);
      if (dot(m, m) < 1e-6) continue;
      best = fmin(best, fmin(way_along(p, unit_of(m)), way_along(p, neg(unit_of(m)))));
    }
  }
  return best;
}

/* ------------------------------------------------------------------------------------ pairs ----
 */

static pose any_pose(rng* r, double far) {
  double q[4], size = 0;
  for (int i = 0; i < 4; ++i)
    q[i] = rng_between(r, -1, 1), size += q[i] * q[i];
  for (int i = 0; i < 4; ++i)
    q[i] /= sqrt(size);
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  return (pose){{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),
                 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)},
                {rng_between(r, -far, far), rng_between(r, -far, far), rng_between(r, -far, far)}};
}

static solid any_solid(rng* r, solid_kind kind) {
  return (solid){kind, {rng_between(r, 0.2, 0.6), rng_between(r, 0.2, 1), rng_between(r, 0.2, 1)}};
}

static double deepest(const touch_point* t, int n, int* which) {
  *which = 0;
  for (int k = 1; k < n; ++k)
    if (t[k].depth > t[*which].depth) *which = k;
  return t[*which].depth;
}

/* Normal and points are those of the depth: a reaches down to its point, b up to its own. */
static void check_place(const pair* p, const touch_point* t) {
  const vec3 of_a = sub(t->x, scale(0.5 * t->depth, t->n)),
             of_b = add(t->x, scale(0.5 * t->depth, t->n));

  CHECK_NEAR(dot(t->n, t->n), 1.0, 1e-14);
  CHECK_NEAR(dot(of_a, t->n), -reach_along(&p->a, &p->A, neg(t->n)), 1e-12);
  CHECK_NEAR(dot(of_b, t->n), reach_along(&p->b, &p->B, t->n), 1e-12);
}

/* A capsule whose core is in the other solid: only a bound is promised against cylinders. */
static bool is_bound(solid_kind a, solid_kind b, const solid* capsule, double depth) {
  const bool can = a == SOLID_CYLINDER || b == SOLID_CYLINDER;
  return can && depth > capsule->size[0];
}

/* Boxes: the normal is the way out, and places lie in both boxes where these overlap, as deep as
   they say; apart, no place does, and the gap is no more than the distance. */
static void check_boxes(const pair* p, const touch_point* t, double brute) {
  int which;
  const double depth = deepest(t, TOUCH_MOST, &which);

  if (brute > 1e-6) {
    CHECK_TRUE(depth > 0.0, "an overlap of %g is not seen", brute);
    CHECK_NEAR(way_along(p, t[which].n), brute, 1e-5); /* faces come before edges by that much */
  } else {
    CHECK_TRUE(depth < 1e-9, "boxes %g apart have a depth of %g", -brute, depth);
  }
  for (int k = 0; k < TOUCH_MOST; ++k) {
    if (!(t[k].depth > 0.0)) continue;
    const vec3 u = mul_t(p->A.R, sub(t[k].x, p->A.p)), v = mul_t(p->B.R, sub(t[k].x, p->B.p));
    const double off = 0.5 * t[k].depth + 1e-9; /* half way between the two surfaces */
    CHECK_TRUE(fabs(u.x) < p->a.size[0] + off && fabs(u.y) < p->a.size[1] + off &&
                   fabs(u.z) < p->a.size[2] + off,
               "place %d is not in a", k);
    CHECK_TRUE(fabs(v.x) < p->b.size[0] + off && fabs(v.y) < p->b.size[1] + off &&
                   fabs(v.z) < p->b.size[2] + off,
               "place %d is not in b", k);
  }
}

static void test_distances(void** state) {
  rng r = rng_seed(14);
  int in = 0, out = 0, bounds = 0;

  (void)state;
  for (int i = 0; i < SOLID_PIPE; ++i) {
    for (int j = 0; j < SOLID_PIPE; ++j) {
      const int n = apl_touch_count((solid_kind)i, (solid_kind)j);
      for (int k = 0; k < (n > 0 ? TRIES : 0); ++k) {
        const pair p = {any_solid(&r, (solid_kind)i), any_solid(&r, (solid_kind)j),
                        any_pose(&r, 0.9), any_pose(&r, 0.9)};
        touch_point t[TOUCH_MOST];
        int which;
        near_context("%s on %s, %d", apl_solid_word(p.a.kind), apl_solid_word(p.b.kind), k);
        apl_touch_measure(&p.a, &p.A, &p.b, &p.B, t);
        const double depth = deepest(t, n, &which), brute = brute_depth(&p);
        if (i == SOLID_BOX && j == SOLID_BOX) {
          check_boxes(&p, t, brute);
          continue;
        }
        *(depth > 0 ? &in : &out) += 1;
        check_place(&p, &t[which]);
        if (is_bound(p.a.kind, p.b.kind, p.a.kind < SOLID_CYLINDER ? &p.a : &p.b, depth)) {
          ++bounds;
          CHECK_TRUE(depth > brute - 1e-9, "less than the way out");
          continue;
        }
        /* the search ends at steps of 1e-11 of a radian on solids of a metre */
        CHECK_NEAR(depth, brute, 1e-9);
      }
    }
  }
  CHECK_TRUE(in > 30 && out > 30 && bounds < in / 4, "few of a kind");
}

/* The ball of the core that is farthest from the axis touches. */
static void test_pipe(void** state) {
  rng r = rng_seed(15);

  (void)state;
  for (int k = 0; k < 40; ++k) {
    const solid pipe = {SOLID_PIPE, {1.0, 3.0, 0.0}};
    const solid a = any_solid(&r, k % 2 == 0 ? SOLID_CAPSULE : SOLID_SPHERE);
    const pose B = any_pose(&r, 1.0);
    pose A = any_pose(&r, 0.5);
    touch_point t[TOUCH_MOST];
    double most = -HUGE_VAL;
    int which;
    near_context("pipe %d", k);
    A.p = add(B.p, mul(B.R, A.p));
    apl_touch_measure(&a, &A, &pipe, &B, t);
    const double depth = deepest(t, apl_touch_count(a.kind, SOLID_PIPE), &which);
    /* farthest from the axis of a ball about a point of the core: its rho + r */
    for (int i = 0; i <= CLOUD; ++i) {
      const double s = a.kind == SOLID_CAPSULE ? a.size[1] * (2.0 * i / CLOUD - 1.0) : 0.0;
      const vec3 x = add(A.p, mul(A.R, (vec3){0, 0, s})), u = mul_t(B.R, sub(x, B.p));
      most = fmax(most, hypot(u.x, u.y) + a.size[0] - 1.0);
    }
    CHECK_NEAR(depth, most, 1e-12);
    CHECK_NEAR(dot(t[which].n, mul(B.R, (vec3){0, 0, 1})), 0.0, 1e-14);
  }
}

/* Corners of a box touch a pipe as they come: inside it, and when they have gone into its wall. */
static void test_box_in_pipe(void** state) {
  const solid pipe = {SOLID_PIPE, {1.0, 3.0, 0.0}};
  rng r = rng_seed(16);
  int in = 0, out = 0;

  (void)state;
  for (int k = 0; k < 40; ++k) {
    const solid a = any_solid(&r, SOLID_BOX);
    const pose B = any_pose(&r, 1.0);
    pose A = any_pose(&r, 0.5);
    touch_point t[TOUCH_MOST];
    near_context("box in pipe %d", k);
    A.p = add(B.p, mul(B.R, A.p));
    apl_touch_measure(&a, &A, &pipe, &B, t);
    for (int i = 0; i < 8; ++i) {
      const vec3 corner = {i & 1 ? a.size[0] : -a.size[0], i & 2 ? a.size[1] : -a.size[1],
                           i & 4 ? a.size[2] : -a.size[2]};
      const vec3 u = mul_t(B.R, sub(add(A.p, mul(A.R, corner)), B.p));
      const double depth = hypot(u.x, u.y) - 1.0;
      if (depth > 1.0) continue; /* it has gone through */
      CHECK_NEAR(t[i].depth, depth, 1e-12);
      in += depth < 0.0;
      out += depth > 0.0;
    }
  }
  CHECK_TRUE(in > 30 && out > 30, "few of a kind: %d and %d", in, out);
}

/* Turned by the rotation vector w, which is small: second order in w is kept. */
static pose moved(pose X, vec3 v, vec3 w, double e) {
  const vec3 u = scale(e, w);
  const double size = sqrt(dot(u, u)), s = size > 0 ? sin(size) / size : 1,
               c = size > 0 ? (1 - cos(size)) / (size * size) : 0.5;
  const vec3 col[3] = {
      {X.R.xx, X.R.yx, X.R.zx}, {X.R.xy, X.R.yy, X.R.zy}, {X.R.xz, X.R.yz, X.R.zz}};
  vec3 out[3];
  for (int i = 0; i < 3; ++i)
    out[i] = add(col[i], add(scale(s, cross(u, col[i])), scale(c, cross(u, cross(u, col[i])))));
  return (pose){
      {out[0].x, out[1].x, out[2].x, out[0].y, out[1].y, out[2].y, out[0].z, out[1].z, out[2].z},
      add(X.p, scale(e, v))};
}

static vec3 any_vector(rng* r) {
  return (vec3){rng_between(r, -1, 1), rng_between(r, -1, 1), rng_between(r, -1, 1)};
}

/* D' = -n . (v_a - v_b) at the point that touches, of every place of every pair, pipes included. */
static void test_rates(void** state) {
  rng r = rng_seed(16);
  const double e = 1e-6;
  int seen = 0, kinks = 0;

  (void)state;
  for (int i = 0; i < 4 * SOLIDS * SOLIDS * TRIES; ++i) {
    const solid_kind ka = (solid_kind)(i % SOLIDS), kb = (solid_kind)(i / SOLIDS % SOLIDS);
    const int n = apl_touch_count(ka, kb);
    pair p = {any_solid(&r, ka), any_solid(&r, kb), any_pose(&r, 0.6), any_pose(&r, 0.6)};
    const vec3 va = any_vector(&r), wa = any_vector(&r), vb = any_vector(&r), wb = any_vector(&r);
    touch_point t[TOUCH_MOST], t0[TOUCH_MOST], t1[TOUCH_MOST];
    /* corners of faces of boxes come, go and slide */
    if (n == 0 || (ka == SOLID_BOX && kb == SOLID_BOX)) continue;

    if (i % 3 == 0) p.A.R = p.B.R; /* parallel, too */
    const pose A0 = moved(p.A, va, wa, -e), A1 = moved(p.A, va, wa, e), B0 = moved(p.B, vb, wb, -e),
               B1 = moved(p.B, vb, wb, e);
    apl_touch_measure(&p.a, &p.A, &p.b, &p.B, t);
    apl_touch_measure(&p.a, &A0, &p.b, &B0, t0);
    apl_touch_measure(&p.a, &A1, &p.b, &B1, t1);
    for (int k = 0; k < n; ++k) {
      if (t[k].depth == TOUCH_NONE || t0[k].depth == TOUCH_NONE || t1[k].depth == TOUCH_NONE)
        continue;
      const vec3 v =
          sub(add(va, cross(wa, sub(t[k].x, p.A.p))), add(vb, cross(wb, sub(t[k].x, p.B.p))));
      const double rate = -dot(t[k].n, v), left = (t[k].depth - t0[k].depth) / e,
                   right = (t1[k].depth - t[k].depth) / e;
      if (is_bound(ka, kb, ka < SOLID_CYLINDER ? &p.a : &p.b, t[k].depth)) continue;
      /* an edge or a change of the nearest face within 1e-6 m has two rates */
      ++seen;
      if (fabs(left - right) > 1e-4) {
        kinks += i % 3 != 0; /* parallel solids are at a kink */
        continue;
      }
      near_context("%s on %s, %d", apl_solid_word(ka), apl_solid_word(kb), i);
      /* second differences: e over the smallest radius; far ends of nearly parallel solids are
         cut where the other one ends, and slide along with that */
      CHECK_NEAR(0.5 * (left + right), rate, k > 0 || i % 3 == 0 ? 0.05 : 1e-4);
    }
  }
  CHECK_TRUE(seen > 200 && kinks < seen / 20, "few rates");
}

/* The lowest and the highest place of a pair, all of which have this depth. */
static void check_line(const solid* a, const pose* A, const solid* b, double depth, double low,
                       double high) {
  const pose B = {mat3_identity(), {0, 0, 0}};
  touch_point t[TOUCH_MOST];
  double least = HUGE_VAL, most = -HUGE_VAL;

  near_context("along a %s", apl_solid_word(b->kind));
  apl_touch_measure(a, A, b, &B, t);
  for (int k = 0; k < apl_touch_count(a->kind, b->kind); ++k) {
    if (t[k].depth == TOUCH_NONE) continue;
    CHECK_NEAR(t[k].depth, depth, 1e-15);
    CHECK_NEAR(t[k].n.x, 1.0, 1e-15);
    least = fmin(least, t[k].x.z);
    most = fmax(most, t[k].x.z);
  }
  CHECK_NEAR(least, low, 1e-15);
  CHECK_NEAR(most, high, 1e-15);
}

/* Solids side by side touch at both ends of the common line. */
static void test_side_by_side(void** state) {
  const solid rod = {SOLID_CAPSULE, {0.1, 0.5, 0}}, bar = {SOLID_CAPSULE, {0.2, 0.3, 0}},
              box = {SOLID_BOX, {0.3, 0.4, 0.2}}, can = {SOLID_CYLINDER, {0.2, 0.3, 0}};
  const pose at = {mat3_identity(), {0.35, 0, 0.1}};

  (void)state;
  check_line(&rod, &at, &bar, -0.05, -0.3, 0.3);
  check_line(&rod, &at, &can, -0.05, -0.3, 0.3);
  check_line(&rod, &at, &box, 0.05, -0.2, 0.2);
  const pose deep = {mat3_identity(), {0.25, 0, 0.1}};
  check_line(&rod, &deep, &box, 0.15, -0.2, 0.2);
}

/* A box on a larger one: its four corners; a plank across a plank: the four of the square. */
static void test_stacked_boxes(void** state) {
  const solid small = {SOLID_BOX, {0.1, 0.2, 0.1}}, large = {SOLID_BOX, {1, 1, 0.1}},
              plank = {SOLID_BOX, {1, 0.1, 0.05}}, across = {SOLID_BOX, {0.1, 1, 0.05}};
  const pose at = {mat3_identity(), {0.3, 0, 0.19}}, over = {mat3_identity(), {0, 0, 0.1}},
             zero = {mat3_identity(), {0, 0, 0}};
  touch_point t[TOUCH_MOST];

  (void)state;
  for (int run = 0; run < 2; ++run) {
    int n = 0;
    if (run == 0) apl_touch_measure(&small, &at, &large, &zero, t);
    if (run == 1) apl_touch_measure(&plank, &over, &across, &zero, t);
    for (int k = 0; k < TOUCH_MOST; ++k) {
      if (t[k].depth == TOUCH_NONE) continue;
      ++n;
      CHECK_NEAR(t[k].n.z, 1.0, 1e-15);
      CHECK_NEAR(t[k].depth, run == 0 ? 0.01 : 0.0, 1e-15);
      CHECK_NEAR(fabs(t[k].x.x - (run == 0 ? 0.3 : 0.0)), 0.1, 1e-15);
      CHECK_NEAR(fabs(t[k].x.y), run == 0 ? 0.2 : 0.1, 1e-15);
    }
    CHECK_TRUE(n == 4, "%d places", n);
  }
}

/* Pairs without a closed form say so; the other order is the same pair. */
static void test_table(void** state) {
  (void)state;
  CHECK_TRUE(apl_touch_count(SOLID_CYLINDER, SOLID_CYLINDER) == 0, "a cylinder on a cylinder");
  CHECK_TRUE(apl_touch_count(SOLID_CYLINDER, SOLID_BOX) == 0, "a cylinder on a box");
  CHECK_TRUE(apl_touch_count(SOLID_PIPE, SOLID_PIPE) == 0, "a pipe in a pipe");
  for (int i = 0; i < SOLIDS; ++i) {
    CHECK_TRUE(apl_solid_find(apl_solid_word((solid_kind)i)) == (solid_kind)i, "words");
    for (int j = 0; j < SOLIDS; ++j)
      CHECK_TRUE(apl_touch_count((solid_kind)i, (solid_kind)j) ==
                     apl_touch_count((solid_kind)j, (solid_kind)i),
                 "order");
  }
}

/* Bounds hold what the solid reaches, and no more. */
static void test_bounds(void** state) {
  rng r = rng_seed(17);

  (void)state;
  for (int i = 0; i < 200; ++i) {
    const solid a = any_solid(&r, (solid_kind)(i % SOLID_PIPE));
    const pose A = any_pose(&r, 1.0);
    vec3 low, high;
    near_context("%s, %d", apl_solid_word(a.kind), i);
    apl_solid_bound(&a, &A, &low, &high);
    CHECK_NEAR(high.x, reach_along(&a, &A, (vec3){1, 0, 0}), 1e-14);
    CHECK_NEAR(high.z, reach_along(&a, &A, (vec3){0, 0, 1}), 1e-14);
    CHECK_NEAR(low.y, -reach_along(&a, &A, (vec3){0, -1, 0}), 1e-14);
    const vec3 m = unit_of(any_vector(&r));
    CHECK_TRUE(reach_along(&a, &A, m) - dot(A.p, m) <= apl_solid_reach(&a) + 1e-14, "reach");
  }
}

static void test_axes(void** state) {
  rng r = rng_seed(18);

  (void)state;
  for (int i = 0; i < 200; ++i) {
    vec3 e[3] = {unit_of(any_vector(&r))};
    if (i < 2) e[0] = (vec3){0, 0, i == 0 ? 1 : -1};
    apl_touch_axes(e);
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        CHECK_NEAR(dot(e[j], e[k]), j == k ? 1.0 : 0.0, 1e-14);
    CHECK_NEAR(dot(cross(e[0], e[1]), e[2]), 1.0, 1e-14);
  }
}

/* --------------------------------------------------------------------------- complex numbers ----
 */

enum { PLACE_NUMBERS = sizeof(touch_place) / sizeof(double), NORMAL = 0, DEPTH = 12 };

/* X and i STEP times its rate along the motion (v, w). */
static const double STEP = 1e-100;

static void widen(pose X, vec3 v, vec3 w, double out[24]) {
  const vec3 col[3] = {
      {X.R.xx, X.R.yx, X.R.zx}, {X.R.xy, X.R.yy, X.R.zy}, {X.R.xz, X.R.yz, X.R.zz}};
  const vec3 t[3] = {cross(w, col[0]), cross(w, col[1]), cross(w, col[2])};
  const pose rate = {{t[0].x, t[1].x, t[2].x, t[0].y, t[1].y, t[2].y, t[0].z, t[1].z, t[2].z}, v};
  double x[12], r[12];

  memcpy(x, &X, sizeof x);
  memcpy(r, &rate, sizeof r);
  for (int i = 0; i < 12; ++i) {
    out[2 * i] = x[i];
    out[2 * i + 1] = STEP * r[i];
  }
}

typedef struct motion_of {
  vec3 v, w;
} motion_of;

typedef struct touch_numbers {
  double x[TOUCH_MOST][PLACE_NUMBERS];
} touch_numbers;

static touch_numbers places_at(const pair* p, const motion_of m[2], double e) {
  const pose A = moved(p->A, m[0].v, m[0].w, e), B = moved(p->B, m[1].v, m[1].w, e);
  touch_numbers out = {{{0}}};

  apl_touch_places(&p->a, (const double*)(const void*)&A, &p->b, (const double*)(const void*)&B,
                   out.x[0]);
  return out;
}

/* Rates of all numbers of all places: real parts are those of the double build, depths have the
   rate -n . (v_a - v_b) to round-off, and everything has the rate of central differences of the
   fourth order, as well as these know it. Returns how many numbers differences could judge. */
static int check_complex(const pair* p, const motion_of m[2], bool exact) {
  const int n = apl_touch_count(p->a.kind, p->b.kind);
  const double e = 1e-4;
  double A[24], B[24], wide[TOUCH_MOST][2 * PLACE_NUMBERS];
  const touch_numbers at = places_at(p, m, 0);
  const touch_numbers far[2] = {places_at(p, m, -e), places_at(p, m, e)},
                      close[2] = {places_at(p, m, -e / 2), places_at(p, m, e / 2)};
  int judged = 0;

  widen(p->A, m[0].v, m[0].w, A);
  widen(p->B, m[1].v, m[1].w, B);
  assert_int_equal(apl_touch_places_complex(&p->a, A, &p->b, B, wide[0]), n);
  for (int k = 0; k < n; ++k) {
    const double* z = wide[k];
    CHECK_TRUE((z[2 * DEPTH] == TOUCH_NONE) == (at.x[k][DEPTH] == TOUCH_NONE), "another place");
    if (at.x[k][DEPTH] == TOUCH_NONE) continue;
    for (int i = 0; i < PLACE_NUMBERS; ++i) {
      CHECK_NEAR(z[2 * i], at.x[k][i], 0);
      const double wider = (far[1].x[k][i] - far[0].x[k][i]) / (2 * e),
                   narrow = (close[1].x[k][i] - close[0].x[k][i]) / e,
                   bend = (far[1].x[k][i] + far[0].x[k][i] - 2 * at.x[k][i]) / (2 * e),
                   half = (close[1].x[k][i] + close[0].x[k][i] - 2 * at.x[k][i]) / e;
      /* A corner: half the distance of its two slopes stays when steps are halved, what curvature
         makes is halved with them. Or too much curvature for these steps. */
      if (!(fabs(2 * half - bend) < 1e-8) || !(fabs(wider - narrow) < 1e-5)) continue;
      CHECK_NEAR(z[2 * i + 1] / STEP, (4 * narrow - wider) / 3, 1e-7 + fabs(wider - narrow));
      ++judged;
    }
    if (!exact || k > 0) continue; /* far ends of lines are cut where the other solid ends */
    const vec3 x = {z[18], z[20], z[22]}, N = {z[0], z[2], z[4]}, turn = {z[1], z[3], z[5]};
    const vec3 v =
        sub(add(m[0].v, cross(m[0].w, sub(x, p->A.p))), add(m[1].v, cross(m[1].w, sub(x, p->B.p))));
    CHECK_NEAR(z[2 * DEPTH + 1] / STEP, -dot(N, v), 1e-11);
    CHECK_NEAR(dot(N, turn) / STEP, 0.0, 1e-11);
  }
  return judged;
}

/* Of every pair, apart, in each other, parallel (every third) and askew. What is exactly parallel
   to a box stands on a corner: between the normals of two boxes, or at an edge that it lies across.
   The way out of a cylinder is a bound, whose rate is not that of its place; nor are depths of
   boxes along the normal of a face that turns. */
static void test_complex(void** state) {
  rng r = rng_seed(19);
  int judged[SOLIDS][SOLIDS] = {{0}}, exact = 0;

  (void)state;
  for (int i = 0; i < 4 * SOLIDS * SOLIDS * TRIES; ++i) {
    const solid_kind ka = (solid_kind)(i % SOLIDS), kb = (solid_kind)(i / SOLIDS % SOLIDS);
    pair p = {any_solid(&r, ka), any_solid(&r, kb), any_pose(&r, 0.6), any_pose(&r, 0.6)};
    const motion_of m[2] = {{any_vector(&r), any_vector(&r)}, {any_vector(&r), any_vector(&r)}};
    touch_point t[TOUCH_MOST];
    if (apl_touch_count(ka, kb) == 0) continue;
    const bool boxes = ka == SOLID_BOX && kb == SOLID_BOX;
    const bool parallel = i % 3 == 0 && kb != SOLID_BOX && (ka != SOLID_BOX || kb == SOLID_PIPE);
    if (parallel) p.A.R = p.B.R;

    near_context("%s on %s, %d", apl_solid_word(ka), apl_solid_word(kb), i);
    apl_touch_measure(&p.a, &p.A, &p.b, &p.B, t);
    const solid* round = ka < SOLID_CYLINDER ? &p.a : &p.b;
    const bool smooth = !boxes && !parallel && !is_bound(ka, kb, round, t[0].depth);
    exact += smooth;
    judged[ka][kb] += check_complex(&p, m, smooth);
  }
  for (int i = 0; i < SOLIDS; ++i) {
    for (int j = 0; j < SOLIDS; ++j) {
      near_context("%s on %s", apl_solid_word((solid_kind)i), apl_solid_word((solid_kind)j));
      CHECK_TRUE(apl_touch_count((solid_kind)i, (solid_kind)j) == 0 || judged[i][j] > 150,
                 "only %d numbers were judged", judged[i][j]);
    }
  }
  CHECK_TRUE(exact > 300, "few rates");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_distances),    cmocka_unit_test(test_pipe),
      cmocka_unit_test(test_box_in_pipe),  cmocka_unit_test(test_rates),
      cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_stacked_boxes),
      cmocka_unit_test(test_table),        cmocka_unit_test(test_bounds),
      cmocka_unit_test(test_axes),         cmocka_unit_test(test_complex),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
