/* SPDX-License-Identifier: Apache-2.0 */
/* watch_steps.c: see watch.h. Warnings at the end of a run about its method, and about paths that
 * were too short. */
#include "channel/watch.h"

#include "channel/recorder.h"
#include "law/contact_law.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <string.h>

int apl_path_warnings(const apl_system* s, double t, watch_warning* out, int most) {
  if (most < 1 || !(t > s->drives.path_end)) return 0;

  *out = (watch_warning){.key = "path.end", .worst = t - s->drives.path_end};
  snprintf(out->text, sizeof out->text,
           "the path of '%.60s' ends at t = %.6g s, but the run at %.6g s: after the path the base "
           "keeps its last velocity",
           apl_model_name(s->model, APL_LINKS, s->drives.path_link), s->drives.path_end, t);
  return 1;
}

/* Methods with time steps use exact dry friction, which sticks, and ignore v0, with which
   contacts creep. */
int apl_law_warnings(const apl_system* s, watch_warning* out, int most) {
  for (int i = 0; i < s->npair && s->stepping.impulsive && most > 0; ++i) {
    const apl_pair* pair = &s->model->pair[i];
    friction_numbers F;
    memcpy(&F, s->model->par + pair->par + PAIR_FRICTION, sizeof F);
    if ((friction_table[pair->friction].needs & NEEDS_V0) == 0 || !(F.v0 > 0.0)) continue;

    *out = (watch_warning){.key = "contact.v0", .worst = F.v0};
    snprintf(
        out->text, sizeof out->text,
        "moreau treats friction as exact Coulomb friction: v0 of %s (contact '%.60s') is not used",
        friction_table[pair->friction].word, s->model->pair_name[i]);
    return 1;
  }
  return 0;
}

void apl_switching_text(const apl_switching* s, char* text, size_t size) {
  char why[64] = "explicit steps became too small", more[80] = "";

  if (size > 0) text[0] = '\0';
  if (s->changes == 0) return;
  if (s->held > 0.0)
    snprintf(why, sizeof why, "stability limited explicit steps to %.2g s", s->held);
  if (s->changes > 1)
    snprintf(more, sizeof more, "; %ld changes in all, %.4g s with stiff", s->changes, s->implicit);
  snprintf(text, size, "integrator auto changed from dop853 to stiff at t = %.6g s: %s%s", s->first,
           why, more);
}

/* "contact 'foot.floor'" or "the stop of 'knee.joint.angle'" */
static void stiffest_name(const apl_system* s, const apl_run_report* r, char* text, size_t size) {
  const int of = r->contact_stiffest_of;

  snprintf(text, size, "a contact or a stop"); /* checkpoints of version 0.1 do not contain which */
  if (of >= 0 && of < s->npair) snprintf(text, size, "contact '%.60s'", s->model->pair_name[of]);
  if (of < 0 && -1 - of < s->nq)
    snprintf(text, size, "the stop of '%.60s'", apl_model_name(s->model, APL_COORDINATES, -1 - of));
}

int apl_step_warnings(const apl_system* s, const apl_run_report* r, watch_warning* out, int most) {
  char name[96];
  int n = 0;

  if (n < most && r->contact_gain > 1e-9 * r->scale) {
    out[n] = (watch_warning){.key = "warning.contact.gain", .worst = r->contact_gain};
    snprintf(out[n++].text, sizeof out->text,
             "restitution added %.3g J at t = %.6g s: Newton's impact law with friction, or with "
             "several contacts, can add energy",
             r->contact_gain, r->contact_gain_at);
  }
  if (n < most && r->contact_rough > 0) {
    out[n] = (watch_warning){.key = "warning.contact.rough", .worst = (double)r->contact_rough};
    snprintf(
        out[n++].text, sizeof out->text,
        "in %ld steps contact forces were solved with a relative error above 1e-10, at worst %.1e",
        r->contact_rough, r->contact_residual);
  }
  if (n < most && r->contact_stiffest > 1.0) {
    out[n] = (watch_warning){.key = "warning.contact.stiffest", .worst = r->contact_stiffest};
    stiffest_name(s, r, name, sizeof name);
    snprintf(out[n++].text, sizeof out->text,
             "the step is too large for the stiffness of %s, h sqrt(k/m) = %.3g: use a step %.2g "
             "times smaller",
             name, r->contact_stiffest, 3.0 * r->contact_stiffest);
  }
  if (n < most && r->merged > 0) {
    out[n] = (watch_warning){.key = "outputs.merged", .worst = (double)r->merged};
    snprintf(out[n++].text, sizeof out->text,
             "%ld outputs were left out because they lie between the ends of fixed steps: use an "
             "output-every of at least the step",
             r->merged);
  }
  if (n < most && r->undamped) {
    out[n] = (watch_warning){.key = "stiff.undamped", .worst = r->relative};
    /* No method is called faster: this run has counted only its own evaluations. Which method
       needs fewer depends on the stiffness (tests/cli/test_stiff.py has both cases). */
    snprintf(out[n++].text, sizeof out->text,
             "this robot has no damping, but the integrator stiff adds numerical damping: compare "
             "with dop853, which adds hardly any but must follow the fastest vibration");
  }
  return n;
}
