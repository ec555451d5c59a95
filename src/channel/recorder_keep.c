/* SPDX-License-Identifier: Apache-2.0 */
/* recorder_keep.c: what a recorder keeps in memory: rows, impacts and the last places to resume
   from; and the functions that return it. */
#include "channel/recorder_impl.h"

#include "base/error.h"
#include "channel/recorder.h"
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

/* The list with room for more than n items. NULL without memory; the list is then unchanged. */
static void* grown(void* list, int n, int* room, size_t item) {
  if (n < *room) return list;

  const int more = *room > 0 ? 2 * *room : 64;
  void* memory = realloc(list, item * (size_t)more);
  if (memory != NULL) *room = more;
  return memory;
}

apl_status apl_recorder_keep_row(apl_recorder* r) {
  const size_t n = (size_t)r->channels->n;
  double* rows = grown(r->rows, r->nrow, &r->row_room, sizeof *rows * n);

  if (rows == NULL) return apl_fail(&r->err, APL_ERR_MEMORY, "out of memory for the rows of a run");
  r->rows = rows;
  memcpy(rows + (size_t)r->nrow * n, r->row, sizeof *r->row * n);
  return APL_OK;
}

void apl_recorder_keep_impact(apl_recorder* r, const apl_impact* impact) {
  kept_impact* list = grown(r->impact, r->nimpact, &r->impact_room, sizeof *list);

  if (list == NULL) {
    if (r->err.status == APL_OK) apl_fail(&r->err, APL_ERR_MEMORY, "out of memory for impacts");
    return;
  }
  r->impact = list;
  list[r->nimpact++] = (kept_impact){*impact, r->nrow};
}

/* Sums of the metrics and what the watches have seen follow the numbers of the run. */
static int seen_size(const apl_recorder* r) {
  return apl_metrics_size(r->metrics) + apl_footing_watch_size(r->footing) +
         apl_beam_watch_size(r->beams);
}

void apl_recorder_memory(apl_recorder* r, apl_store* seen) {
  apl_metrics_memory(r->metrics, seen);
  apl_footing_watch_memory(r->footing, seen);
  apl_beam_watch_memory(r->beams, seen);
}

void apl_recorder_keep_place(apl_recorder* r, double t, const double* y, const double* memory) {
  kept_place* p = &r->place[r->nplace++ % 2];

  p->t = t;
  p->rows = r->nrow;
  p->events = r->nimpact;
  memcpy(p->y, y, sizeof *y * (size_t)apl_system_size(r->system));
  memcpy(p->memory, memory, sizeof *memory * (size_t)r->nmemory);
  apl_store seen = apl_store_writer(p->memory + r->nmemory, seen_size(r));
  apl_recorder_memory(r, &seen);
}

int apl_recorder_memory_size(const apl_recorder* r) {
  return r->nmemory + seen_size(r);
}

/* The name of the array that a checkpoint has in addition to y. It contains the version of the
   format. Version 4 has the velocities that are held; version 3 (Appell 0.1) has not. Before
   version 3, when integrators did not continue with their step, the name was "run". */
const char apl_recorder_memory_name[] = "run-4";

/* ------------------------------------------------------------------------------- access ---- */

const double* apl_recorder_row(const apl_recorder* r) {
  return r->row;
}
int apl_recorder_channels(const apl_recorder* r) {
  if (r == NULL) return 0;
  return r->channels->n;
}
const apl_channel* apl_recorder_channel(const apl_recorder* r, int i) {
  if (r == NULL) return NULL;
  return i >= 0 && i < r->channels->n ? &r->channels->channel[i] : NULL;
}
int apl_recorder_nrow(const apl_recorder* r) {
  if (r == NULL) return 0;
  return r->o.keep ? r->nrow : 0;
}
const double* apl_recorder_rows(const apl_recorder* r) {
  if (r == NULL) return NULL;
  return r->rows;
}
int apl_recorder_nimpact(const apl_recorder* r) {
  if (r == NULL) return 0;
  return r->nimpact;
}
const apl_impact* apl_recorder_impact(const apl_recorder* r, int i) {
  if (r == NULL) return NULL;
  return i >= 0 && i < r->nimpact ? &r->impact[i].hit : NULL;
}
int apl_recorder_nsummary(const apl_recorder* r) {
  if (r == NULL) return 0;
  return r->nsummary;
}
const apl_summary* apl_recorder_summary(const apl_recorder* r, int i) {
  if (r == NULL) return NULL;
  return i >= 0 && i < r->nsummary ? &r->summary[i] : NULL;
}
apl_metrics apl_recorder_metrics(const apl_recorder* r) {
  return apl_metrics_get(r->metrics);
}
apl_effort_metrics apl_recorder_effort(const apl_recorder* r, int i) {
  if (i < 0 || i >= apl_metrics_get(r->metrics).nefforts)
    return (apl_effort_metrics){.velocity = -1};
  return apl_metrics_effort(r->metrics, i);
}
int apl_recorder_nwarning(const apl_recorder* r) {
  if (r == NULL) return 0;
  return r->nwarning;
}
const char* apl_recorder_warning(const apl_recorder* r, int i) {
  if (r == NULL) return NULL;
  return i >= 0 && i < r->nwarning ? r->warning[i].text : NULL;
}
const char* apl_recorder_assembly(const apl_recorder* r) {
  return r->assembly;
}

const char* apl_recorder_note(const apl_recorder* r) {
  if (r == NULL) return "";
  return r->note;
}
const char* apl_recorder_status(const apl_recorder* r) {
  if (r == NULL) return "";
  return r->status;
}
const char* apl_recorder_place(const apl_recorder* r) {
  return r->where;
}
