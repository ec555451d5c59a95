/* SPDX-License-Identifier: Apache-2.0 */
/* parallel.c: Raoofian, Taghvaeipour, Kamali Eigoli: forward dynamics of a planar 3RRR robot whose
   loops are cut and closed by stiff virtual springs. The paper's times are proportional to its
   number of evaluations, so these are compared; its figures 5 and 6 are errors of constraints and
   of the platform. Theory: docs/theory/loops.md. */
#include "papers/ode45.h"
#include "dynamics/loops.h"
#include "papers/parallel.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Errors are drawn over time as the largest in each of SPANS equal parts of the 6 s. */
enum { FREEDOMS = PARALLEL_FREEDOMS, ROWS = PARALLEL_ROWS, STIFFNESSES = 8, SPANS = 150 };

static const double pi = 3.14159265358979323846, duration = 6.0;

/* Table 2: CPU time for K = 1e1 .. 1e8. */
static const double published[STIFFNESSES] = {0.576,  0.921,  1.648, 3.55,
                                              11.898, 45.592, 160.6, 499.424};

/* The same runs by an independent program (Python, order 5 with the same step control). */
static const double oracle[STIFFNESSES] = {373, 763, 1699, 4459, 16501, 65821, 228937, 713623};
static const double oracle_gap[STIFFNESSES] = {-0.06, 0.10,  -2.08,  -4.79,
                                               -7.04, -9.35, -11.68, -13.95};
static const double oracle_off[STIFFNESSES] = {-1.74, -1.01, -2.21, -3.65,
                                               -4.54, -7.13, -9.61, -11.95};

/* One run with the paper's integrator, evaluated at the ends of its steps. */
typedef struct trial {
  rig r;
  apl_system* system;
  int n; /* numbers of the system's y                                                     */
  double *y, *rate;
  bool denoc;                              /* accelerations as the paper's exact method has them */
  double gap, off;                         /* largest sum of |c|, largest distance from the rose */
  double gap_then[SPANS], off_then[SPANS]; /* the same in each part of the time, 0 without a step */
  long evaluations;
  double seconds;
} trial;

/* r0 cos 2h (cos h, sin h), h = pi t */
void apl_parallel_rose(double t, double at[2]) {
  const double h = pi * t, r = 0.05 * cos(2.0 * h);
  at[0] = r * cos(h);
  at[1] = r * sin(h);
}

double apl_parallel_distance(double t, const double* q) {
  double at[2];
  apl_parallel_rose(t, at);
  return hypot(q[6] - at[0], q[7] - at[1]);
}

/* y' of coordinates and velocities only; the rest of the system's y is constant. */
static apl_status rate(double t, const double* y, double* out, void* context) {
  trial* a = context;
  memcpy(a->y, y, 2 * FREEDOMS * sizeof *y);
  if (a->denoc) {
    apl_state* s = apl_system_state(a->system);
    apl_system_unpack(a->system, t, a->y);
    const apl_status st = apl_parallel_denoc(a->r.model, s);
    memcpy(out, apl_v(s), FREEDOMS * sizeof *out); /* all joints are plain: q' = v */
    memcpy(out + FREEDOMS, apl_a(s), FREEDOMS * sizeof *out);
    return st;
  }
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
  const double off = apl_parallel_distance(t, y);
  const int span = (int)fmin(SPANS - 1, floor(SPANS * t / duration));
  a->gap = fmax(a->gap, sum);
  a->off = fmax(a->off, off);
  a->gap_then[span] = fmax(a->gap_then[span], sum);
  a->off_then[span] = fmax(a->off_then[span], off);
}

/* Stiffness 0: the exact robot, by multipliers or by DeNOC. */
static apl_status run_trial(double stiffness, bool denoc, trial* a, apl_error* err) {
  apl_run_options o;
  double y[2 * FREEDOMS], work[9 * 2 * FREEDOMS];

  *a = (trial){.denoc = denoc};
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
  st = apl_ode45(&solver, 0.0, duration);
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

/* The paper's eight times fit two constants: 0.341 s and 0.7075 ms per evaluation. */
static double paper_time(double evaluations) {
  return 0.341 + 0.0007075 * evaluations;
}

/* What the eight runs found. */
typedef struct table {
  double K[STIFFNESSES], count[STIFFNESSES], gap[STIFFNESSES], off[STIFFNESSES];
  double gap_then[STIFFNESSES][SPANS], off_then[STIFFNESSES][SPANS];
} table;

static void put_times(apl_paper* paper, int k, const trial* a) {
  const double time = paper_time((double)a->evaluations);

  apl_put_row(paper, power_text(paper, "CPU time as 0.341 s + 0.7075 ms per evaluation", k),
              published[k], time, "s",
              fabs(time / published[k] - 1.0) < 0.1 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper, "%ld evaluations; an independent program needs %.0f",
                           a->evaluations, oracle[k]));
  apl_put_ours(paper, power_text(paper, "CPU time here", k), a->seconds, "s",
               "the same run, this machine");
}

/* A statement about the largest error of 6 s. */
static void put_claim(apl_paper* paper, const char* what, double ours, bool above, double known) {
  apl_put_row(paper, what, -5, ours, "1",
              above == (ours > -5) ? APL_REPRODUCED : APL_NOT_REPRODUCED,
              apl_put_text(paper, "an independent program has %.2f", known));
}

/* Errors over time, one curve for each stiffness. */
static void put_errors(apl_paper* paper, const table* w, const double then[][SPANS],
                       const char* title, const char* up) {
  apl_put_figure(paper, (paper_axes){title, "time [s]", up, false, false, false});
  for (int k = 0; k < STIFFNESSES; ++k) {
    double t[SPANS], x[SPANS];
    int n = 0;
    for (int i = 0; i < SPANS; ++i) {
      if (!(then[k][i] > 0.0)) continue;
      t[n] = duration * (i + 0.5) / SPANS;
      x[n++] = log(then[k][i]);
    }
    apl_put_curve(paper, apl_put_text(paper, "K = %g", w->K[k]), n, t, x, false, false);
  }
}

static void put_figures(apl_paper* paper, const table* w) {
  put_claim(paper, "figure 5: ln of the sum of gaps stays above -5 at 1e4", w->gap[3], true,
            oracle_gap[3]);
  put_claim(paper, "figure 5: ... and falls below -5 at 1e5", w->gap[4], false, oracle_gap[4]);
  put_claim(paper, "figure 6: ln of the error of position stays above -5 at 1e5", w->off[4], true,
            oracle_off[4]);
  put_claim(paper, "figure 6: ... and falls below -5 at 1e6", w->off[5], false, oracle_off[5]);
  for (int k = 0; k < STIFFNESSES; ++k) {
    apl_put_ours(
        paper, power_text(paper, "ln of the sum of gaps", k), w->gap[k], "1",
        apl_put_text(paper, "largest of 6 s; an independent program has %.2f", oracle_gap[k]));
    apl_put_ours(
        paper, power_text(paper, "ln of the error of position", k), w->off[k], "1",
        apl_put_text(paper, "largest of 6 s; an independent program has %.2f", oracle_off[k]));
  }
  put_errors(paper, w, w->gap_then, "Figure 5: gaps", "ln of the sum of gaps [m]");
  put_errors(paper, w, w->off_then, "Figure 6: position of the platform",
             "ln of the distance from the rose [m]");
  apl_put_figure(paper, (paper_axes){"Evaluations over stiffness", "K [N/m]", "evaluations", true,
                                     true, false});
  apl_put_curve(paper, "ours", STIFFNESSES, w->K, w->count, true, false);
  apl_put_curve(paper, "independent program", STIFFNESSES, w->K, oracle, true, true);
  apl_put_figure(paper, (paper_axes){"Errors over stiffness", "K [N/m]", "ln of the largest error",
                                     true, false, false});
  apl_put_curve(paper, "gaps", STIFFNESSES, w->K, w->gap, true, false);
  apl_put_curve(paper, "position", STIFFNESSES, w->K, w->off, true, true);
}

static apl_status put_table(apl_paper* paper, apl_error* err) {
  apl_status st = APL_OK;
  table w;

  apl_put_group(
      paper, "Table 2, figures 5 and 6: virtual springs",
      "The rose of 6 s under the torques of the exact robot, undamped springs, start with closed "
      "loops, ode45 at 1e-3 as the paper has it. Its CPU times are a constant and a time per "
      "evaluation; ours are evaluations beside what the paper's time stands for. Springs push with "
      "-K c: with the printed sign the robot explodes.");
  for (int k = 0; k < STIFFNESSES && st == APL_OK; ++k) {
    trial a;
    w.K[k] = pow(10.0, k + 1);
    st = run_trial(w.K[k], false, &a, err);
    w.count[k] = (double)a.evaluations;
    w.gap[k] = log(a.gap);
    w.off[k] = log(a.off);
    memcpy(w.gap_then[k], a.gap_then, sizeof a.gap_then);
    memcpy(w.off_then[k], a.off_then, sizeof a.off_then);
    if (st == APL_OK) put_times(paper, k, &a);
    close_trial(&a);
  }
  if (st == APL_OK) put_figures(paper, &w);
  return st;
}

/* --------------------------------------------------------------------------------- exact ---- */

static apl_status put_exact(apl_paper* paper, apl_error* err) {
  trial denoc, a = {0};

  apl_put_group(paper, "The exact robot",
                "Nine coordinates, the same integrator, drift not projected away. Limbs by the "
                "decoupled natural orthogonal complement as the paper has it, and by the "
                "multipliers of the recursion, which is the same motion.");
  apl_status st = run_trial(0.0, true, &denoc, err);
  if (st == APL_OK) {
    apl_put_row(paper, "DeNOC: CPU time, about, as 2.3 ms per evaluation", 2.0,
                0.0023 * (double)denoc.evaluations, "s", APL_REPRODUCED,
                apl_put_text(paper, "%ld evaluations; an independent program needs 871",
                             denoc.evaluations));
    apl_put_ours(paper, "DeNOC: ln of the error of position", log(denoc.off), "1",
                 "an independent program has -13.5");
    apl_put_ours(paper, "DeNOC: CPU time here", denoc.seconds, "s", "dense algebra, for the check");
  }
  close_trial(&denoc);
  if (st == APL_OK) st = run_trial(0.0, false, &a, err);
  if (st == APL_OK) {
    apl_put_ours(paper, "multipliers: evaluations", (double)a.evaluations, "1", "");
    apl_put_ours(paper, "multipliers: ln of the error of position", log(a.off), "1",
                 "the springs of 1e8 N/m reach -12 with 800 times the evaluations");
    apl_put_ours(paper, "multipliers: sum of gaps after 6 s without projection", a.gap, "m",
                 "drift");
    apl_put_ours(paper, "multipliers: CPU time here", a.seconds, "s", "6 s of motion");
  }
  close_trial(&a);
  return st;
}

static apl_status work(apl_paper* paper, apl_error* err) {
  apl_status st = put_exact(paper, err);

  if (st == APL_OK) st = put_table(paper, err);
  if (st == APL_OK) st = apl_parallel_steps(paper, err);
  return st == APL_OK ? apl_parallel_reactions(paper, err) : st;
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
