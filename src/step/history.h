/* SPDX-License-Identifier: Apache-2.0 */
/* history.h: the last points of a solution, newest first, and interpolation polynomials through
   them. The distances of points may differ. A multistep method needs no other memory, so going back
   to an earlier point means dropping the later ones. */
#pragma once

#include "appell/base.h"

#include <stddef.h>

/* A formula of order 5 and the error estimate for order 6 use seven points; the others allow going
   back over a few steps. */
enum { HISTORY_ROOM = 12 };

typedef struct history {
  int n;     /* numbers per point */
  int count; /* points known                                                                     */
  double t[HISTORY_ROOM];
  double* y[HISTORY_ROOM];
} history;

/* Memory for points of n numbers. */
apl_status apl_history_open(history* h, int n);
void apl_history_close(history* h);

/* Add a point; the oldest one is dropped if there is no room. */
void apl_history_push(history* h, double t, const double* y);

/* Drop points later than t. */
void apl_history_drop(history* h, double t);

/* out[0..count) at time t by the polynomial through the newest `points` points. */
void apl_history_at(const history* h, int points, double t, int count, double* out);

/* The backward differentiation formula of order k at time t, which is after the newest point:
     y = psi + c y'
   c [s] comes out, psi of the first `count` numbers too. */
double apl_history_formula(const history* h, int k, double t, int count, double* psi);

/* Weights w[points + 1] with which the integral of a polynomial from the newest point to t follows
   from its values at t, w[0], and at the newest `points` points; points <= 6. */
void apl_history_integral(const history* h, int points, double t, double* w);

/* The same c alone. */
double apl_history_span(const history* h, int k, double t);
