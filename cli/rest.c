/* rest.c: see rest.h. */
#include "cli/rest.h"

#include "system/system.h"

#include <math.h>
#include <stdlib.h>

/* Inputs and prescribed freedoms as they are at that time. */
static bool drive(cli_rest* r) {
  double* y = calloc((size_t)apl_system_size(r->system), sizeof *y);

  if (y == NULL) {
    fprintf(stderr, "appell: out of memory\n");
    return false;
  }
  apl_system_pack(r->system, y);
  apl_system_unpack(r->system, r->time, y);
  free(y);
  return true;
}

int cli_rest_open(cli_rest* r, const char* command, const cli_args* args, const char* base,
                  const char* time, unsigned how) {
  apl_load_options load;
  apl_report mistakes = {0};

  *r = (cli_rest){0};
  if (!cli_quantity(command, "--time", time, "s", -HUGE_VAL, &r->time) || !cli_base(base, &load))
    return CLI_USAGE;
  cli_settings(args, &load);
  if (!cli_load(args->file[0], &load, &r->file, &r->model)) return CLI_FAILED;

  if (apl_file_system(r->file, r->model, how, &r->system, &mistakes) != APL_OK) {
    cli_print_report(args->file[0], &mistakes);
    return CLI_FAILED;
  }
  return drive(r) ? CLI_OK : CLI_FAILED;
}

void cli_rest_close(cli_rest* r) {
  apl_system_free(r->system);
  apl_model_free(r->model);
  apl_file_free(r->file);
}
