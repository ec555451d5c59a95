/* SPDX-License-Identifier: Apache-2.0 */
/* near.c: see near.h. The context is the one piece of static data: it belongs to the test program.
 */
#include "near.h"

#include <math.h>
#include <stdio.h>

static char context[160];

void near_context(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(context, sizeof context, format, args);
  va_end(args);
}

void near_fail(const char* file, int line, const char* format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  print_error("%s%s%s\n", context, context[0] ? ": " : "", text);
  _fail(file, line);
}

void near_number(const char* file, int line, const char* name, double got, double want,
                 double tolerance) {
  if (!(fabs(got - want) <= tolerance)) {
    near_fail(file, line, "%s is %.17g, expected %.17g (off by %.3g, allowed %.3g)", name, got,
              want, got - want, tolerance);
  }
}

void near_array(const char* file, int line, const char* name, const double* got, const double* want,
                int n, double tolerance, double scale) {
  int worst = -1;
  double most = tolerance * scale;

  for (int i = 0; i < n; i++) {
    const double off = fabs(got[i] - want[i]);
    if (!(off <= most)) {
      worst = i;
      most = off;
      if (!isfinite(off)) break;
    }
  }
  if (worst >= 0) {
    near_fail(file, line,
              "%s[%d of %d] is %.17g, expected %.17g (off by %.3g, allowed %.3g = %.3g * %.3g)",
              name, worst, n, got[worst], want[worst], got[worst] - want[worst], tolerance * scale,
              tolerance, scale);
  }
  if (!isfinite(scale)) near_fail(file, line, "%s: the scale %g is not finite", name, scale);
}

void near_alive(const char* file, int line, const char* name, const double* x, int n,
                double floor) {
  const double most = near_max(x, n);
  if (!(most > floor)) {
    near_fail(file, line, "%s is trivial: largest entry %.3g, expected more than %.3g", name, most,
              floor);
  }
}

void near_status(const char* file, int line, const char* call, apl_status status) {
  if (status != APL_OK) near_fail(file, line, "%s: %s", call, apl_status_text(status));
}

double near_max(const double* x, int n) {
  double most = 0.0;
  for (int i = 0; i < n; i++) {
    const double size = fabs(x[i]);
    if (!(size <= most)) most = size;
    if (isnan(size)) break;
  }
  return most;
}
