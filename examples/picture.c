/* picture.c: two drawings per robot, as SVG without scripts: poses laid over one another, and
   curves over time. A pose is a set of lines through ports, so every kind of body is drawn alike.
 */
#include "picture.h"

#include "march.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 520, HEIGHT = 360, LEFT = 58, RIGHT = 16, TOP = 16, BOTTOM = 46 };

/* Okabe and Ito's colours, told apart by everyone; yellow left out, too pale on white. */
static const char* const curve_colour[8] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                            "#e69f00", "#56b4e9", "#000000", "#777777"};

/* From numbers to the paper. */
typedef struct chart {
  double x0, x1, y0, y1;
} chart;

static double paper_x(const chart* c, double x) {
  return LEFT + (x - c->x0) / (c->x1 - c->x0) * (WIDTH - LEFT - RIGHT);
}

static double paper_y(const chart* c, double y) {
  return HEIGHT - BOTTOM - (y - c->y0) / (c->y1 - c->y0) * (HEIGHT - TOP - BOTTOM);
}

static void include(chart* c, double x, double y) {
  c->x0 = fmin(c->x0, x), c->x1 = fmax(c->x1, x);
  c->y0 = fmin(c->y0, y), c->y1 = fmax(c->y1, y);
}

/* Some air around what is shown. */
static void widen(double* low, double* high, double share) {
  const double span = *high - *low, air = span > 1e-9 ? share * span : 0.5;

  *low -= air;
  *high += air;
}

/* The same scale both ways, what is shown in the middle. */
static void equalise(chart* c) {
  const double w = WIDTH - LEFT - RIGHT, h = HEIGHT - TOP - BOTTOM;
  const double scale = fmax((c->x1 - c->x0) / w, (c->y1 - c->y0) / h);
  const double dx = 0.5 * (scale * w - (c->x1 - c->x0)), dy = 0.5 * (scale * h - (c->y1 - c->y0));

  c->x0 -= dx, c->x1 += dx;
  c->y0 -= dy, c->y1 += dy;
}

/* 1, 2 or 5 times a power of ten, such that about n of it make the span. */
static double nice(double span, double n) {
  const double raw = span / n, power = pow(10.0, floor(log10(raw))), f = raw / power;

  return power * (f < 1.5 ? 1.0 : f < 3.5 ? 2.0 : f < 7.5 ? 5.0 : 10.0);
}

static void open_svg(FILE* out, const char* what, const char* name) {
  fprintf(out,
          "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s of the %s\" "
          "xmlns=\"http://www.w3.org/2000/svg\">\n",
          WIDTH, HEIGHT, what, name);
}

/* A tick as short as it can be written; zero without a sign. */
static void tick_text(FILE* out, double x, double y, const char* class, double value, double unit) {
  fprintf(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">%.6g</text>\n", class, x, y,
          fabs(value) < 1e-9 * unit ? 0.0 : value);
}

static void axes(FILE* out, const chart* c, const char* right, const char* up) {
  const double dx = nice(c->x1 - c->x0, 6), dy = nice(c->y1 - c->y0, 5);
  const double bottom = HEIGHT - BOTTOM, end = WIDTH - RIGHT;

  for (double x = ceil(c->x0 / dx - 1e-9) * dx; x <= c->x1 + 1e-9 * dx; x += dx) {
    const double p = paper_x(c, x);
    fprintf(out, "<path class=\"grid\" d=\"M%.1f %dV%.1f\"/>\n", p, TOP, bottom);
    tick_text(out, p, bottom + 16, "tick mid", x, dx);
  }
  for (double y = ceil(c->y0 / dy - 1e-9) * dy; y <= c->y1 + 1e-9 * dy; y += dy) {
    const double p = paper_y(c, y);
    fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%.1f\"/>\n", LEFT, p, end);
    tick_text(out, LEFT - 7, p + 4, "tick end", y, dy);
  }
  fprintf(out, "<path class=\"axis\" d=\"M%d %dV%.1fH%.1f\"/>\n", LEFT, TOP, bottom, end);
  fprintf(out, "<text class=\"label mid\" x=\"%.1f\" y=\"%d\">%s</text>\n", 0.5 * (LEFT + end),
          HEIGHT - 10, right);
  fprintf(out, "<text class=\"label mid\" transform=\"translate(14 %.1f) rotate(-90)\">%s</text>\n",
          0.5 * (TOP + bottom), up);
}

/* For views that have no axes. */
static void scale_bar(FILE* out, const chart* c) {
  const double length = nice(c->x1 - c->x0, 5), y = HEIGHT - 22;
  const double x0 = LEFT, x1 = paper_x(c, c->x0 + length);

  fprintf(out, "<path class=\"axis\" d=\"M%.1f %.1fv8m0 -4H%.1fm0 -4v8\"/>\n", x0, y, x1);
  fprintf(out, "<text class=\"label\" x=\"%.1f\" y=\"%.1f\">%g m</text>\n", x1 + 8, y + 8, length);
}

/* -------------------------------------------------------------------------------- poses ---- */

static double along(apl_vec3 a, apl_vec3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* Last sample that is shown. */
static int last_sample(const robot* r, const record* run) {
  return r->view.seconds > 0.0 ? record_at(run, r->view.seconds) : run->samples - 1;
}

static int pose_sample(const robot* r, const record* run, int k) {
  return (int)lround((double)last_sample(r, run) * k / (r->view.poses - 1));
}

double picture_interval(const robot* r, const record* run) {
  return run->t[last_sample(r, run)] / (r->view.poses - 1);
}

/* One line of a pose: M x y L x y ...; a single port becomes a dot. Returns behind its NULL. */
static const char* const* pose_line(FILE* out, const chart* c, const robot_view* view,
                                    const apl_model* model, const record* run, int sample,
                                    const char* const* port) {
  const bool dot = port[1] == NULL;

  if (!dot) fputs("<path d=\"", out);
  for (int k = 0; port[k] != NULL; ++k) {
    const apl_vec3 at = record_place(run, sample, apl_model_port(model, port[k]));
    const double x = paper_x(c, along(at, view->right)), y = paper_y(c, along(at, view->up));
    if (dot) {
      fprintf(out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>", x, y);
    } else {
      fprintf(out, "%s%.1f %.1f", k == 0 ? "M" : "L", x, y);
    }
  }
  if (!dot) fputs("\"/>", out);
  while (*port != NULL)
    ++port;
  return port + 1;
}

/* Light blue to dark blue as time goes by. */
static void pose_colour(FILE* out, double share) {
  const int light[3] = {190, 214, 232}, dark[3] = {8, 48, 88};
  int rgb[3];

  for (int k = 0; k < 3; ++k)
    rgb[k] = (int)lround(light[k] + share * (dark[k] - light[k]));
  fprintf(out, "#%02x%02x%02x", (unsigned)rgb[0], (unsigned)rgb[1], (unsigned)rgb[2]);
}

static chart pose_chart(const robot* r, const apl_model* model, const record* run) {
  const robot_view* v = &r->view;
  chart c = {HUGE_VAL, -HUGE_VAL, HUGE_VAL, -HUGE_VAL};

  for (int i = 0; i <= last_sample(r, run); ++i) {
    const apl_vec3 at = record_place(run, i, apl_model_port(model, v->trace));
    include(&c, along(at, v->right), along(at, v->up));
  }
  for (int k = 0; k < v->poses; ++k) {
    for (const char* const* p = v->lines; p[0] != NULL || p[-1] != NULL; ++p) {
      if (*p == NULL) continue;
      const apl_vec3 at = record_place(run, pose_sample(r, run, k), apl_model_port(model, *p));
      include(&c, along(at, v->right), along(at, v->up));
    }
  }
  if (v->ground != NULL) include(&c, c.x0, *v->ground);
  widen(&c.x0, &c.x1, 0.05);
  widen(&c.y0, &c.y1, 0.05);
  equalise(&c);
  return c;
}

static void pose_trace(FILE* out, const chart* c, const robot* r, const apl_model* model,
                       const record* run) {
  const int port = apl_model_port(model, r->view.trace);

  fputs("<path class=\"trace\" d=\"", out);
  for (int i = 0; i <= last_sample(r, run); ++i) {
    const apl_vec3 at = record_place(run, i, port);
    fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", paper_x(c, along(at, r->view.right)),
            paper_y(c, along(at, r->view.up)));
  }
  fputs("\"/>\n", out);
}

void picture_poses(FILE* out, const robot* r, const apl_model* model, const record* run) {
  const robot_view* v = &r->view;
  const chart c = pose_chart(r, model, run);

  open_svg(out, "Poses", r->name);
  if (v->right_label != NULL) {
    axes(out, &c, v->right_label, v->up_label);
  } else {
    scale_bar(out, &c);
  }
  if (v->ground != NULL) {
    fprintf(out, "<path class=\"ground\" d=\"M%d %.1fH%d\"/>\n", LEFT, paper_y(&c, *v->ground),
            WIDTH - RIGHT);
  }
  pose_trace(out, &c, r, model, run);
  for (int k = 0; k < v->poses; ++k) {
    const bool final = k == v->poses - 1;
    fprintf(out, "<g class=\"%s\" style=\"color:", final ? "pose final" : "pose");
    pose_colour(out, (double)k / (v->poses - 1));
    fputs("\">", out);
    for (const char* const* p = v->lines; *p != NULL;)
      p = pose_line(out, &c, v, model, run, pose_sample(r, run, k), p);
    fputs("</g>\n", out);
  }
  fputs("</svg>\n", out);
}

/* --------------------------------------------------------------------------------- plot ---- */

static double plot_value(const robot* r, const record* run, const int* index, int curve,
                         int sample) {
  return r->plot.velocities ? run->v[sample * run->nv + index[curve]]
                            : run->q[sample * run->nq + index[curve]];
}

void picture_plot(FILE* out, const robot* r, const apl_model* model, const record* run) {
  const robot_plot* plot = &r->plot;
  chart c = {0.0, run->t[run->samples - 1], HUGE_VAL, -HUGE_VAL};
  int index[8];

  for (int k = 0; k < plot->n; ++k) {
    index[k] = plot->velocities ? apl_model_velocity(model, plot->name[k])
                                : apl_model_coordinate(model, plot->name[k]);
    for (int i = 0; i < run->samples; ++i)
      include(&c, run->t[i], plot_value(r, run, index, k, i));
  }
  widen(&c.y0, &c.y1, 0.06);
  const double legend = 22.0 / (HEIGHT - TOP - BOTTOM) * (c.y1 - c.y0);
  c.y1 += legend; /* room for the names of the curves */

  open_svg(out, "Motion", r->name);
  axes(out, &c, "time [s]", plot->label);
  for (int k = 0; k < plot->n; ++k) {
    fprintf(out, "<path class=\"curve\" stroke=\"%s\" d=\"", curve_colour[k]);
    for (int i = 0; i < run->samples; ++i) {
      fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", paper_x(&c, run->t[i]),
              paper_y(&c, plot_value(r, run, index, k, i)));
    }
    fputs("\"/>\n", out);
  }
  double x = LEFT + 10;
  fprintf(out, "<rect class=\"legend\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"20\"/>\n", LEFT + 1,
          TOP, WIDTH - LEFT - RIGHT);
  for (int k = 0; k < plot->n; ++k) {
    fprintf(out, "<path class=\"curve\" stroke=\"%s\" d=\"M%.1f %dh16\"/>", curve_colour[k], x,
            TOP + 9);
    fprintf(out, "<text class=\"label\" x=\"%.1f\" y=\"%d\">%s</text>\n", x + 21, TOP + 13,
            plot->title[k]);
    x += 21 + 7.0 * (double)strlen(plot->title[k]) + 16;
  }
  fputs("</svg>\n", out);
}
