/* contact.h: the kind `contact` in parts: points on grounds and pairs of shapes, which differ in
   who has the place of a contact (system/touching.c) and in nothing here.

     contact_support.c    ACCELERATION and JUMP: contacts that rest or stick, impacts
     contact_step.c       STEP: any number of contacts in one time step
     contact_book.c       ... their work, impulses and impacts
     contact_implicit.c   IMPLICIT: rows beside a Newton matrix
     contact_events.c     located events
     contact_memory.c     checkpoints */
#pragma once

#include "couple/contact_rows.h"
#include "kind/kinds.h"

/* What a contact does in one time step. */
typedef struct contact_step {
  int row;          /* its normal among the rows, -1 when it is too far away                     */
  int rows;         /* how many: the normal, and directions along the ground, of which ...       */
  int along;        /* ... the first is this one, 1 or 2                                         */
  double before[3]; /* velocities at the start of the step: away from the ground, along it       */
  double depth;     /* at the start                                                              */
  bool hit;         /* comes in fast enough for restitution                                      */
  double shift;     /* of its normal velocity in the law of the row: u + shift + softness P      */
  double softness;
  double after[3]; /* velocities at the end                                                     */
  apl_way way[3];  /* along its axes ...                                                         */
  double number[3 * ROW_NUMBERS];
  double velocity[3]; /* ... and the velocities of the free motion                               */
} contact_step;

static inline contact_step* apl_contact_steps(const apl_system* s) {
  return s->own[KIND_contact];
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
apl_status apl_contact_list_implicit(apl_system* s, coupling_pass* p);
void apl_contact_lack(const apl_system* s, const coupling_pass* p, double* u);

/* contact_memory.c */
int apl_contact_notes_size(const apl_system* s);
void apl_contact_notes_remember(apl_system* s, double* out);
void apl_contact_notes_recall(apl_system* s, const double* in);
