/* SPDX-License-Identifier: Apache-2.0 */
/* gait.c: `gaits` of a spec: each one gives a signal to each joint of a row. A prescribed joint
   follows its signal exactly; for another joint it is the aim of the servo. */
#include "file/drive.h"

#include "file/asks.h"
#include "signal/gait.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

/* The state while a gait is applied to a system. */
typedef struct gait_driver {
  drive_reader* drive;
  const apl_file* file;
  apl_system* system;
  const spec_gait* from;
} gait_driver;

/* Does the motion stay within the limits of the joint? The offset is sampled over the whole run. */
static bool fits(const gait_driver* g, const apl_gait* gait, int j) {
  enum { LOOKS = 256 };
  const spec_link* l = g->file->spec->link[g->from->link[j - 1]];
  const double reach = apl_gait_reach(gait, j, g->from->n);
  double low = -reach, high = reach, y[3];

  for (int k = 0; k <= LOOKS && gait->offset != NULL; ++k) {
    apl_signal_eval(gait->offset, apl_file_run(g->file)->to * k / LOOKS, y);
    low = fmin(low, y[0] - reach);
    high = fmax(high, y[0] + reach);
  }
  if (low >= l->lower[0] && high <= l->upper[0]) return true;
  return apl_form_refuse(&g->drive->form, g->from->at, "amplitude",
                         "joint %d of the gait, that of '%.60s', would move from %.4g to %.4g, but "
                         "its limits are %.4g to %.4g",
                         j, l->name, low, high, l->lower[0], l->upper[0]);
}

static bool drive_joint(const gait_driver* g, const apl_gait* gait, int j) {
  const apl_link_info l = apl_model_link_info(apl_system_model(g->system), g->from->link[j - 1]);
  apl_signal* s = NULL;
  apl_error err = {0};

  if (!fits(g, gait, j)) return false;
  if (apl_gait_signal(gait, j, g->from->n, &s, &err) == APL_OK &&
      apl_system_motion(g->system, l.q0, s, &err) == APL_OK)
    return true;
  apl_form_refuse(&g->drive->form, g->from->at, "type", "%s", err.text);
  return false;
}

/* Make a signal of the gait; also true if the gait has none. */
static bool make_signal(drive_reader* r, const spec_signal* from, const char* unit,
                        apl_signal** out) {
  r->unit = unit;
  if (from != NULL) *out = apl_drive_signal(r, from);
  return from == NULL || *out != NULL;
}

static void drive_gait(const gait_driver* g) {
  const apl_model* m = apl_system_model(g->system);
  const char* unit =
      apl_model_unit(m, APL_COORDINATES, apl_model_link_info(m, g->from->link[0]).q0);
  apl_gait gait = g->from->gait;

  if (make_signal(g->drive, g->from->offset, unit, &gait.offset) &&
      make_signal(g->drive, g->from->travel, "m", &gait.travel)) {
    for (int j = 1; j <= g->from->n && drive_joint(g, &gait, j); ++j) {
    }
  }
  apl_signal_free(gait.offset);
  apl_signal_free(gait.travel);
}

void apl_drive_gaits(const apl_file* file, apl_system* system, drive_reader* r) {
  for (int i = 0; i < file->spec->ngait; ++i) {
    const gait_driver g = {r, file, system, &file->spec->gait[i]};
    apl_form_where(&r->form, "gaits.%d.", i);
    drive_gait(&g);
  }
}

double apl_file_waves(const apl_file* file) {
  const double turn = 2.0 * acos(-1.0);
  double waves = 0.0;

  for (int i = 0; i < file->spec->ngait && waves == 0.0; ++i) {
    const spec_gait* g = &file->spec->gait[i];
    const bool serpenoid = strcmp(g->type, "serpenoid") == 0;
    waves = serpenoid ? g->gait.waves : (g->n + 1) * fabs(g->gait.pitch.step) / turn;
  }
  return waves;
}
