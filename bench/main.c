/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: appell-bench, nanoseconds per call of every pass and of the libraries that were found.
   What is measured and how to read it: bench/README.md. */
#include "bench.h"
#include "targets.h"

#include <stdlib.h>
#include <string.h>

typedef struct options {
  bool help;
  double seconds;
  const char* csv;
} options;

static const char usage[] =
    "usage: appell-bench [--quick] [--csv FILE]\n"
    "  --quick     about 5 seconds instead of 60; figures are noisier\n"
    "  --csv FILE  also write every number to FILE\n"
    "  --help      this text\n"
    "exit: 0 all well, 1 a pass failed or allocated memory, 2 wrong usage\n";

static bool read_options(int argc, char** argv, options* out) {
  /* with building and checking the robots about a minute */
  *out = (options){.seconds = 57.0};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      out->help = true;
    } else if (strcmp(argv[i], "--quick") == 0) {
      out->seconds = 5.0;
    } else if (strcmp(argv[i], "--csv") == 0 && i + 1 < argc) {
      out->csv = argv[++i];
    } else if (strcmp(argv[i], "--csv") == 0) {
      (void)fprintf(stderr, "appell-bench: --csv needs the name of a file\n%s", usage);
      return false;
    } else {
      (void)fprintf(stderr, "appell-bench: unexpected argument '%s'\n%s", argv[i], usage);
      return false;
    }
  }
  return true;
}

/* Figures mean nothing without the machine they come from. */
static void print_machine(void) {
  char line[256] = "unknown processor\n";
  FILE* f = fopen("/proc/cpuinfo", "r");
  while (f != NULL && fgets(line, sizeof line, f) != NULL) {
    if (strncmp(line, "model name", 10) == 0) break;
  }
  if (f != NULL) (void)fclose(f);
  const char* name = strchr(line, ':');
  (void)printf("Appell %s, compiled by %s, on %s", apl_version(), BENCH_COMPILER,
               name == NULL ? line : name + 2);
  (void)printf("peers: " BENCH_PEERS "\n");
}

static bool allocated(const bench* b) {
  for (int s = 0; s < b->nscene; s++) {
    for (int p = 0; p < b->npass; p++) {
      if (b->allocations[s][p] != 0) return true;
    }
  }
  return false;
}

static bool run(const options* opt, FILE* csv) {
  bench* b = malloc(sizeof *b);
  if (b == NULL) return false;
  print_machine();
  bool ok = bench_open(b);
  if (ok) {
    bench_time(b, opt->seconds);
    b->closed = 1e3 * target_3rrr_forward();
    bench_print(b, stdout);
    if (csv != NULL) bench_write_csv(b, csv);
    ok = !allocated(b);
  }
  bench_close(b);
  free(b);
  return ok;
}

int main(int argc, char** argv) {
  options opt;
  if (!read_options(argc, argv, &opt)) return 2;
  if (opt.help) {
    (void)fputs(usage, stdout);
    return 0;
  }

  /* before the minute of measuring, not after it */
  FILE* csv = opt.csv == NULL ? NULL : fopen(opt.csv, "w");
  if (opt.csv != NULL && csv == NULL) {
    (void)fprintf(stderr, "appell-bench: cannot write %s\n", opt.csv);
    return 1;
  }
  const bool ok = run(&opt, csv);
  if (csv != NULL) {
    const bool written = ferror(csv) == 0;
    if (fclose(csv) != 0 || !written) {
      (void)fprintf(stderr, "appell-bench: cannot write %s\n", opt.csv);
      return 1;
    }
  }
  return ok ? 0 : 1;
}
