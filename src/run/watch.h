/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h: questions of a run to all kinds of couplings (system/kind.h), and the list of their
   events. Some events are corners of a force, such as the stop of a joint: a method of high order
   loses its order if it steps over a corner, so steps end there. The other events change the memory
   of a coupling, as where a contact closes. No kind is known by name here. */
#pragma once

#include "system/system_impl.h"

/* Make the list of all events, which is freed with free(); NULL: there are none. Returns their
   number, -1: out of memory. The first *first_change events are corners. */
int apl_watch_find(apl_system* system, apl_event** list, int* first_change);
int apl_watch_count(apl_system* system);

/* Call the function of system/kind.h with this meaning: of the kind of the event, or of all kinds.
 */
event_place apl_watch_side(const apl_event* event, apl_system* system, double g);
bool apl_watch_decides(const apl_event* event);
void apl_watch_happens(const apl_event* event, double t, apl_system* system, coupling_news* news);
void apl_watch_jams(double t, apl_system* system, coupling_news* news);
double apl_watch_first_step(apl_system* system, double t, double tolerance);
int apl_watch_settings_size(const apl_system* system);
void apl_watch_settings(apl_system* system, apl_store* memory);
apl_status apl_watch_assemble(apl_system* system, const apl_run_options* o, apl_error* err);
apl_status apl_watch_open(apl_system* system, double t, const apl_run_options* o, apl_error* err);
apl_status apl_watch_start(apl_system* system, apl_error* err);
void apl_watch_impulses(apl_system* system);
bool apl_watch_gathers(const apl_system* system);
apl_status apl_watch_gather(apl_system* system, double* horizon, bool fresh, bool* changed);
bool apl_watch_renewed(const apl_event* event, const apl_system* system);
void apl_watch_settled(apl_system* system);
bool apl_watch_closes(const apl_system* system); /* has any kind `close`? */
apl_status apl_watch_close(apl_system* system);
bool apl_watch_projects(const apl_system* system); /* has any kind `project`? */
apl_status apl_watch_project(apl_system* system, coupling_drift* how, bool* changed);
bool apl_watch_may_share(const apl_system* system);
const char* apl_watch_jam(const apl_system* system); /* of the first kind that has one */
void apl_watch_shortens(const apl_system* system, apl_progress* out);
bool apl_watch_explain(apl_system* system, apl_status st, double t, const double* y, char* text,
                       size_t size);
bool apl_watch_may_damp(const apl_system* system);
/* The least absolute_error of coordinates (of = 0) or velocities (1); 0: none in particular. */
double apl_watch_absolute(const apl_system* system, int of);

/* Forces whose peaks are reported. The arrays have those of one kind after those of another. */
int apl_watch_npeak(const apl_system* system);
bool apl_watch_hits(apl_system* system);
void apl_watch_pushes(apl_system* system, double* now);
void apl_watch_peaks(apl_system* system, const double* largest);
