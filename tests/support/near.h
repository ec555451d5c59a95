/* SPDX-License-Identifier: Apache-2.0 */
/* near.h: comparisons with a tolerance that print both numbers, their name and the place. Includes
   cmocka with the headers it needs, so a test includes this file first. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "appell/appell.h"

/* The floats of <math.h> as doubles. */
#define NEAR_NAN ((double)NAN)
#define NEAR_INFINITY ((double)INFINITY)

/* The compiler checks arguments against the format, as for printf. */
#if defined(__GNUC__)
#define NEAR_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define NEAR_FORMAT(text, first)
#endif

/* What is being tested now ("tree 12, 60 freedoms"): printed with every failure until changed. */
void near_context(const char* format, ...) NEAR_FORMAT(1, 2);

/* Fail the running test with a sentence. */
void near_fail(const char* file, int line, const char* format, ...) NEAR_FORMAT(3, 4);

/* |got - want| <= tolerance; NaN fails. */
void near_number(const char* file, int line, const char* name, double got, double want,
                 double tolerance);

/* |got[i] - want[i]| <= tolerance * scale for all i < n. */
void near_array(const char* file, int line, const char* name, const double* got, const double* want,
                int n, double tolerance, double scale);

/* max |x[i]| > floor: the array says something, a comparison with it can fail. */
void near_alive(const char* file, int line, const char* name, const double* x, int n, double floor);

void near_status(const char* file, int line, const char* call, apl_status status);

/* max |x[i]|, 0 for n = 0 and NaN if any is. */
double near_max(const double* x, int n);

#define CHECK_NEAR(got, want, tolerance)                                                           \
  near_number(__FILE__, __LINE__, #got, (got), (want), (tolerance))
#define CHECK_ARRAY(got, want, n, tolerance, scale)                                                \
  near_array(__FILE__, __LINE__, #got, (got), (want), (n), (tolerance), (scale))
#define CHECK_ALIVE(x, n, floor) near_alive(__FILE__, __LINE__, #x, (x), (n), (floor))
#define CHECK_OK(call) near_status(__FILE__, __LINE__, #call, (call))
#define CHECK_TRUE(condition, ...)                                                                 \
  do {                                                                                             \
    if (!(condition)) near_fail(__FILE__, __LINE__, __VA_ARGS__);                                  \
  } while (0)
