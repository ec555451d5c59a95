/* read_start.c: the blocks `start`, `run` and `record` of a model file as data of the spec. Names
   of coordinates and ports are looked up when there is a model, and units with them. */
#include "spec/file_impl.h"

#include "appell/run.h"

#include <string.h>

static bool out_of_memory(apl_report* report, apl_mark at) {
  apl_report_add(report, APL_ERR_MEMORY, at, "out of memory while reading");
  return false;
}

/* -------------------------------------------------------------------------------- start ---- */

/* {settle: true} */
static void read_settle(apl_spec* s, const text_node* node, form_reader* r) {
  char shown[64];
  const bool yes = node->kind == TEXT_SCALAR && strcmp(node->text, "true") == 0;

  s->start.settle = yes;
  s->start.settle_at = node->at;
  if (!yes && !(node->kind == TEXT_SCALAR && strcmp(node->text, "false") == 0))
    apl_form_refuse(r, node->at, "settle", "expected true or false, got %s",
                    apl_node_show(node, shown));
}

/* {equilibrium: true}, or `stable` */
static void read_balance(apl_spec* s, const text_node* node, form_reader* r) {
  static const char* const word[] = {"false", "true", "stable"};
  char shown[64];

  s->start.balance_at = node->at;
  for (int i = 0; node->kind == TEXT_SCALAR && i < 3; ++i) {
    if (strcmp(node->text, word[i]) != 0) continue;
    s->start.balance = (spec_balance)i;
    return;
  }
  apl_form_refuse(r, node->at, "equilibrium", "expected true, stable or false, got %s",
                  apl_node_show(node, shown));
}

static void read_from(apl_spec* s, const text_node* node, form_reader* r) {
  char shown[64];

  if (node->kind != TEXT_SCALAR || apl_node_empty(node)) {
    apl_form_refuse(r, node->at, "from", "expected the name of a result file, got %s",
                    apl_node_show(node, shown));
    return;
  }
  s->start.from_at = node->at;
  s->start.from = apl_pool_text(&s->pool, node->text);
  if (s->start.from == NULL) out_of_memory(r->report, node->at);
}

static void read_value(apl_spec* s, const text_node* node, spec_value* list, int* count,
                       form_reader* r) {
  char shown[64];

  if (node->kind != TEXT_SCALAR || apl_node_empty(node)) {
    apl_form_refuse(r, node->at, node->key, "expected a quantity, got %s",
                    apl_node_show(node, shown));
    return;
  }
  spec_value* v = &list[*count];
  *v = (spec_value){.name = apl_pool_text(&s->pool, node->key),
                    .at = node->key_at,
                    .value = {apl_pool_text(&s->pool, node->text), node->at}};
  if (v->name == NULL || v->value.text == NULL) {
    out_of_memory(r->report, node->at);
  } else {
    *count += 1;
  }
}

/* {near: {rocker.joint.angle: 95 deg}} */
static void read_near(apl_spec* s, const text_node* map, form_reader* r) {
  char shown[64];

  if (map->kind != TEXT_MAP) {
    apl_form_refuse(r, map->at, "near", "expected a map from names to values, got %s",
                    apl_node_show(map, shown));
    return;
  }
  s->start.near = apl_pool_take(&s->pool, sizeof *s->start.near * (size_t)(map->count + 1));
  if (s->start.near == NULL) {
    out_of_memory(r->report, map->at);
    return;
  }
  for (const text_node* node = map->first; node != NULL; node = node->next)
    read_value(s, node, s->start.near, &s->start.nnear, r);
}

void apl_start_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool, .where = "start."};

  if (map->kind != TEXT_MAP) {
    apl_report_add(report, APL_ERR_SYNTAX, map->at, "start: expected a map from names to values");
    return;
  }
  s->start.at = map->key_at;
  s->start.value = apl_pool_take(&s->pool, sizeof *s->start.value * (size_t)(map->count + 1));
  if (s->start.value == NULL) {
    out_of_memory(report, map->at);
    return;
  }
  for (const text_node* node = map->first; node != NULL; node = node->next) {
    if (strcmp(node->key, "from") == 0) {
      read_from(s, node, &r);
    } else if (strcmp(node->key, "settle") == 0) {
      read_settle(s, node, &r);
    } else if (strcmp(node->key, "equilibrium") == 0) {
      read_balance(s, node, &r);
    } else if (strcmp(node->key, "near") == 0) {
      read_near(s, node, &r);
    } else {
      read_value(s, node, s->start.value, &s->start.nvalue, &r);
    }
  }
}

/* ---------------------------------------------------------------------------------- run ---- */

void apl_run_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool, .where = "run."};
  apl_run_block* run = &s->run;

  field_set set = {.field = apl_run_fields, .out = run};
  if (!apl_fields_read(&r, map, &set, 1)) return;

  /* all of them are times or tolerances: none may be negative, some not zero */
  const struct {
    const char* key;
    double value;
    bool positive;
  } check[] = {
      {"to", run->to, true},
      {"tolerance", run->tolerance, true},
      {"step", run->step, false},
      {"output-every", run->output_every, true},
      {"loop-stabilisation", run->loop_stabilisation, false},
      {"loop-frequency", run->loop_frequency, true},
      {"loop-damping-ratio", run->loop_ratio, false},
  };
  if (run->step > 0.0 && apl_method_adapts(run->integrator)) {
    apl_form_refuse(&r, apl_node_get(map, "step")->at, "step",
                    "the integrator %s chooses its own steps: leave this out, or use rk4, "
                    "semi-implicit, moreau or gen-alpha",
                    run->integrator);
  }
  for (size_t i = 0; i < sizeof check / sizeof *check; ++i) {
    if (check[i].value > 0.0 || (!check[i].positive && check[i].value == 0.0)) continue;
    apl_form_refuse(&r, apl_node_get(map, check[i].key)->at, check[i].key, "must %s, got %g",
                    check[i].positive ? "be positive" : "not be negative", check[i].value);
  }
}

/* ------------------------------------------------------------------------------- record ---- */

static bool add_word(apl_spec* s, const char* text, apl_mark at, apl_report* report) {
  s->record[s->nrecord] = (spec_word){apl_pool_text(&s->pool, text), at};
  if (s->record[s->nrecord].text == NULL) return out_of_memory(report, at);
  s->nrecord += 1;
  return true;
}

static void add_port(apl_spec* s, const text_node* node, form_reader* r) {
  char shown[64];

  if (node->kind != TEXT_SCALAR || apl_node_empty(node)) {
    apl_form_refuse(r, node->at, "ports", "expected the name of a port, got %s",
                    apl_node_show(node, shown));
  } else {
    add_word(s, node->text, node->at, r->report);
  }
}

void apl_record_read(apl_spec* s, const text_node* map, apl_report* report) {
  form_reader r = {.report = report, .pool = &s->pool, .where = "record."};
  grammar_record raw = {0};

  if (!apl_fields_read(&r, map, &(field_set){.field = apl_record_fields, .out = &raw}, 1)) return;
  if (raw.every < 0.0) {
    apl_form_refuse(&r, apl_node_get(map, "every")->at, "every", "must not be negative, got %g",
                    raw.every);
    return;
  }
  if (raw.every > 0.0) s->run.output_every = raw.every;
  const int most = 2 + (raw.ports == NULL ? 0 : raw.ports->count + 1);
  s->record = apl_pool_take(&s->pool, sizeof *s->record * (size_t)most);
  if (s->record == NULL) {
    out_of_memory(report, map->at);
    return;
  }
  if (raw.accelerations) add_word(s, "accelerations", map->key_at, report);
  if (raw.reactions) add_word(s, "reactions", map->key_at, report);
  if (raw.ports != NULL && raw.ports->kind == TEXT_SCALAR) add_port(s, raw.ports, &r);
  for (const text_node* c = raw.ports == NULL ? NULL : raw.ports->first; c != NULL; c = c->next)
    add_port(s, c, &r);
}
