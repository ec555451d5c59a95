/* SPDX-License-Identifier: Apache-2.0 */
/* parallel_steps.c: "not suitable for real time". The same springs in compliance form, with fixed
   steps (docs/theory/loops.md, 7): their cost does not depend on the stiffness. Beside them the
   exact robot with its path and motor torques. */
#include "papers/parallel.h"

#include <math.h>
#include <time.h>

enum { OUTPUTS = 301, MOTORS = 3 };

/* A run of 6 s, seen at its outputs. */
typedef struct seen {
  int n;
  double t[OUTPUTS], x[OUTPUTS], y[OUTPUTS], torque[MOTORS][OUTPUTS];
  double off; /* largest distance from the rose */
  double seconds;
  apl_run_report report;
} seen;

static apl_status keep(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                       void* user) {
  seen* w = user;
  (void)ledger;
  w->off = fmax(w->off, apl_parallel_distance(t, y));
  if (w->n == OUTPUTS) return APL_OK;
  w->t[w->n] = t;
  w->x[w->n] = y[6];
  w->y[w->n] = y[7];
  for (int k = 0; k < MOTORS; ++k)
    w->torque[k][w->n] = apl_u(apl_system_state(system))[k];
  w->n += 1;
  return APL_OK;
}

/* Stiffness 0: the exact robot. */
static apl_status run(const char* method, double step, double stiffness, seen* w, apl_error* err) {
  apl_run_options o;
  rig r;

  *w = (seen){0};
  apl_status st = apl_rig_open(&r, err, "paper-3rrr", "run.to=6 s");
  if (st == APL_OK) st = apl_rig_start(&r, &o, err);
  if (st == APL_OK) {
    o.method = method;
    o.step = step;
    o.loops.method = stiffness > 0.0 ? "springs" : "multipliers";
    o.loops.stiffness = stiffness;
    o.output = keep;
    o.user = w;
    const clock_t begin = clock();
    st = apl_run(r.system, &o, &w->report, err);
    w->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  }
  apl_rig_close(&r);
  return st;
}

static void put_run(apl_paper* paper, const char* what, const seen* w) {
  apl_put_ours(paper, apl_put_text(paper, "%s: evaluations", what), (double)w->report.evaluations,
               "1", apl_put_text(paper, "%ld steps", w->report.steps));
  apl_put_ours(paper, apl_put_text(paper, "%s: error of position", what), w->off, "m",
               "largest of 6 s");
  apl_put_ours(paper, apl_put_text(paper, "%s: CPU time here", what), w->seconds, "s",
               apl_put_text(paper, "%.0f times real time", 6.0 / fmax(w->seconds, 1e-6)));
}

/* The path and the torques that the exact robot needs for it, one lap. */
static void put_motion(apl_paper* paper, const seen* w) {
  static const char* const motor[MOTORS] = {"motor I", "motor II", "motor III"};
  const int lap = 101;
  double x[OUTPUTS], y[OUTPUTS];

  for (int i = 0; i < w->n; ++i) {
    double at[2];
    apl_parallel_rose(w->t[i], at);
    x[i] = at[0];
    y[i] = at[1];
  }
  apl_put_figure(paper, (paper_axes){"The rose", "x [m]", "y [m]", false, false, true});
  apl_put_curve(paper, "asked for", w->n, x, y, false, false);
  apl_put_curve(paper, "exact robot, 6 s, rk4 10 ms", w->n, w->x, w->y, false, true);
  apl_put_figure(paper, (paper_axes){"Torques of the motors, one lap", "time [s]", "torque [N m]",
                                     false, false, false});
  for (int k = 0; k < MOTORS; ++k)
    apl_put_curve(paper, motor[k], lap < w->n ? lap : w->n, w->t, w->torque[k], false, false);
}

apl_status apl_parallel_steps(apl_paper* paper, apl_error* err) {
  static const double K[] = {1e6, 1e8, 1e12};
  seen w;

  apl_put_group(
      paper, "\"Not suitable for real time\"",
      "The paper finds stiff springs too slow for real time: 45.6 s of computing at 1e6 N/m and "
      "499 s at 1e8 for 6 s of motion. That is its integrator, whose steps follow the ringing of "
      "the "
      "springs. In compliance form, c + p/K = 0, and with a method that damps what its steps do "
      "not "
      "resolve (gen-alpha), the step follows the motion and each step costs the same at any "
      "stiffness. The exact robot is cheaper still at the same accuracy.");
  apl_status st = run("rk4", 10e-3, 0.0, &w, err);
  if (st != APL_OK) return st;
  put_motion(paper, &w);
  put_run(paper, "exact, rk4 10 ms", &w);
  for (int i = 0; i < 3 && st == APL_OK; ++i) {
    st = run("gen-alpha", 5e-3, K[i], &w, err);
    if (st == APL_OK) put_run(paper, apl_put_text(paper, "gen-alpha 5 ms, K = %g", K[i]), &w);
  }
  return st;
}
