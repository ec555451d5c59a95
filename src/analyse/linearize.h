/* linearize.h: the parts of apl_linearize(). */
#pragma once

#include "appell/linearize.h"

#include "base/pool.h"
#include "system/system_impl.h"

/* What a state, an input or an output of the linear system is. */
typedef enum linear_kind {
  LINEAR_DIRECTION,  /* of the tangent of q                                                       */
  LINEAR_VELOCITY,   /* velocity                                                                  */
  LINEAR_BRISTLE,    /* of contact `of`, along direction `axis`                                   */
  LINEAR_SUM,        /* what a servo has summed up: integral `of`                                 */
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
  apl_linear_system out; /* first: what users see                                                 */
  apl_system* system;
  linear_list x, u, y;
  double *A, *B, *C, *D, *rate, *u0, *y0, *pole, *zero;
  double *gap, *gap_rate; /* [npart*n] derivatives of gaps of loops and of their rates            */
  apl_pool pool;
} linear_work;

/* linearize_names.c: who takes part. False without memory; outputs and inputs that are not there
   are told in err. */
apl_status apl_linear_list(linear_work* w, const apl_linearize_options* options, apl_error* err);

/* linearize_loops.c: keep the states that loops leave independent. Failures are told in err. */
apl_status apl_linear_reduce(linear_work* w, apl_error* err);

/* linearize_poles.c: from A, B, C, D. */
apl_status apl_linear_poles(linear_work* w);
