/* stepper.c: the list of methods and what they share. */
#include "step/stepper.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/nearest.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char* word;
  const char* title;
  const stepper_ops* ops;
  int table;
  bool adaptive;
} methods[] = {
    {"auto", "dop853 while the motion is smooth, stiff where it is stiff; chosen during the run",
     &apl_stepper_auto, TABLE_AUTO, true},
    {"rkf45", "explicit, adaptive, Fehlberg 4(5)", &apl_stepper_pair, TABLE_RKF45, true},
    {"rkf78", "explicit, adaptive, Fehlberg 7(8), for reference accuracy",
     &apl_stepper_pair_landing, TABLE_RKF78, true},
    {"dop853", "explicit, adaptive, Dormand-Prince 8(5,3), the fastest for smooth motion",
     &apl_stepper_pair, TABLE_DOP853, true},
    {"adams", "multistep, adaptive, few evaluations for smooth motion", &apl_stepper_multistep,
     TABLE_ADAMS, true},
    {"stiff", "implicit, adaptive, orders 1 to 5, linear in the size of the robot: soft robots",
     &apl_stepper_stiff, TABLE_STIFF, true},
    {"bdf", "implicit, multistep, adaptive, for stiff systems", &apl_stepper_multistep, TABLE_BDF,
     true},
    {"rk4", "explicit, fixed step, order 4", &apl_stepper_fixed, TABLE_RK4, false},
    {"semi-implicit", "symplectic Euler: fixed step, order 1", &apl_stepper_fixed,
     TABLE_SEMI_IMPLICIT, false},
    {"moreau", "time stepping with contacts: fixed step, order 1, implicit", NULL, TABLE_RK4,
     false},
    {"gen-alpha", "generalised alpha: fixed step, order 2, for stiff closed loops", NULL, TABLE_RK4,
     false},
};
enum { NMETHOD = sizeof methods / sizeof *methods };

const char* apl_method_word(int i) {
  return i >= 0 && i < NMETHOD ? methods[i].word : NULL;
}

bool apl_method_adapts(const char* method) {
  for (int i = 0; i < NMETHOD; ++i) {
    if (method != NULL && strcmp(methods[i].word, method) == 0) return methods[i].adaptive;
  }
  return false;
}

bool apl_method_steps_time(const char* method) {
  for (int i = 0; i < NMETHOD; ++i) {
    if (method != NULL && strcmp(methods[i].word, method) == 0) return methods[i].ops == NULL;
  }
  return false;
}

static apl_status evaluate(apl_stepper* s, apl_rate f, double t, const double* y, double* rate) {
  if (s->cause == APL_ERR_STOPPED) return s->cause; /* methods that try again do so in vain */
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
  if (!(o->absolute >= 0.0) || !(o->max_step >= 0.0)) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "absolute tolerance and largest step must not be negative");
  }
  return APL_OK;
}

/* The sentence has all of them, and the nearest. */
static apl_status no_method(const char* word, apl_error* err) {
  apl_nearest near = {.word = word};
  char list[120] = "", hint[96];
  size_t n = 0;

  for (int i = 0; i < NMETHOD; ++i) {
    apl_nearest_offer(&near, methods[i].word);
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i == 0 ? "" : ", ", methods[i].word);
  }
  return apl_fail(err, APL_ERR_ARGUMENT, "there is no integrator '%.40s' among %s%s", word, list,
                  apl_nearest_text(&near, hint));
}

apl_status apl_stepper_new(const apl_stepper_options* options, apl_rate rate, void* context,
                           apl_stepper** out, apl_error* err) {
  int m = 0;

  *out = NULL;
  while (m < NMETHOD &&
         (options->method == NULL || strcmp(methods[m].word, options->method) != 0)) {
    ++m;
  }
  if (m < NMETHOD && methods[m].ops == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "the integrator '%s' is for robots only, not for a general y' = f(t, y)",
                    methods[m].word);
  }
  if (m == NMETHOD) return no_method(options->method == NULL ? "" : options->method, err);
  apl_status st = check(options, methods[m].adaptive, err);
  if (st != APL_OK) return st;

  apl_stepper* s = calloc(1, sizeof *s);
  const size_t room = (size_t)options->n + APL_STEPPER_ROOM;
  double* numbers = calloc(2 * room, sizeof *numbers);
  if (s == NULL || numbers == NULL) {
    free(s);
    free(numbers);
    return apl_fail(err, APL_ERR_MEMORY, "out of memory for the integrator");
  }
  s->ops = methods[m].ops;
  s->word = methods[m].word;
  s->table = methods[m].table;
  s->options = *options;
  if (s->options.absolute == 0.0) s->options.absolute = s->options.tolerance;
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

/* Stand at (t, y), with nothing to complain about. */
static void stand(apl_stepper* s, double t, const double* y) {
  s->t = s->t0 = t;
  memcpy(s->y, y, sizeof *y * (size_t)s->options.n);
  memcpy(s->y0, y, sizeof *y * (size_t)s->options.n);
  s->reason[0] = '\0';
  s->cause = APL_OK;
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

/* Behind the count of the stepper itself. */
enum { SHARED_MEMORY = 1 };

static int memory_of(const stepper_ops* ops, int n) {
  return ops == NULL || ops->memory_size == NULL ? 0 : ops->memory_size(n);
}

int apl_method_memory_size(const char* method, int n) {
  for (int i = 0; i < NMETHOD; ++i) {
    if (method != NULL && strcmp(methods[i].word, method) == 0)
      return SHARED_MEMORY + memory_of(methods[i].ops, n);
  }
  return SHARED_MEMORY;
}

/* The method is to begin anew before its next step. */
static bool is_old(const apl_stepper* s) {
  return s->ops->renew_every > 0 && s->since >= s->ops->renew_every;
}

bool apl_stepper_can_be_left(const apl_stepper* s) {
  return s->ops->renew_every == 0 || s->since == 0 || is_old(s);
}

double apl_stepper_next(const apl_stepper* s) {
  return s->ops->next == NULL ? 0.0 : s->ops->next(s);
}

void apl_stepper_remember(const apl_stepper* s, double* out) {
  out[0] = is_old(s) ? 0.0 : s->since;
  memset(out + SHARED_MEMORY, 0, sizeof *out * (size_t)memory_of(s->ops, s->options.n));
  if (s->ops->remember != NULL) s->ops->remember(s, out + SHARED_MEMORY);
}

apl_status apl_stepper_recall(apl_stepper* s, double t, const double* y, const double* in) {
  const apl_status st = apl_stepper_restart(s, t, y);

  s->since = in[0] > 0.0 && in[0] < 1e9 ? (int)in[0] : 0;
  return st == APL_OK && s->ops->recall != NULL ? s->ops->recall(s, in + SHARED_MEMORY) : st;
}

/* What it would be recalled with is all that it may know from here on. */
static apl_status renew(apl_stepper* s) {
  double memory[4] = {0};

  APL_ASSERT(memory_of(s->ops, s->options.n) <= 4);
  if (s->ops->remember != NULL) s->ops->remember(s, memory);
  s->since = 0;
  const apl_status st = s->ops->restart(s);
  return st == APL_OK && s->ops->recall != NULL ? s->ops->recall(s, memory) : st;
}

apl_status apl_stepper_step(apl_stepper* s, double t_end, double* t, double* y) {
  const size_t bytes = sizeof *y * (size_t)s->options.n;

  if (!(t_end > s->t)) {
    snprintf(s->reason, sizeof s->reason, "a step must end after it begins");
    return APL_ERR_ARGUMENT;
  }
  s->reason[0] = '\0';
  s->cause = APL_OK;
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
  return s->ops == &apl_stepper_fixed;
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
