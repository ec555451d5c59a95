/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: appell-demo. Runs every robot of this folder, prints one line for each, writes a page.

   usage: appell-demo [--out DIR] [--help]
   exit   0 all runs within their bounds, 1 something failed, 2 wrong usage */
#include "march.h"
#include "page.h"

#include <stdio.h>
#include <string.h>

static const robot* const robots[] = {
    &robot_double_pendulum,  &robot_continuum_arm, &robot_mobile_manipulator,
    &robot_tractor_trailers, &robot_falling_chain, &robot_snake,
    &robot_tumbling_body,
};
enum { ROBOTS = (int)(sizeof robots / sizeof *robots) };

static int complain(const char* who, const char* text) {
  fprintf(stderr, "appell-demo: %s%s%s\n", who, who[0] == '\0' ? "" : ": ", text);
  return 1;
}

static int usage(FILE* out) {
  fputs("usage: appell-demo [--out DIR] [--help]\n"
        "Runs seven robots, audits their energy and writes DIR/robots-in-c.html (default: out).\n",
        out);
  return out == stdout ? 0 : 2;
}

static void count_freedoms(demo* d) {
  for (int i = 0; i < apl_model_count(d->model, APL_LINKS); ++i) {
    const apl_link_info link = apl_model_link_info(d->model, i);
    *(link.joint_prescribed ? &d->prescribed : &d->free) += link.nv;
    *(link.body_prescribed ? &d->prescribed : &d->free) += link.nx;
  }
}

/* Describe, compile, run. */
static apl_status run(demo* d, apl_error* err) {
  apl_spec* spec;
  apl_status st = apl_spec_new(&spec);

  if (st == APL_OK) {
    d->robot->describe(spec);
    st = apl_model_new(spec, &d->model, err);
    apl_spec_free(spec);
    if (st != APL_OK) return st;
  }
  if (st == APL_OK) st = apl_state_new(d->model, APL_SCALAR, &d->state);
  if (st != APL_OK) {
    snprintf(err->text, sizeof err->text, "%s", apl_status_text(st));
    return st;
  }
  count_freedoms(d);
  return march(d->robot, d->model, d->state, &d->run, err);
}

/* Run one robot and print its line. Returns 0 when it is as it should be. */
static int show(demo* d) {
  char text[120];
  apl_error err = {0};

  if (run(d, &err) != APL_OK) return complain(d->robot->name, err.text);

  char freedoms[48];
  if (d->prescribed > 0) {
    snprintf(freedoms, sizeof freedoms, "%d (%d prescribed)", d->free + d->prescribed,
             d->prescribed);
  } else {
    snprintf(freedoms, sizeof freedoms, "%d", d->free);
  }
  printf("%-26s %9g s %9.4f s   %-18s %12.1e %7.0e\n", d->robot->name, d->robot->seconds,
         d->run.wall, freedoms, d->run.error, d->robot->bound);
  fflush(stdout);

  /* written so that NaN fails too */
  if (!(d->run.error <= d->robot->bound)) {
    snprintf(text, sizeof text, "the energy error %.3g exceeds its bound %.1g", d->run.error,
             d->robot->bound);
    return complain(d->robot->name, text);
  }
  if (d->robot->verdict != NULL &&
      !d->robot->verdict(d->model, d->state, &d->run, d->verdict, sizeof d->verdict)) {
    complain(d->robot->name, "its motion is not what it should be:");
    return complain(d->robot->name, d->verdict);
  }
  return 0;
}

static int show_all(demo* demos, const char* dir) {
  char text[1400];
  int failed = 0;

  printf("%-26s %11s %11s   %-18s %12s %7s\n", "robot", "simulated", "computing", "freedoms",
         "energy error", "bound");
  for (int i = 0; i < ROBOTS; ++i) {
    demos[i].robot = robots[i];
    failed += show(&demos[i]);
  }
  if (failed > 0) return 1;

  puts("\nchecked");
  for (int i = 0; i < ROBOTS; ++i) {
    if (demos[i].verdict[0] != '\0') printf("  %s: %s\n", demos[i].robot->name, demos[i].verdict);
  }

  if (!page_write(dir, demos, ROBOTS, text, sizeof text)) return complain("", text);
  printf("\nwrote %s/robots-in-c.html\n", dir);
  return 0;
}

int main(int argc, char** argv) {
  static demo demos[ROBOTS];
  const char* dir = "out";

  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "--help") == 0) return usage(stdout);
    const bool out = strcmp(argv[i], "--out") == 0;
    if (out && i + 1 < argc && argv[i + 1][0] != '\0') {
      dir = argv[++i];
    } else {
      fprintf(stderr, "appell-demo: '%s' %s\n", argv[i],
              out ? "needs the name of a folder" : "is not understood");
      return usage(stderr);
    }
  }
  const int result = show_all(demos, dir);
  for (int i = 0; i < ROBOTS; ++i) {
    record_free(&demos[i].run);
    apl_state_free(demos[i].state);
    apl_model_free(demos[i].model);
  }
  return result;
}
