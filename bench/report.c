/* SPDX-License-Identifier: Apache-2.0 */
/* report.c: what was measured, as tables and as CSV. */
#include "bench.h"

#include <math.h>
#include <string.h>

static int nv_of(const bench* b, int s) {
  return b->scene[s].seat[APL_SCALAR].nv;
}

double bench_exponent(const bench* b, int p, int library) {
  /* least squares of y = log(time) over x = log(nv) */
  double n = 0.0, x1 = 0.0, x2 = 0.0, y1 = 0.0, xy = 0.0;
  for (int s = 0; s < b->nscene; s++) {
    const cell* c = &b->cell[s][p][library];
    if (!b->scene[s].chain || nv_of(b, s) < 12 || c->state != CELL_READY) continue;
    const double x = log(nv_of(b, s)), y = log(c->best);
    n += 1.0;
    x1 += x;
    x2 += x * x;
    y1 += y;
    xy += x * y;
  }
  return n < 2.0 ? 0.0 : (n * xy - x1 * y1) / (n * x2 - x1 * x1);
}

/* --- tables ------------------------------------------------------------------------------- */

/* "12 345.6" would be easier to read but not to copy; whole nanoseconds above a thousand. */
static void print_time(FILE* f, const cell* c) {
  if (c->state == CELL_READY) {
    (void)fprintf(f, " %10.*f", c->best < 1000.0 ? 1 : 0, c->best);
  } else {
    (void)fprintf(f, " %10s", c->state == CELL_DIFFERS ? "differs" : "-");
  }
}

static void print_exponent(FILE* f, const bench* b, int p, int library) {
  const double exponent = bench_exponent(b, p, library);
  if (exponent == 0.0) {
    (void)fprintf(f, " %10s", "-");
  } else {
    (void)fprintf(f, " %10.2f", exponent);
  }
}

/* A pass that peers have too: their times, and in brackets how many times ours. */
static void print_contest(FILE* f, const bench* b, int p) {
  (void)fprintf(f, "\n%s: ns per call (times Appell)\n%-12s %4s", pass_list[p].title, "model",
                "nv");
  (void)fprintf(f, " %10s", b->library[0]);
  for (int l = 1; l < b->nlibrary; l++)
    (void)fprintf(f, " %10s         ", b->library[l]);
  (void)fprintf(f, "\n");

  for (int s = 0; s < b->nscene; s++) {
    const cell* own = &b->cell[s][p][0];
    (void)fprintf(f, "%-12s %4d", b->scene[s].name, nv_of(b, s));
    print_time(f, own);
    for (int l = 1; l < b->nlibrary; l++) {
      const cell* c = &b->cell[s][p][l];
      char ratio[16] = "";
      if (c->state == CELL_READY)
        (void)snprintf(ratio, sizeof ratio, "(%.2f)", c->best / own->best);
      print_time(f, c);
      (void)fprintf(f, " %-8s", ratio);
    }
    (void)fprintf(f, "\n");
  }
  (void)fprintf(f, "%-12s %4s", "exponent", "");
  print_exponent(f, b, p, 0);
  for (int l = 1; l < b->nlibrary; l++) {
    print_exponent(f, b, p, l);
    (void)fprintf(f, " %-8s", "");
  }
  (void)fprintf(f, "\n");
}

/* Passes that only we have, side by side. */
static void print_rest(FILE* f, const bench* b, int first, int last) {
  (void)fprintf(f, "%-12s %4s", "model", "nv");
  for (int p = first; p < last; p++)
    (void)fprintf(f, " %15s", pass_list[p].word);
  (void)fprintf(f, "\n");
  for (int s = 0; s < b->nscene; s++) {
    (void)fprintf(f, "%-12s %4d", b->scene[s].name, nv_of(b, s));
    for (int p = first; p < last; p++) {
      (void)fprintf(f, "     ");
      print_time(f, &b->cell[s][p][0]);
    }
    (void)fprintf(f, "\n");
  }
  (void)fprintf(f, "%-12s %4s", "exponent", "");
  for (int p = first; p < last; p++) {
    (void)fprintf(f, "     ");
    print_exponent(f, b, p, 0);
  }
  (void)fprintf(f, "\n");
}

static void print_memory(FILE* f, const bench* b) {
  (void)fprintf(f, "\nbytes per state\n%-12s %4s %10s %10s %10s\n", "model", "nv", "scalar",
                "lanes", "complex");
  for (int s = 0; s < b->nscene; s++) {
    const apl_model* m = b->scene[s].model;
    (void)fprintf(f, "%-12s %4d %10zu %10zu %10zu\n", b->scene[s].name, nv_of(b, s),
                  apl_state_size(m, APL_SCALAR), apl_state_size(m, APL_LANES),
                  apl_state_size(m, APL_COMPLEX));
  }

  if (!b->allocations_visible) {
    (void)fprintf(f, "\nallocations per call: not counted (needs the static library)\n");
    return;
  }
  long total = 0;
  for (int s = 0; s < b->nscene; s++) {
    for (int p = 0; p < b->npass; p++) {
      total += b->allocations[s][p];
      if (b->allocations[s][p] == 0) continue;
      (void)fprintf(f, "%s of %s: %ld allocations in %d calls\n", pass_list[p].title,
                    b->scene[s].name, b->allocations[s][p], NSTATE);
    }
  }
  (void)fprintf(f, "\nallocations per call: %s\n", total == 0 ? "0 in every pass" : "NOT ZERO");
}

/* Loops against forward dynamics of a chain without any, each library's own. */
static void print_closed(FILE* f, const bench* b) {
  (void)fprintf(f, "\n3RRR with loops, forward dynamics: %.0f ns\n", b->closed);
  for (int s = 0; s < b->nscene; s++) {
    for (int p = 0; p < b->npass; p++) {
      if (strcmp(b->scene[s].name, "chain7") != 0 || pass_list[p].task != PEER_FORWARD) continue;
      for (int l = 0; l < b->nlibrary; l++) {
        const cell* c = &b->cell[s][p][l];
        if (c->state != CELL_READY) continue;
        (void)fprintf(f, "  %5.2f times chain7 without loops by %s%s\n", b->closed / c->best,
                      b->library[l],
                      strcmp(b->library[l], "RBDL") == 0 ? " (promised: at most 2.8)" : "");
      }
    }
  }
}

void bench_print(const bench* b, FILE* f) {
  int contests = 0;
  while (contests < b->npass && pass_list[contests].task < PEER_TASKS) {
    print_contest(f, b, contests);
    contests++;
  }

  enum { COLUMNS = 4 };
  (void)fprintf(f, "\nother passes: ns per call, lanes: ns per robot\n");
  for (int p = contests; p < b->npass; p += COLUMNS) {
    print_rest(f, b, p, p + COLUMNS < b->npass ? p + COLUMNS : b->npass);
    (void)fprintf(f, "\n");
  }
  (void)fprintf(f, "exponent: time ~ nv^exponent along the chains of 12 and more\n");
  print_closed(f, b);
  print_memory(f, b);

  if (b->nnote > 0) (void)fprintf(f, "\nnotes\n");
  for (int i = 0; i < b->nnote; i++)
    (void)fprintf(f, "- %s\n", b->note[i]);
}

/* --- CSV ---------------------------------------------------------------------------------- */

void bench_write_csv(const bench* b, FILE* f) {
  (void)fprintf(f, "quantity,model,nv,library,value,unit\n");
  (void)fprintf(f, "forward-loops,3RRR,9,Appell,%.1f,ns\n", b->closed);
  for (int p = 0; p < b->npass; p++) {
    for (int l = 0; l < b->nlibrary; l++) {
      for (int s = 0; s < b->nscene; s++) {
        const cell* c = &b->cell[s][p][l];
        if (c->state != CELL_READY) continue;
        (void)fprintf(f, "%s,%s,%d,%s,%.1f,ns\n", pass_list[p].word, b->scene[s].name, nv_of(b, s),
                      b->library[l], c->best);
      }
      const double exponent = bench_exponent(b, p, l);
      if (exponent != 0.0) {
        (void)fprintf(f, "%s,chain12+,,%s,%.3f,exponent\n", pass_list[p].word, b->library[l],
                      exponent);
      }
    }
  }

  static const char* const word[NNUMBER] = {"state", "state-lanes", "state-complex"};
  for (int s = 0; s < b->nscene; s++) {
    for (int number = 0; number < NNUMBER; number++) {
      (void)fprintf(f, "%s,%s,%d,Appell,%zu,bytes\n", word[number], b->scene[s].name, nv_of(b, s),
                    apl_state_size(b->scene[s].model, (apl_number)number));
    }
    for (int p = 0; b->allocations_visible && p < b->npass; p++) {
      if (b->cell[s][p][0].state != CELL_READY) continue;
      (void)fprintf(f, "%s,%s,%d,Appell,%.3g,allocations\n", pass_list[p].word, b->scene[s].name,
                    nv_of(b, s), (double)b->allocations[s][p] / NSTATE);
    }
  }
}
