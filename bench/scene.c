/* SPDX-License-Identifier: Apache-2.0 */
/* scene.c: build the robots and draw their states. */
#include "scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf.h"

/* In the order of docs that quote these figures; n = 0 is read from tests/data/rigid. */
static const struct {
  const char* name;
  int n;
  bool floating;
} list[] = {
    {"chain2", 2, false},    {"chain7", 7, false},     {"arm7", 0, false},
    {"chain12", 12, false},  {"chain30", 30, false},   {"tree31", 0, false},
    {"humanoid36", 0, true}, {"chain100", 100, false}, {"chain300", 300, false},
};

const int scene_count = (int)(sizeof list / sizeof *list);

static bool describe(int i, robot* out, char* message) {
  if (list[i].n > 0) {
    (void)snprintf(message, ROBOT_MESSAGE, "out of memory");
    return robot_chain(list[i].n, (uint64_t)list[i].n, out);
  }
  char path[1024];
  (void)snprintf(path, sizeof path, "%s/%s.urdf", APPELL_BENCH_DATA, list[i].name);
  if (!robot_read_urdf(path, list[i].floating, out, message)) return false;

  /* the libraries we compare with do not carry the fixed link either */
  robot_drop_fixed_root(out);
  return true;
}

static bool compile(const robot* r, apl_model** out, char* message) {
  apl_spec* spec = NULL;
  apl_error err = {.status = APL_OK};
  apl_status status = apl_spec_new(&spec);
  if (status == APL_OK) {
    (void)robot_to_spec(r, spec);
    status = apl_model_new(spec, out, &err);
  }
  apl_spec_free(spec);
  if (status != APL_OK) {
    const char* text = err.text[0] != '\0' ? err.text : apl_status_text(status);
    (void)snprintf(message, ROBOT_MESSAGE, "%s", text);
  }
  return status == APL_OK;
}

static int seat_stride(const seat* s) {
  return (s->nq + 3 * s->nv) * s->width;
}

const double* seat_input(const seat* s, int k) {
  return s->input + k * seat_stride(s);
}

/* Wide number i of block `to` gets x[i] for robot j of the seat. */
static void spread(const seat* s, double* to, const double* x, int n, int j) {
  for (int i = 0; i < n; i++)
    to[i * s->width + j] = x[i];
}

/* Each lane gets a motion of its own; imaginary parts stay zero but for the velocities, so that the
   compiler's or the processor's short cuts for zero cannot flatter the complex passes. */
static void draw_inputs(seat* s, const robot* r, apl_number number, double* one) {
  const int nq = s->nq, nv = s->nv, w = s->width;
  const int nrobot = number == APL_LANES ? w : 1;
  rng dice = rng_seed(0x5eed);
  double *q = one, *v = q + nq, *a = v + nv, *tau = a + nv;

  for (int k = 0; k < NSTATE; k++) {
    double* to = s->input + k * seat_stride(s);
    for (int j = 0; j < nrobot; j++) {
      robot_random_state(&dice, r, q, v, a, tau);
      spread(s, to, q, nq, j);
      spread(s, to + nq * w, v, nv, j);
      spread(s, to + (nq + nv) * w, a, nv, j);
      spread(s, to + (nq + 2 * nv) * w, tau, nv, j);
    }
    if (number == APL_COMPLEX) {
      for (int i = 0; i < nv; i++)
        to[(nq + i) * w + 1] = 1e-100;
    }
  }
}

static bool seat_open(seat* s, const scene* of, apl_number number) {
  s->model = of->model;
  if (apl_state_new(of->model, number, &s->state) != APL_OK) return false;
  if (number == APL_SCALAR && apl_derivatives_new(of->model, &s->room) != APL_OK) return false;
  s->port = apl_model_link_info(of->model, apl_model_count(of->model, APL_LINKS) - 1).port;
  s->nq = apl_model_nq(of->model);
  s->nv = apl_model_nv(of->model);
  s->width = apl_state_width(s->state);
  s->q = apl_q(s->state);
  s->v = apl_v(s->state);
  s->a = apl_a(s->state);
  s->tau = apl_tau(s->state);

  const size_t nv = (size_t)s->nv, w = (size_t)s->width;
  s->input = calloc(NSTATE * (size_t)seat_stride(s), sizeof *s->input);
  s->out = calloc((3 * nv * nv + 6 * nv + 36 + (size_t)s->nq) * w, sizeof *s->out);
  double* one = malloc(sizeof *one * (size_t)(s->nq + 3 * s->nv));
  const bool ok = s->input != NULL && s->out != NULL && one != NULL;
  if (ok) draw_inputs(s, &of->robot, number, one);
  free(one);
  return ok;
}

bool scene_open(int i, scene* out, char* message) {
  *out = (scene){.name = list[i].name, .chain = list[i].n > 0};
  bool ok = describe(i, &out->robot, message) && compile(&out->robot, &out->model, message);
  for (int number = 0; ok && number < NNUMBER; number++) {
    (void)snprintf(message, ROBOT_MESSAGE, "out of memory");
    ok = seat_open(&out->seat[number], out, (apl_number)number);
  }
  if (!ok) scene_close(out);
  return ok;
}

void scene_close(scene* s) {
  for (int number = 0; number < NNUMBER; number++) {
    apl_state_free(s->seat[number].state);
    apl_derivatives_free(s->seat[number].room);
    free(s->seat[number].input);
    free(s->seat[number].out);
  }
  apl_model_free(s->model);
  robot_free(&s->robot);
  *s = (scene){0};
}
