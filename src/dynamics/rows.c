/* rows.c: what others ask of the rows of loops: gaps, rates and accelerations, their Jacobian, and
   the wrenches that joints carry. */
#include "dynamics/world.h"

static apl_status finite_rows(const apl_model* m, const state* s) {
  real sum = real_of(0.0);

  for (int k = 0; k < m->nrow; ++k)
    sum += s->row[k].gap + s->row[k].rate + s->row[k].accel;
  return finite_status(&sum, 1);
}

static apl_status rows(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  positions(m, s);
  velocities(m, s);
  set_world(s);
  outward(m, s, s->a);
  row_motions(m, s, true);
  return finite_rows(m, s);
}

/* J = sum over both ends of (columns on the way to the world) . (wrench of a unit force) */
static apl_status rows_jacobian(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* J = (real*)(void*)out;

  positions(m, s);
  velocities(m, s);
  world_columns(m, s);
  row_motions(m, s, false);
  zero(J, m->nrow * m->nv);
  for (int k = 0; k < m->nrow; ++k) {
    const apl_loop* l = &m->loop[m->row[k].loop];
    real* row = J + k * m->nv;
    if (m->row[k].kind == ROW_TIE) {
      row[l->velocity[0]] += 1.0;
      row[l->velocity[1]] -= s->par[l->par + TIE_RATIO];
      continue;
    }
    for (int end = 0; end < 2; ++end) {
      const int f = l->frame[end];
      if (f == 0) continue;
      const pose X = root_pose(s, &m->node[m->frame[f].node], f);
      walk(m, s, m->frame_column[f], wrench_from(X, s->row_wrench[2 * k + end]), row, 1);
    }
  }
  return finite_rows(m, s);
}

/* What each joint carries from the link above to its own, for the present a, in world axes at the
   origin of its body frame; zeros for links that are fixed and have no frame of their own. */
static apl_status joint_wrenches(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* W = (real*)(void*)out;

  inverse_of(m, s, s->a, s->column);
  if (!has_wrenches(m, s)) positions(m, s); /* else inverse dynamics has done so */
  zero(W, 6 * m->nlink);
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (!has_joint(n)) continue;
    const mat3 R = s->X[n->frame].R;
    const wrench x = {mul(R, s->W[n->frame].n), mul(R, s->W[n->frame].f)};
    memcpy(W + 6 * n->link, &x, sizeof x);
  }
  return finite_status(W, 6 * m->nlink);
}
