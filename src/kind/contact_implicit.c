/* SPDX-License-Identifier: Apache-2.0 */
/* contact_implicit.c: contacts as rows beside the Newton matrix of an implicit step. See
   system/implicit.h. */
#include "kind/contact.h"

#include "law/contact_law.h"

#include <math.h>
#include <string.h>

/* Bristle deflection z = psi + c (v - k z) for sliding velocity v, k = sigma0 |v| / g(|v|) */
static void bristles_at(const double* slip, const friction_numbers* F, double c, const double* psi,
                        double* z) {
  const double speed = hypot(slip[0], slip[1]);
  const double k = F->sigma0 * speed / friction_stribeck(speed, F);

  for (int i = 0; i < 2; ++i)
    z[i] = (psi[i] + c * slip[i]) / (1.0 + c * k);
}

/* Friction per unit of normal force along an axis, with the bristles at their implicit value. */
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

/* Stiffness s of the normal row: derivative of its force law with respect to depth and rate, by
   finite differences. A Newton matrix need not be exact. */
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

/* Stiffness s of a tangential row: c times the derivative of the friction force by the sliding
   velocity. */
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

/* Add a row of contact i along an axis. hard: a constraint without compliance. */
static void add_contact_row(system_implicit* w, int i, int axis, const apl_way* way,
                            const double* number, double stiff, bool hard) {
  if (!hard && !(stiff > 0.0)) return;
  const int at = apl_implicit_add(w, hard ? 0.0 : 1.0 / stiff);

  w->row[at].of = hard ? i : -1;
  w->row[at].axis = axis;
  w->way[at] = way[axis];
  memcpy(w->number + at * ROW_NUMBERS, number + axis * ROW_NUMBERS, ROW_NUMBERS * sizeof *number);
  memcpy(w->in + at * ROW_NUMBERS, number + axis * ROW_NUMBERS, ROW_NUMBERS * sizeof *number);
}

/* True if contact i may have rows. Only events change this, so it holds during a step. */
static bool takes_part(const apl_system* s, int i) {
  return s->model->pair[i].pressed || !apl_contact_is_open(apl_state_contact(s->state, i));
}

int apl_contact_count_implicit(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->npair; ++i)
    n += takes_part(s, i);
  return n;
}

/* Rows of contact i. Resting rigid contacts and sticking friction are hard rows if forward dynamics
   holds them by constraint forces; the friction of a sliding rigid contact is proportional to its
   normal force. */
static void add_contact(apl_system* s, int i, coupling_pass* p, const double* psi) {
  system_implicit* w = &s->implicit;
  const apl_pair* pair = &s->model->pair[i];
  const double c = p->h;
  const contact_state* t = apl_state_contact(s->state, i);
  const bool sticks = apl_contact_sticks(t), rests = apl_system_holds(s, i, 0);
  double number[3 * ROW_NUMBERS];
  apl_way way[3];
  if (!takes_part(s, i)) return;

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
    p->skewed = p->skewed || rub[0] != 0.0 || rub[1] != 0.0;
  }
  for (int axis = 0; axis < 2; ++axis) {
    add_contact_row(w, i, 1 + axis, way, number,
                    sticks ? 0.0 : rub_stiffness(s, pair, t, c, psi, axis),
                    apl_system_holds(s, i, 1 + axis));
  }
}

apl_status apl_contact_list_implicit(apl_system* s, coupling_pass* p) {
  system_implicit* w = &s->implicit;
  const int first = w->n;
  const double* psi = p->psi;
  apl_status st = apl_contacts(s->model, s->state);

  if (st == APL_OK) st = apl_frames_move(s->model, s->state, false);
  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    add_contact(s, i, p, psi);
    psi += s->model->pair[i].bristles ? 2 : 0;
  }
  const int n = w->n - first;
  if (st == APL_OK && n > 0)
    st = apl_ways_jacobian(s->model, s->state, w->way + first, w->number + first * ROW_NUMBERS, n,
                           w->J + first * s->nv);
  if (st == APL_OK && p->skewed)
    st = apl_ways_jacobian(s->model, s->state, w->way + first, w->in + first * ROW_NUMBERS, n,
                           w->F + first * s->nv);
  for (int i = first; i < w->n; ++i)
    w->row[i].skewed = p->skewed;
  return st;
}

/* Velocity correction that contact i still needs along an axis. For resting and sticking contacts
   forward dynamics demands

     x'' + 2 k x' + k^2 x = 0        (k^2 x for the depth only: supports.c)

   so that a remaining velocity decays instead of jumping to zero. Here x'' comes from inverse
   dynamics, and a change u of x' changes the left side by u (1 + k c)^2 / c. */
static double contact_lack(const apl_system* s, int i, int axis, double c) {
  const contact_state* t = apl_state_contact(s->state, i);
  const double k = apl_system_settling(s), rate = axis == 0 ? -t->rate : t->slip[axis - 1];
  double number[3 * ROW_NUMBERS], a[3];
  apl_way way[3];

  apl_contact_ways(s->model, s->state, i, way, number);
  apl_contact_accelerations(s->model, s->state, i, number, a);
  if (axis > 0) return c * (a[axis] + 2.0 * k * rate) / (1.0 + 2.0 * k * c);
  const double x = s->contacts.note[i].rest - t->depth;
  return c * (a[0] + k * (2.0 * rate + k * x)) / ((1.0 + k * c) * (1.0 + k * c));
}

void apl_contact_lack(const apl_system* s, const coupling_pass* p, double* u) {
  const coupling_span* span = &s->implicit.span[KIND_contact];

  for (int i = span->first; i < span->first + span->n; ++i) {
    const implicit_row* row = &s->implicit.row[i];
    if (row->of >= 0) u[i] = contact_lack(s, row->of, row->axis, p->h);
  }
}

/* Bristles z = psi + c z' for the present slip of their contacts. */
apl_status apl_contact_advance(apl_system* s, double c, const double* psi, double* z) {
  const apl_status st = apl_contacts(s->model, s->state);

  for (int i = 0; i < s->npair; ++i) {
    const contact_state* t = apl_state_contact(s->state, i);
    friction_numbers F;
    if (!s->model->pair[i].bristles) continue;
    memcpy(&F, s->model->par + s->model->pair[i].par + PAIR_FRICTION, sizeof F);
    memcpy(z, psi, 2 * sizeof *z);
    if (!apl_contact_is_open(t)) bristles_at(t->slip, &F, c, psi, z);
    z += 2;
    psi += 2;
  }
  return st;
}
