/* SPDX-License-Identifier: Apache-2.0 */
/* include_merge.c: put the tree of an included file into that of the file that includes it. */
#include "spec/include.h"
#include "spec/parts.h"
#include "text/place.h"

#include <stdio.h>
#include <string.h>

/* Keys whose values are files, relative to the folder of the file that names them. */
static bool is_file_key(const char* key) {
  return strcmp(key, "file") == 0 || strcmp(key, "shape-table") == 0 || strcmp(key, "path") == 0;
}

static text_node* no_memory(const include_work* c) {
  apl_include_refuse(c, "out of memory", "");
  return NULL;
}

/* The text of a copied scalar: names get the prefix, file names become relative to the folder of
   this file, and the parent `world` is replaced by `on` of the include. */
static const char* value_of(const include_work* c, const text_node* node, const char* place) {
  const char* text = node->text;

  if (strcmp(place, "links.*.on") == 0 && strcmp(text, "world") == 0) return c->in.on;
  if (node->key != NULL && is_file_key(node->key) && text[0] != '\0' && c->folder[0] != '\0' &&
      !apl_place_absolute(text)) {
    return apl_include_join(c, c->folder, "", text);
  }
  return apl_include_rename(c, place, text);
}

/* A copy in the pool of this file. `place` is the place of the node, see include.h. */
static text_node* copy(const include_work* c, const text_node* node, const char* place) {
  text_node* out = apl_pool_take(&c->file->pool, sizeof *out);
  if (out == NULL) return no_memory(c);

  *out = *node;
  out->at = out->key_at = c->item->at;
  out->first = out->next = NULL;
  if (node->kind == TEXT_SCALAR) out->text = value_of(c, node, place);

  text_node** tail = &out->first;
  const bool named = node->kind == TEXT_LIST || apl_include_keys_are_names(place);
  for (const text_node* k = node->first; k != NULL; k = k->next) {
    char below[160], key[160];
    snprintf(below, sizeof below, "%.120s.%.30s", place, named ? "*" : k->key);
    snprintf(key, sizeof key, "%.120s.KEY", place);
    *tail = copy(c, k, below);
    if (*tail == NULL) return NULL;
    if (node->kind == TEXT_MAP) (*tail)->key = apl_include_rename(c, key, k->key);
    tail = &(*tail)->next;
  }
  return out;
}

static text_node* add_node(const include_work* c, text_node* parent, text_kind kind,
                           const char* key, const char* text) {
  text_node* node = apl_pool_take(&c->file->pool, sizeof *node);
  text_node** tail = &parent->first;
  if (node == NULL) return no_memory(c);

  *node =
      (text_node){.kind = kind, .at = c->item->at, .key = key, .key_at = c->item->at, .text = text};
  while (*tail != NULL)
    tail = &(*tail)->next;
  *tail = node;
  ++parent->count;
  return node;
}

static text_node* child(text_node* map, const char* key) {
  for (text_node* n = map->first; n != NULL; n = n->next) {
    if (strcmp(n->key, key) == 0) return n;
  }
  return NULL;
}

/* Without `of`, an entry of `collide` is about all links. Those of the included file are meant, so
   `of` is added with their names. */
static bool limit_entry(const include_work* c, text_node* item) {
  const text_node* links = apl_node_get(c->inner, "links");
  text_node* of = child(item, "of") != NULL ? NULL : add_node(c, item, TEXT_LIST, "of", NULL);

  for (const text_node* l = links == NULL ? NULL : links->first; of != NULL && l != NULL;
       l = l->next) {
    const text_node* name = apl_node_get(l, "name");
    if (name == NULL || name->kind != TEXT_SCALAR || apl_node_get(l, "shapes") == NULL) continue;
    if (add_node(c, of, TEXT_SCALAR, NULL, apl_include_rename(c, "collide.*.of.*", name->text)) ==
        NULL)
      return false;
  }
  return of != NULL || child(item, "of") != NULL;
}

/* Entries of `collide` without a name get one with the prefix, so that a file can be included
 * twice. */
static bool name_entries(const include_work* c, text_node* list) {
  for (text_node* item = list->first; item != NULL; item = item->next) {
    if (item->kind != TEXT_MAP) continue;
    if (!limit_entry(c, item)) return false;
    if (child(item, "name") != NULL) continue;
    const char* name = apl_include_join(c, c->in.as, "_", apl_collide_name);
    if (add_node(c, item, TEXT_SCALAR, "name", name) == NULL) return false;
  }
  return true;
}

/* `near` of `start` is a map in a map: take the entries that this file does not have. */
static void merge_near(text_node* to, text_node* from) {
  text_node** tail = &to->first;

  while (*tail != NULL)
    tail = &(*tail)->next;
  for (text_node *n = from->first, *next; n != NULL && to->kind == TEXT_MAP; n = next) {
    next = n->next;
    n->next = NULL;
    if (child(to, n->key) != NULL) continue;
    *tail = n;
    tail = &n->next;
    ++to->count;
  }
}

/* Two files have an entry of the same name in a block. */
static bool refuse_twice(const include_work* c, const char* word, const char* name) {
  char text[120];

  snprintf(text, sizeof text, "give it a prefix with `as`: `%.40s` would have two entries called ",
           word);
  return apl_include_refuse(c, text, name);
}

/* Append the items of a block to those of the same block of this file. */
static bool merge_block(const include_work* c, text_node* root, const char* word) {
  const text_node* from = apl_node_get(c->inner, word);
  if (from == NULL || from->kind == TEXT_SCALAR) return true;

  text_node* copied = copy(c, from, word);
  text_node* to = child(root, word);
  if (copied != NULL && strcmp(word, "collide") == 0 && c->in.as[0] != '\0' &&
      !name_entries(c, copied))
    return false;
  if (to == NULL) to = add_node(c, root, from->kind, word, NULL);
  if (copied == NULL || to == NULL) return false;
  if (to->kind != from->kind) return true; /* the reader reports this */

  text_node** tail = &to->first;
  while (*tail != NULL)
    tail = &(*tail)->next;
  for (text_node *n = copied->first, *next; n != NULL; n = next) {
    next = n->next;
    n->next = NULL;
    const bool start = strcmp(word, "start") == 0;
    if (start && (strcmp(n->key, "from") == 0 || strcmp(n->key, "equilibrium") == 0 ||
                  strcmp(n->key, "settle") == 0)) {
      apl_report_warn(c->report, c->item->at, "include %.80s: its start.%s is not used", c->in.file,
                      n->key);
      continue;
    }
    text_node* own = to->kind == TEXT_MAP ? child(to, n->key) : NULL;
    if (own != NULL && n->shared) own->shared = true; /* the entry of this file serves both */
    if (own != NULL && start && strcmp(n->key, "near") == 0) merge_near(own, n);
    if (own != NULL && (n->shared || start)) continue; /* values of this file take precedence */
    if (own != NULL) return refuse_twice(c, word, n->key);
    *tail = n;
    tail = &n->next;
    ++to->count;
  }
  return true;
}

/* For `at`: a link without mass that carries the included robot,
   {name: AS, on: ON, at: AT, body: {mass: 0}}. */
static bool add_mount(include_work* c, text_node* root) {
  const text_node* given = apl_node_get(c->item, "at");
  text_node* links = child(root, "links");
  if (given == NULL) return true;
  if (c->in.as[0] == '\0')
    return apl_include_refuse(c, "`at` needs `as`, the name of the link that it adds", "");

  if (links == NULL) links = add_node(c, root, TEXT_LIST, "links", NULL);
  if (links == NULL || links->kind != TEXT_LIST) return links != NULL;
  text_node* link = add_node(c, links, TEXT_MAP, NULL, NULL);
  if (link == NULL) return false;
  text_node* at = copy(c, given, "at");
  text_node* body = add_node(c, link, TEXT_MAP, "body", NULL);
  if (at == NULL || body == NULL || add_node(c, link, TEXT_SCALAR, "name", c->in.as) == NULL ||
      add_node(c, link, TEXT_SCALAR, "on", c->in.on) == NULL ||
      add_node(c, body, TEXT_SCALAR, "mass", "0") == NULL)
    return false;
  text_node* place = add_node(c, link, at->kind, "at", at->text);
  if (place == NULL) return false;
  place->first = at->first;
  place->count = at->count;
  c->in.on = c->in.as;
  return true;
}

/* A link without `on` is on the world. Write `on: world`, so that copying replaces it. */
static bool say_on(const include_work* c) {
  const text_node* links = apl_node_get(c->inner, "links");

  for (text_node* l = links == NULL ? NULL : links->first; l != NULL; l = l->next) {
    if (l->kind == TEXT_MAP && child(l, "on") == NULL &&
        add_node(c, l, TEXT_SCALAR, "on", "world") == NULL)
      return false;
  }
  return true;
}

/* `settle` of an include is that of this file. */
static bool add_settle(const include_work* c, text_node* root) {
  text_node* start = child(root, "start");
  if (!c->in.settle) return true;

  if (start == NULL) start = add_node(c, root, TEXT_MAP, "start", NULL);
  if (start == NULL || start->kind != TEXT_MAP) return start != NULL;
  return child(start, "settle") != NULL ||
         add_node(c, start, TEXT_SCALAR, "settle", "true") != NULL;
}

bool apl_include_merge(include_work* c, text_node* root) {
  const text_node* doubts = apl_node_get(c->inner, "doubts");

  if (doubts != NULL && apl_node_get(root, "doubts") == NULL &&
      add_node(c, root, TEXT_SCALAR, "doubts", apl_include_join(c, doubts->text, "", "")) == NULL)
    return false;
  if (!add_mount(c, root) || !say_on(c)) return false;
  for (const apl_field* f = apl_model_fields; f->name != NULL; ++f) {
    const grammar_block* b = apl_block_find(f->name, strlen(f->name));
    const bool has_names = b != NULL && (b->declares != NULL || b->refers != NULL);
    if (has_names && !merge_block(c, root, b->word)) return false;
  }
  return add_settle(c, root);
}
