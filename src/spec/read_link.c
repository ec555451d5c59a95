/* read_link.c: one item of `links`: its joint, its body, its ports and pictures. */
#include "spec/file_impl.h"

#include "base/nearest.h"
#include "spec/words.h"

#include <stdio.h>
#include <string.h>

/* What is known while a link is read. */
typedef struct link_reader {
  form_reader form;
  apl_spec* spec;
  spec_link* link;
  int index;
} link_reader;

/* ---------------------------------------------------------------------------------- kinds ---- */

/* The word of a kind: the scalar itself, or `type` of the map. */
static const text_node* type_node(const text_node* part) {
  return part == NULL || part->kind == TEXT_SCALAR ? part : apl_node_get(part, "type");
}

/* Index of a kind, or -1 with a sentence that offers the nearest word. */
static int find_kind(form_reader* r, const char* part, const text_node* type, const char* fallback,
                     int (*find)(const char*), const char* (*word)(int)) {
  if (type == NULL) return fallback == NULL ? -1 : find(fallback);
  if (type->kind == TEXT_SCALAR && find(type->text) >= 0) return find(type->text);

  apl_nearest near = {.word = type->kind == TEXT_SCALAR ? type->text : ""};
  char hint[256], shown[64];
  for (int i = 0; word(i) != NULL; ++i)
    apl_nearest_offer(&near, word(i));
  if (apl_nearest_text(&near, hint)[0] == '\0') {
    size_t used = (size_t)snprintf(hint, sizeof hint, "; take");
    for (int i = 0; word(i) != NULL && used < 150; ++i)
      used +=
          (size_t)snprintf(hint + used, sizeof hint - used, "%s%s", i == 0 ? " " : ", ", word(i));
    if (used >= 150) snprintf(hint + used, sizeof hint - used, " ..");
  }
  apl_form_refuse(r, type->at, part, "there is no %s of type %s%s", part,
                  apl_node_show(type, shown), hint);
  return -1;
}

static int count_fields(const apl_field* field) {
  int n = 0;
  while (field[n].name != NULL)
    ++n;
  return n;
}

/* Read joint or body: the table all share and the table of the kind. */
static bool read_part(link_reader* l, const char* part, const text_node* node,
                      const apl_field* common, void* raw, const apl_field* own, void* param,
                      unsigned long long* given, apl_mark** mark) {
  apl_form_where(&l->form, "link '%.64s': %s.", l->link->name, part);
  *mark = apl_pool_take(&l->spec->pool, sizeof **mark * (size_t)(count_fields(own) + 1));

  field_set set[] = {{.field = common, .out = raw}, {.field = own, .out = param, .mark = *mark}};
  if (node != NULL && node->kind != TEXT_MAP) {
    /* `joint: revolute` is a joint with defaults only */
    const apl_field* missing = apl_field_missing(own, 0);
    if (missing == NULL) return true;
    return apl_form_refuse(&l->form, node->at, missing->name, "is missing (%s)", missing->sentence);
  }
  const bool ok = node == NULL || apl_fields_read(&l->form, node, set, 2);
  *given = set[1].given;
  return ok;
}

void apl_link_try(apl_spec* s, const spec_link* l, apl_report* report) {
  const apl_joint_kind* jk = apl_joint_kinds[l->joint_kind];
  const apl_body_kind* bk = apl_body_kinds[l->body_kind];
  const int npar = apl_body_planned(bk, l->body_param).npar;
  const int n = jk->npar > npar ? jk->npar : npar;
  double* par = apl_pool_take(&s->pool, sizeof *par * (size_t)(n + 1));
  double inertia[APL_MAX_SATELLITES], mass;
  mat3 turn;
  apl_error inner = {0};

  if (par == NULL) return;
  if (jk->compile(l->joint_param, par, inertia, &turn, &inner) != APL_OK) {
    apl_report_add(report, inner.status,
                   apl_field_blamed(jk->field, l->mark.joint_field, l->mark.joint, inner.text),
                   "link '%s': joint: %.180s", l->name, inner.text);
  }
  if (bk->compile(l->body_param, par, &mass, &inner) != APL_OK) {
    apl_report_add(report, inner.status,
                   apl_field_blamed(bk->field, l->mark.body_field, l->mark.body, inner.text),
                   "link '%s': body: %.180s", l->name, inner.text);
  }
}

/* -------------------------------------------------------------------------------- freedoms ---- */

/* One number for all freedoms, or one for each, in the units of the freedoms. */
static void read_freedoms(link_reader* l, const char* key, const text_node* node,
                          joint_measure measure, int count) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  const char* unit[APL_MAX_NQ];
  double value[APL_MAX_NQ];
  char path[32];
  bool ok = true;

  if (node == NULL) return;
  if (count == 0) {
    apl_form_refuse(&l->form, node->key_at, key, "a %s joint has no freedom", kind->word);
    return;
  }
  for (int k = 0; k < count; ++k)
    unit[k] = apl_joint_unit(kind, measure, k);

  const bool one = node->kind == TEXT_SCALAR && measure != MEASURE_COORDINATE;
  if (one) {
    for (int k = 0; k < count && ok; ++k)
      ok = apl_numbers_read(&l->form, key, node, &unit[k], 1, value);
  } else if (node->kind == TEXT_LIST && count == 1 && node->count == 1) {
    ok = apl_numbers_read(&l->form, key, node->first, unit, 1, value);
  } else {
    ok = apl_numbers_read(&l->form, key, node, unit, count, value);
  }
  if (!ok) return;
  snprintf(path, sizeof path, "joint.%s", key);
  apl_spec_put(l->spec, l->index, path, value, one ? 1 : count);
  apl_spec_settle(l->spec, node->at, l->form.report);
}

/* limits and friction are for joints of one freedom */
static bool one_freedom(link_reader* l, const char* key, const text_node* node) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];

  if (kind->nq == 1 && kind->nv == 1) return true;
  return apl_form_refuse(&l->form, node->key_at, key,
                         "needs a joint with exactly one freedom, not a %s joint", kind->word);
}

static void read_limits(link_reader* l, const text_node* node) {
  static const joint_measure measure[] = {MEASURE_COORDINATE, MEASURE_COORDINATE, MEASURE_VELOCITY,
                                          MEASURE_EFFORT};
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  apl_field field[sizeof measure / sizeof *measure + 2]; /* those, `enforced` and the end */
  form_reader inner = l->form;

  if (node == NULL || !one_freedom(l, "limits", node)) return;
  memcpy(field, apl_limits_fields, sizeof field);
  for (size_t i = 0; i < sizeof measure / sizeof *measure; ++i)
    field[i].unit = apl_joint_unit(kind, measure[i], 0);

  field_set set = {.field = field, .out = &l->link->limits};
  apl_fields_default(apl_limits_fields, &l->link->limits);
  apl_form_where(&inner, "link '%.64s': joint.limits.", l->link->name);
  if (!apl_fields_read(&inner, node, &set, 1)) return;
  l->link->limits_given = set.given;
  if (l->link->limits.enforced && !(l->link->limits.effort < HUGE_VAL))
    apl_form_refuse(&inner, node->at, "enforced", "needs `effort`, the largest torque or force");
  l->link->lower[0] = l->link->limits.lower;
  l->link->upper[0] = l->link->limits.upper;
  if (!(l->link->limits.lower <= l->link->limits.upper)) {
    apl_form_refuse(&inner, node->at, "lower", "must not be above upper, got %g and %g",
                    l->link->limits.lower, l->link->limits.upper);
  }
}

static void read_friction(link_reader* l, const text_node* node) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  const char* unit[] = {apl_joint_unit(kind, MEASURE_EFFORT, 0)};

  if (node == NULL || !one_freedom(l, "friction", node)) return;
  if (!apl_numbers_read(&l->form, "friction", node, unit, 1, l->link->friction)) return;
  if (!(l->link->friction[0] >= 0.0))
    apl_form_refuse(&l->form, node->at, "friction", "must not be negative");
}

static void read_servo(link_reader* l, const text_node* node) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  const int n = kind->nv;
  grammar_servo raw = {.aim = apl_aim_words[0]};
  form_reader inner = l->form;
  if (node == NULL) return;

  l->link->servo = true;
  apl_form_where(&inner, "link '%.64s': joint.servo.", l->link->name);
  if (!apl_fields_read(&inner, node, &(field_set){.field = apl_servo_fields, .out = &raw}, 1))
    return;
  read_freedoms(l, "servo-stiffness", raw.stiffness, MEASURE_STIFFNESS, n);
  read_freedoms(l, "servo-damping", raw.damping, MEASURE_DAMPING, n);
  read_freedoms(l, "servo-integral", raw.integral, MEASURE_INTEGRAL, n);
  read_freedoms(l, "servo-effort", raw.effort, MEASURE_EFFORT, n);
  read_freedoms(l, "servo-speed", raw.speed, MEASURE_VELOCITY, n);
  l->link->servo_from_start = strcmp(raw.aim, apl_aim_words[1]) == 0;
}

/* ---------------------------------------------------------------------------------- lists ---- */

static bool is_list(link_reader* l, const char* key, const text_node* node) {
  if (node->kind == TEXT_LIST) return true;
  return apl_form_refuse(&l->form, node->at, key, "expected a list");
}

/* Which velocity of the joint: by name, the first when left out; -1 with a sentence. */
static int velocity_of(link_reader* l, form_reader* r, const text_node* item, const char* word) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  apl_nearest near = {.word = word};
  char hint[96];

  if (word[0] == '\0') return 0;
  for (int k = 0; k < kind->nv; ++k) {
    if (strcmp(kind->v_name[k], word) == 0) return k;
    apl_nearest_offer(&near, kind->v_name[k]);
  }
  apl_form_refuse(r, item->at, "velocity", "a %s joint has no velocity '%.40s'%s", kind->word, word,
                  apl_nearest_text(&near, hint));
  return -1;
}

static void read_rotors(link_reader* l, const text_node* list) {
  if (list == NULL || !is_list(l, "rotors", list)) return;

  form_reader r = l->form;
  apl_form_where(&r, "link '%.64s': joint.rotors.", l->link->name);
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    grammar_rotor raw = {.velocity = "", .ratio = 1.0};
    if (!apl_fields_read(&r, item, &(field_set){.field = apl_rotor_fields, .out = &raw}, 1))
      continue;
    const int velocity = velocity_of(l, &r, item, raw.velocity);
    if (velocity < 0) continue;
    apl_spec_rotor(l->spec, l->index, raw.name, velocity, raw.inertia, raw.ratio);
    apl_spec_settle(l->spec, item->at, l->form.report);
  }
}

static void read_ports(link_reader* l, const text_node* map) {
  if (map == NULL) return;
  if (map->kind != TEXT_MAP) {
    apl_form_refuse(&l->form, map->at, "ports", "expected a map from names to ports");
    return;
  }
  form_reader r = l->form;
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    grammar_port raw = {.at = apl_pose_identity()};
    apl_form_where(&r, "link '%.64s': ports.%.64s.", l->link->name, item->key);
    if (!apl_fields_read(&r, item, &(field_set){.field = apl_port_fields, .out = &raw}, 1))
      continue;
    const text_node* station = apl_node_get(item, "station");
    if (station != NULL && apl_body_kinds[l->link->body_kind]->rigid) {
      apl_form_refuse(&r, station->at, "station", "a rigid body has no stations; leave it out");
      continue;
    }
    apl_spec_port(l->spec, l->index, item->key, raw.station, raw.at);
    apl_spec_settle(l->spec, item->key_at, l->form.report);
  }
}

static void read_shapes(link_reader* l, const text_node* list) {
  if (list == NULL || !is_list(l, "shapes", list)) return;

  form_reader r = l->form;
  apl_form_where(&r, "link '%.64s': shapes.", l->link->name);
  l->link->bare = list->first == NULL;
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    spec_link* link = l->link;
    spec_shape shape;
    if (!apl_shape_read(&r, item, &shape)) continue;
    link->shape = apl_spec_grow(l->spec, link->shape, link->nshape, sizeof *link->shape);
    if (apl_spec_settle(l->spec, item->at, l->form.report)) link->shape[link->nshape++] = shape;
  }
}

/* ----------------------------------------------------------------------------------- link ---- */

static void read_joint(link_reader* l, const text_node* node) {
  spec_link* link = l->link;
  const apl_joint_kind* kind = apl_joint_kinds[link->joint_kind];
  grammar_joint raw = {0};

  link->mark.joint = node == NULL ? link->mark.link : node->at;
  const bool ok = read_part(l, "joint", node, apl_joint_fields, &raw, kind->field,
                            link->joint_param, &link->joint_given, &link->mark.joint_field);
  read_freedoms(l, "stiffness", raw.stiffness, MEASURE_STIFFNESS, kind->nt);
  read_freedoms(l, "damping", raw.damping, MEASURE_DAMPING, kind->slaved ? kind->nt : kind->nv);
  read_freedoms(l, "rest", raw.rest, MEASURE_COORDINATE, kind->nq);
  read_limits(l, raw.limits);
  read_friction(l, raw.friction);
  read_freedoms(l, "friction-speed", raw.friction_speed, MEASURE_VELOCITY, kind->nv > 0);
  read_freedoms(l, "stop-stiffness", raw.stop_stiffness, MEASURE_STIFFNESS, kind->nv > 0);
  read_freedoms(l, "stop-damping", raw.stop_damping, MEASURE_STOP_DAMPING, kind->nv > 0);
  if (ok && raw.name != NULL && raw.name[0] != '\0') {
    apl_spec_word(l->spec, l->index, "joint.name", raw.name);
    apl_spec_settle(l->spec, apl_node_get(node, "name")->at, l->form.report);
  }
  read_servo(l, raw.servo);
  read_rotors(l, raw.rotors);
  if (raw.prescribed && kind->nv == 0) {
    apl_form_refuse(&l->form, apl_node_get(node, "prescribed")->at, "prescribed",
                    "a %s joint has no velocity of its own that could be prescribed", kind->word);
  }
  link->joint_prescribed = ok && raw.prescribed;
}

/* The row of a table that is a single length, with its place; -1 when there is none. */
static int find_length(const apl_field* field, const char* name) {
  for (int i = 0; field[i].name != NULL; ++i) {
    const bool length = field[i].form == APL_FORM_NUMBERS && field[i].count == 1;
    if (length && strcmp(field[i].name, name) == 0) return i;
  }
  return -1;
}

/* A body wider than it is long is no rod: `width: 6` was perhaps meant in mm. */
static void doubt_section(const link_reader* l, const apl_field* field, const void* param) {
  static const char* const across[] = {"diameter", "width", "height"};
  const int along = find_length(field, "length");
  double length, size;
  if (along < 0) return;

  memcpy(&length, (const char*)param + field[along].offset, sizeof length);
  for (size_t k = 0; k < sizeof across / sizeof *across; ++k) {
    const int i = find_length(field, across[k]);
    if (i < 0) continue;
    memcpy(&size, (const char*)param + field[i].offset, sizeof size);
    if (!(size > length)) continue;
    apl_report_warn(l->form.report, l->link->mark.body_field[i],
                    "link '%.64s': body.%s is %.6g m on a body of %.6g m length; is a unit "
                    "missing? Numbers without a unit are in m",
                    l->link->name, across[k], size, length);
  }
}

static void read_body(link_reader* l, const text_node* node) {
  spec_link* link = l->link;
  const apl_body_kind* kind = apl_body_kinds[link->body_kind];
  grammar_body raw = {0};

  link->mark.body = node->at;
  const bool ok = read_part(l, "body", node, apl_body_fields, &raw, kind->field, link->body_param,
                            &link->body_given, &link->mark.body_field);
  if (raw.prescribed && kind->rigid) {
    apl_form_refuse(&l->form, apl_node_get(node, "prescribed")->at, "prescribed",
                    "a %s body does not deform", kind->word);
  }
  link->body_prescribed = ok && raw.prescribed;
  if (ok) doubt_section(l, kind->field, link->body_param);
}

void apl_link_read(apl_spec* s, const text_node* node, const text_reach* reach,
                   apl_report* report) {
  link_reader l = {.form = {.report = report, .pool = &s->pool, .reach = reach}, .spec = s};
  grammar_link raw = {.on = "world", .at = apl_pose_identity()};
  const text_node* name = apl_node_get(node, "name");
  const text_node* on = apl_node_get(node, "on");
  const int before = report->count;

  if (name != NULL && name->kind == TEXT_SCALAR) {
    apl_form_where(&l.form, "link '%.64s': ", name->text);
  } else {
    apl_form_where(&l.form, "links: ");
  }
  apl_fields_read(&l.form, node, &(field_set){.field = apl_link_fields, .out = &raw}, 1);
  if (raw.name == NULL) return;

  const bool typeless = raw.joint != NULL && type_node(raw.joint) == NULL;
  const int jk =
      find_kind(&l.form, "joint", type_node(raw.joint), "fixed", apl_joint_find, apl_joint_word);
  const int bk = raw.body == NULL ? -1
                                  : find_kind(&l.form, "body", type_node(raw.body), "rigid",
                                              apl_body_find, apl_body_word);
  if (typeless)
    apl_form_refuse(&l.form, raw.joint->at, "joint.type", "is missing (type of the joint)");

  /* a part of unknown kind is not read, but the rest of the link may have mistakes too */
  l.index = apl_spec_link(s, raw.name, raw.on, jk < 0 ? "fixed" : apl_joint_word(jk),
                          bk < 0 ? "rigid" : apl_body_word(bk));
  if (!apl_spec_settle(s, name->at, report)) return;
  l.link = s->link[l.index];
  l.link->mark.link = name->at;
  l.link->mark.on = on == NULL ? name->at : on->at;
  l.link->at = raw.at;

  if (jk >= 0 && !typeless) read_joint(&l, raw.joint);
  if (bk >= 0) read_body(&l, raw.body);
  apl_form_where(&l.form, "link '%.64s': ", raw.name);
  read_ports(&l, raw.ports);
  read_shapes(&l, raw.shapes);
  if (report->count == before) apl_link_try(s, l.link, report);
}
