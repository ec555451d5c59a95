/* SPDX-License-Identifier: Apache-2.0 */
/* watch_footing.c: see watch.h. Warns of friction above its limit, of a ground that would have to
 * pull, and of a centre of pressure outside of the wheels. */
#include "channel/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A condition that must not occur: when it first did, and its worst case. */
typedef struct watch {
  double seen; /* 1: it did */
  double first, worst, at;
} watch;

typedef struct watched_footing {
  double limit; /* stated coefficient of friction                                                 */
  watch slips, lifts, tips;
} watched_footing;
enum { FOOTING_NUMBERS = 13 };
APL_STORED(watched_footing, FOOTING_NUMBERS);

struct footing_watch {
  const apl_model* model;
  int n;
  watched_footing ground[];
};

footing_watch* apl_footing_watch_new(const apl_model* m) {
  const int n = apl_model_count(m, APL_FOOTINGS);
  footing_watch* w = calloc(1, sizeof *w + sizeof *w->ground * (size_t)n);

  if (w == NULL) return NULL;
  w->model = m;
  w->n = n;
  return w;
}

void apl_footing_watch_free(footing_watch* w) {
  free(w);
}

static void look(watch* w, double t, double excess, double value) {
  if (!(excess > 0.0)) return;
  if (w->seen < 0.5) *w = (watch){1.0, t, value, t};
  if (fabs(value) > fabs(w->worst)) w->worst = value, w->at = t;
}

/* Normal forces of round-off size, compared with the other forces plus 1 N, do not cause a warning:
   a robot without weight has no load to lose. */
static void look_at(watched_footing* w, const apl_footing_forces* g, double t) {
  const double noise = 1e-9 * (hypot(g->forward, g->lateral) + 1.0);

  w->limit = g->limit;
  look(&w->lifts, t, -g->normal - noise, g->normal);
  if (!(g->normal > noise)) return;
  if (g->limit > 0.0) look(&w->slips, t, g->friction - g->limit, g->friction);
  if (g->ncontact > 1) look(&w->tips, t, -g->margin - 1e-9, g->margin);
}

void apl_footing_watch_look(footing_watch* w, double t, const apl_footing_forces* ground, int n) {
  for (int k = 0; k < n; ++k)
    look_at(&w->ground[k], &ground[k], t);
}

/* The next warning to fill in; NULL if there is no reason for one or no space. */
static watch_warning* next(watch_warning* out, int* n, int most, const watch* w, const char* link,
                           const char* what) {
  if (w->seen < 0.5 || *n == most) return NULL;
  watch_warning* one = &out[(*n)++];
  snprintf(one->key, sizeof one->key, "warning.%.40s.%s", link, what);
  one->worst = w->worst;
  return one;
}

int apl_footing_watch_size(const footing_watch* w) {
  return FOOTING_NUMBERS * w->n;
}

static void store_watch(watch* w, apl_store* m) {
  apl_store_whole(m, &w->seen, 0.0, 1.0, "whether a ground was warned of");
  apl_store_number(m, &w->first, "the time of a warning");
  apl_store_number(m, &w->worst, "the worst value of a warning");
  apl_store_number(m, &w->at, "the worst time of a warning");
}

void apl_footing_watch_memory(footing_watch* w, apl_store* m) {
  for (int k = 0; k < w->n; ++k) {
    apl_store_number(m, &w->ground[k].limit, "a coefficient of friction");
    store_watch(&w->ground[k].slips, m);
    store_watch(&w->ground[k].lifts, m);
    store_watch(&w->ground[k].tips, m);
  }
}

int apl_footing_watch_warnings(const footing_watch* r, watch_warning* out, int most) {
  int n = 0;

  for (int k = 0; k < r->n; ++k) {
    const char* link = apl_model_name(r->model, APL_FOOTINGS, k);
    const watched_footing* w = &r->ground[k];
    const watch *s = &w->slips, *l = &w->lifts, *t = &w->tips;
    watch_warning* one;

    if ((one = next(out, &n, most, s, link, "friction")) != NULL) {
      snprintf(one->text, sizeof one->text,
               "%.40s needs more friction than ground-friction %.4g to roll, first at t = %.6g s; "
               "at worst it needs %.4g, at t = %.6g s",
               link, w->limit, s->first, s->worst, s->at);
    }
    if ((one = next(out, &n, most, l, link, "normal")) != NULL) {
      snprintf(one->text, sizeof one->text,
               "the ground would have to pull %.40s down, first at t = %.6g s; at worst by %.4g N, "
               "at t = %.6g s",
               link, l->first, -l->worst, l->at);
    }
    if ((one = next(out, &n, most, t, link, "margin")) != NULL) {
      snprintf(one->text, sizeof one->text,
               "%.40s would tip over, first at t = %.6g s; at worst its centre of pressure is "
               "%.4g m outside its wheels, at t = %.6g s",
               link, t->first, -t->worst, t->at);
    }
  }
  return n;
}
