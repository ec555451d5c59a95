/* SPDX-License-Identifier: Apache-2.0 */
/* system_impl.h: a system as the files of this folder, the kinds of couplings and the drivers see
   it: the list of its parts (parts.h) and its functions, file by file.

   y = [q, v, bristles, sums of servos, angles of satellites, impulses of contacts, ledger]. The
   ledger ends with the accounts that cannot change; integrators do not see those. Contacts also
   remember whether they are closed, stick and so on. That is not in y: it changes at events only,
   stands in the state (contact_state.h) and in contacts.note, and checkpoints copy it
   (apl_system_memories()). */
#pragma once

#include "appell/loop.h"
#include "appell/run.h"

#include "base/budget.h"
#include "model/model_impl.h"
#include "system/equations.h"
#include "system/implicit.h"
#include "system/kind.h"
#include "system/loops.h"
#include "system/parts.h"

#include <stdbool.h>

struct apl_system {
  const apl_model* model;
  apl_state* state;
  int nq, nv, nu, nsat; /* coordinates, velocities, inputs, satellites                            */
  int npair, nz;        /* contacts; bristles and sums of servos                                  */
  apl_error complaint;  /* why the run cannot go on; its status is APL_OK while it can            */
  long revision;        /* counts the changes of drives, holds and memories                       */
  void* memory;         /* all arrays of the parts                                                */
  apl_budget budget;    /* limit of the matrices of a run                                         */
  apl_error refusal;    /* why the budget has refused memory (APL_ERR_MEMORY). It is no complaint:
                           `auto` goes on where a rehearsal was refused                           */
  system_scale scale;
  system_drives drives;
  system_holds holds;
  system_ledger ledger;
  system_along along;
  system_contacts contacts;
  system_touch touch;
  system_look look;
  system_kinds kinds;
  apl_rows rows; /* rows of all kinds */
  system_solve solve;
  system_loops loops;
  system_implicit implicit;
  system_stepping stepping;
  system_room room;
};

/* -------------------------------------------------------------------------------- system.c ---- */

/* Free what apl_step() keeps between calls: the next call begins anew. */
void apl_system_end_steps(apl_system* s);

/* Limit of the memory for matrices [GB], 0: the default. What a past run has booked and no longer
   uses is forgotten. */
void apl_system_limit_memory(apl_system* s, double limit);

/* scale.c: fill s->scale. */
void apl_system_measure(apl_system* s);

/* ------------------------------------------------------------------------------ prescribe.c ----
 */

/* The first velocity from `from` on that is prescribed but has no motion, -1 when all have. */
int apl_system_undriven(const apl_system* s, int from);

/* --------------------------------------------------------------------------------- drive.c ---- */

/* Set inputs, prescribed motions, aims of servos and held velocities in the state to their values
   at time t; or the aims alone. */
void apl_system_drive(apl_system* s, double t);
void apl_system_aims(apl_system* s, double t);

/* A signal was exchanged: the values of all signals are evaluated again. */
void apl_system_forget_signals(apl_system* s);

/* Fill the list of servos with an integral part from the model. */
void apl_system_find_integrals(apl_system* s);

/* The integral part i of a servo: its sum in the state, and the rate of that sum. */
double* apl_system_sum(apl_system* s, int i);
double apl_system_sum_rate(apl_system* s, int i);

/* Advance all sums by a time step of length h; or solve z = psi + c z' for them (psi and z are the
   nz numbers of y that follow q and v). */
void apl_system_sum_errors(apl_system* s, double h);
void apl_system_implicit_sums(apl_system* s, double c, const double* psi, double* z);

/* ---------------------------------------------------------------------------------- pack.c ---- */

/* The two halves of apl_system_unpack(): the numbers of y that act on the motion (q, v, bristles,
   sums of servos), with the drives at time t; and those that do not (angles, impulses, ledger). */
void apl_system_place(apl_system* s, double t, const double* y);
void apl_system_unpack_along(apl_system* s, const double* y);

/* Index of the first number of the ledger in y. */
int apl_system_ledger_at(const apl_system* s);

/* ---------------------------------------------------------------------------------- rate.c ---- */

/* apl_system_rate() for q, v, bristles and sums of servos only. */
apl_status apl_system_rate_motion(double t, const double* y, double* rate, void* system);

/* apl_system_rate() at the end of a step: the tally for the next audit is computed with it. */
apl_status apl_system_rate_landed(double t, const double* y, double* rate, void* system);

/* All rates for q, v and a of the state, which are those of y at t and satisfy the equations of
   motion; there are no loops and no held velocities. The tally is computed with them. */
apl_status apl_system_rate_given(apl_system* s, double t, const double* y, double* rate);

/* -------------------------------------------------------------------------------- ledger.c ---- */

/* Book a jump of velocities: its energy to this account, its momentum to the impulse. */
void apl_system_book(apl_system* s, apl_account account, double energy, const double* impulse);

/* ledger.left holds the tally of (t, y): apl_system_audit_last() may use it. */
void apl_system_keep_tally(apl_system* s, double t, const double* y);

/* apl_system_audit() right after a step: uses the tally that the step has left if it is that of
   (t, y); the state then may differ from y. After both functions, tally[TALLY_REACH] is that of
   y. */
apl_status apl_system_audit_last(apl_system* s, double t, const double* y, apl_ledger* out);

/* ---------------------------------------------------------------------------------- look.c ---- */

/* Contact i with depths, slips and forces for the present state; a failure is left in
   look.failed. */
const contact_state* apl_system_look(apl_system* s, int i);

/* While `settled` is on, the driver promises that q, v and the memory of contacts do not change:
   contacts, the forces of apl_system_forward() and the tensions of apl_tendons_uncut() are computed
   at most once. */
void apl_system_settle(apl_system* s, bool settled);
apl_status apl_system_hold_forces(apl_system* s);
const double* apl_system_uncut(apl_system* s); /* a failure is left in look.failed */

/* The memory of contact i, to be changed. */
contact_state* apl_system_memory(apl_system* s, int i);

/* ------------------------------------------------------------------------------ touching.c ---- */

/* The two shapes to which contact i is given at present; -1: none, or a contact with a ground. Is
   it a contact for solids that is given to none? */
void apl_system_shapes(const apl_system* s, int i, int shape[2]);
bool apl_system_is_free(const apl_system* s, int i);

/* Does contact i act between two moving links, so that its impulse is internal to the robot? */
bool apl_system_is_inner(const apl_system* s, int i);

/* May contact i be given to these solids? Files of checkpoints are checked with this. */
bool apl_system_has_touch(const apl_system* s, int i, const contact_touch* touch);

/* Give free contacts to solids that may touch within `horizon` [s]. The horizon is shortened where
   too many are near; touch.horizon is the one that was used. `fresh`: solids that overlap did so
   from the start. */
apl_status apl_system_touch(apl_system* s, double horizon, double least, bool fresh, bool* changed);

/* --------------------------------------------------------------------------------- loops.c ---- */

void apl_system_free_loops(apl_system* s);

/* ------------------------------------------------------------------------------ supports.c ---- */

/* Forward dynamics with the forces of all couplings that are rows: held velocities, contacts at
   rest, loops. */
apl_status apl_system_forward(apl_system* s);

/* Velocities jump: rigid contacts with `hit` set leave as restitution and friction demand, those at
   rest stay at rest. impulse[3 * npair] receives the impulses of the ground. */
apl_status apl_system_impact(apl_system* s, const bool* hit, double ahead, double* impulse);

/* ------------------------------------------------------------------------------ implicit.c ---- */

/* One implicit step; the context is the system. */
extern const apl_implicit apl_system_implicit;

/* Does the model dissipate energy in motion: by dampers, friction, materials, air or contacts? */
bool apl_system_damped(apl_system* s);

/* ------------------------------------------------------------------------------ jacobian.c ---- */

/* J[m*n], d y'_i / d y_k at J[k*n + i] for the first m = apl_system_error_size() numbers of y, at
   the state y; and the memory for it. */
apl_status apl_system_open_jacobian(void* context, apl_error* err);
apl_status apl_system_jacobian(double t, const double* y, int n, double* J, void* context);

/* Imaginary parts of the inputs of a complex state, where limits cut them: the limits may depend on
   a velocity. */
void apl_system_cut_inputs(const apl_system* s, apl_state* wide);

/* The imaginary part of the rate of sum i of servos. */
double apl_system_sum_slope(apl_system* s, int i, const apl_state* wide);

/* ------------------------------------------------------------------ kind/contact_support.c ---- */

/* Did the last forward dynamics hold contact i along an axis (and not let it rise or slip)? */
bool apl_system_holds(const apl_system* s, int i, int axis);

/* Rate k [1/s] at which drift of contacts decays: x'' + 2 k x' + k^2 x = 0. */
double apl_system_settling(const apl_system* s);

/* Set the forces of supports to zero until the next forward dynamics. */
void apl_system_clear_push(apl_system* s);

/* `row` of the rows just solved is the normal of rigid contact i. Fails with a sentence if the
   contact still moves into the ground, which only a prescribed motion can cause. */
apl_status apl_system_check_stopped(apl_system* s, int i, int row);

/* kind/contact_step.c: does contact i have rows, in the last time step or as it is now? */
bool apl_system_contact_acts(const apl_system* s, int i);
