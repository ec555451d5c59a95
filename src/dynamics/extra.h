/* extra.h: passes and parts of a state that users do not need: for runs, pictures, the command and
 * tests. */
#pragma once

#include "appell/dynamics.h"

/* The same for all ports at once: [nport * 12]. */
apl_status apl_poses(const apl_model* model, apl_state* state, double* poses);

/* Name of an account, as in results; NULL beyond the last. */
const char* apl_account_word(int i);

/* World poses of sections of a body that deforms at equal steps from root to tip, to draw it:
   [12 * sections], apl_link_info.sections of the link; as apl_poses() has them. */
apl_status apl_sections(const apl_model* model, apl_state* state, int link, double* poses);

/* Points along a tendon in the world, to draw it: [3 * apl_model_tendon_npoint()]. */
apl_status apl_tendon_points(const apl_model* model, apl_state* state, int tendon, double* points);

/* wrench[6]: all external forces on the robot for the present q, v, a: reactions of the world on
   the first joints, weight and loads, in world axes about the world origin. It is the rate of
   momentum. APL_ERR_ARGUMENT for robots with slaved joints, whose ground forces are not known. */
apl_status apl_external(const apl_model* model, apl_state* state, double* wrench);

/* delta[nt] = to - from in the tangent of q, and q' on the tangent: rate[nt] = N v + K V. */
apl_status apl_subtract(const apl_model* model, apl_state* state, const double* to,
                        const double* from, double* delta);
apl_status apl_tangent_rates(const apl_model* model, apl_state* state, double* rate);

/* [nv] efforts of servos, 0 elsewhere, of the last pass with forces (apl_forward(), apl_inverse()).
 */
const double* apl_servo(const apl_state* state);

/* Set the discrete state of a contact: mode, sticks, speed_in, bristle. */
apl_status apl_contact_remember(apl_state* state, int contact, int lane, const apl_contact* what);
