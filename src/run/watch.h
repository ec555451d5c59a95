/* watch.h: what couplings ask a run with located events to watch. First places where a force has a
   corner, such as the stop of a joint: a method of high order that steps over one loses its order
   there, and the ledger with it, so a run lands on them. Then events that change what a coupling
   remembers, such as a contact that closes. Which coupling that is, is not known here. */
#pragma once

#include "system/system_impl.h"

/* All events; *list is malloc'ed, NULL when there are none. Returns their number, -1 when memory is
   out; `first_change` are corners. */
int apl_watch_find(apl_system* system, apl_event** list, int* first_change);
int apl_watch_count(apl_system* system);

/* Functions of system/kind.h, asked of the kind of an event, or of all. */
double apl_watch_side(const apl_event* event, apl_system* system, double g);
bool apl_watch_decides(const apl_event* event);
void apl_watch_happens(const apl_event* event, double t, apl_system* system, coupling_news* news);
void apl_watch_jams(double t, apl_system* system, coupling_news* news);
double apl_watch_first_step(apl_system* system, double t, double tolerance);
