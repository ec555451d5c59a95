/* SPDX-License-Identifier: Apache-2.0 */
/* loop_rows.c: gaps, rates, accelerations and Jacobian of the constraint rows of closed loops, and
   forward dynamics in two halves: the multipliers are found between them. */
#include "dynamics/efforts.h"
#include "dynamics/row_parts.h"
#include "dynamics/outward.h"
#include "dynamics/solver.h"
#include "dynamics/world.h"

static apl_status finite_rows(const apl_model* m, const state* s) {
  real sum = real_of(0.0);

  for (int k = 0; k < m->npart; ++k)
    sum += s->row[k].gap + s->row[k].rate + s->row[k].accel;
  return finite_status(&sum, 1);
}

static apl_status loop_rows(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  positions(m, s);
  velocities(m, s);
  set_world(s);
  outward(m, s, s->a);
  row_motions(m, s, true);
  return finite_rows(m, s);
}

/* Forward dynamics without the forces of loops, then the accelerations of their rows. */
static apl_status forward_cut(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  prepare(m, s);
  cut_efforts(m, s);
  const apl_status st = forward_sweeps(m, head);
  if (st != APL_OK) return st;
  if (s->solver->raise != NULL) s->solver->raise(m, s);
  row_motions(m, s, true);
  return finite_rows(m, s);
}

/* Forward dynamics with the forces of the rows. Only right after forward_cut() of an unchanged
   state. */
static apl_status forward_closed(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  s->power[APL_ACCOUNT_LOOP] = apply_rows(m, s);
  return forward_sweeps(m, head);
}

/* number[npart * ROW_NUMBERS]: the wrenches or efforts of unit forces on the rows. After any pass
   that has computed the rows. */
static void loop_numbers(const apl_model* m, apl_state* head, double* out) {
  const state* s = hot(head);
  real* number = (real*)(void*)out;

  for (int k = 0; k < m->npart; ++k, number += ROW_NUMBERS) {
    const bool tie = m->part[k].kind == PART_TIE;
    memcpy(number, s->row_wrench + 2 * k, 2 * sizeof *s->row_wrench);
    number[ROW_EFFORT] = real_of(tie ? 1.0 : 0.0);
    number[ROW_EFFORT + 1] = tie ? -s->par[m->loop[m->part[k].loop].par + TIE_RATIO] : real_of(0.0);
  }
}

/* J = sum over both ends of (motion columns between the frame and the world) . (wrench of a unit
   force) */
static apl_status loop_jacobian(const apl_model* m, apl_state* head, double* out) {
  state* s = hot(head);
  real* J = (real*)(void*)out;

  positions(m, s);
  velocities(m, s);
  world_columns(m, s);
  row_motions(m, s, false);
  zero(J, m->npart * m->nv);
  for (int k = 0; k < m->npart; ++k) {
    const apl_loop* l = &m->loop[m->part[k].loop];
    real* row = J + k * m->nv;
    if (m->part[k].kind == PART_TIE) {
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
