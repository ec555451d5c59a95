/* SPDX-License-Identifier: Apache-2.0 */
/* audit.h: checks of the ledgers of energy and momentum at the ends of steps. */
#pragma once

#include "appell/run.h"

#include "base/store.h"

/* All members are doubles: a checkpoint stores them, so that a resumed run gives the same report.
 */
typedef struct run_audit {
  double first;                  /* sum of the ledger at the start; recorders read it            */
  double least_V, most_V;        /* range of the potential energy                                */
  double sum, looks;             /* sum of the errors at ends of steps, and their number         */
  double error, scale;           /* largest error, and largest size of the terms of the ledger   */
  double from;                   /* time of the start                                            */
  double first_P[6];             /* momentum at the start                                        */
  double error_P[2], scale_P[2]; /* largest errors and scales, angular and linear                */
  double has_momentum;           /* 1: it was audited                                            */

  /* the previous check; and the two checks between which the error grew most */
  double last_t, last_error, last_account[APL_NACCOUNT];
  double jump, jump_from, jump_to, jump_account; /* jump_account -1: no account changed          */
} run_audit;
enum { AUDIT_NUMBERS = 25 + APL_NACCOUNT };
APL_STORED(run_audit, AUDIT_NUMBERS);

/* Check one ledger, which apl_system_audit() has just computed at time t. `start`: the first one.
 */
void apl_audit_look(run_audit* a, const apl_system* system, double t, const apl_ledger* l,
                    bool start);

/* Fill in the members of the report on energy and momentum. */
void apl_audit_tell(const run_audit* a, const apl_run_options* o, apl_run_report* report);
