/* SPDX-License-Identifier: Apache-2.0 */
/* metric_types.h: metrics of locomotion: numbers about a whole run, computed from its outputs.
   Each one is defined in docs/run.md, "Metrics". */
#pragma once

#include "appell/base.h"

#include <stdbool.h>

typedef struct apl_metrics {
  double from, to; /* [s]                                                                         */
  long samples;    /* outputs                                                                     */
  double filter;   /* time constant of the filter of peaks [s]                                    */
  int nefforts;    /* velocities that are driven: prescribed ones and those of servos             */
  double positive_work; /* of all of them: integral of max(effort times velocity, 0) [J]          */

  bool moves;         /* the model has contacts; otherwise the following are zero */
  double distance;    /* of the centre of mass along the ground, from first to last output [m]    */
  double speed;       /* distance over time [m/s]                                                 */
  bool has_transport; /* the cost of transport is defined: distance and weight are not zero, and it
                         is driven */
  double cost_of_transport; /* positive work over weight times distance                           */
  double friction_loss;     /* energy dissipated by friction of contacts [J] */
  bool has_friction;        /* some loaded contact has a coefficient of friction */
  double friction_use; /* largest ratio of friction to the friction that the coefficients allow */
  double least_normal; /* smallest sum of all normal forces, the first output left out [N]        */
  double slip;         /* integral of the slip speeds of all contacts that carry [m]              */
} apl_metrics;

/* Of one velocity. */
typedef struct apl_effort_metrics {
  int velocity;
  double mean; /* mean |effort| over the outputs                                                  */
  double rms;
  double peak; /* largest |effort| after the filter */
} apl_effort_metrics;
