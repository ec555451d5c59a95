/* SPDX-License-Identifier: Apache-2.0 */
/* test_ledger.c: the cheap ledger pass of runs, which uses results of forward dynamics, against the
   passes that compute powers and the external wrench independently; and the tally of energy and
   momentum against these passes. */
#include "dynamics/extra.h"
#include "dynamics/passes.h"
#include "system/system.h"

#include "checks.h"
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void put_point(subject* sub, apl_state* s) {
  memcpy(apl_q(s), sub->q, sizeof(double) * (size_t)sub->nq);
  memcpy(apl_v(s), sub->v, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_a(s), sub->a, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_tau(s), sub->tau, sizeof(double) * (size_t)sub->nv);
  if (sub->nu > 0) memcpy(apl_u(s), sub->u, sizeof(double) * (size_t)sub->nu);
}

/* The tally of a state against energy, momentum and ports asked one by one; and the one that comes
   out of inverse dynamics of the same state, which asks nothing again. Scales are those of the
   parts that are summed. */
static void compare_tally(subject* sub, apl_state* s) {
  double tally[TALLY_NUMBERS], moved[TALLY_NUMBERS], out[APL_NACCOUNT + 6], energy[2], P[6];
  double* X = subject_take(sub, 12 * sub->nport);
  double reach = 0;

  CHECK_OK(apl_tally(sub->model, s, tally));
  CHECK_OK(apl_energy(sub->model, s, energy));
  CHECK_OK(apl_momentum(sub->model, s, P));
  CHECK_OK(apl_poses(sub->model, s, X));
  for (int p = 0; p < sub->nport; p++)
    reach = fmax(reach, hypot(hypot(X[12 * p + 9], X[12 * p + 10]), X[12 * p + 11]));
  const double scale = energy[0] + fabs(energy[1]), parts = near_max(P, 6) + 1;
  CHECK_ARRAY(tally + TALLY_KINETIC, energy, 2, 1e-13, scale);
  CHECK_ARRAY(tally + TALLY_MOMENTUM, P, 6, 1e-13, parts);
  CHECK_NEAR(tally[TALLY_REACH], reach, 1e-14 * (1 + reach));
  CHECK_ALIVE(tally, TALLY_NUMBERS, 1e-3);

  CHECK_OK(apl_ledger_given(sub->model, s, true, out, moved));
  CHECK_ARRAY(moved, tally, 2, 1e-13, scale);
  CHECK_ARRAY(moved + TALLY_MOMENTUM, tally + TALLY_MOMENTUM, 6, 1e-13, parts);
  CHECK_NEAR(moved[TALLY_REACH], reach, 1e-14 * (1 + reach));
}

/* The tail of y': accounts, then the wrench. */
static void compare(const plan* p, rng* r, bool loads) {
  subject* sub = subject_open(p);
  apl_system* system;
  apl_error err;
  double P[APL_NACCOUNT];
  double W[6];

  if (apl_system_new(sub->model, &system, &err) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_state* s = apl_system_state(system);
  subject_randomise(sub, r);
  put_point(sub, s);
  if (loads) subject_loads(sub, s);
  double* y = subject_take(sub, apl_system_size(system));
  double* rate = subject_take(sub, apl_system_size(system));
  apl_system_pack(system, y);
  CHECK_OK(apl_system_rate(0, y, rate, system));
  const double* tail = rate + sub->nq + sub->nv + sub->nsatellite;
  CHECK_OK(apl_accounts(sub->model, s, P));
  const double scale = near_max(P, APL_NACCOUNT);
  CHECK_ALIVE(P, APL_NACCOUNT, 1e-3);
  CHECK_ARRAY(tail, P, APL_NACCOUNT, 1e-13, scale);
  if (apl_external(sub->model, s, W) == APL_OK) {
    /* the articulated recursion and inverse dynamics round differently: parts are mass times
       acceleration times arm */
    const double parts = (apl_model_mass(sub->model) + 1) * (10 + near_max(apl_a(s), sub->nv));
    CHECK_ARRAY(tail + APL_NACCOUNT, W, 6, 1e-12, 3 * parts);
    CHECK_ALIVE(W, 6, 1e-3);
  } else {
    assert_true(near_max(tail + APL_NACCOUNT, 6) == 0);
  }
  compare_tally(sub, s);
  apl_system_free(system);
  subject_close(sub);
}

static void prescribe(plan* p, rng* r) {
  for (int i = 0; i < p->nlink; i++) {
    plan_link* link = &p->link[i];
    link->prescribe_joint = kind_prescribes(link) && rng_below(r, 3) == 0;
    link->prescribe_body = kind_of_body(link->body)->nv > 0 && rng_below(r, 3) == 0;
  }
}

static void trees(void** state) {
  (void)state;
  static const tree_options options[] = {TREE_ANY, TREE_FREE, TREE_RIGID, TREE_TRAIN};
  for (unsigned i = 0; i < 40; i++) {
    rng r = rng_seed(7000 + i);
    plan* p = tree_random(&r, 4 + (int)i, options[i % 4]);
    if (i % 3 > 0) tree_inputs(p);
    if (i % 5 > 2) prescribe(p, &r);
    near_context("ledger of tree %u with %d links", i, p->nlink);
    compare(p, &r, i % 2 == 1);
    free(p);
  }
}

/* Every body alone, with and without wrenches, on which the poses depend. */
static void bodies(void** state) {
  (void)state;
  for (int i = 0; kind_body(i) != NULL; i++) {
    for (int k = 0; k < 4; k++) {
      rng r = rng_seed(7100 + (unsigned)(4 * i + k));
      plan* p = plan_new();
      plan_link* link = plan_add(p, "body", "world", "revolute", kind_body(i));
      kind_fill(link, &r);
      link->at = rng_pose(&r, 0.3);
      if (k >= 2 && plan_find(link, "body.air-drag")) plan_number(link, "body.air-drag", 0);
      near_context("ledger of body %s", kind_body(i));
      compare(p, &r, k % 2 == 1);
      free(p);
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(trees),
      cmocka_unit_test(bodies),
  };
  return cmocka_run_group_tests_name("ledger", tests, NULL, NULL);
}
