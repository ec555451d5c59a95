/* SPDX-License-Identifier: Apache-2.0 */
/* dynamics.h: the passes (recursive algorithms). Each one reads q, v, a, tau, u and the loads of a
   state and computes everything from them, so they can be called in any order. None allocates.

   A pass that finds numbers that are not finite returns APL_ERR_NOT_FINITE, and forward dynamics of
   a joint without inertia APL_ERR_SINGULAR (apl_state_trouble() names the link). Results are then
   undefined, in all lanes.

   Dense results are row-major with state-width numbers (see state.h). Twists and wrenches are
   (angular; linear) and (moment; force). Efforts tau act on the quasi-velocities v. */
#pragma once

#include "appell/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The passes of this file treat the robot as a tree. Closed loops (appell/loop.h) are cut: a pass
   applies the forces that are stored in their rows, which are zero at first, and does not compute
   them. To keep loops closed use apl_closing_forward() or a system (apl_system_inverse(),
   apl_run()).

   Inverse dynamics: tau(q, v, a), the efforts in addition to springs, dampers, inputs and loads. */
APL_API apl_status apl_inverse(const apl_model* model, apl_state* state);

/* Forward dynamics of the tree: a(q, v, tau). Prescribed freedoms take a and return tau instead. It
   does not keep loops closed: apl_closing_forward() does. */
APL_API apl_status apl_forward(const apl_model* model, apl_state* state);

/* The efforts for a = 0: bias[nv] = tau(q, v, 0). */
APL_API apl_status apl_bias(const apl_model* model, apl_state* state, double* bias);

/* The mass matrix M[nv*nv], symmetric, over all quasi-velocities, prescribed ones included. */
APL_API apl_status apl_mass_matrix(const apl_model* model, apl_state* state, double* M);

/* q' = N(q) v + K(q) V: qdot[nq], and the satellites' spin (apl_spin). */
APL_API apl_status apl_rates(const apl_model* model, apl_state* state, double* qdot);

/* Pose of a port in the world: R[9] row-major, then p[3]. */
APL_API apl_status apl_port_pose(const apl_model* model, apl_state* state, int port, double* pose);

/* Twist [6] of a port and its acceleration [6] (angular acceleration; acceleration of the origin)
   for the present q, v, a. */
APL_API apl_status apl_port_motion(const apl_model* model, apl_state* state, int port,
                                   apl_axes axes, double* twist, double* acceleration);

/* J[6*nv] with twist of the port = J v, in port or world axes, at the port's origin. */
APL_API apl_status apl_jacobian(const apl_model* model, apl_state* state, int port, apl_axes axes,
                                double* J);

/* energy[2]: kinetic and potential (gravity, springs, elasticity) [J]. */
APL_API apl_status apl_energy(const apl_model* model, apl_state* state, double* energy);

/* The accounts of the energy ledger: ways in which energy enters or leaves a robot. */
#define APL_ACCOUNT_LIST(X)                                                                        \
  X(APL_ACCOUNT_EFFORT, "effort")       /* tau, that of prescribed motion included */              \
  X(APL_ACCOUNT_INPUT, "input")         /* inputs u */                                             \
  X(APL_ACCOUNT_SERVO, "servo")         /* servos of joints */                                     \
  X(APL_ACCOUNT_LOAD, "load")           /* wrenches on ports */                                    \
  X(APL_ACCOUNT_DAMPING, "damping")     /* dampers of joints */                                    \
  X(APL_ACCOUNT_FRICTION, "friction")   /* dry friction of joints */                               \
  X(APL_ACCOUNT_STOP, "stop")           /* stops of joints */                                      \
  X(APL_ACCOUNT_STRUCTURE, "structure") /* material damping of bodies */                           \
  X(APL_ACCOUNT_DRAG, "drag")           /* air */                                                  \
  X(APL_ACCOUNT_TENDON, "tendon")       /* tendons: motors, springs and dampers of theirs */       \
  X(APL_ACCOUNT_LOOP, "loop")           /* loops: dampers of their springs, work by drift */       \
  X(APL_ACCOUNT_CONTACT, "contact") /* normal forces of contacts, springs of grounds included */   \
  X(APL_ACCOUNT_CONTACT_FRICTION, "contact-friction") /* of contacts, along the ground */          \
  X(APL_ACCOUNT_PROJECTION, "projection")             /* projection onto closed loops; no power */ \
  X(APL_ACCOUNT_IMPACT, "impact")                     /* jumps of velocities at events; no power */

/* The accounts of the ledger, by number; APL_NACCOUNT is how many there are. */
typedef enum apl_account {
#define X(name, text) name,
  APL_ACCOUNT_LIST(X)
#undef X
      APL_NACCOUNT
} apl_account;

/* Depth, rate, slip and force of each contact, for the present q, v and its discrete state;
   apl_contact_get() reads them. */
APL_API apl_status apl_contacts(const apl_model* model, apl_state* state);

/* Finds the shapes that touch for the present q (`collide` of model files) and gives them contacts,
   which then act by their contact laws until the next call. For states outside of runs; runs do
   this themselves. For complex states the real parts decide; in lanes the contacts of all lanes are
   joined and share the contacts of one robot. APL_ERR_MODEL: more shapes touch than a
   pile of them has. */
APL_API apl_status apl_touch_shapes(const apl_model* model, apl_state* state);

/* power[APL_NACCOUNT] into the robot for the present q, v, u, loads and tau [W]. The sum is the
   time derivative of kinetic plus potential energy. */
APL_API apl_status apl_accounts(const apl_model* model, apl_state* state, double* power);

/* length[ntendon] and tension[ntendon] of the tendons for the present q, v, u; either may be NULL.
   The elastic energy of tendons is not part of the potential energy: the account "tendon"
   includes all work of tendons. */
APL_API apl_status apl_tendons(const apl_model* model, apl_state* state, double* length,
                               double* tension);

/* wrench[6 * (nlink + 1)]: the reaction that holds each link and all links it carries, for the
   present q, v, a (moment, force; joint, springs, motors and tendons together), in world axes at
   the origin of the joint; zero where apl_link_info.reaction is false. The last one is the wrench
   of the world on the whole robot, about its origin. The spin of wheels and rotors is not
   included. */
APL_API apl_status apl_reactions(const apl_model* model, apl_state* state, double* wrench);

/* Momentum of all bodies in world axes about the world's origin: angular[3], linear[3]. The spin of
   wheels and rotors is not included; it counts in energy and efforts only. */
APL_API apl_status apl_momentum(const apl_model* model, apl_state* state, double* momentum);

/* Centre of mass in the world [3]. */
APL_API apl_status apl_center(const apl_model* model, apl_state* state, double* center);

/* Regressor Y[nv * 10*nlink] with M a + velocity and gravity terms = Y p, p from
   apl_model_inertial(). Rigid trees only: other bodies contribute nothing to Y. Rotors, springs and
   loads are not in Y. */
APL_API apl_status apl_regressor(const apl_model* model, apl_state* state, double* Y);

/* out[nq] = q + delta, with delta[nt] in the tangent of q. */
APL_API apl_status apl_add(const apl_model* model, apl_state* state, const double* q,
                           const double* delta, double* out);

#ifdef __cplusplus
}
#endif
