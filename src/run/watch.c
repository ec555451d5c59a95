/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c: see watch.h. */
#include "run/watch.h"

#include <math.h>
#include <stdlib.h>

/* Events of kinds that change their memory, or of kinds with kinks only. */
static int events_of(apl_system* s, bool change, apl_event* list, coupling_watch* watch) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    if (kind->events == NULL || (kind->happens != NULL) != change) continue;
    const int first = n;
    n += kind->events(s, list == NULL ? NULL : list + n, watch == NULL ? NULL : watch + n);
    for (int k = first; k < n && watch != NULL; ++k)
      watch[k].kind = kind;
  }
  return n;
}

int apl_watch_count(apl_system* s) {
  return events_of(s, false, NULL, NULL) + events_of(s, true, NULL, NULL);
}

int apl_watch_find(apl_system* s, apl_event** list, int* first_change) {
  const int n = apl_watch_count(s);

  *list = NULL;
  *first_change = 0;
  if (n == 0) return 0;

  /* the events, then the data that they refer to */
  apl_event* event = calloc((size_t)n, sizeof *event + sizeof(coupling_watch));
  if (event == NULL) return -1;
  coupling_watch* watch = (coupling_watch*)(void*)(event + n);
  *first_change = events_of(s, false, event, watch);
  events_of(s, true, event + *first_change, watch + *first_change);
  *list = event;
  return n;
}

static const coupling_kind* kind_of(const apl_event* e) {
  return ((const coupling_watch*)e->user)->kind;
}

event_place apl_watch_side(const apl_event* e, apl_system* s, double g) {
  return kind_of(e)->side(e, s, g);
}

bool apl_watch_decides(const apl_event* e) {
  return kind_of(e)->decides(e);
}

void apl_watch_happens(const apl_event* e, double t, apl_system* s, coupling_news* news) {
  for (int i = 0; i < s->kinds.n && news->st == APL_OK; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    if (kind->happens != NULL)
      kind->happens(e != NULL && kind_of(e) == kind ? e : NULL, t, s, news);
  }
}

void apl_watch_jams(double t, apl_system* s, coupling_news* news) {
  bool any = false;

  for (int i = 0; i < s->kinds.n && news->st == APL_OK; ++i) {
    if (apl_kinds[s->kinds.list[i]]->jams == NULL) continue;
    any = true;
    apl_kinds[s->kinds.list[i]]->jams(t, s, news);
  }
  if (!any) news->st = APL_ERR_CONTACT; /* no kind can resolve it by a jump */
}

double apl_watch_first_step(apl_system* s, double t, double tolerance) {
  double least = HUGE_VAL;

  for (int i = 0; i < s->kinds.n; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    if (kind->first_step != NULL) least = fmin(least, kind->first_step(s, t, tolerance));
  }
  return least;
}
