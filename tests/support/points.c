/* SPDX-License-Identifier: Apache-2.0 */
/* points.c: see points.h. */
#include "near.h"
#include "points.h"

#include <string.h>

/* x + e1 a + e2 b + e1 e2 ab, e1^2 = e2^2 = 0: a, b first and ab second derivatives, exact. */
typedef struct dual {
  long double x, a, b, ab;
} dual;

typedef struct vec {
  dual x[3];
} vec;

typedef struct frame {
  dual R[9];
  vec p;
} frame;

static dual num(long double x) {
  return (dual){x, 0, 0, 0};
}

static dual plus(dual u, dual v) {
  return (dual){u.x + v.x, u.a + v.a, u.b + v.b, u.ab + v.ab};
}

static dual times(dual u, dual v) {
  return (dual){u.x * v.x, u.a * v.x + u.x * v.a, u.b * v.x + u.x * v.b,
                u.ab * v.x + u.a * v.b + u.b * v.a + u.x * v.ab};
}

static dual by(long double k, dual u) {
  return (dual){k * u.x, k * u.a, k * u.b, k * u.ab};
}

static void mul(const dual* A, const dual* B, dual* C) {
  for (int i = 0; i < 9; i++) {
    dual sum = num(0);
    for (int k = 0; k < 3; k++)
      sum = plus(sum, times(A[3 * (i / 3) + k], B[3 * k + i % 3]));
    C[i] = sum;
  }
}

static vec turn(const dual* R, vec v) {
  vec out;
  for (int i = 0; i < 3; i++) {
    out.x[i] = num(0);
    for (int k = 0; k < 3; k++)
      out.x[i] = plus(out.x[i], times(R[3 * i + k], v.x[k]));
  }
  return out;
}

static vec add(vec u, vec v) {
  for (int i = 0; i < 3; i++)
    u.x[i] = plus(u.x[i], v.x[i]);
  return u;
}

static vec fixed(apl_vec3 v) {
  return (vec){{num((long double)v.x), num((long double)v.y), num((long double)v.z)}};
}

static frame then(const frame* F, const frame* G) {
  frame out;
  mul(F->R, G->R, out.R);
  out.p = add(F->p, turn(F->R, G->p));
  return out;
}

/* exp of a twist: R = sum K^i/i!, p = sum K^i v/(i+1)! */
static frame series(const dual X[6]) {
  const dual o = num(0);
  const dual K[9] = {o, by(-1, X[2]), X[1], X[2], o, by(-1, X[0]), by(-1, X[1]), X[0], o};
  dual power[9] = {num(1), o, o, o, num(1), o, o, o, num(1)};
  const vec v = {{X[3], X[4], X[5]}};
  frame F = {{num(1), o, o, o, num(1), o, o, o, num(1)}, v};

  /* up to 3 rad 36 terms leave less than 1e-22, of the second derivatives too; up to 7 rad 64 */
  const long double square = X[0].x * X[0].x + X[1].x * X[1].x + X[2].x * X[2].x;
  const int terms = square < 9 ? 36 : 64;
  for (int i = 1; i < terms; i++) {
    dual next[9];
    mul(power, K, next);
    for (int k = 0; k < 9; k++)
      power[k] = by(1.0L / i, next[k]);
    vec term = turn(power, v);
    for (int k = 0; k < 9; k++)
      F.R[k] = plus(F.R[k], power[k]);
    for (int k = 0; k < 3; k++)
      F.p.x[k] = plus(F.p.x[k], by(1.0L / (i + 1), term.x[k]));
  }
  return F;
}

/* Gauss-Legendre on 0..1 by Newton's method on the Legendre polynomial. */
enum { GAUSS = 16 };
static void gauss(long double* at, long double* weight) {
  static long double known[2][GAUSS];
  if (known[1][0] > 0) {
    memcpy(at, known[0], sizeof known[0]);
    memcpy(weight, known[1], sizeof known[1]);
    return;
  }
  for (int i = 0; i < GAUSS; i++) {
    long double x = cosl(acosl(-1.0L) * (i + 0.75L) / (GAUSS + 0.5L));
    long double slope = 1;
    for (int k = 0; k < 20; k++) {
      long double p = 1;
      long double before = 0;
      for (int j = 0; j < GAUSS; j++) {
        const long double next = ((2 * j + 1) * x * p - j * before) / (j + 1);
        before = p;
        p = next;
      }
      slope = GAUSS * (x * p - before) / (x * x - 1);
      x -= p / slope;
    }
    at[i] = 0.5L * (1 - x);
    weight[i] = 1 / ((1 - x * x) * slope * slope);
  }
  memcpy(known[0], at, sizeof known[0]);
  memcpy(known[1], weight, sizeof known[1]);
}

/* The position of a plane element replaced by another evaluation. */
static void plane_position(const points_step* s, dual theta, long double station, frame* F) {
  const long double L = (long double)s->length * station;
  const dual u = by(station, theta);
  const dual u2 = times(u, u);
  const dual u4 = times(u2, u2);

  if (s->evaluation == POINTS_P5) {
    const dual x = plus(num(0.5L), plus(by(-1 / 24.0L, u2), by(1 / 720.0L, u4)));
    F->p.x[0] = by(L, times(u, x));
    F->p.x[2] = by(L, plus(num(1), plus(by(-1 / 6.0L, u2), by(1 / 120.0L, u4))));
  } else {
    long double at[GAUSS];
    long double weight[GAUSS];
    gauss(at, weight);
    F->p = (vec){{num(0), num(0), num(0)}};
    for (int g = 0; g < GAUSS; g++) {
      /* the tangent (sin, 0, cos) of at[g] u, by power series */
      const dual x = by(at[g], u);
      dual term = num(1);
      for (int k = 0; k < 64; k++) {
        const int along = k % 2 ? 0 : 2;
        F->p.x[along] = plus(F->p.x[along], by(k % 4 < 2 ? L * weight[g] : -L * weight[g], term));
        term = by(1.0L / (k + 1), times(term, x));
      }
    }
  }
}

static frame section(const points_step* s, const dual* q, long double station) {
  dual X[6] = {num(0), num(0), num(0), num(0), num(0), num((long double)s->length)};

  for (int k = 0; k < s->n; k++)
    X[s->row[k]] = plus(X[s->row[k]], q[s->q0 + k]);
  for (int k = 0; k < 6; k++)
    X[k] = by(station, X[k]);
  frame F = series(X);
  if (s->evaluation != POINTS_SERIES) plane_position(s, q[s->q0], station, &F);
  return F;
}

static frame place(apl_pose at) {
  const apl_quat c = at.rotation;
  const long double w = (long double)c.w;
  const long double x = (long double)c.x;
  const long double y = (long double)c.y;
  const long double z = (long double)c.z;
  const long double s = 2 / (w * w + x * x + y * y + z * z);
  return (frame){{num(1 - s * (y * y + z * z)), num(s * (x * y - w * z)), num(s * (x * z + w * y)),
                  num(s * (x * y + w * z)), num(1 - s * (x * x + z * z)), num(s * (y * z - w * x)),
                  num(s * (x * z - w * y)), num(s * (y * z + w * x)), num(1 - s * (x * x + y * y))},
                 fixed(at.position)};
}

static frame move(const points_step* s, const dual* q) {
  dual X[6] = {num(0), num(0), num(0), num(0), num(0), num(0)};

  if (s->row[0] < 0) {
    X[0] = by((long double)s->axis.x, q[s->q0]);
    X[1] = by((long double)s->axis.y, q[s->q0]);
    X[2] = by((long double)s->axis.z, q[s->q0]);
  }
  for (int k = 0; k < s->n && s->row[0] >= 0; k++)
    X[s->row[k]] = q[s->q0 + k];
  return series(X);
}

/* ------------------------------------------------------------------------------ the cloud ---- */

/* A place, its mass, the drag it feels, and a force on it. */
enum { MOST = 1200 };
typedef struct particle {
  vec p;
  long double mass, drag;
  vec force;
} particle;

typedef struct cloud {
  int n;
  particle one[MOST];
} cloud;

static void put(cloud* c, vec p, long double mass, long double drag) {
  assert_true(c->n < MOST);
  c->one[c->n++] = (particle){.p = p, .mass = mass, .drag = drag};
}

static void element(const points_step* s, const frame* F, const dual* q, cloud* c) {
  const long double m = (long double)s->mass;
  const long double width = sqrtl(2 * (long double)s->jy / m);
  const long double height = sqrtl(2 * (long double)s->jx / m);
  long double at[GAUSS];
  long double weight[GAUSS];

  gauss(at, weight);
  for (int g = 0; g < GAUSS; g++) {
    const frame local = section(s, q, at[g]);
    const frame X = then(F, &local);
    put(c, X.p, 0, (long double)s->drag * weight[g]);
    for (int k = 0; k < 4; k++) {
      const long double side = k % 2 ? -1 : 1;
      vec r = {{num(k < 2 ? side * width : 0), num(k < 2 ? 0 : side * height), num(0)}};
      put(c, add(X.p, turn(X.R, r)), 0.25L * m * weight[g], 0);
    }
  }
}

static void body(const points_step* s, const frame* F, cloud* c) {
  for (int k = 0; k < 6; k++) {
    const double side = k % 2 ? -1 : 1;
    const apl_vec3 r = {s->com.x + (k / 2 == 0 ? side * s->arm.x : 0),
                        s->com.y + (k / 2 == 1 ? side * s->arm.y : 0),
                        s->com.z + (k / 2 == 2 ? side * s->arm.z : 0)};
    put(c, add(F->p, turn(F->R, fixed(r))), (long double)s->body / 6, 0);
  }
}

static void force(const points_step* s, const frame* F, cloud* c) {
  put(c, F->p, 0, 0);
  c->one[c->n - 1].force = s->world ? fixed(s->force) : turn(F->R, fixed(s->force));
}

static void spread(const points* p, const dual* q, cloud* c) {
  const dual o = num(0);
  frame F = {{num(1), o, o, o, num(1), o, o, o, num(1)}, {{o, o, o}}};
  frame kept[8];
  int depth = 0;

  c->n = 0;
  for (int i = 0; i < p->nstep; i++) {
    const points_step* s = &p->step[i];
    frame next = place(apl_pose_identity());
    switch (s->kind) {
    case POINTS_PLACE:
      next = place(s->at);
      break;
    case POINTS_MOVE:
      next = move(s, q);
      break;
    case POINTS_ELEMENT:
      element(s, &F, q, c);
      next = section(s, q, 1);
      break;
    case POINTS_STATION:
      next = section(s, q, (long double)s->station);
      break;
    case POINTS_BODY:
      body(s, &F, c);
      break;
    case POINTS_FORCE:
      force(s, &F, c);
      break;
    case POINTS_SAVE:
      kept[depth++] = F;
      break;
    case POINTS_BACK:
      F = kept[--depth];
      break;
    }
    F = then(&F, &next);
  }
}

/* ------------------------------------------------------------------------------ dynamics ---- */

static long double dot(const long double* a, const long double* b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void coordinates(const points* p, const double* q, const double* one, const double* two,
                        dual* out) {
  for (int i = 0; i < p->nv; i++)
    out[i] = (dual){(long double)q[i], (long double)one[i], (long double)two[i], 0};
}

static void elasticity(const points* p, const double* q, const double* v, points_result* out) {
  for (int i = 0; i < p->nstep; i++) {
    const points_step* s = &p->step[i];
    if (s->kind != POINTS_ELEMENT) continue;
    for (int k = 0; k < s->n; k++) {
      const long double stiffness = (long double)s->stiffness[k] / (long double)s->length;
      const long double strain = (long double)q[s->q0 + k] - (long double)s->rest[k];
      out->bias[s->q0 + k] +=
          stiffness * (strain + (long double)s->time * (long double)v[s->q0 + k]);
      out->energy[1] += 0.5L * stiffness * strain * strain;
    }
  }
}

/* M a = -bias by Cholesky */
static void accelerate(int n, points_result* out) {
  static long double L[POINTS_NV * POINTS_NV];

  memcpy(L, out->M, sizeof L);
  for (int j = 0; j < n; j++) {
    for (int i = j; i < n; i++) {
      long double sum = L[i * n + j];
      for (int k = 0; k < j; k++)
        sum -= L[i * n + k] * L[j * n + k];
      L[i * n + j] = i == j ? sqrtl(sum) : sum / L[j * n + j];
    }
  }
  for (int i = 0; i < n; i++) {
    out->a[i] = -out->bias[i];
    for (int k = 0; k < i; k++)
      out->a[i] -= L[i * n + k] * out->a[k];
    out->a[i] /= L[i * n + i];
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int k = i + 1; k < n; k++)
      out->a[i] -= L[k * n + i] * out->a[k];
    out->a[i] /= L[i * n + i];
  }
}

void points_solve(const points* p, const double* q, const double* v, const double* a,
                  points_result* out) {
  static cloud moving;
  static cloud column;
  static long double J[MOST][POINTS_NV][3];
  const int n = p->nv;
  double unit[POINTS_NV] = {0};
  dual at[POINTS_NV];

  memset(out, 0, sizeof *out);
  coordinates(p, q, v, v, at);
  spread(p, at, &moving);
  for (int i = 0; i < n; i++) {
    unit[i] = 1;
    coordinates(p, q, unit, v, at);
    spread(p, at, &column);
    unit[i] = 0;
    for (int k = 0; k < column.n; k++) {
      for (int d = 0; d < 3; d++)
        J[k][i][d] = column.one[k].p.x[d].a;
    }
  }
  elasticity(p, q, v, out);
  for (int k = 0; k < moving.n; k++) {
    const particle* one = &moving.one[k];
    long double f0[3]; /* m (p''[v, v] - g) - force + drag p' */
    long double ma[3]; /* m p'' */
    const long double m = one->mass;
    for (int d = 0; d < 3; d++) {
      const dual x = one->p.x[d];
      const long double g = (long double)p->gravity[d];
      f0[d] = m * (x.ab - g) - one->force.x[d].x + one->drag * x.a;
      ma[d] = m * x.ab;
      for (int i = 0; i < n; i++)
        ma[d] += m * J[k][i][d] * (long double)a[i];
      out->force[d] += ma[d];
      out->energy[0] += 0.5L * m * x.a * x.a;
      out->energy[1] -= m * g * x.x;
    }
    for (int d = 0; d < 3; d++) {
      const int e = (d + 1) % 3;
      const int f = (d + 2) % 3;
      out->moment[d] += one->p.x[e].x * ma[f] - one->p.x[f].x * ma[e];
    }
    for (int i = 0; i < n; i++) {
      out->bias[i] += dot(J[k][i], f0);
      for (int j = 0; j < n; j++)
        out->M[i * n + j] += m * dot(J[k][i], J[k][j]);
    }
  }
  for (int i = 0; i < n; i++) {
    out->tau[i] = out->bias[i];
    for (int j = 0; j < n; j++)
      out->tau[i] += out->M[i * n + j] * (long double)a[j];
  }
  accelerate(n, out);
}

points_step* points_add(points* p, points_kind kind) {
  assert_true(p->nstep < POINTS_STEPS);
  points_step* s = &p->step[p->nstep++];
  *s = (points_step){.kind = kind, .at = apl_pose_identity()};
  return s;
}

points_step* points_element(points* p, double length, const int* row, int n) {
  points_step* s = points_add(p, POINTS_ELEMENT);
  s->length = length;
  s->n = n;
  s->q0 = p->nv;
  memcpy(s->row, row, sizeof *row * (size_t)n);
  p->nv += n;
  return s;
}
