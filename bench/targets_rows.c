/* SPDX-License-Identifier: Apache-2.0 */
/* targets_rows.c: what factors and rows cost: J M^-1 J^T of a quadruped on four feet and of a
   planar snake that touches everywhere, against forward dynamics of the same robot in the same run.
 */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"

#include "dynamics/factor.h"
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUAD_ROWS = 12, SNAKE_LINKS = 16, SNAKE_ROWS = 2 * (SNAKE_LINKS + 1), ROUNDS = 40 };

static void give_mass(apl_spec* spec, int link, double mass, apl_vec3 com, apl_vec3 J) {
  const double inertia[6] = {J.x, J.y, J.z, 0, 0, 0};

  apl_spec_number(spec, link, "body.mass", mass);
  apl_spec_vec3(spec, link, "body.com", com.x, com.y, com.z);
  apl_spec_put(spec, link, "body.inertia", inertia, 6);
}

static void give_spring(apl_spec* spec, int link, double stiffness, double damping, double rest) {
  apl_spec_number(spec, link, "joint.stiffness", stiffness);
  apl_spec_number(spec, link, "joint.damping", damping);
  apl_spec_number(spec, link, "joint.rest", rest);
}

/* A trunk of 6 kg on four legs of three joints, with springs: 18 freedoms. */
static apl_model* quadruped(void) {
  static const char* const leg[4] = {"fl", "fr", "rl", "rr"};
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  const int trunk = apl_spec_link(spec, "trunk", "world", "floating", "rigid");
  give_mass(spec, trunk, 6, (apl_vec3){0, 0, 0}, (apl_vec3){0.017, 0.057, 0.065});
  for (int i = 0; i < 4; ++i) {
    const double x = i < 2 ? 0.19 : -0.19, side = i % 2 == 0 ? 1 : -1;
    char hip[16], thigh[16], calf[16];
    (void)snprintf(hip, sizeof hip, "%s_hip", leg[i]);
    (void)snprintf(thigh, sizeof thigh, "%s_thigh", leg[i]);
    (void)snprintf(calf, sizeof calf, "%s_calf", leg[i]);
    const int a = apl_spec_link(spec, hip, "trunk", "revolute", "rigid");
    const int b = apl_spec_link(spec, thigh, hip, "revolute", "rigid");
    const int c = apl_spec_link(spec, calf, thigh, "revolute", "rigid");
    apl_spec_vec3(spec, a, "joint.axis", 1, 0, 0);
    apl_spec_vec3(spec, b, "joint.axis", 0, 1, 0);
    apl_spec_vec3(spec, c, "joint.axis", 0, 1, 0);
    apl_spec_place(spec, a, apl_pose_at(x, 0.05 * side, 0));
    apl_spec_place(spec, b, apl_pose_at(0, 0.08 * side, 0));
    apl_spec_place(spec, c, apl_pose_at(0, 0, -0.2));
    give_mass(spec, a, 0.7, (apl_vec3){0, 0.02 * side, 0}, (apl_vec3){5e-4, 8e-4, 6e-4});
    give_mass(spec, b, 1.0, (apl_vec3){0, 0, -0.05}, (apl_vec3){5e-3, 5e-3, 1e-3});
    give_mass(spec, c, 0.15, (apl_vec3){0, 0, -0.1}, (apl_vec3){1e-3, 1e-3, 4e-5});
    give_spring(spec, a, 40, 1, 0);
    give_spring(spec, b, 40, 1, 0.7);
    give_spring(spec, c, 40, 1, -1.4);
    apl_spec_port(spec, c, "foot", 0.0, apl_pose_at(0, 0, -0.2));
  }
  return target_model(spec);
}

/* Links in a plane, the first of them free in it: 18 freedoms. */
static apl_model* snake(void) {
  apl_spec* spec;
  char on[16] = "world", name[16];
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  for (int i = 0; i < SNAKE_LINKS; ++i) {
    (void)snprintf(name, sizeof name, "link%d", i);
    const int link = apl_spec_link(spec, name, on, i == 0 ? "planar" : "revolute", "rigid");
    if (i > 0) apl_spec_place(spec, link, apl_pose_at(0.1, 0, 0));
    apl_spec_vec3(spec, link, i == 0 ? "joint.normal" : "joint.axis", 0, 0, 1);
    give_mass(spec, link, 0.3, (apl_vec3){0.05, 0, 0}, (apl_vec3){1e-4, 3e-4, 3e-4});
    (void)snprintf(on, sizeof on, "%s", name);
  }
  return target_model(spec);
}

/* A force of one along x, y (and z) at each of some ports. */
static void rows_on(const int* port, int n, int directions, apl_row* row) {
  for (int i = 0; i < n * directions; ++i) {
    row[i] = (apl_row){{port[i / directions], -1}, APL_PORT_AXES, {{0}}, -1, 0};
    row[i].wrench[0][3 + i % directions] = 1;
  }
}

/* Least seconds of forward dynamics, of factors with rows on top of what it leaves behind, and of
   factors alone; frees the model. */
typedef struct cost {
  double forward, with_rows, factor, implicit;
} cost;

static cost cost_of(apl_model* m, const apl_row* row, int n) {
  const int calls = 200, nv = m == NULL ? 0 : apl_model_nv(m);
  cost least = {HUGE_VAL, HUGE_VAL, HUGE_VAL, HUGE_VAL};
  double* z = malloc(sizeof *z * (size_t)(n * nv + 1));
  double* G = malloc(sizeof *G * (size_t)(n * n));
  apl_state* s = NULL;

  if (m != NULL && z != NULL && G != NULL && apl_state_new(m, APL_SCALAR, &s) == APL_OK) {
    for (int i = 0; i < nv; ++i)
      apl_v(s)[i] = 0.3;
    for (int round = 0; round < ROUNDS; ++round) {
      const double t0 = cpu_seconds();
      for (int i = 0; i < calls; ++i)
        (void)apl_forward(m, s);
      const double t1 = cpu_seconds();
      for (int i = 0; i < calls; ++i) {
        (void)apl_forward(m, s);
        (void)apl_factor_last(m, s);
        (void)apl_row_half(m, s, row, n, z);
        (void)apl_row_inertia(m, s, row, n, z, G);
      }
      const double t2 = cpu_seconds();
      for (int i = 0; i < calls; ++i)
        (void)apl_factor(m, s, 0.0);
      const double t3 = cpu_seconds();
      for (int i = 0; i < calls; ++i)
        (void)apl_factor(m, s, 1e-3);
      const double t4 = cpu_seconds();
      least.forward = fmin(least.forward, (t1 - t0) / calls);
      least.with_rows = fmin(least.with_rows, (t2 - t1) / calls);
      least.factor = fmin(least.factor, (t3 - t2) / calls);
      least.implicit = fmin(least.implicit, (t4 - t3) / calls);
    }
  }
  apl_state_free(s);
  apl_model_free(m);
  free(z);
  free(G);
  return least;
}

static cost quadruped_cost(void) {
  static const char* const foot[4] = {"fl_calf.foot", "fr_calf.foot", "rl_calf.foot",
                                      "rr_calf.foot"};
  apl_model* m = quadruped();
  apl_row row[QUAD_ROWS];
  int port[4];

  for (int i = 0; i < 4; ++i)
    port[i] = m == NULL ? 0 : apl_model_find(m, APL_PORTS, foot[i]);
  rows_on(port, 4, 3, row);
  return cost_of(m, row, QUAD_ROWS);
}

static cost snake_cost(void) {
  apl_model* m = snake();
  apl_row row[SNAKE_ROWS];
  int port[SNAKE_LINKS + 1];

  for (int i = 0; i <= SNAKE_LINKS; ++i)
    port[i] = m == NULL ? 0 : apl_model_link_info(m, i < SNAKE_LINKS ? i : i - 1).port;
  rows_on(port, SNAKE_LINKS + 1, 2, row);
  return cost_of(m, row, SNAKE_ROWS);
}

double target_quadruped_rows(void) {
  const cost c = quadruped_cost();
  return (c.with_rows - c.forward) / (QUAD_ROWS * c.forward);
}

double target_quadruped_factor(void) {
  const cost c = quadruped_cost();
  return c.factor / c.forward;
}

double target_quadruped_implicit(void) {
  const cost c = quadruped_cost();
  return c.implicit / c.forward;
}

double target_snake_rows(void) {
  const cost c = snake_cost();
  return 1e6 * (c.with_rows - c.forward);
}

double target_snake_factor(void) {
  const cost c = snake_cost();
  return c.factor / c.forward;
}
