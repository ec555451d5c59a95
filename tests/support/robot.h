/* SPDX-License-Identifier: Apache-2.0 */
/* robot.h: a rigid tree described once for everybody: for Appell's builder, for the libraries that
   the benchmark compares with, and for tests that need the bare numbers. Holds data only; knows
   neither files (see urdf.h) nor dynamics. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "appell/spec.h"
#include "random.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ROBOT_NAME = 64 };

typedef enum robot_joint {
  ROBOT_FIXED,
  ROBOT_REVOLUTE,
  ROBOT_PRISMATIC,
  ROBOT_FLOATING
} robot_joint;

/* A link and the joint that carries it. The link's frame is the joint's frame, moved by the joint.
 */
typedef struct robot_link {
  char name[ROBOT_NAME];
  char joint_name[ROBOT_NAME];
  int parent; /* index of the link it hangs on, -1 for the world; may be larger than its own      */
  robot_joint joint;
  double xyz[3], rpy[3]; /* where the joint sits in the parent's frame, as URDF means it          */
  double axis[3];        /* unit vector, for revolute and prismatic joints                        */
  double mass, com[3];
  double inertia[6]; /* xx yy zz xy xz yz about com in link axes                                  */
} robot_link;

typedef struct robot {
  char name[ROBOT_NAME];
  int nlink;
  robot_link* link; /* [nlink] in the order of their coordinates, owned                           */
} robot;

/* Room for n links, all zero but for their axes (0, 0, 1) and parents -1. False without memory. */
bool robot_new(int n, robot* out);
void robot_free(robot* r); /* leaves an empty robot; accepts one */

/* Serial chain of n revolute joints, the recipe of the chains in tests/data/rigid: same seed, same
   robot, on every machine. False without memory. */
bool robot_chain(int n, uint64_t seed, robot* out);

/* Let the children of a fixed root hang on the world itself, as most libraries read a URDF file.
   Does nothing to other robots. The root's mass, which nothing feels, is lost. */
void robot_drop_fixed_root(robot* r);

/* Numbers of coordinates and of velocities. */
int robot_nq(const robot* r);
int robot_nv(const robot* r);

/* Add all links to a spec. Returns the status of the first mistake. */
apl_status robot_to_spec(const robot* r, apl_spec* spec);

/* Rotation matrix, row-major, of fixed-axis roll, pitch, yaw. */
void robot_rotation(const double rpy[3], double R[9]);

/* inertia <- R inertia R^T, in the order of robot_link. */
void robot_turn_inertia(const double R[9], double inertia[6]);

/* A state in Appell's order: angles in [-pi, pi), positions, velocities, accelerations and efforts
   in
   [-1, 1). q[nq], the others [nv]; each may be NULL, and the draw does not depend on which are. */
void robot_random_state(rng* d, const robot* r, double* q, double* v, double* a, double* tau);

#ifdef __cplusplus
}
#endif
