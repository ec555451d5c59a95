/* SPDX-License-Identifier: Apache-2.0 */
/* access.c: sizes, names and properties of a compiled model. */
#include "model/info.h"
#include "model/model_impl.h"
#include "spec/loop.h"
#include "spec/words.h"

#include <math.h>
#include <string.h>

int apl_model_nq(const apl_model* m) {
  if (m == NULL) return 0;
  return m->nq;
}
int apl_model_nt(const apl_model* m) {
  if (m == NULL) return 0;
  return m->nt;
}
int apl_model_nv(const apl_model* m) {
  if (m == NULL) return 0;
  return m->nv;
}
int apl_model_nu(const apl_model* m) {
  if (m == NULL) return 0;
  return m->ninput;
}

/* If a joint has its own name, "elbow" and "forearm.joint.angle" also mean "elbow.angle". True if
   `name` means the freedom called `full`; `alone`: it is the joint's only one. */
static bool is_alias(const char* name, const char* link, const char* joint, const char* full,
                     bool alone) {
  static const char between[] = ".joint.";
  const size_t n = strlen(link), b = sizeof between - 1;

  if (joint[0] == '\0') return false;
  if (alone && strcmp(name, joint) == 0) return true;
  return strncmp(name, link, n) == 0 && strncmp(name + n, between, b) == 0 &&
         strcmp(name + n + b, full + strlen(joint) + 1) == 0;
}

/* Find a coordinate or velocity of a joint by its alternative names. */
static int find_alias(const apl_model* m, apl_kind kind, const char* name) {
  const bool q = kind == APL_COORDINATES;

  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    const int first = q ? l->q0 : l->v0, n = q ? l->nq : l->nv;
    for (int k = first; k < first + n; ++k) {
      const char* full = q ? m->q_name[k] : m->v_name[k];
      if (is_alias(name, m->link_name[i], l->joint_name, full, n == 1)) return k;
    }
  }
  return -1;
}

/* Names and number of a kind; footings have the names of their links. */
typedef struct name_list {
  const char* const* name;
  int n;
} name_list;

static name_list list_of(const apl_model* m, apl_kind kind) {
  switch (kind) {
  case APL_COORDINATES:
    return (name_list){m->q_name, m->nq};
  case APL_VELOCITIES:
  case APL_EFFORTS:
    return (name_list){m->v_name, m->nv};
  case APL_INPUTS:
    return (name_list){m->input_name, m->ninput};
  case APL_LINKS:
    return (name_list){m->link_name, m->nlink};
  case APL_PORTS:
    return (name_list){m->port_name, m->nport};
  case APL_SATELLITES:
    return (name_list){m->satellite_name, m->nsat};
  case APL_TENDONS:
    return (name_list){m->tendon_name, m->ntendon};
  case APL_CONTACTS:
    return (name_list){m->pair_name, m->npair};
  case APL_SHAPES:
    return (name_list){m->solid_name, m->nsolid};
  case APL_LOOPS:
    return (name_list){m->loop_name, m->nloop};
  case APL_LOOP_ROWS:
    return (name_list){m->row_name, m->npart};
  case APL_FOOTINGS:
    return (name_list){NULL, m->nfooting};
  }
  return (name_list){NULL, 0};
}

int apl_model_count(const apl_model* m, apl_kind kind) {
  if (m == NULL) return 0;
  return list_of(m, kind).n;
}

const char* apl_model_name(const apl_model* m, apl_kind kind, int i) {
  if (m == NULL) return NULL;
  const name_list list = list_of(m, kind);

  if (i < 0 || i >= list.n) return NULL;
  return kind == APL_FOOTINGS ? m->link_name[m->node[m->footing[i]].link] : list.name[i];
}

int apl_model_find(const apl_model* m, apl_kind kind, const char* name) {
  if (m == NULL || name == NULL) return -1;
  const int n = apl_model_count(m, kind);

  for (int i = 0; i < n; ++i) {
    if (strcmp(apl_model_name(m, kind, i), name) == 0) return i;
  }
  if (kind == APL_COORDINATES || kind == APL_VELOCITIES || kind == APL_EFFORTS)
    return find_alias(m, kind, name);
  return -1;
}

/* Unit of an effort: velocity times effort is power. */
static const char* effort_unit(const char* velocity_unit) {
  if (strcmp(velocity_unit, "m/s") == 0) return "N";
  return strcmp(velocity_unit, "rad/s") == 0 ? "N m" : "1";
}

/* The gap of a loop row. */
static const char* gap_unit(const apl_model* m, const apl_loop_part* part) {
  if (part->kind == PART_TIE) return m->q_unit[m->loop[part->loop].coordinate[0]];
  return part->kind == PART_TURN ? "rad" : "m";
}

int apl_model_input_velocity(const apl_model* m, int i) {
  if (i < 0 || i >= m->ninput || m->input[i].kind != INPUT_VELOCITY) return -1;
  return m->input[i].target;
}

static const char* input_unit(const apl_model* m, const apl_input* input) {
  if (m->par[input->gain] != 1.0) return "1";
  switch ((input_kind)input->kind) {
  case INPUT_VELOCITY:
    return effort_unit(m->v_unit[input->target]);
  case INPUT_TENDON:
    return apl_model_unit(m, APL_TENDONS, input->target);
  case INPUT_SATELLITE:
    return "N m"; /* wheels and rotors turn */
  case INPUT_AIM:
    return strcmp(m->v_unit[input->target], "m/s") == 0 ? "m" : "rad";
  case INPUT_RATE:
    return m->v_unit[input->target];
  case INPUT_PORT:
    break;
  }
  return "1";
}

const char* apl_model_unit(const apl_model* m, apl_kind kind, int i) {
  if (m == NULL || i < 0 || i >= apl_model_count(m, kind)) return NULL;

  if (kind == APL_COORDINATES) return m->q_unit[i];
  if (kind == APL_VELOCITIES) return m->v_unit[i];
  if (kind == APL_EFFORTS) return effort_unit(m->v_unit[i]);
  if (kind == APL_INPUTS) return input_unit(m, &m->input[i]);
  if (kind == APL_TENDONS) return m->tendon[i].elastic ? "m" : "N";
  if (kind == APL_LOOP_ROWS) return gap_unit(m, &m->part[i]);
  return "";
}

int apl_model_ndoubt(const apl_model* m) {
  return m->ndoubt;
}
const apl_error* apl_model_doubt(const apl_model* m, int i) {
  return i >= 0 && i < m->ndoubt ? &m->doubt[i] : NULL;
}

/* capacity doubles; old arrays stay in the pool */
bool apl_model_add_doubt(apl_model* m, const apl_error* doubt) {
  const int n = m->ndoubt;

  if ((n & (n - 1)) == 0) {
    apl_error* larger = apl_pool_take(&m->pool, sizeof *larger * (size_t)(n > 0 ? 2 * n : 1));
    if (larger == NULL) return false;
    if (n > 0) memcpy(larger, m->doubt, sizeof *larger * (size_t)n);
    m->doubt = larger;
  }
  m->doubt[m->ndoubt++] = *doubt;
  return true;
}

apl_contact_info apl_model_contact_info(const apl_model* m, int i) {
  if (i < 0 || i >= m->npair) return (apl_contact_info){.port = -1};

  const apl_pair* p = &m->pair[i];
  const double* par = m->par + p->par;
  const double *x = par + PAIR_POINT, *n = par + PAIR_AXES;
  bool first = true;

  for (int k = 0; k < i && p->port >= 0; ++k)
    first = first && strcmp(m->pair[k].ground, p->ground) != 0;
  return (apl_contact_info){.port = p->port,
                            .radius = par[PAIR_RADIUS],
                            .arc = p->arc ? atan2(par[PAIR_ARC + 1], par[PAIR_ARC]) : 0.0,
                            .coefficient = par[PAIR_FRICTION],
                            .ground = p->ground,
                            .law = apl_normal_word(p->law),
                            .friction = apl_friction_word(p->friction),
                            .point = {x[0], x[1], x[2]},
                            .normal = {n[0], n[1], n[2]},
                            .along = {n[3], n[4], n[5]},
                            .across = {n[6], n[7], n[8]},
                            .first = first && p->port >= 0};
}
const char* apl_model_touches(const apl_model* m, int a, int b) {
  if (a < 0 || b < 0 || a >= m->nsolid || b >= m->nsolid) return NULL;
  const int g = m->touches[a * m->nsolid + b];
  return g < 0 ? NULL : m->group[g].name;
}

int apl_model_tendon_npoint(const apl_model* m, int i) {
  int n = 1;
  if (i < 0 || i >= m->ntendon) return 0;

  for (int k = 0; k < m->tendon[i].nspan; ++k)
    n += span_pieces(&m->span[m->tendon[i].span0 + k]);
  return n;
}

apl_link_info apl_model_link_info(const apl_model* m, int link) {
  if (m == NULL || link < 0 || link >= m->nlink)
    return (apl_link_info){.parent = -1, .on = -1, .port = -1};
  return m->link[link];
}

double apl_model_mass(const apl_model* m) {
  if (m == NULL) return 0.0;
  return m->mass;
}

apl_vec3 apl_model_gravity(const apl_model* m) {
  if (m == NULL) return (apl_vec3){0};
  apl_vec3 g;
  memcpy(&g, m->par + PAR_GRAVITY, sizeof g);
  return g;
}

void apl_model_inertial(const apl_model* m, double* p) {
  if (m == NULL || p == NULL) return;
  memcpy(p, m->inertial, sizeof(double) * 10 * (size_t)m->nlink);
}

/* --------------------------------------------------------------------------------- loops ---- */

apl_loop_info apl_model_loop_info(const apl_model* m, int i) {
  if (i < 0 || i >= m->nloop) {
    return (apl_loop_info){.type = "", .port = {-1, -1}, .velocity = {-1, -1}};
  }
  const apl_loop* l = &m->loop[i];
  const char* type = l->type < CLOSURES ? apl_closure_kinds[l->type].word : "coupling";
  return (apl_loop_info){
      type, {l->port[0], l->port[1]}, {l->velocity[0], l->velocity[1]}, l->row0, l->nrow};
}
