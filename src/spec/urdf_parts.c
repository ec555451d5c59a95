/* SPDX-License-Identifier: Apache-2.0 */
/* urdf_parts.c: inertials, pictures, axes, limits and dynamics of a URDF. Each element leaves a
   note. */
#include "spec/urdf_impl.h"

#include "math/pose.h"

#include <stdio.h>
#include <string.h>

/* Send one parameter to the builder and blame the element if it is refused. */
static void put(urdf* u, const xml_node* node, int i, const char* path, const double* value,
                int n) {
  apl_spec_put(u->spec, i, path, value, n);
  apl_spec_settle(u->spec, (apl_mark){apl_xml_line(node), 0}, u->report);
}

/* -------------------------------------------------------------------------------- inertial ---- */

/* I <- R I R^T, from the axes of the inertial's origin to those of the link */
static void turn_inertia(apl_quat q, double I[6]) {
  const apl_vec3 x = apl_quat_rotate(q, (apl_vec3){1, 0, 0});
  const apl_vec3 y = apl_quat_rotate(q, (apl_vec3){0, 1, 0});
  const apl_vec3 z = apl_quat_rotate(q, (apl_vec3){0, 0, 1});
  const double R[3][3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
  const double A[3][3] = {{I[0], I[3], I[4]}, {I[3], I[1], I[5]}, {I[4], I[5], I[2]}};
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};

  for (int k = 0; k < 6; ++k) {
    I[k] = 0.0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        I[k] += R[row[k]][i] * A[i][j] * R[column[k]][j];
    }
  }
}

static void read_inertial(urdf* u, const urdf_link* l, const xml_node* node, int i) {
  static const char* const entry[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  const xml_node* tensor = apl_xml_child(node, "inertia");
  const apl_pose at = apl_urdf_origin(u, apl_xml_child(node, "origin"));
  const bool turned = at.rotation.w != 1.0;
  double mass = 0.0, I[6] = {0};

  if (!apl_urdf_numbers(u, apl_xml_child(node, "mass"), "value", 1, &mass))
    apl_urdf_doubt(u, node, "<inertial> of link '%.80s' has no <mass value=\"..\"/>: taken as 0 kg",
                   l->name);
  for (int k = 0; k < 6; ++k)
    apl_urdf_numbers(u, tensor, entry[k], 1, &I[k]);
  if (turned) turn_inertia(at.rotation, I);
  put(u, node, i, "body.mass", &mass, 1);
  put(u, node, i, "body.com", (const double[]){at.position.x, at.position.y, at.position.z}, 3);
  put(u, node, i, "body.inertia", I, 6);
  apl_urdf_note(u, turned ? APL_TRANSLATED : APL_KEPT, node, "<inertial> of link '%s'%s", l->name,
                turned ? ": its inertia is turned into the axes of the link" : "");
}

/* --------------------------------------------------------------------------------- visual ---- */

/* <material> here, or the one of that name at the top */
static void read_colour(urdf* u, const urdf_link* l, const xml_node* visual, double colour[4]) {
  const xml_node* material = apl_xml_child(visual, "material");
  if (material == NULL) return;

  const xml_node* color = apl_xml_child(material, "color");
  const char* name = apl_xml_attribute(material, "name", &u->file->pool);
  for (const xml_node* c = apl_xml_first(u->robot); c != NULL && color == NULL && name != NULL;
       c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), "material") != 0) continue;
    const char* other = apl_xml_attribute(c, "name", &u->file->pool);
    if (other != NULL && strcmp(other, name) == 0) color = apl_xml_child(c, "color");
  }
  if (apl_xml_child(material, "texture") != NULL) {
    apl_urdf_note(u, APL_IGNORED, material, "<texture> of link '%s': pictures have plain colours",
                  l->name);
  }
  if (color != NULL && apl_urdf_numbers(u, color, "rgba", 4, colour)) {
    apl_urdf_note(u, APL_KEPT, material, "<material> of link '%s'", l->name);
  } else {
    apl_urdf_note(u, APL_IGNORED, material, "<material> of link '%s': it names no colour", l->name);
  }
}

/* Size of a shape; false when it is refused. */
static bool read_geometry(urdf* u, const xml_node* shape, spec_shape* out) {
  const char* word = apl_xml_name(shape);

  if (strcmp(word, "box") == 0)
    return apl_urdf_required(u, shape, shape, "box", "size", 3, out->size);
  if (strcmp(word, "sphere") == 0)
    return apl_urdf_required(u, shape, shape, "sphere", "radius", 1, out->size);
  if (strcmp(word, "cylinder") == 0 || strcmp(word, "capsule") == 0) {
    return apl_urdf_required(u, shape, shape, word, "radius", 1, out->size) &&
           apl_urdf_required(u, shape, shape, word, "length", 1, out->size + 1);
  }
  if (strcmp(word, "mesh") != 0) return false;
  apl_urdf_numbers(u, shape, "scale", 3, out->scale);
  const char* name = apl_xml_attribute(shape, "filename", &u->spec->pool);
  if (name == NULL) {
    apl_urdf_doubt(u, shape, "<mesh> has no filename: it is left out");
    return false;
  }
  out->file = apl_urdf_mesh(u, shape, name);
  return true;
}

/* A link whose collision mesh is left out, each told once: links are read one after the other. */
static void add_meshed(urdf* u, const char* name) {
  enum { SHOWN = sizeof u->meshed / sizeof *u->meshed };

  if (u->last_meshed == name) return;
  u->last_meshed = name;
  if (u->nmeshed < SHOWN) u->meshed[u->nmeshed] = name;
  ++u->nmeshed;
}

/* <visual> is a picture, <collision> may touch where `collide` or --contact names a law. */
static void read_shape(urdf* u, const urdf_link* l, const xml_node* node, spec_link* link) {
  const char* word = apl_xml_name(node);
  const bool touches = strcmp(word, "collision") == 0;
  const xml_node* geometry = apl_xml_child(node, "geometry");
  const xml_node* shape = geometry == NULL ? NULL : apl_xml_first(geometry);
  const block_type* kind = apl_shape_kinds;
  spec_shape out = {.file = "", .scale = {1, 1, 1}};
  const int before = u->report->count;

  while (shape != NULL && kind->word != NULL && strcmp(kind->word, apl_xml_name(shape)) != 0)
    ++kind;
  if (shape == NULL || kind->word == NULL) {
    apl_urdf_note(u, APL_IGNORED, node, "<%s> of link '%s': its geometry is not known", word,
                  l->name);
    return;
  }
  if (touches && strcmp(kind->word, "mesh") == 0) {
    add_meshed(u, l->called);
    apl_urdf_note(u, APL_IGNORED, node,
                  "<collision> of link '%s': contact with meshes is not supported, so it is left "
                  "out; use capsules, spheres, cylinders or boxes",
                  l->name);
    return;
  }
  apl_fields_default(apl_shape_fields, &out);
  out.type = kind->word;
  out.use = apl_use_words[touches ? 2 : 1];
  out.mark = (apl_mark){apl_xml_line(shape), 0};
  out.at = apl_urdf_origin(u, apl_xml_child(node, "origin"));
  if (!read_geometry(u, shape, &out)) return;
  if (!touches) read_colour(u, l, node, out.colour);
  if (u->report->count > before) return;

  link->shape = apl_spec_grow(u->spec, link->shape, link->nshape, sizeof *link->shape);
  if (link->shape == NULL) return;
  link->shape[link->nshape++] = out;
  apl_urdf_note(u, APL_KEPT, node, "<%s> %s of link '%s'%s", word, kind->word, l->name,
                touches ? ": used for contact if `collide` or --contact gives a law" : "");
}

void apl_urdf_link_parts(urdf* u, const urdf_link* l, int i) {
  bool inertial = false;

  for (const xml_node* c = apl_xml_first(l->link); c != NULL; c = apl_xml_next(c)) {
    const char* word = apl_xml_name(c);
    if (strcmp(word, "inertial") == 0 && !inertial) {
      read_inertial(u, l, c, i);
      inertial = true;
    } else if (strcmp(word, "visual") == 0 || strcmp(word, "collision") == 0) {
      read_shape(u, l, c, u->spec->link[i]);
    } else {
      apl_urdf_unknown(u, c, l->name);
    }
  }
  if (inertial) return;
  put(u, l->link, i, "body.mass", (const double[]){0.0}, 1);
  apl_urdf_note(u, APL_TRANSLATED, l->link, "link '%s' has no <inertial>: it has no mass", l->name);
}

/* ---------------------------------------------------------------------------------- joint ---- */

static void read_axis(urdf* u, const urdf_link* l, const xml_node* node, int i) {
  const apl_joint_kind* kind = apl_joint_kinds[u->spec->link[i]->joint_kind];
  const char* field = kind->field[0].name;
  double axis[3] = {1, 0, 0}; /* the default of URDF */
  char path[32];

  if (field == NULL) {
    if (node != NULL) {
      apl_urdf_note(u, APL_IGNORED, node, "<axis> of joint to '%s': a %s joint has none", l->name,
                    kind->word);
    }
    return;
  }
  if (node != NULL) apl_urdf_numbers(u, node, "xyz", 3, axis);
  if (axis[0] == 0.0 && axis[1] == 0.0 && axis[2] == 0.0) {
    apl_urdf_refuse(u, node, "<axis> of the joint to '%s' is zero", l->name);
    return;
  }
  snprintf(path, sizeof path, "joint.%s", field);
  put(u, node == NULL ? l->joint : node, i, path, axis, 3);
  if (node != NULL) apl_urdf_note(u, APL_KEPT, node, "<axis> of the joint to '%s'", l->name);
}

/* lower and upper into the limits; false where they are no bounds. One of them left out is zero. */
static bool read_bounds(urdf* u, const urdf_link* l, const xml_node* node, spec_link* link) {
  double lower = 0.0, upper = 0.0;
  const bool low = apl_urdf_numbers(u, node, "lower", 1, &lower);
  const bool high = apl_urdf_numbers(u, node, "upper", 1, &upper);

  if (!low && !high) {
    apl_urdf_doubt(
        u, node,
        "<limit> of the joint to '%.60s' has neither lower nor upper: the joint has no stops",
        l->name);
    return false;
  }
  if (lower > upper) {
    apl_urdf_doubt(
        u, node,
        "<limit> of the joint to '%.60s': lower %g is above upper %g, which some programs "
        "read as no limit: it has no stops",
        l->name, lower, upper);
    return false;
  }
  link->limits.lower = lower;
  link->limits.upper = upper;
  return true;
}

/* A robot starts where its coordinates are zero. Where a stop forbids it: in the middle. */
static void start_inside(urdf* u, const urdf_link* l, const xml_node* node, spec_link* link) {
  const double lower = link->limits.lower, upper = link->limits.upper;
  if (lower <= 0.0 && upper >= 0.0) return;

  link->rest[0] = 0.5 * (lower + upper);
  apl_urdf_note(
      u, APL_TRANSLATED, node,
      "0 is outside the stops of the joint to '%s', %g to %g: it starts in the middle, %g", l->name,
      lower, upper, link->rest[0]);
}

static void read_limit(urdf* u, const urdf_link* l, const xml_node* node, int i) {
  spec_link* link = u->spec->link[i];
  const char* type = apl_xml_attribute(l->joint, "type", &u->file->pool);
  const apl_joint_kind* kind = apl_joint_kinds[link->joint_kind];

  if (kind->nv != 1) {
    apl_urdf_note(u, APL_IGNORED, node, "<limit> of the joint to '%s': a %s joint has none",
                  l->name, kind->word);
    return;
  }
  apl_fields_default(apl_limits_fields, &link->limits);
  if (apl_urdf_numbers(u, node, "velocity", 1, &link->limits.velocity)) link->limits_given |= 4;
  if (apl_urdf_numbers(u, node, "effort", 1, &link->limits.effort)) link->limits_given |= 8;
  if (strcmp(type, "continuous") == 0 || !read_bounds(u, l, node, link)) {
    apl_urdf_note(u, APL_KEPT, node, "<limit> of the joint to '%s': velocity and effort are kept",
                  l->name);
    return;
  }
  link->limits_given |= 1 | 2;
  link->lower[0] = link->limits.lower;
  link->upper[0] = link->limits.upper;
  apl_urdf_note(u, APL_TRANSLATED, node,
                "<limit> of the joint to '%s': lower and upper are compliant stops with "
                "stop-stiffness %g and stop-damping %g; velocity and effort are kept",
                l->name, link->stop_stiffness, link->stop_damping);
  start_inside(u, l, node, link);
}

static void read_dynamics(urdf* u, const urdf_link* l, const xml_node* node, int i) {
  spec_link* link = u->spec->link[i];
  double damping = 0.0, friction = 0.0;

  if (apl_joint_kinds[link->joint_kind]->nv == 0) {
    apl_urdf_note(u, APL_IGNORED, node, "<dynamics> of the joint to '%s': the joint is fixed",
                  l->name);
    return;
  }
  if (apl_urdf_numbers(u, node, "damping", 1, &damping) && damping != 0.0) {
    put(u, node, i, "joint.damping", &damping, 1);
  }
  apl_urdf_numbers(u, node, "friction", 1, &friction);
  if (friction < 0.0) {
    apl_urdf_refuse(u, node, "<dynamics> of the joint to '%s': friction must not be negative",
                    l->name);
  } else if (friction > 0.0 && apl_joint_kinds[link->joint_kind]->nv == 1) {
    link->friction[0] = friction;
  }
  apl_urdf_note(u, APL_KEPT, node, "<dynamics> of the joint to '%s'%s", l->name,
                friction > 0.0 ? ": damping, and Coulomb friction smoothed at low speed" : "");
}

/* elements that say something about the robot's electronics or software, not about its motion */
static const struct {
  const char* word;
  const char* why;
} ignored[] = {
    {"calibration", "it describes the encoder, not the motion"},
    {"safety_controller", "it describes a controller, not the motion"},
};

static bool note_ignored(urdf* u, const urdf_link* l, const xml_node* node) {
  for (size_t k = 0; k < sizeof ignored / sizeof *ignored; ++k) {
    if (strcmp(ignored[k].word, apl_xml_name(node)) != 0) continue;
    apl_urdf_note(u, APL_IGNORED, node, "<%s> of the joint to '%s': %s", ignored[k].word, l->name,
                  ignored[k].why);
    return true;
  }
  return false;
}

void apl_urdf_joint_parts(urdf* u, const urdf_link* l, int i) {
  read_axis(u, l, apl_xml_child(l->joint, "axis"), i);
  for (const xml_node* c = apl_xml_first(l->joint); c != NULL; c = apl_xml_next(c)) {
    const char* word = apl_xml_name(c);
    if (strcmp(word, "limit") == 0) {
      read_limit(u, l, c, i);
    } else if (strcmp(word, "dynamics") == 0) {
      read_dynamics(u, l, c, i);
    } else if (strcmp(word, "mimic") == 0) {
      continue; /* a coupling, when all joints are known: urdf.c */
    } else if (strcmp(word, "origin") == 0) {
      apl_urdf_note(u, APL_KEPT, c, "<origin> of the joint to '%s'", l->name);
    } else if (strcmp(word, "axis") != 0 && strcmp(word, "parent") != 0 &&
               strcmp(word, "child") != 0 && !note_ignored(u, l, c)) {
      apl_urdf_unknown(u, c, l->name);
    }
  }
}
