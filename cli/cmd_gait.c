/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_gait.c: `appell gait`: a crawling body of prescribed shape: the points that carry it, the
   efforts of its joints, its speed. */
#include "cli/cli.h"

#include "analyse/support.h"
#include "file/asks.h"
#include "record/record.h"
#include "spec/parts.h"
#include "system/system.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  GAIT_CSV,
  GAIT_SWITCHES,
  GAIT_JSON,
  GAIT_FROM,
  GAIT_TO,
  GAIT_EVERY,
  GAIT_SLOPE,
  GAIT_COEFFICIENT,
  GAIT_FRICTION,
  GAIT_SIMPLIFIED,
  GAIT_STIFF,
  GAIT_WAVES,
  GAIT_SET
};

static const cli_option options[] = {
    [GAIT_CSV] = {"--output", "-o", "FILE.csv",
                  "write supports, forces and efforts over time; - is the standard output, and the "
                  "summary goes to stderr"},
    [GAIT_SWITCHES] =
        {"--switches", NULL, "FILE.csv",
         "write the times at which supports change, with impulses; - is the standard output"},
    [GAIT_JSON] = {"--json", NULL, NULL, "print JSON"},
    [GAIT_FROM] = {"--from", NULL, "T", "first time [s] (0)"},
    [GAIT_TO] = {"--to", NULL, "T", "last time [s] (run.to of the model)"},
    [GAIT_EVERY] = {"--every", NULL, "T", "time between rows [s] (run.output-every of the model)"},
    [GAIT_SLOPE] = {"--slope", NULL, "DEG", "incline of the ground in degrees (that of the model)"},
    [GAIT_COEFFICIENT] = {"--coefficient", NULL, "MU", "friction coefficient (that of the ground)"},
    [GAIT_FRICTION] =
        {"--friction", NULL, "RULE",
         "friction model: stick (default), slide, or a bound: push, drag, spread, squeeze"},
    [GAIT_SIMPLIFIED] = {"--simplified", NULL, NULL,
                         "simplification of the paper: the centre of mass keeps its height"},
    [GAIT_STIFF] =
        {"--stiff", NULL, NULL,
         "all points in line carry load, shared as by stiff joints; without it two of them do"},
    [GAIT_WAVES] = {"--waves", NULL, "K", "number of waves on the body (that of the gait)"},
    [GAIT_SET] = CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* -------------------------------------------------------------------------------- options ---- */

/* An option in this unit, or with one of its own ("500 ms" in "s"). */
static bool read_number(const cli_args* args, int option, const char* unit, double* out) {
  return cli_quantity("gait", options[option].name, args->value[option], unit, -HUGE_VAL, out);
}

static bool is_stdout(const char* path) {
  return path != NULL && strcmp(path, "-") == 0;
}

/* The standard output takes one of the tables or the JSON. */
static int check_outputs(const cli_args* args) {
  const bool rows = is_stdout(args->value[GAIT_CSV]);
  const bool switches = is_stdout(args->value[GAIT_SWITCHES]);

  if (rows && switches)
    return cli_misuse("gait",
                      "-o - and --switches - both write to the standard output: choose one");
  if ((rows || switches) && args->value[GAIT_JSON] != NULL)
    return cli_misuse("gait", "--json and %s - both write to the standard output: choose one",
                      rows ? "-o" : "--switches");
  return CLI_OK;
}

static bool read_rule(const char* word, apl_support_friction* out) {
  static const char* const words[] = {
      [APL_SUPPORT_STICKS] = "stick",   [APL_SUPPORT_SLIDES] = "slide",
      [APL_SUPPORT_PUSHES] = "push",    [APL_SUPPORT_DRAGS] = "drag",
      [APL_SUPPORT_SPREADS] = "spread", [APL_SUPPORT_SQUEEZES] = "squeeze"};

  for (int i = 0; word != NULL && i < 6; ++i) {
    if (strcmp(words[i], word) != 0) continue;
    *out = (apl_support_friction)i;
    return true;
  }
  if (word == NULL) return true;
  cli_misuse("gait", "there is no friction model '%s'", word);
  return false;
}

static bool read_options(const cli_args* args, const apl_file* file, apl_support_options* o) {
  double degrees = nan("");

  *o = apl_support_options_default();
  o->to = apl_file_run(file)->to;
  o->every = apl_file_run(file)->output_every;
  o->waves = apl_file_waves(file);
  o->stiff = args->value[GAIT_STIFF] != NULL;
  if (args->value[GAIT_SIMPLIFIED] != NULL) o->variant = APL_SUPPORT_SIMPLIFIED;
  const bool ok = read_number(args, GAIT_FROM, "s", &o->from) &&
                  read_number(args, GAIT_TO, "s", &o->to) &&
                  read_number(args, GAIT_EVERY, "s", &o->every) &&
                  read_number(args, GAIT_SLOPE, "deg", &degrees) &&
                  read_number(args, GAIT_COEFFICIENT, "1", &o->coefficient) &&
                  read_number(args, GAIT_WAVES, "1", &o->waves) &&
                  read_rule(args->value[GAIT_FRICTION], &o->friction);
  o->slope = degrees * acos(-1.0) / 180.0;
  if (ok && args->value[GAIT_COEFFICIENT] != NULL && o->coefficient < 0.0) {
    cli_misuse("gait", "--coefficient: friction must not be negative, got %s",
               args->value[GAIT_COEFFICIENT]);
    return false;
  }
  return ok;
}

/* ---------------------------------------------------------------------------------- files ---- */

/* Channels of a table: fixed ones, then one for each velocity. */
typedef struct sheet {
  apl_channel* channel;
  char** name;
  double* row;
  int n, fixed;
} sheet;

static void free_sheet(sheet* s) {
  for (int i = 0; s->name != NULL && i < s->n; ++i)
    free(s->name[i]);
  free(s->name);
  free(s->channel);
  free(s->row);
}

/* Of an impulse, by that of its effort. */
static const char* effort_unit(const apl_model* m, int v) {
  return apl_model_unit(m, APL_EFFORTS, v);
}

static const char* impulse_unit(const apl_model* m, int v) {
  return strcmp(apl_model_unit(m, APL_EFFORTS, v), "N") == 0 ? "N s" : "N m s";
}

static bool make_sheet(sheet* s, const apl_model* m, const apl_channel* fixed, int nfixed,
                       const char* ending, const char* (*unit)(const apl_model*, int)) {
  const int nv = apl_model_nv(m);

  *s = (sheet){.fixed = nfixed, .n = nfixed + nv};
  s->channel = calloc((size_t)s->n, sizeof *s->channel);
  s->name = calloc((size_t)s->n, sizeof *s->name);
  s->row = calloc((size_t)s->n, sizeof *s->row);
  if (s->channel == NULL || s->name == NULL || s->row == NULL) return false;
  memcpy(s->channel, fixed, sizeof *fixed * (size_t)nfixed);
  for (int v = 0; v < nv; ++v) {
    const char* velocity = apl_model_name(m, APL_VELOCITIES, v);
    const size_t size = strlen(velocity) + strlen(ending) + 1;
    char* name = s->name[nfixed + v] = malloc(size);
    if (name == NULL) return false;
    snprintf(name, size, "%s%s", velocity, ending);
    s->channel[nfixed + v] = (apl_channel){name, unit(m, v), "effort of the joint"};
  }
  return true;
}

/* Columns of a row: time and kind, as many supports as ever carry at once, and the rest. */
enum { ROW_HEAD = 2, ROW_TAIL = 6, ROW_MOST = ROW_HEAD + 3 * APL_SUPPORT_MOST + ROW_TAIL };
static const apl_channel row_head[ROW_HEAD] = {
    {"time", "s", "time"},
    {"support.round", "1", "1: supports are arcs, 0: supports are points"},
};
static const apl_channel row_tail[ROW_TAIL] = {
    {"center.along", "m", "centre of mass along the ground"},
    {"center.above", "m", "centre of mass above the ground"},
    {"center.along.rate", "m/s", "its velocity"},
    {"center.above.rate", "m/s", "its velocity"},
    {"slip", "m/s", "velocity of the first support along the ground"},
    {"friction.use", "1", "friction over available friction"},
};
#define SUPPORT(word)                                                                              \
  {                                                                                                \
    {"support." word, "1",                                                                         \
     "number of the " word " support along the body; 0: fewer supports carry load"},               \
        {"normal." word, "N", "its normal force"}, {                                               \
      "friction." word, "N", "its friction force, up the slope"                                    \
    }                                                                                              \
  }
static const apl_channel row_support[APL_SUPPORT_MOST][3] = {
    SUPPORT("first"), SUPPORT("second"), SUPPORT("third"),   SUPPORT("fourth"),
    SUPPORT("fifth"), SUPPORT("sixth"),  SUPPORT("seventh"), SUPPORT("eighth")};

/* At least three columns, so that tables of most gaits have the same layout. */
static int most_supports(const apl_support* s) {
  int most = 3;

  for (int i = 0; i < apl_support_nrow(s); ++i) {
    const int n = apl_support_row_at(s, i)->nsupport;
    most = n > most ? n : most;
  }
  return most;
}

/* The channels before those of efforts; returns their number. */
static int row_channels(const apl_support* s, apl_channel* out) {
  const int n = most_supports(s);

  memcpy(out, row_head, sizeof row_head);
  for (int what = 0; what < 3; ++what) {
    for (int k = 0; k < n; ++k)
      out[ROW_HEAD + what * n + k] = row_support[k][what];
  }
  memcpy(out + ROW_HEAD + 3 * n, row_tail, sizeof row_tail);
  return ROW_HEAD + 3 * n + ROW_TAIL;
}

static void fill_row(const apl_support* s, int i, int fixed, int nv, double* to) {
  const apl_support_row* r = apl_support_row_at(s, i);
  const int n = (fixed - ROW_HEAD - ROW_TAIL) / 3;
  const double tail[ROW_TAIL] = {r->center[0], r->center[1], r->speed[0],
                                 r->speed[1],  r->slip,      r->use};

  memset(to, 0, sizeof *to * (size_t)fixed);
  to[0] = r->t;
  to[1] = r->arc;
  for (int k = 0; k < r->nsupport; ++k) {
    to[ROW_HEAD + k] = r->support[k];
    to[ROW_HEAD + n + k] = r->normal[k];
    to[ROW_HEAD + 2 * n + k] = r->friction[k];
  }
  memcpy(to + ROW_HEAD + 3 * n, tail, sizeof tail);
  memcpy(to + fixed, apl_support_effort(s, i), sizeof *to * (size_t)nv);
}

enum { SWITCH_FIXED = 11 };
static const apl_channel switch_channels[SWITCH_FIXED] = {
    {"time", "s", "time"},
    {"support.round", "1", "1: supports are arcs, 0: supports are points"},
    {"before.first", "1", "first support before"},
    {"before.second", "1", "second support before"},
    {"after.first", "1", "first support after"},
    {"after.second", "1", "second support after"},
    {"center.along", "m", "centre of mass along the ground"},
    {"lift", "m/s", "upward jump of the velocity of the centre of mass"},
    {"turn", "rad/s", "jump of the angular velocity of the base"},
    {"impulse.first", "N s", "impulse of the ground on the first support"},
    {"impulse.second", "N s", "impulse of the ground on the second support"},
};

static void fill_switch(const apl_support* s, int i, int fixed_count, int nv, double* to) {
  const apl_support_switch* w = apl_support_switch_at(s, i);
  const double fixed[SWITCH_FIXED] = {w->t,        w->arc,        w->before[0], w->before[1],
                                      w->after[0], w->after[1],   w->center,    w->lift,
                                      w->turn,     w->impulse[0], w->impulse[1]};

  (void)fixed_count;
  memcpy(to, fixed, sizeof fixed);
  memcpy(to + SWITCH_FIXED, apl_support_impulse(s, i), sizeof *to * (size_t)nv);
}

static bool write_sheet(const char* path, sheet* t, const apl_support* s, int rows, int nv,
                        void (*fill)(const apl_support*, int, int, int, double*)) {
  apl_csv* csv = NULL;
  apl_error err = {0};
  apl_status st = apl_csv_open(path, t->channel, t->n, &csv, &err);

  for (int i = 0; i < rows && st == APL_OK; ++i) {
    fill(s, i, t->fixed, nv, t->row);
    st = apl_csv_row(csv, t->row, &err);
  }
  if (st == APL_OK) {
    st = apl_csv_close(csv, &err);
  } else {
    apl_csv_abandon(csv);
  }
  if (st != APL_OK) cli_complain(&err);
  return st == APL_OK;
}

static bool write_files(const cli_args* args, const apl_model* m, const apl_support* s) {
  const char *rows = args->value[GAIT_CSV], *switches = args->value[GAIT_SWITCHES];
  const int nv = apl_model_nv(m);
  bool ok = true;
  sheet t;

  if (rows != NULL) {
    apl_channel fixed[ROW_MOST];
    ok = make_sheet(&t, m, fixed, row_channels(s, fixed), ".effort", effort_unit) &&
         write_sheet(rows, &t, s, apl_support_nrow(s), nv, fill_row);
    free_sheet(&t);
  }
  if (switches != NULL && ok) {
    ok = make_sheet(&t, m, switch_channels, SWITCH_FIXED, ".impulse", impulse_unit) &&
         write_sheet(switches, &t, s, apl_support_nswitch(s), nv, fill_switch);
    free_sheet(&t);
  }
  return ok;
}

/* -------------------------------------------------------------------------------- summary ---- */

static double weight_of(const apl_model* m) {
  const apl_vec3 g = apl_model_gravity(m);
  return apl_model_mass(m) * sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
}

static bool is_base(const apl_model* m, int v) {
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info l = apl_model_link_info(m, i);
    if (v >= l.v0 && v < l.v0 + l.nv) return l.parent < 0;
  }
  return true;
}

/* Results that a real body on the ground could not have. Returns the number of sentences. */
enum { DOUBTS = 3, DOUBT_SIZE = 240 };
static int list_doubts(const apl_support_summary* a, double weight, char text[][DOUBT_SIZE]) {
  int n = 0;

  /* ignore round-off of the moment point */
  if (a->least_normal < -1e-9 * weight) {
    snprintf(text[n++], DOUBT_SIZE,
             "a support would have to pull with %.3g N at t = %.6g s: the body lifts off or tips "
             "over there. Later results assume supports that can pull",
             -a->least_normal, a->least_time);
  }
  if (a->use > 1.0 && a->slid == 0.0) {
    snprintf(text[n++], DOUBT_SIZE,
             "sticking needs %.3g %% of the available friction: use --friction slide",
             100.0 * a->use);
  }
  if (a->apart > 0.01 * fabs(a->distance)) {
    snprintf(text[n++], DOUBT_SIZE,
             "the distance between the supports changes, so that they cannot both stick; the "
             "second one slides %.3g m: use --friction slide",
             a->apart);
  }
  return n;
}

static void print_summary(FILE* to, const apl_model* m, const apl_support* s) {
  const apl_support_summary a = apl_support_summarise(s);

  fprintf(to, "distance        %.6g m in %.6g s, mean speed %.6g m/s\n", a.distance, a.time,
          a.speed);
  if (isfinite(a.step))
    fprintf(to, "step            %.6g m per cycle of %.6g s\n", a.step, a.cycle);
  fprintf(to, "supports        %d switches", apl_support_nswitch(s));
  if (a.impulse_velocity >= 0)
    fprintf(to, ", largest joint impulse %.6g %s at %s", a.impulse,
            impulse_unit(m, a.impulse_velocity),
            apl_model_name(m, APL_VELOCITIES, a.impulse_velocity));
  fprintf(to, "\n                least normal force %.6g N\n", a.least_normal);
  fprintf(to, "friction        at most %.3g %% of the available friction%s\n", 100.0 * a.use,
          a.use > 1.0 ? ": it cannot hold" : "");
  fprintf(to, "                slides %.6g m, loses %.6g J\n", a.slid, a.loss);
  fprintf(to, "work            %.6g J positive, cost of transport %.6g\n\n", a.work, a.cost);
  fprintf(to, "%-24s %12s %12s %12s %12s\n", "effort", "mean |.|", "rms", "greatest", "least");
  for (int v = 0; v < apl_model_nv(m); ++v) {
    const apl_support_joint j = apl_support_joint_at(s, v);
    if (is_base(m, v)) continue;
    fprintf(to, "%-24s %12.6g %12.6g %12.6g %12.6g %s\n", apl_model_name(m, APL_VELOCITIES, v),
            j.mean, j.rms, j.most, j.least, apl_model_unit(m, APL_EFFORTS, v));
  }
  fprintf(to, "Efforts between changes of support, not filtered; impulses at these changes are not "
              "included.\n");
}

static json_t* number(double x) {
  return isfinite(x) ? json_real(x) : json_null();
}

static bool print_json(const apl_model* m, const apl_support* s) {
  const apl_support_summary a = apl_support_summarise(s);
  json_t* joints = json_object();

  for (int v = 0; v < apl_model_nv(m); ++v) {
    const apl_support_joint j = apl_support_joint_at(s, v);
    if (is_base(m, v)) continue;
    json_object_set_new(joints, apl_model_name(m, APL_VELOCITIES, v),
                        json_pack("{s:f, s:f, s:f, s:f}", "mean_abs", j.mean, "rms", j.rms,
                                  "greatest", j.most, "least", j.least));
  }
  char doubt[DOUBTS][DOUBT_SIZE];
  const int ndoubt = list_doubts(&a, weight_of(m), doubt);
  json_t* doubts = json_array();
  for (int i = 0; i < ndoubt; ++i)
    json_array_append_new(doubts, json_string(doubt[i]));
  json_t* all = json_pack(
      "{s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:o}", "time",
      number(a.time), "distance", number(a.distance), "speed", number(a.speed), "step",
      number(a.step), "cycle", number(a.cycle), "switches", apl_support_nswitch(s),
      "largest_impulse", number(a.impulse), "least_normal", number(a.least_normal), "friction_use",
      number(a.use), "slid", number(a.slid), "friction_loss", number(a.loss), "positive_work",
      number(a.work), "cost_of_transport", number(a.cost), "filter", "none", "efforts", joints,
      "warnings", doubts);
  char* text = all == NULL ? NULL : json_dumps(all, JSON_INDENT(1) | JSON_REAL_PRECISION(15));
  if (text != NULL) puts(text);
  if (text == NULL) fprintf(stderr, "appell: out of memory for the summary\n");
  free(text);
  json_decref(all);
  return text != NULL;
}

static int work(const cli_args* args, const apl_file* file, apl_system* system) {
  const apl_model* m = apl_system_model(system);
  apl_support_options o;
  apl_support* s = NULL;
  apl_error err = {0};

  if (!read_options(args, file, &o)) return CLI_USAGE;
  if (apl_support_new(system, &o, &s, &err) != APL_OK) {
    fprintf(stderr, "%s: %s\n", args->file[0], err.text);
    return CLI_FAILED;
  }
  const apl_support_summary a = apl_support_summarise(s);
  char doubt[DOUBTS][DOUBT_SIZE];
  const int ndoubt = list_doubts(&a, weight_of(m), doubt);
  for (int i = 0; i < ndoubt; ++i)
    fprintf(stderr, "%s: warning: %s\n", args->file[0], doubt[i]);
  bool ok = write_files(args, m, s);
  if (args->value[GAIT_JSON] != NULL) {
    ok = print_json(m, s) && ok;
  } else {
    const bool table = is_stdout(args->value[GAIT_CSV]) || is_stdout(args->value[GAIT_SWITCHES]);
    print_summary(table ? stderr : stdout, m, s); /* the standard output is one table, or none */
  }
  apl_support_free(s);
  return ok ? CLI_OK : CLI_FAILED;
}

static int run(const cli_args* args) {
  apl_load_options load = apl_load_options_default();
  apl_file* file;
  apl_model* model;
  apl_system* system = NULL;
  apl_report mistakes = {0};
  int code = check_outputs(args);

  if (code != CLI_OK) return code;
  code = CLI_FAILED;
  cli_settings(args, &load);
  if (!cli_load(args->file[0], &load, &file, &model)) return CLI_FAILED;
  if (apl_file_system(file, model, 0, &system, &mistakes) != APL_OK) {
    cli_print_report(args->file[0], &mistakes);
  } else {
    code = work(args, file, system);
  }
  apl_system_free(system);
  apl_model_free(model);
  apl_file_free(file);
  return code;
}

const cli_command cli_gait = {
    .name = "gait",
    .line = "Analyse a crawling snake or worm: supports, torques, friction",
    .files = "MODEL",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
    .notes =
        "The model is attached to the world by one planar joint; all other joints have a motion or "
        "a\n"
        "gait. Its contacts are points, spheres or arcs in order along the body, on one ground.\n"
        "Parameters of the gait are changed by --set: gaits.0.waves=3, gaits.0.winding=\"45 "
        "deg\".\n"
        "\n"
        "Two supports carry the body. When others take over, velocities jump, and the impulses "
        "are\n"
        "reported. With `stick`, supports share the friction force as they share the normal "
        "force;\n"
        "`slide` is Coulomb's law. Bounds: full friction forwards (push) or backwards (drag) on "
        "both\n"
        "supports, or in opposite directions (spread: backwards on the first, squeeze: forwards "
        "on\n"
        "it). Theory: docs/theory/support.md\n",
};
