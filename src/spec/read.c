/* read.c: the top level of a model file. One row per block says who reads it; blocks without a row
   here belong to later layers, which find them in apl_file.top. */
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
    apl_report_add(report, APL_ERR_SYNTAX, list->at, "links: expected a list, each item a link");
    return;
  }
  for (const text_node* item = list->first; item != NULL; item = item->next)
    apl_link_read(file->spec, item, &file->reach, report);
}

static void read_tendons(apl_file* file, const text_node* map, apl_report* report) {
  apl_tendons_read(file->spec, map, report);
}

static void read_loops(apl_file* file, const text_node* list, apl_report* report) {
  apl_loops_read(file->spec, list, report);
}

static void read_couplings(apl_file* file, const text_node* map, apl_report* report) {
  apl_couplings_read(file->spec, map, report);
}

/* {motor: {on: arm.joint.angle, gain: 50}, base.right: 0.1 N m}: the short form drives what its
   name says and has a value only */
static void read_inputs(apl_file* file, const text_node* map, apl_report* report) {
  apl_spec* s = file->spec;
  form_reader r = {.report = report, .pool = &s->pool};

  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at, "inputs: expected a map from names to inputs");
    return;
  }
  file->input = apl_pool_take(&file->pool, sizeof *file->input * (size_t)(map->count + 1));
  if (file->input == NULL) {
    apl_report_add(report, APL_ERR_MEMORY, map->at, "out of memory while reading");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next) {
    grammar_input in = {.on = item->key, .gain = 1.0, .axes = apl_axes_words[0], .value = item};
    field_set set = {.field = apl_input_fields, .out = &in};
    const bool direct = strchr(item->key, '.') != NULL && apl_node_get(item, "on") == NULL;

    apl_form_where(&r, "inputs.%.60s.", item->key);
    if (!direct) {
      in.value = NULL;
      if (!apl_fields_read(&r, item, &set, 1)) continue;
    }
    apl_spec_input(s, item->key, in.on, in.gain);
    if (apl_node_get(item, "force") != NULL || apl_node_get(item, "moment") != NULL) {
      const apl_wrench W = {{in.moment[0], in.moment[1], in.moment[2]},
                            {in.force[0], in.force[1], in.force[2]}};
      apl_spec_push(s, item->key, W, in.axes == apl_axes_words[0] ? APL_WORLD_AXES : APL_PORT_AXES);
    }
    if (!apl_spec_settle(s, item->key_at, report)) continue;
    s->input[s->ninput - 1].at = item->key_at;
    file->input[s->ninput - 1] = in;
  }
}

static apl_vec3 vector(const double* x) {
  return (apl_vec3){x[0], x[1], x[2]};
}

/* {floor: {normal: z, law: {normal: hu-guo, ...}, friction: {law: ambrosio, ...}}} */
static void read_grounds(apl_file* file, const text_node* map, apl_report* report) {
  apl_spec* s = file->spec;
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

static void read_contacts(apl_file* file, const text_node* list, apl_report* report) {
  apl_spec* s = file->spec;
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
    if (raw.arc != 0.0) {
      apl_spec_round(s, raw.on, raw.with, raw.radius, raw.arc);
    } else {
      apl_spec_contact(s, raw.on, raw.with, raw.radius);
    }
    if (apl_spec_settle(s, item->at, report)) s->contact[s->ncontact - 1].at = item->at;
  }
}

static void read_start(apl_file* file, const text_node* map, apl_report* report) {
  apl_start_read(file->spec, map, report);
}
static void read_run(apl_file* file, const text_node* map, apl_report* report) {
  apl_run_read(file->spec, map, report);
}
static void read_record(apl_file* file, const text_node* map, apl_report* report) {
  apl_record_read(file->spec, map, report);
}

static const struct {
  size_t offset; /* of the block in grammar_model */
  void (*read)(apl_file* file, const text_node* node, apl_report* report);
} blocks[] = {
    {offsetof(grammar_model, links), read_links},
    {offsetof(grammar_model, tendons), read_tendons},
    {offsetof(grammar_model, loops), read_loops},
    {offsetof(grammar_model, couplings), read_couplings},
    {offsetof(grammar_model, inputs), read_inputs},
    {offsetof(grammar_model, grounds), read_grounds},
    {offsetof(grammar_model, contacts), read_contacts},
    {offsetof(grammar_model, start), read_start},
    {offsetof(grammar_model, run), read_run},
    {offsetof(grammar_model, record), read_record}, /* its `every` is that of the run */
};

void apl_file_read(apl_file* file, apl_report* report) {
  apl_spec* s = file->spec;
  form_reader r = {.report = report, .pool = &s->pool};
  grammar_model* top = &file->top;

  apl_fields_default(apl_model_fields, top);
  apl_fields_read(&r, file->root, &(field_set){.field = apl_model_fields, .out = top}, 1);
  const text_node* version = apl_node_get(file->root, "appell");
  if (version != NULL && top->appell != 1) {
    apl_form_refuse(&r, version->at, "appell", "this program reads version 1 of the format, got %d",
                    top->appell);
  }
  apl_spec_lenient(s, top->doubts == apl_doubt_words[1]);
  s->name = top->name;
  s->description = top->description;
  apl_spec_gravity(s, (apl_vec3){top->gravity[0], top->gravity[1], top->gravity[2]});

  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
    const text_node* node;
    memcpy(&node, (const char*)top + blocks[i].offset, sizeof node);
    if (node != NULL) blocks[i].read(file, node, report);
  }
}
