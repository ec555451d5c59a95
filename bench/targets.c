/* SPDX-License-Identifier: Apache-2.0 */
/* targets.c: appell-targets, what we promised to reach, measured in one run: ratios, and times of
   whole simulations as they ship: recorded every 10 ms with all ledgers. Times are those of the
   processor, so that other programs count little. One row per promise in `rows`; a promise that is
   missed is the exit code. Nothing here is a test: tests never depend on time. */
#define _POSIX_C_SOURCE 200809L
#include "clock.h"
#include "targets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* --------------------------------------------------------------------------------- robots ---- */

apl_model* target_model(apl_spec* spec) {
  apl_model* model;
  apl_error err;

  if (apl_model_new(spec, &model, &err) != APL_OK) (void)fprintf(stderr, "targets: %s\n", err.text);
  apl_spec_free(spec);
  return model;
}

/* Clamped horizontally, along x. */
static int clamp(apl_spec* spec, double length, int elements) {
  const int rod = apl_spec_link(spec, "rod", "world", "fixed", "arc");
  const apl_pose level = {{0, 0, 0}, apl_quat_axis((apl_vec3){0, 1, 0}, 1.5707963267948966)};

  apl_spec_place(spec, rod, level);
  apl_spec_number(spec, rod, "body.length", length);
  apl_spec_number(spec, rod, "body.elements", elements);
  return rod;
}

/* The continuum paper's rod with 20 g at its tip. */
static apl_model* rod_of(int elements) {
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;
  const int rod = clamp(spec, 0.6, elements);
  apl_spec_number(spec, rod, "body.mass-per-length", 0.02);
  apl_spec_number(spec, rod, "body.bending-stiffness", 0.05);
  apl_spec_number(spec, rod, "body.rotary-inertia", 5e-9);
  const int tip = apl_spec_link(spec, "weight", "rod.tip", "fixed", "rigid");
  apl_spec_number(spec, tip, "body.mass", 0.02);
  return target_model(spec);
}

/* A spatial arm of 2 mm nitinol. */
static apl_model* arm_of(int elements) {
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;
  const int arm = clamp(spec, 0.6, elements);
  apl_spec_word(spec, arm, "body.strains", "bend-x bend-y");
  apl_spec_number(spec, arm, "body.diameter", 2e-3);
  apl_spec_number(spec, arm, "body.density", 6450);
  apl_spec_number(spec, arm, "body.young-modulus", 67.5e9);
  apl_spec_number(spec, arm, "body.kelvin-voigt-time", 2e-3);
  return target_model(spec);
}

/* The wire of the study of implicit methods: 0.6 m, 2 mm, 20 g at its tip. */
typedef enum wire_kind { WIRE_BENDS, WIRE_STRAINS } wire_kind;
static apl_model* wire_of(int elements, wire_kind kind) {
  const double inertia[6] = {1e-6, 1e-6, 1e-6, 0, 0, 0};
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;
  apl_spec_gravity(spec, (apl_vec3){0.2, 0.5, -9.81});
  const int wire = clamp(spec, 0.6, elements);
  apl_spec_word(spec, wire, "body.strains",
                kind == WIRE_BENDS ? "bend-x bend-y"
                                   : "bend-x bend-y torsion shear-x shear-y elongation");
  apl_spec_number(spec, wire, "body.diameter", 2e-3);
  apl_spec_number(spec, wire, "body.density", 6450);
  apl_spec_number(spec, wire, "body.young-modulus", 67.5e9);
  apl_spec_number(spec, wire, "body.shear-modulus", 26e9);
  apl_spec_number(spec, wire, "body.kelvin-voigt-time", 2e-3);
  const int tip = apl_spec_link(spec, "tip", "rod.tip", "fixed", "rigid");
  apl_spec_number(spec, tip, "body.mass", 0.02);
  apl_spec_put(spec, tip, "body.inertia", inertia, 6);
  return target_model(spec);
}

/* Rigid links on revolute joints, flat: all axes parallel; or in space: axes alternate. */
static apl_model* chain_of(int links, bool flat) {
  apl_spec* spec;
  char on[16] = "world", name[16];
  if (apl_spec_new(&spec) != APL_OK) return NULL;
  for (int i = 0; i < links; ++i) {
    (void)snprintf(name, sizeof name, "link%d", i);
    const int link = apl_spec_link(spec, name, on, "revolute", "rigid");
    const double inertia[6] = {0.01, 0.01, 0.001, 0, 0, 0};
    apl_spec_vec3(spec, link, "joint.axis", flat ? 0 : i % 2, flat ? 1 : 1 - i % 2, 0);
    apl_spec_place(spec, link, apl_pose_at(0, 0, i == 0 ? 0 : 0.1));
    apl_spec_number(spec, link, "body.mass", 1);
    apl_spec_vec3(spec, link, "body.com", 0, 0, 0.05);
    apl_spec_put(spec, link, "body.inertia", inertia, 6);
    memcpy(on, name, sizeof on);
  }
  return target_model(spec);
}

/* The mobile paper's robot: five links on two driven wheels, all axes along the axle. */
static apl_model* mobile(void) {
  static const char* const name[5] = {"l1", "l2", "l3", "l4", "l5"};
  static const double inertia[6] = {0.0008, 0.0008 + 1.0 / 12, 0.0008 + 1.0 / 12, 0, 0, 0};
  static const double base_inertia[6] = {0, 0, 0.06363, 0, 0, 0};
  const apl_quat upright = apl_quat_axis((apl_vec3){1, 0, 0}, 1.5707963267948966);
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  apl_spec_gravity(spec, (apl_vec3){0, 0, -10});
  const int base = apl_spec_link(spec, "base", "world", "differential-drive", "rigid");
  apl_spec_number(spec, base, "joint.wheel-radius", 0.08);
  apl_spec_number(spec, base, "joint.half-track", 0.145);
  apl_spec_number(spec, base, "joint.wheel-inertia", 0.001);
  apl_spec_number(spec, base, "body.mass", 6.64);
  apl_spec_vec3(spec, base, "body.com", 0.2, 0, 0);
  apl_spec_put(spec, base, "body.inertia", base_inertia, 6);
  for (int i = 0; i < 5; ++i) {
    const int link =
        apl_spec_link(spec, name[i], i == 0 ? "base" : name[i - 1], "revolute", "rigid");
    apl_spec_vec3(spec, link, "joint.axis", 0, 0, 1);
    apl_spec_place(spec, link, i == 0 ? (apl_pose){{0.2, 0, 0}, upright} : apl_pose_at(1, 0, 0));
    apl_spec_number(spec, link, "body.mass", 1);
    apl_spec_vec3(spec, link, "body.com", 0.5, 0, 0);
    apl_spec_put(spec, link, "body.inertia", inertia, 6);
  }
  apl_spec_input(spec, "right", "base.right", 1.0);
  apl_spec_input(spec, "left", "base.left", 1.0);
  return target_model(spec);
}

/* Beams of one mode each, flat, on the joint of `name` ... on each other's tips; ends as in "ss".
 */
static void add_beams(apl_spec* spec, const char* on, int links, const char* const* ends) {
  static const struct {
    const char* path;
    double value;
  } number[] = {{"body.length", 1},
                {"body.mass-per-length", 1},
                {"body.bending-stiffness", 976.6},
                {"body.shear-stiffness", 24062500},
                {"body.rotary-inertia", 2.9473e-5},
                {"body.mode-bending-stiffness", 976.5625},
                {"body.mode-shear-stiffness", 24038461.538461538},
                {"body.mode-rotary-inertia", 1.3020833333333333e-5},
                {"body.elastic-drag", 0.025},
                {"body.kelvin-voigt-time", 6.25e-10}};
  const apl_pose level = {
      {0, 0, 0},
      apl_quat_axis((apl_vec3){0.7071067811865476, 0, 0.7071067811865476}, 3.141592653589793)};
  char parent[24], name[16];

  (void)snprintf(parent, sizeof parent, "%s", on);
  for (int i = 0; i < links; ++i) {
    (void)snprintf(name, sizeof name, "link%d", i + 1);
    const int link = apl_spec_link(spec, name, parent, "revolute", "beam");
    apl_spec_vec3(spec, link, "joint.axis", 0, 1, 0);
    if (i == 0) apl_spec_place(spec, link, level);
    for (size_t k = 0; k < sizeof number / sizeof *number; ++k)
      apl_spec_number(spec, link, number[k].path, number[k].value);
    apl_spec_word(spec, link, "body.root-end", ends[i % 3][0] == 's' ? "pinned" : "clamped");
    apl_spec_word(spec, link, "body.tip-end", ends[i % 3][1] == 's' ? "pinned" : "clamped");
    apl_spec_word(spec, link, "body.rotary", "link");
    apl_spec_word(spec, link, "body.attach", "tangent");
    (void)snprintf(parent, sizeof parent, "%s.tip", name);
  }
}

static apl_model* beams_of(int links) {
  static const char* const ends[3] = {"cs", "cs", "cs"};
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;
  add_beams(spec, "world", links, ends);
  return target_model(spec);
}

/* The chain of the flexible paper over its ground. */
static apl_model* falling(const char* const* ends) {
  static const char* const point[4] = {"link1.root", "link1.tip", "link2.tip", "link3.tip"};
  apl_surface floor = apl_surface_default();
  apl_spec* spec;
  if (apl_spec_new(&spec) != APL_OK) return NULL;

  apl_spec_gravity(spec, (apl_vec3){0, 0, -9.81});
  const int x = apl_spec_link(spec, "x", "world", "prismatic", "rigid");
  apl_spec_vec3(spec, x, "joint.axis", 1, 0, 0);
  const int z = apl_spec_link(spec, "z", "x", "prismatic", "rigid");
  apl_spec_vec3(spec, z, "joint.axis", 0, 0, 1);
  apl_spec_number(spec, x, "body.mass", 0);
  apl_spec_number(spec, z, "body.mass", 0);
  add_beams(spec, "z", 3, ends);
  floor.law = "hu-guo";
  floor.stiffness = 140e6;
  floor.restitution = 0.8;
  floor.friction = "ambrosio";
  floor.coefficient = 0.1;
  floor.v0 = 1e-4;
  floor.v1 = 1e-3;
  apl_spec_ground(spec, "floor", &floor);
  for (int i = 0; i < 4; ++i)
    apl_spec_contact(spec, point[i], NULL, 0.0);
  return target_model(spec);
}

/* ----------------------------------------------------------------------------------- clocks ----
 */

/* Seconds per call of forward dynamics, a few hundred calls. */
static double forward_once(const apl_model* m, apl_state* s) {
  const int calls = 1 + 4000 / (1 + apl_model_nv(m));
  const double start = cpu_seconds();

  for (int i = 0; i < calls; ++i)
    (void)apl_forward(m, s);
  return (cpu_seconds() - start) / calls;
}

/* Forward dynamics of two robots in turn, so that a slow second hits both; frees the models.
   Returns the ratio of the smallest times, and a's in *ns. */
static double forward_ratio(apl_model* a, apl_model* b, double* ns) {
  apl_state *sa = NULL, *sb = NULL;
  double ta = HUGE_VAL, tb = HUGE_VAL;

  if (a != NULL && b != NULL && apl_state_new(a, APL_SCALAR, &sa) == APL_OK &&
      apl_state_new(b, APL_SCALAR, &sb) == APL_OK) {
    for (int i = 0; i < apl_model_nv(a); ++i)
      apl_q(sa)[i] = 0.1 + 0.01 * i / apl_model_nv(a), apl_v(sa)[i] = 0.3;
    for (int i = 0; i < apl_model_nv(b); ++i)
      apl_q(sb)[i] = 0.1 + 0.01 * i / apl_model_nv(b), apl_v(sb)[i] = 0.3;
    for (int round = 0; round < 60; ++round) {
      ta = fmin(ta, forward_once(a, sa));
      tb = fmin(tb, forward_once(b, sb));
    }
  }
  apl_state_free(sa);
  apl_state_free(sb);
  apl_model_free(a);
  apl_model_free(b);
  *ns = 1e9 * ta;
  return ta / tb;
}

/* The torques of the mobile paper: 0.1 and 0.2 N m on the wheels, 1 N m on the joints. */
static void push_mobile(apl_state* s) {
  apl_u(s)[0] = 0.1, apl_u(s)[1] = 0.2;
  for (int i = 2; i < 7; ++i)
    apl_tau(s)[i] = 1.0;
}

/* Where the chain of the flexible paper starts: q = x, z, then angle and deflection of each link.
 */
static void lift_chain(apl_state* s) {
  const double angle = 0.5235987755982988;
  apl_q(s)[0] = -1.3660254037844386, apl_q(s)[1] = 0.9;
  apl_q(s)[2] = angle, apl_q(s)[4] = -angle, apl_q(s)[6] = -angle;
}

/* Seconds for a run from rest as `appell run` makes it: energy and momentum audited, all channels
   recorded every 10 ms, here in memory. Frees the model. */
static double run_to(apl_model* m, double to, const char* method, double tolerance) {
  double best = HUGE_VAL;

  for (int round = 0; m != NULL && round < 15; ++round) {
    apl_run_options o = apl_run_options_default();
    apl_recorder_options ro = apl_recorder_options_default();
    apl_recorder* recorder = NULL;
    apl_system* system;
    apl_error err;
    if (apl_system_new(m, &system, &err) != APL_OK) break;
    if (apl_model_nu(m) == 2) push_mobile(apl_system_state(system));
    if (apl_model_count(m, APL_CONTACTS) > 0) lift_chain(apl_system_state(system));
    o.to = to;
    o.method = method;
    o.tolerance = tolerance;
    ro.keep = true;
    const double start = cpu_seconds();
    apl_status st = apl_recorder_new(NULL, system, &o, &ro, &recorder, &err);
    if (st == APL_OK) st = apl_recorder_run(recorder, NULL, &err);
    if (st == APL_OK) best = fmin(best, cpu_seconds() - start);
    apl_recorder_free(recorder);
    apl_system_free(system);
  }
  apl_model_free(m);
  return best;
}

/* CPU seconds for one simulated by `stiff` at 1e-6, both ledgers kept; frees the model. CPU, not
   the clock on the wall, because these runs are longer than what a shared machine leaves alone. */
static double cpu_second(apl_model* m) {
  double best = HUGE_VAL;

  for (int round = 0; m != NULL && round < 5; ++round) {
    apl_run_options o = apl_run_options_default();
    apl_system* system;
    apl_error err;
    if (apl_system_new(m, &system, &err) != APL_OK) break;
    o.output_every = 0.0;
    o.method = "stiff";
    o.tolerance = 1e-6;
    const clock_t start = clock();
    if (apl_run(system, &o, NULL, &err) == APL_OK)
      best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
    apl_system_free(system);
  }
  apl_model_free(m);
  return best;
}

/* A second of seven links in space by control periods of 10 ms, microseconds each: one run that is
   controlled so often, apl_step() that goes on, or that begins anew, as it did before it kept what
   it needs. */
typedef enum pace { PACE_RUN, PACE_STEP, PACE_ANEW } pace;
static void hold_still(double t, apl_system* system, void* user) {
  (void)t, (void)system, (void)user;
}
static double period_of(pace how) {
  apl_model* m = chain_of(7, false);
  double best = HUGE_VAL;

  for (int round = 0; m != NULL && round < 15; ++round) {
    apl_run_options o = apl_run_options_default();
    apl_system* system;
    apl_error err;
    apl_status st = apl_system_new(m, &system, &err);
    if (st != APL_OK) break;
    o.output_every = 0.0;
    if (how == PACE_RUN) o.control = hold_still, o.control_every = 0.01;
    const double start = cpu_seconds();
    if (how == PACE_RUN) st = apl_run(system, &o, NULL, &err);
    for (int i = 0; i < 100 && how != PACE_RUN && st == APL_OK; ++i) {
      st = apl_step(system, 0.01 * i, 0.01, &o, &err);
      /* nothing is held, but something was said: what is kept does not count any more */
      if (how == PACE_ANEW) apl_system_hold(system, 0, false, &err);
    }
    if (st == APL_OK) best = fmin(best, cpu_seconds() - start);
    apl_system_free(system);
  }
  apl_model_free(m);
  return 1e4 * best;
}
static double step_kept(void) {
  return period_of(PACE_STEP);
}
static double step_anew(void) {
  return period_of(PACE_ANEW) / period_of(PACE_STEP);
}
static double step_against_run(void) {
  return period_of(PACE_STEP) / period_of(PACE_RUN);
}

static double run_second(apl_model* m, const char* method, double tolerance) {
  return run_to(m, 1.0, method, tolerance);
}

/* ------------------------------------------------------------------------------------- rows ----
 */

static double arcs_against_chain(void) {
  double ns;
  return forward_ratio(rod_of(12), chain_of(12, true), &ns);
}
static double arcs_against_space_chain(void) {
  double ns;
  return forward_ratio(rod_of(12), chain_of(12, false), &ns);
}
static double space_arcs_against_chain(void) {
  double ns;
  return forward_ratio(arm_of(10), chain_of(20, false), &ns);
}
static double space_element(void) {
  double ns;
  (void)forward_ratio(arm_of(10), chain_of(20, false), &ns);
  return ns / 10.0;
}
static double growth(void) {
  double ns;
  return forward_ratio(arm_of(50), arm_of(10), &ns) / 5.0;
}
static double rod2(void) {
  return 1e3 * run_second(rod_of(2), "dop853", 1e-6);
}
static double rod4(void) {
  return 1e3 * run_second(rod_of(4), "dop853", 1e-6);
}
static double rod2_rk(void) {
  return 1e3 * run_second(rod_of(2), "rkf45", 1e-6);
}
static double rod4_rk(void) {
  return 1e3 * run_second(rod_of(4), "rkf45", 1e-6);
}
static double mobile_against_chain(void) {
  double ns;
  return forward_ratio(mobile(), chain_of(7, false), &ns);
}
static double mobile_run(void) {
  return 1e3 * run_to(mobile(), 1.5, "dop853", 1e-9);
}
static double mobile_run_adams(void) {
  return 1e3 * run_to(mobile(), 1.5, "adams", 1e-9);
}
static double soft_arm(void) {
  return 1.0 / run_second(arm_of(10), "bdf", 1e-6);
}
static double stiff_bends(void) {
  return 1.0 / cpu_second(wire_of(100, WIRE_BENDS));
}
static double stiff_strains(void) {
  return 1.0 / cpu_second(wire_of(100, WIRE_STRAINS));
}
/* Exponent of the time over the number of elements, from 10 to 100. */
static double stiff_growth(wire_kind kind) {
  return log10(cpu_second(wire_of(100, kind)) / cpu_second(wire_of(10, kind)));
}
static double stiff_growth_bends(void) {
  return stiff_growth(WIRE_BENDS);
}
static double stiff_growth_strains(void) {
  return stiff_growth(WIRE_STRAINS);
}

/* The four cases of the flexible paper, 1.5 s each. */
static double flexible_chains(void) {
  static const char* const cases[4][3] = {
      {"ss", "ss", "ss"}, {"cc", "cc", "cc"}, {"sc", "cc", "cs"}, {"cs", "ss", "sc"}};
  double sum = 0.0;

  for (int i = 0; i < 4; ++i)
    sum += run_to(falling(cases[i]), 1.5, "dop853", 1e-9);
  return 6.0 / sum;
}
static double beams_growth(void) {
  double ns;
  return forward_ratio(beams_of(100), beams_of(10), &ns) / 10.0;
}
static double beams_against_chain(void) {
  double ns;
  return forward_ratio(beams_of(12), chain_of(24, true), &ns);
}

static const struct {
  target_promise promise;
  double (*measure)(void);
} rows[] = {
    {{"plane arcs / flat rigid chain, forward, 12 each", "ratio", 3.0, false}, arcs_against_chain},
    {{"plane arcs / spatial rigid chain, forward, 12 each", "ratio", 3.0, false},
     arcs_against_space_chain},
    {{"arm of ten arcs, bend-y, forward, per element", "ns", 0.0, false}, target_arc_element},
    {{"... bend-x over bend-y", "ratio", 1.1, false}, target_arc_bend_x},
    {{"... two bendings over bend-y", "ratio", 4.0, false}, target_arc_bendings},
    {{"... six strains over bend-y", "ratio", 8.0, false}, target_arc_strains},
    {{"arm of ten beams, bend-y, one mode, forward, per beam", "ns", 0.0, false}, target_beam},
    {{"... two bendings over bend-y", "ratio", 4.0, false}, target_beam_bendings},
    {{"... two bendings, torsion and stretch over bend-y", "ratio", 8.0, false}, target_beam_all},
    {{"bending arcs in space / rigid chain, forward, 20 freedoms each", "ratio", 0.0, false},
     space_arcs_against_chain},
    {{"bending arc in space, forward, per element", "ns", 0.0, false}, space_element},
    {{"spatial arm, time of 50 elements over 5 times that of 10", "ratio", 1.2, false}, growth},
    {{"paper's rod, n = 2, 1 s at 1e-6, dop853 (published 120 ms)", "ms", 1.0, false}, rod2},
    {{"paper's rod, n = 4, 1 s at 1e-6, dop853 (published 6500 ms)", "ms", 5.0, false}, rod4},
    {{"the same by rkf45, n = 2", "ms", 0.0, false}, rod2_rk},
    {{"the same by rkf45, n = 4", "ms", 0.0, false}, rod4_rk},
    {{"10-element spatial arm, 2 ms Kelvin-Voigt, bdf at 1e-6", "times real time", 10.0, true},
     soft_arm},
    {{"100 elements, two bendings, 2 ms Kelvin-Voigt, stiff at 1e-6", "times real time", 1.0, true},
     stiff_bends},
    {{"... all six strains", "times real time", 1.0, true}, stiff_strains},
    {{"cost of stiff at 1e-6 from 10 to 100 elements, two bendings", "exponent", 1.2, false},
     stiff_growth_bends},
    {{"... all six strains", "exponent", 1.2, false}, stiff_growth_strains},
    {{"apl_step, 10 ms of a chain of 7 in space", "us", 0.0, false}, step_kept},
    {{"... beginning anew / going on", "ratio", 2.0, true}, step_anew},
    {{"... against the same periods inside a run", "ratio", 1.2, false}, step_against_run},
    {{"five links on two wheels / rigid chain of 7, forward", "ratio", 1.3, false},
     mobile_against_chain},
    {{"the mobile paper's run, 1.5 s at 1e-9, dop853 (published 477660 ms)", "ms", 10.0, false},
     mobile_run},
    {{"the same by adams", "ms", 10.0, false}, mobile_run_adams},
    {{"the four chains of the flexible paper, 1.5 s each at 1e-9, dop853", "times real time", 10.0,
      true},
     flexible_chains},
    {{"plane beams on revolute joints / flat rigid chain, 24 freedoms each", "ratio", 0.0, false},
     beams_against_chain},
    {{"... time of 100 beams over 10 times that of 10", "ratio", 1.2, false}, beams_growth},
    {{"J M^-1 J^T of the quadruped on top of forward, each of 12 rows", "forward passes", 0.15,
      false},
     target_quadruped_rows},
    {{"... factors of M", "forward passes", 0.0, false}, target_quadruped_factor},
    {{"... factors of M + g C + g^2 K", "forward passes", 0.0, false}, target_quadruped_implicit},
    {{"flat snake of 16 links: factors in space", "forward passes", 0.0, false},
     target_snake_factor},
    {{"... factors, 34 rows and their J M^-1 J^T", "us", 0.0, false}, target_snake_rows},
    {{"3RRR rose, 6 s, gen-alpha 5 ms, springs 1e6 N/m (published 45600 ms)", "ms", 10.0, false},
     target_rose_soft},
    {{"... springs 1e12 N/m (published 499000 ms at 1e8)", "ms", 10.0, false}, target_rose_stiff},
    {{"... worst position of both", "m", 5e-4, false}, target_rose_off},
    {{"3RRR rose, 6 s, exact loops, rk4 10 ms", "ms", 20.0, false}, target_rose_exact},
    {{"... worst position", "m", 2e-6, false}, target_rose_exact_off},
    {{"3RRR, forward dynamics with loops (appell-bench: against RBDL)", "us", 0.0, false},
     target_3rrr_forward},
    {{"4 loops, time of 200 links over 5 times that of 40", "ratio", 1.2, false},
     target_loops_tree},
    {{"96 links, time of 48 loops over that of 24, power of 2", "exponent", 3.0, false},
     target_loops_rows},
};

bool target_tell(target_promise promise, double value) {
  char target[48] = "";
  const bool met = promise.least ? value >= promise.target : value <= promise.target;

  if (promise.target > 0.0) {
    (void)snprintf(target, sizeof target, "%s %g: %s", promise.least ? "at least" : "at most",
                   promise.target, met ? "met" : "MISSED");
  }
  (void)printf("%-66s %10.4g %-16s %s\n", promise.what, value, promise.unit, target);
  (void)fflush(stdout);
  return isfinite(value) && (promise.target == 0.0 || met);
}

/* appell-targets [WORD]: all promises, or those whose line has the word in it. */
int main(int argc, char** argv) {
  const char* word = argc > 1 ? argv[1] : "";
  bool ok = true;

  for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i) {
    if (strstr(rows[i].promise.what, word) == NULL) continue;
    ok = target_tell(rows[i].promise, rows[i].measure()) && ok;
  }
  return target_runs(word) && ok ? 0 : 1;
}
