/* car_front.c: a car or bicycle described by the speed of its front wheel: regular at every angle
   of the steering. All of it is in car.h. Theory: docs/theory/wheels.md, 6. */
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
