/* SPDX-License-Identifier: Apache-2.0 */
/* urdf.c: URDF -> spec. Links come in the order root first, then as the joints stand in the file,
   so that coordinates follow the joints. Nothing is dropped in silence: every element leaves a
   note. */
#include "spec/urdf_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* clang-format off */
static const struct { const char* urdf; const char* word; } joint_types[] = {
  {"fixed", "fixed"}, {"revolute", "revolute"}, {"continuous", "revolute"},
  {"prismatic", "prismatic"}, {"planar", "planar"}, {"floating", "floating"},
  {"spherical", "spherical"}, /* not of URDF, but Bullet reads it */
};

static const struct { const char* word; const char* why; } ignored[] = {
  {"gazebo", "it is for the simulator Gazebo"},
  {"sensor", "model files have no sensors"},
};
/* clang-format on */

/* more is no robot, and looking names up takes the square of it */
enum { MAX_LINKS = 10000 };

static const char* attribute(urdf* u, const xml_node* node, const char* name) {
  return apl_xml_attribute(node, name, &u->file->pool);
}

static const char* name_of(urdf* u, const xml_node* node) {
  const char* name = attribute(u, node, "name");
  return name == NULL ? "" : name;
}

static int find_link(const urdf* u, const char* name) {
  for (int i = 0; name != NULL && i < u->nlink; ++i) {
    if (strcmp(u->link[i].name, name) == 0) return i;
  }
  return -1;
}

/* -------------------------------------------------------------------------------- names ---- */

/* Is the name one of a link, or of a joint, already? The two do not disturb each other. */
static bool taken(const urdf* u, const char* called, bool joint) {
  for (int i = 0; i < u->nlink; ++i) {
    const char* other = joint ? u->link[i].joint_called : u->link[i].called;
    if (other != NULL && strcmp(other, called) == 0) return true;
  }
  return !joint && strcmp(called, "world") == 0;
}

/* A name by our grammar, near to the one of the file. */
static const char* call(urdf* u, const xml_node* node, const char* name, bool joint) {
  char word[80];

  snprintf(word, sizeof word, "%s%.56s",
           isalpha((unsigned char)name[0]) || name[0] == '_' ? "" : "_", name);
  for (char* c = word; *c != '\0'; ++c) {
    if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-') *c = '_';
  }
  const size_t n = strlen(word);
  for (int k = 2; taken(u, word, joint); ++k)
    snprintf(word + n, sizeof word - n, "_%d", k);
  if (strcmp(word, name) != 0) {
    apl_urdf_note(u, APL_TRANSLATED, node, "%s '%.80s' is called '%s'", joint ? "joint" : "link",
                  name, word);
  }
  return apl_pool_text(&u->spec->pool, word);
}

/* --------------------------------------------------------------------------------- tree ---- */

static void find_links(urdf* u) {
  for (const xml_node* c = apl_xml_first(u->robot); c != NULL; c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), "link") != 0) continue;
    const char* name = name_of(u, c);
    if (name[0] == '\0') {
      apl_urdf_refuse(u, c, "a <link> has no name");
    } else if (find_link(u, name) >= 0) {
      apl_urdf_refuse(u, c, "link '%.80s' appears twice", name);
    } else {
      /* the list has room for all: its size was counted */
      u->link[u->nlink] = (urdf_link){.link = c, .name = name};
      ++u->nlink;
    }
  }
}

/* The link that a joint names in <parent> or <child>, or -1 with a sentence. */
static int joint_end(urdf* u, const xml_node* joint, const char* end) {
  const char* joint_name = name_of(u, joint);
  const char* name = attribute(u, apl_xml_child(joint, end), "link");
  const int i = find_link(u, name);

  if (name == NULL) {
    apl_urdf_refuse(u, joint, "joint '%.80s' needs <%s link=\"..\"/>", joint_name, end);
  } else if (i < 0) {
    apl_urdf_refuse(u, joint, "joint '%.80s': there is no link '%.80s'", joint_name, name);
  }
  return i;
}

static void find_joints(urdf* u) {
  u->norder = 1;
  for (const xml_node* c = apl_xml_first(u->robot); c != NULL; c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), "joint") != 0) continue;
    const int i = joint_end(u, c, "child");
    if (joint_end(u, c, "parent") < 0 || i < 0) continue;
    if (u->link[i].joint != NULL) {
      apl_urdf_refuse(u, c, "link '%.80s' is carried by two joints", u->link[i].name);
      continue;
    }
    u->link[i].joint = c;
    if (u->norder < u->nlink) u->order[u->norder++] = i;
  }
}

/* The one link that no joint carries stands first. */
static bool find_root(urdf* u) {
  int root = -1;

  for (int i = 0; i < u->nlink; ++i) {
    if (u->link[i].joint != NULL) continue;
    if (root >= 0) {
      apl_urdf_refuse(u, u->link[i].link, "links '%.60s' and '%.60s' are both roots",
                      u->link[root].name, u->link[i].name);
      return false;
    }
    root = i;
  }
  if (u->nlink == 0) {
    const xml_node* first = apl_xml_first(u->robot);
    apl_urdf_refuse(u, u->robot, "the robot has no links%s%.40s%s", first == NULL ? "" : ", only <",
                    first == NULL ? "" : apl_xml_name(first),
                    first == NULL ? "" : ">, which is not imported");
    return false;
  }
  if (root < 0) {
    apl_urdf_refuse(u, u->robot, "no link is a root: the joints form a cycle");
    return false;
  }
  u->order[0] = root;
  return true;
}

/* --------------------------------------------------------------------------------- links ---- */

static const char* joint_word(urdf* u, const urdf_link* l) {
  const char* type = attribute(u, l->joint, "type");

  for (size_t k = 0; type != NULL && k < sizeof joint_types / sizeof *joint_types; ++k) {
    if (strcmp(joint_types[k].urdf, type) != 0) continue;
    const bool same = strcmp(type, joint_types[k].word) == 0;
    if (strcmp(type, "spherical") == 0) {
      apl_urdf_doubt(u, l->joint,
                     "joint '%.60s': URDF has no spherical joints; it is imported as one",
                     name_of(u, l->joint));
    }
    apl_urdf_note(u, same ? APL_KEPT : APL_TRANSLATED, l->joint,
                  "<joint> '%.60s' (%s): the %s joint of link '%s'", name_of(u, l->joint), type,
                  joint_types[k].word, l->called);
    return joint_types[k].word;
  }
  apl_urdf_refuse(u, l->joint,
                  "the joint to '%.80s' has the unknown type '%.40s'; take revolute, continuous, "
                  "prismatic, fixed, planar or floating",
                  l->name, type == NULL ? "" : type);
  return NULL;
}

static void add_link(urdf* u, int k, const char* base, bool root_is_world) {
  const urdf_link* l = &u->link[u->order[k]];
  const char* on = "world";
  const char* joint = base;
  const int before = u->report->count;
  const apl_mark at = {apl_xml_line(l->joint == NULL ? l->link : l->joint), 0};

  if (l->joint != NULL) {
    const int parent = find_link(u, attribute(u, apl_xml_child(l->joint, "parent"), "link"));
    if (!(root_is_world && parent == u->order[0])) on = u->link[parent].called;
    joint = joint_word(u, l);
    if (joint == NULL) return;
  }
  const int i = apl_spec_link(u->spec, l->called, on, joint, "rigid");
  if (!apl_spec_settle(u->spec, at, u->report)) return;
  const xml_node* inertial = apl_xml_child(l->link, "inertial");
  const apl_mark body = {apl_xml_line(inertial == NULL ? l->link : inertial), 0};
  u->spec->link[i]->mark = (spec_marks){.link = at, .on = at, .joint = at, .body = body};
  apl_urdf_note(u, APL_KEPT, l->link, "<link> '%.80s'", l->name);

  if (l->joint != NULL) {
    apl_spec_word(u->spec, i, "joint.name", l->joint_called);
    apl_spec_place(u->spec, i, apl_urdf_origin(u, apl_xml_child(l->joint, "origin")));
    apl_urdf_joint_parts(u, l, i);
  }
  apl_urdf_link_parts(u, l, i);
  apl_spec_settle(u->spec, at, u->report);
  if (u->report->count == before) apl_link_try(u->spec, u->spec->link[i], u->report);
}

/* ---------------------------------------------------------------------------------- mimic ---- */

static const urdf_link* find_joint(const urdf* u, const char* name) {
  for (int k = 0; name != NULL && k < u->norder; ++k) {
    const urdf_link* l = &u->link[u->order[k]];
    const char* own = l->joint == NULL ? NULL : apl_xml_attribute(l->joint, "name", &u->file->pool);
    if (own != NULL && strcmp(own, name) == 0) return l;
  }
  return NULL;
}

/* shoulder.angle, slide.position; NULL for joints that have not exactly one coordinate. */
static const char* coordinate_of(urdf* u, const urdf_link* l) {
  const char* type = attribute(u, l->joint, "type");
  const bool slides = type != NULL && strcmp(type, "prismatic") == 0;
  const bool turns =
      type != NULL && (strcmp(type, "revolute") == 0 || strcmp(type, "continuous") == 0);
  const size_t n = strlen(l->joint_called) + sizeof ".position";
  char* name = slides || turns ? apl_pool_take(&u->file->pool, n) : NULL;

  if (name != NULL) snprintf(name, n, "%s.%s", l->joint_called, slides ? "position" : "angle");
  return name;
}

/* q = multiplier q_joint + offset, as a coupling that has the name of the joint. */
static void add_mimic(urdf* u, const urdf_link* l, const xml_node* node) {
  const char* joint = attribute(u, node, "joint");
  const urdf_link* leader = find_joint(u, joint);
  const char *of = coordinate_of(u, l), *to = leader == NULL ? NULL : coordinate_of(u, leader);
  double ratio = 1.0, offset = 0.0;

  if (strcmp(attribute(u, l->joint, "type"), "fixed") == 0) {
    apl_urdf_note(u, APL_IGNORED, node, "<mimic> of the joint to '%.60s': it is fixed", l->name);
    return;
  }
  apl_urdf_numbers(u, node, "multiplier", 1, &ratio);
  apl_urdf_numbers(u, node, "offset", 1, &offset);
  if (leader == NULL || of == NULL || to == NULL || leader == l || ratio == 0.0) {
    apl_urdf_doubt(
        u, node, "<mimic> of the joint to '%.60s' is ignored, %s: the joint moves freely", l->name,
        leader == NULL ? "the joint that it names does not exist"
        : leader == l  ? "it names the joint itself"
        : ratio == 0.0 ? "its multiplier is zero"
                       : "both joints must have one coordinate");
    return;
  }
  apl_spec_coupling(u->spec, l->joint_called, of, to, ratio, offset);
  apl_spec_settle(u->spec, (apl_mark){apl_xml_line(node), 0}, u->report);
  apl_urdf_note(u, APL_TRANSLATED, node,
                "<mimic> of the joint to '%.60s' is a coupling: %s follows %s", l->name, of, to);
}

static void add_mimics(urdf* u) {
  for (int k = 0; k < u->norder; ++k) {
    const urdf_link* l = &u->link[u->order[k]];
    const xml_node* node = l->joint == NULL ? NULL : apl_xml_child(l->joint, "mimic");
    if (node != NULL) add_mimic(u, l, node);
  }
}

/* The link of the spec whose joint has this coordinate, JOINT.angle; NULL when there is none. */
static spec_link* link_of(const urdf* u, const char* coordinate) {
  const size_t n = strcspn(coordinate, ".");

  for (int i = 0; i < u->spec->nlink; ++i) {
    spec_link* l = u->spec->link[i];
    if (strlen(l->joint_name) == n && strncmp(l->joint_name, coordinate, n) == 0) return l;
  }
  return NULL;
}

/* Followers start where their leaders put them, q = ratio q_leader + offset: closing the couplings
   would else move leaders and followers towards each other. Followers may lead others, so that the
   list is gone through as often as it is long, at most. */
static void start_followers(urdf* u) {
  const apl_spec* s = u->spec;
  bool moved = true;

  for (int round = 0; round < s->ncoupling && moved; ++round) {
    moved = false;
    for (int i = 0; i < s->ncoupling; ++i) {
      const spec_coupling* c = &s->coupling[i];
      spec_link *of = link_of(u, c->of), *to = link_of(u, c->to);
      if (of == NULL || to == NULL) continue;
      const double q = c->ratio * to->rest[0] + c->offset;
      moved = moved || q != of->rest[0];
      of->rest[0] = q;
    }
  }
}

/* A robot with meshes is drawn as its file says: links without one are frames and sensors, not
   bodies that somebody forgot to draw. */
static void leave_bare(urdf* u) {
  bool drawn = false;

  for (int i = 0; i < u->spec->nlink; ++i) {
    const spec_link* l = u->spec->link[i];
    for (int k = 0; k < l->nshape; ++k)
      drawn = drawn || strcmp(l->shape[k].type, "mesh") == 0;
  }
  for (int i = 0; i < u->spec->nlink && drawn; ++i)
    u->spec->link[i]->bare = u->spec->link[i]->nshape == 0;
}

static void note_others(urdf* u) {
  for (const xml_node* c = apl_xml_first(u->robot); c != NULL; c = apl_xml_next(c)) {
    const char* word = apl_xml_name(c);
    bool known = strcmp(word, "link") == 0 || strcmp(word, "joint") == 0 ||
                 strcmp(word, "ros2_control") == 0 || strcmp(word, "transmission") == 0;
    if (strcmp(word, "material") == 0) {
      apl_urdf_note(u, APL_TRANSLATED, c,
                    "<material> '%.60s': its colour goes to the shapes that use it", name_of(u, c));
      known = true;
    }
    for (size_t k = 0; k < sizeof ignored / sizeof *ignored && !known; ++k) {
      if (strcmp(ignored[k].word, word) != 0) continue;
      apl_urdf_note(u, APL_IGNORED, c, "<%s> '%.60s': %s", word, name_of(u, c), ignored[k].why);
      known = true;
    }
    if (!known) apl_urdf_unknown(u, c, "the robot");
  }
}

static void read_robot(urdf* u) {
  const apl_base base = u->options->base;
  const int before = u->report->count;
  int count = 1;

  u->spec->name = apl_pool_text(&u->spec->pool, name_of(u, u->robot));
  for (const xml_node* c = apl_xml_first(u->robot); c != NULL; c = apl_xml_next(c))
    ++count;
  u->link = apl_pool_take(&u->file->pool, sizeof *u->link * (size_t)count);
  u->order = apl_pool_take(&u->file->pool, sizeof *u->order * (size_t)count);
  if (u->link == NULL || u->order == NULL || u->spec->name == NULL) {
    apl_report_add(u->report, APL_ERR_MEMORY, (apl_mark){0, 0}, "out of memory while reading");
    return;
  }
  if (count > 4 * MAX_LINKS) {
    apl_urdf_refuse(u, u->robot, "<robot> has more than %d elements", 4 * MAX_LINKS);
    return;
  }
  const xml_node* macro = apl_xml_macro(u->robot);
  if (macro != NULL) {
    apl_urdf_refuse(u, macro,
                    "<%.40s> is xacro, which must be expanded first: "
                    "`xacro ROBOT.urdf.xacro > ROBOT.urdf` (part of ROS; also `pip install xacro`)",
                    apl_xml_name(macro));
    return;
  }
  find_links(u);
  find_joints(u);
  note_others(u);
  if (u->report->count > before || !find_root(u)) return;

  /* many files call their root 'world' to say that the robot stands on the ground */
  const urdf_link* root = &u->link[u->order[0]];
  const bool root_is_world = base == APL_BASE_FIXED && strcmp(root->name, "world") == 0 &&
                             apl_xml_first(root->link) == NULL;
  for (int k = root_is_world; k < u->norder; ++k) {
    urdf_link* l = &u->link[u->order[k]];
    l->called = call(u, l->link, l->name, false);
    if (l->joint != NULL) l->joint_called = call(u, l->joint, name_of(u, l->joint), true);
  }
  if (root_is_world)
    apl_urdf_note(u, APL_TRANSLATED, root->link, "link 'world' is the world itself");
  for (int k = root_is_world; k < u->norder; ++k)
    add_link(u, k, base == APL_BASE_FLOATING ? "floating" : "fixed", root_is_world);
  if (u->report->count == before) {
    add_mimics(u);
    leave_bare(u);
    apl_urdf_control(u);
    start_followers(u);
    if (u->interface != NULL) apl_urdf_motors(u);
    apl_urdf_floor(u);
  }
}

/* Where an XML declaration begins that libxml2 would refuse the file for: not at the start, or of a
   version that does not exist; NULL without one. It says nothing that a robot needs. */
static const char* bad_declaration(const char* text) {
  const char* at = strstr(text, "<?xml ");
  const char* end = at == NULL ? NULL : strstr(at, "?>");
  if (end == NULL) return NULL;

  const char* version = strstr(at, "version");
  if (version != NULL) version += strcspn(version, "\"'");
  const bool known = version != NULL && version < end && strncmp(version + 1, "1.", 2) == 0;
  return at == text && known ? NULL : at;
}

/* The text without such a declaration; lines stay where they are. NULL without memory. */
static const char* without_declaration(urdf* u, const char* text, size_t size) {
  const char* bad = bad_declaration(text);
  if (bad == NULL) return text;

  char* copy = apl_pool_take(&u->file->pool, size + 1);
  if (copy == NULL) {
    apl_report_add(u->report, APL_ERR_MEMORY, (apl_mark){0, 0}, "out of memory while reading");
    return NULL;
  }
  memcpy(copy, text, size);
  for (const char* c = bad; c < strstr(bad, "?>") + 2; ++c)
    copy[c - text] = *c == '\n' ? '\n' : ' ';
  apl_urdf_doubt(
      u, NULL,
      "<?xml ..?> must be at the beginning of the file and have version 1.0: it is ignored");
  return copy;
}

void apl_urdf_read(apl_file* file, const char* text, size_t size, const apl_load_options* options,
                   apl_report* report) {
  urdf u = {.file = file, .spec = file->spec, .options = options, .report = report};

  text = without_declaration(&u, text, size);
  if (text == NULL) return;
  xml_doc* doc = apl_xml_parse(text, size, report);
  if (doc == NULL) return;

  u.robot = apl_xml_root(doc);
  apl_spec_lenient(file->spec, !options->strict);
  if (u.robot == NULL || strcmp(apl_xml_name(u.robot), "robot") != 0) {
    apl_report_add(
        report, APL_ERR_SYNTAX, (apl_mark){1, 0},
        "the root element is <%.60s>, not <robot>; only URDF and YAML model files are read",
        u.robot == NULL ? "" : apl_xml_name(u.robot));
  } else {
    read_robot(&u);
  }
  apl_xml_free(doc);
}
