/* SPDX-License-Identifier: Apache-2.0 */
/* mesh_dae.c: the triangles of COLLADA files: geometries with triangles, polylist or polygons,
   placed by the nodes of the scene, in metres and with z up, and the plain colours or images of
   their materials (mesh_dae_look.c). Skins and animations are ignored. */
#include "show/mesh_dae.h"

#include "text/xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix {
  double a[12]; /* three rows of four */
} matrix;

typedef struct reader {
  const xml_node* root;
  const char* folder;
  apl_pool pool;
  mesh* out;
  bool fine;
  int visits; /* nodes of the scene, which may name one another */
} reader;

enum { MOST_VISITS = 100000 };

static matrix product(const matrix* A, const matrix* B) {
  matrix C;

  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) {
      C.a[4 * i + j] = j == 3 ? A->a[4 * i + 3] : 0.0;
      for (int k = 0; k < 3; ++k)
        C.a[4 * i + j] += A->a[4 * i + k] * B->a[4 * k + j];
    }
  }
  return C;
}

/* All numbers of an element's text, malloc'ed. */
static double* all_numbers(const xml_node* node, size_t* n) {
  char* text = node == NULL ? NULL : apl_xml_content(node);
  const size_t room = text == NULL ? 0 : strlen(text) / 2 + 1;
  double* out = text == NULL ? NULL : malloc(sizeof *out * (room + 1));

  *n = 0;
  for (char* at = text; out != NULL && *n < room;) {
    char* end;
    const double x = strtod(at, &end);
    if (end == at) break;
    out[(*n)++] = x, at = end;
  }
  free(text);
  return out;
}

static int whole(reader* r, const xml_node* node, const char* name, int otherwise) {
  const char* text = apl_xml_attribute(node, name, &r->pool);
  return text == NULL ? otherwise : atoi(text);
}

/* ------------------------------------------------------------------------------- triangles ---- */

/* Where the corners of a list of triangles have their values. Every corner has `stride` indices, of
   which the `offset`-th is that of the point and the `uv_offset`-th that of the place on the image.
 */
typedef struct corners {
  size_t first; /* point of the mesh that the source begins with                                  */
  size_t npoint;
  int offset, stride;
  double* uv; /* [nuv] malloc'ed, `uv_stride` numbers for each place; NULL: none                  */
  size_t nuv;
  int uv_offset, uv_stride;
} corners;

/* The <input> of `node` with this meaning; of several the one with this `set`, or the first. */
static const xml_node* find_input(reader* r, const xml_node* node, const char* semantic, int set) {
  const xml_node* first = NULL;

  for (const xml_node* i = node == NULL ? NULL : apl_xml_first(node); i != NULL;
       i = apl_xml_next(i)) {
    if (strcmp(apl_xml_name(i), "input") != 0 || !apl_xml_is(i, "semantic", semantic)) continue;
    if (whole(r, i, "set", 0) == set) return i;
    if (first == NULL) first = i;
  }
  return first;
}

static const xml_node* source_of(reader* r, const xml_node* geometry, const xml_node* input) {
  return input == NULL ? NULL : apl_dae_id(geometry, apl_xml_attribute(input, "source", &r->pool));
}

/* <input semantic="VERTEX"> names <vertices>, whose POSITION names a <source>. */
static bool add_points(reader* r, const xml_node* geometry, const xml_node* vertices,
                       const matrix* M, corners* c) {
  const xml_node* source = source_of(r, geometry, find_input(r, vertices, "POSITION", 0));
  size_t n = 0;
  double* x = source == NULL ? NULL : all_numbers(apl_xml_child(source, "float_array"), &n);

  c->first = r->out->npoint, c->npoint = n / 3;
  for (size_t i = 0; i + 2 < n && r->fine; i += 3) {
    double p[3];
    for (int k = 0; k < 3; ++k)
      p[k] = M->a[4 * k] * x[i] + M->a[4 * k + 1] * x[i + 1] + M->a[4 * k + 2] * x[i + 2] +
             M->a[4 * k + 3];
    r->fine = apl_mesh_point(r->out, p[0], p[1], p[2]);
  }
  free(x);
  return n >= 3 && r->fine;
}

/* Places on the image are an input of the list or, with the index of the point, of <vertices>. */
static void find_places(reader* r, const xml_node* geometry, const xml_node* list,
                        const xml_node* vertices, int set, corners* c) {
  const xml_node* own = find_input(r, list, "TEXCOORD", set);
  const xml_node* input = own != NULL ? own : find_input(r, vertices, "TEXCOORD", set);
  const xml_node* source = source_of(r, geometry, input);
  const xml_node* accessor = apl_dae_below(source, "accessor");
  const int stride = accessor == NULL ? 2 : whole(r, accessor, "stride", 2);
  if (source == NULL || stride < 2 || stride > 16) return;

  c->uv = all_numbers(apl_xml_child(source, "float_array"), &c->nuv);
  c->uv_stride = stride;
  c->uv_offset = own != NULL ? whole(r, own, "offset", 0) : c->offset;
}

/* Indices come from the file: what is out of range is the first point, or no place on the image. */
static void add_corner(reader* r, const corners* c, const double* index, size_t corner) {
  const double* at = index + corner * (size_t)c->stride;
  const double i = at[c->offset], j = c->uv == NULL ? -1.0 : at[c->uv_offset];
  const size_t point = i >= 0.0 && i < (double)c->npoint ? (size_t)i : 0;
  const bool placed = j >= 0.0 && j < (double)(c->nuv / (size_t)(c->uv == NULL ? 1 : c->uv_stride));
  const double* uv = placed ? c->uv + (size_t)j * (size_t)c->uv_stride : NULL;

  r->fine = r->fine && apl_mesh_corner(r->out, c->first + point, uv);
}

/* Polygons of size[k] corners each (three without a list) as fans. */
static void add_fans(reader* r, const corners* c, const double* index, size_t nindex,
                     const double* size, size_t nsize) {
  const size_t ncorner = nindex / (size_t)c->stride;

  for (size_t at = 0, k = 0; at + 2 < ncorner && (size == NULL || k < nsize) && r->fine; ++k) {
    const size_t n = size == NULL ? 3 : size[k] >= 0.0 && size[k] < 1e6 ? (size_t)size[k] : 0;
    for (size_t i = 2; i < n && at + i < ncorner; ++i) {
      add_corner(r, c, index, at);
      add_corner(r, c, index, at + i - 1);
      add_corner(r, c, index, at + i);
    }
    at += n;
    if (n == 0 && size == NULL) break;
  }
}

/* `set` is that of the places on the image. */
static void add_list(reader* r, const xml_node* geometry, const xml_node* list, const matrix* M,
                     int set) {
  corners c = {0};
  const xml_node* vertex = find_input(r, list, "VERTEX", 0);
  const xml_node* vertices = source_of(r, geometry, vertex);

  for (const xml_node* i = apl_xml_first(list); i != NULL; i = apl_xml_next(i)) {
    if (strcmp(apl_xml_name(i), "input") != 0) continue;
    const int offset = whole(r, i, "offset", 0);
    if (offset < 0 || offset > 64) return;
    if (offset + 1 > c.stride) c.stride = offset + 1;
  }
  if (vertex != NULL) c.offset = whole(r, vertex, "offset", 0);
  if (c.stride == 0 || !add_points(r, geometry, vertices, M, &c)) return;
  if (r->out->brush_skin != 0) find_places(r, geometry, list, vertices, set, &c);

  size_t nsize = 0, nindex = 0;
  double* size = all_numbers(apl_xml_child(list, "vcount"), &nsize);
  const bool polygons = strcmp(apl_xml_name(list), "polygons") == 0;
  for (const xml_node* p = apl_xml_first(list); p != NULL; p = apl_xml_next(p)) {
    if (strcmp(apl_xml_name(p), "p") != 0) continue;
    double* index = all_numbers(p, &nindex);
    const double one = (double)(nindex / (size_t)c.stride);
    if (index != NULL) add_fans(r, &c, index, nindex, polygons ? &one : size, polygons ? 1 : nsize);
    free(index);
  }
  free(size);
  free(c.uv);
}

/* `instance` is the <instance_geometry> of the scene, or NULL. */
static void add_geometry(reader* r, const xml_node* geometry, const xml_node* instance,
                         const matrix* M) {
  const xml_node* m = geometry == NULL ? NULL : apl_xml_child(geometry, "mesh");

  for (const xml_node* c = m == NULL ? NULL : apl_xml_first(m); c != NULL; c = apl_xml_next(c)) {
    const char* word = apl_xml_name(c);
    if (strcmp(word, "triangles") == 0 || strcmp(word, "polylist") == 0 ||
        strcmp(word, "polygons") == 0) {
      const dae_look look = apl_dae_look(r->root, instance, c, &r->pool);
      r->out->brush = look.paint, r->out->brush_skin = 0;
      if (look.image != NULL)
        r->fine = r->fine && apl_mesh_image(r->out, r->folder, look.image, strlen(look.image));
      add_list(r, geometry, c, M, look.set);
    }
  }
}

/* ----------------------------------------------------------------------------------- scene ---- */

/* About the axis x[0..2] by x[3] degrees: R = 1 + sin [k] + (1 - cos) [k]^2. */
static matrix rotation(const double x[4]) {
  const double n = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
  if (!(n > 0.0)) return (matrix){{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}};

  const double a = x[3] * 0.017453292519943295, s = sin(a), c = 1.0 - cos(a);
  const double k = x[0] / n, l = x[1] / n, m = x[2] / n;
  return (matrix){{1 - c * (l * l + m * m), c * k * l - s * m, c * k * m + s * l, 0,
                   c * k * l + s * m, 1 - c * (k * k + m * m), c * l * m - s * k, 0,
                   c * k * m - s * l, c * l * m + s * k, 1 - c * (k * k + l * l), 0}};
}

static void add_node(reader* r, const xml_node* node, matrix M, int depth) {
  if (++r->visits > MOST_VISITS) return;
  for (const xml_node* c = apl_xml_first(node); c != NULL && depth < 64; c = apl_xml_next(c)) {
    const char* word = apl_xml_name(c);
    double x[16];
    if (strcmp(word, "matrix") == 0 && apl_dae_numbers(c, x, 16) >= 12) {
      matrix own;
      memcpy(own.a, x, sizeof own.a);
      M = product(&M, &own);
    } else if (strcmp(word, "translate") == 0 && apl_dae_numbers(c, x, 3) == 3) {
      const matrix own = {{1, 0, 0, x[0], 0, 1, 0, x[1], 0, 0, 1, x[2]}};
      M = product(&M, &own);
    } else if (strcmp(word, "rotate") == 0 && apl_dae_numbers(c, x, 4) == 4) {
      const matrix own = rotation(x);
      M = product(&M, &own);
    } else if (strcmp(word, "scale") == 0 && apl_dae_numbers(c, x, 3) == 3) {
      const matrix own = {{x[0], 0, 0, 0, 0, x[1], 0, 0, 0, 0, x[2], 0}};
      M = product(&M, &own);
    } else if (strcmp(word, "instance_geometry") == 0) {
      add_geometry(r, apl_dae_id(r->root, apl_xml_attribute(c, "url", &r->pool)), c, &M);
    } else if (strcmp(word, "instance_node") == 0) {
      const xml_node* other = apl_dae_id(r->root, apl_xml_attribute(c, "url", &r->pool));
      if (other != NULL) add_node(r, other, M, depth + 1);
    } else if (strcmp(word, "node") == 0) {
      add_node(r, c, M, depth + 1);
    }
  }
}

/* Does the text of the element `name` below `node`, to any depth, contain `word`? */
static bool says(const xml_node* node, const char* name, const char* word) {
  const xml_node* found = apl_dae_below(node, name);
  char* text = found == NULL ? NULL : apl_xml_content(found);
  const bool yes = text != NULL && strstr(text, word) != NULL;

  free(text);
  return yes;
}

/* Metres and z up, from <asset>. MeshLab writes Y_UP into every file regardless of its content, so
   it is ignored there. */
static matrix asset(reader* r) {
  const xml_node* a = apl_xml_child(r->root, "asset");
  const xml_node* unit = a == NULL ? NULL : apl_xml_child(a, "unit");
  const char* metre = unit == NULL ? NULL : apl_xml_attribute(unit, "meter", &r->pool);
  const double s = metre == NULL ? 1.0 : strtod(metre, NULL);

  if (says(a, "up_axis", "Y_UP") && !says(a, "authoring_tool", "VCGLib"))
    return (matrix){{s, 0, 0, 0, 0, 0, -s, 0, 0, s, 0, 0}};
  return (matrix){{s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0}};
}

apl_status apl_mesh_dae(const char* text, size_t size, const char* folder, mesh* out,
                        apl_error* err) {
  apl_report report = {0};
  xml_doc* doc = apl_xml_parse(text, size, &report);
  if (doc == NULL) {
    return apl_fail(err, APL_ERR_SYNTAX, "it is not COLLADA: %.200s",
                    report.count > 0 ? report.item[0].text : "no XML");
  }
  reader r = {.root = apl_xml_root(doc), .folder = folder, .out = out, .fine = true};
  const matrix M = asset(&r);
  const xml_node* scenes = apl_xml_child(r.root, "library_visual_scenes");
  const xml_node* scene = scenes == NULL ? NULL : apl_xml_child(scenes, "visual_scene");

  if (scene != NULL) add_node(&r, scene, M, 0);
  if (out->ncorner == 0) { /* no scene: everything as it is */
    const xml_node* all = apl_xml_child(r.root, "library_geometries");
    for (const xml_node* g = all == NULL ? NULL : apl_xml_first(all); g != NULL;
         g = apl_xml_next(g))
      add_geometry(&r, g, NULL, &M);
  }
  const bool fine = r.fine && !r.pool.failed;
  apl_pool_free(&r.pool);
  apl_xml_free(doc);
  return fine ? APL_OK : apl_fail(err, APL_ERR_MEMORY, "out of memory");
}
