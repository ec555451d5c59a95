/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_obj.c: OBJ files: points, places on images, faces, and the plain colours (Kd) and images
   (map_Kd) of their materials. */
#include "show/mesh.h"

#include "spec/parts.h"
#include "text/slurp.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Places on images, the lines "vt u v" so far. */
typedef struct places {
  double* uv; /* [2 * n] */
  size_t n, room;
} places;

static bool add_place(places* t, const char* at) {
  char* end;

  if (t->n == t->room) {
    const size_t room = 2 * t->room + 1024;
    double* more = realloc(t->uv, sizeof *more * 2 * room);
    if (more == NULL) return false;
    t->uv = more, t->room = room;
  }
  t->uv[2 * t->n] = strtod(at, &end);
  t->uv[2 * t->n + 1] = strtod(end, &end);
  ++t->n;
  return true;
}

/* "12/3/4" -> point 11; "-1": the last one so far. npoint when it is none. */
static size_t obj_index(const char* word, size_t npoint) {
  const long i = strtol(word, NULL, 10);

  if (i > 0 && (size_t)i <= npoint) return (size_t)i - 1;
  return i < 0 && i >= -(long)npoint ? npoint - (size_t)-i : npoint;
}

/* "12/3/4" -> place 2 of the list; NULL when it is none. */
static const double* find_place(const char* word, const places* t) {
  const size_t digits = strcspn(word, "/ \t\r\n");
  const size_t i = word[digits] == '/' ? obj_index(word + digits + 1, t->n) : t->n;

  return i == t->n ? NULL : t->uv + 2 * i;
}

/* A polygon is a fan of triangles. A face with an unknown point is left out as a whole. */
static bool read_face(const char* at, const places* t, mesh* m) {
  const size_t before = m->ncorner;
  size_t first = 0, last = 0;
  const double *first_uv = NULL, *last_uv = NULL;
  int n = 0;

  for (; *at != '\n' && *at != '\0'; ++n) {
    while (*at != '\n' && isspace((unsigned char)*at))
      ++at;
    if (*at == '\n' || *at == '\0') break;
    const size_t i = obj_index(at, m->npoint);
    if (i == m->npoint) {
      m->ncorner = before;
      return true;
    }
    const double* uv = find_place(at, t);
    if (n >= 2 && !(apl_mesh_corner(m, first, first_uv) && apl_mesh_corner(m, last, last_uv) &&
                    apl_mesh_corner(m, i, uv)))
      return false;
    if (n == 0) first = i, first_uv = uv;
    last = i, last_uv = uv;
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
   below the folder of that, and a file that the model file may read. Its own folder, from which its
   images are named, goes to `below`. */
static char* read_library(const char* name, const char* folder, const apl_file* file,
                          char below[4096]) {
  const size_t n = line_length(name);
  char path[4096], *text = NULL;
  size_t size;
  apl_error err;

  if (n == 0 || n > 1000 || name[0] == '/') return NULL;
  const int length = snprintf(path, sizeof path, "%s%.*s", folder, (int)n, name);
  if (length >= (int)sizeof path || strstr(path + strlen(folder), "..") != NULL) return NULL;
  if (file != NULL && apl_file_allows(file, path, &err) != APL_OK) return NULL;
  if (apl_slurp(path, (size_t)4 << 20, &text, &size, &err) != APL_OK) return NULL;
  const char* slash = strrchr(path, '/');
  snprintf(below, 4096, "%.*s", slash == NULL ? 0 : (int)(slash - path) + 1, path);
  return text;
}

/* Take the colour of a material, Kd after "newmtl NAME" and before the next, and its image, map_Kd.
   False without memory. */
static bool take_material(mesh* m, const char* library, const char* name, const char* folder) {
  const size_t n = line_length(name);
  const char* image = NULL;
  bool inside = false;

  m->brush = 0, m->brush_skin = 0;
  for (const char* at = library; at != NULL && *at != '\0';) {
    at += strspn(at, " \t");
    if (strncmp(at, "newmtl ", 7) == 0) {
      if (inside) break;
      inside = line_length(at + 7) == n && strncmp(at + 7, name, n) == 0;
    } else if (inside && (strncmp(at, "map_Kd ", 7) == 0 || strncmp(at, "map_Kd\t", 7) == 0)) {
      image = at + 7 + strspn(at + 7, " \t");
    } else if (inside && strncmp(at, "Kd ", 3) == 0) {
      char* end;
      const double r = strtod(at + 3, &end), g = strtod(end, &end), b = strtod(end, &end);
      m->brush = apl_mesh_paint(r, g, b);
    }
    at = strchr(at, '\n');
    if (at != NULL) ++at;
  }
  if (image == NULL) return true;
  /* "-s 1 1 1 NAME": after options the name is the last word; without them it may have blanks */
  size_t length = line_length(image), skip = 0;
  for (size_t i = 0; image[0] == '-' && i < length; ++i) {
    if (image[i] == ' ' || image[i] == '\t') skip = i + 1;
  }
  return apl_mesh_image(m, folder, image + skip, length - skip);
}

bool apl_mesh_obj(const char* text, const char* folder, const apl_file* file, mesh* m) {
  char *mtl = NULL, below[4096];
  places t = {0};
  bool ok = true;

  snprintf(below, sizeof below, "%s", folder);
  for (const char* at = text; at != NULL && *at != '\0' && ok;) {
    char* end;
    if (at[0] == 'v' && at[1] == ' ') {
      const double x = strtod(at + 2, &end), y = strtod(end, &end), z = strtod(end, &end);
      ok = apl_mesh_point(m, x, y, z);
    } else if (strncmp(at, "vt ", 3) == 0) {
      ok = add_place(&t, at + 3);
    } else if (at[0] == 'f' && at[1] == ' ') {
      ok = read_face(at + 2, &t, m);
    } else if (strncmp(at, "mtllib ", 7) == 0 && mtl == NULL) {
      mtl = read_library(at + 7, folder, file, below);
    } else if (strncmp(at, "usemtl ", 7) == 0) {
      ok = take_material(m, mtl, at + 7, below);
    }
    at = strchr(at, '\n');
    if (at != NULL) ++at;
  }
  free(mtl);
  free(t.uv);
  return ok;
}
