/* passes.c: see passes.h. */
#include "passes.h"

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
  return nq + copy(s, apl_spin(s), apl_model_nsatellite(m), out + nq * apl_state_width(s));
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
  return apl_regressor(m, s, out) ? -1 : apl_model_nv(m) * 10 * apl_model_nlink(m);
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
    {"tangent rates", false, tangent_rates},
    {"add and subtract", false, tangent},
    {NULL, false, NULL},
};

pass passes_at(int i) {
  return list[i];
}

int passes_room(const apl_model* m) {
  const int nv = apl_model_nv(m);
  const int most = nv > 5 * apl_model_nlink(m) ? 2 * nv : 10 * apl_model_nlink(m);
  return 64 + nv * most + 3 * (apl_model_nq(m) + apl_model_nt(m)) + 6 * nv +
         apl_model_nsatellite(m);
}
