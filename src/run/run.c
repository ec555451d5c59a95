/* run.c: the loop: advance to the next place of interest, look for events, control, record. */
#include "kind/contact_events.h"
#include "run/locate.h"
#include "run/resume.h"
#include "run/run_memory.h"
#include "run/runner.h"
#include "run/watch.h"

#include "base/error.h"
#include "math/solid.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

apl_run_options apl_run_options_default(void) {
  return (apl_run_options){.to = 1.0,
                           .output_every = 0.01,
                           .method = "auto",
                           .tolerance = 1e-8,
                           .spectral_radius = 0.5,
                           .loops = apl_loop_options_default()};
}

/* Bounces that come back this often at one time have become rest; places of a step at which forces
   of contacts are looked at. */
enum { MOST_RETURNS = 50, PEAK_LOOKS = 5 };

/* Do couplings have events that change what they remember? */
static bool has_changes(const runner* r) {
  return r->nevent > r->first_change;
}

/* Has a joint come to where it is singular? y begins with q. */
static apl_status check_place(const runner* r) {
  return apl_model_singular(apl_system_model(r->system), r->y, NULL) < 0 ? APL_OK
                                                                         : APL_ERR_SINGULAR;
}

void apl_runner_restart_steps(runner* r) {
  if (r->time != NULL && r->method->time->restart != NULL) r->method->time->restart(r->time);
}

static apl_status restart(runner* r) {
  apl_runner_restart_steps(r);
  return r->stepper == NULL ? APL_OK : apl_stepper_restart(r->stepper, r->t, r->y);
}

/* -------------------------------------------------------------------------------- advance ---- */

/* Values of all events for the present y. Those that stand by the memory of a contact do so
   whatever rounding says. */
static void look(runner* r) {
  const event_list all = {r->event, r->nevent, r->o->nevent};

  apl_event_values(r->system, all, false, r->t, r->y, r->g);
  for (int i = r->first_change; i < r->nevent; ++i)
    r->g[i] = apl_watch_side(&r->event[i], r->system, r->g[i]);
}

/* g(t + d) - g(t - d) of an event on the tangent of the motion at r->t, y + d y'. */
static double change_along(runner* r, int event, const double* rate, double d) {
  const int n = apl_system_error_size(r->system);
  double change = 0.0;

  memcpy(r->scratch, r->y, sizeof *r->y * (size_t)apl_system_size(r->system));
  for (int end = -1; end <= 1; end += 2) {
    for (int i = 0; i < n; ++i)
      r->scratch[i] = r->y[i] + end * d * rate[i];
    change += end * apl_event_value(r->system, &r->event[event], r->t + end * d, r->scratch);
  }
  return change;
}

/* After an action: does g of the caller's event still move in the direction that counts? Then the
   action did not turn the motion round, g has passed zero, and the event can only happen again
   after g has come back. The change of g must grow with the distance: round-off does not. */
static bool passes_zero(runner* r, int event) {
  const int direction = r->event[event].direction;
  double *rate = r->at_output, size = 1.0, speed = 1.0;
  /* an event that comes back without a flight has come to rest: see count_returns() */
  const bool again = r->t == r->step_start && r->before[event] == 0.0;

  if (event >= r->o->nevent || direction == 0 || again) return false;
  /* where there are no accelerations the next step says so */
  if (apl_system_rate_motion(r->t, r->y, rate, r->system) != APL_OK) return false;
  for (int i = 0; i < apl_system_error_size(r->system); ++i) {
    size = fmax(size, fabs(r->y[i]));
    speed = fmax(speed, fabs(rate[i]));
  }
  const double d = fmax(1e-5 * size / speed, 1e4 * DBL_EPSILON * fabs(r->t));
  const double small = direction * change_along(r, event, rate, 0.125 * d);
  return small > 0.0 && direction * change_along(r, event, rate, d) > 4.0 * small;
}

/* From an event on: history is forgotten, and what has just happened must not be found again at
   once. Where only one direction counts and the motion turns round, the event starts at zero, so
   that a bounce shorter than a step is seen; else it stands on the side it has gone to. */
static apl_status go_on(runner* r, int event) {
  const bool passed = passes_zero(r, event);
  const int direction = r->event[event].direction;
  const double side = copysign(DBL_MIN, passed ? direction : r->g[event]);

  look(r);
  /* no time has passed: events that happened just before keep the side they have gone to */
  for (int i = 0; i < r->nevent && r->t == r->step_start; ++i) {
    if (fabs(r->before[i]) == DBL_MIN) r->g[i] = r->before[i];
  }
  if (event < r->first_change || !apl_watch_decides(&r->event[event]))
    r->g[event] = direction == 0 || passed ? side : 0.0;
  return restart(r);
}

/* An event that comes back at one time again and again. */
static apl_status count_returns(runner* r, const char* name) {
  r->returns = r->t == r->t_event ? r->returns + 1 : 0;
  r->t_event = r->t;
  if (r->returns <= MOST_RETURNS) return APL_OK;
  r->crowded = name;
  return APL_ERR_INTEGRATOR;
}

apl_status apl_runner_book(runner* r, const apl_ledger* before, apl_account account) {
  apl_ledger after;
  apl_system_pack(r->system, r->y);
  const apl_status st = apl_system_audit(r->system, r->t, r->y, &after);
  if (st != APL_OK) return st;
  for (int i = 0; i < 6; ++i)
    after.momentum[i] -= before->momentum[i];
  apl_system_book(r->system, account, after.sum - before->sum, after.momentum);
  apl_system_pack(r->system, r->y);
  return APL_OK;
}

/* Events tell values, not failures; what failed while they looked is asked for here. */
static apl_status looks_failed(runner* r) {
  const apl_status st = r->system->looked;

  r->system->looked = APL_OK;
  return st == APL_OK ? r->system->complaint.status : st;
}

/* A contact opens, closes, sticks or slips, or meets a corner. NULL: the start of the run. */
static apl_status meet_contacts(runner* r, const apl_event* e) {
  coupling_news news = {.impact = r->o->impact, .user = r->o->user};
  apl_ledger before;
  apl_status st = apl_system_audit(r->system, r->t, r->y, &before);
  if (st != APL_OK) return st;

  apl_watch_happens(e, r->t, r->system, &news);
  r->report->impacts += news.impacts;
  if (news.st == APL_OK) news.st = looks_failed(r);
  if (news.st != APL_OK) return news.st;
  if (news.jumped) {
    st = apl_runner_book(r, &before, APL_ACCOUNT_IMPACT);
  } else {
    apl_system_pack(r->system, r->y);
  }
  return st;
}

/* The top of the parabola through the largest of five values at equal distances and those beside
   it. */
static double top_of(const double* F) {
  int top = 0;

  for (int k = 1; k < PEAK_LOOKS; ++k) {
    if (F[k] > F[top]) top = k;
  }
  if (top == 0 || top == PEAK_LOOKS - 1) return F[top];
  const double a = 0.5 * (F[top - 1] + F[top + 1]) - F[top];
  const double b = 0.5 * (F[top + 1] - F[top - 1]);
  return a < 0.0 ? F[top] - 0.25 * b * b / a : F[top];
}

/* Largest forces of contacts in progress: all contacts at each quarter of the step. */
static apl_status watch_peaks(runner* r, double from) {
  const int n = apl_model_count(apl_system_model(r->system), APL_CONTACTS), last = PEAK_LOOKS - 1;
  const double h = (r->t - from) / last;
  bool any = false;

  apl_system_unpack(r->system, r->t, r->y);
  for (int i = 0; i < n; ++i)
    any = any || apl_system_memory(r->system, i)->on == APL_CONTACT_CLOSED;
  if (!any) return APL_OK;

  /* fixed steps are looked at where they end: inside costs evaluations */
  for (int k = r->fixed ? last : 0; k < PEAK_LOOKS; ++k) {
    const apl_status st =
        k < last ? apl_stepper_inside(r->stepper, from + k * h, r->scratch) : APL_OK;
    if (st != APL_OK) return st;
    apl_system_unpack(r->system, k < last ? from + k * h : r->t, k < last ? r->scratch : r->y);
    for (int i = 0; i < n; ++i)
      r->force[PEAK_LOOKS * i + k] = apl_system_look(r->system, i)->force[0];
  }
  for (int i = 0; i < n; ++i)
    r->system->note[i].peak =
        fmax(r->system->note[i].peak,
             r->fixed ? r->force[PEAK_LOOKS * i + last] : top_of(r->force + PEAK_LOOKS * i));
  return APL_OK;
}

/* After an action: what it did to q and v goes into y, and history is forgotten. */
static apl_status act(runner* r, int event) {
  const apl_event* e = &r->o->event[event];

  apl_ledger before;
  apl_status st = count_returns(r, e->name);
  if (st == APL_OK) st = apl_system_audit(r->system, r->t, r->y, &before);
  if (st != APL_OK) return st;
  r->report->events += 1;
  if (e->action != NULL && e->action(r->t, r->system, e->user) == APL_STOP_HERE) r->stop = true;
  st = r->system->complaint.status;
  if (st == APL_OK) st = apl_runner_book(r, &before, APL_ACCOUNT_IMPACT);
  if (st == APL_OK && has_changes(r))
    st = meet_contacts(r, NULL); /* velocities may be others now */
  return st == APL_OK ? go_on(r, event) : st;
}

/* Free places of contacts go to solids that may meet within the next step, which is no longer than
   that; events of places that have changed hands are looked at anew. */
static apl_status find_near(runner* r, double t_end) {
  const double next = r->last > 0.0 ? 4.0 * r->last : 1e-3;
  const double horizon = fmin(t_end - r->t, r->fixed ? fmax(next, 2.0 * r->o->step) : next);
  apl_system* s = r->system;
  bool changed;
  if (s->model->nslot == 0) return APL_OK;

  apl_system_unpack(s, r->t, r->y);
  const apl_status st = apl_system_touch(s, horizon, false, &changed);
  if (st != APL_OK || !changed) return st;
  apl_system_pack(s, r->y);
  for (int i = r->first_change; i < r->nevent; ++i) {
    const coupling_watch* w = r->event[i].user;
    if (w->kind != apl_kinds[KIND_contact] || !s->note[w->of].given) continue;
    r->g[i] = apl_event_value(s, &r->event[i], r->t, r->y);
    r->g[i] = apl_watch_side(&r->event[i], s, r->g[i]);
  }
  for (int i = 0; i < s->npair; ++i)
    s->note[i].given = false;
  return APL_OK;
}

/* How far the next step may go. Embedded pairs can be blind to a corner that they step over (that
   of Fehlberg 7(8) compares the ends of a step with themselves), so no step is to reach far beyond
   one. Where g goes to zero like the last step says, it stops short of it; close to it, it goes on
   by what changes g by its reach. */
static double caution(const runner* r, double t_end) {
  double least = r->system->model->nslot > 0 ? fmin(t_end, r->t + r->system->horizon) : t_end;

  if (!(r->last > 0.0) && has_changes(r)) {
    const double h = apl_watch_first_step(r->system, r->t, r->o->tolerance);
    /* no step of a few ulp */
    least = fmin(least, r->t + fmax(h, 1e3 * DBL_EPSILON * fabs(r->t)));
  }
  for (int i = r->first_change; i < r->nevent && r->last > 0.0; ++i) {
    const double g = fabs(r->g[i]), slope = (fabs(r->before[i]) - g) / r->last;
    if (!(r->event[i].reach > 0.0) || !(slope > 0.0) || r->g[i] * r->before[i] <= 0.0) continue;
    least = fmin(least, r->t + fmax(0.98 * g, r->event[i].reach) / slope);
  }
  return least;
}

/* Fixed steps: contacts change where a step ends. */
static apl_status look_at_end(runner* r) {
  apl_system_unpack(r->system, r->t, r->y);
  const apl_status st = meet_contacts(r, NULL);
  return st == APL_OK ? restart(r) : st;
}

/* No forces hold the contacts as they are: one that slides jams. Then velocities jump, as far as
   the accelerations of the next moment ask for. */
static apl_status unjam(runner* r) {
  apl_system* s = r->system;
  coupling_news news = {.impact = r->o->impact, .user = r->o->user};
  apl_ledger before;

  memcpy(r->y, r->start, sizeof *r->y * (size_t)apl_system_size(s));
  apl_status st = count_returns(r, "a contact that jams");
  if (st == APL_OK) st = apl_system_audit(s, r->t, r->y, &before);
  if (st == APL_OK) apl_watch_jams(r->t, s, &news);
  if (st == APL_OK) st = news.st;
  if (st == APL_OK) st = apl_runner_book(r, &before, APL_ACCOUNT_IMPACT);
  if (st == APL_OK) look(r);
  return st == APL_OK ? restart(r) : st;
}

/* Loops are brought back to closing where a step has ended; the ledger says what that did. */
static apl_status project(runner* r, bool event) {
  apl_ledger before;
  bool changed;

  if (apl_model_count(apl_system_model(r->system), APL_LOOPS) == 0) return APL_OK;
  apl_status st = apl_system_audit(r->system, r->t, r->y, &before);
  /* methods that would have to begin anew are left alone while gaps are as small as their errors */
  const double leave = event || apl_stepper_adjusts(r->stepper) ? 0.0 : 10.0 * r->o->tolerance;
  if (st == APL_OK) st = apl_system_project(r->system, leave, &changed);
  if (st != APL_OK || !changed) return st;
  st = apl_runner_book(r, &before, APL_ACCOUNT_PROJECTION);
  return st == APL_OK && !event ? apl_stepper_adjust(r->stepper, r->y) : st;
}

/* The step has ended at r->t, at an event (or -1 for none): what happens there. */
static apl_status end_step(runner* r, int event) {
  apl_status st = APL_OK;

  if (event < 0 && r->fixed && has_changes(r)) st = look_at_end(r);
  if (st == APL_OK) st = project(r, event >= 0);
  if (st == APL_OK && event >= r->first_change) {
    st = count_returns(r, r->event[event].name);
    if (st == APL_OK) apl_system_unpack(r->system, r->t, r->y);
    if (st == APL_OK) st = meet_contacts(r, &r->event[event]);
    if (st == APL_OK) st = go_on(r, event);
  } else if (st == APL_OK && event >= 0) {
    st = event < r->o->nevent ? act(r, event) : go_on(r, event);
  }
  if (st == APL_OK) st = check_place(r); /* where an event has left it */
  if (st == APL_OK) st = apl_run_verdict(r, false, event < 0);
  return st == APL_OK && !r->stop ? apl_run_output_here(r) : st;
}

/* One step, not beyond t_end, cut where an event is found. */
static apl_status take_step(runner* r, double t_end) {
  const step_taken step = {r->system, r->stepper, r->t, r->start, r->scratch, r->near, r->values};
  int event;

  apl_status st = find_near(r, t_end);
  if (st != APL_OK) return st;
  memcpy(r->start, r->y, sizeof *r->y * (size_t)apl_system_size(r->system));
  memcpy(r->values, r->g, sizeof *r->g * (size_t)r->nevent);
  r->system->left_of = r->t_break;
  r->system->warm = 0; /* what was looked at since the last step, or none was, changes nothing */
  st = apl_stepper_step(r->stepper, r->fixed ? t_end : caution(r, t_end), &r->t, r->y);
  if (st == APL_ERR_CONTACT) return unjam(r);
  if (st != APL_OK) return st;
  st = apl_progress_step(&r->progress, step.t_start, r->start, r->t, r->y);
  r->hopeless = st != APL_OK;
  if (st != APL_OK) return st;
  memcpy(r->before, r->values, sizeof *r->g * (size_t)r->nevent);
  r->report->contact_shared += r->system->nsupport > 0 && !r->system->solved.unique;
  r->last = r->t - step.t_start;
  r->step_start = step.t_start;
  const event_list list = {r->event, r->fixed ? r->first_change : r->nevent, r->o->nevent};
  st = apl_locate(&step, list, r->g, &r->t, r->y, &event);
  if (st == APL_OK) st = looks_failed(r);
  if (event >= 0) r->last = 0.0;
  if (st == APL_OK && event < 0 && has_changes(r)) st = watch_peaks(r, step.t_start);
  if (st == APL_OK) st = apl_run_outputs_inside(r);
  r->system->left_of = HUGE_VAL;
  return st == APL_OK ? end_step(r, event) : st;
}

/* To t_end, or to where an event stops the run. An event a few ulp before t_end is there already:
   no method makes so short a step. */
static apl_status advance(runner* r, double t_end) {
  apl_status st = APL_OK;

  while (st == APL_OK && t_end - r->t > 16.0 * DBL_EPSILON * fabs(t_end) && !r->stop) {
    if (r->t > r->step_start) st = apl_run_checkpoint(r);
    if (st == APL_OK) st = take_step(r, t_end);
  }
  return st;
}

/* A time that the loop must land on: k-th multiple of a period, free of accumulated rounding. */
static double tick(double from, double period, long k) {
  return period > 0.0 ? from + period * (double)k : HUGE_VAL;
}

/* Inputs that a controller has written must be numbers, once their bounds have cut them. */
static apl_status check_inputs(runner* r) {
  const double* u = apl_u(r->system->state);

  for (int i = 0; i < r->system->nu; ++i) {
    const double bound = u[i] > 0.0 ? r->system->greatest[i] : r->system->least[i];
    if (isfinite(u[i]) || (!isnan(u[i]) && isfinite(bound))) continue;
    return apl_fail(&r->system->complaint, APL_ERR_NOT_FINITE,
                    "the controller gave the input '%.80s' the value %g",
                    apl_model_name(r->system->model, APL_INPUTS, i), u[i]);
  }
  return APL_OK;
}

/* The controller looks and acts: history is forgotten. */
static apl_status control(runner* r) {
  const apl_run_options* o = r->o;

  apl_system_unpack(r->system, r->t, r->y);
  o->control(r->t, r->system, o->user);
  apl_status st = check_inputs(r);
  if (st == APL_OK) st = r->system->complaint.status;
  return st == APL_OK ? restart(r) : st;
}

static apl_status loop(runner* r) {
  const apl_run_options* o = r->o;
  const bool lands = r->stepper == NULL || apl_stepper_lands(r->stepper);
  const double period = o->control_every > 0.0 ? o->control_every : o->step;
  long controls = 0;
  apl_status st = APL_OK;

  while (st == APL_OK && r->t < o->to && !r->stop && !r->closed) {
    const double near = apl_run_near(r, r->t);
    double t_control = o->control == NULL ? HUGE_VAL : tick(o->from, period, controls);
    /* time steps do not land on breaks */
    r->t_break = r->stepper != NULL ? apl_system_break(r->system, r->t) : HUGE_VAL;

    if (t_control <= r->t + near) {
      st = control(r);
      t_control = tick(o->from, period, ++controls);
      if (st != APL_OK) break;
    }

    /* times that differ by rounding only are one time: no steps of a few ulp */
    const double t_out = lands ? apl_run_next_output(r) : HUGE_VAL;
    const double t_next = fmin(fmin(t_out, t_control), fmin(r->t_break, o->to));
    if (t_next > r->t + near)
      st = r->stepper != NULL ? advance(r, t_next) : apl_run_steps(r, t_next);
    if (st == APL_OK && r->t_break <= r->t + near) {
      r->t = fmax(r->t, r->t_break); /* onto the break, or the next round would find it again */
      st = restart(r);
    }
    if (st == APL_OK) st = r->stop ? apl_run_output(r, r->t, r->y) : apl_run_output_here(r);
    if (st == APL_OK && !r->closed) st = apl_run_checkpoint(r);
  }
  return st;
}

/* Contacts whose forces were not found: which ones, how far off, what to try. */
static apl_status explain_contact(const runner* r, apl_error* err) {
  const apl_system* s = r->system;
  char names[120] = "";
  int n = 0;

  for (int i = 0; i < s->npair; ++i) {
    if (!apl_system_contact_acts(s, i)) continue;
    if (++n <= 3) {
      const size_t used = strlen(names);
      snprintf(names + used, sizeof names - used, "%s%.30s", n == 1 ? "" : ", ",
               s->model->pair_name[i]);
    }
  }
  return apl_fail(err, APL_ERR_CONTACT,
                  "at t = %.9g s no contact forces were found that satisfy the laws of %d contacts "
                  "(%s%s), the residual is %.1e: %s",
                  r->t, n, names, n > 3 ? ", ..." : "", s->solved.residual,
                  r->time != NULL ? "use a smaller step or less friction"
                                  : "use less friction, a compliant law, or the integrator moreau");
}

/* One sentence: when, where, why. */
static apl_status explain(const runner* r, apl_status st, apl_error* err) {
  const int link = apl_state_trouble(apl_system_state(r->system));
  const char* why = r->stepper == NULL ? "" : apl_stepper_reason(r->stepper);
  const apl_model* m = apl_system_model(r->system);
  apl_error place = {0};
  char loops[240];
  const int coordinate = apl_model_singular(m, r->y, &place);

  if (coordinate >= 0) {
    return apl_fail(err, st, "at t = %.9g s, %.40s: %.200s", r->t,
                    apl_model_name(m, APL_COORDINATES, coordinate), place.text);
  }
  if (st == APL_ERR_SINGULAR && link >= 0) {
    /* where it is so from the start it is the model; later on it may be steps that are too long */
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
  if (apl_system_explain_loops(r->system, r->t, r->y, loops, sizeof loops))
    return apl_fail(err, st, "at t = %.9g s: %s", r->t, loops);
  if (r->hopeless) {
    apl_progress now;
    char text[200];
    apl_progress_now(&r->progress, &now);
    apl_progress_text(&now, text, sizeof text);
    return apl_fail(err, st, "at t = %.9g s the end of the run cannot be reached: %s", r->t, text);
  }
  if (st == APL_ERR_CONTACT) return explain_contact(r, err);
  if (r->crowded != NULL) {
    return apl_fail(err, st,
                    "at t = %.9g s the event '%s' repeats without time passing: the motion has "
                    "come to rest there",
                    r->t, r->crowded);
  }
  return apl_fail(err, st, "at t = %.9g s: %s%s%.120s", r->t, apl_status_text(st),
                  why[0] == '\0' ? "" : ": ", why);
}

static apl_status check(const apl_run_options* o, apl_error* err) {
  if (!isfinite(o->from) || !isfinite(o->to) || !(o->to >= o->from)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a run must end after it begins, got %g to %g s",
                    o->from, o->to);
  }
  if (!(o->output_every >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "output-every must not be negative, got %g s",
                    o->output_every);
  }
  if (o->output_every > 0.0 && (o->to - o->from) / o->output_every > 1e8) {
    return apl_fail(err, APL_ERR_ARGUMENT, "output-every %g s would give more than 1e8 outputs",
                    o->output_every);
  }
  const double resolved = 64.0 * DBL_EPSILON * fmax(fabs(o->from), fabs(o->to));
  if (o->output_every > 0.0 && o->output_every < resolved) {
    return apl_fail(
        err, APL_ERR_ARGUMENT,
        "output-every %g s is too small at t = %g s, where floating-point times are %.1g s apart",
        o->output_every, fmax(fabs(o->from), fabs(o->to)), resolved / 64.0);
  }
  if (!apl_method_adapts(o->method) && o->step > 0.0 && (o->to - o->from) / o->step > 1e10) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a step of %g s would need %.1e steps: use a larger step", o->step,
                    (o->to - o->from) / o->step);
  }
  if (o->control != NULL && (o->checkpoint != NULL || o->resume != NULL)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a run with a controller cannot be resumed: results do not contain the state "
                    "of the controller");
  }
  if (o->control != NULL && !(o->control_every >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a controller needs a positive period, got %g s",
                    o->control_every);
  }
  if (o->control != NULL && o->control_every == 0.0 && apl_method_adapts(o->method)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "a controller without a period is called at every step and needs fixed steps, "
                    "but the integrator '%s' chooses its own: give a period (control_every), or "
                    "use rk4, semi-implicit, moreau or gen-alpha with a step",
                    o->method);
  }
  return APL_OK;
}

void apl_runner_close(runner* r) {
  apl_stepper_free(r->stepper);
  if (r->time != NULL) r->method->time->close(r->time);
  free(r->watched);
  free(r->event);
  free(r->y);
}

static apl_status refuse_depth(runner* r, apl_error* err) {
  double depth, most;
  const int i = apl_contact_too_deep(r->system, &depth, &most);

  if (i < 0) return APL_OK;
  int shape[2];
  apl_system_shapes(r->system, i, shape);
  if (shape[0] >= 0) {
    return apl_fail(
        err, APL_ERR_MODEL,
        "shapes '%s' and '%s' overlap by %.4g m at the start, more than the start-depth "
        "%g m of '%s'",
        apl_model_name(r->system->model, APL_SHAPES, shape[0]),
        apl_model_name(r->system->model, APL_SHAPES, shape[1]), depth, most,
        r->system->model->pair[i].ground);
  }
  return apl_fail(err, APL_ERR_MODEL,
                  "contact '%s' starts %.4g m deep in the ground, deeper than its start-depth %g m",
                  apl_model_name(apl_system_model(r->system), APL_CONTACTS, i), depth, most);
}

/* Loops by their method; a run that goes on has its springs and its start behind it. */
static apl_status open_loops(runner* r, apl_error* err) {
  apl_loop_options o = r->o->loops;

  if (r->o->resume != NULL) o.slow = false;
  return apl_system_loops(r->system, r->t, &o, err);
}

/* Implicit steps damp by their own error, so that auto does not take them where nothing else does.
   What springs of loops and tendons do is not looked at. */
static bool may_damp(const runner* r) {
  const apl_model* m = r->system->model;
  return m->npart + m->ntendon > 0 || apl_system_damped(r->system);
}

/* The driver: time steps, or a stepper with located events. */
static apl_status open_driver(runner* r, apl_error* err) {
  const apl_run_options* o = r->o;
  const apl_model* m = r->system->model;

  r->method = apl_method_find(o->method);
  if (r->method == NULL) return apl_method_unknown(o->method, err);
  const apl_status able = apl_method_refuse(r->method, r->system, o, err);
  if (able != APL_OK) return able;
  r->system->steps = r->method->time != NULL;
  if (r->system->steps && !(o->step > 0.0 && isfinite(o->step))) {
    return apl_fail(err, APL_ERR_ARGUMENT, "%s needs a positive step, got %g s", o->method,
                    o->step);
  }
  if (r->system->steps) return r->method->time->open(r->system, o, &r->time, err);

  /* bodies sink in by fractions of a millimetre, and their energy follows from that */
  const bool contact = m->npair > 0 && o->absolute == 0.0;
  const bool chosen = (r->method->can & METHOD_CHOOSES) != 0;
  const apl_stepper_options so = {.method = o->method,
                                  .n = apl_system_active_size(r->system),
                                  .n_error = apl_system_error_size(r->system),
                                  .motion = apl_system_rate_motion,
                                  .landed = r->silent ? NULL : apl_system_rate_landed,
                                  .n_first = m->nq,
                                  .n_second = m->nv,
                                  .tolerance = o->tolerance,
                                  .absolute = contact ? 1e-5 * o->tolerance : o->absolute,
                                  .step = o->step,
                                  .max_step = o->max_step,
                                  .implicit = chosen && !may_damp(r) ? NULL : &apl_system_implicit,
                                  .poll = o->poll == NULL ? NULL : apl_progress_poll,
                                  .poll_user = &r->progress};
  const apl_status st = apl_stepper_new(&so, apl_system_rate, r->system, &r->stepper, err);
  if (st != APL_OK) return st;
  r->report->undamped = (r->method->can & METHOD_IMPLICIT) != 0 && !apl_system_damped(r->system);
  r->fixed = apl_stepper_is_fixed(r->stepper);
  return APL_OK;
}

/* The caller's events, then those of the model, and all memory of the run. */
static apl_status find_events(runner* r, apl_error* err) {
  const apl_run_options* o = r->o;
  const apl_model* m = r->system->model;
  const bool located = r->stepper != NULL;
  int corners = 0;
  const int nwatched = located ? apl_watch_find(r->system, &r->watched, &corners) : 0;
  const int n = apl_system_size(r->system), ncontact = m->npair;
  const bool found = nwatched >= 0;
  r->first_change = o->nevent + corners;
  r->nevent = o->nevent + nwatched;
  const int nmemory = apl_run_memory_size(r->system, o);
  const int room = 5 * n + 5 * r->nevent + PEAK_LOOKS * ncontact + nmemory;
  r->y = found ? calloc((size_t)room, sizeof *r->y) : NULL;
  r->event = found ? calloc((size_t)r->nevent + 1, sizeof *r->event) : NULL;
  if (r->y == NULL || r->event == NULL)
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the run");
  for (int i = 0; i < r->nevent; ++i) {
    r->event[i] = i < o->nevent ? o->event[i] : r->watched[i - o->nevent];
  }
  r->start = r->y + n;
  r->scratch = r->start + n;
  r->at_output = r->scratch + n;
  r->g = r->at_output + n;
  r->near = r->g + r->nevent;
  r->values = r->near + 2 * r->nevent;
  r->before = r->values + r->nevent;
  r->force = r->before + r->nevent;
  r->memory = r->force + PEAK_LOOKS * ncontact;
  r->t_event = -DBL_MAX;
  r->progress = (run_progress){.o = o,
                               .method = r->method,
                               .system = r->system,
                               .stepper = r->stepper,
                               .report = r->report,
                               .n = apl_system_error_size(r->system),
                               .rate = r->memory + nmemory,
                               .limit = -1};
  return APL_OK;
}

/* From the state as it is: prescribed freedoms start on their signals, contacts look where they
 * are.
 */
static apl_status begin(runner* r, apl_error* err) {
  apl_system_pack(r->system, r->y);
  apl_system_unpack(r->system, r->t, r->y);
  apl_status st = APL_OK;
  if (!apl_system_loops_go_on(r->system, &r->o->loops))
    st = apl_system_assemble(r->system, NULL, NULL, NULL, err);
  if (st == APL_OK) apl_system_pack(r->system, r->y);
  bool changed;
  if (st == APL_OK) st = apl_system_touch(r->system, 1e-3, true, &changed);
  if (r->system->complaint.status != APL_OK)
    return apl_fail(err, st, "%s", r->system->complaint.text);
  if (st == APL_OK && r->system->npair > 0) st = refuse_depth(r, err);
  if (st != APL_OK) return st;
  /* in time steps contacts push by impulses, never inside a pass */
  const bool impulses = (r->method->can & METHOD_IMPULSES) != 0;
  for (int i = 0; i < r->system->npair && impulses; ++i) {
    contact_state* c = apl_system_memory(r->system, i);
    c->on = APL_CONTACT_OPEN;
    c->stick = 0.0;
  }
  return APL_OK;
}

/* Leave the state at the last good place, with accelerations and efforts that belong to it. */
static apl_status conclude(runner* r, apl_status st) {
  r->system->left_of = HUGE_VAL;
  apl_system_unpack(r->system, r->t, r->y);
  if (st == APL_OK && r->stepper != NULL) st = apl_system_forward(r->system);
  r->report->t = r->t;
  apl_run_count_work(r);
  r->report->switching = r->stepper == NULL ? (apl_switching){.method = r->o->method}
                                            : apl_stepper_switching(r->stepper);
  apl_audit_tell(&r->audit, r->o, r->report);
  r->report->discretisation = (r->method->can & METHOD_IMPULSES) != 0;
  if (r->time != NULL) {
    const step_worst* worst = &r->time->worst;
    r->report->contact_residual = worst->residual;
    r->report->contact_rough = (long)worst->rough;
    r->report->contact_gain = worst->gain;
    r->report->contact_gain_at = worst->gain_at;
    r->report->contact_stiffest = worst->stiffest;
    r->report->contact_stiffest_of = r->time->stiffest_of;
  }
  return st;
}

/* Contacts, events and ledgers at the start, before the first step. */
static apl_status stand_at_start(runner* r) {
  apl_status st = APL_OK;

  apl_system_pack(r->system, r->y); /* loops may have moved it */
  if (has_changes(r)) st = meet_contacts(r, NULL);
  if (st == APL_OK) st = check_place(r);
  if (st == APL_OK) st = apl_run_verdict(r, true, false);
  if (st == APL_OK) st = apl_run_output(r, r->t, r->y);
  apl_progress_restart(&r->progress, r->t);
  look(r);
  return st == APL_OK ? restart(r) : st;
}

apl_status apl_runner_open(runner* r, apl_error* err) {
  const apl_run_options* o = r->o;
  apl_system* system = r->system;

  r->t = o->from;
  r->next = 1;
  memset(r->report, 0, sizeof *r->report);
  system->complaint.status = APL_OK;
  apl_status st = check(o, err);
  if (st == APL_OK) st = apl_system_check(system, err);
  if (st == APL_OK && o->resume != NULL) st = apl_resume_check(system, o, err);
  if (st != APL_OK) return st;
  apl_system_activate(system, o->control != NULL || o->nevent > 0, !o->energy_only);
  st = open_driver(r, err);
  if (st == APL_OK) st = find_events(r, err);
  if (st == APL_OK && o->resume == NULL) st = begin(r, err);
  if (st == APL_OK) st = open_loops(r, err);
  if (st == APL_OK && o->resume != NULL) {
    st = apl_run_go_on_from(r, o->resume);
    if (st != APL_OK) st = apl_fail(err, st, "the checkpoint to resume from is damaged");
  }
  return st;
}

apl_status apl_runner_go(runner* r, bool from_start, apl_error* err) {
  apl_status st = from_start ? stand_at_start(r) : APL_OK;

  if (st == APL_OK) st = loop(r);
  if (st != APL_OK) explain(r, st, err);
  return conclude(r, st);
}

apl_status apl_run(apl_system* system, const apl_run_options* o, apl_run_report* report,
                   apl_error* err) {
  apl_run_report unused;
  runner r = {.system = system, .o = o, .report = report == NULL ? &unused : report};

  apl_system_end_steps(system);
  apl_status st = apl_runner_open(&r, err);
  if (st == APL_OK) st = apl_runner_go(&r, o->resume == NULL, err);
  apl_runner_close(&r);
  return st;
}
