/* SPDX-License-Identifier: Apache-2.0 */
/* settings.c: apply PATH=VALUE to the tree of a model file before it is read. So a value may have
   the same forms and units as in the file, and mistakes are reported in the same way.

   A path consists of keys. An item of a list is given by its name, or by its number from 0 if it
   has none. A path may begin with a link: arm.body.mass means links.arm.body.mass. In a name *
   stands for any characters, and the value is set for all names that match: leg*.joint.damping=0.1.
   Keys of `start`, `motion`, `inputs` and `signals` contain dots themselves: the longest existing
   key that fits is used; if there is none, the rest of the path is a new key. */
#include "spec/file_impl.h"

#include "base/nearest.h"
#include "spec/repeat.h"
#include "text/pattern.h"

#include <stdlib.h>
#include <string.h>

/* The state while one setting is applied. */
typedef struct setting {
  apl_mark at; /* line -k: the k-th setting                                                       */
  apl_pool* pool;
  apl_report* report;
} setting;

#define REFUSE(s, ...) (apl_report_add((s)->report, APL_ERR_SYNTAX, (s)->at, __VA_ARGS__), NULL)

static text_node* out_of_memory(const setting* s) {
  apl_report_add(s->report, APL_ERR_MEMORY, s->at, "out of memory while reading");
  return NULL;
}

/* ------------------------------------------------------------------------------- values ---- */

/* All nodes of a value get the place of the setting, so that mistakes are reported there. */
static void mark_tree(text_node* node, apl_mark at) {
  node->at = node->key_at = at;
  for (text_node* c = node->first; c != NULL; c = c->next)
    mark_tree(c, at);
}

static text_node* read_value(const setting* s, const char* text, const yaml_limits* limits) {
  static const char file[] = "the file";
  apl_report inner = {0};
  text_node* value = apl_yaml_parse(text, strlen(text), limits, s->pool, &inner);

  if (value != NULL) {
    mark_tree(value, s->at);
    return value;
  }
  for (int i = 0; i < inner.count && i < APL_REPORT_MAX; ++i) {
    const char* sentence = inner.item[i].text;
    const bool of_file = strncmp(sentence, file, sizeof file - 1) == 0;
    apl_report_add(s->report, inner.item[i].status, s->at, "%s%s", of_file ? "the value" : "",
                   of_file ? sentence + sizeof file - 1 : sentence);
  }
  return NULL;
}

/* -------------------------------------------------------------------------------- paths ---- */

static char* copy_part(const setting* s, const char* text, size_t n) {
  char* copy = apl_pool_take(s->pool, n + 1);

  if (copy == NULL) {
    out_of_memory(s);
  } else {
    memcpy(copy, text, n);
  }
  return copy;
}

/* Does the path begin with the word, followed by a dot or the end? */
static bool begins(const char* path, const char* word) {
  const size_t n = strlen(word);
  return strncmp(path, word, n) == 0 && (path[n] == '.' || path[n] == '\0');
}

/* The child of a map with the longest key that the path begins with. If keys may contain dots,
   the key must be the whole path unless its value is a map: arm.joint.angle is not a part of
   arm.joint.angle.rate. */
static text_node* find_child(const text_node* map, const char* path, bool dots) {
  text_node* best = NULL;

  for (text_node* c = map->first; c != NULL; c = c->next) {
    if (dots && c->kind == TEXT_SCALAR && strcmp(path, c->key) != 0) continue;
    if (begins(path, c->key) && (best == NULL || strlen(c->key) > strlen(best->key))) best = c;
  }
  return best;
}

static text_node* add_child(const setting* s, text_node* map, const char* key) {
  text_node* node = apl_pool_take(s->pool, sizeof *node);
  text_node** tail = &map->first;
  if (node == NULL) return out_of_memory(s);

  *node = (text_node){
      .kind = TEXT_SCALAR, .at = s->at, .key = key, .key_at = s->at, .text = "", .quoted = false};
  while (*tail != NULL)
    tail = &(*tail)->next;
  *tail = node;
  ++map->count;
  return node;
}

/* Turn a scalar into a map: `joint: revolute` becomes {type: revolute}, an empty `body:` an
   empty map. */
static bool open_scalar(const setting* s, text_node* node) {
  const bool empty = apl_node_empty(node);
  const char* text = node->text;

  if (!empty && (node->key == NULL || strcmp(node->key, "joint") != 0)) {
    apl_report_add(s->report, APL_ERR_SYNTAX, s->at, "'%.60s' is not a map, so it has no keys",
                   node->key == NULL ? "item" : node->key);
    return false;
  }
  node->kind = TEXT_MAP;
  node->text = NULL;
  if (empty) return true;
  text_node* type = add_child(s, node, "type");
  if (type == NULL) return false;
  type->text = text;
  type->at = type->key_at = node->at;
  return true;
}

/* An item of a list, by its name or its number. */
static text_node* find_item(const setting* s, const text_node* list, const char* word) {
  apl_nearest near = {.word = word};
  char hint[96], *end;
  const long number = strtol(word, &end, 10);
  const bool counted = end != word && *end == '\0';
  long k = 0;

  for (text_node* c = list->first; c != NULL; c = c->next, ++k) {
    const text_node* name = apl_node_get(c, "name");
    const bool named = name != NULL && name->kind == TEXT_SCALAR;
    if (named && strcmp(name->text, word) == 0) return c;
    if (!named && counted && number == k) return c;
    if (named) apl_nearest_offer(&near, name->text);
  }
  return REFUSE(s, "there is no item '%.60s' in the list%s", word, apl_nearest_text(&near, hint));
}

/* The node at the end of a path. Missing nodes are added. */
static text_node* walk(const setting* s, text_node* node, const char* path) {
  static const char* const with_dots[] = {"start", "motion", "inputs", "signals"};
  bool dots = false; /* are keys here names with dots? */

  for (int level = 0; *path != '\0'; ++level) {
    const size_t n = strcspn(path, ".");
    text_node* next;
    if (node->kind == TEXT_SCALAR && !open_scalar(s, node)) return NULL;

    if (node->kind == TEXT_LIST) {
      const char* word = copy_part(s, path, n);
      next = word == NULL ? NULL : find_item(s, node, word);
      if (next == NULL) return NULL;
      path += n;
    } else {
      /* `near` of `start` is a map whose keys contain dots as well */
      const bool near = level == 1 && dots && begins(path, "near") && path[n] == '.' &&
                        strcmp(node->key, "start") == 0;
      next = find_child(node, path, dots && !near);
      if (next == NULL) {
        char* key = copy_part(s, path, dots && !near ? strlen(path) : n);
        next = key == NULL ? NULL : add_child(s, node, key);
        if (next == NULL) return NULL;
      }
      path += strlen(next->key);
      for (size_t i = 0; level == 0 && i < sizeof with_dots / sizeof *with_dots; ++i)
        dots = dots || strcmp(next->key, with_dots[i]) == 0;
      if (level > 0) dots = near;
    }
    node = next;
    if (*path == '.') ++path;
  }
  return node;
}

/* The node that a path means. It begins with a key of the file or with a link. */
static text_node* find_place(const setting* s, text_node* root, const char* path) {
  const text_node* links = apl_node_get(root, "links");
  const char* word = copy_part(s, path, strcspn(path, "."));
  apl_nearest near = {.word = word};
  char hint[96];
  if (word == NULL) return NULL;

  for (const apl_field* f = apl_model_fields; f->name != NULL; ++f) {
    if (begins(path, f->name)) return walk(s, root, path);
  }
  for (text_node* c = links != NULL && links->kind == TEXT_LIST ? links->first : NULL; c != NULL;
       c = c->next) {
    const text_node* name = apl_node_get(c, "name");
    if (name == NULL || name->kind != TEXT_SCALAR) continue;
    if (begins(path, name->text)) {
      path += strlen(name->text);
      return *path == '.' ? walk(s, c, path + 1) : c;
    }
    apl_nearest_offer(&near, name->text);

    /* a path may also begin with the name of a joint */
    text_node* joint = find_child(c, "joint", false);
    const text_node* own = joint == NULL ? NULL : apl_node_get(joint, "name");
    if (own == NULL || own->kind != TEXT_SCALAR) continue;
    if (begins(path, own->text)) {
      path += strlen(own->text);
      return *path == '.' ? walk(s, joint, path + 1) : joint;
    }
    apl_nearest_offer(&near, own->text);
  }
  for (const apl_field* f = apl_model_fields; f->name != NULL; ++f)
    apl_nearest_offer(&near, f->name);
  return REFUSE(s, "the file has no link and no block '%.60s'%s", word,
                apl_nearest_text(&near, hint));
}

/* ------------------------------------------------------------------------------ setting ---- */

/* `inputs.j1=0.5` of an input that says what it acts on sets its value; the rest of it stays. */
static text_node* value_of_input(const setting* s, text_node* root, text_node* place,
                                 const text_node* value) {
  const text_node* inputs = apl_node_get(root, "inputs");
  bool inside = false;

  for (const text_node* c = inputs == NULL ? NULL : inputs->first; c != NULL; c = c->next)
    inside = inside || c == place;
  if (!inside || place->kind != TEXT_MAP || apl_node_get(place, "on") == NULL) return place;
  if (value->kind == TEXT_MAP && (apl_node_get(value, "on") != NULL || value->first == NULL ||
                                  !apl_signal_known(value->first->key)))
    return place;
  return walk(s, place, "value");
}

static void put(const setting* s, text_node* root, const char* path, const char* text,
                const yaml_limits* limits) {
  const text_node* value = read_value(s, text, limits);
  text_node* place = value == NULL ? NULL : find_place(s, root, path);
  if (place != NULL) place = value_of_input(s, root, place, value);
  if (place == NULL) return;

  place->kind = value->kind;
  place->at = place->key_at = s->at;
  place->text = value->text;
  place->quoted = value->quoted;
  place->count = value->count;
  place->first = value->first;
}

/* The first `at` characters of the path, then a name and a rest. */
static char* joined(const setting* s, const char* path, size_t at, const char* name,
                    const char* rest) {
  const size_t n = strlen(name);
  char* out = apl_pool_take(s->pool, at + n + strlen(rest) + 1);

  if (out == NULL) {
    out_of_memory(s);
    return NULL;
  }
  memcpy(out, path, at);
  memcpy(out + at, name, n);
  memcpy(out + at + n, rest, strlen(rest) + 1);
  return out;
}

/* Apply a setting whose path contains *: replace the part with the first * by each name that
   matches. Keys of maps may contain dots, so the whole rest of the path is also matched with
   them. */
static void put_all(const setting* s, text_node* root, const char* path, const char* text,
                    const yaml_limits* limits) {
  const char* star = strchr(path, '*');
  if (star == NULL) {
    put(s, root, path, text, limits);
    return;
  }
  size_t from = (size_t)(star - path);
  while (from > 0 && path[from - 1] != '.')
    --from;
  const size_t n = strcspn(path + from, ".");
  const char *word = copy_part(s, path + from, n), *rest = path + from + n;
  const char* above = from == 0 ? "links" : copy_part(s, path, from - 1);
  const text_node* list = word == NULL || above == NULL ? NULL : find_place(s, root, above);
  int found = 0;

  for (const text_node* c = list == NULL ? NULL : list->first; c != NULL; c = c->next) {
    const text_node* own = list->kind == TEXT_LIST ? apl_node_get(c, "name") : NULL;
    const char* name = own != NULL && own->kind == TEXT_SCALAR ? own->text : c->key;
    if (name == NULL || strchr(name, '*') != NULL) continue; /* it would match again, without end */
    const bool whole = list->kind == TEXT_MAP && apl_pattern_fits(path + from, name);
    if (!whole && !apl_pattern_fits(word, name)) continue;
    const char* next = joined(s, path, from, name, whole ? "" : rest);
    if (next != NULL) put_all(s, root, next, text, limits);
    ++found;
  }
  if (list != NULL && found == 0)
    apl_report_add(s->report, APL_ERR_SYNTAX, s->at, "no name fits '%.60s'", word);
}

static void apply(const setting* s, text_node* root, const char* text, const yaml_limits* limits) {
  const char* equals = strchr(text, '=');

  if (equals == NULL || equals == text) {
    apl_report_add(s->report, APL_ERR_SYNTAX, s->at,
                   "expected PATH=VALUE, as in arm.body.mass=2 kg");
    return;
  }
  const char* path = copy_part(s, text, (size_t)(equals - text));
  if (path == NULL) return;
  if (path[0] == '.' || equals[-1] == '.' || strstr(path, "..") != NULL) {
    apl_report_add(s->report, APL_ERR_SYNTAX, s->at, "the path has an empty part");
    return;
  }
  put_all(s, root, path, equals + 1, limits);
}

settings_phase apl_settings_phase(const char* text) {
  static const char include[] = "include";
  const size_t n = strlen(apl_repeat_key);

  for (const char* dot = text; *dot != '\0' && *dot != '='; ++dot) {
    const bool part = *dot == '.' && strncmp(dot + 1, apl_repeat_key, n) == 0;
    if (part && (dot[n + 1] == '.' || dot[n + 1] == '=')) return SETTINGS_REPEAT;
  }
  return strncmp(text, include, sizeof include - 1) == 0 ? SETTINGS_INCLUDE : SETTINGS_OTHERS;
}

void apl_settings_apply(text_node* root, const char* const* set, int n, settings_phase phase,
                        const yaml_limits* limits, apl_pool* pool, apl_report* report) {
  for (int k = 0; k < n && root->kind == TEXT_MAP; ++k) {
    if (apl_settings_phase(set[k]) != phase) continue;
    const setting s = {.at = {-(k + 1), 0}, .pool = pool, .report = report};
    apply(&s, root, set[k], limits);
  }
}
