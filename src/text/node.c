/* SPDX-License-Identifier: Apache-2.0 */
/* node.c: queries of the parsed tree. */
#include "text/node.h"

#include <stdio.h>
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
