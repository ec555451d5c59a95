/* SPDX-License-Identifier: Apache-2.0 */
/* gait_joints.h: the joints that a gait moves. */
#pragma once

#include "spec/form.h"

/* The state of the reader of one gait. */
typedef struct gait_reader {
  apl_spec* spec;
  form_reader* form;
  const text_node* node;
  spec_gait* out;
  const char* unit; /* of the coordinates of its joints */
} gait_reader;

/* Read `joints` or `chain` of the gait and find the links. Sets their unit. False if something was
   reported. */
bool apl_gait_joints(gait_reader* g);
