/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_checkpoint.c: numbers of a checkpoint, whatever they are, put into a run of a ball that
   bounces on a floor. A run may refuse them or go on from them; it must end. */
#include "run/parts.h"
#include "system/system.h"

#include "fuzz.h"

#include <appell/appell.h>

#include <stdlib.h>
#include <string.h>

static const char ball[] = "appell: 1\n"
                           "name: ball\n"
                           "links:\n"
                           "  - name: b\n"
                           "    joint: {type: prismatic, axis: z}\n"
                           "    body: {mass: 1}\n"
                           "    ports: {p: {at: [0, 0, 0]}}\n"
                           "grounds: {floor: {law: {normal: restitution, restitution: 0.5}}}\n"
                           "contacts: [{on: b.p, with: floor}]\n"
                           "start: {b.joint.position: 0.01}\n"
                           "run: {to: 0.2, output-every: 0.01}\n";

/* A run that was not fuzzed, to have numbers to change. */
typedef struct memory {
  double t, *y, *memory;
  size_t n, nmemory;
} memory;

static apl_status save(double t, const double* y, const double* beside, void* user) {
  memory* m = user;

  m->t = t;
  memcpy(m->y, y, sizeof *y * m->n);
  memcpy(m->memory, beside, sizeof *beside * m->nmemory);
  return APL_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static apl_file* file;
  static apl_model* model;
  apl_system* system = NULL;

  if (model == NULL && (apl_file_parse(ball, sizeof ball - 1, NULL, &file, NULL) != APL_OK ||
                        apl_file_model(file, &model, NULL) != APL_OK))
    abort();
  if (apl_system_new(model, &system, NULL) != APL_OK) return 0;
  apl_state* state = apl_system_state(system);
  (void)apl_file_start(file, model, apl_q(state), apl_v(state), NULL);

  apl_run_options o = apl_run_options_default();
  memory m = {.n = (size_t)apl_system_size(system),
              .nmemory = (size_t)apl_run_memory_size(system, &o)};
  m.y = calloc(m.n + m.nmemory, sizeof *m.y);
  if (m.y != NULL) m.memory = m.y + m.n;
  o.to = 0.1;
  o.checkpoint = save;
  o.checkpoint_every = 5;
  o.user = &m;
  if (m.y != NULL && apl_run(system, &o, NULL, NULL) == APL_OK) {
    /* pairs of a place (one byte) and a number (eight) */
    for (size_t i = 0; i + 9 <= size; i += 9) {
      double x;
      memcpy(&x, data + i + 1, sizeof x);
      const size_t place = data[i] % (1 + m.n + m.nmemory);
      double* const to = place == 0     ? &m.t
                         : place <= m.n ? &m.y[place - 1]
                                        : &m.memory[place - 1 - m.n];
      *to = x;
    }
    const apl_resume at = {m.t, m.y, m.memory};
    apl_run_options again = apl_run_options_default();
    again.to = 0.12;
    again.resume = &at;
    (void)apl_run(system, &again, NULL, NULL);
  }
  free(m.y);
  apl_system_free(system);
  return 0;
}
