/* SPDX-License-Identifier: Apache-2.0 */
/* loops.c: options of a run from the block `run` of a model file, and the closing of loops at
   the start, which must not change given initial values. */
#include "file/drive.h"

#include "model/model_impl.h"
#include "spec/file_impl.h"
#include "system/system.h"

#include <stdlib.h>
#include <string.h>

static apl_loop_options file_loops(const apl_file* file) {
  const apl_run_block* run = apl_file_run(file);
  apl_loop_options o = apl_loop_options_default();

  o.method = run->loops;
  o.stabilise = run->loop_stabilisation;
  o.frequency = run->loop_frequency;
  o.ratio = run->loop_ratio;
  o.slow = run->loop_slow;
  return o;
}

apl_run_options apl_file_options(const apl_file* file) {
  if (file == NULL) return apl_run_options_default();
  const apl_run_block* block = apl_file_run(file);
  apl_run_options o = apl_run_options_default();

  o.to = block->to;
  o.method = block->integrator;
  o.tolerance = block->tolerance;
  o.step = block->step;
  o.spectral_radius = block->spectral_radius;
  o.memory_limit = block->memory_limit;
  o.output_every = block->output_every;
  o.loops = file_loops(file);
  return o;
}

/* The coordinates and velocities that `start` names, numbered from 1 in its order. The name of a
   velocity may end with .rate. */
static void find_kept(const apl_file* file, const apl_model* m, int* keep, int* keep_rates) {
  const spec_start* start = &file->spec->start;

  for (int k = 0; k < start->nvalue; ++k) {
    const char* key = start->value[k].name;
    const int q = apl_model_find(m, APL_COORDINATES, key);
    const size_t n = strlen(key);
    if (q >= 0) keep[q] = k + 1;
    for (int i = 0; q < 0 && i < m->nv; ++i) {
      const size_t name = strlen(m->v_name[i]);
      const bool same = n >= name && strncmp(m->v_name[i], key, name) == 0;
      if (same && (n == name || strcmp(key + name, ".rate") == 0)) keep_rates[i] = k + 1;
    }
  }
}

/* Report that the given values do not allow to close a loop, at the place of this loop, and what
   the user can do. */
static void complain(const apl_file* file, const apl_error* err, apl_report* report) {
  if (file->spec->start.nvalue == 0) {
    apl_report_error(report, err, (apl_mark){0, 0});
    return;
  }
  apl_report_add(report, err->status, (apl_mark){err->line, err->column},
                 "%.185s; what may change belongs under `start: {near: ..}`", err->text);
}

apl_status apl_file_assemble(const apl_file* file, apl_system* system, double t,
                             apl_report* report) {
  const apl_model* m = apl_system_model(system);
  if (m->npart == 0) return APL_OK;

  const size_t nq = (size_t)m->nq, nv = (size_t)m->nv, size = (size_t)apl_system_size(system);
  int* keep = calloc(nq + nv, sizeof *keep);
  double* y = calloc(size, sizeof *y);
  apl_error err = {0};
  apl_status st = APL_ERR_MEMORY;

  if (keep == NULL || y == NULL) {
    apl_report_add(report, st, (apl_mark){0, 0}, "out of memory while closing loops");
  } else {
    /* set the inputs and prescribed freedoms of time t */
    apl_system_pack(system, y);
    apl_system_unpack(system, t, y);
    find_kept(file, m, keep, keep + nq);
    st = apl_system_assemble(system, keep, keep + nq, NULL, &err);
    if (st != APL_OK) complain(file, &err, report);
  }
  free(keep);
  free(y);
  return st;
}
