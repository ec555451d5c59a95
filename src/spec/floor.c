/* SPDX-License-Identifier: Apache-2.0 */
/* floor.c: a floor for an imported robot, where the user asks for one: the ground `floor` at z = 0,
   and contacts of the collision shapes with it. A ball touches with its surface, a capsule with its
   two ends, a box with its corners, a cylinder with points on its rims. Each is a port of its link.
 */
#include "spec/urdf_impl.h"
#include "spec/parts.h"
#include "math/pose.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { RIM = 6 }; /* points on each rim of a cylinder */

const char apl_floor_name[] = "floor";

/* `restitution,0.6` has dry friction of 0.6. */
void apl_floor_setting(const char* law, char* out, size_t size) {
  const size_t n = strcspn(law, ",");

  if (law[0] == '{') {
    snprintf(out, size, "grounds.%s=%s", apl_floor_name, law);
  } else {
    snprintf(out, size,
             "grounds.%s={law: {normal: %.*s}, friction: {law: coulomb-stiction, coefficient: %s}}",
             apl_floor_name, n < 200 ? (int)n : 200, law, law[n] == ',' ? law + n + 1 : "0.8");
  }
}

static void add_contact(urdf* u, int link, int k, const spec_shape* s, apl_vec3 at, double radius) {
  const apl_vec3 d = apl_quat_rotate(s->at.rotation, at);
  const apl_pose place =
      apl_pose_at(s->at.position.x + d.x, s->at.position.y + d.y, s->at.position.z + d.z);
  char port[32], name[160];

  snprintf(port, sizeof port, "foot%d", k);
  snprintf(name, sizeof name, "%.100s.%s", u->spec->link[link]->name, port);
  apl_spec_port(u->spec, link, port, 0.0, place);
  apl_spec_contact(u->spec, name, apl_floor_name, radius);
}

/* Contacts of one shape, their names from k on; how many there are. */
static int add_contacts(urdf* u, int link, int k, const spec_shape* s) {
  const double r = s->size[0], half = 0.5 * s->size[1];
  const int before = k;

  if (strcmp(s->type, "sphere") == 0) {
    add_contact(u, link, k++, s, (apl_vec3){0, 0, 0}, r);
  } else if (strcmp(s->type, "capsule") == 0) {
    for (int i = -1; i <= 1; i += 2)
      add_contact(u, link, k++, s, (apl_vec3){0, 0, i * half}, r);
  } else if (strcmp(s->type, "box") == 0) {
    for (int i = 0; i < 8; ++i)
      add_contact(u, link, k++, s,
                  (apl_vec3){(i & 1 ? 0.5 : -0.5) * s->size[0], (i & 2 ? 0.5 : -0.5) * s->size[1],
                             (i & 4 ? 0.5 : -0.5) * s->size[2]},
                  0.0);
  } else if (strcmp(s->type, "cylinder") == 0) {
    for (int i = 0; i < 2 * RIM; ++i) {
      const double a = 6.283185307179586 * (i / 2) / RIM;
      add_contact(u, link, k++, s, (apl_vec3){r * cos(a), r * sin(a), i % 2 ? half : -half}, 0.0);
    }
  }
  return k - before;
}

/* Rigid, without bounces, with dry friction; `grounds.floor` of a setting says otherwise. */
static void add_ground(apl_spec* s) {
  apl_surface g = apl_surface_default();

  g.law = "restitution";
  g.friction = "coulomb-stiction";
  g.coefficient = 0.8;
  apl_spec_ground(s, apl_floor_name, &g);
}

/* A robot whose feet are meshes sinks into the floor with them: that must be told. */
static void tell_meshes(urdf* u) {
  char names[200] = "", more[32] = "";
  const int shown = u->nmeshed < 4 ? u->nmeshed : 4;

  for (int i = 0; i < shown; ++i) {
    const size_t n = strlen(names);
    snprintf(names + n, sizeof names - n, "%s%.40s", i > 0 ? ", " : "", u->meshed[i]);
  }
  if (u->nmeshed > shown) snprintf(more, sizeof more, " and %d more", u->nmeshed - shown);
  if (u->nmeshed > 0)
    apl_report_warn(u->report, (apl_mark){0, 0},
                    "floor: collision meshes cannot touch it (of %s%s): these links go through the "
                    "floor; give them balls, capsules, boxes or cylinders in <collision>",
                    names, more);
}

void apl_urdf_floor(urdf* u) {
  apl_spec* s = u->spec;
  int contacts = 0;
  if (!u->options->floor) return;

  add_ground(s);
  for (int i = 0; i < s->nlink; ++i) {
    const int nshape = s->link[i]->nshape;
    for (int k = 0, n = 1; k < nshape; ++k) {
      const spec_shape shape = s->link[i]->shape[k];
      if (strcmp(shape.use, apl_use_words[1]) == 0) continue;
      const int added = add_contacts(u, i, n, &shape);
      n += added, contacts += added;
    }
  }
  apl_spec_settle(s, (apl_mark){0, 0}, u->report);
  if (contacts == 0) {
    apl_report_add(u->report, APL_ERR_MODEL, (apl_mark){0, 0},
                   "floor: no link has a collision shape that can touch it; balls, capsules, boxes "
                   "and cylinders can, meshes cannot");
  } else {
    tell_meshes(u);
  }
}
