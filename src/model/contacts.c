/* SPDX-License-Identifier: Apache-2.0 */
/* contacts.c: grounds and contacts of a spec -> pairs of a port and a plane, with the numbers of
   their laws. */
#include "model/compiler.h"

#include "base/nearest.h"
#include "law/contact_law.h"
#include "spec/words.h"

#include <math.h>

static vec3 unit_vector(vec3 a) {
  return scale(1.0 / sqrt(dot(a, a)), a);
}

static vec3 vector(apl_vec3 a) {
  return (vec3){a.x, a.y, a.z};
}

static bool turns(const apl_surface* g) {
  return strcmp(g->axes, "link") == 0;
}

/* normal, then two tangents: the user's direction, or any that is not along the normal. A direction
   that turns with links is stored in their axes instead */
static void plane_axes(const apl_surface* g, vec3 e[3]) {
  vec3 d = turns(g) ? (vec3){0, 0, 0} : vector(g->direction);

  e[0] = unit_vector(vector(g->normal));
  if (dot(d, d) == 0.0) d = fabs(e[0].x) < 0.7 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
  e[1] = unit_vector(sub(d, scale(dot(d, e[0]), e[0])));
  e[2] = cross(e[0], e[1]);
}

static int word_index(const char* law, const char* (*list)(int)) {
  int i = 0;
  while (strcmp(list(i), law) != 0)
    ++i;
  return i;
}

static double or_else(double x, double fallback) {
  return x != 0.0 ? x : fallback;
}

/* Coefficients that are not given equal that of forward slip; zero is a given value. */
static double given(double x, double fallback) {
  return isfinite(x) ? x : fallback;
}

static friction_numbers friction_of(const apl_surface* g) {
  const double m = g->coefficient, side = given(g->across, m);

  return (friction_numbers){
      .m = m,
      .ms = or_else(g->stiction, m),
      .back = m > 0.0 ? given(g->backward, m) / m : 1.0,
      .left = m > 0.0 ? given(g->left, side) / m : 1.0,
      .right = m > 0.0 ? given(g->right, side) / m : 1.0,
      .v0 = or_else(g->v0, 1.0),
      .v1 = or_else(g->v1, 2.0),
      .viscous = g->viscous,
      .vs = or_else(g->stribeck_speed, 1.0),
      .d = g->stribeck_exponent,
      .xi = g->decay,
      .sigma0 = g->bristle_stiffness,
      .sigma1 = g->bristle_damping,
      .drag = {g->drag, or_else(g->drag_across, g->drag)},
  };
}

/* Write the numbers of the pair; apl_spec_ground() has checked them. */
static void put_pair(compiler* c, const apl_surface* g, double radius, apl_pair* out) {
  const normal_law normal = (normal_law)word_index(g->law, apl_normal_word);
  const friction_law friction = (friction_law)word_index(g->friction, apl_friction_word);
  const bool rigid = normal == NORMAL_RESTITUTION;
  const double e = g->restitution;
  const normal_numbers N = {rigid ? 0.0 : g->stiffness, g->exponent, normal_loss(normal, e),
                            g->damping};
  const friction_numbers F = friction_of(g);
  const vec3 way = dot(vector(g->direction), vector(g->direction)) > 0.0
                       ? unit_vector(vector(g->direction))
                       : (vec3){1, 0, 0};
  const vec3 at = vector(g->point);
  vec3 e3[3];
  double* par;

  plane_axes(g, e3);
  out->par = take(c, PAIR_NUMBERS);
  par = c->par + out->par;
  memcpy(par + PAIR_POINT, &at, sizeof at);
  memcpy(par + PAIR_AXES, e3, sizeof e3);
  par[PAIR_RADIUS] = radius;
  memcpy(par + PAIR_NORMAL, &N, sizeof N);
  memcpy(par + PAIR_FRICTION, &F, sizeof F);
  par[PAIR_RESTITUTION] = e;
  par[PAIR_REST] = g->rest_speed;
  par[PAIR_DEPTH] = g->start_depth;
  memcpy(par + PAIR_ALONG, &way, sizeof way);
  out->turns = turns(g);
  out->law = (int)normal;
  out->friction = (int)friction;
  out->pulls = g->pulls;
  out->rigid = rigid;
  out->sticks = friction == FRICTION_COULOMB_STICTION || friction == FRICTION_KARNOPP;
  out->bristles = friction == FRICTION_LUGRE;
}

/* The port of a contact: "link.port", or a link alone for its root. */
static apl_status find_port(compiler* c, const spec_contact* k, int* port) {
  apl_nearest near = {.word = k->port};
  char hint[96];

  *port = find_name(c->port_name, c->m->nport, k->port);
  if (*port >= 0) return APL_OK;
  for (int i = 0; i < c->m->nport; ++i)
    apl_nearest_offer(&near, c->port_name[i]);
  apl_fail(c->err, APL_ERR_MODEL, "contact on '%s', which is not a port%s", k->port,
           apl_nearest_text(&near, hint));
  return apl_compile_blame(c, k->at);
}

static apl_status check_ground(compiler* c, const spec_contact* k) {
  const apl_spec* s = c->spec;
  apl_nearest near = {.word = k->ground};
  char hint[96];

  if (s->nground == 0) {
    apl_fail(c->err, APL_ERR_MODEL, "contact on '%s': the model has no `grounds` to touch",
             k->port);
    return apl_compile_blame(c, k->at);
  }
  if (k->ground[0] == '\0') return APL_OK;
  for (int i = 0; i < s->nground; ++i) {
    if (strcmp(s->ground[i].name, k->ground) == 0) return APL_OK;
    apl_nearest_offer(&near, s->ground[i].name);
  }
  apl_fail(c->err, APL_ERR_MODEL, "contact on '%s' with '%s', which is not a ground%s", k->port,
           k->ground, apl_nearest_text(&near, hint));
  return apl_compile_blame(c, k->at);
}

int apl_compile_pairs(const apl_spec* s) {
  int n = 0;

  for (int i = 0; i < s->ncontact; ++i)
    n += s->contact[i].ground[0] == '\0' ? s->nground : 1;
  return n;
}

/* Contact slots for the pairs of each entry of `collide`, with its laws: NAME.1, NAME.2 .. */
static void put_slots(compiler* c, apl_pair* pair, const char** name, apl_mark* mark) {
  apl_model* m = c->m;

  for (int g = 0; g < m->ngroup; ++g) {
    const apl_touch_group* group = &m->group[g];
    for (int k = 0; k < group->nslot; ++k) {
      apl_pair* p = &pair[m->npair];
      char number[16];
      snprintf(number, sizeof number, "%d", k + 1);
      put_pair(c, &c->spec->collide[g].g, 0.0, p);
      p->port = -1;
      p->ground = group->name;
      m->nbristle += p->bristles;
      mark[m->npair] = (apl_mark){group->line, group->column};
      name[m->npair++] = apl_compile_join(c, group->name, number, NULL);
    }
  }
}

apl_status apl_compile_contacts(compiler* c) {
  apl_model* m = c->m;
  const apl_spec* s = c->spec;
  const int n = apl_compile_pairs(s) + m->nslot;
  apl_pair* pair = apl_pool_take(&m->pool, sizeof *pair * (size_t)(n + 1));
  const char** name = apl_pool_take(&m->pool, sizeof *name * (size_t)(n + 1));
  apl_mark* mark = apl_pool_take(&m->pool, sizeof *mark * (size_t)(n + 1));
  if (pair == NULL || name == NULL || mark == NULL) {
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the contacts");
  }

  for (int i = 0; i < s->ncontact; ++i) {
    const spec_contact* k = &s->contact[i];
    int port;
    apl_status st = find_port(c, k, &port);
    if (st == APL_OK) st = check_ground(c, k);
    if (st != APL_OK) return st;
    for (int g = 0; g < s->nground; ++g) {
      if (k->ground[0] != '\0' && strcmp(k->ground, s->ground[g].name) != 0) continue;
      apl_pair* p = &pair[m->npair];
      put_pair(c, &s->ground[g].g, k->radius, p);
      p->port = port;
      p->arc = k->arc > 0.0;
      c->par[p->par + PAIR_ARC] = cos(k->arc);
      c->par[p->par + PAIR_ARC + 1] = sin(k->arc);
      p->pressed = k->load > 0.0;
      p->rigid = p->rigid && !p->pressed;
      c->par[p->par + PAIR_LOAD] = k->load;
      p->ground = apl_pool_text(&m->pool, s->ground[g].name);
      m->nbristle += p->bristles;
      mark[m->npair] = k->at;
      name[m->npair++] = apl_compile_join(c, k->port, s->ground[g].name, NULL);
    }
  }
  put_slots(c, pair, name, mark);
  m->pair = pair;
  m->pair_name = name;
  m->pair_mark = mark;
  return c->out_of_memory
             ? apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the contacts")
             : APL_OK;
}
