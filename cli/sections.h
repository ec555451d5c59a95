/* sections.h: places along bodies of assumed shapes (beams), between root and tip. Pictures need
   them: from its ends alone nobody sees how such a body bends. */
#pragma once

#include "cli/cli.h"

typedef struct cli_sections cli_sections;

/* Of all links; NULL without memory. */
cli_sections* cli_sections_new(const apl_model* model, const apl_file* file);
void cli_sections_free(cli_sections* sections); /* accepts NULL */

int cli_sections_count(const cli_sections* sections);
int cli_sections_link(const cli_sections* sections, int i); /* from root to tip, link by link */

/* Their poses (R, p) in the world, out[12 * count], from q and those of all ports, X[12 * nport].
 */
void cli_sections_poses(const cli_sections* sections, const double* q, const double* X,
                        double* out);
