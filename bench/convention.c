/* SPDX-License-Identifier: Apache-2.0 */
/* convention.c: permutations and one rotation. With w the velocity in the peer's axes, w = T v,
   where T turns the angular or the linear part of the base from body to world axes. T is
   orthogonal, so efforts turn like velocities, and w' = T (v' + (0, omega x v)) for a linear part
   in world axes. */
#include "convention.h"

#include <stdlib.h>
#include <string.h>

bool convention_new(const robot* r, int nstate, convention* out) {
  *out = (convention){.nq = robot_nq(r), .nv = robot_nv(r), .nstate = nstate};
  for (int i = 0; i < r->nlink; i++) {
    if (r->link[i].joint != ROBOT_FLOATING) continue;
    if (i != 0) return false;
    out->floating = true;
  }

  const size_t nq = (size_t)out->nq, nv = (size_t)out->nv, n = (size_t)nstate;
  out->q = malloc(sizeof *out->q * nq);
  out->v = malloc(sizeof *out->v * nv);
  out->peer_q = malloc(sizeof(double) * n * nq);
  out->peer_v = malloc(sizeof(double) * n * nv);
  out->peer_a = malloc(sizeof(double) * n * nv);
  out->peer_tau = malloc(sizeof(double) * n * nv);
  out->own_q = malloc(sizeof(double) * n * nq);
  out->own_v = malloc(sizeof(double) * n * nv);
  if (out->q == NULL || out->v == NULL || out->peer_q == NULL || out->peer_v == NULL ||
      out->peer_a == NULL || out->peer_tau == NULL || out->own_q == NULL || out->own_v == NULL) {
    convention_free(out);
    return false;
  }
  for (int i = 0; i < out->nq; i++)
    out->q[i] = i;
  for (int i = 0; i < out->nv; i++)
    out->v[i] = i;
  return true;
}

void convention_free(convention* c) {
  free(c->q);
  free(c->v);
  free(c->peer_q);
  free(c->peer_v);
  free(c->peer_a);
  free(c->peer_tau);
  free(c->own_q);
  free(c->own_v);
  *c = (convention){0};
}

/* Columns are body axes in the world. */
static void rotation(const double* quat, double R[9]) {
  const double w = quat[0], x = quat[1], y = quat[2], z = quat[3];
  const double s = 2.0 / (w * w + x * x + y * y + z * z);
  R[0] = 1.0 - s * (y * y + z * z);
  R[1] = s * (x * y - w * z);
  R[2] = s * (x * z + w * y);
  R[3] = s * (x * y + w * z);
  R[4] = 1.0 - s * (x * x + z * z);
  R[5] = s * (y * z - w * x);
  R[6] = s * (x * z - w * y);
  R[7] = s * (y * z + w * x);
  R[8] = 1.0 - s * (x * x + y * y);
}

/* x <- R x, or R^T x for `back` */
static void turn(const double R[9], bool back, double* x) {
  const double in[3] = {x[0], x[1], x[2]};
  for (int i = 0; i < 3; i++) {
    x[i] = 0.0;
    for (int j = 0; j < 3; j++)
      x[i] += R[back ? 3 * j + i : 3 * i + j] * in[j];
  }
}

/* x[nv] <- T x, or T^T x for `back`, at configuration q */
static void turn_base(const convention* c, const double* q, bool back, double* x) {
  if (!c->floating) return;
  double R[9];
  rotation(q + 3, R);
  if (c->angular_world) turn(R, back, x);
  if (c->linear_world) turn(R, back, x + 3);
}

/* x[3..5] += sign * omega x v, the rate of the linear part's axes */
static void add_spin(const convention* c, const double* v, double sign, double* x) {
  if (!c->floating || !c->linear_world) return;
  x[3] += sign * (v[1] * v[5] - v[2] * v[4]);
  x[4] += sign * (v[2] * v[3] - v[0] * v[5]);
  x[5] += sign * (v[0] * v[4] - v[1] * v[3]);
}

/* Our x[nv], turned and permuted. `x` is overwritten. */
static void send(const convention* c, const double* q, double* x, double* peer) {
  turn_base(c, q, false, x);
  for (int i = 0; i < c->nv; i++)
    peer[c->v[i]] = x[i];
}

void convention_put(convention* c, int k, const double* q, const double* v, const double* a,
                    const double* tau) {
  const size_t bytes = sizeof(double) * (size_t)c->nv;
  double* own_v = memcpy(c->own_v + k * c->nv, v, bytes);
  memcpy(c->own_q + k * c->nq, q, sizeof(double) * (size_t)c->nq);
  for (int i = 0; i < c->nq; i++)
    c->peer_q[k * c->nq + c->q[i]] = q[i];

  /* the slot of velocities serves as room to work in and is filled last */
  memcpy(own_v, tau, bytes);
  send(c, q, own_v, c->peer_tau + k * c->nv);
  memcpy(own_v, a, bytes);
  add_spin(c, v, 1.0, own_v);
  send(c, q, own_v, c->peer_a + k * c->nv);
  memcpy(own_v, v, bytes);
  send(c, q, own_v, c->peer_v + k * c->nv);
  memcpy(own_v, v, bytes);
}

void convention_effort(const convention* c, int k, const double* peer, double* out) {
  for (int i = 0; i < c->nv; i++)
    out[i] = peer[c->v[i]];
  turn_base(c, c->own_q + k * c->nq, true, out);
}

void convention_acceleration(const convention* c, int k, const double* peer, double* out) {
  for (int i = 0; i < c->nv; i++)
    out[i] = peer[c->v[i]];
  turn_base(c, c->own_q + k * c->nq, true, out);
  add_spin(c, c->own_v + k * c->nv, -1.0, out);
}

void convention_mass(const convention* c, int k, const double* peer, double* out) {
  const int n = c->nv;
  const double* q = c->own_q + k * c->nq;
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      const int row = c->v[i] < c->v[j] ? c->v[i] : c->v[j];
      const int column = c->v[i] < c->v[j] ? c->v[j] : c->v[i];
      out[i * n + j] = peer[row * n + column];
    }
  }
  if (!c->floating) return;

  /* M <- T^T M T: turn the rows, then the six columns that T touches */
  for (int i = 0; i < n; i++)
    turn_base(c, q, true, out + i * n);
  for (int j = 0; j < n; j++) {
    double column[6];
    for (int i = 0; i < 6; i++)
      column[i] = out[i * n + j];
    turn_base(c, q, true, column);
    for (int i = 0; i < 6; i++)
      out[i * n + j] = column[i];
  }
}
