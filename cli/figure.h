/* SPDX-License-Identifier: Apache-2.0 */
/* figure.h: a figure of channels as a gnuplot script. */
#pragma once

#include <stdio.h>

#include "cli/cli.h"

typedef enum figure_kind { FIGURE_TERMINAL, FIGURE_SVG, FIGURE_PNG, FIGURE_PDF } figure_kind;

typedef struct figure {
  apl_result* result;
  apl_result* other;   /* a second one with the same channels, drawn dashed over it, or NULL     */
  const char* name[2]; /* of the files, for legends where there are two                          */
  const int* channel;  /* [n] on the vertical axes: one panel per unit */
  int n;
  int x; /* channel of the horizontal axis */
  const char* title;
  figure_kind kind;
  const char* path;   /* where gnuplot writes; unused for the terminal */
  int columns, lines; /* of the terminal */
} figure;

/* Write the script with its data. */
apl_status figure_write(const figure* fig, FILE* out, apl_error* err);

/* For other scripts: the terminal for so many panels and the style of curves, with room at the
   right for names of `widest` letters; a text in quotes. Only kind, path and the terminal's size of
   the figure are read. */
void figure_begin(const figure* fig, FILE* out, int panels, int widest);
void figure_quoted(FILE* out, const char* text);

/* draw.c: the kind of figure by the end of its name; false when it is none of them. */
bool figure_kind_of(const char* path, figure_kind* kind);

/* Write a script that draws into `path`, and have gnuplot draw it; path NULL: on the terminal. */
typedef apl_status (*figure_writer)(FILE* out, const char* path, void* user, apl_error* err);
int figure_draw(const char* path, figure_writer write, void* user);

/* gnuplot.c: run gnuplot on a script that stands in a file, from its beginning. */
int gnuplot_run(FILE* script);
