/* SPDX-License-Identifier: Apache-2.0 */
/* test_loops.c: rows of loops and couplings on random robots over all kinds of joints and bodies.
   Only gaps are believed: rates must be their derivatives along q', accelerations those of the
   rates along (q', a), Jacobians what unit velocities do, forces act by the power they claim. */
#include "checks.h"

#include "dynamics/loops.h"
#include "spec/words.h"
#include "dense.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ports of two links that a loop may join; the world now and then. */
static void random_ends(const plan* p, rng* r, char* from, char* to) {
  const int a = rng_below(r, p->nlink + 1) - 1;                        /* -1: the world */
  const int b = (a + 2 + rng_below(r, p->nlink)) % (p->nlink + 1) - 1; /* another one */

  for (int k = 0; k < 2; k++) {
    const int i = k == 0 ? a : b;
    char* out = k == 0 ? from : to;
    const plan_link* l = i < 0 ? NULL : &p->link[i];
    if (l == NULL) {
      snprintf(out, 40, "world");
    } else if (l->nport > 0) {
      snprintf(out, 40, "%s.%s", l->name, l->port[rng_below(r, l->nport)].name);
    } else {
      snprintf(out, 40, "%s", l->name);
    }
  }
}

/* One loop of each type; those between links that are fixed to each other are left out. */
static void join(plan* p, rng* r) {
  for (int type = 0; apl_closure_word(type) != NULL; type++) {
    for (int tries = 0; tries < 20; tries++) {
      char from[40], to[40];
      apl_model* m;
      random_ends(p, r, from, to);
      plan_loop* l = plan_join(p, from, to, apl_closure_word(type));
      l->c.at = rng_pose(r, 0.3);
      l->c.axis = rng_direction(r);
      l->c.cross = rng_direction(r);
      l->c.axes = rng_below(r, 2) ? APL_WORLD_AXES : APL_PORT_AXES;
      if (strcmp(l->c.type, "distance") == 0) l->c.length = 0.4;
      if (strcmp(l->c.type, "mask") == 0) l->c.directions = 1u + (unsigned)rng_below(r, 63);
      if (plan_build(p, NULL, &m, NULL) == APL_OK) {
        apl_model_free(m);
        break;
      }
      p->nloop--;
    }
  }
}

static void row_numbers(const double* row, int n, int field, double* out) {
  for (int k = 0; k < n; k++)
    out[k] = row[APL_LOOP * k + field];
}

/* Rates and accelerations by the complex step along (q', a). */
static void check_motion(subject* sub) {
  const int n = apl_model_count(sub->model, APL_LOOP_ROWS);
  double *rate = subject_take(sub, sub->nq), *got = subject_take(sub, 2 * n);
  double *want = subject_take(sub, 2 * n), *z = subject_take(sub, 2 * n);

  subject_point(sub);
  CHECK_OK(apl_loops(sub->model, sub->s));
  row_numbers(apl_loop_row(sub->s), n, APL_LOOP_RATE, got);
  row_numbers(apl_loop_row(sub->s), n, APL_LOOP_ACCEL, got + n);
  CHECK_OK(apl_rates(sub->model, sub->s, rate));
  subject_complex(sub, rate, sub->a, NULL, NULL);
  CHECK_OK(apl_loops(sub->model, sub->z));
  for (int field = 0; field < 2; field++) {
    for (int k = 0; k < n; k++)
      memcpy(z + 2 * k, apl_loop_row(sub->z) + 2 * (APL_LOOP * k + APL_LOOP_GAP + field),
             2 * sizeof *z);
    subject_derivative(z, n, want + field * n);
  }
  CHECK_ALIVE(want, n, 1e-3);
  /* both ways add up some hundred numbers of this size */
  CHECK_ARRAY(got, want, n, 1e-12, 1 + near_max(want, n));
  CHECK_ARRAY(got + n, want + n, n, 1e-12, 1 + near_max(want + n, n));
}

/* J v = c' for every unit velocity. */
static void check_jacobian(subject* sub) {
  const int n = apl_model_count(sub->model, APL_LOOP_ROWS);
  double *J = subject_take(sub, n * sub->nv), *got = subject_take(sub, n);
  double* want = subject_take(sub, n);

  subject_point(sub);
  CHECK_OK(apl_loops_jacobian(sub->model, sub->s, J));
  const double scale = near_max(J, n * sub->nv);
  CHECK_ALIVE(J, n * sub->nv, 1e-3);
  for (int i = 0; i < sub->nv; i++) {
    memset(apl_v(sub->s), 0, sizeof(double) * (size_t)sub->nv);
    apl_v(sub->s)[i] = 1;
    CHECK_OK(apl_loops(sub->model, sub->s));
    row_numbers(apl_loop_row(sub->s), n, APL_LOOP_RATE, got);
    for (int k = 0; k < n; k++)
      want[k] = J[k * sub->nv + i];
    CHECK_ARRAY(got, want, n, 1e-13, 1 + scale);
  }
}

/* Forces f on rows add J^T f to the efforts, and the account has f . c'. With springs the account
   has what dampers take, and the energy its springs: d(T + V) = sum of accounts. */
static void check_forces(subject* sub, rng* r, bool springs) {
  const int n = apl_model_count(sub->model, APL_LOOP_ROWS), nv = sub->nv;
  double *J = subject_take(sub, n * nv), *f = subject_take(sub, n), *with = subject_take(sub, nv);
  double *without = subject_take(sub, nv), *push = subject_take(sub, nv);
  double P[APL_NACCOUNT], power = 0;

  subject_point(sub);
  CHECK_OK(apl_loops_jacobian(sub->model, sub->s, J));
  CHECK_OK(apl_loops(sub->model, sub->s));
  apl_loops_springs(sub->s, springs);
  for (int k = 0; k < n; k++) {
    double* row = apl_loop_row(sub->s) + APL_LOOP * k;
    row[APL_LOOP_FORCE] = f[k] = rng_between(r, -3, 3);
    row[APL_LOOP_STIFFNESS] = rng_between(r, 1, 5);
    row[APL_LOOP_DAMPING] = rng_between(r, 1, 2);
    const double c = row[APL_LOOP_GAP], rate = row[APL_LOOP_RATE];
    if (springs) f[k] = -(row[APL_LOOP_STIFFNESS] * c + row[APL_LOOP_DAMPING] * rate);
    power += springs ? -row[APL_LOOP_DAMPING] * rate * rate : f[k] * rate;
  }
  CHECK_OK(apl_inverse(sub->model, sub->s));
  memcpy(with, apl_tau(sub->s), sizeof *with * (size_t)nv);
  memcpy(apl_tau(sub->s), sub->tau, sizeof *with * (size_t)nv);
  CHECK_OK(apl_accounts(sub->model, sub->s, P));
  CHECK_NEAR(P[APL_ACCOUNT_LOOP], power, 1e-12 * (1 + fabs(power)));

  apl_loops_springs(sub->s, false);
  for (int k = 0; k < n; k++)
    apl_loop_row(sub->s)[APL_LOOP * k + APL_LOOP_FORCE] = 0;
  CHECK_OK(apl_inverse(sub->model, sub->s));
  memcpy(without, apl_tau(sub->s), sizeof *with * (size_t)nv);
  dense_times_transposed(J, f, n, nv, push);
  for (int i = 0; i < nv; i++)
    with[i] += push[i];
  CHECK_ARRAY(with, without, nv, 1e-11, 1 + near_max(without, nv) + near_max(push, nv));
}

/* The rate of energy along the motion is the sum of all powers. */
static void check_spring_energy(subject* sub, rng* r) {
  const int n = apl_model_count(sub->model, APL_LOOP_ROWS);
  double P[APL_NACCOUNT], z[4], got[2], sum = 0;
  double* rate = subject_take(sub, sub->nq);

  for (int k = 0; k < n; k++) {
    const double K = rng_between(r, 1, 5), D = rng_between(r, 1, 2);
    double *row = apl_loop_row(sub->s) + APL_LOOP * k,
           *zrow = apl_loop_row(sub->z) + 2 * APL_LOOP * k;
    row[APL_LOOP_STIFFNESS] = zrow[2 * APL_LOOP_STIFFNESS] = K;
    row[APL_LOOP_DAMPING] = zrow[2 * APL_LOOP_DAMPING] = D;
  }
  apl_loops_springs(sub->s, true);
  apl_loops_springs(sub->z, true);
  subject_point(sub);
  CHECK_OK(apl_forward(sub->model, sub->s));
  CHECK_OK(apl_rates(sub->model, sub->s, rate));
  CHECK_OK(apl_accounts(sub->model, sub->s, P));
  for (int i = 0; i < APL_NACCOUNT; i++)
    sum += P[i];
  double* a = subject_take(sub, sub->nv);
  memcpy(a, apl_a(sub->s), sizeof *a * (size_t)sub->nv);
  subject_complex(sub, rate, a, NULL, NULL);
  CHECK_OK(apl_energy(sub->model, sub->z, z));
  subject_derivative(z, 2, got);
  double scale = fabs(got[0]) + fabs(got[1]);
  for (int i = 0; i < APL_NACCOUNT; i++)
    scale += fabs(P[i]);
  CHECK_NEAR(got[0] + got[1], sum, 1e-10 * scale); /* forward dynamics of long chains */
  apl_loops_springs(sub->s, false);
  apl_loops_springs(sub->z, false);
}

static void one_tree(plan* p, rng* r) {
  join(p, r);
  CHECK_TRUE(p->nloop > 3, "only %d loops could be made", p->nloop);
  subject* sub = subject_open(p);
  subject_randomise(sub, r);
  check_motion(sub);
  check_jacobian(sub);
  check_forces(sub, r, false);
  check_forces(sub, r, true);
  check_spring_energy(sub, r);
  subject_close(sub);
}

static void many(const char* what, tree_options options, unsigned seed) {
  for (int freedoms = 4; freedoms <= 40; freedoms += 1 + freedoms / 2) {
    for (unsigned k = 0; k < 3; k++) {
      const unsigned mine = seed + 100 * k + (unsigned)freedoms;
      rng r = rng_seed(mine);
      plan* p = tree_random(&r, freedoms, options);

      near_context("%s, seed %u, %d links", what, mine, p->nlink);
      one_tree(p, &r);
      free(p);
    }
  }
}

static void any_tree(void** state) {
  (void)state;
  many("any tree", TREE_ANY, 1000);
}

static void rigid_tree(void** state) {
  (void)state;
  many("rigid tree", TREE_RIGID, 2000);
}

static void train(void** state) {
  (void)state;
  many("train", TREE_TRAIN, 3000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_tree),
      cmocka_unit_test(rigid_tree),
      cmocka_unit_test(train),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
