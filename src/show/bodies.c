/* SPDX-License-Identifier: Apache-2.0 */
/* bodies.c: draws a robot from its numbers alone.

   A rolling link gets wheels, axles and a chassis over them; a leaf of the tree, or a floating
   link, is the box, cylinder or ball with its inertia; any other link is bars from its joint to its
   ports and children, with a hub along its axis. Links on the world get a foot. Bending bodies are
   strips (pictures.c). Nothing here depends on names of kinds: axes come from Jacobians, wheels
   from the joint's footing. */
#include "show/bodies.h"

#include "appell/dynamics.h"
#include "dynamics/extra.h"
#include "math/pose.h"
#include "model/model_impl.h"
#include "show/json.h"
#include "show/solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const METAL = "#6b7480";
static const char* const TYRE = "#3a3f47";

typedef struct maker {
  json_t** list;
  const apl_places* places;
  const apl_model* m;
  apl_state* state; /* at rest */
  const bool* shown;
  pose* X;     /* [nport] at rest                                                                 */
  double* J;   /* [6 * nv] of a root, in its axes                                                 */
  double size; /* of the robot [m]                                                                */
} maker;

/* ---------------------------------------------------------------------------------- shapes ---- */

/* Add a shape with rotation R; port -1 is the world. */
static void put(maker* k, int port, const char* type, json_t* size, vec3 at, mat3 R,
                const char* colour) {
  const apl_quat q = apl_quat_of_matrix(&R.xx);
  json_t* s = json_pack("{s:s, s:i, s:o, s:[f, f, f, f, f, f, f]}", "type", type, "port", port,
                        "size", size, "offset", at.x, at.y, at.z, q.w, q.x, q.y, q.z);

  if (colour != NULL) apl_json_set(&s, "colour", json_string(colour));
  apl_json_add(k->list, s);
}

static void put_bar(maker* k, int port, vec3 a, vec3 b, double radius, const char* colour) {
  const vec3 d = sub(b, a);
  const double length = sqrt(dot(d, d));

  if (length < 0.3 * radius) return;
  put(k, port, "capsule", json_pack("[f, f]", radius, length), scale(0.5, add(a, b)),
      apl_solid_axis(d), colour);
}

static void put_cylinder(maker* k, int port, vec3 at, vec3 axis, double radius, double length,
                         const char* colour) {
  put(k, port, "cylinder", json_pack("[f, f]", radius, length), at, apl_solid_axis(axis), colour);
}

static void put_box(maker* k, int port, vec3 at, mat3 R, vec3 edge, const char* colour) {
  put(k, port, "box", json_pack("[f, f, f]", edge.x, edge.y, edge.z), at, R, colour);
}

static void put_ball(maker* k, int port, vec3 at, double radius, const char* colour) {
  put(k, port, "sphere", json_pack("[f]", radius), at, mat3_identity(), colour);
}

static void put_solid(maker* k, int port, const solid* s) {
  if (s->type == SOLID_BALL) put_ball(k, port, s->at, s->edge.x, NULL);
  if (s->type == SOLID_CYLINDER)
    put(k, port, "cylinder", json_pack("[f, f]", s->edge.x, s->edge.z), s->at, s->R, NULL);
  if (s->type == SOLID_BOX) put_box(k, port, s->at, s->R, s->edge, NULL);
}

/* ------------------------------------------------------------------------------ one link ---- */

/* A port of a link, seen from its root. */
static vec3 seen(const maker* k, int root, int port) {
  const pose *A = &k->X[root], *B = &k->X[port];
  return mul_t(A->R, sub(B->p, A->p));
}

static vec3 centre_of(const maker* k, int link) {
  const double* p = k->m->inertial + 10 * link;
  return p[0] > 0.0 ? scale(1.0 / p[0], (vec3){p[1], p[2], p[3]}) : (vec3){0, 0, 0};
}

/* Points that a link reaches: its own ports, and the root of a child away from the port that
   carries it. `d` is seen from the root of the link. */
static bool reaches(const maker* k, int link, int p, vec3* d) {
  const int root = k->m->link[link].port, owner = k->m->port[p].link;
  const apl_link_info* child = &k->m->link[owner];

  *d = seen(k, root, p);
  if (owner == link) return p != root;
  return p == child->port && child->on >= 0 && k->m->port[child->on].link == link &&
         apl_solid_distance(*d, seen(k, root, child->on)) > 1e-6 * k->size;
}

/* Largest extent of a rigid link from its root. */
static double extent(const maker* k, int link) {
  const vec3 c = centre_of(k, link);
  double most = dot(c, c);
  vec3 d;

  for (int p = 0; p < k->m->nport; ++p) {
    if (reaches(k, link, p, &d)) most = fmax(most, dot(d, d));
  }
  return sqrt(most);
}

static double thickness(const maker* k, int link) {
  const double wish = 0.09 * extent(k, link);
  return fmin(fmax(wish, 0.007 * k->size), 0.02 * k->size);
}

/* Freedoms of a joint, from the columns of its Jacobian: rotations and translations; the axis is
   that of the last of each. */
typedef struct freedom {
  int turns, slides;
  vec3 turn, slide;
} freedom;

static freedom freedoms(maker* k, int link) {
  const apl_link_info* l = &k->m->link[link];
  const int nv = k->m->nv;
  freedom f = {0};

  if (l->nv == 0 || apl_jacobian(k->m, k->state, l->port, APL_PORT_AXES, k->J) != APL_OK) return f;
  for (int c = l->v0; c < l->v0 + l->nv; ++c) {
    const double* J = k->J + c;
    const vec3 w = {J[0], J[nv], J[2 * nv]}, v = {J[3 * nv], J[4 * nv], J[5 * nv]};
    if (dot(w, w) > 0.25) f.turns++, f.turn = w;
    if (dot(w, w) <= 0.25 && dot(v, v) > 0.25) f.slides++, f.slide = v;
  }
  return f;
}

static void add_hub(maker* k, int link, const freedom* f, double r) {
  const int root = k->m->link[link].port;
  const vec3 o = {0, 0, 0};

  if (f->turns == 1 && f->slides == 0) put_cylinder(k, root, o, f->turn, 1.6 * r, 3.4 * r, METAL);
  if (f->turns > 1 && f->slides == 0) put_ball(k, root, o, 1.7 * r, METAL);
  if (f->slides == 1)
    put_box(k, root, o, apl_solid_axis(f->slide), (vec3){3 * r, 3 * r, 4.4 * r}, METAL);
}

/* The foot of a link on the world: below it, above if it hangs, behind if it bends. */
static void add_foot(maker* k, int link, double r) {
  const apl_link_info* l = &k->m->link[link];
  const pose X = k->X[l->port];
  const vec3 c = mul(X.R, centre_of(k, link));
  const vec3 way =
      l->nx > 0 ? mul(X.R, (vec3){0, 0, 1}) : (vec3){0, 0, c.z < -1e-6 * k->size ? -1.0 : 1.0};
  const double stand = l->nx > 0 ? 0.0 : 3.6 * r;

  if (stand > 0.0) put_bar(k, -1, X.p, sub(X.p, scale(stand, way)), 1.1 * r, METAL);
  put_cylinder(k, -1, sub(X.p, scale(stand + 0.6 * r, way)), way, 4.2 * r, 1.2 * r, METAL);
}

/* Bars to its ports and children, and one to a centre of mass away from all of them. */
static void add_bars(maker* k, int link, double r) {
  const int root = k->m->link[link].port;
  const vec3 o = {0, 0, 0}, c = centre_of(k, link);
  double apart = HUGE_VAL;
  vec3 d;

  for (int p = 0; p < k->m->nport; ++p) {
    if (!reaches(k, link, p, &d)) continue;
    put_bar(k, root, o, d, r, NULL);
    apart = fmin(apart, apl_solid_distance(c, d));
  }
  if (apart < 2.0 * r) return;
  put_bar(k, root, o, c, 0.8 * r, NULL);
  put_ball(k, root, c, 1.6 * r, NULL);
}

static bool reaches_out(const maker* k, int link) {
  vec3 d;

  for (int p = 0; p < k->m->nport; ++p) {
    if (reaches(k, link, p, &d)) return true;
  }
  return false;
}

/* A sliding or towed link gets a rod to the link that carries it. */
static void add_rod(maker* k, int link, double r) {
  const apl_link_info* l = &k->m->link[link];
  if (l->on < 0) return;
  const vec3 d = sub(k->X[l->port].p, k->X[l->on].p);
  const freedom f = freedoms(k, link);

  if (f.slides == 0 && sqrt(dot(d, d)) < 0.5 * r) return;
  apl_json_add(k->list, json_pack("{s:s, s:[i, i], s:[f]}", "type", "tube", "ports", l->on, l->port,
                                  "size", 0.6 * r));
}

static void add_rigid(maker* k, int link) {
  const apl_link_info* l = &k->m->link[link];
  const freedom f = freedoms(k, link);
  const double r = thickness(k, link);
  const bool free = l->on < 0 && f.slides >= 2;
  solid s;

  add_rod(k, link, r);
  if (!free && l->mass > 0.0) add_hub(k, link, &f, r);
  if (l->on < 0 && !free && f.slides == 0) add_foot(k, link, r);
  if ((free || !reaches_out(k, link)) && apl_solid_of(k->m->inertial + 10 * link, &s) &&
      apl_solid_size(&s) < 3.0 * k->size) {
    put_solid(k, l->port, &s);
    if (!free) put_bar(k, l->port, (vec3){0, 0, 0}, s.at, 0.7 * r, NULL);
  } else if (l->mass > 0.0 || reaches_out(k, link)) {
    add_bars(k, link, r);
  }
}

/* --------------------------------------------------------------------------------- wheels ---- */

/* A growing rectangle in the axes of the ground. */
typedef struct floor_box {
  double x0, x1, y0, y1;
} floor_box;

static void cover(floor_box* b, double x, double y, double around) {
  b->x0 = fmin(b->x0, x - around), b->x1 = fmax(b->x1, x + around);
  b->y0 = fmin(b->y0, y - around), b->y1 = fmax(b->y1, y + around);
}

/* Wheels rotate with their channels; an axle joins two wheels on one line. */
static void add_wheels(maker* k, const apl_footing* foot, int link, mat3 B) {
  const int root = k->m->link[link].port;
  const mat3 axle = apl_solid_axis((vec3){0, 1, 0});
  const apl_quat q = apl_quat_of_matrix(&axle.xx);

  for (int i = 0; i < apl_places_nwheel(k->places); ++i) {
    const apl_place_wheel w = apl_places_wheel(k->places, i);
    if (w.link != link) continue;
    apl_json_add(k->list,
                 json_pack("{s:s, s:i, s:[f, f], s:s, s:[f, f, f, f, f, f, f], s:o}", "type",
                           "wheel", "port", w.place, "size", w.radius, 0.36 * w.radius, "colour",
                           TYRE, "offset", 0.0, 0.0, 0.0, q.w, q.x, q.y, q.z, "spin",
                           json_sprintf("%s.angle", k->m->satellite_name[w.satellite])));
  }
  for (int i = 0; i < foot->count; ++i) {
    for (int j = i + 1; j < foot->count; ++j) {
      const apl_foothold *a = &foot->contact[i], *b = &foot->contact[j];
      if (a->wheel < 0 || b->wheel < 0 || fabs(a->x - b->x) > 1e-9) continue;
      const double z = a->radius - foot->height;
      put_bar(k, root, mul(B, (vec3){a->x, a->y, z}), mul(B, (vec3){b->x, b->y, z}),
              0.12 * a->radius, METAL);
    }
  }
}

/* A post from the chassis up to what stands on it. */
static void add_posts(maker* k, int link, mat3 B, double top, double r) {
  const int root = k->m->link[link].port;
  vec3 d;

  for (int p = 0; p < k->m->nport; ++p) {
    if (!reaches(k, link, p, &d)) continue;
    const vec3 g = mul_t(B, d);
    if (g.z > top) put_bar(k, root, mul(B, (vec3){g.x, g.y, top}), d, r, NULL);
  }
}

static void add_rolling(maker* k, int ground) {
  const int link = k->m->node[k->m->footing[ground]].link;
  const int root = k->m->link[link].port;
  apl_footing foot;
  mat3 B;
  apl_place_footing(k->m, ground, k->m->neutral, &foot, &B);

  double wheel = 0.0;
  for (int i = 0; i < foot.count; ++i)
    wheel = fmax(wheel, foot.contact[i].radius);
  solid s;
  if (!(wheel > 0.0)) { /* a disc, a ball, a runner */
    if (apl_solid_of(k->m->inertial + 10 * link, &s)) put_solid(k, root, &s);
    return;
  }
  const vec3 c = mul_t(B, centre_of(k, link));
  floor_box b = {0, 0, 0, 0};
  double side = 0.0; /* the wheels stand outside the chassis */
  cover(&b, c.x, 0, 0.5 * wheel);
  for (int i = 0; i < foot.count; ++i) {
    const apl_foothold* at = &foot.contact[i];
    cover(&b, at->x, 0, at->wheel < 0 ? 0.4 * wheel : 0.8 * wheel);
    side = fmax(side, fabs(at->y));
    if (at->wheel < 0)
      put_ball(k, root, mul(B, (vec3){at->x, at->y, 0.3 * wheel - foot.height}), 0.3 * wheel,
               METAL);
  }
  for (int p = 0; p < k->m->nport; ++p) {
    if (k->m->port[p].link != link || p == root) continue;
    const vec3 g = mul_t(B, seen(k, root, p));
    cover(&b, g.x, 0, 0.4 * wheel);
  }
  const double half = fmax(side - 0.26 * wheel, 0.3 * wheel), z = wheel - foot.height;
  const double low = z - 0.15 * wheel, top = z + 0.6 * wheel;
  put_box(k, root, mul(B, (vec3){0.5 * (b.x0 + b.x1), 0, 0.5 * (low + top)}), B,
          (vec3){b.x1 - b.x0, 2 * half, top - low}, NULL);
  add_wheels(k, &foot, link, B);
  add_posts(k, link, B, top, fmin(0.3 * wheel, 0.02 * k->size));
  add_rod(k, link, 0.3 * wheel);
}

/* ---------------------------------------------------------------------------------- robots ---- */

/* The diagonal of the box around all ports and centres; that of a body when all is in one point. */
static double robot_size(const maker* k) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  double square = 0.0, body = 0.0;
  solid s;

  for (int p = 0; p < k->m->nport; ++p) {
    const apl_link_info* l = &k->m->link[k->m->port[p].link];
    const pose* X = &k->X[p];
    const vec3 c = p == l->port ? centre_of(k, k->m->port[p].link) : (vec3){0, 0, 0};
    const vec3 q = add(X->p, mul(X->R, c));
    const double x[2][3] = {{X->p.x, X->p.y, X->p.z}, {q.x, q.y, q.z}};
    for (int i = 0; i < 6; ++i) {
      low[i % 3] = fmin(low[i % 3], x[i / 3][i % 3]);
      high[i % 3] = fmax(high[i % 3], x[i / 3][i % 3]);
    }
  }
  for (int i = 0; i < 3 && k->m->nport > 0; ++i)
    square += (high[i] - low[i]) * (high[i] - low[i]);
  for (int i = 0; i < k->m->nlink; ++i) {
    if (apl_solid_of(k->m->inertial + 10 * i, &s)) body = fmax(body, apl_solid_size(&s));
  }
  return square > 1e-12 ? sqrt(square) : body > 0.0 ? body : 1.0;
}

static bool is_rolling(const apl_model* m, int link) {
  for (int g = 0; g < m->nfooting; ++g) {
    if (m->node[m->footing[g]].link == link) return true;
  }
  return false;
}

static void add_all(maker* k) {
  for (int g = 0; g < k->m->nfooting; ++g) {
    if (!k->shown[k->m->node[k->m->footing[g]].link]) add_rolling(k, g);
  }
  for (int i = 0; i < k->m->nlink; ++i) {
    const apl_link_info* l = &k->m->link[i];
    if (k->shown[i] || is_rolling(k->m, i)) continue;
    if (l->nx == 0) add_rigid(k, i);
    if (l->nx > 0 && l->on < 0 && l->nv == 0)
      add_foot(k, i, fmax(0.012 * k->size, 0.6 * fmax(l->half[0], l->half[1])));
  }
}

bool apl_bodies_add(json_t** list, const apl_places* places, const apl_model* m,
                    const bool* shown) {
  maker k = {.list = list, .places = places, .m = m, .shown = shown};

  k.X = malloc(sizeof *k.X * (size_t)(m->nport + 1));
  k.J = malloc(sizeof *k.J * 6 * (size_t)(m->nv + 1));
  const bool ok = k.X != NULL && k.J != NULL && apl_state_new(m, APL_SCALAR, &k.state) == APL_OK &&
                  apl_poses(m, k.state, (double*)k.X) == APL_OK;
  if (ok) {
    k.size = robot_size(&k);
    add_all(&k);
  }
  apl_state_free(k.state);
  free(k.X);
  free(k.J);
  return ok;
}
