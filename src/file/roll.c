/* SPDX-License-Identifier: Apache-2.0 */
/* roll.c: see roll.h. With q, q' and q'' from splines,

     v = N^+ q'      a = N^+ (q'' - N' v)      N^+ = (N^T N)^-1 N^T

   where q' = N(q) v is defined by the joint, and N' v = d/ds N(q + s q') v comes from a
   complex step, exact to round-off. The part of q' that N cannot give, q' - N v, is slip; for a
   joint with all freedoms it is a change of the length of the quaternion, which has no effect. */
#include "file/roll.h"

#include "file/road.h"
#include "signal/signals.h"

#include "appell/dynamics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double small_step = 1e-100; /* its square is negligible compared with 1 */

struct roll {
  const apl_model* model;
  apl_link_info link;
  apl_state* complex;
  apl_signal* q[APL_MAX_NQ]; /* splines through the coordinates                                  */
  double tolerance[APL_MAX_NQ];
  double* rate; /* [2*nq] of the model */
};

bool apl_roll_can(const apl_model* m, int link) {
  const apl_link_info l = apl_model_link_info(m, link);
  return !l.plain && l.nv > 0;
}

bool apl_roll_needs(const apl_model* m, int link, int k) {
  road r = {0};

  apl_road_know(&r, m, link);
  return r.gait == ROAD_NONE || k < 2;
}

/* ----------------------------------------------------------------------------- q' = N v ---- */

/* out[nq of the joint]: N(q + s direction) v, and its derivative by s where `slope` is true. */
static apl_status rates(roll* r, const double* q, const double* direction, const double* v,
                        bool slope, double* out) {
  const apl_link_info* l = &r->link;
  double *cq = apl_q(r->complex), *cv = apl_v(r->complex);

  for (int k = 0; k < l->nq; ++k) {
    cq[2 * (l->q0 + k)] = q[k];
    cq[2 * (l->q0 + k) + 1] = slope ? small_step * direction[k] : 0.0;
  }
  for (int k = 0; k < l->nv; ++k)
    cv[2 * (l->v0 + k)] = v[k];
  const apl_status st = apl_rates(r->model, r->complex, r->rate);
  for (int k = 0; k < l->nq; ++k)
    out[k] = slope ? r->rate[2 * (l->q0 + k) + 1] / small_step : r->rate[2 * (l->q0 + k)];
  return st;
}

/* Orthonormal columns Q and triangle R of N = Q R, N at q. */
typedef struct factor {
  int nq, nv;
  double Q[APL_MAX_NV][APL_MAX_NQ], R[APL_MAX_NV][APL_MAX_NV];
} factor;

static double product(int n, const double* a, const double* b) {
  double sum = 0.0;

  for (int i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}

static apl_status factorise(roll* r, const double* q, factor* f) {
  f->nq = r->link.nq, f->nv = r->link.nv;
  for (int j = 0; j < f->nv; ++j) {
    double unit[APL_MAX_NV] = {0};
    unit[j] = 1.0;
    const apl_status st = rates(r, q, NULL, unit, false, f->Q[j]);
    if (st != APL_OK) return st;
    for (int i = 0; i < j; ++i) {
      f->R[i][j] = product(f->nq, f->Q[i], f->Q[j]);
      for (int k = 0; k < f->nq; ++k)
        f->Q[j][k] -= f->R[i][j] * f->Q[i][k];
    }
    f->R[j][j] = sqrt(product(f->nq, f->Q[j], f->Q[j]));
    if (!(f->R[j][j] > 0.0)) return APL_ERR_SINGULAR;
    for (int k = 0; k < f->nq; ++k)
      f->Q[j][k] /= f->R[j][j];
  }
  return APL_OK;
}

/* v = N^+ rate */
static void solve(const factor* f, const double* rate, double* v) {
  for (int j = f->nv - 1; j >= 0; --j) {
    double sum = product(f->nq, f->Q[j], rate);
    for (int i = j + 1; i < f->nv; ++i)
      sum -= f->R[j][i] * v[i];
    v[j] = sum / f->R[j][j];
  }
}

/* -------------------------------------------------------------------------------- at a time ----
 */

static apl_status slips(const roll* r, int k, double t, double wanted, double given,
                        apl_error* err) {
  const apl_link_info* l = &r->link;
  const char* unit = apl_model_unit(r->model, APL_COORDINATES, l->q0 + k);

  return apl_fail(err, APL_ERR_MODEL,
                  "at t = %.6g s '%.60s' changes by %.4g %s/s, but rolling without slip gives %.4g "
                  "%s/s: a %s cannot do this motion",
                  t, apl_model_name(r->model, APL_COORDINATES, l->q0 + k), wanted, unit, given,
                  unit, l->joint);
}

apl_status apl_roll_set(roll* r, apl_state* state, double t, apl_error* err) {
  const apl_link_info* l = &r->link;
  double q[APL_MAX_NQ], rate[APL_MAX_NQ], second[APL_MAX_NQ], given[APL_MAX_NQ], bend[APL_MAX_NQ];
  double *v = apl_v(state) + l->v0, *a = apl_a(state) + l->v0;
  factor f;

  for (int k = 0; k < l->nq; ++k) {
    double y[3];
    apl_signal_eval(r->q[k], t, y);
    q[k] = y[0], rate[k] = y[1], second[k] = y[2];
  }
  memcpy(apl_q(state) + l->q0, q, sizeof *q * (size_t)l->nq);

  apl_status st = factorise(r, q, &f);
  if (st == APL_OK) {
    solve(&f, rate, v);
    st = rates(r, q, NULL, v, false, given);
  }
  if (st == APL_OK) st = rates(r, q, rate, v, true, bend);
  if (st != APL_OK) {
    return apl_fail(err, st,
                    "at t = %.6g s the velocities of the %s cannot be found from its position", t,
                    l->joint);
  }
  for (int k = 0; k < l->nq; ++k) {
    if (l->nv < l->nt && fabs(rate[k] - given[k]) > r->tolerance[k])
      return slips(r, k, t, rate[k], given[k], err);
    second[k] -= bend[k];
  }
  solve(&f, second, a);
  return APL_OK;
}

/* --------------------------------------------------------------------------------- making ---- */

/* Slip up to this value is attributed to the error of the splines: 5 % of the fastest coordinate
   with the same unit, and a thousandth of the fastest of all. */
static void find_tolerance(roll* r, const roll_table* table) {
  double fastest[APL_MAX_NQ] = {0}, most = 0.0;
  const apl_link_info* l = &r->link;

  for (int k = 0; k < l->nq; ++k) {
    for (int i = 0; i < table->n; ++i) {
      double y[3];
      apl_signal_eval(r->q[k], table->t[i], y);
      fastest[k] = fmax(fastest[k], fabs(y[1]));
    }
    most = fmax(most, fastest[k]);
  }
  for (int k = 0; k < l->nq; ++k) {
    const char* unit = apl_model_unit(r->model, APL_COORDINATES, l->q0 + k);
    double alike = 0.0;
    for (int i = 0; i < l->nq; ++i) {
      if (strcmp(apl_model_unit(r->model, APL_COORDINATES, l->q0 + i), unit) == 0)
        alike = fmax(alike, fastest[i]);
    }
    r->tolerance[k] = 0.05 * alike + 1e-3 * most;
  }
}

/* A base on wheels: heading and steering need not be in the table. */
static apl_status through_road(roll* r, road* way, const roll_table* table) {
  const size_t size = sizeof *table->t * (size_t)table->n;
  apl_status st = apl_road_allocate(way, table->n);
  if (st != APL_OK) return st;

  double* const to[] = {way->x, way->y, way->heading, way->steering};
  memcpy(way->t, table->t, size);
  for (int k = 0; k < r->link.nq; ++k)
    if (table->value[k] != NULL) memcpy(to[k], table->value[k], size);
  st = apl_road_find(way, table->value[2] != NULL, r->link.nq > 3 && table->value[3] != NULL);
  if (st != APL_OK) return st;

  apl_signal* const found[] = {way->sx, way->sy, way->sh, way->ss};
  for (int k = 0; k < r->link.nq; ++k)
    r->q[k] = apl_signal_share(found[k]);
  return APL_OK;
}

static apl_status make(roll* r, int link, const roll_table* table, double standing,
                       apl_error* err) {
  road way = {.shape = "not-a-knot", .standing = standing, .err = err};
  apl_status st = apl_state_new(r->model, APL_COMPLEX, &r->complex);

  r->rate = calloc(2 * (size_t)apl_model_nq(r->model) + 1, sizeof *r->rate);
  if (st != APL_OK || r->rate == NULL) {
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for a motion");
  }
  apl_road_know(&way, r->model, link);
  if (way.gait != ROAD_NONE) st = through_road(r, &way, table);
  for (int k = 0; way.gait == ROAD_NONE && st == APL_OK && k < r->link.nq; ++k)
    st = apl_signal_points(way.shape, table->n, table->t, table->value[k], &r->q[k], err);
  apl_road_free(&way);
  if (st == APL_OK) find_tolerance(r, table);
  return st;
}

apl_status apl_roll_new(const apl_model* m, int link, const roll_table* table, double standing,
                        roll** out, apl_error* err) {
  roll* r = calloc(1, sizeof *r);

  *out = NULL;
  if (r == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for a motion");
  r->model = m;
  r->link = apl_model_link_info(m, link);
  const apl_status st = make(r, link, table, standing, err);
  if (st == APL_OK) {
    *out = r;
  } else {
    apl_roll_free(r);
  }
  return st;
}

void apl_roll_free(roll* r) {
  if (r == NULL) return;
  for (int k = 0; k < APL_MAX_NQ; ++k)
    apl_signal_free(r->q[k]);
  apl_state_free(r->complex);
  free(r->rate);
  free(r);
}
