/* SPDX-License-Identifier: Apache-2.0 */
/* test_statics.c: static shapes of random robots over all kinds of joints and bodies, judged by
   what the search does not use: potential energy. No motion changes it to first order, and none
   lowers it by more than the lowest stiffness says. */
#include "near.h"

#include "dynamics/extra.h"
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 256 };

typedef struct shape {
  apl_model* model;
  apl_state* state;
  apl_balance freedom[ROOM];
  apl_equilibrium_report report;
  double rest[ROOM]; /* coordinates */
} shape;

/* Springs for all joints that have none, so that nothing falls. */
static void hang_all(plan* p, rng* r) {
  for (int i = 0; i < p->nlink; i++) {
    const kind* joint = kind_of_joint(p->link[i].joint);
    const int nt = joint->nq - (joint->quaternion ? 1 : 0);
    double x[8];

    /* a chord can carry no spring */
    if (kind_of_body(p->link[i].body)->chord) {
      p->link[i].body = "beam";
      kind_fill(&p->link[i], r);
    }
    if (joint->nv == 0 || plan_find(&p->link[i], "joint.stiffness") != NULL) continue;
    for (int k = 0; k < nt; k++)
      x[k] = rng_between(r, 5, 20);
    plan_put(&p->link[i], "joint.stiffness", x, nt);
  }
}

/* Potential energy at rest + step in quasi-velocities; wheels and their followers stay. */
static double energy_at(shape* s, const double* step) {
  double delta[ROOM], q[ROOM], energy[2];
  const size_t nq = (size_t)apl_model_nq(s->model), nv = (size_t)apl_model_nv(s->model);

  memcpy(apl_q(s->state), s->rest, sizeof(double) * nq);
  memcpy(apl_v(s->state), step, sizeof(double) * nv);
  CHECK_OK(apl_tangent_rates(s->model, s->state, delta));
  for (int i = 0; i < apl_model_count(s->model, APL_LINKS); i++) {
    const apl_link_info l = apl_model_link_info(s->model, i);
    for (int k = 0; k < l.nt && l.nt != l.nv; k++)
      delta[l.t0 + k] = 0;
  }
  CHECK_OK(apl_add(s->model, s->state, s->rest, delta, q));
  memcpy(apl_q(s->state), q, sizeof(double) * nq);
  CHECK_OK(apl_energy(s->model, s->state, energy));
  return energy[1];
}

/* Along random directions e, |e| = 1 in radians and lengths of the robot:
     (V(h e) - V(-h e)) / 2h = 0       (V(h e) - 2 V(0) + V(-h e)) / h^2 >= lowest stiffness */
static void check_potential(shape* s, rng* r) {
  const int nv = apl_model_nv(s->model);
  const double h = 1e-4;
  double zero[ROOM] = {0};
  const double here = energy_at(s, zero);

  for (int trial = 0; trial < 5; trial++) {
    double e[ROOM], back[ROOM], square = 0;

    rng_fill(r, e, nv, 1);
    for (int i = 0; i < nv; i++) {
      if (s->freedom[i] == APL_HELD || s->freedom[i] == APL_PRESCRIBED) e[i] = 0;
      square += e[i] * e[i];
    }
    for (int i = 0; i < nv; i++) {
      const bool metres = strcmp(apl_model_unit(s->model, APL_VELOCITIES, i), "m/s") == 0;
      e[i] *= h / sqrt(square) * (metres ? s->report.length : 1);
      back[i] = -e[i];
    }
    if (!(square > 0)) return;
    const double up = energy_at(s, e), down = energy_at(s, back);
    const double slope = (up - down) / (2 * h), bend = (up - 2 * here + down) / (h * h);
    /* third derivatives times h^2, and round-off of V over h and h^2 */
    const double noise = 1e-15 * (fabs(here) + 100);
    CHECK_NEAR(slope, 0, 1e-7 * (1 + fabs(bend)) + noise / h);
    CHECK_TRUE(bend >= s->report.stiffness - 1e-3 * fabs(bend) - 4 * noise / (h * h),
               "stiffness %g along a direction, lowest %g", bend, s->report.stiffness);
  }
}

static void settle(plan* p, rng* r, bool stable) {
  shape s = {.report = {.freedom = s.freedom}};
  apl_equilibrium_options o = apl_equilibrium_options_default();
  apl_error err = {0};

  s.model = plan_model(p);
  assert_true(apl_model_nq(s.model) < ROOM);
  CHECK_OK(apl_state_new(s.model, APL_SCALAR, &s.state));
  o.stable = stable;
  const apl_status st = apl_equilibrium(s.model, s.state, &o, &s.report, &err);
  CHECK_TRUE(st == APL_OK, "%s", err.text);
  CHECK_TRUE(!stable || s.report.stable, "asked for a stable shape");

  /* at rest, by inverse dynamics */
  CHECK_OK(apl_inverse(s.model, s.state));
  for (int i = 0; i < apl_model_nv(s.model); i++) {
    CHECK_NEAR(apl_v(s.state)[i], 0, 0);
    if (s.freedom[i] == APL_BALANCED) CHECK_NEAR(apl_tau(s.state)[i], 0, 1e-10);
  }
  memcpy(s.rest, apl_q(s.state), sizeof(double) * (size_t)apl_model_nq(s.model));
  check_potential(&s, r);
  apl_state_free(s.state);
  apl_model_free(s.model);
}

static void many(const char* what, tree_options options, bool stable, unsigned seed) {
  for (int freedoms = 2; freedoms <= 24; freedoms += 1 + freedoms / 4) {
    for (unsigned k = 0; k < 4; k++) {
      const unsigned mine = seed + 100 * k + (unsigned)freedoms;
      rng r = rng_seed(mine);
      plan* p = tree_random(&r, freedoms, options);

      near_context("%s, seed %u, %d links", what, mine, p->nlink);
      hang_all(p, &r);
      settle(p, &r, stable);
      free(p);
    }
  }
}

static void near_shapes(void** state) {
  (void)state;
  many("any tree", TREE_ANY, false, 1000);
  many("tree with massless links", TREE_MASSLESS, false, 2000);
}

static void stable_shapes(void** state) {
  (void)state;
  many("any tree, stable", TREE_ANY, true, 3000);
}

static void trains(void** state) {
  (void)state;
  many("train with arms", TREE_TRAIN, false, 4000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_shapes),
      cmocka_unit_test(stable_shapes),
      cmocka_unit_test(trains),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
