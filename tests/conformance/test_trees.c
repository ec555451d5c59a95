/* SPDX-License-Identifier: Apache-2.0 */
/* test_trees.c: random robots with fixed seeds, up to 60 freedoms, over all kinds of joints and
 * bodies. */
#include "checks.h"

#include "dynamics/denoc.h"
#include "spec/words.h"
#include "dense.h"
#include "integrate.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT = 4 };

/* A few random robots for each of many sizes. */
static void many(const char* what, tree_options options, int from, int to, unsigned seed) {
  for (int freedoms = from; freedoms <= to; freedoms += 1 + freedoms / 4) {
    for (unsigned k = 0; k < REPEAT; k++) {
      const unsigned mine = seed + 100 * k + (unsigned)freedoms;
      rng r = rng_seed(mine);
      plan* p = tree_random(&r, freedoms, options);

      near_context("%s, seed %u, %d links", what, mine, p->nlink);
      if (!(options & TREE_BARE)) tree_inputs(p);
      check_all(p, &r, 1);
      free(p);
    }
  }
}

static void any_tree(void** state) {
  (void)state;
  many("any tree", TREE_ANY, 2, 60, 1000);
}

static void rigid_tree(void** state) {
  (void)state;
  many("rigid tree", TREE_RIGID, 2, 60, 2000);
}

static void bare_tree(void** state) {
  (void)state;
  many("rigid tree without springs", TREE_RIGID | TREE_BARE, 2, 60, 3000);
}

static void free_tree(void** state) {
  (void)state;
  many("free tree", TREE_FREE, 6, 60, 4000);
  many("free rigid tree", TREE_FREE | TREE_RIGID, 6, 40, 4500);
}

static void train(void** state) {
  (void)state;
  many("train with arms", TREE_TRAIN, 2, 40, 5000);
  many("bare train with arms", TREE_TRAIN | TREE_BARE | TREE_RIGID, 2, 20, 5500);
}

static void massless_tree(void** state) {
  (void)state;
  many("tree with massless links", TREE_MASSLESS, 4, 40, 6000);
  many("rigid tree with massless links", TREE_MASSLESS | TREE_RIGID, 4, 40, 6500);
}

/* The robots above are not trivial: all kinds occur, and sizes reach 60 freedoms. */
static void coverage(void** state) {
  (void)state;
  bool joint[64] = {false};
  bool body[64] = {false};

  for (int freedoms = 2; freedoms <= 60; freedoms += 1 + freedoms / 4) {
    for (unsigned k = 0; k < 2; k++) {
      rng r = rng_seed((k == 0 ? 1000u : 5000u) + (unsigned)freedoms);
      plan* p = tree_random(&r, freedoms, k == 0 ? TREE_ANY : TREE_TRAIN);
      apl_model* model = plan_model(p);
      assert_true(apl_model_nv(model) >= freedoms);
      apl_model_free(model);
      for (int i = 0; i < p->nlink; i++) {
        for (int w = 0; apl_joint_word(w) != NULL; w++)
          joint[w] |= strcmp(p->link[i].joint, apl_joint_word(w)) == 0;
        for (int w = 0; kind_body(w) != NULL; w++)
          body[w] |= strcmp(p->link[i].body, kind_body(w)) == 0;
      }
      free(p);
    }
  }
  for (int w = 0; apl_joint_word(w) != NULL; w++)
    CHECK_TRUE(joint[w], "no random tree has a %s joint", apl_joint_word(w));
  for (int w = 0; kind_body(w) != NULL; w++)
    CHECK_TRUE(body[w], "no random tree has a body of kind %s", kind_body(w));
}

/* Regressor times parameters is linear: Y of one robot gives the efforts of another with the same
   geometry and other masses. */
static void regressor_is_linear(void** state) {
  (void)state;
  rng r = rng_seed(77);
  plan* p = tree_random(&r, 14, TREE_RIGID | TREE_BARE);
  plan* heavier = plan_copy(p);
  for (int i = 0; i < heavier->nlink; i++) {
    const plan_field* mass = plan_find(&heavier->link[i], "body.mass");
    double inertia[6];
    double com[3];
    rng_fill(&r, com, 3, 0.4);
    plan_number(&heavier->link[i], "body.mass", 2.5 * mass->value[0]);
    rng_inertia(&r, mass->value[0], 0.8, inertia);
    plan_put(&heavier->link[i], "body.inertia", inertia, 6);
    plan_put(&heavier->link[i], "body.com", com, 3);
  }
  near_context("regressor of a tree with %d links", p->nlink);
  subject* one = subject_open(p);
  subject* two = subject_open(heavier);
  const int n = one->nv;
  const int np = 10 * one->nlink;
  double* Y = subject_take(one, n * np);
  double* q = subject_take(one, np);
  double* Yq = subject_take(one, n);
  double* sizes = subject_take(one, n);

  subject_randomise(one, &r);
  subject_point(one);
  CHECK_OK(apl_regressor(one->model, one->s, Y));
  apl_model_inertial(two->model, q);
  dense_times(Y, q, n, np, Yq);
  dense_sizes(Y, q, n, np, sizes);
  memcpy(apl_q(two->s), one->q, sizeof *one->q * (size_t)one->nq);
  memcpy(apl_v(two->s), one->v, sizeof *one->v * (size_t)n);
  memcpy(apl_a(two->s), one->a, sizeof *one->a * (size_t)n);
  CHECK_OK(apl_inverse(two->model, two->s));
  CHECK_ALIVE(Yq, n, 1.0);
  CHECK_ARRAY(Yq, apl_tau(two->s), n, 1e-12, near_max(sizes, n));
  subject_close(two);
  subject_close(one);
  free(heavier);
  free(p);
}

/* Without gravity, air, efforts and loads the momentum of a free robot stays, whatever springs,
   dampers and bending go on inside. */
static void momentum_stays(void** state) {
  (void)state;
  for (unsigned seed = 8000; seed < 8003; seed++) {
    rng r = rng_seed(seed);
    plan* p = tree_random(&r, 14, TREE_FREE);
    p->gravity = (apl_vec3){0, 0, 0};
    for (int i = 0; i < p->nlink; i++) {
      if (plan_find(&p->link[i], "body.air-drag")) plan_number(&p->link[i], "body.air-drag", 0);
    }
    near_context("free tree, seed %u, %d links", seed, p->nlink);
    subject* sub = subject_open(p);
    double* before = subject_take(sub, 6);
    double* after = subject_take(sub, 6);

    subject_randomise(sub, &r);
    memcpy(apl_q(sub->s), sub->q, sizeof *sub->q * (size_t)sub->nq);
    memcpy(apl_v(sub->s), sub->v, sizeof *sub->v * (size_t)sub->nv);
    CHECK_OK(apl_momentum(sub->model, sub->s, before));
    integrate(sub->model, sub->s, 0.2, 400);
    CHECK_OK(apl_momentum(sub->model, sub->s, after));
    CHECK_ALIVE(before, 6, 0.1);

    /* the integrator keeps linear invariants only; order 12 at half a millisecond leaves round-off
     */
    CHECK_ARRAY(after, before, 6, 1e-11, near_max(before, 6));

    /* and the robot did move */
    double moved = 0;
    for (int i = 0; i < sub->nv; i++)
      moved += (apl_v(sub->s)[i] - sub->v[i]) * (apl_v(sub->s)[i] - sub->v[i]);
    CHECK_ALIVE(&moved, 1, 0.01);
    subject_close(sub);
    free(p);
  }
}

/* The decoupled algorithm may refuse prescribed freedoms, but must not take them for free ones. */
static void denoc_and_prescribed(void** state) {
  (void)state;
  rng r = rng_seed(88);
  plan* p = tree_random(&r, 12, TREE_RIGID);
  for (int i = 0; i < p->nlink; i += 2)
    p->link[i].prescribe_joint = kind_of_joint(p->link[i].joint)->nv > 0;
  near_context("prescribed joints in the decoupled algorithm");
  subject* sub = subject_open(p);
  double* a = subject_take(sub, sub->nv);
  double* tau = subject_take(sub, sub->nv);

  subject_randomise(sub, &r);
  subject_point(sub);
  CHECK_OK(apl_forward(sub->model, sub->s));
  memcpy(a, apl_a(sub->s), sizeof *a * (size_t)sub->nv);
  memcpy(tau, apl_tau(sub->s), sizeof *tau * (size_t)sub->nv);
  subject_point(sub);
  const apl_status status = apl_denoc_forward(sub->model, sub->s);
  if (status != APL_ERR_ARGUMENT) {
    CHECK_OK(status);
    CHECK_ARRAY(apl_a(sub->s), a, sub->nv, 1e-10, 1 + near_max(a, sub->nv));
    CHECK_ARRAY(apl_tau(sub->s), tau, sub->nv, 1e-10, 1 + near_max(tau, sub->nv));
  }
  subject_close(sub);
  free(p);
}

/* Three hundred links in a row: depth is no limit, and forward and inverse still agree. */
static void long_chain(void** state) {
  (void)state;
  enum { LINKS = 300 };
  apl_spec* spec;
  apl_model* model;
  apl_state* s;
  apl_error err;
  rng r = rng_seed(300);
  double tau[LINKS];
  char on[16] = "world";

  near_context("chain of %d links", LINKS);
  CHECK_OK(apl_spec_new(&spec));
  for (int i = 0; i < LINKS; i++) {
    const double inertia[6] = {0.02, 0.03, 0.025, 0, 0, 0};
    char name[16];
    snprintf(name, sizeof name, "n%d", i);
    const int link = apl_spec_link(spec, name, on, "revolute", "rigid");
    const apl_vec3 axis = rng_direction(&r);
    apl_spec_vec3(spec, link, "joint.axis", axis.x, axis.y, axis.z);
    apl_spec_place(spec, link, apl_pose_at(0.1, 0, 0.05));
    apl_spec_number(spec, link, "body.mass", 0.5);
    apl_spec_put(spec, link, "body.inertia", inertia, 6);
    snprintf(on, sizeof on, "n%d", i);
  }
  if (apl_model_new(spec, &model, &err)) near_fail(__FILE__, __LINE__, "%s", err.text);
  apl_spec_free(spec);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  rng_fill(&r, apl_q(s), LINKS, 1);
  rng_fill(&r, apl_v(s), LINKS, 0.3);
  rng_fill(&r, tau, LINKS, 1);
  memcpy(apl_tau(s), tau, sizeof tau);
  CHECK_OK(apl_forward(model, s));
  CHECK_ALIVE(apl_a(s), LINKS, 1.0);
  CHECK_OK(apl_inverse(model, s));

  /* efforts are differences of sums over 150 kg at up to 30 m, moved at the largest acceleration */
  CHECK_ARRAY(apl_tau(s), tau, LINKS, 1e-14, 150 * 30 * near_max(apl_a(s), LINKS));
  apl_state_free(s);
  apl_model_free(model);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_tree),       cmocka_unit_test(rigid_tree),
      cmocka_unit_test(bare_tree),      cmocka_unit_test(free_tree),
      cmocka_unit_test(train),          cmocka_unit_test(massless_tree),
      cmocka_unit_test(coverage),       cmocka_unit_test(regressor_is_linear),
      cmocka_unit_test(momentum_stays), cmocka_unit_test(denoc_and_prescribed),
      cmocka_unit_test(long_chain),
  };
  return cmocka_run_group_tests_name("trees", tests, NULL, NULL);
}
