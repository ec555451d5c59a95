/* loop.h: describe closed loops. The links form a tree; a loop is a joint between two of its ports.
   It gives a few scalar constraints (rows)

     c(q) = 0,   c' = J v = 0,   c'' = J a + (dJ/dt) v = 0

   with one force per row (APL_LOOPS and APL_LOOP_ROWS of model.h). Theory: docs/theory/loops.md. */
#pragma once

#include "appell/spec.h"
#include "appell/state.h"

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

/* ----------------------------------------------------------------------------------- state ---- */

/* Numbers of each row in a state, [nrow * APL_LOOP] of the state's width: apl_loop_row(). The force
   acts on `to` in the positive direction of the row and on `from` against it. Every pass applies
   it. With springs (below) a pass finds the force itself. */
enum {
  APL_LOOP_FORCE = 0, /* [N] or [N m]                                                            */
  APL_LOOP_GAP = 1,   /* c; apl_loops() writes it and what follows                               */
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

/* Result of an assembly. Changes are those of coordinates, in their units. */
typedef struct apl_assembly {
  int iterations;
  int starts;     /* from which loops were closed, until one did                                  */
  double gap;     /* largest remaining gap [m or rad] ...                                         */
  int row;        /* ... and its row                                                              */
  double open;    /* refused: the size of the gap of this row's loop                              */
  double rate;    /* largest remaining rate of a gap                                              */
  int nredundant; /* rows that depend on the others: their forces are not unique                  */
  int* redundant; /* room for [nloop_row], or NULL: which                                         */
  bool released;  /* given values were rounded                                                    */
  double rounded; /* largest change of a given coordinate (0: kept bit for bit) ...               */
  int rounded_coordinate; /* ... which                                                            */
  double moved;           /* largest change of another one ...                                    */
  int moved_coordinate;   /* ... which ...                                                        */
  int nmoved;             /* ... and how many changed by more than 1e-6                           */
} apl_assembly;

/* Move q (and v) of a state, which is the guess, to where all loops are closed to 1e-12 m or rad
   (and stay so). keep[nq] and keep_rates[nv] (each may be NULL) say which coordinates and
   velocities are given: 0 may move, others stay bit for bit, and so does what is prescribed. Where
   more is given than the loops leave free, and the last digits contradict each other, values with
   larger numbers are rounded, by at most 1e-6. What contradicts by more is refused: the sentence
   says how far which loop stays open, and in which direction; the state stays as it was.

   The assembly near the guess is taken. Where the loops do not close from there, they are closed
   from other starts in a fixed order, and the nearest assembly of the first ones that close is
   taken; without `keep` only from the guess. */
APL_API apl_status apl_closing_assemble(apl_closing* closing, apl_state* state, const int* keep,
                                        const int* keep_rates, apl_assembly* report,
                                        apl_error* err);

#ifdef __cplusplus
}
#endif
