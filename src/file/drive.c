/* SPDX-License-Identifier: Apache-2.0 */
/* drive.c: `inputs` and `motion` of a spec become the drives of a system; signals are made by
   signal.c, gaits by gait.c. */
#include "file/drive.h"

#include "file/trajectory.h"
#include "model/model_impl.h"
#include "system/system.h"

#include <math.h>

/* A bound of an input: a number, or what it is without one. */
static bool read_bound(drive_reader* r, const char* key, const spec_quantity* from, double* out) {
  return from->text == NULL || apl_quantity_form(&r->form, key, from, r->unit, out);
}

/* The limits of the joint with this velocity, if they are enforced; else NULL. */
static const spec_limits* enforced_limits(const apl_spec* spec, const apl_model* m, int velocity) {
  for (int i = 0; i < spec->nlink && velocity >= 0; ++i) {
    const apl_link_info l = apl_model_link_info(m, i);
    if (velocity >= l.v0 && velocity < l.v0 + l.nv)
      return spec->link[i]->limits.enforced ? &spec->link[i]->limits : NULL;
  }
  return NULL;
}

static void drive_input(drive_reader* r, apl_system* system, int i) {
  const spec_input* in = &r->spec->input[i];
  double least = -HUGE_VAL, greatest = HUGE_VAL;
  apl_error err = {0};

  apl_form_where(&r->form, "inputs.%.60s: ", in->name);
  r->unit = apl_model_unit(apl_system_model(system), APL_INPUTS, i);
  if (read_bound(r, "least", &in->least, &least) &&
      read_bound(r, "greatest", &in->greatest, &greatest)) {
    const int v =
        in->push ? -1 : apl_model_find(apl_system_model(system), APL_VELOCITIES, in->target);
    const spec_limits* limits = enforced_limits(r->spec, apl_system_model(system), v);
    if (limits != NULL) {
      least = fmax(least, -limits->effort / fabs(in->gain));
      greatest = fmin(greatest, limits->effort / fabs(in->gain));
    }
    if (apl_system_input_limit(system, i, least, greatest, &err) != APL_OK ||
        (limits != NULL && limits->velocity < HUGE_VAL &&
         apl_system_input_speed(system, i, v, copysign(limits->velocity, in->gain), &err) !=
             APL_OK))
      apl_drive_refuse(r, in->least.text != NULL ? in->least.at : in->at, &err);
  }
  apl_signal* s = NULL;
  if (in->value != NULL) {
    s = apl_drive_signal(r, in->value);
  } else if (in->push && apl_signal_constant(1.0, &s, &err) != APL_OK) {
    apl_drive_refuse(r, in->at, &err);
  }
  if (s != NULL && apl_system_input(system, i, s, &err) != APL_OK)
    apl_drive_refuse(r, in->value != NULL ? in->value->at : in->at, &err);
}

/* {path: FILE.csv} prescribes all velocities of a base on wheels. */
static void drive_path(drive_reader* r, apl_system* system, int link, const spec_drive* motion) {
  apl_table* table = NULL;
  apl_error err = {0};
  char path[APL_REACH_PATH];

  if (apl_reach_file(r->form.reach, motion->path, path, &err) != APL_OK ||
      apl_table_read(path, &table, &err) != APL_OK ||
      apl_system_path(system, link, table, &err) != APL_OK)
    apl_drive_refuse_table(r, motion->path_at, motion->path, &err);
  apl_table_free(table);
}

/* Has the aim of a velocity an input with a value? */
static bool has_aim_input(const apl_spec* spec, const apl_model* m, int velocity) {
  for (int i = 0; i < m->ninput && velocity >= 0; ++i) {
    if (input_is_aim(&m->input[i]) && m->input[i].target == velocity &&
        spec->input[i].value != NULL)
      return true;
  }
  return false;
}

static void drive_motion(drive_reader* r, apl_system* system, const spec_drive* motion) {
  const apl_model* m = apl_system_model(system);
  const int q = apl_model_find(m, APL_COORDINATES, motion->name),
            v = apl_file_velocity(m, motion->name);
  const int link = apl_model_find(m, APL_LINKS, motion->name);
  apl_error err = {0};

  apl_form_where(&r->form, "motion.%.60s: ", motion->name);
  if (link >= 0 && motion->path != NULL) {
    drive_path(r, system, link, motion);
    return;
  }
  if (link >= 0 || motion->path != NULL) {
    apl_report_add(r->form.report, APL_ERR_MODEL, link >= 0 ? motion->signal->at : motion->path_at,
                   "%s%s", r->form.where,
                   link >= 0
                       ? "the motion of a whole link must be {path: FILE.csv}"
                       : "a path needs the name of a link, and there is no link of this name");
    return;
  }
  if (q < 0 && v < 0) {
    apl_report_add(r->form.report, APL_ERR_MODEL, motion->at,
                   "motion: the robot has no coordinate or velocity '%.60s'", motion->name);
    return;
  }
  if (has_aim_input(r->spec, m, v >= 0 ? v : apl_model_find(m, APL_VELOCITIES, motion->name))) {
    apl_report_add(r->form.report, APL_ERR_MODEL, motion->at,
                   "motion.%.60s: an input gives this aim a value, too: remove one", motion->name);
    return;
  }
  r->unit = q >= 0 ? apl_model_unit(m, APL_COORDINATES, q) : apl_model_unit(m, APL_VELOCITIES, v);
  apl_signal* s = apl_drive_signal(r, motion->signal);
  if (s == NULL) return;
  const apl_status st =
      q >= 0 ? apl_system_motion(system, q, s, &err) : apl_system_velocity(system, v, s, &err);
  if (st != APL_OK) apl_drive_refuse(r, motion->signal->at, &err);
}

apl_status apl_file_drive(const apl_file* file, apl_system* system, apl_report* report) {
  const apl_spec* spec = file->spec;
  apl_pool pool = {0};
  const int before = report->count;
  drive_reader r = {.form = {.report = report, .pool = &pool, .reach = &file->reach}, .spec = spec};

  for (int i = 0; i < spec->ninput; ++i)
    drive_input(&r, system, i);
  for (int i = 0; i < spec->nmotion; ++i)
    drive_motion(&r, system, &spec->motion[i]);
  apl_drive_gaits(file, system, &r);
  apl_pool_free(&pool);
  return report->count == before ? APL_OK : APL_ERR_MODEL;
}
