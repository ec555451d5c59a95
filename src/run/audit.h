/* audit.h: what the ledgers of a run say where its steps end. */
#pragma once

#include "appell/run.h"

/* Numbers only: it travels in checkpoints as it stands, so that a resumed run tells the same. */
typedef struct run_audit {
  double first;                  /* sum of the ledger at the start; recorders read it            */
  double least_V, most_V;        /* range of the potential energy                                */
  double sum, looks;             /* of errors where steps ended, and how many                    */
  double error, scale;           /* the largest                                                  */
  double from;                   /* time of the start                                            */
  double first_P[6];             /* momentum at the start                                        */
  double error_P[2], scale_P[2]; /* largest errors and scales, angular and linear                */
  double has_momentum;           /* 1: it was audited                                            */

  /* the look before, and between which two looks the error grew most */
  double last_t, last_error, last_account[APL_NACCOUNT];
  double jump, jump_from, jump_to, jump_account; /* jump_account -1: nothing flowed              */
} run_audit;
enum { AUDIT_NUMBERS = sizeof(run_audit) / sizeof(double) };

/* One look, behind apl_system_audit() of the same place. */
void apl_audit_look(run_audit* a, const apl_system* system, double t, const apl_ledger* l,
                    bool start);

/* What it comes to. */
void apl_audit_tell(const run_audit* a, const apl_run_options* o, apl_run_report* report);
