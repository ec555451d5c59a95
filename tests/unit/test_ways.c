/* SPDX-License-Identifier: Apache-2.0 */
/* test_ways.c: rows by their frames, as couplings use them (dynamics/rows.h, not public). The same
   rows given by ports are compared with dense algebra in checks_rows.c. */
#include "near.h"

#include "dynamics/factor.h"
#include "dynamics/rows.h" /* before the tests' own names, which it does not know */
#include "checks.h"
#include "dense.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 7 };

static const double gravity[3] = {1, -2, -9};

/* A tree at a random point, and rows on its frames. */
typedef struct trial {
  plan* p;
  subject* sub;
  apl_way way[ROWS];
  double number[ROWS * ROW_NUMBERS];
  rng r;
} trial;

static trial trial_of(unsigned seed, tree_options options) {
  trial t = {.r = rng_seed(seed)};

  t.p = tree_random(&t.r, 18, options);
  t.p->gravity = (apl_vec3){gravity[0], gravity[1], gravity[2]};
  near_context("seed %u, %d links", seed, t.p->nlink);
  t.sub = subject_open(t.p);
  subject_randomise(t.sub, &t.r);
  subject_point(t.sub);
  for (int i = 0; i < ROWS; i++) {
    t.way[i] = (apl_way){{rng_below(&t.r, t.sub->model->nframe), 0}, {-1, -1}};
    if (i % 3 == 0) t.way[i].frame[1] = rng_below(&t.r, t.sub->model->nframe);
    if (i % 3 == 2) t.way[i].velocity[0] = rng_below(&t.r, t.sub->nv);
    if (i % 2 == 1) t.way[i].velocity[1] = rng_below(&t.r, t.sub->nv);
    if (i % 3 == 1) memcpy(t.way[i].frame, t.way[i - 1].frame, sizeof t.way[i].frame);
    rng_fill(&t.r, t.number + ROW_NUMBERS * i, ROW_NUMBERS, 1);
  }
  return t;
}

static void trial_free(trial* t) {
  subject_close(t->sub);
  free(t->p);
}

/* Any number of rows may have all four parts. Combined and spread, they are a solution; G says how
   fast the rows move then. */
static void halves_and_solution(void** state) {
  (void)state;
  for (unsigned seed = 1; seed < 9; seed++) {
    trial t = trial_of(seed, seed % 2 ? TREE_ANY : TREE_TRAIN);
    const apl_model* m = t.sub->model;
    apl_state* s = t.sub->s;
    const int n = t.sub->nv;
    double* z = subject_take(t.sub, ROWS * n);
    double* sum = subject_take(t.sub, n);
    double* a = subject_take(t.sub, n);
    double* want = subject_take(t.sub, n);
    double p[ROWS];
    double G[ROWS * ROWS];
    double Gp[ROWS];
    double rate[ROWS];
    const apl_ways list = {t.way, z, ROWS};

    rng_fill(&t.r, p, ROWS, 1);
    CHECK_OK(apl_factor(m, s, 0));
    CHECK_OK(apl_ways_halve(m, s, t.way, t.number, ROWS, z));
    CHECK_OK(apl_ways_inertia(m, s, &list, NULL, G, ROWS));
    CHECK_OK(apl_ways_combine(m, s, &list, p, sum));
    CHECK_OK(apl_spread(m, s, sum, a, NULL));
    apl_push_clear(m, s);
    CHECK_OK(apl_push_add(m, s, t.way, t.number, p, ROWS));
    CHECK_OK(apl_push_solve(m, s, NULL, want, NULL));
    CHECK_ARRAY(a, want, n, 1e-11, near_max(want, n)); /* round-off times condition */

    /* as velocities, a moves the rows by G p */
    memcpy(apl_v(s), a, sizeof *a * (size_t)n);
    CHECK_OK(apl_frames_move(m, s, false));
    CHECK_OK(apl_ways_motion(m, s, t.way, t.number, ROWS, rate, NULL));
    dense_times(G, p, ROWS, ROWS, Gp);
    CHECK_ALIVE(Gp, ROWS, 1e-3);
    CHECK_ARRAY(rate, Gp, ROWS, 1e-11, near_max(Gp, ROWS));
    trial_free(&t);
  }
}

/* Row velocities are linear in v, and their accelerations are the derivative along the motion. */
static void motion(void** state) {
  (void)state;
  for (unsigned seed = 1; seed < 9; seed++) {
    trial t = trial_of(seed, seed % 2 ? TREE_ANY : TREE_TRAIN);
    const apl_model* m = t.sub->model;
    double* qdot = subject_take(t.sub, t.sub->nq);
    double wide[2 * ROWS * ROW_NUMBERS] = {0};
    double rate[2 * ROWS];
    double v[ROWS];
    double a[ROWS];
    double want[ROWS];

    CHECK_OK(apl_frames_move(m, t.sub->s, true));
    CHECK_OK(apl_ways_motion(m, t.sub->s, t.way, t.number, ROWS, v, a));
    CHECK_OK(apl_rates(m, t.sub->s, qdot));
    subject_complex(t.sub, qdot, t.sub->a, NULL, NULL);
    for (int i = 0; i < ROWS * ROW_NUMBERS; i++)
      wide[2 * i] = t.number[i];
    CHECK_OK(apl_frames_move(m, t.sub->z, false));
    CHECK_OK(apl_ways_motion(m, t.sub->z, t.way, wide, ROWS, rate, NULL));
    subject_real(rate, ROWS, want);
    CHECK_ARRAY(v, want, ROWS, 1e-13, 1 + near_max(want, ROWS));
    subject_derivative(rate, ROWS, want);
    CHECK_ARRAY(a, want, ROWS, 1e-12, 1 + near_max(want, ROWS));
    trial_free(&t);
  }
}

/* A frame's motion is that of the port at its origin. */
static void frames(void** state) {
  (void)state;
  trial t = trial_of(5, TREE_ANY);
  const apl_model* m = t.sub->model;
  int seen = 0;

  for (int i = 0; i < m->nport; i++) {
    double X[12];
    double V[6];
    double A[6];
    double port[12];
    double twist_of[6];
    double accel_of[6];
    double offset[12];

    CHECK_OK(apl_port_pose(m, t.sub->s, i, port));
    CHECK_OK(apl_port_motion(m, t.sub->s, i, APL_PORT_AXES, twist_of, accel_of));
    memcpy(offset, m->par + m->port[i].pose, sizeof offset);
    if (offset[0] != 1 || offset[4] != 1 || dense_dot(offset + 9, offset + 9, 3) != 0) continue;
    CHECK_OK(apl_frames_move(m, t.sub->s, true));
    apl_frame_motion(m, t.sub->s, m->port[i].frame, X, V, A);
    CHECK_ARRAY(X, port, 12, 1e-13, 1 + near_max(port, 12));
    CHECK_ARRAY(V, twist_of, 6, 1e-13, 1 + near_max(twist_of, 6));
    CHECK_ARRAY(A, accel_of, 6, 1e-13, 1 + near_max(accel_of, 6));
    seen++;
  }
  CHECK_TRUE(seen > 2, "only %d ports stand on their frames", seen);
  trial_free(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_and_solution),
      cmocka_unit_test(motion),
      cmocka_unit_test(frames),
  };
  return cmocka_run_group_tests_name("ways", tests, NULL, NULL);
}
