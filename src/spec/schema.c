/* SPDX-License-Identifier: Apache-2.0 */
/* schema.c: JSON Schema of model files, for editors, made from the tables of the reader. */
#include "spec/file_impl.h"
#include "spec/repeat.h"

#include <jansson.h>
#include <stdlib.h>

/* All functions here return new references, which the *_new calls of jansson take over. If an
   allocation fails, its NULL makes the calls that use it return NULL, too. */

static json_t* type(const char* word) {
  return json_pack("{s:s}", "type", word);
}

static json_t* reference(const char* definition) {
  return json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", definition));
}

/* A number, or a text such as '5 mm'. */
static json_t* quantity(const char* unit) {
  return json_pack("{s:[s,s], s:o}", "type", "number", "string", "description",
                   json_sprintf("[%s]", unit));
}

static json_t* list_of(json_t* item, int count) {
  return json_pack("{s:s, s:o, s:i, s:i}", "type", "array", "items", item, "minItems", count,
                   "maxItems", count);
}

static json_t* either(json_t* a, json_t* b) {
  return json_pack("{s:[o,o]}", "anyOf", a, b);
}

static json_t* choices(const char* const* words) {
  json_t* list = json_array();

  for (; *words != NULL; ++words)
    json_array_append_new(list, json_string(*words));
  return json_pack("{s:o}", "enum", list);
}

static json_t* value_schema(const apl_field* f) {
  switch (f->form) {
  case APL_FORM_NUMBERS:
    return f->count == 1 ? quantity(f->unit) : list_of(quantity(f->unit), f->count);
  case APL_FORM_AXIS:
    return either(choices((const char* const[]){"x", "y", "z", "-x", "-y", "-z", NULL}),
                  list_of(quantity("1"), 3));
  case APL_FORM_INERTIA:
    return either(reference("inertia"), list_of(quantity("kg m^2"), 6));
  case APL_FORM_TEXT:
    return type("string");
  case APL_FORM_FLAG:
    return type("boolean");
  case APL_FORM_WHOLE:
    return type("integer");
  case APL_FORM_COUNTS:
    return either(type("integer"),
                  json_pack("{s:s, s:o, s:o}", "type", "object", "propertyNames", choices(f->words),
                            "additionalProperties", type("integer")));
  case APL_FORM_CHOICE:
    return choices(f->words);
  case APL_FORM_SET:
    return either(choices(f->words),
                  json_pack("{s:s, s:o}", "type", "array", "items", choices(f->words)));
  case APL_FORM_POSE:
    return reference("place");
  case APL_FORM_TABLE:
    return either(type("string"),
                  json_pack("{s:s, s:{s:s, s:o}}", "type", "object", "additionalProperties", "type",
                            "array", "items", type("number")));
  case APL_FORM_QUANTITY:
    return quantity(f->unit);
  case APL_FORM_QUANTITIES:
    return json_pack("{s:s, s:o}", "type", "array", "items", quantity(f->unit));
  case APL_FORM_SIGNALS:
    return json_pack("{s:s, s:o}", "type", "array", "items", reference("signal"));
  case APL_FORM_SIGNAL:
    return reference("signal");
  case APL_FORM_BLOCK:
    break;
  }
  return reference(f->words[0]);
}

/* Add the rows of a table to `properties` and its required keys to `required`. */
static void add_rows(json_t* properties, json_t* required, const apl_field* field) {
  for (const apl_field* f = field; f->name != NULL; ++f) {
    json_t* value = value_schema(f);

    /* most editors show only the title of a value that is a $ref */
    json_object_set_new(value, "title", json_string(f->sentence));
    if (f->form == APL_FORM_NUMBERS && f->count == 1 && f->fallback != NULL) {
      const double number = *(const double*)f->fallback;
      json_object_set_new(
          value, "default",
          json_real(number)); /* no default if it is infinite, which JSON does not have */
    }
    json_object_set_new(properties, f->name, value);
    if (f->fallback == NULL) json_array_append_new(required, json_string(f->name));
  }
}

/* Items of lists and named entries may have `repeat`, which is not a row of their tables. */
static bool repeats(const grammar_block* b) {
  return b->form == BLOCK_LIST || b->form == BLOCK_NAMED;
}

static json_t* repeat_schema(void) {
  json_t* range =
      either(type("integer"), json_pack("{s:s, s:{s:s}, s:i, s:i}", "type", "array", "items",
                                        "type", "integer", "minItems", 2, "maxItems", 2));
  return json_pack("{s:s, s:s, s:o}", "type", "object", "title",
                   "this item stands for many: {k: 16} or {k: [2, 16]}; <k> and <k-1> in its texts "
                   "become numbers",
                   "additionalProperties", range);
}

static json_t* object_of(const apl_field* a, const apl_field* b, const char* word, bool copies) {
  json_t* properties = json_object();
  json_t* required = json_array();

  if (copies) json_object_set_new(properties, apl_repeat_key, reference(apl_repeat_key));
  add_rows(properties, required, a);
  if (b != NULL) add_rows(properties, required, b);
  if (word != NULL) json_object_set_new(properties, "type", json_pack("{s:s}", "const", word));
  return json_pack("{s:s, s:o, s:o, s:b}", "type", "object", "properties", properties, "required",
                   required, "additionalProperties", 0);
}

/* One alternative for each type of the block; NULL for a block without types. */
static json_t* types_of(const grammar_block* b) {
  block_type type_of;
  if (b->type == NULL) return NULL;

  json_t* list = json_array();
  if (b->brief == SHORT_TYPE) json_array_append_new(list, type("string"));
  for (int i = 0; b->type(i, &type_of); ++i)
    json_array_append_new(list, object_of(b->field, type_of.field, type_of.word, repeats(b)));
  return json_pack("{s:o}", "anyOf", list);
}

/* A signal is a quantity or a name, or {WORD: ..} with the word of its type. */
static json_t* signal_schema(void) {
  json_t* list = json_array();

  json_array_append_new(list, quantity(apl_signal_unit));
  for (int t = SIGNAL_PLAIN + 1; t < SIGNAL_TYPES; ++t) {
    const signal_kind* k = &apl_signal_kinds[t];
    json_t* value = k->bare ? value_schema(k->field) : object_of(k->field, NULL, NULL, false);
    json_array_append_new(list, json_pack("{s:s, s:s, s:{s:o}, s:[s], s:b}", "title", k->title,
                                          "type", "object", "properties", k->word, value,
                                          "required", k->word, "additionalProperties", 0));
  }
  return json_pack("{s:o}", "anyOf", list);
}

static json_t* block_schema(const grammar_block* b) {
  json_t* item = types_of(b);

  if (item == NULL && b->field != NULL) item = object_of(b->field, NULL, NULL, repeats(b));
  switch (b->form) {
  case BLOCK_MAP:
    return item;
  case BLOCK_LIST: {
    json_t* list = json_pack("{s:s, s:O}", "type", "array", "items", item);
    if (b->brief == SHORT_ITEM) return either(item, list);
    json_decref(item);
    return list;
  }
  case BLOCK_NAMED:
    if (b->brief == SHORT_SIGNAL) item = either(item, reference("signal"));
    return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", item);
  case BLOCK_NUMBERS:
    return either(quantity("unit of the freedom"), json_pack("{s:s, s:o}", "type", "array", "items",
                                                             quantity("unit of the freedom")));
  case BLOCK_NAMES:
    return either(type("string"),
                  json_pack("{s:s, s:o}", "type", "array", "items", type("string")));
  case BLOCK_SIGNALS:
    return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", reference("signal"));
  case BLOCK_SIGNAL:
    return signal_schema();
  case BLOCK_ANY:
    break;
  }
  return json_object();
}

char* apl_file_schema(void) {
  json_t* definitions = json_object();
  json_t* root = object_of(apl_model_fields, NULL, NULL, false);

  for (const grammar_block* const* b = apl_grammar_blocks; *b != NULL; ++b)
    json_object_set_new(definitions, (*b)->word, block_schema(*b));
  json_object_set_new(definitions, "inertia", object_of(apl_inertia_fields, NULL, NULL, false));
  json_object_set_new(definitions, apl_repeat_key, repeat_schema());
  json_object_set_new(
      definitions, "place",
      either(list_of(quantity("m"), 3), object_of(apl_pose_fields, NULL, NULL, false)));
  json_object_set_new(root, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
  json_object_set_new(root, "title", json_string("Appell model file"));
  json_object_set_new(root, "$defs", definitions);

  char* text = json_dumps(root, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  json_decref(root);
  return text;
}
