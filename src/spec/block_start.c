/* SPDX-License-Identifier: Apache-2.0 */
/* block_start.c: `start`, the initial state by name. The names are looked up later, in the compiled
   model, which also gives the units. */
#include "spec/grammar.h"
#include "spec/rows.h"

#include <string.h>

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
  if (s->start.from == NULL) apl_form_no_memory(r, node->at);
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
    apl_form_no_memory(r, node->at);
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
    apl_form_no_memory(r, map->at);
    return;
  }
  for (const text_node* node = map->first; node != NULL; node = node->next)
    read_value(s, node, s->start.near, &s->start.nnear, r);
}

static void read(apl_spec* s, const text_node* map, form_reader* r) {
  apl_form_where(r, "start.");
  if (map->kind != TEXT_MAP) {
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                   "start: expected a map from names to values");
    return;
  }
  s->start.at = map->key_at;
  s->start.value = apl_pool_take(&s->pool, sizeof *s->start.value * (size_t)(map->count + 1));
  if (s->start.value == NULL) {
    apl_form_no_memory(r, map->at);
    return;
  }
  for (const text_node* node = map->first; node != NULL; node = node->next) {
    if (strcmp(node->key, "from") == 0) {
      read_from(s, node, r);
    } else if (strcmp(node->key, "settle") == 0) {
      read_settle(s, node, r);
    } else if (strcmp(node->key, "equilibrium") == 0) {
      read_balance(s, node, r);
    } else if (strcmp(node->key, "near") == 0) {
      read_near(s, node, r);
    } else {
      read_value(s, node, s->start.value, &s->start.nvalue, r);
    }
  }
}

static void write_values(text_out* o, const spec_value* value, int n, const char** comma) {
  for (int i = 0; i < n; ++i) {
    apl_out_add(o, "%s", *comma);
    apl_out_scalar(o, value[i].name);
    apl_out_add(o, ": ");
    apl_out_scalar(o, value[i].value.text);
    *comma = ", ";
  }
}

static void write(text_out* o, const apl_spec* spec) {
  const spec_start* s = &spec->start;
  static const char* const balance[] = {NULL, "true", "stable"};
  const char* comma = "start: {";

  if (s->from != NULL) {
    apl_out_add(o, "%sfrom: ", comma);
    apl_out_scalar(o, s->from);
    comma = ", ";
  }
  if (s->settle) {
    apl_out_add(o, "%ssettle: true", comma);
    comma = ", ";
  }
  if (s->balance != BALANCE_NONE) {
    apl_out_add(o, "%sequilibrium: %s", comma, balance[s->balance]);
    comma = ", ";
  }
  write_values(o, s->value, s->nvalue, &comma);
  if (s->nnear > 0) {
    const char* inner = "";
    apl_out_add(o, "%snear: {", comma);
    write_values(o, s->near, s->nnear, &inner);
    apl_out_add(o, "}");
    comma = ", ";
  }
  if (comma[0] == ',') apl_out_add(o, "}\n");
}

const grammar_block apl_block_start = {
    .word = "start",
    .form = BLOCK_ANY,
    .title =
        "Initial values by name. `from: FILE.h5` takes the values that are not given from the "
        "last row of a result. With `settle: true` a floating base is moved up or down until "
        "the robot just stands on its ground. With `equilibrium: true` the run starts at a "
        "static equilibrium, with `equilibrium: stable` at a stable one: given coordinates are "
        "then the first guess of the search, and given velocities remain the initial "
        "velocities. In robots with loops given values stay as they are and the others follow; "
        "values under `near: {NAME: VALUE}` are guesses, which loops may move: they choose "
        "between several assemblies",
    .refers = PLACES("KEY", "*.KEY"),
    .read = read,
    .write = write,
};
