/* base.h: status codes, errors, version. Everything else in Appell includes this file. */
#pragma once

#include <stddef.h>

#if defined(_WIN32) || !defined(APL_SHARED)
#define APL_API
#else
#define APL_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The one list of outcomes: enum, text and documentation are read off it. */
#define APL_STATUS_LIST(X)                                                                         \
  X(APL_OK, "no error")                                                                            \
  X(APL_ERR_MEMORY, "out of memory")                                                               \
  X(APL_ERR_ARGUMENT, "an argument of the call is out of range")                                   \
  X(APL_ERR_IO, "the file cannot be read or written")                                              \
  X(APL_ERR_SYNTAX, "the file is not well formed")                                                 \
  X(APL_ERR_MODEL, "the model is well formed but impossible")                                      \
  X(APL_ERR_SINGULAR, "an inertia block is not positive definite")                                 \
  X(APL_ERR_NOT_FINITE, "the state is not finite")                                                 \
  X(APL_ERR_INTEGRATOR, "the integrator could not proceed")                                        \
  X(APL_ERR_STOPPED, "the run was asked to stop")                                                  \
  X(APL_ERR_EQUILIBRIUM, "no equilibrium was found")                                               \
  X(APL_ERR_CONTACT, "no forces of contacts were found that their laws allow")                     \
  X(APL_ERR_LEDGER, "a ledger is open beyond its promise")

typedef enum apl_status {
#define X(name, text) name,
  APL_STATUS_LIST(X)
#undef X
} apl_status;

typedef struct apl_error {
  apl_status status;
  int line, column; /* place in the model file, 0 when not about a file; line -k: the k-th setting
                       (apl_load_options.set, counted from 1) of the load                        */
  char text[240];   /* one sentence naming the thing, the value and what was expected          */
} apl_error;

/* Everything a load has to complain about, in the order in which it was found: a file with five
   mistakes should not need five attempts. Zero-initialise it; it owns nothing. */
enum { APL_REPORT_MAX = 32, APL_REPORT_WARNINGS = 8 };
typedef struct apl_report {
  int count; /* mistakes found; beyond APL_REPORT_MAX they are counted, not kept                  */
  apl_error item[APL_REPORT_MAX];
  int warnings; /* what is possible, but unlikely to be meant: no mistake, the load goes on */
  apl_error warning[APL_REPORT_WARNINGS];
} apl_report;

/* The general meaning of a status, as a constant string; never NULL. */
APL_API const char* apl_status_text(apl_status status);

/* For "did you mean": which of the n known words resembles the word most; -1 when none does. */
APL_API int apl_word_nearest(const char* word, const char* const* known, int n);

/* "major.minor.patch" of the library that runs (not of the header that was compiled). */
APL_API const char* apl_version(void);

#ifdef __cplusplus
}
#endif
