/* SPDX-License-Identifier: Apache-2.0 */
/* rod.c: see rod.h. */
#include "rod.h"

#include <string.h>

static const char* const words[6] = {"bend-x",  "bend-y",  "torsion",
                                     "shear-x", "shear-y", "elongation"};

int rod_rows(const rod* r, int row[6]) {
  int n = 0;
  for (int k = 0; k < 6; k++) {
    if (strstr(r->strains, words[k]) != NULL) row[n++] = k;
  }
  return n;
}

plan_link* rod_link(plan* p, const rod* r, const char* name, const char* on, const char* joint) {
  plan_link* link = plan_add(p, name, on, joint, "arc");

  plan_number(link, "body.length", r->length);
  plan_number(link, "body.elements", r->elements);
  plan_words(link, "body.strains", r->strains);
  if (r->evaluation != NULL) plan_words(link, "body.evaluation", r->evaluation);
  plan_number(link, "body.mass-per-length", r->mass);
  plan_number(link, "body.rotary-inertia", r->jy);
  plan_number(link, "body.rotary-inertia-x", r->jx);
  plan_number(link, "body.bending-stiffness-x", r->stiffness[0]);
  plan_number(link, "body.bending-stiffness", r->stiffness[1]);
  plan_number(link, "body.torsion-stiffness", r->stiffness[2]);
  plan_number(link, "body.shear-stiffness", r->stiffness[3]);
  plan_number(link, "body.axial-stiffness", r->stiffness[5]);
  plan_number(link, "body.rest-curvature-x", r->curvature[0]);
  plan_number(link, "body.rest-curvature-y", r->curvature[1]);
  plan_number(link, "body.rest-twist", r->curvature[2]);
  plan_number(link, "body.kelvin-voigt-time", r->time);
  plan_number(link, "body.air-drag", r->drag);
  return link;
}

void rod_steps(points* p, const rod* r, bool tangent) {
  const double L = r->length / r->elements;
  int row[6];
  const int n = rod_rows(r, row);

  for (int e = 0; e < r->elements; e++) {
    points_step* s = points_element(p, L, row, n);
    s->mass = r->mass * L;
    s->jx = r->jx * L;
    s->jy = r->jy * L;
    s->time = r->time;
    s->drag = r->drag * L;
    if (tangent) s->evaluation = POINTS_TANGENT;
    if (r->evaluation != NULL && strcmp(r->evaluation, "p5") == 0) s->evaluation = POINTS_P5;
    for (int k = 0; k < n; k++) {
      s->stiffness[k] = r->stiffness[row[k]];
      s->rest[k] = row[k] < 3 ? r->curvature[row[k]] * L : 0;
    }
  }
}
