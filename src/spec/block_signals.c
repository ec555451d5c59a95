/* SPDX-License-Identifier: Apache-2.0 */
/* block_signals.c: `signals`, functions of time by name, and `motion`, functions of time by the
   coordinate or velocity that they prescribe. The names are looked up later, in the compiled model.
   The forms of a single function of time are in signal.c. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <string.h>

/* Memory for the entries of a map; NULL if it is not a map or without memory, which is reported. */
static spec_drive* take_list(apl_spec* s, const text_node* map, const char* sentence,
                             form_reader* r) {
  if (map->kind != TEXT_MAP) {
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at, "%s", sentence);
    return NULL;
  }
  spec_drive* list = apl_pool_take(&s->pool, sizeof *list * (size_t)(map->count + 1));
  if (list == NULL) apl_form_no_memory(r, map->at);
  return list;
}

static bool keep_name(apl_spec* s, const text_node* node, spec_drive* out, form_reader* r) {
  *out = (spec_drive){.name = apl_pool_text(&s->pool, node->key), .at = node->key_at};
  if (out->name == NULL) apl_form_no_memory(r, node->key_at);
  return out->name != NULL;
}

static void read_signals(apl_spec* s, const text_node* map, form_reader* r) {
  s->signal = take_list(s, map, "signals: expected a map from names to signals", r);
  for (const text_node* node = s->signal == NULL ? NULL : map->first; node != NULL;
       node = node->next) {
    spec_drive* drive = &s->signal[s->nsignal];
    apl_form_where(r, "signals.%.60s: ", node->key);
    if (!keep_name(s, node, drive, r)) return;
    drive->signal = apl_signal_form(r, node);
    if (drive->signal != NULL) s->nsignal += 1;
  }
}

/* {path: FILE.csv} gives all velocities of a base on wheels. */
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
  if (out->path == NULL) apl_form_no_memory(r, file->at);
  return out->path != NULL;
}

static void read_motion(apl_spec* s, const text_node* map, form_reader* r) {
  s->motion =
      take_list(s, map, "motion: expected a map from coordinates or velocities to signals", r);
  for (const text_node* node = s->motion == NULL ? NULL : map->first; node != NULL;
       node = node->next) {
    spec_drive* drive = &s->motion[s->nmotion];
    apl_form_where(r, "motion.%.60s: ", node->key);
    if (!keep_name(s, node, drive, r)) return;
    if (is_path(node)) {
      if (read_path(s, node->first, drive, r)) s->nmotion += 1;
      continue;
    }
    drive->signal = apl_signal_form(r, node);
    if (drive->signal != NULL) s->nmotion += 1;
  }
}

static void write_drives(text_out* o, const char* block, const spec_drive* drive, int n) {
  if (n > 0) apl_out_add(o, "%s:\n", block);
  for (int i = 0; i < n; ++i) {
    apl_out_add(o, "  ");
    apl_out_scalar(o, drive[i].name);
    apl_out_add(o, ": ");
    if (drive[i].path != NULL) {
      apl_out_add(o, "{path: ");
      apl_out_scalar(o, drive[i].path);
      apl_out_add(o, "}");
    } else {
      apl_signal_write(o, drive[i].signal);
    }
    apl_out_add(o, "\n");
  }
}

static void write_motion(text_out* o, const apl_spec* s) {
  write_drives(o, "motion", s->motion, s->nmotion);
}

static void write_signals(text_out* o, const apl_spec* s) {
  write_drives(o, "signals", s->signal, s->nsignal);
}

const grammar_block apl_block_motion = {
    .word = "motion",
    .form = BLOCK_ANY,
    .title = "Signals by name of a coordinate or velocity",
    .refers = PLACES("KEY", "*"),
    .read = read_motion,
    .write = write_motion,
};

const grammar_block apl_block_signals = {
    .word = "signals",
    .form = BLOCK_SIGNALS,
    .title = "signals, by name",
    .declares = PLACES("KEY"),
    .refers = PLACES("*"),
    .read = read_signals,
    .write = write_signals,
};
