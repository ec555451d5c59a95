/* SPDX-License-Identifier: Apache-2.0 */
/* continuum_coefficients.c: the twelve numbers of the continuum paper's equations (38) and (39)
   that survive in print, and the same numbers out of the engine. */
#include "papers/continuum.h"
#include "papers/rig.h"

#include <lapacke.h>
#include <math.h>

static const double pi = 3.14159265358979323846;

enum { POWERS = 6 };

/* Centre of mass over L in the paper's axes (X across, Y along) and its derivative in theta:
   out[4] = X, Y, X', Y'. */
static apl_status center(rig* r, double theta, double length, double out[4]) {
  apl_state* s = apl_system_state(r->system);
  double c[3] = {0}, p[6] = {0};

  apl_q(s)[0] = theta;
  apl_v(s)[0] = 1.0;
  apl_status st = apl_center(r->model, s, c);
  if (st == APL_OK) st = apl_momentum(r->model, s, p);
  const double mass = apl_model_mass(r->model);
  out[0] = -c[0] / length;
  out[1] = c[2] / length;
  out[2] = -p[3] / mass / length;
  out[3] = p[5] / mass / length;
  return st;
}

/* Polynomials of degree 5 through six points: coefficient[power][4]. */
static apl_status fit(rig* r, double coefficient[POWERS][4], apl_error* err) {
  double V[POWERS * POWERS], pose[12];
  lapack_int pivot[POWERS];

  apl_status st = apl_port_pose(r->model, apl_system_state(r->system), r->tip, pose);
  for (int i = 0; i < POWERS && st == APL_OK; ++i) {
    const double theta = cos((i + 0.5) * pi / POWERS);
    for (int k = 0; k < POWERS; ++k)
      V[i * POWERS + k] = pow(theta, k);
    st = center(r, theta, pose[11], coefficient[i]);
  }
  if (st != APL_OK) return apl_fail(err, st, "%s", apl_status_text(st));
  LAPACKE_dgesv(LAPACK_ROW_MAJOR, POWERS, 4, V, POWERS, pivot, coefficient[0], 4);
  return APL_OK;
}

apl_status apl_continuum_coefficients(apl_paper* paper, apl_error* err) {
  static const struct {
    const char* text;
    int row, power; /* of r_G: X, Y; of its derivative: X', Y' */
    double published;
    const char* fraction;
  } printed[] = {
      {"r_G, X", 0, 5, -1.0 / 5040, "-1/5040"},  {"r_G, X", 0, 3, 1.0 / 120, "1/120"},
      {"r_G, X", 0, 1, -1.0 / 6, "-1/6"},        {"r_G, Y", 1, 4, 1.0 / 720, "1/720"},
      {"r_G, Y", 1, 2, -1.0 / 24, "-1/24"},      {"r_G, Y", 1, 0, 1.0 / 2, "1/2"},
      {"r_G', X", 2, 4, -1.0 / 1008, "-1/1008"}, {"r_G', X", 2, 2, 1.0 / 40, "1/40"},
      {"r_G', X", 2, 0, -1.0 / 6, "-1/6"},       {"r_G', Y", 3, 3, 1.0 / 180, "1/180"},
      {"r_G', Y", 3, 1, -1.0 / 12, "-1/12"},     {"r_G', Y", 3, 0, 0.0, "0"},
  };
  double coefficient[POWERS][4];
  rig r;

  apl_put_group(paper, "The twelve numbers of equations (38) and (39)",
                "Centre of mass of an element and its derivative, over L, as polynomials of its "
                "angle; ours is fitted to what the engine computes with the fifth-order element.");
  apl_status st = apl_rig_open(&r, err, "paper-continuum-element",
                               "rod.body.evaluation=p5; weight.body.mass=0; start={}");
  if (st == APL_OK) st = fit(&r, coefficient, err);
  apl_rig_close(&r);
  if (st != APL_OK) return st;

  for (size_t i = 0; i < sizeof printed / sizeof *printed; ++i) {
    const double ours = coefficient[printed[i].power][printed[i].row];
    apl_put_row(
        paper,
        apl_put_text(paper, "%s: coefficient of theta^%d", printed[i].text, printed[i].power),
        printed[i].published, ours, "1",
        fabs(ours - printed[i].published) < 1e-12 ? APL_REPRODUCED : APL_NOT_REPRODUCED,
        apl_put_text(paper, "printed as %s", printed[i].fraction));
  }
  return APL_OK;
}
