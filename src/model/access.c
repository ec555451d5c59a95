/* access.c: sizes, names and facts of a compiled model. */
#include "appell/footing.h"
#include "appell/loop.h"
#include "appell/spec.h"

#include "model/model_impl.h"
#include "spec/loop.h"

#include <math.h>
#include <string.h>

int apl_model_nq(const apl_model* m) {
  return m->nq;
}
int apl_model_nt(const apl_model* m) {
  return m->nt;
}
int apl_model_nv(const apl_model* m) {
  return m->nv;
}
int apl_model_nu(const apl_model* m) {
  return m->ninput;
}
int apl_model_nlink(const apl_model* m) {
  return m->nlink;
}
int apl_model_nport(const apl_model* m) {
  return m->nport;
}
int apl_model_nsatellite(const apl_model* m) {
  return m->nsat;
}

int apl_model_ntendon(const apl_model* m) {
  return m->ntendon;
}
int apl_model_nfooting(const apl_model* m) {
  return m->nfooting;
}
int apl_model_footing_link(const apl_model* m, int k) {
  return k >= 0 && k < m->nfooting ? m->node[m->footing[k]].link : -1;
}

int apl_model_link(const apl_model* m, const char* name) {
  return find_name(m->link_name, m->nlink, name);
}
int apl_model_port(const apl_model* m, const char* name) {
  return find_name(m->port_name, m->nport, name);
}
int apl_model_input(const apl_model* m, const char* name) {
  return find_name(m->input_name, m->ninput, name);
}
int apl_model_satellite(const apl_model* m, const char* name) {
  return find_name(m->satellite_name, m->nsat, name);
}
int apl_model_tendon(const apl_model* m, const char* name) {
  return find_name(m->tendon_name, m->ntendon, name);
}
/* Where a joint has a name of its own, "elbow" and "forearm.joint.angle" are "elbow.angle" too:
   does `name` mean the freedom called `full`, the only one of its joint if `alone`? */
static bool is_alias(const char* name, const char* link, const char* joint, const char* full,
                     bool alone) {
  static const char between[] = ".joint.";
  const size_t n = strlen(link), b = sizeof between - 1;

  if (joint[0] == '\0') return false;
  if (alone && strcmp(name, joint) == 0) return true;
  return strncmp(name, link, n) == 0 && strncmp(name + n, between, b) == 0 &&
         strcmp(name + n + b, full + strlen(joint) + 1) == 0;
}

int apl_model_coordinate(const apl_model* m, const char* name) {
  int at = find_name(m->q_name, m->nq, name);

  for (int i = 0; i < m->nlink && at < 0; ++i) {
    const apl_link_info* l = &m->link[i];
    for (int k = l->q0; k < l->q0 + l->nq && at < 0; ++k)
      if (is_alias(name, m->link_name[i], l->joint_name, m->q_name[k], l->nq == 1)) at = k;
  }
  return at;
}
int apl_model_velocity(const apl_model* m, const char* name) {
  int at = find_name(m->v_name, m->nv, name);

  for (int i = 0; i < m->nlink && at < 0; ++i) {
    const apl_link_info* l = &m->link[i];
    for (int k = l->v0; k < l->v0 + l->nv && at < 0; ++k)
      if (is_alias(name, m->link_name[i], l->joint_name, m->v_name[k], l->nv == 1)) at = k;
  }
  return at;
}

int apl_model_ndoubt(const apl_model* m) {
  return m->ndoubt;
}
const apl_error* apl_model_doubt(const apl_model* m, int i) {
  return i >= 0 && i < m->ndoubt ? &m->doubt[i] : NULL;
}

/* the room doubles, old lists stay in the pool */
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

static const char* name_at(const char* const* list, int n, int i) {
  return i >= 0 && i < n ? list[i] : NULL;
}

const char* apl_model_link_name(const apl_model* m, int i) {
  return name_at(m->link_name, m->nlink, i);
}
const char* apl_model_port_name(const apl_model* m, int i) {
  return name_at(m->port_name, m->nport, i);
}
const char* apl_model_input_name(const apl_model* m, int i) {
  return name_at(m->input_name, m->ninput, i);
}
int apl_model_input_velocity(const apl_model* m, int i) {
  if (i < 0 || i >= m->ninput || m->input[i].kind != INPUT_VELOCITY) return -1;
  return m->input[i].target;
}
const char* apl_model_input_unit(const apl_model* m, int i) {
  if (i < 0 || i >= m->ninput || m->par[m->input[i].gain] != 1.0) return "1";
  switch ((input_kind)m->input[i].kind) {
  case INPUT_VELOCITY:
    return apl_model_effort_unit(m, m->input[i].target);
  case INPUT_TENDON:
    return apl_model_tendon_unit(m, m->input[i].target);
  case INPUT_SATELLITE:
    return "N m"; /* wheels and rotors turn */
  case INPUT_PORT:
    break;
  }
  return "1";
}
const char* apl_model_contact_name(const apl_model* m, int i) {
  return name_at(m->pair_name, m->npair, i);
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
int apl_model_nshape(const apl_model* m) {
  return m->nsolid;
}
const char* apl_model_shape_name(const apl_model* m, int i) {
  return name_at(m->solid_name, m->nsolid, i);
}
const char* apl_model_touches(const apl_model* m, int a, int b) {
  if (a < 0 || b < 0 || a >= m->nsolid || b >= m->nsolid) return NULL;
  const int g = m->touches[a * m->nsolid + b];
  return g < 0 ? NULL : m->group[g].name;
}
int apl_model_ncontact(const apl_model* m) {
  return m->npair;
}
const char* apl_model_satellite_name(const apl_model* m, int i) {
  return name_at(m->satellite_name, m->nsat, i);
}
const char* apl_model_tendon_name(const apl_model* m, int i) {
  return name_at(m->tendon_name, m->ntendon, i);
}
const char* apl_model_coordinate_name(const apl_model* m, int i) {
  return name_at(m->q_name, m->nq, i);
}
const char* apl_model_velocity_name(const apl_model* m, int i) {
  return name_at(m->v_name, m->nv, i);
}

const char* apl_model_coordinate_unit(const apl_model* m, int i) {
  return name_at(m->q_unit, m->nq, i);
}
const char* apl_model_velocity_unit(const apl_model* m, int i) {
  return name_at(m->v_unit, m->nv, i);
}

const char* apl_model_effort_unit(const apl_model* m, int i) {
  const char* unit = apl_model_velocity_unit(m, i);

  if (unit == NULL) return NULL;
  return strcmp(unit, "m/s") == 0 ? "N" : strcmp(unit, "rad/s") == 0 ? "N m" : "1";
}

int apl_model_tendon_npoint(const apl_model* m, int i) {
  int n = 1;
  if (i < 0 || i >= m->ntendon) return 0;

  for (int k = 0; k < m->tendon[i].nspan; ++k)
    n += span_pieces(&m->span[m->tendon[i].span0 + k]);
  return n;
}

const char* apl_model_tendon_unit(const apl_model* m, int i) {
  if (i < 0 || i >= m->ntendon) return NULL;
  return m->tendon[i].elastic ? "m" : "N";
}

apl_link_info apl_model_link_info(const apl_model* m, int link) {
  if (link < 0 || link >= m->nlink) return (apl_link_info){.parent = -1, .on = -1, .port = -1};
  return m->link[link];
}

double apl_model_mass(const apl_model* m) {
  return m->mass;
}

apl_vec3 apl_model_gravity(const apl_model* m) {
  return (apl_vec3){m->par[0], m->par[1], m->par[2]};
}

void apl_model_inertial(const apl_model* m, double* p) {
  memcpy(p, m->inertial, sizeof(double) * 10 * (size_t)m->nlink);
}

/* --------------------------------------------------------------------------------- loops ---- */

int apl_model_nloop(const apl_model* m) {
  return m->nloop;
}
int apl_model_nloop_row(const apl_model* m) {
  return m->npart;
}
int apl_model_loop(const apl_model* m, const char* name) {
  return find_name(m->loop_name, m->nloop, name);
}
const char* apl_model_loop_name(const apl_model* m, int i) {
  return name_at(m->loop_name, m->nloop, i);
}
const char* apl_model_loop_row_name(const apl_model* m, int i) {
  return name_at(m->row_name, m->npart, i);
}

const char* apl_model_loop_row_unit(const apl_model* m, int i) {
  if (i < 0 || i >= m->npart) return NULL;
  if (m->part[i].kind == PART_TIE) return m->q_unit[m->loop[m->part[i].loop].coordinate[0]];
  return m->part[i].kind == PART_TURN ? "rad" : "m";
}

apl_loop_info apl_model_loop_info(const apl_model* m, int i) {
  if (i < 0 || i >= m->nloop) {
    return (apl_loop_info){.type = "", .port = {-1, -1}, .velocity = {-1, -1}};
  }
  const apl_loop* l = &m->loop[i];
  const char* type = l->type < CLOSURES ? apl_closure_kinds[l->type].word : "coupling";
  return (apl_loop_info){
      type, {l->port[0], l->port[1]}, {l->velocity[0], l->velocity[1]}, l->row0, l->nrow};
}
