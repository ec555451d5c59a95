/* SPDX-License-Identifier: Apache-2.0 */
/* trails.h: the paths of ports over all outputs, of which a page has only some as frames. */
#pragma once

#include <jansson.h>
#include <stdbool.h>

typedef struct apl_trails apl_trails;

apl_trails* apl_trails_new(int nport); /* NULL without memory */
void apl_trails_free(apl_trails* trails);

/* pose: x y z and four more of each port. False without memory. */
bool apl_trails_add(apl_trails* trails, double t, const float* pose);

/* [{port, times, points}] of docs/formats/page.md: only points that deviate from the straight line
   between their neighbours by more than a thousandth of the path's extent. */
json_t* apl_trails_json(const apl_trails* trails);
