/* SPDX-License-Identifier: Apache-2.0 */
/* beam_polynomial.c: see beam_polynomial.h. */
#include "element/beam_polynomial.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char* word, const char* at, const char* why, apl_error* err) {
  apl_fail(err, APL_ERR_MODEL, "%s %s near '%.20s'", word, why, at);
  return -1;
}

int apl_polynomials_read(const char* text, const char* word, beam_polynomial* out, apl_error* err) {
  int shape = 0, power = 0;

  memset(out, 0, sizeof *out * BEAM_MOST_MODES);
  for (const char* at = text;;) {
    at += strspn(at, " \t\n,");
    if (*at == '\0') break;
    if (*at == ';') {
      if (power == 0) return refuse(word, at, "has a shape without coefficients", err);
      ++shape, ++at, power = 0;
      continue;
    }
    char* end;
    const double c = strtod(at, &end);
    if (end == at || !isfinite(c)) return refuse(word, at, "must be numbers", err);
    if (shape >= BEAM_MOST_MODES) return refuse(word, at, "has more than 32 shapes", err);
    if (power > BEAM_DEGREE) return refuse(word, at, "has a degree above 15", err);
    out[shape].c[power++] = c;
    at = end;
  }
  return shape + (power > 0);
}

/* Horner's rule for p, p' and p'' */
void apl_polynomial_at(const beam_polynomial* p, double x, double out[3]) {
  double f = 0.0, f1 = 0.0, f2 = 0.0;

  for (int k = BEAM_DEGREE; k >= 0; --k) {
    f2 = f2 * x + 2.0 * f1;
    f1 = f1 * x + f;
    f = f * x + p->c[k];
  }
  out[0] = f, out[1] = f1, out[2] = f2;
}
