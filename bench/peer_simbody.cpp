/* SPDX-License-Identifier: Apache-2.0 */
/* peer_simbody.cpp: Simbody. Its operators work on a state realised to a stage; setting q makes the
   state forget everything, so each call starts from q as ours do. Gravity enters as a force on each
   body, which is how Simbody's own gravity element does it. */

/* Simbody's headers lay classes out by NDEBUG, and Debian's library is built without it. */
#undef NDEBUG

#include "peer.h"

#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include <Simbody.h>

namespace {

using SimTK::Vec3;

struct Simbody {
  convention c = {};
  SimTK::MultibodySystem system;
  SimTK::SimbodyMatterSubsystem matter{system};
  SimTK::State state;
  std::vector<SimTK::MobilizedBodyIndex> body; /* of each link */
  std::vector<Vec3> com;                       /* of each link */
  std::vector<double> weight;                  /* [N] of each link */
  std::vector<SimTK::Vector> q, v, a, tau;
  SimTK::Vector result_tau, result_a, zero;
  SimTK::Vector_<SimTK::SpatialVec> loads, body_acceleration;
  SimTK::Matrix result_mass;

  ~Simbody() {
    convention_free(&c);
  }
};

/* A pin turns about z and a slider moves along x of its own frames: turn these onto the axis. */
SimTK::Rotation onto_axis(const robot_link& l) {
  const SimTK::UnitVec3 axis(Vec3(l.axis[0], l.axis[1], l.axis[2]));
  return SimTK::Rotation(axis, SimTK::CoordinateAxis(l.joint == ROBOT_PRISMATIC ? 0 : 2));
}

SimTK::MobilizedBodyIndex add_link(const robot_link& l, SimTK::MobilizedBody& parent) {
  SimTK::Rotation R;
  R.setRotationFromThreeAnglesThreeAxes(SimTK::SpaceRotationSequence, l.rpy[0], SimTK::XAxis,
                                        l.rpy[1], SimTK::YAxis, l.rpy[2], SimTK::ZAxis);
  const SimTK::Transform at(R, Vec3(l.xyz[0], l.xyz[1], l.xyz[2]));

  const Vec3 com(l.com[0], l.com[1], l.com[2]);
  const double* I = l.inertia;
  const SimTK::Inertia central(I[0], I[1], I[2], I[3], I[4], I[5]);
  const SimTK::MassProperties mass(l.mass, com, central.shiftFromMassCenter(-com, l.mass));
  const SimTK::Body::Rigid body(mass);
  const SimTK::Transform turn(onto_axis(l));

  if (l.joint == ROBOT_FLOATING) {
    return SimTK::MobilizedBody::Free(parent, at, body, SimTK::Transform()).getMobilizedBodyIndex();
  }
  if (l.joint == ROBOT_REVOLUTE) {
    return SimTK::MobilizedBody::Pin(parent, at * turn, body, turn).getMobilizedBodyIndex();
  }
  if (l.joint == ROBOT_PRISMATIC) {
    return SimTK::MobilizedBody::Slider(parent, at * turn, body, turn).getMobilizedBodyIndex();
  }
  return SimTK::MobilizedBody::Weld(parent, at, body, SimTK::Transform()).getMobilizedBodyIndex();
}

/* Where each of our coordinates stands in Simbody's q and u. */
void map_coordinates(Simbody& p, const robot& r) {
  int q = 0, v = 0;
  for (int i = 0; i < r.nlink; i++) {
    if (r.link[i].joint == ROBOT_FIXED) continue;
    const SimTK::MobilizedBody& body =
        p.matter.getMobilizedBody(p.body[static_cast<std::size_t>(i)]);
    const int q0 = body.getFirstQIndex(p.state), v0 = body.getFirstUIndex(p.state);
    if (r.link[i].joint == ROBOT_FLOATING) {
      /* quaternion, then position; angular, then linear velocity, both in world axes */
      for (int k = 0; k < 3; k++)
        p.c.q[q++] = q0 + 4 + k;
      for (int k = 0; k < 4; k++)
        p.c.q[q++] = q0 + k;
      for (int k = 0; k < 6; k++)
        p.c.v[v++] = v0 + k;
    } else {
      p.c.q[q++] = q0;
      p.c.v[v++] = v0;
    }
  }
  p.c.angular_world = p.c.linear_world = true;
}

void* open_simbody(const robot* r, int nstate, char* why) try {
  auto p = std::make_unique<Simbody>();
  (void)std::snprintf(why, PEER_WHY, "parents must come first");
  if (!convention_new(r, nstate, &p->c)) return nullptr;
  for (int i = 0; i < r->nlink; i++) {
    const robot_link& l = r->link[i];
    if (l.parent >= i) return nullptr;
    SimTK::MobilizedBody& parent =
        l.parent < 0 ? static_cast<SimTK::MobilizedBody&>(p->matter.updGround())
                     : p->matter.updMobilizedBody(p->body[static_cast<std::size_t>(l.parent)]);
    p->body.push_back(add_link(l, parent));
    p->com.push_back(Vec3(l.com[0], l.com[1], l.com[2]));
    p->weight.push_back(9.81 * l.mass);
  }
  p->state = p->system.realizeTopology();
  p->system.realizeModel(p->state);
  if (p->state.getNU() != p->c.nv || p->state.getNQ() != p->c.nq) {
    (void)std::snprintf(why, PEER_WHY, "%d velocities where %d are expected", p->state.getNU(),
                        p->c.nv);
    return nullptr;
  }
  map_coordinates(*p, *r);

  const std::size_t states = static_cast<std::size_t>(nstate);
  p->q.assign(states, SimTK::Vector(p->c.nq));
  p->v.assign(states, SimTK::Vector(p->c.nv));
  p->a = p->tau = p->v;
  p->zero = SimTK::Vector(p->c.nv, 0.0);
  p->result_tau = p->result_a = p->zero;
  p->loads.resize(p->matter.getNumBodies());
  p->result_mass.resize(p->c.nv, p->c.nv);
  return p.release();
} catch (const std::exception& e) {
  (void)std::snprintf(why, PEER_WHY, "%s", e.what());
  return nullptr;
}

void put(void* self, int k, const double* q, const double* v, const double* a, const double* tau) {
  Simbody& p = *static_cast<Simbody*>(self);
  convention_put(&p.c, k, q, v, a, tau);
  const std::size_t at = static_cast<std::size_t>(k);
  for (int i = 0; i < p.c.nq; i++)
    p.q[at][i] = p.c.peer_q[k * p.c.nq + i];
  for (int i = 0; i < p.c.nv; i++) {
    p.v[at][i] = p.c.peer_v[k * p.c.nv + i];
    p.a[at][i] = p.c.peer_a[k * p.c.nv + i];
    p.tau[at][i] = p.c.peer_tau[k * p.c.nv + i];
  }
}

void apply_gravity(Simbody& p) {
  p.loads.setToZero();
  for (std::size_t i = 0; i < p.body.size(); i++) {
    p.matter.addInStationForce(p.state, p.body[i], p.com[i], Vec3(0, 0, -p.weight[i]), p.loads);
  }
}

int inverse(void* self, int k) {
  Simbody& p = *static_cast<Simbody*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  p.state.updQ() = p.q[at];
  p.state.updU() = p.v[at];
  p.system.realize(p.state, SimTK::Stage::Velocity);
  apply_gravity(p);
  p.matter.calcResidualForceIgnoringConstraints(p.state, p.zero, p.loads, p.a[at], p.result_tau);
  return 0;
}

int forward(void* self, int k) {
  Simbody& p = *static_cast<Simbody*>(self);
  const std::size_t at = static_cast<std::size_t>(k);
  p.state.updQ() = p.q[at];
  p.state.updU() = p.v[at];
  p.system.realize(p.state, SimTK::Stage::Dynamics);
  apply_gravity(p);
  p.matter.calcAccelerationIgnoringConstraints(p.state, p.tau[at], p.loads, p.result_a,
                                               p.body_acceleration);
  return 0;
}

int mass(void* self, int k) {
  Simbody& p = *static_cast<Simbody*>(self);
  p.state.updQ() = p.q[static_cast<std::size_t>(k)];
  p.system.realize(p.state, SimTK::Stage::Position);
  p.matter.calcM(p.state, p.result_mass);
  return 0;
}

void get(void* self, peer_task task, int k, double* out) {
  Simbody& p = *static_cast<Simbody*>(self);
  if (task == PEER_INVERSE) convention_effort(&p.c, k, &p.result_tau[0], out);
  if (task == PEER_FORWARD) convention_acceleration(&p.c, k, &p.result_a[0], out);
  if (task == PEER_MASS) convention_mass(&p.c, k, &p.result_mass(0, 0), out);
}

void close_simbody(void* self) {
  delete static_cast<Simbody*>(self);
}

} // namespace

extern "C" const peer_ops peer_simbody;
const peer_ops peer_simbody = {"Simbody", open_simbody, put, {inverse, forward, mass},
                               get,       close_simbody};
