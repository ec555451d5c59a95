/* pictures.h: ports, shapes and strips of a robot, for pages and results. */
#pragma once

#include "cli/cli.h"

#include <jansson.h>

/* {ports, shapes, strips, ground}; NULL without memory, or for names that are not UTF-8. */
json_t* cli_pictures(const apl_model* model, const apl_file* file);

/* Is it the first contact with its ground? */
bool cli_first_of_ground(const apl_model* model, int contact);
