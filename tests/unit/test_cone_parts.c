/* SPDX-License-Identifier: Apache-2.0 */
/* test_cone_parts.c: couple/solve/cone_impl.h: what remains of blocks without idle rows, the
   natural map and its derivative, sweeps and Newton steps; test_cone.c has whole problems. */
#include "near.h"
#include "random.h"

#include "couple/solve/cone_impl.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 12 };

static apl_cone cone;
static void* memory;

static int setup(void** state) {
  apl_arena a = {0};
  (void)state;
  apl_cone_place(&cone, MOST, MOST, &a);
  memory = apl_arena_open(&a);
  if (memory == NULL) return -1;
  apl_cone_place(&cone, MOST, MOST, &a);
  return 0;
}

static int teardown(void** state) {
  (void)state;
  free(memory);
  return 0;
}

static const apl_section odd = {{0.5, 0.3}, {0.2, 0.8}};

/* p = P(z) lies in the set; to stay is best: (z - p).(y - p) <= 0 for points y of the set at the
   same normal force; and dp follows the numbers of the point. */
static void check_projection(const apl_cone_part* part, const double z[3]) {
  const int t = cone_tangential(part);
  const double h = 1e-6;
  apl_cone_point at = {0}, near_by = {0};

  apl_cone_project(part, z, &at);
  const double load = t == 1 ? fmax(z[0], 0) : part->load;
  if (t == 1) CHECK_NEAR(at.p[0], load, 0);
  assert_true(apl_section_holds(&part->section, load * (1 + 1e-12) + 1e-300, at.p + t));
  for (int k = 0; k < 64; ++k) {
    const double a = k * 0.0981747704246810387, c = cos(a), s = sin(a);
    const double m1 = c > 0 ? part->section.plus[0] : part->section.minus[0];
    const double m2 = s > 0 ? part->section.plus[1] : part->section.minus[1];
    const double y[2] = {load * m1 * c, load * m2 * s};
    const double gain =
        (z[t] - at.p[t]) * (y[0] - at.p[t]) + (z[t + 1] - at.p[t + 1]) * (y[1] - at.p[t + 1]);
    assert_true(gain <= 1e-12);
  }
  if (at.mode != POINT_EDGE) return;
  for (int k = 0; k < t + 2; ++k) {
    double moved[3] = {z[0], z[1], t == 1 ? z[2] : 0}, dz[3] = {0, 0, 0};
    moved[k] += h, dz[k] = 1;
    apl_cone_project(part, moved, &near_by);
    const double along = -at.n[1] * dz[t] + at.n[0] * dz[t + 1], dn = t == 1 ? dz[0] : 0;
    const double want[2] = {-at.shrink * along * at.n[1] + (at.gn * at.n[0] - at.gt * at.n[1]) * dn,
                            at.shrink * along * at.n[0] + (at.gn * at.n[1] + at.gt * at.n[0]) * dn};
    for (int i = 0; i < 2; ++i)
      CHECK_NEAR((near_by.p[t + i] - at.p[t + i]) / h, want[i], 3e-5); /* h times curvature */
  }
}

static void projections(void** state) {
  rng r = rng_seed(6);
  const apl_cone_part parts[] = {
      {.kind = PART_CONE, .rows = 3, .section = odd},
      {.kind = PART_CONE,
       .rows = 3,
       .circle = true,
       .hi = 0.4,
       .section = {{0.4, 0.4}, {0.4, 0.4}}},
      {.kind = PART_DISC, .rows = 2, .load = 1.5, .section = odd},
  };

  (void)state;
  for (int k = 0; k < 3; ++k) {
    for (int t = 0; t < 100; ++t) {
      double z[3];
      rng_fill(&r, z, 3, 2);
      if (fabs(z[0]) < 0.1) continue; /* differences do not step over the apex */
      near_context("part %d, z = (%g, %g, %g)", k, z[0], z[1], z[2]);
      check_projection(&parts[k], z);
    }
  }
  near_context(" ");
}

static void lines_and_wedges(void** state) {
  const apl_cone_part line = {.kind = PART_LINE, .rows = 1, .lo = -1, .hi = 2};
  const apl_cone_part wedge = {.kind = PART_WEDGE, .rows = 2, .lo = -0.2, .hi = 0.5};
  apl_cone_point at;

  (void)state;
  apl_cone_project(&line, (double[]){0.5}, &at);
  assert_true(at.mode == POINT_HELD && at.p[0] == 0.5);
  apl_cone_project(&line, (double[]){3}, &at);
  assert_true(at.mode == POINT_FIXED && at.p[0] == 2);
  apl_cone_project(&line, (double[]){-3}, &at);
  assert_true(at.mode == POINT_FIXED && at.p[0] == -1);
  apl_cone_project(&wedge, (double[]){2, 0.9}, &at);
  assert_true(at.mode == POINT_HELD && at.p[1] == 0.9);
  apl_cone_project(&wedge, (double[]){2, 3}, &at);
  assert_true(at.mode == POINT_EDGE && at.p[1] == 1 && at.gn == 0.5);
  apl_cone_project(&wedge, (double[]){2, -3}, &at);
  assert_true(at.mode == POINT_EDGE && at.p[1] == -0.4 && at.gn == -0.2);
  apl_cone_project(&wedge, (double[]){-2, 3}, &at);
  assert_true(at.mode == POINT_FIXED && at.p[0] == 0 && at.p[1] == 0);
}

/* Idle rows and directions without friction go; what they leave of a block is a smaller part. */
static void gathering(void** state) {
  const apl_section slippery = {{0, 0.5}, {0, 0.5}}, ice = {{0, 0}, {0, 0}};
  const apl_cone_block block[] = {
      {.set = APL_SET_CONE, .row = 0, .section = odd},
      {.set = APL_SET_CONE, .row = 3, .section = slippery},
      {.set = APL_SET_CONE, .row = 6, .section = ice},
      {.set = APL_SET_HALF_LINE, .row = 9},
      {.set = APL_SET_INTERVAL, .row = 10, .lo = -1, .hi = 3},
      {.set = APL_SET_FREE, .row = 11},
  };
  double W[MOST * MOST] = {0}, q[MOST];
  rng r = rng_seed(7);

  (void)state;
  for (int i = 0; i < MOST; ++i)
    W[i * MOST + i] = i == 9 ? 0 : 1 + i; /* the half line is idle */
  rng_fill(&r, q, MOST, 1);
  const apl_cone_problem p = {MOST, 6, true, W, q, block};
  apl_cone_gather(&cone, &p);

  static const cone_kind kind[] = {PART_CONE, PART_WEDGE, PART_LINE, PART_LINE, PART_LINE};
  static const int of[] = {0, 1, 2, 4, 5}, from[] = {0, 1, 2, 3, 5, 6, 10, 11};
  assert_int_equal(cone.nparts, 5);
  assert_int_equal(cone.m, 8);
  for (int k = 0; k < 5; ++k) {
    assert_int_equal(cone.part[k].kind, kind[k]);
    assert_int_equal(cone.part[k].block, of[k]);
  }
  for (int i = 0; i < 8; ++i) {
    assert_int_equal(cone.from[i], from[i]);
    const double d = cone.d[from[i]];
    CHECK_NEAR(cone.W[i * cone.ld + i], d * d * (1 + from[i]), 1e-15);
    CHECK_NEAR(cone.q[i], d * q[from[i]], 1e-15);
    assert_true(cone.W[i * cone.ld + i] > 0.2 && cone.W[i * cone.ld + i] < 3);
  }
  CHECK_NEAR(cone.part[3].lo * cone.d[10], -1, 1e-15); /* bounds are forces, scaled as they are */
  CHECK_NEAR(cone.part[3].hi * cone.d[10], 3, 1e-15);
  assert_true(cone.d[9] == 0);

  /* u = W r + q in the scaled letters */
  for (int i = 0; i < cone.m; ++i)
    cone.r[i] = i;
  apl_cone_velocity(&cone);
  for (int i = 0; i < cone.m; ++i)
    CHECK_NEAR(cone.u[i], cone.W[i * cone.ld + i] * i + cone.q[i], 1e-14);
}

/* Three coupled contacts: sweeps lower the residual, Newton ends it, and F = r - P(r - u) is what
   apl_cone_evaluate() says. */
static void solving(void** state) {
  enum { N = 9 };
  double W[N * N], B[N * N], q[N];
  apl_cone_block block[3];
  apl_cone_result result = {0};
  rng r = rng_seed(8);

  (void)state;
  rng_fill(&r, B, N * N, 1), rng_fill(&r, q, N, 1);
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      W[i * N + j] = i == j ? 1 : 0;
      for (int k = 0; k < N; ++k)
        W[i * N + j] += 0.3 * B[i * N + k] * B[j * N + k];
    }
  }
  for (int k = 0; k < 3; ++k) {
    block[k] = (apl_cone_block){.set = APL_SET_CONE, .row = 3 * k, .section = odd};
    q[3 * k] = -1; /* all three are pressed */
  }
  const apl_cone_problem p = {N, 3, true, W, q, block};
  apl_cone_gather(&cone, &p);
  memset(cone.r, 0, N * sizeof *cone.r);
  apl_cone_velocity(&cone);
  const double start = apl_cone_evaluate(&cone, cone.r, cone.u);
  const double swept = apl_cone_sweep(&cone, 10, &result);
  assert_true(swept < start);
  const double end = apl_cone_newton(&cone, swept, 1e-12, 50, &result);
  assert_true(end <= 1e-12);
  assert_true(result.steps > 0 && result.sweeps > 0);
  apl_cone_velocity(&cone);
  for (int k = 0; k < 3; ++k) {
    const double *f = cone.r + 3 * k, *u = cone.u + 3 * k;
    assert_true(f[0] >= 0 && u[0] > -1e-11);
    CHECK_NEAR(f[0] * u[0], 0, 1e-11);
    assert_true(apl_section_holds(&odd, f[0] * (1 + 1e-9) + 1e-12, f + 1));
    const double most = f[0] * apl_section_support(&odd, (double[]){-u[1], -u[2]});
    CHECK_NEAR(-(f[1] * u[1] + f[2] * u[2]), most, 1e-10); /* most dissipation */
  }
  (void)apl_cone_evaluate(&cone, cone.r, cone.u);
  apl_cone_factor(&cone, 0);
  assert_true(apl_cone_factored(&cone));
  assert_true(apl_cone_unique(&cone)); /* W is definite and friction moderate */
  apl_cone_direction(&cone);           /* there is nowhere left to go */
  for (int i = 0; i < N; ++i)
    CHECK_NEAR(cone.dr[i], 0, 1e-10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projections),
      cmocka_unit_test(lines_and_wedges),
      cmocka_unit_test(gathering),
      cmocka_unit_test(solving),
  };
  return cmocka_run_group_tests_name("cone_parts", tests, setup, teardown);
}
