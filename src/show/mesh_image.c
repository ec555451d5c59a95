/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_image.c: the names of images in mesh files become paths. */
#include "show/mesh.h"

#include "text/place.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 4096 };

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "%20" is a blank in the addresses of COLLADA; '\' separates folders on some machines. */
static void decode(const char* name, size_t n, char out[LONGEST]) {
  size_t k = 0;

  for (size_t i = 0; i < n; ++i) {
    const int high = name[i] == '%' && i + 2 < n ? hex(name[i + 1]) : -1;
    const int low = high >= 0 ? hex(name[i + 2]) : -1;
    const int c = low >= 0 ? 16 * high + low : name[i] == '\\' ? '/' : name[i];
    if (low >= 0) i += 2;
    if (c != 0) out[k++] = (char)c;
  }
  out[k] = '\0';
}

/* The part of an address that is looked for below the folder of the mesh. */
static const char* local(const char* name) {
  name = apl_place_local(name);
  const bool foreign = name[0] == '/' || (name[0] != '\0' && name[1] == ':');
  return foreign ? strrchr(name, '/') == NULL ? name + 2 : strrchr(name, '/') + 1 : name;
}

bool apl_mesh_image(mesh* m, const char* folder, const char* name, size_t n) {
  char plain[LONGEST], path[LONGEST];

  m->brush_skin = 0;
  if (n == 0 || n >= LONGEST) return true;
  decode(name, n, plain);
  const int length = snprintf(path, sizeof path, "%s%s", folder, local(plain));
  if (length >= (int)sizeof path) return true;
  for (uint16_t i = 0; i < m->nimage && m->brush_skin == 0; ++i) {
    if (strcmp(m->image[i], path) == 0) m->brush_skin = (uint16_t)(i + 1);
  }
  if (m->brush_skin != 0 || m->nimage == MESH_IMAGES) return true;

  char** more = realloc(m->image, sizeof *more * (m->nimage + 1u));
  if (more != NULL) m->image = more;
  char* copy = more == NULL ? NULL : malloc((size_t)length + 1);
  if (copy == NULL) return false;
  memcpy(copy, path, (size_t)length + 1);
  m->image[m->nimage++] = copy;
  m->brush_skin = m->nimage;
  return true;
}
