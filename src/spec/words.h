/* words.h: words of model files whose table stands in a higher room. */
#pragma once

/* step/methods.c: integrators; NULL behind the last. The first is the one taken without a word. */
extern const char* const apl_method_words[];
