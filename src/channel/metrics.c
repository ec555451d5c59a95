/* SPDX-License-Identifier: Apache-2.0 */
/* metrics.c: see metrics.h. Integrals are by the trapezoid rule over the outputs. */
#include "channel/metrics.h"

#include "couple/contact_rows.h"
#include "channel/channel_table.h"
#include "dynamics/extra.h"
#include "model/info.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EFFORT_NUMBERS = 4, SUM_NUMBERS = 18 };

typedef struct effort_sums {
  double size, square; /* sums of |effort| and of its square                                      */
  double smooth, peak; /* after the filter */
} effort_sums;

APL_STORED(effort_sums, EFFORT_NUMBERS);

/* All members are doubles, because checkpoints store them as numbers. */
typedef struct metric_sums {
  double samples, first, last; /* times                                                       */
  double start[3], end[3];     /* centre of mass                                              */
  double work, power;          /* positive; power at the last sample                          */
  double slip, slipping;       /* distance; sum of speeds at the last sample                  */
  double loss0, loss;          /* account of friction at the first and last sample            */
  double use, used;            /* largest ratio of friction to its limit; 1 if there was any */
  double least;                /* smallest sum of normal forces                               */
} metric_sums;
APL_STORED(metric_sums, SUM_NUMBERS);

/* More outputs than any run gives; doubles count one by one up to here. */
static const double MOST_SAMPLES = 9e15;

struct run_metrics {
  const channel_list* list;
  int n;      /* driven velocities                                                        */
  bool moves; /* has contacts                                                             */
  double weight;
  metric_sums sum;
  effort_sums effort[];
};

run_metrics* apl_metrics_new(const channel_list* list) {
  const channel_source* s = &list->from;
  run_metrics* m = calloc(1, sizeof *m + sizeof *m->effort * (size_t)s->ngiven);
  if (m == NULL) return NULL;

  const apl_vec3 g = apl_model_gravity(s->model);
  m->list = list;
  m->n = s->ngiven;
  m->moves = apl_model_count(s->model, APL_CONTACTS) > 0;
  m->weight = apl_model_mass(s->model) * sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
  return m;
}

void apl_metrics_free(run_metrics* m) {
  free(m);
}

/* ------------------------------------------------------------------------------------ looks ----
 */

/* First-order filter y' = (x - y)/T, with x constant since the last sample. */
static void look_at_effort(effort_sums* e, double x, double dt, bool first) {
  e->size += fabs(x);
  e->square += x * x;
  e->smooth = first ? x : e->smooth + (x - e->smooth) * -expm1(-dt / APL_METRICS_FILTER);
  e->peak = fmax(e->peak, fabs(e->smooth));
}

static double look_at_efforts(run_metrics* m, double dt, bool first) {
  const channel_source* s = &m->list->from;
  double power = 0.0;

  for (int i = 0; i < m->n; ++i) {
    const int v = s->given[i];
    const double x = apl_channel_effort(s, i, 0);
    look_at_effort(&m->effort[i], x, dt, first);
    power += fmax(x * apl_v(s->state)[v], 0.0);
  }
  return power;
}

/* Ratio of the friction force F to the largest one, which is an ellipse with a half-axis for
   each direction: 1 on its edge. Negative if there is no coefficient. */
static double share_of_friction(const channel_source* s, int i) {
  const apl_section C = apl_contact_section(s->model, i, true);
  const double* F = s->contact[i].force;
  double sum = 0.0;

  for (int k = 0; k < 2; ++k) {
    const double most = F[0] * (F[1 + k] > 0.0 ? C.plus[k] : C.minus[k]);
    if (!(most > 0.0)) return -1.0;
    sum += F[1 + k] / most * (F[1 + k] / most);
  }
  return sqrt(sum);
}

/* Sum of the slip speeds of loaded contacts. Normal forces of the first output are left out,
   since methods with time steps have no force before the first step. Contacts with less than a
   thousandth of the weight are left out of the use of friction. */
static double look_at_contacts(run_metrics* m, bool first) {
  const channel_source* s = &m->list->from;
  double normal = 0.0, slipping = 0.0;

  for (int i = 0; i < apl_model_count(s->model, APL_CONTACTS); ++i) {
    const contact_numbers* c = &s->contact[i];
    normal += c->force[0];
    if (!(c->force[0] > 0.0)) continue;
    slipping += hypot(c->slip[0], c->slip[1]);
    if (!(c->force[0] > 1e-3 * m->weight)) continue;
    const double share = share_of_friction(s, i);
    if (share < 0.0) continue;
    m->sum.used = 1.0;
    m->sum.use = fmax(m->sum.use, share);
  }
  if (!first) m->sum.least = m->sum.samples > 1.0 ? fmin(m->sum.least, normal) : normal;
  return slipping;
}

apl_status apl_metrics_look(run_metrics* m) {
  const channel_source* s = &m->list->from;
  metric_sums* sum = &m->sum;
  const bool first = sum->samples == 0.0;
  const double dt = first ? 0.0 : s->t - sum->last;
  const double power = look_at_efforts(m, dt, first);
  const double slipping = m->moves ? look_at_contacts(m, first) : 0.0;
  double centre[3] = {0};

  const apl_status st = m->moves ? apl_center(s->model, s->state, centre) : APL_OK;
  if (st != APL_OK) return st;
  if (first) {
    sum->first = s->t;
    sum->loss0 = s->ledger->account[APL_ACCOUNT_CONTACT_FRICTION];
    memcpy(sum->start, centre, sizeof centre);
  }
  sum->work += 0.5 * dt * (sum->power + power);
  sum->slip += 0.5 * dt * (sum->slipping + slipping);
  sum->power = power;
  sum->slipping = slipping;
  sum->loss = s->ledger->account[APL_ACCOUNT_CONTACT_FRICTION];
  memcpy(sum->end, centre, sizeof centre);
  sum->last = s->t;
  sum->samples += 1.0;
  return APL_OK;
}

/* ---------------------------------------------------------------------------------- memory ---- */

int apl_metrics_size(const run_metrics* m) {
  return SUM_NUMBERS + EFFORT_NUMBERS * m->n;
}

void apl_metrics_memory(run_metrics* m, apl_store* memory) {
  apl_store_numbers(memory, (double*)(void*)&m->sum, SUM_NUMBERS, "a sum of the metrics");
  if (!(m->sum.samples >= 0.0 && m->sum.samples <= MOST_SAMPLES))
    apl_store_refuse(memory, "a count of samples", m->sum.samples);
  for (int i = 0; i < m->n; ++i)
    apl_store_numbers(memory, (double*)(void*)&m->effort[i], EFFORT_NUMBERS, "a sum of efforts");
}

/* --------------------------------------------------------------------------------- results ---- */

/* |d - n (n . d)| for the displacement d of the centre of mass, with n the normal of the first
   ground. |d| if there is no ground, for a robot that climbs between shapes. */
static double distance(const run_metrics* m) {
  const apl_contact_info first = apl_model_contact_info(m->list->from.model, 0);
  const apl_vec3 n = first.port < 0 ? (apl_vec3){0.0, 0.0, 0.0} : first.normal;
  const double* a = m->sum.start;
  const double* b = m->sum.end;
  const double d[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  const double up = d[0] * n.x + d[1] * n.y + d[2] * n.z;

  return sqrt(fmax(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - up * up, 0.0));
}

apl_metrics apl_metrics_get(const run_metrics* m) {
  const metric_sums* sum = &m->sum;
  const double time = sum->last - sum->first;
  apl_metrics out = {.from = sum->first,
                     .to = sum->last,
                     .samples = (long)sum->samples,
                     .filter = APL_METRICS_FILTER,
                     .nefforts = m->n,
                     .positive_work = sum->work,
                     .moves = m->moves && sum->samples > 0.0};
  if (!out.moves) return out;

  out.distance = distance(m);
  out.speed = time > 0.0 ? out.distance / time : 0.0;
  /* a distance of round-off size is none */
  out.has_transport = m->n > 0 && m->weight > 0.0 && out.distance > 1e-9;
  out.cost_of_transport = out.has_transport ? sum->work / (m->weight * out.distance) : 0.0;
  out.friction_loss = sum->loss0 - sum->loss;
  out.has_friction = sum->used > 0.0;
  out.friction_use = sum->use;
  out.least_normal = sum->least;
  out.slip = sum->slip;
  return out;
}

apl_effort_metrics apl_metrics_effort(const run_metrics* m, int i) {
  const double n = fmax(m->sum.samples, 1.0);

  return (apl_effort_metrics){.velocity = m->list->from.given[i],
                              .mean = m->effort[i].size / n,
                              .rms = sqrt(m->effort[i].square / n),
                              .peak = m->effort[i].peak};
}
