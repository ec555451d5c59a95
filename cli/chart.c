/* SPDX-License-Identifier: Apache-2.0 */
/* chart.c: see chart.h. */
#include "cli/chart.h"

#include "cli/html.h"

#include <math.h>
#include <string.h>

const char* const chart_colour[CHART_COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                 "#e69f00", "#56b4e9", "#000000", "#777777"};

/* ------------------------------------------------------------------------------ the chart ---- */

chart chart_new(bool log_x, bool log_y) {
  return (chart){HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL, log_x, log_y};
}

static double on_scale(double value, bool logarithmic) {
  return logarithmic ? log10(value) : value;
}

void chart_include(chart* c, double x, double y) {
  const double u = on_scale(x, c->log_x), v = on_scale(y, c->log_y);

  if (!isfinite(u) || !isfinite(v)) return;
  c->x0 = fmin(c->x0, u), c->x1 = fmax(c->x1, u);
  c->y0 = fmin(c->y0, v), c->y1 = fmax(c->y1, v);
}

static void widen(double* low, double* high, double share) {
  const double span = *high - *low, air = span > 1e-9 ? share * span : 0.5;

  *low -= air;
  *high += air;
}

void chart_widen(chart* c, double right, double up) {
  if (right > 0.0) widen(&c->x0, &c->x1, right);
  if (up > 0.0) widen(&c->y0, &c->y1, up);
}

void chart_equalise(chart* c) {
  const double w = CHART_WIDTH - CHART_LEFT - CHART_RIGHT;
  const double h = CHART_HEIGHT - CHART_TOP - CHART_BOTTOM;
  const double scale = fmax((c->x1 - c->x0) / w, (c->y1 - c->y0) / h);
  const double dx = 0.5 * (scale * w - (c->x1 - c->x0)), dy = 0.5 * (scale * h - (c->y1 - c->y0));

  c->x0 -= dx, c->x1 += dx;
  c->y0 -= dy, c->y1 += dy;
}

/* x and y on the scale already */
static double paper_x(const chart* c, double x) {
  return CHART_LEFT + (x - c->x0) / (c->x1 - c->x0) * (CHART_WIDTH - CHART_LEFT - CHART_RIGHT);
}

static double paper_y(const chart* c, double y) {
  return CHART_HEIGHT - CHART_BOTTOM -
         (y - c->y0) / (c->y1 - c->y0) * (CHART_HEIGHT - CHART_TOP - CHART_BOTTOM);
}

double chart_x(const chart* c, double x) {
  return paper_x(c, on_scale(x, c->log_x));
}

double chart_y(const chart* c, double y) {
  return paper_y(c, on_scale(y, c->log_y));
}

/* ---------------------------------------------------------------------------------- axes ---- */

double chart_nice(double span, double n) {
  const double raw = span / n, power = pow(10.0, floor(log10(raw))), f = raw / power;

  return power * (f < 1.5 ? 1.0 : f < 3.5 ? 2.0 : f < 7.5 ? 5.0 : 10.0);
}

void chart_open(FILE* out, const char* label) {
  fprintf(out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", CHART_WIDTH, CHART_HEIGHT);
  html_text(out, label);
  fputs("\" xmlns=\"http://www.w3.org/2000/svg\">\n", out);
}

void chart_close(FILE* out) {
  fputs("</svg>\n", out);
}

/* A grid line and its number; `at` on the scale, `value` as it is written. */
typedef struct axis {
  const chart* c;
  bool up;
} axis;

static void tick(FILE* out, const axis* a, double at, const char* text) {
  const double bottom = CHART_HEIGHT - CHART_BOTTOM, end = CHART_WIDTH - CHART_RIGHT;

  if (a->up) {
    const double p = paper_y(a->c, at);
    fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%.1f\"/>\n", CHART_LEFT, p, end);
    fprintf(out, "<text class=\"tick end\" x=\"%d\" y=\"%.1f\">%s</text>\n", CHART_LEFT - 7, p + 4,
            text);
  } else {
    const double p = paper_x(a->c, at);
    fprintf(out, "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>\n", p, CHART_TOP, bottom);
    fprintf(out, "<text class=\"tick mid\" x=\"%.1f\" y=\"%.1f\">%s</text>\n", p, bottom + 16,
            text);
  }
}

/* As short as it can be written; zero without a sign. */
static void plain_ticks(FILE* out, const axis* a, double low, double high) {
  const double d = chart_nice(high - low, a->up ? 5 : 6);
  char text[32];

  for (double v = ceil(low / d - 1e-9) * d; v <= high + 1e-9 * d; v += d) {
    snprintf(text, sizeof text, "%.6g", fabs(v) < 1e-9 * d ? 0.0 : v);
    tick(out, a, v, text);
  }
}

/* Powers of ten; over few of them also 2 and 5. */
static void log_ticks(FILE* out, const axis* a, double low, double high) {
  const bool fine = high - low < 2.5;
  const int step = high - low > 8.0 ? 2 : 1;
  char text[80];

  for (int k = (int)floor(low); k <= (int)ceil(high); k += step) {
    for (int m = 1; m <= (fine ? 5 : 1); m += m == 1 ? 1 : 3) {
      const double at = k + log10(m);
      if (at < low - 1e-9 || at > high + 1e-9) continue;
      if (k >= -3 && k <= 3) {
        snprintf(text, sizeof text, "%g", m * pow(10.0, k));
      } else if (m == 1) {
        snprintf(text, sizeof text, "10<tspan class=\"power\" dy=\"-5\">%d</tspan>", k);
      } else {
        text[0] = '\0';
      }
      tick(out, a, at, text);
    }
  }
}

void chart_axes(FILE* out, const chart* c, const char* right, const char* up) {
  const double bottom = CHART_HEIGHT - CHART_BOTTOM, end = CHART_WIDTH - CHART_RIGHT;

  (c->log_x ? log_ticks : plain_ticks)(out, &(axis){c, false}, c->x0, c->x1);
  (c->log_y ? log_ticks : plain_ticks)(out, &(axis){c, true}, c->y0, c->y1);
  fprintf(out, "<path class=\"axis\" d=\"M%d %dV%.1fH%.1f\"/>\n", CHART_LEFT, CHART_TOP, bottom,
          end);
  fprintf(out, "<text class=\"label mid\" x=\"%.1f\" y=\"%d\">%s</text>\n",
          0.5 * (CHART_LEFT + end), CHART_HEIGHT - 10, right);
  fprintf(out, "<text class=\"label mid\" transform=\"translate(14 %.1f) rotate(-90)\">%s</text>\n",
          0.5 * (CHART_TOP + bottom), up);
}

/* -------------------------------------------------------------------------------- curves ---- */

static bool visible(const chart* c, double x, double y) {
  return isfinite(on_scale(x, c->log_x)) && isfinite(on_scale(y, c->log_y));
}

static void stroke(FILE* out, chart_style style) {
  fprintf(out, "<path class=\"curve\" stroke=\"%s\"%s d=\"", chart_colour[style.k % CHART_COLOURS],
          style.dashed ? " stroke-dasharray=\"5 4\"" : "");
}

static void mark(FILE* out, chart_style style, double x, double y) {
  fprintf(out, "<circle fill=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>",
          chart_colour[style.k % CHART_COLOURS], x, y);
}

void chart_curve(FILE* out, const chart* c, chart_style style, const double* x, const double* y,
                 int n) {
  bool on = false;

  stroke(out, style);
  for (int i = 0; i < n; ++i) {
    const bool shown = visible(c, x[i], y[i]);
    if (shown) {
      fprintf(out, "%s%.1f %.1f", on ? "L" : "M", chart_x(c, x[i]), chart_y(c, y[i]));
    }
    on = shown;
  }
  fputs("\"/>\n", out);
  for (int i = 0; style.points && i < n; ++i) {
    if (visible(c, x[i], y[i])) mark(out, style, chart_x(c, x[i]), chart_y(c, y[i]));
  }
  if (style.points) fputc('\n', out);
}

/* -------------------------------------------------------------------------------- legend ---- */

enum { LEGEND_LINE = 18 };

/* Where name k of a legend stands: lines are broken where the next name would not fit. */
static int legend_place(const char* const* name, int k, double* x) {
  int line = 0;

  *x = CHART_LEFT + 10;
  for (int i = 0; i <= k; ++i) {
    const double width = 21 + 6.3 * (double)strlen(name[i]);
    if (*x + width > CHART_WIDTH - CHART_RIGHT && i > 0) {
      *x = CHART_LEFT + 10;
      ++line;
    }
    if (i < k) *x += width + 14;
  }
  return line;
}

void chart_room(chart* c, const char* const* name, int n) {
  double x;
  const int lines = legend_place(name, n - 1, &x) + 1;
  const double height = CHART_HEIGHT - CHART_TOP - CHART_BOTTOM, legend = LEGEND_LINE * lines + 4;

  c->y1 += legend / (height - legend) * (c->y1 - c->y0);
}

void chart_legend(FILE* out, const char* const* name, const chart_style* style, int n) {
  double x;
  const int lines = legend_place(name, n - 1, &x) + 1;

  fprintf(out, "<rect class=\"legend\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
          CHART_LEFT + 1, CHART_TOP, CHART_WIDTH - CHART_LEFT - CHART_RIGHT,
          LEGEND_LINE * lines + 2);
  for (int k = 0; k < n; ++k) {
    const double y = CHART_TOP + LEGEND_LINE * legend_place(name, k, &x) + 9;
    stroke(out, style[k]);
    fprintf(out, "M%.1f %.1fh16\"/>", x, y);
    if (style[k].points) mark(out, style[k], x + 8, y);
    fprintf(out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">", x + 21, y + 4);
    html_text(out, name[k]);
    fputs("</text>\n", out);
  }
}
