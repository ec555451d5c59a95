/* SPDX-License-Identifier: Apache-2.0 */
/* test_bodies.c: every kind of body, clamped, turning and on a moving carrier, with links at its
   root, its tip and in between: all checks of checks.h. */
#include "checks.h"

#include "spec/words.h"
#include "dense.h"
#include "kindtests.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

static void add_child(plan* p, const char* name, const char* on, const char* joint, rng* r) {
  plan_link* child = plan_add(p, name, on, joint, "rigid");
  kind_fill(child, r);
  child->at = rng_pose(r, 0.2);
}

/* The body on `joint`, children at its root, its end and in the middle. */
static plan* robot(const char* word, const char* joint, bool floating, rng* r) {
  plan* p = plan_new();
  p->gravity = (apl_vec3){2, 4, -9};
  if (floating) {
    plan_link* carrier = plan_add(p, "carrier", "world", "floating", "rigid");
    kind_fill(carrier, r);
    plan_at_port(carrier, "a", 0, rng_pose(r, 0.3));
  }
  plan_link* link = plan_add(p, "body", floating ? "carrier.a" : "world", joint, word);
  const bool deforms = kind_of_body(word)->deforms;
  kind_fill(link, r);
  link->at = rng_pose(r, 0.3);
  plan_at_port(link, "mid", deforms ? 0.43 : 0, rng_pose(r, 0.2));
  plan_at_port(link, "end", deforms ? 1.0 : 0, rng_pose(r, 0.2));
  add_child(p, "c0", "body", "revolute", r);
  add_child(p, "c1", "body.mid", "prismatic", r);
  add_child(p, "c2", deforms ? "body.tip" : "body.end", "spherical", r);
  return p;
}

static void each_body(void** state) {
  static const char* const joint[] = {"fixed", "revolute", "universal", "planar"};
  const char* word = *state;

  kind_require_all();
  for (int i = 0; i < 8; i++) {
    rng r = rng_seed(200 + (unsigned)i);
    plan* p = robot(word, joint[i / 2], i % 2 == 1, &r);
    near_context("body %s on a %s joint%s", word, joint[i / 2],
                 i % 2 == 1 ? " on a floating carrier" : "");
    tree_inputs(p);
    check_all(p, &r, 3);
    free(p);
  }
}

/* The ports that exist from the start, and stations 0 and 1, are where children see them. */
static void ports(void** state) {
  (void)state;
  for (int i = 0; kind_body(i) != NULL; i++) {
    const char* word = kind_body(i);
    rng r = rng_seed(5);
    double a[12];
    double b[12];
    plan* p = plan_new();
    plan_link* link = plan_add(p, "body", "world", "revolute", word);

    near_context("body %s", word);
    kind_fill(link, &r);
    plan_at_port(link, "zero", 0, apl_pose_identity());
    plan_at_port(link, "one", 1, apl_pose_identity());
    plan_at_port(link, "off", 1, apl_pose_at(0.1, 0.2, 0.3));
    subject* sub = subject_open(p);
    subject_randomise(sub, &r);
    subject_point(sub);
    const int root = apl_model_find(sub->model, APL_PORTS, "body.root");
    const int tip = apl_model_find(sub->model, APL_PORTS, "body.tip");
    assert_int_equal(root, apl_model_link_info(sub->model, 0).port);
    assert_int_equal(tip >= 0, kind_of_body(word)->deforms);
    CHECK_OK(apl_port_pose(sub->model, sub->s, root, a));
    CHECK_OK(
        apl_port_pose(sub->model, sub->s, apl_model_find(sub->model, APL_PORTS, "body.zero"), b));
    CHECK_ARRAY(b, a, 12, 1e-15, 1);
    if (tip >= 0) {
      CHECK_OK(apl_port_pose(sub->model, sub->s, tip, a));
      CHECK_OK(
          apl_port_pose(sub->model, sub->s, apl_model_find(sub->model, APL_PORTS, "body.one"), b));
      CHECK_ARRAY(b, a, 12, 1e-15, 1);
    }

    /* an offset is seen from its section */
    const double at[3] = {0.1, 0.2, 0.3};
    double moved[3];
    dense_times(b, at, 3, 3, moved);
    for (int k = 0; k < 3; k++)
      moved[k] += b[9 + k];
    CHECK_OK(
        apl_port_pose(sub->model, sub->s, apl_model_find(sub->model, APL_PORTS, "body.off"), a));
    CHECK_ARRAY(a + 9, moved, 3, 1e-15, 2);
    subject_close(sub);
    free(p);
  }
}

static void words(void** state) {
  (void)state;
  kind_require_all();
  int n = 0;
  for (; apl_body_word(n) != NULL; n++) {
    assert_true(strlen(apl_body_title(n)) > 5);
    for (int i = 0; i < n; i++)
      assert_string_not_equal(apl_body_word(i), apl_body_word(n));
  }
  assert_in_range(n, 2, KINDTESTS_WORDS);
  assert_null(apl_body_title(n));
  assert_null(apl_body_word(-1));
}

int main(void) {
  const struct CMUnitTest fixed[] = {
      cmocka_unit_test(words),
      cmocka_unit_test(ports),
  };
  return kindtests_run("bodies", fixed, 2, kind_body, each_body);
}
