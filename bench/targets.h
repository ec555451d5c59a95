/* SPDX-License-Identifier: Apache-2.0 */
/* targets.h: promises that are measured in files of their own; see targets.c. */
#pragma once

#include "appell/appell.h"

#include <stdbool.h>

/* targets.c: a promise: what it is about, in which unit, and what was promised. */
typedef struct target_promise {
  const char* what;
  const char* unit;
  double target; /* 0: none                                                                       */
  bool least;    /* target is the least that counts, not the most                                 */
} target_promise;

/* targets.c: print what was measured, and whether that is what was promised; false when not. */
bool target_tell(target_promise promise, double value);

/* targets.c: the model of a spec, which is freed; NULL with a sentence on stderr. */
apl_model* target_model(apl_spec* spec);

/* targets_rows.c: what each of 12 rows adds to forward dynamics of a quadruped, and what factoring
   costs, in forward passes; factors and 34 rows of a planar snake in microseconds, and its factors
   in space in forward passes in its plane. */
double target_quadruped_rows(void);
double target_quadruped_factor(void);
double target_quadruped_implicit(void);
double target_snake_rows(void);
double target_snake_factor(void);

/* targets_loops.c: the 3RRR rose of 6 s by gen-alpha at 5 ms [ms] with springs of 1e6 and 1e12 N/m,
   and what it is off by [m]; exactly by rk4 at 10 ms; constrained forward dynamics [us]; growth
   with tree and loops. */
double target_rose_soft(void);
double target_rose_stiff(void);
double target_rose_off(void);
double target_rose_exact(void);
double target_rose_exact_off(void);
double target_3rrr_forward(void);
double target_loops_tree(void);
double target_loops_rows(void);

/* targets_arcs.c: forward dynamics of an arm of ten arcs that bend about y, per element [ns]; arms
   that bend about x, about both or take all six strains, over it; the same of ten beams. */
double target_arc_element(void);
double target_arc_bend_x(void);
double target_arc_bendings(void);
double target_arc_strains(void);
double target_beam(void);
double target_beam_bendings(void);
double target_beam_all(void);

/* targets_runs.c: CPU time of whole runs of shipped robots by explicit methods over evaluations
   times one forward pass; those whose line has `word` in it. False when one is missed. */
bool target_runs(const char* word);
