/* rows.h: a list of rows, what holds them, and the forces that do it.

     providers (contacts, holds, loops ...)  ->  rows  ->  W = J A^-1 J^T, q  ->  solver  ->  forces

   A row is where it acts (apl_way), the numbers of its wrench, and a place in a block whose set
   says which forces it may have. Who provides a row and who uses its force does not matter here.
   Memory is taken by apl_rows_reserve() and grows only there. Theory: docs/theory/rows.md. */
#pragma once

#include "appell/state.h"

#include "couple/solve/cone.h"
#include "dynamics/rows.h"

typedef struct apl_rows {
  int nv;
  int most;   /* room for rows, and for as many blocks                                           */
  int n;      /* rows in the list                                                                */
  int nblock; /* blocks in the list                                                              */
  apl_way* way;
  double* number; /* [n * ROW_NUMBERS] what a unit of force does                                 */
  int nbroad;     /* rows that are vectors over all velocities, as those of tendons are ...      */
  int* broad;     /* [nbroad] ... which ...                                                      */
  double* J;      /* [nbroad * nv] ... and what a unit of force does there                       */
  apl_cone_block* block;
  double* z; /* [n * nv] half solutions                                                         */
  double* W; /* [n * n]                                                                         */
  double* q; /* [n] velocities or accelerations of the rows without their forces                */
  double* r; /* [n] forces; what it holds is where a warm start begins                          */
  double* u; /* [n] velocities or accelerations with the forces                                 */
  double* diagonal; /* [n] of W, while contacts are made softer                                  */
  double* in; /* [n * ROW_NUMBERS] numbers of forces, where they differ from those of velocities: a
                 contact that slides rubs as much as it presses                                  */
  double* z_in; /* [n * nv] their half solutions                                                 */
  double tolerance; /* of the solver, which fails above it; 0: its own                           */
  bool asks;   /* whether forces are unique is wanted although nobody shares them               */
  bool shared; /* forces of the last problem were not unique                                     */
  int nequal;  /* this many rows at the end are equalities, which are eliminated before the solver
                  sees the others: they may depend on each other                                  */
  apl_equal equal; /* their factors                                                              */
  double *part, *answer;  /* [n * n] W between them, and what the others make them do             */
  double *rest, *rest_q;  /* [n * n], [n] the problem of the others                               */
  double *column, *force; /* [n] room                                                            */
  double unmet; /* what the equalities still move by where they contradict each other             */
  apl_cone cone;
  void* memory;
} apl_rows;

/* Room for at least `most` rows. The list is empty afterwards if it had to grow. */
apl_status apl_rows_reserve(apl_rows* rows, const apl_model* model, int most);
void apl_rows_free(apl_rows* rows);

void apl_rows_clear(apl_rows* rows);

/* A block of `count` rows behind the others; returns its first row. The provider fills way, number,
   q and the numbers of the block. */
int apl_rows_add(apl_rows* rows, apl_set set, int count);

/* A block of one row that acts on all velocities; returns the row. The provider fills J[nv]. */
int apl_rows_add_broad(apl_rows* rows, apl_set set, double** J);

/* The last `count` rows are equalities, of blocks APL_SET_FREE. */
void apl_rows_equate(apl_rows* rows, int count);

/* W from the factors in the state. `skewed`: forces of some rows act as `in` says; rows whose `in`
   is zero act as their number says. */
apl_status apl_rows_inertia(apl_rows* rows, const apl_model* model, apl_state* state, bool skewed);

/* Forces of the present W, q, r. Where several shares of a load are possible, the rows of
   contacts share it as if each were equally soft. */
apl_cone_result apl_rows_solve(apl_rows* rows, bool symmetric, bool warm, bool share);

/* a[nv] = A^-1 J^T r, and what prescribed freedoms bear (effort may be NULL). z[nv] is room. */
apl_status apl_rows_spread(const apl_rows* rows, const apl_model* model, apl_state* state,
                           double* z, double* a, double* effort);
