/* SPDX-License-Identifier: Apache-2.0 */
/* scene.h: the robots of the benchmark, each compiled once, with random states in the three kinds
   of numbers. Everything is allocated here, before the first measurement. */
#pragma once

#include "appell/appell.h"
#include "robot.h"

/* Enough different states that no branch predictor learns them, few enough to stay in the cache. */
enum { NSTATE = 16, NNUMBER = 3 };

/* A state of one number kind, the inputs that go into it, and room for dense results. */
typedef struct seat {
  const apl_model* model;
  apl_state* state;
  int port;                /* root port of the last link */
  int nq, nv, width;       /* counts, and doubles per number */
  double *q, *v, *a, *tau; /* the state's own arrays */
  double* input;           /* [NSTATE][(nq + 3 nv) * width]: q, v, a, tau */
  apl_derivatives* room;   /* scalar states only */
  double* out;             /* [3 * nv * nv * width], at least 6 * nv * width */
} seat;

typedef struct scene {
  const char* name;
  bool chain; /* of the family whose scaling is fitted */
  robot robot;
  apl_model* model;
  seat seat[NNUMBER]; /* by apl_number */
} scene;

extern const int scene_count;

/* Build scene i. On failure returns false with a sentence in message[ROBOT_MESSAGE]. */
bool scene_open(int i, scene* out, char* message);
void scene_close(scene* s);

/* Input k: q[nq] at its start, then v, a, tau. */
const double* seat_input(const seat* s, int k);
