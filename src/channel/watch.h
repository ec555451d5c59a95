/* watch.h: does a run stay where its model is right? Looked at at the outputs, told at the end. */
#pragma once

#include "appell/file.h"
#include "appell/footing.h"
#include "appell/run.h"

/* What was passed, and by how much at worst. */
enum { APL_MOST_WARNINGS = 48 };
typedef struct watch_warning {
  char key[64], text[240];
  double worst;
} watch_warning;

/* Joints that roll: can the ground give that much? */
typedef struct footing_watch footing_watch;
footing_watch* apl_footing_watch_new(const apl_model* model); /* NULL when memory is out */
void apl_footing_watch_free(footing_watch* w);                /* accepts NULL            */
void apl_footing_watch_look(footing_watch* w, double t, const apl_footing_forces* ground, int n);

/* Beams of assumed modes: small deflections, slow turning? The spec must outlive it. */
typedef struct beam_watch beam_watch;
beam_watch* apl_beam_watch_new(const apl_spec* spec, const apl_model* model);
void apl_beam_watch_free(beam_watch* w); /* accepts NULL */
void apl_beam_watch_look(beam_watch* w, double t, apl_state* state);

/* What was seen so far, as numbers, so that a resumed run tells the same. */
int apl_footing_watch_size(const footing_watch* w);
void apl_footing_watch_remember(const footing_watch* w, double* out);
void apl_footing_watch_recall(footing_watch* w, const double* in);
int apl_beam_watch_size(const beam_watch* w); /* 0 for NULL */
void apl_beam_watch_remember(const beam_watch* w, double* out);
void apl_beam_watch_recall(beam_watch* w, const double* in);

/* A sentence for each limit that was passed. Returns their number, at most `most`. */
int apl_footing_watch_warnings(const footing_watch* w, watch_warning* out, int most);
int apl_beam_watch_warnings(const beam_watch* w, watch_warning* out, int most);

/* A path that ended before the run did, at time t. */
int apl_path_warnings(const apl_system* system, double t, watch_warning* out, int most);

/* Numbers of laws that the driver of the run does not use. */
int apl_law_warnings(const apl_system* system, watch_warning* out, int most);

/* Loops: forces that are not unique where the run has ended, springs that were stretched. */
int apl_loop_warnings(apl_system* system, watch_warning* out, int most);

/* The same for the method: time steps over contacts, implicit steps; from the report of the run. */
int apl_step_warnings(const apl_system* system, const apl_run_report* report, watch_warning* out,
                      int most);
