/* SPDX-License-Identifier: Apache-2.0 */
/* test_touching.c: shapes that touch shapes. Two balls against closed forms (restitution, Hertz'
   contact time), momentum and energy of both bodies with friction, a ball at rest in a corner, two
   places of a capsule that lies down, the broad phase by counts, sentences. */
#include "near.h"
#include "text.h"

#include "model/info.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.141592653589793;

typedef struct scene {
  apl_file* file;
  apl_model* model;
  apl_system* system;
  apl_run_report report;
  apl_impact first; /* impact */
  int impacts;
} scene;

static void keep_first(const apl_impact* hit, apl_system* system, void* user) {
  scene* s = user;
  (void)system;
  if (s->impacts++ == 0) s->first = *hit;
}

/* Load a text, start and run it as it says. */
static scene play(const char* text) {
  scene s = {0};
  apl_error err = {0};
  apl_report report = {0};

  text_load(text, &s.file, &s.model);
  const apl_status ready = apl_file_system(s.file, s.model, APL_READY, &s.system, &report);
  CHECK_TRUE(ready == APL_OK, "%s", report.item[0].text);
  apl_run_options o = apl_file_options(s.file);
  o.impact = keep_first;
  o.user = &s;
  const apl_status st = apl_run(s.system, &o, &s.report, &err);
  CHECK_TRUE(st == APL_OK, "the run failed: %s", err.text);
  return s;
}

static void end(scene* s) {
  apl_system_free(s->system);
  apl_model_free(s->model);
  apl_file_free(s->file);
}

/* Two balls of 2 and 3 kg, radii 0.1 and 0.15, the first one flying past the centre of the other by
   `offset`, which rises at `across`. */
static scene balls(const char* collide, double offset, double across, const char* run) {
  char text[2000];
  snprintf(text, sizeof text,
           "appell: 1\n"
           "gravity: [0, 0, 0]\n"
           "links:\n"
           "  - name: a\n"
           "    joint: floating\n"
           "    body: {mass: 2 kg, inertia: {xx: 0.008, yy: 0.008, zz: 0.008}}\n"
           "    shapes: [{type: sphere, radius: 0.1}]\n"
           "  - name: b\n"
           "    joint: floating\n"
           "    body: {mass: 3 kg, inertia: {xx: 0.027, yy: 0.027, zz: 0.027}}\n"
           "    shapes: [{type: sphere, radius: 0.15}]\n"
           "collide: [{%s}]\n"
           "start: {a.joint.x: -0.5, a.joint.y: %.17g, a.joint.vx.rate: 1, b.joint.vz.rate: %g,\n"
           "        b.joint.wy.rate: 2}\n"
           "run: {to: 0.6 s, %s}\n",
           collide, offset, across, run);
  return play(text);
}

/* Velocities of both centres and spins, 12 numbers, in world axes. */
static void motions(const scene* s, double* out) {
  for (int i = 0; i < 2; ++i) {
    const int port = apl_model_link_info(s->model, i).port;
    double A[6];
    CHECK_OK(apl_port_motion(s->model, apl_system_state(s->system), port, APL_WORLD_AXES,
                             out + 6 * i, A));
  }
}

/* Without friction the velocities along the line of centres change as on a line:
     p = (1 + e) u m1 m2 / (m1 + m2),  u the closing speed; nothing else changes. */
static void check_collision(const char* run, double tolerance) {
  const double e = 0.6, offset = 0.1, R = 0.25;
  scene s = balls("law: {normal: restitution, restitution: 0.6}", offset, 0.1, run);
  const double t = s.first.start;
  /* centres when they meet: distance R, with b at 0.1 t along z */
  const double z = -0.1 * t, x = -sqrt(R * R - offset * offset - z * z);
  const double n[3] = {x / R, offset / R, z / R}, u = -(n[0] * 1.0 + n[2] * -0.1);
  const double p = (1.0 + e) * u * 6.0 / 5.0;
  const double before[12] = {0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0.1};
  double after[12];

  CHECK_TRUE(s.impacts == 1, "%d impacts", s.impacts);
  CHECK_TRUE(s.first.shape[0] == 0 && s.first.shape[1] == 1, "which shapes");
  motions(&s, after);
  for (int k = 0; k < 3; ++k) {
    CHECK_NEAR(after[k], before[k], tolerance);
    CHECK_NEAR(after[6 + k], before[6 + k], tolerance);
    CHECK_NEAR(after[3 + k], before[3 + k] + p * n[k] / 2.0, tolerance);
    CHECK_NEAR(after[9 + k], before[9 + k] - p * n[k] / 3.0, tolerance);
  }
  end(&s);
}

static void test_restitution(void** state) {
  (void)state;
  near_context("located");
  check_collision("tolerance: 1e-11", 1e-9); /* the place of the impact is known that well */
  near_context("time steps");
  /* the impact is seen within a step: normals are off by its way over the radius */
  check_collision("integrator: moreau, step: 10 us", 1e-4);
}

/* Where they meet exactly at the end of a step, the function of the event is zero there. */
static void test_meeting_at_output(void** state) {
  (void)state;
  scene s = balls("law: {normal: restitution, restitution: 1}", 0.0, 0.1, "output-every: 0.25 s");
  /* b rises by 0.1 t: R^2 = (x0 + t)^2 + (0.1 t)^2 */
  const double c = 0.5 * 0.5 - 0.25 * 0.25, k = 1.01, t = (0.5 - sqrt(0.25 - k * c)) / k;
  CHECK_NEAR(s.first.start, t, 1e-9);
  end(&s);
}

/* Two bodies of reduced mass m meeting at u with force K D^1.5 part after
     T = 2 D/u sqrt(pi) Gamma(1.4) / Gamma(0.9),   D = (5 m u^2 / (4 K))^0.4  */
static void test_hertz_time(void** state) {
  (void)state;
  scene s = balls("law: {normal: hertz, stiffness: 1e7}", 0.0, 0.0, "tolerance: 1e-10");
  const double u = s.first.speed_in, D = pow(1.25 * 1.2 * u * u / 1e7, 0.4);
  const double T = 2.0 * D / u * sqrt(PI) * tgamma(1.4) / tgamma(0.9);

  CHECK_TRUE(s.impacts == 1, "%d impacts", s.impacts);
  /* the tolerance of the run, summed over some hundred steps */
  CHECK_NEAR((s.first.end - s.first.start) / T, 1.0, 1e-7);
  CHECK_NEAR(s.first.speed_out, u, 1e-7);
  CHECK_NEAR(s.first.peak, 1e7 * pow(D, 1.5), 1e-3 * s.first.peak);
  CHECK_TRUE(s.report.relative < 1e-8, "ledger %g", s.report.relative);
  end(&s);
}

/* With friction both bodies spin; momentum and its moment about the origin stay, and the ledger
   closes. */
static void check_momentum(const char* collide, const char* run, double tolerance) {
  scene s = balls(collide, 0.12, 0.1, run);
  double P[6];
  /* a: r x m v = (-0.5, 0.12, 0) x (2, 0, 0); b at the origin; spin of b */
  const double want[6] = {0, 0.027 * 2.0, -0.24, 2.0, 0, 0.3};

  CHECK_TRUE(s.impacts >= 1, "no impact");
  CHECK_OK(apl_momentum(s.model, apl_system_state(s.system), P));
  for (int k = 0; k < 6; ++k)
    CHECK_NEAR(P[k], want[k], tolerance);
  CHECK_TRUE(fabs(apl_v(apl_system_state(s.system))[2]) > 0.1, "a does not spin");
  CHECK_TRUE(s.report.relative < tolerance, "ledger %g", s.report.relative);
  end(&s);
}

static void test_momentum(void** state) {
  (void)state;
  near_context("compliant, located");
  check_momentum("law: {normal: hunt-crossley, stiffness: 1e6, restitution: 0.7}, "
                 "friction: {law: coulomb, coefficient: 0.3, v0: 1e-2}",
                 "tolerance: 1e-10", 1e-8);
  near_context("rigid, located");
  check_momentum("law: {normal: restitution, restitution: 0.7}, "
                 "friction: {law: coulomb-stiction, coefficient: 0.3}",
                 "tolerance: 1e-10", 1e-8);
  near_context("time steps");
  /* positions follow by Euler's rule: moments are off by the step times the speed */
  check_momentum("law: {normal: restitution, restitution: 0.7}, "
                 "friction: {law: coulomb, coefficient: 0.3, v0: 1e-2}",
                 "integrator: moreau, step: 20 us", 2e-4);
}

/* A ball in a corner of three walls across each other, without friction: each carries the part of
   the weight along its normal, and the ball touches all three. */
static void check_corner(const char* law, const char* run, double force, double place) {
  const double lean = 0.6, turn = 0.4;
  char text[2000];
  snprintf(text, sizeof text,
           "appell: 1\n"
           "links:\n"
           "  - name: ball\n"
           "    joint: floating\n"
           "    body: {mass: 2 kg, inertia: {xx: 0.008, yy: 0.008, zz: 0.008}}\n"
           "    shapes: [{type: sphere, radius: 0.1}]\n"
           "obstacles:\n"
           "  floor: {type: box, size: [4, 4, 1], at: {position: [%.17g, %.17g, %.17g], "
           "rotation: {rpy: [%g, %g, 0]}}}\n"
           "  wall: {type: box, size: [1, 4, 4], at: {position: [%.17g, %.17g, %.17g], "
           "rotation: {rpy: [%g, %g, 0]}}}\n"
           "  side: {type: box, size: [4, 1, 4], at: {position: [%.17g, %.17g, %.17g], "
           "rotation: {rpy: [%g, %g, 0]}}}\n"
           "collide: [{law: {%s}}]\n"
           "start: {ball.joint.z: 0.02}\n"
           "run: {to: 3 s, %s}\n",
           -0.6 * sin(lean) * cos(turn), 0.6 * sin(turn), -0.6 * cos(lean) * cos(turn), turn, lean,
           0.6 * cos(lean), 0.0, -0.6 * sin(lean), turn, lean,
           /* R y = (sin lean sin turn, cos turn, cos lean sin turn) */
           -0.6 * sin(lean) * sin(turn), -0.6 * cos(turn), -0.6 * cos(lean) * sin(turn), turn, lean,
           law, run);
  scene s = play(text);
  /* inner normals: R z, -R x, R y with R = Ry(lean) Rx(turn) */
  const double up[3] = {cos(lean) * cos(turn), sin(lean), cos(lean) * sin(turn)};
  double found[3] = {0, 0, 0};

  CHECK_OK(apl_system_contacts(s.system));
  for (int i = 0; i < apl_model_count(s.model, APL_CONTACTS); ++i) {
    apl_contact c;
    apl_contact_get(apl_system_state(s.system), i, 0, &c);
    if (c.shape[0] < 0) continue;
    found[c.shape[1] - 1] += c.force[0];
    CHECK_NEAR(c.depth, 0.0, place);
  }
  for (int k = 0; k < 3; ++k)
    CHECK_NEAR(found[k], 2.0 * 9.81 * up[k], force);
  end(&s);
}

static void test_corner(void** state) {
  (void)state;
  near_context("time steps");
  check_corner("normal: restitution, restitution: 0.2", "integrator: moreau, step: 1 ms", 1e-7,
               1e-7);
  near_context("rigid, located");
  check_corner("normal: restitution, restitution: 0.2", "tolerance: 1e-8", 1e-5, 1e-7);
  near_context("compliant, located");
  /* D = (N/K)^(2/3) of at most 20 N */
  check_corner("normal: hunt-crossley, stiffness: 1e7, restitution: 0.3, rest-speed: 1 cm/s",
               "tolerance: 1e-8", 1e-3, 2e-4);
}

/* A rod that falls on a table at a slant lies flat in the end, held at both ends of the line. */
static void test_rod_lies(void** state) {
  (void)state;
  scene s =
      play("appell: 1\n"
           "links:\n"
           "  - name: rod\n"
           "    joint: floating\n"
           "    body: {mass: 1 kg, inertia: {xx: 0.02, yy: 0.02, zz: 1e-3}}\n"
           "    shapes: [{type: capsule, radius: 0.05, length: 0.4, at: {position: [0, 0, 0],"
           " rotation: {rpy: [0, 1.5708, 0]}}}]\n"
           "obstacles: {table: {type: box, size: [2, 2, 0.1], at: [0, 0, -0.05]}}\n"
           "collide: [{law: {normal: restitution, restitution: 0},\n"
           "           friction: {law: coulomb, coefficient: 0.5, v0: 1e-3}}]\n"
           "start: {rod.joint.z: 0.2, rod.joint.qw: 0.995004165, rod.joint.qy: 0.0998334166}\n"
           "run: {to: 2 s, integrator: moreau, step: 1 ms}\n");
  double q[7], sum = 0.0, least = 0.0, most = 0.0;

  memcpy(q, apl_q(apl_system_state(s.system)), sizeof q);
  CHECK_OK(apl_system_contacts(s.system));
  for (int i = 0; i < apl_model_count(s.model, APL_CONTACTS); ++i) {
    apl_contact c;
    apl_contact_get(apl_system_state(s.system), i, 0, &c);
    if (!(c.force[0] > 0.0)) continue;
    sum += c.force[0];
    least = fmin(least, c.place.x);
    most = fmax(most, c.place.x);
  }
  CHECK_NEAR(sum, 9.81, 1e-6);
  CHECK_NEAR(most - least, 0.4, 1e-3);
  end(&s);
}

/* Three boxes that fall on each other come to rest, each on the one below; then nothing moves. */
static void test_stack(void** state) {
  (void)state;
  scene s = play("appell: 1\n"
                 "links:\n"
                 "  - {name: a, joint: floating, body: {mass: 2, inertia: {xx: 0.008, yy: 0.008, "
                 "zz: 0.008}},\n"
                 "     shapes: [{type: box, size: [0.2, 0.2, 0.2]}]}\n"
                 "  - {name: b, joint: floating, body: {mass: 1, inertia: {xx: 0.004, yy: 0.004, "
                 "zz: 0.004}},\n"
                 "     shapes: [{type: box, size: [0.15, 0.3, 0.1]}]}\n"
                 "  - {name: c, joint: floating, body: {mass: 1, inertia: {xx: 0.004, yy: 0.004, "
                 "zz: 0.004}},\n"
                 "     shapes: [{type: box, size: [0.15, 0.15, 0.15]}]}\n"
                 "obstacles: {table: {type: box, size: [2, 2, 0.2], at: [0, 0, -0.1]}}\n"
                 "collide: [{law: {normal: restitution, restitution: 0.1},\n"
                 "           friction: {law: coulomb, coefficient: 0.5, v0: 1e-3}}]\n"
                 "start: {a.joint.z: 0.12, b.joint.z: 0.32, c.joint.z: 0.5, c.joint.x: 0.02,\n"
                 "        c.joint.wx.rate: 0.5, b.joint.wz.rate: 1}\n"
                 "run: {to: 2 s, integrator: moreau, step: 1 ms}\n");
  const double height[3] = {0.1, 0.25, 0.375};

  for (int i = 0; i < 3; ++i) {
    double V[6], A[6], X[12];
    const int port = apl_model_link_info(s.model, i).port;
    CHECK_OK(apl_port_pose(s.model, apl_system_state(s.system), port, X));
    CHECK_OK(apl_port_motion(s.model, apl_system_state(s.system), port, APL_WORLD_AXES, V, A));
    CHECK_NEAR(X[11], height[i], 1e-6); /* drift that time steps leave alone, of each layer */
    for (int k = 0; k < 6; ++k)
      CHECK_NEAR(V[k], 0.0, 1e-8);
  }
  /* 4 kg on the table */
  double carried = 0.0;
  CHECK_OK(apl_system_contacts(s.system));
  for (int i = 0; i < apl_model_count(s.model, APL_CONTACTS); ++i) {
    apl_contact c;
    apl_contact_get(apl_system_state(s.system), i, 0, &c);
    if (c.shape[1] == 3) carried += c.force[0];
  }
  CHECK_NEAR(carried, 4.0 * 9.81, 1e-6);
  end(&s);
}

/* A chain of n links that winds along x among pegs: pairs of bounds and pairs of solids that are
   looked at, of one search. */
static void count_pairs(int n, long* compared, long* measured) {
  static char text[400000];
  size_t used = 0;
  apl_file* file;
  apl_model* model;
  apl_near near;
  apl_state* s;

#define PUT(...) used += (size_t)snprintf(text + used, sizeof text - used, __VA_ARGS__)
  PUT("appell: 1\nlinks:\n");
  for (int i = 0; i < n; ++i) {
    char on[40];
    if (i == 0) snprintf(on, sizeof on, "world");
    if (i > 0) snprintf(on, sizeof on, "l%d.end", i - 1);
    PUT("  - {name: l%d, on: %s, joint: {type: %s}, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: "
        "1}}, "
        "ports: {end: {at: [0.1, 0, 0]}}, shapes: [{type: capsule, radius: 0.03, length: 0.08, at: "
        "{position: [0.05, 0, 0], rotation: {rpy: [0, 1.5708, 0]}}}]}\n",
        i, on, i == 0 ? "planar" : "revolute, axis: z");
  }
  PUT("obstacles:\n");
  for (int i = 0; i < n; ++i)
    PUT("  p%d: {type: cylinder, radius: 0.02, length: 0.2, at: [%g, %g, 0]}\n", i, 0.1 * i,
        i % 2 == 0 ? 0.4 : -0.4);
  PUT("collide: [{law: {normal: hertz, stiffness: 1e5}}]\nstart:\n  l0.joint.angle: 0.2\n");
  for (int i = 1; i < n; ++i)
    PUT("  l%d.joint.angle: %g\n", i, 0.4 * cos(0.6 * i));
#undef PUT
  double* q = calloc((size_t)n + 8, 2 * sizeof *q);
  text_load(text, &file, &model);
  CHECK_OK(apl_state_new(model, APL_SCALAR, &s));
  apl_report report = {0};
  CHECK_TRUE(apl_file_start(file, model, q, q + n + 8, &report) == APL_OK, "%s",
             report.item[0].text);
  memcpy(apl_q(s), q, sizeof *q * (size_t)apl_model_nq(model));
  CHECK_OK(apl_near_new(model, &near));
  CHECK_TRUE(apl_near_find(&near, model, s, 1e-3) < 0, "crowded");
  *compared = near.compared;
  *measured = near.measured;
  free(q);
  apl_near_free(&near);
  apl_state_free(s);
  apl_model_free(model);
  apl_file_free(file);
}

/* Twice as many links and pegs, twice as many pairs; all pairs would be four times as many. */
static void test_broad_phase(void** state) {
  long few[2], many[2];

  (void)state;
  count_pairs(50, &few[0], &few[1]);
  count_pairs(200, &many[0], &many[1]);
  CHECK_TRUE(few[0] > 50 && few[0] < 50 * 12, "%ld pairs of bounds for 50 links", few[0]);
  CHECK_TRUE(few[1] < 50 * 2, "%ld pairs of solids for 50 links", few[1]);
  CHECK_TRUE((double)many[0] < 4.4 * (double)few[0], "%ld against %ld", many[0], few[0]);
}

static void test_sentences(void** state) {
  static const char* const head =
      "appell: 1\n"
      "links:\n"
      "  - {name: a, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}},\n"
      "     shapes: [{type: %s, radius: 0.1, length: 0.3, name: can}]}\n"
      "obstacles:\n"
      "  peg: {type: cylinder, radius: 0.1, length: 1, at: [%g, 0, 0]}\n"
      "collide:\n"
      "  - {%s law: {normal: hertz, stiffness: 1e5}}\n";
  char text[1000];

  (void)state;
  snprintf(text, sizeof text, head, "cylinder", 1.0, "");
  text_expect(text, 8, 0,
              "contact of the cylinder 'a.can' with the cylinder 'peg' is not implemented");
  snprintf(text, sizeof text, head, "capsule", 1.0, "with: pag,");
  text_expect(text, 8, 0,
              "there is no link, shape or obstacle 'pag' that can touch; did you mean 'peg'");
  snprintf(text, sizeof text, head, "capsule", 1.0, "of: a, with: a,");
  text_expect(text, 8, 0, "names no two shapes that can touch");
  text_expect("appell: 1\n"
              "links:\n"
              "  - {name: a, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}},\n"
              "     shapes: [{type: sphere, radius: -0.1}]}\n"
              "obstacles: {peg: {type: sphere, radius: 0.1, at: [1, 0, 0]}}\n"
              "collide: [{law: {normal: hertz, stiffness: 1e5}}]\n",
              4, 0, "a sphere that can touch needs positive sizes, got -0.1");
  snprintf(text, sizeof text, head, "capsule", 1.0, "most: -1,");
  text_expect(text, 8, 0, "must not be negative");
  text_expect(
      "appell: 1\nlinks: [{name: a, joint: floating, body: {mass: 1, inertia: {xx: 1, yy: 1, "
      "zz: 1}}}]\nobstacles: {m: {type: mesh, file: x.stl}}\n",
      3, 0, "has no contact geometry");
  /* overlap at the start: told with names and depth when it is checked, and when it is run */
  snprintf(text, sizeof text, head, "capsule", 0.15, "");
  apl_file* file;
  apl_model* model;
  apl_report report = {0};
  double q[7], v[6];
  text_load(text, &file, &model);
  CHECK_TRUE(apl_file_start(file, model, q, v, &report) != APL_OK, "an overlap passes");
  CHECK_TRUE(strstr(report.item[0].text, "'a.can' and 'peg' overlap by 0.05 m") != NULL, "%s",
             report.item[0].text);
  apl_system* system;
  apl_error err = {0};
  CHECK_OK(apl_system_new(model, &system, NULL));
  const apl_run_options o = apl_file_options(file);
  CHECK_TRUE(apl_run(system, &o, NULL, &err) == APL_ERR_MODEL, "an overlap runs");
  CHECK_TRUE(strstr(err.text, "'a.can' and 'peg' overlap by 0.05 m at the start") != NULL, "%s",
             err.text);
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
}

/* Joined links do not touch, unless the entry says so; the world is a neighbour of a joint of one
   freedom. */
static void test_neighbours(void** state) {
  static const char* const form =
      "appell: 1\n"
      "links:\n"
      "  - {name: a, joint: {type: revolute, axis: y}, body: {mass: 1, inertia: {yy: 1}},\n"
      "     ports: {end: {at: [1, 0, 0]}}, shapes: [{type: sphere, radius: 0.1}]}\n"
      "  - {name: b, on: a.end, joint: {type: revolute, axis: y}, body: {mass: 1, inertia: {yy: "
      "1}},\n"
      "     ports: {end: {at: [1, 0, 0]}}, shapes: [{type: sphere, radius: 0.1}]}\n"
      "  - {name: c, on: b.end, joint: fixed, body: {mass: 1, inertia: {yy: 1}},\n"
      "     ports: {end: {at: [1, 0, 0]}}, shapes: [{type: sphere, radius: 0.1}]}\n"
      "  - {name: d, on: c.end, joint: {type: revolute, axis: y}, body: {mass: 1, inertia: {yy: "
      "1}},\n"
      "     shapes: [{type: sphere, radius: 0.1}]}\n"
      "obstacles: {peg: {type: sphere, radius: 0.1, at: [0, 1, 0]}}\n"
      "collide:\n"
      "  - {neighbours: %d, law: {normal: hertz, stiffness: 1e5}}\n";
  /* a b c d peg: c is a part of b */
  static const char* const want[3] = {"01111 10011 10011 11101 11110",
                                      "00010 00001 00001 10001 01110",
                                      "00000 00000 00000 00001 00010"};
  (void)state;
  for (int k = 0; k < 3; ++k) {
    char text[2000];
    apl_file* file;
    apl_model* model;
    snprintf(text, sizeof text, form, k);
    text_load(text, &file, &model);
    near_context("neighbours %d", k);
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        CHECK_TRUE((apl_model_touches(model, i, j) != NULL) == (want[k][6 * i + j] == '1'),
                   "%s and %s", apl_model_name(model, APL_SHAPES, i),
                   apl_model_name(model, APL_SHAPES, j));
    apl_model_free(model);
    apl_file_free(file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_restitution), cmocka_unit_test(test_meeting_at_output),
      cmocka_unit_test(test_hertz_time),  cmocka_unit_test(test_momentum),
      cmocka_unit_test(test_corner),      cmocka_unit_test(test_rod_lies),
      cmocka_unit_test(test_stack),       cmocka_unit_test(test_broad_phase),
      cmocka_unit_test(test_sentences),   cmocka_unit_test(test_neighbours),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
