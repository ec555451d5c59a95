/* SPDX-License-Identifier: Apache-2.0 */
/* targets_runs.c: what a run costs beside its mechanics: CPU time of apl_run() over evaluations
   times one forward pass, for shipped robots with outputs as their files say. As many forward
   passes as the run has evaluations are timed on states of that run, in turn with it, so that a
   slow second hits both alike. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include "system/system.h"
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* PLACES: states of the run that forward passes are timed on, and the most numbers of one. */
enum { ROUNDS = 30, PLACES = 16, NUMBERS = 64 };

/* q, v, a, tau, u of one state one after the other, as blocks of the state that hold them. */
typedef struct places {
  double number[PLACES][NUMBERS];
  int count;
  long seen, every; /* outputs so far, and which of them are kept */
} places;

typedef struct block {
  double* at;
  int n;
} block;
enum { BLOCKS = 5 };

static void find_blocks(const apl_model* m, apl_state* s, block* out) {
  const int nv = apl_model_nv(m);
  const block all[BLOCKS] = {{apl_q(s), apl_model_nq(m)},
                             {apl_v(s), nv},
                             {apl_a(s), nv},
                             {apl_tau(s), nv},
                             {apl_u(s), apl_model_nu(m)}};
  memcpy(out, all, sizeof all);
}

static apl_status keep(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                       void* user) {
  places* p = user;
  block b[BLOCKS];
  (void)t, (void)y, (void)ledger;

  if (p->seen++ % p->every != 0 || p->count == PLACES) return APL_OK;
  double* to = p->number[p->count++];
  find_blocks(apl_system_model(system), apl_system_state(system), b);
  for (int i = 0; i < BLOCKS; to += b[i++].n)
    memcpy(to, b[i].at, sizeof *to * (size_t)b[i].n);
  return APL_OK;
}

/* Seconds of as many forward passes over all places in turn; `pass` false: of putting them there
   alone. */
static double time_forward(const apl_model* m, apl_state* s, const places* p, long calls,
                           bool pass) {
  block b[BLOCKS];
  find_blocks(m, s, b);

  const double start = cpu_seconds();
  for (long call = 0; call < calls; ++call) {
    const double* from = p->number[call % p->count];
    for (int i = 0; i < BLOCKS; from += b[i++].n)
      memcpy(b[i].at, from, sizeof *from * (size_t)b[i].n);
    if (pass && apl_forward(m, s) != APL_OK) return (double)NAN;
  }
  return cpu_seconds() - start;
}

/* One run with outputs as its file says; its seconds, and evaluations in *work. */
static double run_once(const apl_file* file, const apl_model* m, const char* method, places* p,
                       long* work) {
  apl_run_options o = apl_file_options(file);
  apl_run_report report;
  apl_report trouble = {0};
  apl_system* system;
  apl_error err;
  if (apl_file_system(file, m, APL_READY, &system, &trouble) != APL_OK) return (double)NAN;

  o.method = method;
  o.output = keep;
  o.user = p;
  p->every = 1 + (long)(o.to / o.output_every / PLACES);
  const double start = cpu_seconds();
  const apl_status st = apl_run(system, &o, &report, &err);
  const double time = cpu_seconds() - start;
  *work = report.evaluations;
  apl_system_free(system);
  return st == APL_OK ? time : (double)NAN;
}

/* CPU time over evaluations times one forward pass. */
static double run_over_forward(const char* path, const char* method) {
  apl_report trouble = {0};
  apl_file* file;
  apl_model* m;
  apl_state* s;
  places p = {.count = 0};
  double run = HUGE_VAL, pass = HUGE_VAL, copy = HUGE_VAL;
  long work = 0;

  if (apl_file_load(path, NULL, &file, &trouble) != APL_OK ||
      apl_file_model(file, &m, &trouble) != APL_OK || apl_state_new(m, APL_SCALAR, &s) != APL_OK)
    return (double)NAN;
  bool ok = apl_model_nq(m) + 3 * apl_model_nv(m) + apl_model_nu(m) <= NUMBERS &&
            isfinite(run_once(file, m, method, &p, &work)) && p.count > 0;
  for (int round = 0; ok && round < ROUNDS; ++round) {
    const double time = run_once(file, m, method, &p, &work);
    ok = isfinite(time);
    run = fmin(run, time);
    pass = fmin(pass, time_forward(m, s, &p, work, true));
    copy = fmin(copy, time_forward(m, s, &p, work, false));
  }
  apl_state_free(s);
  apl_model_free(m);
  apl_file_free(file);
  return ok ? run / (pass - copy) : (double)NAN;
}

static const struct {
  const char *name, *file;
  double limit; /* promised: 1.5, below four freedoms 2.5                                         */
} robots[] = {{"double pendulum", "double-pendulum", 2.5},
              {"seven-axis arm", "arm7", 1.5},
              {"mobile paper", "paper-mobile-H", 1.5},
              {"rod, n = 2", "paper-continuum-rod", 2.5},
              {"tractor", "tractor", 2.5},
              {"warehouse robot", "warehouse", 1.5}};

/* `adams` predicts and corrects with vectors of CVODE: told, not promised. */
static const struct {
  const char* word;
  bool promised;
} methods[] = {{"dop853", true}, {"rkf45", true}, {"rkf78", true}, {"adams", false}};

bool target_runs(const char* word) {
  bool ok = true;

  for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
    for (size_t i = 0; i < sizeof robots / sizeof *robots; ++i) {
      char path[512], what[80];
      const double limit = methods[m].promised ? robots[i].limit : 0.0;
      (void)snprintf(path, sizeof path, APPELL_SOURCE "/models/%s.yaml", robots[i].file);
      (void)snprintf(what, sizeof what, "run over its evaluations: %s, %s", robots[i].name,
                     methods[m].word);
      if (strstr(what, word) == NULL) continue;
      ok = target_tell((target_promise){what, "forward passes", limit, false},
                       run_over_forward(path, methods[m].word)) &&
           ok;
    }
  }
  return ok;
}
