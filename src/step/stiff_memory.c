/* SPDX-License-Identifier: Apache-2.0 */
/* stiff_memory.c: what the integrator `stiff` remembers, in a checkpoint. */
#include "step/stiff.h"

#include <string.h>

/* Memory in a checkpoint: this record, which has the members of stiff_data and the number of
   points, then the times of all points, then the points. */
typedef struct stiff_record {
  double order, climb, wait, h, rate, inside, from, count, ringing, quiet, mean[3], settled;
} stiff_record;
enum { STIFF_NUMBERS = 14 };
APL_STORED(stiff_record, STIFF_NUMBERS);

int apl_stiff_memory_size(int n) {
  return STIFF_NUMBERS + HISTORY_ROOM * (1 + 2 * n);
}

static void store_record(stiff_record* r, apl_store* m) {
  const double many = 1e6;

  apl_store_whole(m, &r->order, 1.0, STIFF_ORDER, "the order");
  apl_store_whole(m, &r->climb, 0.0, 1.0, "whether the order climbs");
  apl_store_whole(m, &r->wait, -many, many, "the number of steps before a change of order");
  apl_store_number(m, &r->h, "the next step");
  apl_store_number(m, &r->rate, "the rate of convergence");
  apl_store_whole(m, &r->inside, 0.0, HISTORY_ROOM, "a number of points");
  apl_store_number(m, &r->from, "the start of the last step");
  apl_store_whole(m, &r->count, 0.0, HISTORY_ROOM, "the number of points");
  apl_store_whole(m, &r->ringing, -many, many, "a count of steps that ring");
  apl_store_whole(m, &r->quiet, 0.0, 1.0, "whether steps are quiet");
  apl_store_numbers(m, r->mean, 3, "a mean of steps");
  apl_store_number(m, &r->settled, "a time of settling");
  /* order k needs k + 1 points, except at a start from one point */
  if (r->inside > r->count || (r->count >= 2.0 && r->order + 1.0 > r->count))
    apl_store_refuse(m, "the number of points", r->count);
}

static stiff_record record_of(const stiff_data* d) {
  stiff_record r = {.order = d->order,
                    .climb = d->climb ? 1.0 : 0.0,
                    .wait = d->wait,
                    .h = d->h,
                    .rate = d->rate,
                    .inside = d->inside,
                    .from = d->from,
                    .count = d->past.count,
                    .ringing = d->ringing,
                    .quiet = d->quiet ? 1.0 : 0.0,
                    .settled = d->settled};

  memcpy(r.mean, d->mean, sizeof r.mean);
  return r;
}

static void take_record(stiff_data* d, const stiff_record* r) {
  d->order = (int)r->order;
  d->climb = r->climb > 0.5;
  d->wait = (int)r->wait;
  d->h = r->h;
  d->rate = r->rate;
  d->inside = (int)r->inside;
  d->from = r->from;
  d->past.count = (int)r->count;
  d->ringing = (int)r->ringing;
  d->quiet = r->quiet > 0.5;
  memcpy(d->mean, r->mean, sizeof d->mean);
  d->settled = r->settled;
}

/* The points of the history, as many as there are, newest first. */
static void store_points(history* past, double now, apl_store* m) {
  const int left = HISTORY_ROOM - past->count;

  apl_store_numbers(m, past->t, past->count, "a time of the history");
  /* none is later than the stepper; of two that are not in order, the earlier one is too small */
  for (int i = 0; i < past->count && m->bad == NULL; ++i) {
    const bool late = past->t[i] > now, ordered = i == 0 || past->t[i] < past->t[i - 1];
    if (late || !ordered) apl_store_refuse(m, "a time of the history", past->t[late ? i : i - 1]);
  }
  apl_store_skip(m, left);
  for (int i = 0; i < past->count; ++i)
    apl_store_numbers(m, past->y[i], past->n, "a point of the history");
}

apl_status apl_stiff_memory(apl_stepper* s, apl_store* m) {
  stiff_data* d = s->data;
  stiff_record r = record_of(d);

  store_record(&r, m);
  if (m->bad != NULL) return APL_ERR_ARGUMENT;
  if (m->out == NULL) take_record(d, &r);
  store_points(&d->past, s->t, m);
  return apl_store_status(m);
}
