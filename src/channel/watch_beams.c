/* watch_beams.c: see watch.h. A deflection of w turns what is left of the length L against the
   frame by about w/L, which the equations take as small: of an arc of angle a = w/L they miss a^2/6
   and more. A beam that turns at W is pulled by its own inertia, which stiffens it: omega^2 grows
   by about W^2, and that is not in the model. */
#include "channel/watch.h"

#include "appell/beam.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One per cent of a deflection, ten per cent of a stiffness. */
static const double most_deflection = 0.15, most_turning = 0.3;

typedef struct watched {
  int link;
  double length, omega;     /* lowest frequency, 0 when its shapes have none                     */
  double deflection, since; /* largest over the length, and when it was first too large          */
  double turning, turning_since;
} watched;

struct beam_watch {
  const apl_model* model;
  const apl_spec* spec;
  double* size; /* [nq] deflection per unit of a coordinate                                       */
  int n;
  watched beam[];
};

/* What one beam is; false when the link is none. */
static bool is_beam(const beam_watch* b, int link, watched* w) {
  const apl_link_info info = apl_model_link_info(b->model, link);
  apl_beam_shape shape;

  *w = (watched){.link = link};
  for (int k = 0; k < info.nx; ++k) {
    if (apl_spec_beam_shape(b->spec, link, k, &shape, NULL, 0, NULL, NULL) != APL_OK) return false;
    const bool bends = strncmp(shape.direction, "bend", 4) == 0; /* not torsion, not stretch */
    b->size[info.xq0 + k] = bends ? shape.largest : 0.0;
    w->length = shape.length;
    if (shape.omega > 0.0 && !(w->omega > 0.0 && w->omega < shape.omega)) w->omega = shape.omega;
  }
  return info.nx > 0;
}

beam_watch* apl_beam_watch_new(const apl_spec* spec, const apl_model* m) {
  const int links = apl_model_count(m, APL_LINKS);
  beam_watch* b = calloc(1, sizeof *b + sizeof *b->beam * ((size_t)links + 1));

  if (b == NULL) return NULL;
  b->model = m;
  b->spec = spec;
  b->size = calloc((size_t)apl_model_nq(m) + 1, sizeof *b->size);
  if (b->size == NULL) {
    free(b);
    return NULL;
  }
  for (int i = 0; i < links; ++i)
    b->n += is_beam(b, i, &b->beam[b->n]);
  return b;
}

void apl_beam_watch_free(beam_watch* b) {
  if (b == NULL) return;
  free(b->size);
  free(b);
}

/* The largest value, and when it was first beyond the limit. */
static void note(double value, double limit, double t, double* largest, double* since) {
  if (value > limit && *largest <= limit) *since = t;
  *largest = fmax(*largest, value);
}

void apl_beam_watch_look(beam_watch* b, double t, apl_state* s) {
  for (int i = 0; i < b->n; ++i) {
    watched* w = &b->beam[i];
    const apl_link_info info = apl_model_link_info(b->model, w->link);
    double V[6], A[6], sum = 0.0;

    for (int k = 0; k < info.nx; ++k) {
      const double x = b->size[info.xq0 + k] * apl_q(s)[info.xq0 + k];
      sum += x * x;
    }
    note(sqrt(sum) / w->length, most_deflection, t, &w->deflection, &w->since);
    if (w->omega > 0.0 && apl_port_motion(b->model, s, info.port, APL_PORT_AXES, V, A) == APL_OK) {
      const double turning = sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2]) / w->omega;
      note(turning, most_turning, t, &w->turning, &w->turning_since);
    }
  }
}

enum { BEAM = 4 };

int apl_beam_watch_size(const beam_watch* b) {
  return b == NULL ? 0 : BEAM * b->n;
}

void apl_beam_watch_remember(const beam_watch* b, double* out) {
  for (int i = 0; b != NULL && i < b->n; ++i, out += BEAM) {
    const watched* w = &b->beam[i];
    const double x[BEAM] = {w->deflection, w->since, w->turning, w->turning_since};
    memcpy(out, x, sizeof x);
  }
}

void apl_beam_watch_recall(beam_watch* b, const double* in) {
  for (int i = 0; b != NULL && i < b->n; ++i, in += BEAM) {
    watched* w = &b->beam[i];
    w->deflection = in[0];
    w->since = in[1];
    w->turning = in[2];
    w->turning_since = in[3];
  }
}

int apl_beam_watch_warnings(const beam_watch* b, watch_warning* out, int most) {
  int n = 0;

  for (int i = 0; i < b->n; ++i) {
    const watched* w = &b->beam[i];
    const char* name = apl_model_name(b->model, APL_LINKS, w->link);
    if (w->deflection > most_deflection && n < most) {
      (void)snprintf(out[n].key, sizeof out[n].key, "warning.%.40s.deflection", name);
      (void)snprintf(out[n].text, sizeof out[n].text,
                     "beam '%.40s' deflects by up to %.0f %% of its length (since %.4g s), beyond "
                     "the small deflections of its theory; use an arc",
                     name, 100.0 * w->deflection, w->since);
      out[n++].worst = w->deflection;
    }
    if (w->turning > most_turning && n < most) {
      (void)snprintf(out[n].key, sizeof out[n].key, "warning.%.40s.turning", name);
      (void)snprintf(out[n].text, sizeof out[n].text,
                     "beam '%.40s' rotates at up to %.3g rad/s (since %.4g s), its lowest mode has "
                     "%.3g: geometric stiffening is left out; use an arc",
                     name, w->turning * w->omega, w->turning_since, w->omega);
      out[n++].worst = w->turning;
    }
  }
  return n;
}
