/* SPDX-License-Identifier: Apache-2.0 */
/* test_system_parts.c: system/equations.h, implicit.h, kind.h and parts.h on robots whose equations
   fit on a line. */
#include "near.h"
#include "systems.h"

#include "step/steppers.h"
#include "system/equations.h"
#include "system/implicit.h"
#include "system/kind.h"
#include "system/parts.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <string.h>

/* ------------------------------------------------------------------------------- equations ---- */

/* y0' = -k (y0 - cos t), which decays fast to nearly cos t; y1' = y0 is integrated along. */
typedef struct decay {
  double k;
  int opened, begun, iterated, finished;
  double worst; /* largest residual of y = psi + c y' where a step was called solved */
} decay;

static apl_status decay_rate(double t, const double* y, double* rate, void* context) {
  const decay* d = context;
  rate[0] = -d->k * (y[0] - cos(t));
  rate[1] = y[0];
  return APL_OK;
}

static apl_status decay_open(void* context, apl_error* err) {
  (void)err;
  ((decay*)context)->opened += 1;
  return APL_OK;
}

static apl_status decay_begin(double t, double c, const double* psi, double* y, void* context) {
  (void)t, (void)c, (void)psi, (void)y;
  ((decay*)context)->begun += 1;
  return APL_OK;
}

/* The equation is linear: y = (psi + c k cos t) / (1 + c k). */
static apl_status decay_iterate(double t, double c, const double* psi, double* y, void* context) {
  decay* d = context;
  y[0] = (psi[0] + c * d->k * cos(t)) / (1 + c * d->k);
  d->iterated += 1;
  return APL_OK;
}

static apl_status decay_finish(double t, double c, const double* psi, const double* y, double* rate,
                               void* context) {
  decay* d = context;
  const apl_status st = decay_rate(t, y, rate, context);
  d->worst = fmax(d->worst, fabs(y[0] - psi[0] - c * rate[0]));
  d->finished += 1;
  return st;
}

/* `stiff` needs nothing but these functions: the exact solution is
     y0 = (k^2 cos t + k sin t) / (1 + k^2) + C exp(-k t),   y1 its integral.
   An explicit method would need steps below 2/k. */
static void equations(void** state) {
  (void)state;
  decay d = {.k = 1e6};
  const apl_implicit ways = {
      .open = decay_open, .begin = decay_begin, .iterate = decay_iterate, .finish = decay_finish};
  const apl_stepper_options o = {
      .method = "stiff", .n = 2, .n_error = 1, .tolerance = 1e-7, .implicit = &ways};
  const double start[2] = {1, 0}, k = d.k, end = 2;
  double y[2] = {0}, t = 0;
  apl_stepper* s;
  apl_error err = {0};

  CHECK_OK(apl_stepper_new(&o, decay_rate, &d, &s, &err));
  CHECK_OK(apl_stepper_restart(s, 0, start));
  while (t < end)
    CHECK_OK(apl_stepper_step(s, end, &t, y));
  /* C exp(-k t) is gone; its integral, C/k, is below 1e-12 */
  CHECK_NEAR(y[0], (k * k * cos(t) + k * sin(t)) / (1 + k * k), 1e-6);
  CHECK_NEAR(y[1], (k * k * sin(t) + k * (1 - cos(t))) / (1 + k * k), 1e-5);
  assert_int_equal(d.opened, 1);
  CHECK_TRUE(d.begun > 0 && d.iterated >= d.begun && d.finished > 0, "%d begun, %d, %d finished",
             d.begun, d.iterated, d.finished);
  CHECK_TRUE(d.begun < 10000, "%d steps of a motion that takes a second", d.begun);
  CHECK_NEAR(d.worst, 0, 1e-9); /* k times the rounding of y */
  apl_stepper_free(s);
}

/* -------------------------------------------------------------------------------- implicit ---- */

/* Two sliders on one rail, with a spring and a damper each, and an elastic tendon between them
   that is stretched by 0.3 m. */
static const char RAIL[] =
    "appell: 1\ngravity: [0, 0, 0]\nlinks:\n"
    "  - {name: a, joint: {type: prismatic, axis: x, stiffness: 30, damping: 2}, body: {mass: 3}, "
    "ports: {eye: {at: [0, 0, 0]}}}\n"
    "  - {name: b, at: [1, 0, 0], joint: {type: prismatic, axis: x, stiffness: 50, damping: 4}, "
    "body: {mass: 5}, ports: {eye: {at: [0, 0, 0]}}}\n"
    "tendons: {t: {path: [{port: a.eye}, {port: b.eye}], stiffness: 700 N/m, damping: 6 N s/m, "
    "rest-length: 0.7 m}}\n";
static const double MASS[2] = {3, 5}, SPRING[2] = {30, 50}, DAMPER[2] = {2, 4};
static const double TENDON_K = 700, TENDON_D = 6, STRETCH = 0.3;

/* m (v - psi_v) / c = -k q - d v +- T,  q = psi_q + c v,  T = K (STRETCH + q_b - q_a) + D (v_b -
   v_a): two equations for the two velocities, solved by Cramer. */
static void solve_rail(double c, const double* psi, bool held, double v[2]) {
  const double s = c * TENDON_D + c * c * TENDON_K;
  const double T0 = TENDON_K * (STRETCH + psi[1] - psi[0]);
  double W[2], r[2];

  for (int i = 0; i < 2; ++i) {
    W[i] = MASS[i] + c * DAMPER[i] + c * c * SPRING[i];
    r[i] = MASS[i] * psi[2 + i] - c * SPRING[i] * psi[i] + (i == 0 ? c * T0 : -c * T0);
  }
  const double A = W[0] + s, D = W[1] + s, det = A * D - s * s;
  v[0] = held ? 0 : (r[0] * D + s * r[1]) / det;
  v[1] = held ? r[1] / D : (A * r[1] + s * r[0]) / det;
}

/* The equations are linear, so one iteration of Newton solves the step. */
static void implicit_step(void** state) {
  (void)state;
  const double c = 0.05;
  for (int held = 0; held < 2; ++held) {
    rig g = rig_text(RAIL, 0);
    apl_system* s = g.system;
    apl_error err = {0};
    double psi[64] = {0.02, -0.01, 0.4, -0.3}, y[64], rate[64], want[2];
    near_context("%s", held ? "slider a is held" : "both sliders are free");

    if (held) {
      psi[2] = 0;
      CHECK_OK(apl_system_hold(s, 0, true, &err));
    }
    CHECK_OK(apl_system_implicit.open(s, &err));
    memcpy(y, psi, sizeof y);
    CHECK_OK(apl_system_implicit.begin(0, c, psi, y, s));
    assert_int_equal(s->implicit.most, 1 + held); /* the tendon, and the hold */
    assert_int_equal(s->implicit.n, 1 + held);
    const system_implicit* w = &s->implicit;
    if (held) CHECK_NEAR(w->soft[0], 0, 0); /* hard rows are first */
    CHECK_NEAR(w->soft[held], 1 / (c * TENDON_D + c * c * TENDON_K), 1e-15);
    CHECK_NEAR(fabs(w->J[2 * held]), 1, 1e-14); /* its length changes with each slider */
    CHECK_NEAR(w->J[2 * held] + w->J[2 * held + 1], 0, 1e-14);
    /* X = W^-1 J^T of the tendon, without the rows themselves */
    for (int i = 0; i < 2; ++i)
      CHECK_NEAR(w->X[2 * held + i] * (MASS[i] + c * DAMPER[i] + c * c * SPRING[i]),
                 w->J[2 * held + i], 1e-14);
    CHECK_OK(apl_system_implicit.iterate(0, c, psi, y, s));
    solve_rail(c, psi, held, want);
    CHECK_NEAR(y[2], want[0], 1e-13);
    CHECK_NEAR(y[3], want[1], 1e-13);
    CHECK_NEAR(y[0], psi[0] + c * want[0], 1e-13);
    /* what was solved is y = psi + c y', by the rates that explicit methods use */
    CHECK_OK(apl_system_rate(0, y, rate, s));
    for (int i = 0; i < 4; ++i)
      CHECK_NEAR(y[i], psi[i] + c * rate[i], 1e-12);
    rig_close(&g);
  }
  near_context("%s", "");
}

/* Rows come one behind the other, and room grows with the couplings that may act. */
static void implicit_rows(void** state) {
  (void)state;
  rig g = rig_text(RAIL, 0);
  apl_system* s = g.system;
  apl_error err = {0};

  CHECK_OK(apl_implicit_reserve(s));
  assert_int_equal(s->implicit.most, 1);
  void* before = s->implicit.memory;
  CHECK_OK(apl_implicit_reserve(s));
  assert_ptr_equal(s->implicit.memory, before);
  CHECK_OK(apl_system_hold(s, 0, true, &err));
  CHECK_OK(apl_system_hold(s, 1, true, &err));
  CHECK_OK(apl_implicit_reserve(s));
  assert_int_equal(s->implicit.most, 3);

  assert_int_equal(apl_implicit_add(&s->implicit, 0.25), 0);
  assert_int_equal(apl_implicit_add(&s->implicit, 0), 1);
  assert_int_equal(s->implicit.n, 2);
  CHECK_NEAR(s->implicit.soft[0], 0.25, 0);
  CHECK_NEAR(s->implicit.soft[1], 0, 0);
  assert_int_equal(s->implicit.row[1].of, -1);

  /* both sliders are held: dv = W^-1 r is taken back as a whole */
  double psi[64] = {0}, y[64] = {0}, dv[2] = {0.7, -0.2};
  CHECK_OK(apl_system_implicit.open(s, &err));
  CHECK_OK(apl_system_implicit.begin(0, 0.1, psi, y, s));
  CHECK_OK(apl_implicit_rows(s, 0.1, psi + 4));
  assert_int_equal(s->implicit.n, 3);
  CHECK_OK(apl_implicit_correct(s, 0.1, dv));
  CHECK_NEAR(dv[0], 0, 1e-15);
  CHECK_NEAR(dv[1], 0, 1e-15);

  apl_implicit_free(s); /* and it can be opened again */
  s->implicit = (system_implicit){0};
  CHECK_OK(apl_system_implicit.open(s, &err));
  CHECK_OK(apl_implicit_reserve(s));
  assert_int_equal(s->implicit.most, 3);
  rig_close(&g);
}

/* ------------------------------------------------------------------------------------ kind ---- */

/* Point masses: 2 kg at the elbow, 3 kg at the end; 1 m and 0.5 m long, in the plane of x and z.
   Turning about -y, so that angles go from x to z. */
static const char ARM[] =
    "appell: 1\ngravity: [0, 0, -10]\nlinks:\n"
    "  - {name: upper, joint: {type: revolute, axis: -y}, body: {mass: 2, com: [1, 0, 0]}, "
    "ports: {elbow: {at: [1, 0, 0]}}}\n"
    "  - {name: lower, on: upper.elbow, joint: {type: revolute, axis: -y}, body: {mass: 3, com: "
    "[0.5, 0, 0]}}\n";

/* With the elbow held the arm is one body: I alpha = -sum m g x. The elbow carries the moment of
   what the end mass needs beyond its weight. */
static void held_arm(void** state) {
  (void)state;
  rig g = rig_text(ARM, 0);
  apl_system* s = g.system;
  const double q[2] = {0.3, 0.9}, w = 1.2;
  const double ex = cos(q[0]), ez = sin(q[0]), rx = 0.5 * cos(q[0] + q[1]),
               rz = 0.5 * sin(q[0] + q[1]);
  const double px = ex + rx, pz = ez + rz;
  const double I = 2 + 3 * (px * px + pz * pz), alpha = -10 * (2 * ex + 3 * px) / I;
  const double fx = 3 * (-alpha * pz - w * w * px), fz = 3 * (alpha * px - w * w * pz + 10);
  apl_error err = {0};

  memcpy(apl_q(s->state), q, sizeof q);
  apl_v(s->state)[0] = w;
  CHECK_OK(apl_system_hold(s, 1, true, &err));
  coupling_pass p = {.level = LEVEL_ACCELERATION};
  CHECK_OK(apl_couplings_forward(s, &p));
  CHECK_NEAR(apl_a(s->state)[0], alpha, 1e-13);
  CHECK_NEAR(apl_a(s->state)[1], 0, 0);
  CHECK_NEAR(s->holds.effort[0], rx * fz - rz * fx, 1e-12);
  CHECK_NEAR(apl_tau(s->state)[1], 0, 0); /* efforts of the caller come back */
  assert_false(p.alone);
  rig_close(&g);
}

/* Which kinds a robot has, and where their rows stand. */
static void lists(void** state) {
  (void)state;
  rig g = rig_load(APPELL_TEST_DATA "/../../models/five-bar.yaml", APL_READY);
  apl_system* s = g.system;
  apl_error err = {0};
  coupling_pass p = {.level = LEVEL_ACCELERATION};

  assert_int_equal(s->kinds.n, 2);
  assert_int_equal(s->kinds.list[0], KIND_hold);
  assert_int_equal(s->kinds.list[1], KIND_loop);
  assert_int_equal(apl_couplings_most(s), 4 + 2); /* four velocities, a planar loop */
  assert_int_equal(apl_couplings_count(s, &p), 2);
  CHECK_OK(apl_system_loops(s, 0, NULL, &err));
  CHECK_OK(apl_system_hold(s, 2, true, &err));
  assert_int_equal(apl_couplings_span(s, &p), 3);
  assert_int_equal(s->kinds.span[KIND_hold].first, 0);
  assert_int_equal(s->kinds.span[KIND_hold].n, 1);
  assert_int_equal(s->kinds.span[KIND_loop].first, 1);
  assert_int_equal(s->kinds.span[KIND_loop].n, 2);
  assert_true(apl_couplings_solved(s));   /* the solver finds their forces ... */
  assert_true(apl_couplings_unbooked(s)); /* ... which may come from outside */
  assert_false(apl_couplings_by_passes(s));
  assert_int_equal(apl_couplings_limited(s), 0);
  CHECK_OK(apl_couplings_forward(s, &p));
  assert_int_equal(s->rows.n, 3); /* as counted */
  CHECK_NEAR(apl_a(s->state)[2], 0, 0);
  for (int i = 0; i < 3; ++i) /* no row accelerates */
    CHECK_NEAR(s->rows.u[i], 0, 1e-9);
  rig_close(&g);

  g = rig_text(RAIL, 0);
  s = g.system;
  assert_int_equal(s->kinds.n, 2);
  assert_int_equal(s->kinds.list[1], KIND_tendon);
  assert_int_equal(apl_couplings_count(s, &p), 0); /* a force of the passes ... */
  p.level = LEVEL_STEP;
  assert_int_equal(apl_couplings_count(s, &p), 1); /* ... and a row in time steps */
  assert_false(apl_couplings_solved(s));
  assert_false(apl_couplings_drift(s));
  rig_close(&g);
}

static void small_parts(void** state) {
  (void)state;
  coupling_pass p = {.stiffest = 0.5, .stiffest_of = 7};
  apl_pass_stiff(&p, 0.4, 1);
  assert_int_equal(p.stiffest_of, 7);
  apl_pass_stiff(&p, NEAR_NAN, 2);
  assert_int_equal(p.stiffest_of, 7);
  apl_pass_stiff(&p, 0.6, -3);
  assert_int_equal(p.stiffest_of, -3);
  CHECK_NEAR(p.stiffest, 0.6, 0);

  /* an impulse along z at (2, 3, 5) has the moment (3, -2, 0) */
  double to[6] = {1, 1, 1, 1, 1, 1};
  apl_add_moment((double[]){2, 3, 5}, (double[]){0, 0, 1}, to);
  CHECK_ARRAY(to, ((double[]){4, -1, 1, 1, 1, 2}), 6, 0, 0);
  double none[6] = {0}; /* along its own place: no moment */
  apl_add_moment((double[]){2, 3, 5}, (double[]){4, 6, 10}, none);
  CHECK_ARRAY(none, ((double[]){0, 0, 0, 4, 6, 10}), 6, 0, 0);
}

/* ----------------------------------------------------------------------------------- parts ---- */

/* A signal is evaluated once at a time: value, rate and second rate are kept until another time, or
   until signals are forgotten. */
static void heard_once(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\nlinks:\n  - {name: a, joint: {type: revolute, axis: z}, body: {mass: 1, inertia: "
      "{zz: 1}}}\n"
      "inputs: {m: {on: a.joint.angle, value: {sine: {amplitude: 3, frequency: 0.5}}}}\n";
  rig g = rig_text(text, APL_READY);
  system_drives* d = &g.system->drives;
  const double w = 3.14159265358979323846, t = 0.3;

  apl_system_drive(g.system, t);
  CHECK_NEAR(d->heard_input.t, t, 0);
  CHECK_NEAR(d->heard_input.x[0], 3 * sin(w * t), 1e-14);
  CHECK_NEAR(d->heard_input.x[1], 3 * w * cos(w * t), 1e-13);
  CHECK_NEAR(d->heard_input.x[2], -3 * w * w * sin(w * t), 1e-12);
  CHECK_NEAR(apl_u(g.system->state)[0], 3 * sin(w * t), 1e-14);
  d->heard_input.x[0] = 7; /* what was heard, and not the signal */
  apl_system_drive(g.system, t);
  CHECK_NEAR(apl_u(g.system->state)[0], 7, 0);
  const long revision = g.system->revision;
  apl_system_forget_signals(g.system);
  assert_int_equal(g.system->revision, revision + 1);
  apl_system_drive(g.system, t);
  CHECK_NEAR(apl_u(g.system->state)[0], 3 * sin(w * t), 1e-14);
  rig_close(&g);
}

/* y = [q, v, bristles, sums, angles, impulses, ledger], and what its parts have is found there. */
static void order_of_y(void** state) {
  (void)state;
  static const char text[] =
      "appell: 1\ngravity: [0, 0, -10]\n"
      "grounds: {floor: {normal: z, law: {normal: hunt-crossley, stiffness: 1e5, restitution: "
      "0.5}, "
      "friction: {law: lugre, coefficient: 0.3, stiction: 0.4, stribeck-speed: 0.05, "
      "bristle-stiffness: 400, bristle-damping: 2}}}\n"
      "contacts: [{on: arm.tip}]\nlinks:\n"
      "  - name: base\n"
      "    joint: {type: differential-drive, wheel-radius: 80 mm, half-track: 145 mm}\n"
      "    body: {mass: 6, inertia: {zz: 0.06}}\n    ports: {mount: {at: [0.2, 0, 0.3]}}\n"
      "  - name: arm\n    on: base.mount\n"
      "    joint: {type: revolute, axis: y, servo: {stiffness: 20, damping: 2, integral: 5}}\n"
      "    body: {mass: 2, com: [0.5, 0, 0], inertia: {xx: 0.01, yy: 0.1, zz: 0.1}}\n"
      "    ports: {tip: {at: [1, 0, 0]}}\n";
  rig g = rig_text(text, 0);
  apl_system* s = g.system;
  double y[80];

  const int n = apl_system_size(s), at = s->nq + s->nv;
  assert_int_equal(s->drives.nintegral, 1);
  assert_int_equal(s->nz, 2 + 1); /* bristles of a contact, the sum of a servo */
  assert_int_equal(s->nsat, 2);   /* wheels */
  assert_int_equal(n, at + 3 + 2 + 1 + NLEDGER);
  assert_ptr_equal(s->along.impulse, s->along.angle + s->nsat);
  assert_true(n <= (int)(sizeof y / sizeof *y));

  for (int i = 0; i < s->nq; ++i)
    apl_q(s->state)[i] = 1 + i;
  for (int i = 0; i < s->nv; ++i)
    apl_v(s->state)[i] = 101 + i;
  apl_state_contact(s->state, 0)->z[0] = 201, apl_state_contact(s->state, 0)->z[1] = 202;
  *apl_system_sum(s, 0) = 203;
  s->along.angle[0] = 301, s->along.angle[1] = 302, s->along.impulse[0] = 303;
  for (int i = 0; i < NLEDGER; ++i)
    s->ledger.account[i] = 400 + i;
  apl_system_pack(s, y);
  for (int i = 0; i < s->nq; ++i)
    CHECK_NEAR(y[i], 1 + i, 0);
  for (int i = 0; i < s->nv; ++i)
    CHECK_NEAR(y[s->nq + i], 101 + i, 0);
  const double behind[6] = {201, 202, 203, 301, 302, 303};
  CHECK_ARRAY(y + at, behind, 6, 0, 0);
  assert_int_equal(apl_system_ledger_at(s), at + 6);

  /* the ledger is sorted: each account once, those that can change first */
  bool seen[NLEDGER] = {false};
  apl_system_activate(s, false, false);
  CHECK_TRUE(s->ledger.nactive > 0 && s->ledger.nactive < NLEDGER, "%d accounts can change",
             s->ledger.nactive);
  apl_system_pack(s, y);
  for (int i = 0; i < NLEDGER; ++i) {
    const int account = s->ledger.order[i];
    assert_in_range(account, 0, NLEDGER - 1);
    assert_false(seen[account]);
    seen[account] = true;
    CHECK_NEAR(y[at + 6 + i], 400 + account, 0);
  }
  assert_int_equal(apl_system_active_size(s), at + 6 + s->ledger.nactive);
  rig_close(&g);
}

/* Holds are counted, and so are their changes. Contacts that can rest or stick are known. */
static void holds_and_contacts(void** state) {
  (void)state;
  rig g = rig_text(ARM, 0);
  system_holds* h = &g.system->holds;
  apl_error err = {0};

  const long before = g.system->kinds.switched;
  CHECK_OK(apl_system_hold(g.system, 1, true, &err));
  CHECK_OK(apl_system_hold(g.system, 0, true, &err));
  assert_int_equal(h->n, 2);
  assert_int_equal(g.system->kinds.switched, before + 2);
  CHECK_OK(apl_system_hold(g.system, 1, true, &err)); /* it is held already */
  assert_int_equal(h->n, 2);
  CHECK_OK(apl_system_hold(g.system, 1, false, &err));
  assert_int_equal(h->n, 1);
  assert_int_equal(h->velocity[0], 0);
  assert_false(g.system->contacts.may_hold);
  rig_close(&g);

  static const struct {
    const char* law;
    bool holds;
  } ground[] = {{"{normal: hunt-crossley, stiffness: 1e5, restitution: 0.5}", false},
                {"{normal: hunt-crossley, stiffness: 1e5, restitution: 0.5}, friction: {law: "
                 "karnopp, coefficient: 0.3, v0: 1e-3 m/s}",
                 true},
                {"{normal: restitution, restitution: 0.5}", true}};
  for (size_t i = 0; i < sizeof ground / sizeof *ground; ++i) {
    char text[600];
    near_context("%s", ground[i].law);
    (void)snprintf(text, sizeof text,
                   "appell: 1\ngrounds: {floor: {normal: z, law: %s}}\ncontacts: [{on: a.root}]\n"
                   "links:\n  - {name: a, joint: {type: prismatic, axis: z}, body: {mass: 1}}\n",
                   ground[i].law);
    g = rig_text(text, 0);
    assert_int_equal(g.system->contacts.may_hold, ground[i].holds);
    rig_close(&g);
  }
  near_context("%s", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations),
      cmocka_unit_test(implicit_step),
      cmocka_unit_test(implicit_rows),
      cmocka_unit_test(held_arm),
      cmocka_unit_test(lists),
      cmocka_unit_test(small_parts),
      cmocka_unit_test(heard_once),
      cmocka_unit_test(order_of_y),
      cmocka_unit_test(holds_and_contacts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
