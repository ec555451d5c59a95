/* SPDX-License-Identifier: Apache-2.0 */
/* parts.c: the parts of a robot that the other examples do not have, in one program: a closed loop,
   tendons, a ball on the ground, signals as inputs and as prescribed motion, a velocity that is
   held, and a result that is written, read again and summed up.

   usage: appell-parts RESULT.h5 */
#include <appell/appell.h>

#include <stdio.h>
#include <stdlib.h>

/* A link of one mass, that reaches from its joint along x. */
static int rod(apl_spec* spec, const char* name, const char* on, double length) {
  const int link = apl_spec_link(spec, name, on, "revolute", "rigid");
  static const double inertia[6] = {0.01, 0.01, 0.01};

  apl_spec_vec3(spec, link, "joint.axis", 0, 1, 0);
  apl_spec_number(spec, link, "body.mass", 1);
  apl_spec_vec3(spec, link, "body.com", length / 2, 0, 0);
  apl_spec_put(spec, link, "body.inertia", inertia, 6);
  apl_spec_port(spec, link, "tip", 0, apl_pose_at(length, 0, 0));
  return link;
}

/* Four bars: a crank whose motion is prescribed, a coupler and a rocker that meet in a loop. */
static void four_bars(apl_spec* spec) {
  const int crank = rod(spec, "crank", "world", 0.2);
  rod(spec, "coupler", "crank.tip", 0.5);
  const int rocker = rod(spec, "rocker", "world", 0.4);

  apl_spec_prescribe(spec, crank, true, false);
  apl_spec_place(spec, rocker, (apl_pose){{0.5, 0, 0}, apl_quat_rpy(0, -1.5, 0)});

  apl_closure pin = apl_closure_default();
  pin.name = "pin";
  pin.from = "coupler.tip";
  pin.to = "rocker.tip";
  pin.type = "planar-point";
  pin.axis = (apl_vec3){0, 1, 0};
  apl_spec_loop(spec, &pin);
}

/* A soft arm that two tendons bend: one pulled by an input, one a spring to a hook. */
static void soft_arm(apl_spec* spec) {
  const int arm = apl_spec_link(spec, "arm", "world", "fixed", "arc");

  apl_spec_place(spec, arm, apl_pose_at(0, 2, 1));
  apl_spec_number(spec, arm, "body.length", 0.3);
  apl_spec_number(spec, arm, "body.mass-per-length", 0.2);
  apl_spec_number(spec, arm, "body.bending-stiffness", 0.05);
  apl_spec_number(spec, arm, "body.rotary-inertia", 5e-6);
  apl_spec_word(spec, arm, "body.strains", "bend-y");

  const int pulled = apl_spec_tendon(spec, "pulled");
  apl_spec_tendon_along(spec, pulled, "arm", 0.02, 0, 0, 1, 0);
  apl_spec_input(spec, "pull", "pulled", 1);

  const int hook = apl_spec_link(spec, "hook", "world", "fixed", "rigid");
  apl_spec_number(spec, hook, "body.mass", 1);
  apl_spec_place(spec, hook, apl_pose_at(-0.2, 2, 1.2));
  const int spring = apl_spec_tendon(spec, "spring");
  apl_spec_tendon_port(spec, spring, "hook.root");
  apl_spec_tendon_port(spec, spring, "arm.tip");
  apl_spec_tendon_spring(spec, spring, 1, 0.1);
}

/* A ball that falls on the floor. */
static void ball(apl_spec* spec) {
  const int ball = apl_spec_link(spec, "ball", "world", "prismatic", "rigid");
  apl_surface floor = apl_surface_default();

  apl_spec_vec3(spec, ball, "joint.axis", 0, 0, 1);
  apl_spec_number(spec, ball, "joint.rest", 0.5);
  apl_spec_number(spec, ball, "body.mass", 0.3);
  floor.law = "hunt-crossley";
  floor.stiffness = 1e5;
  floor.restitution = 0.7;
  apl_spec_ground(spec, "floor", &floor);
  apl_spec_contact(spec, "ball.root", "floor", 0.1);
}

/* The crank turns by 0.3 rad/s and swings about that; the tendon is pulled in steps. */
static apl_status drive(const apl_model* model, apl_system* system, apl_error* err) {
  static const double time[] = {0, 0.2, 0.4}, force[] = {0, 0.5, 1};
  apl_signal *part[2] = {NULL, NULL}, *turn = NULL, *pull = NULL, *still = NULL;
  double y[3];

  apl_status st = apl_signal_expression("0.3 * t", &part[0], err);
  if (st == APL_OK) st = apl_signal_sine(0, 0.1, 1, 0, &part[1], err);
  if (st == APL_OK) st = apl_signal_sum(2, part, &turn, err);
  if (st == APL_OK) {
    const int crank = apl_model_find(model, APL_COORDINATES, "crank.joint.angle");
    apl_signal_eval(turn, 0, y);
    apl_q(apl_system_state(system))[crank] = y[0];
    st = apl_system_motion(system, crank, turn, err);
  }
  if (st == APL_OK) st = apl_signal_points("blend", 3, time, force, &pull, err);
  if (st == APL_OK)
    st = apl_system_input(system, apl_model_find(model, APL_INPUTS, "pull"), pull, err);

  /* a signal that no system has taken is its maker's */
  if (st == APL_OK) st = apl_signal_constant(1, &still, err);
  apl_signal_free(still);
  return st;
}

/* Until 0.1 s the ball is held where it is; nobody waits for it beyond 10 s. */
static void watch(double t, apl_system* system, void* user) {
  const int ball = *(const int*)user;

  if (t >= 0.1 && apl_system_held(system, ball) != 0) apl_system_hold(system, ball, false, NULL);
  if (t > 10) apl_system_stop(system, "the ball has been watched for 10 s");
}

static int report(const char* path) {
  apl_result* result;
  apl_error err;
  double last = 0.0;

  if (apl_result_open(path, &result, &err) != APL_OK) return fputs(err.text, stderr), 1;
  const int rows = apl_result_rows(result), n = apl_result_channels(result);
  const int height = apl_result_find(result, "ball.joint.position");
  double* row = malloc(sizeof *row * (size_t)n);
  double* column = malloc(sizeof *column * (size_t)rows);
  const bool read = row != NULL && column != NULL &&
                    apl_result_read(result, rows - 1, 1, row, &err) == APL_OK &&
                    apl_result_column(result, height, column, &err) == APL_OK;

  if (read) {
    last = column[rows - 1];
    printf("%s: %d rows of %d channels; %s is %g %s in the last\n",
           apl_result_text(result, APL_RESULT_STATUS), rows, n,
           apl_result_channel(result, height)->name, row[height],
           apl_result_channel(result, height)->unit);
    for (int i = 0; i < apl_result_events(result); ++i)
      printf("  %.4f s  %s\n", apl_result_event(result, i)->t, apl_result_event(result, i)->name);
    for (int i = 0; i < apl_result_summaries(result); ++i)
      printf("  %s %g %s\n", apl_result_summary(result, i)->key,
             apl_result_summary(result, i)->value, apl_result_summary(result, i)->text);
  }
  free(row), free(column);
  apl_result_free(result);
  return read && last > 0 ? 0 : 1;
}

int main(int argc, char** argv) {
  const char* path = argc > 1 ? argv[1] : "parts.h5";
  apl_spec* spec;
  apl_model* model = NULL;
  apl_system* system = NULL;
  apl_recorder* recorder = NULL;
  apl_error err = {0};

  if (apl_spec_new(&spec) != APL_OK) return 1;
  four_bars(spec);
  soft_arm(spec);
  ball(spec);
  if (apl_spec_error(spec)->status != APL_OK) fprintf(stderr, "%s\n", apl_spec_error(spec)->text);
  apl_status st = apl_model_new(spec, &model, &err);
  apl_spec_free(spec);
  if (st == APL_OK) st = apl_system_new(model, &system, &err);
  if (st == APL_OK) st = drive(model, system, &err);
  if (st == APL_OK) {
    int held = apl_model_find(model, APL_VELOCITIES, "ball.joint.position");
    apl_run_options run = apl_run_options_default();
    apl_recorder_options out = apl_recorder_options_default();

    apl_load(model, apl_system_state(system), apl_model_find(model, APL_PORTS, "ball.root"),
             APL_WORLD_AXES, (apl_wrench){.force = {0, 0, -0.1}});
    run.control = watch;
    run.control_every = 0.05;
    run.user = &held;
    out.result = path;
    st = apl_system_hold(system, held, true, &err);
    if (st == APL_OK) st = apl_recorder_new(NULL, system, &run, &out, &recorder, &err);
    if (st == APL_OK) st = apl_recorder_run(recorder, NULL, &err);
  }
  if (st != APL_OK) fprintf(stderr, "appell-parts: %s\n", err.text);
  apl_recorder_free(recorder);
  apl_system_free(system);
  apl_model_free(model);
  return st == APL_OK ? report(path) : 1;
}
