/* SPDX-License-Identifier: Apache-2.0 */
/* contact_state.h: the data that a state holds per contact. One list of members serves both number
   types: `real` in the passes, double in the layers above, which use scalar states only. */
#pragma once

#include "appell/state.h"

#include <stdbool.h>

/* Memory, which passes read but never change: `on` is an apl_contact_mode, stored as a number
   because lanes may differ; `speed` is the depth rate when the contact closed (m/s); `stick` is 1
   while a constraint row carries the friction; `z` are the LuGre bristle deflections; `push` is the
   force of constraint rows along the normal and the two tangents (N).
   The other members are results of the last pass: penetration `depth` (m) and its `rate`, sliding
   velocity `slip`, total `force`; `axis` holds the normal and the two tangents, `place` the contact
   point in the world, `drift` the velocity of that point along the body, relative to the port's
   origin. */
#define CONTACT_MEMBERS(T)                                                                         \
  T on, speed, stick;                                                                              \
  T z[2];                                                                                          \
  T push[3];                                                                                       \
  T depth, rate, slip[2], force[3], zrate[2];                                                      \
  T axis[9], place[3], drift[3];

typedef struct contact_state {
  CONTACT_MEMBERS(double)
} contact_state;

enum { CONTACT_NUMBERS = sizeof(contact_state) / sizeof(double) };

/* The discrete state of a contact, of which the passes need numbers. */
static inline apl_contact_mode apl_contact_mode_of(const contact_state* c) {
  return (apl_contact_mode)c->on;
}

static inline void apl_contact_set_mode(contact_state* c, apl_contact_mode mode) {
  c->on = mode;
}

static inline bool apl_contact_is_open(const contact_state* c) {
  return apl_contact_mode_of(c) == APL_CONTACT_OPEN;
}

static inline bool apl_contact_sticks(const contact_state* c) {
  return c->stick > 0.5;
}

static inline void apl_contact_set_sticks(contact_state* c, bool sticks) {
  c->stick = sticks ? 1.0 : 0.0;
}

/* The two solids, and which of their contact points, that a contact slot for solids holds at
   present. Solids count from 1; 0 means that the slot is empty. All lanes share these integers.
   couple/near.h sets them. */
typedef struct contact_touch {
  int solid[2], place;
} contact_touch;

/* The solids of contact i, or NULL if contact i is one of a port with a ground. */
contact_touch* apl_state_touch(apl_state* state, int i);

/* Contact i of a scalar state. */
contact_state* apl_state_contact(apl_state* state, int i);
