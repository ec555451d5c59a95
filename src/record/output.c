/* SPDX-License-Identifier: Apache-2.0 */
/* output.c: checks of output files before the work begins, and writing of files that are complete
   in memory. */
#define _XOPEN_SOURCE 700 /* stat */
#include "record/part.h"

#include "record/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A name of the list, and its resolved path. */
typedef struct place {
  const char* name;
  char* real; /* malloc'ed, NULL for a stream */
} place;

static bool is_stream(const char* path) {
  struct stat info;
  return strcmp(path, "-") == 0 ||
         (stat(path, &info) == 0 && (S_ISCHR(info.st_mode) || S_ISFIFO(info.st_mode)));
}

/* True for the same file, by name or hard link; `ending` is appended to the name of b. */
static bool same_file(const place* a, const place* b, const char* ending) {
  struct stat x, y;
  if (a->real == NULL || b->real == NULL) return false;

  const size_t n = strlen(b->real);
  if (strncmp(a->real, b->real, n) == 0 && strcmp(a->real + n, ending) == 0) return true;
  return ending[0] == '\0' && stat(a->real, &x) == 0 && stat(b->real, &y) == 0 &&
         x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static apl_status compare(const place* in, int nin, const place* out, int nout, apl_error* err) {
  for (int i = 0; i < nout; ++i) {
    for (int k = 0; k < nin; ++k) {
      if (same_file(&in[k], &out[i], "") || same_file(&in[k], &out[i], ".part")) {
        return apl_fail(err, APL_ERR_ARGUMENT,
                        "'%.80s' cannot be written: '%.80s' is read by the same command",
                        out[i].name, in[k].name);
      }
    }
    for (int k = 0; k < nout; ++k) {
      if (k != i && (same_file(&out[k], &out[i], "") || same_file(&out[k], &out[i], ".part"))) {
        return apl_fail(err, APL_ERR_ARGUMENT, "'%.80s' cannot be written twice (as '%.80s')",
                        out[i].name, out[k].name);
      }
    }
  }
  return APL_OK;
}

apl_status apl_outputs_check(const char* const* in, int nin, const char* const* out, int nout,
                             apl_error* err) {
  const int n = nin + nout;
  place* list = calloc((size_t)n + 1, sizeof *list);
  if (list == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory");

  /* names first: no file is touched before all are known to differ */
  apl_status st = APL_OK;
  int nlist = 0;
  for (int k = 0; k < n && st == APL_OK; ++k) {
    const char* name = k < nin ? in[k] : out[k - nin];
    if (name == NULL) continue;
    list[k].name = name;
    if (is_stream(name)) continue;
    list[k].real = apl_part_resolve(name);
    if (list[k].real == NULL && errno == ENOMEM)
      st = apl_fail(err, APL_ERR_MEMORY, "out of memory");
    ++nlist;
  }
  if (st == APL_OK && nlist > 1) st = compare(list, nin, list + nin, nout, err);
  for (int k = 0; k < nout && st == APL_OK; ++k) {
    if (out[k] != NULL && !is_stream(out[k])) st = apl_part_check(out[k], err);
  }
  for (int k = 0; k < n; ++k)
    free(list[k].real);
  free(list);
  return st;
}

char* apl_output_beside(const char* path, const char* word) {
  const char* slash = strrchr(path, '/');
  const char* name = slash == NULL ? path : slash + 1;
  const char* dot = strrchr(name, '.');
  if (dot == NULL || dot == name) dot = name + strlen(name);

  const size_t room = strlen(path) + strlen(word) + 2;
  char* text = malloc(room);
  if (text != NULL) snprintf(text, room, "%.*s.%s%s", (int)(dot - path), path, word, dot);
  return text;
}

apl_status apl_output_write(const char* path, const void* bytes, size_t n, apl_error* err) {
  const unsigned char* p = bytes;
  apl_part part;
  apl_status st = apl_part_open(&part, path, true, err);

  while (st == APL_OK && n > 0) {
    const ssize_t done = write(part.fd, p, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) {
      st = apl_fail(err, APL_ERR_IO, "'%s' cannot be written: %s", path,
                    done < 0 ? strerror(errno) : strerror(ENOSPC));
      break;
    }
    p += done, n -= (size_t)done;
  }
  if (st == APL_OK) st = apl_part_keep(&part, err);
  apl_part_drop(&part, true);
  return st;
}
