/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_result.c: result files, read to the last number. */
#include "record/record.h"

#include "fuzz.h"

#include <appell/appell.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const char* path = fuzz_file(data, size);
  apl_result* res = NULL;

  if (path == NULL || apl_result_open(path, &res, NULL) != APL_OK) return 0;
  const size_t width = (size_t)apl_result_channels(res);
  double* row = malloc(sizeof *row * (width + (size_t)apl_result_rows(res)));
  for (int r = 0; row != NULL && r < apl_result_rows(res) && r < 1000; ++r)
    (void)apl_result_read(res, r, 1, row, NULL);
  if (row != NULL) (void)apl_result_column(res, 0, row, NULL);
  (void)apl_result_nearest(res, "arm.joint.angle");
  for (int e = 0; e < apl_result_events(res); ++e) {
    if (strlen(apl_result_event(res, e)->text) > 1000) abort();
  }
  free(row);
  apl_result_free(res);
  return 0;
}
