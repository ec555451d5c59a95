/* SPDX-License-Identifier: Apache-2.0 */
/* block_pose.c: poses, with their `rotation`, and inertias. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <string.h>

typedef struct block_pose {
  double position[3];
  const text_node* rotation;
} block_pose;

typedef struct block_rotation {
  double rpy[3], quaternion[4], axis[3], angle;
} block_rotation;

const apl_field apl_pose_fields[] = {
    APL_FIELD(block_pose, position, "position", "m", "position of the origin", 0, 0, 0),
    BLOCK(block_pose, rotation, "rotation", "rotation", NOTHING, "orientation of the axes"),
    APL_FIELD_END,
};

static const apl_field rotation_fields[] = {
    APL_FIELD(block_rotation, rpy, "rpy", "rad",
              "roll, pitch and yaw: rotations about the fixed axes x, then y, then z, as in URDF",
              0, 0, 0),
    APL_FIELD(block_rotation, quaternion, "quaternion", "1",
              "quaternion w, x, y, z; need not have unit length", 1, 0, 0, 0),
    APL_FIELD_AXIS(block_rotation, axis, "axis", "axis of a rotation by `angle`", 0, 0, 1),
    APL_FIELD(block_rotation, angle, "angle", "rad", "angle of a rotation about `axis`", 0),
    APL_FIELD_END,
};

#define MOMENT(k, word)                                                                            \
  {                                                                                                \
    .name = word, .offset = k * sizeof(double), .count = 1, .unit = "kg m^2",                      \
    .fallback = NUMBER(0), .sentence = "component " word                                           \
  }
const apl_field apl_inertia_fields[] = {
    MOMENT(0, "xx"), MOMENT(1, "yy"), MOMENT(2, "zz"), MOMENT(3, "xy"),
    MOMENT(4, "xz"), MOMENT(5, "yz"), APL_FIELD_END,
};

/* ---------------------------------------------------------------------------------- poses ---- */

/* {rpy: ..}, {quaternion: ..} or {axis: .., angle: ..} */
static bool read_rotation(form_reader* r, const text_node* node, apl_quat* out) {
  block_rotation raw = {0};
  field_set set = {.field = rotation_fields, .out = &raw};
  if (!apl_fields_read(r, node, &set, 1)) return false;

  /* bits in the order of the table: rpy, quaternion, axis, angle */
  switch (set.given) {
  case 1:
    *out = apl_quat_rpy(raw.rpy[0], raw.rpy[1], raw.rpy[2]);
    return true;
  case 2:
    *out = (apl_quat){raw.quaternion[0], raw.quaternion[1], raw.quaternion[2], raw.quaternion[3]};
    break;
  case 4 + 8:
    if (raw.axis[0] == 0.0 && raw.axis[1] == 0.0 && raw.axis[2] == 0.0) {
      return apl_form_refuse(r, node->at, "axis", "must not be zero");
    }
    *out = apl_quat_axis((apl_vec3){raw.axis[0], raw.axis[1], raw.axis[2]}, raw.angle);
    return true;
  default:
    apl_report_add(r->report, APL_ERR_SYNTAX, node->at,
                   "%.140s expected one of rpy, quaternion, or axis with angle", r->where);
    return false;
  }
  if (out->w * out->w + out->x * out->x + out->y * out->y + out->z * out->z > 1e-20) return true;
  return apl_form_refuse(r, node->at, "quaternion", "must not be zero");
}

/* [x, y, z] or {position: .., rotation: ..} */
bool apl_pose_form(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  static const char* const metre[] = {"m", "m", "m"};
  block_pose raw = {0};
  apl_pose place = apl_pose_identity();
  form_reader inner = *r;
  bool ok;

  apl_form_where(&inner, "%.120s%s.", r->where, f->name);
  if (node->kind == TEXT_LIST) {
    ok = apl_numbers_read(r, f->name, node, metre, 3, raw.position);
  } else if (node->kind == TEXT_MAP) {
    ok = apl_fields_read(&inner, node, &(field_set){.field = apl_pose_fields, .out = &raw}, 1);
  } else {
    return apl_form_expected(r, f->name, node,
                             "a pose such as [0, 0, 5 cm] or {position: .., rotation: ..}");
  }
  if (ok && raw.rotation != NULL) {
    apl_form_where(&inner, "%.120s%s.rotation.", r->where, f->name);
    ok = read_rotation(&inner, raw.rotation, &place.rotation);
  }
  if (!ok) return false;
  place.position = (apl_vec3){raw.position[0], raw.position[1], raw.position[2]};
  memcpy(out, &place, sizeof place);
  return true;
}

void apl_pose_write(text_out* o, apl_pose p) {
  const double position[] = {p.position.x, p.position.y, p.position.z};
  const double q[] = {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
  const bool turned = q[0] != 1.0 || q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0;

  if (turned) apl_out_add(o, "{position: ");
  apl_out_numbers(o, position, 3);
  if (!turned) return;
  apl_out_add(o, ", rotation: {quaternion: ");
  apl_out_numbers(o, q, 4);
  apl_out_add(o, "}}");
}

const grammar_block apl_block_rotation = {
    .word = "rotation",
    .form = BLOCK_MAP,
    .field = rotation_fields,
    .title = "a rotation, given by `rpy`, by `quaternion`, or by `axis` and `angle`",
};

/* ------------------------------------------------------------------------------- inertias ---- */

/* {xx: 1, yy: 1, zz: 1} or all six in a list */
bool apl_inertia_form(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  if (node->kind != TEXT_MAP) return apl_alike_form(r, f, node, out);

  form_reader inner = *r;
  double value[6] = {0};
  apl_form_where(&inner, "%.120s%s.", r->where, f->name);
  if (!apl_fields_read(&inner, node, &(field_set){.field = apl_inertia_fields, .out = value}, 1))
    return false;
  memcpy(out, value, sizeof value);
  return true;
}

void apl_inertia_write(text_out* o, const double* I) {
  const char* comma = "";

  apl_out_add(o, "{");
  for (int k = 0; k < 6; ++k) {
    if (I[k] == 0.0) continue;
    apl_out_add(o, "%s%s: ", comma, apl_inertia_fields[k].name);
    apl_out_numbers(o, &I[k], 1);
    comma = ", ";
  }
  apl_out_add(o, "}");
}
