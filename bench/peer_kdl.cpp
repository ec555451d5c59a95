/* SPDX-License-Identifier: Apache-2.0 */
/* peer_kdl.cpp: Orocos KDL. Serial chains by its chain solvers (forward dynamics is mass matrix,
   Newton-Euler and Cholesky), trees by its tree solver, which has inverse dynamics only. No
   floating base. */
#include "peer.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <kdl/chain.hpp>
#include <kdl/chaindynparam.hpp>
#include <kdl/chainfdsolver_recursive_newton_euler.hpp>
#include <kdl/chainidsolver_recursive_newton_euler.hpp>
#include <kdl/tree.hpp>
#include <kdl/treeidsolver_recursive_newton_euler.hpp>

namespace {

const KDL::Vector gravity(0.0, 0.0, -9.81);

struct Kdl {
  convention c = {};
  KDL::Chain chain;
  KDL::Tree tree{"world"};
  KDL::Wrenches no_loads;
  KDL::WrenchMap no_load_map;
  std::unique_ptr<KDL::ChainIdSolver_RNE> chain_inverse;
  std::unique_ptr<KDL::ChainFdSolver_RNE> chain_forward;
  std::unique_ptr<KDL::ChainDynParam> chain_mass;
  std::unique_ptr<KDL::TreeIdSolver_RNE> tree_inverse;
  std::vector<KDL::JntArray> q, v, a, tau;
  KDL::JntArray result_tau, result_a;
  KDL::JntSpaceInertiaMatrix result_mass;

  ~Kdl() {
    convention_free(&c);
  }
};

KDL::Segment segment(const robot_link& l) {
  const KDL::Frame at(KDL::Rotation::RPY(l.rpy[0], l.rpy[1], l.rpy[2]),
                      KDL::Vector(l.xyz[0], l.xyz[1], l.xyz[2]));
  const KDL::Vector axis = at.M * KDL::Vector(l.axis[0], l.axis[1], l.axis[2]);
  KDL::Joint joint(l.name, KDL::Joint::Fixed);
  if (l.joint == ROBOT_REVOLUTE) joint = KDL::Joint(l.name, at.p, axis, KDL::Joint::RotAxis);
  if (l.joint == ROBOT_PRISMATIC) joint = KDL::Joint(l.name, at.p, axis, KDL::Joint::TransAxis);
  const double* I = l.inertia;
  const KDL::RotationalInertia inertia(I[0], I[1], I[2], I[3], I[4], I[5]);
  const KDL::RigidBodyInertia body(l.mass, KDL::Vector(l.com[0], l.com[1], l.com[2]), inertia);
  return KDL::Segment(l.name, joint, at, body);
}

bool is_chain(const robot& r) {
  for (int i = 0; i < r.nlink; i++) {
    if (r.link[i].parent != i - 1) return false;
  }
  return true;
}

void build(Kdl& p, const robot& r, int nstate) {
  if (is_chain(r)) {
    for (int i = 0; i < r.nlink; i++)
      p.chain.addSegment(segment(r.link[i]));
    p.no_loads.assign(p.chain.getNrOfSegments(), KDL::Wrench::Zero());
    p.chain_inverse = std::make_unique<KDL::ChainIdSolver_RNE>(p.chain, gravity);
    p.chain_forward = std::make_unique<KDL::ChainFdSolver_RNE>(p.chain, gravity);
    p.chain_mass = std::make_unique<KDL::ChainDynParam>(p.chain, gravity);
  } else {
    /* segments need their parent first; q follows the order in which they arrive, as ours does */
    for (int i = 0; i < r.nlink; i++) {
      const int parent = r.link[i].parent;
      p.tree.addSegment(segment(r.link[i]), parent < 0 ? "world" : r.link[parent].name);
    }
    p.tree_inverse = std::make_unique<KDL::TreeIdSolver_RNE>(p.tree, gravity);
  }
  const unsigned n = static_cast<unsigned>(p.c.nv);
  const std::size_t states = static_cast<std::size_t>(nstate);
  p.q.assign(states, KDL::JntArray(n));
  p.v = p.a = p.tau = p.q;
  p.result_tau.resize(n);
  p.result_a.resize(n);
  p.result_mass.resize(n);
}

void* open_kdl(const robot* r, int nstate, char* why) {
  auto p = std::make_unique<Kdl>();
  for (int i = 0; i < r->nlink; i++) {
    if (r->link[i].joint == ROBOT_FLOATING || r->link[i].parent >= i) {
      (void)std::snprintf(why, PEER_WHY, "no floating base, or a link before its parent");
      return nullptr;
    }
  }
  if (!convention_new(r, nstate, &p->c)) return nullptr;
  build(*p, *r, nstate);
  const unsigned n = p->tree_inverse ? p->tree.getNrOfJoints() : p->chain.getNrOfJoints();
  if (n != static_cast<unsigned>(p->c.nv)) {
    (void)std::snprintf(why, PEER_WHY, "%u joints where %d are expected", n, p->c.nv);
    return nullptr;
  }
  return p.release();
}

void put(void* self, int k, const double* q, const double* v, const double* a, const double* tau) {
  Kdl& p = *static_cast<Kdl*>(self);
  convention_put(&p.c, k, q, v, a, tau);
  const std::size_t at = static_cast<std::size_t>(k);
  for (unsigned i = 0; i < static_cast<unsigned>(p.c.nv); i++) {
    const std::size_t from = at * static_cast<std::size_t>(p.c.nv) + i;
    p.q[at](i) = p.c.peer_q[from];
    p.v[at](i) = p.c.peer_v[from];
    p.a[at](i) = p.c.peer_a[from];
    p.tau[at](i) = p.c.peer_tau[from];
  }
}

int inverse(void* self, int k) {
  Kdl& p = *static_cast<Kdl*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  if (p.tree_inverse) {
    return p.tree_inverse->CartToJnt(p.q[at], p.v[at], p.a[at], p.no_load_map, p.result_tau);
  }
  return p.chain_inverse->CartToJnt(p.q[at], p.v[at], p.a[at], p.no_loads, p.result_tau);
}

int forward(void* self, int k) {
  Kdl& p = *static_cast<Kdl*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  if (!p.chain_forward) return 1;
  return p.chain_forward->CartToJnt(p.q[at], p.v[at], p.tau[at], p.no_loads, p.result_a);
}

int mass(void* self, int k) {
  Kdl& p = *static_cast<Kdl*>(self);
  if (!p.chain_mass) return 1;
  return p.chain_mass->JntToMass(p.q[static_cast<std::size_t>(k)], p.result_mass);
}

void get(void* self, peer_task task, int k, double* out) {
  Kdl& p = *static_cast<Kdl*>(self);
  if (task == PEER_INVERSE) convention_effort(&p.c, k, p.result_tau.data.data(), out);
  if (task == PEER_FORWARD) convention_acceleration(&p.c, k, p.result_a.data.data(), out);
  if (task == PEER_MASS) convention_mass(&p.c, k, p.result_mass.data.data(), out);
}

void close_kdl(void* self) {
  delete static_cast<Kdl*>(self);
}

} // namespace

extern "C" const peer_ops peer_kdl;
const peer_ops peer_kdl = {"KDL", open_kdl, put, {inverse, forward, mass}, get, close_kdl};
