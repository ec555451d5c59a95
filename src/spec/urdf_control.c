/* SPDX-License-Identifier: Apache-2.0 */
/* urdf_control.c: what <ros2_control> and <transmission> say about joints: the interface by which
   they are driven, limits, and where they start. Plugins, parameters of hardware and states are
   software.

     <ros2_control><joint name="j"><command_interface name="position"><param name="min">-1</param>..
                   <state_interface name="position"><param name="initial_value">0.5</param>..
     <transmission><joint name="j"><hardwareInterface>..EffortJointInterface</hardwareInterface>..
 */
#include "spec/urdf_impl.h"

#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct { const char* word; const char* ros1; apl_actuators kind; } interfaces[] = {
  {"effort", "Effort", APL_ACTUATORS_EFFORT},
  {"position", "Position", APL_ACTUATORS_POSITION},
  {"velocity", "Velocity", APL_ACTUATORS_VELOCITY},
};
/* clang-format on */
enum { INTERFACES = sizeof interfaces / sizeof *interfaces };

static const char* name_of(urdf* u, const xml_node* node) {
  const char* name = apl_xml_attribute(node, "name", &u->file->pool);
  return name == NULL ? "" : name;
}

/* The link of the spec whose joint has this name; -1 with a note when there is none. */
static int find_joint(urdf* u, const xml_node* node, const char* block) {
  const char* name = name_of(u, node);

  for (int k = 0; k < u->norder; ++k) {
    const urdf_link* l = &u->link[u->order[k]];
    if (l->joint == NULL || l->called == NULL || strcmp(name_of(u, l->joint), name) != 0) continue;
    for (int i = 0; i < u->spec->nlink; ++i) {
      if (strcmp(u->spec->link[i]->name, l->called) == 0) return i;
    }
  }
  apl_urdf_note(u, APL_IGNORED, node, "<joint> '%.60s' of <%s>: there is no joint of this name",
                name, block);
  return -1;
}

/* <param name="NAME">NUMBER</param>; false without one, or when it is no number. */
static bool param(urdf* u, const xml_node* node, const char* name, double* out) {
  for (const xml_node* c = apl_xml_first(node); c != NULL; c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), "param") != 0 || strcmp(name_of(u, c), name) != 0) continue;
    char* text = apl_xml_content(c);
    const char *at = text == NULL ? "" : text + strspn(text, " \t\r\n"), *end;
    const double x = apl_number_read(at, &end);
    const bool ok = end != at && isfinite(x);
    if (ok) *out = x;
    free(text);
    return ok;
  }
  return false;
}

/* The smaller of what <limit> and the interface allow. */
static void tighten(spec_link* l, bool effort, double most) {
  double* limit = effort ? &l->limits.effort : &l->limits.velocity;
  const unsigned bit = effort ? 8 : 4;

  if (!(most > 0.0)) return;
  if (l->limits_given == 0) apl_fields_default(apl_limits_fields, &l->limits);
  if (!(l->limits_given & bit) || most < *limit) *limit = most;
  l->limits_given |= bit;
}

static void read_command(urdf* u, const xml_node* node, int i) {
  const char* word = name_of(u, node);
  double least = 0.0, most = 0.0;

  for (int k = 0; k < INTERFACES; ++k) {
    if (strcmp(word, interfaces[k].word) != 0) continue;
    /* of several the first is taken */
    if (u->interface[i] == APL_ACTUATORS_NONE) u->interface[i] = interfaces[k].kind;
    param(u, node, "min", &least);
    if (!param(u, node, "max", &most)) most = -least;
    if (k != 1) tighten(u->spec->link[i], k == 0, fmin(most, least < 0.0 ? -least : most));
  }
}

/* An initial position is where the joint starts and rests. */
static void read_state(urdf* u, const xml_node* node, int i) {
  spec_link* l = u->spec->link[i];
  double x;
  if (strcmp(name_of(u, node), "position") != 0 || !param(u, node, "initial_value", &x)) return;

  if ((l->limits_given & 3) == 3 && (x < l->limits.lower || x > l->limits.upper)) {
    apl_urdf_doubt(u, node,
                   "<ros2_control>: the initial value %g of joint '%.60s' is outside its stops, %g "
                   "to %g: it is not used",
                   x, l->joint_name, l->limits.lower, l->limits.upper);
    return;
  }
  l->rest[0] = x;
}

static void read_control(urdf* u, const xml_node* block) {
  int joints = 0;

  for (const xml_node* j = apl_xml_first(block); j != NULL; j = apl_xml_next(j)) {
    if (strcmp(apl_xml_name(j), "joint") != 0) continue;
    const int i = find_joint(u, j, "ros2_control");
    if (i < 0 || apl_joint_kinds[u->spec->link[i]->joint_kind]->nv != 1) continue;
    ++joints;
    for (const xml_node* c = apl_xml_first(j); c != NULL; c = apl_xml_next(c)) {
      if (strcmp(apl_xml_name(c), "command_interface") == 0) read_command(u, c, i);
      if (strcmp(apl_xml_name(c), "state_interface") == 0) read_state(u, c, i);
    }
  }
  apl_urdf_note(u, joints > 0 ? APL_TRANSLATED : APL_IGNORED, block,
                "<ros2_control> '%.60s': interfaces, limits and initial values of %d joint%s; "
                "--actuators file makes motors of them",
                name_of(u, block), joints, joints == 1 ? "" : "s");
}

static void read_transmission(urdf* u, const xml_node* block) {
  bool used = false;

  for (const xml_node* j = apl_xml_first(block); j != NULL; j = apl_xml_next(j)) {
    const xml_node* hardware = apl_xml_child(j, "hardwareInterface");
    char* text = hardware == NULL ? NULL : apl_xml_content(hardware);
    const int i = text == NULL || strcmp(apl_xml_name(j), "joint") != 0
                      ? -1
                      : find_joint(u, j, "transmission");
    for (int k = 0; k < INTERFACES && i >= 0; ++k) {
      if (strstr(text, interfaces[k].ros1) == NULL) continue;
      if (u->interface[i] == APL_ACTUATORS_NONE) u->interface[i] = interfaces[k].kind;
      used = true;
    }
    free(text);
  }
  apl_urdf_note(u, used ? APL_TRANSLATED : APL_IGNORED, block, "<transmission> '%.60s': %s",
                name_of(u, block),
                used ? "the interface of its joint; --actuators file makes a motor of it"
                     : "it names no joint with an effort, position or velocity interface");
}

void apl_urdf_control(urdf* u) {
  u->interface = apl_pool_take(&u->file->pool, sizeof *u->interface * (size_t)(u->spec->nlink + 1));
  if (u->interface == NULL) return;

  for (int i = 0; i < u->spec->nlink; ++i)
    u->interface[i] = APL_ACTUATORS_NONE;
  for (const xml_node* c = apl_xml_first(u->robot); c != NULL; c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), "ros2_control") == 0) read_control(u, c);
    if (strcmp(apl_xml_name(c), "transmission") == 0) read_transmission(u, c);
  }
}
