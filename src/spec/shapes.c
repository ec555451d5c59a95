/* shapes.c: the shapes of bodies that deform by given ones, asked of their kind. */
#include "appell/beam.h"

#include "spec/spec_impl.h"

apl_status apl_spec_beam_shape(const apl_spec* spec, int link, int k, apl_beam_shape* out,
                               const double* station, int n, apl_beam_section* section,
                               apl_error* err) {
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
