/* SPDX-License-Identifier: Apache-2.0 */
/* urdf.c: a small URDF reader on libxml2. The file may name links and joints in any order;
   coordinates follow the joints. What it does not know it refuses, so that no test runs on half a
   robot. */
#include "urdf.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  robot* out;
  char* message; /* [ROBOT_MESSAGE] */
  bool ok;
} reader;

/* Keep the first complaint; later ones are mostly its echoes. */
__attribute__((format(printf, 2, 3))) static void complain(reader* r, const char* format, ...) {
  if (!r->ok) return;
  r->ok = false;
  va_list args;
  va_start(args, format);
  (void)vsnprintf(r->message, ROBOT_MESSAGE, format, args);
  va_end(args);
}

/* --- pieces of XML ------------------------------------------------------------------------ */

static bool is(const xmlNode* node, const char* name) {
  return node->type == XML_ELEMENT_NODE && strcmp((const char*)node->name, name) == 0;
}

/* First child element of that name, NULL when there is none or no parent. */
static xmlNode* child(const xmlNode* node, const char* name) {
  for (xmlNode* c = node == NULL ? NULL : node->children; c != NULL; c = c->next) {
    if (is(c, name)) return c;
  }
  return NULL;
}

/* Copy of an attribute's text; false when the element or the attribute is missing. */
static bool text_of(const xmlNode* node, const char* attribute, char* out, size_t size) {
  if (node == NULL) return false;
  xmlChar* value = xmlGetProp(node, (const xmlChar*)attribute);
  if (value == NULL) return false;
  (void)snprintf(out, size, "%s", (const char*)value);
  xmlFree(value);
  return true;
}

/* A required name. */
static void name_of(reader* r, const xmlNode* node, const char* attribute, const char* where,
                    char out[ROBOT_NAME]) {
  out[0] = '\0';
  if (!text_of(node, attribute, out, ROBOT_NAME)) {
    complain(r, "%s: attribute '%s' is missing", where, attribute);
  }
}

/* n numbers of an optional attribute; out keeps its value when it is not there. */
static void numbers_of(reader* r, const xmlNode* node, const char* attribute, const char* where,
                       int n, double* out) {
  char text[512];
  if (!text_of(node, attribute, text, sizeof text)) return;

  const char* at = text;
  for (int i = 0; i < n; i++) {
    char* end = NULL;
    out[i] = strtod(at, &end);
    if (end == at || !isfinite(out[i])) {
      complain(r, "%s: '%s' needs %d numbers, got \"%s\"", where, attribute, n, text);
      return;
    }
    at = end;
  }
  if (at[strspn(at, " \t\r\n")] != '\0') {
    complain(r, "%s: '%s' needs %d numbers, got \"%s\"", where, attribute, n, text);
  }
}

/* --- links and joints --------------------------------------------------------------------- */

static void read_inertial(reader* r, const xmlNode* link, robot_link* l) {
  const xmlNode* inertial = child(link, "inertial");
  if (inertial == NULL) return;

  const xmlNode* origin = child(inertial, "origin");
  const xmlNode* inertia = child(inertial, "inertia");
  static const char* const entry[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  double rpy[3] = {0.0, 0.0, 0.0};
  numbers_of(r, origin, "xyz", l->name, 3, l->com);
  numbers_of(r, origin, "rpy", l->name, 3, rpy);
  numbers_of(r, child(inertial, "mass"), "value", l->name, 1, &l->mass);
  for (int k = 0; k < 6; k++)
    numbers_of(r, inertia, entry[k], l->name, 1, &l->inertia[k]);

  /* the file gives it in the axes of the inertial origin, robot_link wants link axes */
  if (rpy[0] != 0.0 || rpy[1] != 0.0 || rpy[2] != 0.0) {
    double R[9];
    robot_rotation(rpy, R);
    robot_turn_inertia(R, l->inertia);
  }
}

/* The <link> element of that name. */
static const xmlNode* find_link(const xmlNode* root, const char* name) {
  for (const xmlNode* c = root->children; c != NULL; c = c->next) {
    char other[ROBOT_NAME];
    if (is(c, "link") && text_of(c, "name", other, sizeof other) && strcmp(name, other) == 0)
      return c;
  }
  return NULL;
}

static robot_joint joint_of(reader* r, const char* type, const char* name) {
  if (strcmp(type, "fixed") == 0) return ROBOT_FIXED;
  if (strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0) return ROBOT_REVOLUTE;
  if (strcmp(type, "prismatic") == 0) return ROBOT_PRISMATIC;
  complain(r, "%s: joint type \"%s\" is not known here", name, type);
  return ROBOT_FIXED;
}

/* A joint and the link it carries; the parent's name goes to parent[], to be looked up when all
   links are known. */
static void read_joint(reader* r, const xmlNode* root, const xmlNode* joint, robot_link* l,
                       char parent[ROBOT_NAME]) {
  name_of(r, joint, "name", "joint", l->joint_name);
  name_of(r, child(joint, "child"), "link", l->joint_name, l->name);
  name_of(r, child(joint, "parent"), "link", l->joint_name, parent);

  char type[ROBOT_NAME];
  name_of(r, joint, "type", l->joint_name, type);
  l->joint = joint_of(r, type, l->joint_name);

  const xmlNode* origin = child(joint, "origin");
  numbers_of(r, origin, "xyz", l->joint_name, 3, l->xyz);
  numbers_of(r, origin, "rpy", l->joint_name, 3, l->rpy);

  /* URDF's own default axis is x */
  const double x[3] = {1.0, 0.0, 0.0};
  memcpy(l->axis, x, sizeof x);
  numbers_of(r, child(joint, "axis"), "xyz", l->joint_name, 3, l->axis);
  const double length =
      sqrt(l->axis[0] * l->axis[0] + l->axis[1] * l->axis[1] + l->axis[2] * l->axis[2]);
  if (!(length > 0.0)) complain(r, "%s: the axis is zero", l->joint_name);
  for (int k = 0; k < 3 && length > 0.0; k++)
    l->axis[k] /= length;

  const xmlNode* link = find_link(root, l->name);
  if (link == NULL) {
    complain(r, "%s: there is no link \"%s\"", l->joint_name, l->name);
    return;
  }
  read_inertial(r, link, l);
}

/* --- the tree ----------------------------------------------------------------------------- */

static int index_of(const robot* out, const char* name) {
  for (int i = 0; i < out->nlink; i++) {
    if (strcmp(out->link[i].name, name) == 0) return i;
  }
  return -1;
}

/* The one link that no joint carries becomes link[0]. */
static void read_root(reader* r, const xmlNode* root, bool floating_base) {
  robot_link* base = &r->out->link[0];
  const xmlNode* found = NULL;
  for (const xmlNode* c = root->children; c != NULL; c = c->next) {
    if (!is(c, "link")) continue;
    char name[ROBOT_NAME];
    name_of(r, c, "name", "link", name);
    if (find_link(root, name) != c) complain(r, "link \"%s\" appears twice", name);
    if (index_of(r->out, name) > 0) continue;
    if (found != NULL) complain(r, "links \"%s\" and \"%s\" are both roots", base->name, name);
    found = c;
    (void)snprintf(base->name, sizeof base->name, "%s", name);
  }
  if (found == NULL) {
    complain(r, "no link is a root: the joints form a cycle, or there are no links");
    return;
  }
  base->joint = floating_base ? ROBOT_FLOATING : ROBOT_FIXED;
  read_inertial(r, found, base);
}

static void resolve_parents(reader* r, char (*parent)[ROBOT_NAME]) {
  robot* out = r->out;
  for (int i = 1; i < out->nlink; i++) {
    out->link[i].parent = index_of(out, parent[i]);
    if (out->link[i].parent < 0) {
      complain(r, "%s: there is no link \"%s\"", out->link[i].joint_name, parent[i]);
    }
    if (index_of(out, out->link[i].name) != i) {
      complain(r, "link \"%s\" is carried by two joints", out->link[i].name);
    }
  }

  /* every link must reach the root in at most nlink steps */
  for (int i = 1; i < out->nlink && r->ok; i++) {
    int at = i;
    for (int steps = 0; at > 0 && steps < out->nlink; steps++)
      at = out->link[at].parent;
    if (at != 0) complain(r, "link \"%s\" is on a cycle", out->link[i].name);
  }
}

static void read_robot(reader* r, const xmlNode* root, bool floating_base) {
  int njoint = 0;
  for (const xmlNode* c = root->children; c != NULL; c = c->next)
    njoint += is(c, "joint");

  char(*parent)[ROBOT_NAME] = calloc((size_t)njoint + 1, sizeof *parent);
  if (parent == NULL || !robot_new(njoint + 1, r->out)) {
    free(parent);
    complain(r, "out of memory");
    return;
  }
  name_of(r, root, "name", "robot", r->out->name);

  int i = 1;
  for (const xmlNode* c = root->children; c != NULL; c = c->next) {
    if (!is(c, "joint")) continue;
    read_joint(r, root, c, &r->out->link[i], parent[i]);
    i++;
  }
  read_root(r, root, floating_base);
  resolve_parents(r, parent);
  free(parent);
}

bool robot_read_urdf(const char* path, bool floating_base, robot* out, char* message) {
  *out = (robot){0};
  message[0] = '\0';
  reader r = {.out = out, .message = message, .ok = true};

  xmlDoc* doc = xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET);
  const xmlNode* root = doc == NULL ? NULL : xmlDocGetRootElement(doc);
  if (root == NULL) {
    complain(&r, "%s cannot be read as XML", path);
  } else if (!is(root, "robot")) {
    complain(&r, "%s: the root element is <%s>, not <robot>", path, (const char*)root->name);
  } else {
    read_robot(&r, root, floating_base);
  }
  xmlFreeDoc(doc);

  if (!r.ok) robot_free(out);
  return r.ok;
}
