/* SPDX-License-Identifier: Apache-2.0 */
/* linearize.c: A, B, C, D by complex steps: displace one state or input of a complex copy of the
   system by i h, evaluate forward dynamics, rates and outputs, and take the imaginary parts: exact
   to round-off. Theory: docs/linearize.md. */
#include "analyse/linearize.h"

#include "appell/dynamics.h"

#include "base/error.h"
#include "couple/near.h"
#include "dynamics/extra.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"
#include "dynamics/widen.h"
#include "system/system.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const double step = 1e-100;

/* Offsets of bristles and their rates in a contact. */
enum {
  CONTACT_BRISTLE = offsetof(contact_state, z) / sizeof(double),
  CONTACT_BRISTLE_RATE = offsetof(contact_state, zrate) / sizeof(double)
};

/* A complex copy of the system. */
typedef struct copy {
  linear_work* w;
  apl_system* s;
  const apl_model* m;
  apl_state* z;
  double *q, *delta, *rate, *turn; /* [2*nq], [2*nt], [2*nt], [nt]                                */
  double* pose;                    /* [24] of a port                                              */
  apl_closing* loops;              /* of the system where they are closed exactly, or NULL        */
} copy;

/* Close loops as a run with these options would; springs left by a run are kept. */
static apl_status close_loops(apl_system* s, double time, const apl_loop_options* o,
                              apl_error* err) {
  if (s->model->npart == 0) return APL_OK;
  if (o == NULL || o->method == NULL || strcmp(o->method, "springs") != 0)
    return s->state->springs ? APL_OK : apl_system_assemble(s, NULL, NULL, NULL, err);
  apl_loop_options springs = *o;
  springs.go_on = true;
  springs.slow = o->slow && !s->loops.sprung;
  apl_status st = APL_OK;
  if (!apl_system_loops_go_on(s, &springs)) st = apl_system_assemble(s, NULL, NULL, NULL, err);
  return st == APL_OK ? apl_system_loops(s, time, &springs, err) : st;
}

/* -------------------------------------------------------------------------------- steps ---- */

/* The imaginary number of a part; directions of q go through delta. */
static double* place_of(copy* c, const linear_part* p) {
  const apl_model* m = c->m;

  switch (p->kind) {
  case LINEAR_DIRECTION:
    return c->delta + 2 * p->of + 1;
  case LINEAR_VELOCITY:
    return c->z->v + 2 * p->of + 1;
  case LINEAR_BRISTLE:
    return c->z->contact + 2 * (CONTACT_NUMBERS * p->of + CONTACT_BRISTLE + p->axis) + 1;
  case LINEAR_SUM:
    return c->z->aim + 2 * (2 * m->nv + c->s->drives.integral[p->of].velocity) + 1;
  case LINEAR_INPUT:
    return c->z->u + 2 * p->of + 1;
  case LINEAR_EFFORT:
    return c->z->tau + 2 * p->of + 1;
  case LINEAR_COORDINATE:
  case LINEAR_POSITION:
  case LINEAR_MOTION:
    break;
  }
  return NULL;
}

/* Forward dynamics and rates of the copy, displaced along one part (NULL: none). */
static apl_status move(copy* c, const linear_part* p) {
  const apl_model* m = c->m;

  apl_state_widen(m, c->s->state, c->z);
  memset(c->delta, 0, sizeof *c->delta * 2 * (size_t)m->nt);
  if (p != NULL) *place_of(c, p) = step;
  memcpy(c->q, c->z->q, sizeof *c->q * 2 * (size_t)m->nq);
  apl_system_cut_inputs(c->s, c->z);
  apl_status st = apl_add(m, c->z, c->q, c->delta, c->z->q);
  if (st == APL_OK) st = apl_forward(m, c->z);
  return st == APL_OK ? apl_tangent_rates(m, c->z, c->rate) : st;
}

/* Loops that are closed exactly: from the change of c'' at constant loop forces p,

     dp = -G^+ dc'',   da = M^-1 J^T dp

   is added to the accelerations, so that c'' = 0 also for the displaced state. Factors of M and G
   are those of the real state. */
static apl_status hold_closed(copy* c) {
  const apl_model* m = c->m;
  apl_closing* loops = c->loops;
  apl_status st = apl_loops(m, c->z);

  for (int i = 0; i < m->npart; ++i)
    loops->b[i] = apl_loop_row(c->z)[2 * (APL_LOOP * i + APL_LOOP_ACCEL) + 1] / step;
  if (st == APL_OK) st = apl_closing_answer(loops, c->s->state);
  for (int i = 0; i < m->nv && st == APL_OK; ++i)
    c->z->a[2 * i + 1] += loops->change[i] * step;
  return st;
}

/* Store dc and dc' of the last displacement in column k. */
static void keep_gaps(const copy* c, int k) {
  linear_work* w = c->w;

  for (int i = 0; c->loops != NULL && i < c->m->npart; ++i) {
    const double* row = apl_loop_row(c->z) + 2 * APL_LOOP * i;
    w->gap[i * w->x.n + k] = row[2 * APL_LOOP_GAP + 1] / step;
    w->gap_rate[i * w->x.n + k] = row[2 * APL_LOOP_RATE + 1] / step;
  }
}

/* Compute the loop forces of the undisplaced state. Inputs beyond their limits are limited as in
   the copy. */
static apl_status find_loop_forces(copy* c) {
  const apl_model* m = c->m;
  apl_state* s = c->s->state;
  if (m->npart == 0 || s->springs) return APL_OK;

  c->loops = &c->s->loops.closing;
  apl_status st = apl_loops(m, s);
  if (st == APL_OK) st = apl_factor(m, s, 0.0);
  if (st == APL_OK) st = apl_closing_factor(c->loops, s);
  for (int i = 0; i < m->npart; ++i)
    apl_loop_row(s)[APL_LOOP * i + APL_LOOP_FORCE] = 0.0;
  if (st == APL_OK) st = move(c, NULL);
  if (st == APL_OK) st = apl_loops(m, c->z);
  for (int i = 0; i < m->npart; ++i)
    c->loops->b[i] = apl_loop_row(c->z)[2 * (APL_LOOP * i + APL_LOOP_ACCEL)];
  apl_closing_solve(c->loops);
  for (int i = 0; i < m->npart; ++i)
    apl_loop_row(s)[APL_LOOP * i + APL_LOOP_FORCE] = c->loops->p[i];
  return st;
}

/* Rate of a state: real (part 0) or imaginary (1). */
static double rate_of(const copy* c, const linear_part* p, int part) {
  const double* contact = c->z->contact + 2 * CONTACT_NUMBERS * p->of;

  switch (p->kind) {
  case LINEAR_DIRECTION:
    return c->rate[2 * p->of + part];
  case LINEAR_VELOCITY:
    return c->z->a[2 * p->of + part];
  case LINEAR_BRISTLE:
    return contact[2 * (CONTACT_BRISTLE_RATE + p->axis) + part];
  case LINEAR_SUM:
    return part == 0 ? apl_system_sum_rate(c->s, p->of) : apl_system_sum_slope(c->s, p->of, c->z);
  case LINEAR_INPUT:
  case LINEAR_EFFORT:
  case LINEAR_COORDINATE:
  case LINEAR_POSITION:
  case LINEAR_MOTION:
    break;
  }
  return 0.0;
}

static apl_status output_of(copy* c, const linear_part* p, int part, double* out) {
  apl_status st = APL_OK;

  *out = 0.0;
  if (p->kind == LINEAR_COORDINATE) *out = c->z->q[2 * p->of + part];
  if (p->kind == LINEAR_VELOCITY) *out = c->z->v[2 * p->of + part];
  if (p->kind == LINEAR_POSITION) {
    st = apl_port_pose(c->m, c->z, p->of, c->pose);
    *out = c->pose[2 * (9 + p->axis) + part];
  }
  if (p->kind == LINEAR_MOTION) {
    st = apl_port_motion(c->m, c->z, p->of, APL_WORLD_AXES, c->pose, c->pose + 12);
    *out = c->pose[2 * (3 + p->axis) + part];
  }
  return st;
}

/* Column k of two matrices: rates[n*columns] and outputs[p*columns]. */
static apl_status fill_column(copy* c, const linear_part* p, int k, int columns, double* rates,
                              double* outputs) {
  const linear_work* w = c->w;
  apl_status st = move(c, p);

  if (st == APL_OK && c->loops != NULL) st = hold_closed(c);
  for (int i = 0; i < w->x.n && st == APL_OK; ++i)
    rates[i * columns + k] = rate_of(c, &w->x.part[i], 1) / step;
  for (int i = 0; i < w->y.n && st == APL_OK; ++i) {
    double y;
    st = output_of(c, &w->y.part[i], 1, &y);
    outputs[i * columns + k] = y / step;
  }
  return st;
}

/* The tangent directions of a quaternion turn with the body, so the difference delta of two
   neighbouring motions satisfies delta' = dw - w x delta. A joint with a quaternion has one
   coordinate more than directions, and its last three directions are these. */
static void turn_along(copy* c) {
  linear_work* w = c->w;
  const int n = w->x.n;

  for (int i = 0; i < n; ++i) {
    const linear_part* row = &w->x.part[i];
    if (row->kind != LINEAR_DIRECTION || c->turn[row->of] == 0.0) continue;
    /* row i is axis r of three neighbouring rows; subtract its w x delta */
    const int r = (int)c->turn[row->of] - 1, first = i - r, t = row->of - r;
    const int y = (r + 1) % 3, z = (r + 2) % 3;
    const double wy = c->rate[2 * (t + y)], wz = c->rate[2 * (t + z)];
    w->A[i * n + first + z] -= wy;
    w->A[i * n + first + y] += wz;
  }
}

static void mark_turns(const apl_model* m, double* turn) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->nq != n->nt + 1) continue;
    for (int k = 0; k < 3; ++k)
      turn[n->t0 + n->nt - 3 + k] = k + 1;
  }
}

static apl_status fill(copy* c, apl_error* err) {
  linear_work* w = c->w;

  mark_turns(c->m, c->turn);
  apl_status st = find_loop_forces(c);
  for (int k = 0; k < w->x.n && st == APL_OK; ++k) {
    st = fill_column(c, &w->x.part[k], k, w->x.n, w->A, w->C);
    keep_gaps(c, k);
  }
  for (int k = 0; k < w->u.n && st == APL_OK; ++k)
    st = fill_column(c, &w->u.part[k], k, w->u.n, w->B, w->D);
  if (st == APL_OK) st = move(c, NULL);
  for (int i = 0; i < w->x.n && st == APL_OK; ++i)
    w->rate[i] = rate_of(c, &w->x.part[i], 0);
  for (int i = 0; i < w->y.n && st == APL_OK; ++i)
    st = output_of(c, &w->y.part[i], 0, &w->y0[i]);
  for (int k = 0; k < w->u.n && st == APL_OK; ++k)
    w->u0[k] = *(place_of(c, &w->u.part[k]) - 1);
  if (st == APL_OK) turn_along(c);
  if (st == APL_OK) return c->loops == NULL ? st : apl_linear_reduce(w, err);
  const int link = st == APL_ERR_SINGULAR ? apl_state_trouble(c->z) : -1;
  return apl_fail(err, st, "%s%s%sthe robot cannot be linearized: %s", link < 0 ? "" : "link '",
                  link < 0 ? "" : apl_model_name(c->m, APL_LINKS, link),
                  link < 0 ? "" : "': ", apl_status_text(st));
}

/* ------------------------------------------------------------------------------- public ---- */

static bool take_matrices(linear_work* w) {
  const size_t n = (size_t)w->x.n, m = (size_t)w->u.n, p = (size_t)w->y.n;
  const size_t rows = (size_t)w->system->model->npart;
  double** const to[] = {&w->A,  &w->B,    &w->C,    &w->D,   &w->rate,    &w->u0,
                         &w->y0, &w->pole, &w->zero, &w->gap, &w->gap_rate};
  const size_t size[] = {n * n, n * m, p * n,       p * m,    n,       m,
                         p,     2 * n, 2 * (n + m), rows * n, rows * n};

  for (int i = 0; i < (int)(sizeof to / sizeof *to); ++i) {
    *to[i] = apl_pool_take(&w->pool, sizeof(double) * (size[i] + 1));
    if (*to[i] == NULL) return false;
  }
  return true;
}

static void show(linear_work* w) {
  apl_linear_system* o = &w->out;

  o->n = w->x.n, o->m = w->u.n, o->p = w->y.n;
  o->state = w->x.name, o->state_unit = w->x.unit;
  o->input = w->u.name, o->input_unit = w->u.unit;
  o->output = w->y.name, o->output_unit = w->y.unit;
  o->A = w->A, o->B = w->B, o->C = w->C, o->D = w->D;
  o->rate = w->rate, o->u0 = w->u0, o->y0 = w->y0;
  o->pole = w->pole, o->zero = w->zero;
}

static apl_status find(linear_work* w, apl_error* err) {
  const apl_model* m = w->system->model;
  copy c = {.w = w, .s = w->system, .m = m};
  double* room = calloc(2 * (size_t)m->nq + 5 * (size_t)m->nt + 24, sizeof *room);
  apl_status st = room == NULL ? APL_ERR_MEMORY : apl_state_new(m, APL_COMPLEX, &c.z);

  if (st != APL_OK) {
    apl_fail(err, st, "out of memory for a linear system");
  } else {
    c.q = room;
    c.delta = c.q + 2 * m->nq;
    c.rate = c.delta + 2 * m->nt;
    c.turn = c.rate + 2 * m->nt;
    c.pose = c.turn + m->nt;
    st = fill(&c, err);
  }
  apl_state_free(c.z);
  free(room);
  return st;
}

/* False if there are fewer names than are counted. */
static bool names_fit(const char* const* name, int n) {
  bool fit = n >= 0 && (n == 0 || name != NULL);

  for (int i = 0; fit && i < n; ++i)
    fit = name[i] != NULL;
  return fit;
}

apl_status apl_linearize(apl_system* s, double time, const apl_linearize_options* options,
                         apl_linear_system** out, apl_error* err) {
  if (out != NULL) *out = NULL;
  if (s == NULL || out == NULL || !isfinite(time)) {
    return apl_fail(
        err, APL_ERR_ARGUMENT,
        "apl_linearize() needs a system, a finite time and a place for the linear system");
  }
  const apl_linearize_options none = {0};
  if (options == NULL) options = &none;
  if (!names_fit(options->output, options->noutput) || !names_fit(options->input, options->ninput))
    return apl_fail(err, APL_ERR_ARGUMENT, "a name of an output or an input is missing");
  linear_work* w = calloc(1, sizeof *w);
  bool* lent = calloc((size_t)s->model->nslot + 1, sizeof *lent);

  *out = NULL;
  if (w == NULL || lent == NULL) {
    free(w);
    free(lent);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a linear system");
  }
  w->system = s;
  apl_system_drive(s, time);
  apl_status st = close_loops(s, time, options->loops, err);
  if (st == APL_OK) st = apl_linear_check(s, lent, err);
  if (st == APL_OK) st = apl_linear_list(w, options, err);
  if (st == APL_OK && !take_matrices(w))
    st = apl_fail(err, APL_ERR_MEMORY, "out of memory for a linear system");
  if (st == APL_OK) st = find(w, err);
  apl_near_part(s->model, s->state, lent);
  s->look.fresh = false;
  free(lent);
  if (st == APL_OK) {
    show(w);
    st = apl_linear_poles(w);
    if (st != APL_OK) apl_fail(err, st, "the poles of the linear system were not found");
  }
  if (st != APL_OK) {
    apl_linear_system_free(&w->out);
    return st;
  }
  *out = &w->out;
  return APL_OK;
}

void apl_linear_system_free(apl_linear_system* o) {
  linear_work* w = (linear_work*)(void*)o;

  if (o == NULL) return;
  apl_pool_free(&w->pool);
  free(w);
}
