/* loop.h: describe closed loops. The links form a tree; a loop is a joint between two of its ports.
   It gives a few scalar constraints (rows)

     c(q) = 0,   c' = J v = 0,   c'' = J a + (dJ/dt) v = 0

   with one force per row (APL_LOOPS and APL_LOOP_ROWS of model.h). Theory: docs/theory/loops.md. */
#pragma once

#include "appell/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Directions of a loop of type "mask", as bits: along x, y, z and about them. */
enum {
  APL_ALONG_X = 1,
  APL_ALONG_Y = 2,
  APL_ALONG_Z = 4,
  APL_ABOUT_X = 8,
  APL_ABOUT_Y = 16,
  APL_ABOUT_Z = 32
};

/* A joint between two ports. Start from apl_closure_default(). */
typedef struct apl_closure {
  const char* name; /* NULL or "": loop1, loop2 ..                                               */
  const char *from, *to; /* ports, a link for its root, or "world"                               */
  const char* type;      /* docs/formats/model.md, `loops`                                       */
  apl_pose at;    /* pose of the joint in the frame of `from`; on `to` it is at the port         */
  apl_vec3 axis;  /* hinge, slider, cylindrical, planar-point (its normal): in the axes of both;
                     universal: the axis that is fixed in `from`                                 */
  apl_vec3 cross; /* universal: the axis fixed in `to`, perpendicular to the other               */
  double length;  /* distance [m]                                                                */
  unsigned directions; /* mask: which are locked, in the axes of `from`    */
  apl_axes axes; /* point, planar-point: directions and `axis` turn with `from` (APL_PORT_AXES) or
                    are fixed in the world (APL_WORLD_AXES)                                      */
  double stiffness, damping;                 /* method springs: [N/m], [N s/m]; 0: chosen        */
  double turning_stiffness, turning_damping; /* [N m/rad], [N m s/rad]                           */
} apl_closure;

/* Type point, axis z, cross x, axes of `from`, springs not given. */
APL_API apl_closure apl_closure_default(void);

/* Add a loop; returns its index, -1 on error. */
APL_API int apl_spec_loop(apl_spec* spec, const apl_closure* closure);

#ifdef __cplusplus
}
#endif
