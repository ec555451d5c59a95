/* contacts.c: points and balls on ports against planes. Where they are, how fast they sink in and
   slip, and what the laws of math/contact_law.h make of that: a wrench on the port's frame, powers
   for the ledger, rates of bristles. Which contacts are closed, and since which speed, is memory
   that only events change (run/contact_events.c); a pass never decides it. */
#include "dynamics/motion.h"
#include "math/contact_law.h"

/* normal, then the two directions in the plane */
HOT_INLINE vec3 pair_axis(const real* par, int k) {
  return (vec3){par[PAIR_AXES + 3 * k], par[PAIR_AXES + 3 * k + 1], par[PAIR_AXES + 3 * k + 2]};
}

/* The point of a pair that touches, in the world, after positions() and velocities():
     x = centre - r n,  D = n . (point of the plane - x),  D' = -n . v,  slip = (v + w x (-r n)) */
static vec3 contact_motion(const apl_model* m, const state* s, const apl_pair* pair, contact* t) {
  const real* par = s->par + pair->par;
  const int f = m->port[pair->port].frame;
  const pose X = s->X[f];
  const vec3 p = par_pose(s, m->port[pair->port].pose).p;
  const vec3 n = pair_axis(par, 0), out = scale(-par[PAIR_RADIUS], n);
  const vec3 at = {par[PAIR_POINT], par[PAIR_POINT + 1], par[PAIR_POINT + 2]};
  const vec3 x = add(add(X.p, mul(X.R, p)), out);
  const vec3 v = mul(X.R, add(s->V[f].v, cross(s->V[f].w, p)));
  const vec3 slip = add(v, cross(mul(X.R, s->V[f].w), out));

  t->depth = dot(n, sub(at, x));
  t->rate = -dot(n, v);
  t->slip[0] = dot(pair_axis(par, 1), slip);
  t->slip[1] = dot(pair_axis(par, 2), slip);
  return x;
}

static inline normal_numbers pair_normal(const state* s, const apl_pair* pair) {
  normal_numbers N;
  memcpy(&N, s->par + pair->par + PAIR_NORMAL, sizeof N);
  return N;
}

/* Closed at an event: then an event also says when it ends, not the sign of a rounded depth. */
static inline mask is_begun(const contact* t) {
  return real_less(real_abs(t->on - 1.0), real_of(0.5));
}

/* What the law pushes and rubs with, supports included. */
static void contact_force(const state* s, const apl_pair* pair, contact* t) {
  const real o = real_of(0.0);
  const normal_numbers N = pair_normal(s, pair);
  const mask on = is_closed(t), free = real_less(t->stick, real_of(0.5));
  friction_numbers F;
  real rub[2] = {o, o}, zrate[2] = {o, o};

  memcpy(&F, s->par + pair->par + PAIR_FRICTION, sizeof F);
  const mask pushes = mask_or(is_begun(t), real_less(o, t->depth));
  const real normal = normal_force(t->depth, t->rate, t->speed, &N, pair->pulls != 0);
  t->force[0] = t->push[0] + real_select(on, real_select(pushes, normal, o), o);
  if (pair->bristles) {
    friction_bristles(t->slip, t->z, &F, rub, zrate);
  } else if (pair->friction != FRICTION_NONE) {
    friction_force((friction_law)pair->friction, t->slip, &F, rub);
  }
  for (int k = 0; k < 2; ++k) {
    t->force[1 + k] = t->push[1 + k] + real_select(free, real_max(t->force[0], o) * rub[k], o);
    t->zrate[k] = real_select(on, zrate[k], o);
  }
}

/* Forces of pairs that touch into F, their powers into the accounts:
     contact           -N D'
     contact-friction  T . slip */
static void contact_efforts(const apl_model* m, state* s) {
  for (int i = 0; i < m->npair; ++i) {
    const apl_pair* pair = &m->pair[i];
    const real* par = s->par + pair->par;
    const int f = m->port[pair->port].frame;
    contact* t = &s->contact[i];

    if (!contact_acts(t)) {
      zero(t->force, 3);
      zero(t->zrate, 2);
      continue;
    }
    const vec3 x = contact_motion(m, s, pair, t);
    contact_force(s, pair, t);
    const vec3 force =
        add(scale(t->force[0], pair_axis(par, 0)),
            add(scale(t->force[1], pair_axis(par, 1)), scale(t->force[2], pair_axis(par, 2))));
    const vec3 arm = mul_t(s->X[f].R, sub(x, s->X[f].p)), in_frame = mul_t(s->X[f].R, force);

    s->F[f] = wrench_add(s->F[f], (wrench){cross(arm, in_frame), in_frame});
    s->power[APL_ACCOUNT_CONTACT] -= t->force[0] * t->rate;
    s->power[APL_ACCOUNT_CONTACT_FRICTION] += t->force[1] * t->slip[0] + t->force[2] * t->slip[1];
  }
}

/* Depths, rates, slips and forces for the present q, v and memory. */
static apl_status contacts(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  positions(m, s);
  velocities(m, s);
  for (int i = 0; i < m->npair; ++i) {
    contact_motion(m, s, &m->pair[i], &s->contact[i]);
    contact_force(s, &m->pair[i], &s->contact[i]);
  }
  return finite_status((const real*)(const void*)s->contact,
                       m->npair * (int)(sizeof(contact) / sizeof(real)));
}
