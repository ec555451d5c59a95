/* spec.h: describe a robot. A spec is what the user wrote: links, each one a joint that carries a
   body. Nothing is derived here; apl_model_new() checks and compiles it.

   Errors are sticky: after the first mistake every call is ignored, and apl_spec_error() or
   apl_model_new() tells it. A builder program therefore needs one check, at the end. */
#pragma once

#include "appell/math.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct apl_spec apl_spec;

/* An empty robot: no links, gravity (0, 0, -9.81) m/s^2. */
APL_API apl_status apl_spec_new(apl_spec** out);
APL_API void apl_spec_free(apl_spec* spec); /* accepts NULL */

/* The first mistake made so far; its status is APL_OK when there was none. */
APL_API const apl_error* apl_spec_error(const apl_spec* spec);

/* Keep what is doubtful but can be computed with, and tell it by apl_model_doubt(): an inertia that
   no body has, a joint that moves no mass. Without this apl_model_new() refuses them. */
APL_API void apl_spec_lenient(apl_spec* spec, bool lenient);

/* Acceleration of free fall in world axes [m/s^2]. */
APL_API void apl_spec_gravity(apl_spec* spec, apl_vec3 gravity);

/* Add a link: a joint of kind `joint` on `on`, carrying a body of kind `body`. `on` is "world", a
   link ("arm") or a port ("arm.tip"); it may be added later than its children. The kinds are words
   of apl_joint_word() and apl_body_word(). Returns the index of the link, -1 after a mistake. */
APL_API int apl_spec_link(apl_spec* spec, const char* name, const char* on, const char* joint,
                          const char* body);

/* Where the joint sits in the frame it is on (default: at that frame). */
APL_API void apl_spec_place(apl_spec* spec, int link, apl_pose at);

/* Set a parameter by the path it has in model files: "body.mass", "body.com", "joint.axis",
   "joint.wheel-radius". Every joint also knows
     joint.stiffness, joint.damping   springs to joint.rest, viscous dampers
     joint.rest                       where its springs rest, and where a state starts
     joint.friction                   dry friction, its corner rounded over joint.friction-speed
     joint.lower, joint.upper         stops, compliant: force = stop-stiffness p (1 + stop-damping
   p') for a penetration p, never pulling
     joint.servo-stiffness, joint.servo-damping, joint.servo-integral
                                      gains of a servo towards apl_aim()
     joint.servo-effort, joint.servo-speed        its largest effort, which it can give at rest
                                      and which falls to zero at its largest speed
   of which one number counts for all freedoms of the joint.
   Counts such as "body.modes" take one number for all, or one for each of their words in order.
   A table takes one column at a time: "body.shape-table.station", "body.shape-table.bend-y.1".
 */
APL_API void apl_spec_put(apl_spec* spec, int link, const char* path, const double* value, int n);
APL_API void apl_spec_number(apl_spec* spec, int link, const char* path, double value);
APL_API void apl_spec_vec3(apl_spec* spec, int link, const char* path, double x, double y,
                           double z);

/* Choices, by their words: "body.evaluation", "p5"; of sets several, with blanks between them:
   "body.strains", "bend-x bend-y torsion". Texts as they are: "body.polynomials", "0 0 1". */
APL_API void apl_spec_word(apl_spec* spec, int link, const char* path, const char* words);

/* A frame on the body of a link. Rigid bodies use `at` alone; on a body that deforms, `station` is
   the section (0 root, 1 tip) and `at` the place relative to that section. Each link has the port
   "root" (its body frame) from the start, and a body that deforms also "tip". */
APL_API void apl_spec_port(apl_spec* spec, int link, const char* name, double station, apl_pose at);

/* A geared rotor on one velocity of the joint: its speed is `ratio` times that velocity, and its
   axial inertia [kg m^2] is felt ratio^2 times. It is a satellite, "link.name". */
APL_API void apl_spec_rotor(apl_spec* spec, int link, const char* name, int velocity,
                            double inertia, double ratio);

/* The joint's (or the body's) motion is a given function of time: forward dynamics takes its
   acceleration and returns its effort. */
APL_API void apl_spec_prescribe(apl_spec* spec, int link, bool joint, bool body);

/* A tendon: a line without mass and friction through guides, in the order in which they are added
   (docs/theory/tendons.md). It ends at the first and at the last one, and is straight between
   guides that are apart. Returns its index, -1 after a mistake. */
APL_API int apl_spec_tendon(apl_spec* spec, const char* name);

/* A guide at a point: the origin of a port ("base.hole"), where the tendon slides. */
APL_API void apl_spec_tendon_port(apl_spec* spec, int tendon, const char* port);

/* A guide along a body that deforms, at the offset (x, y) [m] in its sections from station `from`
   to station `to` (0 root, 1 tip): all along with discs 0, else in straight chords between discs,
   so many to each element it crosses. */
APL_API void apl_spec_tendon_along(apl_spec* spec, int tendon, const char* link, double x, double y,
                                   double from, double to, int discs);

/* Without this the tension of a tendon is its input [N], never negative. With it, the input is the
   length u [m] that a motor has wound up, and the tension max(0, stiffness (l - rest + u) + damping
   l') [N/m, N s/m]. The rest length is that of the model at rest unless it is given. */
APL_API void apl_spec_tendon_spring(apl_spec* spec, int tendon, double stiffness, double damping);
APL_API void apl_spec_tendon_rest(apl_spec* spec, int tendon, double length);

/* A named input: effort `gain * u` on `target`, which is a velocity ("arm.joint.angle",
   "trunk.bend-y"), a satellite ("base.right") or a tendon ("left"; inputs on one add up). */
APL_API void apl_spec_input(apl_spec* spec, const char* name, const char* target, double gain);

/* The input acts on a port, its target ("rod.tip"): u times this wrench, with the moment about the
   port's origin, in the port's own axes (it turns with them) or in world axes (a dead load). */
APL_API void apl_spec_push(apl_spec* spec, const char* input, apl_wrench wrench, apl_axes axes);

/* A plane that bodies may touch. Zero means "not given"; which numbers a law needs, `appell law`
   tells. docs/theory/contact.md has the formulas. */
typedef struct apl_surface {
  apl_vec3 point;     /* of the plane [m]                                                        */
  apl_vec3 normal;    /* out of the ground                                                       */
  apl_vec3 direction; /* first direction of friction, brought into the plane; 0: any, or x       */
  const char* law;    /* normal force: "hu-guo", ...                                             */
  double stiffness;   /* [N/m^exponent]                                                          */
  double exponent;
  double restitution; /* in (0, 1]                                                               */
  double damping;     /* [N s/m] of kelvin-voigt                                                 */
  double rest_speed;  /* slower contacts stay closed: docs/run.md [m/s]                          */
  bool pulls;         /* the force may pull                                                      */
  double start_depth; /* a start deeper in the ground is refused [m]                             */

  const char* friction; /* "none", "ambrosio", ...                                               */
  const char* axes;     /* of `direction`: "ground", or "link": it turns with each contact's port */
  double coefficient;   /* of slip along `direction`, forward                                    */
  double backward;      /* of slip against it; 0: the same                                       */
  double across;        /* of slip across it, to both sides; 0: the same                         */
  double left, right;   /* to one side; left is normal x direction; 0: as across                 */
  double stiction;      /* static coefficient; 0: as the other                                   */
  double v0, v1;        /* [m/s]                                                                 */
  double viscous;       /* [s/m]                                                                 */
  double drag, drag_across; /* of viscous, whatever the load is [N s/m]                           */
  double stribeck_speed, stribeck_exponent;  /* [m/s], 1                                          */
  double decay;                              /* [s/m] of bengisu-akay                             */
  double bristle_stiffness, bristle_damping; /* of lugre [1/m], [s/m]                            */
} apl_surface;

/* The floor z = 0, with law "hertz" (which needs a stiffness), exponent 1.5, no friction. */
APL_API apl_surface apl_surface_default(void);
APL_API void apl_spec_ground(apl_spec* spec, const char* name, const apl_surface* ground);

/* A point (radius 0) or a ball about a port ("arm.tip") may touch a ground; NULL or "": all. */
APL_API void apl_spec_contact(apl_spec* spec, const char* port, const char* ground, double radius);

/* A round part instead of a ball: an arc of this radius about the port, in its x-z plane, from
   -half_angle to half_angle about -z, ends included: the underside of a link that is curved. */
APL_API void apl_spec_round(apl_spec* spec, const char* port, const char* ground, double radius,
                            double half_angle);

/* A shape of a link or of the world: what it looks like, and what may touch other shapes. */
typedef struct apl_shape {
  int link;         /* -1: it stands in the world                                                */
  const char* type; /* box, cylinder, sphere, capsule, pipe (its inside), mesh                   */
  double size[3];   /* box: edges; sphere: radius; others: radius, length along z               */
  double colour[4]; /* red green blue alpha, 0 to 1; alpha 0: the colour of its link            */
  const char* file; /* mesh: its name as the file has it                                        */
  double scale[3];  /* mesh                                                                     */
  apl_pose at;      /* its centre in the frame of the link                                      */
  const char* name; /* "" when it has none                                                      */
  bool drawn;       /* files may have shapes that are not pictures                              */
} apl_shape;

/* Add a shape that may touch; `name` may be NULL for one of a link. No meshes. */
APL_API void apl_spec_shape(apl_spec* spec, const char* name, const apl_shape* shape);

/* Who may touch whom, and by which laws. Names, with blanks between them, are those of links (all
   their shapes), shapes ("arm.tip") and obstacles; a * at the end stands for any. NULL: `of` all
   shapes of links, `with` all shapes. Of two entries that name a pair the first one counts. */
typedef struct apl_collision {
  const char* name; /* contacts are called NAME.1, NAME.2 ..; NULL: "touch"                      */
  const char *of, *with;
  int neighbours;  /* links that are so many joints apart, or fewer, do not touch: mostly 1; fixed
                      joints do not count, the world is a link for joints of one freedom          */
  int most;        /* places near each other at once; 0: by the number of shapes                  */
  bool leave_out;  /* pairs without a closed form: a doubt of the model instead of a mistake      */
  apl_surface law; /* its plane and directions mean nothing                                      */
} apl_collision;
APL_API void apl_spec_collide(apl_spec* spec, const apl_collision* collision);

/* A contact that always touches its ground, pressed by a load [N] that is given: it only rubs. What
   presses it (a joint that keeps a flat robot on its table, a magnet) is not in the model. */
APL_API void apl_spec_press(apl_spec* spec, const char* port, const char* ground, double radius,
                            double load);

/* Words of the laws and one line about each; NULL beyond the last. */
APL_API const char* apl_normal_word(int i);
APL_API const char* apl_normal_title(int i);
APL_API const char* apl_friction_word(int i);
APL_API const char* apl_friction_title(int i);

/* The words for `joint` and `body` and one line about each; NULL beyond the last. */
APL_API const char* apl_joint_word(int i);
APL_API const char* apl_joint_title(int i);
APL_API const char* apl_body_word(int i);
APL_API const char* apl_body_title(int i);

#ifdef __cplusplus
}
#endif
