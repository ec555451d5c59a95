/* SPDX-License-Identifier: Apache-2.0 */
/* system.c: make a system from a file and its model, ready to run: drives, initial values, and a
   start at equilibrium if the file asks for it. */
#include "appell/analyse.h"

#include "file/asks.h"
#include "model/model_impl.h"
#include "channel/channels.h"
#include "file/drive.h"
#include "spec/file_impl.h"
#include "system/system.h"
#include "system/system_impl.h"

#include <stdlib.h>
#include <string.h>

bool apl_file_wants_equilibrium(const apl_file* file, bool* stable) {
  const spec_balance balance = file->spec->start.balance;

  if (stable != NULL) *stable = balance == BALANCE_STABLE;
  return balance != BALANCE_NONE;
}

/* Move the state to the equilibrium with the drives of time 0; velocities do not change. */
static apl_status settle(const apl_file* file, apl_system* system, apl_report* report) {
  const apl_mark at = file->spec->start.balance_at;
  apl_equilibrium_options o = apl_equilibrium_options_default();
  apl_error err = {0};
  if (!apl_file_wants_equilibrium(file, &o.stable))
    return apl_file_assemble(file, system, 0.0, report);

  apl_state* state = apl_system_state(system);
  const size_t nv = (size_t)apl_model_nv(apl_system_model(system));
  double* y = calloc((size_t)apl_system_size(system) + nv, sizeof *y);
  if (y == NULL) return apl_report_add(report, APL_ERR_MEMORY, at, "out of memory");

  /* set the inputs and prescribed freedoms of time 0 */
  double* v = y + apl_system_size(system);
  apl_system_pack(system, y);
  apl_system_unpack(system, 0.0, y);
  memcpy(v, apl_v(state), sizeof *v * nv);
  const apl_status st = apl_equilibrium(apl_system_model(system), state, &o, NULL, &err);
  memcpy(apl_v(state), v, sizeof *v * nv);
  free(y);
  if (st == APL_OK) return APL_OK;
  return apl_report_add(report, st, at, "start.equilibrium: %.200s", err.text);
}

/* Set the aims of servos that hold the initial pose to the initial coordinates. */
static void aim_at_start(const apl_file* file, apl_system* system) {
  const apl_model* m = apl_system_model(system);
  const double* q = apl_q(apl_system_state(system));
  double* aim = apl_aim(apl_system_state(system));

  for (int i = 0; i < m->nlink && i < file->spec->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    if (!file->spec->link[i]->servo_from_start || l->nq != l->nv) continue;
    for (int k = 0; k < l->nv; ++k)
      aim[l->v0 + k] = q[l->q0 + k];
  }
  for (int i = 0; i < m->ninput; ++i) {
    const apl_input* in = &m->input[i];
    if (in->kind == INPUT_AIM) apl_u(apl_system_state(system))[i] = aim[in->target];
  }
}

/* The link of a velocity, and the place of its joint or body in the file. */
static apl_mark place_of(const apl_file* file, const apl_model* m, int velocity) {
  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    const spec_marks* mark = &file->spec->link[i]->mark;
    if (velocity >= l->v0 && velocity < l->v0 + l->nv) return mark->joint;
    if (velocity >= l->xv0 && velocity < l->xv0 + l->nx) return mark->body;
  }
  return (apl_mark){0};
}

/* Report prescribed freedoms that have no motion. */
static apl_status check_driven(const apl_file* file, const apl_system* system, apl_report* report) {
  const apl_model* m = apl_system_model(system);
  apl_status st = APL_OK;

  for (int v = -1; (v = apl_system_undriven(system, v + 1)) >= 0;) {
    st = apl_report_add(report, APL_ERR_MODEL, place_of(file, m, v),
                        "'%.80s' is prescribed but has no motion",
                        apl_model_name(m, APL_VELOCITIES, v));
  }
  return st;
}

/* Report names in `record` that do not exist. */
static apl_status check_record(const apl_file* file, apl_system* system, apl_report* report) {
  apl_status all = APL_OK;

  for (int i = 0; i < file->spec->nrecord; ++i) {
    const spec_word* word = &file->spec->record[i];
    apl_error err = {0};
    channel_list* list;
    const apl_status st =
        apl_channels_new(system, &(channel_wish){.word = &word->text, .nword = 1}, &list, &err);
    apl_channels_free(list);
    if (st != APL_OK) all = apl_report_add(report, st, word->at, "record: %.200s", err.text);
  }
  return all;
}

apl_status apl_file_system(const apl_file* file, const apl_model* model, unsigned how,
                           apl_system** out, apl_report* report) {
  if (out != NULL) *out = NULL;
  if (file == NULL || model == NULL || out == NULL) {
    return apl_report_add(report, APL_ERR_ARGUMENT, (apl_mark){0, 0},
                          "apl_file_system() needs a file, a model and a place for the system");
  }
  apl_report mine = {0};
  apl_error err = {0};
  apl_system* system = NULL;

  *out = NULL;
  if (report == NULL) report = &mine;
  apl_status st = apl_system_new(model, &system, &err);
  if (st != APL_OK) return apl_report_error(report, &err, (apl_mark){0, 0});
  apl_state* state = apl_system_state(system);

  /* a path sets the initial place of its base, so drives follow the initial values */
  double *q = apl_q(state), *v = apl_v(state);
  const apl_status started = how & APL_SETTLED ? apl_file_start(file, model, q, v, report)
                                               : apl_file_guess(file, model, q, v, report);
  const apl_status driven = apl_file_drive(file, system, report);
  st = started != APL_OK ? started : driven;
  if (driven == APL_OK && (how & APL_DRIVEN)) {
    const apl_status checked = check_driven(file, system, report);
    if (st == APL_OK) st = checked;
  }
  const apl_status known = check_record(file, system, report);
  if (st == APL_OK) st = known;
  if (st == APL_OK) aim_at_start(file, system);
  if (st == APL_OK && (how & APL_SETTLED)) st = settle(file, system, report);
  /* Closing loops may have changed the initial coordinates, so set the aims again. At an
     equilibrium they must stay, since it was found with them. */
  if (st == APL_OK && (how & APL_SETTLED) && !apl_file_wants_equilibrium(file, NULL))
    aim_at_start(file, system);
  if (st != APL_OK) {
    apl_system_free(system);
    return st;
  }
  /* The caller may ask for statics or for modes before it runs: inputs and motions of time 0. */
  apl_system_drive(system, 0.0);
  *out = system;
  return APL_OK;
}
