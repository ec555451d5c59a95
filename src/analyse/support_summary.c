/* SPDX-License-Identifier: Apache-2.0 */
/* support_summary.c: summary of a gait: speed, efforts, work, friction. */
#include "analyse/support_impl.h"

#include <math.h>
#include <string.h>

/* Weight of the trapezoidal rule: half the time to the previous row plus half to the next. */
static double weight(const apl_support* s, int i) {
  const int before = i > 0 ? i - 1 : i, behind = i + 1 < s->nrow ? i + 1 : i;
  return 0.5 * (s->row[behind].t - s->row[before].t);
}

apl_support_joint apl_support_joint_at(const apl_support* s, int v) {
  apl_support_joint j = {.most = -HUGE_VAL, .least = HUGE_VAL};
  double time = 0.0;

  for (int i = 0; i < s->nrow; ++i) {
    const double tau = apl_support_effort(s, i)[v], w = weight(s, i);
    time += w;
    j.mean += w * fabs(tau);
    j.rms += w * tau * tau;
    j.most = fmax(j.most, tau);
    j.least = fmin(j.least, tau);
  }
  j.mean /= time;
  j.rms = sqrt(j.rms / time);
  return j;
}

static bool alike(const apl_support_switch* a, const apl_support_switch* b) {
  return a->arc == b->arc && memcmp(a->before, b->before, sizeof a->before) == 0 &&
         memcmp(a->after, b->after, sizeof a->after) == 0;
}

static bool same_shape_of(const drive* list, int n, double a, double b) {
  for (int i = 0; i < n; ++i) {
    double at[3], then[3];
    apl_signal_eval(list[i].signal, a, at);
    apl_signal_eval(list[i].signal, b, then);
    if (!(fabs(at[0] - then[0]) < 1e-6 && fabs(at[1] - then[1]) < 1e-6 * (1.0 + fabs(at[1]))))
      return false;
  }
  return true;
}

/* True if the drives have the same values at both times. Supports may change back and forth within
   a cycle. */
static bool recurs(const apl_support* s, double a, double b) {
  return same_shape_of(s->system->drives.motion, s->system->drives.nmotion, a, b) &&
         same_shape_of(s->system->drives.aim, s->system->drives.naim, a, b);
}

/* Two equal switches one cycle apart: the first ones after a third of the list, when a soft start
   is over, else the first ones of all. */
static void find_cycle(const apl_support* s, apl_support_summary* out) {
  for (int start = s->nswitch / 3;; start = 0) {
    for (int a = start; a < s->nswitch; ++a) {
      for (int b = a + 1; b < s->nswitch; ++b) {
        if (!alike(&s->change[a], &s->change[b]) || !recurs(s, s->change[a].t, s->change[b].t))
          continue;
        out->cycle = s->change[b].t - s->change[a].t;
        out->step = s->change[b].center - s->change[a].center;
        return;
      }
    }
    if (start == 0) return;
  }
}

static void add_row(const apl_support* s, int i, apl_support_summary* out) {
  const apl_support_row* row = &s->row[i];
  const double *tau = apl_support_effort(s, i), *rate = apl_support_rates(s, i), w = weight(s, i);

  for (int v = 0; v < s->nv; ++v) {
    const bool base = v >= s->v0 && v < s->v0 + 3;
    if (!base) out->work += w * fmax(tau[v] * rate[v], 0.0);
  }
  for (int k = 0; k < row->nsupport; ++k) {
    if (!(row->normal[k] < out->least_normal)) continue;
    out->least_normal = row->normal[k];
    out->least_time = row->t;
  }
  out->apart += w * row->apart;
  out->loss += w * row->loss;
  out->slid += w * fabs(row->slip);
  out->use = fmax(out->use, row->use);
}

apl_support_summary apl_support_summarise(const apl_support* s) {
  const apl_support_row *first = &s->row[0], *last = &s->row[s->nrow - 1];
  apl_support_summary out = {.time = last->t - first->t,
                             .distance = last->center[0] - first->center[0],
                             .cycle = nan(""),
                             .step = nan(""),
                             .least_normal = HUGE_VAL,
                             .impulse_velocity = -1};

  for (int i = 0; i < s->nrow; ++i)
    add_row(s, i, &out);
  out.speed = out.distance / out.time;
  out.cost = out.work / (s->mass * hypot(s->gravity[0], s->gravity[1]) * fabs(out.distance));
  for (int i = 0; i < s->nswitch; ++i) {
    for (int v = 0; v < s->nv; ++v) {
      if (fabs(apl_support_impulse(s, i)[v]) <= out.impulse) continue;
      out.impulse = fabs(apl_support_impulse(s, i)[v]);
      out.impulse_velocity = v;
    }
  }
  find_cycle(s, &out);
  return out;
}
