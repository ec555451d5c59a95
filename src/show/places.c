/* SPDX-License-Identifier: Apache-2.0 */
/* places.c: see places.h. Wheels have no ports: their frames (carriers) follow from the footing of
   the rolling joint; x of a carrier is the rolling direction, y the axle, z the ground's normal.
   The rotation of a wheel is a channel. */
#include "show/places.h"

#include "appell/dynamics.h"
#include "dynamics/extra.h"
#include "math/pose.h"
#include "model/info.h"
#include "model/model_impl.h"
#include "show/json.h"
#include "show/solid.h"

#include <stdlib.h>
#include <string.h>

typedef struct carrier {
  int ground, contact; /* joint that rolls, its contact                                           */
  apl_place_wheel wheel;
} carrier;

struct apl_places {
  const apl_model* model;
  int nport, nsection, npoint, nwheel;
  carrier* wheel; /* [nfooting * FOOTING_CONTACTS] */
  double* X;      /* [12 * largest group] scratch                                                 */
};

static float* put_poses(const double* X, int n, float* out) {
  for (int i = 0; i < n; ++i, X += 12, out += PLACE_POSE) {
    mat3 R;
    memcpy(&R, X, sizeof R);
    const apl_quat q = apl_quat_of_matrix(&R.xx);
    const float place[PLACE_POSE] = {(float)X[9], (float)X[10], (float)X[11], (float)q.w,
                                     (float)q.x,  (float)q.y,   (float)q.z};
    memcpy(out, place, sizeof place);
  }
  return out;
}

/* Points have no orientation. */
static float* put_points(const double* x, int n, float* out) {
  for (int i = 0; i < n; ++i, x += 3, out += PLACE_POSE) {
    const float place[PLACE_POSE] = {(float)x[0], (float)x[1], (float)x[2], 1.0f};
    memcpy(out, place, sizeof place);
  }
  return out;
}

/* ---------------------------------------------------------------------------------- wheels ---- */

void apl_place_footing(const apl_model* m, int ground, const double* q, apl_footing* foot,
                       mat3* to_root) {
  const apl_node* n = &m->node[m->footing[ground]];
  mat3 own; /* the root's axes in the joint's own */

  *foot = (apl_footing){.to_ground = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .fork = -1};
  apl_joint_kinds[n->joint]->stands(m->par + n->jpar, q + n->q0, foot);
  memcpy(&own, m->par + (n->back != 0 ? n->back : m->port[m->link[n->link].port].pose), sizeof own);
  *to_root = apl_solid_back(mat3_mul(foot->to_ground, own));
}

/* The set of wheels does not depend on the state. */
static void find_wheels(apl_places* p) {
  const apl_model* m = p->model;

  for (int g = 0; g < m->nfooting; ++g) {
    const apl_node* n = &m->node[m->footing[g]];
    apl_footing foot;
    mat3 to_root;

    apl_place_footing(m, g, m->neutral, &foot, &to_root);
    for (int c = 0; c < foot.count; ++c) {
      const apl_foothold* at = &foot.contact[c];
      if (at->wheel < 0 || !(at->radius > 0.0)) continue;
      p->wheel[p->nwheel++] = (carrier){g, c, {0, n->sat0 + at->wheel, n->link, at->radius}};
    }
  }
}

/* Columns of a carrier are along, z x along and z of the ground's axes. */
static void carrier_pose(const apl_model* m, const carrier* w, const double* root, const double* q,
                         double* X) {
  apl_footing foot;
  mat3 R, to_root;

  apl_place_footing(m, w->ground, q, &foot, &to_root);
  memcpy(&R, root, sizeof R);
  const mat3 G = mat3_mul(R, to_root);
  const apl_foothold* at = &foot.contact[w->contact];
  const vec3 z = {0, 0, 1}, axle = cross(z, at->along);
  const vec3 column[3] = {mul(G, at->along), mul(G, axle), mul(G, z)};
  const vec3 centre = mul(G, (vec3){at->x, at->y, at->radius - foot.height});

  for (int k = 0; k < 3; ++k) {
    X[k] = column[k].x;
    X[3 + k] = column[k].y;
    X[6 + k] = column[k].z;
  }
  X[9] = root[9] + centre.x;
  X[10] = root[10] + centre.y;
  X[11] = root[11] + centre.z;
}

/* ---------------------------------------------------------------------------------- places ---- */

apl_places* apl_places_new(const apl_model* m) {
  apl_places* p = calloc(1, sizeof *p);
  if (p == NULL) return NULL;

  p->model = m;
  p->nport = m->nport;
  for (int i = 0; i < m->nlink; ++i)
    p->nsection += m->link[i].sections;
  for (int i = 0; i < m->ntendon; ++i)
    p->npoint += apl_model_tendon_npoint(m, i);
  p->wheel = calloc((size_t)(m->nfooting * FOOTING_CONTACTS + 1), sizeof *p->wheel);
  p->X = malloc(sizeof *p->X * 12 * (size_t)(p->nport + p->nsection + p->npoint + 1));
  if (p->wheel == NULL || p->X == NULL) {
    apl_places_free(p);
    return NULL;
  }
  find_wheels(p);
  for (int i = 0; i < p->nwheel; ++i)
    p->wheel[i].wheel.place = p->nport + p->nsection + p->npoint + i;
  return p;
}

void apl_places_free(apl_places* p) {
  if (p == NULL) return;
  free(p->wheel);
  free(p->X);
  free(p);
}

int apl_places_section(const apl_places* p) {
  return p->nport;
}

int apl_places_tendon(const apl_places* p) {
  return p->nport + p->nsection;
}

int apl_places_nwheel(const apl_places* p) {
  return p->nwheel;
}

apl_place_wheel apl_places_wheel(const apl_places* p, int i) {
  return p->wheel[i].wheel;
}

int apl_places_count(const apl_places* p) {
  return p->nport + p->nsection + p->npoint + p->nwheel + 1;
}

/* The poses of ports are computed last into X, because wheels depend on them. */
apl_status apl_places_look(apl_places* p, apl_state* state, float* to) {
  const apl_model* m = p->model;
  float* out = to + PLACE_POSE * p->nport;
  double center[3], wheel[12];
  apl_status st = APL_OK;

  for (int i = 0; i < m->nlink && st == APL_OK; ++i) {
    if (m->link[i].sections == 0) continue;
    st = apl_sections(m, state, i, p->X);
    if (st == APL_OK) out = put_poses(p->X, m->link[i].sections, out);
  }
  for (int i = 0; i < m->ntendon && st == APL_OK; ++i) {
    st = apl_tendon_points(m, state, i, p->X);
    if (st == APL_OK) out = put_points(p->X, apl_model_tendon_npoint(m, i), out);
  }
  if (st == APL_OK) st = apl_center(m, state, center);
  if (st == APL_OK) st = apl_poses(m, state, p->X);
  if (st != APL_OK) return st;

  put_poses(p->X, p->nport, to);
  for (int i = 0; i < p->nwheel; ++i) {
    const int root = m->link[p->wheel[i].wheel.link].port;
    carrier_pose(m, &p->wheel[i], p->X + 12 * root, apl_q(state), wheel);
    out = put_poses(wheel, 1, out);
  }
  put_points(center, 1, out);
  return APL_OK;
}

/* ------------------------------------------------------------------------------------ JSON ---- */

static void add_place(json_t** list, json_t* name, const char* link, int parent, const char* kind,
                      bool trail) {
  apl_json_add(list, json_pack("{s:o, s:s, s:i, s:s, s:b}", "name", name, "link", link, "parent",
                               parent, "kind", kind, "trail", trail));
}

/* True for the centre of an arc: it lies beside the body, so it gets no trail. */
static bool is_arc_centre(const apl_model* m, int port) {
  for (int i = 0; i < m->npair; ++i) {
    if (m->pair[i].port == port && m->pair[i].arc) return true;
  }
  return false;
}

/* A port hangs on its link's root, a root on the port that carries it. */
json_t* apl_places_json(const apl_places* p) {
  const apl_model* m = p->model;
  json_t* list = json_array();

  for (int i = 0; i < p->nport; ++i) {
    const int link = m->port[i].link;
    const int root = m->link[link].port;
    add_place(&list, json_string(m->port_name[i]), m->link_name[link],
              root == i ? m->link[link].on : root, "port", !is_arc_centre(m, i));
  }
  for (int i = 0; i < m->nlink; ++i) {
    for (int k = 0; k < m->link[i].sections; ++k)
      add_place(&list, json_sprintf("%s.section%d", m->link_name[i], k), m->link_name[i],
                k == 0 ? m->link[i].on : -1, "section", false);
  }
  for (int i = 0; i < m->ntendon; ++i) {
    for (int k = 0; k < apl_model_tendon_npoint(m, i); ++k)
      add_place(&list, json_sprintf("%s.point%d", m->tendon_name[i], k), m->tendon_name[i], -1,
                "tendon", false);
  }
  for (int i = 0; i < p->nwheel; ++i) {
    const apl_place_wheel* w = &p->wheel[i].wheel;
    add_place(&list, json_string(m->satellite_name[w->satellite]), m->link_name[w->link], -1,
              "wheel", false);
  }
  add_place(&list, json_string("centre of mass"), "", -1, "centre", true);
  return list;
}
