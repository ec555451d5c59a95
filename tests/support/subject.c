/* SPDX-License-Identifier: Apache-2.0 */
/* subject.c: see subject.h. */
#include "subject.h"

#include <stdlib.h>
#include <string.h>

struct subject_block {
  struct subject_block* next;
  double number[];
};

double* subject_take(subject* sub, int n) {
  struct subject_block* block = calloc(1, sizeof *block + sizeof(double) * (size_t)(n > 0 ? n : 1));
  assert_non_null(block);
  block->next = sub->blocks;
  sub->blocks = block;
  return block->number;
}

subject* subject_open(const plan* p) {
  subject* sub = calloc(1, sizeof *sub);
  assert_non_null(sub);
  sub->plan = p;
  sub->model = plan_model(p);
  sub->nq = apl_model_nq(sub->model);
  sub->nt = apl_model_nt(sub->model);
  sub->nv = apl_model_nv(sub->model);
  sub->nu = apl_model_nu(sub->model);
  sub->nlink = apl_model_count(sub->model, APL_LINKS);
  sub->nport = apl_model_count(sub->model, APL_PORTS);
  sub->nsatellite = apl_model_count(sub->model, APL_SATELLITES);
  CHECK_OK(apl_state_new(sub->model, APL_SCALAR, &sub->s));
  CHECK_OK(apl_state_new(sub->model, APL_COMPLEX, &sub->z));
  sub->q = subject_take(sub, sub->nq);
  sub->v = subject_take(sub, sub->nv);
  sub->a = subject_take(sub, sub->nv);
  sub->tau = subject_take(sub, sub->nv);
  sub->u = subject_take(sub, sub->nu);
  sub->load = subject_take(sub, 6 * sub->nport);
  sub->axes = calloc((size_t)sub->nport, sizeof *sub->axes);
  assert_non_null(sub->axes);
  memcpy(sub->q, apl_q(sub->s), sizeof(double) * (size_t)sub->nq);
  return sub;
}

void subject_close(subject* sub) {
  while (sub->blocks != NULL) {
    struct subject_block* next = sub->blocks->next;
    free(sub->blocks);
    sub->blocks = next;
  }
  apl_state_free(sub->z);
  apl_state_free(sub->s);
  apl_model_free(sub->model);
  free(sub->axes);
  free(sub);
}

void subject_randomise(subject* sub, rng* r) {
  double* neutral = subject_take(sub, sub->nq);
  double* delta = subject_take(sub, sub->nt);

  apl_state_reset(sub->s);
  memcpy(neutral, apl_q(sub->s), sizeof(double) * (size_t)sub->nq);
  rng_fill(r, delta, sub->nt, 1.2);

  /* strains in metres of elements as short as 0.1 m */
  for (int i = 0; i < sub->nlink; i++) {
    const apl_link_info info = apl_model_link_info(sub->model, i);
    for (int k = 0; k < info.nx; k++) {
      if (strcmp(apl_model_unit(sub->model, APL_COORDINATES, info.xq0 + k), "m") == 0)
        delta[info.xt0 + k] *= 0.05;
    }
  }
  CHECK_OK(apl_add(sub->model, sub->s, neutral, delta, sub->q));
  rng_fill(r, sub->v, sub->nv, 1.0);
  rng_fill(r, sub->a, sub->nv, 1.0);
  rng_fill(r, sub->tau, sub->nv, 3.0);
  rng_fill(r, sub->u, sub->nu, 2.0);

  /* loads on about every third port, half of them in world axes */
  memset(sub->load, 0, sizeof(double) * (size_t)(6 * sub->nport));
  for (int p = rng_below(r, 2); p < sub->nport; p += 1 + rng_below(r, 4)) {
    rng_fill(r, sub->load + 6 * p, 6, 2.0);
    sub->axes[p] = rng_below(r, 2) ? APL_PORT_AXES : APL_WORLD_AXES;
  }
}

static void put_loads(subject* sub, apl_state* state, double factor) {
  for (int p = 0; p < sub->nport; p++) {
    const double* f = sub->load + 6 * p;
    const apl_wrench wrench = {{factor * f[0], factor * f[1], factor * f[2]},
                               {factor * f[3], factor * f[4], factor * f[5]}};
    CHECK_OK(apl_load(sub->model, state, p, sub->axes[p], wrench));
  }
}

void subject_loads(subject* sub, apl_state* state) {
  put_loads(sub, state, 1);
}

void subject_no_loads(subject* sub, apl_state* state) {
  put_loads(sub, state, 0);
}

void subject_point(subject* sub) {
  memcpy(apl_q(sub->s), sub->q, sizeof(double) * (size_t)sub->nq);
  memcpy(apl_v(sub->s), sub->v, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_a(sub->s), sub->a, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_tau(sub->s), sub->tau, sizeof(double) * (size_t)sub->nv);
  if (sub->nu > 0) memcpy(apl_u(sub->s), sub->u, sizeof(double) * (size_t)sub->nu);
  subject_loads(sub, sub->s);
}

static void put_complex(double* z, const double* x, const double* dx, int n) {
  for (int i = 0; i < n; i++) {
    z[2 * i] = x[i];
    z[2 * i + 1] = dx == NULL ? 0 : SUBJECT_STEP * dx[i];
  }
}

void subject_complex(subject* sub, const double* dq, const double* dv, const double* da,
                     const double* dtau) {
  put_complex(apl_q(sub->z), sub->q, dq, sub->nq);
  put_complex(apl_v(sub->z), sub->v, dv, sub->nv);
  put_complex(apl_a(sub->z), sub->a, da, sub->nv);
  put_complex(apl_tau(sub->z), sub->tau, dtau, sub->nv);
  put_complex(apl_u(sub->z), sub->u, NULL, sub->nu);
  subject_loads(sub, sub->z);
}

void subject_derivative(const double* z, int n, double* out) {
  for (int i = 0; i < n; i++)
    out[i] = z[2 * i + 1] / SUBJECT_STEP;
}

void subject_real(const double* z, int n, double* out) {
  for (int i = 0; i < n; i++)
    out[i] = z[2 * i];
}

bool subject_is_quaternion(const subject* sub, int i) {
  const char* name = apl_model_name(sub->model, APL_COORDINATES, i);
  const size_t length = strlen(name);
  return length > 3 && strcmp(name + length - 3, ".qw") == 0;
}
