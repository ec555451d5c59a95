/* SPDX-License-Identifier: Apache-2.0 */
/* prove.c: measures the tendons of a compiled model in its rest position, and tests the mass matrix
   at one generic configuration, so that a model with an everywhere singular mass matrix is refused
   at load, with the name of the link. Where the spec is lenient, the model is kept and a note is
   given. */
#include "dynamics/passes.h"

#include "base/error.h"

#include <stdint.h>
#include <stdlib.h>

/* A fixed sequence of numbers in -1 .. 1 (splitmix64): generic, and the same on every machine. */
static double generic(uint64_t* seed) {
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(int64_t)z * 0x1p-63;
}

/* Find velocities without inertia. Freedoms are eliminated from the tips, as in the recursion, and
   each pivot is compared with the freedom's diagonal entry of M before elimination. The recursion
   itself compares with the inertia left by the links further out, which is round-off for a singular
   model. Velocities without inertia are skipped and put at the front of `order`; returns their
   number. Prescribed freedoms are not tested. */
static int weightless(const apl_model* m, double* M, int* order) {
  int bad = 0;
  const int nv = m->nv;
  int n = 0;

  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* node = &m->node[i];
    for (int k = 0; k < node->nx && !node->body_prescribed; ++k)
      order[n++] = node->xv0 + k;
    for (int k = node->nv - 1; k >= 0 && !node->joint_prescribed; --k)
      order[n++] = node->v0 + k;
  }
  for (int i = 0; i < n; ++i) {
    /* the rows still to be eliminated are below the diagonal of the permuted matrix */
    const double pivot = M[order[i] * nv + order[i]];
    const double weight = M[nv * nv + order[i]];
    if (!(pivot > 1e-13 * weight)) {
      order[bad++] = order[i];
      continue;
    }
    for (int j = i + 1; j < n; ++j) {
      const double l = M[order[j] * nv + order[i]] / pivot;
      if (l == 0.0) continue;
      for (int k = i + 1; k < n; ++k)
        M[order[j] * nv + order[k]] -= l * M[order[i] * nv + order[k]];
    }
  }
  return bad;
}

/* The link that a velocity belongs to. */
static int link_of(const apl_model* m, int velocity) {
  int i = 0;

  while (velocity >= m->link[i].v0 + m->link[i].nv + m->link[i].nx)
    ++i;
  return i;
}

static apl_status singular(const apl_model* m, int link, apl_error* err) {
  apl_fail(err, APL_ERR_MODEL,
           "link '%s' can move without moving any mass, so that the mass matrix is singular: give "
           "mass and inertia to it or to a link that it carries",
           m->link_name[link]);
  if (err != NULL) {
    err->line = m->link_mark[link].line;
    err->column = m->link_mark[link].column;
  }
  return APL_ERR_MODEL;
}

/* Elimination costs n^3. Above this number of freedoms only the test in the recursion is used. */
enum { MOST_ELIMINATED = 400 };

/* Give a note instead of an error: inverse dynamics works without inertia, and forward dynamics
   will refuse the link by name. */
static apl_status keep_singular(apl_model* m, int link, apl_error* err) {
  apl_error doubt = {0};

  apl_fail(&doubt, APL_ERR_MODEL,
           "link '%s' can move without moving any mass: it is kept, but only inverse dynamics can "
           "be computed until it or a link that it carries has mass and inertia, or a rotor",
           m->link_name[link]);
  doubt.line = m->link_mark[link].line;
  doubt.column = m->link_mark[link].column;
  if (m->weightless < 0) m->weightless = link;
  if (apl_model_add_doubt(m, &doubt)) return APL_OK;
  return apl_fail(err, APL_ERR_MEMORY, "out of memory while checking the model");
}

/* The same for all links with one of the n velocities, one note per link. */
static apl_status keep_weightless(apl_model* m, const int* velocity, int n, apl_error* err) {
  apl_status st = APL_OK;

  for (int link = 0; link < m->nlink && st == APL_OK; ++link) {
    bool has = false;
    for (int k = 0; k < n; ++k)
      has = has || link_of(m, velocity[k]) == link;
    if (has) st = keep_singular(m, link, err);
  }
  return st;
}

static apl_status prove_weights(apl_model* m, apl_state* s, bool lenient, apl_error* err) {
  const size_t nv = (size_t)m->nv;
  if (m->nv == 0 || m->nv > MOST_ELIMINATED) return APL_OK;

  double* M = malloc(sizeof *M * (nv * nv + nv));
  int* order = malloc(sizeof *order * nv);
  apl_status st = APL_ERR_MEMORY;
  if (M == NULL || order == NULL) {
    apl_fail(err, st, "out of memory while checking the model");
  } else {
    st = apl_mass_matrix(m, s, M);
    for (size_t i = 0; i < nv; ++i)
      M[nv * nv + i] = M[i * nv + i];
    const int bad = st == APL_OK ? weightless(m, M, order) : 0;
    if (bad > 0 && lenient)
      st = keep_weightless(m, order, bad, err);
    else if (bad > 0)
      st = singular(m, link_of(m, order[0]), err);
  }
  free(order);
  free(M);
  return st;
}

/* Set the rest lengths that the user left out (marked by a negative number) to the tendon's length
   in the rest position. */
static apl_status rest_lengths(apl_model* m, apl_state* s, apl_error* err) {
  const size_t n = (size_t)m->ntendon;
  if (n == 0) return APL_OK;

  double* length = malloc(sizeof *length * n);
  if (length == NULL)
    return apl_fail(err, APL_ERR_MEMORY, "out of memory while checking the model");
  const apl_status st = apl_tendons(m, s, length, NULL);
  for (size_t i = 0; i < n; ++i) {
    double* rest = &((tendon_par*)(void*)(m->par + m->tendon[i].par))->rest;
    if (*rest < 0.0) *rest = length[i];
  }
  free(length);
  return st;
}

apl_status apl_model_prove(apl_model* m, bool lenient, apl_error* err) {
  apl_state* s;
  uint64_t seed = 1;
  apl_status st = apl_state_new(m, APL_SCALAR, &s);
  if (st != APL_OK) return apl_fail(err, st, "out of memory while checking the model");

  st = rest_lengths(m, s, err);
  for (int i = 0; i < m->nq; ++i)
    s->q[i] += generic(&seed);
  if (st == APL_OK) st = prove_weights(m, s, lenient, err);
  if (st == APL_OK && m->weightless < 0) {
    st = apl_forward(m, s);
    if (st == APL_ERR_SINGULAR)
      st = lenient ? keep_singular(m, s->trouble, err) : singular(m, s->trouble, err);
  }
  if (st == APL_ERR_NOT_FINITE) {
    st = apl_fail(err, APL_ERR_MODEL,
                  "the model has no finite accelerations: its masses, lengths, stiffnesses or "
                  "gravity are too large or too small");
  }
  apl_state_free(s);
  return st;
}
