/* SPDX-License-Identifier: Apache-2.0 */
/* passes.h: all passes of the library as one list with one signature, for tests that must hold for
 * each. */
#pragma once

#include "appell/appell.h"

typedef struct pass {
  const char* name;
  bool rigid_only; /* refused for bodies that deform and slaved joints                        */

  /* Run it on the state; out takes passes_room() numbers of the state's width. Returns how many
     numbers were written, -1 when the pass failed. */
  int (*run)(const apl_model* model, apl_state* state, int port, double* out);
} pass;

/* The pass with this index; its name is NULL beyond the last. */
pass passes_at(int i);

/* Numbers that any pass writes at most. */
int passes_room(const apl_model* model);
