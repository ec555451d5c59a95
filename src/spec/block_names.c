/* SPDX-License-Identifier: Apache-2.0 */
/* block_names.c: a name, or a list of names, as `of` and `with` of `collide`. */
#include "spec/grammar.h"

/* A name, or a list of names, into the pool. */
bool apl_names_read(form_reader* r, const char* key, const text_node* node, spec_word** out,
                    int* n) {
  const text_node* first = node == NULL || node->kind != TEXT_LIST ? node : node->first;
  char shown[64];

  *n = 0;
  *out = NULL;
  if (node == NULL) return true;
  *out = apl_pool_take(r->pool, sizeof **out * (size_t)(node->count + 1));
  if (*out == NULL) return false;
  for (const text_node* item = first; item != NULL; item = item == node ? NULL : item->next) {
    if (item->kind != TEXT_SCALAR || apl_node_empty(item)) {
      apl_form_refuse(r, item->at, key,
                      "expected the name of a link, a shape or an obstacle, got %s",
                      apl_node_show(item, shown));
      return false;
    }
    (*out)[(*n)++] = (spec_word){apl_pool_text(r->pool, item->text), item->at};
  }
  return true;
}

void apl_names_write(text_out* o, const char* key, const spec_word* word, int n,
                     const char** comma) {
  if (n == 0) return;
  apl_out_add(o, "%s%s: [", *comma, key);
  for (int i = 0; i < n; ++i)
    apl_out_add(o, "%s\"%s\"", i == 0 ? "" : ", ", word[i].text);
  apl_out_add(o, "]");
  *comma = ", ";
}

const grammar_block apl_block_names = {.word = "names", .form = BLOCK_NAMES, .title = ""};
