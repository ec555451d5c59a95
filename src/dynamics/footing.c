/* SPDX-License-Identifier: Apache-2.0 */
/* footing.c: divides the wrench of the ground on each rolling joint among its wheel contacts.
   reactions.c gives a wrench on the body; here the angular momentum of the wheels is added, the
   moments become a centre of pressure, and each wheel gets its share. A trailer also loads the
   hitch of the vehicle that draws it. Theory: docs/theory/wheels.md, 11. */
#include "appell/footing.h"

#include "dynamics/passes.h"

#include <math.h>
#include <string.h>

/* One rolling joint and its intermediate results, in the axes of the ground: forces along x and y,
   moment about the normal, taken at the body frame. */
typedef struct roller {
  const apl_model* m;
  const apl_node* n;
  const double* spin; /* [2*nsat] of the model: spin (rad/s) and its rate */
  const double* u;
  footing_share share;
  double steering; /* time derivative of the last quasi-velocity */
  apl_footing foot;
  wrench G;    /* wrench of the ground, in its axes, at the point below the body frame */
  vec3 left;   /* (f_x, f_y, n_z) of G not yet assigned to a contact */
  double lift; /* force of the hitch on the body along the normal */
} roller;

/* Solve A x = b for a symmetric positive semidefinite A by elimination with the largest pivot. x
   has no component along directions where A is singular. */
static void solve3(double A[3][3], const double b[3], double x[3]) {
  double r[3] = {b[0], b[1], b[2]}, pivot[3] = {0};
  const double small = 1e-12 * fmax(A[0][0], fmax(A[1][1], A[2][2]));
  int order[3] = {0, 1, 2}, rank = 0;

  for (; rank < 3; ++rank) {
    int best = rank;
    for (int i = rank + 1; i < 3; ++i)
      best = A[order[i]][order[i]] > A[order[best]][order[best]] ? i : best;
    const int p = order[best];
    order[best] = order[rank], order[rank] = p;
    pivot[rank] = A[p][p];
    if (!(pivot[rank] > small)) break;
    for (int i = rank + 1; i < 3; ++i) {
      const double f = A[order[i]][p] / pivot[rank];
      for (int j = rank + 1; j < 3; ++j)
        A[order[i]][order[j]] -= f * A[p][order[j]];
      r[order[i]] -= f * r[p];
    }
  }
  x[0] = x[1] = x[2] = 0.0;
  for (int k = rank - 1; k >= 0; --k) {
    double sum = r[order[k]];
    for (int j = k + 1; j < rank; ++j)
      sum -= A[order[k]][order[j]] * x[order[j]];
    x[order[k]] = sum / pivot[k];
  }
}

/* A += weight d d^T */
static void add_square(double A[3][3], double weight, const double d[3]) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      A[i][j] += weight * d[i] * d[j];
  }
}

/* (f_x, f_y, n_z) of a unit force along `e` at a contact */
static vec3 lever(const apl_foothold* c, vec3 e) {
  return (vec3){e.x, e.y, c->x * e.y - c->y * e.x};
}

static vec3 across(vec3 e) {
  return (vec3){-e.y, e.x, 0};
}

/* ---------------------------------------------------------------------------- the wrench ---- */

/* The angular momentum of a wheel is J spin a, with its axle a = z x along, which turns with the
   body and the steering:  rate = J (spin' a - spin (w_z + steer steering') along) */
static vec3 wheel_moment(const roller* r, const apl_foothold* c, double turn) {
  const int k = r->n->sat0 + c->wheel;
  const double J = r->m->par[r->m->satellite[k].par];

  return sub(scale(J * r->spin[2 * k + 1], across(c->along)),
             scale(J * r->spin[2 * k] * (turn + c->steer * r->steering), c->along));
}

static void find_wrench(roller* r) {
  const apl_footing* f = &r->foot;
  const wrench W = r->share.W;
  const vec3 force = mul(f->to_ground, W.f), w = mul(f->to_ground, r->share.w);
  vec3 n = mul(f->to_ground, W.n);

  for (int k = 0; k < f->count; ++k) {
    if (f->contact[k].wheel >= 0) n = add(n, wheel_moment(r, &f->contact[k], w.z));
  }
  if (f->fork >= 0) {
    const int k = r->n->sat0 + f->fork;
    n.z += r->m->par[r->m->satellite[k].par] * r->spin[2 * k + 1];
  }
  /* move the moment to the ground point below: n + h z x f */
  r->G = (wrench){{n.x - f->height * force.y, n.y + f->height * force.x, n.z}, force};
  r->left = (vec3){force.x, force.y, n.z};
}

/* ------------------------------------------------------------------------------- hitches ---- */

/* The joint that rolls and carries the hitch of footing k; -1 when there is none. */
static int find_towing(const apl_model* m, int k) {
  int at = m->node[m->footing[k]].up;

  for (; m->frame[at].node >= 0; at = m->node[m->frame[at].node].up) {
    for (int i = 0; i < k; ++i) {
      if (m->footing[i] == m->frame[at].node) return i;
    }
  }
  return -1;
}

/* A trailer on one axle does not pitch, because the hitch carries a vertical force `lift`: n_y +
   ahead lift = 0 at the point below the axle. */
static void lean(roller* trailer) {
  trailer->lift = -trailer->G.n.y / trailer->foot.ahead;
  trailer->G.f.z -= trailer->lift;
  trailer->G.n.y = 0.0;
}

/* The vehicle in front carries this force too: add lift z at the hitch to its wrench. */
static void carry(const roller* trailer, footing_share* towing) {
  const pose from = trailer->share.X, to = towing->X;
  const vec3 hitch = add(from.p, mul(from.R, (vec3){trailer->foot.ahead, 0, 0}));
  const vec3 up = mul(from.R, mul_t(trailer->foot.to_ground, (vec3){0, 0, trailer->lift}));
  const vec3 r = mul_t(to.R, sub(hitch, to.p)), f = mul_t(to.R, up);

  towing->W = (wrench){add(towing->W.n, cross(r, f)), add(towing->W.f, f)};
}

/* ------------------------------------------------------------------------- normal forces ---- */

/* Normal forces N_k = a + b x_k + c y_k, as if the contacts were equal springs; exact for three
   contacts. For contacts on one line, the moment about that line is assumed to be carried by
   something outside the model. */
static void share_normal(const roller* r, apl_footing_forces* out) {
  const double b[3] = {r->G.f.z, -r->G.n.y, r->G.n.x};
  double A[3][3] = {{0}}, x[3];

  for (int k = 0; k < out->ncontact; ++k)
    add_square(A, 1.0, (const double[3]){1.0, out->contact[k].x, out->contact[k].y});
  solve3(A, b, x);
  for (int k = 0; k < out->ncontact; ++k)
    out->contact[k].normal = x[0] + x[1] * out->contact[k].x + x[2] * out->contact[k].y;
}

/* True if all other contacts are on the left of the line from contact i to contact j. *distance:
   distance of the centre of pressure (x, y) from that line. */
static bool is_edge(const apl_footing_forces* g, int i, int j, double* distance) {
  const double *p = g->pressure, x = g->contact[i].x, y = g->contact[i].y;
  const double ex = g->contact[j].x - x, ey = g->contact[j].y - y, length = hypot(ex, ey);
  bool any = false;

  if (!(length > 0.0)) return false;
  for (int k = 0; k < g->ncontact; ++k) {
    const double d = ex * (g->contact[k].y - y) - ey * (g->contact[k].x - x);
    if (d < -1e-12 * length * length) return false;
    any = any || d > 1e-12 * length * length;
  }
  *distance = (ex * (p[1] - y) - ey * (p[0] - x)) / length;
  return any;
}

/* Contacts on one line: the margin is measured along the line only, because the support across it
   is not part of the model. */
static double line_margin(const apl_footing_forces* g) {
  double margin = 0.0, longest = 0.0;

  for (int i = 0; i < g->ncontact; ++i) {
    for (int j = 0; j < g->ncontact; ++j) {
      const double ex = g->contact[j].x - g->contact[i].x, ey = g->contact[j].y - g->contact[i].y;
      const double length = hypot(ex, ey);
      if (!(length > longest)) continue;
      const double at =
          (ex * (g->pressure[0] - g->contact[i].x) + ey * (g->pressure[1] - g->contact[i].y)) /
          length;
      longest = length;
      margin = fmin(at, length - at);
    }
  }
  return margin;
}

static void find_pressure(const roller* r, apl_footing_forces* out) {
  double least = HUGE_VAL, d;

  if (!(out->normal > 0.0)) return;
  out->pressure[0] = -r->G.n.y / out->normal;
  out->pressure[1] = r->G.n.x / out->normal;
  for (int i = 0; i < out->ncontact; ++i) {
    for (int j = 0; j < out->ncontact; ++j) {
      if (is_edge(out, i, j, &d)) least = fmin(least, d);
    }
  }
  out->margin = least < HUGE_VAL ? least : line_margin(out);
}

/* --------------------------------------------------------------------- tangential forces ---- */

static void take(roller* r, const apl_foothold* c, vec3 e, double force) {
  r->left = sub(r->left, scale(force, lever(c, e)));
}

static double input_on(const roller* r, int satellite) {
  double sum = 0.0;

  for (int i = 0; i < r->m->ninput; ++i) {
    const apl_input* in = &r->m->input[i];
    if (in->kind == INPUT_SATELLITE && in->target == satellite)
      sum += r->m->par[in->gain] * r->u[i];
  }
  return sum;
}

/* Wheels with an input torque: torque - J spin' = radius (force . along) */
static void share_torques(roller* r, apl_footing_forces* out) {
  for (int k = 0; k < out->ncontact; ++k) {
    const apl_foothold* c = &r->foot.contact[k];
    if (c->wheel < 0) continue;

    const int at = r->n->sat0 + c->wheel;
    const double J = r->m->par[r->m->satellite[at].par];
    double torque = input_on(r, at);
    if (c->shaft >= 0) torque += 0.5 * input_on(r, r->n->sat0 + c->shaft);
    out->contact[k].torque = torque;
    out->contact[k].traction =
        (torque - J * r->spin[2 * at + 1]) / (c->radius * dot(c->push, c->along));
    take(r, c, c->push, out->contact[k].traction);
  }
}

static bool has_input(const roller* r, int wheel) {
  for (int i = 0; i < r->m->ninput; ++i) {
    const apl_input* in = &r->m->input[i];
    if (in->kind == INPUT_SATELLITE && in->target == r->n->sat0 + wheel) return true;
  }
  return false;
}

/* Which contact's wheel drives contact k: its own (k), or the first wheel on its shaft (a
   differential gives each half of the torque); -1: none. With `driven`, only wheels and shafts with
   an input count. */
static int motor_of(const roller* r, int k, bool driven, double* part) {
  const apl_foothold* c = &r->foot.contact[k];

  *part = 1.0;
  if (c->wheel < 0) return -1;
  if (!driven || has_input(r, c->wheel)) return k;
  if (c->shaft < 0 || !has_input(r, c->shaft)) return -1;
  *part = 0.5;
  for (k = 0; r->foot.contact[k].shaft != c->shaft;)
    ++k;
  return k;
}

/* Efforts on the joint's own velocities (prescribed motion, efforts, dampers) also act through the
   wheels. Their forces are the smallest that balance them: F = B (B^T B)^-1 S^T left, where B maps
   unit forces of the driving wheels to the motions S. Wheels with inputs are used first (`driven`),
   then all wheels. */
static void share_efforts(roller* r, bool driven, apl_footing_forces* out) {
  double A[3][3] = {{0}}, e[3] = {0}, x[3], B[FOOTING_CONTACTS][3] = {{0}}, part;

  for (int j = 0; j < 3; ++j) {
    const vec3 v = mul(r->foot.to_ground, r->share.S[j].v),
               w = mul(r->foot.to_ground, r->share.S[j].w);
    const vec3 motion = {v.x, v.y, w.z};

    e[j] = dot(motion, r->left);
    for (int k = 0; k < out->ncontact; ++k) {
      const apl_foothold* c = &r->foot.contact[k];
      const int motor = motor_of(r, k, driven, &part);
      if (motor >= 0) B[motor][j] += part * dot(motion, lever(c, c->push));
    }
  }
  for (int k = 0; k < out->ncontact; ++k)
    add_square(A, 1.0, B[k]);
  solve3(A, e, x);
  for (int k = 0; k < out->ncontact; ++k) {
    const apl_foothold* c = &r->foot.contact[k];
    const int motor = motor_of(r, k, driven, &part);
    if (motor < 0) continue;
    const double more = part * (B[motor][0] * x[0] + B[motor][1] * x[1] + B[motor][2] * x[2]);
    out->contact[k].traction += more;
    out->contact[k].torque += more * c->radius * dot(c->push, c->along);
    take(r, c, c->push, more);
  }
}

/* The remaining forces are taken by lateral friction of the wheels, in proportion to their normal
   forces where all of them are positive, and along by supports without a wheel. */
static void share_holds(roller* r, apl_footing_forces* out) {
  const int n = out->ncontact;
  double A[3][3] = {{0}}, x[3];
  bool carried = true;

  for (int k = 0; k < n; ++k)
    carried = carried && out->contact[k].normal > 0.0;
  for (int k = 0; k < n; ++k) {
    const apl_foothold* c = &r->foot.contact[k];
    const double weight = carried ? out->contact[k].normal : 1.0;
    const vec3 side = lever(c, across(c->along)), ahead = lever(c, c->along);
    if (c->hold) add_square(A, weight, (const double[3]){side.x, side.y, side.z});
    if (c->hold_both) add_square(A, weight, (const double[3]){ahead.x, ahead.y, ahead.z});
  }
  solve3(A, (const double[3]){r->left.x, r->left.y, r->left.z}, x);
  for (int k = 0; k < n; ++k) {
    const apl_foothold* c = &r->foot.contact[k];
    const double weight = carried ? out->contact[k].normal : 1.0;
    const vec3 y = {x[0], x[1], x[2]};
    if (c->hold) out->contact[k].lateral = weight * dot(y, lever(c, across(c->along)));
    if (c->hold_both) out->contact[k].traction = weight * dot(y, lever(c, c->along));
  }
}

static void divide(roller* r, apl_footing_forces* out) {
  *out = (apl_footing_forces){.normal = r->G.f.z,
                              .forward = r->G.f.x,
                              .lateral = r->G.f.y,
                              .limit = r->foot.friction,
                              .hitched = r->foot.hitched,
                              .hitch = {r->share.pull.x, r->share.pull.y, r->lift},
                              .ncontact = r->foot.count};
  for (int k = 0; k < out->ncontact; ++k) {
    const apl_foothold* c = &r->foot.contact[k];
    out->contact[k] = (apl_foothold_force){
        .satellite = c->wheel < 0 ? -1 : r->n->sat0 + c->wheel, .x = c->x, .y = c->y};
  }
  share_normal(r, out);
  find_pressure(r, out);
  share_torques(r, out);
  share_efforts(r, true, out);
  share_efforts(r, false, out);
  share_holds(r, out);
  for (int k = 0; k < out->ncontact; ++k) {
    const apl_foothold_force* c = &out->contact[k];
    if (c->normal > 0.0)
      out->friction = fmax(out->friction, hypot(c->traction, c->lateral) / c->normal);
  }
}

apl_status apl_footing_reactions(const apl_model* m, apl_state* s, apl_footing_forces* out) {
  if (s == NULL || out == NULL || s->model != m || s->passes->width != 1) return APL_ERR_ARGUMENT;
  s->trouble = -1;
  const apl_status st = s->passes->reactions(m, s, s->share, s->turn);
  if (st != APL_OK) return st;

  /* trailers before the vehicles that draw them, which carry their hitch forces */
  for (int k = m->nfooting - 1; k >= 0; --k) {
    const apl_node* n = &m->node[m->footing[k]];
    footing_share* share = (footing_share*)(void*)s->share;
    roller r = {.m = m, .n = n, .spin = s->turn, .u = s->u, .share = share[k]};

    r.foot = (apl_footing){.to_ground = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .fork = -1};
    if (n->nv > 0) r.steering = s->v[n->v0 + n->nv - 1];
    apl_joint_kinds[n->joint]->stands(m->par + n->jpar, s->q + n->q0, &r.foot);
    find_wrench(&r);
    const int towing = r.foot.hitched ? find_towing(m, k) : -1;
    if (r.foot.hitched) lean(&r);
    if (towing >= 0) carry(&r, &share[towing]);
    divide(&r, &out[k]);
  }
  return APL_OK;
}
