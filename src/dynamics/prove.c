/* prove.c: compile a model and try it once at a generic configuration, so that a mass matrix that
   is singular everywhere is refused at load, with the name of the link. */
#include "dynamics/passes.h"

#include "base/error.h"

#include <math.h>
#include <stdint.h>

/* A fixed sequence of numbers in -1 .. 1 (splitmix64): generic, and the same on every machine. */
static double generic(uint64_t* seed) {
  uint64_t z = (*seed += 0x9e3779b97f4a7c15u);

  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return (double)(int64_t)z * 0x1p-63;
}

static apl_status prove(const apl_model* m, apl_error* err) {
  apl_state* s;
  uint64_t seed = 1;
  apl_status st = apl_state_new(m, APL_SCALAR, &s);
  if (st != APL_OK) return apl_fail(err, st, "out of memory while trying the model");

  for (int i = 0; i < m->nq; ++i)
    s->q[i] += generic(&seed);
  st = apl_forward(m, s);
  if (st == APL_ERR_SINGULAR) {
    st = apl_fail(err, APL_ERR_MODEL,
                  "link '%s' can move without moving any mass: its mass matrix is singular; give "
                  "it, or what hangs on it, mass and inertia",
                  m->link_name[s->trouble]);
    if (err != NULL) {
      err->line = m->link_mark[s->trouble].line;
      err->column = m->link_mark[s->trouble].column;
    }
  }
  for (int i = 0; i < m->nv && st == APL_OK; ++i) {
    if (!isfinite(s->a[i])) {
      st = apl_fail(err, APL_ERR_MODEL,
                    "'%s' has no finite acceleration: the numbers of the model "
                    "are too large or too small",
                    m->v_name[i]);
    }
  }
  apl_state_free(s);
  return st;
}

apl_status apl_model_new(const apl_spec* spec, apl_model** out, apl_error* err) {
  apl_status st = apl_model_compile(spec, out, err);
  if (st != APL_OK) return st;

  st = prove(*out, err);
  if (st != APL_OK) {
    apl_model_free(*out);
    *out = NULL;
  }
  return st;
}
