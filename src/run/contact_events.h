/* contact_events.h: contacts during a run. When one opens, closes, sticks, slips or meets a corner
   of its friction law is an event of the run's own; here is what then changes in the memory of
   contacts.
 */
#pragma once

#include "appell/run.h"

/* The events of a system's contacts; *list is malloc'ed, NULL when there are none. Returns their
   number, -1 when memory is out. */
int apl_find_contact_events(apl_system* system, apl_event** list);
int apl_count_contact_events(apl_system* system);

/* Below this speed [m/s] a contact with stiction sticks. */
double apl_contact_stick_band(apl_system* system, int contact);

/* What happened to the contacts at an event. */
typedef struct contact_news {
  void (*impact)(const apl_impact* impact, apl_system* system, void* user);
  void* user;
  long impacts; /* counted up                                                                   */
  bool jumped;  /* velocities did: energy and momentum must be booked                           */
  apl_status st;
} contact_news;

/* An event of the list happened (NULL: look at the start of a run): change the memory of every
   contact that is concerned at this time. */
void apl_contact_happens(const apl_event* event, double t, apl_system* system, contact_news* news);

/* No forces hold the contacts at rest: velocities jump instead, see apl_system_impact(). */
void apl_contact_jams(double t, apl_system* system, contact_news* news);

/* The side on which an event stands after that, never zero. */
double apl_contact_side(const apl_event* event, apl_system* system, double g);

/* The contact that an event looks at. */
int apl_contact_of(const apl_event* event);

/* Is an event one that stands by the memory of its contact? */
bool apl_contact_decides(const apl_event* event);

/* How far the first step after a contact has begun may go: D^n is not smooth where D is zero, and
   an error estimate that looks at a few places can miss it. In that time the force, which has just
   begun to grow, changes velocities by about the tolerance. HUGE_VAL when none has begun at t. */
double apl_contact_first_step(apl_system* s, double t, double tolerance);

/* A contact that starts deeper in the ground than its ground allows; -1 when none does. */
int apl_contact_too_deep(apl_system* system, double* depth, double* most);
