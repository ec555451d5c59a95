/* car_rear.c: a car or bicycle described by the speed of its rear axle, the usual choice when the
   rear wheels drive. It is car_front.c with its speed divided by the cosine of the steering angle,
   so it ends at +-90 deg, where the rear axle stands still whatever the front wheel does. Theory:
   docs/theory/wheels.md, 6. */
#ifndef APL_HOT

static int car_rear_refuses(const double* q, apl_error* err) {
  if (cos(q[3]) > 1e-3) return -1;
  apl_fail(err, APL_ERR_MODEL,
           "the steering angle is %.6g deg: at +-90 deg the rear axle cannot move, so that "
           "car-rear is singular; use car-front, which is regular there",
           q[3] * 57.295779513082320876798154814105);
  return 3;
}

static const apl_joint_kind car_rear_kind = {
    .word = "car-rear",
    .title = "a car or bicycle whose velocity `speed` is that of the rear axle; singular at a "
             "steering angle of 90 deg",
    .field = car_fields,
    .param_size = sizeof(car_param),
    .nq = 4,
    .nt = 4,
    .nv = 2,
    .nsatellite = CAR_SATELLITES,
    .npar = CAR_NPAR,
    .nangle = 2,
    .angle = {2, 3},
    .turning = APL_TURNS_ABOUT_Z,
    .q_name = car_q,
    .v_name = car_v,
    .q_unit = car_q_unit,
    .v_unit = car_v_unit,
    .spin_name = car_wheel,
    .compile = car_compile,
    .refuses = car_rear_refuses,
    .stands = car_stands,
};

#else

/* front speed = rear speed / cos: r = f / cos, dr = (df + f tan) / cos */
static void car_rear_ratios(const joint_in* in, steered r[CAR_RATIOS]) {
  const real sec = 1.0 / in->sc[3], tan = in->sc[2] * sec;

  car_front_ratios(in, r);
  for (int k = 0; k < CAR_RATIOS; ++k)
    r[k] = (steered){sec * r[k].f, sec * (r[k].df + tan * r[k].f)};
}

static void car_rear_motion(const joint_in* in, joint_out* out) {
  steered r[CAR_RATIOS];
  car_rear_ratios(in, r);
  car_motion(in, out, r);
}

static void car_rear_spin(const joint_in* in, real* row, real* rowP, real* bias) {
  steered r[CAR_RATIOS];
  (void)rowP;
  car_rear_ratios(in, r);
  car_spin(in, row, bias, r);
}

static void car_rear_rate(const joint_in* in, real* qdot) {
  steered r[CAR_RATIOS];
  car_rear_ratios(in, r);
  car_rate(in, qdot, r);
}

static void car_rear_pull(const joint_in* in, const real* delta, const real* f, real* Q, real* QP) {
  steered r[CAR_RATIOS];
  (void)delta, (void)QP;
  car_rear_ratios(in, r);
  car_pull(in, f, Q, r);
}

static const joint_ops car_rear_ops = {
    .motion = car_rear_motion,
    .spin = car_rear_spin,
    .rate = car_rear_rate,
    .tangent_rate = car_rear_rate,
    .pull = car_rear_pull,
};

#endif
