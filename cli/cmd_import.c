/* cmd_import.c: URDF -> model file, with a line about every element. */
#include "cli/cli.h"

enum { OUTPUT, BASE, QUIET };
static const cli_option options[] = {
    {"--output", "-o", "FILE", "write the model file there, and the report to stdout"},
    {"--base", NULL, "WORD", "what the root link stands on: fixed (default) or floating"},
    {"--quiet", "-q", NULL, "no report"},
    {NULL, NULL, NULL, NULL},
};

static void print_notes(FILE* to, const char* path, const apl_file* file) {
  int count[4] = {0};

  for (int i = 0; i < apl_file_nnote(file); ++i) {
    const apl_note* n = apl_file_note(file, i);
    fprintf(to, "%s:%d: %s: %s\n", path, n->line, apl_verdict_word(n->verdict), n->text);
    ++count[n->verdict];
  }
  fprintf(to, "%s: %d kept, %d translated, %d ignored\n", path, count[APL_KEPT],
          count[APL_TRANSLATED], count[APL_IGNORED]);
}

static int run(const cli_args* args) {
  const char* path = args->file[0];
  const char* output = args->value[OUTPUT];
  apl_file* file;
  apl_model* model;

  if (!cli_base_ok(args->value[BASE])) return CLI_USAGE;
  if (!cli_load(path, args->value[BASE], &file, &model)) return CLI_FAILED;
  apl_model_free(model);

  /* a model file has no notes, and its start and run blocks would be lost */
  if (apl_file_nnote(file) == 0) {
    fprintf(stderr, "%s: is a model file already\n", path);
    apl_file_free(file);
    return CLI_FAILED;
  }

  /* without -o the model file itself is the result, so the report steps aside */
  char* text = apl_spec_write(apl_file_spec(file));
  if (args->value[QUIET] == NULL) print_notes(output == NULL ? stderr : stdout, path, file);
  bool ok = text != NULL;
  if (ok && output != NULL) ok = cli_write_file(output, text);
  if (ok && output == NULL) fputs(text, stdout);
  apl_text_free(text);
  apl_file_free(file);
  return ok ? CLI_OK : CLI_FAILED;
}

const cli_command cli_import = {
    .name = "import",
    .line = "Turn a URDF into a model file and tell what became of every element",
    .files = "ROBOT.urdf",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
};
