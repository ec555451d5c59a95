/* SPDX-License-Identifier: Apache-2.0 */
/* march.c: the classical Runge-Kutta method with a fixed step, and the energy ledger, in plain C on
   top of the passes. (The library's own apl_run() has adaptive methods and events.)

     y = (q, v, W)     q' = N v + K V     v' = a by forward dynamics     W' = power of all accounts

   Prescribed joints are known functions of time: drive() sets their q, v and a at every evaluation,
   and forward dynamics returns the effort that they take, so their power is in W as well. Memory is
   allocated once, before the first step. */
#define _POSIX_C_SOURCE 200809L

#include "march.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct stepper {
  const robot* robot;
  const apl_model* model;
  apl_state* state;
  int nq, nv, n;
  double *y, *stage, *rate, *sum;
} stepper;

static double seconds_now(void) {
  struct timespec now;

  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Write y into the state, then let the robot be driven: prescribed joints overwrite their part. */
static void enter(const stepper* s, const double* y, double t) {
  memcpy(apl_q(s->state), y, sizeof *y * (size_t)s->nq);
  memcpy(apl_v(s->state), y + s->nq, sizeof *y * (size_t)s->nv);
  if (s->robot->drive != NULL) s->robot->drive(s->model, s->state, t);
}

/* rate = y' at (t, y) */
static apl_status evaluate(stepper* s, const double* y, double t) {
  enter(s, y, t);
  apl_status st = apl_rates(s->model, s->state, s->rate);
  if (st == APL_OK) st = apl_forward(s->model, s->state);
  memcpy(s->rate + s->nq, apl_a(s->state), sizeof *y * (size_t)s->nv);

  /* efforts, inputs, loads, dampers ...: each has an account, W is their sum */
  double power[APL_NACCOUNT] = {0};
  if (st == APL_OK) st = apl_accounts(s->model, s->state, power);
  s->rate[s->n - 1] = 0.0;
  for (int i = 0; i < APL_NACCOUNT; ++i)
    s->rate[s->n - 1] += power[i];
  return st;
}

/* y += h/6 (k1 + 2 k2 + 2 k3 + k4) */
static apl_status step(stepper* s, double t, double h) {
  static const double at[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1.0, 2.0, 2.0, 1.0};

  for (int k = 0; k < 4; ++k) {
    for (int i = 0; i < s->n; ++i)
      s->stage[i] = k == 0 ? s->y[i] : s->y[i] + at[k] * h * s->rate[i];
    const apl_status st = evaluate(s, s->stage, t + at[k] * h);
    if (st != APL_OK) return st;
    for (int i = 0; i < s->n; ++i)
      s->sum[i] = (k == 0 ? 0.0 : s->sum[i]) + weight[k] * s->rate[i];
  }
  for (int i = 0; i < s->n; ++i)
    s->y[i] += h / 6.0 * s->sum[i];

  /* what is prescribed is known better than its integral */
  enter(s, s->y, t + h);
  memcpy(s->y, apl_q(s->state), sizeof(double) * (size_t)s->nq);
  memcpy(s->y + s->nq, apl_v(s->state), sizeof(double) * (size_t)s->nv);
  return APL_OK;
}

/* The ledger: T + V - W must keep its first value. */
typedef struct ledger {
  double start, V0;
  double error, scale;
} ledger;

static apl_status audit(const stepper* s, ledger* l, bool first) {
  double E[2];
  const double W = s->y[s->n - 1];
  const apl_status st = apl_energy(s->model, s->state, E);

  if (first) *l = (ledger){.start = E[0] + E[1], .V0 = E[1]};
  l->error = fmax(l->error, fabs(E[0] + E[1] - W - l->start));
  l->scale = fmax(l->scale, E[0] + fabs(E[1] - l->V0) + fabs(W));
  return st;
}

static apl_status keep(const stepper* s, record* run, int sample, double t) {
  double pose[12];

  run->t[sample] = t;
  memcpy(run->q + sample * run->nq, s->y, sizeof(double) * (size_t)run->nq);
  memcpy(run->v + sample * run->nv, s->y + s->nq, sizeof(double) * (size_t)run->nv);
  for (int p = 0; p < run->nport; ++p) {
    const apl_status st = apl_port_pose(s->model, s->state, p, pose);
    if (st != APL_OK) return st;
    memcpy(run->place + 3 * (sample * run->nport + p), pose + 9, sizeof(double) * 3);
  }
  return APL_OK;
}

/* One block for the stepper and the record. */
static bool allocate(stepper* s, record* run, int samples) {
  *run = (record){.samples = samples, .nq = s->nq, .nv = s->nv};
  run->nport = apl_model_count(s->model, APL_PORTS);
  const size_t row = (size_t)(1 + s->nq + s->nv + 3 * run->nport);
  const size_t rows = (size_t)samples;

  run->memory = calloc(rows * row + 4 * (size_t)s->n, sizeof(double));
  if (run->memory == NULL) return false;
  run->t = run->memory;
  run->q = run->t + rows;
  run->v = run->q + rows * (size_t)s->nq;
  run->place = run->v + rows * (size_t)s->nv;
  s->y = run->place + rows * 3 * (size_t)run->nport;
  s->stage = s->y + s->n;
  s->rate = s->stage + s->n;
  s->sum = s->rate + s->n;
  return true;
}

static apl_status walk(stepper* s, record* run, double* t) {
  const robot* r = s->robot;
  const int steps = (run->samples - 1) * r->every;
  ledger l;

  if (r->start != NULL) r->start(s->model, s->state);
  memcpy(s->y, apl_q(s->state), sizeof(double) * (size_t)s->nq);
  memcpy(s->y + s->nq, apl_v(s->state), sizeof(double) * (size_t)s->nv);
  *t = 0.0;
  enter(s, s->y, *t);
  apl_status st = audit(s, &l, true);
  if (st == APL_OK) st = keep(s, run, 0, *t);

  for (int i = 1; i <= steps && st == APL_OK; ++i) {
    st = step(s, *t, r->step);
    *t = i * r->step;
    if (st == APL_OK && i % r->every == 0) {
      st = audit(s, &l, false);
      if (st == APL_OK) st = keep(s, run, i / r->every, *t);
    }
  }
  run->error = l.scale > 0.0 ? l.error / l.scale : l.error;
  return st;
}

apl_status march(const robot* r, const apl_model* model, apl_state* state, record* out,
                 apl_error* err) {
  const int samples = 1 + (int)lround(r->seconds / (r->step * r->every));
  stepper s = {.robot = r, .model = model, .state = state};
  double t = 0.0;

  s.nq = apl_model_nq(model);
  s.nv = apl_model_nv(model);
  s.n = s.nq + s.nv + 1;
  if (!allocate(&s, out, samples)) {
    snprintf(err->text, sizeof err->text, "out of memory for %d samples", samples);
    return err->status = APL_ERR_MEMORY;
  }

  const double begin = seconds_now();
  const apl_status st = walk(&s, out, &t);
  out->wall = seconds_now() - begin;
  if (st == APL_OK) return APL_OK;

  const int link = apl_state_trouble(state);
  snprintf(err->text, sizeof err->text, "at %g s: %s%s%s", t, apl_status_text(st),
           link < 0 ? "" : ", link ", link < 0 ? "" : apl_model_name(model, APL_LINKS, link));
  record_free(out);
  return err->status = st;
}

void record_free(record* run) {
  free(run->memory);
  run->memory = NULL;
}

int record_at(const record* run, double t) {
  return (int)lround(t / (run->t[1] - run->t[0]));
}

void record_restore(const record* run, int sample, apl_state* state) {
  memcpy(apl_q(state), run->q + sample * run->nq, sizeof(double) * (size_t)run->nq);
  memcpy(apl_v(state), run->v + sample * run->nv, sizeof(double) * (size_t)run->nv);
}

apl_vec3 record_place(const record* run, int sample, int port) {
  const double* p = run->place + 3 * (sample * run->nport + port);

  return (apl_vec3){p[0], p[1], p[2]};
}
