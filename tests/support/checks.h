/* SPDX-License-Identifier: Apache-2.0 */
/* checks.h: what must hold for every robot at every point. Each check restores the point of its
   subject and fails the running test when the library disagrees with it. */
#pragma once

#include "kinds.h"
#include "subject.h"

/* checks_motion.c: port twists and accelerations against derivatives of poses and twists,
   Jacobians, the centre of mass. */
void check_twists(subject* sub);
void check_accelerations(subject* sub);
void check_jacobians(subject* sub, rng* r);
void check_center(subject* sub);

/* checks_inertia.c: M symmetric, positive definite, the columns of inverse; bias; inverse of
   forward; the decoupled natural orthogonal complement; the regressor (robots without springs and
   rotors). */
void check_mass_matrix(subject* sub);
void check_round_trip(subject* sub);
void check_denoc(subject* sub);
void check_regressor(subject* sub);

/* checks_balance.c: power, momentum (robots with one floating root), weight. */
void check_energy(subject* sub);
void check_momentum(subject* sub);
void check_weight(subject* sub);

/* checks_rows.c: factors, solutions and rows; the same with stiffness and damping, of the robot at
   rest; velocity jumps (robots with one floating root). */
void check_rows(subject* sub, rng* r);
void check_stiffness(const plan* p, rng* r);
void check_jump(subject* sub, rng* r);

/* checks_derivatives.c: those of inverse and forward dynamics against complex steps. */
void check_derivatives(subject* sub);

/* checks_tangent.c: q + delta, to - from, rates; scaled quaternions. */
void check_tangent(subject* sub, rng* r);
void check_drift(subject* sub);

/* checks_variants.c: the same robot with joints prescribed, or with its links in another order. */
void check_prescribed(const plan* p, rng* r);
void check_order(const plan* p, rng* r);

/* true for the velocities of prescribed joints and bodies: given[nv] */
void check_mark_given(const subject* sub, bool* given);

/* All of them that apply to the robot, at `points` random points. */
void check_all(const plan* p, rng* r, int points);

/* Runs all checks that apply. */
bool check_is_rigid(const plan* p); /* no deforming body, no slaved joint                      */
bool check_is_free(const plan* p);  /* one floating root without spring and rotor, no slaves   */
bool check_is_bare(const plan* p);  /* rigid, without springs, dampers, rotors and wheels      */

/* Sizes of the terms of M a + bias, largest row: the scale for round-off of efforts. */
double check_effort_scale(subject* sub, const double* a);
