/* SPDX-License-Identifier: Apache-2.0 */
/* flat.c: tests whether the robot is planar. Then every frame gets axes in the common plane, and
   every node its data in the plane. Planar means: joints rotate about the normal or slide in the
   plane, bodies bend in it, origins and centres of mass lie in it, and the normal is a principal
   axis of every inertia. Then there is no motion and no momentum out of the plane, for any forces
   in it. */
#include "model/compiler.h"

#include <math.h>

/* Rotations of all frames in the world, coordinates at zero. */
typedef struct flat_work {
  compiler* c;
  vec3 normal; /* in the world                                                                  */
  mat3 R[];    /* [nframe]                                                                       */
} flat_work;

static mat3 no_turn(void) {
  return (mat3){1, 0, 0, 0, 1, 0, 0, 0, 1};
}

/* Rotation of a node's frame in the frame above, coordinates at zero. */
static mat3 turn_of(const compiler* c, const apl_node* n) {
  const mat3 tree = get_pose(c->par + n->par + PAR_TREE).R;
  mat3 back;

  if (n->back == 0) return tree;
  memcpy(&back, c->par + n->back, sizeof back);
  return mat3_mul(tree, back);
}

static void find_rotations(flat_work* w) {
  compiler* c = w->c;

  w->R[0] = no_turn();
  for (int i = 0; i < c->m->nnode; ++i) {
    const apl_node* n = &c->node[i];
    if (has_joint(n)) w->R[n->frame] = mat3_mul(w->R[n->up], turn_of(c, n));
    for (int f = n->port0; f < n->port0 + n->nport; ++f)
      w->R[f] = w->R[n->frame];
  }
}

/* The joint's own z in the frame above. */
static vec3 joint_axis(const compiler* c, const apl_node* n) {
  const mat3 R = get_pose(c->par + n->par + PAR_TREE).R;
  return (vec3){R.xz, R.yz, R.zz};
}

static bool flat_body(const compiler* c, const apl_node* n) {
  return body_plan(c->spec->link[n->link]).flat;
}

/* The axis of its frame about which a planar body bends. */
static vec3 body_normal(const compiler* c, const apl_node* n) {
  const bool x = body_plan(c->spec->link[n->link]).turning == APL_TURNS_ABOUT_X;
  return x ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
}

/* The normal that the first joint or body with a definite plane requires. */
static bool find_normal(flat_work* w) {
  compiler* c = w->c;

  for (int i = 0; i < c->m->nnode; ++i) {
    const apl_node* n = &c->node[i];
    if (has_joint(n) && apl_joint_kinds[n->joint]->flat == APL_FLAT_ABOUT_Z) {
      w->normal = mul(w->R[n->up], joint_axis(c, n));
      return true;
    }
    if (n->nx > 0) {
      w->normal = mul(w->R[n->frame], body_normal(c, n));
      return true;
    }
  }
  return false;
}

static bool small(double x, double scale) {
  return fabs(x) <= 1e-13 * scale;
}

static bool along(vec3 a, vec3 b) {
  const vec3 n = cross(a, b);
  return small(sqrt(dot(n, n)), 1.0);
}

static bool joint_is_flat(const flat_work* w, const apl_node* n) {
  const apl_joint_kind* kind = apl_joint_kinds[n->joint];
  const vec3 axis = mul(w->R[n->up], joint_axis(w->c, n));

  if (n->slaved || n->joint_prescribed || n->nspin > 0) return false;
  if (n->nsat > 0 && n->path == PATH_GENERAL) return false;
  switch (kind->flat) {
  case APL_FLAT_ALWAYS:
    return true;
  case APL_FLAT_ABOUT_Z:
    return along(axis, w->normal);
  case APL_FLAT_ALONG_Z:
    return small(dot(axis, w->normal), 1.0);
  case APL_FLAT_NOT:
    break;
  }
  return false;
}

static bool body_is_flat(const flat_work* w, const apl_node* n) {
  return !n->body_prescribed && flat_body(w->c, n) &&
         along(mul(w->R[n->frame], body_normal(w->c, n)), w->normal);
}

/* Test the rigid inertia of a frame. */
static bool inertia_is_flat(const flat_work* w, int f) {
  rigid_inertia I;
  memcpy(&I, w->c->par + w->c->frame[f].inertia, sizeof I);
  const vec3 n = mul_t(w->R[f], w->normal), Jn = sym3_mul(I.J, n);
  const vec3 across = sub(Jn, scale(dot(n, Jn), n));
  const double trace = I.J.xx + I.J.yy + I.J.zz;

  return small(dot(I.h, n), sqrt(dot(I.h, I.h))) && small(sqrt(dot(across, across)), trace);
}

/* Test that all origins have the same height along the normal. */
static bool places_are_flat(const flat_work* w) {
  const compiler* c = w->c;
  double first = 0.0, any = 0.0;
  bool known = false;

  for (int i = 0; i < c->m->nnode; ++i) {
    const apl_node* n = &c->node[i];
    if (!has_joint(n)) continue;
    const vec3 p = get_pose(c->par + n->par + PAR_TREE).p;
    const double height = dot(mul(w->R[n->up], p), w->normal), size = sqrt(dot(p, p));

    any = fmax(any, size);
    if (n->up > 0) {
      if (!small(height, size)) return false;
    } else if (!known) {
      first = height;
      known = true;
    } else if (!small(height - first, any)) {
      return false;
    }
  }
  return true;
}

static bool is_flat(const flat_work* w) {
  const compiler* c = w->c;

  for (int i = 0; i < c->m->nnode; ++i) {
    const apl_node* n = &c->node[i];
    if (has_joint(n) && !joint_is_flat(w, n)) return false;
    if (n->nx > 0 && !body_is_flat(w, n)) return false;
  }
  for (int f = 1; f < c->m->nframe; ++f) {
    if (!inertia_is_flat(w, f)) return false;
  }
  return places_are_flat(w);
}

/* --------------------------------------------------------------------------------- numbers ---- */

/* Axes of a frame: axis 1 is the frame's z if that lies in the plane (so bending bodies lie along
   it), else its x; axis 2 completes them with the normal. Rows, in the axes of the frame. */
static mat3 axes_of(const flat_work* w, int f) {
  const vec3 n = mul_t(w->R[f], w->normal);
  const vec3 a = fabs(n.z) < 0.5 ? (vec3){0, 0, 1} : (vec3){1, 0, 0};
  vec3 e = sub(a, scale(dot(a, n), n));
  e = scale(1.0 / sqrt(dot(e, e)), e);
  const vec3 g = cross(n, e);

  return (mat3){e.x, e.y, e.z, g.x, g.y, g.z, n.x, n.y, n.z};
}

static void put_frame(flat_work* w, int f) {
  compiler* c = w->c;
  const int at = take(c, APL_NPAR(plane_frame_par));
  const mat3 axes = axes_of(w, f);
  plane_frame_par* out = (void*)(c->par + at);
  rigid_inertia I;

  memcpy(&I, c->par + c->frame[f].inertia, sizeof I);
  const vec3 h = mul(axes, I.h), n = {axes.zx, axes.zy, axes.zz};
  c->frame[f].plane = at;
  out->m = I.m;
  out->h = (vec2){h.x, h.y};
  out->J = dot(n, sym3_mul(I.J, n));
  memcpy(out->axis, &axes, sizeof axes);
}

static plane_frame_par* frame_par(const compiler* c, int f) {
  return (void*)(c->par + c->frame[f].plane);
}

static mat3 frame_axes(const compiler* c, int f) {
  mat3 axes;
  memcpy(&axes, frame_par(c, f)->axis, sizeof axes);
  return axes;
}

static void put_node(flat_work* w, apl_node* n) {
  compiler* c = w->c;
  const mat3 axes = frame_axes(c, n->frame), up = frame_axes(c, n->up);
  const vec3 normal = {axes.zx, axes.zy, axes.zz};

  n->plane = take(c, APL_NPAR(plane_node_par));
  plane_node_par* out = (void*)(c->par + n->plane);
  out->bend = dot(normal, body_normal(c, n)) > 0.0 ? 1.0 : -1.0;
  if (!has_joint(n)) return;

  /* axis 1 of the frame, seen in the axes above */
  const pose tree = get_pose(c->par + n->par + PAR_TREE);
  const vec3 e = mul(up, mul(turn_of(c, n), (vec3){axes.xx, axes.xy, axes.xz}));
  const vec3 p = mul(up, tree.p), slide = mul(up, joint_axis(c, n));
  out->c = e.x;
  out->s = e.y;
  out->p = (vec2){p.x, p.y};
  out->sense = slide.z > 0.0 ? 1.0 : -1.0;
  out->slide = (vec2){slide.x, slide.y};
}

static void put_height(flat_work* w) {
  compiler* c = w->c;

  for (int i = 0; i < c->m->nnode; ++i) {
    const apl_node* n = &c->node[i];
    if (n->up > 0) continue;
    frame_par(c, 0)->height = dot(get_pose(c->par + n->par + PAR_TREE).p, w->normal);
    return;
  }
}

apl_status apl_compile_flat(compiler* c) {
  const int nframe = c->m->nframe;
  flat_work* w = apl_pool_take(&c->m->pool, sizeof *w + sizeof(mat3) * (size_t)nframe);
  if (w == NULL) return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling");

  w->c = c;
  find_rotations(w);
  if (!find_normal(w) || !is_flat(w)) return APL_OK;
  for (int f = 0; f < nframe; ++f)
    put_frame(w, f);
  for (int i = 0; i < c->m->nnode; ++i)
    put_node(w, &c->node[i]);
  put_height(w);
  c->m->nplane = nframe;
  memcpy(c->m->across, &w->normal, sizeof c->m->across);
  c->m->flat_rigid = 1;
  for (int i = 0; i < c->m->nnode; ++i)
    c->m->flat_rigid = c->m->flat_rigid && c->node[i].nx == 0;
  return APL_OK;
}
