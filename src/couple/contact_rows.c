/* SPDX-License-Identifier: Apache-2.0 */
/* contact_rows.c: see contact_rows.h. The last pass over contacts has computed the contact point
   and axes (dynamics/contacts.c, docs/theory/contact.md). In the axes of the port's frame, with p
   the port in the frame, `arm` the contact point, d its drift against the port and e one of the
   three axes:

     wrench = (arm x e; e)        velocity = wrench . V
     acceleration = wrench . A + e . (w x (w x p + d)),  A = (w'; acceleration of the origin)

   Tangents that turn with the link would add the sliding velocity times their rate of rotation.
   This is zero for sticking contacts, and only for these the tangential accelerations are used. */
#include "couple/contact_rows.h"

#include "dynamics/contact_state.h"
#include "law/contact_law.h"

#include <math.h>

static vec3 place_on_frame(const apl_model* m, const apl_pair* pair) {
  const double* p = m->par + m->port[pair->port].pose + 9;
  return (vec3){p[0], p[1], p[2]};
}

static void put(double* out, vec3 a) {
  out[0] = a.x;
  out[1] = a.y;
  out[2] = a.z;
}

static vec3 get(const double* a) {
  return (vec3){a[0], a[1], a[2]};
}

/* The two frames of contact i; 0: the world. */
static void frames_of(const apl_model* m, apl_state* s, int i, int frame[2]) {
  const contact_touch* t = apl_state_touch(s, i);

  frame[0] = t == NULL ? m->port[m->pair[i].port].frame : m->solid[t->solid[0] - 1].frame;
  frame[1] = t == NULL ? 0 : m->solid[t->solid[1] - 1].frame;
}

void apl_contact_ways(const apl_model* m, apl_state* s, int i, apl_way way[3], double* number) {
  const contact_state* c = apl_state_contact(s, i);
  int frame[2];

  frames_of(m, s, i, frame);
  memset(number, 0, sizeof *number * 3 * ROW_NUMBERS);
  for (int side = 0; side < 2; ++side) {
    pose X;
    if (side > 0 && frame[side] == 0) break;
    apl_frame_motion(m, s, frame[side], (double*)(void*)&X, NULL, NULL);
    const vec3 arm = mul_t(X.R, sub(get(c->place), X.p));
    for (int k = 0; k < 3; ++k) {
      const vec3 e = scale(side == 0 ? 1.0 : -1.0, mul_t(X.R, get(c->axis + 3 * k)));
      double* to = number + k * ROW_NUMBERS + side * ROW_WRENCH;
      put(to, cross(arm, e));
      put(to + 3, e);
    }
  }
  for (int k = 0; k < 3; ++k)
    way[k] = (apl_way){.frame = {frame[0], frame[1]}, .velocity = {-1, -1}};
}

/* Pose of a frame and its motion at the point x, in world axes. */
typedef struct moving {
  pose X;
  vec3 w, o; /* angular velocity, velocity of the origin                                        */
  vec3 v, a; /* velocity and acceleration of the body's point at x                              */
} moving;

static moving motion_at(const apl_model* m, apl_state* s, int f, vec3 x) {
  moving out = {.X = pose_identity_real()};
  double V[6], A[6];
  if (f == 0) return out;

  apl_frame_motion(m, s, f, (double*)(void*)&out.X, V, A);
  const vec3 r = sub(x, out.X.p), turn = mul(out.X.R, get(A));
  out.w = mul(out.X.R, get(V));
  out.o = mul(out.X.R, get(V + 3));
  out.v = add(out.o, cross(out.w, r));
  out.a = add(mul(out.X.R, get(A + 3)), add(cross(turn, r), cross(out.w, cross(out.w, r))));
  return out;
}

/* Pose after a time e: R + e w x R, p + e v; second-order accurate in central differences */
static pose carried(const moving* b, const double* at, double e) {
  pose X = b->X, local;
  const vec3 column[3] = {
      {X.R.xx, X.R.yx, X.R.zx}, {X.R.xy, X.R.yy, X.R.zy}, {X.R.xz, X.R.yz, X.R.zz}};
  vec3 c[3];

  memcpy(&local, at, sizeof local);
  for (int k = 0; k < 3; ++k)
    c[k] = add(column[k], scale(e, cross(b->w, column[k])));
  X.R = (mat3){c[0].x, c[1].x, c[2].x, c[0].y, c[1].y, c[2].y, c[0].z, c[1].z, c[2].z};
  X.p = add(X.p, scale(e, b->o));
  return pose_mul(X, local);
}

/* Rates of e . (v_a(x) - v_b(x)) while axes e and point x move with the geometry. The rates e', x'
   are central differences over the time in which bodies move by a millionth of their size:
     e . (a_a + w_a x (x' - v_a) - a_b - w_b x (x' - v_b)) + e' . (v_a - v_b) */
static void touch_accelerations(const apl_model* m, apl_state* s, int i, double out[3]) {
  const contact_touch* t = apl_state_touch(s, i);
  const contact_state* c = apl_state_contact(s, i);
  const apl_solid *sa = &m->solid[t->solid[0] - 1], *sb = &m->solid[t->solid[1] - 1];
  const vec3 x = get(c->place);
  const moving a = motion_at(m, s, sa->frame, x), b = motion_at(m, s, sb->frame, x);
  const double speed =
      sqrt(dot(a.v, a.v) + dot(b.v, b.v)) + sa->size[0] * sqrt(dot(a.w, a.w) + dot(b.w, b.w));
  const double e = 1e-6 * sa->size[0] / fmax(speed, 1e-9);
  apl_touch_place before[8], after[8];

  for (int side = 0; side < 2; ++side) {
    const double step = side == 0 ? -e : e;
    const pose A = carried(&a, sa->at, step), B = carried(&b, sb->at, step);
    m->measure(sa, (const double*)(const void*)&A, sb, (const double*)(const void*)&B,
               (double*)(void*)(side == 0 ? before : after));
  }
  const apl_touch_place *p0 = &before[t->place], *p1 = &after[t->place];
  const bool there = p0->depth > -1e8 && p1->depth > -1e8;
  const double k = there ? 0.5 / e : 0.0;
  const vec3 move = scale(k, sub(get(p1->x), get(p0->x))), v = sub(a.v, b.v);
  const vec3 acc = sub(add(a.a, cross(a.w, sub(move, a.v))), add(b.a, cross(b.w, sub(move, b.v))));
  for (int j = 0; j < 3; ++j) {
    const vec3 turn = scale(k, sub(get(p1->axis + 3 * j), get(p0->axis + 3 * j)));
    out[j] = dot(get(c->axis + 3 * j), acc) + dot(turn, v);
  }
}

void apl_contact_accelerations(const apl_model* m, apl_state* s, int i, const double* number,
                               double out[3]) {
  const apl_pair* pair = &m->pair[i];
  double V[6], A[6];
  pose X;
  if (pair->port < 0) {
    touch_accelerations(m, s, i, out);
    return;
  }

  apl_frame_motion(m, s, m->port[pair->port].frame, (double*)(void*)&X, V, A);
  const vec3 w = get(V), drift = mul_t(X.R, get(apl_state_contact(s, i)->drift));
  const vec3 centripetal = cross(w, add(cross(w, place_on_frame(m, pair)), drift));
  for (int k = 0; k < 3; ++k, number += ROW_NUMBERS) {
    out[k] = dot(get(number), get(A)) + dot(get(number + 3), add(get(A + 3), centripetal));
  }
}

/* Friction section of contact i. Friction opposes slip, so the coefficient of a force along +e is
   that of slip along -e. */
apl_section apl_contact_section(const apl_model* m, int i, bool held) {
  const apl_pair* pair = &m->pair[i];
  friction_numbers F;

  memcpy(&F, m->par + pair->par + PAIR_FRICTION, sizeof F);
  const double mu = pair->friction == FRICTION_NONE ? 0.0 : held ? F.ms : F.m;
  return (apl_section){.plus = {mu * F.back, mu * F.right}, .minus = {mu, mu * F.left}};
}

void apl_contact_rubbing(const double* number, const double rub[2], double* out) {
  for (int k = 0; k < ROW_NUMBERS; ++k) {
    out[k] = number[k] + rub[0] * number[ROW_NUMBERS + k] + rub[1] * number[2 * ROW_NUMBERS + k];
  }
}
