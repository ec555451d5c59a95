/* SPDX-License-Identifier: Apache-2.0 */
/* write.c: output files appear complete or not at all, and never replace an input. */
#include "cli/cli.h"

#include "record/record.h"

#include <string.h>

bool cli_write_file(const char* path, const char* text) {
  apl_error err = {0};
  if (strcmp(path, "-") == 0) return fputs(text, stdout) >= 0;

  if (apl_output_write(path, text, strlen(text), &err) == APL_OK) return true;
  cli_complain(&err);
  return false;
}

int cli_check_outputs(const char* const* in, int nin, const char* const* out, int nout) {
  apl_error err = {0};
  const apl_status st = apl_outputs_check(in, nin, out, nout, &err);

  if (st == APL_OK) return CLI_OK;
  cli_complain(&err);
  return st == APL_ERR_ARGUMENT ? CLI_USAGE : CLI_FAILED;
}
