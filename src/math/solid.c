/* SPDX-License-Identifier: Apache-2.0 */
/* solid.c: names of solids, their bounding boxes and largest radii. See solid.h. */
#include "math/solid.h"

#include <math.h>
#include <string.h>

static const char* const words[SOLIDS] = {"sphere", "capsule", "cylinder", "box", "pipe"};

const char* apl_solid_word(solid_kind kind) {
  return kind < SOLIDS ? words[kind] : "";
}

solid_kind apl_solid_find(const char* word) {
  int i = 0;
  while (i < SOLIDS && strcmp(words[i], word) != 0)
    ++i;
  return (solid_kind)i;
}

/* Half sizes of the bounding box of a disc of radius r normal to z: r sqrt(1 - z_i^2). */
static vec3 disc_half(double r, vec3 z) {
  return (vec3){r * sqrt(fmax(1.0 - z.x * z.x, 0.0)), r * sqrt(fmax(1.0 - z.y * z.y, 0.0)),
                r * sqrt(fmax(1.0 - z.z * z.z, 0.0))};
}

static vec3 size_of(vec3 a) {
  return (vec3){fabs(a.x), fabs(a.y), fabs(a.z)};
}

void apl_solid_bound(const solid* a, const pose* A, vec3* low, vec3* high) {
  const double *e = a->size, r = e[0];
  const mat3 R = A->R;
  const vec3 z = {R.xz, R.yz, R.zz};
  vec3 half = {r, r, r};

  switch (a->kind) {
  case SOLID_CAPSULE:
    half = add(half, scale(e[1], size_of(z)));
    break;
  case SOLID_CYLINDER:
  case SOLID_PIPE:
    half = add(disc_half(r, z), scale(e[1], size_of(z)));
    break;
  case SOLID_BOX:
    half = (vec3){e[0] * fabs(R.xx) + e[1] * fabs(R.xy) + e[2] * fabs(R.xz),
                  e[0] * fabs(R.yx) + e[1] * fabs(R.yy) + e[2] * fabs(R.yz),
                  e[0] * fabs(R.zx) + e[1] * fabs(R.zy) + e[2] * fabs(R.zz)};
    break;
  case SOLID_SPHERE:
  case SOLIDS:
    break;
  }
  *low = sub(A->p, half);
  *high = add(A->p, half);
}

double apl_solid_reach(const solid* a) {
  const double* e = a->size;

  switch (a->kind) {
  case SOLID_CAPSULE:
    return e[0] + e[1];
  case SOLID_CYLINDER:
  case SOLID_PIPE:
    return hypot(e[0], e[1]);
  case SOLID_BOX:
    return hypot(hypot(e[0], e[1]), e[2]);
  case SOLID_SPHERE:
  case SOLIDS:
    break;
  }
  return e[0];
}
