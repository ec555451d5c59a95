/* SPDX-License-Identifier: Apache-2.0 */
/* contact_events.c: see contact_events.h: the functions whose zeros are events of contacts, their
   list, and the sides on which they stand. What changes at them: contact_meet.c. */
#include "kind/contact_events.h"

#include "kind/contact_mode.h"

#include <float.h>
#include <math.h>

/* Plain stiction has a band at the level of round-off only. */
double apl_contact_stick_band(apl_system* s, int i) {
  return apl_contact_pair(s, i)->friction == FRICTION_KARNOPP ? apl_contact_friction(s, i).v0
                                                              : apl_contact_still(s);
}

/* -------------------------------------------------------------------------------- functions ----
 */

/* value of g while no event is possible */
static const double quiet = 1.0;

/* Has nothing pushed since the contact began? At loose tolerances steps to one time differ by more
   than round-off, so that it may begin a little above the ground. */
static bool is_new(const apl_system* s, int i) {
  return s->along.impulse[i] - s->contacts.note[i].impulse <=
         4.0 * DBL_EPSILON * fabs(s->along.impulse[i]);
}

static double g_depth(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  const apl_contact_mode mode = apl_contact_mode_at(s, i);
  (void)t;
  if (mode == APL_CONTACT_RESTING || (mode == APL_CONTACT_CLOSED && apl_contact_pair(s, i)->rigid))
    return quiet;
  if (apl_system_is_free(s, i)) return -quiet;
  const contact_state* now = apl_system_look(s, i);
  const double depth = now->depth, rate = now->rate;
  /* open contacts close when they come in; one that leaves rest may be a little too deep, by the
     error of the integrator, and round-off does not bring it back */
  if (mode == APL_CONTACT_OPEN && depth > -apl_contact_depth_error(s) &&
      rate <= apl_contact_standing(s, i))
    return -APL_SIDE_ONLY;
  /* just gone through zero: round-off does not tell how far it has come, and what was never in and
     comes in has not left */
  if (mode != APL_CONTACT_OPEN && rate >= 0.0 && depth < apl_contact_depth_error(s) &&
      (depth > -apl_contact_depth_error(s) || is_new(s, i)))
    return APL_SIDE_ONLY;
  return depth;
}

/* compliant: it rises fast; rigid: the support would pull */
static double g_leave(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  if (apl_contact_mode_at(s, i) != APL_CONTACT_RESTING) return quiet;
  if (!apl_contact_pair(s, i)->rigid)
    return apl_system_look(s, i)->rate + apl_contact_number(s, i, PAIR_REST);
  const apl_status st = apl_system_hold_forces(s);
  /* if no forces are found, the next step reports a jam; other errors end the run */
  if (st != APL_OK && st != APL_ERR_CONTACT) s->look.failed = st;
  if (st != APL_OK) return quiet;
  return apl_state_contact(s->state, i)->force[0] - s->contacts.pull[i] +
         apl_contact_small_force(s);
}

static double g_corner(double t, apl_system* s, void* user) {
  const coupling_watch* e = user;
  const friction_numbers F = apl_contact_friction(s, e->of);
  (void)t;
  if (apl_contact_mode_at(s, e->of) == APL_CONTACT_OPEN) return quiet;
  return apl_contact_slip(apl_system_look(s, e->of)) - (e->what == EVENT_V0 ? F.v0 : F.v1);
}

static double g_slip_zero(double t, apl_system* s, void* user) {
  const coupling_watch* e = user;
  (void)t;
  if (apl_contact_mode_at(s, e->of) == APL_CONTACT_OPEN || apl_contact_stuck(s, e->of))
    return quiet;
  const double* slip = apl_system_look(s, e->of)->slip;
  const int k = e->what == EVENT_ACROSS;
  /* slightly beside zero: the sliding velocity along the other tangent, or none for a rolling ball,
     fluctuates about zero by round-off and by the error of the integrator */
  return slip[k] + 1e-8 * s->scale.speed + 1e-9 * fabs(slip[1 - k]);
}

static double g_surface(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  /* a little above the ground: a depth that stays zero changes its sign by round-off */
  return apl_contact_mode_at(s, i) == APL_CONTACT_RESTING
             ? apl_system_look(s, i)->depth + apl_contact_depth_error(s)
             : quiet;
}

/* 1 + c D'/D'- of the law, or K D^n + b D': negative values mean pulling */
static double g_clip(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  normal_numbers N;
  (void)t;
  if (apl_contact_mode_at(s, i) == APL_CONTACT_OPEN) return quiet;
  memcpy(&N, s->model->par + apl_contact_pair(s, i)->par + PAIR_NORMAL, sizeof N);
  const contact_state* now = apl_system_look(s, i);
  if (N.b > 0.0) return normal_elastic(now->depth, &N) + N.b * now->rate;
  return 1.0 + N.c * now->rate / apl_state_contact(s->state, i)->speed;
}

static double g_stick(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  if (apl_contact_mode_at(s, i) == APL_CONTACT_OPEN || apl_contact_stuck(s, i)) return quiet;
  return apl_contact_slip(apl_system_look(s, i)) - apl_contact_stick_band(s, i);
}

static double g_slip(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  if (apl_contact_mode_at(s, i) == APL_CONTACT_OPEN || !apl_contact_stuck(s, i)) return -quiet;
  return apl_contact_slip(apl_system_look(s, i)) - 2.0 * apl_contact_stick_band(s, i);
}

/* ------------------------------------------------------------------------------------ list ---- */

/* The events of contact i; counts them when list is NULL. */
static int events_of(apl_system* s, int i, apl_event* list, coupling_watch* what) {
  const apl_pair* p = apl_contact_pair(s, i);
  const int corners = friction_table[p->friction].corners;
  const bool rounded = (corners & 8) != 0;
  const friction_numbers F = apl_contact_friction(s, i);
  /* a contact with a prescribed normal force neither opens nor closes */
  const bool comes = !p->pressed, soft = comes && !p->rigid;
  normal_numbers N;
  memcpy(&N, s->model->par + p->par + PAIR_NORMAL, sizeof N);
  const struct {
    bool wanted;
    contact_corner kind;
    double (*g)(double, apl_system*, void*);
    int direction;
    bool twice;
    double reach; /* never as far as to where the slip turns round                               */
  } all[] = {
      {comes, EVENT_DEPTH, g_depth, 0, true, 0.0},
      {comes, EVENT_LEAVE, g_leave, -1, false, 0.0},
      {(corners & (1 | 8)) != 0 && F.m > 0.0, EVENT_V0, g_corner, 0, !rounded, 0.7 * F.v0},
      {(corners & 2) != 0, EVENT_V1, g_corner, 0, true, 0.7 * (F.v1 - F.v0)},
      {(corners & 4) != 0 || F.back != 1.0, EVENT_ALONG, g_slip_zero, 0, false, 0.0},
      {(corners & 4) != 0 || F.left != F.right, EVENT_ACROSS, g_slip_zero, 0, false, 0.0},
      {soft, EVENT_SURFACE, g_surface, 0, true, 0.0},
      {soft && !p->pulls && (N.c > 0.0 || N.b > 0.0), EVENT_CLIP, g_clip, 0, false,
       N.b > 0.0 ? N.b * apl_contact_number(s, i, PAIR_REST) : 1e-3},
      {p->sticks != 0, EVENT_STICK, g_stick, -1, true, 0.7 * apl_contact_stick_band(s, i)},
      {p->sticks != 0, EVENT_SLIP, g_slip, 1, false, 0.0},
  };
  int n = 0;

  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) {
    if (!all[k].wanted) continue;
    if (list != NULL) {
      what[n] = (coupling_watch){.of = i, .what = (int)all[k].kind};
      list[n] = (apl_event){.name = s->model->pair_name[i],
                            .g = all[k].g,
                            .direction = all[k].direction,
                            .twice = all[k].twice,
                            .reach = all[k].reach,
                            .rounded = all[k].kind == EVENT_V0 && rounded,
                            .user = &what[n]};
    }
    ++n;
  }
  return n;
}

int apl_contact_events(apl_system* s, apl_event* list, coupling_watch* watch) {
  int n = 0;

  for (int i = 0; i < s->npair; ++i)
    n += events_of(s, i, list == NULL ? NULL : list + n, watch == NULL ? NULL : watch + n);
  return n;
}

bool apl_contact_decides(const apl_event* e) {
  return ((const coupling_watch*)e->user)->what == EVENT_DEPTH;
}

event_place apl_contact_side(const apl_event* e, apl_system* s, double g) {
  const coupling_watch* what = e->user;

  if (what->what != EVENT_DEPTH)
    return g == 0.0 ? apl_place_at(SIDE_ABOVE, SIDE_BY_EVENT) : apl_place_of(g);
  const event_side side =
      apl_contact_mode_at(s, what->of) == APL_CONTACT_OPEN ? SIDE_BELOW : SIDE_ABOVE;
  return apl_side_of(g) == side ? apl_place_of(g) : apl_place_at(side, SIDE_BY_MEMORY);
}

double apl_contact_first_step(apl_system* s, double t, double tolerance) {
  double h = HUGE_VAL;

  for (int i = 0; i < s->npair; ++i) {
    const double v = apl_system_memory(s, i)->speed;
    if (apl_contact_mode_at(s, i) == APL_CONTACT_OPEN || apl_contact_pair(s, i)->rigid ||
        apl_contact_pair(s, i)->pressed)
      continue;
    if (s->contacts.note[i].start != t) continue;
    /* K (v h)^n h / M = 10 tolerance v */
    normal_numbers N;
    memcpy(&N, s->model->par + apl_contact_pair(s, i)->par + PAIR_NORMAL, sizeof N);
    const double change = 10.0 * tolerance * v * apl_model_mass(s->model);
    h = fmin(h, pow(change / (N.K * pow(v, N.n)), 1.0 / (N.n + 1.0)));
  }
  return h;
}

int apl_contact_too_deep(apl_system* s, double* depth, double* most) {
  for (int i = 0; i < s->npair; ++i) {
    *depth = apl_system_look(s, i)->depth;
    *most = apl_contact_number(s, i, PAIR_DEPTH);
    if (apl_contact_mode_at(s, i) == APL_CONTACT_FRESH && !apl_contact_pair(s, i)->pressed &&
        *depth > *most)
      return i;
  }
  return -1;
}
