/* SPDX-License-Identifier: Apache-2.0 */
/* bodies.h: pictures of links without shapes. */
#pragma once

#include "show/places.h"

/* Append shapes in the words of docs/formats/page.md for each link without shapes of its own
   (shown[nlink]): bars, hubs, wheels, chassis, mounts. False without memory. */
bool apl_bodies_add(json_t** list, const apl_places* places, const apl_model* model,
                    const bool* shown);
