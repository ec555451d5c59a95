/* SPDX-License-Identifier: Apache-2.0 */
/* meshes.c: find the mesh files of a model, and warn of meshes that do not exist or may not be
   read. */
#define _XOPEN_SOURCE 700 /* stat */
#include "spec/file_impl.h"

#include "text/place.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static apl_status find_mesh(const apl_file* file, const char* name, char path[APL_REACH_PATH],
                            apl_error* err) {
  return apl_reach_file(&file->reach, apl_place_local(name), path, err);
}

const char* apl_file_mesh_path(const apl_file* file, int shape, char* path, size_t size) {
  const apl_shape s = apl_file_shape(file, shape);
  char found[APL_REACH_PATH];
  apl_error err;

  if (s.link < 0 || strcmp(s.type, "mesh") != 0 || s.file == NULL) return "";
  if (find_mesh(file, s.file, found, &err) != APL_OK || strlen(found) >= size) return "";
  return strcpy(path, found);
}

apl_status apl_file_allows(const apl_file* file, const char* path, apl_error* err) {
  return apl_reach_path(&file->reach, path, err);
}

const char* apl_file_told(const apl_file* file, const char* path) {
  const char* folder = file == NULL || file->reach.folder == NULL ? "" : file->reach.folder;
  const size_t n = strlen(folder);
  const char* rest = strncmp(path, folder, n) == 0 ? path + n : path;

  return rest[0] == '/' ? strrchr(rest, '/') + 1 : rest;
}

/* Why a mesh is not drawn. There is one warning for all meshes with the same reason. */
typedef enum mesh_fault { LOST, GONE, OUTSIDE, UNREADABLE, FAULTS } mesh_fault;

typedef struct fault_list {
  int count;
  apl_mark at; /* these and the next members are those of the first mesh with this reason */
  const char *file, *link;
  char why[sizeof((apl_error*)NULL)->text];
} fault_list;

static mesh_fault fault_of(const spec_shape* s, const char* path, const char* why) {
  struct stat info;

  if (strncmp(s->file, "package://", 10) == 0) return LOST;
  if (stat(path, &info) != 0) return GONE;
  return strstr(why, "lies outside of the folder") != NULL ? OUTSIDE : UNREADABLE;
}

/* The last part of a long name, "..ur5/visual/base.dae". */
static const char* ending(const char* name, char out[100]) {
  const size_t n = strlen(name);

  snprintf(out, 100, "%s%s", n > 96 ? ".." : "", n > 96 ? name + n - 96 : name);
  return out;
}

static void tell(apl_report* report, mesh_fault fault, const fault_list* f) {
  char name[100];
  const bool one = f->count == 1;
  const char* file = ending(f->file, name);
  char which[220], left[60];

  if (one) snprintf(which, sizeof which, "mesh '%s' of link '%.64s'", file, f->link);
  if (!one)
    snprintf(which, sizeof which, "%d meshes, the first '%s' of link '%.64s',", f->count, file,
             f->link);
  snprintf(left, sizeof left, "the link%s drawn without %s", one ? " is" : "s are",
           one ? "it" : "them");
  if (fault == LOST) {
    const char* package = f->file + 10 + strspn(f->file + 10, "/");
    const size_t n = strcspn(package, "/");
    apl_report_warn(report, f->at,
                    "%s do%s not exist in package '%.*s' nor in the folders above the file; name "
                    "the folder that has the package with --package-path or ROS_PACKAGE_PATH; %s",
                    which, one ? "es" : "", n < 64 ? (int)n : 64, package, left);
  } else if (fault == GONE) {
    apl_report_warn(report, f->at, "%s do%s not exist; %s", which, one ? "es" : "", left);
  } else {
    apl_report_warn(report, f->at, "%s cannot be read: %s", which, f->why);
  }
}

void apl_meshes_look(const apl_file* file, apl_report* report) {
  char path[APL_REACH_PATH];
  apl_error err;
  fault_list list[FAULTS] = {0};

  for (int l = 0; l < file->spec->nlink; ++l) {
    const spec_link* link = file->spec->link[l];
    for (int i = 0; i < link->nshape; ++i) {
      const spec_shape* s = &link->shape[i];
      if (strcmp(s->type, "mesh") != 0 || find_mesh(file, s->file, path, &err) == APL_OK) continue;
      const mesh_fault fault = fault_of(s, path, err.text);
      fault_list* f = &list[fault];
      if (f->count++ > 0) continue;
      f->at = s->mark, f->file = s->file, f->link = link->name;
      snprintf(f->why, sizeof f->why, "%s", err.text);
    }
  }
  for (int k = 0; k < FAULTS; ++k) {
    if (list[k].count > 0) tell(report, (mesh_fault)k, &list[k]);
  }
}

apl_status apl_file_seen_from(apl_file* file, const char* path) {
  const char* slash = strrchr(path, '/');
  const size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1;
  char folder[APL_REACH_PATH], found[APL_REACH_PATH], seen[APL_REACH_PATH];
  apl_error err;

  if (n >= sizeof folder) return APL_ERR_ARGUMENT;
  snprintf(folder, sizeof folder, "%.*s", (int)n, path);
  for (int l = 0; l < file->spec->nlink; ++l) {
    spec_link* link = file->spec->link[l];
    for (int i = 0; i < link->nshape; ++i) {
      spec_shape* s = &link->shape[i];
      if (strcmp(s->type, "mesh") != 0 || apl_place_absolute(s->file) ||
          find_mesh(file, s->file, found, &err) != APL_OK || !apl_place_seen(folder, found, seen))
        continue;
      s->file = apl_pool_text(&file->spec->pool, seen);
      if (s->file == NULL) return APL_ERR_MEMORY;
    }
  }
  return APL_OK;
}
