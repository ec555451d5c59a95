/* moreau_ledger.c: what a time step did to the accounts: impulse times mean velocity,

     dW = p . (v + v+) / 2

   for every force that is not conservative. With the mass matrix at the start of the step that is
   exactly what the impulse does to the kinetic energy; what remains (the matrix and gravity change
   on the way, springs are taken at the end of the step) is the error of the method, the line
   `discretisation` of the ledger. */
#include "dynamics/passes.h"
#include "law/contact_law.h"
#include "step/moreau.h"

#include <math.h>
#include <string.h>

/* Accounts whose forces are taken as they are at the start of the step. */
static const apl_account explicit_accounts[] = {
    APL_ACCOUNT_INPUT, APL_ACCOUNT_LOAD, APL_ACCOUNT_STOP, APL_ACCOUNT_DRAG, APL_ACCOUNT_TENDON};
enum { NEXPLICIT = sizeof explicit_accounts / sizeof *explicit_accounts };

static bool has_explicit(const apl_system* s) {
  const apl_model* m = s->model;
  bool stops = false; /* those that are not rows */

  for (int i = 0; i < m->npassive; ++i) {
    stops = stops ||
            (m->node[m->passive[i]].stop != 0 && !s->state->passes->stop_is_row(m, m->passive[i]));
  }
  return s->nu > 0 || s->state->nload > 0 || m->ndrag > 0 || stops;
}

apl_status apl_moreau_open(apl_moreau* m) {
  apl_system* s = m->system;

  memset(m->power, 0, sizeof m->power);
  return has_explicit(s) ? apl_accounts(s->model, s->state, m->power) : APL_OK;
}

/* Forces of the start with the velocities of the end: the mean of both powers. */
static apl_status book_explicit(apl_moreau* m, double h) {
  apl_system* s = m->system;
  double power[APL_NACCOUNT];
  if (!has_explicit(s)) return APL_OK;

  const apl_status st = apl_accounts(s->model, s->state, power);
  for (int k = 0; k < NEXPLICIT && st == APL_OK; ++k) {
    const apl_account a = explicit_accounts[k];
    s->ledger[a] += 0.5 * h * (m->power[a] + power[a]);
  }
  return st;
}

/* Efforts that the caller gave, and those of prescribed freedoms: their impulse is what the step
   needed. */
static void book_efforts(apl_moreau* m, double h) {
  apl_system* s = m->system;
  const double *tau = apl_tau(s->state), *v = apl_v(s->state);

  for (int i = 0; i < s->nv; ++i)
    s->ledger[APL_ACCOUNT_EFFORT] += 0.5 * h * tau[i] * (m->v[i] + v[i]);
}

/* Dampers of a slaved joint, on the rates of its coordinates: -d rate+ */
static void book_trail(apl_moreau* m, const apl_node* n, double h) {
  const double *d = m->system->model->par + n->damper, *r0 = m->rate0 + n->t0,
               *r1 = m->rate1 + n->t0;

  for (int k = 0; n->damper != 0 && k < n->nt; ++k)
    m->system->ledger[APL_ACCOUNT_DAMPING] -= 0.5 * h * d[k] * r1[k] * (r0[k] + r1[k]);
}

/* Dampers and dry friction of joints, which act with the velocities of the end: -d v+, and
   -(F(v) + F'(v) (v+ - v)) */
static void book_joint(apl_moreau* m, const apl_node* n, double h) {
  apl_system* s = m->system;
  const double *par = s->model->par, *v1 = apl_v(s->state);

  for (int k = 0; k < n->nv; ++k) {
    const double v0 = m->v[n->v0 + k], v = v1[n->v0 + k], mean = 0.5 * (v0 + v);
    if (n->damper != 0 && !n->slaved)
      s->ledger[APL_ACCOUNT_DAMPING] -= h * par[n->damper + k] * v * mean;
    if (n->friction != 0) {
      const double speed = par[n->friction + n->nv], F = par[n->friction + k];
      const double size = sqrt(v0 * v0 + speed * speed);
      const double force = F * v0 / size + F * speed * speed / (size * size * size) * (v - v0);
      s->ledger[APL_ACCOUNT_FRICTION] -= h * force * mean;
    }
  }
}

/* Servos, whose gains are implicit in the step: F - h kp v+ - kd (v+ - v), F with the place of the
   start and the aim of the end; and F alone where it is cut. */
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
    s->ledger[APL_ACCOUNT_SERVO] += 0.5 * h * mean * (v0 + v1[i]);
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
      s->ledger[APL_ACCOUNT_STRUCTURE] -= 0.5 * h * m->Kv[k] * (m->v[k] + v[k]);
  }
  return st;
}

/* An impact is over when the contact does not press any more. */
static void tell_impact(apl_system* s, int i, double t, moreau_news* news) {
  const contact_note* n = &s->note[i];
  const double speed = apl_state_contact(s->state, i)->speed;

  if (!(speed > s->model->par[s->model->pair[i].par + PAIR_REST])) return;
  news->impacts += 1;
  if (news->impact == NULL) return;
  apl_impact hit = {.contact = i,
                    .start = n->start,
                    .end = t,
                    .speed_in = speed,
                    .speed_out = n->out[0],
                    .slip_in = {n->slip[0], n->slip[1]},
                    .slip_out = {n->out[1], n->out[2]},
                    .impulse = s->impulse[i] - n->impulse,
                    .peak = n->peak};
  apl_system_shapes(s, i, hit.shape);
  news->impact(&hit, s, news->user);
}

/* Contacts without friction have no rows along the ground: how they slip is asked for where their
   impact ends. */
static apl_status find_slips(apl_moreau* m) {
  apl_system* s = m->system;
  apl_status st = APL_OK;
  bool looked = false;

  for (int i = 0; i < s->npair && st == APL_OK; ++i) {
    contact_note* n = &s->note[i];
    const bool presses = m->contact[i].row >= 0 && n->last[0] > 0.0;
    if (s->model->pair[i].friction != FRICTION_NONE || !n->closed || presses) continue;
    if (!looked) st = apl_contacts(s->model, s->state);
    looked = true;
    memcpy(n->out + 1, apl_state_contact(s->state, i)->slip, 2 * sizeof *n->out);
  }
  return st;
}

/* Work of the impulses of contact i, its impulse, and what it remembers. Returns the work of a hit.
 */
static double book_contact(apl_moreau* m, int i, double t, double h, moreau_news* news) {
  apl_system* s = m->system;
  contact_note* n = &s->note[i];
  const moreau_contact* c = &m->contact[i];
  const bool presses = c->row >= 0 && n->last[0] > 0.0;
  double normal = 0.0, along = 0.0;

  n->period = h;
  if (presses) {
    /* what presses a contact from outside is given back by the ground: no work */
    if (!s->model->pair[i].pressed) normal = 0.5 * n->last[0] * (c->before[0] + c->after[0]);
    for (int k = 1; k < 3; ++k)
      along += 0.5 * n->last[k] * (c->before[k] + c->after[k]);
  }
  s->ledger[c->hit ? APL_ACCOUNT_IMPACT : APL_ACCOUNT_CONTACT] += normal;
  s->ledger[APL_ACCOUNT_CONTACT_FRICTION] += along;
  if (presses && !n->closed) {
    *n = (contact_note){.start = t,
                        .impulse = s->impulse[i],
                        .period = h,
                        .slip = {c->before[1], c->before[2]},
                        .last = {n->last[0], n->last[1], n->last[2]}};
    apl_state_contact(s->state, i)->speed =
        fmax(-c->before[0], s->model->par[s->model->pair[i].par + PAIR_REST]);
  }
  s->impulse[i] += n->last[0];
  n->peak = fmax(n->peak, n->last[0] / h);
  if (n->closed && !presses) tell_impact(s, i, t, news);
  if (presses) memcpy(n->out, c->after, sizeof n->out);
  n->closed = presses;
  n->stuck = presses && hypot(c->after[1], c->after[2]) <= 1e-9;
  return c->hit ? normal + along : 0.0;
}

apl_status apl_moreau_book(apl_moreau* m, double t, double h, moreau_news* news) {
  apl_system* s = m->system;
  double gain = 0.0;
  apl_status st = book_explicit(m, h);

  book_efforts(m, h);
  for (int i = 0; i < s->model->npassive; ++i) {
    const apl_node* n = &s->model->node[s->model->passive[i]];
    book_joint(m, n, h);
    if (n->slaved) book_trail(m, n, h);
    if (n->servo != 0) book_servo(m, n, h);
  }
  if (st == APL_OK) st = book_structures(m, h);
  apl_moreau_book_loops(m, h);
  apl_moreau_book_parts(m, h);
  apl_moreau_book_momentum(m, h);
  if (st == APL_OK) st = find_slips(m);
  for (int i = 0; i < s->npair; ++i)
    gain += book_contact(m, i, t, h, news);
  /* Newton's restitution with friction, or of several contacts, may give energy */
  if (gain > m->worst.gain) {
    m->worst.gain = gain;
    m->worst.gain_at = t;
  }
  return st;
}
