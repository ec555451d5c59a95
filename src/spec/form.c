/* SPDX-License-Identifier: Apache-2.0 */
/* form.c: read values: one function for each form of value, then all keys of a map. */
#include "spec/form.h"

#include "base/nearest.h"
#include "text/quantity.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void apl_form_where(form_reader* r, const char* format, ...) {
  va_list args;

  va_start(args, format);
  vsnprintf(r->where, sizeof r->where, format, args);
  va_end(args);
}

bool apl_form_refuse(form_reader* r, apl_mark at, const char* key, const char* format, ...) {
  char text[200];
  va_list args;

  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  apl_report_add(r->report, APL_ERR_SYNTAX, at, "%.120s%.60s: %s", r->where, key, text);
  return false;
}

bool apl_form_expected(form_reader* r, const char* key, const text_node* node, const char* what) {
  char shown[64];
  return apl_form_refuse(r, node->at, key, "expected %s, got %s", what, apl_node_show(node, shown));
}

bool apl_form_no_memory(form_reader* r, apl_mark at) {
  apl_report_add(r->report, APL_ERR_MEMORY, at, "out of memory while reading");
  return false;
}

bool apl_spec_settle(apl_spec* s, apl_mark at, apl_report* report) {
  if (s->error.status == APL_OK) return true;
  apl_report_error(report, &s->error, at);
  s->error = (apl_error){0};
  return false;
}

/* The place of the key that a sentence of the builder is about: the first key in the sentence. */
static apl_mark blamed(const text_node* item, const char* sentence) {
  const char* first = NULL;
  apl_mark mark = item->at;

  for (const text_node* entry = item->first; entry != NULL; entry = entry->next) {
    const char* at = strstr(sentence, entry->key);
    const bool word = at != NULL && at > sentence && at[-1] == ' ' &&
                      strchr(" ,:", at[strlen(entry->key)]) != NULL;
    if (!word || (first != NULL && at > first)) continue;
    first = at;
    mark = entry->at;
  }
  return mark;
}

bool apl_spec_settle_item(apl_spec* s, const text_node* item, apl_report* report) {
  return apl_spec_settle(s, blamed(item, s->error.text), report);
}

/* ------------------------------------------------------------------------------- numbers ---- */

static bool read_number(form_reader* r, const char* key, const text_node* node, const char* unit,
                        double* out) {
  apl_error err = {0};

  if (node->kind != TEXT_SCALAR || apl_node_empty(node)) {
    return apl_form_expected(r, key, node, strcmp(unit, "1") == 0 ? "a number" : "a quantity");
  }
  if (apl_quantity_read(node->text, unit, out, &err) == APL_OK) return true;
  return apl_form_refuse(r, node->at, key, "%s", err.text);
}

bool apl_quantity_form(form_reader* r, const char* key, const spec_quantity* from, const char* unit,
                       double* out) {
  apl_error err = {0};

  if (apl_quantity_read(from->text, unit, out, &err) == APL_OK) return true;
  return apl_form_refuse(r, from->at, key, "%s", err.text);
}

bool apl_numbers_read(form_reader* r, const char* key, const text_node* node,
                      const char* const* unit, int count, double* out) {
  if (count == 1) return read_number(r, key, node, unit[0], out);

  char what[64];
  if (node->kind != TEXT_LIST || node->count != count) {
    snprintf(what, sizeof what, "a list of %d numbers", count);
    if (node->kind != TEXT_LIST) return apl_form_expected(r, key, node, what);
    return apl_form_refuse(r, node->at, key, "expected %s, got %d", what, node->count);
  }
  bool ok = true;
  int k = 0;
  for (const text_node* item = node->first; item != NULL; item = item->next, ++k)
    ok = read_number(r, key, item, unit[k], &out[k]) && ok;
  return ok;
}

bool apl_quantity_keep(form_reader* r, const char* key, const text_node* node, spec_quantity* out) {
  if (node->kind != TEXT_SCALAR || apl_node_empty(node))
    return apl_form_expected(r, key, node, "a quantity");
  *out = (spec_quantity){apl_pool_text(r->pool, node->text), node->at};
  return out->text != NULL || apl_form_refuse(r, node->at, key, "out of memory");
}

static bool read_quantity(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  return apl_quantity_keep(r, f->name, node, out);
}

static bool read_quantities(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  spec_quantities* list = out;

  if (node->kind != TEXT_LIST) return apl_form_expected(r, f->name, node, "a list of numbers");
  list->item = apl_pool_take(r->pool, sizeof *list->item * (size_t)(node->count + 1));
  if (list->item == NULL) return apl_form_refuse(r, node->at, f->name, "out of memory");
  for (const text_node* item = node->first; item != NULL; item = item->next) {
    if (!apl_quantity_keep(r, f->name, item, &list->item[list->n])) return false;
    ++list->n;
  }
  return true;
}

/* the same unit everywhere */
bool apl_alike_form(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  const char* unit[16];

  for (int k = 0; k < 16; ++k)
    unit[k] = f->unit;
  return apl_numbers_read(r, f->name, node, unit, f->count, out);
}

/* An axis: x, -y, [0, 1, 1]. */
static bool read_axis(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  if (node->kind != TEXT_SCALAR) return apl_alike_form(r, f, node, out);

  const char* c = node->text + (node->text[0] == '-' || node->text[0] == '+');
  if (*c < 'x' || *c > 'z' || c[1] != '\0') {
    return apl_form_expected(r, f->name, node, "an axis such as z, -x or [0, 1, 1]");
  }
  double* axis = out;
  axis[0] = axis[1] = axis[2] = 0.0;
  axis[*c - 'x'] = node->text[0] == '-' ? -1.0 : 1.0;
  return true;
}

/* --------------------------------------------------------------------------------- words ---- */

static bool read_text(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  if (node->kind != TEXT_SCALAR || apl_node_empty(node))
    return apl_form_expected(r, f->name, node, "a text");

  const char* copy = apl_pool_text(r->pool, node->text);
  if (copy == NULL) return apl_form_refuse(r, node->at, f->name, "out of memory");
  memcpy(out, &copy, sizeof copy);
  return true;
}

/* "; take a, b or c", for a word that is not similar to any of them. */
static void list_words(const char* const* word, char* out, size_t size) {
  size_t n = 0;

  for (int k = 0; word[k] != NULL && n < size; ++k)
    n += (size_t)snprintf(out + n, size - n, "%s%s",
                          k == 0                ? "; take "
                          : word[k + 1] == NULL ? " or "
                                                : ", ",
                          word[k]);
}

/* Index of the word; -1 if it is not one of them, which is reported. */
static int which_word(form_reader* r, const apl_field* f, const char* word, apl_mark at) {
  apl_nearest near = {.word = word};
  char hint[96], words[160] = "";

  for (int k = 0; f->words[k] != NULL; ++k) {
    if (strcmp(f->words[k], near.word) == 0) return k;
    apl_nearest_offer(&near, f->words[k]);
  }
  apl_nearest_text(&near, hint);
  if (hint[0] == '\0') list_words(f->words, words, sizeof words);
  apl_form_refuse(r, at, f->name, "there is no '%.40s'%s%s", word, hint, words);
  return -1;
}

static bool read_choice(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  if (node->kind != TEXT_SCALAR) return apl_form_expected(r, f->name, node, "a word");

  const int k = which_word(r, f, node->text, node->at);
  if (k >= 0) memcpy(out, &f->words[k], sizeof f->words[k]);
  return k >= 0;
}

/* A set of words: one word, or a list in which no word appears twice. */
static bool read_set(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  const text_node* item = node->kind == TEXT_LIST ? node->first : node;
  unsigned set = 0;

  if (node->kind == TEXT_MAP)
    return apl_form_expected(r, f->name, node, "a word or a list of words");
  for (; item != NULL; item = node->kind == TEXT_LIST ? item->next : NULL) {
    if (item->kind != TEXT_SCALAR) return apl_form_expected(r, f->name, item, "a word");
    const int k = which_word(r, f, item->text, item->at);
    if (k < 0) return false;
    if ((set >> k & 1u) != 0)
      return apl_form_refuse(r, item->at, f->name, "'%s' stands twice", f->words[k]);
    set |= 1u << k;
  }
  memcpy(out, &set, sizeof set);
  return true;
}

static bool read_flag(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  const bool yes = node->kind == TEXT_SCALAR && strcmp(node->text, "true") == 0;
  const bool no = node->kind == TEXT_SCALAR && strcmp(node->text, "false") == 0;

  if (!yes && !no) return apl_form_expected(r, f->name, node, "true or false");
  memcpy(out, &yes, sizeof yes);
  return true;
}

static bool read_whole(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  double value = 0.0;

  if (!read_number(r, f->name, node, "1", &value)) return false;
  if (value != round(value) || fabs(value) > 1e9) {
    return apl_form_expected(r, f->name, node, "a whole number");
  }
  const int whole = (int)value;
  memcpy(out, &whole, sizeof whole);
  return true;
}

/* Counts: 3 for all words, or {word: 3, ..}. */
static bool read_counts(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  const bool map = node->kind == TEXT_MAP;
  int* count = out;

  for (int k = 0; k < f->count && !map; ++k) {
    if (!read_whole(r, f, node, &count[k])) return false;
  }
  if (!map) return true;
  memset(count, 0, sizeof *count * (size_t)f->count);
  for (const text_node* item = node->first; item != NULL; item = item->next) {
    const int k = which_word(r, f, item->key, item->key_at);
    if (k < 0 || !read_whole(r, f, item, &count[k])) return false;
  }
  return true;
}

static bool read_table(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  const apl_columns* table = apl_table_form(r, f->name, node);

  if (table != NULL) memcpy(out, &table, sizeof table);
  return table != NULL;
}

static bool read_signal(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  spec_signal* signal = apl_signal_form(r, node);

  (void)f;
  if (signal != NULL) memcpy(out, &signal, sizeof signal);
  return signal != NULL;
}

static bool read_signals(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  spec_signals* list = out;

  if (node->kind != TEXT_LIST) return apl_form_expected(r, f->name, node, "a list of signals");
  list->item = apl_pool_take(r->pool, sizeof(spec_signal*) * (size_t)(node->count + 1));
  if (list->item == NULL) return apl_form_refuse(r, node->at, f->name, "out of memory");
  for (const text_node* item = node->first; item != NULL; item = item->next) {
    list->item[list->n] = apl_signal_form(r, item);
    if (list->item[list->n] == NULL) return false;
    ++list->n;
  }
  return true;
}

static bool keep_block(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  (void)r, (void)f;
  memcpy(out, &node, sizeof(const text_node*));
  return true;
}

/* ---------------------------------------------------------------------------------- maps ---- */

typedef bool (*form_read)(form_reader* r, const apl_field* f, const text_node* node, void* out);

static const form_read readers[] = {
    [APL_FORM_NUMBERS] = apl_alike_form,   [APL_FORM_AXIS] = read_axis,
    [APL_FORM_INERTIA] = apl_inertia_form, [APL_FORM_TEXT] = read_text,
    [APL_FORM_FLAG] = read_flag,           [APL_FORM_WHOLE] = read_whole,
    [APL_FORM_CHOICE] = read_choice,       [APL_FORM_POSE] = apl_pose_form,
    [APL_FORM_BLOCK] = keep_block,         [APL_FORM_SET] = read_set,
    [APL_FORM_TABLE] = read_table,         [APL_FORM_COUNTS] = read_counts,
    [APL_FORM_QUANTITY] = read_quantity,   [APL_FORM_QUANTITIES] = read_quantities,
    [APL_FORM_SIGNAL] = read_signal,       [APL_FORM_SIGNALS] = read_signals,
};

bool apl_field_read(form_reader* r, const apl_field* f, const text_node* node, void* out) {
  return readers[f->form](r, f, node, (char*)out + f->offset);
}

/* The entry before another one; NULL for the first one. */
static const text_node* before(const text_node* map, const text_node* entry) {
  const text_node* at = map->first;

  while (at != entry && at->next != entry)
    at = at->next;
  return at == entry ? NULL : at;
}

static bool unknown_key(form_reader* r, const text_node* map, const text_node* entry,
                        const field_set* set, int nset) {
  apl_nearest near = {.word = entry->key};
  char hint[96];

  /* YAML reads {mass: 1,5 kg} as a mass of 1 and a key '5 kg' without a value */
  if (apl_node_empty(entry) && entry->key[0] >= '0' && entry->key[0] <= '9') {
    const text_node* last = before(map, entry);
    if (last == NULL || last->kind != TEXT_SCALAR)
      return apl_form_refuse(r, entry->key_at, entry->key, "decimals take a point, not a comma");
    return apl_form_refuse(r, last->at, last->key,
                           "decimals take a point, not a comma: '%.20s.%.20s', not '%.20s,%.20s'",
                           last->text, entry->key, last->text, entry->key);
  }
  for (int s = 0; s < nset; ++s) {
    for (const apl_field* f = set[s].field; f->name != NULL; ++f)
      apl_nearest_offer(&near, f->name);
  }
  return apl_form_refuse(r, entry->key_at, entry->key, "this key is not known here%s",
                         apl_nearest_text(&near, hint));
}

/* Read the value of one key; false if it was refused. */
static bool read_entry(form_reader* r, const text_node* map, const text_node* entry, field_set* set,
                       int nset) {
  for (int s = 0; s < nset; ++s) {
    for (int i = 0; set[s].field[i].name != NULL; ++i) {
      const apl_field* f = &set[s].field[i];
      if (strcmp(f->name, entry->key) != 0) continue;
      set[s].given |= 1ULL << i;
      if (set[s].mark != NULL) set[s].mark[i] = entry->at;
      return apl_field_read(r, f, entry, set[s].out);
    }
  }
  return unknown_key(r, map, entry, set, nset);
}

bool apl_fields_read(form_reader* r, const text_node* map, field_set* set, int nset) {
  bool ok = true;
  char shown[64];

  if (map->kind != TEXT_MAP) {
    size_t n = strlen(r->where); /* ends with "." or ": ", because a key follows as a rule */
    while (n > 0 && strchr(". :", r->where[n - 1]) != NULL)
      --n;
    apl_report_add(r->report, APL_ERR_SYNTAX, map->at,
                   "%.*s: expected keys and values such as {%s: ..}, got %s", n > 0 ? (int)n : 5,
                   n > 0 ? r->where : "model",
                   set[0].field[0].name == NULL ? "key" : set[0].field[0].name,
                   apl_node_show(map, shown));
    return false;
  }
  for (const text_node* entry = map->first; entry != NULL; entry = entry->next)
    ok = read_entry(r, map, entry, set, nset) && ok;
  for (int s = 0; s < nset; ++s) {
    unsigned long long given = set[s].given;
    for (const apl_field* f; (f = apl_field_missing(set[s].field, given)) != NULL;) {
      given |= 1ULL << (f - set[s].field);
      ok = apl_form_refuse(r, map->key_at, f->name, "is missing (%s)", f->sentence);
    }
  }
  return ok;
}
