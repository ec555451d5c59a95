/* SPDX-License-Identifier: Apache-2.0 */
/* contact_step.c: contacts of one time step as constraint rows at velocity level. With u the
   separation velocity, u- at the start and u+ at the end of the step, g = -D the gap and P >= 0 the
   normal impulse, complementary to

     rigid      u+ >= -max(g, 0) / h          the contact may close the gap, but not penetrate
     hit        u+ >= -e u-                   approach faster than rest-speed: Newton's restitution
     compliant  u+ + c P >= s                 P = h F(D - h u+, -u+), linearised

   and friction by the principle of maximum dissipation in the friction cone. */
#include "kind/contact.h"
#include "kind/soft_row.h"

#include "law/contact_law.h"

#include <math.h>
#include <string.h>

static const apl_pair* pair_of(const apl_system* s, int i) {
  return &s->model->pair[i];
}

static double number_of(const apl_system* s, int i, int k) {
  return s->model->par[pair_of(s, i)->par + k];
}

/* Remove the forces of the last step, which outputs may have read. Find the shapes that may touch
   within this step. */
apl_status apl_contact_step_begin(apl_system* s, const coupling_pass* p) {
  bool changed;

  apl_system_clear_push(s);
  for (int i = 0; i < s->npair; ++i)
    apl_contact_set_sticks(apl_state_contact(s->state, i), false);
  return apl_system_touch(s, p->h, p->h, false, &changed);
}

/* Depths and velocities of contacts at the start of a step. Also computes poses of frames. */
apl_status apl_contact_step_look(apl_system* s) {
  const apl_status st = apl_contacts(s->model, s->state);

  for (int i = 0; i < s->npair; ++i) {
    const contact_state* c = apl_state_contact(s->state, i);
    contact_step* x = &apl_contact_steps(s)[i];
    memcpy(x->before, (double[3]){-c->rate, c->slip[0], c->slip[1]}, sizeof x->before);
    x->depth = c->depth;
  }
  return st;
}

/* Velocities of all contacts without contact impulses, at the poses of the start. *fastest: the
   largest approach speed. */
static apl_status look_ahead(apl_system* s, const coupling_pass* p, double* fastest) {
  double* v = apl_v(s->state);

  for (int j = 0; j < s->nv; ++j)
    v[j] = p->v[j] + p->free[j];
  apl_status st = apl_frames_speed(s->model, s->state);
  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    contact_step* c = &apl_contact_steps(s)[i];
    if (apl_system_is_free(s, i)) continue;
    apl_contact_ways(s->model, s->state, i, c->way, c->number);
    st = apl_ways_motion(s->model, s->state, c->way, c->number, 3, c->velocity, NULL);
    *fastest = fmax(*fastest, fabs(c->velocity[0]));
  }
  return st;
}

/* A contact with a prescribed normal load: its normal row is inactive, and its friction set has
   constant size during the step. Decoupled friction is an interval along each tangent. */
static int add_pressed(apl_system* s, int i, double h) {
  apl_rows* r = &s->rows;
  const apl_pair* pair = pair_of(s, i);
  const apl_section C = apl_contact_section(s->model, i, s->contacts.note[i].stuck);
  const double load = h * number_of(s, i, PAIR_LOAD);
  const int at = apl_rows_add(r, APL_SET_INTERVAL, 1);

  if (pair->friction == FRICTION_DECOUPLED) {
    for (int k = 0; k < 2; ++k) {
      apl_rows_add(r, APL_SET_INTERVAL, 1);
      r->block[r->nblock - 1].lo = -load * C.minus[k];
      r->block[r->nblock - 1].hi = load * C.plus[k];
    }
  } else if (pair->friction != FRICTION_NONE) {
    apl_rows_add(r, APL_SET_DISC, 2);
    r->block[r->nblock - 1].section = C;
    r->block[r->nblock - 1].load = load;
  }
  return at;
}

/* The tangent normal to the plane of a planar robot, along which nothing moves: 1, 2, or 0 for
   none. */
static int idle_direction(const apl_model* m, const contact_state* c) {
  const double* n = m->across;

  for (int k = 1; k < 3; ++k) {
    const double* e = c->axis + 3 * k;
    if (fabs(e[0] * n[0] + e[1] * n[1] + e[2] * n[2]) > 1.0 - 1e-12) return k;
  }
  return 0;
}

/* Choose the rows of contact i. In a planar robot one tangent is inactive, and the friction cone is
   two-dimensional. */
static void choose_rows(apl_system* s, int i) {
  contact_step* c = &apl_contact_steps(s)[i];
  const contact_state* now = apl_state_contact(s->state, i);
  const bool rubs = pair_of(s, i)->friction != FRICTION_NONE;
  const int idle = rubs && !pair_of(s, i)->pressed ? idle_direction(s->model, now) : 0;

  c->along = idle == 1 ? 2 : 1;
  c->rows = !rubs ? 1 : idle > 0 ? 2 : 3;
}

static int add_cone(apl_system* s, int i) {
  static const apl_set set[] = {APL_SET_HALF_LINE, APL_SET_WEDGE, APL_SET_CONE};
  apl_rows* r = &s->rows;
  const contact_step* c = &apl_contact_steps(s)[i];
  const int at = apl_rows_add(r, set[c->rows - 1], c->rows);
  apl_section* section = &r->block[r->nblock - 1].section;

  *section = apl_contact_section(s->model, i, s->contacts.note[i].stuck);
  if (c->along == 2) {
    section->plus[0] = section->plus[1];
    section->minus[0] = section->minus[1];
  }
  return at;
}

/* Axis of the k-th row of a contact: 0 is the normal, 1 and 2 the tangents. */
static int axis_of(const contact_step* c, int k) {
  return k == 1 ? c->along : k;
}

/* Add the rows of contact i, with the velocities without contact impulses in q; the impulses of the
   last step are the solver's initial guess in r. */
static void add_rows(apl_system* s, int i, double h) {
  apl_rows* r = &s->rows;
  contact_step* c = &apl_contact_steps(s)[i];

  choose_rows(s, i);
  const int at = pair_of(s, i)->pressed ? add_pressed(s, i, h) : add_cone(s, i);
  for (int k = 0; k < c->rows; ++k) {
    const int axis = axis_of(c, k);
    r->way[at + k] = c->way[axis];
    memcpy(r->number + (at + k) * ROW_NUMBERS, c->number + axis * ROW_NUMBERS,
           sizeof *c->number * ROW_NUMBERS);
    r->q[at + k] = c->velocity[axis];
    r->r[at + k] = s->contacts.note[i].last[axis];
  }
  c->row = at;
}

apl_status apl_contact_step_list(apl_system* s, const coupling_pass* p) {
  double fastest = 0.0;
  const apl_status st = look_ahead(s, p, &fastest);

  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    contact_step* c = &apl_contact_steps(s)[i];
    /* a contact farther away than the fastest one can move in a step has no rows */
    c->row = -1;
    c->hit = false;
    if (pair_of(s, i)->pressed || -c->depth <= p->h * fastest + 1e-9 * s->scale.length)
      add_rows(s, i, p->h);
  }
  return st;
}

/* Compliance and shift of the row of a compliant contact. */
static void soften(apl_system* s, int i, coupling_pass* p) {
  apl_rows* r = &s->rows;
  contact_step* c = &apl_contact_steps(s)[i];
  contact_state* now = apl_state_contact(s->state, i);
  const double h = p->h, rest = number_of(s, i, PAIR_REST);
  double* W = &r->W[c->row * r->n + c->row];
  const soft_step step = {.h = h, .W = *W, .free = r->q[c->row], .depth = c->depth};
  normal_numbers N;

  memcpy(&N, s->model->par + pair_of(s, i)->par + PAIR_NORMAL, sizeof N);
  if (!s->contacts.note[i].closed) now->speed = fmax(-c->before[0], rest);
  const soft_row soft = apl_soft_row(&N, now->speed, &step, 1e-3 * h * fmax(fabs(step.free), rest));

  apl_pass_stiff(p, h * sqrt(soft.k * *W), i);
  *W += soft.softness;
  c->softness = soft.softness;
  c->shift = soft.shift;
  r->q[c->row] += soft.shift;
}

/* Bound of a rigid contact's velocity: it may close the gap, or rebound at e times its approach
   speed. */
static void restrain(apl_system* s, int i, double h) {
  contact_step* c = &apl_contact_steps(s)[i];
  const double e = number_of(s, i, PAIR_RESTITUTION);
  double* q = &s->rows.q[c->row];

  c->hit = -c->before[0] >= number_of(s, i, PAIR_REST) && c->depth - h * *q >= 0.0;
  c->shift = c->hit && e > 0.0 ? e * c->before[0] : fmax(-c->depth, 0.0) / h;
  c->softness = 0.0;
  *q += c->shift;
}

void apl_contact_step_soften(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < s->npair; ++i) {
    contact_step* c = &apl_contact_steps(s)[i];
    if (c->row < 0) continue;
    if (pair_of(s, i)->pressed) {
      c->shift = c->softness = 0.0;
    } else if (pair_of(s, i)->rigid) {
      restrain(s, i, p->h);
    } else {
      soften(s, i, p);
    }
  }
}

bool apl_system_contact_acts(const apl_system* s, int i) {
  return s->kinds.memory != NULL ? apl_contact_steps(s)[i].row >= 0
                                 : !apl_contact_is_open(apl_state_contact(s->state, i));
}

/* Store the impulses in the notes, and the velocities at the end of the step. */
apl_status apl_contact_step_take(apl_system* s, const coupling_pass* p) {
  const apl_rows* r = &s->rows;
  apl_status st = APL_OK;

  for (int i = 0; i < s->npair; ++i) {
    contact_step* c = &apl_contact_steps(s)[i];
    memset(s->contacts.note[i].last, 0, sizeof s->contacts.note[i].last);
    memset(c->after, 0, sizeof c->after);
    for (int k = 0; c->row >= 0 && k < c->rows; ++k) {
      s->contacts.note[i].last[axis_of(c, k)] = r->r[c->row + k];
      c->after[axis_of(c, k)] = r->u[c->row + k];
    }
    if (c->row < 0) continue;
    /* the row's u contains shift and softness; subtract them to get the velocity */
    c->after[0] -= c->shift + c->softness * s->contacts.note[i].last[0];
    if (pair_of(s, i)->pressed) s->contacts.note[i].last[0] = p->h * number_of(s, i, PAIR_LOAD);
    if (st == APL_OK && pair_of(s, i)->rigid) st = apl_system_check_stopped(s, i, c->row);
  }
  return st;
}

/* ---------------------------------------------------------------------------------- drift ---- */

/* Penetrations below this depth are not corrected [m]. */
static double shallow(const apl_system* s) {
  return 1e-8 * s->scale.length;
}

static bool sinks(const apl_system* s, int i) {
  return apl_contact_steps(s)[i].row >= 0 && pair_of(s, i)->rigid &&
         s->contacts.note[i].last[0] > 0.0;
}

/* Rows of contact i for a position correction: out of the ground by its depth, and no tangential
   motion if it sticks. Other rows get no force. */
static void place_lift(apl_system* s, int i, double h) {
  apl_rows* r = &s->rows;
  const contact_step* c = &apl_contact_steps(s)[i];
  const int at = c->row;

  for (int k = 0; k < c->rows; ++k) {
    const bool held = sinks(s, i) && (k == 0 || s->contacts.note[i].stuck);
    r->block[r->nblock++] =
        (apl_cone_block){.set = held ? APL_SET_FREE : APL_SET_INTERVAL, .row = at + k};
    r->q[at + k] = held && k == 0 ? -fmax(c->depth, 0.0) / h : 0.0;
    r->r[at + k] = 0.0;
  }
}

bool apl_contact_step_drifts(const apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->npair; ++i)
    any = any || (sinks(s, i) && apl_contact_steps(s)[i].depth > shallow(s));
  return any;
}

/* Position correction: a velocity w that moves loaded contacts out of the ground, J_n w = D / h. */
void apl_contact_step_lift(apl_system* s, const coupling_pass* p) {
  for (int i = 0; i < s->npair; ++i) {
    if (apl_contact_steps(s)[i].row >= 0) place_lift(s, i, p->h);
  }
}
