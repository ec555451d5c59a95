/* cmd_run.c: `appell run`: simulate a model, record it, audit it. */
#define _XOPEN_SOURCE 700 /* sigaction */
#include "cli/bending.h"
#include "cli/impacts.h"
#include "cli/page.h"
#include "cli/pictures.h"
#include "cli/reactions.h"

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
  RUN_JSON,
  RUN_BASE,
  RUN_SET
};

static const cli_option options[] = {
    [RUN_TO] = {"--to", NULL, "T", "end of the run [s]; run.to of the file without it"},
    [RUN_RESULT] = {"--output", "-o", "FILE.h5", "record the run (HDF5, docs/formats/result.md)"},
    [RUN_CSV] = {"--csv", NULL, "FILE.csv", "record the run as CSV; - is the standard output"},
    [RUN_HTML] = {"--html", NULL, "FILE.html", "write a page that replays the run in a browser"},
    [RUN_METHOD] = {"--integrator", NULL, "NAME", "rkf45, rkf78, dop853, adams, bdf, rk4 ..."},
    [RUN_TOLERANCE] = {"--tolerance", NULL, "X", "relative tolerance of adaptive integrators"},
    [RUN_STEP] = {"--step", NULL, "H", "step of fixed-step integrators [s]"},
    [RUN_EVERY] = {"--output-every", NULL, "DT", "time between outputs [s]"},
    [RUN_CHECKPOINT] = {"--checkpoint-every", NULL, "N",
                        "with -o: outputs between places to resume from (100; 0: none)"},
    [RUN_RESUME] = {"--resume", NULL, "FILE.h5.part",
                    "go on where an earlier run with -o was killed or stopped"},
    [RUN_JSON] = {"--json", NULL, NULL, "print the summary and the impacts for programs"},
    [RUN_BASE] = {"--base", NULL, "fixed|floating", "what the root of a URDF stands on"},
    [RUN_SET] = CLI_SET,
    CLI_ALLOW,
    {NULL, NULL, NULL, NULL},
};

/* Set by Ctrl-C: the run ends after the present output, in order. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number) {
  (void)number;
  interrupted = 1;
}

/* What the outputs go to. */
typedef struct sink {
  const apl_model* model;
  apl_record* record;
  apl_csv* csv;
  cli_reactions* reactions;
  cli_bending* bending;
  cli_page* page;
  apl_result* earlier; /* to resume, or NULL                                                    */
  int nstate;
  apl_channel* channel;
  double* row;
  int n;
  cli_impacts impacts;
  double from, to, first; /* first: the ledger's sum at the start                                 */
  bool bar;
  apl_error err;
} sink;

/* --------------------------------------------------------------------------------- channels ----
 */

/* time, coordinates, velocities, inputs, tendons, reactions, ledger: one list for all files */
static const apl_channel ledger_channels[] = {
    {"ledger.kinetic", "J", "kinetic energy"},
    {"ledger.potential", "J", "potential energy"},
    {"ledger.error", "J", "kinetic + potential - accounts - their start"},
};
enum { NLEDGER = sizeof ledger_channels / sizeof *ledger_channels };

/* of each contact */
static const apl_channel contact_channels[] = {
    {".depth", "m", "depth in the ground"},
    {".normal", "N", "force of the ground along its normal"},
    {".along", "N", "friction along the first direction of the ground"},
    {".across", "N", "friction across it"},
};
enum { NCONTACT = sizeof contact_channels / sizeof *contact_channels };

/* "arm.joint.angle", ".rate" -> "arm.joint.angle.rate", owned by the list */
static char* join(const char* name, const char* ending) {
  const size_t n = strlen(name) + strlen(ending) + 1;
  char* text = malloc(n);

  if (text != NULL) snprintf(text, n, "%s%s", name, ending);
  return text;
}

static bool make_channels(sink* s) {
  const apl_model* m = s->model;
  const int nq = apl_model_nq(m), nv = apl_model_nv(m), nu = apl_model_nu(m);
  const int ntendon = apl_model_ntendon(m), ncontact = apl_model_ncontact(m);
  int k = 0;

  s->reactions = cli_reactions_new(m);
  if (s->reactions == NULL) return false;
  s->n = 1 + nq + nv + nu + 2 * ntendon + NCONTACT * ncontact + cli_reactions_count(s->reactions) +
         NLEDGER + APL_NACCOUNT;
  s->channel = calloc((size_t)s->n, sizeof *s->channel);
  s->row = calloc((size_t)s->n, sizeof *s->row);
  if (s->channel == NULL || s->row == NULL) return false;

  s->channel[k++] = (apl_channel){"time", "s", "time"};
  for (int i = 0; i < nq; ++i) {
    s->channel[k++] = (apl_channel){apl_model_coordinate_name(m, i),
                                    apl_model_coordinate_unit(m, i), "coordinate"};
  }
  for (int i = 0; i < nv; ++i) {
    char* name = join(apl_model_velocity_name(m, i), ".rate");
    if (name == NULL) return false;
    s->channel[k++] = (apl_channel){name, apl_model_velocity_unit(m, i), "velocity"};
  }
  for (int i = 0; i < nu; ++i) {
    char* name = join(apl_model_input_name(m, i), cli_input_ending(m, i));
    if (name == NULL) return false;
    s->channel[k++] = (apl_channel){name, "1", "input"};
  }
  for (int i = 0; i < 2 * ntendon; ++i) {
    const bool tension = i >= ntendon;
    char* name = join(apl_model_tendon_name(m, i % ntendon), tension ? ".tension" : ".length");
    if (name == NULL) return false;
    s->channel[k++] = (apl_channel){name, tension ? "N" : "m", "tendon"};
  }
  for (int i = 0; i < NCONTACT * ncontact; ++i) {
    const apl_channel* c = &contact_channels[i % NCONTACT];
    char* name = join(apl_model_contact_name(m, i / NCONTACT), c->name);
    if (name == NULL) return false;
    s->channel[k++] = (apl_channel){name, c->unit, c->sentence};
  }
  cli_reactions_channels(s->reactions, s->channel + k);
  k += cli_reactions_count(s->reactions);
  for (int i = 0; i < NLEDGER; ++i)
    s->channel[k++] = ledger_channels[i];
  for (int i = 0; i < APL_NACCOUNT; ++i) {
    char* name = join("ledger.", apl_account_word(i));
    if (name == NULL) return false;
    s->channel[k++] = (apl_channel){name, "J", "energy that came in this way"};
  }
  return true;
}

/* only the names made here are ours */
static void free_names(sink* s, int first, int n) {
  for (int i = first; s->channel != NULL && i < first + n; ++i)
    free((void*)(size_t)s->channel[i].name);
}

static void free_channels(sink* s) {
  const apl_model* m = s->model;
  const int v0 = 1 + apl_model_nq(m), nv = apl_model_nv(m), nu = apl_model_nu(m);

  free_names(s, v0, nv + nu + 2 * apl_model_ntendon(m) + NCONTACT * apl_model_ncontact(m));
  free_names(s, s->n - APL_NACCOUNT, APL_NACCOUNT);
  free(s->channel);
  free(s->row);
  cli_reactions_free(s->reactions);
  cli_bending_free(s->bending);
}

/* ---------------------------------------------------------------------------------- outputs ----
 */

static void draw_bar(const sink* s, double t) {
  const double part = s->to > s->from ? (t - s->from) / (s->to - s->from) : 1.0;
  const int full = (int)(part * 30.0);

  fprintf(stderr, "\r[%.*s%*s] %3.0f %%  t = %.6g s ", full, "##############################",
          30 - full, "", 100.0 * part, t);
  fflush(stderr);
}

static apl_status output(double t, const double* y, const apl_ledger* ledger, apl_system* system,
                         void* user) {
  sink* s = user;
  apl_state* state = apl_system_state(system);
  const apl_model* m = s->model;
  const int nq = apl_model_nq(m), nv = apl_model_nv(m), nu = apl_model_nu(m);
  const int ntendon = apl_model_ntendon(m);
  double* row = s->row;
  int k = 0;

  if (t == s->from) s->first = ledger->sum; /* a resumed run takes it from the checkpoint */
  row[k++] = t;
  memcpy(row + k, apl_q(state), sizeof *row * (size_t)nq), k += nq;
  memcpy(row + k, apl_v(state), sizeof *row * (size_t)nv), k += nv;
  memcpy(row + k, apl_u(state), sizeof *row * (size_t)nu), k += nu;
  apl_status st = ntendon > 0 ? apl_tendons(m, state, row + k, row + k + ntendon) : APL_OK;
  k += 2 * ntendon;
  if (st == APL_OK && apl_model_ncontact(m) > 0) st = apl_system_contacts(system);
  for (int i = 0; i < apl_model_ncontact(m); ++i) {
    const double* touch = apl_touch(state) + APL_TOUCH * i;
    row[k++] = touch[APL_TOUCH_DEPTH];
    memcpy(row + k, touch + APL_TOUCH_FORCE, 3 * sizeof *row), k += 3;
  }
  if (st == APL_OK) st = cli_reactions_row(s->reactions, t, y, system, row + k);
  k += cli_reactions_count(s->reactions);
  cli_bending_look(s->bending, t, system);
  row[k++] = ledger->kinetic;
  row[k++] = ledger->potential;
  row[k++] = ledger->sum - s->first;
  for (int i = 0; i < APL_NACCOUNT; ++i)
    row[k++] = ledger->account[i];

  if (st == APL_OK && s->record != NULL) st = apl_record_row(s->record, row, &s->err);
  if (st == APL_OK && s->csv != NULL) st = apl_csv_row(s->csv, row, &s->err);
  if (st == APL_OK && s->page != NULL && !cli_page_add(s->page, t, row, state)) st = APL_ERR_MEMORY;
  if (s->bar) draw_bar(s, t);
  if (st == APL_OK && interrupted) st = APL_ERR_STOPPED;
  return st;
}

/* An impact becomes a line of the summary and an event of the result. */
static void impact(const apl_impact* hit, apl_system* system, void* user) {
  sink* s = user;
  char text[200];
  (void)system;

  cli_impacts_add(&s->impacts, hit);
  cli_impact_text(hit, text, sizeof text);
  if (s->record != NULL && s->err.status == APL_OK) {
    apl_record_event(s->record, hit->start, apl_model_contact_name(s->model, hit->contact), text,
                     hit->speed_in, &s->err);
  }
}

static apl_status save(double t, const double* y, const double* carry, void* user) {
  sink* s = user;
  const apl_record_array extra = {"run", APL_RUN_CARRY, carry};

  return s->record == NULL ? APL_OK : apl_record_checkpoint(s->record, t, y, &extra, &s->err);
}

/* The result, with what its readers need to draw the robot. */
static bool open_record(sink* s, const char* path, const apl_file* file, const apl_run_options* o) {
  char tolerance[32], program[64];
  json_t* pictures = cli_pictures(s->model, file);
  char* text = pictures == NULL ? NULL : json_dumps(pictures, JSON_COMPACT);

  snprintf(tolerance, sizeof tolerance, "%g", o->tolerance);
  snprintf(program, sizeof program, "appell %s", apl_version());
  const apl_record_head head = {.name = apl_file_name(file),
                                .model = apl_file_text(file),
                                .program = program,
                                .integrator = o->method,
                                .tolerance = tolerance,
                                .pictures = text,
                                .channel = s->channel,
                                .nchannel = s->n,
                                .nstate = o->checkpoint == NULL ? 0 : s->nstate,
                                .extra = &(const apl_record_array){"run", APL_RUN_CARRY, NULL},
                                .nextra = o->checkpoint == NULL ? 0 : 1};
  const apl_status st = apl_record_open(path, &head, &s->record, &s->err);
  free(text);
  json_decref(pictures);
  return st == APL_OK;
}

static bool write_page(const sink* s, const char* path, const apl_file* file,
                       const apl_run_report* report) {
  return cli_page_write(s->page, path, file,
                        (cli_page_words){apl_file_name(file), apl_file_description(file),
                                         cli_page_summary(report),
                                         cli_page_impacts(s->model, &s->impacts)});
}

/* A name that promises another format than HDF5 is a mistake, or a wish for another option. */
static bool result_ok(const char* path) {
  static const char* const other[][2] = {{".csv", "--csv"}, {".html", "--html"}};
  const char* dot = path == NULL ? NULL : strrchr(path, '.');

  for (size_t i = 0; dot != NULL && i < sizeof other / sizeof *other; ++i) {
    if (strcmp(dot, other[i][0]) != 0) continue;
    fprintf(stderr,
            "appell run: -o writes HDF5, '%s' looks like something else; use %s %s, or -o FILE.h5 "
            "and `appell export`\n",
            path, other[i][1], path);
    return false;
  }
  return true;
}

static bool open_outputs(sink* s, const cli_args* args, const apl_file* file,
                         const apl_run_options* o) {
  const char* path = args->value[RUN_RESULT];

  if (path != NULL && !open_record(s, path, file, o)) return false;
  if (s->earlier != NULL && apl_record_resume(s->record, s->earlier, &s->err) != APL_OK)
    return false;
  if (args->value[RUN_HTML] != NULL) {
    s->page = cli_page_new(s->model, s->channel, s->n);
    if (s->page == NULL) {
      s->err = (apl_error){.status = APL_ERR_MEMORY, .text = "out of memory for the page"};
      return false;
    }
  }
  return args->value[RUN_CSV] == NULL ||
         apl_csv_open(args->value[RUN_CSV], s->channel, s->n, &s->csv, &s->err) == APL_OK;
}

static int warnings(const sink* s, cli_warning* out) {
  const int n = cli_reactions_warnings(s->reactions, out, CLI_MOST_WARNINGS);
  return n + cli_bending_warnings(s->bending, out + n, CLI_MOST_WARNINGS - n);
}

static void print_warnings(const sink* s, FILE* to) {
  cli_warning warning[CLI_MOST_WARNINGS];
  const int n = warnings(s, warning);

  for (int i = 0; i < n; ++i)
    fprintf(to, "warning: %s\n", warning[i].text);
}

/* Lines of the summary that every run has. */
enum { NSUMMARY = 8 };

/* Results are kept whatever became of the run, with the sentence that says what did. */
static bool close_outputs(sink* s, const char* status, const apl_run_report* report) {
  apl_summary summary[NSUMMARY + CLI_MOST_WARNINGS] = {
      {"time", report->t, "s"},
      {"steps", (double)report->steps, ""},
      {"evaluations", (double)report->evaluations, ""},
      {"energy.error", report->error, "J"},
      {"energy.error.relative", report->relative, "of the largest T + |dV| + |W|"},
      {"energy.error.mean", report->mean, "relative"},
      {"momentum.error.relative", report->momentum, "of the most there can be with that energy"},
      {"impacts", (double)report->impacts, ""},
  };
  cli_warning warning[CLI_MOST_WARNINGS];
  const int n = warnings(s, warning);
  bool ok = true;

  for (int i = 0; i < n; ++i)
    summary[NSUMMARY + i] = (apl_summary){warning[i].key, warning[i].worst, warning[i].text};
  if (s->record != NULL) {
    const char* place = apl_record_place(s->record, status);
    if (place != NULL && strcmp(status, "finished") != 0)
      fprintf(stderr, "appell run: the result, as far as it goes, is '%s'\n", place);
    ok = apl_record_close(s->record, status, summary, NSUMMARY + n, &s->err) == APL_OK;
  }
  if (s->csv != NULL && strcmp(status, "finished") == 0) {
    ok = apl_csv_close(s->csv, &s->err) == APL_OK && ok;
  } else if (s->csv != NULL) {
    ok = apl_csv_close_aside(s->csv, "failed", &s->err) == APL_OK && ok;
  }
  return ok;
}

/* The summary for programs; impacts in full. */
static void print_json(const sink* s, const apl_file* file, const apl_run_report* r,
                       const char* status, FILE* to) {
  cli_warning warning[CLI_MOST_WARNINGS];
  const int n = cli_reactions_warnings(s->reactions, warning, CLI_MOST_WARNINGS);
  json_t *warnings = json_array(), *impacts = json_array();

  for (int i = 0; i < n; ++i)
    json_array_append_new(warnings, json_string(warning[i].text));
  for (int i = 0; i < s->impacts.n; ++i)
    json_array_append_new(impacts, cli_impact_json(&s->impacts.list[i], s->model));
  json_t* root =
      json_pack("{s:s, s:s, s:f, s:I, s:I, s:f, s:f, s:f, s:f, s:o, s:o}", "name",
                apl_file_name(file), "status", status, "time", r->t, "steps", (json_int_t)r->steps,
                "evaluations", (json_int_t)r->evaluations, "energy_error", r->relative,
                "energy_error_mean", r->mean, "energy_scale", r->scale, "momentum_error",
                r->momentum, "warnings", warnings, "impacts", impacts);
  if (root != NULL) json_dumpf(root, to, JSON_INDENT(2));
  fputc('\n', to);
  json_decref(root);
}

/* ------------------------------------------------------------------------------------- run ---- */

static bool number(const cli_args* args, int option, double least, double* out) {
  const char* text = args->value[option];
  char* end;
  if (text == NULL) return true;

  const double x = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(x) || !(x >= least)) {
    fprintf(stderr, "appell run: %s wants a number of at least %g, got '%s'\n",
            options[option].name, least, text);
    return false;
  }
  *out = x;
  return true;
}

/* Places to resume from, when the run is recorded. */
static bool prepare_checkpoints(sink* s, const cli_args* args, const apl_system* system,
                                apl_run_options* o) {
  double every = 100.0;

  s->nstate = apl_system_size(system);
  if (!number(args, RUN_CHECKPOINT, 0.0, &every)) return false;
  if (args->value[RUN_RESULT] == NULL || !(every >= 1.0)) return true;
  o->checkpoint = save;
  o->checkpoint_every = every < 1e9 ? (int)every : 1000000000;
  return true;
}

/* Open the run to resume and look whether it fits. */
static bool open_earlier(sink* s, const cli_args* args, const apl_file* file, apl_resume* at) {
  const char *path = args->value[RUN_RESUME], *out = args->value[RUN_RESULT];
  if (path == NULL) return true;

  if (out == NULL || args->value[RUN_CSV] != NULL || args->value[RUN_HTML] != NULL) {
    fprintf(stderr, "appell run: --resume goes with -o FILE.h5, and without --csv and --html "
                    "(export the result afterwards)\n");
    return false;
  }
  const size_t n = strlen(out);
  if (strncmp(out, path, n) == 0 && (path[n] == '\0' || strcmp(path + n, ".part") == 0)) {
    fprintf(stderr, "appell run: -o must be another file than the one that is resumed\n");
    return false;
  }
  if (apl_result_open(path, &s->earlier, &s->err) != APL_OK) {
    cli_complain(&s->err);
    return false;
  }
  const apl_checkpoint* c = apl_result_checkpoint(s->earlier);
  if (strcmp(apl_result_text(s->earlier, APL_RESULT_MODEL), apl_file_text(file)) != 0) {
    fprintf(stderr, "%s: it is not a run of this model file as it is now\n", path);
    return false;
  }
  if (c == NULL || c->n != s->nstate || c->nextra != 1 || c->extra[0].count != APL_RUN_CARRY) {
    fprintf(stderr, "%s: it has no place to resume from\n", path);
    return false;
  }
  *at = (apl_resume){c->t, c->y, c->extra[0].value};
  s->first = at->carry[0];
  return true;
}

/* Wall time, for people only: results carry none. */
static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int simulate(const cli_args* args, const apl_file* file, const apl_model* model,
                    apl_run_options* o) {
  sink s = {.model = model, .from = o->from, .to = o->to};
  apl_system* system = NULL;
  apl_run_report report = {0};
  apl_report mistakes = {0};
  apl_error err = {0};
  apl_resume at;
  int code = CLI_FAILED;

  s.bar = isatty(STDERR_FILENO) != 0;
  s.bending = cli_bending_new(file, model);
  if (s.bending == NULL || !make_channels(&s) || apl_system_new(model, &system, &err) != APL_OK) {
    fprintf(stderr, "appell run: out of memory\n");
  } else if (apl_file_start(file, model, apl_q(apl_system_state(system)),
                            apl_v(apl_system_state(system)), &mistakes) != APL_OK ||
             apl_file_drive(file, system, &mistakes) != APL_OK ||
             apl_file_settle(file, system, 0.0, &mistakes) != APL_OK) {
    cli_print_report(args->file[0], &mistakes);
  } else if (apl_system_check(system, &err) != APL_OK) {
    fprintf(stderr, "%s: %s\n", args->file[0], err.text);
  } else if (!prepare_checkpoints(&s, args, system, o) || !open_earlier(&s, args, file, &at)) {
    code = CLI_FAILED;
  } else if (!open_outputs(&s, args, file, o)) {
    apl_record_abandon(s.record);
    cli_complain(&s.err);
  } else {
    char status[280];
    o->output = output;
    o->impact = impact;
    o->user = &s;
    if (s.earlier != NULL) o->resume = &at;
    const double began = seconds();
    const apl_status st = apl_run(system, o, &report, &err);
    const bool stopped = st == APL_ERR_STOPPED, lost = s.err.status != APL_OK;

    if (s.bar) fprintf(stderr, "\n");
    if (lost) err = s.err;
    snprintf(status, sizeof status, "%s%s",
             st == APL_OK ? "finished"
             : stopped    ? "stopped"
                          : "failed: ",
             st == APL_OK || stopped ? "" : err.text);
    bool closed = close_outputs(&s, status, &report);
    if (s.page != NULL) {
      closed = write_page(&s, args->value[RUN_HTML], file, &report) && closed;
    }
    if (st == APL_OK && closed) code = CLI_OK;
    if (st != APL_OK && !stopped) fprintf(stderr, "%s: %s\n", args->file[0], err.text);
    if (stopped) fprintf(stderr, "%s: stopped at t = %.9g s\n", args->file[0], report.t);
    if (!closed && !lost && s.err.status != APL_OK) cli_complain(&s.err);
    FILE* to =
        args->value[RUN_CSV] != NULL && strcmp(args->value[RUN_CSV], "-") == 0 ? stderr : stdout;
    if (args->value[RUN_JSON] != NULL) {
      print_json(&s, file, &report, status, to);
    } else {
      fprintf(to,
              "%s: %.6g s in %.3f s, %ld steps, %ld evaluations, ledger error %.2e of %.4g J, "
              "momentum %.2e\n",
              apl_file_name(file)[0] != '\0' ? apl_file_name(file) : args->file[0],
              report.t - o->from, seconds() - began, report.steps, report.evaluations,
              report.relative, report.scale, report.momentum);
      print_warnings(&s, to);
      cli_impacts_print(&s.impacts, model, report.impacts, to);
    }
  }
  apl_system_free(system);
  free(s.impacts.list);
  cli_page_free(s.page);
  apl_result_free(s.earlier);
  free_channels(&s);
  return code;
}

static int run(const cli_args* args) {
  apl_run_options o = apl_run_options_default();
  apl_file* file;
  apl_model* model;

  apl_load_options load = apl_load_options_default();
  if (!cli_base(args->value[RUN_BASE], &load) || !result_ok(args->value[RUN_RESULT]))
    return CLI_USAGE;
  cli_settings(args, &load);
  if (!cli_load(args->file[0], &load, &file, &model)) return CLI_FAILED;

  const apl_run_block* block = apl_file_run(file);
  o.to = block->to;
  o.method = block->integrator;
  o.tolerance = block->tolerance;
  o.step = block->step;
  o.output_every = block->output_every;
  if (args->value[RUN_METHOD] != NULL) o.method = args->value[RUN_METHOD];

  int code = CLI_USAGE;
  if (number(args, RUN_TO, 0.0, &o.to) && number(args, RUN_TOLERANCE, 1e-15, &o.tolerance) &&
      number(args, RUN_STEP, 1e-12, &o.step) && number(args, RUN_EVERY, 0.0, &o.output_every)) {
    struct sigaction on = {.sa_handler = interrupt};
    sigemptyset(&on.sa_mask);
    sigaction(SIGINT, &on, NULL);
    code = simulate(args, file, model, &o);
  }
  apl_model_free(model);
  apl_file_free(file);
  return code;
}

const cli_command cli_run = {
    .name = "run",
    .line = "Simulate a model, record it and audit its energy",
    .files = "MODEL",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
};
