/* SPDX-License-Identifier: Apache-2.0 */
/* peer_rbdl.cpp: RBDL (InverseDynamics, ForwardDynamics, CompositeRigidBodyAlgorithm), built from
   the same description instead of its URDF reader, with its special joints for axes along x, y, z.
 */
#include "peer.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include <rbdl/rbdl.h>

namespace {

namespace rbd = RigidBodyDynamics;
using rbd::Math::MatrixNd;
using rbd::Math::Vector3d;
using rbd::Math::VectorNd;

struct Rbdl {
  convention c = {};
  rbd::Model model;
  std::vector<VectorNd> q, v, a, tau;
  VectorNd result_tau, result_a;
  MatrixNd result_mass;

  ~Rbdl() {
    convention_free(&c);
  }
};

rbd::Joint joint_of(const robot_link& l) {
  const Vector3d axis(l.axis[0], l.axis[1], l.axis[2]);
  if (l.joint == ROBOT_REVOLUTE) {
    if (axis == Vector3d::UnitX()) return rbd::Joint(rbd::JointTypeRevoluteX);
    if (axis == Vector3d::UnitY()) return rbd::Joint(rbd::JointTypeRevoluteY);
    if (axis == Vector3d::UnitZ()) return rbd::Joint(rbd::JointTypeRevoluteZ);
  }
  if (l.joint == ROBOT_REVOLUTE) return rbd::Joint(rbd::JointTypeRevolute, axis);
  if (l.joint == ROBOT_PRISMATIC) return rbd::Joint(rbd::JointTypePrismatic, axis);
  if (l.joint == ROBOT_FLOATING) return rbd::Joint(rbd::JointTypeFloatingBase);
  return rbd::Joint(rbd::JointTypeFixed);
}

rbd::Body body_of(const robot_link& l) {
  const double* I = l.inertia;
  const rbd::Math::Matrix3d inertia(I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]);
  return rbd::Body(l.mass, Vector3d(l.com[0], l.com[1], l.com[2]), inertia);
}

/* RBDL's transforms turn from parent to child, ours from child to parent. */
rbd::Math::SpatialTransform placement(const robot_link& l) {
  double R[9];
  robot_rotation(l.rpy, R);
  return rbd::Math::SpatialTransform(
      rbd::Math::Matrix3d(R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]),
      Vector3d(l.xyz[0], l.xyz[1], l.xyz[2]));
}

bool build(Rbdl& p, const robot& r) {
  std::vector<unsigned> id;
  p.model.gravity = Vector3d(0.0, 0.0, -9.81);
  int q = 0, v = 0;
  for (int i = 0; i < r.nlink; i++) {
    const robot_link& l = r.link[i];
    if (l.parent >= i) return false;
    const unsigned parent = l.parent < 0 ? 0 : id[static_cast<std::size_t>(l.parent)];
    id.push_back(p.model.AddBody(parent, placement(l), joint_of(l), body_of(l), l.name));
    if (l.joint == ROBOT_FLOATING) {
      /* x y z qx qy qz first, qw behind all joints; linear in the world, angular in the body */
      for (int k = 0; k < 3; k++)
        p.c.q[q++] = k;
      p.c.q[q++] = p.c.nq - 1;
      for (int k = 0; k < 3; k++)
        p.c.q[q++] = 3 + k;
      for (int k = 0; k < 6; k++)
        p.c.v[v++] = (k + 3) % 6;
    } else if (l.joint != ROBOT_FIXED) {
      const int index = static_cast<int>(p.model.mJoints[id.back()].q_index);
      p.c.q[q++] = index;
      p.c.v[v++] = index;
    }
  }
  p.c.linear_world = true;
  return static_cast<int>(p.model.q_size) == p.c.nq &&
         static_cast<int>(p.model.qdot_size) == p.c.nv;
}

void* open_rbdl(const robot* r, int nstate, char* why) try {
  auto p = std::make_unique<Rbdl>();
  (void)std::snprintf(why, PEER_WHY, "parents must come first, or the sizes do not agree");
  if (!convention_new(r, nstate, &p->c) || !build(*p, *r)) return nullptr;
  const std::size_t states = static_cast<std::size_t>(nstate);
  p->q.resize(states);
  p->v.resize(states);
  p->a.resize(states);
  p->tau.resize(states);
  p->result_tau = p->result_a = VectorNd::Zero(p->c.nv);
  p->result_mass = MatrixNd::Zero(p->c.nv, p->c.nv);
  return p.release();
} catch (const std::exception& e) {
  (void)std::snprintf(why, PEER_WHY, "%s", e.what());
  return nullptr;
}

void put(void* self, int k, const double* q, const double* v, const double* a, const double* tau) {
  Rbdl& p = *static_cast<Rbdl*>(self);
  convention_put(&p.c, k, q, v, a, tau);
  using Map = Eigen::Map<const Eigen::VectorXd>;
  const std::size_t at = static_cast<std::size_t>(k);
  p.q[at] = Map(p.c.peer_q + k * p.c.nq, p.c.nq);
  p.v[at] = Map(p.c.peer_v + k * p.c.nv, p.c.nv);
  p.a[at] = Map(p.c.peer_a + k * p.c.nv, p.c.nv);
  p.tau[at] = Map(p.c.peer_tau + k * p.c.nv, p.c.nv);
}

int inverse(void* self, int k) {
  Rbdl& p = *static_cast<Rbdl*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  rbd::InverseDynamics(p.model, p.q[at], p.v[at], p.a[at], p.result_tau);
  return 0;
}

int forward(void* self, int k) {
  Rbdl& p = *static_cast<Rbdl*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  rbd::ForwardDynamics(p.model, p.q[at], p.v[at], p.tau[at], p.result_a);
  return 0;
}

/* It writes only the entries of links on one branch, so the zeros set at the start remain. */
int mass(void* self, int k) {
  Rbdl& p = *static_cast<Rbdl*>(self);
  rbd::CompositeRigidBodyAlgorithm(p.model, p.q[static_cast<std::size_t>(k)], p.result_mass, true);
  return 0;
}

void get(void* self, peer_task task, int k, double* out) {
  Rbdl& p = *static_cast<Rbdl*>(self);
  if (task == PEER_INVERSE) convention_effort(&p.c, k, p.result_tau.data(), out);
  if (task == PEER_FORWARD) convention_acceleration(&p.c, k, p.result_a.data(), out);
  if (task == PEER_MASS) convention_mass(&p.c, k, p.result_mass.data(), out);
}

void close_rbdl(void* self) {
  delete static_cast<Rbdl*>(self);
}

} // namespace

extern "C" const peer_ops peer_rbdl;
const peer_ops peer_rbdl = {"RBDL", open_rbdl, put, {inverse, forward, mass}, get, close_rbdl};
