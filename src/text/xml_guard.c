/* SPDX-License-Identifier: Apache-2.0 */
/* xml_guard.c: one scan over the delimiters of an XML text. A text that is malformed in a way that
   could make libxml2 see other tags than this scan is refused. */
#define _XOPEN_SOURCE 700 /* strncasecmp */
#include "text/xml_guard.h"

#include <string.h>
#include <strings.h>

enum { MOST_ATTRIBUTES = 1000, DEEPEST = 250 };

typedef struct walk {
  const char *at, *end;
  int depth;
  const char* sentence; /* why the scan ends here, NULL while it continues */
} walk;

static bool begins(const walk* w, const char* word) {
  const size_t n = strlen(word);
  return (size_t)(w->end - w->at) >= n && memcmp(w->at, word, n) == 0;
}

/* Behind the next `word`, or at the end. */
static void skip(walk* w, const char* word) {
  while (w->at < w->end && !begins(w, word))
    ++w->at;
  if (w->at < w->end) w->at += strlen(word);
}

/* From the quote that opens a value to behind the one that closes it. */
static void skip_value(walk* w) {
  const char quote = *w->at++;

  while (w->at < w->end && *w->at != quote && *w->at != '<')
    ++w->at;
  if (w->at < w->end && *w->at == '<') w->sentence = "a value must not contain '<'";
  if (w->at < w->end && *w->at == quote) ++w->at;
}

/* From '<' to behind '>'. */
static void pass_tag(walk* w) {
  const bool closes = begins(w, "</");
  int attributes = 0;

  ++w->at;
  while (w->at < w->end && w->sentence == NULL && *w->at != '>') {
    if (*w->at == '<') {
      w->sentence = "a tag must not contain '<'";
    } else if (*w->at == '"' || *w->at == '\'') {
      skip_value(w);
      if (++attributes > MOST_ATTRIBUTES) w->sentence = "an element has more than 1000 attributes";
    } else {
      ++w->at;
    }
  }
  if (w->at == w->end || w->sentence != NULL) return;
  if (closes) {
    w->depth -= w->depth > 0 ? 1 : 0;
  } else if (w->at[-1] != '/' && ++w->depth > DEEPEST) {
    w->sentence = "elements are nested more than 250 levels deep";
  }
  ++w->at;
}

static void pass_mark(walk* w) {
  if (begins(w, "<!--")) {
    w->at += 4;
    skip(w, "-->");
  } else if (begins(w, "<![CDATA[")) {
    skip(w, "]]>");
  } else if (begins(w, "<!")) {
    w->sentence = "document type declarations are not supported";
  } else if (begins(w, "<?")) {
    skip(w, "?>");
  } else {
    pass_tag(w);
  }
}

/* True for encodings that contain ASCII; others may hide what this scan looks for. */
static bool is_plain(const char* name, size_t n) {
  static const char* const family[] = {"utf-8",  "utf8",    "us-ascii", "ascii", "iso-8859-",
                                       "latin1", "latin-1", "windows-", "cp12"};

  for (size_t i = 0; i < sizeof family / sizeof *family; ++i) {
    const size_t k = strlen(family[i]);
    if (n >= k && strncasecmp(name, family[i], k) == 0) return true;
  }
  return false;
}

/* libxml2 looks at the first four bytes, and at encoding=".." in <?xml .. ?>. */
static bool has_plain_encoding(const char* text, size_t size) {
  static const char word[] = "encoding";
  walk w = {.at = text, .end = text + size};

  if (begins(&w, "\xef\xbb\xbf")) w.at += 3;
  for (int i = 0; i < 4 && w.at + i < w.end; ++i) {
    if (w.at[i] == '\0' || ((unsigned char)w.at[i] & 0x80u) != 0) return false;
  }
  if (!begins(&w, "<?xml")) return true;
  walk head = w;
  skip(&head, "?>");
  w.end = head.at;
  for (skip(&w, word); w.at < w.end; skip(&w, word)) {
    while (w.at < w.end && strchr(" \t\r\n=", *w.at) != NULL)
      ++w.at;
    const char* close = w.at == w.end ? NULL : memchr(w.at + 1, *w.at, (size_t)(w.end - w.at) - 1);
    if (close == NULL || !is_plain(w.at + 1, (size_t)(close - w.at) - 1)) return false;
  }
  return true;
}

bool apl_xml_guard(const char* text, size_t size, apl_report* report) {
  walk w = {.at = text, .end = text + size};
  apl_mark at = {1, 1};

  if (!has_plain_encoding(text, size)) {
    apl_report_add(report, APL_ERR_SYNTAX, at, "the encoding of the file is not known: use UTF-8");
    return false;
  }
  while (w.at < w.end && w.sentence == NULL) {
    if (*w.at == '<') {
      pass_mark(&w);
    } else {
      ++w.at;
    }
  }
  if (w.sentence == NULL) return true;
  for (const char* c = text; c < w.at; ++c) {
    at.column = *c == '\n' ? 1 : at.column + 1;
    at.line += *c == '\n' ? 1 : 0;
  }
  apl_report_add(report, APL_ERR_SYNTAX, at, "%s", w.sentence);
  return false;
}
