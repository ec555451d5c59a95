/* kinks.c: see kinks.h. */
#include "run/kinks.h"

#include "system/system_impl.h"

#include <math.h>
#include <stdlib.h>

typedef struct kink {
  int of; /* a coordinate, or a tendon */
  double bound;
} kink;

static double beyond_stop(double t, apl_system* system, void* user) {
  const kink* k = user;
  (void)t;
  return apl_q(apl_system_state(system))[k->of] - k->bound;
}

/* Slack or taut: the tension is cut at zero. */
static double pulls(double t, apl_system* system, void* user) {
  const kink* k = user;
  (void)t;
  return apl_system_uncut(system)[k->of];
}

/* Stops of node n: bounds that are finite, lower and upper. Counts them when list is NULL. */
static int stops(const apl_model* m, const apl_node* n, kink* list) {
  int count = 0;

  for (int i = 0; n->stop != 0 && i < 2 * n->nt; ++i) {
    const double bound = m->par[n->stop + i];
    if (!isfinite(bound)) continue;
    if (list != NULL) list[count] = (kink){n->q0 + i % n->nt, bound};
    ++count;
  }
  return count;
}

static int count_stops(const apl_model* m) {
  int n = 0;

  for (int i = 0; i < m->nnode; ++i)
    n += stops(m, &m->node[i], NULL);
  return n;
}

/* Those with a spring; the tension of others is an input, which has its own break times. */
static int elastic_tendons(const apl_model* m, kink* list) {
  int n = 0;

  for (int i = 0; i < m->ntendon; ++i) {
    if (!m->tendon[i].elastic) continue;
    if (list != NULL) list[n] = (kink){i, 0.0};
    ++n;
  }
  return n;
}

int apl_count_kinks(const apl_model* m) {
  return count_stops(m) + elastic_tendons(m, NULL);
}

int apl_find_kinks(const apl_model* m, apl_event** list) {
  const int nstop = count_stops(m), n = apl_count_kinks(m);
  int at = 0;

  *list = NULL;
  if (n == 0) return 0;

  /* events first, what they look at behind them */
  apl_event* event = calloc((size_t)n, sizeof *event + sizeof(kink));
  if (event == NULL) return -1;
  kink* what = (kink*)(void*)(event + n);
  for (int i = 0; i < m->nnode; ++i)
    at += stops(m, &m->node[i], what + at);
  elastic_tendons(m, what + nstop);
  for (int i = 0; i < n; ++i) {
    event[i] = i < nstop ? (apl_event){.name = "stop", .g = beyond_stop, .user = &what[i]}
                         : (apl_event){.name = "tendon", .g = pulls, .user = &what[i]};
  }
  *list = event;
  return n;
}

void apl_free_kinks(apl_event* list) {
  free(list);
}
