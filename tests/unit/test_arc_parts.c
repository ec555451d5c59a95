/* SPDX-License-Identifier: Apache-2.0 */
/* test_arc_parts.c: what arcs are made of (element/arc_*.h): integrals against quadrature of the
   circle, sections of constant strain against the exponential series of 6x6 matrices. The hot code
   is included as dynamics/hot.c does it. */
#define APL_HOT 1

#include "dense.h"
#include "near.h"
#include "random.h"

#include "element/arc_par.h"
#include "element/arc_plane.h"
#include "element/arc_space_block.h"
#include "element/arc_space_points.h"
#include "element/arc_space_section.h"
#include "element/arc_strain.h"

#include "element/registry.c"

#include <string.h>

/* Simpson's rule over so many intervals of 0 .. 1: error h^4, 1e-11 here. */
enum { PARTS = 400 };
static double simpson(int i) {
  return (i == 0 || i == PARTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0) / (3.0 * PARTS);
}

/* ----------------------------------------------------------------------------------- plane ---- */

/* r(s) = ((1 - cos ts)/t, sin ts/t) and dr/dt of a circle bent by t. */
static void circle(double t, double s, double r[2], double d[2]) {
  const double a = t * s;
  r[0] = (1 - cos(a)) / t, r[1] = sin(a) / t;
  d[0] = (s * sin(a) - r[0]) / t, d[1] = (s * cos(a) - r[1]) / t;
}

static plane_integrals by_quadrature(double t) {
  plane_integrals I = {0};
  for (int i = 0; i <= PARTS; ++i) {
    const double s = (double)i / PARTS, w = simpson(i);
    double r[2], d[2];
    circle(t, s, r, d);
    I.x += w * r[0], I.z += w * r[1];
    I.xx += w * r[0] * r[0], I.zz += w * r[1] * r[1], I.xz += w * r[0] * r[1];
    I.b += w * (r[1] * d[0] - r[0] * d[1]), I.c += w * (d[0] * d[0] + d[1] * d[1]);
    I.ss += w * sin(t * s) * sin(t * s), I.sc += w * sin(t * s) * cos(t * s);
  }
  return I;
}

static void plane_integrals_of_a_circle(void** state) {
  static const double angle[] = {-3, -0.4, 0.05, 0.7, 2, 4};
  const double h = 1e-4;

  (void)state;
  for (int i = 0; i < 6; ++i) {
    plane_integrals M, dM, up, down, none;
    double x2, z2, u2, w2;
    plane_exact(angle[i], &M, &dM, &x2, &z2);
    const plane_integrals want = by_quadrature(angle[i]);
    near_context("bent by %g", angle[i]);
    CHECK_ARRAY(&M.x, &want.x, 9, 1e-9, 1);
    plane_exact(angle[i] + h, &up, &none, &u2, &w2);
    const double dx = none.x, dz = none.z;
    plane_exact(angle[i] - h, &down, &none, &u2, &w2);
    for (int k = 0; k < 9; ++k)
      CHECK_NEAR((&dM.x)[k], ((&up.x)[k] - (&down.x)[k]) / (2 * h), 1e-8);
    CHECK_NEAR(x2, (dx - none.x) / (2 * h), 1e-8);
    CHECK_NEAR(z2, (dz - none.z) / (2 * h), 1e-8);
  }
  near_context(" ");
}

/* Turning about y only, the balance in the plane is that in space. */
static void plane_and_space_agree(void** state) {
  const arc_plane_par par = {0.8, 1.3, 0.02, 0.03, 5, 0.1, 0.4, 0.6};
  rng r = rng_seed(2);

  (void)state;
  for (int t = 0; t < 20; ++t) {
    const double x = rng_between(&r, -3, 3), xd = rng_between(&r, -1, 1),
                 w = rng_between(&r, -1, 1);
    const body_in in = {&par, &x, &xd, 1};
    double U[6], D[1], h[1], n[1], fx[1], fz[1], D2[1], h2[1];
    body_block B = {.U = U, .D = D, .h = h};
    plane_block P = {.n = n, .fx = fx, .fz = fz, .D = D2, .h = h2};
    arc_plane_balance(&in, (vec3){0, w, 0}, &B);
    arc_plane_flat_balance(&in, w, &P);
    CHECK_NEAR(P.m, B.I.M.xx, 1e-15);
    CHECK_NEAR(P.J, B.I.J.yy, 1e-14);
    CHECK_NEAR(n[0], U[1], 1e-14);
    CHECK_NEAR(fx[0], U[3], 1e-14);
    CHECK_NEAR(fz[0], U[5], 1e-14);
    CHECK_NEAR(D2[0], D[0], 1e-14);
    CHECK_NEAR(P.bn, B.b.n.y, 1e-14);
    CHECK_NEAR(P.bx, B.b.f.x, 1e-14);
    CHECK_NEAR(P.bz, B.b.f.z, 1e-14);
    CHECK_NEAR(h2[0], h[0], 1e-13);

    /* energy and its derivatives; a channel's length is linear in the bending */
    double K = 0, slope;
    arc_plane_stiffness(&in, 1, 0, &K);
    CHECK_NEAR(arc_plane_potential(&in), 0.5 * K * (x - 0.1) * (x - 0.1), 1e-13);
    CHECK_NEAR(arc_plane_dissipation(&in), 0.4 * xd * xd, 1e-15);
    CHECK_NEAR(arc_plane_channel(&in, (vec3){0.05, 0, 0}, &slope), 0.8 - 0.05 * x, 1e-15);
    CHECK_NEAR(slope, -0.05, 0);
    /* drag takes power out: of the frame's motion and of the bending together */
    const twist V = {{0, w, 0}, {rng_between(&r, -1, 1), 0, xd}};
    double Q;
    const wrench W = plane_drag(&in, V, &(plane_integrals){0}, &(plane_integrals){0}, &Q);
    CHECK_NEAR(power(V, W), -0.6 * dot(V.v, V.v), 1e-14); /* all of it at the root */
    assert_true(Q == 0);
  }
}

/* ----------------------------------------------------------------------------------- space ---- */

static space_element random_element(rng* r, double bend) {
  space_element e;
  rng_fill(r, &e.w.x, 3, bend), rng_fill(r, &e.v.x, 3, 0.2);
  rng_fill(r, &e.wd.x, 3, 1), rng_fill(r, &e.vd.x, 3, 1);
  e.v.z += 1;
  e.y = dot(e.w, e.w), e.wv = dot(e.w, e.v);
  return e;
}

/* ad(X) = ([w] 0; [v] [w]) */
static void ad(vec3 w, vec3 v, double A[36]) {
  const double W[9] = {0, -w.z, w.y, w.z, 0, -w.x, -w.y, w.x, 0};
  const double V[9] = {0, -v.z, v.y, v.z, 0, -v.x, -v.y, v.x, 0};
  memset(A, 0, 36 * sizeof *A);
  for (int i = 0; i < 9; ++i) {
    const int row = i / 3, c = i % 3;
    A[6 * row + c] = A[6 * (row + 3) + c + 3] = W[i];
    A[6 * (row + 3) + c] = V[i];
  }
}

/* T(s) = sum over k of (-1)^k s^(k+1)/(k+1)! ad^k, the integral of exp(-s ad) term by term. */
static void tangent_series(const space_element* e, double s, double T[36]) {
  double A[36], P[36] = {0}, next[36];
  ad(e->w, e->v, A);
  for (int i = 0; i < 6; ++i)
    P[7 * i] = s;
  memset(T, 0, 36 * sizeof *T);
  for (int k = 0; k < 60; ++k) {
    for (int i = 0; i < 36; ++i)
      T[i] += P[i];
    dense_product(A, P, 6, 6, 6, next);
    for (int i = 0; i < 36; ++i)
      P[i] = -s / (k + 2) * next[i];
  }
}

static void put_tangent(const space_tangent* t, double T[36]) {
  memset(T, 0, 36 * sizeof *T);
  for (int i = 0; i < 9; ++i) {
    const int row = i / 3, c = i % 3;
    T[6 * row + c] = T[6 * (row + 3) + c + 3] = (&t->G.xx)[i];
    T[6 * (row + 3) + c] = (&t->A.xx)[i];
  }
}

static void sections_of_constant_strain(void** state) {
  rng r = rng_seed(3);
  const double h = 1e-5;

  (void)state;
  for (int t = 0; t < 30; ++t) {
    const space_element e = random_element(&r, t % 3 == 0 ? 1e-4 : 2);
    const double s = rng_between(&r, 0, 1);
    double f[F_N], want[36], got[36];
    space_functions(s, e.y, f);
    const space_tangent T = space_tangent_of(&e, f);
    put_tangent(&T, got);
    tangent_series(&e, s, want);
    CHECK_ARRAY(got, want, 36, 1e-13, 1);

    /* gamma, delta are 2 d/dy of alpha, beta; epsilon, zeta of those */
    double up[F_N], down[F_N];
    if (e.y < 0.1) continue;
    space_functions(s, e.y + h, up), space_functions(s, e.y - h, down);
    for (int k = F_A; k <= F_D; ++k)
      CHECK_NEAR((up[k] - down[k]) / h, f[k + 2], 1e-9);

    /* the centre line moves along its own axis: p' = R v, |p'| = |v| */
    space_functions(s + h, e.y, up), space_functions(s - h, e.y, down);
    const vec3 p = scale(0.5 / h, sub(space_place(&e, up), space_place(&e, down)));
    CHECK_NEAR(dot(p, p), dot(e.v, e.v), 1e-8);

    /* T' X' where X moves along X' */
    space_element a = e, b = e;
    a.w = add(e.w, scale(h, e.wd)), a.v = add(e.v, scale(h, e.vd));
    b.w = sub(e.w, scale(h, e.wd)), b.v = sub(e.v, scale(h, e.vd));
    double Ta[36], Tb[36], Va[6], Vb[6];
    tangent_series(&a, s, Ta), tangent_series(&b, s, Tb);
    dense_times(Ta, &e.wd.x, 6, 6, Va), dense_times(Tb, &e.wd.x, 6, 6, Vb);
    const twist rate = space_turning(&e, f);
    for (int k = 0; k < 6; ++k)
      CHECK_NEAR((&rate.w.x)[k], (Va[k] - Vb[k]) / (2 * h), 1e-8);
  }
}

static void gauss_rules(void** state) {
  (void)state;
  for (int rule = 0; rule < GAUSS_RULES; ++rule) {
    const int n = gauss_count[rule];
    for (int power_of = 0; power_of < 2 * n; ++power_of) { /* exact up to degree 2n - 1 */
      double sum = 0;
      for (int i = 0; i < n; ++i)
        sum += gauss_weight[rule][i] * pow(gauss_at[rule][i], power_of);
      CHECK_NEAR(sum, 1.0 / (power_of + 1), 1e-15);
    }
  }
}

/* Sums over the points the element chooses are the integrals; the block is <T^T I T> and so on. */
static void blocks(void** state) {
  static const double bend[] = {0.01, 0.2, 0.4, 1, 1.8, 3};
  const double m = 1.4;
  const vec3 j = {0.03, 0.05, 0.08};
  rng r = rng_seed(4);

  (void)state;
  for (int t = 0; t < 6; ++t) {
    const space_element e = random_element(&r, bend[t]);
    double f[F_N][GAUSS_MOST], D[36] = {0}, Q[36] = {0}, T[36], ss = 0, bd = 0;
    const double I6[6] = {j.x, j.y, j.z, m, m, m};
    space_points p;
    space_integrals I;
    space_block B;
    for (int i = 0; i <= PARTS; ++i) {
      const double s = (double)i / PARTS, w = simpson(i);
      double g[F_N];
      space_functions(s, e.y, g);
      ss += w * g[F_S] * g[F_S], bd += w * g[F_B] * g[F_D];
      tangent_series(&e, s, T);
      for (int a = 0; a < 36; ++a) {
        Q[a] += w * T[a];
        for (int k = 0; k < 6; ++k)
          D[a] += w * T[6 * k + a / 6] * I6[k] * T[6 * k + a % 6];
      }
    }
    near_context("bent by %g", sqrt(e.y));
    space_points_of(e.y, &p);
    assert_int_equal(p.n % 2, 0);
    space_functions_of(&p, e.y, f);
    space_integrate(&p, f, &I);
    CHECK_NEAR(I.ss, ss, 1e-9);
    CHECK_NEAR(I.bd, bd, 1e-9);
    space_balance(&e, m, j, NULL, &B);
    put_tangent(&B.Q, T);
    CHECK_ARRAY(T, Q, 36, 1e-8, 1);
    const double ww[9] = {B.D.ww.xx, B.D.ww.xy, B.D.ww.xz, B.D.ww.xy, B.D.ww.yy,
                          B.D.ww.yz, B.D.ww.xz, B.D.ww.yz, B.D.ww.zz};
    const double vv[9] = {B.D.vv.xx, B.D.vv.xy, B.D.vv.xz, B.D.vv.xy, B.D.vv.yy,
                          B.D.vv.yz, B.D.vv.xz, B.D.vv.yz, B.D.vv.zz};
    for (int k = 0; k < 9; ++k) {
      CHECK_NEAR(ww[k], D[6 * (k / 3) + k % 3], 1e-8);
      CHECK_NEAR(vv[k], D[6 * (k / 3 + 3) + k % 3 + 3], 1e-8);
      CHECK_NEAR((&B.D.wv.xx)[k], D[6 * (k / 3) + k % 3 + 3], 1e-8);
    }
    /* at rest there are no velocity products; a turning frame has centripetal ones */
    assert_true(dot(B.b.f, B.b.f) == 0 && dot(B.on.w, B.on.w) == 0);

    /* what a rigid bar of this shape weighs against turning: J of its points about the root */
    space_fixed F;
    space_fix(&e, &B, &F);
    double trace = 0;
    for (int i = 0; i <= PARTS; ++i) {
      double g[F_N];
      space_functions((double)i / PARTS, e.y, g);
      const vec3 x = space_place(&e, g);
      trace += simpson(i) * 2 * m * dot(x, x);
    }
    CHECK_NEAR(F.J.xx + F.J.yy + F.J.zz, trace + j.x + j.y + j.z, 1e-8);
  }
  near_context(" ");
}

/* Elastic efforts are the slope of the energy; a channel's slope is that of its length. */
static void strains(void** state) {
  static const int row[3] = {1, 2, 5};
  double memory[8 + 3 * 9] = {0};
  arc_space_par* par = (arc_space_par*)(void*)memory;
  const double h = 1e-6, x[3] = {0.4, -0.3, 0.02}, xd[3] = {1, 2, 3};
  const vec3 d = {0.03, -0.02, 0};

  (void)state;
  par->L = 0.5;
  for (int k = 0; k < 3; ++k) {
    par->strain[k].B[row[k]] = 1;
    par->strain[k].stiffness = 2 + k, par->strain[k].rest = 0.1 * k, par->strain[k].damping = 0.3;
  }
  const body_in in = {par, x, (double[3]){0, 0, 0}, 3}, moving = {par, x, xd, 3};
  double slope[3], none[3], K[9] = {0};
  arc_space_channel(&in, d, slope);
  arc_space_stiffness(&in, 2, 0, K);
  for (int k = 0; k < 3; ++k) {
    double up[3], down[3];
    memcpy(up, x, sizeof up), memcpy(down, x, sizeof down);
    up[k] += h, down[k] -= h;
    const body_in a = {par, up, in.xd, 3}, b = {par, down, in.xd, 3};
    CHECK_NEAR(arc_elastic(&in, k), (arc_space_potential(&a) - arc_space_potential(&b)) / (2 * h),
               1e-9);
    CHECK_NEAR(slope[k],
               (arc_space_channel(&a, d, none) - arc_space_channel(&b, d, none)) / (2 * h), 1e-9);
    CHECK_NEAR(K[4 * k], 2 * (2 + k), 0);
    CHECK_NEAR(arc_elastic(&moving, k) - arc_elastic(&in, k), 0.3 * xd[k], 1e-15);
  }
  CHECK_NEAR(arc_space_dissipation(&moving), 0.3 * (1 + 4 + 9), 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plane_integrals_of_a_circle),
      cmocka_unit_test(plane_and_space_agree),
      cmocka_unit_test(sections_of_constant_strain),
      cmocka_unit_test(gauss_rules),
      cmocka_unit_test(blocks),
      cmocka_unit_test(strains),
  };
  (void)joint_ops_of, (void)body_ops_of;
  return cmocka_run_group_tests_name("arc_parts", tests, NULL, NULL);
}
