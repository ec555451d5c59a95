/* kinematics.c: poses, twists, accelerations and Jacobians of ports. */
#include "dynamics/world.h"

static inline pose port_in_world(const apl_model* m, const state* s, int port) {
  return pose_mul(s->X[m->port[port].frame], par_pose(s, m->port[port].pose));
}

static apl_status port_pose(const apl_model* m, apl_state* head, int port, double* out) {
  state* s = hot(head);

  positions(m, s);
  const pose X = port_in_world(m, s, port);
  memcpy(out, &X, sizeof X);
  return APL_OK;
}

/* (dw; a) of the port, from those of its frame; a gets the centripetal part and gravity back. */
static accel port_accel(const state* s, int f, pose X, mat3 R_world) {
  const accel A = s->A[f];
  const vec3 w = s->w[f];
  const vec3 a = add(A.a, add(cross(A.dw, X.p), cross(w, cross(w, X.p))));

  return (accel){mul_t(X.R, A.dw), add(mul_t(X.R, a), mul_t(R_world, par_gravity(s)))};
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
  return APL_OK;
}

/* Row i of J is what a unit wrench along row i, at the port, does on every freedom. */
static apl_status jacobian(const apl_model* m, apl_state* head, int port, apl_axes axes,
                           double* out) {
  state* s = hot(head);
  real* J = (real*)(void*)out;
  const int f = m->port[port].frame, nv = m->nv;

  zero(J, 6 * nv);
  positions(m, s);
  if (f == 0) return APL_OK;
  world_columns(m, s);

  const apl_node* n = &m->node[m->frame[f].node];
  pose X = pose_mul(root_pose(s, n, f), par_pose(s, m->port[port].pose));
  if (axes == APL_WORLD_AXES) X.R = mat3_identity();
  for (int i = 0; i < 6; ++i) {
    const vec3 e = {real_of(i % 3 == 0 ? 1.0 : 0.0), real_of(i % 3 == 1 ? 1.0 : 0.0),
                    real_of(i % 3 == 2 ? 1.0 : 0.0)};
    const wrench unit = i < 3 ? (wrench){e, vec3_zero()} : (wrench){vec3_zero(), e};
    walk(m, s, f, wrench_from(X, unit), J + i * nv, 1);
  }
  return APL_OK;
}
