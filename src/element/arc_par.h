/* SPDX-License-Identifier: Apache-2.0 */
/* arc_par.h: the constants of one arc element. arc_compile() writes them, the hot halves read
   them. */
#pragma once

#include "element/element.h"

/* One bending. For bending about x, jx and jy are exchanged (arc_plane_x.c). */
typedef struct arc_plane_par {
  real L, m;
  real jx, jy; /* rho Ix L, rho Iy L                                                              */
  real stiffness, rest, damping; /* EI / L, the angle at rest, time constant times EI / L         */
  real drag;                     /* force per speed                                              */
} arc_plane_par;

/* A strain in space: its column of B; the other members as in arc_plane_par. */
typedef struct arc_strain_par {
  real B[6];
  real stiffness, rest, damping;
} arc_strain_par;

typedef struct arc_space_par {
  real L, m;
  vec3 j; /* rho Ix L, rho Iy L and their sum                                                     */
  real drag;
  arc_strain_par strain[]; /* [nx]                                                                */
} arc_space_par;
