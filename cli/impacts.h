/* impacts.h: the impacts of a run, for people. */
#pragma once

#include "cli/cli.h"

#include <jansson.h>

typedef struct cli_impacts {
  apl_impact* list;
  int n, room;
} cli_impacts;

/* What does not fit into memory is left out. */
void cli_impacts_add(cli_impacts* impacts, const apl_impact* impact);

/* "in 1.2 m/s, out 0.9 m/s (0.75), impulse 0.3 N s, peak 12 N" */
void cli_impact_text(const apl_impact* impact, char* text, size_t size);

/* {contact, start, end, speed_in, speed_out, restitution, impulse, peak} in SI units */
json_t* cli_impact_json(const apl_impact* impact, const apl_model* model);

/* The first of them, one per line; `all` is how many the run had. */
void cli_impacts_print(const cli_impacts* impacts, const apl_model* model, long all, FILE* to);
