/* SPDX-License-Identifier: Apache-2.0 */
/* cone_prox.c: proximal steps, for the few problems on which sweeps and Newton both stall. Each
   step solves the problem with a compliance `a` about the last forces r_k,

     u = (W + a) r + q - a r_k

   which is well posed for large a. A fixed point r = r_k solves the original problem. */
#include "couple/solve/cone_impl.h"

#include <math.h>
#include <string.h>

#define PROX_START 0.1
#define PROX_DOWN 0.6 /* after a successful step */
#define PROX_UP 2.0   /* after a failed step */
#define PROX_LEAST 1e-7
#define PROX_SHARE 1e-3 /* relative accuracy of a step */
enum { PROX_STEPS = 30 /* of Newton, in each */ };

static void copy(const apl_cone* c, double* to, const double* from) {
  memcpy(to, from, (size_t)c->ld * sizeof *to);
}

/* Set up the problem with compliance a about the present forces. Returns its residual. */
static double lean(apl_cone* c, double a) {
  for (int i = 0; i < c->m; ++i) {
    c->W[(long)i * c->ld + i] = c->diagonal[i] + a;
    c->q[i] = c->q_plain[i] - a * c->r[i];
  }
  apl_cone_velocity(c);
  return apl_cone_evaluate(c, c->r, c->u);
}

/* Set up the original problem again. Returns its residual. */
static double straighten(apl_cone* c) {
  for (int i = 0; i < c->m; ++i) {
    c->W[(long)i * c->ld + i] = c->diagonal[i];
    c->q[i] = c->q_plain[i];
  }
  c->factored_size = 0; /* the factors belong to the other problem */
  apl_cone_velocity(c);
  return apl_cone_evaluate(c, c->r, c->u);
}

double apl_cone_proximal(apl_cone* c, double e, double goal, int most, apl_cone_result* result) {
  double a = PROX_START, best = e;

  for (int i = 0; i < c->m; ++i)
    c->diagonal[i] = c->W[(long)i * c->ld + i];
  copy(c, c->q_plain, c->q);
  copy(c, c->r_prox, c->r);
  for (int k = 0; k < most && e > goal; ++k) {
    const double before = lean(c, a), target = fmax(0.1 * goal, PROX_SHARE * before);
    const double after = apl_cone_newton(c, before, target, PROX_STEPS, result);
    e = straighten(c);
    a = after <= target ? fmax(PROX_DOWN * a, PROX_LEAST) : PROX_UP * a;
    if (e < best) {
      best = e;
      copy(c, c->r_prox, c->r);
    }
  }
  if (!(e <= best)) {
    copy(c, c->r, c->r_prox);
    e = straighten(c);
  }
  return e;
}
