/* SPDX-License-Identifier: Apache-2.0 */
/* recorder_summary.c: the summary of a result: statistics of the run, metrics of locomotion, and
   warnings about the limits of the model. */
#include "channel/recorder_impl.h"

#include "step/methods.h"
#include "channel/recorder.h"
#include "system/system.h"
#include "couple/close.h"

#include <stdio.h>
#include <string.h>

static void add(apl_recorder* r, bool known, const char* key, double value, const char* text) {
  if (known) r->summary[r->nsummary++] = (apl_summary){key, value, text};
}

/* No line for an error that was not computed: a zero would look like an exact result. */
static void add_run(apl_recorder* r) {
  const apl_run_report* p = &r->report;

  add(r, true, "time", p->t, "s");
  add(r, true, "steps", (double)p->steps, "");
  add(r, true, "evaluations", (double)p->evaluations, "");
  add(r, p->audited, "energy.error", p->error, "J");
  add(r, p->audited, "energy.error.relative", p->relative, "of the largest T + |dV| + |W|");
  add(r, p->audited, "energy.error.mean", p->mean, "relative");
  add(r, p->audited, "energy.promise", p->promise, "for the relative error");
  add(r, p->has_momentum, "momentum.error.relative", p->momentum,
      "of the most there can be with that energy");
  add(r, true, "impacts", (double)p->impacts, "");
}

/* Robots with loops: what closing the loops changed at the start, unless it is round-off. */
static void add_assembly(apl_recorder* r) {
  const apl_model* m = r->channels->from.model;
  const apl_assembly found = apl_system_assembly(r->system);
  const bool loops = apl_model_count(m, APL_LOOPS) > 0;

  if (loops && found.nmoved > 0) apl_assembly_text(m, &found, r->assembly, sizeof r->assembly);
  add(r, loops, "assembly.gap", found.gap, "m or rad, the largest at the start");
  add(r, loops, "assembly.moved", found.moved,
      r->assembly[0] != '\0' ? r->assembly : "largest change of a coordinate");
  add(r, loops, "assembly.rounded", found.rounded, "largest change of a given coordinate");
}

/* Integrator auto: how often it changed its method. */
static void add_switching(apl_recorder* r) {
  const apl_switching* s = &r->report.switching;

  apl_switching_text(s, r->note, sizeof r->note);
  add(r, s->changes > 0, "integrator.changes", (double)s->changes, r->note);
}

/* Methods with time steps: residuals of the contact solver, energy gained by restitution,
   stiffness. */
static void add_steps(apl_recorder* r) {
  const apl_run_report* p = &r->report;
  const bool contacts = apl_model_count(r->channels->from.model, APL_CONTACTS) > 0;
  const bool moreau = apl_method_can(r->run.method, METHOD_IMPULSES);
  const bool steps = moreau && contacts;

  /* the energy balance is computed with impulses times mean velocities: its error is that of the
     steps */
  add(r, moreau && p->audited, "energy.discretisation", p->relative,
      "of the largest T + |dV| + |W|; it falls with the step");
  add(r, steps, "contact.residual", p->contact_residual, "largest of the solver, relative");
  add(r, steps, "contact.rough", (double)p->contact_rough, "steps above its tolerance");
  add(r, contacts, "contact.shared", (double)p->contact_shared,
      moreau ? "of every 16th step: forces were one choice among several"
             : "steps in which forces were one choice among several");
  add(r, steps, "contact.gain", p->contact_gain, "J, most that restitution gave in a step");
  add(r, steps, "contact.gain-at", p->contact_gain_at, "s");
  add(r, steps, "contact.stiffest", p->contact_stiffest, "largest step times sqrt(k/m), stops too");
}

/* docs/run.md, "Metrics" */
static void add_metrics(apl_recorder* r) {
  const apl_metrics m = apl_metrics_get(r->metrics);
  const bool any = m.samples > 0;

  add(r, any && m.nefforts > 0, "work.positive", m.positive_work, "J");
  add(r, m.moves, "distance", m.distance, "m, of the centre of mass along the ground");
  add(r, m.moves, "speed", m.speed, "m/s");
  add(r, m.has_transport, "cost-of-transport", m.cost_of_transport,
      "positive work over weight times distance");
  add(r, m.moves, "friction.loss", m.friction_loss, "J");
  add(r, m.has_friction, "friction.use", m.friction_use, "largest friction over what it may be");
  add(r, m.moves, "normal.least", m.least_normal, "N, smallest sum over all contacts");
  add(r, m.moves, "slip", m.slip, "m, of all contacts that carry");
}

/* "l2.joint.angle.effort.mean", cut where a key would be too long; NULL without memory */
static const char* effort_key(apl_recorder* r, int velocity, const char* what) {
  char text[64];
  const char* name = apl_model_name(r->channels->from.model, APL_VELOCITIES, velocity);

  snprintf(text, sizeof text, "%.45s.effort.%s", name, what);
  return apl_pool_text(&r->words, text);
}

static bool add_efforts(apl_recorder* r) {
  const apl_metrics m = apl_metrics_get(r->metrics);

  for (int i = 0; i < m.nefforts && m.samples > 0; ++i) {
    const apl_effort_metrics e = apl_metrics_effort(r->metrics, i);
    const char* unit = apl_model_unit(r->channels->from.model, APL_EFFORTS, e.velocity);
    const struct {
      const char* what;
      double value;
    } list[] = {{"mean", e.mean}, {"rms", e.rms}, {"peak", e.peak}};
    for (int k = 0; k < 3; ++k) {
      const char* key = effort_key(r, e.velocity, list[k].what);
      if (key == NULL) return false;
      add(r, true, key, list[k].value, unit);
    }
  }
  return true;
}

bool apl_recorder_summarise(apl_recorder* r) {
  const apl_run_report* p = &r->report;
  const size_t efforts = 3 * (size_t)apl_metrics_get(r->metrics).nefforts;

  r->nwarning +=
      apl_path_warnings(r->system, p->t, r->warning + r->nwarning, APL_MOST_WARNINGS - r->nwarning);
  r->nwarning += apl_footing_watch_warnings(r->footing, r->warning + r->nwarning,
                                            APL_MOST_WARNINGS - r->nwarning);
  if (r->beams != NULL) {
    r->nwarning += apl_beam_watch_warnings(r->beams, r->warning + r->nwarning,
                                           APL_MOST_WARNINGS - r->nwarning);
  }
  r->nwarning +=
      apl_law_warnings(r->system, r->warning + r->nwarning, APL_MOST_WARNINGS - r->nwarning);
  r->nwarning +=
      apl_loop_warnings(r->system, r->warning + r->nwarning, APL_MOST_WARNINGS - r->nwarning);
  r->nwarning +=
      apl_step_warnings(r->system, p, r->warning + r->nwarning, APL_MOST_WARNINGS - r->nwarning);
  r->summary = apl_pool_take(&r->words, sizeof *r->summary *
                                            (NSUMMARY + NMETRICS + efforts + APL_MOST_WARNINGS));
  if (r->summary == NULL) return false;
  add_run(r);
  add_assembly(r);
  add_switching(r);
  add_steps(r);
  add_metrics(r);
  if (!add_efforts(r)) return false;
  for (int i = 0; i < r->nwarning; ++i)
    add(r, true, r->warning[i].key, r->warning[i].worst, r->warning[i].text);
  /* not in the summary, whose texts are short: the pictures of a result have these sentences */
  for (int i = 0; i < r->ndrawn && r->nwarning < APL_MOST_WARNINGS; ++i) {
    watch_warning* w = &r->warning[r->nwarning++];
    *w = (watch_warning){.key = "pictures"};
    snprintf(w->text, sizeof w->text, "%s", r->drawn[i]);
  }
  return true;
}
