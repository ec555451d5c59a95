/* SPDX-License-Identifier: Apache-2.0 */
/* stepper.c: what steppers of y' = f(t, y) share. */
#include "step/stepper.h"

#include "base/assert.h"
#include "base/error.h"
#include "step/methods.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static apl_status evaluate(apl_stepper* s, apl_rate f, double t, const double* y, double* rate) {
  if (s->cause == APL_ERR_STOPPED)
    return s->cause; /* the run was stopped: repeated attempts of a
                        method fail at once */
  return apl_stepper_evaluated(s, t, f(t, y, rate, s->context));
}

apl_status apl_stepper_rate(apl_stepper* s, double t, const double* y, double* rate) {
  return evaluate(s, s->rate, t, y, rate);
}

apl_status apl_stepper_motion(apl_stepper* s, double t, const double* y, double* rate) {
  return evaluate(s, s->options.motion != NULL ? s->options.motion : s->rate, t, y, rate);
}

apl_status apl_stepper_landed(apl_stepper* s, double t, const double* y, double* rate) {
  return evaluate(s, s->options.landed != NULL ? s->options.landed : s->rate, t, y, rate);
}

apl_status apl_stepper_evaluated(apl_stepper* s, double t, apl_status st) {
  s->evaluations += 1;
  if (s->options.poll != NULL) {
    const apl_status wish = s->options.poll(t, s->options.poll_user);
    if (wish != APL_OK) st = APL_ERR_STOPPED;
  }
  if (st != APL_OK) s->cause = st;
  return st;
}

static apl_status check(const apl_stepper_options* o, bool adaptive, apl_error* err) {
  if (o->n < 1 || o->n_error < 0 || o->n_error > o->n) {
    return apl_fail(err, APL_ERR_ARGUMENT, "a stepper needs at least one state");
  }
  if (adaptive && !(o->tolerance >= 1e-15 && o->tolerance < 1.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT, "tolerance must lie between 1e-15 and 1, got %g",
                    o->tolerance);
  }
  if (!adaptive && !(o->step > 0.0 && isfinite(o->step))) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "%s needs a positive step (--step, or step of `run`), got %g s", o->method,
                    o->step);
  }
  if (!(o->absolute >= 0.0) || !(o->absolute_rate >= 0.0) || !(o->max_step >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "absolute tolerance and largest step must not be negative");
  }
  return APL_OK;
}

apl_status apl_stepper_new(const apl_stepper_options* options, apl_rate rate, void* context,
                           apl_stepper** out, apl_error* err) {
  const apl_method* m = apl_method_find(options->method);

  *out = NULL;
  if (m == NULL) return apl_method_unknown(options->method, err);
  if (m->ops == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "the integrator '%s' is for robots only, not for a general y' = f(t, y)",
                    m->word);
  }
  apl_status st = check(options, (m->can & METHOD_ADAPTS) != 0, err);
  if (st != APL_OK) return st;

  apl_stepper* s = calloc(1, sizeof *s);
  const size_t room = (size_t)options->n + APL_STEPPER_ROOM;
  double* numbers = calloc(2 * room, sizeof *numbers);
  if (s == NULL || numbers == NULL) {
    free(s);
    free(numbers);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  }
  s->ops = m->ops;
  s->word = m->word;
  s->table = m->table;
  s->options = *options;
  if (s->options.absolute == 0.0) s->options.absolute = s->options.tolerance;
  if (s->options.absolute_rate == 0.0) s->options.absolute_rate = s->options.absolute;
  s->rate = rate;
  s->context = context;
  s->y = numbers;
  s->y0 = numbers + room;
  st = s->ops->open(s, err);
  if (st != APL_OK) {
    apl_stepper_free(s);
    return st;
  }
  *out = s;
  return APL_OK;
}

void apl_stepper_free(apl_stepper* s) {
  if (s == NULL) return;
  s->ops->close(s);
  free(s->y);
  free(s);
}

/* Set the stepper to (t, y) and clear its error. */
static void stand(apl_stepper* s, double t, const double* y) {
  s->t = s->t0 = t;
  memcpy(s->y, y, sizeof *y * (size_t)s->options.n);
  memcpy(s->y0, y, sizeof *y * (size_t)s->options.n);
  s->reason[0] = '\0';
  s->cause = APL_OK;
  s->shaped = false;
}

apl_status apl_stepper_restart(apl_stepper* s, double t, const double* y) {
  stand(s, t, y);
  s->since = 0;
  return s->ops->restart(s);
}

apl_status apl_stepper_rewind(apl_stepper* s, double t, const double* y) {
  stand(s, t, y);
  return s->ops->rewind != NULL ? s->ops->rewind(s) : s->ops->restart(s);
}

bool apl_stepper_adjusts(const apl_stepper* s) {
  return s->ops->adjust != NULL;
}

apl_status apl_stepper_adjust(apl_stepper* s, const double* y) {
  memcpy(s->y, y, sizeof *y * (size_t)s->options.n);
  if (s->ops->adjust != NULL) return s->ops->adjust(s);
  s->since = 0;
  return s->ops->restart(s);
}

apl_status apl_stepper_jolt(apl_stepper* s) {
  s->reason[0] = '\0';
  s->cause = APL_OK;
  if (s->ops->jolt != NULL) return s->ops->jolt(s);
  s->since = 0;
  return s->ops->restart(s);
}

/* --------------------------------------------------------------------- leaving and coming back --
 */

/* Shared memory: the count of steps since the last restart; the method's own memory follows. */
enum { SHARED_MEMORY = 1 };

static int memory_of(const stepper_ops* ops, int n) {
  return ops == NULL || ops->memory_size == NULL ? 0 : ops->memory_size(n);
}

int apl_method_memory_size(const char* method, int n) {
  const apl_method* m = apl_method_find(method);
  return SHARED_MEMORY + (m == NULL ? 0 : memory_of(m->ops, n));
}

/* True if the method must restart before its next step (renew_every). */
static bool is_old(const apl_stepper* s) {
  return s->ops->renew_every > 0 && s->since >= s->ops->renew_every;
}

bool apl_stepper_can_be_left(const apl_stepper* s) {
  return s->ops->renew_every == 0 || s->since == 0 || is_old(s);
}

bool apl_stepper_shaped(const apl_stepper* s) {
  return s->shaped;
}

void apl_stepper_remember(apl_stepper* s, apl_store* memory) {
  int since = is_old(s) ? 0 : s->since;

  apl_store_int(memory, &since, 0, INT_MAX, "the number of steps since a restart");
  if (s->ops->memory != NULL) (void)s->ops->memory(s, memory);
}

apl_status apl_stepper_recall(apl_stepper* s, double t, const double* y, apl_store* memory) {
  const apl_status st = apl_stepper_restart(s, t, y);

  s->since = 0;
  apl_store_int(memory, &s->since, 0, INT_MAX, "the number of steps since a restart");
  if (st != APL_OK || s->ops->memory == NULL) return st;
  const apl_status read = s->ops->memory(s, memory);
  return read == APL_OK ? apl_store_status(memory) : read;
}

/* The method begins anew with the numbers that a checkpoint here would have, so that a run which is
   resumed from that checkpoint makes the same steps. */
static apl_status renew(apl_stepper* s) {
  double number[4] = {0};
  const int n = memory_of(s->ops, s->options.n);

  APL_ASSERT(n <= 4);
  apl_store out = apl_store_writer(number, n), in = apl_store_reader(number, n);
  if (s->ops->memory != NULL) (void)s->ops->memory(s, &out);
  s->since = 0;
  const apl_status st = s->ops->restart(s);
  return st == APL_OK && s->ops->memory != NULL ? s->ops->memory(s, &in) : st;
}

apl_status apl_stepper_step(apl_stepper* s, double t_end, double* t, double* y) {
  const size_t bytes = sizeof *y * (size_t)s->options.n;

  if (!(t_end > s->t)) {
    snprintf(s->reason, sizeof s->reason, "a step must end after it begins");
    return APL_ERR_ARGUMENT;
  }
  s->reason[0] = '\0';
  s->cause = APL_OK;
  s->shaped = false;
  s->t0 = s->t;
  memcpy(s->y0, s->y, bytes);

  apl_status st = is_old(s) ? renew(s) : APL_OK;
  if (st == APL_OK) st = s->ops->step(s, t_end);
  if (st != APL_OK) return st;
  s->steps += 1;
  s->since += 1;
  *t = s->t;
  memcpy(y, s->y, bytes);
  return APL_OK;
}

apl_status apl_stepper_inside(apl_stepper* s, double t, double* y) {
  if (!(t >= s->t0 && t <= s->t)) return APL_ERR_ARGUMENT;
  return s->ops->inside(s, t, y);
}

apl_status apl_stepper_read(apl_stepper* s, double t, double* y) {
  if (!(t >= s->t0 && t <= s->t) || s->ops->read == NULL) return APL_ERR_ARGUMENT;
  return s->ops->read(s, t, y);
}

double apl_stepper_start(const apl_stepper* s) {
  return s->t0;
}

double apl_stepper_end(const apl_stepper* s) {
  return s->t;
}

bool apl_stepper_lands(const apl_stepper* s) {
  return s->ops->read == NULL;
}

double apl_stepper_norm(const apl_stepper* s) {
  return s->ops->norm == NULL ? 0.0 : s->ops->norm(s);
}

double apl_stepper_limited(const apl_stepper* s) {
  return s->ops->limited == NULL ? 0.0 : s->ops->limited(s);
}

apl_switching apl_stepper_switching(const apl_stepper* s) {
  if (s->ops->switching != NULL) return s->ops->switching(s);
  return (apl_switching){.method = s->word};
}

void apl_stepper_cubic(const apl_stepper* s, double t, const double* f0, const double* f1,
                       double* y) {
  const double h = s->t - s->t0, x = h > 0.0 ? (t - s->t0) / h : 0.0, z = 1.0 - x;

  for (int j = 0; j < s->options.n; ++j) {
    y[j] = z * z * (1.0 + 2.0 * x) * s->y0[j] + x * x * (3.0 - 2.0 * x) * s->y[j] +
           h * x * z * (z * f0[j] - x * f1[j]);
  }
}

bool apl_stepper_is_fixed(const apl_stepper* s) {
  return !apl_method_can(s->word, METHOD_ADAPTS);
}

const char* apl_stepper_reason(const apl_stepper* s) {
  return s->reason;
}

long apl_stepper_evaluations(const apl_stepper* s) {
  return s->evaluations;
}

long apl_stepper_steps(const apl_stepper* s) {
  return s->steps;
}
