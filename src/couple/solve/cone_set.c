/* SPDX-License-Identifier: Apache-2.0 */
/* cone_set.c: sets up the scaled problem, and evaluates its natural map.

   Idle rows and tangents without friction are left out, unless prescribed motion makes them slide;
   the rest of a block is a part. Each part is scaled by one power of two, so that the mean diagonal
   of its own W is near 1: cones stay cones, and the result does not depend on units and masses.

     W' = d W d     q' = d q     r' = r/d     u' = d u

   Natural map (Alart and Curnier):  F = r - P(r - u)  with, for a cone,
     P_N(z) = max(0, z_N)     P_T(z) = nearest point to z_T in P_N(z) C */
#include "couple/solve/cone_impl.h"

#include "couple/solve/kernel.h"
#include "couple/solve/scale.h"

#include <string.h>

/* ------------------------------------------------------------------------------ gathering ---- */

/* True if a tangent has no friction; its row has no force. */
static bool smooth(const apl_section* s, int k) {
  return !(s->plus[k] > 0) && !(s->minus[k] > 0);
}

static apl_cone_part* add_part(apl_cone* c, cone_kind kind, const int* rows, int n) {
  apl_cone_part* part = &c->part[c->nparts++];

  *part = (apl_cone_part){.kind = kind, .row = c->m, .rows = n};
  for (int i = 0; i < n; ++i)
    c->from[c->m++] = rows[i];
  return part;
}

static void add_line(apl_cone* c, int row, double lo, double hi) {
  apl_cone_part* part = add_part(c, PART_LINE, &row, 1);
  part->lo = lo;
  part->hi = hi;
}

/* The tangential rows, of n from `first` on, that can move and have friction; returns their
   number. */
static int tangents(const apl_cone* c, const apl_cone_block* b, int first, int n, int axis[2]) {
  int found = 0;

  for (int k = 0; k < n; ++k) {
    if (c->d[first + k] > 0 && !smooth(&b->section, k)) axis[found++] = k;
  }
  return found;
}

static void add_disc(apl_cone* c, const apl_cone_block* b) {
  int axis[2];
  const int n = tangents(c, b, b->row, 2, axis);

  if (n == 0 || !(b->load > 0)) return;
  if (n == 1) {
    const int k = axis[0];
    add_line(c, b->row + k, -b->load * b->section.minus[k], b->load * b->section.plus[k]);
    return;
  }
  apl_cone_part* part = add_part(c, PART_DISC, (int[]){b->row, b->row + 1}, 2);
  part->load = b->load;
  part->section = b->section;
}

static void add_cone(apl_cone* c, const apl_cone_block* b, int directions) {
  int axis[2];
  const int n = tangents(c, b, b->row + 1, directions, axis);

  if (!(c->d[b->row] > 0)) return; /* no normal force, so no friction */
  if (n == 0) {
    add_line(c, b->row, 0, HUGE_VAL);
  } else if (n == 1) {
    const int k = axis[0];
    apl_cone_part* part = add_part(c, PART_WEDGE, (int[]){b->row, b->row + 1 + k}, 2);
    part->lo = -b->section.minus[k];
    part->hi = b->section.plus[k];
  } else {
    apl_cone_part* part = add_part(c, PART_CONE, (int[]){b->row, b->row + 1, b->row + 2}, 3);
    part->circle = apl_section_is_circle(&b->section);
    part->hi = b->section.plus[0];
    part->section = b->section;
  }
}

static void add_block(apl_cone* c, const apl_cone_block* b, int block) {
  const int before = c->nparts;

  switch (b->set) {
  case APL_SET_CONE:
    add_cone(c, b, 2);
    break;
  case APL_SET_WEDGE:
    add_cone(c, b, 1);
    break;
  case APL_SET_DISC:
    add_disc(c, b);
    break;
  case APL_SET_FREE:
    if (c->d[b->row] > 0) add_line(c, b->row, -HUGE_VAL, HUGE_VAL);
    break;
  case APL_SET_HALF_LINE:
    if (c->d[b->row] > 0) add_line(c, b->row, 0, HUGE_VAL);
    break;
  case APL_SET_INTERVAL:
    if (c->d[b->row] > 0) add_line(c, b->row, b->lo, b->hi);
    break;
  }
  if (c->nparts > before) c->part[before].block = block;
}

/* d = size of each row, 0 where idle. */
static void find_idle(apl_cone* c, const apl_cone_problem* problem) {
  const int n = problem->n;
  double most = 0;

  for (int i = 0; i < n; ++i) {
    c->d[i] = scale_size(problem->W + (long)i * n, i, n, problem->symmetric);
    most = fmax(most, c->d[i]);
  }
  for (int i = 0; i < n; ++i) {
    if (!(c->d[i] > SCALE_IDLE * most)) c->d[i] = 0;
    c->soft[i] = 0;
  }
}

/* No force changes the velocity of an idle row, but friction acts on it if prescribed motion makes
   it slide. Such a row is kept, with an artificial compliance of this fraction of the other rows'
   diagonal: friction is exact unless |u| is below that fraction of the velocity jump that friction
   could cause. */
#define SLIDING_SOFTNESS 1e-6

/* Velocities below this fraction of the largest one count as zero. */
#define SLIDING_LEAST 1e-10

static void keep_sliding(apl_cone* c, const apl_cone_problem* problem) {
  double fastest = 0, most = 0;

  for (int i = 0; i < problem->n; ++i) {
    fastest = fmax(fastest, fabs(problem->q[i]));
    most = fmax(most, c->d[i]);
  }
  for (int k = 0; k < problem->nblock; ++k) {
    const apl_cone_block* b = &problem->block[k];
    const int first = b->set == APL_SET_DISC ? b->row : b->row + 1;
    const int rows = b->set == APL_SET_WEDGE ? 1 : 2;
    if (b->set != APL_SET_CONE && b->set != APL_SET_WEDGE && b->set != APL_SET_DISC) continue;
    for (int i = first; i < first + rows; ++i) {
      if (c->d[i] > 0 || !(fabs(problem->q[i]) > SLIDING_LEAST * fastest)) continue;
      c->soft[i] = SLIDING_SOFTNESS * (b->set == APL_SET_DISC ? most : c->d[b->row]);
      c->d[i] = c->soft[i];
    }
  }
}

/* One scale for the rows of a part; its force limits are scaled too. */
static void scale_part(apl_cone* c, apl_cone_part* part) {
  const int* from = c->from + part->row;
  double mean = 0;

  for (int i = 0; i < part->rows; ++i)
    mean += c->d[from[i]] / part->rows;
  const double d = scale_of(mean);
  for (int i = 0; i < part->rows; ++i)
    c->d[from[i]] = d;
  if (part->kind == PART_LINE) {
    part->lo /= d;
    part->hi /= d;
  }
  part->load /= d;
}

void apl_cone_gather(apl_cone* c, const apl_cone_problem* problem) {
  const int n = problem->n;
  double size = 0;

  find_idle(c, problem);
  keep_sliding(c, problem);
  c->symmetric = problem->symmetric;
  c->m = c->nparts = c->factored_size = 0;
  for (int k = 0; k < problem->nblock; ++k)
    add_block(c, &problem->block[k], k);
  c->ld = kernel_padded(c->m);
  for (int k = 0; k < c->nparts; ++k)
    scale_part(c, &c->part[k]);

  for (int i = 0; i < c->m; ++i)
    c->x[i] = c->d[c->from[i]];
  for (int i = 0; i < c->m; ++i) {
    const double* from = problem->W + (long)c->from[i] * n;
    double* to = c->W + (long)i * c->ld;
    const double d = c->d[c->from[i]];
    for (int j = 0; j < c->m; ++j)
      to[j] = d * from[c->from[j]] * c->x[j];
    to[i] += d * d * c->soft[c->from[i]];
    for (int j = c->m; j < c->ld; ++j)
      to[j] = 0;
    c->q[i] = d * problem->q[c->from[i]];
    size += c->q[i] * c->q[i];
  }
  /* an interval that excludes zero moves the rows even for q = 0 */
  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    if (part->kind != PART_LINE) continue;
    const double least = fmax(fmax(part->lo, -part->hi), 0);
    size += least * least;
  }
  c->size = sqrt(size);
}

/* ------------------------------------------------------------------------------------ map ---- */

static void project_line(const apl_cone_part* part, const double* z, apl_cone_point* out) {
  if (z[0] > part->lo && z[0] < part->hi) {
    out->mode = POINT_HELD;
    out->p[0] = z[0];
  } else {
    out->mode = POINT_FIXED;
    out->p[0] = z[0] > part->lo ? part->hi : part->lo;
  }
}

static void project_wedge(const apl_cone_part* part, const double* z, apl_cone_point* out) {
  const double lo = part->lo * z[0], hi = part->hi * z[0];

  out->p[0] = z[0];
  out->p[1] = z[1];
  out->mode = POINT_HELD;
  if (z[1] >= lo && z[1] <= hi) return;
  out->mode = POINT_EDGE;
  out->gn = z[1] > hi ? part->hi : part->lo;
  out->p[1] = out->gn * z[0];
}

static void project_circle(const apl_cone_part* part, const double* z, apl_cone_point* out) {
  const double mu = part->hi, s = z[1] * z[1] + z[2] * z[2], most = mu * z[0];

  memcpy(out->p, z, 3 * sizeof *z);
  out->mode = POINT_HELD;
  if (s <= most * most) return;
  const double over = 1 / sqrt(s);
  out->mode = POINT_EDGE;
  out->n[0] = z[1] * over;
  out->n[1] = z[2] * over;
  out->p[1] = most * out->n[0];
  out->p[2] = most * out->n[1];
  out->shrink = most * over;
  out->gn = mu;
  out->gt = 0;
}

static void project_section(const apl_cone_part* part, double load, const double* z,
                            apl_cone_point* out) {
  const int first = cone_tangential(part);
  apl_section_point at;

  apl_section_project(&part->section, load, z + first, &at);
  out->p[0] = z[0]; /* normal component, if the part is a cone */
  memcpy(out->p + first, at.p, sizeof at.p);
  out->mode = at.place == APL_SECTION_INSIDE ? POINT_HELD : POINT_EDGE;
  if (out->mode == POINT_HELD) return;
  memcpy(out->n, at.n, sizeof at.n);
  out->shrink = at.shrink;
  out->gn = at.n[0] * at.g[0] + at.n[1] * at.g[1];
  out->gt = -at.n[1] * at.g[0] + at.n[0] * at.g[1];
}

/* P(z) of one part, and its derivative. */
void apl_cone_project(const apl_cone_part* part, const double* z, apl_cone_point* out) {
  const bool contact = part->kind == PART_CONE || part->kind == PART_WEDGE;

  if (contact && !(z[0] > 0)) {
    out->mode = POINT_FIXED;
    out->p[0] = out->p[1] = out->p[2] = 0;
    return;
  }
  switch (part->kind) {
  case PART_LINE:
    project_line(part, z, out);
    break;
  case PART_WEDGE:
    project_wedge(part, z, out);
    break;
  case PART_CONE:
    if (part->circle) {
      project_circle(part, z, out);
    } else {
      project_section(part, z[0], z, out);
    }
    break;
  case PART_DISC:
    project_section(part, part->load, z, out);
    break;
  }
}

/* Evaluate all points at r, u; returns |F|. */
double apl_cone_evaluate(apl_cone* c, const double* r, const double* u) {
  double sum = 0;

  for (int k = 0; k < c->nparts; ++k) {
    const apl_cone_part* part = &c->part[k];
    apl_cone_point* at = &c->point[k];
    double z[3];
    for (int i = 0; i < part->rows; ++i)
      z[i] = r[part->row + i] - u[part->row + i];
    apl_cone_project(part, z, at);
    /* a held row has F = u exactly; r - (r - u) would add round-off */
    const int held = at->mode == POINT_HELD   ? part->rows
                     : at->mode == POINT_EDGE ? cone_tangential(part)
                                              : 0;
    for (int i = 0; i < part->rows; ++i) {
      at->F[i] = i < held ? u[part->row + i] : r[part->row + i] - at->p[i];
      sum += at->F[i] * at->F[i];
    }
  }
  return sqrt(sum);
}

void apl_cone_velocity(apl_cone* c) {
  kernel_times(c->W, c->ld, c->m, c->r, c->u);
  for (int i = 0; i < c->m; ++i)
    c->u[i] += c->q[i];
}
