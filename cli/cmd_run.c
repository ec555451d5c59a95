/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_run.c: `appell run`: simulate a model, record it, check its energy balance. */
#define _XOPEN_SOURCE 700 /* sigaction */
#include "cli/impacts.h"

#include "channel/metric_types.h"
#include "channel/recorder.h"
#include "cli/live.h"
#include "run/parts.h"
#include "spec/words.h"
#include "system/system.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
  RUN_TO,
  RUN_RESULT,
  RUN_CSV,
  RUN_HTML,
  RUN_METHOD,
  RUN_TOLERANCE,
  RUN_STEP,
  RUN_EVERY,
  RUN_CHECKPOINT,
  RUN_RESUME,
  RUN_RECORD,
  RUN_MEMORY,
  RUN_LIVE,
  RUN_PORT,
  RUN_JSON,
  RUN_IMPACTS,
  RUN_QUIET,
  RUN_BASE,
  RUN_SET
};

static const cli_option options[] = {
    [RUN_TO] = {"--to", NULL, "T", "end of the run [s] (run.to of the model)"},
    [RUN_RESULT] = {"--output", "-o", "FILE.h5",
                    "write the result as HDF5 (docs/formats/result.md); .csv and .html choose "
                    "--csv and --html"},
    [RUN_CSV] = {"--csv", NULL, "FILE.csv", "write the result as CSV; - is the standard output"},
    [RUN_HTML] = {"--html", NULL, "FILE.html", "write a page that replays the run in a browser"},
    [RUN_METHOD] =
        {"--integrator", NULL, "NAME",
         "auto (default), dop853 (accurate), stiff (springs, friction), moreau (contacts) ..."},
    [RUN_TOLERANCE] = {"--tolerance", NULL, "X",
                       "relative tolerance of integrators with error control"},
    [RUN_STEP] = {"--step", NULL, "H", "step of integrators with a fixed step [s]"},
    [RUN_EVERY] = {"--output-every", NULL, "DT", "time between rows of the result [s]"},
    [RUN_MEMORY] = {"--memory-limit", NULL, "GB",
                    "memory that matrices of contacts, constraints and bdf may take (2)"},
    [RUN_CHECKPOINT] = {"--checkpoint-every", NULL, "N",
                        "with -o: number of rows between checkpoints (100; 0: none)"},
    [RUN_RESUME] = {"--resume", NULL, "RESULT.h5.part",
                    "continue a run with -o that was killed or stopped"},
    [RUN_RECORD] = {"--record", NULL, "WORDS",
                    "comma-separated list of what to record in addition: ports (arm.tip), "
                    "accelerations, reactions"},
    [RUN_LIVE] = {"--live", NULL, NULL,
                  "show the run in a browser in real time, with sliders for inputs and pushes"},
    [RUN_PORT] = {"--port", NULL, "N",
                  "with --live: network port on this machine (0: any free one)"},
    [RUN_JSON] = {"--json", NULL, NULL, "print the summary and the impacts as JSON"},
    [RUN_IMPACTS] = {"--impacts", NULL, NULL, "list the impacts, one per line"},
    [RUN_QUIET] = {"--quiet", "-q", NULL, "print errors and warnings only"},
    [RUN_BASE] = {"--base", NULL, "fixed|floating",
                  "how the root link of a URDF is attached to the world (fixed)"},
    [RUN_SET] = CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* of --record */
enum { MOST_WORDS = 256 };

/* The signal that asks the run to end properly: Ctrl-C, kill, a closed terminal. */
static volatile sig_atomic_t interrupted;
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { NSIGNAL = sizeof signals / sizeof *signals };

/* Signals that were ignored from the start (nohup) stay ignored. */
static void set_signals(const struct sigaction* to) {
  for (int i = 0; i < NSIGNAL; ++i) {
    struct sigaction before;
    if (sigaction(signals[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
      sigaction(signals[i], to, NULL);
  }
}

/* A second signal ends the program at once. */
static void interrupt(int number) {
  const struct sigaction plain = {.sa_handler = SIG_DFL};

  set_signals(&plain);
  interrupted = number;
}

static void heed_signals(void) {
  struct sigaction on = {.sa_handler = interrupt};

  sigemptyset(&on.sa_mask);
  for (int i = 0; i < NSIGNAL; ++i)
    sigaddset(&on.sa_mask, signals[i]);
  set_signals(&on);
}

static bool is_interrupted(void) {
  return interrupted != 0;
}

/* Wall time, for display only: results contain none. */
static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Data of the progress display. */
typedef struct progress {
  double from, to;
  double began, drawn; /* wall time                                                               */
  double worked;       /* worked() at the start                                                   */
  double mark_t, mark_worked,
      left;     /* where it was a second of work ago; seconds left at that pace */
  double every; /* between outputs [s] ... */
  long outputs; /* ... and how many there were                                                    */
  bool bar, told;
  const char* file;
} progress;

/* Progress, speed (simulated seconds per second) and remaining time; ten times a second. */
static void draw_bar(progress* p, double t) {
  const double now = seconds(), took = now - p->began;
  const double part = p->to > p->from ? (t - p->from) / (p->to - p->from) : 1.0;
  const double rate = took > 0.0 ? (t - p->from) / took : 0.0;
  const double left = rate > 0.0 ? (p->to - t) / rate : 0.0;
  const int full = (int)(part * 30.0);

  if (now - p->drawn < 0.1 && t < p->to) return;
  p->drawn = now;
  fprintf(stderr, "\r[%.*s%*s] %3.0f %%  t = %.6g s, %.3g s/s, %.0f s left \033[K", full,
          "##############################", 30 - full, "", 100.0 * part, t, rate, left);
  fflush(stderr);
}

static apl_status output(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                         void* user) {
  progress* p = user;
  (void)y, (void)ledger, (void)system;

  p->outputs += 1;
  if (p->bar) draw_bar(p, t);
  return interrupted ? APL_ERR_STOPPED : APL_OK;
}

/* CPU seconds of this program, so that the load of the machine does not influence the messages. */
static double worked(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

/* Why the run is slow. Outputs that are far closer than steps take most of the time. */
static void explain_slowness(const progress* p, const apl_progress* now, char* text, size_t size) {
  const double all = p->every > 0.0 ? (p->to - p->from) / p->every : 0.0;

  if (p->outputs > 1000 && p->outputs / 100 > now->steps) {
    snprintf(text, size,
             "%.1e outputs, one every %g s, take most of the time; try a "
             "larger output-every",
             all, p->every);
  } else {
    apl_progress_text(now, text, size);
  }
}

/* Called inside steps too: ends the run if asked to, and explains once and early why it is slow.
   Only what is printed depends on the clock. */
static apl_status poll(const apl_progress* now, void* user) {
  const double early = 3.0, long_run = 20.0, late = 8.0; /* [s] */
  progress* p = user;
  char text[240];

  if (interrupted != 0) return APL_ERR_STOPPED;
  if (p->bar) draw_bar(p, now->t); /* the first output may be far away */
  if (p->told) return APL_OK;
  const double so_far = worked() - p->worked;
  if (so_far - p->mark_worked >= 1.0) {
    p->left = now->t > p->mark_t
                  ? (so_far - p->mark_worked) * (now->to - now->t) / (now->t - p->mark_t)
                  : HUGE_VAL;
    p->mark_t = now->t;
    p->mark_worked = so_far;
  }
  if (so_far < early || (p->left < long_run && so_far < late)) return APL_OK;

  p->told = true;
  explain_slowness(p, now, text, sizeof text);
  fprintf(stderr, "%s%s: t = %.6g of %.6g s after %.0f s: %s\n", p->bar ? "\n" : "", p->file,
          now->t, now->to, so_far, text);
  return APL_OK;
}

static json_t* known(bool is, double x) {
  return is ? json_real(x) : json_null();
}

/* Metrics of the run; null where there is no value. */
static json_t* metrics_json(const apl_recorder* rec, const apl_model* model) {
  const apl_metrics m = apl_recorder_metrics(rec);
  json_t* efforts = json_object();

  for (int i = 0; i < m.nefforts; ++i) {
    const apl_effort_metrics e = apl_recorder_effort(rec, i);
    json_object_set_new(efforts, apl_model_name(model, APL_VELOCITIES, e.velocity),
                        json_pack("{s:f, s:f, s:f, s:s}", "mean", e.mean, "rms", e.rms, "peak",
                                  e.peak, "unit", apl_model_unit(model, APL_EFFORTS, e.velocity)));
  }
  return json_pack(
      "{s:f, s:f, s:I, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "from", m.from, "to",
      m.to, "samples", (json_int_t)m.samples, "peak_filter", m.filter, "positive_work",
      known(m.nefforts > 0, m.positive_work), "distance", known(m.moves, m.distance), "speed",
      known(m.moves, m.speed), "cost_of_transport", known(m.has_transport, m.cost_of_transport),
      "friction_loss", known(m.moves, m.friction_loss), "friction_use",
      known(m.has_friction, m.friction_use), "least_normal", known(m.moves, m.least_normal), "slip",
      known(m.moves, m.slip), "efforts", efforts);
}

/* The same as text, for a driven robot that moves over the ground. */
static void print_metrics(const apl_recorder* rec, const apl_model* model, FILE* to) {
  const apl_metrics m = apl_recorder_metrics(rec);
  apl_effort_metrics most = {.velocity = -1};
  if (!m.moves || m.nefforts == 0 || m.samples < 2) return;

  fprintf(to, "%.6g m in %.6g s, %.4g m/s; positive work %.4g J", m.distance, m.to - m.from,
          m.speed, m.positive_work);
  if (m.has_transport) fprintf(to, ", cost of transport %.4g", m.cost_of_transport);
  fprintf(to, "; friction dissipated %.4g J over %.4g m of slip", m.friction_loss, m.slip);
  if (m.has_friction) fprintf(to, ", at most %.3g of the friction limit", m.friction_use);
  fprintf(to, "; smallest normal force %.4g N\n", m.least_normal);
  for (int i = 0; i < m.nefforts; ++i) {
    const apl_effort_metrics e = apl_recorder_effort(rec, i);
    if (e.mean > most.mean) most = e;
  }
  if (most.velocity < 0) return;
  fprintf(to,
          "largest effort: %s, mean |effort| %.4g, rms %.4g, peak %.4g %s (filtered with %g ms)\n",
          apl_model_name(model, APL_VELOCITIES, most.velocity), most.mean, most.rms, most.peak,
          apl_model_unit(model, APL_EFFORTS, most.velocity), 1e3 * m.filter);
}

/* The summary for programs; impacts in full. */
static void print_json(const apl_recorder* rec, const apl_file* file, const apl_model* model,
                       const apl_run_report* r, FILE* to) {
  json_t *warnings = json_array(), *impacts = json_array();

  for (int i = 0; i < apl_recorder_nwarning(rec); ++i)
    json_array_append_new(warnings, json_string(apl_recorder_warning(rec, i)));
  for (int i = 0; i < apl_recorder_nimpact(rec); ++i)
    json_array_append_new(impacts, cli_impact_json(apl_recorder_impact(rec, i), model));
  /* null if there was nothing to compare */
  json_t* root = json_pack(
      "{s:s, s:s, s:s, s:s, s:f, s:I, s:I, s:o, s:o, s:f, s:o, s:f, s:o, s:o, s:o}", "name",
      apl_file_name(file), "status", apl_recorder_status(rec), "integrator",
      r->switching.method == NULL ? "" : r->switching.method, "note", apl_recorder_note(rec),
      "time", r->t, "steps", (json_int_t)r->steps, "evaluations", (json_int_t)r->evaluations,
      "energy_error", r->audited ? json_real(r->relative) : json_null(), "energy_error_mean",
      r->audited ? json_real(r->mean) : json_null(), "energy_scale", r->scale, "momentum_error",
      r->has_momentum ? json_real(r->momentum) : json_null(), "promise", r->promise, "metrics",
      metrics_json(rec, model), "warnings", warnings, "impacts", impacts);
  if (root != NULL) json_dumpf(root, to, JSON_INDENT(2));
  fputc('\n', to);
  json_decref(root);
}

/* ------------------------------------------------------------------------------------- run ---- */

static bool number(const cli_args* args, int option, const char* unit, double least, double* out) {
  return cli_quantity("run", options[option].name, args->value[option], unit, least, out);
}

/* "arm.tip,accelerations" in place into its words; returns their number, -1 when they are too many.
 */
static int split(char* text, const char** word) {
  int n = 0;

  for (char* at = text; at != NULL && *at != '\0';) {
    char* end = strchr(at, ',');
    if (end != NULL) *end++ = '\0';
    if (n == MOST_WORDS) return -1;
    word[n++] = at;
    at = end;
  }
  return n;
}

/* Outputs from the options; false with an error on stderr. `text` has room for --record. */
static bool wishes(const cli_args* args, char* text, const char** word, apl_recorder_options* o) {
  double every = o->checkpoint_every;

  if (!number(args, RUN_CHECKPOINT, "1", 0.0, &every)) return false;
  if (every != floor(every)) {
    fprintf(stderr, "appell run: --checkpoint-every is a whole number of outputs, got '%s'\n",
            args->value[RUN_CHECKPOINT]);
    return false;
  }
  o->checkpoint_every = every < 1e9 ? (int)every : 1000000000;
  o->result = args->value[RUN_RESULT];
  o->csv = args->value[RUN_CSV];
  o->page = args->value[RUN_HTML];
  o->strict = args->import[CLI_STRICT] != NULL;
  o->resume = args->value[RUN_RESUME];
  o->record = word;
  if (args->value[RUN_RECORD] != NULL) {
    strcpy(text, args->value[RUN_RECORD]);
    o->nrecord = split(text, word);
  }
  if (o->nrecord < 0) {
    fprintf(stderr, "appell run: --record takes at most %d words\n", MOST_WORDS);
    return false;
  }
  if (o->resume == NULL || (o->result != NULL && o->csv == NULL && o->page == NULL)) return true;
  fprintf(stderr, "appell run: --resume needs -o FILE.h5 and cannot be used with --csv or --html "
                  "(use `appell export` and `appell view` afterwards)\n");
  return false;
}

/* Report the result of the run, as text or JSON. */
static void tell(const cli_args* args, const apl_recorder* rec, const apl_file* file,
                 const apl_model* model, const apl_run_report* r, double took) {
  const char *csv = args->value[RUN_CSV], *name = apl_file_name(file);
  FILE* to = csv != NULL && strcmp(csv, "-") == 0 ? stderr : stdout;

  if (args->value[RUN_JSON] != NULL) {
    print_json(rec, file, model, r, to);
    return;
  }
  fprintf(to, "%s: simulated %.6g s in %.3f s, %ld steps, %ld evaluations, ",
          name[0] != '\0' ? name : args->file[0], r->t, took, r->steps, r->evaluations);
  if (r->audited) {
    fprintf(to, "energy error %.2e of %.4g J%s, ", r->relative, r->scale,
            r->discretisation ? " (discretisation)" : "");
  }
  if (!r->audited) fprintf(to, "energy not checked, ");
  if (r->has_momentum) fprintf(to, "momentum error %.2e\n", r->momentum);
  if (!r->has_momentum) fprintf(to, "momentum not checked\n");
  if (apl_recorder_assembly(rec)[0] != '\0') fprintf(to, "%s\n", apl_recorder_assembly(rec));
  for (int i = 0; i < apl_recorder_nwarning(rec); ++i)
    fprintf(to, "warning: %s\n", apl_recorder_warning(rec, i));
  if (apl_recorder_note(rec)[0] != '\0') fprintf(to, "%s\n", apl_recorder_note(rec));
  print_metrics(rec, model, to);
  if (args->value[RUN_IMPACTS] != NULL) {
    cli_impacts_print(rec, model, r->impacts, to);
  } else {
    cli_impacts_line(rec, model, r->impacts, args->value[RUN_RESULT] != NULL, to);
  }
}

static int simulate(const cli_args* args, const apl_file* file, apl_system* system,
                    apl_run_options* o) {
  const char *word[MOST_WORDS], *wish = args->value[RUN_RECORD];
  char* text = calloc(wish == NULL ? 1 : strlen(wish) + 1, 1);
  apl_recorder_options ro = apl_recorder_options_default();
  const bool quiet = args->value[RUN_QUIET] != NULL;
  progress p = {.from = o->from,
                .to = o->to,
                .every = o->output_every,
                .bar = isatty(STDERR_FILENO) != 0 && !quiet,
                .told = quiet,
                .worked = worked(),
                .mark_t = o->from,
                .file = args->file[0]};
  apl_recorder* recorder = NULL;
  apl_run_report report = {0};
  apl_error err = {0};
  int code = CLI_FAILED;

  o->output = output;
  o->poll = poll;
  o->poll_every = 16;
  o->user = &p;
  if (text == NULL) {
    fprintf(stderr, "appell run: out of memory\n");
  } else if (!wishes(args, text, word, &ro)) {
    code = CLI_USAGE;
  } else if (apl_recorder_new(file, system, o, &ro, &recorder, &err) != APL_OK) {
    cli_complain(&err);
  } else {
    const double began = p.began = seconds();
    heed_signals();
    const apl_status st = apl_recorder_run(recorder, &report, &err);

    if (p.bar) fprintf(stderr, "\n");
    if (st == APL_OK) code = CLI_OK;
    if (st != APL_OK && apl_recorder_place(recorder)[0] != '\0') {
      fprintf(stderr, "%s: the result up to this time was kept in '%s'\n", args->file[0],
              apl_recorder_place(recorder));
    }
    /* an output that waited for its reader may have failed because of the signal */
    if (st != APL_OK && interrupted != 0) code = CLI_SIGNAL + interrupted;
    if (st == APL_ERR_STOPPED && interrupted != 0) {
      fprintf(stderr, "%s: stopped at t = %.9g s\n", args->file[0], report.t);
    } else if (st != APL_OK && err.line > 0) {
      fprintf(stderr, "%s:%d:%d: %s\n", args->file[0], err.line, err.column, err.text);
    } else if (st != APL_OK) {
      fprintf(stderr, "%s: %s\n", args->file[0], err.text);
    }
    if (quiet) {
      for (int i = 0; i < apl_recorder_nwarning(recorder); ++i)
        fprintf(stderr, "%s: warning: %s\n", args->file[0], apl_recorder_warning(recorder, i));
    } else if (st == APL_OK || report.steps > 0)
      tell(args, recorder, file, apl_system_model(system), &report, seconds() - began);
  }
  apl_recorder_free(recorder);
  free(text);
  return code;
}

/* The same run in real time, on a live page. */
static int show_live(const cli_args* args, const apl_file* file, const apl_model* model,
                     const apl_run_options* o) {
  const char *word[MOST_WORDS], *wish = args->value[RUN_RECORD];
  char* text = calloc(wish == NULL ? 1 : strlen(wish) + 1, 1);
  live_job job = {.path = args->file[0],
                  .file = file,
                  .model = model,
                  .run = *o,
                  .record = apl_recorder_options_default(),
                  .interrupted = is_interrupted};
  double port = 0.0;
  int code = CLI_USAGE;

  if (args->value[RUN_RESUME] != NULL || args->value[RUN_EVERY] != NULL) {
    cli_misuse("run", "--live cannot be used with --resume or --output-every");
  } else if (!number(args, RUN_PORT, "1", 0.0, &port) || port > 65535.0) {
    cli_misuse("run", "--port is a number from 0 to 65535");
  } else if (text != NULL && wishes(args, text, word, &job.record)) {
    job.port = (int)port;
    if (args->value[RUN_TO] == NULL) job.run.to = job.run.from; /* until it is ended */
    heed_signals();
    code = live_run(&job);
    if (interrupted != 0) code = CLI_SIGNAL + interrupted;
  }
  free(text);
  return code;
}

/* Adaptive methods have no fixed step; the step of the file belongs to its own integrator. */
static bool step_fits(const cli_args* args, apl_run_options* o) {
  if (!apl_method_adapts(o->method)) return true;
  o->step = 0.0;
  if (args->value[RUN_STEP] == NULL) return true;
  char fixed[120];
  apl_fixed_methods("and", fixed, sizeof fixed);
  fprintf(stderr,
          "appell run: --step is only for %s; '%s' chooses its own steps (see --tolerance)\n",
          fixed, o->method);
  return false;
}

static int run(const cli_args* args) {
  apl_file* file;
  apl_model* model;

  apl_load_options load = apl_load_options_default();
  if (!cli_base(args->value[RUN_BASE], &load)) return CLI_USAGE;
  cli_settings(args, &load);
  if (!cli_load(args->file[0], &load, &file, &model)) return CLI_FAILED;

  apl_run_options o = apl_file_options(file);
  if (args->value[RUN_METHOD] != NULL) o.method = args->value[RUN_METHOD];

  int code = CLI_USAGE;
  if (number(args, RUN_TO, "s", 0.0, &o.to) && step_fits(args, &o) &&
      number(args, RUN_TOLERANCE, "1", 1e-15, &o.tolerance) &&
      number(args, RUN_STEP, "s", 1e-12, &o.step) &&
      number(args, RUN_EVERY, "s", 0.0, &o.output_every) &&
      number(args, RUN_MEMORY, "1", 1e-9, &o.memory_limit)) {
    apl_system* system = NULL;
    apl_report mistakes = {0};
    if (args->value[RUN_LIVE] != NULL) {
      code = show_live(args, file, model, &o);
    } else if (apl_file_system(file, model, APL_READY, &system, &mistakes) == APL_OK) {
      code = simulate(args, file, system, &o);
    } else {
      cli_print_report(args->file[0], &mistakes);
      code = CLI_FAILED;
    }
    apl_system_free(system);
  }
  apl_model_free(model);
  apl_file_free(file);
  return code;
}

const cli_command cli_run = {
    .name = "run",
    .line = "Simulate a robot and check its energy balance",
    .files = "MODEL",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
};
