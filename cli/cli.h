/* SPDX-License-Identifier: Apache-2.0 */
/* cli.h: shared by the commands: their table, their options, their messages. */
#pragma once

#include "couple/close.h"

#include <stdbool.h>
#include <stdio.h>

#include <appell/appell.h>

/* exit codes; the number of a signal that ended the command is added to CLI_SIGNAL: 130 for
   Ctrl-C */
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

/* All commands, in the order of `appell --help`; each stands at the foot of its file cmd_NAME.c. */
#define CLI_COMMAND_LIST(X)                                                                        \
  X(check)                                                                                         \
  X(info)                                                                                          \
  X(import)                                                                                        \
  X(run)                                                                                           \
  X(inverse)                                                                                       \
  X(equilibrium)                                                                                   \
  X(modes)                                                                                         \
  X(linearize)                                                                                     \
  X(paper)                                                                                         \
  X(law)                                                                                           \
  X(gait)                                                                                          \
  X(plot)                                                                                          \
  X(export)                                                                                        \
  X(compare)                                                                                       \
  X(completion)                                                                                    \
  X(man)                                                                                           \
  X(view)                                                                                          \
  X(movie)

#define X(name) extern const cli_command cli_##name;
CLI_COMMAND_LIST(X)
#undef X

/* main.c: all of them, NULL-ended, and the options that commands which read robots share. */
extern const cli_command* const cli_commands[];
bool cli_reads_robots(const cli_command* command);

/* main.c: row of an option, -1 when there is none. `value` is what follows '=' in --name=value. */
int cli_find_option(const cli_option* option, const char* word, const char** value);

/* outputs.c: is_written: an option names an output file; choose_form: the option that `-o FILE`
   means, by the ending of FILE; check: all outputs can be written and have the right ending. */
bool cli_is_written(const cli_option* option);
int cli_choose_form(const cli_command* command, int row, const char* path);
int cli_check_own_outputs(const cli_command* command, const cli_args* args);

/* Escape code of a colour; "" if stderr is not a terminal, or NO_COLOR is set. */
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

/* The channels of most interest: joints, speeds, efforts; to be freed, NULL without memory. */
int* cli_first(const apl_result* res, int* n);

/* A channel by its plain name, -1 and a sentence on stderr when there is none. */
int cli_find(const apl_result* res, const char* name);

/* "file:line:column: sentence" on stderr, one line per mistake. */
void cli_print_report(const char* file, const apl_report* report);

/* Limitations of body kinds: each note once, with the first link it applies to; `before` is printed
   in front. */
void cli_print_notes(const apl_model* model, const char* before);

/* How well loops were closed at the start; prints nothing for models without loops. */
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

/* The value of an option as a quantity in `unit` ("1 min" in "s") of at least `least`; *out is
   unchanged if the text is NULL. False with an error on stderr. */
bool cli_quantity(const char* command, const char* option, const char* text, const char* unit,
                  double least, double* out);

/* The value of --base, which may be NULL, as an option. False with a sentence on stderr. */
bool cli_base(const char* word, apl_load_options* options);

/* Options of every command that reads robots (it has --base): how a URDF is read. Their values hold
   for all cli_base() that follow. */
extern const cli_option cli_import_options[CLI_NIMPORT + 1];
void cli_import_values(const char* const value[CLI_NIMPORT]);

/* The values of --set as options; to be called after cli_base(). */
void cli_settings(const cli_args* args, apl_load_options* options);

/* Put a text into a file: all of it or nothing. An existing file is replaced only when the new one
   is complete. False with a sentence on stderr. */
bool cli_write_file(const char* path, const char* text);

/* Check before long work that the outputs can be written and differ from the inputs and each other;
   entries may be NULL. CLI_OK, or the exit code after an error on stderr. Commands with a table of
   options need not call it: main.c does. */
int cli_check_outputs(const char* const* in, int nin, const char* const* out, int nout);
