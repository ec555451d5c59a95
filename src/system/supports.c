/* SPDX-License-Identifier: Apache-2.0 */
/* supports.c: forward dynamics with constraint forces, and jumps of velocities at impacts. Both
   solve for the rows (couple/rows.h) of all kinds of couplings (kind.h): accelerations with forces,
   or velocities with impulses. Theory: docs/theory/contact.md, "Supports". */
#include "system/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Number of rows that may act. Sets `alone` if all are of one kind that has its own solution. */
static int count_rows(apl_system* s, coupling_pass* p, const coupling_kind** only) {
  int n = 0, kinds = 0;

  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    const int count = kind->count(s, p);
    if (count == 0) continue;
    n += count;
    kinds += 1;
    *only = kind;
  }
  p->alone = kinds == 1 && (*only)->alone != NULL;
  return n;
}

/* Forward dynamics without the forces of rows, then the rows for these accelerations. */
static apl_status list_rows(apl_system* s, coupling_pass* p, int most) {
  apl_status st = apl_forward(s->model, s->state);

  if (st == APL_OK) st = apl_factor_last(s->model, s->state);
  if (st == APL_OK) st = apl_frames_move(s->model, s->state, true);
  if (st == APL_OK) st = apl_rows_reserve(&s->rows, s->model, most, 0);
  if (st == APL_OK) st = apl_couplings_list(s, p);
  return st == APL_OK ? apl_rows_inertia(&s->rows, s->model, s->state, p->skewed) : st;
}

/* Forward dynamics without rows, solution for the forces of rows, forward dynamics with them. */
apl_status apl_couplings_forward(apl_system* s, coupling_pass* p) {
  const coupling_kind* only = NULL;
  const int n = count_rows(s, p, &only);

  s->look.fresh = false;
  apl_status st = apl_couplings_begin(s, p);
  if (st != APL_OK) return st;
  if (n == 0) return apl_forward(s->model, s->state);
  if (p->alone) return only->alone(s, p);
  st = list_rows(s, p, n);
  if (st != APL_OK) return st;
  /* the last forces are a good initial guess, unless there was an event or a jump since then */
  s->solve.last = apl_rows_solve(&s->rows, !p->skewed, s->solve.warm == s->rows.n, true);
  s->solve.warm = s->solve.last.status == APL_CONE_FAILED ? 0 : s->rows.n;
  if (s->solve.last.status == APL_CONE_FAILED) return APL_ERR_CONTACT;

  memcpy(s->room.jump, apl_tau(s->state), sizeof *s->room.jump * (size_t)s->nv);
  st = apl_couplings_take(s, p);
  if (st == APL_OK) st = apl_forward(s->model, s->state);
  apl_couplings_end(s, p);
  return st;
}

apl_status apl_system_forward(apl_system* s) {
  coupling_pass p = {.level = LEVEL_ACCELERATION};

  s->look.fresh = false;
  return s->kinds.asleep ? apl_forward(s->model, s->state) : apl_couplings_forward(s, &p);
}

/* u+ = u + W p with impulses p. With `ahead` [s], u includes the present accelerations times
   `ahead`. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double ahead, double* impulse) {
  coupling_pass p = {.level = LEVEL_JUMP, .h = ahead, .hit = hit, .impulse = impulse};
  double* v = apl_v(s->state);

  s->look.fresh = false;
  s->solve.warm = 0;
  apl_status st = apl_couplings_begin(s, &p);
  if (st == APL_OK && ahead > 0.0) st = apl_forward(s->model, s->state);
  if (st == APL_OK) st = apl_couplings_look(s, &p);
  if (st == APL_OK) st = apl_frames_move(s->model, s->state, ahead > 0.0);
  if (st == APL_OK) st = apl_rows_reserve(&s->rows, s->model, apl_couplings_count(s, &p), 0);
  if (st == APL_OK) st = apl_couplings_list(s, &p);
  if (st == APL_OK) st = apl_factor(s->model, s->state, 0.0);
  if (st == APL_OK) st = apl_rows_inertia(&s->rows, s->model, s->state, false);
  if (st != APL_OK) return st;
  s->solve.last = apl_rows_solve(&s->rows, true, false, true);
  if (s->solve.last.status == APL_CONE_FAILED) return APL_ERR_CONTACT;

  st = apl_rows_spread(&s->rows, s->model, s->state, s->room.innovation, s->room.jump, NULL);
  for (int j = 0; j < s->nv && st == APL_OK; ++j)
    v[j] += s->room.jump[j];
  return st == APL_OK ? apl_couplings_take(s, &p) : st;
}
