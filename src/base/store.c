/* SPDX-License-Identifier: Apache-2.0 */
/* store.c: see store.h. */
#include "base/store.h"

#include "base/assert.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

void apl_store_refuse(apl_store* s, const char* what, double value) {
  if (s->bad != NULL) return;
  s->bad = what;
  s->value = value;
}

/* The next number: *x is written, or read if it is a whole number in range. */
static bool pass(apl_store* s, double* x, double least, double most, const char* what) {
  APL_ASSERT(s->used < s->size);
  const int at = s->used++;

  if (s->out != NULL) {
    s->out[at] = *x;
    return false;
  }
  const double value = s->in[at];
  if (!(value >= least && value <= most) || value != floor(value)) {
    apl_store_refuse(s, what, value);
    return false;
  }
  *x = value;
  return true;
}

void apl_store_numbers(apl_store* s, double* x, int n, const char* what) {
  APL_ASSERT(s->used + n <= s->size);
  for (int i = 0; i < n; ++i, ++s->used) {
    if (s->out != NULL) {
      s->out[s->used] = x[i];
    } else if (isfinite(s->in[s->used])) {
      x[i] = s->in[s->used];
    } else {
      apl_store_refuse(s, what, s->in[s->used]);
    }
  }
}

void apl_store_number(apl_store* s, double* x, const char* what) {
  apl_store_numbers(s, x, 1, what);
}

void apl_store_whole(apl_store* s, double* x, double least, double most, const char* what) {
  (void)pass(s, x, least, most, what);
}

void apl_store_long(apl_store* s, long* x, double least, double most, const char* what) {
  double value = (double)*x;
  if (pass(s, &value, least, most, what)) *x = (long)value;
}

void apl_store_int(apl_store* s, int* x, int least, int most, const char* what) {
  double value = *x;
  if (pass(s, &value, least, most, what)) *x = (int)value;
}

void apl_store_flag(apl_store* s, bool* x, const char* what) {
  double value = *x ? 1.0 : 0.0;
  if (pass(s, &value, 0.0, 1.0, what)) *x = value > 0.5;
}

void apl_store_skip(apl_store* s, int n) {
  APL_ASSERT(s->used + n <= s->size);
  if (s->out != NULL && n > 0) memset(s->out + s->used, 0, sizeof *s->out * (size_t)n);
  s->used += n;
}

apl_store apl_store_part(apl_store* s, int n) {
  APL_ASSERT(s->used + n <= s->size);
  const int at = s->used;

  s->used += n;
  return s->out != NULL ? apl_store_writer(s->out + at, n) : apl_store_reader(s->in + at, n);
}

void apl_store_join(apl_store* s, const apl_store* part) {
  if (part->bad != NULL) apl_store_refuse(s, part->bad, part->value);
}

apl_status apl_store_status(const apl_store* s) {
  return s->bad == NULL ? APL_OK : APL_ERR_ARGUMENT;
}
