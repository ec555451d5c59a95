/* SPDX-License-Identifier: Apache-2.0 */
/* block_servo.c: `servo` of a joint, a PID controller with limits. */
#include "spec/link.h"
#include "spec/rows.h"

#include <math.h>
#include <string.h>

typedef struct block_servo {
  const text_node *stiffness, *damping, *integral, *effort, *speed;
  const char* aim;
} block_servo;

static const char* const aim_words[] = {"rest", "start", NULL};

static const apl_field fields[] = {
    BLOCK(block_servo, stiffness, "stiffness", "freedoms", NOTHING,
          "proportional gain kp [N m/rad or N/m] of effort = kp e + ki (integral of e) + kd (rate "
          "of the aim - velocity), with e = aim - coordinate"),
    BLOCK(block_servo, damping, "damping", "freedoms", NOTHING,
          "derivative gain kd [N m s/rad or N s/m]; without the other gains the servo controls "
          "velocity, and its aim is the `motion` of a velocity (NAME.rate)"),
    BLOCK(block_servo, integral, "integral", "freedoms", NOTHING,
          "integral gain ki [N m/(rad s) or N/(m s)]; the integral stops growing where its part "
          "reaches the largest effort (anti-windup)"),
    BLOCK(block_servo, effort, "effort", "freedoms", NOTHING,
          "largest torque or force [N m or N]; no limit when left out"),
    BLOCK(block_servo, speed, "speed", "freedoms", NOTHING,
          "no-load speed [rad/s or m/s]: while the servo drives, the largest effort falls linearly "
          "to zero at this speed; needs `effort`; no limit when left out"),
    CHOICE(block_servo, aim, "aim", aim_words, aim_words,
           "what it holds without a motion: `rest` of the joint, or where the joint is at the "
           "`start`"),
    APL_FIELD_END,
};

void apl_servo_read(link_reader* l, const text_node* node) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  const int n = kind->nv;
  block_servo raw = {.aim = aim_words[0]};
  form_reader inner = l->form;
  if (node == NULL) return;

  l->link->servo = true;
  apl_form_where(&inner, "link '%.64s': joint.servo.", l->link->name);
  if (!apl_fields_read(&inner, node, &(field_set){.field = fields, .out = &raw}, 1)) return;
  apl_freedoms_read(l, "servo-stiffness", raw.stiffness, MEASURE_STIFFNESS, n);
  apl_freedoms_read(l, "servo-damping", raw.damping, MEASURE_DAMPING, n);
  apl_freedoms_read(l, "servo-integral", raw.integral, MEASURE_INTEGRAL, n);
  apl_freedoms_read(l, "servo-effort", raw.effort, MEASURE_EFFORT, n);
  apl_freedoms_read(l, "servo-speed", raw.speed, MEASURE_VELOCITY, n);
  l->link->servo_from_start = strcmp(raw.aim, aim_words[1]) == 0;
}

void apl_servo_write(text_out* o, const spec_link* l) {
  const int n = apl_joint_kinds[l->joint_kind]->nv;
  const struct {
    const char* key;
    const double* value;
    double usual;
  } row[] = {{"stiffness", l->servo_stiffness, 0.0},
             {"damping", l->servo_damping, 0.0},
             {"integral", l->servo_integral, 0.0},
             {"effort", l->servo_effort, HUGE_VAL},
             {"speed", l->servo_speed, HUGE_VAL}};
  const char* comma = "";
  if (!l->servo) return;

  apl_out_add(o, ", servo: {");
  for (int i = 0; i < 5; ++i) {
    bool usual = true;
    for (int k = 0; k < n; ++k)
      usual = usual && row[i].value[k] == row[i].usual;
    if (usual) continue;
    apl_out_add(o, "%s%s: ", comma, row[i].key);
    apl_out_numbers(o, row[i].value, n);
    comma = ", ";
  }
  if (l->servo_from_start) apl_out_add(o, "%saim: start", comma);
  apl_out_add(o, "}");
}

const grammar_block apl_block_servo = {
    .word = "servo",
    .form = BLOCK_MAP,
    .field = fields,
    .title = "gains and limits of the controller of a joint",
};
