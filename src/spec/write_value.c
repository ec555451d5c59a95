/* write_value.c: one function per form of value, then the walk over a table. */
#include "spec/write.h"

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

static void write_inertia(text_out* o, const double* I) {
  const char* comma = "";

  apl_out_add(o, "{");
  for (int k = 0; k < 6; ++k) {
    if (I[k] == 0.0) continue;
    apl_out_add(o, "%s%s: ", comma, apl_inertia_fields[k].name);
    apl_out_numbers(o, &I[k], 1);
    comma = ", ";
  }
  apl_out_add(o, "}");
}

static void write_pose(text_out* o, apl_pose p) {
  const double position[] = {p.position.x, p.position.y, p.position.z};
  const double q[] = {p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z};
  const bool turned = q[0] != 1.0 || q[1] != 0.0 || q[2] != 0.0 || q[3] != 0.0;

  if (turned) apl_out_add(o, "{position: ");
  apl_out_numbers(o, position, 3);
  if (!turned) return;
  apl_out_add(o, ", rotation: {quaternion: ");
  apl_out_numbers(o, q, 4);
  apl_out_add(o, "}}");
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

/* 3 when all are alike, else {word: 3, ..} without the zeros */
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

static void write_value(text_out* o, const apl_field* f, const void* at) {
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
    write_inertia(o, at);
    return;
  case APL_FORM_POSE:
    memcpy(&place, at, sizeof place);
    write_pose(o, place);
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

/* texts, and numbers that are still texts, are equal by what they say, everything else by its
   bytes; a quantity begins with its text */
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
    write_value(o, &field[i], at);
    *comma = ", ";
  }
}

void apl_signal_write(text_out* o, const spec_signal* s) {
  const signal_kind* kind = &apl_signal_kinds[s->type];
  const char* comma = "";

  if (kind->word != NULL) apl_out_add(o, "{%s: ", kind->word);
  if (kind->bare) {
    write_value(o, kind->field, (const char*)s + kind->field->offset);
  } else {
    apl_out_add(o, "{");
    apl_fields_write(o, kind->field, s, APL_ALL_FIELDS, &comma);
    apl_out_add(o, "}");
  }
  if (kind->word != NULL) apl_out_add(o, "}");
}
