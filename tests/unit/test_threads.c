/* SPDX-License-Identifier: Apache-2.0 */
/* test_threads.c: same program, same input, same bytes: from fresh states, in any order of passes,
   in the caller's memory, and on four threads that share one model. */
#include "checks.h"
#include "passes.h"
#include "tree.h"

#include <appell/file.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 20, PORT = 1 };

static void set_point(const subject* sub, apl_state* s) {
  memcpy(apl_q(s), sub->q, sizeof(double) * (size_t)sub->nq);
  memcpy(apl_v(s), sub->v, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_a(s), sub->a, sizeof(double) * (size_t)sub->nv);
  memcpy(apl_tau(s), sub->tau, sizeof(double) * (size_t)sub->nv);
}

/* Results of all passes one behind the other, each from the same point; backwards runs them last to
 * first. */
static bool run_all(const subject* sub, apl_state* s, bool backwards, double* out) {
  const int room = passes_room(sub->model);
  int n = 0;
  while (passes_at(n).name != NULL)
    n++;
  for (int k = 0; k < n; k++) {
    const int i = backwards ? n - 1 - k : k;
    set_point(sub, s);
    if (passes_at(i).run(sub->model, s, PORT, out + i * room) <= 0) return false;
  }
  return true;
}

static int out_size(const apl_model* model) {
  int n = 0;
  while (passes_at(n).name != NULL)
    n++;
  return n * passes_room(model);
}

static subject* open_robot(plan** p, unsigned seed) {
  rng r = rng_seed(seed);
  *p = tree_random(&r, 20, TREE_RIGID); /* rigid: all passes apply */
  near_context("rigid tree with %d links", (*p)->nlink);
  subject* sub = subject_open(*p);
  subject_randomise(sub, &r);
  return sub;
}

static void same_bytes(void** unused) {
  (void)unused;
  plan* p;
  subject* sub = open_robot(&p, 60);
  const int n = out_size(sub->model);
  double* first = subject_take(sub, n);
  double* second = subject_take(sub, n);

  assert_true(run_all(sub, sub->s, false, first));
  CHECK_ALIVE(first, n, 1.0);

  /* a fresh state, and passes in the other order: no pass leaves anything behind for another */
  apl_state* fresh;
  CHECK_OK(apl_state_new(sub->model, APL_SCALAR, &fresh));
  assert_true(run_all(sub, fresh, true, second));
  assert_memory_equal(first, second, sizeof(double) * (size_t)n);
  apl_state_free(fresh);

  /* a second model from the same plan */
  subject* twin = subject_open(p);
  memcpy(twin->q, sub->q, sizeof(double) * (size_t)sub->nq);
  memcpy(twin->v, sub->v, sizeof(double) * (size_t)sub->nv);
  memcpy(twin->a, sub->a, sizeof(double) * (size_t)sub->nv);
  memcpy(twin->tau, sub->tau, sizeof(double) * (size_t)sub->nv);
  assert_true(run_all(twin, twin->s, false, second));
  assert_memory_equal(first, second, sizeof(double) * (size_t)n);

  /* which is not the model of the first state */
  assert_int_equal(apl_forward(twin->model, sub->s), APL_ERR_ARGUMENT);
  subject_close(twin);
  subject_close(sub);
  free(p);
}

/* A state in memory of the caller, filled with noise before. */
static void placed_state(void** unused) {
  (void)unused;
  plan* p;
  subject* sub = open_robot(&p, 61);
  const int n = out_size(sub->model);
  double* first = subject_take(sub, n);
  double* second = subject_take(sub, n);
  const size_t size = apl_state_size(sub->model, APL_SCALAR);
  const size_t rounded = (size + 63) / 64 * 64;
  unsigned char* memory = aligned_alloc(64, rounded + 64);
  apl_state* s;

  assert_non_null(memory);
  memset(memory, 0xa5, rounded + 64);
  CHECK_OK(apl_state_place(sub->model, APL_SCALAR, memory, size, &s));
  assert_true(run_all(sub, sub->s, false, first));
  assert_true(run_all(sub, s, false, second));
  assert_memory_equal(first, second, sizeof(double) * (size_t)n);

  /* nothing is written behind the size asked for; less memory, or memory that is not aligned, is
   * refused */
  for (size_t i = size; i < rounded + 64; i++)
    assert_int_equal(memory[i], 0xa5);
  assert_int_not_equal(apl_state_place(sub->model, APL_SCALAR, memory, size - 1, &s), APL_OK);
  assert_int_not_equal(apl_state_place(sub->model, APL_SCALAR, memory + 8, size, &s), APL_OK);
  free(memory);
  subject_close(sub);
  free(p);
}

typedef struct job {
  const subject* sub;
  const double* want;
  bool same;
} job;

static void* work(void* argument) {
  job* j = argument;
  const int n = out_size(j->sub->model);
  double* got = calloc((size_t)n, sizeof *got);
  apl_state* s = NULL;

  j->same = got != NULL && apl_state_new(j->sub->model, APL_SCALAR, &s) == APL_OK;
  for (int i = 0; i < ROUNDS && j->same; i++) {
    j->same =
        run_all(j->sub, s, i % 2 == 1, got) && memcmp(got, j->want, sizeof *got * (size_t)n) == 0;
  }
  apl_state_free(s);
  free(got);
  return NULL;
}

/* Each thread has its own point and state; the model is common. */
static void threads_share_a_model(void** unused) {
  (void)unused;
  plan* p;
  subject* sub = open_robot(&p, 62);
  rng r = rng_seed(63);
  subject point[THREADS];
  job jobs[THREADS];
  pthread_t thread[THREADS];

  for (int i = 0; i < THREADS; i++) {
    double* want = subject_take(sub, out_size(sub->model));

    /* its own arrays, the same model */
    sub->q = subject_take(sub, sub->nq);
    sub->v = subject_take(sub, sub->nv);
    sub->a = subject_take(sub, sub->nv);
    sub->tau = subject_take(sub, sub->nv);
    subject_randomise(sub, &r);
    point[i] = *sub;
    assert_true(run_all(&point[i], sub->s, false, want));
    jobs[i] = (job){&point[i], want, false};
  }
  assert_memory_not_equal(jobs[0].want, jobs[1].want, sizeof(double));
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, work, &jobs[i]), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_TRUE(jobs[i].same, "thread %d differs from the serial run", i);
  subject_close(sub);
  free(p);
}

/* The first URDF of a process is read on several threads at once: libxml2 is set up once. */
static void* read_urdf(void* status) {
  static const char text[] = "<robot name='a'><link name='b'><inertial><mass value='1'/><inertia "
                             "ixx='1' iyy='1' izz='1'/></inertial></link></robot>";
  apl_file* file = NULL;

  *(apl_status*)status = apl_file_parse(text, sizeof text - 1, NULL, &file, NULL);
  apl_file_free(file);
  return NULL;
}

static void threads_read_files(void** unused) {
  pthread_t thread[THREADS];
  apl_status status[THREADS];

  (void)unused;
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_create(&thread[i], NULL, read_urdf, &status[i]), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(pthread_join(thread[i], NULL), 0);
  for (int i = 0; i < THREADS; i++)
    assert_int_equal(status[i], APL_OK);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(same_bytes),
      cmocka_unit_test(placed_state),
      cmocka_unit_test(threads_share_a_model),
      cmocka_unit_test(threads_read_files),
  };
  return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
