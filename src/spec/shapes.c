/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.c: the shape functions of a body that deforms in assumed modes. */
#include "appell/beam.h"

#include "spec/spec_impl.h"

apl_status apl_spec_beam_shape(const apl_spec* spec, int link, int k, apl_beam_shape* out,
                               const double* station, int n, apl_beam_section* section,
                               apl_error* err) {
  if (spec == NULL || out == NULL || n < 0 || (n > 0 && (station == NULL || section == NULL))) {
    return apl_fail(err, APL_ERR_ARGUMENT,
                    "apl_spec_beam_shape() needs a spec, a place for the shape, and stations with "
                    "places for their sections");
  }
  if (link < 0 || link >= spec->nlink) {
    return apl_fail(err, APL_ERR_ARGUMENT, "there is no link %d", link);
  }
  const spec_link* l = spec->link[link];
  const apl_body_kind* kind = apl_body_kinds[l->body_kind];

  if (kind->shape == NULL) {
    return apl_fail(err, APL_ERR_ARGUMENT, "link '%s': a body of kind %s has no shapes", l->name,
                    kind->word);
  }
  return kind->shape(l->body_param, k, out, station, n, section, err);
}
