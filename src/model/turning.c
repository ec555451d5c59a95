/* SPDX-License-Identifier: Apache-2.0 */
/* turning.c: how each link may rotate relative to the world. Two checks depend on it: a body that
   only yaws may have an inertia that is impossible for a free body, and a trailer must be carried
   parallel to the ground. */
#include "model/compiler.h"

static turning turning_in(turning t, mat3 R) {
  t.axis = mul_t(R, t.axis);
  return t;
}

/* Two rotations in sequence; axes in the same frame. */
static turning combine(turning a, turning b) {
  if (a.freedom == APL_MOVES_STRAIGHT) return b;
  if (b.freedom == APL_MOVES_STRAIGHT) return a;
  if (a.freedom == APL_MOVES_ABOUT_AXIS && b.freedom == APL_MOVES_ABOUT_AXIS) {
    const vec3 n = cross(a.axis, b.axis);
    if (dot(n, n) < 1e-18) return a;
  }
  return (turning){APL_MOVES_FREELY, {0, 0, 0}};
}

static turning turning_of(apl_turning kind) {
  switch (kind) {
  case APL_TURNS_ABOUT_Z:
    return (turning){APL_MOVES_ABOUT_AXIS, {0, 0, 1}};
  case APL_TURNS_ABOUT_Y:
    return (turning){APL_MOVES_ABOUT_AXIS, {0, 1, 0}};
  case APL_TURNS_ABOUT_X:
    return (turning){APL_MOVES_ABOUT_AXIS, {1, 0, 0}};
  case APL_TURNS_ANY:
    return (turning){APL_MOVES_FREELY, {0, 0, 0}};
  case APL_TURNS_NOT:
    break;
  }
  return (turning){APL_MOVES_STRAIGHT, {0, 0, 0}};
}

/* How the mount of a link may rotate, in the axes of its joint. */
static turning turning_below(const compiler* c, int i) {
  const spec_link* l = c->spec->link[i];
  const link_work* w = &c->link[i];
  if (w->parent < 0) return (turning){APL_MOVES_STRAIGHT, {0, 0, 0}};

  const spec_link* parent = c->spec->link[w->parent];
  const int named = w->parent_port - nstandard(parent);
  turning t = c->link[w->parent].turn;
  if (w->parent_port > 0) t = combine(t, turning_of(body_plan(parent).turning));
  if (named >= 0) t = turning_in(t, rotation_of(parent->port[named].at.rotation));
  return turning_in(t, rotation_of(l->at.rotation));
}

/* A trailer's mount must stay parallel to the ground. */
static apl_status check_slaved(compiler* c, int i, turning t) {
  const spec_link* l = c->spec->link[i];
  const bool about_z = t.axis.x * t.axis.x + t.axis.y * t.axis.y < 1e-18;

  if (t.freedom == APL_MOVES_STRAIGHT || (t.freedom == APL_MOVES_ABOUT_AXIS && about_z))
    return APL_OK;
  apl_fail(c->err, APL_ERR_MODEL,
           "link '%s': a %s rolls on the ground, so its parent may rotate about the z axis of this "
           "joint only",
           l->name, joint_kind(l)->word);
  return apl_compile_blame(c, l->mark.joint);
}

static apl_status check_inertia(compiler* c, int i) {
  const spec_link* l = c->spec->link[i];
  const turning t = c->link[i].turn;
  const rigid_inertia I = own_inertia(c, i);
  const vec3 com = scale(I.m > 0.0 ? 1.0 / I.m : 0.0, I.h);
  const rigid_inertia at_com = rigid_from(mat3_identity(), neg(com), I);

  const apl_mark at =
      apl_field_blamed(body_kind(l)->field, l->mark.body_field, l->mark.body, "inertia ");
  apl_error doubt = {0};

  if (apl_check_inertia(l->name, at_com.J, 1e-14 * I.m * dot(com, com), t.freedom, t.axis,
                        c->err) == APL_OK) {
    return APL_OK;
  }
  if (!c->spec->lenient) return apl_compile_blame(c, at);

  /* an inertia without any effect needs no warning */
  if (t.freedom == APL_MOVES_STRAIGHT) return APL_OK;
  apl_doubt_inertia(l->name, at_com.J, &doubt);
  doubt.line = at.line;
  doubt.column = at.column;
  if (!apl_model_add_doubt(c->m, &doubt)) c->out_of_memory = true;
  return APL_OK;
}

apl_status apl_compile_turning(compiler* c, int i, mat3 turn) {
  const spec_link* l = c->spec->link[i];
  const turning below = turning_below(c, i);
  turning own = turning_of(joint_kind(l)->turning);

  /* rotation about the joint's axis in addition to that of its mount */
  own.axis = mul(turn, own.axis);
  c->link[i].turn = combine(below, own);

  const apl_status st = joint_kind(l)->slaved ? check_slaved(c, i, below) : APL_OK;
  return st == APL_OK && body_kind(l)->rigid ? check_inertia(c, i) : st;
}
