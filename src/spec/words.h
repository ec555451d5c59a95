/* words.h: the words of types and laws in model files. */
#pragma once

#include "appell/spec.h"

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

/* step/methods.c: integrators; NULL behind the last. The first is the one taken without a word. */
extern const char* const apl_method_words[];
