/* SPDX-License-Identifier: Apache-2.0 */
/* expression.h: formulas of time, "0.3 * sin(2*pi*t) * exp(-t/2)". */
#pragma once

#include "base/error.h"

typedef struct expression expression;

/* Parse a formula; the caller frees the result. */
apl_status apl_expression_read(const char* text, expression** out, apl_error* err);

/* Value, first and second derivative at time t; not finite where the formula is not. */
void apl_expression_eval(const expression* e, double t, double y[3]);
