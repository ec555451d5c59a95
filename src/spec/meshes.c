/* meshes.c: where the meshes of a file are, and which are not there. */
#include "spec/file_impl.h"

#include <stdio.h>
#include <string.h>

static const char* path_of(const apl_file* file, const char* name, char* path, size_t size) {
  static const char scheme[] = "file://";
  const bool url = strncmp(name, scheme, sizeof scheme - 1) == 0;
  const char* plain = url ? name + sizeof scheme - 1 : name;
  const int n = snprintf(path, size, "%s%s", plain[0] == '/' ? "" : file->folder, plain);

  return n > 0 && (size_t)n < size ? path : "";
}

const char* apl_file_mesh_path(const apl_file* file, int shape, char* path, size_t size) {
  const apl_shape s = apl_file_shape(file, shape);

  if (s.link < 0 || strcmp(s.type, "mesh") != 0 || s.file == NULL) return "";
  return path_of(file, s.file, path, size);
}

void apl_meshes_look(const apl_file* file, apl_report* report) {
  char path[4096];

  for (int l = 0; l < file->spec->nlink; ++l) {
    const spec_link* link = file->spec->link[l];
    for (int i = 0; i < link->nshape; ++i) {
      const spec_shape* s = &link->shape[i];
      if (strcmp(s->type, "mesh") != 0) continue;
      FILE* f = fopen(path_of(file, s->file, path, sizeof path), "rb");
      if (f == NULL)
        apl_report_warn(report, s->mark,
                        "mesh '%.200s' of link '%.64s' is not there; the link is drawn "
                        "from its numbers",
                        s->file, link->name);
      if (f != NULL) fclose(f);
    }
  }
}
