/* supports.c: forward dynamics with what holds velocities and contacts at rest, and velocities that
   jump. Both are rows of couple/rows.h: at the level of accelerations with forces, or of velocities
   with impulses. Theory: docs/theory/contact.md, "Supports". */
#include "base/error.h"
#include "couple/contact_rows.h"
#include "law/contact_law.h"
#include "system/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What slip is left of a contact that sticks, and what rate of one that rests, goes away at this
   rate [1/s]. */
static const double settling = 1000.0;

double apl_system_settling(void) {
  return 0.5 * settling;
}

static void add_held(apl_system* s) {
  apl_rows* r = &s->rows;

  for (int k = 0; k < s->nheld; ++k) {
    const int i = apl_rows_add(r, APL_SET_FREE, 1);
    r->way[i].velocity[0] = s->held[k];
    r->number[i * ROW_NUMBERS + ROW_EFFORT] = 1.0;
  }
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

/* Rows of all that is held: velocities, then contacts, then loops. */
static apl_status list_supports(apl_system* s, bool* skewed) {
  apl_rows* r = &s->rows;
  const apl_status st = apl_rows_reserve(r, s->model, s->nheld + 3 * s->nsupport + s->model->npart);
  if (st != APL_OK) return st;

  *skewed = false;
  apl_rows_clear(r);
  add_held(s);
  for (int k = 0; k < s->nheld; ++k)
    r->q[k] = apl_a(s->state)[s->held[k]];
  for (int i = 0; i < s->npair; ++i)
    *skewed = add_support(s, i) || *skewed;
  return apl_system_list_loops(s, LOOPS_ACCELERATE, 0.0);
}

int apl_system_supports(const apl_system* s) {
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

/* Give the state what its supports push with (efforts as they were before go to jump[]), and say of
   rigid contacts that rise how hard one would have to pull to hold them. */
static void give_support(apl_system* s) {
  const apl_rows* r = &s->rows;

  memcpy(s->jump, apl_tau(s->state), sizeof *s->jump * (size_t)s->nv);
  for (int k = 0; k < s->nheld; ++k) {
    s->push[k] = r->r[k];
    apl_tau(s->state)[s->held[k]] += r->r[k];
  }
  for (int i = 0; i < s->npair; ++i) {
    const bool normal = rests(s, i), along = sticks(s, i);
    const int at = s->first_row[i];
    if (!normal && !along) continue;
    for (int k = normal ? 0 : 1; k <= (along ? 2 : 0); ++k)
      apl_state_contact(s->state, i)->push[k] = r->r[at + k];
    if (normal && !(r->r[at] > 0.0) && r->W[at * r->n + at] > 0.0)
      s->pull[i] = fmax(r->u[at] / r->W[at * r->n + at], 0.0);
  }
  apl_system_give_loops(s);
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

/* Forward dynamics without supports, the forces that hold all rows, forward dynamics with them. */
apl_status apl_system_forward(apl_system* s) {
  bool skewed;

  s->fresh = false;
  if (s->npair + s->nheld + s->model->npart == 0 && !s->steps) {
    s->nsupport = 0;
    return apl_forward(s->model, s->state);
  }
  memset(s->pull, 0, sizeof *s->pull * (size_t)s->npair);
  apl_system_clear_push(s);
  if (s->steps) push_as_stepped(s);
  s->nsupport = apl_system_supports(s);
  if (s->nheld + s->nsupport == 0)
    return s->model->npart > 0 ? apl_system_close_forward(s) : apl_forward(s->model, s->state);

  apl_status st = apl_system_cut_loops(s);
  if (st == APL_OK) st = apl_forward(s->model, s->state);
  if (st == APL_OK) st = apl_factor_last(s->model, s->state);
  if (st == APL_OK) st = apl_frames_move(s->model, s->state, true);
  if (st == APL_OK) st = list_supports(s, &skewed);
  if (st == APL_OK) st = apl_rows_inertia(&s->rows, s->model, s->state, skewed);
  if (st != APL_OK) return st;
  /* forces of the last evaluation are close, unless an event or a jump lies between */
  s->solved = apl_rows_solve(&s->rows, !skewed, s->warm == s->rows.n, true);
  s->warm = s->solved.status == APL_CONE_FAILED ? 0 : s->rows.n;
  if (s->solved.status == APL_CONE_FAILED) return APL_ERR_CONTACT;

  give_support(s);
  st = apl_forward(s->model, s->state);
  for (int k = 0; k < s->nheld; ++k) {
    /* as it was, to the last digit: taking the push off again would leave round-off behind */
    apl_tau(s->state)[s->held[k]] = s->jump[s->held[k]];
    apl_a(s->state)[s->held[k]] = 0.0;
  }
  return st;
}

/* ---------------------------------------------------------------------------------- impacts ----
 */

/* Contacts that take part in an impact: rigid ones that are hit or closed. */
static apl_status list_impact(apl_system* s, const bool* hit, double ahead) {
  apl_rows* r = &s->rows;
  int n = 0;

  for (int i = 0; i < s->npair; ++i)
    n += s->model->pair[i].rigid && (hit[i] || rests(s, i));
  const apl_status st = apl_rows_reserve(r, s->model, s->nheld + 3 * n + s->model->npart);
  if (st != APL_OK) return st;

  apl_rows_clear(r);
  add_held(s);
  for (int k = 0; k < s->nheld; ++k)
    r->q[k] = apl_v(s->state)[s->held[k]];
  for (int i = 0; i < s->npair; ++i) {
    const apl_pair* pair = &s->model->pair[i];
    const contact_state* c = apl_state_contact(s->state, i);
    const double* par = s->model->par + pair->par;
    double number[3 * ROW_NUMBERS];
    apl_way way[3];
    if (!pair->rigid || !(hit[i] || rests(s, i))) continue;

    apl_contact_ways(s->model, s->state, i, way, number);
    add_contact(s, i, APL_SET_CONE, way, number);
    const int at = s->first_row[i];
    r->block[r->nblock - 1].section = apl_contact_section(s->model, i, sticks(s, i));
    /* u+ + e u- >= 0 where it comes in fast enough, else u+ >= 0 */
    r->q[at] = -c->rate;
    if (hit[i] && c->rate >= par[PAIR_REST]) r->q[at] -= par[PAIR_RESTITUTION] * c->rate;
    r->q[at + 1] = c->slip[0];
    r->q[at + 2] = c->slip[1];
  }
  return apl_system_list_loops(s, LOOPS_JUMP, ahead);
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

/* u+ = u + W p with impulses p. `ahead` [s] looks at what accelerations will have done by then:
   where no force can hold a contact that slides and jams (Painleve), only that tells. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double ahead, double* impulse) {
  double* v = apl_v(s->state);

  s->fresh = false;
  s->warm = 0;
  memset(impulse, 0, 3 * sizeof *impulse * (size_t)s->npair);
  apl_system_clear_push(s);
  apl_status st = apl_system_cut_loops(s);
  if (st == APL_OK && ahead > 0.0) st = apl_forward(s->model, s->state);
  if (st == APL_OK) st = apl_contacts(s->model, s->state);
  if (st == APL_OK) st = apl_frames_move(s->model, s->state, ahead > 0.0);
  if (st == APL_OK) st = list_impact(s, hit, ahead);
  if (st != APL_OK) return st;
  for (int i = 0; i < s->npair && ahead > 0.0; ++i) {
    double a[3];
    if (!s->model->pair[i].rigid || !(hit[i] || rests(s, i))) continue;
    const int at = s->first_row[i];
    apl_contact_accelerations(s->model, s->state, i, s->rows.number + at * ROW_NUMBERS, a);
    for (int k = 0; k < 3; ++k)
      s->rows.q[at + k] += ahead * a[k];
  }
  st = apl_factor(s->model, s->state, 0.0);
  if (st == APL_OK) st = apl_rows_inertia(&s->rows, s->model, s->state, false);
  if (st != APL_OK) return st;
  s->solved = apl_rows_solve(&s->rows, true, false, true);
  if (s->solved.status == APL_CONE_FAILED) return APL_ERR_CONTACT;

  st = apl_rows_spread(&s->rows, s->model, s->state, s->innovation, s->jump, NULL);
  for (int j = 0; j < s->nv && st == APL_OK; ++j)
    v[j] += s->jump[j];
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].rigid || !(hit[i] || rests(s, i))) continue;
    memcpy(impulse + 3 * i, s->rows.r + s->first_row[i], 3 * sizeof *impulse);
    if (st == APL_OK) st = apl_system_check_stopped(s, i, s->first_row[i]);
  }
  return st;
}
