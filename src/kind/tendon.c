/* SPDX-License-Identifier: Apache-2.0 */
/* tendon.c: elastic tendons. A tendon can only pull, as a function of its elongation p:

     F = k p + d p',  F > 0

   Passes apply it as a force. In time steps it is a row with the values at the end of the step:

     P >= 0,  P = h (k p+ - d u+),  p+ = p - h u+,  u = -p'

   In implicit steps it is a compliant row, s = c d + c^2 k. Tendons with a given tension have no
   rows. */
#include "kind/kinds.h"

#include "dynamics/passes.h"

#include <math.h>
#include <string.h>

/* An elastic tendon, and its data in one step. */
typedef struct tendon_step {
  int tendon;
  double rest;          /* length at rest                                                         */
  double k, d;          /* stiffness and damping                                                  */
  int row;              /* among the rows                                                         */
  double depth;         /* elongation at the start */
  double before, after; /* shortening velocities */
  double shift, softness;
  double last; /* impulse                                                                        */
} tendon_step;

typedef struct tendon_room {
  int n;
  tendon_step* tendon;
  double *length, *pull; /* [ntendon], [ntendon * nv] of all tendons at the start                 */
} tendon_room;

static tendon_room* room_of(const apl_system* s) {
  return s->kinds.own[KIND_tendon];
}

static bool tendon_has(const apl_model* m) {
  bool any = false;

  for (int i = 0; i < m->ntendon; ++i)
    any = any || m->tendon[i].elastic;
  return any;
}

static int tendon_most(const apl_system* s) {
  return s->model->ntendon; /* room for the Jacobian of all tendons */
}

static void tendon_own(apl_system* s, apl_arena* arena) {
  const size_t n = (size_t)s->model->ntendon, nv = (size_t)s->nv;
  tendon_room* room = apl_arena_take(arena, sizeof *room);
  tendon_step* tendon = apl_arena_take(arena, sizeof *tendon * n);
  double* length = apl_arena_take(arena, sizeof *length * n);
  double* pull = apl_arena_take(arena, sizeof *pull * n * nv);

  s->kinds.own[KIND_tendon] = room;
  if (room != NULL) *room = (tendon_room){.tendon = tendon, .length = length, .pull = pull};
}

static void tendon_open(apl_system* s) {
  tendon_room* room = room_of(s);

  for (int i = 0; i < s->model->ntendon; ++i) {
    const tendon_par* par = (const void*)(s->model->par + s->model->tendon[i].par);
    if (!s->model->tendon[i].elastic) continue;
    room->tendon[room->n++] =
        (tendon_step){.tendon = i, .rest = par->rest, .k = par->k, .d = par->d};
  }
}

/* Rows exist in time steps and implicit steps; at other levels a tendon is a force of the
   passes. */
static int tendon_count(apl_system* s, const coupling_pass* p) {
  return p->level == LEVEL_STEP || p->level == LEVEL_IMPLICIT ? s->model->ntendon : 0;
}

/* ------------------------------------------------------------------------------------ step ---- */

static apl_status tendon_begin(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_STEP) apl_parts_are_rows(s->state, true);
  return APL_OK;
}

static void tendon_end(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_STEP) apl_parts_are_rows(s->state, false);
}

/* Length that the motor of a tendon has wound up (m). */
static double wound(const apl_system* s, int tendon) {
  const apl_model* m = s->model;
  double sum = 0.0;

  for (int i = 0; i < m->ninput; ++i) {
    const apl_input* in = &m->input[i];
    if (in->kind == INPUT_TENDON && in->target == tendon)
      sum += m->par[in->gain] * apl_u(s->state)[i];
  }
  return sum;
}

static apl_status tendon_look(apl_system* s, coupling_pass* p) {
  tendon_room* room = room_of(s);
  if (p->level != LEVEL_STEP) return APL_OK;

  apl_status st = apl_tendons(s->model, s->state, room->length, NULL);
  if (st == APL_OK) st = apl_tendon_jacobian(s->model, s->state, room->pull);
  for (int i = 0; i < room->n; ++i) {
    tendon_step* x = &room->tendon[i];
    const double* J = room->pull + x->tendon * s->nv;
    x->depth = room->length[x->tendon] - x->rest + wound(s, x->tendon);
    x->before = 0.0;
    for (int k = 0; k < s->nv; ++k)
      x->before -= J[k] * p->v[k];
  }
  return st;
}

static void add_row(apl_system* s, const coupling_pass* p, tendon_step* x) {
  apl_rows* r = &s->rows;
  const double* pull = room_of(s)->pull + x->tendon * r->nv;
  double* J;

  x->row = apl_rows_add_broad(r, APL_SET_HALF_LINE, &J);
  r->q[x->row] = x->before;
  r->r[x->row] = p->h * fmax(x->k * x->depth - x->d * x->before, 0.0);
  for (int k = 0; k < r->nv; ++k) {
    J[k] = -pull[k];
    r->q[x->row] += J[k] * p->free[k];
  }
}

/* Taut tendons as compliant rows. The Jacobian of all tendons is first computed into the rows that
   follow. */
static apl_status list_implicit(apl_system* s, double c) {
  system_implicit* w = &s->implicit;
  const apl_model* m = s->model;
  const int first = w->n;

  apl_status st = apl_tendons(m, s->state, NULL, w->tension);
  if (st == APL_OK) st = apl_tendon_jacobian(m, s->state, w->J + first * s->nv);
  for (int i = 0; i < m->ntendon && st == APL_OK; ++i) {
    const tendon_par* par = (const void*)(m->par + m->tendon[i].par);
    const double stiff = c * (par->d + c * par->k);
    if (!m->tendon[i].elastic || !(w->tension[i] > 0.0) || !(stiff > 0.0)) continue;
    const int at = apl_implicit_add(w, 1.0 / stiff);
    memmove(w->J + at * s->nv, w->J + (first + i) * s->nv, sizeof *w->J * (size_t)s->nv);
  }
  return st;
}

static apl_status tendon_list(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_IMPLICIT) return list_implicit(s, p->h);
  for (int i = 0; p->level == LEVEL_STEP && i < room_of(s)->n; ++i)
    add_row(s, p, &room_of(s)->tendon[i]);
  return APL_OK;
}

/* P = h (k (p - h u) - d u)   =>   u + P / (h^2 k + h d) = h k p / (h^2 k + h d) */
static void tendon_soften(apl_system* s, coupling_pass* p) {
  apl_rows* r = &s->rows;

  for (int i = 0; i < room_of(s)->n; ++i) {
    tendon_step* x = &room_of(s)->tendon[i];
    x->softness = 1.0 / (p->h * (p->h * x->k + x->d));
    x->shift = -x->softness * p->h * x->k * x->depth;
    r->W[x->row * r->n + x->row] += x->softness;
    r->q[x->row] += x->shift;
  }
}

static apl_status tendon_take(apl_system* s, coupling_pass* p) {
  const apl_rows* r = &s->rows;

  for (int i = 0; p->level == LEVEL_STEP && i < room_of(s)->n; ++i) {
    tendon_step* x = &room_of(s)->tendon[i];
    x->last = r->r[x->row];
    x->after = r->u[x->row] - x->shift - x->softness * x->last;
  }
  return APL_OK;
}

/* Position correction: no force. */
static void tendon_lift(apl_system* s, const coupling_pass* p) {
  apl_rows* r = &s->rows;
  (void)p;

  for (int i = 0; i < room_of(s)->n; ++i) {
    const int row = room_of(s)->tendon[i].row;
    r->block[r->nblock++] = (apl_cone_block){.set = APL_SET_INTERVAL, .row = row};
    r->q[row] = r->r[row] = 0.0;
  }
}

/* Work: impulse times mean velocity. */
static apl_status tendon_book(apl_system* s, coupling_pass* p) {
  (void)p;
  for (int i = 0; i < room_of(s)->n; ++i) {
    const tendon_step* x = &room_of(s)->tendon[i];
    s->ledger.account[APL_ACCOUNT_TENDON] += x->last * (0.5 * (x->before + x->after));
  }
  return APL_OK;
}

/* --------------------------------------------------------------------------------- corners ---- */

/* Event function: the tension before the limit to >= 0, zero where the tendon becomes slack or
   taut. */
static double tension(double t, apl_system* s, void* user) {
  (void)t;
  return apl_system_uncut(s)[((const coupling_watch*)user)->of];
}

/* Elastic tendons only. A tension that is an input has kinks at the break times of its signal. */
static int tendon_events(apl_system* s, apl_event* list, coupling_watch* watch) {
  int n = 0;

  for (int i = 0; i < s->model->ntendon; ++i) {
    if (!s->model->tendon[i].elastic) continue;
    if (list != NULL) {
      watch[n] = (coupling_watch){.of = i};
      list[n] = (apl_event){.name = "tendon", .g = tension, .user = &watch[n]};
    }
    ++n;
  }
  return n;
}

static const coupling_run tendon_run = {.may_damp = true};

const coupling_kind apl_kind_tendon = {.word = "tendon",
                                       .has = tendon_has,
                                       .most = tendon_most,
                                       .room = tendon_own,
                                       .open = tendon_open,
                                       .count = tendon_count,
                                       .begin = tendon_begin,
                                       .look = tendon_look,
                                       .list = tendon_list,
                                       .soften = tendon_soften,
                                       .take = tendon_take,
                                       .end = tendon_end,
                                       .lift = tendon_lift,
                                       .book = tendon_book,
                                       .events = tendon_events,
                                       .run = &tendon_run};
