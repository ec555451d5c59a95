/* spec_impl.h: the spec as plain data: what was written, defaults filled, nothing derived. */
#pragma once

#include "appell/file.h"
#include "appell/loop.h"
#include "appell/spec.h"

#include "base/pool.h"
#include "base/report.h"
#include "element/element.h"
#include "spec/parts.h"
#include "spec/signal.h"

/* What joints have when nobody says otherwise: the speed that rounds the corner of dry friction,
   and the stiffness of stops, in SI units of the joint. */
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
  bool push; /* it acts on a port, with this wrench per unit                                    */
  apl_wrench wrench;
  apl_axes axes;
  const spec_signal* value;      /* NULL: none                                                   */
  spec_quantity least, greatest; /* text NULL: no bound                                          */
  apl_mark at;
} spec_input;

/* A guide of a tendon: a point, or the inside of a body that deforms. */
typedef struct spec_guide {
  const char* port; /* "link.port", or NULL ...                                                 */
  const char* link; /* ... and this                                                             */
  double offset[2], from, to;
  int discs; /* chords per element; 0: guided all along                                         */
  apl_mark at;
} spec_guide;

typedef struct spec_tendon {
  const char* name;
  spec_guide* guide;
  int nguide;
  double stiffness, damping;
  double rest; /* length; infinite: that of the model at rest                                   */
  apl_mark at;
} spec_tendon;

/* A shape of a link or of the world: a picture, and something that may touch others. */
typedef struct spec_shape {
  const char* name; /* "" when it has none                                                      */
  const char* use;  /* word of apl_use_words                                                    */
  const char* type; /* word of apl_shape_kinds                                                  */
  double size[3];   /* box: edges; others: radius, length                                       */
  double scale[3];  /* mesh                                                                     */
  const char* file; /* mesh                                                                     */
  double colour[4]; /* red green blue alpha                                                     */
  apl_pose at;      /* of its centre in the body frame                                          */
  apl_mark mark;    /* where it stands in its file                                              */
} spec_shape;

/* Bounds of a joint of one freedom. `enforced`: its inputs and its servo give no more than
   `effort`, and where they drive nothing beyond `velocity`. */
typedef struct spec_limits {
  double lower, upper, velocity, effort;
  bool enforced;
} spec_limits;

/* Where a link stands in its file; zero for links of builder programs. */
typedef struct spec_marks {
  apl_mark link, on, joint, body;
  apl_mark* joint_field; /* [fields of the kind] or NULL                                         */
  apl_mark* body_field;
} spec_marks;

typedef struct spec_link {
  const char* name;
  const char* joint_name; /* "" when it goes by the name of the link                        */
  const char* on;
  apl_pose at;
  int joint_kind, body_kind; /* indices of the registries                                   */
  void* joint_param;         /* struct of the kind, filled through its field table          */
  void* body_param;
  unsigned long long joint_given; /* bit per field: was it set                                   */
  unsigned long long body_given;
  double stiffness[APL_MAX_NV], damping[APL_MAX_NV], rest[APL_MAX_NQ];
  double friction[APL_MAX_NV],
      friction_speed; /* dry friction, and the speed that rounds its corner */
  double lower[APL_MAX_NV], upper[APL_MAX_NV]; /* stops; infinite where there is none */
  double stop_stiffness, stop_damping;
  bool servo; /* it has one: gains, and what it can give (infinite where nothing bounds it)       */
  double servo_stiffness[APL_MAX_NV], servo_damping[APL_MAX_NV], servo_integral[APL_MAX_NV];
  double servo_effort[APL_MAX_NV], servo_speed[APL_MAX_NV];
  bool servo_from_start; /* without a motion it holds the start values, not `rest`               */
  bool joint_prescribed, body_prescribed;
  spec_port* port;
  int nport;
  spec_rotor* rotor;
  int nrotor;
  spec_shape* shape;
  int nshape;
  bool bare; /* `shapes: []`: nothing is drawn, not even what its numbers suggest */
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
  double arc;  /* half the angle of an arc instead of a ball; 0: a ball                         */
  double load; /* that presses it always; 0: its law decides                                    */
  apl_mark at;
} spec_contact;

/* A name where it was written. */
typedef struct spec_word {
  const char* text;
  apl_mark at;
} spec_word;

/* Shapes that may touch each other, and by which laws. */
typedef struct spec_collide {
  const char* name;
  spec_word *of, *with; /* empty: all shapes of links; all shapes                               */
  int nof, nwith;
  int neighbours; /* links so many joints apart, or fewer, do not touch                         */
  int most;       /* places at once; 0: by the number of shapes                                 */
  bool lenient;   /* pairs without a closed form are left out and told, not refused             */
  apl_surface g;  /* its plane means nothing                                                    */
  apl_mark at;
} spec_collide;

/* Two ports that are joined; its texts are the spec's own. */
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
  apl_mark at; /* of the block's key, zero when there is none                                    */
  spec_value* value;
  int nvalue;
  spec_value* near; /* guesses, which loops may move                                             */
  int nnear;
  const char* from; /* an earlier result, NULL: none                                             */
  apl_mark from_at;
  spec_balance balance; /* at equilibrium?                                                       */
  apl_mark balance_at;
  bool settle; /* the base is moved along the normal of the ground until the robot stands on it   */
  apl_mark settle_at;
} spec_start;

struct apl_spec {
  apl_error error; /* the first mistake */
  const char* name;
  const char* description;
  apl_vec3 gravity;
  bool lenient; /* doubtful things are kept and told */
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
  spec_word* record; /* channels besides those of every run: ports, `accelerations`, `reactions` */
  int nrecord;
  apl_pool pool;
};

/* Indices of the registries by word; -1 when there is none. */
int apl_joint_find(const char* word);
int apl_body_find(const char* word);

/* For the files of the builder: the first mistake sticks, names have one grammar (false with a
   sentence), texts are copied (NULL with a sentence). */
bool apl_spec_fine(const apl_spec* spec);
bool apl_spec_check_name(apl_spec* spec, const char* what, const char* name);
const char* apl_spec_keep(apl_spec* spec, const char* text);

/* ground.c: do the laws have the numbers they need? A sentence begins with their owner. */
bool apl_spec_laws_fine(apl_spec* spec, const char* owner, const apl_surface* g);

/* ground.c: does friction have coefficients of its own for single directions? */
bool apl_surface_has_directions(const apl_surface* g);

/* collide.c: a shape of the world, and an entry of `collide`; texts are copied, lists are kept. */
void apl_spec_obstacle(apl_spec* spec, const spec_shape* shape);
void apl_spec_add_collide(apl_spec* spec, const spec_collide* collide);

/* May it touch others, where an entry of `collide` names it? */
bool apl_shape_touches(const spec_shape* shape);

/* The first of its sizes that nothing that touches can have: not positive, or infinite. */
const double* apl_shape_bad_size(const spec_shape* shape);

/* Room for one more item in a list of n items; NULL after a mistake. */
void* apl_spec_grow(apl_spec* spec, void* list, int n, size_t item);

/* table.c: the table (NULL: none yet) with one more column, in the pool; NULL without memory. */
const apl_columns* apl_columns_with(apl_pool* pool, const apl_columns* table, const char* name,
                                    const double* value, int n);

/* Bytes of the member behind a row. */
size_t apl_field_size(const apl_field* field);

/* Fill the members with the defaults of the table; required ones stay as they are. */
void apl_fields_default(const apl_field* field, void* out);

/* The first required field of a kind that was not given, NULL when all are there. */
const apl_field* apl_field_missing(const apl_field* field, unsigned long long given);

/* The place of the field that a kind's sentence begins with, else `part`: kinds write "mass must
   not be negative", so the sentence itself tells which line is to blame. */
apl_mark apl_field_blamed(const apl_field* field, const apl_mark* mark, apl_mark part,
                          const char* sentence);

/* SI unit of what acts on freedom k of a joint, or of a coordinate of it. */
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
