/* SPDX-License-Identifier: Apache-2.0 */
/* chart.h: drawings as SVG without scripts: axes, curves, legends. The style sheet is html.c's. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum {
  CHART_WIDTH = 520,
  CHART_HEIGHT = 360,
  CHART_LEFT = 62,
  CHART_RIGHT = 16,
  CHART_TOP = 16,
  CHART_BOTTOM = 46
};

/* Colours of Okabe and Ito, which colour-blind readers can distinguish; without yellow, which is
   too pale on white. */
enum { CHART_COLOURS = 8 };
extern const char* const chart_colour[CHART_COLOURS];

/* The range shown: of the numbers, or of their decimal logarithms. */
typedef struct chart {
  double x0, x1, y0, y1;
  bool log_x, log_y;
} chart;

/* An empty chart; include the points that it must show. */
chart chart_new(bool log_x, bool log_y);
void chart_include(chart* c, double x, double y);

/* Add a margin around the range, as a fraction of it. */
void chart_widen(chart* c, double right, double up);

/* Use the same scale in both directions, with the range in the middle. */
void chart_equalise(chart* c);

/* Room above the curves for a legend. */
void chart_room(chart* c, const char* const* name, int n);

/* From numbers to the paper. */
double chart_x(const chart* c, double x);
double chart_y(const chart* c, double y);

/* 1, 2 or 5 times a power of ten, such that about n of it make the span. */
double chart_nice(double span, double n);

/* label: text for screen readers. */
void chart_open(FILE* out, const char* label);
void chart_close(FILE* out);
void chart_axes(FILE* out, const chart* c, const char* right, const char* up);

/* A line through n points, in colour number `k`; values without a logarithm are left out. */
typedef struct chart_style {
  int k;
  bool points, dashed;
} chart_style;
void chart_curve(FILE* out, const chart* c, chart_style style, const double* x, const double* y,
                 int n);
void chart_legend(FILE* out, const char* const* name, const chart_style* style, int n);
