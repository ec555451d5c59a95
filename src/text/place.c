/* SPDX-License-Identifier: Apache-2.0 */
/* place.c: see place.h. Symbolic links in the folders are resolved first, because `..` after one of
   them does not mean the folder before it; the last component of the path keeps its name. */
#define _XOPEN_SOURCE 700 /* realpath, stat */
#include "text/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool apl_place_exists(const char* path) {
  struct stat info;

  return stat(path, &info) == 0;
}

const char* apl_place_local(const char* name) {
  static const char* const scheme[] = {"file://", "file:"};

  for (int i = 0; i < 2; ++i) {
    const size_t n = strlen(scheme[i]);
    if (strncmp(name, scheme[i], n) == 0 && (i == 0 || name[n] == '/')) return name + n;
  }
  return name;
}

bool apl_place_absolute(const char* name) {
  return name[0] == '/' || strstr(name, "://") != NULL || apl_place_local(name) != name;
}

bool apl_place_real(const char* path, char out[APL_REACH_PATH]) {
  char* real = realpath(path, NULL);
  const bool ok = real != NULL && strlen(real) < APL_REACH_PATH;

  if (ok) strcpy(out, real);
  free(real);
  return ok;
}

/* The folder of a path without symbolic links, no '/' at its end; malloc'ed, NULL without one. */
static char* real_folder(const char* path, size_t n) {
  char name[APL_REACH_PATH];

  if (n >= sizeof name) return NULL;
  snprintf(name, sizeof name, "%.*s", (int)n, path);
  return realpath(n == 0 ? "." : name, NULL);
}

/* Length of the common folders of two absolute paths, whole components only: 4 for /a/b/c and
   /a/b. */
static size_t common(const char* a, const char* b) {
  size_t whole = 0, i = 0;

  for (; a[i] != '\0' && a[i] == b[i]; ++i) {
    if (a[i] == '/') whole = i;
  }
  const bool ends = (a[i] == '\0' || a[i] == '/') && (b[i] == '\0' || b[i] == '/');
  return ends ? i : whole;
}

static bool join(const char* from, const char* to, const char* name, char out[APL_REACH_PATH]) {
  const size_t same = common(from, to);
  size_t n = 0;

  if (same <= 1)
    return snprintf(out, APL_REACH_PATH, "%s/%s", to[1] == '\0' ? "" : to, name) < APL_REACH_PATH;
  out[0] = '\0';
  for (const char* c = from + same; *c != '\0'; ++c) {
    if (*c == '/' && n + 4 < APL_REACH_PATH) n += (size_t)sprintf(out + n, "../");
  }
  const char* rest = to + same + (to[same] == '/');
  return snprintf(out + n, APL_REACH_PATH - n, "%s%s%s", rest, *rest == '\0' ? "" : "/", name) <
         (int)(APL_REACH_PATH - n);
}

bool apl_place_seen(const char* folder, const char* path, char out[APL_REACH_PATH]) {
  const char* slash = strrchr(path, '/');
  const size_t n = slash == NULL ? 0 : (size_t)(slash - path);
  char* from = real_folder(folder, strlen(folder));
  char* to = real_folder(slash == path ? "/" : path, slash == path ? 1 : n);
  const bool ok = from != NULL && to != NULL && apl_place_exists(path) &&
                  join(from, to, slash == NULL ? path : slash + 1, out);

  free(from);
  free(to);
  return ok;
}
