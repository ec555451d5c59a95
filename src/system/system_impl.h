/* system_impl.h: a system, shared by the files of this folder and looked at by run/touch.c.

   y = [q, v, bristles, angles of satellites, contacts, ledger]. Of the contacts: impulses of their
   normal forces since the start, then what they remember (NOTE_*, APL_TOUCH_*), which no rate
   changes: so a step that is taken back and a checkpoint carry it without further care. The ledger
   ends with what nothing flows through, which integrators do not see. */
#pragma once

#include "appell/run.h"

#include "model/model_impl.h"

#include <stdbool.h>

/* Numbers that are integrated along but do not count in the error norm: accounts and impulse. */
enum { NLEDGER = APL_NACCOUNT + 6 };

/* Behind on, speed and stick of apl_touch(): what the contact in progress has been so far. */
enum { NOTE_START, NOTE_IMPULSE, NOTE_PEAK, NOTES, NMEMORY = APL_TOUCH_Z };

/* A prescribed freedom, or one with a servo whose aim it is: coordinate (or -1) and velocity that
   follow the signal. */
typedef struct drive {
  int coordinate, velocity;
  bool servo;
  apl_signal* signal;
} drive;

struct apl_system {
  const apl_model* model;
  apl_state* state;
  int nq, nv, nu, nsat, npair, nz;
  apl_signal** input; /* [nu] or NULL                                                            */
  double *least, *greatest;
  drive* drive; /* [nv] one at most per velocity                                            */
  int ndrive;
  bool momentum;                  /* is it audited?              */
  int held[APL_MOST_HELD], nheld; /* velocities kept at zero ... */
  double push[APL_MOST_HELD];     /* ... and the efforts that do it */
  double* angle;      /* [nsat], then without a gap ...                                           */
  double* impulse;    /* [npair] of normal forces                                                 */
  double* note;       /* [npair * NOTES]                                                          */
  double* ledger;     /* [APL_NACCOUNT], impulse [6]                                              */
  int order[NLEDGER]; /* how they stand in y: those through which something can flow first ...  */
  int nactive;        /* ... and how many those are                                             */
  double* seen; /* [nq + nv + npair * APL_TOUCH] what apl_contacts() was last asked for      */
  bool fresh;   /* ... and its answers still stand                                          */
  double* pull; /* [npair] what it would take to hold rigid contacts at rest that rise      */
};

/* Depths, slips and forces of contact i for the present state. */
const double* apl_system_touch(apl_system* s, int i);
double* apl_system_memory(apl_system* s, int i);
double* apl_system_note(apl_system* s, int i);

/* supports.c: forward dynamics with what holds velocities and contacts at rest. */
apl_status apl_system_forward(apl_system* s);

/* supports.c: velocities jump so that rigid contacts with `hit` set leave as restitution and
   friction say. impulse[3 * npair] is what the ground gave. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double* impulse);
