/* sweeps.h: how a recursion says that an elimination failed. */
#pragma once

#include "dynamics/motion.h"

/* The joint or body whose block is not positive definite. The first one met is the cause: what it
   leaves behind spoils the links below it. */
typedef struct failure {
  mask any;
  int link;
} failure;

static inline failure no_failure(void) {
  return (failure){real_less(real_of(0.0), real_of(0.0)), -1};
}

static inline void note(failure* fail, mask bad, int link) {
  if (fail->link < 0 && mask_any(bad)) fail->link = link;
  fail->any = mask_or(fail->any, bad);
}
