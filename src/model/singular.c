/* singular.c: is a joint asked to stand where it is singular? */
#include "model/model_impl.h"

int apl_model_singular(const apl_model* m, const double* q, apl_error* err) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    const apl_joint_kind* kind = apl_joint_kinds[n->joint];
    const int k = kind->refuses == NULL ? -1 : kind->refuses(q + n->q0, err);
    if (k >= 0) return n->q0 + k;
  }
  return -1;
}
