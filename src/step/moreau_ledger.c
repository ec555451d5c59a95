/* SPDX-License-Identifier: Apache-2.0 */
/* moreau_ledger.c: the work of a time step by account: impulse times mean velocity,

     dW = p . (v + v+) / 2

   for every non-conservative force. With the mass matrix of the start of the step this is exactly
   the change of kinetic energy by the impulse. The remainder (mass matrix and gravity change during
   the step, springs are evaluated at its end) is the discretisation error of the method, the line
   `discretisation` of the ledger. */
#include "dynamics/passes.h"
#include "step/moreau.h"

#include <math.h>
#include <string.h>

/* Accounts whose forces are evaluated at the start of the step. */
static const apl_account explicit_accounts[] = {
    APL_ACCOUNT_INPUT, APL_ACCOUNT_LOAD, APL_ACCOUNT_STOP, APL_ACCOUNT_DRAG, APL_ACCOUNT_TENDON};
enum { NEXPLICIT = sizeof explicit_accounts / sizeof *explicit_accounts };

static bool has_explicit(const apl_system* s) {
  return s->nu > 0 || s->state->nload > 0 || s->model->ndrag > 0 || apl_couplings_by_passes(s);
}

apl_status apl_moreau_open(apl_moreau* m) {
  apl_system* s = m->system;

  memset(m->power, 0, sizeof m->power);
  return has_explicit(s) ? apl_accounts(s->model, s->state, m->power) : APL_OK;
}

/* Forces of the start with the velocities of both ends: the mean of both powers. */
static apl_status book_explicit(apl_moreau* m, double h) {
  apl_system* s = m->system;
  double power[APL_NACCOUNT];
  if (!has_explicit(s)) return APL_OK;

  const apl_status st = apl_accounts(s->model, s->state, power);
  for (int k = 0; k < NEXPLICIT && st == APL_OK; ++k) {
    const apl_account a = explicit_accounts[k];
    s->ledger.account[a] += 0.5 * h * (m->power[a] + power[a]);
  }
  return st;
}

/* Efforts of the caller, and those of prescribed freedoms, whose impulse is the one that the step
   needed. */
static void book_efforts(apl_moreau* m, double h) {
  apl_system* s = m->system;
  const double *tau = apl_tau(s->state), *v = apl_v(s->state);

  for (int i = 0; i < s->nv; ++i)
    s->ledger.account[APL_ACCOUNT_EFFORT] += 0.5 * h * tau[i] * (m->v[i] + v[i]);
}

/* Damper of a slaved joint, which acts on the rates of its coordinates: -d rate+ */
static void book_trail(apl_moreau* m, const apl_node* n, double h) {
  const double *d = m->system->model->par + n->damper, *r0 = m->rate0 + n->t0,
               *r1 = m->rate1 + n->t0;

  for (int k = 0; n->damper != 0 && k < n->nt; ++k)
    m->system->ledger.account[APL_ACCOUNT_DAMPING] -= 0.5 * h * d[k] * r1[k] * (r0[k] + r1[k]);
}

/* Dampers and dry friction of joints, evaluated at the end of the step: -d v+, and -(F(v) + F'(v)
   (v+ - v)) */
static void book_joint(apl_moreau* m, const apl_node* n, double h) {
  apl_system* s = m->system;
  const double *par = s->model->par, *v1 = apl_v(s->state);

  for (int k = 0; k < n->nv; ++k) {
    const double v0 = m->v[n->v0 + k], v = v1[n->v0 + k], mean = 0.5 * (v0 + v);
    if (n->damper != 0 && !n->slaved)
      s->ledger.account[APL_ACCOUNT_DAMPING] -= h * par[n->damper + k] * v * mean;
    if (n->friction != 0) {
      const double speed = par[n->friction + n->nv], F = par[n->friction + k];
      const double size = sqrt(v0 * v0 + speed * speed);
      const double force = F * v0 / size + F * speed * speed / (size * size * size) * (v - v0);
      s->ledger.account[APL_ACCOUNT_FRICTION] -= h * force * mean;
    }
  }
}

/* Servos, whose gains are implicit: effort F - h kp v+ - kd (v+ - v), with F for the coordinates of
   the start and the aim of the end; F alone where it is at its limit. */
static void book_servo(apl_moreau* m, const apl_node* n, double h) {
  apl_system* s = m->system;
  const double *kp = s->model->par + n->servo, *kd = kp + n->nv, *ki = kp + 4 * n->nv;
  const double *aim = s->state->aim, *rate = aim + s->nv, *sum = rate + s->nv;
  const double* v1 = apl_v(s->state);

  for (int k = 0; k < n->nv; ++k) {
    const int i = n->v0 + k;
    const double v0 = m->v[i], F = m->servo[i];
    const double want =
        kp[k] * (aim[i] - m->q[n->q0 + k]) + kd[k] * (rate[i] - v0) + ki[k] * sum[i];
    const bool cut = F != want;
    const double mean = cut ? F : F - h * kp[k] * v1[i] - kd[k] * (v1[i] - v0);
    s->ledger.account[APL_ACCOUNT_SERVO] += 0.5 * h * mean * (v0 + v1[i]);
  }
}

/* Material damping of bodies: -C x'+ */
static apl_status book_structures(apl_moreau* m, double h) {
  apl_system* s = m->system;
  const double* v = apl_v(s->state);
  bool any = false;

  for (int i = 0; i < s->model->nnode; ++i)
    any = any || s->model->node[i].nx > 0;
  if (!any) return APL_OK;
  const apl_status st = apl_stiffness(s->model, s->state, v, NULL, m->Kv);
  for (int i = 0; i < s->model->nnode && st == APL_OK; ++i) {
    const apl_node* n = &s->model->node[i];
    for (int k = n->xv0; k < n->xv0 + n->nx; ++k)
      s->ledger.account[APL_ACCOUNT_STRUCTURE] -= 0.5 * h * m->Kv[k] * (m->v[k] + v[k]);
  }
  return st;
}

apl_status apl_moreau_book(apl_moreau* m, coupling_pass* p) {
  apl_system* s = m->system;
  const double h = p->h;
  apl_status st = book_explicit(m, h);

  book_efforts(m, h);
  for (int i = 0; i < s->model->npassive; ++i) {
    const apl_node* n = &s->model->node[s->model->passive[i]];
    book_joint(m, n, h);
    if (n->slaved) book_trail(m, n, h);
    if (n->servo != 0) book_servo(m, n, h);
  }
  if (st == APL_OK) st = book_structures(m, h);
  apl_moreau_book_momentum(m, h);
  if (st == APL_OK) st = apl_couplings_book(s, p);
  /* Newton's restitution with friction, or of several contacts at once, may add energy */
  if (p->gain > m->base.worst.gain) {
    m->base.worst.gain = p->gain;
    m->base.worst.gain_at = p->t;
  }
  return st;
}
