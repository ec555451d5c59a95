/* SPDX-License-Identifier: Apache-2.0 */
/* form_write.c: the counterpart of form.c: one function for each form of value, then all rows of a
   table. Every number is written such that it reads back to the same double. */
#include "spec/form.h"

#include <string.h>

static void write_axis(text_out* o, const double* axis) {
  static const char* const word[] = {"x", "y", "z", "-x", "-y", "-z"};
  int at = -1, others = 0;

  for (int k = 0; k < 3; ++k) {
    if (axis[k] == 1.0)
      at = k;
    else if (axis[k] == -1.0)
      at = k + 3;
    else
      others += axis[k] == 0.0;
  }
  if (at >= 0 && others == 2)
    apl_out_add(o, "%s", word[at]);
  else
    apl_out_numbers(o, axis, 3);
}

static void write_set(text_out* o, const char* const* words, const void* at) {
  const char* comma = "";
  unsigned set;

  memcpy(&set, at, sizeof set);
  apl_out_add(o, "[");
  for (int k = 0; words[k] != NULL; ++k) {
    if ((set >> k & 1u) == 0) continue;
    apl_out_add(o, "%s%s", comma, words[k]);
    comma = ", ";
  }
  apl_out_add(o, "]");
}

/* Counts: 3 if all are equal, else {word: 3, ..} without the zeros. */
static void write_counts(text_out* o, const apl_field* f, const int* count) {
  const char* comma = "";
  bool alike = true;

  for (int k = 1; k < f->count; ++k)
    alike = alike && count[k] == count[0];
  if (alike) {
    apl_out_add(o, "%d", count[0]);
    return;
  }
  apl_out_add(o, "{");
  for (int k = 0; k < f->count; ++k) {
    if (count[k] == 0) continue;
    apl_out_add(o, "%s%s: %d", comma, f->words[k], count[k]);
    comma = ", ";
  }
  apl_out_add(o, "}");
}

static void write_table(text_out* o, const void* at) {
  const apl_columns* t;

  memcpy(&t, at, sizeof t);
  for (int c = 0; c < t->ncolumn; ++c) {
    apl_out_add(o, c == 0 ? "{" : ", ");
    apl_out_scalar(o, t->name[c]);
    apl_out_add(o, ": ");
    apl_out_numbers(o, t->value[c], t->nrow);
  }
  apl_out_add(o, "}");
}

static void write_quantities(text_out* o, const spec_quantities* list) {
  apl_out_add(o, "[");
  for (int k = 0; k < list->n; ++k) {
    apl_out_add(o, k == 0 ? "" : ", ");
    apl_out_scalar(o, list->item[k].text);
  }
  apl_out_add(o, "]");
}

static void write_signals(text_out* o, const spec_signals* list) {
  apl_out_add(o, "[");
  for (int k = 0; k < list->n; ++k) {
    apl_out_add(o, k == 0 ? "" : ", ");
    apl_signal_write(o, list->item[k]);
  }
  apl_out_add(o, "]");
}

void apl_value_write(text_out* o, const apl_field* f, const void* at) {
  const char* text;
  apl_pose place;
  int whole;

  switch (f->form) {
  case APL_FORM_NUMBERS:
    apl_out_numbers(o, at, f->count);
    return;
  case APL_FORM_AXIS:
    write_axis(o, at);
    return;
  case APL_FORM_INERTIA:
    apl_inertia_write(o, at);
    return;
  case APL_FORM_POSE:
    memcpy(&place, at, sizeof place);
    apl_pose_write(o, place);
    return;
  case APL_FORM_FLAG:
    apl_out_add(o, *(const bool*)at ? "true" : "false");
    return;
  case APL_FORM_WHOLE:
    memcpy(&whole, at, sizeof whole);
    apl_out_add(o, "%d", whole);
    return;
  case APL_FORM_COUNTS:
    write_counts(o, f, at);
    return;
  case APL_FORM_TEXT:
  case APL_FORM_CHOICE:
    memcpy(&text, at, sizeof text);
    apl_out_scalar(o, text);
    return;
  case APL_FORM_SET:
    write_set(o, f->words, at);
    return;
  case APL_FORM_TABLE:
    write_table(o, at);
    return;
  case APL_FORM_QUANTITY:
    apl_out_scalar(o, ((const spec_quantity*)at)->text);
    return;
  case APL_FORM_QUANTITIES:
    write_quantities(o, at);
    return;
  case APL_FORM_SIGNAL:
    apl_signal_write(o, *(const spec_signal* const*)at);
    return;
  case APL_FORM_SIGNALS:
    write_signals(o, at);
    return;
  case APL_FORM_BLOCK:
    return;
  }
}

static const char* text_at(const void* at) {
  const char* text;
  memcpy(&text, at, sizeof text);
  return text;
}

/* Is the value equal to the default? Texts and quantities are compared as strings (a
   spec_quantity begins with its text), all other values by their bytes. */
static bool is_default(const apl_field* f, const void* at) {
  const bool text = f->form == APL_FORM_TEXT || f->form == APL_FORM_CHOICE;

  if (f->fallback == NULL) return false;
  if (!text && f->form != APL_FORM_QUANTITY) return memcmp(at, f->fallback, apl_field_size(f)) == 0;
  const char *a = text_at(at), *b = text_at(f->fallback);
  return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

void apl_fields_write(text_out* o, const apl_field* field, const void* from,
                      unsigned long long given, const char** comma) {
  for (int i = 0; field[i].name != NULL; ++i) {
    const void* at = (const char*)from + field[i].offset;
    const bool absent = field[i].fallback == NULL && (given >> i & 1) == 0;
    if (field[i].form == APL_FORM_BLOCK || absent || is_default(&field[i], at)) continue;
    apl_out_add(o, "%s%s: ", *comma, field[i].name);
    apl_value_write(o, &field[i], at);
    *comma = ", ";
  }
}
