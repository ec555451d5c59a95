/* SPDX-License-Identifier: Apache-2.0 */
/* places.h: everything that moves in a picture: ports, sections of bending bodies, points of
   tendons, carriers of wheels and the centre of mass, in this order. */
#pragma once

#include "appell/state.h"

#include "element/element.h"

#include <jansson.h>

enum { PLACE_POSE = 7 }; /* x y z qw qx qy qz */

typedef struct apl_places apl_places;

/* NULL without memory. The model must outlive it. */
apl_places* apl_places_new(const apl_model* model);
void apl_places_free(apl_places* places); /* accepts NULL */

int apl_places_count(const apl_places* places);

/* Poses of all places for the q of the state: to[count * PLACE_POSE]. */
apl_status apl_places_look(apl_places* places, apl_state* state, float* to);

/* The list `ports` of docs/formats/page.md. */
json_t* apl_places_json(const apl_places* places);

/* A wheel: its place, the satellite that tells how far it has turned, and its radius [m]. */
typedef struct apl_place_wheel {
  int place, satellite, link;
  double radius;
} apl_place_wheel;
int apl_places_nwheel(const apl_places* places);
apl_place_wheel apl_places_wheel(const apl_places* places, int i);

/* First place of the sections and of the points of tendons. */
int apl_places_section(const apl_places* places);
int apl_places_tendon(const apl_places* places);

/* Footing of the rolling joint `ground`, in the axes of the ground, and the rotation from these to
   the axes of its link's root. */
void apl_place_footing(const apl_model* model, int ground, const double* q, apl_footing* foot,
                       mat3* to_root);
