/* part.h: a file that appears under its name only when it is complete. */
#pragma once

#include <stdbool.h>

#include "base/error.h"

typedef struct apl_part {
  char* path; /* the name it will have, symbolic links followed                                 */
  char* part; /* the name it has while written; NULL for a device, which is written directly    */
  int fd;     /* open for reading and writing                                                   */
} apl_part;

/* Start a new file. Devices are refused unless `devices`. */
apl_status apl_part_open(apl_part* p, const char* path, bool devices, apl_error* err);

/* Put the complete file in place; p->fd is closed in any case. */
apl_status apl_part_keep(apl_part* p, apl_error* err);

/* Close without replacing anything; `erase` removes the part. */
void apl_part_drop(apl_part* p, bool erase);
