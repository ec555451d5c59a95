/* SPDX-License-Identifier: Apache-2.0 */
/* motors.c: motors for the joints of an imported robot, where the user asks for them.

   effort: an input of the name of the joint, between minus and plus the largest effort of the file;
   position: a servo that holds the start pose, and an input of the name of the joint that is the
   aim of the servo, within the limits of the joint;
   velocity: a servo without stiffness, whose input is a rate.

   Gains follow from what the joint carries. With the inertia I of all links beyond it about its
   axis, or their mass, in the pose where all coordinates are zero,

     kp = I w^2,  kd = 2 I w  (critically damped),  w = 100 rad/s,

   so that a pendulum of length l sags by g/(l w^2), which is 2 mrad for l = 0.5 m. They are gains
   of the model file: --set JOINT.servo.stiffness=.. changes them. */
#include "spec/urdf_impl.h"
#include "math/pose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double BANDWIDTH = 100.0; /* [rad/s] */

/* Where the frame of a link stands when all coordinates are zero. */
typedef struct frame {
  apl_quat R;
  apl_vec3 p;
} frame;

static apl_quat multiply(apl_quat a, apl_quat b) {
  return (apl_quat){
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static apl_vec3 plus(apl_vec3 a, apl_vec3 b, double factor) {
  return (apl_vec3){a.x + factor * b.x, a.y + factor * b.y, a.z + factor * b.z};
}

/* A parameter by the name of its field; zeros where the kind has none of this name. */
static void parameter(const apl_field* field, const void* param, const char* name, double* out,
                      int n) {
  for (const apl_field* f = field; f != NULL && f->name != NULL; ++f) {
    if (strcmp(f->name, name) != 0 || f->count < n) continue;
    memcpy(out, (const char*)param + f->offset, sizeof *out * (size_t)n);
    return;
  }
  memset(out, 0, sizeof *out * (size_t)n);
}

/* The index of the link that another one stands on; -1: the world. */
static int parent_of(const apl_spec* s, int link) {
  for (int i = 0; i < link; ++i) {
    if (strcmp(s->link[i]->name, s->link[link]->on) == 0) return i;
  }
  return -1;
}

/* I = sum of a.I a + m |a x (c - o)|^2 of one link about the axis a through o, all in the world. */
static double about(const spec_link* l, frame X, apl_vec3 o, apl_vec3 a) {
  const apl_field* field = apl_body_kinds[l->body_kind]->field;
  const apl_quat back = {X.R.w, -X.R.x, -X.R.y, -X.R.z};
  double m, c[3], I[6];

  parameter(field, l->body_param, "mass", &m, 1);
  parameter(field, l->body_param, "com", c, 3);
  parameter(field, l->body_param, "inertia", I, 6);
  const apl_vec3 d =
      plus(plus(X.p, apl_quat_rotate(X.R, (apl_vec3){c[0], c[1], c[2]}), 1.0), o, -1.0);
  const apl_vec3 b = apl_quat_rotate(back, a);
  const double x = a.y * d.z - a.z * d.y, y = a.z * d.x - a.x * d.z, z = a.x * d.y - a.y * d.x;
  const double turn = b.x * b.x * I[0] + b.y * b.y * I[1] + b.z * b.z * I[2] +
                      2.0 * (b.x * b.y * I[3] + b.x * b.z * I[4] + b.y * b.z * I[5]);
  return turn + m * (x * x + y * y + z * z);
}

static double mass_of(const spec_link* l) {
  double m;

  parameter(apl_body_kinds[l->body_kind]->field, l->body_param, "mass", &m, 1);
  return m;
}

/* What each joint carries: an inertia about its axis, or a mass. False without memory. */
static bool weigh(apl_spec* s, double* carried) {
  frame* X = apl_pool_take(&s->pool, sizeof *X * (size_t)(s->nlink + 1));
  int* parent = apl_pool_take(&s->pool, sizeof *parent * (size_t)(s->nlink + 1));
  if (X == NULL || parent == NULL) return false;

  for (int i = 0; i < s->nlink; ++i) {
    const spec_link* l = s->link[i];
    parent[i] = parent_of(s, i);
    const frame on = parent[i] < 0 ? (frame){{1, 0, 0, 0}, {0, 0, 0}} : X[parent[i]];
    X[i] = (frame){multiply(on.R, l->at.rotation),
                   plus(on.p, apl_quat_rotate(on.R, l->at.position), 1.0)};
    for (int j = i; j >= 0; j = parent[j]) {
      const spec_link* joint = s->link[j];
      const apl_joint_kind* kind = apl_joint_kinds[joint->joint_kind];
      if (kind->nv != 1) continue;
      double a[3];
      parameter(kind->field, joint->joint_param, "axis", a, 3);
      const double n = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
      if (!(n > 0.0)) continue;
      const apl_vec3 axis = apl_quat_rotate(X[j].R, (apl_vec3){a[0] / n, a[1] / n, a[2] / n});
      carried[j] +=
          strcmp(kind->word, "prismatic") == 0 ? mass_of(l) : about(l, X[i], X[j].p, axis);
    }
  }
  return true;
}

/* "JOINT.angle" of a joint with one freedom, in the pool. */
static const char* coordinate(apl_spec* s, const spec_link* l, const char* joint) {
  char name[200];

  snprintf(name, sizeof name, "%.120s.%s", joint, apl_joint_kinds[l->joint_kind]->q_name[0]);
  return apl_pool_text(&s->pool, name);
}

/* A joint that follows another one (mimic) has no motor of its own. */
static bool follows(const apl_spec* s, const char* name) {
  for (int i = 0; i < s->ncoupling; ++i) {
    if (strcmp(s->coupling[i].of, name) == 0) return true;
  }
  return false;
}

static spec_quantity quantity(apl_spec* s, double value) {
  char text[40];

  snprintf(text, sizeof text, "%.17g", value);
  return (spec_quantity){.text = apl_pool_text(&s->pool, text)};
}

/* An input with the name of the joint: an effort, or the aim of a servo. Infinite bounds are none.
 */
static void add_input(apl_spec* s, const char* joint, const char* target, double least,
                      double greatest) {
  apl_spec_input(s, joint, target, 1.0);
  if (s->error.status != APL_OK || s->ninput == 0) return;
  spec_input* in = &s->input[s->ninput - 1];
  if (isfinite(least)) in->least = quantity(s, least);
  if (isfinite(greatest)) in->greatest = quantity(s, greatest);
}

/* "JOINT.angle" with an ending behind it, in the pool. */
static const char* with_ending(apl_spec* s, const char* target, const char* ending) {
  char name[220];

  snprintf(name, sizeof name, "%.200s%s", target, ending);
  return apl_pool_text(&s->pool, name);
}

/* The input that a kind of motor has: its effort, or what its servo aims at, within the limits of
   the joint. */
static void add_command(apl_spec* s, const spec_link* l, const char* joint, const char* target,
                        apl_actuators kind) {
  const double speed = l->limits_given & 4 ? l->limits.velocity : HUGE_VAL;

  if (kind == APL_ACTUATORS_EFFORT) {
    add_input(s, joint, target, -l->limits.effort, l->limits.effort);
  } else if (kind == APL_ACTUATORS_POSITION) {
    add_input(s, joint, with_ending(s, target, ".aim"), l->lower[0], l->upper[0]);
  } else {
    add_input(s, joint, with_ending(s, target, ".rate.aim"), -speed, speed);
  }
}

static void add_servo(spec_link* l, double carried, bool position) {
  l->servo = true;
  l->servo_from_start = position;
  l->servo_stiffness[0] = position ? carried * BANDWIDTH * BANDWIDTH : 0.0;
  l->servo_damping[0] = 2.0 * carried * BANDWIDTH;
  l->servo_effort[0] = l->limits.effort;
}

/* Names of joints for one sentence: "a, b, c and 4 more". */
typedef struct name_list {
  char text[160];
  int count;
} name_list;

static void add_name(name_list* list, const char* name) {
  const size_t n = strlen(list->text);

  if (++list->count > 4) return;
  snprintf(list->text + n, sizeof list->text - n, "%s%.30s", n > 0 ? ", " : "", name);
}

static void tell(urdf* u, const name_list* without, int motors) {
  char more[32] = "";

  if (without->count > 4) snprintf(more, sizeof more, " and %d more", without->count - 4);
  if (motors == 0) {
    apl_report_add(u->report, APL_ERR_MODEL, (apl_mark){0, 0},
                   "actuators: no joint has an effort limit above zero (%s%s), so none gets a "
                   "motor; give <limit effort=\"..\"/>, or write `inputs` in a model file",
                   without->count > 0 ? without->text : "there are no joints that move", more);
  } else if (without->count > 0) {
    apl_report_warn(u->report, (apl_mark){0, 0},
                    "actuators: joints without an effort limit above zero get no motor: %s%s",
                    without->text, more);
  }
}

void apl_urdf_motors(urdf* u) {
  apl_spec* s = u->spec;
  const apl_actuators wish = u->options->actuators;
  name_list without = {.count = 0};
  int motors = 0;
  if (wish == APL_ACTUATORS_NONE) return;

  double* carried = apl_pool_take(&s->pool, sizeof *carried * (size_t)(s->nlink + 1));
  if (carried == NULL || !weigh(s, carried)) return; /* a pool that failed is told by the load */
  for (int i = 0; i < s->nlink; ++i) {
    spec_link* l = s->link[i];
    if (apl_joint_kinds[l->joint_kind]->nv != 1) continue;
    const char* joint = l->joint_name[0] != '\0' ? l->joint_name : l->name;
    const char* target = coordinate(s, l, joint);
    const apl_actuators own = wish == APL_ACTUATORS_FILE ? u->interface[i] : wish;
    if (target == NULL) return;
    if (own == APL_ACTUATORS_NONE || follows(s, target)) continue;
    if (!(l->limits_given & 8) || !(l->limits.effort > 0.0)) {
      add_name(&without, joint);
      continue;
    }
    add_command(s, l, joint, target, own);
    if (own != APL_ACTUATORS_EFFORT) add_servo(l, carried[i], own == APL_ACTUATORS_POSITION);
    ++motors;
  }
  apl_spec_settle(s, (apl_mark){0, 0}, u->report);
  tell(u, &without, motors);
}
