/* figure.h: a figure of channels as a gnuplot script. */
#pragma once

#include <stdio.h>

#include "cli/cli.h"

typedef enum figure_kind { FIGURE_TERMINAL, FIGURE_SVG, FIGURE_PNG, FIGURE_PDF } figure_kind;

typedef struct figure {
  apl_result* result;
  const int* channel; /* [n] on the vertical axes: one panel per unit */
  int n;
  int x; /* channel of the horizontal axis */
  const char* title;
  figure_kind kind;
  const char* path;   /* where gnuplot writes; unused for the terminal */
  int columns, lines; /* of the terminal */
} figure;

/* Write the script with its data. */
apl_status figure_write(const figure* fig, FILE* out, apl_error* err);

/* gnuplot.c: run gnuplot on a script that stands in a file, from its beginning. */
int gnuplot_run(FILE* script);
