/* SPDX-License-Identifier: Apache-2.0 */
/* rigid.c: a body that does not deform. Its constants are its inertia about the body frame; it
   needs no hot half. Zero mass is allowed if a body further out has inertia. */
#include "element/element.h"

#ifndef APL_HOT

typedef struct rigid_param {
  double mass;
  double com[3];
  double inertia[6];
} rigid_param;

static const apl_field rigid_fields[] = {
    {.name = "mass",
     .offset = offsetof(rigid_param, mass),
     .count = 1,
     .unit = "kg",
     .sentence = "mass of the body",
     .sign = APL_NOT_NEGATIVE},
    APL_FIELD(rigid_param, com, "com", "m", "centre of mass in the body frame", 0, 0, 0),
    APL_FIELD_INERTIA(rigid_param, inertia, "inertia",
                      "inertia tensor about the centre of mass, in body axes"),
    APL_FIELD_END,
};

/* the constants are a rigid_inertia */
static apl_status rigid_compile(const void* param, void* constants, double* mass, apl_error* err) {
  const rigid_param* p = param;

  (void)err;
  const rigid_inertia about_com = {
      p->mass,
      {0, 0, 0},
      {p->inertia[0], p->inertia[1], p->inertia[2], p->inertia[3], p->inertia[4], p->inertia[5]}};
  const rigid_inertia I = rigid_from((mat3){1, 0, 0, 0, 1, 0, 0, 0, 1},
                                     (vec3){p->com[0], p->com[1], p->com[2]}, about_com);
  memcpy(constants, &I, sizeof I);
  *mass = p->mass;
  return APL_OK;
}

static const apl_body_kind rigid_kind = {
    .word = "rigid",
    .title = "a body that does not deform",
    .field = rigid_fields,
    .param_size = sizeof(rigid_param),
    .rigid = true,
    .compile = rigid_compile,
};

#endif
