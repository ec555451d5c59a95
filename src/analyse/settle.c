/* settle.c: `start: {equilibrium: true}` of model files; `stable` for one that holds by itself. */
#include "appell/analyse.h"

#include "spec/file_impl.h"

#include <stdlib.h>
#include <string.h>

static const text_node* wish(const apl_file* file) {
  const text_node* start = file->top.start;
  if (start == NULL || start->kind != TEXT_MAP) return NULL;

  const text_node* node = apl_node_get(start, "equilibrium");
  return node != NULL && node->kind == TEXT_SCALAR && strcmp(node->text, "false") != 0 ? node
                                                                                       : NULL;
}

bool apl_file_wants_equilibrium(const apl_file* file, bool* stable) {
  const text_node* node = wish(file);

  if (stable != NULL) *stable = node != NULL && strcmp(node->text, "stable") == 0;
  return node != NULL;
}

apl_status apl_file_settle(const apl_file* file, apl_system* system, double t, apl_report* report) {
  const text_node* node = wish(file);
  apl_equilibrium_options o = apl_equilibrium_options_default();
  apl_error err = {0};
  if (node == NULL) return apl_file_assemble(file, system, t, report);

  apl_file_wants_equilibrium(file, &o.stable);
  apl_state* state = apl_system_state(system);
  const size_t nv = (size_t)apl_model_nv(apl_system_model(system));
  double* y = calloc((size_t)apl_system_size(system) + nv, sizeof *y);
  if (y == NULL) return apl_report_add(report, APL_ERR_MEMORY, node->at, "out of memory");

  /* inputs and prescribed freedoms as they are at t */
  double* v = y + apl_system_size(system);
  apl_system_pack(system, y);
  apl_system_unpack(system, t, y);
  memcpy(v, apl_v(state), sizeof *v * nv);
  const apl_status st = apl_equilibrium(apl_system_model(system), state, &o, NULL, &err);
  memcpy(apl_v(state), v, sizeof *v * nv);
  free(y);
  if (st == APL_OK) return APL_OK;
  return apl_report_add(report, st, node->at, "start.equilibrium: %.200s", err.text);
}
