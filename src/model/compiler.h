/* SPDX-License-Identifier: Apache-2.0 */
/* compiler.h: shared by the files that compile a model: the work in progress and small tools.

   names.c      parents, order and names
   turning.c    how each link may rotate, for checks that depend on it
   flat.c       tests whether the robot is planar
   node.c       frames, ports, satellites, springs and columns of one link
   tendon.c     tendons as lists of spans
   contacts.c   grounds and their contacts
   solids.c     shapes and the pairs that may touch
   loop.c       loops and couplings as rows
   lists.c      growing lists
   compile.c    the sequence of all steps */
#pragma once

#include "base/assert.h"
#include "model/model_impl.h"
#include "spec/spec_impl.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How a frame may rotate relative to the world; the axis is in the axes of that frame. */
typedef struct turning {
  apl_freedom freedom;
  vec3 axis;
} turning;

/* Data of a link during compilation. */
typedef struct link_work {
  int parent;      /* link, -1 world                                                            */
  int parent_port; /* index in parent's list of ports                                           */
  bool placed;
  int port0;    /* its ports in the model's list; root first, then tip if any, then named    */
  int node0;    /* its nodes, one per element; where it has any                              */
  turning turn; /* of its body frame                                                         */
} link_work;

/* Lists that grow while links are compiled: lists.c. */
typedef enum model_list {
  LIST_NODES,
  LIST_FRAMES,
  LIST_PORTS,
  LIST_SATELLITES,
  LIST_ANGLES,
  LIST_PASSIVE,
  LIST_FOOTINGS,
  LIST_COLUMNS, /* in world axes */
  LIST_SPANS,
  LIST_NUMBERS, /* the block of parameters */
  NLIST
} model_list;

typedef struct compiler {
  const apl_spec* spec;
  apl_model* m;
  apl_error* err;
  link_work* link;
  int* order; /* links, parents first                                                   */
  apl_node* node;
  apl_frame* frame;
  apl_port* port;
  apl_satellite* satellite;
  int* angle;
  int* passive;
  int* footing;
  int *column_next, *column_velocity, *frame_column, *velocity_node;
  apl_span* span;
  double* par;     /* block of parameters                                                       */
  int room[NLIST]; /* of the lists                                                              */
  apl_link_info* info;
  double* inertial;
  const char** port_name;
  const char** satellite_name;
  bool out_of_memory; /* memory ran out */
} compiler;

/* Results of a link's kinds for its parameters. */
typedef struct link_parts {
  int jpar, bpar; /* numbers of joint and body in the block                                       */
  mat3 turn;      /* from the joint's own frame, whose z is the axis, to the user's               */
  double inertia[APL_MAX_SATELLITES];
  double mass;
  apl_body_plan plan;
} link_parts;

/* ---------------------------------------------------------------------------- small tools ---- */

static inline mat3 rotation_of(apl_quat q) {
  return mat3_of_quat((const double[]){q.w, q.x, q.y, q.z});
}

static inline pose pose_of(apl_pose p) {
  return (pose){rotation_of(p.rotation), {p.position.x, p.position.y, p.position.z}};
}

static inline mat3 transpose(mat3 R) {
  return (mat3){R.xx, R.yx, R.zx, R.xy, R.yy, R.zy, R.xz, R.yz, R.zz};
}

/* lists.c: append n zeroed items to a list; returns the index of the first. Pointers into the list
   are valid until the next call. Without memory it returns 0, whose values are then lost, and
   c->out_of_memory ends the compilation. */
int apl_compile_next(compiler* c, model_list list, int n);

/* Capacity for `most` items in each list: no call requests more at once. False: no memory. */
bool apl_lists_open(compiler* c, int most);
bool apl_lists_keep(compiler* c); /* copy to the memory of the model; false: no memory */
void apl_lists_close(compiler* c);

/* Append n numbers to the parameter block. */
static inline int take(compiler* c, int n) {
  return apl_compile_next(c, LIST_NUMBERS, n);
}

static inline void put_pose(double* at, pose X) {
  memcpy(at, &X, sizeof X);
}

static inline pose get_pose(const double* at) {
  pose X;
  memcpy(&X, at, sizeof X);
  return X;
}

static inline const apl_joint_kind* joint_kind(const spec_link* l) {
  return apl_joint_kinds[l->joint_kind];
}

static inline const apl_body_kind* body_kind(const spec_link* l) {
  return apl_body_kinds[l->body_kind];
}

static inline apl_body_plan body_plan(const spec_link* l) {
  return apl_body_planned(body_kind(l), l->body_param);
}

/* number of standard ports: root; for a deformable body also tip and the ends between its elements,
   end1 .. */
static inline int nstandard(const spec_link* l) {
  return body_kind(l)->rigid ? 1 : 1 + body_plan(l).elements;
}

typedef struct word {
  char text[64];
} word;

static inline word port_word(const spec_link* l, int p) {
  const int n = nstandard(l);
  word w;

  if (p < 2 || p >= n) {
    const char* name = p == 0 ? "root" : p == 1 && n > 1 ? "tip" : l->port[p - n].name;
    snprintf(w.text, sizeof w.text, "%s", name);
  } else {
    snprintf(w.text, sizeof w.text, "end%d", p - 1);
  }
  return w;
}

static inline int find_link(const apl_spec* s, const char* name, size_t n) {
  for (int i = 0; i < s->nlink; ++i) {
    if (strncmp(s->link[i]->name, name, n) == 0 && s->link[i]->name[n] == '\0') return i;
  }
  return -1;
}

static inline int put_numbers(compiler* c, const double* x, int n) {
  const int at = take(c, n);
  memcpy(c->par + at, x, sizeof *x * (size_t)n);
  return at;
}

/* -------------------------------------------------------------------------------- parts ---- */

/* "a.b" or, with d, "a.b.d" in the model's pool; sets out_of_memory if it fails. */
const char* apl_compile_join(compiler* c, const char* a, const char* b, const char* d);

/* Add the position in the file to c->err. Returns its status. */
apl_status apl_compile_blame(const compiler* c, apl_mark at);

/* names.c */
apl_status apl_compile_names(compiler* c); /* unique names, parents, order */
bool apl_compile_coordinates(compiler* c); /* addresses and names of q and v; false: no memory */

/* chord.c: no moment may act on the joint of a body whose frame is a chord */
apl_status apl_compile_chord(compiler* c);

/* turning.c: how link i may rotate, in its own axes; checks its inertia and its wheels. */
apl_status apl_compile_turning(compiler* c, int i, mat3 turn);

/* node.c: parameters of a link's kinds; then a node of its own, or merging with the frame it is
   fixed to */
apl_status apl_compile_parts(compiler* c, int i, link_parts* out);
void apl_compile_node(compiler* c, int i, int up, pose P, const link_parts* parts);
void apl_compile_merge(compiler* c, int i, int frame, pose P);
int apl_compile_frame(compiler* c, int node);

/* contacts.c: pairs of ports and grounds; how many there will be */
int apl_compile_pairs(const apl_spec* spec);

/* solids.c: shapes that may touch, and the number of slots of their groups; before contacts. */
apl_status apl_compile_solids(compiler* c);
apl_status apl_compile_contacts(compiler* c);

/* loop.c: loops and couplings */
apl_status apl_compile_loops(compiler* c);

/* The port "link.port", or the root of "link"; -1 with a suggestion in hint[96]. */
int apl_compile_port(const compiler* c, const char* name, char* hint);

/* flat.c: test whether the robot is planar, and prepare for it */
apl_status apl_compile_flat(compiler* c);

/* The frame at a station (0 root .. 1 tip) of the deformable link i, for ports and for points where
   tendons enter or leave. */
int apl_compile_section(const compiler* c, int i, double station);

/* tendon.c: tendons, after all links */
apl_status apl_compile_tendons(compiler* c);

/* Station number k of link l at which a tendon enters or leaves it; false beyond the last. */
bool apl_compile_tendon_station(const apl_spec* s, const spec_link* l, int k, double* station);

static inline rigid_inertia own_inertia(const compiler* c, int i) {
  rigid_inertia I;
  memcpy(&I, c->inertial + 10 * i, sizeof I);
  return I;
}
