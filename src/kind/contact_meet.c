/* SPDX-License-Identifier: Apache-2.0 */
/* contact_meet.c: how contacts change at their events. The mode of a contact (apl_contact_mode) is
   open, closed, at rest or, in a new state, fresh: not evaluated yet.

     open -> closed    the depth becomes positive; the approach speed is stored
     open -> rest      the same, slower than the rest-speed of the ground, which is stored instead
     closed -> open    the depth returns to zero: the impact is over and is reported
     rest -> closed    the point rises faster than rest-speed but is still below the surface
     rest -> open      the same above the surface; a rigid contact: the ground would have to pull

   Contacts that close within 1e-13 s (for a robot of 1 m) or a few ulp of t are one impact, and
   those that open within this time open together: a chain that lands flat has one event, not one
   for each of its links.

   With stiction, a contact slips until its slip speed falls to the limit of its band. Then it
   sticks until the slip speed is twice that limit. While it sticks, a constraint force of at most
   ms N (the static friction times the normal force) keeps the point at its place. */
#include "kind/contact_events.h"
#include "kind/contact_mode.h"

#include <float.h>
#include <math.h>

/* --------------------------------------------------------------------------------- changes ---- */

/* Contact i closes at time t; `rate` is its approach speed. */
static void close_contact(apl_system* s, int i, double t, double rate) {
  const double rest = apl_contact_number(s, i, PAIR_REST);
  const contact_state now = *apl_system_look(s, i);
  contact_state* memory = apl_system_memory(s, i);
  contact_note* note = &s->contacts.note[i];

  /* with a rest-speed of zero, a contact whose normal velocity is exactly zero rests too */
  apl_contact_set_mode(memory,
                       rate < rest || rate == 0.0 ? APL_CONTACT_RESTING : APL_CONTACT_CLOSED);
  memory->speed = fmax(rate, rest);
  apl_contact_set_sticks(memory, false);
  memory->z[0] = memory->z[1] = 0.0;
  *note = (contact_note){.start = t,
                         .impulse = s->along.impulse[i],
                         .slip = {now.slip[0], now.slip[1]},
                         .rest = now.depth};
}

/* Report an impact to the caller of the run. */
static void tell(coupling_news* news, apl_system* s, const apl_impact* impact) {
  apl_impact hit = *impact;

  apl_system_shapes(s, hit.contact, hit.shape);
  news->impacts += 1;
  if (news->impact != NULL) news->impact(&hit, s, news->user);
}

/* Contact i opens at time t; -rate is its speed away from the ground. If it had closed faster than
   rest-speed, this ends an impact. */
static void open_contact(apl_system* s, int i, double t, double rate, coupling_news* news) {
  const contact_state now = *apl_system_look(s, i);
  contact_state* memory = apl_system_memory(s, i);
  contact_note* note = &s->contacts.note[i];
  const double speed = memory->speed;
  const bool impact = apl_contact_mode_of(memory) == APL_CONTACT_CLOSED &&
                      speed > apl_contact_number(s, i, PAIR_REST);

  apl_contact_set_mode(memory, APL_CONTACT_OPEN);
  apl_contact_set_sticks(memory, false);
  if (!impact) return;
  tell(news, s,
       &(apl_impact){.contact = i,
                     .start = note->start,
                     .end = t,
                     .speed_in = speed,
                     .speed_out = -rate,
                     .slip_in = {note->slip[0], note->slip[1]},
                     .slip_out = {now.slip[0], now.slip[1]},
                     .impulse = s->along.impulse[i] - note->impulse,
                     .peak = note->peak});
}

/* Contacts with stiction stick if their slip speed is below the limit of their band. An impact may
   have stopped the slip, too. */
static void choose_sticking(apl_system* s) {
  for (int i = 0; i < s->npair; ++i) {
    if (!apl_contact_pair(s, i)->sticks || apl_contact_mode_at(s, i) == APL_CONTACT_OPEN) continue;
    const double band = apl_contact_stick_band(s, i),
                 slip = apl_contact_slip(apl_system_look(s, i));
    const bool stays = apl_contact_stuck(s, i) ? slip < 2.0 * band : slip <= band;
    apl_contact_set_sticks(apl_system_memory(s, i), stays);
  }
}

/* A compliant contact rises faster than rest-speed: it is open above the surface, else closed. */
static void leave_rest(apl_system* s, int i, double t, coupling_news* news) {
  const double depth = apl_system_look(s, i)->depth;

  if (depth <= 0.0) {
    open_contact(s, i, t, 0.0, news);
  } else {
    apl_contact_set_mode(apl_system_memory(s, i), APL_CONTACT_CLOSED);
  }
}

/* Contacts that close within this time [s] are treated as one impact, and open as one. */
static double together(const apl_system* s, double t) {
  return fmax(1e-13 * s->scale.time, 8.0 * DBL_EPSILON * fabs(t));
}

/* ------------------------------------------------------------------------- rigid contacts ---- */

/* Does contact i touch the ground: at rest, or arriving within the time that counts as one impact?
 */
static bool on_ground(apl_system* s, int i, double t, const coupling_watch* what) {
  const contact_state* now = apl_system_look(s, i);
  const bool mine = what != NULL && what->what == EVENT_DEPTH && what->of == i;

  if (apl_contact_mode_at(s, i) == APL_CONTACT_RESTING || mine) return true;
  if (apl_contact_mode_at(s, i) == APL_CONTACT_FRESH && now->depth > apl_contact_depth_error(s))
    return true;
  return now->depth + together(s, t) * fmax(now->rate, 0.0) >= -apl_contact_depth_error(s);
}

/* Store all contacts as they are before velocities jump. */
static void see_before(apl_system* s) {
  for (int i = 0; i < s->npair; ++i)
    s->contacts.before[i] = *apl_system_look(s, i);
}

/* An impulse p does the work p . (u + u+)/2. The work of its tangential part is booked as friction,
   as in time steps and in compliant contacts. The remaining loss of energy is booked as impact. */
static void book_friction(apl_system* s) {
  static const double none[6] = {0};
  double work = 0.0;

  for (int i = 0; i < s->npair; ++i) {
    const double *p = s->contacts.meeting + 3 * i, *u = s->contacts.before[i].slip;
    const double* after = apl_system_look(s, i)->slip;
    if (apl_contact_pair(s, i)->rigid)
      work += 0.5 * (p[1] * (u[0] + after[0]) + p[2] * (u[1] + after[1]));
  }
  apl_system_book(s, APL_ACCOUNT_CONTACT_FRICTION, work, none);
}

/* Velocities jump if a contact that touches the ground (down[]) moves into it. Contacts that were
   faster than rest-speed are reported as impacts, except a contact that was at rest or is `leaving`
   (-1: none) and whose speed is round-off. False: the impulses were not found. */
static bool jump_rigid(apl_system* s, const bool* down, double t, int leaving,
                       coupling_news* news) {
  const contact_state* before = s->contacts.before;
  bool any = false;

  see_before(s);
  for (int i = 0; i < s->npair; ++i) {
    /* a contact at rest has a support force and does not move into the ground by more than
     * round-off */
    any = any ||
          (down[i] && before[i].rate > 0.0 && apl_contact_mode_at(s, i) != APL_CONTACT_RESTING);
  }
  if (!any) return true;
  news->st = apl_system_impact(s, down, 0.0, s->contacts.meeting);
  if (news->st != APL_OK) return false;
  news->jumped = true;
  book_friction(s);
  for (int i = 0; i < s->npair; ++i) {
    if (!down[i] || before[i].rate < apl_contact_number(s, i, PAIR_REST)) continue;
    const bool stood = apl_contact_mode_at(s, i) == APL_CONTACT_RESTING || i == leaving;
    if (stood && before[i].rate < apl_contact_still(s)) continue;
    const contact_state after = *apl_system_look(s, i);
    tell(news, s,
         &(apl_impact){.contact = i,
                       .start = t,
                       .end = t,
                       .speed_in = before[i].rate,
                       .speed_out = -after.rate,
                       .slip_in = {before[i].slip[0], before[i].slip[1]},
                       .slip_out = {after.slip[0], after.slip[1]},
                       .impulse = s->contacts.meeting[3 * i]});
  }
  return true;
}

/* After a jump: contacts on the ground that do not move away are at rest, all others are open. Then
   those at rest whose support would have to pull are opened, too. */
static void settle_rigid(apl_system* s, const bool* down, double t, bool leaving,
                         coupling_news* news) {
  bool any = false;

  for (int i = 0; i < s->npair; ++i) {
    if (!apl_contact_pair(s, i)->rigid) continue;
    const bool stays = down[i] && apl_system_look(s, i)->rate >= -apl_contact_standing(s, i);
    if (stays && apl_contact_mode_at(s, i) != APL_CONTACT_RESTING) close_contact(s, i, t, 0.0);
    if (!stays && apl_contact_mode_at(s, i) != APL_CONTACT_OPEN) open_contact(s, i, t, 0.0, news);
    any = any || stays;
  }
  choose_sticking(s);
  if (!any) return;
  news->st = apl_system_forward(s);
  /* at a leave event the force of that contact is at this limit: half of it decides for the others
   */
  const double edge = leaving ? 0.5 * apl_contact_small_force(s) : apl_contact_small_force(s);
  for (int i = 0; i < s->npair && news->st == APL_OK; ++i) {
    if (apl_contact_mode_at(s, i) == APL_CONTACT_RESTING && apl_contact_pair(s, i)->rigid &&
        s->contacts.pull[i] > edge)
      open_contact(s, i, t, 0.0, news);
  }
}

/* All rigid contacts together: find those on the ground, let velocities jump, set the modes. */
static void meet_rigid(apl_system* s, double t, const coupling_watch* what, coupling_news* news) {
  bool* down = s->contacts.down;
  bool any = false;

  for (int i = 0; i < s->npair; ++i) {
    down[i] = apl_contact_pair(s, i)->rigid && on_ground(s, i, t, what);
    any = any || down[i] ||
          (apl_contact_pair(s, i)->rigid && apl_contact_mode_at(s, i) == APL_CONTACT_FRESH);
  }
  if (!any) return;
  const int leaving = what != NULL && what->what == EVENT_LEAVE ? what->of : -1;
  /* the contact that leaves was at rest: its normal velocity is round-off and no impact */
  if (leaving >= 0 && apl_contact_pair(s, leaving)->rigid)
    apl_contact_set_mode(apl_system_memory(s, leaving), APL_CONTACT_OPEN);
  if (jump_rigid(s, down, t, leaving, news)) settle_rigid(s, down, t, leaving >= 0, news);
}

/* Where a contact jams, the jump makes velocities admissible for this time ahead [s]. */
static double ahead(const apl_system* s) {
  return 1e-7 * s->scale.time;
}

void apl_contact_jams(double t, apl_system* s, coupling_news* news) {
  double size = 0.0, change = 0.0;

  news->st = APL_OK;
  for (int i = 0; i < s->npair; ++i)
    s->contacts.down[i] = apl_contact_pair(s, i)->rigid && on_ground(s, i, t, NULL);
  see_before(s);
  news->st = apl_system_impact(s, s->contacts.down, ahead(s), s->contacts.meeting);
  for (int j = 0; j < s->nv; ++j) {
    size = fmax(size, fabs(apl_v(s->state)[j]));
    change = fmax(change, fabs(s->room.jump[j]));
  }
  /* velocities did not change: there is another reason that no forces were found than a jam */
  if (news->st == APL_OK && !(change > 1e-6 * size)) news->st = APL_ERR_CONTACT;
  if (news->st != APL_OK) return;
  news->jumped = true;
  book_friction(s);
  settle_rigid(s, s->contacts.down, t, false, news);
}

/* --------------------------------------------------------------------- compliant contacts ---- */

/* The new mode of compliant contact i. `what`: the event of some contact at this time, or NULL. */
static void meet_compliant(apl_system* s, int i, double t, const coupling_watch* what,
                           coupling_news* news) {
  const contact_state* now = apl_system_look(s, i);
  const double depth = now->depth, rate = now->rate;
  const bool mine = what != NULL && what->what == EVENT_DEPTH && what->of == i;
  const apl_contact_mode mode = apl_contact_mode_at(s, i);
  const double soon = depth + together(s, t) * rate; /* depth at the end of what counts as now */
  const bool in = soon >= 0.0 && rate > 0.0, out = soon <= 0.0 && rate < 0.0;
  /* in a fresh state a contact may be closed without moving; one at the surface that does not rise
     is closed, too */
  const bool slow = rate >= -apl_contact_standing(s, i);
  const bool begins = mode == APL_CONTACT_FRESH && (depth > apl_contact_depth_error(s) ||
                                                    (depth >= -apl_contact_depth_error(s) && slow));

  if (apl_contact_pair(s, i)->pressed) {
    if (mode == APL_CONTACT_FRESH) close_contact(s, i, t, 0.0);
  } else if (begins ||
             ((mode == APL_CONTACT_OPEN || mode == APL_CONTACT_FRESH) && (in || (mine && slow)))) {
    close_contact(s, i, t, rate);
  } else if (mode == APL_CONTACT_FRESH) {
    apl_contact_set_mode(apl_system_memory(s, i), APL_CONTACT_OPEN);
  } else if (mode == APL_CONTACT_CLOSED && (out || (mine && rate <= 0.0))) {
    open_contact(s, i, t, rate, news);
  } else if (mode == APL_CONTACT_RESTING && rate < -apl_contact_number(s, i, PAIR_REST)) {
    leave_rest(s, i, t, news);
  }
}

void apl_contact_happens(const apl_event* event, double t, apl_system* s, coupling_news* news) {
  const coupling_watch* what = event == NULL ? NULL : event->user;

  news->st = APL_OK;
  if (what != NULL && what->what == EVENT_LEAVE && !apl_contact_pair(s, what->of)->rigid)
    leave_rest(s, what->of, t, news);
  for (int i = 0; i < s->npair; ++i) {
    if (!apl_contact_pair(s, i)->rigid) meet_compliant(s, i, t, what, news);
  }
  choose_sticking(s);
  /* if the slip speed is exactly the limit of the band, the event decides */
  if (what != NULL && what->what == EVENT_STICK)
    apl_contact_set_sticks(apl_system_memory(s, what->of), true);
  if (what != NULL && what->what == EVENT_SLIP)
    apl_contact_set_sticks(apl_system_memory(s, what->of), false);
  meet_rigid(s, t, what, news);
}
