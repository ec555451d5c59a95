/* SPDX-License-Identifier: Apache-2.0 */
/* signal_impl.h: a signal, shared by the files of this folder. */
#pragma once

#include "appell/signal.h"

#include "signal/expression.h"

typedef enum signal_shape {
  CONSTANT,
  SINE,
  STEPS,
  LINEAR,
  BLEND,
  SPLINE,
  SUM,
  RATE,
  AHEAD,
  PRODUCT,
  WAVE,
  TRAVEL,
  CYCLE,
  DELAY,
  FORMULA
} signal_shape;

struct apl_signal {
  signal_shape shape;
  int others;                           /* number of other owners; the last one frees it */
  double mean, amplitude, pulse, phase; /* sine, wave; a constant uses mean, AHEAD phase          */
  double period;                        /* cycle, delay                                           */
  int level;                            /* travel, cycle, points: smoothness of the joins */
  int n;
  int alone;         /* sum: number of components outside of its series */
  double *t, *y, *c; /* points; c: second derivatives of the spline. Travel: its four times in t.
                        Sum: c are coefficients of its series, `pulse` its base frequency, `level`
                        its highest multiple */
  double per_second; /* points: mean number per second */
  apl_signal** part; /* components of sums, products and others */
  expression* formula;
};

apl_status apl_signal_fresh(signal_shape shape, apl_signal** out, apl_error* err);

/* A signal with components, which it owns. */
apl_status apl_signal_compose(signal_shape shape, int n, apl_signal* const* part, apl_signal** out,
                              apl_error* err);

/* series.c: find sines of a sum that form a series, and add them to y. */
apl_status apl_signal_series(apl_signal* s, apl_error* err);
void apl_signal_add_series(const apl_signal* s, double t, double y[3]);

/* wave.c: the shapes from PRODUCT on. */
void apl_signal_eval_wave(const apl_signal* s, double t, double y[3]);
double apl_signal_break_cycle(const apl_signal* s, double t);
