/* SPDX-License-Identifier: Apache-2.0 */
/* car_front.c: a car or bicycle whose quasi-velocity is the speed of its front wheel; regular at
   every steering angle. The code is in car.h. Theory: docs/theory/wheels.md, 6. */
#include "element/car.h"

#ifndef APL_HOT

static const apl_joint_kind car_front_kind = {
    .word = "car-front",
    .title = "a car or bicycle whose velocity `speed` is that of the front wheel, along that "
             "wheel; works at every steering angle",
    CAR_KIND,
};

#else

CAR_OPS(car_front)

#endif
