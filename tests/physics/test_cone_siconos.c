/* SPDX-License-Identifier: Apache-2.0 */
/* test_cone_siconos.c: a thousand contact problems of random robots, W = J M^-1 J^T and q = J v by
   dense means, solved by us and by Siconos (Debian: libsiconos-numerics-dev). Many are redundant:
   several points on one link, more rows than freedoms. Each answer must obey the law by a natural
   map that belongs to neither; velocities must agree where they are unique. Without Siconos only
   our answers are looked at, and the program says so (exit code 77). */
#include "conecases.h"
#include "dense.h"
#include "near.h"
#include "subject.h"
#include "tree.h"

#include "couple/solve/cone.h"
#include "math/pose.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef APPELL_SICONOS
#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <NumericsVerbose.h>
#include <SolverOptions.h>
#endif

enum { PROBLEMS = 1000, MOST_CONTACTS = 16, MOST = 3 * MOST_CONTACTS };

#define LAW 1e-8 /* residuals that count as solved: the promise */

/* Velocities count as equal up to this, relative to |q|: residuals of 1e-8, amplified by small
   eigenvalues of W. */
#define SAME 1e-5

/* ------------------------------------------------------------------------------- problems ---- */

/* Rows n, t1, t2 at a point of a port, in a random frame. */
static void contact_rows(subject* sub, int port, rng* r, double* rows) {
  const int nv = sub->nv;
  double* J = subject_take(sub, 6 * nv);
  const apl_quat frame = rng_rotation(r, 3);
  const apl_vec3 arm = {rng_between(r, -0.2, 0.2), rng_between(r, -0.2, 0.2),
                        rng_between(r, -0.2, 0.2)};
  const apl_vec3 axis[3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}};

  CHECK_OK(apl_jacobian(sub->model, sub->s, port, APL_WORLD_AXES, J));
  for (int i = 0; i < 3; ++i) {
    const apl_vec3 d = apl_quat_rotate(frame, axis[i]);
    /* d . (v + w x arm) */
    const double weight[6] = {arm.y * d.z - arm.z * d.y,
                              arm.z * d.x - arm.x * d.z,
                              arm.x * d.y - arm.y * d.x,
                              d.x,
                              d.y,
                              d.z};
    dense_times_transposed(J, weight, 6, nv, rows + i * nv);
  }
}

/* A port that moves. */
static int any_port(subject* sub, rng* r) {
  double* J = subject_take(sub, 6 * sub->nv);

  for (;;) {
    const int port = rng_below(r, sub->nport);
    CHECK_OK(apl_jacobian(sub->model, sub->s, port, APL_WORLD_AXES, J));
    if (near_max(J, 6 * sub->nv) > 0) return port;
  }
}

/* Contacts in groups of one to four points on one port, each with its own coefficient or all with
   the same. */
static cone_case robot_case(int k) {
  rng r = rng_seed(7000 + (uint64_t)k);
  plan* p = tree_random(&r, 3 + rng_below(&r, 28), k % 3 == 0 ? TREE_ANY : TREE_RIGID | TREE_FREE);
  subject* sub = subject_open(p);
  const int contacts = 1 + rng_below(&r, MOST_CONTACTS), nv = sub->nv;
  double* J = calloc((size_t)(3 * contacts * nv), sizeof *J);
  double* M = calloc((size_t)(nv * nv), sizeof *M);

  assert_true(J != NULL && M != NULL);
  subject_randomise(sub, &r);
  subject_point(sub);
  CHECK_OK(apl_mass_matrix(sub->model, sub->s, M));
  for (int c = 0; c < contacts;) {
    const int port = any_port(sub, &r);
    for (int points = 1 + rng_below(&r, 4); points > 0 && c < contacts; --points, ++c)
      contact_rows(sub, port, &r, J + 3 * c * nv);
  }
  cone_case out = cone_case_of(contacts, nv, J, M, sub->v);
  const double mu = rng_between(&r, 0.1, 1.2);
  for (int c = 0; c < contacts; ++c)
    out.mu[c] = k % 2 == 0 ? mu : rng_between(&r, 0.1, 1.2);
  free(M);
  subject_close(sub);
  free(p);
  return out;
}

/* -------------------------------------------------------------------------------- solvers ---- */

typedef struct answer {
  double r[MOST], u[MOST], residual;
  bool unique;
} answer;

static void look(const cone_case* c, answer* a) {
  a->residual = cone_case_residual(c, a->r);
  for (int i = 0; i < c->n; ++i)
    a->u[i] = c->q[i] + dense_dot(c->W + i * c->n, a->r, c->n);
}

/* From the forces in `a` when warm. */
static apl_cone_result ours(apl_cone* cone, const cone_case* c, bool warm, answer* a) {
  apl_cone_block block[MOST_CONTACTS];
  apl_cone_options options = apl_cone_defaults();
  const apl_cone_problem problem = {c->n, c->contacts, true, c->W, c->q, block};

  for (int k = 0; k < c->contacts; ++k)
    block[k] = (apl_cone_block){
        .set = APL_SET_CONE, .row = 3 * k, .section = apl_section_circle(c->mu[k])};
  options.warm = warm;
  const apl_cone_result result = apl_cone_solve(cone, &problem, &options, a->r, NULL);
  a->unique = result.unique;
  look(c, a);
  return result;
}

#ifdef APPELL_SICONOS
/* One of its solvers, on W scaled to a mean diagonal of 1. */
static void siconos_by(int solver, const cone_case* c, answer* a) {
  double W[MOST * MOST], q[MOST], u[MOST], scale = 0;

  for (int i = 0; i < c->n; ++i)
    scale += c->W[i * c->n + i] / c->n;
  for (int i = 0; i < c->n * c->n; ++i)
    W[i] = c->W[i] / scale; /* symmetric: columns are rows */
  memcpy(q, c->q, (size_t)c->n * sizeof *q);
  memset(a->r, 0, sizeof a->r);
  memset(u, 0, sizeof u);
  NumericsMatrix* matrix = NM_create_from_data(NM_DENSE, c->n, c->n, W);
  FrictionContactProblem problem = {3, c->contacts, matrix, q, c->mu};
  SolverOptions* options = solver_options_create(solver);
  options->dparam[SICONOS_DPARAM_TOL] = 1e-10;
  if (options->iparam[SICONOS_IPARAM_MAX_ITER] < 2000)
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 2000;
  (void)fc3d_driver(&problem, a->r, u, options);
  solver_options_delete(options);
  free(options);
  NM_clear_not_dense(matrix);
  free(matrix);
  for (int i = 0; i < c->n; ++i)
    a->r[i] /= scale;
  look(c, a);
}

/* The first of its solvers that obeys the law; the best answer otherwise. */
static void siconos(const cone_case* c, answer* a) {
  static const int solver[] = {SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSN_AC,
                               SICONOS_FRICTION_3D_NSGS};
  answer tried;

  a->residual = HUGE_VAL;
  for (size_t k = 0; k < sizeof solver / sizeof *solver && !(a->residual <= LAW); ++k) {
    siconos_by(solver[k], c, &tried);
    if (tried.residual < a->residual) *a = tried;
  }
}
#endif

/* --------------------------------------------------------------------------------- count ---- */

typedef struct count {
  int redundant, rough, failed, not_unique;
  int theirs_failed, compared, several, stayed, moved;
  double worst, worst_moved;
} count;

static double difference(const cone_case* c, const answer* a, const answer* b) {
  double most = 0;

  for (int i = 0; i < c->n; ++i)
    most = fmax(most, fabs(a->u[i] - b->u[i]));
  return most / near_max(c->q, c->n);
}

/* Exact Coulomb friction may have several answers, and then two solvers may take different ones. So
   velocities are compared twice: as found, which counts problems with several answers; and, where
   forces are unique nearby, with ours started from their forces, where ours must stay. */
static void compare(apl_cone* cone, const cone_case* c, const answer* mine, count* total) {
#ifdef APPELL_SICONOS
  answer theirs;

  siconos(c, &theirs);
  total->theirs_failed += !(theirs.residual <= LAW);
  if (!(theirs.residual <= LAW) || !(mine->residual <= LAW)) return;
  answer again = theirs;
  const bool unique = ours(cone, c, true, &again).unique;
  ++total->compared;
  total->several += difference(c, mine, &theirs) > SAME;
  if (!unique) return;
  const double moved = difference(c, &again, &theirs);
  ++total->stayed;
  total->moved += moved > SAME;
  total->worst_moved = fmax(total->worst_moved, moved);
#else
  (void)cone;
  (void)c;
  (void)mine;
  (void)total;
  (void)difference;
#endif
}

static count total;

static void test_thousand(void** state) {
  apl_cone cone;
  apl_arena a = {0};

  (void)state;
#ifdef APPELL_SICONOS
  numerics_set_verbose(0);
#endif
  apl_cone_place(&cone, MOST, MOST_CONTACTS, &a);
  void* memory = apl_arena_open(&a);
  assert_non_null(memory);
  apl_cone_place(&cone, MOST, MOST_CONTACTS, &a);
  for (int k = 0; k < PROBLEMS; ++k) {
    answer mine;
    cone_case c = robot_case(k);
    const apl_cone_result result = ours(&cone, &c, false, &mine);
    total.redundant += c.n > c.nv;
    total.rough += result.status != APL_CONE_SOLVED;
    total.not_unique += !result.unique;
    total.worst = fmax(total.worst, mine.residual);
    if (!(mine.residual <= LAW)) {
      ++total.failed;
      printf("problem %d: %d rows, %d freedoms, residual %.1e, status %d, %d steps, %d sweeps\n", k,
             c.n, c.nv, mine.residual, (int)result.status, result.steps, result.sweeps);
    }
    compare(&cone, &c, &mine, &total);
    cone_case_free(&c);
  }
  free(memory);
  printf("%d problems, %d with more rows than freedoms, %d without unique forces\n", PROBLEMS,
         total.redundant, total.not_unique);
  printf("ours: %d fail at %g, worst residual %.1e; %d above our own tolerance\n", total.failed,
         LAW, total.worst, total.rough);
#ifdef APPELL_SICONOS
  printf("Siconos: %d fail; of %d compared, %d have another velocity than ours\n",
         total.theirs_failed, total.compared, total.several);
  printf("ours from its forces: %d with unique forces, %d move, by at most %.1e of |q|\n",
         total.stayed, total.moved, total.worst_moved);
#endif
  assert_int_equal(total.failed, 0);
  assert_int_equal(total.rough, 0);
  assert_int_equal(total.moved, 0);
  assert_true(total.redundant > PROBLEMS / 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_thousand)};
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);

#ifdef APPELL_SICONOS
  return failed;
#else
  printf("Siconos is not installed: our answers were not compared with its\n");
  return failed != 0 ? failed : 77;
#endif
}
