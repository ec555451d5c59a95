/* trails.h: the ways of ports over all outputs, where a page has only some of them as frames. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

typedef struct apl_trails apl_trails;

apl_trails* apl_trails_new(int nport); /* NULL without memory */
void apl_trails_free(apl_trails* trails);

/* pose: x y z and four more of each port. False without memory. */
bool apl_trails_add(apl_trails* trails, double t, const float* pose);

/* [{port, times, points}] of docs/formats/page.md: points that a straight line between their
   neighbours would miss by more than a thousandth of the way's extent, and no others. */
json_t* apl_trails_json(const apl_trails* trails);
