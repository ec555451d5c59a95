/* moreau_parts.c: stops of joints and elastic tendons as rows of one time step. Both push one way
   only, with a law of a depth p (how far a joint is in its stop, by how much a tendon is longer
   than it wants to be) and its rate, which act with the values of the end of the step:

     stop     P >= 0,  P = h k p+ (1 + c p'+),  p+ = p - h u+      made linear, as compliant
   contacts tendon   P >= 0,  P = h (k p+ - d u+)

   u = -p'. A stop may be reached within the step, so its row is there before it is pressed: a
   spring of the start of the step would see it one step late. Stops of rolling joints, whose
   coordinates have no velocities of their own, stay springs on the diagonal of A; so do tendons
   whose tension is given. */
#include "dynamics/passes.h"
#include "law/contact_law.h"
#include "step/moreau.h"

#include <float.h>
#include <math.h>
#include <string.h>

int apl_moreau_count_parts(const apl_system* s) {
  const apl_model* m = s->model;
  int count = 0;

  for (int i = 0; i < m->npassive; ++i) {
    if (s->state->passes->stop_is_row(m, m->passive[i])) count += 2 * m->node[m->passive[i]].nt;
  }
  for (int i = 0; i < m->ntendon; ++i)
    count += m->tendon[i].elastic != 0;
  return count;
}

/* One bound of coordinate k of a node; those at infinity are none. */
static void list_stop(apl_moreau* m, const apl_node* n, int k, bool upper) {
  const double *par = m->system->model->par, *bound = par + n->stop + (upper ? n->nt : 0);
  const double* law = par + n->stop + 2 * n->nt;
  if (!isfinite(bound[k])) return;

  m->part[m->nparts++] = (moreau_part){.tendon = -1,
                                       .coordinate = n->q0 + k,
                                       .velocity = n->v0 + k,
                                       .sign = upper ? -1.0 : 1.0,
                                       .bound = bound[k],
                                       .k = law[0],
                                       .d = law[1]};
}

void apl_moreau_list_parts(apl_moreau* m) {
  const apl_system* s = m->system;
  const apl_model* model = s->model;

  m->nparts = 0;
  for (int i = 0; i < model->npassive; ++i) {
    const apl_node* n = &model->node[model->passive[i]];
    if (!s->state->passes->stop_is_row(model, model->passive[i])) continue;
    for (int k = 0; k < n->nt; ++k) {
      list_stop(m, n, k, false);
      list_stop(m, n, k, true);
    }
  }
  m->ntendons = 0;
  for (int i = 0; i < model->ntendon; ++i) {
    const double* par = model->par + model->tendon[i].par;
    if (!model->tendon[i].elastic) continue;
    m->part[m->nparts++] =
        (moreau_part){.tendon = i, .velocity = -1, .bound = par[2], .k = par[0], .d = par[1]};
    m->ntendons += 1;
  }
}

/* What the motor of a tendon has wound up. */
static double wound(const apl_system* s, int tendon) {
  const apl_model* m = s->model;
  double sum = 0.0;

  for (int i = 0; i < m->ninput; ++i) {
    const apl_input* in = &m->input[i];
    if (in->kind == INPUT_TENDON && in->target == tendon)
      sum += m->par[in->gain] * apl_u(s->state)[i];
  }
  return sum;
}

/* Depths and rates at the start of the step. */
apl_status apl_moreau_look_at_parts(apl_moreau* m) {
  apl_system* s = m->system;
  apl_status st = APL_OK;

  if (m->ntendons > 0) {
    st = apl_tendons(s->model, s->state, m->length, NULL);
    if (st == APL_OK) st = apl_tendon_jacobian(s->model, s->state, m->pull);
  }
  for (int i = 0; i < m->nparts; ++i) {
    moreau_part* p = &m->part[i];
    p->row = -1;
    if (p->tendon < 0) {
      p->depth = p->sign * (p->bound - m->q[p->coordinate]);
      p->before = p->sign * m->v[p->velocity];
      continue;
    }
    const double* J = m->pull + p->tendon * s->nv;
    p->depth = m->length[p->tendon] - p->bound + wound(s, p->tendon);
    p->before = 0.0;
    for (int k = 0; k < s->nv; ++k)
      p->before -= J[k] * m->v[k];
  }
  return st;
}

/* ------------------------------------------------------------------------------------ rows ---- */

/* A stop that is too far away to be reached in a step, even twice as fast, has no row. */
static void add_stop(apl_moreau* m, moreau_part* p, double h) {
  apl_rows* r = &m->system->rows;
  const double free = p->sign * (m->v[p->velocity] + m->free[p->velocity]);
  if (-p->depth > 2.0 * h * (fabs(p->before) + fabs(free))) return;

  p->row = apl_rows_add(r, APL_SET_HALF_LINE, 1);
  r->way[p->row].velocity[0] = p->velocity;
  r->number[p->row * ROW_NUMBERS + ROW_EFFORT] = p->sign;
  r->q[p->row] = free;
  /* where the solver begins must follow from the state alone, or a resumed run would differ */
  r->r[p->row] = h * p->k * fmax(p->depth, 0.0) * fmax(1.0 - p->d * p->before, 0.0);
}

static void add_tendon(apl_moreau* m, moreau_part* p, double h) {
  apl_rows* r = &m->system->rows;
  const double* pull = m->pull + p->tendon * r->nv;
  double* J;

  p->row = apl_rows_add_broad(r, APL_SET_HALF_LINE, &J);
  r->q[p->row] = p->before;
  r->r[p->row] = h * fmax(p->k * p->depth - p->d * p->before, 0.0);
  for (int k = 0; k < r->nv; ++k) {
    J[k] = -pull[k];
    r->q[p->row] += J[k] * m->free[k];
  }
}

void apl_moreau_add_parts(apl_moreau* m, double h) {
  for (int i = 0; i < m->nparts; ++i) {
    if (m->part[i].tendon < 0) {
      add_stop(m, &m->part[i], h);
    } else {
      add_tendon(m, &m->part[i], h);
    }
  }
}

/* Softness and shift of their laws: u + shift + softness P >= 0. */
void apl_moreau_soften_parts(apl_moreau* m, double h) {
  apl_rows* r = &m->system->rows;

  for (int i = 0; i < m->nparts; ++i) {
    moreau_part* p = &m->part[i];
    if (p->row < 0) continue;
    double* W = &r->W[p->row * r->n + p->row];
    if (p->tendon >= 0) {
      /* P = h (k (p - h u) - d u)   =>   u + P / (h^2 k + h d) = h k p / (h^2 k + h d) */
      p->softness = 1.0 / (h * (h * p->k + p->d));
      p->shift = -p->softness * h * p->k * p->depth;
    } else {
      const normal_numbers N = {.K = p->k, .n = 1.0, .c = p->d, .b = 0.0};
      const soft_step step = {.h = h, .W = *W, .free = r->q[p->row], .depth = p->depth};
      const soft_row soft = apl_moreau_soft_row(&N, 1.0, &step, DBL_EPSILON);
      apl_moreau_stiff(&m->worst, h * sqrt(soft.k * *W), -1 - p->coordinate);
      p->softness = soft.softness;
      p->shift = soft.shift;
    }
    *W += p->softness;
    r->q[p->row] += p->shift;
  }
}

/* They have no force in a displacement that lifts contacts. */
void apl_moreau_idle_parts(apl_moreau* m) {
  apl_rows* r = &m->system->rows;

  for (int i = 0; i < m->nparts; ++i) {
    const int row = m->part[i].row;
    if (row < 0) continue;
    r->block[r->nblock++] = (apl_cone_block){.set = APL_SET_INTERVAL, .row = row};
    r->q[row] = r->r[row] = 0.0;
  }
}

void apl_moreau_take_parts(apl_moreau* m) {
  const apl_rows* r = &m->system->rows;

  for (int i = 0; i < m->nparts; ++i) {
    moreau_part* p = &m->part[i];
    p->last = p->row < 0 ? 0.0 : r->r[p->row];
    p->after = p->row < 0 ? 0.0 : r->u[p->row] - p->shift - p->softness * p->last;
  }
}

static double spring_energy(double k, double p) {
  return 0.5 * k * fmax(p, 0.0) * fmax(p, 0.0);
}

/* What they did: impulse times mean velocity; of a stop's that beyond its spring, whose energy is
   in the balance. */
void apl_moreau_book_parts(apl_moreau* m, double h) {
  double* ledger = m->system->ledger;

  for (int i = 0; i < m->nparts; ++i) {
    const moreau_part* p = &m->part[i];
    const double mean = 0.5 * (p->before + p->after);
    if (p->row < 0) continue;
    if (p->tendon >= 0) {
      ledger[APL_ACCOUNT_TENDON] += p->last * mean;
    } else {
      ledger[APL_ACCOUNT_STOP] += p->last * mean + spring_energy(p->k, p->depth - h * p->after) -
                                  spring_energy(p->k, p->depth);
    }
  }
}
