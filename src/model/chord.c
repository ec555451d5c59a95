/* SPDX-License-Identifier: Apache-2.0 */
/* chord.c: the frame of a body that is pinned at its root is its chord. The root rotates relative
   to the chord, so a moment about the joint would act on neither of them: springs, dampers, rotors,
   inputs and prescribed motion on such joints are refused. The body may be fixed to something that
   moves both ends. */
#include "model/compiler.h"

#include <math.h>
#include <string.h>

static bool turns(const spec_link* l, joint_measure measure, int k) {
  return strncmp(apl_joint_unit(joint_kind(l), measure, k), "N m", 3) == 0;
}

/* The field that puts a moment on the joint, NULL if there is none. */
static const char* moment_of(const compiler* c, const spec_link* l, int link) {
  const apl_joint_kind* kind = joint_kind(l);
  const apl_model* m = c->m;

  for (int k = 0; k < kind->nt; ++k) {
    if (!turns(l, MEASURE_STIFFNESS, k)) continue;
    if (l->stiffness[k] > 0.0) return "stiffness";
    if (kind->nq == kind->nt && (l->lower[k] > -HUGE_VAL || l->upper[k] < HUGE_VAL))
      return "a stop";
  }
  for (int k = 0; k < kind->nv; ++k) {
    if (!turns(l, MEASURE_EFFORT, k)) continue;
    if (l->damping[k] > 0.0) return "damping";
    if (l->friction[k] > 0.0) return "friction";
    if (l->servo) return "servo";
    if (l->joint_prescribed) return "prescribed motion";
  }
  for (int k = 0; k < l->nrotor; ++k) {
    if (turns(l, MEASURE_EFFORT, l->rotor[k].velocity)) return "a rotor";
  }
  for (int i = 0; i < m->ninput; ++i) {
    const apl_input* in = &m->input[i];
    const int k = in->target - c->info[link].v0;
    if (in->kind == INPUT_VELOCITY && k >= 0 && k < kind->nv && turns(l, MEASURE_EFFORT, k)) {
      return "an input";
    }
  }
  return NULL;
}

apl_status apl_compile_chord(compiler* c) {
  for (int i = 0; i < c->m->nlink; ++i) {
    const spec_link* l = c->spec->link[i];
    if (!body_plan(l).chord) continue;

    const char* what = moment_of(c, l, i);
    if (what == NULL) continue;
    apl_fail(c->err, APL_ERR_MODEL,
             "link '%.40s': its joint has %s, but with root-end pinned the body frame is the chord "
             "of the beam and the joint cannot transmit a moment; use root-end clamped",
             l->name, what);
    return apl_compile_blame(c, l->mark.joint);
  }
  return APL_OK;
}
