/* SPDX-License-Identifier: Apache-2.0 */
/* section.c: see section.h. */
#include "element/section.h"

static const double pi = 3.14159265358979323846;

/* Area, second moments and torsion constant of an outline, and its shear coefficient. */
typedef struct outline {
  double A, Ix, Iy, J, shear;
} outline;

/* Cowper's shear coefficients; m = inner over outer radius */
static double cowper_round(double nu, double m) {
  const double s = (1.0 + m * m) * (1.0 + m * m);
  return 6.0 * (1.0 + nu) * s / ((7.0 + 6.0 * nu) * s + (20.0 + 12.0 * nu) * m * m);
}

static double cowper_rectangle(double nu) {
  return 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu);
}

/* Saint-Venant: J = a b^3 (1/3 - (64 b)/(pi^5 a) sum_{n odd} tanh(n pi a/(2 b))/n^5), a >= b */
static double torsion_rectangle(double w, double h) {
  const double a = fmax(w, h), b = fmin(w, h);
  double sum = 0.0;

  /* the terms fall as n^-5: 400 of them leave less than round-off */
  for (int n = 799; n > 0; n -= 2)
    sum += tanh(0.5 * n * pi * a / b) / (pow(n, 5));
  return a * b * b * b * (1.0 / 3.0 - 64.0 * b / (pow(pi, 5) * a) * sum);
}

double apl_section_reach(const section_param* p) {
  if (p->diameter > 0.0) return 0.5 * p->diameter;
  return p->width > 0.0 && p->height > 0.0 ? 0.5 * hypot(p->width, p->height) : 0.0;
}

static outline outline_of(const section_param* p) {
  if (p->diameter > 0.0) {
    const double D = p->diameter, d = p->inner_diameter;
    const double I = pi * (D * D * D * D - d * d * d * d) / 64.0;
    return (outline){pi * (D * D - d * d) / 4.0, I, I, 2.0 * I, cowper_round(p->poisson, d / D)};
  }
  if (p->width > 0.0 && p->height > 0.0) {
    const double w = p->width, h = p->height;
    /* a torsion constant beside a rectangle replaces Saint-Venant's: profiles with cut corners */
    const double J = p->torsion_constant > 0.0 ? p->torsion_constant : torsion_rectangle(w, h);
    return (outline){w * h, w * h * h * h / 12.0, h * w * w * w / 12.0, J,
                     cowper_rectangle(p->poisson)};
  }
  const double Ix = p->second_x > 0.0 ? p->second_x : p->second;
  return (outline){p->area, Ix, p->second, p->torsion_constant, 0.0};
}

void apl_section_half(const section_param* p, double half[2]) {
  const bool round = p->diameter > 0.0;

  half[0] = 0.5 * (round ? p->diameter : p->width);
  half[1] = 0.5 * (round ? p->diameter : p->height);
}

static apl_status check_numbers(const section_param* p, apl_error* err) {
  const struct {
    const char* name;
    double value;
    const char* unit;
  } all[] = {
      {"diameter", p->diameter, "m"},
      {"inner-diameter", p->inner_diameter, "m"},
      {"width", p->width, "m"},
      {"height", p->height, "m"},
      {"area", p->area, "m^2"},
      {"second-moment", p->second, "m^4"},
      {"second-moment-x", p->second_x, "m^4"},
      {"torsion-constant", p->torsion_constant, "m^4"},
      {"density", p->density, "kg/m^3"},
      {"young-modulus", p->young, "Pa"},
      {"shear-modulus", p->shear, "Pa"},
      {"shear-factor", p->shear_factor, "1"},
      {"mass-per-length", p->mass_per_length, "kg/m"},
      {"bending-stiffness", p->bending, "N m^2"},
      {"bending-stiffness-x", p->bending_x, "N m^2"},
      {"torsion-stiffness", p->torsion, "N m^2"},
      {"axial-stiffness", p->axial, "N"},
      {"shear-stiffness", p->shear_stiffness, "N"},
      {"rotary-inertia", p->rotary, "kg m"},
      {"rotary-inertia-x", p->rotary_x, "kg m"},
  };

  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    if (all[i].value >= 0.0) continue;
    return apl_fail(err, APL_ERR_MODEL, "%s must not be negative, got %g %s", all[i].name,
                    all[i].value, all[i].unit);
  }
  if (p->shear_factor > 1.0) {
    return apl_fail(err, APL_ERR_MODEL,
                    "shear-factor must not be above 1, got %g: it is the k of k G A, for a "
                    "rectangle 5/6 and not 6/5",
                    p->shear_factor);
  }
  if (!(p->poisson > -1.0 && p->poisson <= 0.5)) {
    return apl_fail(err, APL_ERR_MODEL, "poisson-ratio must lie in -1 to 0.5, got %g", p->poisson);
  }
  if (p->diameter > 0.0 && (p->width > 0.0 || p->height > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "diameter is for a circular section, width and height are for a rectangle: "
                    "give one of them");
  }
  const bool outlined = p->diameter > 0.0 || p->width > 0.0 || p->height > 0.0;
  const size_t last = p->diameter > 0.0 ? 8 : 7; /* a rectangle may have a torsion constant */
  for (size_t i = 4; i < last && outlined; ++i) {
    if (all[i].value == 0.0) continue;
    return apl_fail(
        err, APL_ERR_MODEL,
        "%s is for a section without a given shape, but %s gives a shape: give one of them",
        all[i].name, p->diameter > 0.0 ? "diameter" : "width or height");
  }
  if ((p->width > 0.0) != (p->height > 0.0)) {
    return apl_fail(err, APL_ERR_MODEL, "%s of the rectangular section is missing",
                    p->width > 0.0 ? "height" : "width");
  }
  if (p->inner_diameter > 0.0 && !(p->inner_diameter < p->diameter)) {
    return apl_fail(err, APL_ERR_MODEL,
                    "inner-diameter must be smaller than diameter, got %g m and %g m",
                    p->inner_diameter, p->diameter);
  }
  return APL_OK;
}

/* the given value, or the one derived from section and material */
static double given_or(double given, double derived) {
  return given > 0.0 ? given : derived;
}

apl_status apl_section_numbers(const section_param* p, section_numbers* out, apl_error* err) {
  const apl_status st = check_numbers(p, err);
  if (st != APL_OK) return st;

  const outline o = outline_of(p);
  const double E = p->young, G = given_or(p->shear, 0.5 * E / (1.0 + p->poisson));
  const double k = given_or(p->shear_factor, o.shear);
  const double rho = given_or(p->density, o.A > 0.0 ? p->mass_per_length / o.A : 0.0);

  out->mass = given_or(p->mass_per_length, p->density * o.A);
  out->jy = given_or(p->rotary, rho * o.Iy);
  out->jx = given_or(p->rotary_x, given_or(p->rotary, rho * o.Ix));
  out->EIy = given_or(p->bending, E * o.Iy);
  out->EIx = given_or(p->bending_x, given_or(p->bending, E * o.Ix));
  out->GJ = given_or(p->torsion, G * o.J);
  out->GA = given_or(p->shear_stiffness, k * G * o.A);
  out->EA = given_or(p->axial, E * o.A);
  out->reach = apl_section_reach(p);
  return APL_OK;
}
