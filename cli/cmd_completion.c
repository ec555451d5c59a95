/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_completion.c: `appell completion`: shell completion of commands and options, from the tables
   that `--help` prints. */
#include "cli/cli.h"

#include <string.h>

static const cli_option options[] = {{NULL, NULL, NULL, NULL}};
static const char help_line[] = "Explain a command";

/* Call `each` for all options of a command. */
static void for_options(const cli_command* c, void (*each)(const cli_command*, const cli_option*)) {
  static const cli_option help = {"--help", "-h", NULL, "print this help"};

  for (const cli_option* o = c->option; o->name != NULL; ++o)
    each(c, o);
  for (const cli_option* o = cli_import_options; o->name != NULL && cli_reads_robots(c); ++o)
    each(c, o);
  each(c, &help);
}

static void bash_option(const cli_command* c, const cli_option* o) {
  (void)c;
  printf(" %s%s%s", o->name, o->letter == NULL ? "" : " ", o->letter == NULL ? "" : o->letter);
}

static void bash(void) {
  printf("# bash completion of appell: appell completion bash > "
         "~/.local/share/bash-completion/completions/appell\n"
         "_appell() {\n  local word=${COMP_WORDS[COMP_CWORD]} options=\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W \"help");
  for (int i = 0; cli_commands[i] != NULL; ++i)
    printf(" %s", cli_commands[i]->name);
  printf("\" -- \"$word\"))\n    return\n  fi\n  case ${COMP_WORDS[1]} in\n");
  for (int i = 0; cli_commands[i] != NULL; ++i) {
    printf("    %s) options=\"", cli_commands[i]->name);
    for_options(cli_commands[i], bash_option);
    printf("\" ;;\n");
  }
  printf("  esac\n  case $word in\n    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
         "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n  esac\n}\n"
         "complete -o filenames -F _appell appell\n");
}

/* A sentence inside single quotes; zsh gives brackets and colons a special meaning. */
static void quoted(const char* text, const char* special) {
  for (; *text != '\0'; ++text) {
    if (*text == '\'') {
      printf("'\\''");
    } else {
      printf("%s%c", strchr(special, *text) != NULL ? "\\" : "", *text);
    }
  }
}

static void zsh_option(const cli_command* c, const cli_option* o) {
  /* without a star zsh offers an option only once */
  const bool repeats = strcmp(o->name, "--set") == 0;
  (void)c;
  for (int k = 0; k < (o->letter == NULL ? 1 : 2); ++k) {
    printf(" \\\n        '%s%s[", repeats ? "*" : "", k == 0 ? o->name : o->letter);
    quoted(o->sentence, "[]:");
    printf("]%s'", o->value == NULL ? "" : ":value:_files");
  }
}

static void zsh(void) {
  printf("#compdef appell\n_appell() {\n  local -a commands\n  commands=(\n");
  for (int i = 0; cli_commands[i] != NULL; ++i) {
    printf("    '%s:", cli_commands[i]->name);
    quoted(cli_commands[i]->line, ":");
    printf("'\n");
  }
  printf("    'help:%s'\n  )\n", help_line);
  printf("  if (( CURRENT == 2 )) || [[ $words[2] == help ]]; then\n"
         "    _describe command commands\n    return\n  fi\n"
         "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n");
  for (int i = 0; cli_commands[i] != NULL; ++i) {
    printf("    %s)\n      _arguments", cli_commands[i]->name);
    for_options(cli_commands[i], zsh_option);
    printf(" \\\n        '*:file:_files' ;;\n");
  }
  printf("  esac\n}\n_appell \"$@\"\n");
}

static void fish_option(const cli_command* c, const cli_option* o) {
  printf("complete -c appell -n '__fish_seen_subcommand_from %s' -l %s", c->name, o->name + 2);
  if (o->letter != NULL) printf(" -s %s", o->letter + 1);
  printf("%s -d '", o->value == NULL ? "" : " -r");
  quoted(o->sentence, "");
  printf("'\n");
}

static void fish(void) {
  /* -f: no files where a command is expected */
  printf("complete -c appell -n __fish_use_subcommand -f -a help -d '%s'\n", help_line);
  for (int i = 0; cli_commands[i] != NULL; ++i) {
    printf("complete -c appell -n '__fish_seen_subcommand_from help' -f -a %s\n",
           cli_commands[i]->name);
    printf("complete -c appell -n __fish_use_subcommand -f -a %s -d '", cli_commands[i]->name);
    quoted(cli_commands[i]->line, "");
    printf("'\n");
    for_options(cli_commands[i], fish_option);
  }
}

static int run(const cli_args* args) {
  static const struct {
    const char* word;
    void (*print)(void);
  } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};

  for (size_t i = 0; i < sizeof shells / sizeof *shells; ++i) {
    if (strcmp(shells[i].word, args->file[0]) != 0) continue;
    shells[i].print();
    return CLI_OK;
  }
  return cli_misuse("completion", "the shell is bash, zsh or fish, not '%s'", args->file[0]);
}

const cli_command cli_completion = {
    .name = "completion",
    .line = "Print a completion script for bash, zsh or fish",
    .files = "bash|zsh|fish",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
    .notes = "bash: appell completion bash > ~/.local/share/bash-completion/completions/appell\n"
             "zsh:  appell completion zsh > \"${fpath[1]}/_appell\"\n"
             "fish: appell completion fish > ~/.config/fish/completions/appell.fish\n",
};
