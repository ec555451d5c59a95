/* meshes.c: where the meshes of a file are, and which are not there or out of reach. */
#define _XOPEN_SOURCE 700 /* stat */
#include "spec/file_impl.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static apl_status find_mesh(const apl_file* file, const char* name, char path[APL_REACH_PATH],
                            apl_error* err) {
  static const char scheme[] = "file://";
  const bool url = strncmp(name, scheme, sizeof scheme - 1) == 0;

  return apl_reach_file(&file->reach, url ? name + sizeof scheme - 1 : name, path, err);
}

const char* apl_file_mesh_path(const apl_file* file, int shape, char* path, size_t size) {
  const apl_shape s = apl_file_shape(file, shape);
  char found[APL_REACH_PATH];
  apl_error err;

  if (s.link < 0 || strcmp(s.type, "mesh") != 0 || s.file == NULL) return "";
  if (find_mesh(file, s.file, found, &err) != APL_OK || strlen(found) >= size) return "";
  return strcpy(path, found);
}

static void warn(apl_report* report, const spec_link* link, const spec_shape* s, const char* path,
                 const char* why) {
  struct stat info;
  const bool there = stat(path, &info) == 0;

  apl_report_warn(report, s->mark,
                  "mesh '%.120s' of link '%.64s' %s%s; the link is drawn without it", s->file,
                  link->name, there ? "cannot be read: " : "does not exist", there ? why : "");
}

void apl_meshes_look(const apl_file* file, apl_report* report) {
  char path[APL_REACH_PATH];
  apl_error err;

  for (int l = 0; l < file->spec->nlink; ++l) {
    const spec_link* link = file->spec->link[l];
    for (int i = 0; i < link->nshape; ++i) {
      const spec_shape* s = &link->shape[i];
      if (strcmp(s->type, "mesh") != 0 || find_mesh(file, s->file, path, &err) == APL_OK) continue;
      warn(report, link, s, path, err.text);
    }
  }
}
