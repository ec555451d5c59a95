/* SPDX-License-Identifier: Apache-2.0 */
/* passes.h: one build of the hot code exports one table of functions and no other symbol. The
   public functions (api.c) find the table in the state and call through it, so one set of functions
   serves all three number types. Arrays of numbers are arrays of double, `width` times as long. */
#pragma once

#include "appell/dynamics.h"
#include "appell/loop.h"

#include "base/arena.h"
#include "dynamics/derive.h"
#include "dynamics/factor.h"
#include "dynamics/rows.h"
#include "model/model_impl.h"

typedef struct apl_passes {
  int width;

  /* place (or measure) the arrays of a state; returns its head */
  apl_state* (*layout)(const apl_model* m, apl_arena* arena);
  void (*reset)(const apl_model* m, apl_state* s);
  void (*load)(const apl_model* m, apl_state* s, int port, apl_axes axes, const double* wrench);
  apl_axes (*load_of)(apl_state* s, int port, double* wrench); /* reads back what load() has set */
  void (*lane_parameters)(const apl_model* m, apl_state* s, int lane, const double* par);

  apl_status (*inverse)(const apl_model* m, apl_state* s);
  apl_status (*forward)(const apl_model* m, apl_state* s);
  apl_status (*bias)(const apl_model* m, apl_state* s, double* h);
  apl_status (*mass_matrix)(const apl_model* m, apl_state* s, double* M);
  apl_status (*rates)(const apl_model* m, apl_state* s, double* qdot);
  apl_status (*rates_last)(const apl_model* m, apl_state* s, double* qdot);
  apl_status (*tangent_rates)(const apl_model* m, apl_state* s, double* rate);
  apl_status (*add)(const apl_model* m, const double* q, const double* delta, double* out);
  apl_status (*subtract)(const apl_model* m, const double* to, const double* from, double* delta);
  apl_status (*port_pose)(const apl_model* m, apl_state* s, int port, double* X);
  apl_status (*poses)(const apl_model* m, apl_state* s, double* X);
  apl_status (*sections)(const apl_model* m, apl_state* s, int link, double* X);
  apl_status (*port_motion)(const apl_model* m, apl_state* s, int port, apl_axes axes, double* V,
                            double* A);
  apl_status (*jacobian)(const apl_model* m, apl_state* s, int port, apl_axes axes, double* J);
  apl_status (*energy)(const apl_model* m, apl_state* s, double* energy);
  apl_status (*contacts)(const apl_model* m, apl_state* s);
  apl_status (*accounts)(const apl_model* m, apl_state* s, double* power);
  apl_status (*tendons)(const apl_model* m, apl_state* s, double* length, double* tension,
                        double* uncut);
  apl_status (*tendon_points)(const apl_model* m, apl_state* s, int tendon, double* points);
  apl_status (*loop_rows)(const apl_model* m, apl_state* s);
  /* loops: forward dynamics without loop forces, then with the forces found for the same state */
  apl_status (*forward_cut)(const apl_model* m, apl_state* s);
  apl_status (*forward_closed)(const apl_model* m, apl_state* s);
  void (*loop_numbers)(const apl_model* m, apl_state* s, double* number);
  apl_status (*loop_jacobian)(const apl_model* m, apl_state* s, double* J);
  apl_status (*external)(const apl_model* m, apl_state* s, double* wrench);
  apl_status (*reactions)(const apl_model* m, apl_state* s, double* share, double* spin);
  apl_status (*joint_wrenches)(const apl_model* m, apl_state* s, double* wrench);
  apl_status (*ledger)(const apl_model* m, apl_state* s, bool momentum, double* out);
  apl_status (*ledger_given)(const apl_model* m, apl_state* s, bool momentum, double* out,
                             double* tally);
  apl_status (*momentum)(const apl_model* m, apl_state* s, double* momentum);
  apl_status (*tally)(const apl_model* m, apl_state* s, double* tally);
  apl_status (*tally_last)(const apl_model* m, apl_state* s, double* tally);
  apl_status (*center)(const apl_model* m, apl_state* s, double* center);
  apl_status (*center_placed)(const apl_model* m, apl_state* s, double* center);
  apl_status (*regressor)(const apl_model* m, apl_state* s, double* Y);
  apl_status (*denoc_inverse)(const apl_model* m, apl_state* s);
  apl_status (*denoc_forward)(const apl_model* m, apl_state* s);
  apl_status (*denoc_factor)(const apl_model* m, apl_state* s, double* U, double* D);

  /* factors and rows: see dynamics/factor.h and dynamics/rows.h */
  apl_status (*factor)(const apl_model* m, apl_state* s, double g);
  apl_status (*factor_last)(const apl_model* m, apl_state* s);
  apl_status (*stiffness)(const apl_model* m, apl_state* s, const double* v, double* Kv,
                          double* Cv);
  apl_status (*ways_halve)(const apl_model* m, apl_state* s, const apl_way* way,
                           const double* number, int n, double* z);
  apl_status (*ways_inertia)(const apl_model* m, apl_state* s, const apl_ways* a, const apl_ways* b,
                             double* G, int ld);
  apl_status (*ways_combine)(const apl_model* m, apl_state* s, const apl_ways* a, const double* p,
                             double* z);
  apl_status (*ways_meet)(const apl_model* m, apl_state* s, const apl_ways* a, double* out);
  apl_status (*ways_motion)(const apl_model* m, apl_state* s, const apl_way* way,
                            const double* number, int n, double* velocity, double* acceleration);
  apl_status (*ways_jacobian)(const apl_model* m, apl_state* s, const apl_way* way,
                              const double* number, int n, double* J);
  apl_status (*tendon_jacobian)(const apl_model* m, apl_state* s, double* J);
  apl_status (*frames_move)(const apl_model* m, apl_state* s, bool accelerations);
  apl_status (*frames_speed)(const apl_model* m, apl_state* s);
  bool (*stop_is_row)(const apl_model* m, int node);
  void (*frame_motion)(apl_state* s, int frame, double* X, double* V, double* A);
  void (*push_clear)(const apl_model* m, apl_state* s);
  void (*push_add)(const apl_model* m, apl_state* s, const apl_way* way, const double* number,
                   const double* p, int n);
  const double* (*innovations)(apl_state* s); /* of the last push_solve() */
  apl_status (*push_solve)(const apl_model* m, apl_state* s, const double* tau, double* a,
                           double* effort);
  apl_status (*spread)(const apl_model* m, apl_state* s, const double* z, double* a,
                       double* effort);
  void (*row_of_ports)(const apl_model* m, apl_state* s, const apl_row* row, apl_way* way,
                       double* number);
  void (*port_row_motion)(const apl_model* m, apl_state* s, const apl_row* row, double* velocity,
                          double* acceleration);

  /* derivatives, see derive.h. has_wrenches: forces act on frames or depend on true velocities.
     tells_tangent: the joint has an analytical tangent. rigid_slopes: derivatives of inertia and
     weight in rigid trees (scalar states). local_slopes: derivatives of each joint's own efforts,
     from a state whose q or v is displaced by i*step in direction k of each joint (complex states;
     k = -1: efforts alone) */
  bool (*has_wrenches)(const apl_model* m, apl_state* s);
  bool (*tells_tangent)(const apl_node* n);
  apl_status (*rigid_slopes)(const apl_model* m, apl_state* s, const slope_room* room, double* dq,
                             double* dv);
  apl_status (*local_slopes)(const apl_model* m, apl_state* s, const slope_room* room, int k,
                             bool by_velocity, double step, double* effort);
} apl_passes;

extern const apl_passes apl_passes_scalar;
extern const apl_passes apl_passes_lanes;
extern const apl_passes apl_passes_complex;
#ifdef APL_HAVE_AVX2
extern const apl_passes apl_passes_lanes_avx2;
#endif

/* tension[ntendon] (N) before the limit to tension >= 0, as if tendons could push. It is zero where
   a tendon becomes slack or taut, where its force has a kink. */
apl_status apl_tendons_uncut(const apl_model* model, apl_state* state, double* tension);

/* While on, stops and elastic tendons are constraint rows of an integrator, and passes leave their
   forces out. `stop_is_row` tells for which nodes this is possible for stops: those with q' = v. */
void apl_parts_are_rows(apl_state* state, bool on);

/* The centre of mass, for the frames as the last pass has placed them. */
apl_status apl_center_placed(const apl_model* model, apl_state* state, double* center);

/* apl_rates() from the results that apl_forward() of the same state has just left. */
apl_status apl_rates_last(const apl_model* model, apl_state* state, double* qdot);

/* The rates of the ledgers from the results that apl_forward() of the same state has just left, at
   little cost: powers [APL_NACCOUNT] and, if `momentum`, the external wrench [6] as in
   apl_external(). */
apl_status apl_ledger_rates(const apl_model* model, apl_state* state, bool momentum, double* out);

/* The numbers that the check of the ledgers needs: energies (J), momentum about the world's origin,
   and the distance of the farthest port from that origin (m), the lever arm for tolerances. */
enum {
  TALLY_KINETIC,
  TALLY_POTENTIAL,
  TALLY_MOMENTUM,
  TALLY_REACH = TALLY_MOMENTUM + 6,
  TALLY_NUMBERS
};
apl_status apl_tally(const apl_model* model, apl_state* state, double* tally);

/* The tally from the results that apl_forward() of the same state has just left. */
apl_status apl_tally_last(const apl_model* model, apl_state* state, double* tally);

/* apl_ledger_rates() for the accelerations a that the state holds, by one pass of inverse dynamics;
   it also sets the efforts of prescribed freedoms. Fills the tally too unless it is NULL, at little
   extra cost. */
apl_status apl_ledger_given(const apl_model* model, apl_state* state, bool momentum, double* out,
                            double* tally);

/* The wrench that the ground must exert through a rolling joint, and the motions that it leaves
   free, in the axes of the joint at the origin of the body frame. */
typedef struct footing_share {
  wrench W;            /* on the body and everything it carries, without the hitch's force */
  pose X;              /* of these axes in the world                                              */
  vec3 pull;           /* force of a hitch on the body, without its component along the normal */
  vec3 w;              /* angular velocity                                                        */
  twist S[APL_MAX_NV]; /* motions that the ground allows ...                                      */
} footing_share;
enum { SHARE_NUMBERS = sizeof(footing_share) / sizeof(real) };

/* Whether a state holds factors of the mass matrix, and from which pass (factor.c). Passes that
   reuse their memory reset it. FACTORED_PLACED: no factors, but frames on dedicated paths are
   placed for the present q. */
enum { FACTORED_NOT, FACTORED_PLACED, FACTORED_FORWARD, FACTORED };

/* The head of every state, for all number types. */
struct apl_state {
  const apl_passes* passes;
  const apl_model* model;
  void* memory; /* to free, or NULL when the caller owns it                                    */
  int trouble;  /* link that made the last pass fail, -1: none */
  int nload;    /* number of ports with a load */
  int springs;  /* nonzero: rows of loops act as springs */
  int apart;    /* nonzero: stops and elastic tendons are rows of an integrator; passes leave them
                   out */
  int factored; /* FACTORED_*                                                                  */
  double *q, *v, *a, *tau, *u, *aim, *servo, *spin, *contact, *row;
  struct contact_touch* touch; /* [nslot]                                                        */
  double *share,
      *turn; /* [nfooting * SHARE_NUMBERS], [2 * nsat] room for apl_footing_reactions() */
};
