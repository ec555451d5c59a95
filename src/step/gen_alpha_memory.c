/* gen_alpha_memory.c: what generalised alpha remembers from step to step, in numbers, so that a run
   can be left and resumed: whether it has begun, accelerations of the motion and of the method,
   forces of couplings that can tell them, powers at the end of the last step. */
#include "step/gen_alpha.h"

#include "dynamics/loops.h"

#include <string.h>

enum { POWERS = sizeof((apl_gen_alpha*)0)->power / sizeof(double) };

static bool tells_forces(const apl_system* s, int i) {
  return apl_kinds[s->kind[i]]->forces != NULL;
}

int apl_gen_alpha_memory_size(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->nkind; ++i)
    n += tells_forces(s, i) ? apl_kinds[s->kind[i]]->most(s) : 0;
  return 1 + 2 * s->nv + n + POWERS;
}

void apl_gen_alpha_remember(const apl_time_steps* steps, double* out) {
  const apl_gen_alpha* m = (const apl_gen_alpha*)(const void*)steps;
  apl_system* s = m->system;
  const size_t nv = (size_t)s->nv;

  *out = m->begun ? 1.0 : 0.0;
  if (!m->begun) return;
  (void)apl_couplings_span(s, &(coupling_pass){.level = LEVEL_END}); /* outputs had other rows */
  memcpy(out + 1, m->vd, nv * sizeof *out);
  memcpy(out + 1 + nv, m->a, nv * sizeof *out);
  out += 1 + 2 * nv;
  for (int i = 0; i < s->nkind; ++i) {
    const coupling_span* span = &s->span[s->kind[i]];
    if (!tells_forces(s, i)) continue;
    memcpy(out, m->p + span->first, (size_t)span->n * sizeof *out);
    out += apl_kinds[s->kind[i]]->most(s);
  }
  memcpy(out, m->power, sizeof m->power);
}

void apl_gen_alpha_recall(apl_time_steps* steps, const double* in) {
  apl_gen_alpha* m = (apl_gen_alpha*)(void*)steps;
  apl_system* s = m->system;
  const size_t nv = (size_t)s->nv;
  coupling_pass p = {.level = LEVEL_END};

  m->begun = *in > 0.5;
  if (!m->begun) return;
  (void)apl_couplings_begin(s, &p); /* as its first step does */
  (void)apl_couplings_span(s, &p);
  m->switched = s->switched;
  memcpy(m->vd, in + 1, nv * sizeof *in);
  memcpy(m->a, in + 1 + nv, nv * sizeof *in);
  in += 1 + 2 * nv;
  for (int i = 0; i < s->nkind; ++i) {
    const coupling_span* span = &s->span[s->kind[i]];
    if (!tells_forces(s, i)) continue;
    memcpy(m->p + span->first, in, (size_t)span->n * sizeof *in);
    in += apl_kinds[s->kind[i]]->most(s);
  }
  memcpy(m->power, in, sizeof m->power);
}
