/* SPDX-License-Identifier: Apache-2.0 */
/* contact_run.c: functions of contacts for a run (coupling_run of system/kind.h): whether it can
   start, which solids are near, largest forces, and sentences. */
#include "kind/contact.h"

#include "base/error.h"
#include "kind/contact_events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

apl_status apl_contact_start(apl_system* s, apl_error* err) {
  double depth, most;
  const int i = apl_contact_too_deep(s, &depth, &most);

  if (i < 0) return APL_OK;
  int shape[2];
  apl_system_shapes(s, i, shape);
  if (shape[0] >= 0) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "shapes '%s' and '%s' overlap by %.4g m at the start, more than the start-depth "
        "%g m of '%s'",
        apl_model_name(s->model, APL_SHAPES, shape[0]),
        apl_model_name(s->model, APL_SHAPES, shape[1]), depth, most, s->model->pair[i].ground);
  }
  return apl_fail(err, APL_ERR_MODEL,
                  "contact '%s' starts %.4g m deep in the ground, deeper than its start-depth %g m",
                  apl_model_name(s->model, APL_CONTACTS, i), depth, most);
}

/* Time steps treat contacts by impulses: in the passes all contacts are open and have no force. */
void apl_contact_impulses(apl_system* s) {
  for (int i = 0; i < s->npair; ++i) {
    contact_state* c = apl_system_memory(s, i);
    apl_contact_set_mode(c, APL_CONTACT_OPEN);
    apl_contact_set_sticks(c, false);
  }
}

/* --------------------------------------------------------------------------- near solids ---- */

bool apl_contact_gathers(const apl_system* s) {
  return s->model->nslot > 0;
}

apl_status apl_contact_gather(apl_system* s, double* horizon, bool fresh, bool* changed) {
  const apl_status st = apl_system_touch(s, *horizon, 0.0, fresh, changed);

  *horizon = s->touch.horizon;
  return st;
}

bool apl_contact_renewed(const apl_event* event, const apl_system* s) {
  return s->contacts.note[((const coupling_watch*)event->user)->of].given;
}

void apl_contact_settled(apl_system* s) {
  for (int i = 0; i < s->npair; ++i)
    s->contacts.note[i].given = false;
}

/* -------------------------------------------------------------------------------- forces ---- */

int apl_contact_npeak(const apl_system* s) {
  return s->npair;
}

bool apl_contact_hits(apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->npair; ++i)
    any = any || apl_contact_mode_of(apl_system_memory(s, i)) == APL_CONTACT_CLOSED;
  return any;
}

void apl_contact_pushes(apl_system* s, double* now) {
  for (int i = 0; i < s->npair; ++i)
    now[i] = apl_system_look(s, i)->force[0];
}

void apl_contact_peaks(apl_system* s, const double* largest) {
  for (int i = 0; i < s->npair; ++i)
    s->contacts.note[i].peak = fmax(s->contacts.note[i].peak, largest[i]);
}

/* Normal and friction forces of several supports of one body may depend on each other. */
bool apl_contact_may_share(const apl_system* s) {
  return s->contacts.nsupport > 0;
}

/* ----------------------------------------------------------------------------- sentences ---- */

/* The coefficient of friction of a rigid contact that slides; 0: it does not slide. */
static double sliding_friction(const apl_system* s, int i) {
  const contact_state* c = apl_state_contact(s->state, i);
  const apl_section C = apl_contact_section(s->model, i, false);

  if (!s->model->pair[i].rigid || apl_contact_mode_of(c) != APL_CONTACT_RESTING ||
      apl_contact_sticks(c))
    return 0.0;
  return fmax(fmax(C.plus[0], C.minus[0]), fmax(C.plus[1], C.minus[1]));
}

/* Steps are short: name a contact that touches. Of several, name the one that slides with the
   largest friction, because it may jam. */
void apl_contact_shortens(const apl_system* s, apl_progress* out) {
  int found = -1;

  for (int i = 0; i < s->npair; ++i) {
    const apl_contact_mode mode = apl_contact_mode_of(apl_state_contact(s->state, i));
    if (mode != APL_CONTACT_CLOSED && mode != APL_CONTACT_RESTING) continue;
    if (found < 0 || sliding_friction(s, i) > sliding_friction(s, found)) found = i;
  }
  if (found < 0) return;
  out->contact = s->model->pair_name[found];
  out->rigid = s->model->pair[found].rigid || s->model->pair[found].sticks;
  out->slides = sliding_friction(s, found);
}

/* No contact forces were found: name the contacts, the residual, and what to change. */
bool apl_contact_explain(apl_system* s, apl_status st, double t, const double* y, char* text,
                         size_t size) {
  char names[120] = "";
  int n = 0;
  (void)t, (void)y;

  if (st != APL_ERR_CONTACT) return false;
  for (int i = 0; i < s->npair; ++i) {
    if (!apl_system_contact_acts(s, i)) continue;
    if (++n <= 3) {
      const size_t used = strlen(names);
      snprintf(names + used, sizeof names - used, "%s%.30s", n == 1 ? "" : ", ",
               s->model->pair_name[i]);
    }
  }
  snprintf(
      text, size,
      " no contact forces were found that satisfy the laws of %d contacts (%s%s), the residual "
      "is %.1e: %s",
      n, names, n > 3 ? ", ..." : "", s->solve.last.residual,
      s->stepping.impulsive ? "use a smaller step or less friction"
                            : "use less friction, a compliant law, or the integrator moreau");
  return true;
}
