/* SPDX-License-Identifier: Apache-2.0 */
/* part.h: a file that appears under its name only when it is complete. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

typedef struct apl_part {
  char* path;   /* the name it will have, symbolic links followed                                 */
  char* part;   /* the name it has while written; NULL for a device, which is written directly    */
  char* folder; /* of both; memory for all that follows is taken at the start                   */
  int fd;       /* open for reading and writing                                                 */
} apl_part;

/* The file that a name stands for, malloc'ed: symbolic links followed, also one that leads to a
   file that is not there yet. NULL with errno. */
char* apl_part_resolve(const char* path);

/* Whether a file can be begun there: an ordinary one that may be written, or none yet in a folder
   that may be. Touches nothing. */
apl_status apl_part_check(const char* path, apl_error* err);

/* Start a new file. Devices and pipes are refused unless `streams`, then they are written directly.
   A file that exists keeps its permissions. */
apl_status apl_part_open(apl_part* p, const char* path, bool streams, apl_error* err);

/* Keep an older file and use another name, apl_output_beside(): for incomplete files. False without
   memory. */
bool apl_part_step_aside(apl_part* p, const char* word);

/* Put the complete file in place, on the disk with its folder; p->fd is closed in any case. If this
   fails before the file has its name, the part is still there: p->part is not NULL, and
   apl_part_drop() removes or leaves it. Else p is empty. */
apl_status apl_part_keep(apl_part* p, apl_error* err);

/* Close without replacing anything; `erase` removes the part. */
void apl_part_drop(apl_part* p, bool erase);
