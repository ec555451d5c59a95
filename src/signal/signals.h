/* SPDX-License-Identifier: Apache-2.0 */
/* signals.h: signals that only model files create, and properties that integrators need. */
#pragma once

#include "appell/signal.h"

/* y = derivative of a signal, which it then owns; its own second derivative is taken as zero. */
apl_status apl_signal_rate(apl_signal* of, apl_signal** out, apl_error* err);

/* Speed of a point moving along x(t), y(t), in the direction heading(t) + turn: y = x' cos + y'
   sin. Owns the three; its own second derivative is taken as zero. */
apl_status apl_signal_ahead(apl_signal* x, apl_signal* y, apl_signal* heading, double turn,
                            apl_signal** out, apl_error* err);

/* y = a b; owns both. */
apl_status apl_signal_product(apl_signal* a, apl_signal* b, apl_signal** out, apl_error* err);

/* y = amplitude sin(scale of(t) + phase); owns `of`. */
apl_status apl_signal_wave(double amplitude, double scale, apl_signal* of, double phase,
                           apl_signal** out, apl_error* err);

/* A path from rest to rest: 0 until `from`, then the speed grows over `ramp` seconds, is constant,
   and decreases over `ramp` seconds until `to` (HUGE_VAL: never). The speed grows linearly (C1), or
   by the blend 10 x^3 - 15 x^4 + 6 x^5 (smooth: C2). */
apl_status apl_signal_travel(double speed, double from, double to, double ramp, bool smooth,
                             apl_signal** out, apl_error* err);

/* Repeats the interval from 0 to `period` of a signal, which it owns. It is as smooth as its end
   matches its beginning. */
apl_status apl_signal_cycle(apl_signal* of, double period, apl_signal** out, apl_error* err);

/* y = of(t - by), by >= 0 [s]; owns it. */
apl_status apl_signal_delay(apl_signal* of, double by, apl_signal** out, apl_error* err);

/* Add an owner: the signal is freed by the last apl_signal_free(). */
apl_signal* apl_signal_share(apl_signal* signal);

/* -1 discontinuous, 0 continuous, 1 with continuous first derivative, 2 with continuous second
   derivative. */
int apl_signal_smoothness(const apl_signal* signal);

/* The first break time after t; infinity if there is none. */
double apl_signal_break(const apl_signal* signal, double t);
