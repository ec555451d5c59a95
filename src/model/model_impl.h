/* SPDX-License-Identifier: Apache-2.0 */
/* model_impl.h: the compiled model: topology (integers) plus one block of parameters (numbers).

   Lanes may have different parameters for one topology, so hot code takes every number from a block
   of `real` and every integer from here. Wrenches and accelerations belong to frames: frame 0 is
   the world, each node has one for its body, and a deformable body has one more per port. Any frame
   may carry rigid inertia: so rigid bodies, and rigid links merged with the body they are fixed to,
   enter the recursion. */
#pragma once

#include "appell/model.h"

#include "base/pool.h"
#include "base/report.h"
#include "element/element.h"
#include "math/vec2.h"

#include <string.h>

/* Offsets from node.par: pose of the joint in the frame above, inertia of rotors seen by the
   joint. */
enum { PAR_TREE = 0, PAR_ARMATURE = 12, PAR_NODE = 13 };

/* The block of parameters begins with gravity, a vec3. */
enum { PAR_GRAVITY = 0 };

/* A flat model is solved in its plane. Each frame has axes (1, 2) in the plane and the normal; they
   are constant in the frame. The numbers of a node in the plane, at node.plane: */
typedef struct plane_node_par {
  real c, s;  /* axis 1 of its frame in the axes above, when the joint is at zero                */
  vec2 p;     /* where the joint sits on the frame above                                         */
  real sense; /* +-1: does the joint's axis, or ...                                              */
  real bend;  /* ... does the body turn about the normal or against it                           */
  vec2 slide; /* direction of a prismatic joint                                                  */
} plane_node_par;

/* ... and those of a frame, at frame.plane. */
typedef struct plane_frame_par {
  real m; /* its own rigid inertia: mass, first moment, moment of inertia about the normal       */
  vec2 h;
  real J;
  vec3 axis[3]; /* axis 1, axis 2 and the normal, in the frame                                   */
  real height;  /* the world's frame only: distance of the plane from its origin                 */
} plane_frame_par;

/* A joint with its body, in the order of the recursion: up < frame. Integers only, so that two
   models of one topology are equal byte by byte. */
typedef struct apl_node {
  int path;         /* node_path                                                    */
  int up;           /* frame above                                                  */
  int frame;        /* own body frame; == up when it has no joint of its own        */
  int port0, nport; /* port frames, bodies that deform only: the first, how many   */
  int par;          /* tree pose, armature, then the joint's own numbers            */
  int jpar, bpar;   /* joint's and body's numbers                                   */
  int joint, body;  /* index of the joint's kind, of the body's hot half            */
  int slaved;
  int back;  /* 0 or offset of the rotation back to the body's own axes      */
  int plane; /* flat models: offset of its plane_node_par                    */
  int q0, t0, v0, nq, nt, nv;
  int xq0, xt0, xv0, nx;
  int z0, xz0;           /* positions of joint and body in the order of elimination */
  int sc0;               /* first sine/cosine pair                                       */
  int sat0, nspin, nsat; /* satellites: first, of the kind, with rotors                  */
  int joint_prescribed, body_prescribed;
  int drag;           /* nonzero: drag acts on its body */
  int screw;          /* index of a screw body that is not prescribed, else -1 */
  int spring, damper; /* 0 or the offset of stiffness[nt] / damping in the block      */
  int friction;       /* 0 or the offset of friction[nv], speed                       */
  int stop;           /* 0 or the offset of lower[nt], upper[nt], stiffness, damping  */
  int servo;          /* 0 or the offset of kp, kd, effort, 1/speed, ki, each [nv]     */
  int rest;           /* offset of rest[nq]                                           */
  int root;           /* body frame of the first node of its tree                     */
  int world;          /* port frames: first of their columns in world axes            */
  int work;           /* first number of its scratch in the state                     */
  int denoc;          /* ... and in the DeNOC memory */
  int link;           /* the user's link, for sentences                               */
  int drawn, ndrawn;  /* sections for drawing: offset of their numbers, */
  int nsection;       /* ... how many, and how many numbers each has                  */
} apl_node;

typedef struct apl_frame {
  int node;    /* whose frame; -1 for the world                                */
  int inertia; /* offset of a rigid_inertia in the block                       */
  int section; /* port frames: offset of the station; 0 otherwise              */
  int plane;   /* flat models: offset of its plane_frame_par                   */

  /* The freedoms between this frame and the world, in the order of elimination: begin .. end - 1,
     then those of the frame `next`, which come earlier; 0: none. The runs of two frames are
     disjoint or begin at the same freedom. */
  int begin, end, next;
} apl_frame;

/* A frame at a constant pose in a frame: everything that users can name. */
typedef struct apl_port {
  int frame;
  int pose; /* offset of R[9], p[3]                                         */
  int link;
} apl_port;

typedef struct apl_satellite {
  int node;
  int rotor_velocity; /* rotors: which velocity of the joint; -1: from the kind       */
  int par;            /* inertia, ratio                                               */
} apl_satellite;

/* What an input acts on, and how: effort = gain u, of a wrench (moment, force) at a port; an aim of
   a servo is u itself. */
typedef enum input_kind {
  INPUT_VELOCITY,
  INPUT_SATELLITE,
  INPUT_TENDON,
  INPUT_PORT,
  INPUT_AIM, /* the coordinate that a servo aims at */
  INPUT_RATE /* the rate that a servo without stiffness aims at */
} input_kind;
typedef struct apl_input {
  int kind;
  int target; /* velocity, satellite, tendon or port; of an aim the velocity of its servo */
  int gain;
  int wrench; /* port: offset of moment[3], force[3]                                 */
  int world;  /* port: its wrench is in world axes                                   */
} apl_input;

static inline bool input_is_aim(const apl_input* input) {
  return input->kind == INPUT_AIM || input->kind == INPUT_RATE;
}

/* Where the aim of such an input stands among the aims of a state, [3*nv]. */
static inline int input_aim(const apl_input* input, int nv) {
  return input->kind == INPUT_RATE ? nv + input->target : input->target;
}

/* A piece of a tendon: guided along one element, in chords between discs of one element, straight
   between points of two frames, or between two points of one frame, where it does no work. */
typedef enum span_kind { SPAN_ALONG, SPAN_CHORDS, SPAN_STRAIGHT, SPAN_FIXED } span_kind;
typedef struct apl_span {
  int kind;
  int node;     /* along, chords: the element                                          */
  int chords;   /* how many                                                            */
  int frame[2]; /* straight, fixed: where it begins and ends                           */
  int par;      /* offset of an along_par; straight, fixed: of a vec3 for each frame    */
  int slope;    /* first of its derivatives in the state: [nx], or a direction[3]      */
} apl_span;

/* Spans along an element and in chords: where the tendon runs. */
typedef struct along_par {
  real x, y;        /* in the sections                                                          */
  real from, share; /* first station of the element, and how far it goes from there             */
} along_par;

/* The spring of a tendon. */
typedef struct tendon_par {
  real k, d; /* stiffness [N/m], damping [N s/m]                                                 */
  real rest; /* length [m]                                                                       */
} tendon_par;

/* A tendon is a list of spans. Its tension is its input, or that of its spring. */
typedef struct apl_tendon {
  int span0, nspan;
  int elastic;
  int par; /* offset of its tendon_par                                                 */
} apl_tendon;

/* Number of straight pieces in which a span is drawn. */
static inline int span_pieces(const apl_span* g) {
  enum { SMOOTH = 8 };
  return g->kind == SPAN_ALONG ? SMOOTH : g->kind == SPAN_CHORDS ? g->chords : 1;
}

/* Offsets from pair.par: numbers of a contact of a point or ball with a plane. */
enum {
  PAIR_POINT = 0,     /* of the plane                                                       */
  PAIR_AXES = 3,      /* normal, first and second direction: 9                              */
  PAIR_RADIUS = 12,   /* of the ball                                                        */
  PAIR_NORMAL = 13,   /* normal_numbers: 4                                                  */
  PAIR_FRICTION = 17, /* friction_numbers: 15                                               */
  PAIR_RESTITUTION = 32,
  PAIR_REST = 33,  /* rest-speed: slower impacts do not rebound */
  PAIR_DEPTH = 34, /* start-depth: largest penetration at the start */
  PAIR_ARC = 35,   /* cosine and sine of half the angle of an arc                        */
  PAIR_ALONG = 37, /* first tangent in the port's axes, if it turns with the port: 3 */
  PAIR_LOAD = 40,  /* prescribed normal force */
  PAIR_NUMBERS = 41
};

/* A shape that may touch others: a solid of math/solid.h in plain doubles, for all builds of the
   passes. */
typedef struct apl_solid {
  int kind; /* solid_kind                                                         */
  double size[3];
  double at[12]; /* R, p of its centre in its frame                                    */
  int frame;     /* 0: it stands in the world                                          */
  int link;      /* -1                                                                 */
} apl_solid;

/* One entry of `collide`: contacts slot0 .. slot0 + nslot - 1 are the slots of its pairs. */
typedef struct apl_touch_group {
  const char* name;
  int slot0, nslot;
  int line, column; /* position in its file, 0: none */
} apl_touch_group;

/* A contact point of two solids: normal and tangents, point, depth. In the passes T is `real`. */
#define TOUCH_MEMBERS(T) T axis[9], x[3], depth;
typedef struct apl_touch_place {
  TOUCH_MEMBERS(double)
} apl_touch_place;

/* Computes the contact points of two solids with these poses (R, p), each as TOUCH_MEMBERS; returns
   their number, at most 8. */
typedef int apl_measure(const apl_solid* a, const double* A, const apl_solid* b, const double* B,
                        double* out);

/* A possible contact: a port with a ground, or a slot for two solids (port -1). */
typedef struct apl_pair {
  int port;
  int par;      /* PAIR_*                                                             */
  int law;      /* normal_law                                                         */
  int friction; /* friction_law                                                       */
  int pulls;
  int rigid;    /* impacts make velocities jump */
  int sticks;   /* the friction law has a sticking mode */
  int bristles; /* LuGre's z is integrated                                            */
  int arc;      /* an arc instead of a ball                                           */
  int turns;    /* directions of friction turn with the port                          */
  int pressed;  /* always closed with a prescribed normal force; only friction acts */
  const char* ground;
} apl_pair;

/* The constraint of a row of a loop. */
typedef enum part_kind {
  PART_ALONG,    /* e . (p_to - p_from), e fixed in the frame of `from`                          */
  PART_WORLD,    /* the same with e fixed in the world                                           */
  PART_TURN,     /* k1 u1 . w1 + k2 u2 . w2, u fixed in `from`, w in `to`                        */
  PART_DISTANCE, /* |p_to - p_from| - length                                                     */
  PART_TIE       /* q_of - ratio q_to - offset                                                   */
} part_kind;

/* Offsets from row.par. */
enum {
  PART_STIFFNESS = 0,
  PART_DAMPING = 1,
  PART_E = 2, /* along: e[3]; turn: u1[3], w1[3], k1, u2[3], w2[3], k2 */
  PART_NUMBERS = 16
};

typedef struct apl_loop_part {
  int loop, kind, par;
} apl_loop_part;

/* Offsets from loop.par: points in the frames of `from` and `to`; of a coupling its ratio and
   offset. */
enum { LOOP_FROM = 0, LOOP_TO = 3, LOOP_LENGTH = 6, LOOP_NUMBERS = 7, TIE_RATIO = 0, TIE_OFFSET };

typedef struct apl_loop {
  int type;          /* closure_type; a coupling: CLOSURES                                      */
  int port[2];       /* -1: the world                                                           */
  int frame[2];      /* of a coupling: 0                                                        */
  int coordinate[2]; /* couplings: of, to                                                       */
  int velocity[2];
  int row0, nrow;
  int par;
} apl_loop;

struct apl_model {
  int nnode, nframe, nport, nlink, nsat, ninput, nangle;
  int nq, nt, nv, npar, nwork;
  int nworld;    /* columns in world axes: velocities, then x of each port       */
  int ndenoc;    /* numbers of DeNOC's blocks                                    */
  int nslaved;   /* joints that need true velocities                             */
  int npassive;  /* joints with springs, dampers, stops or servos                */
  int nservo;    /* ... of which with servos                                     */
  int nintegral; /* velocities whose servo has an integral part                */
  int ndrag;     /* bodies with drag */
  int npush;     /* inputs that apply a wrench to a port */
  int naim;      /* inputs that are aims of servos */
  int ntendon, nspan, nslope;
  int nscrew;
  int nstraight; /* spans between frames                                         */
  int npair;     /* possible contacts */
  int nslot;     /* ... the last nslot of them are slots for solids */
  int nsolid, ngroup;
  int nbristle;    /* ... with bristles                                            */
  int nloop;       /* loops and couplings                                          */
  int ncoupling;   /* ... of these the last ones are couplings                     */
  int npart;       /* rows of all of them                                          */
  int rigid_tree;  /* no deformation, no slaved joint: what DeNOC needs            */
  int nplane;      /* all motion is in one plane, and is solved there */
  int flat_rigid;  /* ... and no body deforms                                      */
  int plain;       /* q' = v for all coordinates, and there are no satellites */
  int nfooting;    /* joints that roll on the ground                               */
  int nprescribed; /* joints and bodies whose motion is given                      */
  const apl_node* node;
  const apl_frame* frame;
  const apl_port* port;
  const apl_satellite* satellite;
  const apl_input* input;
  const apl_tendon* tendon;
  const apl_span* span;
  const apl_pair* pair;
  const apl_solid* solid;
  const apl_touch_group* group;
  const signed char* touches; /* [nsolid * nsolid] group of a pair, -1: it cannot touch */
  apl_measure *measure, *measure_complex; /* for doubles, and for complex numbers */
  const char* const* solid_name;
  const apl_loop* loop;
  const apl_loop_part* part;
  const int* column_next;     /* [nworld] next column towards the world, see below */
  const int* column_velocity; /* [nworld] which velocity it belongs to                        */
  const int* frame_column;    /* [nframe] first column of the path from a frame to the world */
  const int* angle;           /* [nangle + 3] coordinates whose sine and cosine are needed, then
                                 zeros to fill groups of four */
  const int* velocity_node;   /* [nv] node that it moves */
  const int* passive;         /* [npassive] nodes                                             */
  const int* footing;         /* [nfooting] nodes                                              */
  double* par;                /* [npar]; gravity first. Constant once apl_model_new() has computed
                                 the rest lengths of tendons */
  double across[3];           /* normal of the plane of a flat robot, in world axes; else zero */
  const double* neutral;      /* [nq]                                                         */
  const double* most;         /* [nq] largest sensible magnitude, HUGE_VAL: none */

  /* names and properties for users; not used by the passes */
  const apl_link_info* link;
  const double* inertial; /* [10*nlink]                                                   */
  double mass;
  const char* const* link_name;
  const char* const* port_name;
  const char* const* satellite_name;
  const char* const* input_name;
  const char* const* tendon_name;
  const char* const* pair_name;
  const apl_mark* pair_mark; /* [npair] positions in the model file, or zero */
  const char* const* loop_name;
  const char* const* row_name;
  const apl_mark* loop_mark; /* [nloop] positions in the model file, or zero */
  const char* const* q_name;
  const char* const* v_name;
  const char* const* q_unit;
  const char* const* v_unit;
  const apl_mark* link_mark; /* [nlink] positions in the model file, or zero */
  int weightless;            /* a link that can move without moving mass, -1: none; forward dynamics
                                refuses it */
  apl_error* doubt;          /* [ndoubt] impossible values that were accepted */
  int ndoubt;
  apl_pool pool; /* owns everything above                                                    */
};

/* Motion columns form lists from each frame to the world: one per velocity of each joint on the
   path, one per deformation for each port. A list ends with WAY_END; a slaved joint interrupts it
   with way_through(node), because it transforms what passes it. */
enum { WAY_END = -1 };
static inline int way_through(int node) {
  return -2 - node;
}
static inline int way_node(int column) {
  return -2 - column;
}

/* Scratch memory of a node on the general path: offsets from node.work. */
static inline int work_S(const apl_node* n) {
  return n->work;
}
static inline int work_U(const apl_node* n) {
  return work_S(n) + 6 * n->nv;
}
static inline int work_D(const apl_node* n) {
  return work_U(n) + 6 * n->nv;
}
static inline int work_r(const apl_node* n) {
  return work_D(n) + n->nv * n->nv;
}
static inline int work_Phi(const apl_node* n) {
  return work_r(n) + n->nv;
}
/* deformable bodies: S of each port, then U, D and h of the body's block */
static inline int work_port(const apl_node* n, int p) {
  return work_Phi(n) + (n->slaved ? 36 : 0) + 6 * n->nx * p;
}
static inline int work_xU(const apl_node* n) {
  return work_port(n, n->nport);
}
static inline int work_xD(const apl_node* n) {
  return work_xU(n) + 6 * n->nx;
}
static inline int work_xh(const apl_node* n) {
  return work_xD(n) + n->nx * n->nx;
}
static inline int work_end(const apl_node* n) {
  return work_xh(n) + n->nx;
}

/* True if the node has a joint. Further elements of a body are mounted on the tip of the previous
   one, without joint and frame. */
static inline bool has_joint(const apl_node* n) {
  return n->frame != n->up;
}

/* Index of a name in a list; -1: not found. */
static inline int find_name(const char* const* list, int n, const char* name) {
  for (int i = 0; i < n; ++i) {
    if (strcmp(list[i], name) == 0) return i;
  }
  return -1;
}

/* The two halves of apl_model_new(): compile, then test the result. The test needs passes, so it is
   in a higher layer, dynamics/prove.c. */
apl_status apl_model_prove(apl_model* model, bool lenient, apl_error* err);
apl_status apl_model_compile(const apl_spec* spec, apl_model** out, apl_error* err);

/* model/check.c: tests whether a body with this freedom of motion can have the inertia I about its
   centre of mass. `axis` is used for rotation about one axis; `noise` is the round-off in I. */
typedef enum apl_freedom { APL_MOVES_STRAIGHT, APL_MOVES_ABOUT_AXIS, APL_MOVES_FREELY } apl_freedom;
apl_status apl_check_inertia(const char* link, sym3 I, double noise, apl_freedom freedom, vec3 axis,
                             apl_error* err);

/* The warning about an impossible inertia that is accepted, with the nearest possible one. */
void apl_doubt_inertia(const char* link, sym3 I, apl_error* err);

/* access.c: store a doubt; false without memory. */
bool apl_model_add_doubt(apl_model* model, const apl_error* doubt);
