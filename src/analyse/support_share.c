/* SPDX-License-Identifier: Apache-2.0 */
/* support_share.c: forces of each support, and the resulting efforts of the joints.

     sum N = N_t      sum (x_c - x_O) N_c + z_O F = moment about O      F_c by the friction model

   Two supports are statically determinate. More collinear ones share the load as with stiff, equal
   joints: the sum of squares of all efforts is minimal, and no support pulls. */
#include "analyse/support_impl.h"

#include "analyse/dense.h"

#include <math.h>
#include <string.h>

/* A support and its force. */
typedef struct load {
  int index;
  const support_part* part;
  double x; /* where it touches, along the ground                                              */
  double N, F;
} load;

/* effort -= J^T W of a force (f.x, f.z) that acts where the support touches */
static apl_status push(apl_support* s, const load* l, planar f, double* effort) {
  double X[12], moment[3], force[3];
  apl_status st = s->looked;
  if (st == APL_OK) st = apl_jacobian(s->m, s->s, l->part->port, APL_WORLD_AXES, s->J);
  if (st == APL_OK) st = apl_port_pose(s->m, s->s, l->part->port, X);
  if (st != APL_OK) return st;

  double rx = l->x, rz = s->level;
  for (int k = 0; k < 3; ++k) {
    rx -= X[9 + k] * s->along[k];
    rz -= X[9 + k] * s->up[k];
  }
  for (int k = 0; k < 3; ++k) {
    moment[k] = (rx * f.z - rz * f.x) * s->axis[k];
    force[k] = f.x * s->along[k] + f.z * s->up[k];
  }
  for (int v = 0; v < s->nv; ++v) {
    for (int k = 0; k < 3; ++k)
      effort[v] -= s->J[k * s->nv + v] * moment[k] + s->J[(3 + k) * s->nv + v] * force[k];
  }
  return APL_OK;
}

/* ------------------------------------------------------------------------------------- two ---- */

static void share_two(const apl_support* s, load* l, double moment_point) {
  l[1].N = s->need.z * (moment_point - l[0].x) / (l[1].x - l[0].x);
  l[0].N = s->need.z - l[1].N;
}

/* ------------------------------------------------------------------------------------ more ---- */

/* Change of the efforts per unit of normal force on each support, and their products. */
typedef struct influence {
  double G[APL_SUPPORT_MOST][APL_SUPPORT_MOST]; /* g_i . g_k                                      */
  double r[APL_SUPPORT_MOST];                   /* g_i . effort without the ground                */
} influence;

/* Minimise |effort + sum N_i g_i|^2 over the supports of a set, with the two balances. Returns the
   part of the square that depends on N; infinite if a support would pull. */
static double try_set(const influence* f, const load* l, int n, unsigned set, planar balance,
                      double* N) {
  double A[(APL_SUPPORT_MOST + 2) * (APL_SUPPORT_MOST + 2)] = {0}, x[APL_SUPPORT_MOST + 2];
  int list[APL_SUPPORT_MOST], m = 0;

  for (int i = 0; i < n; ++i)
    if ((set >> i & 1u) != 0) list[m++] = i;
  if (m < 2) return HUGE_VAL;
  const int w = m + 2;
  for (int i = 0; i < m; ++i) {
    for (int k = 0; k < m; ++k)
      A[i * w + k] = f->G[list[i]][list[k]];
    A[i * w + m] = A[m * w + i] = 1.0;
    A[i * w + m + 1] = A[(m + 1) * w + i] = l[list[i]].x;
    x[i] = -f->r[list[i]];
  }
  x[m] = balance.x;
  x[m + 1] = balance.z;
  if (!apl_dense_solve(w, A, x)) return HUGE_VAL;

  double sum = 0.0;
  memset(N, 0, sizeof *N * (size_t)n);
  for (int i = 0; i < m; ++i) {
    if (x[i] < 0.0) return HUGE_VAL;
    N[list[i]] = x[i];
  }
  for (int i = 0; i < n; ++i) {
    sum += 2.0 * N[i] * f->r[i];
    for (int k = 0; k < n; ++k)
      sum += N[i] * N[k] * f->G[i][k];
  }
  return sum;
}

static apl_status influences(apl_support* s, const load* l, int n, influence* f) {
  const double slope = s->need.x / s->need.z; /* friction goes with the normal force */
  double* g = s->M;                           /* [n * nv], free here */

  memset(g, 0, sizeof *g * (size_t)(n * s->nv));
  for (int i = 0; i < n; ++i) {
    const apl_status st = push(s, &l[i], (planar){slope, 1.0}, g + i * s->nv);
    if (st != APL_OK) return st;
  }
  for (int i = 0; i < n; ++i) {
    f->r[i] = 0.0;
    for (int v = 0; v < s->nv; ++v) {
      const bool base = v >= s->v0 && v < s->v0 + 3;
      if (!base) f->r[i] += g[i * s->nv + v] * apl_tau(s->s)[v];
    }
    for (int k = 0; k < n; ++k) {
      f->G[i][k] = 0.0;
      for (int v = 0; v < s->nv; ++v) {
        const bool base = v >= s->v0 && v < s->v0 + 3;
        if (!base) f->G[i][k] += g[i * s->nv + v] * g[k * s->nv + v];
      }
    }
  }
  return APL_OK;
}

static apl_status share_stiff(apl_support* s, load* l, int n, double moment_point) {
  const planar balance = {s->need.z, s->need.z * moment_point};
  double best = HUGE_VAL, N[APL_SUPPORT_MOST];
  influence f;
  const apl_status st = influences(s, l, n, &f);
  if (st != APL_OK) return st;

  for (unsigned set = 1; set < 1u << n; ++set) {
    const double sum = try_set(&f, l, n, set, balance, N);
    if (!(sum < best)) continue;
    best = sum;
    for (int i = 0; i < n; ++i)
      l[i].N = N[i];
  }
  return best < HUGE_VAL ? APL_OK : APL_ERR_SINGULAR;
}

/* -------------------------------------------------------------------------------- friction ---- */

/* F_c = pull[c] mu N_c on both supports. The body then has an additional acceleration; moments
   about the height of its centre do not contain it:
     sum (x_c - x_O + z_G pull mu) N_c = moment + (z_G - z_O) F_0 */
double apl_support_pull(apl_support* s, support_pair p, const double* pull) {
  const double z = apl_support_center(s).z, mu = s->coefficient;
  const double xa = apl_support_motion_of(s, apl_support_part(s, p, p.a)).at.x;
  const double xb = apl_support_motion_of(s, apl_support_part(s, p, p.b)).at.x;
  const double arm[2] = {xa - s->origin.x + z * pull[0] * mu, xb - s->origin.x + z * pull[1] * mu};
  const double moment = s->moment + (z - s->origin.z) * s->need.x;

  const double second = (moment - arm[0] * s->need.z) / (arm[1] - arm[0]);
  return (mu * (pull[0] * (s->need.z - second) + pull[1] * second) - s->need.x) / s->mass;
}

apl_status apl_support_strike(apl_support* s, support_pair p, const double* momenta, double* struck,
                              double* impulse) {
  const double up = momenta[s->v0] * s->frame[0][1] + momenta[s->v0 + 1] * s->frame[1][1];
  const int index[2] = {p.a, p.b};
  load l[2];

  for (int i = 0; i < 2; ++i) {
    const support_part* part = apl_support_part(s, p, index[i]);
    l[i] = (load){index[i], part, apl_support_motion_of(s, part).at.x, 0.0, 0.0};
  }
  struck[1] = (momenta[s->v0 + 2] - (l[0].x - s->origin.x) * up) / (l[1].x - l[0].x);
  struck[0] = up - struck[1];
  memcpy(impulse, momenta, sizeof *impulse * (size_t)s->nv);
  apl_status st = APL_OK;
  for (int i = 0; i < 2 && st == APL_OK; ++i)
    st = push(s, &l[i], (planar){0.0, struck[i]}, impulse);
  return st;
}

/* -------------------------------------------------------------------------------- variants ---- */

/* As in the paper: N from the weight alone; the remainder of the efforts accelerates the base. */
static apl_status simplify(apl_support* s, load* l, double* effort) {
  const double weight = -s->mass * s->gravity[1], x = apl_support_center(s).x;
  const double friction = s->need.x;
  double A[9], a[3];

  l[1].N = weight * (x - l[0].x) / (l[1].x - l[0].x);
  l[0].N = weight - l[1].N;
  for (int i = 0; i < 2; ++i)
    l[i].F = friction * l[i].N / weight;
  memcpy(effort, apl_tau(s->s), sizeof *effort * (size_t)s->nv);
  apl_status st = apl_mass_matrix(s->m, s->s, s->M);
  for (int i = 0; i < 2 && st == APL_OK; ++i)
    st = push(s, &l[i], (planar){l[i].F, l[i].N}, effort);
  for (int r = 0; r < 3; ++r) {
    for (int c = 0; c < 3; ++c)
      A[3 * c + r] = s->M[(s->v0 + r) * s->nv + s->v0 + c];
    a[r] = -effort[s->v0 + r];
  }
  if (st == APL_OK && !apl_dense_solve(3, A, a)) st = APL_ERR_SINGULAR;
  if (st != APL_OK) return st;
  for (int k = 0; k < 3; ++k)
    apl_a(s->s)[s->v0 + k] += a[k];
  return apl_support_inverse(s);
}

/* Velocity of the contact point along the ground: below the centre of a round part. */
static double slip_of(apl_support* s, const load* l) {
  const support_motion m = apl_support_motion_of(s, l->part);
  return m.speed.x + l->part->radius * m.turn;
}

static apl_status fill_row(apl_support* s, support_pair p, const load* l, int n,
                           apl_support_row* row) {
  double momentum[6], total = 0.0, friction = 0.0;
  const planar c = apl_support_center(s);
  const apl_status st = apl_momentum(s->m, s->s, momentum);
  if (st != APL_OK) return st;

  row->arc = p.arc;
  row->nsupport = n;
  for (int i = 0; i < n; ++i) {
    row->support[i] = l[i].index + 1;
    row->normal[i] = l[i].N;
    row->friction[i] = l[i].F;
    total += l[i].N;
    friction += l[i].F;
    const double slip = slip_of(s, &l[i]);
    row->loss -= l[i].F * slip;
    if (s->o.friction == APL_SUPPORT_STICKS) row->apart = fmax(row->apart, fabs(slip));
  }
  row->angle[0] = apl_q(s->s)[s->q0 + 2];
  row->angle[1] = apl_v(s->s)[s->v0 + 2];
  row->angle[2] = apl_a(s->s)[s->v0 + 2];
  row->center[0] = c.x;
  row->center[1] = c.z;
  row->speed[0] = row->speed[1] = 0.0;
  for (int k = 0; k < 3; ++k) {
    row->speed[0] += momentum[3 + k] * s->along[k] / s->mass;
    row->speed[1] += momentum[3 + k] * s->up[k] / s->mass;
  }
  row->rate[0] = friction / s->mass + s->gravity[0];
  row->rate[1] = total / s->mass + s->gravity[1];
  row->use = fabs(friction) / (s->coefficient * total);
  return s->looked;
}

apl_status apl_support_share(apl_support* s, support_pair p, apl_support_row* row, double* effort,
                             apl_error* err) {
  int list[APL_SUPPORT_MOST], n = 2;
  const bool slides = s->o.friction != APL_SUPPORT_STICKS;
  const bool simple = s->o.variant == APL_SUPPORT_SIMPLIFIED;
  load l[APL_SUPPORT_MOST];
  apl_status st = APL_OK;

  list[0] = p.a, list[1] = p.b;
  if (s->o.stiff && !simple && !slides) n = apl_support_list(s, p, list);
  if (n > APL_SUPPORT_MOST) {
    return apl_fail(err, APL_ERR_MODEL,
                    "%d supports are in line, and with `stiff` at most %d can share the load: "
                    "leave `stiff` out, then two of them carry it",
                    n, (int)APL_SUPPORT_MOST);
  }
  for (int i = 0; i < n; ++i) {
    const support_part* part = apl_support_part(s, p, list[i]);
    l[i] = (load){list[i], part, apl_support_motion_of(s, part).at.x, 0.0, 0.0};
  }
  row->moment_point = apl_support_moment_point(s);
  if (simple) {
    st = simplify(s, l, effort);
  } else if (n > 2) {
    st = share_stiff(s, l, n, row->moment_point);
  } else {
    share_two(s, l, row->moment_point);
  }
  for (int i = 0; i < n && !simple && !slides; ++i)
    l[i].F = s->need.x * l[i].N / s->need.z;
  for (int i = 0; i < 2 && slides; ++i)
    l[i].F = s->pull[i] * s->coefficient * l[i].N;

  memcpy(effort, apl_tau(s->s), sizeof *effort * (size_t)s->nv);
  for (int i = 0; i < n && st == APL_OK; ++i)
    st = push(s, &l[i], (planar){l[i].F, l[i].N}, effort);
  if (st == APL_OK) st = fill_row(s, p, l, n, row);
  return st == APL_OK ? st : apl_fail(err, st, "%s at t = %.9g s", apl_status_text(st), row->t);
}
