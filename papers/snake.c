/* SPDX-License-Identifier: Apache-2.0 */
/* snake.c: J. Safehian, A. Akbarzadeh: kinematics and dynamics of a snake robot with worm-like
   locomotion on an inclined surface. The list of its parts, shared code, and what of the paper is
   misprinted or lost. */
#include "papers/snake.h"

#include "appell/analyse.h"

#include "file/asks.h"
#include "spec/parts.h"

#include <math.h>
#include <string.h>

/* ----------------------------------------------------------------------------------- crawls ----
 */

apl_status apl_snake_crawl(snake_crawl* out, const char* name, const char* settings,
                           apl_support_options o, apl_error* err) {
  memset(out, 0, sizeof *out);
  apl_status st = apl_rig_open(&out->rig, err, name, "%s", settings);
  if (st != APL_OK) return st;

  o.to = 9.0; /* the duration of the models' travel */
  o.every = apl_file_run(out->rig.file)->output_every;
  o.waves = apl_file_waves(out->rig.file);
  out->nv = apl_model_nv(out->rig.model);
  apl_report report = {0};
  apl_system_free(out->rig.system);
  st = apl_file_system(out->rig.file, out->rig.model, 0, &out->rig.system, &report);
  if (st != APL_OK) apl_fail(err, st, "%s", report.item[0].text);
  if (st == APL_OK) st = apl_support_new(out->rig.system, &o, &out->support, err);
  if (st != APL_OK) apl_snake_close(out);
  return st;
}

void apl_snake_close(snake_crawl* crawl) {
  apl_support_free(crawl->support);
  apl_rig_close(&crawl->rig);
  crawl->support = NULL;
}

/* P_2 is the joint of the second link, after the three velocities of the first. */
static int velocity_of(int point) {
  return 1 + point;
}

apl_support_joint apl_snake_joint(const snake_crawl* crawl, int point) {
  return apl_support_joint_at(crawl->support, velocity_of(point));
}

void apl_snake_curve(apl_paper* paper, const char* name, const snake_crawl* crawl, int point,
                     bool dashed) {
  const int n = apl_support_nrow(crawl->support);
  double *t = apl_put_numbers(paper, n), *y = apl_put_numbers(paper, n);
  if (t == NULL || y == NULL) return;

  for (int i = 0; i < n; ++i) {
    t[i] = apl_support_row_at(crawl->support, i)->t;
    y[i] = apl_support_effort(crawl->support, i)[velocity_of(point)];
  }
  apl_put_curve(paper, name, n, t, y, false, dashed);
}

double apl_snake_peak(const snake_crawl* crawl, int point, double dt) {
  double most = apl_snake_joint(crawl, point).most;

  for (int k = 0; k < apl_support_nswitch(crawl->support); ++k) {
    const double t = apl_support_switch_at(crawl->support, k)->t;
    double near = 0.0;
    for (int i = 0; i < apl_support_nrow(crawl->support); ++i) {
      if (apl_support_row_at(crawl->support, i)->t >= t) {
        near = apl_support_effort(crawl->support, i)[velocity_of(point)];
        break;
      }
    }
    most = fmax(most, near + apl_support_impulse(crawl->support, k)[velocity_of(point)] / dt);
  }
  return most;
}

/* --------------------------------------------------------------------------------- errata ---- */

static void misprints(apl_paper* paper) {
  static const struct {
    const char *quantity, *note;
  } rows[] = {
      {"eq. 2: sin(k_n pi/L), phase 2 k_n pi i/l_i",
       "must be sin(k_n pi/n) and 2 k_n pi i/n: as printed all joints are in phase and the "
       "amplitude is 0.740 rad; the difference of the angles of the curve gives 0.4007 rad"},
      {"eqs. 3 and 4: sines, sign of the second term", "derivatives of eq. 2 have cos, and + 8 "
                                                       "alpha k_n^2 pi^2/L^2 sin sin s'^2"},
      {"eq. 19: l phi'' cos phi", "l/2, as in eq. 18"},
      {"eq. 31: sum of F_i, i = 1 .. n", "i = 1 .. n + 1, and - n m g sin psi is missing; 33 has "
                                         "it"},
      {"eqs. 32, 34: sum of m z'' = 0",
       "a simplification: between switches the centre of mass falls with about alpha (2 k_n pi/L) "
       "s'^2; it explains why Newton's torques exceed Lagrange's"},
      {"eq. 40 for phi_1''", "leaves phi_1 without a constraint: integrated, it drifts by 0.1 to "
                             "0.4 rad at 5 deg"},
      {"eq. 41: N of the first contact", "is that of the second; lambda is their distance"},
      {"eq. 43: - mu sign(v) N", "set-valued at rest: both contacts stick, so that a sign() "
                                 "chatters between + mu N and - mu N"},
      {"17 links, 16 joints (text of figure 1)", "16 links, 17 points: L = 1.6 m = 16 x 0.1 m"},
      {"acceleration and time of eq. 44, inertia of a link, which joint is number 9",
       "not in the paper. Ours: 0.3 m/s over three cycles, a thin rod, point P_9 (joint 1: P_2, "
       "joint 3: P_4)"},
      {"speed of FUM-Snake 3: 105 mm/s",
       "winding, waves and frequency are not published: 1.56, 0.71 or 0.41 m/s of wave would give "
       "it at 30, 45 or 60 deg"},
  };

  apl_put_group(paper, "Misprints, and what is lost",
                "Numbers of equations are the paper's; ours follows the corrected ones.");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
    apl_put_ours(paper, rows[i].quantity, nan(""), "1", rows[i].note);
}

static apl_status work(apl_paper* paper, apl_error* err) {
  apl_status st = apl_snake_table(paper, err);

  if (st == APL_OK) st = apl_snake_slope(paper, err);
  if (st == APL_OK) st = apl_snake_links(paper, err);
  if (st == APL_OK) misprints(paper);
  return st;
}

const paper_kind apl_paper_snake = {
    .word = "snake",
    .title = "a snake that crawls like a worm on an incline: supports and joint torques",
    .about = "J. Safehian, A. Akbarzadeh: kinematics and dynamics of a snake robot with worm-like "
             "locomotion on an inclined surface (in Persian). The text survives; of the figures "
             "only the captions do.",
    .work = work,
};
