/* SPDX-License-Identifier: Apache-2.0 */
/* modes_text.c: modes in words and as JSON. */
#include "cli/modes.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TWO_PI = 6.283185307179586476925286766559;

/* Shares below this are not named. */
static const double LEAST = 0.01;

double modes_station(int i) {
  return (double)i / (MODES_STATIONS - 1);
}

int modes_end_of_link(const modes_found* f, int first) {
  int i = first;

  while (i < f->nbeam && f->beam[i].link == f->beam[first].link)
    ++i;
  return i;
}

/* Whether the links that begin at shapes a and b have the same shapes. */
static bool alike(const modes_found* f, int a, int b) {
  const int n = modes_end_of_link(f, a) - a;

  if (modes_end_of_link(f, b) - b != n) return false;
  for (int i = 0; i < n; ++i) {
    const modes_beam *x = &f->beam[a + i], *y = &f->beam[b + i];
    if (strcmp(x->shape.direction, y->shape.direction) != 0 ||
        strcmp(x->shape.kind, y->shape.kind) != 0 || x->shape.omega != y->shape.omega ||
        x->shape.length != y->shape.length || strcmp(x->shape.root_end, y->shape.root_end) != 0 ||
        strcmp(x->shape.tip_end, y->shape.tip_end) != 0 || memcmp(x->at, y->at, sizeof x->at) != 0)
      return false;
  }
  return true;
}

int modes_alike(const modes_found* f, int first, int* last) {
  enum { FEW = 4 };
  int same = 0;

  *last = first;
  for (int k = modes_end_of_link(f, first); k < f->nbeam && alike(f, first, k);
       k = modes_end_of_link(f, k))
    *last = k, ++same;
  if (same < FEW) *last = first, same = 0;
  return same;
}

static bool swings(const apl_mode* m) {
  return m->kind == APL_MODE_SWINGS || m->kind == APL_MODE_FLUTTERS;
}

void modes_describe(const apl_mode* m, char* text, size_t size) {
  text[0] = '\0';
  if (swings(m)) {
    const int n = snprintf(text, size, "%.6g Hz", m->omega / TWO_PI);
    if (m->damping != 0.0) snprintf(text + n, size - (size_t)n, ", damping %.4g", m->damping);
  } else if (m->kind != APL_MODE_RIGID) {
    snprintf(text, size, "%s %.4g s", m->real < 0.0 ? "dies away in" : "grows in", m->time);
  }
}

/* Name of a velocity without its last number, "arm.bend-x" of "arm.bend-x.12", if its body is a
   chain of elements: a single element is not informative. */
static int stem(const apl_model* m, int velocity) {
  const char* name = apl_model_name(m, APL_VELOCITIES, velocity);
  const char* dot = strrchr(name, '.');

  for (int i = 0; i < apl_model_count(m, APL_LINKS); ++i) {
    const apl_link_info info = apl_model_link_info(m, i);
    const bool own = velocity >= info.xv0 && velocity < info.xv0 + info.nx;
    if (own && info.elements > 1 && strspn(dot, ".0123456789") == strlen(dot))
      return (int)(dot - name);
  }
  return (int)strlen(name);
}

/* Add the shares of velocities with the same stem to the first of them. */
static void gather(const apl_model* m, double* share) {
  for (int i = 0; i < apl_model_nv(m); ++i) {
    const char* name = apl_model_name(m, APL_VELOCITIES, i);
    const int n = stem(m, i);
    for (int k = 0; k < i; ++k) {
      if (stem(m, k) != n || strncmp(apl_model_name(m, APL_VELOCITIES, k), name, (size_t)n) != 0)
        continue;
      share[k] += share[i];
      share[i] = 0.0;
      break;
    }
  }
}

/* The largest shares first. */
void modes_who(const modes_found* f, int mode, int most, char* text, size_t size) {
  const apl_model* m = f->rest->model;
  const int nv = apl_model_nv(m);
  double* share = f->share;
  size_t n = 0;

  text[0] = '\0';
  apl_modes_share(f->modes, mode, share);
  gather(m, share);
  for (int k = 0; k < most; ++k) {
    int best = 0;
    for (int i = 1; i < nv; ++i) {
      /* of equal shares take the first; round-off must not decide */
      if (share[i] > share[best] * (1.0 + 1e-9)) best = i;
    }
    if (share[best] < LEAST || n >= size) break;
    const int more =
        snprintf(text + n, size - n, "%s%.*s %.0f %%", n > 0 ? ", " : "", stem(m, best),
                 apl_model_name(m, APL_VELOCITIES, best), 100.0 * share[best]);
    n += (size_t)more;
    share[best] = 0.0;
  }
}

/* -------------------------------------------------------------------------------- plain ---- */

/* A number, or a dash where there is none. */
static const char* dashed(char text[24], bool there, double value) {
  if (there) snprintf(text, 24, "%.6g", value);
  return there ? text : "-";
}

/* Print round-off as zero: shapes are of order one. */
static double shown(double x) {
  return fabs(x) < 1e-13 ? 0.0 : x;
}

static void print_beam(const modes_beam* b) {
  const apl_beam_section* tip = &b->at[MODES_STATIONS - 1];
  const bool mode = strcmp(b->shape.kind, "mode") == 0;
  char held[32], omega[24], hertz[24];

  snprintf(held, sizeof held, "%s-%s", b->shape.root_end, b->shape.tip_end);
  printf("  %-28s %-16s %12s %12s %10.5g %10.5g %10.5g %8.4g\n", b->name,
         mode ? held : b->shape.kind, dashed(omega, mode, b->shape.omega),
         dashed(hertz, mode, b->shape.omega / TWO_PI), shown(tip->deflection), shown(tip->slope),
         shown(tip->turn), b->shape.largest);
}

/* A series of equal bodies, as in a long chain, is printed once. */
void modes_print_beams(const modes_found* f) {
  const apl_model* m = f->rest->model;
  if (f->nbeam == 0) return;

  printf("mode shapes of beams, each body alone with its own end conditions; W' and T at the tip "
         "per metre\n  %-28s %-16s %12s %12s %10s %10s %10s %8s\n",
         "", "held", "omega [rad/s]", "f [Hz]", "W(tip)", "W'(tip)", "T(tip)", "largest");
  for (int i = 0, last; i < f->nbeam; i = modes_end_of_link(f, last)) {
    const int same = modes_alike(f, i, &last), end = modes_end_of_link(f, i);
    for (int k = i; k < end; ++k)
      print_beam(&f->beam[k]);
    if (same > 0) {
      printf("  %s to %s: the same, %d bodies\n", apl_model_name(m, APL_LINKS, f->beam[end].link),
             apl_model_name(m, APL_LINKS, f->beam[last].link), same);
    }
  }
  printf("\n");
}

static void print_mode(const modes_found* f, int i) {
  const apl_mode m = apl_modes_at(f->modes, i);
  char hertz[24], omega[24], damping[24], time[24], who[400];

  modes_who(f, i, 4, who, sizeof who);
  printf("%4d  %-10s %12s %12s %12s %12s  %s\n", i + 1, apl_mode_word(m.kind),
         dashed(hertz, swings(&m), m.omega / TWO_PI), dashed(omega, swings(&m), m.omega),
         dashed(damping, swings(&m), m.damping), dashed(time, isfinite(m.time), m.time), who);
}

void modes_print(const modes_found* f) {
  const int all = apl_modes_count(f->modes);
  bool kind[APL_MODE_FLUTTERS + 1] = {false};

  modes_print_beams(f);
  printf("small vibrations about the %s",
         f->at_start ? "start, which is an equilibrium" : "equilibrium near the start");
  printf(" at %g s\n", f->rest->time);
  if (all == 0) printf("  the robot has no degrees of freedom that can move\n");
  if (all > 0) {
    printf("%4s  %-10s %12s %12s %12s %12s  %s\n", "", "", "f [Hz]", "omega [rad/s]", "damping",
           "time [s]", "participation");
  }
  for (int i = 0; i < f->count; ++i)
    print_mode(f, i);
  bool stable = true;
  for (int i = 0; i < all; ++i) {
    const apl_mode m = apl_modes_at(f->modes, i);
    if (i < f->count) kind[m.kind] = true;
    stable = stable && !(m.real > 0.0);
  }

  if (f->count < all) printf("      and %d more; --count %d shows all\n", all - f->count, all);
  printf("\n");
  if (kind[APL_MODE_RIGID])
    printf("rigid: a motion without any stiffness; the robot does not return from it\n");
  if (kind[APL_MODE_CREEPS]) printf("overdamped: returns without oscillation\n");
  if (!stable)
    printf("UNSTABLE: the robot moves away from this equilibrium by itself%s\n",
           f->at_start ? "" : "; --stable searches for a stable one");
  if (all > 0) printf("time: time in which the amplitude changes by the factor e\n");
}

/* --------------------------------------------------------------------------------- json ---- */

static json_t* number(bool there, double value) {
  return there && isfinite(value) ? json_real(value) : json_null();
}

static json_t* json_beam(const modes_found* f, const modes_beam* b) {
  json_t *station = json_array(), *W = json_array(), *slope = json_array(), *T = json_array();
  const bool mode = strcmp(b->shape.kind, "mode") == 0;

  for (int i = 0; i < MODES_STATIONS; ++i) {
    json_array_append_new(station, json_real(modes_station(i)));
    json_array_append_new(W, json_real(b->at[i].deflection));
    json_array_append_new(slope, json_real(b->at[i].slope));
    json_array_append_new(T, json_real(b->at[i].turn));
  }
  return json_pack("{s:s, s:s, s:s, s:s, s:i, s:[s, s], s:o, s:o, s:f, s:f, s:o, s:o, s:o, s:o}",
                   "link", apl_model_name(f->rest->model, APL_LINKS, b->link), "coordinate",
                   b->name, "direction", b->shape.direction, "kind", b->shape.kind, "number",
                   b->shape.number, "ends", b->shape.root_end, b->shape.tip_end, "omega",
                   number(mode, b->shape.omega), "frequency", number(mode, b->shape.omega / TWO_PI),
                   "length", b->shape.length, "largest", b->shape.largest, "stations", station,
                   "deflection", W, "slope", slope, "turn", T);
}

static json_t* json_mode(const modes_found* f, int i, double* room) {
  const apl_model* model = f->rest->model;
  const apl_mode m = apl_modes_at(f->modes, i);
  const int nv = apl_model_nv(model);
  double *re = room, *im = re + nv, *share = im + nv;
  json_t *shape = json_object(), *shares = json_object();

  apl_modes_shape(f->modes, i, re, im);
  apl_modes_share(f->modes, i, share);
  for (int k = 0; k < nv; ++k) {
    const char* name = apl_model_name(model, APL_VELOCITIES, k);
    json_object_set_new(shape, name, json_pack("[f, f]", re[k], im[k]));
    json_object_set_new(shares, name, json_real(share[k]));
  }
  return json_pack("{s:i, s:s, s:o, s:o, s:o, s:o, s:[f, f], s:o, s:o}", "number", i + 1, "kind",
                   apl_mode_word(m.kind), "frequency", number(swings(&m), m.omega / TWO_PI),
                   "omega", number(swings(&m), m.omega), "damping", number(swings(&m), m.damping),
                   "time", number(true, m.time), "lambda", m.real, m.imag, "shape", shape, "share",
                   shares);
}

static json_t* json_beams(const modes_found* f) {
  json_t* beams = json_array();

  for (int i = 0; i < f->nbeam; ++i)
    json_array_append_new(beams, json_beam(f, &f->beam[i]));
  return beams;
}

/* To the standard output; takes the reference. */
static bool print_root(json_t* root) {
  const bool ok = root != NULL && json_dumpf(root, stdout, JSON_INDENT(2)) == 0;

  putchar('\n');
  json_decref(root);
  return ok;
}

bool modes_print_json_beams(const modes_found* f) {
  return print_root(json_pack("{s:f, s:n, s:o, s:n}", "time", f->rest->time, "at", "beams",
                              json_beams(f), "modes"));
}

bool modes_print_json(const modes_found* f) {
  const apl_model* m = f->rest->model;
  double* room = calloc(3 * (size_t)apl_model_nv(m) + 1, sizeof *room);
  json_t *q = json_object(), *modes = json_array();
  bool stable = true;

  for (int i = 0; i < apl_model_nq(m); ++i)
    json_object_set_new(q, apl_model_name(m, APL_COORDINATES, i), json_real(apl_q(f->state)[i]));
  for (int i = 0; i < f->count && room != NULL; ++i)
    json_array_append_new(modes, json_mode(f, i, room));
  for (int i = 0; i < apl_modes_count(f->modes); ++i)
    stable = stable && !(apl_modes_at(f->modes, i).real > 0.0);

  json_t* root =
      json_pack("{s:f, s:s, s:o, s:o, s:i, s:b, s:o}", "time", f->rest->time, "at",
                f->at_start ? "start" : "equilibrium", "coordinates", q, "beams", json_beams(f),
                "count", apl_modes_count(f->modes), "stable", stable, "modes", modes);
  const bool ok = print_root(root) && room != NULL;
  free(room);
  return ok;
}
