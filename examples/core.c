/* SPDX-License-Identifier: Apache-2.0 */
/* core.c: a program that stands on the core of the library alone (appell::core, which links libc
   and libm): a robot from the builder, run by an explicit method, an implicit one and by time
   stepping.

   An arm on a hinge carries an elastic strip; a ball falls on the floor beside it. dop853 and stiff
   must agree on the motion before the ball touches; moreau must bring the ball to rest on the
   floor.

   usage: appell-core-example */
#include <appell/run.h>

#include <math.h>
#include <stdio.h>

static const double RADIUS = 0.1; /* of the ball [m] */

static void arm_with_strip(apl_spec* spec) {
  static const double inertia[6] = {0.01, 0.01, 0.001};
  const int arm = apl_spec_link(spec, "arm", "world", "revolute", "rigid");

  apl_spec_place(spec, arm, apl_pose_at(0, 0, 2));
  apl_spec_vec3(spec, arm, "joint.axis", 0, 1, 0);
  apl_spec_number(spec, arm, "joint.rest", 2.0);
  apl_spec_number(spec, arm, "body.mass", 0.5);
  apl_spec_vec3(spec, arm, "body.com", 0, 0, 0.2);
  apl_spec_put(spec, arm, "body.inertia", inertia, 6);
  apl_spec_port(spec, arm, "tip", 0, apl_pose_at(0, 0, 0.4));

  const int strip = apl_spec_link(spec, "strip", "arm.tip", "fixed", "beam");
  apl_spec_number(spec, strip, "body.length", 0.8);
  apl_spec_number(spec, strip, "body.width", 6e-3);
  apl_spec_number(spec, strip, "body.height", 20e-3);
  apl_spec_number(spec, strip, "body.density", 2700);
  apl_spec_number(spec, strip, "body.young-modulus", 70e9);
  apl_spec_number(spec, strip, "body.shear-modulus", 26e9);
  apl_spec_number(spec, strip, "body.modes", 2);
}

static void ball_and_floor(apl_spec* spec) {
  const int ball = apl_spec_link(spec, "ball", "world", "prismatic", "rigid");
  apl_surface floor = apl_surface_default();

  apl_spec_place(spec, ball, apl_pose_at(0, 1, 0));
  apl_spec_vec3(spec, ball, "joint.axis", 0, 0, 1);
  apl_spec_number(spec, ball, "joint.rest", 0.5);
  apl_spec_number(spec, ball, "body.mass", 0.3);
  floor.law = "restitution";
  floor.restitution = 0.5;
  floor.rest_speed = 0.01;
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "ball.root", "floor", RADIUS);
}

/* The coordinates q at the time `to`; NAN and a sentence when the run fails. */
static void run(const apl_model* model, const char* method, double to, double* q) {
  apl_run_options o = apl_run_options_default();
  apl_run_report report = {0};
  apl_system* system = NULL;
  apl_error err = {0};

  o.method = method;
  o.to = to;
  o.step = 1e-3; /* of moreau */
  apl_status st = apl_system_new(model, &system, &err);
  if (st == APL_OK) st = apl_run(system, &o, &report, &err);
  for (int i = 0; i < apl_model_nq(model); ++i)
    q[i] = st == APL_OK ? apl_q(apl_system_state(system))[i] : (double)NAN;
  if (st == APL_OK) {
    printf("%-7s %g s: arm %.9f rad, ball %.6f m, energy error %.1e\n", method, report.t, q[0],
           q[apl_model_nq(model) - 1], report.relative);
  } else {
    printf("%-7s %s\n", method, err.text);
  }
  apl_system_free(system);
}

/* Comparisons with NAN are false. */
static int check(const char* what, int fine) {
  if (!fine) fprintf(stderr, "core: %s\n", what);
  return fine ? 0 : 1;
}

int main(void) {
  enum { NQ = 4 }; /* angle of the arm, two deflections of the strip, height of the ball */
  double explicit[NQ], implicit[NQ], stepped[NQ], none[NQ];
  apl_spec* spec = NULL;
  apl_model* model = NULL;
  apl_error err = {0};
  int bad = 0;

  if (apl_spec_new(&spec) != APL_OK) return check("out of memory", 0);
  arm_with_strip(spec);
  ball_and_floor(spec);
  if (apl_model_new(spec, &model, &err) != APL_OK || apl_model_nq(model) != NQ) {
    apl_spec_free(spec);
    return check(err.text, 0);
  }
  run(model, "dop853", 0.2, explicit);
  run(model, "stiff", 0.2, implicit);
  run(model, "moreau", 3.0, stepped);
  run(model, "adams", 0.2, none);
  for (int i = 0; i < NQ; ++i)
    bad |= check("dop853 and stiff differ", fabs(explicit[i] - implicit[i]) < 1e-5);
  bad |= check("the ball did not fall freely",
               fabs(explicit[NQ - 1] - (0.5 - 0.5 * 9.81 * 0.2 * 0.2)) < 1e-9);
  bad |= check("the ball does not rest on the floor", fabs(stepped[NQ - 1] - RADIUS) < 1e-3);
  bad |= check("adams needs SUNDIALS and must be refused", isnan(none[0]));
  apl_model_free(model);
  apl_spec_free(spec);
  return bad;
}
