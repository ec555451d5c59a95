/* arc_space.c: an element of constant strain in space, X = X0 + B x with any of bending about x and
   y, torsion, shear along x and y, elongation. Sections are exp(s X); inertia by Gauss quadrature
   along the element. Theory: docs/theory/arc.md, 10 onwards. par: see arc_compile(). */
#include "element/element.h"

#ifdef APL_HOT

enum { SPACE_HEAD = 6, SPACE_STRAIN = 9, SPACE_MOST = 6, SPACE_POWERS = 5 };

/* Gauss-Legendre on 0 .. 1 with eight points: M to 2e-11 at pi per element, to 1e-16 at pi/2 */
enum { GAUSS_N = 8 };
static const double gauss_at[GAUSS_N] = {0.019855071751231884158, 0.10166676129318663020,
                                         0.23723379504183550709,  0.40828267875217509753,
                                         0.59171732124782490247,  0.76276620495816449291,
                                         0.89833323870681336980,  0.98014492824876811584};
static const double gauss_weight[GAUSS_N] = {0.050614268145188129576, 0.11119051722668723527,
                                             0.15685332293894364367,  0.18134189168918099148,
                                             0.18134189168918099148,  0.15685332293894364367,
                                             0.11119051722668723527,  0.050614268145188129576};

/* What all sections of an element share: powers of A = ad(X) on the columns of B and on X' = B x',
   because A(s) = s A. */
typedef struct space_fixed {
  twist X;
  vec3 Kv, KKv; /* K = [X_w] on X_v */
  real xx;      /* |X_w|^2 */
  real kappa;   /* X_w . X'_w */
  twist Y[SPACE_MOST][SPACE_POWERS];
  twist E[SPACE_POWERS]; /* A^j X'        */
  twist Z[SPACE_POWERS]; /* (A^j)' X'     */
} space_fixed;

HOT_INLINE void space_prepare(const body_in* in, space_fixed* F) {
  const real o = real_of(0.0);
  const real* strain = in->par + SPACE_HEAD;
  twist X = {{o, o, o}, {o, o, in->par[0]}}, Xd = twist_zero();

  for (int k = 0; k < in->nx; ++k) {
    F->Y[k][0] = column(strain + SPACE_STRAIN * k, 0);
    X = twist_add(X, twist_scale(in->x[k], F->Y[k][0]));
    Xd = twist_add(Xd, twist_scale(in->xd[k], F->Y[k][0]));
  }
  F->X = X;
  F->Kv = cross(X.w, X.v);
  F->KKv = cross(X.w, F->Kv);
  F->xx = dot(X.w, X.w);
  F->kappa = dot(X.w, Xd.w);
  for (int k = 0; k < in->nx; ++k) {
    for (int j = 1; j < SPACE_POWERS; ++j)
      F->Y[k][j] = twist_cross(X, F->Y[k][j - 1]);
  }
  /* Z_j = ad(X') E_{j-1} + A Z_{j-1}; Z_0 = Z_1 = 0 */
  F->E[0] = Xd;
  F->Z[0] = F->Z[1] = twist_zero();
  for (int j = 1; j < SPACE_POWERS; ++j) {
    F->E[j] = twist_cross(X, F->E[j - 1]);
    if (j > 1) F->Z[j] = twist_add(twist_cross(Xd, F->E[j - 1]), twist_cross(X, F->Z[j - 1]));
  }
}

/* X, S and (dS/dt) x' of the section at s, c_k at (s theta)^2:
     R = 1 + s c1 K + s^2 c2 K^2,   p = s v + s^2 c2 K v + s^3 c3 K^2 v
     S = s (1 + f1 A + f2 A^2 + f3 A^3 + f4 A^4) B,   A = s ad(X),
     f1 = -(4 c2 - c1)/2, f2 = (5 c3 - c2)/2, f3 = -(c3 - 2 c4)/2, f4 = (c4 - 3 c5)/2 */
HOT_INLINE void space_section(const space_fixed* F, int nx, real s, section* out) {
  const real ss = s * s, k = ss * F->kappa;
  const vec3 w = F->X.w;
  real c[STUMPFF_N];

  stumpff(ss * F->xx, c);

  /* K^2 = w w^T - |w|^2 1 */
  const real a = s * c[1], b = ss * c[2], d = 1.0 - b * F->xx;
  const vec3 bw = scale(b, w);
  out->X.R = (mat3){d + bw.x * w.x,       bw.x * w.y - a * w.z, bw.x * w.z + a * w.y,
                    bw.x * w.y + a * w.z, d + bw.y * w.y,       bw.y * w.z - a * w.x,
                    bw.x * w.z - a * w.y, bw.y * w.z + a * w.x, d + bw.z * w.z};
  out->X.p = add(scale(s, F->X.v), add(scale(b, F->Kv), scale(s * ss * c[3], F->KKv)));

  /* f_j s^(j+1), and their rates by dc_k/dt = kappa s^2 (k c_{k+2} - c_{k+1}) */
  const real d1 = k * (c[3] - c[2]), d2 = k * (2.0 * c[4] - c[3]), d3 = k * (3.0 * c[5] - c[4]);
  const real d4 = k * (4.0 * c[6] - c[5]), d5 = k * (5.0 * c[7] - c[6]);
  const real s2 = ss, s3 = ss * s, s4 = ss * ss, s5 = s4 * s;
  const real f[SPACE_POWERS] = {s, 0.5 * s2 * (c[1] - 4.0 * c[2]), 0.5 * s3 * (5.0 * c[3] - c[2]),
                                0.5 * s4 * (2.0 * c[4] - c[3]), 0.5 * s5 * (c[4] - 3.0 * c[5])};
  const real fd[SPACE_POWERS] = {real_of(0.0), 0.5 * s2 * (d1 - 4.0 * d2),
                                 0.5 * s3 * (5.0 * d3 - d2), 0.5 * s4 * (2.0 * d4 - d3),
                                 0.5 * s5 * (d4 - 3.0 * d5)};

  for (int i = 0; i < nx; ++i) {
    twist S = twist_scale(f[0], F->Y[i][0]);
    for (int j = 1; j < SPACE_POWERS; ++j)
      S = twist_add(S, twist_scale(f[j], F->Y[i][j]));
    set_column(out->S, i, S);
  }
  twist q = twist_scale(fd[1], F->E[1]);
  for (int j = 2; j < SPACE_POWERS; ++j) {
    q = twist_add(q, twist_add(twist_scale(fd[j], F->E[j]), twist_scale(f[j], F->Z[j])));
  }
  out->c = q;
}

static void arc_space_shape(const body_in* in, const real* at, section* out) {
  const real station = at[0];
  space_fixed F;

  space_prepare(in, &F);
  space_section(&F, in->nx, station, out);
}

/* m (|r|^2 1 - r r^T) */
HOT_INLINE sym3 point_inertia(real m, vec3 r) {
  const real x = r.x * r.x, y = r.y * r.y, z = r.z * r.z;
  return (sym3){m * (y + z),    m * (x + z),    m * (x + y),
                -m * r.x * r.y, -m * r.x * r.z, -m * r.y * r.z};
}

/* One section's share of the balance. The frame turns at w; with V the velocity of the section
   against it, in section axes, and q = (dS/dt) x':
     a = w x (w x p) + R (2 w_s x V_v + V_w x V_v + q_v)        w_s = R^T w
     the section turns at n = w_s + V_w, at the rate V_w' = q_w - V_w x w_s */
HOT_INLINE void space_add(const body_in* in, vec3 w, real weight, const section* sec, inertia6* I,
                          vec3* h, body_block* out) {
  const int nx = in->nx;
  const mat3 R = sec->X.R;
  const vec3 p = sec->X.p;
  const real m = weight * in->par[1];
  const vec3 j = {weight * in->par[2], weight * in->par[3], weight * in->par[4]};
  const twist V = columns_mul(sec->S, in->xd, nx);
  const vec3 ws = mul_t(R, w), n = add(ws, V.w);

  const vec3 moving = add(add(scale(real_of(2.0), cross(ws, V.v)), cross(V.w, V.v)), sec->c.v);
  const vec3 a = add(cross(w, cross(w, p)), mul(R, moving)), as = mul_t(R, a);
  const vec3 rate = sub(sec->c.w, cross(V.w, ws));
  const vec3 jn = {j.x * n.x, j.y * n.y, j.z * n.z};
  const vec3 spin = add((vec3){j.x * rate.x, j.y * rate.y, j.z * rate.z}, cross(n, jn));

  I->J = sym3_add(I->J, point_inertia(m, p));
  I->J = sym3_add(I->J,
                  sym3_rotate(R, (sym3){j.x, j.y, j.z, real_of(0.0), real_of(0.0), real_of(0.0)}));
  *h = add(*h, scale(m, p));
  out->b.f = add(out->b.f, scale(m, a));
  out->b.n = add(out->b.n, add(scale(m, cross(p, a)), mul(R, spin)));

  for (int k = 0; k < nx; ++k) {
    const twist S = column(sec->S, k);
    const vec3 f = scale(m, mul(R, S.v)), jS = {j.x * S.w.x, j.y * S.w.y, j.z * S.w.z};
    const twist U = column(out->U, k);

    set_column(out->U, k, (twist){add(U.w, add(cross(p, f), mul(R, jS))), add(U.v, f)});
    for (int l = 0; l <= k; ++l) {
      const twist T = column(sec->S, l);
      out->D[k * nx + l] += m * dot(S.v, T.v) + dot(jS, T.w);
    }
    out->h[k] += m * dot(S.v, as) + dot(S.w, spin);
  }
}

static void arc_space_balance(const body_in* in, vec3 w, body_block* out) {
  const real o = real_of(0.0), m = in->par[1];
  const int nx = in->nx;
  inertia6 I = inertia6_zero();
  vec3 h = vec3_zero();
  real S[6 * SPACE_MOST];
  space_fixed F;
  section sec = {.S = S};

  space_prepare(in, &F);
  out->b = wrench_zero();
  for (int k = 0; k < 6 * nx; ++k)
    out->U[k] = o;
  for (int k = 0; k < nx * nx; ++k)
    out->D[k] = o;
  for (int k = 0; k < nx; ++k) {
    /* elasticity and material damping */
    const real* own = in->par + SPACE_HEAD + SPACE_STRAIN * k;
    out->h[k] = own[6] * (in->x[k] - own[7]) + own[8] * in->xd[k];
  }
  for (int g = 0; g < GAUSS_N; ++g) {
    space_section(&F, nx, real_of(gauss_at[g]), &sec);
    space_add(in, w, real_of(gauss_weight[g]), &sec, &I, &h, out);
  }
  for (int k = 0; k < nx; ++k) {
    for (int l = 0; l < k; ++l)
      out->D[l * nx + k] = out->D[k * nx + l];
  }
  I.H = (mat3){o, -h.z, h.y, h.z, o, -h.x, -h.y, h.x, o};
  I.M = (sym3){m, m, m, o, o, o};
  out->I = I;
}

static real arc_space_potential(const body_in* in) {
  real sum = real_of(0.0);

  for (int k = 0; k < in->nx; ++k) {
    const real* own = in->par + SPACE_HEAD + SPACE_STRAIN * k;
    const real strain = in->x[k] - own[7];
    sum += 0.5 * own[6] * strain * strain;
  }
  return sum;
}

static void arc_space_stiffness(const body_in* in, real k, real c, real* out) {
  for (int i = 0; i < in->nx; ++i) {
    const real* own = in->par + SPACE_HEAD + SPACE_STRAIN * i;
    out[i * in->nx + i] += k * own[6] + c * own[8];
  }
}

static real arc_space_dissipation(const body_in* in) {
  real sum = real_of(0.0);

  for (int k = 0; k < in->nx; ++k)
    sum += in->par[SPACE_HEAD + SPACE_STRAIN * k + 8] * in->xd[k] * in->xd[k];
  return sum;
}

/* f = -drag v per length, v = V_v + V_w x p + R S x' */
static wrench arc_space_drag(const body_in* in, twist V, real* Q) {
  const int nx = in->nx;
  real S[6 * SPACE_MOST];
  space_fixed F;
  section sec = {.S = S};
  wrench W = wrench_zero();

  space_prepare(in, &F);
  for (int k = 0; k < nx; ++k)
    Q[k] = real_of(0.0);
  for (int g = 0; g < GAUSS_N; ++g) {
    space_section(&F, nx, real_of(gauss_at[g]), &sec);
    const twist at = twist_to(sec.X, V);
    const vec3 v = add(at.v, columns_mul(S, in->xd, nx).v);
    const vec3 f = scale(-(gauss_weight[g] * in->par[5]), v);

    W = wrench_add(W, wrench_from(sec.X, (wrench){vec3_zero(), f}));
    for (int k = 0; k < nx; ++k)
      Q[k] += dot(column(S, k).v, f);
  }
  return W;
}

/* w = X_v + X_w x d, l = |w|, dl/dX = (d x w/l ; w/l)                           (tendons.md, 2) */
static real arc_space_channel(const body_in* in, vec3 d, real* slope) {
  const real o = real_of(0.0);
  const real* strain = in->par + SPACE_HEAD;
  twist X = {{o, o, o}, {o, o, in->par[0]}};

  for (int k = 0; k < in->nx; ++k)
    X = twist_add(X, twist_scale(in->x[k], column(strain + SPACE_STRAIN * k, 0)));

  const vec3 w = add(X.v, cross(X.w, d));
  const real l = real_sqrt(dot(w, w));
  const vec3 e = scale(1.0 / l, w), de = cross(d, e);
  for (int k = 0; k < in->nx; ++k) {
    const twist B = column(strain + SPACE_STRAIN * k, 0);
    slope[k] = dot(B.w, de) + dot(B.v, e);
  }
  return l;
}

static const body_ops arc_space_ops = {
    .shape = arc_space_shape,
    .balance = arc_space_balance,
    .potential = arc_space_potential,
    .stiffness = arc_space_stiffness,
    .dissipation = arc_space_dissipation,
    .drag = arc_space_drag,
    .channel = arc_space_channel,
    .uniform = true,
};

#endif
