/* SPDX-License-Identifier: Apache-2.0 */
/* contact.h: the coupling kind `contact`, in parts. It covers points on grounds and pairs of
   shapes; they differ only in how a contact gets its slot (system/touching.c).

     contact_support.c    ACCELERATION and JUMP: resting and sticking contacts, impacts
     contact_step.c       STEP: any number of contacts in one time step
     contact_book.c       ... their work, impulses and impacts
     contact_implicit.c   IMPLICIT: rows added to a Newton matrix
     contact_events.c     located events
     contact_meet.c       ... what changes at them
     contact_run.c        other questions of a run
     contact_memory.c     checkpoints */
#pragma once

#include "couple/contact_rows.h"
#include "kind/kinds.h"

/* Data of a contact in one time step. */
typedef struct contact_step {
  int row;          /* index of its normal row, -1: too far away to touch in this step */
  int rows;         /* number of rows: the normal and the tangents, of which ... */
  int along;        /* ... the first is tangent 1 or 2 */
  double before[3]; /* velocities at the start: separation velocity, tangential velocities */
  double depth;     /* penetration at the start */
  bool hit;         /* true if restitution applies: the approach is faster than rest-speed */
  double shift;     /* the row's law is on u + shift + softness P, with normal velocity u */
  double softness;
  double after[3]; /* velocities at the end                                                     */
  apl_way way[3];  /* rows along its normal and tangents ... */
  double number[3 * ROW_NUMBERS];
  double velocity[3]; /* ... and the velocities of the motion without contact impulses */
} contact_step;

static inline contact_step* apl_contact_steps(const apl_system* s) {
  return s->kinds.own[KIND_contact];
}

/* contact_support.c */
int apl_contact_supports(const apl_system* s);
apl_status apl_contact_support_begin(apl_system* s, coupling_pass* p);
void apl_contact_list_supports(apl_system* s, coupling_pass* p);
void apl_contact_take_supports(apl_system* s);
int apl_contact_count_impact(const apl_system* s, const bool* hit);
void apl_contact_list_impact(apl_system* s, const coupling_pass* p);
apl_status apl_contact_take_impact(apl_system* s, const coupling_pass* p);

/* contact_step.c */
apl_status apl_contact_step_begin(apl_system* s, const coupling_pass* p);
apl_status apl_contact_step_look(apl_system* s);
apl_status apl_contact_step_list(apl_system* s, const coupling_pass* p);
void apl_contact_step_soften(apl_system* s, coupling_pass* p);
apl_status apl_contact_step_take(apl_system* s, const coupling_pass* p);
bool apl_contact_step_drifts(const apl_system* s);
void apl_contact_step_lift(apl_system* s, const coupling_pass* p);

/* contact_book.c */
void apl_contact_outside(const apl_system* s, double impulse[6]);
apl_status apl_contact_book(apl_system* s, coupling_pass* p);

/* contact_implicit.c */
int apl_contact_count_implicit(const apl_system* s);
apl_status apl_contact_list_implicit(apl_system* s, coupling_pass* p);
apl_status apl_contact_advance(apl_system* s, double c, const double* psi, double* z);
void apl_contact_lack(const apl_system* s, const coupling_pass* p, double* u);

/* contact_run.c */
apl_status apl_contact_start(apl_system* s, apl_error* err);
void apl_contact_impulses(apl_system* s);
bool apl_contact_gathers(const apl_system* s);
apl_status apl_contact_gather(apl_system* s, double* horizon, bool fresh, bool* changed);
bool apl_contact_renewed(const apl_event* event, const apl_system* s);
void apl_contact_settled(apl_system* s);
int apl_contact_npeak(const apl_system* s);
bool apl_contact_hits(apl_system* s);
void apl_contact_pushes(apl_system* s, double* now);
void apl_contact_peaks(apl_system* s, const double* largest);
bool apl_contact_may_share(const apl_system* s);
void apl_contact_shortens(const apl_system* s, apl_progress* out);
bool apl_contact_explain(apl_system* s, apl_status st, double t, const double* y, char* text,
                         size_t size);

/* contact_memory.c */
int apl_contact_notes_size(const apl_system* s);
void apl_contact_notes(apl_system* s, apl_store* memory);
