/* SPDX-License-Identifier: Apache-2.0 */
/* route.c: see route.h. */
#include "route.h"

#include "dynamics/extra.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void route_mark(apl_spec* spec, int link, double x, double y, double from, double to) {
  for (int i = 0; i < ROUTE_MARKS; i++) {
    apl_pose at = apl_pose_identity();
    char name[16];

    at.position = (apl_vec3){x, y, 0};
    snprintf(name, sizeof name, "m%d", i);
    apl_spec_port(spec, link, name, from + (to - from) * i / (ROUTE_MARKS - 1), at);
  }
}

/* Position of a port among all poses. */
static const double* position(const apl_model* model, const double* X, const char* name) {
  const int port = apl_model_find(model, APL_PORTS, name);

  CHECK_TRUE(port >= 0, "there is no port %s", name);
  return X + 12 * port + 9;
}

static const double* mark(const apl_model* model, const double* X, const char* link, int i) {
  char name[64];

  snprintf(name, sizeof name, "%s.m%d", link, i);
  return position(model, X, name);
}

static double distance(const double* a, const double* b) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

static double polygon(const apl_model* model, const double* X, const char* link, int sides) {
  const int step = (ROUTE_MARKS - 1) / sides;
  double sum = 0;

  for (int i = 0; i < sides; i++)
    sum += distance(mark(model, X, link, i * step), mark(model, X, link, (i + 1) * step));
  return sum;
}

/* A polygon in a smooth curve falls short by a series in even powers of its sides. */
static double curve(const apl_model* model, const double* X, const char* link) {
  double row[4];

  for (int k = 0; k < 4; k++)
    row[k] = polygon(model, X, link, 8 << k);
  for (int j = 1; j < 4; j++) {
    for (int k = 3; k >= j; k--)
      row[k] += (row[k] - row[k - 1]) / (pow(4, j) - 1);
  }
  return row[3];
}

double route_length(const apl_model* model, apl_state* state, const route* r) {
  double* X = malloc(sizeof *X * 12 * (size_t)apl_model_count(model, APL_PORTS));
  const double* last = NULL;
  double sum = 0;

  CHECK_OK(apl_poses(model, state, X));
  for (int i = 0; i < r->n; i++) {
    const route_part* p = &r->part[i];
    const bool port = p->corners == 0;
    const double* here = port ? position(model, X, p->name) : mark(model, X, p->name, 0);

    if (last != NULL) sum += distance(last, here);
    if (p->corners > 0) sum += polygon(model, X, p->name, p->corners);
    if (p->corners < 0) sum += curve(model, X, p->name);
    last = port ? here : mark(model, X, p->name, ROUTE_MARKS - 1);
  }
  free(X);
  return sum;
}

void route_slope(const apl_model* model, apl_state* state, const route* r, double* slope) {
  const int nq = apl_model_nq(model), nv = apl_model_nv(model);
  const double h = 2e-4;
  double* q = malloc(sizeof *q * (size_t)nq);
  double* delta = calloc((size_t)nv + 1, sizeof *delta);

  memcpy(q, apl_q(state), sizeof *q * (size_t)nq);
  for (int k = 0; k < nv; k++) {
    double l[4];
    const double at[4] = {-2, -1, 1, 2};
    for (int i = 0; i < 4; i++) {
      delta[k] = at[i] * h;
      CHECK_OK(apl_add(model, state, q, delta, apl_q(state)));
      l[i] = route_length(model, state, r);
    }
    delta[k] = 0;
    slope[k] = (8 * (l[2] - l[1]) - (l[3] - l[0])) / (12 * h);
  }
  memcpy(apl_q(state), q, sizeof *q * (size_t)nq);
  free(q);
  free(delta);
}
