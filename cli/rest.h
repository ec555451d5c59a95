/* SPDX-License-Identifier: Apache-2.0 */
/* rest.h: a robot at the start of its file, driven at one time, for commands about statics. */
#pragma once

#include "cli/cli.h"

typedef struct cli_rest {
  apl_file* file;
  apl_model* model;
  apl_system* system;
  double time;
} cli_rest;

/* The row of --time for a table of options. */
#define CLI_TIME                                                                                   \
  { "--time", NULL, "T", "time at which inputs and motions are evaluated [s] (0)" }

/* Load args->file[0]. `base` and `time` are the values of these options, or NULL; `how` is that of
   apl_file_system(). CLI_OK, or what to exit with after a sentence on stderr; close it in any case.
 */
int cli_rest_open(cli_rest* rest, const char* command, const cli_args* args, const char* base,
                  const char* time, unsigned how);
/* Warn on stderr of beams beyond the limits of their theory in the present state. */
void cli_rest_warn(const cli_rest* rest, const char* path);
void cli_rest_close(cli_rest* rest);
