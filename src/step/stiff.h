/* SPDX-License-Identifier: Apache-2.0 */
/* stiff.h: data of the integrator `stiff` (stiff.c), and their copy in checkpoints. */
#pragma once

#include "step/history.h"
#include "step/stepper.h"

#include <stdbool.h>

enum { STIFF_ORDER = 5 }; /* the highest */

typedef struct stiff_data {
  history past;    /* the newest point is where the stepper is                                    */
  int order;       /* of the next step                                                            */
  bool climb;      /* a low order follows from failures: steps of one length until it has grown   */
  int wait;        /* steps until order and step may grow                                         */
  double h;        /* the next step, 0 when none is known                                         */
  double rate;     /* of convergence of the last steps                                            */
  int ringing;     /* number of successive steps with an undamped oscillation (listen) ... */
  bool quiet;      /* ... high enough to limit the order to QUIET_ORDER for now */
  double mean[3];  /* running means of squared terms over the last steps */
  double settled;  /* steps before this time are repetitions and are ignored by listen() */
  int inside;      /* points used to interpolate in the last step */
  double from;     /* start of the solution: points before it are artificial */
  double* predict; /* [n] extrapolated y at the end of the step ... */
  double* psi;     /* [n] ... y = psi + c y' there ...                                            */
  double* y;       /* [n] ... the iterate */
  double* room;    /* [2 n] one point                                                             */
  double* f;       /* [n] rates where the step ends                                               */
} stiff_data;

/* stiff_memory.c: how many numbers of a checkpoint it needs for n components; then they are written
   or read. Numbers that no run can have are refused. */
int apl_stiff_memory_size(int n);
apl_status apl_stiff_memory(apl_stepper* s, apl_store* memory);
