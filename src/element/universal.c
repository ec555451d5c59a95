/* SPDX-License-Identifier: Apache-2.0 */
/* universal.c: two rotations, the first about an axis of the parent, the second about an axis of
   the body: R = Rot(axis, q1) Rot(second-axis, q2). The axes need not be perpendicular. */
#include "element/axis.h"

typedef struct universal_par {
  vec3 axis; /* the first one, in the frame where the second is z */
} universal_par;

#ifndef APL_HOT

typedef struct universal_param {
  double axis[3];
  double second[3];
} universal_param;

static const apl_field universal_fields[] = {
    APL_FIELD_AXIS(universal_param, axis, "axis", "first axis, fixed in the parent", 1, 0, 0),
    APL_FIELD_AXIS(universal_param, second, "second-axis", "second axis, fixed in the body", 0, 1,
                   0),
    APL_FIELD_END,
};

static apl_status universal_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                    apl_error* err) {
  const universal_param* p = param;
  universal_par* par = constants;
  mat3 first = {0};
  (void)inertia;

  apl_status st = turn_to_axis(p->axis, "axis", &first, err);
  if (st == APL_OK) st = turn_to_axis(p->second, "second-axis", turn, err);
  if (st != APL_OK) return st;

  const vec3 a = mul_t(*turn, (vec3){first.xz, first.yz, first.zz});
  if (a.x * a.x + a.y * a.y < 1e-12) {
    return apl_fail(err, APL_ERR_MODEL, "axis and second-axis must not be parallel");
  }
  par->axis = a;
  return APL_OK;
}

static const char* const universal_name[] = {"angle1", "angle2"};
static const char* const universal_q_unit[] = {"rad", "rad"};
static const char* const universal_v_unit[] = {"rad/s", "rad/s"};

static const apl_joint_kind universal_kind = {
    .word = "universal",
    .title = "rotation about two axes through one point",
    .field = universal_fields,
    .param_size = sizeof(universal_param),
    APL_PLAIN_JOINT(universal, 2),
    .npar = APL_NPAR(universal_par),
    .nangle = 2,
    .angle = {0, 1},
    .turning = APL_TURNS_ANY,
    .compile = universal_compile,
};

#else

static void universal_motion(const joint_in* in, joint_out* out) {
  const universal_par* par = in->par;
  const real o = real_of(0.0);
  const vec3 a = par->axis;
  const real s = in->sc[0], c = in->sc[1], t = 1.0 - c;

  /* Rodrigues: Rot(a, q1) = c 1 + s [a] + (1 - c) a a^T */
  const mat3 R = {c + t * a.x * a.x,       t * a.x * a.y - s * a.z, t * a.x * a.z + s * a.y,
                  t * a.x * a.y + s * a.z, c + t * a.y * a.y,       t * a.y * a.z - s * a.x,
                  t * a.x * a.z - s * a.y, t * a.y * a.z + s * a.x, c + t * a.z * a.z};
  const real s2 = in->sc[2], c2 = in->sc[3];

  /* the first axis seen from the body: Rz(q2)^T a, and its rate -q2' z x it */
  const vec3 e = {c2 * a.x + s2 * a.y, c2 * a.y - s2 * a.x, a.z};
  const real k = in->v[0] * in->v[1];

  out->X = (pose){mat3_turn_z(R, s2, c2), vec3_zero()};
  set_column(out->S, 0, (twist){e, {o, o, o}});
  set_column(out->S, 1, (twist){{o, o, real_of(1.0)}, {o, o, o}});
  out->c = (twist){{k * e.y, -k * e.x, o}, {o, o, o}};
}

static const joint_ops universal_ops = {.motion = universal_motion};

#endif
