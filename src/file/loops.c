/* loops.c: what the block `run` of a model file says, and which start values are to stay when
   loops are closed. */
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
  const apl_run_block* block = apl_file_run(file);
  apl_run_options o = apl_run_options_default();

  o.to = block->to;
  o.method = block->integrator;
  o.tolerance = block->tolerance;
  o.step = block->step;
  o.spectral_radius = block->spectral_radius;
  o.output_every = block->output_every;
  o.loops = file_loops(file);
  return o;
}

/* Coordinate q stays: its part of the tangent, or all of its joint's where they are not the same.
 */
static void keep_coordinate(const apl_model* m, int q, int level, int* keep) {
  for (int i = 0; i < m->nlink; ++i) {
    const apl_link_info* l = &m->link[i];
    const bool joint = q >= l->q0 && q < l->q0 + l->nq;
    if (joint && l->nq == l->nt) keep[l->t0 + q - l->q0] = level;
    for (int k = 0; joint && l->nq != l->nt && k < l->nt; ++k)
      keep[l->t0 + k] = level;
    if (q >= l->xq0 && q < l->xq0 + l->nx) keep[l->xt0 + q - l->xq0] = level;
  }
}

/* What `start` names, in its order; velocities have .rate behind, where a coordinate has the same
 * name. */
static void find_kept(const apl_file* file, const apl_model* m, int* keep, int* keep_rates) {
  const spec_start* start = &file->spec->start;

  for (int k = 0; k < start->nvalue; ++k) {
    const char* key = start->value[k].name;
    const int q = apl_model_find(m, APL_COORDINATES, key);
    const size_t n = strlen(key);
    if (q >= 0) keep_coordinate(m, q, k + 1, keep);
    for (int i = 0; q < 0 && i < m->nv; ++i) {
      const size_t name = strlen(m->v_name[i]);
      const bool same = n >= name && strncmp(m->v_name[i], key, name) == 0;
      if (same && (n == name || strcmp(key + name, ".rate") == 0)) keep_rates[i] = k + 1;
    }
  }
}

apl_status apl_file_assemble(const apl_file* file, apl_system* system, double t,
                             apl_report* report) {
  const apl_model* m = apl_system_model(system);
  if (m->npart == 0) return APL_OK;

  const size_t nt = (size_t)m->nt, nv = (size_t)m->nv, size = (size_t)apl_system_size(system);
  int* keep = calloc(nt + nv, sizeof *keep);
  double* y = calloc(size, sizeof *y);
  apl_error err = {0};
  apl_status st = APL_ERR_MEMORY;

  if (keep == NULL || y == NULL) {
    apl_report_add(report, st, (apl_mark){0, 0}, "out of memory while closing loops");
  } else {
    /* inputs and prescribed freedoms as they are at t */
    apl_system_pack(system, y);
    apl_system_unpack(system, t, y);
    find_kept(file, m, keep, keep + nt);
    st = apl_system_assemble(system, keep, keep + nt, NULL, &err);
    if (st != APL_OK) apl_report_error(report, &err, (apl_mark){0, 0});
  }
  free(keep);
  free(y);
  return st;
}
