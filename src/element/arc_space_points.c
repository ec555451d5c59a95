/* arc_space_points.c: what an element of constant strain in space sums over its Gauss points:
   integrals of functions of its sections, and the forces that their velocity products need. Both
   come from the same points, so that the discrete body is exactly conservative whatever their
   number. Theory: docs/theory/arc.md, section 9. */
#include "element/element.h"

#ifdef APL_HOT

/* Gauss-Legendre on 0 .. 1. Integrands turn by 2 theta at most, theta = |w|: n points err by
     (2 theta)^(2n) (n!)^4 / ((2n + 1) (2n)!^3)
   of them, below 2e-15 up to the limits of y = theta^2 given here, and below 1e-15 up to one turn
   per element, the most a file may ask for. */
enum { GAUSS_RULES = 5, GAUSS_MOST = 14 };
static const int gauss_count[GAUSS_RULES] = {4, 6, 8, 10, GAUSS_MOST};
static const double gauss_limit[GAUSS_RULES - 1] = {0.01, 0.36, 2.4, 9.0};
static const double gauss_at[GAUSS_RULES][GAUSS_MOST] = {
    {0.069431844202973712388, 0.33000947820757186760, 0.66999052179242813240,
     0.93056815579702628761},
    {0.033765242898423986094, 0.16939530676686774317, 0.38069040695840154568,
     0.61930959304159845432, 0.83060469323313225683, 0.96623475710157601391},
    {0.019855071751231884158, 0.10166676129318663020, 0.23723379504183550709,
     0.40828267875217509753, 0.59171732124782490247, 0.76276620495816449291, 0.89833323870681336980,
     0.98014492824876811584},
    {0.013046735741414139961, 0.067468316655507744634, 0.16029521585048779688,
     0.28330230293537640460, 0.42556283050918439456, 0.57443716949081560544, 0.71669769706462359540,
     0.83970478414951220312, 0.93253168334449225537, 0.98695326425858586004},
    {0.0068580956515938305792, 0.035782558168213241332, 0.086399342465117503405,
     0.15635354759415726493, 0.24237568182092295402, 0.34044381553605511978, 0.44597252564632816897,
     0.55402747435367183103, 0.65955618446394488022, 0.75762431817907704598, 0.84364645240584273507,
     0.91360065753488249659, 0.96421744183178675867, 0.99314190434840616942}};
static const double gauss_weight[GAUSS_RULES][GAUSS_MOST] = {
    {0.17392742256872692869, 0.32607257743127307131, 0.32607257743127307131,
     0.17392742256872692869},
    {0.085662246189585172520, 0.18038078652406930378, 0.23395696728634552369,
     0.23395696728634552369, 0.18038078652406930378, 0.085662246189585172520},
    {0.050614268145188129576, 0.11119051722668723527, 0.15685332293894364367,
     0.18134189168918099148, 0.18134189168918099148, 0.15685332293894364367, 0.11119051722668723527,
     0.050614268145188129576},
    {0.033335672154344068797, 0.074725674575290296573, 0.10954318125799102200,
     0.13463335965499817755, 0.14776211235737643509, 0.14776211235737643509, 0.13463335965499817755,
     0.10954318125799102200, 0.074725674575290296573, 0.033335672154344068797},
    {0.017559730165875931516, 0.040079043579880104903, 0.060759285343951592345,
     0.078601583579096767285, 0.092769198738968906871, 0.10259923186064780198,
     0.10763192673157889510, 0.10763192673157889510, 0.10259923186064780198,
     0.092769198738968906871, 0.078601583579096767285, 0.060759285343951592345,
     0.040079043579880104903, 0.017559730165875931516}};

typedef struct space_points {
  int n;
  real at[GAUSS_MOST], weight[GAUSS_MOST];
} space_points;

/* As many points as y asks for. A lane that needs fewer than its neighbours has weights of zero
   behind its own, so that its numbers are what they would be alone. */
HOT_INLINE void space_points_of(real y, space_points* p) {
  p->n = gauss_count[0];
  for (int g = 0; g < p->n; ++g) {
    p->at[g] = real_of(gauss_at[0][g]);
    p->weight[g] = real_of(gauss_weight[0][g]);
  }
  for (int k = 1; k < GAUSS_RULES; ++k) {
    const mask more = real_less(real_of(gauss_limit[k - 1]), y);
    const int before = p->n;

    if (!mask_any(more)) return;
    p->n = gauss_count[k];
    for (int g = 0; g < p->n; ++g) {
      const real o = real_of(0.0);
      p->at[g] = real_select(more, real_of(gauss_at[k][g]), g < before ? p->at[g] : o);
      p->weight[g] = real_select(more, real_of(gauss_weight[k][g]), g < before ? p->weight[g] : o);
    }
  }
}

/* Functions of all points, one after the other by function. Only beyond 3.2 rad per element are
   there sections that need sine and cosine. */
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
typedef struct space_sums {
  six one, two[F_SPEED]; /* two: upper half */
} space_sums;

HOT_INLINE space_sums space_sums_zero(void) {
  const six o = six_zero();
  return (space_sums){o, {o, o, o, o, o}};
}

HOT_INLINE void space_sums_add(real weight, const real* f, space_sums* I) {
  const six row = six_of(f[F_S], f[F_A], f[F_B], f[F_G], f[F_D], real_of(0.0));

  six_add(&I->one, weight, &row);
  for (int i = 0; i < F_SPEED; ++i)
    six_add_from(i, &I->two[i], weight * f[i], &row);
}

typedef struct space_integrals {
  real one[F_SPEED];
  real ss, sa, sb, sg, sd, aa, ab, ag, ad, bb, bg, bd, gg, dd;
} space_integrals;

HOT_INLINE space_integrals space_integrals_of(const space_sums* I) {
  const six *s = &I->two[F_S], *a = &I->two[F_A], *b = &I->two[F_B];

  return (space_integrals){
      .one = {six_at(&I->one, F_S), six_at(&I->one, F_A), six_at(&I->one, F_B),
              six_at(&I->one, F_G), six_at(&I->one, F_D)},
      .ss = six_at(s, F_S),
      .sa = six_at(s, F_A),
      .sb = six_at(s, F_B),
      .sg = six_at(s, F_G),
      .sd = six_at(s, F_D),
      .aa = six_at(a, F_A),
      .ab = six_at(a, F_B),
      .ag = six_at(a, F_G),
      .ad = six_at(a, F_D),
      .bb = six_at(b, F_B),
      .bg = six_at(b, F_G),
      .bd = six_at(b, F_D),
      .gg = six_at(&I->two[F_G], F_G),
      .dd = six_at(&I->two[F_D], F_D),
  };
}

/* Forces of velocity products of sections, (n; f), summed with weights alone and with functions. */
typedef struct space_forces {
  six all, with[F_SPEED]; /* of gamma and delta only forces are asked for */
} space_forces;

HOT_INLINE space_forces space_forces_zero(void) {
  const six o = six_zero();
  return (space_forces){o, {o, o, o, o, o}};
}

/* j c_w + w x j w and m (c_v + w x v) of a section that turns and moves at (w; v)   (arc.md, 14) */
HOT_INLINE wrench space_force(real m, vec3 j, const six* V, const six* c) {
  const vec3 w = six_head(V);
  return (wrench){add(diagonal_mul(j, six_head(c)), cross(w, diagonal_mul(j, w))),
                  scale(m, add(six_tail(c), cross(w, six_tail(V))))};
}

HOT_INLINE void space_forces_add(const real* f, wrench W, space_forces* B) {
  const six force = six_of_wrench(W);

  six_join(&B->all, &force);
  for (int i = 0; i < F_G; ++i)
    six_add(&B->with[i], f[i], &force);
  for (int i = F_G; i < F_SPEED; ++i)
    six_add_from(3, &B->with[i], f[i], &force);
}

/* T^T of them: on the strains                                                       (arc.md, 14) */
HOT_INLINE twist space_forces_on(const space_element* e, const space_forces* B) {
  const vec3 w = e->w, v = e->v;
  const vec3 ns = six_head(&B->with[F_S]), na = six_head(&B->with[F_A]);
  const vec3 nb = six_head(&B->with[F_B]), fs = six_tail(&B->with[F_S]);
  const vec3 fa = six_tail(&B->with[F_A]), fb = six_tail(&B->with[F_B]);
  const vec3 fg = six_tail(&B->with[F_G]), fd = six_tail(&B->with[F_D]);
  const vec3 reached = add(fa, cross(w, fb));

  /* w x (n_a + w x n_b + v x f_b + m (f_g + w x f_d)) + v x (f_a + w x f_b) */
  vec3 inner = add(add(na, cross(v, fb)), scale(e->wv, fg));
  inner = add(inner, cross(w, add(nb, scale(e->wv, fd))));
  return (twist){add(ns, add(cross(w, inner), cross(v, reached))), add(fs, cross(w, reached))};
}

#endif
