/* SPDX-License-Identifier: Apache-2.0 */
/* impacts.h: the impacts of a run, for people. */
#pragma once

#include "cli/cli.h"

#include <jansson.h>

/* {contact, start, end, speed_in, speed_out, slip_in, slip_out, restitution, impulse, peak} in SI
   units */
json_t* cli_impact_json(const apl_impact* impact, const apl_model* model);

/* One line about all of them; `all` is how many the run had, `saved` whether a result has them. */
void cli_impacts_line(const apl_recorder* recorder, const apl_model* model, long all, bool saved,
                      FILE* to);

/* Each of them on a line. */
void cli_impacts_print(const apl_recorder* recorder, const apl_model* model, long all, FILE* to);
