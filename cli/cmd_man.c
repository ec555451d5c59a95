/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_man.c: appell man: manual pages (roff) from the tables that `--help` prints. */
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

static const cli_option options[] = {{NULL, NULL, NULL, NULL}};

/* Text for roff: dashes are escaped, and a line must not begin with a dot or a quote. */
static void put(const char* text) {
  bool start = true;

  for (; *text != '\0'; ++text) {
    if (start && (*text == '.' || *text == '\'')) fputs("\\&", stdout);
    start = *text == '\n';
    if (*text == '-') {
      fputs("\\-", stdout);
    } else if (*text == '\\') {
      fputs("\\e", stdout);
    } else {
      putchar(*text);
    }
  }
}

static void heading(const char* name) {
  fputs(".TH ", stdout);
  for (const char* c = name; *c != '\0'; ++c)
    putchar(toupper((unsigned char)*c));
  printf(" 1 \"\" \"appell %s\" \"Appell\"\n.SH NAME\n", apl_version());
}

static void put_option(const cli_option* o) {
  fputs(".TP\n.B ", stdout);
  if (o->letter != NULL) {
    put(o->letter);
    fputs(", ", stdout);
  }
  put(o->name);
  if (o->value != NULL) printf(" \\fI%s\\fR", o->value);
  putchar('\n');
  put(o->sentence);
  putchar('\n');
}

static void page(const cli_command* c) {
  char name[64];

  snprintf(name, sizeof name, "appell-%s", c->name);
  heading(name);
  put(name);
  fputs(" \\- ", stdout);
  put(c->line);
  printf("\n.SH SYNOPSIS\n.B appell %s\n[\\fIOPTION\\fR...] ", c->name);
  put(c->files);
  fputs("\n.SH OPTIONS\n", stdout);
  for (const cli_option* o = c->option; o->name != NULL; ++o)
    put_option(o);
  for (const cli_option* o = cli_import_options; o->name != NULL && cli_reads_robots(c); ++o)
    put_option(o);
  put_option(&(cli_option){"--help", "-h", NULL, "print this help"});
  if (c->notes != NULL) {
    fputs(".SH NOTES\n.nf\n", stdout);
    put(c->notes);
    fputs(".fi\n", stdout);
  }
  fputs(".SH EXIT STATUS\n0 success, 1 the work failed, 2 wrong usage, 128 + N ended by signal "
        "N\n.SH SEE ALSO\n",
        stdout);
  fputs(".BR appell (1)\n", stdout);
}

static void overview(void) {
  heading("appell");
  fputs("appell \\- dynamics of robots that bend, roll, slither and close on themselves\n"
        ".SH SYNOPSIS\n.B appell\n\\fICOMMAND\\fR ...\n.SH COMMANDS\n",
        stdout);
  for (int i = 0; cli_commands[i] != NULL; ++i) {
    printf(".TP\n.BR appell\\-%s (1)\n", cli_commands[i]->name);
    put(cli_commands[i]->line);
    putchar('\n');
  }
  fputs(
      ".SH ENVIRONMENT\n.TP\n.B ROS_PACKAGE_PATH\nfolders where package:// of a URDF is searched\n"
      ".TP\n.B NO_COLOR\nno colours on terminals\n",
      stdout);
}

static int run(const cli_args* args) {
  if (args->nfile == 0) {
    overview();
    return CLI_OK;
  }
  for (int i = 0; cli_commands[i] != NULL; ++i) {
    if (strcmp(cli_commands[i]->name, args->file[0]) != 0) continue;
    page(cli_commands[i]);
    return CLI_OK;
  }
  return cli_misuse("man", "there is no command '%s'", args->file[0]);
}

const cli_command cli_man = {
    .name = "man",
    .line = "Print a manual page, for `man -l -`",
    .files = "[COMMAND]",
    .max = 1,
    .option = options,
    .run = run,
};
