/* SPDX-License-Identifier: Apache-2.0 */
/* figure.c: a gnuplot script with its data inside. One panel per unit, one curve per channel. */
#include "cli/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 2000 }; /* more points than this are not visible: see put_curve */

/* ------------------------------------------------------------------------------- words ------ */

/* A gnuplot string in double quotes. Characters that are special there (the quote, the backslash,
   the backquote, which would start a shell) are written as octal numbers. Control characters,
   which a terminal would execute, become question marks, also those of Unicode, U+0080 to U+009F.
 */
void figure_quoted(FILE* out, const char* text) {
  fputc('"', out);
  for (const unsigned char* p = (const unsigned char*)text; *p != '\0'; p++) {
    const bool unicode = p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0;
    if (*p == '\n') {
      fputc(' ', out);
    } else if (*p < ' ' || *p == 127 || unicode) {
      fputc('?', out);
      p += unicode;
    } else if (*p == '"' || *p == '\\' || *p == '`') {
      fprintf(out, "\\%03o", (unsigned)*p);
    } else {
      fputc(*p, out);
    }
  }
  fputc('"', out);
}

/* The last word of a name: "angle" of "arm.joint.angle". */
static const char* quantity(const char* name) {
  const char* dot = strrchr(name, '.');

  return dot == NULL || dot[1] == '\0' ? name : dot + 1;
}

static const char* unit_of(const figure* fig, int channel) {
  return apl_result_channel(fig->result, channel)->unit;
}

/* Write a unit with raised digits: m/s^2 becomes m/s² (not in a terminal: one byte, one place). */
static void append_unit(char* label, size_t size, const char* unit, bool plain) {
  size_t n = strlen(label);

  for (const char* p = unit; *p != '\0' && n + 4 < size; p++) {
    const char* raised = plain || p[0] != '^' ? NULL
                         : p[1] == '2'        ? "\u00b2"
                         : p[1] == '3'        ? "\u00b3"
                                              : NULL;
    if (raised == NULL) {
      label[n++] = *p;
      continue;
    }
    memcpy(label + n, raised, 2);
    n += 2;
    p++;
  }
  label[n] = '\0';
}

/* "angle (rad)" if all channels of the panel are angles, else "rad". */
static void put_axis(const figure* fig, FILE* out, const char* axis, const char* word,
                     const char* unit) {
  char label[200] = "";
  const bool plain = fig->kind == FIGURE_TERMINAL;
  const bool number = unit[0] == '\0' || strcmp(unit, "1") == 0;

  if (word != NULL) snprintf(label, 120, "%s%s", word, number ? "" : " (");
  if (!number) {
    append_unit(label, sizeof label - 2, unit, plain);
    if (word != NULL) strcat(label, ")");
  }
  fprintf(out, "set %s noenhanced ", axis);
  figure_quoted(out, label);
  fputc('\n', out);
}

/* ------------------------------------------------------------------------------- data ------- */

/* A curve as an inline block. If x is increasing, long curves are thinned: each of many buckets
   keeps its smallest and largest value, so that no peak is lost and files stay small. */
static void put_curve(FILE* out, int k, const double* x, const double* y, int n, bool grows) {
  const int step = grows && n > 2 * BUCKETS ? (n + BUCKETS - 1) / BUCKETS : 1;

  fprintf(out, "$curve%d << END\n", k);
  for (int i = 0; i < n; i += step) {
    int low = i;
    int high = i;
    for (int j = i; j < i + step && j < n; j++) {
      if (y[j] < y[low]) low = j;
      if (y[j] > y[high]) high = j;
    }
    const int first = low < high ? low : high;
    const int second = low < high ? high : low;
    fprintf(out, "%.9g %.9g\n", x[first], y[first]);
    if (second != first) fprintf(out, "%.9g %.9g\n", x[second], y[second]);
  }
  fprintf(out, "END\n");
}

/* The curves of a result as blocks number `first` and so on; channels go by the names they have in
   the first one. */
static apl_status put_data(const figure* fig, apl_result* res, int first, FILE* out,
                           apl_error* err) {
  const int n = apl_result_rows(res);
  double* x = malloc(sizeof *x * (size_t)(n + 1));
  double* y = malloc(sizeof *y * (size_t)(n + 1));
  apl_status st = x == NULL || y == NULL ? APL_ERR_MEMORY : APL_OK;

  if (st != APL_OK) snprintf(err->text, sizeof err->text, "out of memory");
  const int axis = apl_result_find(res, apl_result_channel(fig->result, fig->x)->name);
  if (st == APL_OK) st = apl_result_column(res, axis, x, err);
  bool grows = true;
  for (int i = 1; i < n && st == APL_OK; i++)
    grows = grows && x[i] >= x[i - 1];
  for (int k = 0; k < fig->n && st == APL_OK; k++) {
    const char* name = apl_result_channel(fig->result, fig->channel[k])->name;
    st = apl_result_column(res, apl_result_find(res, name), y, err);
    if (st == APL_OK) put_curve(out, first + k, x, y, n, grows);
  }
  free(y);
  free(x);
  return st;
}

/* ------------------------------------------------------------------------------- panels ----- */

/* Whether curve k is the first one with its unit, and so begins a panel. */
static bool begins_panel(const figure* fig, int k) {
  for (int j = 0; j < k; j++) {
    if (strcmp(unit_of(fig, fig->channel[j]), unit_of(fig, fig->channel[k])) == 0) return false;
  }
  return true;
}

/* The name of a curve in the legend; where there are two results, the file too. */
static void put_name(const figure* fig, FILE* out, const char* channel, int side) {
  char text[400];
  const char* slash = fig->other == NULL ? NULL : strrchr(fig->name[side], '/');
  const char* file = slash == NULL ? fig->name[side] : slash + 1;

  snprintf(text, sizeof text, "%s%s%s", channel, fig->other == NULL ? "" : ", ",
           fig->other == NULL ? "" : file);
  figure_quoted(out, text);
}

static void put_panel(const figure* fig, FILE* out, int first, bool last) {
  const char* unit = unit_of(fig, fig->channel[first]);
  const char* word = quantity(apl_result_channel(fig->result, fig->channel[first])->name);
  int curves = 0;

  for (int k = first; k < fig->n; k++) {
    const apl_channel* c = apl_result_channel(fig->result, fig->channel[k]);
    if (strcmp(c->unit, unit) != 0) continue;
    curves++;
    if (word != NULL && strcmp(quantity(c->name), word) != 0) word = NULL;
  }

  const apl_channel* x = apl_result_channel(fig->result, fig->x);
  put_axis(fig, out, "ylabel", word, unit);
  if (last) {
    put_axis(fig, out, "xlabel", x->name, x->unit);
  } else {
    fprintf(out, "unset xlabel\n");
  }

  /* a constant curve has an empty range: gnuplot warns and widens it */
  fprintf(out, "plot ");
  int drawn = 0;
  for (int k = first; k < fig->n; k++) {
    const apl_channel* c = apl_result_channel(fig->result, fig->channel[k]);
    if (strcmp(c->unit, unit) != 0) continue;
    for (int side = 0; side < (fig->other == NULL ? 1 : 2); ++side) {
      fprintf(out, "%s$curve%d using 1:2 with lines linestyle %d%s title ",
              side == 0 ? "" : ", \\\n     ", side * fig->n + k, drawn % 8 + 1,
              side == 0 ? "" : " dashtype 2");
      put_name(fig, out, c->name, side);
    }
    drawn++;
    fprintf(out, "%s", drawn < curves ? ", \\\n     " : "\n");
  }
}

static void put_terminal(const figure* fig, FILE* out, int panels) {
  const int height = 120 + 300 * (panels > 1 ? panels : 1) + (panels == 1 ? 80 : 0);

  switch (fig->kind) {
  case FIGURE_TERMINAL:
    fprintf(out, "set terminal dumb size %d,%d noenhanced\n", fig->columns,
            panels > 1 ? panels * 20 : fig->lines);
    return;
  case FIGURE_SVG:
    fprintf(out, "set terminal svg size 1000,%d font 'DejaVu Sans,16' background rgb 'white'\n",
            height);
    break;
  case FIGURE_PNG:
    fprintf(out,
            "set terminal pngcairo size 1600,%d font 'DejaVu Sans,18' fontscale 1 "
            "background rgb 'white'\n",
            height * 8 / 5);
    break;
  case FIGURE_PDF:
    fprintf(out,
            "set terminal pdfcairo size 18cm,%.2fcm font 'DejaVu Sans,10' "
            "background rgb 'white'\n",
            18.0 * height / 1000.0);
    break;
  }
  fprintf(out, "set output ");
  figure_quoted(out, fig->path);
  fputc('\n', out);
}

/* Eight colours that colour-blind readers tell apart (Okabe and Ito), the lightest one darkened. */
static void put_style(const figure* fig, FILE* out, int widest) {
  static const char* const colour[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                        "#e69f00", "#56b4e9", "#000000", "#b8a800"};
  const double width = fig->kind == FIGURE_PNG ? 3.0 : fig->kind == FIGURE_PDF ? 1.5 : 2.0;

  for (int k = 0; k < 8; k++) {
    fprintf(out, "set style line %d linecolor rgb '%s' linewidth %g\n", k + 1, colour[k], width);
  }
  fprintf(out, "set tics nomirror\n"
               "set autoscale xfix\n"
               "set format y '%%g'\n");
  if (fig->kind == FIGURE_TERMINAL) {
    fprintf(out, "set key outside bottom center horizontal noenhanced\n");
    return;
  }

  /* legends at the right, aligned: the margin is as wide as the longest name needs */
  fprintf(out,
          "set key at graph 1.02,1 left top vertical Left reverse noenhanced samplen 2\n"
          "set rmargin %d\n"
          "set border 3 linecolor rgb '#404040' linewidth 1\n"
          "set grid linecolor rgb '#d8d8d8' linetype 1 linewidth 1\n",
          widest + 6);
}

void figure_begin(const figure* fig, FILE* out, int panels, int widest) {
  put_terminal(fig, out, panels);
  put_style(fig, out, widest);
}

apl_status figure_write(const figure* fig, FILE* out, apl_error* err) {
  int panels = 0;
  int widest = 0;

  for (int k = 0; k < fig->n; k++) {
    const int w = (int)strlen(apl_result_channel(fig->result, fig->channel[k])->name);
    if (w > widest) widest = w;
    panels += begins_panel(fig, k);
  }
  if (fig->other != NULL) widest += 2 + (int)strlen(fig->name[1]);
  figure_begin(fig, out, panels, widest);
  apl_status st = put_data(fig, fig->result, 0, out, err);
  if (st == APL_OK && fig->other != NULL) st = put_data(fig, fig->other, fig->n, out, err);
  if (st != APL_OK) return st;

  if (panels > 1) {
    /* the same margins in all panels: their horizontal axes agree */
    fprintf(out, "set multiplot layout %d,1 title ", panels);
    figure_quoted(out, fig->title);
    fprintf(out, " noenhanced\nset lmargin 12\n");
  } else {
    fprintf(out, "set title noenhanced ");
    figure_quoted(out, fig->title);
    fputc('\n', out);
  }
  int drawn = 0;
  for (int k = 0; k < fig->n; k++) {
    if (begins_panel(fig, k)) put_panel(fig, out, k, ++drawn == panels);
  }
  if (panels > 1) fprintf(out, "unset multiplot\n");
  fprintf(out, "unset output\n");
  return APL_OK;
}
