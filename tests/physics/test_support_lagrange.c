/* SPDX-License-Identifier: Apache-2.0 */
/* test_support_lagrange.c: joint torques of the support analysis by Lagrange's equations, from
   energies that the test writes down itself. Coordinates: centre of mass, angle of the first link,
   joint angles.

     tau_j = d/dt dT/dtheta_j' - dT/dtheta_j + dV/dtheta_j - sum_c F_c . dP_c/dtheta_j

   T is quadratic in rates, so central differences in them are exact; others are of fourth order
   with steps of 1e-3 (time) and 1e-3 rad: about 1e-9 of fifth derivatives of order 1 to 100. */
#include "snake.h"

#include "analyse/support.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

enum { LINKS = 16, N = 3 + LINKS - 1 }; /* x, z of the centre, phi_1, theta_1 .. theta_15 */

static const double pi = 3.14159265358979323846, h = 1e-3;

/* ------------------------------------------------------------------------------- the snake ---- */

static void angles(const double* q, double* phi) {
  phi[0] = q[2];
  for (int i = 1; i < LINKS; ++i)
    phi[i] = phi[i - 1] + q[2 + i];
}

/* P_1 .. P_17 with the centre of mass at q[0], q[1]. */
static void points(const snake* s, const double* q, double P[LINKS + 1][2]) {
  double phi[LINKS], G[2] = {0, 0};

  angles(q, phi);
  P[0][0] = P[0][1] = 0;
  for (int i = 0; i < LINKS; ++i) {
    P[i + 1][0] = P[i][0] + s->length * cos(phi[i]);
    P[i + 1][1] = P[i][1] + s->length * sin(phi[i]);
    for (int k = 0; k < 2; ++k)
      G[k] += (P[i][k] + P[i + 1][k]) / (2 * LINKS);
  }
  for (int i = 0; i <= LINKS; ++i) {
    for (int k = 0; k < 2; ++k)
      P[i][k] += q[k] - G[k];
  }
}

/* T(q, v): velocities of the points are linear in v, found by hand. */
static double kinetic(const snake* s, const double* q, const double* v) {
  double phi[LINKS], rate[LINKS], V[LINKS + 1][2] = {{0}}, G[2] = {0, 0}, T = 0;

  angles(q, phi);
  angles(v, rate);
  for (int i = 0; i < LINKS; ++i) {
    V[i + 1][0] = V[i][0] - s->length * sin(phi[i]) * rate[i];
    V[i + 1][1] = V[i][1] + s->length * cos(phi[i]) * rate[i];
    for (int k = 0; k < 2; ++k)
      G[k] += (V[i][k] + V[i + 1][k]) / (2 * LINKS);
  }
  for (int i = 0; i < LINKS; ++i) {
    double speed = 0;
    for (int k = 0; k < 2; ++k) {
      const double c = (V[i][k] + V[i + 1][k]) / 2 - G[k] + v[k];
      speed += c * c;
    }
    T += s->mass * speed / 2 + s->mass * s->length * s->length / 12 * rate[i] * rate[i] / 2;
  }
  return T;
}

/* Shape and rates by eq. 2 (corrected) and 44, written down again. */
static void shape(const snake* s, double t, double* q, double* v) {
  const double T = s->time, A = -s->acceleration, t1 = T / 10, t2 = 9 * T / 10,
               L = LINKS * s->length;
  const double way = t < t1   ? A * t * t / 2
                     : t < t2 ? A * t1 * t1 / 2 + A * t1 * (t - t1)
                              : A * t1 * t2 - A * (T - t) * (T - t) / 2;
  const double speed = t < t1 ? A * t : t < t2 ? A * t1 : A * (T - t);
  const double w = 2 * s->waves * pi / L, half = s->waves * pi / LINKS;

  for (int j = 1; j < LINKS; ++j) {
    const double a = w * way + (2 * j - 1) * half, amplitude = -2 * s->winding * sin(half);
    q[2 + j] = amplitude * sin(a);
    v[2 + j] = amplitude * w * speed * cos(a);
  }
}

/* ---------------------------------------------------------------------------- derivatives ---- */

static double momentum(const snake* s, const double* q, const double* v, int j) {
  double up[N], down[N];

  memcpy(up, v, sizeof up);
  memcpy(down, v, sizeof down);
  up[j] += 1;
  down[j] -= 1;
  return (kinetic(s, q, up) - kinetic(s, q, down)) / 2;
}

static double fourth(const double y[5], double step) {
  return (y[0] - 8 * y[1] + 8 * y[3] - y[4]) / (12 * step);
}

/* The centre of mass is a coordinate, so V does not depend on theta. */
static double torque(const snake* s, double q[5][N], double v[5][N], const apl_support_row* row,
                     int j) {
  double p[5], T[5], P[5][LINKS + 1][2], result;

  for (int k = 0; k < 5; ++k) {
    double at[N];
    p[k] = momentum(s, q[k], v[k], j);
    memcpy(at, q[2], sizeof at);
    at[j] += (k - 2) * h;
    T[k] = kinetic(s, at, v[2]);
    points(s, at, P[k]);
  }
  result = fourth(p, h) - fourth(T, h);
  for (int c = 0; c < row->nsupport; ++c) {
    double x[5], z[5];
    for (int k = 0; k < 5; ++k) {
      x[k] = P[k][row->support[c] - 1][0];
      z[k] = P[k][row->support[c] - 1][1];
    }
    result -= row->friction[c] * fourth(x, h) + row->normal[c] * fourth(z, h);
  }
  return result;
}

/* Five rows about t: the coordinates there and the torques in the middle. */
static void check_at(const snake* s, apl_system* system, double t, bool stiff) {
  apl_support_options o = apl_support_options_default();
  apl_support* support;
  apl_error err;
  double time[5], q[5][N], v[5][N];

  for (int k = 0; k < 5; ++k)
    time[k] = t + (k - 2) * h;
  o.to = s->time;
  o.waves = s->waves;
  o.time = time;
  o.ntime = 5;
  o.stiff = stiff;
  if (apl_support_new(system, &o, &support, &err) != APL_OK)
    near_fail(__FILE__, __LINE__, "%s", err.text);
  for (int k = 0; k < 5; ++k) {
    const apl_support_row* row = apl_support_row_at(support, k);
    double P[LINKS + 1][2];
    for (int i = 0; i < 2; ++i) {
      q[k][i] = row->center[i];
      v[k][i] = row->speed[i];
    }
    q[k][2] = row->angle[0];
    v[k][2] = row->angle[1];
    shape(s, time[k], q[k], v[k]);

    /* the same body: its supports stand on the ground */
    points(s, q[k], P);
    for (int c = 0; c < row->nsupport; ++c)
      CHECK_NEAR(P[row->support[c] - 1][1], 0, 1e-9); /* in line to 2e-9 m (spec, fact 3) */
  }
  for (int j = 3; j < N; ++j) {
    near_context("t = %g, joint %d%s", t, j - 2, stiff ? ", stiff" : "");
    CHECK_NEAR(apl_support_effort(support, 2)[j],
               torque(s, q, v, apl_support_row_at(support, 2), j), 1e-8);
  }
  apl_support_free(support);
}

static void lagrange(void** state) {
  (void)state;
  static char text[40000];
  static const double slope[] = {0, 5};
  snake s = snake_paper();

  s.acceleration = 0.6;
  s.time = 6;
  for (int k = 0; k < 2; ++k) {
    apl_file* file;
    apl_model* model;
    apl_system* system;
    s.slope = slope[k] * pi / 180;
    snake_write(&s, text, sizeof text);
    text_load(text, &file, &model);
    CHECK_OK(apl_file_system(file, model, 0, &system, NULL));
    for (int i = 0; i < 8; ++i) /* off the switches, at every 0.1 m of travel, and off 0.6, 5.4 s */
      check_at(&s, system, 0.43 + 0.617 * i, i % 2 == 1);
    apl_system_free(system);
    apl_model_free(model);
    apl_file_free(file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(lagrange)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
