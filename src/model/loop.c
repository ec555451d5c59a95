/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c: loops and couplings of a spec -> rows: which frames, which directions, which numbers.
   Theory: docs/theory/loops.md. */
#include "model/compiler.h"

#include "base/nearest.h"
#include "spec/loop.h"

#include <math.h>

enum { MOST_ROWS = 6 };

/* Data of a loop while its rows are made. */
typedef struct loop_work {
  compiler* c;
  const apl_closure* from; /* the user's description */
  apl_loop* out;
  apl_loop_part* row;
  const char** name;
  mat3 R[2]; /* axes of the loop in the frames of `from` and `to`                                 */
} loop_work;

static vec3 unit_of(apl_vec3 a) {
  return scale(1.0 / sqrt(a.x * a.x + a.y * a.y + a.z * a.z), (vec3){a.x, a.y, a.z});
}

/* Two unit vectors normal to an axis; for x, y, z the next two axes. */
static void across(vec3 a, vec3 e[2]) {
  const double least = 1.0 - 1e-15;

  if (fabs(a.z) > least) {
    e[0] = (vec3){1, 0, 0};
  } else if (fabs(a.x) > least) {
    e[0] = (vec3){0, 1, 0};
  } else if (fabs(a.y) > least) {
    e[0] = (vec3){0, 0, 1};
  } else {
    const vec3 d = fabs(a.x) < 0.7 ? (vec3){1, 0, 0} : (vec3){0, 1, 0};
    const vec3 r = sub(d, scale(dot(d, a), a));
    e[0] = scale(1.0 / sqrt(dot(r, r)), r);
  }
  e[1] = cross(a, e[0]);
}

/* "x" for the axes themselves, else "e1", "e2". */
static const char* direction_word(vec3 e, int k) {
  const double d[] = {fabs(e.x), fabs(e.y), fabs(e.z)};
  static const char* const letter[] = {"x", "y", "z"};

  for (int i = 0; i < 3; ++i) {
    if (d[i] > 1.0 - 1e-15) return letter[i];
  }
  return k == 0 ? "e1" : "e2";
}

/* --------------------------------------------------------------------------------- rows ---- */

static double* new_row(loop_work* w, part_kind kind, const char* part) {
  apl_model* m = w->c->m;
  apl_loop_part* row = &w->row[m->npart];
  const int at = take(w->c, PART_NUMBERS);
  double* par = w->c->par + at;

  *row = (apl_loop_part){(int)(w->out - m->loop), (int)kind, at};
  if (w->from != NULL) {
    par[PART_STIFFNESS] = kind == PART_TURN ? w->from->turning_stiffness : w->from->stiffness;
    par[PART_DAMPING] = kind == PART_TURN ? w->from->turning_damping : w->from->damping;
  }
  w->name[m->npart] = apl_compile_join(w->c, m->loop_name[row->loop], part, NULL);
  m->npart += 1;
  w->out->nrow += 1;
  return par + PART_E;
}

/* e in the axes of the loop, or of the world */
static void add_along(loop_work* w, vec3 e, int k) {
  const closure_type type = (closure_type)w->out->type;
  const bool world =
      w->from->axes == APL_WORLD_AXES && (type == CLOSURE_POINT || type == CLOSURE_PLANAR_POINT);
  const vec3 in = world ? e : mul(w->R[0], e);

  memcpy(new_row(w, world ? PART_WORLD : PART_ALONG, direction_word(e, k)), &in, sizeof in);
}

/* k u . w, and perhaps a second such product; u and v in the axes of the loop */
static void add_turn(loop_work* w, const char* part, vec3 u, vec3 v, double k, bool both) {
  double* at = new_row(w, PART_TURN, part);
  const vec3 x[] = {mul(w->R[0], u), mul(w->R[1], v), mul(w->R[0], v), mul(w->R[1], u)};

  memcpy(at, x, 2 * sizeof *x);
  at[6] = k;
  memcpy(at + 7, x + 2, 2 * sizeof *x);
  at[13] = both ? -k : 0.0;
}

/* The rotation about axis i of the loop: half of R_kj - R_jk, i j k cyclic. */
static void add_angle(loop_work* w, int i) {
  static const char* const part[] = {"about-x", "about-y", "about-z"};
  const vec3 e[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

  add_turn(w, part[i], e[(i + 2) % 3], e[(i + 1) % 3], 0.5, true);
}

static void add_rows(loop_work* w) {
  const apl_closure* c = w->from;
  const closure_type type = (closure_type)w->out->type;
  const closure_kind* kind = &apl_closure_kinds[type];
  const vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, axis = unit_of(c->axis);
  vec3 e[2];

  across(axis, e);
  if (type == CLOSURE_DISTANCE) {
    new_row(w, PART_DISTANCE, "length");
    return;
  }
  for (int k = 0; k < 3; ++k) {
    if (kind->along == 3 || (c->directions >> k & 1u) != 0) add_along(w, axes[k], k);
  }
  for (int k = 0; k < 2 && kind->along == 2; ++k)
    add_along(w, e[k], k);
  for (int k = 0; k < 3; ++k) {
    if (kind->about == 3 || (c->directions >> (3 + k) & 1u) != 0) add_angle(w, k);
  }
  if (kind->about == 2) {
    /* the axis of `to` stays normal to both directions: for small rotations the rows are the angles
       about them */
    char part[2][16];
    for (int k = 0; k < 2; ++k)
      snprintf(part[k], sizeof part[k], "about-%s", direction_word(e[k], k));
    add_turn(w, part[0], e[1], axis, -1.0, false);
    add_turn(w, part[1], e[0], axis, 1.0, false);
  }
  if (kind->about == 1) add_turn(w, "square", axis, unit_of(c->cross), -1.0, false);
}

/* -------------------------------------------------------------------------------- frames ---- */

/* One end of a loop: a port, or -1 for the world; -2 with a sentence. */
static int end_of(loop_work* w, const char* name, const char* end) {
  char hint[96];
  if (strcmp(name, "world") == 0) return -1;

  const int port = apl_compile_port(w->c, name, hint);
  if (port >= 0) return port;
  apl_fail(w->c->err, APL_ERR_MODEL, "loop '%s' goes %s '%s', which is not a port%s", w->from->name,
           end, name, hint);
  return -2;
}

static int link_of(const compiler* c, int port) {
  int i = 0;
  if (port < 0) return -1;
  while (i + 1 < c->m->nlink &&
         !(port >= c->link[i].port0 &&
           port < c->link[i].port0 + nstandard(c->spec->link[i]) + c->spec->link[i]->nport))
    ++i;
  return i;
}

/* Frames that cannot move relative to each other cannot be joined. A deformable link may be joined
   to itself, since its ports move. */
static apl_status check_ends(loop_work* w) {
  compiler* c = w->c;
  const apl_loop* l = w->out;
  const int a = link_of(c, l->port[0]), b = link_of(c, l->port[1]);

  if (a == b && (a < 0 || body_kind(c->spec->link[a])->rigid)) {
    return apl_fail(c->err, APL_ERR_MODEL, "loop '%s' connects %s%s%s with itself", w->from->name,
                    a < 0 ? "the world" : "link '", a < 0 ? "" : c->m->link_name[a],
                    a < 0 ? "" : "'");
  }
  if (l->frame[0] == l->frame[1]) {
    return apl_fail(c->err, APL_ERR_MODEL,
                    "loop '%s' connects '%s' and '%s', which cannot move relative to each other",
                    w->from->name, w->from->from, w->from->to);
  }
  return APL_OK;
}

static apl_status compile_loop(loop_work* w) {
  compiler* c = w->c;
  const char* const end[] = {"from", "to"};
  apl_loop* l = w->out;

  l->type = apl_closure_find(w->from->type);
  l->par = take(c, LOOP_NUMBERS);
  for (int k = 0; k < 2; ++k) {
    l->velocity[k] = l->coordinate[k] = -1;
    l->port[k] = end_of(w, k == 0 ? w->from->from : w->from->to, end[k]);
    if (l->port[k] < -1) return APL_ERR_MODEL;

    pose X = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    if (l->port[k] >= 0) X = get_pose(c->par + c->port[l->port[k]].pose);
    if (k == 0) X = pose_mul(X, pose_of(w->from->at));
    l->frame[k] = l->port[k] < 0 ? 0 : c->port[l->port[k]].frame;
    w->R[k] = X.R;
    memcpy(c->par + l->par + (k == 0 ? LOOP_FROM : LOOP_TO), &X.p, sizeof X.p);
  }
  c->par[l->par + LOOP_LENGTH] = w->from->length;
  const apl_status st = check_ends(w);
  if (st == APL_OK) add_rows(w);
  return st;
}

/* ------------------------------------------------------------------------------ couplings ---- */

/* The coordinate of a coupling and the velocity that is its rate: for joints without q' = v, the
   velocity of the same name (the steering of a car). */
static apl_status find_coordinate(compiler* c, const spec_coupling* k, const char* name, int* q,
                                  int* v) {
  const apl_model* m = c->m;
  apl_nearest near = {.word = name};
  char hint[96];

  *q = find_name(m->q_name, m->nq, name);
  if (*q < 0) {
    for (int i = 0; i < m->nq; ++i)
      apl_nearest_offer(&near, m->q_name[i]);
    return apl_fail(c->err, APL_ERR_MODEL, "coupling '%s' names '%s', which is not a coordinate%s",
                    k->name, name, apl_nearest_text(&near, hint));
  }
  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &c->info[i];
    if (l->plain && *q >= l->q0 && *q < l->q0 + l->nq) *v = l->v0 + *q - l->q0;
    if (*q >= l->xq0 && *q < l->xq0 + l->nx) *v = l->xv0 + *q - l->xq0;
    if (!l->plain && *q >= l->q0 && *q < l->q0 + l->nq) *v = find_name(m->v_name, m->nv, name);
  }
  if (*v >= 0) return APL_OK;
  return apl_fail(
      c->err, APL_ERR_MODEL,
      "coupling '%s' names '%s', whose derivative is not a velocity of its joint: couplings work "
      "for joints such as revolute and prismatic, for deformations and for the steering of a car",
      k->name, name);
}

static apl_status compile_coupling(loop_work* w, const spec_coupling* k) {
  compiler* c = w->c;
  apl_loop* l = w->out;

  l->type = CLOSURES;
  l->port[0] = l->port[1] = l->velocity[0] = l->velocity[1] = -1;
  apl_status st = find_coordinate(c, k, k->of, &l->coordinate[0], &l->velocity[0]);
  if (st == APL_OK) st = find_coordinate(c, k, k->to, &l->coordinate[1], &l->velocity[1]);
  if (st != APL_OK) return st;

  l->par = take(c, LOOP_NUMBERS);
  c->par[l->par + TIE_RATIO] = k->ratio;
  c->par[l->par + TIE_OFFSET] = k->offset;
  new_row(w, PART_TIE, "tie");
  return APL_OK;
}

apl_status apl_compile_loops(compiler* c) {
  apl_model* m = c->m;
  const apl_spec* s = c->spec;
  const int n = s->nloop + s->ncoupling, rows = MOST_ROWS * n;
  apl_loop* loop = apl_pool_take(&m->pool, sizeof *loop * (size_t)(n + 1));
  apl_loop_part* row = apl_pool_take(&m->pool, sizeof *row * (size_t)(rows + 1));
  const char** name = apl_pool_take(&m->pool, sizeof *name * (size_t)(n + rows + 2));
  apl_mark* mark = apl_pool_take(&m->pool, sizeof *mark * (size_t)(n + 1));
  if (loop == NULL || row == NULL || name == NULL || mark == NULL) {
    return apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the loops");
  }
  m->loop = loop;
  m->part = row;
  m->loop_name = name;
  m->row_name = name + n + 1;
  m->loop_mark = mark;
  for (int i = 0; i < n; ++i) {
    const spec_coupling* k = i < s->nloop ? NULL : &s->coupling[i - s->nloop];
    const char* called = k == NULL ? s->loop[i].c.name : k->name;
    loop_work w = {.c = c,
                   .from = k == NULL ? &s->loop[i].c : NULL,
                   .out = &loop[i],
                   .row = row,
                   .name = name + n + 1};

    mark[i] = k == NULL ? s->loop[i].at : k->at;
    name[i] = apl_pool_text(&m->pool, called);
    if (name[i] == NULL) c->out_of_memory = true;
    loop[i].row0 = m->npart;
    const apl_status st = k == NULL ? compile_loop(&w) : compile_coupling(&w, k);
    if (st != APL_OK) return apl_compile_blame(c, mark[i]);
  }
  m->nloop = n;
  m->ncoupling = s->ncoupling;
  return c->out_of_memory
             ? apl_fail(c->err, APL_ERR_MEMORY, "out of memory while compiling the loops")
             : APL_OK;
}
