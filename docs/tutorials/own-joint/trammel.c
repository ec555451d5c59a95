/* SPDX-License-Identifier: Apache-2.0 */
/* trammel.c: two pins of the body slide along two lines that cross at a right angle (an elliptic
   trammel, Cardan's motion). The body frame is halfway between the pins. */
#include "element/axis.h"

typedef struct trammel_par {
  real half; /* half the distance of the pins [m] */
} trammel_par;

#ifndef APL_HOT

typedef struct trammel_param {
  double normal[3];
  double distance;
} trammel_param;

static const apl_field trammel_fields[] = {
    APL_FIELD_AXIS(trammel_param, normal, "normal",
                   "normal of the plane of motion, in the frame of the joint", 0, 0, 1),
    APL_FIELD_POSITIVE(trammel_param, distance, "distance", "m", "distance between the two pins"),
    APL_FIELD_END,
};

static apl_status trammel_compile(const void* param, void* constants, double* inertia, mat3* turn,
                                  apl_error* err) {
  const trammel_param* p = param;
  trammel_par* par = constants;
  (void)inertia;

  par->half = p->distance / 2;
  return turn_to_axis(p->normal, "normal", turn, err);
}

static const char* const trammel_name[] = {"angle"};
static const char* const trammel_q_unit[] = {"rad"};
static const char* const trammel_v_unit[] = {"rad/s"};

static const apl_joint_kind trammel_kind = {
    .word = "trammel",
    .title = "two pins that slide along perpendicular lines, as in an elliptic trammel",
    .field = trammel_fields,
    .param_size = sizeof(trammel_param),
    APL_PLAIN_JOINT(trammel, 1),
    .npar = APL_NPAR(trammel_par),
    .nangle = 1,
    .angle = {0},
    .turning = APL_TURNS_ABOUT_Z,
    .compile = trammel_compile,
};

#else

static void trammel_motion(const joint_in* in, joint_out* out) {
  const trammel_par* par = in->par;
  const real o = real_of(0.0), b = par->half, v = in->v[0];
  const real s = in->sc[0], c = in->sc[1];
  const real s2 = 2.0 * s * c, c2 = c * c - s * s; /* sine and cosine of 2 q */

  /* p = b (c, -s), and p' in body axes: Rz(q)^T p' = -b (sin 2q, cos 2q) q' */
  out->X = (pose){mat3_turn_z(mat3_identity(), s, c), {b * c, -b * s, o}};
  set_column(out->S, 0, (twist){{o, o, real_of(1.0)}, {-b * s2, -b * c2, o}});

  /* (dS/dt) v = (0; 2 b (-cos 2q, sin 2q)) q'^2 */
  out->c = (twist){{o, o, o}, {-2.0 * b * c2 * v * v, 2.0 * b * s2 * v * v, o}};
}

static const joint_ops trammel_ops = {.motion = trammel_motion};

#endif
