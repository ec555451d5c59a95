/* SPDX-License-Identifier: Apache-2.0 */
/* flexible_chain.c: the runs of the flexible paper. The first run has even samples and gives the
   impacts; then short runs with close samples around every contact, which lasts 0.7 ms. */
#include "papers/flexible.h"
#include "papers/rig.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double EVEN = 2.5e-4, CLOSE = 1e-5; /* [s] */

/* --------------------------------------------------------------------------------- looking ---- */

typedef struct onlooker {
  const apl_model* model;
  flexible_run* run;
  int port[FLEXIBLE_NODES];
  bool close;
  double first; /* T + V at the start                                                            */
} onlooker;

/* Room for one more moment; NULL without memory. */
static double* next_moment(flexible_run* r) {
  if (r->n == r->room) {
    const int room = r->room > 0 ? 2 * r->room : 8192;
    double* at = realloc(r->at, sizeof *at * AT_NUMBERS * (size_t)room);
    if (at == NULL) return NULL;
    r->at = at;
    r->room = room;
  }
  return r->at + AT_NUMBERS * r->n++;
}

static apl_status look_at_nodes(const onlooker* w, apl_system* system, double* at) {
  apl_state* s = apl_system_state(system);
  apl_status st = apl_system_contacts(system);

  for (int k = 0; k < FLEXIBLE_NODES && st == APL_OK; ++k) {
    apl_contact c;
    double pose[12];
    apl_contact_get(s, k, 0, &c);
    at[AT_VX + k] = c.slip[0];
    at[AT_VZ + k] = -c.rate;
    at[AT_NORMAL + k] = c.force[0];
    at[AT_FRICTION + k] = c.force[1];
    st = apl_port_pose(w->model, s, w->port[k], pose);
    at[AT_X + k] = pose[9];
    at[AT_Z + k] = pose[11];
  }
  return st;
}

/* (31): T + V - W_D - W_FN - W_FT = constant */
static void look_at_energies(onlooker* w, const apl_ledger* l, double* at) {
  const double* account = l->account;

  if (w->run->n == 1) w->first = l->kinetic + l->potential;
  at[AT_KINETIC] = l->kinetic;
  at[AT_POTENTIAL] = l->potential;
  at[AT_DAMPED] = -(account[APL_ACCOUNT_STRUCTURE] + account[APL_ACCOUNT_DRAG]);
  at[AT_PUSHED] = -account[APL_ACCOUNT_CONTACT];
  at[AT_RUBBED] = -account[APL_ACCOUNT_CONTACT_FRICTION];
  at[AT_SUM] = at[AT_KINETIC] + at[AT_POTENTIAL] + at[AT_DAMPED] + at[AT_PUSHED] + at[AT_RUBBED];
  at[AT_ERROR] = 100.0 * fabs(at[AT_SUM] - w->first) / w->first;
}

static apl_status look(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                       void* user) {
  onlooker* w = user;
  apl_state* s = apl_system_state(system);
  double* at = next_moment(w->run);
  (void)y;

  if (at == NULL) return APL_ERR_MEMORY;
  at[AT_TIME] = t;
  memcpy(at + AT_Q, apl_q(s), sizeof *at * (AT_V - AT_Q));
  memcpy(at + AT_V, apl_v(s), sizeof *at * (AT_X - AT_V));
  look_at_energies(w, ledger, at);
  for (int k = AT_KINETIC; w->close && k < AT_NUMBERS; ++k)
    at[k] = nan("");
  return look_at_nodes(w, system, at);
}

static void add_impact(flexible_impacts* all, const apl_impact* impact) {
  if (all->n < FLEXIBLE_MOST_IMPACTS) all->list[all->n++] = *impact;
}

static void note(const apl_impact* impact, apl_system* system, void* user) {
  (void)system;
  add_impact(&((onlooker*)user)->run->impacts, impact);
}

/* -------------------------------------------------------------------------- looking closer ---- */

static bool touches(const flexible_impacts* all, double from, double to) {
  bool yes = false;

  for (int i = 0; i < all->n; ++i)
    yes |= all->list[i].start < to && all->list[i].end > from;
  return yes;
}

/* From one sample in flight to another, with close samples between them. */
static apl_status look_closer(rig* r, onlooker* w, const double* from, double to, apl_error* err) {
  apl_run_options o;
  apl_run_report report;
  const int before = w->run->n;

  apl_status st = apl_rig_start(r, &o, err);
  if (st != APL_OK) return st;
  apl_state* s = apl_system_state(r->system);
  apl_state_reset(s);
  memcpy(apl_q(s), from + AT_Q, sizeof *from * (AT_V - AT_Q));
  memcpy(apl_v(s), from + AT_V, sizeof *from * (AT_X - AT_V));
  o.from = from[AT_TIME];
  o.to = to;
  o.output_every = CLOSE;
  o.output = look;
  o.user = w;
  st = apl_run(r->system, &o, &report, err);

  /* both end samples exist already */
  if (st == APL_OK) {
    w->run->n -= 2;
    memmove(w->run->at + AT_NUMBERS * before, w->run->at + AT_NUMBERS * (before + 1),
            sizeof *from * AT_NUMBERS * (size_t)(w->run->n - before));
  }
  return st;
}

/* Even samples, and close ones between two samples in flight with a contact between them. */
static apl_status refine(rig* r, onlooker* w, const flexible_run* even, apl_error* err) {
  const flexible_impacts* all = &even->impacts;
  const double* last = even->at; /* in flight */
  apl_status st = APL_OK;

  w->close = true;
  for (int i = 0; i < even->n && st == APL_OK; ++i) {
    const double* at = even->at + AT_NUMBERS * i;
    const double t = at[AT_TIME], before = last[AT_TIME];
    if (touches(all, t, t)) continue;
    if (i > 0 && touches(all, before, t)) st = look_closer(r, w, last, t, err);
    double* copy = st == APL_OK ? next_moment(w->run) : NULL;
    if (copy != NULL) memcpy(copy, at, sizeof *at * AT_NUMBERS);
    if (st == APL_OK && copy == NULL) st = apl_fail(err, APL_ERR_MEMORY, "out of memory");
    last = at;
  }
  return st;
}

apl_status apl_flexible_run(const flexible_case* is, flexible_run* out, apl_error* err) {
  static const char* const port[] = {"link1.root", "link1.tip", "link2.tip", "link3.tip"};
  flexible_run even = {.is = is};
  onlooker w = {.run = &even};
  apl_run_options o;
  apl_run_report report;
  rig r;

  *out = (flexible_run){.is = is};
  apl_status st = apl_rig_open(&r, err, is->model, "%s", "");
  if (st != APL_OK) return st;
  w.model = r.model;
  for (int k = 0; k < FLEXIBLE_NODES; ++k)
    w.port[k] = apl_model_find(r.model, APL_PORTS, port[k]);
  st = apl_rig_start(&r, &o, err);
  o.output_every = EVEN;
  o.output = look;
  o.impact = note;
  o.user = &w;
  if (st == APL_OK) st = apl_run(r.system, &o, &report, err);
  w.run = out;
  if (st == APL_OK) st = refine(&r, &w, &even, err);
  out->impacts = even.impacts;
  apl_flexible_free(&even);
  apl_rig_close(&r);
  return st;
}

void apl_flexible_free(flexible_run* run) {
  free(run->at);
  *run = (flexible_run){0};
}

/* ---------------------------------------------------------------------------- impacts only ---- */

typedef struct counter {
  flexible_impacts* impacts;
  double first, sum, largest;
  int n;
} counter;

static void count(const apl_impact* impact, apl_system* system, void* user) {
  (void)system;
  add_impact(((counter*)user)->impacts, impact);
}

static apl_status audit(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                        void* user) {
  counter* c = user;
  (void)t, (void)y, (void)system;

  if (c->n++ == 0) c->first = ledger->sum;
  const double error = 100.0 * fabs(ledger->sum - c->first) / c->first;
  c->sum += error;
  c->largest = fmax(c->largest, error);
  return APL_OK;
}

apl_status apl_flexible_impacts(const char* model, const char* settings, flexible_impacts* out,
                                flexible_errors* errors, apl_error* err) {
  counter c = {.impacts = out};
  apl_run_options o;
  apl_run_report report;
  rig r;

  out->n = 0;
  apl_status st = apl_rig_open(&r, err, model, "%s", settings);
  if (st != APL_OK) return st;
  st = apl_rig_start(&r, &o, err);
  o.output_every = 0.01;
  o.output = audit;
  o.impact = count;
  o.user = &c;
  if (st == APL_OK) st = apl_run(r.system, &o, &report, err);
  *errors = (flexible_errors){c.sum / fmax(c.n, 1), c.largest};
  apl_rig_close(&r);
  return st;
}

/* ---------------------------------------------------------------------------------- asking ---- */

int apl_flexible_count(const flexible_impacts* impacts, int node) {
  return apl_flexible_quick(impacts, node, HUGE_VAL);
}

int apl_flexible_quick(const flexible_impacts* impacts, int node, double within) {
  const double first = apl_flexible_start(impacts, node, 0);
  int n = 0;

  for (int i = 0; i < impacts->n; ++i) {
    const apl_impact* x = &impacts->list[i];
    n += x->contact == node && x->start <= first + within;
  }
  return n;
}

/* impacts are ordered by their ends, which for one node is also the order of their starts */
double apl_flexible_start(const flexible_impacts* impacts, int node, int k) {
  for (int i = 0; i < impacts->n; ++i) {
    if (impacts->list[i].contact == node && k-- == 0) return impacts->list[i].start;
  }
  return nan("");
}

double apl_flexible_most(const flexible_run* run, int number) {
  double most = 0.0;

  for (int i = 0; i < run->n; ++i)
    most = fmax(most, fabs(run->at[AT_NUMBERS * i + number]));
  return most;
}

/* ---------------------------------------------------------------------------------- curves ---- */

void apl_flexible_curve(apl_paper* paper, const char* name, const flexible_run* run, int number,
                        flexible_span span, bool dashed) {
  double* t = apl_put_numbers(paper, 2 * run->n);
  double* y = t + run->n;
  int n = 0;

  for (int i = 0; t != NULL && i < run->n; ++i) {
    const double* at = run->at + AT_NUMBERS * i;
    const double now = at[AT_TIME], value = at[number];
    const bool last = i + 1 == run->n || at[AT_NUMBERS + AT_TIME] > span.to;
    if (now < span.from || now > span.to || isnan(value)) continue;
    if (!last && n > 0 && now < t[n - 1] + span.apart) continue;
    if (!last && n > 0 && value == y[n - 1] && at[AT_NUMBERS + number] == value) continue;
    t[n] = now;
    y[n++] = value;
  }
  if (t != NULL) apl_put_curve(paper, name, n, t, y, false, dashed);
}

void apl_flexible_nodes(apl_paper* paper, const flexible_run* run, int number, flexible_span span) {
  apl_flexible_curve(paper, "O1", run, number, span, false);
  apl_flexible_curve(paper, "O2", run, number + 1, span, false);
  apl_flexible_curve(paper, "O3", run, number + 2, span, true);
  apl_flexible_curve(paper, "O4", run, number + 3, span, true);
}
