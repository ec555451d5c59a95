/* contact_events.c: see contact_events.h. A contact is open (0), closed (1), at rest (2) or, in a
   fresh state, not yet looked at (3):

     open -> closed    its depth becomes positive; the rate of that moment is remembered
     open -> rest      ... slower than the ground's rest-speed, which is then remembered instead
     closed -> open    its depth returns to zero: an impact is over and reported
     rest -> closed    it rises faster than rest-speed while still in the ground
     rest -> open      ... above the ground; or, rigid, when the ground would have to pull

   Contacts that meet within 1e-13 s or a few ulp of t meet together.

   With stiction a closed contact slips (0) until its slip speed falls below that of its band, and
   then sticks (1) until it is twice that: held by what it takes, at most ms N. */
#include "kind/contact_events.h"

#include "law/contact_law.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
  OPEN = APL_CONTACT_OPEN,
  CLOSED = APL_CONTACT_CLOSED,
  AT_REST = APL_CONTACT_RESTING,
  UNKNOWN = APL_CONTACT_FRESH
};

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

static const apl_pair* pair_of(apl_system* s, int i) {
  return &s->model->pair[i];
}

static double number(apl_system* s, int i, int k) {
  return s->model->par[pair_of(s, i)->par + k];
}

static friction_numbers friction_of(apl_system* s, int i) {
  friction_numbers F;
  memcpy(&F, s->model->par + pair_of(s, i)->par + PAIR_FRICTION, sizeof F);
  return F;
}

static int mode_of(apl_system* s, int i) {
  return (int)apl_state_contact(s->state, i)->on;
}

static bool stuck(apl_system* s, int i) {
  return apl_state_contact(s->state, i)->stick > 0.5;
}

static double slip_speed(const contact_state* c) {
  return hypot(c->slip[0], c->slip[1]);
}

/* With plain stiction only as good as at rest. */
double apl_contact_stick_band(apl_system* s, int i) {
  return pair_of(s, i)->friction == FRICTION_KARNOPP ? friction_of(s, i).v0 : 1e-6;
}

/* -------------------------------------------------------------------------------- functions ----
 */

/* nothing can happen while g stays there */
static const double quiet = 1.0;

/* of a depth [m] */
static const double round_off = 1e-11;

/* Rates below that are round-off of one that stands still [m/s]. */
static double standing(apl_system* s, int i) {
  return 1e-6 * number(s, i, PAIR_REST);
}

/* Has nothing pushed since the contact began? At loose tolerances steps to one time differ by more
   than round-off, so that it may begin a little above the ground. */
static bool is_new(const apl_system* s, int i) {
  return s->impulse[i] - s->note[i].impulse <= 4.0 * DBL_EPSILON * fabs(s->impulse[i]);
}

static double g_depth(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of, mode = mode_of(s, i);
  (void)t;
  if (mode == AT_REST || (mode == CLOSED && pair_of(s, i)->rigid)) return quiet;
  if (apl_system_is_free(s, i)) return -quiet;
  const contact_state* now = apl_system_look(s, i);
  const double depth = now->depth, rate = now->rate;
  /* open contacts close when they come in; one that leaves rest may be a little too deep, by the
     error of the integrator, and round-off does not bring it back */
  if (mode == OPEN && depth > -round_off && rate <= standing(s, i)) return -2.0 * DBL_MIN;
  /* just gone through zero: round-off does not tell how far it has come, and what was never in and
     comes in has not left */
  if (mode != OPEN && rate >= 0.0 && depth < round_off && (depth > -round_off || is_new(s, i)))
    return 2.0 * DBL_MIN;
  return depth;
}

/* Forces below that are round-off, so that what is let go does go. */
static double small_force(const apl_system* s) {
  const apl_vec3 g = apl_model_gravity(s->model);
  return 1e-9 * apl_model_mass(s->model) * fmax(hypot(hypot(g.x, g.y), g.z), 1.0);
}

/* compliant: it rises fast; rigid: the support would pull */
static double g_leave(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  if (mode_of(s, i) != AT_REST) return quiet;
  if (!pair_of(s, i)->rigid) return apl_system_look(s, i)->rate + number(s, i, PAIR_REST);
  const apl_status st = apl_system_hold_forces(s);
  /* where no forces are found the next step jams and is told so; all else ends the run */
  if (st != APL_OK && st != APL_ERR_CONTACT) s->looked = st;
  if (st != APL_OK) return quiet;
  return apl_state_contact(s->state, i)->force[0] - s->pull[i] + small_force(s);
}

static double g_corner(double t, apl_system* s, void* user) {
  const coupling_watch* e = user;
  const friction_numbers F = friction_of(s, e->of);
  (void)t;
  if (mode_of(s, e->of) == OPEN) return quiet;
  return slip_speed(apl_system_look(s, e->of)) - (e->what == EVENT_V0 ? F.v0 : F.v1);
}

static double g_slip_zero(double t, apl_system* s, void* user) {
  const coupling_watch* e = user;
  (void)t;
  if (mode_of(s, e->of) == OPEN || stuck(s, e->of)) return quiet;
  const double* slip = apl_system_look(s, e->of)->slip;
  const int k = e->what == EVENT_ACROSS;
  /* a little beside zero: slip along the other direction, or none at all where a ball rolls, wavers
     about it by round-off and by the error of the integrator */
  return slip[k] + 1e-8 + 1e-9 * fabs(slip[1 - k]);
}

static double g_surface(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  /* a little above the ground: a depth that stays zero changes its sign by round-off */
  return mode_of(s, i) == AT_REST ? apl_system_look(s, i)->depth + round_off : quiet;
}

/* 1 + c D'/D'- of the law, or K D^n + b D': below zero it would pull */
static double g_clip(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  normal_numbers N;
  (void)t;
  if (mode_of(s, i) == OPEN) return quiet;
  memcpy(&N, s->model->par + pair_of(s, i)->par + PAIR_NORMAL, sizeof N);
  const contact_state* now = apl_system_look(s, i);
  if (N.b > 0.0) return normal_elastic(now->depth, &N) + N.b * now->rate;
  return 1.0 + N.c * now->rate / apl_state_contact(s->state, i)->speed;
}

static double g_stick(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  if (mode_of(s, i) == OPEN || stuck(s, i)) return quiet;
  return slip_speed(apl_system_look(s, i)) - apl_contact_stick_band(s, i);
}

static double g_slip(double t, apl_system* s, void* user) {
  const int i = ((const coupling_watch*)user)->of;
  (void)t;
  if (mode_of(s, i) == OPEN || !stuck(s, i)) return -quiet;
  return slip_speed(apl_system_look(s, i)) - 2.0 * apl_contact_stick_band(s, i);
}

/* ------------------------------------------------------------------------------------ list ---- */

/* The events of contact i; counts them when list is NULL. */
static int events_of(apl_system* s, int i, apl_event* list, coupling_watch* what) {
  const apl_pair* p = pair_of(s, i);
  const int corners = friction_table[p->friction].corners;
  const bool rounded = (corners & 8) != 0;
  const friction_numbers F = friction_of(s, i);
  /* what is pressed neither opens nor closes */
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
       N.b > 0.0 ? N.b * number(s, i, PAIR_REST) : 1e-3},
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

double apl_contact_side(const apl_event* e, apl_system* s, double g) {
  const coupling_watch* what = e->user;

  if (what->what != EVENT_DEPTH) return g == 0.0 ? DBL_MIN : g;
  return mode_of(s, what->of) == OPEN ? fmin(g, -2.0 * DBL_MIN) : fmax(g, 2.0 * DBL_MIN);
}

/* --------------------------------------------------------------------------------- changes ---- */

/* A contact begins with this rate. */
static void close_contact(apl_system* s, int i, double t, double rate) {
  const double rest = number(s, i, PAIR_REST);
  const contact_state now = *apl_system_look(s, i);
  contact_state* memory = apl_system_memory(s, i);
  contact_note* note = &s->note[i];

  /* a rest-speed of zero: what stands still rests all the same */
  memory->on = rate < rest || rate == 0.0 ? AT_REST : CLOSED;
  memory->speed = fmax(rate, rest);
  memory->stick = 0.0;
  memory->z[0] = memory->z[1] = 0.0;
  *note = (contact_note){
      .start = t, .impulse = s->impulse[i], .slip = {now.slip[0], now.slip[1]}, .rest = now.depth};
}

static void tell(coupling_news* news, apl_system* s, const apl_impact* impact) {
  apl_impact hit = *impact;

  apl_system_shapes(s, hit.contact, hit.shape);
  news->impacts += 1;
  if (news->impact != NULL) news->impact(&hit, s, news->user);
}

static void open_contact(apl_system* s, int i, double t, double rate, coupling_news* news) {
  const contact_state now = *apl_system_look(s, i);
  contact_state* memory = apl_system_memory(s, i);
  contact_note* note = &s->note[i];
  const double speed = memory->speed;
  const bool impact = memory->on == CLOSED && speed > number(s, i, PAIR_REST);

  memory->on = OPEN;
  memory->stick = 0.0;
  if (!impact) return;
  tell(news, s,
       &(apl_impact){.contact = i,
                     .start = note->start,
                     .end = t,
                     .speed_in = speed,
                     .speed_out = -rate,
                     .slip_in = {note->slip[0], note->slip[1]},
                     .slip_out = {now.slip[0], now.slip[1]},
                     .impulse = s->impulse[i] - note->impulse,
                     .peak = note->peak});
}

/* Which contacts stick now: all that are slow enough, whatever took their slip from them. */
static void choose_sticking(apl_system* s) {
  for (int i = 0; i < s->npair; ++i) {
    if (!pair_of(s, i)->sticks || mode_of(s, i) == OPEN) continue;
    const double band = apl_contact_stick_band(s, i), slip = slip_speed(apl_system_look(s, i));
    const bool stays = stuck(s, i) ? slip < 2.0 * band : slip <= band;
    apl_system_memory(s, i)->stick = stays ? 1.0 : 0.0;
  }
}

static void leave_rest(apl_system* s, int i, double t, coupling_news* news) {
  const double depth = apl_system_look(s, i)->depth;

  if (depth <= 0.0) {
    open_contact(s, i, t, 0.0, news);
  } else {
    apl_system_memory(s, i)->on = CLOSED;
  }
}

/* Times closer than that are one time. */
static double together(double t) {
  return fmax(1e-13, 8.0 * DBL_EPSILON * fabs(t));
}

/* ------------------------------------------------------------------------- rigid contacts ---- */

/* Is it on the ground: at rest there, or arriving within the time that counts as now? */
static bool on_ground(apl_system* s, int i, double t, const coupling_watch* what) {
  const contact_state* now = apl_system_look(s, i);
  const bool mine = what != NULL && what->what == EVENT_DEPTH && what->of == i;

  if (mode_of(s, i) == AT_REST || mine) return true;
  if (mode_of(s, i) == UNKNOWN && now->depth > round_off) return true;
  return now->depth + together(t) * fmax(now->rate, 0.0) >= -round_off;
}

static void see_before(apl_system* s) {
  for (int i = 0; i < s->npair; ++i)
    s->before[i] = *apl_system_look(s, i);
}

/* An impulse p does the work p . (u + u+)/2. Friction's part of a jump is friction, as it is in
   time steps and in contacts that yield; what is left goes to impacts. */
static void book_friction(apl_system* s) {
  static const double none[6] = {0};
  double work = 0.0;

  for (int i = 0; i < s->npair; ++i) {
    const double *p = s->meeting + 3 * i, *u = s->before[i].slip;
    const double* after = apl_system_look(s, i)->slip;
    if (pair_of(s, i)->rigid) work += 0.5 * (p[1] * (u[0] + after[0]) + p[2] * (u[1] + after[1]));
  }
  apl_system_book(s, APL_ACCOUNT_CONTACT_FRICTION, work, none);
}

/* Slower than that [m/s], a contact that stood still until now has a rate of round-off. */
static const double stood_still = 1e-6;

/* Velocities jump where contacts on the ground move into it. Tells of those that were fast, but not
   of round-off of one that rested or that leaves (-1: none does). */
static bool jump_rigid(apl_system* s, const bool* down, double t, int leaving,
                       coupling_news* news) {
  const contact_state* before = s->before;
  bool any = false;

  see_before(s);
  for (int i = 0; i < s->npair; ++i) {
    /* what rests is held there by its support; only what arrives or leaves makes velocities jump */
    any = any || (down[i] && before[i].rate > 0.0 && mode_of(s, i) != AT_REST);
  }
  if (!any) return true;
  news->st = apl_system_impact(s, down, 0.0, s->meeting);
  if (news->st != APL_OK) return false;
  news->jumped = true;
  book_friction(s);
  for (int i = 0; i < s->npair; ++i) {
    if (!down[i] || before[i].rate < number(s, i, PAIR_REST)) continue;
    const bool stood = mode_of(s, i) == AT_REST || i == leaving;
    if (stood && before[i].rate < stood_still) continue;
    const contact_state after = *apl_system_look(s, i);
    tell(news, s,
         &(apl_impact){.contact = i,
                       .start = t,
                       .end = t,
                       .speed_in = before[i].rate,
                       .speed_out = -after.rate,
                       .slip_in = {before[i].slip[0], before[i].slip[1]},
                       .slip_out = {after.slip[0], after.slip[1]},
                       .impulse = s->meeting[3 * i]});
  }
  return true;
}

/* Contacts that no longer move away rest, the others are open; those whose support would have to
   pull leave at once. */
static void settle_rigid(apl_system* s, const bool* down, double t, bool leaving,
                         coupling_news* news) {
  bool any = false;

  for (int i = 0; i < s->npair; ++i) {
    if (!pair_of(s, i)->rigid) continue;
    const bool stays = down[i] && apl_system_look(s, i)->rate >= -standing(s, i);
    if (stays && mode_of(s, i) != AT_REST) close_contact(s, i, t, 0.0);
    if (!stays && mode_of(s, i) != OPEN) open_contact(s, i, t, 0.0, news);
    any = any || stays;
  }
  choose_sticking(s);
  if (!any) return;
  news->st = apl_system_forward(s);
  /* one whose event it is stands on the edge, and so do those that leave with it */
  const double edge = leaving ? 0.5 * small_force(s) : small_force(s);
  for (int i = 0; i < s->npair && news->st == APL_OK; ++i) {
    if (mode_of(s, i) == AT_REST && pair_of(s, i)->rigid && s->pull[i] > edge)
      open_contact(s, i, t, 0.0, news);
  }
}

/* All rigid contacts at once: who is on the ground, what jumps, who stays. */
static void meet_rigid(apl_system* s, double t, const coupling_watch* what, coupling_news* news) {
  bool* down = s->down;
  bool any = false;

  for (int i = 0; i < s->npair; ++i) {
    down[i] = pair_of(s, i)->rigid && on_ground(s, i, t, what);
    any = any || down[i] || (pair_of(s, i)->rigid && mode_of(s, i) == UNKNOWN);
  }
  if (!any) return;
  const int leaving = what != NULL && what->what == EVENT_LEAVE ? what->of : -1;
  /* one that leaves shall not sink first: its rate is round-off of one that stood still */
  if (leaving >= 0 && pair_of(s, leaving)->rigid) apl_system_memory(s, leaving)->on = OPEN;
  if (jump_rigid(s, down, t, leaving, news)) settle_rigid(s, down, t, leaving >= 0, news);
}

/* How far ahead [s] accelerations are looked at where a contact jams. */
static const double ahead = 1e-7;

void apl_contact_jams(double t, apl_system* s, coupling_news* news) {
  double size = 0.0, change = 0.0;

  news->st = APL_OK;
  for (int i = 0; i < s->npair; ++i)
    s->down[i] = pair_of(s, i)->rigid && on_ground(s, i, t, NULL);
  see_before(s);
  news->st = apl_system_impact(s, s->down, ahead, s->meeting);
  for (int j = 0; j < s->nv; ++j) {
    size = fmax(size, fabs(apl_v(s->state)[j]));
    change = fmax(change, fabs(s->jump[j]));
  }
  /* nothing has jumped: then it is not this that no forces were found for */
  if (news->st == APL_OK && !(change > 1e-6 * size)) news->st = APL_ERR_CONTACT;
  if (news->st != APL_OK) return;
  news->jumped = true;
  book_friction(s);
  settle_rigid(s, s->down, t, false, news);
}

/* --------------------------------------------------------------------- compliant contacts ---- */

static void meet_compliant(apl_system* s, int i, double t, const coupling_watch* what,
                           coupling_news* news) {
  const contact_state* now = apl_system_look(s, i);
  const double depth = now->depth, rate = now->rate;
  const bool mine = what != NULL && what->what == EVENT_DEPTH && what->of == i;
  const int mode = mode_of(s, i);
  const bool in = depth + together(t) * rate >= 0.0 && rate > 0.0;
  /* a fresh state may touch or lie in the ground without moving; what grazes it rests */
  const bool slow = rate >= -standing(s, i);
  const bool begins = mode == UNKNOWN && (depth > round_off || (depth >= -round_off && slow));

  if (pair_of(s, i)->pressed) {
    if (mode == UNKNOWN) close_contact(s, i, t, 0.0);
  } else if (begins || ((mode == OPEN || mode == UNKNOWN) && (in || (mine && slow)))) {
    close_contact(s, i, t, rate);
  } else if (mode == UNKNOWN) {
    apl_system_memory(s, i)->on = OPEN;
  } else if (mode == CLOSED && ((mine && rate <= 0.0) || (depth <= 0.0 && rate < 0.0))) {
    open_contact(s, i, t, rate, news);
  } else if (mode == AT_REST && rate < -number(s, i, PAIR_REST)) {
    leave_rest(s, i, t, news);
  }
}

void apl_contact_happens(const apl_event* event, double t, apl_system* s, coupling_news* news) {
  const coupling_watch* what = event == NULL ? NULL : event->user;

  news->st = APL_OK;
  if (what != NULL && what->what == EVENT_LEAVE && !pair_of(s, what->of)->rigid)
    leave_rest(s, what->of, t, news);
  for (int i = 0; i < s->npair; ++i) {
    if (!pair_of(s, i)->rigid) meet_compliant(s, i, t, what, news);
  }
  choose_sticking(s);
  /* where the slip stands exactly on the edge of a band, the event decides */
  if (what != NULL && what->what == EVENT_STICK) apl_system_memory(s, what->of)->stick = 1.0;
  if (what != NULL && what->what == EVENT_SLIP) apl_system_memory(s, what->of)->stick = 0.0;
  meet_rigid(s, t, what, news);
}

double apl_contact_first_step(apl_system* s, double t, double tolerance) {
  double h = HUGE_VAL;

  for (int i = 0; i < s->npair; ++i) {
    const double v = apl_system_memory(s, i)->speed;
    if (mode_of(s, i) == OPEN || pair_of(s, i)->rigid || pair_of(s, i)->pressed) continue;
    if (s->note[i].start != t) continue;
    /* K (v h)^n h / M = 10 tolerance v */
    normal_numbers N;
    memcpy(&N, s->model->par + pair_of(s, i)->par + PAIR_NORMAL, sizeof N);
    const double change = 10.0 * tolerance * v * apl_model_mass(s->model);
    h = fmin(h, pow(change / (N.K * pow(v, N.n)), 1.0 / (N.n + 1.0)));
  }
  return h;
}

int apl_contact_too_deep(apl_system* s, double* depth, double* most) {
  for (int i = 0; i < s->npair; ++i) {
    *depth = apl_system_look(s, i)->depth;
    *most = number(s, i, PAIR_DEPTH);
    if (mode_of(s, i) == UNKNOWN && !pair_of(s, i)->pressed && *depth > *most) return i;
  }
  return -1;
}
