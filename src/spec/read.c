/* read.c: the top level of a model file. One row per block says who reads it. */
#include "spec/file_impl.h"

#include <string.h>

bool apl_spec_settle(apl_spec* s, apl_mark at, apl_report* report) {
  if (s->error.status == APL_OK) return true;
  apl_report_error(report, &s->error, at);
  s->error = (apl_error){0};
  return false;
}

static void read_links(apl_file* file, const text_node* list, apl_report* report) {
  if (list->kind != TEXT_LIST) {
    apl_report_add(report, APL_ERR_SYNTAX, list->at,
                   "links: expected a list of links, `- name: arm` and so on");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next)
    apl_link_read(file->spec, item, &file->reach, report);
}

static apl_vec3 vector(const double* x) {
  return (apl_vec3){x[0], x[1], x[2]};
}

/* {floor: {normal: z, law: {normal: hu-guo, ...}, friction: {law: ambrosio, ...}}} */
static void read_grounds(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};

  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at, "grounds: expected a map from names to planes");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    grammar_ground raw = {.normal = {0, 0, 1}};
    apl_surface g = apl_surface_default();

    apl_form_where(&r, "grounds.%.60s.", item->key);
    if (!apl_fields_read(&r, item, &(field_set){.field = apl_ground_fields, .out = &raw}, 1))
      continue;
    g.point = vector(raw.point);
    g.normal = vector(raw.normal);
    g.direction = vector(raw.direction);
    apl_form_where(&r, "grounds.%.60s.law.", item->key);
    bool ok = apl_fields_read(&r, raw.law, &(field_set){.field = apl_normal_fields, .out = &g}, 1);
    apl_form_where(&r, "grounds.%.60s.friction.", item->key);
    if (raw.friction != NULL) {
      field_set set = {.field = apl_friction_fields, .out = &g};
      ok = apl_fields_read(&r, raw.friction, &set, 1) && ok;
    }
    if (!ok) continue;
    apl_spec_ground(s, item->key, &g);
    if (apl_spec_settle(s, item->key_at, report)) s->ground[s->nground - 1].at = item->key_at;
  }
}

static void read_contacts(apl_spec* s, const text_node* list, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool, .where = "contacts."};

  if (list->kind != TEXT_LIST) {
    apl_report_add(report, APL_ERR_SYNTAX, list->at,
                   "contacts: expected a list, each item a point or ball on a port");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next) {
    grammar_contact raw = {.with = ""};
    if (!apl_fields_read(&r, item, &(field_set){.field = apl_contact_fields, .out = &raw}, 1))
      continue;
    if (raw.arc != 0.0 && raw.load != 0.0) {
      apl_report_add(report, APL_ERR_MODEL, item->at,
                     "contact on '%.64s': an arc cannot have `load`", raw.on);
      continue;
    }
    if (raw.arc != 0.0) {
      apl_spec_round(s, raw.on, raw.with, raw.radius, raw.arc);
    } else if (raw.load != 0.0) {
      apl_spec_press(s, raw.on, raw.with, raw.radius, raw.load);
    } else {
      apl_spec_contact(s, raw.on, raw.with, raw.radius);
    }
    if (apl_spec_settle(s, item->at, report)) s->contact[s->ncontact - 1].at = item->at;
  }
}

/* Blocks after the links, in the order in which they are read. */
static const struct {
  size_t offset; /* of the block in grammar_model */
  void (*read)(apl_spec* spec, const text_node* node, apl_report* report);
} blocks[] = {
    {offsetof(grammar_model, tendons), apl_tendons_read},
    {offsetof(grammar_model, loops), apl_loops_read},
    {offsetof(grammar_model, couplings), apl_couplings_read},
    {offsetof(grammar_model, signals), apl_signals_read},
    {offsetof(grammar_model, inputs), apl_inputs_read},
    {offsetof(grammar_model, motion), apl_motion_read},
    {offsetof(grammar_model, gaits), apl_gaits_read},
    {offsetof(grammar_model, grounds), read_grounds},
    {offsetof(grammar_model, contacts), read_contacts},
    {offsetof(grammar_model, obstacles), apl_obstacles_read},
    {offsetof(grammar_model, collide), apl_collide_read},
    {offsetof(grammar_model, start), apl_start_read},
    {offsetof(grammar_model, run), apl_run_read},
    {offsetof(grammar_model, record), apl_record_read}, /* its `every` is that of the run */
};

void apl_file_read(apl_file* file, apl_report* report) {
  apl_spec* s = file->spec;
  form_reader r = {.report = report, .pool = &s->pool};
  grammar_model top = {0};

  apl_fields_default(apl_model_fields, &top);
  apl_fields_read(&r, file->root, &(field_set){.field = apl_model_fields, .out = &top}, 1);
  const text_node* version = apl_node_get(file->root, "appell");
  if (version != NULL && top.appell != 1) {
    apl_form_refuse(&r, version->at, "appell", "this program reads version 1 of the format, got %d",
                    top.appell);
  }
  apl_spec_lenient(s, top.doubts == apl_doubt_words[1]);
  s->name = top.name;
  s->description = top.description;
  apl_spec_gravity(s, (apl_vec3){top.gravity[0], top.gravity[1], top.gravity[2]});

  if (top.links != NULL) read_links(file, top.links, report);
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    const text_node* node;
    memcpy(&node, (const char*)&top + blocks[i].offset, sizeof node);
    if (node != NULL) blocks[i].read(s, node, report);
  }
}
