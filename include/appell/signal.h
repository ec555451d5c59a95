/* signal.h: functions of time for inputs and prescribed motion: value, rate and second rate. Each
   knows how smooth it is and where it breaks, because integrators must restart there. */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_signal apl_signal;

/* y = value */
APL_API apl_status apl_signal_constant(double value, apl_signal** out, apl_error* err);

/* y = mean + amplitude sin(2 pi frequency t + phase) */
APL_API apl_status apl_signal_sine(double mean, double amplitude, double frequency, double phase,
                                   apl_signal** out, apl_error* err);

/* A formula of the time t [s], "0.3 * sin(2*pi*t) * exp(-t/2)": + - * / ^, brackets, pi, sin, cos,
   tan, exp, log, sqrt, tanh. Smooth where it is finite; its rates are exact. */
APL_API apl_status apl_signal_expression(const char* formula, apl_signal** out, apl_error* err);

/* Through n points (t increasing): "steps" (left value, C-1), "linear" (C0), "blend" (quintic from
   rest to rest between points, C2), "spline" (natural cubic, C2) or "not-a-knot" (a cubic spline
   whose ends are as good as its middle, C2 between its points). Outside the points the end values
   hold; a spline goes on straight. */
APL_API apl_status apl_signal_points(const char* shape, int n, const double* t, const double* y,
                                     apl_signal** out, apl_error* err);

/* Sum of signals, which it then owns. */
APL_API apl_status apl_signal_sum(int n, apl_signal* const* part, apl_signal** out, apl_error* err);

/* y = rate of a signal, which it then owns; its own second rate is taken to be zero. */
APL_API apl_status apl_signal_rate(apl_signal* of, apl_signal** out, apl_error* err);

/* Speed of a point that moves through x(t), y(t), along the direction heading(t) + turn:
   y = x' cos + y' sin. Owns the three; its own second rate is taken to be zero. */
APL_API apl_status apl_signal_ahead(apl_signal* x, apl_signal* y, apl_signal* heading, double turn,
                                    apl_signal** out, apl_error* err);

/* y = a b; owns both. */
APL_API apl_status apl_signal_product(apl_signal* a, apl_signal* b, apl_signal** out,
                                      apl_error* err);

/* y = amplitude sin(scale of(t) + phase); owns `of`. */
APL_API apl_status apl_signal_wave(double amplitude, double scale, apl_signal* of, double phase,
                                   apl_signal** out, apl_error* err);

/* A way from rest to rest: 0 until `from`, then a speed that grows over `ramp` seconds, stays, and
   falls over `ramp` seconds until `to` (HUGE_VAL: it never stops). The speed grows evenly (C1), or
   by a blend, 10 x^3 - 15 x^4 + 6 x^5 (smooth: C2). */
APL_API apl_status apl_signal_travel(double speed, double from, double to, double ramp, bool smooth,
                                     apl_signal** out, apl_error* err);

/* The stretch from 0 to `period` of a signal again and again; owns it. It is as smooth as the end
   fits the beginning. */
APL_API apl_status apl_signal_cycle(apl_signal* of, double period, apl_signal** out,
                                    apl_error* err);

/* y = of(t - by), by >= 0 [s]; owns it. */
APL_API apl_status apl_signal_delay(apl_signal* of, double by, apl_signal** out, apl_error* err);

/* One more owner for a signal: it goes with the last apl_signal_free(). */
APL_API apl_signal* apl_signal_share(apl_signal* signal);

APL_API void apl_signal_free(apl_signal* signal); /* accepts NULL */

/* y[3]: value, rate, second rate at t. At a break the values from the right. */
APL_API void apl_signal_eval(const apl_signal* signal, double t, double y[3]);

/* -1 jumps, 0 continuous, 1 with continuous rate, 2 with continuous second rate. */
APL_API int apl_signal_smoothness(const apl_signal* signal);

/* The first break after t; infinity when there is none. */
APL_API double apl_signal_break(const apl_signal* signal, double t);

#ifdef __cplusplus
}
#endif
