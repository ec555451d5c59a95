/* SPDX-License-Identifier: Apache-2.0 */
/* live_run.c: the run of `appell run --live`: in real time, with inputs and pushes that may change
   at each control period.

   A push is a spring from the grabbed point to the pointer, with the effective mass m of the point,

     F = m w^2 (target - x) - 2 z w m x'          m = 3 / trace(J M^-1 J^T)

   constant during each period h: with w h = 0.19 it is stable for any link. It is a load on a port,
   and its work is in the account `load` of the ledger. */
#define _XOPEN_SOURCE 700 /* clock_gettime */
#include "cli/live.h"

#include "channel/recorder.h"
#include "dynamics/factor.h"
#include "show/replay.h"
#include "spec/parts.h"
#include "system/system.h"
#include "model/info.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double period = 0.02;   /* [s] of control and of frames                            */
static const double push_rate = 9.4; /* w [1/s]                                                 */
static const double push_damping = 1.0; /* z                                                      */
static const double longest = 1e6;      /* [s] without --to                                       */

typedef struct watch {
  const live_job* job;
  live* live;
  apl_recorder* recorder;
  apl_replay* replay;
  const char* address;
  double t0, wall0; /* where pace is counted from                                             */
  double t_rate, w_rate; /* where the rate is */
  int loaded; /* port with a load, -1                                                   */
} watch;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Wait for a request, or until `wall`, but only briefly, because signals do not wake it. */
static void wait_until(live* l, double wall) {
  const double end = fmin(wall, now() + 0.05);
  const struct timespec t = {(time_t)floor(end), (long)(1e9 * (end - floor(end)))};

  pthread_cond_timedwait(&l->changed, &l->lock, &t);
}

/* ---------------------------------------------------------------------------------- pushes ---- */

/* X[12] of the port, the point and its velocity in the world. */
static bool point_motion(const apl_model* m, apl_state* s, const live_push* p, double* arm,
                         double* at, double* v) {
  double X[12], V[6], A[6];

  if (apl_port_pose(m, s, p->port, X) != APL_OK ||
      apl_port_motion(m, s, p->port, APL_WORLD_AXES, V, A) != APL_OK)
    return false;
  for (int k = 0; k < 3; ++k) {
    arm[k] = X[3 * k] * p->point[0] + X[3 * k + 1] * p->point[1] + X[3 * k + 2] * p->point[2];
    at[k] = X[9 + k] + arm[k];
  }
  v[0] = V[3] + V[1] * arm[2] - V[2] * arm[1];
  v[1] = V[4] + V[2] * arm[0] - V[0] * arm[2];
  v[2] = V[5] + V[0] * arm[1] - V[1] * arm[0];
  return true;
}

/* 3 / trace(J M^-1 J^T) of the point; 0 where nothing can move it. */
static double effective_mass(const apl_model* m, apl_state* s, int port, const double* r) {
  apl_row row[3];
  double G[9], trace = 0.0;
  double* z = malloc(sizeof *z * 3 * (size_t)apl_model_nv(m));
  bool ok = z != NULL && apl_factor(m, s, 0.0) == APL_OK;

  for (int k = 0; k < 3; ++k) {
    double f[3] = {0.0, 0.0, 0.0};
    f[k] = 1.0;
    row[k] = (apl_row){.port = {port, -1},
                       .axes = APL_WORLD_AXES,
                       .wrench = {{r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2],
                                   r[0] * f[1] - r[1] * f[0], f[0], f[1], f[2]}},
                       .velocity = -1};
  }
  ok = ok && apl_row_half(m, s, row, 3, z) == APL_OK &&
       apl_row_inertia(m, s, row, 3, z, G) == APL_OK;
  for (int k = 0; k < 3 && ok; ++k)
    trace += G[4 * k];
  free(z);
  return trace > 0.0 ? 3.0 / trace : 0.0;
}

static void apply_push(watch* w, apl_state* s) {
  const apl_model* m = w->job->model;
  const live_push* p = &w->live->push;
  double r[3], x[3], v[3], F[3];

  if (w->loaded >= 0) apl_load(m, s, w->loaded, APL_WORLD_AXES, (apl_wrench){{0, 0, 0}, {0, 0, 0}});
  w->loaded = -1;
  if (!p->on || !point_motion(m, s, p, r, x, v)) return;
  const double mass = effective_mass(m, s, p->port, r);
  for (int k = 0; k < 3; ++k)
    F[k] = mass * push_rate * (push_rate * (p->target[k] - x[k]) - 2.0 * push_damping * v[k]);
  const apl_wrench load = {
      {r[1] * F[2] - r[2] * F[1], r[2] * F[0] - r[0] * F[2], r[0] * F[1] - r[1] * F[0]},
      {F[0], F[1], F[2]}};
  if (apl_load(m, s, p->port, APL_WORLD_AXES, load) == APL_OK) w->loaded = p->port;
}

/* ---------------------------------------------------------------------------------- control ----
 */

static void apply_inputs(watch* w, apl_system* system) {
  live* l = w->live;

  for (int i = 0; i < apl_model_nu(w->job->model); ++i) {
    apl_signal* s = NULL;
    if (l->taken[i] && apl_signal_constant(l->input[i], &s, NULL) == APL_OK)
      apl_system_input(system, i, s, NULL);
  }
}

/* Keep real time; a run that is too slow continues from its present time. */
static void keep_pace(watch* w, double t) {
  live* l = w->live;
  double speed = l->speed, wall = now();

  if (wall - w->wall0 > (t - w->t0) / speed + 0.2) w->wall0 = wall, w->t0 = t;
  while (!l->paused && !l->reset && !l->quit && !w->job->interrupted()) {
    if (l->speed != speed) {
      speed = l->speed, w->wall0 = now(), w->t0 = t;
      break;
    }
    const double due = w->wall0 + (t - w->t0) / speed;
    if (now() >= due) break;
    wait_until(l, due);
  }
  wall = now();
  if (wall - w->w_rate > 1.0) {
    l->rate = (t - w->t_rate) / (wall - w->w_rate);
    w->w_rate = wall, w->t_rate = t;
  }
}

static void stand_still(watch* w, double t) {
  live* l = w->live;

  if (!l->paused) return;
  while (l->paused && l->steps == 0 && !l->reset && !l->quit && !w->job->interrupted())
    wait_until(l, HUGE_VAL);
  if (l->steps > 0) l->steps -= 1;
  w->wall0 = w->w_rate = now(), w->t0 = w->t_rate = t;
}

static void control(double t, apl_system* system, void* user) {
  watch* w = user;
  live* l = w->live;

  pthread_mutex_lock(&l->lock);
  keep_pace(w, t);
  stand_still(w, t);
  if (l->reset || l->quit || w->job->interrupted()) {
    apl_system_stop(system, "stopped");
  } else {
    apply_inputs(w, system);
    apply_push(w, apl_system_state(system));
  }
  pthread_mutex_unlock(&l->lock);
}

/* ---------------------------------------------------------------------------------- frames ---- */

/* 1, 2 or 5 times a power of ten, not below x. */
static double round_up(double x) {
  const double power = pow(10.0, floor(log10(x)));
  return x <= power         ? power
         : x <= 2.0 * power ? 2.0 * power
         : x <= 5.0 * power ? 5.0 * power
                            : 10.0 * power;
}

/* A range for the aim of a servo without bounds, or 0 for other inputs: half a turn or half a metre
   to either side, and as much in a second for rates. */
static double aim_size(const char* unit) {
  if (strcmp(unit, "rad") == 0 || strcmp(unit, "rad/s") == 0) return 3.141592653589793;
  return strcmp(unit, "m/s") == 0 ? 0.5 : 0.0;
}

/* Range of a slider for an input without bounds: three times its initial value, or an acceleration
   of 20 rad/s^2 or m/s^2 of the lightest driven part; for wheels and tendons the robot's weight. */
static double slider_size(const live_job* job, apl_state* state, int input, double u) {
  const apl_model* m = job->model;
  const size_t nv = (size_t)apl_model_nv(m);
  const int v = apl_model_input_velocity(m, input);
  const double weight = 9.81 * apl_model_mass(m);
  const double aim = aim_size(apl_model_unit(m, APL_INPUTS, input));
  if (aim > 0.0) return fabs(u) > aim ? 2.0 * fabs(u) : aim;

  double size = strcmp(apl_model_unit(m, APL_INPUTS, input), "N") == 0 ? weight : 0.1 * weight;
  double* M = calloc(nv * nv + 1, sizeof *M);
  apl_state* own = NULL;

  if (v >= 0 && M != NULL && apl_state_new(m, APL_SCALAR, &own) == APL_OK) {
    memcpy(apl_q(own), apl_q(state), sizeof(double) * (size_t)apl_model_nq(m));
    if (apl_mass_matrix(m, own, M) == APL_OK) size = 20.0 * M[(size_t)v * (nv + 1)];
  }
  apl_state_free(own);
  free(M);
  size = fmax(3.0 * fabs(u), size);
  return size > 0.0 && isfinite(size) ? round_up(size) : 1.0;
}

/* What the page must know beforehand: sliders, their units and their ranges. */
static char* describe(const live_job* job, apl_system* system) {
  json_t* list = json_array();

  for (int i = 0; i < apl_model_nu(job->model); ++i) {
    double low, high;
    const double u = apl_u(apl_system_state(system))[i];
    apl_system_input_bounds(system, i, &low, &high);
    const double size = slider_size(job, apl_system_state(system), i, u);
    const bool bounded = isfinite(low) && isfinite(high);
    json_array_append_new(list, json_pack("{s:s, s:s, s:f, s:f, s:f, s:b}", "name",
                                          apl_model_name(job->model, APL_INPUTS, i), "unit",
                                          apl_model_unit(job->model, APL_INPUTS, i), "least",
                                          isfinite(low) ? low : fmin(-size, high), "greatest",
                                          isfinite(high) ? high : fmax(size, low), "value", u,
                                          "bounded", bounded ? 1 : 0));
  }
  json_t* all = json_pack("{s:f, s:o}", "period", period, "inputs", list);
  char* text = all == NULL ? NULL : json_dumps(all, JSON_COMPACT);
  json_decref(all);
  return text;
}

static apl_status make_page(watch* w, double t, apl_system* system) {
  const live_job* job = w->job;
  const apl_replay_words words = {.name = apl_file_name(job->file),
                                  .description = apl_file_description(job->file),
                                  .status = "live",
                                  .model = apl_file_text(job->file)};
  char *member = describe(job, system), *page = NULL;
  size_t size = 0;
  apl_error err = {0};
  apl_status st = member == NULL ? APL_ERR_MEMORY
                                 : apl_replay_add(w->replay, t, apl_recorder_row(w->recorder),
                                                  apl_system_state(system));

  if (st == APL_OK) {
    apl_report report = {0};
    st = apl_replay_dress(w->replay, job->file, &report);
    cli_print_report(job->path, &report);
  }
  if (st == APL_OK) st = apl_replay_text(w->replay, job->file, &words, member, &page, &size, &err);
  free(member);
  if (st != APL_OK) {
    apl_system_stop(system, err.text[0] != '\0' ? err.text : apl_status_text(st));
    return APL_ERR_STOPPED;
  }
  pthread_mutex_lock(&w->live->lock);
  w->live->page = page;
  w->live->page_size = size;
  pthread_mutex_unlock(&w->live->lock);
  printf("%s\n", w->address);
  fflush(stdout);
  return APL_OK;
}

static apl_status output(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                         void* user) {
  watch* w = user;
  live* l = w->live;
  (void)y, (void)ledger;

  char* frame =
      apl_replay_frame(w->replay, t, apl_recorder_row(w->recorder), apl_system_state(system));
  if (frame == NULL) return APL_ERR_MEMORY;
  pthread_mutex_lock(&l->lock);
  apl_text_free(l->frame);
  l->frame = frame;
  l->sequence += 1;
  pthread_cond_broadcast(&l->changed);
  pthread_mutex_unlock(&l->lock);
  /* the address is printed when there is something to see */
  if (l->page == NULL && make_page(w, t, system) != APL_OK) return APL_ERR_STOPPED;
  return w->job->interrupted() ? APL_ERR_STOPPED : APL_OK;
}

/* Inside steps, which may be long. */
static apl_status poll(const apl_progress* progress, void* user) {
  const watch* w = user;
  (void)progress;
  return w->job->interrupted() ? APL_ERR_STOPPED : APL_OK;
}

/* ------------------------------------------------------------------------------------- runs ----
 */

static void begin(watch* w) {
  live* l = w->live;

  pthread_mutex_lock(&l->lock);
  l->reset = l->ended = l->push.on = false;
  l->steps = 0;
  l->epoch += 1;
  l->status[0] = '\0';
  l->rate = 0.0;
  memset(l->taken, 0, sizeof *l->taken * (size_t)apl_model_nu(l->model));
  pthread_mutex_unlock(&l->lock);
  w->t0 = w->t_rate = w->job->run.from;
  w->wall0 = w->w_rate = now();
  w->loaded = -1;
}

/* The run is over: report how, and wait for a restart. */
static void end(watch* w, apl_status st, const char* sentence) {
  live* l = w->live;

  pthread_mutex_lock(&l->lock);
  if (!l->reset) {
    l->ended = true;
    snprintf(l->status, sizeof l->status, "%s%s",
             st == APL_OK ? "finished" : "failed: ", st == APL_OK ? "" : sentence);
    l->sequence += 1;
    pthread_cond_broadcast(&l->changed);
  }
  while (!l->reset && !l->quit && !w->job->interrupted())
    wait_until(l, HUGE_VAL);
  pthread_mutex_unlock(&l->lock);
}

/* One run from the start; false if there cannot be another. */
static bool run_once(watch* w) {
  const live_job* job = w->job;
  apl_run_options o = job->run;
  apl_system* system = NULL;
  apl_report mistakes = {0};
  apl_run_report report = {0};
  apl_error err = {0};
  bool again = false;

  o.control = control;
  o.output = output;
  o.poll = poll;
  o.poll_every = 64;
  o.control_every = o.output_every = period;
  o.user = w;
  if (apl_file_system(job->file, job->model, APL_READY, &system, &mistakes) != APL_OK) {
    cli_print_report(job->path, &mistakes);
  } else if (apl_recorder_new(job->file, system, &o, &job->record, &w->recorder, &err) != APL_OK) {
    cli_complain(&err);
  } else if (apl_replay_new(job->model, apl_recorder_channel(w->recorder, 0),
                            apl_recorder_channels(w->recorder), &w->replay) != APL_OK) {
    fprintf(stderr, "appell: out of memory for the page\n");
  } else {
    begin(w);
    const apl_status st = apl_recorder_run(w->recorder, &report, &err);
    const bool stopped = st == APL_ERR_STOPPED && w->live->page != NULL;
    if (st != APL_OK && !stopped) fprintf(stderr, "%s: %s\n", job->path, err.text);
    again = w->live->page != NULL;
    if (again && !job->interrupted()) end(w, stopped ? APL_OK : st, err.text);
    if (again)
      printf("%.6g s simulated, energy error %.2e of %.4g J\n", report.t, report.relative,
             report.scale);
  }
  apl_replay_free(w->replay);
  apl_recorder_free(w->recorder);
  apl_system_free(system);
  w->replay = NULL;
  w->recorder = NULL;
  return again;
}

int live_run(const live_job* job) {
  char address[128];
  live l;
  live_job mine = *job;
  watch w = {.job = &mine, .live = &l, .address = address, .loaded = -1};
  bool ok = live_open(&l, job->model);

  if (!(mine.run.to > mine.run.from)) mine.run.to = mine.run.from + longest;
  live_server* server = ok ? live_server_start(&l, job->port, address, sizeof address) : NULL;
  ok = server != NULL;
  while (ok && !l.quit && !job->interrupted())
    ok = run_once(&w);
  pthread_mutex_lock(&l.lock);
  l.quit = true;
  pthread_cond_broadcast(&l.changed);
  pthread_mutex_unlock(&l.lock);
  live_server_stop(server);
  live_close(&l);
  return ok ? CLI_OK : CLI_FAILED;
}
