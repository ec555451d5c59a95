/* urdf_parts.c: inertials, pictures, axes, limits and dynamics of a URDF. Each element leaves a
 * note. */
#include "spec/urdf_impl.h"

#include "text/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------- notes ---- */

static void add_note(urdf* u, apl_verdict verdict, int line, const char* text) {
  apl_file* f = u->file;

  /* the room doubles, old lists stay in the pool */
  if (f->nnote == 0 || (f->nnote & (f->nnote - 1)) == 0) {
    apl_note* larger =
        apl_pool_take(&f->pool, sizeof *larger * (size_t)(f->nnote > 0 ? 2 * f->nnote : 1));
    if (larger == NULL) return;
    if (f->nnote > 0) memcpy(larger, f->note, sizeof *larger * (size_t)f->nnote);
    f->note = larger;
  }
  const char* copy = apl_pool_text(&f->pool, text);
  if (copy == NULL) return;
  f->note[f->nnote++] = (apl_note){verdict, line, copy};
  if (u->options->note != NULL) u->options->note(u->options->user, &f->note[f->nnote - 1]);
}

void apl_urdf_note(urdf* u, apl_verdict verdict, const xml_node* node, const char* format, ...) {
  char text[240];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  add_note(u, verdict, apl_xml_line(node), text);
}

void apl_urdf_refuse(urdf* u, const xml_node* node, const char* format, ...) {
  const apl_mark at = {node == NULL ? 0 : apl_xml_line(node), 0};
  char text[240];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  add_note(u, APL_REFUSED, at.line, text);
  apl_report_add(u->report, APL_ERR_MODEL, at, "%s", text);
}

void apl_urdf_unknown(urdf* u, const xml_node* node, const char* owner) {
  apl_urdf_note(u, APL_IGNORED, node, "<%.40s> of %.80s: not an element that is known here",
                apl_xml_name(node), owner);
}

/* -------------------------------------------------------------------------------- numbers ---- */

bool apl_urdf_numbers(urdf* u, const xml_node* node, const char* attribute, int n, double* out) {
  const char* text = apl_xml_attribute(node, attribute, &u->file->pool);
  double value[6];
  bool ok = true;

  if (text == NULL) return false;
  const char* at = text + strspn(text, " \t\r\n");
  for (int k = 0; k < n && ok; ++k) {
    const char* end;
    value[k] = apl_number_read(at, &end);
    ok = end != at && isfinite(value[k]) && (*end == '\0' || strchr(" \t\r\n", *end) != NULL);
    at = end + strspn(end, " \t\r\n");
  }
  if (!ok || *at != '\0') {
    apl_urdf_refuse(u, node, "<%.40s>: '%s' needs %d finite number%s, got '%.80s'",
                    apl_xml_name(node), attribute, n, n == 1 ? "" : "s", text);
    return false;
  }
  memcpy(out, value, sizeof(double) * (size_t)n);
  return true;
}

/* A number that must be there. */
static bool required(urdf* u, const xml_node* owner, const xml_node* node, const char* element,
                     const char* attribute, int n, double* out) {
  const int before = u->report->count;

  if (node != NULL && apl_urdf_numbers(u, node, attribute, n, out)) return true;
  if (u->report->count == before) {
    apl_urdf_refuse(u, owner, "<%s> needs <%s %s=\"..\"/>", apl_xml_name(owner), element,
                    attribute);
  }
  return false;
}

apl_pose apl_urdf_origin(urdf* u, const xml_node* node) {
  double xyz[3] = {0}, rpy[3] = {0};

  apl_urdf_numbers(u, node, "xyz", 3, xyz);
  apl_urdf_numbers(u, node, "rpy", 3, rpy);
  apl_pose p = apl_pose_at(xyz[0], xyz[1], xyz[2]);
  if (rpy[0] != 0.0 || rpy[1] != 0.0 || rpy[2] != 0.0)
    p.rotation = apl_quat_rpy(rpy[0], rpy[1], rpy[2]);
  return p;
}

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

  required(u, node, apl_xml_child(node, "mass"), "mass", "value", 1, &mass);
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

  if (strcmp(word, "box") == 0) return required(u, shape, shape, "box", "size", 3, out->size);
  if (strcmp(word, "sphere") == 0)
    return required(u, shape, shape, "sphere", "radius", 1, out->size);
  if (strcmp(word, "cylinder") == 0 || strcmp(word, "capsule") == 0) {
    return required(u, shape, shape, word, "radius", 1, out->size) &&
           required(u, shape, shape, word, "length", 1, out->size + 1);
  }
  if (strcmp(word, "mesh") != 0) return false;
  apl_urdf_numbers(u, shape, "scale", 3, out->scale);
  out->file = apl_xml_attribute(shape, "filename", &u->spec->pool);
  if (out->file == NULL) apl_urdf_refuse(u, shape, "<mesh> needs a filename");
  return out->file != NULL;
}

static void read_visual(urdf* u, const urdf_link* l, const xml_node* node, spec_link* link) {
  const xml_node* geometry = apl_xml_child(node, "geometry");
  const xml_node* shape = geometry == NULL ? NULL : apl_xml_first(geometry);
  const shape_kind* kind = apl_shape_kinds;
  spec_shape out = {.file = "", .scale = {1, 1, 1}};
  const int before = u->report->count;

  while (shape != NULL && kind->word != NULL && strcmp(kind->word, apl_xml_name(shape)) != 0)
    ++kind;
  if (shape == NULL || kind->word == NULL) {
    apl_urdf_note(u, APL_IGNORED, node,
                  "<visual> of link '%s': it has no geometry that is known here", l->name);
    return;
  }
  apl_fields_default(apl_shape_fields, &out);
  out.type = kind->word;
  out.at = apl_urdf_origin(u, apl_xml_child(node, "origin"));
  if (!read_geometry(u, shape, &out)) return;
  read_colour(u, l, node, out.colour);
  if (u->report->count > before) return;

  link->shape = apl_spec_grow(u->spec, link->shape, link->nshape, sizeof *link->shape);
  if (link->shape == NULL) return;
  link->shape[link->nshape++] = out;
  apl_urdf_note(u, APL_KEPT, node, "<visual> %s of link '%s'", kind->word, l->name);
}

void apl_urdf_link_parts(urdf* u, const urdf_link* l, int i) {
  bool inertial = false;

  for (const xml_node* c = apl_xml_first(l->link); c != NULL; c = apl_xml_next(c)) {
    const char* word = apl_xml_name(c);
    if (strcmp(word, "inertial") == 0 && !inertial) {
      read_inertial(u, l, c, i);
      inertial = true;
    } else if (strcmp(word, "visual") == 0) {
      read_visual(u, l, c, u->spec->link[i]);
    } else if (strcmp(word, "collision") == 0) {
      apl_urdf_note(u, APL_IGNORED, c, "<collision> of link '%s': model files have no contact yet",
                    l->name);
    } else {
      apl_urdf_unknown(u, c, l->name);
    }
  }
  if (inertial) return;
  put(u, l->link, i, "body.mass", (const double[]){0.0}, 1);
  apl_urdf_note(u, APL_TRANSLATED, l->link, "link '%s' has no <inertial>: it is without mass",
                l->name);
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

  /* bounds of the coordinate are zero when left out, except where there are none */
  if (strcmp(type, "continuous") != 0) {
    link->limits.lower = link->limits.upper = 0.0;
    link->limits_given |= 1 | 2;
    apl_urdf_numbers(u, node, "lower", 1, &link->limits.lower);
    apl_urdf_numbers(u, node, "upper", 1, &link->limits.upper);
  }
  if (apl_urdf_numbers(u, node, "velocity", 1, &link->limits.velocity)) link->limits_given |= 4;
  if (apl_urdf_numbers(u, node, "effort", 1, &link->limits.effort)) link->limits_given |= 8;
  if (!(link->limits.lower <= link->limits.upper)) {
    apl_urdf_refuse(u, node, "<limit> of the joint to '%s': lower must not be above upper",
                    l->name);
    return;
  }
  link->lower[0] = link->limits.lower;
  link->upper[0] = link->limits.upper;
  apl_urdf_note(u, APL_TRANSLATED, node,
                "<limit> of the joint to '%s': lower and upper are compliant stops; velocity and "
                "effort are kept, not enforced",
                l->name);
}

static void read_dynamics(urdf* u, const urdf_link* l, const xml_node* node, int i) {
  spec_link* link = u->spec->link[i];
  double damping = 0.0, friction = 0.0;

  if (apl_joint_kinds[link->joint_kind]->nv == 0) {
    apl_urdf_note(u, APL_IGNORED, node, "<dynamics> of the joint to '%s': it does not move",
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
                friction > 0.0 ? ": damping, and friction rounded at low speed" : "");
}

/* elements that say something about the robot's electronics or software, not about its motion */
static const struct {
  const char* word;
  const char* why;
} ignored[] = {
    {"calibration", "it is about the encoder, not about the motion"},
    {"safety_controller", "it is about a controller, not about the motion"},
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
      apl_urdf_refuse(
          u, c,
          "<mimic> of the joint to '%s': joints that follow others need couplings, which "
          "model files do not have yet",
          l->name);
    } else if (strcmp(word, "origin") == 0) {
      apl_urdf_note(u, APL_KEPT, c, "<origin> of the joint to '%s'", l->name);
    } else if (strcmp(word, "axis") != 0 && strcmp(word, "parent") != 0 &&
               strcmp(word, "child") != 0 && !note_ignored(u, l, c)) {
      apl_urdf_unknown(u, c, l->name);
    }
  }
}
