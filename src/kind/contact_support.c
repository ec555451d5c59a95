/* SPDX-License-Identifier: Apache-2.0 */
/* contact_support.c: contacts with constraint forces: resting and sticking contacts (forces), and
   impacts (impulses). Theory: docs/theory/contact.md, "Supports". */
#include "kind/contact.h"

#include "base/error.h"
#include "law/contact_law.h"

#include <math.h>
#include <string.h>

/* Rate [1/s] at which the remaining sliding velocity of a sticking contact, and the remaining
   normal velocity of a resting contact, decay: within a thousandth of the time scale. */
static double settling(const apl_system* s) {
  return 1000.0 / s->scale.time;
}

double apl_system_settling(const apl_system* s) {
  return 0.5 * settling(s);
}

/* Add a block of rows for contact i. first_row[i] is the index of its normal row; a contact with
   tangential rows only has first_row one below them. */
static void add_contact(apl_system* s, int i, apl_set set, const apl_way* way,
                        const double* number) {
  apl_rows* r = &s->rows;
  const int axis = set == APL_SET_DISC ? 1 : 0, n = apl_set_rows(set),
            first = apl_rows_add(r, set, n);

  memcpy(r->way + first, way + axis, sizeof *way * (size_t)n);
  memcpy(r->number + first * ROW_NUMBERS, number + axis * ROW_NUMBERS,
         sizeof *number * (size_t)(n * ROW_NUMBERS));
  s->contacts.first_row[i] = first - axis;
}

/* ---------------------------------------------------------------------------------- forces ---- */

/* True for a resting rigid contact. Time-stepping methods have no such constraint forces: their
   contacts act by impulses. */
static bool rests(const apl_system* s, int i) {
  return !s->stepping.impulsive && s->model->pair[i].rigid &&
         !apl_contact_is_open(apl_state_contact(s->state, i));
}

static bool sticks(const apl_system* s, int i) {
  return !s->stepping.impulsive && apl_contact_sticks(apl_state_contact(s->state, i));
}

/* True if a rigid contact slides; then its friction is rub[2] per unit of normal force. */
static bool slides(const apl_system* s, int i, double rub[2]) {
  const apl_pair* pair = &s->model->pair[i];
  const contact_state* c = apl_state_contact(s->state, i);
  friction_numbers F;
  double unused[2];

  rub[0] = rub[1] = 0.0;
  if (sticks(s, i) || pair->friction == FRICTION_NONE) return false;
  memcpy(&F, s->model->par + pair->par + PAIR_FRICTION, sizeof F);
  if (pair->bristles) {
    friction_bristles(c->slip, c->z, &F, rub, unused);
  } else {
    friction_force((friction_law)pair->friction, c->slip, &F, rub);
  }
  return true;
}

/* Add the rows of contact i: its normal if it is rigid and rests, its tangents if it sticks. q:
   accelerations without constraint forces plus the terms that let remaining velocities decay.
   Returns true if it slides: then its force is not along its normal, so the matrix is not
   symmetric. */
static bool add_support(apl_system* s, int i) {
  apl_rows* r = &s->rows;
  const contact_state* c = apl_state_contact(s->state, i);
  const double velocity[3] = {-c->rate, c->slip[0], c->slip[1]};
  const bool normal = rests(s, i), along = sticks(s, i);
  double number[3 * ROW_NUMBERS], a[3], rub[2];
  apl_way way[3];
  if (!normal && !along) return false;

  apl_contact_ways(s->model, s->state, i, way, number);
  apl_contact_accelerations(s->model, s->state, i, number, a);
  add_contact(s, i, !along ? APL_SET_HALF_LINE : normal ? APL_SET_CONE : APL_SET_DISC, way, number);
  apl_cone_block* block = &r->block[r->nblock - 1];
  block->section = apl_contact_section(s->model, i, true);
  block->load = fmax(c->force[0], 0.0);
  for (int k = normal ? 0 : 1; k <= (along ? 2 : 0); ++k)
    r->q[s->contacts.first_row[i] + k] = a[k] + settling(s) * velocity[k];
  /* penetration drift decays without oscillation: x'' + s x' + s^2/4 x = 0 */
  if (normal)
    r->q[s->contacts.first_row[i]] -=
        0.25 * settling(s) * settling(s) * (c->depth - s->contacts.note[i].rest);
  if (!normal || !slides(s, i, rub)) return false;
  apl_contact_rubbing(number, rub, r->in + s->contacts.first_row[i] * ROW_NUMBERS);
  return true;
}

void apl_contact_list_supports(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < s->npair; ++i)
    p->skewed = add_support(s, i) || p->skewed;
}

int apl_contact_supports(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->npair && s->contacts.may_hold; ++i)
    n += rests(s, i) || sticks(s, i);
  return n;
}

/* True if contact i is held along an axis. Normal: its constraint force pushes. Tangents: the
   remaining acceleration is at most 1e-6 of the one without constraint forces. */
bool apl_system_holds(const apl_system* s, int i, int axis) {
  const apl_rows* r = &s->rows;
  const int at = s->contacts.first_row[i] + axis;
  if (axis == 0 ? !rests(s, i) : !sticks(s, i)) return false;

  return axis == 0 ? r->r[at] > 0.0 : fabs(r->u[at]) <= 1e-6 * fabs(r->q[at]);
}

/* Write the constraint forces to the state. For a separating rigid contact, also store the pulling
   force that would be needed to keep it closed. */
void apl_contact_take_supports(apl_system* s) {
  const apl_rows* r = &s->rows;

  for (int i = 0; i < s->npair; ++i) {
    const bool normal = rests(s, i), along = sticks(s, i);
    const int at = s->contacts.first_row[i];
    if (!normal && !along) continue;
    for (int k = normal ? 0 : 1; k <= (along ? 2 : 0); ++k)
      apl_state_contact(s->state, i)->push[k] = r->r[at + k];
    if (normal && !(r->r[at] > 0.0) && r->W[at * r->n + at] > 0.0)
      s->contacts.pull[i] = fmax(r->u[at] / r->W[at * r->n + at], 0.0);
  }
}

/* After a time step the contacts keep acting with the mean force of the step, impulse / h, so that
   outputs show it. The next step removes it. */
static void push_as_stepped(apl_system* s) {
  for (int i = 0; i < s->npair; ++i) {
    const contact_note* n = &s->contacts.note[i];
    contact_state* c = apl_state_contact(s->state, i);
    apl_contact_set_sticks(c, n->period > 0.0 && n->last[0] > 0.0);
    for (int k = 0; k < 3 && apl_contact_sticks(c); ++k)
      c->push[k] = n->last[k] / n->period;
  }
}

void apl_system_clear_push(apl_system* s) {
  for (int i = 0; i < s->npair; ++i)
    memset(apl_state_contact(s->state, i)->push, 0, 3 * sizeof(double));
}

apl_status apl_contact_support_begin(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_JUMP) memset(p->impulse, 0, 3 * sizeof *p->impulse * (size_t)s->npair);
  if (p->level == LEVEL_ACCELERATION)
    memset(s->contacts.pull, 0, sizeof *s->contacts.pull * (size_t)s->npair);
  apl_system_clear_push(s);
  if (p->level == LEVEL_ACCELERATION && s->stepping.impulsive) push_as_stepped(s);
  return APL_OK;
}

/* --------------------------------------------------------------------------------- impacts ---- */

/* True for contacts that take part in an impact: rigid ones that are hit or closed. */
static bool takes_part(const apl_system* s, const bool* hit, int i) {
  return s->model->pair[i].rigid && (hit[i] || rests(s, i));
}

int apl_contact_count_impact(const apl_system* s, const bool* hit) {
  int n = 0;

  for (int i = 0; i < s->npair; ++i)
    n += takes_part(s, hit, i);
  return n;
}

/* If no contact force exists for a contact that slides and jams (Painleve's paradox), use the
   velocities after a time `ahead` with the present accelerations. */
static void look_ahead(apl_system* s, int i, double ahead) {
  const int at = s->contacts.first_row[i];
  double a[3];

  apl_contact_accelerations(s->model, s->state, i, s->rows.number + at * ROW_NUMBERS, a);
  for (int k = 0; k < 3; ++k)
    s->rows.q[at + k] += ahead * a[k];
}

void apl_contact_list_impact(apl_system* s, const coupling_pass* p) {
  apl_rows* r = &s->rows;

  for (int i = 0; i < s->npair; ++i) {
    const contact_state* c = apl_state_contact(s->state, i);
    const double* par = s->model->par + s->model->pair[i].par;
    double number[3 * ROW_NUMBERS];
    apl_way way[3];
    if (!takes_part(s, p->hit, i)) continue;

    apl_contact_ways(s->model, s->state, i, way, number);
    add_contact(s, i, APL_SET_CONE, way, number);
    const int at = s->contacts.first_row[i];
    r->block[r->nblock - 1].section = apl_contact_section(s->model, i, sticks(s, i));
    /* u+ + e u- >= 0 if the approach is faster than rest-speed, else u+ >= 0 */
    r->q[at] = -c->rate;
    if (p->hit[i] && c->rate >= par[PAIR_REST]) r->q[at] -= par[PAIR_RESTITUTION] * c->rate;
    r->q[at + 1] = c->slip[0];
    r->q[at + 2] = c->slip[1];
    if (p->h > 0.0) look_ahead(s, i, p->h);
  }
}

apl_status apl_system_check_stopped(apl_system* s, int i, int row) {
  const double rest = s->model->par[s->model->pair[i].par + PAIR_REST];
  /* for a rest-speed of zero: round-off of the solver */
  if (s->rows.u[row] >= -fmax(rest, 1e-6 * s->scale.speed)) return APL_OK;

  return apl_fail(&s->complaint, APL_ERR_CONTACT,
                  "prescribed motion drives contact '%.50s' into rigid ground at %.3g m/s, and no "
                  "force can prevent it: use a compliant law",
                  s->model->pair_name[i], -s->rows.u[row]);
}

apl_status apl_contact_take_impact(apl_system* s, const coupling_pass* p) {
  apl_status st = APL_OK;

  for (int i = 0; i < s->npair; ++i) {
    if (!takes_part(s, p->hit, i)) continue;
    memcpy(p->impulse + 3 * i, s->rows.r + s->contacts.first_row[i], 3 * sizeof *p->impulse);
    if (st == APL_OK) st = apl_system_check_stopped(s, i, s->contacts.first_row[i]);
  }
  return st;
}
