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

/* Integrals of functions and of products of two of them. */
typedef struct space_integrals {
  real one[F_SPEED];
  real ss, sa, sb, sg, sd, aa, ab, ag, ad, bb, bg, bd, gg, dd;
} space_integrals;

HOT_INLINE space_integrals space_integrals_zero(void) {
  const real o = real_of(0.0);
  return (space_integrals){{o, o, o, o, o}, o, o, o, o, o, o, o, o, o, o, o, o, o, o};
}
HOT_INLINE void space_integrals_add(real weight, const real* f, space_integrals* I) {
  const real s = weight * f[F_S], a = weight * f[F_A], b = weight * f[F_B];

  for (int i = 0; i < F_SPEED; ++i)
    I->one[i] += weight * f[i];
  I->ss += s * f[F_S], I->sa += s * f[F_A], I->sb += s * f[F_B], I->sg += s * f[F_G];
  I->sd += s * f[F_D], I->aa += a * f[F_A], I->ab += a * f[F_B], I->ag += a * f[F_G];
  I->ad += a * f[F_D], I->bb += b * f[F_B], I->bg += b * f[F_G], I->bd += b * f[F_D];
  I->gg += weight * f[F_G] * f[F_G];
  I->dd += weight * f[F_D] * f[F_D];
}

/* Forces of velocity products: (n; f) = I c + (V's products) of each section, their integral, and
   those of functions times them. */
typedef struct space_forces {
  wrench all;
  vec3 n[F_G], f[F_SPEED];
} space_forces;

HOT_INLINE space_forces space_forces_zero(void) {
  const vec3 o = vec3_zero();
  return (space_forces){{o, o}, {o, o, o}, {o, o, o, o, o}};
}

/* j c_w + w x j w and m (c_v + w x v) of a section that turns and moves at (w; v)   (arc.md, 14) */
HOT_INLINE wrench space_force(real m, vec3 j, twist V, twist c) {
  return (wrench){add(diagonal_mul(j, c.w), cross(V.w, diagonal_mul(j, V.w))),
                  scale(m, add(c.v, cross(V.w, V.v)))};
}

HOT_INLINE void space_forces_add(real weight, const real* f, wrench W, space_forces* B) {
  const vec3 n = scale(weight, W.n), force = scale(weight, W.f);

  B->all = wrench_add(B->all, (wrench){n, force});
  for (int i = 0; i < F_G; ++i)
    B->n[i] = add(B->n[i], scale(f[i], n));
  for (int i = 0; i < F_SPEED; ++i)
    B->f[i] = add(B->f[i], scale(f[i], force));
}

/* T^T of them: on the strains                                                       (arc.md, 14) */
HOT_INLINE twist space_forces_on(const space_element* e, const space_forces* B) {
  const vec3 w = e->w, v = e->v;
  const vec3 wb = cross(w, B->f[F_B]), *f = B->f, *n = B->n;
  const vec3 turned = add(cross(v, add(f[F_A], wb)), cross(w, cross(v, f[F_B])));
  const vec3 slow = cross(w, add(f[F_G], cross(w, f[F_D])));

  return (twist){
      add(add(n[F_S], cross(w, add(n[F_A], cross(w, n[F_B])))), add(turned, scale(e->wv, slow))),
      add(f[F_S], cross(w, add(f[F_A], wb)))};
}

#endif
