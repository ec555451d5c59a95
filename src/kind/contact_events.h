/* contact_events.h: contacts during a run with located events. When one opens, closes, sticks,
   slips or meets a corner of its friction law is an event; here is what then changes in the memory
   of contacts. Most of it are functions of the kind: see system/kind.h. */
#pragma once

#include "system/system_impl.h"

int apl_contact_events(apl_system* system, apl_event* list, coupling_watch* watch);
void apl_contact_happens(const apl_event* event, double t, apl_system* system, coupling_news* news);
double apl_contact_side(const apl_event* event, apl_system* system, double g);
bool apl_contact_decides(const apl_event* event);

/* No forces hold the contacts at rest: velocities jump instead, see apl_system_impact(). */
void apl_contact_jams(double t, apl_system* system, coupling_news* news);

/* D^n is not smooth where D is zero, and an error estimate that looks at a few places can miss it.
   In that time the force, which has just begun to grow, changes velocities by about the tolerance.
   HUGE_VAL when none has begun at t. */
double apl_contact_first_step(apl_system* s, double t, double tolerance);

/* Below this speed [m/s] a contact with stiction sticks. */
double apl_contact_stick_band(apl_system* system, int contact);

/* A contact that starts deeper in the ground than its ground allows; -1 when none does. */
int apl_contact_too_deep(apl_system* system, double* depth, double* most);
