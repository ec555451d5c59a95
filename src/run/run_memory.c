/* SPDX-License-Identifier: Apache-2.0 */
/* run_memory.c: checkpoints. A checkpoint is written at the end of a step and has all data on which
   the next step depends, so that a resumed run makes the same steps and gives the same bytes, also
   to a later end: there is none after a step that the end of the run has influenced
   (docs/decisions/086-places-before-the-end.md). In addition to y these are, in this order:

     the verdicts on the ledgers so far           run_record, audit.h
     the worst of time steps                      run_record, step/methods.h
     the last step, the last event, counts        run_record
     values of events at both ends of that step
     progress of the run                          progress.h
     the integrator                               step/steppers.h
     time steps                                   step/methods.h
     what couplings remember                      apl_system_memories()
     what the caller has set (held velocities)    apl_watch_settings()

   Each part is written and read by one function (base/store.h). */
#include "run/run_memory.h"
#include "run/watch.h"

#include "base/error.h"
#include "system/system.h"

#include <string.h>

/* The first numbers of a checkpoint. */
enum { COUNTS = 10 };
typedef struct run_record {
  run_audit audit;
  step_worst worst;
  double last, step_start; /* length and start of the last step [s]                              */
  double t_event;          /* time of the last event [s]                                         */
  double count[COUNTS];    /* see counts_of()                                                    */
} run_record;
enum { RUN_NUMBERS = AUDIT_NUMBERS + WORST_NUMBERS + 3 + COUNTS };
APL_STORED(run_record, RUN_NUMBERS);

/* No run counts that far; up to here a double represents every whole number. */
static const double COUNT_MOST = 9e15;

/* The caller's events and those of the model. */
static int count_events(apl_system* system, const apl_run_options* o) {
  if (apl_method_steps_time(o->method)) return o->nevent;
  return o->nevent + apl_watch_count(system);
}

/* Numbers of each part. */
enum {
  PART_RUN,
  PART_EVENTS,
  PART_PROGRESS,
  PART_STEPPER,
  PART_TIME,
  PART_SYSTEM,
  PART_SETTINGS,
  PARTS
};

static void measure(const apl_system* system, const apl_run_options* o, int nevent, int* size) {
  const int n = apl_system_size(system);

  size[PART_RUN] = RUN_NUMBERS;
  size[PART_EVENTS] = 2 * nevent;
  size[PART_PROGRESS] = apl_progress_memory_size(n);
  size[PART_STEPPER] = apl_method_memory_size(o->method, n);
  size[PART_TIME] = apl_method_time_memory(system);
  size[PART_SYSTEM] = apl_system_memory_size(system);
  size[PART_SETTINGS] = apl_watch_settings_size(system);
}

int apl_run_memory_size(apl_system* system, const apl_run_options* o) {
  int size[PARTS], sum = 0;

  measure(system, o, count_events(system, o), size);
  for (int k = 0; k < PARTS; ++k)
    sum += size[k];
  return sum;
}

typedef struct run_count {
  long* x;
  const char* what;
} run_count;

/* The counts of a run, in the order of run_record. */
static void counts_of(runner* r, run_count count[COUNTS]) {
  const run_count all[COUNTS] = {{&r->next, "its number of outputs"},
                                 {&r->report->outputs, "a count of outputs"},
                                 {&r->report->events, "a count of events"},
                                 {&r->report->steps, "a count of steps"},
                                 {&r->report->evaluations, "a count of evaluations"},
                                 {&r->report->impacts, "a count of impacts"},
                                 {&r->report->contact_shared, "a count of shared contacts"},
                                 {&r->report->merged, "a count of merged outputs"},
                                 {&r->places, "a count of checkpoints"},
                                 {&r->returns, "a count of returns"}};

  memcpy(count, all, sizeof all);
}

static void store_record(run_record* x, const run_count count[COUNTS], apl_store* m) {
  apl_store_numbers(m, (double*)(void*)&x->audit, AUDIT_NUMBERS, "a verdict on the ledgers");
  /* the report prints the name of this account; -1: none */
  if (!(x->audit.jump_account >= -1.0 && x->audit.jump_account < APL_NACCOUNT))
    apl_store_refuse(m, "an account of the ledgers", x->audit.jump_account);
  apl_store_numbers(m, (double*)(void*)&x->worst, WORST_NUMBERS, "a verdict on time steps");
  if (!(x->worst.rough >= 0.0 && x->worst.rough <= COUNT_MOST))
    apl_store_refuse(m, "a count of rough steps", x->worst.rough);
  apl_store_number(m, &x->last, "the length of the last step");
  apl_store_number(m, &x->step_start, "the start of the last step");
  apl_store_number(m, &x->t_event, "the time of the last event");
  for (int i = 0; i < COUNTS; ++i)
    apl_store_whole(m, &x->count[i], 0.0, COUNT_MOST, count[i].what);
}

static void store_run(runner* r, apl_store* m) {
  run_record x = {
      .audit = r->audit, .last = r->last, .step_start = r->step_start, .t_event = r->t_event};
  run_count count[COUNTS];

  counts_of(r, count);
  if (r->time != NULL) x.worst = r->time->worst;
  for (int i = 0; i < COUNTS; ++i)
    x.count[i] = (double)*count[i].x;
  store_record(&x, count, m);
  if (m->out != NULL) return;

  r->audit = x.audit;
  if (r->time != NULL) r->time->worst = x.worst;
  r->last = x.last;
  r->step_start = x.step_start;
  r->t_event = x.t_event;
  for (int i = 0; i < COUNTS; ++i)
    *count[i].x = (long)x.count[i];
}

/* In checkpoints the place of an event is one number (system/event_side.h). */
static void store_places(event_place* place, int n, apl_store* m) {
  for (int i = 0; i < n; ++i) {
    double number = apl_place_number(place[i]);
    apl_store_number(m, &number, "the value of an event");
    if (m->out == NULL) place[i] = apl_place_from(number);
  }
}

void apl_run_count_work(runner* r) {
  if (r->stepper == NULL) return; /* time steps are counted by their driver */
  r->report->steps = r->steps + apl_stepper_steps(r->stepper);
  r->report->evaluations = r->evaluations + apl_stepper_evaluations(r->stepper);
}

/* All parts except those of the method, which are read last: a stepper evaluates rates when it is
   read. */
static void store_parts(runner* r, apl_store part[PARTS]) {
  apl_system_memories(r->system, &part[PART_SYSTEM]);
  apl_watch_settings(r->system, &part[PART_SETTINGS]);
  store_run(r, &part[PART_RUN]);
  store_places(r->g, r->nevent, &part[PART_EVENTS]);
  store_places(r->before, r->nevent, &part[PART_EVENTS]);
  apl_progress_memory(&r->progress, &part[PART_PROGRESS]);
}

static void store_time(runner* r, apl_store* part) {
  if (r->time != NULL && r->method->time->memory != NULL) r->method->time->memory(r->time, part);
}

static void cut(const runner* r, apl_store* whole, apl_store part[PARTS]) {
  int size[PARTS];

  measure(r->system, r->o, r->nevent, size);
  for (int k = 0; k < PARTS; ++k)
    part[k] = apl_store_part(whole, size[k]);
}

apl_status apl_run_checkpoint(runner* r) {
  const apl_run_options* o = r->o;
  if (o->checkpoint == NULL || o->checkpoint_every <= 0) return APL_OK;

  const long due = r->report->outputs / o->checkpoint_every;
  if (due <= r->places || (r->stepper != NULL && !apl_stepper_can_be_left(r->stepper)))
    return APL_OK;
  if (r->ending) return APL_OK;
  r->places = due;
  apl_run_count_work(r);
  apl_store whole = apl_store_writer(r->memory, r->nmemory), part[PARTS];
  memset(r->memory, 0, sizeof *r->memory * (size_t)r->nmemory);
  cut(r, &whole, part);
  store_parts(r, part);
  if (r->stepper != NULL) apl_stepper_remember(r->stepper, &part[PART_STEPPER]);
  store_time(r, &part[PART_TIME]);
  return o->checkpoint(r->t, r->y, r->memory, o->user);
}

void apl_run_restore_settings(apl_system* s, const apl_run_options* o) {
  const int n = apl_watch_settings_size(s);
  const double* end = o->resume->memory + apl_run_memory_size(s, o);
  apl_store settings = apl_store_reader(end - n, n);

  apl_watch_settings(s, &settings);
}

apl_status apl_run_go_on_from(runner* r, const apl_resume* from, apl_error* err) {
  apl_store whole = apl_store_reader(from->memory, r->nmemory), part[PARTS];
  apl_status st = APL_OK;

  cut(r, &whole, part);
  r->t = from->t;
  memcpy(r->y, from->y, sizeof *r->y * (size_t)apl_system_size(r->system));
  store_parts(r, part);
  for (int k = 0; k < PARTS; ++k)
    apl_store_join(&whole, &part[k]);
  if (whole.bad == NULL) {
    apl_system_restore(r->system, r->t, r->y);
    r->progress.steps = r->steps = r->report->steps;
    r->progress.evaluations = r->evaluations = r->report->evaluations;
    store_time(r, &part[PART_TIME]);
    if (r->stepper != NULL) st = apl_stepper_recall(r->stepper, r->t, r->y, &part[PART_STEPPER]);
    apl_store_join(&whole, &part[PART_TIME]);
    apl_store_join(&whole, &part[PART_STEPPER]);
  }
  if (whole.bad != NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "the checkpoint is damaged: %s is %g", whole.bad,
                    whole.value);
  }
  return st == APL_OK ? st : apl_fail(err, st, "the checkpoint to resume from is damaged");
}
