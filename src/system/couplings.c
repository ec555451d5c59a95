/* couplings.c: the list of kinds, asked. See kind.h. */
#include "system/system_impl.h"

#include <stdlib.h>

void apl_couplings_find(apl_system* s) {
  for (int k = 0; k < NKIND; ++k) {
    if (apl_kinds[k]->has(s->model)) s->kind[s->nkind++] = k;
  }
}

static const coupling_kind* kind_of(const apl_system* s, int i) {
  return apl_kinds[s->kind[i]];
}

/* ---------------------------------------------------------------------------------- memory ---- */

static void layout(apl_system* s, apl_arena* arena) {
  for (int i = 0; i < s->nkind; ++i) {
    if (kind_of(s, i)->room != NULL) kind_of(s, i)->room(s, arena);
  }
}

apl_status apl_couplings_open(apl_system* s) {
  apl_arena arena = {0};

  apl_couplings_close(s);
  layout(s, &arena);
  s->own_memory = apl_arena_open(&arena);
  if (s->own_memory == NULL ||
      apl_rows_reserve(&s->rows, s->model, apl_couplings_most(s)) != APL_OK) {
    apl_couplings_close(s);
    return APL_ERR_MEMORY;
  }
  layout(s, &arena);
  for (int i = 0; i < s->nkind; ++i) {
    if (kind_of(s, i)->open != NULL) kind_of(s, i)->open(s);
  }
  return APL_OK;
}

void apl_couplings_close(apl_system* s) {
  free(s->own_memory);
  s->own_memory = NULL;
}

/* ------------------------------------------------------------------------------------ sums ---- */

int apl_couplings_most(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->nkind; ++i)
    n += kind_of(s, i)->most(s);
  return n;
}

int apl_couplings_count(apl_system* s, const coupling_pass* p) {
  int n = 0;

  for (int i = 0; i < s->nkind; ++i)
    n += kind_of(s, i)->count(s, p);
  return n;
}

int apl_couplings_span(apl_system* s, const coupling_pass* p) {
  int n = 0;

  for (int i = 0; i < s->nkind; ++i) {
    s->span[s->kind[i]] = (coupling_span){n, kind_of(s, i)->count(s, p)};
    n += s->span[s->kind[i]].n;
  }
  return n;
}

int apl_couplings_limited(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->nkind; ++i)
    n += kind_of(s, i)->limited != NULL ? kind_of(s, i)->limited(s) : 0;
  return n;
}

bool apl_couplings_drift(const apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->nkind && !any; ++i)
    any = kind_of(s, i)->drifts != NULL && kind_of(s, i)->drifts(s);
  return any;
}

/* ------------------------------------------------------------------------------- questions ---- */

apl_status apl_couplings_list(apl_system* s, coupling_pass* p) {
  apl_status st = APL_OK;

  apl_rows_clear(&s->rows);
  for (int i = 0; i < s->nkind && st == APL_OK; ++i) {
    coupling_span* span = &s->span[s->kind[i]];
    span->first = s->rows.n;
    if (kind_of(s, i)->list != NULL) st = kind_of(s, i)->list(s, p);
    span->n = s->rows.n - span->first;
  }
  return st;
}

/* Each kind that has this function is asked; the first failure ends it. */
#define ASK(name)                                                                                  \
  apl_status apl_couplings_##name(apl_system* s, coupling_pass* p) {                               \
    apl_status st = APL_OK;                                                                        \
    for (int i = 0; i < s->nkind && st == APL_OK; ++i) {                                           \
      if (kind_of(s, i)->name != NULL) st = kind_of(s, i)->name(s, p);                             \
    }                                                                                              \
    return st;                                                                                     \
  }
ASK(begin)
ASK(look)
ASK(take)
#undef ASK

/* From the end of the list: contacts tell of impacts, and all else is booked by then. */
apl_status apl_couplings_book(apl_system* s, coupling_pass* p) {
  apl_status st = APL_OK;

  for (int i = s->nkind - 1; i >= 0 && st == APL_OK; --i) {
    if (kind_of(s, i)->book != NULL) st = kind_of(s, i)->book(s, p);
  }
  return st;
}

void apl_couplings_soften(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < s->nkind; ++i) {
    if (kind_of(s, i)->soften != NULL) kind_of(s, i)->soften(s, p);
  }
}

void apl_couplings_lack(const apl_system* s, const coupling_pass* p, double* u) {
  for (int i = 0; i < s->nkind; ++i) {
    if (kind_of(s, i)->lack != NULL) kind_of(s, i)->lack(s, p, u);
  }
}

void apl_couplings_end(apl_system* s, coupling_pass* p) {
  for (int i = 0; i < s->nkind; ++i) {
    if (kind_of(s, i)->end != NULL) kind_of(s, i)->end(s, p);
  }
}

void apl_couplings_lift(apl_system* s, const coupling_pass* p) {
  s->rows.nblock = 0; /* other blocks over the same rows */
  for (int i = 0; i < s->nkind; ++i) {
    if (kind_of(s, i)->lift != NULL) kind_of(s, i)->lift(s, p);
  }
}

void apl_couplings_outside(const apl_system* s, double impulse[6]) {
  for (int i = 0; i < s->nkind; ++i) {
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
