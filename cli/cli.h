/* cli.h: what the commands share: their table, their options, how they speak. */
#pragma once

#include "couple/close.h"

#include <stdbool.h>
#include <stdio.h>

#include <appell/appell.h>

/* exit codes; to CLI_SIGNAL the signal that ended the command is added: 130 for Ctrl-C */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_SIGNAL = 128 };

/* One row per option; a list ends with name NULL. */
typedef struct cli_option {
  const char* name;     /* "--json"                                                             */
  const char* letter;   /* "-o" or NULL                                                         */
  const char* value;    /* what it takes ("FILE"), NULL for a flag; "X..." may be given often and
                           goes to the list; "FILE.svg|.png": what an output must end in       */
  const char* sentence; /* for --help                                                           */
} cli_option;

enum { CLI_MAX_OPTIONS = 24 };

/* options of every command that reads robots: see cli_import_options */
enum {
  CLI_STRICT,
  CLI_PACKAGES,
  CLI_VERBOSE,
  CLI_ALLOW,
  CLI_CONTACT,
  CLI_ACTUATORS,
  CLI_HOLD,
  CLI_FLOOR,
  CLI_SETTLE,
  CLI_NIMPORT
};

typedef struct cli_args {
  const char* value[CLI_MAX_OPTIONS]; /* by row of the table; flags: the option itself; or NULL */
  const char* import[CLI_NIMPORT];    /* the same of cli_import_options                         */
  const char** file;
  int nfile;
  const char** list; /* values of the option that may be given often                           */
  int nlist;
} cli_args;

typedef struct cli_command {
  const char* name;
  const char* line;  /* what it does, for the list                                              */
  const char* files; /* how its arguments are called ("FILE...")                                */
  int min, max;      /* how many of them                                                        */
  const cli_option* option;
  int (*run)(const cli_args* args);
  const char* notes; /* more for --help, or NULL                                               */
} cli_command;

extern const cli_command cli_check, cli_info, cli_import, cli_run, cli_inverse, cli_equilibrium;
extern const cli_command cli_modes, cli_paper, cli_law, cli_gait, cli_plot, cli_export, cli_compare;
extern const cli_command cli_completion, cli_man, cli_view, cli_movie, cli_linearize;

/* main.c: all of them, NULL-ended, and the options that commands which read robots share. */
extern const cli_command* const cli_commands[];
bool cli_reads_robots(const cli_command* command);

/* main.c: row of an option, -1 when there is none. `value` is what follows '=' in --name=value. */
int cli_find_option(const cli_option* option, const char* word, const char** value);

/* outputs.c: does an option name a file that is written; which option of the command `-o FILE`
   stands for, by the ending of FILE; may all outputs be written, and do they end as they should? */
bool cli_is_written(const cli_option* option);
int cli_choose_form(const cli_command* command, int row, const char* path);
int cli_check_own_outputs(const cli_command* command, const cli_args* args);

/* How terminals show a word: "" where stderr is none, or NO_COLOR is set. */
typedef enum cli_colour { CLI_PLAIN, CLI_RED, CLI_YELLOW, CLI_NCOLOUR } cli_colour;
const char* cli_colour_code(cli_colour colour);

/* channels.c: an error of the library on stderr, as "appell: sentence"; returns CLI_FAILED. */
int cli_complain(const apl_error* err);

/* "appell: sentence" on stderr and where to find help; returns CLI_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int cli_misuse(const char* command, const char* format, ...);

/* Channels chosen by name or pattern ("*.angle"), each once, in the order of the words. The list is
   malloc'ed; *n < 0 when a word fits nothing, which has been said on stderr. */
int* cli_choose(const apl_result* res, const char* const* word, int nword, int* n);

/* The channels that one looks at first: joints, speeds, efforts; to be freed, NULL without memory.
 */
int* cli_first(const apl_result* res, int* n);

/* A channel by its plain name, -1 and a sentence on stderr when there is none. */
int cli_find(const apl_result* res, const char* name);

/* "file:line:column: sentence" on stderr, one line per mistake. */
void cli_print_report(const char* file, const apl_report* report);

/* What kinds of bodies leave out: each note once, with the first link it is about; `before` it. */
void cli_print_notes(const apl_model* model, const char* before);

/* How well loops were closed at the start; nothing for models without. */
void cli_print_assembly(const apl_model* model, const apl_assembly* found, const char* before);

/* Load a file and compile its robot; sentences go to stderr. On success the caller frees both. */
bool cli_load(const char* path, const apl_load_options* options, apl_file** file,
              apl_model** model);

/* The row of --set for a table of options. */
#define CLI_SET                                                                                    \
  {                                                                                                \
    "--set", NULL, "PATH=VALUE...",                                                                \
        "change a value of the model file, such as arm.body.mass=\"2 kg\"; may be repeated"        \
  }

/* The value of an option as a quantity in `unit` ("1 min" in "s") of at least `least`; *out stays
   where the text is NULL. False with a sentence on stderr. */
bool cli_quantity(const char* command, const char* option, const char* text, const char* unit,
                  double least, double* out);

/* The value of --base, which may be NULL, as an option. False with a sentence on stderr. */
bool cli_base(const char* word, apl_load_options* options);

/* Options of every command that reads robots (it has --base): how a URDF is read. Their values hold
   for all cli_base() that follow. */
extern const cli_option cli_import_options[CLI_NIMPORT + 1];
void cli_import_values(const char* const value[CLI_NIMPORT]);

/* The values of --set as options; call it behind cli_base(). */
void cli_settings(const cli_args* args, apl_load_options* options);

/* Put a text into a file: all of it or nothing. An existing file is replaced only when the new one
   is complete. False with a sentence on stderr. */
bool cli_write_file(const char* path, const char* text);

/* Whether the outputs can be written and are other files than the inputs and each other, asked
   before long work; entries may be NULL. CLI_OK, or what to exit with and a sentence on stderr.
   Commands with a table of options need not ask: main.c does. */
int cli_check_outputs(const char* const* in, int nin, const char* const* out, int nout);
