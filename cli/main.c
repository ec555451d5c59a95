/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the table of commands, and the reading of their arguments. */
#define _XOPEN_SOURCE 700 /* SIGXFSZ */
#include "cli/cli.h"

#include "base/words.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define X(name) &cli_##name,
const cli_command* const cli_commands[] = {CLI_COMMAND_LIST(X) NULL};
#undef X

/* --------------------------------------------------------------------------------- help ---- */

static void print_help(FILE* to) {
  fprintf(to, "appell %s: dynamics of robots that bend, roll, slither and close on themselves\n\n",
          apl_version());
  fprintf(to, "usage: appell COMMAND [OPTION...] FILE...\n\n");
  for (int i = 0; cli_commands[i] != NULL; ++i)
    fprintf(to, "  %-11s %s\n", cli_commands[i]->name, cli_commands[i]->line);
  fprintf(to,
          "\nexamples:\n"
          "  appell run ROBOT.urdf --to 2 --html out.html   simulate 2 s, write a page for the "
          "browser\n"
          "  appell run MODEL.yaml -o out.h5                simulate and keep the result\n"
          "  appell plot out.h5 '*.angle'                   plot all channels that end in .angle\n"
          "\n`appell help COMMAND` explains a command. Model files: docs/formats/model.md\n");
}

/* Words from column `from` on, in lines of at most `width` letters. */
static void print_wrapped(const char* text, int from, int width) {
  int column = from;

  while (*text != '\0') {
    const int n = (int)strcspn(text, " ");
    if (column > from && column + 1 + n > width) {
      printf("\n%*s", from, "");
      column = from;
    }
    printf(" %.*s", n, text);
    column += 1 + n;
    text += n + (text[n] == ' ');
  }
  putchar('\n');
}

static void print_option(const cli_option* o) {
  char word[64];

  snprintf(word, sizeof word, "%s%s%s%s%s", o->letter == NULL ? "" : o->letter,
           o->letter == NULL ? "" : ", ", o->name, o->value == NULL ? "" : " ",
           o->value == NULL ? "" : o->value);
  printf("  %-24s", word);
  if (strlen(word) > 24) printf("\n%*s", 2 + 24, "");
  print_wrapped(o->sentence, 2 + 24, 100);
}

/* Does a command read robots? */
bool cli_reads_robots(const cli_command* c) {
  for (const cli_option* o = c->option; o->name != NULL; ++o) {
    if (strcmp(o->name, "--base") == 0) return true;
  }
  return false;
}

static void print_command_help(const cli_command* c) {
  printf("usage: appell %s [OPTION...] %s\n\n%s.\n\n", c->name, c->files, c->line);
  for (const cli_option* o = c->option; o->name != NULL; ++o)
    print_option(o);
  for (const cli_option* o = cli_import_options; o->name != NULL && cli_reads_robots(c); ++o)
    print_option(o);
  printf("  %-24s %s\n", "--help", "print this help");
  if (c->notes != NULL) printf("\n%s", c->notes);
  printf("\nexit code: 0 success, 1 the work failed, 2 wrong usage, 128 + N ended by signal N "
         "(130: Ctrl-C)\n");
}

/* ---------------------------------------------------------------------------- arguments ---- */

static int usage(const cli_command* c, const char* what, const char* word) {
  fprintf(stderr, "appell %s: %s%s; see `appell %s --help`\n", c->name, what, word, c->name);
  return CLI_USAGE;
}

/* Row of an option, -1 when there is none. `value` is what follows '=' in --name=value, or NULL. */
int cli_find_option(const cli_option* option, const char* word, const char** value) {
  const char* equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
  const size_t n = equals == NULL ? strlen(word) : (size_t)(equals - word);

  *value = equals == NULL ? NULL : equals + 1;
  for (int i = 0; option[i].name != NULL; ++i) {
    const cli_option* o = &option[i];
    if (strlen(o->name) == n && strncmp(o->name, word, n) == 0) return i;
    if (o->letter != NULL && strcmp(o->letter, word) == 0) return i;
  }
  return -1;
}

/* One whose values are all kept. */
static bool is_list(const cli_option* o) {
  const size_t n = o->value == NULL ? 0 : strlen(o->value);
  return n > 3 && strcmp(o->value + n - 3, "...") == 0;
}

/* "; did you mean 'word'? See" in buffer[96], or "; see". */
static const char* nearest(const char* word, const char* const* known, int n, char* buffer) {
  const int best = apl_word_nearest(word, known, n);

  if (best >= 0) {
    snprintf(buffer, 96, "; did you mean '%.60s'? See", known[best]);
  } else {
    snprintf(buffer, 96, "; see");
  }
  return buffer;
}

static int no_option(const cli_command* c, const char* word) {
  const char* known[CLI_MAX_OPTIONS + CLI_NIMPORT];
  char hint[96];
  int n = 0;

  for (const cli_option* o = c->option; o->name != NULL; ++o)
    known[n++] = o->name;
  for (const cli_option* o = cli_import_options; o->name != NULL && cli_reads_robots(c); ++o)
    known[n++] = o->name;
  fprintf(stderr, "appell %s: there is no option %s%s `appell %s --help`\n", c->name, word,
          nearest(word, known, n, hint), c->name);
  return CLI_USAGE;
}

/* Sort words into options and files. CLI_OK, or what to exit with. */
static int read_arguments(const cli_command* c, int argc, char** argv, cli_args* args) {
  bool only_files = false;

  for (int k = 0; k < argc; ++k) {
    const char* word = argv[k];
    if (only_files || word[0] != '-' || word[1] == '\0') {
      args->file[args->nfile++] = word;
      continue;
    }
    if (strcmp(word, "--") == 0) {
      only_files = true;
      continue;
    }
    const char* value;
    const cli_option* table = c->option;
    int i = cli_find_option(table, word, &value);
    if (i < 0 && cli_reads_robots(c)) {
      table = cli_import_options;
      i = cli_find_option(table, word, &value);
    }
    if (i < 0) return no_option(c, word);
    if (table[i].value == NULL) {
      if (value != NULL) return usage(c, "takes no value: ", table[i].name);
      value = word;
    } else if (value == NULL) {
      if (k + 1 >= argc) return usage(c, "needs a value: ", word);
      value = argv[++k];
    }
    if (table == c->option) {
      if (table[i].value != NULL) i = cli_choose_form(c, i, value);
      if (cli_is_written(&table[i]) && args->value[i] != NULL)
        return usage(c, "this output is given twice: ", value);
      args->value[i] = value;
    } else {
      args->import[i] = value;
    }
    if (is_list(&table[i])) args->list[args->nlist++] = value;
  }
  if (args->nfile < c->min) return usage(c, "needs ", c->files);
  if (args->nfile > c->max) return usage(c, "too many arguments: ", args->file[c->max]);
  return CLI_OK;
}

static int run_command(const cli_command* c, int argc, char** argv) {
  for (int k = 0; k < argc; ++k) {
    if (strcmp(argv[k], "--") == 0) break;
    if (strcmp(argv[k], "--help") == 0 || strcmp(argv[k], "-h") == 0) {
      print_command_help(c);
      return CLI_OK;
    }
  }
  cli_args args = {.file = calloc((size_t)argc + 1, sizeof *args.file),
                   .list = calloc((size_t)argc + 1, sizeof *args.list)};
  int code = CLI_FAILED;
  if (args.file == NULL || args.list == NULL) {
    fprintf(stderr, "appell %s: out of memory\n", c->name);
  } else {
    code = read_arguments(c, argc, argv, &args);
  }
  cli_import_values(args.import);
  if (code == CLI_OK) code = cli_check_own_outputs(c, &args);
  if (code == CLI_OK) code = c->run(&args);
  free(args.file);
  free(args.list);
  return code;
}

/* A failed write to stdout is an error too, such as a full disk with `>`. */
static int finish(int code) {
  const bool lost = fflush(stdout) != 0 || ferror(stdout);

  if (lost) fprintf(stderr, "appell: the output cannot be written\n");
  return lost && code == CLI_OK ? CLI_FAILED : code;
}

/* NULL, with the nearest word on stderr, when there is no such command. */
static const cli_command* find_command(const char* word) {
  const char* known[64];
  char hint[96];
  int n = 0;

  for (; cli_commands[n] != NULL; ++n) {
    if (strcmp(word, cli_commands[n]->name) == 0) return cli_commands[n];
    known[n] = cli_commands[n]->name;
  }
  fprintf(stderr, "appell: there is no command '%s'%s `appell --help`\n", word,
          nearest(word, known, n, hint));
  return NULL;
}

/* File names are printed in messages, and terminals execute control characters: no command accepts
   them. Multi-line texts of --set are allowed. */
static bool has_control(const char* text) {
  for (const unsigned char* c = (const unsigned char*)text; *c != '\0'; ++c) {
    const bool unicode = c[0] == 0xc2 && c[1] >= 0x80 && c[1] <= 0x9f; /* U+0080 to U+009F */
    if ((*c < 0x20 && *c != '\t' && *c != '\n') || *c == 0x7f || unicode) return true;
  }
  return false;
}

int main(int argc, char** argv) {
  /* exceeding a file size limit is a write error, not the end of the program */
  signal(SIGXFSZ, SIG_IGN);

  if (argc < 2) {
    print_help(stderr);
    return CLI_USAGE;
  }
  for (int i = 1; i < argc; ++i) {
    if (!has_control(argv[i])) continue;
    fprintf(stderr, "appell: argument %d contains a control character; rename the file\n", i);
    return CLI_USAGE;
  }
  const char* word = argv[1];
  const bool help = strcmp(word, "help") == 0;
  if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || (help && argc == 2)) {
    print_help(stdout);
    return finish(CLI_OK);
  }
  if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
    puts(apl_version());
    return finish(CLI_OK);
  }
  const cli_command* command = find_command(help ? argv[2] : word);
  if (command == NULL) return CLI_USAGE;
  if (!help) return finish(run_command(command, argc - 2, argv + 2));
  print_command_help(command);
  return finish(CLI_OK);
}
