/* signals.h: kinds of signals that only model files make, and what integrators ask of a signal. */
#pragma once

#include "appell/signal.h"

/* y = rate of a signal, which it then owns; its own second rate is taken to be zero. */
apl_status apl_signal_rate(apl_signal* of, apl_signal** out, apl_error* err);

/* Speed of a point that moves through x(t), y(t), along the direction heading(t) + turn:
   y = x' cos + y' sin. Owns the three; its own second rate is taken to be zero. */
apl_status apl_signal_ahead(apl_signal* x, apl_signal* y, apl_signal* heading, double turn,
                            apl_signal** out, apl_error* err);

/* y = a b; owns both. */
apl_status apl_signal_product(apl_signal* a, apl_signal* b, apl_signal** out, apl_error* err);

/* y = amplitude sin(scale of(t) + phase); owns `of`. */
apl_status apl_signal_wave(double amplitude, double scale, apl_signal* of, double phase,
                           apl_signal** out, apl_error* err);

/* A way from rest to rest: 0 until `from`, then a speed that grows over `ramp` seconds, stays, and
   falls over `ramp` seconds until `to` (HUGE_VAL: it never stops). The speed grows evenly (C1), or
   by a blend, 10 x^3 - 15 x^4 + 6 x^5 (smooth: C2). */
apl_status apl_signal_travel(double speed, double from, double to, double ramp, bool smooth,
                             apl_signal** out, apl_error* err);

/* The stretch from 0 to `period` of a signal again and again; owns it. It is as smooth as the end
   fits the beginning. */
apl_status apl_signal_cycle(apl_signal* of, double period, apl_signal** out, apl_error* err);

/* y = of(t - by), by >= 0 [s]; owns it. */
apl_status apl_signal_delay(apl_signal* of, double by, apl_signal** out, apl_error* err);

/* One more owner for a signal: it goes with the last apl_signal_free(). */
apl_signal* apl_signal_share(apl_signal* signal);

/* -1 jumps, 0 continuous, 1 with continuous rate, 2 with continuous second rate. */
int apl_signal_smoothness(const apl_signal* signal);

/* The first break after t; infinity when there is none. */
double apl_signal_break(const apl_signal* signal, double t);
