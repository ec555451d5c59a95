/* compile.c: spec -> model. Orders the tree, merges rigid links that are fixed to something, turns
   every axis to z, assigns addresses and writes the parameter block. Docs: docs/overview.md. */
#include "model/model_impl.h"

#include "base/nearest.h"
#include "spec/spec_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a frame may turn against the world: the axis is in the axes of the frame it is asked for. */
typedef struct turning {
  apl_freedom freedom;
  vec3 axis;
} turning;

/* What is known of a link while compiling. */
typedef struct link_work {
  int parent;      /* link, -1 world                                                            */
  int parent_port; /* index in parent's list of ports                                           */
  bool placed;
  int port0;    /* its ports in the model's list; root first, then tip if any, then named    */
  turning turn; /* of its body frame                                                         */
} link_work;

typedef struct compiler {
  const apl_spec* spec;
  apl_model* m;
  apl_error* err;
  link_work* link;
  int* order; /* links, parents first                                                   */
  apl_node* node;
  apl_frame* frame;
  apl_port* port;
  apl_satellite* satellite;
  int* angle;
  int* passive;
  int *column_next, *column_velocity, *frame_column;
  double* par; /* block, grown by take()                                                 */
  apl_link_info* info;
  double* inertial;
  const char** port_name;
  const char** satellite_name;
  bool out_of_memory; /* a name could not be made                                               */
} compiler;

/* --------------------------------------------------------------------------- small tools ---- */

static mat3 rotation_of(apl_quat q) {
  return mat3_of_quat((const double[]){q.w, q.x, q.y, q.z});
}

static pose pose_of(apl_pose p) {
  return (pose){rotation_of(p.rotation), {p.position.x, p.position.y, p.position.z}};
}

static mat3 transpose(mat3 R) {
  return (mat3){R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz};
}

/* Next n numbers of the block; returns their offset. */
static int take(compiler* c, int n) {
  const int at = c->m->npar;
  c->m->npar += n;
  return at;
}

static void put_pose(double* at, pose X) {
  memcpy(at, &X, sizeof X);
}

static pose get_pose(const double* at) {
  pose X;
  memcpy(&X, at, sizeof X);
  return X;
}

/* "a.b" or "a.b.c" in the model's pool */
static const char* join(compiler* c, const char* a, const char* b, const char* d) {
  char text[256];
  if (d == NULL) {
    snprintf(text, sizeof text, "%s.%s", a, b);
  } else {
    snprintf(text, sizeof text, "%s.%s.%s", a, b, d);
  }
  const char* name = apl_pool_text(&c->m->pool, text);
  if (name == NULL) c->out_of_memory = true;
  return name;
}

static const apl_joint_kind* joint_kind(const spec_link* l) {
  return apl_joint_kinds[l->joint_kind];
}

static const apl_body_kind* body_kind(const spec_link* l) {
  return apl_body_kinds[l->body_kind];
}

/* ports that a link has without asking: root, and tip where the body deforms */
static int nstandard(const spec_link* l) {
  return body_kind(l)->rigid ? 1 : 2;
}

static const char* port_word(const spec_link* l, int p) {
  const int n = nstandard(l);
  return p == 0 ? "root" : p < n ? "tip" : l->port[p - n].name;
}

/* Put the place in the file, if there is one, to the sentence that was just written. */
static apl_status blame(const compiler* c, apl_mark at) {
  if (c->err == NULL) return APL_ERR_MODEL;
  c->err->line = at.line;
  c->err->column = at.column;
  return c->err->status;
}

/* -------------------------------------------------------------------------------- names ---- */

static int find_link(const apl_spec* s, const char* name, size_t n) {
  for (int i = 0; i < s->nlink; ++i) {
    if (strncmp(s->link[i]->name, name, n) == 0 && s->link[i]->name[n] == '\0') return i;
  }
  return -1;
}

/* Name number k behind the dot of a link: ports, wheels, rotors, deformations, "joint". */
static const char* own_name(const spec_link* l, int k, char* room, size_t size) {
  const int nports = nstandard(l) + l->nport, nwheels = joint_kind(l)->nsatellite;

  if (k < nports) return port_word(l, k);
  if ((k -= nports) < nwheels) return joint_kind(l)->spin_name[k];
  if ((k -= nwheels) < l->nrotor) return l->rotor[k].name;
  if ((k -= l->nrotor) == 0) return "joint";
  snprintf(room, size, "x%d", k - 1);
  return room;
}

/* They share one space of names. */
static apl_status check_own_names(compiler* c, const spec_link* l) {
  const int n =
      nstandard(l) + l->nport + joint_kind(l)->nsatellite + l->nrotor + 1 + body_kind(l)->nx;
  char a[16], b[16];

  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) {
      const char* name = own_name(l, i, a, sizeof a);
      if (strcmp(name, own_name(l, j, b, sizeof b)) != 0) continue;
      return apl_fail(c->err, APL_ERR_MODEL, "link '%s' has two things called '%s'", l->name, name);
    }
  }
  return APL_OK;
}

static apl_status check_names(compiler* c) {
  const apl_spec* s = c->spec;

  for (int i = 0; i < s->nlink; ++i) {
    const spec_link* l = s->link[i];
    if (find_link(s, l->name, strlen(l->name)) != i) {
      apl_fail(c->err, APL_ERR_MODEL, "there are two links called '%s'", l->name);
      return blame(c, l->mark.link);
    }
    const apl_status st = check_own_names(c, l);
    if (st != APL_OK) return st;
  }
  for (int i = 0; i < s->ninput; ++i) {
    for (int j = 0; j < i; ++j) {
      if (strcmp(s->input[i].name, s->input[j].name) == 0) {
        apl_fail(c->err, APL_ERR_MODEL, "there are two inputs called '%s'", s->input[i].name);
        return blame(c, s->input[i].at);
      }
    }
  }
  return APL_OK;
}

/* "world", "link" or "link.port" */
static apl_status resolve_parent(compiler* c, int i) {
  const apl_spec* s = c->spec;
  const spec_link* l = s->link[i];
  link_work* w = &c->link[i];

  w->parent = -1;
  w->parent_port = 0;
  if (strcmp(l->on, "world") == 0) return APL_OK;

  const char* dot_at = strchr(l->on, '.');
  const size_t n = dot_at == NULL ? strlen(l->on) : (size_t)(dot_at - l->on);
  w->parent = find_link(s, l->on, n);
  if (w->parent < 0) {
    apl_nearest near = {.word = l->on};
    char hint[96];
    for (int k = 0; k < s->nlink; ++k) {
      if (k != i) apl_nearest_offer(&near, s->link[k]->name);
    }
    apl_fail(c->err, APL_ERR_MODEL, "link '%s' is on '%s', but there is no link '%.*s'%s", l->name,
             l->on, (int)n, l->on, apl_nearest_text(&near, hint));
    return blame(c, l->mark.on);
  }
  if (dot_at == NULL) return APL_OK;

  const spec_link* parent = s->link[w->parent];
  for (int p = 0; p < nstandard(parent) + parent->nport; ++p) {
    if (strcmp(port_word(parent, p), dot_at + 1) == 0) {
      w->parent_port = p;
      return APL_OK;
    }
  }
  apl_nearest near = {.word = dot_at + 1};
  char hint[96];
  for (int p = 0; p < nstandard(parent) + parent->nport; ++p)
    apl_nearest_offer(&near, port_word(parent, p));
  apl_fail(c->err, APL_ERR_MODEL, "link '%s' is on '%s', but link '%s' has no port '%s'%s", l->name,
           l->on, parent->name, dot_at + 1, apl_nearest_text(&near, hint));
  return blame(c, l->mark.on);
}

/* Parents before children, otherwise as written. */
static apl_status order_links(compiler* c) {
  const int n = c->spec->nlink;
  int done = 0;

  while (done < n) {
    const int before = done;
    for (int i = 0; i < n; ++i) {
      link_work* w = &c->link[i];
      if (w->placed || (w->parent >= 0 && !c->link[w->parent].placed)) continue;
      w->placed = true;
      c->order[done++] = i;
    }
    if (done == before) break;
  }
  for (int i = 0; i < n; ++i) {
    if (c->link[i].placed) continue;

    /* walk up until a link repeats: that one is on the cycle */
    int at = i;
    for (int k = 0; k < n; ++k)
      at = c->link[at].parent;
    apl_fail(c->err, APL_ERR_MODEL, "link '%s' hangs on itself: its chain of parents is a cycle",
             c->spec->link[at]->name);
    return blame(c, c->spec->link[at]->mark.on);
  }
  return APL_OK;
}

/* --------------------------------------------------------------------------- how it turns ---- */

static turning turning_in(turning t, mat3 R) {
  t.axis = mul_t(R, t.axis);
  return t;
}

/* Both turnings one after the other; axes given in the same frame. */
static turning combine(turning a, turning b) {
  if (a.freedom == APL_MOVES_STRAIGHT) return b;
  if (b.freedom == APL_MOVES_STRAIGHT) return a;
  if (a.freedom == APL_MOVES_ABOUT_AXIS && b.freedom == APL_MOVES_ABOUT_AXIS) {
    const vec3 n = cross(a.axis, b.axis);
    if (dot(n, n) < 1e-18) return a;
  }
  return (turning){APL_MOVES_FREELY, {0, 0, 0}};
}

static turning turning_of(apl_turning kind) {
  switch (kind) {
  case APL_TURNS_ABOUT_Z:
    return (turning){APL_MOVES_ABOUT_AXIS, {0, 0, 1}};
  case APL_TURNS_ABOUT_Y:
    return (turning){APL_MOVES_ABOUT_AXIS, {0, 1, 0}};
  case APL_TURNS_ANY:
    return (turning){APL_MOVES_FREELY, {0, 0, 0}};
  case APL_TURNS_NOT:
    break;
  }
  return (turning){APL_MOVES_STRAIGHT, {0, 0, 0}};
}

/* -------------------------------------------------------------------------------- links ---- */

static apl_status check_required(compiler* c, const spec_link* l, const char* part, apl_mark at,
                                 const apl_field* field, unsigned long long given) {
  const apl_field* missing = apl_field_missing(field, given);
  if (missing == NULL) return APL_OK;
  apl_fail(c->err, APL_ERR_MODEL, "link '%s' needs %s.%s (%s, %s)", l->name, part, missing->name,
           missing->sentence, missing->unit);
  return blame(c, at);
}

/* The kind's own sentence, with the link in front. */
static apl_status blame_kind(compiler* c, const spec_link* l, const char* part, apl_mark at,
                             apl_status st, const apl_error* inner) {
  apl_fail(c->err, st, "link '%s': %s: %.180s", l->name, part, inner->text);
  return blame(c, at);
}

static void add_rigid(double* at, rigid_inertia I) {
  const double* x = (const double*)&I;
  for (int k = 0; k < (int)(sizeof I / sizeof(double)); ++k)
    at[k] += x[k];
}

static int new_frame(compiler* c, int node) {
  const int f = c->m->nframe++;
  c->frame[f] = (apl_frame){node, take(c, (int)(sizeof(rigid_inertia) / sizeof(double))), 0};
  return f;
}

static void new_port(compiler* c, int link, int frame, pose X) {
  const int p = c->m->nport++, at = take(c, 12);

  put_pose(c->par + at, X);
  c->port[p] = (apl_port){frame, at, link};
}

static void new_satellite(compiler* c, int node, const char* link, const char* name, int velocity,
                          double inertia, double ratio) {
  const int k = c->m->nsat++, at = take(c, 2);

  c->par[at] = inertia;
  c->par[at + 1] = ratio;
  c->satellite[k] = (apl_satellite){node, velocity, at};
  c->satellite_name[k] = join(c, link, name, NULL);
}

static bool any_above(const double* x, int n, double level) {
  for (int k = 0; k < n; ++k) {
    if (x[k] > level) return true;
  }
  return false;
}

static int put_numbers(compiler* c, const double* x, int n) {
  const int at = take(c, n);
  memcpy(c->par + at, x, sizeof *x * (size_t)n);
  return at;
}

/* Springs, dampers, friction, stops and rest of a joint. */
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
  if (n->spring + n->damper + n->friction + n->stop > 0) c->passive[c->m->npassive++] = index;
}

/* What the kinds made of a link's parameters. */
typedef struct link_parts {
  int jpar, bpar; /* numbers of joint and body in the block                                       */
  mat3 turn;      /* from the joint's own frame, whose z is the axis, to the user's               */
  double inertia[APL_MAX_SATELLITES];
  double mass;
} link_parts;

static apl_status compile_parts(compiler* c, int i, link_parts* out) {
  const spec_link* l = c->spec->link[i];
  const apl_joint_kind* jk = joint_kind(l);
  const apl_body_kind* bk = body_kind(l);
  apl_error inner = {0};
  apl_status st = check_required(c, l, "joint", l->mark.joint, jk->field, l->joint_given);

  if (st == APL_OK) st = check_required(c, l, "body", l->mark.body, bk->field, l->body_given);
  if (st != APL_OK) return st;

  /* an author's mistake, not a user's: passes keep such blocks on the stack */
  if (jk->nv > APL_MAX_NV || jk->nt > APL_MAX_NV || jk->nq > APL_MAX_NQ || bk->nx > APL_MAX_NX ||
      jk->nsatellite > APL_MAX_SATELLITES || (jk->slaved && jk->nv + jk->nt == 0)) {
    return apl_fail(c->err, APL_ERR_MODEL,
                    "link '%s': kind %s or %s is larger than the engine allows", l->name, jk->word,
                    bk->word);
  }
  *out = (link_parts){.turn = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  out->jpar = take(c, jk->npar);
  out->bpar = take(c, bk->npar);
  st = jk->compile(l->joint_param, c->par + out->jpar, out->inertia, &out->turn, &inner);
  if (st != APL_OK) {
    const apl_mark at = apl_field_blamed(jk->field, l->mark.joint_field, l->mark.joint, inner.text);
    return blame_kind(c, l, "joint", at, st, &inner);
  }
  st = bk->compile(l->body_param, c->par + out->bpar, &out->mass, &inner);
  if (st != APL_OK) {
    const apl_mark at = apl_field_blamed(bk->field, l->mark.body_field, l->mark.body, inner.text);
    return blame_kind(c, l, "body", at, st, &inner);
  }

  c->m->mass += out->mass;
  c->info[i].mass = out->mass;
  if (bk->rigid) memcpy(c->inertial + 10 * i, c->par + out->bpar, sizeof(rigid_inertia));
  return APL_OK;
}

static rigid_inertia own_inertia(const compiler* c, int i) {
  rigid_inertia I;
  memcpy(&I, c->inertial + 10 * i, sizeof I);
  return I;
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

/* The frames of a node and the ports on them. The node's frame has the joint's axis as z; a rigid
   body is turned into it once and for all, a body that deforms keeps its own axes. */
static void add_frames(compiler* c, int i, const link_parts* parts, apl_node* n, int index) {
  const spec_link* l = c->spec->link[i];
  const mat3 back = transpose(parts->turn);

  n->frame = new_frame(c, index);
  if (body_kind(l)->rigid) {
    const pose X = {back, {0, 0, 0}};
    add_rigid(c->par + c->frame[n->frame].inertia, rigid_from(X.R, X.p, own_inertia(c, i)));
    new_port(c, i, n->frame, X);
    for (int k = 0; k < l->nport; ++k) {
      new_port(c, i, n->frame, pose_mul(X, pose_of(l->port[k].at)));
    }
    return;
  }

  if (back.xx != 1.0 || back.yy != 1.0 || back.zz != 1.0) {
    n->back = take(c, 9);
    memcpy(c->par + n->back, &back, sizeof back);
  }
  new_port(c, i, n->frame, pose_of(apl_pose_identity()));
  for (int k = -1; k < l->nport; ++k) {
    /* the tip, then the named ports */
    const int f = new_frame(c, index), at = take(c, 1);
    c->par[at] = k < 0 ? 1.0 : l->port[k].station;
    c->frame[f].section = at;
    new_port(c, i, f, pose_of(k < 0 ? apl_pose_identity() : l->port[k].at));
    n->nport += 1;
  }
}

/* The columns of a node: joint first, then each port's view of the deformations. */
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
    c->frame_column[n->frame + 1 + p] = next;
  }
}

/* A link of its own. P is where its joint sits in frame `up`. */
static void make_node(compiler* c, int i, int up, pose P, const link_parts* parts) {
  const spec_link* l = c->spec->link[i];
  const apl_joint_kind* jk = joint_kind(l);
  const apl_link_info* info = &c->info[i];
  apl_model* m = c->m;
  const int index = m->nnode++;
  apl_node* n = &c->node[index];

  n->up = up;
  n->link = i;
  n->joint = l->joint_kind;
  n->body = l->body_kind;
  n->slaved = jk->slaved;
  n->nq = info->nq, n->nt = info->nt, n->nv = info->nv, n->nx = info->nx;
  n->q0 = info->q0, n->t0 = info->t0, n->v0 = info->v0;
  n->xq0 = info->xq0, n->xt0 = info->xt0, n->xv0 = info->xv0;
  n->joint_prescribed = info->joint_prescribed;
  n->body_prescribed = info->body_prescribed;

  n->par = take(c, PAR_NODE);
  n->jpar = parts->jpar;
  n->bpar = parts->bpar;
  put_pose(c->par + n->par + PAR_TREE, (pose){mat3_mul(P.R, parts->turn), P.p});
  add_satellites(c, l, parts, n, index);
  add_passive(c, l, n, index);
  add_frames(c, i, parts, n, index);

  n->sc0 = m->nangle;
  for (int k = 0; k < jk->nangle; ++k)
    c->angle[m->nangle++] = info->q0 + jk->angle[k];

  if (body_kind(l)->rigid && !n->joint_prescribed) n->path = (int)jk->path;
  n->root = up == 0 ? n->frame : c->node[c->frame[up].node].root;
  n->world = m->nworld;
  m->nworld += n->nport * n->nx;
  add_columns(c, n, index);
  n->work = m->nwork;
  if (n->path == PATH_GENERAL) m->nwork = work_end(n);
  n->denoc = m->ndenoc;
  m->ndenoc += 13 * n->nv + n->nv * n->nv;
  m->nslaved += n->slaved;
  m->nprescribed += n->joint_prescribed + n->body_prescribed;
  m->rigid_tree = m->rigid_tree && n->nx == 0 && !n->slaved;
}

/* A rigid link fixed to a frame adds its inertia there and needs no node. */
static void merge(compiler* c, int i, int frame, pose P) {
  const spec_link* l = c->spec->link[i];

  add_rigid(c->par + c->frame[frame].inertia, rigid_from(P.R, P.p, own_inertia(c, i)));
  new_port(c, i, frame, P);
  for (int k = 0; k < l->nport; ++k) {
    new_port(c, i, frame, pose_mul(P, pose_of(l->port[k].at)));
  }
}

/* How the place a link sits on may turn, in the axes of its joint. */
static turning turning_below(const compiler* c, int i) {
  const spec_link* l = c->spec->link[i];
  const link_work* w = &c->link[i];
  if (w->parent < 0) return (turning){APL_MOVES_STRAIGHT, {0, 0, 0}};

  const spec_link* parent = c->spec->link[w->parent];
  const int named = w->parent_port - nstandard(parent);
  turning t = c->link[w->parent].turn;
  if (w->parent_port > 0) t = combine(t, turning_of(body_kind(parent)->turning));
  if (named >= 0) t = turning_in(t, rotation_of(parent->port[named].at.rotation));
  return turning_in(t, rotation_of(l->at.rotation));
}

/* A joint that rolls on the ground behind something must be carried parallel to that ground. */
static apl_status check_slaved(compiler* c, int i) {
  const spec_link* l = c->spec->link[i];
  const turning t = turning_below(c, i);
  const bool about_z = t.axis.x * t.axis.x + t.axis.y * t.axis.y < 1e-18;

  if (t.freedom == APL_MOVES_STRAIGHT || (t.freedom == APL_MOVES_ABOUT_AXIS && about_z))
    return APL_OK;
  return apl_fail(c->err, APL_ERR_MODEL,
                  "link '%s': a %s must hang on something that turns about the z axis of its joint "
                  "only, because it rolls on the ground",
                  l->name, joint_kind(l)->word);
}

static apl_status check_stops(compiler* c, const spec_link* l) {
  for (int k = 0; k < joint_kind(l)->nt; ++k) {
    if (l->lower[k] <= l->upper[k]) continue;
    return apl_fail(c->err, APL_ERR_MODEL, "link '%s': joint.lower %g is above joint.upper %g",
                    l->name, l->lower[k], l->upper[k]);
  }
  return APL_OK;
}

/* Motion can be given to freedoms only. */
static apl_status check_prescribed(compiler* c, const spec_link* l) {
  if (l->joint_prescribed && joint_kind(l)->nv == 0) {
    return apl_fail(c->err, APL_ERR_MODEL, "link '%s': a %s joint has no velocity to prescribe",
                    l->name, joint_kind(l)->word);
  }
  if (l->body_prescribed && body_kind(l)->nx == 0) {
    return apl_fail(c->err, APL_ERR_MODEL, "link '%s': a %s body has no deformation to prescribe",
                    l->name, body_kind(l)->word);
  }
  return APL_OK;
}

static apl_status compile_link(compiler* c, int i) {
  const spec_link* l = c->spec->link[i];
  const apl_joint_kind* jk = joint_kind(l);
  link_work* w = &c->link[i];
  link_parts parts;
  apl_status st = compile_parts(c, i, &parts);
  if (st == APL_OK) st = check_prescribed(c, l);
  if (st == APL_OK) st = check_stops(c, l);
  if (st == APL_OK && jk->slaved) st = check_slaved(c, i);
  if (st != APL_OK) return st;

  /* where it sits */
  int up = 0;
  pose P = pose_of(l->at);
  if (w->parent >= 0) {
    const apl_port* port = &c->port[c->link[w->parent].port0 + w->parent_port];
    up = port->frame;
    P = pose_mul(get_pose(c->par + port->pose), P);
  }

  w->port0 = c->m->nport;
  c->info[i].port = w->port0;
  if (jk->nq == 0 && jk->nv == 0 && body_kind(l)->rigid) {
    merge(c, i, up, P);
  } else {
    make_node(c, i, up, P, &parts);
  }
  for (int k = 0; k < nstandard(l) + l->nport; ++k) {
    c->port_name[w->port0 + k] = join(c, l->name, port_word(l, k), NULL);
  }

  /* how the body turns, in its own axes: about the joint's axis, on top of what it sits on */
  turning own = turning_of(jk->turning);
  own.axis = mul(parts.turn, own.axis);
  w->turn = combine(turning_below(c, i), own);
  if (!body_kind(l)->rigid) return APL_OK;

  const rigid_inertia I = own_inertia(c, i);
  const vec3 com = scale(I.m > 0.0 ? 1.0 / I.m : 0.0, I.h);
  const rigid_inertia at_com = rigid_from(mat3_identity(), neg(com), I);
  if (apl_check_inertia(l->name, at_com.J, 1e-14 * I.m * dot(com, com), w->turn.freedom,
                        w->turn.axis, c->err) == APL_OK)
    return APL_OK;
  return blame(c,
               apl_field_blamed(body_kind(l)->field, l->mark.body_field, l->mark.body, "inertia "));
}

/* -------------------------------------------------------------------------- the rest of it ---- */

/* Addresses and names of coordinates, in the order in which the user added the links. */
static void number_coordinates(compiler* c) {
  apl_model* m = c->m;
  apl_link_info* info = c->info;

  for (int i = 0; i < c->spec->nlink; ++i) {
    const spec_link* l = c->spec->link[i];
    const apl_joint_kind* jk = joint_kind(l);
    const int nx = body_kind(l)->nx;

    info[i] = (apl_link_info){
        .parent = c->link[i].parent,
        .q0 = m->nq,
        .nq = jk->nq,
        .t0 = m->nt,
        .nt = jk->nt,
        .v0 = m->nv,
        .nv = jk->nv,
        .xq0 = m->nq + jk->nq,
        .xt0 = m->nt + jk->nt,
        .xv0 = m->nv + jk->nv,
        .nx = nx,
        .joint_prescribed = l->joint_prescribed && jk->nv > 0,
        .body_prescribed = l->body_prescribed && nx > 0,
        .plain = jk->plain,
        .joint = jk->word,
        .body = body_kind(l)->word,
    };
    m->nq += jk->nq + nx;
    m->nt += jk->nt + nx;
    m->nv += jk->nv + nx;
  }
}

static bool name_coordinates(compiler* c) {
  apl_model* m = c->m;
  const char** q = apl_pool_take(&m->pool, sizeof *q * (size_t)(m->nq + 1));
  const char** v = apl_pool_take(&m->pool, sizeof *v * (size_t)(m->nv + 1));
  const char** q_unit = apl_pool_take(&m->pool, sizeof *q_unit * (size_t)(m->nq + 1));
  const char** v_unit = apl_pool_take(&m->pool, sizeof *v_unit * (size_t)(m->nv + 1));
  double* neutral = apl_pool_take(&m->pool, sizeof *neutral * (size_t)(m->nq + 1));
  if (q == NULL || v == NULL || q_unit == NULL || v_unit == NULL || neutral == NULL) return false;

  for (int i = 0; i < m->nlink; ++i) {
    const spec_link* l = c->spec->link[i];
    const apl_joint_kind* jk = joint_kind(l);
    const apl_link_info* info = &m->link[i];

    for (int k = 0; k < jk->nq; ++k) {
      q[info->q0 + k] = join(c, l->name, "joint", jk->q_name[k]);
      q_unit[info->q0 + k] = jk->q_unit[k];
      neutral[info->q0 + k] = l->rest[k];
    }
    for (int k = 0; k < jk->nv; ++k) {
      v[info->v0 + k] = join(c, l->name, "joint", jk->v_name[k]);
      v_unit[info->v0 + k] = jk->v_unit[k];
    }
    if (body_kind(l)->neutral != NULL) body_kind(l)->neutral(l->body_param, neutral + info->xq0);
    for (int k = 0; k < info->nx; ++k) {
      char word[16];
      snprintf(word, sizeof word, "x%d", k);
      q[info->xq0 + k] = v[info->xv0 + k] = join(c, l->name, word, NULL);
      q_unit[info->xq0 + k] = body_kind(l)->x_unit;
      snprintf(word, sizeof word, "%s/s", body_kind(l)->x_unit);
      v_unit[info->xv0 + k] = apl_pool_text(&m->pool, word);
    }
  }
  m->q_name = q;
  m->v_name = v;
  m->q_unit = q_unit;
  m->v_unit = v_unit;
  m->neutral = neutral;
  return true;
}

static int find_name(const char* const* list, int n, const char* name) {
  for (int i = 0; i < n; ++i) {
    if (strcmp(list[i], name) == 0) return i;
  }
  return -1;
}

static apl_status compile_inputs(compiler* c) {
  apl_model* m = c->m;
  const int n = c->spec->ninput;
  apl_input* input = apl_pool_take(&m->pool, sizeof *input * (size_t)(n + 1));
  const char** name = apl_pool_take(&m->pool, sizeof *name * (size_t)(n + 1));
  if (input == NULL || name == NULL) {
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the inputs");
  }

  for (int i = 0; i < n; ++i) {
    const spec_input* in = &c->spec->input[i];
    const int v = find_name(m->v_name, m->nv, in->target);
    const int sat = find_name(c->satellite_name, m->nsat, in->target);
    if (v < 0 && sat < 0) {
      apl_nearest near = {.word = in->target};
      char hint[96];
      for (int k = 0; k < m->nv; ++k)
        apl_nearest_offer(&near, m->v_name[k]);
      for (int k = 0; k < m->nsat; ++k)
        apl_nearest_offer(&near, c->satellite_name[k]);
      apl_fail(c->err, APL_ERR_MODEL,
               "input '%s' drives '%s', which is neither a velocity nor a wheel or rotor%s",
               in->name, in->target, apl_nearest_text(&near, hint));
      return blame(c, in->at);
    }
    const int gain = take(c, 1);
    c->par[gain] = in->gain;
    input[i] = (apl_input){v, v < 0 ? sat : -1, gain};
    name[i] = apl_pool_text(&m->pool, in->name);
    if (name[i] == NULL) {
      return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the inputs");
    }
  }
  m->input = input;
  m->input_name = name;
  m->ninput = n;
  return APL_OK;
}

/* Upper bounds of all lists, and the lists. */
static bool allocate(compiler* c) {
  const apl_spec* s = c->spec;
  apl_pool* pool = &c->m->pool;
  int links = s->nlink, ports = 0, sats = 0, angles = 0, columns = 0, numbers = 64;

  for (int i = 0; i < links; ++i) {
    const spec_link* l = s->link[i];
    const apl_joint_kind* jk = joint_kind(l);
    ports += nstandard(l) + l->nport;
    sats += jk->nsatellite + l->nrotor;
    angles += jk->nangle;
    columns += jk->nv + body_kind(l)->nx * (nstandard(l) + l->nport);
    numbers +=
        PAR_NODE + jk->npar + body_kind(l)->npar + 10 + 9 + jk->nq + 4 * jk->nt + 2 * jk->nv + 3;
  }
  numbers += ports * (12 + 10 + 1) + 2 * sats + s->ninput;

  c->m->nlink = links;
#define LIST(p, n) ((p) = apl_pool_take(pool, sizeof *(p) * (size_t)((n) + 1))) != NULL
  const char** name;
  apl_mark* mark;
  const bool ok = LIST(c->link, links) && LIST(c->order, links) && LIST(c->node, links) &&
                  LIST(c->frame, 1 + links + ports) && LIST(c->port, ports) &&
                  LIST(c->satellite, sats) && LIST(c->angle, angles + 3) &&
                  LIST(c->passive, links) && LIST(c->column_next, columns) &&
                  LIST(c->column_velocity, columns) && LIST(c->frame_column, 1 + links + ports) &&
                  LIST(c->par, numbers) && LIST(c->port_name, ports) &&
                  LIST(c->satellite_name, sats) && LIST(c->info, links) &&
                  LIST(c->inertial, 10 * links) && LIST(name, links) && LIST(mark, links);
#undef LIST
  if (!ok) return false;

  apl_model* m = c->m;
  for (int i = 0; i < links; ++i) {
    name[i] = apl_pool_text(pool, s->link[i]->name);
    if (name[i] == NULL) return false;
    mark[i] = s->link[i]->mark.link;
  }
  m->link_mark = mark;
  m->node = c->node;
  m->frame = c->frame;
  m->port = c->port;
  m->satellite = c->satellite;
  m->column_next = c->column_next;
  m->column_velocity = c->column_velocity;
  m->frame_column = c->frame_column;
  m->angle = c->angle;
  m->passive = c->passive;
  m->par = c->par;
  m->link = c->info;
  m->inertial = c->inertial;
  m->link_name = name;
  m->port_name = c->port_name;
  m->satellite_name = c->satellite_name;
  return true;
}

static apl_status compile(compiler* c) {
  apl_model* m = c->m;
  apl_status st = c->spec->error.status;

  if (st != APL_OK) {
    if (c->err != NULL) *c->err = c->spec->error;
    return st;
  }
  if (!allocate(c)) return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");

  st = check_names(c);
  for (int i = 0; i < m->nlink && st == APL_OK; ++i)
    st = resolve_parent(c, i);
  if (st == APL_OK) st = order_links(c);
  if (st != APL_OK) return st;

  /* gravity stands first, then the world's frame */
  const int g = take(c, 3);
  c->par[g] = c->spec->gravity.x;
  c->par[g + 1] = c->spec->gravity.y;
  c->par[g + 2] = c->spec->gravity.z;
  new_frame(c, -1);
  c->frame_column[0] = WAY_END;

  m->rigid_tree = 1;
  number_coordinates(c);
  m->nworld = m->nv;
  if (!name_coordinates(c))
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");
  for (int k = 0; k < m->nlink; ++k) {
    st = compile_link(c, c->order[k]);
    if (st != APL_OK) return st;
  }
  if (c->out_of_memory) return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");
  return compile_inputs(c);
}

apl_status apl_model_compile(const apl_spec* spec, apl_model** out, apl_error* err) {
  *out = NULL;
  apl_model* m = calloc(1, sizeof *m);
  if (m == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory while compiling");

  compiler c = {.spec = spec, .m = m, .err = err};
  const apl_status st = compile(&c);
  if (st != APL_OK) {
    apl_model_free(m);
    return st;
  }
  *out = m;
  return APL_OK;
}

void apl_model_free(apl_model* m) {
  if (m == NULL) return;
  apl_pool_free(&m->pool);
  free(m);
}
