/* SPDX-License-Identifier: Apache-2.0 */
/* beam_shapes.h: the shapes of a beam, see beam_shapes.c. */
#pragma once

#include "element/beam_modes.h"
#include "element/beam_param.h"
#include "element/beam_polynomial.h"
#include "element/beam_table.h"

#ifndef APL_HOT

/* All shapes of a beam: bending about x and y from beam_modes.c, torsion and axial as sines. */
typedef struct beam_shapes {
  const beam_param* p;
  section_numbers s;
  beam_mode bending[2][BEAM_MOST_MODES];
  int given, turned; /* > 0: number of polynomials used instead */
  beam_polynomial W[BEAM_MOST_MODES], T[BEAM_MOST_MODES];
  beam_table table;
  bool tabled[BEAM_NDIRECTION]; /* shapes of the table used instead: their columns; turn: -1 for
                                   none */
  int column[BEAM_NDIRECTION][BEAM_MOST_MODES], turn[BEAM_NDIRECTION][BEAM_MOST_MODES];
} beam_shapes;

static beam_end beam_end_of(const char* word);

static apl_status beam_find_shapes(const beam_param* p, beam_shapes* out, apl_error* err);

static beam_shape beam_shape_at(const beam_shapes* b, int k, double x);

#endif
