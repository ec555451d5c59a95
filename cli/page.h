/* page.h: the replay page of a run: what is collected while it runs, and the file at its end. */
#pragma once

#include "cli/impacts.h"

#include <jansson.h>

typedef struct cli_page cli_page;

/* `row` of page_add() has one value per channel. NULL without memory. */
cli_page* cli_page_new(const apl_model* model, const apl_channel* channel, int nchannel);
void cli_page_free(cli_page* page); /* accepts NULL */

/* One output: the poses of all ports and the channels. False without memory. */
bool cli_page_add(cli_page* page, double t, const double* row, apl_state* state);

/* What stands beside the picture: title, subtitle, the table [{label, value, unit}] and marks on
   the time bar [{t, name, text}]. */
typedef struct cli_page_words {
  const char *name, *description;
  const char* status; /* "finished", "stopped", "failed: sentence"; NULL for what is not a run   */
  json_t *summary, *events;
  json_t* warnings; /* list of sentences, or NULL                                                */
} cli_page_words;

/* The table of a run, and its impacts as marks. */
json_t* cli_page_summary(const apl_run_report* report);
json_t* cli_page_impacts(const apl_model* model, const cli_impacts* impacts);

/* Write the page, which takes summary and events; false with a sentence on stderr. */
bool cli_page_write(const cli_page* page, const char* path, const apl_file* file,
                    cli_page_words words);
