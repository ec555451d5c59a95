/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.c: STL (text and binary), and merging and thinning of meshes. Files are not trusted: counts
   are compared with the length of the file, indices with the points, and values that are not finite
   are dropped. */
#include "show/mesh.h"

#include "text/slurp.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TRIANGLES = 6000 };
static const size_t LARGEST = (size_t)256 << 20; /* bytes of a file */

void apl_mesh_free(mesh* m) {
  free(m->point);
  free(m->corner);
  free(m->uv);
  free(m->paint);
  free(m->skin);
  for (int i = 0; i < m->nimage; ++i)
    free(m->image[i]);
  free(m->image);
  *m = (mesh){0};
}

bool apl_mesh_point(mesh* m, double x, double y, double z) {
  if (m->npoint == m->point_room) {
    const size_t room = 2 * m->point_room + 1024;
    float* more = realloc(m->point, sizeof *more * 3 * room);
    if (more == NULL) return false;
    m->point = more, m->point_room = room;
  }
  float* p = m->point + 3 * m->npoint++;
  /* what a float cannot hold becomes infinite, by rule and not by an undefined conversion */
  const double v[3] = {x, y, z};
  for (int k = 0; k < 3; ++k)
    p[k] = fabs(v[k]) > (double)FLT_MAX ? INFINITY : (float)v[k];
  return true;
}

/* Each array that has grown is kept even if the next one cannot grow: the room is that of all. */
static bool more_corners(mesh* m) {
  const size_t room = 2 * m->corner_room + 3072;
  uint32_t* corner = realloc(m->corner, sizeof *corner * room);
  if (corner == NULL) return false;
  m->corner = corner;
  float* uv = realloc(m->uv, sizeof *uv * 2 * room);
  if (uv == NULL) return false;
  m->uv = uv;
  uint32_t* paint = realloc(m->paint, sizeof *paint * (room / 3 + 1));
  if (paint == NULL) return false;
  m->paint = paint;
  uint16_t* skin = realloc(m->skin, sizeof *skin * (room / 3 + 1));
  if (skin == NULL) return false;
  m->skin = skin, m->corner_room = room;
  return true;
}

bool apl_mesh_corner(mesh* m, size_t point, const double uv[2]) {
  if (m->ncorner == m->corner_room && !more_corners(m)) return false;
  for (int k = 0; k < 2; ++k) {
    const bool fits = uv != NULL && fabs(uv[k]) < 1e6; /* false for not a number, too */
    m->uv[2 * m->ncorner + (size_t)k] = fits ? (float)uv[k] : 0.0f;
  }
  m->paint[m->ncorner / 3] = m->brush;
  /* a triangle has an image if each of its corners has a place on it */
  if (m->ncorner % 3 == 0) m->skin[m->ncorner / 3] = m->brush_skin;
  if (uv == NULL) m->skin[m->ncorner / 3] = 0;
  m->corner[m->ncorner++] = (uint32_t)point;
  return true;
}

uint32_t apl_mesh_paint(double red, double green, double blue) {
  const double part[3] = {red, green, blue};
  uint32_t out = 0;

  for (int k = 0; k < 3; ++k)
    out = 256 * out + (uint32_t)(255.0 * (part[k] > 0.0 ? fmin(part[k], 1.0) : 0.0) + 0.5);
  return MESH_PAINTED + out;
}

/* --------------------------------------------------------------------------------- formats ---- */

/* The two bytes after a triangle are a colour of five bits each in two dialects: red in the highest
   bits and valid if the first bit is set (VisCAM), or, with COLOR= in the header, red in the lowest
   bits and valid if it is not set (Magics). Most programs write 0: no colour, even with one in the
   header, since the URDF has the better one. */
static uint32_t stl_paint(uint16_t word, bool magics) {
  const double low = (word & 31) / 31.0, mid = (word >> 5 & 31) / 31.0,
               high = (word >> 10 & 31) / 31.0;

  if (magics) return word == 0 || word & 0x8000 ? 0 : apl_mesh_paint(low, mid, high);
  return word & 0x8000 ? apl_mesh_paint(high, mid, low) : 0;
}

/* True if the 80-byte header has a colour. */
static bool is_magics(const char* head) {
  for (int i = 0; i + 10 <= 80; ++i) {
    if (memcmp(head + i, "COLOR=", 6) == 0) return true;
  }
  return false;
}

/* 80 bytes, the number of triangles, then 50 bytes each: normal, three points, two bytes. */
static bool read_binary_stl(const char* text, size_t size, mesh* m) {
  const bool magics = is_magics(text);
  uint32_t n;

  memcpy(&n, text + 80, sizeof n);
  for (size_t i = 0; i < n && 84 + 50 * (i + 1) <= size; ++i) {
    float p[9];
    uint16_t word;
    memcpy(p, text + 84 + 50 * i + 12, sizeof p);
    memcpy(&word, text + 84 + 50 * i + 48, sizeof word);
    m->brush = stl_paint(word, magics);
    for (int k = 0; k < 3; ++k) {
      if (!apl_mesh_corner(m, m->npoint, NULL) ||
          !apl_mesh_point(m, (double)p[3 * k], (double)p[3 * k + 1], (double)p[3 * k + 2]))
        return false;
    }
  }
  return true;
}

static bool read_text_stl(const char* text, mesh* m) {
  for (const char* at = strstr(text, "vertex"); at != NULL; at = strstr(at, "vertex")) {
    char* end = (char*)(size_t)at + 6;
    double p[3];
    for (int k = 0; k < 3; ++k)
      p[k] = strtod(end, &end);
    if (!apl_mesh_corner(m, m->npoint, NULL) || !apl_mesh_point(m, p[0], p[1], p[2])) return false;
    at = end;
  }
  m->ncorner -= m->ncorner % 3;
  return true;
}

static bool read_stl(const char* text, size_t size, mesh* m) {
  uint32_t n = 0;

  if (size >= 84) memcpy(&n, text + 80, sizeof n);
  /* binary files may also begin with "solid": the length decides */
  const bool binary = size >= 84 && 84 + 50 * (size_t)n == size;
  return binary || strncmp(text, "solid", 5) != 0 ? size < 84 || read_binary_stl(text, size, m)
                                                  : read_text_stl(text, m);
}

/* --------------------------------------------------------------------------------- welding ---- */

typedef struct cell {
  int32_t at[3];
  uint32_t point;
} cell;

static int compare_cells(const void* a, const void* b) {
  const cell *x = a, *y = b;

  for (int k = 0; k < 3; ++k) {
    if (x->at[k] != y->at[k]) return x->at[k] < y->at[k] ? -1 : 1;
  }
  return x->point < y->point ? -1 : x->point > y->point;
}

static bool same_cell(const cell* a, const cell* b) {
  return a->at[0] == b->at[0] && a->at[1] == b->at[1] && a->at[2] == b->at[2];
}

/* Replace the points of each cell by their mean, and drop degenerate triangles. Corners keep their
   places on images. False without memory. */
static bool weld(mesh* m, const float low[3], double edge) {
  cell* c = malloc(sizeof *c * (m->npoint + 1));
  uint32_t* to = malloc(sizeof *to * (m->npoint + 1));
  float* mean = malloc(sizeof *mean * 3 * (m->npoint + 1));
  size_t n = 0, kept = 0;
  const bool ok = c != NULL && to != NULL && mean != NULL;

  for (size_t i = 0; ok && i < m->npoint; ++i) {
    c[i].point = (uint32_t)i;
    for (int k = 0; k < 3; ++k)
      c[i].at[k] = (int32_t)floor((double)(m->point[3 * i + (size_t)k] - low[k]) / edge + 0.5);
  }
  if (ok) qsort(c, m->npoint, sizeof *c, compare_cells);
  for (size_t i = 0, j; ok && i < m->npoint; i = j, ++n) {
    double sum[3] = {0};
    for (j = i; j < m->npoint && same_cell(&c[i], &c[j]); ++j) {
      to[c[j].point] = (uint32_t)n;
      for (int k = 0; k < 3; ++k)
        sum[k] += (double)m->point[3 * (size_t)c[j].point + (size_t)k];
    }
    for (int k = 0; k < 3; ++k)
      mean[3 * n + (size_t)k] = (float)(sum[k] / (double)(j - i));
  }
  for (size_t i = 0; ok && i + 2 < m->ncorner; i += 3) {
    const uint32_t p = to[m->corner[i]], q = to[m->corner[i + 1]], r = to[m->corner[i + 2]];
    if (p == q || q == r || r == p) continue;
    m->paint[kept / 3] = m->paint[i / 3];
    m->skin[kept / 3] = m->skin[i / 3];
    memmove(m->uv + 2 * kept, m->uv + 2 * i, sizeof *m->uv * 6);
    m->corner[kept++] = p, m->corner[kept++] = q, m->corner[kept++] = r;
  }
  if (ok) {
    memcpy(m->point, mean, sizeof *mean * 3 * n);
    m->npoint = n, m->ncorner = kept;
  }
  free(c);
  free(to);
  free(mean);
  return ok;
}

/* Coordinates are floats (up to 3e38), and differences of them must be, too. A mesh beyond this is
   no part of a robot. */
static const double FARTHEST = 1e18; /* [m] */

static bool too_far(const mesh* m) {
  for (size_t i = 0; i < 3 * m->npoint; ++i) {
    if (fabs((double)m->point[i]) > FARTHEST) return true; /* infinite, too; not a number is not */
  }
  return false;
}

/* Merge coincident points, then use larger cells until the triangles are few enough. */
static bool simplify(mesh* m) {
  float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  double size = 0.0;

  for (size_t i = 0; i < 3 * m->npoint; ++i) {
    if (!isfinite(m->point[i])) m->point[i] = 0.0f;
    low[i % 3] = fminf(low[i % 3], m->point[i]);
    high[i % 3] = fmaxf(high[i % 3], m->point[i]);
  }
  for (int k = 0; k < 3; ++k)
    size = fmax(size, (double)(high[k] - low[k]));
  if (!(size > 0.0)) return true;
  bool ok = weld(m, low, 1e-6 * size);
  for (double parts = 160.0; ok && m->ncorner > 3 * MOST_TRIANGLES && parts > 4.0; parts *= 0.8)
    ok = weld(m, low, size / parts);
  return ok;
}

static bool ends(const char* path, const char* ending) {
  const size_t n = strlen(path), k = strlen(ending);

  for (size_t i = 0; n >= k && i < k; ++i) {
    if (tolower((unsigned char)path[n - k + i]) != ending[i]) return false;
  }
  return n >= k;
}

apl_status apl_mesh_read(const char* path, const apl_file* file, mesh* out, apl_error* err) {
  char* text = NULL;
  size_t size;
  *out = (mesh){0};
  if (!ends(path, ".stl") && !ends(path, ".obj") && !ends(path, ".dae"))
    return apl_fail(err, APL_ERR_ARGUMENT, "meshes are read from .stl, .obj and .dae");

  apl_status st = apl_slurp(path, LARGEST, &text, &size, err);
  if (st != APL_OK) return st;
  bool ok = true;
  char folder[4096];
  const char* slash = strrchr(path, '/');
  const size_t n = slash == NULL ? 0 : (size_t)(slash - path) + 1;
  snprintf(folder, sizeof folder, "%.*s", n < sizeof folder ? (int)n : 0, path);
  if (ends(path, ".stl")) ok = read_stl(text, size, out);
  if (ends(path, ".obj")) ok = apl_mesh_obj(text, folder, file, out);
  if (ends(path, ".dae")) st = apl_mesh_dae(text, size, folder, out, err);
  free(text);
  if (st == APL_OK && ok && too_far(out)) {
    st =
        apl_fail(err, APL_ERR_SYNTAX,
                 "it has points more than 1e18 m from its origin; is its unit or its scale wrong?");
  }
  if (st == APL_OK && (!ok || !simplify(out))) st = apl_fail(err, APL_ERR_MEMORY, "out of memory");
  if (st == APL_OK && out->ncorner == 0) st = apl_fail(err, APL_ERR_SYNTAX, "it has no triangles");
  if (st != APL_OK) apl_mesh_free(out);
  return st;
}
