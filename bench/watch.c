/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c: the clock. Times are the smallest over many short batches: on a shared machine
   disturbances only ever add. Rounds visit all cells in turn, so that a slow minute hits all
   libraries alike and ratios stay meaningful. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include "bench.h"

#include <math.h>

/* Seconds for `calls` calls, over states in turn. */
static double time_batch(cell* c, long calls) {
  int (*run)(void*, int) = c->run;
  void* self = c->self;
  int k = c->next;
  const double start = wall_seconds();
  for (long i = 0; i < calls; i++) {
    (void)run(self, k);
    k = (k + 1) % NSTATE;
  }
  const double end = wall_seconds();
  c->next = k;
  return end - start;
}

/* Calls that take about a millisecond: long against the clock's grain, short against a time slice.
 */
static void calibrate(cell* c) {
  const double enough = 2e-4, wanted = 1e-3;
  long calls = 1;
  double t = time_batch(c, calls);
  while (t < enough && calls < 1L << 30) {
    calls *= 2;
    t = time_batch(c, calls);
  }
  const double batch = ceil((double)calls * wanted / t);
  c->batch = batch < 1.0 ? 1 : (long)batch;
  c->best = HUGE_VAL;
}

static void time_round(bench* b) {
  for (int s = 0; s < b->nscene; s++) {
    for (int p = 0; p < b->npass; p++) {
      for (int l = 0; l < b->nlibrary; l++) {
        cell* c = &b->cell[s][p][l];
        if (c->state != CELL_READY) continue;
        const double t = time_batch(c, c->batch) / (double)c->batch;
        c->best = fmin(c->best, 1e9 * t / c->robots);
        c->rounds++;
      }
    }
  }
}

void bench_time(bench* b, double seconds) {
  const double start = wall_seconds();
  for (int s = 0; s < b->nscene; s++) {
    for (int p = 0; p < b->npass; p++) {
      for (int l = 0; l < b->nlibrary; l++) {
        if (b->cell[s][p][l].state == CELL_READY) calibrate(&b->cell[s][p][l]);
      }
    }
  }

  /* stop where the next round would overrun, but never with fewer than three */
  double last = wall_seconds();
  for (int round = 0;; round++) {
    time_round(b);
    const double now = wall_seconds();
    if (round >= 2 && now + (now - last) > start + seconds) break;
    last = now;
  }
}
