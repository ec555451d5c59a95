/* SPDX-License-Identifier: Apache-2.0 */
/* integrate.c: modified midpoint with 2, 4 .. 12 substeps, extrapolated in h^2 by Aitken-Neville
   (Hairer, Norsett, Wanner, Solving ODEs I, II.9). Each column gains two orders: six give order 12.
 */
#include "integrate.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 6 };

typedef struct work {
  const apl_model* model;
  apl_state* state;
  int nq, nv, n;
  double* y;  /* at the start of the step                                             */
  double* f;  /* y' there                                                             */
  double* at; /* y and y' inside the midpoint rule                                    */
  double* g;
  double* mid[2];         /* its two last points, as increments of y: small numbers round less    */
  double* table[COLUMNS]; /* the last row of extrapolated increments                              */
} work;

/* y' = (q', a) at y. */
static void rates(work* w, const double* y, double* f) {
  memcpy(apl_q(w->state), y, sizeof *y * (size_t)w->nq);
  memcpy(apl_v(w->state), y + w->nq, sizeof *y * (size_t)w->nv);
  CHECK_OK(apl_rates(w->model, w->state, f));
  CHECK_OK(apl_forward(w->model, w->state));
  memcpy(f + w->nq, apl_a(w->state), sizeof *f * (size_t)w->nv);
}

/* Gragg's method without smoothing: the increment after n substeps over H. */
static const double* midpoint(work* w, double H, int n) {
  const double h = H / n;

  for (int i = 0; i < w->n; i++) {
    w->mid[0][i] = 0;
    w->mid[1][i] = h * w->f[i];
  }
  for (int k = 1; k < n; k++) {
    double* next = w->mid[(k + 1) % 2];
    for (int i = 0; i < w->n; i++)
      w->at[i] = w->y[i] + w->mid[k % 2][i];
    rates(w, w->at, w->g);
    for (int i = 0; i < w->n; i++)
      next[i] += 2 * h * w->g[i];
  }
  return w->mid[n % 2];
}

static void step(work* w, double H) {
  rates(w, w->y, w->f);
  for (int k = 0; k < COLUMNS; k++) {
    const double* fresh = midpoint(w, H, 2 * (k + 1));

    /* T_{k,j+1} = T_{k,j} + (T_{k,j} - T_{k-1,j}) / ((n_k/n_{k-j-1})^2 - 1), along the new row */
    for (int i = 0; i < w->n; i++) {
      double value = fresh[i];
      for (int j = 0; j < k; j++) {
        const double ratio = (double)(k + 1) / (double)(k - j);
        const double above = w->table[j][i];
        w->table[j][i] = value;
        value += (value - above) / (ratio * ratio - 1);
      }
      w->table[k][i] = value;
    }
  }
  for (int i = 0; i < w->n; i++)
    w->y[i] += w->table[COLUMNS - 1][i];
}

void integrate(const apl_model* model, apl_state* state, double time, int steps) {
  work w = {.model = model, .state = state, .nq = apl_model_nq(model), .nv = apl_model_nv(model)};
  w.n = w.nq + w.nv;
  double* memory = malloc(sizeof(double) * (size_t)(w.n * (6 + COLUMNS)));

  assert_non_null(memory);
  w.y = memory;
  w.f = w.y + w.n;
  w.at = w.f + w.n;
  w.g = w.at + w.n;
  w.mid[0] = w.g + w.n;
  w.mid[1] = w.mid[0] + w.n;
  for (int k = 0; k < COLUMNS; k++)
    w.table[k] = w.mid[1] + (k + 1) * w.n;
  memcpy(w.y, apl_q(state), sizeof(double) * (size_t)w.nq);
  memcpy(w.y + w.nq, apl_v(state), sizeof(double) * (size_t)w.nv);
  for (int k = 0; k < steps; k++)
    step(&w, time / steps);
  memcpy(apl_q(state), w.y, sizeof(double) * (size_t)w.nq);
  memcpy(apl_v(state), w.y + w.nq, sizeof(double) * (size_t)w.nv);
  free(memory);
}
