/* SPDX-License-Identifier: Apache-2.0 */
/* page.c: writes the replay page around the JSON of a run.

   The JSON stands inside a <script> element, where HTML knows no escapes but ends the element at
   the first "</script" and, worse, changes its mind about ends after "<!--". In JSON a '<' can only
   be part of a string, so writing each one as \u003c keeps the meaning and leaves HTML nothing to
   see. */
#define _XOPEN_SOURCE 700 /* dup, fdopen */
#include "show/page.h"

#include "base/error.h"
#include "record/part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char before[] = "<script id=\"appell-data\" type=\"application/json\">";
static const char placeholder[] = "APPELL_DATA</script>";

/* Position of the placeholder in the page, or the page's size if there is none. */
static size_t find_placeholder(void) {
  const size_t nb = sizeof before - 1;
  const size_t np = sizeof placeholder - 1;

  for (size_t i = 0; i + nb + np <= apl_viewer_page_size; i++) {
    if (memcmp(apl_viewer_page + i, before, nb) == 0 &&
        memcmp(apl_viewer_page + i + nb, placeholder, np) == 0)
      return i + nb;
  }
  return apl_viewer_page_size;
}

static int put(FILE* f, const void* bytes, size_t n) {
  return fwrite(bytes, 1, n, f) == n;
}

/* Replacement of the character at s, and its length; NULL: none needed. */
static const char* escape(const char* s, size_t left, size_t* length) {
  *length = 1;
  if (s[0] == '<') return "\\u003c";
  /* U+2028 and U+2029 end lines in old JavaScript, though not in JSON */
  if (left >= 3 && memcmp(s, "\xe2\x80", 2) == 0 && (s[2] == '\xa8' || s[2] == '\xa9')) {
    *length = 3;
    return s[2] == '\xa8' ? "\\u2028" : "\\u2029";
  }
  return NULL;
}

static int put_json(FILE* f, const char* json, size_t n) {
  size_t done = 0;

  for (size_t i = 0; i < n;) {
    size_t length;
    const char* other = escape(json + i, n - i, &length);

    if (other != NULL) {
      if (!put(f, json + done, i - done) || !put(f, other, strlen(other))) return 0;
      done = i + length;
    }
    i += length;
  }
  return put(f, json + done, n - done);
}

static int put_page(FILE* f, size_t at, const char* json, size_t n) {
  const size_t rest = at + strlen("APPELL_DATA");

  return put(f, apl_viewer_page, at) && put_json(f, json, n) &&
         put(f, apl_viewer_page + rest, apl_viewer_page_size - rest) && fflush(f) == 0;
}

/* Uses a separate stream, so that stream and part are closed independently. */
static apl_status write_to(apl_part* part, size_t at, const char* json, size_t n, apl_error* err) {
  const int fd = dup(part->fd);
  FILE* f = fd < 0 ? NULL : fdopen(fd, "wb");
  int reason = f != NULL && put_page(f, at, json, n) ? 0 : errno;

  if (f == NULL && fd >= 0) close(fd);
  if (f != NULL && fclose(f) != 0 && reason == 0) reason = errno;
  const apl_status st = reason == 0 ? apl_part_keep(part, err)
                                    : apl_fail(err, APL_ERR_IO, "'%s' cannot be written: %s",
                                               part->path, strerror(reason));
  apl_part_drop(part, true);
  return st;
}

/* Position for the data; an error if the page cannot be made. */
static apl_status find_place(size_t* at, apl_error* err) {
  if (apl_viewer_page_size == 0) {
    return apl_fail(err, APL_ERR_IO,
                    "this Appell was built without its replay page: install nodejs and npm, then "
                    "configure with -DAPPELL_VIEWER=ON and build again");
  }
  *at = find_placeholder();
  return *at == apl_viewer_page_size
             ? apl_fail(err, APL_ERR_IO, "the replay page in this Appell has no place for data")
             : APL_OK;
}

apl_status apl_page_write(const char* path, const char* json, size_t n, apl_error* err) {
  apl_part part;
  size_t at;

  if (path == NULL || *path == '\0' || (json == NULL && n > 0))
    return apl_fail(err, APL_ERR_ARGUMENT, "a page needs a file name and a text");
  apl_status st = find_place(&at, err);
  if (st == APL_OK) st = apl_part_open(&part, path, true, err);
  return st == APL_OK ? write_to(&part, at, json, n, err) : st;
}

apl_status apl_page_text(const char* json, size_t n, char** text, size_t* size, apl_error* err) {
  size_t at;
  const apl_status st = find_place(&at, err);

  *text = NULL;
  if (st != APL_OK) return st;
  FILE* f = open_memstream(text, size);
  const int whole = f != NULL && put_page(f, at, json, n);
  if (f != NULL && fclose(f) == 0 && whole) return APL_OK;
  free(*text);
  *text = NULL;
  return apl_fail(err, APL_ERR_MEMORY, "out of memory for the page");
}
