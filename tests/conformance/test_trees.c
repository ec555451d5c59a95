/* test_trees.c: random robots with fixed seeds, up to 60 freedoms, over all kinds of joints and
 * bodies. */
#include "checks.h"
#include "dense.h"
#include "integrate.h"
#include "tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One random robot per seed. */
static void many(const char* what, tree_options options, int from, int to, unsigned seed) {
  for (int freedoms = from; freedoms <= to; freedoms += 1 + freedoms / 4) {
    rng r = rng_seed(seed + (unsigned)freedoms);
    plan* p = tree_random(&r, freedoms, options);

    near_context("%s, seed %u, %d links", what, seed + (unsigned)freedoms, p->nlink);
    if (!(options & TREE_BARE)) tree_inputs(p);
    check_all(p, &r, 1);
    free(p);
  }
}

static void any_tree(void** state) {
  (void)state;
  many("any tree", TREE_ANY, 2, 60, 1000);
  many("any tree", TREE_ANY, 5, 20, 1100);
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
  many("free rigid tree", TREE_FREE | TREE_RIGID, 6, 40, 4100);
}

static void train(void** state) {
  (void)state;
  many("train with arms", TREE_TRAIN, 2, 40, 5000);
  many("bare train with arms", TREE_TRAIN | TREE_BARE | TREE_RIGID, 2, 20, 5100);
}

static void massless_tree(void** state) {
  (void)state;
  many("tree with massless links", TREE_MASSLESS, 4, 40, 6000);
  many("rigid tree with massless links", TREE_MASSLESS | TREE_RIGID, 4, 40, 6100);
}

/* The last seeds above must not have been trivial: all kinds occur, and sizes reach 60 freedoms. */
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
        for (int w = 0; apl_body_word(w) != NULL; w++)
          body[w] |= strcmp(p->link[i].body, apl_body_word(w)) == 0;
      }
      free(p);
    }
  }
  for (int w = 0; apl_joint_word(w) != NULL; w++)
    CHECK_TRUE(joint[w], "no random tree has a %s joint", apl_joint_word(w));
  for (int w = 0; apl_body_word(w) != NULL; w++)
    CHECK_TRUE(body[w], "no random tree has a body of kind %s", apl_body_word(w));
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

/* Without gravity, efforts and loads the momentum of a free robot stays, whatever springs, dampers
   and bending go on inside. */
static void momentum_stays(void** state) {
  (void)state;
  for (unsigned seed = 8000; seed < 8003; seed++) {
    rng r = rng_seed(seed);
    plan* p = tree_random(&r, 14, TREE_FREE);
    p->gravity = (apl_vec3){0, 0, 0};
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_tree),       cmocka_unit_test(rigid_tree),
      cmocka_unit_test(bare_tree),      cmocka_unit_test(free_tree),
      cmocka_unit_test(train),          cmocka_unit_test(massless_tree),
      cmocka_unit_test(coverage),       cmocka_unit_test(regressor_is_linear),
      cmocka_unit_test(momentum_stays),
  };
  return cmocka_run_group_tests_name("trees", tests, NULL, NULL);
}
