/* targets.h: promises that are measured in files of their own; see targets.c. */
#pragma once

#include "appell/appell.h"

/* targets_rows.c: what each of 12 rows adds to forward dynamics of a quadruped, and what factoring
   costs, in forward passes; factors and 34 rows of a planar snake in microseconds, and its factors
   in space in forward passes in its plane. */
double target_quadruped_rows(void);
double target_quadruped_factor(void);
double target_quadruped_implicit(void);
double target_snake_rows(void);
double target_snake_factor(void);
