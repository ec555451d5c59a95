/* SPDX-License-Identifier: Apache-2.0 */
/* multipliers.h: a robot held by Lagrange multipliers, the tests' other description of what rolls:

     M a + h = tau + J^T lambda        J a + gamma = 0

   Rows are made of apl_jacobian() and apl_port_motion() at ports. Dense and slow. */
#pragma once

#include "appell/appell.h"

enum { GRIP_VELOCITIES = 20, GRIP_ROWS = 12 };

typedef struct grip {
  const apl_model* model;
  apl_state* s;
  int n, nv;
  double J[GRIP_ROWS * GRIP_VELOCITIES];
  double gamma[GRIP_ROWS];
} grip;

grip grip_new(const apl_model* model, apl_state* s);

/* Jacobian, twist, and acceleration for a = 0 of a port: the rates of the twist's components in the
   axes asked for. */
typedef struct grip_port {
  double J[6 * GRIP_VELOCITIES], V[6], A[6];
} grip_port;

grip_port grip_at(const grip* g, const char* port, apl_axes axes);

/* weight . (w; v) of a port = 0. The row of J may be changed further. */
double* grip_row(grip* g, const grip_port* at, const double weight[6]);

/* The velocities obey the rows, to round-off. */
void grip_check(const grip* g);

/* Accelerations under tau, and the multipliers, lambda[n]. */
void grip_forces(const grip* g, const double* tau, double* a, double* lambda);
void grip_solve(const grip* g, const double* tau, double* a);
