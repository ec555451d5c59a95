/* SPDX-License-Identifier: Apache-2.0 */
/* rest.c: see rest.h. */
#include "cli/rest.h"

#include "channel/watch.h"
#include "spec/parts.h"
#include "system/system.h"

#include <math.h>
#include <stdlib.h>

/* Evaluate inputs and prescribed freedoms at that time. */
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

void cli_rest_warn(const cli_rest* r, const char* path) {
  beam_watch* beams = apl_beam_watch_new(apl_file_spec(r->file), r->model);
  watch_warning* found = calloc(APL_MOST_WARNINGS, sizeof *found);

  if (beams != NULL && found != NULL &&
      apl_beam_watch_rest(beams, r->time, apl_system_state(r->system)) == APL_OK) {
    const int n = apl_beam_watch_warnings(beams, found, APL_MOST_WARNINGS);
    for (int i = 0; i < n; ++i)
      fprintf(stderr, "%s: warning: %s\n", path, found[i].text);
  }
  free(found);
  apl_beam_watch_free(beams);
}

void cli_rest_close(cli_rest* r) {
  apl_system_free(r->system);
  apl_model_free(r->model);
  apl_file_free(r->file);
}
