/* SPDX-License-Identifier: Apache-2.0 */
/* modes_files.c: modes as rows of a result: numbers, then the shape as real and imaginary parts. */
#include "cli/modes.h"
#include "cli/table.h"

#include <stdlib.h>

enum { OWN = 6 };

static bool name_channels(const modes_found* f, cli_table* t) {
  const apl_model* m = f->rest->model;
  bool ok = true;

  cli_table_add(t, "mode", "1", "number of the mode");
  cli_table_add(t, "kind", "1", "0 rigid-body, 1 oscillating, 2 overdamped, 3 unstable, 4 flutter");
  cli_table_add(t, "omega", "rad/s", "natural angular frequency");
  cli_table_add(t, "damping", "1", "ratio to the critical damping");
  cli_table_add(t, "lambda.real", "1/s", "real part of the eigenvalue");
  cli_table_add(t, "lambda.imag", "1/s", "imaginary part of the eigenvalue");
  for (int k = 0; k < 2 * apl_model_nv(m) && ok; ++k) {
    ok = cli_table_join(t, apl_model_name(m, APL_VELOCITIES, k / 2), k % 2 == 0 ? ".real" : ".imag",
                        "1", "shape");
  }
  return ok;
}

static bool fill(const modes_found* f, cli_table* t) {
  const int nv = apl_model_nv(f->rest->model);
  double* shape = calloc(2 * (size_t)nv + 1, sizeof *shape);
  if (shape == NULL) return false;

  for (int i = 0; i < f->count; ++i) {
    const apl_mode m = apl_modes_at(f->modes, i);
    double* row = cli_table_at(t, i);
    const double own[OWN] = {i + 1.0, (double)m.kind, m.omega, m.damping, m.real, m.imag};

    apl_modes_shape(f->modes, i, shape, shape + nv);
    for (int k = 0; k < OWN; ++k)
      row[k] = own[k];
    for (int k = 0; k < nv; ++k) {
      row[OWN + 2 * k] = shape[k];
      row[OWN + 2 * k + 1] = shape[nv + k];
    }
  }
  free(shape);
  return true;
}

int modes_write(const modes_found* f, const char* result, const char* csv) {
  const apl_summary summary = {"modes", (double)apl_modes_count(f->modes), "in all"};
  const cli_table_head head = {f->rest->file, "modes", "", &summary, 1};
  cli_table t = {0};
  int code = CLI_FAILED;
  if (result == NULL && csv == NULL) return CLI_OK;

  if (cli_table_open(&t, OWN + 2 * apl_model_nv(f->rest->model), f->count) &&
      name_channels(f, &t) && fill(f, &t)) {
    code = cli_table_write(&t, &head, result, csv);
  } else {
    fprintf(stderr, "appell: out of memory for the result\n");
  }
  cli_table_close(&t);
  return code;
}
