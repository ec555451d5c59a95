/* SPDX-License-Identifier: Apache-2.0 */
/* budget.c: see budget.h. */
#include "base/budget.h"

#include "base/error.h"

#include <math.h>

bool apl_budget_fits(const apl_budget* b, size_t old, size_t bytes) {
  return b == NULL || b->taken - (double)old + (double)bytes <= b->limit;
}

apl_status apl_budget_take(apl_budget* b, size_t old, size_t bytes, int count, const char* what) {
  if (b == NULL) return APL_OK;
  const double total = b->taken - (double)old + (double)bytes;

  if (apl_budget_fits(b, old, bytes)) {
    b->taken = total;
    return APL_OK;
  }
  /* two digits, rounded up, so that the number in the sentence is enough */
  const double unit = pow(10.0, floor(log10(total)) - 1.0);
  const double enough = ceil(total / unit * (1.0 + 1e-9)) * unit;
  return apl_fail(b->err, APL_ERR_MEMORY,
                  "with the matrices of %d %s the run needs %.2g GB of memory, more than the limit "
                  "of %.3g GB: set memory-limit (`run` of the file, --memory-limit) to %.2g or "
                  "more",
                  count, what, enough / 1e9, b->limit / 1e9, enough / 1e9);
}
