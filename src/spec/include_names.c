/* SPDX-License-Identifier: Apache-2.0 */
/* include_names.c: names of an included file. With `as: arm` the link hand becomes arm_hand,
   wherever the file speaks of it. Each block lists the places of its names (grammar_block.declares,
   .refers). The first part of a name with dots counts: hand.tip is a name if hand is declared. */
#include "spec/include.h"
#include "spec/parts.h"

#include <string.h>

/* A signal may contain other signals, to any depth, at these places below it. */
static const char* const signal_parts[] = {".sum.*", ".product.*", ".cycle.of", ".delay.of"};

static bool is_in(const char* word, const char* const* list) {
  for (; list != NULL && *list != NULL; ++list) {
    if (strcmp(*list, word) == 0) return true;
  }
  return false;
}

bool apl_include_keys_are_names(const char* place) {
  const grammar_block* b = apl_block_find(place, strlen(place));
  return b != NULL && (is_in("KEY", b->declares) || is_in("KEY", b->refers));
}

/* Can a name be at this place? For a part of a signal the place of the whole signal counts. */
static bool is_name_place(const char* place) {
  char base[160];
  size_t n = strlen(place);
  bool cut = true;

  if (n >= sizeof base) return false;
  memcpy(base, place, n + 1);
  while (cut) {
    cut = false;
    for (size_t i = 0; i < sizeof signal_parts / sizeof *signal_parts; ++i) {
      const size_t k = strlen(signal_parts[i]);
      if (n <= k || strcmp(base + n - k, signal_parts[i]) != 0) continue;
      base[n -= k] = '\0';
      cut = true;
    }
  }
  const size_t first = strcspn(base, ".");
  const grammar_block* b = apl_block_find(base, first);
  if (b == NULL || base[first] == '\0') return false;
  return is_in(base + first + 1, b->declares) || is_in(base + first + 1, b->refers);
}

/* Is there a name of n letters at this place below the node, which is not shared with others? */
static bool is_declared(const text_node* node, const char* place, const char* name, size_t n) {
  const size_t part = strcspn(place, ".");
  const char* rest = place + part + (place[part] == '.');
  const bool all = strncmp(place, "*", part) == 0, key = strncmp(place, "KEY", part) == 0;
  if (node == NULL) return false;

  if (part == 0)
    return node->kind == TEXT_SCALAR && strlen(node->text) == n &&
           strncmp(node->text, name, n) == 0;
  for (const text_node* k = node->first; k != NULL; k = k->next) {
    if (k->shared) continue; /* its name stays as it is */
    if (key && node->kind == TEXT_MAP && strlen(k->key) == n && strncmp(k->key, name, n) == 0)
      return true;
    const bool below = all || (node->kind == TEXT_MAP && strlen(k->key) == part &&
                               strncmp(k->key, place, part) == 0);
    if (below && is_declared(k, rest, name, n)) return true;
  }
  return false;
}

/* Does the included file introduce the first part of this name? */
static bool declares(const include_work* c, const char* name) {
  for (const grammar_block* const* b = apl_grammar_blocks; *b != NULL; ++b) {
    const text_node* node = (*b)->declares == NULL ? NULL : apl_node_get(c->inner, (*b)->word);
    for (const char* const* place = (*b)->declares; node != NULL && *place != NULL; ++place) {
      if (is_declared(node, *place, name, strcspn(name, "."))) return true;
    }
  }
  return false;
}

const char* apl_include_rename(const include_work* c, const char* place, const char* text) {
  if (c->in.as[0] == '\0' || !is_name_place(place) || !declares(c, text))
    return apl_include_join(c, text, "", "");
  return apl_include_join(c, c->in.as, "_", text);
}
