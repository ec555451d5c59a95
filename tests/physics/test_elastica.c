/* SPDX-License-Identifier: Apache-2.0 */
/* test_elastica.c: rods of arcs under loads at their tip against the elastica: the tables of
   spec/continuum.md, sections 5 and 6. The rod stands along z and bends towards x; no gravity but
   in the last test. */
#include "elliptic.h"
#include "near.h"
#include "plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double L = 0.6;
static const double EI = 0.05;

typedef struct rod {
  int n, tip;
  apl_model* model;
  apl_state* state;
} rod;

static rod rod_new(int n) {
  plan* p = plan_new();
  char name[16], on[32] = "world";
  rod r = {.n = n};

  p->gravity = (apl_vec3){0, 0, 0};
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "e%d", i);
    plan_link* link = plan_add(p, name, on, "fixed", "arc");
    plan_number(link, "body.length", L / n);
    plan_number(link, "body.mass-per-length", 0.02);
    plan_number(link, "body.bending-stiffness", EI);
    snprintf(on, sizeof on, "e%d.tip", i);
  }
  r.model = plan_model(p);
  free(p);
  r.tip = apl_model_find(r.model, APL_PORTS, on);
  CHECK_OK(apl_state_new(r.model, APL_SCALAR, &r.state));
  return r;
}

static void rod_free(rod* r) {
  apl_state_free(r->state);
  apl_model_free(r->model);
}

/* Angle by which the tip of arc i is turned about y, within a turn; 0 below the first. */
static double turn(rod* r, int i) {
  char name[16];
  double X[12];

  if (i < 0) return 0;
  snprintf(name, sizeof name, "e%d.tip", i);
  CHECK_OK(apl_port_pose(r->model, r->state, apl_model_find(r->model, APL_PORTS, name), X));
  return atan2(X[2], X[0]);
}

static apl_equilibrium_report settle(rod* r, apl_axes axes, apl_wrench W) {
  apl_equilibrium_report report = {0};
  apl_error err = {0};

  CHECK_OK(apl_load(r->model, r->state, r->tip, axes, W));
  const apl_status st = apl_equilibrium(r->model, r->state, NULL, &report, &err);
  CHECK_TRUE(st == APL_OK, "%s", err.text);
  CHECK_NEAR(report.residual, 0, 1e-13); /* round-off of moments below 100 N m */
  return report;
}

/* alpha = P L^2/EI; exact x/L, y/L, slope; error of the chain in y/L for n = 1, 2, 4 ... 32, and
   half of its last printed digit. */
static const struct {
  double alpha, x, y, slope, error[6];
} elastica[] = {
    {0.5,
     0.984081038,
     0.162143576,
     0.244533647,
     {-4.0e-2, -9.8e-3, -2.4e-3, -6.1e-4, -1.5e-4, -3.8e-5}},
    {1,
     0.943566764,
     0.301720774,
     0.461351950,
     {-7.0e-2, -1.7e-2, -4.2e-3, -1.0e-3, -2.6e-4, -6.5e-5}},
    {2,
     0.839358279,
     0.493457480,
     0.781749832,
     {-1.0e-1, -2.4e-2, -5.8e-3, -1.4e-3, -3.6e-4, -9.0e-5}},
    {5,
     0.612371639,
     0.713791524,
     1.215368118,
     {-1.2e-1, -3.2e-2, -7.7e-3, -1.9e-3, -4.8e-4, -1.2e-4}},
    {10,
     0.445004402,
     0.810609025,
     1.430285539,
     {-1.4e-1, -4.3e-2, -1.1e-2, -2.6e-3, -6.5e-4, -1.6e-4}},
};
enum { NELASTICA = sizeof elastica / sizeof *elastica };

/* Half a unit of the second digit. */
static double half_digit(double x) {
  return 0.5001 * pow(10, floor(log10(fabs(x)) + 1e-9) - 1);
}

/* x/L, y/L and slope under a dead load across the rod. */
static void loaded_tip(double alpha, int n, double out[3]) {
  rod r = rod_new(n);
  const double P = alpha * EI / (L * L);
  double X[12];

  near_context("alpha %g, %d arcs", alpha, n);
  const apl_equilibrium_report report =
      settle(&r, APL_WORLD_AXES, (apl_wrench){{0, 0, 0}, {P, 0, 0}});
  CHECK_TRUE(report.stable, "a rod under a transverse load is stable");
  CHECK_OK(apl_port_pose(r.model, r.state, r.tip, X));
  out[0] = X[11] / L;
  out[1] = X[9] / L;
  out[2] = atan2(X[2], X[0]);
  rod_free(&r);
}

static void dead_load(void** state) {
  (void)state;
  for (int a = 0; a < NELASTICA; a++) {
    double tip[7][3];

    for (int k = 0; k < 7; k++) {
      loaded_tip(elastica[a].alpha, 1 << k, tip[k]);
      if (k == 6) break;
      CHECK_NEAR(tip[k][1] - elastica[a].y, elastica[a].error[k], half_digit(elastica[a].error[k]));
    }
    /* the error goes with n^-2, n^-4 ...: extrapolated, the nine printed digits */
    const double exact[3] = {elastica[a].x, elastica[a].y, elastica[a].slope};
    for (int i = 0; i < 3; i++) {
      for (int order = 1; order < 4; order++) {
        const double gain = pow(4, order);
        for (int k = 6; k >= order; k--)
          tip[k][i] = (gain * tip[k][i] - tip[k - 1][i]) / (gain - 1);
      }
      CHECK_NEAR(tip[6][i], exact[i], 6e-10);
    }
  }
}

/* A moment bends every arc by M L_j/EI, whatever their number; up to 3.6 rad in all. */
static void moment_is_exact(void** state) {
  (void)state;
  const double moment[] = {0.01, 0.1, 0.2, -0.3};

  for (int n = 1; n <= 32; n *= 2) {
    rod r = rod_new(n);
    for (int k = 0; k < 4; k++) {
      const double theta = moment[k] * L / EI;
      near_context("moment %g, %d arcs", moment[k], n);
      apl_state_reset(r.state);
      settle(&r, APL_WORLD_AXES, (apl_wrench){{0, moment[k], 0}, {0, 0, 0}});
      for (int i = 0; i < n; i++)
        CHECK_NEAR(remainder(turn(&r, i) - theta * (i + 1) / n, 2 * acos(-1.0)), 0, 1e-13);
    }
    rod_free(&r);
  }
}

/* Loads so large that Newton's method alone does not get there, or ends at another shape; the
   continuation stays on the branch. There the tip lies along the load. */
static void large_loads(void** state) {
  (void)state;
  int steps = 0;

  for (int n = 4; n <= 32; n *= 2) {
    rod r = rod_new(n);
    for (double alpha = 50; alpha <= 200; alpha *= 4) {
      const double P = alpha * EI / (L * L);
      double X[12];

      near_context("alpha %g, %d arcs", alpha, n);
      apl_state_reset(r.state);
      const apl_equilibrium_report report =
          settle(&r, APL_WORLD_AXES, (apl_wrench){{0, 0, 0}, {P, 0, 0}});
      CHECK_TRUE(report.stable, "another branch");
      steps += report.steps;
      CHECK_OK(apl_port_pose(r.model, r.state, r.tip, X));
      CHECK_TRUE(X[2] > 0, "the tip points along the load");
      /* elastica: z/L = sqrt(2 sin(slope) / alpha) */
      if (n == 32) CHECK_NEAR(X[11] / L, sqrt(2 / alpha), 5e-3 * sqrt(2 / alpha));
    }
    rod_free(&r);
  }
  CHECK_TRUE(steps > 0, "no continuation was needed");
}

/* Compressed beyond Euler's load pi^2 EI/(4 L^2) the straight rod is an equilibrium that does not
   hold; below it, it does. The load of the chain is a little higher: error of order n^-2. */
static void buckling(void** state) {
  (void)state;
  const double euler = acos(-1.0) * acos(-1.0) * EI / (4 * L * L);
  rod r = rod_new(16);
  apl_equilibrium_options o = apl_equilibrium_options_default();
  apl_equilibrium_report report = {0};
  apl_error err;

  near_context("below Euler's load");
  report = settle(&r, APL_WORLD_AXES, (apl_wrench){{0, 0, 0}, {0, 0, -0.999 * euler}});
  CHECK_TRUE(report.stable && report.stiffness > 0, "buckles too early");
  near_context("above Euler's load");
  report = settle(&r, APL_WORLD_AXES, (apl_wrench){{0, 0, 0}, {0, 0, -1.01 * euler}});
  CHECK_TRUE(!report.stable && report.stiffness < 0, "buckles too late");

  /* twice Euler's load: the buckled shape, with the same energy to both sides */
  CHECK_OK(apl_load(r.model, r.state, r.tip, APL_WORLD_AXES,
                    (apl_wrench){{0, 0, 0}, {0, 0, -2 * euler}}));
  o.stable = true;
  CHECK_OK(apl_equilibrium(r.model, r.state, &o, &report, &err));
  CHECK_TRUE(report.stable && report.relaxations > 0, "straight");
  double X[12];
  CHECK_OK(apl_port_pose(r.model, r.state, r.tip, X));
  CHECK_TRUE(fabs(X[9]) > 0.5 * L, "the tip is at %g", X[9]);

  /* elastica: K(m) = sqrt(P L^2/EI), tip at 2 sqrt(m)/K; the chain errs by about n^-2 */
  const double K = acos(-1.0) / sqrt(2);
  double low = 0, high = 1;
  while (high - low > 1e-15) {
    const double m = (low + high) / 2;
    *(elliptic_k(m) < K ? &low : &high) = m;
  }
  CHECK_NEAR(fabs(X[9]) / L, 2 * sqrt(low) / K, 4e-3);
  rod_free(&r);
}

/* A follower moment is as good as a dead one; a load on a port in its own axes follows it. */
static void follower(void** state) {
  (void)state;
  rod r = rod_new(3);

  near_context("follower");
  settle(&r, APL_PORT_AXES, (apl_wrench){{0, 0.1, 0}, {0, 0, 0}});
  for (int i = 0; i < 3; i++)
    CHECK_NEAR(turn(&r, i), 0.1 * L / EI * (i + 1) / 3, 1e-14);
  settle(&r, APL_PORT_AXES, (apl_wrench){{0, 0, 0}, {0.3, 0, 0}});
  /* the outermost arc, of length l and angle t: EI t/l = F l (1 - cos t)/t^2 */
  const double l = L / 3, t = turn(&r, 2) - turn(&r, 1);
  CHECK_NEAR(EI / l * t, 0.3 * l * (1 - cos(t)) / (t * t), 1e-12);
  rod_free(&r);
}

/* A nitinol rod of two arcs, clamped level, with a point mass at its tip: tip sag [m] of section 6,
   for diameters 1.5 to 3 mm and 0, 10, 20, 50 g. E = 67.5 GPa, 6450 kg/m^3. */
static void nitinol_sag(void** state) {
  (void)state;
  const double sag[4][4] = {{.097, .330, .407, .466},
                            {.055, .166, .249, .374},
                            {.036, .085, .131, .241},
                            {.025, .049, .073, .140}};
  const double mass[4] = {0, 0.010, 0.020, 0.050};
  const double pi = acos(-1.0);

  for (int i = 0; i < 16; i++) {
    const double d = 1e-3 * (1.5 + 0.5 * (i / 4));
    plan* p = plan_new();
    for (int k = 0; k < 2; k++) {
      plan_link* arc =
          plan_add(p, k == 0 ? "e0" : "e1", k == 0 ? "world" : "e0.tip", "fixed", "arc");
      if (k == 0) arc->at.rotation = apl_quat_rpy(0, pi / 2, 0);
      plan_number(arc, "body.length", L / 2);
      plan_number(arc, "body.mass-per-length", 6450 * pi * d * d / 4);
      plan_number(arc, "body.bending-stiffness", 67.5e9 * pi * pow(d, 4) / 64);
    }
    plan_link* tip = plan_add(p, "weight", "e1.tip", "fixed", "rigid");
    plan_number(tip, "body.mass", mass[i % 4]);
    rod r = {.n = 2, .model = plan_model(p)};
    free(p);

    near_context("diameter %g m, %g kg", d, mass[i % 4]);
    CHECK_OK(apl_state_new(r.model, APL_SCALAR, &r.state));
    r.tip = apl_model_find(r.model, APL_PORTS, "e1.tip");
    const apl_equilibrium_report report =
        settle(&r, APL_WORLD_AXES, (apl_wrench){{0, 0, 0}, {0, 0, 0}});
    double X[12];
    CHECK_OK(apl_port_pose(r.model, r.state, r.tip, X));
    CHECK_NEAR(-X[11], sag[i / 4][i % 4], 0.50001e-3);
    CHECK_TRUE(report.stable, "it hangs");
    rod_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(dead_load), cmocka_unit_test(moment_is_exact), cmocka_unit_test(large_loads),
      cmocka_unit_test(buckling),  cmocka_unit_test(follower),        cmocka_unit_test(nitinol_sag),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
