/* SPDX-License-Identifier: Apache-2.0 */
/* table.c: tables of model files: columns of numbers, in a CSV file or as lists. */
#include "spec/form.h"

#include "text/table.h"

#include <string.h>

/* FILE.csv, its columns without units */
static const apl_columns* read_file(form_reader* r, const char* key, const text_node* node) {
  const apl_columns* out = NULL;
  apl_table* table;
  apl_error err = {0};
  char path[APL_REACH_PATH];

  if (apl_reach_file(r->reach, node->text, path, &err) != APL_OK ||
      apl_table_read(path, &table, &err) != APL_OK) {
    if (err.line > 0) {
      apl_form_refuse(r, node->at, key, "%.60s, line %d, column %d: %.100s", node->text, err.line,
                      err.column, err.text);
    } else {
      apl_form_refuse(r, node->at, key, "%.180s", err.text);
    }
    return NULL;
  }
  double* column = apl_pool_take(r->pool, sizeof *column * (size_t)(table->nrow + 1));
  for (int c = 0; c < table->ncolumn && column != NULL; ++c) {
    if (table->unit[c][0] != '\0' && strcmp(table->unit[c], "1") != 0) {
      apl_form_refuse(r, node->at, key, "column '%.40s' has the unit %.20s, expected plain numbers",
                      table->name[c], table->unit[c]);
      apl_table_free(table);
      return NULL;
    }
    for (int i = 0; i < table->nrow; ++i)
      column[i] = table->value[(size_t)i * (size_t)table->ncolumn + (size_t)c];
    out = apl_columns_with(r->pool, out, table->name[c], column, table->nrow);
    if (out == NULL) break;
  }
  apl_table_free(table);
  if (out == NULL) apl_form_refuse(r, node->at, key, "out of memory");
  return out;
}

/* {NAME: [1, 2, 3], ..} */
static const apl_columns* read_lists(form_reader* r, const char* key, const text_node* map) {
  static const char* const unit[] = {"1"};
  const apl_columns* out = NULL;

  for (const text_node* list = map->first; list != NULL; list = list->next) {
    if (list->kind != TEXT_LIST) {
      apl_form_refuse(r, list->at, key, "expected a list of numbers for '%.40s'", list->key);
      return NULL;
    }
    if (out != NULL && list->count != out->nrow) {
      apl_form_refuse(r, list->at, key, "'%.40s' has %d numbers, but '%.40s' has %d", list->key,
                      list->count, out->name[0], out->nrow);
      return NULL;
    }
    double* value = apl_pool_take(r->pool, sizeof *value * (size_t)(list->count + 1));
    int n = 0;
    for (const text_node* item = list->first; item != NULL && value != NULL; item = item->next) {
      if (!apl_numbers_read(r, key, item, unit, 1, &value[n++])) return NULL;
    }
    if (value != NULL) out = apl_columns_with(r->pool, out, list->key, value, n);
    if (value == NULL || out == NULL) {
      apl_form_refuse(r, list->at, key, "out of memory");
      return NULL;
    }
  }
  if (out == NULL) apl_form_refuse(r, map->at, key, "expected at least one column");
  return out;
}

const apl_columns* apl_table_form(form_reader* r, const char* key, const text_node* node) {
  char shown[64];

  if (node->kind == TEXT_MAP) return read_lists(r, key, node);
  if (node->kind == TEXT_SCALAR && !apl_node_empty(node)) return read_file(r, key, node);
  apl_form_refuse(r, node->at, key, "expected a CSV file or {NAME: [1, 2, 3], ..}, got %s",
                  apl_node_show(node, shown));
  return NULL;
}
