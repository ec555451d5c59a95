/* SPDX-License-Identifier: Apache-2.0 */
/* clock.h: the clocks of all benchmarks. Files that include it ask for POSIX first. */
#pragma once

#include <time.h>

static inline double seconds_of(clockid_t clock) {
  struct timespec t;
  (void)clock_gettime(clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What this program has worked: others on the machine count little. */
static inline double cpu_seconds(void) {
  return seconds_of(CLOCK_PROCESS_CPUTIME_ID);
}

/* The time on the wall, which costs less to ask for: batches of microseconds. */
static inline double wall_seconds(void) {
  return seconds_of(CLOCK_MONOTONIC);
}
