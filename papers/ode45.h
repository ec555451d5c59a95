/* SPDX-License-Identifier: Apache-2.0 */
/* ode45.h: the integrator of a paper that used MATLAB's ode45: Dormand-Prince 5(4) with its step
   control (largest relative error of a component, not their mean; first step from the rate). Only
   for that paper: runs have better methods. */
#pragma once

#include "appell/base.h"

#include "system/equations.h"

typedef struct ode45 {
  double relative, absolute;
  double *y, *work; /* [n], [9 n] of the caller                                                  */
  int n;            /* numbers that are integrated; the rate function may fill more of its own   */
  apl_rate rate;
  void* context;
  long evaluations, steps;

  /* called at the end of each step */
  void (*look)(double t, const double* y, void* user);
  void* user;
} ode45;

/* From t to t_end; y is where it starts and ends. */
apl_status apl_ode45(ode45* o, double t, double t_end);
