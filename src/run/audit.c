/* SPDX-License-Identifier: Apache-2.0 */
/* audit.c: checks that T + V - accounts and momentum - impulse are constant.

   Limits: an adaptive method keeps its ledger within 100 times its tolerance (plus round-off,
   1e-12), fixed steps within 1e-3, `moreau` within 1e-2. If a limit is exceeded, the report names
   the steps between which the error grew most and the account that changed most there. */
#include "run/audit.h"

#include "step/methods.h"

#include "system/system.h"
#include "system/system_impl.h"

#include <math.h>
#include <string.h>

/* inline, because calls of fmax() and fmin() cost time at every step of small robots */
static inline double larger(double a, double b) {
  return b > a ? b : a;
}
static inline double smaller(double a, double b) {
  return b < a ? b : a;
}

static const double ADAPTIVE = 100.0, ROUND_OFF = 1e-12;

/* P - impulse must be constant, for the angular and the linear part. A symmetric motion has zero
   total momentum but large parts, so the scale is the largest momentum that a kinetic energy T of a
   mass M can have: |P| <= sqrt(2 T M), |L| <= sqrt(2 T M) times the distance from the origin. For a
   robot at rest the scale is the impulse M g t of gravity. */
static void audit_momentum(run_audit* a, const apl_system* system, double t, const apl_ledger* l) {
  const apl_model* m = apl_system_model(system);
  const apl_vec3 g = apl_model_gravity(m);
  const double M = apl_model_mass(m), weight = M * sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
  const double most = larger(sqrt(2.0 * l->kinetic * M), weight * (t - a->from));

  a->has_momentum = 1.0;
  for (int part = 0; part < 2; ++part) {
    double error = 0.0, scale = part == 0 ? most * system->ledger.tally[TALLY_REACH] : most;
    for (int i = 3 * part; i < 3 * part + 3; ++i) {
      error = larger(error, fabs(l->momentum[i] - l->impulse[i] - a->first_P[i]));
      scale = larger(scale, larger(fabs(l->momentum[i]), fabs(l->impulse[i])));
    }
    a->error_P[part] = larger(a->error_P[part], error);
    a->scale_P[part] = larger(a->scale_P[part], scale);
  }
}

/* Find the interval in which the error grew most, and the account that changed most there. */
static void find_opening(run_audit* a, double t, double error, const apl_ledger* l) {
  if (error - a->last_error > a->jump) {
    double most = 0.0;
    a->jump = error - a->last_error;
    a->jump_from = a->last_t;
    a->jump_to = t;
    a->jump_account = -1.0;
    for (int i = 0; i < APL_NACCOUNT; ++i) {
      const double flow = fabs(l->account[i] - a->last_account[i]);
      if (flow > most) a->jump_account = i;
      most = larger(most, flow);
    }
  }
  a->last_t = t;
  a->last_error = error;
  memcpy(a->last_account, l->account, sizeof a->last_account);
}

void apl_audit_look(run_audit* a, const apl_system* system, double t, const apl_ledger* l,
                    bool start) {
  if (start) {
    *a = (run_audit){.first = l->sum, .least_V = l->potential, .most_V = l->potential, .from = t};
    a->jump_account = -1.0;
    /* impacts at the start have booked their impulse already */
    for (int i = 0; i < 6; ++i)
      a->first_P[i] = l->momentum[i] - l->impulse[i];
  }
  a->least_V = smaller(a->least_V, l->potential);
  a->most_V = larger(a->most_V, l->potential);
  if (l->has_momentum) audit_momentum(a, system, t, l);

  double size = l->kinetic + (a->most_V - a->least_V);
  for (int i = 0; i < APL_NACCOUNT; ++i)
    size += fabs(l->account[i]);
  const double error = fabs(l->sum - a->first);
  /* For a robot at rest no energy flows: the scale is then a fraction of its potential energy, well
     above its round-off. */
  a->scale = larger(a->scale, larger(size, 1e-6 * fabs(l->potential)));
  a->error = larger(a->error, error);
  a->sum += error;
  a->looks += 1.0;
  find_opening(a, t, error, l);
}

void apl_audit_tell(const run_audit* a, const apl_run_options* o, apl_run_report* report) {
  report->error = a->error;
  report->scale = a->scale;
  const apl_method* method = apl_method_find(o->method);
  report->promise = method != NULL && (method->can & METHOD_ADAPTS) == 0
                        ? method->balance
                        : fmax(ADAPTIVE * o->tolerance, ROUND_OFF);
  report->audited = a->looks > 1.0;
  report->has_momentum = a->has_momentum > 0.0 && report->audited;
  for (int part = 0; part < 2; ++part) {
    if (a->scale_P[part] > 0.0)
      report->momentum = fmax(report->momentum, a->error_P[part] / a->scale_P[part]);
  }
  if (a->scale > 0.0) report->relative = a->error / a->scale;
  if (a->scale > 0.0 && a->looks > 0.0) report->mean = a->sum / a->looks / a->scale;
  report->opened_from = a->jump_from;
  report->opened_to = a->jump_to;
  report->opened_account = (int)a->jump_account;
}
