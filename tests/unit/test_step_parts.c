/* SPDX-License-Identifier: Apache-2.0 */
/* test_step_parts.c: step/runge_kutta.h, stepper.h, gen_alpha.h, moreau.h, stiff.h and
   system/equations.h: order conditions of the tableaux, the cubic of a step, time steps with known
   results. Also system/event_side.h and kind/soft_row.h. */
#include "near.h"
#include "systems.h"

#include "kind/soft_row.h"
#include "step/gen_alpha.h"
#include "step/moreau.h"
#include "step/runge_kutta.h"
#include "step/stepper.h"
#include "step/stiff.h"
#include "system/equations.h"
#include "system/event_side.h"

#include <stdlib.h>
#include <string.h>

/* ----------------------------------------------------------------------------- Runge-Kutta ---- */

static double sum_of(const rk_term* list) {
  double sum = 0;
  for (; list->k != RK_END; ++list)
    sum += list->a;
  return sum;
}

/* sum of b_i c_i^k; the rate at the end of the step stands at 1 */
static double moment(const rk_pair* p, const rk_term* list, int k) {
  double sum = 0;
  for (; list->k != RK_END; ++list)
    sum += list->a * (list->k < p->stages ? pow(p->stage[list->k].at, k) : 1.0);
  return sum;
}

/* Rows of a tableau sum to c_i (a consistent pair), weights satisfy the quadrature conditions
   sum b_i c_i^(k-1) = 1/k up to the order, error estimates are orthogonal to low powers. */
static void tableaux(void** state) {
  (void)state;
  const struct {
    const char* name;
    const rk_pair* pair;
    int order;
  } all[] = {{"dop853", &apl_rk_dop853, 8},
             {"fehlberg45", &apl_rk_fehlberg45, 4},
             {"fehlberg78", &apl_rk_fehlberg78, 7}};

  for (int i = 0; i < 3; ++i) {
    const rk_pair* p = all[i].pair;
    near_context("%s", all[i].name);
    assert_in_range(p->stages, 6, RK_STAGES);
    for (int s = 0; s < p->stages; ++s) {
      CHECK_NEAR(sum_of(p->stage[s].sum), p->stage[s].at, 1e-13);
      for (const rk_term* t = p->stage[s].sum; t->k != RK_END; ++t)
        assert_true(t->k < s); /* explicit */
    }
    for (int k = 1; k <= all[i].order; ++k)
      CHECK_NEAR(moment(p, p->solution, k - 1), 1.0 / k, 1e-14);
    for (int e = 0; e < p->estimates; ++e) {
      CHECK_NEAR(sum_of(p->estimate[e].fine), 0, 1e-14); /* no error for a constant rate ... */
      CHECK_NEAR(moment(p, p->estimate[e].fine, 1), 0, 1e-14); /* ... and for a linear one */
    }
    for (int s = 0; s < p->extra; ++s)
      CHECK_NEAR(sum_of(p->inner[s].sum), p->inner[s].at, 1e-13);
  }
  near_context("%s", "");
}

/* y = (x, x', integral of x) of x'' = -x */
typedef struct counts {
  long all, motion;
  apl_status says;
} counts;
static apl_status swing(double t, const double* y, double* out, void* context) {
  counts* c = context;
  (void)t;
  ++c->all;
  out[0] = y[1], out[1] = -y[0], out[2] = y[0];
  return c->says;
}
static apl_status swing_only(double t, const double* y, double* out, void* context) {
  counts* c = context;
  (void)t;
  ++c->motion;
  out[0] = y[1], out[1] = -y[0];
  return c->says;
}

/* Functions that methods share: they count evaluations and keep the cause of a failure. */
static void stepper(void** state) {
  (void)state;
  counts c = {0};
  const apl_rate rate = swing;
  const apl_stepper_options o = {.method = "dop853",
                                 .n = 3,
                                 .n_error = 2,
                                 .motion = swing_only,
                                 .n_first = 1,
                                 .n_second = 1,
                                 .tolerance = 1e-10};
  apl_stepper* s;
  apl_error err = {0};
  const double y0[3] = {1, 0, 0};
  double out[3], t, y[3];

  CHECK_OK(apl_stepper_new(&o, rate, &c, &s, &err));
  CHECK_OK(apl_stepper_restart(s, 0, y0));
  const long before = s->evaluations;
  CHECK_OK(apl_stepper_rate(s, 0, y0, out));
  CHECK_OK(apl_stepper_motion(s, 0, y0, out));
  CHECK_OK(apl_stepper_landed(s, 0, y0, out));
  assert_int_equal(s->evaluations, before + 3);
  assert_true(c.motion >= 1 && c.all >= 2);
  CHECK_NEAR(out[1], -1, 0);

  c.says = APL_ERR_SINGULAR;
  assert_int_equal(apl_stepper_rate(s, 0, y0, out), APL_ERR_SINGULAR);
  assert_int_equal(s->cause, APL_ERR_SINGULAR);
  c.says = APL_OK;
  assert_int_equal(apl_stepper_evaluated(s, 0, APL_ERR_MEMORY), APL_ERR_MEMORY);
  CHECK_OK(apl_stepper_evaluated(s, 0, APL_OK));
  assert_true(apl_stepper_may_retry(APL_ERR_SINGULAR) && apl_stepper_may_retry(APL_ERR_CONTACT));
  assert_false(apl_stepper_may_retry(APL_ERR_MEMORY) || apl_stepper_may_retry(APL_OK));

  /* one step: inside it the cubic and the polynomial of the pair, against cos and sin */
  CHECK_OK(apl_stepper_restart(s, 0, y0));
  CHECK_OK(apl_stepper_step(s, 10, &t, y));
  CHECK_NEAR(y[0], cos(t), 1e-9);
  CHECK_NEAR(y[2], sin(t), 1e-9);
  double cubic[3], fine[3];
  CHECK_OK(apl_rk_inside(s, 0.4 * t, cubic));
  CHECK_OK(apl_rk_read(s, 0.4 * t, fine));
  CHECK_NEAR(fine[0], cos(0.4 * t), 1e-8);
  CHECK_NEAR(fine[2], sin(0.4 * t), 1e-8);
  CHECK_NEAR(cubic[0], cos(0.4 * t), pow(t, 4) / 300); /* h^4 / 384 */

  /* rates of Hermite's cubic: exact for a cubic */
  double f0[3] = {0}, f1[3] = {0}, at[3];
  for (int i = 0; i < 3; ++i) {
    s->y0[i] = 0, s->y[i] = t * t * t, f1[i] = 3 * t * t;
  }
  apl_stepper_cubic(s, 0.3 * t, f0, f1, at);
  CHECK_NEAR(at[1], 0.027 * t * t * t, 1e-13);

  /* sums over the rates of the last step */
  rk_data* d = s->data;
  assert_ptr_equal(d->pair, &apl_rk_dop853);
  assert_int_equal(d->n % RK_BLOCK, 0);
  for (int i = 0; i < d->n; ++i)
    d->k[i] = i + 1, d->k[d->n + i] = 10;
  const rk_term terms[] = {{0, 2}, {1, -0.5}, {RK_END, 0}};
  double sum[RK_BLOCK];
  apl_rk_sum(s, terms, 3, sum);
  CHECK_NEAR(sum[0], 2 - 5, 0);
  CHECK_NEAR(sum[2], 6 - 5, 0);
  s->y0[0] = 7, s->y0[1] = 8;
  apl_rk_stage(s, terms, 0.5);
  CHECK_NEAR(d->x[0], 7 + 0.5 * (2 - 5), 0);
  CHECK_NEAR(d->x[1], 8 + 0.5 * (4 - 5), 0);
  apl_stepper_free(s);
}

/* ------------------------------------------------------------------------------ time steps ---- */

/* A ball of 2 kg in free flight. */
static const char BALL[] =
    "appell: 1\ngravity: [0, 0, -10]\nlinks:\n  - name: ball\n    joint: floating\n"
    "    body: {mass: 2, inertia: {xx: 0.1, yy: 0.1, zz: 0.1}}\n";
/* An arm that hangs on the world. */
static const char ARM[] =
    "appell: 1\ngravity: [0, 0, -10]\nlinks:\n  - name: arm\n"
    "    joint: {type: revolute, axis: y, stiffness: 8, damping: 1}\n"
    "    body: {mass: 2, com: [0, 0, -1], inertia: {yy: 0.5, xx: 0.5, zz: 0.1}}\n";

static apl_time_steps* open_steps(const char* method, apl_system* s, const apl_method** out) {
  apl_run_options o = apl_run_options_default();
  apl_time_steps* m;
  apl_error err = {0};

  o.method = method, o.step = 0.01;
  *out = apl_method_find(method);
  CHECK_OK((*out)->time->open(s, &o, &m, &err));
  return m;
}

/* One step of moreau in free flight: v+ = v + h g, q+ = q + h v+; the momentum is booked. */
static void moreau(void** state) {
  (void)state;
  rig g = rig_text(BALL, 0), held = rig_text(ARM, 0);
  const apl_method* how;
  long evaluations = 0;

  assert_true(apl_moreau_stands_free(g.system));
  assert_false(apl_moreau_stands_free(held.system)); /* its joint holds it */
  apl_time_steps* steps = open_steps("moreau", g.system, &how);
  apl_moreau* m = (apl_moreau*)(void*)steps;
  assert_ptr_equal(m->system, g.system);
  apl_state* s = apl_system_state(g.system);
  double before_q[7], most_q = 0, most_v = 0;
  memcpy(before_q, apl_q(s), sizeof before_q);
  coupling_news news = {0};
  CHECK_OK(how->time->step(steps, 0, 0.01, &news, &evaluations));
  for (int i = 0; i < 7; ++i)
    most_q = fmax(most_q, fabs(apl_q(s)[i] - before_q[i]));
  for (int i = 0; i < 6; ++i)
    most_v = fmax(most_v, fabs(apl_v(s)[i]));
  CHECK_NEAR(most_v, 0.1, 1e-15);
  CHECK_NEAR(most_q, 0.001, 1e-16);
  assert_int_equal(news.impacts, 0);

  /* the centre of mass at the start of a step, and the weight as the impulse from outside */
  g.system->stepping.books_outside = true;
  CHECK_OK(apl_moreau_open(m));
  CHECK_OK(apl_moreau_weigh(m));
  CHECK_NEAR(m->centre[2], -0.001, 1e-16);
  double* impulse = g.system->ledger.account + APL_NACCOUNT;
  const double before = impulse[5];
  apl_moreau_book_momentum(m, 0.5);
  CHECK_NEAR(impulse[5] - before, -0.5 * 2 * 10, 1e-14);
  CHECK_NEAR(impulse[3], 0, 0);
  how->time->close(steps);
  rig_close(&g);
  rig_close(&held);
}

/* gen-alpha of a spring and a damper, I q'' + c q' + k q = 0 with small angles: second order; its
   parameters for the spectral radius r are those of Chung and Hulbert (1993). */
static void gen_alpha(void** state) {
  (void)state;
  double error[2];

  for (int k = 0; k < 2; ++k) {
    rig g = rig_text("appell: 1\ngravity: [0, 0, 0]\nlinks:\n  - name: arm\n"
                     "    joint: {type: revolute, axis: y, stiffness: 8, damping: 1}\n"
                     "    body: {mass: 2, inertia: {yy: 0.5, xx: 0.5, zz: 0.1}}\n",
                     0);
    const apl_method* how;
    apl_time_steps* steps = open_steps("gen-alpha", g.system, &how);
    apl_gen_alpha* m = (apl_gen_alpha*)(void*)steps;
    const double r = 0.5, h = k == 0 ? 0.02 : 0.01;
    const int n = k == 0 ? 50 : 100;
    long evaluations = 0;
    coupling_news news = {0};

    CHECK_NEAR(m->m, (2 * r - 1) / (r + 1), 1e-15);
    CHECK_NEAR(m->f, r / (r + 1), 1e-15);
    CHECK_NEAR(m->g, 0.5 - m->m + m->f, 1e-15);
    CHECK_NEAR(m->e, 0.25 * pow(1 - m->m + m->f, 2), 1e-15);
    apl_state* s = apl_system_state(g.system);
    apl_q(s)[0] = 0.3;
    for (int i = 0; i < n; ++i)
      CHECK_OK(how->time->step(steps, i * h, h, &news, &evaluations));
    /* q = 0.3 e^(-t) (cos wt + sin wt / w), w^2 = 16 - 1 */
    const double w = sqrt(15);
    error[k] = fabs(apl_q(s)[0] - 0.3 * exp(-1) * (cos(w) + sin(w) / w));
    assert_true(m->begun);

    /* its memory goes through a store and back; a damaged flag is refused */
    const int size = apl_gen_alpha_memory_size(g.system);
    assert_int_equal(size, 1 + 2 + NLEDGER);
    double kept[64], wrong[64];
    assert_true(size <= 64);
    apl_store out = apl_store_writer(kept, size);
    apl_gen_alpha_memory(steps, &out);
    assert_int_equal(out.used, size);
    const double vd = m->vd[0], auxiliary = m->a[0];
    m->vd[0] = m->a[0] = 99;
    apl_store in = apl_store_reader(kept, size);
    apl_gen_alpha_memory(steps, &in);
    assert_null(in.bad);
    CHECK_NEAR(m->vd[0], vd, 0);
    CHECK_NEAR(m->a[0], auxiliary, 0);
    memcpy(wrong, kept, sizeof kept);
    wrong[0] = 0.5;
    in = apl_store_reader(wrong, size);
    apl_gen_alpha_memory(steps, &in);
    assert_string_equal(in.bad, "whether time steps have begun");
    how->time->close(steps);
    rig_close(&g);
  }
  CHECK_TRUE(error[0] < 2e-3 && error[0] > 1e-8, "error %g", error[0]);
  CHECK_NEAR(error[0] / error[1], 4, 0.4); /* second order */
}

/* ---------------------------------------------------------------------------------- events ---- */

static void sides(void** state) {
  (void)state;
  assert_int_equal(apl_side_of(1e-300), SIDE_ABOVE);
  assert_int_equal(apl_side_of(-1e-300), SIDE_BELOW);
  assert_int_equal(apl_side_of(0.0), SIDE_ZERO);
  assert_int_equal(apl_side_of(-0.0), SIDE_ZERO);

  /* a number knows its distance, the marker only its side */
  event_place p = apl_place_of(-2.5);
  assert_true(p.side == SIDE_BELOW && p.by == SIDE_BY_VALUE);
  CHECK_NEAR(p.g, -2.5, 0);
  p = apl_place_of(APL_SIDE_ONLY);
  assert_true(p.side == SIDE_ABOVE && p.by == SIDE_BY_MEMORY);
  p = apl_place_of(-APL_SIDE_ONLY);
  assert_true(p.side == SIDE_BELOW && p.by == SIDE_BY_MEMORY);
  p = apl_place_of(0.0);
  assert_true(p.side == SIDE_ZERO && p.by == SIDE_BY_VALUE);
}

/* -------------------------------------------------------------------------------- soft row ---- */

/* A linear law F = K D - b u: the row is exact at any velocity, u + shift + c P = 0 with
   P = h (K (D - h u) - b u). */
static void soft_rows(void** state) {
  (void)state;
  const normal_numbers N = {.K = 1e4, .n = 1, .c = 0, .b = 50};
  const soft_step step = {.h = 1e-3, .W = 0.5, .free = -0.2, .depth = 2e-3};
  const soft_row r = apl_soft_row(&N, 1, &step, 1e-6);

  CHECK_NEAR(r.k, 1e4, 1e-8);
  CHECK_NEAR(r.softness, 1 / (1e-6 * 1e4 + 1e-3 * 50), 1e-10);
  for (double u = -0.5; u < 0.6; u += 0.25) {
    const double P = step.h * (N.K * (step.depth - step.h * u) - N.b * u);
    CHECK_NEAR(u + r.shift + r.softness * P, 0, 1e-12);
  }

  /* Hertz: at the velocity that the row takes alone, u = free + W P, it has the force of the law */
  const normal_numbers hertz = {.K = 1e6, .n = 1.5, .c = 0, .b = 0};
  const soft_row s = apl_soft_row(&hertz, 1, &step, 1e-6);
  const double u = (step.free - step.W * s.shift / s.softness) / (1 + step.W / s.softness);
  const double P = (u - step.free) / step.W;
  CHECK_NEAR(P, step.h * 1e6 * pow(step.depth - step.h * u, 1.5), 1e-9);

  /* before contact the spring is a secant up to the depth `touch` */
  const soft_step away = {.h = 1e-3, .W = 0.5, .free = 0.1, .depth = -1e-3};
  CHECK_NEAR(apl_soft_row(&hertz, 1, &away, 1e-4).k, 1.5 * 1e6 * sqrt(1e-4), 1e-8);
}

/* ----------------------------------------------------------------------------------- stiff ---- */

/* A checkpoint of `stiff` gives back its order, step and points; an order for which there are too
   few points is refused. */
static void stiff_memory(void** state) {
  enum { N = 2 };
  const double point[2][N] = {{1.0, 2.0}, {3.0, 4.0}};
  stiff_data out = {.order = 1, .wait = 2, .h = 0.125, .mean = {1e-3, 2e-3, 3e-3}, .inside = 2};
  stiff_data in = {.order = 3};
  apl_stepper written = {.t = 0.75, .data = &out}, read = {.t = 0.75, .data = &in};
  double number[256];
  (void)state;

  const int size = apl_stiff_memory_size(N);
  assert_in_range(size, 1, 256);
  CHECK_OK(apl_history_open(&out.past, N));
  CHECK_OK(apl_history_open(&in.past, N));
  apl_history_push(&out.past, 0.5, point[0]);
  apl_history_push(&out.past, 0.75, point[1]);
  apl_store to = apl_store_writer(number, size);
  CHECK_OK(apl_stiff_memory(&written, &to));
  apl_store from = apl_store_reader(number, size);
  CHECK_OK(apl_stiff_memory(&read, &from));
  assert_int_equal(in.order, 1);
  assert_int_equal(in.wait, 2);
  CHECK_NEAR(in.h, 0.125, 0.0);
  CHECK_NEAR(in.mean[2], 3e-3, 0.0);
  assert_int_equal(in.past.count, 2);
  CHECK_NEAR(in.past.t[0], 0.75, 0.0);
  CHECK_NEAR(in.past.y[1][1], 2.0, 0.0);

  number[0] = STIFF_ORDER; /* needs six points */
  from = apl_store_reader(number, size);
  assert_int_equal(apl_stiff_memory(&read, &from), APL_ERR_ARGUMENT);
  assert_string_equal(from.bad, "the number of points");
  apl_history_close(&out.past);
  apl_history_close(&in.past);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stiff_memory), cmocka_unit_test(tableaux),  cmocka_unit_test(stepper),
      cmocka_unit_test(moreau),       cmocka_unit_test(gen_alpha), cmocka_unit_test(sides),
      cmocka_unit_test(soft_rows),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
