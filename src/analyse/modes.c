/* SPDX-License-Identifier: Apache-2.0 */
/* modes.c: the public functions of modes. The equations are in linear.c, their solution in eigen.c.
   Theory: docs/modes.md. */
#include "analyse/eigen.h"

#include "analyse/modes.h"
#include "base/error.h"
#include "dynamics/extra.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct apl_modes {
  const apl_model* model;
  linear l;
  eigen_mode* mode;
  int count;
  double* q; /* [nq] the balance                                                                 */
  apl_pool pool;
};

apl_modes_options apl_modes_options_default(void) {
  return (apl_modes_options){.tolerance = 1e-6, .brakes = false, .exact = 64};
}

const char* apl_mode_word(apl_mode_kind kind) {
  switch (kind) {
  case APL_MODE_RIGID:
    return "rigid";
  case APL_MODE_SWINGS:
    return "swings";
  case APL_MODE_CREEPS:
    return "overdamped";
  case APL_MODE_FALLS:
    return "unstable";
  case APL_MODE_FLUTTERS:
    return "flutters";
  }
  return "";
}

/* |x_i|^2 M_ii: twice the kinetic energy of freedom i alone */
static double weight(const apl_modes* s, const eigen_mode* mode, int i) {
  const double a = cabs(mode->x[i]);
  return a * a * s->l.M[i * s->l.n + i];
}

/* x* M x = 1, and the largest entry real. */
static void normalise(apl_modes* s, eigen_mode* mode) {
  const int n = s->l.n;
  double energy = 0.0;
  int lead = 0;

  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < n; ++i)
      energy += creal(conj(mode->x[i]) * mode->x[k]) * s->l.M[k * n + i];
    if (weight(s, mode, k) > weight(s, mode, lead)) lead = k;
  }
  const double complex turn = conj(mode->x[lead]) / (cabs(mode->x[lead]) * sqrt(energy));
  for (int i = 0; i < n; ++i)
    mode->x[i] *= turn;
}

/* Shapes y of motions that keep loops closed become those of all freedoms, x = Z y. */
static bool expand(apl_modes* s) {
  const int n = s->l.n, m = s->l.m;

  for (int i = 0; i < s->count && s->l.Z != NULL; ++i) {
    double complex* x = apl_pool_take(&s->pool, sizeof *x * (size_t)(n + 1));
    if (x == NULL) return false;
    for (int k = 0; k < n; ++k) {
      x[k] = 0.0;
      for (int j = 0; j < m; ++j)
        x[k] += s->l.Z[j * n + k] * s->mode[i].x[j];
    }
    s->mode[i].x = x;
  }
  return true;
}

apl_status apl_modes_new(const apl_model* model, apl_state* state, const apl_modes_options* options,
                         apl_modes** out, apl_error* err) {
  if (out != NULL) *out = NULL;
  if (model == NULL || state == NULL || out == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_modes_new() needs a model, a state and a place for the modes");
  }
  const apl_modes_options o = options != NULL ? *options : apl_modes_options_default();
  const size_t bytes = sizeof(double) * (size_t)(apl_model_nq(model) + 1);
  apl_modes* s = calloc(1, sizeof *s);

  *out = NULL;
  if (s == NULL) return apl_fail(err, APL_ERR_MEMORY, "out of memory for modes");
  apl_status st = apl_linear_open(&s->l, model, state, &o, err);
  if (st == APL_OK) {
    linear closed;
    st = apl_linear_closed(&s->l, &closed) ? APL_OK : APL_ERR_MEMORY;
    if (st == APL_OK) st = apl_eigen(&closed, o.exact, &s->pool, &s->mode, &s->count);
    if (st == APL_OK && !expand(s)) st = APL_ERR_MEMORY;
    s->q = apl_pool_take(&s->pool, bytes);
    if (s->q == NULL) st = APL_ERR_MEMORY;
    if (st != APL_OK) apl_fail(err, st, "the modes could not be computed: %s", apl_status_text(st));
  }
  if (st != APL_OK) {
    apl_modes_free(s);
    return st;
  }
  s->model = model;
  memcpy(s->q, apl_q(state), bytes - sizeof(double));
  for (int i = 0; i < s->count; ++i)
    normalise(s, &s->mode[i]);
  *out = s;
  return APL_OK;
}

void apl_modes_free(apl_modes* s) {
  if (s == NULL) return;
  apl_linear_close(&s->l);
  apl_pool_free(&s->pool);
  free(s);
}

int apl_modes_count(const apl_modes* s) {
  if (s == NULL) return 0;
  return s->count;
}

apl_mode apl_modes_at(const apl_modes* s, int i) {
  apl_mode m = {.kind = APL_MODE_RIGID, .time = HUGE_VAL};
  if (s == NULL || i < 0 || i >= s->count || s->mode[i].rigid) return m;

  m.real = creal(s->mode[i].lambda);
  m.imag = cimag(s->mode[i].lambda);
  m.omega = hypot(m.real, m.imag);
  m.damping = m.real == 0.0 ? 0.0 : -m.real / m.omega;
  if (m.real != 0.0) m.time = 1.0 / fabs(m.real);
  if (m.imag > 0.0) {
    m.kind = m.real > 0.0 ? APL_MODE_FLUTTERS : APL_MODE_SWINGS;
  } else {
    m.kind = m.real > 0.0 ? APL_MODE_FALLS : APL_MODE_CREEPS;
  }
  return m;
}

void apl_modes_shape(const apl_modes* s, int i, double* real, double* imag) {
  if (s == NULL) return;
  const size_t bytes = sizeof(double) * (size_t)apl_model_nv(s->model);

  if (real != NULL) memset(real, 0, bytes);
  if (imag != NULL) memset(imag, 0, bytes);
  if (i < 0 || i >= s->count) return;
  for (int k = 0; k < s->l.n; ++k) {
    if (real != NULL) real[s->l.velocity[k]] = creal(s->mode[i].x[k]);
    if (imag != NULL) imag[s->l.velocity[k]] = cimag(s->mode[i].x[k]);
  }
}

void apl_modes_share(const apl_modes* s, int i, double* share) {
  if (s == NULL || share == NULL) return;
  double sum = 0.0;

  memset(share, 0, sizeof *share * (size_t)apl_model_nv(s->model));
  if (i < 0 || i >= s->count) return;
  for (int k = 0; k < s->l.n; ++k)
    sum += weight(s, &s->mode[i], k);
  for (int k = 0; k < s->l.n; ++k)
    share[s->l.velocity[k]] = weight(s, &s->mode[i], k) / sum;
}

apl_status apl_modes_place(const apl_modes* s, int i, double size, double phase, apl_state* state) {
  const apl_model* m = s->model;
  const size_t nq = (size_t)apl_model_nq(m), nv = (size_t)apl_model_nv(m);
  if (i < 0 || i >= s->count || apl_state_width(state) != 1) return APL_ERR_ARGUMENT;
  double* delta = calloc((size_t)apl_model_nt(m) + nq + 1, sizeof *delta);
  if (delta == NULL) return APL_ERR_MEMORY;

  /* q = equilibrium + N x, x = size Re(shape e^(i phase)); the tangent rates of v = x give N x */
  double *q = delta + apl_model_nt(m), *v = apl_v(state);
  memcpy(apl_q(state), s->q, sizeof *q * nq);
  memset(v, 0, sizeof *v * nv);
  for (int k = 0; k < s->l.n; ++k)
    v[s->l.velocity[k]] = size * creal(s->mode[i].x[k] * complex_of(cos(phase), sin(phase)));
  apl_status st = apl_tangent_rates(m, state, delta);
  if (st == APL_OK) st = apl_add(m, state, s->q, delta, q);
  if (st == APL_OK) memcpy(apl_q(state), q, sizeof *q * nq);
  memset(v, 0, sizeof *v * nv);
  free(delta);
  return st;
}
