/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c: appell-rows, the solver of rows alone: microseconds for families of contacts, cold and
   started from the forces of a similar problem (velocities changed by 1 %), and at rest. Times are
   the smallest of some repetitions; then median and 95th percentile over the problems. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include "conecases.h"
#include "couple/solve/cone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 180, MOST_CONTACTS = 60, MOST_PROBLEMS = 100 };

typedef enum start { START_COLD, START_WARM, START_REST, STARTS } start;
static const char* const start_name[STARTS] = {"cold", "warm", "at rest, warm"};

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

typedef struct problem {
  cone_case c;
  apl_cone_block block[MOST_CONTACTS];
  double r[MOST_ROWS]; /* forces to start from */
} problem;

static apl_cone_result solve(apl_cone* cone, const problem* p, bool warm, double* r) {
  const apl_cone_problem rows = {p->c.n, p->c.contacts, true, p->c.W, p->c.q, p->block};
  apl_cone_options options = apl_cone_defaults();

  options.warm = warm;
  options.unique = false;
  return apl_cone_solve(cone, &rows, &options, r, NULL);
}

/* At rest: much friction, nothing moves, then gravity alone and 1 % of it anyhow. */
static void make(apl_cone* cone, cone_family family, start how, rng* g, problem* p) {
  p->c = cone_case_new(family, g);
  for (int k = 0; k < p->c.contacts; ++k) {
    if (how == START_REST) p->c.mu[k] = 0.9;
    p->block[k] = (apl_cone_block){
        .set = APL_SET_CONE, .row = 3 * k, .section = apl_section_circle(p->c.mu[k])};
  }
  if (how == START_REST) cone_case_fall(&p->c);
  memset(p->r, 0, sizeof p->r);
  if (how == START_COLD) return;
  (void)solve(cone, p, false, p->r);
  cone_case_shake(&p->c, g, 0.01);
}

static double best_time(apl_cone* cone, const problem* p, bool warm, apl_cone_result* result) {
  const int repeat = p->c.n > 100 ? 5 : 30;
  double r[MOST_ROWS], best = 1;

  for (int k = 0; k < repeat; ++k) {
    memcpy(r, p->r, sizeof r);
    const double t0 = wall_seconds();
    *result = solve(cone, p, warm, r);
    const double t = wall_seconds() - t0;
    if (t < best) best = t;
  }
  return best;
}

static void measure(apl_cone* cone, cone_family family, start how) {
  const int n = family == CONE_SIXTY ? 20 : MOST_PROBLEMS;
  double t[MOST_PROBLEMS], steps = 0;
  int solved = 0;
  rng g = rng_seed(1);

  for (int k = 0; k < n; ++k) {
    problem p;
    apl_cone_result result;
    make(cone, family, how, &g, &p);
    t[k] = best_time(cone, &p, how != START_COLD, &result);
    solved += result.status == APL_CONE_SOLVED;
    steps += result.steps;
    cone_case_free(&p.c);
  }
  qsort(t, (size_t)n, sizeof *t, ascending);
  (void)printf("%-10s %-14s %10.2f %10.2f %8.1f %8d of %d\n", cone_family_name[family],
               start_name[how], 1e6 * t[n / 2], 1e6 * t[n * 95 / 100], steps / n, solved, n);
}

int main(void) {
  apl_cone cone;
  apl_arena a = {0};

  apl_cone_place(&cone, MOST_ROWS, MOST_CONTACTS, &a);
  void* memory = apl_arena_open(&a);
  if (memory == NULL) return 1;
  apl_cone_place(&cone, MOST_ROWS, MOST_CONTACTS, &a);
  (void)printf(
      "solver of rows, microseconds to 1e-10 and polished\n%-10s %-14s %10s %10s %8s %8s\n",
      "contacts", "start", "median", "95 %", "steps", "solved");
  for (int f = 0; f < CONE_FAMILIES; ++f)
    for (int how = 0; how < STARTS; ++how)
      if (how != START_REST || f < CONE_RANDOM) measure(&cone, (cone_family)f, (start)how);
  free(memory);
  return 0;
}
