/* SPDX-License-Identifier: Apache-2.0 */
/* urdf_package.c: where the meshes of a URDF are.

   ROS writes package://NAME/REST, and the folder of a package is called NAME: it stands in one of
   the folders of the package path, is one of them, or is one of the folders above the URDF itself
   (or stands beside one of these). Folders are renamed and single robots are copied out of their
   packages: where no folder has that name, REST is looked for from the folders above the URDF, then
   without its first parts. Names without a package are seen from the URDF, or from the folder above
   it. */
#include "spec/urdf_impl.h"

#include "text/place.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 1024 };

/* Is `folder` (n letters, no slash at its end) called `name`? */
static bool called(const char* folder, size_t n, const char* name, size_t length) {
  if (n < length || memcmp(folder + n - length, name, length) != 0) return false;
  return n == length || folder[n - length - 1] == '/';
}

/* FOLDER/REST, with n letters of the folder. */
static bool try_below(const char* folder, size_t n, const char* rest, char out[LONGEST]) {
  while (n > 1 && folder[n - 1] == '/')
    --n;
  const int size = snprintf(out, LONGEST, "%.*s%s%s", (int)n, folder, n > 0 ? "/" : "", rest);
  return size < LONGEST && apl_place_exists(out);
}

/* FOLDER/NAME/REST, or FOLDER/REST where the folder itself is the package. */
static bool try_folder(const char* folder, size_t n, const char* name, size_t length,
                       char out[LONGEST]) {
  if (try_below(folder, n, name, out)) return true;
  while (n > 1 && folder[n - 1] == '/')
    --n;
  return called(folder, n, name, length) && try_below(folder, n, name + length + 1, out);
}

/* The folders above the file: "", "..", "../..", seen from its own folder, as the names of those
   above are not in a relative path. `depth` counts from 0; false beyond the root. */
static bool folder_above(const urdf* u, int depth, char out[LONGEST]) {
  char resolved[APL_REACH_PATH];
  int n = snprintf(out, LONGEST, "%s", u->file->reach.folder);

  if (n == 0) n = snprintf(out, LONGEST, "./");
  for (int i = 0; i < depth && n + 4 < LONGEST; ++i)
    n += snprintf(out + n, LONGEST - (size_t)n, "../");
  if (n + 4 >= LONGEST || !apl_place_real(out, resolved)) return false;
  if (strlen(resolved) >= LONGEST) return false;
  strcpy(out, resolved);
  return resolved[1] != '\0';
}

/* By the name of the package; `name` is NAME/REST, NAME with `length` letters. */
static bool find_named(const urdf* u, const char* name, size_t length, char out[LONGEST]) {
  const char* path = u->options->package_path == NULL ? "" : u->options->package_path;
  char above[LONGEST];

  while (*path != '\0') {
    const size_t n = strcspn(path, ":");
    if (n > 0 && try_folder(path, n, name, length, out)) return true;
    path += n + (path[n] == ':');
  }
  for (int d = 0; folder_above(u, d, above); ++d) {
    if (try_folder(above, strlen(above), name, length, out)) return true;
  }
  return false;
}

/* By what stands behind the name: all of it, then ever less, from the folders above the file. A
   single name is no place: it counts beside the file only. */
static bool find_rest(const urdf* u, const char* rest, char out[LONGEST]) {
  char above[LONGEST];

  for (const char* part = rest; part != NULL; part = strchr(part, '/')) {
    part += *part == '/';
    const bool single = strchr(part, '/') == NULL;
    for (int d = 0; d < (single ? 1 : 64) && folder_above(u, d, above); ++d) {
      if (try_below(above, strlen(above), part, out)) return true;
    }
  }
  return false;
}

/* Each package is told once. */
static bool is_news(urdf* u, const char* name, size_t length) {
  const int most = (int)(sizeof u->lost / sizeof *u->lost);

  for (int i = 0; i < u->nlost; ++i) {
    if (strncmp(u->lost[i], name, length + 1) == 0) return false;
  }
  if (u->nlost == most) return false;
  u->lost[u->nlost++] = name;
  return true;
}

static void tell_lost(urdf* u, const xml_node* node, const char* name, size_t length) {
  if (!is_news(u, name, length)) return;
  apl_urdf_note(u, APL_IGNORED, node,
                "package '%.*s' was not found: name the folder that has it with --package-path or "
                "ROS_PACKAGE_PATH; its meshes keep their names",
                (int)length, name);
}

static void tell_guess(urdf* u, const xml_node* node, const char* name, size_t length,
                       const char* path) {
  if (!is_news(u, name, length)) return;
  apl_urdf_note(u, APL_TRANSLATED, node,
                "no folder is called '%.*s' as the package is: its files are found by the rest of "
                "their names, the first as '%.120s'",
                (int)length, name, path);
}

/* A found path as the model file names it: as seen from the folder of the file. A package path that
   is absolute stays so. */
static const char* keep(urdf* u, const char* found, const char* otherwise) {
  const char* given = u->options->package_path;
  char seen[APL_REACH_PATH];
  bool absolute = false;

  while (given != NULL && *given != '\0' && !absolute) {
    const size_t n = strcspn(given, ":");
    absolute = *given == '/' && n > 1 && strncmp(found, given, n) == 0;
    given += n + (given[n] == ':');
  }
  if (!absolute && apl_place_seen(u->file->reach.folder, found, seen)) found = seen;
  const char* copy = apl_pool_text(&u->spec->pool, found);
  return copy == NULL ? otherwise : copy;
}

/* A name without a package: beside the file, or as if the file stood one folder above. */
static const char* plain(urdf* u, const char* text) {
  char path[LONGEST], above[LONGEST];
  const char* folder = u->file->reach.folder;

  if (apl_place_absolute(text)) return text;
  if (try_below(folder, strlen(folder), text, path) || !folder_above(u, 1, above) ||
      !try_below(above, strlen(above), text, path))
    return text;
  return keep(u, path, text);
}

const char* apl_urdf_mesh(urdf* u, const xml_node* node, const char* text) {
  static const char* const scheme[] = {"package://", "model://"};
  const char* name = NULL;
  char path[LONGEST];

  for (size_t i = 0; i < sizeof scheme / sizeof *scheme; ++i) {
    const size_t n = strlen(scheme[i]);
    if (strncmp(text, scheme[i], n) == 0) name = text + n + strspn(text + n, "/");
  }
  if (name == NULL) return plain(u, text);
  const size_t length = strcspn(name, "/");
  if (length == 0 || name[length] == '\0') return text;
  if (find_named(u, name, length, path)) return keep(u, path, text);
  if (!find_rest(u, name + length + 1, path)) {
    tell_lost(u, node, name, length);
    return text;
  }
  const char* found = keep(u, path, text);
  tell_guess(u, node, name, length, found);
  return found;
}
