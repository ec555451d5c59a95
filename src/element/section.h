/* section.h: cross-sections of slender bodies: a round bar, a tube or a rectangle of a material,
   any other by its area and moments of area, or the stiffnesses themselves. One set of fields for
   every kind of slender body; cold code only.

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

/* What follows from them, per length. */
typedef struct section_numbers {
  double mass;     /* rho A                                                                      */
  double jx, jy;   /* rho I about x and y                                                        */
  double EIx, EIy; /* bending about x and y                                                      */
  double GJ, GA, EA;
  double reach; /* distance of the outline from the axis, 0 when no outline is known             */
} section_numbers;

/* clang-format off */
#define APL_SECTION_FIELDS(t)                                                                      \
  APL_FIELD(t, section.diameter, "diameter", "m", "diameter of a round section", 0),              \
  APL_FIELD(t, section.inner_diameter, "inner-diameter", "m", "diameter of its bore", 0),         \
  APL_FIELD(t, section.width, "width", "m", "rectangular section: size along x", 0),              \
  APL_FIELD(t, section.height, "height", "m", "rectangular section: size along y", 0),            \
  APL_FIELD(t, section.area, "area", "m^2", "any other section: its area", 0),                    \
  APL_FIELD(t, section.second, "second-moment", "m^4",                                            \
            "its second moment of area, about both axes", 0),                                     \
  APL_FIELD(t, section.second_x, "second-moment-x", "m^4", "the same about x where it differs",   \
            0),                                                                                   \
  APL_FIELD(t, section.torsion_constant, "torsion-constant", "m^4",                               \
            "its constant J of torsion, with G J the torsion stiffness", 0),                      \
  APL_FIELD(t, section.density, "density", "kg/m^3",                                              \
            "density of the material; 0: mass-per-length over the area", 0),                      \
  APL_FIELD(t, section.young, "young-modulus", "Pa", "modulus of elasticity", 0),                 \
  APL_FIELD(t, section.shear, "shear-modulus", "Pa",                                              \
            "shear modulus; 0: from young-modulus and poisson-ratio", 0),                         \
  APL_FIELD(t, section.poisson, "poisson-ratio", "1", "Poisson's ratio", 0.3),                    \
  APL_FIELD(t, section.shear_factor, "shear-factor", "1",                                         \
            "part of the area that carries shear; 0: Cowper's value for the section", 0),         \
  APL_FIELD(t, section.mass_per_length, "mass-per-length", "kg/m",                                \
            "mass per length; 0: from the section, as all that follow", 0),                       \
  APL_FIELD(t, section.bending, "bending-stiffness", "N m^2", "E I, about both axes", 0),         \
  APL_FIELD(t, section.bending_x, "bending-stiffness-x", "N m^2",                                 \
            "E I about x where it differs", 0),                                                   \
  APL_FIELD(t, section.torsion, "torsion-stiffness", "N m^2", "G J", 0),                          \
  APL_FIELD(t, section.axial, "axial-stiffness", "N", "E A", 0),                                  \
  APL_FIELD(t, section.shear_stiffness, "shear-stiffness", "N", "shear factor times G A", 0),     \
  APL_FIELD(t, section.rotary, "rotary-inertia", "kg m",                                          \
            "density times second moment of area, about both axes", 0),                           \
  APL_FIELD(t, section.rotary_x, "rotary-inertia-x", "kg m", "the same about x where it differs", 0)
/* clang-format on */

/* Distance of the outline from the axis, 0 when no outline is given; from any numbers. */
double apl_section_reach(const section_param* p);

/* Check the parameters and find the numbers. A stiffness that nothing gives stays zero: the kind
   says which ones it needs. */
apl_status apl_section_numbers(const section_param* p, section_numbers* out, apl_error* err);

/* Half the size of the outline along x and y, for pictures; zeros when no outline is known. */
void apl_section_half(const section_param* p, double half[2]);

#endif
