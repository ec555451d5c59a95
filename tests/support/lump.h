/* SPDX-License-Identifier: Apache-2.0 */
/* lump.h: several rigid parts as one body: mass, first and second moments about a common origin. */
#pragma once

#include "plan.h"

typedef struct lump {
  double mass, first[3], second[6]; /* inertia about the origin: xx yy zz xy xz yz                */
} lump;

/* A part with its centre of mass at c and the inertia I about it. */
void lump_add(lump* l, double mass, const double c[3], const double I[6]);

/* Mass, centre of mass and inertia of the whole, as the body of a link. */
void lump_put(const lump* l, plan_link* link);
