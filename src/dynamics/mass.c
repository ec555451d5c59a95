/* mass.c: the mass matrix from composite inertias, in world axes. Column k of M is what the wrench
   I_k S_k does on all freedoms below it. Theory: docs/theory/passes.md, 4. */
#include "dynamics/world.h"

/* Row k of M gets power with F along the path of frame f; the matrix is symmetric. */
static void fill(const apl_model* m, const state* s, int k, int f, wrench F, real* M) {
  const int nv = m->nv;

  while (f > 0) {
    const apl_node* n = &m->node[m->frame[f].node];

    if (f != n->frame) {
      const int p = f - n->frame - 1;
      for (int j = 0; j < n->nx; ++j) {
        const real x = power(world_column(s, n->world + p * n->nx + j), F);
        M[k * nv + n->xv0 + j] = x;
        M[(n->xv0 + j) * nv + k] = x;
      }
    }
    for (int j = 0; j < n->nv; ++j) {
      const real x = power(world_column(s, n->v0 + j), F);
      M[k * nv + n->v0 + j] = x;
      M[(n->v0 + j) * nv + k] = x;
    }
    if (n->slaved) F = slaved_wrench(s, n, F);
    f = n->up;
  }
}

/* ------------------------------------------------------------------------------ rigid trees ---- */

/* Composite rigid inertias are ten numbers, and in world axes they simply add. */
static inline wrench rigid_mul(rigid_inertia I, twist S) {
  return (wrench){add(sym3_mul(I.J, S.w), cross(I.h, S.v)), sub(scale(I.m, S.v), cross(I.h, S.w))};
}

static void rigid_mass_matrix(const apl_model* m, state* s, real* M) {
  /* the arrays of articulated inertias are free here */
  rigid_inertia* C = (rigid_inertia*)(void*)s->I;

  for (int i = 0; i < m->nnode; ++i) {
    const int f = m->node[i].frame;
    const pose X = root_pose(s, &m->node[i], f);
    C[f] = rigid_from(X.R, X.p, par_inertia(s, m->frame[f].inertia));
  }
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const rigid_inertia I = C[n->frame];

    for (int k = 0; k < n->nv; ++k) {
      fill(m, s, n->v0 + k, n->frame, rigid_mul(I, world_column(s, n->v0 + k)), M);
    }
    if (n->up == 0) continue;
    rigid_inertia* up = &C[n->up];
    up->m += I.m;
    up->h = add(up->h, I.h);
    up->J = sym3_add(up->J, I.J);
  }
}

/* ------------------------------------------------------------------------------- all trees ---- */

static inline inertia6 to_world(const state* s, const apl_node* n, int f, inertia6 I) {
  const pose X = root_pose(s, n, f);
  return inertia6_from(X.R, X.p, I);
}

/* Deformations: block of the body plus what hangs on its ports. Fills M_xx and its columns, and adds
   the body to the composite of its frame. */
static void body_columns(const apl_model* m, state* s, const apl_node* n, real* M) {
  const int N = 6 + n->nx, nv = m->nv;
  const pose X = root_pose(s, n, n->frame);
  real* B = s->work + work_M(n);
  real* h = s->work + work_h(n);

  body_ops_of[n->body]->balance(s->par + n->bpar, s->q + n->xq0, s->v + n->xv0, vec3_zero(), B, h);
  for (int k = 0; k < n->nx; ++k) {
    const real* row = B + (6 + k) * N;
    wrench F = wrench_from(X, (wrench){{row[0], row[1], row[2]}, {row[3], row[4], row[5]}});

    for (int j = 0; j < n->nx; ++j) M[(n->xv0 + k) * nv + n->xv0 + j] = row[6 + j];
    for (int p = 0; p < n->nport; ++p) {
      const twist S = world_column(s, n->world + p * n->nx + k);
      const wrench Fp = inertia6_mul(s->I[n->frame + 1 + p], (accel){S.w, S.v});
      for (int j = 0; j < n->nx; ++j) {
        M[(n->xv0 + k) * nv + n->xv0 + j] +=
            power(world_column(s, n->world + p * n->nx + j), Fp);
      }
      F = wrench_add(F, Fp);
    }
    fill(m, s, n->xv0 + k, n->frame, F, M);
  }
  s->I[n->frame] = inertia6_add(s->I[n->frame], inertia6_from(X.R, X.p, inertia6_load(B, N)));
  for (int p = 0; p < n->nport; ++p) {
    s->I[n->frame] = inertia6_add(s->I[n->frame], s->I[n->frame + 1 + p]);
  }
}

/* Wheels and rotors: J (row, rowP)^T (row, rowP); rowP acts on the frame above. */
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
      for (int j = 0; j < n->nv; ++j) M[(n->v0 + k) * m->nv + n->v0 + j] += J * row[k] * row[j];
    }
    if (!n->slaved) continue;

    /* couple own freedoms to those below: add, because fill() has already written there */
    for (int k = 0; k < n->nv; ++k) {
      zero(s->column, m->nv);
      walk(m, s, n->up, wrench_scale(J * row[k], P), s->column, 1);
      for (int j = 0; j < m->nv; ++j) {
        M[(n->v0 + k) * m->nv + j] += s->column[j];
        M[j * m->nv + n->v0 + k] += s->column[j];
      }
    }
    s->I[n->up] = reduce(s->I[n->up], (accel){P.n, P.f}, -J);
  }
}

static void general_mass_matrix(const apl_model* m, state* s, real* M) {
  for (int f = 1; f < m->nframe; ++f) {
    const apl_node* n = &m->node[m->frame[f].node];
    s->I[f] = to_world(s, n, f, inertia6_of_rigid(par_inertia(s, m->frame[f].inertia)));
  }
  s->I[0] = inertia6_zero();
  for (int i = m->nnode - 1; i >= 0; --i) {
    const apl_node* n = &m->node[i];
    const int f = n->frame;

    if (n->nx > 0) body_columns(m, s, n, M);
    for (int k = 0; k < n->nv; ++k) {
      const twist S = world_column(s, n->v0 + k);
      fill(m, s, n->v0 + k, f, inertia6_mul(s->I[f], (accel){S.w, S.v}), M);
    }
    if (n->slaved) {
      /* back to body axes, through Phi, to world axes again */
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

  zero(M, m->nv * m->nv);
  positions(m, s);
  world_columns(m, s);
  if (m->rigid_tree) {
    rigid_mass_matrix(m, s, M);
    for (int i = 0; i < m->nnode; ++i) {
      if (m->node[i].nsat > 0) satellite_columns(m, s, &m->node[i], M);
    }
  } else {
    general_mass_matrix(m, s, M);
  }
  return APL_OK;
}
