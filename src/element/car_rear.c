/* SPDX-License-Identifier: Apache-2.0 */
/* car_rear.c: a car or bicycle whose quasi-velocity is the speed of its rear axle, the usual choice
   for rear-wheel drive. It is car_front.c with front speed = rear speed / cos(steering), so it is
   singular at +-90 deg, where the rear axle stands still for any speed of the front wheel. Theory:
   docs/theory/wheels.md, 6. */
#include "element/car.h"

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
    CAR_KIND,
    .refuses = car_rear_refuses,
};

#else

/* front speed = rear speed / cos: r = f / cos, dr = (df + f tan) / cos */
static void car_rear_ratios(const joint_in* in, steered r[CAR_RATIOS]) {
  const real sec = 1.0 / in->sc[3], tan = in->sc[2] * sec;

  car_front_ratios(in, r);
  for (int k = 0; k < CAR_RATIOS; ++k)
    r[k] = (steered){sec * r[k].f, sec * (r[k].df + tan * r[k].f)};
}

CAR_OPS(car_rear)

#endif
