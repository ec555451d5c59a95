/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_check.c: `appell check`: checks a model file. */
#include "cli/cli.h"

#include "spec/parts.h"
#include "system/system.h"

enum { SCHEMA, DOCS, BASE, QUIET };
static const cli_option options[] = {
    {"--schema", NULL, NULL, "print the JSON Schema of model files, for editors"},
    {"--docs", NULL, NULL, "print the manual of model files, in Markdown"},
    {"--base", NULL, "fixed|floating",
     "how the root link of a URDF is attached to the world (fixed)"},
    {"--quiet", "-q", NULL, "print errors and warnings only"},
    CLI_SET,
    {NULL, NULL, NULL, NULL},
};

/* Start values, inputs and motions use names of the model, so they are read last. */
static bool check_drives(const char* path, const apl_file* file, const apl_model* model,
                         apl_assembly* loops) {
  apl_system* system;
  apl_report report = {0};
  const bool ok = apl_file_system(file, model, APL_READY, &system, &report) == APL_OK;

  cli_print_report(path, &report);
  if (ok) *loops = apl_system_assembly(system);
  apl_system_free(system);
  return ok;
}

static bool check(const char* path, const apl_load_options* load, bool quiet) {
  apl_file* file;
  apl_model* model;

  if (!cli_load(path, load, &file, &model)) return false;
  apl_assembly loops = {0};
  const bool ok = check_drives(path, file, model, &loops);
  if (ok && !quiet) {
    printf("%s: good: links %d, freedoms %d, mass %g kg\n", path, apl_model_count(model, APL_LINKS),
           apl_model_nv(model), apl_model_mass(model));
    cli_print_assembly(model, &loops, "  ");
    cli_print_notes(model, "  ");
  }
  apl_model_free(model);
  apl_file_free(file);
  return ok;
}

static int print_text(char* text) {
  if (text == NULL) {
    fprintf(stderr, "appell: out of memory\n");
    return CLI_FAILED;
  }
  fputs(text, stdout);
  apl_text_free(text);
  return CLI_OK;
}

static int run(const cli_args* args) {
  if (args->value[SCHEMA] != NULL) return print_text(apl_file_schema());
  if (args->value[DOCS] != NULL) return print_text(apl_file_manual());
  if (args->nfile == 0) {
    fprintf(stderr, "appell check: needs FILE...; see `appell check --help`\n");
    return CLI_USAGE;
  }
  apl_load_options load;
  if (!cli_base(args->value[BASE], &load)) return CLI_USAGE;
  cli_settings(args, &load);

  bool ok = true;
  for (int i = 0; i < args->nfile; ++i)
    ok = check(args->file[i], &load, args->value[QUIET] != NULL) && ok;
  return ok ? CLI_OK : CLI_FAILED;
}

const cli_command cli_check = {
    .name = "check",
    .line = "Check model files and URDFs: errors with line and column",
    .files = "FILE...",
    .max = 1 << 20,
    .option = options,
    .run = run,
};
