/* SPDX-License-Identifier: Apache-2.0 */
/* block_inputs.c: `inputs`, by name: motors, drives of tendons and external loads. The targets are
   looked up later, in the compiled model. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <string.h>

typedef struct block_input {
  const char* on;
  double gain;
  double force[3], moment[3];
  const char* axes;
  const spec_signal* value;
  spec_quantity least, greatest;
} block_input;

static const char* const axes_words[] = {"world", "port", NULL};

static const apl_field fields[] = {
    ROW(block_input, on, "on", APL_FORM_TEXT, NULL,
        "what the input acts on: a joint velocity (arm.joint.angle), a wheel or rotor "
        "(base.right), a tendon (left), a port (rod.tip), or the aim of a servo: "
        "arm.joint.angle.aim "
        "where it has stiffness, arm.joint.angle.rate.aim where it has none"),
    APL_FIELD(block_input, gain, "gain", "1",
              "torque or force per unit of input; for a tendon with stiffness, length wound up per "
              "unit of input",
              1),
    APL_FIELD(block_input, force, "force", "N", "only on a port: the force for an input of 1", 0, 0,
              0),
    APL_FIELD(block_input, moment, "moment", "N m", "only on a port: the moment for an input of 1",
              0, 0, 0),
    CHOICE(block_input, axes, "axes", axes_words, axes_words,
           "axes of `force` and `moment`: fixed in the world, or turning with the port"),
    SIGNAL(block_input, value, "value", NOTHING,
           "value over time: a number or a signal; a `force` or `moment` without a value acts with "
           "the constant value 1"),
    QUANTITY(block_input, least, "least", "lower limit of the value"),
    QUANTITY(block_input, greatest, "greatest", "upper limit of the value"),
    APL_FIELD_END,
};

/* Is this the short form, NAME: VALUE? Then NAME is also the target, and the value is a function of
   time. Of {motor: {on: arm.joint.angle, gain: 50}, base.right: 0.1 N m, elbow: {sine: {..}}} the
   second and the third item are short; elbow is the name of a joint. */
static bool is_direct(const text_node* item) {
  if (apl_node_get(item, "on") != NULL || apl_node_empty(item)) return false;
  if (strchr(item->key, '.') != NULL || item->kind != TEXT_MAP) return true;
  for (const apl_field* f = fields; f->name != NULL; ++f)
    if (apl_node_get(item, f->name) != NULL) return false;
  /* No key of an input: a signal if the first key is the word of one. Otherwise it is read as an
     input, so that the report proposes the keys of inputs. */
  return item->first != NULL && apl_signal_known(item->first->key);
}

static void read_input(apl_spec* s, const text_node* item, form_reader* r) {
  block_input in = {.on = item->key, .gain = 1.0, .axes = axes_words[0]};
  field_set set = {.field = fields, .out = &in};
  const bool direct = is_direct(item);

  apl_form_where(r, direct ? "inputs.%.60s: " : "inputs.%.60s.", item->key);
  if (direct) in.value = apl_signal_form(r, item);
  if (direct ? in.value == NULL : !apl_fields_read(r, item, &set, 1)) return;
  apl_spec_input(s, item->key, in.on, in.gain);
  if (apl_node_get(item, "force") != NULL || apl_node_get(item, "moment") != NULL) {
    const apl_wrench W = {{in.moment[0], in.moment[1], in.moment[2]},
                          {in.force[0], in.force[1], in.force[2]}};
    apl_spec_push(s, item->key, W, in.axes == axes_words[0] ? APL_WORLD_AXES : APL_PORT_AXES);
  }
  if (!apl_spec_settle(s, item->key_at, r->report)) return;
  spec_input* out = &s->input[s->ninput - 1];
  out->at = item->key_at;
  out->value = in.value;
  out->least = in.least;
  out->greatest = in.greatest;
}

static void read(apl_spec* s, const text_node* map, form_reader* r) {
  if (map->kind != TEXT_MAP) {
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                   "inputs: expected a map from names to inputs");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next)
    read_input(s, item, r);
}

static void write_input(text_out* o, const spec_input* in) {
  const block_input row = {
      .on = in->target,
      .gain = in->gain,
      .force = {in->wrench.force.x, in->wrench.force.y, in->wrench.force.z},
      .moment = {in->wrench.moment.x, in->wrench.moment.y, in->wrench.moment.z},
      .axes = axes_words[in->push && in->axes == APL_PORT_AXES ? 1 : 0],
      .value = in->value,
      .least = in->least,
      .greatest = in->greatest};
  const char* comma = "";

  apl_out_add(o, "  %s: {", in->name);
  apl_fields_write(o, fields, &row, APL_ALL_FIELDS, &comma);
  apl_out_add(o, "}\n");
}

static void write(text_out* o, const apl_spec* s) {
  if (s->ninput > 0) apl_out_add(o, "inputs:\n");
  for (int i = 0; i < s->ninput; ++i)
    write_input(o, &s->input[i]);
}

const grammar_block apl_block_inputs = {
    .word = "inputs",
    .form = BLOCK_NAMED,
    .field = fields,
    .title = "an input: a torque, force or tendon pull that comes from outside",
    .brief = SHORT_SIGNAL,
    .declares = PLACES("KEY"),
    .refers = PLACES("*", "*.on", "*.value", "*.least", "*.greatest"),
    .read = read,
    .write = write,
};
