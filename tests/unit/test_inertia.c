/* SPDX-License-Identifier: Apache-2.0 */
/* test_inertia.c: math/inertia.h and math/six.h: bodies as clouds of point masses, and inertias as
   dense 6x6 matrices. */
#include "dense.h"
#include "near.h"
#include "random.h"

#include "math/inertia.h"
#include "math/pose.h"
#include "math/six.h"

#include <string.h>

/* Sums of some ten products of numbers of order one, ten masses. */
#define TOLERANCE 2e-14
enum { TRIALS = 20, POINTS = 10 };

typedef struct cloud {
  double mass[POINTS];
  vec3 at[POINTS];
} cloud;

static vec3 random_vec3(rng* r) {
  double x[3];
  rng_fill(r, x, 3, 1);
  return (vec3){x[0], x[1], x[2]};
}

static cloud random_cloud(rng* r) {
  cloud c;
  for (int i = 0; i < POINTS; ++i) {
    c.mass[i] = rng_between(r, 0.05, 0.2);
    c.at[i] = random_vec3(r);
  }
  return c;
}

/* m, h = sum m x, J = sum m (x.x 1 - x x^T) */
static rigid_inertia of_cloud(const cloud* c) {
  rigid_inertia I = {0};
  for (int i = 0; i < POINTS; ++i) {
    const double m = c->mass[i];
    const vec3 x = c->at[i];
    I.m += m;
    I.h = add(I.h, scale(m, x));
    I.J.xx += m * (x.y * x.y + x.z * x.z), I.J.yy += m * (x.x * x.x + x.z * x.z);
    I.J.zz += m * (x.x * x.x + x.y * x.y), I.J.xy -= m * x.x * x.y;
    I.J.xz -= m * x.x * x.z, I.J.yz -= m * x.y * x.z;
  }
  return I;
}

static pose random_pose(rng* r) {
  const apl_quat q = rng_rotation(r, 3);
  const apl_vec3 x = apl_quat_rotate(q, (apl_vec3){1, 0, 0});
  const apl_vec3 y = apl_quat_rotate(q, (apl_vec3){0, 1, 0});
  const apl_vec3 z = apl_quat_rotate(q, (apl_vec3){0, 0, 1});
  return (pose){{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}, random_vec3(r)};
}

/* Any symmetric 6x6: J, H, M all full. */
static inertia6 random_inertia6(rng* r) {
  inertia6 I;
  rng_fill(r, (double*)(void*)&I, sizeof I / sizeof(double), 1);
  return I;
}

/* Point by point: a_i = a + dw x x + w x (w x x), f = sum m a_i, n = sum x x m a_i. */
static void rigid_wrench_of_points(void** state) {
  rng r = rng_seed(1);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const cloud c = random_cloud(&r);
    const rigid_inertia I = of_cloud(&c);
    const vec3 w = random_vec3(&r);
    const accel A = {random_vec3(&r), random_vec3(&r)};
    wrench want = wrench_zero();
    for (int i = 0; i < POINTS; ++i) {
      const vec3 x = c.at[i];
      const vec3 a = add(A.a, add(cross(A.dw, x), cross(w, cross(w, x))));
      const vec3 f = scale(c.mass[i], a);
      want = wrench_add(want, (wrench){cross(x, f), f});
    }
    const wrench got = rigid_wrench(I, w, A);
    CHECK_ARRAY(&got.n.x, &want.n.x, 6, TOLERANCE, 1);

    /* linear in the acceleration, apart from the bias */
    const wrench parts = wrench_add(rigid_bias(I, w), inertia6_mul(inertia6_of_rigid(I), A));
    CHECK_ARRAY(&parts.n.x, &want.n.x, 6, TOLERANCE, 1);
    const wrench still = rigid_mul(I, (twist){A.dw, A.a});
    const wrench linear = inertia6_mul(inertia6_of_rigid(I), A);
    CHECK_ARRAY(&still.n.x, &linear.n.x, 6, TOLERANCE, 1);
  }
}

/* A body seen from another frame is the cloud of the moved points. */
static void rigid_seen_from_elsewhere(void** state) {
  rng r = rng_seed(2);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    cloud c = random_cloud(&r);
    const pose X = random_pose(&r);
    const rigid_inertia got = rigid_from(X.R, X.p, of_cloud(&c));
    for (int i = 0; i < POINTS; ++i)
      c.at[i] = add(mul(X.R, c.at[i]), X.p);
    const rigid_inertia want = of_cloud(&c);
    CHECK_ARRAY(&got.m, &want.m, 10, TOLERANCE, 4);
  }
}

/* The same wrench for the same motion, asked in either frame; the dense matrix says the same. */
static void seen_from_elsewhere(void** state) {
  rng r = rng_seed(3);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const pose X = random_pose(&r);
    const inertia6 I = random_inertia6(&r), O = inertia6_from(X.R, X.p, I);
    const accel A = {random_vec3(&r), random_vec3(&r)};
    const wrench want = wrench_from(X, inertia6_mul(I, accel_to(X.R, X.p, A)));
    const wrench got = inertia6_mul(O, A);
    CHECK_ARRAY(&got.n.x, &want.n.x, 6, TOLERANCE, 10);

    const mat3 one = mat3_identity();
    const inertia6 shifted = inertia6_shift(X.p, I), moved = inertia6_from(one, X.p, I);
    CHECK_ARRAY(&shifted.J.xx, &moved.J.xx, 21, TOLERANCE, 10);

    double D[36], y[6];
    inertia6_store(O, D);
    dense_times(D, &A.dw.x, 6, 6, y);
    CHECK_ARRAY(&got.n.x, y, 6, TOLERANCE, 10);
    for (int i = 0; i < 6; ++i) {
      for (int j = 0; j < i; ++j)
        assert_true(D[6 * i + j] == D[6 * j + i]);
    }
  }
}

static void small_parts(void** state) {
  rng r = rng_seed(4);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const pose X = random_pose(&r);
    const inertia6 I = random_inertia6(&r);
    const vec3 x = random_vec3(&r);

    /* (R J R^T) x = R (J (R^T x)),  ([p] M) x = p x (M x) */
    const vec3 a = sym3_mul(sym3_rotate(X.R, I.J), x), b = mul(X.R, sym3_mul(I.J, mul_t(X.R, x)));
    CHECK_ARRAY(&a.x, &b.x, 3, TOLERANCE, 1);
    const vec3 c = mul(skew_sym(X.p, I.M), x), d = cross(X.p, sym3_mul(I.M, x));
    CHECK_ARRAY(&c.x, &d.x, 3, TOLERANCE, 1);

    /* sums are sums: (I + I) A = I (A + A) */
    const accel A = {x, X.p};
    const wrench twice = inertia6_mul(inertia6_add(I, I), A);
    const wrench same = inertia6_mul(I, accel_add(A, A));
    CHECK_ARRAY(&twice.n.x, &same.n.x, 6, TOLERANCE, 4);
    const wrench none = inertia6_mul(inertia6_zero(), A), zero = wrench_zero();
    CHECK_ARRAY(&none.n.x, &zero.n.x, 6, 0, 1);
  }
}

/* Stored and loaded, also out of a larger matrix, and through rows of six. */
static void storing(void** state) {
  rng r = rng_seed(5);
  const inertia6 I = random_inertia6(&r);
  double D[36], wide[54];
  six row[6];

  (void)state;
  inertia6_store(I, D);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 9; ++j)
      wide[9 * i + j] = j < 6 ? D[6 * i + j] : 77;
  }
  const inertia6 back = inertia6_load(D, 6), from_wide = inertia6_load(wide, 9);
  assert_memory_equal(&back, &I, sizeof I);
  assert_memory_equal(&from_wide, &I, sizeof I);
  six_of_inertia(I, row);
  for (int i = 0; i < 36; ++i)
    assert_true(six_at(&row[i / 6], i % 6) == D[i]);
  const inertia6 again = inertia6_of_six(row);
  assert_memory_equal(&again, &I, sizeof I);
}

/* ------------------------------------------------------------------------------------- six ---- */

static void sixes(void** state) {
  const six a = six_of(1, 2, 3, 4, 5, 6), b = six_of(10, 20, 30, 40, 50, 60);
  const vec3 head = six_head(&a), tail = six_tail(&a);

  (void)state;
  for (int i = 0; i < 6; ++i)
    assert_true(six_at(&a, i) == i + 1);
  assert_true(head.x == 1 && head.y == 2 && head.z == 3);
  assert_true(tail.x == 4 && tail.y == 5 && tail.z == 6);
  const six w = six_of_wrench((wrench){head, tail}), o = six_zero();
  six sum = a, less = a, join = a;
  six_add(&sum, 0.5, &b);
  six_take_from(0, &less, 0.5, &b);
  six_join(&join, &b);
  for (int i = 0; i < 6; ++i) {
    assert_true(six_at(&w, i) == i + 1 && six_at(&o, i) == 0);
    assert_true(six_at(&sum, i) == 6 * (i + 1) && six_at(&less, i) == -4 * (i + 1));
    assert_true(six_at(&join, i) == 11 * (i + 1));
  }
  /* from an index on: those behind it are right, whole pairs before it stay */
  for (int from = 0; from < 6; ++from) {
    six part = a, taken = a;
    six_add_from(from, &part, 1.0, &b);
    six_take_from(from, &taken, 1.0, &b);
    for (int i = 0; i < 6; ++i) {
      if (i >= from)
        assert_true(six_at(&part, i) == 11 * (i + 1) && six_at(&taken, i) == -9 * (i + 1));
      if (i < from / 2 * 2) assert_true(six_at(&part, i) == i + 1 && six_at(&taken, i) == i + 1);
    }
  }
}

/* Two places at once give what each place gives alone. */
static void pairs(void** state) {
  rng r = rng_seed(6);

  (void)state;
  for (int t = 0; t < TRIALS; ++t) {
    const vec3 a = random_vec3(&r), b = random_vec3(&r), c = random_vec3(&r), d = random_vec3(&r);
    const two3 ac = {two_of(a.x, c.x), two_of(a.y, c.y), two_of(a.z, c.z)};
    const two3 bd = {two_of(b.x, d.x), two_of(b.y, d.y), two_of(b.z, d.z)};
    const two3 x = two3_cross(ac, bd), y = two3_add(ac, two3_scale(two_of(2, 3), bd));
    const vec3 first = cross(a, b), second = cross(c, d), both = two3_all(x);
    const vec3 sum = add(first, second);
    assert_true(two_at(x.x, 0) == first.x && two_at(x.y, 0) == first.y &&
                two_at(x.z, 0) == first.z);
    assert_true(two_at(x.z, 1) == second.z);
    CHECK_ARRAY(&both.x, &sum.x, 3, 0, 1);
    CHECK_NEAR(two_at(y.y, 1), c.y + 3 * d.y, 0);
    const two3 m = two3_mul(two3_same(a), bd);
    CHECK_NEAR(two_at(m.z, 1), a.z * d.z, 0);
    CHECK_NEAR(two_all(two_sub(two_load(&a.x), two_same(1))), (a.x - 1) + (a.y - 1), 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rigid_wrench_of_points),
      cmocka_unit_test(rigid_seen_from_elsewhere),
      cmocka_unit_test(seen_from_elsewhere),
      cmocka_unit_test(small_parts),
      cmocka_unit_test(storing),
      cmocka_unit_test(sixes),
      cmocka_unit_test(pairs),
  };
  return cmocka_run_group_tests_name("inertia", tests, NULL, NULL);
}
