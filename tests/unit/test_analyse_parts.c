/* SPDX-License-Identifier: Apache-2.0 */
/* test_analyse_parts.c: analyse/balance.h, linear.h and search.h on a pendulum with a spring, whose
   statics and small motions are known; and run/resume.h, system/loops.h. */
#include "near.h"
#include "systems.h"

#include "analyse/balance.h"
#include "analyse/linear.h"
#include "analyse/search.h"
#include "run/parts.h"
#include "run/resume.h"
#include "system/loops.h"

#include <string.h>

/* m = 2 kg at 0.5 m below the joint, I = 0.7 about its centre, spring 3 N m/rad, damper 0.4. */
static const char ARM[] =
    "appell: 1\ngravity: [0, 0, -10]\nlinks:\n  - name: arm\n"
    "    joint: {type: revolute, axis: y, stiffness: 3, damping: 0.4, friction: 0.1}\n"
    "    body: {mass: 2, com: [0, 0, -0.5], inertia: {xx: 0.7, yy: 0.7, zz: 0.7}}\n";

/* The effort for rest is m g l sin q + k q; its slope m g l cos q + k. */
static void balances(void** state) {
  (void)state;
  rig g = rig_text(ARM, 0);
  apl_state* s = apl_system_state(g.system);
  balance b = {0};
  double x = 0, r, J, D;

  apl_q(s)[0] = 0.3;
  CHECK_OK(apl_balance_open(&b, g.model, s, false));
  assert_int_equal(b.n, 1);
  assert_int_equal(b.nfree, 1);
  CHECK_OK(apl_balance_residual(&b, &x, &r));
  CHECK_NEAR(r, 10 * sin(0.3) + 3 * 0.3, 1e-13);
  x = 0.2;
  CHECK_OK(apl_balance_residual(&b, &x, &r));
  CHECK_NEAR(r, 10 * sin(0.5) + 3 * 0.5, 1e-13);
  CHECK_OK(apl_balance_jacobian(&b, &x, &J));
  CHECK_NEAR(J, 10 * cos(0.5) + 3, 1e-12);
  CHECK_OK(apl_balance_damping(&b, &D));
  CHECK_NEAR(D, 0.4 + 0.1 / 1e-3, 1e-9); /* dry friction over its speed of 1e-3 rad/s */

  CHECK_OK(apl_balance_rebase(&b, &x));
  CHECK_NEAR(x, 0, 0);
  CHECK_NEAR(b.base[0], 0.5, 1e-15);
  CHECK_OK(apl_balance_residual(&b, &x, &r));
  CHECK_NEAR(r, 10 * sin(0.5) + 3 * 0.5, 1e-13);
  CHECK_OK(apl_balance_scale(&b, &r, &J));
  CHECK_TRUE(b.unit[0] > 0 && b.force[0] > 0, "unit %g, force %g", b.unit[0], b.force[0]);
  int worst = -1;
  r = -2 * b.force[0];
  CHECK_NEAR(apl_balance_size(&b, &r, &worst), 2, 1e-15);
  assert_int_equal(worst, 0);

  /* the stiffness in joules, and the energy scale of the search */
  search a = {.b = b, .x = &x};
  double H;
  CHECK_OK(apl_search_stiffness(&a, &H));
  CHECK_NEAR(H, (10 * cos(0.5) + 3) * b.unit[0] * b.unit[0], 1e-12);
  CHECK_NEAR(apl_search_work(&a), b.force[0] * b.unit[0], 0);
  apl_balance_close(&b);
  rig_close(&g);
}

/* At rest q = 0: M = I + m l^2 = 1.2, K = m g l + k = 13, D = 0.4 without dry friction. */
static void linears(void** state) {
  (void)state;
  rig g = rig_text(ARM, 0);
  apl_state* s = apl_system_state(g.system);
  const apl_modes_options o = apl_modes_options_default();
  linear l = {0}, closed;
  apl_error err = {0};

  CHECK_OK(apl_linear_open(&l, g.model, s, &o, &err));
  assert_int_equal(l.n, 1);
  CHECK_NEAR(l.M[0], 1.2, 1e-14);
  CHECK_NEAR(l.K[0], 13, 1e-12);
  CHECK_NEAR(l.D[0], 0.4, 1e-10);
  assert_null(l.Z);
  assert_true(apl_linear_closed(&l, &closed)); /* no loops: the same */
  assert_ptr_equal(closed.M, l.M);
  CHECK_NEAR(apl_q(s)[0], 0, 0); /* the state is left as it was */
  apl_linear_close(&l);

  apl_q(s)[0] = 0.3; /* no equilibrium: the remaining effort is named */
  l = (linear){0};
  assert_int_equal(apl_linear_open(&l, g.model, s, &o, &err), APL_ERR_EQUILIBRIUM);
  assert_non_null(strstr(err.text, "the robot is not in equilibrium"));
  assert_non_null(strstr(err.text, "arm.joint.angle"));
  apl_linear_close(&l);
  rig_close(&g);
}

/* Of a run from 0 with outputs every 0.1 s that has come to 1 s, output 11 is next. */
static void resume(void** state) {
  (void)state;
  apl_run_options o = apl_run_options_default();
  apl_error err = {0};

  o.output_every = 0.1;
  CHECK_OK(apl_resume_check_outputs(&o, 1, 11, &err));
  CHECK_OK(apl_resume_check_outputs(&o, 1, 10, &err)); /* rounding */
  assert_int_equal(apl_resume_check_outputs(&o, 1, 13, &err), APL_ERR_ARGUMENT);
  assert_string_equal(err.text, "the checkpoint is damaged: its number of outputs is 13");
  assert_int_equal(apl_resume_check_outputs(&o, 1, -1, &err), APL_ERR_ARGUMENT);
  o.output_every = 0; /* no period: any number */
  CHECK_OK(apl_resume_check_outputs(&o, 1, 1234, &err));
}

static void loop_words(void** state) {
  (void)state;
  assert_string_equal(apl_loop_method_word(LOOPS_MULTIPLIERS), "multipliers");
  assert_string_equal(apl_loop_method_word(LOOPS_REDUCED), "reduced");
  assert_string_equal(apl_loop_method_word(LOOPS_SPRINGS), "springs");
  assert_null(apl_loop_method_word(LOOP_METHODS));
  assert_null(apl_loop_method_word(-1));
  assert_string_equal(apl_loop_method_word(0), apl_run_options_default().loops.method);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(balances),
      cmocka_unit_test(linears),
      cmocka_unit_test(resume),
      cmocka_unit_test(loop_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
