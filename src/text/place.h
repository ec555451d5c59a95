/* SPDX-License-Identifier: Apache-2.0 */
/* place.h: names of files: addresses, and paths relative to the folder of another file. */
#pragma once

#include "text/reach.h"

#include <stdbool.h>

/* Does a file, folder or pipe of this name exist? It is not opened. */
bool apl_place_exists(const char* path);

/* The path in an address such as file:///home/me/arm.stl or file:/home/me/arm.stl; any other name
   as it is. */
const char* apl_place_local(const char* name);

/* Does the name mean the same from every folder: a path from the root, or an address? */
bool apl_place_absolute(const char* name);

/* `path` without symbolic links and dots; false when it does not exist. */
bool apl_place_real(const char* path, char out[APL_REACH_PATH]);

/* `path`, relative to the current folder, as a name relative to `folder` ("": the current folder):
   ../meshes/arm.stl. It is absolute if the two have only the root in common. False if one of them
   does not exist. */
bool apl_place_seen(const char* folder, const char* path, char out[APL_REACH_PATH]);
