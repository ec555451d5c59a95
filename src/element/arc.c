/* SPDX-License-Identifier: Apache-2.0 */
/* arc.c: bodies of constant strain along z of their frame: the user's fields and their check. The
   pose of a section is exp(s (X0 + B x)), an entire function of x, so the straight shape is not
   singular. The hot halves are arc_plane.c (one bending, closed form), arc_taylor.c (fifth-order
   expansions of it, from the paper) and arc_space.c (any strains). Theory: docs/theory/arc.md. */
#include "element/arc_par.h"
#include "element/section.h"

#ifndef APL_HOT

#include <stdio.h>

/* In the order of twist components: rotation about x, y, z, translation along x, y, z. */
static const char* const arc_strains[] = {"bend-x",  "bend-y",     "torsion", "shear-x",
                                          "shear-y", "elongation", NULL};
static const char* const arc_evaluations[] = {"exact", "p5", "t5", NULL};
enum { BEND_X = 1, BEND_Y = 2, TORSION = 4, NSTRAIN = 6, ALL_STRAINS = 63, MOST_ELEMENTS = 1000 };

typedef struct arc_param {
  double length;
  int elements;
  unsigned strains;
  const char* evaluation;
  section_param section;
  double curvature_x, curvature_y, twist;
  double kelvin_voigt;
  double drag;
} arc_param;

static const apl_field arc_fields[] = {
    APL_FIELD_POSITIVE(arc_param, length, "length", "m", "length of the whole body"),
    {.name = "elements",
     .offset = offsetof(arc_param, elements),
     .count = 1,
     .unit = "1",
     .fallback = (const int[]){1},
     .sentence = "number of equal elements; the strains are constant along each element",
     .form = APL_FORM_WHOLE},
    {.name = "strains",
     .offset = offsetof(arc_param, strains),
     .count = 1,
     .unit = "1",
     .fallback = (const unsigned[]){BEND_Y},
     .sentence =
         "strains that each element has, any of these; positive bend-y turns the z axis towards x",
     .form = APL_FORM_SET,
     .words = arc_strains},
    {.name = "evaluation",
     .offset = offsetof(arc_param, evaluation),
     .count = 1,
     .unit = "1",
     .fallback = arc_evaluations,
     .sentence = "how position and inertia are computed: `exact`, or one of the paper's "
                 "fifth-order approximations `p5` and `t5`, for bend-y alone",
     .form = APL_FORM_CHOICE,
     .words = arc_evaluations},
    APL_SECTION_FIELDS(arc_param),
    APL_FIELD(arc_param, curvature_x, "rest-curvature-x", "rad/m",
              "curvature about x in the unloaded shape", 0),
    APL_FIELD(arc_param, curvature_y, "rest-curvature-y", "rad/m",
              "curvature about y in the unloaded shape", 0),
    APL_FIELD(arc_param, twist, "rest-twist", "rad/m", "twist per length in the unloaded shape", 0),
    APL_FIELD_NOT_NEGATIVE(
        arc_param, kelvin_voigt, "kelvin-voigt-time", "s",
        "Kelvin-Voigt material damping, as a time: viscosity over elastic modulus", 0),
    APL_FIELD_NOT_NEGATIVE(
        arc_param, drag, "air-drag", "N s/m^2",
        "air drag: force per length and per speed, against the motion of each section", 0),
    APL_FIELD_END,
};

static int arc_strain_count(unsigned strains) {
  int n = 0;
  for (int k = 0; k < NSTRAIN; ++k)
    n += (int)(strains >> k & 1u);
  return n;
}

/* Twist component (row) of strain k of an element. */
static int arc_strain(unsigned strains, int k) {
  int row = 0;
  for (; k > 0 || (strains >> row & 1u) == 0; ++row)
    k -= (int)(strains >> row & 1u);
  return row;
}

static int arc_ops_of(const arc_param* p) {
  if (p->strains == BEND_X) return OPS_arc_plane_x;
  if (p->strains == (BEND_X | BEND_Y)) return OPS_arc_bend;
  if (p->strains == ALL_STRAINS) return OPS_arc_screw;
  if (p->strains != BEND_Y) return OPS_arc_space;
  if (p->evaluation == arc_evaluations[1]) return OPS_arc_p5;
  return p->evaluation == arc_evaluations[2] ? OPS_arc_t5 : OPS_arc_plane;
}

static void arc_plan(const void* param, apl_body_plan* plan) {
  const arc_param* p = param;
  const int n = arc_strain_count(p->strains);
  const bool elements_ok = p->elements >= 1 && p->elements <= MOST_ELEMENTS;

  plan->elements = elements_ok ? p->elements : 1;
  plan->nx = n;
  plan->ops = arc_ops_of(p);
  plan->screw = p->strains == ALL_STRAINS;
  plan->flat = p->strains == BEND_Y || p->strains == BEND_X;
  plan->npar =
      plan->flat ? APL_NPAR(arc_plane_par) : APL_NPAR(arc_space_par) + APL_NPAR(arc_strain_par) * n;
  plan->drag = p->drag > 0.0;
  apl_section_half(&p->section, plan->half);
  plan->channel = true;
  plan->reach = apl_section_reach(&p->section);
  switch (p->strains & (BEND_X | BEND_Y | TORSION)) {
  case 0:
    plan->turning = APL_TURNS_NOT;
    break;
  case BEND_X:
    plan->turning = APL_TURNS_ABOUT_X;
    break;
  case BEND_Y:
    plan->turning = APL_TURNS_ABOUT_Y;
    break;
  case TORSION:
    plan->turning = APL_TURNS_ABOUT_Z;
    break;
  default:
    plan->turning = APL_TURNS_ANY;
  }
}

static void arc_coordinate(const void* param, int k, apl_body_coordinate* out) {
  const arc_param* p = param;
  const int n = arc_strain_count(p->strains), row = arc_strain(p->strains, k % n);
  const double L = p->length / p->elements;
  const double rest[NSTRAIN] = {p->curvature_x, p->curvature_y, p->twist, 0, 0, 0};

  if (p->elements > 1) {
    snprintf(out->name, sizeof out->name, "%s.%d", arc_strains[row], k / n + 1);
  } else {
    snprintf(out->name, sizeof out->name, "%s", arc_strains[row]);
  }
  out->unit = row < 3 ? "rad" : "m";
  out->rest = rest[row] * L;
  out->most = row < 3 ? 6.283185307179586 : row == 5 ? L : HUGE_VAL;
}

/* Stiffness of the strain in a given row, or an error naming the missing field. */
static apl_status arc_stiffness(const section_numbers* s, int row, double* out, apl_error* err) {
  const struct {
    double value;
    const char* name;
    const char* unit;
  } all[NSTRAIN] = {{s->EIx, "bending-stiffness", "N m^2"}, {s->EIy, "bending-stiffness", "N m^2"},
                    {s->GJ, "torsion-stiffness", "N m^2"},  {s->GA, "shear-stiffness", "N"},
                    {s->GA, "shear-stiffness", "N"},        {s->EA, "axial-stiffness", "N"}};

  *out = all[row].value;
  if (*out > 0.0) return APL_OK;
  return apl_fail(err, APL_ERR_MODEL,
                  "%s must be positive, got %g %s: give it, or young-modulus and a section",
                  all[row].name, *out, all[row].unit);
}

static apl_status arc_check(const arc_param* p, apl_error* err) {
  if (p->elements < 1 || p->elements > MOST_ELEMENTS) {
    return apl_fail(err, APL_ERR_MODEL, "elements must lie in 1 to %d, got %d", MOST_ELEMENTS,
                    p->elements);
  }
  if (p->strains == 0) {
    return apl_fail(err, APL_ERR_MODEL,
                    "strains must not be empty: use a rigid body if it does not deform");
  }
  if (p->evaluation != arc_evaluations[0] && p->strains != BEND_Y) {
    return apl_fail(err, APL_ERR_MODEL,
                    "evaluation %s is for strains: [bend-y] alone; use exact here", p->evaluation);
  }

  const struct {
    const char* name;
    double value;
    unsigned strain;
  } rest[] = {{"rest-curvature-x", p->curvature_x, BEND_X},
              {"rest-curvature-y", p->curvature_y, BEND_Y},
              {"rest-twist", p->twist, TORSION}};
  for (int i = 0; i < 3; ++i) {
    const double angle = rest[i].value * p->length / p->elements;
    if (fabs(angle) > 6.283185307179586) {
      return apl_fail(err, APL_ERR_MODEL,
                      "%s %g rad/m is more than one turn per element (%.4g rad): use more elements",
                      rest[i].name, rest[i].value, angle);
    }
    if (rest[i].value != 0.0 && (p->strains & rest[i].strain) == 0) {
      return apl_fail(err, APL_ERR_MODEL, "%s needs '%s' among the strains", rest[i].name,
                      arc_strains[i]);
    }
  }
  return APL_OK;
}

/* Stiffness of strain k of an element, and its value at rest. */
static apl_status arc_elastic(const arc_param* p, const section_numbers* s, int k,
                              arc_strain_par* out, apl_error* err) {
  const int row = arc_strain(p->strains, k);
  apl_body_coordinate c;
  const apl_status st = arc_stiffness(s, row, &out->stiffness, err);
  if (st != APL_OK) return st;

  arc_coordinate(p, k, &c);
  for (int i = 0; i < NSTRAIN; ++i)
    out->B[i] = i == row ? 1.0 : 0.0;
  out->stiffness /= p->length / p->elements;
  out->rest = c.rest;
  out->damping = p->kelvin_voigt * out->stiffness;
  return APL_OK;
}

static apl_status arc_plane_compile(const arc_param* p, const section_numbers* s,
                                    arc_plane_par* par, apl_error* err) {
  const double L = p->length / p->elements;
  const bool about_x = p->strains == BEND_X;
  arc_strain_par bend;
  const apl_status st = arc_elastic(p, s, 0, &bend, err);
  if (st != APL_OK) return st;

  *par = (arc_plane_par){
      .L = L,
      .m = s->mass * L,
      .jx = (about_x ? s->jy : s->jx) * L,
      .jy = (about_x ? s->jx : s->jy) * L,
      .stiffness = bend.stiffness,
      .rest = bend.rest,
      .damping = bend.damping,
      .drag = p->drag * L,
  };
  return APL_OK;
}

static apl_status arc_space_compile(const arc_param* p, const section_numbers* s,
                                    arc_space_par* par, apl_error* err) {
  const double L = p->length / p->elements;
  apl_status st = APL_OK;

  par->L = L;
  par->m = s->mass * L;
  par->j = (vec3){s->jx * L, s->jy * L, (s->jx + s->jy) * L};
  par->drag = p->drag * L;
  for (int k = 0; st == APL_OK && k < arc_strain_count(p->strains); ++k)
    st = arc_elastic(p, s, k, &par->strain[k], err);
  return st;
}

static apl_status arc_compile(const void* param, void* constants, double* mass, apl_error* err) {
  const arc_param* p = param;
  const bool plane = p->strains == BEND_X || p->strains == BEND_Y;
  section_numbers s;
  apl_status st = arc_check(p, err);

  if (st == APL_OK) st = apl_section_numbers(&p->section, &s, err);
  if (st != APL_OK) return st;
  if (!(s.mass > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "mass-per-length must be positive, got %g kg/m: give it, or density and a "
                    "section",
                    s.mass);
  }
  *mass = s.mass * p->length;
  return plane ? arc_plane_compile(p, &s, constants, err)
               : arc_space_compile(p, &s, constants, err);
}

static const apl_body_kind arc_kind = {
    .word = "arc",
    .title = "a slender rod of constant-strain elements, for large deflections (soft and continuum "
             "robots)",
    .field = arc_fields,
    .param_size = sizeof(arc_param),
    .plan = arc_plan,
    .coordinate = arc_coordinate,
    .compile = arc_compile,
};

#endif
