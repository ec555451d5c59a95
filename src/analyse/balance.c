/* SPDX-License-Identifier: Apache-2.0 */
/* balance.c: residual and stiffness of a robot at rest. */
#include "analyse/balance.h"

#include "appell/loop.h"

#include "dynamics/extra.h"
#include "dynamics/loops.h"
#include "dynamics/passes.h"
#include "math/solid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* True if a trailer follows this link. Its equilibrium position would depend on the path taken, so
   the link that draws it is held too. */
static bool draws(const apl_model* m, int link) {
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info follower = apl_model_link_info(m, i);
    int at = follower.parent;

    if (follower.nv > 0 || follower.nt == 0) continue;
    while (at >= 0 && at != link)
      at = apl_model_link_info(m, at).parent;
    if (at == link) return true;
  }
  return false;
}

/* Decide which velocities must be balanced and which tangents may move. */
static void sort_freedoms(balance* b, bool rolling) {
  for (int i = 0; i < b->nt; ++i)
    b->still[i] = true;
  for (int i = 0; i < apl_model_count(b->model, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(b->model, i);
    const bool rolls = l.nt != l.nv || draws(b->model, i);
    const apl_balance joint = l.joint_prescribed ? APL_PRESCRIBED : rolls ? APL_HELD : APL_BALANCED;
    const apl_balance body = l.body_prescribed ? APL_PRESCRIBED : APL_BALANCED;

    for (int k = 0; k < l.nv; ++k)
      b->verdict[l.v0 + k] = joint;
    for (int k = 0; k < l.nx; ++k)
      b->verdict[l.xv0 + k] = body;
    for (int k = 0; k < l.nt; ++k)
      b->still[l.t0 + k] = joint == APL_PRESCRIBED || (joint == APL_HELD && !rolling);
    for (int k = 0; k < l.nx; ++k)
      b->still[l.xt0 + k] = body != APL_BALANCED;
  }
  for (int i = 0; i < b->nv; ++i) {
    const bool held = b->verdict[i] == APL_HELD;
    if (b->verdict[i] == APL_BALANCED || (held && rolling)) b->velocity[b->n++] = i;
  }
}

/* Inputs and loads of the user's state as complex numbers. */
static void copy_drives(balance* b) {
  const double* u = apl_u(b->state);
  double* cu = apl_u(b->wide);

  for (int i = 0; i < apl_model_nu(b->model); ++i)
    cu[2 * i] = u[i];
  for (int p = 0; p < apl_model_count(b->model, APL_PORTS); ++p) {
    double W[6], wide[12] = {0};
    const apl_axes axes = b->state->passes->load_of(b->state, p, W);
    for (int k = 0; k < 6; ++k)
      wide[2 * k] = W[k];
    apl_load_wide(b->model, b->wide, p, axes, wide);
  }
}

apl_status apl_balance_open(balance* b, const apl_model* m, apl_state* state, bool rolling) {
  const size_t nq = (size_t)apl_model_nq(m), nt = (size_t)apl_model_nt(m);
  const size_t nv = (size_t)apl_model_nv(m), np = (size_t)m->npart, most = nv + np;

  if (state->model != m || state->passes->width != 1) return APL_ERR_ARGUMENT;
  *b = (balance){.model = m, .state = state, .nq = (int)nq, .nt = (int)nt, .nv = (int)nv};
  b->velocity = calloc(nv + 1, sizeof *b->velocity);
  b->still = calloc(nt + 1, sizeof *b->still);
  b->verdict = calloc(nv + 1, sizeof *b->verdict);
  b->base = calloc(nq + 3 * nv + 3 * most + 2 * (nt + nq) + np + 1, sizeof *b->base);
  if (b->velocity == NULL || b->still == NULL || b->verdict == NULL || b->base == NULL)
    return APL_ERR_MEMORY;
  b->tau = b->base + nq;
  b->unit = b->tau + nv;
  b->force = b->unit + most;
  b->delta = b->force + most;
  b->q = b->delta + 2 * nt;
  b->bias = b->q + 2 * nq;
  b->zero = b->bias + 2 * nv;
  b->push = b->zero + most;

  apl_status st = apl_state_new(m, APL_COMPLEX, &b->wide);
  if (st == APL_OK && m->nslot > 0) st = apl_near_new(m, &b->near);
  if (st != APL_OK) return st;
  sort_freedoms(b, rolling);
  b->nfree = b->n;
  b->n += m->npart;
  b->springs = state->springs;
  apl_loops_springs(b->state, false);
  apl_loops_springs(b->wide, false);
  copy_drives(b);
  memcpy(b->base, apl_q(state), sizeof(double) * nq);
  memcpy(b->tau, apl_tau(state), sizeof(double) * nv);
  return APL_OK;
}

void apl_balance_close(balance* b) {
  if (b->state != NULL && b->springs) apl_loops_springs(b->state, true);
  free(b->velocity);
  free(b->still);
  free(b->verdict);
  free(b->base);
  apl_state_free(b->wide);
  apl_near_free(&b->near);
}

/* -------------------------------------------------------------------------- r and dr/dx ---- */

/* q = base + N(base) v in the numbers of state s, whose v has been set; leaves v = 0. */
static apl_status move(balance* b, apl_state* s) {
  const int width = apl_state_width(s);
  double* q = apl_q(s);

  for (int i = 0; i < b->nq * width; ++i)
    q[i] = i % width == 0 ? b->base[i / width] : 0.0;
  apl_status st = apl_tangent_rates(b->model, s, b->delta);
  for (int i = 0; i < b->nt * width; ++i) {
    if (b->still[i / width]) b->delta[i] = 0.0;
  }
  if (st == APL_OK) st = apl_add(b->model, s, q, b->delta, b->q);
  if (st == APL_OK) memcpy(q, b->q, sizeof *q * (size_t)(b->nq * width));
  memset(apl_v(s), 0, sizeof(double) * (size_t)(b->nv * width));
  return st;
}

/* Set the forces of loop rows in a scalar or complex state. */
static void push_rows(const balance* b, apl_state* s, const double* x) {
  const int width = apl_state_width(s);

  for (int k = 0; k < b->n - b->nfree; ++k)
    apl_loop_row(s)[(APL_LOOP * k + APL_LOOP_FORCE) * width] = b->push[k] + x[b->nfree + k];
}

/* Move the user's state to x, at rest, and find the shapes that touch there. */
static apl_status go_to(balance* b, const double* x) {
  double* v = apl_v(b->state);

  memset(v, 0, sizeof *v * (size_t)b->nv);
  for (int k = 0; k < b->nfree; ++k)
    v[b->velocity[k]] = x[k];
  push_rows(b, b->state, x);
  const apl_status st = move(b, b->state);
  const bool crowded =
      st == APL_OK && b->model->nslot > 0 && apl_near_fill(&b->near, b->model, b->state) >= 0;
  return crowded ? APL_ERR_MODEL : st;
}

apl_status apl_balance_residual(balance* b, const double* x, double* r) {
  apl_status st = go_to(b, x);
  if (st == APL_OK) st = apl_bias(b->model, b->state, b->bias);

  /* r = tau(q, 0, 0) - J^T p - tau, then the gaps from the same pass */
  for (int i = 0; i < b->nfree; ++i)
    r[i] = b->bias[b->velocity[i]] - b->tau[b->velocity[i]];
  for (int i = b->nfree; i < b->n; ++i)
    r[i] = apl_loop_row(b->state)[APL_LOOP * (i - b->nfree) + APL_LOOP_GAP];
  return st;
}

/* Give the complex state the contacts of the user's state at x. The user's state is left there. */
static apl_status copy_touches(balance* b, const double* x) {
  const apl_model* m = b->model;
  if (m->nslot == 0) return APL_OK;
  const apl_status st = go_to(b, x);

  for (int i = m->npair - m->nslot; i < m->npair; ++i) {
    apl_contact c;
    apl_contact_get(b->state, i, 0, &c);
    apl_contact_remember(b->wide, i, 0, &c);
  }
  memcpy(b->wide->touch, b->state->touch, sizeof *b->state->touch * (size_t)m->nslot);
  return st;
}

/* At zero velocity the smoothed dry friction of contacts has the slope mu N/v0, of which only mu N
   is physical: it would lock small motions. Marking a contact as sticking leaves friction to a
   constraint row, and there is none here: so it slides freely. */
static void let_slide(balance* b, bool slides) {
  for (int i = 0; i < b->model->npair; ++i) {
    apl_contact c;
    apl_contact_get(b->wide, i, 0, &c);
    c.sticks = slides;
    apl_contact_remember(b->wide, i, 0, &c);
  }
}

apl_status apl_balance_damping(balance* b, double* D) {
  const double h = 1e-100;
  double *q = apl_q(b->wide), *v = apl_v(b->wide);
  apl_status st = copy_touches(b, b->zero);

  for (int i = 0; i < b->nq; ++i)
    q[2 * i] = b->base[i], q[2 * i + 1] = 0.0;
  memset(v, 0, 2 * sizeof *v * (size_t)b->nv);
  let_slide(b, true);
  for (int k = 0; k < b->nfree && st == APL_OK; ++k) {
    v[2 * b->velocity[k] + 1] = h;
    st = apl_bias(b->model, b->wide, b->bias);
    v[2 * b->velocity[k] + 1] = 0.0;
    for (int i = 0; i < b->nfree; ++i)
      D[k * b->nfree + i] = b->bias[2 * b->velocity[i] + 1] / h;
  }
  let_slide(b, false);
  return st;
}

apl_status apl_balance_jacobian(balance* b, const double* x, double* J) {
  const double h = 1e-100;
  double *v = apl_v(b->wide), *row = apl_loop_row(b->wide);
  apl_status st = copy_touches(b, x);

  for (int k = 0; k < b->n && st == APL_OK; ++k) {
    double* moved = k < b->nfree ? &v[2 * b->velocity[k] + 1]
                                 : &row[2 * (APL_LOOP * (k - b->nfree) + APL_LOOP_FORCE) + 1];
    memset(v, 0, 2 * sizeof *v * (size_t)b->nv);
    for (int i = 0; i < b->nfree; ++i)
      v[2 * b->velocity[i]] = x[i];
    push_rows(b, b->wide, x);
    *moved = h;
    st = move(b, b->wide);
    if (st == APL_OK) st = apl_bias(b->model, b->wide, b->bias);

    /* dr/dx_k = Im r(x + i h e_k) / h */
    for (int i = 0; i < b->nfree; ++i)
      J[k * b->n + i] = b->bias[2 * b->velocity[i] + 1] / h;
    for (int i = b->nfree; i < b->n; ++i)
      J[k * b->n + i] = row[2 * (APL_LOOP * (i - b->nfree) + APL_LOOP_GAP) + 1] / h;
    *moved = 0.0;
  }
  return st;
}

apl_status apl_balance_rebase(balance* b, double* x) {
  double* v = apl_v(b->state);

  memset(v, 0, sizeof *v * (size_t)b->nv);
  for (int k = 0; k < b->nfree; ++k)
    v[b->velocity[k]] = x[k];
  const apl_status st = move(b, b->state);
  if (st != APL_OK) return st;
  for (int k = 0; k < b->n - b->nfree; ++k)
    b->push[k] += x[b->nfree + k];
  memcpy(b->base, apl_q(b->state), sizeof(double) * (size_t)b->nq);
  memset(x, 0, sizeof *x * (size_t)b->n);
  return APL_OK;
}

/* --------------------------------------------------------------------------------- sizes ---- */

/* Diagonal of the bounding box of all ports; 1 m for robots without extent. */
static apl_status find_length(balance* b) {
  const int n = apl_model_count(b->model, APL_PORTS);
  double* X = calloc(12 * (size_t)n + 1, sizeof *X);
  double square = 0.0;
  if (X == NULL) return APL_ERR_MEMORY;

  const apl_status st = apl_poses(b->model, b->state, X);
  for (int k = 9; k < 12; ++k) {
    double least = HUGE_VAL, greatest = -HUGE_VAL;
    for (int p = 0; p < n; ++p) {
      least = fmin(least, X[12 * p + k]);
      greatest = fmax(greatest, X[12 * p + k]);
    }
    if (n > 0) square += (greatest - least) * (greatest - least);
  }
  free(X);
  b->length = square > 1e-12 ? sqrt(square) : 1.0;
  return st;
}

/* Half a unit; with shapes at most half of the smallest shape. */
static double find_stride(const balance* b) {
  double stride = 0.5;

  for (int i = 0; i < b->model->nsolid; ++i) {
    const apl_solid* s = &b->model->solid[i];
    const solid a = {(solid_kind)s->kind, {s->size[0], s->size[1], s->size[2]}};
    stride = fmin(stride, 0.5 * apl_solid_reach(&a) / b->length);
  }
  return stride;
}

/* Update the largest sum of terms of each row: |r_i| + sum_k |J_ik| unit_k. */
static void raise_forces(balance* b, const double* r, const double* J) {
  for (int i = 0; i < b->n; ++i) {
    double sum = fabs(r[i]);
    for (int k = 0; k < b->n; ++k)
      sum += fabs(J[k * b->n + i]) * b->unit[k];
    b->force[i] = fmax(b->force[i], sum);
  }
}

apl_status apl_balance_scale(balance* b, double* r, double* J) {
  double* x = calloc((size_t)b->n + 1, sizeof *x);
  apl_status st = x == NULL ? APL_ERR_MEMORY : find_length(b);

  b->stride = find_stride(b);
  for (int i = 0; i < b->n; ++i) {
    const bool row = i >= b->nfree;
    const char* unit = row ? "" : apl_model_unit(b->model, APL_VELOCITIES, b->velocity[i]);
    b->unit[i] = strcmp(unit, "m/s") == 0 ? b->length : row ? 0.0 : 1.0;
    b->force[i] = 0.0;
  }
  /* at the base point all terms may vanish (an upright pole), so a second point is used too */
  for (int probe = 0; probe < 2 && st == APL_OK; ++probe) {
    for (int i = 0; i < b->n; ++i)
      x[i] = probe * 0.1 * b->unit[i] * cos(1.0 + i);
    st = apl_balance_residual(b, x, r);
    if (st == APL_OK) st = apl_balance_jacobian(b, x, J);
    if (st == APL_OK) raise_forces(b, r, J);
  }
  free(x);

  /* a soft freedom has its own scale, but round-off of the stiff ones affects it */
  double work = 0.0;
  for (int i = 0; i < b->nfree; ++i)
    work = fmax(work, b->force[i] * b->unit[i]);
  /* forces of rows have the scale of the other forces */
  for (int i = b->nfree; i < b->n; ++i) {
    const bool metres = strcmp(apl_model_unit(b->model, APL_LOOP_ROWS, i - b->nfree), "m") == 0;
    b->unit[i] = work > 0.0 ? work / (metres ? b->length : 1.0) : 1.0;
  }
  for (int i = 0; i < b->n; ++i)
    b->force[i] = work > 0.0 ? fmax(b->force[i], 1e-4 * work / b->unit[i]) : 1.0;
  return st;
}

double apl_balance_size(const balance* b, const double* r, int* worst) {
  double size = 0.0;

  *worst = b->nfree > 0 ? 0 : -1;
  for (int i = 0; i < b->nfree; ++i) {
    const double part = fabs(r[i]) / b->force[i];
    if (!(part <= size)) size = part, *worst = i;
  }
  for (int i = b->nfree; i < b->n; ++i)
    size = fmax(size, fabs(r[i]) / b->force[i]);
  return size;
}
