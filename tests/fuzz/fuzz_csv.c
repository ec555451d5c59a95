/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_csv.c: tables of numbers. What is accepted is finite and whole. */
#include "text/table.h"

#include "fuzz.h"

#include <appell/appell.h>

#include <math.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* path = fuzz_file(data, size);
  apl_table* table = NULL;

  if (path == NULL || apl_table_read(path, &table, NULL) != APL_OK) return 0;
  for (size_t i = 0; i < (size_t)table->nrow * (size_t)table->ncolumn; ++i) {
    if (!isfinite(table->value[i])) abort();
  }
  apl_table_free(table);
  return 0;
}
