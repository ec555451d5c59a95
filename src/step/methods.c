/* methods.c: the table of integrators. See methods.h. */
#include "step/methods.h"

#include "base/error.h"
#include "base/nearest.h"
#include "spec/words.h"
#include "system/system_impl.h"

#include <stdio.h>
#include <string.h>

/* Steps with located events can do all but boxes, whose corners come and go; those of a fixed
   length change contacts at their ends only, which a force that must hold exactly does not bear. */
#define FIXED (NEED_CONTACT | NEED_SLIP_LAW | NEED_REDUCED)
#define EVENTS (FIXED | NEED_SUPPORT | METHOD_ADAPTS)
#define STEPS (NEED_CONTACT | NEED_SUPPORT | NEED_BOXES | METHOD_IMPULSES)

/* word, abilities, share of energy, stepper and its table, time steps. docs/run.md compares them.
 */
#define METHODS(X)                                                                                 \
  X("auto", EVENTS | METHOD_CHOOSES, 0.0, &apl_stepper_auto, TABLE_AUTO, NULL)                     \
  X("rkf45", EVENTS, 0.0, &apl_stepper_pair, TABLE_RKF45, NULL)                                    \
  X("rkf78", EVENTS, 0.0, &apl_stepper_pair_landing, TABLE_RKF78, NULL)                            \
  X("dop853", EVENTS, 0.0, &apl_stepper_pair, TABLE_DOP853, NULL)                                  \
  X("adams", EVENTS, 0.0, &apl_stepper_multistep, TABLE_ADAMS, NULL)                               \
  X("stiff", EVENTS | METHOD_IMPLICIT, 0.0, &apl_stepper_stiff, TABLE_STIFF, NULL)                 \
  X("bdf", EVENTS, 0.0, &apl_stepper_multistep, TABLE_BDF, NULL)                                   \
  X("rk4", FIXED, 1e-3, &apl_stepper_fixed, TABLE_RK4, NULL)                                       \
  X("semi-implicit", FIXED, 1e-3, &apl_stepper_fixed, TABLE_SEMI_IMPLICIT, NULL)                   \
  X("moreau", STEPS, 1e-2, NULL, 0, &apl_time_moreau)                                              \
  X("gen-alpha", METHOD_RADIUS, 1e-3, NULL, 0, &apl_time_gen_alpha)

#define ENTRY(word, can, balance, ops, table, time) {word, can, balance, ops, table, time},
static const apl_method methods[] = {METHODS(ENTRY)};
enum { NMETHOD = sizeof methods / sizeof *methods };

#define WORD(word, can, balance, ops, table, time) word,
const char* const apl_method_words[] = {METHODS(WORD) NULL};

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
  char list[120] = "", hint[96];
  size_t n = 0;

  for (int i = 0; i < NMETHOD; ++i) {
    apl_nearest_offer(&near, methods[i].word);
    n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i == 0 ? "" : ", ", methods[i].word);
  }
  return apl_fail(err, APL_ERR_ARGUMENT, "there is no integrator '%.40s' among %s%s", near.word,
                  list, apl_nearest_text(&near, hint));
}

/* "auto, rkf45 or moreau": those who have this ability. */
static void list_able(unsigned ability, char* list, size_t size) {
  int left = 0;
  size_t n = 0;

  for (int i = 0; i < NMETHOD; ++i)
    left += (methods[i].can & ability) != 0;
  for (int i = 0; i < NMETHOD && n < size; ++i) {
    if ((methods[i].can & ability) == 0) continue;
    left -= 1;
    n += (size_t)snprintf(list + n, size - n, "%s%s", methods[i].word,
                          left > 1    ? ", "
                          : left == 1 ? " or "
                                      : "");
  }
}

apl_status apl_method_refuse(const apl_method* method, const apl_system* s,
                             const apl_run_options* o, apl_error* err) {
  coupling_need need = {0};
  char able[120] = "";

  for (int i = 0; i < s->nkind && need.ability == 0; ++i) {
    const coupling_kind* kind = apl_kinds[s->kind[i]];
    if (kind->needs != NULL) kind->needs(s, o, method->can, &need);
  }
  if (need.ability == 0) return APL_OK;
  list_able(need.ability, able, sizeof able);
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
