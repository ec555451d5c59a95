/* supports.c: forward dynamics with what holds the robot, and velocities that jump. Both are rows
   of couple/rows.h, from all kinds of couplings (kind.h): at the level of accelerations with
   forces, or of velocities with impulses. Theory: docs/theory/contact.md, "Supports". */
#include "system/system_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* How many rows may act; of one kind only, which closes itself? */
static int count_rows(apl_system* s, coupling_pass* p, const coupling_kind** only) {
  int n = 0, kinds = 0;

  for (int i = 0; i < s->nkind; ++i) {
    const coupling_kind* kind = apl_kinds[s->kind[i]];
    const int count = kind->count(s, p);
    if (count == 0) continue;
    n += count;
    kinds += 1;
    *only = kind;
  }
  p->alone = kinds == 1 && (*only)->alone != NULL;
  return n;
}

/* Rows for the accelerations that the state has without their forces. */
static apl_status list_rows(apl_system* s, coupling_pass* p, int most) {
  apl_status st = apl_forward(s->model, s->state);

  if (st == APL_OK) st = apl_factor_last(s->model, s->state);
  if (st == APL_OK) st = apl_frames_move(s->model, s->state, true);
  if (st == APL_OK) st = apl_rows_reserve(&s->rows, s->model, most);
  if (st == APL_OK) st = apl_couplings_list(s, p);
  return st == APL_OK ? apl_rows_inertia(&s->rows, s->model, s->state, p->skewed) : st;
}

/* Forward dynamics without rows, the forces that hold all rows, forward dynamics with them. */
apl_status apl_couplings_forward(apl_system* s, coupling_pass* p) {
  const coupling_kind* only = NULL;
  const int n = count_rows(s, p, &only);

  s->fresh = false;
  apl_status st = apl_couplings_begin(s, p);
  if (st != APL_OK) return st;
  if (n == 0) return apl_forward(s->model, s->state);
  if (p->alone) return only->alone(s, p);
  st = list_rows(s, p, n);
  if (st != APL_OK) return st;
  /* forces of the last evaluation are close, unless an event or a jump lies between */
  s->solved = apl_rows_solve(&s->rows, !p->skewed, s->warm == s->rows.n, true);
  s->warm = s->solved.status == APL_CONE_FAILED ? 0 : s->rows.n;
  if (s->solved.status == APL_CONE_FAILED) return APL_ERR_CONTACT;

  memcpy(s->jump, apl_tau(s->state), sizeof *s->jump * (size_t)s->nv);
  st = apl_couplings_take(s, p);
  if (st == APL_OK) st = apl_forward(s->model, s->state);
  apl_couplings_end(s, p);
  return st;
}

apl_status apl_system_forward(apl_system* s) {
  coupling_pass p = {.level = LEVEL_ACCELERATION};
  return apl_couplings_forward(s, &p);
}

/* u+ = u + W p with impulses p. `ahead` [s] looks at what accelerations will have done by then. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double ahead, double* impulse) {
  coupling_pass p = {.level = LEVEL_JUMP, .h = ahead, .hit = hit, .impulse = impulse};
  double* v = apl_v(s->state);

  s->fresh = false;
  s->warm = 0;
  apl_status st = apl_couplings_begin(s, &p);
  if (st == APL_OK && ahead > 0.0) st = apl_forward(s->model, s->state);
  if (st == APL_OK) st = apl_couplings_look(s, &p);
  if (st == APL_OK) st = apl_frames_move(s->model, s->state, ahead > 0.0);
  if (st == APL_OK) st = apl_rows_reserve(&s->rows, s->model, apl_couplings_count(s, &p));
  if (st == APL_OK) st = apl_couplings_list(s, &p);
  if (st == APL_OK) st = apl_factor(s->model, s->state, 0.0);
  if (st == APL_OK) st = apl_rows_inertia(&s->rows, s->model, s->state, false);
  if (st != APL_OK) return st;
  s->solved = apl_rows_solve(&s->rows, true, false, true);
  if (s->solved.status == APL_CONE_FAILED) return APL_ERR_CONTACT;

  st = apl_rows_spread(&s->rows, s->model, s->state, s->innovation, s->jump, NULL);
  for (int j = 0; j < s->nv && st == APL_OK; ++j)
    v[j] += s->jump[j];
  return st == APL_OK ? apl_couplings_take(s, &p) : st;
}
