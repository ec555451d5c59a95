/* SPDX-License-Identifier: Apache-2.0 */
/* test_touch_parts.c: math/touch_impl.h: round solids against boxes and cylinders in the frame of
   these, against distances searched by brute force; test_touch.c has the pairs in the world. */
#include "near.h"
#include "random.h"

#include "math/touch_impl.h"

/* Signed distance of a point from a box: outside the nearest point, inside the nearest face. */
static double from_box(const double half[3], vec3 x) {
  const double d[3] = {fabs(x.x) - half[0], fabs(x.y) - half[1], fabs(x.z) - half[2]};
  double out = 0, in = -NEAR_INFINITY;
  for (int i = 0; i < 3; ++i) {
    out += fmax(d[i], 0) * fmax(d[i], 0);
    in = fmax(in, d[i]);
  }
  return in > 0 ? sqrt(out) : in;
}

static double from_cylinder(double radius, double half, vec3 x) {
  const double across = hypot(x.x, x.y) - radius, along = fabs(x.z) - half;
  if (across <= 0 && along <= 0) return fmax(across, along);
  return hypot(fmax(across, 0), fmax(along, 0));
}

static vec3 random_vec3(rng* r, double size) {
  double x[3];
  rng_fill(r, x, 3, size);
  return (vec3){x[0], x[1], x[2]};
}

/* The deepest place, and that all places lie on the surfaces: half the depth along n from x is a
   point of the solid's surface, half the other way one of the round solid's. */
static double deepest(const segment* g, const touch_point out[ROUND_PLACES]) {
  double most = TOUCH_NONE;
  for (int k = 0; k < ROUND_PLACES; ++k) {
    if (out[k].depth <= TOUCH_NONE) continue;
    most = fmax(most, out[k].depth);
    CHECK_NEAR(dot(out[k].n, out[k].n), 1, 1e-13);
    const vec3 own = sub(out[k].x, scale(0.5 * out[k].depth, out[k].n));
    const vec3 rel = sub(own, g->c);
    const double s = fmax(-g->h, fmin(g->h, dot(rel, g->d)));
    const vec3 core = sub(own, along_segment(g, s));
    /* ends beside the nearest place take its normal, up to TOUCH_PARALLEL from being across */
    const double slack = k == 0 ? 1e-12 : 0.5 * TOUCH_PARALLEL * TOUCH_PARALLEL * g->r;
    CHECK_NEAR(sqrt(dot(core, core)), g->r, slack + 1e-12);
  }
  return most;
}

static segment random_segment(rng* r) {
  const apl_vec3 d = rng_direction(r);
  return (segment){random_vec3(r, 1.5), {d.x, d.y, d.z}, rng_between(r, 0, 1), 0.1};
}

/* Outside, the depth is the radius less the smallest distance of the core. */
static void distances(void** state) {
  const double half[3] = {0.3, 0.4, 0.2};
  rng r = rng_seed(3);
  int outside = 0;

  (void)state;
  for (int t = 0; t < 300; ++t) {
    const segment g = random_segment(&r);
    double box = NEAR_INFINITY, cylinder = NEAR_INFINITY;
    for (int i = 0; i <= 2000; ++i) {
      const vec3 x = along_segment(&g, g.h * (i / 1000.0 - 1));
      box = fmin(box, from_box(half, x));
      cylinder = fmin(cylinder, from_cylinder(0.35, 0.25, x));
    }
    touch_point out[ROUND_PLACES];
    /* steps of g.h / 1000 along the core: the search is that far off at most */
    if (box > 1e-3) {
      apl_touch_box(&g, half, out);
      CHECK_NEAR(deepest(&g, out), g.r - box, 1.1e-3 * g.h + 1e-12);
      assert_true(deepest(&g, out) >= g.r - box - 1e-12);
      ++outside;
    }
    if (cylinder > 1e-3) {
      apl_touch_cylinder(&g, 0.35, 0.25, out);
      CHECK_NEAR(deepest(&g, out), g.r - cylinder, 1.1e-3 * g.h + 1e-12);
      assert_true(deepest(&g, out) >= g.r - cylinder - 1e-12);
    }
  }
  assert_in_range(outside, 100, 300);
}

/* A capsule that lies along a face touches at both ends. */
static void lying(void** state) {
  const double half[3] = {1, 1, 0.5};
  const segment g = {{0.1, 0, 0.55}, {1, 0, 0}, 0.4, 0.1};
  touch_point out[ROUND_PLACES];
  int places = 0;

  (void)state;
  apl_touch_box(&g, half, out);
  for (int k = 0; k < ROUND_PLACES; ++k) {
    if (out[k].depth <= TOUCH_NONE) continue;
    ++places;
    CHECK_NEAR(out[k].depth, 0.05, 1e-15);
    CHECK_NEAR(out[k].n.z, 1, 1e-15);
    CHECK_NEAR(out[k].x.z, 0.475, 1e-15); /* half way between 0.5 and 0.45 */
    assert_true(out[k].x.x >= -0.3 - 1e-12 && out[k].x.x <= 0.5 + 1e-12);
  }
  assert_true(places >= 2);
}

/* A box upon a box: four corners, 0.01 deep. */
static void boxes(void** state) {
  const double a[3] = {0.2, 0.3, 0.1}, b[3] = {1, 1, 0.5};
  const pose A = {mat3_identity(), {0.1, -0.2, 0.59}};
  touch_point out[TOUCH_MOST];
  int places = 0;
  double far = 0;

  (void)state;
  apl_touch_boxes(&A, a, b, out);
  for (int k = 0; k < TOUCH_MOST; ++k) {
    if (out[k].depth <= TOUCH_NONE) continue;
    ++places;
    CHECK_NEAR(out[k].depth, 0.01, 1e-14);
    CHECK_NEAR(out[k].n.z, 1, 1e-14);
    CHECK_NEAR(fabs(out[k].x.x - 0.1), 0.2, 1e-14);
    CHECK_NEAR(fabs(out[k].x.y + 0.2), 0.3, 1e-14);
    far = fmax(far, hypot(out[k].x.x - out[0].x.x, out[k].x.y - out[0].x.y));
  }
  assert_int_equal(places, 4);
  CHECK_NEAR(far, hypot(0.4, 0.6), 1e-14); /* opposite corners are among them */
}

static void small_parts(void** state) {
  const real range[2] = {-1, 1}, none[2] = {0, 0.05};
  real end[2];
  const segment g = {{0, 0, 2}, {1, 0, 0}, 1, 0.5};
  touch_point out[ROUND_PLACES];

  (void)state;
  assert_true(clamp_to(3, 2) == 2 && clamp_to(-3, 2) == -2 && clamp_to(1, 2) == 1);
  assert_true(side_of(-0.1) == -1 && side_of(0.1) == 1);
  assert_true(is_less(1, 2) && !is_less(2, 2));
  CHECK_NEAR(length_of((vec3){2, 3, 6}), 7, 0);
  assert_int_equal(touch_ends(range, 0.5, 1, end), 2);
  assert_true(end[0] == -1 && end[1] == 1);           /* the farther one first */
  assert_int_equal(touch_ends(range, -1, 1, end), 1); /* it is at an end itself */
  assert_true(end[0] == 1);
  assert_int_equal(touch_ends(none, 0, 1, end), 0);       /* shorter than a tenth of the radius */
  touch_only(touch_at(&g, 1, (vec3){0, 0, 1}, 0.4), out); /* below it at 0.4: 0.1 deep */
  CHECK_NEAR(out[0].depth, 0.1, 1e-16);
  CHECK_NEAR(out[0].x.x, 1, 0);
  CHECK_NEAR(out[0].x.z, 1.55, 1e-15); /* between the lowest point 1.5 and the surface 1.6 */
  assert_true(out[1].depth == TOUCH_NONE && out[2].depth == TOUCH_NONE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances),
      cmocka_unit_test(lying),
      cmocka_unit_test(boxes),
      cmocka_unit_test(small_parts),
  };
  return cmocka_run_group_tests_name("touch_parts", tests, NULL, NULL);
}
