/* reach.h: which files a model file may read.

   Model files travel: by mail, in archives, from strangers. What one names is opened only below its
   own folder, below the folder that holds its package.xml, in the folders of pictures beside its
   own (meshes/ beside urdf/), or below a folder that the user allows; and only if it is an ordinary
   file of a size that is stated here. Symbolic links count as where they lead to. */
#pragma once

#include "base/error.h"

enum { APL_REACH_PATH = 4096, APL_REACH_BYTES = 1 << 28 };

typedef struct text_reach {
  const char* folder; /* of the model file, '/' at its end; "": where the program stands          */
  const char* allow;  /* further folders with ':' between them, as in PATH; NULL: none            */
} text_reach;

/* The path of a file that the model file names, seen from its folder; refused before it is opened
   when it is out of reach, not an ordinary file or larger than APL_REACH_BYTES. */
apl_status apl_reach_file(const text_reach* reach, const char* name, char path[APL_REACH_PATH],
                          apl_error* err);
