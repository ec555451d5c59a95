/* SPDX-License-Identifier: Apache-2.0 */
/* block_links.c: `links`, a list. Each item has a joint, a body, ports and shapes, which have files
   of their own. */
#include "spec/file_impl.h"
#include "spec/link.h"
#include "spec/rows.h"
#include "spec/words.h"

#include "base/nearest.h"
#include "element/require.h"

#include <stdio.h>
#include <string.h>

typedef struct block_link {
  const char* name;
  const char* on;
  apl_pose at;
  const text_node *joint, *body, *ports, *shapes;
} block_link;

static const apl_field fields[] = {
    ROW(block_link, name, "name", APL_FORM_TEXT, NULL, "name, unique among the links"),
    ROW(block_link, on, "on", APL_FORM_TEXT, TEXT("world"),
        "parent: `world`, a link, or a port as link.port"),
    ROW(block_link, at, "at", APL_FORM_POSE, IDENTITY_POSE,
        "pose of the joint in the frame of its parent"),
    BLOCK(block_link, joint, "joint", "joint", NOTHING,
          "the joint between parent and body: a map, or only its type; fixed when left out"),
    BLOCK(block_link, body, "body", "body", NULL,
          "the body: a map; {mass: 0} is a frame without mass"),
    BLOCK(block_link, ports, "ports", "ports", NOTHING,
          "named frames on the body, where children, contacts, tendons and sensors are attached"),
    BLOCK(block_link, shapes, "shapes", "shapes", NOTHING,
          "geometry of the link: drawn on pages, and used for contact where `collide` says so; it "
          "has no mass. A link without shapes is drawn from its numbers, one with `[]` not at all"),
    APL_FIELD_END,
};

/* ---------------------------------------------------------------------- joint or body, its type
 * ---- */

/* The node with the type of a joint or body: the node itself if it is a word, else its `type`. */
static const text_node* type_node(const text_node* part) {
  return part == NULL || part->kind == TEXT_SCALAR ? part : apl_node_get(part, "type");
}

/* Index of a kind. -1 if there is none: a report proposes the nearest word, or lists all of them.
 */
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

bool apl_part_read(link_reader* l, const char* part, const text_node* node, const apl_field* common,
                   void* raw, const apl_field* own, void* param, unsigned long long* given,
                   apl_mark** mark) {
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
  if (joint_compile(jk, l->joint_param, par, inertia, &turn, &inner) != APL_OK) {
    apl_report_add(report, inner.status,
                   apl_field_blamed(jk->field, l->mark.joint_field, l->mark.joint, inner.text),
                   "link '%s': joint: %.180s", l->name, inner.text);
  }
  if (body_compile(bk, l->body_param, par, &mass, &inner) != APL_OK) {
    apl_report_add(report, inner.status,
                   apl_field_blamed(bk->field, l->mark.body_field, l->mark.body, inner.text),
                   "link '%s': body: %.180s", l->name, inner.text);
  }
}

bool apl_list_expected(link_reader* l, const char* key, const text_node* node) {
  if (node->kind == TEXT_LIST) return true;
  return apl_form_refuse(&l->form, node->at, key, "expected a list");
}

/* -------------------------------------------------------------------------------- the block ----
 */

static void read_link(apl_spec* s, const text_node* node, const form_reader* r) {
  link_reader l = {.form = *r, .spec = s};
  apl_report* report = r->report;
  block_link raw = {.on = "world", .at = apl_pose_identity()};
  const text_node* name = apl_node_get(node, "name");
  const text_node* on = apl_node_get(node, "on");
  const int before = report->count;

  if (name != NULL && name->kind == TEXT_SCALAR) {
    apl_form_where(&l.form, "link '%.64s': ", name->text);
  } else {
    apl_form_where(&l.form, "links: ");
  }
  apl_fields_read(&l.form, node, &(field_set){.field = fields, .out = &raw}, 1);
  if (raw.name == NULL) return;

  const bool typeless = raw.joint != NULL && type_node(raw.joint) == NULL;
  const int jk =
      find_kind(&l.form, "joint", type_node(raw.joint), "fixed", apl_joint_find, apl_joint_word);
  const int bk = raw.body == NULL ? -1
                                  : find_kind(&l.form, "body", type_node(raw.body), "rigid",
                                              apl_body_find, apl_body_word);
  if (typeless)
    apl_form_refuse(&l.form, raw.joint->at, "joint.type", "is missing (type of the joint)");

  /* A joint or body of unknown type is not read. The link is made all the same, with another type,
     so that mistakes in its other parts are reported in the same run. */
  l.index = apl_spec_link(s, raw.name, raw.on, jk < 0 ? "fixed" : apl_joint_word(jk),
                          bk < 0 ? "rigid" : apl_body_word(bk));
  if (!apl_spec_settle(s, name->at, report)) return;
  l.link = s->link[l.index];
  l.link->mark.link = name->at;
  l.link->mark.on = on == NULL ? name->at : on->at;
  l.link->at = raw.at;

  if (jk >= 0 && !typeless) apl_joint_read(&l, raw.joint);
  if (bk >= 0) apl_body_read(&l, raw.body);
  apl_form_where(&l.form, "link '%.64s': ", raw.name);
  apl_ports_read(&l, raw.ports);
  apl_shapes_read(&l, raw.shapes);
  if (report->count == before) apl_link_try(s, l.link, report);
}

static void read(apl_spec* s, const text_node* list, form_reader* r) {
  if (list->kind != TEXT_LIST) {
    apl_report_add(r->report, APL_ERR_SYNTAX, list->at,
                   "links: expected a list of links, `- name: arm` and so on");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next)
    read_link(s, item, r);
}

static void write_link(text_out* o, const spec_link* l) {
  const block_link row = {.name = l->name, .on = l->on, .at = l->at};
  const char* comma = "";

  apl_out_add(o, "  - ");
  for (int i = 0; fields[i].name != NULL; ++i) {
    const apl_field one[] = {fields[i], APL_FIELD_END};
    const size_t before = o->used;
    apl_fields_write(o, one, &row, APL_ALL_FIELDS, &comma);
    if (o->used > before) apl_out_add(o, "\n");
    if (o->used > before) comma = "    ";
  }
  apl_joint_write(o, l);
  apl_body_write(o, l);
  apl_ports_write(o, l);
  apl_shapes_write(o, l);
}

static void write(text_out* o, const apl_spec* s) {
  apl_out_add(o, s->nlink > 0 ? "links:\n" : "links: []\n");
  for (int i = 0; i < s->nlink; ++i)
    write_link(o, s->link[i]);
}

const grammar_block apl_block_links = {
    .word = "links",
    .form = BLOCK_LIST,
    .field = fields,
    .title = "a link: a joint and the body that it moves",
    .declares = PLACES("*.name", "*.joint.name"),
    .refers = PLACES("*.on"),
    .read = read,
    .write = write,
};
