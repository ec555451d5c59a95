/* SPDX-License-Identifier: Apache-2.0 */
/* signal.h: functions of time for inputs and prescribed motion: value, first and second derivative.
   Each one knows its smoothness and its break times, because integrators must restart there. */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A function of time. */
typedef struct apl_signal apl_signal;

/* y = value */
APL_API apl_status apl_signal_constant(double value, apl_signal** out, apl_error* err);

/* y = mean + amplitude sin(2 pi frequency t + phase) */
APL_API apl_status apl_signal_sine(double mean, double amplitude, double frequency, double phase,
                                   apl_signal** out, apl_error* err);

/* A formula of the time t [s], "0.3 * sin(2*pi*t) * exp(-t/2)": + - * / ^, brackets, pi, sin, cos,
   tan, exp, log, sqrt, tanh. Smooth where it is finite; its rates are exact. */
APL_API apl_status apl_signal_expression(const char* formula, apl_signal** out, apl_error* err);

/* Through n points (t increasing): "steps" (value of the point on the left, discontinuous),
   "linear" (C0), "blend" (quintic from rest to rest between points, C2), "spline" (natural cubic,
   C2) or "not-a-knot" (cubic spline with the not-a-knot condition at its ends, C2). Outside of the
   points the end values are kept; a spline continues along its tangent. */
APL_API apl_status apl_signal_points(const char* shape, int n, const double* t, const double* y,
                                     apl_signal** out, apl_error* err);

/* Sum of signals, which it then owns. */
APL_API apl_status apl_signal_sum(int n, apl_signal* const* part, apl_signal** out, apl_error* err);

/* For signals that no system owns. */
APL_API void apl_signal_free(apl_signal* signal); /* accepts NULL */

/* y[3]: value, first and second derivative at t. At a break time the limits from the right. */
APL_API void apl_signal_eval(const apl_signal* signal, double t, double y[3]);

#ifdef __cplusplus
}
#endif
