/* SPDX-License-Identifier: Apache-2.0 */
/* names.c: parents, order and names of links. */
#include "model/compiler.h"

#include "base/assert.h"
#include "base/nearest.h"

#include <math.h>
#include <stdio.h>

/* "a.b" or "a.b.c" in the model's pool */
const char* apl_compile_join(compiler* c, const char* a, const char* b, const char* d) {
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

/* Add the position in the file, if known, to the error that was just written. */
apl_status apl_compile_blame(const compiler* c, apl_mark at) {
  if (c->err == NULL) return APL_ERR_MODEL;
  c->err->line = at.line;
  c->err->column = at.column;
  return c->err->status;
}

/* ------------------------------------------------------------------------- names and tree ---- */

/* Name number k of a link, after its dot: ports, wheels, rotors, deformations, "joint". */
static const char* own_name(const spec_link* l, int k, char* room, size_t size) {
  const int nports = nstandard(l) + l->nport, nwheels = joint_kind(l)->nsatellite;

  if (k < nports) {
    snprintf(room, size, "%s", port_word(l, k).text);
    return room;
  }
  if ((k -= nports) < nwheels) return joint_kind(l)->spin_name[k];
  if ((k -= nwheels) < l->nrotor) return l->rotor[k].name;
  if ((k -= l->nrotor) == 0) return "joint";
  apl_body_coordinate c;
  body_kind(l)->coordinate(l->body_param, k - 1, &c);
  snprintf(room, size, "%s", c.name);
  return room;
}

static int count_own_names(const spec_link* l) {
  const apl_body_plan plan = body_plan(l);
  return nstandard(l) + l->nport + joint_kind(l)->nsatellite + l->nrotor + 1 +
         plan.elements * plan.nx;
}

/* True if the user chose name k: a port or a rotor. All others are distinct by construction. */
static bool chosen_name(const spec_link* l, int k) {
  const int port = k - nstandard(l), rotor = port - l->nport - joint_kind(l)->nsatellite;
  return (port >= 0 && port < l->nport) || (rotor >= 0 && rotor < l->nrotor);
}

/* All names of a link must differ. A long body has thousands, so only the chosen ones are compared
   with all. */
static apl_status check_own_names(compiler* c, const spec_link* l) {
  const int n = count_own_names(l);
  char a[64], b[64];

  for (int i = 0; i < n; ++i) {
    if (!chosen_name(l, i)) continue;
    const char* name = own_name(l, i, a, sizeof a);
    for (int j = 0; j < n; ++j) {
      if (j == i || strcmp(name, own_name(l, j, b, sizeof b)) != 0) continue;
      return apl_fail(c->err, APL_ERR_MODEL, "link '%s' has two parts called '%s'", l->name, name);
    }
  }
  return APL_OK;
}

/* Check the name of a joint: no two are equal, and none gives a coordinate the name of some part of
   a link ("hip.angle"). */
static apl_status check_joint_name(compiler* c, int i) {
  const apl_spec* s = c->spec;
  const spec_link* l = s->link[i];
  const int namesake = find_link(s, l->joint_name, strlen(l->joint_name));

  for (int k = 0; k < i; ++k) {
    if (strcmp(s->link[k]->joint_name, l->joint_name) != 0) continue;
    return apl_fail(c->err, APL_ERR_MODEL, "there are two joints called '%s'", l->joint_name);
  }
  for (int k = 0; namesake >= 0 && k < joint_kind(l)->nq + joint_kind(l)->nv; ++k) {
    const apl_joint_kind* jk = joint_kind(l);
    const char* own = k < jk->nq ? jk->q_name[k] : jk->v_name[k - jk->nq];
    const spec_link* other = s->link[namesake];
    char room[64];
    for (int j = 0; j < count_own_names(other); ++j) {
      if (strcmp(own_name(other, j, room, sizeof room), own) != 0) continue;
      return apl_fail(c->err, APL_ERR_MODEL,
                      "'%s.%s' is both a coordinate of the joint and a part of the link called "
                      "'%s': rename one",
                      l->joint_name, own, l->joint_name);
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
      return apl_compile_blame(c, l->mark.link);
    }
    apl_status st = check_own_names(c, l);
    if (st != APL_OK) return st;
    if (l->joint_name[0] != '\0') st = check_joint_name(c, i);
    if (st != APL_OK) return apl_compile_blame(c, l->mark.joint);
  }
  for (int i = 0; i < s->ntendon; ++i) {
    const spec_tendon* t = &s->tendon[i];
    if (find_link(s, t->name, strlen(t->name)) < 0) continue;
    apl_fail(c->err, APL_ERR_MODEL, "there is a link and a tendon called '%s'", t->name);
    return apl_compile_blame(c, t->at);
  }
  for (int i = 0; i < s->ninput; ++i) {
    for (int j = 0; j < i; ++j) {
      if (strcmp(s->input[i].name, s->input[j].name) == 0) {
        apl_fail(c->err, APL_ERR_MODEL, "there are two inputs called '%s'", s->input[i].name);
        return apl_compile_blame(c, s->input[i].at);
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
    return apl_compile_blame(c, l->mark.on);
  }
  if (dot_at == NULL) return APL_OK;

  const spec_link* parent = s->link[w->parent];
  for (int p = 0; p < nstandard(parent) + parent->nport; ++p) {
    if (strcmp(port_word(parent, p).text, dot_at + 1) == 0) {
      w->parent_port = p;
      return APL_OK;
    }
  }
  apl_nearest near = {.word = dot_at + 1};
  char hint[96], room[64];
  for (int p = 0; p < nstandard(parent) + parent->nport; ++p)
    apl_nearest_offer(&near, own_name(parent, p, room, sizeof room));
  apl_fail(c->err, APL_ERR_MODEL, "link '%s' is on '%s', but link '%s' has no port '%s'%s", l->name,
           l->on, parent->name, dot_at + 1, apl_nearest_text(&near, hint));
  return apl_compile_blame(c, l->mark.on);
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
      APL_ASSERT(done < n);
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
    apl_fail(c->err, APL_ERR_MODEL, "link '%s' is its own ancestor: the chain of `on` is a cycle",
             c->spec->link[at]->name);
    return apl_compile_blame(c, c->spec->link[at]->mark.on);
  }
  return APL_OK;
}

apl_status apl_compile_names(compiler* c) {
  apl_status st = check_names(c);

  for (int i = 0; i < c->spec->nlink && st == APL_OK; ++i)
    st = resolve_parent(c, i);
  return st == APL_OK ? order_links(c) : st;
}

/* ----------------------------------------------------------------------------- coordinates ---- */

/* "link.joint.angle", or "elbow.angle" where the joint has a name of its own */
static const char* name_of_freedom(compiler* c, const spec_link* l, const char* what) {
  return l->joint_name[0] == '\0' ? apl_compile_join(c, l->name, "joint", what)
                                  : apl_compile_join(c, l->joint_name, what, NULL);
}

/* Addresses and names of coordinates, in the order in which the user added the links. */
static void number_coordinates(compiler* c) {
  apl_model* m = c->m;
  apl_link_info* info = c->info;

  for (int i = 0; i < c->spec->nlink; ++i) {
    const spec_link* l = c->spec->link[i];
    const apl_joint_kind* jk = joint_kind(l);
    const apl_body_plan plan = body_plan(l);
    const int nx = plan.elements * plan.nx;

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
        .elements = plan.elements,
        .sections = plan.drawn,
        .half = {plan.half[0], plan.half[1]},
        .joint_prescribed = l->joint_prescribed && jk->nv > 0,
        .servo = l->servo,
        .body_prescribed = l->body_prescribed && nx > 0,
        .plain = jk->plain,
        .joint_name = apl_pool_text(&m->pool, l->joint_name),
        .joint = jk->word,
        .body = body_kind(l)->word,
        .note = body_kind(l)->note,
    };
    if (info[i].joint_name == NULL) c->out_of_memory = true;
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
  double* most = apl_pool_take(&m->pool, sizeof *most * (size_t)(m->nq + 1));
  if (q == NULL || v == NULL || q_unit == NULL || v_unit == NULL || neutral == NULL || most == NULL)
    return false;

  for (int i = 0; i < m->nlink; ++i) {
    const spec_link* l = c->spec->link[i];
    const apl_joint_kind* jk = joint_kind(l);
    const apl_link_info* info = &m->link[i];

    for (int k = 0; k < jk->nq; ++k) {
      q[info->q0 + k] = name_of_freedom(c, l, jk->q_name[k]);
      q_unit[info->q0 + k] = jk->q_unit[k];
      neutral[info->q0 + k] = l->rest[k];
      most[info->q0 + k] = HUGE_VAL;
    }
    for (int k = 0; k < jk->nv; ++k) {
      v[info->v0 + k] = name_of_freedom(c, l, jk->v_name[k]);
      v_unit[info->v0 + k] = jk->v_unit[k];
    }
    for (int k = 0; k < info->nx; ++k) {
      apl_body_coordinate x;
      char rate[16];

      body_kind(l)->coordinate(l->body_param, k, &x);
      q[info->xq0 + k] = v[info->xv0 + k] = apl_compile_join(c, l->name, x.name, NULL);
      q_unit[info->xq0 + k] = x.unit;
      neutral[info->xq0 + k] = x.rest;
      most[info->xq0 + k] = x.most;
      snprintf(rate, sizeof rate, "%s/s", x.unit);
      v_unit[info->xv0 + k] = apl_pool_text(&m->pool, rate);
    }
  }
  m->q_name = q;
  m->v_name = v;
  m->q_unit = q_unit;
  m->v_unit = v_unit;
  m->neutral = neutral;
  m->most = most;
  return true;
}

bool apl_compile_coordinates(compiler* c) {
  number_coordinates(c);
  return name_coordinates(c);
}

int apl_compile_port(const compiler* c, const char* name, char* hint) {
  const int link = find_link(c->spec, name, strlen(name));
  const int port = link >= 0 ? c->link[link].port0 : find_name(c->port_name, c->m->nport, name);
  apl_nearest near = {.word = name};

  hint[0] = '\0';
  for (int k = 0; port < 0 && k < c->m->nport; ++k)
    apl_nearest_offer(&near, c->port_name[k]);
  if (port < 0) apl_nearest_text(&near, hint);
  return port;
}
