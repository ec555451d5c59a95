/* SPDX-License-Identifier: Apache-2.0 */
/* read_csv.c: a table of numbers as a result, for plotting. */
#include "record/read_impl.h"

#include <stdlib.h>

apl_status apl_result_open_csv(const char* path, apl_result** out, apl_error* err) {
  *out = NULL;
  apl_result* res = calloc(1, sizeof *res);
  if (res == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");

  res->file = res->rows = res->sums = -1;
  const apl_status st = apl_table_read(path, &res->table, err);
  if (st != APL_OK) {
    apl_result_free(res);
    return st;
  }
  const int n = res->nchannel = res->table->ncolumn;
  res->nrow = res->table->nrow;
  res->path = apl_pool_text(&res->pool, path);
  res->channel = apl_pool_take(&res->pool, sizeof *res->channel * (size_t)(n + 1));
  if (res->path == NULL || res->channel == NULL) {
    apl_result_free(res);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for '%s'", path);
  }
  for (int k = 0; k < n; ++k)
    res->channel[k] = (apl_channel){res->table->name[k], res->table->unit[k], ""};
  for (int k = 0; k < READ_WORDS; ++k)
    res->text[k] = "";
  res->text[APL_RESULT_NAME] = res->path;
  *out = res;
  return APL_OK;
}
