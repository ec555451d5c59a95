/* SPDX-License-Identifier: Apache-2.0 */
/* impacts.c: see impacts.h. */
#include "cli/impacts.h"

#include "channel/recorder.h"

#include <math.h>

json_t* cli_impact_json(const apl_impact* i, const apl_model* m) {
  char name[200];
  return json_pack("{s:s, s:f, s:f, s:f, s:f, s:[f, f], s:[f, f], s:f, s:f, s:f}", "contact",
                   apl_impact_name(i, m, name, sizeof name), "start", i->start, "end", i->end,
                   "speed_in", i->speed_in, "speed_out", i->speed_out, "slip_in", i->slip_in[0],
                   i->slip_in[1], "slip_out", i->slip_out[0], i->slip_out[1], "restitution",
                   i->speed_out / i->speed_in, "impulse", i->impulse, "peak", i->peak);
}

/* The fastest impact; they are stored in the order in which they ended. */
static const apl_impact* hardest(const apl_recorder* r) {
  const apl_impact* most = apl_recorder_impact(r, 0);

  for (int k = 1; k < apl_recorder_nimpact(r); ++k) {
    const apl_impact* i = apl_recorder_impact(r, k);
    if (i->speed_in > most->speed_in) most = i;
  }
  return most;
}

void cli_impacts_line(const apl_recorder* r, const apl_model* m, long all, bool saved, FILE* to) {
  char name[200];
  if (all == 0) return;
  fprintf(to, "%ld impact%s", all, all == 1 ? "" : "s");
  if (apl_recorder_nimpact(r) > 0) {
    const apl_impact* i = hardest(r);
    fprintf(to, "%s '%s' with %.4g m/s at t = %.6g s",
            all == 1 ? ":" : ", the fastest:", apl_impact_name(i, m, name, sizeof name),
            i->speed_in, i->start);
  }
  fprintf(to, " (--impacts lists them%s)\n",
          saved ? "; the result has them as a table, `events`" : "");
}

void cli_impacts_print(const apl_recorder* r, const apl_model* m, long all, FILE* to) {
  if (all == 0) return;
  fprintf(to, "%ld impacts\n%14s %10s  %-24s %10s %10s %9s %10s %10s %11s %11s\n", all, "start [s]",
          "lasts [s]", "contact", "in [m/s]", "out [m/s]", "out/in", "slip in", "slip out",
          "impulse [N s]", "peak [N]");
  for (int k = 0; k < apl_recorder_nimpact(r); ++k) {
    const apl_impact* i = apl_recorder_impact(r, k);
    char name[200];
    fprintf(to, "%14.9f %10.3e  %-24s %10.6f %10.6f %9.6f %10.6f %10.6f %13.6g %11.6g\n", i->start,
            i->end - i->start, apl_impact_name(i, m, name, sizeof name), i->speed_in, i->speed_out,
            i->speed_out / i->speed_in, hypot(i->slip_in[0], i->slip_in[1]),
            hypot(i->slip_out[0], i->slip_out[1]), i->impulse, i->peak);
  }
  if (all > apl_recorder_nimpact(r))
    fprintf(to, "  ... the others are events of the result that was resumed\n");
}
