/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: the compiled robot. Immutable: any number of states and threads may share it. */
#pragma once

#include "appell/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled robot. */
typedef struct apl_model apl_model;

/* Check and compile a spec. The spec is not needed afterwards. On failure *out is NULL and err (if
   not NULL) names the part and the reason. */
APL_API apl_status apl_model_new(const apl_spec* spec, apl_model** out, apl_error* err);
APL_API void apl_model_free(apl_model* model); /* accepts NULL */

/* Lengths of q, of its tangent, of v and of u. */
APL_API int apl_model_nq(const apl_model* model);
APL_API int apl_model_nt(const apl_model* model);
APL_API int apl_model_nv(const apl_model* model);
APL_API int apl_model_nu(const apl_model* model);

/* Kinds of named parts of a model. Names are those of model files and results. */
typedef enum apl_kind {
  APL_COORDINATES, /* [nq] "arm.joint.angle"; units "rad", "m", of the parts of a quaternion "1"  */
  APL_VELOCITIES,  /* [nv] units "rad/s", "m/s"                                                   */
  APL_EFFORTS,     /* [nv] by the names of velocities; units "N m", "N"                           */
  APL_INPUTS,      /* [nu] "motor"; unit "1" if a gain is between the input and an effort */
  APL_LINKS,       /* "arm"                                                                       */
  APL_PORTS,       /* "arm.tip"                                                                   */
  APL_SATELLITES,  /* wheels and rotors: "base.right"                                             */
  APL_TENDONS,     /* unit of their inputs: "N", or "m" of those with a spring                    */
  APL_CONTACTS,    /* "rod.tip.floor"                                                             */
  APL_SHAPES,      /* that can touch each other: "arm.1", "arm.tip", "peg"                        */
  APL_LOOPS,       /* loops first, then couplings                                                 */
  APL_LOOP_ROWS,   /* of each loop in turn: "pin.x", "pin.about-y"; unit of the gap: "m", "rad"   */
  APL_FOOTINGS     /* joints that roll, by the names of their links                               */
} apl_kind;

/* How many the model has of a kind. */
APL_API int apl_model_count(const apl_model* model, apl_kind kind);

/* A constant string owned by the model; NULL beyond the last. */
APL_API const char* apl_model_name(const apl_model* model, apl_kind kind, int i);

/* Index of a name; -1 when there is none. Freedoms of a joint with a name of its own
   ("elbow.angle") are also found by their link ("forearm.joint.angle") and, where there is one
   only, by the joint alone ("elbow"). */
APL_API int apl_model_find(const apl_model* model, apl_kind kind, const char* name);

/* The SI unit where the kind has one, else ""; NULL beyond the last. */
APL_API const char* apl_model_unit(const apl_model* model, apl_kind kind, int i);

/* Indices and properties of a link. The joint comes first, then the deformation of the body. The
   ports of a body that deforms are root, tip, end1, end2 ... between its elements, in this order
   and with z along the body, then the named ones. */
typedef struct apl_link_info {
  int parent;        /* parent link, -1 for the world                                       */
  int on;            /* port of its parent, -1 for the world                                */
  int port;          /* its own frame: port "link.root"                                     */
  int q0, nq;        /* joint coordinates in q                                              */
  int t0, nt;        /* the same in the tangent of q                                        */
  int v0, nv;        /* joint quasi-velocities in v                                         */
  int xq0, xt0, xv0; /* deformation coordinates in q, tangent and v                         */
  int nx;            /* their number                                                        */
  int elements;      /* number of equal elements of the body, 1 for rigid bodies            */
  int sections;      /* number of sections that a picture goes through; 0: the screw motions
                        between root, end1 .. and tip are its shape                         */
  bool joint_prescribed, body_prescribed;
  bool servo;     /* the joint has a servo                                                   */
  bool plain;     /* the joint's velocities are the derivatives of its coordinates           */
  bool reaction;  /* apl_reactions() gives its joint reaction; false if it is merged with its
                     parent by a fixed joint                                             */
  double mass;    /* of its body [kg]                                                    */
  double half[2]; /* half the section of a body that deforms along x and y [m], 0 if unknown */
  const char* joint_name; /* "" when the joint goes by the name of the link                   */
  const char* joint;      /* word of the joint kind                                              */
  const char* body;       /* word of the body kind                                               */
  const char* note;       /* limitation of the body type, NULL if there is none                  */
} apl_link_info;

/* Of link `link`, counted from 0 in the order of the description. */
APL_API apl_link_info apl_model_link_info(const apl_model* model, int link);

/* The first coordinate of q[nq] at which its joint is singular (a car-rear steered by 90 deg, a
   rolling-disc that lies flat), or -1 if there is none; err (if not NULL) explains it. Passes do
   not check this: their results lose accuracy near such a configuration. Runs check after every
   step. */
APL_API int apl_model_singular(const apl_model* model, const double* q, apl_error* err);

/* Total mass [kg] and gravity [m/s^2]. */
APL_API double apl_model_mass(const apl_model* model);
APL_API apl_vec3 apl_model_gravity(const apl_model* model);

/* The ten inertial parameters of each rigid link about its own frame: m, mc (3), and the inertia
   xx yy zz xy xz yz about the origin of the link frame: [10 * nlink], zeros for other bodies. The
   parameters p of apl_regressor(). */
APL_API void apl_model_inertial(const apl_model* model, double* p);

#ifdef __cplusplus
}
#endif
