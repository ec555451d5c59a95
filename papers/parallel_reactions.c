/* SPDX-License-Identifier: Apache-2.0 */
/* parallel_reactions.c: pin forces by virtual springs against the exact ones, at the outputs of one
   lap (every 20 ms). The first output is left out: springs that start closed have no force
   there. */
#include "papers/parallel.h"

#include "dynamics/loops.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>

enum { OUTPUTS = 101, ROWS = PARALLEL_ROWS };

typedef struct forces {
  int n;
  double p[OUTPUTS][ROWS];
} forces;

static apl_status keep_forces(double t, const double* y, const apl_ledger* ledger,
                              apl_system* system, void* user) {
  forces* f = user;
  apl_state* s = apl_system_state(system);
  double* room = calloc((size_t)apl_system_size(system), sizeof *room);
  (void)ledger;
  if (room == NULL) return APL_ERR_MEMORY;
  const apl_status st = apl_system_rate(t, y, room, system); /* forces at this place */
  free(room);
  for (int k = 0; k < ROWS && f->n < OUTPUTS; ++k)
    f->p[f->n][k] = apl_loop_row(s)[APL_LOOP * k + APL_LOOP_FORCE];
  if (f->n < OUTPUTS) f->n += 1;
  return st;
}

/* Treatment of the springs: as in the paper, started on the slow manifold, or damped. */
typedef enum manner { RINGING, SLOW, DAMPED, MANNERS } manner;

/* Stiffness 0: the exact robot. */
static apl_status lap(double stiffness, manner how, forces* f, apl_error* err) {
  apl_run_options o;
  rig r;

  f->n = 0;
  apl_status st = apl_rig_open(&r, err, "paper-3rrr", "run.to=2 s; run.tolerance=1e-9");
  if (st == APL_OK) st = apl_rig_start(&r, &o, err);
  if (st == APL_OK) {
    o.loops.method = stiffness > 0.0 ? "springs" : "multipliers";
    o.loops.stiffness = stiffness;
    o.loops.slow = how == SLOW;
    /* critical damping for 0.95 kg; the effective masses of the pins are 0.4 to 4 kg */
    o.loops.damping = how == DAMPED ? 2.0 * sqrt(stiffness / 0.95) : 0.0;
    o.output = keep_forces;
    o.user = f;
    st = apl_run(r.system, &o, NULL, err);
  }
  apl_rig_close(&r);
  return st;
}

/* Root mean square of the difference over that of the exact forces. */
static double relative_error(const forces* f, const forces* exact) {
  double error = 0.0, size = 0.0;

  for (int i = 1; i < f->n && i < exact->n; ++i) {
    for (int k = 0; k < ROWS; ++k) {
      const double d = f->p[i][k] - exact->p[i][k];
      error += d * d;
      size += exact->p[i][k] * exact->p[i][k];
    }
  }
  return sqrt(error / size);
}

static void put_error(apl_paper* paper, double K, manner how, double error, double known) {
  static const char* const start[MANNERS] = {"start closed", "slow start", "damped"};

  if (how == RINGING) {
    apl_put_row(paper, apl_put_text(paper, "reactions are obtained, K = %g, %s", K, start[how]),
                nan(""), error, "1", error < 0.1 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
                apl_put_text(paper, "they ring; an independent program has %.2g over 6 s", known));
  } else {
    apl_put_ours(paper, apl_put_text(paper, "error of reactions, K = %g, %s", K, start[how]), error,
                 "1", apl_put_text(paper, "an independent program has %.1e", known));
  }
}

apl_status apl_parallel_reactions(apl_paper* paper, apl_error* err) {
  enum { STIFFNESSES = 3 };
  static const double K[STIFFNESSES] = {1e5, 1e6, 1e7};
  static const double known[MANNERS][STIFFNESSES] = {
      {0.7455, 0.7301, 0.7294}, {3.7e-3, 3.6e-4, 3.6e-5}, {1.9e-2, 5.1e-4, 3.2e-5}};
  static const char* const name[MANNERS] = {"start closed", "slow start", "damped"};
  double error[MANNERS][STIFFNESSES];
  forces exact, f;

  apl_put_group(
      paper, "Reactions",
      "The paper says that springs also give the reactions. Undamped springs that start closed "
      "ring "
      "between 0 and twice their load for ever, at any stiffness; started on the slow manifold, or "
      "damped, they converge as 1/K. Root mean square over one lap, relative to the exact forces.");
  apl_status st = lap(0.0, RINGING, &exact, err);
  for (int how = 0; how < MANNERS; ++how) {
    for (int i = 0; i < STIFFNESSES && st == APL_OK; ++i) {
      st = lap(K[i], (manner)how, &f, err);
      error[how][i] = relative_error(&f, &exact);
      if (st == APL_OK) put_error(paper, K[i], (manner)how, error[how][i], known[how][i]);
    }
  }
  if (st != APL_OK) return st;
  apl_put_figure(paper, (paper_axes){"Error of the reactions over stiffness", "K [N/m]",
                                     "relative error", true, true, false});
  for (int how = 0; how < MANNERS; ++how)
    apl_put_curve(paper, name[how], STIFFNESSES, K, error[how], true, false);
  return APL_OK;
}
