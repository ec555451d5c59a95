/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_equilibrium.c: `appell equilibrium`: the static shape of a robot. */
#include "cli/rest.h"

#include "channel/recorder.h"
#include "cli/table.h"
#include "dynamics/extra.h"
#include "file/asks.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EQ_RESULT, EQ_CSV, EQ_TIME, EQ_STABLE, EQ_JSON, EQ_BASE, EQ_SET };
static const cli_option options[] = {
    [EQ_RESULT] = {"--output", "-o", "FILE.h5",
                   "save the equilibrium; a model can start from it with `start: {from: FILE.h5}`"},
    [EQ_CSV] = {"--csv", NULL, "FILE.csv", "write the same as CSV; - is the standard output"},
    [EQ_TIME] = CLI_TIME,
    [EQ_STABLE] = {"--stable", NULL, NULL, "find a stable equilibrium instead of the nearest one"},
    [EQ_JSON] = {"--json", NULL, NULL, "print JSON"},
    [EQ_BASE] = {"--base", NULL, "fixed|floating",
                 "how the root link of a URDF is attached to the world (fixed)"},
    [EQ_SET] = CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* The equilibrium. */
typedef struct found {
  const apl_model* model;
  apl_state* state;
  double time;
  apl_equilibrium_report report;
  double* effort; /* [nv] efforts needed for rest, beyond springs, inputs and loads */
  double* pose;   /* [12*nport]                                                                   */
  double energy[2];
} found;

static const char* word_of(apl_balance b) {
  switch (b) {
  case APL_BALANCED:
    return "balanced";
  case APL_INDIFFERENT:
    return "indifferent";
  case APL_PRESCRIBED:
    return "prescribed";
  case APL_HELD:
    return "held";
  }
  return "";
}

/* -------------------------------------------------------------------------------- plain ---- */

/* Print round-off as zero. */
static double shown(double x) {
  return fabs(x) < 1e-13 ? 0.0 : x;
}

/* "title: a, b, c" with the names of all velocities of a kind; nothing when there is none. */
static void print_kind(const found* f, apl_balance kind, const char* title) {
  const char* between = title;

  for (int i = 0; i < apl_model_nv(f->model); ++i) {
    if (f->report.freedom[i] != kind) continue;
    printf("%s%s", between, apl_model_name(f->model, APL_VELOCITIES, i));
    between = ", ";
  }
  if (between != title) printf("\n");
}

static void print_efforts(const found* f) {
  bool any = false;

  for (int i = 0; i < apl_model_nv(f->model); ++i) {
    const apl_balance kind = f->report.freedom[i];
    if (kind != APL_PRESCRIBED && kind != APL_HELD) continue;
    if (!any) printf("\nefforts that hold the prescribed joints\n");
    any = true;
    printf("  %-36s %14.8g %-4s %s\n", apl_model_name(f->model, APL_VELOCITIES, i),
           shown(f->effort[i]), apl_model_unit(f->model, APL_EFFORTS, i), word_of(kind));
  }
}

static void print_stability(const found* f) {
  const apl_equilibrium_report* r = &f->report;

  if (r->softest < 0) return;
  printf("%s: lowest stiffness %.6g J, mostly along %s", r->stable ? "stable" : "UNSTABLE",
         r->stiffness, apl_model_name(f->model, APL_VELOCITIES, r->softest));
  printf(" (per rad^2, or per (%.4g m)^2)%s\n", r->length,
         r->stable || apl_model_count(f->model, APL_LOOPS) > 0
             ? ""
             : "; --stable searches for a stable equilibrium");
}

static void print_plain(const found* f) {
  const apl_model* m = f->model;
  const apl_equilibrium_report* r = &f->report;
  const double* q = apl_q(f->state);

  printf("coordinates\n");
  for (int i = 0; i < apl_model_nq(m); ++i) {
    printf("  %-36s %14.8g %s\n", apl_model_name(m, APL_COORDINATES, i), shown(q[i]),
           apl_model_unit(m, APL_COORDINATES, i));
  }
  printf("\npositions of ports [m]\n");
  for (int i = 0; i < apl_model_count(m, APL_PORTS); ++i) {
    const double* p = f->pose + 12 * i + 9;
    printf("  %-36s %14.8g %14.8g %14.8g\n", apl_model_name(m, APL_PORTS, i), shown(p[0]),
           shown(p[1]), shown(p[2]));
  }
  print_efforts(f);
  printf("\n");
  if (r->worst >= 0) {
    printf("largest remaining effort %.2e %s on %s\n", r->residual,
           apl_model_unit(m, APL_EFFORTS, r->worst), apl_model_name(m, APL_VELOCITIES, r->worst));
  }
  printf("iterations %d, continuation steps %d, relaxation steps %d\n", r->iterations, r->steps,
         r->relaxations);
  print_stability(f);
  print_kind(f, APL_INDIFFERENT, "without any stiffness, kept at their start values: ");
  print_kind(f, APL_HELD, "wheels and coupled vehicles, kept at their start values: ");
}

/* --------------------------------------------------------------------------------- json ---- */

static json_t* json_ports(const found* f) {
  json_t* ports = json_object();

  for (int i = 0; i < apl_model_count(f->model, APL_PORTS); ++i) {
    const double* p = f->pose + 12 * i + 9;
    json_object_set_new(ports, apl_model_name(f->model, APL_PORTS, i),
                        json_pack("[f, f, f]", p[0], p[1], p[2]));
  }
  return ports;
}

static bool print_json(const found* f) {
  const apl_model* m = f->model;
  const apl_equilibrium_report* r = &f->report;
  json_t *coordinates = json_object(), *freedoms = json_array();

  for (int i = 0; i < apl_model_nq(m); ++i) {
    json_object_set_new(coordinates, apl_model_name(m, APL_COORDINATES, i),
                        json_real(apl_q(f->state)[i]));
  }
  for (int i = 0; i < apl_model_nv(m); ++i) {
    json_array_append_new(freedoms, json_pack("{s:s, s:s, s:f, s:s}", "name",
                                              apl_model_name(m, APL_VELOCITIES, i), "kind",
                                              word_of(r->freedom[i]), "effort", f->effort[i],
                                              "unit", apl_model_unit(m, APL_EFFORTS, i)));
  }
  json_t* root =
      json_pack("{s:f, s:o, s:o, s:o, s:f, s:f, s:i, s:i, s:i, s:i, s:b, s:f, s:f}", "time",
                f->time, "coordinates", coordinates, "ports", json_ports(f), "freedoms", freedoms,
                "potential", f->energy[1], "residual", r->residual, "iterations", r->iterations,
                "steps", r->steps, "relaxations", r->relaxations, "indifferent", r->nindifferent,
                "stable", r->stable, "stiffness", r->stiffness, "length", r->length);
  const bool ok = root != NULL && json_dumpf(root, stdout, JSON_INDENT(2)) == 0;

  putchar('\n');
  json_decref(root);
  return ok;
}

/* -------------------------------------------------------------------------------- files ---- */

/* time, coordinates, velocities, inputs, efforts: one row. */
static bool make_row(const found* f, cli_table* t) {
  const apl_model* m = f->model;
  const int nq = apl_model_nq(m), nv = apl_model_nv(m), nu = apl_model_nu(m);
  bool ok = cli_table_open(t, 1 + nq + 2 * nv + nu, 1);
  if (!ok) return false;

  cli_table_add(t, "time", "s", "time");
  for (int i = 0; i < nq; ++i) {
    cli_table_add(t, apl_model_name(m, APL_COORDINATES, i), apl_model_unit(m, APL_COORDINATES, i),
                  "coordinate");
  }
  for (int i = 0; i < nv && ok; ++i) {
    ok = cli_table_join(t, apl_model_name(m, APL_VELOCITIES, i), ".rate",
                        apl_model_unit(m, APL_VELOCITIES, i), "velocity");
  }
  for (int i = 0; i < nu && ok; ++i)
    ok = cli_table_join(t, apl_model_name(m, APL_INPUTS, i), apl_input_ending(m, i), "1", "input");
  for (int i = 0; i < nv && ok; ++i) {
    ok = cli_table_join(t, apl_model_name(m, APL_VELOCITIES, i), ".effort",
                        apl_model_unit(m, APL_EFFORTS, i),
                        "effort that holds this velocity at zero");
  }

  double* row = cli_table_at(t, 0); /* the velocities stay zero */
  row[0] = f->time;
  memcpy(row + 1, apl_q(f->state), sizeof *row * (size_t)nq);
  memcpy(row + 1 + nq + nv, apl_u(f->state), sizeof *row * (size_t)nu);
  memcpy(row + 1 + nq + nv + nu, f->effort, sizeof *row * (size_t)nv);
  return ok;
}

static int write_files(const cli_args* args, const apl_file* file, const found* f) {
  const apl_equilibrium_report* e = &f->report;
  const apl_summary summary[] = {
      {"iterations", (double)e->iterations, ""},
      {"residual", e->residual, "largest remaining effort"},
      {"stiffness", e->stiffness, "lowest stiffness; negative if the equilibrium is unstable"},
  };
  const cli_table_head head = {file, "equilibrium", "1e-11", summary,
                               (int)(sizeof summary / sizeof *summary)};
  cli_table t = {0};
  int code = CLI_FAILED;

  if (make_row(f, &t)) {
    code = cli_table_write(&t, &head, args->value[EQ_RESULT], args->value[EQ_CSV]);
  } else {
    fprintf(stderr, "appell: out of memory for the result\n");
  }
  cli_table_close(&t);
  return code;
}

/* ------------------------------------------------------------------------------ command ---- */

static apl_status find(bool stable, found* f, apl_error* err) {
  const apl_model* m = f->model;
  apl_equilibrium_options o = apl_equilibrium_options_default();
  f->effort = calloc((size_t)apl_model_nv(m) + 1, sizeof *f->effort);
  f->pose = calloc(12 * (size_t)apl_model_count(m, APL_PORTS) + 1, sizeof *f->pose);
  f->report.freedom = calloc((size_t)apl_model_nv(m) + 1, sizeof *f->report.freedom);
  apl_status st = APL_ERR_MEMORY;

  snprintf(err->text, sizeof err->text, "out of memory");
  if (f->effort != NULL && f->pose != NULL && f->report.freedom != NULL) {
    o.stable = stable;
    st = apl_equilibrium(m, f->state, &o, &f->report, err);
  }
  if (st == APL_OK) st = apl_bias(m, f->state, f->effort);
  if (st == APL_OK) st = apl_poses(m, f->state, f->pose);
  if (st == APL_OK) st = apl_energy(m, f->state, f->energy);
  return st;
}

static int work(const cli_args* args, const cli_rest* rest) {
  found f = {.model = rest->model, .state = apl_system_state(rest->system), .time = rest->time};
  const char* csv = args->value[EQ_CSV];
  apl_error err = {0};
  int code = CLI_FAILED;

  bool stable;
  apl_file_wants_equilibrium(rest->file, &stable);
  if (find(stable || args->value[EQ_STABLE] != NULL, &f, &err) != APL_OK) {
    fprintf(stderr, "%s: %s\n", args->file[0], err.text);
  } else {
    cli_rest_warn(rest, args->file[0]);
    code = write_files(args, rest->file, &f);
    const bool taken = csv != NULL && strcmp(csv, "-") == 0; /* the standard output */
    if (code == CLI_OK && args->value[EQ_JSON] != NULL) {
      code = print_json(&f) ? CLI_OK : CLI_FAILED;
    } else if (code == CLI_OK && !taken) {
      print_plain(&f);
    }
  }
  free(f.effort);
  free(f.pose);
  free(f.report.freedom);
  return code;
}

static int run(const cli_args* args) {
  cli_rest rest;

  if (args->value[EQ_JSON] != NULL && args->value[EQ_CSV] != NULL &&
      strcmp(args->value[EQ_CSV], "-") == 0) {
    return cli_misuse("equilibrium",
                      "--json and --csv - both write to the standard output: choose one");
  }
  int code =
      cli_rest_open(&rest, "equilibrium", args, args->value[EQ_BASE], args->value[EQ_TIME], 0);
  if (code == CLI_OK) code = work(args, &rest);
  cli_rest_close(&rest);
  return code;
}

const cli_command cli_equilibrium = {
    .name = "equilibrium",
    .line = "Find the static equilibrium under gravity, springs, elasticity and inputs",
    .files = "MODEL",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
    .notes =
        "The search begins at the `start` values of the model and ends at an equilibrium near "
        "them,\n"
        "stable or not; the output says which. Inputs and motions have their values at --time.\n"
        "Degrees of freedom on which nothing acts stay at their start values, and so do wheels "
        "and\n"
        "vehicles coupled to them. Dry friction is taken as zero.\n"
        "\n"
        "A run begins at the equilibrium with `start: {equilibrium: true}` (or `stable`) in the "
        "model;\n"
        "coordinates of the `start` block are then the first guess, and velocities are added.\n"
        "Theory: docs/statics.md\n",
};
