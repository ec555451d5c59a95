/* beam.c: a slender body along z of its frame whose small deflections are a sum of mode shapes:
   what users write, its check, and the integrals of the modes. The hot half is beam_motion.c.
   Theory: docs/theory/beam.md. */
#include "element/section.h"

#ifndef APL_HOT

#include "element/beam_modes.h"
#include "element/beam_polynomial.h"
#include "element/require.h"

#include <stdio.h>
#include <string.h>

static const char* const beam_theories[] = {"timoshenko", "euler-bernoulli", NULL};
static const char* const beam_directions[] = {"bend-x", "bend-y", "torsion", "axial", NULL};
static const char* const beam_root_ends[] = {"clamped", "pinned", "free", NULL};
static const char* const beam_tip_ends[] = {"free", "clamped", "pinned", NULL};
static const char* const beam_statics[] = {"none", "tip", NULL};
static const char* const beam_rotaries[] = {"full", "link", NULL};
static const char* const beam_attachments[] = {"section", "tangent", NULL};
enum { BEAM_BEND_X, BEAM_BEND_Y, BEAM_TORSION, BEAM_AXIAL, BEAM_NDIRECTION };

/* Numbers of beam_motion.c: of the whole, per coordinate, per pair of coordinates. */
enum { BEAM_HEAD = 6, BEAM_OWN = 9, BEAM_PAIR = 4 };

typedef struct beam_param {
  double length;
  const char* theory;
  unsigned directions;
  int modes;
  const char* statics;
  const char *root_end, *tip_end;
  const char *rotary, *attach;
  section_param section;
  const char *polynomials, *turns;
  double mode_bending, mode_shear, mode_rotary;
  double tip_mass, tip_inertia, tip_offset;
  double drag, kelvin_voigt;
} beam_param;

#define BEAM_CHOICE(member, word, list, text)                                                      \
  {                                                                                                \
    .name = word, .offset = offsetof(beam_param, member), .count = 1, .unit = "1",                 \
    .fallback = list, .sentence = text, .form = APL_FORM_CHOICE, .words = list                     \
  }

#define BEAM_TEXT(member, word, text)                                                              \
  {                                                                                                \
    .name = word, .offset = offsetof(beam_param, member), .count = 1, .unit = "1",                 \
    .fallback = (const char* const[]){""}, .sentence = text, .form = APL_FORM_TEXT                 \
  }

static const apl_field beam_fields[] = {
    APL_FIELD_REQUIRED(beam_param, length, "length", "m", "length of the body"),
    BEAM_CHOICE(theory, "theory", beam_theories, "with shear and rotary inertia, or without"),
    {.name = "directions",
     .offset = offsetof(beam_param, directions),
     .count = 1,
     .unit = "1",
     .fallback = (const unsigned[]){1u << BEAM_BEND_Y},
     .sentence = "how it may deform: any of these; a positive bend-y bends z towards x",
     .form = APL_FORM_SET,
     .words = beam_directions},
    {.name = "modes",
     .offset = offsetof(beam_param, modes),
     .count = 1,
     .unit = "1",
     .fallback = (const int[]){1},
     .sentence = "number of modes in each direction",
     .form = APL_FORM_WHOLE},
    BEAM_CHOICE(
        statics, "static-shapes", beam_statics,
        "tip: add the shapes under a force and a moment at the tip, clamped-free only; then "
        "loads there deform it exactly"),
    BEAM_CHOICE(root_end, "root-end", beam_root_ends,
                "how the modes are held at the root: clamped, the frame follows the root; pinned, "
                "it is the chord"),
    BEAM_CHOICE(tip_end, "tip-end", beam_tip_ends, "how the modes are held at the tip"),
    BEAM_CHOICE(rotary, "rotary", beam_rotaries,
                "rotary inertia feels the whole turn of a section, or that of the link alone"),
    BEAM_CHOICE(attach, "attach", beam_attachments,
                "what hangs on it turns with the section, or with the tangent"),
    APL_SECTION_FIELDS(beam_param),
    BEAM_TEXT(
        polynomials, "polynomials",
        "bending shapes of your own in x = z/length: coefficients from the constant on, shapes "
        "apart by semicolons, as in \"0 0 1; 0 0 0 1\""),
    BEAM_TEXT(turns, "turn-polynomials",
              "length times the turn of their sections; without: their slopes"),
    APL_FIELD(beam_param, mode_bending, "mode-bending-stiffness", "N m^2",
              "E I for the mode shapes only; 0: the body's, as the next two", 0),
    APL_FIELD(beam_param, mode_shear, "mode-shear-stiffness", "N",
              "shear factor times G A for the mode shapes only", 0),
    APL_FIELD(beam_param, mode_rotary, "mode-rotary-inertia", "kg m",
              "rotary inertia for the mode shapes only", 0),
    APL_FIELD(beam_param, tip_mass, "mode-tip-mass", "kg",
              "mass of a tip body for which the mode shapes are computed; it adds no mass", 0),
    APL_FIELD(beam_param, tip_inertia, "mode-tip-inertia", "kg m^2",
              "inertia of that body about its centre", 0),
    APL_FIELD(beam_param, tip_offset, "mode-tip-offset", "m",
              "distance of its centre beyond the tip", 0),
    APL_FIELD(beam_param, drag, "elastic-drag", "N s/m^2",
              "air damping of the deflection: force per length and rate of deflection", 0),
    APL_FIELD(beam_param, kelvin_voigt, "kelvin-voigt-time", "s",
              "material damping: stress per strain rate over stress per strain", 0),
    APL_FIELD_END,
};

/* ------------------------------------------------------------------------------ coordinates ----
 */

static bool beam_has(const beam_param* p, int direction) {
  return (p->directions >> direction & 1u) != 0;
}

static bool beam_has_statics(const beam_param* p) {
  return p->statics == beam_statics[1];
}

/* How many shapes a direction has: modes, then static shapes: force and moment of a bending, one of
   the others. */
static int beam_shape_count(const beam_param* p, int direction) {
  if (!beam_has(p, direction)) return 0;
  return p->modes + (beam_has_statics(p) ? direction <= BEAM_BEND_Y ? 2 : 1 : 0);
}

static int beam_count(const beam_param* p) {
  int n = 0;
  for (int d = 0; d < BEAM_NDIRECTION; ++d)
    n += beam_shape_count(p, d);
  return n;
}

static bool beam_count_ok(const beam_param* p) {
  return p->modes >= (beam_has_statics(p) ? 0 : 1) && p->modes <= APL_MAX_NX &&
         p->directions != 0 && beam_count(p) <= APL_MAX_NX;
}

/* Direction of coordinate k, and which of its shapes it is. */
static int beam_direction(const beam_param* p, int k, int* nth) {
  int d = 0;
  for (; k >= beam_shape_count(p, d); ++d)
    k -= beam_shape_count(p, d);
  if (nth != NULL) *nth = k;
  return d;
}

static void beam_plan(const void* param, apl_body_plan* plan) {
  const beam_param* p = param;
  const int n = beam_count_ok(p) ? beam_count(p) : 1;
  const bool x = beam_has(p, BEAM_BEND_X), y = beam_has(p, BEAM_BEND_Y);
  const bool z = beam_has(p, BEAM_TORSION);

  plan->nx = n;
  plan->npar = BEAM_HEAD + BEAM_OWN * n + BEAM_PAIR * n * n;
  plan->nsection = 1 + 2 * n;
  plan->ops = OPS_beam;
  plan->chord = p->root_end == beam_root_ends[1];
  plan->flat = p->directions == 1u << BEAM_BEND_Y;
  plan->turning = APL_TURNS_ANY;
  if (!x && !z) plan->turning = y ? APL_TURNS_ABOUT_Y : APL_TURNS_NOT;
  if (!x && !y && z) plan->turning = APL_TURNS_ABOUT_Z;
  apl_section_half(&p->section, plan->half);
}

static void beam_coordinate(const void* param, int k, apl_body_coordinate* out) {
  const beam_param* p = param;

  *out = (apl_body_coordinate){.unit = "m", .most = HUGE_VAL};
  if (!beam_count_ok(p)) {
    snprintf(out->name, sizeof out->name, "mode");
    return;
  }
  int nth;
  const int d = beam_direction(p, k, &nth);
  const char* word = beam_directions[d];
  if (d == BEAM_TORSION) out->unit = "rad";
  if (nth >= p->modes) {
    const char* load = d > BEAM_BEND_Y ? "static" : nth == p->modes ? "force" : "moment";
    snprintf(out->name, sizeof out->name, "%s.%s", word, load);
  } else if (p->modes > 1) {
    snprintf(out->name, sizeof out->name, "%s.%d", word, nth + 1);
  } else {
    snprintf(out->name, sizeof out->name, "%s", word);
  }
}

/* ------------------------------------------------------------------------------------- check ----
 */

static apl_status beam_check(const beam_param* p, apl_error* err) {
  apl_status st = require_positive(p->length, "length", "m", err);

  if (st == APL_OK)
    st = require_not_negative(p->mode_bending, "mode-bending-stiffness", "N m^2", err);
  if (st == APL_OK) st = require_not_negative(p->mode_shear, "mode-shear-stiffness", "N", err);
  if (st == APL_OK) st = require_not_negative(p->mode_rotary, "mode-rotary-inertia", "kg m", err);
  if (st == APL_OK) st = require_not_negative(p->tip_mass, "mode-tip-mass", "kg", err);
  if (st == APL_OK) st = require_not_negative(p->tip_inertia, "mode-tip-inertia", "kg m^2", err);
  if (st == APL_OK) st = require_not_negative(p->drag, "elastic-drag", "N s/m^2", err);
  if (st == APL_OK) st = require_not_negative(p->kelvin_voigt, "kelvin-voigt-time", "s", err);
  if (st != APL_OK) return st;
  if (p->root_end == beam_root_ends[2]) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "root-end must be clamped or pinned: the frame of the body is held at its root, "
        "so modes that move there would repeat the motion of the joint");
  }
  if (p->directions == 0) {
    return apl_fail(err, APL_ERR_MODEL,
                    "directions must not be empty: a rigid body does not deform");
  }
  if (p->modes < (beam_has_statics(p) ? 0 : 1)) {
    return apl_fail(err, APL_ERR_MODEL, "modes must be at least %d, got %d",
                    beam_has_statics(p) ? 0 : 1, p->modes);
  }
  if (!beam_count_ok(p)) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "modes are more than can be computed: a body has at most %d coordinates, and %d "
        "in each of these directions make more",
        APL_MAX_NX, p->modes);
  }
  if (beam_has_statics(p) && (p->root_end != beam_root_ends[0] || p->tip_end != beam_tip_ends[0])) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "static-shapes tip are those of root-end clamped and tip-end free, got %s and %s",
        p->root_end, p->tip_end);
  }
  if (p->tip_end != beam_tip_ends[0] && (p->tip_mass > 0.0 || p->tip_inertia > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "%s needs tip-end free: a tip that is held moves no body",
                    p->tip_mass > 0.0 ? "mode-tip-mass" : "mode-tip-inertia");
  }
  if (p->rotary == beam_rotaries[1] && beam_has(p, BEAM_TORSION)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "rotary link leaves torsion without inertia: use full, or no torsion");
  }
  return APL_OK;
}

/* A number that the directions or the theory cannot do without. */
static apl_status beam_need(double value, const char* name, const char* unit, apl_error* err) {
  if (value > 0.0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL,
                  "%s must be positive, got %g %s: give it, or the section and its material", name,
                  value, unit);
}

static apl_status beam_needs(const beam_param* p, const section_numbers* s, apl_error* err) {
  const bool x = beam_has(p, BEAM_BEND_X), y = beam_has(p, BEAM_BEND_Y);
  apl_status st = beam_need(s->mass, "mass-per-length", "kg/m", err);

  if (st == APL_OK && x) st = beam_need(s->EIx, "bending-stiffness", "N m^2", err);
  if (st == APL_OK && y) st = beam_need(s->EIy, "bending-stiffness", "N m^2", err);
  if (st == APL_OK && (x || y) && p->theory == beam_theories[0]) {
    st = beam_need(s->GA, "shear-stiffness", "N", err);
  }
  if (st == APL_OK && beam_has(p, BEAM_TORSION)) {
    st = beam_need(s->GJ, "torsion-stiffness", "N m^2", err);
    if (st == APL_OK) st = beam_need(s->jx + s->jy, "rotary-inertia", "kg m", err);
  }
  if (st == APL_OK && beam_has(p, BEAM_AXIAL)) st = beam_need(s->EA, "axial-stiffness", "N", err);
  return st;
}

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
};

#endif
