/* SPDX-License-Identifier: Apache-2.0 */
/* checks_tangent.c: coordinates as a manifold. Two sets of coordinates are equal when all ports
   stand at the same poses, whatever the length or sign of their quaternions. */
#include "checks.h"

#include "dynamics/extra.h"
#include "dense.h"

#include <math.h>
#include <string.h>

static void poses(subject* sub, const double* q, double* out) {
  memcpy(apl_q(sub->s), q, sizeof *q * (size_t)sub->nq);
  for (int p = 0; p < sub->nport; p++)
    CHECK_OK(apl_port_pose(sub->model, sub->s, p, out + 12 * p));
}

void check_tangent(subject* sub, rng* r) {
  const int np = 12 * sub->nport;
  double* delta = subject_take(sub, sub->nt);
  double* back = subject_take(sub, sub->nt);
  double* to = subject_take(sub, sub->nq);
  double* again = subject_take(sub, sub->nq);
  double* want = subject_take(sub, np);
  double* got = subject_take(sub, np);
  const double reach = 10; /* ports stand within a few metres */

  /* q + 0 = q */
  CHECK_OK(apl_add(sub->model, sub->s, sub->q, delta, again));
  poses(sub, sub->q, want);
  poses(sub, again, got);
  CHECK_ARRAY(got, want, np, 1e-13, reach);

  /* (q + delta) - q = delta, while rotations stay below half a turn */
  rng_fill(r, delta, sub->nt, 1.0);
  CHECK_OK(apl_add(sub->model, sub->s, sub->q, delta, to));
  CHECK_OK(apl_subtract(sub->model, sub->s, to, sub->q, back));
  CHECK_ARRAY(back, delta, sub->nt, 1e-13, 4.0);

  /* q + (to - q) = to, also when the quaternions of `to` have the other sign */
  for (int i = 0; i < sub->nq; i++) {
    if (!subject_is_quaternion(sub, i)) continue;
    for (int k = i; k < i + 4; k++)
      to[k] = -to[k];
  }
  CHECK_OK(apl_subtract(sub->model, sub->s, to, sub->q, back));
  CHECK_OK(apl_add(sub->model, sub->s, sub->q, back, again));
  poses(sub, to, want);
  poses(sub, again, got);
  CHECK_ARRAY(got, want, np, 1e-12, reach);

  /* the derivative of q + e rate is q', that of (q + e q') - q is the rate */
  double* rate = subject_take(sub, sub->nt);
  double* qdot = subject_take(sub, sub->nq);
  double* zq = subject_take(sub, 2 * sub->nq);
  double* zt = subject_take(sub, 2 * sub->nt);
  double* zo = subject_take(sub, 2 * sub->nq);
  double* out = subject_take(sub, sub->nq + sub->nt);
  subject_point(sub);
  CHECK_OK(apl_rates(sub->model, sub->s, qdot));
  CHECK_OK(apl_tangent_rates(sub->model, sub->s, rate));
  if (sub->nv > 0) CHECK_ALIVE(rate, sub->nt, 1e-3);
  for (int i = 0; i < sub->nq; i++)
    zq[2 * i] = sub->q[i];
  for (int i = 0; i < sub->nt; i++)
    zt[2 * i + 1] = SUBJECT_STEP * rate[i];
  const double scale = 1 + near_max(rate, sub->nt);
  CHECK_OK(apl_add(sub->model, sub->z, zq, zt, zo));
  subject_derivative(zo, sub->nq, out);
  CHECK_ARRAY(out, qdot, sub->nq, 1e-13, scale);
  memcpy(zo, zq, sizeof *zo * (size_t)(2 * sub->nq));
  for (int i = 0; i < sub->nq; i++)
    zo[2 * i + 1] = SUBJECT_STEP * qdot[i];
  CHECK_OK(apl_subtract(sub->model, sub->z, zo, zq, zt));
  subject_derivative(zt, sub->nt, out);
  CHECK_ARRAY(out, rate, sub->nt, 1e-13, scale);
}

void check_drift(subject* sub) {
  const int n = sub->nv;
  double* q = subject_take(sub, sub->nq);
  double* tau = subject_take(sub, n);
  double* energy = subject_take(sub, 4);
  bool any = false;

  memcpy(q, sub->q, sizeof *q * (size_t)sub->nq);
  subject_point(sub);
  CHECK_OK(apl_energy(sub->model, sub->s, energy));
  CHECK_OK(apl_inverse(sub->model, sub->s));
  memcpy(tau, apl_tau(sub->s), sizeof *tau * (size_t)n);
  for (int i = 0; i < sub->nq; i++) {
    if (!subject_is_quaternion(sub, i)) continue;
    any = true;
    for (int k = i; k < i + 4; k++)
      sub->q[k] *= 1.7;
  }
  if (any) {
    subject_point(sub);
    const double scale = check_effort_scale(sub, sub->a);
    CHECK_OK(apl_inverse(sub->model, sub->s));
    CHECK_ARRAY(apl_tau(sub->s), tau, n, 1e-12, scale);
    CHECK_OK(apl_energy(sub->model, sub->s, energy + 2));
    CHECK_ARRAY(energy + 2, energy, 2, 1e-12, 1 + near_max(energy, 2));
    check_round_trip(sub);
    check_twists(sub); /* q' still turns the body at its angular velocity */
    check_energy(sub);
  }
  memcpy(sub->q, q, sizeof *q * (size_t)sub->nq);
}
