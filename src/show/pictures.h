/* pictures.h: ports, shapes and strips of a robot, for pages and results. */
#pragma once

#include "appell/file.h"

#include <jansson.h>

/* {ports, shapes, strips, ground}; NULL without memory, or for names that are not UTF-8. */
json_t* apl_pictures(const apl_model* model, const apl_file* file);
