/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c: why a run has ended before its end, in one sentence: when, where, what to do. */
#include "run/parts.h"
#include "run/runner.h"
#include "run/watch.h"

#include "base/error.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <string.h>

/* One sentence: when, where, why. */
static apl_status explain(const runner* r, apl_status st, apl_error* err) {
  const int link = apl_state_trouble(apl_system_state(r->system));
  const char* why = r->stepper != NULL ? apl_stepper_reason(r->stepper)
                    : r->time != NULL  ? r->time->reason
                                       : "";
  const apl_model* m = apl_system_model(r->system);
  apl_error place = {0};
  char coupling[400];
  const int coordinate = apl_model_singular(m, r->y, &place);

  if (coordinate >= 0) {
    return apl_fail(err, st, "at t = %.9g s, %.40s: %.200s", r->t,
                    apl_model_name(m, APL_COORDINATES, coordinate), place.text);
  }
  if (st == APL_ERR_SINGULAR && link >= 0) {
    /* at the start the model is the cause; later it may be a fixed step that is too long */
    const bool stepped = !apl_method_adapts(r->o->method) && r->t > r->o->from;
    return apl_fail(err, st,
                    "at t = %.9g s the inertia at the joint of link '%s' is not positive: %sgive "
                    "mass and inertia, or a rotor, to it or to a link that it carries",
                    r->t, apl_model_name(m, APL_LINKS, link),
                    stepped ? "use a smaller step, because the motion may have become unstable, or "
                            : "");
  }
  const apl_state* twin = r->system->implicit.twin;
  if (st == APL_ERR_SINGULAR && twin != NULL && apl_state_trouble(twin) >= 0) {
    return apl_fail(err, st,
                    "at t = %.9g s the matrix of implicit steps, M + c C + c^2 K, is singular at "
                    "link '%s': use a smaller tolerance, or give the link more inertia or damping",
                    r->t, apl_model_name(m, APL_LINKS, apl_state_trouble(twin)));
  }
  if (r->system->complaint.status != APL_OK)
    return apl_fail(err, st, "at t = %.9g s: %s", r->t, r->system->complaint.text);
  if (st == APL_ERR_MEMORY && r->system->refusal.status != APL_OK)
    return apl_fail(err, st, "at t = %.9g s: %s", r->t, r->system->refusal.text);
  if (apl_watch_explain(r->system, st, r->t, r->y, coupling, sizeof coupling))
    return apl_fail(err, st, "at t = %.9g s%s", r->t, coupling);
  if (r->hopeless) {
    apl_progress now;
    char text[200];
    apl_progress_now(&r->progress, &now);
    apl_progress_text(&now, text, sizeof text);
    return apl_fail(err, st, "at t = %.9g s the end of the run cannot be reached: %s", r->t, text);
  }
  if (r->crowded != NULL) {
    return apl_fail(err, st,
                    "at t = %.9g s the event '%s' repeats without time passing: the motion has "
                    "come to rest there",
                    r->t, r->crowded);
  }
  return apl_fail(err, st, "at t = %.9g s: %s%s%.120s", r->t, apl_status_text(st),
                  why[0] == '\0' ? "" : ": ", why);
}

/* A robot that cannot begin is a matter of its file: the place is that of the link in question, or
   of the first one. */
apl_status apl_run_explain(const runner* r, apl_status st, apl_error* err) {
  const apl_model* m = apl_system_model(r->system);
  const int link = apl_state_trouble(apl_system_state(r->system));

  explain(r, st, err);
  /* a file is to blame only for what its numbers cause; not for a sentence of the caller, of a
     limit or of an output */
  const bool of_file = st == APL_ERR_SINGULAR || st == APL_ERR_NOT_FINITE || st == APL_ERR_MODEL ||
                       st == APL_ERR_CONTACT || st == APL_ERR_INTEGRATOR;
  if (err != NULL && of_file && r->system->complaint.status == APL_OK && err->line == 0 &&
      !r->silent && r->t <= r->o->from && m->nlink > 0) {
    err->line = m->link_mark[link < 0 ? 0 : link].line;
    err->column = m->link_mark[link < 0 ? 0 : link].column;
  }
  return st;
}
