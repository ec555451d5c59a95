/* supports.c: what holds velocities and contacts at rest, and what makes velocities jump. Both ask
   what unit pushes do, and answer by small systems in J M^-1 J^T. */
#include "system/holding.h"
#include "system/system_impl.h"

#include <math.h>
#include <string.h>

static bool is_stuck(const contact_state* c) {
  return c->stick > 0.5;
}

/* Rigid contacts at rest keep their normal, contacts that stick their directions. */
static bool held_rows(apl_system* s, rows* r) {
  r->n = 0;
  for (int k = 0; k < s->nheld; ++k)
    r->row[r->n++] = (row){-1, s->held[k]};
  for (int i = 0; i < s->npair; ++i) {
    const contact_state* t = apl_state_contact(s->state, i);
    const bool rests = s->model->pair[i].rigid && t->on > 0.0;
    const bool sticks = is_stuck(t);
    if (r->n + rests + 2 * sticks > APL_MOST_HELD) return false;
    if (rests) r->row[r->n++] = (row){i, 0};
    if (sticks) r->row[r->n++] = (row){i, 1};
    if (sticks) r->row[r->n++] = (row){i, 2};
  }
  return true;
}

static double* push_of(apl_system* s, row r) {
  if (r.contact < 0) return apl_tau(s->state) + r.k;
  return &apl_state_contact(s->state, r.contact)->push[r.k];
}

/* Component k of a vector (w, v) of motion of the port, at the point of the contact that touches:
   e . (v + w x (-r n)) */
static double at_point(const apl_model* m, const apl_pair* p, int k, const double* motion) {
  const double *par = m->par + p->par, *n = par + PAIR_AXES, *e = n + 3 * k;
  const double r = par[PAIR_RADIUS], *w = motion, *v = motion + 3;
  const double slip[3] = {v[0] - r * (w[1] * n[2] - w[2] * n[1]),
                          v[1] - r * (w[2] * n[0] - w[0] * n[2]),
                          v[2] - r * (w[0] * n[1] - w[1] * n[0])};

  return e[0] * slip[0] + e[1] * slip[1] + e[2] * slip[2];
}

/* Rates of the rows' velocities, for the accelerations in the state. */
static apl_status row_rates(apl_system* s, const rows* r, double* out) {
  apl_status st = APL_OK;
  double V[6], A[6];
  int known = -1;

  for (int i = 0; i < r->n && st == APL_OK; ++i) {
    const row* w = &r->row[i];
    if (w->contact < 0) {
      out[i] = apl_a(s->state)[w->k];
      continue;
    }
    const apl_pair* p = &s->model->pair[w->contact];
    if (known != w->contact)
      st = apl_port_motion(s->model, s->state, p->port, APL_WORLD_AXES, V, A);
    known = w->contact;
    out[i] = at_point(s->model, p, w->k, A);
  }
  return st;
}

/* What slip is left of a contact that sticks goes away at this rate [1/s]. */
static const double settling = 1000.0;

/* Accelerations are linear in the pushes: one pass tells what is without them, one more per row
   what each does. Held are: velocities and normals, a = 0; slips, a = -settling slip. */
apl_status apl_system_forward(apl_system* s) {
  double rate[APL_MOST_HELD], given[APL_MOST_HELD], unit = 1.0;
  rows r;
  holding h;

  h.r = &r;
  h.n = 0;

  s->fresh = false;
  memset(s->pull, 0, sizeof *s->pull * (size_t)s->npair);
  if (!held_rows(s, &r)) return APL_ERR_ARGUMENT;
  for (int i = 0; i < s->npair; ++i)
    memset(apl_state_contact(s->state, i)->push, 0, 3 * sizeof(double));
  apl_status st = apl_forward(s->model, s->state);
  if (r.n == 0 || st != APL_OK) return st;

  st = row_rates(s, &r, h.b);
  /* a push as large as those that act, or their round-off would hide what it does */
  for (int i = 0; i < s->npair; ++i)
    unit = fmax(unit, apl_state_contact(s->state, i)->force[0]);
  for (int i = 0; i < r.n; ++i)
    given[i] = *push_of(s, r.row[i]);
  for (int k = 0; k < r.n && st == APL_OK; ++k) {
    *push_of(s, r.row[k]) = given[k] + unit;
    st = apl_forward(s->model, s->state);
    if (st == APL_OK) st = row_rates(s, &r, rate);
    for (int i = 0; i < r.n; ++i)
      h.G[i][k] = (rate[i] - h.b[i]) / unit;
    *push_of(s, r.row[k]) = given[k];
  }
  if (st == APL_OK) st = apl_forward(s->model, s->state); /* forces of the laws alone, for cones */
  if (st != APL_OK) return st;
  for (int i = 0; i < r.n; ++i) {
    const row w = r.row[i];
    h.b[i] = -h.b[i];
    if (w.contact < 0 || w.k == 0) continue;
    const apl_pair* pair = &s->model->pair[w.contact];
    const contact_state* t = apl_state_contact(s->state, w.contact);
    h.b[i] -= settling * t->slip[w.k - 1];
    if (w.k == 1) {
      const double* par = s->model->par + pair->par + PAIR_FRICTION;
      apl_hold_cone(&h, i, par[1], pair->rigid ? -1.0 : fmax(t->force[0], 0.0), par[2]);
    }
  }
  apl_hold(&h, s->pull);
  for (int i = 0; i < r.n; ++i)
    *push_of(s, r.row[i]) = given[i] + h.p[i];
  st = apl_forward(s->model, s->state);
  for (int i = 0; i < r.n; ++i) {
    if (r.row[i].contact >= 0) continue;
    *push_of(s, r.row[i]) = given[i];
    apl_a(s->state)[r.row[i].k] = 0.0;
    s->push[i] = h.p[i]; /* velocities stand first */
  }
  return st;
}

/* ---------------------------------------------------------------------------------- impacts ----
 */

/* Contacts that take part in an impact: normals of rigid ones that are hit or closed, and the
   directions of those with friction. */
static bool impact_rows(apl_system* s, const bool* hit, rows* r) {
  r->n = 0;
  for (int k = 0; k < s->nheld; ++k)
    r->row[r->n++] = (row){-1, s->held[k]};
  for (int i = 0; i < s->npair; ++i) {
    const apl_pair* p = &s->model->pair[i];
    const bool closed = apl_state_contact(s->state, i)->on > 0.0;
    const bool normal = p->rigid && ((i < APL_MOST_HELD && hit[i]) || closed);
    const bool along = normal && p->friction != 0;
    if (r->n + normal + 2 * along > APL_MOST_HELD) return false;
    if (normal) r->row[r->n++] = (row){i, 0};
    if (along) r->row[r->n++] = (row){i, 1};
    if (along) r->row[r->n++] = (row){i, 2};
  }
  return true;
}

/* Velocity of a row, after apl_contacts(). */
static double row_velocity(apl_system* s, row w) {
  if (w.contact < 0) return apl_v(s->state)[w.k];
  const contact_state* t = apl_state_contact(s->state, w.contact);
  return w.k == 0 ? -t->rate : t->slip[w.k - 1];
}

/* What unit impulses do is what unit pushes do to accelerations, with friction asleep. */
static apl_status respond(apl_system* s, holding* h) {
  double rate[APL_MOST_HELD], none[APL_MOST_HELD];
  const rows* r = h->r;
  apl_status st = apl_forward(s->model, s->state);

  if (st == APL_OK) st = row_rates(s, r, none);
  for (int k = 0; k < r->n && st == APL_OK; ++k) {
    *push_of(s, r->row[k]) += 1.0;
    st = apl_forward(s->model, s->state);
    if (st == APL_OK) st = row_rates(s, r, rate);
    for (int i = 0; i < r->n; ++i)
      h->G[i][k] = rate[i] - none[i];
    *push_of(s, r->row[k]) -= 1.0;
  }
  return st;
}

/* v += M^-1 J^T p: the difference of two passes */
static apl_status jump(apl_system* s, const holding* h) {
  const rows* r = h->r;
  double* v = apl_v(s->state);
  apl_status st = apl_forward(s->model, s->state);

  for (int j = 0; j < s->nv && st == APL_OK; ++j)
    s->seen[j] = apl_a(s->state)[j];
  for (int i = 0; i < r->n; ++i)
    *push_of(s, r->row[i]) += h->p[i];
  if (st == APL_OK) st = apl_forward(s->model, s->state);
  for (int j = 0; j < s->nv && st == APL_OK; ++j)
    v[j] += apl_a(s->state)[j] - s->seen[j];
  for (int i = 0; i < r->n; ++i)
    *push_of(s, r->row[i]) -= h->p[i];
  return st;
}

/* u+ = u + G p: an impact holds as supports do, but for a moment: p are impulses, and normals that
   are hit shall leave with e times the speed they came with. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double* impulse) {
  double stick[APL_MOST_HELD];
  rows r;
  holding h = {.r = &r};
  if (s->npair > APL_MOST_HELD || !impact_rows(s, hit, &r)) return APL_ERR_ARGUMENT;

  for (int i = 0; i < s->npair; ++i) {
    contact_state* c = apl_state_contact(s->state, i);
    stick[i] = c->stick;
    memset(c->push, 0, sizeof c->push);
  }
  apl_contacts(s->model, s->state);
  for (int i = 0; i < r.n; ++i) {
    const row w = r.row[i];
    const double* par = s->model->par + (w.contact < 0 ? 0 : s->model->pair[w.contact].par);
    const double u = row_velocity(s, w);
    h.b[i] = -u;
    if (w.contact >= 0 && w.k == 0 && -u >= par[PAIR_REST] && hit[w.contact])
      h.b[i] -= par[PAIR_RESTITUTION] * u;
    if (w.k == 1 && w.contact >= 0)
      apl_hold_cone(&h, i, par[PAIR_FRICTION + (stick[w.contact] > 0.5 ? 1 : 0)], -1.0,
                    par[PAIR_FRICTION + 2]);
  }
  for (int i = 0; i < s->npair; ++i)
    apl_state_contact(s->state, i)->stick = 1.0; /* only impulses act along the ground */
  apl_status st = respond(s, &h);
  apl_hold(&h, s->pull);
  if (st == APL_OK) st = jump(s, &h);

  memset(impulse, 0, 3 * sizeof *impulse * (size_t)s->npair);
  for (int i = 0; i < r.n; ++i) {
    if (r.row[i].contact >= 0) impulse[3 * r.row[i].contact + r.row[i].k] = h.p[i];
  }
  for (int i = 0; i < s->npair; ++i) {
    contact_state* c = apl_state_contact(s->state, i);
    c->stick = stick[i];
    memset(c->push, 0, sizeof c->push);
  }
  s->fresh = false;
  return st;
}
