/* arc.c: a planar arc of constant curvature, along z of its frame, bending about y by the angle x0;
   a positive angle bends z towards x. Inertia in closed form by Stumpff functions, nothing singular
   when straight. Theory: docs/theory/arc.md, whose equation numbers are used below. */
#include "element/element.h"

#ifndef APL_HOT

typedef struct arc_param {
  double length;
  double mass_per_length;
  double stiffness;
  double rotary;
  double rest;
  double kelvin_voigt;
} arc_param;

static const apl_field arc_fields[] = {
    APL_FIELD_REQUIRED(arc_param, length, "length", "m", "length of the arc"),
    APL_FIELD_REQUIRED(arc_param, mass_per_length, "mass-per-length", "kg/m", "mass per length"),
    APL_FIELD_REQUIRED(arc_param, stiffness, "bending-stiffness", "N m^2", "E I"),
    APL_FIELD(arc_param, rotary, "rotary-inertia", "kg m",
              "density times second moment of area of the round section", 0),
    APL_FIELD(arc_param, rest, "rest-angle", "rad", "bending angle without stress", 0),
    APL_FIELD(arc_param, kelvin_voigt, "kelvin-voigt-time", "s",
              "material damping: moment per bending rate over moment per bending angle", 0),
    APL_FIELD_END,
};

/* par: L, m, rotary inertia times L, bending stiffness / L, rest angle, damping */
static apl_status arc_compile(const void* param, double* par, double* mass, apl_error* err) {
  const arc_param* p = param;

  if (!(p->length > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "length must be positive, got %g m", p->length);
  }
  if (!(p->mass_per_length > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "mass-per-length must be positive, got %g kg/m",
                    p->mass_per_length);
  }
  if (!(p->stiffness > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "bending-stiffness must be positive, got %g N m^2",
                    p->stiffness);
  }
  if (!(p->rotary >= 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "rotary-inertia must not be negative, got %g kg m",
                    p->rotary);
  }
  if (!(fabs(p->rest) <= 6.283185307179586)) {
    return apl_fail(err, APL_ERR_MODEL, "rest-angle must lie within one turn, got %g rad", p->rest);
  }
  if (!(p->kelvin_voigt >= 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "kelvin-voigt-time must not be negative, got %g s",
                    p->kelvin_voigt);
  }
  par[0] = p->length;
  par[1] = p->mass_per_length * p->length;
  par[2] = p->rotary * p->length;
  par[3] = p->stiffness / p->length;
  par[4] = p->rest;
  par[5] = p->kelvin_voigt * par[3];
  *mass = par[1];
  return APL_OK;
}

static void arc_neutral(const void* param, double* x) {
  x[0] = ((const arc_param*)param)->rest;
}

static const apl_body_kind arc_kind = {
    .word = "arc",
    .title = "a planar arc of constant curvature",
    .field = arc_fields,
    .param_size = sizeof(arc_param),
    .nx = 1,
    .x_unit = "rad",
    .npar = 6,
    .turning = APL_TURNS_ABOUT_Y,
    .neutral = arc_neutral,
    .compile = arc_compile,
};

#else

/* Section at station s, u = s theta: p = L s (u c2, 0, c1), R = Ry(u), and in section axes
   dp/dtheta = L s^2 (c2, 0, u c3)                                               (arc.md, 1 to 3) */
static void arc_shape(const real* par, const real* x, const real* xd, real station, section* out) {
  const real o = real_of(0.0), L = par[0], u = station * x[0];
  real c[STUMPFF_N];

  stumpff(u * u, c);
  const real sine = u * c[1], cosine = c[0], k = L * station * station;

  out->X.R = (mat3){cosine, o, sine, o, real_of(1.0), o, -sine, o, cosine};
  out->X.p = (vec3){L * station * u * c[2], o, L * station * c[1]};
  set_column(out->S, 0, (twist){{o, station, o}, {k * c[2], o, k * u * c[3]}});

  /* (dS/dt) x' = s x'^2 dS/du, with (c2)' = u (2 c4 - c3), (u c3)' = c2 - 2 c3 */
  const real r = k * station * xd[0] * xd[0];
  out->c = (twist){{o, o, o}, {r * u * (2.0 * c[4] - c[3]), o, r * (c[2] - 2.0 * c[3])}};
}

/* The 7x7 inertia of the arc, M(theta), as the few numbers that differ from zero. */
typedef struct arc_inertia {
  real hx, hz;             /* first moment                                                       */
  real Jxx, Jyy, Jzz, Jxz; /* about the root                                                     */
  real ny, fx, fz;         /* column of the bending rate: moment about y, force along x and z    */
  real d;                  /* its diagonal                                                       */
} arc_inertia;

/* M and dM/dtheta                                                              (arc.md, 4 to 9) */
static void arc_inertia_of(const real* par, real theta, arc_inertia* M, arc_inertia* dM) {
  const real L = par[0], m = par[1], j = par[2], y = theta * theta;
  const real mL = m * L, mLL = mL * L;
  real c[STUMPFF_N], e[STUMPFF_N];

  stumpff(y, c);
  stumpff(4.0 * y, e); /* at twice the angle */

  /* dc_k/dtheta = theta (k c_{k+2} - c_{k+1}); at twice the angle four times that */
  const real c2d = theta * (2.0 * c[4] - c[3]), c3d = theta * (3.0 * c[5] - c[4]);
  const real c4d = theta * (4.0 * c[6] - c[5]), c5d = theta * (5.0 * c[7] - c[6]);
  const real e2d = 4.0 * theta * (2.0 * e[4] - e[3]), e3d = 4.0 * theta * (3.0 * e[5] - e[4]);
  const real e4d = 4.0 * theta * (4.0 * e[6] - e[5]);

  /* first moment m r_G = m L (theta c3, 0, c2) */
  M->hx = mL * theta * c[3];
  M->hz = mL * c[2];
  dM->hx = mL * (c[3] + theta * c3d);
  dM->hz = mL * c2d;

  /* integrals of z^2, x^2, xz over the mass, and of sin^2, sin cos over the sections */
  const real zz = 2.0 * e[3], xx = 2.0 * c[3] - 2.0 * e[3], xz = theta * (4.0 * e[4] - c[4]);
  const real zzd = 2.0 * e3d, xxd = 2.0 * c3d - 2.0 * e3d;
  const real xzd = (4.0 * e[4] - c[4]) + theta * (4.0 * e4d - c4d);
  const real ss = 2.0 * y * e[3], ssd = 4.0 * theta * e[3] + 2.0 * y * e3d;
  const real sc = theta * e[2], scd = e[2] + theta * e2d;

  /* a round section has inertia j (1 + t t^T), t = (sin, 0, cos) its tangent */
  M->Jxx = mLL * zz + j * (1.0 + ss);
  M->Jyy = mLL * (xx + zz) + j;
  M->Jzz = mLL * xx + j * (2.0 - ss);
  M->Jxz = -mLL * xz + j * sc;
  dM->Jxx = mLL * zzd + j * ssd;
  dM->Jyy = mLL * (xxd + zzd);
  dM->Jzz = mLL * xxd - j * ssd;
  dM->Jxz = -mLL * xzd + j * scd;

  /* bending column: m L^2 b + J/2 about y, force m r_G' ; diagonal m L^2 c + J/3 */
  M->ny = mLL * (c[3] - c[4]) + 0.5 * j;
  M->fx = dM->hx;
  M->fz = dM->hz;
  M->d = mLL * (2.0 * c[4] - 4.0 * c[5]) + j / 3.0;
  dM->ny = mLL * (c3d - c4d);
  dM->fx = mL * (2.0 * c3d + theta * (3.0 * c[5] - c[4] + theta * (3.0 * c5d - c4d)));
  dM->fz = mL * ((2.0 * c[4] - c[3]) + theta * (2.0 * c4d - c3d));
  dM->d = mLL * (2.0 * c4d - 4.0 * c5d);
}

/* M eta for eta = (w; 0; xd): moment, force and the bending momentum */
static void arc_momentum(const arc_inertia* M, vec3 w, real xd, vec3* n, vec3* f, real* p) {
  const real o = real_of(0.0);

  *n = (vec3){M->Jxx * w.x + M->Jxz * w.z, M->Jyy * w.y + M->ny * xd, M->Jxz * w.x + M->Jzz * w.z};

  /* f = w x h + column */
  *f = add(cross(w, (vec3){M->hx, o, M->hz}), (vec3){M->fx * xd, o, M->fz * xd});
  *p = M->ny * w.y + M->d * xd;
}

static void arc_balance(const real* par, const real* x, const real* xd, vec3 w, real* M, real* h) {
  const real o = real_of(0.0), m = par[1];
  arc_inertia A, B;

  arc_inertia_of(par, x[0], &A, &B);

  const real full[49] = {A.Jxx, o,     A.Jxz, o,    -A.hz, o,     o,    /**/
                         o,     A.Jyy, o,     A.hz, o,     -A.hx, A.ny, /**/
                         A.Jxz, o,     A.Jzz, o,    A.hx,  o,     o,    /**/
                         o,     A.hz,  o,     m,    o,     o,     A.fx, /**/
                         -A.hz, o,     A.hx,  o,    m,     o,     o,    /**/
                         o,     -A.hx, o,     o,    o,     m,     A.fz, /**/
                         o,     A.ny,  o,     A.fx, o,     A.fz,  A.d};
  memcpy(M, full, sizeof full);

  /* wrench: (dM/dt) eta + w x (M eta); bending: (dM/dt) eta - 1/2 eta^T dM eta + elasticity */
  vec3 n, f, dn, df;
  real p, dp;
  arc_momentum(&A, w, xd[0], &n, &f, &p);
  arc_momentum(&B, w, xd[0], &dn, &df, &dp);

  const vec3 hn = add(scale(xd[0], dn), cross(w, n));
  const vec3 hf = add(scale(xd[0], df), cross(w, f));
  h[0] = hn.x, h[1] = hn.y, h[2] = hn.z;
  h[3] = hf.x, h[4] = hf.y, h[5] = hf.z;
  h[6] = xd[0] * dp - 0.5 * (dot(w, dn) + xd[0] * dp) + par[3] * (x[0] - par[4]) + par[5] * xd[0];
}

static vec3 arc_moment(const real* par, const real* x) {
  real c[STUMPFF_N];

  stumpff(x[0] * x[0], c);
  const real mL = par[1] * par[0];
  return (vec3){mL * x[0] * c[3], real_of(0.0), mL * c[2]};
}

static real arc_potential(const real* par, const real* x) {
  const real bend = x[0] - par[4];
  return 0.5 * par[3] * bend * bend;
}

static real arc_dissipation(const real* par, const real* x, const real* xd) {
  (void)x;
  return par[5] * xd[0] * xd[0];
}

static const body_ops arc_ops = {
    .shape = arc_shape,
    .balance = arc_balance,
    .moment = arc_moment,
    .potential = arc_potential,
    .dissipation = arc_dissipation,
};

#endif
