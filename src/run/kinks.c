/* kinks.c: see kinks.h. */
#include "run/kinks.h"

#include "system/system_impl.h"

#include <stdlib.h>

static double beyond(double t, apl_system* system, void* user) {
  const coupling_corner* c = user;
  (void)t;
  return c->of(system, c->number) - c->bound;
}

static int corners_of(int kind, const apl_model* m, coupling_corner* list) {
  return apl_kinds[kind]->corners == NULL ? 0 : apl_kinds[kind]->corners(m, list);
}

int apl_count_kinks(const apl_model* m) {
  int n = 0;

  for (int k = 0; k < NKIND; ++k)
    n += corners_of(k, m, NULL);
  return n;
}

int apl_find_kinks(const apl_model* m, apl_event** list) {
  const int n = apl_count_kinks(m);
  int at = 0;

  *list = NULL;
  if (n == 0) return 0;

  /* events first, what they look at behind them */
  apl_event* event = calloc((size_t)n, sizeof *event + sizeof(coupling_corner));
  if (event == NULL) return -1;
  coupling_corner* what = (coupling_corner*)(void*)(event + n);
  for (int k = 0; k < NKIND; ++k) {
    const int first = at;
    at += corners_of(k, m, what + at);
    for (int i = first; i < at; ++i)
      event[i] = (apl_event){.name = apl_kinds[k]->word, .g = beyond, .user = &what[i]};
  }
  *list = event;
  return n;
}

void apl_free_kinks(apl_event* list) {
  free(list);
}
