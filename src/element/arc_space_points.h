/* SPDX-License-Identifier: Apache-2.0 */
/* arc_space_points.h: sums over the Gauss points of an element of constant strain in space:
   integrals of functions of its sections, and forces from velocity products. Both use the same
   points, so the discrete body conserves energy exactly for any number of points. Theory:
   docs/theory/arc.md, section 9. */
#pragma once

#include "element/arc_space_section.h"

#ifdef APL_HOT

/* Gauss-Legendre on 0 .. 1. The number of points grows with y = |w|^2 by these limits, so that the
   error of each integral is below 1e-14 of its block up to one turn per element, the largest
   bending that a file may ask for (arc.md, section 9). */
enum { GAUSS_RULES = 7, GAUSS_MOST = 14 };
static const int gauss_count[GAUSS_RULES] = {5, 6, 7, 8, 10, 12, GAUSS_MOST};
static const double gauss_limit[GAUSS_RULES - 1] = {0.007, 0.1, 0.55, 1.8, 8.5, 25.0};
static const double gauss_at[GAUSS_RULES][GAUSS_MOST] = {
    {0.046910077030668003601, 0.23076534494715845448, 0.50000000000000000000,
     0.76923465505284154552, 0.95308992296933199640},
    {0.033765242898423986094, 0.16939530676686774317, 0.38069040695840154568,
     0.61930959304159845432, 0.83060469323313225683, 0.96623475710157601391},
    {0.025446043828620737737, 0.12923440720030278007, 0.29707742431130141655,
     0.50000000000000000000, 0.70292257568869858345, 0.87076559279969721993,
     0.97455395617137926226},
    {0.019855071751231884158, 0.10166676129318663020, 0.23723379504183550709,
     0.40828267875217509753, 0.59171732124782490247, 0.76276620495816449291, 0.89833323870681336980,
     0.98014492824876811584},
    {0.013046735741414139961, 0.067468316655507744634, 0.16029521585048779688,
     0.28330230293537640460, 0.42556283050918439456, 0.57443716949081560544, 0.71669769706462359540,
     0.83970478414951220312, 0.93253168334449225537, 0.98695326425858586004},
    {0.0092196828766403746547, 0.047941371814762571661, 0.11504866290284765648,
     0.20634102285669127635, 0.31608425050090990312, 0.43738329574426554226, 0.56261670425573445774,
     0.68391574949909009688, 0.79365897714330872365, 0.88495133709715234352, 0.95205862818523742834,
     0.99078031712335962535},
    {0.0068580956515938305792, 0.035782558168213241332, 0.086399342465117503405,
     0.15635354759415726493, 0.24237568182092295402, 0.34044381553605511978, 0.44597252564632816897,
     0.55402747435367183103, 0.65955618446394488022, 0.75762431817907704598, 0.84364645240584273507,
     0.91360065753488249659, 0.96421744183178675867, 0.99314190434840616942}};
static const double gauss_weight[GAUSS_RULES][GAUSS_MOST] = {
    {0.11846344252809454376, 0.23931433524968323402, 0.28444444444444444444, 0.23931433524968323402,
     0.11846344252809454376},
    {0.085662246189585172520, 0.18038078652406930378, 0.23395696728634552369,
     0.23395696728634552369, 0.18038078652406930378, 0.085662246189585172520},
    {0.064742483084434846635, 0.13985269574463833395, 0.19091502525255947248,
     0.20897959183673469388, 0.19091502525255947248, 0.13985269574463833395,
     0.064742483084434846635},
    {0.050614268145188129576, 0.11119051722668723527, 0.15685332293894364367,
     0.18134189168918099148, 0.18134189168918099148, 0.15685332293894364367, 0.11119051722668723527,
     0.050614268145188129576},
    {0.033335672154344068797, 0.074725674575290296573, 0.10954318125799102200,
     0.13463335965499817755, 0.14776211235737643509, 0.14776211235737643509, 0.13463335965499817755,
     0.10954318125799102200, 0.074725674575290296573, 0.033335672154344068797},
    {0.023587668193255913597, 0.053469662997659215480, 0.080039164271673113167,
     0.10158371336153296087, 0.11674626826917740438, 0.12457352290670139250, 0.12457352290670139250,
     0.11674626826917740438, 0.10158371336153296087, 0.080039164271673113167,
     0.053469662997659215480, 0.023587668193255913597},
    {0.017559730165875931516, 0.040079043579880104903, 0.060759285343951592345,
     0.078601583579096767285, 0.092769198738968906871, 0.10259923186064780198,
     0.10763192673157889510, 0.10763192673157889510, 0.10259923186064780198,
     0.092769198738968906871, 0.078601583579096767285, 0.060759285343951592345,
     0.040079043579880104903, 0.017559730165875931516}};

typedef struct space_points {
  int n;
  real at[GAUSS_MOST], weight[GAUSS_MOST];
} space_points;

/* The number of points that y needs, rounded up to an even number. In lanes, a state that needs
   fewer points than its neighbours gets zero weights for the rest, so its results equal those of a
   scalar state. */
HOT_INLINE void space_points_of(real y, space_points* p) {
  int rule = 0;

  while (rule < GAUSS_RULES - 1 && mask_any(real_less(real_of(gauss_limit[rule]), y)))
    ++rule;
  p->n = (gauss_count[rule] + 1) / 2 * 2;
  for (int g = 0; g < p->n; ++g) {
    p->at[g] = real_of(gauss_at[rule][g]);
    p->weight[g] = real_of(gauss_weight[rule][g]);
  }
  for (int k = rule - 1; k >= 0; --k) {
    const mask fewer = mask_not(real_less(real_of(gauss_limit[k]), y));

    if (!mask_any(fewer)) return;
    for (int g = 0; g < p->n; ++g) {
      p->at[g] = real_select(fewer, real_of(gauss_at[k][g]), p->at[g]);
      p->weight[g] = real_select(fewer, real_of(gauss_weight[k][g]), p->weight[g]);
    }
  }
}

/* Functions at all points, function by function. Sine and cosine are needed only beyond 3.2 rad per
   element; below, series are used. */
HOT_INLINE void space_functions_of(const space_points* p, real y, real (*f)[GAUSS_MOST]) {
  if (mask_any(real_less(real_of(10.24), y))) {
    for (int g = 0; g < p->n; ++g) {
      real c[STUMPFF_N], one[F_N];

      stumpff(p->at[g] * p->at[g] * y, c);
      space_functions_from(p->at[g], c, one);
      for (int i = 0; i < F_N; ++i)
        f[i][g] = one[i];
    }
    return;
  }
  for (int g = 0; g < p->n; ++g) {
    real c[STUMPFF_N], one[F_N];

    stumpff_series(p->at[g] * p->at[g] * y, STUMPFF_N, c);
    space_functions_from(p->at[g], c, one);
    for (int i = 0; i < F_N; ++i)
      f[i][g] = one[i];
  }
}

/* Integrals of functions, and of products of two of them. */
typedef struct space_integrals {
  real one[F_SPEED];
  real ss, sa, sb, sg, sd, aa, ab, ag, ad, bb, bg, bd, gg, dd;
} space_integrals;

/* sum += x y */
HOT_INLINE void two_sum(two* sum, two x, two y) {
  *sum = two_add(*sum, two_mul(x, y));
}

HOT_INLINE void space_integrate(const space_points* p, real (*const f)[GAUSS_MOST],
                                space_integrals* I) {
  const two o = two_same(real_of(0.0));
  two one[F_SPEED] = {o, o, o, o, o}, ss = o, sa = o, sb = o, sg = o, sd = o, aa = o, ab = o;
  two ag = o, ad = o, bb = o, bg = o, bd = o, gg = o, dd = o;

  for (int at = 0; at < p->n; at += 2) {
    const two w = two_load(p->weight + at), s = two_load(f[F_S] + at), a = two_load(f[F_A] + at);
    const two b = two_load(f[F_B] + at), g = two_load(f[F_G] + at), d = two_load(f[F_D] + at);
    const two ws = two_mul(w, s), wa = two_mul(w, a), wb = two_mul(w, b), wg = two_mul(w, g);
    const two wd = two_mul(w, d);

    one[F_S] = two_add(one[F_S], ws), one[F_A] = two_add(one[F_A], wa);
    one[F_B] = two_add(one[F_B], wb), one[F_G] = two_add(one[F_G], wg);
    one[F_D] = two_add(one[F_D], wd);
    two_sum(&ss, ws, s), two_sum(&sa, ws, a), two_sum(&sb, ws, b), two_sum(&sg, ws, g);
    two_sum(&sd, ws, d), two_sum(&aa, wa, a), two_sum(&ab, wa, b), two_sum(&ag, wa, g);
    two_sum(&ad, wa, d), two_sum(&bb, wb, b), two_sum(&bg, wb, g), two_sum(&bd, wb, d);
    two_sum(&gg, wg, g), two_sum(&dd, wd, d);
  }
  for (int i = 0; i < F_SPEED; ++i)
    I->one[i] = two_all(one[i]);
  I->ss = two_all(ss), I->sa = two_all(sa), I->sb = two_all(sb), I->sg = two_all(sg);
  I->sd = two_all(sd), I->aa = two_all(aa), I->ab = two_all(ab), I->ag = two_all(ag);
  I->ad = two_all(ad), I->bb = two_all(bb), I->bg = two_all(bg), I->bd = two_all(bd);
  I->gg = two_all(gg), I->dd = two_all(dd);
}

/* Integrated forces from velocity products of sections: moments and forces, also weighted with the
   functions of the sections. */
typedef struct space_forces {
  wrench all;
  vec3 n[F_G], f[F_SPEED];
} space_forces;

/* j c_w + w x j w and m (c_v + w x v) of sections that turn and move at (w; v)      (arc.md, 14) */
HOT_INLINE void space_push(const space_points* p, real (*const f)[GAUSS_MOST],
                           const space_motion* M, real m, vec3 j, vec3 o, space_forces* B) {
  const two3 none = two3_same(vec3_zero()), j2 = two3_same(j), o2 = two3_same(o);
  two3 n_all = none, f_all = none, n[F_G] = {none, none, none};
  two3 by[F_SPEED] = {none, none, none, none, none};

  for (int g = 0; g < p->n; g += 2) {
    const two weight = two_load(p->weight + g), s = two_load(f[F_S] + g);
    two3 w = two3_add(o2, two3_scale(s, M->w[F_S])), v = two3_scale(s, M->v[F_S]);
    two3 cw = two3_scale(s, M->cw[F_S]), cv = two3_scale(s, M->cv[F_S]);

    for (int i = F_A; i < F_N; ++i) {
      const two at = two_load(f[i] + g);

      if (i < F_G) w = two3_add(w, two3_scale(at, M->w[i]));
      if (i < F_SPEED) v = two3_add(v, two3_scale(at, M->v[i]));
      if (i < F_SPEED) cw = two3_add(cw, two3_scale(at, M->cw[i]));
      cv = two3_add(cv, two3_scale(at, M->cv[i]));
    }
    const two3 jw = two3_mul(j2, w), turning = two3_add(two3_mul(j2, cw), two3_cross(w, jw));
    const two3 moment = two3_scale(weight, turning);
    const two3 force = two3_scale(two_mul(weight, two_same(m)), two3_add(cv, two3_cross(w, v)));
    n_all = two3_add(n_all, moment);
    f_all = two3_add(f_all, force);
    for (int i = 0; i < F_SPEED; ++i) {
      const two at = two_load(f[i] + g);

      if (i < F_G) n[i] = two3_add(n[i], two3_scale(at, moment));
      by[i] = two3_add(by[i], two3_scale(at, force));
    }
  }
  B->all = (wrench){two3_all(n_all), two3_all(f_all)};
  for (int i = 0; i < F_G; ++i)
    B->n[i] = two3_all(n[i]);
  for (int i = 0; i < F_SPEED; ++i)
    B->f[i] = two3_all(by[i]);
}

/* Generalized forces T^T of these on the strains                                     (arc.md,
   14) */
HOT_INLINE twist space_forces_on(const space_element* e, const space_forces* B) {
  const vec3 w = e->w, v = e->v, *n = B->n, *f = B->f;
  const vec3 reached = add(f[F_A], cross(w, f[F_B]));

  /* w x (n_a + w x n_b + v x f_b + m (f_g + w x f_d)) + v x (f_a + w x f_b) */
  vec3 inner = add(add(n[F_A], cross(v, f[F_B])), scale(e->wv, f[F_G]));
  inner = add(inner, cross(w, add(n[F_B], scale(e->wv, f[F_D]))));
  return (twist){add(n[F_S], add(cross(w, inner), cross(v, reached))),
                 add(f[F_S], cross(w, reached))};
}

#endif
