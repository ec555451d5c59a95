/* mesh_dae.c: the triangles of COLLADA files: geometries with triangles, polylist or polygons,
   placed by the nodes of the scene, in metres and with z up, and the plain colours of their
   materials. Pictures on surfaces, skins and animations are not looked at. */
#include "show/mesh.h"

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

/* Up to `most` numbers of an element's text; how many there are. */
static size_t numbers(const xml_node* node, double* out, size_t most) {
  char* text = node == NULL ? NULL : apl_xml_content(node);
  size_t n = 0;

  for (char* at = text; at != NULL && n < most;) {
    char* end;
    const double x = strtod(at, &end);
    if (end == at) break;
    out[n++] = x, at = end;
  }
  free(text);
  return n;
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

/* The element below `node` with this id; a reference "#id" is given. */
static const xml_node* find_id(const xml_node* node, const char* id) {
  if (id == NULL || *id != '#') return NULL;
  for (const xml_node* c = apl_xml_first(node); c != NULL; c = apl_xml_next(c)) {
    if (apl_xml_is(c, "id", id + 1)) return c;
    const xml_node* deeper = find_id(c, id);
    if (deeper != NULL) return deeper;
  }
  return NULL;
}

static int whole(reader* r, const xml_node* node, const char* name, int otherwise) {
  const char* text = apl_xml_attribute(node, name, &r->pool);
  return text == NULL ? otherwise : atoi(text);
}

/* ------------------------------------------------------------------------------- triangles ---- */

/* Where the positions of a list of triangles stand: <input semantic="VERTEX"> names <vertices>,
   whose POSITION names a <source>; every corner has `stride` indices, that of the point is the
   `offset`-th. */
typedef struct corners {
  size_t first; /* point of the mesh that the source begins with                                  */
  size_t npoint;
  int offset, stride;
} corners;

static bool add_points(reader* r, const xml_node* geometry, const char* vertices, const matrix* M,
                       corners* c) {
  const xml_node* v = find_id(geometry, vertices);
  const xml_node* input = v == NULL ? NULL : apl_xml_child(v, "input");
  const xml_node* source =
      input == NULL ? NULL : find_id(geometry, apl_xml_attribute(input, "source", &r->pool));
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

static void add_corner(reader* r, const corners* c, const double* index, size_t corner) {
  const double i = index[corner * (size_t)c->stride + (size_t)c->offset];
  const size_t point = i >= 0.0 && i < (double)c->npoint ? (size_t)i : 0;
  r->fine = r->fine && apl_mesh_corner(r->out, c->first + point);
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

static void add_list(reader* r, const xml_node* geometry, const xml_node* list, const matrix* M) {
  corners c = {0};
  const char* vertices = NULL;

  for (const xml_node* i = apl_xml_first(list); i != NULL; i = apl_xml_next(i)) {
    if (strcmp(apl_xml_name(i), "input") != 0) continue;
    const int offset = whole(r, i, "offset", 0);
    const char* semantic = apl_xml_attribute(i, "semantic", &r->pool);
    if (offset < 0 || offset > 64) return;
    if (offset + 1 > c.stride) c.stride = offset + 1;
    if (semantic == NULL || strcmp(semantic, "VERTEX") != 0) continue;
    c.offset = offset;
    vertices = apl_xml_attribute(i, "source", &r->pool);
  }
  if (c.stride == 0 || !add_points(r, geometry, vertices, M, &c)) return;

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
}

/* ------------------------------------------------------------------------------- materials ---- */

static const xml_node* find_below(const xml_node* node, const char* name) {
  for (const xml_node* c = node == NULL ? NULL : apl_xml_first(node); c != NULL;
       c = apl_xml_next(c)) {
    if (strcmp(apl_xml_name(c), name) == 0) return c;
    const xml_node* deeper = find_below(c, name);
    if (deeper != NULL) return deeper;
  }
  return NULL;
}

/* <diffuse><color> of the effect that a material names; 0 where it is a picture or not there. */
static uint32_t paint_of(reader* r, const xml_node* material) {
  const xml_node* instance = material == NULL ? NULL : apl_xml_child(material, "instance_effect");
  const xml_node* effect =
      instance == NULL ? NULL : find_id(r->root, apl_xml_attribute(instance, "url", &r->pool));
  const xml_node* diffuse = find_below(effect, "diffuse");
  double x[4];

  if (diffuse == NULL || numbers(apl_xml_child(diffuse, "color"), x, 4) < 3) return 0;
  return apl_mesh_paint(x[0], x[1], x[2]);
}

/* The material of a list of triangles: the scene binds its symbol, or it is the id itself. */
static uint32_t paint_of_list(reader* r, const xml_node* instance, const xml_node* list) {
  const char* symbol = apl_xml_attribute(list, "material", &r->pool);
  const xml_node* common = find_below(instance, "technique_common");
  char id[256];
  if (symbol == NULL) return 0;

  for (const xml_node* c = common == NULL ? NULL : apl_xml_first(common); c != NULL;
       c = apl_xml_next(c)) {
    const char* own = apl_xml_attribute(c, "symbol", &r->pool);
    if (own == NULL || strcmp(own, symbol) != 0) continue;
    return paint_of(r, find_id(r->root, apl_xml_attribute(c, "target", &r->pool)));
  }
  snprintf(id, sizeof id, "#%s", symbol);
  return paint_of(r, find_id(r->root, id));
}

/* `instance` is the <instance_geometry> of the scene, or NULL. */
static void add_geometry(reader* r, const xml_node* geometry, const xml_node* instance,
                         const matrix* M) {
  const xml_node* m = geometry == NULL ? NULL : apl_xml_child(geometry, "mesh");

  for (const xml_node* c = m == NULL ? NULL : apl_xml_first(m); c != NULL; c = apl_xml_next(c)) {
    const char* word = apl_xml_name(c);
    if (strcmp(word, "triangles") == 0 || strcmp(word, "polylist") == 0 ||
        strcmp(word, "polygons") == 0) {
      r->out->brush = paint_of_list(r, instance, c);
      add_list(r, geometry, c, M);
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
    if (strcmp(word, "matrix") == 0 && numbers(c, x, 16) >= 12) {
      matrix own;
      memcpy(own.a, x, sizeof own.a);
      M = product(&M, &own);
    } else if (strcmp(word, "translate") == 0 && numbers(c, x, 3) == 3) {
      const matrix own = {{1, 0, 0, x[0], 0, 1, 0, x[1], 0, 0, 1, x[2]}};
      M = product(&M, &own);
    } else if (strcmp(word, "rotate") == 0 && numbers(c, x, 4) == 4) {
      const matrix own = rotation(x);
      M = product(&M, &own);
    } else if (strcmp(word, "scale") == 0 && numbers(c, x, 3) == 3) {
      const matrix own = {{x[0], 0, 0, 0, 0, x[1], 0, 0, 0, 0, x[2], 0}};
      M = product(&M, &own);
    } else if (strcmp(word, "instance_geometry") == 0) {
      add_geometry(r, find_id(r->root, apl_xml_attribute(c, "url", &r->pool)), c, &M);
    } else if (strcmp(word, "instance_node") == 0) {
      const xml_node* other = find_id(r->root, apl_xml_attribute(c, "url", &r->pool));
      if (other != NULL) add_node(r, other, M, depth + 1);
    } else if (strcmp(word, "node") == 0) {
      add_node(r, c, M, depth + 1);
    }
  }
}

/* Does the text of the element `name` below `node`, to any depth, contain `word`? */
static bool says(const xml_node* node, const char* name, const char* word) {
  const xml_node* found = find_below(node, name);
  char* text = found == NULL ? NULL : apl_xml_content(found);
  const bool yes = text != NULL && strstr(text, word) != NULL;

  free(text);
  return yes;
}

/* Metres and z up, as <asset> tells. MeshLab writes Y_UP into every file, whatever is up in it, so
   that its word does not count. */
static matrix asset(reader* r) {
  const xml_node* a = apl_xml_child(r->root, "asset");
  const xml_node* unit = a == NULL ? NULL : apl_xml_child(a, "unit");
  const char* metre = unit == NULL ? NULL : apl_xml_attribute(unit, "meter", &r->pool);
  const double s = metre == NULL ? 1.0 : strtod(metre, NULL);

  if (says(a, "up_axis", "Y_UP") && !says(a, "authoring_tool", "VCGLib"))
    return (matrix){{s, 0, 0, 0, 0, 0, -s, 0, 0, s, 0, 0}};
  return (matrix){{s, 0, 0, 0, 0, s, 0, 0, 0, 0, s, 0}};
}

apl_status apl_mesh_dae(const char* text, size_t size, mesh* out, apl_error* err) {
  apl_report report = {0};
  xml_doc* doc = apl_xml_parse(text, size, &report);
  if (doc == NULL) {
    return apl_fail(err, APL_ERR_SYNTAX, "it is not COLLADA: %.200s",
                    report.count > 0 ? report.item[0].text : "no XML");
  }
  reader r = {.root = apl_xml_root(doc), .out = out, .fine = true};
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
  apl_pool_free(&r.pool);
  apl_xml_free(doc);
  return r.fine ? APL_OK : apl_fail(err, APL_ERR_MEMORY, "out of memory");
}
