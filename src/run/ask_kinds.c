/* SPDX-License-Identifier: Apache-2.0 */
/* ask_kinds.c: questions of a run to all kinds of couplings, beside those on events (watch.c). */
#include "run/watch.h"

#include <math.h>

/* The functions for runs of a kind; those of a kind that has none are all NULL. */
static const coupling_run* run_of(const coupling_kind* kind) {
  static const coupling_run none = {0};
  return kind->run == NULL ? &none : kind->run;
}

static const coupling_run* run_at(const apl_system* s, int i) {
  return run_of(apl_kinds[s->kinds.list[i]]);
}

/* --------------------------------------------------------------------------------- start ----- */

int apl_watch_settings_size(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i)
    n += run_at(s, i)->settings_size == NULL ? 0 : run_at(s, i)->settings_size(s);
  return n;
}

void apl_watch_settings(apl_system* s, apl_store* memory) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (run_at(s, i)->settings != NULL) run_at(s, i)->settings(s, memory);
  }
}

apl_status apl_watch_assemble(apl_system* s, const apl_run_options* o, apl_error* err) {
  apl_status st = APL_OK;

  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    if (run_at(s, i)->assemble != NULL) st = run_at(s, i)->assemble(s, o, err);
  }
  return st;
}

/* All kinds, not only those of the robot: they check the options. */
apl_status apl_watch_open(apl_system* s, double t, const apl_run_options* o, apl_error* err) {
  apl_status st = APL_OK;

  for (int k = 0; k < NKIND && st == APL_OK; ++k) {
    if (run_of(apl_kinds[k])->open != NULL) st = run_of(apl_kinds[k])->open(s, t, o, err);
  }
  return st;
}

apl_status apl_watch_start(apl_system* s, apl_error* err) {
  apl_status st = APL_OK;

  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    if (run_at(s, i)->check_start != NULL) st = run_at(s, i)->check_start(s, err);
  }
  return st;
}

void apl_watch_impulses(apl_system* s) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (run_at(s, i)->use_impulses != NULL) run_at(s, i)->use_impulses(s);
  }
}

/* ----------------------------------------------------------------- slots that come and go ----- */

bool apl_watch_gathers(const apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->kinds.n; ++i)
    any = any || (run_at(s, i)->has_slots != NULL && run_at(s, i)->has_slots(s));
  return any;
}

/* *horizon becomes the shortest one of all kinds. */
apl_status apl_watch_gather(apl_system* s, double* horizon, bool fresh, bool* changed) {
  apl_status st = APL_OK;

  *changed = false;
  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    bool here = false;
    if (run_at(s, i)->assign_slots != NULL)
      st = run_at(s, i)->assign_slots(s, horizon, fresh, &here);
    *changed = *changed || here;
  }
  return st;
}

bool apl_watch_renewed(const apl_event* e, const apl_system* s) {
  const coupling_run* run = run_of(((const coupling_watch*)e->user)->kind);
  return run->slot_is_new != NULL && run->slot_is_new(e, s);
}

void apl_watch_settled(apl_system* s) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (run_at(s, i)->slots_seen != NULL) run_at(s, i)->slots_seen(s);
  }
}

/* ---------------------------------------------------------------------------------- peaks ---- */

int apl_watch_npeak(const apl_system* s) {
  int n = 0;

  for (int i = 0; i < s->kinds.n; ++i)
    n += run_at(s, i)->npeak == NULL ? 0 : run_at(s, i)->npeak(s);
  return n;
}

bool apl_watch_hits(apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->kinds.n; ++i)
    any = any || (run_at(s, i)->in_impact != NULL && run_at(s, i)->in_impact(s));
  return any;
}

void apl_watch_pushes(apl_system* s, double* now) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (run_at(s, i)->npeak == NULL) continue;
    run_at(s, i)->peak_forces(s, now);
    now += run_at(s, i)->npeak(s);
  }
}

void apl_watch_peaks(apl_system* s, const double* largest) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (run_at(s, i)->npeak == NULL) continue;
    run_at(s, i)->keep_peaks(s, largest);
    largest += run_at(s, i)->npeak(s);
  }
}

/* ---------------------------------------------------------------------------------- drift ---- */

bool apl_watch_closes(const apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->kinds.n; ++i)
    any = any || run_at(s, i)->close != NULL;
  return any;
}

apl_status apl_watch_close(apl_system* s) {
  apl_status st = APL_OK;

  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    if (run_at(s, i)->close != NULL) st = run_at(s, i)->close(s);
  }
  return st;
}

bool apl_watch_projects(const apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->kinds.n; ++i)
    any = any || run_at(s, i)->project != NULL;
  return any;
}

apl_status apl_watch_project(apl_system* s, coupling_drift* how, bool* changed) {
  apl_status st = APL_OK;

  *changed = false;
  for (int i = 0; i < s->kinds.n && st == APL_OK; ++i) {
    bool here = false;
    if (run_at(s, i)->project != NULL) st = run_at(s, i)->project(s, how, &here);
    *changed = *changed || here;
  }
  return st;
}

/* -------------------------------------------------------------------- sentences and errors ---- */

bool apl_watch_may_share(const apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->kinds.n; ++i)
    any = any || (run_at(s, i)->may_share != NULL && run_at(s, i)->may_share(s));
  return any;
}

const char* apl_watch_jam(const apl_system* s) {
  const char* name = NULL;

  for (int i = 0; i < s->kinds.n && name == NULL; ++i)
    name = run_at(s, i)->jam;
  return name == NULL ? "" : name;
}

void apl_watch_shortens(const apl_system* s, apl_progress* out) {
  for (int i = 0; i < s->kinds.n; ++i) {
    if (run_at(s, i)->name_cause != NULL) run_at(s, i)->name_cause(s, out);
  }
}

/* The last kinds of the list are asked first. Their rows are equalities (loops), and an equality
   that cannot hold is a more specific reason than a contact. */
bool apl_watch_explain(apl_system* s, apl_status st, double t, const double* y, char* text,
                       size_t size) {
  for (int i = s->kinds.n - 1; i >= 0; --i) {
    const coupling_run* run = run_at(s, i);
    if (run->explain != NULL && run->explain(s, st, t, y, text, size)) return true;
  }
  return false;
}

bool apl_watch_may_damp(const apl_system* s) {
  bool any = false;

  for (int i = 0; i < s->kinds.n; ++i)
    any = any || run_at(s, i)->may_damp;
  return any;
}

double apl_watch_absolute(const apl_system* s, int of) {
  double least = HUGE_VAL;

  for (int i = 0; i < s->kinds.n; ++i) {
    const double error = run_at(s, i)->absolute_error[of];
    if (error > 0.0) least = fmin(least, error);
  }
  return isfinite(least) ? least : 0.0;
}
