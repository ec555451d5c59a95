/* SPDX-License-Identifier: Apache-2.0 */
/* pictures.h: ports, shapes and strips of a robot, for pages and results. */
#pragma once

#include "appell/file.h"

#include <jansson.h>

/* {ports, shapes, strips, ground, ..}; NULL without memory, or for names that are not UTF-8. Meshes
   and images that cannot be drawn are warnings of the report, which may be NULL. */
json_t* apl_pictures(const apl_model* model, const apl_file* file, apl_report* report);
