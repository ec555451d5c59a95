/* SPDX-License-Identifier: Apache-2.0 */
/* rows.h: a list of constraint rows, their sets, and their forces.

     providers (contacts, holds, loops ...)  ->  rows  ->  W = J A^-1 J^T, q  ->  solver  ->  forces

   A row is the frames or velocities on which it acts (apl_way), the numbers of its wrench, and a
   member of a block whose set restricts its force. Nothing here depends on who provides a row or
   uses its force. Memory of the list is linear in the number of declared rows and allocated by
   apl_rows_reserve(). Memory of the matrices grows with the square of the rows that are in the
   list; apl_rows_inertia() allocates it when a list is longer than all before
   (docs/decisions/084). Theory: docs/theory/rows.md. */
#pragma once

#include "appell/state.h"

#include "base/budget.h"
#include "couple/solve/cone.h"
#include "dynamics/rows.h"

typedef struct apl_rows {
  int nv;
  int most;       /* capacity of the list: rows, and as many blocks ... */
  int most_broad; /* ... and broad rows */
  int n;      /* rows in the list                                                                */
  int nblock; /* blocks in the list                                                              */
  apl_way* way;
  double* number; /* [n * ROW_NUMBERS] wrench or effort of a unit force */
  int nbroad;     /* rows that act on all velocities, such as those of tendons ... */
  int* broad;     /* [nbroad] ... their indices ... */
  double* J;      /* [nbroad * nv] ... and the generalized force of a unit force */
  apl_cone_block* block;
  double* z; /* [n * nv] innovations */
  double* W; /* [n * n]                                                                         */
  double* q; /* [n] velocities or accelerations of the rows without their forces                */
  double* r; /* [n] forces; its input is the start of a warm start */
  double* u; /* [n] velocities or accelerations with the forces                                 */
  double* diagonal; /* [n] of W, while compliance is added to contacts */
  double* in; /* [n * ROW_NUMBERS] directions of forces where they differ from those of velocities:
                 the friction of a sliding contact is proportional to its normal force */
  double* z_in;     /* [n * nv] their innovations */
  double tolerance; /* the solver fails above it; 0: its default */
  bool asks;        /* find out whether forces are unique even if loads are not shared */
  bool shared; /* forces of the last problem were not unique                                     */
  int nequal;  /* this many rows at the end are equalities, which are eliminated before the solver
                  sees the others; they may be redundant */
  apl_equal equal; /* their factors                                                              */
  double* part;    /* [nequal * nequal] W between them ...                                 */
  double* answer;  /* [nequal * (n + 1)] ... and their response to the others              */
  double *rest, *rest_q;  /* [n * n], [n] the reduced problem of the others */
  double *column, *force; /* [n] room                                                            */
  double unmet;           /* remaining velocity of equalities that contradict each other */
  apl_cone cone;
  void* memory;         /* of the list                                                           */
  void* matrices;       /* memory of the matrices, ...                                           */
  size_t bytes;         /* ... its size, ...                                                     */
  int room, room_equal; /* ... and the rows and equalities for which it is enough                */
  apl_budget* budget;   /* limit of this size; NULL: none                                        */
} apl_rows;

/* Make room for lists of at least `most` rows, of which up to `broad` act on all velocities. The
   list is empty afterwards if memory had to grow. */
apl_status apl_rows_reserve(apl_rows* rows, const apl_model* model, int most, int broad);
void apl_rows_free(apl_rows* rows);

void apl_rows_clear(apl_rows* rows);

/* Append a block of `count` rows; returns its first row. The provider fills way, number, q and the
   block's numbers. */
int apl_rows_add(apl_rows* rows, apl_set set, int count);

/* Append a block of one row that acts on all velocities; returns the row. The provider fills
   J[nv]. */
int apl_rows_add_broad(apl_rows* rows, apl_set set, double** J);

/* The last `count` rows are equalities, of blocks APL_SET_FREE. */
void apl_rows_equate(apl_rows* rows, int count);

/* Memory for the matrices of the listed rows, and W from the factors in the state. `skewed`: forces
   of some rows act along `in`; rows with zero `in` act along their numbers. */
apl_status apl_rows_inertia(apl_rows* rows, const apl_model* model, apl_state* state, bool skewed);

/* Forces for the present W and q; r is the start. If a load can be distributed in several ways,
   contacts share it as if they had equal compliance. */
apl_cone_result apl_rows_solve(apl_rows* rows, bool symmetric, bool warm, bool share);

/* a[nv] = A^-1 J^T r, and the efforts of prescribed freedoms (effort may be NULL). z[nv] is
   scratch. */
apl_status apl_rows_spread(const apl_rows* rows, const apl_model* model, apl_state* state,
                           double* z, double* a, double* effort);
