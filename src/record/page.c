/* page.c: writes the replay page around the JSON of a run.

   The JSON stands inside a <script> element, where HTML knows no escapes but ends the element at
   the first "</script" and, worse, changes its mind about ends after "<!--". In JSON a '<' can only
   be part of a string, so writing each one as \u003c keeps the meaning and leaves HTML nothing to
   see. */
#include "record/page.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char before[] = "<script id=\"appell-data\" type=\"application/json\">";
static const char placeholder[] = "APPELL_DATA</script>";

/* Place of the placeholder in the page, or the page's size when it has none. */
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

/* What must be written instead of the character at s, and its length; NULL when it may stay. */
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

/* Write under a temporary name, then give it its own. */
static apl_status write_to(const char* path, const char* part, size_t at, const char* json,
                           size_t n, apl_error* err) {
  FILE* f = fopen(part, "wb");

  if (f == NULL) return apl_fail(err, APL_ERR_IO, "cannot write %s: %s", path, strerror(errno));
  int reason = put_page(f, at, json, n) ? 0 : errno;
  if (fclose(f) != 0 && reason == 0) reason = errno;
  if (reason == 0 && rename(part, path) != 0) reason = errno;
  if (reason == 0) return APL_OK;
  remove(part);
  return apl_fail(err, APL_ERR_IO, "cannot write %s: %s", path, strerror(reason));
}

apl_status apl_page_write(const char* path, const char* json, size_t n, apl_error* err) {
  if (path == NULL || *path == '\0' || (json == NULL && n > 0))
    return apl_fail(err, APL_ERR_ARGUMENT, "a page needs a file name and a text");
  if (apl_viewer_page_size == 0) {
    return apl_fail(err, APL_ERR_IO,
                    "this Appell was built without its replay page: install nodejs and npm, then "
                    "configure with -DAPPELL_VIEWER=ON and build again");
  }
  const size_t at = find_placeholder();
  if (at == apl_viewer_page_size)
    return apl_fail(err, APL_ERR_IO, "the replay page in this Appell has no place for data");

  const size_t length = strlen(path);
  char* part = malloc(length + sizeof ".part");
  if (part == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");
  memcpy(part, path, length);
  memcpy(part + length, ".part", sizeof ".part");
  const apl_status status = write_to(path, part, at, json, n, err);
  free(part);
  return status;
}
