/* SPDX-License-Identifier: Apache-2.0 */
/* kinematics.c: poses, twists, accelerations and Jacobians of ports. */
#include "dynamics/outward.h"
#include "dynamics/world.h"

static inline pose port_in_world(const apl_model* m, const state* s, int port) {
  return pose_mul(s->X[m->port[port].frame], par_pose(s, m->port[port].pose));
}

static apl_status port_pose(const apl_model* m, apl_state* head, int port, double* out) {
  state* s = hot(head);

  positions(m, s);
  const pose X = port_in_world(m, s, port);
  memcpy(out, &X, sizeof X);
  return finite_status((const real*)(const void*)out, 12);
}

static apl_status poses(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* X = (real*)(void*)out;

  positions(m, s);
  for (int p = 0; p < m->nport; ++p) {
    const pose Xp = port_in_world(m, s, p);
    memcpy(X + 12 * p, &Xp, sizeof Xp);
  }
  return finite_status(X, 12 * m->nport);
}

/* Poses of cross-sections for drawing, of a body made of one element. Bodies of several elements
   are drawn through the ends of these. */
static apl_status sections(const apl_model* m, apl_state* head, int link, double* out) {
  state* s = hot(head);
  real* X = (real*)(void*)out;
  real S[6 * APL_MAX_NX];
  section at = {.S = S};
  int count = 0;

  positions(m, s);
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->link != link || n->ndrawn == 0) continue;

    const body_in in = body_input(s, n);
    for (int k = 0; k < n->ndrawn; ++k, ++count) {
      body_ops_of(n->body)->shape(&in, s->par + n->drawn + k * n->nsection, &at);
      const pose P = pose_mul(s->X[n->frame], at.X);
      memcpy(X + 12 * count, &P, sizeof P);
    }
  }
  return finite_status(X, 12 * count);
}

static apl_status port_motion(const apl_model* m, apl_state* head, int port, apl_axes axes,
                              double* twist_out, double* accel_out) {
  state* s = hot(head);
  const int f = m->port[port].frame;
  const pose X = par_pose(s, m->port[port].pose);

  positions(m, s);
  velocities(m, s);
  set_world(s);
  outward(m, s, s->a);

  const pose Xw = port_in_world(m, s, port);
  twist V = twist_to(X, s->V[f]);
  accel A = port_accel(s, f, X, Xw.R);
  if (axes == APL_WORLD_AXES) {
    V = (twist){mul(Xw.R, V.w), mul(Xw.R, V.v)};
    A = (accel){mul(Xw.R, A.dw), mul(Xw.R, A.a)};
  }
  if (twist_out != NULL) memcpy(twist_out, &V, sizeof V);
  if (accel_out != NULL) memcpy(accel_out, &A, sizeof A);
  const real check[4] = {dot(V.w, V.w), dot(V.v, V.v), dot(A.dw, A.dw), dot(A.a, A.a)};
  return finite_status(check, 4);
}

/* ---------------------------------------------------------------------------- Jacobian ---- */

/* How the motion of the present frame moves the port, while walking from the port to the world. It
   follows from the pose alone until a slaved joint is passed; from then on a 6x6 matrix (rows) is
   needed. */
typedef struct reach {
  pose X;      /* the port seen from the present frame                                            */
  bool slaved; /* use rows                                                                        */
  real rows[36];
} reach;

HOT_INLINE twist reach_mul(const reach* r, twist S) {
  return r->slaved ? rows_mul(r->rows, S) : twist_to(r->X, S);
}

/* rows of Ad(X)^-1 */
static void adjoint_rows(pose X, real* rows) {
  for (int k = 0; k < 6; ++k) {
    real e[6];
    zero(e, 6);
    e[k] = real_of(1.0);
    const twist c = twist_to(X, column(e, 0));
    rows[k] = c.w.x, rows[6 + k] = c.w.y, rows[12 + k] = c.w.z;
    rows[18 + k] = c.v.x, rows[24 + k] = c.v.y, rows[30 + k] = c.v.z;
  }
}

/* rows := rows B */
static void rows_times(real* rows, const real* B) {
  for (int i = 0; i < 6; ++i) {
    real out[6];
    for (int k = 0; k < 6; ++k) {
      out[k] = real_of(0.0);
      for (int j = 0; j < 6; ++j)
        out[k] += rows[6 * i + j] * B[6 * j + k];
    }
    for (int k = 0; k < 6; ++k)
      rows[6 * i + k] = out[k];
  }
}

/* Go one frame up. Phi is NULL except for slaved joints. */
HOT_INLINE void reach_up(reach* r, pose X_up, const real* Phi) {
  if (Phi != NULL && !r->slaved) {
    adjoint_rows(r->X, r->rows);
    r->slaved = true;
  }
  if (r->slaved) {
    real B[36];
    if (Phi == NULL) adjoint_rows(X_up, B);
    rows_times(r->rows, Phi == NULL ? B : Phi);
  }
  r->X = pose_mul(X_up, r->X);
}

HOT_INLINE void put_column(real* J, int nv, int k, twist V) {
  J[k] = V.w.x, J[nv + k] = V.w.y, J[2 * nv + k] = V.w.z;
  J[3 * nv + k] = V.v.x, J[4 * nv + k] = V.v.y, J[5 * nv + k] = V.v.z;
}

/* Columns of J of one node, seen from the port; then go to the frame above. */
static inline void reach_node(const apl_model* m, state* s, const apl_node* n, int f, reach* r,
                              real* J) {
  const real o = real_of(0.0), i = real_of(1.0);

  if (n->path == PATH_REVOLUTE) {
    put_column(J, m->nv, n->v0, reach_mul(r, (twist){{o, o, i}, {o, o, o}}));
    reach_up(r, fast_pose(s, n), NULL);
    return;
  }
  if (n->path == PATH_PRISMATIC) {
    put_column(J, m->nv, n->v0, reach_mul(r, (twist){{o, o, o}, {o, o, i}}));
    reach_up(r, fast_pose(s, n), NULL);
    return;
  }
  if (f != n->frame) {
    /* a port of a deformable body: the columns of its deformations come first */
    const int p = f - n->port0;
    const real* S = s->work + work_port(n, p);
    ask_section(s, n, p);
    for (int k = 0; k < n->nx; ++k)
      put_column(J, m->nv, n->xv0 + k, reach_mul(r, column(S, k)));
    reach_up(r, s->X_up[f], NULL);
  }
  if (!has_joint(n)) return;
  const real* S = s->work + work_S(n);
  ask_joint(s, n, twist_zero());
  for (int k = 0; k < n->nv; ++k)
    put_column(J, m->nv, n->v0 + k, reach_mul(r, column(S, k)));
  reach_up(r, s->X_up[n->frame], n->slaved ? s->work + work_Phi(n) : NULL);
}

/* Only links between the port and the world have nonzero columns. */
static apl_status jacobian(const apl_model* m, apl_state* head, int port, apl_axes axes,
                           double* out) {
  state* s = hot(head);
  real* J = (real*)(void*)out;
  const int nv = m->nv;
  reach r = {.X = par_pose(s, m->port[port].pose)};

  zero(J, 6 * nv);
  sincos_sweep(s->q, m->angle, m->nangle, s->sc);
  for (int f = m->port[port].frame; f > 0;) {
    const apl_node* n = &m->node[m->frame[f].node];
    reach_node(m, s, n, f, &r, J);
    f = n->up;
  }
  for (int k = 0; axes == APL_WORLD_AXES && k < nv; ++k) {
    /* r.X is now the pose of the port in the world */
    const vec3 w = {J[k], J[nv + k], J[2 * nv + k]};
    const vec3 v = {J[3 * nv + k], J[4 * nv + k], J[5 * nv + k]};
    put_column(J, nv, k, (twist){mul(r.X.R, w), mul(r.X.R, v)});
  }
  return finite_status(s->q, m->nq);
}
