/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_import.c: URDF -> model file, with a line about every element. */
#include "cli/cli.h"

#include "spec/parts.h"

#include <string.h>

enum { OUTPUT, BASE, QUIET };
static const cli_option options[] = {
    {"--output", "-o", "FILE.yaml|.yml",
     "write the model file there and the report to the standard output; without it the model file "
     "goes to the standard output"},
    {"--base", NULL, "fixed|floating", "how the root link is attached to the world (fixed)"},
    {"--quiet", "-q", NULL, "print no report"},
    {NULL, NULL, NULL, NULL},
};

/* The report, printed while the file is read, so that a refused file is reported too. */
typedef struct notes {
  FILE* to; /* NULL: quiet */
  const char* path;
  int count[APL_REFUSED + 1];
} notes;

static void print_note(void* user, const apl_note* note) {
  notes* n = user;

  ++n->count[note->verdict];
  if (n->to == NULL) return;
  fprintf(n->to, "%s:%d: %s: %s\n", n->path, note->line, apl_verdict_word(note->verdict),
          note->text);
}

static int run(const cli_args* args) {
  const char* path = args->file[0];
  const char* output = args->value[OUTPUT];
  if (output != NULL && strcmp(output, "-") == 0) output = NULL; /* as without it */
  apl_file* file;
  apl_model* model;
  apl_load_options load;

  /* without -o the model file goes to stdout, so the report goes to stderr */
  notes n = {.to = output == NULL ? stderr : stdout, .path = path};
  if (args->value[QUIET] != NULL) n.to = NULL;
  if (!cli_base(args->value[BASE], &load)) return CLI_USAGE;
  cli_settings(args, &load);
  load.note = print_note;
  load.user = &n;
  if (!cli_load(path, &load, &file, &model)) return CLI_FAILED;
  apl_model_free(model);

  /* a model file has no import notes, and its start and run blocks would be lost */
  bool ok = apl_file_nnote(file) > 0;
  if (!ok)
    fprintf(stderr, "%s: this is a model file already; `appell import` takes a URDF\n", path);

  /* mesh paths relative to the model file, or to the current folder */
  const apl_status seen = ok ? apl_file_seen_from(file, output == NULL ? "" : output) : APL_OK;
  if (seen != APL_OK)
    fprintf(stderr, "%s: paths of meshes cannot be written: %s\n", path, apl_status_text(seen));
  ok = ok && seen == APL_OK;
  char* text = ok ? apl_spec_write(apl_file_spec(file)) : NULL;
  if (ok && text == NULL) fprintf(stderr, "%s: out of memory\n", path);
  ok = ok && text != NULL;
  if (ok && n.to != NULL) {
    fprintf(n.to, "%s: %d kept, %d translated, %d ignored, %d doubtful\n", path, n.count[APL_KEPT],
            n.count[APL_TRANSLATED], n.count[APL_IGNORED], n.count[APL_DOUBTED]);
  }
  if (ok && output != NULL) ok = cli_write_file(output, text);
  if (ok && output == NULL) fputs(text, stdout);
  apl_text_free(text);
  apl_file_free(file);
  return ok ? CLI_OK : CLI_FAILED;
}

const cli_command cli_import = {
    .name = "import",
    .line = "Turn a URDF into a model file, with a report about every element",
    .files = "ROBOT.urdf",
    .min = 1,
    .max = 1,
    .option = options,
    .run = run,
};
