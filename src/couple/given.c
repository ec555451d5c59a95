/* SPDX-License-Identifier: Apache-2.0 */
/* given.c: see given.h. */
#include "couple/given.h"

#include <math.h>
#include <string.h>

enum { QUATERNION = 4 };

void apl_given_place(apl_given* g, const apl_model* m, apl_arena* arena) {
  g->model = m;
  g->held = apl_arena_take(arena, sizeof *g->held * (size_t)m->nq);
  g->value = apl_arena_take(arena, sizeof *g->value * (size_t)m->nq);
  g->direction = apl_arena_take(arena, sizeof *g->direction * (size_t)m->nt);
}

/* Number of coordinates of a joint that are plain on the tangent; a quaternion follows if nq >
   nt. */
static int plain_part(const apl_link_info* l) {
  return l->nq > l->nt ? l->nq - QUATERNION : l->nq;
}

static double square(const double* q, const bool* held, bool which) {
  double sum = 0.0;
  for (int k = 0; k < QUATERNION; ++k)
    sum += held[k] == which ? q[k] * q[k] : 0.0;
  return sum;
}

static bool any(const bool* held) {
  return held[0] || held[1] || held[2] || held[3];
}

/* If the given components already have length 1, the whole quaternion is determined. */
static void fill(bool* held, const double* q) {
  if (square(q, held, true) >= 1.0 - 1e-12) held[0] = held[1] = held[2] = held[3] = true;
}

void apl_given_hold(apl_given* g, const int* keep, int level, const double* q) {
  const apl_model* m = g->model;

  memcpy(g->value, q, sizeof *q * (size_t)m->nq);
  for (int i = 0; i < m->nq; ++i)
    g->held[i] = keep != NULL && keep[i] > 0 && keep[i] <= level;
  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    for (int k = 0; k < l->nq && l->joint_prescribed; ++k)
      g->held[l->q0 + k] = true;
    for (int k = 0; k < l->nx && l->body_prescribed; ++k)
      g->held[l->xq0 + k] = true;
    if (l->nq > l->nt) fill(g->held + l->q0 + plain_part(l), q + l->q0 + plain_part(l));
  }
}

/* ------------------------------------------------------------------------------ directions ---- */

static double dot3(const double* a, const double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* Orthogonalise x against the n unit vectors of `base` and append it, unless less than `least` of
   it remains. */
static bool add_to_base(double base[3][3], int n, const double* x, double least) {
  double y[3] = {x[0], x[1], x[2]};

  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) {
      const double along = dot3(base[i], y);
      for (int k = 0; k < 3; ++k)
        y[k] -= along * base[i][k];
    }
  }
  const double length = sqrt(dot3(y, y));
  if (!(length > least) || n == 3) return false;
  for (int k = 0; k < 3; ++k)
    base[n][k] = y[k] / length;
  return true;
}

/* Rotations w that keep the held components of a quaternion: orthogonal to their rows of dq = 1/2 q
   (0, w). */
static void turns(apl_given* g, const double* q, const bool* held, int t0) {
  const double row[QUATERNION][3] = {
      {-q[1], -q[2], -q[3]}, {q[0], -q[3], q[2]}, {q[3], q[0], -q[1]}, {-q[2], q[1], q[0]}};
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const double length = sqrt(square(q, held, true) + square(q, held, false));
  double base[3][3];
  int n = 0;

  for (int k = 0; k < QUATERNION; ++k)
    n += held[k] && add_to_base(base, n, row[k], 1e-9 * length);
  while (n < 3) {
    /* the axis farthest from the span found so far */
    int best = 0;
    double most = -1.0;
    for (int k = 0; k < 3; ++k) {
      double left = 1.0;
      for (int i = 0; i < n; ++i)
        left -= base[i][k] * base[i][k];
      if (left > most + 1e-9) most = left, best = k;
    }
    add_to_base(base, n, axis[best], 0.0);
    given_direction* d = &g->direction[g->ndirection++];
    *d = (given_direction){t0, 3, {base[n][0], base[n][1], base[n][2]}, 3.141592653589793};
    ++n;
  }
}

static void plain(apl_given* g, int q, int t, double length) {
  const char* unit = g->model->q_unit[q];

  if (g->held[q]) return;
  const double size = strcmp(unit, "m") == 0      ? length
                      : strcmp(unit, "rad") == 0  ? 3.141592653589793
                      : strchr(unit, 'm') != NULL ? 1.0 / length
                                                  : 1.0;
  g->direction[g->ndirection++] = (given_direction){t, 1, {1.0, 0.0, 0.0}, size};
}

void apl_given_directions(apl_given* g, const double* q, double length) {
  const apl_model* m = g->model;

  g->ndirection = 0;
  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    const int n = plain_part(l);
    for (int k = 0; k < n; ++k)
      plain(g, l->q0 + k, l->t0 + k, length);
    if (l->nq > l->nt) turns(g, q + l->q0 + n, g->held + l->q0 + n, l->t0 + n);
    for (int k = 0; k < l->nx; ++k)
      plain(g, l->xq0 + k, l->xt0 + k, length);
  }
}

void apl_given_spread(const apl_given* g, const double* x, double* delta) {
  memset(delta, 0, sizeof *delta * (size_t)g->model->nt);
  for (int i = 0; i < g->ndirection; ++i) {
    const given_direction* d = &g->direction[i];
    for (int k = 0; k < d->count; ++k)
      delta[d->t0 + k] += x[i] * d->e[k];
  }
}

void apl_given_gather(const apl_given* g, const double* delta, double* x) {
  for (int i = 0; i < g->ndirection; ++i) {
    const given_direction* d = &g->direction[i];
    x[i] = 0.0;
    for (int k = 0; k < d->count; ++k)
      x[i] += delta[d->t0 + k] * d->e[k];
  }
}

/* --------------------------------------------------------------------------------- restore ---- */

/* Scale the free components of a quaternion so that its length is 1. */
static void complete(double* q, const bool* held) {
  const double left = fmax(1.0 - square(q, held, true), 0.0);
  double rest = square(q, held, false);

  for (int k = 0; k < QUATERNION && !(rest > 0.0); ++k) /* all free ones are zero: use equal
                                                           values */
    q[k] = held[k] ? q[k] : 1.0;
  rest = square(q, held, false);
  const double scale = rest > 0.0 ? sqrt(left / rest) : 0.0;
  for (int k = 0; k < QUATERNION; ++k)
    q[k] = held[k] ? q[k] : scale * q[k];
}

void apl_given_restore(const apl_given* g, double* q) {
  const apl_model* m = g->model;

  for (int i = 0; i < m->nq; ++i)
    if (g->held[i]) q[i] = g->value[i];
  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    if (l->nq == l->nt) continue;
    const bool* held = g->held + l->q0 + plain_part(l);
    double* p = q + l->q0 + plain_part(l);
    if (any(held)) complete(p, held);
  }
}

void apl_given_signs(const apl_given* g, int k, double* q) {
  const apl_model* m = g->model;
  int bit = 0;

  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    if (l->nq == l->nt) continue;
    const bool* held = g->held + l->q0 + plain_part(l);
    double* p = q + l->q0 + plain_part(l);
    if (held[0] + held[1] + held[2] + held[3] != QUATERNION - 1) continue;
    for (int j = 0; j < QUATERNION; ++j)
      if (!held[j] && (k >> bit % 16 & 1) != 0) p[j] = -p[j];
    ++bit;
  }
}
