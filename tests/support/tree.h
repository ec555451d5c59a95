/* SPDX-License-Identifier: Apache-2.0 */
/* tree.h: random robots over all kinds of joints and bodies. */
#pragma once

#include "kinds.h"

typedef enum tree_options {
  TREE_ANY = 0,
  TREE_RIGID = 1,    /* no bodies that deform                                                  */
  TREE_FREE = 2,     /* one floating root without spring, damper or rotor: momentum balances   */
  TREE_BARE = 4,     /* no springs, dampers, rotors or wheel inertia anywhere                  */
  TREE_TRAIN = 8,    /* the root is a tractor on an incline with two trailers                  */
  TREE_MASSLESS = 16 /* some links without mass inside the tree                                */
} tree_options;

/* A robot of about `freedoms` velocities (not fewer): random topology, placements, axes, ports,
   springs, dampers and rotors. Freed with free(). */
plan* tree_random(rng* r, int freedoms, tree_options options);

/* The same topology with other numbers everywhere; places on a train stay parallel. */
plan* tree_vary(const plan* from, rng* r);

/* Two named inputs on velocities of the tree, one on a satellite if there is any. */
void tree_inputs(plan* p);
