/* SPDX-License-Identifier: Apache-2.0 */
/* mobile.c: M. H. Korayem, A. M. Shafei: an arm of n links on a base with two driven wheels, by the
   recursive Gibbs-Appell form in quasi-velocities. The paper's one simulation, for two
   interpretations of its lost figure of the robot; beside it the numbers of an independent program
   (Kane's equations in 80-bit precision), because the paper's own curves are lost. */
#include "appell/footing.h"

#include "papers/paper.h"
#include "papers/rig.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

enum { TIMES = 3, NUMBERS = 8, ARM = 5 };

typedef struct layout {
  const char *word, *model, *meaning;
  double oracle[TIMES][NUMBERS]; /* x, y, heading, q1..q5 at 0.5, 1.0, 1.5 s                     */
  double turning;                /* turn' at the start by hand, NaN when it is not given          */
} layout;

/* clang-format off */
static const layout layouts[] = {
  {"H", "paper-mobile-H", "all axes along the axle, arm straight ahead at the start",
   {{0.236168, -0.000069, -0.000537, -0.944043, 0.444259, 0.493961, -0.087429, 0.582784},
    {1.256163, -0.003269, -0.013139, -1.701551, 0.141572, -0.068401, 0.190211, -0.426600},
    {2.284077, -0.025667, -0.024462, -2.249612, -0.642513, -0.035018, -0.472084, 0.590453}},
   -0.00383951631},
  {"YP", "paper-mobile-YP", "a first axis that yaws, then four that pitch",
   {{0.201227, -0.035629, -0.263870, 0.297555, -0.940761, 0.357922, 0.582005, 0.419274},
    {0.975034, -0.316898, -0.411026, 1.008030, -1.637397, 0.008340, -0.459195, -0.585459},
    {1.297863, -0.386569, 0.122876, 1.349683, -2.720373, -0.038699, -0.511711, 0.032279}},
   (double)NAN},
};
/* clang-format on */

static const double when[TIMES] = {0.5, 1.0, 1.5};

/* ---------------------------------------------------------------------------------- states ---- */

static void put_states(apl_paper* paper, const layout* l, const rig_path* p) {
  static const char* const word[NUMBERS] = {"x", "y", "heading", "q1", "q2", "q3", "q4", "q5"};

  for (int i = 0; i < TIMES; ++i) {
    const int row = (int)lround(when[i] / 0.005);
    for (int k = 0; k < NUMBERS && row < p->n; ++k) {
      const double ours = p->q[row * p->nq + k];
      apl_put_ours(paper, apl_put_text(paper, "%s, %s at %.1f s", l->word, word[k], when[i]), ours,
                   k < 2 ? "m" : "rad",
                   apl_put_text(paper, "the oracle has %.6f: off by %.1e", l->oracle[i][k],
                                fabs(ours - l->oracle[i][k])));
    }
  }
}

/* v' = ((tau_R + tau_L)/r) / (M + 2 I_w/r^2 + 5 m), and turn' where only one axis has inertia */
static apl_status put_start(apl_paper* paper, const layout* l, const rig* r) {
  apl_state* s = apl_system_state(r->system);
  const int n = apl_system_size(r->system);
  double* y = apl_put_numbers(paper, 2 * n);
  if (y == NULL) return APL_OK; /* reported at the end */

  apl_state_reset(s);
  apl_system_pack(r->system, y);
  const apl_status st = apl_system_rate(0.0, y, y + n, r->system);
  apl_put_ours(paper, apl_put_text(paper, "%s, speed' at the start", l->word), apl_a(s)[0], "m/s^2",
               "by hand 3.75/11.9525 = 0.313741895");
  if (!isnan(l->turning)) {
    apl_put_ours(paper, apl_put_text(paper, "%s, turn' at the start", l->word), apl_a(s)[1],
                 "rad/s^2", apl_put_text(paper, "by hand %.9g", l->turning));
  }
  return st;
}

/* --------------------------------------------------------------------------------- figures ---- */

/* Column k of rows of `width`, as a curve. */
static void put_column(apl_paper* paper, const char* name, const rig_path* p, const double* rows,
                       int width, int k) {
  double* y = apl_put_numbers(paper, p->n);

  for (int i = 0; y != NULL && i < p->n; ++i)
    y[i] = rows[i * width + k];
  if (y != NULL) apl_put_curve(paper, name, p->n, p->t, y, false, false);
}

static void put_figures(apl_paper* paper, const layout* l, const rig_path* p) {
  static const char* const joint[ARM] = {"q1", "q2", "q3", "q4", "q5"};
  double* path = apl_put_numbers(paper, 2 * p->n);

  apl_put_figure(paper,
                 (paper_axes){.title = apl_put_text(paper, "Figure 4: joint angles, %s", l->word),
                              .right = "time [s]",
                              .up = "angle [rad]"});
  for (int k = 0; k < ARM; ++k)
    put_column(paper, joint[k], p, p->q, p->nq, 3 + k);
  apl_put_figure(paper,
                 (paper_axes){.title = apl_put_text(paper, "Figure 5: joint rates, %s", l->word),
                              .right = "time [s]",
                              .up = "rate [rad/s]"});
  for (int k = 0; k < ARM; ++k)
    put_column(paper, joint[k], p, p->v, p->nv, 2 + k);

  apl_put_figure(
      paper, (paper_axes){.title = apl_put_text(paper, "Figure 6: path of the base, %s", l->word),
                          .right = "x [m]",
                          .up = "y [m]",
                          .equal = true});
  for (int i = 0; path != NULL && i < p->n; ++i)
    path[i] = p->q[i * p->nq], path[p->n + i] = p->q[i * p->nq + 1];
  if (path != NULL)
    apl_put_curve(paper, "middle of the axle", p->n, path, path + p->n, false, false);

  apl_put_figure(
      paper, (paper_axes){.title = apl_put_text(paper, "Figure 7: path of the gripper in space, %s",
                                                l->word),
                          .right = "x [m]",
                          .up = "y, z [m]",
                          .equal = true});
  apl_put_curve(paper, "from above: y", p->n, p->x, p->y, false, true);
  apl_put_curve(paper, "from the side: z", p->n, p->x, p->z, false, false);
}

/* ---------------------------------------------------------------------------------- ground ---- */

/* Assumptions of the paper: the wheels stay on the ground and do not slip. */
typedef struct hold {
  double least, ahead, behind, friction;
} hold;

static apl_status look_at_ground(const rig* r, const rig_path* p, hold* out) {
  apl_state* s = apl_system_state(r->system);
  const int n = apl_system_size(r->system);
  double y[64] = {0}, rate[64];
  apl_status st = APL_OK;

  *out = (hold){HUGE_VAL, -HUGE_VAL, HUGE_VAL, 0};
  for (int i = 0; i < p->n && n <= 64 && st == APL_OK; ++i) {
    apl_footing_forces g;
    memcpy(y, p->q + i * p->nq, sizeof *y * (size_t)p->nq);
    memcpy(y + p->nq, p->v + i * p->nv, sizeof *y * (size_t)p->nv);
    st = apl_system_rate(p->t[i], y, rate, r->system);
    if (st == APL_OK) st = apl_footing_reactions(r->model, s, &g);
    out->least = fmin(out->least, g.normal);
    out->ahead = fmax(out->ahead, g.pressure[0]);
    out->behind = fmin(out->behind, g.pressure[0]);
    out->friction = fmax(out->friction, g.friction);
  }
  return st;
}

static void put_ground(apl_paper* paper, const layout* l, const hold* h) {
  apl_put_ours(
      paper, apl_put_text(paper, "%s, least normal force of the ground", l->word), h->least, "N",
      h->least < 0 ? "the ground would have to hold the base down" : "the base stays down");
  apl_put_ours(paper,
               apl_put_text(paper, "%s, centre of pressure farthest ahead of the axle", l->word),
               h->ahead, "m", "a castor would have to stand farther");
  apl_put_ours(paper, apl_put_text(paper, "%s, centre of pressure farthest back", l->word),
               h->behind, "m", "");
  apl_put_ours(paper, apl_put_text(paper, "%s, friction needed at most", l->word), h->friction, "1",
               "tangential over normal force of a wheel, the two carrying all");
}

/* ----------------------------------------------------------------------------------- parts ---- */

static apl_status simulate(apl_paper* paper, const layout* l, apl_error* err) {
  rig_path p = {0};
  rig r;
  hold h;

  apl_status st = apl_rig_open(&r, err, l->model, "%s", "");
  if (st == APL_OK) r.tip = apl_model_find(r.model, APL_PORTS, "l5.tip");
  if (st == APL_OK) st = apl_rig_run(&r, &p, err);
  if (st == APL_OK) {
    apl_put_group(paper, apl_put_text(paper, "The run of 1.5 s, layout %s", l->word), l->meaning);
    put_states(paper, l, &p);
    put_figures(paper, l, &p);
    st = look_at_ground(&r, &p, &h);
  }
  if (st == APL_OK) put_ground(paper, l, &h);
  if (st == APL_OK) st = put_start(paper, l, &r);
  apl_rig_path_free(&p);
  apl_rig_close(&r);
  return st;
}

/* At a tolerance at which the error is far below the width of a line. */
static apl_status timing(apl_paper* paper, apl_error* err) {
  static const char* const set = "run.tolerance=1e-9; run.integrator=rkf78";

  apl_put_group(
      paper, "Computing time",
      "The one number among the paper's results that survives. Its 477.66 s are those of a "
      "Core 2 Duo E7500 and count the derivation of the equations; ours are this machine's "
      "and count the solution. Not like for like: no ratio is claimed.");
  for (size_t i = 0; i < sizeof layouts / sizeof *layouts; ++i) {
    double wall = nan("");
    long steps = 0;
    rig r;
    apl_status st = apl_rig_open(&r, err, layouts[i].model, "%s", set);
    if (st == APL_OK) st = apl_rig_time(&r, &wall, &steps, err);
    apl_rig_close(&r);
    if (st != APL_OK) return st;
    apl_put_row(paper, apl_put_text(paper, "%s, 1.5 s simulated", layouts[i].word), 477.66, wall,
                "s", wall < 477.66 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
                apl_put_text(paper, "rkf78 at 1e-9, %ld steps, with the energy ledger", steps));
  }
  return APL_OK;
}

static void lost(apl_paper* paper) {
  static const struct {
    const char *quantity, *note;
  } rows[] = {
      {"figure 3: how the joint axes lie",
       "lost, and its caption speaks of three joints where text and table have five. H is the "
       "simplest reading, YP the usual arm; both are ours"},
      {"figures 4 to 7: angles, rates, path of the base, path of the gripper",
       "the curves are lost and no value of them is printed: no agreement can be claimed, only "
       "that of the engine with an independent oracle for a stated layout"},
      {"the same d for centre of mass and mount",
       "the paper's equations put both 0.2 m ahead of the axle; here they are two numbers of the "
       "model"},
      {"term w x B3 w of equations (9), (10), (18)",
       "missing in the text that survives. It vanishes for the paper's links, whose J is a "
       "multiple of the unit matrix, and counts for all others; the engine has it"},
      {"the arm passes through the floor",
       "contact is not modelled, in the paper or here, and the base is held in its plane from both "
       "sides"},
  };

  apl_put_group(paper, "What is lost, and what is different",
                "The paper survives as scanned text: figures are missing from it, and dots, primes "
                "and tildes of its equations are uncertain.");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    apl_put_ours(paper, rows[i].quantity, nan(""), "1", rows[i].note);
}

static apl_status work(apl_paper* paper, apl_error* err) {
  apl_status st = APL_OK;

  for (size_t i = 0; i < sizeof layouts / sizeof *layouts && st == APL_OK; ++i)
    st = simulate(paper, &layouts[i], err);
  if (st == APL_OK) st = timing(paper, err);
  if (st == APL_OK) lost(paper);
  return st;
}

const paper_kind apl_paper_mobile = {
    .word = "mobile",
    .title = "an arm of five links on a base with two driven wheels: the run of 1.5 s",
    .about = "M. H. Korayem, A. M. Shafei: dynamics of mobile manipulators by the recursive "
             "Gibbs-Appell form (in Persian). An arm of five slender links on a differential-drive "
             "base starts from rest under constant torques: 1 N m on each joint, 0.1 and 0.2 N m "
             "on the right and the left wheel.",
    .work = work,
};
