/* SPDX-License-Identifier: Apache-2.0 */
/* out.c: appending, and the two YAML scalars that need care: texts and numbers. */
#include "text/out.h"

#include "text/number.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(text_out* out, size_t more) {
  if (out->failed) return false;
  if (out->used + more < out->room) return true;

  const size_t room = 2 * (out->used + more) + 256;
  char* larger = realloc(out->text, room);
  if (larger == NULL) {
    out->failed = true;
    return false;
  }
  out->text = larger;
  out->room = room;
  return true;
}

void apl_out_add(text_out* out, const char* format, ...) {
  va_list args;

  va_start(args, format);
  const int n = vsnprintf(NULL, 0, format, args);
  va_end(args);
  if (n < 0 || !reserve(out, (size_t)n + 1)) return;

  va_start(args, format);
  vsnprintf(out->text + out->used, (size_t)n + 1, format, args);
  va_end(args);
  out->used += (size_t)n;
}

char* apl_out_take(text_out* out) {
  apl_out_add(out, "%s", "");
  char* text = out->text;
  const bool failed = out->failed;

  *out = (text_out){0};
  if (!failed) return text;
  free(text);
  return NULL;
}

/* True if all YAML versions read the word as text. */
static bool plain(const char* text) {
  static const char* const special[] = {"true", "false", "null", "yes", "no",
                                        "on",   "off",   "y",    "n"};

  if (!isalpha((unsigned char)text[0])) return false;
  for (const char* c = text; *c != '\0'; ++c) {
    if (!(isalnum((unsigned char)*c) || strchr("_-./ ", *c) != NULL)) return false;
    if (*c == ' ' && (c[1] == ' ' || c[1] == '\0' || c[1] == '-')) return false;
  }
  for (size_t i = 0; i < sizeof special / sizeof *special; ++i) {
    size_t k = 0;
    while (text[k] != '\0' && tolower((unsigned char)text[k]) == special[i][k])
      ++k;
    if (text[k] == '\0' && special[i][k] == '\0') return false;
  }
  return true;
}

void apl_out_scalar(text_out* out, const char* text) {
  if (plain(text)) {
    apl_out_add(out, "%s", text);
    return;
  }
  apl_out_add(out, "\"");
  for (const char* c = text; *c != '\0'; ++c) {
    if (*c == '"' || *c == '\\') {
      apl_out_add(out, "\\%c", *c);
    } else if ((unsigned char)*c < 0x20 || *c == 0x7f) {
      apl_out_add(out, "\\x%02x", (unsigned)(unsigned char)*c);
    } else {
      apl_out_add(out, "%c", *c);
    }
  }
  apl_out_add(out, "\"");
}

void apl_out_numbers(text_out* out, const double* value, int n) {
  char text[APL_NUMBER_SIZE];

  if (n != 1) apl_out_add(out, "[");
  for (int k = 0; k < n; ++k)
    apl_out_add(out, "%s%s", k == 0 ? "" : ", ", apl_number_write(value[k], text));
  if (n != 1) apl_out_add(out, "]");
}

void apl_out_node(text_out* out, const text_node* node) {
  const char* comma = "";

  if (node->kind == TEXT_SCALAR) {
    const char* end;
    apl_number_read(node->text, &end);
    if (apl_node_empty(node)) {
      apl_out_add(out, "null");
    } else if (!node->quoted && end != node->text && *end == '\0') {
      apl_out_add(out, "%s", node->text);
    } else {
      apl_out_scalar(out, node->text);
    }
    return;
  }
  apl_out_add(out, node->kind == TEXT_MAP ? "{" : "[");
  for (const text_node* c = node->first; c != NULL; c = c->next) {
    apl_out_add(out, "%s", comma);
    if (node->kind == TEXT_MAP) {
      apl_out_scalar(out, c->key);
      apl_out_add(out, ": ");
    }
    apl_out_node(out, c);
    comma = ", ";
  }
  apl_out_add(out, node->kind == TEXT_MAP ? "}" : "]");
}
