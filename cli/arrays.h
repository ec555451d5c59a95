/* SPDX-License-Identifier: Apache-2.0 */
/* arrays.h: columns of numbers as files of other programs. */
#pragma once

#include <appell/appell.h>

typedef struct array_column {
  const char* name;
  const double* value;
} array_column;

/* NumPy's .npz: an array per column, under its name. MATLAB's .mat (level 5): a variable per
   column, dots and dashes of its name as underscores. An existing file is replaced when the new one
   is complete. */
apl_status arrays_write_npz(const char* path, const array_column* column, int ncolumn, int nrow,
                            apl_error* err);
apl_status arrays_write_mat(const char* path, const array_column* column, int ncolumn, int nrow,
                            apl_error* err);
