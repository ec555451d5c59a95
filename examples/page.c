/* SPDX-License-Identifier: Apache-2.0 */
/* page.c: one self-contained page: a table of the runs, then a card per robot. No scripts, no
   fonts or styles from elsewhere, no time of day: apart from the computing times, the same bytes
   from every run. */
#define _POSIX_C_SOURCE 200809L

#include "page.h"

#include "cli/html.h"
#include "picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* The name as an anchor: spaces become dashes. */
static void put_anchor(FILE* out, const char* name) {
  for (; *name != '\0'; ++name)
    fputc(*name == ' ' ? '-' : *name, out);
}

static void put_table(FILE* out, const demo* demos, int n) {
  fputs("<section class=\"card\">\n<table>\n<tr><th>robot</th><th>simulated [s]</th>"
        "<th>computing [s]</th><th>freedoms</th><th>steps</th><th>energy error</th>"
        "<th>bound</th></tr>\n",
        out);
  for (int i = 0; i < n; ++i) {
    const demo* d = &demos[i];
    fputs("<tr><td><a href=\"#", out);
    put_anchor(out, d->robot->name);
    fprintf(out, "\">%s</a></td><td>%g</td><td>%.4f</td><td>%d", d->robot->name, d->robot->seconds,
            d->run.wall, d->free + d->prescribed);
    if (d->prescribed > 0) fprintf(out, " (%d prescribed)", d->prescribed);
    fprintf(out, "</td><td>%d</td><td>%.1e</td><td>%.0e</td></tr>\n",
            (d->run.samples - 1) * d->robot->every, d->run.error, d->robot->bound);
  }
  fputs("</table>\n</section>\n", out);
}

static void put_card(FILE* out, const demo* d) {
  fputs("<section class=\"card\" id=\"", out);
  put_anchor(out, d->robot->name);
  fprintf(out, "\">\n<h2>%s</h2>\n<p>", d->robot->name);
  html_text(out, d->robot->about);
  fputs("</p>\n", out);
  if (d->verdict[0] != '\0') {
    fputs("<p class=\"check\">Checked: ", out);
    html_text(out, d->verdict);
    fputs(".</p>\n", out);
  }
  fputs("<div class=\"pair\">\n<figure>\n", out);
  picture_poses(out, d->robot, d->model, &d->run);
  fprintf(out,
          "<figcaption>poses every %.3g s, light to dark; orange: path of %s</figcaption>\n"
          "</figure>\n<figure>\n",
          picture_interval(d->robot, &d->run), d->robot->view.trace);
  picture_plot(out, d->robot, d->model, &d->run);
  fprintf(out, "<figcaption>motion over %g s</figcaption>\n</figure>\n</div>\n</section>\n",
          d->robot->seconds);
}

static void put_page(FILE* out, const demo* demos, int n) {
  char title[80];
  snprintf(title, sizeof title, "Appell %s: robots built in C", apl_version());
  html_open(out, title);
  fputs("<p><a href=\"index.html\">&larr; Gallery</a></p>\n<h1>One engine, seven robots built in "
        "C</h1>\n"
        "<p class=\"lead\">Each robot below is a tree of joints that carry bodies, described in a "
        "few lines of C and run by the same recursion.</p>\n"
        "<p>Integrated with the classical Runge-Kutta method at a fixed step. Every run keeps a "
        "ledger: kinetic plus potential energy, less the work of motors and prescribed joints, "
        "must stay constant. The energy error is the largest departure over the largest "
        "<i>T</i> + |&Delta;<i>V</i>| + |<i>W</i>|; above its bound the demonstration fails.</p>\n",
        out);
  put_table(out, demos, n);
  for (int i = 0; i < n; ++i)
    put_card(out, &demos[i]);
  fprintf(out,
          "<p class=\"foot\">Written by appell-demo %s. Apart from the computing "
          "times, every run of one build writes the same page.</p>\n",
          apl_version());
  html_close(out);
}

/* mkdir -p */
static bool make_folder(const char* dir) {
  char path[1024];
  struct stat info;

  if (strlen(dir) >= sizeof path) return false;
  strcpy(path, dir);
  for (char* c = path + 1; *c != '\0'; ++c) {
    if (*c != '/') continue;
    *c = '\0';
    mkdir(path, 0777);
    *c = '/';
  }
  mkdir(path, 0777);
  return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool page_write(const char* dir, const demo* demos, int n, char* text, size_t size) {
  char path[1100], part[1110];

  if (!make_folder(dir)) {
    snprintf(text, size, "the folder '%s' cannot be made: %s", dir, strerror(errno));
    return false;
  }
  snprintf(path, sizeof path, "%s/robots-in-c.html", dir);
  snprintf(part, sizeof part, "%s.part", path);

  FILE* out = fopen(part, "w");
  bool ok = out != NULL;
  if (ok) {
    put_page(out, demos, n);
    ok = ferror(out) == 0;
    ok = fclose(out) == 0 && ok;
    ok = ok && rename(part, path) == 0;
  }
  if (!ok) {
    snprintf(text, size, "'%s' cannot be written: %s", path, strerror(errno));
    remove(part);
  }
  return ok;
}
