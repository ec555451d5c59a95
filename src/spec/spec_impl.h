/* SPDX-License-Identifier: Apache-2.0 */
/* spec_impl.h: the spec as plain data: the description as the user gave it, with defaults filled
   in and nothing derived. */
#pragma once

#include "appell/file.h"
#include "appell/loop.h"
#include "appell/spec.h"

#include "base/pool.h"
#include "base/report.h"
#include "element/element.h"
#include "spec/parts.h"
#include "spec/signal.h"

/* Defaults of joints: the speed over which dry friction is smoothed at zero, and the stiffness
   of stops, in SI units of the joint. */
#define APL_FRICTION_SPEED 1e-3
#define APL_STOP_STIFFNESS 1e4

typedef struct spec_port {
  const char* name;
  double station;
  apl_pose at;
} spec_port;

typedef struct spec_rotor {
  const char* name;
  int velocity;
  double inertia, ratio;
} spec_rotor;

typedef struct spec_input {
  const char* name;
  const char* target;
  double gain;
  bool push; /* it acts on a port, with `wrench` for an input of 1 */
  apl_wrench wrench;
  apl_axes axes;
  const spec_signal* value;      /* NULL: none                                                   */
  spec_quantity least, greatest; /* text NULL: no bound                                          */
  apl_mark at;
} spec_input;

/* A guide of a tendon: a port, or a link that deforms, inside of which the tendon runs. */
typedef struct spec_guide {
  const char* port; /* "link.port", or NULL for a guide along a link */
  const char* link; /* the link, or NULL for a port */
  double offset[2], from, to;
  int discs; /* straight pieces per element; 0: guided continuously */
  apl_mark at;
} spec_guide;

typedef struct spec_tendon {
  const char* name;
  spec_guide* guide;
  int nguide;
  double stiffness, damping;
  double rest; /* rest length; infinite: the length with all joints at `rest` */
  apl_mark at;
} spec_tendon;

/* The word of apl_use_words for shapes that are drawn and touch nothing. */
#define APL_USE_PICTURE "picture"

/* A shape of a link or of the world, to be drawn and used for contact. */
typedef struct spec_shape {
  const char* name; /* "" when it has none                                                      */
  const char* use;  /* word of apl_use_words                                                    */
  const char* type; /* word of apl_shape_kinds                                                  */
  double size[3];   /* box: edges; others: radius, length                                       */
  double scale[3];  /* mesh                                                                     */
  const char* file; /* mesh                                                                     */
  double colour[4]; /* red green blue alpha                                                     */
  apl_pose at;      /* of its centre in the body frame                                          */
  apl_mark mark;    /* its place in the file */
} spec_shape;

/* Limits of a joint with one freedom. If `enforced`, its inputs and its servo are limited to
   `effort`; while they drive, the limit falls to zero at the speed `velocity`. */
typedef struct spec_limits {
  double lower, upper, velocity, effort;
  bool enforced;
} spec_limits;

/* Places of a link and its parts in the file; zero for links that a program has built. */
typedef struct spec_marks {
  apl_mark link, on, joint, body;
  apl_mark* joint_field; /* [fields of the kind] or NULL                                         */
  apl_mark* body_field;
} spec_marks;

typedef struct spec_link {
  const char* name;
  const char* joint_name; /* "": coordinates are named after the link */
  const char* on;
  apl_pose at;
  int joint_kind, body_kind; /* indices of the registries                                   */
  void* joint_param;         /* struct of the kind, filled through its field table          */
  void* body_param;
  unsigned long long joint_given; /* bit k: field k was given */
  unsigned long long body_given;
  double stiffness[APL_MAX_NV], damping[APL_MAX_NV], rest[APL_MAX_NQ];
  double friction[APL_MAX_NV],
      friction_speed; /* dry friction, and the speed over which it is smoothed */
  double lower[APL_MAX_NV], upper[APL_MAX_NV]; /* stops; infinite: none */
  double stop_stiffness, stop_damping;
  bool servo; /* it has a servo, with these gains and limits (infinite: no limit) */
  double servo_stiffness[APL_MAX_NV], servo_damping[APL_MAX_NV], servo_integral[APL_MAX_NV];
  double servo_effort[APL_MAX_NV], servo_speed[APL_MAX_NV];
  bool servo_from_start; /* without a motion it holds the initial coordinates, not `rest` */
  bool joint_prescribed, body_prescribed;
  spec_port* port;
  int nport;
  spec_rotor* rotor;
  int nrotor;
  spec_shape* shape;
  int nshape;
  bool bare; /* `shapes: []`: the link is not drawn at all */
  spec_limits limits;
  unsigned long long limits_given; /* bit per field of apl_limits_fields */
  spec_marks mark;
} spec_link;

typedef struct spec_ground {
  const char* name;
  apl_surface g;
  apl_mark at;
} spec_ground;

typedef struct spec_contact {
  const char* port;
  const char* ground; /* "" for all                                                             */
  double radius;
  double arc;  /* half angle of an arc; 0: a ball */
  double load; /* given normal force; 0: the force follows from the law */
  apl_mark at;
} spec_contact;

/* A name with its place in the file. */
typedef struct spec_word {
  const char* text;
  apl_mark at;
} spec_word;

/* An entry of `collide`: shapes that can touch each other, and their laws. */
typedef struct spec_collide {
  const char* name;
  spec_word *of, *with; /* empty `of`: all shapes of links; empty `with`: all shapes */
  int nof, nwith;
  int neighbours; /* links that are at most so many joints apart do not touch */
  int most;       /* of older files; checked and written, but not used */
  bool lenient;   /* pairs without contact geometry are left out with a warning */
  apl_surface g;  /* laws only: its plane is not used */
  apl_mark at;
} spec_collide;

/* A loop closure. Its texts are in the pool of the spec. */
typedef struct spec_loop {
  apl_closure c;
  apl_mark at;
} spec_loop;

typedef struct spec_coupling {
  const char *name, *of, *to;
  double ratio, offset;
  apl_mark at;
} spec_coupling;
/* ------------------------------------------------------------- where a run starts, what it keeps
 */

/* A value by the name of a coordinate or velocity. */
typedef struct spec_value {
  const char* name;
  apl_mark at; /* of the name */
  spec_quantity value;
} spec_value;

typedef enum spec_balance { BALANCE_NONE, BALANCE_ANY, BALANCE_STABLE } spec_balance;

typedef struct spec_start {
  apl_mark at; /* of the key `start`; zero if there is none */
  spec_value* value;
  int nvalue;
  spec_value* near; /* guesses, which closing the loops may change */
  int nnear;
  const char* from; /* an earlier result, NULL: none                                             */
  apl_mark from_at;
  spec_balance balance; /* start at an equilibrium */
  apl_mark balance_at;
  bool settle; /* a floating base is moved up or down until the robot stands on its ground */
  apl_mark settle_at;
} spec_start;

struct apl_spec {
  apl_error error; /* the first mistake */
  const char* name;
  const char* description;
  apl_vec3 gravity;
  bool lenient; /* doubtful values cause a warning, not an error */
  spec_link** link;
  int nlink;
  spec_input* input;
  int ninput;
  spec_tendon* tendon;
  int ntendon;
  spec_ground* ground;
  int nground;
  spec_contact* contact;
  int ncontact;
  spec_shape* obstacle; /* shapes of the world                                                   */
  int nobstacle;
  spec_collide* collide;
  int ncollide;
  spec_loop* loop;
  int nloop;
  spec_coupling* coupling;
  int ncoupling;
  spec_drive* signal; /* `signals`                                                               */
  int nsignal;
  spec_drive* motion;
  int nmotion;
  spec_gait* gait;
  int ngait;
  spec_start start;
  apl_run_block run;
  spec_word* record; /* additional channels: ports, `accelerations`, `reactions` */
  int nrecord;
  apl_pool pool;
};

/* words.c: index of a kind of joint or body by its word; -1 if there is none. */
int apl_joint_find(const char* word);
int apl_body_find(const char* word);

/* For the files of the builder: has there been no mistake so far? Is this a valid name (else an
   error)? A copy of a text in the pool (NULL without memory, an error). */
bool apl_spec_fine(const apl_spec* spec);
bool apl_spec_check_name(apl_spec* spec, const char* what, const char* name);
const char* apl_spec_keep(apl_spec* spec, const char* text);

/* ground.c: do the laws have the parameters that they need? Errors begin with `owner`. */
bool apl_spec_laws_fine(apl_spec* spec, const char* owner, const apl_surface* g);

/* ground.c: does the coefficient of friction depend on the direction? */
bool apl_surface_has_directions(const apl_surface* g);

/* collide.c: a shape of the world, and an entry of `collide`; texts are copied, lists are kept. */
void apl_spec_obstacle(apl_spec* spec, const spec_shape* shape);
void apl_spec_add_collide(apl_spec* spec, const spec_collide* collide);

/* Has the shape contact geometry, so that `collide` can use it? */
bool apl_shape_touches(const spec_shape* shape);

/* The first size of a shape that is not positive or not finite; NULL if all are valid. */
const double* apl_shape_bad_size(const spec_shape* shape);

/* Memory is missing: the error of the spec says so. */
void apl_spec_no_memory(apl_spec* spec);

/* The link with this index; NULL after a mistake, and with an error if there is none. */
spec_link* apl_spec_link_of(apl_spec* spec, int link);

/* Room for one more item in a list of n items; NULL without memory, which is an error of the spec.
 */
void* apl_spec_grow(apl_spec* spec, void* list, int n, size_t item);

/* columns.c: the table (NULL: none yet) with one more column, in the pool; NULL without memory. */
const apl_columns* apl_columns_with(apl_pool* pool, const apl_columns* table, const char* name,
                                    const double* value, int n);

/* Size in bytes of the member that a row describes. */
size_t apl_field_size(const apl_field* field);

/* Fill the members with the defaults of the table; required ones stay as they are. */
void apl_fields_default(const apl_field* field, void* out);

/* The first required field that was not given; NULL if none is missing. */
const apl_field* apl_field_missing(const apl_field* field, unsigned long long given);

/* Errors of kinds begin with the name of a field: "mass must not be negative". Returns the place
   of this field in the file, or `part` if the sentence begins with something else. */
apl_mark apl_field_blamed(const apl_field* field, const apl_mark* mark, apl_mark part,
                          const char* sentence);

/* SI unit of a quantity of freedom k of a joint. */
typedef enum joint_measure {
  MEASURE_COORDINATE,
  MEASURE_VELOCITY,
  MEASURE_EFFORT,
  MEASURE_STIFFNESS,
  MEASURE_DAMPING,
  MEASURE_STOP_DAMPING,
  MEASURE_INTEGRAL
} joint_measure;
const char* apl_joint_unit(const apl_joint_kind* kind, joint_measure measure, int k);
