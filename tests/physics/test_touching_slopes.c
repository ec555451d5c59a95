/* SPDX-License-Identifier: Apache-2.0 */
/* test_touching_slopes.c: derivatives, linear systems and lanes of robots whose shapes touch each
   other, for every pair of shapes: against differences of the fourth order, which share no
   arithmetic with complex steps; against complex steps of forward dynamics, another algorithm, to
   round-off; and against closed forms of what lies, rolls and hangs on contacts. The geometry by
   itself: test_touch.c. */
#include "near.h"

#include "dynamics/extra.h"
#include "random.h"
#include "text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODELS APPELL_TEST_DATA "/../../models/"

static const double STEP = 1e-100;

typedef struct robot {
  apl_file* file;
  apl_model* model;
  apl_state* s;
  int nq, nt, nv, nu;
  double *q, *v, *tau, *u; /* the point about which derivatives are taken */
  double* neutral;         /* where the state began                       */
} robot;

static double* numbers(int n) {
  double* x = calloc((size_t)n + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static robot open_text(const char* text) {
  robot r = {0};

  text_load(text, &r.file, &r.model);
  CHECK_OK(apl_state_new(r.model, APL_SCALAR, &r.s));
  r.nq = apl_model_nq(r.model), r.nt = apl_model_nt(r.model);
  r.nv = apl_model_nv(r.model), r.nu = apl_model_nu(r.model);
  r.q = numbers(r.nq), r.v = numbers(r.nv), r.tau = numbers(r.nv), r.u = numbers(r.nu);
  r.neutral = numbers(r.nq);
  memcpy(r.neutral, apl_q(r.s), sizeof *r.q * (size_t)r.nq);
  return r;
}

static void close_robot(robot* r) {
  free(r->q);
  free(r->v);
  free(r->tau);
  free(r->u);
  free(r->neutral);
  apl_state_free(r->s);
  apl_model_free(r->model);
  apl_file_free(r->file);
}

/* To the point, x along direction k of q, v or u. */
static void go(robot* r, char of, int k, double x) {
  double* delta = numbers(r->nt);
  if (of == 'q') delta[k] = x;
  CHECK_OK(apl_add(r->model, r->s, r->q, delta, apl_q(r->s)));
  memcpy(apl_v(r->s), r->v, sizeof *r->v * (size_t)r->nv);
  memcpy(apl_tau(r->s), r->tau, sizeof *r->v * (size_t)r->nv);
  memcpy(apl_u(r->s), r->u, sizeof *r->u * (size_t)r->nu);
  if (of == 'v') apl_v(r->s)[k] += x;
  if (of == 'u') apl_u(r->s)[k] += x;
  free(delta);
}

static void motion(robot* r, char of, int k, double x, double* a) {
  go(r, of, k, x);
  CHECK_OK(apl_forward(r->model, r->s));
  memcpy(a, apl_a(r->s), sizeof *a * (size_t)r->nv);
}

/* Central differences of h and h/2 give the fourth order, (4 D(h/2) - D(h)) / 3, and their distance
   says how much of that is left: a derivative must be within it, or within round-off over h. */
static void compare(robot* r, char of, int n, double h, const double* D) {
  double *a = numbers(4 * r->nv), *mid = numbers(r->nv);

  motion(r, of, 0, 0, mid);
  const double size = near_max(mid, r->nv);
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < 4; i++)
      motion(r, of, k, (double[]){h, -h, h / 2, -h / 2}[i], a + i * r->nv);
    for (int i = 0; i < r->nv; i++) {
      const double wide = (a[i] - a[r->nv + i]) / (2 * h);
      const double narrow = (a[2 * r->nv + i] - a[3 * r->nv + i]) / h;
      const double most = fabs(wide - narrow) + 1e-12 * (size + fabs(narrow)) / h;
      CHECK_NEAR(D[i * n + k], (4 * narrow - wide) / 3, most + 1e-6 * fabs(narrow));
    }
  }
  free(a);
  free(mid);
}

/* The same by complex steps through forward dynamics. Contacts of the complex state are found by
   itself, and get the memory of the scalar one. Efforts would cancel: 1e-12 of the largest. */
static void compare_complex(robot* r, char of, int n, const double* D) {
  double *want = numbers(r->nv * n), *q = numbers(2 * r->nq), *delta = numbers(2 * r->nt);
  apl_state* z;

  CHECK_OK(apl_state_new(r->model, APL_COMPLEX, &z));
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < r->nq; i++)
      apl_q(z)[2 * i] = q[2 * i] = r->q[i], apl_q(z)[2 * i + 1] = 0;
    for (int i = 0; i < r->nv; i++)
      apl_v(z)[2 * i] = r->v[i], apl_tau(z)[2 * i] = r->tau[i], apl_v(z)[2 * i + 1] = 0;
    for (int i = 0; i < r->nu; i++)
      apl_u(z)[2 * i] = r->u[i], apl_u(z)[2 * i + 1] = 0;
    CHECK_OK(apl_touch_shapes(r->model, z));
    for (int i = 0; i < apl_model_count(r->model, APL_CONTACTS); i++) {
      apl_contact c, d;
      CHECK_OK(apl_contact_get(r->s, i, 0, &c));
      CHECK_OK(apl_contact_get(z, i, 0, &d));
      CHECK_TRUE(c.shape[0] == d.shape[0] && c.shape[1] == d.shape[1], "contact %d", i);
      CHECK_OK(apl_contact_remember(z, i, 0, &c));
    }
    if (of == 'v') apl_v(z)[2 * k + 1] = STEP;
    if (of == 'u') apl_u(z)[2 * k + 1] = STEP;
    if (of == 'q') {
      delta[2 * k + 1] = STEP;
      CHECK_OK(apl_add(r->model, z, q, delta, apl_q(z)));
      delta[2 * k + 1] = 0;
    }
    CHECK_OK(apl_forward(r->model, z));
    for (int i = 0; i < r->nv; i++)
      want[i * n + k] = apl_a(z)[2 * i + 1] / STEP;
  }
  CHECK_ARRAY(D, want, r->nv * n, 1e-12, 1 + near_max(want, r->nv * n));
  apl_state_free(z);
  free(want);
  free(q);
  free(delta);
}

/* All derivatives at the point; the contacts are those of the scalar state. */
static void check_slopes(robot* r, double h) {
  double *dq = numbers(r->nv * r->nt), *dv = numbers(r->nv * r->nv), *du = numbers(r->nv * r->nu);
  apl_derivatives* room;

  CHECK_OK(apl_derivatives_new(r->model, &room));
  go(r, '-', 0, 0);
  CHECK_OK(apl_forward_derivatives(r->model, r->s, room, dq, dv, NULL, du));
  CHECK_ALIVE(dq, r->nv * r->nt, 1e-3);
  compare(r, 'q', r->nt, h, dq);
  compare(r, 'v', r->nv, h, dv);
  compare(r, 'u', r->nu, h, du);
  compare_complex(r, 'q', r->nt, dq);
  compare_complex(r, 'v', r->nv, dv);
  compare_complex(r, 'u', r->nu, du);
  apl_derivatives_free(room);
  free(dq);
  free(dv);
  free(du);
}

/* Contacts that shapes have in the scalar state, and the least and greatest depth of them. */
static int touching(robot* r, double* least, double* most) {
  int n = 0;

  *least = 1e9, *most = -1e9;
  CHECK_OK(apl_contacts(r->model, r->s));
  for (int i = 0; i < apl_model_count(r->model, APL_CONTACTS); i++) {
    apl_contact c;
    CHECK_OK(apl_contact_get(r->s, i, 0, &c));
    if (c.shape[0] < 0) continue;
    *least = fmin(*least, c.depth);
    *most = fmax(*most, c.depth);
    ++n;
  }
  return n;
}

/* ------------------------------------------------------------------------------------ pairs ----
 */

static const char* const shape_text[] = {
    "type: sphere, radius: 0.3", "type: capsule, radius: 0.2, length: 0.7",
    "type: cylinder, radius: 0.3, length: 0.6", "type: box, size: [0.5, 0.7, 0.9]",
    "type: pipe, radius: 0.8, length: 6"};
enum { PIPE = 4 };

static bool has_pair(int a, int b) {
  const bool round = a < 2 || b < 2;
  return (round && a != PIPE) || (a == 3 && (b == 3 || b == PIPE));
}

static const char* const law_text[] = {
    "law: {normal: hertz, stiffness: 3e3}, friction: {law: coulomb, coefficient: 0.4, v0: 0.05}",
    "law: {normal: hunt-crossley, stiffness: 4e3, restitution: 0.6}, friction: {law: stribeck, "
    "coefficient: 0.3, stiction: 0.5, v0: 0.1, stribeck-speed: 0.2}",
    "law: {normal: kelvin-voigt, stiffness: 2e3, exponent: 1, damping: 30}, friction: {law: lugre, "
    "coefficient: 0.3, stiction: 0.4, stribeck-speed: 0.1, bristle-stiffness: 300, "
    "bristle-damping: 3}"};

static robot open_pair(int a, int b, const char* law) {
  char text[2000];
  const bool stands = b == PIPE;

  snprintf(text, sizeof text,
           "appell: 1\nlinks:\n"
           "  - {name: a, joint: floating, body: {mass: 1.3, com: [0.02, 0.01, -0.03], inertia: "
           "{xx: 0.1, yy: 0.12, zz: 0.15}}, shapes: [{%s, at: [0.03, -0.02, 0.05]}]}\n"
           "  - {name: b, joint: floating, body: {mass: 2.1, inertia: {xx: 0.2, yy: 0.25, zz: "
           "0.3}}%s%s%s}\n"
           "%s%s%s"
           "collide: [{neighbours: 0, most: 16, %s}]\n",
           shape_text[a], stands ? "" : ", shapes: [{", stands ? "" : shape_text[b],
           stands ? "" : "}]", stands ? "obstacles: {tube: {" : "", stands ? shape_text[b] : "",
           stands ? ", at: [0.1, 0, 0]}}\n" : "", law);
  return open_text(text);
}

/* A place where they are in each other by a little, with a memory in each contact; slow: friction
   sticks, as far as a rounded law does. */
static void meet(robot* r, rng* random, bool slow) {
  double *delta = numbers(r->nt), least, most;
  int tries = 0;

  do {
    rng_fill(random, delta, r->nt, 0.7);
    CHECK_OK(apl_add(r->model, r->s, r->neutral, delta, r->q));
    rng_fill(random, r->v, r->nv, slow ? 1e-3 : 1.0);
    rng_fill(random, r->tau, r->nv, 1.0);
    go(r, '-', 0, 0);
    CHECK_OK(apl_touch_shapes(r->model, r->s));
    CHECK_TRUE(++tries < 3000, "they do not meet");
  } while (touching(r, &least, &most) == 0 || least < 2e-3 || most > 0.12);
  for (int i = 0; i < apl_model_count(r->model, APL_CONTACTS); i++) {
    apl_contact c;
    CHECK_OK(apl_contact_get(r->s, i, 0, &c));
    if (c.shape[0] < 0) continue;
    c.mode = i % 2 == 0 ? APL_CONTACT_CLOSED : APL_CONTACT_RESTING;
    c.speed_in = 0.6 + 0.1 * i;
    c.bristle[0] = 1e-4, c.bristle[1] = -2e-4;
    CHECK_OK(apl_contact_remember(r->s, i, 0, &c));
  }
  free(delta);
}

static void pairs(void** state) {
  (void)state;
  for (int a = 0; a <= PIPE; a++) {
    for (int b = 0; b <= PIPE; b++) {
      for (int law = 0; has_pair(a, b) && law < 3; law++) {
        rng random = rng_seed(100 + (unsigned)(15 * a + 3 * b + law));
        robot r = open_pair(a, b, law_text[law]);
        for (int slow = 0; slow < 2; slow++) {
          near_context("{%s} on {%s}, law %d%s", shape_text[a], shape_text[b], law,
                       slow ? ", slow" : "");
          meet(&r, &random, slow != 0);
          /* slow: steps short against the speeds that round the laws */
          check_slopes(&r, slow ? 1e-5 : 1e-4);
        }
        close_robot(&r);
      }
    }
  }
}

/* ---------------------------------------------------------------------------------- shipped ----
 */

/* A shipped model with differentiable laws: compliant instead of rigid, friction that is smooth at
   rest instead of the exact one. */
static char* soften(const char* name) {
  static const char* const law[][2] = {
      {"law: {normal: restitution, restitution: 0}",
       "law: {normal: kelvin-voigt, stiffness: 1e5, exponent: 1, damping: 50}"},
      {"law: coulomb-stiction", "law: coulomb, v0: 1e-3"}};
  char path[400];
  (void)snprintf(path, sizeof path, MODELS "%s.yaml", name);
  char *text = text_read(path), *out = calloc(4 * strlen(text) + 1, 1), *to = out;
  int found = 0;

  assert_non_null(out);
  for (const char* from = text; *from != '\0';) {
    const int here = strncmp(from, law[0][0], strlen(law[0][0])) == 0   ? 0
                     : strncmp(from, law[1][0], strlen(law[1][0])) == 0 ? 1
                                                                        : -1;
    if (here >= 0) {
      memcpy(to, law[here][1], strlen(law[here][1]));
      to += strlen(law[here][1]), from += strlen(law[here][0]), found += here == 0;
    } else {
      *to++ = *from++;
    }
  }
  CHECK_TRUE(found > 0, "%s has no rigid law", name);
  free(text);
  return out;
}

/* Shipped robots that hold, climb and push: where a run with compliant laws has taken them. */
static void shipped(void** state) {
  static const struct {
    const char* name;
    double time;
    int contacts; /* at least */
  } model[] = {{"gripper", 0.9, 3}, {"pipe-climber", 0.5, 4}, {"snake-pegs", 3, 1}};
  (void)state;
  for (int m = 0; m < (int)(sizeof model / sizeof *model); m++) {
    char* text = soften(model[m].name);
    robot r = open_text(text);
    apl_run_options o = apl_file_options(r.file);
    apl_report report = {0};
    apl_error err = {0};
    apl_system* system;
    double least, most;

    near_context("%s", model[m].name);
    CHECK_OK(apl_file_system(r.file, r.model, APL_READY, &system, &report));
    o.to = model[m].time;
    CHECK_TRUE(apl_run(system, &o, NULL, &err) == APL_OK, "%s", err.text);
    memcpy(r.q, apl_q(apl_system_state(system)), sizeof *r.q * (size_t)r.nq);
    memcpy(r.v, apl_v(apl_system_state(system)), sizeof *r.v * (size_t)r.nv);
    memcpy(r.u, apl_u(apl_system_state(system)), sizeof *r.u * (size_t)r.nu);
    go(&r, '-', 0, 0);
    CHECK_OK(apl_touch_shapes(r.model, r.s));
    CHECK_TRUE(touching(&r, &least, &most) >= model[m].contacts, "too few touch");
    /* short against depths of some 0.1 mm and against v0 = 1 mm/s */
    check_slopes(&r, 1e-6);
    apl_system_free(system);
    close_robot(&r);
    free(text);
  }
}

/* -------------------------------------------------------------------------------- lanes ---- */

/* Four robots at once, which touch here and there: each moves as it does alone. */
static void lanes(void** state) {
  (void)state;
  for (int a = 0; a <= PIPE; a++) {
    for (int b = 0; b <= PIPE; b++) {
      if (!has_pair(a, b)) continue;
      rng random = rng_seed(500 + (unsigned)(5 * a + b));
      robot r = open_pair(a, b, law_text[1]);
      double* want = numbers(4 * r.nv);
      apl_state* four;

      near_context("lanes, {%s} on {%s}", shape_text[a], shape_text[b]);
      CHECK_OK(apl_state_new(r.model, APL_LANES, &four));
      for (int lane = 0; lane < 4; lane++) {
        meet(&r, &random, false);
        if (lane == 2) r.q[0] += 9; /* this one is far away */
        go(&r, '-', 0, 0);
        CHECK_OK(apl_touch_shapes(r.model, r.s));
        CHECK_OK(apl_forward(r.model, r.s));
        for (int i = 0; i < r.nq; i++)
          apl_q(four)[4 * i + lane] = r.q[i];
        for (int i = 0; i < r.nv; i++) {
          apl_v(four)[4 * i + lane] = r.v[i];
          apl_tau(four)[4 * i + lane] = r.tau[i];
          want[4 * i + lane] = apl_a(r.s)[i];
        }
      }
      CHECK_OK(apl_touch_shapes(r.model, four));
      CHECK_OK(apl_forward(r.model, four));
      CHECK_ARRAY(apl_a(four), want, 4 * r.nv, 1e-12, near_max(want, 4 * r.nv));
      apl_state_free(four);
      free(want);
      close_robot(&r);
    }
  }
}

/* -------------------------------------------------------------------------------- poles ---- */

/* Largest imaginary and real parts of the poles of a text, at its start or its equilibrium. */
typedef struct linear {
  robot r;
  apl_system* system;
  apl_linear_system* l;
} linear;

static linear linearize(const char* text, bool rest) {
  linear out = {.r = open_text(text)};
  apl_report report = {0};
  apl_error err = {0};
  const apl_equilibrium_options o = apl_equilibrium_options_default();

  CHECK_OK(apl_file_system(out.r.file, out.r.model, 0, &out.system, &report));
  if (rest) {
    const apl_status st =
        apl_equilibrium(out.r.model, apl_system_state(out.system), &o, NULL, &err);
    CHECK_TRUE(st == APL_OK, "%s", err.text);
  }
  const apl_status st = apl_linearize(out.system, 0, NULL, &out.l, &err);
  CHECK_TRUE(st == APL_OK, "%s", err.text);
  return out;
}

static void close_linear(linear* x) {
  apl_linear_system_free(x->l);
  apl_system_free(x->system);
  close_robot(&x->r);
}

/* A pole of s^2 + 2 d s + w^2 = 0 is among them. */
static void check_pole(const linear* x, double re, double im, double tolerance) {
  double best = HUGE_VAL;

  for (int i = 0; i < x->l->n; i++)
    best = fmin(best, hypot(x->l->pole[2 * i] - re, x->l->pole[2 * i + 1] - im));
  CHECK_NEAR(best / hypot(re, im), 0, tolerance);
}

/* A ball of 2 kg that only slides, in two directions across each other. */
#define BALL                                                                                       \
  "appell: 1\ngravity: [0, 0, -9.81]\nlinks:\n"                                                    \
  "  - {name: x, joint: {type: prismatic, axis: x}, body: {mass: 0}}\n"                            \
  "  - {name: ball, on: x, joint: {type: prismatic, axis: z}, body: {mass: 2}, shapes: [{type: "   \
  "sphere, radius: 0.1}]}\n"

static void poles(void** state) {
  const double m = 2, g = 9.81, K = 1e5, D = pow(m * g / K, 2.0 / 3.0);
  linear x;
  (void)state;

  /* in a lying pipe of radius 0.5, by Hertz' law K D^1.5 = m g: up and down sqrt(1.5 K D^0.5 / m),
     to the sides a pendulum of length R - r + D. Both are exact to the equilibrium: 1e-10 */
  near_context("a ball in a pipe");
  x = linearize(
      BALL "obstacles: {pipe: {type: pipe, radius: 0.5, length: 2, at: {position: [0, 0, 0.5], "
           "rotation: {rpy: [1.5707963267948966, 0, 0]}}}}\n"
           "collide: [{neighbours: 0, law: {normal: hertz, stiffness: 1e5}}]\n"
           "start: {ball.joint.position: 0.0995}\n",
      true);
  CHECK_NEAR(apl_q(apl_system_state(x.system))[1], 0.1 - D, 1e-12);
  check_pole(&x, 0, sqrt(1.5 * K * sqrt(D) / m), 1e-10);
  check_pole(&x, 0, sqrt(g / (0.5 - 0.1 + D)), 1e-10);
  close_linear(&x);

  /* on top of a lying peg of radius 0.2 it falls off: sqrt(g / (R + r - D)) */
  near_context("a ball on a peg");
  x = linearize(
      BALL "obstacles: {peg: {type: cylinder, radius: 0.2, length: 1, at: {position: [0, 0, "
           "-0.2], rotation: {rpy: [1.5707963267948966, 0, 0]}}}}\n"
           "collide: [{neighbours: 0, law: {normal: kelvin-voigt, stiffness: 3e4, exponent: 1, "
           "damping: 40}}]\n"
           "start: {ball.joint.position: 0.0999}\n",
      true);
  check_pole(&x, sqrt(g / (0.3 - m * g / 3e4)), 0, 1e-10);
  check_pole(&x, -40 / (2 * m), sqrt(3e4 / m - 100), 1e-10);
  close_linear(&x);

  /* on a table, held by bristles: m s^2 + N sigma1 s + N sigma0 = 0, N = m g; and viscous friction
   */
  near_context("a ball on bristles");
  x = linearize(
      BALL "obstacles: {table: {type: box, size: [1, 1, 0.2], at: [0, 0, -0.1]}}\n"
           "collide: [{neighbours: 0, law: {normal: hertz, stiffness: 1e5}, friction: {law: "
           "lugre, coefficient: 0.3, stiction: 0.4, stribeck-speed: 0.1, bristle-stiffness: 500, "
           "bristle-damping: 2}}]\n"
           "start: {ball.joint.position: 0.0995}\n",
      true);
  assert_int_equal(x.l->n, 6); /* four of the ball, two bristles of the one contact that is there */
  check_pole(&x, -g * 2 / 2, sqrt(g * 500 - g * g), 1e-10);
  check_pole(&x, 0, sqrt(1.5 * K * sqrt(D) / m), 1e-10);
  close_linear(&x);
}

/* A rod of length L that lies on a table with both ends: up and down 2 k / m, tilting 2 k (L/2)^2 /
   J, where the weight, R above the line, takes m g R, and rolling is free. */
static void rod(void** state) {
  const double m = 1.5, J = 0.02, k = 4e4, L = 0.4, R = 0.05, deep = m * 9.81 / (2 * k);
  (void)state;
  near_context("a rod on a table");
  linear x = linearize(
      "appell: 1\ngravity: [0, 0, -9.81]\nlinks:\n"
      "  - {name: up, joint: {type: prismatic, axis: z}, body: {mass: 0}}\n"
      "  - {name: rod, on: up, joint: {type: revolute, axis: y}, body: {mass: 1.5, inertia: {xx: "
      "0.02, yy: 0.02, zz: 0.02}}, shapes: [{type: capsule, radius: 0.05, length: 0.4, at: "
      "{position: [0, 0, 0], rotation: {rpy: [0, 1.5707963267948966, 0]}}}]}\n"
      "obstacles: {table: {type: box, size: [1, 1, 0.2], at: [0, 0, -0.1]}}\n"
      "collide: [{neighbours: 0, law: {normal: hertz, stiffness: 4e4, exponent: 1}}]\n"
      "start: {up.joint.position: 0.0499}\n",
      true);
  CHECK_NEAR(apl_q(apl_system_state(x.system))[0], R - deep, 1e-12);
  assert_int_equal(x.l->n, 4);
  check_pole(&x, 0, sqrt(2 * k / m), 1e-10);
  /* the ends of the core rise and sink: their height is R - D for any tilt, so the force stays at
     the core's ends, L/2 off, and the weight at its middle */
  check_pole(&x, 0, sqrt(2 * k * (L / 2) * (L / 2) / J), 1e-10);
  close_linear(&x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs), cmocka_unit_test(shipped), cmocka_unit_test(lanes),
      cmocka_unit_test(poles), cmocka_unit_test(rod),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
