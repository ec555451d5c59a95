/* SPDX-License-Identifier: Apache-2.0 */
/* beams.h: beams of the tests, and what the passes tell about their modes. */
#pragma once

#include "near.h"
#include "plan.h"

enum { BEAMS_MOST = 32 };

/* The paper's link (spec/flexible.md, 1): Table 3 in the integrals, Table 2 in the shapes. `ends`
   is one letter per end: c clamped, s pinned, f free. */
void beams_paper(plan_link* link, const char* ends);

/* The word of an end: c, s, f. */
const char* beams_end(char letter);

void beams_ends(plan_link* link, const char* ends);

/* The paper's plane: X1 is the world's x, X2 its z; a link at angle zero runs along X1, and turns
   from X1 to X2. */
apl_quat beams_plane(void);

/* Mass and stiffness of the n deformations of a model that is one beam, fixed; row-major. */
void beams_matrices(const apl_model* model, double* D, double* K);

/* Place and turn of the port for the deformations x of such a model. */
typedef struct beams_place {
  double x, y, z;          /* in the beam's frame                                              */
  double about_x, about_y; /* rotation vector of a plane turn                                  */
  double about_z;
} beams_place;
beams_place beams_port(const apl_model* model, const char* port, const double* x);
