/* SPDX-License-Identifier: Apache-2.0 */
/* couplings.c: calls a function of all kinds of couplings that a system has. See kind.h. */
#include "system/system_impl.h"

#include <stdlib.h>

void apl_couplings_find(apl_system* s) {
  for (int k = 0; k < NKIND; ++k) {
    if (apl_kinds[k]->has(s->model)) s->kinds.list[s->kinds.n++] = k;
  }
  apl_couplings_wake(s);
}

static const coupling_kind* kind_of(const apl_system* s, int i) {
  return apl_kinds[s->kinds.list[i]];
}

void apl_couplings_wake(apl_system* s) {
  s->kinds.asleep = true;
  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_kind* kind = kind_of(s, i);
    if (kind->asleep == NULL || !kind->asleep(s)) s->kinds.asleep = false;
  }
}

/* ---------------------------------------------------------------------------------- memory ---- */

static void layout(apl_system* s, apl_arena* arena) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (kind_of(s, i)->room != NULL) kind_of(s, i)->room(s, arena);
  }
}

apl_status apl_couplings_open(apl_system* s) {
  apl_arena arena = {0};

  apl_couplings_close(s);
  layout(s, &arena);
  s->kinds.memory = apl_arena_open(&arena);
  if (s->kinds.memory == NULL ||
      apl_rows_reserve(&s->rows, s->model, apl_couplings_most(s), s->model->ntendon) != APL_OK) {
    apl_couplings_close(s);
    return APL_ERR_MEMORY;
  }
  layout(s, &arena);
  for (int i = 0; i < s->kinds.n; ++i) {
    if (kind_of(s, i)->open != NULL) kind_of(s, i)->open(s);
  }
  return APL_OK;
}

void apl_couplings_close(apl_system* s) {
  free(s->kinds.memory);
  s->kinds.memory = NULL;
}

/* ------------------------------------------------------------------------------------ sums ---- */

int apl_couplings_most(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i)
    n += kind_of(s, i)->most(s);
  return n;
}

int apl_couplings_count(apl_system* s, const coupling_pass* p) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i)
    n += kind_of(s, i)->count(s, p);
  return n;
}

int apl_couplings_span(apl_system* s, const coupling_pass* p) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i) {
    s->kinds.span[s->kinds.list[i]] = (coupling_span){n, kind_of(s, i)->count(s, p)};
    n += s->kinds.span[s->kinds.list[i]].n;
  }
  return n;
}

int apl_couplings_limited(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i)
    n += kind_of(s, i)->limited != NULL ? kind_of(s, i)->limited(s) : 0;
  return n;
}

/* Is it true of any kind? */
#define ANY(name, function)                                                                        \
  bool apl_couplings_##name(const apl_system* s) {                                                 \
    bool any = false;                                                                              \
    for (int i = 0; i < s->kinds.n && !any; ++i)                                                   \
      any = kind_of(s, i)->function != NULL && kind_of(s, i)->function(s);                         \
    return any;                                                                                    \
  }
ANY(solved, solved)
ANY(drift, drifts)
ANY(by_passes, by_passes)
ANY(unbooked, unbooked)
#undef ANY

/* ------------------------------------------------------------------------------- questions ---- */

apl_status apl_couplings_list(apl_system* s, coupling_pass* p) {
  apl_status st = APL_OK;

  apl_rows_clear(&s->rows);
  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    coupling_span* span = &s->kinds.span[s->kinds.list[i]];
    span->first = s->rows.n;
    if (kind_of(s, i)->list != NULL) st = kind_of(s, i)->list(s, p);
    span->n = s->rows.n - span->first;
  }
  return st;
}

/* Call this function of each kind that has it, until one fails. */
#define ASK(name)                                                                                  \
  apl_status apl_couplings_##name(apl_system* s, coupling_pass* p) {                               \
    apl_status st = APL_OK;                                                                        \
    for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {                                         \
      if (kind_of(s, i)->name != NULL) st = kind_of(s, i)->name(s, p);                             \
    }                                                                                              \
    return st;                                                                                     \
  }
ASK(begin)
ASK(look)
ASK(take)
#undef ASK

/* Numbers of all kinds follow each other in y. */
apl_status apl_couplings_advance(apl_system* s, double c, const double* psi, double* z) {
  apl_status st = APL_OK;

  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    const coupling_kind* kind = kind_of(s, i);
    if (kind->numbers == NULL) continue;
    st = kind->advance(s, c, psi, z);
    psi += kind->numbers(s);
    z += kind->numbers(s);
  }
  return st;
}

/* In reverse order: contacts report impacts to the caller, and by then all other work is booked. */
apl_status apl_couplings_book(apl_system* s, coupling_pass* p) {
  apl_status st = APL_OK;

  for (int i = s->kinds.n - 1; i >= 0 && st == APL_OK; --i) {
    if (kind_of(s, i)->book != NULL) st = kind_of(s, i)->book(s, p);
  }
  return st;
}

apl_status apl_couplings_check(apl_system* s) {
  apl_status st = APL_OK;

  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    if (kind_of(s, i)->check != NULL) st = kind_of(s, i)->check(s);
  }
  return st;
}

void apl_couplings_soften(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (kind_of(s, i)->soften != NULL) kind_of(s, i)->soften(s, p);
  }
}

void apl_couplings_lack(const apl_system* s, const coupling_pass* p, double* u) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (kind_of(s, i)->lack != NULL) kind_of(s, i)->lack(s, p, u);
  }
}

void apl_couplings_end(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (kind_of(s, i)->end != NULL) kind_of(s, i)->end(s, p);
  }
}

void apl_couplings_lift(apl_system* s, const coupling_pass* p) {
  s->rows.nblock = 0; /* the same rows get other blocks */
  for (int i = 0; i < s->kinds.n; ++i) {
    if (kind_of(s, i)->lift != NULL) kind_of(s, i)->lift(s, p);
  }
}

void apl_couplings_outside(const apl_system* s, double impulse[6]) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (kind_of(s, i)->outside != NULL) kind_of(s, i)->outside(s, impulse);
  }
}

void apl_add_moment(const double x[3], const double p[3], double to[6]) {
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    to[k] += x[i] * p[j] - x[j] * p[i];
    to[3 + k] += p[k];
  }
}
