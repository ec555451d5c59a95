/* run_memory.c: places from which a run can be resumed. They stand where a step has ended and hold
   all that the next one depends on, so that a resumed run makes the same steps and ends with the
   same bytes. Beside y that is, in this order:

     the verdicts on the ledgers so far           audit.h
     the worst of time steps                      step/methods.h
     the last step and the last event             MARKS
     counts                                       COUNTS
     values of events at both ends of that step
     whether the run gets anywhere                progress.h
     the integrator, and which one                step/steppers.h
     time steps                                   step/methods.h
     what couplings remember                      apl_system_remember() */
#include "run/run_memory.h"
#include "run/watch.h"
#include "system/system.h"

#include <string.h>

enum { COUNTS = 10, MARKS = 3, CARRY = AUDIT_NUMBERS + WORST_NUMBERS + MARKS + COUNTS };

/* A run may be resumed to another end, but steps near this one may be other steps because of it.
   From there on there is no place any more, not even a later one, so that a longer run has the same
   ones before. */
static bool near_end(const runner* r) {
  const double next = r->stepper == NULL ? 0.0 : apl_stepper_next(r->stepper);
  return r->ending || r->o->to - r->t < 1.001 * next;
}

int apl_run_carry_size(void) {
  return CARRY;
}

int apl_run_count_size(void) {
  return COUNTS;
}

/* The caller's events and those of the model. */
static int count_events(apl_system* system, const apl_run_options* o) {
  if (apl_method_steps_time(o->method)) return o->nevent;
  return o->nevent + apl_watch_count(system);
}

/* Behind the carry: where each part begins, [PARTS] the whole. */
enum { PART_EVENTS, PART_PROGRESS, PART_STEPPER, PART_TIME, PART_SYSTEM, PARTS };

static void find_parts(const apl_system* system, const apl_run_options* o, int nevent, int* at) {
  const int n = apl_system_size(system);

  at[PART_EVENTS] = CARRY;
  at[PART_PROGRESS] = at[PART_EVENTS] + 2 * nevent;
  at[PART_STEPPER] = at[PART_PROGRESS] + apl_progress_memory_size(n);
  at[PART_TIME] = at[PART_STEPPER] + apl_method_memory_size(o->method, n);
  at[PART_SYSTEM] = at[PART_TIME] + apl_method_time_memory(system);
  at[PARTS] = at[PART_SYSTEM] + apl_system_memory_size(system);
}

int apl_run_memory_size(apl_system* system, const apl_run_options* o) {
  int at[PARTS + 1];

  find_parts(system, o, count_events(system, o), at);
  return at[PARTS];
}

/* The carry, in one order for saving and restoring. */
static void carry(runner* r, double* x, bool save) {
  long* const count[COUNTS] = {&r->next,
                               &r->report->outputs,
                               &r->report->events,
                               &r->report->steps,
                               &r->report->evaluations,
                               &r->report->impacts,
                               &r->report->contact_shared,
                               &r->report->merged,
                               &r->places,
                               &r->returns};
  double* const mark[MARKS] = {&r->last, &r->step_start, &r->t_event};
  step_worst none = {0}, *worst = r->time == NULL ? &none : &r->time->worst;

  if (save) {
    memcpy(x, &r->audit, sizeof r->audit);
    memcpy(x + AUDIT_NUMBERS, worst, sizeof *worst);
  } else {
    memcpy(&r->audit, x, sizeof r->audit);
    memcpy(worst, x + AUDIT_NUMBERS, sizeof *worst);
  }
  x += AUDIT_NUMBERS + WORST_NUMBERS;
  for (int i = 0; i < MARKS; ++i, ++x) {
    if (save) *x = *mark[i];
    if (!save) *mark[i] = *x;
  }
  for (int i = 0; i < COUNTS; ++i, ++x) {
    if (save) *x = (double)*count[i];
    if (!save) *count[i] = (long)*x;
  }
}

void apl_run_count_work(runner* r) {
  if (r->stepper == NULL) return; /* counted as they are made */
  r->report->steps = r->steps + apl_stepper_steps(r->stepper);
  r->report->evaluations = r->evaluations + apl_stepper_evaluations(r->stepper);
}

apl_status apl_run_checkpoint(runner* r) {
  const apl_run_options* o = r->o;
  if (o->checkpoint == NULL || o->checkpoint_every <= 0) return APL_OK;

  const long due = r->report->outputs / o->checkpoint_every;
  int at[PARTS + 1];
  if (due <= r->places || (r->stepper != NULL && !apl_stepper_can_be_left(r->stepper)))
    return APL_OK;
  r->ending = near_end(r);
  if (r->ending) return APL_OK;
  r->places = due;
  apl_run_count_work(r);
  find_parts(r->system, o, r->nevent, at);
  carry(r, r->memory, true);
  memcpy(r->memory + at[PART_EVENTS], r->g, sizeof *r->g * (size_t)r->nevent);
  memcpy(r->memory + at[PART_EVENTS] + r->nevent, r->before, sizeof *r->g * (size_t)r->nevent);
  apl_progress_remember(&r->progress, r->memory + at[PART_PROGRESS]);
  if (r->stepper != NULL) apl_stepper_remember(r->stepper, r->memory + at[PART_STEPPER]);
  if (r->time != NULL && r->method->time->remember != NULL)
    r->method->time->remember(r->time, r->memory + at[PART_TIME]);
  apl_system_remember(r->system, r->memory + at[PART_SYSTEM]);
  return o->checkpoint(r->t, r->y, r->memory, o->user);
}

apl_status apl_run_go_on_from(runner* r, const apl_resume* from) {
  const double* memory = from->memory;
  int at[PARTS + 1];

  find_parts(r->system, r->o, r->nevent, at);
  r->t = from->t;
  memcpy(r->y, from->y, sizeof *r->y * (size_t)apl_system_size(r->system));
  apl_system_recall(r->system, memory + at[PART_SYSTEM]);
  apl_system_restore(r->system, r->t, r->y);
  memcpy(r->memory, memory, CARRY * sizeof *memory);
  carry(r, r->memory, false);
  if (!(r->audit.jump_account >= -1.0 && r->audit.jump_account < APL_NACCOUNT))
    return APL_ERR_ARGUMENT; /* an account that does not exist would be named */
  r->steps = r->report->steps;
  r->evaluations = r->report->evaluations;
  r->progress.steps = r->steps;
  r->progress.evaluations = r->evaluations;
  memcpy(r->g, memory + at[PART_EVENTS], sizeof *r->g * (size_t)r->nevent);
  memcpy(r->before, memory + at[PART_EVENTS] + r->nevent, sizeof *r->g * (size_t)r->nevent);
  apl_progress_recall(&r->progress, memory + at[PART_PROGRESS]);
  if (r->time != NULL && r->method->time->recall != NULL)
    r->method->time->recall(r->time, memory + at[PART_TIME]);
  return r->stepper == NULL ? APL_OK
                            : apl_stepper_recall(r->stepper, r->t, r->y, memory + at[PART_STEPPER]);
}
