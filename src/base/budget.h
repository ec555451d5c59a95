/* SPDX-License-Identifier: Apache-2.0 */
/* budget.h: a limit for memory that grows with the square of a problem. Whoever needs such memory
   asks here before allocating it. Memory that grows linearly is not counted. */
#pragma once

#include "appell/base.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct apl_budget {
  double limit;   /* [bytes]                                                                     */
  double taken;   /* [bytes] in use                                                              */
  apl_error* err; /* receives the sentence of a refusal; may be NULL                             */
} apl_budget;

/* The limit of a run that does not give one [GB, 1e9 bytes]. */
#define APL_MEMORY_LIMIT 2.0

/* Do `bytes` fit in place of `old` bytes that are in use? A budget that is NULL has no limit. */
bool apl_budget_fits(const apl_budget* budget, size_t old, size_t bytes);

/* Book `bytes` instead of `old` ones. If they do not fit: APL_ERR_MEMORY with a sentence in
   budget->err, and `old` stays booked. `count` and `what` say for what: "the matrices of 6000 rows
   of contacts". */
apl_status apl_budget_take(apl_budget* budget, size_t old, size_t bytes, int count,
                           const char* what);
