/* gen_alpha_memory.c: what generalised alpha remembers from step to step, in numbers, so that a run
   can be left and resumed: whether it has begun, accelerations of the motion and of the method,
   forces of loops, powers at the end of the last step. */
#include "step/gen_alpha.h"

#include "dynamics/loops.h"

#include <string.h>

enum { POWERS = sizeof((apl_gen_alpha*)0)->power / sizeof(double) };

int apl_gen_alpha_memory_size(const apl_model* m) {
  return 1 + 2 * m->nv + m->npart + POWERS;
}

void apl_gen_alpha_remember(const apl_gen_alpha* m, double* out) {
  const size_t nv = (size_t)m->system->nv, n = (size_t)m->system->model->npart;

  *out = m->begun ? 1.0 : 0.0;
  if (!m->begun) return;
  memcpy(out + 1, m->vd, nv * sizeof *out);
  memcpy(out + 1 + nv, m->a, nv * sizeof *out);
  memcpy(out + 1 + 2 * nv, m->p, n * sizeof *out);
  memcpy(out + 1 + 2 * nv + n, m->power, sizeof m->power);
}

void apl_gen_alpha_recall(apl_gen_alpha* m, const double* in) {
  const size_t nv = (size_t)m->system->nv, n = (size_t)m->system->model->npart;

  m->begun = *in > 0.5;
  if (!m->begun) return;
  apl_loops_springs(m->system->state, false); /* as its first step does */
  memcpy(m->vd, in + 1, nv * sizeof *in);
  memcpy(m->a, in + 1 + nv, nv * sizeof *in);
  memcpy(m->p, in + 1 + 2 * nv, n * sizeof *in);
  memcpy(m->power, in + 1 + 2 * nv + n, sizeof m->power);
}
