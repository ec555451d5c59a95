/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.h: sums over a run from which the metrics of metric_types.h are computed. They are
   plain numbers, which checkpoints contain, so that a resumed run gives the same metrics as one
   that was never stopped. */
#pragma once

#include "base/store.h"
#include "channel/channels.h"
#include "channel/metric_types.h"

/* Time constant of the filter of peak efforts [s]. */
#define APL_METRICS_FILTER 0.01

typedef struct run_metrics run_metrics;

/* The list must outlive it. NULL without memory. */
run_metrics* apl_metrics_new(const channel_list* list);
void apl_metrics_free(run_metrics* m); /* accepts NULL */

/* Take the last row of the list into account. */
apl_status apl_metrics_look(run_metrics* m);

/* All sums as apl_metrics_size() numbers of a checkpoint, which are written or read. */
int apl_metrics_size(const run_metrics* m);
void apl_metrics_memory(run_metrics* m, apl_store* memory);

apl_metrics apl_metrics_get(const run_metrics* m);
apl_effort_metrics apl_metrics_effort(const run_metrics* m, int i);
