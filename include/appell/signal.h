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

APL_API void apl_signal_free(apl_signal* signal); /* accepts NULL */

/* y[3]: value, rate, second rate at t. At a break the values from the right. */
APL_API void apl_signal_eval(const apl_signal* signal, double t, double y[3]);

#ifdef __cplusplus
}
#endif
