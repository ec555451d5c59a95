/* SPDX-License-Identifier: Apache-2.0 */
/* node.c: queries of the parsed tree. */
#include "text/node.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const text_node* apl_node_get(const text_node* map, const char* key) {
  if (map == NULL || map->kind != TEXT_MAP) return NULL;
  for (const text_node* n = map->first; n != NULL; n = n->next) {
    if (strcmp(n->key, key) == 0) return n;
  }
  return NULL;
}

bool apl_node_empty(const text_node* node) {
  return node->kind == TEXT_SCALAR && !node->quoted &&
         (node->text[0] == '\0' || strcmp(node->text, "~") == 0 || strcmp(node->text, "null") == 0);
}

const char* apl_node_show(const text_node* node, char* buffer) {
  if (node->kind == TEXT_MAP) return "a map";
  if (node->kind == TEXT_LIST) return "a list";
  if (apl_node_empty(node)) return "nothing";
  snprintf(buffer, 64, "'%.40s%s'", node->text, strlen(node->text) > 40 ? "..." : "");
  return buffer;
}

static int by_key(const void* a, const void* b) {
  const text_node* const x = *(const text_node* const*)a;
  const text_node* const y = *(const text_node* const*)b;
  const int order = strcmp(x->key, y->key);

  if (order != 0) return order;
  if (x->key_at.line != y->key_at.line) return x->key_at.line < y->key_at.line ? -1 : 1;
  return x->key_at.column < y->key_at.column ? -1 : 1;
}

/* The keys are sorted, because a map may have very many. */
bool apl_node_check_keys(const text_node* map, apl_report* report) {
  if (map->count < 2) return true;
  const text_node** list = malloc(sizeof *list * (size_t)map->count);
  int n = 0;

  if (list == NULL) return false;
  for (const text_node* c = map->first; c != NULL; c = c->next)
    list[n++] = c;
  qsort(list, (size_t)n, sizeof *list, by_key);
  for (int i = 1; i < n; ++i) {
    if (strcmp(list[i - 1]->key, list[i]->key) != 0) continue;
    apl_report_add(report, APL_ERR_SYNTAX, list[i]->key_at,
                   "key '%.60s' appears twice; it is already on line %d", list[i]->key,
                   list[i - 1]->key_at.line);
  }
  free(list);
  return true;
}
