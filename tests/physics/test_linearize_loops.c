/* SPDX-License-Identifier: Apache-2.0 */
/* test_linearize_loops.c: linear systems of robots whose loops are closed exactly. Compared with
   closed forms and with differences of another way: assemble the robot at independent coordinates
   and rates beside the state, then forward dynamics with loops. */
#include "near.h"
#include "systems.h"

#include "appell/linearize.h"
#include "appell/loop.h"

#include "couple/close.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

enum { MOST = 64 };

static apl_linear_system* take(const rig* r) {
  apl_linear_system* l = NULL;
  apl_error err = {0};
  const apl_status st = apl_linearize(r->system, 0.0, NULL, &l, &err);
  CHECK_TRUE(st == APL_OK, "%s", err.text);
  return l;
}

/* Two pendulums of 2 kg, 1 m and J = 0.1 about their middles, side by side, their tips joined by a
   rod without mass, and a trolley of 3 kg on a spring that has nothing to do with them. They swing
   as one with w^2 = m g c / I. */
static void parallelogram(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\nlinks:\n"
      "  - {name: a, joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0, 0, -0.5], "
      "inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}}\n"
      "  - {name: b, at: [1, 0, 0], joint: {type: revolute, axis: y}, body: {mass: 2 kg, com: [0, "
      "0, -0.5], inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}, ports: {tip: {at: [0, 0, -1]}}}\n"
      "  - {name: trolley, joint: {type: prismatic, axis: x, stiffness: 12}, body: {mass: 3 kg, "
      "inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "gravity: [0, 0, -9.81]\n"
      "inputs: {motor: {on: b.joint.angle}}\n"
      "loops:\n  - {name: rod, from: a.tip, to: b.tip, type: distance, length: 1}\n";
  const double I = 2 * (0.1 + 2 * 0.25), w = 2 * 2 * 9.81 * 0.5;
  const double A[] = {0, 0, 1, 0, 0, 0, 0, 1, -w / I, 0, 0, 0, 0, -12. / 3, 0, 0};
  const double B[] = {0, 0, 1 / I, 0};
  const double C[] = {1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0};
  rig r = rig_text(text, 0);
  apl_linear_system* l = take(&r);

  near_context("parallelogram");
  assert_int_equal(l->n, 4);
  /* the motor acts on b, so that a follows */
  assert_string_equal(l->state[0], "b.joint.angle");
  assert_string_equal(l->state[1], "trolley.joint.position");
  assert_string_equal(l->state[2], "b.joint.angle.rate");
  CHECK_ARRAY(l->A, A, 16, 1e-12, 16);
  CHECK_ARRAY(l->B, B, 4, 1e-12, 1);
  CHECK_ARRAY(l->C, C, 12, 1e-12, 1);
  apl_linear_system_free(l);
  rig_close(&r);
}

/* --------------------------------------------------------------------------- differences ---- */

typedef struct scene {
  const rig* r;
  const apl_linear_system* l;
  apl_state* s;
  apl_closing* closing;
  const double *q0, *v0; /* a point on the loops                                                  */
  int q[MOST], v[MOST];  /* coordinate or velocity of each state, -1: the other                   */
  int keep[4 * MOST], keep_rates[4 * MOST];
} scene;

/* Rates of the states [n] and coordinates [nq] with state k moved by h: x' of loops.md, found by
   assembly. */
static void ask(scene* c, int k, double h, double* rate, double* y) {
  const apl_linear_system* l = c->l;
  const apl_model* m = c->r->model;
  apl_error err = {0};

  memcpy(apl_q(c->s), c->q0, sizeof(double) * (size_t)apl_model_nq(m));
  memcpy(apl_v(c->s), c->v0, sizeof(double) * (size_t)apl_model_nv(m));
  if (k >= 0 && c->q[k] >= 0) apl_q(c->s)[c->q[k]] += h;
  if (k >= 0 && c->v[k] >= 0) apl_v(c->s)[c->v[k]] += h;
  const apl_status st = apl_closing_assemble(c->closing, c->s, c->keep, c->keep_rates, NULL, &err);
  CHECK_TRUE(st == APL_OK, "%s", err.text);
  CHECK_OK(apl_closing_forward(c->closing, c->s, 0.0));
  for (int i = 0; i < l->n; ++i) {
    /* coordinates of single joints: their rate is the velocity of the same name */
    rate[i] = c->q[i] >= 0 ? apl_v(c->s)[apl_model_find(m, APL_VELOCITIES, l->state[i])]
                           : apl_a(c->s)[c->v[i]];
  }
  memcpy(y, apl_q(c->s), sizeof(double) * (size_t)apl_model_nq(m));
}

static void mark_states(scene* c) {
  const apl_linear_system* l = c->l;
  const apl_model* m = c->r->model;

  assert_true(l->n < MOST && apl_model_nq(m) < 4 * MOST);
  for (int i = 0; i < l->n; ++i) {
    char name[96];
    (void)snprintf(name, sizeof name, "%s", l->state[i]);
    char* end = strstr(name, ".rate");
    if (end != NULL) *end = '\0';
    c->q[i] = end == NULL ? apl_model_find(m, APL_COORDINATES, name) : -1;
    c->v[i] = end == NULL ? -1 : apl_model_find(m, APL_VELOCITIES, name);
    assert_true(c->q[i] >= 0 || c->v[i] >= 0);
    /* here all states are of joints with one coordinate, for which tangent and velocity agree */
    if (end == NULL) c->keep[apl_model_find(m, APL_VELOCITIES, name)] = 1;
    if (end != NULL) c->keep_rates[c->v[i]] = 1;
  }
}

/* The robot in motion: inputs 0, states pushed by rates of about 1. */
static void compare(const char* name, int states, double tolerance) {
  static const double weight[4] = {1. / 12, -8. / 12, 8. / 12, -1. / 12};
  static const int place[4] = {-2, -1, 1, 2};
  const double h = 1e-3;
  char path[512];
  double rate[4 * MOST], y[4 * MOST], A[MOST * MOST] = {0}, C[4 * MOST * MOST] = {0};

  near_context("%s", name);
  (void)snprintf(path, sizeof path, MODELS "%s.yaml", name);
  rig r = rig_load(path, 0);
  const int nq = apl_model_nq(r.model), nv = apl_model_nv(r.model);
  apl_state* mine = apl_system_state(r.system);
  for (int i = 0; i < nv; ++i)
    apl_v(mine)[i] = sin(1.0 + 2.3 * i);
  scene c = {.r = &r};
  CHECK_OK(apl_closing_new(r.model, &c.closing));
  apl_error err = {0};
  CHECK_OK(apl_closing_assemble(c.closing, mine, NULL, NULL, NULL, &err));
  apl_linear_system* l = take(&r);
  c.l = l;
  assert_int_equal(l->n, states);

  double* kept = malloc(sizeof *kept * (size_t)(nq + nv));
  assert_non_null(kept);
  memcpy(kept, apl_q(mine), sizeof *kept * (size_t)nq);
  memcpy(kept + nq, apl_v(mine), sizeof *kept * (size_t)nv);
  c.q0 = kept, c.v0 = kept + nq;
  CHECK_OK(apl_state_new(r.model, APL_SCALAR, &c.s));
  for (int i = 0; i < apl_model_nu(r.model); ++i)
    apl_u(c.s)[i] = apl_u(mine)[i];
  mark_states(&c);
  const int n = l->n;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < 4; ++j) {
      ask(&c, k, place[j] * h, rate, y);
      for (int i = 0; i < n; ++i)
        A[i * n + k] += weight[j] * rate[i] / h;
      for (int i = 0; i < nq; ++i)
        C[i * n + k] += weight[j] * y[i] / h;
    }
  }
  double largest = 1;
  for (int i = 0; i < n * n; ++i)
    largest = fmax(largest, fabs(A[i]));
  CHECK_ARRAY(l->A, A, n * n, tolerance, largest);
  CHECK_ARRAY(l->C, C, nq * n, tolerance, 1);
  ask(&c, -1, 0.0, rate, y);
  CHECK_ARRAY(l->rate, rate, n, 1e-9, largest);
  free(kept);
  apl_state_free(c.s);
  apl_closing_free(c.closing);
  apl_linear_system_free(l);
  rig_close(&r);
}

/* Differences of the fourth order, h = 1e-3: h^4 of the fifth derivative, which near folded
   linkages is some thousands, and 1e-16 / h of round-off. */
static void in_motion(void** state) {
  (void)state;

  compare("four-bar", 2, 1e-8);
  compare("five-bar", 4, 1e-8);
  compare("paper-3rrr", 6, 1e-8);
  compare("delta", 6, 1e-8);
  compare("rsur", 2, 1e-8);
  compare("stewart", 12, 1e-8);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(parallelogram), cmocka_unit_test(in_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
