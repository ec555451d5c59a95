/* SPDX-License-Identifier: Apache-2.0 */
/* load.c: loads files and prints errors. */
#define _XOPEN_SOURCE 700 /* isatty */
#include "cli/cli.h"

#include "spec/parts.h"
#include "couple/close.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* settings of the last load, for errors about them */
static const char* const* settings;
static int nsetting;

/* --contact, --floor and --settle as settings; "" if not given */
enum { CONTACT, FLOOR, SETTLE, ADDED };
static char added[ADDED][1000];

void cli_settings(const cli_args* args, apl_load_options* options) {
  static const char** list; /* lives as long as the program, as sentences are about its items */
  const int n = args->nlist;

  options->set = settings = args->list;
  options->nset = nsetting = n;
  bool any = false;
  for (int k = 0; k < ADDED; ++k)
    any = any || added[k][0] != '\0';
  if (!any) return;
  free(list);
  list = calloc((size_t)n + ADDED, sizeof *list);
  if (list == NULL) return;
  /* --set comes after --floor and --settle, so that it can change their values */
  nsetting = 0;
  for (int k = 0; k < ADDED; ++k) {
    if (k != CONTACT && added[k][0] != '\0') list[nsetting++] = added[k];
  }
  for (int i = 0; i < n; ++i)
    list[nsetting++] = args->list[i];
  if (added[CONTACT][0] != '\0') list[nsetting++] = added[CONTACT];
  options->set = settings = list;
  options->nset = nsetting;
}

/* A word is the law of normal forces; `restitution` without a number means no rebound. Pairs of
   shapes without a closed form, frequent in URDF robots, give a warning and are left out. */
static void read_contact(const char* law) {
  char* contact = added[CONTACT];
  const size_t size = sizeof added[CONTACT];

  contact[0] = '\0';
  if (law == NULL) return;
  if (law[0] == '{') {
    snprintf(contact, size, "collide=[{unknown: leave-out, %s]", law + 1);
  } else {
    snprintf(contact, size, "collide=[{unknown: leave-out, law: {normal: %s}}]", law);
  }
}

/* LAW, LAW,FRICTION, or an entry of grounds. */
static void read_floor(const char* law) {
  added[FLOOR][0] = '\0';
  if (law != NULL) apl_floor_setting(law, added[FLOOR], sizeof added[FLOOR]);
}

const cli_option cli_import_options[CLI_NIMPORT + 1] = {
    [CLI_STRICT] = {"--strict", NULL, NULL,
                    "refuse doubtful values of a URDF instead of warning; run: fail if the energy "
                    "error exceeds "
                    "its limit"},
    [CLI_PACKAGES] =
        {"--package-path", NULL, "DIRS",
         "URDF: folders, separated by :, in which package:// is searched, before those of "
         "ROS_PACKAGE_PATH"},
    [CLI_VERBOSE] = {"--verbose", "-v", NULL, "URDF: print all warnings, not only the first few"},
    [CLI_ALLOW] = {"--allow-files", NULL, "DIRS",
                   "allow the model to read files in these folders (separated by :) too, not only "
                   "in its own"},
    [CLI_CONTACT] =
        {"--contact", NULL, "LAW",
         "make all shapes touch with this contact law: a name (restitution) or an entry of collide "
         "({law: {normal: hertz, stiffness: 1e6}})"},
    [CLI_ACTUATORS] =
        {"--actuators", NULL, "effort|position|velocity|file",
         "URDF: motors for all joints with an effort limit, which bounds them: an input "
         "each, a servo that holds the start pose, a servo of the velocity, or what "
         "ros2_control or transmission say"},
    [CLI_HOLD] = {"--hold", NULL, NULL,
                  "URDF: servos hold the start pose (short for --actuators position)"},
    [CLI_FLOOR] =
        {"--floor", NULL, "LAW[,FRICTION]",
         "URDF: a floor at z = 0 that balls, capsules, boxes and cylinders of <collision> "
         "touch, with this contact law and coefficient of friction (restitution,0.8) or an "
         "entry of grounds ({law: {normal: hertz, stiffness: 1e6}})"},
    [CLI_SETTLE] = {"--settle", NULL, NULL,
                    "put a floating robot on its ground: `start: {settle: true}`"},
    [CLI_NIMPORT] = {NULL, NULL, NULL, NULL},
};

static bool strict, verbose;
static const char *actuators, *hold;
static const char* allow;
static char packages[8192];

void cli_import_values(const char* const value[CLI_NIMPORT]) {
  const char* ros = getenv("ROS_PACKAGE_PATH");

  strict = value[CLI_STRICT] != NULL;
  allow = value[CLI_ALLOW];
  verbose = value[CLI_VERBOSE] != NULL;
  actuators = value[CLI_ACTUATORS];
  hold = value[CLI_HOLD];
  read_contact(value[CLI_CONTACT]);
  read_floor(value[CLI_FLOOR]);
  snprintf(added[SETTLE], sizeof added[SETTLE], "%s",
           value[CLI_SETTLE] == NULL ? "" : "start.settle=true");
  snprintf(packages, sizeof packages, "%s:%s",
           value[CLI_PACKAGES] == NULL ? "" : value[CLI_PACKAGES], ros == NULL ? "" : ros);
}

const char* cli_colour_code(cli_colour colour) {
  static const char* const code[CLI_NCOLOUR] = {"\033[0m", "\033[31m", "\033[33m"};
  const char* none = getenv("NO_COLOR");
  const bool shown = isatty(STDERR_FILENO) != 0 && (none == NULL || none[0] == '\0');

  return shown ? code[colour] : "";
}

/* "arm.yaml:3:5: sentence" */
static void print_item(const char* file, const apl_error* e, const char* level) {
  if (e->line < 0 && -e->line <= nsetting) {
    const char* setting = settings[-e->line - 1];
    static const char* const option[ADDED] = {"--contact, as", "--floor, as", "--settle, as"};
    const char* word = "--set";
    for (int k = 0; k < ADDED; ++k) {
      if (setting == added[k]) word = option[k];
    }
    fprintf(stderr, "%s %s: %s%s\n", word, setting, level, e->text);
    return;
  }
  fprintf(stderr, "%s", file);
  if (e->line > 0) fprintf(stderr, ":%d", e->line);
  if (e->line > 0 && e->column > 0) fprintf(stderr, ":%d", e->column);
  fprintf(stderr, ": %s%s%s%s\n", cli_colour_code(level[0] == '\0' ? CLI_RED : CLI_YELLOW), level,
          level[0] == '\0' ? e->text : cli_colour_code(CLI_PLAIN),
          level[0] == '\0' ? cli_colour_code(CLI_PLAIN) : e->text);
}

void cli_print_report(const char* file, const apl_report* report) {
  for (int i = 0; i < report->warnings && i < APL_REPORT_WARNINGS; ++i)
    print_item(file, &report->warning[i], "warning: ");
  if (report->warnings > APL_REPORT_WARNINGS)
    fprintf(stderr, "%s: and %d more warnings%s\n", file, report->warnings - APL_REPORT_WARNINGS,
            verbose ? "" : "; --verbose prints all");
  for (int i = 0; i < report->count && i < APL_REPORT_MAX; ++i)
    print_item(file, &report->item[i], "");
  if (report->count > APL_REPORT_MAX)
    fprintf(stderr, "%s: and %d more errors\n", file, report->count - APL_REPORT_MAX);
}

/* With --verbose: print every doubtful value immediately. */
static void print_doubt(void* user, const apl_note* note) {
  (void)user;
  if (note->verdict == APL_DOUBTED)
    fprintf(stderr, "line %d: %s: %s\n", note->line, apl_verdict_word(note->verdict), note->text);
}

/* The values of --actuators and --hold. */
static bool read_actuators(apl_load_options* options) {
  static const char* const word[] = {NULL, "effort", "position", "velocity", "file"};
  int kind = hold != NULL ? APL_ACTUATORS_POSITION : APL_ACTUATORS_NONE;

  if (actuators != NULL) {
    kind = APL_ACTUATORS_NONE;
    for (int k = 1; k <= APL_ACTUATORS_FILE; ++k) {
      if (strcmp(word[k], actuators) == 0) kind = k;
    }
    if (kind == APL_ACTUATORS_NONE) {
      fprintf(stderr, "appell: --actuators is effort, position, velocity or file, not '%s'\n",
              actuators);
      return false;
    }
    if (hold != NULL && kind != APL_ACTUATORS_POSITION) {
      fprintf(stderr, "appell: --hold needs servos of positions, not --actuators %s\n", actuators);
      return false;
    }
  }
  options->actuators = (apl_actuators)kind;
  return true;
}

bool cli_base(const char* word, apl_load_options* options) {
  *options = apl_load_options_default();
  options->strict = strict;
  options->allow = allow;
  options->package_path = packages;
  if (verbose) options->note = print_doubt;
  options->floor = added[FLOOR][0] != '\0';
  if (!read_actuators(options)) return false;
  if (word == NULL || strcmp(word, "fixed") == 0) return true;
  options->base = APL_BASE_FLOATING;
  if (strcmp(word, "floating") == 0) return true;
  fprintf(stderr, "appell: --base is fixed or floating, not '%s'\n", word);
  return false;
}

bool cli_quantity(const char* command, const char* option, const char* text, const char* unit,
                  double least, double* out) {
  apl_error err = {0};
  double x;
  if (text == NULL) return true;

  if (apl_quantity(text, unit, &x, &err) != APL_OK) {
    fprintf(stderr, "appell %s: %s: %s\n", command, option, err.text);
  } else if (!(x >= least)) {
    fprintf(stderr, "appell %s: %s must be at least %g, got '%s'\n", command, option, least, text);
  } else {
    *out = x;
    return true;
  }
  return false;
}

/* A model from the standard input. */
static apl_status load_input(const apl_load_options* options, apl_file** file, apl_report* report) {
  const size_t most = 16 * options->max_bytes;
  char* text = malloc(most + 1);
  *file = NULL;
  if (text == NULL) return APL_ERR_MEMORY;

  const size_t n = fread(text, 1, most, stdin);
  text[n] = '\0';
  const apl_status st = apl_file_parse(text, n, options, file, report);
  free(text);
  return st;
}

bool cli_load(const char* path, const apl_load_options* options, apl_file** file,
              apl_model** model) {
  apl_report report = {0};

  *model = NULL;
  const bool input = strcmp(path, "-") == 0;
  apl_status st =
      input ? load_input(options, file, &report) : apl_file_load(path, options, file, &report);
  if (input) path = "standard input";
  if (st == APL_OK) st = apl_file_model(*file, model, &report);
  cli_print_report(path, &report);
  if (st == APL_OK) return true;

  apl_file_free(*file);
  *file = NULL;
  return false;
}

void cli_print_notes(const apl_model* m, const char* before) {
  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info info = apl_model_link_info(m, i);
    bool told = info.note == NULL;

    for (int k = 0; k < i && !told; ++k)
      told = apl_model_link_info(m, k).note == info.note;
    if (!told)
      printf("%snote: %s (%s): %s\n", before, apl_model_name(m, APL_LINKS, i), info.body,
             info.note);
  }
}

void cli_print_assembly(const apl_model* m, const apl_assembly* found, const char* before) {
  char text[320];
  if (apl_model_count(m, APL_LOOPS) == 0) return;
  printf("%sloops close to %.2g m or rad at the start", before, found->gap);
  if (found->nredundant > 0) {
    printf("; %d constraint%s depend%s on others, so that the loop forces are not unique",
           found->nredundant, found->nredundant == 1 ? "" : "s", found->nredundant == 1 ? "s" : "");
  }
  printf("\n");
  if (apl_assembly_text(m, found, text, sizeof text)[0] != '\0') printf("%s%s\n", before, text);
}
