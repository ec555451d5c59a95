/* bending.h: does a run stay where beams of assumed modes are right: small deflections, slow
   turning? Watched at the outputs, told at the end. */
#pragma once

#include "cli/reactions.h"

typedef struct cli_bending cli_bending;

/* NULL when memory is out. The file and its model must outlive it. */
cli_bending* cli_bending_new(const apl_file* file, const apl_model* model);
void cli_bending_free(cli_bending* b); /* accepts NULL */

/* Look at the state that a system has at t. */
void cli_bending_look(cli_bending* b, double t, apl_system* system);

/* A sentence for each limit that was passed. Returns their number, at most `most`. */
int cli_bending_warnings(const cli_bending* b, cli_warning* out, int most);
