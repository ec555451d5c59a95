/* SPDX-License-Identifier: Apache-2.0 */
/* contact_rows.h: contacts as constraint rows along the normal and two tangents. */
#pragma once

#include "appell/state.h"

#include "couple/solve/section.h"
#include "dynamics/rows.h"

/* Rows of contact i for the present poses of frames: normal, first and second tangent. */
void apl_contact_ways(const apl_model* model, apl_state* state, int i, apl_way way[3],
                      double* number);

/* Their accelerations for the present a: rates of the velocities -rate and slip. After
   apl_frames_move() with accelerations. */
void apl_contact_accelerations(const apl_model* model, apl_state* state, int i,
                               const double* number, double out[3]);

/* Friction forces that contact i allows per unit of normal force: for sliding, or for sticking
   (held). */
apl_section apl_contact_section(const apl_model* model, int i, bool held);

/* number[ROW_NUMBERS] of a unit of normal force together with its friction rub[2] along the
   tangents. */
void apl_contact_rubbing(const double* number, const double rub[2], double* out);
