/* SPDX-License-Identifier: Apache-2.0 */
/* solids.c: shapes of links and obstacles that may touch, and their pairs: for each pair the first
   entry of `collide` that names both, unless they cannot move relative to each other, or the links
   are neighbours. */
#include "model/compiler.h"

#include "base/nearest.h"
#include "math/solid.h"

#include <math.h>

enum { MOST_SOLIDS = 2000, MOST_GROUPS = 100 };

static solid geometry_of(const apl_solid* s) {
  return (solid){(solid_kind)s->kind, {s->size[0], s->size[1], s->size[2]}};
}

static int measure(const apl_solid* a, const double* A, const apl_solid* b, const double* B,
                   double* out) {
  const solid sa = geometry_of(a), sb = geometry_of(b);
  return apl_touch_places(&sa, A, &sb, B, out);
}

static int measure_complex(const apl_solid* a, const double* A, const apl_solid* b, const double* B,
                           double* out) {
  const solid sa = geometry_of(a), sb = geometry_of(b);
  return apl_touch_places_complex(&sa, A, &sb, B, out);
}

static apl_status out_of_memory(compiler* c) {
  return apl_fail(c->err, APL_ERR_MEMORY, "out of memory for shapes");
}

/* ----------------------------------------------------------------------------------- list ---- */

/* Sizes in the form that the geometry needs: half lengths and half edges. */
static apl_solid solid_of(const compiler* c, const spec_shape* s, int link) {
  apl_solid out = {.kind = (int)apl_solid_find(s->type), .link = link};
  pose at = pose_of(s->at);

  memcpy(out.size, s->size, sizeof out.size);
  for (int i = out.kind == SOLID_BOX ? 0 : 1; i < 3; ++i)
    out.size[i] *= 0.5;
  if (link >= 0) {
    const apl_port* root = &c->m->port[c->link[link].port0];
    out.frame = root->frame;
    at = pose_mul(get_pose(c->par + root->pose), at);
  }
  memcpy(out.at, &at, sizeof out.at);
  return out;
}

/* Check the sizes. Shapes for drawing may have any size, shapes for contact must be positive. */
static apl_status check_sizes(compiler* c, const spec_link* l, const spec_shape* shape) {
  const double* bad = apl_shape_bad_size(shape);
  if (bad == NULL) return APL_OK;

  apl_fail(c->err, APL_ERR_MODEL,
           "link '%s': a %s that can touch needs positive sizes, got %g; give it `use: picture` if "
           "it is only drawn",
           l->name, shape->type, *bad);
  return apl_compile_blame(c, shape->mark);
}

static apl_status list_solids(compiler* c) {
  apl_model* m = c->m;
  const apl_spec* s = c->spec;
  int n = s->nobstacle;

  for (int i = 0; i < s->nlink; ++i)
    n += s->link[i]->nshape;
  apl_solid* list = apl_pool_take(&m->pool, sizeof *list * (size_t)(n + 1));
  const char** name = apl_pool_take(&m->pool, sizeof *name * (size_t)(n + 1));
  if (list == NULL || name == NULL) return out_of_memory(c);
  for (int i = 0; i < s->nlink; ++i) {
    for (int k = 0; k < s->link[i]->nshape; ++k) {
      const spec_shape* shape = &s->link[i]->shape[k];
      char number[16];
      if (!apl_shape_touches(shape)) continue;
      const apl_status st = check_sizes(c, s->link[i], shape);
      if (st != APL_OK) return st;
      snprintf(number, sizeof number, "%d", k + 1);
      list[m->nsolid] = solid_of(c, shape, i);
      name[m->nsolid++] = apl_compile_join(c, s->link[i]->name,
                                           shape->name[0] == '\0' ? number : shape->name, NULL);
    }
  }
  for (int i = 0; i < s->nobstacle; ++i) {
    if (!apl_shape_touches(&s->obstacle[i])) continue;
    list[m->nsolid] = solid_of(c, &s->obstacle[i], -1);
    name[m->nsolid++] = apl_pool_text(&m->pool, s->obstacle[i].name);
  }
  m->solid = list;
  m->solid_name = name;
  m->measure = measure;
  m->measure_complex = measure_complex;
  return c->out_of_memory ? out_of_memory(c) : APL_OK;
}

/* ------------------------------------------------------------------------------ neighbours ---- */

/* Number of moving joints between two links: distance[(nlink + 1)^2], the world last. */
typedef struct link_edge {
  int a, b, joints;
} link_edge;

static int link_of_name(const apl_spec* s, const char* name) {
  const size_t n = strcspn(name, ".");
  for (int i = 0; i < s->nlink; ++i) {
    if (strlen(s->link[i]->name) == n && strncmp(s->link[i]->name, name, n) == 0) return i;
  }
  return s->nlink;
}

/* True for the world and links fixed to it. Included robots are mounted on a link of their own. */
static bool is_world(const compiler* c, int link) {
  while (link >= 0 && apl_joint_kinds[c->spec->link[link]->joint_kind]->nv == 0)
    link = c->link[link].parent;
  return link < 0;
}

static int list_edges(const compiler* c, link_edge* edge) {
  const apl_spec* s = c->spec;
  int n = 0;

  for (int k = 0; k < s->nlink; ++k) {
    const int i = c->order[k], up = c->link[i].parent;
    const int nv = apl_joint_kinds[s->link[i]->joint_kind]->nv;
    /* floating, rolling or sliding links may hit the world */
    if (is_world(c, up) && nv > 1) continue;
    edge[n++] = (link_edge){up < 0 ? s->nlink : up, i, nv == 0 ? 0 : 1};
  }
  for (int i = 0; i < s->nloop; ++i)
    edge[n++] =
        (link_edge){link_of_name(s, s->loop[i].c.from), link_of_name(s, s->loop[i].c.to), 1};
  return n;
}

/* Shortest distances from one link: relaxation along all edges until nothing changes. */
static void find_distances(const link_edge* edge, int nedge, int n, int from, int* distance) {
  bool changed = true;

  for (int i = 0; i < n; ++i)
    distance[i] = i == from ? 0 : 1 << 20;
  while (changed) {
    changed = false;
    for (int k = 0; k < 2 * nedge; ++k) {
      const link_edge* e = &edge[k < nedge ? k : 2 * nedge - 1 - k];
      for (int side = 0; side < 2; ++side) {
        const int a = side == 0 ? e->a : e->b, b = side == 0 ? e->b : e->a;
        if (distance[a] + e->joints >= distance[b]) continue;
        distance[b] = distance[a] + e->joints;
        changed = true;
      }
    }
  }
}

/* ------------------------------------------------------------------------------------ pairs ----
 */

static bool matches(const char* pattern, const char* name) {
  const size_t n = strlen(pattern);
  if (n > 0 && pattern[n - 1] == '*') return strncmp(pattern, name, n - 1) == 0;
  return strcmp(pattern, name) == 0;
}

static bool names_solid(const compiler* c, const char* pattern, int i) {
  const int link = c->m->solid[i].link;
  return matches(pattern, c->m->solid_name[i]) ||
         (link >= 0 && matches(pattern, c->spec->link[link]->name));
}

/* Mark the solids that a list of names means; an empty list: all, or those of links. */
static apl_status mark(compiler* c, const spec_collide* k, const spec_word* given, int n,
                       bool links, bool* in) {
  const apl_model* m = c->m;

  for (int i = 0; i < m->nsolid; ++i)
    in[i] = n == 0 && (!links || m->solid[i].link >= 0);
  for (int w = 0; w < n; ++w) {
    apl_nearest near = {.word = given[w].text};
    char hint[96];
    bool any = false;
    for (int i = 0; i < m->nsolid; ++i) {
      const bool yes = names_solid(c, given[w].text, i);
      in[i] = in[i] || yes;
      any = any || yes;
      apl_nearest_offer(&near, m->solid_name[i]);
      if (m->solid[i].link >= 0) apl_nearest_offer(&near, c->spec->link[m->solid[i].link]->name);
    }
    if (any) continue;
    apl_fail(c->err, APL_ERR_MODEL,
             "collide '%s': there is no link, shape or obstacle '%.64s' that can touch%s", k->name,
             given[w].text, apl_nearest_text(&near, hint));
    return apl_compile_blame(c, given[w].at);
  }
  return APL_OK;
}

/* Data of one entry while its pairs are found. */
typedef struct group_work {
  const spec_collide* k;
  int index, pairs, places, left_out;
  int unknown[2]; /* the first pair without a closed form */
  bool *of, *with;
  int* points; /* [nsolid] most contact points of one pair of each solid, 0: it is in no pair */
  const int* distance;
} group_work;

static bool may_touch(const compiler* c, const group_work* w, int i, int j) {
  const apl_solid *a = &c->m->solid[i], *b = &c->m->solid[j];
  const int n = c->spec->nlink, la = a->link < 0 ? n : a->link, lb = b->link < 0 ? n : b->link;

  if (!((w->of[i] && w->with[j]) || (w->of[j] && w->with[i]))) return false;
  if (a->frame == b->frame || la == lb) return false; /* they cannot move relative to each other */
  return w->distance[la * (n + 1) + lb] > w->k->neighbours;
}

static void find_pairs(const compiler* c, group_work* w, signed char* touches) {
  const apl_model* m = c->m;

  for (int i = 0; i < m->nsolid; ++i) {
    for (int j = i + 1; j < m->nsolid; ++j) {
      if (touches[i * m->nsolid + j] >= 0 || !may_touch(c, w, i, j)) continue;
      const int places =
          apl_touch_count((solid_kind)m->solid[i].kind, (solid_kind)m->solid[j].kind);
      if (places == 0) {
        if (w->left_out++ == 0) w->unknown[0] = i, w->unknown[1] = j;
        continue;
      }
      touches[i * m->nsolid + j] = touches[j * m->nsolid + i] = (signed char)w->index;
      w->pairs += 1;
      w->places += places;
      w->points[i] = places > w->points[i] ? places : w->points[i];
      w->points[j] = places > w->points[j] ? places : w->points[j];
    }
  }
}

/* Pairs without a closed form give an error or a warning. */
static apl_status tell_unknown(compiler* c, const group_work* w) {
  const apl_model* m = c->m;
  const int i = w->unknown[0], j = w->unknown[1];
  apl_error e = {0};
  if (w->left_out == 0) return APL_OK;

  apl_fail(w->k->lenient ? &e : c->err, APL_ERR_MODEL,
           "collide '%s': contact of the %s '%s' with the %s '%s' is not implemented%s", w->k->name,
           apl_solid_word((solid_kind)m->solid[i].kind), m->solid_name[i],
           apl_solid_word((solid_kind)m->solid[j].kind), m->solid_name[j],
           w->k->lenient
               ? "; such pairs are left out and pass through each other"
               : ": use a capsule instead, name only other pairs, or set `unknown: leave-out`");
  if (!w->k->lenient) return apl_compile_blame(c, w->k->at);
  e.line = w->k->at.line;
  e.column = w->k->at.column;
  return apl_model_add_doubt(c->m, &e) ? APL_OK : APL_ERR_MEMORY;
}

/* How many contacts one solid adds to the number for its entry. A link of a chain touches two
   others at a time. A body that is held by contacts alone has more: in a pile of balls each ball
   touches six others, which are three contacts for each ball, and some more are near. A pair of
   boxes has up to eight points (docs/decisions/085). */
static int share_of(const compiler* c, const group_work* w, int i) {
  const apl_solid* a = &c->m->solid[i];

  if (w->points[i] == 0) return 0;
  if (a->frame == 0) return 1; /* it stands */
  const bool is_free = a->link >= 0 && joint_kind(c->spec->link[a->link])->nv >= 3;
  return 2 + (is_free ? 4 : 0) + (w->points[i] > 4 ? w->points[i] : 0);
}

/* The number of contacts for an entry: enough for a dense pile of its shapes, and never more than
   there can be. */
static int count_slots(const compiler* c, const group_work* w) {
  int some = 8;

  for (int i = 0; i < c->m->nsolid; ++i)
    some += share_of(c, w, i);
  return some < w->places ? some : w->places;
}

static apl_status compile_group(compiler* c, group_work* w, signed char* touches,
                                apl_touch_group* out) {
  const spec_collide* k = w->k;
  apl_status st = mark(c, k, k->of, k->nof, true, w->of);
  if (st == APL_OK) st = mark(c, k, k->with, k->nwith, false, w->with);
  if (st != APL_OK) return st;

  find_pairs(c, w, touches);
  st = tell_unknown(c, w);
  if (st != APL_OK) return st;
  if (w->pairs == 0) {
    apl_fail(c->err, APL_ERR_MODEL,
             "collide '%s' names no two shapes that can touch; links within `neighbours` joints of "
             "each other are left out",
             k->name);
    return apl_compile_blame(c, k->at);
  }
  out->name = apl_pool_text(&c->m->pool, k->name);
  out->line = k->at.line;
  out->column = k->at.column;
  out->nslot = count_slots(c, w);
  return APL_OK;
}

apl_status apl_compile_solids(compiler* c) {
  apl_model* m = c->m;
  const apl_spec* s = c->spec;
  const int nl = s->nlink + 1;
  if (s->ncollide == 0) return APL_OK;
  const apl_status listed = list_solids(c);
  if (listed != APL_OK) return listed;

  const size_t n = (size_t)m->nsolid;
  if (m->nsolid > MOST_SOLIDS || s->ncollide > MOST_GROUPS) {
    return apl_fail(
        c->err, APL_ERR_MODEL,
        "%d shapes and %d entries of collide are too many: at most %d and %d are possible",
        m->nsolid, s->ncollide, (int)MOST_SOLIDS, (int)MOST_GROUPS);
  }
  signed char* touches = apl_pool_take(&m->pool, n * n + 1);
  apl_touch_group* group = apl_pool_take(&m->pool, sizeof *group * (size_t)s->ncollide);
  bool* in = apl_pool_take(&m->pool, 2 * n + 1);
  int* points = apl_pool_take(&m->pool, sizeof *points * (n + 1));
  int* distance = apl_pool_take(&m->pool, sizeof *distance * (size_t)(nl * nl));
  link_edge* edge = apl_pool_take(&m->pool, sizeof *edge * (size_t)(nl + s->nloop));
  if (touches == NULL || group == NULL || in == NULL || points == NULL || distance == NULL ||
      edge == NULL)
    return out_of_memory(c);

  memset(touches, -1, n * n);
  const int nedge = list_edges(c, edge);
  for (int i = 0; i < nl; ++i)
    find_distances(edge, nedge, nl, i, distance + i * nl);
  for (int g = 0; g < s->ncollide; ++g) {
    group_work w = {.k = &s->collide[g],
                    .index = g,
                    .of = in,
                    .with = in + n,
                    .points = points,
                    .distance = distance};
    memset(points, 0, sizeof *points * n);
    const apl_status st = compile_group(c, &w, touches, &group[g]);
    if (st != APL_OK) return st;
    m->nslot += group[g].nslot;
  }
  for (int g = 0, at = apl_compile_pairs(s); g < s->ncollide; at += group[g++].nslot)
    group[g].slot0 = at;
  m->ngroup = s->ncollide;
  m->group = group;
  m->touches = touches;
  return APL_OK;
}
