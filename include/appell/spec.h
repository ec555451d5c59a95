/* SPDX-License-Identifier: Apache-2.0 */
/* spec.h: describe a robot. A spec is a list of links; each one is a joint and the body that it
   moves. apl_model_new() checks and compiles it.

   Errors are sticky: after the first error every call is ignored, and apl_spec_error() and
   apl_model_new() return it. So a program needs one check only, at the end. */
#pragma once

#include "appell/math.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The description of a robot, while it is being built. */
typedef struct apl_spec apl_spec;

/* An empty robot: no links, gravity (0, 0, -9.81) m/s^2. */
APL_API apl_status apl_spec_new(apl_spec** out);
APL_API void apl_spec_free(apl_spec* spec); /* accepts NULL */

/* The first error so far; its status is APL_OK if there was none. */
APL_API const apl_error* apl_spec_error(const apl_spec* spec);

/* Accept doubtful values that can still be computed: an inertia that no real body can have, a joint
   that moves no mass. Otherwise apl_model_new() refuses them. */
APL_API void apl_spec_lenient(apl_spec* spec, bool lenient);

/* Gravitational acceleration in world axes [m/s^2]. */
APL_API void apl_spec_gravity(apl_spec* spec, apl_vec3 gravity);

/* Add a link: a joint of type `joint` on the parent `on`, with a body of type `body`. `on` is
   "world", a link ("arm") or a port ("arm.tip"); it may be added later than its children.
   docs/formats/model.md lists the types. Returns the index of the link, -1 on error. */
APL_API int apl_spec_link(apl_spec* spec, const char* name, const char* on, const char* joint,
                          const char* body);

/* Pose of the joint in the frame of its parent (default: at that frame). */
APL_API void apl_spec_place(apl_spec* spec, int link, apl_pose at);

/* Set a parameter by the path it has in model files: "body.mass", "body.com", "joint.axis",
   "joint.wheel-radius". Every joint also has
     joint.stiffness, joint.damping   springs towards joint.rest, viscous dampers
     joint.rest                       relaxed position of the springs, and initial position
     joint.friction                   dry friction, smoothed below joint.friction-speed
     joint.lower, joint.upper         compliant stops: effort stop-stiffness p (1 + stop-damping
                                      p') at penetration p, cut at zero
     joint.servo-stiffness, joint.servo-damping, joint.servo-integral
                                      gains of a servo towards apl_aim()
     joint.servo-effort, joint.servo-speed        its largest effort, which it can give at rest
                                      and which falls to zero at its largest speed
   One number applies to all freedoms of the joint.
   Counts such as "body.modes" take one number for all, or one for each of their words in order.
   A table takes one column at a time: "body.shape-table.station", "body.shape-table.bend-y.1".
 */
APL_API void apl_spec_put(apl_spec* spec, int link, const char* path, const double* value, int n);
APL_API void apl_spec_number(apl_spec* spec, int link, const char* path, double value);
APL_API void apl_spec_vec3(apl_spec* spec, int link, const char* path, double x, double y,
                           double z);

/* Choices, by name: "body.evaluation", "p5"; for sets several names, separated by blanks:
   "body.strains", "bend-x bend-y torsion". Texts as they are: "body.polynomials", "0 0 1". */
APL_API void apl_spec_word(apl_spec* spec, int link, const char* path, const char* words);

/* A frame on the body of a link. Rigid bodies use `at` alone; on a body that deforms, `station` is
   the section (0 root, 1 tip) and `at` the pose relative to that section. Each link has the port
   "root" (its body frame) from the start, and a body that deforms also "tip". */
APL_API void apl_spec_port(apl_spec* spec, int link, const char* name, double station, apl_pose at);

/* A geared rotor on one velocity of the joint: its speed is `ratio` times that velocity, and its
   axial inertia [kg m^2] acts with the factor ratio^2. Its name is "link.name". */
APL_API void apl_spec_rotor(apl_spec* spec, int link, const char* name, int velocity,
                            double inertia, double ratio);

/* Prescribe the motion of the joint (or the deformation of the body): forward dynamics then takes
   its acceleration and returns its effort. */
APL_API void apl_spec_prescribe(apl_spec* spec, int link, bool joint, bool body);

/* A tendon: a massless line through guides without friction, in the order in which they are added
   (docs/theory/tendons.md). It ends at the first and the last guide, and is straight between
   separate guides. Returns its index, -1 on error. */
APL_API int apl_spec_tendon(apl_spec* spec, const char* name);

/* A guide at a point: the origin of a port ("base.hole"), where the tendon slides. */
APL_API void apl_spec_tendon_port(apl_spec* spec, int tendon, const char* port);

/* A guide along a body that deforms, at the offset (x, y) [m] in its sections from station `from`
   to station `to` (0 root, 1 tip): continuously with discs 0, otherwise in straight chords between
   this many gaps per element. */
APL_API void apl_spec_tendon_along(apl_spec* spec, int tendon, const char* link, double x, double y,
                                   double from, double to, int discs);

/* Without this the tension of a tendon is its input [N], never negative. With it, the input is the
   length u [m] that a motor has wound up, and the tension max(0, stiffness (l - rest + u) + damping
   l') [N/m, N s/m]. The rest length is that of the model at rest. */
APL_API void apl_spec_tendon_spring(apl_spec* spec, int tendon, double stiffness, double damping);

/* A named input: effort `gain * u` on `target`, which is a velocity ("arm.joint.angle",
   "trunk.bend-y"), a satellite ("base.right") or a tendon ("left"; inputs on one add up). */
APL_API void apl_spec_input(apl_spec* spec, const char* name, const char* target, double gain);

/* A plane that contacts can touch; start from apl_surface_default(). Zero means "not given", unless
   another value is named for that. `appell law` lists the laws, docs/theory/contact.md has the
   formulas, and docs/formats/model.md explains each field. */
typedef struct apl_surface {
  apl_vec3 point;     /* of the plane [m]                                                        */
  apl_vec3 normal;    /* out of the ground                                                       */
  apl_vec3 direction; /* first friction direction, projected onto the plane; 0: any, or x        */
  const char* law;    /* normal force: "hu-guo", ...                                             */
  double stiffness;   /* [N/m^exponent]                                                          */
  double exponent;
  double restitution; /* in (0, 1]                                                               */
  double damping;     /* [N s/m] of kelvin-voigt                                                 */
  double rest_speed;  /* slower impacts do not rebound [m/s]                                     */
  bool pulls;         /* allow negative normal forces                                            */
  double start_depth; /* largest penetration at the start [m]                                    */

  const char* friction; /* "none", "ambrosio", ...                                               */
  const char* axes;     /* of `direction`: "ground", or "link": it turns with each contact's port */
  double coefficient;   /* friction coefficient for slip along `direction`, forward */
  double backward;      /* for slip in the opposite direction; HUGE_VAL: the same */
  double across;        /* for slip normal to it, to both sides; HUGE_VAL: the same */
  double left, right;   /* to one side; left is normal x direction; HUGE_VAL: as across          */
  double stiction;      /* static coefficient; 0: equal to the kinetic one */
  double v0, v1;        /* [m/s]                                                                 */
  double viscous;       /* [s/m]                                                                 */
  double drag, drag_across; /* law viscous, independent of the normal force [N s/m]               */
  double stribeck_speed, stribeck_exponent;  /* [m/s], 1                                          */
  double decay;                              /* [s/m] of bengisu-akay                             */
  double bristle_stiffness, bristle_damping; /* of lugre [1/m], [s/m]                            */
} apl_surface;

/* The floor z = 0, with law "hertz" (which needs a stiffness), exponent 1.5, no friction. */
APL_API apl_surface apl_surface_default(void);
APL_API void apl_spec_ground(apl_spec* spec, const char* name, const apl_surface* ground);

/* A point (radius 0) or a ball about a port ("arm.tip") can touch a ground; NULL or "": all. */
APL_API void apl_spec_contact(apl_spec* spec, const char* port, const char* ground, double radius);

/* A shape of a link or of the world, for drawing and for contact. */
typedef struct apl_shape {
  int link;         /* -1: fixed in the world                                                    */
  const char* type; /* box, cylinder, sphere, capsule, pipe (its inside), mesh                   */
  double size[3];   /* box: edges; sphere: radius; others: radius, length along z               */
  double colour[4]; /* red green blue alpha, 0 to 1; alpha 0: the colour of its link            */
  const char* file; /* mesh: its name as the file has it                                        */
  double scale[3];  /* mesh                                                                     */
  apl_pose at;      /* its centre in the frame of the link                                      */
  const char* name; /* "" when it has none                                                      */
  bool drawn;       /* false: used for contact only                                             */
  bool touches;     /* it has a geometry for contact, which `collide` may use                   */
} apl_shape;

#ifdef __cplusplus
}
#endif
