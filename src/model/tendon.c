/* SPDX-License-Identifier: Apache-2.0 */
/* tendon.c: spec -> spans. Each guide has two end points on frames (a port: one point twice). A
   straight span joins the end of one guide to the beginning of the next, unless both are the same
   point of one frame; a guide along a body has one span per element. */
#include "model/compiler.h"

#include "base/nearest.h"

#include <math.h>

/* Two points of one frame closer than this [m] are the same. */
static const double same_point = 1e-9;

bool apl_compile_tendon_station(const apl_spec* s, const spec_link* l, int k, double* station) {
  for (int i = 0; i < s->ntendon; ++i) {
    const spec_tendon* t = &s->tendon[i];
    for (int j = 0; j < t->nguide; ++j) {
      const spec_guide* g = &t->guide[j];
      if (g->link == NULL || strcmp(g->link, l->name) != 0) continue;
      *station = g->from;
      if (j > 0 && k-- == 0) return true;
      *station = g->to;
      if (j + 1 < t->nguide && k-- == 0) return true;
    }
  }
  return false;
}

/* -------------------------------------------------------------------------------- ends ---- */

/* A point of a frame. */
typedef struct anchor {
  int frame;
  vec3 p;
} anchor;

/* The same point in the first frame towards the world that can move. */
static anchor settle(const compiler* c, anchor a) {
  while (a.frame > 0) {
    const apl_node* n = &c->node[c->frame[a.frame].node];
    if (a.frame != n->frame || n->nv > 0 || n->nq > 0 || n->slaved) return a;
    const pose tree = get_pose(c->par + n->par + PAR_TREE);
    a = (anchor){n->up, add(mul(tree.R, a.p), tree.p)};
  }
  return a;
}

static anchor port_anchor(const compiler* c, int port) {
  const apl_port* p = &c->port[port];
  return settle(c, (anchor){p->frame, get_pose(c->par + p->pose).p});
}

static anchor section_anchor(const compiler* c, int link, const spec_guide* g, double station) {
  const vec3 d = {g->offset[0], g->offset[1], 0.0};
  return settle(c, (anchor){apl_compile_section(c, link, station), d});
}

/* ------------------------------------------------------------------------------- spans ---- */

typedef struct tendon_work {
  compiler* c;
  const spec_tendon* from;
} tendon_work;

static apl_span* new_span(tendon_work* w, span_kind kind, int nslope) {
  apl_model* m = w->c->m;
  const int at = apl_compile_next(w->c, LIST_SPANS, 1);
  apl_span* g = &w->c->span[at];

  *g = (apl_span){.kind = (int)kind, .slope = m->nslope};
  m->nslope += nslope;
  return g;
}

static void add_straight(tendon_work* w, anchor from, anchor to) {
  const bool fixed = from.frame == to.frame;
  const vec3 r = sub(to.p, from.p);
  if (fixed && sqrt(dot(r, r)) <= same_point) return;

  const vec3 points[2] = {from.p, to.p};
  apl_span* g = new_span(w, fixed ? SPAN_FIXED : SPAN_STRAIGHT, 3);
  g->frame[0] = from.frame;
  g->frame[1] = to.frame;
  g->par = put_numbers(w->c, &points[0].x, 2 * APL_NPAR(vec3));
  w->c->m->nstraight += !fixed;
}

/* One span for each element, or part of one, between the stations. */
static void add_along(tendon_work* w, int link, const spec_guide* guide) {
  const apl_body_plan plan = body_plan(w->c->spec->link[link]);

  for (int e = 0; e < plan.elements; ++e) {
    const double from = fmax(guide->from * plan.elements - e, 0.0);
    const double share = fmin(guide->to * plan.elements - e, 1.0) - from;
    if (share <= 1e-12 * plan.elements) continue;

    const along_par along = {guide->offset[0], guide->offset[1], from, share};
    apl_span* g = new_span(w, guide->discs > 0 ? SPAN_CHORDS : SPAN_ALONG, plan.nx);
    g->node = w->c->link[link].node0 + e;
    g->chords = guide->discs;
    g->par = put_numbers(w->c, &along.x, APL_NPAR(along_par));
  }
}

/* ------------------------------------------------------------------------------ guides ---- */

/* The port of a guide; -1 with an error. */
static int guide_port(tendon_work* w, const spec_guide* g) {
  char hint[96];
  const int port = apl_compile_port(w->c, g->port, hint);

  if (port < 0) {
    apl_fail(w->c->err, APL_ERR_MODEL,
             "tendon '%s' goes through the port '%s', which does not exist%s", w->from->name,
             g->port, hint);
  }
  return port;
}

/* The link along which a guide runs; -1 with an error. */
static int guide_link(tendon_work* w, const spec_guide* g) {
  const compiler* c = w->c;
  const int link = find_link(c->spec, g->link, strlen(g->link));

  if (link < 0) {
    apl_nearest near = {.word = g->link};
    char hint[96];
    for (int k = 0; k < c->spec->nlink; ++k)
      apl_nearest_offer(&near, c->spec->link[k]->name);
    apl_fail(c->err, APL_ERR_MODEL, "tendon '%s' runs along '%s', but there is no such link%s",
             w->from->name, g->link, apl_nearest_text(&near, hint));
    return -1;
  }
  const spec_link* l = c->spec->link[link];
  const apl_body_plan plan = body_plan(l);
  if (plan.nx == 0) {
    apl_fail(c->err, APL_ERR_MODEL,
             "tendon '%s' runs along '%s', whose %s body does not deform: guide it through ports "
             "instead",
             w->from->name, g->link, body_kind(l)->word);
    return -1;
  }
  if (!plan.channel) {
    apl_fail(c->err, APL_ERR_MODEL,
             "tendon '%s': a %s body cannot guide a tendon continuously: set `discs`, or guide it "
             "through ports of '%s'",
             w->from->name, body_kind(l)->word, g->link);
    return -1;
  }
  return link;
}

static apl_status compile_tendon(tendon_work* w, apl_tendon* out) {
  compiler* c = w->c;
  const spec_tendon* t = w->from;
  anchor last = {0, {0, 0, 0}};
  int points = 0;

  out->span0 = c->m->nspan;
  for (int k = 0; k < t->nguide; ++k) {
    const spec_guide* g = &t->guide[k];
    const bool point = g->port != NULL;
    const int at = point ? guide_port(w, g) : guide_link(w, g);
    if (at < 0) return apl_compile_blame(c, g->at);

    /* only ends of straight spans need a frame */
    if (k > 0)
      add_straight(w, last, point ? port_anchor(c, at) : section_anchor(c, at, g, g->from));
    if (!point) add_along(w, at, g);
    if (k + 1 < t->nguide) last = point ? port_anchor(c, at) : section_anchor(c, at, g, g->to);
    points += point ? 1 : 2;
  }
  if (points < 2) {
    apl_fail(c->err, APL_ERR_MODEL,
             "tendon '%s' needs at least two ports, or a link to run along, got %d point%s",
             t->name, points, points == 1 ? "" : "s");
    return apl_compile_blame(c, t->at);
  }
  out->nspan = c->m->nspan - out->span0;
  bool pulls = false;
  for (int k = 0; k < out->nspan; ++k)
    pulls = pulls || c->span[out->span0 + k].kind != SPAN_FIXED;
  if (!pulls) {
    apl_fail(c->err, APL_ERR_MODEL,
             "tendon '%s' has no effect: its points cannot move relative to each other", t->name);
    return apl_compile_blame(c, t->at);
  }
  return APL_OK;
}

apl_status apl_compile_tendons(compiler* c) {
  apl_model* m = c->m;
  const int n = c->spec->ntendon;
  apl_tendon* tendon = apl_pool_take(&m->pool, sizeof *tendon * (size_t)(n + 1));
  const char** name = apl_pool_take(&m->pool, sizeof *name * (size_t)(n + 1));
  if (tendon == NULL || name == NULL) {
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the tendons");
  }

  for (int i = 0; i < n; ++i) {
    const spec_tendon* t = &c->spec->tendon[i];
    tendon_work work = {c, t};
    const apl_status st = compile_tendon(&work, &tendon[i]);
    if (st != APL_OK) return st;

    /* a rest length that is not given is computed later: dynamics/prove.c */
    const tendon_par spring = {t->stiffness, t->damping, t->rest < HUGE_VAL ? t->rest : -1.0};
    tendon[i].par = put_numbers(c, &spring.k, APL_NPAR(tendon_par));
    tendon[i].elastic = t->stiffness > 0.0;
    name[i] = apl_pool_text(&m->pool, t->name);
    if (name[i] == NULL) {
      return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the tendons");
    }
  }
  m->tendon = tendon;
  m->tendon_name = name;
  m->ntendon = n;
  return APL_OK;
}
