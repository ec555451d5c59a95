/* SPDX-License-Identifier: Apache-2.0 */
/* reach.h: which files a model file may read.

   Model files may come from untrusted sources. A file that one names is opened only below its own
   folder, below the folder with its package.xml, in the folders of meshes and images beside its
   own (meshes/ beside urdf/), or below a folder that the user allows; and only if it is an ordinary
   file of limited size. Symbolic links are resolved. */
#pragma once

#include "base/error.h"

enum { APL_REACH_PATH = 4096, APL_REACH_BYTES = 1 << 28 };

typedef struct text_reach {
  const char* folder; /* of the model file, ends with '/'; "": the current folder */
  const char* allow;  /* further folders with ':' between them, as in PATH; NULL: none            */
} text_reach;

/* The path of a file that the model file names, relative to its folder; refused before it is opened
   if it is out of reach, not an ordinary file or larger than APL_REACH_BYTES. */
apl_status apl_reach_file(const text_reach* reach, const char* name, char path[APL_REACH_PATH],
                          apl_error* err);

/* The same rules for a path that is already complete: that of an image, which a mesh names. */
apl_status apl_reach_path(const text_reach* reach, const char* path, apl_error* err);
