/* SPDX-License-Identifier: Apache-2.0 */
/* fixed.c: a joint without freedom. A rigid body on it is merged with the body that it is fixed to,
   so this file is used with deformable bodies only. */
#include "element/axis.h"

#ifndef APL_HOT

static const apl_field fixed_fields[] = {APL_FIELD_END};

static apl_status fixed_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                apl_error* err) {
  (void)param, (void)constants, (void)inertia, (void)turn, (void)err;
  return APL_OK;
}

static const apl_joint_kind fixed_kind = {
    .word = "fixed",
    .title = "no relative motion",
    .field = fixed_fields,
    .turning = APL_TURNS_NOT,
    .flat = APL_FLAT_ALWAYS,
    .compile = fixed_compile,
};

#else

static void fixed_motion(const joint_in* in, joint_out* out) {
  (void)in;
  out->X = pose_identity_real();
  out->c = twist_zero();
}

static const joint_ops fixed_ops = {.motion = fixed_motion};

#endif
