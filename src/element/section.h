/* SPDX-License-Identifier: Apache-2.0 */
/* section.h: cross-sections of slender bodies: a round bar, a tube or a rectangle of a material,
   any other by its area and moments of area, or the stiffnesses themselves. One set of fields for
   all kinds of slender bodies; cold code only.

   Axes of a section: z along the body, x along `width`, y along `height`. */
#pragma once

#include "element/element.h"

#ifndef APL_HOT

typedef struct section_param {
  double diameter, inner_diameter, width, height;
  double area, second, second_x, torsion_constant;
  double density, young, shear, poisson, shear_factor;
  double mass_per_length, bending, bending_x, torsion, axial, shear_stiffness, rotary, rotary_x;
} section_param;

/* Derived quantities, per unit length. */
typedef struct section_numbers {
  double mass;     /* rho A                                                                      */
  double jx, jy;   /* rho I about x and y                                                        */
  double EIx, EIy; /* bending about x and y                                                      */
  double GJ, GA, EA;
  double reach; /* distance of the outline from the axis, 0 when no outline is known             */
} section_numbers;

/* clang-format off */
#define APL_SECTION_FIELDS(t)                                                                      \
  APL_FIELD(t, section.diameter, "diameter", "m", "circular section: outer diameter", 0),          \
  APL_FIELD(t, section.inner_diameter, "inner-diameter", "m",                                      \
            "circular section: inner diameter of a tube", 0),                                      \
  APL_FIELD(t, section.width, "width", "m", "rectangular section: size along x", 0),               \
  APL_FIELD(t, section.height, "height", "m", "rectangular section: size along y", 0),             \
  APL_FIELD(t, section.area, "area", "m^2", "any other section: area", 0),                         \
  APL_FIELD(t, section.second, "second-moment", "m^4",                                             \
            "any other section: second moment of area about x and y", 0),                          \
  APL_FIELD(t, section.second_x, "second-moment-x", "m^4",                                         \
            "any other section: second moment of area about x, if it differs from "                \
            "that about y", 0),                                                                    \
  APL_FIELD(t, section.torsion_constant, "torsion-constant", "m^4",                                \
            "torsion constant J of any other section, or of a rectangle whose own J does not "     \
            "hold (a profile); the torsional stiffness is G J", 0),                                \
  APL_FIELD(t, section.density, "density", "kg/m^3",                                               \
            "density of the material; 0: `mass-per-length` divided by the area", 0),               \
  APL_FIELD(t, section.young, "young-modulus", "Pa", "Young's modulus E", 0),                      \
  APL_FIELD(t, section.shear, "shear-modulus", "Pa",                                               \
            "shear modulus G; 0: from `young-modulus` and `poisson-ratio`", 0),                    \
  APL_FIELD(t, section.poisson, "poisson-ratio", "1", "Poisson's ratio", 0.3),                     \
  APL_FIELD(t, section.shear_factor, "shear-factor", "1",                                          \
            "shear correction factor k of k G A; 0: Cowper's value for the section", 0),           \
  APL_FIELD(t, section.mass_per_length, "mass-per-length", "kg/m",                                 \
            "mass per length; 0: from section and density", 0),                                    \
  APL_FIELD(t, section.bending, "bending-stiffness", "N m^2",                                      \
            "bending stiffness E I about x and y; 0: from section and material", 0),               \
  APL_FIELD(t, section.bending_x, "bending-stiffness-x", "N m^2",                                  \
            "bending stiffness E I about x, if it differs from that about y", 0),                  \
  APL_FIELD(t, section.torsion, "torsion-stiffness", "N m^2",                                      \
            "torsional stiffness G J; 0: from section and material", 0),                           \
  APL_FIELD(t, section.axial, "axial-stiffness", "N",                                              \
            "axial stiffness E A; 0: from section and material", 0),                               \
  APL_FIELD(t, section.shear_stiffness, "shear-stiffness", "N",                                    \
            "shear stiffness k G A; 0: from section and material", 0),                             \
  APL_FIELD(t, section.rotary, "rotary-inertia", "kg m",                                           \
            "rotary inertia per length, density times second moment of area, about x "             \
            "and y; 0: from section and material", 0),                                             \
  APL_FIELD(t, section.rotary_x, "rotary-inertia-x", "kg m",                                       \
            "rotary inertia per length about x, if it differs from that about y", 0)
/* clang-format on */

/* Distance of the outline from the axis (m), 0 if no outline is given; accepts unchecked
   numbers. */
double apl_section_reach(const section_param* p);

/* Check the parameters and compute the derived quantities. A stiffness that no field determines
   stays zero: the body kind reports the ones that it needs. */
apl_status apl_section_numbers(const section_param* p, section_numbers* out, apl_error* err);

/* Half the size of the outline along x and y, for pictures; zeros when no outline is known. */
void apl_section_half(const section_param* p, double half[2]);

#endif
