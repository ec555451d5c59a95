/* SPDX-License-Identifier: Apache-2.0 */
/* watch_loops.c: see watch.h. Warns of loop forces that are not unique, and of springs that stretch
 * too much. */
#include "channel/watch.h"

#include "dynamics/loops.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <string.h>

/* Loops that are closed by springs may be open by this much [m or rad]. */
static const double long_spring = 1e-3;

/* List the rows of one loop that depend on others or that no motion changes, as "z, turn-x". */
static int dependent_rows(const apl_system* s, int loop, char* text, size_t size) {
  const apl_model* m = s->model;
  const apl_lu* f = &s->loops.closing.equal.lu;
  const apl_loop* l = &m->loop[loop];
  size_t used = 0;
  int n = 0;

  text[0] = '\0';
  for (int k = l->row0; k < l->row0 + l->nrow; ++k) {
    bool follows = false;
    for (int i = f->rank; i < f->n; ++i)
      follows = follows || f->row[i] == k;
    if (!follows) continue;
    const char* point = strrchr(apl_model_name(m, APL_LOOP_ROWS, k), '.');
    const char* name = point == NULL ? apl_model_name(m, APL_LOOP_ROWS, k) : point + 1;
    if (used + strlen(name) + 3 < size) /* as many as fit */
      used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
    ++n;
  }
  return n;
}

/* Dependent rows in the last state of the run. */
static int warn_not_unique(apl_system* s, watch_warning* out, int most) {
  const apl_model* m = s->model;
  apl_closing* w = &s->loops.closing;
  int n = 0;

  apl_status st = apl_loops(m, s->state);
  if (st == APL_OK) st = apl_factor(m, s->state, 0.0);
  if (st == APL_OK) st = apl_closing_factor(w, s->state);
  if (st != APL_OK || w->equal.lu.rank == w->n) return 0;
  for (int i = 0; i < m->nloop && n < most; ++i) {
    char rows[33];
    const int count = dependent_rows(s, i, rows, sizeof rows);
    if (count == 0) continue;
    snprintf(out[n].key, sizeof out[n].key, "warning.%.40s.not-unique", m->loop_name[i]);
    snprintf(out[n].text, sizeof out[n].text,
             "forces of loop '%.30s' are not unique: %d of its %d constraints are redundant "
             "(%.32s); the smallest forces are given",
             m->loop_name[i], count, m->loop[i].nrow, rows);
    out[n++].worst = count;
  }
  return n;
}

int apl_loop_warnings(apl_system* s, watch_warning* out, int most) {
  const system_loops* l = &s->loops;
  if (s->model->npart == 0 || !l->open || most < 1) return 0;
  if (l->method != LOOPS_SPRINGS) return warn_not_unique(s, out, most);
  if (!(l->worst.gap > long_spring)) return 0;

  *out = (watch_warning){.key = "warning.loops.stretched", .worst = l->worst.gap};
  snprintf(out->text, sizeof out->text,
           "springs let the loop constraint '%.60s' open by up to %.3g %s: they are too soft, or "
           "prescribed motions or other loops contradict it",
           apl_model_name(s->model, APL_LOOP_ROWS, l->widest), l->worst.gap,
           apl_model_unit(s->model, APL_LOOP_ROWS, l->widest));
  return 1;
}
