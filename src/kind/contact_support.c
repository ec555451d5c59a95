/* contact_support.c: contacts that are held: those that rest or stick, by forces, and those that
   are hit, by impulses. Theory: docs/theory/contact.md, "Supports". */
#include "kind/contact.h"

#include "base/error.h"
#include "law/contact_law.h"

#include <math.h>
#include <string.h>

/* What slip is left of a contact that sticks, and what rate of one that rests, goes away at this
   rate [1/s]. */
static const double settling = 1000.0;

double apl_system_settling(void) {
  return 0.5 * settling;
}

/* A block for contact i, whose three rows have these numbers. first_row[i] is where its normal
   stands, or would. */
static void add_contact(apl_system* s, int i, apl_set set, const apl_way* way,
                        const double* number) {
  apl_rows* r = &s->rows;
  const int axis = set == APL_SET_DISC ? 1 : 0, n = apl_set_rows(set),
            first = apl_rows_add(r, set, n);

  memcpy(r->way + first, way + axis, sizeof *way * (size_t)n);
  memcpy(r->number + first * ROW_NUMBERS, number + axis * ROW_NUMBERS,
         sizeof *number * (size_t)(n * ROW_NUMBERS));
  s->first_row[i] = first - axis;
}

/* ---------------------------------------------------------------------------------- forces ---- */

/* Time steps have no supports: their contacts push by impulses. */
static bool rests(const apl_system* s, int i) {
  return !s->steps && s->model->pair[i].rigid && apl_state_contact(s->state, i)->on > 0.0;
}

static bool sticks(const apl_system* s, int i) {
  return !s->steps && apl_state_contact(s->state, i)->stick > 0.5;
}

/* A rigid contact that slides rubs by rub[2] per unit of normal force. */
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

/* Rows of contact i: its normal where it is rigid and rests, its directions where it sticks.
   q: accelerations without supports, and what is to settle. Says whether it slides: then its force
   acts along another direction than its velocity. */
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
    r->q[s->first_row[i] + k] = a[k] + settling * velocity[k];
  /* what has drifted comes back without oscillation: x'' + s x' + s^2/4 x = 0 */
  if (normal) r->q[s->first_row[i]] -= 0.25 * settling * settling * (c->depth - s->note[i].rest);
  if (!normal || !slides(s, i, rub)) return false;
  apl_contact_rubbing(number, rub, r->in + s->first_row[i] * ROW_NUMBERS);
  return true;
}

void apl_contact_list_supports(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < s->npair; ++i)
    p->skewed = add_support(s, i) || p->skewed;
}

int apl_contact_supports(const apl_system* s) {
  int n = 0;
  for (int i = 0; i < s->npair; ++i)
    n += rests(s, i) || sticks(s, i);
  return n;
}

/* Accelerations that its force takes away, against those that it has to take away. */
bool apl_system_holds(const apl_system* s, int i, int axis) {
  const apl_rows* r = &s->rows;
  const int at = s->first_row[i] + axis;
  if (axis == 0 ? !rests(s, i) : !sticks(s, i)) return false;

  return axis == 0 ? r->r[at] > 0.0 : fabs(r->u[at]) <= 1e-6 * fabs(r->q[at]);
}

/* Give the state what its supports push with, and say of rigid contacts that rise how hard one
   would have to pull to hold them. */
void apl_contact_take_supports(apl_system* s) {
  const apl_rows* r = &s->rows;

  for (int i = 0; i < s->npair; ++i) {
    const bool normal = rests(s, i), along = sticks(s, i);
    const int at = s->first_row[i];
    if (!normal && !along) continue;
    for (int k = normal ? 0 : 1; k <= (along ? 2 : 0); ++k)
      apl_state_contact(s->state, i)->push[k] = r->r[at + k];
    if (normal && !(r->r[at] > 0.0) && r->W[at * r->n + at] > 0.0)
      s->pull[i] = fmax(r->u[at] / r->W[at * r->n + at], 0.0);
  }
}

/* After a time step contacts push as they did in it, on the mean; a pass applies what sticks. The
   next step takes that away. */
static void push_as_stepped(apl_system* s) {
  for (int i = 0; i < s->npair; ++i) {
    const contact_note* n = &s->note[i];
    contact_state* c = apl_state_contact(s->state, i);
    c->stick = n->period > 0.0 && n->last[0] > 0.0 ? 1.0 : 0.0;
    for (int k = 0; k < 3 && c->stick > 0.0; ++k)
      c->push[k] = n->last[k] / n->period;
  }
}

void apl_system_clear_push(apl_system* s) {
  for (int i = 0; i < s->npair; ++i)
    memset(apl_state_contact(s->state, i)->push, 0, 3 * sizeof(double));
}

apl_status apl_contact_support_begin(apl_system* s, coupling_pass* p) {
  if (p->level == LEVEL_JUMP) memset(p->impulse, 0, 3 * sizeof *p->impulse * (size_t)s->npair);
  if (p->level == LEVEL_ACCELERATION) memset(s->pull, 0, sizeof *s->pull * (size_t)s->npair);
  apl_system_clear_push(s);
  if (p->level == LEVEL_ACCELERATION && s->steps) push_as_stepped(s);
  return APL_OK;
}

/* --------------------------------------------------------------------------------- impacts ---- */

/* Contacts that take part in an impact: rigid ones that are hit or closed. */
static bool takes_part(const apl_system* s, const bool* hit, int i) {
  return s->model->pair[i].rigid && (hit[i] || rests(s, i));
}

int apl_contact_count_impact(const apl_system* s, const bool* hit) {
  int n = 0;

  for (int i = 0; i < s->npair; ++i)
    n += takes_part(s, hit, i);
  return n;
}

/* Where no force can hold a contact that slides and jams (Painleve), only what accelerations will
   have done in a while tells. */
static void look_ahead(apl_system* s, int i, double ahead) {
  const int at = s->first_row[i];
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
    const int at = s->first_row[i];
    r->block[r->nblock - 1].section = apl_contact_section(s->model, i, sticks(s, i));
    /* u+ + e u- >= 0 where it comes in fast enough, else u+ >= 0 */
    r->q[at] = -c->rate;
    if (p->hit[i] && c->rate >= par[PAIR_REST]) r->q[at] -= par[PAIR_RESTITUTION] * c->rate;
    r->q[at + 1] = c->slip[0];
    r->q[at + 2] = c->slip[1];
    if (p->h > 0.0) look_ahead(s, i, p->h);
  }
}

/* A rest-speed of zero leaves the round-off of the solver [m/s]. */
static const double stopped = 1e-6;

apl_status apl_system_check_stopped(apl_system* s, int i, int row) {
  const double rest = s->model->par[s->model->pair[i].par + PAIR_REST];
  if (s->rows.u[row] >= -fmax(rest, stopped)) return APL_OK;

  return apl_fail(&s->complaint, APL_ERR_CONTACT,
                  "prescribed motion drives contact '%.50s' into rigid ground at %.3g m/s, and no "
                  "force can prevent it: use a compliant law",
                  s->model->pair_name[i], -s->rows.u[row]);
}

apl_status apl_contact_take_impact(apl_system* s, const coupling_pass* p) {
  apl_status st = APL_OK;

  for (int i = 0; i < s->npair; ++i) {
    if (!takes_part(s, p->hit, i)) continue;
    memcpy(p->impulse + 3 * i, s->rows.r + s->first_row[i], 3 * sizeof *p->impulse);
    if (st == APL_OK) st = apl_system_check_stopped(s, i, s->first_row[i]);
  }
  return st;
}
