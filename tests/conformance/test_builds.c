/* SPDX-License-Identifier: Apache-2.0 */
/* test_builds.c: the three builds of the hot code. Four lanes are four scalar runs; complex numbers
   without imaginary part are scalars; with one they give the derivatives that central differences
   approximate. */
#include "checks.h"
#include "passes.h"
#include "tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lanes and complex numbers do the same operations; only sine and cosine may round differently. */
#define SAME 1e-14

static const struct {
  const char* name;
  int freedoms;
  tree_options options;
} robot[] = {
    {"rigid chain", 12, TREE_RIGID},
    {"rigid tree", 30, TREE_RIGID},
    {"any tree", 20, TREE_ANY},
    {"train with arms", 14, TREE_TRAIN},
    {"bare tree", 10, TREE_RIGID | TREE_BARE},
};
enum { TREES = sizeof robot / sizeof *robot };

/* A body of every kind on a hinge, with a child in the middle and one at its end. */
static plan* with_body(const char* word, rng* r) {
  plan* p = plan_new();
  const bool deforms = kind_of_body(word)->deforms;
  plan_link* link = plan_add(p, "body", "world", "revolute", word);

  kind_fill(link, r);
  plan_at_port(link, "mid", deforms ? 0.4 : 0, rng_pose(r, 0.2));
  for (int i = 0; i < 2; i++) {
    const char* on = i == 0 ? "body.mid" : deforms ? "body.tip" : "body";
    plan_link* child =
        plan_add(p, i == 0 ? "a" : "b", on, i == 0 ? "revolute" : "universal", "rigid");
    kind_fill(child, r);
    child->at = rng_pose(r, 0.2);
  }
  near_context("body %s on a hinge", word);
  return p;
}

/* The first body is the rigid one, of which all trees have some. */
static const char* body_of(int i) {
  return kind_body(1 + i - TREES);
}

static int robots(void) {
  int n = TREES;
  while (body_of(n) != NULL)
    n++;
  return n;
}

/* Trees, then one robot for each body. */
static plan* make(int i, rng* r) {
  plan* p =
      i < TREES ? tree_random(r, robot[i].freedoms, robot[i].options) : with_body(body_of(i), r);
  tree_inputs(p);
  if (i < TREES) near_context("%s with %d links", robot[i].name, p->nlink);
  return p;
}

/* The frame of the last link with a joint that moves. */
static int moving_port(const apl_model* model) {
  int i = apl_model_count(model, APL_LINKS) - 1;
  while (apl_model_link_info(model, i).nv == 0)
    i--;
  return apl_model_link_info(model, i).port;
}

/* The passes that apply, on both states; compare lane by lane (or number by number). */
static void compare_lanes(subject** one, apl_state* lanes, const apl_model* model) {
  const int room = passes_room(model);
  double* wide = subject_take(one[0], 4 * room);
  double* alone = subject_take(one[0], room);
  double* lane = subject_take(one[0], room);
  const bool rigid = check_is_rigid(one[0]->plan);
  const int port = moving_port(model);

  for (int i = 0; passes_at(i).name != NULL; i++) {
    const pass p = passes_at(i);
    if (p.rigid_only && !rigid) continue;

    /* forward and inverse write the state: put the point back first */
    for (int k = 0; k < 4; k++) {
      for (int j = 0; j < one[k]->nv; j++) {
        apl_a(lanes)[4 * j + k] = one[k]->a[j];
        apl_tau(lanes)[4 * j + k] = one[k]->tau[j];
      }
    }
    const int n = p.run(model, lanes, port, wide);
    CHECK_TRUE(n > 0, "%s failed on lanes", p.name);
    for (int k = 0; k < 4; k++) {
      subject_point(one[k]);
      CHECK_TRUE(p.run(one[k]->model, one[k]->s, port, alone) == n, "%s failed", p.name);
      for (int j = 0; j < n; j++)
        lane[j] = wide[4 * j + k];
      near_alive(__FILE__, __LINE__, p.name, alone, n, 1e-6);
      near_array(__FILE__, __LINE__, p.name, lane, alone, n, SAME, near_max(alone, n));
    }
  }
}

/* Copy the points of four subjects into the lanes, loads included. */
static void fill_lanes(subject** one, apl_state* lanes) {
  const apl_model* model = one[0]->model;
  for (int k = 0; k < 4; k++) {
    for (int j = 0; j < one[k]->nq; j++)
      apl_q(lanes)[4 * j + k] = one[k]->q[j];
    for (int j = 0; j < one[k]->nv; j++)
      apl_v(lanes)[4 * j + k] = one[k]->v[j];
    for (int j = 0; j < one[k]->nu; j++)
      apl_u(lanes)[4 * j + k] = one[k]->u[j];
  }
  for (int p = 0; p < one[0]->nport; p++) {
    double wrench[24];
    for (int k = 0; k < 4; k++) {
      one[k]->axes[p] = one[0]->axes[p];
      for (int j = 0; j < 6; j++)
        wrench[4 * j + k] = one[k]->load[6 * p + j];
    }
    CHECK_OK(apl_load_wide(model, lanes, p, one[0]->axes[p], wrench));
  }
}

static void lanes_are_scalars(void** state) {
  (void)state;
  for (int i = 0; i < robots(); i++) {
    rng r = rng_seed(900 + (unsigned)i);
    plan* p = make(i, &r);
    subject* one[4];
    apl_state* lanes;

    for (int k = 0; k < 4; k++) {
      one[k] = subject_open(p);
      subject_randomise(one[k], &r);
    }
    CHECK_OK(apl_state_new(one[0]->model, APL_LANES, &lanes));
    assert_int_equal(apl_state_width(lanes), 4);
    fill_lanes(one, lanes);
    compare_lanes(one, lanes, one[0]->model);
    apl_state_free(lanes);
    for (int k = 0; k < 4; k++)
      subject_close(one[k]);
    free(p);
  }
}

/* Four robots of one topology with different numbers. */
static void lanes_have_parameters(void** state) {
  (void)state;
  for (int i = 0; i < robots(); i++) {
    rng r = rng_seed(950 + (unsigned)i);
    plan* p[4];
    subject* one[4];
    apl_state* lanes;

    p[0] = make(i, &r);
    for (int k = 1; k < 4; k++)
      p[k] = tree_vary(p[0], &r);
    near_context("%s with %d links and four sets of parameters",
                 i < TREES ? robot[i].name : body_of(i), p[0]->nlink);
    for (int k = 0; k < 4; k++) {
      one[k] = subject_open(p[k]);
      subject_randomise(one[k], &r);
    }
    CHECK_OK(apl_state_new(one[0]->model, APL_LANES, &lanes));
    for (int k = 1; k < 4; k++)
      CHECK_OK(apl_lane_parameters(one[0]->model, lanes, k, one[k]->model));
    fill_lanes(one, lanes);
    compare_lanes(one, lanes, one[0]->model);

    /* a lane outside, another topology and a state without lanes are refused */
    plan* q = make((i + 2) % robots(), &r); /* neighbours may differ in numbers only */
    apl_model* other = plan_model(q);
    CHECK_TRUE(apl_lane_parameters(one[0]->model, lanes, 4, one[1]->model) != APL_OK,
               "lane 4 exists");
    CHECK_TRUE(apl_lane_parameters(one[0]->model, lanes, 1, other) != APL_OK,
               "a variant of another topology is taken");
    CHECK_TRUE(apl_lane_parameters(one[0]->model, one[0]->s, 0, one[1]->model) != APL_OK,
               "a scalar state takes lane parameters");
    apl_model_free(other);
    free(q);
    apl_state_free(lanes);
    for (int k = 0; k < 4; k++) {
      subject_close(one[k]);
      free(p[k]);
    }
  }
}

static void complex_is_scalar(void** state) {
  (void)state;
  for (int i = 0; i < robots(); i++) {
    rng r = rng_seed(970 + (unsigned)i);
    plan* p = make(i, &r);
    subject* sub = subject_open(p);
    const int room = passes_room(sub->model);
    const int port = moving_port(sub->model);
    double* z = subject_take(sub, 2 * room);
    double* x = subject_take(sub, room);
    double* re = subject_take(sub, room);

    subject_randomise(sub, &r);
    for (int k = 0; passes_at(k).name != NULL; k++) {
      const pass one = passes_at(k);
      if (one.rigid_only && !check_is_rigid(p)) continue;
      subject_complex(sub, NULL, NULL, NULL, NULL);
      subject_point(sub);
      const int n = one.run(sub->model, sub->z, port, z);
      CHECK_TRUE(n > 0, "%s failed on complex numbers", one.name);
      assert_int_equal(one.run(sub->model, sub->s, port, x), n);
      subject_real(z, n, re);
      /* a complex quotient rounds several times more often than a real one */
      near_array(__FILE__, __LINE__, one.name, re, x, n, 100 * SAME, near_max(x, n));
      for (int j = 0; j < n; j++) {
        CHECK_TRUE(z[2 * j + 1] == 0, "%s: imaginary part %g out of nothing", one.name,
                   z[2 * j + 1]);
      }
    }
    subject_close(sub);
    free(p);
  }
}

/* Which argument of a pass is varied. */
typedef enum argument { BY_Q, BY_V, BY_A, BY_TAU } argument;

/* One column of the derivative of `run` by complex step (exact) and by central differences (rough).
 */
static void column(subject* sub, pass run, argument by, int k, double* exact, double* rough) {
  const int n = sub->nv;
  double* unit = subject_take(sub, sub->nt + n);
  double* zq = subject_take(sub, 2 * sub->nq);
  double* zt = subject_take(sub, 2 * sub->nt);
  double* z = subject_take(sub, 2 * n);
  double* out[2] = {subject_take(sub, n), subject_take(sub, n)};

  unit[k] = 1;
  subject_complex(sub, NULL, by == BY_V ? unit : NULL, by == BY_A ? unit : NULL,
                  by == BY_TAU ? unit : NULL);
  if (by == BY_Q) {
    for (int i = 0; i < sub->nq; i++)
      zq[2 * i] = sub->q[i];
    zt[2 * k + 1] = SUBJECT_STEP;
    CHECK_OK(apl_add(sub->model, sub->z, zq, zt, apl_q(sub->z)));
  }
  assert_int_equal(run.run(sub->model, sub->z, 0, z), n);
  subject_derivative(z, n, exact);

  for (int side = 0; side < 2; side++) {
    const double h = side == 0 ? SUBJECT_DIFFERENCE : -SUBJECT_DIFFERENCE;
    subject_point(sub);
    unit[k] = h;
    if (by == BY_Q) CHECK_OK(apl_add(sub->model, sub->s, sub->q, unit, apl_q(sub->s)));
    if (by == BY_V) apl_v(sub->s)[k] += h;
    if (by == BY_A) apl_a(sub->s)[k] += h;
    if (by == BY_TAU) apl_tau(sub->s)[k] += h;
    assert_int_equal(run.run(sub->model, sub->s, 0, out[side]), n);
  }
  for (int i = 0; i < n; i++)
    rough[i] = (out[0][i] - out[1][i]) / (2 * SUBJECT_DIFFERENCE);
}

static void check_derivative(subject* sub, int which, argument by) {
  const int n = sub->nv;
  const int columns = by == BY_Q ? sub->nt : n;
  double* exact = subject_take(sub, n * columns);
  double* rough = subject_take(sub, n * columns);
  double* value = subject_take(sub, n);

  subject_point(sub);
  assert_int_equal(passes_at(which).run(sub->model, sub->s, 0, value), n);
  for (int k = 0; k < columns; k++)
    column(sub, passes_at(which), by, k, exact + n * k, rough + n * k);
  CHECK_ALIVE(exact, n * columns, 0.1);

  /* round-off of differences is 1e-16/6e-6 of the value, truncation 6e-12 of the third derivative:
     for these robots within a thousand times the first one */
  near_array(__FILE__, __LINE__, passes_at(which).name, exact, rough, n * columns, 1e-8,
             near_max(exact, n * columns) + near_max(value, n));
}

static void complex_steps_are_derivatives(void** state) {
  (void)state;
  for (int i = 0; i < robots(); i++) {
    rng r = rng_seed(990 + (unsigned)i);
    plan* p = make(i, &r);
    subject* sub = subject_open(p);
    subject_randomise(sub, &r);
    assert_string_equal(passes_at(0).name, "inverse");
    assert_string_equal(passes_at(1).name, "forward");
    check_derivative(sub, 0, BY_Q);
    check_derivative(sub, 0, BY_V);
    check_derivative(sub, 0, BY_A);
    check_derivative(sub, 1, BY_Q);
    check_derivative(sub, 1, BY_V);
    check_derivative(sub, 1, BY_TAU);
    subject_close(sub);
    free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(lanes_are_scalars),
      cmocka_unit_test(lanes_have_parameters),
      cmocka_unit_test(complex_is_scalar),
      cmocka_unit_test(complex_steps_are_derivatives),
  };
  return cmocka_run_group_tests_name("builds", tests, NULL, NULL);
}
