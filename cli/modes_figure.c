/* SPDX-License-Identifier: Apache-2.0 */
/* modes_figure.c: a panel for each direction in which a beam bends, twists or stretches, with its
   shapes; below them the frequencies of the robot and the table of its modes. */
#include "cli/figure.h"
#include "cli/modes.h"

#include <stdlib.h>
#include <string.h>

/* Lines of the table that fit a panel. */
enum { LINES = 14 };

typedef struct sheet {
  const modes_found* found;
  figure fig;
} sheet;

/* Whether beam i is the first shape of its link and direction, and so begins a panel. */
static bool begins(const modes_found* f, int i) {
  return i == 0 || f->beam[i].link != f->beam[i - 1].link ||
         strcmp(f->beam[i].shape.direction, f->beam[i - 1].shape.direction) != 0;
}

static bool twists(const modes_beam* b) {
  return strcmp(b->shape.direction, "torsion") == 0;
}

/* The curve of a shape, by the distance from the root. */
static void put_data(FILE* out, const modes_found* f) {
  for (int k = 0; k < f->nbeam; ++k) {
    const modes_beam* b = &f->beam[k];
    fprintf(out, "$shape%d << END\n", k);
    for (int i = 0; i < MODES_STATIONS; ++i) {
      fprintf(out, "%.9g %.9g\n", modes_station(i) * b->shape.length,
              twists(b) ? b->at[i].turn : b->at[i].deflection);
    }
    fprintf(out, "END\n");
  }
}

/* `same` bodies behind it have the same. */
static void put_shapes(FILE* out, const modes_found* f, int first, int same) {
  const modes_beam* b = &f->beam[first];
  char title[200], more[40] = "";

  if (same > 0) snprintf(more, sizeof more, " and %d bodies alike", same);
  snprintf(title, sizeof title, "%.100s%s: shapes %s, %s-%s",
           apl_model_name(f->rest->model, APL_LINKS, b->link), more, b->shape.direction,
           b->shape.root_end, b->shape.tip_end);
  fprintf(out, "set title noenhanced ");
  figure_quoted(out, title);
  fprintf(out, "\nset xlabel 'distance from the root (m)'\nset ylabel '%s'\nplot ",
          twists(b) ? "turn T" : "deflection W");
  for (int k = first; k < f->nbeam && (k == first || !begins(f, k)); ++k) {
    const modes_beam* own = &f->beam[k];
    char name[120], hertz[40] = "";
    if (own->shape.omega > 0.0)
      snprintf(hertz, sizeof hertz, ", %.4g Hz", own->shape.omega / 6.283185307179586);
    snprintf(name, sizeof name, "%.70s%s", own->name, hertz);
    fprintf(out, "%s$shape%d using 1:2 with lines linestyle %d title ",
            k > first ? ", \\\n     " : "", k, (k - first) % 8 + 1);
    figure_quoted(out, name);
  }
  fputc('\n', out);
}

/* How many of the modes have a frequency. */
static int count_swinging(const modes_found* f) {
  int n = 0;

  for (int i = 0; i < f->count; ++i)
    n += apl_modes_at(f->modes, i).imag > 0.0;
  return n;
}

/* Frequencies over the number of the mode. */
static void put_frequencies(FILE* out, const modes_found* f) {
  fprintf(out, "$frequency << END\n");
  for (int i = 0; i < f->count; ++i) {
    const apl_mode m = apl_modes_at(f->modes, i);
    if (m.imag > 0.0) fprintf(out, "%d %.9g\n", i + 1, m.omega / 6.283185307179586);
  }
  fprintf(out,
          "END\nset title 'natural frequencies of the robot'\nset xlabel 'mode'\n"
          "set ylabel 'frequency (Hz)'\nset logscale y\nset xrange [0.5:%d.5]\nset xtics %s\n"
          "plot $frequency using 1:2 with impulses linestyle 1 notitle, \\\n"
          "     $frequency using 1:2 with points linestyle 1 pointtype 7 notitle\n"
          "unset logscale y\nunset xrange\n",
          f->count, f->count <= 20 ? "1" : "autofreq");
}

/* Text without axes; a curve of nothing makes gnuplot draw it. */
static void put_table(FILE* out, const modes_found* f) {
  const int n = f->count < LINES ? f->count : LINES;

  fprintf(out,
          "set title 'modes of the robot'\nunset xlabel\nunset ylabel\nunset border\n"
          "unset tics\nunset grid\nunset key\nset rmargin 2\nset xrange [0:1]\nset yrange [0:1]\n");
  for (int i = 0; i < n; ++i) {
    const apl_mode m = apl_modes_at(f->modes, i);
    const double y = 1.0 - (i + 0.5) / (n < 6 ? 6 : n);
    char what[100], who[200];

    modes_describe(&m, what, sizeof what);
    modes_who(f, i, 2, who, sizeof who);
    fprintf(out, "set label '%d' at graph 0.02,%.4f right noenhanced\n", i + 1, y);
    fprintf(out, "set label '%s' at graph 0.04,%.4f noenhanced\nset label ", apl_mode_word(m.kind),
            y);
    figure_quoted(out, what);
    fprintf(out, " at graph 0.16,%.4f noenhanced\nset label ", y);
    figure_quoted(out, who);
    fprintf(out, " at graph 0.5,%.4f noenhanced\n", y);
  }
  fprintf(out, "plot NaN notitle\n");
}

static apl_status write_script(FILE* out, const char* path, void* user, apl_error* err) {
  sheet* s = user;
  const modes_found* f = s->found;
  int panels = 1, widest = 0;
  (void)err;

  for (int i = 0, last; i < f->nbeam; i = modes_end_of_link(f, last)) {
    modes_alike(f, i, &last);
    for (int k = i; k < modes_end_of_link(f, i); ++k) {
      const int w = (int)strlen(f->beam[k].name) + 12;
      if (w > widest) widest = w;
      panels += begins(f, k);
    }
  }
  if (count_swinging(f) > 0) ++panels;
  s->fig.path = path;
  figure_begin(&s->fig, out, panels, widest);
  put_data(out, f);
  fprintf(out, "set multiplot layout %d,1 title ", panels);
  figure_quoted(out, apl_file_name(f->rest->file));
  fprintf(out, " noenhanced\nset lmargin 12\n");
  for (int i = 0, last; i < f->nbeam; i = modes_end_of_link(f, last)) {
    const int same = modes_alike(f, i, &last);
    for (int k = i; k < modes_end_of_link(f, i); ++k) {
      if (begins(f, k)) put_shapes(out, f, k, same);
    }
  }
  if (count_swinging(f) > 0) put_frequencies(out, f);
  put_table(out, f);
  fprintf(out, "unset multiplot\nunset output\n");
  return APL_OK;
}

int modes_draw(const modes_found* f, const char* path) {
  sheet s = {.found = f};

  if (path == NULL) return CLI_OK;
  figure_kind_of(path, &s.fig.kind); /* asked before */
  return figure_draw(path, write_script, &s);
}
