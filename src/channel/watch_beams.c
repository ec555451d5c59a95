/* SPDX-License-Identifier: Apache-2.0 */
/* watch_beams.c: see watch.h. A deflection w of a beam of length L turns its end by about a = w/L,
 * which the equations assume to be small: for an arc of angle a their relative error is a^2/6 or
 * more. A beam that rotates with the speed W is stretched by its own inertia, which stiffens it:
 * omega^2 grows by about W^2. A compression C(z) along the beam softens its shape w(z), whose
 * elastic stiffness is K, by the share int C w'^2 dz / K; at Euler's load it is about one. The
 * model contains neither. */
#include "channel/watch.h"

#include "appell/beam.h"
#include "appell/dynamics.h"

#include "element/beam_par.h"
#include "model/model_impl.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Limits: an error of one per cent of the deflection, ten per cent of the stiffness. */
static const double most_deflection = 0.15, most_turning = 0.3, most_softening = 0.1;

/* The largest values so far, and when they first were too large; checkpoints store it. */
typedef struct beam_record {
  double deflection, since; /* over the length                                                    */
  double turning, turning_since;
} beam_record;
enum { BEAM_NUMBERS = 4 };
APL_STORED(beam_record, BEAM_NUMBERS);

typedef struct watched {
  int link;
  double length, omega;          /* lowest frequency; 0 if its shapes have no stiffness */
  double compression, softening; /* at the root [N], share of the stiffness; only at rest */
  beam_record most;
} watched;

struct beam_watch {
  const apl_model* model;
  const apl_spec* spec;
  double* size; /* [nq] deflection per unit of a coordinate                                       */
  double* soft; /* [2*nq] int w'^2 dz / K of a coordinate, and the same with the weight 1 - z/L   */
  int n;
  watched beam[];
};

/* The elastic stiffness K_kk of shape k of a link; 0 if its body has none. */
static double stiffness_of(const apl_model* m, int link, int k) {
  for (int i = 0; i < m->nnode; ++i) {
    const apl_node* n = &m->node[i];
    if (n->link != link || n->nx <= k) continue;
    const int before = APL_NPAR(beam_par) + APL_NPAR(beam_own_par) * n->nx;
    return m->par[n->bpar + before + BEAM_K * n->nx * n->nx + k * n->nx + k];
  }
  return 0.0;
}

/* int w'^2 dz / K over the beam, and the same with the weight 1 - z/L, by Simpson's rule. */
static apl_status find_softness(const beam_watch* b, int link, int k, double* out) {
  enum { PARTS = 64 };
  const double K = stiffness_of(b->model, link, k);
  double z[PARTS + 1];
  apl_beam_section at[PARTS + 1];
  apl_beam_shape shape;

  for (int i = 0; i <= PARTS; ++i)
    z[i] = (double)i / PARTS;
  const apl_status st = apl_spec_beam_shape(b->spec, link, k, &shape, z, PARTS + 1, at, NULL);
  out[0] = out[1] = 0.0;
  for (int i = 0; st == APL_OK && K > 0.0 && i <= PARTS; ++i) {
    const double weight = i == 0 || i == PARTS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
    const double part = weight * shape.length / (3.0 * PARTS) * at[i].slope * at[i].slope / K;
    out[0] += part;
    out[1] += part * (1.0 - z[i]);
  }
  return st;
}

/* Fill in the data of a beam; false if the link is none. */
static apl_status find_beam(const beam_watch* b, int link, watched* w) {
  const apl_link_info info = apl_model_link_info(b->model, link);
  apl_beam_shape shape;

  *w = (watched){.link = link};
  for (int k = 0; k < info.nx; ++k) {
    const apl_status st = apl_spec_beam_shape(b->spec, link, k, &shape, NULL, 0, NULL, NULL);
    if (st != APL_OK) return st;
    const bool bends = strncmp(shape.direction, "bend", 4) == 0; /* not torsion, not stretch */
    b->size[info.xq0 + k] = bends ? shape.largest : 0.0;
    if (bends) {
      const apl_status soft = find_softness(b, link, k, b->soft + 2 * (info.xq0 + k));
      if (soft != APL_OK) return soft;
    }
    w->length = shape.length;
    if (shape.omega > 0.0 && !(w->omega > 0.0 && w->omega < shape.omega)) w->omega = shape.omega;
  }
  return info.nx > 0 ? APL_OK : APL_ERR_ARGUMENT;
}

beam_watch* apl_beam_watch_new(const apl_spec* spec, const apl_model* m) {
  const int links = apl_model_count(m, APL_LINKS);
  beam_watch* b = calloc(1, sizeof *b + sizeof *b->beam * ((size_t)links + 1));

  if (b == NULL) return NULL;
  b->model = m;
  b->spec = spec;
  b->size = calloc(3 * (size_t)apl_model_nq(m) + 1, sizeof *b->size);
  if (b->size == NULL) {
    free(b);
    return NULL;
  }
  b->soft = b->size + apl_model_nq(m);
  for (int i = 0; i < links; ++i) {
    const apl_status st = find_beam(b, i, &b->beam[b->n]);
    if (st == APL_OK) b->n += 1;
    if (st == APL_ERR_MEMORY) {
      apl_beam_watch_free(b);
      return NULL;
    }
  }
  return b;
}

void apl_beam_watch_free(beam_watch* b) {
  if (b == NULL) return;
  free(b->size);
  free(b);
}

/* Update the largest value and the time at which it first exceeded the limit. */
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
    note(sqrt(sum) / w->length, most_deflection, t, &w->most.deflection, &w->most.since);
    if (w->omega > 0.0 && apl_port_motion(b->model, s, info.port, APL_PORT_AXES, V, A) == APL_OK) {
      const double turning = sqrt(V[0] * V[0] + V[1] * V[1] + V[2] * V[2]) / w->omega;
      note(turning, most_turning, t, &w->most.turning, &w->most.turning_since);
    }
  }
}

/* At rest the compression along the axis e is linear: C = e.F at the root, where F holds the beam
   and all it carries, and e.F + m e.g at the tip, without the weight of the beam itself. */
static void look_at_load(const beam_watch* b, watched* w, const double* F, apl_state* s) {
  const apl_link_info info = apl_model_link_info(b->model, w->link);
  const apl_vec3 g = apl_model_gravity(b->model);
  double X[12];

  if (!info.reaction || apl_port_pose(b->model, s, info.port, X) != APL_OK) return;
  const double e[3] = {X[2], X[5], X[8]}; /* the axis z of the body in world axes */
  const double root = e[0] * F[3] + e[1] * F[4] + e[2] * F[5];
  const double tip = root + info.mass * (e[0] * g.x + e[1] * g.y + e[2] * g.z);
  w->compression = root;
  w->softening = 0.0;
  for (int k = 0; k < info.nx; ++k) {
    const double* soft = b->soft + 2 * (info.xq0 + k);
    const double share = tip * soft[0] + (root - tip) * soft[1];
    if (fabs(share) > fabs(w->softening)) w->softening = share;
  }
}

apl_status apl_beam_watch_rest(beam_watch* b, double t, apl_state* s) {
  const size_t links = (size_t)apl_model_count(b->model, APL_LINKS);

  apl_beam_watch_look(b, t, s);
  /* reactions of a robot with loops may lack the forces of the loops: no judgement there */
  if (b->n == 0 || apl_model_count(b->model, APL_LOOPS) > 0) return APL_OK;
  double* held = calloc(6 * (links + 1), sizeof *held);
  if (held == NULL) return APL_ERR_MEMORY;
  const apl_status st = apl_reactions(b->model, s, held);
  for (int i = 0; i < b->n && st == APL_OK; ++i)
    look_at_load(b, &b->beam[i], held + 6 * b->beam[i].link, s);
  free(held);
  return st;
}

int apl_beam_watch_size(const beam_watch* b) {
  return b == NULL ? 0 : BEAM_NUMBERS * b->n;
}

void apl_beam_watch_memory(beam_watch* b, apl_store* m) {
  for (int i = 0; b != NULL && i < b->n; ++i) {
    watched* w = &b->beam[i];
    apl_store_number(m, &w->most.deflection, "the deflection of a beam");
    apl_store_number(m, &w->most.since, "the time of a deflection");
    apl_store_number(m, &w->most.turning, "the rotation of a beam");
    apl_store_number(m, &w->most.turning_since, "the time of a rotation");
  }
}

int apl_beam_watch_warnings(const beam_watch* b, watch_warning* out, int most) {
  int n = 0;

  for (int i = 0; i < b->n; ++i) {
    const watched* w = &b->beam[i];
    const char* name = apl_model_name(b->model, APL_LINKS, w->link);
    if (w->most.deflection > most_deflection && n < most) {
      (void)snprintf(out[n].key, sizeof out[n].key, "warning.%.40s.deflection", name);
      (void)snprintf(out[n].text, sizeof out[n].text,
                     "beam '%.40s' deflects by up to %.0f %% of its length (since %.4g s), beyond "
                     "the small deflections of its theory; use an arc",
                     name, 100.0 * w->most.deflection, w->most.since);
      out[n++].worst = w->most.deflection;
    }
    if (w->most.turning > most_turning && n < most) {
      (void)snprintf(out[n].key, sizeof out[n].key, "warning.%.40s.turning", name);
      (void)snprintf(out[n].text, sizeof out[n].text,
                     "beam '%.40s' rotates at up to %.3g rad/s (since %.4g s), its lowest mode has "
                     "%.3g: geometric stiffening is left out, about %.3g %% of the stiffness; use "
                     "an arc",
                     name, w->most.turning * w->omega, w->most.turning_since, w->omega,
                     100.0 * w->most.turning * w->most.turning);
      out[n++].worst = w->most.turning;
    } else if (fabs(w->softening) > most_softening && n < most) {
      (void)snprintf(out[n].key, sizeof out[n].key, "warning.%.40s.axial", name);
      (void)snprintf(out[n].text, sizeof out[n].text,
                     "beam '%.40s' carries %.3g N of %s along its axis: its bending would be about "
                     "%.3g %% %s, but geometric stiffness is left out; use an arc",
                     name, fabs(w->compression), w->compression > 0.0 ? "compression" : "tension",
                     100.0 * fabs(w->softening), w->softening > 0.0 ? "softer" : "stiffer");
      out[n++].worst = w->softening;
    }
  }
  return n;
}
