/* SPDX-License-Identifier: Apache-2.0 */
/* assembly_text.c: the changes of an assembly as a sentence. */
#include "appell/loop.h"
#include "appell/model.h"
#include "couple/close.h"

#include <stdio.h>

const char* apl_assembly_text(const apl_model* m, const apl_assembly* found, char* text,
                              size_t size) {
  const int moved = found->moved_coordinate, rounded = found->rounded_coordinate;
  int n = 0;

  if (size == 0) return "";
  text[0] = '\0';
  if (found->nmoved > 0) {
    n = snprintf(text, size,
                 "closing the loops moved %d coordinate%s that %s not given, most '%.60s' by "
                 "%.4g %s",
                 found->nmoved, found->nmoved == 1 ? "" : "s", found->nmoved == 1 ? "is" : "are",
                 apl_model_name(m, APL_COORDINATES, moved), found->moved,
                 apl_model_unit(m, APL_COORDINATES, moved));
  }
  if (found->rounded > 0.0 && n >= 0 && (size_t)n < size) {
    snprintf(text + n, size - (size_t)n, "%sgiven values were rounded, most '%.60s' by %.2g %s",
             n > 0 ? "; " : "", apl_model_name(m, APL_COORDINATES, rounded), found->rounded,
             apl_model_unit(m, APL_COORDINATES, rounded));
  }
  return text;
}
