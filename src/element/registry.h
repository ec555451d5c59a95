/* registry.h: the one list of joint kinds and of body kinds, and the tables of their hot halves.
   The files of the kinds are included by registry.c. */
#pragma once

#include "element/element.h"

/* The order is the kind index of compiled models. */
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

/* rigid stands first; the hot halves of bodies are listed in element.h */
#define APL_BODY_LIST(X)                                                                           \
  X(rigid)                                                                                         \
  X(arc)                                                                                           \
  X(beam)

#ifdef APL_HOT

#define X(name) JOINT_##name,
enum { APL_JOINT_LIST(X) JOINT_KINDS };
#undef X

/* Filled in by registry.c, which is part of the same translation unit. */
static const joint_ops* const joint_ops_of[JOINT_KINDS]; /* by apl_node.joint */
static const body_ops* const body_ops_of[BODY_OPS];      /* by apl_node.body; [0] is NULL: rigid */

#endif
