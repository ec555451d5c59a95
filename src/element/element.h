/* SPDX-License-Identifier: Apache-2.0 */
/* element.h: the interface of a joint kind and of a body kind, for authors of new ones.

   A kind is one file in this folder with two halves. The cold half describes it (words, fields,
   sizes, checks, constants) and is compiled once. The hot half (between #ifdef APL_HOT) computes
   its motion over `real` and is compiled once per number type. registry.c lists both. The cold half
   passes constants to the hot half in a struct of `real`, named kind_par.

   Joint:  X_B = X_P X_J(q)    V_B = Phi V_P + S v    A_B = Phi A_P + S a + c    q' = N v + K V_P
   Body:   X_p(x)              V_p = Ad^-1 V_B + S_p x'        [W; tau] = [I U; U^T D] [A; x''] +
   h */
#pragma once

#include "appell/beam.h"

#include "base/error.h"
#include "base/field.h"
#include "element/footing.h"
#include "math/algebra.h"
#include "math/inertia.h"
#include "math/rotation.h"

#include <stdbool.h>

#define APL_MAX_NV 6         /* quasi-velocities of one joint                                    */
#define APL_MAX_NQ 8         /* stored coordinates of one joint                                  */
#define APL_MAX_NX 32        /* deformation coordinates of one body                              */
#define APL_MAX_SATELLITES 8 /* of one joint, rotors included */

/* ---------------------------------------------------------------------------- cold half ---- */

/* How many numbers a struct of constants has. */
#define APL_NPAR(type) ((int)(sizeof(type) / sizeof(real)))

/* How a joint or body may rotate the bodies that it carries, for the check of their inertias. */
typedef enum apl_turning {
  APL_TURNS_NOT,
  APL_TURNS_ABOUT_Z,
  APL_TURNS_ABOUT_Y,
  APL_TURNS_ABOUT_X,
  APL_TURNS_ANY
} apl_turning;

/* Whether a joint keeps the bodies that it carries in a plane, and in which one. Robots that move
   in one plane are solved there (docs/decisions/040). */
typedef enum apl_flatness {
  APL_FLAT_NOT,
  APL_FLAT_ALWAYS,  /* any plane: it does not move */
  APL_FLAT_ABOUT_Z, /* the plane normal to its z                                                 */
  APL_FLAT_ALONG_Z  /* planes that contain its z                                                 */
} apl_flatness;

/* A rigid body on a one-freedom joint that is not prescribed takes a dedicated path through the
   passes. */
typedef enum node_path { PATH_GENERAL, PATH_REVOLUTE, PATH_PRISMATIC } node_path;

typedef struct apl_joint_kind {
  const char* word;
  const char* title;
  const apl_field* field;
  size_t param_size;
  int nq, nt, nv;
  int nsatellite;
  int npar;                     /* its constants in the parameter block: APL_NPAR(kind_par)   */
  int nangle;                   /* number of coordinates whose sine and cosine it needs ... */
  int angle[3];                 /* ... which                                                  */
  bool slaved;                  /* Phi != Ad^-1: its motion follows from the parent's, see
                                   trailer.c */
  bool plain;                   /* q' = v                                                     */
  node_path path;               /* used with a rigid body when the joint is not prescribed */
  apl_turning turning;          /* in its own (turned) frame                                  */
  apl_flatness flat;            /* likewise                                                   */
  const char* const* q_name;    /* [nq]                                                       */
  const char* const* v_name;    /* [nv]                                                       */
  const char* const* q_unit;    /* [nq]                                                       */
  const char* const* v_unit;    /* [nv]                                                       */
  const char* const* t_unit;    /* [nt], NULL when it is q_unit                               */
  const char* const* spin_name; /* [nsatellite]                                               */
  const double* neutral;        /* [nq] rest configuration, NULL when all zero                */

  /* Check the parameters and write the constants, the spin inertias of the satellites, and `turn`,
     the rotation matrix from the axes of the joint (z is its axis) to those of the user. */
  apl_status (*compile)(const void* param, void* constants, double* inertia, mat3* turn,
                        apl_error* err);

  /* The coordinate of q[nq] at which the joint is singular, -1 for none; then err has a message.
     NULL if the joint is regular everywhere. */
  int (*refuses)(const double* q, apl_error* err);

  /* The contacts with the ground, from its constants and q[nq]; NULL if the joint does not roll. */
  void (*stands)(const void* constants, const double* q, apl_footing* out);
} apl_joint_kind;

/* A joint of n coordinates whose rates are its velocities (q' = v), with names `name`_name,
   `name`_q_unit and `name`_v_unit. */
#define APL_PLAIN_JOINT(name, n)                                                                   \
  .nq = n, .nt = n, .nv = n, .plain = true, .q_name = name##_name, .v_name = name##_name,          \
  .q_unit = name##_q_unit, .v_unit = name##_v_unit

/* Structure of a body with given parameters. A long body may be a chain of equal elements, each a
   node of the recursion with its own deformations, so that the cost grows linearly. */
typedef struct apl_body_plan {
  int elements;
  int nx;              /* deformation coordinates of one element                                 */
  int npar;            /* numbers in the parameter block; all elements share them                */
  int nsection;        /* numbers in the parameter block per section, at least 1 */
  int ops;             /* its hot half: OPS_name, name from APL_BODY_OPS_LIST                    */
  apl_turning turning; /* of the tip against the root                                            */
  bool drag;           /* true if drag acts on it */
  bool chord;          /* its root rotates against its frame: no moment may act on its joint */
  bool flat;           /* it stays in the plane of z across the axis it turns about (x or y);
                          its hot half has plane_*                                               */
  double half[2];      /* half the size of its section along x and y, 0: unknown */
  bool screw;          /* its six deformations form the screw from root to tip; its hot half has
                          screw */
  bool channel;        /* a tendon may run in it at a constant offset, guided all along          */
  int drawn;           /* number of sections to draw, from root to tip at equal steps; 0: screws
                          between the ends of its elements give the exact shape */
  double reach;        /* distance of its outline from the axis, 0 when no outline is known      */
} apl_body_plan;

/* One deformation coordinate of a body. */
typedef struct apl_body_coordinate {
  char name[32];
  const char* unit;
  double rest;
  double most;
} apl_body_coordinate;

typedef struct apl_body_kind {
  const char* word;
  const char* title;
  const apl_field* field;
  size_t param_size;
  const char* note; /* a caveat for users, NULL when there is none */
  bool rigid; /* par is a rigid_inertia; no elements, no hot half                                */

  /* Called before compile(), so with unchecked numbers; NULL for the rigid kind. */
  void (*plan)(const void* param, apl_body_plan* plan);

  /* Deformation coordinate k of the whole body: name ("bend-y.3"), SI unit, value at rest and the
     largest magnitude that makes sense (HUGE_VAL when there is none). NULL for the rigid kind. */
  void (*coordinate)(const void* param, int k, apl_body_coordinate* out);

  /* The numbers of n sections of an element at stations in 0 (root) .. 1 (tip): out[n * nsection].
     NULL: the station itself. Called after compile(). */
  bool (*sections)(const void* param, const double* station, int n, double* out);

  /* Check the parameters and write the constants; *mass is the mass of the body. */
  apl_status (*compile)(const void* param, void* constants, double* mass, apl_error* err);

  /* The shape of deformation coordinate k, and its sections at n stations; NULL if the deformations
     are not amplitudes of given shapes. */
  apl_status (*shape)(const void* param, int k, apl_beam_shape* out, const double* station, int n,
                      apl_beam_section* section, apl_error* err);
} apl_body_kind;

/* Hot halves of bodies that deform; one kind may have several, chosen by its plan. */
#define APL_BODY_OPS_LIST(X)                                                                       \
  X(arc_plane)                                                                                     \
  X(arc_plane_x)                                                                                   \
  X(arc_p5)                                                                                        \
  X(arc_t5)                                                                                        \
  X(arc_bend)                                                                                      \
  X(arc_space)                                                                                     \
  X(arc_screw)                                                                                     \
  X(beam)

#define X(name) OPS_##name,
enum { OPS_none, APL_BODY_OPS_LIST(X) };
#undef X

static inline apl_body_plan apl_body_planned(const apl_body_kind* kind, const void* param) {
  apl_body_plan plan = {.elements = 1, .nsection = 1, .npar = APL_NPAR(rigid_inertia)};

  if (kind->plan != NULL) kind->plan(param, &plan);
  return plan;
}

extern const apl_joint_kind* const apl_joint_kinds[]; /* NULL-ended                              */
extern const apl_body_kind* const apl_body_kinds[];

/* ----------------------------------------------------------------------------- hot half ---- */

#ifdef APL_HOT

#include "math/ldl.h"
#include "math/rotvec.h"
#include "math/sincos.h"
#include "math/six.h"
#include "math/stumpff.h"

/* Input of the functions of a joint. */
typedef struct joint_in {
  const void* par; /* its constants                                                              */
  const real* q;
  const real* v;
  const real* sc; /* sine, cosine of its angles, in the order of apl_joint_kind.angle            */
  twist VP;       /* of the frame it is mounted on; valid for slaved joints only */
} joint_in;

/* Motion of a joint. */
typedef struct joint_out {
  pose X;    /* X_J(q)                                                                      */
  real* S;   /* [6*nv] one column per quasi-velocity                                        */
  twist c;   /* ordinary: (dS/dt) v. slaved: (dS/dt) v + (dPhi/dt) V_P                      */
  real* Phi; /* [36] row-major, slaved joints only                                          */
} joint_out;

typedef struct joint_ops {
  void (*motion)(const joint_in* in, joint_out* out);

  /* Satellites: spin = row v + rowP V_P, its rate = row a + rowP A_P + bias.
     row[nsatellite*nv], rowP[nsatellite*6] (slaved joints only), bias[nsatellite]. */
  void (*spin)(const joint_in* in, real* row, real* rowP, real* bias);

  /* NULL below means: coordinates are a plain vector and q' = v. */
  void (*rate)(const joint_in* in, real* qdot);                    /* [nq]                  */
  void (*tangent_rate)(const joint_in* in, real* rate);            /* [nt]                  */
  void (*add)(const real* q, const real* delta, real* out);        /* q + delta             */
  void (*subtract)(const real* to, const real* from, real* delta); /* to - from             */

  /* Transform a generalized force f[nt] on the displacement delta = q - rest to the
     quasi-velocities, Q[nv], and for slaved joints to a wrench QP[6] on the frame it is mounted
     on. */
  void (*pull)(const joint_in* in, const real* delta, const real* f, real* Q, real* QP);

  /* Joints with constant S: twists T[6*nt] of unit displacements along the tangent, in the axes of
     the joint's frame. NULL: derivatives are computed by complex steps. */
  void (*tangent)(const joint_in* in, real* T);
} joint_ops;

/* Pose and motion of a section of a deformable body. */
typedef struct section {
  pose X;  /* of the section in the body frame                                            */
  real* S; /* [6*nx]                                                                      */
  twist c; /* (dS/dt) x'                                                                  */
} section;

/* Input of the functions of a body. */
typedef struct body_in {
  const void* par; /* its constants                                                              */
  const real* x;
  const real* xd;
  int nx;
} body_in;

/* Inertia and bias of a deformable body: [W; tau] = [I U; U^T D] [A; x''] + [b; h]. */
typedef struct body_block {
  inertia6 I;
  real* U;  /* [6*nx] column k: wrench on the body frame per x_k''                         */
  real* D;  /* [nx*nx] symmetric, row-major, both halves                                   */
  wrench b; /* velocity products                                                           */
  real* h;  /* [nx] velocity products, elastic and dissipative efforts                     */
} body_block;

/* The same for a body whose six deformations X form the screw from its root to its tip. The twist
   of a section in its own axes is V_0 + S eta, eta = X' - ad(X) V_0. With the efforts t = tau - e
   of its deformations, e being the elastic and dissipative efforts, the balance is simpler:
     [W + ad(X)^T t; t] = [I U; U^T D] [A; X'' - ad(X) A] + [b; h] */
typedef struct screw_block {
  twist X;
  real I[6];   /* diagonal                                                                      */
  six U[6];    /* row k: wrench per coordinate k                                                */
  six D[6];    /* upper half                                                                    */
  wrench b;    /* velocity products                                                             */
  real h[6];   /* velocity products                                                             */
  real e[6];   /* elastic and dissipative efforts                                               */
  vec3 centre; /* first moment                                                                  */
} screw_block;

/* The same in the plane of a planar body, spanned by x and z of its frame; angles and moments are
   about y. For a body that bends about x, -y replaces x and x replaces y. */
typedef struct plane_section {
  real c, s;   /* cosine and sine of the angle it is turned by                                */
  real x, z;   /* its place                                                                   */
  real* turn;  /* [nx] rotation per coordinate k; constant, so it has no bias */
  real* dx;    /* [nx] translation per coordinate k */
  real* dz;    /* [nx]                                                                        */
  real ax, az; /* second time derivative of its position at constant x' */
} plane_section;

typedef struct plane_block {
  real m, J, hx, hz; /* mass, inertia about y, first moment                                       */
  real* n;           /* [nx] wrench per x_k'': moment about y, ...                                */
  real* fx;          /* [nx] ... force                                                            */
  real* fz;
  real* D; /* [nx*nx] both halves                                                           */
  real bn, bx, bz; /* velocity products                                                         */
  real* h;         /* [nx] as in body_block                                                     */
} plane_block;

typedef struct body_ops {
  /* the section whose numbers are at[nsection] */
  void (*shape)(const body_in* in, const real* at, section* out);

  /* for a body frame with angular velocity w whose origin is at rest (docs/decisions/002) */
  void (*balance)(const body_in* in, vec3 w, body_block* out);

  /* the same for screw bodies, NULL for all others; without velocity products if w is NULL */
  void (*screw)(const body_in* in, const vec3* w, screw_block* out);

  /* elastic energy */
  real (*potential)(const body_in* in);

  /* add k K + c C to out[nx*nx]: the derivatives of elastic efforts by x and of dissipative efforts
     by x'. They are symmetric and positive semidefinite; diagonal for a screw body */
  void (*stiffness)(const body_in* in, real k, real c, real* out);

  /* power dissipated by material damping; NULL: none */
  real (*dissipation)(const body_in* in);

  /* drag in still air for a body frame with twist V: wrench on the frame, and Q[nx]; NULL: no
     drag */
  wrench (*drag)(const body_in* in, twist V, real* Q);

  /* planar bodies: shape and balance in their plane; plane_of_x: the plane is the one normal to
     x */
  void (*plane_shape)(const body_in* in, const real* at, plane_section* out);
  void (*plane_balance)(const body_in* in, real w, plane_block* out);
  bool plane_of_x;

  /* length of a line through all sections at offset d = (x, y, 0), and dlength/dx[nx]; NULL if
     there is no such formula for the whole body */
  real (*channel)(const body_in* in, vec3 d, real* slope);

  /* all pieces of equal length have the same shape, as for constant strain */
  bool uniform;
} body_ops;

/* registry.c: the hot half of a joint kind, and that of a body's plan, NULL for the rigid kind */
static inline const joint_ops* joint_ops_of(int kind);
static inline const body_ops* body_ops_of(int ops);

#endif
