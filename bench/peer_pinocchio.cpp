/* SPDX-License-Identifier: Apache-2.0 */
/* peer_pinocchio.cpp: Pinocchio (rnea, aba, crba, derivatives), built from the same description
   instead of its URDF parser, with its special joints for axes along x, y, z. Forward dynamics and
   mass matrix in both of its conventions, as two peers: neither is the better one for every robot.
   The mass matrix fills the upper triangle only. */
#include "peer.h"

#include <cstdio>
#include <memory>
#include <vector>

#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/model.hpp>

namespace {

namespace pin = pinocchio;

struct Pinocchio {
  convention c = {};
  pin::Model model;
  std::unique_ptr<pin::Data> data;
  std::vector<Eigen::VectorXd> q, v, a, tau;

  ~Pinocchio() {
    convention_free(&c);
  }
};

pin::JointModel joint_model(const robot_link& l) {
  const Eigen::Vector3d axis(l.axis[0], l.axis[1], l.axis[2]);
  if (l.joint == ROBOT_FLOATING) return pin::JointModelFreeFlyer();
  if (l.joint == ROBOT_REVOLUTE) {
    if (axis == Eigen::Vector3d::UnitX()) return pin::JointModelRX();
    if (axis == Eigen::Vector3d::UnitY()) return pin::JointModelRY();
    if (axis == Eigen::Vector3d::UnitZ()) return pin::JointModelRZ();
    return pin::JointModelRevoluteUnaligned(axis);
  }
  if (axis == Eigen::Vector3d::UnitX()) return pin::JointModelPX();
  if (axis == Eigen::Vector3d::UnitY()) return pin::JointModelPY();
  if (axis == Eigen::Vector3d::UnitZ()) return pin::JointModelPZ();
  return pin::JointModelPrismaticUnaligned(axis);
}

pin::SE3 placement(const robot_link& l) {
  double R[9];
  robot_rotation(l.rpy, R);
  return pin::SE3(Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(R),
                  Eigen::Vector3d(l.xyz[0], l.xyz[1], l.xyz[2]));
}

pin::Inertia inertia(const robot_link& l) {
  const double* I = l.inertia;
  Eigen::Matrix3d full;
  full << I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2];
  return pin::Inertia(l.mass, Eigen::Vector3d(l.com[0], l.com[1], l.com[2]), full);
}

/* Fixed links become part of the joint that carries them: `frame` is the link seen from it. */
struct Place {
  pin::JointIndex joint;
  pin::SE3 frame;
};

bool build(Pinocchio& p, const robot& r) {
  std::vector<Place> place;
  p.model.gravity.linear() = Eigen::Vector3d(0.0, 0.0, -9.81);
  for (int i = 0; i < r.nlink; i++) {
    const robot_link& l = r.link[i];
    if (l.parent >= i) return false;
    const Place on =
        l.parent < 0 ? Place{0, pin::SE3::Identity()} : place[static_cast<std::size_t>(l.parent)];
    Place own = {on.joint, on.frame * placement(l)};
    if (l.joint != ROBOT_FIXED) {
      own.joint = p.model.addJoint(on.joint, joint_model(l), own.frame, l.name);
      own.frame = pin::SE3::Identity();
    }
    if (own.joint > 0) p.model.appendBodyToJoint(own.joint, inertia(l), own.frame);
    place.push_back(own);
  }

  int q = 0, v = 0;
  for (int i = 0; i < r.nlink; i++) {
    if (r.link[i].joint == ROBOT_FIXED) continue;
    const pin::JointModel& joint = p.model.joints[place[static_cast<std::size_t>(i)].joint];
    const int q0 = joint.idx_q(), v0 = joint.idx_v();
    if (r.link[i].joint == ROBOT_FLOATING) {
      /* x y z qx qy qz qw; linear, then angular, in body axes */
      for (int k = 0; k < 3; k++)
        p.c.q[q++] = q0 + k;
      for (int k = 0; k < 4; k++)
        p.c.q[q++] = q0 + 3 + (k + 3) % 4;
      for (int k = 0; k < 6; k++)
        p.c.v[v++] = v0 + (k + 3) % 6;
    } else {
      p.c.q[q++] = q0;
      p.c.v[v++] = v0;
    }
  }
  return true;
}

void* open_pinocchio(const robot* r, int nstate, char* why) {
  auto p = std::make_unique<Pinocchio>();
  (void)std::snprintf(why, PEER_WHY, "parents must come first");
  if (!convention_new(r, nstate, &p->c) || !build(*p, *r)) return nullptr;
  p->data = std::make_unique<pin::Data>(p->model);
  const std::size_t states = static_cast<std::size_t>(nstate);
  p->q.resize(states);
  p->v.resize(states);
  p->a.resize(states);
  p->tau.resize(states);
  return p.release();
}

void put(void* self, int k, const double* q, const double* v, const double* a, const double* tau) {
  Pinocchio& p = *static_cast<Pinocchio*>(self);
  convention_put(&p.c, k, q, v, a, tau);
  using Map = Eigen::Map<const Eigen::VectorXd>;
  const std::size_t at = static_cast<std::size_t>(k);
  p.q[at] = Map(p.c.peer_q + k * p.c.nq, p.c.nq);
  p.v[at] = Map(p.c.peer_v + k * p.c.nv, p.c.nv);
  p.a[at] = Map(p.c.peer_a + k * p.c.nv, p.c.nv);
  p.tau[at] = Map(p.c.peer_tau + k * p.c.nv, p.c.nv);
}

int inverse(void* self, int k) {
  Pinocchio& p = *static_cast<Pinocchio*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  pin::rnea(p.model, *p.data, p.q[at], p.v[at], p.a[at]);
  return 0;
}

template <pin::Convention convention> int forward(void* self, int k) {
  Pinocchio& p = *static_cast<Pinocchio*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  pin::aba(p.model, *p.data, p.q[at], p.v[at], p.tau[at], convention);
  return 0;
}

template <pin::Convention convention> int mass(void* self, int k) {
  Pinocchio& p = *static_cast<Pinocchio*>(self);
  pin::crba(p.model, *p.data, p.q[static_cast<std::size_t>(k)], convention);
  return 0;
}

int inverse_by(void* self, int k) {
  Pinocchio& p = *static_cast<Pinocchio*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  pin::computeRNEADerivatives(p.model, *p.data, p.q[at], p.v[at], p.a[at]);
  return 0;
}

int forward_by(void* self, int k) {
  Pinocchio& p = *static_cast<Pinocchio*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  pin::computeABADerivatives(p.model, *p.data, p.q[at], p.v[at], p.tau[at]);
  return 0;
}

void get(void* self, peer_task task, int k, double* out) {
  Pinocchio& p = *static_cast<Pinocchio*>(self);
  if (task == PEER_INVERSE) convention_effort(&p.c, k, p.data->tau.data(), out);
  if (task == PEER_FORWARD) convention_acceleration(&p.c, k, p.data->ddq.data(), out);
  if (task == PEER_MASS) {
    const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> M = p.data->M;
    convention_mass(&p.c, k, M.data(), out);
  }
}

void close_pinocchio(void* self) {
  delete static_cast<Pinocchio*>(self);
}

} // namespace

extern "C" const peer_ops peer_pinocchio, peer_pinocchio_world;
const peer_ops peer_pinocchio = {"Pinocchio",
                                 open_pinocchio,
                                 put,
                                 {inverse, forward<pin::Convention::LOCAL>,
                                  mass<pin::Convention::LOCAL>, inverse_by, forward_by},
                                 get,
                                 close_pinocchio};
const peer_ops peer_pinocchio_world = {"Pinocchio/world",
                                       open_pinocchio,
                                       put,
                                       {inverse, forward<pin::Convention::WORLD>,
                                        mass<pin::Convention::WORLD>, inverse_by, forward_by},
                                       get,
                                       close_pinocchio};
