/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h: checks that a run stays within the limits of its model. They are made at each output
   and reported at the end. */
#pragma once

#include "appell/file.h"
#include "appell/footing.h"
#include "appell/run.h"

#include "base/store.h"

/* A warning about a limit that was exceeded, and the largest value. */
enum { APL_MOST_WARNINGS = 48 };
typedef struct watch_warning {
  char key[64], text[400];
  double worst;
} watch_warning;

/* Rolling joints: are the forces of the ground possible? */
typedef struct footing_watch footing_watch;
footing_watch* apl_footing_watch_new(const apl_model* model); /* NULL without memory */
void apl_footing_watch_free(footing_watch* w);                /* accepts NULL            */
void apl_footing_watch_look(footing_watch* w, double t, const apl_footing_forces* ground, int n);

/* Beams with assumed modes: are deflections small and rotations slow? The spec must outlive it. */
typedef struct beam_watch beam_watch;
beam_watch* apl_beam_watch_new(const apl_spec* spec, const apl_model* model);
void apl_beam_watch_free(beam_watch* w); /* accepts NULL */
void apl_beam_watch_look(beam_watch* w, double t, apl_state* state);

/* The same for statics, modes and linear systems, and whether loads along the beams are small: by
   the reactions of the present q, v, a. */
apl_status apl_beam_watch_rest(beam_watch* w, double t, apl_state* state);

/* The state as numbers of a checkpoint, which are written or read, so that a resumed run gives the
   same warnings. */
int apl_footing_watch_size(const footing_watch* w);
void apl_footing_watch_memory(footing_watch* w, apl_store* memory);
int apl_beam_watch_size(const beam_watch* w); /* 0 for NULL */
void apl_beam_watch_memory(beam_watch* w, apl_store* memory);

/* One warning for each limit that was exceeded. Returns their number, at most `most`. */
int apl_footing_watch_warnings(const footing_watch* w, watch_warning* out, int most);
int apl_beam_watch_warnings(const beam_watch* w, watch_warning* out, int most);

/* Warn of a path that ended at time t, before the end of the run. */
int apl_path_warnings(const apl_system* system, double t, watch_warning* out, int most);

/* Warn of parameters of laws that the method of the run does not use. */
int apl_law_warnings(const apl_system* system, watch_warning* out, int most);

/* Loops: warn of forces that are not unique at the end of the run, and of stretched springs. */
int apl_loop_warnings(apl_system* system, watch_warning* out, int most);

/* Warnings about methods with time steps and implicit steps, from the report of the run. */
int apl_step_warnings(const apl_system* system, const apl_run_report* report, watch_warning* out,
                      int most);
