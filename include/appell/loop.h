/* SPDX-License-Identifier: Apache-2.0 */
/* loop.h: closed loops. The links form a tree; a loop is an additional joint between two ports. It
   adds scalar constraints (rows)

     c(q) = 0,   c' = J v = 0,   c'' = J a + (dJ/dt) v = 0

   with one force per row (APL_LOOPS and APL_LOOP_ROWS of model.h). Theory: docs/theory/loops.md. */
#pragma once

#include "appell/spec.h"
#include "appell/state.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Locked directions of a loop of type "mask", as bits: translation along x, y, z and rotation about
   them. */
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
  double stiffness, damping;                 /* method springs: [N/m], [N s/m]; 0: chosen
                                                automatically */
  double turning_stiffness, turning_damping; /* [N m/rad], [N m s/rad]                           */
} apl_closure;

/* Type point, axis z, cross x, axes of `from`, springs not given. */
APL_API apl_closure apl_closure_default(void);

/* Add a loop; returns its index, -1 on error. */
APL_API int apl_spec_loop(apl_spec* spec, const apl_closure* closure);

/* ----------------------------------------------------------------------------------- state ---- */

/* Values of each row in a state, [nrow * APL_LOOP] numbers of the state's width, see
   apl_loop_row(). The force acts on `to` in the positive direction of the row and on `from` in the
   opposite one. Every pass applies it. With the method springs a pass computes the force itself. */
enum {
  APL_LOOP_FORCE = 0, /* [N] or [N m]                                                            */
  APL_LOOP_GAP = 1,   /* c [m or rad]; apl_loops() writes it and the entries below */
  APL_LOOP_RATE = 2,  /* c' = J v                                                                */
  APL_LOOP_ACCEL = 3, /* c'' = J a + (dJ/dt) v for the accelerations in the state                */
  APL_LOOP_STIFFNESS = 4,
  APL_LOOP_DAMPING = 5,
  APL_LOOP = 6
};
APL_API double* apl_loop_row(apl_state* state);

/* Gaps, rates and accelerations of all rows for the present q, v, a. */
APL_API apl_status apl_loops(const apl_model* model, apl_state* state);

/* J[nrow * nv], row-major: c' = J v. */
APL_API apl_status apl_loops_jacobian(const apl_model* model, apl_state* state, double* J);

/* --------------------------------------------------------------------------------- closing ---- */

/* Memory for closing the loops of one model. Scalar states only. */
typedef struct apl_closing apl_closing;
APL_API apl_status apl_closing_new(const apl_model* model, apl_closing** out);
APL_API void apl_closing_free(apl_closing* closing); /* accepts NULL                              */

/* Forward dynamics with loops closed by Lagrange multipliers, which are written to the rows:
   J a + (dJ/dt) v = 0, or = -2 w c' - w^2 c with Baumgarte stabilisation of rate w = stiffness
   [1/s]. The cost is linear in the size of the tree and cubic in the number of rows. Redundant rows
   get the smallest forces. */
APL_API apl_status apl_closing_forward(apl_closing* closing, apl_state* state, double stiffness);

/* Result of an assembly. Changes are changes of coordinates, in their units. */
typedef struct apl_assembly {
  int iterations;
  int starts;     /* number of starting points tried until one closed the loops */
  double gap;     /* largest remaining gap [m or rad] ...                                         */
  int row;        /* ... and its row                                                              */
  double open;    /* on failure: the size of the gap of this row's loop */
  double rate;    /* largest remaining rate of a gap                                              */
  int nredundant; /* rows that depend on the others: their forces are not unique                  */
  int* redundant; /* room for [nloop_row], or NULL: which                                         */
  bool released;  /* given values were changed in their last digits */
  double rounded; /* largest change of a given coordinate (0: unchanged bit for bit) ... */
  int rounded_coordinate; /* ... which                                                            */
  double moved;           /* largest change of another one ...                                    */
  int moved_coordinate;   /* ... which ...                                                        */
  int nmoved;             /* ... and how many changed by more than 1e-6                           */
} apl_assembly;

/* Move q (and v) of a state, starting from its present values, to a configuration in which all
   loops are closed to 1e-12 m or rad (and remain closed at velocity level). keep[nq] and
   keep_rates[nv] (each may be NULL) select given coordinates and velocities: 0 may move, others
   stay bit for bit, as do prescribed ones. If more values are given than the loops leave free, and
   they contradict each other in the last digits only, the given values with higher indices are
   changed by at most 1e-6. Larger contradictions are an error: the message names the loop that
   stays open, its gap and direction; the state is unchanged.

   The assembly near the initial values is taken. If the loops do not close from there, other
   starting points are tried in a fixed order, and the nearest of the first assemblies found is
   taken; without `keep` only the initial values are tried. */
APL_API apl_status apl_closing_assemble(apl_closing* closing, apl_state* state, const int* keep,
                                        const int* keep_rates, apl_assembly* report,
                                        apl_error* err);

#ifdef __cplusplus
}
#endif
