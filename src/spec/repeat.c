/* SPDX-License-Identifier: Apache-2.0 */
/* repeat.c: see repeat.h. The grammar says where lists and named entries are, so that a port or a
   signal may be called `repeat`. */
#include "spec/repeat.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char apl_repeat_key[] = "repeat";

enum { MOST_VARIABLES = 4, FARTHEST = 1000000 };

typedef struct variable {
  const char* name;
  long first, last, value;
} variable;

typedef struct repeat_work {
  variable var[MOST_VARIABLES];
  int nvar;
  apl_mark at; /* of the value of `repeat` */
  size_t* room;
  apl_pool* pool;
  apl_report* report;
} repeat_work;

static bool refuse(const repeat_work* w, apl_mark at, const char* sentence, const char* what) {
  apl_report_add(w->report, APL_ERR_MODEL, at, "repeat: %s%.40s", sentence, what);
  return false;
}

/* ---------------------------------------------------------------------------- `repeat` itself ----
 */

static bool read_whole(const text_node* node, long* out) {
  char* end;

  if (node->kind != TEXT_SCALAR || node->text[0] == '\0') return false;
  *out = strtol(node->text, &end, 10);
  return *end == '\0' && *out >= -FARTHEST && *out <= FARTHEST;
}

/* `k: 16` is 1 to 16, `k: [2, 16]` is 2 to 16. A range that ends just before it begins is empty, so
   that a chain can be shortened to its first link. */
static bool read_range(const repeat_work* w, const text_node* node, variable* v) {
  *v = (variable){.name = node->key, .first = 1};
  for (const char* c = node->key; *c != '\0'; ++c) {
    if (!isalpha((unsigned char)*c))
      return refuse(w, node->key_at, "a variable consists of letters, got ", node->key);
  }
  const bool pair = node->kind == TEXT_LIST && node->count == 2;
  const bool known =
      pair ? read_whole(node->first, &v->first) && read_whole(node->first->next, &v->last)
           : read_whole(node, &v->last);
  if (!known)
    return refuse(w, node->at,
                  "expected a number of copies, or [FIRST, LAST], whole numbers of at "
                  "most 1000000, for ",
                  node->key);
  if (v->last < v->first - 1)
    return refuse(w, node->at, "the last number lies before the first one, for ", node->key);
  v->value = v->first;
  return true;
}

static bool read_variables(repeat_work* w, const text_node* node) {
  w->nvar = 0;
  w->at = node->at;
  if (node->kind != TEXT_MAP || node->count == 0)
    return refuse(w, node->at, "expected a variable and its range, as in {k: 16} or {k: [2, 16]}",
                  "");
  for (const text_node* c = node->first; c != NULL; c = c->next) {
    if (w->nvar == MOST_VARIABLES) return refuse(w, c->key_at, "at most 4 variables", "");
    if (!read_range(w, c, &w->var[w->nvar])) return false;
    ++w->nvar;
  }
  return true;
}

/* ------------------------------------------------------------------------------------- copies ----
 */

static bool take_room(const repeat_work* w, size_t bytes) {
  if (bytes <= *w->room) {
    *w->room -= bytes;
    return true;
  }
  *w->room = 0;
  return refuse(w, w->at, "the copies are too large: files and copies may take 64 MB together", "");
}

/* The number for a text that begins with <k>, <k+2> or <k-1>, and the length of that; 0 if it does
   not. */
static size_t place_length(const repeat_work* w, const char* text, long* value) {
  if (text[0] != '<') return 0;
  for (int i = 0; i < w->nvar; ++i) {
    const size_t n = strlen(w->var[i].name);
    if (strncmp(text + 1, w->var[i].name, n) != 0) continue;
    const char* end = text + 1 + n;
    long shift = 0;
    if ((end[0] == '+' || end[0] == '-') && isdigit((unsigned char)end[1])) {
      shift = strtol(end, NULL, 10);
      end += 1 + strspn(end + 1, "0123456789");
    }
    if (*end != '>' || shift < -FARTHEST || shift > FARTHEST) continue;
    *value = w->var[i].value + shift;
    return (size_t)(end - text) + 1;
  }
  return 0;
}

/* The text with numbers in place of variables; NULL when memory or room is out. */
static const char* fill_in(const repeat_work* w, const char* text) {
  char number[24];
  long value;
  size_t size = 1;

  if (text == NULL || strchr(text, '<') == NULL) return text;
  for (const char* c = text; *c != '\0';) {
    const size_t n = place_length(w, c, &value);
    size += n == 0 ? 1 : (size_t)snprintf(number, sizeof number, "%ld", value);
    c += n == 0 ? 1 : n;
  }
  char* out = take_room(w, size) ? apl_pool_take(w->pool, size) : NULL;
  char* end = out;
  for (const char* c = text; out != NULL && *c != '\0';) {
    const size_t n = place_length(w, c, &value);
    if (n == 0) {
      *end++ = *c++;
    } else {
      end += snprintf(end, size - (size_t)(end - out), "%ld", value);
      c += n;
    }
  }
  return out;
}

/* A deep copy, without the child `skip`. NULL when memory or room is out. */
static text_node* copy(const repeat_work* w, const text_node* from, const text_node* skip) {
  text_node* out = take_room(w, sizeof *out) ? apl_pool_take(w->pool, sizeof *out) : NULL;
  if (out == NULL) return NULL;

  *out = *from;
  out->key = fill_in(w, from->key);
  out->text = fill_in(w, from->text);
  out->first = out->next = NULL;
  out->count = 0;
  if ((out->key == NULL) != (from->key == NULL) || (out->text == NULL) != (from->text == NULL))
    return NULL;
  text_node** tail = &out->first;
  for (const text_node* c = from->first; c != NULL; c = c->next) {
    if (c == skip) continue;
    *tail = copy(w, c, NULL);
    if (*tail == NULL) return NULL;
    tail = &(*tail)->next;
    ++out->count;
  }
  return out;
}

/* The next set of values; the last variable counts fastest. False behind the last set. */
static bool advance(repeat_work* w) {
  for (int i = w->nvar - 1; i >= 0; --i) {
    if (w->var[i].value < w->var[i].last) {
      ++w->var[i].value;
      return true;
    }
    w->var[i].value = w->var[i].first;
  }
  return false;
}

static bool is_empty(const repeat_work* w) {
  bool empty = false;
  for (int i = 0; i < w->nvar; ++i)
    empty = empty || w->var[i].last < w->var[i].first;
  return empty;
}

/* Put the copies of `item` at *tail, which becomes the end of them. */
static bool put_copies(repeat_work* w, const text_node* item, const text_node* repeat,
                       text_node*** tail, int* count) {
  if (!read_variables(w, repeat)) return false;
  if (is_empty(w)) return true;
  const char* last_key = NULL;
  do {
    text_node* made = copy(w, item, repeat);
    if (made == NULL) return false;
    if (last_key != NULL && strcmp(last_key, made->key) == 0)
      return refuse(w, item->key_at,
                    "the copies would have one name, write its variable into it: ", item->key);
    last_key = made->key;
    **tail = made;
    *tail = &made->next;
    ++*count;
  } while (advance(w));
  return true;
}

/* ------------------------------------------------------------------------------------ the walk
 * ---- */

static void expand_block(repeat_work* w, text_node* node, const grammar_block* block);

/* The blocks inside a map with the keys of this table. */
static void expand_parts(repeat_work* w, text_node* map, const apl_field* field) {
  for (const apl_field* f = field; f != NULL && f->name != NULL; ++f) {
    if (f->form != APL_FORM_BLOCK) continue;
    for (text_node* c = map->kind == TEXT_MAP ? map->first : NULL; c != NULL; c = c->next) {
      if (strcmp(c->key, f->name) == 0)
        expand_block(w, c, apl_block_find(f->words[0], strlen(f->words[0])));
    }
  }
}

static void expand_items(repeat_work* w, text_node* node) {
  text_node *item = node->first, **tail = &node->first;
  const int before = w->report->count;
  int count = 0;
  bool copied = false;

  while (item != NULL && w->report->count == before) {
    text_node* next = item->next;
    const text_node* repeat = apl_node_get(item, apl_repeat_key);
    if (repeat != NULL) {
      copied = true;
      put_copies(w, item, repeat, &tail, &count);
    } else {
      *tail = item;
      tail = &item->next;
      ++count;
    }
    item = next;
  }
  *tail = item; /* what is left when something was refused */
  node->count = count;
  /* the parser has not seen the names of copies */
  const bool named = copied && node->kind == TEXT_MAP && w->report->count == before;
  if (named && !apl_node_check_keys(node, w->report)) w->pool->failed = true;
}

static void expand_block(repeat_work* w, text_node* node, const grammar_block* block) {
  if (block == NULL) return;
  const bool list = block->form == BLOCK_LIST && node->kind == TEXT_LIST;
  const bool named =
      node->kind == TEXT_MAP && (block->form == BLOCK_NAMED || block->form == BLOCK_SIGNALS ||
                                 block->form == BLOCK_ANY); /* motions, by coordinate */

  if (!list && !named) {
    expand_parts(w, node, block->field);
    return;
  }
  expand_items(w, node);
  for (text_node* c = node->first; c != NULL; c = c->next)
    expand_parts(w, c, block->field);
}

void apl_repeat_expand(text_node* root, size_t* room, apl_pool* pool, apl_report* report) {
  repeat_work w = {.room = room, .pool = pool, .report = report};
  expand_parts(&w, root, apl_model_fields);
}
