/* SPDX-License-Identifier: Apache-2.0 */
/* checks_motion.c: kinematics. The only thing believed is apl_port_pose(): twists must be its rate
   along q' = apl_rates(), accelerations the rate of the twists along (q', a). */
#include "checks.h"
#include "dense.h"

#include <math.h>
#include <string.h>

/* Twist in world axes from the rate of a pose: angular from skew(w) = R' R^T. */
static void twist_of_rate(const double* pose, const double* rate, double* twist) {
  double W[9];
  double Rt[9];

  dense_transpose(pose, 3, 3, Rt);
  dense_product(rate, Rt, 3, 3, 3, W);
  twist[0] = 0.5 * (W[7] - W[5]);
  twist[1] = 0.5 * (W[2] - W[6]);
  twist[2] = 0.5 * (W[3] - W[1]);
  memcpy(twist + 3, rate + 9, 3 * sizeof *twist);
}

/* World to port axes, both halves. */
static void to_port(const double* pose, const double* in, double* out) {
  dense_times_transposed(pose, in, 3, 3, out);
  dense_times_transposed(pose, in + 3, 3, 3, out + 3);
}

/* q + h q', v + h a in the scalar state. */
static void shift(subject* sub, const double* rate, double h) {
  for (int i = 0; i < sub->nq; i++)
    apl_q(sub->s)[i] = sub->q[i] + h * rate[i];
  for (int i = 0; i < sub->nv; i++)
    apl_v(sub->s)[i] = sub->v[i] + h * sub->a[i];
}

/* R^T R = 1 and det R = 1. */
static void check_rotation(const double* pose) {
  static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double RtR[9];
  double Rt[9];
  double c[3];

  dense_transpose(pose, 3, 3, Rt);
  dense_product(Rt, pose, 3, 3, 3, RtR);
  CHECK_ARRAY(RtR, one, 9, 1e-13, 1.0); /* a product of up to a hundred rotations */
  dense_cross(pose, pose + 3, c);
  CHECK_TRUE(dense_dot(c, pose + 6, 3) > 0, "a port's axes are left-handed");
}

void check_twists(subject* sub) {
  double* rate = subject_take(sub, sub->nq);
  double* got = subject_take(sub, 12 * sub->nport); /* world, then port axes */
  double* want = subject_take(sub, 12 * sub->nport);
  double* rough = subject_take(sub, 6 * sub->nport);
  double A[6];
  double z[24];
  double pose[12];
  double pose_rate[12];
  double ahead[12];

  subject_point(sub);
  CHECK_OK(apl_rates(sub->model, sub->s, rate));
  for (int p = 0; p < sub->nport; p++) {
    subject_complex(sub, rate, NULL, NULL, NULL);
    CHECK_OK(apl_port_pose(sub->model, sub->z, p, z));
    subject_real(z, 12, pose);
    subject_derivative(z, 12, pose_rate);
    check_rotation(pose);
    twist_of_rate(pose, pose_rate, want + 12 * p);
    to_port(pose, want + 12 * p, want + 12 * p + 6);

    subject_point(sub);
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, APL_WORLD_AXES, got + 12 * p, A));
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, APL_PORT_AXES, got + 12 * p + 6, A));

    shift(sub, rate, SUBJECT_DIFFERENCE);
    CHECK_OK(apl_port_pose(sub->model, sub->s, p, ahead));
    shift(sub, rate, -SUBJECT_DIFFERENCE);
    CHECK_OK(apl_port_pose(sub->model, sub->s, p, pose_rate));
    for (int i = 0; i < 12; i++)
      pose_rate[i] = (ahead[i] - pose_rate[i]) / (2 * SUBJECT_DIFFERENCE);
    twist_of_rate(pose, pose_rate, rough + 6 * p);
  }
  const double scale = 1 + near_max(want, 12 * sub->nport);
  if (sub->nv > 0) CHECK_ALIVE(want, 12 * sub->nport, 0.01);

  /* round-off along a chain of up to a hundred frames */
  CHECK_ARRAY(got, want, 12 * sub->nport, 1e-12, scale);

  /* differences: h^2/6 times the third rate, which grows like the cube of the summed joint rates */
  for (int p = 0; p < sub->nport; p++)
    CHECK_ARRAY(rough + 6 * p, want + 12 * p, 6, 1e-10, scale * scale * scale);
}

void check_accelerations(subject* sub) {
  double* rate = subject_take(sub, sub->nq);
  double* got = subject_take(sub, 12 * sub->nport);
  double* want = subject_take(sub, 12 * sub->nport);
  double* rough = subject_take(sub, 6 * sub->nport);
  double V[12];
  double A[12];
  double pose[12];

  subject_point(sub);
  CHECK_OK(apl_rates(sub->model, sub->s, rate));
  for (int p = 0; p < sub->nport; p++) {
    subject_complex(sub, rate, sub->a, NULL, NULL);
    CHECK_OK(apl_port_motion(sub->model, sub->z, p, APL_WORLD_AXES, V, A));
    subject_derivative(V, 6, want + 12 * p);

    subject_point(sub);
    CHECK_OK(apl_port_pose(sub->model, sub->s, p, pose));
    to_port(pose, want + 12 * p, want + 12 * p + 6);
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, APL_WORLD_AXES, V, got + 12 * p));
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, APL_PORT_AXES, V, got + 12 * p + 6));

    shift(sub, rate, SUBJECT_DIFFERENCE);
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, APL_WORLD_AXES, V, A));
    shift(sub, rate, -SUBJECT_DIFFERENCE);
    CHECK_OK(apl_port_motion(sub->model, sub->s, p, APL_WORLD_AXES, V + 6, A));
    for (int i = 0; i < 6; i++)
      rough[6 * p + i] = (V[i] - V[6 + i]) / (2 * SUBJECT_DIFFERENCE);
  }
  const double scale = 1 + near_max(want, 12 * sub->nport);
  CHECK_ARRAY(got, want, 12 * sub->nport, 1e-12, scale);

  /* accelerations are already squares of rates: two more rates in the truncation error */
  for (int p = 0; p < sub->nport; p++)
    CHECK_ARRAY(rough + 6 * p, want + 12 * p, 6, 1e-10, scale * scale);
}

void check_jacobians(subject* sub, rng* r) {
  double* J = subject_take(sub, 6 * sub->nv);
  double* tau = subject_take(sub, sub->nv);
  double* pull = subject_take(sub, sub->nv);
  double W[6];
  double V[6];
  double A[6];
  double Jv[6];

  subject_point(sub);
  const double scale = check_effort_scale(sub, sub->a);
  for (int p = 0; p < sub->nport; p++) {
    for (int axes = 0; axes < 2; axes++) {
      const apl_axes in = axes == 0 ? APL_PORT_AXES : APL_WORLD_AXES;
      subject_point(sub);
      CHECK_OK(apl_port_motion(sub->model, sub->s, p, in, V, A));
      CHECK_OK(apl_jacobian(sub->model, sub->s, p, in, J));
      dense_times(J, sub->v, 6, sub->nv, Jv);
      CHECK_ARRAY(Jv, V, 6, 1e-12, 1 + near_max(J, 6 * sub->nv)); /* sums of nv terms */

      /* a load on the port takes J^T W from the efforts */
      rng_fill(r, W, 6, 5.0);
      subject_no_loads(sub, sub->s);
      CHECK_OK(apl_inverse(sub->model, sub->s));
      memcpy(tau, apl_tau(sub->s), sizeof *tau * (size_t)sub->nv);
      const apl_wrench load = {{W[0], W[1], W[2]}, {W[3], W[4], W[5]}};
      CHECK_OK(apl_load(sub->model, sub->s, p, in, load));
      CHECK_OK(apl_inverse(sub->model, sub->s));
      dense_times_transposed(J, W, 6, sub->nv, pull);
      for (int i = 0; i < sub->nv; i++)
        pull[i] = tau[i] - pull[i];
      CHECK_ARRAY(apl_tau(sub->s), pull, sub->nv, 1e-12, scale + 30 * near_max(J, 6 * sub->nv));
    }
  }
}

void check_center(subject* sub) {
  double* rate = subject_take(sub, sub->nq);
  double z[6];
  double velocity[3];
  double momentum[6];

  subject_point(sub);
  CHECK_OK(apl_rates(sub->model, sub->s, rate));
  CHECK_OK(apl_momentum(sub->model, sub->s, momentum));
  subject_complex(sub, rate, NULL, NULL, NULL);
  CHECK_OK(apl_center(sub->model, sub->z, z));
  subject_derivative(z, 3, velocity);
  const double mass = apl_model_mass(sub->model);
  for (int i = 0; i < 3; i++)
    velocity[i] *= mass;
  if (sub->nv > 0) CHECK_ALIVE(momentum + 3, 3, 1e-3);
  CHECK_ARRAY(momentum + 3, velocity, 3, 1e-12, 1 + mass + near_max(momentum, 6));
}
