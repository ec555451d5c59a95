/* SPDX-License-Identifier: Apache-2.0 */
/* block_joint.c: `joint` of a link: the keys that all types of joints have in common. The keys of
   the types themselves are in the tables of src/element. */
#include "spec/link.h"
#include "spec/rows.h"

typedef struct block_joint {
  const char *type, *name;
  const text_node *stiffness, *damping, *rest, *rotors, *limits, *friction, *servo;
  const text_node *friction_speed, *stop_stiffness, *stop_damping;
  bool prescribed;
} block_joint;

static const apl_field fields[] = {
    ROW(block_joint, type, "type", APL_FORM_TEXT, NULL, "type of the joint, one of those below"),
    ROW(block_joint, name, "name", APL_FORM_TEXT, TEXT(""),
        "a name for the joint: coordinates are then called NAME.angle and so on; LINK.joint.angle "
        "can still be used"),
    BLOCK(block_joint, stiffness, "stiffness", "freedoms", NOTHING,
          "stiffness of a linear spring towards `rest` [N m/rad or N/m]: one number for all "
          "freedoms, or one for each"),
    BLOCK(block_joint, damping, "damping", "freedoms", NOTHING,
          "viscous damping [N m s/rad or N s/m]: one number for all freedoms, or one for each"),
    BLOCK(block_joint, rest, "rest", "freedoms", NOTHING,
          "coordinates at which the spring is relaxed; also the initial position unless `start` "
          "gives another one"),
    BLOCK(block_joint, rotors, "rotors", "rotors", NOTHING,
          "rotors of geared motors, which add their inertia to the joint"),
    BLOCK(block_joint, limits, "limits", "limits", NOTHING,
          "limits of a joint with one freedom: `lower` and `upper` are compliant stops; `velocity` "
          "and `effort` limit the motors if `enforced` is true"),
    BLOCK(block_joint, friction, "friction", "freedoms", NOTHING,
          "Coulomb friction F [N m or N] of a joint with one freedom: effort -F v/sqrt(v^2 + s^2), "
          "with s the `friction-speed`"),
    BLOCK(block_joint, friction_speed, "friction-speed", "freedoms", NOTHING,
          "speed s over which Coulomb friction is smoothed [rad/s or m/s]; 1e-3 when left out"),
    BLOCK(block_joint, stop_stiffness, "stop-stiffness", "freedoms", NOTHING,
          "stiffness k of the stops at `lower` and `upper` [N m/rad or N/m]: effort k p (1 + c p') "
          "at penetration p, with c the `stop-damping`; 1e4 when left out"),
    BLOCK(block_joint, stop_damping, "stop-damping", "freedoms", NOTHING,
          "damping c of the stops [s/rad or s/m]; 0 when left out"),
    BLOCK(block_joint, servo, "servo", "servo", NOTHING,
          "position or velocity controller (PID) that follows the `motion` or gait of the joint, "
          "or holds it at `rest`"),
    ROW(block_joint, prescribed, "prescribed", APL_FORM_FLAG, NO,
        "the joint follows the `motion` or gait exactly, and the effort that this needs is "
        "computed"),
    APL_FIELD_END,
};

static void read_friction(link_reader* l, const text_node* node) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  const char* unit[] = {apl_joint_unit(kind, MEASURE_EFFORT, 0)};

  if (node == NULL || !apl_one_freedom(l, "friction", node)) return;
  if (!apl_numbers_read(&l->form, "friction", node, unit, 1, l->link->friction)) return;
  if (!(l->link->friction[0] >= 0.0))
    apl_form_refuse(&l->form, node->at, "friction", "must not be negative");
}

void apl_joint_read(link_reader* l, const text_node* node) {
  spec_link* link = l->link;
  const apl_joint_kind* kind = apl_joint_kinds[link->joint_kind];
  block_joint raw = {0};

  link->mark.joint = node == NULL ? link->mark.link : node->at;
  const bool ok = apl_part_read(l, "joint", node, fields, &raw, kind->field, link->joint_param,
                                &link->joint_given, &link->mark.joint_field);
  apl_freedoms_read(l, "stiffness", raw.stiffness, MEASURE_STIFFNESS, kind->nt);
  apl_freedoms_read(l, "damping", raw.damping, MEASURE_DAMPING, kind->slaved ? kind->nt : kind->nv);
  apl_freedoms_read(l, "rest", raw.rest, MEASURE_COORDINATE, kind->nq);
  apl_limits_read(l, raw.limits);
  read_friction(l, raw.friction);
  apl_freedoms_read(l, "friction-speed", raw.friction_speed, MEASURE_VELOCITY, kind->nv > 0);
  apl_freedoms_read(l, "stop-stiffness", raw.stop_stiffness, MEASURE_STIFFNESS, kind->nv > 0);
  apl_freedoms_read(l, "stop-damping", raw.stop_damping, MEASURE_STOP_DAMPING, kind->nv > 0);
  if (ok && raw.name != NULL && raw.name[0] != '\0') {
    apl_spec_word(l->spec, l->index, "joint.name", raw.name);
    apl_spec_settle(l->spec, apl_node_get(node, "name")->at, l->form.report);
  }
  apl_servo_read(l, raw.servo);
  apl_rotors_read(l, raw.rotors);
  if (raw.prescribed && kind->nv == 0) {
    apl_form_refuse(&l->form, apl_node_get(node, "prescribed")->at, "prescribed",
                    "a %s joint has no velocity of its own that could be prescribed", kind->word);
  }
  link->joint_prescribed = ok && raw.prescribed;
}

void apl_joint_write(text_out* o, const spec_link* l) {
  const apl_joint_kind* kind = apl_joint_kinds[l->joint_kind];
  const char* comma = ", ";
  const spec_link usual = {.friction_speed = APL_FRICTION_SPEED,
                           .stop_stiffness = APL_STOP_STIFFNESS};

  apl_out_add(o, "    joint: {type: %s", kind->word);
  if (l->joint_name[0] != '\0') apl_out_add(o, ", name: %s", l->joint_name);
  apl_fields_write(o, kind->field, l->joint_param, l->joint_given, &comma);
  apl_freedoms_write(o, "stiffness", l->stiffness, NULL, kind->nt);
  apl_freedoms_write(o, "damping", l->damping, NULL, kind->slaved ? kind->nt : kind->nv);
  apl_freedoms_write(o, "rest", l->rest, kind->neutral, kind->nq);
  apl_freedoms_write(o, "friction", l->friction, NULL, kind->nv == 1 ? 1 : 0);
  apl_freedoms_write(o, "friction-speed", &l->friction_speed, &usual.friction_speed, kind->nv > 0);
  apl_freedoms_write(o, "stop-stiffness", &l->stop_stiffness, &usual.stop_stiffness, kind->nv > 0);
  apl_freedoms_write(o, "stop-damping", &l->stop_damping, &usual.stop_damping, kind->nv > 0);
  apl_limits_write(o, l);
  apl_servo_write(o, l);
  if (l->joint_prescribed && kind->nv > 0) apl_out_add(o, ", prescribed: true");
  apl_rotors_write(o, l);
  apl_out_add(o, "}\n");
}

static bool joint_type(int i, block_type* out) {
  const apl_joint_kind* kind = apl_joint_kinds[i];

  if (kind != NULL) *out = (block_type){kind->word, kind->title, kind->field};
  return kind != NULL;
}

const grammar_block apl_block_joint = {
    .word = "joint",
    .form = BLOCK_MAP,
    .field = fields,
    .title = "a joint",
    .brief = SHORT_TYPE,
    .type = joint_type,
};
