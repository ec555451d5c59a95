/* element.h: what the engine asks of a joint and of a body. For authors of new kinds.

   A kind is one file in this folder with two halves. The cold half says what it is (words, fields,
   sizes, checks, constants) and is compiled once. The hot half (between #ifdef APL_HOT) says what
   it does, over `real`, and is compiled once per number kind. registry.c lists both.

   Joint:  X_B = X_P X_J(q)    V_B = Phi V_P + S v    A_B = Phi A_P + S a + c    q' = N v + K V_P
   Body:   X_p(x)              V_p = Ad^-1 V_B + S_p x'                          tau = M A + h */
#pragma once

#include "base/error.h"
#include "base/field.h"
#include "math/algebra.h"
#include "math/inertia.h"
#include "math/rotation.h"

#include <stdbool.h>

#define APL_MAX_NV 6         /* quasi-velocities of one joint                                    */
#define APL_MAX_NQ 8         /* stored coordinates of one joint                                  */
#define APL_MAX_NX 32        /* deformation coordinates of one body                              */
#define APL_MAX_SATELLITES 8 /* of one joint, rotors included */

/* ---------------------------------------------------------------------------- cold half ---- */

/* How a joint or a body may turn what hangs on it, for the check of inertias. */
typedef enum apl_turning {
  APL_TURNS_NOT,
  APL_TURNS_ABOUT_Z,
  APL_TURNS_ABOUT_Y,
  APL_TURNS_ANY
} apl_turning;

/* A rigid body on a free one-freedom joint takes a dedicated path through the passes. */
typedef enum node_path { PATH_GENERAL, PATH_REVOLUTE, PATH_PRISMATIC } node_path;

typedef struct apl_joint_kind {
  const char* word;
  const char* title;
  const apl_field* field;
  size_t param_size;
  int nq, nt, nv;
  int nsatellite;
  int npar;                     /* numbers it keeps in the model's parameter block            */
  int nangle;                   /* coordinates of which it wants sine and cosine ...          */
  int angle[3];                 /* ... which                                                  */
  bool slaved;                  /* Phi != Ad^-1: follows the parent                           */
  bool plain;                   /* q' = v                                                     */
  node_path path;               /* with a rigid body, when it is not prescribed               */
  apl_turning turning;          /* in its own (turned) frame                                  */
  const char* const* q_name;    /* [nq]                                                       */
  const char* const* v_name;    /* [nv]                                                       */
  const char* const* q_unit;    /* [nq]                                                       */
  const char* const* v_unit;    /* [nv]                                                       */
  const char* const* t_unit;    /* [nt], NULL when it is q_unit                               */
  const char* const* spin_name; /* [nsatellite]                                               */
  const double* neutral;        /* [nq] rest configuration, NULL when all zero                */

  /* Check the parameters and write the constants: par[npar], the spin inertias of the satellites,
     and `turn`, the rotation from the joint's own frame, whose z is the axis, to the user's. */
  apl_status (*compile)(const void* param, double* par, double* inertia, mat3* turn,
                        apl_error* err);

  /* Which coordinate of q[nq] stands where the joint is singular, -1 for none; then err has a
     sentence about it. NULL when the joint is regular everywhere. */
  int (*refuses)(const double* q, apl_error* err);
} apl_joint_kind;

typedef struct apl_body_kind {
  const char* word;
  const char* title;
  const apl_field* field;
  size_t param_size;
  int nx;
  const char* x_unit; /* of all deformation coordinates, NULL when there are none            */
  int npar;
  apl_turning turning; /* of the tip against the root                                */
  bool rigid;          /* par is a rigid_inertia; no hot half                        */
  void (*neutral)(const void* param, double* x); /* rest shape, NULL when all zero            */

  /* Check the parameters and write the constants: par[npar]; *mass is the mass of the body. */
  apl_status (*compile)(const void* param, double* par, double* mass, apl_error* err);
} apl_body_kind;

extern const apl_joint_kind* const apl_joint_kinds[]; /* NULL-ended                              */
extern const apl_body_kind* const apl_body_kinds[];

/* ----------------------------------------------------------------------------- hot half ---- */

#ifdef APL_HOT

#include "math/ldl.h"
#include "math/rotvec.h"
#include "math/sincos.h"
#include "math/stumpff.h"

/* What a joint works from. */
typedef struct joint_in {
  const real* par;
  const real* q;
  const real* v;
  const real* sc; /* sine, cosine of its angles, in the order of apl_joint_kind.angle            */
  twist VP;       /* of the frame it sits on; slaved joints only, others must not look at it     */
} joint_in;

/* What it tells. */
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

  /* Bring a force f[nt] on the displacement delta = q - rest back to the quasi-velocities: Q[nv],
     and, slaved joints only, to a wrench QP[6] on the frame it sits on. */
  void (*pull)(const joint_in* in, const real* delta, const real* f, real* Q, real* QP);
} joint_ops;

/* A section of a body that deforms. */
typedef struct section {
  pose X;  /* of the section in the body frame                                            */
  real* S; /* [6*nx]                                                                      */
  twist c; /* (dS/dt) x'                                                                  */
} section;

typedef struct body_ops {
  /* the section at `station` (0 root .. 1 tip) */
  void (*shape)(const real* par, const real* x, const real* xd, real station, section* out);

  /* M[(6+nx)^2] row-major and h[6+nx] = velocity products + elastic and dissipative efforts, for
     the body frame turning at w while its origin is at rest (docs/decisions/002). */
  void (*balance)(const real* par, const real* x, const real* xd, vec3 w, real* M, real* h);

  /* centre of mass times mass, in the body frame */
  vec3 (*moment)(const real* par, const real* x);

  /* elastic energy */
  real (*potential)(const real* par, const real* x);

  /* power that material damping takes out; NULL when there is none */
  real (*dissipation)(const real* par, const real* x, const real* xd);
} body_ops;

#endif
