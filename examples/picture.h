/* SPDX-License-Identifier: Apache-2.0 */
/* picture.h: drawings of a run as inline SVG. */
#pragma once

#include "robot.h"

#include <stdio.h>

/* Poses over time, laid over one another, light to dark. */
void picture_poses(FILE* out, const robot* r, const apl_model* model, const record* run);

/* Seconds from one pose to the next. */
double picture_interval(const robot* r, const record* run);

/* The curves of the robot's plot over time. */
void picture_plot(FILE* out, const robot* r, const apl_model* model, const record* run);
