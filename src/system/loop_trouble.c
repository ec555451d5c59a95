/* SPDX-License-Identifier: Apache-2.0 */
/* loop_trouble.c: detects loops that cannot be kept closed, and says which row, how far, and why.
 */
#include "base/error.h"
#include "dynamics/loops.h"
#include "system/system.h"
#include "system/system_impl.h"

#include "dynamics/passes.h"

#include <math.h>
#include <stdio.h>

/* If the drift of one step exceeds this [m or rad], it is checked whether the projection helps. */
static const double doubtful = 1e-6;

/* A time step closes the gaps that the last one has left. If gaps wider than open_gap [m or rad]
   remain in most of PATIENCE steps, the loops cannot be closed. */
enum { PATIENCE = 50 };
static const double open_gap = 1e-2;

/* The row with the largest gap after the last pass. */
static double widest(const apl_system* s, int* row) {
  double most = 0.0;

  *row = 0;
  for (int k = 0; k < s->model->npart; ++k) {
    const double gap = fabs(s->state->row[APL_LOOP * k + APL_LOOP_GAP]);
    if (gap > most) most = gap, *row = k;
  }
  return most;
}

static apl_status complain(apl_system* s, int row, double gap) {
  return apl_fail(&s->complaint, APL_ERR_INTEGRATOR,
                  "loop constraint '%.60s' cannot be kept closed, its gap is %.3g %s: prescribed "
                  "motions or other loops contradict it",
                  apl_model_name(s->model, APL_LOOP_ROWS, row), gap,
                  apl_model_unit(s->model, APL_LOOP_ROWS, row));
}

apl_status apl_system_check_closed(apl_system* s, double before) {
  int row;
  if (!(before > doubtful)) return APL_OK;
  const apl_status st = apl_loops(s->model, s->state);
  const double gap = widest(s, &row);

  return st != APL_OK || gap < 0.5 * before ? st : complain(s, row, gap);
}

apl_status apl_system_check_steps(apl_system* s) {
  system_loops* l = &s->loops;
  int row;
  if (!apl_system_loops_are_rows(s)) return APL_OK;
  const double gap = widest(s, &row);

  l->stubborn += gap > open_gap ? 1 : l->stubborn > 0 ? -1 : 0;
  return l->stubborn < PATIENCE ? APL_OK : complain(s, row, gap);
}

void apl_system_note_stretch(apl_system* s) {
  system_loops* l = &s->loops;
  int row;
  if (s->model->npart == 0 || l->method != LOOPS_SPRINGS) return;
  /* the energy pass computes gaps if springs are its forces; gen-alpha has forces of its own, and
     gaps are computed here */
  if (!s->state->springs && apl_loops(s->model, s->state) != APL_OK) return;
  const double gap = widest(s, &row);

  if (gap > l->worst.gap) l->worst.gap = gap, l->widest = row;
}

/* Where loops are fully stretched or folded, their rows become dependent, and the forces that keep
   them closed grow without bound. */
bool apl_system_explain_loops(apl_system* s, double t, const double* y, char* text, size_t size) {
  const double nearly = 0.02; /* smallest pivot, relative to that of independent rows */
  apl_closing* w = &s->loops.closing;
  if (!apl_system_loops_are_rows(s) || !s->loops.open) return false;

  apl_system_unpack(s, t, y);
  apl_status st = apl_loops(s->model, s->state);
  if (st == APL_OK) st = apl_factor(s->model, s->state, 0.0);
  if (st == APL_OK) st = apl_closing_factor(w, s->state);
  const apl_lu* f = &w->equal.lu;
  if (st != APL_OK || f->rank == 0 || !(f->smallest < nearly)) return false;
  const int row = f->row[f->rank - 1];
  snprintf(text, size,
           "loops are fully stretched or folded (constraint '%.60s' depends on the others within "
           "%.0e): motors or prescribed motions demand a position out of reach",
           apl_model_name(s->model, APL_LOOP_ROWS, row), f->smallest);
  return true;
}
