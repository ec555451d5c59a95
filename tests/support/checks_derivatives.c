/* SPDX-License-Identifier: Apache-2.0 */
/* checks_derivatives.c: derivatives of inverse and forward dynamics against complex steps of the
   whole passes, direction by direction, to 1e-12. Those of forward dynamics go through another
   algorithm, the articulated recursion. Where the library itself takes complex steps of inverse
   dynamics they are the same numbers; test_derivatives.c compares those with differences. */
#include "checks.h"
#include "dense.h"

#include <math.h>
#include <string.h>

/* What a check compares: a pass, whose results stand in `out` of the complex state. */
typedef struct pass_under_test {
  apl_status (*run)(const apl_model*, apl_state*);
  double* (*out)(apl_state*);
} pass_under_test;

/* Direction k of q (of 'q'), v, tau or u of the complex state, from its random point. */
static void step_along(subject* sub, char of, int k) {
  subject_complex(sub, NULL, NULL, NULL, NULL);
  if (of == 'q') {
    double* delta = subject_take(sub, 2 * sub->nt);
    double* q = subject_take(sub, 2 * sub->nq);
    memcpy(q, apl_q(sub->z), sizeof *q * 2 * (size_t)sub->nq);
    delta[2 * k + 1] = SUBJECT_STEP;
    CHECK_OK(apl_add(sub->model, sub->z, q, delta, apl_q(sub->z)));
  } else {
    double* x = of == 'v' ? apl_v(sub->z) : of == 't' ? apl_tau(sub->z) : apl_u(sub->z);
    x[2 * k + 1] = SUBJECT_STEP;
  }
}

/* want[nv*n] by complex steps of the pass. */
static void by_steps(subject* sub, pass_under_test pass, char of, int n, bool loads, double* want) {
  const int nv = sub->nv;
  double* column = subject_take(sub, nv);

  for (int k = 0; k < n; k++) {
    step_along(sub, of, k);
    if (!loads) subject_no_loads(sub, sub->z);
    CHECK_OK(pass.run(sub->model, sub->z));
    subject_derivative(pass.out(sub->z), nv, column);
    for (int i = 0; i < nv; i++)
      want[i * n + k] = column[i];
  }
}

/* Efforts: 1e-12 of the largest derivative, or of the efforts themselves, whose terms cancel where
   derivatives are small. */
static void compare_efforts(subject* sub, char of, int n, const double* D, bool loads) {
  const pass_under_test pass = {apl_inverse, apl_tau};
  double* want = subject_take(sub, sub->nv * n);

  by_steps(sub, pass, of, n, loads, want);
  const double scale = check_effort_scale(sub, sub->a) + near_max(want, sub->nv * n);
  CHECK_ARRAY(D, want, sub->nv * n, 1e-12, scale);
}

/* Accelerations, by the efforts that they need: a light link on a heavy robot would else be
   measured by the condition of the mass matrix, which both algorithms suffer from. */
static void compare_motion(subject* sub, char of, int n, const double* D, bool loads) {
  const pass_under_test pass = {apl_forward, apl_a};
  const int nv = sub->nv;
  double* want = subject_take(sub, nv * n);
  double* M = subject_take(sub, nv * nv);
  double* off = subject_take(sub, nv);
  double* size = subject_take(sub, nv);
  double* needs = subject_take(sub, nv);
  double* zero = subject_take(sub, nv);
  const double efforts = check_effort_scale(sub, apl_a(sub->s));

  by_steps(sub, pass, of, n, loads, want);
  subject_point(sub);
  CHECK_OK(apl_mass_matrix(sub->model, sub->s, M));
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < nv; i++) {
      off[i] = D[i * n + k] - want[i * n + k];
      size[i] = fabs(want[i * n + k]);
    }
    dense_sizes(M, size, nv, nv, needs);
    const double most = near_max(needs, nv);
    dense_times(M, off, nv, nv, needs);
    CHECK_ARRAY(needs, zero, nv, 1e-12, efforts + most);
  }
}

static void check_inverse(subject* sub, apl_derivatives* room, bool loads) {
  const int nv = sub->nv;
  double* dq = subject_take(sub, nv * sub->nt);
  double* dv = subject_take(sub, nv * nv);
  double* du = subject_take(sub, nv * sub->nu);

  subject_point(sub);
  if (!loads) subject_no_loads(sub, sub->s);
  CHECK_OK(apl_inverse_derivatives(sub->model, sub->s, room, dq, dv, du));
  compare_efforts(sub, 'q', sub->nt, dq, loads);
  compare_efforts(sub, 'v', nv, dv, loads);
  compare_efforts(sub, 'u', sub->nu, du, loads);
}

static void check_forward(subject* sub, apl_derivatives* room, bool loads) {
  const int nv = sub->nv;
  double* dq = subject_take(sub, nv * sub->nt);
  double* dv = subject_take(sub, nv * nv);
  double* dt = subject_take(sub, nv * nv);
  double* du = subject_take(sub, nv * sub->nu);

  subject_point(sub);
  if (!loads) subject_no_loads(sub, sub->s);
  CHECK_OK(apl_forward_derivatives(sub->model, sub->s, room, dq, dv, dt, du));
  compare_motion(sub, 'q', sub->nt, dq, loads);
  compare_motion(sub, 'v', nv, dv, loads);
  compare_motion(sub, 't', nv, dt, loads);
  compare_motion(sub, 'u', sub->nu, du, loads);
}

void check_derivatives(subject* sub) {
  apl_derivatives* room;

  CHECK_OK(apl_derivatives_new(sub->model, &room));
  check_inverse(sub, room, true);
  check_inverse(sub, room, false);
  check_forward(sub, room, true);
  check_forward(sub, room, false);
  apl_derivatives_free(room);
}
