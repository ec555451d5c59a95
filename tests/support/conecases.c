/* SPDX-License-Identifier: Apache-2.0 */
#include "conecases.h"

#include "dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char* const cone_family_name[CONE_FAMILIES] = {"quadruped", "box",    "chain",
                                                     "snake",     "random", "sixty"};

/* Rows J (n by nv) and masses M (nv by nv), while they are built. */
typedef struct rows {
  int n, nv;
  int down; /* the freedom against gravity, -1 for none */
  double *J, *M;
} rows;

static rows rows_new(int contacts, int nv) {
  rows s = {3 * contacts, nv, -1, NULL, NULL};
  s.J = calloc((size_t)s.n * (size_t)nv, sizeof(double));
  s.M = calloc((size_t)nv * (size_t)nv, sizeof(double));
  return s;
}

/* Velocity of a point at x of a body whose freedoms v0.. are (w; v) at its origin; normal z first.
 */
static void body_point(rows* s, int contact, int v0, const double x[3]) {
  static const int axis[3] = {2, 0, 1};

  for (int i = 0; i < 3; ++i) {
    double* row = s->J + (3 * contact + i) * s->nv + v0;
    const int a = axis[i], b = (a + 1) % 3, c = (a + 2) % 3;
    row[3 + a] = 1; /* v + w x x */
    row[b] = x[c];
    row[c] = -x[b];
  }
}

static void body_masses(rows* s, double mass, const double half[3]) {
  for (int i = 0; i < 3; ++i) {
    const int b = (i + 1) % 3, c = (i + 2) % 3;
    s->M[i * s->nv + i] = mass * (half[b] * half[b] + half[c] * half[c]) / 3;
    s->M[(3 + i) * s->nv + 3 + i] = mass;
  }
}

static rows box(rng* r, bool legs) {
  const double half[3] = {rng_between(r, 0.1, 0.5), rng_between(r, 0.1, 0.4),
                          rng_between(r, 0.05, 0.4)};
  rows s = rows_new(4, legs ? 18 : 6);

  body_masses(&s, rng_between(r, 1, 20), half);
  s.down = 5;
  for (int k = 0; k < 4; ++k) {
    const double x[3] = {k % 2 ? half[0] : -half[0], k / 2 ? half[1] : -half[1], -half[2]};
    body_point(&s, k, 0, x);
    if (!legs) continue;
    const int v0 = 6 + 3 * k;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j)
        s.J[(3 * k + i) * s.nv + v0 + j] = rng_between(r, -0.3, 0.3) + 0.2 * (i == j);
      s.M[(v0 + i) * s.nv + v0 + i] = rng_between(r, 0.01, 0.05);
    }
  }
  return s;
}

/* A chain of rods in a plane: freedoms x, z of the first end, then the rate of each rod's angle.
   J2: rows (x, z) of all ends. */
enum { RODS = 16, CHAIN = RODS + 2 };

static void chain_end(const double* angle, double length, int end, double* x, double* z) {
  memset(x, 0, CHAIN * sizeof *x);
  memset(z, 0, CHAIN * sizeof *z);
  x[0] = z[1] = 1;
  for (int k = 0; k < end; ++k) {
    x[2 + k] = -length * sin(angle[k]);
    z[2 + k] = length * cos(angle[k]);
  }
}

static void chain_masses(const double* angle, double length, double mass, double* M, int nv) {
  for (int k = 0; k < RODS; ++k) {
    double x[2][CHAIN], z[2][CHAIN];
    chain_end(angle, length, k, x[0], z[0]);
    chain_end(angle, length, k + 1, x[1], z[1]);
    for (int i = 0; i < CHAIN; ++i) {
      for (int j = 0; j < CHAIN; ++j) {
        const double ends =
            x[0][i] * x[0][j] + x[1][i] * x[1][j] + z[0][i] * z[0][j] + z[1][i] * z[1][j];
        const double mean =
            (x[0][i] + x[1][i]) * (x[0][j] + x[1][j]) + (z[0][i] + z[1][i]) * (z[0][j] + z[1][j]);
        M[i * nv + j] += mass / 6 * (ends + mean); /* a thin rod, from its ends */
      }
    }
  }
}

static rows chain(rng* r, bool flat) {
  const double length = 0.1, mass = rng_between(r, 0.05, 0.3);
  double angle[RODS];
  rows s = rows_new(RODS + 1, flat ? CHAIN + 3 : CHAIN);

  for (int k = 0; k < RODS; ++k)
    angle[k] = flat ? 0.8 * sin(0.7 * k) + rng_between(r, -0.2, 0.2) : rng_between(r, -0.3, 0.3);
  chain_masses(angle, length, mass, s.M, s.nv);
  s.down = flat ? CHAIN : 1;
  double at[2] = {0, 0};
  for (int k = 0; k <= RODS; ++k) {
    double x[CHAIN], z[CHAIN];
    chain_end(angle, length, k, x, z);
    double* row = s.J + 3 * k * s.nv;
    memcpy(row + (flat ? s.nv : 0), flat ? x : z, sizeof x);
    memcpy(row + (flat ? 2 * s.nv : s.nv), flat ? z : x, sizeof x);
    if (flat) { /* out of the plane it is one stiff body: heave, roll, pitch */
      row[CHAIN] = 1;
      row[CHAIN + 1] = at[1];
      row[CHAIN + 2] = -at[0];
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          s.M[(CHAIN + i) * s.nv + CHAIN + j] += mass * row[CHAIN + i] * row[CHAIN + j];
    }
    if (k < RODS) {
      at[0] += length * cos(angle[k]);
      at[1] += length * sin(angle[k]);
    }
  }
  return s;
}

static rows anything(rng* r, int contacts, int nv) {
  rows s = rows_new(contacts, nv);

  rng_fill(r, s.J, s.n * nv, 1);
  for (int i = 0; i < nv; ++i)
    s.M[i * nv + i] = exp(rng_between(r, -1, 1));
  return s;
}

/* W = J M^-1 J^T = (L^-1 J^T)^T (L^-1 J^T) */
static void compliance(rows* s, double* W) {
  double* Y = calloc((size_t)s->n * (size_t)s->nv, sizeof *Y);

  (void)dense_cholesky(s->M, s->nv);
  for (int k = 0; k < s->n; ++k) {
    double* y = Y + k * s->nv;
    for (int i = 0; i < s->nv; ++i) {
      y[i] = s->J[k * s->nv + i];
      for (int j = 0; j < i; ++j)
        y[i] -= s->M[i * s->nv + j] * y[j];
      y[i] /= s->M[i * s->nv + i];
    }
  }
  for (int i = 0; i < s->n; ++i)
    for (int j = 0; j < s->n; ++j)
      W[i * s->n + j] = dense_dot(Y + i * s->nv, Y + j * s->nv, s->nv);
  free(Y);
}

static rows family_rows(cone_family family, rng* r) {
  switch (family) {
  case CONE_QUADRUPED:
    return box(r, true);
  case CONE_BOX:
    return box(r, false);
  case CONE_CHAIN:
    return chain(r, false);
  case CONE_SNAKE:
    return chain(r, true);
  case CONE_RANDOM: {
    const int contacts = 5 + rng_below(r, 26);
    return anything(r, contacts, 6 + rng_below(r, 3 * contacts));
  }
  case CONE_SIXTY:
  case CONE_FAMILIES:
    break;
  }
  return anything(r, 60, 140);
}

cone_case cone_case_of(int contacts, int nv, double* J, double* M, const double* v) {
  cone_case c = {.contacts = contacts, .n = 3 * contacts, .nv = nv, .down = -1, .J = J};

  c.W = calloc((size_t)c.n * (size_t)c.n, sizeof *c.W);
  c.q = calloc((size_t)c.n, sizeof *c.q);
  c.mu = calloc((size_t)c.contacts, sizeof *c.mu);
  c.v = calloc((size_t)c.nv, sizeof *c.v);
  memcpy(c.v, v, (size_t)nv * sizeof *v);
  compliance(&(rows){.n = c.n, .nv = nv, .J = J, .M = M}, c.W);
  dense_times(c.J, c.v, c.n, c.nv, c.q);
  return c;
}

cone_case cone_case_new(cone_family family, rng* r) {
  rows s = family_rows(family, r);
  double* v = calloc((size_t)s.nv, sizeof *v);

  rng_fill(r, v, s.nv, 0.3);
  if (s.down >= 0) v[s.down] -= rng_between(r, 0.1, 1);
  cone_case c = cone_case_of(s.n / 3, s.nv, s.J, s.M, v);
  c.down = s.down;
  for (int k = 0; k < c.contacts; ++k)
    c.mu[k] = rng_between(r, 0.1, 1.2);
  free(s.M);
  free(v);
  return c;
}

void cone_case_free(cone_case* c) {
  free(c->W);
  free(c->q);
  free(c->mu);
  free(c->J);
  free(c->v);
}

void cone_case_fall(cone_case* c) {
  memset(c->v, 0, (size_t)c->nv * sizeof *c->v);
  if (c->down >= 0) c->v[c->down] = -0.01;
  dense_times(c->J, c->v, c->n, c->nv, c->q);
}

void cone_case_shake(cone_case* c, rng* r, double share) {
  const double size = sqrt(dense_dot(c->v, c->v, c->nv) / c->nv);

  for (int i = 0; i < c->nv; ++i)
    c->v[i] += share * size * rng_between(r, -1, 1);
  dense_times(c->J, c->v, c->n, c->nv, c->q);
}

/* p = nearest point to z in the cone |p_T| <= mu p_N */
static void cone_nearest(double mu, const double z[3], double p[3]) {
  const double t = hypot(z[1], z[2]);

  memset(p, 0, 3 * sizeof *p);
  if (t <= mu * z[0]) {
    memcpy(p, z, 3 * sizeof *p);
  } else if (mu * t > -z[0]) {
    p[0] = (z[0] + mu * t) / (1 + mu * mu);
    p[1] = mu * p[0] * z[1] / t;
    p[2] = mu * p[0] * z[2] / t;
  }
}

double cone_case_residual(const cone_case* c, const double* r) {
  double sum = 0, scale = 0;

  for (int i = 0; i < c->n; ++i)
    scale += c->W[i * c->n + i] / c->n;
  for (int k = 0; k < c->contacts; ++k) {
    double u[3], z[3], p[3];
    for (int i = 0; i < 3; ++i)
      u[i] = c->q[3 * k + i] + dense_dot(c->W + (3 * k + i) * c->n, r, c->n);
    u[0] += c->mu[k] * hypot(u[1], u[2]);
    for (int i = 0; i < 3; ++i)
      z[i] = scale * r[3 * k + i] - u[i];
    cone_nearest(c->mu[k], z, p);
    for (int i = 0; i < 3; ++i)
      sum += (scale * r[3 * k + i] - p[i]) * (scale * r[3 * k + i] - p[i]);
  }
  return sqrt(sum / dense_dot(c->q, c->q, c->n));
}
