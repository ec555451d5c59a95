/* place.h: one file as seen from the folder of another. */
#pragma once

#include "text/reach.h"

#include <stdbool.h>

/* Does a file, folder or pipe of this name exist? It is not opened. */
bool apl_place_exists(const char* path);

/* `path` without symbolic links and dots; false when it does not exist. */
bool apl_place_real(const char* path, char out[APL_REACH_PATH]);

/* `path`, seen from where the program stands, as a name that is seen from `folder` ("": where the
   program stands): ../meshes/arm.stl. It is absolute when the two have nothing in common but the
   root. False when one of them does not exist. */
bool apl_place_seen(const char* folder, const char* path, char out[APL_REACH_PATH]);
