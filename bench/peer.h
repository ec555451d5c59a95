/* SPDX-License-Identifier: Apache-2.0 */
/* peer.h: what a library that we compare with has to provide: five functions, in C, so that C++
   stays inside the file of the library that needs it. A peer is found by CMake, or it does not
   exist.

   All input is converted to the peer's order and axes when it is put; only run[] is timed. */
#pragma once

#include "convention.h"
#include "robot.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum peer_task {
  PEER_INVERSE,
  PEER_FORWARD,
  PEER_MASS,
  PEER_INVERSE_BY, /* derivatives */
  PEER_FORWARD_BY,
  PEER_TASKS,
  PEER_NONE
} peer_task;

enum { PEER_WHY = 240 };

typedef struct peer_ops {
  const char* name;

  /* Compile the robot, with room for nstate states. NULL and a sentence in why[PEER_WHY] when the
     library cannot represent it. */
  void* (*open)(const robot* r, int nstate, char* why);

  /* State k, in Appell's order. */
  void (*put)(void* self, int k, const double* q, const double* v, const double* a,
              const double* tau);

  /* Timed: all that it takes from q, v, a (tau) of state k to the result, nothing kept from earlier
     calls. Returns 0, or 1 when the library cannot do it for this robot. NULL: not at all. */
  int (*run[PEER_TASKS])(void* self, int k);

  /* Result of the last run of `task` on state k, in Appell's order: tau[nv], a[nv] or M[nv*nv].
     Derivatives, whose directions libraries choose differently, are not asked for. */
  void (*get)(void* self, peer_task task, int k, double* out);

  void (*close)(void* self);
} peer_ops;

/* The list of peers that this build has, NULL at its end. */
extern const peer_ops* const peer_list[];

#ifdef __cplusplus
}
#endif
