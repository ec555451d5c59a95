/* watch_footing.c: see watch.h. Friction that is not there, a ground that would have to pull, a
   centre of pressure outside the wheels. */
#include "channel/watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Something that must not happen: since when, and where it was worst. */
typedef struct watch {
  bool seen;
  double first, worst, at;
} watch;

typedef struct watched_footing {
  watch slips, lifts, tips;
  double limit; /* stated coefficient of friction                                                 */
} watched_footing;

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
  if (!w->seen) *w = (watch){true, t, value, t};
  if (fabs(value) > fabs(w->worst)) w->worst = value, w->at = t;
}

/* Without weight there is nothing to lift: round-off must not warn. */
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

/* The next sentence to write, NULL when there is no reason or no room. */
static watch_warning* next(watch_warning* out, int* n, int most, const watch* w, const char* link,
                           const char* what) {
  if (!w->seen || *n == most) return NULL;
  watch_warning* one = &out[(*n)++];
  snprintf(one->key, sizeof one->key, "warning.%.40s.%s", link, what);
  one->worst = w->worst;
  return one;
}

/* Limit, then four numbers of each of the three. */
enum { GROUND = 13 };

int apl_footing_watch_size(const footing_watch* w) {
  return GROUND * w->n;
}

void apl_footing_watch_remember(const footing_watch* w, double* out) {
  for (int k = 0; k < w->n; ++k) {
    const watched_footing* g = &w->ground[k];
    const watch* const list[] = {&g->slips, &g->lifts, &g->tips};
    *out++ = g->limit;
    for (int i = 0; i < 3; ++i, out += 4) {
      const double x[4] = {list[i]->seen, list[i]->first, list[i]->worst, list[i]->at};
      memcpy(out, x, sizeof x);
    }
  }
}

void apl_footing_watch_recall(footing_watch* w, const double* in) {
  for (int k = 0; k < w->n; ++k) {
    watched_footing* g = &w->ground[k];
    watch* const list[] = {&g->slips, &g->lifts, &g->tips};
    g->limit = *in++;
    for (int i = 0; i < 3; ++i, in += 4)
      *list[i] = (watch){in[0] > 0.5, in[1], in[2], in[3]};
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
