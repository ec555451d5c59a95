/* SPDX-License-Identifier: Apache-2.0 */
/* support.c: the rigid support analysis over time: rows at equal times, and between them the times
   at which other supports take over, located to round-off. */
#include "analyse/support_impl.h"

#include "dynamics/extra.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More changes than this between two rows mean that the body flickers between supports. */
enum { MOST_CHANGES = 64 };

/* State of the time march. */
typedef struct march {
  double t;
  support_pair pair;
  double way, lean; /* position and lean of the first support when the pair took over; it rolls or
                       slides from there */
  double slip;
} march;

apl_support_options apl_support_options_default(void) {
  return (apl_support_options){
      .to = 1.0, .every = 0.01, .coefficient = -1.0, .slope = nan(""), .sliding_speed = 1e-9};
}

static bool same(support_pair a, support_pair b) {
  return a.arc == b.arc && a.a == b.a && a.b == b.b;
}

/* ----------------------------------------------------------------------------------- memory ----
 */

static bool grow(void** list, size_t size, int n) {
  void* more = realloc(*list, size * (size_t)n);

  if (more != NULL) *list = more;
  return more != NULL;
}

static apl_status one_more_row(apl_support* s, apl_error* err) {
  const size_t numbers = sizeof(double) * (size_t)s->nv;
  if (s->nrow < s->row_room) return APL_OK;

  s->row_room = 2 * s->row_room + 64;
  if (!grow((void**)&s->row, sizeof *s->row, s->row_room) ||
      !grow((void**)&s->effort, numbers, s->row_room) ||
      !grow((void**)&s->rates, numbers, s->row_room)) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for rows");
  }
  return APL_OK;
}

static apl_status one_more_switch(apl_support* s, apl_error* err) {
  if (s->nswitch < s->switch_room) return APL_OK;

  s->switch_room = 2 * s->switch_room + 16;
  if (!grow((void**)&s->change, sizeof *s->change, s->switch_room) ||
      !grow((void**)&s->impulse, sizeof(double) * (size_t)s->nv, s->switch_room)) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for switches");
  }
  return APL_OK;
}

void apl_support_free(apl_support* s) {
  if (s == NULL) return;
  free(s->point.part);
  free(s->arc.part);
  free(s->M);
  free(s->J);
  free(s->column);
  free(s->poses);
  free(s->row);
  free(s->effort);
  free(s->rates);
  free(s->change);
  free(s->impulse);
  free(s);
}

/* ------------------------------------------------------------------------------------ march ----
 */

/* Angle of the rolling part when the body stands on the pair. */
static apl_status look_at_lean(apl_support* s, double t, support_pair p, double* lean) {
  apl_status st = apl_support_place(s, t, p, 0.0, 0.0, 0.0);

  if (st == APL_OK) st = apl_support_look(s);
  *lean = apl_support_lean(s, apl_support_part(s, p, p.a));
  return st;
}

/* Position of the first support: a round part has rolled by r times its rotation since it took
   over. */
static apl_status way_at(apl_support* s, const march* m, double t, double* way) {
  double lean;

  *way = m->way;
  if (!m->pair.arc) return APL_OK;
  const apl_status st = look_at_lean(s, t, m->pair, &lean);
  *way -= apl_support_part(s, m->pair, m->pair.a)->radius * (lean - m->lean);
  return st;
}

/* Velocity v of the first support at the end of a step: (v - before)/h equals the acceleration that
   friction at that velocity allows, which decreases with v. Solved by bisection. */
static void slide(apl_support* s, march* m, double h) {
  const double before = m->slip, mu = s->coefficient, eps = s->o.sliding_speed;
  const double apart = apl_support_motion_of(s, apl_support_part(s, m->pair, m->pair.b)).speed.x -
                       apl_support_motion_of(s, apl_support_part(s, m->pair, m->pair.a)).speed.x;
  const double most = h * (mu * s->need.z + fabs(s->need.x)) / s->mass * 1.5 + 1e-300;
  double low = before - most, high = before + most;

  for (int k = 0; k < 200 && high - low > 0.0; ++k) {
    const double v = 0.5 * (low + high), w = v + apart;
    s->pull[0] = -v / sqrt(v * v + eps * eps);
    s->pull[1] = -w / sqrt(w * w + eps * eps);
    if (v - before - h * apl_support_pull(s, m->pair, s->pull) > 0.0) {
      high = v;
    } else {
      low = v;
    }
    m->slip = v;
    if (v == low && v == high) break;
  }
}

/* Friction directions of the bounding cases. */
static void full_friction(apl_support* s) {
  static const double pull[][2] = {[APL_SUPPORT_PUSHES] = {1, 1},
                                   [APL_SUPPORT_DRAGS] = {-1, -1},
                                   [APL_SUPPORT_SPREADS] = {-1, 1},
                                   [APL_SUPPORT_SQUEEZES] = {1, -1}};
  s->pull[0] = pull[s->o.friction][0];
  s->pull[1] = pull[s->o.friction][1];
}

/* Compute the body at m->t and append a row. h: time since the last row. */
static apl_status add_row(apl_support* s, march* m, double h, apl_error* err) {
  apl_support_row row = {.t = m->t};
  double way, rate = 0.0;
  apl_status st = one_more_row(s, err);
  if (st == APL_OK) st = way_at(s, m, m->t, &way);
  if (st == APL_OK) st = apl_support_place(s, m->t, m->pair, way, 0.0, 0.0);
  if (st != APL_OK) return apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), m->t);

  if (s->o.friction == APL_SUPPORT_SLIDES) {
    if (h > 0.0) slide(s, m, h);
    m->way += h * m->slip;
    way += h * m->slip;
  } else if (s->o.friction != APL_SUPPORT_STICKS) {
    full_friction(s);
  }
  if (s->o.friction != APL_SUPPORT_STICKS) {
    rate = apl_support_pull(s, m->pair, s->pull);
    st = apl_support_place(s, m->t, m->pair, way, m->slip, rate);
    if (st != APL_OK) return apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), m->t);
  }
  double* effort = s->effort + (size_t)s->nrow * (size_t)s->nv;
  memcpy(s->rates + (size_t)s->nrow * (size_t)s->nv, apl_v(s->s), sizeof *effort * (size_t)s->nv);
  row.slip = m->slip;
  st = apl_support_share(s, m->pair, &row, effort, err);
  if (st == APL_OK) s->row[s->nrow++] = row;
  return st;
}

/* The first time after m->t, up to `to`, at which a pair other than m's carries the body. */
static apl_status locate(apl_support* s, const march* m, double to, double* at, apl_error* err) {
  double low = m->t, high = to;
  apl_status st = APL_OK;

  for (int k = 0; k < 100 && st == APL_OK; ++k) {
    const double middle = 0.5 * (low + high);
    support_pair p;
    if (!(middle > low && middle < high)) break;
    st = apl_support_choose(s, middle, &p, err);
    *(same(p, m->pair) ? &low : &high) = middle;
  }
  *at = high;
  return st;
}

static apl_status change_pair(apl_support* s, march* m, double t, support_pair now,
                              apl_error* err) {
  double way;
  apl_status st = one_more_switch(s, err);
  if (st == APL_OK) st = way_at(s, m, t, &way);
  double* impulse = s->impulse + (size_t)s->nswitch * (size_t)s->nv;

  if (st == APL_OK) {
    st = apl_support_jump(s, t, m->pair, now, &way, &m->slip, &s->change[s->nswitch], impulse);
  }
  if (s->o.friction != APL_SUPPORT_SLIDES) m->slip = 0.0;
  m->t = t;
  m->pair = now;
  m->way = way;
  m->lean = 0.0;
  if (st == APL_OK && now.arc) st = look_at_lean(s, t, now, &m->lean);
  if (st != APL_OK) return apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), t);
  ++s->nswitch;
  return APL_OK;
}

/* Advance to `to`, through all changes of supports. */
static apl_status advance(apl_support* s, march* m, double to, apl_error* err) {
  support_pair p;
  apl_status st = apl_support_choose(s, to, &p, err);

  for (int k = 0; st == APL_OK && !same(p, m->pair); ++k) {
    double at;
    support_pair now;
    if (k == MOST_CHANGES) {
      return apl_fail(err, APL_ERR_MODEL,
                      "supports change again and again at t = %.9g s, without time passing", m->t);
    }
    st = locate(s, m, to, &at, err);
    if (st == APL_OK) st = apl_support_choose(s, at, &now, err);
    if (st == APL_OK) st = change_pair(s, m, at, now, err);
  }
  m->t = to;
  return st;
}

static apl_status march_on(apl_support* s, apl_error* err) {
  const apl_support_options* o = &s->o;
  const int n = (int)ceil((o->to - o->from) / o->every - 1e-9);
  march m = {.t = o->from};
  double last = o->from; /* row */
  int asked = 0;
  apl_status st = apl_support_choose(s, m.t, &m.pair, err);

  if (st == APL_OK && m.pair.arc) st = look_at_lean(s, m.t, m.pair, &m.lean);
  if (st == APL_OK && o->time == NULL) st = add_row(s, &m, 0.0, err);
  for (int k = 1; k <= n && st == APL_OK;) {
    const double next = k == n ? o->to : o->from + k * o->every;
    const bool ask = o->time != NULL && asked < o->ntime && o->time[asked] <= next;
    const double to = ask ? o->time[asked] : next;

    st = advance(s, &m, to, err);
    if (st == APL_OK && (ask || o->time == NULL)) {
      st = add_row(s, &m, to - last, err);
      last = to;
    }
    asked += ask;
    k += !ask;
  }
  return st;
}

/* The compliant grounds of the model have no force during the rigid analysis. */
static void put_contacts(apl_support* s, apl_contact_mode mode) {
  for (int i = 0; i < apl_model_count(s->m, APL_CONTACTS); ++i)
    apl_contact_remember(s->s, i, 0, &(apl_contact){.mode = mode});
}

apl_status apl_support_new(apl_system* system, const apl_support_options* options,
                           apl_support** out, apl_error* err) {
  const apl_support_options o = options == NULL ? apl_support_options_default() : *options;

  *out = NULL;
  if (!(o.to > o.from) || !(o.every > 0.0) || !((o.to - o.from) / o.every < 1e7)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a table from %g to %g s with a row every %g s is not possible", o.from, o.to,
                    o.every);
  }
  apl_support* s = calloc(1, sizeof *s);
  if (s == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the supports");
  s->o = o;
  s->system = system;
  s->m = apl_system_model(system);
  s->s = apl_system_state(system);
  s->nv = apl_model_nv(s->m);
  const size_t nv = (size_t)s->nv, rows = nv > APL_SUPPORT_MOST ? nv : APL_SUPPORT_MOST;
  s->M = calloc(rows * nv + 1, sizeof *s->M);
  s->J = calloc(6 * nv + 1, sizeof *s->J);
  s->column = calloc(nv + 1, sizeof *s->column);
  s->poses = calloc(12 * (size_t)apl_model_count(s->m, APL_PORTS) + 1, sizeof *s->poses);
  apl_status st = s->M == NULL || s->J == NULL || s->column == NULL || s->poses == NULL
                      ? apl_fail(err, APL_ERR_MEMORY, "out of memory for the supports")
                      : apl_support_find(s, err);

  put_contacts(s, APL_CONTACT_OPEN);
  if (st == APL_OK) st = march_on(s, err);
  put_contacts(s, APL_CONTACT_FRESH);
  if (st == APL_OK) {
    *out = s;
  } else {
    apl_support_free(s);
  }
  return st;
}

/* ---------------------------------------------------------------------------------- reading ----
 */

int apl_support_nrow(const apl_support* s) {
  return s->nrow;
}
const apl_support_row* apl_support_row_at(const apl_support* s, int i) {
  return &s->row[i];
}
int apl_support_nswitch(const apl_support* s) {
  return s->nswitch;
}
const apl_support_switch* apl_support_switch_at(const apl_support* s, int i) {
  return &s->change[i];
}
const double* apl_support_effort(const apl_support* s, int i) {
  return s->effort + (size_t)i * (size_t)s->nv;
}
const double* apl_support_rates(const apl_support* s, int i) {
  return s->rates + (size_t)i * (size_t)s->nv;
}
const double* apl_support_impulse(const apl_support* s, int i) {
  return s->impulse + (size_t)i * (size_t)s->nv;
}
