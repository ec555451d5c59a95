/* main.c: the command `appell`: a table of commands and nothing else. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */
#include "cli/cli.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct command {
  const char* name;
  const char* line;
  int (*run)(int argc, char** argv);
} commands[] = {
    {"export", "write the rows of a result as CSV", cmd_export},
    {"plot", "draw channels of a result", cmd_plot},
};
enum { NCOMMAND = sizeof commands / sizeof *commands };

static void print_help(FILE* out) {
  fprintf(out, "usage: appell COMMAND ...\n\n");
  for (int k = 0; k < NCOMMAND; k++)
    fprintf(out, "  %-10s %s\n", commands[k].name, commands[k].line);
  fprintf(out, "\n'appell COMMAND --help' tells more; 'appell --version' prints the version.\n");
}

int main(int argc, char** argv) {
  /* a limit on file sizes is an error of a write, not the end of the program */
  signal(SIGXFSZ, SIG_IGN);

  if (argc < 2) {
    print_help(stderr);
    return CLI_USAGE;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
    print_help(stdout);
    return CLI_OK;
  }
  if (strcmp(argv[1], "--version") == 0) {
    printf("appell %s\n", apl_version());
    return CLI_OK;
  }
  for (int k = 0; k < NCOMMAND; k++) {
    if (strcmp(argv[1], commands[k].name) == 0) return commands[k].run(argc - 1, argv + 1);
  }
  fprintf(stderr, "appell: there is no command '%s'; see 'appell --help'\n", argv[1]);
  return CLI_USAGE;
}
