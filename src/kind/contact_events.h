/* SPDX-License-Identifier: Apache-2.0 */
/* contact_events.h: contacts during a run with located events. A contact that opens, closes,
   sticks, slips or passes a kink of its friction law is an event; here the memory of contacts
   changes. Most functions belong to the coupling kind: see system/kind.h. */
#pragma once

#include "system/system_impl.h"

int apl_contact_events(apl_system* system, apl_event* list, coupling_watch* watch);
void apl_contact_happens(const apl_event* event, double t, apl_system* system, coupling_news* news);
event_place apl_contact_side(const apl_event* event, apl_system* system, double g);
bool apl_contact_decides(const apl_event* event);

/* No constraint forces exist for the resting contacts: velocities jump instead, see
   apl_system_impact(). */
void apl_contact_jams(double t, apl_system* system, coupling_news* news);

/* First step after a contact closed: D^n is not smooth at D = 0, and an error estimate from a few
   points can miss it. In this time the growing force changes velocities by about the tolerance.
   HUGE_VAL if no contact has closed at t. */
double apl_contact_first_step(apl_system* s, double t, double tolerance);

/* Below this speed [m/s] a contact with stiction sticks. */
double apl_contact_stick_band(apl_system* system, int contact);

/* A contact that starts deeper than its ground allows; -1: none. */
int apl_contact_too_deep(apl_system* system, double* depth, double* most);
