/* SPDX-License-Identifier: Apache-2.0 */
/* spans.h: one span of a tendon: its ends and its length (tendons.c). */
#pragma once

#include "dynamics/motion.h"

/* Length (m) of a span and its rate. The derivatives of the length are stored in s->slope. */
typedef struct span_motion {
  real length, rate;
} span_motion;

/* End point of a span, in the axes of its frame. */
HOT_INLINE vec3 span_point(const state* s, const apl_span* g, int end) {
  const real* p = s->par + g->par + 3 * end;
  return (vec3){p[0], p[1], p[2]};
}

static span_motion span_of(const apl_model* m, state* s, const apl_span* g);
