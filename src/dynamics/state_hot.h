/* SPDX-License-Identifier: Apache-2.0 */
/* state_hot.h: one state over `real`: its arrays, and the function carve() that both measures and
   places them. */
#pragma once

#include "dynamics/contact_state.h"
#include "dynamics/passes.h"
#include "dynamics/plane.h"
#include "element/element.h"

/* A wrench that the user has put on a port. */
typedef struct port_load {
  int on;
  apl_axes axes;
  wrench W;
} port_load;

typedef struct contact {
  CONTACT_MEMBERS(real)
} contact;

/* A constraint row of a loop, as apl_loop_row() shows it. */
typedef struct loop_row {
  real force, gap, rate, accel, stiffness, damping;
} loop_row;

/* Mass (kg) and first moment (kg m) of a body in its present shape. */
typedef struct body_mass {
  real m;
  vec3 h;
} body_mass;

typedef struct solver solver; /* solver.h */

typedef struct state {
  apl_state head;
  const solver* solver;

  const real* par; /* the model's parameters, or this state's copy where numbers are wider */
  real* own_par;

  real *q, *v, *a, *tau, *u; /* what users read and write */
  real* aim;            /* [3*nv] of servos: set coordinates, set rates, integrals of the errors */
  real* servo;          /* [nv] efforts of servos in the last pass with forces */
  real* spin;           /* [nsat]                                                             */
  port_load* load;      /* [nport]                                                            */
  contact* contact;     /* [npair]                                                           */
  contact_touch* touch; /* [nslot]                                                        */
  loop_row* row;        /* [npart]                                                            */
  real *share, *turn;   /* [nfooting * SHARE_NUMBERS], [2*nsat] room for reactions            */

  real* sc;   /* [2*nangle] sine and cosine of the present q                        */
  pose* X_up; /* [nframe] pose in the frame above; port frames: in their body */
  pose* X;    /* [nframe] frame in the world                                        */
  twist* V;   /* [nframe] true twist; only after passes that say so */

  vec3* w;            /* [nframe] angular velocity                                          */
  accel* A;           /* [nframe] acceleration, minus gravity                               */
  accel* c;           /* [nframe] velocity products of the acceleration */
  wrench* W;          /* [nframe] wrench from the frame above; in forward dynamics: bias */
  wrench* F;          /* [nframe] external wrench                                           */
  wrench* row_wrench; /* [2*npart] wrenches of unit row forces, on both frames */
  inertia6* I;        /* [nframe] articulated, or composite inertia                         */
  accel* U;           /* [nnode] one-freedom joints: U = I S and ... */
  real* D;            /* [nnode] ... 1 / D                                                  */
  real* r;            /* [nnode] ... remaining effort r = tau - S^T b */
  screw_block* screw; /* [nscrew] inertia blocks of screw bodies */
  body_mass* body;    /* [nnode] mass and first moment of deformable bodies, last computed */
  inertia6* body_I;   /* [nnode] their inertia; several of them may share a frame */
  body_mass* below;   /* [nframe] mass and first moment of a frame and all below it ... */
  wrench* outside;    /* [nframe] ... and the external wrench on them: weights_and_loads() */
  real* Q;            /* [nv] passive efforts and inputs                                    */
  real* power;        /* [APL_NACCOUNT] of all forces but tau, filled with Q and F          */
  real* pull;         /* [ntendon] tension asked for by inputs, then tension before the limit >=
                         0 */
  real* length;       /* [ntendon] lengths of tendons (m), computed with Q and F ... */
  real* tension;      /* [ntendon] ... and tensions (N) */
  real* slope;        /* [nslope] derivatives of the lengths of their spans                 */
  real* column;       /* [nv] scratch */
  real* d;            /* [nv] 1 / D in the order of elimination, 0 for prescribed freedoms */
  real* z;            /* [nv] innovations of a solution                                       */
  real* give;         /* [nv] right-hand side: efforts */
  wrench* push;       /* [nframe] right-hand side: minus the wrenches, summed on the way in */
  accel* gain;        /* [nframe] resulting accelerations of frames */
  int* touched;       /* [nframe] nonzero if a right-hand side passes through the frame */
  double g;           /* factors are those of M + g C + g^2 K                                 */
  plane_frame* plane; /* [nframe] flat models only */
  real* work;         /* [nwork] scratch of nodes on the general path                       */
  real* world;        /* [6*nworld] columns in world axes                                   */
  real* denoc;        /* [ndenoc] DeNOC's blocks                                            */
} state;

static inline state* hot(apl_state* s) {
  return (state*)(void*)s;
}

/* One line per array, in the order of the struct. */
static void carve(const apl_model* m, apl_arena* arena, state* s) {
#define TAKE(p, n) ((p) = apl_arena_take(arena, sizeof *(p) * (size_t)(n)))
  const int nf = m->nframe, nn = m->nnode;
  TAKE(s->q, m->nq);
  TAKE(s->v, m->nv);
  TAKE(s->a, m->nv);
  TAKE(s->tau, m->nv);
  TAKE(s->u, m->ninput);
  TAKE(s->aim, 3 * m->nv);
  TAKE(s->servo, m->nv);
  TAKE(s->spin, m->nsat);
  TAKE(s->load, m->nport);
  TAKE(s->contact, m->npair);
  TAKE(s->touch, m->nslot);
  TAKE(s->row, m->npart);
  TAKE(s->share, m->nfooting * (int)SHARE_NUMBERS);
  TAKE(s->turn, 2 * m->nsat);
  TAKE(s->sc, 2 * SINCOS_ROOM(m->nangle));
  TAKE(s->X_up, nf);
  TAKE(s->X, nf);
  TAKE(s->V, nf);
  TAKE(s->w, nf);
  TAKE(s->A, nf);
  TAKE(s->c, nf);
  TAKE(s->W, nf);
  TAKE(s->F, nf);
  TAKE(s->row_wrench, 2 * m->npart);
  TAKE(s->I, nf);
  TAKE(s->U, nn);
  TAKE(s->D, nn);
  TAKE(s->r, nn);
  TAKE(s->screw, m->nscrew);
  TAKE(s->body, nn);
  TAKE(s->body_I, nn);
  TAKE(s->below, nf);
  TAKE(s->outside, nf);
  TAKE(s->Q, m->nv);
  TAKE(s->power, APL_NACCOUNT);
  TAKE(s->pull, m->ntendon);
  TAKE(s->length, m->ntendon);
  TAKE(s->tension, m->ntendon);
  TAKE(s->slope, m->nslope);
  TAKE(s->column, m->nv);
  TAKE(s->d, m->nv);
  TAKE(s->z, m->nv);
  TAKE(s->give, m->nv);
  TAKE(s->push, nf);
  TAKE(s->gain, nf);
  TAKE(s->touched, nf);
  TAKE(s->plane, m->nplane);
  TAKE(s->work, m->nwork);
  TAKE(s->world, 6 * m->nworld);
  TAKE(s->denoc, m->rigid_tree ? m->ndenoc : 0);
  TAKE(s->own_par, REAL_WIDTH == 1 ? 0 : m->npar);
#undef TAKE
}

static const solver* solver_of(const apl_model* m);

static apl_state* layout(const apl_model* m, apl_arena* arena) {
  state* s = apl_arena_take(arena, sizeof *s);
  if (s == NULL) {
    state measured;
    carve(m, arena, &measured);
    return NULL;
  }
  carve(m, arena, s);

  s->solver = solver_of(m);
  s->par = (const real*)(const void*)m->par;
  if (REAL_WIDTH > 1) {
    for (int i = 0; i < m->npar; ++i)
      s->own_par[i] = real_of(m->par[i]);
    s->par = s->own_par;
  }
  s->head.q = (double*)s->q;
  s->head.v = (double*)s->v;
  s->head.a = (double*)s->a;
  s->head.tau = (double*)s->tau;
  s->head.u = (double*)s->u;
  s->head.aim = (double*)s->aim;
  s->head.servo = (double*)s->servo;
  s->head.spin = (double*)s->spin;
  s->head.contact = (double*)(void*)s->contact;
  s->head.row = (double*)(void*)s->row;
  s->head.touch = s->touch;
  s->head.share = (double*)s->share;
  s->head.turn = (double*)s->turn;
  return &s->head;
}

static void zero(real* x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = real_of(0.0);
}

static bool all_finite(const real* x, int n) {
  const real huge = real_of(HUGE_VAL);
  mask bad = real_less(huge, huge);

  for (int i = 0; i < n; ++i)
    bad = mask_or(bad, mask_not(real_less(real_abs(x[i]), huge)));
  return !mask_any(bad);
}

/* APL_OK if all results of a pass are finite. */
static apl_status finite_status(const real* x, int n) {
  return all_finite(x, n) ? APL_OK : APL_ERR_NOT_FINITE;
}

static void reset(const apl_model* m, apl_state* head) {
  state* s = hot(head);

  for (int i = 0; i < m->nq; ++i)
    s->q[i] = real_of(m->neutral[i]);
  zero(s->v, m->nv);
  zero(s->a, m->nv);
  zero(s->tau, m->nv);
  zero(s->u, m->ninput);
  zero(s->aim, 3 * m->nv);
  for (int i = 0; i < m->npassive; ++i) {
    const apl_node* n = &m->node[m->passive[i]];
    for (int k = 0; n->servo != 0 && k < n->nv; ++k)
      s->aim[n->v0 + k] = real_of(m->neutral[n->q0 + k]);
  }
  for (int i = 0; i < m->ninput; ++i) {
    if (input_is_aim(&m->input[i])) s->u[i] = s->aim[input_aim(&m->input[i], m->nv)];
  }
  zero(s->servo, m->nv);
  zero(s->spin, m->nsat);
  for (int p = 0; p < m->nport; ++p)
    s->load[p] = (port_load){0, APL_PORT_AXES, wrench_zero()};
  /* no run has set the contact modes yet: a contact that penetrates pushes, and is taken to have
     closed at the speed of rest */
  for (int i = 0; i < m->npair; ++i) {
    memset(&s->contact[i], 0, sizeof s->contact[i]);
    s->contact[i].on = real_of(m->pair[i].port < 0 ? APL_CONTACT_OPEN : APL_CONTACT_FRESH);
    s->contact[i].speed = real_of(m->par[m->pair[i].par + PAIR_REST]);
  }
  for (int k = 0; k < m->nslot; ++k)
    s->touch[k] = (contact_touch){{0, 0}, 0};
  for (int k = 0; k < m->npart; ++k) {
    const double* par = m->par + m->part[k].par;
    memset(&s->row[k], 0, sizeof s->row[k]);
    s->row[k].stiffness = real_of(par[PART_STIFFNESS]);
    s->row[k].damping = real_of(par[PART_DAMPING]);
  }
  head->springs = 0;
  head->apart = 0;
  head->nload = 0;
  head->factored = FACTORED_NOT;
  head->trouble = -1;
}

static void load(const apl_model* m, apl_state* head, int port, apl_axes axes, const double* W) {
  state* s = hot(head);
  port_load* l = &s->load[port];
  int any = 0;
  (void)m;

  memcpy(&l->W, W, sizeof l->W);
  for (int i = 0; i < 6 * REAL_WIDTH; ++i)
    any = any || W[i] != 0.0;
  head->nload += any - l->on;
  l->on = any;
  l->axes = axes;
}

static apl_axes load_of(apl_state* head, int port, double* W) {
  const port_load* l = &hot(head)->load[port];

  memcpy(W, &l->W, sizeof l->W);
  return l->axes;
}

static void lane_parameters(const apl_model* m, apl_state* head, int lane, const double* par) {
  state* s = hot(head);

  for (int i = 0; i < m->npar; ++i)
    ((double*)&s->own_par[i])[lane] = par[i];
}

/* Entries of the parameter block as structures. */
HOT_INLINE pose par_pose(const state* s, int at) {
  pose X;
  memcpy(&X, s->par + at, sizeof X);
  return X;
}
HOT_INLINE rigid_inertia par_inertia(const state* s, int at) {
  rigid_inertia I;
  memcpy(&I, s->par + at, sizeof I);
  return I;
}
HOT_INLINE vec3 par_gravity(const state* s) {
  vec3 g;
  memcpy(&g, s->par + PAR_GRAVITY, sizeof g);
  return g;
}
HOT_INLINE const plane_node_par* par_plane_node(const state* s, const apl_node* n) {
  return (const void*)(s->par + n->plane);
}
HOT_INLINE const plane_frame_par* par_plane_frame(const apl_model* m, const state* s, int f) {
  return (const void*)(s->par + m->frame[f].plane);
}
