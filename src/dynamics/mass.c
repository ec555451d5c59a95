/* SPDX-License-Identifier: Apache-2.0 */
/* mass.c: the mass matrix from composite inertias, in world axes. The wrench I_k S_k of freedom k,
   projected on the freedoms between k and the world, gives one part of row k of M; the other part
   follows from symmetry and is mirrored at the end. Theory: docs/theory/passes.md, 4. */
#include "dynamics/eliminate.h"
#include "dynamics/satellites.h"
#include "dynamics/world.h"

/* Each pair of freedoms has been written on one side of the diagonal only: copy it to the other.
   The copy runs over tiles, so that large matrices stay in the cache. */
static void mirror(real* M, int n) {
  enum { TILE = 16 };

  for (int i0 = 0; i0 < n; i0 += TILE) {
    for (int j0 = 0; j0 <= i0; j0 += TILE) {
      for (int i = i0; i < n && i < i0 + TILE; ++i) {
        for (int j = j0; j < i && j < j0 + TILE; ++j) {
          const real x = M[i * n + j] + M[j * n + i];
          M[i * n + j] = x;
          M[j * n + i] = x;
        }
      }
    }
  }
}

/* Wheels and rotors: M += J (row, rowP)^T (row, rowP); rowP belongs to the frame above. */
static void satellite_columns(const apl_model* m, state* s, const apl_node* n, real* M) {
  const pose up = root_pose(s, n, n->up);
  satellites sat;

  ask_satellites(m, s, n, &sat);
  for (int i = 0; i < n->nsat; ++i) {
    const real* row = sat.row + i * n->nv;
    const twist p = column(sat.rowP, i);
    const wrench P = wrench_from(up, (wrench){p.w, p.v});
    const real J = sat.J[i];

    for (int k = 0; k < n->nv; ++k) {
      real* out = M + (n->v0 + k) * m->nv;
      for (int j = 0; j <= k; ++j)
        out[n->v0 + j] += J * row[k] * row[j];
      if (n->slaved) walk(m, s, m->frame_column[n->up], wrench_scale(J * row[k], P), out, 1);
    }
    if (!n->slaved) continue;
    s->I[n->up] = reduce(s->I[n->up], (accel){P.n, P.f}, -J);
  }
}

/* ------------------------------------------------------------------------------ rigid trees ----
 */

/* World pose, motion columns and inertia of every link in one sweep. C receives each link's own
   inertia, from which the composites are summed. */
static inline void rigid_sweep(const apl_model* m, state* s, rigid_inertia* C) {
  sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  s->X[0] = pose_identity_real();
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;

    if (n->path == PATH_GENERAL) {
      ask_joint(s, n, twist_zero());
      s->X[f] = pose_mul(s->X[n->up], s->X_up[f]);
    } else {
      s->X[f] = pose_mul(s->X[n->up], fast_pose(s, n));
    }
    const pose X = root_pose(s, n, f);
    joint_columns(s, n, X);
    C[f] = rigid_from(X.R, X.p, par_inertia(s, m->frame[f].inertia));
  }
}

static void rigid_mass_matrix(const apl_model* m, state* s, real* M) {
  /* the array of articulated inertias is not in use here */
  rigid_inertia* C = (rigid_inertia*)(void*)s->I;

  rigid_sweep(m, s, C);
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const rigid_inertia I = C[n->frame];

    for (int k = 0; k < n->nv; ++k) {
      const int c = n->v0 + k;
      walk(m, s, c, rigid_mul(I, world_column(s, c)), M + c * m->nv, 1);
    }
    if (n->nsat > 0) satellite_columns(m, s, n, M);
    if (n->up == 0) continue;
    rigid_inertia* up = &C[n->up];
    up->m += I.m;
    up->h = add(up->h, I.h);
    up->J = sym3_add(up->J, I.J);
  }
}

/* ------------------------------------------------------------------------------- all trees ---- */

HOT_INLINE inertia6 to_world(const state* s, const apl_node* n, int f, inertia6 I) {
  const pose X = root_pose(s, n, f);
  return inertia6_from(X.R, X.p, I);
}

/* Deformations: the block of the body plus the inertia at its ports. Fills M_xx and its columns,
   and adds the body to the composite inertia of its frame. */
static void body_columns(const apl_model* m, state* s, const apl_node* n, real* M) {
  const int nv = m->nv;
  const pose X = root_pose(s, n, n->frame);
  body_block B;

  ask_body(s, n, vec3_zero(), &B);
  for (int k = 0; k < n->nx; ++k) {
    const twist u = column(B.U, k);
    wrench F = wrench_from(X, (wrench){u.w, u.v});

    for (int j = 0; j <= k; ++j)
      M[(n->xv0 + k) * nv + n->xv0 + j] = B.D[k * n->nx + j];
    for (int p = 0; p < n->nport; ++p) {
      const twist S = world_column(s, n->world + p * n->nx + k);
      const wrench Fp = inertia6_mul(s->I[n->port0 + p], (accel){S.w, S.v});
      for (int j = 0; j <= k; ++j) {
        M[(n->xv0 + k) * nv + n->xv0 + j] += power(world_column(s, n->world + p * n->nx + j), Fp);
      }
      F = wrench_add(F, Fp);
    }
    walk(m, s, m->frame_column[n->frame], F, M + (n->xv0 + k) * nv, 1);
  }
  s->I[n->frame] = inertia6_add(s->I[n->frame], inertia6_from(X.R, X.p, B.I));
  for (int p = 0; p < n->nport; ++p)
    s->I[n->frame] = inertia6_add(s->I[n->frame], s->I[n->port0 + p]);
}

static void general_mass_matrix(const apl_model* m, state* s, real* M) {
  positions(m, s);
  world_columns(m, s);
  for (int f = 1; f < m->nframe; ++f) {
    const apl_node* n = &m->node[m->frame[f].node];
    s->I[f] = to_world(s, n, f, inertia6_of_rigid(par_inertia(s, m->frame[f].inertia)));
  }
  s->I[0] = inertia6_zero();
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;

    if (n->nx > 0) body_columns(m, s, n, M);
    if (!has_joint(n)) continue;
    for (int k = 0; k < n->nv; ++k) {
      const twist S = world_column(s, n->v0 + k);
      walk(m, s, n->v0 + k, inertia6_mul(s->I[f], (accel){S.w, S.v}), M + (n->v0 + k) * m->nv, 1);
    }
    if (n->slaved) {
      /* to body axes, then through Phi, then to world axes again */
      const pose X = root_pose(s, n, f);
      const mat3 Rt = {X.R.xx, X.R.yx, X.R.zx, X.R.xy, X.R.yy, X.R.zy, X.R.xz, X.R.yz, X.R.zz};
      const inertia6 at_body = inertia6_from(Rt, neg(mul_t(X.R, X.p)), s->I[f]);
      const inertia6 at_up = slaved_inertia(s->work + work_Phi(n), at_body);
      s->I[n->up] = inertia6_add(s->I[n->up], to_world(s, n, n->up, at_up));
    } else {
      s->I[n->up] = inertia6_add(s->I[n->up], s->I[f]);
    }
    if (n->nsat > 0) satellite_columns(m, s, n, M);
  }
}

static apl_status mass_matrix(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* M = (real*)(void*)out;

  head->factored = FACTORED_NOT; /* composites overwrite the articulated inertias */
  zero(M, m->nv * m->nv);
  if (m->rigid_tree) {
    rigid_mass_matrix(m, s, M);
  } else {
    general_mass_matrix(m, s, M);
  }
  mirror(M, m->nv);
  /* a coordinate that M does not depend on must be finite too */
  const apl_status st = finite_status(s->q, m->nq);
  return st == APL_OK ? finite_status(M, m->nv * m->nv) : st;
}
