/* grammar.h: the tables of a model file above the kinds: which keys stand where. Reader, writer,
   schema and manual are read off them. */
#pragma once

#include "appell/file.h"
#include "appell/loop.h"

#include "base/field.h"
#include "spec/gait.h"
#include "spec/signal.h"
#include "text/node.h"

#include <stdbool.h>

typedef struct grammar_model {
  int appell;
  const char* name;
  const char* description;
  double gravity[3];
  const char* doubts;
  const text_node *include, *links, *tendons, *loops, *couplings, *grounds, *contacts, *obstacles,
      *collide, *inputs, *motion, *gaits, *signals, *start, *run, *record;
} grammar_model;

typedef struct grammar_link {
  const char* name;
  const char* on;
  apl_pose at;
  const text_node *joint, *body, *ports, *shapes;
} grammar_link;

/* what every joint knows besides the fields of its kind */
typedef struct grammar_joint {
  const char *type, *name;
  const text_node *stiffness, *damping, *rest, *rotors, *limits, *friction, *servo;
  const text_node *friction_speed, *stop_stiffness, *stop_damping;
  bool prescribed;
} grammar_joint;

typedef struct grammar_body {
  const char* type;
  bool prescribed;
} grammar_body;

typedef struct grammar_rotor {
  const char* name;
  const char* velocity;
  double inertia, ratio;
} grammar_rotor;

typedef struct grammar_servo {
  const text_node *stiffness, *damping, *integral, *effort, *speed;
  const char* aim;
} grammar_servo;

typedef struct grammar_port {
  apl_pose at;
  double station;
} grammar_port;

typedef struct grammar_tendon {
  const text_node* path;
  double stiffness, damping, rest;
} grammar_tendon;

typedef struct grammar_guide {
  const char *port, *along;
  double offset[2], from, to;
  int discs;
} grammar_guide;

typedef struct grammar_input {
  const char* on;
  double gain;
  double force[3], moment[3];
  const char* axes;
  const spec_signal* value;
  spec_quantity least, greatest;
} grammar_input;

typedef struct grammar_record {
  const text_node* ports;
  bool accelerations, reactions;
  double every;
} grammar_record;

/* law and friction are read into `g` by tables of their own */
typedef struct grammar_ground {
  double point[3], normal[3], direction[3];
  const text_node *law, *friction;
} grammar_ground;

typedef struct grammar_contact {
  const char *on, *with;
  double radius, arc, load;
} grammar_contact;

/* law and friction as for grounds */
typedef struct grammar_collide {
  const char* name;
  const text_node *of, *with, *law, *friction;
  int neighbours, most;
  const char* unknown;
} grammar_collide;

/* A gait as it was written. */
typedef struct grammar_gait {
  const char* type;
  apl_gait gait; /* but for its signals */
  const text_node *joints, *chain, *pitch, *yaw;
  const spec_signal *travel, *offset;
} grammar_gait;

typedef struct grammar_loop {
  apl_closure c; /* but for its axes */
  const char* axes;
} grammar_loop;

typedef struct grammar_coupling {
  const char *of, *to;
  double ratio;
  const text_node* offset; /* in the unit of `of` */
} grammar_coupling;

typedef struct grammar_pose {
  double position[3];
  const text_node* rotation;
} grammar_pose;

typedef struct grammar_rotation {
  double rpy[3], quaternion[4], axis[3], angle;
} grammar_rotation;

extern const char* const apl_axes_words[];      /* world, port  */
extern const char* const apl_loop_axes_words[]; /* from, world */
extern const char* const apl_doubt_words[];     /* refuse, keep */
extern const char* const apl_use_words[];       /* both, picture, contact */
extern const char* const apl_unknown_words[];   /* refuse, leave-out */

extern const apl_field apl_model_fields[];
extern const apl_field apl_include_fields[];
extern const apl_field apl_link_fields[];
extern const apl_field apl_joint_fields[];
extern const apl_field apl_body_fields[];
extern const apl_field apl_rotor_fields[];
extern const apl_field apl_limits_fields[];
extern const apl_field apl_servo_fields[];
extern const char* const apl_aim_words[]; /* rest, start */
extern const apl_field apl_port_fields[];
extern const apl_field apl_shape_fields[];
extern const apl_field apl_tendon_fields[];
extern const apl_field apl_guide_fields[];
extern const apl_field apl_input_fields[];
extern const apl_field apl_ground_fields[];
extern const apl_field apl_normal_fields[];   /* of apl_surface */
extern const apl_field apl_friction_fields[]; /* of apl_surface */
extern const apl_field apl_contact_fields[];
extern const apl_field apl_collide_fields[];
extern const apl_field apl_loop_fields[];
extern const apl_field apl_coupling_fields[];
extern const apl_field apl_pose_fields[];
extern const apl_field apl_rotation_fields[];
extern const apl_field apl_inertia_fields[];
extern const apl_field apl_run_fields[];
extern const apl_field apl_gait_fields[];      /* of grammar_gait                                */
extern const apl_field apl_gait_wave_fields[]; /* of apl_gait_wave                               */
extern const apl_field apl_record_fields[];

/* The words for `type` of a shape and the keys each one needs. */
typedef struct shape_kind {
  const char* word;
  const char* title;
  const apl_field* field;
} shape_kind;
extern const shape_kind apl_shape_kinds[]; /* ends with word NULL                                */
extern const shape_kind apl_gait_kinds[];  /* the same for gaits                                 */

/* Amplitudes and offsets of gaits have the unit of the joints: this one in the tables. */
extern const char apl_gait_unit[];

/* How a block is made of tables. */
typedef enum block_form {
  BLOCK_MAP,     /* the table itself                                                            */
  BLOCK_LIST,    /* a list of such maps                                                         */
  BLOCK_NAMED,   /* a map from names to such maps                                               */
  BLOCK_NUMBERS, /* one number, or one per freedom                                              */
  BLOCK_NAMES,   /* a name, or a list of names                                                  */
  BLOCK_SIGNAL,  /* a function of time                                                          */
  BLOCK_SIGNALS, /* a map from names to such                                                    */
  BLOCK_ANY,     /* a map from names to values                                                  */
} block_form;

typedef struct grammar_block {
  const char* word; /* words[0] of the rows that hold it                                        */
  block_form form;
  const apl_field* field;
  const char* title;
} grammar_block;
extern const grammar_block apl_grammar_blocks[]; /* ends with word NULL                          */
