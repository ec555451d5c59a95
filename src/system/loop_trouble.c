/* loop_trouble.c: loops that cannot be kept closed, in words: which row, how far, and why. */
#include "base/error.h"
#include "dynamics/loops.h"
#include "system/system.h"
#include "system/system_impl.h"

#include "dynamics/passes.h"

#include <math.h>
#include <stdio.h>

/* Drift of one step [m or rad] from which on it is looked at whether loops can be closed at all. */
static const double doubtful = 1e-6;

/* Time steps close gaps of their own making at once. Where wider ones [m or rad] stay in most of so
   many steps, there is nothing that closes them. */
enum { PATIENCE = 50 };
static const double open_gap = 1e-2;

/* The row that is furthest open, as the last pass placed them. */
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
  /* energy of springs that push has placed the rows; gen-alpha has forces of its own */
  if (!s->state->springs && apl_loops(s->model, s->state) != APL_OK) return;
  const double gap = widest(s, &row);

  if (gap > l->worst.gap) l->worst.gap = gap, l->widest = row;
}

/* Near a place that loops cannot pass, stretched or folded, rows become dependent, and the forces
   that keep them closed grow without bound. */
bool apl_system_explain_loops(apl_system* s, double t, const double* y, char* text, size_t size) {
  const double nearly = 0.02; /* of what rows that have nothing in common would have */
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
