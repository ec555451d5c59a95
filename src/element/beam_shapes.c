/* SPDX-License-Identifier: Apache-2.0 */
/* beam_shapes.c: the shapes of a beam: modes of beam_modes.c, polynomials or a table of the user,
   sines for torsion and axial motion, static shapes. The fields are in beam.c. Theory:
   docs/theory/beam.md, 5. */
#include "element/beam_shapes.h"

#ifndef APL_HOT

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static beam_end beam_end_of(const char* word) {
  return strcmp(word, "clamped") == 0  ? BEAM_CLAMPED
         : strcmp(word, "pinned") == 0 ? BEAM_PINNED
                                       : BEAM_FREE;
}

/* Beam of unit length, mass and stiffness that is equivalent to p, for its modes. */
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

/* Polynomials of the user: as many as there are modes, and zero at a held root. */
static apl_status beam_read_polynomials(const beam_param* p, beam_shapes* out, apl_error* err) {
  out->given = apl_polynomials_read(p->polynomials, "polynomials", out->W, err);
  out->turned = apl_polynomials_read(p->turns, "turn-polynomials", out->T, err);

  if (out->given < 0 || out->turned < 0) return APL_ERR_MODEL;
  for (int d = 0; d <= BEAM_BEND_Y && out->given > 0; ++d) {
    if (!beam_has(p, d) || out->given == p->modes[d]) continue;
    return apl_fail(err, APL_ERR_MODEL, "modes must be the number of polynomials, %d, got %d of %s",
                    out->given, p->modes[d], beam_directions[d]);
  }
  if (out->turned > 0 && out->turned != out->given) {
    return apl_fail(err, APL_ERR_MODEL,
                    "turn-polynomials must be as many as polynomials, %d, got %d", out->given,
                    out->turned);
  }
  if (out->turned > 0 && p->theory != beam_theories[0]) {
    return apl_fail(err, APL_ERR_MODEL,
                    "turn-polynomials need theory timoshenko: without shear the rotation of a "
                    "section is the slope");
  }
  for (int k = 0; k < out->given; ++k) {
    const double turn = out->turned ? out->T[k].c[0] : out->W[k].c[1];
    if (out->W[k].c[0] != 0.0 || (turn != 0.0 && p->root_end == beam_root_ends[0])) {
      return apl_fail(err, APL_ERR_MODEL,
                      "polynomials must not move%s at the root, where the body frame is attached; "
                      "number %d does",
                      out->W[k].c[0] != 0.0 ? "" : " or turn", k + 1);
    }
  }
  return APL_OK;
}

/* Column of a shape in the table, or of the rotation of its sections (suffix `turn`); -1: none. */
static int beam_column(const beam_table* t, int direction, int nth, const char* turn) {
  char name[32];

  snprintf(name, sizeof name, "%s.%d%s", beam_directions[direction], nth + 1, turn);
  return apl_beam_table_find(t, name);
}

/* Check one column of the table: its name must be a shape of this beam, and it must be zero at a
   held root. */
static apl_status beam_check_column(const beam_param* p, const beam_table* t, int column,
                                    apl_error* err) {
  const char* name = t->given->name[column];
  const bool clamped = p->root_end == beam_root_ends[0];

  for (int d = 0; d < BEAM_NDIRECTION; ++d) {
    for (int k = 0; k < beam_modes(p, d); ++k) {
      const bool turn = beam_column(t, d, k, ".turn") == column;
      if (turn && (d > BEAM_BEND_Y || p->theory != beam_theories[0])) {
        return apl_fail(err, APL_ERR_MODEL,
                        "shape-table has '%.40s', but only bending shapes of theory timoshenko "
                        "have a rotation of their own",
                        name);
      }
      if (!turn && beam_column(t, d, k, "") != column) continue;
      if (t->given->value[column][0] == 0.0 || (turn && !clamped)) return APL_OK;
      return apl_fail(err, APL_ERR_MODEL,
                      "shape-table must not move at the root, where the body frame is attached; "
                      "'%.40s' is %g there",
                      name, t->given->value[column][0]);
    }
  }
  if (strcmp(name, "station") == 0) return APL_OK;
  return apl_fail(
      err, APL_ERR_MODEL,
      "shape-table has a column '%.40s', which is neither station nor one of its modes, "
      "as bend-y.1, nor a turn of one, as bend-y.1.turn",
      name);
}

/* Shapes of the user at stations: for each direction either all of its modes or none. At a clamped
   root, a shape without its own rotation column gets slope zero. */
static apl_status beam_read_table(const beam_param* p, beam_shapes* out, apl_error* err) {
  const beam_table t = {.given = p->table};
  const int n = p->table == NULL ? 0 : p->table->ncolumn;
  bool* held = calloc((size_t)n + 1, sizeof *held);
  apl_status st = APL_OK;

  if (held == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a table");
  for (int c = 0; c < n && st == APL_OK; ++c)
    st = beam_check_column(p, &t, c, err);
  for (int d = 0; d < BEAM_NDIRECTION && n > 0 && st == APL_OK; ++d) {
    int given = 0, turns = 0;
    for (int k = 0; k < beam_modes(p, d); ++k) {
      const int c = out->column[d][k] = beam_column(&t, d, k, "");
      const bool turned = (out->turn[d][k] = beam_column(&t, d, k, ".turn")) >= 0;
      given += c >= 0;
      turns += turned;
      if (c >= 0) held[c] = d <= BEAM_BEND_Y && !turned && p->root_end == beam_root_ends[0];
    }
    out->tabled[d] = given > 0;
    if (d <= BEAM_BEND_Y && given > 0 && out->given > 0) {
      st = apl_fail(err, APL_ERR_MODEL,
                    "shape-table and polynomials both give bending shapes: leave one of them out");
      break;
    }
    if (given + turns == 0 || given == p->modes[d]) continue;
    st = apl_fail(err, APL_ERR_MODEL,
                  "shape-table must have all modes of a direction or none: %s.1 to %s.%d",
                  beam_directions[d], beam_directions[d], p->modes[d]);
  }
  if (st == APL_OK) st = apl_beam_table_new(p->table, held, &out->table, err);
  free(held);
  return st;
}

static apl_status beam_find_shapes(const beam_param* p, beam_shapes* out, apl_error* err) {
  apl_status st = beam_check(p, err);

  *out = (beam_shapes){.p = p};
  if (st == APL_OK) st = apl_section_numbers(&p->section, &out->s, err);
  if (st == APL_OK) st = beam_needs(p, &out->s, err);
  if (st == APL_OK) st = beam_read_polynomials(p, out, err);
  if (st == APL_OK) st = beam_read_table(p, out, err);
  for (int d = 0; d < 2 && st == APL_OK; ++d) {
    const beam_basis b = beam_basis_of(p, &out->s, d);
    if (beam_modes(p, d) > 0 && out->given == 0 && !out->tabled[d])
      st = apl_beam_modes(&b, p->modes[d], out->bending[d], err);
  }
  if (st != APL_OK) apl_beam_table_free(&out->table);
  return st;
}

/* Sine shape of a rod, zero at the root, and also at the tip if held. */
static beam_shape beam_rod(bool held, int nth, double x) {
  const double pi = 3.14159265358979323846, wave = pi * (held ? nth + 1.0 : nth + 0.5);

  return (beam_shape){.W = sin(wave * x), .W1 = wave * cos(wave * x)};
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

static beam_shape beam_tabled(const beam_shapes* b, int direction, int nth, double x) {
  const int turn = b->turn[direction][nth];
  double W[3], T[3];

  apl_beam_table_at(&b->table, b->column[direction][nth], x, W);
  if (turn >= 0)
    apl_beam_table_at(&b->table, turn, x, T);
  else
    T[0] = W[1], T[1] = W[2];
  return (beam_shape){W[0], W[1], W[2], T[0], T[1], turn >= 0 ? W[1] - T[0] : 0.0};
}

/* Shape of coordinate k at station x in 0 .. 1, in metres: W is the deflection, T the rotation. */
static beam_shape beam_shape_at(const beam_shapes* b, int k, double x) {
  const beam_param* p = b->p;
  const double L = p->length;
  const beam_end tip = beam_end_of(p->tip_end);
  int nth;
  const int d = beam_direction(p, k, &nth);
  const bool mode = nth < p->modes[d];

  if (d > BEAM_BEND_Y) {
    const bool held = d == BEAM_TORSION ? tip == BEAM_CLAMPED : tip != BEAM_FREE;
    const beam_shape m = !mode          ? (beam_shape){.W = x, .W1 = 1.0}
                         : b->tabled[d] ? beam_tabled(b, d, nth, x)
                                        : beam_rod(held, nth, x);
    return d == BEAM_TORSION ? (beam_shape){.T = m.W, .T1 = m.W1 / L}
                             : (beam_shape){.W = m.W, .W1 = m.W1 / L};
  }
  const double EI = d == BEAM_BEND_X ? b->s.EIx : b->s.EIy;
  const double s2 = p->theory == beam_theories[0] ? EI / (b->s.GA * L * L) : 0.0;
  const beam_shape m = !mode          ? beam_static(nth > p->modes[d], s2, x)
                       : b->tabled[d] ? beam_tabled(b, d, nth, x)
                       : b->given > 0 ? beam_given(b, nth, x)
                                      : apl_beam_mode_at(&b->bending[d][nth], x);
  return (beam_shape){m.W, m.W1 / L, m.W2 / (L * L), m.T / L, m.T1 / (L * L), m.shear / L};
}

#endif
