/* SPDX-License-Identifier: Apache-2.0 */
/* block_limits.c: `limits` of a joint with one freedom. */
#include "spec/link.h"
#include "spec/rows.h"

#include <math.h>
#include <string.h>

/* The first four rows have the units of the joint: apl_limits_read() fills them in. */
const apl_field apl_limits_fields[] = {
    ROW(spec_limits, lower, "lower", APL_FORM_NUMBERS, NUMBER(-INFINITY),
        "smallest coordinate [rad or m]: a compliant stop"),
    ROW(spec_limits, upper, "upper", APL_FORM_NUMBERS, NUMBER(INFINITY),
        "largest coordinate [rad or m]: a compliant stop"),
    ROW(spec_limits, velocity, "velocity", APL_FORM_NUMBERS, NUMBER(INFINITY),
        "largest speed of the motor [rad/s or m/s]; acts only if `enforced` is true"),
    ROW(spec_limits, effort, "effort", APL_FORM_NUMBERS, NUMBER(INFINITY),
        "largest torque or force of the motor [N m or N]; acts only if `enforced` is true"),
    ROW(spec_limits, enforced, "enforced", APL_FORM_FLAG, NO,
        "limit the servo and each input of the joint to `effort`; while they drive, the limit "
        "falls linearly with the speed to zero at `velocity`"),
    APL_FIELD_END,
};

void apl_limits_read(link_reader* l, const text_node* node) {
  static const joint_measure measure[] = {MEASURE_COORDINATE, MEASURE_COORDINATE, MEASURE_VELOCITY,
                                          MEASURE_EFFORT};
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  apl_field field[sizeof apl_limits_fields / sizeof *apl_limits_fields];
  form_reader inner = l->form;

  if (node == NULL || !apl_one_freedom(l, "limits", node)) return;
  memcpy(field, apl_limits_fields, sizeof field);
  for (size_t i = 0; i < sizeof measure / sizeof *measure; ++i)
    field[i].unit = apl_joint_unit(kind, measure[i], 0);

  field_set set = {.field = field, .out = &l->link->limits};
  apl_fields_default(apl_limits_fields, &l->link->limits);
  apl_form_where(&inner, "link '%.64s': joint.limits.", l->link->name);
  if (!apl_fields_read(&inner, node, &set, 1)) return;
  l->link->limits_given = set.given;
  if (l->link->limits.enforced && !(l->link->limits.effort < HUGE_VAL))
    apl_form_refuse(&inner, node->at, "enforced", "needs `effort`, the largest torque or force");
  l->link->lower[0] = l->link->limits.lower;
  l->link->upper[0] = l->link->limits.upper;
  if (!(l->link->limits.lower <= l->link->limits.upper)) {
    apl_form_refuse(&inner, node->at, "lower", "must not be above upper, got %g and %g",
                    l->link->limits.lower, l->link->limits.upper);
  }
}

void apl_limits_write(text_out* o, const spec_link* l) {
  const char* comma = "";

  if (l->limits_given == 0) return;
  apl_out_add(o, ", limits: {");
  apl_fields_write(o, apl_limits_fields, &l->limits, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}");
}

const grammar_block apl_block_limits = {
    .word = "limits",
    .form = BLOCK_MAP,
    .field = apl_limits_fields,
    .title = "limits of a joint",
};
