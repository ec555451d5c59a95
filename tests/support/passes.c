/* SPDX-License-Identifier: Apache-2.0 */
/* passes.c: see passes.h. */
#include "passes.h"

#include "dynamics/denoc.h"
#include "dynamics/extra.h"
#include "dynamics/factor.h"

#include <string.h>

static int copy(apl_state* state, const double* from, int n, double* out) {
  memcpy(out, from, sizeof *out * (size_t)(n * apl_state_width(state)));
  return n;
}

static int inverse(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_inverse(m, s) ? -1 : copy(s, apl_tau(s), apl_model_nv(m), out);
}

static int forward(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_forward(m, s) ? -1 : copy(s, apl_a(s), apl_model_nv(m), out);
}

static int bias(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_bias(m, s, out) ? -1 : apl_model_nv(m);
}

static int mass_matrix(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_mass_matrix(m, s, out) ? -1 : apl_model_nv(m) * apl_model_nv(m);
}

static int rates(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  const int nq = apl_model_nq(m);
  if (apl_rates(m, s, out)) return -1;
  return nq +
         copy(s, apl_spin(s), apl_model_count(m, APL_SATELLITES), out + nq * apl_state_width(s));
}

static int pose(const apl_model* m, apl_state* s, int port, double* out) {
  return apl_port_pose(m, s, port, out) ? -1 : 12;
}

static int motion(const apl_model* m, apl_state* s, int port, double* out) {
  return apl_port_motion(m, s, port, APL_PORT_AXES, out, out + 6 * apl_state_width(s)) ? -1 : 12;
}

static int world_motion(const apl_model* m, apl_state* s, int port, double* out) {
  return apl_port_motion(m, s, port, APL_WORLD_AXES, out, out + 6 * apl_state_width(s)) ? -1 : 12;
}

static int jacobian(const apl_model* m, apl_state* s, int port, double* out) {
  return apl_jacobian(m, s, port, APL_PORT_AXES, out) ? -1 : 6 * apl_model_nv(m);
}

static int world_jacobian(const apl_model* m, apl_state* s, int port, double* out) {
  return apl_jacobian(m, s, port, APL_WORLD_AXES, out) ? -1 : 6 * apl_model_nv(m);
}

static int energy(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_energy(m, s, out) ? -1 : 2;
}

static int momentum(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_momentum(m, s, out) ? -1 : 6;
}

static int center(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_center(m, s, out) ? -1 : 3;
}

static int regressor(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_regressor(m, s, out) ? -1 : apl_model_nv(m) * 10 * apl_model_count(m, APL_LINKS);
}

static int denoc_inverse(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_denoc_inverse(m, s) ? -1 : copy(s, apl_tau(s), apl_model_nv(m), out);
}

static int denoc_forward(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_denoc_forward(m, s) ? -1 : copy(s, apl_a(s), apl_model_nv(m), out);
}

static int denoc_factor(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  const int nn = apl_model_nv(m) * apl_model_nv(m);
  return apl_denoc_factor(m, s, out, out + nn * apl_state_width(s)) ? -1 : 2 * nn;
}

static int tangent_rates(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  return apl_tangent_rates(m, s, out) ? -1 : apl_model_nt(m);
}

/* rate, q + rate, (q + rate) - q */
static int tangent(const apl_model* m, apl_state* s, int port, double* out) {
  (void)port;
  double* rate = out;
  double* sum = rate + apl_model_nt(m) * apl_state_width(s);
  double* back = sum + apl_model_nq(m) * apl_state_width(s);
  if (apl_tangent_rates(m, s, rate) || apl_add(m, s, apl_q(s), rate, sum) ||
      apl_subtract(m, s, sum, apl_q(s), back)) {
    return -1;
  }
  return 2 * apl_model_nt(m) + apl_model_nq(m);
}

/* Three rows: a port against the world and against another one, and a velocity. */
enum { ROWS = 3 };
static void rows_at(const apl_model* m, int port, apl_row* row) {
  const apl_row three[ROWS] = {
      {{port, -1}, APL_WORLD_AXES, {{0.2, -0.1, 0.3, 0.5, 1, -0.4}}, -1, 0},
      {{port, 0}, APL_PORT_AXES, {{0, 0.3, 0.1, 1, 0, 0.2}, {0.1, 0, -0.2, -1, 0.3, 0}}, -1, 0},
      {{-1, -1}, APL_PORT_AXES, {{0}}, apl_model_nv(m) - 1, 0.7}};
  memcpy(row, three, sizeof three);
}

static int row_motion(const apl_model* m, apl_state* s, int port, double* out) {
  apl_row row[ROWS];
  rows_at(m, port, row);
  return apl_row_motion(m, s, row, ROWS, out, out + ROWS * apl_state_width(s)) ? -1 : 2 * ROWS;
}

/* J (M + g C + g^2 K)^-1 J^T behind the halves of the rows */
static int row_inertia_of(const apl_model* m, apl_state* s, int port, double g, double* out) {
  const int nv = apl_model_nv(m);
  apl_row row[ROWS];
  rows_at(m, port, row);
  if (apl_factor(m, s, g) || apl_row_half(m, s, row, ROWS, out) ||
      apl_row_inertia(m, s, row, ROWS, out, out + ROWS * nv * apl_state_width(s))) {
    return -1;
  }
  return ROWS * nv + ROWS * ROWS;
}

static int row_inertia(const apl_model* m, apl_state* s, int port, double* out) {
  return row_inertia_of(m, s, port, 0, out);
}

static int stiff_row_inertia(const apl_model* m, apl_state* s, int port, double* out) {
  return row_inertia_of(m, s, port, 0.02, out);
}

/* for tau and the rows, and again from the half of the first row alone */
static int solution(const apl_model* m, apl_state* s, int port, double* out) {
  const int size = apl_model_nv(m) * apl_state_width(s);
  double* effort = out + size;
  double* z = effort + size;
  double* spread = z + size;
  double force[ROWS * 4] = {0};
  apl_row row[ROWS];

  rows_at(m, port, row);
  for (int i = 0; i < ROWS * apl_state_width(s); i++)
    force[i] = apl_state_width(s) != 2 || i % 2 == 0 ? 0.3 + i / apl_state_width(s) : 0;
  memcpy(out, apl_a(s), sizeof *out * (size_t)size);
  if (apl_factor(m, s, 0) || apl_solve(m, s, apl_tau(s), row, force, ROWS, out, effort) ||
      apl_row_half(m, s, row, 1, z) || apl_spread(m, s, z, spread, NULL)) {
    return -1;
  }
  return 4 * apl_model_nv(m);
}

/* of a, which stands in front: robots without springs have nothing else to show */
static int stiffness(const apl_model* m, apl_state* s, int port, double* out) {
  const int nv = apl_model_nv(m);
  double* K = out + nv * apl_state_width(s);
  (void)port;
  if (apl_stiffness(m, s, apl_a(s), K, K + nv * apl_state_width(s))) return -1;
  return 2 * nv + copy(s, apl_a(s), nv, out);
}

static const pass list[] = {
    {"inverse", false, inverse},
    {"forward", false, forward},
    {"bias", false, bias},
    {"mass matrix", false, mass_matrix},
    {"rates", false, rates},
    {"port pose", false, pose},
    {"port motion", false, motion},
    {"port motion in world axes", false, world_motion},
    {"jacobian", false, jacobian},
    {"jacobian in world axes", false, world_jacobian},
    {"energy", false, energy},
    {"momentum", false, momentum},
    {"center", false, center},
    {"regressor", false, regressor},
    {"denoc inverse", true, denoc_inverse},
    {"denoc forward", true, denoc_forward},
    {"denoc factor", true, denoc_factor},
    {"row motion", false, row_motion},
    {"row inertia", false, row_inertia},
    {"row inertia with stiffness", false, stiff_row_inertia},
    {"solution", false, solution},
    {"stiffness", false, stiffness},
    {"tangent rates", false, tangent_rates},
    {"add and subtract", false, tangent},
    {NULL, false, NULL},
};

pass passes_at(int i) {
  return list[i];
}

int passes_room(const apl_model* m) {
  const int nv = apl_model_nv(m);
  const int most =
      nv > 5 * apl_model_count(m, APL_LINKS) ? 2 * nv : 10 * apl_model_count(m, APL_LINKS);
  return 64 + 9 * nv + nv * most + 3 * (apl_model_nq(m) + apl_model_nt(m)) + 6 * nv +
         apl_model_count(m, APL_SATELLITES);
}
