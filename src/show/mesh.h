/* mesh.h: triangles of files (STL, OBJ, DAE), few enough for a page. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh {
  float* point;     /* [3 * npoint]     */
  uint32_t* corner; /* [ncorner] three to a triangle */
  uint32_t* paint;  /* [ncorner / 3] colour of each triangle, 0 where the file has none */
  size_t npoint, ncorner, point_room, corner_room;
  uint32_t brush; /* colour of the triangles that are added next */
} mesh;

/* A colour of parts from 0 to 1 as a paint: MESH_PAINTED + 0xrrggbb. */
enum { MESH_PAINTED = 1 << 24 };
uint32_t apl_mesh_paint(double red, double green, double blue);

/* Read a file by the ending of its name. Corners that coincide become one; a mesh of more than
   6000 triangles is made coarser. Colours are those of the materials in the file (DAE), beside it
   (the .mtl of an OBJ) or of its triangles (STL as VisCAM and Magics write it); pictures on
   surfaces are not read. A sentence in err when it cannot be read. */
apl_status apl_mesh_read(const char* path, mesh* out, apl_error* err);
void apl_mesh_free(mesh* m);

/* For the readers: add a point, or a corner of a triangle; false without memory. */
bool apl_mesh_point(mesh* m, double x, double y, double z);
bool apl_mesh_corner(mesh* m, size_t point);

/* mesh_obj.c: OBJ; materials are looked for in `folder`, '/' at its end. False without memory. */
bool apl_mesh_obj(const char* text, const char* folder, mesh* out);

/* mesh_dae.c: COLLADA; lengths in m, z up. */
apl_status apl_mesh_dae(const char* text, size_t size, mesh* out, apl_error* err);
