/* SPDX-License-Identifier: Apache-2.0 */
/* extra.h: passes and parts of a state that are not public: for runs, pictures, the command and
   tests. */
#pragma once

#include "appell/dynamics.h"

/* World poses of all ports: [nport * 12]. */
apl_status apl_poses(const apl_model* model, apl_state* state, double* poses);

/* Name of account i, as in results; NULL beyond the last. */
const char* apl_account_word(int i);

/* World poses of cross-sections of a deformable body at equal steps from root to tip, for drawing:
   [12 * sections] with apl_link_info.sections of the link, in the layout of apl_poses(). */
apl_status apl_sections(const apl_model* model, apl_state* state, int link, double* poses);

/* Points along a tendon in the world, for drawing: [3 * apl_model_tendon_npoint()]. */
apl_status apl_tendon_points(const apl_model* model, apl_state* state, int tendon, double* points);

/* wrench[6]: sum of all external forces on the robot for the present q, v, a: reactions of the
   world on the first joints, weight and loads, in world axes about the world origin (N m, N). It
   equals the time derivative of the momentum. APL_ERR_ARGUMENT for robots with slaved joints, whose
   ground forces are not known. */
apl_status apl_external(const apl_model* model, apl_state* state, double* wrench);

/* delta[nt] = to - from in the tangent space of q, and the rate of q there: rate[nt] = N v + K
   V. */
apl_status apl_subtract(const apl_model* model, apl_state* state, const double* to,
                        const double* from, double* delta);
apl_status apl_tangent_rates(const apl_model* model, apl_state* state, double* rate);

/* [nv] efforts of servos in the last pass with forces (apl_forward(), apl_inverse()); 0 for
   velocities without a servo. */
const double* apl_servo(const apl_state* state);

/* Set the discrete memory of a contact: mode, sticks, speed_in, bristle. */
apl_status apl_contact_remember(apl_state* state, int contact, int lane, const apl_contact* what);
