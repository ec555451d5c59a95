/* SPDX-License-Identifier: Apache-2.0 */
/* gen_alpha_memory.c: the memory of generalised alpha between steps, as numbers of a checkpoint:
   whether it has begun, accelerations of the motion and of the method, forces of couplings that
   store them, powers at the end of the last step. */
#include "step/gen_alpha.h"

#include <string.h>

enum { POWERS = sizeof((apl_gen_alpha*)0)->power / sizeof(double) };

static bool tells_forces(const apl_system* s, int i) {
  return apl_kinds[s->kinds.list[i]]->forces != NULL;
}

int apl_gen_alpha_memory_size(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i)
    n += tells_forces(s, i) ? apl_kinds[s->kinds.list[i]]->most(s) : 0;
  return 1 + 2 * s->nv + n + POWERS;
}

/* Rows of couplings for the end of a step, which outputs may have replaced by others. */
static void find_rows(apl_gen_alpha* m, bool first) {
  apl_system* s = m->system;
  coupling_pass p = {.level = LEVEL_END};

  if (first) (void)apl_couplings_begin(s, &p); /* as its first step does */
  (void)apl_couplings_span(s, &p);
  if (first) m->switched = s->kinds.switched;
}

void apl_gen_alpha_memory(apl_time_steps* steps, apl_store* memory) {
  apl_gen_alpha* m = (apl_gen_alpha*)(void*)steps;
  apl_system* s = m->system;

  apl_store_flag(memory, &m->begun, "whether time steps have begun");
  if (!m->begun) {
    apl_store_skip(memory, apl_gen_alpha_memory_size(s) - 1);
    return;
  }
  find_rows(m, memory->out == NULL);
  apl_store_numbers(memory, m->vd, s->nv, "an acceleration");
  apl_store_numbers(memory, m->a, s->nv, "an acceleration of the method");
  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_span* span = &s->kinds.span[s->kinds.list[i]];
    if (!tells_forces(s, i)) continue;
    apl_store_numbers(memory, m->p + span->first, span->n, "a force of a coupling");
    apl_store_skip(memory, apl_kinds[s->kinds.list[i]]->most(s) - span->n);
  }
  apl_store_numbers(memory, m->power, POWERS, "a power");
}
