/* SPDX-License-Identifier: Apache-2.0 */
/* pass.h: the one list of what is measured. */
#pragma once

#include "peer.h"
#include "scene.h"

typedef struct pass {
  const char* word;
  const char* title;
  apl_number number;
  peer_task task;                /* what the peers do against it, or PEER_NONE */
  int max_nv;                    /* larger robots are left out */
  int (*run)(void* seat, int k); /* put input k into the state, call the pass; the apl_status */
} pass;

extern const pass pass_list[];
extern const int pass_count;
