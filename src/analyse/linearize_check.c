/* SPDX-License-Identifier: Apache-2.0 */
/* linearize_check.c: the contacts of a linear system, and cases without one. */
#include "analyse/linearize.h"

#include "appell/dynamics.h"

#include "base/error.h"
#include "couple/near.h"
#include "kind/contact_events.h"

#include <math.h>
#include <stdio.h>

/* Round-off of a depth [m], as in runs. */
static const double round_off = 1e-11;

/* True if the contact is held by a constraint force. One that no run has examined is judged by its
   depth. */
static bool holds(apl_system* s, int i) {
  const apl_pair* pair = &s->model->pair[i];
  const contact_state* c = apl_state_contact(s->state, i);
  const bool fresh = apl_contact_mode_of(c) == APL_CONTACT_FRESH;
  const bool on = fresh ? c->depth > -round_off : !apl_contact_is_open(c);
  const bool slow = hypot(c->slip[0], c->slip[1]) <= apl_contact_stick_band(s, i);

  if (pair->rigid) return on;
  return apl_contact_sticks(c) || (fresh && (on || pair->pressed) && pair->sticks && slow);
}

/* Give touching solids that no run has examined temporary contacts. */
static apl_status lend_contacts(const apl_system* s, bool* lent, apl_error* err) {
  const apl_model* m = s->model;
  apl_near near;
  if (m->nslot == 0) return APL_OK;
  if (apl_near_new(m, &near) != APL_OK) return apl_fail(err, APL_ERR_MEMORY, "out of memory");

  const int crowded = apl_near_join(&near, m, s->state, -round_off, lent);
  apl_near_free(&near);
  if (crowded < 0) return APL_OK;
  return apl_fail(
      err, APL_ERR_MODEL,
      "collide '%.60s': more than %d contact points touch at once: fewer shapes must overlap",
      m->group[crowded].name, m->group[crowded].nslot);
}

/* "floor.arm.tip", "touch.1 (arm.ball, table)" */
static const char* name_contact(const apl_system* s, int i, char* text, size_t size) {
  const apl_model* m = s->model;
  const contact_touch* t = apl_state_touch(s->state, i);

  snprintf(text, size, "%.80s", apl_model_name(m, APL_CONTACTS, i));
  if (t == NULL || t->solid[0] == 0) return text;
  snprintf(text, size, "%.80s (%.60s, %.60s)", apl_model_name(m, APL_CONTACTS, i),
           m->solid_name[t->solid[0] - 1], m->solid_name[t->solid[1] - 1]);
  return text;
}

apl_status apl_linear_check(apl_system* s, bool* lent, apl_error* err) {
  const apl_model* m = s->model;

  if (s->holds.n > 0) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "the velocity '%s' is held at zero, so that A is not defined",
                    apl_model_name(m, APL_VELOCITIES, s->holds.velocity[0]));
  }
  apl_status st = lend_contacts(s, lent, err);
  if (st != APL_OK) return st;
  if (m->npair > 0) st = apl_contacts(m, s->state);
  if (st != APL_OK)
    return apl_fail(err, st, "the robot cannot be linearized: %s", apl_status_text(st));
  for (int i = 0; i < m->npair; ++i) {
    char name[240];
    if (!holds(s, i)) continue;
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "contact '%s' rests or sticks: motions to one side differ from those to the "
                    "other, and A is not defined; give it a compliant law",
                    name_contact(s, i, name, sizeof name));
  }
  return APL_OK;
}
