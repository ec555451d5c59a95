/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_quantity.c: "5 mm", "30 deg", "1e3 N m/rad" against several units. */
#include "fuzz.h"

#include "text/quantity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const char* const unit[] = {"1", "m", "rad", "kg", "N m/rad", "Pa", "s", "kg m^2"};
  char* text = malloc(size + 1);

  if (text == NULL) return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  for (size_t i = 0; i < sizeof unit / sizeof *unit; ++i) {
    double x = 0.0;
    apl_error err;
    if (apl_quantity_read(text, unit[i], &x, &err) == APL_OK && !isfinite(x)) abort();
  }
  free(text);
  return 0;
}
