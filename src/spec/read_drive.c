/* read_drive.c: the blocks `signals`, `inputs` and `motion` of a model file as data of the spec;
   `gaits` in read_gait.c. What they drive is looked up when there is a model. */
#include "spec/file_impl.h"

#include <string.h>

static void out_of_memory(apl_report* report, apl_mark at) {
  apl_report_add(report, APL_ERR_MEMORY, at, "out of memory while reading");
}

/* Room for the entries of a map; NULL with a sentence. */
static spec_drive* take_list(apl_spec* s, const text_node* map, const char* sentence,
                             apl_report* report) {
  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at, "%s", sentence);
    return NULL;
  }
  spec_drive* list = apl_pool_take(&s->pool, sizeof *list * (size_t)(map->count + 1));
  if (list == NULL) out_of_memory(report, map->at);
  return list;
}

static bool keep_name(apl_spec* s, const text_node* node, spec_drive* out, apl_report* report) {
  *out = (spec_drive){.name = apl_pool_text(&s->pool, node->key), .at = node->key_at};
  if (out->name == NULL) out_of_memory(report, node->key_at);
  return out->name != NULL;
}

void apl_signals_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};

  s->signal = take_list(s, map, "signals: expected a map from names to signals", report);
  for (const text_node* node = s->signal == NULL ? NULL : map->first; node != NULL;
       node = node->next) {
    spec_drive* drive = &s->signal[s->nsignal];
    apl_form_where(&r, "signals.%.60s: ", node->key);
    if (!keep_name(s, node, drive, report)) return;
    drive->signal = apl_signal_form(&r, node);
    if (drive->signal != NULL) s->nsignal += 1;
  }
}

/* {path: FILE.csv} for all velocities of a base that rolls */
static bool is_path(const text_node* node) {
  return node->kind == TEXT_MAP && node->count == 1 && strcmp(node->first->key, "path") == 0;
}

static bool read_path(apl_spec* s, const text_node* file, spec_drive* out, form_reader* r) {
  char shown[64];

  if (file->kind != TEXT_SCALAR || apl_node_empty(file)) {
    return apl_form_refuse(r, file->at, "path", "expected the name of a CSV file, got %s",
                           apl_node_show(file, shown));
  }
  out->path = apl_pool_text(&s->pool, file->text);
  out->path_at = file->at;
  if (out->path == NULL) out_of_memory(r->report, file->at);
  return out->path != NULL;
}

void apl_motion_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};

  s->motion =
      take_list(s, map, "motion: expected a map from coordinates or velocities to signals", report);
  for (const text_node* node = s->motion == NULL ? NULL : map->first; node != NULL;
       node = node->next) {
    spec_drive* drive = &s->motion[s->nmotion];
    apl_form_where(&r, "motion.%.60s: ", node->key);
    if (!keep_name(s, node, drive, report)) return;
    if (is_path(node)) {
      if (read_path(s, node->first, drive, &r)) s->nmotion += 1;
      continue;
    }
    drive->signal = apl_signal_form(&r, node);
    if (drive->signal != NULL) s->nmotion += 1;
  }
}

/* ---------------------------------------------------------------------------------- inputs ---- */

/* {motor: {on: arm.joint.angle, gain: 50}, base.right: 0.1 N m, elbow: {sine: {..}}}: the short
   form drives what its name says (a joint's own name, too) and has a value only. */
static bool is_direct(const text_node* item) {
  if (apl_node_get(item, "on") != NULL || apl_node_empty(item)) return false;
  if (strchr(item->key, '.') != NULL || item->kind != TEXT_MAP) return true;
  for (const apl_field* f = apl_input_fields; f->name != NULL; ++f)
    if (apl_node_get(item, f->name) != NULL) return false;
  /* a map of keys that are none: the mistakes of an input are told, unless it is a signal */
  return item->first != NULL && apl_signal_known(item->first->key);
}

static void read_input(apl_spec* s, const text_node* item, form_reader* r) {
  grammar_input in = {.on = item->key, .gain = 1.0, .axes = apl_axes_words[0]};
  field_set set = {.field = apl_input_fields, .out = &in};
  const bool direct = is_direct(item);

  apl_form_where(r, direct ? "inputs.%.60s: " : "inputs.%.60s.", item->key);
  if (direct) in.value = apl_signal_form(r, item);
  if (direct ? in.value == NULL : !apl_fields_read(r, item, &set, 1)) return;
  apl_spec_input(s, item->key, in.on, in.gain);
  if (apl_node_get(item, "force") != NULL || apl_node_get(item, "moment") != NULL) {
    const apl_wrench W = {{in.moment[0], in.moment[1], in.moment[2]},
                          {in.force[0], in.force[1], in.force[2]}};
    apl_spec_push(s, item->key, W, in.axes == apl_axes_words[0] ? APL_WORLD_AXES : APL_PORT_AXES);
  }
  if (!apl_spec_settle(s, item->key_at, r->report)) return;
  spec_input* out = &s->input[s->ninput - 1];
  out->at = item->key_at;
  out->value = in.value;
  out->least = in.least;
  out->greatest = in.greatest;
}

void apl_inputs_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool};

  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at, "inputs: expected a map from names to inputs");
    return;
  }
  for (const text_node* item = map->first; item != NULL; item = item->next)
    read_input(s, item, &r);
}
