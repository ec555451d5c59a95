/* SPDX-License-Identifier: Apache-2.0 */
/* checks_variants.c: models made from one plan that must agree, and the collection of all checks.
 */
#include "checks.h"
#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool check_is_rigid(const plan* p) {
  for (int i = 0; i < p->nlink; i++) {
    if (kind_of_body(p->link[i].body)->deforms || kind_of_joint(p->link[i].joint)->slaved)
      return false;
  }
  return true;
}

bool check_is_free(const plan* p) {
  if (strcmp(p->link[0].joint, "floating") != 0 || plan_find(&p->link[0], "joint.stiffness") ||
      plan_find(&p->link[0], "joint.damping") || p->link[0].rotor.used) {
    return false;
  }
  for (int i = 0; i < p->nlink; i++) {
    if ((i > 0 && plan_parent(p, i) < 0) || kind_of_joint(p->link[i].joint)->slaved) return false;
  }
  return true;
}

bool check_is_bare(const plan* p) {
  for (int i = 0; i < p->nlink; i++) {
    const plan_link* link = &p->link[i];
    if (kind_of_body(link->body)->deforms || plan_find(link, "joint.stiffness") ||
        plan_find(link, "joint.damping") || link->rotor.used || kind_has_wheels(link)) {
      return false;
    }
  }
  return p->ninput == 0;
}

void check_mark_given(const subject* sub, bool* given) {
  for (int i = 0; i < sub->nlink; i++) {
    const apl_link_info info = apl_model_link_info(sub->model, i);
    for (int k = 0; k < info.nv; k++)
      given[info.v0 + k] = info.joint_prescribed;
    for (int k = 0; k < info.nx; k++)
      given[info.xv0 + k] = info.body_prescribed;
  }
}

/* Forward dynamics of `hybrid` against inverse dynamics of the same motion in `sub`, where nothing
   is prescribed. */
static void compare_hybrid(subject* sub, subject* hybrid, const bool* given) {
  const int n = sub->nv;
  double* a = subject_take(sub, n);

  memcpy(hybrid->q, sub->q, sizeof *sub->q * (size_t)sub->nq);
  memcpy(hybrid->v, sub->v, sizeof *sub->v * (size_t)n);
  memcpy(hybrid->a, sub->a, sizeof *sub->a * (size_t)n);
  memcpy(hybrid->tau, sub->tau, sizeof *sub->tau * (size_t)n);
  memcpy(hybrid->u, sub->u, sizeof *sub->u * (size_t)sub->nu);
  memcpy(hybrid->load, sub->load, sizeof *sub->load * (size_t)(6 * sub->nport));
  memcpy(hybrid->axes, sub->axes, sizeof *sub->axes * (size_t)sub->nport);
  subject_point(hybrid);
  CHECK_OK(apl_forward(hybrid->model, hybrid->s));
  for (int i = 0; i < n; i++) {
    if (given[i]) {
      CHECK_NEAR(apl_a(hybrid->s)[i], sub->a[i], 0);
    } else {
      CHECK_NEAR(apl_tau(hybrid->s)[i], sub->tau[i], 0);
    }
  }
  memcpy(a, apl_a(hybrid->s), sizeof *a * (size_t)n);
  subject_point(sub);
  memcpy(apl_a(sub->s), a, sizeof *a * (size_t)n);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(hybrid->s), apl_tau(sub->s), n, 1e-12, check_effort_scale(sub, a));
}

void check_prescribed(const plan* p, rng* r) {
  subject* sub = subject_open(p);
  bool* given = calloc((size_t)sub->nv + 1, sizeof *given);

  assert_non_null(given);
  subject_randomise(sub, r);
  for (int round = 0; round < 3; round++) {
    plan* some = plan_copy(p);
    for (int i = 0; i < some->nlink; i++) {
      some->link[i].prescribe_joint = round == 2 || rng_below(r, 2) == 0;
      some->link[i].prescribe_body = round == 2 || rng_below(r, 2) == 0;
      if (!kind_prescribes(&p->link[i])) some->link[i].prescribe_joint = false;
      if (kind_of_body(p->link[i].body)->nv == 0) some->link[i].prescribe_body = false;
    }
    subject* hybrid = subject_open(some);
    check_mark_given(hybrid, given);
    compare_hybrid(sub, hybrid, given);
    check_rows(hybrid, r);
    check_derivatives(hybrid);
    check_stiffness(some, r);

    /* all possible freedoms are prescribed: only joints of chords remain */
    for (int i = 0; i < p->nlink && round == 2; i++) {
      const apl_link_info info = apl_model_link_info(hybrid->model, i);
      CHECK_TRUE(info.joint_prescribed == kind_prescribes(&p->link[i]) &&
                     info.body_prescribed == (info.nx > 0),
                 "link %s is not prescribed", p->link[i].name);
    }
    subject_close(hybrid);
    free(some);
  }
  free(given);
  subject_close(sub);
}

void check_order(const plan* p, rng* r) {
  int order[PLAN_LINKS];
  apl_model* model;
  apl_state* state;
  apl_error err;
  subject* sub = subject_open(p);
  const int n = sub->nv;

  /* last link first: every child before its parent */
  for (int i = 0; i < p->nlink; i++)
    order[i] = p->nlink - 1 - i;
  if (plan_build(p, order, &model, &err) != APL_OK) {
    near_fail(__FILE__, __LINE__, "children before parents are refused: %s", err.text);
  }
  CHECK_OK(apl_state_new(model, APL_SCALAR, &state));
  subject_randomise(sub, r);
  subject_loads(sub, sub->s);

  /* the same point, by name */
  for (int i = 0; i < sub->nq; i++) {
    const int at =
        apl_model_find(model, APL_COORDINATES, apl_model_name(sub->model, APL_COORDINATES, i));
    CHECK_TRUE(at >= 0, "coordinate %s is missing", apl_model_name(sub->model, APL_COORDINATES, i));
    apl_q(state)[at] = sub->q[i];
  }
  double* a = subject_take(sub, n);
  double* tau = subject_take(sub, n);
  int* map = calloc((size_t)n + 1, sizeof *map);
  assert_non_null(map);
  for (int i = 0; i < n; i++) {
    map[i] = apl_model_find(model, APL_VELOCITIES, apl_model_name(sub->model, APL_VELOCITIES, i));
    CHECK_TRUE(map[i] >= 0, "velocity %s is missing",
               apl_model_name(sub->model, APL_VELOCITIES, i));
    apl_v(state)[map[i]] = sub->v[i];
    apl_tau(state)[map[i]] = sub->tau[i];
  }
  for (int i = 0; i < sub->nu; i++)
    apl_u(state)[apl_model_find(model, APL_INPUTS, apl_model_name(sub->model, APL_INPUTS, i))] =
        sub->u[i];
  for (int i = 0; i < sub->nport; i++) {
    const double* f = sub->load + 6 * i;
    const apl_wrench w = {{f[0], f[1], f[2]}, {f[3], f[4], f[5]}};
    const int port = apl_model_find(model, APL_PORTS, apl_model_name(sub->model, APL_PORTS, i));
    CHECK_OK(apl_load(model, state, port, sub->axes[i], w));
  }

  /* its motion needs the given efforts here too, and its inverse agrees */
  CHECK_OK(apl_forward(model, state));
  for (int i = 0; i < n; i++)
    a[i] = apl_a(state)[map[i]];
  subject_point(sub);
  memcpy(apl_a(sub->s), a, sizeof *a * (size_t)n);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  const double scale = check_effort_scale(sub, a);
  CHECK_ARRAY(apl_tau(sub->s), sub->tau, n, 1e-12, scale);
  CHECK_OK(apl_inverse(model, state));
  for (int i = 0; i < n; i++)
    tau[i] = apl_tau(state)[map[i]];
  CHECK_ARRAY(tau, sub->tau, n, 1e-12, scale);
  free(map);
  apl_state_free(state);
  apl_model_free(model);
  subject_close(sub);

  /* rows, whose innovations are not in the order of velocities then */
  plan* reversed = plan_copy(p);
  for (int i = 0; i < p->nlink; i++)
    reversed->link[i] = p->link[order[i]];
  sub = subject_open(reversed);
  subject_randomise(sub, r);
  check_rows(sub, r);
  subject_close(sub);
  free(reversed);
}

void check_all(const plan* p, rng* r, int points) {
  subject* sub = subject_open(p);

  for (int i = 0; i < points; i++) {
    subject_randomise(sub, r);
    check_twists(sub);
    check_accelerations(sub);
    check_jacobians(sub, r);
    check_center(sub);
    check_mass_matrix(sub);
    check_round_trip(sub);
    check_denoc(sub);
    if (check_is_bare(p)) check_regressor(sub);
    check_energy(sub);
    if (check_is_free(p)) check_momentum(sub);
    check_rows(sub, r);
    check_derivatives(sub);
    if (check_is_free(p)) check_jump(sub, r);
    check_weight(sub);
    check_tangent(sub, r);
    check_drift(sub);
  }
  subject_close(sub);
  check_stiffness(p, r);
  check_prescribed(p, r);
  check_order(p, r);
}
