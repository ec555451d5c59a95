/* SPDX-License-Identifier: Apache-2.0 */
/* refusal.h: robots that the builder must refuse with a sentence, or accept. */
#pragma once

#include "near.h"

/* A change to a spec that holds one good link "base" (revolute about z, rigid, a point mass). */
typedef void (*refusal_change)(apl_spec* spec, int base);

/* A link that hangs with a point mass of 1 kg at (0.3, 0.2, 0.1), or with inertia as well. */
int refusal_point(apl_spec* spec, const char* name, const char* on, const char* joint);
int refusal_box(apl_spec* spec, const char* name, const char* on, const char* joint);

/* Refused, and the sentence has both words in it. */
void refusal_expect(const char* what, refusal_change change, const char* part, const char* word);

/* Not refused: possible, if only just. */
void refusal_deny(const char* what, refusal_change change);
