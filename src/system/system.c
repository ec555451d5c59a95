/* system.c: model + drives as y' = f(t, y), laid out as system_impl.h says. The only thing that an
   integrator sees. */
#include "system/system_impl.h"

#include "base/assert.h"
#include "base/error.h"
#include "dynamics/passes.h"
#include "signal/signals.h"
#include "system/system.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Signals have changed: what they said counts no more. */
static void forget_signals(apl_system* s) {
  s->heard_input.t = s->heard_drive.t = s->heard_aim.t = (double)NAN;
  s->revision += 1;
}

/* Servos with an integral part; docs/theory/gaits.md. */
static void find_integrals(apl_system* s) {
  const apl_model* m = s->model;

  for (int i = 0; i < m->npassive; ++i) {
    const apl_node* n = &m->node[m->passive[i]];
    const double *most = m->par + n->servo + 2 * n->nv, *ki = most + 2 * n->nv;
    for (int k = 0; n->servo != 0 && k < n->nv; ++k) {
      if (!(ki[k] > 0.0)) continue;
      s->integral[s->nintegral++] = (integral){n->q0 + k, n->v0 + k, ki[k], most[k]};
    }
  }
  APL_ASSERT(s->nintegral == m->nintegral);
}

/* What contacts of solids are found with; four times as many keys as places keep their table thin.
 */
static bool open_touch(apl_system* s) {
  if (s->model->nslot == 0) return true;
  if (apl_near_new(s->model, &s->near) != APL_OK) return false;
  s->nkey = 4 * (s->near.most + s->model->nslot) + 1;
  s->key = calloc((size_t)s->nkey, sizeof *s->key);
  s->key_place = calloc((size_t)s->nkey, sizeof *s->key_place);
  return s->key != NULL && s->key_place != NULL;
}

apl_status apl_system_new(const apl_model* m, apl_system** out, apl_error* err) {
  apl_system* s = calloc(1, sizeof *s);

  *out = NULL;
  if (s == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a system");
  s->model = m;
  s->nq = apl_model_nq(m);
  s->nv = apl_model_nv(m);
  s->nu = apl_model_nu(m);
  s->nsat = apl_model_count(m, APL_SATELLITES);
  s->input = calloc((size_t)s->nu + 1, sizeof *s->input);
  s->least = calloc(3 * (size_t)s->nu + 3, sizeof *s->least);
  s->slow_by = calloc((size_t)s->nu + 1, sizeof *s->slow_by);
  s->drive = calloc((size_t)s->nv + 1, sizeof *s->drive);
  s->aim = calloc((size_t)s->nv + 1, sizeof *s->aim);
  s->heard_input.x = calloc(3 * ((size_t)s->nu + 2 * (size_t)s->nv) + 1, sizeof *s->heard_input.x);
  s->npair = m->npair;
  s->nz = 2 * m->nbristle + m->nintegral;
  s->integral = calloc((size_t)m->nintegral + 1, sizeof *s->integral);
  s->angle = calloc((size_t)(s->nsat + NLEDGER + s->npair), sizeof *s->angle);
  s->note = calloc((size_t)s->npair + 1, sizeof *s->note);
  s->held = calloc((size_t)(s->nv + s->npair) + 1, sizeof *s->held);
  s->push = calloc((size_t)(3 * s->nv + s->nq + 3 * s->npair + m->ntendon) + 1, sizeof *s->push);
  s->before = calloc((size_t)s->npair + 1, sizeof *s->before);
  s->down = calloc((size_t)s->npair + 1, sizeof *s->down);
  s->seen = calloc((size_t)(2 * s->nq + 3 * s->nv + (CONTACT_NUMBERS + 1) * s->npair) + 1,
                   sizeof *s->seen);
  if (s->input == NULL || s->least == NULL || s->drive == NULL || s->aim == NULL ||
      s->heard_input.x == NULL || s->angle == NULL || s->note == NULL || s->held == NULL ||
      s->push == NULL || s->down == NULL || s->before == NULL || s->seen == NULL ||
      s->integral == NULL || s->slow_by == NULL || !open_touch(s) ||
      apl_state_new(m, APL_SCALAR, &s->state) != APL_OK) {
    apl_system_free(s);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a system");
  }
  s->heard_drive.x = s->heard_input.x + 3 * s->nu;
  s->heard_aim.x = s->heard_drive.x + 3 * s->nv;
  forget_signals(s);
  s->greatest = s->least + s->nu;
  s->slow = s->greatest + s->nu;
  for (int i = 0; i < s->nu; ++i) {
    s->least[i] = -HUGE_VAL;
    s->greatest[i] = HUGE_VAL;
  }
  s->kept = s->seen + s->nq + s->nv + (CONTACT_NUMBERS + 1) * s->npair;
  s->pull = s->seen + s->nq + s->nv + CONTACT_NUMBERS * s->npair;
  s->left_at = s->kept + s->nv;
  s->first_row = s->held + s->nv;
  s->innovation = s->push + s->nv;
  s->jump = s->innovation + s->nv;
  s->rate = s->jump + s->nv;
  s->meeting = s->rate + s->nq;
  s->uncut = s->meeting + 3 * s->npair;
  s->impulse = s->angle + s->nsat;
  s->ledger = s->impulse + s->npair;
  s->path_end = s->left_of = HUGE_VAL;
  find_integrals(s);
  apl_couplings_find(s);
  for (int i = 0; i < NLEDGER; ++i)
    s->order[i] = i;

  /* the ground pushes slaved joints where no pass tells */
  s->momentum = s->impulses = m->nslaved == 0;
  s->nactive = s->impulses ? NLEDGER : APL_NACCOUNT;
  *out = s;
  return APL_OK;
}

void apl_system_end_steps(apl_system* s) {
  if (s->stepping != NULL) s->stop_stepping(s->stepping);
  s->stepping = NULL;
}

void apl_system_free(apl_system* s) {
  if (s == NULL) return;
  apl_system_end_steps(s);
  for (int i = 0; s->input != NULL && i < s->nu; ++i)
    apl_signal_free(s->input[i]);
  for (int i = 0; i < s->ndrive; ++i)
    apl_signal_free(s->drive[i].signal);
  for (int i = 0; i < s->naim; ++i)
    apl_signal_free(s->aim[i].signal);
  free(s->input);
  free(s->least);
  free(s->drive);
  free(s->aim);
  free(s->heard_input.x);
  free(s->integral);
  free(s->slow_by);
  free(s->angle);
  free(s->note);
  free(s->held);
  free(s->push);
  free(s->down);
  free(s->before);
  apl_rows_free(&s->rows);
  apl_near_free(&s->near);
  free(s->key);
  free(s->key_place);
  free(s->seen);
  apl_system_free_loops(s);
  apl_state_free(s->state);
  apl_implicit_free(s);
  apl_couplings_close(s);
  free(s);
}

const apl_model* apl_system_model(const apl_system* s) {
  return s->model;
}

apl_state* apl_system_state(apl_system* s) {
  return s->state;
}

void apl_system_stop(apl_system* s, const char* sentence) {
  apl_fail(&s->complaint, APL_ERR_STOPPED, "%s", sentence);
}

/* ------------------------------------------------------------------------------- drives ---- */

apl_status apl_system_input(apl_system* s, int input, apl_signal* signal, apl_error* err) {
  if (input < 0 || input >= s->nu) {
    apl_signal_free(signal);
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no input number %d", input);
  }
  apl_signal_free(s->input[input]);
  s->input[input] = signal;
  forget_signals(s);
  return APL_OK;
}

apl_status apl_system_input_limit(apl_system* s, int input, double least, double greatest,
                                  apl_error* err) {
  if (input < 0 || input >= s->nu) {
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no input number %d", input);
  }
  if (!(least <= greatest)) {
    return apl_fail(err, APL_ERR_MODEL, "input '%s': its least value %g is above its greatest %g",
                    apl_model_name(s->model, APL_INPUTS, input), least, greatest);
  }
  s->least[input] = least;
  s->greatest[input] = greatest;
  s->revision += 1;
  return APL_OK;
}

apl_status apl_system_input_speed(apl_system* s, int input, int velocity, double speed,
                                  apl_error* err) {
  if (input < 0 || input >= s->nu || velocity < 0 || velocity >= s->nv || speed == 0.0)
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "there is no such input or velocity, or the speed is zero");
  if (!isfinite(s->least[input]) || !isfinite(s->greatest[input])) {
    return apl_fail(err, APL_ERR_MODEL, "input '%s': a largest speed needs a largest effort",
                    apl_model_name(s->model, APL_INPUTS, input));
  }
  s->slow[input] = 1.0 / speed;
  s->slow_by[input] = velocity;
  s->revision += 1;
  return APL_OK;
}

void apl_system_input_bounds(const apl_system* s, int input, double* least, double* greatest) {
  *least = s->least[input];
  *greatest = s->greatest[input];
}

/* Is this velocity prescribed in the model? Also finds the coordinate that goes with it, if any,
   and whether it has a servo instead. */
static bool prescribed(const apl_system* s, int velocity, int* coordinate, bool* servo) {
  const apl_model* m = s->model;

  *coordinate = -1;
  *servo = false;
  for (int i = 0; i < apl_model_count(s->model, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(s->model, i);
    const int j = velocity - l.v0, x = velocity - l.xv0;

    if (j >= 0 && j < l.nv) {
      /* of others a coordinate has the name of its rate: the steering of a car, the lean of a disc
       */
      const int same =
          apl_model_find(m, APL_COORDINATES, apl_model_name(m, APL_VELOCITIES, velocity));
      if (l.plain || (same >= l.q0 && same < l.q0 + l.nq)) *coordinate = l.plain ? l.q0 + j : same;
      *servo = l.servo;
      return l.joint_prescribed;
    }
    if (x >= 0 && x < l.nx) {
      *coordinate = l.xq0 + x;
      return l.body_prescribed;
    }
  }
  return false;
}

/* One more signal in a list of drives or aims; no velocity has two. */
static apl_status add_drive(apl_system* s, drive* list, int* n, drive d, apl_error* err) {
  for (int i = 0; i < *n; ++i) {
    if (list[i].velocity == d.velocity) {
      apl_signal_free(d.signal);
      return apl_fail(err, APL_ERR_MODEL, "'%s' has two motions: remove one",
                      apl_model_name(s->model, APL_VELOCITIES, d.velocity));
    }
  }
  list[(*n)++] = d;
  forget_signals(s);
  return APL_OK;
}

static apl_status prescribe(apl_system* s, drive d, apl_error* err) {
  const int needed = d.coordinate >= 0 ? 1 : 0;

  if (apl_signal_smoothness(d.signal) < needed) {
    apl_signal_free(d.signal);
    return apl_fail(
        err, APL_ERR_MODEL, "the motion of '%s' must have a continuous %s: use a blend or a sine",
        apl_model_name(s->model, APL_VELOCITIES, d.velocity), needed == 1 ? "rate" : "value");
  }
  return add_drive(s, s->drive, &s->ndrive, d, err);
}

/* Is the servo of this velocity a velocity motor? With stiffness it needs to know where, too. */
static bool turns_only(const apl_system* s, int velocity) {
  const apl_model* m = s->model;
  const apl_node* n = &m->node[m->velocity_node[velocity]];
  const double *kp = m->par + n->servo + (velocity - n->v0), *ki = kp + 4 * n->nv;

  return *kp == 0.0 && *ki == 0.0;
}

apl_status apl_system_velocity(apl_system* s, int velocity, apl_signal* signal, apl_error* err) {
  int coordinate;
  bool servo;

  const bool given =
      velocity >= 0 && velocity < s->nv && prescribed(s, velocity, &coordinate, &servo);
  if (velocity >= 0 && velocity < s->nv && !given && servo && turns_only(s, velocity))
    return add_drive(s, s->aim, &s->naim, (drive){-1, velocity, signal}, err);
  if (!given) {
    const char* name = apl_model_name(s->model, APL_VELOCITIES, velocity);
    apl_signal_free(signal);
    return apl_fail(err, APL_ERR_MODEL,
                    "'%s' is not a prescribed velocity, nor that of a servo with damping only",
                    name ? name : "");
  }
  return prescribe(s, (drive){-1, velocity, signal}, err);
}

apl_status apl_system_motion(apl_system* s, int coordinate, apl_signal* signal, apl_error* err) {
  for (int v = 0; v < s->nv; ++v) {
    int q;
    bool servo;
    const bool given = prescribed(s, v, &q, &servo);
    if (q != coordinate || q < 0) continue;
    if (given) return prescribe(s, (drive){q, v, signal}, err);
    if (servo) return add_drive(s, s->aim, &s->naim, (drive){q, v, signal}, err);
  }
  const char* name = apl_model_name(s->model, APL_COORDINATES, coordinate);
  apl_signal_free(signal);
  return apl_fail(err, APL_ERR_MODEL,
                  "'%s' cannot be given a motion: its joint needs `prescribed: true` or a `servo`; "
                  "of a joint that rolls only velocities can be prescribed",
                  name ? name : "");
}

int apl_system_undriven(const apl_system* s, int from) {
  for (int v = from; v < s->nv; ++v) {
    bool driven = false, servo;
    int q;

    for (int i = 0; i < s->ndrive; ++i)
      driven = driven || s->drive[i].velocity == v;
    if (prescribed(s, v, &q, &servo) && !driven) return v;
  }
  return -1;
}

apl_status apl_system_check(const apl_system* s, apl_error* err) {
  const int v = apl_system_undriven(s, 0);

  if (v < 0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL, "'%s' is prescribed but has no motion",
                  apl_model_name(s->model, APL_VELOCITIES, v));
}

double apl_system_break(const apl_system* s, double t) {
  double first = HUGE_VAL;

  for (int i = 0; i < s->nu; ++i) {
    if (s->input[i] != NULL) first = fmin(first, apl_signal_break(s->input[i], t));
  }
  for (int i = 0; i < s->ndrive; ++i)
    first = fmin(first, apl_signal_break(s->drive[i].signal, t));
  for (int i = 0; i < s->naim; ++i)
    first = fmin(first, apl_signal_break(s->aim[i].signal, t));
  return first;
}

/* ----------------------------------------------------------------------------------- holds ---- */

apl_status apl_system_hold(apl_system* s, int velocity, bool on, apl_error* err) {
  int k = 0;

  if (velocity < 0 || velocity >= s->nv) {
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no velocity number %d", velocity);
  }
  while (k < s->nheld && s->held[k] != velocity)
    ++k;
  s->revision += 1;
  if (!on) {
    if (k == s->nheld) return APL_OK;
    s->switched += 1;
    s->nheld -= 1; /* the last one takes its place, with its effort */
    s->held[k] = s->held[s->nheld];
    s->push[k] = s->push[s->nheld];
    return APL_OK;
  }
  if (k < s->nheld) return APL_OK;
  s->switched += 1;
  s->push[s->nheld] = 0.0;
  s->held[s->nheld++] = velocity;
  return APL_OK;
}

double apl_system_held(const apl_system* s, int velocity) {
  for (int k = 0; k < s->nheld; ++k) {
    if (s->held[k] == velocity) return s->push[k];
  }
  return 0.0;
}

void apl_system_book(apl_system* s, apl_account account, double energy, const double* impulse) {
  s->ledger[account] += energy;
  for (int i = 0; i < 6; ++i)
    s->ledger[APL_NACCOUNT + i] += impulse[i];
}

/* --------------------------------------------------------------------------------- y, y' ---- */

/* Numbers between the bristles and the ledger: angles and impulses. */
static int middle(const apl_system* s) {
  return s->nsat + s->npair;
}

/* Where the ledger begins. */
static int before_ledger(const apl_system* s) {
  return s->nq + s->nv + s->nz + middle(s);
}

int apl_system_size(const apl_system* s) {
  return before_ledger(s) + NLEDGER;
}

int apl_system_error_size(const apl_system* s) {
  return s->nq + s->nv + s->nz;
}

int apl_system_active_size(const apl_system* s) {
  return before_ledger(s) + s->nactive;
}

/* Does material damping take anything out? Asked at a motion of all freedoms. */
static bool structures_lose(apl_system* s) {
  double power[APL_NACCOUNT] = {0}, *v = apl_v(s->state);
  double* kept = s->kept;

  memcpy(kept, v, sizeof *v * (size_t)s->nv);
  for (int i = 0; i < s->nv; ++i)
    v[i] = 1.0;
  const apl_status st = apl_accounts(s->model, s->state, power);
  memcpy(v, kept, sizeof *v * (size_t)s->nv);
  return st != APL_OK || power[APL_ACCOUNT_STRUCTURE] != 0.0;
}

/* Can anything flow through this account while only drives act? */
static bool flows(apl_system* s, apl_account account) {
  const apl_model* m = s->model;
  bool any = m->nprescribed + s->nheld > 0;

  switch (account) {
  case APL_ACCOUNT_EFFORT:
    for (int i = 0; i < s->nv; ++i)
      any = any || apl_tau(s->state)[i] != 0.0;
    return any;
  case APL_ACCOUNT_INPUT:
    return s->nu > 0;
  case APL_ACCOUNT_SERVO:
    return m->nservo > 0;
  case APL_ACCOUNT_LOAD:
    return s->state->nload > 0;
  case APL_ACCOUNT_DAMPING:
  case APL_ACCOUNT_FRICTION:
  case APL_ACCOUNT_STOP:
    return m->npassive > 0;
  case APL_ACCOUNT_STRUCTURE:
    return structures_lose(s);
  case APL_ACCOUNT_DRAG:
    return m->ndrag > 0;
  case APL_ACCOUNT_TENDON:
    return m->ntendon > 0;
  case APL_ACCOUNT_CONTACT:
  case APL_ACCOUNT_CONTACT_FRICTION:
    return m->npair > 0;
  case APL_ACCOUNT_LOOP:
    return m->npart > 0;
  case APL_ACCOUNT_PROJECTION: /* deposits only, no power */
  case APL_ACCOUNT_IMPACT:
  case APL_NACCOUNT:
    break;
  }
  return false;
}

void apl_system_activate(apl_system* s, bool all, bool momentum) {
  int first = 0, last = NLEDGER;

  s->revision += 1;
  for (int i = 0; i < NLEDGER; ++i) {
    const bool on = i < APL_NACCOUNT ? all || flows(s, (apl_account)i) : momentum && s->momentum;
    if (on) s->order[first++] = i;
  }
  s->nactive = first;
  s->impulses = momentum && s->momentum;
  for (int i = NLEDGER - 1; i >= 0; --i) {
    bool on = false;
    for (int k = 0; k < first; ++k)
      on = on || s->order[k] == i;
    if (!on) s->order[--last] = i;
  }
}

/* Bristles of the contacts that have them stand one after the other in y. */
static void save_bristles(apl_system* s, double* y) {
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].bristles) continue;
    memcpy(y, apl_state_contact(s->state, i)->z, 2 * sizeof *y);
    y += 2;
  }
}
static void load_bristles(apl_system* s, const double* y) {
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].bristles) continue;
    memcpy(apl_state_contact(s->state, i)->z, y, 2 * sizeof *y);
    y += 2;
  }
}
static void bristle_rates(apl_system* s, double* rate) {
  for (int i = 0; i < s->npair; ++i) {
    if (!s->model->pair[i].bristles) continue;
    memcpy(rate, apl_state_contact(s->state, i)->zrate, 2 * sizeof *rate);
    rate += 2;
  }
}

/* Sums of servos, behind the bristles in y; the state has them with the aims. */
double* apl_system_sum(apl_system* s, int i) {
  return apl_aim(s->state) + 2 * s->nv + s->integral[i].velocity;
}

static double error_of(apl_system* s, int i) {
  const integral* I = &s->integral[i];
  return apl_aim(s->state)[I->velocity] - apl_q(s->state)[I->coordinate];
}

/* The error of the servo, zero where its part of the effort would go beyond the largest one. */
double apl_system_sum_rate(apl_system* s, int i) {
  const integral* I = &s->integral[i];
  const double e = error_of(s, i), part = I->gain * *apl_system_sum(s, i);

  return (part >= I->most && e > 0.0) || (part <= -I->most && e < 0.0) ? 0.0 : e;
}

void apl_system_sum_errors(apl_system* s, double h) {
  for (int i = 0; i < s->nintegral; ++i)
    *apl_system_sum(s, i) += h * apl_system_sum_rate(s, i);
}

/* psi + c e, but no farther than to where its part is the largest effort, unless it is there. */
void apl_system_implicit_sums(apl_system* s, double c, const double* psi, double* z) {
  for (int i = 0; i < s->nintegral; ++i) {
    const int at = s->nz - s->nintegral + i;
    const double e = error_of(s, i), most = s->integral[i].most / s->integral[i].gain;
    const double to = psi[at] + c * e;
    z[at] = e > 0.0 ? fmin(to, fmax(psi[at], most)) : fmax(to, fmin(psi[at], -most));
  }
}

void apl_system_pack(apl_system* s, double* y) {
  double *z = y + s->nq + s->nv, *ledger = y + before_ledger(s);

  memcpy(y, apl_q(s->state), sizeof *y * (size_t)s->nq);
  memcpy(y + s->nq, apl_v(s->state), sizeof *y * (size_t)s->nv);
  save_bristles(s, z);
  for (int i = 0; i < s->nintegral; ++i)
    z[s->nz - s->nintegral + i] = *apl_system_sum(s, i);
  memcpy(z + s->nz, s->angle, sizeof *y * (size_t)middle(s));
  for (int i = 0; i < NLEDGER; ++i)
    ledger[i] = s->ledger[s->order[i]];
}

void apl_system_restore(apl_system* s, double t, const double* y) {
  const double* ledger = y + before_ledger(s);

  for (int i = 0; i < NLEDGER; ++i)
    s->ledger[s->order[i]] = ledger[i];
  apl_system_unpack(s, t, y);
}

/* What acts on the motion: coordinates, velocities, memories of laws, drives. */
static void place(apl_system* s, double t, const double* y) {
  const double* z = y + s->nq + s->nv;

  memcpy(apl_q(s->state), y, sizeof *y * (size_t)s->nq);
  memcpy(apl_v(s->state), y + s->nq, sizeof *y * (size_t)s->nv);
  if (s->nz > 0) load_bristles(s, z);
  for (int i = 0; i < s->nintegral; ++i)
    *apl_system_sum(s, i) = z[s->nz - s->nintegral + i];
  apl_system_drive(s, t);
}

/* What is only integrated along. */
static void unpack_sums(apl_system* s, const double* y) {
  const double *z = y + s->nq + s->nv, *ledger = y + before_ledger(s);

  if (middle(s) > 0) memcpy(s->angle, z + s->nz, sizeof *y * (size_t)middle(s));
  for (int i = 0; i < s->nactive; ++i)
    s->ledger[s->order[i]] = ledger[i];
}

void apl_system_unpack(apl_system* s, double t, const double* y) {
  unpack_sums(s, y);
  place(s, t, y);
}

/* Signals of a list of drives or aims at time t. */
static const double* hear(const drive* list, int n, double t, heard* h) {
  for (int i = 0; i < n && h->t != t; ++i)
    apl_signal_eval(list[i].signal, t, h->x + 3 * i);
  h->t = t;
  return h->x;
}

static const double* hear_inputs(apl_system* s, double t) {
  heard* h = &s->heard_input;

  for (int i = 0; i < s->nu && h->t != t; ++i) {
    if (s->input[i] != NULL) apl_signal_eval(s->input[i], t, h->x + 3 * i);
  }
  h->t = t;
  return h->x;
}

void apl_system_aims(apl_system* s, double t) {
  const double* x = hear(s->aim, s->naim, t, &s->heard_aim);
  double* aim = apl_aim(s->state);

  for (int i = 0; i < s->naim; ++i, x += 3) {
    const drive* d = &s->aim[i];
    if (d->coordinate >= 0) aim[d->velocity] = x[0];
    aim[s->nv + d->velocity] = d->coordinate >= 0 ? x[1] : x[0];
  }
}

void apl_system_drive(apl_system* s, double t_now) {
  if (s->ndrive + s->naim + s->nheld + s->nu == 0) return;

  double *q = apl_q(s->state), *v = apl_v(s->state), *a = apl_a(s->state), *u = apl_u(s->state);
  const double t = t_now < s->left_of ? t_now : s->left_of - 4.0 * DBL_EPSILON * fabs(s->left_of);
  const double* x = hear(s->drive, s->ndrive, t, &s->heard_drive);

  /* prescribed freedoms follow their signals exactly, whatever was integrated */
  for (int i = 0; i < s->ndrive; ++i, x += 3) {
    const drive* d = &s->drive[i];
    if (d->coordinate >= 0) q[d->coordinate] = x[0];
    v[d->velocity] = d->coordinate >= 0 ? x[1] : x[0];
    a[d->velocity] = d->coordinate >= 0 ? x[2] : x[1];
  }
  apl_system_aims(s, t);
  for (int k = 0; k < s->nheld; ++k)
    v[s->held[k]] = 0.0;
  x = hear_inputs(s, t);
  for (int i = 0; i < s->nu; ++i) {
    if (s->input[i] != NULL) u[i] = x[3 * i];
    double least = s->least[i], greatest = s->greatest[i];
    if (s->slow[i] != 0.0) {
      /* where it drives, less along a line, nothing at the largest speed: eq. 6 of gaits.md */
      const double share = s->slow[i] * v[s->slow_by[i]];
      greatest *= fmin(fmax(1.0 - share, 0.0), 1.0);
      least *= fmin(fmax(1.0 + share, 0.0), 1.0);
    }
    const double above = u[i] > least ? u[i] : least;
    u[i] = above < greatest ? above : greatest;
  }
}

/* Rates of what acts on the motion, where a pass has just found accelerations. */
static apl_status collect_motion(apl_system* s, double* rate) {
  double* z = rate + s->nq + s->nv;
  const apl_status st = apl_rates_last(s->model, s->state, rate);

  memcpy(rate + s->nq, apl_a(s->state), sizeof *rate * (size_t)s->nv);
  if (s->nz > 0) bristle_rates(s, z);
  for (int i = 0; i < s->nintegral; ++i)
    z[s->nz - s->nintegral + i] = apl_system_sum_rate(s, i);
  return st;
}

/* All rates, with what flows. */
static apl_status collect_rates(apl_system* s, const double* flow, double* rate) {
  double *angle = rate + s->nq + s->nv + s->nz, *impulse = angle + s->nsat;
  double *ledger = rate + before_ledger(s), none = 0.0;

  const apl_status st = collect_motion(s, rate);
  if (s->nsat > 0) memcpy(angle, apl_spin(s->state), sizeof *rate * (size_t)s->nsat);
  for (int i = 0; i < s->npair; ++i)
    impulse[i] = apl_state_contact(s->state, i)->force[0];
  for (int i = 0; i < s->nactive; ++i) {
    ledger[i] = flow[s->order[i]];
    none += 0.0 * ledger[i]; /* what is not finite leaves no zero */
  }
  return st == APL_OK && none != 0.0 ? APL_ERR_NOT_FINITE : st;
}

apl_status apl_system_rate_motion(double t, const double* y, double* rate, void* context) {
  apl_system* s = context;

  place(s, t, y);
  const apl_status st = apl_system_forward(s);
  return st == APL_OK ? collect_motion(s, rate) : st;
}

apl_status apl_system_rate(double t, const double* y, double* rate, void* context) {
  apl_system* s = context;
  double flow[NLEDGER];

  place(s, t, y);
  apl_status st = apl_system_forward(s);
  if (st == APL_OK && s->nactive > 0) st = apl_ledger_rates(s->model, s->state, s->impulses, flow);
  return st == APL_OK ? collect_rates(s, flow, rate) : st;
}

/* The tally of (t, y) stands in s->left: apl_system_audit_last() takes it from there. */
static void keep_tally(apl_system* s, double t, const double* y) {
  s->left_t = t;
  memcpy(s->left_at, y, sizeof *y * (size_t)(s->nq + s->nv));
  s->has_tally = true;
}

apl_status apl_system_rate_landed(double t, const double* y, double* rate, void* context) {
  apl_system* s = context;
  const apl_status st = apl_system_rate(t, y, rate, s);

  if (st == APL_OK && apl_tally_last(s->model, s->state, s->left) == APL_OK) keep_tally(s, t, y);
  return st;
}

apl_status apl_system_rate_given(apl_system* s, double t, const double* y, double* rate) {
  double flow[NLEDGER];
  const apl_status st = apl_ledger_given(s->model, s->state, s->impulses, flow, s->left);

  if (st == APL_OK) keep_tally(s, t, y);
  return st == APL_OK ? collect_rates(s, flow, rate) : st;
}

/* -------------------------------------------------------------------------------- contacts ---- */

contact_state* apl_system_memory(apl_system* s, int i) {
  s->fresh = false;
  return apl_state_contact(s->state, i);
}

/* What kinds remember, one after the other. */
int apl_system_memory_size(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->nkind; ++i) {
    const coupling_kind* kind = apl_kinds[s->kind[i]];
    if (kind->memory_size != NULL) n += kind->memory_size(s);
  }
  return n;
}

void apl_system_remember(apl_system* s, double* out) {
  for (int i = 0; i < s->nkind; ++i) {
    const coupling_kind* kind = apl_kinds[s->kind[i]];
    if (kind->memory_size == NULL) continue;
    kind->remember(s, out);
    out += kind->memory_size(s);
  }
}

void apl_system_recall(apl_system* s, const double* in) {
  s->revision += 1;
  for (int i = 0; i < s->nkind; ++i) {
    const coupling_kind* kind = apl_kinds[s->kind[i]];
    if (kind->memory_size == NULL) continue;
    kind->recall(s, in);
    in += kind->memory_size(s);
  }
}

/* Forces of a time step are its impulses over its length. */
static apl_status stepped_contacts(apl_system* s) {
  const apl_status st = apl_contacts(s->model, s->state);

  for (int i = 0; i < s->npair; ++i) {
    const contact_note* n = &s->note[i];
    for (int k = 0; k < 3 && n->period > 0.0; ++k)
      apl_state_contact(s->state, i)->force[k] = n->last[k] / n->period;
  }
  return st;
}

apl_status apl_system_contacts(apl_system* s) {
  bool supported = false;
  if (s->steps) return stepped_contacts(s);

  for (int i = 0; i < s->npair; ++i)
    supported = supported || s->model->pair[i].rigid || s->model->pair[i].sticks;
  const apl_status st = supported ? apl_system_forward(s) : APL_OK; /* finds what supports push */
  return st == APL_OK ? apl_contacts(s->model, s->state) : st;
}

/* What a pass finds depends on q, v and the numbers of a contact before its depth. */
static bool contacts_as_seen(const apl_system* s, const contact_state* seen) {
  for (int i = 0; i < s->npair; ++i) {
    if (memcmp(&seen[i], apl_state_contact(s->state, i), offsetof(contact_state, depth)) != 0)
      return false;
  }
  return true;
}

/* Events ask for all contacts at one place again and again: the pass is made once. */
const contact_state* apl_system_look(apl_system* s, int i) {
  double *q = s->seen, *v = q + s->nq;
  contact_state* seen = (contact_state*)(void*)(v + s->nv);
  const size_t nq = sizeof *q * (size_t)s->nq, nv = sizeof *q * (size_t)s->nv;

  if (s->settled && s->viewed) return &seen[i];
  if (!s->fresh || memcmp(q, apl_q(s->state), nq) != 0 || memcmp(v, apl_v(s->state), nv) != 0 ||
      !contacts_as_seen(s, seen)) {
    memcpy(q, apl_q(s->state), nq);
    memcpy(v, apl_v(s->state), nv);
    const apl_status st = apl_contacts(s->model, s->state);
    if (st != APL_OK) s->looked = st;
    memcpy(seen, apl_state_contact(s->state, 0), sizeof *seen * (size_t)s->npair);
    s->fresh = true;
  }
  s->viewed = true;
  return &seen[i];
}

void apl_system_settle(apl_system* s, bool settled) {
  s->settled = settled;
  s->viewed = s->held_once = s->pulled = false;
}

apl_status apl_system_hold_forces(apl_system* s) {
  if (!s->settled || !s->held_once) s->forces = apl_system_forward(s);
  s->held_once = true;
  return s->forces;
}

const double* apl_system_uncut(apl_system* s) {
  if (s->settled && s->pulled) return s->uncut;

  const apl_status st = apl_tendons_uncut(s->model, s->state, s->uncut);
  if (st != APL_OK) s->looked = st;
  s->pulled = true;
  return s->uncut;
}

/* ---------------------------------------------------------------------------------- audit ---- */

/* Is what the last step has left behind the tally of (t, y)? */
static bool tally_stands(const apl_system* s, double t, const double* y) {
  return s->has_tally && s->left_t == t &&
         memcmp(s->left_at, y, sizeof *y * (size_t)(s->nq + s->nv)) == 0;
}

/* The ledger of the present state, whose tally is known. */
static void tell_ledger(apl_system* s, apl_ledger* out) {
  const double* tally = s->tally;

  apl_system_note_stretch(s);
  memcpy(out->momentum, tally + TALLY_MOMENTUM, sizeof out->momentum);
  for (int i = 0; i < 6; ++i)
    out->impulse[i] = s->ledger[APL_NACCOUNT + i];
  out->has_momentum = s->impulses && (!s->steps || s->free_steps);
  out->kinetic = tally[TALLY_KINETIC];
  out->potential = tally[TALLY_POTENTIAL];
  out->sum = out->kinetic + out->potential;
  for (int i = 0; i < APL_NACCOUNT; ++i) {
    out->account[i] = s->ledger[i];
    out->sum -= s->ledger[i];
  }
}

apl_status apl_system_audit(apl_system* s, double t, const double* y, apl_ledger* out) {
  apl_system_unpack(s, t, y);
  const apl_status st = apl_tally(s->model, s->state, s->tally);
  if (st == APL_OK) tell_ledger(s, out);
  return st;
}

apl_status apl_system_audit_last(apl_system* s, double t, const double* y, apl_ledger* out) {
  if (!tally_stands(s, t, y)) return apl_system_audit(s, t, y, out);

  s->has_tally = false;
  memcpy(s->tally, s->left, sizeof s->tally);
  unpack_sums(s, y);
  /* rows of loops are noted where they stand */
  if (s->model->npart + s->npair > 0) place(s, t, y);
  tell_ledger(s, out);
  return APL_OK;
}
