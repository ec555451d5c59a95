/* close.h: closing the loops of a model: assembly, forward and inverse dynamics. */
#pragma once

#include "appell/run.h"

/* Memory for closing the loops of one model. Scalar states only. */
typedef struct apl_closing apl_closing;
apl_status apl_closing_new(const apl_model* model, apl_closing** out);
void apl_closing_free(apl_closing* closing); /* accepts NULL                              */

/* Forward dynamics with loops closed by Lagrange multipliers, which are written to the rows:
   J a + (dJ/dt) v = 0, or = -2 w c' - w^2 c with Baumgarte stabilisation of rate w = stiffness
   [1/s]. The cost is linear in the size of the tree and cubic in the number of rows. Redundant rows
   get the smallest forces. */
apl_status apl_closing_forward(apl_closing* closing, apl_state* state, double stiffness);

/* Inverse dynamics with loops closed, apl_system_inverse() for any state. */
apl_status apl_closing_inverse(apl_closing* closing, apl_state* state, bool joints,
                               apl_actuation* report, apl_error* err);

/* Accelerations that keep the loops closed at the present q and v: the smallest change of those
   that keep[nv] (may be NULL) does not fix. */
apl_status apl_closing_accelerate(apl_closing* closing, apl_state* state, const int* keep,
                                  apl_error* err);

/* Result of an assembly. */
typedef struct apl_assembly {
  int iterations;
  double gap;     /* largest remaining gap [m or rad] ...                                         */
  int row;        /* ... and its row                                                              */
  double rate;    /* largest remaining rate of a gap                                              */
  int nredundant; /* rows that depend on the others: their forces are not unique                  */
  int* redundant; /* room for [nloop_row], or NULL: which                                         */
  bool released;  /* not all that was to be kept could be                                         */
} apl_assembly;

/* Move q (and v) of a state, which is the guess, to where all loops are closed (and stay so). It
   goes to the branch that is near the guess. keep[nt] and keep_rates[nv] (each may be NULL) say
   which of the tangent of q and of the velocities are to stay as they are: 0 may move, 1 stays
   first of all, and larger numbers give way before smaller ones where loops need it. What is
   prescribed always stays. Fails with a sentence that says how far which loop is from closing, and
   in which direction. */
apl_status apl_closing_assemble(apl_closing* closing, apl_state* state, const int* keep,
                                const int* keep_rates, apl_assembly* report, apl_error* err);
