/* SPDX-License-Identifier: Apache-2.0 */
/* block_freedoms.c: numbers of a joint: one for all of its freedoms, or one for each. */
#include "spec/link.h"

#include <stdio.h>

void apl_freedoms_read(link_reader* l, const char* key, const text_node* node,
                       joint_measure measure, int count) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];
  const char* unit[APL_MAX_NQ];
  double value[APL_MAX_NQ];
  char path[32];
  bool ok = true;

  if (node == NULL) return;
  if (count == 0) {
    apl_form_refuse(&l->form, node->key_at, key, "a %s joint has no freedom", kind->word);
    return;
  }
  for (int k = 0; k < count; ++k)
    unit[k] = apl_joint_unit(kind, measure, k);

  const bool one = node->kind == TEXT_SCALAR && measure != MEASURE_COORDINATE;
  if (one) {
    for (int k = 0; k < count && ok; ++k)
      ok = apl_numbers_read(&l->form, key, node, &unit[k], 1, value);
  } else if (node->kind == TEXT_LIST && count == 1 && node->count == 1) {
    ok = apl_numbers_read(&l->form, key, node->first, unit, 1, value);
  } else {
    ok = apl_numbers_read(&l->form, key, node, unit, count, value);
  }
  if (!ok) return;
  snprintf(path, sizeof path, "joint.%s", key);
  apl_spec_put(l->spec, l->index, path, value, one ? 1 : count);
  apl_spec_settle(l->spec, node->at, l->form.report);
}

void apl_freedoms_write(text_out* o, const char* key, const double* value, const double* usual,
                        int n) {
  bool same = true;

  for (int k = 0; k < n; ++k)
    same = same && value[k] == (usual == NULL ? 0.0 : usual[k]);
  if (same) return;
  apl_out_add(o, ", %s: ", key);
  apl_out_numbers(o, value, n);
}

bool apl_one_freedom(link_reader* l, const char* key, const text_node* node) {
  const apl_joint_kind* kind = apl_joint_kinds[l->link->joint_kind];

  if (kind->nq == 1 && kind->nv == 1) return true;
  return apl_form_refuse(&l->form, node->key_at, key,
                         "needs a joint with exactly one freedom, not a %s joint", kind->word);
}

const grammar_block apl_block_freedoms = {
    .word = "freedoms",
    .form = BLOCK_NUMBERS,
    .title = "one number, or one for each freedom",
};
