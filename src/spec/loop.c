/* SPDX-License-Identifier: Apache-2.0 */
/* loop.c: the part of the builder about loops and couplings. Ports and coordinates are looked up
   when the model is compiled, so they may be added later. */
#include "spec/loop.h"

#include "base/nearest.h"
#include "spec/spec_impl.h"
#include "spec/words.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const closure_kind apl_closure_kinds[CLOSURES] = {
#define X(name, word, title, along, about) {word, title, along, about},
    CLOSURE_LIST(X)
#undef X
};

const char* apl_closure_word(int i) {
  return i >= 0 && i < CLOSURES ? apl_closure_kinds[i].word : NULL;
}
int apl_closure_find(const char* word) {
  for (int i = 0; i < CLOSURES; ++i) {
    if (strcmp(apl_closure_kinds[i].word, word) == 0) return i;
  }
  return -1;
}

apl_closure apl_closure_default(void) {
  return (apl_closure){.name = "",
                       .from = "",
                       .to = "",
                       .type = "point",
                       .at = {{0, 0, 0}, {1, 0, 0, 0}},
                       .axis = {0, 0, 1},
                       .cross = {1, 0, 0},
                       .axes = APL_PORT_AXES};
}

/* Is the name free? Loops and couplings share one set of names, because both have channels in
   results. */
static bool name_is_free(apl_spec* s, const char* name) {
  bool taken = false;

  for (int i = 0; i < s->nloop; ++i)
    taken = taken || strcmp(s->loop[i].c.name, name) == 0;
  for (int i = 0; i < s->ncoupling; ++i)
    taken = taken || strcmp(s->coupling[i].name, name) == 0;
  if (taken)
    apl_fail(&s->error, APL_ERR_MODEL, "there are two loops or couplings called '%s'", name);
  return !taken;
}

static bool is_direction(apl_vec3 a) {
  const double n = a.x * a.x + a.y * a.y + a.z * a.z;
  return isfinite(n) && n > 1e-20;
}

static bool is_spring(double k) {
  return isfinite(k) && k >= 0.0;
}

/* Check the parameters that the type of the loop needs. */
static bool closure_ok(apl_spec* s, const apl_closure* c, closure_type type) {
  const apl_quat r = c->at.rotation;
  const apl_vec3 p = c->at.position;
  const double turn = r.w * r.w + r.x * r.x + r.y * r.y + r.z * r.z;

  if (c->from[0] == '\0' || c->to[0] == '\0') {
    apl_fail(&s->error, APL_ERR_MODEL, "loop '%s' must connect two ports, got '%s' and '%s'",
             c->name, c->from, c->to);
  } else if (!is_direction(c->axis) || !is_direction(c->cross)) {
    apl_fail(&s->error, APL_ERR_MODEL, "loop '%s': axis and cross must not be zero", c->name);
  } else if (!isfinite(p.x + p.y + p.z) || !(turn > 1e-20) || !isfinite(turn)) {
    apl_fail(&s->error, APL_ERR_MODEL, "loop '%s': at must be a pose with finite numbers", c->name);
  } else if (type == CLOSURE_DISTANCE && !(c->length > 0.0 && isfinite(c->length))) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "loop '%s': type distance needs a positive length, got %g m; use type point for a "
             "distance of zero",
             c->name, c->length);
  } else if (type != CLOSURE_DISTANCE && c->length != 0.0) {
    apl_fail(&s->error, APL_ERR_MODEL, "loop '%s': length is for type distance, not for %s",
             c->name, c->type);
  } else if ((type == CLOSURE_MASK) != (c->directions != 0) || c->directions > 63) {
    apl_fail(&s->error, APL_ERR_MODEL,
             "loop '%s': type mask needs directions (x, y, z, about-x, about-y, about-z), other "
             "types have none",
             c->name);
  } else if (!is_spring(c->stiffness) || !is_spring(c->damping) ||
             !is_spring(c->turning_stiffness) || !is_spring(c->turning_damping)) {
    apl_fail(&s->error, APL_ERR_MODEL, "loop '%s': stiffness and damping must not be negative",
             c->name);
  }
  return apl_spec_fine(s);
}

int apl_spec_loop(apl_spec* s, const apl_closure* closure) {
  if (!apl_spec_fine(s)) return -1;
  if (closure == NULL) {
    apl_fail(&s->error, APL_ERR_ARGUMENT, "apl_spec_loop() needs a closure");
    return -1;
  }
  apl_closure c = *closure;
  char number[32];

  c.from = c.from == NULL ? "" : c.from;
  c.to = c.to == NULL ? "" : c.to;
  c.type = c.type == NULL ? "" : c.type;
  if (c.name == NULL || c.name[0] == '\0') {
    snprintf(number, sizeof number, "loop%d", s->nloop + 1);
    c.name = number;
  }
  const int type = apl_closure_find(c.type);
  if (type < 0) {
    apl_nearest near = {.word = c.type};
    char hint[96];
    for (int i = 0; i < CLOSURES; ++i)
      apl_nearest_offer(&near, apl_closure_kinds[i].word);
    apl_fail(&s->error, APL_ERR_MODEL, "loop '%.60s': there is no type '%.60s'%s", c.name, c.type,
             apl_nearest_text(&near, hint));
    return -1;
  }
  if (!apl_spec_check_name(s, "loop", c.name) || !name_is_free(s, c.name) ||
      !closure_ok(s, &c, (closure_type)type))
    return -1;

  s->loop = apl_spec_grow(s, s->loop, s->nloop, sizeof *s->loop);
  c.name = apl_spec_keep(s, c.name);
  c.from = apl_spec_keep(s, c.from);
  c.to = apl_spec_keep(s, c.to);
  c.type = apl_closure_kinds[type].word;
  if (!apl_spec_fine(s)) return -1;
  s->loop[s->nloop] = (spec_loop){.c = c};
  return s->nloop++;
}

int apl_spec_coupling(apl_spec* s, const char* name, const char* of, const char* to, double ratio,
                      double offset) {
  if (!apl_spec_fine(s) || !apl_spec_check_name(s, "coupling", name) || !name_is_free(s, name))
    return -1;

  if (of == NULL || to == NULL || of[0] == '\0' || to[0] == '\0') {
    apl_fail(&s->error, APL_ERR_MODEL, "coupling '%s' needs two coordinates", name);
  } else if (strcmp(of, to) == 0) {
    apl_fail(&s->error, APL_ERR_MODEL, "coupling '%s' connects '%s' with itself", name, of);
  } else if (!isfinite(ratio) || ratio == 0.0) {
    apl_fail(&s->error, APL_ERR_MODEL, "coupling '%s': ratio must not be zero, got %g", name,
             ratio);
  } else if (!isfinite(offset)) {
    apl_fail(&s->error, APL_ERR_MODEL, "coupling '%s': offset must be finite, got %g", name,
             offset);
  }
  s->coupling = apl_spec_grow(s, s->coupling, s->ncoupling, sizeof *s->coupling);
  const spec_coupling row = {.name = apl_spec_keep(s, name),
                             .of = of == NULL ? NULL : apl_spec_keep(s, of),
                             .to = to == NULL ? NULL : apl_spec_keep(s, to),
                             .ratio = ratio,
                             .offset = offset};
  if (!apl_spec_fine(s)) return -1;
  s->coupling[s->ncoupling] = row;
  return s->ncoupling++;
}
