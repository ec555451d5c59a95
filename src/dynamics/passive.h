/* SPDX-License-Identifier: Apache-2.0 */
/* passive.h: springs, stops, dampers, dry friction and servos of one joint: forces on the tangent
   of its coordinates and on its quasi-velocities. efforts.c adds them to the robot's efforts,
   stiffness.c takes their derivatives, reactions.c and energy.c evaluate single joints. */
#pragma once

#include "dynamics/motion.h"

/* q - rest, in the tangent space of q */
static void displacement(const state* s, const apl_node* n, real* delta) {
  const joint_ops* ops = joint_ops_of(n->joint);
  const real* rest = s->par + n->rest;

  if (ops->subtract != NULL) {
    ops->subtract(s->q + n->q0, rest, delta);
  } else {
    for (int k = 0; k < n->nt; ++k)
      delta[k] = s->q[n->q0 + k] - rest[k];
  }
}

/* q' in the tangent space of q */
static void joint_rate(const apl_node* n, const joint_in* in, real* rate) {
  const joint_ops* ops = joint_ops_of(n->joint);

  if (ops->tangent_rate != NULL) {
    ops->tangent_rate(in, rate);
  } else {
    for (int k = 0; k < n->nt; ++k)
      rate[k] = in->v[k];
  }
}

/* Passive forces of a joint, on the tangent of q and on the velocities, and the power that each
   kind removes from the robot. */
typedef struct passive {
  real f[APL_MAX_NV];     /* on the tangent                                                       */
  real g[APL_MAX_NV];     /* on the quasi-velocities                                              */
  real delta[APL_MAX_NV]; /* q - rest                                                             */
  real damping, friction, stop, servo;
} passive;

/* Force of a stop, k p (1 + c p') with penetration p, never negative. *lost grows by the dissipated
   power: the total power minus that of the spring force k p. */
static inline real stop_force(real p, real rate, real k, real c, real* lost) {
  const real o = real_of(0.0), deep = real_max(p, o);
  const real F = real_max(k * deep * (1.0 + c * rate), o);

  *lost += (F - k * deep) * rate;
  return F;
}

/* True if the stop is a constraint row of an integrator; then it has no force here. */
static inline bool stop_is_apart(const state* s, const apl_node* n) {
  return s->head.apart && joint_ops_of(n->joint)->pull == NULL;
}

static void passive_stops(const state* s, const apl_node* n, const real* rate, passive* out) {
  const real *lower = s->par + n->stop, *upper = lower + n->nt;
  const real k = upper[n->nt], c = upper[n->nt + 1];

  for (int i = 0; i < n->nt; ++i) {
    const real q = s->q[n->q0 + i];
    out->f[i] -= stop_force(q - upper[i], rate[i], k, c, &out->stop);
    out->f[i] += stop_force(lower[i] - q, -rate[i], k, c, &out->stop);
  }
}

HOT_INLINE real clamp(real x, real low, real high) {
  return -real_max(-real_max(x, low), -high);
}

/* Effort of a servo on velocity k: kp (aim - q) + ki (integral of aim - q) + kd (aim' - v). *low
   and *high are the limits of its motor: the largest effort, which falls linearly to zero at the
   largest speed where the motor drives. */
static real servo_want(const state* s, const apl_node* n, int k, real* low, real* high) {
  const real *kp = s->par + n->servo, *kd = kp + n->nv, *most = kd + n->nv, *slow = most + n->nv;
  const real* ki = slow + n->nv;
  const real o = real_of(0.0), one = real_of(1.0);
  const int i = n->v0 + k, nv = s->head.model->nv;
  const real v = s->v[i], share = v * slow[k];

  *high = most[k] * clamp(one - share, o, one);
  *low = -most[k] * clamp(one + share, o, one);
  return kp[k] * (s->aim[i] - s->q[n->q0 + k]) + kd[k] * (s->aim[nv + i] - v) +
         ki[k] * s->aim[2 * nv + i];
}

static void servo_forces(const state* s, const apl_node* n, passive* out) {
  for (int k = 0; k < n->nv; ++k) {
    real low, high;
    const real want = servo_want(s, n, k, &low, &high), F = clamp(want, low, high);
    out->g[k] += F;
    s->servo[n->v0 + k] = F;
    out->servo += F * s->v[n->v0 + k];
  }
}

/* Springs: -k delta. Dampers: -d v; for a slaved joint -d times the rate of its coordinate. Dry
   friction: -F v / sqrt(v^2 + v_s^2), smooth at v = 0. */
static void passive_forces(const state* s, const apl_node* n, const joint_in* in, passive* out) {
  const real* v = s->v + n->v0;
  real rate[APL_MAX_NV];

  zero(out->f, n->nt);
  zero(out->g, n->nv);
  zero(out->delta, n->nt);
  out->damping = out->friction = out->stop = out->servo = real_of(0.0);
  if (n->spring != 0) {
    displacement(s, n, out->delta);
    for (int k = 0; k < n->nt; ++k)
      out->f[k] -= s->par[n->spring + k] * out->delta[k];
  }
  if (n->stop != 0 || n->slaved) joint_rate(n, in, rate);
  if (n->stop != 0 && !stop_is_apart(s, n)) passive_stops(s, n, rate, out);
  for (int k = 0; n->damper != 0 && k < (n->slaved ? n->nt : n->nv); ++k) {
    const real u = n->slaved ? rate[k] : v[k], d = s->par[n->damper + k] * u;
    real* force = n->slaved ? out->f : out->g;
    force[k] -= d;
    out->damping += d * u;
  }
  for (int k = 0; n->friction != 0 && k < n->nv; ++k) {
    const real speed = s->par[n->friction + n->nv];
    const real F = s->par[n->friction + k] * v[k] / real_sqrt(v[k] * v[k] + speed * speed);
    out->g[k] -= F;
    out->friction += F * v[k];
  }
}
