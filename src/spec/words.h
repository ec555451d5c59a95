/* SPDX-License-Identifier: Apache-2.0 */
/* words.h: the names of types and laws in model files. */
#pragma once

#include "appell/spec.h"

#include <stddef.h>

/* The words for `type` of a loop; NULL beyond the last. */
const char* apl_closure_word(int i);

/* Names of the laws and one line about each; NULL beyond the last. */
const char* apl_normal_word(int i);
const char* apl_normal_title(int i);
const char* apl_friction_word(int i);
const char* apl_friction_title(int i);

/* The types of joints and bodies and one line about each; NULL beyond the last. */
const char* apl_joint_word(int i);
const char* apl_joint_title(int i);
const char* apl_body_word(int i);
const char* apl_body_title(int i);

/* step/methods.c: the names of the integrators, ending with NULL. The first one is the default. */
extern const char* const apl_method_words[];

/* step/methods.c: the integrators with a fixed step as part of a sentence, "rk4, semi-implicit,
   moreau and gen-alpha"; `last` is the word before the last name. */
void apl_fixed_methods(const char* last, char* list, size_t size);
