/* SPDX-License-Identifier: Apache-2.0 */
/* crawl.c: appell-crawl, a snake of 16 links on 17 balls that crawls for 2 s, and one that rests on
   an incline, by ours and, where it is found, by MuJoCo 1 ms with elliptic cones.

   Crawling: the centre of mass is compared, every 20 ms, with our located rigid run at 1e-10. Then
   ours is the time of `moreau` with the longest of some steps that is at most as wrong as MuJoCo.
   Both follow the same servos: kp 20 N m/rad, kd 0.1 N m s/rad. In MuJoCo these are the joints' own
   springs, whose rest is moved at each step, and dampers, which it takes implicitly; the aims are
   made beforehand and cost it nothing. CPU time, best of five, ledger on, no outputs.

   Resting: 5 degrees, friction 0.3, aims that stand still; creep from 10 to 20 s.

   Shapes: models of robots that touch shapes, as they ship, by time steps; the snake among pegs
   also by located events. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include "appell/appell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#ifdef APPELL_MUJOCO
#include <mujoco/mujoco.h>
#endif

enum { LINKS = 16, NV = LINKS + 2, STEPS = 2000, EVERY = 20, LOOKS = STEPS / EVERY, TIMES = 5 };
static const double link_length = 0.1, slope = 0.08726646259971647;

/* Aims and their rates at every millisecond, the start, and where the centre of mass has been. */
typedef struct crawl {
  double q0[NV];
  double aim[STEPS + 1][2 * NV];
} crawl;
typedef struct track {
  double at[LOOKS + 1][2];
  int n;
} track;

/* Centre of mass of equal links for x, z, angle of the first and the joints. */
static void centre(const double* q, double out[2]) {
  double x = q[0], z = q[1], angle = 0.0;

  out[0] = out[1] = 0.0;
  for (int i = 0; i < LINKS; ++i) {
    angle += q[2 + i];
    out[0] += (x + 0.5 * link_length * cos(angle)) / LINKS;
    out[1] += (z + 0.5 * link_length * sin(angle)) / LINKS;
    x += link_length * cos(angle);
    z += link_length * sin(angle);
  }
}

static double furthest(const track* a, const track* b) {
  double most = 0.0;
  for (int i = 0; i <= LOOKS; ++i)
    most = fmax(most, hypot(a->at[i][0] - b->at[i][0], a->at[i][1] - b->at[i][1]));
  return most;
}

/* ------------------------------------------------------------------------------------ ours ---- */

static void note_aims(double t, apl_system* system, void* user) {
  crawl* c = user;
  const long k = lround(t / 1e-3);
  if (k >= 0 && k <= STEPS) memcpy(c->aim[k], apl_aim(apl_system_state(system)), sizeof c->aim[k]);
}

static apl_status note_place(double t, const double* y, const apl_ledger* ledger,
                             apl_system* system, void* user) {
  track* where = user;
  (void)t, (void)y, (void)ledger;
  if (where->n <= LOOKS) centre(apl_q(apl_system_state(system)), where->at[where->n++]);
  return APL_OK;
}

/* One run of the file as o says; CPU time, negative when it fails. q0 may be NULL. */
static double ours(const apl_file* file, const apl_run_options* o, double* q0) {
  apl_model* model = NULL;
  apl_system* system = NULL;
  apl_report report = {0};
  apl_error err = {0};
  double took = -1.0;

  apl_status st = apl_file_model(file, &model, &report);
  if (st == APL_OK) st = apl_file_system(file, model, APL_READY, &system, &report);
  if (st == APL_OK && q0 != NULL) memcpy(q0, apl_q(apl_system_state(system)), NV * sizeof *q0);
  if (st == APL_OK) {
    const double start = cpu_seconds();
    st = apl_run(system, o, NULL, &err);
    if (st == APL_OK) took = cpu_seconds() - start;
  }
  if (st != APL_OK) (void)fprintf(stderr, "the snake: %s %s\n", apl_status_text(st), err.text);
  apl_system_free(system);
  apl_model_free(model);
  return took;
}

/* The way of the centre of mass by a method. */
static double follow(const apl_file* file, const char* method, double step, track* out) {
  apl_run_options o = apl_file_options(file);

  out->n = 0;
  o.method = method;
  o.step = step;
  o.tolerance = 1e-10;
  o.output_every = 1e-3 * EVERY;
  o.output = note_place;
  o.user = out;
  return ours(file, &o, NULL);
}

static double best_time(const apl_file* file, double step) {
  double best = HUGE_VAL;

  for (int k = 0; k < TIMES; ++k) {
    apl_run_options o = apl_file_options(file);
    o.step = step;
    o.output_every = 0.0;
    best = fmin(best, ours(file, &o, NULL));
  }
  return best;
}

/* How far the root goes between 10 and 20 s at rest on an incline [m]. */
static double our_creep(const apl_file* file) {
  track where = {0};
  apl_run_options o = apl_file_options(file);

  o.to = 20.0;
  o.output_every = 10.0;
  o.output = note_place;
  o.user = &where;
  return ours(file, &o, NULL) < 0.0
             ? -1.0
             : hypot(where.at[2][0] - where.at[1][0], where.at[2][1] - where.at[1][1]);
}

/* ---------------------------------------------------------------------------------- theirs ---- */

#ifdef APPELL_MUJOCO
static const double kd = 0.1;
/* snake16.xml stands 0.03 m high; its plane has friction 1, and the larger one counts. */
static const double height = 0.03;

static mjModel* their_model(void) {
  char error[300] = "";
  mjModel* m = mj_loadXML(APPELL_SOURCE "/bench/models/snake16.xml", NULL, error, sizeof error);

  if (m == NULL) (void)fprintf(stderr, "snake16.xml: %s\n", error);
  for (int i = 0; m != NULL && i < m->ngeom; ++i)
    m->geom_friction[3 * i] = 0.3;
  return m;
}

/* Servos towards aim[2 NV] from this step on. */
static void steer(mjModel* m, mjData* d, const double* aim) {
  for (int i = 3; i < NV; ++i) {
    m->qpos_spring[i] = aim[i];
    d->qfrc_applied[i] = kd * aim[NV + i];
  }
}

static mjData* their_start(const mjModel* m, const double* q0) {
  mjData* d = mj_makeData(m);
  for (int i = 0; i < NV; ++i)
    d->qpos[i] = q0[i] - (i == 1 ? height : 0.0);
  return d;
}

static void their_place(const mjData* d, double out[2]) {
  double q[NV];
  for (int i = 0; i < NV; ++i)
    q[i] = d->qpos[i] + (i == 1 ? height : 0.0);
  centre(q, out);
}

static double their_crawl(const crawl* c, track* out) {
  mjModel* m = their_model();
  double best = HUGE_VAL;
  if (m == NULL) return -1.0;

  for (int k = 0; k <= TIMES; ++k) {
    mjData* d = their_start(m, c->q0);
    const double start = cpu_seconds();
    out->n = 0;
    for (int i = 0; i <= STEPS; ++i) {
      if (k == 0 && i % EVERY == 0) their_place(d, out->at[out->n++]);
      steer(m, d, c->aim[i]);
      if (i < STEPS) mj_step(m, d);
    }
    if (k > 0) best = fmin(best, cpu_seconds() - start);
    mj_deleteData(d);
  }
  mj_deleteModel(m);
  return best;
}

static double their_creep(const crawl* c) {
  mjModel* m = their_model();
  double aim[2 * NV] = {0}, place[2][2] = {{0}};
  if (m == NULL) return -1.0;

  memcpy(aim, c->aim[0], NV * sizeof *aim);
  m->opt.gravity[0] = -9.81 * sin(slope);
  m->opt.gravity[2] = -9.81 * cos(slope);
  mjData* d = their_start(m, c->q0);
  steer(m, d, aim);
  for (int i = 0; i < 20 * 1000; ++i) {
    if (i == 10 * 1000) their_place(d, place[0]);
    mj_step(m, d);
  }
  their_place(d, place[1]);
  mj_deleteData(d);
  mj_deleteModel(m);
  return hypot(place[1][0] - place[0][0], place[1][1] - place[0][1]);
}
#else
static double their_crawl(const crawl* c, track* out) {
  (void)c, (void)out;
  return -1.0;
}
static double their_creep(const crawl* c) {
  (void)c;
  return -1.0;
}
#endif

/* ------------------------------------------------------------------------------------ report ----
 */

/* The same snake on an incline, as gravity that leans, and without a travel. */
static apl_file* incline(const char* path) {
  apl_load_options load = apl_load_options_default();
  char gravity[80];
  snprintf(gravity, sizeof gravity, "gravity=[%.17g, 0, %.17g]", -9.81 * sin(slope),
           -9.81 * cos(slope));
  const char* set[] = {gravity, "gaits.0.travel=0"};
  apl_file* file = NULL;
  apl_report report = {0};

  load.set = set;
  load.nset = 2;
  if (apl_file_load(path, &load, &file, &report) != APL_OK)
    (void)fprintf(stderr, "%s: %s\n", path, report.item[0].text);
  return file;
}

static void compare(const apl_file* file, const track* exact, double theirs, const track* mj) {
  static const double steps[] = {1e-2, 8e-3, 5e-3, 4e-3, 2.5e-3, 2e-3, 1e-3};
  const double goal = furthest(mj, exact);
  track way;

  (void)printf("  MuJoCo, 1 ms: %.3f ms of CPU time, centre of mass %.3g mm off\n", 1e3 * theirs,
               1e3 * goal);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    if (follow(file, "moreau", steps[i], &way) < 0.0 || furthest(&way, exact) > goal) continue;
    const double mine = best_time(file, steps[i]), ratio = theirs / mine;
    (void)printf("  ours, %g ms: %.3f ms, %.3g mm off: %.1f times faster (target at least 3: %s)\n",
                 1e3 * steps[i], 1e3 * mine, 1e3 * furthest(&way, exact), ratio,
                 ratio >= 3.0 ? "met" : "MISSED");
    return;
  }
  (void)printf("  ours is at no step as exact: MISSED\n");
}

/* A shipped model from its start to `to`: steps per second of CPU time and times real time. */
static void shapes(const char* what, const char* path, const char* method, double to) {
  apl_file* file = NULL;
  apl_report report = {0};
  double best = HUGE_VAL;

  if (apl_file_load(path, NULL, &file, &report) != APL_OK) {
    (void)fprintf(stderr, "%s: %s\n", path, report.item[0].text);
    return;
  }
  apl_run_options o = apl_file_options(file);
  o.output_every = 0.0;
  o.to = to;
  if (method != NULL) o.method = method;
  o.tolerance = 1e-6;
  for (int k = 0; k < TIMES; ++k)
    best = fmin(best, ours(file, &o, NULL));
  (void)printf("%-44s %7.1f ms for %g s, %.0f times real time", what, 1e3 * best, to, to / best);
  if (method == NULL) (void)printf(", %.0f steps/s", to / o.step / best);
  (void)printf("\n");
  apl_file_free(file);
}

int main(void) {
  static const char path[] = APPELL_SOURCE "/bench/models/snake16-crawl.yaml";
  static crawl c;
  static track exact, way, mj;
  apl_file* file = NULL;
  apl_report report = {0};

  if (apl_file_load(path, NULL, &file, &report) != APL_OK) {
    (void)fprintf(stderr, "%s: %s\n", path, report.item[0].text);
    return 1;
  }
  apl_run_options o = apl_file_options(file);
  o.step = o.control_every = 1e-3;
  o.control = note_aims;
  o.user = &c;
  if (ours(file, &o, c.q0) < 0.0) return 1;

  (void)printf("snake of 16 links that crawls, 2 s\n");
  const double located = follow(file, "rkf45", 0.0, &exact);
  if (located < 0.0) return 1;
  (void)printf("  ours, located at 1e-10: %.1f s; moreau, 1 ms: ", located);
  if (follow(file, "moreau", 1e-3, &way) < 0.0) return 1;
  const double mine = best_time(file, 1e-3);
  (void)printf("%.3f ms (%.0f steps/s), %.3g mm off\n", 1e3 * mine, STEPS / mine,
               1e3 * furthest(&way, &exact));
  const double theirs = their_crawl(&c, &mj);
  if (theirs > 0.0) compare(file, &exact, theirs, &mj);
  apl_file_free(file);

  file = incline(path);
  if (file == NULL) return 1;
  (void)printf("the same at rest on 5 degrees, 10 to 20 s: ours creeps %.2g um/s",
               1e5 * our_creep(file));
  const double creep = their_creep(&c);
  if (creep >= 0.0) (void)printf(", MuJoCo %.3g um/s", 1e5 * creep);
  (void)printf("\n");
  apl_file_free(file);

  shapes("snake of 12 links among 14 pegs, moreau", APPELL_SOURCE "/models/snake-pegs.yaml", NULL,
         6);
  shapes("... rkf45 at 1e-6, located", APPELL_SOURCE "/models/snake-pegs.yaml", "rkf45", 1);
  shapes("gripper that holds a ball, moreau", APPELL_SOURCE "/models/gripper.yaml", NULL, 4);
  shapes("climber in a pipe, moreau", APPELL_SOURCE "/models/pipe-climber.yaml", NULL, 6.5);
  return 0;
}
