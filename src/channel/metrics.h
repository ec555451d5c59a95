/* metrics.h: sums of a run from which metric_types.h is made. They are plain numbers, so that a
   checkpoint copies them and a resumed run ends with those of one that never stopped. */
#pragma once

#include "channel/channels.h"
#include "channel/metric_types.h"

/* Time constant of the filter in front of peaks [s]. */
#define APL_METRICS_FILTER 0.01

typedef struct run_metrics run_metrics;

/* The list must outlive it. NULL when memory is out. */
run_metrics* apl_metrics_new(const channel_list* list);
void apl_metrics_free(run_metrics* m); /* accepts NULL */

/* The row that the list has last made. */
apl_status apl_metrics_look(run_metrics* m);

/* numbers[apl_metrics_size()] */
int apl_metrics_size(const run_metrics* m);
void apl_metrics_remember(const run_metrics* m, double* numbers);
void apl_metrics_recall(run_metrics* m, const double* numbers);

apl_metrics apl_metrics_get(const run_metrics* m);
apl_effort_metrics apl_metrics_effort(const run_metrics* m, int i);
