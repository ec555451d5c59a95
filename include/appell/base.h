/* SPDX-License-Identifier: Apache-2.0 */
/* base.h: status codes, errors, version. Everything else in Appell includes this file. */
#pragma once

#include <stddef.h>

/* The version of these headers; apl_version() is that of the library. */
#define APL_VERSION_MAJOR 0
#define APL_VERSION_MINOR 2
#define APL_VERSION_PATCH 0

/* Marks the symbols that the shared library exports; all others have hidden visibility. */
#if defined(__GNUC__)
#define APL_API __attribute__((visibility("default")))
#else
#define APL_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* All status codes; the enum, the texts and the documentation are made from this list. */
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
  X(APL_ERR_CONTACT, "no contact forces were found that satisfy the contact laws")                 \
  X(APL_ERR_LEDGER, "the energy or momentum error of the run is above its limit")

/* What a function returns that may fail. */
typedef enum apl_status {
#define X(name, text) name,
  APL_STATUS_LIST(X)
#undef X
} apl_status;

/* What went wrong; functions fill it when they fail. */
typedef struct apl_error {
  apl_status status;
  int line, column; /* position in the model file, 0 if not about a file; line -k: the k-th setting
                       (apl_load_options.set, counted from 1) of the load                        */
  char text[400];   /* one sentence with the name, the value and what was expected             */
} apl_error;

/* All errors and warnings found while loading, in this order, so that a file with five errors does
   not need five attempts. Initialise it with zeros; it owns no memory. */
enum { APL_REPORT_MAX = 32, APL_REPORT_WARNINGS = 8 };
typedef struct apl_report {
  int count; /* errors found; beyond APL_REPORT_MAX they are counted, but not kept                */
  apl_error item[APL_REPORT_MAX];
  int warnings; /* number of warnings: values that are possible but probably not intended; loading
                   continues */
  apl_error warning[APL_REPORT_WARNINGS];
} apl_report;

/* The general meaning of a status, as a constant string; never NULL. */
APL_API const char* apl_status_text(apl_status status);

/* "major.minor.patch" of the library; the macros above are those of the headers. */
APL_API const char* apl_version(void);

#ifdef __cplusplus
}
#endif
