/* mesh.h: triangles of files (STL, OBJ, DAE), few enough for a page. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh {
  float* point;     /* [3 * npoint]     */
  uint32_t* corner; /* [ncorner] three to a triangle */
  size_t npoint, ncorner, point_room, corner_room;
} mesh;

/* Read a file by the ending of its name. Corners that coincide become one; a mesh of more than
   6000 triangles is made coarser. A sentence in err when it cannot be read. */
apl_status apl_mesh_read(const char* path, mesh* out, apl_error* err);
void apl_mesh_free(mesh* m);

/* For the readers: add a point, or a corner of a triangle; false without memory. */
bool apl_mesh_point(mesh* m, double x, double y, double z);
bool apl_mesh_corner(mesh* m, size_t point);

/* mesh_dae.c: COLLADA; lengths in m, z up. */
apl_status apl_mesh_dae(const char* text, size_t size, mesh* out, apl_error* err);
