/* beam_integrals.c: the shapes of a beam and their integrals along it, which are all that its hot
   half sees. The fields are in beam.c. Theory: docs/theory/beam.md, 4. */
#include "element/section.h"

#ifndef APL_HOT

#include "element/beam_modes.h"
#include "element/beam_polynomial.h"

#include <string.h>

/* ------------------------------------------------------------------------------------- modes ----
 */

/* All shapes of a beam: bending about x and y from beam_modes.c, torsion and axial as sines. */
typedef struct beam_shapes {
  const beam_param* p;
  section_numbers s;
  beam_mode bending[2][BEAM_MOST_MODES];
  int given, turned; /* polynomials instead                                                      */
  beam_polynomial W[BEAM_MOST_MODES], T[BEAM_MOST_MODES];
} beam_shapes;

static beam_end beam_end_of(const char* word) {
  return strcmp(word, "clamped") == 0  ? BEAM_CLAMPED
         : strcmp(word, "pinned") == 0 ? BEAM_PINNED
                                       : BEAM_FREE;
}

/* The beam of unit length, mass and stiffness whose modes are asked for. */
static beam_basis beam_basis_of(const beam_param* p, const section_numbers* s, int direction) {
  const double L = p->length, mu = s->mass;
  const double EI = p->mode_bending > 0.0 ? p->mode_bending : direction ? s->EIy : s->EIx;
  const double GA = p->mode_shear > 0.0 ? p->mode_shear : s->GA;
  const double J = p->mode_rotary > 0.0 ? p->mode_rotary : direction ? s->jy : s->jx;
  beam_basis b = {.root = beam_end_of(p->root_end),
                  .tip = beam_end_of(p->tip_end),
                  .mass = p->tip_mass / (mu * L),
                  .inertia = p->tip_inertia / (mu * L * L * L),
                  .offset = p->tip_offset / L};

  if (p->theory == beam_theories[0]) b.s2 = EI / (GA * L * L), b.r2 = J / (mu * L * L);
  return b;
}

/* Polynomials of the user: as many as modes, held at the root. */
static apl_status beam_read_polynomials(const beam_param* p, beam_shapes* out, apl_error* err) {
  out->given = apl_polynomials_read(p->polynomials, "polynomials", out->W, err);
  out->turned = apl_polynomials_read(p->turns, "turn-polynomials", out->T, err);

  if (out->given < 0 || out->turned < 0) return APL_ERR_MODEL;
  if (out->given > 0 && out->given != p->modes) {
    return apl_fail(err, APL_ERR_MODEL, "modes must be the number of polynomials, %d, got %d",
                    out->given, p->modes);
  }
  if (out->turned > 0 && out->turned != out->given) {
    return apl_fail(err, APL_ERR_MODEL,
                    "turn-polynomials must be as many as polynomials, %d, got %d", out->given,
                    out->turned);
  }
  for (int k = 0; k < out->given; ++k) {
    const double turn = out->turned ? out->T[k].c[0] : out->W[k].c[1];
    if (out->W[k].c[0] != 0.0 || (turn != 0.0 && p->root_end == beam_root_ends[0])) {
      return apl_fail(err, APL_ERR_MODEL,
                      "polynomials must not move%s at the root, number %d does: the frame of the "
                      "body is held there",
                      out->W[k].c[0] != 0.0 ? "" : " or turn", k + 1);
    }
  }
  return APL_OK;
}

static apl_status beam_find_shapes(const beam_param* p, beam_shapes* out, apl_error* err) {
  apl_status st = beam_check(p, err);

  out->p = p;
  if (st == APL_OK) st = apl_section_numbers(&p->section, &out->s, err);
  if (st == APL_OK) st = beam_needs(p, &out->s, err);
  if (st == APL_OK) st = beam_read_polynomials(p, out, err);
  for (int d = 0; d < 2 && st == APL_OK; ++d) {
    const beam_basis b = beam_basis_of(p, &out->s, d);
    if (beam_has(p, d) && p->modes > 0 && out->given == 0)
      st = apl_beam_modes(&b, p->modes, out->bending[d], err);
  }
  return st;
}

/* A sine, held at the root, at the tip as the word says; or the straight line. */
static void beam_rod(const beam_shapes* b, bool held, int nth, double x, double* f, double* f1) {
  const double pi = 3.14159265358979323846, L = b->p->length;
  const double wave = pi * (held ? nth + 1.0 : nth + 0.5);
  const bool line = nth >= b->p->modes;

  *f = line ? x : sin(wave * x);
  *f1 = (line ? 1.0 : wave * cos(wave * x)) / L;
}

/* Bending under a force at the tip, W = x^2/2 - x^3/6 + s2 x, or a moment, W = x^2/2; both scaled
   to one at the tip. */
static beam_shape beam_static(bool moment, double s2, double x) {
  if (moment) return (beam_shape){x * x, 2.0 * x, 2.0, 2.0 * x, 2.0, 0.0};

  const double k = 1.0 / (1.0 / 3.0 + s2), T = x - 0.5 * x * x;
  return (beam_shape){k * (x * x * (0.5 - x / 6.0) + s2 * x),
                      k * (T + s2),
                      k * (1.0 - x),
                      k * T,
                      k * (1.0 - x),
                      k * s2};
}

static beam_shape beam_given(const beam_shapes* b, int nth, double x) {
  double W[3], T[3];

  apl_polynomial_at(&b->W[nth], x, W);
  apl_polynomial_at(&b->T[nth], x, T);
  if (b->turned == 0) T[0] = W[1], T[1] = W[2];
  return (beam_shape){W[0], W[1], W[2], T[0], T[1], W[1] - T[0]};
}

/* Shape of coordinate k at the station x in 0 .. 1, in metres: W deflects, T turns. */
static beam_shape beam_shape_at(const beam_shapes* b, int k, double x) {
  const beam_param* p = b->p;
  const double L = p->length;
  const beam_end tip = beam_end_of(p->tip_end);
  int nth;
  const int d = beam_direction(p, k, &nth);
  double f, f1;

  if (d == BEAM_TORSION) {
    beam_rod(b, tip == BEAM_CLAMPED, nth, x, &f, &f1);
    return (beam_shape){.T = f, .T1 = f1};
  }
  if (d == BEAM_AXIAL) {
    beam_rod(b, tip != BEAM_FREE, nth, x, &f, &f1);
    return (beam_shape){.W = f, .W1 = f1};
  }
  const double EI = d == BEAM_BEND_X ? b->s.EIx : b->s.EIy;
  const double s2 = p->theory == beam_theories[0] ? EI / (b->s.GA * L * L) : 0.0;
  const beam_shape m = nth >= p->modes ? beam_static(nth > p->modes, s2, x)
                       : b->given > 0  ? beam_given(b, nth, x)
                                       : apl_beam_mode_at(&b->bending[d][nth], x);
  return (beam_shape){m.W, m.W1 / L, m.W2 / (L * L), m.T / L, m.T1 / (L * L), m.shear / L};
}

/* ----------------------------------------------------------------------------------- compile ----
 */

/* Where par keeps what, n coordinates:
     m, S1, I2, Jx, Jy, Jz of the whole
     per coordinate: direction of W (3), axis of T (3), a, b, j                      (beam.md, 4)
     n x n: int mu W W, the mass matrix D, stiffness K, damping C */
typedef struct beam_block {
  double *head, *own, *mu, *D, *K, *C;
} beam_block;

static beam_block beam_block_of(double* par, int n) {
  double* pair = par + BEAM_HEAD + BEAM_OWN * n;
  return (beam_block){par, par + BEAM_HEAD, pair, pair + n * n, pair + 2 * n * n, pair + 3 * n * n};
}

/* A right-handed turn T about x moves z towards -y, about y towards x. */
static const double beam_axes[BEAM_NDIRECTION][6] = {
    {0, -1, 0, 1, 0, 0}, {1, 0, 0, 0, 1, 0}, {0, 0, 0, 0, 0, 1}, {0, 0, 1, 0, 0, 0}};

/* Shares of the section at x, `ds` long, in the integrals of coordinates j and k of one direction
 */
static void beam_add_pair(const beam_shapes* b, int d, double ds, const beam_shape* f,
                          const beam_shape* h, double J, double* D, double* K, double* C) {
  const section_numbers* s = &b->s;
  const double EI = d == BEAM_BEND_X ? s->EIx : s->EIy;
  double stiffness = EI * f->T1 * h->T1 + s->GA * f->shear * h->shear, damped = EI * f->W2 * h->W2;

  if (d == BEAM_TORSION) stiffness = damped = s->GJ * f->T1 * h->T1;
  if (d == BEAM_AXIAL) stiffness = damped = s->EA * f->W1 * h->W1;
  *D += ds * (s->mass * f->W * h->W + J * f->T * h->T);
  *K += ds * stiffness;
  *C += ds * (b->p->drag * f->W * h->W + b->p->kelvin_voigt * damped);
}

/* Add the section at x to all integrals. */
static void beam_add_section(const beam_shapes* b, int n, double x, double ds, beam_block* out) {
  const section_numbers* s = &b->s;
  const bool full = b->p->rotary == beam_rotaries[0];
  const double J[BEAM_NDIRECTION] = {s->jx, s->jy, s->jx + s->jy, 0};
  beam_shape f[APL_MAX_NX];

  for (int k = 0; k < n; ++k)
    f[k] = beam_shape_at(b, k, x);
  for (int k = 0; k < n; ++k) {
    const int d = beam_direction(b->p, k, NULL);
    const double rotary = full ? J[d] : 0.0;
    double* own = out->own + BEAM_OWN * k;

    own[6] += ds * s->mass * f[k].W;
    own[7] += ds * s->mass * x * b->p->length * f[k].W;
    own[8] += ds * rotary * f[k].T;
    for (int j = 0; j <= k; ++j) {
      const int at = k * n + j;
      out->mu[at] += ds * s->mass * f[k].W * f[j].W;
      if (beam_direction(b->p, j, NULL) == d) {
        beam_add_pair(b, d, ds, &f[k], &f[j], rotary, &out->D[at], &out->K[at], &out->C[at]);
      }
    }
  }
}

static apl_status beam_compile(const void* param, double* par, double* mass, apl_error* err) {
  enum { POINTS = 40 + 6 * BEAM_MOST_MODES };
  const beam_param* p = param;
  double x[POINTS], weight[POINTS];
  beam_shapes b;
  const apl_status st = beam_find_shapes(p, &b, err);
  if (st != APL_OK) return st;

  const double L = p->length, m = b.s.mass * L;
  const int n = beam_count(p), points = 40 + 6 * p->modes;
  beam_block out = beam_block_of(par, n);
  const double head[BEAM_HEAD] = {m,          m * L / 2.0, m * L * L / 3.0,
                                  b.s.jx * L, b.s.jy * L,  (b.s.jx + b.s.jy) * L};

  memset(par, 0, sizeof *par * (size_t)(BEAM_HEAD + BEAM_OWN * n + BEAM_PAIR * n * n));
  memcpy(out.head, head, sizeof head);
  for (int k = 0; k < n; ++k)
    memcpy(out.own + BEAM_OWN * k, beam_axes[beam_direction(p, k, NULL)], sizeof *beam_axes);
  apl_gauss(points, x, weight);
  for (int g = 0; g < points; ++g)
    beam_add_section(&b, n, x[g], L * weight[g], &out);

  /* both halves */
  for (int i = 0; i < BEAM_PAIR; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < k; ++j)
        out.mu[i * n * n + j * n + k] = out.mu[i * n * n + k * n + j];
    }
  }
  *mass = m;
  return APL_OK;
}

/* Distance from the root, then per coordinate how far it moves and how far it turns the section. */
static void beam_section(const void* param, double station, double* out) {
  const beam_param* p = param;
  const int n = beam_count(p);
  const bool tangent = p->attach == beam_attachments[1];
  beam_shapes b;

  out[0] = station * p->length;
  if (beam_find_shapes(p, &b, NULL) != APL_OK) return; /* compile() has said why */
  for (int k = 0; k < n; ++k) {
    const beam_shape f = beam_shape_at(&b, k, station);
    const bool bends = beam_direction(p, k, NULL) <= BEAM_BEND_Y;
    out[1 + k] = f.W;
    out[1 + n + k] = tangent && bends ? f.W1 : f.T;
  }
}

/* ------------------------------------------------------------------------- shapes for people ----
 */

/* Angular frequency of mode `nth` of a direction: from lambda = mu omega^2 L^4/EI of bending, with
   the stiffness the modes were computed for; of a rod, from wave c / L with c^2 = GJ/j or EA/mu. */
static double beam_omega(const beam_shapes* b, int d, int nth) {
  const beam_param* p = b->p;
  const section_numbers* s = &b->s;
  const double L = p->length, pi = 3.14159265358979323846;
  const beam_end tip = beam_end_of(p->tip_end);

  if (d <= BEAM_BEND_Y) {
    const double EI = p->mode_bending > 0.0 ? p->mode_bending : d ? s->EIy : s->EIx;
    return sqrt(b->bending[d][nth].lambda * EI / s->mass) / (L * L);
  }
  const bool held = d == BEAM_TORSION ? tip == BEAM_CLAMPED : tip != BEAM_FREE;
  const double speed = d == BEAM_TORSION ? sqrt(s->GJ / (s->jx + s->jy)) : sqrt(s->EA / s->mass);
  return pi * (held ? nth + 1.0 : nth + 0.5) * speed / L;
}

/* Largest |W| of a polynomial: the best of many points, then Newton on W' = 0. */
static double beam_largest(const beam_shapes* b, int k) {
  enum { POINTS = 256 };
  const double L = b->p->length;
  double best = 0.0, at = 0.0;

  for (int i = 0; i <= POINTS; ++i) {
    const double W = fabs(beam_shape_at(b, k, (double)i / POINTS).W);
    if (W > best) best = W, at = (double)i / POINTS;
  }
  for (int i = 0; i < 20 && at > 0.0 && at < 1.0; ++i) {
    const beam_shape f = beam_shape_at(b, k, at);
    const double step = f.W2 != 0.0 ? -f.W1 / (f.W2 * L) : 0.0;
    if (!(fabs(step) < 2.0 / POINTS)) break;
    at = fmin(fmax(at + step, 0.0), 1.0);
  }
  return fmax(best, fabs(beam_shape_at(b, k, at).W));
}

static apl_status beam_show(const void* param, int k, apl_beam_shape* out, const double* station,
                            int n, apl_beam_section* section, apl_error* err) {
  const beam_param* p = param;
  beam_shapes b;
  const apl_status st = beam_find_shapes(p, &b, err);
  if (st != APL_OK) return st;
  if (k < 0 || k >= beam_count(p)) return apl_fail(err, APL_ERR_ARGUMENT, "no shape %d", k);

  int nth;
  const int d = beam_direction(p, k, &nth);
  const bool bends = d <= BEAM_BEND_Y, given = bends && b.given > 0 && nth < p->modes;
  const bool mode = !given && nth < p->modes;
  const beam_end tip = beam_end_of(p->tip_end);

  *out = (apl_beam_shape){.direction = beam_directions[d],
                          .kind = mode    ? "mode"
                                  : given ? "polynomial"
                                          : "static",
                          .number = nth + 1,
                          .root_end = bends ? p->root_end : "clamped",
                          .tip_end = p->tip_end,
                          .omega = mode ? beam_omega(&b, d, nth) : 0.0,
                          .length = p->length,
                          .largest = given ? beam_largest(&b, k) : 1.0};
  /* a pinned tip lets a rod twist, and holds it like a clamp against stretch */
  if (!bends && tip == BEAM_PINNED) out->tip_end = d == BEAM_TORSION ? "free" : "clamped";
  memcpy(out->along, beam_axes[d], sizeof out->along);
  memcpy(out->about, beam_axes[d] + 3, sizeof out->about);
  for (int i = 0; i < n; ++i) {
    const beam_shape f = beam_shape_at(&b, k, station[i]);
    section[i] = (apl_beam_section){f.W, f.W1, f.T};
  }
  return APL_OK;
}

static const apl_body_kind beam_kind = {
    .word = "beam",
    .title = "a slender body whose small deflections are a sum of mode shapes",
    .note = "small deflections, without geometric stiffening: a pull along it does not stiffen its "
            "bending; where it turns fast use arc",
    .field = beam_fields,
    .param_size = sizeof(beam_param),
    .plan = beam_plan,
    .coordinate = beam_coordinate,
    .section = beam_section,
    .compile = beam_compile,
    .shape = beam_show,
};

#endif
