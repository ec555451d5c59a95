/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.h: functions of a recorder for the command, in addition to appell/recorder.h, and
   texts about impacts and inputs. */
#pragma once

#include "appell/recorder.h"
#include "channel/metrics.h"

/* The row that was recorded last; for output callbacks, which are called after it. */
const double* apl_recorder_row(const apl_recorder* recorder);

/* Metrics over all outputs, including those before a resume; i of nefforts. */
apl_metrics apl_recorder_metrics(const apl_recorder* recorder);
apl_effort_metrics apl_recorder_effort(const apl_recorder* recorder, int i);

/* The file with the result, "" if there is none. It is not the file that the user asked for if
   the run did not finish and an older result is there (apl_record_place()). */
const char* apl_recorder_place(const apl_recorder* recorder);

/* "in 1.2 m/s, out 0.9 m/s (0.75), slip 0.5 to 0.3 m/s, impulse 0.3 N s, peak 12 N" */
void apl_impact_text(const apl_impact* impact, char* text, size_t size);

/* Suffix of the name of an input in results: an input that is named like a coordinate is recorded
   as NAME.input. "" for others. */
const char* apl_input_ending(const apl_model* model, int input);

/* "arm.1, peg": the shapes that touched, or the name of the contact with a ground, in text. */
const char* apl_impact_name(const apl_impact* impact, const apl_model* model, char* text,
                            size_t size);

/* One sentence about the methods that `auto` chose; "" if it used explicit steps only. */
void apl_switching_text(const apl_switching* switching, char* text, size_t size);

/* The sentence of apl_assembly_text() when loops moved more than round-off at the start; else "".
 */
const char* apl_recorder_assembly(const apl_recorder* recorder);
