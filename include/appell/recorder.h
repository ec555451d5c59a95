/* SPDX-License-Identifier: Apache-2.0 */
/* recorder.h: simulate and record, as HDF5, CSV, HTML page or arrays in memory. The command, Python
   and C programs all use it, so that one model gives the same bytes everywhere.

     apl_recorder_options o = apl_recorder_options_default();
     o.result = "out.h5";
     if (apl_recorder_new(file, system, &run, &o, &recorder, &err) == APL_OK)
       apl_recorder_run(recorder, &report, &err);
     apl_recorder_free(recorder); */
#pragma once

#include "appell/file.h"
#include "appell/result.h"
#include "appell/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A run that is recorded. */
typedef struct apl_recorder apl_recorder;

/* What is recorded and where; begin with apl_recorder_options_default(). */
typedef struct apl_recorder_options {
  /* Channels besides those of every run and those of the file's `record` block: the name of a port
     (its pose and velocity in the world), "accelerations", "reactions". */
  const char* const* record;
  int nrecord;

  const char* result; /* HDF5, written while the run goes on; NULL: none                          */
  const char* csv;    /* the same rows as CSV; "-" is the standard output                         */
  const char* page;   /* HTML that replays the run, written at its end                            */
  bool keep;          /* keep all rows, for apl_recorder_rows() and apl_recorder_save()           */

  bool strict; /* true: an energy or momentum error above its limit (apl_run_report) returns
                  APL_ERR_LEDGER with the status "failed: .."; false: it gives a warning */

  /* Number of outputs between checkpoints; 0: none. Checkpoints are at ends of steps and hold the
     complete state of the integrator, so recording does not change the motion. Runs with a
     controller have none. */
  int checkpoint_every;
  const char* resume; /* a result to continue, with `result` alone; NULL: from the beginning      */
} apl_recorder_options;

/* Defaults: nothing is written or kept; a checkpoint every 100 outputs. */
APL_API apl_recorder_options apl_recorder_options_default(void);

/* Prepare one run of a system with the options `run` (copied; memory that it points to must stay
   valid) and open the files. The callbacks of `run` are called too. File and system must outlive
   the recorder; with a file of NULL the result has no name, text and shapes. */
APL_API apl_status apl_recorder_new(const apl_file* file, apl_system* system,
                                    const apl_run_options* run, const apl_recorder_options* options,
                                    apl_recorder** out, apl_error* err);
APL_API void apl_recorder_free(apl_recorder* recorder); /* accepts NULL; an open result stays as
                                                           path.part                             */

/* Run once. Files are always closed, with a status that says how the run ended. Returns how the run
   ended, or why a file could not be written. */
APL_API apl_status apl_recorder_run(apl_recorder* recorder, apl_run_report* report, apl_error* err);

/* The recorded columns. */
APL_API int apl_recorder_channels(const apl_recorder* recorder);
APL_API const apl_channel* apl_recorder_channel(const apl_recorder* recorder, int channel);

/* The recorded data: rows in order, impacts in the order in which they ended, the summary of the
   result (with warnings at its end), and the status "finished", "stopped" or "failed: sentence". */
APL_API int apl_recorder_nrow(const apl_recorder* recorder);
APL_API const double* apl_recorder_rows(const apl_recorder* recorder);
APL_API int apl_recorder_nimpact(const apl_recorder* recorder);
APL_API const apl_impact* apl_recorder_impact(const apl_recorder* recorder, int impact);
APL_API int apl_recorder_nsummary(const apl_recorder* recorder);
APL_API const apl_summary* apl_recorder_summary(const apl_recorder* recorder, int line);

/* Warnings about the run. */
APL_API int apl_recorder_nwarning(const apl_recorder* recorder);
APL_API const char* apl_recorder_warning(const apl_recorder* recorder, int warning);

/* A sentence about the method that the integrator auto chose; "" if there is none. */
APL_API const char* apl_recorder_note(const apl_recorder* recorder);
APL_API const char* apl_recorder_status(const apl_recorder* recorder);

/* A page of one or more results (HDF5): the first one is drawn solid, the others transparent, and
   their differences can be plotted. */
APL_API apl_status apl_results_page(const char* const* result, int n, const char* path,
                                    apl_error* err);

/* Write the kept rows as if they had been written during the run: .h5, .csv or .html. */
APL_API apl_status apl_recorder_save(const apl_recorder* recorder, const char* path,
                                     apl_error* err);

#ifdef __cplusplus
}
#endif
