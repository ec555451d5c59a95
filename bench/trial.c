/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c: before anything is timed, everything is run once: passes must succeed and allocate
   nothing, and peers must give the numbers that we give, so that the same thing is timed. */
#include "allocations.h"
#include "bench.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the largest entry. Far above rounding, far below any difference in the model. */
static const double agreement = 1e-6;

__attribute__((format(printf, 2, 3))) static void note(bench* b, const char* format, ...) {
  if (b->nnote == MAX_NOTE) return;
  va_list args;
  va_start(args, format);
  (void)vsnprintf(b->note[b->nnote++], sizeof b->note[0], format, args);
  va_end(args);

  /* sentences of other libraries may run over lines */
  for (char* c = b->note[b->nnote - 1]; *c != '\0'; c++) {
    if (*c == '\n') *c = ' ';
  }
}

/* --- our own passes ----------------------------------------------------------------------- */

static bool try_pass(bench* b, int s, int p) {
  const pass* what = &pass_list[p];
  seat* on = &b->scene[s].seat[what->number];
  if (on->nv > what->max_nv) return true;

  b->cell[s][p][0] = (cell){.state = CELL_READY,
                            .run = what->run,
                            .self = on,
                            .robots = what->number == APL_LANES ? on->width : 1};
  const long before = allocations();
  for (int k = 0; k < NSTATE; k++) {
    const int status = what->run(on, k);
    if (status == APL_OK) continue;
    (void)fprintf(stderr, "appell-bench: %s of %s, state %d: %s\n", what->title, b->scene[s].name,
                  k, apl_status_text((apl_status)status));
    return false;
  }
  b->allocations[s][p] = allocations() - before;
  return true;
}

/* --- peers -------------------------------------------------------------------------------- */

/* Largest difference relative to the largest entry of `want`; infinite if anything is not finite.
 */
static double difference(const double* got, const double* want, int n) {
  double worst = 0.0, largest = 1e-300;
  for (int i = 0; i < n; i++) {
    if (!isfinite(got[i]) || !isfinite(want[i])) return HUGE_VAL;
    worst = fmax(worst, fabs(got[i] - want[i]));
    largest = fmax(largest, fabs(want[i]));
  }
  return worst / largest;
}

/* How far the peer's `got` on state k is from ours. Accelerations of a long chain are
   ill-conditioned, so they are judged by the efforts that they need, against tau. */
static double compare(seat* s, peer_task task, int k, const double* got) {
  const double* input = seat_input(s, k);
  const double* tau = input + s->nq + 2 * s->nv;
  memcpy(s->q, input, sizeof *input * (size_t)s->nq);
  memcpy(s->v, input + s->nq, sizeof *input * (size_t)s->nv);

  switch (task) {
  case PEER_INVERSE:
    memcpy(s->a, input + s->nq + s->nv, sizeof *input * (size_t)s->nv);
    if (apl_inverse(s->model, s->state) != APL_OK) return HUGE_VAL;
    return difference(got, s->tau, s->nv);
  case PEER_FORWARD: {
    /* scale with the bias efforts: near balance tau itself is small against what cancels in it */
    if (apl_bias(s->model, s->state, s->out) != APL_OK) return HUGE_VAL;
    memcpy(s->a, got, sizeof *got * (size_t)s->nv);
    if (apl_inverse(s->model, s->state) != APL_OK) return HUGE_VAL;
    double worst = 0.0, largest = 0.0;
    for (int i = 0; i < s->nv; i++) {
      if (!isfinite(got[i])) return HUGE_VAL;
      worst = fmax(worst, fabs(s->tau[i] - tau[i]));
      largest = fmax(largest, fabs(s->out[i]) + fabs(tau[i]));
    }
    return worst / largest;
  }
  case PEER_MASS:
    if (apl_mass_matrix(s->model, s->state, s->out) != APL_OK) return HUGE_VAL;
    return difference(got, s->out, s->nv * s->nv);
  case PEER_INVERSE_BY:
  case PEER_FORWARD_BY:
    return 0.0; /* tests check ours; directions of floating bases differ between libraries */
  case PEER_TASKS:
  case PEER_NONE:
    break;
  }
  return HUGE_VAL;
}

static void try_peer_task(bench* b, int s, int p, int l, double* got) {
  const peer_ops* ops = peer_list[l - 1];
  const peer_task task = pass_list[p].task;
  void* self = b->peer[s][l];
  cell* c = &b->cell[s][p][l];
  *c = (cell){.state = CELL_EMPTY, .run = ops->run[task], .self = self, .robots = 1};

  double worst = 0.0;
  for (int k = 0; k < NSTATE; k++) {
    if (ops->run[task] == NULL || ops->run[task](self, k) != 0) return;
    if (task < PEER_INVERSE_BY) ops->get(self, task, k, got);
    worst = fmax(worst, compare(&b->scene[s].seat[APL_SCALAR], task, k, got));
  }
  c->state = worst <= agreement ? CELL_READY : CELL_DIFFERS;
  if (c->state == CELL_DIFFERS) {
    note(b, "%s, %s of %s: differs from Appell by %.1e of the largest entry; not timed", ops->name,
         pass_list[p].title, b->scene[s].name, worst);
  }
}

static void try_peer(bench* b, int s, int l, double* got) {
  const peer_ops* ops = peer_list[l - 1];
  const seat* from = &b->scene[s].seat[APL_SCALAR];
  char why[PEER_WHY] = "";
  b->peer[s][l] = ops->open(&b->scene[s].robot, NSTATE, why);
  if (b->peer[s][l] == NULL) {
    note(b, "%s does not take %s: %.120s", ops->name, b->scene[s].name, why);
    return;
  }
  for (int k = 0; k < NSTATE; k++) {
    const double* q = seat_input(from, k);
    const double *v = q + from->nq, *a = v + from->nv, *tau = a + from->nv;
    ops->put(b->peer[s][l], k, q, v, a, tau);
  }
  for (int p = 0; p < b->npass; p++) {
    if (pass_list[p].task < PEER_TASKS) try_peer_task(b, s, p, l, got);
  }
}

/* --- all together ------------------------------------------------------------------------- */

static bool try_scene(bench* b, int s) {
  char message[256] = "";
  if (!scene_open(s, &b->scene[s], message)) {
    (void)fprintf(stderr, "appell-bench: scene %d: %s\n", s, message);
    return false;
  }
  b->nscene = s + 1;
  for (int p = 0; p < b->npass; p++) {
    if (!try_pass(b, s, p)) return false;
  }

  const size_t nv = (size_t)b->scene[s].seat[APL_SCALAR].nv;
  double* got = malloc(sizeof *got * nv * nv);
  if (got == NULL) return false;
  for (int l = 1; l < b->nlibrary; l++)
    try_peer(b, s, l, got);
  free(got);
  return true;
}

bool bench_open(bench* b) {
  memset(b, 0, sizeof *b);
  assert(scene_count <= MAX_SCENE && pass_count <= MAX_PASS);
  b->npass = pass_count;
  b->library[b->nlibrary++] = "Appell";
  for (int i = 0; peer_list[i] != NULL && b->nlibrary < MAX_LIBRARY; i++) {
    b->library[b->nlibrary++] = peer_list[i]->name;
  }
  for (int s = 0; s < scene_count; s++) {
    if (!try_scene(b, s)) return false;
  }
  b->allocations_visible = allocations_visible(&b->scene[0]);
  return true;
}

void bench_close(bench* b) {
  for (int s = 0; s < b->nscene; s++) {
    for (int l = 1; l < b->nlibrary; l++) {
      if (b->peer[s][l] != NULL) peer_list[l - 1]->close(b->peer[s][l]);
    }
    scene_close(&b->scene[s]);
  }
}
