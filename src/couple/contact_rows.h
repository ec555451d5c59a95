/* contact_rows.h: contacts as rows: where a contact pushes, along its normal and two directions. */
#pragma once

#include "appell/state.h"

#include "couple/solve/section.h"
#include "dynamics/rows.h"

/* Rows of contact i for the present poses of frames: normal, first and second direction. */
void apl_contact_ways(const apl_model* model, apl_state* state, int i, apl_way way[3],
                      double* number);

/* Their accelerations for the present a: rates of the velocities -rate and slip. After
   apl_frames_move() with accelerations. */
void apl_contact_accelerations(const apl_model* model, apl_state* state, int i,
                               const double* number, double out[3]);

/* What friction of contact i allows per unit of normal force: sliding, or held. */
apl_section apl_contact_section(const apl_model* model, int i, bool held);

/* number[ROW_NUMBERS] of a unit of normal force together with friction rub[2] along the directions.
 */
void apl_contact_rubbing(const double* number, const double rub[2], double* out);
