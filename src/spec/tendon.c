/* SPDX-License-Identifier: Apache-2.0 */
/* tendon.c: the part of the builder about tendons. Links and ports are looked up when the model
   is compiled, so they may be added later. */
#include "spec/spec_impl.h"

#include <math.h>
#include <string.h>

static spec_tendon* tendon_of(apl_spec* s, int tendon) {
  if (!apl_spec_fine(s)) return NULL;
  if (tendon < 0 || tendon >= s->ntendon) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "there is no tendon number %d", tendon);
    return NULL;
  }
  return &s->tendon[tendon];
}

int apl_spec_tendon(apl_spec* s, const char* name) {
  if (!apl_spec_fine(s) || !apl_spec_check_name(s, "tendon", name)) return -1;

  for (int i = 0; i < s->ntendon; ++i) {
    if (strcmp(s->tendon[i].name, name) != 0) continue;
    apl_fail(&s->error, APL_ERR_MODEL, "there are two tendons called '%s'", name);
    return -1;
  }
  s->tendon = apl_spec_grow(s, s->tendon, s->ntendon, sizeof *s->tendon);
  name = apl_spec_keep(s, name);
  if (!apl_spec_fine(s)) return -1;
  s->tendon[s->ntendon] = (spec_tendon){.name = name, .rest = HUGE_VAL};
  return s->ntendon++;
}

static void add_guide(apl_spec* s, spec_tendon* t, spec_guide guide) {
  t->guide = apl_spec_grow(s, t->guide, t->nguide, sizeof *t->guide);
  if (apl_spec_fine(s)) t->guide[t->nguide++] = guide;
}

void apl_spec_tendon_port(apl_spec* s, int tendon, const char* port) {
  spec_tendon* t = tendon_of(s, tendon);
  if (t == NULL) return;

  if (port == NULL || port[0] == '\0') {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': a guide needs the name of its port", t->name);
    return;
  }
  add_guide(s, t, (spec_guide){.port = apl_spec_keep(s, port)});
}

void apl_spec_tendon_along(apl_spec* s, int tendon, const char* link, double x, double y,
                           double from, double to, int discs) {
  spec_tendon* t = tendon_of(s, tendon);
  if (t == NULL) return;

  if (link == NULL || link[0] == '\0') {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': a guide needs the name of its link", t->name);
  } else if (!isfinite(x) || !isfinite(y)) {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': its offset in '%s' must be finite", t->name,
             link);
  } else if (!(from >= 0.0 && to <= 1.0 && from < to)) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "tendon '%s': along '%s' it must go from a station to a larger one, both in 0 to 1, "
             "got from %g to %g",
             t->name, link, from, to);
  } else if (discs < 0) {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': discs in '%s' must not be negative, got %d",
             t->name, link, discs);
  } else {
    add_guide(s, t, (spec_guide){NULL, apl_spec_keep(s, link), {x, y}, from, to, discs, {0, 0}});
  }
}

void apl_spec_tendon_spring(apl_spec* s, int tendon, double stiffness, double damping) {
  spec_tendon* t = tendon_of(s, tendon);
  if (t == NULL) return;

  if (!(stiffness >= 0.0 && isfinite(stiffness))) {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': stiffness must not be negative, got %g N/m",
             t->name, stiffness);
  } else if (!(damping >= 0.0 && isfinite(damping))) {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': damping must not be negative, got %g N s/m",
             t->name, damping);
  } else if (damping > 0.0 && stiffness == 0.0) {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': damping needs a stiffness", t->name);
  } else {
    t->stiffness = stiffness;
    t->damping = damping;
  }
}

void apl_spec_tendon_rest(apl_spec* s, int tendon, double length) {
  spec_tendon* t = tendon_of(s, tendon);
  if (t == NULL) return;

  if (!(length >= 0.0 && isfinite(length))) {
    apl_fail(&s->error, APL_ERR_MODEL, "tendon '%s': rest-length must not be negative, got %g m",
             t->name, length);
    return;
  }
  t->rest = length;
}
