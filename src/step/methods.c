/* SPDX-License-Identifier: Apache-2.0 */
/* methods.c: the table of integrators. See methods.h. */
#include "step/methods.h"

#include "base/error.h"
#include "base/nearest.h"
#include "spec/words.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <string.h>

/* Steps with located events support all couplings except boxes, whose touching corners change
   without a smooth event. Fixed steps change contacts at the ends of steps only, which is not
   accurate enough for constraint forces of contacts. */
#define FIXED (NEED_CONTACT | NEED_SLIP_LAW | NEED_REDUCED)
#define EVENTS (FIXED | NEED_SUPPORT | METHOD_ADAPTS)
#define STEPS (NEED_CONTACT | NEED_SUPPORT | NEED_BOXES | METHOD_IMPULSES)

/* The methods in the order in which they are listed. Each line declares the table of functions that
   it names, which stands at the foot of the method's own file. docs/run.md compares the methods.

   S is a stepper of y' = f(t, y): word, abilities, share of energy that may be lost, functions, and
   which of their variants (0 where there is one only).

   T are time steps of a robot: word, abilities, share of energy that may be lost, functions. */
#define METHODS(S, T)                                                                              \
  S("auto", EVENTS | METHOD_CHOOSES, 0.0, apl_stepper_auto, TABLE_AUTO)                            \
  S("rkf45", EVENTS, 0.0, apl_stepper_pair, TABLE_RKF45)                                           \
  S("rkf78", EVENTS, 0.0, apl_stepper_pair_landing, TABLE_RKF78)                                   \
  S("dop853", EVENTS, 0.0, apl_stepper_pair, TABLE_DOP853)                                         \
  S("adams", EVENTS, 0.0, apl_stepper_multistep, TABLE_ADAMS)                                      \
  S("stiff", EVENTS | METHOD_IMPLICIT, 0.0, apl_stepper_stiff, TABLE_STIFF)                        \
  S("bdf", EVENTS, 0.0, apl_stepper_multistep, TABLE_BDF)                                          \
  S("rk4", FIXED, 1e-3, apl_stepper_fixed, TABLE_RK4)                                              \
  S("semi-implicit", FIXED, 1e-3, apl_stepper_fixed, TABLE_SEMI_IMPLICIT)                          \
  T("moreau", STEPS, 1e-2, apl_time_moreau)                                                        \
  T("gen-alpha", METHOD_RADIUS, 1e-3, apl_time_gen_alpha)

#define DECLARE_S(word, can, balance, ops, table) extern const stepper_ops ops;
#define DECLARE_T(word, can, balance, time) extern const time_ops time;
METHODS(DECLARE_S, DECLARE_T)

#define ENTRY_S(word, can, balance, ops, table) {word, can, balance, &ops, table, NULL},
#define ENTRY_T(word, can, balance, time) {word, can, balance, NULL, 0, &time},
static const apl_method methods[] = {METHODS(ENTRY_S, ENTRY_T)};
enum { NMETHOD = sizeof methods / sizeof *methods };

#define WORD_S(word, can, balance, ops, table) word,
#define WORD_T(word, can, balance, time) word,
const char* const apl_method_words[] = {METHODS(WORD_S, WORD_T) NULL};

const char* apl_method_word(int i) {
  return i >= 0 && i < NMETHOD ? methods[i].word : NULL;
}

const apl_method* apl_method_find(const char* word) {
  for (int i = 0; word != NULL && i < NMETHOD; ++i) {
    if (strcmp(methods[i].word, word) == 0) return &methods[i];
  }
  return NULL;
}

bool apl_method_can(const char* word, unsigned ability) {
  const apl_method* m = apl_method_find(word);
  return m != NULL && (m->can & ability) != 0;
}

bool apl_method_adapts(const char* word) {
  return apl_method_can(word, METHOD_ADAPTS);
}

bool apl_method_steps_time(const char* word) {
  const apl_method* m = apl_method_find(word);
  return m != NULL && m->time != NULL;
}

/* ------------------------------------------------------------------------------- sentences ---- */

apl_status apl_method_unknown(const char* word, apl_error* err) {
  apl_nearest near = {.word = word == NULL ? "" : word};
  char list[200] = "", hint[96];
  size_t n = 0;

  for (int i = 0; i < NMETHOD && n < sizeof list; ++i) {
    apl_nearest_offer(&near, methods[i].word);
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i == 0 ? "" : ", ", methods[i].word);
  }
  return apl_fail(err, APL_ERR_ARGUMENT, "there is no integrator '%.40s' among %s%s", near.word,
                  list, apl_nearest_text(&near, hint));
}

void apl_method_list(unsigned ability, bool able, const char* last, char* list, size_t size) {
  int left = 0;
  size_t n = 0;

  for (int i = 0; i < NMETHOD; ++i)
    left += ((methods[i].can & ability) != 0) == able;
  if (size > 0) list[0] = '\0';
  for (int i = 0; i < NMETHOD && n < size; ++i) {
    if (((methods[i].can & ability) != 0) != able) continue;
    left -= 1;
    n += (size_t)snprintf(list + n, size - n, "%s%s%s%s", methods[i].word, left == 1 ? " " : "",
                          left == 1 ? last : "",
                          left == 1  ? " "
                          : left > 1 ? ", "
                                     : "");
  }
}

void apl_fixed_methods(const char* last, char* list, size_t size) {
  apl_method_list(METHOD_ADAPTS, false, last, list, size);
}

apl_status apl_method_refuse(const apl_method* method, const apl_system* s,
                             const apl_run_options* o, apl_error* err) {
  coupling_need need = {0};
  char able[120] = "";

  for (int i = 0; i < s->kinds.n && need.ability == 0; ++i) {
    const coupling_kind* kind = apl_kinds[s->kinds.list[i]];
    if (kind->needs != NULL) kind->needs(s, o, method->can, &need);
  }
  if (need.ability == 0) return APL_OK;
  apl_method_list(need.ability, true, "or", able, sizeof able);
  apl_fail(err, APL_ERR_ARGUMENT, "%s, which the integrator %s cannot handle: use %s%s%s",
           need.what, method->word, able, need.instead == NULL ? "" : ", or ",
           need.instead == NULL ? "" : need.instead);
  if (err != NULL) err->line = need.line, err->column = need.column;
  return APL_ERR_ARGUMENT;
}

int apl_method_time_memory(const apl_system* s) {
  int most = 0;

  for (int i = 0; i < NMETHOD; ++i) {
    const time_ops* time = methods[i].time;
    const int n = time == NULL || time->memory_size == NULL ? 0 : time->memory_size(s);
    most = n > most ? n : most;
  }
  return most;
}
