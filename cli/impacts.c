/* impacts.c: see impacts.h. */
#include "cli/impacts.h"

#include <stdlib.h>

enum { MOST_LINES = 60 };

void cli_impacts_add(cli_impacts* x, const apl_impact* impact) {
  if (x->n == x->room) {
    const int room = x->room > 0 ? 2 * x->room : 64;
    apl_impact* list = realloc(x->list, sizeof *list * (size_t)room);
    if (list == NULL) return;
    x->list = list;
    x->room = room;
  }
  x->list[x->n++] = *impact;
}

void cli_impact_text(const apl_impact* i, char* text, size_t size) {
  snprintf(text, size, "in %.6g m/s, out %.6g m/s (%.6f), impulse %.6g N s, %s %.6g %s",
           i->speed_in, i->speed_out, i->speed_out / i->speed_in, i->impulse,
           i->end > i->start ? "peak" : "at once,", i->end > i->start ? i->peak : 0.0,
           i->end > i->start ? "N" : "s");
}

json_t* cli_impact_json(const apl_impact* i, const apl_model* m) {
  return json_pack("{s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "contact",
                   apl_model_contact_name(m, i->contact), "start", i->start, "end", i->end,
                   "speed_in", i->speed_in, "speed_out", i->speed_out, "restitution",
                   i->speed_out / i->speed_in, "impulse", i->impulse, "peak", i->peak);
}

void cli_impacts_print(const cli_impacts* x, const apl_model* m, long all, FILE* to) {
  if (all == 0) return;
  fprintf(to, "%ld impacts\n%14s %10s  %-24s %10s %10s %9s %11s %11s\n", all, "start [s]",
          "lasts [s]", "contact", "in [m/s]", "out [m/s]", "out/in", "impulse [N s]", "peak [N]");
  for (int k = 0; k < x->n && k < MOST_LINES; ++k) {
    const apl_impact* i = &x->list[k];
    fprintf(to, "%14.9f %10.3e  %-24s %10.6f %10.6f %9.6f %13.6g %11.6g\n", i->start,
            i->end - i->start, apl_model_contact_name(m, i->contact), i->speed_in, i->speed_out,
            i->speed_out / i->speed_in, i->impulse, i->peak);
  }
  if (all > MOST_LINES) fprintf(to, "  ... all of them are events of the result (-o FILE.h5)\n");
}
