/* SPDX-License-Identifier: Apache-2.0 */
/* beam_integrals.c: integrals of the shapes along a beam, the only data of the shapes that the hot
   half uses. Theory: docs/theory/beam.md, 4. */
#include "element/beam_par.h"
#include "element/beam_shapes.h"

#ifndef APL_HOT

#include <string.h>

/* ----------------------------------------------------------------------------------- compile ----
 */

/* The constants of a beam and pointers to their matrices. */
typedef struct beam_block {
  beam_par* par;
  double *mu, *D, *K, *C;
} beam_block;

static beam_block beam_block_of(beam_par* par, int n) {
  double* matrix = (double*)(void*)(par->own + n);
  return (beam_block){par, matrix + BEAM_MU * n * n, matrix + BEAM_D * n * n,
                      matrix + BEAM_K * n * n, matrix + BEAM_C * n * n};
}

/* A right-handed rotation T about x moves z towards -y, about y towards x. */
static const beam_own_par beam_axes[BEAM_NDIRECTION] = {{.W = {0, -1, 0}, .T = {1, 0, 0}},
                                                        {.W = {1, 0, 0}, .T = {0, 1, 0}},
                                                        {.T = {0, 0, 1}},
                                                        {.W = {0, 0, 1}}};

/* Add the section at x, of length `ds`, to the integrals of two coordinates of one direction. */
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
    beam_own_par* own = &out->par->own[k];

    own->a += ds * s->mass * f[k].W;
    own->b += ds * s->mass * x * b->p->length * f[k].W;
    own->j += ds * rotary * f[k].T;
    for (int j = 0; j <= k; ++j) {
      const int at = k * n + j;
      out->mu[at] += ds * s->mass * f[k].W * f[j].W;
      if (beam_direction(b->p, j, NULL) == d) {
        beam_add_pair(b, d, ds, &f[k], &f[j], rotary, &out->D[at], &out->K[at], &out->C[at]);
      }
    }
  }
}

/* Ends of the intervals on which all shapes are smooth. */
static double beam_knot(const beam_shapes* b, int i) {
  return b->table.given == NULL ? i : b->table.given->value[b->table.station][i];
}

/* The first coordinate whose shape is a linear combination of those before it: its pivot in the
   factorisation of the mass matrix is round-off. -1 if there is none. */
static int beam_dependent(const double* D, int n) {
  double L[APL_MAX_NX][APL_MAX_NX], pivot[APL_MAX_NX];

  for (int k = 0; k < n; ++k) {
    pivot[k] = D[k * n + k];
    for (int j = 0; j < k; ++j) {
      double sum = D[k * n + j];
      for (int i = 0; i < j; ++i)
        sum -= L[k][i] * pivot[i] * L[j][i];
      L[k][j] = sum / pivot[j];
      pivot[k] -= L[k][j] * sum;
    }
    if (!(pivot[k] > 1e-14 * D[k * n + k])) return k;
  }
  return -1;
}

/* Computed modes are always independent; shapes given by the user may not be. */
static apl_status beam_check_independent(const beam_param* p, const double* D, apl_error* err) {
  const bool table = p->table != NULL, polynomials = p->polynomials[0] != '\0';
  const int k = table || polynomials ? beam_dependent(D, beam_count(p)) : -1;
  if (k < 0) return APL_OK;

  apl_body_coordinate c;
  beam_coordinate(p, k, &c);
  return apl_fail(
      err, APL_ERR_MODEL,
      "%s must be linearly independent: '%s' is zero or a combination of those before it",
      table ? "shape-table has shapes that" : "polynomials", c.name);
}

static apl_status beam_compile(const void* param, void* constants, double* mass, apl_error* err) {
  enum { POINTS = 40 + 6 * BEAM_MOST_MODES };
  const beam_param* p = param;
  double x[POINTS], weight[POINTS];
  beam_shapes b;
  const apl_status st = beam_find_shapes(p, &b, err);
  if (st != APL_OK) return st;

  const double L = p->length, m = b.s.mass * L;
  const int n = beam_count(p), points = 40 + 6 * beam_most_modes(p);
  beam_block out = beam_block_of(constants, n);

  memset(constants, 0, sizeof(double) * (size_t)beam_npar(n));
  out.par->m = m;
  out.par->S1 = m * L / 2.0;
  out.par->I2 = m * L * L / 3.0;
  out.par->J = (vec3){b.s.jx * L, b.s.jy * L, (b.s.jx + b.s.jy) * L};
  for (int k = 0; k < n; ++k)
    out.par->own[k] = beam_axes[beam_direction(p, k, NULL)];
  apl_gauss(points, x, weight);

  /* shapes from a table are smooth between its stations only */
  const int pieces = b.table.given == NULL ? 1 : b.table.given->nrow - 1;
  for (int i = 0; i < pieces; ++i) {
    const double from = beam_knot(&b, i), h = beam_knot(&b, i + 1) - from;
    for (int g = 0; g < points; ++g)
      beam_add_section(&b, n, from + h * x[g], L * h * weight[g], &out);
  }
  apl_beam_table_free(&b.table);

  /* copy the lower triangle to the upper one */
  for (int i = 0; i < BEAM_MATRICES; ++i) {
    for (int k = 0; k < n; ++k) {
      for (int j = 0; j < k; ++j)
        out.mu[i * n * n + j * n + k] = out.mu[i * n * n + k * n + j];
    }
  }
  *mass = m;
  return beam_check_independent(p, out.D, err);
}

/* Per station: distance from the root (m), then for each coordinate its deflection and its rotation
   of the section. */
static bool beam_sections(const void* param, const double* station, int count, double* out) {
  const beam_param* p = param;
  const int n = beam_count(p);
  const bool tangent = p->attach == beam_attachments[1];
  beam_shapes b;

  if (beam_find_shapes(p, &b, NULL) != APL_OK) return false;
  for (int i = 0; i < count; ++i, out += 1 + 2 * n) {
    out[0] = station[i] * p->length;
    for (int k = 0; k < n; ++k) {
      const beam_shape f = beam_shape_at(&b, k, station[i]);
      const bool bends = beam_direction(p, k, NULL) <= BEAM_BEND_Y;
      out[1 + k] = f.W;
      out[1 + n + k] = tangent && bends ? f.W1 : f.T;
    }
  }
  apl_beam_table_free(&b.table);
  return true;
}

/* ------------------------------------------------------------------------- shapes for people ----
 */

/* Angular frequency (rad/s) of mode `nth` of a direction. Bending: from lambda = mu omega^2 L^4/EI
   with the stiffness used for the modes. Torsion and axial: omega = wave c / L with c^2 = GJ/j or
   EA/mu. */
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

/* Largest |W| (|T| for torsion) of a shape given by the user: the best of many points, then Newton
   on W' = 0. */
static double beam_largest(const beam_shapes* b, int k) {
  enum { POINTS = 256 };
  const bool twists = beam_direction(b->p, k, NULL) == BEAM_TORSION;
  double best = 0.0, at = 0.0;

  for (int i = 0; i <= POINTS; ++i) {
    const beam_shape f = beam_shape_at(b, k, (double)i / POINTS);
    const double size = fabs(twists ? f.T : f.W);
    if (size > best) best = size, at = (double)i / POINTS;
  }
  for (int i = 0; i < 20 && !twists && at > 0.0 && at < 1.0; ++i) {
    const beam_shape f = beam_shape_at(b, k, at);
    const double step = f.W2 != 0.0 ? -f.W1 / (f.W2 * b->p->length) : 0.0;
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
  if (k < 0 || k >= beam_count(p)) {
    apl_beam_table_free(&b.table);
    return apl_fail(err, APL_ERR_ARGUMENT, "no shape %d", k);
  }

  int nth;
  const int d = beam_direction(p, k, &nth);
  const bool bends = d <= BEAM_BEND_Y, own = nth < beam_modes(p, d);
  const bool table = own && b.tabled[d], given = own && bends && b.given > 0;
  const bool mode = own && !given && !table;
  const char* kind = table ? "table" : given ? "polynomial" : mode ? "mode" : "static";
  const beam_end tip = beam_end_of(p->tip_end);

  *out = (apl_beam_shape){.direction = beam_directions[d],
                          .kind = kind,
                          .number = nth + 1,
                          .root_end = bends ? p->root_end : "clamped",
                          .tip_end = p->tip_end,
                          .omega = mode ? beam_omega(&b, d, nth) : 0.0,
                          .length = p->length,
                          .largest = given || table ? beam_largest(&b, k) : 1.0};
  /* a pinned tip is free in torsion and clamped in axial motion */
  if (!bends && tip == BEAM_PINNED) out->tip_end = d == BEAM_TORSION ? "free" : "clamped";
  memcpy(out->along, &beam_axes[d].W, sizeof out->along);
  memcpy(out->about, &beam_axes[d].T, sizeof out->about);
  for (int i = 0; i < n; ++i) {
    const beam_shape f = beam_shape_at(&b, k, station[i]);
    section[i] = (apl_beam_section){f.W, f.W1, f.T};
  }
  apl_beam_table_free(&b.table);
  return APL_OK;
}

#endif
