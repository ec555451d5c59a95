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
  int others; /* that share it: who frees it last frees it                                        */
  double mean, amplitude, pulse, phase; /* sine, wave; a constant uses mean, AHEAD phase          */
  double period;                        /* cycle, delay                                           */
  int level;                            /* travel, cycle, points: how smooth they join            */
  int n;
  int alone; /* sum: parts that stand for themselves; the others are in its series                */
  double *t, *y, *c; /* points; c: second rates of the spline. Travel: its four times in t. Sum: c
                        are coefficients of its series, `pulse` its lowest, `level` its highest   */
  double per_second; /* points: how many of them in the mean                                      */
  apl_signal** part; /* sum, product; what the others are made of                                 */
  expression* formula;
};

apl_status apl_signal_fresh(signal_shape shape, apl_signal** out, apl_error* err);

/* A signal of parts, which it owns. */
apl_status apl_signal_compose(signal_shape shape, int n, apl_signal* const* part, apl_signal** out,
                              apl_error* err);

/* series.c: find sines among the parts of a sum that can be had together, and add them to y. */
apl_status apl_signal_series(apl_signal* s, apl_error* err);
void apl_signal_add_series(const apl_signal* s, double t, double y[3]);

/* wave.c: the shapes from PRODUCT on. */
void apl_signal_eval_wave(const apl_signal* s, double t, double y[3]);
double apl_signal_break_cycle(const apl_signal* s, double t);
