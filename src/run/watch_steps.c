/* watch_steps.c: see watch.h. What the report of a run by time steps says that its user should
 * know. */
#include "run/watch.h"

#include <stdio.h>

int apl_step_warnings(const apl_run_report* r, watch_warning* out, int most) {
  int n = 0;

  if (n < most && r->contact_gain > 1e-9 * r->scale) {
    out[n] = (watch_warning){.key = "warning.contact.gain", .worst = r->contact_gain};
    snprintf(out[n++].text, sizeof out->text,
             "restitution gave %.3g J at t = %.6g s: Newton's law with friction, or of several "
             "contacts, can do so",
             r->contact_gain, r->contact_gain_at);
  }
  if (n < most && r->contact_rough > 0) {
    out[n] = (watch_warning){.key = "warning.contact.rough", .worst = (double)r->contact_rough};
    snprintf(out[n++].text, sizeof out->text,
             "in %ld steps contact forces were less exact than 1e-10, at worst %.1e",
             r->contact_rough, r->contact_residual);
  }
  if (n < most && r->contact_stiffest > 1.0) {
    out[n] = (watch_warning){.key = "warning.contact.stiffest", .worst = r->contact_stiffest};
    snprintf(
        out[n++].text, sizeof out->text,
        "the step is too long for the stiffness of a contact, h sqrt(k/m) = %.3g: it bounces as "
        "the step says, not as its law; a step %.2g times shorter resolves it",
        r->contact_stiffest, 3.0 * r->contact_stiffest);
  }
  return n;
}
