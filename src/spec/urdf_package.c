/* urdf_package.c: where the meshes of a URDF are. ROS writes package://NAME/REST, and the folder of
   a package is called NAME: it stands in one of the folders of the package path, is one of them, or
   is one of the folders above the URDF itself (or stands beside one of these). */
#define _XOPEN_SOURCE 700 /* stat */
#include "spec/urdf_impl.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { LONGEST = 1024 };

static bool exists(const char* path) {
  struct stat info;

  return stat(path, &info) == 0; /* not opened: it may be a pipe */
}

/* Is `folder` (n letters, no slash at its end) called `name`? */
static bool called(const char* folder, size_t n, const char* name, size_t length) {
  if (n < length || memcmp(folder + n - length, name, length) != 0) return false;
  return n == length || folder[n - length - 1] == '/';
}

/* FOLDER/NAME/REST, or FOLDER/REST where the folder itself is the package. `out` has LONGEST. */
static bool try_folder(const char* folder, size_t n, const char* name, size_t length, char* out) {
  while (n > 1 && folder[n - 1] == '/')
    --n;
  if (n + strlen(name) + 2 > LONGEST) return false;
  snprintf(out, LONGEST, "%.*s%s%s", (int)n, folder, n > 0 ? "/" : "", name);
  if (exists(out)) return true;
  if (!called(folder, n, name, length)) return false;
  snprintf(out, LONGEST, "%.*s%s", (int)n, folder, name + length);
  return exists(out);
}

/* `name` is NAME/REST, NAME with `length` letters. */
static bool find(const urdf* u, const char* name, size_t length, char* out) {
  const char* path = u->options->package_path == NULL ? "" : u->options->package_path;
  const char* above = u->file->reach.folder;

  while (*path != '\0') {
    const size_t n = strcspn(path, ":");
    if (n > 0 && try_folder(path, n, name, length, out)) return true;
    path += n + (path[n] == ':');
  }
  for (size_t n = strlen(above); n > 0;) {
    if (try_folder(above, n, name, length, out)) return true;
    while (n > 0 && above[n - 1] == '/')
      --n;
    while (n > 0 && above[n - 1] != '/')
      --n;
  }
  return try_folder("", 0, name, length, out);
}

/* Each package is told once. */
static void tell_lost(urdf* u, const xml_node* node, const char* name, size_t length) {
  const int most = (int)(sizeof u->lost / sizeof *u->lost);

  for (int i = 0; i < u->nlost; ++i) {
    if (strncmp(u->lost[i], name, length + 1) == 0) return;
  }
  if (u->nlost == most) return;
  u->lost[u->nlost++] = name;
  apl_urdf_note(u, APL_IGNORED, node,
                "package '%.*s' was not found: name the folder that has it with --package-path or "
                "ROS_PACKAGE_PATH; its meshes keep their names",
                (int)length, name);
}

const char* apl_urdf_mesh(urdf* u, const xml_node* node, const char* text) {
  static const char package[] = "package://";
  char path[LONGEST];

  if (strncmp(text, package, sizeof package - 1) != 0) return text;
  const char* name = text + sizeof package - 1;
  const size_t length = strcspn(name, "/");
  if (length == 0) return text;
  if (!find(u, name, length, path)) {
    tell_lost(u, node, name, length);
    return text;
  }
  const char* copy = apl_pool_text(&u->spec->pool, path);
  return copy == NULL ? text : copy;
}
