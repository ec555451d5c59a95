/* SPDX-License-Identifier: Apache-2.0 */
/* checks_balance.c: laws that no robot can break. Rates of energy and momentum come from the
   complex step along (q', a), so they hold to round-off. */
#include "checks.h"

#include "dynamics/extra.h"
#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Accelerations of forward dynamics at the point, and q'. */
static void motion(subject* sub, double* a, double* rate) {
  subject_point(sub);
  CHECK_OK(apl_forward(sub->model, sub->s));
  memcpy(a, apl_a(sub->s), sizeof *a * (size_t)sub->nv);
  CHECK_OK(apl_rates(sub->model, sub->s, rate));
}

/* Rate at which a named velocity or satellite turns. */
static double speed_of(subject* sub, const char* target) {
  const int velocity = apl_model_find(sub->model, APL_VELOCITIES, target);
  if (velocity >= 0) return sub->v[velocity];
  const int satellite = apl_model_find(sub->model, APL_SATELLITES, target);
  CHECK_TRUE(satellite >= 0, "\"%s\" is neither a velocity nor a satellite", target);
  return apl_spin(sub->s)[satellite];
}

static double dissipation(subject* sub) {
  double power = 0;
  for (int i = 0; i < sub->plan->nlink; i++) {
    const plan_link* link = &sub->plan->link[i];
    const int at = apl_model_find(sub->model, APL_LINKS, link->name);
    const apl_link_info info = apl_model_link_info(sub->model, at);
    power += kind_dissipation(link, sub->v + info.v0, sub->v + info.xv0);
  }
  return power;
}

/* Air resists with a force per length and speed: its power is -2 T and its wrench minus the
   momentum of mass-per-length that much; found by comparing with a robot that is heavier by it.
   False when no body feels the air. */
static bool drag(subject* sub, double* power, double wrench[6]) {
  plan* heavy = plan_copy(sub->plan);
  bool any = false;
  double light[2];
  double energy[2];
  double P[6];

  for (int i = 0; i < heavy->nlink; i++) {
    const plan_field* air = plan_find(&heavy->link[i], "body.air-drag");
    if (air == NULL) continue;
    const double mass = plan_find(&heavy->link[i], "body.mass-per-length")->value[0];
    plan_number(&heavy->link[i], "body.mass-per-length", mass + air->value[0]);
    any = true;
  }
  *power = 0;
  memset(wrench, 0, 6 * sizeof *wrench);
  if (any) {
    subject* other = subject_open(heavy);
    memcpy(apl_q(other->s), sub->q, sizeof *sub->q * (size_t)sub->nq);
    memcpy(apl_v(other->s), sub->v, sizeof *sub->v * (size_t)sub->nv);
    CHECK_OK(apl_energy(sub->model, sub->s, light));
    CHECK_OK(apl_energy(other->model, other->s, energy));
    CHECK_OK(apl_momentum(sub->model, sub->s, wrench));
    CHECK_OK(apl_momentum(other->model, other->s, P));
    *power = -2 * (energy[0] - light[0]);
    for (int i = 0; i < 6; i++)
      wrench[i] -= P[i];
    subject_close(other);
  }
  free(heavy);
  return any;
}

/* What the accounts say of the power of air and material, and that nothing is forgotten. */
static void check_accounts(subject* sub, double total, double air, double scale) {
  double P[APL_NACCOUNT];
  double sum = 0;

  subject_point(sub);
  CHECK_OK(apl_accounts(sub->model, sub->s, P));
  for (int i = 0; i < APL_NACCOUNT; i++)
    sum += P[i];
  CHECK_NEAR(sum, total, 1e-12 * scale);
  CHECK_NEAR(P[APL_ACCOUNT_DRAG], air, 1e-12 * scale);
}

void check_energy(subject* sub) {
  double* a = subject_take(sub, sub->nv);
  double* rate = subject_take(sub, sub->nq);
  double z[4];
  double energy_rate[2];
  double V[6];
  double A[6];
  double power = 0;

  motion(sub, a, rate);
  double scale = near_max(sub->v, sub->nv) * sub->nv * check_effort_scale(sub, a);

  /* efforts, inputs, loads, dampers */
  power += dense_dot(sub->tau, sub->v, sub->nv);
  for (int i = 0; i < sub->plan->ninput; i++) {
    const plan_input* input = &sub->plan->input[i];
    const int at = apl_model_find(sub->model, APL_INPUTS, input->name);
    double speed;
    if (input->push) {
      const int port = apl_model_find(sub->model, APL_PORTS, input->target);
      CHECK_OK(apl_port_motion(sub->model, sub->s, port, input->axes, V, A));
      speed = dense_dot(input->wrench, V, 6);
    } else {
      speed = speed_of(sub, input->target);
    }
    power += input->gain * sub->u[at] * speed;
  }
  for (int p = 0; p < sub->nport; p++) {
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, sub->axes[p], V, A));
    const double one = dense_dot(sub->load + 6 * p, V, 6);
    power += one;
    scale += fabs(one);
  }
  power -= dissipation(sub);
  double air;
  double unused[6];
  if (drag(sub, &air, unused)) power += air;
  check_accounts(sub, power, air, scale);

  subject_complex(sub, rate, a, NULL, NULL);
  CHECK_OK(apl_energy(sub->model, sub->z, z));
  subject_derivative(z, 2, energy_rate);
  CHECK_NEAR(energy_rate[0] + energy_rate[1], power, 1e-12 * scale);
  CHECK_ALIVE(&power, 1, 1e-6);

  /* kinetic energy is what the mass matrix says */
  double* M = subject_take(sub, sub->nv * sub->nv);
  double* Mv = subject_take(sub, sub->nv);
  CHECK_OK(apl_mass_matrix(sub->model, sub->s, M));
  dense_times(M, sub->v, sub->nv, sub->nv, Mv);
  const double kinetic = 0.5 * dense_dot(sub->v, Mv, sub->nv);
  CHECK_NEAR(z[0], kinetic, 1e-12 * scale);
}

/* Add a wrench at the place of a pose, given in its or in world axes, to one about the world's
 * origin. */
static void add_wrench(const double* pose, apl_axes axes, const double* W, double* sum) {
  double moment[3];
  double force[3];
  double arm[3];

  if (axes == APL_PORT_AXES) {
    dense_times(pose, W, 3, 3, moment);
    dense_times(pose, W + 3, 3, 3, force);
  } else {
    memcpy(moment, W, sizeof moment);
    memcpy(force, W + 3, sizeof force);
  }
  dense_cross(pose + 9, force, arm);
  for (int i = 0; i < 3; i++) {
    sum[i] += moment[i] + arm[i];
    sum[3 + i] += force[i];
  }
}

void check_momentum(subject* sub) {
  double* a = subject_take(sub, sub->nv);
  double* rate = subject_take(sub, sub->nq);
  double z[12];
  double momentum_rate[6];
  double wrench[6] = {0};
  double pose[12] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
  double V[6];
  double A[6];

  motion(sub, a, rate);

  /* weight at the centre of mass, loads, and the effort on the root, which is a wrench in its axes
   */
  const double mass = apl_model_mass(sub->model);
  const apl_vec3 g = apl_model_gravity(sub->model);
  const double weight[6] = {0, 0, 0, mass * g.x, mass * g.y, mass * g.z};
  CHECK_OK(apl_center(sub->model, sub->s, pose + 9));
  add_wrench(pose, APL_WORLD_AXES, weight, wrench);
  double fastest = 1;
  double reach = 1;
  for (int p = 0; p < sub->nport; p++) {
    CHECK_OK(apl_port_pose(sub->model, sub->s, p, pose));
    add_wrench(pose, sub->axes[p], sub->load + 6 * p, wrench);
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, APL_WORLD_AXES, V, A));
    fastest = fmax(fastest, near_max(A, 6));
    reach = fmax(reach, near_max(pose + 9, 3));
  }
  for (int i = 0; i < sub->plan->ninput; i++) {
    const plan_input* input = &sub->plan->input[i];
    double W[6];
    if (!input->push) continue;
    const double u = sub->u[apl_model_find(sub->model, APL_INPUTS, input->name)];
    for (int k = 0; k < 6; k++)
      W[k] = input->gain * u * input->wrench[k];
    CHECK_OK(apl_port_pose(sub->model, sub->s, apl_model_find(sub->model, APL_PORTS, input->target),
                           pose));
    add_wrench(pose, input->axes, W, wrench);
  }
  const apl_link_info root = apl_model_link_info(sub->model, 0);
  CHECK_OK(apl_port_pose(sub->model, sub->s, root.port, pose));
  add_wrench(pose, APL_PORT_AXES, sub->tau + root.v0, wrench);
  double air[6];
  double unused;
  drag(sub, &unused, air);
  for (int i = 0; i < 6; i++)
    wrench[i] += air[i];

  /* the library's own sum of all that acts from outside */
  double external[6];
  memcpy(apl_a(sub->s), a, sizeof *a * (size_t)sub->nv);
  CHECK_OK(apl_external(sub->model, sub->s, external));
  CHECK_ARRAY(external, wrench, 6, 1e-12, mass * fastest * reach);

  subject_complex(sub, rate, a, NULL, NULL);
  CHECK_OK(apl_momentum(sub->model, sub->z, z));
  subject_derivative(z, 6, momentum_rate);
  CHECK_ALIVE(wrench, 6, 0.1);

  /* the parts are mass times acceleration times arm, far larger than their sum */
  CHECK_ARRAY(momentum_rate, wrench, 6, 1e-12, mass * fastest * reach);
}

void check_weight(subject* sub) {
  const int n = sub->nv;
  plan* weightless = plan_copy(sub->plan);
  double* with = subject_take(sub, n);
  double* pull = subject_take(sub, n);
  double* rate = subject_take(sub, sub->nq);
  double z[6];
  double column[3];

  weightless->gravity = (apl_vec3){0, 0, 0};
  subject* other = subject_open(weightless);
  memcpy(apl_q(other->s), sub->q, sizeof *sub->q * (size_t)sub->nq);
  CHECK_OK(apl_bias(other->model, other->s, pull));

  subject_point(sub);
  subject_no_loads(sub, sub->s);
  memset(apl_v(sub->s), 0, sizeof *sub->v * (size_t)n);
  for (int i = 0; i < sub->nu; i++)
    apl_u(sub->s)[i] = 0;
  CHECK_OK(apl_bias(sub->model, sub->s, with));

  /* virtual work: gravity takes -mass g . (rate of the centre) of each unit velocity */
  const apl_vec3 g = apl_model_gravity(sub->model);
  const double mass = apl_model_mass(sub->model);
  for (int k = 0; k < n; k++) {
    memset(apl_v(sub->s), 0, sizeof *sub->v * (size_t)n);
    apl_v(sub->s)[k] = 1;
    CHECK_OK(apl_rates(sub->model, sub->s, rate));
    subject_complex(sub, rate, NULL, NULL, NULL);
    CHECK_OK(apl_center(sub->model, sub->z, z));
    subject_derivative(z, 3, column);
    pull[k] -= mass * (g.x * column[0] + g.y * column[1] + g.z * column[2]);
  }
  const double scale = 1 + 10 * mass + near_max(with, n);
  CHECK_ARRAY(with, pull, n, 1e-12, scale);
  subject_close(other);
  free(weightless);
}
