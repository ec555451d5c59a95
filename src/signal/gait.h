/* SPDX-License-Identifier: Apache-2.0 */
/* gait.h: the signals of a gait, one per joint. */
#pragma once

#include "spec/gait.h"

/* The signal of joint j = 1 .. n. A serpenoid body has n + 1 links of length / (n + 1). The signal
   is C2 where travel and offset are. */
apl_status apl_gait_signal(const apl_gait* gait, int j, int n, apl_signal** out, apl_error* err);

/* Largest absolute value of joint j, without `offset`. */
double apl_gait_reach(const apl_gait* gait, int j, int n);
