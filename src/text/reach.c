/* SPDX-License-Identifier: Apache-2.0 */
/* reach.c: tests whether a file is below one of the folders that a model file may read. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "text/reach.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Both without symbolic links. */
static bool below(const char* path, const char* folder) {
  const size_t n = strlen(folder);

  return strncmp(path, folder, n) == 0 && (path[n] == '/' || (n > 0 && folder[n - 1] == '/'));
}

static bool holds_package(const char* folder) {
  char path[APL_REACH_PATH + 16];
  struct stat info;

  snprintf(path, sizeof path, "%s/package.xml", folder);
  return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

/* Shorten `folder` to the nearest parent with a package.xml; false if there is none. */
static bool find_package(char* folder) {
  while (!holds_package(folder)) {
    char* slash = strrchr(folder, '/');
    if (slash == NULL || slash == folder) return false;
    *slash = '\0';
  }
  return true;
}

/* In the usual layout of a robot's package, with or without package.xml, meshes are in folders
   beside that of the model file. `folder` is changed. */
static bool is_beside(const char* path, char* folder) {
  static const char* const own[] = {"urdf", "robots", "robot", "xacro", "model", "models", "yaml"};
  static const char* const beside[] = {"meshes", "mesh", "visual", "collision", "stl",      "dae",
                                       "assets", "obj",  "media",  "textures",  "materials"};
  char* slash = strrchr(folder, '/');
  bool usual = false;

  for (size_t i = 0; slash != NULL && i < sizeof own / sizeof *own; ++i)
    usual = usual || strcmp(slash + 1, own[i]) == 0;
  if (!usual) return false;
  *slash = '\0';
  for (size_t i = 0; i < sizeof beside / sizeof *beside; ++i) {
    char name[APL_REACH_PATH + 16];
    snprintf(name, sizeof name, "%s/%s", folder, beside[i]);
    if (below(path, name)) return true;
  }
  return false;
}

/* True if below one of "A:B:C". Folders that do not exist are skipped. */
static bool below_allowed(const char* path, const char* list) {
  bool found = false;

  while (list != NULL && *list != '\0' && !found) {
    char name[APL_REACH_PATH];
    const size_t n = strcspn(list, ":");
    snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : 0, list);
    char* folder = name[0] == '\0' ? NULL : realpath(name, NULL);
    found = folder != NULL && below(path, folder);
    free(folder);
    list += n + (list[n] == ':');
  }
  return found;
}

static apl_status check_place(const text_reach* reach, const char* name, const char* real,
                              apl_error* err) {
  const char* given = reach == NULL || reach->folder == NULL ? "" : reach->folder;
  char* folder = realpath(given[0] == '\0' ? "." : given, NULL);
  if (folder == NULL) {
    return errno == ENOMEM
               ? apl_fail(err, APL_ERR_MEMORY, "out of memory")
               : apl_fail(err, APL_ERR_IO, "the folder of the model file no longer exists");
  }
  char above[APL_REACH_PATH];
  snprintf(above, sizeof above, "%s", folder);
  const bool ok = below(real, folder) || is_beside(real, above) ||
                  (find_package(folder) && below(real, folder)) ||
                  below_allowed(real, reach == NULL ? NULL : reach->allow);
  free(folder);
  if (ok) return APL_OK;
  const int n = (int)(strrchr(real, '/') - real);
  const bool fits = n > 0 && n < 160;
  return apl_fail(err, APL_ERR_IO,
                  "'%.80s' lies outside of the folder of the model file; if you trust it, allow "
                  "its folder with --allow-files %.*s",
                  name, fits ? n : 6, fits ? real : "FOLDER");
}

/* `name` is what a sentence calls the file. */
static apl_status check_file(const text_reach* reach, const char* name, const char* path,
                             apl_error* err) {
  struct stat info;
  char* real = realpath(path, NULL);
  if (real == NULL) {
    return errno == ENOMEM
               ? apl_fail(err, APL_ERR_MEMORY, "out of memory")
               : apl_fail(err, APL_ERR_IO, "'%.120s' cannot be read: %s", path, strerror(errno));
  }
  const apl_status st = check_place(reach, name, real, err);
  free(real);
  if (st != APL_OK) return st;

  if (stat(path, &info) != 0) {
    return apl_fail(err, APL_ERR_IO, "'%.120s' cannot be read: %s", path, strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return apl_fail(err, APL_ERR_IO, "'%.120s' cannot be read: it is not an ordinary file", path);
  }
  if (info.st_size > (off_t)APL_REACH_BYTES) {
    return apl_fail(err, APL_ERR_IO, "'%.120s' is larger than the %d MB that a model may read",
                    path, APL_REACH_BYTES >> 20);
  }
  return APL_OK;
}

apl_status apl_reach_file(const text_reach* reach, const char* name, char path[APL_REACH_PATH],
                          apl_error* err) {
  const char* folder = name[0] == '/' || reach == NULL ? "" : reach->folder;

  if (snprintf(path, APL_REACH_PATH, "%s%s", folder, name) >= APL_REACH_PATH) {
    return apl_fail(err, APL_ERR_IO, "the name '%.60s...' is too long", name);
  }
  return check_file(reach, name, path, err);
}

apl_status apl_reach_path(const text_reach* reach, const char* path, apl_error* err) {
  return check_file(reach, path, path, err);
}
