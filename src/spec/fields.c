/* SPDX-License-Identifier: Apache-2.0 */
/* fields.c: sizes, defaults and required rows of field tables, and the units of joints. */
#include "spec/spec_impl.h"

#include <string.h>

size_t apl_field_size(const apl_field* f) {
  switch (f->form) {
  case APL_FORM_NUMBERS:
  case APL_FORM_AXIS:
  case APL_FORM_INERTIA:
    return sizeof(double) * (size_t)f->count;
  case APL_FORM_FLAG:
    return sizeof(bool);
  case APL_FORM_WHOLE:
  case APL_FORM_COUNTS:
    return sizeof(int) * (size_t)f->count;
  case APL_FORM_SET:
    return sizeof(unsigned);
  case APL_FORM_POSE:
    return sizeof(apl_pose);
  case APL_FORM_QUANTITY:
    return sizeof(spec_quantity);
  case APL_FORM_QUANTITIES:
    return sizeof(spec_quantities);
  case APL_FORM_SIGNALS:
    return sizeof(spec_signals);
  case APL_FORM_SIGNAL:
  case APL_FORM_TEXT:
  case APL_FORM_CHOICE:
  case APL_FORM_TABLE:
  case APL_FORM_BLOCK:
    break;
  }
  return sizeof(const char*);
}

void apl_fields_default(const apl_field* field, void* out) {
  for (; field->name != NULL; ++field) {
    if (field->fallback == NULL) continue;
    memcpy((char*)out + field->offset, field->fallback, apl_field_size(field));
  }
}

const apl_field* apl_field_missing(const apl_field* field, unsigned long long given) {
  for (int i = 0; field[i].name != NULL; ++i) {
    if (field[i].fallback == NULL && (given >> i & 1) == 0) return &field[i];
  }
  return NULL;
}

apl_mark apl_field_blamed(const apl_field* field, const apl_mark* mark, apl_mark part,
                          const char* sentence) {
  for (int i = 0; mark != NULL && field[i].name != NULL; ++i) {
    const size_t n = strlen(field[i].name);
    const bool named = strncmp(sentence, field[i].name, n) == 0 && sentence[n] == ' ';
    if (named && mark[i].line != 0) return mark[i];
  }
  return part;
}

/* clang-format off */
static const struct { const char* coordinate; const char* unit[7]; } measures[] = {
  {"rad", {"rad", "rad/s", "N m", "N m/rad", "N m s/rad", "s/rad", "N m/(rad s)"}},
  {"m",   {"m",   "m/s",   "N",   "N/m",     "N s/m",     "s/m",   "N/(m s)"}},
};
/* clang-format on */

const char* apl_joint_unit(const apl_joint_kind* kind, joint_measure measure, int k) {
  const char* const* tangent = kind->t_unit == NULL ? kind->q_unit : kind->t_unit;

  if (measure == MEASURE_COORDINATE) return k < kind->nq ? kind->q_unit[k] : "1";
  if (measure == MEASURE_VELOCITY && k < kind->nv) return kind->v_unit[k];

  /* Efforts and damping have units that belong to the velocities. Stiffness belongs to the
     tangent of q, and so does the damping of joints whose velocities are slaved. */
  const bool on_velocity =
      measure == MEASURE_EFFORT || (measure == MEASURE_DAMPING && !kind->slaved);
  const char* basis =
      on_velocity ? (k < kind->nv ? kind->v_unit[k] : "") : (k < kind->nt ? tangent[k] : "");
  for (size_t i = 0; i < sizeof measures / sizeof *measures; ++i) {
    const char* match = measures[i].unit[on_velocity ? MEASURE_VELOCITY : MEASURE_COORDINATE];
    if (strcmp(basis, match) == 0) return measures[i].unit[measure];
  }
  return "1";
}
