/* SPDX-License-Identifier: Apache-2.0 */
/* test_attachments.c: what is attached to joints and ports: rotors, springs, inputs, loads. */
#include "checks.h"

#include "dynamics/extra.h"
#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A rotor adds ratio^2 inertia to its own row of M and column, and nothing else; its spin follows.
 */
static void rotor(void** state) {
  (void)state;
  rng r = rng_seed(41);
  plan* bare = plan_new();
  for (int i = 0; i < 2; i++) {
    plan_link* link = plan_add(bare, i == 0 ? "a" : "b", i == 0 ? "world" : "a",
                               i == 0 ? "universal" : "revolute", "rigid");
    kind_fill(link, &r);
  }
  plan* geared = plan_copy(bare);
  geared->link[0].rotor = (plan_rotor){true, 1, 2e-3, 20};
  near_context("rotor");
  subject* a = subject_open(bare);
  subject* b = subject_open(geared);
  subject_randomise(a, &r);
  memset(a->load, 0, sizeof *a->load * (size_t)(6 * a->nport));
  double M[9];
  double Mg[9];
  double Ea[2];
  double Eb[2];
  double rate[3];
  double bias[6];
  memcpy(b->q, a->q, sizeof *a->q * 3);
  memcpy(b->v, a->v, sizeof *a->v * 3);
  subject_point(a);
  subject_point(b);
  CHECK_OK(apl_mass_matrix(a->model, a->s, M));
  CHECK_OK(apl_mass_matrix(b->model, b->s, Mg));
  M[4] += 2e-3 * 20 * 20;
  CHECK_ARRAY(Mg, M, 9, 1e-15, near_max(M, 9));
  CHECK_OK(apl_bias(a->model, a->s, bias));
  CHECK_OK(apl_bias(b->model, b->s, bias + 3));
  CHECK_ARRAY(bias + 3, bias, 3, 1e-14, near_max(bias, 3));
  CHECK_OK(apl_rates(b->model, b->s, rate));
  assert_int_equal(apl_model_count(b->model, APL_SATELLITES), 1);
  assert_string_equal(apl_model_name(b->model, APL_SATELLITES, 0), "a.rotor");
  CHECK_NEAR(apl_spin(b->s)[0], 20 * a->v[1], 1e-15 * 20);
  CHECK_OK(apl_energy(a->model, a->s, Ea));
  CHECK_OK(apl_energy(b->model, b->s, Eb));
  const double spin = apl_spin(b->s)[0];
  CHECK_NEAR(Eb[0], Ea[0] + 0.5 * 2e-3 * spin * spin, 1e-14 * Eb[0]);
  subject_close(b);
  subject_close(a);
  free(geared);
  free(bare);
}

/* A load in port axes is the same as the turned one in world axes. */
static void load_axes(void** state) {
  (void)state;
  rng r = rng_seed(51);
  plan* p = plan_new();
  plan_link* link = plan_add(p, "a", "world", "spherical", "rigid");
  kind_fill(link, &r);
  plan_at_port(link, "p", 0, rng_pose(&r, 0.5));
  near_context("load axes");
  subject* sub = subject_open(p);
  subject_randomise(sub, &r);
  subject_point(sub);
  subject_no_loads(sub, sub->s);
  const int port = apl_model_find(sub->model, APL_PORTS, "a.p");
  const double W[6] = {1, -2, 3, 4, 5, -6};
  double pose[12];
  double moment[3];
  double force[3];
  double tau[3];
  const apl_wrench own = {{W[0], W[1], W[2]}, {W[3], W[4], W[5]}};

  CHECK_OK(apl_load(sub->model, sub->s, port, APL_PORT_AXES, own));
  CHECK_OK(apl_inverse(sub->model, sub->s));
  memcpy(tau, apl_tau(sub->s), sizeof tau);
  CHECK_OK(apl_port_pose(sub->model, sub->s, port, pose));
  dense_times(pose, W, 3, 3, moment);
  dense_times(pose, W + 3, 3, 3, force);
  const apl_wrench world = {{moment[0], moment[1], moment[2]}, {force[0], force[1], force[2]}};
  CHECK_OK(apl_load(sub->model, sub->s, port, APL_WORLD_AXES, world));
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_ALIVE(tau, 3, 0.1);
  CHECK_ARRAY(apl_tau(sub->s), tau, 3, 1e-14, 10 + near_max(tau, 3));

  /* the wide form says the same, and reset takes loads away */
  const double wide[6] = {moment[0], moment[1], moment[2], force[0], force[1], force[2]};
  CHECK_OK(apl_load_wide(sub->model, sub->s, port, APL_WORLD_AXES, wide));
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_ARRAY(apl_tau(sub->s), tau, 3, 1e-14, 10 + near_max(tau, 3));
  apl_state_reset(sub->s);
  subject_no_loads(sub, sub->z);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  double reset[3];
  memcpy(reset, apl_tau(sub->s), sizeof reset);
  subject_no_loads(sub, sub->s);
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_ARRAY(reset, apl_tau(sub->s), 3, 0, 0);
  subject_close(sub);
  free(p);
}

/* One call loads all lanes; complex wrenches give the derivative by the load, which is -J^T. */
static void load_numbers(void** state) {
  (void)state;
  rng r = rng_seed(52);
  plan* p = plan_new();
  plan_link* link = plan_add(p, "a", "world", "floating", "rigid");
  kind_fill(link, &r);
  plan_at_port(link, "p", 0, rng_pose(&r, 0.5));
  near_context("loads on lanes and complex states");
  subject* sub = subject_open(p);
  apl_state* lanes;
  CHECK_OK(apl_state_new(sub->model, APL_LANES, &lanes));
  subject_randomise(sub, &r);
  memset(sub->load, 0, sizeof *sub->load * (size_t)(6 * sub->nport));
  subject_point(sub);
  const int port = apl_model_find(sub->model, APL_PORTS, "a.p");
  const apl_wrench W = {{1, -2, 3}, {4, 5, -6}};

  CHECK_OK(apl_load(sub->model, sub->s, port, APL_WORLD_AXES, W));
  CHECK_OK(apl_inverse(sub->model, sub->s));
  CHECK_OK(apl_load(sub->model, lanes, port, APL_WORLD_AXES, W));
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < sub->nq; i++)
      apl_q(lanes)[4 * i + k] = sub->q[i];
    for (int i = 0; i < sub->nv; i++) {
      apl_v(lanes)[4 * i + k] = sub->v[i];
      apl_a(lanes)[4 * i + k] = sub->a[i];
    }
  }
  CHECK_OK(apl_inverse(sub->model, lanes));
  for (int k = 0; k < 4; k++) {
    for (int i = 0; i < sub->nv; i++)
      CHECK_NEAR(apl_tau(lanes)[4 * i + k], apl_tau(sub->s)[i], 1e-13);
  }

  double J[36];
  double rate[6];
  CHECK_OK(apl_jacobian(sub->model, sub->s, port, APL_WORLD_AXES, J));
  subject_complex(sub, NULL, NULL, NULL, NULL);
  for (int k = 0; k < 6; k++) {
    double wide[12] = {0};
    wide[2 * k + 1] = SUBJECT_STEP;
    CHECK_OK(apl_load_wide(sub->model, sub->z, port, APL_WORLD_AXES, wide));
    CHECK_OK(apl_inverse(sub->model, sub->z));
    subject_derivative(apl_tau(sub->z), 6, rate);
    for (int i = 0; i < 6; i++)
      CHECK_NEAR(rate[i], -J[6 * k + i], 1e-14);
  }
  apl_state_free(lanes);
  subject_close(sub);
  free(p);
}

/* One pendulum with everything: tau = spring + damper - gain u, by hand, at rest and without
 * gravity. */
static void spring_damper_input(void** state) {
  (void)state;
  const double rest = 0.4;
  apl_spec* spec;
  apl_model* model;
  apl_state* s;
  apl_error err;
  double energy[2];

  near_context("spring, damper, input");
  CHECK_OK(apl_spec_new(&spec));
  apl_spec_gravity(spec, (apl_vec3){0, 0, 0});
  const int arm = apl_spec_link(spec, "arm", "world", "revolute", "rigid");
  apl_spec_number(spec, arm, "body.mass", 2.0);
  apl_spec_vec3(spec, arm, "body.com", 0.5, 0, 0);
  apl_spec_number(spec, arm, "joint.stiffness", 3.0);
  apl_spec_number(spec, arm, "joint.damping", 0.7);
  apl_spec_number(spec, arm, "joint.rest", rest);
  apl_spec_input(spec, "motor", "arm.joint.angle", 2.5);
  CHECK_OK(apl_model_new(spec, &model, &err));
  apl_spec_free(spec);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_q(s)[0] = 1.1;
  apl_v(s)[0] = -0.6;
  apl_u(s)[0] = 0.3;
  CHECK_OK(apl_inverse(model, s));
  CHECK_NEAR(apl_tau(s)[0], 3.0 * (1.1 - rest) + 0.7 * -0.6 - 2.5 * 0.3, 1e-15 * 4);
  CHECK_OK(apl_energy(model, s, energy));
  CHECK_NEAR(energy[0], 0.5 * 2.0 * 0.25 * 0.36, 1e-15);
  CHECK_NEAR(energy[1], 0.5 * 3.0 * (1.1 - rest) * (1.1 - rest), 1e-15);
  apl_state_free(s);
  apl_model_free(model);
}

/* A ball joint with unequal springs, turned from its rest by angles around those where formulas
   change (none, tiny, a tenth, near half a turn): efforts must be the slope of the potential. */
static void spring_angles(void** state) {
  (void)state;
  static const double angle[] = {0,   1e-12, 1e-8, 9e-6, 1e-5, 1.1e-5, 2e-5, 1e-3,  0.05, 0.099,
                                 0.1, 0.101, 0.2,  1,    2,    3,      3.1,  -1e-5, -0.1};
  rng r = rng_seed(61);
  const double stiffness[6] = {3, 7, 20, 5, 11, 2};
  const apl_quat rest = rng_rotation(&r, 1);

  for (int joint = 0; joint < 2; joint++) {
    const double seven[7] = {0.1, 0.2, 0.3, rest.w, rest.x, rest.y, rest.z};
    plan* p = plan_new();
    plan_link* link = plan_add(p, "a", "world", joint == 0 ? "spherical" : "floating", "rigid");
    kind_fill(link, &r);
    plan_put(link, "joint.stiffness", stiffness, joint == 0 ? 3 : 6);
    plan_put(link, "joint.rest", joint == 0 ? seven + 3 : seven, joint == 0 ? 4 : 7);
    subject* sub = subject_open(p);
    for (int i = 0; i < (int)(sizeof angle / sizeof *angle); i++) {
      const apl_vec3 axis = rng_direction(&r);
      double delta[6] = {0.4, -0.3, 0.2, 0.4, -0.3, 0.2};
      double energy[2];
      double back[6];

      /* the rotation stands last in the tangent, as it does in q */
      near_context("spring on a %s joint at %g rad", link->joint, angle[i]);
      subject_randomise(sub, &r);
      memset(sub->load, 0, sizeof *sub->load * (size_t)(6 * sub->nport));
      double* turn = delta + sub->nt - 3;
      turn[0] = angle[i] * axis.x;
      turn[1] = angle[i] * axis.y;
      turn[2] = angle[i] * axis.z;
      const double* from = joint == 0 ? seven + 3 : seven;
      CHECK_OK(apl_add(sub->model, sub->s, from, delta, sub->q));
      CHECK_OK(apl_subtract(sub->model, sub->s, sub->q, from, back));
      CHECK_ARRAY(back, delta, sub->nt, 2e-15, 4);
      check_energy(sub);
      check_round_trip(sub);

      /* the potential itself: 1/2 sum k delta^2 beside gravity */
      double center[3];
      double want = 0;
      subject_point(sub);
      CHECK_OK(apl_energy(sub->model, sub->s, energy));
      CHECK_OK(apl_center(sub->model, sub->s, center));
      for (int k = 0; k < sub->nt; k++)
        want += 0.5 * stiffness[k] * delta[k] * delta[k];
      want += apl_model_mass(sub->model) * 9.81 * center[2];
      CHECK_NEAR(energy[1], want, 1e-13 * (50 + fabs(want)));
    }
    subject_close(sub);
    free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rotor),         cmocka_unit_test(load_axes),
      cmocka_unit_test(load_numbers),  cmocka_unit_test(spring_damper_input),
      cmocka_unit_test(spring_angles),
  };
  return cmocka_run_group_tests_name("attachments", tests, NULL, NULL);
}
