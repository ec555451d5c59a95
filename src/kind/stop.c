/* SPDX-License-Identifier: Apache-2.0 */
/* stop.c: joint stops. A stop pushes in one direction, as a function of the penetration p:

     F = k p (1 + c p'),  p > 0

   Passes apply it as a force. In time steps it is a row with the values at the end of the step,

     P >= 0,  P = h k p+ (1 + c p'+),  p+ = p - h u+,  u = -p'

   linearised like a compliant contact. A stop may be reached within the step, so its row exists
   before contact: a force evaluated at the start would act one step late. Stops of rolling joints,
   whose coordinates are not integrals of velocities, remain springs on the diagonal of A. */
#include "kind/kinds.h"
#include "kind/soft_row.h"

#include "dynamics/passes.h"

#include <float.h>
#include <math.h>

/* One bound of a coordinate, and its data in one step. */
typedef struct stop_step {
  int coordinate, velocity;
  double sign, bound;   /* sign -1: the joint is below its upper bound; 1: above its lower bound */
  double k, d;          /* stiffness and damping of its law                                       */
  int row;              /* among the rows, -1 when it is too far away                             */
  double depth;         /* penetration at the start */
  double before, after; /* velocities out of the stop */
  double shift, softness;
  double last; /* impulse                                                                        */
} stop_step;

typedef struct stop_room {
  int n;
  stop_step* stop;
} stop_room;

static stop_room* room_of(const apl_system* s) {
  return s->kinds.own[KIND_stop];
}

static bool stop_has(const apl_model* m) {
  bool any = false;

  for (int i = 0; i < m->nnode; ++i)
    any = any || m->node[i].stop != 0;
  return any;
}

static bool is_row(const apl_system* s, int passive) {
  return s->state->passes->stop_is_row(s->model, s->model->passive[passive]);
}

static int stop_most(const apl_system* s) {
  const apl_model* m = s->model;
  int count = 0;

  for (int i = 0; i < m->npassive; ++i) {
    if (is_row(s, i)) count += 2 * m->node[m->passive[i]].nt;
  }
  return count;
}

static void stop_own(apl_system* s, apl_arena* arena) {
  stop_room* room = apl_arena_take(arena, sizeof *room);
  stop_step* stop = apl_arena_take(arena, sizeof *stop * (size_t)stop_most(s));

  s->kinds.own[KIND_stop] = room;
  if (room != NULL) room->stop = stop;
}

/* Add one bound of coordinate k of a node, unless it is infinite. */
static void add_bound(stop_room* room, const apl_model* m, const apl_node* n, int k, bool upper) {
  const double *bound = m->par + n->stop + (upper ? n->nt : 0), *law = m->par + n->stop + 2 * n->nt;
  if (!isfinite(bound[k])) return;

  room->stop[room->n++] = (stop_step){.coordinate = n->q0 + k,
                                      .velocity = n->v0 + k,
                                      .sign = upper ? -1.0 : 1.0,
                                      .bound = bound[k],
                                      .k = law[0],
                                      .d = law[1]};
}

static void stop_open(apl_system* s) {
  const apl_model* m = s->model;

  room_of(s)->n = 0;
  for (int i = 0; i < m->npassive; ++i) {
    const apl_node* n = &m->node[m->passive[i]];
    for (int k = 0; is_row(s, i) && k < n->nt; ++k) {
      add_bound(room_of(s), m, n, k, false);
      add_bound(room_of(s), m, n, k, true);
    }
  }
}

/* Joints that compute the forces of their stops themselves have no rows for them. */
static bool stop_by_passes(const apl_system* s) {
  const apl_model* m = s->model;
  bool any = false;

  for (int i = 0; i < m->npassive && !any; ++i)
    any = m->node[m->passive[i]].stop != 0 && !is_row(s, i);
  return any;
}

/* Rows exist in time steps only; at all other levels a stop is a force of the passes. */
static int stop_count(apl_system* s, const coupling_pass* p) {
  return p->level == LEVEL_STEP ? room_of(s)->n : 0;
}

/* ------------------------------------------------------------------------------------ step ---- */

static apl_status stop_begin(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_STEP && room_of(s)->n > 0) apl_parts_are_rows(s->state, true);
  return APL_OK;
}

static void stop_end(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_STEP) apl_parts_are_rows(s->state, false);
}

static apl_status stop_look(apl_system* s, coupling_pass* p) {
  stop_room* room = room_of(s);

  for (int i = 0; p->level == LEVEL_STEP && i < room->n; ++i) {
    stop_step* x = &room->stop[i];
    x->depth = x->sign * (x->bound - p->q[x->coordinate]);
    x->before = x->sign * p->v[x->velocity];
  }
  return APL_OK;
}

/* A stop that cannot be reached in one step, even at twice the speed, has no row. */
static void add_row(apl_system* s, const coupling_pass* p, stop_step* x) {
  apl_rows* r = &s->rows;
  const double free = x->sign * (p->v[x->velocity] + p->free[x->velocity]);

  x->row = -1;
  if (-x->depth > 2.0 * p->h * (fabs(x->before) + fabs(free))) return;
  x->row = apl_rows_add(r, APL_SET_HALF_LINE, 1);
  r->way[x->row].velocity[0] = x->velocity;
  r->number[x->row * ROW_NUMBERS + ROW_EFFORT] = x->sign;
  r->q[x->row] = free;
  /* the solver's initial guess depends on the state alone; otherwise a resumed run would differ */
  r->r[x->row] = p->h * x->k * fmax(x->depth, 0.0) * fmax(1.0 - x->d * x->before, 0.0);
}

static apl_status stop_list(apl_system* s, coupling_pass* p) {
  for (int i = 0; p->level == LEVEL_STEP && i < room_of(s)->n; ++i)
    add_row(s, p, &room_of(s)->stop[i]);
  return APL_OK;
}

/* Softness and shift of its law: u + shift + softness P >= 0. */
static void stop_soften(apl_system* s, coupling_pass* p) {
  apl_rows* r = &s->rows;

  for (int i = 0; i < room_of(s)->n; ++i) {
    stop_step* x = &room_of(s)->stop[i];
    if (x->row < 0) continue;
    double* W = &r->W[x->row * r->n + x->row];
    const normal_numbers N = {.K = x->k, .n = 1.0, .c = x->d, .b = 0.0};
    const soft_step step = {.h = p->h, .W = *W, .free = r->q[x->row], .depth = x->depth};
    const soft_row soft = apl_soft_row(&N, 1.0, &step, DBL_EPSILON);
    apl_pass_stiff(p, p->h * sqrt(soft.k * *W), -1 - x->coordinate);
    x->softness = soft.softness;
    x->shift = soft.shift;
    *W += x->softness;
    r->q[x->row] += x->shift;
  }
}

static apl_status stop_take(apl_system* s, coupling_pass* p) {
  const apl_rows* r = &s->rows;

  for (int i = 0; p->level == LEVEL_STEP && i < room_of(s)->n; ++i) {
    stop_step* x = &room_of(s)->stop[i];
    x->last = x->row < 0 ? 0.0 : r->r[x->row];
    x->after = x->row < 0 ? 0.0 : r->u[x->row] - x->shift - x->softness * x->last;
  }
  return APL_OK;
}

/* Position correction: no force. */
static void stop_lift(apl_system* s, const coupling_pass* p) {
  apl_rows* r = &s->rows;
  (void)p;

  for (int i = 0; i < room_of(s)->n; ++i) {
    const int row = room_of(s)->stop[i].row;
    if (row < 0) continue;
    r->block[r->nblock++] = (apl_cone_block){.set = APL_SET_INTERVAL, .row = row};
    r->q[row] = r->r[row] = 0.0;
  }
}

static double spring_energy(double k, double p) {
  return 0.5 * k * fmax(p, 0.0) * fmax(p, 0.0);
}

/* Work: impulse times mean velocity, minus the change of the spring's potential energy. */
static apl_status stop_book(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < room_of(s)->n; ++i) {
    const stop_step* x = &room_of(s)->stop[i];
    if (x->row < 0) continue;
    s->ledger.account[APL_ACCOUNT_STOP] += x->last * (0.5 * (x->before + x->after)) +
                                           spring_energy(x->k, x->depth - p->h * x->after) -
                                           spring_energy(x->k, x->depth);
  }
  return APL_OK;
}

/* --------------------------------------------------------------------------------- corners ---- */

static double beyond(double t, apl_system* s, void* user) {
  const coupling_watch* w = user;
  (void)t;
  return apl_q(s->state)[w->of] - w->bound;
}

/* One event per finite bound, lower and upper, of all joints. */
static int stop_events(apl_system* s, apl_event* list, coupling_watch* watch) {
  const apl_model* m = s->model;
  int count = 0;

  for (int k = 0; k < m->nnode; ++k) {
    const apl_node* n = &m->node[k];
    for (int i = 0; n->stop != 0 && i < 2 * n->nt; ++i) {
      const double bound = m->par[n->stop + i];
      if (!isfinite(bound)) continue;
      if (list != NULL) {
        watch[count] = (coupling_watch){.of = n->q0 + i % n->nt, .bound = bound};
        list[count] = (apl_event){.name = "stop", .g = beyond, .user = &watch[count]};
      }
      ++count;
    }
  }
  return count;
}

const coupling_kind apl_kind_stop = {.word = "stop",
                                     .has = stop_has,
                                     .most = stop_most,
                                     .room = stop_own,
                                     .open = stop_open,
                                     .count = stop_count,
                                     .by_passes = stop_by_passes,
                                     .begin = stop_begin,
                                     .look = stop_look,
                                     .list = stop_list,
                                     .soften = stop_soften,
                                     .take = stop_take,
                                     .end = stop_end,
                                     .lift = stop_lift,
                                     .book = stop_book,
                                     .events = stop_events};
