/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_modes.c: `appell modes`: mode shapes of beams, and vibrations of the robot about an
   equilibrium. */
#include "cli/figure.h"
#include "cli/modes.h"
#include "file/asks.h"
#include "spec/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MODES_AT,
  MODES_STABLE,
  MODES_TIME,
  MODES_BRAKES,
  MODES_COUNT,
  MODES_JSON,
  MODES_RESULT,
  MODES_CSV,
  MODES_PLOT,
  MODES_HTML,
  MODES_SCALE,
  MODES_MODE,
  MODES_BASE,
  MODES_SET
};

static const cli_option options[] = {
    [MODES_AT] = {"--at", NULL, "start|equilibrium",
                  "about which state: the start values, which must be an equilibrium, or the "
                  "equilibrium near them (default)"},
    [MODES_STABLE] = {"--stable", NULL, NULL,
                      "find a stable equilibrium instead of the nearest one"},
    [MODES_TIME] = CLI_TIME,
    [MODES_BRAKES] = {"--brakes", NULL, NULL, "hold the wheels; without it they roll"},
    [MODES_COUNT] = {"--count", NULL, "N", "show the first N modes (12)"},
    [MODES_JSON] = {"--json", NULL, NULL, "print JSON, with the mode shapes"},
    [MODES_RESULT] = {"--output", "-o", "FILE.h5", "write the modes, one row each"},
    [MODES_CSV] = {"--csv", NULL, "FILE.csv", "write the same as CSV; - is the standard output"},
    [MODES_PLOT] = {"--plot", NULL, "FILE.svg|.png|.pdf",
                    "draw mode shapes and frequencies (needs gnuplot)"},
    [MODES_HTML] = {"--html", NULL, "FILE.html", "write a page that animates the modes"},
    [MODES_SCALE] = {"--scale", NULL, "X",
                     "with --html: amplitude as a fraction of the robot's size (0.12)"},
    [MODES_MODE] = {"--mode", NULL, "N", "with --html: show this mode only"},
    [MODES_BASE] = {"--base", NULL, "fixed|floating",
                    "how the root link of a URDF is attached to the world (fixed)"},
    [MODES_SET] = CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* ------------------------------------------------------------------------------ options ---- */

/* A positive number, a whole one where `whole` says so. False with a sentence. */
static bool read_number(const cli_args* args, int option, bool whole, double* out) {
  const char* text = args->value[option];
  char* end;
  if (text == NULL) return true;

  const double x = strtod(text, &end);
  if (end != text && *end == '\0' && x > 0.0 && x <= 1e6 && (!whole || x == floor(x))) {
    *out = x;
    return true;
  }
  cli_misuse("modes", "%s must be a %s above zero, got '%s'", options[option].name,
             whole ? "whole number" : "number", text);
  return false;
}

static bool goes_to_stdout(const char* path) {
  return path != NULL && strcmp(path, "-") == 0;
}

static int check_options(const cli_args* args, modes_found* f, double* count, double* mode) {
  const char* at = args->value[MODES_AT];

  f->at_start = at != NULL && strcmp(at, "start") == 0;
  if (at != NULL && !f->at_start && strcmp(at, "equilibrium") != 0)
    return cli_misuse("modes", "--at is start or equilibrium, not '%s'", at);
  if (f->at_start && args->value[MODES_STABLE] != NULL)
    return cli_misuse("modes", "--stable and --at start exclude each other");
  if (args->value[MODES_JSON] != NULL && goes_to_stdout(args->value[MODES_CSV]))
    return cli_misuse("modes", "--json and --csv - both write to the standard output: choose one");
  if (args->value[MODES_HTML] == NULL &&
      (args->value[MODES_SCALE] != NULL || args->value[MODES_MODE] != NULL))
    return cli_misuse("modes", "--scale and --mode need --html");
  if (!read_number(args, MODES_COUNT, true, count) || !read_number(args, MODES_MODE, true, mode) ||
      !read_number(args, MODES_SCALE, false, &f->scale))
    return CLI_USAGE;
  return CLI_OK;
}

/* --------------------------------------------------------------------------------- find ---- */

/* All shapes of all bodies that have some, and room for modes_who(). False when there is no memory.
 */
static bool find_beams(modes_found* f) {
  const apl_model* m = f->rest->model;
  double station[MODES_STATIONS];

  f->beam = calloc((size_t)apl_model_nq(m) + 1, sizeof *f->beam);
  f->share = calloc((size_t)apl_model_nv(m) + 1, sizeof *f->share);
  if (f->beam == NULL || f->share == NULL) return false;
  for (int i = 0; i < MODES_STATIONS; ++i)
    station[i] = modes_station(i);
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info info = apl_model_link_info(m, i);
    for (int k = 0; k < info.nx; ++k) {
      modes_beam* b = &f->beam[f->nbeam];
      *b = (modes_beam){.link = i, .name = apl_model_name(m, APL_COORDINATES, info.xq0 + k)};
      const apl_status st = apl_spec_beam_shape(apl_file_spec(f->rest->file), i, k, &b->shape,
                                                station, MODES_STATIONS, b->at, NULL);
      if (st == APL_ERR_MEMORY) return false;
      if (st != APL_OK) break;
      ++f->nbeam;
    }
  }
  return true;
}

/* Find the equilibrium, then its modes. */
static apl_status find(const cli_args* args, modes_found* f, int count, apl_error* err) {
  apl_equilibrium_options eq = apl_equilibrium_options_default();
  apl_modes_options o = apl_modes_options_default();
  bool stable;
  apl_status st = APL_OK;

  if (!find_beams(f)) {
    snprintf(err->text, sizeof err->text, "out of memory");
    return APL_ERR_MEMORY;
  }
  apl_file_wants_equilibrium(f->rest->file, &stable);
  eq.stable = stable || args->value[MODES_STABLE] != NULL;
  o.brakes = args->value[MODES_BRAKES] != NULL;
  if (count > o.exact) o.exact = count;
  if (!f->at_start) st = apl_equilibrium(f->rest->model, f->state, &eq, NULL, err);
  if (st == APL_OK) st = apl_modes_new(f->rest->model, f->state, &o, &f->modes, err);
  return st;
}

/* Shapes of beams do not need an equilibrium, so they are shown even if the robot falls. */
static void show_beams(const cli_args* args, const modes_found* f) {
  if (f->nbeam == 0 || goes_to_stdout(args->value[MODES_CSV])) return;
  if (args->value[MODES_JSON] != NULL) {
    modes_print_json_beams(f);
  } else {
    modes_print_beams(f);
  }
  fflush(stdout);
}

/* ------------------------------------------------------------------------------ command ---- */

static int show(const cli_args* args, modes_found* f) {
  int code = modes_write(f, args->value[MODES_RESULT], args->value[MODES_CSV]);

  if (code == CLI_OK) code = modes_draw(f, args->value[MODES_PLOT]);
  if (code == CLI_OK && args->value[MODES_JSON] != NULL) {
    code = modes_print_json(f) ? CLI_OK : CLI_FAILED;
  } else if (code == CLI_OK && !goes_to_stdout(args->value[MODES_CSV])) {
    modes_print(f);
  }
  /* last, because it changes the state */
  if (code == CLI_OK && args->value[MODES_HTML] != NULL)
    code = modes_replay(f, args->value[MODES_HTML]) ? CLI_OK : CLI_FAILED;
  return code;
}

static int work(const cli_args* args, modes_found* f, int count, int mode) {
  apl_error err = {0};

  f->state = apl_system_state(f->rest->system);
  if (find(args, f, count, &err) != APL_OK) {
    show_beams(args, f);
    fprintf(stderr, "%s: %s\n", args->file[0], err.text);
    return CLI_FAILED;
  }
  cli_rest_warn(f->rest, args->file[0]);
  const int all = apl_modes_count(f->modes);
  f->count = count < all ? count : all;
  f->only = mode - 1;
  if (mode > all) {
    fprintf(stderr, "%s: there is no mode %d: the robot has %d modes\n", args->file[0], mode, all);
    return CLI_FAILED;
  }
  if (all == 0 && args->value[MODES_HTML] != NULL) {
    fprintf(
        stderr,
        "%s: the robot has no degrees of freedom that can vibrate, so there is nothing to show\n",
        args->file[0]);
    return CLI_FAILED;
  }
  return show(args, f);
}

static int run(const cli_args* args) {
  modes_found f = {.scale = 0.12};
  double count = 12.0, mode = 0.0;
  cli_rest rest;

  int code = check_options(args, &f, &count, &mode);
  if (code != CLI_OK) return code;
  f.rest = &rest;
  code = cli_rest_open(&rest, "modes", args, args->value[MODES_BASE], args->value[MODES_TIME], 0);
  if (code == CLI_OK) code = work(args, &f, (int)count, (int)mode);
  apl_modes_free(f.modes);
  free(f.beam);
  free(f.share);
  cli_rest_close(&rest);
  return code;
}

const cli_command cli_modes = {
    .name = "modes",
    .line = "Find how a robot vibrates: mode shapes, frequencies, damping",
    .files = "MODEL",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
    .notes = "First come the mode shapes of the beams, each body by itself with the end conditions "
             "of its model\n"
             "file; static shapes, polynomials and tables have no frequency. Then come the modes "
             "of the whole\n"
             "robot, for small motions about an equilibrium: inputs and loads keep their values, "
             "prescribed\n"
             "joints stand still, dry friction is left out, wheels roll unless --brakes is given. "
             "If there is no\n"
             "equilibrium, only the beams are printed and the exit code is 1; a robot in free fall "
             "has one without\n"
             "gravity: --set gravity=[0,0,0]. Frequencies are natural frequencies, |lambda|. The "
             "share of a\n"
             "coordinate is M_ii |x_i|^2. Speed and amplitude on the page are chosen for the eye.\n"
             "Theory: docs/modes.md\n",
};
