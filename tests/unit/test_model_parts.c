/* SPDX-License-Identifier: Apache-2.0 */
/* test_model_parts.c: model/compiler.h and model/model_impl.h: lists that grow while a model is
   compiled, and the order and addresses of what comes out. */
#include "near.h"

#include "model/compiler.h"
#include "model/model_impl.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* Places of a list are zero when taken and keep what was written while the list grows. */
static void growing_lists(void** state) {
  apl_model m = {0};
  compiler c = {.m = &m};

  (void)state;
  assert_true(apl_lists_open(&c, 4));
  for (int i = 0; i < 500; ++i) {
    const int n = 1 + i % 4, at = take(&c, n);
    for (int k = 0; k < n; ++k) {
      CHECK_NEAR(c.par[at + k], 0, 0);
      c.par[at + k] = at + k;
    }
  }
  for (int i = 0; i < 1250; ++i)
    CHECK_NEAR(c.par[i], i, 0);
  assert_int_equal(put_numbers(&c, (double[]){7, 8}, 2), 1250);
  CHECK_NEAR(c.par[1251], 8, 0);
  const pose X = pose_of((apl_pose){{1, 2, 3}, {0.5, 0.5, 0.5, 0.5}});
  double at[12];
  put_pose(at, X);
  const pose Y = get_pose(at);
  assert_memory_equal(&X, &Y, sizeof X);
  assert_true(X.R.yx == 1 && X.R.zy == 1 && X.R.xz == 1); /* x to y to z to x */
  const mat3 one = mat3_mul(X.R, transpose(X.R)), want = mat3_identity();
  CHECK_ARRAY(&one.xx, &want.xx, 9, 1e-15, 1);
  assert_false(c.out_of_memory);
  apl_lists_close(&c);
  apl_pool_free(&m.pool);
}

/* Parents stand before children, frames and velocities have one owner each, and every way to the
   world ends there. */
static void compiled_trees(void** state) {
  (void)state;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    rng r = rng_seed(seed);
    plan* p = tree_random(&r, 20, seed % 2 ? TREE_ANY : TREE_TRAIN);
    apl_model* m = plan_model(p);
    int velocities = 0, numbers = 0;
    near_context("seed %u", seed);
    for (int i = 0; i < m->nnode; ++i) {
      const apl_node* n = &m->node[i];
      assert_true(n->up < n->frame || !has_joint(n));
      assert_true(n->root > 0 && n->root <= n->frame);
      for (int k = 0; k < n->nv; ++k)
        assert_int_equal(m->velocity_node[n->v0 + k], i);
      for (int k = 0; k < n->nx; ++k)
        assert_int_equal(m->velocity_node[n->xv0 + k], i);
      velocities += n->nv + n->nx;
      if (n->path == PATH_GENERAL) numbers += work_end(n) - work_S(n);
      assert_true(work_U(n) - work_S(n) == 6 * n->nv && work_xh(n) - work_xD(n) == n->nx * n->nx);
      assert_true(work_D(n) <= work_r(n) && work_r(n) <= work_Phi(n) &&
                  work_Phi(n) <= work_port(n, 0));
    }
    assert_int_equal(velocities, m->nv);
    assert_true(numbers <= m->nwork);
    for (int f = 0; f < m->nframe; ++f) {
      int steps = 0, c = m->frame_column[f];
      while (c != WAY_END && ++steps < 10000) {
        if (c < 0)
          assert_true(m->node[way_node(c)].slaved), c = m->frame_column[m->node[way_node(c)].up];
        else
          c = m->column_next[c];
      }
      assert_true(steps < 10000);
    }
    for (int node = 0; node < 5; ++node)
      assert_true(way_node(way_through(node)) == node && way_through(node) < WAY_END);
    apl_model_free(m);
    free(p);
  }
  near_context(" ");
}

static void names(void** state) {
  static const char* const list[] = {"a", "b", "ab"};
  (void)state;
  assert_int_equal(find_name(list, 3, "ab"), 2);
  assert_int_equal(find_name(list, 2, "ab"), -1);
  assert_int_equal(find_name(list, 3, ""), -1);
}

/* A thin rod may have moments 0, 1, 1; nothing may have 1, 1, 3. A link that only turns about z may
   leave the others at zero. */
static void inertias(void** state) {
  const vec3 z = {0, 0, 1};
  apl_error err;

  (void)state;
  CHECK_OK(apl_check_inertia("a", (sym3){1, 1, 0, 0, 0, 0}, 0, APL_MOVES_FREELY, z, &err));
  CHECK_OK(apl_check_inertia("a", (sym3){1, 1, 2, 0, 0, 0}, 0, APL_MOVES_FREELY, z, &err));
  assert_int_equal(apl_check_inertia("arm", (sym3){1, 1, 3, 0, 0, 0}, 0, APL_MOVES_FREELY, z, &err),
                   APL_ERR_MODEL);
  assert_non_null(strstr(err.text, "'arm'"));
  assert_non_null(strstr(err.text, "sum of the other two"));
  /* 1, 1, 3 turned by 45 degrees about x looks harmless on the diagonal */
  assert_int_equal(
      apl_check_inertia("arm", (sym3){1, 2, 2, 0, 0, -1}, 0, APL_MOVES_FREELY, z, &err),
      APL_ERR_MODEL);
  CHECK_OK(apl_check_inertia("a", (sym3){0, 0, 3, 0, 0, 0}, 0, APL_MOVES_ABOUT_AXIS, z, &err));
  assert_int_equal(
      apl_check_inertia("a", (sym3){0, 0, -3, 0, 0, 0}, 0, APL_MOVES_ABOUT_AXIS, z, &err),
      APL_ERR_MODEL);
  assert_non_null(strstr(err.text, "negative moment"));
  CHECK_OK(apl_check_inertia("a", (sym3){0, 0, 0, 0, 0, 0}, 0, APL_MOVES_STRAIGHT, z, &err));
  apl_doubt_inertia("arm", (sym3){1, 1, 3, 0, 0, 0}, &err);
  assert_non_null(strstr(err.text, "arm"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(growing_lists),
      cmocka_unit_test(compiled_trees),
      cmocka_unit_test(names),
      cmocka_unit_test(inertias),
  };
  return cmocka_run_group_tests_name("model_parts", tests, NULL, NULL);
}
