/* sections.c: see sections.h. r(z) = z e_z + sum x_k W_k e_k, turned by t(z) = sum x_k T_k t_k
   (docs/theory/beam.md, 2). */
#include "cli/sections.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A body is drawn in so many pieces. */
enum { PIECES = 16, INNER = PIECES - 1 };

/* One shape of one link. */
typedef struct bent {
  int link, coordinate;
  apl_beam_shape shape;
  apl_beam_section at[INNER];
} bent;

struct cli_sections {
  const apl_model* model;
  int* link; /* [nlink] that have sections  */
  int nlink;
  double* length; /* [all links] */
  bent* shape;
  int nshape;
};

static bool find_shapes(cli_sections* s, const apl_file* file, int link) {
  const apl_link_info info = apl_model_link_info(s->model, link);
  double station[INNER];

  for (int i = 0; i < INNER; ++i)
    station[i] = (i + 1.0) / PIECES;
  for (int k = 0; k < info.nx; ++k) {
    bent* b = &s->shape[s->nshape];
    if (apl_spec_beam_shape(apl_file_spec(file), link, k, &b->shape, station, INNER, b->at, NULL) !=
        APL_OK)
      return false;
    b->link = link;
    b->coordinate = info.xq0 + k;
    s->length[link] = b->shape.length;
    ++s->nshape;
  }
  return info.nx > 0;
}

cli_sections* cli_sections_new(const apl_model* model, const apl_file* file) {
  cli_sections* s = calloc(1, sizeof *s);
  if (s == NULL) return NULL;

  s->model = model;
  s->link = calloc((size_t)apl_model_nlink(model) + 1, sizeof *s->link);
  s->length = calloc((size_t)apl_model_nlink(model) + 1, sizeof *s->length);
  s->shape = calloc((size_t)apl_model_nq(model) + 1, sizeof *s->shape);
  if (s->link == NULL || s->length == NULL || s->shape == NULL) {
    cli_sections_free(s);
    return NULL;
  }
  for (int i = 0; i < apl_model_nlink(model); ++i) {
    if (find_shapes(s, file, i)) s->link[s->nlink++] = i;
  }
  return s;
}

void cli_sections_free(cli_sections* s) {
  if (s == NULL) return;
  free(s->link);
  free(s->length);
  free(s->shape);
  free(s);
}

int cli_sections_count(const cli_sections* s) {
  return s->nlink * INNER;
}

int cli_sections_link(const cli_sections* s, int i) {
  return s->link[i / INNER];
}

/* R = 1 + sin a / a [t] + (1 - cos a) / a^2 [t]^2, row-major */
static void rotation(const double t[3], double R[9]) {
  const double a2 = t[0] * t[0] + t[1] * t[1] + t[2] * t[2], a = sqrt(a2);
  const double s = a > 1e-6 ? sin(a) / a : 1.0, c = a > 1e-6 ? (1.0 - cos(a)) / a2 : 0.5;
  const double skew[9] = {0, -t[2], t[1], t[2], 0, -t[0], -t[1], t[0], 0};

  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) {
      const double one = i == k ? 1.0 : 0.0;
      R[3 * i + k] = one + s * skew[3 * i + k] + c * (t[i] * t[k] - a2 * one);
    }
  }
}

/* Section i of a link in the frame of its body. */
static void local_pose(const cli_sections* s, int link, int i, const double* q, double R[9],
                       double r[3]) {
  double turn[3] = {0, 0, 0};

  r[0] = r[1] = 0.0;
  r[2] = s->length[link] * (i + 1.0) / PIECES;
  for (int k = 0; k < s->nshape; ++k) {
    const bent* b = &s->shape[k];
    if (b->link != link) continue;
    const double x = q[b->coordinate];
    for (int j = 0; j < 3; ++j) {
      r[j] += x * b->at[i].deflection * b->shape.along[j];
      turn[j] += x * b->at[i].turn * b->shape.about[j];
    }
  }
  rotation(turn, R);
}

void cli_sections_poses(const cli_sections* s, const double* q, const double* X, double* out) {
  for (int n = 0; n < cli_sections_count(s); ++n, out += 12) {
    const int link = cli_sections_link(s, n);
    const double* root = X + 12 * apl_model_link_info(s->model, link).port;
    double R[9], r[3];

    local_pose(s, link, n % INNER, q, R, r);
    for (int i = 0; i < 3; ++i) {
      out[9 + i] = root[9 + i];
      for (int k = 0; k < 3; ++k) {
        out[9 + i] += root[3 * i + k] * r[k];
        out[3 * i + k] =
            root[3 * i] * R[k] + root[3 * i + 1] * R[3 + k] + root[3 * i + 2] * R[6 + k];
      }
    }
  }
}
