/* SPDX-License-Identifier: Apache-2.0 */
/* linearize.h: shared by the files of apl_linearize(). */
#pragma once

#include "appell/linearize.h"

#include "base/pool.h"
#include "system/system_impl.h"

/* Type of a state, input or output of the linear system. */
typedef enum linear_kind {
  LINEAR_DIRECTION,  /* of the tangent of q                                                       */
  LINEAR_VELOCITY,   /* velocity                                                                  */
  LINEAR_BRISTLE,    /* of contact `of`, along direction `axis`                                   */
  LINEAR_SUM,        /* integral of a servo's error: integral `of` */
  LINEAR_INPUT,      /* input                                                                     */
  LINEAR_EFFORT,     /* effort on a velocity                                                      */
  LINEAR_COORDINATE, /* coordinate                                                                */
  LINEAR_POSITION,   /* of port `of` along `axis`                                                 */
  LINEAR_MOTION      /* its velocity                                                              */
} linear_kind;

typedef struct linear_part {
  linear_kind kind;
  int of, axis;
} linear_part;

typedef struct linear_list {
  linear_part* part;
  const char** name;
  const char** unit;
  int n;
} linear_list;

typedef struct linear_work {
  apl_linear_system out; /* first: the public part */
  apl_system* system;
  linear_list x, u, y;
  double *A, *B, *C, *D, *rate, *u0, *y0, *pole, *zero;
  double *gap, *gap_rate; /* [npart*n] derivatives of gaps of loops and of their rates            */
  apl_pool pool;
} linear_work;

/* linearize_check.c: an error if no linear system exists. Touching solids that no run has examined
   get temporary contacts: true in lent[nslot], to be removed by apl_near_part(). */
apl_status apl_linear_check(apl_system* s, bool* lent, apl_error* err);

/* linearize_names.c: list states, inputs and outputs. Unknown names are reported in err. */
apl_status apl_linear_list(linear_work* w, const apl_linearize_options* options, apl_error* err);

/* linearize_loops.c: keep an independent subset of states if loops are closed. Failures are
   reported in err. */
apl_status apl_linear_reduce(linear_work* w, apl_error* err);

/* linearize_poles.c: from A, B, C, D. */
apl_status apl_linear_poles(linear_work* w);
