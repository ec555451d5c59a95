/* SPDX-License-Identifier: Apache-2.0 */
/* node.c: compiles one link: to a node with frames, ports, satellites, springs and columns, or, if
   it is rigid and fixed, to a part of the frame it is fixed to. */
#include "model/compiler.h"
#include "element/require.h"

#include <math.h>

static apl_status check_required(compiler* c, const spec_link* l, const char* part, apl_mark at,
                                 const apl_field* field, unsigned long long given) {
  const apl_field* missing = apl_field_missing(field, given);
  if (missing == NULL) return APL_OK;
  apl_fail(c->err, APL_ERR_MODEL, "link '%s' needs %s.%s (%s, %s)", l->name, part, missing->name,
           missing->sentence, missing->unit);
  return apl_compile_blame(c, at);
}

/* The error message of the kind, with the link's name in front. */
static apl_status blame_kind(compiler* c, const spec_link* l, const char* part, apl_mark at,
                             apl_status st, const apl_error* inner) {
  apl_fail(c->err, st, "link '%s': %s: %.180s", l->name, part, inner->text);
  return apl_compile_blame(c, at);
}

static void add_rigid(double* at, rigid_inertia I) {
  const double* x = (const double*)&I;
  for (int k = 0; k < (int)(sizeof I / sizeof(double)); ++k)
    at[k] += x[k];
}

int apl_compile_frame(compiler* c, int node) {
  const int f = apl_compile_next(c, LIST_FRAMES, 1);
  c->frame[f] =
      (apl_frame){.node = node, .inertia = take(c, (int)(sizeof(rigid_inertia) / sizeof(double)))};
  return f;
}

static void new_port(compiler* c, int link, int frame, pose X) {
  const int p = apl_compile_next(c, LIST_PORTS, 1), at = take(c, 12);

  put_pose(c->par + at, X);
  c->port[p] = (apl_port){frame, at, link};
}

static void new_satellite(compiler* c, int node, const char* link, const char* name, int velocity,
                          double inertia, double ratio) {
  const int k = apl_compile_next(c, LIST_SATELLITES, 1), at = take(c, 2);

  c->par[at] = inertia;
  c->par[at + 1] = ratio;
  c->satellite[k] = (apl_satellite){node, velocity, at};
  c->satellite_name[k] = apl_compile_join(c, link, name, NULL);
}

static bool any_above(const double* x, int n, double level) {
  for (int k = 0; k < n; ++k) {
    if (x[k] > level) return true;
  }
  return false;
}

/* Springs, dampers, friction, stops, servo and rest of a joint. */
static void add_passive(compiler* c, const spec_link* l, apl_node* n, int index) {
  const int ndamp = n->slaved ? n->nt : n->nv, nstop = n->nq == n->nt ? n->nt : 0;
  bool stops = false;

  for (int k = 0; k < nstop; ++k)
    stops = stops || l->lower[k] > -HUGE_VAL || l->upper[k] < HUGE_VAL;
  n->rest = put_numbers(c, l->rest, n->nq);
  if (any_above(l->stiffness, n->nt, 0.0)) n->spring = put_numbers(c, l->stiffness, n->nt);
  if (any_above(l->damping, ndamp, 0.0)) n->damper = put_numbers(c, l->damping, ndamp);
  if (any_above(l->friction, n->nv, 0.0)) {
    n->friction = put_numbers(c, l->friction, n->nv);
    put_numbers(c, &l->friction_speed, 1);
  }
  if (stops) {
    n->stop = put_numbers(c, l->lower, nstop);
    put_numbers(c, l->upper, nstop);
    put_numbers(c, &l->stop_stiffness, 1);
    put_numbers(c, &l->stop_damping, 1);
  }
  if (l->servo) {
    const double effort = l->limits.enforced ? l->limits.effort : HUGE_VAL;
    const double speed = l->limits.enforced ? l->limits.velocity : HUGE_VAL;
    n->servo = put_numbers(c, l->servo_stiffness, n->nv);
    put_numbers(c, l->servo_damping, n->nv);
    /* finite, because complex numbers cannot be multiplied by infinity */
    for (int k = 0; k < n->nv; ++k)
      put_numbers(c, &(const double){fmin(fmin(l->servo_effort[k], effort), 1e300)}, 1);
    for (int k = 0; k < n->nv; ++k)
      put_numbers(c, &(const double){1.0 / fmin(l->servo_speed[k], speed)}, 1);
    put_numbers(c, l->servo_integral, n->nv);
    for (int k = 0; k < n->nv; ++k)
      c->m->nintegral += l->servo_integral[k] > 0.0;
    ++c->m->nservo;
  }
  if (n->spring + n->damper + n->friction + n->stop + n->servo > 0) {
    const int p = apl_compile_next(c, LIST_PASSIVE, 1);
    c->passive[p] = index;
  }
}

apl_status apl_compile_parts(compiler* c, int i, link_parts* out) {
  const spec_link* l = c->spec->link[i];
  const apl_joint_kind* jk = joint_kind(l);
  const apl_body_kind* bk = body_kind(l);
  const apl_body_plan plan = body_plan(l);
  apl_error inner = {0};
  apl_status st = check_required(c, l, "joint", l->mark.joint, jk->field, l->joint_given);

  if (st == APL_OK) st = check_required(c, l, "body", l->mark.body, bk->field, l->body_given);
  if (st != APL_OK) return st;

  /* an error of the kind's author, not of a user: passes keep such blocks on the stack */
  if (jk->nv > APL_MAX_NV || jk->nt > APL_MAX_NV || jk->nq > APL_MAX_NQ || plan.nx > APL_MAX_NX ||
      jk->nsatellite > APL_MAX_SATELLITES || (jk->slaved && jk->nv + jk->nt == 0)) {
    return apl_fail(c->err, APL_ERR_MODEL,
                    "link '%s': kind %s or %s is larger than the engine allows", l->name, jk->word,
                    bk->word);
  }
  *out = (link_parts){.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .plan = plan};
  out->jpar = take(c, jk->npar);
  out->bpar = take(c, plan.npar);
  st = joint_compile(jk, l->joint_param, c->par + out->jpar, out->inertia, &out->turn, &inner);
  if (st != APL_OK) {
    const apl_mark at = apl_field_blamed(jk->field, l->mark.joint_field, l->mark.joint, inner.text);
    return blame_kind(c, l, "joint", at, st, &inner);
  }
  st = body_compile(bk, l->body_param, c->par + out->bpar, &out->mass, &inner);
  if (st != APL_OK) {
    const apl_mark at = apl_field_blamed(bk->field, l->mark.body_field, l->mark.body, inner.text);
    return blame_kind(c, l, "body", at, st, &inner);
  }

  c->m->mass += out->mass;
  c->info[i].mass = out->mass;
  if (bk->rigid) memcpy(c->inertial + 10 * i, c->par + out->bpar, sizeof(rigid_inertia));
  return APL_OK;
}

/* Wheels of the joint, then rotors. */
static void add_satellites(compiler* c, const spec_link* l, const link_parts* parts, apl_node* n,
                           int index) {
  const apl_joint_kind* jk = joint_kind(l);

  n->sat0 = c->m->nsat;
  n->nspin = jk->nsatellite;
  n->nsat = jk->nsatellite + l->nrotor;
  for (int k = 0; k < jk->nsatellite; ++k) {
    new_satellite(c, index, l->name, jk->spin_name[k], -1, parts->inertia[k], 1.0);
  }
  for (int k = 0; k < l->nrotor; ++k) {
    const spec_rotor* r = &l->rotor[k];
    new_satellite(c, index, l->name, r->name, r->velocity, r->inertia, r->ratio);
    c->par[n->par + PAR_ARMATURE] += r->inertia * r->ratio * r->ratio;
  }
}

/* A station of the whole body: its element, and the station in it. */
typedef struct place {
  int element;
  double station;
} place;

static place place_of(double station, int elements) {
  const double t = station * elements, whole = round(t);
  place at = {(int)floor(t), t - floor(t)};

  /* the end of an element, even if rounded, is an existing frame */
  if (fabs(t - whole) < 1e-12 * elements) at = (place){(int)whole - 1, 1.0};
  if (at.element < 0) at = (place){0, 0.0};
  return at;
}

static bool between(place at) {
  return at.station > 0.0 && at.station < 1.0;
}

/* The station is stored in front of the section's numbers. */
static void new_section(compiler* c, int index, double station) {
  const spec_link* l = c->spec->link[c->node[index].link];
  const int f = apl_compile_frame(c, index), at = 1 + take(c, 1 + body_plan(l).nsection);

  c->par[at - 1] = station;
  if (body_kind(l)->sections != NULL) {
    if (!body_kind(l)->sections(l->body_param, &station, 1, c->par + at)) c->out_of_memory = true;
  } else {
    c->par[at] = station;
  }
  c->frame[f].section = at;
  c->node[index].nport += 1;
}

/* The frame of a node at a station of its element; -1: none. */
static int find_section(const compiler* c, const apl_node* n, double station) {
  for (int f = n->port0; f < n->port0 + n->nport; ++f) {
    if (c->par[c->frame[f].section - 1] == station) return f;
  }
  return -1;
}

static void want_section(compiler* c, int elements, int e, int index, double station) {
  const place at = place_of(station, elements);

  if (at.element != e || !between(at) || find_section(c, &c->node[index], at.station) >= 0) return;
  new_section(c, index, at.station);
}

/* Frames of element e of a deformable body: its tip, then the sections at which ports and tendons
   are. */
static void add_sections(compiler* c, const spec_link* l, int elements, int e, int index) {
  double station;

  c->node[index].port0 = c->m->nframe;
  new_section(c, index, 1.0);
  for (int k = 0; k < l->nport; ++k)
    want_section(c, elements, e, index, l->port[k].station);
  for (int k = 0; apl_compile_tendon_station(c->spec, l, k, &station); ++k)
    want_section(c, elements, e, index, station);
}

/* Sections for drawing; the dynamics does not use them. */
static void add_drawn(compiler* c, const spec_link* l, const apl_body_plan* plan, apl_node* n) {
  enum { MOST = 128 };
  double station[MOST];
  if (plan->drawn < 2 || plan->drawn > MOST) return;

  for (int k = 0; k < plan->drawn; ++k)
    station[k] = (double)k / (plan->drawn - 1);
  n->ndrawn = plan->drawn;
  n->nsection = plan->nsection;
  n->drawn = take(c, plan->drawn * plan->nsection);
  if (!body_kind(l)->sections(l->body_param, station, plan->drawn, c->par + n->drawn))
    c->out_of_memory = true;
}

int apl_compile_section(const compiler* c, int i, double station) {
  const place at = place_of(station, body_plan(c->spec->link[i]).elements);
  const apl_node* n = &c->node[c->link[i].node0 + at.element];

  return at.station == 0.0 ? n->frame : find_section(c, n, at.station);
}

/* Ports of a deformable body: root, tip, the ends between its elements, then the named ones. */
static void add_section_ports(compiler* c, int i, int elements, int first) {
  const spec_link* l = c->spec->link[i];
  const pose here = pose_of(apl_pose_identity());

  new_port(c, i, c->node[first].frame, here);
  new_port(c, i, c->node[first + elements - 1].port0, here);
  for (int e = 0; e + 1 < elements; ++e)
    new_port(c, i, c->node[first + e].port0, here);
  for (int k = 0; k < l->nport; ++k) {
    new_port(c, i, apl_compile_section(c, i, l->port[k].station), pose_of(l->port[k].at));
  }
}

/* The z axis of the node's frame is the joint's axis. A rigid body and its ports are rotated into
   this frame at compile time; a deformable body keeps its own axes. */
static void add_frame(compiler* c, int i, const link_parts* parts, apl_node* n, int index) {
  const spec_link* l = c->spec->link[i];
  const mat3 back = transpose(parts->turn);

  n->frame = apl_compile_frame(c, index);
  if (body_kind(l)->rigid) {
    const pose X = {back, {0, 0, 0}};
    add_rigid(c->par + c->frame[n->frame].inertia, rigid_from(X.R, X.p, own_inertia(c, i)));
    new_port(c, i, n->frame, X);
    for (int k = 0; k < l->nport; ++k) {
      new_port(c, i, n->frame, pose_mul(X, pose_of(l->port[k].at)));
    }
  } else if (back.xx != 1.0 || back.yy != 1.0 || back.zz != 1.0) {
    n->back = take(c, 9);
    memcpy(c->par + n->back, &back, sizeof back);
  }
}

/* The motion columns of a node: of the joint, then of the deformations as seen by each port. */
static void add_columns(compiler* c, const apl_node* n, int index) {
  int next = c->frame_column[n->up];

  if (n->slaved) next = way_through(index);
  for (int k = 0; k < n->nv; ++k) {
    c->column_next[n->v0 + k] = next;
    c->column_velocity[n->v0 + k] = n->v0 + k;
    next = n->v0 + k;
  }
  c->frame_column[n->frame] = next;
  for (int p = 0; p < n->nport; ++p) {
    next = c->frame_column[n->frame];
    for (int k = 0; k < n->nx; ++k) {
      const int at = n->world + p * n->nx + k;
      c->column_next[at] = next;
      c->column_velocity[at] = n->xv0 + k;
      next = at;
    }
    c->frame_column[n->port0 + p] = next;
  }
}

/* The run of frame f: n freedoms from `first`, then those of `up`. */
static void add_run(compiler* c, int f, int up, int first, int n) {
  const apl_frame above = c->frame[up];
  apl_frame* own = &c->frame[f];

  own->begin = first, own->end = first + n, own->next = above.end > above.begin ? up : 0;
  if (n == 0) own->begin = above.begin, own->end = above.end, own->next = above.next;
  if (n > 0 && own->next > 0 && above.end == first) {
    own->begin = above.begin;
    own->next = above.next;
  }
}

/* Order of elimination: freedoms are eliminated from the last to the first, so nodes are numbered
   in their order, the joint before its body. */
static void add_runs(compiler* c, apl_node* n, int index) {
  n->z0 = index > 0 ? c->node[index - 1].xz0 + c->node[index - 1].nx : 0;
  n->xz0 = n->z0 + n->nv;
  if (n->frame != n->up) add_run(c, n->frame, n->up, n->z0, n->nv);
  for (int f = n->port0; f < n->port0 + n->nport; ++f)
    add_run(c, f, n->frame, n->xz0, n->nx);
  for (int k = 0; k < n->nv; ++k)
    c->velocity_node[n->v0 + k] = index;
  for (int k = 0; k < n->nx; ++k)
    c->velocity_node[n->xv0 + k] = index;
}

/* The last steps, when frames and sizes are known. */
static void finish_node(compiler* c, apl_node* n, int index) {
  apl_model* m = c->m;

  n->root = n->up == 0 ? n->frame : c->node[c->frame[n->up].node].root;
  n->world = apl_compile_next(c, LIST_COLUMNS, n->nport * n->nx);
  APL_ASSERT(n->up <= n->frame); /* the order of the recursion */
  add_columns(c, n, index);
  add_runs(c, n, index);
  n->work = m->nwork;
  if (n->path == PATH_GENERAL) m->nwork = work_end(n);
  n->denoc = m->ndenoc;
  m->ndenoc += 13 * n->nv + n->nv * n->nv;
  m->nslaved += n->slaved;
  m->ndrag += n->drag;
  m->nprescribed += n->joint_prescribed + n->body_prescribed;
  m->rigid_tree = m->rigid_tree && n->nx == 0 && !n->slaved;
}

/* Add element e of a link's body to its node. */
static void add_element(compiler* c, int i, const link_parts* parts, int e, int index) {
  const apl_link_info* info = &c->info[i];
  const apl_body_plan* plan = &parts->plan;
  apl_node* n = &c->node[index];

  n->link = i;
  n->body = plan->ops;
  n->bpar = parts->bpar;
  n->nx = plan->nx;
  n->xq0 = info->xq0 + e * plan->nx;
  n->xt0 = info->xt0 + e * plan->nx;
  n->xv0 = info->xv0 + e * plan->nx;
  n->body_prescribed = info->body_prescribed;
  n->drag = plan->drag;
  n->screw = plan->screw && !n->body_prescribed ? c->m->nscrew++ : -1;
  if (plan->nx > 0) add_sections(c, c->spec->link[i], plan->elements, e, index);
  add_drawn(c, c->spec->link[i], plan, n);
}

/* Further elements of a long body, each on the tip of the one before it. */
static void add_elements(compiler* c, int i, const link_parts* parts, int first) {
  for (int e = 1; e < parts->plan.elements && !c->out_of_memory; ++e) {
    const int index = apl_compile_next(c, LIST_NODES, 1);
    apl_node* n = &c->node[index];

    n->up = n->frame = c->node[first + e - 1].port0;
    n->jpar = parts->jpar;
    n->joint = apl_joint_find("fixed");
    n->q0 = c->info[i].q0, n->t0 = c->info[i].t0, n->v0 = c->info[i].v0;
    add_element(c, i, parts, e, index);
    if (!c->out_of_memory) finish_node(c, n, index);
  }
}

/* A deformable body fixed to a frame without offset needs no frame of its own. On the world it gets
   one, so that its reaction on the world is known. */
static bool sits_directly(const spec_link* l, int up, pose P) {
  static const pose here = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  const apl_joint_kind* jk = joint_kind(l);

  return up > 0 && !body_kind(l)->rigid && jk->nq == 0 && jk->nv == 0 &&
         memcmp(&P, &here, sizeof P) == 0;
}

/* Warn of a rolling joint on a link that moves: its ground is fixed in the frame `up` of that link,
   not in the world. A trailer is meant to be drawn by its link (slaved). */
static void doubt_ground(compiler* c, const spec_link* l, int up) {
  const apl_joint_kind* jk = joint_kind(l);
  apl_error doubt = {0};

  if (jk->stands == NULL || jk->slaved || up == 0) return;
  apl_fail(
      &doubt, APL_ERR_MODEL,
      "link '%.60s': the ground of a joint of type %s moves with the link it is on, which is not "
      "fixed to the world; mount it on the world",
      l->name, jk->word);
  doubt.line = l->mark.joint.line;
  doubt.column = l->mark.joint.column;
  if (!apl_model_add_doubt(c->m, &doubt)) c->out_of_memory = true;
}

/* A link with a node. P is the pose of its joint in frame `up`. */
void apl_compile_node(compiler* c, int i, int up, pose P, const link_parts* parts) {
  const spec_link* l = c->spec->link[i];
  const apl_joint_kind* jk = joint_kind(l);
  const apl_link_info* info = &c->info[i];
  apl_model* m = c->m;
  const int index = apl_compile_next(c, LIST_NODES, 1);
  apl_node* n = &c->node[index];

  c->link[i].node0 = index;
  n->up = up;
  n->joint = l->joint_kind;
  n->slaved = jk->slaved;
  n->nq = info->nq, n->nt = info->nt, n->nv = info->nv;
  n->q0 = info->q0, n->t0 = info->t0, n->v0 = info->v0;
  n->joint_prescribed = info->joint_prescribed;
  n->par = take(c, PAR_NODE);
  n->jpar = parts->jpar;
  put_pose(c->par + n->par + PAR_TREE, (pose){mat3_mul(P.R, parts->turn), P.p});
  add_satellites(c, l, parts, n, index);
  add_passive(c, l, n, index);
  if (jk->stands != NULL) {
    const int g = apl_compile_next(c, LIST_FOOTINGS, 1);
    c->footing[g] = index;
    doubt_ground(c, l, up);
  }
  if (sits_directly(l, up, P)) {
    n->frame = up;
  } else {
    add_frame(c, i, parts, n, index);
  }
  c->info[i].reaction = has_joint(n);

  n->sc0 = m->nangle;
  for (int k = 0; k < jk->nangle; ++k) {
    const int at = apl_compile_next(c, LIST_ANGLES, 1);
    c->angle[at] = info->q0 + jk->angle[k];
  }

  if (body_kind(l)->rigid && !n->joint_prescribed) n->path = (int)jk->path;
  add_element(c, i, parts, 0, index);
  if (c->out_of_memory) return;
  finish_node(c, n, index);
  if (body_kind(l)->rigid) return;
  add_elements(c, i, parts, index);
  if (!c->out_of_memory) add_section_ports(c, i, parts->plan.elements, index);
}

/* A rigid link fixed to a frame adds its inertia there and needs no node. */
void apl_compile_merge(compiler* c, int i, int frame, pose P) {
  const spec_link* l = c->spec->link[i];

  add_rigid(c->par + c->frame[frame].inertia, rigid_from(P.R, P.p, own_inertia(c, i)));
  new_port(c, i, frame, P);
  for (int k = 0; k < l->nport; ++k) {
    new_port(c, i, frame, pose_mul(P, pose_of(l->port[k].at)));
  }
}
