/* contact_state.h: what a state holds of each contact. One list of members serves the numbers of
   every build: `real` in the passes, double in the layers above, which only use scalar states. */
#pragma once

#include "appell/state.h"

/* Memory: a pass reads it and never changes it. `on` is an apl_contact_mode as a number, because
   lanes may differ; `speed` is the rate of the depth when the contact closed; `stick` is 1 where
   friction is left to its support. z are LuGre's bristles. `push` is what supports give along the
   normal and the two directions. The rest is what the last pass found: `axis` are the normal and
   the two directions, `place` is where it touches, in the world, `drift` the rate at which that
   place moves against the port's origin, the motion of the place along the body included. */
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

/* Which two solids, and which of their places, a free place for solids has just now. Solids are
   counted from 1; 0: none. Lanes have them together. couple/near.h finds them. */
typedef struct contact_touch {
  int solid[2], place;
} contact_touch;

/* That of contact i, NULL for a contact of a port with a ground. */
contact_touch* apl_state_touch(apl_state* state, int i);

/* Contact i of a scalar state. */
contact_state* apl_state_contact(apl_state* state, int i);
