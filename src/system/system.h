/* SPDX-License-Identifier: Apache-2.0 */
/* system.h: a system as its drivers see it: its vector y, its rates, its ledger, its loops. */
#pragma once

#include "appell/run.h"
#include "base/store.h"
#include "couple/close.h"

const apl_model* apl_system_model(const apl_system* system);

/* Limits of an input; values beyond them are clipped. */
apl_status apl_system_input_limit(apl_system* system, int input, double least, double greatest,
                                  apl_error* err);

/* The limits of an input fall linearly to zero at `speed` while it drives this velocity (negative
   if a positive input drives backwards), as those of a motor; while it brakes they are constant.
 */
apl_status apl_system_input_speed(apl_system* system, int input, int velocity, double speed,
                                  apl_error* err);

/* Prescribe a velocity by a signal, as apl_system_motion() does for a coordinate. For a joint whose
 * servo has damping only, this is the aim of its velocity control. */
apl_status apl_system_velocity(apl_system* system, int velocity, apl_signal* signal,
                               apl_error* err);

/* Check that every prescribed freedom has a motion; err names one that has none. */
apl_status apl_system_check(const apl_system* system, apl_error* err);

/* Length of y; how many of its numbers count in the error norm of an integrator. */
int apl_system_size(const apl_system* system);
int apl_system_error_size(const apl_system* system);

/* Accounts that cannot change need not be integrated. apl_system_activate() sorts the
   ledger of y so that the first apl_system_active_size() numbers of y are those that change: with
   `all` all accounts (as in the beginning), else those that the present drives and efforts can
   change; with `momentum` the impulse too. apl_run() does so at its start, all of them when a
   controller or events may act too. apl_system_unpack() reads the active numbers only,
   apl_system_restore() all. apl_system_rate() is an apl_rate with the system as its context. */
void apl_system_activate(apl_system* system, bool all, bool momentum);
int apl_system_active_size(const apl_system* system);
void apl_system_restore(apl_system* system, double t, const double* y);
void apl_system_pack(apl_system* system, double* y);
void apl_system_unpack(apl_system* system, double t, const double* y);
apl_status apl_system_rate(double t, const double* y, double* rate, void* system);

/* The next time after t at which a signal has a jump or a corner. */
double apl_system_break(const apl_system* system, double t);

/* Depths, slips and forces of all contacts for the present state, for apl_contact_get(), including
   constraint forces of rigid contacts at rest and of stiction. */
apl_status apl_system_contacts(apl_system* system);

/* The discrete state of contacts (closed or not, since when, impact speed, sticking) is kept beside
   y: apl_system_memory_size numbers are written or read. */
int apl_system_memory_size(const apl_system* system);
void apl_system_memories(apl_system* system, apl_store* memory);

/* prescribe.c: the list of holds (apl_system_hold()) as apl_system_holds_size numbers, which are
   written or read. Reading replaces the list. */
int apl_system_holds_size(const apl_system* system);
void apl_system_holds_memory(apl_system* system, apl_store* memory);

/* The ledger of a system at (t, y). */
apl_status apl_system_audit(apl_system* system, double t, const double* y, apl_ledger* out);

/* Multipliers without Baumgarte; springs of 1000 rad/s, ratio 1. */
apl_loop_options apl_loop_options_default(void);

/* Choose the method for the present state at time t; options may be NULL. apl_run() does so with
   the options of the run. */
apl_status apl_system_loops(apl_system* system, double t, const apl_loop_options* options,
                            apl_error* err);

/* apl_closing_assemble() for the state of a system. apl_run() does so where loops are open. */
apl_status apl_system_assemble(apl_system* system, const int* keep, const int* keep_rates,
                               apl_assembly* report, apl_error* err);

/* Result of the last assembly; zeros before the first. `redundant` is not kept. */
apl_assembly apl_system_assembly(const apl_system* system);

/* What has happened to the loops of a system in its last run. */
typedef struct apl_drift_report {
  double gap, rate; /* largest ones at the ends of steps, before they were projected away         */
  long choices;     /* of independent coordinates, method reduced                                 */
} apl_drift_report;
apl_drift_report apl_system_drift(const apl_system* system);

/* apl_closing_accelerate() for the state of a system. */
apl_status apl_system_accelerate(apl_system* system, const int* keep, apl_error* err);
