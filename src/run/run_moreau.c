/* SPDX-License-Identifier: Apache-2.0 */
/* run_moreau.c: the driver of time steps: fixed steps in sequence, events of the caller at their
   ends. The steps themselves: step/moreau.h, step/gen_alpha.h. */
#include "run/locate.h"
#include "run/runner.h"

#include "system/system.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Testing forces for uniqueness costs a factorisation: it is done once in this many steps. */
enum { ASK_EVERY = 16 };

/* The check of the ledgers costs a good part of a step: it is done once in this many steps. */
enum { VERDICT_EVERY = 8 };

/* Events of the caller, evaluated at the end of a step. */
static apl_status look_at_events(runner* r) {
  apl_status st = APL_OK;

  for (int i = 0; i < r->nevent && st == APL_OK; ++i) {
    const apl_event* e = &r->event[i];
    const double now = e->g(r->t, r->system, e->user);
    const bool yes = apl_event_crosses(e, r->g[i].side, now);
    apl_ledger before;
    if (r->system->complaint.status != APL_OK) return r->system->complaint.status;

    r->g[i] = apl_place_of(now);
    if (!yes) continue;
    r->report->events += 1;
    apl_system_pack(r->system, r->y);
    st = apl_system_audit(r->system, r->t, r->y, &before);
    if (st != APL_OK || e->action == NULL) continue;
    if (e->action(r->t, r->system, e->user) == APL_STOP_HERE) r->stop = true;
    st = r->system->complaint.status;
    if (st == APL_OK) st = apl_runner_book(r, &before, APL_ACCOUNT_IMPACT);
    /* accelerations from before the action do not fit the motion after it */
    apl_runner_restart_steps(r);
  }
  return st;
}

apl_status apl_run_steps(runner* r, double t_end) {
  const double end = r->o->to, step = r->o->step;
  const bool impulses = (r->method->can & METHOD_IMPULSES) != 0;
  long evaluations = r->report->evaluations;
  coupling_news news = {.impact = r->o->impact, .user = r->o->user};
  apl_status st = APL_OK;

  apl_system_unpack(r->system, r->t, r->y);
  while (t_end - r->t > 1e-9 * step && !r->stop && st == APL_OK) {
    /* the run ends at the requested time; a remainder of a few ulp is not a step of its own */
    const bool last = end - r->t <= step * (1.0 + 1e-9);
    /* t + h equals the end time of the step to the last bit, so that signals are evaluated once */
    const double next = last ? end : r->o->from + step * (double)(r->report->steps + 1);
    const double h = next - r->t;

    r->time->asks = impulses && r->report->steps % ASK_EVERY == 0;
    st = r->method->time->step(r->time, r->t, h, &news, &evaluations);
    if (st != APL_OK) break;
    if (r->time->asks) r->report->contact_shared += !r->system->solve.last.unique;
    r->report->steps += 1;
    r->report->evaluations = evaluations;
    r->t = next;
    /* the last valid state, in case the next step fails; drives are set as for an output */
    apl_system_drive(r->system, r->t);
    apl_system_pack(r->system, r->y);
    if (r->nevent > 0) st = look_at_events(r);
    if (st == APL_OK && (last || r->report->steps % VERDICT_EVERY == 0)) {
      st = apl_run_verdict(r, false, false);
    }
    r->progress.t = r->t;
    /* a step costs as much as several evaluations */
    r->progress.polled += 16;
    if (st == APL_OK) st = apl_progress_poll(r->t, &r->progress);
  }
  r->report->impacts += news.impacts;
  return st;
}
