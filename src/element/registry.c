/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c: the list of joint kinds and of body kinds. Compiled once by itself for the cold
   halves; included by dynamics/hot.c, once per number type, for the hot halves. */
#include "element/element.h"

#include "element/fixed.c"
#include "element/revolute.c"
#include "element/prismatic.c"
#include "element/helical.c"
#include "element/cylindrical.c"
#include "element/universal.c"
#include "element/spherical.c"
#include "element/planar.c"
#include "element/floating.c"
#include "element/differential_drive.c"
#include "element/trailer.c"
#include "element/knife_edge.c"
#include "element/car_front.c"
#include "element/car_rear.c"
#include "element/mecanum.c"
#include "element/omni.c"
#include "element/rolling_disc.c"
#include "element/rolling_sphere.c"

#include "element/rigid.c"
#include "element/arc.c"
#include "element/arc_plane.c"
#include "element/arc_plane_x.c"
#include "element/arc_taylor.c"
#include "element/arc_space.c"
#include "element/arc_bend.c"
#include "element/beam.c"
#include "element/beam_shapes.c"
#include "element/beam_integrals.c"
#include "element/beam_motion.c"

/* The position in this list is the kind index in compiled models. */
#define APL_JOINT_LIST(X)                                                                          \
  X(fixed)                                                                                         \
  X(revolute)                                                                                      \
  X(prismatic)                                                                                     \
  X(helical)                                                                                       \
  X(cylindrical)                                                                                   \
  X(universal)                                                                                     \
  X(spherical)                                                                                     \
  X(planar)                                                                                        \
  X(floating)                                                                                      \
  X(differential_drive)                                                                            \
  X(trailer)                                                                                       \
  X(knife_edge)                                                                                    \
  X(car_front)                                                                                     \
  X(car_rear)                                                                                      \
  X(mecanum)                                                                                       \
  X(omni3)                                                                                         \
  X(omni4)                                                                                         \
  X(rolling_disc)                                                                                  \
  X(rolling_sphere)

/* rigid must be first; the hot halves of bodies are listed in element.h */
#define APL_BODY_LIST(X)                                                                           \
  X(rigid)                                                                                         \
  X(arc)                                                                                           \
  X(beam)

#ifndef APL_HOT

#define X(name) &name##_kind,
const apl_joint_kind* const apl_joint_kinds[] = {APL_JOINT_LIST(X) NULL};
const apl_body_kind* const apl_body_kinds[] = {APL_BODY_LIST(X) NULL};
#undef X

#else

static inline const joint_ops* joint_ops_of(int kind) {
#define X(name) &name##_ops,
  static const joint_ops* const all[] = {APL_JOINT_LIST(X)};
#undef X
  return all[kind];
}

static inline const body_ops* body_ops_of(int ops) {
#define X(name) &name##_ops,
  static const body_ops* const all[] = {NULL, APL_BODY_OPS_LIST(X)};
#undef X
  return all[ops];
}

#endif
