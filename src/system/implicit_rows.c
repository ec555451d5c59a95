/* implicit_rows.c: see implicit.h. */
#include "system/implicit.h"

#include "base/assert.h"
#include "base/arena.h"
#include "couple/contact_rows.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"
#include "law/contact_law.h"
#include "system/system_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------------------------ room ---- */

static void layout(system_implicit* w, const apl_model* m, apl_arena* a) {
  const size_t n = (size_t)w->most, nv = (size_t)m->nv;

#define TAKE(p, count) ((p) = apl_arena_take(a, sizeof *(p) * (count)))
  TAKE(w->row, n);
  TAKE(w->way, n);
  TAKE(w->number, n * ROW_NUMBERS);
  TAKE(w->in, n * ROW_NUMBERS);
  TAKE(w->J, n * nv);
  TAKE(w->F, n * nv);
  TAKE(w->X, n * nv);
  TAKE(w->G, n * n);
  TAKE(w->u, n);
  TAKE(w->p, n);
  TAKE(w->tension, (size_t)m->ntendon);
#undef TAKE
  apl_equal_place(&w->equal, w->most, a);
}

/* Room for all rows that may act; only what is held can become more. */
apl_status apl_implicit_reserve(apl_system* s) {
  system_implicit* w = &s->implicit;
  const int most = s->nheld + s->model->npart + s->model->ntendon + 3 * s->npair;
  apl_arena arena = {0};
  if (w->memory != NULL && most <= w->most) return APL_OK;

  free(w->memory);
  w->most = most;
  layout(w, s->model, &arena);
  w->memory = apl_arena_open(&arena);
  if (w->memory == NULL) return APL_ERR_MEMORY;
  layout(w, s->model, &arena);
  return APL_OK;
}

void apl_implicit_free(apl_system* s) {
  free(s->implicit.memory);
  apl_state_free(s->implicit.twin);
  apl_state_free(s->implicit.wide);
  free(s->implicit.y);
}

/* ------------------------------------------------------------------------------------ rows ---- */

/* One more row; s > 0, or hard without a softness. */
static int add_row(system_implicit* w, implicit_kind kind, int of, int axis, double soft) {
  APL_ASSERT(w->n < w->most);
  w->row[w->n] = (implicit_row){kind, of, axis, soft};
  return w->n++;
}

static void add_held(apl_system* s) {
  system_implicit* w = &s->implicit;

  for (int k = 0; k < s->nheld; ++k) {
    double* J = w->J + add_row(w, ROW_HELD, k, 0, 0.0) * s->nv;
    memset(J, 0, sizeof *J * (size_t)s->nv);
    J[s->held[k]] = 1.0;
  }
}

/* Loops, closed by forces or by springs. */
static apl_status add_loops(apl_system* s, double c) {
  system_implicit* w = &s->implicit;
  const bool springs = s->loops.method == LOOPS_SPRINGS;
  const int first = w->n;

  for (int k = 0; k < s->model->npart; ++k) {
    const double* row = s->state->row + APL_LOOP * k;
    const double stiff = c * (row[APL_LOOP_DAMPING] + c * row[APL_LOOP_STIFFNESS]);
    add_row(w, springs ? ROW_SOFT : ROW_LOOP, k, 0,
            !springs      ? 0.0
            : stiff > 0.0 ? 1.0 / stiff
                          : HUGE_VAL);
  }
  return s->model->npart > 0 ? apl_loops_jacobian(s->model, s->state, w->J + first * s->nv)
                             : APL_OK;
}

/* Tendons that are elastic and pull: s = c d + c^2 k. */
static apl_status add_tendons(apl_system* s, double c) {
  system_implicit* w = &s->implicit;
  const apl_model* m = s->model;
  const int first = w->n;
  bool any = false;

  for (int i = 0; i < m->ntendon; ++i)
    any = any || m->tendon[i].elastic;
  if (!any) return APL_OK;
  apl_status st = apl_tendons(m, s->state, NULL, w->tension);
  if (st == APL_OK) st = apl_tendon_jacobian(m, s->state, w->J + first * s->nv);
  for (int i = 0; i < m->ntendon && st == APL_OK; ++i) {
    const double* par = m->par + m->tendon[i].par;
    const double stiff = c * (par[1] + c * par[0]);
    if (!m->tendon[i].elastic || !(w->tension[i] > 0.0) || !(stiff > 0.0)) continue;
    const int at = add_row(w, ROW_SOFT, i, 0, 1.0 / stiff);
    memmove(w->J + at * s->nv, w->J + (first + i) * s->nv, sizeof *w->J * (size_t)s->nv);
  }
  return st;
}

/* -------------------------------------------------------------------------------- contacts ---- */

/* z = psi + c (v - k z) for slip v, k = sigma0 |v| / g(|v|) */
static void bristles_at(const double* slip, const friction_numbers* F, double c, const double* psi,
                        double* z) {
  const double speed = hypot(slip[0], slip[1]);
  const double k = F->sigma0 * speed / friction_stribeck(speed, F);

  for (int i = 0; i < 2; ++i)
    z[i] = (psi[i] + c * slip[i]) / (1.0 + c * k);
}

/* Friction per unit of normal force along an axis, bristles following. */
static double rub_along(const apl_pair* pair, const friction_numbers* F, const double* slip,
                        double c, const double* psi, int axis) {
  double rub[2] = {0.0, 0.0}, z[2], unused[2];

  if (pair->bristles) {
    bristles_at(slip, F, c, psi, z);
    friction_bristles(slip, z, F, rub, unused);
  } else if (pair->friction != FRICTION_NONE) {
    friction_force((friction_law)pair->friction, slip, F, rub);
  }
  return rub[axis];
}

/* s of the normal: how its law answers depth and rate, by differences: a Newton matrix need not be
   exact. */
static double normal_stiffness(const apl_system* s, const apl_pair* pair, const contact_state* t,
                               double c) {
  normal_numbers N;
  memcpy(&N, s->model->par + pair->par + PAIR_NORMAL, sizeof N);
  const double dD = 1e-6 * fmax(fabs(t->depth), 1e-9), dr = 1e-6 * fmax(fabs(t->rate), 1e-3);
  const bool pulls = pair->pulls != 0;
  const double F = normal_force(t->depth, t->rate, t->speed, &N, pulls);
  const double k = (normal_force(t->depth + dD, t->rate, t->speed, &N, pulls) - F) / dD;
  const double d = (normal_force(t->depth, t->rate + dr, t->speed, &N, pulls) - F) / dr;

  return c * fmax(d, 0.0) + c * c * fmax(k, 0.0);
}

/* s along an axis of the ground: c times the slope of friction. */
static double rub_stiffness(const apl_system* s, const apl_pair* pair, const contact_state* t,
                            double c, const double* psi, int axis) {
  friction_numbers F;
  memcpy(&F, s->model->par + pair->par + PAIR_FRICTION, sizeof F);
  const double ds = 1e-6 * fmax(hypot(t->slip[0], t->slip[1]), 1e-6);
  double moved[2] = {t->slip[0], t->slip[1]};

  moved[axis] += ds;
  const double slope =
      (rub_along(pair, &F, moved, c, psi, axis) - rub_along(pair, &F, t->slip, c, psi, axis)) / ds;
  return c * (F.drag[axis] + fmax(t->force[0], 0.0) * fmax(-slope, 0.0));
}

/* A row of contact i along an axis. */
static void add_contact_row(system_implicit* w, int i, int axis, const apl_way* way,
                            const double* number, double stiff, bool hard) {
  if (!hard && !(stiff > 0.0)) return;
  const int at = add_row(w, hard ? ROW_CONTACT : ROW_SOFT, i, axis, hard ? 0.0 : 1.0 / stiff);

  w->way[at] = way[axis];
  memcpy(w->number + at * ROW_NUMBERS, number + axis * ROW_NUMBERS, ROW_NUMBERS * sizeof *number);
  memcpy(w->in + at * ROW_NUMBERS, number + axis * ROW_NUMBERS, ROW_NUMBERS * sizeof *number);
}

/* Rigid contacts at rest and friction that sticks are hard where forward dynamics holds them; a
   rigid contact that slides rubs as much as it presses. */
static void add_contact(apl_system* s, int i, double c, const double* psi) {
  system_implicit* w = &s->implicit;
  const apl_pair* pair = &s->model->pair[i];
  const contact_state* t = apl_state_contact(s->state, i);
  const bool sticks = t->stick > 0.5, rests = apl_system_holds(s, i, 0);
  double number[3 * ROW_NUMBERS];
  apl_way way[3];
  if (!(t->on > 0.0) && !pair->pressed) return;

  apl_contact_ways(s->model, s->state, i, way, number);
  const int normal = w->n;
  const bool gives_way = !pair->rigid && !pair->pressed;
  add_contact_row(w, i, 0, way, number, gives_way ? normal_stiffness(s, pair, t, c) : 0.0, rests);
  if (rests && !sticks) {
    friction_numbers F;
    memcpy(&F, s->model->par + pair->par + PAIR_FRICTION, sizeof F);
    const double rub[2] = {rub_along(pair, &F, t->slip, c, psi, 0),
                           rub_along(pair, &F, t->slip, c, psi, 1)};
    apl_contact_rubbing(number, rub, w->in + normal * ROW_NUMBERS);
    w->skewed = w->skewed || rub[0] != 0.0 || rub[1] != 0.0;
  }
  for (int axis = 0; axis < 2; ++axis) {
    add_contact_row(w, i, 1 + axis, way, number,
                    sticks ? 0.0 : rub_stiffness(s, pair, t, c, psi, axis),
                    apl_system_holds(s, i, 1 + axis));
  }
}

static apl_status add_contacts(apl_system* s, double c, const double* psi) {
  system_implicit* w = &s->implicit;
  const int first = w->n;
  apl_status st = s->npair > 0 ? apl_contacts(s->model, s->state) : APL_OK;

  w->skewed = false;
  if (st == APL_OK && s->npair > 0) st = apl_frames_move(s->model, s->state, false);
  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    add_contact(s, i, c, psi);
    psi += s->model->pair[i].bristles ? 2 : 0;
  }
  const int n = w->n - first;
  if (st == APL_OK && n > 0)
    st = apl_ways_jacobian(s->model, s->state, w->way + first, w->number + first * ROW_NUMBERS, n,
                           w->J + first * s->nv);
  if (st == APL_OK && w->skewed)
    st = apl_ways_jacobian(s->model, s->state, w->way + first, w->in + first * ROW_NUMBERS, n,
                           w->F + first * s->nv);
  if (w->skewed) memcpy(w->F, w->J, sizeof *w->F * (size_t)(first * s->nv));
  return st;
}

/* ---------------------------------------------------------------------------------- matrix ---- */

static double dot_of(const double* a, const double* b, int n) {
  double sum = 0.0;

  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

apl_status apl_implicit_rows(apl_system* s, double c, const double* psi_z) {
  system_implicit* w = &s->implicit;
  const int nv = s->nv;
  apl_status st = apl_implicit_reserve(s);

  w->n = 0;
  if (st != APL_OK) return st;
  add_held(s);
  st = add_loops(s, c);
  if (st == APL_OK) st = add_tendons(s, c);
  if (st == APL_OK) st = add_contacts(s, c, psi_z);
  for (int i = 0; i < w->n && st == APL_OK; ++i) {
    double* X = w->X + i * nv;
    memset(X, 0, sizeof *X * (size_t)nv);
    st = apl_solve(s->model, w->twin, (w->skewed ? w->F : w->J) + i * nv, NULL, NULL, 0, X, NULL);
  }
  if (st != APL_OK || w->n == 0) return st;
  for (int i = 0; i < w->n; ++i) {
    for (int j = 0; j < w->n; ++j)
      w->G[i * w->n + j] = dot_of(w->J + i * nv, w->X + j * nv, nv);
    w->G[i * w->n + i] += w->row[i].soft;
  }
  apl_equal_factor(&w->equal, w->n, w->G, !w->skewed);
  return APL_OK;
}

/* What the rate of contact i along an axis lacks. Forward dynamics asks of what rests and sticks

     x'' + 2 k x' + k^2 x = 0        (k^2 x of the depth only: supports.c)

   so that a speed that is left when a contact comes to rest dies away, and is no jump. Here x'' is
   that of inverse dynamics, and a change of x' by u changes the sum by u (1 + k c)^2 / c. */
static double contact_lack(const apl_system* s, int i, int axis, double c) {
  const contact_state* t = apl_state_contact(s->state, i);
  const double k = apl_system_settling(), rate = axis == 0 ? -t->rate : t->slip[axis - 1];
  double number[3 * ROW_NUMBERS], a[3];
  apl_way way[3];

  apl_contact_ways(s->model, s->state, i, way, number);
  apl_contact_accelerations(s->model, s->state, i, number, a);
  if (axis > 0) return c * (a[axis] + 2.0 * k * rate) / (1.0 + 2.0 * k * c);
  const double x = s->note[i].rest - t->depth;
  return c * (a[0] + k * (2.0 * rate + k * x)) / ((1.0 + k * c) * (1.0 + k * c));
}

/* ... and that of a row. Loops are closed at each step's start: there k brings gaps back. */
static double lack_of(const apl_system* s, const implicit_row* row, double c) {
  const double *loop = s->state->row + APL_LOOP * row->of, k = s->loops.stabilise;

  switch (row->kind) {
  case ROW_LOOP:
    return (loop[APL_LOOP_RATE] + k * loop[APL_LOOP_GAP]) / (1.0 + c * k);
  case ROW_CONTACT:
    return contact_lack(s, row->of, row->axis, c);
  case ROW_HELD: /* stands at zero already */
  case ROW_SOFT:
    break;
  }
  return 0.0;
}

apl_status apl_implicit_correct(apl_system* s, double c, double* dv) {
  system_implicit* w = &s->implicit;

  for (int i = 0; i < w->n; ++i)
    w->u[i] = dot_of(w->J + i * s->nv, dv, s->nv) + lack_of(s, &w->row[i], c);
  apl_equal_solve(&w->equal, w->u, w->p);
  for (int i = 0; i < w->n; ++i) {
    const double *X = w->X + i * s->nv, p = w->p[i];
    /* the next residual has the force of the loop: what is left is that of its place alone */
    if (w->row[i].kind == ROW_LOOP)
      s->state->row[APL_LOOP * w->row[i].of + APL_LOOP_FORCE] += p / c;
    for (int j = 0; j < s->nv; ++j)
      dv[j] += X[j] * p;
  }
  return APL_OK;
}

apl_status apl_implicit_bristles(apl_system* s, double c, const double* psi, double* z) {
  const apl_status st = apl_contacts(s->model, s->state);

  for (int i = 0; i < s->npair; ++i) {
    const contact_state* t = apl_state_contact(s->state, i);
    friction_numbers F;
    if (!s->model->pair[i].bristles) continue;
    memcpy(&F, s->model->par + s->model->pair[i].par + PAIR_FRICTION, sizeof F);
    memcpy(z, psi, 2 * sizeof *z);
    if (t->on > 0.0) bristles_at(t->slip, &F, c, psi, z);
    z += 2;
    psi += 2;
  }
  return st;
}
