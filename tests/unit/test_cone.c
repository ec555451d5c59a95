/* SPDX-License-Identifier: Apache-2.0 */
/* test_cone.c: forces of rows in lines, intervals and friction cones, against closed forms, against
   maximum dissipation searched by brute force, and against the law itself on families of many
   contacts. */
#include "conecases.h"
#include "dense.h"
#include "near.h"
#include "random.h"

#include "couple/solve/cone.h"

#include <stdlib.h>
#include <string.h>

#define TURN 6.283185307179586
enum { MOST = 200 };

static apl_cone cone;
static void* memory;

static int setup(void** state) {
  apl_arena a = {0};

  (void)state;
  apl_cone_place(&cone, MOST, MOST, &a);
  const size_t bytes = (a.used + 63u) & ~(size_t)63u;
  memory = aligned_alloc(64, bytes);
  if (memory == NULL) return -1;
  memset(memory, 0xff, bytes); /* NaN everywhere: nothing may be read before it is written */
  a = (apl_arena){.base = memory, .size = a.used};
  apl_cone_place(&cone, MOST, MOST, &a);
  return 0;
}

static int teardown(void** state) {
  (void)state;
  free(memory);
  return 0;
}

/* A problem in the making, and its answer. */
typedef struct trial {
  int n, nblock;
  bool symmetric, warm;
  double W[36], q[6], r[6], u[6];
  apl_cone_block block[6];
  apl_cone_result result;
} trial;

static apl_cone_result solve(trial* t) {
  const apl_cone_problem p = {t->n, t->nblock, t->symmetric, t->W, t->q, t->block};
  apl_cone_options o = apl_cone_defaults();

  o.warm = t->warm;
  t->result = apl_cone_solve(&cone, &p, &o, t->r, t->u);
  return t->result;
}

/* A point mass with rows n, t1, t2. */
static trial point(double mass, double mu, double qn, double q1, double q2) {
  trial t = {.n = 3, .nblock = 1, .symmetric = true, .q = {qn, q1, q2}};

  for (int i = 0; i < 3; ++i)
    t.W[4 * i] = 1 / mass;
  t.block[0] = (apl_cone_block){.set = APL_SET_CONE, .section = apl_section_circle(mu)};
  return t;
}

static void check_solved(const trial* t) {
  CHECK_TRUE(t->result.status == APL_CONE_SOLVED, "residual %g", t->result.residual);
  CHECK_TRUE(t->result.residual <= 1e-10, "residual %g", t->result.residual);
}

/* -------------------------------------------------------------------------- closed forms ---- */

static void test_incline_sticks(void** state) {
  (void)state;
  /* tan 20 deg = 0.364 < 0.5: friction balances gravity over 1 ms completely, and nothing moves */
  const double g = 9.81e-3, s = sin(0.349), c = cos(0.349);
  trial t = point(3, 0.5, -g * c, 0.6 * g * s, 0.8 * g * s);
  (void)solve(&t);
  check_solved(&t);
  for (int i = 0; i < 3; ++i) {
    CHECK_NEAR(t.u[i], 0, 1e-17 * g + 1e-18); /* sticking is exact to round-off of one sum */
    CHECK_NEAR(t.r[i], -3 * t.q[i], 1e-15);
  }
  assert_true(t.result.unique);
}

static void test_incline_slides(void** state) {
  (void)state;
  /* 40 deg: u_T = g (sin - mu cos) down the slope, and the body does not rise: u_N = 0 */
  const double g = 9.81e-3, s = sin(0.698), c = cos(0.698), mu = 0.5;
  trial t = point(3, mu, -g * c, 0.6 * g * s, -0.8 * g * s);
  (void)solve(&t);
  check_solved(&t);
  CHECK_NEAR(t.u[0], 0, 1e-17);
  CHECK_NEAR(t.u[1], 0.6 * g * (s - mu * c), 1e-16);
  CHECK_NEAR(t.u[2], -0.8 * g * (s - mu * c), 1e-16);
  CHECK_NEAR(t.r[0], 3 * g * c, 1e-15);
}

static void test_impact(void** state) {
  (void)state;
  trial t = point(2, 0.3, -1, 0, 0);
  (void)solve(&t);
  CHECK_NEAR(t.r[0], 2, 1e-15);
  CHECK_NEAR(t.u[0], 0, 1e-14);
  t = point(2, 0.3, 1, 1, 0); /* it leaves: no force at all */
  (void)solve(&t);
  check_solved(&t);
  assert_true(t.r[0] == 0 && t.r[1] == 0 && t.r[2] == 0);
  assert_true(t.u[0] == 1 && t.u[1] == 1);
}

/* A mass pressed down into a groove of two smooth planes at 45 degrees, then to one side. */
static void test_groove(void** state) {
  const double h = sqrt(0.5), m = 2;

  (void)state;
  trial t = {.n = 2, .nblock = 2, .symmetric = true, .W = {1 / m, 0, 0, 1 / m}};
  for (int k = 0; k < 2; ++k)
    t.block[k] = (apl_cone_block){.set = APL_SET_HALF_LINE, .row = k};
  t.q[0] = t.q[1] = -h; /* n = (+-h, h), v = (0, -1) */
  (void)solve(&t);
  CHECK_NEAR(t.r[0], m * h, 1e-15);
  CHECK_NEAR(t.r[1], m * h, 1e-15);
  t.q[0] = -3 * h; /* v = (-2, -1): it presses on one plane and leaves the other */
  t.q[1] = h;
  (void)solve(&t);
  CHECK_NEAR(t.r[0], 3 * m * h, 1e-14);
  assert_true(t.r[1] == 0 && t.u[1] == h);
}

static void test_interval(void** state) {
  static const struct {
    double q, r, u;
  } want[] = {{-10, 3, -4}, {-3, 1.5, 0}, {0.5, -0.25, 0}, {5, -1, 3}};

  (void)state;
  for (size_t k = 0; k < sizeof want / sizeof *want; ++k) {
    trial t = {.n = 1, .nblock = 1, .symmetric = true, .W = {2}, .q = {want[k].q}};
    t.block[0] = (apl_cone_block){.set = APL_SET_INTERVAL, .lo = -1, .hi = 3};
    (void)solve(&t);
    check_solved(&t);
    CHECK_NEAR(t.r[0], want[k].r, 1e-13); /* held rows: 1e-14 of |q| */
    CHECK_NEAR(t.u[0], want[k].u, 1e-13);
  }
  /* an interval without zero, at rest */
  trial t = {.n = 1, .nblock = 1, .symmetric = true, .W = {2}};
  t.block[0] = (apl_cone_block){.set = APL_SET_INTERVAL, .lo = 1, .hi = 3};
  (void)solve(&t);
  check_solved(&t);
  assert_true(t.r[0] == 1 && t.u[0] == 2);
}

/* ------------------------------------------------------------------------ most dissipation ---- */

static apl_section any_section(rng* r, int k) {
  apl_section c;
  for (int i = 0; i < 2; ++i) {
    c.plus[i] = rng_between(r, 0.05, 1);
    c.minus[i] = rng_between(r, 0.05, 1);
  }
  if (k % 3 == 1) c.minus[k / 3 % 2] = 0;
  return c;
}

static void any_matrix(rng* r, int n, double* W) {
  double B[36], T[36];
  rng_fill(r, B, n * n, 1);
  dense_transpose(B, n, n, T);
  dense_product(B, T, n, n, n, W);
  for (int i = 0; i < n; ++i)
    W[i * n + i] += 0.2;
}

/* The largest -p.u over load C, by a walk along its edge. */
static double most_power(const apl_section* c, double load, const double u[2]) {
  double most = 0;

  for (int j = 0; j < 20000; ++j) {
    const double e[2] = {cos(TURN * j / 20000), sin(TURN * j / 20000)};
    double power = 0;
    for (int i = 0; i < 2; ++i)
      power -= load * e[i] * (e[i] >= 0 ? c->plus[i] : c->minus[i]) * u[i];
    most = fmax(most, power);
  }
  return most;
}

static void test_dissipation(void** state) {
  rng r = rng_seed(31);
  int slide = 0, stick = 0, open = 0;

  (void)state;
  for (int k = 0; k < 600; ++k) {
    const bool disc = k % 2;
    const int t0 = disc ? 0 : 1;
    trial t = {.n = disc ? 2 : 3, .nblock = 1, .symmetric = true};
    const apl_section c = any_section(&r, k);
    near_context("section %d", k);
    any_matrix(&r, t.n, t.W);
    rng_fill(&r, t.q, t.n, 1);
    t.block[0] = (apl_cone_block){
        .set = disc ? APL_SET_DISC : APL_SET_CONE, .load = rng_between(&r, 0, 2), .section = c};
    (void)solve(&t);
    check_solved(&t);
    const double load = disc ? t.block[0].load : t.r[0];
    const double *force = t.r + t0, *slip = t.u + t0;
    if (!disc) {
      CHECK_TRUE(load >= 0 && t.u[0] >= -1e-12, "r_N = %g, u_N = %g", load, t.u[0]);
      CHECK_NEAR(load * t.u[0], 0, 1e-12);
    }
    const double in[2] = {force[0] * (1 - 1e-9), force[1] * (1 - 1e-9)};
    CHECK_TRUE(load == 0 || apl_section_holds(&c, load, in), "the force leaves the section");
    const double power = -force[0] * slip[0] - force[1] * slip[1];
    /* the walk misses the best point by (pi/20000)^2/2 of it */
    CHECK_NEAR(power, most_power(&c, load, slip), 1e-7);
    open += !disc && load == 0;
    stick += load > 0 && hypot(slip[0], slip[1]) < 1e-14;
    slide += load > 0 && hypot(slip[0], slip[1]) > 1e-6;
  }
  assert_true(open > 20 && stick > 50 && slide > 100);
}

/* ------------------------------------------------------------------------------ odd rows ---- */

static void test_idle_rows(void** state) {
  (void)state;
  /* nothing moves along t2: the same as in the plane */
  trial t = point(2, 0.4, -1, 2, 0);
  t.W[8] = 0;
  (void)solve(&t);
  check_solved(&t);
  CHECK_NEAR(t.r[0], 2, 1e-15);
  CHECK_NEAR(t.r[1], -0.8, 1e-15);
  assert_true(t.r[2] == 0 && t.u[2] == 0);
  t.W[8] = 1e-17; /* round-off of zero */
  (void)solve(&t);
  check_solved(&t);
  CHECK_NEAR(t.r[1], -0.8, 1e-15);
  assert_true(t.r[2] == 0);
  /* the wedge is that plane */
  trial w = {.n = 2, .nblock = 1, .symmetric = true, .W = {0.5, 0, 0, 0.5}, .q = {-1, 2}};
  w.block[0] = (apl_cone_block){.set = APL_SET_WEDGE, .section = {{0.7, 9}, {0.4, 9}}};
  (void)solve(&w);
  check_solved(&w);
  CHECK_NEAR(w.r[0], 2, 1e-15);
  CHECK_NEAR(w.r[1], -0.8, 1e-15); /* the coefficient of forces along -t1 */
  /* nothing moves along the normal: no force, so no friction */
  t = point(2, 0.4, -1, 2, 0);
  t.W[0] = 0;
  (void)solve(&t);
  check_solved(&t);
  assert_true(t.r[0] == 0 && t.r[1] == 0 && t.u[1] == 2);
}

/* No force changes u along t2, but the contact slides there: friction is against the whole slip. */
static void test_driven_slip(void** state) {
  (void)state;
  trial t = point(2, 0.4, -1, 2, 7);
  t.W[8] = 0;
  (void)solve(&t);
  CHECK_NEAR(t.r[0], 2, 1e-12);
  assert_true(t.u[2] == 7);
  /* 1e-6 of the jump that friction could make, over the slip */
  CHECK_NEAR(t.r[1], -0.8 * t.u[1] / hypot(t.u[1], 7), 1e-6);
  CHECK_NEAR(t.r[2], -0.8 * 7 / hypot(t.u[1], 7), 1e-6);
  CHECK_NEAR(hypot(t.r[1], t.r[2]), 0.8, 1e-12);
  /* both directions are driven */
  t.W[4] = 0;
  (void)solve(&t);
  assert_true(t.u[1] == 2 && t.u[2] == 7);
  CHECK_NEAR(t.r[1], -0.8 * 2 / hypot(2, 7), 1e-12);
  CHECK_NEAR(t.r[2], -0.8 * 7 / hypot(2, 7), 1e-12);
}

static void test_no_friction(void** state) {
  (void)state;
  trial t = point(2, 0, -1, 2, 7);
  (void)solve(&t);
  check_solved(&t);
  CHECK_NEAR(t.r[0], 2, 1e-15);
  assert_true(t.r[1] == 0 && t.r[2] == 0 && t.u[1] == 2 && t.u[2] == 7);
}

/* Free rows among others: a mass on a rail (u_y = 0) that lands on a plane. */
static void test_free_among_others(void** state) {
  (void)state;
  trial t = {.n = 4, .nblock = 2, .symmetric = true, .q = {-1, 3, 4, 4}};
  for (int i = 0; i < 4; ++i)
    t.W[5 * i] = 0.5;
  t.W[2 * 4 + 3] = t.W[3 * 4 + 2] = 0.5; /* the rail constrains the direction of t2 */
  t.block[0] = (apl_cone_block){.set = APL_SET_CONE, .section = apl_section_circle(0.5)};
  t.block[1] = (apl_cone_block){.set = APL_SET_FREE, .row = 3};
  (void)solve(&t);
  check_solved(&t);
  CHECK_NEAR(t.u[3], 0, 1e-15);
  CHECK_NEAR(t.u[2], 0, 1e-15);
  CHECK_NEAR(t.r[0], 2, 1e-14);
  CHECK_NEAR(t.u[1], 2.5, 1e-14); /* all friction, mu r_N = 1, is against the only slip left, */
  CHECK_NEAR(t.r[3], -8, 1e-13);  /* so the rail alone carries the load along t2 */
  assert_true(t.result.unique);
}

static void test_bad_numbers(void** state) {
  (void)state;
  trial t = point(2, 0.4, -1, NEAR_NAN, 0);
  assert_true(solve(&t).status == APL_CONE_FAILED);
  assert_true(t.r[0] == 0 && t.r[1] == 0 && t.r[2] == 0);
  /* a warm start that is no number is no start */
  t = point(2, 0.4, -1, 0, 0);
  t.r[0] = NEAR_NAN;
  t.warm = true;
  (void)solve(&t);
  check_solved(&t);
  CHECK_NEAR(t.r[0], 2, 1e-15);
  /* no force is needed */
  t = point(2, 0.4, 0, 0, 0);
  (void)solve(&t);
  check_solved(&t);
  assert_true(t.r[0] == 0);
}

/* ------------------------------------------------------------------------------- mixtures ---- */

static int rows_of(apl_set set) {
  return set == APL_SET_CONE ? 3 : set == APL_SET_WEDGE || set == APL_SET_DISC ? 2 : 1;
}

static apl_cone_block any_block(rng* r, int row) {
  apl_cone_block b = {.set = (apl_set)rng_below(r, 6), .row = row};

  b.lo = -rng_between(r, 0, 1);
  b.hi = rng_between(r, 0, 1);
  b.load = rng_between(r, 0, 1);
  b.section =
      rng_below(r, 2) ? any_section(r, rng_below(r, 3)) : apl_section_circle(rng_between(r, 0, 1));
  return b;
}

/* How far forces and velocities of a block are from its law. */
static double away(const apl_cone_block* b, const double* r, const double* u) {
  const bool contact = b->set == APL_SET_CONE || b->set == APL_SET_WEDGE;
  const double lo = b->set == APL_SET_FREE ? -HUGE_VAL : b->set == APL_SET_INTERVAL ? b->lo : 0;
  const double hi = b->set == APL_SET_INTERVAL ? b->hi : HUGE_VAL;
  double off = 0;

  if (b->set != APL_SET_DISC) { /* the row is in [lo, hi], and u pushes outward at its ends only */
    off = fmax(fmax(lo - r[0], r[0] - hi), 0);
    if (r[0] > lo) off = fmax(off, u[0]);
    if (r[0] < hi) off = fmax(off, -u[0]);
  }
  if (!contact && b->set != APL_SET_DISC) return off;
  /* friction: inside its section, with the most power */
  const double load = contact ? r[0] : b->load;
  const double force[2] = {r[contact], b->set == APL_SET_WEDGE ? 0 : r[contact + 1]};
  const double back[2] = {-u[contact], b->set == APL_SET_WEDGE ? 0 : -u[contact + 1]};
  const double most = load * apl_section_support(&b->section, back);
  if (load > 0) {
    apl_section_point at;
    apl_section_project(&b->section, load, force, &at);
    off = fmax(off, hypot(force[0] - at.p[0], force[1] - at.p[1]));
  }
  return fmax(off, fabs(most - force[0] * back[0] - force[1] * back[1]));
}

/* All sets together, redundant and not: rows of random J on few or many freedoms. */
static void test_mixtures(void** state) {
  enum { BLOCKS = 12, ROWS = 3 * BLOCKS };
  apl_cone_block block[BLOCKS];
  double J[ROWS * ROWS], T[ROWS * ROWS], W[ROWS * ROWS], v[ROWS], q[ROWS], r[ROWS], u[ROWS];
  rng g = rng_seed(35);

  (void)state;
  for (int k = 0; k < 500; ++k) {
    const int nblock = 2 + rng_below(&g, BLOCKS - 1), nv = 3 + rng_below(&g, ROWS - 2);
    int n = 0;
    near_context("mixture %d", k);
    for (int i = 0; i < nblock; ++i) {
      block[i] = any_block(&g, n);
      n += rows_of(block[i].set);
    }
    rng_fill(&g, J, n * nv, 1);
    rng_fill(&g, v, nv, 1);
    dense_transpose(J, n, nv, T);
    dense_product(J, T, n, nv, n, W);
    dense_times(J, v, n, nv, q);
    const apl_cone_problem p = {n, nblock, true, W, q, block};
    const apl_cone_options o = apl_cone_defaults();
    const apl_cone_result result = apl_cone_solve(&cone, &p, &o, r, u);
    CHECK_TRUE(result.status == APL_CONE_SOLVED, "residual %g", result.residual);
    /* residuals of 1e-10 |q|, times forces and speeds of up to 100 */
    for (int i = 0; i < nblock; ++i)
      CHECK_NEAR(away(&block[i], r + block[i].row, u + block[i].row), 0, 1e-7);
  }
}

/* --------------------------------------------------------------------- not symmetric rows ---- */

/* Contacts that slide with known directions: columns n - mu d. Held rows beside them are free. */
static void test_sliding_columns(void** state) {
  rng r = rng_seed(41);

  (void)state;
  for (int k = 0; k < 100; ++k) {
    trial t = {.n = 4, .nblock = 4};
    double A[36], want[4];
    near_context("case %d", k);
    any_matrix(&r, 6, A); /* rows n1, n2, held 1, held 2, d1, d2 */
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        t.W[4 * i + j] = A[6 * i + j] - (j < 2 ? 0.2 * A[6 * i + 4 + j] : 0);
    rng_fill(&r, t.q, 4, 1);
    t.q[0] -= 2;
    t.q[1] -= 2;
    for (int i = 0; i < 4; ++i)
      t.block[i] = (apl_cone_block){.set = APL_SET_FREE, .row = i};
    (void)solve(&t);
    check_solved(&t);
    CHECK_NEAR(near_max(t.u, 4), 0, 1e-12);
    if (t.r[0] <= 0 || t.r[1] <= 0) continue;
    /* the same answer when it must be found that both press */
    memcpy(want, t.r, sizeof want);
    t.block[0].set = t.block[1].set = APL_SET_HALF_LINE;
    (void)solve(&t);
    check_solved(&t);
    CHECK_ARRAY(t.r, want, 4, 1e-9, near_max(want, 4));
  }
}

/* Friction turns the push round (Painleve): no force can stop the approach. Said, not hung. */
static void test_no_answer(void** state) {
  (void)state;
  trial t = {.n = 1, .nblock = 1, .W = {-1}, .q = {-1}};
  t.block[0] = (apl_cone_block){.set = APL_SET_HALF_LINE};
  assert_true(solve(&t).status == APL_CONE_FAILED);
  assert_int_equal(t.result.worst, 0);
  assert_true(isfinite(t.r[0]));
}

/* -------------------------------------------------------------------------------- families ---- */

static apl_cone_result solve_case(const cone_case* c, bool warm, double* r, double* u) {
  apl_cone_block block[MOST];
  apl_cone_options o = apl_cone_defaults();

  for (int k = 0; k < c->contacts; ++k)
    block[k] = (apl_cone_block){
        .set = APL_SET_CONE, .row = 3 * k, .section = apl_section_circle(c->mu[k])};
  o.warm = warm;
  return apl_cone_solve(&cone, &(apl_cone_problem){c->n, c->contacts, true, c->W, c->q, block}, &o,
                        r, u);
}

/* Cold, then warm after a small change, then cold again: the law holds, and warm and cold agree. */
static void test_families(void** state) {
  double r[MOST], u[MOST], again[MOST], v[MOST];

  (void)state;
  for (int f = 0; f < CONE_FAMILIES; ++f) {
    rng g = rng_seed(100 + (uint64_t)f);
    for (int k = 0; k < (f == CONE_SIXTY ? 5 : 40); ++k) {
      near_context("%s %d", cone_family_name[f], k);
      cone_case c = cone_case_new((cone_family)f, &g);
      CHECK_TRUE(solve_case(&c, false, r, u).status == APL_CONE_SOLVED, "cold");
      CHECK_NEAR(cone_case_residual(&c, r), 0, 1e-8);
      cone_case_shake(&c, &g, 0.01);
      CHECK_TRUE(solve_case(&c, true, r, u).status == APL_CONE_SOLVED, "warm");
      CHECK_NEAR(cone_case_residual(&c, r), 0, 1e-8);
      const apl_cone_result cold = solve_case(&c, false, again, v);
      CHECK_TRUE(cold.status == APL_CONE_SOLVED, "cold again");
      /* tolerance 1e-10, amplified by small eigenvalues of W */
      if (cold.unique) CHECK_ARRAY(r, again, c.n, 1e-6, near_max(again, c.n));
      if (cold.unique) CHECK_ARRAY(u, v, c.n, 1e-7, near_max(c.q, c.n));
      cone_case_free(&c);
    }
  }
}

/* The result does not depend on earlier calls of the solver, bit by bit. */
static void test_same_bytes(void** state) {
  double r[MOST], again[MOST];

  (void)state;
  for (int f = 0; f < CONE_FAMILIES; ++f) {
    rng g = rng_seed(200), other = rng_seed(201);
    cone_case c = cone_case_new((cone_family)f, &g);
    cone_case between = cone_case_new(CONE_RANDOM, &other);
    (void)solve_case(&c, false, r, NULL);
    (void)solve_case(&between, false, again, NULL);
    (void)solve_case(&c, false, again, NULL);
    assert_memory_equal(r, again, (size_t)c.n * sizeof *r);
    cone_case_free(&c);
    cone_case_free(&between);
  }
}

/* Other units of force and speed: powers of two give the same digits, others the same answer. */
static void test_units(void** state) {
  static const double unit[] = {1099511627776.0, 1e9, 1e-9, 1e-15};
  double r[MOST], other[MOST];

  (void)state;
  for (int f = 0; f < CONE_SIXTY; ++f) {
    rng g = rng_seed(300);
    cone_case c = cone_case_new((cone_family)f, &g);
    const bool unique = solve_case(&c, false, r, NULL).unique;
    for (size_t k = 0; k < sizeof unit / sizeof *unit; ++k) {
      rng again = rng_seed(300);
      cone_case d = cone_case_new((cone_family)f, &again);
      near_context("%s by %g", cone_family_name[f], unit[k]);
      for (int i = 0; i < d.n * d.n; ++i)
        d.W[i] *= unit[k] * unit[k]; /* speed in 1/unit, force in unit */
      for (int i = 0; i < d.n; ++i)
        d.q[i] *= unit[k];
      CHECK_TRUE(solve_case(&d, false, other, NULL).status == APL_CONE_SOLVED, "units");
      for (int i = 0; i < d.n; ++i)
        other[i] *= unit[k];
      if (k == 0) assert_memory_equal(r, other, (size_t)c.n * sizeof *r);
      if (unique) CHECK_ARRAY(other, r, c.n, 1e-8, near_max(r, c.n));
      cone_case_free(&d);
    }
    cone_case_free(&c);
  }
}

/* A box on four corners, pushed down and along: any split of its weight is right, its motion is
   that of one body. */
static void test_box(void** state) {
  double r[12], u[12];

  (void)state;
  for (int k = 0; k < 2; ++k) {
    rng g = rng_seed(400);
    cone_case c = cone_case_new(CONE_BOX, &g);
    memset(c.v, 0, 6 * sizeof *c.v);
    c.v[5] = -1;
    c.v[3] = k == 0 ? 0.05 : 4;
    for (int i = 0; i < 4; ++i)
      c.mu[i] = 0.3;
    dense_times(c.J, c.v, 12, 6, c.q);
    const apl_cone_result result = solve_case(&c, false, r, u);
    assert_true(result.status == APL_CONE_SOLVED);
    assert_false(result.unique);
    for (int i = 0; i < 4; ++i) {
      /* sticks, or slides with 4 - 0.3 1; standing wide enough not to tip */
      CHECK_NEAR(u[3 * i], 0, 1e-13);
      CHECK_NEAR(u[3 * i + 1], k == 0 ? 0 : 3.7, 1e-12);
      CHECK_NEAR(u[3 * i + 2], 0, 1e-13);
    }
    cone_case_free(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_incline_sticks),  cmocka_unit_test(test_incline_slides),
      cmocka_unit_test(test_impact),          cmocka_unit_test(test_groove),
      cmocka_unit_test(test_interval),        cmocka_unit_test(test_dissipation),
      cmocka_unit_test(test_idle_rows),       cmocka_unit_test(test_driven_slip),
      cmocka_unit_test(test_no_friction),     cmocka_unit_test(test_free_among_others),
      cmocka_unit_test(test_bad_numbers),     cmocka_unit_test(test_mixtures),
      cmocka_unit_test(test_sliding_columns), cmocka_unit_test(test_no_answer),
      cmocka_unit_test(test_families),        cmocka_unit_test(test_same_bytes),
      cmocka_unit_test(test_units),           cmocka_unit_test(test_box),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
