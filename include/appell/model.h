/* model.h: the compiled robot. Immutable: any number of states and threads may share it. */
#pragma once

#include "appell/spec.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_model apl_model;

/* Check and compile. The spec is not needed afterwards. On failure *out is NULL and err (if not
   NULL) names the part and what is wrong with it. */
APL_API apl_status apl_model_new(const apl_spec* spec, apl_model** out, apl_error* err);
APL_API void apl_model_free(apl_model* model); /* accepts NULL */

/* Sizes: coordinates q, tangent of q, quasi-velocities v, inputs u, links, ports, satellites
 * (wheels and rotors), tendons, contacts. */
APL_API int apl_model_nq(const apl_model* model);
APL_API int apl_model_nt(const apl_model* model);
APL_API int apl_model_nv(const apl_model* model);
APL_API int apl_model_nu(const apl_model* model);
APL_API int apl_model_nlink(const apl_model* model);
APL_API int apl_model_nport(const apl_model* model);
APL_API int apl_model_nsatellite(const apl_model* model);
APL_API int apl_model_ntendon(const apl_model* model);

APL_API int apl_model_ncontact(const apl_model* model);

/* Index by name ("arm", "arm.tip", "motor", "base.right"); -1 when there is none. Freedoms of a
   joint with a name of its own ("elbow.angle") are also found by their link ("forearm.joint.angle")
   and, where there is one only, by the joint alone ("elbow"). */
APL_API int apl_model_link(const apl_model* model, const char* name);
APL_API int apl_model_port(const apl_model* model, const char* name);
APL_API int apl_model_input(const apl_model* model, const char* name);
APL_API int apl_model_satellite(const apl_model* model, const char* name);
APL_API int apl_model_tendon(const apl_model* model, const char* name);
APL_API int apl_model_coordinate(const apl_model* model, const char* name);
APL_API int apl_model_velocity(const apl_model* model, const char* name);

/* Names, as in model files and results; constant strings owned by the model. */
APL_API const char* apl_model_link_name(const apl_model* model, int link);
APL_API const char* apl_model_port_name(const apl_model* model, int port);
APL_API const char* apl_model_input_name(const apl_model* model, int input);
/* The velocity that the input drives with an effort; -1: a wheel, a rotor, a tendon or a port. */
APL_API int apl_model_input_velocity(const apl_model* model, int input);
/* "1" where a gain or a push stands between the input and an effort. */
APL_API const char* apl_model_input_unit(const apl_model* model, int input);
APL_API const char* apl_model_satellite_name(const apl_model* model, int satellite);
APL_API const char* apl_model_tendon_name(const apl_model* model, int tendon);
APL_API const char* apl_model_contact_name(const apl_model* model, int contact); /* rod.tip.floor */
APL_API const char* apl_model_coordinate_name(const apl_model* model, int i);
APL_API const char* apl_model_velocity_name(const apl_model* model, int i);

/* Doubtful values that a lenient spec has accepted (an impossible inertia, a joint that moves no
   mass): sentences with their positions in the file, in the order of the links. apl_forward()
   refuses a model with a joint that moves no mass; apl_inverse() does not. */
APL_API int apl_model_ndoubt(const apl_model* model);
APL_API const apl_error* apl_model_doubt(const apl_model* model, int i); /* NULL beyond the last */

/* How many points apl_tendon_points() gives. */
APL_API int apl_model_tendon_npoint(const apl_model* model, int tendon);

/* SI units of the same: "rad", "m/s"; "1" for the parts of a quaternion. */
APL_API const char* apl_model_coordinate_unit(const apl_model* model, int i);
APL_API const char* apl_model_velocity_unit(const apl_model* model, int i);
APL_API const char* apl_model_effort_unit(const apl_model* model, int i); /* by velocity         */
APL_API const char* apl_model_tendon_unit(const apl_model* model, int i); /* of its inputs       */

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
  int sections;      /* number of sections for drawing, see apl_sections(); 0: the screw motions
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

APL_API apl_link_info apl_model_link_info(const apl_model* model, int link);

/* A contact: a point (radius 0) or ball about a port, and the ground that it can touch; or, with
   port -1, a contact point for two shapes of the entry `ground` of `collide`. apl_contact_get()
   tells which shapes use it at present. */
typedef struct apl_contact_info {
  int port;
  double radius;          /* [m]                                                                 */
  double arc;             /* half the angle of an arc [rad]; 0: a ball                           */
  double coefficient;     /* of friction                                                         */
  const char* ground;     /* its name                                                            */
  const char* law;        /* words of its laws                                                   */
  const char* friction;   /* "none" without                                                      */
  apl_vec3 point, normal; /* of its plane, in the world; the normal has length 1                 */
  apl_vec3 along, across; /* directions of friction in it                                        */
  bool first;             /* it is the first contact of its ground                               */
} apl_contact_info;

APL_API apl_contact_info apl_model_contact_info(const apl_model* model, int contact);

/* Shapes that can touch each other: "arm.1", "arm.tip", "peg"; NULL beyond the last. */
APL_API int apl_model_nshape(const apl_model* model);
APL_API const char* apl_model_shape_name(const apl_model* model, int shape);

/* Which entry of `collide` lets two shapes touch: its name, NULL: they do not. */
APL_API const char* apl_model_touches(const apl_model* model, int shape, int other);

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
