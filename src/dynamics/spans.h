/* spans.h: one span of a tendon: its ends and its length (tendons.c). */
#pragma once

#include "dynamics/motion.h"

/* A span has a length, a rate of it, and leaves its derivatives in s->slope. */
typedef struct span_motion {
  real length, rate;
} span_motion;

/* A point of a frame, in the axes of the frame. */
HOT_INLINE vec3 span_point(const state* s, const apl_span* g, int end) {
  const real* p = s->par + g->par + 3 * end;
  return (vec3){p[0], p[1], p[2]};
}

static span_motion span_of(const apl_model* m, state* s, const apl_span* g);
