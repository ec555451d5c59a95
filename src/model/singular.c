/* SPDX-License-Identifier: Apache-2.0 */
/* singular.c: tests whether a joint is at a singular configuration. */
#include "model/model_impl.h"

int apl_model_singular(const apl_model* m, const double* q, apl_error* err) {
  if (m == NULL || q == NULL) return -1;
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const apl_joint_kind* kind = apl_joint_kinds[n->joint];
    const int k = kind->refuses == NULL ? -1 : kind->refuses(q + n->q0, err);
    if (k >= 0) return n->q0 + k;
  }
  return -1;
}
