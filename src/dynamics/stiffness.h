/* SPDX-License-Identifier: Apache-2.0 */
/* stiffness.h: stiffness and damping of joints, in the form that a factorisation needs. */
#pragma once

#include "dynamics/satellites.h"

static inline bool has_passive(const apl_node* n) {
  return n->spring + n->damper + n->friction + n->stop + n->servo > 0;
}

/* k K + c C of a joint along an axis. There q' = v, so each row is 1. */
static real axis_stiffness(const state* s, const apl_node* n, real k, real c);

/* Append k K + c C of a joint to its satellites. A slaved joint with stops needs true twists V. */
static void add_stiffness(const state* s, const apl_node* n, real k, real c, satellites* sat);

/* Rotors and wheels of a joint, and its stiffness and damping if the factors include them (g !=
   0). */
static void ask_diagonal(const apl_model* m, const state* s, const apl_node* n, satellites* sat) {
  sat->n = 0;
  if (n->nsat > 0) ask_satellites(m, s, n, sat);
  if (s->g != 0.0) add_stiffness(s, n, real_of(s->g * s->g), real_of(s->g), sat);
}
