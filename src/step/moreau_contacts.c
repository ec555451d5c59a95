/* moreau_contacts.c: contacts of one time step as rows on the level of velocities. With u the
   velocity of a contact away from the ground, g = -D its gap and P its impulse:

     rigid      P >= 0,  u+ >= -max(g, 0) / h          it may come as far as the ground, not farther
     hit        P >= 0,  u+ >= -e u-                   faster than rest-speed: Newton's restitution
     compliant  P >= 0,  u+ + c P >= s                 P = h F(D - h u+, -u+), made linear

   and friction: most dissipation in the cone. */
#include "couple/contact_rows.h"
#include "step/moreau.h"

#include <math.h>
#include <string.h>

static const apl_pair* pair_of(const apl_moreau* m, int i) {
  return &m->system->model->pair[i];
}

static double number_of(const apl_moreau* m, int i, int k) {
  return m->system->model->par[pair_of(m, i)->par + k];
}

apl_status apl_moreau_look(apl_moreau* m) {
  apl_system* s = m->system;
  if (s->npair == 0) return APL_OK;

  const apl_status st = apl_contacts(s->model, s->state);
  for (int i = 0; i < s->npair; ++i) {
    const contact_state* c = apl_state_contact(s->state, i);
    memcpy(m->contact[i].before, (double[3]){-c->rate, c->slip[0], c->slip[1]},
           sizeof m->contact[i].before);
    m->contact[i].depth = c->depth;
  }
  return st;
}

/* Velocities of all contacts in the free motion, where the step begins. Returns the fastest. */
static apl_status look_ahead(apl_moreau* m, double* fastest) {
  apl_system* s = m->system;
  double* v = apl_v(s->state);

  for (int j = 0; j < s->nv; ++j)
    v[j] = m->v[j] + m->free[j];
  apl_status st = apl_frames_speed(s->model, s->state);
  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    moreau_contact* c = &m->contact[i];
    if (apl_system_is_free(s, i)) continue;
    apl_contact_ways(s->model, s->state, i, c->way, c->number);
    st = apl_ways_motion(s->model, s->state, c->way, c->number, 3, c->velocity, NULL);
    *fastest = fmax(*fastest, fabs(c->velocity[0]));
  }
  return st;
}

/* A contact whose load is given has no normal to find: its row is idle, and friction's set stands
   still during the step. Decoupled friction is an interval along each direction. */
static int add_pressed(apl_moreau* m, int i, double h) {
  apl_rows* r = &m->system->rows;
  const apl_pair* pair = pair_of(m, i);
  const apl_section C = apl_contact_section(m->system->model, i, m->system->note[i].stuck);
  const double load = h * number_of(m, i, PAIR_LOAD);
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

/* The direction along the ground that stands across the plane of a flat robot, where nothing moves:
   1, 2, or 0: none. */
static int idle_direction(const apl_model* m, const contact_state* c) {
  const double* normal = m->par + m->frame[0].plane + PLANE_AXES + 6;

  for (int k = 1; k < 3 && m->flat; ++k) {
    const double* e = c->axis + 3 * k;
    if (fabs(e[0] * normal[0] + e[1] * normal[1] + e[2] * normal[2]) > 1.0 - 1e-12) return k;
  }
  return 0;
}

/* Friction without a direction that is idle is a cone in the plane. */
static void choose_rows(apl_moreau* m, int i) {
  moreau_contact* c = &m->contact[i];
  const contact_state* now = apl_state_contact(m->system->state, i);
  const bool rubs = pair_of(m, i)->friction != FRICTION_NONE;
  const int idle = rubs && !pair_of(m, i)->pressed ? idle_direction(m->system->model, now) : 0;

  c->along = idle == 1 ? 2 : 1;
  c->rows = !rubs ? 1 : idle > 0 ? 2 : 3;
}

static int add_cone(apl_moreau* m, int i) {
  static const apl_set set[] = {APL_SET_HALF_LINE, APL_SET_WEDGE, APL_SET_CONE};
  apl_rows* r = &m->system->rows;
  const moreau_contact* c = &m->contact[i];
  const int at = apl_rows_add(r, set[c->rows - 1], c->rows);
  apl_section* section = &r->block[r->nblock - 1].section;

  *section = apl_contact_section(m->system->model, i, m->system->note[i].stuck);
  if (c->along == 2) {
    section->plus[0] = section->plus[1];
    section->minus[0] = section->minus[1];
  }
  return at;
}

/* The axis of the k-th row of a contact: 0 is the normal. */
static int axis_of(const moreau_contact* c, int k) {
  return k == 1 ? c->along : k;
}

/* Rows of contact i with its free velocities in q and the impulses of the last step in r. */
static void add_rows(apl_moreau* m, int i, double h) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  const moreau_contact* c = &m->contact[i];

  choose_rows(m, i);
  const int at = pair_of(m, i)->pressed ? add_pressed(m, i, h) : add_cone(m, i);
  for (int k = 0; k < m->contact[i].rows; ++k) {
    const int axis = axis_of(&m->contact[i], k);
    r->way[at + k] = c->way[axis];
    memcpy(r->number + (at + k) * ROW_NUMBERS, c->number + axis * ROW_NUMBERS,
           sizeof *c->number * ROW_NUMBERS);
    r->q[at + k] = c->velocity[axis];
    r->r[at + k] = s->note[i].last[axis];
  }
  m->contact[i].row = at;
}

/* The velocity that contact i would have by itself: the zero of
     u - u_free - W h F(D - h u, -u),   which grows with u, between u_free and D / h */
static double alone(const normal_numbers* N, double speed_in, double D, double h, double W,
                    double u_free) {
  double low = u_free, high = fmax(u_free, D / h), u = low;

  for (int k = 0; k < 60 && high - low > 1e-12 * (fabs(low) + fabs(high)); ++k) {
    const double F = normal_force(D - h * u, -u, speed_in, N, false);
    const double g = u - u_free - W * h * F;
    if (g > 0.0) {
      high = u;
    } else {
      low = u;
    }
    /* Newton's step where it stays between, else halve */
    const double d = fmax(D - h * u, 0.0);
    const double elastic = normal_elastic(d, N);
    const double slope =
        1.0 + W * h * (h * N->n * elastic / fmax(d, 1e-300) + N->c * elastic / speed_in + N->b);
    u = u - g / slope;
    if (!(u > low && u < high)) u = 0.5 * (low + high);
  }
  return u;
}

/* P = h (F0 + k (D - h u - D0) - b u)  =>  u + c P = s,  c = 1 / (h^2 k + h b) */
soft_row apl_moreau_soft_row(const normal_numbers* N, double speed_in, const soft_step* step,
                             double touch) {
  const double h = step->h, D = step->depth;
  const double u = alone(N, speed_in, D, h, step->W, step->free);
  const double D0 = fmax(D - h * u, 0.0), F0 = normal_elastic(D0, N);
  /* the tangent at D0; where it does not touch yet, a secant of the depth it might come to */
  const double deep = fmax(D0, touch);
  const double k = N->n * normal_elastic(deep, N) / deep;
  const double b = N->b + N->c * F0 / speed_in;
  const double c = 1.0 / (h * h * k + h * b);

  return (soft_row){.shift = -c * h * (F0 + k * (D - D0)), .softness = c, .k = k};
}

/* Compliance and shift of a compliant contact. */
static void soften(apl_moreau* m, int i, double h) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  const int at = m->contact[i].row;
  double* W = &r->W[at * r->n + at];
  const soft_step step = {.h = h, .W = *W, .free = r->q[at], .depth = m->contact[i].depth};
  normal_numbers N;

  memcpy(&N, s->model->par + pair_of(m, i)->par + PAIR_NORMAL, sizeof N);
  if (!s->note[i].closed)
    apl_state_contact(s->state, i)->speed =
        fmax(-m->contact[i].before[0], number_of(m, i, PAIR_REST));
  const soft_row soft =
      apl_moreau_soft_row(&N, apl_state_contact(s->state, i)->speed, &step,
                          1e-3 * h * fmax(fabs(step.free), number_of(m, i, PAIR_REST)));

  apl_moreau_stiff(&m->worst, h * sqrt(soft.k * *W), i);
  *W += soft.softness;
  m->contact[i].softness = soft.softness;
  m->contact[i].shift = soft.shift;
  r->q[at] += soft.shift;
}

/* Where a rigid contact may go: to the ground, or back with e times the speed it came with. */
static void restrain(apl_moreau* m, int i, double h) {
  moreau_contact* c = &m->contact[i];
  const double e = number_of(m, i, PAIR_RESTITUTION);
  double* q = &m->system->rows.q[c->row];

  c->hit = -c->before[0] >= number_of(m, i, PAIR_REST) && c->depth - h * *q >= 0.0;
  c->shift = c->hit && e > 0.0 ? e * c->before[0] : fmax(-c->depth, 0.0) / h;
  c->softness = 0.0;
  *q += c->shift;
}

apl_status apl_moreau_rows(apl_moreau* m, double h) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  double fastest = 0.0;
  apl_status st = s->npair > 0 ? look_ahead(m, &fastest) : APL_OK;

  apl_rows_clear(r);
  for (int k = 0; k < s->nheld; ++k) {
    const int at = apl_rows_add(r, APL_SET_FREE, 1);
    r->way[at].velocity[0] = s->held[k];
    r->number[at * ROW_NUMBERS + ROW_EFFORT] = 1.0;
    r->q[at] = m->v[s->held[k]] + m->free[s->held[k]];
    r->r[at] = h * s->push[k];
  }
  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    /* farther away than any contact gets in a step, it cannot act */
    m->contact[i].row = -1;
    m->contact[i].hit = false;
    if (pair_of(m, i)->pressed || -m->contact[i].depth <= h * fastest + 1e-9) add_rows(m, i, h);
  }
  apl_moreau_add_parts(m, h);
  if (st == APL_OK) st = apl_moreau_list_loops(m);
  if (st != APL_OK || r->n == 0) return st;
  st = apl_rows_inertia(r, s->model, s->state, false);
  if (st == APL_OK) apl_moreau_soften_loops(m, h);
  if (st == APL_OK) apl_moreau_soften_parts(m, h);
  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    if (m->contact[i].row < 0) continue;
    if (pair_of(m, i)->pressed) {
      m->contact[i].shift = m->contact[i].softness = 0.0;
    } else if (pair_of(m, i)->rigid) {
      restrain(m, i, h);
    } else {
      soften(m, i, h);
    }
  }
  return st;
}

/* Impulses into the notes, and the velocities at the end of the step. */
void apl_moreau_take(apl_moreau* m, double h) {
  apl_system* s = m->system;
  const apl_rows* r = &s->rows;

  for (int k = 0; k < s->nheld; ++k)
    s->push[k] = r->r[k] / h; /* the mean effort, as after the other methods */
  apl_moreau_take_loops(m);
  apl_moreau_take_parts(m);
  for (int i = 0; i < s->npair; ++i) {
    moreau_contact* c = &m->contact[i];
    memset(s->note[i].last, 0, sizeof s->note[i].last);
    memset(c->after, 0, sizeof c->after);
    for (int k = 0; c->row >= 0 && k < c->rows; ++k) {
      s->note[i].last[axis_of(c, k)] = r->r[c->row + k];
      c->after[axis_of(c, k)] = r->u[c->row + k];
    }
    if (c->row < 0) continue;
    /* the row's u is that of its law */
    c->after[0] -= c->shift + c->softness * s->note[i].last[0];
    if (pair_of(m, i)->pressed) s->note[i].last[0] = h * number_of(m, i, PAIR_LOAD);
  }
}

/* ---------------------------------------------------------------------------------- drift ---- */

/* Depths below that are left alone [m]. */
static const double shallow = 1e-8;

static bool sinks(const apl_moreau* m, int i) {
  return m->contact[i].row >= 0 && pair_of(m, i)->rigid && m->system->note[i].last[0] > 0.0;
}

/* Rows of contact i for a displacement: out of the ground by its depth, and not along it where it
   sticks; other rows have no force. */
static void place_lift(apl_moreau* m, int i, double h) {
  apl_rows* r = &m->system->rows;
  const int at = m->contact[i].row;

  for (int k = 0; k < m->contact[i].rows; ++k) {
    const bool held = sinks(m, i) && (k == 0 || m->system->note[i].stuck);
    r->block[r->nblock++] =
        (apl_cone_block){.set = held ? APL_SET_FREE : APL_SET_INTERVAL, .row = at + k};
    r->q[at + k] = held && k == 0 ? -fmax(m->contact[i].depth, 0.0) / h : 0.0;
    r->r[at + k] = 0.0;
  }
}

/* A velocity w that moves contacts which press out of the ground, J_n w = D / h, and closes the
   gaps of loops. Only coordinates follow it, so it adds no kinetic energy. */
apl_status apl_moreau_lift(apl_moreau* m, double h, double* lift, bool* any) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;

  *any = false;
  for (int i = 0; i < s->npair; ++i)
    *any = *any || (sinks(m, i) && m->contact[i].depth > shallow);
  *any = *any || apl_system_loops_are_rows(s);
  if (!*any) return APL_OK;
  r->nblock = s->nheld;
  for (int k = 0; k < s->nheld; ++k)
    r->q[k] = r->r[k] = 0.0;
  for (int i = 0; i < s->npair; ++i) {
    if (m->contact[i].row >= 0) place_lift(m, i, h);
  }
  apl_moreau_idle_parts(m);
  apl_moreau_lift_loops(m, h);
  if (apl_rows_solve(r, true, false, false).status == APL_CONE_FAILED) {
    *any = false;
    return APL_OK; /* the next step tries again */
  }
  return apl_rows_spread(r, s->model, s->state, s->innovation, lift, NULL);
}
