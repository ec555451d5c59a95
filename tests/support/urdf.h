/* SPDX-License-Identifier: Apache-2.0 */
/* urdf.h: read the rigid tree out of a URDF file, for tests and benchmark. Inertias, joint origins,
   axes and types only; no meshes, limits or transmissions. */
#pragma once

#include "robot.h"

enum { ROBOT_MESSAGE = 480 };

/* Read `path`. link[0] is the root, on the world by a fixed or a floating joint; the others follow
   in the order of the joints in the file. On failure returns false, leaves *out empty and puts a
   sentence into message[ROBOT_MESSAGE]. */
bool robot_read_urdf(const char* path, bool floating_base, robot* out, char* message);
