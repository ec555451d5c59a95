/* loop_rows.c: loops as rows among those of contacts and held velocities. Where nothing else holds
   the robot, system/loops.c closes its loops alone; here the forces of all rows are found together,
   on the level of accelerations (system/supports.c), of velocities that jump (impacts), or of one
   time step (moreau.c). Theory: docs/theory/loops.md, 6. */
#include "step/moreau.h"

#include "dynamics/loops.h"
#include "dynamics/passes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static double* row_of(apl_system* s, int k) {
  return s->state->row + APL_LOOP * k;
}

bool apl_system_loops_are_rows(const apl_system* s) {
  return s->model->npart > 0 && s->loops.method != LOOPS_SPRINGS;
}

apl_status apl_system_cut_loops(apl_system* s) {
  system_loops* l = &s->loops;
  if (!apl_system_loops_are_rows(s)) return APL_OK;

  for (int k = 0; k < s->model->npart; ++k)
    row_of(s, k)[APL_LOOP_FORCE] = 0.0;
  if (l->method != LOOPS_REDUCED) return APL_OK;
  /* dependent coordinates follow the independent ones; the forces are those of the rows */
  const apl_status st = l->reduced.chosen ? APL_OK : apl_reduced_choose(&l->reduced, s->state);
  return st == APL_OK ? apl_reduced_complete(&l->reduced, s->state) : st;
}

/* Equalities behind all other rows, as the last pass placed the loops. */
static void add_rows(apl_system* s) {
  apl_rows* r = &s->rows;
  apl_closing* w = &s->loops.closing;

  s->state->passes->loop_numbers(s->model, s->state, w->number);
  s->loops.first = r->n;
  for (int k = 0; k < w->n; ++k) {
    const int i = apl_rows_add(r, APL_SET_FREE, 1);
    r->way[i] = w->way[k];
    memcpy(r->number + i * ROW_NUMBERS, w->number + k * ROW_NUMBERS, sizeof(double) * ROW_NUMBERS);
  }
  apl_rows_equate(r, w->n);
}

apl_status apl_system_list_loops(apl_system* s, loop_level level, double ahead) {
  const double w = s->loops.stabilise;
  if (!apl_system_loops_are_rows(s)) return APL_OK;

  const apl_status st = apl_loops(s->model, s->state);
  add_rows(s);
  for (int k = 0; k < s->loops.closing.n; ++k) {
    const double* row = row_of(s, k);
    s->rows.q[s->loops.first + k] =
        level == LOOPS_ACCELERATE
            ? row[APL_LOOP_ACCEL] + w * (2.0 * row[APL_LOOP_RATE] + w * row[APL_LOOP_GAP])
            : row[APL_LOOP_RATE] + ahead * row[APL_LOOP_ACCEL];
  }
  return st;
}

void apl_system_give_loops(apl_system* s) {
  if (!apl_system_loops_are_rows(s)) return;
  for (int k = 0; k < s->model->npart; ++k)
    row_of(s, k)[APL_LOOP_FORCE] = s->rows.r[s->loops.first + k];
}

/* ------------------------------------------------------------------------------ time steps ---- */

void apl_moreau_cut_loops(apl_moreau* m) {
  apl_system* s = m->system;

  apl_loops_springs(s->state, false);
  for (int k = 0; k < s->model->npart; ++k)
    row_of(s, k)[APL_LOOP_FORCE] = 0.0;
}

/* Rates at the start, then those of the free motion, which stays in the state. */
apl_status apl_moreau_list_loops(apl_moreau* m) {
  apl_system* s = m->system;
  double* v = apl_v(s->state);
  if (s->model->npart == 0) return APL_OK;

  memcpy(v, m->v, sizeof *v * (size_t)s->nv);
  apl_status st = apl_loops(s->model, s->state);
  for (int k = 0; k < s->model->npart; ++k)
    m->loop[k].before = row_of(s, k)[APL_LOOP_RATE];
  for (int j = 0; j < s->nv; ++j)
    v[j] = m->v[j] + m->free[j];
  if (st == APL_OK) st = apl_loops(s->model, s->state);
  add_rows(s);
  for (int k = 0; k < s->model->npart; ++k)
    s->rows.q[s->loops.first + k] = row_of(s, k)[APL_LOOP_RATE];
  return st;
}

/* Springs act with the gaps and rates of the end of the step:
     P = -h (k (c + h u) + d u)   =>   u + P / (h^2 k + h d) = -h k c / (h^2 k + h d) */
void apl_moreau_soften_loops(apl_moreau* m, double h) {
  apl_system* s = m->system;
  apl_rows* r = &s->rows;
  if (s->loops.method != LOOPS_SPRINGS) return;

  for (int k = 0; k < s->model->npart; ++k) {
    const double* row = row_of(s, k);
    const int i = s->loops.first + k;
    const double stiff = row[APL_LOOP_STIFFNESS], sum = h * (h * stiff + row[APL_LOOP_DAMPING]);
    double* W = &r->W[i * r->n + i];

    /* without a spring a force of no account is left */
    m->loop[k].softness = sum > 0.0 ? 1.0 / sum : *W / DBL_EPSILON;
    m->loop[k].shift = sum > 0.0 ? h * stiff * row[APL_LOOP_GAP] / sum : 0.0;
    *W += m->loop[k].softness;
    r->q[i] += m->loop[k].shift;
  }
}

void apl_moreau_take_loops(apl_moreau* m) {
  apl_system* s = m->system;

  for (int k = 0; k < s->model->npart; ++k) {
    const int i = s->loops.first + k;
    s->loops.last[k] = s->rows.r[i];
    m->loop[k].after = s->rows.u[i] - m->loop[k].shift - m->loop[k].softness * s->rows.r[i];
  }
}

/* Gaps of rows that are held exactly close by a displacement; springs keep theirs. */
void apl_moreau_lift_loops(apl_moreau* m, double h) {
  apl_system* s = m->system;

  for (int k = 0; k < s->model->npart; ++k) {
    const int i = s->loops.first + k;
    s->rows.block[s->rows.nblock++] = (apl_cone_block){.set = APL_SET_FREE, .row = i};
    s->rows.q[i] = s->loops.method == LOOPS_SPRINGS ? 0.0 : row_of(s, k)[APL_LOOP_GAP] / h;
  }
}

/* What the impulses did: rows that are held take the rate that was left of them, which is the error
   of the last step; dampers take -h d u+ of theirs. Then forces are what the step needed. */
void apl_moreau_book_loops(apl_moreau* m, double h) {
  apl_system* s = m->system;
  const bool springs = s->loops.method == LOOPS_SPRINGS;

  for (int k = 0; k < s->model->npart; ++k) {
    const moreau_loop* l = &m->loop[k];
    const double mean = 0.5 * (l->before + l->after);
    double* row = row_of(s, k);
    if (springs) {
      s->ledger[APL_ACCOUNT_LOOP] -= h * row[APL_LOOP_DAMPING] * l->after * mean;
    } else {
      s->ledger[APL_ACCOUNT_PROJECTION] += s->loops.last[k] * mean;
    }
    s->loops.worst.gap = fmax(s->loops.worst.gap, springs ? 0.0 : fabs(row[APL_LOOP_GAP]));
    s->loops.worst.rate = fmax(s->loops.worst.rate, springs ? 0.0 : fabs(l->before));
    row[APL_LOOP_FORCE] = s->loops.last[k] / h;
  }
  apl_loops_springs(s->state, springs && s->model->npart > 0);
}
