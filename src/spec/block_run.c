/* SPDX-License-Identifier: Apache-2.0 */
/* block_run.c: `run`, the settings of a simulation. */
#include "spec/grammar.h"
#include "spec/rows.h"
#include "spec/words.h"

#include "appell/run.h"

static const char* const loop_methods[] = {"multipliers", "reduced", "springs", NULL};

const apl_field apl_run_fields[] = {
    APL_FIELD(apl_run_block, to, "to", "s", "time at which the simulation ends; it begins at 0", 1),
    CHOICE(apl_run_block, integrator, "integrator", apl_method_words, &apl_method_words[0],
           "integration method; `auto` suits most robots without many contacts, `moreau` is "
           "for many contacts. docs/run.md compares them"),
    APL_FIELD(apl_run_block, tolerance, "tolerance", "1",
              "relative error allowed per step, for methods with error control", 1e-8),
    APL_FIELD(apl_run_block, step, "step", "s",
              "step size of integrators with a fixed step, which need one; others choose their own "
              "steps and refuse this key",
              0),
    APL_FIELD(apl_run_block, output_every, "output-every", "s", "time between recorded rows", 0.01),
    CHOICE(apl_run_block, loops, "loops", loop_methods, &loop_methods[0],
           "how loops are closed: Lagrange multipliers, reduction to independent "
           "coordinates, or stiff springs"),
    APL_FIELD(apl_run_block, loop_stabilisation, "loop-stabilisation", "1/s",
              "multipliers: rate of Baumgarte stabilisation, in addition to the projection after "
              "each step; 0: projection alone",
              0),
    APL_FIELD(apl_run_block, loop_frequency, "loop-frequency", "rad/s",
              "springs: natural frequency of each constraint without a given stiffness", 1000),
    APL_FIELD(apl_run_block, loop_ratio, "loop-damping-ratio", "1",
              "springs: damping ratio of each constraint without a given damping", 1),
    APL_FIELD(apl_run_block, spectral_radius, "spectral-radius", "1",
              "gen-alpha: spectral radius at infinite frequency, from 0 (fast vibrations are "
              "damped out in one step) to 1 (no numerical damping)",
              0.5),
    APL_FIELD(apl_run_block, memory_limit, "memory-limit", "1",
              "memory in GB that matrices of contacts, constraints and bdf may take; a run that "
              "needs more ends before it takes it",
              2),
    ROW(apl_run_block, loop_slow, "loop-slow-start", APL_FORM_FLAG, NO,
        "springs: start with the springs already under load, so that they do not vibrate"),
    APL_FIELD_END,
};

static void read(apl_spec* s, const text_node* map, form_reader* r) {
  apl_run_block* run = &s->run;

  apl_form_where(r, "run.");
  if (!apl_fields_read(r, map, &(field_set){.field = apl_run_fields, .out = run}, 1)) return;

  /* none of these may be negative, and those that are `positive` not zero */
  const struct {
    const char* key;
    double value;
    bool positive;
  } check[] = {
      {"to", run->to, true},
      {"tolerance", run->tolerance, true},
      {"step", run->step, false},
      {"output-every", run->output_every, true},
      {"loop-stabilisation", run->loop_stabilisation, false},
      {"loop-frequency", run->loop_frequency, true},
      {"loop-damping-ratio", run->loop_ratio, false},
      {"memory-limit", run->memory_limit, true},
  };
  if (run->step > 0.0 && apl_method_adapts(run->integrator)) {
    char fixed[120];
    apl_fixed_methods("or", fixed, sizeof fixed);
    apl_form_refuse(r, apl_node_get(map, "step")->at, "step",
                    "the integrator %s chooses its own steps: leave this out, or use %s",
                    run->integrator, fixed);
  }
  for (size_t i = 0; i < sizeof check / sizeof *check; ++i) {
    if (check[i].value > 0.0 || (!check[i].positive && check[i].value == 0.0)) continue;
    apl_form_refuse(r, apl_node_get(map, check[i].key)->at, check[i].key, "must %s, got %g",
                    check[i].positive ? "be positive" : "not be negative", check[i].value);
  }
}

/* A spec from the builder has no settings of a run: its integrator is NULL. */
static void write(text_out* o, const apl_spec* s) {
  const char* comma = "run: {";
  if (s->run.integrator == NULL) return;

  apl_fields_write(o, apl_run_fields, &s->run, APL_ALL_FIELDS, &comma);
  if (comma[0] == ',') apl_out_add(o, "}\n");
}

const grammar_block apl_block_run = {
    .word = "run",
    .form = BLOCK_MAP,
    .field = apl_run_fields,
    .title = "settings of a simulation: end time, integrator, tolerance",
    .read = read,
    .write = write,
};
