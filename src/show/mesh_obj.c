/* mesh_obj.c: OBJ files: points, faces, and the plain colours (Kd) of their materials. */
#include "show/mesh.h"

#include "text/slurp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "12/3/4" -> point 11; "-1": the last one so far. npoint when it is none. */
static size_t obj_index(const char* word, size_t npoint) {
  const long i = strtol(word, NULL, 10);

  if (i > 0 && (size_t)i <= npoint) return (size_t)i - 1;
  return i < 0 && i >= -(long)npoint ? npoint - (size_t)-i : npoint;
}

/* A polygon is a fan of triangles. */
static bool read_face(const char* at, mesh* m) {
  size_t first = 0, last = 0;
  int n = 0;

  for (; *at != '\n' && *at != '\0'; ++n) {
    while (*at != '\n' && isspace((unsigned char)*at))
      ++at;
    if (*at == '\n' || *at == '\0') break;
    const size_t i = obj_index(at, m->npoint);
    if (i == m->npoint) return true; /* a face without its point is left out */
    if (n >= 2 && !(apl_mesh_corner(m, first) && apl_mesh_corner(m, last) && apl_mesh_corner(m, i)))
      return false;
    if (n == 0) first = i;
    last = i;
    while (*at != '\0' && !isspace((unsigned char)*at))
      ++at;
  }
  return true;
}

/* ------------------------------------------------------------------------------- materials ---- */

/* Letters of the word or words up to the end of the line, blanks at the end left out. */
static size_t line_length(const char* at) {
  size_t n = strcspn(at, "\r\n");

  while (n > 0 && (at[n - 1] == ' ' || at[n - 1] == '\t'))
    --n;
  return n;
}

/* The text of a material file, malloc'ed; NULL without one. Its name comes from the OBJ: it must be
   below the folder of that. */
static char* read_library(const char* name, const char* folder) {
  const size_t n = line_length(name);
  char path[4096], *text = NULL;
  size_t size;
  apl_error err;

  if (n == 0 || n > 1000 || name[0] == '/') return NULL;
  const int length = snprintf(path, sizeof path, "%s%.*s", folder, (int)n, name);
  if (length >= (int)sizeof path || strstr(path + strlen(folder), "..") != NULL) return NULL;
  return apl_slurp(path, (size_t)4 << 20, &text, &size, &err) == APL_OK ? text : NULL;
}

/* The colour of a material: Kd behind "newmtl NAME" and before the next; 0 without one. A picture
   (map_Kd) is not read: what it covers has no colour of its own. */
static uint32_t find_material(const char* library, const char* name) {
  const size_t n = line_length(name);
  bool inside = false, picture = false;
  uint32_t found = 0;

  for (const char* at = library; at != NULL && *at != '\0';) {
    at += strspn(at, " \t");
    if (strncmp(at, "newmtl ", 7) == 0) {
      if (inside) break;
      inside = line_length(at + 7) == n && strncmp(at + 7, name, n) == 0;
    } else if (inside && strncmp(at, "map_Kd", 6) == 0) {
      picture = true;
    } else if (inside && strncmp(at, "Kd ", 3) == 0) {
      char* end;
      const double r = strtod(at + 3, &end), g = strtod(end, &end), b = strtod(end, &end);
      found = apl_mesh_paint(r, g, b);
    }
    at = strchr(at, '\n');
    if (at != NULL) ++at;
  }
  return picture ? 0 : found;
}

bool apl_mesh_obj(const char* text, const char* folder, mesh* m) {
  char* mtl = NULL;
  bool ok = true;

  for (const char* at = text; at != NULL && *at != '\0' && ok;) {
    char* end;
    if (at[0] == 'v' && at[1] == ' ') {
      const double x = strtod(at + 2, &end), y = strtod(end, &end), z = strtod(end, &end);
      ok = apl_mesh_point(m, x, y, z);
    } else if (at[0] == 'f' && at[1] == ' ') {
      ok = read_face(at + 2, m);
    } else if (strncmp(at, "mtllib ", 7) == 0 && mtl == NULL) {
      mtl = read_library(at + 7, folder);
    } else if (strncmp(at, "usemtl ", 7) == 0) {
      m->brush = find_material(mtl, at + 7);
    }
    at = strchr(at, '\n');
    if (at != NULL) ++at;
  }
  free(mtl);
  return ok;
}
