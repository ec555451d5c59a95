/* reactions.h: what a run records of forces: the efforts of prescribed motion, and what the ground
   gives to joints that roll. */
#pragma once

#include "cli/cli.h"

typedef struct cli_reactions cli_reactions;

/* NULL when memory is out. The model must outlive it. */
cli_reactions* cli_reactions_new(const apl_model* model);
void cli_reactions_free(cli_reactions* r); /* accepts NULL */

/* How many channels, and these; their names belong to r. */
int cli_reactions_count(const cli_reactions* r);
void cli_reactions_channels(const cli_reactions* r, apl_channel* out);

/* A row of them at (t, y), and a look at whether the ground can give that much. */
apl_status cli_reactions_row(cli_reactions* r, double t, const double* y, apl_system* system,
                             double* row);

/* A sentence for each thing the ground could not have given: since when, how much at worst. Returns
   their number, at most `most`. */
enum { CLI_MOST_WARNINGS = 48 };
typedef struct cli_warning {
  char key[64], text[192];
  double worst;
} cli_warning;
int cli_reactions_warnings(const cli_reactions* r, cli_warning* out, int most);
