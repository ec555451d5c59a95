/* SPDX-License-Identifier: Apache-2.0 */
/* pass.c: one call of each pass. The inputs that a pass reads are copied into the state as part of
   the call, since a caller has to put them there too. */
#include "pass.h"

#include "dynamics/denoc.h"
#include "dynamics/factor.h"

#include <limits.h>
#include <string.h>

/* How far the inputs go, in their order of storage; a pass that needs one needs those before it,
   except that forward dynamics takes tau and not a. */
static const double* put_q(seat* s, int k) {
  const double* in = seat_input(s, k);
  memcpy(s->q, in, sizeof *in * (size_t)(s->nq * s->width));
  return in + s->nq * s->width;
}

static const double* put_qv(seat* s, int k) {
  const double* in = put_q(s, k);
  memcpy(s->v, in, sizeof *in * (size_t)(s->nv * s->width));
  return in + s->nv * s->width;
}

static void put_qva(seat* s, int k) {
  const double* in = put_qv(s, k);
  memcpy(s->a, in, sizeof *in * (size_t)(s->nv * s->width));
}

static void put_qvtau(seat* s, int k) {
  const double* in = put_qv(s, k) + s->nv * s->width;
  memcpy(s->tau, in, sizeof *in * (size_t)(s->nv * s->width));
}

static int inverse(void* self, int k) {
  seat* s = self;
  put_qva(s, k);
  return (int)apl_inverse(s->model, s->state);
}

static int forward(void* self, int k) {
  seat* s = self;
  put_qvtau(s, k);
  return (int)apl_forward(s->model, s->state);
}

static int mass_matrix(void* self, int k) {
  seat* s = self;
  (void)put_q(s, k);
  return (int)apl_mass_matrix(s->model, s->state, s->out);
}

static int bias(void* self, int k) {
  seat* s = self;
  (void)put_qv(s, k);
  return (int)apl_bias(s->model, s->state, s->out);
}

static int jacobian(void* self, int k) {
  seat* s = self;
  (void)put_q(s, k);
  return (int)apl_jacobian(s->model, s->state, s->port, APL_WORLD_AXES, s->out);
}

static int energy(void* self, int k) {
  seat* s = self;
  (void)put_qv(s, k);
  return (int)apl_energy(s->model, s->state, s->out);
}

static int rates(void* self, int k) {
  seat* s = self;
  (void)put_qv(s, k);
  return (int)apl_rates(s->model, s->state, s->out);
}

static int denoc_inverse(void* self, int k) {
  seat* s = self;
  put_qva(s, k);
  return (int)apl_denoc_inverse(s->model, s->state);
}

static int denoc_forward(void* self, int k) {
  seat* s = self;
  put_qvtau(s, k);
  return (int)apl_denoc_forward(s->model, s->state);
}

static int denoc_factor(void* self, int k) {
  seat* s = self;
  (void)put_q(s, k);
  double* D = s->out + s->nv * s->nv * s->width;
  return (int)apl_denoc_factor(s->model, s->state, s->out, D);
}

static int factor(void* self, int k) {
  seat* s = self;
  (void)put_qv(s, k);
  return (int)apl_factor(s->model, s->state, 0.0);
}

/* by q and v; forward dynamics also by efforts, as Pinocchio does */
static int inverse_derivatives(void* self, int k) {
  seat* s = self;
  const int n = s->nv * s->nv;
  put_qva(s, k);
  return (int)apl_inverse_derivatives(s->model, s->state, s->room, s->out, s->out + n, NULL);
}

static int forward_derivatives(void* self, int k) {
  seat* s = self;
  const int n = s->nv * s->nv;
  put_qvtau(s, k);
  return (int)apl_forward_derivatives(s->model, s->state, s->room, s->out, s->out + n,
                                      s->out + 2 * n, NULL);
}

/* J M^-1 J^T of the six directions of a port, factors included */
static int row_inertia(void* self, int k) {
  seat* s = self;
  apl_row row[6];
  double* G = s->out + 6 * s->nv * s->width;

  (void)put_qv(s, k);
  for (int i = 0; i < 6; i++) {
    row[i] = (apl_row){{s->port, -1}, APL_WORLD_AXES, {{0}}, -1, 0};
    row[i].wrench[0][i] = 1.0;
  }
  apl_status st = apl_factor(s->model, s->state, 0.0);
  if (st == APL_OK) st = apl_row_half(s->model, s->state, row, 6, s->out);
  return (int)(st == APL_OK ? apl_row_inertia(s->model, s->state, row, 6, s->out, G) : st);
}

/* DeNOC is there to check the recursions; its matrices make large robots slow to no purpose. */
enum { DENOC_MAX = 100 };

/* clang-format off */
const pass pass_list[] = {
  {"inverse",         "inverse dynamics",  APL_SCALAR,  PEER_INVERSE, INT_MAX,   inverse},
  {"forward",         "forward dynamics",  APL_SCALAR,  PEER_FORWARD, INT_MAX,   forward},
  {"mass-matrix",     "mass matrix",       APL_SCALAR,  PEER_MASS,    INT_MAX,   mass_matrix},
  {"inverse-by-qv",   "inverse by q, v",   APL_SCALAR,  PEER_INVERSE_BY, DENOC_MAX, inverse_derivatives},
  {"forward-by-qv",   "forward by q, v",   APL_SCALAR,  PEER_FORWARD_BY, DENOC_MAX, forward_derivatives},
  {"inverse-lanes",   "inverse in lanes",  APL_LANES,   PEER_NONE,    INT_MAX,   inverse},
  {"forward-lanes",   "forward in lanes",  APL_LANES,   PEER_NONE,    INT_MAX,   forward},
  {"inverse-complex", "complex inverse",   APL_COMPLEX, PEER_NONE,    INT_MAX,   inverse},
  {"forward-complex", "complex forward",   APL_COMPLEX, PEER_NONE,    INT_MAX,   forward},
  {"bias",            "bias efforts",      APL_SCALAR,  PEER_NONE,    INT_MAX,   bias},
  {"jacobian",        "Jacobian",          APL_SCALAR,  PEER_NONE,    INT_MAX,   jacobian},
  {"energy",          "energy",            APL_SCALAR,  PEER_NONE,    INT_MAX,   energy},
  {"rates",           "coordinate rates",  APL_SCALAR,  PEER_NONE,    INT_MAX,   rates},
  {"factor",          "factors of M",      APL_SCALAR,  PEER_NONE,    INT_MAX,   factor},
  {"row-inertia",     "6x6 J M^-1 J^T",    APL_SCALAR,  PEER_NONE,    INT_MAX,   row_inertia},
  {"denoc-inverse",   "DeNOC inverse",     APL_SCALAR,  PEER_NONE,    DENOC_MAX, denoc_inverse},
  {"denoc-forward",   "DeNOC forward",     APL_SCALAR,  PEER_NONE,    DENOC_MAX, denoc_forward},
  {"denoc-factor",    "DeNOC factor of M", APL_SCALAR,  PEER_NONE,    DENOC_MAX, denoc_factor},
};
/* clang-format on */

const int pass_count = (int)(sizeof pass_list / sizeof *pass_list);
