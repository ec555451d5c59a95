/* SPDX-License-Identifier: Apache-2.0 */
/* beam_polynomial.h: shapes of a beam that users give as polynomials of x = z/L. Cold code. */
#pragma once

#include "element/beam_modes.h"

enum { BEAM_DEGREE = 15 };

typedef struct beam_polynomial {
  double c[BEAM_DEGREE + 1];
} beam_polynomial;

/* Read polynomials such as "0 0 3 -1; 0 0 1": coefficients from the constant upwards, shapes
   separated by semicolons. Returns how many were read into out[BEAM_MOST_MODES], 0 for an empty
   text, -1 with an error. `word` names the field in the error message. */
int apl_polynomials_read(const char* text, const char* word, beam_polynomial* out, apl_error* err);

/* Value, slope and second derivative at x. */
void apl_polynomial_at(const beam_polynomial* p, double x, double out[3]);
