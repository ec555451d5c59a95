/* SPDX-License-Identifier: Apache-2.0 */
/* mesh.h: triangles of files (STL, OBJ, DAE), few enough for a page, and the names of the images on
   them. */
#pragma once

#include "appell/file.h"
#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct mesh {
  float* point;     /* [3 * npoint]     */
  uint32_t* corner; /* [ncorner] three to a triangle */
  float* uv;        /* [2 * ncorner] where each corner is on its image: from the left and from the
                       bottom, 0 to 1; the image repeats beyond. These belong to corners and not to
                       points, so that merging points keeps the seams of an image. */
  uint32_t* paint;  /* [ncorner / 3] colour of each triangle, 0 where the file has none */
  uint16_t* skin;   /* [ncorner / 3] image of each triangle, counted from 1; 0: none */
  char** image;     /* [nimage] paths of the images, each once */
  size_t npoint, ncorner, point_room, corner_room;
  uint32_t brush;      /* colour of the triangles that are added next */
  uint16_t brush_skin; /* and their image */
  uint16_t nimage;
} mesh;

enum { MESH_IMAGES = 1000 }; /* further images of a mesh are not shown */

/* A colour of parts from 0 to 1 as a paint: MESH_PAINTED + 0xrrggbb. */
enum { MESH_PAINTED = 1 << 24 };
uint32_t apl_mesh_paint(double red, double green, double blue);

/* Read a file by the ending of its name. Corners that coincide become one; a mesh of more than
   6000 triangles is made coarser. Colours are those of the materials in the file (DAE), beside it
   (the .mtl of an OBJ) or of its triangles (STL as VisCAM and Magics write it). Images are named
   and not opened. Materials are read where the model file `file` may read them (NULL: anywhere
   below the folder of the mesh). A sentence in err when it cannot be read. */
apl_status apl_mesh_read(const char* path, const apl_file* file, mesh* out, apl_error* err);
void apl_mesh_free(mesh* m);

/* For the readers: add a point, or a corner of a triangle and its place on the image (NULL: none);
   false without memory. */
bool apl_mesh_point(mesh* m, double x, double y, double z);
bool apl_mesh_corner(mesh* m, size_t point, const double uv[2]);

/* mesh_image.c: the triangles that are added next have the image that a file in `folder` ('/' at
   its end) calls by `n` letters of `name`. A path from the root of a file system is one of the
   author's machine: then the image beside the file is meant. False without memory. */
bool apl_mesh_image(mesh* m, const char* folder, const char* name, size_t n);

/* mesh_obj.c: OBJ; materials and images are looked for in `folder`, `file` as above. False without
 * memory. */
bool apl_mesh_obj(const char* text, const char* folder, const apl_file* file, mesh* out);

/* mesh_dae.c: COLLADA; lengths in m, z up. */
apl_status apl_mesh_dae(const char* text, size_t size, const char* folder, mesh* out,
                        apl_error* err);
