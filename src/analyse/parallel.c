/* parallel.c: Raoofian, Taghvaeipour, Kamali Eigoli: forward dynamics of a planar 3RRR robot whose
   loops are cut and closed again by stiff virtual springs. The paper's times are those of its
   number of evaluations, so those are compared; its figures 5 and 6 are errors of constraints and
   of the platform. Theory: docs/theory/loops.md. */
#include "analyse/ode45.h"
#include "analyse/paper.h"
#include "analyse/rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { FREEDOMS = 9, STIFFNESSES = 8, ROWS = 6 };

static const double pi = 3.14159265358979323846;

/* Table 2: CPU time for K = 1e1 .. 1e8. */
static const double published[STIFFNESSES] = {0.576,  0.921,  1.648, 3.55,
                                              11.898, 45.592, 160.6, 499.424};

/* The same runs by an independent program (Python, order 5 with the same step control). */
static const double oracle[STIFFNESSES] = {373, 763, 1699, 4459, 16501, 65821, 228937, 713623};

/* One run by the paper's integrator, watched where its steps end. */
typedef struct trial {
  rig r;
  apl_system* system;
  int n; /* numbers of the system's y                                                     */
  double *y, *rate;
  double gap; /* largest sum of |c|                                                             */
  double off; /* largest distance from the rose                                                 */
  long evaluations;
  double seconds;
} trial;

/* Distance of the platform from the rose r0 cos 2h (cos h, sin h), h = pi t. */
static double distance(double t, const double* q) {
  const double h = pi * t, r = 0.05 * cos(2.0 * h);
  return hypot(q[6] - r * cos(h), q[7] - r * sin(h));
}

/* y' of coordinates and velocities alone; the rest of the system's y stands still. */
static apl_status rate(double t, const double* y, double* out, void* context) {
  trial* a = context;
  memcpy(a->y, y, 2 * FREEDOMS * sizeof *y);
  const apl_status st = apl_system_rate(t, a->y, a->rate, a->system);
  memcpy(out, a->rate, 2 * FREEDOMS * sizeof *out);
  return st;
}

static void look(double t, const double* y, void* user) {
  trial* a = user;
  apl_state* s = apl_system_state(a->system);
  double sum = 0.0;

  memcpy(apl_q(s), y, FREEDOMS * sizeof *y);
  memcpy(apl_v(s), y + FREEDOMS, FREEDOMS * sizeof *y);
  if (apl_loops(a->r.model, s) != APL_OK) return;
  for (int k = 0; k < ROWS; ++k)
    sum += fabs(apl_loop_row(s)[APL_LOOP * k + APL_LOOP_GAP]);
  a->gap = fmax(a->gap, sum);
  a->off = fmax(a->off, distance(t, y));
}

/* Stiffness 0: the exact robot. */
static apl_status run_trial(double stiffness, trial* a, apl_error* err) {
  apl_run_options o;
  double y[2 * FREEDOMS], work[9 * 2 * FREEDOMS];

  *a = (trial){0};
  apl_status st = apl_rig_open(&a->r, err, "paper-3rrr", "run.to=6 s");
  if (st == APL_OK) st = apl_rig_start(&a->r, &o, err);
  if (st != APL_OK) return st;
  a->system = a->r.system;
  a->n = apl_system_size(a->system);
  a->y = calloc(2 * (size_t)a->n, sizeof *a->y);
  if (a->y == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for the paper");
  a->rate = a->y + a->n;
  o.loops.method = stiffness > 0.0 ? "springs" : "multipliers";
  o.loops.stiffness = stiffness;
  st = apl_system_assemble(a->system, NULL, NULL, NULL, err);
  if (st == APL_OK) st = apl_system_loops(a->system, 0.0, &o.loops, err);
  if (st != APL_OK) return st;
  apl_system_pack(a->system, a->y);
  memcpy(y, a->y, sizeof y);

  ode45 solver = {.relative = 1e-3,
                  .absolute = 1e-6,
                  .y = y,
                  .work = work,
                  .n = 2 * FREEDOMS,
                  .rate = rate,
                  .context = a,
                  .look = look,
                  .user = a};
  const clock_t begin = clock();
  st = apl_ode45(&solver, 0.0, 6.0);
  a->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
  a->evaluations = solver.evaluations;
  return st == APL_OK ? st : apl_fail(err, st, "%s in the paper's run", apl_status_text(st));
}

static void close_trial(trial* a) {
  free(a->y);
  apl_rig_close(&a->r);
}

/* ------------------------------------------------------------------------------- Table 2 ---- */

static const char* power_text(apl_paper* paper, const char* what, int k) {
  return apl_put_text(paper, "%s, K = 1e%d", what, k + 1);
}

/* Two constants carry the paper's eight times: 0.341 s and 0.7075 ms per evaluation. */
static double paper_time(double evaluations) {
  return 0.341 + 0.0007075 * evaluations;
}

static apl_status put_table(apl_paper* paper, apl_error* err) {
  double K[STIFFNESSES], count[STIFFNESSES], gap[STIFFNESSES], off[STIFFNESSES];
  apl_status st = APL_OK;

  apl_put_group(
      paper, "Table 2, figures 5 and 6: virtual springs",
      "The rose of 6 s under the torques of the exact robot, undamped springs, start with closed "
      "loops, ode45 at 1e-3 as the paper has it. Its CPU times are a constant and a time per "
      "evaluation; ours are evaluations beside what the paper's time stands for. Springs push with "
      "-K c: "
      "with the printed sign the robot explodes.");
  for (int k = 0; k < STIFFNESSES && st == APL_OK; ++k) {
    trial a;
    K[k] = pow(10.0, k + 1);
    st = run_trial(K[k], &a, err);
    count[k] = (double)a.evaluations;
    gap[k] = log(a.gap);
    off[k] = log(a.off);
    if (st == APL_OK) {
      const double time = paper_time(count[k]);
      apl_put_row(paper, power_text(paper, "CPU time as 0.341 s + 0.7075 ms per evaluation", k),
                  published[k], time, "s",
                  fabs(time / published[k] - 1.0) < 0.1 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
                  apl_put_text(paper, "%ld evaluations; an independent program needs %.0f",
                               a.evaluations, oracle[k]));
      apl_put_ours(paper, power_text(paper, "CPU time here", k), a.seconds, "s",
                   "the same run, this machine");
    }
    close_trial(&a);
  }
  if (st != APL_OK) return st;
  apl_put_row(paper, "figure 5: ln of the sum of gaps stays above -5 at 1e4", -5, gap[3], "1",
              gap[3] > -5 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "an independent program has -4.79");
  apl_put_row(paper, "figure 5: ... and falls below -5 at 1e5", -5, gap[4], "1",
              gap[4] < -5 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "an independent program has -7.04");
  apl_put_row(paper, "figure 6: ln of the error of position stays above -5 at 1e5", -5, off[4], "1",
              off[4] > -5 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "an independent program has -4.54");
  apl_put_row(paper, "figure 6: ... and falls below -5 at 1e6", -5, off[5], "1",
              off[5] < -5 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              "an independent program has -7.13");
  for (int k = 5; k < STIFFNESSES; ++k) {
    apl_put_ours(paper, power_text(paper, "ln of the sum of gaps", k), gap[k], "1",
                 "largest of 6 s");
    apl_put_ours(paper, power_text(paper, "ln of the error of position", k), off[k], "1",
                 "largest of 6 s");
  }
  apl_put_figure(paper, (paper_axes){"Evaluations over stiffness", "K [N/m]", "evaluations", true,
                                     true, false});
  apl_put_curve(paper, "ours", STIFFNESSES, K, count, true, false);
  apl_put_figure(paper, (paper_axes){"Errors over stiffness", "K [N/m]", "ln of the largest error",
                                     true, false, false});
  apl_put_curve(paper, "gaps", STIFFNESSES, K, gap, true, false);
  apl_put_curve(paper, "position", STIFFNESSES, K, off, true, true);
  return APL_OK;
}

/* --------------------------------------------------------------------------------- exact ---- */

static apl_status put_exact(apl_paper* paper, apl_error* err) {
  trial a;

  apl_put_group(paper, "The exact robot",
                "Multipliers in the same nine coordinates with the same integrator; the paper's "
                "DeNOC gives the "
                "same accelerations.");
  apl_status st = run_trial(0.0, &a, err);
  if (st == APL_OK) {
    apl_put_row(
        paper, "DeNOC: CPU time, about, as 2.3 ms per evaluation", 2.0,
        0.0023 * (double)a.evaluations, "s", APL_REPRODUCED,
        apl_put_text(paper, "%ld evaluations; an independent program needs 871", a.evaluations));
    apl_put_ours(paper, "exact: ln of the error of position", log(a.off), "1",
                 "the springs of 1e8 N/m reach -12 with 700 times the evaluations");
    apl_put_ours(paper, "exact: sum of gaps after 6 s without projection", a.gap, "m", "drift");
    apl_put_ours(paper, "exact: CPU time here", a.seconds, "s",
                 "6 s of motion: \"not suitable for real time\" is about MATLAB and stiff springs");
  }
  close_trial(&a);
  return st;
}

/* ------------------------------------------------------------------------------ reactions ---- */

/* Forces of the pins at the outputs of one lap. */
typedef struct forces {
  int n;
  double p[101][ROWS];
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
  for (int k = 0; k < ROWS && f->n < 101; ++k)
    f->p[f->n][k] = apl_loop_row(s)[APL_LOOP * k + APL_LOOP_FORCE];
  if (f->n < 101) f->n += 1;
  return st;
}

static apl_status lap(double stiffness, bool slow, forces* f, apl_error* err) {
  apl_run_options o;
  rig r;

  f->n = 0;
  apl_status st = apl_rig_open(&r, err, "paper-3rrr", "run.to=2 s; run.tolerance=1e-9");
  if (st == APL_OK) st = apl_rig_start(&r, &o, err);
  if (st == APL_OK) {
    o.loops.method = stiffness > 0.0 ? "springs" : "multipliers";
    o.loops.stiffness = stiffness;
    o.loops.slow = slow;
    o.output = keep_forces;
    o.user = f;
    st = apl_run(r.system, &o, NULL, err);
  }
  apl_rig_close(&r);
  return st;
}

static double relative_error(const forces* f, const forces* exact) {
  double error = 0.0, size = 0.0;

  for (int i = 0; i < f->n && i < exact->n; ++i) {
    for (int k = 0; k < ROWS; ++k) {
      const double d = f->p[i][k] - exact->p[i][k];
      error += d * d;
      size += exact->p[i][k] * exact->p[i][k];
    }
  }
  return sqrt(error / size);
}

static apl_status put_reactions(apl_paper* paper, apl_error* err) {
  static const double K[] = {1e5, 1e6};
  static const double known[] = {3.7e-3, 3.6e-4};
  forces exact, f;

  apl_put_group(paper, "Reactions",
                "The paper says that springs also give the reactions. Undamped springs that start "
                "closed ring between "
                "0 and twice their load for ever, at any stiffness; started on the slow manifold "
                "they converge as 1/K. "
                "Root mean square over one lap, relative to the exact forces.");
  apl_status st = lap(0.0, false, &exact, err);
  for (int i = 0; i < 2 && st == APL_OK; ++i) {
    st = lap(K[i], false, &f, err);
    if (st != APL_OK) break;
    const double closed = relative_error(&f, &exact);
    apl_put_row(paper, apl_put_text(paper, "reactions are obtained, K = %g, start closed", K[i]),
                nan(""), closed, "1", closed < 0.1 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
                "they ring");
    st = lap(K[i], true, &f, err);
    if (st == APL_OK)
      apl_put_ours(paper, apl_put_text(paper, "error of reactions, K = %g, slow start", K[i]),
                   relative_error(&f, &exact), "1",
                   apl_put_text(paper, "an independent program has %.1e", known[i]));
  }
  return st;
}

static apl_status work(apl_paper* paper, apl_error* err) {
  apl_status st = put_exact(paper, err);

  if (st == APL_OK) st = put_table(paper, err);
  return st == APL_OK ? put_reactions(paper, err) : st;
}

const paper_kind apl_paper_parallel = {
    .word = "parallel",
    .title = "a planar 3RRR robot, its loops closed exactly and by virtual springs",
    .about = "M. Raoofian, A. Taghvaeipour, A. Kamali Eigoli, Modares Mechanical Engineering "
             "17(6), 2017 (in Persian): "
             "the decoupled natural orthogonal complement with virtual springs. The radius of the "
             "rose, 5 cm, and the "
             "natural logarithm of the figures are not printed: they are the ones for which the "
             "four statements "
             "about figures 5 and 6 can hold together.",
    .work = work,
};
