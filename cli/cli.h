/* cli.h: what the commands share. Each command is one file with one function; main.c has the table.
 */
#pragma once

#include <stdbool.h>

#include "appell/appell.h"

/* Exit codes of every command. */
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

int cmd_export(int argc, char** argv);
int cmd_plot(int argc, char** argv);

/* channels.c: an error of the library on stderr, as "appell: sentence"; returns CLI_FAILED. */
int cli_complain(const apl_error* err);

/* "appell: sentence" on stderr and where to find help; returns CLI_USAGE. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int cli_misuse(const char* command, const char* format, ...);

/* Channels chosen by name or pattern ("*.angle"), each once, in the order of the words. The list is
   malloc'ed; *n < 0 when a word fits nothing, which has been said on stderr. */
int* cli_choose(const apl_result* res, char* const* word, int nword, int* n);

/* A channel by its plain name, -1 and a sentence on stderr when there is none. */
int cli_find(const apl_result* res, const char* name);
