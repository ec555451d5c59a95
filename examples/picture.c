/* SPDX-License-Identifier: Apache-2.0 */
/* picture.c: two drawings per robot, as SVG without scripts: poses laid over one another, and
   curves over time. A pose is a set of lines through ports, so every kind of body is drawn alike.
 */
#include "picture.h"

#include "cli/chart.h"
#include "march.h"

#include <math.h>
#include <stdlib.h>

static void open_picture(FILE* out, const char* what, const char* name) {
  char label[120];

  snprintf(label, sizeof label, "%s of the %s", what, name);
  chart_open(out, label);
}

/* For views that have no axes. */
static void scale_bar(FILE* out, const chart* c) {
  const double length = chart_nice(c->x1 - c->x0, 5), y = CHART_HEIGHT - 22;
  const double x0 = CHART_LEFT, x1 = chart_x(c, c->x0 + length);

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
    const apl_vec3 at = record_place(run, sample, apl_model_find(model, APL_PORTS, port[k]));
    const double x = chart_x(c, along(at, view->right)), y = chart_y(c, along(at, view->up));
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
  chart c = chart_new(false, false);

  for (int i = 0; i <= last_sample(r, run); ++i) {
    const apl_vec3 at = record_place(run, i, apl_model_find(model, APL_PORTS, v->trace));
    chart_include(&c, along(at, v->right), along(at, v->up));
  }
  for (int k = 0; k < v->poses; ++k) {
    for (const char* const* p = v->lines; p[0] != NULL || p[-1] != NULL; ++p) {
      if (*p == NULL) continue;
      const apl_vec3 at =
          record_place(run, pose_sample(r, run, k), apl_model_find(model, APL_PORTS, *p));
      chart_include(&c, along(at, v->right), along(at, v->up));
    }
  }
  if (v->ground != NULL) chart_include(&c, c.x0, *v->ground);
  chart_widen(&c, 0.05, 0.05);
  chart_equalise(&c);
  return c;
}

static void pose_trace(FILE* out, const chart* c, const robot* r, const apl_model* model,
                       const record* run) {
  const int port = apl_model_find(model, APL_PORTS, r->view.trace);

  fputs("<path class=\"trace\" d=\"", out);
  for (int i = 0; i <= last_sample(r, run); ++i) {
    const apl_vec3 at = record_place(run, i, port);
    fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", chart_x(c, along(at, r->view.right)),
            chart_y(c, along(at, r->view.up)));
  }
  fputs("\"/>\n", out);
}

void picture_poses(FILE* out, const robot* r, const apl_model* model, const record* run) {
  const robot_view* v = &r->view;
  const chart c = pose_chart(r, model, run);

  open_picture(out, "Poses", r->name);
  if (v->right_label != NULL) {
    chart_axes(out, &c, v->right_label, v->up_label);
  } else {
    scale_bar(out, &c);
  }
  if (v->ground != NULL) {
    fprintf(out, "<path class=\"ground\" d=\"M%d %.1fH%d\"/>\n", CHART_LEFT,
            chart_y(&c, *v->ground), CHART_WIDTH - CHART_RIGHT);
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
  chart_close(out);
}

/* --------------------------------------------------------------------------------- plot ---- */

void picture_plot(FILE* out, const robot* r, const apl_model* model, const record* run) {
  const robot_plot* plot = &r->plot;
  chart c = chart_new(false, false);
  chart_style style[CHART_COLOURS];
  double* y[CHART_COLOURS] = {NULL};

  for (int k = 0; k < plot->n; ++k) {
    const int index = plot->velocities ? apl_model_find(model, APL_VELOCITIES, plot->name[k])
                                       : apl_model_find(model, APL_COORDINATES, plot->name[k]);
    style[k] = (chart_style){.k = k};
    y[k] = calloc((size_t)run->samples, sizeof *y[k]);
    for (int i = 0; y[k] != NULL && i < run->samples; ++i) {
      y[k][i] = plot->velocities ? run->v[i * run->nv + index] : run->q[i * run->nq + index];
      chart_include(&c, run->t[i], y[k][i]);
    }
  }
  chart_widen(&c, 0.0, 0.06);
  chart_room(&c, plot->title, plot->n);

  open_picture(out, "Motion", r->name);
  chart_axes(out, &c, "time [s]", plot->label);
  for (int k = 0; k < plot->n; ++k) {
    if (y[k] != NULL) chart_curve(out, &c, style[k], run->t, y[k], run->samples);
    free(y[k]);
  }
  chart_legend(out, plot->title, style, plot->n);
  chart_close(out);
}
