/* SPDX-License-Identifier: Apache-2.0 */
/* drive.c: inputs, prescribed motions and aims of servos at time t, and the error sums of servos
   with an integral part. Who gives them: prescribe.c. Theory: docs/theory/gaits.md. */
#include "system/system_impl.h"

#include "base/assert.h"
#include "signal/signals.h"
#include "system/system.h"

#include <float.h>
#include <math.h>

/* --------------------------------------------------------------------------------- signals ---- */

void apl_system_forget_signals(apl_system* s) {
  s->drives.heard_input.t = s->drives.heard_motion.t = s->drives.heard_aim.t = (double)NAN;
  s->revision += 1;
}

/* Values, rates and second rates at time t of the signals in a list of motions or aims. */
static const double* hear(const drive* list, int n, double t, heard* h) {
  for (int i = 0; i < n && h->t != t; ++i)
    apl_signal_eval(list[i].signal, t, h->x + 3 * i);
  h->t = t;
  return h->x;
}

static const double* hear_inputs(apl_system* s, double t) {
  heard* h = &s->drives.heard_input;

  for (int i = 0; i < s->nu && h->t != t; ++i) {
    if (s->drives.input[i] != NULL) apl_signal_eval(s->drives.input[i], t, h->x + 3 * i);
  }
  h->t = t;
  return h->x;
}

/* Is the aim of this velocity given by a motion? */
static bool has_motion(const apl_system* s, int velocity) {
  int i = 0;

  while (i < s->drives.naim && s->drives.aim[i].velocity != velocity)
    ++i;
  return i < s->drives.naim;
}

/* Inputs that are aims of servos, within their bounds. A motion takes precedence. A signal also
   gives the rate of the aim, unless a bound cuts its value. */
static void aims_of_inputs(apl_system* s, double t) {
  const double* x = hear_inputs(s, t);
  double *aim = apl_aim(s->state), *u = apl_u(s->state);

  for (int i = 0; i < s->nu; ++i) {
    const apl_input* in = &s->model->input[i];
    if (!input_is_aim(in)) continue;
    const int at = input_aim(in, s->nv);
    const bool moved = has_motion(s, in->target);
    const bool signal = !moved && s->drives.input[i] != NULL;
    const double want = moved ? aim[at] : signal ? x[3 * i] : u[i];
    u[i] = fmin(fmax(want, s->drives.least[i]), s->drives.greatest[i]);
    aim[at] = u[i];
    double* rate = &aim[s->nv + in->target];
    if (in->kind == INPUT_AIM && signal) *rate = x[3 * i + 1];
    if (in->kind == INPUT_AIM && u[i] != want) *rate = 0.0;
  }
}

void apl_system_aims(apl_system* s, double t) {
  const double* x = hear(s->drives.aim, s->drives.naim, t, &s->drives.heard_aim);
  double* aim = apl_aim(s->state);

  for (int i = 0; i < s->drives.naim; ++i, x += 3) {
    const drive* d = &s->drives.aim[i];
    if (d->coordinate >= 0) aim[d->velocity] = x[0];
    aim[s->nv + d->velocity] = d->coordinate >= 0 ? x[1] : x[0];
  }
  if (s->model->naim > 0) aims_of_inputs(s, t);
}

void apl_system_drive(apl_system* s, double t_now) {
  if (s->drives.nmotion + s->drives.naim + s->holds.n + s->nu == 0) return;

  double *q = apl_q(s->state), *v = apl_v(s->state), *a = apl_a(s->state), *u = apl_u(s->state);
  const double t = t_now < s->drives.left_of
                       ? t_now
                       : s->drives.left_of - 4.0 * DBL_EPSILON * fabs(s->drives.left_of);
  const double* x = hear(s->drives.motion, s->drives.nmotion, t, &s->drives.heard_motion);

  /* Prescribed coordinates and velocities are set to their signals; the integrated numbers, which
     differ by the error of the method, are replaced. */
  for (int i = 0; i < s->drives.nmotion; ++i, x += 3) {
    const drive* d = &s->drives.motion[i];
    if (d->coordinate >= 0) q[d->coordinate] = x[0];
    v[d->velocity] = d->coordinate >= 0 ? x[1] : x[0];
    a[d->velocity] = d->coordinate >= 0 ? x[2] : x[1];
  }
  apl_system_aims(s, t);
  for (int k = 0; k < s->holds.n; ++k)
    v[s->holds.velocity[k]] = 0.0;
  x = hear_inputs(s, t);
  for (int i = 0; i < s->nu; ++i) {
    if (input_is_aim(&s->model->input[i])) continue; /* done by apl_system_aims() */
    if (s->drives.input[i] != NULL) u[i] = x[3 * i];
    double least = s->drives.least[i], greatest = s->drives.greatest[i];
    if (s->drives.slow[i] != 0.0) {
      /* the limit in the direction of motion falls linearly to zero at the largest speed: eq. 6 of
         gaits.md */
      const double share = s->drives.slow[i] * v[s->drives.slow_by[i]];
      greatest *= fmin(fmax(1.0 - share, 0.0), 1.0);
      least *= fmin(fmax(1.0 + share, 0.0), 1.0);
    }
    const double above = u[i] > least ? u[i] : least;
    u[i] = above < greatest ? above : greatest;
  }
}

double apl_system_break(const apl_system* s, double t) {
  double first = HUGE_VAL;

  for (int i = 0; i < s->nu; ++i) {
    if (s->drives.input[i] != NULL) first = fmin(first, apl_signal_break(s->drives.input[i], t));
  }
  for (int i = 0; i < s->drives.nmotion; ++i)
    first = fmin(first, apl_signal_break(s->drives.motion[i].signal, t));
  for (int i = 0; i < s->drives.naim; ++i)
    first = fmin(first, apl_signal_break(s->drives.aim[i].signal, t));
  return first;
}

/* ------------------------------------------------------------------------ sums of servos ---- */

void apl_system_find_integrals(apl_system* s) {
  const apl_model* m = s->model;

  for (int i = 0; i < m->npassive; ++i) {
    const apl_node* n = &m->node[m->passive[i]];
    const double *most = m->par + n->servo + 2 * n->nv, *ki = most + 2 * n->nv;
    for (int k = 0; n->servo != 0 && k < n->nv; ++k) {
      if (!(ki[k] > 0.0)) continue;
      s->drives.integral[s->drives.nintegral++] = (integral){n->q0 + k, n->v0 + k, ki[k], most[k]};
    }
  }
  APL_ASSERT(s->drives.nintegral == m->nintegral);
}

/* The state stores the sums behind the aims and their rates. */
double* apl_system_sum(apl_system* s, int i) {
  return apl_aim(s->state) + 2 * s->nv + s->drives.integral[i].velocity;
}

static double error_of(apl_system* s, int i) {
  const integral* I = &s->drives.integral[i];
  return apl_aim(s->state)[I->velocity] - apl_q(s->state)[I->coordinate];
}

/* z' = e = aim - q; zero where the effort ki z has reached its limit and e would increase it. */
double apl_system_sum_rate(apl_system* s, int i) {
  const integral* I = &s->drives.integral[i];
  const double e = error_of(s, i), part = I->gain * *apl_system_sum(s, i);

  return (part >= I->most && e > 0.0) || (part <= -I->most && e < 0.0) ? 0.0 : e;
}

void apl_system_sum_errors(apl_system* s, double h) {
  for (int i = 0; i < s->drives.nintegral; ++i)
    *apl_system_sum(s, i) += h * apl_system_sum_rate(s, i);
}

/* z = psi + c e, cut where ki z reaches its limit; a psi beyond the limit stays. */
void apl_system_implicit_sums(apl_system* s, double c, const double* psi, double* z) {
  for (int i = 0; i < s->drives.nintegral; ++i) {
    const int at = s->nz - s->drives.nintegral + i;
    const double e = error_of(s, i), most = s->drives.integral[i].most / s->drives.integral[i].gain;
    const double to = psi[at] + c * e;
    z[at] = e > 0.0 ? fmin(to, fmax(psi[at], most)) : fmax(to, fmin(psi[at], -most));
  }
}
