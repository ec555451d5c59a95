/* SPDX-License-Identifier: Apache-2.0 */
/* factor.c: the inward sweep of forward dynamics, for inertias alone: a factorisation of

     M + g C + g^2 K          K, C: stiffness.c; g = 0 gives M

   over the freedoms that are not prescribed. The factors (U, 1/D, X_up, S, I) serve any number of
   right-hand sides (rows.c). Planar robots are factored in space like all others
   (docs/decisions/040). Theory: docs/theory/passes.md, 8. */
#include "dynamics/eliminate.h"
#include "dynamics/screw.h"
#include "dynamics/stiffness.h"

/* Collect 1/D of each freedom in the order of elimination; 0 for prescribed freedoms. */
static void gather_pivots(const apl_model* m, state* s) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];

    if (n->path != PATH_GENERAL) {
      s->d[n->z0] = s->D[i];
      continue;
    }
    for (int k = 0; k < n->nv; ++k)
      s->d[n->z0 + k] = n->joint_prescribed ? real_of(0.0) : s->work[work_D(n) + k * n->nv + k];
    for (int k = 0; k < n->nx; ++k)
      s->d[n->xz0 + k] = n->body_prescribed ? real_of(0.0) : s->work[work_xD(n) + k * n->nx + k];
  }
}

/* A joint along z: D = S^T I S + armature + stiffness and damping terms of this joint alone. */
static mask factor_axis(state* s, const apl_node* n, int i) {
  const bool turns = n->path == PATH_REVOLUTE, stiff = s->g != 0.0 && has_passive(n);
  const pose X = s->X_up[n->frame];
  const inertia6 I = s->I[n->frame];
  const accel U = axis_column(I, turns);

  if (turns && n->nsat == 0 && !stiff) {
    const pivot p = {U, 1.0 / I.J.zz};
    const inertia6 Ia = reduced_from(X.R, X.p, reduce_revolute(I, U, p.d));
    s->I[n->up] = inertia6_add(s->I[n->up], Ia);
    return keep_pivot(s, i, p, I.J.zz, I.J);
  }
  real D = (turns ? I.J.zz : I.M.zz) + s->par[n->par + PAR_ARMATURE];
  if (stiff) D += axis_stiffness(s, n, real_of(s->g * s->g), real_of(s->g));
  const pivot p = {U, 1.0 / D};
  s->I[n->up] = inertia6_add(s->I[n->up], inertia6_from(X.R, X.p, reduce(I, U, p.d)));
  return keep_pivot(s, i, p, D, turns ? I.J : I.M);
}

static mask factor_body(state* s, const apl_node* n) {
  mask bad = real_less(real_of(0.0), real_of(0.0));
  body_block B;

  ask_body(s, n, vec3_zero(), &B);
  if (s->g != 0.0) {
    const body_in in = body_input(s, n);
    body_ops_of(n->body)->stiffness(&in, real_of(s->g * s->g), real_of(s->g), B.D);
  }
  for (int p = 0; p < n->nport; ++p)
    port_inertia(s, n, p, &B);
  if (!n->body_prescribed) bad = eliminate_inertia(&B.I, B.U, B.D, n->nx);
  s->I[n->frame] = inertia6_add(s->I[n->frame], B.I);
  return bad;
}

/* A body whose deformations form a screw X: its own stiffness and damping k act along coordinate k
   of X'' = d + ad(X) A. With z = row k of ad(X):  D += k,  U += k z,  I += k z z^T */
static void stiffen_screw(state* s, const apl_node* n, six* I, screw_block* B) {
  const body_in in = body_input(s, n);
  real K[36], k_own[6];
  six Z[6], own[6];

  zero(K, 36);
  body_ops_of(n->body)->stiffness(&in, real_of(s->g * s->g), real_of(s->g), K);
  for (int k = 0; k < 6; ++k)
    k_own[k] = K[7 * k];
  screw_rows(B->X, Z);
  screw_diagonal(k_own, own);
  for (int k = 0; k < 6; ++k) {
    const six z = Z[k];

    six_join(&B->D[k], &own[k]);
    six_add(&B->U[k], k_own[k], &z);
    for (int i = 0; i < 6; ++i)
      six_add_from(i, &I[i], k_own[k] * six_at(&z, i), &z);
  }
}

static mask factor_screw(state* s, const apl_node* n) {
  screw_block* B = &s->screw[n->screw];
  real none[6];
  six I[6], left;

  zero(none, 6);
  screw_diagonal(B->I, I);
  if (s->g != 0.0) stiffen_screw(s, n, I, B);
  for (int p = 0; p < n->nport; ++p)
    screw_port(s->I[n->port0 + p], s->work + work_port(n, p), I, B);
  const mask bad = screw_eliminate(B, I, none, &left, s->work + work_xU(n), s->work + work_xD(n));
  s->I[n->frame] = inertia6_add(s->I[n->frame], inertia6_of_six(I));
  return bad;
}

static mask factor_joint(const apl_model* m, state* s, const apl_node* n) {
  inertia6 I = s->I[n->frame];
  mask bad = real_less(real_of(0.0), real_of(0.0));
  satellites sat;

  ask_diagonal(m, s, n, &sat);
  joint_block(s, n, &sat, &I);
  if (joint_moves(n)) {
    bad = eliminate_inertia(&I, s->work + work_U(n), s->work + work_D(n), n->nv);
  }
  pass_inertia(s, n, I);
  return bad;
}

static failure factor_sweep(const apl_model* m, state* s) {
  failure fail = no_failure();

  s->I[0] = inertia6_zero();
  for (int f = 1; f < m->nframe; ++f)
    s->I[f] = inertia6_of_rigid(par_inertia(s, m->frame[f].inertia));
  ask_screws(m, s, false);
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];

    if (n->path != PATH_GENERAL) {
      note(&fail, factor_axis(s, n, i), n->link);
      continue;
    }
    if (is_screw(n)) {
      note(&fail, factor_screw(s, n), n->link);
    } else if (n->nx > 0) {
      note(&fail, factor_body(s, n), n->link);
    }
    if (has_joint(n)) note(&fail, factor_joint(m, s, n), n->link);
  }
  return fail;
}

/* Factorise once the frames are placed. */
static apl_status factor_frames(const apl_model* m, apl_state* head) {
  state* s = hot(head);
  const failure fail = factor_sweep(m, s);
  const bool fine = all_finite(s->q, m->nq) && all_finite(s->v, m->nv);
  head->factored = FACTORED_NOT;
  if (!fine) return APL_ERR_NOT_FINITE;
  if (mask_any(fail.any)) {
    head->trouble = fail.link;
    return APL_ERR_SINGULAR;
  }
  gather_pivots(m, s);
  head->factored = FACTORED;
  return finite_status(s->d, m->nv);
}

static apl_status factor(const apl_model* m, apl_state* head, double g) {
  state* s = hot(head);

  s->g = g;
  place_frames(m, s, m->nslaved > 0);
  if (m->nslaved > 0) velocities(m, s);
  return factor_frames(m, head);
}

/* Factorise after forward dynamics in the plane, which has overwritten S of the general joints:
   these are computed again in space. */
static apl_status factor_placed(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  s->g = 0.0;
  for (int i = 0; i < m->nnode; ++i) {
    if (m->node[i].path == PATH_GENERAL) place_general(s, &m->node[i]);
  }
  return factor_frames(m, head);
}

/* Factors of M for the present q. If the last forward dynamics left them, they are reused. */
static apl_status factor_last(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  if (head->factored == FACTORED && s->g == 0.0) return APL_OK;
  if (head->factored == FACTORED_PLACED) return factor_placed(m, head);
  if (head->factored != FACTORED_FORWARD) return factor(m, head, 0.0);
  s->g = 0.0;
  gather_pivots(m, s);
  head->factored = FACTORED;
  return APL_OK;
}
