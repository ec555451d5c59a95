/* SPDX-License-Identifier: Apache-2.0 */
/* contact_mode.h: modes and numbers of a contact, shared by the functions of its events
   (contact_events.c) and what changes at them (contact_meet.c). */
#pragma once

#include "law/contact_law.h"
#include "system/system_impl.h"

#include <math.h>
#include <string.h>

typedef enum contact_corner {
  EVENT_DEPTH, /* opens and closes                                                              */
  EVENT_LEAVE, /* rest ends                                                                     */
  EVENT_V0,    /* corners of the friction law                                                   */
  EVENT_V1,
  EVENT_ALONG,   /* zero of the slip along the first and ...                                      */
  EVENT_ACROSS,  /* ... second direction                                                         */
  EVENT_SURFACE, /* what rests comes out of the ground or goes in, slowly                        */
  EVENT_CLIP,    /* the law would pull, or does so no more                                       */
  EVENT_STICK,
  EVENT_SLIP
} contact_corner;

static inline const apl_pair* apl_contact_pair(apl_system* s, int i) {
  return &s->model->pair[i];
}

static inline double apl_contact_number(apl_system* s, int i, int k) {
  return s->model->par[apl_contact_pair(s, i)->par + k];
}

static inline friction_numbers apl_contact_friction(apl_system* s, int i) {
  friction_numbers F;
  memcpy(&F, s->model->par + apl_contact_pair(s, i)->par + PAIR_FRICTION, sizeof F);
  return F;
}

static inline apl_contact_mode apl_contact_mode_at(apl_system* s, int i) {
  return apl_contact_mode_of(apl_state_contact(s->state, i));
}

static inline bool apl_contact_stuck(apl_system* s, int i) {
  return apl_contact_sticks(apl_state_contact(s->state, i));
}

static inline double apl_contact_slip(const contact_state* c) {
  return hypot(c->slip[0], c->slip[1]);
}

/* Depths below this [m] are round-off: positions of a robot of size L near the origin have errors
   of some 1e-16 L, and the integrator adds more. The floor is for small robots far from the origin.
 */
static inline double apl_contact_depth_error(const apl_system* s) {
  return fmax(1e-11 * s->scale.length, 1e-13);
}

/* Slower than that [m/s], a contact does not slide, or has stood still until now. */
static inline double apl_contact_still(const apl_system* s) {
  return 1e-6 * s->scale.speed;
}

/* Rates below this [m/s] are round-off of a contact that does not move. */
static inline double apl_contact_standing(apl_system* s, int i) {
  return 1e-6 * apl_contact_number(s, i, PAIR_REST);
}

/* Forces below this [N] are round-off: a support that pulls by less counts as one that pushes. */
static inline double apl_contact_small_force(const apl_system* s) {
  const apl_vec3 g = apl_model_gravity(s->model);
  return 1e-9 * apl_model_mass(s->model) * fmax(hypot(hypot(g.x, g.y), g.z), 1.0);
}
