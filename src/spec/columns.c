/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c: tables of a spec grow by columns, from the builder and from files (table.c) alike. */
#include "spec/spec_impl.h"

#include <string.h>

const apl_columns* apl_columns_with(apl_pool* pool, const apl_columns* table, const char* name,
                                    const double* value, int n) {
  const size_t count = table == NULL ? 0 : (size_t)table->ncolumn;
  apl_columns* out = apl_pool_take(pool, sizeof *out);
  const char** names = apl_pool_take(pool, sizeof *names * (count + 1));
  const double** values = apl_pool_take(pool, sizeof *values * (count + 1));
  double* copy = apl_pool_take(pool, sizeof *copy * (size_t)(n + 1));

  if (out == NULL || names == NULL || values == NULL || copy == NULL) return NULL;
  if (count > 0) {
    memcpy(names, table->name, sizeof *names * count);
    memcpy(values, table->value, sizeof *values * count);
  }
  memcpy(copy, value, sizeof *copy * (size_t)n);
  names[count] = apl_pool_text(pool, name);
  values[count] = copy;
  *out = (apl_columns){n, (int)count + 1, names, values};
  return names[count] == NULL ? NULL : out;
}
